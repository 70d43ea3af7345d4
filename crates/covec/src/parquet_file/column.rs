//! Columns of Parquet files, encoded by what we know of them.
//!
//! The general encoders look at every value, and ask for memory that is given back when it is in the file. Here numbers that rise are
//! written as differences and places in a dictionary side by side, many at a time, into memory that is used again.
//! What is written is plain Parquet (encodings DELTA_BINARY_PACKED, RLE_DICTIONARY and PLAIN).

use std::io::Write;
use std::sync::{Mutex, PoisonError};

use bytes::Bytes;
use parquet::basic::{Compression, Encoding};
use parquet::column::page::{CompressedPage, Page, PageWriter};
use parquet::errors::ParquetError;
use parquet::file::metadata::ColumnChunkMetaData;
use parquet::file::statistics::Statistics;
use parquet::file::writer::{SerializedPageWriter, TrackedWrite};
use parquet::schema::types::ColumnDescPtr;

use super::packing::{BLOCK, MINI, ROOM, pack, pack_narrow};

/// A column's part of a row group.
#[derive(Debug)]
pub(crate) struct Encoded {
    /// Its bytes, one piece after the other.
    pub(crate) pieces: Vec<Bytes>,
    /// What the file must know of it; offsets are from its own beginning on.
    pub(crate) about: ColumnChunkMetaData,
}

/// Memory of pages that are in the file. To fill memory that is fresh takes longer than to make a page.
#[derive(Debug, Default)]
pub(crate) struct Spare(Mutex<Vec<Vec<u8>>>);

impl Spare {
    /// Smaller pages are not worth it.
    const LEAST: usize = 1 << 16;
    /// Pages have room for multiples of this.
    const ROUND: usize = 1 << 22;

    /// An empty page with room for so many bytes.
    pub(crate) fn page(&self, room: usize) -> Vec<u8> {
        if room < Self::LEAST {
            return Vec::with_capacity(room);
        }
        let mut spare = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match spare.iter().position(|page| page.capacity() >= room) {
            Some(fits) => {
                let mut page = spare.swap_remove(fits);
                page.clear();
                page
            }
            // Rounded up, so that others find room in it too; what is not written to costs nothing.
            None => Vec::with_capacity(room.next_multiple_of(Self::ROUND)),
        }
    }

    /// Takes a page back that nobody needs any more.
    pub(crate) fn give(&self, page: Bytes) {
        if page.len() >= Self::LEAST && page.is_unique() {
            let mut spare = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            spare.push(page.into());
        }
    }
}

/// Numbers that mostly rise: each as its difference to the one before.
#[inline(always)]
pub(crate) fn rising<'a, I: Copy + Into<u32> + 'a>(
    column: &ColumnDescPtr,
    spare: &Spare,
    parts: impl Iterator<Item = &'a [I]> + Clone,
) -> Result<Encoded, ParquetError> {
    let total: usize = parts.clone().map(<[I]>::len).sum();
    let first = parts.clone().find_map(|part| part.first()).map_or(0, |&first| first.into());
    let mut page = spare.page(total * 2 + total / 4 + 64);
    varint(&mut page, BLOCK as u64);
    varint(&mut page, (BLOCK / MINI) as u64);
    varint(&mut page, total as u64);
    zigzag(&mut page, first as i32);
    // The id before, and those of a block.
    let mut ids = [0; 1 + BLOCK];
    let mut filled = 0;
    for mut part in parts {
        while !part.is_empty() {
            let (here, later) = part.split_at(part.len().min(1 + BLOCK - filled));
            let room = ids[filled..].iter_mut();
            room.zip(here).for_each(|(id, &column)| *id = column.into());
            filled += here.len();
            part = later;
            if filled == 1 + BLOCK {
                steps(&mut page, &ids, BLOCK);
                ids[0] = ids[BLOCK];
                filled = 1;
            }
        }
    }
    if filled > 1 {
        steps(&mut page, &ids, filled - 1);
    }
    let pages = Pages { dictionary: None, data: page, encoding: Encoding::DELTA_BINARY_PACKED };
    pages.write(column, total, None)
}

/// A block of differences, of which `len` count.
#[inline(always)]
fn steps(page: &mut Vec<u8>, ids: &[u32; 1 + BLOCK], len: usize) {
    let mut steps = [0_i32; BLOCK];
    for (step, pair) in steps.iter_mut().zip(ids.windows(2)) {
        *step = pair[1].wrapping_sub(pair[0]) as i32;
    }
    let least = steps[..len].iter().copied().min().unwrap_or(0);
    zigzag(page, least);
    let mut above = [[0_u32; MINI]; BLOCK / MINI];
    for (above, step) in above.as_flattened_mut().iter_mut().zip(&steps[..len]) {
        *above = step.wrapping_sub(least) as u32;
    }
    let widths = above.map(|mini| bits(u64::from(mini.iter().fold(0, |all, step| all | step))));
    page.extend(widths.map(|width| width as u8));
    // Miniblocks that are all beyond the end are left out.
    pack(page, above.into_iter().zip(widths).take(len.div_ceil(MINI)));
}

/// Room for so many numbers, and as many zeros as fill the last [`BLOCK`]. What else is in it is not
/// cleared.
pub(crate) fn room_for(indices: &mut Vec<u16>, total: usize) -> &mut [u16] {
    let end = total.next_multiple_of(BLOCK);
    if indices.len() < end {
        indices.resize(end, 0);
    }
    indices[total..end].fill(0);
    &mut indices[..total]
}

/// A page of places in a dictionary, `total` of `width` bits each, which lie in [`room_for`] them.
#[inline(always)]
pub(crate) fn packed(indices: &[u16], total: usize, width: usize, spare: &Spare) -> Vec<u8> {
    let eights = total.div_ceil(8);
    let mut page = spare.page((total + BLOCK) * width / 8 + 16);
    page.push(width as u8);
    varint(&mut page, (eights as u64) << 1 | 1);
    let end = page.len() + eights * width;
    let mut room = [0; ROOM];
    for block in indices[..total.next_multiple_of(BLOCK)].as_chunks::<BLOCK>().0 {
        pack_narrow(&mut room, block, width);
        page.extend_from_slice(&room[..BLOCK / 8 * width]);
    }
    // The last block may have been fewer: whole groups of 8 are what was promised.
    page.truncate(end);
    page
}

/// The pages of a column's part of a row group.
pub(crate) struct Pages {
    /// Its bytes, and how many values it holds.
    pub(crate) dictionary: Option<(Vec<u8>, usize)>,
    pub(crate) data: Vec<u8>,
    pub(crate) encoding: Encoding,
}

impl Pages {
    pub(crate) fn write(
        self,
        column: &ColumnDescPtr,
        values: usize,
        statistics: Option<Statistics>,
    ) -> Result<Encoded, ParquetError> {
        let mut pieces = Vec::new();
        let mut encodings = vec![self.encoding];
        let has_dictionary = self.dictionary.is_some();
        if let Some((entries, len)) = self.dictionary {
            let buf = Bytes::from(entries);
            let page = Page::DictionaryPage {
                buf: buf.clone(),
                num_values: len as u32,
                encoding: Encoding::PLAIN,
                is_sorted: false,
            };
            pieces.extend([head(page)?, buf]);
            encodings.push(Encoding::PLAIN);
        }
        let size = |pieces: &[Bytes]| pieces.iter().map(Bytes::len).sum::<usize>() as i64;
        let data_offset = size(&pieces);
        let buf = Bytes::from(self.data);
        let page = Page::DataPage {
            buf: buf.clone(),
            num_values: values as u32,
            encoding: self.encoding,
            def_level_encoding: Encoding::RLE,
            rep_level_encoding: Encoding::RLE,
            statistics: None,
        };
        pieces.extend([head(page)?, buf]);
        let mut about = ColumnChunkMetaData::builder(column.clone())
            .set_compression(Compression::UNCOMPRESSED)
            .set_encodings(encodings)
            .set_total_compressed_size(size(&pieces))
            .set_total_uncompressed_size(size(&pieces))
            .set_num_values(values as i64)
            .set_data_page_offset(data_offset)
            .set_dictionary_page_offset(has_dictionary.then_some(0));
        if let Some(statistics) = statistics {
            about = about.set_statistics(statistics);
        }
        Ok(Encoded { pieces, about: about.build()? })
    }
}

/// What stands before a page.
fn head(page: Page) -> Result<Bytes, ParquetError> {
    let len = page.buffer().len();
    let mut sink = TrackedWrite::new(Beginning(Vec::new()));
    let mut writer = SerializedPageWriter::new(&mut sink);
    let written = writer.write_page(CompressedPage::new(page, len))?.bytes_written as usize;
    writer.close()?;
    let mut head = sink.into_inner()?.0;
    head.truncate(written - len);
    Ok(head.into())
}

/// Keeps the beginning of what is written, which holds the head of a page, so that the page itself
/// need not be copied.
struct Beginning(Vec<u8>);

impl Write for Beginning {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let room = 256_usize.saturating_sub(self.0.len());
        self.0.extend_from_slice(&bytes[..bytes.len().min(room)]);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Bits that this number needs.
pub(crate) fn bits(number: u64) -> usize {
    (u64::BITS - number.leading_zeros()) as usize
}

/// Seven bits a byte, lowest first.
pub(crate) fn varint(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// A number that may be negative, small ones short.
pub(crate) fn zigzag(out: &mut Vec<u8>, number: i32) {
    varint(out, u64::from(((number << 1) ^ (number >> 31)) as u32));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_take_as_many_bytes_as_they_need() {
        let mut out = Vec::new();
        varint(&mut out, 300);
        zigzag(&mut out, -1);
        zigzag(&mut out, i32::MIN);
        assert_eq!(out, [0xac, 0x02, 0x01, 0xff, 0xff, 0xff, 0xff, 0x0f]);
    }
}
