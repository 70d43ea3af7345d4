//! Training on the command line: killed, interrupted, resumed; and what is refused.
#![allow(clippy::unwrap_used)]

mod common;

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use common::{Home, text};

fn home() -> Home {
    let home = Home::new();
    let world = "--words 400 --dim 6 --levels 3 --differing 0 --noise log:0.2 --density 0.6";
    home.ok(&format!("synth --tensor {world} -o t -q"));
    home
}

const TRAIN: &str = "train t --dim 16 --sweeps 30 --tolerance 0 --axes 2";

fn model(folder: &Path) -> Vec<Vec<u8>> {
    ["model.safetensors", "vocabulary.parquet", "covariates.json", "run.json"]
        .iter()
        .map(|name| std::fs::read(folder.join(name)).unwrap())
        .collect()
}

/// Begins to train to `m`, and waits for the first checkpoint.
fn begun(home: &Home) -> Child {
    let child = Command::new(assert_cmd::cargo::cargo_bin("covec"))
        .args(TRAIN.split(' ').chain(["-o", "m", "--checkpoint", "0.00001"]))
        .current_dir(home.0.path())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    while !home.path("m.checkpoint/run.json").exists() {
        std::thread::sleep(Duration::from_millis(1));
    }
    child
}

#[test]
#[cfg(unix)]
fn a_run_killed_again_and_again_ends_in_the_same_bytes() {
    let home = home();
    home.ok(&format!("{TRAIN} -o whole -q"));
    let mut child = begun(&home);
    std::thread::sleep(Duration::from_millis(20));
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(!home.path("m").exists(), "it was killed before it was done");
    // Kills between here and the end hit checkpoints at every stage of being written.
    for wait in [50, 90, 130, 70] {
        let mut child = Command::new(assert_cmd::cargo::cargo_bin("covec"))
            .args(TRAIN.split(' ').chain(["-o", "m", "--checkpoint", "0.00001", "--resume", "-q"]))
            .current_dir(home.0.path())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(wait));
        child.kill().unwrap();
        child.wait().unwrap();
        if home.path("m").exists() {
            break;
        }
    }
    if !home.path("m").exists() {
        home.ok(&format!("{TRAIN} -o m --resume -q"));
    }
    assert!(model(&home.path("m")) == model(&home.path("whole")));
    if home.path("m.checkpoint").exists() {
        // Killed after the model stood and before the checkpoint was taken away.
        return;
    }
    // A folder whose run was killed before it had locked it may be one that is just being made: it is left alone
    // for a minute.
    let unlocked =
        |name: &String| name.contains(".covec-partial-") && !home.path(name).join("lock").exists();
    let mut left = home.names();
    left.retain(|name| !unlocked(name));
    assert_eq!(left, ["m", "t", "truth.json", "whole"]);
}

#[test]
#[cfg(unix)]
fn an_interrupted_run_says_how_to_go_on_and_ends_with_130() {
    let home = home();
    home.ok(&format!("{TRAIN} -o whole -q"));
    let child = begun(&home);
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    let told = text(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{told}");
    assert!(told.contains("covec train t -o m --resume"), "{told}");
    home.ok(&format!("{TRAIN} -o m --resume -q"));
    assert!(model(&home.path("m")) == model(&home.path("whole")));
    assert!(!home.path("m.checkpoint").exists());
}

#[test]
#[cfg(unix)]
fn a_checkpoint_is_only_gone_on_with_where_it_fits() {
    let home = home();
    let resume = format!("{TRAIN} -o m --resume");
    home.refused(&resume, &["nothing to resume", "m.checkpoint", "without --resume"]);
    home.refused("train t -o m --checkpoint often", &["--checkpoint often: expected minutes"]);
    let mut child = begun(&home);
    child.kill().unwrap();
    child.wait().unwrap();
    home.ok("synth --tensor --words 90 --dim 6 --levels 2 --differing 0 -o other -q --force");
    home.covec(&resume.replace("--dim 16", "--dim 15")); // clears what the killed run left
    home.refused(
        &resume.replace("--dim 16", "--dim 8"),
        &["other parameters", "--dim 16, not 8", "--sweeps and --tolerance"],
    );
    home.refused(&resume.replace("train t", "train other"), &["another tensor than other"]);
    let run = std::fs::read_to_string(home.path("m.checkpoint/run.json")).unwrap();
    home.write("m.checkpoint/run.json", run.replace("\"format\": 1", "\"format\": 99"));
    home.refused(&resume, &["format 99"]);
    home.write("m.checkpoint/run.json", &run[..run.len() / 2]);
    home.refused(&resume, &["run.json"]);
    home.write("m.checkpoint/run.json", &run);
    let state = std::fs::read(home.path("m.checkpoint/state.safetensors")).unwrap();
    let mut flipped = state.clone();
    *flipped.last_mut().unwrap() ^= 1;
    home.write("m.checkpoint/state.safetensors", flipped);
    home.refused(&resume, &["state.safetensors: damaged checkpoint", "does not fit run.json"]);
    home.write("m.checkpoint/state.safetensors", &state[..state.len() / 2]);
    home.refused(&resume, &["state.safetensors: damaged checkpoint"]);
    // What is not a checkpoint is never replaced by one.
    home.write("n.checkpoint/thesis.doc", "years of work");
    home.refused("train t -o n --dim 4", &["thesis.doc", "left alone"]);
    // A fresh start says what it gives up, and takes it away in the end.
    let output = home.covec("train t -o m --dim 4 --sweeps 2");
    assert!(text(&output.stderr).contains("--resume would go on with it"));
    assert!(output.status.success() && !home.path("m.checkpoint").exists());
}
