//! Parquet pages of entries, encoded by what we know of them.
//!
//! The general encoders look at every value. But ids of rows and cells come in long runs, ids of
//! columns rise, and values are small multiples of a unit: so runs are written as runs, rising ids
//! as differences unless they fall back all the time, and values as places in a dictionary that a
//! table finds without hashing. On a tensor with many levels, whose entries are many and small,
//! writing them was a third of all time.
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
use super::packing::{BLOCK, MINI, ROOM, pack, pack_narrow};

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
    let mut places: HashMap<u32, u32, foldhash::fast::FixedState> = HashMap::default();
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

/// Ids that fall back so often that differences would be as wide as they are: each as its place in a
/// dictionary of all ids, which is the id itself. None where that takes more room than it saves.
/// `indices` is memory to be used again.
#[inline(always)]
pub(crate) fn falling<'a, I: Id + 'a>(
    column: &ColumnDescPtr,
    parts: impl Iterator<Item = &'a [I]> + Clone,
    indices: &mut Vec<u16>,
) -> Option<Result<Encoded, ParquetError>> {
    let largest = |part: &[I]| part.iter().fold(I::default(), |most, &id| most.max(id));
    let most = parts.clone().map(largest).max().map_or(0, Into::into);
    let total: usize = parts.clone().map(<[I]>::len).sum();
    if most > u16::MAX.into() || most as usize >= total / 8 {
        return None;
    }
    let mut room = room_for(indices, total).iter_mut();
    for part in parts {
        room.by_ref().zip(part).for_each(|(index, &id)| *index = id.into() as u16);
    }
    let pages = Pages {
        dictionary: Some(((0..=most).flat_map(u32::to_le_bytes).collect(), most as usize + 1)),
        data: packed(indices, total, bits(most.into()).max(1)),
        encoding: Encoding::RLE_DICTIONARY,
    };
    Some(pages.write(column, total, None))
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

/// Finds an amount's place in the dictionary of a row group.
#[derive(Debug)]
struct Places {
    /// For small amounts, by the amount itself.
    small: Box<[u16; SMALL]>,
    large: HashMap<u64, u16, foldhash::fast::FixedState>,
}

/// Amounts below this are found in a table.
const SMALL: usize = 1 << 15;

impl Places {
    const NONE: u16 = u16::MAX;

    fn new() -> Self {
        Self { small: Box::new([Self::NONE; SMALL]), large: HashMap::default() }
    }

    /// The places of some amounts; those that are new are put at the end. Wrong once too many differ.
    #[inline(always)]
    fn find<A: Amount>(&mut self, amounts: &[A], dictionary: &mut Vec<A>, to: &mut [u16]) {
        for (to, &amount) in to.iter_mut().zip(amounts) {
            let bits = amount.to_bits();
            *to = self.small[bits as usize % SMALL];
            if *to == Self::NONE || bits >= SMALL as u64 {
                *to = self.seek(amount, dictionary);
            }
        }
    }

    /// The place of an amount that is large or may be new.
    #[inline(never)]
    fn seek<A: Amount>(&mut self, amount: A, dictionary: &mut Vec<A>) -> u16 {
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
    let mut room = room_for(indices, total);
    for part in amounts.clone() {
        if dictionary.len() > MOST_DISTINCT {
            break;
        }
        let (here, later) = room.split_at_mut(part.len());
        places.find(part, &mut dictionary, here);
        room = later;
    }
    let pages = if dictionary.len() > MOST_DISTINCT {
        let plain = amounts.flatten().flat_map(|&a| value(a.widen()).to_le_bytes()).collect();
        Pages { dictionary: None, data: plain, encoding: Encoding::PLAIN }
    } else {
        let width = bits(dictionary.len().saturating_sub(1) as u64).max(1);
        let entries = dictionary.iter().flat_map(|&a| value(a.widen()).to_le_bytes()).collect();
        Pages {
            dictionary: Some((entries, dictionary.len())),
            data: packed(indices, total, width),
            encoding: Encoding::RLE_DICTIONARY,
        }
    };
    pages.write(column, total, None)
}

/// Room for so many numbers, and as many zeros as fill the last [`BLOCK`]. What else is in it is not
/// cleared.
fn room_for(indices: &mut Vec<u16>, total: usize) -> &mut [u16] {
    let end = total.next_multiple_of(BLOCK);
    if indices.len() < end {
        indices.resize(end, 0);
    }
    indices[total..end].fill(0);
    &mut indices[..total]
}

/// A page of places in a dictionary, `total` of `width` bits each, which lie in [`room_for`] them.
#[inline(always)]
fn packed(indices: &[u16], total: usize, width: usize) -> Vec<u8> {
    let eights = total.div_ceil(8);
    let mut page = Vec::with_capacity((total + BLOCK) * width / 8 + 16);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_that_fall_back_are_their_own_places_if_a_dictionary_is_worth_it() {
        let message =
            parquet::schema::parser::parse_message_type("message m { required int32 col; }");
        let message = std::sync::Arc::new(message.unwrap());
        let column = parquet::schema::types::SchemaDescriptor::new(message).column(0);
        let groups = [[0_u16, 5, 9], [1, 2, 3], [7, 8, 9]];
        let parts = || groups.iter().cycle().take(99).map(|group| &group[..]);
        // What was there before does not matter.
        let mut indices = vec![77; 1000];
        let Encoded { pieces, .. } = falling(&column, parts(), &mut indices).unwrap().unwrap();
        let dictionary: Vec<_> =
            pieces[1].as_chunks().0.iter().map(|&n| u32::from_le_bytes(n)).collect();
        assert_eq!(dictionary, (0..10).collect::<Vec<_>>());
        // Four bits each, in 38 groups of eight.
        assert_eq!(pieces[3][..2], [4, 38 << 1 | 1]);
        let places = pieces[3][2..].iter().flat_map(|byte| [byte & 15, byte >> 4]).map(u16::from);
        let ids = parts().flatten().copied().chain([0; 7]);
        assert!(places.eq(ids));
        assert!(falling(&column, groups.iter().map(|group| &group[..]), &mut indices).is_none());
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
