//! Counts that somebody else made.
#![allow(clippy::unwrap_used)]

mod common;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use common::{bytes, entries, work};
use covec::tensor::{ImportParameters, Tensor, import, merge};
use proptest::prelude::*;

fn parameters(pairs: &[(&str, &str)]) -> ImportParameters {
    let mut parameters = ImportParameters::default();
    for (name, value) in pairs {
        parameters.set(name, value).unwrap();
    }
    parameters
}

fn csv(home: &Path, name: &str, records: &[(&str, &str, &str, f64)]) -> PathBuf {
    let mut text = String::from("row,col,level,value\n");
    for (row, col, level, value) in records {
        text += &format!("{row},{col},{level},{value}\n");
    }
    let path = home.join(name);
    std::fs::write(&path, text).unwrap();
    path
}

fn taken(
    home: &Path,
    records: &[(&str, &str, &str, f64)],
    pairs: &[(&str, &str)],
) -> Result<Tensor, covec::Error> {
    let mut all = vec![("by", "level")];
    all.extend_from_slice(pairs);
    import(&[csv(home, "c.csv", records)], &parameters(&all), &home.join("t"), &work(2, 1 << 30))
}

const TRIANGLE: &[(&str, &str, &str, f64)] = &[
    ("a", "b", "x", 3.0),
    ("c", "a", "x", 1.0),
    ("b", "b", "y", 2.0),
    ("a", "b", "x", 0.5),
    ("d", "a", "y", 0.0),
];

#[test]
fn one_triangle_and_both_give_the_same_tensor() {
    let home = tempfile::tempdir().unwrap();
    let one = entries(&taken(home.path(), TRIANGLE, &[]).unwrap());
    let mut both = TRIANGLE.to_vec();
    both.extend(TRIANGLE.iter().filter(|r| r.0 != r.1).map(|&(a, b, level, v)| (b, a, level, v)));
    let tensor = taken(home.path(), &both, &[]).unwrap();
    assert_eq!(entries(&tensor), one);
    assert_eq!(one[&("b".into(), "level=x".into(), "a".into())], 3.5);
    assert_eq!(one[&("b".into(), "level=y".into(), "b".into())], 2.0);
    // d has no value above 0, and so no place. Counts are the rounded sums of the rows.
    assert_eq!(tensor.vocabulary.words, ["b", "a", "c"]);
    assert_eq!(tensor.vocabulary.counts, [6, 5, 1]);
    assert_eq!(tensor.vocabulary.level_counts, [[4, 5, 1], [2, 0, 0]]);
    assert_eq!(tensor.record.entries.unit, None);
}

#[test]
fn a_table_that_is_neither_is_refused_and_names_the_pair() {
    let home = tempfile::tempdir().unwrap();
    let records = [("a", "b", "x", 3.0), ("b", "a", "x", 4.0), ("a", "c", "x", 1.0)];
    let refused = taken(home.path(), &records, &[]).unwrap_err().to_string();
    assert!(refused.contains("a, b") || refused.contains("b, a"), "{refused}");
    assert!(refused.contains("both ways round"), "{refused}");
    let refused = taken(home.path(), &records, &[("layout", "full")]).unwrap_err().to_string();
    assert!(refused.contains("--layout full"), "{refused}");
    assert!(!home.path().join("t").exists());
}

#[test]
fn a_pair_may_stand_in_more_records_one_way_round_than_the_other() {
    let home = tempfile::tempdir().unwrap();
    let records = [("a", "b", "x", 1.0), ("a", "b", "x", 2.0), ("b", "a", "x", 3.0)];
    for layout in ["full", "auto"] {
        let tensor = taken(home.path(), &records, &[("layout", layout)]).unwrap();
        assert_eq!(entries(&tensor)[&("a".into(), "level=x".into(), "b".into())], 3.0);
        assert_eq!(tensor.vocabulary.counts, [3, 3]);
    }
}

#[test]
fn values_that_cannot_be_counts_are_refused_with_their_record() {
    let home = tempfile::tempdir().unwrap();
    for bad in [-1.0, f64::NAN, f64::INFINITY] {
        let refused =
            taken(home.path(), &[("a", "b", "x", 1.0), ("a", "c", "x", bad)], &[]).unwrap_err();
        assert!(refused.to_string().contains("line 3"), "{refused}");
        assert!(refused.is_refusal());
    }
    let refused = taken(home.path(), &[("a", "b", "x", 0.0)], &[]).unwrap_err().to_string();
    assert!(refused.contains("no record with a value above 0"), "{refused}");
    let refused = taken(home.path(), TRIANGLE, &[("value", "n")]).unwrap_err().to_string();
    assert!(
        refused.contains("no field 'n'") && refused.contains("row, col, level, value"),
        "{refused}"
    );
}

#[test]
fn an_order_of_levels_survives_a_merge() {
    let home = tempfile::tempdir().unwrap();
    let make = |name: &str, levels: &[&str]| {
        let records: Vec<_> = levels.iter().map(|level| ("a", "b", *level, 2.0)).collect();
        let order = [("by", "level"), ("order", "level=small,medium,large")];
        let file = csv(home.path(), "c.csv", &records);
        import(&[file], &parameters(&order), &home.path().join(name), &work(1, 1 << 30))
            .unwrap()
            .path
    };
    let inputs = [make("a", &["large", "small"]), make("b", &["large", "medium", "small"])];
    let merged = merge(&inputs, &home.path().join("m"), &work(1, 1 << 30)).unwrap();
    assert_eq!(merged.covariates.level_names(), ["level=small", "level=medium", "level=large"]);
    assert!(merged.covariates.factors[0].ordered);
}

#[test]
fn imported_tensors_merge_in_any_order() {
    let home = tempfile::tempdir().unwrap();
    let make = |name: &str, records: &[(&str, &str, &str, f64)]| {
        let file = csv(home.path(), "c.csv", records);
        import(&[file], &parameters(&[("by", "level")]), &home.path().join(name), &work(1, 1 << 30))
            .unwrap()
            .path
    };
    let parts = [
        make("a", &[("a", "b", "x", 0.1), ("b", "c", "x", 1e16)]),
        make("b", &[("a", "b", "x", 0.2), ("a", "c", "z", 1.5)]),
        make("c", &[("a", "b", "x", 0.7), ("b", "c", "x", 1.5)]),
    ];
    let mut first = None;
    for order in [[0, 1, 2], [2, 1, 0], [1, 2, 0]] {
        let inputs: Vec<_> = order.iter().map(|&i: &usize| parts[i].clone()).collect();
        merge(&inputs, &home.path().join("m"), &work(2, 1 << 30)).unwrap();
        let got = bytes(&home.path().join("m"));
        assert_eq!(first.get_or_insert_with(|| got.clone()), &got);
    }
    let merged = Tensor::open(&home.path().join("m")).unwrap();
    let value = entries(&merged)[&("b".into(), "level=x".into(), "a".into())];
    assert!((value - 1.0).abs() < 1e-12);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Records in any number, few or much memory: the sums of an obvious reference.
    #[test]
    fn any_table_is_added_up(records in prop::collection::vec((0_u8..6, 0_u8..6, 0_u8..3, 1_u32..1000), 1..60)) {
        let home = tempfile::tempdir().unwrap();
        let names = ["a", "b", "c", "d", "e", "f"];
        // One triangle: the lower name first.
        let records: Vec<_> = records
            .iter()
            .map(|&(i, j, k, v)| {
                (names[i.min(j) as usize], names[i.max(j) as usize], ["x", "y", "z"][k as usize], f64::from(v) / 7.0)
            })
            .collect();
        let mut expected: BTreeMap<(String, String, String), f64> = BTreeMap::new();
        for &(row, col, level, value) in &records {
            let mut add = |a: &str, b: &str| {
                *expected.entry((a.to_owned(), format!("level={level}"), b.to_owned())).or_default() += value;
            };
            add(row, col);
            if row != col {
                add(col, row);
            }
        }
        let file = csv(home.path(), "c.csv", &records);
        let mut first = None;
        for (threads, memory) in [(1, 1 << 30), (3, 1)] {
            let output = home.path().join("t");
            let layout = [("by", "level"), ("layout", "triangle")];
            let tensor = import(std::slice::from_ref(&file), &parameters(&layout), &output, &work(threads, memory)).unwrap();
            prop_assert_eq!(entries(&tensor), expected.clone());
            let got = bytes(&output);
            prop_assert_eq!(first.get_or_insert_with(|| got.clone()), &got);
        }
    }
}
