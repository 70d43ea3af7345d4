//! Replicates: the same bits however they are made, and nothing of them lost.
#![allow(clippy::unwrap_used)]

mod common;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use common::{bytes, counted, work};
use covec::model::Model;
use covec::parameters::Whole;
use covec::resample::{
    BootstrapParameters, PermuteParameters, Replicate, Replicates, bootstrap, permute,
};
use covec::synth::{self, SynthParameters};
use covec::train::{self, TrainParameters};
use covec::{Observer, Work};

/// Text of a planted world in two factors, and a model of it.
fn planted(home: &Path) -> (PathBuf, Model) {
    let mut parameters = SynthParameters::default();
    for (name, value) in
        [("tokens", "30000"), ("words", "150"), ("dim", "4"), ("levels", "3,2"), ("differing", "0")]
    {
        parameters.set(name, value).unwrap();
    }
    let (corpus, truth) = (home.join("c.jsonl"), home.join("truth.json"));
    let work = work(2, 1 << 30);
    synth::write_corpus(parameters.checked().unwrap(), &corpus, &truth, &work).unwrap();
    let by = [("by", "group"), ("by", "period")];
    let tensor = counted(std::slice::from_ref(&corpus), &by, &home.join("t"));
    let parameters = TrainParameters { dim: 5, sweeps: 3, ..TrainParameters::default() };
    let parameters = parameters.checked().unwrap();
    (corpus, train::train(&tensor, parameters, &home.join("m"), &work).unwrap())
}

#[test]
fn replicates_are_the_same_bits_at_any_number_of_threads_and_any_memory() {
    let home = tempfile::tempdir().unwrap();
    let (corpus, model) = planted(home.path());
    let inputs = [corpus];
    let mut first = None;
    for (threads, memory) in [(1, 1 << 30), (2, 1 << 20), (5, 1 << 22)] {
        let work = work(threads, memory);
        let folder = |name: &str| home.path().join(format!("{name}-{threads}"));
        let parameters = BootstrapParameters::default();
        bootstrap(&model, &inputs, &parameters, 0..2, &folder("boot"), &work).unwrap();
        let shuffle = PermuteParameters { seed: Whole(3), ..PermuteParameters::default() };
        permute(&model, &inputs, &shuffle, 0..2, &folder("shuffled"), &work).unwrap();
        let made = (bytes(&folder("boot")), bytes(&folder("shuffled")));
        assert_eq!((made.0.len(), made.1.len()), (5, 5));
        assert_ne!(made.0["replicate-00000.safetensors"], made.0["afresh-00000.safetensors"]);
        assert_ne!(made.0["replicate-00000.safetensors"], made.0["replicate-00001.safetensors"]);
        assert_ne!(made.0["replicate-00000.safetensors"], made.1["replicate-00000.safetensors"]);
        // What is refitted to the corpus as it is does not depend on what is drawn besides.
        let other = BootstrapParameters { seed: Whole(4), ..BootstrapParameters::default() };
        bootstrap(&model, &inputs, &other, 0..1, &folder("other-boot"), &work).unwrap();
        let other = PermuteParameters { seed: Whole(4), ..PermuteParameters::default() };
        permute(&model, &inputs, &other, 0..1, &folder("other-shuffled"), &work).unwrap();
        for (made, other) in [(&made.0, "other-boot"), (&made.1, "other-shuffled")] {
            let other = bytes(&folder(other));
            assert!(made["reference.safetensors"] == other["reference.safetensors"]);
            assert!(made["replicate-00000.safetensors"] != other["replicate-00000.safetensors"]);
        }
        assert!(first.get_or_insert_with(|| made.clone()) == &made, "{threads} threads");
    }
}

/// Wants to stop when it has been asked often enough.
struct Impatient {
    left: AtomicUsize,
}

impl Observer for Impatient {
    fn stop(&self) -> bool {
        let take = |left: usize| left.checked_sub(1);
        self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take).is_err()
    }
}

#[test]
fn an_interrupted_run_keeps_what_is_finished_and_goes_on_to_the_same_bits() {
    let home = tempfile::tempdir().unwrap();
    let (corpus, model) = planted(home.path());
    let inputs = [corpus];
    let parameters = BootstrapParameters::default();
    let run = |folder: &str, work: &Work<'_>| {
        bootstrap(&model, &inputs, &parameters, 0..3, &home.path().join(folder), work)
    };
    let whole = work(2, 1 << 30);
    let whole = Work { force: false, ..whole };
    run("whole", &whole).unwrap();
    let mut stops = 0;
    let mut patience = 20;
    loop {
        let observer = Impatient { left: AtomicUsize::new(patience) };
        let files = || bytes(&home.path().join("cut")).len();
        match run("cut", &Work { observer: &observer, ..whole }) {
            Ok(done) => {
                assert!(done.there > 0 && done.there < 3, "{done:?}");
                break;
            }
            Err(error) => {
                assert!(error.is_interruption(), "{error}");
                stops += 1;
            }
        }
        if home.path().join("cut").exists() {
            let _ = files();
        }
        patience += 60;
        assert!(stops < 200);
    }
    assert!(stops > 0);
    assert_eq!(bytes(&home.path().join("cut")), bytes(&home.path().join("whole")));
}

#[test]
fn fits_from_the_start_have_the_axes_of_the_model_and_stray_farther_than_refits() {
    let home = tempfile::tempdir().unwrap();
    let mut parameters = SynthParameters::default();
    for (name, value) in
        [("tokens", "100000"), ("words", "200"), ("dim", "4"), ("levels", "3"), ("differing", "0")]
    {
        parameters.set(name, value).unwrap();
    }
    let (corpus, truth) = (home.path().join("c.jsonl"), home.path().join("truth.json"));
    let work = Work { force: false, ..work(2, 1 << 30) };
    synth::write_corpus(parameters.checked().unwrap(), &corpus, &truth, &work).unwrap();
    let inputs = [corpus];
    let tensor = counted(&inputs, &[("by", "group")], &home.path().join("t"));
    let parameters = TrainParameters { dim: 4, ..TrainParameters::default() };
    let checked = parameters.checked().unwrap();
    let model = train::train(&tensor, checked, &home.path().join("m"), &work).unwrap();
    let often = BootstrapParameters { afresh: 2, ..BootstrapParameters::default() };
    let boot = home.path().join("boot");
    bootstrap(&model, &inputs, &often, 0..12, &boot, &work).unwrap();
    let replicates = Replicates::open(&boot, &model).unwrap();
    assert_eq!(replicates.afresh, [0, 2, 4, 6, 8, 10]);
    let column = |model: &Model, t: usize| -> Vec<f64> {
        (0..model.vocabulary.len()).map(|word| f64::from(model.vector(word)[t])).collect()
    };
    let product = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let cosine = |a: &[f64], b: &[f64]| product(a, b) / (product(a, a) * product(b, b)).sqrt();
    for place in 0..6 {
        let afresh = replicates.afresh(&model, place).unwrap().model;
        for t in 0..4 {
            let own = column(&model, t);
            let [same, other] = [t, (t + 1) % 4].map(|t| cosine(&own, &column(&afresh, t)));
            assert!(same > 0.8 && other.abs() < 0.5, "fit {place}, dimension {t}: {same} {other}");
        }
    }
    let spread = |weights: &[Vec<f32>]| -> f64 {
        let of = |at: usize| {
            let own: Vec<f64> = weights.iter().map(|own| f64::from(own[at])).collect();
            let mean = own.iter().sum::<f64>() / own.len() as f64;
            own.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / (own.len() - 1) as f64
        };
        (0..weights[0].len()).map(of).sum()
    };
    let weights = |replicate: Replicate| replicate.model.weights.to_vec();
    let refits: Vec<_> =
        (0..12).map(|p| weights(replicates.replicate(&model, p).unwrap())).collect();
    let afresh: Vec<_> = (0..6).map(|p| weights(replicates.afresh(&model, p).unwrap())).collect();
    assert!(spread(&afresh) > 1.5 * spread(&refits), "{} {}", spread(&afresh), spread(&refits));
}
