use covec::analyse::clusters::clusters;
use covec::analyse::covariates::{Distance, Levels, mutual};
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
                        Distance::Mutual => unreachable!("it wants four levels"),
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

/// The last of five levels is near to all; the others come in twos.
#[test]
fn a_level_that_is_near_to_all_is_nearest_to_none_by_mutual_proximity() {
    let pairs = |a: usize, b: usize| match (a.min(b), a.max(b)) {
        (a, b) if a == b => 0.0,
        (_, 4) => 0.3,
        (0, 1) | (2, 3) => 0.4,
        _ => 1.0,
    };
    let distances: Vec<f64> = (0..25).map(|at| pairs(at / 5, at % 5)).collect();
    let found = mutual(&distances, 5);
    for (level, other) in [(0, 1), (1, 0), (2, 3), (3, 2)] {
        let near = |b: &usize| found[level * 5 + b];
        let others = (0..5).filter(|&b| b != level);
        let nearest = others.min_by(|a, b| near(a).total_cmp(&near(b)));
        assert_eq!(nearest, Some(other));
    }
    for a in 0..5 {
        assert_eq!(found[a * 5 + a], 0.0);
        for b in 0..5 {
            assert_eq!(found[a * 5 + b], found[b * 5 + a]);
            assert!((0.0..=1.0).contains(&found[a * 5 + b]));
        }
    }
    // 0.3 stands 0.375 below the mean of 0.4, 1, 1 and 0.3, whose deviation is 0.3775; the hub knows no difference.
    let expected = 1.0 - 0.5 * 0.839_7;
    assert!((found[4] - expected).abs() < 1e-3, "{}", found[4]);
}

#[test]
fn mutual_proximity_is_that_of_profiles_about_all_text_and_wants_four_levels() {
    let told = Levels::new(&tiny().1, 0, Distance::Mutual).unwrap_err().to_string();
    assert!(told.contains("4 levels or more"), "{told}");
    let home = tempfile::tempdir().unwrap();
    let given = [("dim", "8"), ("levels", "7"), ("noise", "poisson"), ("scale", "1e6")];
    let (tensor, _) = planted(home.path(), &given);
    let model = trained(&tensor, home.path(), &[("dim", "8"), ("deviations", "off")]);
    let levels = Levels::new(&model, 0, Distance::Mutual).unwrap();
    let tokens: Vec<f64> = levels.tokens.iter().map(|&n| n as f64).collect();
    for t in 0..8 {
        let sum: f64 = levels.profiles.iter().zip(&tokens).map(|(x, n)| n * x[t]).sum();
        let size: f64 = levels.profiles.iter().zip(&tokens).map(|(x, n)| n * x[t].abs()).sum();
        assert!(sum.abs() <= 1e-9 * size.max(1.0), "{sum} of {size}");
    }
    let cosine = |a: usize, b: usize| {
        let (x, y) = (&levels.profiles[a], &levels.profiles[b]);
        if a == b { 0.0 } else { 1.0 - dot(x, y) / (dot(x, x) * dot(y, y)).sqrt() }
    };
    let cosines: Vec<f64> = (0..49).map(|at| cosine(at / 7, at % 7)).collect();
    for (found, expected) in levels.distances.iter().zip(mutual(&cosines, 7)) {
        assert!((found - expected).abs() < 1e-9, "{found} {expected}");
    }
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
