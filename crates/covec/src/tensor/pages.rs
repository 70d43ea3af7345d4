//! Parquet pages of entries, encoded by what we know of them.
//!
//! The general encoders look at every value. But ids of rows and cells come in long runs, ids of
//! columns rise, and values are small multiples of a unit: so runs are written as runs, rising ids
//! as differences, and values as places in a dictionary that a table finds without hashing. On a
//! tensor with many levels, whose entries are many and small, writing them was a third of all time.
//! What is written is plain Parquet (encodings RLE_DICTIONARY, DELTA_BINARY_PACKED and PLAIN).

use std::collections::HashMap;

use bytes::Bytes;
use parquet::basic::{Compression, Encoding};
use parquet::column::page::{CompressedPage, Page, PageWriter};
use parquet::column::writer::ColumnCloseResult;
use parquet::errors::ParquetError;
use parquet::file::metadata::ColumnChunkMetaData;
use parquet::file::statistics::{Statistics, ValueStatistics};
use parquet::file::writer::{SerializedPageWriter, TrackedWrite};
use parquet::schema::types::ColumnDescPtr;

use super::accumulator::Amount;

/// A column's part of a row group: its bytes, and what the file must know of them.
pub(crate) type Encoded = (Bytes, ColumnCloseResult);

/// Beyond this many distinct values a dictionary saves nothing.
const MOST_DISTINCT: usize = Places::NONE as usize;

/// Ids that come in runs: value and length of each.
pub(crate) fn runs(
    column: &ColumnDescPtr,
    runs: impl Iterator<Item = (u32, usize)> + Clone,
) -> Result<Encoded, ParquetError> {
    let mut places: HashMap<u32, u32> = HashMap::new();
    let mut dictionary = Vec::new();
    let mut indices = Vec::new();
    let mut total = 0;
    for (value, len) in runs {
        let place = *places.entry(value).or_insert_with(|| {
            dictionary.extend_from_slice(&value.to_le_bytes());
            (dictionary.len() / 4 - 1) as u32
        });
        indices.push((place, len));
        total += len;
    }
    let width = bits(places.len().saturating_sub(1) as u64).max(1);
    let mut page = vec![width as u8];
    for (place, len) in indices {
        varint(&mut page, (len as u64) << 1);
        page.extend_from_slice(&place.to_le_bytes()[..width.div_ceil(8)]);
    }
    let ids = places.keys().map(|&id| id as i32);
    let (least, most) = (ids.clone().min(), ids.max());
    let statistics = ValueStatistics::new(least, most, None, Some(0), false).into();
    let pages = Pages {
        dictionary: Some((dictionary, places.len())),
        data: page,
        encoding: Encoding::RLE_DICTIONARY,
    };
    pages.write(column, total, Some(statistics))
}

/// Ids that mostly rise: each as its difference to the one before.
pub(crate) fn rising<'a>(
    column: &ColumnDescPtr,
    parts: impl Iterator<Item = &'a [u32]> + Clone,
) -> Result<Encoded, ParquetError> {
    let total: usize = parts.clone().map(<[u32]>::len).sum();
    let first = parts.clone().find_map(|part| part.first()).copied().unwrap_or(0);
    let mut page = Vec::with_capacity(total * 2 + total / 4 + 64);
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
            ids[filled..filled + here.len()].copy_from_slice(here);
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

/// Differences that share their least.
const BLOCK: usize = 128;
/// Differences that share their width.
const MINI: usize = 32;

/// A block of differences, of which `len` count.
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
    for (mini, width) in above.iter().zip(widths).take(len.div_ceil(MINI)) {
        pack(page, mini, width);
    }
}

/// Finds an amount's place in the dictionary of a row group.
#[derive(Debug)]
struct Places {
    /// For small amounts, by the amount itself.
    small: Vec<u16>,
    large: HashMap<u64, u16, foldhash::fast::FixedState>,
}

impl Places {
    const NONE: u16 = u16::MAX;

    fn new() -> Self {
        Self { small: vec![Self::NONE; 1 << 15], large: HashMap::default() }
    }

    /// The place of an amount; one that is new is put at the end. Wrong once too many differ.
    #[inline]
    fn find<A: Amount>(&mut self, amount: A, dictionary: &mut Vec<A>) -> u16 {
        let place = match self.small.get_mut(amount.to_bits() as usize) {
            Some(place) => place,
            None => self.large.entry(amount.to_bits()).or_insert(Self::NONE),
        };
        if *place == Self::NONE {
            *place = dictionary.len() as u16;
            dictionary.push(amount);
        }
        *place
    }
}

/// Amounts, as values: by their places in a dictionary, or plain where too many differ.
pub(crate) fn values<'a, A: Amount + 'a>(
    column: &ColumnDescPtr,
    amounts: impl Iterator<Item = &'a [A]> + Clone,
    value: &dyn Fn(A) -> f64,
) -> Result<Encoded, ParquetError> {
    let total: usize = amounts.clone().map(<[A]>::len).sum();
    let mut places = Places::new();
    let mut dictionary: Vec<A> = Vec::new();
    let mut indices: Vec<u16> = Vec::with_capacity(total + MINI);
    for part in amounts.clone() {
        if dictionary.len() > MOST_DISTINCT {
            break;
        }
        indices.extend(part.iter().map(|&amount| places.find(amount, &mut dictionary)));
    }
    let pages = if dictionary.len() > MOST_DISTINCT {
        let plain = amounts.flatten().flat_map(|&a| value(a).to_le_bytes()).collect();
        Pages { dictionary: None, data: plain, encoding: Encoding::PLAIN }
    } else {
        let width = bits(dictionary.len().saturating_sub(1) as u64).max(1);
        let eights = total.div_ceil(8);
        indices.resize(total.next_multiple_of(MINI), 0);
        let mut page = Vec::with_capacity(indices.len() * width / 8 + 16);
        page.push(width as u8);
        varint(&mut page, (eights as u64) << 1 | 1);
        let end = page.len() + eights * width;
        for part in indices.as_chunks::<MINI>().0 {
            pack(&mut page, &part.map(u32::from), width);
        }
        // The last 32 may have been fewer: whole groups of 8 are what was promised.
        page.truncate(end);
        let entries = dictionary.iter().flat_map(|&a| value(a).to_le_bytes()).collect();
        Pages {
            dictionary: Some((entries, dictionary.len())),
            data: page,
            encoding: Encoding::RLE_DICTIONARY,
        }
    };
    pages.write(column, total, None)
}

/// The pages of a column's part of a row group.
struct Pages {
    /// Its bytes, and how many values it holds.
    dictionary: Option<(Vec<u8>, usize)>,
    data: Vec<u8>,
    encoding: Encoding,
}

impl Pages {
    fn write(
        self,
        column: &ColumnDescPtr,
        values: usize,
        statistics: Option<Statistics>,
    ) -> Result<Encoded, ParquetError> {
        let mut sink = TrackedWrite::new(Vec::with_capacity(self.data.len() + 64));
        let mut writer = SerializedPageWriter::new(&mut sink);
        let mut size = 0;
        let mut encodings = vec![self.encoding];
        let has_dictionary = self.dictionary.is_some();
        if let Some((entries, len)) = self.dictionary {
            let bytes = entries.len();
            let page = Page::DictionaryPage {
                buf: entries.into(),
                num_values: len as u32,
                encoding: Encoding::PLAIN,
                is_sorted: false,
            };
            size += writer.write_page(CompressedPage::new(page, bytes))?.bytes_written;
            encodings.push(Encoding::PLAIN);
        }
        let data_offset = size;
        let bytes = self.data.len();
        let page = Page::DataPage {
            buf: self.data.into(),
            num_values: values as u32,
            encoding: self.encoding,
            def_level_encoding: Encoding::RLE,
            rep_level_encoding: Encoding::RLE,
            statistics: None,
        };
        size += writer.write_page(CompressedPage::new(page, bytes))?.bytes_written;
        writer.close()?;
        let mut metadata = ColumnChunkMetaData::builder(column.clone())
            .set_compression(Compression::UNCOMPRESSED)
            .set_encodings(encodings)
            .set_total_compressed_size(size as i64)
            .set_total_uncompressed_size(size as i64)
            .set_num_values(values as i64)
            .set_data_page_offset(data_offset as i64)
            .set_dictionary_page_offset(has_dictionary.then_some(0));
        if let Some(statistics) = statistics {
            metadata = metadata.set_statistics(statistics);
        }
        let close = ColumnCloseResult {
            bytes_written: size,
            rows_written: values as u64,
            metadata: metadata.build()?,
            bloom_filter: None,
            column_index: None,
            offset_index: None,
        };
        Ok((sink.into_inner()?.into(), close))
    }
}

/// Bits that this number needs.
fn bits(number: u64) -> usize {
    (u64::BITS - number.leading_zeros()) as usize
}

/// Seven bits a byte, lowest first.
fn varint(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// A number that may be negative, small ones short.
fn zigzag(out: &mut Vec<u8>, number: i32) {
    varint(out, u64::from(((number << 1) ^ (number >> 31)) as u32));
}

/// Packs 32 numbers of `width` bits each, lowest first.
fn pack(out: &mut Vec<u8>, numbers: &[u32; MINI], width: usize) {
    let mut room = [0_u8; 4 * MINI];
    if width <= 16 {
        // Four numbers fit in 64 bits, and eight take whole bytes: nothing hangs on what was packed
        // before. Zeros that are written too many are overwritten by the next.
        let fours = numbers.as_chunks::<4>().0.iter().map(|four| {
            let four = four.map(u64::from);
            four[0] | four[1] << width | four[2] << (2 * width) | four[3] << (3 * width)
        });
        let eights = fours.clone().step_by(2).zip(fours.skip(1).step_by(2));
        for (index, (low, high)) in eights.enumerate() {
            let eight = u128::from(low) | u128::from(high) << (4 * width);
            room[index * width..][..16].copy_from_slice(&eight.to_le_bytes());
        }
    } else {
        let (mut held, mut filled, mut at) = (0_u64, 0, 0);
        for &number in numbers {
            held |= u64::from(number) << filled;
            filled += width;
            if filled >= 32 {
                room[at..at + 4].copy_from_slice(&(held as u32).to_le_bytes());
                at += 4;
                held >>= 32;
                filled -= 32;
            }
        }
    }
    out.extend_from_slice(&room[..4 * width]);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The bits one by one, as the format describes them.
    fn packed_slowly(numbers: &[u32], width: usize) -> Vec<u8> {
        let mut out = vec![0_u8; numbers.len() * width / 8];
        for (index, number) in numbers.iter().enumerate() {
            for bit in 0..width {
                let at = index * width + bit;
                out[at / 8] |= ((number >> bit & 1) as u8) << (at % 8);
            }
        }
        out
    }

    #[test]
    fn packing_is_that_of_the_format() {
        for width in 1..=32 {
            let mask = (1_u64 << width) - 1;
            let numbers = std::array::from_fn(|i| {
                ((i as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) & mask) as u32
            });
            let mut fast = Vec::new();
            pack(&mut fast, &numbers, width);
            assert_eq!(fast, packed_slowly(&numbers, width), "width {width}");
        }
    }

    #[test]
    fn numbers_take_as_many_bytes_as_they_need() {
        let mut out = Vec::new();
        varint(&mut out, 300);
        zigzag(&mut out, -1);
        zigzag(&mut out, i32::MIN);
        assert_eq!(out, [0xac, 0x02, 0x01, 0xff, 0xff, 0xff, 0xff, 0x0f]);
    }
}
