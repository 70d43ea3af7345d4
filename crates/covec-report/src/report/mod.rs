//! `covec report`: everything a model says of its corpus, on one page that needs no network.
//!
//! * **In:** a model; words to look at; the tensor and the corpus where they are at hand.
//! * **Out:** one HTML file. A file here is a section of the page: it asks the analyses
//!   ([`covec::analyse`]), and writes what they answer with what it means, and what it does not.
//! * **Invariants:** the same bytes at any number of threads, today and tomorrow; every text that
//!   is not our own is escaped; what is too rare to be spoken of is said to be so.
//! * **Cost:** for each level some products of all words with all words, `n² d`: that of `covec
//!   drift`. At most [`MOST_LEVELS`] levels are compared. Replicates are asked all of it again.

mod contents;
mod differences;
mod error;
mod evidence;
mod figures;
mod fit;
mod levels;
mod movers;
mod origin;
mod sheet;
mod sparsity;
mod specificity;
mod sure;
mod table;
mod topics;
mod word;
mod words;

use std::path::{Path, PathBuf};

use covec::analyse::{SupportParameters, View};
use covec::model::{Model, Need};
use covec::resample::Resamples;
use covec::tensor::Tensor;
use covec::{Progress, Work};

pub use error::ReportError;

use crate::file;
use sheet::Sheet;

/// Levels of all factors that are compared with the base; of more, those with the most words.
pub const MOST_LEVELS: usize = 24;

/// What the page is to hold.
#[derive(Debug, Clone)]
pub struct Asked<'a> {
    /// What the model is called.
    pub name: &'a str,
    /// Words with a section of their own; none for those that moved most.
    pub words: &'a [String],
    /// Rows of each list.
    pub rows: usize,
    /// How often a word must occur before anything is said of it.
    pub support: SupportParameters,
    /// What the model was trained on, for the coherence of its topics.
    pub tensor: Option<&'a Tensor>,
    /// What the model was counted from, for lines in which its words occur; may be empty.
    pub corpus: &'a [PathBuf],
    /// Replicates that say how sure it all is.
    pub resamples: Option<&'a Resamples>,
}

/// What all sections share.
struct Question<'a> {
    model: &'a Model,
    asked: &'a Asked<'a>,
    work: &'a Work<'a>,
    /// The levels that are compared, by factor.
    views: Vec<Vec<View>>,
}

/// The page.
///
/// # Errors
/// If a word is not the model's, the tensor is another model's, or the observer stops the work.
pub fn report(model: &Model, asked: &Asked<'_>, work: &Work<'_>) -> Result<String, ReportError> {
    asked.support.check().map_err(covec::Error::from)?;
    model.gives(Need::Topics, "report").map_err(covec::Error::from)?;
    for word in asked.words {
        model.word(word)?;
    }
    let question = Question { model, asked, work, views: compared(model) };
    let mut sheet = Sheet::new(&format!("{}: a report by covec", asked.name));
    contents::write(&question, &mut sheet);
    origin::write(&question, &mut sheet);
    fit::write(&question, &mut sheet)?;
    sure::write(&question, &mut sheet);
    levels::write(&question, &mut sheet)?;
    question.tell("topics", 0.05);
    topics::write(&question, &mut sheet)?;
    let moved = movers::ask(&question)?;
    movers::write(&question, &moved, &mut sheet)?;
    question.tell("words", 0.9);
    specificity::write(&question, &mut sheet)?;
    sparsity::write(&question, &mut sheet)?;
    words::write(&question, &moved, &mut sheet)?;
    Ok(sheet.finish())
}

impl Question<'_> {
    fn tell(&self, stage: &'static str, share: f64) {
        self.work.observer.progress(Progress { stage, share: Some(share), words: 0 });
    }

    fn least(&self) -> u64 {
        self.asked.support.min_support.0
    }

    /// All levels that are compared, factor after factor.
    fn compared(&self) -> impl Iterator<Item = &View> {
        self.views.iter().flatten()
    }

    /// A sentence where there are more levels than are compared.
    fn left_out(&self) -> Option<String> {
        let (all, compared) = (View::each(self.model).len(), self.compared().count());
        (all > compared).then(|| {
            format!("Of {all} levels the {compared} with the most words are compared here.")
        })
    }
}

/// The levels with the most words, in their order, by factor.
fn compared(model: &Model) -> Vec<Vec<View>> {
    let factors = &model.covariates.factors;
    let mut sizes: Vec<(u64, usize)> = factors
        .iter()
        .flat_map(|factor| factor.levels.iter().map(|level| level.tokens))
        .enumerate()
        .map(|(place, tokens)| (tokens, place))
        .collect();
    sizes.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
    sizes.truncate(MOST_LEVELS);
    let chosen = |view: &View| sizes.iter().any(|(_, place)| view.levels == [*place]);
    (0..factors.len())
        .map(|factor| View::of_factor(model, factor).into_iter().filter(chosen).collect())
        .collect()
}

/// What a model is called: its folder, by its own name; `model` says nothing, so then by that of the folder around it.
pub fn name_of(path: &Path) -> String {
    let whole = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let names = whole.ancestors().filter_map(Path::file_name).map(|name| name.to_string_lossy());
    let telling = names.clone().take(2).find(|name| name != "model");
    telling.or_else(|| names.clone().next()).map_or_else(|| "model".to_owned(), Into::into)
}

/// Whether [`save`] could write to `path`, as far as one can tell before the work.
///
/// # Errors
/// If its folder is missing, the name does not end in .html, or there is something already, which
/// only a file may be with `force`.
pub fn check_path(path: &Path, force: bool) -> Result<(), ReportError> {
    let ending = path.extension().map(std::ffi::OsStr::to_ascii_lowercase);
    if !ending.is_some_and(|ending| ending == "html" || ending == "htm") {
        return Err(ReportError::Ending(path.to_owned()));
    }
    file::parent(path)?;
    match !force && path.symlink_metadata().is_ok() {
        true => Err(ReportError::Exists(path.to_owned())),
        false => Ok(()),
    }
}

/// Writes a page: it is whole or not there.
///
/// # Errors
/// As for [`check_path`], and if the file cannot be written.
pub fn save(path: &Path, html: &str, force: bool) -> Result<(), ReportError> {
    check_path(path, force)?;
    Ok(file::write(path, html.as_bytes())?)
}
