//! The `covec` command: arguments → library call → rows on the screen; nothing else.

mod arguments;
mod columns;
mod commands;
mod dendrogram;
mod evidence;
mod failure;
mod question;
mod replicates;
mod screen;
mod table;

use std::process::ExitCode;

fn main() -> ExitCode {
    let matches = match commands::command().try_get_matches() {
        Ok(matches) => matches,
        Err(error) => {
            let _ = error.print();
            return ExitCode::from(if error.use_stderr() { failure::REFUSED } else { 0 });
        }
    };
    match commands::run(&matches) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.tell(),
    }
}
