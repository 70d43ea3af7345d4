//! `covec baseline s-efe` and `lda`, as users have them: what can be asked of their models, and what is refused.
#![allow(clippy::unwrap_used)]

mod common;

use common::Home;
use serde_json::Value;

fn rows(printed: &str) -> Vec<Value> {
    serde_json::from_str(printed).unwrap()
}

/// A corpus of two groups and its tensor `t`.
fn home() -> Home {
    let home = Home::new();
    home.ok("synth -o c.jsonl --tokens 40000 --words 120 --dim 4 --levels 2 --differing 0 -q");
    home.ok("count c.jsonl --by group -o t -q");
    home
}

#[test]
fn s_efe_and_lda_make_models_that_the_same_questions_can_be_put_to() {
    let home = home();
    let s_efe = "baseline s-efe c.jsonl --tensor t --dim 6 --epochs 2";
    let told = |arguments: &str| {
        let output = home.covec(arguments);
        assert!(output.status.success(), "{}", common::text(&output.stderr));
        common::text(&output.stderr) + &common::text(&output.stdout)
    };
    let printed = told(&format!("{s_efe} -o hierarchical"));
    assert!(printed.contains("s-efe") && printed.contains("2 epochs"), "{printed}");
    home.ok(&format!("{s_efe} --sharing amortised --hidden 4 -o amortised -q"));
    home.ok("baseline lda c.jsonl --tensor t --topics 5 --epochs 9 --piece-words 100 -o lda -q");
    let word =
        rows(&home.ok("info hierarchical --show words -n 9 --format json"))[8]["word"].clone();
    let word = word.as_str().unwrap();
    let level = "group=group-1";
    for model in ["hierarchical", "amortised", "lda"] {
        let near =
            rows(&home.ok(&format!("neighbors {model} {word} --in {level} -n 5 --format json -q")));
        assert_eq!(near.len(), 5, "{model}");
        let other = near[0]["neighbor"].as_str().unwrap();
        home.write("pairs.csv", format!("{word},{other},3\n{other},{word},2\n"));
        let told = rows(
            &home.ok(&format!("eval {model} --similarity pairs.csv --in each --format json -q")),
        );
        assert_eq!(told.len(), 3, "{model}");
        assert!(
            !rows(&home.ok(&format!("drift {model} --in {level} -n 3 --format json -q")))
                .is_empty()
        );
        let run: Value =
            serde_json::from_slice(&std::fs::read(home.path(model).join("run.json")).unwrap())
                .unwrap();
        assert_eq!(run["stage"], "baseline");
        assert!(run["training"]["sweeps"][0]["loss"].as_f64().unwrap() > 0.0);
        home.refused(&format!("extend {model} c.jsonl -o x"), &["extend", "covec train"]);
    }
    // Topics are what the dimensions of one of them are.
    home.ok("covariates lda -q");
    home.ok("topics lda -q");
    home.refused("covariates hierarchical", &["s-efe", "covec train"]);
    home.refused("topics amortised", &["s-efe", "covec train"]);
}

#[test]
fn corpora_tensors_and_parameters_that_do_not_fit_are_refused() {
    let home = home();
    for method in ["s-efe", "lda"] {
        let ask = format!("baseline {method}");
        home.ok("synth -o other.jsonl --tokens 20000 --words 120 --levels 2 --seed 2 --force -q");
        home.refused(
            &format!("{ask} other.jsonl --tensor t -o x"),
            &["not the corpus the tensor was counted from", "expected", "way out"],
        );
        home.ok("count c.jsonl -o whole --force -q");
        home.refused(
            &format!("{ask} c.jsonl --tensor whole -o x"),
            &[&format!("covec baseline {method}"), "two levels or more", "--by"],
        );
        home.ok("synth --tensor --words 60 --dim 4 --levels 3 --differing 0 -o made --force -q");
        home.refused(
            &format!("{ask} c.jsonl --tensor made -o x"),
            &["stage 'synth'", "covec count", "way out"],
        );
        home.refused(&format!("{ask} c.jsonl --tensor nowhere -o x"), &["nowhere"]);
        home.refused(&format!("{ask} nowhere.jsonl --tensor t -o x"), &["nowhere.jsonl"]);
        home.refused(
            &format!("{ask} c.jsonl --tensor t --epochs 0 -o x"),
            &["--epochs 0", "1 to 10000"],
        );
    }
    home.refused(
        "baseline s-efe c.jsonl --tensor t --sharing none -o x",
        &["--sharing none", "hierarchical or amortised"],
    );
    home.refused("baseline lda c.jsonl --tensor t --topics 1 -o x", &["--topics 1", "2 to 2000"]);
}
