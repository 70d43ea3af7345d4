//! Why a corpus cannot be read.

use std::path::PathBuf;

/// A document's place: file and line (or record).
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The file, or `-` for standard input.
    pub file: String,
    /// Line or record, from 1; 0 for the file as a whole.
    pub line: u64,
    /// `line` or `record`.
    pub unit: &'static str,
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let file = if self.file == "-" { "standard input" } else { &self.file };
        if self.line == 0 {
            f.write_str(file)
        } else {
            write!(f, "{file}, {} {}", self.unit, self.line)
        }
    }
}

/// Why a corpus cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CorpusError {
    /// No input was named.
    #[error("no corpus was given\n  expected: files, folders, or - for standard input")]
    NoInput,
    /// The end of the name says nothing we know.
    #[error(
        "{path}: unknown file type\n  expected: .jsonl, .ndjson, .csv, .tsv, .parquet or .txt (each also .gz or .zst), or a folder of them\n  way out: say what it is with --input-format"
    )]
    UnknownType {
        /// The file.
        path: String,
    },
    /// A folder without a file we can read.
    #[error("{}: no text files (.txt) and no .jsonl, .csv, .tsv or .parquet files of one kind in this folder\n  way out: say with --input-format what files are whose names do not say", .0.display())]
    EmptyFolder(PathBuf),
    /// A document lacks a field.
    #[error("{place}: no field '{field}'\n  fields there: {there}\n  way out: {way_out}")]
    MissingField {
        /// Where.
        place: Place,
        /// The field asked for.
        field: String,
        /// The fields the document has.
        there: String,
        /// What to do.
        way_out: &'static str,
    },
    /// A covariate is there but empty.
    #[error("{place}: covariate '{field}' is empty\n  way out: {way_out}")]
    EmptyCovariate {
        /// Where.
        place: Place,
        /// The covariate.
        field: String,
        /// What to do.
        way_out: &'static str,
    },
    /// A value is not of the kind it must be.
    #[error("{place}: field '{field}': expected {expected}, got {got}\n  way out: {way_out}")]
    WrongValue {
        /// Where.
        place: Place,
        /// The field.
        field: String,
        /// What would have been right.
        expected: &'static str,
        /// What was there.
        got: String,
        /// What to do.
        way_out: &'static str,
    },
    /// A record that cannot be taken apart.
    #[error("{place}: expected {expected}: {detail}")]
    Malformed {
        /// Where.
        place: Place,
        /// What it should have been.
        expected: &'static str,
        /// What the parser said.
        detail: String,
    },
    /// Bytes that are not UTF-8.
    #[error(
        "{place}: not valid UTF-8 (byte {byte} of it)\n  way out: convert the file (iconv -f latin1 -t utf8), or go on with --invalid-utf8 replace"
    )]
    InvalidUtf8 {
        /// Where.
        place: Place,
        /// The first bad byte, from 1, inside the line or record.
        byte: usize,
    },
    /// Two bytes a character.
    #[error(
        "{file}: this is UTF-16, as spreadsheets save text\n  expected: UTF-8\n  way out: save it as UTF-8, or convert it (iconv -f utf-16 -t utf-8)"
    )]
    Utf16 {
        /// The file.
        file: String,
    },
    /// A document beyond `--max-document`.
    #[error(
        "{place}: a document of more than {limit} bytes\n  expected: one document a line, each smaller than that\n  way out: check the line ends, or raise --max-document"
    )]
    TooLong {
        /// Where.
        place: Place,
        /// The limit.
        limit: u64,
    },
    /// Compressed data that ends early or is damaged.
    #[error(
        "{file}: damaged or cut-off {kind} data: {detail}\n  way out: fetch or write the file again"
    )]
    Compressed {
        /// The file.
        file: String,
        /// gzip or zstd.
        kind: &'static str,
        /// What the decoder said.
        detail: String,
    },
    /// A Parquet file that cannot be read.
    #[error(
        "{file}: not a readable Parquet file: {detail}\n  way out: write the file again, uncompressed or with snappy, gzip, lz4 or zstd"
    )]
    Parquet {
        /// The file.
        file: String,
        /// What the reader said.
        detail: String,
    },
    /// Nothing to count.
    #[error(
        "the corpus is empty: {documents} documents, no words\n  expected: at least one word\n  way out: {way_out}"
    )]
    Empty {
        /// Documents read.
        documents: u64,
        /// What to do.
        way_out: &'static str,
    },
    /// `--min-level-tokens` left nothing.
    #[error(
        "--min-level-tokens {least} leaves out every level of '{factor}'; the largest has {largest} tokens"
    )]
    NoLevelLeft {
        /// The factor.
        factor: String,
        /// The parameter.
        least: u64,
        /// Tokens of the largest level.
        largest: u64,
    },
    /// Covariates that do not go together.
    #[error("--by {given}: {problem}")]
    By {
        /// What was given.
        given: String,
        /// What is wrong with it.
        problem: String,
    },
    /// A covariate that only paths have, asked of something else.
    #[error(
        "{place}: --by {by} reads covariates off the paths of a folder's text files, and this is not one\n  way out: name a folder, or a field of the file"
    )]
    NotAFolder {
        /// Where.
        place: Place,
        /// folder or name:REGEX.
        by: &'static str,
    },
    /// Two documents of one id.
    #[error(
        "{second}: the same id as {first}\n  expected: --id to tell every document apart\n  way out: remove the duplicate, or leave --id out"
    )]
    DuplicateId {
        /// The earlier document.
        first: Place,
        /// The later one.
        second: Place,
    },
    /// `--order` does not fit the levels.
    #[error("--order {factor}: {problem}")]
    Order {
        /// The factor.
        factor: String,
        /// What does not fit.
        problem: String,
    },
}
