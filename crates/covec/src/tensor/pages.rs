//! Parquet pages of entries, encoded by what we know of them.
//!
//! The general encoders look at every value. But ids of rows and cells come in long runs, ids of
//! columns rise, and values are small multiples of a unit: so runs are written as runs, rising ids
//! as differences, and values as places in a dictionary that a table finds without hashing. On a
//! tensor with many levels, whose entries are many and small, writing them was a third of all time.
//! What is written is plain Parquet (encodings RLE_DICTIONARY, DELTA_BINARY_PACKED and PLAIN).

use std::collections::HashMap;
use std::io::Write;

use bytes::Bytes;
use parquet::basic::{Compression, Encoding};
use parquet::column::page::{CompressedPage, Page, PageWriter};
use parquet::errors::ParquetError;
use parquet::file::metadata::ColumnChunkMetaData;
use parquet::file::statistics::{Statistics, ValueStatistics};
use parquet::file::writer::{SerializedPageWriter, TrackedWrite};
use parquet::schema::types::ColumnDescPtr;

use super::accumulator::{Amount, Id};

/// A column's part of a row group.
#[derive(Debug)]
pub(crate) struct Encoded {
    /// Its bytes, one piece after the other.
    pub(crate) pieces: Vec<Bytes>,
    /// What the file must know of it; offsets are from its own beginning on.
    pub(crate) about: ColumnChunkMetaData,
}

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
#[inline(always)]
pub(crate) fn rising<'a, I: Id + 'a>(
    column: &ColumnDescPtr,
    parts: impl Iterator<Item = &'a [I]> + Clone,
) -> Result<Encoded, ParquetError> {
    let total: usize = parts.clone().map(<[I]>::len).sum();
    let first = parts.clone().find_map(|part| part.first()).map_or(0, |&first| first.into());
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

/// Differences that share their least.
const BLOCK: usize = 128;
/// Differences that share their width.
const MINI: usize = 32;

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

/// Amounts, as values: by their places in a dictionary, or plain where too many differ. `indices` is
/// memory to be used again.
#[inline(always)]
pub(crate) fn values<'a, A: Amount + 'a>(
    column: &ColumnDescPtr,
    amounts: impl Iterator<Item = &'a [A]> + Clone,
    value: &dyn Fn(A::Wide) -> f64,
    indices: &mut Vec<u16>,
) -> Result<Encoded, ParquetError> {
    let total: usize = amounts.clone().map(<[A]>::len).sum();
    let mut places = Places::new();
    let mut dictionary: Vec<A> = Vec::new();
    indices.clear();
    indices.reserve(total + MINI);
    for part in amounts.clone() {
        if dictionary.len() > MOST_DISTINCT {
            break;
        }
        indices.extend(part.iter().map(|&amount| places.find(amount, &mut dictionary)));
    }
    let pages = if dictionary.len() > MOST_DISTINCT {
        let plain = amounts.flatten().flat_map(|&a| value(a.widen()).to_le_bytes()).collect();
        Pages { dictionary: None, data: plain, encoding: Encoding::PLAIN }
    } else {
        let width = bits(dictionary.len().saturating_sub(1) as u64).max(1);
        let eights = total.div_ceil(8);
        indices.resize(total.next_multiple_of(MINI), 0);
        let mut page = Vec::with_capacity(indices.len() * width / 8 + 16);
        page.push(width as u8);
        varint(&mut page, (eights as u64) << 1 | 1);
        let end = page.len() + eights * width;
        for block in indices.chunks(BLOCK) {
            pack(&mut page, block.as_chunks().0.iter().map(|mini| (widened(mini), width)));
        }
        // The last 32 may have been fewer: whole groups of 8 are what was promised.
        page.truncate(end);
        let entries = dictionary.iter().flat_map(|&a| value(a.widen()).to_le_bytes()).collect();
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

#[inline(always)]
fn widened(narrow: &[u16; MINI]) -> [u32; MINI] {
    let mut wide = [0; MINI];
    wide.iter_mut().zip(narrow).for_each(|(wide, &narrow)| *wide = narrow.into());
    wide
}

/// Packs at most a block of numbers, 32 of the same width in bits at a time, lowest first.
#[inline(always)]
fn pack(out: &mut Vec<u8>, minis: impl Iterator<Item = ([u32; MINI], usize)>) {
    // Room for the widest, and for what [`pack_mini`] writes too much.
    let mut room = [0_u8; 4 * BLOCK + 16];
    let mut end = 0;
    for (mini, width) in minis {
        pack_mini(&mut room[end..], &mini, width);
        end += 4 * width;
    }
    out.extend_from_slice(&room[..end]);
}

/// Packs 32 numbers of `width` bits each.
#[inline(always)]
fn pack_mini(room: &mut [u8], numbers: &[u32; MINI], width: usize) {
    if width <= 16 {
        // Four numbers fit in 64 bits, and eight take whole bytes: nothing hangs on what was packed
        // before. Zeros that are written too many are overwritten by the next.
        let four = |n: &[u32; 4]| {
            let [a, b, c, d] = n.map(u64::from);
            a | b << width | c << (2 * width) | d << (3 * width)
        };
        let mut at = 0;
        for [low, high] in numbers.as_chunks::<4>().0.as_chunks::<2>().0 {
            let eight = u128::from(four(low)) | u128::from(four(high)) << (4 * width);
            room[at..at + 16].copy_from_slice(&eight.to_le_bytes());
            at += width;
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
            pack(&mut fast, [(numbers, width); 4].into_iter());
            assert_eq!(fast, packed_slowly(&[numbers; 4].concat(), width), "width {width}");
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
