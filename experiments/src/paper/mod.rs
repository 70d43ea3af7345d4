//! The tables and figures of the paper (Tian, Zhang and Zou, ICML 2018) on open twins of its corpora.
//!
//! `cargo xtask paper [--data DIR] [--seeds N] [--only SECTION] [--minutes N] [--quick] [--keep DIR] [--output DIR]`
//!
//! * **In:** a folder with `books/`, `politics/` and `eval/`; with `--quick` planted worlds stand in.
//! * **Out:** `docs/RESULTS.md` with its pictures in `docs/results/`. Everything is what `covec` commands printed, and the page names
//!   them; answers are kept as soon as they are known, so a run that ends early is gone on with by the next.
//! * **Invariants:** no figure that a run did not give: what a method or the time did not allow is missing, and it is said.

mod by_vectors;
mod clustering;
mod curves;
mod desk;
mod efficiency;
mod factors;
mod held_out;
mod interval;
mod items;
mod made;
mod meanings;
mod methods;
mod page;
mod politics;
mod scores;
mod shelf;
mod shortened;
mod sparsity;
mod specificity;
mod texts;
mod why;
mod world;

use std::path::PathBuf;

use desk::Desk;
use page::Section;

type Write = fn(&mut Desk) -> Result<Section, String>;

const SECTIONS: [(&str, Write); 8] = [
    ("texts", texts::section),
    ("clustering", clustering::section),
    ("specificity", specificity::section),
    ("efficiency", efficiency::section),
    ("held-out", held_out::section),
    ("sparsity", sparsity::section),
    ("meanings", meanings::section),
    ("factors", factors::section),
];

/// Runs what the arguments ask for; the page.
pub fn run(mut arguments: impl Iterator<Item = String>) -> Result<String, String> {
    let (mut data, mut only, mut quick) = (None, None, false);
    let (mut seeds, mut minutes) = (None, f64::INFINITY);
    let (mut keep, mut output) = (None, None);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or(format!("{argument} needs a value"));
        match argument.as_str() {
            "--data" => data = Some(PathBuf::from(value()?)),
            "--only" => only = Some(value()?),
            "--quick" => quick = true,
            "--keep" => keep = Some(PathBuf::from(value()?)),
            "--output" => output = Some(PathBuf::from(value()?)),
            "--seeds" => seeds = Some(number(&argument, &value()?)? as u64),
            "--minutes" => minutes = number(&argument, &value()?)?,
            other => {
                return Err(format!(
                    "unknown argument {other}; expected --data DIR, --seeds N, --only SECTION, --minutes N, --quick, --keep DIR or --output DIR"
                ));
            }
        }
    }
    let known = SECTIONS.map(|(name, _)| name);
    if let Some(other) = only.as_deref().filter(|only| !known.contains(only)) {
        return Err(format!("unknown section {other}; expected {}", known.join(", ")));
    }
    let keep =
        keep.unwrap_or(PathBuf::from(if quick { "target/paper-quick" } else { "target/paper" }));
    let output = output.unwrap_or(if quick { keep.join("docs") } else { PathBuf::from("docs") });
    let data = match (data, quick) {
        (Some(data), false) => data,
        (None, true) => {
            let data = keep.join("planted");
            world::write_data(&data)?;
            data
        }
        (Some(_), true) => return Err("--quick makes its own data; leave --data away".to_owned()),
        (None, false) => return Err("--data DIR is needed, or --quick".to_owned()),
    };
    let seeds = seeds.unwrap_or(if quick { 1 } else { 5 });
    let mut desk = Desk::new(&keep, &data, seeds, quick, minutes)?;
    let mut sections = Vec::new();
    for (name, section) in SECTIONS {
        // What was not asked for is told as it was kept.
        desk.frozen = only.as_deref().is_some_and(|only| only != name);
        sections.push(section(&mut desk)?);
    }
    page::write(&output, &head(&desk), &sections)
}

fn number(argument: &str, given: &str) -> Result<f64, String> {
    let number: Option<f64> = given.parse().ok();
    number.filter(|x| *x > 0.0).ok_or(format!("{argument} {given}: expected a number above 0"))
}

fn head(desk: &Desk) -> String {
    let made = match desk.quick {
        true => {
            "**Made with `--quick`, of planted worlds: a test that everything runs, not a result.**\n\n"
        }
        false => "",
    };
    let chosen = match desk.quick {
        true => "",
        false => {
            "\n`--chance` was chosen on these books, among other corpora, and on MEN, MTurk, RG65 and RW with one GloVe of all text: against \
             methods that were not chosen so this flatters CoVeR a little.\n"
        }
    };
    format!(
        "# The paper's results, again\n\n{made}\
         What §5, §6 and the appendices of *CoVeR: Learning Covariate-Specific Vector Representations with Tensor Decompositions* (Tian, Zhang and \
         Zou, ICML 2018) report, on open twins of its corpora. Made by `cargo xtask paper --data DIR --seeds {}` on one machine; every figure was \
         printed by a command that is named below it. Seeds are 1 to {}, unless a table says how many there were. Everything is at its \
         [default](parameters.md) (100 dimensions) unless a command says otherwise.\n{chosen}",
        desk.seeds, desk.seeds
    )
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn quick(folder: &std::path::Path, more: &[&str]) -> Result<String, String> {
        let words = ["--quick", "--keep", folder.to_str().unwrap()];
        run(words.iter().chain(more).map(|&word| word.to_owned()))
    }

    #[test]
    fn paper_a_first_look_fills_every_section_and_is_not_run_twice() {
        let folder = tempfile::tempdir().unwrap();
        let text = quick(folder.path(), &[]).unwrap();
        for heading in [
            "## Books by their weights",
            "### Nearest book",
            "### Specificity",
            "### Zeros a level",
            "### By solver and start",
            "**Topics**",
            "**Analogies**",
            "### Held-out loss",
        ] {
            assert!(text.contains(heading), "no {heading} in\n{text}");
        }
        // Halves of a group are told from other groups by their weights.
        let nearest =
            text.lines().find(|line| line.starts_with("| twin29L | common | CoVeR |")).unwrap();
        assert!(nearest.contains("| 8 of 8 |"), "{nearest}");
        // Only methods that this covec does not have may be missing.
        let short = text.lines().filter(|line| line.starts_with("* "));
        assert!(short.clone().all(|line| line.contains("is not there: skipped")), "{text}");
        for picture in text.split("](").skip(1).filter_map(|rest| rest.split_once(".svg)")) {
            let path = folder.path().join("docs").join(format!("{}.svg", picture.0));
            assert!(std::fs::read_to_string(path).unwrap().starts_with("<svg"));
        }
        // What is kept says the same, also where nothing may be run.
        let again = quick(folder.path(), &["--only", "factors", "--minutes", "1e-9"]).unwrap();
        assert!(again == text, "not the same again");
    }

    #[test]
    fn paper_what_is_not_a_section_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let told = quick(folder.path(), &["--only", "luck"]).unwrap_err();
        assert!(told.contains("luck") && told.contains("sparsity"), "{told}");
        let told = run(std::iter::empty()).unwrap_err();
        assert!(told.contains("--data"), "{told}");
    }
}
