//! `vocabulary.parquet`: id, word, count, documents, then a column `factor=level` for every level.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::UInt64Array;
use arrow_array::cast::AsArray;
use arrow_array::types::{UInt32Type, UInt64Type};
use arrow_schema::{DataType, Field, Schema};
use parquet::arrow::ArrowSchemaConverter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::basic::Encoding;
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::schema::types::ColumnDescPtr;

use super::{Vocabulary, VocabularyError};
use crate::error::{Error, IoContext, parquet_write};
use crate::parquet_file::column::{Encoded, Pages, Spare, rising};
use crate::parquet_file::groups::GroupWriter;
use crate::parquet_file::{self, guarded};

/// Key under which a file names the tensor it belongs to.
pub(crate) const FINGERPRINT: &str = "covec.fingerprint";
/// Words of a row group.
const GROUP: usize = 1 << 20;

/// A column of counts. Words are sorted by count, so counts differ little from one to the next: with a hundred levels, packed as
/// differences here they take a tenth of the time that the library's own encoder and compression took.
fn numbers(column: &ColumnDescPtr, all: &[u64], spare: &Spare) -> Result<Encoded, ParquetError> {
    let narrow =
        all.iter().map(|&n| i32::try_from(n).map(|n| n as u32)).collect::<Result<Vec<_>, _>>();
    match narrow {
        Ok(narrow) => rising(column, spare, [&narrow[..]].into_iter()),
        Err(_) => plain(column, all.iter().flat_map(|n| n.to_le_bytes()).collect(), all.len()),
    }
}

/// A column of words.
fn texts(column: &ColumnDescPtr, words: &[String]) -> Result<Encoded, ParquetError> {
    let mut bytes = Vec::new();
    for word in words {
        bytes.extend_from_slice(&(word.len() as u32).to_le_bytes());
        bytes.extend_from_slice(word.as_bytes());
    }
    plain(column, bytes, words.len())
}

fn plain(column: &ColumnDescPtr, data: Vec<u8>, len: usize) -> Result<Encoded, ParquetError> {
    Pages { dictionary: None, data, encoding: Encoding::PLAIN }.write(column, len, None)
}

/// A file that does not say yet what it belongs to.
#[derive(Debug)]
pub(crate) struct Unsigned {
    path: PathBuf,
    writer: GroupWriter,
}

impl Unsigned {
    /// Writes the end of the file.
    pub(crate) fn sign(self, fingerprint: &str) -> Result<(), Error> {
        let fingerprint = KeyValue::new(FINGERPRINT.to_owned(), fingerprint.to_owned());
        self.writer.finish(vec![fingerprint]).map_err(parquet_write(&self.path))
    }
}

impl Vocabulary {
    /// Writes the file; `levels` names the columns of the counts per level.
    pub(crate) fn write(
        &self,
        path: &Path,
        levels: &[String],
        fingerprint: &str,
    ) -> Result<(), Error> {
        self.write_columns(path, levels)?.sign(fingerprint)
    }

    /// Writes the file but for its end, which names what it belongs to.
    pub(crate) fn write_columns(&self, path: &Path, levels: &[String]) -> Result<Unsigned, Error> {
        let mut fields = vec![
            Field::new("id", DataType::UInt32, false),
            Field::new("word", DataType::Utf8, false),
            Field::new("count", DataType::UInt64, false),
            Field::new("documents", DataType::UInt64, false),
        ];
        fields.extend(levels.iter().map(|level| Field::new(level, DataType::UInt64, false)));
        let schema = ArrowSchemaConverter::new().convert(&Schema::new(fields));
        let schema = Arc::new(schema.map_err(parquet_write(path))?);
        let file = File::create(path).at("create", path)?;
        let mut writer = GroupWriter::new(file, Arc::clone(&schema)).at("write", path)?;
        let spare = Spare::default();
        for (group, words) in self.words.chunks(GROUP).enumerate() {
            let here = group * GROUP..group * GROUP + words.len();
            let ids: Vec<u64> = here.clone().map(|id| id as u64).collect();
            let first = [numbers(&schema.column(0), &ids, &spare), texts(&schema.column(1), words)];
            let counts = [&self.counts, &self.documents].into_iter().chain(&self.level_counts);
            // One after the other: with many levels all of them at once are much memory.
            let counts = counts
                .zip(2..)
                .map(|(counts, at)| numbers(&schema.column(at), &counts[here.clone()], &spare));
            let columns = first.into_iter().chain(counts);
            writer.append(columns, &spare).map_err(parquet_write(path))?;
        }
        Ok(Unsigned { path: path.to_owned(), writer })
    }

    /// Reads the file and the fingerprint in it, and checks every promise of the format.
    pub(crate) fn read(path: &Path, levels: &[String]) -> Result<(Self, String), Error> {
        let refuse = |problem: String| VocabularyError::File { path: path.to_owned(), problem };
        let file = File::open(path).at("read", path)?;
        let metadata = parquet_file::open(&file).map_err(refuse)?;
        let builder = ParquetRecordBatchReaderBuilder::new_with_metadata(file, metadata);
        let fingerprint = builder
            .metadata()
            .file_metadata()
            .key_value_metadata()
            .and_then(|pairs| pairs.iter().find(|pair| pair.key == FINGERPRINT))
            .and_then(|pair| pair.value.clone())
            .unwrap_or_default();
        let names: Vec<String> =
            builder.schema().fields().iter().map(|f| f.name().clone()).collect();
        let wanted: Vec<&str> = ["id", "word", "count", "documents"]
            .into_iter()
            .chain(levels.iter().map(String::as_str))
            .collect();
        if names != wanted {
            let missing = wanted.iter().find(|name| !names.iter().any(|n| n == *name));
            return Err(refuse(match missing {
                Some(name) => format!("no column '{name}' (columns there: {})", names.join(", ")),
                None => format!("columns are {}, expected {}", names.join(", "), wanted.join(", ")),
            })
            .into());
        }
        let mut reader = guarded(|| builder.build()).map_err(refuse)?;
        let mut this = Self { level_counts: vec![Vec::new(); levels.len()], ..Self::default() };
        while let Some(batch) = guarded(|| reader.next().transpose()).map_err(refuse)? {
            if batch.columns().iter().any(|column| column.null_count() > 0) {
                return Err(refuse("an empty cell".to_owned()).into());
            }
            let number = |column: usize| -> Result<&UInt64Array, Error> {
                batch.column(column).as_primitive_opt::<UInt64Type>().ok_or_else(|| {
                    refuse(format!("column '{}' does not hold unsigned numbers", names[column]))
                        .into()
                })
            };
            let ids = batch.column(0).as_primitive_opt::<UInt32Type>();
            let words = batch.column(1).as_string_opt::<i32>();
            let (Some(ids), Some(words)) = (ids, words) else {
                return Err(
                    refuse("columns 'id' and 'word' are not of their types".to_owned()).into()
                );
            };
            let first = this.words.len();
            if ids.values().iter().enumerate().any(|(i, &id)| id as usize != first + i) {
                return Err(refuse("ids do not run from 0 on".to_owned()).into());
            }
            this.words.extend(words.iter().flatten().map(str::to_owned));
            this.counts.extend_from_slice(number(2)?.values());
            this.documents.extend_from_slice(number(3)?.values());
            for (level, counts) in this.level_counts.iter_mut().enumerate() {
                counts.extend_from_slice(number(4 + level)?.values());
            }
        }
        // With many levels these are most of a vocabulary.
        this.level_counts.iter_mut().for_each(Vec::shrink_to_fit);
        let mut sorted: Vec<&str> = this.words.iter().map(String::as_str).collect();
        sorted.sort_unstable();
        if let Some(twice) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(refuse(format!("the word '{}' stands twice", twice[0])).into());
        }
        Ok((this, fingerprint))
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use proptest::prelude::*;

    use super::*;

    fn read_back(vocabulary: &Vocabulary) -> (Vocabulary, String) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("vocabulary.parquet");
        let levels: Vec<String> =
            (0..vocabulary.level_counts.len()).map(|level| format!("of={level}")).collect();
        vocabulary.write(&path, &levels, "a fingerprint").unwrap();
        Vocabulary::read(&path, &levels).unwrap()
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(
            words in proptest::collection::btree_set("[a-zé '\u{10000}]{0,9}", 0..300),
            levels in 0_usize..4,
            // Beyond 31 bits the counts cannot be written as differences.
            most in prop::sample::select(vec![1, 1000, i32::MAX as u64, 1 << 31, u64::MAX / 2]),
            seed in any::<u64>(),
        ) {
            let count = |i: usize| (i as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(seed) % most;
            let counts = |first: usize| (first..first + words.len()).map(count).collect::<Vec<_>>();
            let vocabulary = Vocabulary {
                counts: counts(0),
                documents: counts(7),
                level_counts: (0..levels).map(|level| counts(1000 * level)).collect(),
                words: words.iter().cloned().collect(),
            };
            prop_assert_eq!(read_back(&vocabulary), (vocabulary, "a fingerprint".to_owned()));
        }
    }

    #[test]
    fn more_words_than_a_row_group_has_are_read_too() {
        let len = GROUP + 3;
        let vocabulary = Vocabulary {
            words: (0..len).map(|i| format!("w{i}")).collect(),
            counts: (0..len as u64).rev().collect(),
            documents: vec![1; len],
            level_counts: vec![(0..len as u64).map(|i| i % 5).collect()],
        };
        assert!(read_back(&vocabulary).0 == vocabulary);
    }
}
