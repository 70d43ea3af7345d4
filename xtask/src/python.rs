//! Tests in Python: of the package, and of what other tools make of covec's files.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::steps::{Tally, counted};

/// An environment, and what it must hold.
struct Environment {
    folder: &'static str,
    requirements: &'static str,
}

/// With all that the package works together with, as new as it comes.
const NEWEST: Environment =
    Environment { folder: "target/venv", requirements: "tests/python/requirements.txt" };
/// With what the package cannot do without, as old as it may be.
const OLDEST: Environment = Environment {
    folder: "target/venv-oldest",
    requirements: "bindings/python/tests/oldest/requirements.txt",
};

/// With the tools that covec is held against.
const PEERS: Environment =
    Environment { folder: "target/venv-peers", requirements: "bench/peers/requirements.txt" };

/// Where the package is put together: what a wheel would hold.
const PACKAGE: &str = "target/python";
const SOURCES: &str = "bindings/python/python/covec";

/// Makes virtual environments with what the tests need, and runs them there.
pub(crate) fn test() -> Tally {
    let mut tally = Tally::default();
    if let Err(missing) = package() {
        println!("Python: {missing}");
        tally.add(Tally::step(false));
    }
    let runs = [
        ("Python", NEWEST, ["tests/python", "bindings/python/tests"].as_slice()),
        ("Python, oldest", OLDEST, ["bindings/python/tests/oldest"].as_slice()),
    ];
    for (name, environment, folders) in runs {
        match environment.python() {
            Ok(python) => {
                let covec = Path::new("target/release")
                    .join(format!("covec{}", std::env::consts::EXE_SUFFIX));
                let mut tests = Command::new(python);
                tests.arg("tests/python/run.py").args(folders);
                tests.env("COVEC", covec).env("PYTHONPATH", absolute(PACKAGE));
                tally.add(counted(name, &mut tests));
            }
            Err(missing) => {
                println!("{name}: {missing}");
                tally.add(Tally::step(false));
            }
        }
    }
    tally
}

/// An interpreter that has the package: its path, and what `PYTHONPATH` must be.
pub(crate) fn interpreter() -> Result<(PathBuf, PathBuf), String> {
    package()?;
    Ok((NEWEST.python()?, absolute(PACKAGE)))
}

/// The interpreter of the environment with the tools that covec is held against.
pub(crate) fn peers() -> Result<PathBuf, String> {
    PEERS.python()
}

fn absolute(path: &str) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| PathBuf::from(path))
}

/// Puts the package together from its sources and the library of the release build, which must be there:
/// building it by itself would build all dependencies anew.
fn package() -> Result<(), String> {
    let target = Path::new(PACKAGE).join("covec");
    let at = |path: &Path, error: std::io::Error| format!("{}: {error}", path.display());
    if target.exists() {
        std::fs::remove_dir_all(&target).map_err(|e| at(&target, e))?;
    }
    std::fs::create_dir_all(&target).map_err(|e| at(&target, e))?;
    for entry in std::fs::read_dir(SOURCES).map_err(|e| at(Path::new(SOURCES), e))? {
        let path = entry.map_err(|e| at(Path::new(SOURCES), e))?.path();
        if let Some(name) = path.file_name().filter(|_| path.is_file()) {
            std::fs::copy(&path, target.join(name)).map_err(|e| at(&path, e))?;
        }
    }
    let (library, module) = match std::env::consts::OS {
        "windows" => ("covec_python.dll", "_covec.pyd"),
        "macos" => ("libcovec_python.dylib", "_covec.abi3.so"),
        _ => ("libcovec_python.so", "_covec.abi3.so"),
    };
    let library = Path::new("target/release").join(library);
    std::fs::copy(&library, target.join(module)).map_err(|e| at(&library, e))?;
    Ok(())
}

impl Environment {
    /// Its interpreter. It is made once, and again when what it must hold changes.
    fn python(&self) -> Result<PathBuf, String> {
        let Self { folder, requirements } = self;
        let python =
            Path::new(folder).join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
        let wanted =
            std::fs::read_to_string(requirements).map_err(|e| format!("{requirements}: {e}"))?;
        let stamp = Path::new(folder).join("covec-requirements.txt");
        if std::fs::read_to_string(&stamp).is_ok_and(|made| made == wanted) {
            return Ok(python);
        }
        let there = |name: &&str| {
            Command::new(name).arg("--version").output().is_ok_and(|o| o.status.success())
        };
        let host = ["python3", "python"]
            .into_iter()
            .find(there)
            .ok_or("no python3 on this machine; install Python 3.10 or later and run this again")?;
        run(Command::new(host).args(["-m", "venv", "--clear", folder])).map_err(|e| {
            format!(
                "cannot make a virtual environment ({e}); on Debian: apt-get install python3-venv"
            )
        })?;
        let pip =
            ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r", requirements];
        run(Command::new(&python).args(pip)).map_err(|e| {
            format!("cannot install {requirements} ({e}); check that pip reaches a package index")
        })?;
        std::fs::write(&stamp, wanted).map_err(|e| e.to_string())?;
        Ok(python)
    }
}

fn run(command: &mut Command) -> Result<(), String> {
    match command.status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(status.to_string()),
        Err(error) => Err(error.to_string()),
    }
}
