//! The solvers that follow the gradient come to where exact steps come, at any number of threads.

#![allow(clippy::unwrap_used)]

use std::num::NonZeroUsize;
use std::path::Path;

use covec::Work;
use covec::model::Model;
use covec::synth::{SynthParameters, truth_beside, write_tensor};
use covec::tensor::Tensor;
use covec::train::{TrainParameters, train};

fn world(home: &Path, given: &[(&str, &str)]) -> Tensor {
    let mut parameters = SynthParameters::default();
    for (name, text) in [&[("tensor", "true")], given].concat() {
        parameters.set(name, text).unwrap();
    }
    let path = home.join("tensor");
    let checked = parameters.checked().unwrap();
    write_tensor(checked, &path, &truth_beside(&path), &Work::default()).unwrap();
    Tensor::open(&path).unwrap()
}

fn trained(tensor: &Tensor, home: &Path, given: &[(&str, &str)], threads: usize) -> Model {
    let mut parameters = TrainParameters::default();
    given.iter().for_each(|(name, text)| parameters.set(name, text).unwrap());
    let threads = NonZeroUsize::new(threads).unwrap();
    let work = Work { threads, force: true, ..Work::default() };
    train(tensor, parameters.checked().unwrap(), &home.join("model"), &work).unwrap()
}

#[test]
fn threads_do_not_change_a_bit() {
    let home = tempfile::tempdir().unwrap();
    let given = [("words", "300"), ("levels", "3,2"), ("dim", "6"), ("density", "0.5")];
    let tensor = world(home.path(), &given);
    for solver in ["adam", "adagrad"] {
        let bytes = |threads: usize| {
            let given = [("solver", solver), ("dim", "10"), ("sweeps", "3")];
            trained(&tensor, home.path(), &given, threads);
            let read = |name: &str| std::fs::read(home.path().join("model").join(name)).unwrap();
            (read("model.safetensors"), read("run.json"))
        };
        let one = bytes(1);
        assert!(one == bytes(2) && one == bytes(5), "{solver}");
    }
}

#[test]
fn the_loss_comes_near_that_of_exact_steps() {
    let home = tempfile::tempdir().unwrap();
    let given = [("words", "300"), ("levels", "3"), ("dim", "5"), ("differing", "0")];
    let tensor = world(home.path(), &given);
    // Some dimensions to spare: without, the gradient can end in a minimum that axis steps leave.
    let losses = |solver: &str| -> Vec<f64> {
        let given = [("solver", solver), ("dim", "8"), ("ridge", "0.01"), ("tolerance", "0")];
        let model = trained(&tensor, home.path(), &given, 2);
        model.record.training.sweeps.iter().map(|sweep| sweep.loss).collect()
    };
    let exact = losses("blocks");
    eprintln!("blocks {exact:.6?}");
    for solver in ["adam", "adagrad"] {
        let losses = losses(solver);
        eprintln!("{solver} {losses:.6?}");
        let (first, last) = (losses[0], losses[losses.len() - 1]);
        assert!(last < first / 300.0 && last < 2.0 * exact[exact.len() - 1], "{solver}: {last}");
    }
}
