//! Tests in Python: what other tools make of covec's files.

use std::path::Path;
use std::process::Command;

use crate::steps::{Tally, counted};

const VENV: &str = "target/venv";
const REQUIREMENTS: &str = "tests/python/requirements.txt";

/// Makes a virtual environment with what the tests need, and runs them in it.
pub(crate) fn test() -> Tally {
    match environment() {
        Ok(python) => {
            let covec =
                Path::new("target/release").join(format!("covec{}", std::env::consts::EXE_SUFFIX));
            let mut tests = Command::new(python);
            tests.args(["tests/python/run.py"]).env("COVEC", covec);
            counted("Python", &mut tests)
        }
        Err(missing) => {
            println!("Python: {missing}");
            Tally::step(false)
        }
    }
}

/// The environment's interpreter. It is made once, and again when what it must hold changes.
fn environment() -> Result<String, String> {
    let python =
        if cfg!(windows) { "target/venv/Scripts/python.exe" } else { "target/venv/bin/python" };
    let wanted =
        std::fs::read_to_string(REQUIREMENTS).map_err(|e| format!("{REQUIREMENTS}: {e}"))?;
    let stamp = Path::new(VENV).join("covec-requirements.txt");
    if std::fs::read_to_string(&stamp).is_ok_and(|made| made == wanted) {
        return Ok(python.to_owned());
    }
    let host = ["python3", "python"]
        .into_iter()
        .find(|name| Command::new(name).arg("--version").output().is_ok_and(|o| o.status.success()))
        .ok_or("no python3 on this machine; install Python 3.10 or later and run this again")?;
    run(Command::new(host).args(["-m", "venv", "--clear", VENV])).map_err(|e| {
        format!("cannot make a virtual environment ({e}); on Debian: apt-get install python3-venv")
    })?;
    run(Command::new(python).args([
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
        "-r",
        REQUIREMENTS,
    ]))
    .map_err(|e| {
        format!("cannot install {REQUIREMENTS} ({e}); check that pip reaches a package index")
    })?;
    std::fs::write(&stamp, wanted).map_err(|e| e.to_string())?;
    Ok(python.to_owned())
}

fn run(command: &mut Command) -> Result<(), String> {
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(status.to_string()),
        Err(error) => Err(error.to_string()),
    }
}
