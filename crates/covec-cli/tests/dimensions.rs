//! Topics, sparsity and covariates on the command line.
#![allow(clippy::unwrap_used)]

mod common;

use common::{Home, text};

fn rows(csv: &str) -> usize {
    csv.lines().count() - 1
}

#[test]
fn topics_are_listed_detailed_and_contrasted() {
    let home = Home::with_tensor();
    let list = home.ok("topics m");
    assert_eq!(list.matches("dimension ").count(), 4, "{list}");
    for told in ["spread", "  + ", "  − ", "weights  group-1 "] {
        assert!(list.contains(told), "{told} is not in:\n{list}");
    }
    let csv = home.ok("topics m --format csv -n 3");
    assert_eq!(rows(&csv), 3);
    assert!(
        csv.lines()
            .next()
            .unwrap()
            .ends_with("above,below,group=group-1,group=group-2,group=group-3")
    );
    assert!(home.ok("topics m --factor period --format csv").contains("below,period=period-1"));
    let one = home.ok("topics m --dim 2");
    assert!(one.starts_with("dimension 2 ") && one.contains("squared weight"), "{one}");
    let csv = home.ok("topics m --dim 2 --words 5 --min-support 1 --format csv");
    for (kind, most) in [("above,", 5), ("below,", 5), ("level,", 3)] {
        let found = csv.lines().filter(|line| line.starts_with(kind)).count();
        assert!(found <= most && found > 0, "{kind} {found}");
    }
    let csv = home.ok("topics m --contrast group-1 group-3 --format csv");
    let differences: Vec<f64> =
        csv.lines().skip(1).map(|line| line.split(',').nth(2).unwrap().parse().unwrap()).collect();
    assert!(differences.is_sorted_by(|a, b| a >= b), "{differences:?}");
    let told = home.ok("topics m --tensor t --threads 2");
    assert!(told.contains("with randomly turned axes") && told.contains("coherence "), "{told}");
    assert!(told.contains("Of the stronger end of each"), "{told}");
    assert_eq!(told, home.ok("topics m --tensor t --threads 1"));
}

#[test]
fn seeds_that_disagree_mark_topics() {
    let home = Home::with_tensor();
    home.ok("train t --dim 4 --sweeps 2 --seeds 2 -o s -q");
    assert!(home.ok("topics s").contains("seeds agree"));
    assert!(!home.ok("topics m").contains("seeds agree"));
}

#[test]
fn zeros_are_shown_beside_those_of_chance() {
    let home = Home::with_tensor();
    assert_eq!(rows(&home.ok("sparsity m --format csv")), 5);
    assert_eq!(rows(&home.ok("sparsity m --show overlap --format csv")), 4);
    assert_eq!(rows(&home.ok("sparsity m --show histogram --format csv")), 6 * 21);
    assert_eq!(rows(&home.ok("sparsity m --show sweeps --format csv")), 4 * 5);
    assert!(home.ok("sparsity m").contains("group=group-2"));
    let before = home.names();
    let told = home.ok("sparsity m --control t -q");
    assert!(told.contains("Control: group=") && told.contains("control=part-3"), "{told}");
    let csv = home.ok("sparsity m --control t --slice period-2 --show levels --format csv -q");
    assert_eq!(csv.lines().filter(|line| line.starts_with("control,")).count(), 3);
    assert_eq!(home.names(), before, "nothing is left behind");
}

#[test]
fn levels_that_are_alike_are_found() {
    let home = Home::with_tensor();
    home.write("g.csv", "level,kind,alone\ngroup-1,x,a\ngroup-2,x,b\ngroup-3,y,c\n");
    let groups = "--group group:kind --group group:alone --groups g.csv";
    let told = home.ok(&format!("covariates m {groups}"));
    assert!(told.contains("of 2 levels in groups of two or more"), "{told}");
    assert!(told.contains("by chance 50.0 %") && told.contains("alone: no group"), "{told}");
    assert_eq!(rows(&home.ok("covariates m -n 2 --format csv")), 6);
    assert_eq!(rows(&home.ok("covariates m --factor period --format csv")), 2);
    assert_eq!(
        rows(&home.ok("covariates m --show distances --distance euclidean --format csv")),
        3
    );
    let tree = home.ok(&format!("covariates m --show clusters {groups}"));
    assert!(tree.contains("group-1 (x) ─") && tree.contains('┤'), "{tree}");
    let csv = home.ok("covariates m --show clusters --format csv");
    assert_eq!(csv.lines().filter(|line| line.starts_with("merge,")).count(), 2);
    assert_eq!(csv.lines().filter(|line| line.starts_with("leaf,")).count(), 3);
    assert!(home.ok("covariates m --show map").contains("% of the variance"));
    let output = home.covec("covariates m --show map --distance weights --format json");
    assert!(text(&output.stdout).starts_with('[') && text(&output.stderr).contains("x shows"));
}

#[test]
fn bad_questions_are_refused() {
    let home = Home::with_tensor();
    home.ok(
        "synth --tensor --words 80 --dim 4 --levels 3 --differing 0 -o other --truth o.json -q",
    );
    home.write("c.txt", "a b a b\n");
    home.ok("count c.txt --min-count 1 -o plain -q");
    home.ok("train plain --dim 2 --sweeps 1 -o none -q");
    home.write("g.csv", "level,kind\nperiod-1,x\nperiod-2,x\n");
    for (arguments, told) in [
        ("topics m --dim 5", "expected: 1 to 4"),
        ("topics m --dim 0", "expected: 1 to 4"),
        ("topics m --dim x", "invalid value 'x'"),
        ("topics m --contrast group-1 group-9", "no level 'group-9'"),
        ("topics m --contrast group-1 group=group-1", "contrasted with itself"),
        ("topics m --contrast group-1", "2 values required"),
        ("topics m --factor parti", "no factor 'parti'"),
        ("topics m --tensor other", "80 there, 60 in the model"),
        ("topics m --tensor m", "not a tensor folder"),
        ("topics m --min-support 1e12", "lower --min-support"),
        ("topics none", "the model has no factor"),
        ("sparsity m --control other", "80 there, 60 in the model"),
        ("sparsity m --control t --slice group-9", "no level 'group-9'"),
        ("sparsity m --slice group-1", "--control"),
        ("sparsity none --control plain", "the model has no factor"),
        ("sparsity m --show everything", "invalid value 'everything'"),
        ("covariates none", "the model has no factor"),
        ("covariates m --factor parti", "no factor 'parti'"),
        ("covariates m --factor period --show clusters", "has 2 levels"),
        ("covariates m --factor period --show map", "has 2 levels"),
        ("covariates m --group period:kind", "--groups"),
        ("covariates m --group period:kin --groups g.csv", "no column 'kin'"),
        ("covariates m --factor group --group period:kind --groups g.csv", "another factor"),
        ("covariates m --distance far", "invalid value 'far'"),
    ] {
        let output = home.covec(arguments);
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "covec {arguments}: {message}");
        assert!(message.contains(told), "covec {arguments}: '{told}' is not in:\n{message}");
    }
    assert_eq!(rows(&home.ok("sparsity none --format csv")), 1);
}
