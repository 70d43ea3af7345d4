//! Why a question has no answer.

/// Why a question has no answer.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AnalyseError {
    /// A word that hardly occurs under a level.
    #[error(
        "'{word}' occurs {count} times in {level}: too rare to say what it means there\n  expected: {least} times or more\n  way out: {}another level",
        lower(.count)
    )]
    TooRare {
        /// The word.
        word: String,
        /// The level.
        level: String,
        /// How often it occurs there.
        count: u64,
        /// How often it should.
        least: u64,
    },
    /// Nothing is left to speak of.
    #[error("no word occurs {least} times or more in {level}\n  way out: lower --min-support")]
    NoWords {
        /// The level.
        level: String,
        /// How often they should.
        least: u64,
    },
    /// A question that needs levels to compare.
    #[error("{problem}\n  expected: {expected}\n  way out: {way_out}")]
    Question {
        /// What is wrong with it.
        problem: String,
        /// What would be right.
        expected: String,
        /// What to do.
        way_out: String,
    },
}

/// The support that would do, where the word occurs at all.
fn lower(count: &u64) -> String {
    if *count > 0 { format!("--min-support {count}, or ") } else { String::new() }
}

/// A question that cannot be answered as it was put.
pub(crate) fn question(
    problem: impl Into<String>,
    expected: impl Into<String>,
    way_out: impl Into<String>,
) -> AnalyseError {
    AnalyseError::Question {
        problem: problem.into(),
        expected: expected.into(),
        way_out: way_out.into(),
    }
}
