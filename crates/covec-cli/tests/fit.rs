//! From a corpus to a model in one go, and new levels for it.
#![allow(clippy::unwrap_used)]

mod common;

use common::{Home, names};

fn home() -> Home {
    let home = Home::new();
    let world = "--words 80 --dim 4 --levels 3 --differing 0 --tokens 60000";
    home.ok(&format!("synth {world} -o c.jsonl -q"));
    let corpus = std::fs::read_to_string(home.path("c.jsonl")).unwrap();
    let (new, old): (Vec<&str>, Vec<&str>) =
        corpus.lines().partition(|line| line.contains("\"group-3\""));
    home.write("old.jsonl", old.join("\n"));
    home.write("new.jsonl", new.join("\n"));
    home
}

#[test]
fn fitting_is_counting_and_training() {
    let home = home();
    home.ok("count old.jsonl --by group --min-count 2 -o t -q");
    home.ok("train t --dim 4 --seed 3 -o m -q");
    let fit = "fit old.jsonl --by group --min-count 2 --dim 4 --seed 3 -q";
    home.ok(&format!("{fit} -o n"));
    home.ok(&format!("{fit} -o k --keep-tensor kept"));
    let files = |folder: &str| -> Vec<Vec<u8>> {
        let folder = home.path(folder);
        names(&folder).iter().map(|name| std::fs::read(folder.join(name)).unwrap()).collect()
    };
    assert!(files("m") == files("n") && files("m") == files("k"));
    assert!(files("t") == files("kept"));
    assert_eq!(names(&home.path("n")).len(), 4, "no tensor is left in it");
    let before = files("m");
    home.refused(&format!("{fit} -o m"), &["m exists already"]);
    home.refused(&format!("{fit} -o x --keep-tensor kept"), &["kept exists already"]);
    home.refused(&format!("{fit} -o x --resume"), &["nothing to resume", "x.checkpoint"]);
    home.refused("fit old.jsonl --by group --dim 0 -o x", &["--dim 0: expected 1 to 2000"]);
    assert!(files("m") == before);
}

#[test]
fn a_model_is_extended_only_by_what_is_new_to_it() {
    let home = home();
    home.ok("fit old.jsonl --by group --min-count 2 --dim 4 -o m -q");
    home.ok("extend m new.jsonl -o n -q");
    home.refused("extend n new.jsonl -o x", &["of group=group-3", "knows already", "train again"]);
    home.refused("extend m c.jsonl -o x", &["of group=group-1", "leave these documents out"]);
    home.refused("extend m new.jsonl -o n", &["n exists already", "--force"]);
    home.refused("extend nowhere new.jsonl -o x", &["nowhere: not a model folder"]);
    home.write("foreign.jsonl", "{\"text\": \"nothing of this\", \"group\": \"new\"}\n");
    home.refused("extend m foreign.jsonl -o x", &["no word is left", "vocabulary of the model"]);
    home.ok("fit old.jsonl --min-count 2 --dim 4 -o plain -q");
    home.refused("extend plain new.jsonl -o x", &["no factors", "--by"]);
    home.ok("synth --tensor --words 80 --dim 4 --levels 2 --differing 0 -o t -q --force");
    home.ok("train t --dim 4 -o s -q");
    home.refused("extend s new.jsonl -o x", &["stage 'synth'", "covec count"]);
}
