use covec::analyse::clusters::clusters;
use covec::analyse::covariates::{Distance, Levels};
use covec::analyse::map::map;
use covec::analyse::{Groups, factor_named};
use covec::model::Model;
use proptest::prelude::*;

use super::{planted, random_model, tiny, trained};

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// A level's profile, as the definition says.
fn profile(model: &Model, level: usize, centred: bool) -> Vec<f64> {
    let square = |level: usize, t: usize| f64::from(model.weight(level)[t]).powi(2);
    (0..model.dim)
        .map(|t| {
            let mean = (0..3).map(|k| square(k, t)).sum::<f64>() / 3.0;
            let mean = if centred { mean } else { 0.0 };
            let count = |i: usize| model.vocabulary.counts[i] as f64;
            let energy: f64 =
                (0..60).map(|i| count(i) * f64::from(model.vector(i)[t]).powi(2)).sum();
            (square(level, t) - mean) * energy.sqrt()
        })
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn distances_are_those_of_the_definition(model in random_model()) {
        let cosine = |a: &[f64], b: &[f64]| {
            let scale = (dot(a, a) * dot(b, b)).sqrt();
            if scale > 0.0 { 1.0 - dot(a, b) / scale } else { 1.0 }
        };
        for distance in [Distance::Cosine, Distance::Euclidean, Distance::Weights] {
            let levels = Levels::new(&model, 0, distance).unwrap();
            for a in 0..3 {
                for b in 0..3 {
                    let centred = distance != Distance::Weights;
                    let (x, y) = (profile(&model, a, centred), profile(&model, b, centred));
                    let expected = match distance {
                        _ if a == b => 0.0,
                        Distance::Cosine | Distance::Weights => cosine(&x, &y),
                        Distance::Euclidean => {
                            x.iter().zip(&y).map(|(x, y)| (x - y).powi(2)).sum::<f64>().sqrt()
                        }
                    };
                    prop_assert!((levels.at(a, b) - expected).abs() < 1e-6, "{:?}", distance);
                    prop_assert_eq!(levels.at(a, b), levels.at(b, a));
                }
            }
            for (level, row) in levels.nearest(1, None).iter().enumerate() {
                let least = (0..3).filter(|&b| b != level).map(|b| levels.at(level, b));
                prop_assert_eq!(row.distance, least.fold(f64::INFINITY, f64::min));
                prop_assert_eq!((&row.level, row.tokens), (&levels.names[level], levels.tokens[level]));
            }
            prop_assert_eq!(levels.pairs().len(), 3);
            // A map keeps the distances of three levels, which are in a plane.
            let map = map(&model, 0, &levels, None).unwrap();
            let explained: f64 = map.explained.iter().sum();
            prop_assert!((explained - 1.0).abs() < 1e-6 || explained == 0.0);
            if distance == Distance::Euclidean {
                for a in 0..3 {
                    for b in 0..3 {
                        let (p, q) = (&map.points[a], &map.points[b]);
                        let apart = (p.x - q.x).hypot(p.y - q.y);
                        prop_assert!((apart - levels.at(a, b)).abs() < 1e-6);
                    }
                }
            }
            prop_assert_eq!(clusters(&model, 0, &levels).unwrap().merges.len(), 2);
        }
    }
}

fn groups(of_level: &[Option<&str>]) -> Groups {
    let of_level = of_level.iter().map(|group| group.map(str::to_owned)).collect();
    Groups { factor: 0, name: "author".to_owned(), of_level }
}

#[test]
fn the_share_of_the_same_group_leaves_out_levels_that_are_alone() {
    let mut model = tiny().1.clone();
    model.weights =
        [[2.0, 0.1, 1.0, 1.0], [1.9, 0.2, 1.0, 1.0], [0.1, 2.0, 1.0, 1.0]].concat().into();
    let levels = Levels::new(&model, 0, Distance::Cosine).unwrap();
    let same = levels.same_group(&groups(&[Some("a"), Some("a"), Some("b")])).unwrap();
    assert_eq!((same.levels, same.same, same.share, same.chance), (2, 2, 1.0, 0.5));
    let same = levels.same_group(&groups(&[Some("a"), Some("b"), Some("a")])).unwrap();
    assert_eq!((same.levels, same.same, same.share), (2, 0, 0.0));
    assert!(levels.same_group(&groups(&[Some("a"), None, Some("b")])).is_none());
    let rows = levels.nearest(2, Some(&groups(&[Some("a"), None, Some("b")])));
    assert_eq!(rows.len(), 6);
    assert_eq!((rows[0].group.as_deref(), rows[0].nearest_group.as_deref()), (Some("a"), None));
    assert_eq!((rows[1].rank, rows[1].nearest_group.as_deref()), (2, Some("b")));
}

#[test]
fn planted_levels_are_as_near_as_their_weights() {
    let home = tempfile::tempdir().unwrap();
    let given = [("dim", "8"), ("levels", "7"), ("noise", "poisson"), ("scale", "1e6")];
    let (tensor, truth) = planted(home.path(), &given);
    let model = trained(&tensor, home.path(), &[("dim", "8"), ("deviations", "off")]);
    let levels = Levels::new(&model, 0, Distance::Cosine).unwrap();
    let profiles: Vec<Vec<f64>> = (0..7)
        .map(|level| {
            let weights = &truth.factors[0].weights;
            let mean = |t: usize| weights.iter().map(|c| c[t] * c[t]).sum::<f64>() / 7.0;
            let at = |t: usize| (weights[level][t].powi(2) - mean(t)) * truth.energies[t].sqrt();
            (0..8).map(at).collect()
        })
        .collect();
    for a in 0..7 {
        for b in 0..a {
            let (x, y) = (&profiles[a], &profiles[b]);
            let expected = 1.0 - dot(x, y) / (dot(x, x) * dot(y, y)).sqrt();
            let off = (levels.at(a, b) - expected).abs();
            assert!(off < 0.2, "{a} {b}: {} and not {expected}", levels.at(a, b));
        }
    }
}

#[test]
fn factors_that_cannot_be_compared_are_refused() {
    let mut model = tiny().1.clone();
    assert_eq!(factor_named(&model, Some("group")).unwrap(), 0);
    let told = factor_named(&model, Some("grop")).unwrap_err().to_string();
    assert!(told.contains("no factor 'grop'; did you mean 'group'?"), "{told}");
    // Two levels have a distance, but neither tree nor map; one level has nothing.
    model.covariates.factors[0].levels.pop();
    let levels = Levels::new(&model, 0, Distance::Cosine).unwrap();
    for told in [
        clusters(&model, 0, &levels).unwrap_err().to_string(),
        map(&model, 0, &levels, None).unwrap_err().to_string(),
    ] {
        assert!(told.contains("has 2 levels") && told.contains("3 levels or more"), "{told}");
    }
    model.covariates.factors[0].levels.pop();
    let told = Levels::new(&model, 0, Distance::Cosine).unwrap_err().to_string();
    assert!(told.contains("has 1 levels"), "{told}");
    model.covariates.factors.clear();
    let told = factor_named(&model, None).unwrap_err().to_string();
    assert!(told.contains("no factor"), "{told}");
}
