//! Training that is stopped, killed, short of memory or shared by threads ends in the same bytes.
#![allow(clippy::unwrap_used)]

mod common;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use common::{bytes, work};
use covec::synth::{SynthParameters, truth_beside, write_tensor};
use covec::tensor::Tensor;
use covec::train::{TrainParameters, resume, train};
use covec::{Error, Observer, Progress, Work};

/// A planted tensor with these levels; with three and more the axes are turned on the way.
fn planted(home: &Path, levels: &str, words: &str) -> Tensor {
    let mut parameters = SynthParameters::default();
    for (name, text) in [
        ("tensor", "true"),
        ("words", words),
        ("dim", "6"),
        ("levels", levels),
        ("differing", "0"),
        ("noise", "log:0.1"),
        ("density", "0.5"),
    ] {
        parameters.set(name, text).unwrap();
    }
    let path = home.join(format!("tensor-{levels}"));
    write_tensor(parameters.checked().unwrap(), &path, &truth_beside(&path), &work(2, 1 << 30))
        .unwrap();
    Tensor::open(&path).unwrap()
}

fn parameters(given: &[(&str, &str)]) -> TrainParameters {
    let mut parameters = TrainParameters::default();
    for (name, text) in [&[("dim", "6"), ("sweeps", "8"), ("axes", "2")], given].concat() {
        parameters.set(name, text).unwrap();
    }
    parameters
}

/// Wants the work to stop after some progress.
struct Impatient(AtomicUsize);

impl Observer for Impatient {
    fn progress(&self, progress: Progress) {
        if progress.stage == "training" {
            let _ = self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |n| n.checked_sub(1));
        }
    }
    fn stop(&self) -> bool {
        self.0.load(Ordering::Relaxed) == 0
    }
}

/// Trains in turns, each stopped after `patience` blocks; the model's bytes and how many turns.
fn in_turns(
    tensor: &Tensor,
    parameters: &TrainParameters,
    output: &Path,
    patience: usize,
) -> (BTreeMap<String, Vec<u8>>, usize) {
    let parameters = parameters.checked().unwrap();
    let mut turns = 0;
    loop {
        let observer = Impatient(AtomicUsize::new(patience));
        let work = Work { observer: &observer, ..work(2, 1 << 30) };
        let go = if turns == 0 { train } else { resume };
        turns += 1;
        match go(tensor, parameters, output, &work) {
            Ok(_) => return (bytes(output), turns),
            Err(Error::Kept { checkpoint, go_on }) => {
                assert!(checkpoint.is_dir() && go_on.contains("--resume"), "{go_on}");
                assert!(!output.exists(), "nothing half done is at the output");
            }
            Err(error) => panic!("{error}"),
        }
    }
}

#[test]
fn training_that_was_stopped_anywhere_goes_on_to_the_same_bytes() {
    let home = tempfile::tempdir().unwrap();
    for levels in ["3", "3,2"] {
        let tensor = planted(home.path(), levels, "150");
        let parameters = parameters(&[]);
        let whole = home.path().join("whole");
        train(&tensor, parameters.checked().unwrap(), &whole, &work(2, 1 << 30)).unwrap();
        let whole = bytes(&whole);
        // A sweep of 150 words has 19 blocks: stops in the middle, at the ends, in the first block.
        for patience in [2, 5, 18, 19, 20, 38, 47, 100] {
            let output = home.path().join(format!("{levels}-{patience}"));
            let (turned, turns) = in_turns(&tensor, &parameters, &output, patience);
            assert!(turns > 1, "patience {patience}: it was never stopped");
            assert!(turned == whole, "levels {levels}, patience {patience}");
            assert!(!home.path().join(format!("{levels}-{patience}.checkpoint")).exists());
        }
    }
}

#[test]
fn a_checkpoint_at_every_sweep_changes_no_bit_and_bounds_may_change_on_resume() {
    let home = tempfile::tempdir().unwrap();
    let tensor = planted(home.path(), "3", "100");
    let parameters = |sweeps| parameters(&[("sweeps", sweeps), ("tolerance", "0")]);
    let at = |name: &str| home.path().join(name);
    let often = Work { checkpoint: Duration::from_nanos(1), ..work(1, 1 << 30) };
    let never = Work { checkpoint: Duration::ZERO, ..work(1, 1 << 30) };
    let long = parameters("7");
    train(&tensor, long.checked().unwrap(), &at("often"), &often).unwrap();
    train(&tensor, long.checked().unwrap(), &at("never"), &never).unwrap();
    assert!(bytes(&at("often")) == bytes(&at("never")));
    // Stopped in sweep 4 of 20, then told to be content with 7.
    let observer = Impatient(AtomicUsize::new(45));
    let stopping = Work { observer: &observer, ..work(1, 1 << 30) };
    let stopped = train(&tensor, parameters("20").checked().unwrap(), &at("cut"), &stopping);
    assert!(matches!(stopped, Err(Error::Kept { .. })));
    resume(&tensor, long.checked().unwrap(), &at("cut"), &never).unwrap();
    assert!(bytes(&at("cut")) == bytes(&at("never")));
}

#[test]
fn without_checkpoints_an_interruption_leaves_nothing() {
    let home = tempfile::tempdir().unwrap();
    let tensor = planted(home.path(), "2", "100");
    let before = std::fs::read_dir(home.path()).unwrap().count();
    let observer = Impatient(AtomicUsize::new(30));
    let work = Work { observer: &observer, checkpoint: Duration::ZERO, ..work(1, 1 << 30) };
    let parameters = parameters(&[]);
    let stopped = train(&tensor, parameters.checked().unwrap(), &home.path().join("m"), &work);
    assert!(matches!(stopped, Err(Error::Interrupted)));
    assert_eq!(std::fs::read_dir(home.path()).unwrap().count(), before);
}

#[test]
fn neither_threads_nor_memory_change_a_bit_of_a_model() {
    let home = tempfile::tempdir().unwrap();
    // 900 words give entries of more than half of the least memory, which then are streamed.
    let tensor = planted(home.path(), "2", "900");
    assert!(tensor.record.entries.stored * 12 > Work::LEAST_MEMORY.0 / 2);
    let parameters = parameters(&[("sweeps", "3")]);
    let bytes = |threads: usize, memory: u64| {
        let output = home.path().join(format!("{threads}-{memory}"));
        train(&tensor, parameters.checked().unwrap(), &output, &work(threads, memory)).unwrap();
        bytes(&output)
    };
    let one = bytes(1, 1 << 30);
    for (threads, memory) in [(2, 1 << 30), (5, 1 << 30), (1, 1 << 20), (2, 1 << 20)] {
        assert!(one == bytes(threads, memory), "{threads} threads, {memory} bytes");
    }
}
