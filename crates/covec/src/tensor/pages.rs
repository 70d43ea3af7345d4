//! Parquet pages of entries, encoded by what we know of them.
//!
//! The general encoders look at every value. But ids of rows and cells come in long runs, ids of
//! columns rise, and values are small multiples of a unit: so runs are written as runs, rising ids
//! as differences unless they fall back all the time (`column::rising`), and values as places in a
//! dictionary that a table finds without hashing. On a tensor with many levels, whose entries are many and small,
//! writing them was a third of all time.
//! What is written is plain Parquet (encodings RLE_DICTIONARY, DELTA_BINARY_PACKED and PLAIN).

use std::collections::HashMap;

use parquet::basic::Encoding;
use parquet::errors::ParquetError;
use parquet::file::statistics::ValueStatistics;
use parquet::schema::types::{ColumnDescPtr, SchemaDescriptor};
use pulp::{Simd, WithSimd};

use super::accumulator::{Amount, Id};
use super::rows::View;
use crate::parquet_file::column::{self, Encoded, Pages, Spare, bits, packed, room_for, varint};
use crate::parquet_file::packing::MINI;

/// Beyond this many distinct values a dictionary saves nothing.
const MOST_DISTINCT: usize = Places::NONE as usize;

/// Makes the columns of a row group, and the sum of its values.
pub(super) struct Encode<'a, A: Amount, I> {
    pub(super) rows: &'a [(u32, View<'a, A, I>)],
    pub(super) schema: &'a SchemaDescriptor,
    pub(super) value: &'a dyn Fn(A::Wide) -> f64,
    /// Memory to be used again.
    pub(super) indices: &'a mut Vec<u16>,
    pub(super) spare: &'a Spare,
}

impl<A: Amount, I: Id> WithSimd for Encode<'_, A, I> {
    type Output = Result<(Vec<Encoded>, f64), ParquetError>;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> Self::Output {
        let Self { rows, schema, value, indices, spare } = self;
        let mut total = 0.0;
        for (_, row) in rows {
            let mut sum = A::Wide::default();
            row.amounts.iter().for_each(|&amount| sum += amount.widen());
            total += value(sum);
        }
        let rows_of = rows.iter().map(|(id, row)| (*id, row.len()));
        let cells_of = rows.iter().flat_map(|(_, row)| row.groups);
        let ids = rows.iter().map(|(_, row)| row.columns);
        // Ids begin anew with every cell.
        let (cells, entries) = rows.iter().fold((0, 0), |(cells, entries), (_, row)| {
            (cells + row.groups.len(), entries + row.len())
        });
        let fallen = if entries < cells * MINI {
            falling(&schema.column(1), ids.clone(), indices, spare)
        } else {
            None
        };
        let columns = vec![
            runs(&schema.column(0), rows_of)?,
            fallen.unwrap_or_else(|| column::rising(&schema.column(1), spare, ids))?,
            runs(&schema.column(2), cells_of.map(|&(cell, len)| (cell, len as usize)))?,
            values(
                &schema.column(3),
                rows.iter().map(|(_, row)| row.amounts),
                value,
                indices,
                spare,
            )?,
        ];
        Ok((columns, total))
    }
}

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

/// Ids that fall back so often that differences would be as wide as they are: each as its place in a
/// dictionary of all ids, which is the id itself. None where that takes more room than it saves.
/// `indices` is memory to be used again.
#[inline(always)]
pub(crate) fn falling<'a, I: Id + 'a>(
    column: &ColumnDescPtr,
    parts: impl Iterator<Item = &'a [I]> + Clone,
    indices: &mut Vec<u16>,
    spare: &Spare,
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
        data: packed(indices, total, bits(most.into()).max(1), spare),
        encoding: Encoding::RLE_DICTIONARY,
    };
    Some(pages.write(column, total, None))
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
    spare: &Spare,
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
        let mut plain = spare.page(8 * total);
        plain.extend(amounts.flatten().flat_map(|&a| value(a.widen()).to_le_bytes()));
        Pages { dictionary: None, data: plain, encoding: Encoding::PLAIN }
    } else {
        let width = bits(dictionary.len().saturating_sub(1) as u64).max(1);
        let entries = dictionary.iter().flat_map(|&a| value(a.widen()).to_le_bytes()).collect();
        Pages {
            dictionary: Some((entries, dictionary.len())),
            data: packed(indices, total, width, spare),
            encoding: Encoding::RLE_DICTIONARY,
        }
    };
    pages.write(column, total, None)
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
        let Encoded { pieces, .. } =
            falling(&column, parts(), &mut indices, &Spare::default()).unwrap().unwrap();
        let dictionary: Vec<_> =
            pieces[1].as_chunks().0.iter().map(|&n| u32::from_le_bytes(n)).collect();
        assert_eq!(dictionary, (0..10).collect::<Vec<_>>());
        // Four bits each, in 38 groups of eight.
        assert_eq!(pieces[3][..2], [4, 38 << 1 | 1]);
        let places = pieces[3][2..].iter().flat_map(|byte| [byte & 15, byte >> 4]).map(u16::from);
        let ids = parts().flatten().copied().chain([0; 7]);
        assert!(places.eq(ids));
        assert!(
            falling(
                &column,
                groups.iter().map(|group| &group[..]),
                &mut indices,
                &Spare::default()
            )
            .is_none()
        );
    }
}
