//! Why a corpus cannot be drawn from again, or what was drawn not be used.

use std::path::PathBuf;

/// Why a corpus cannot be drawn from again, or what was drawn not be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ResampleError {
    /// The corpus is not the one the model was counted from.
    #[error(
        "this is not the corpus the model was counted from: {level} has {got} words here\n  expected: {expected} words\n  way out: the corpus as covec count read it, unchanged"
    )]
    OtherCorpus {
        /// Where it shows.
        level: String,
        /// Words that were found.
        got: u64,
        /// Words that the model knows of.
        expected: u64,
    },
    /// The corpus has as many words as the model was counted from, but not the same.
    #[error(
        "this is not the corpus the model was counted from: '{word}' occurs {got} times here\n  expected: {expected} times\n  way out: the corpus as covec count read it, unchanged"
    )]
    OtherWords {
        /// The word.
        word: String,
        /// How often it was found.
        got: u64,
        /// How often the model knows of it.
        expected: u64,
    },
    /// A level with nothing to draw from.
    #[error(
        "{level} has {units} {what}: drawn from, it would always be the same\n  expected: two or more\n  way out: cut the texts into smaller documents, or choose a smaller --unit"
    )]
    TooFewUnits {
        /// The level.
        level: String,
        /// Its units.
        units: usize,
        /// What the units are.
        what: String,
    },
    /// A level whose units have nothing to change places with.
    #[error(
        "each of the {units} {what}s of {level} is alone in its combination of levels: drawn within those, it would always be the \
         same\n  expected: two or more in one of them\n  way out: --within nothing, which draws {what}s from all of the corpus, or a model with fewer factors"
    )]
    Alone {
        /// The level.
        level: String,
        /// Its units.
        units: usize,
        /// What the units are.
        what: &'static str,
    },
    /// A unit in two levels where it may be in one only.
    #[error(
        "the unit '{unit}' is in {first} and in {second}, so it cannot {what}\n  expected: units that lie in one of them\n  way out: {way_out}"
    )]
    Crosses {
        /// The unit.
        unit: String,
        /// One level.
        first: String,
        /// Another.
        second: String,
        /// What cannot be done with it.
        what: &'static str,
        /// What would help.
        way_out: &'static str,
    },
    /// Labels that cannot change places.
    #[error(
        "no unit can change its level of {factor}: wherever units may be exchanged they have the same\n  expected: two levels among the units of a stratum\n  way out: fewer --within, or a smaller --unit"
    )]
    NothingToShuffle {
        /// The factor.
        factor: String,
    },
    /// A folder of something else.
    #[error(
        "{} is not a folder of replicates: {problem}\n  expected: what covec bootstrap or covec permute made", path.display()
    )]
    NotReplicates {
        /// Where.
        path: PathBuf,
        /// What is wrong.
        problem: String,
    },
    /// A replicate that cannot be used.
    #[error(
        "{}: {problem}\n  expected: a whole replicate of this model\n  way out: remove it and run covec {stage} again as before: it makes what is missing", path.display()
    )]
    DamagedReplicate {
        /// Which.
        path: PathBuf,
        /// What is wrong.
        problem: String,
        /// What made it.
        stage: String,
    },
    /// A folder that another run began.
    #[error(
        "{} holds replicates of another run: {field} was {there}, now it is {now}\n  expected: the same run, to go on with it\n  way out: go on as it was begun, choose another output, or replace it with --force", path.display()
    )]
    OtherRun {
        /// Where.
        path: PathBuf,
        /// What differs.
        field: &'static str,
        /// What it was.
        there: String,
        /// What it is now.
        now: String,
    },
    /// Replicates of another model.
    #[error(
        "{} was drawn for another model than this one\n  expected: replicates of the model {ours}\n  got: of the model {theirs}\n  way out: run covec {stage} again for this model", path.display()
    )]
    OtherModel {
        /// Where.
        path: PathBuf,
        /// Digest of the model.
        ours: String,
        /// Digest of theirs.
        theirs: String,
        /// What made it.
        stage: String,
    },
    /// Too few replicates to say anything so sure.
    #[error(
        "{} has {got} replicates, too few for intervals of {percent} %\n  expected: at least {least}\n  way out: covec bootstrap again with -B {least} or more (it goes on with what is there), or a lower --confidence", path.display()
    )]
    TooFewReplicates {
        /// Where.
        path: PathBuf,
        /// How many there are.
        got: usize,
        /// How many are needed.
        least: usize,
        /// The confidence asked for.
        percent: f64,
    },
    /// A question that these replicates cannot answer.
    #[error("{problem}\n  expected: {expected}\n  way out: {way_out}")]
    Question {
        /// What is wrong.
        problem: String,
        /// What would be right.
        expected: String,
        /// What would help.
        way_out: String,
    },
    /// The observer asked to stop.
    #[error(
        "interrupted; {done} of {of} replicates are kept in {}\n  go on with: the same command again", folder.display()
    )]
    Interrupted {
        /// Where.
        folder: PathBuf,
        /// Replicates that are there.
        done: usize,
        /// Replicates that were asked for.
        of: usize,
    },
}
