//! The chores of the project: `cargo xtask test`, `bench`, `peers`, `statistics`, `paper`, `docs`.

mod python;
mod steps;

use std::path::Path;
use std::process::ExitCode;

const HELP: &str = "cargo xtask COMMAND

  test            everything that must pass; ends with `N passed, N failed`
  bench [FLAGS]   the benchmarks, as one table of ratios (--corpus FILE: a text, one document a line)
  peers [FLAGS]   covec against word2vec a level and tensorly, as one table (--data DIR: real text; --only ROUTE; --quick)
  statistics [FLAGS]  whether intervals, p and q are what they say, as tables (--data DIR: real text; --only STUDY; --quick)
  paper [FLAGS]   the paper's tables and figures, as docs/RESULTS.md (--data DIR: corpora and test sets; --seeds N; --only SECTION; --quick)
  docs            writes docs/parameters.md anew from the table of parameters";

fn main() -> ExitCode {
    // Every command speaks of paths from the root of the project.
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    if let Err(error) = std::env::set_current_dir(&root) {
        eprintln!("xtask: {}: {error}", root.display());
        return ExitCode::FAILURE;
    }
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let passed = match arguments.first().map(String::as_str) {
        Some("test") => steps::test(),
        Some("bench") => steps::bench(&arguments[1..]),
        Some("peers") => steps::peers(&arguments[1..]),
        Some("statistics") => steps::statistics(&arguments[1..]),
        Some("paper") => steps::paper(&arguments[1..]),
        Some("docs") => steps::docs(),
        _ => {
            eprintln!("{HELP}");
            false
        }
    };
    if passed { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
