//! Models on the command line: info opens them, export writes them for others, bad ones are refused.
#![allow(clippy::unwrap_used)]

mod common;

use common::{Home, names};

#[test]
fn info_tells_a_model_from_a_tensor() {
    let home = Home::with_tensor();
    let summary = home.ok("info m");
    for told in ["made by covec", "train", "held-out loss", "ridge", "group-3", "off-diagonal"] {
        assert!(summary.contains(told), "{told} is not in:\n{summary}");
    }
    assert_eq!(home.ok("info m --show sweeps --format csv").lines().count(), 5);
    assert_eq!(home.ok("info m --show levels --format csv").lines().count(), 6);
    assert_eq!(home.ok("info m --show cells --format csv").lines().count(), 7);
    assert!(home.ok("info m --show parameters").contains("x_max"));
    for show in ["summary", "ridges", "words", "dimensions"] {
        assert!(home.ok(&format!("info m --show {show} --format json")).starts_with('['));
    }
    home.refused("info m --show rules", &["m is a model", "sweeps"]);
    home.refused("info t --show sweeps", &["t is a tensor", "rules"]);
    // What is left still says what it was.
    std::fs::remove_file(home.path("m/model.safetensors")).unwrap();
    home.refused("info m", &["not a model folder: no model.safetensors in it"]);
}

#[test]
fn several_levels_make_a_folder_that_is_replaced_only_when_it_is_ours() {
    let home = Home::with_tensor();
    home.ok("export m --format projector --in group-1 --in group-2,period=period-1 -o out -q");
    let files = [
        "group=group-1.metadata.tsv",
        "group=group-1.vectors.tsv",
        "group=group-2,period=period-1.metadata.tsv",
        "group=group-2,period=period-1.vectors.tsv",
        "run.json",
    ];
    assert_eq!(names(&home.path("out")), files);
    let again = "export m --format projector --in group-1 --in group-2,period=period-1 -o out";
    home.refused(again, &["out exists already", "--force"]);
    home.ok(&format!("{again} --force -q"));
    std::fs::remove_file(home.path("out/run.json")).unwrap();
    home.refused(&format!("{again} --force"), &["covec did not make"]);
}

#[test]
fn what_cannot_be_exported_is_refused_and_leaves_nothing_behind() {
    let home = Home::with_tensor();
    for (flags, told) in [
        ("--in grop-1", "no level 'grop-1'"),
        ("--in group-1,group-2", "two levels of one factor (group)"),
        ("--format word3vec", "--format word3vec: expected word2vec, "),
        ("--what weights --in group-1", "leave --in away"),
        ("--what deviations --in group-1,period-1", "deviations are of one level each"),
        ("--min-support 1e12", "lower --min-support"),
    ] {
        home.refused(&format!("export m {flags} -o out"), &[told]);
    }
    home.refused("export t -o out", &["t: not a model folder: no model.safetensors in it"]);
    home.refused("export nowhere -o out", &["there is nothing there"]);
    home.refused("train m -o out", &["m: not a tensor folder"]);
    home.write("mine/notes.txt", "years of work");
    home.refused("export m -o mine --force", &["a folder", "left alone"]);
}

#[test]
fn the_same_model_gives_the_same_bytes() {
    let home = Home::with_tensor();
    for format in ["word2vec", "word2vec-binary", "glove", "numpy", "csv"] {
        for output in ["a", "b"] {
            home.ok(&format!("export m --format {format} --in period-2 -o {output} --force -q"));
        }
        assert_eq!(
            std::fs::read(home.path("a")).unwrap(),
            std::fs::read(home.path("b")).unwrap(),
            "{format}"
        );
    }
}
