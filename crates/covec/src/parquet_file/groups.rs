//! A Parquet file of row groups that are encoded already.
//!
//! Their bytes go to the file as they are; the library's own writer copies each four times on the
//! way. What the end of the file says of them is still written by the library.

use std::fs::File;
use std::io::Write;
use std::sync::Arc;

use parquet::errors::ParquetError;
use parquet::file::metadata::{
    FileMetaData, KeyValue, ParquetMetaData, ParquetMetaDataWriter, RowGroupMetaData,
};
use parquet::schema::types::SchemaDescPtr;

use super::column::{Encoded, Spare};

/// What a Parquet file begins with.
const MAGIC: &[u8] = b"PAR1";
/// The version of the format whose encodings are used.
const VERSION: i32 = 1;

#[derive(Debug)]
pub(crate) struct GroupWriter {
    file: File,
    schema: SchemaDescPtr,
    /// Bytes that are in the file.
    end: u64,
    groups: Vec<RowGroupMetaData>,
}

impl GroupWriter {
    pub(crate) fn new(mut file: File, schema: SchemaDescPtr) -> std::io::Result<Self> {
        file.write_all(MAGIC)?;
        Ok(Self { file, schema, end: MAGIC.len() as u64, groups: Vec::new() })
    }

    /// Bytes that are in the file.
    pub(crate) fn end(&self) -> u64 {
        self.end
    }

    /// Writes a row group: its columns, each as soon as it is there. Their memory goes to `spare`.
    pub(crate) fn append(
        &mut self,
        columns: impl IntoIterator<Item = Result<Encoded, ParquetError>>,
        spare: &Spare,
    ) -> Result<(), ParquetError> {
        let start = self.end as i64;
        let mut rows = 0;
        let mut chunks = Vec::new();
        for column in columns {
            let Encoded { pieces, about } = column?;
            rows = about.num_values();
            let offset = self.end as i64;
            for piece in pieces {
                self.file.write_all(&piece)?;
                self.end += piece.len() as u64;
                spare.give(piece);
            }
            let data = offset + about.data_page_offset();
            let dictionary = about.dictionary_page_offset().map(|inside| offset + inside);
            let about = about.into_builder().set_data_page_offset(data);
            chunks.push(about.set_dictionary_page_offset(dictionary).build()?);
        }
        let mut group = RowGroupMetaData::builder(Arc::clone(&self.schema))
            .set_num_rows(rows)
            .set_total_byte_size(self.end as i64 - start)
            .set_file_offset(start)
            .set_column_metadata(chunks);
        if let Ok(number) = i16::try_from(self.groups.len()) {
            group = group.set_ordinal(number);
        }
        self.groups.push(group.build()?);
        Ok(())
    }

    /// Writes the end of the file.
    pub(crate) fn finish(mut self, notes: Vec<KeyValue>) -> Result<(), ParquetError> {
        let rows = self.groups.iter().map(RowGroupMetaData::num_rows).sum();
        let by = Some(crate::CREATED_BY.to_owned());
        let about = FileMetaData::new(VERSION, rows, by, Some(notes), self.schema, None);
        let mut end = Vec::new();
        ParquetMetaDataWriter::new(&mut end, &ParquetMetaData::new(about, self.groups)).finish()?;
        self.file.write_all(&end)?;
        Ok(())
    }
}
