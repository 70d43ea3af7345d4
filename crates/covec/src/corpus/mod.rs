//! Stage 1: a corpus becomes documents.
//!
//! * **In:** files, folders, standard input; JSONL, CSV, TSV, Parquet, plain text; gzip and zstd.
//! * **Out:** batches of documents, each a text and the level it has in every factor.
//! * **Invariants:** inputs are streamed, never held whole; every fault names its file and line;
//!   which fault is reported does not depend on the number of threads.
//! * **Cost:** one pass. Threads take turns at reading a block and then parse it side by side.

mod batch;
mod by;
mod columns;
mod compressed;
mod error;
mod feeder;
mod folder;
mod ids;
mod json;
mod lines;
mod list;
mod quotes;
mod source;
mod table;
pub mod tokens;

pub(crate) use batch::{Document, Tally};
pub use by::{By, Order};
pub(crate) use by::{FactorPlan, LevelKey, Plan};
pub use error::{CorpusError, Place};
pub(crate) use feeder::{Batch, Feeder, each_batch};
pub(crate) use ids::Ids;
pub(crate) use list::read_list;
pub use source::{Fingerprint, InputFormat};
pub(crate) use source::{Source, digest_text, expand, texts};

use crate::parameters::{Bytes, Whole, choice, parameters};

choice! {
    /// How text is cut into words.
    pub enum TokenRule {
        /// Unicode word segmentation; what has no letter is dropped.
        Words = "words",
        /// The text is already cut: everything between white space is a word.
        Whitespace = "whitespace",
    }
}

choice! {
    /// What to do with a document that lacks a covariate.
    pub enum Missing {
        /// Stop and name it.
        Refuse = "refuse",
        /// Leave the document out, and say how many were.
        Skip = "skip",
    }
}

choice! {
    /// What to do with bytes that are not UTF-8.
    pub enum InvalidUtf8 {
        /// Stop and name the line.
        Refuse = "refuse",
        /// Put U+FFFD in their place, and say in how many documents.
        Replace = "replace",
    }
}

parameters! {
    /// What is read, and how it is cut into words.
    pub struct CorpusParameters {
        text: String = "text".to_owned(), "FIELD", "text",
            "the name of a field" if |s: &String| !s.is_empty(),
            "Field that holds the text (plain text and folders of texts have none)";
        by: Vec<By> = Vec::new(), "FIELD", "none: one level holds everything",
            "FIELD, FIELD:WIDTH, FIELD:CUT,CUT…, folder, or name:REGEX" if |_: &Vec<By>| true,
            "Covariate; repeat it for several factors. year:10 cuts numbers into decades, year:1861,1913 at these years (one cut: year:1861,); folder and name:REGEX (named groups) read the path of a folder's text files";
        order: Vec<Order> = Vec::new(), "FACTOR=LEVEL,LEVEL…", "numbers cut by --by are ordered, others are not",
            "FACTOR=LEVEL,LEVEL… with every level of the factor" if |_: &Vec<Order>| true,
            "The levels of this factor have an order, namely this one";
        id: Option<String> = None, "FIELD", "none",
            "the name of a field" if |_: &Option<String>| true,
            "Field that tells documents apart; a second document of the same id is refused";
        input_format: Option<InputFormat> = None, "FORMAT", "by the end of the name",
            "jsonl, csv, tsv, parquet or text" if |_: &Option<InputFormat>| true,
            "What the inputs are, where their names do not say";
        tokens: TokenRule = TokenRule::Words, "RULE", "words",
            "words or whitespace" if |_: &TokenRule| true,
            "words: Unicode segmentation, apostrophes kept inside words, numbers and punctuation dropped; whitespace: the text is already cut";
        keep_case: bool = false, "", "off", "a switch" if |_: &bool| true,
            "Do not lower-case";
        missing: Missing = Missing::Refuse, "RULE", "refuse",
            "refuse or skip" if |_: &Missing| true,
            "Documents without a covariate: refuse them, or skip and count them";
        invalid_utf8: InvalidUtf8 = InvalidUtf8::Refuse, "RULE", "refuse",
            "refuse or replace" if |_: &InvalidUtf8| true,
            "Bytes that are not UTF-8: refuse them, or replace and count them";
        max_document: Bytes = Bytes(64 << 20), "SIZE", "64M",
            "a size such as 64M, at most 2G" if |b: &Bytes| b.0 <= 1 << 31,
            "Longest document; a longer one usually means that line ends are missing";
        min_level_tokens: Whole = Whole(0), "N", "0",
            "a whole number" if |_: &Whole| true,
            "Leave out levels with fewer words than this, with their documents";
    }
}
