//! A tensor folder that is being written.
//!
//! The entries take longest. With many levels the counts of the vocabulary are tens of megabytes; all
//! of the other files but the digest of the whole can be made beside the entries.

use std::path::Path;
use std::sync::{Arc, OnceLock};

use parquet::arrow::ArrowSchemaConverter;
use parquet::file::metadata::KeyValue;

use super::accumulator::Amount;
use super::conveyor::{Beside, Conveyor};
use super::covariates::Covariates;
use super::entries::schema;
use super::record::{self, Record};
use super::rows::Rows;
use super::seal::Seal;
use super::{COVARIATES, ENTRIES, RUN, TensorError, VOCABULARY};
use crate::Work;
use crate::artefact::Artefact;
use crate::error::{Error, IoContext, parquet_write};
use crate::vocabulary::{FINGERPRINT, Vocabulary};

/// What was written.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Written {
    pub(crate) entries: u64,
    /// Entries below the least value asked for.
    pub(crate) dropped: u64,
    pub(crate) total: f64,
    pub(crate) by_cell: Vec<u64>,
    /// The digest that ties the folder together.
    pub(crate) fingerprint: String,
}

/// A folder of which the entries are still to be written.
pub(crate) struct Folder<'a> {
    path: &'a Path,
    vocabulary: &'a Vocabulary,
    covariates: &'a Covariates,
}

/// Writes a tensor folder: `write_entries` has the folder write its entries and says how they came to be.
pub(crate) fn write_folder(
    artefact: Artefact,
    vocabulary: &Vocabulary,
    covariates: &Covariates,
    write_entries: impl FnOnce(&Folder<'_>) -> Result<Record, Error>,
) -> Result<Record, Error> {
    let path = artefact.content();
    std::fs::create_dir(path).at("make", path)?;
    let record = write_entries(&Folder { path, vocabulary, covariates })?;
    record::write_json(&path.join(COVARIATES), covariates)?;
    record::write_json(&path.join(RUN), &record)?;
    artefact.finish()?;
    Ok(record)
}

impl Folder<'_> {
    /// Makes every row and writes it, and the vocabulary beside. `value` turns amounts into what is
    /// stored; smaller than `least` is dropped.
    pub(crate) fn entries<R: Rows>(
        &self,
        rows: &R,
        value: &(dyn Fn(<R::Amount as Amount>::Wide) -> f64 + Sync),
        least: f64,
        work: &Work<'_>,
    ) -> Result<Written, Error> {
        let path = &self.path.join(ENTRIES);
        let schema = ArrowSchemaConverter::new().convert(&schema()).map_err(parquet_write(path))?;
        let make_seal = || Seal::new(self.vocabulary, self.covariates);
        let write_words = || {
            let levels = self.covariates.level_names();
            self.vocabulary.write_columns(&self.path.join(VOCABULARY), &levels)
        };
        let (seal, words) = (OnceLock::new(), OnceLock::new());
        let beside: [Beside<'_>; 2] = [
            &|| {
                seal.get_or_init(make_seal);
                Ok(())
            },
            &|| {
                // Each job is done once, so the place is free.
                let _ = words.set(write_words()?);
                Ok(())
            },
        ];
        let conveyor = Conveyor {
            rows,
            cells: self.covariates.cells.len(),
            value,
            least,
            path,
            schema: Arc::new(schema),
            beside: &beside,
            work,
        };
        let (writer, tally) = conveyor.run()?;
        work.proceed()?;
        if !tally.total.is_finite() {
            return Err(TensorError::TooLarge.into());
        }
        let entries = tally.by_cell.iter().sum();
        if entries == 0 {
            work.observer.note(&format!(
                "the tensor is empty: no two words stand near each other, or --min-entry dropped them ({} dropped)",
                tally.dropped
            ));
        }
        let fingerprint = seal.get_or_init(make_seal).of(entries, tally.total);
        let note = KeyValue::new(FINGERPRINT.to_owned(), fingerprint.clone());
        writer.finish(vec![note]).map_err(parquet_write(path))?;
        words.into_inner().map_or_else(write_words, Ok)?.sign(&fingerprint)?;
        let (dropped, total, by_cell) = (tally.dropped, tally.total, tally.by_cell);
        Ok(Written { entries, dropped, total, by_cell, fingerprint })
    }
}
