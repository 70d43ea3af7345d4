//! `covec count`: a corpus becomes a tensor.

use std::path::PathBuf;
use std::time::Instant;

use clap::{Arg, ArgMatches, Command, value_parser};
use covec::corpus::CorpusParameters;
use covec::tensor::{self, CountParameters, WindowParameters};
use covec::vocabulary::VocabularyParameters;

use crate::arguments;
use crate::failure::Failure;
use crate::screen::{Screen, short};
use crate::table::{counted, thousands};

pub(crate) fn command() -> Command {
    let command = Command::new("count")
        .about("Count the words of a corpus, and which stand near which, for every group of documents")
        .long_about(
            "Count the words of a corpus, and which stand near which, for every group of documents.\n\n\
             Reads JSONL, CSV, TSV, Parquet, plain text (one document a line) and folders of them, plain or \
             compressed with gzip or zstd; - is standard input. Writes a tensor folder that covec info, \
             DuckDB and pandas open.",
        )
        .after_help(
            "Examples:\n  \
             covec count speeches.jsonl --text text --by party --by year:10 -o tensor/\n  \
             covec count books/ --by 'name:(?<author>[^_]+)_' -o tensor/\n  \
             zcat posts.jsonl.gz | covec count - --by forum -o tensor/",
        )
        .arg(corpus());
    let command = arguments::output(command, "TENSOR", "Tensor folder to make");
    arguments::work(flags(command))
}

/// What is read.
pub(crate) fn corpus() -> Arg {
    Arg::new("corpus")
        .value_name("CORPUS")
        .help("Files, folders (of several, --by folder and name:REGEX see the names too), or - for standard input")
        .required(true)
        .num_args(1..)
        .value_parser(value_parser!(PathBuf))
}

/// A flag for every parameter of counting.
pub(crate) fn flags(command: Command) -> Command {
    let command = arguments::parameters(command, "Corpus", CorpusParameters::TABLE);
    let command = arguments::parameters(command, "Vocabulary", VocabularyParameters::TABLE);
    arguments::parameters(command, "Counting", WindowParameters::TABLE)
}

/// The parameters of counting that were given.
pub(crate) fn parameters(matches: &ArgMatches) -> Result<CountParameters, Failure> {
    let mut parameters = CountParameters::default();
    for table in [CorpusParameters::TABLE, VocabularyParameters::TABLE, WindowParameters::TABLE] {
        arguments::take(matches, table, |name, text| parameters.set(name, text))?;
    }
    Ok(parameters)
}

pub(crate) fn run(matches: &ArgMatches) -> Result<(), Failure> {
    let screen = Screen::new(matches.get_flag("quiet"));
    let work = arguments::how(matches, &screen)?;
    let parameters = parameters(matches)?;
    let output = arguments::path(matches, "output");
    let begun = Instant::now();
    let tensor =
        tensor::count(&arguments::paths(matches, "corpus"), parameters.check()?, &output, &work)?;
    screen.clear();
    let seconds = begun.elapsed().as_secs_f64();
    let record = &tensor.record;
    if let Some(corpus) = &record.corpus {
        for (count, what) in [
            (corpus.skipped_documents, "skipped for a missing covariate"),
            (corpus.replaced_documents, "with bytes replaced that were not UTF-8"),
            (corpus.empty_documents, "without a word"),
        ] {
            if count > 0 {
                screen.say(&format!("note: {} {what}", counted(count, "document")));
            }
        }
        screen.say(&format!(
            "{}: {}, {} ({} in the vocabulary), {} entries, {seconds:.1} s ({} words/s)",
            output.display(),
            counted(corpus.documents, "document"),
            counted(corpus.tokens, "word"),
            thousands(tensor.vocabulary.len() as u64),
            thousands(record.entries.stored),
            short(corpus.tokens as f64 / seconds.max(1e-9)),
        ));
    }
    Ok(())
}
