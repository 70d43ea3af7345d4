//! What the demo tells, piece by piece, on standard output.

use std::time::Duration;

use covec::Work;
use covec::analyse::drift::DriftParameters;
use covec::analyse::neighbors::neighbors;
use covec::analyse::{SupportParameters, View, moved};
use covec::model::Model;
use covec::resample::{Resamples, SureParameters};
use covec::tensor::Tensor;
use covec::tensor::collocates::{self, CollocateParameters};
use covec::vocabulary::VocabularyParameters;
use serde_json::json;

use super::shell;
use crate::commands::collocates::{LEGEND, side_by_side};
use crate::commands::drift;
use crate::commands::neighbors::{LEGEND as NEAREST, side_by_side as nearest};
use crate::failure::Failure;
use crate::screen::Screen;
use crate::table::{Format, Printed, Table, print, thousands};

/// Collocates that are shown of a word in a level.
pub(super) const ROWS: usize = 8;

/// Gathers lines until there is a result to show with them.
#[derive(Debug, Default)]
pub(super) struct Account {
    waiting: String,
}

impl Account {
    pub(super) fn line(&mut self, text: &str) {
        self.waiting += text;
        self.waiting.push('\n');
    }

    pub(super) fn title(&mut self, text: &str) {
        self.line(text);
        self.line(&"═".repeat(text.chars().count()));
    }

    /// A command line that does the same.
    pub(super) fn command(&mut self, arguments: &str) {
        self.line(&format!("\n$ {} {arguments}", shell::program()));
    }

    /// What was read, and the levels.
    pub(super) fn counted(&mut self, tensor: &Tensor, time: Duration) -> Result<(), Failure> {
        if let Some(corpus) = &tensor.record.corpus {
            self.line(&format!(
                "{} documents, {} words; {} different ones occur {} times or more and are kept.",
                thousands(corpus.documents),
                thousands(corpus.tokens),
                thousands(tensor.vocabulary.len() as u64),
                VocabularyParameters::MIN_COUNT,
            ));
        }
        self.line(&format!(
            "{} counts of two words near each other in a group of documents; {:.1} s.\n",
            thousands(tensor.record.entries.stored),
            time.as_secs_f64()
        ));
        let mut table = Table::new(["factor", "level", "documents", "words"]);
        for factor in &tensor.covariates.factors {
            for (index, level) in factor.levels.iter().enumerate() {
                let name = if index == 0 { factor.name.as_str() } else { "" };
                table.push(vec![
                    json!(name),
                    json!(level.name),
                    json!(level.documents),
                    json!(level.tokens),
                ]);
            }
        }
        self.waiting += &table.text(Format::Table, usize::MAX)?;
        self.flush()
    }

    /// What stands near these words in each level of the first factor.
    pub(super) fn collocates(
        &mut self,
        tensor: &Tensor,
        words: &[String],
        screen: &Screen,
        work: &Work<'_>,
    ) -> Result<(), Failure> {
        self.command(&format!(
            "collocates {} {} -n {ROWS}",
            shell::quoted(&tensor.path),
            words.join(" ")
        ));
        let lists = collocates::find(tensor, words, &[], &CollocateParameters::default(), work)?;
        screen.clear();
        self.waiting += &side_by_side(&lists, ROWS)?;
        self.line(LEGEND);
        self.flush()
    }

    /// How training went, in two lines.
    pub(super) fn trained(&mut self, model: &Model, time: Duration) {
        let training = &model.record.training;
        let held_out = training.sweeps.last().and_then(|sweep| sweep.held_out);
        self.line(&format!(
            "{} words and {} levels in {} dimensions; {} sweeps, {:.1} s.",
            thousands(model.vocabulary.len() as u64),
            model.levels(),
            model.dim,
            training.sweeps.len(),
            time.as_secs_f64()
        ));
        if let Some(held_out) = held_out {
            self.line(&format!(
                "Counts it was not shown are predicted to within a factor of {:.2} (weighted root mean square).",
                held_out.sqrt().exp()
            ));
        }
    }

    /// The nearest words, by era.
    pub(super) fn neighbors(
        &mut self,
        model: &Model,
        path: &std::path::Path,
        words: &[&str],
        work: &Work<'_>,
    ) -> Result<(), Failure> {
        self.command(&format!("neighbors {} {} -n {ROWS}", shell::quoted(path), words.join(" ")));
        let mut views = vec![View::base()];
        views.extend(View::of_factor(model, 0));
        let support = SupportParameters::default();
        for word in words {
            let rows = neighbors(model, word, &views, ROWS, &support, work)?.rows;
            self.waiting += &nearest(model, word, &views, &rows, &support)?;
        }
        self.line(NEAREST);
        self.flush()
    }

    /// What moved most in the last level of the first factor.
    pub(super) fn drift(
        &mut self,
        model: &Model,
        path: &std::path::Path,
        work: &Work<'_>,
    ) -> Result<(), Failure> {
        let Some(to) = View::of_factor(model, 0).pop() else { return Ok(()) };
        let from = View::base();
        self.command(&format!("drift {} --in {} -n {ROWS}", shell::quoted(path), to.name));
        let support = SupportParameters::default();
        let parameters = DriftParameters::default();
        let mut words = moved::words(model, &from, &to, &parameters, &support, work)?.rows;
        words.truncate(ROWS);
        let pairs = moved::pairs(model, &from, &to, ROWS, &support, work)?.rows;
        self.waiting += &drift::told(&from, &to, &words, &pairs)?;
        self.line(drift::LEGEND);
        self.flush()
    }

    /// Whose company shifted by more than chance, level by level.
    pub(super) fn shifted(
        &mut self,
        model: &Model,
        path: &std::path::Path,
        shuffled: &std::path::Path,
    ) -> Result<(), Failure> {
        let sure = SureParameters::default();
        let resamples = Resamples::open(&[shuffled.to_owned()], model, &sure)?;
        let views = View::of_factor(model, 0);
        let levels: Vec<usize> = views.iter().flat_map(|view| view.levels.clone()).collect();
        let mut found = resamples.shifted(model, &levels)?.unwrap_or_default();
        found.sort_by(|a, b| b.score.total_cmp(&a.score));
        self.command(&format!(
            "drift {} --boot {} -n {ROWS}",
            shell::quoted(path),
            shell::quoted(shuffled)
        ));
        for view in views {
            let own = || found.iter().filter(|row| view.levels == [row.level]);
            let sure: Vec<&str> = own()
                .filter(|row| row.q <= 0.1)
                .map(|row| model.vocabulary.words[row.word].as_str())
                .collect();
            self.line(&format!(
                "{}: {} of {} words keep other company than elsewhere (q ≤ 0.1){}{}",
                view.name,
                thousands(sure.len() as u64),
                thousands(own().count() as u64),
                if sure.is_empty() { "" } else { ": " },
                sure[..sure.len().min(ROWS)].join(", ")
            ));
        }
        self.flush()
    }

    /// What the user may try now.
    pub(super) fn next(&mut self, commands: &[String]) -> Result<(), Failure> {
        self.line("\nTry next:");
        for arguments in commands {
            self.line(&format!("  {} {arguments}", shell::program()));
        }
        self.flush()
    }

    /// Prints what has been gathered.
    pub(super) fn flush(&mut self) -> Result<(), Failure> {
        print(&std::mem::take(&mut self.waiting))
    }
}
