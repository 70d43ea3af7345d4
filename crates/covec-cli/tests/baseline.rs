//! `covec baseline`, as users have it: what can be asked of its models, and what is refused.
#![allow(clippy::unwrap_used)]

mod common;

use common::Home;
use serde_json::Value;

fn rows(printed: &str) -> Vec<Value> {
    serde_json::from_str(printed).unwrap()
}

/// A corpus of two groups, its tensor `t`, a model `m`, and a baseline of every method.
fn home() -> Home {
    let home = Home::new();
    home.ok("synth -o c.jsonl --tokens 40000 --words 120 --dim 4 --levels 2 --differing 0 -q");
    home.ok("count c.jsonl --by group -o t -q");
    home.ok("train t --dim 5 --sweeps 3 --ridge 0.1 -o m -q");
    for method in ["pooled", "slices", "procrustes"] {
        home.ok(&format!("baseline {method} t --dim 5 --sweeps 3 --ridge 0.1 -o {method} -q"));
    }
    home.ok("baseline slices t --dim 5 --sweeps 3 --vectors untied -o untied -q");
    home.ok("baseline ppmi-svd t --dim 5 -o ppmi-svd -q");
    home
}

#[test]
fn a_baseline_is_a_model_that_the_same_questions_can_be_put_to() {
    let home = home();
    let level = "group=group-1";
    let word = rows(&home.ok("info m --show words -n 9 --format json"))[8]["word"].clone();
    let word = word.as_str().unwrap();
    for model in ["pooled", "slices", "untied", "procrustes", "ppmi-svd"] {
        let method = if model == "untied" { "slices" } else { model };
        assert!(home.ok(&format!("info {model}")).contains(&format!("covec baseline {method}")));
        let near =
            rows(&home.ok(&format!("neighbors {model} {word} --in {level} -n 5 --format json -q")));
        assert_eq!(near.len(), 5, "{model}");
        assert!(near.iter().all(|row| row["cosine"].as_f64().unwrap() != 0.0), "{model}: {near:?}");
        let levels = rows(&home.ok(&format!("info {model} --show levels --format json")));
        assert_eq!(levels.len(), 2);
        home.write(
            "pairs.csv",
            format!(
                "{word},{},3\n{word},{},2\n",
                near[0]["neighbor"].as_str().unwrap(),
                near[1]["neighbor"].as_str().unwrap()
            ),
        );
        let told = rows(
            &home.ok(&format!("eval {model} --similarity pairs.csv --in each --format json -q")),
        );
        assert_eq!(told.len(), 3, "{model}");
        home.ok(&format!("export {model} --in {level} -o {model}.txt -q"));
        home.ok(&format!(
            "similarity {model} {word} {} --in {level} -q",
            near[0]["neighbor"].as_str().unwrap()
        ));
    }
    for model in ["procrustes", "ppmi-svd"] {
        let moved = rows(&home.ok(&format!("drift {model} --in {level} -n 3 --format json -q")));
        assert!(moved.len() >= 3, "{model}");
        home.ok(&format!("drift {model} {word} --in {level} -q"));
        home.ok(&format!("specificity {model} -q"));
        home.ok(&format!("neighbors {model} {word} -q"));
    }
    // Without a base, its neighbours are not shown unless they are asked for.
    assert!(!home.ok(&format!("neighbors slices {word} -q --format json")).contains("\"base\""));
}

#[test]
fn held_out_pairs_are_scored_by_level_in_every_format() {
    let home = home();
    let mut used = Vec::new();
    for model in ["m", "pooled", "slices", "untied", "procrustes"] {
        let told = rows(&home.ok(&format!("eval {model} --held-out t --format json -q")));
        let text = |row: &Value, name: &str| row[name].as_str().unwrap().to_owned();
        let told_of: Vec<_> =
            told.iter().map(|row| (text(row, "level"), text(row, "measure"))).collect();
        let measures = ["weighted squared error", "calibrated weighted squared error"];
        let levels = ["group=group-1", "group=group-2", "all"].into_iter();
        let expected = levels.flat_map(|level| measures.map(|m| (level.to_owned(), m.to_owned())));
        assert_eq!(told_of, expected.collect::<Vec<_>>(), "{model}");
        for row in &told {
            let [score, low, high] =
                ["score", "low", "high"].map(|name| row[name].as_f64().unwrap());
            assert!(0.0 < low && low <= score && score <= high, "{model}: {row}");
        }
        used.push(told.iter().map(|row| row["used"].as_u64().unwrap()).collect::<Vec<_>>());
        let csv = home.ok(&format!("eval {model} --held-out t --in group=group-2 --format csv -q"));
        assert_eq!(csv.lines().count(), 3, "{csv}");
        assert!(home.ok(&format!("eval {model} --held-out t -q")).contains("held-out pairs"));
    }
    assert!(used.iter().all(|own| *own == used[0]), "{used:?}");
}

#[test]
fn what_a_method_has_no_answer_to_is_refused_by_name_with_the_way_out() {
    let home = home();
    let word = rows(&home.ok("info m --show words -n 9 --format json"))[8]["word"].clone();
    let word = word.as_str().unwrap();
    let other = rows(&home.ok("info m --show words -n 9 --format json"))[7]["word"].clone();
    let other = other.as_str().unwrap();
    let turned = "covec baseline procrustes";
    home.refused("drift slices", &["covec baseline slices", "cannot be compared", turned]);
    home.refused(&format!("drift slices {word} --in group-1"), &["covec baseline slices", turned]);
    home.refused("specificity slices", &["covec baseline slices", turned]);
    home.refused(&format!("neighbors slices {word} --in base"), &["no base", "--in LEVEL", turned]);
    home.refused("export slices -o x", &["no base", "--in LEVEL"]);
    home.write("pairs.csv", "a,b,3\n");
    home.refused("eval slices --similarity pairs.csv --in base", &["no base", "--in each"]);
    home.refused("drift pooled", &["covec baseline pooled", "one vector", turned]);
    let train = "a model of covec train";
    for model in ["pooled", "slices", "procrustes", "ppmi-svd"] {
        let method = format!("covec baseline {model}");
        for ask in ["topics", "sparsity", "covariates"] {
            home.refused(&format!("{ask} {model}"), &[ask, &method, train]);
        }
        home.refused(&format!("info {model} --show dimensions"), &[&method, train]);
        home.refused(&format!("report {model} -o x.html"), &["report", &method, train]);
        home.refused(&format!("explore {model}"), &["explore", &method, train]);
        home.refused(&format!("extend {model} c.jsonl -o x"), &["extend", &method, train]);
        home.refused(
            &format!("bootstrap c.jsonl --model {model} -o x"),
            &["bootstrap", &method, train],
        );
        home.refused(
            &format!("permute c.jsonl --model {model} -o x"),
            &["permute", &method, train],
        );
        home.refused(&format!("stability {model} --tensor t"), &["stability", &method, train]);
        home.refused(&format!("attribute {model} c.jsonl"), &["attribute", &method, train]);
    }
    for model in ["procrustes", "ppmi-svd"] {
        home.refused(&format!("explain {model} {word} {other} --in group-1"), &["explain", train]);
    }
    home.refused("eval ppmi-svd --held-out t", &["ppmi-svd", "does not predict counts"]);
    home.ok("synth --tensor --words 60 --dim 4 --levels 3,2 --differing 0 -o other --force -q");
    home.refused("eval m --held-out other", &["other", "not the tensor", "fingerprint"]);
    home.refused("eval m", &["--held-out TENSOR"]);
}

#[test]
fn wrong_methods_parameters_and_places_are_refused() {
    let home = Home::with_tensor();
    let refused = |arguments: &str, told: &[&str]| {
        let output = home.covec(arguments);
        let message = common::text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "covec {arguments}: {message}");
        told.iter()
            .for_each(|part| assert!(message.contains(part), "'{part}' is not in:\n{message}"));
    };
    refused("baseline", &["Methods", "pooled", "procrustes"]);
    refused("baseline glove t -o x", &["glove"]);
    home.refused("baseline slices t --vectors both -o x", &["--vectors both", "tied or untied"]);
    home.refused("baseline pooled t --ridge -1 -o x", &["--ridge", "a number from 0 on"]);
    home.refused("baseline ppmi-svd t --power 2 -o x", &["--power", "a number from 0 to 1"]);
    home.refused("baseline pooled nothing -o x", &["nothing", "not a tensor"]);
    home.refused("baseline pooled t -o m", &["m exists already", "--force"]);
    home.ok("baseline pooled t --dim 4 --sweeps 2 -o m --force -q");
    home.ok("baseline slices t --dim 4 --sweeps 2 -o s -q");
    home.refused("neighbors s x --in group-1,period-1", &["x"]);
}
