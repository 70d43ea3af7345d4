//! What is run, and how its results are added up.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use crate::python;

/// How many tests passed and failed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    /// Tests that passed.
    pub passed: u64,
    /// Tests that failed.
    pub failed: u64,
}

impl Tally {
    pub(crate) fn add(&mut self, other: Self) {
        self.passed += other.passed;
        self.failed += other.failed;
    }

    /// A step without tests of its own counts as one.
    pub(crate) fn step(passed: bool) -> Self {
        Self { passed: u64::from(passed), failed: u64::from(!passed) }
    }
}

/// Everything that must pass. One profile throughout, so that nothing is built twice.
pub fn test() -> bool {
    let mut tally = Tally::default();
    tally.add(step("format", &mut cargo("fmt --all -- --check")));
    tally.add(step(
        "clippy",
        &mut cargo("clippy --release --workspace --all-targets -- -D warnings"),
    ));
    let mut doc = cargo("doc --release --workspace --no-deps");
    tally.add(step("docs", doc.env("RUSTDOCFLAGS", "-D warnings")));
    let nextest = Command::new("cargo").args(["nextest", "--version"]).output();
    let mut tests = if nextest.is_ok_and(|output| output.status.success()) {
        cargo("nextest run --release --workspace --no-fail-fast")
    } else {
        cargo("test --release --workspace --no-fail-fast --lib --bins --tests")
    };
    tally.add(counted("tests", &mut tests));
    tally.add(counted("examples in the docs", &mut cargo("test --release --workspace --doc")));
    // The tests need no library for Python, so none of them has built it. With all targets the features are theirs:
    // without, half of the dependencies would be built again.
    tally.add(step("build", &mut cargo("build --release --workspace --all-targets")));
    tally.add(python::test());
    println!("\n{} passed, {} failed", tally.passed, tally.failed);
    tally.failed == 0 && tally.passed > 0
}

/// The benchmarks, on the release build.
pub fn bench(flags: &[String]) -> bool {
    // All packages, as the tests build them: another choice of packages builds the dependencies anew.
    let built = step("build", &mut cargo("build --release --workspace"));
    let mut bench = Command::new("target/release/covec-bench");
    match python::interpreter() {
        Ok((python, path)) => {
            bench.env("COVEC_PYTHON", python).env("PYTHONPATH", path);
        }
        Err(missing) => println!("Python: {missing}"),
    }
    built.failed == 0 && run("bench", bench.args(flags))
}

/// covec against the routes people take today, on the release build.
pub fn peers(flags: &[String]) -> bool {
    let built = step("build", &mut cargo("build --release --workspace"));
    match python::peers() {
        Ok(python) => {
            let mut peers = Command::new(python);
            built.failed == 0 && run("peers", peers.arg("bench/peers/peers.py").args(flags))
        }
        Err(missing) => {
            println!("Python: {missing}");
            false
        }
    }
}

/// The studies behind docs/STATISTICS.md, on the release build.
pub fn statistics(flags: &[String]) -> bool {
    let built = step("build", &mut cargo("build --release --workspace"));
    let mut studies = Command::new("target/release/covec-experiments");
    built.failed == 0 && run("statistics", studies.args(flags))
}

/// The paper's tables and figures, on the release build.
pub fn paper(flags: &[String]) -> bool {
    let built = step("build", &mut cargo("build --release --workspace"));
    let mut paper = Command::new("target/release/covec-experiments");
    built.failed == 0 && run("paper", paper.arg("paper").args(flags))
}

/// Writes the pages that are made from the code.
pub fn docs() -> bool {
    let mut command = cargo("test --release --workspace --test docs");
    run("docs", command.env("COVEC_WRITE_DOCS", "1"))
}

fn cargo(arguments: &str) -> Command {
    let mut command = Command::new("cargo");
    command.args(arguments.split(' '));
    command
}

fn run(name: &str, command: &mut Command) -> bool {
    println!("── {name}: {}", shown(command));
    match command.status() {
        Ok(status) => status.success(),
        Err(error) => {
            println!("{name}: cannot start: {error}");
            false
        }
    }
}

/// Runs a step that passes or fails as a whole.
fn step(name: &str, command: &mut Command) -> Tally {
    Tally::step(run(name, command))
}

/// Runs tests and reads from their closing lines how many there were.
pub(crate) fn counted(name: &str, command: &mut Command) -> Tally {
    println!("── {name}: {}", shown(command));
    let mut tally = Tally::default();
    // Closing lines may come on either stream.
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let mut child = match child {
        Ok(child) => child,
        Err(error) => {
            println!("{name}: cannot start: {error}");
            return Tally::step(false);
        }
    };
    let errors = child.stderr.take().map(|stream| {
        std::thread::spawn(move || {
            let mut tally = Tally::default();
            for line in BufReader::new(stream).lines().map_while(Result::ok) {
                eprintln!("{line}");
                tally.add(closing_line(&line));
            }
            tally
        })
    });
    if let Some(stream) = child.stdout.take() {
        for line in BufReader::new(stream).lines().map_while(Result::ok) {
            println!("{line}");
            tally.add(closing_line(&line));
        }
    }
    if let Some(errors) = errors.and_then(|thread| thread.join().ok()) {
        tally.add(errors);
    }
    let success = child.wait().is_ok_and(|status| status.success());
    if !success && tally.failed == 0 {
        // It did not even get as far as running its tests.
        tally.failed = 1;
    }
    tally
}

/// What a closing line of nextest, cargo test or unittest says.
fn closing_line(line: &str) -> Tally {
    let plain = line.trim_start();
    let number_before = |word: &str| {
        let words: Vec<&str> =
            plain.split([' ', ',', ';', '(', ')', '=']).filter(|w| !w.is_empty()).collect();
        let at = words.iter().position(|w| *w == word)?;
        words.get(at.checked_sub(1)?)?.parse::<u64>().ok()
    };
    // nextest shows what a failed test printed, moved in: that is not a closing line of its own.
    if plain.starts_with("Summary [") || line.starts_with("test result: ") {
        let failed = number_before("failed").unwrap_or(0) + number_before("timed").unwrap_or(0);
        return Tally { passed: number_before("passed").unwrap_or(0), failed };
    }
    Tally::default()
}

fn shown(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn closing_lines_are_understood() {
        let tally = |passed, failed| Tally { passed, failed };
        let nextest =
            "     Summary [   1.2s] 12 tests run: 10 passed (1 slow), 2 failed, 3 skipped";
        assert_eq!(closing_line(nextest), tally(10, 2));
        let cargo =
            "test result: FAILED. 7 passed; 4 failed; 0 ignored; 0 measured; 0 filtered out";
        assert_eq!(closing_line(cargo), tally(7, 4));
        assert_eq!(closing_line(&format!("    {cargo}")), tally(0, 0));
        assert_eq!(closing_line("3 passed the test, 9 failed"), tally(0, 0));
    }
}
