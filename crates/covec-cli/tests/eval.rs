//! `covec eval`, as users have it.
#![allow(clippy::unwrap_used)]

mod common;

use common::Home;
use serde_json::Value;

fn rows(printed: &str) -> Vec<Value> {
    serde_json::from_str(printed).unwrap()
}

/// A model, and tests made of its own words.
fn home() -> Home {
    let home = Home::with_tensor();
    let printed = home.ok("info m --show words -n 60 --format json");
    let words: Vec<String> =
        rows(&printed).iter().map(|row| row["word"].as_str().unwrap().to_owned()).collect();
    let line = |i: usize| format!("{} {} {}\n", words[i], words[59 - i], i);
    home.write("pairs.txt", (0..30).map(line).collect::<String>());
    let line = |i: usize| format!("{}\tc{}\n", words[i].to_uppercase(), i % 3);
    home.write("kinds.tsv", (0..30).map(line).collect::<String>());
    let line = |i: usize| words[i..i + 4].join(",") + ",x\n";
    home.write("four.csv", "a,b,c,d,kind\n".to_owned() + &(0..20).map(line).collect::<String>());
    home
}

#[test]
fn every_kind_of_test_is_scored_under_every_level() {
    let home = home();
    let ask = "eval m --similarity pairs.txt --categories kinds.tsv --analogies four.csv";
    let told = rows(&home.ok(&format!("{ask} --format json -q")));
    let measures: Vec<&str> = told.iter().map(|row| row["measure"].as_str().unwrap()).collect();
    let purity = ["purity", "purity of k-means", "purity of joining"];
    assert_eq!(measures, [&["spearman"][..], &purity, &["3CosAdd", "3CosMul"]].concat());
    for row in &told {
        assert_eq!(row["level"], "base");
        assert_eq!(row["coverage"], 1.0, "{row}");
        let [score, low, high] = ["score", "low", "high"].map(|name| row[name].as_f64().unwrap());
        assert!(low <= high && (-1.0..=1.0).contains(&score), "{row}");
    }
    let each = rows(&home.ok("eval m --similarity pairs.txt --in each --in base --format json -q"));
    let levels: Vec<&str> = each.iter().map(|row| row["level"].as_str().unwrap()).collect();
    assert_eq!(levels.len(), 3 + 2 + 1 + 1, "{levels:?}");
    assert_eq!(levels[6], "mean of 5 levels");
    assert_eq!(each[5]["score"], told[0]["score"]);
    let threads = |n| home.ok(&format!("{ask} --in each --threads {n} --format csv -q"));
    assert_eq!(threads(1), threads(5));
}

#[test]
fn tests_that_cannot_be_used_are_refused_and_unknown_words_are_counted() {
    let home = home();
    home.refused("eval m", &["--similarity FILE"]);
    home.refused("eval m --similarity nowhere.csv", &["nowhere.csv"]);
    home.refused("eval m --similarity kinds.tsv", &["kinds.tsv, line 1", "expected", "way out"]);
    home.write("few.csv", "word1,word2,score\n\n");
    home.refused("eval m --similarity few.csv", &["few.csv", "no items"]);
    home.refused("eval m --similarity pairs.txt --missing zero", &["omit or mean"]);
    home.refused("eval m --similarity pairs.txt --in nowhere", &["nowhere"]);
    home.write("unknown.csv", "moon,sun,3\nearth,sky,2\n");
    let row = &rows(&home.ok("eval m --similarity unknown.csv --format json -q"))[0];
    assert_eq!((&row["score"], &row["used"], &row["items"]), (&Value::Null, &0.into(), &2.into()));
    assert_eq!(row["coverage"], 0.0);
}
