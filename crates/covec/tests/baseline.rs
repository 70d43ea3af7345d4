//! Baselines: what each of them is, held to what it should be, and to the same bits at any number of threads.
#![allow(clippy::unwrap_used)]

mod common;

use std::path::Path;

use common::{MEMORY, bytes, counted, planted, planted_corpus, work};
use covec::analyse::View;
use covec::baseline::{self, PpmiParameters, RotationParameters, SliceParameters, Vectors};
use covec::evaluate::{EvaluateParameters, Scored, held_out};
use covec::model::{Model, Need, Spaces};
use covec::parameters::Whole;
use covec::tensor::Tensor;
use covec::train::{self, TrainParameters};

/// Parameters of training that end soon.
fn few(more: &[(&str, &str)]) -> TrainParameters {
    let mut parameters = TrainParameters::default();
    for (name, text) in [("dim", "5"), ("sweeps", "6")].iter().chain(more) {
        parameters.set(name, text).unwrap();
    }
    parameters
}

const UNTIED: SliceParameters = SliceParameters { vectors: Vectors::Untied };

fn turning() -> RotationParameters {
    RotationParameters::default()
}

/// A method with its name.
type Method = (&'static str, fn(&Tensor, &Path, usize, u64) -> Model);

const METHODS: [Method; 6] = [
    ("pooled", |tensor, output, threads, memory| {
        baseline::pooled(tensor, few(&[]).checked().unwrap(), output, &work(threads, memory))
            .unwrap()
    }),
    ("slices", |tensor, output, threads, memory| {
        let (few, own) = (few(&[]), SliceParameters::default());
        baseline::slices(tensor, few.checked().unwrap(), &own, output, &work(threads, memory))
            .unwrap()
    }),
    ("untied", |tensor, output, threads, memory| {
        let few = few(&[]);
        baseline::slices(tensor, few.checked().unwrap(), &UNTIED, output, &work(threads, memory))
            .unwrap()
    }),
    ("procrustes", |tensor, output, threads, memory| {
        let (few, own, work) = (few(&[]), SliceParameters::default(), work(threads, memory));
        baseline::procrustes(tensor, few.checked().unwrap(), &own, &turning(), output, &work)
            .unwrap()
    }),
    ("ppmi-svd", |tensor, output, threads, memory| {
        let (few, own, work) = (few(&[]), PpmiParameters::default(), work(threads, memory));
        baseline::ppmi_svd(tensor, few.checked().unwrap(), &own, &turning(), output, &work).unwrap()
    }),
    ("ppmi-svd --pooled", |tensor, output, threads, memory| {
        let own = PpmiParameters { pooled: true, ..PpmiParameters::default() };
        let (few, work) = (few(&[]), work(threads, memory));
        baseline::ppmi_svd(tensor, few.checked().unwrap(), &own, &turning(), output, &work).unwrap()
    }),
];

fn made(name: &str, tensor: &Tensor, home: &Path) -> Model {
    let method = METHODS.iter().find(|method| method.0 == name).unwrap();
    (method.1)(tensor, &home.join(name), 2, MEMORY);
    // As it is read back.
    Model::open(&home.join(name)).unwrap()
}

#[test]
fn baselines_are_the_same_bytes_at_any_number_of_threads_and_any_memory() {
    let home = tempfile::tempdir().unwrap();
    for levels in ["3", "2,2"] {
        let (tensor, _) =
            planted(home.path(), &[("words", "120"), ("dim", "4"), ("levels", levels)]);
        for (name, method) in METHODS {
            let run = |threads: usize, memory: u64| {
                let output = home.path().join("out");
                method(&tensor, &output, threads, memory);
                bytes(&output)
            };
            let one = run(1, MEMORY);
            assert!(one == run(2, MEMORY) && one == run(5, MEMORY), "{name} by threads, {levels}");
            assert!(one == run(2, 1 << 20), "{name} by memory, {levels}");
        }
        std::fs::remove_dir_all(home.path().join("tensor")).unwrap();
        std::fs::remove_file(home.path().join("truth.json")).unwrap();
    }
}

#[test]
fn of_a_single_level_pooled_and_slices_are_what_training_makes_of_it_bit_for_bit() {
    let home = tempfile::tempdir().unwrap();
    let corpus = planted_corpus(home.path(), "1");
    for by in [&[][..], &[("by", "group")]] {
        let tensor =
            counted(std::slice::from_ref(&corpus), by, &home.path().join(format!("t{}", by.len())));
        assert_eq!(tensor.covariates.cells.len(), 1);
        let output = home.path().join("m");
        let work = work(2, MEMORY);
        let plain = few(&[("chance", "0")]);
        let trained = train::train(&tensor, plain.checked().unwrap(), &output, &work).unwrap();
        for name in ["pooled", "slices"] {
            let own = made(name, &tensor, home.path());
            assert_eq!(own.vectors, trained.vectors, "{name}");
            assert_eq!(own.biases, trained.biases, "{name}");
            assert!(own.deviations.is_empty() && own.has_base());
            let (fit, sweep) = (
                &own.record.baseline.as_ref().unwrap().fits[0],
                trained.record.training.sweeps.last().unwrap(),
            );
            assert_eq!((fit.loss, fit.held_out), (Some(sweep.loss), sweep.held_out));
        }
    }
}

fn cosine(a: &[f32], b: &[f32]) -> f64 {
    let dot = |a: &[f32], b: &[f32]| -> f64 {
        a.iter().zip(b).map(|(a, b)| f64::from(*a) * f64::from(*b)).sum()
    };
    dot(a, b) / (dot(a, a) * dot(b, b)).sqrt()
}

#[test]
fn turning_changes_nothing_within_a_level_and_brings_levels_together() {
    let home = tempfile::tempdir().unwrap();
    for levels in ["3", "2,2"] {
        let (tensor, _) = planted(home.path(), &[("dim", "5"), ("levels", levels)]);
        let (apart, turned) =
            (made("slices", &tensor, home.path()), made("procrustes", &tensor, home.path()));
        let spaces = |model: &Model| model.record.baseline.as_ref().unwrap().levels;
        assert_eq!((spaces(&apart), spaces(&turned)), (Spaces::Apart, Spaces::Shared));
        let across = |model: &Model| -> f64 {
            let word =
                |word: usize| cosine(&model.vector_in(word, &[0]), &model.vector_in(word, &[1]));
            (0..100).map(word).sum::<f64>() / 100.0
        };
        for level in 0..apart.levels() {
            for (a, b) in (0..100).map(|word| (word, 199 - word)) {
                let [before, after] = [&apart, &turned].map(|model| {
                    cosine(&model.vector_in(a, &[level]), &model.vector_in(b, &[level]))
                });
                assert!((before - after).abs() < 0.01, "{level} {a} {b}: {before} {after}");
            }
        }
        // One world, seen in parts: words mean nearly the same in all levels.
        assert!(across(&turned) > 0.5, "{}", across(&turned));
        assert!(across(&turned) > across(&apart) + 0.1, "{} {}", across(&turned), across(&apart));
        std::fs::remove_dir_all(home.path()).unwrap();
        std::fs::create_dir(home.path()).unwrap();
    }
}

fn both_errors(model: &Model, tensor: &Tensor) -> Vec<Scored> {
    let mut views = View::each(model);
    views.push(View::base());
    let parameters = EvaluateParameters { resamples: Whole(100), ..EvaluateParameters::default() };
    let rows =
        |threads| held_out(model, tensor, &views, &parameters, &work(threads, MEMORY)).unwrap();
    let one = rows(1);
    assert_eq!(one, rows(5));
    one
}

/// The errors of predictions as they are.
fn errors(model: &Model, tensor: &Tensor) -> Vec<Scored> {
    let plain = |row: &Scored| row.measure == "weighted squared error";
    both_errors(model, tensor).into_iter().filter(plain).collect()
}

#[test]
fn calibrated_errors_do_not_know_on_which_scale_a_method_speaks() {
    let home = tempfile::tempdir().unwrap();
    let (tensor, _) = planted(home.path(), &[("dim", "5"), ("levels", "3")]);
    let few = few(&[("deviations", "off"), ("sweeps", "12")]);
    let output = home.path().join("m");
    let model = train::train(&tensor, few.checked().unwrap(), &output, &work(2, MEMORY)).unwrap();
    // Half a logarithm a word too much.
    let biases = model.biases.iter().map(|bias| bias + 0.5).collect::<Vec<_>>().into();
    let loud = Model { biases, ..model.clone() };
    let (rows, loud) = (both_errors(&model, &tensor), both_errors(&loud, &tensor));
    assert_eq!(rows.len(), 8);
    for (own, loud) in rows.chunks(2).zip(loud.chunks(2)) {
        let [plain, calibrated] = [0, 1].map(|at| own[at].score.unwrap());
        assert_eq!((&own[0].level, own[0].used), (&own[1].level, own[1].used));
        assert!(own[1].measure.starts_with("calibrated"));
        // This model was read through a curve already.
        assert!((calibrated - plain).abs() < 0.1 * plain + 0.01, "{plain} {calibrated}");
        assert!(loud[0].score.unwrap() > plain + 0.3, "{plain} {:?}", loud[0].score);
        assert!((loud[1].score.unwrap() - calibrated).abs() < 1e-4, "{:?}", loud[1].score);
    }
}

#[test]
fn all_methods_are_judged_by_the_pairs_that_training_kept_out() {
    let home = tempfile::tempdir().unwrap();
    let (tensor, _) = planted(home.path(), &[("dim", "5"), ("levels", "3")]);
    let plain = few(&[("deviations", "off"), ("sweeps", "12")]);
    let output = home.path().join("m");
    let joint = train::train(&tensor, plain.checked().unwrap(), &output, &work(2, MEMORY)).unwrap();
    let rows = errors(&joint, &tensor);
    assert_eq!(rows.len(), 4);
    let close = |a: f64, b: f64, by: f64| assert!((a - b).abs() <= by * b + 1e-5, "{a} {b}");
    let last = joint.record.training.sweeps.last().unwrap();
    for (row, told) in rows.iter().zip(&last.held_out_levels) {
        close(row.score.unwrap(), told.unwrap(), 1e-3);
        assert!(row.low.unwrap() < row.score.unwrap() && row.score.unwrap() < row.high.unwrap());
    }
    close(rows[3].score.unwrap(), last.held_out.unwrap(), 1e-3);
    assert_eq!(rows[3].level, "all");
    assert_eq!(rows[3].used, rows[..3].iter().map(|row| row.used).sum::<usize>());
    for name in ["pooled", "slices", "procrustes", "untied"] {
        let model = made(name, &tensor, home.path());
        let own = errors(&model, &tensor);
        let pairs = |rows: &[Scored]| rows.iter().map(|row| row.used).collect::<Vec<_>>();
        assert_eq!(pairs(&own), pairs(&rows), "{name}");
        for (row, fit) in own.iter().zip(&model.record.baseline.as_ref().unwrap().fits).take(3) {
            let score = row.score.unwrap();
            match name {
                // As the fit itself told, but for half precision.
                "slices" | "procrustes" => close(score, fit.held_out.unwrap(), 0.02),
                // Both orders of a pair say something; their mean is nearer than they are.
                "untied" => assert!(score <= 1.001 * fit.held_out.unwrap(), "{score} {fit:?}"),
                _ => assert!(score.is_finite()),
            }
        }
    }
    let refused = |model: &Model| {
        let views = [View::base()];
        held_out(model, &tensor, &views, &EvaluateParameters::default(), &work(1, MEMORY))
            .unwrap_err()
            .to_string()
    };
    let told = refused(&made("ppmi-svd", &tensor, home.path()));
    assert!(told.contains("ppmi-svd") && told.contains("does not predict counts"), "{told}");
    let mut all = joint.clone();
    all.record.parameters.held_out = 0.0;
    assert!(refused(&all).contains("nothing was held out"));
    all.record.tensor.fingerprint = "other".to_owned();
    assert!(refused(&all).contains("not the tensor"));
}

#[test]
fn with_several_factors_a_level_predicts_its_cells() {
    let home = tempfile::tempdir().unwrap();
    let (tensor, _) = planted(home.path(), &[("dim", "4"), ("levels", "2,2")]);
    let joint = train::train(
        &tensor,
        few(&[("deviations", "off")]).checked().unwrap(),
        &home.path().join("m"),
        &work(2, MEMORY),
    )
    .unwrap();
    let all = errors(&joint, &tensor);
    assert_eq!(all.len(), 5);
    let slices = errors(&made("slices", &tensor, home.path()), &tensor);
    // All pairs at once would be predicted by two levels each.
    assert_eq!(slices.len(), 4);
    for (a, b) in all.iter().zip(&slices) {
        assert_eq!((&a.level, a.used), (&b.level, b.used));
    }
}

#[test]
fn a_cell_that_has_its_share_of_a_level_is_predicted_as_well_as_the_level() {
    let home = tempfile::tempdir().unwrap();
    let text = std::fs::read_to_string(planted_corpus(home.path(), "2")).unwrap();
    // Every document stands in both halves: what is held out in one is told by the other, and scaled.
    let half = |name: &str| text.replace("{\"", &format!("{{\"half\": \"{name}\", \""));
    let corpus = home.path().join("halves.jsonl");
    std::fs::write(&corpus, half("a") + &half("b")).unwrap();
    let tensor = counted(&[corpus], &[("by", "group"), ("by", "half")], &home.path().join("t"));
    assert_eq!(tensor.covariates.cells.len(), 4);
    let model = made("slices", &tensor, home.path());
    let fits = &model.record.baseline.as_ref().unwrap().fits;
    // The groups are cut into equal halves; a half has groups that differ.
    for (row, fit) in errors(&model, &tensor).iter().zip(fits).take(2) {
        assert!(row.level.starts_with("group="));
        // Halves that are taken for the whole would be off by (ln 2)², 0.48.
        let (score, whole) = (row.score.unwrap(), fit.held_out.unwrap());
        assert!(score < whole + 0.1, "{row:?}, {whole}");
    }
}

#[test]
fn models_of_training_say_nothing_of_baselines_and_open_as_before() {
    let home = tempfile::tempdir().unwrap();
    let path = common::tiny_model(home.path(), 1);
    let run = std::fs::read_to_string(path.join("run.json")).unwrap();
    assert!(!run.contains("baseline"), "{run}");
    let model = Model::open(&path).unwrap();
    assert!(model.record.baseline.is_none() && model.has_base());
    for need in [
        Need::Base,
        Need::Comparison,
        Need::Combination,
        Need::Topics,
        Need::Training,
        Need::Counts,
    ] {
        model.gives(need, "anything").unwrap();
    }
}

#[test]
fn untied_vectors_come_back_with_their_contexts() {
    let home = tempfile::tempdir().unwrap();
    let (tensor, _) = planted(home.path(), &[("words", "60"), ("dim", "4"), ("levels", "2")]);
    let model = made("untied", &tensor, home.path());
    assert_eq!(model.deviations.contexts.len(), model.deviations.numbers.len());
    assert_eq!(model.deviations.context_of(3, 1).unwrap().len(), 5);
    // As published, it takes all its sweeps.
    assert!(model.record.baseline.as_ref().unwrap().fits.iter().all(|fit| fit.sweeps == 6));
    assert!(made("slices", &tensor, home.path()).deviations.contexts.is_empty());
}
