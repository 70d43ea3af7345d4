//! `vocabulary.parquet`: id, word, count, documents, then a column `factor=level` for every level.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::types::{UInt32Type, UInt64Type};
use arrow_array::{ArrayRef, RecordBatch, StringArray, UInt32Array, UInt64Array};
use arrow_schema::{DataType, Field, Schema};
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::schema::types::ColumnPath;

use super::{Vocabulary, VocabularyError};
use crate::error::{Error, IoContext, parquet_write};
use crate::parquet_file::{self, guarded};

/// Key under which a file names the tensor it belongs to.
pub(crate) const FINGERPRINT: &str = "covec.fingerprint";

impl Vocabulary {
    /// Writes the file; `levels` names the columns of the counts per level.
    pub(crate) fn write(
        &self,
        path: &Path,
        levels: &[String],
        fingerprint: &str,
    ) -> Result<(), Error> {
        let mut fields = vec![
            Field::new("id", DataType::UInt32, false),
            Field::new("word", DataType::Utf8, false),
            Field::new("count", DataType::UInt64, false),
            Field::new("documents", DataType::UInt64, false),
        ];
        fields.extend(levels.iter().map(|level| Field::new(level, DataType::UInt64, false)));
        let schema = Arc::new(Schema::new(fields));
        // Counts of words that are sorted by count differ little from one to the next; packed as
        // differences there is far less to compress.
        let mut properties = WriterProperties::builder();
        for field in schema.fields().iter().filter(|field| field.data_type().is_integer()) {
            let column = ColumnPath::from(field.name().clone());
            properties = properties.set_column_encoding(column, Encoding::DELTA_BINARY_PACKED);
        }
        let properties = properties
            .set_compression(Compression::ZSTD(ZstdLevel::default()))
            .set_statistics_enabled(EnabledStatistics::None)
            .set_dictionary_enabled(false)
            .set_created_by(crate::CREATED_BY.to_owned())
            .set_key_value_metadata(Some(vec![KeyValue::new(
                FINGERPRINT.to_owned(),
                fingerprint.to_owned(),
            )]))
            .build();
        let file = File::create(path).at("create", path)?;
        let mut writer = ArrowWriter::try_new(file, Arc::clone(&schema), Some(properties))
            .map_err(parquet_write(path))?;
        let mut columns: Vec<ArrayRef> = vec![
            Arc::new(UInt32Array::from_iter_values(0..self.len() as u32)),
            Arc::new(StringArray::from_iter_values(&self.words)),
            Arc::new(UInt64Array::from_iter_values(self.counts.iter().copied())),
            Arc::new(UInt64Array::from_iter_values(self.documents.iter().copied())),
        ];
        for counts in &self.level_counts {
            columns.push(Arc::new(UInt64Array::from_iter_values(counts.iter().copied())));
        }
        let batch = RecordBatch::try_new(schema, columns)
            .map_err(|e| Error::io("write", path, std::io::Error::other(e)))?;
        writer.write(&batch).map_err(parquet_write(path))?;
        writer.close().map_err(parquet_write(path))?;
        Ok(())
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
