//! Takes sums out in the order of their columns.
//!
//! A branch would be guessed wrong at every other column, so there is all but none: few columns are
//! compared with each other, always as many as a step has; more are marked in a set of bits, and the
//! bits before each are counted; and many are read off the bits, eight at a time. Most groups of a
//! tensor with many cells are small, so what counts for them is what is done once for each.

use pulp::{Simd, WithSimd};

use super::accumulator::{Amount, Id};

/// So many columns are compared with each other.
pub(super) const FEW: usize = 128;
/// A step from one number of compared columns to the next, at most.
pub(super) const STEP: usize = 32;
/// Columns that are read off a set of bits at once.
const AT_ONCE: usize = 8;

/// Takes out what was added, as fast as the machine can: not all know how to count bits and to
/// compare many numbers at once.
pub(super) struct Drain<'d, A: Amount, I: Id> {
    pub(super) sums: &'d mut I::Table<A>,
    /// The columns that were added to, if they were remembered, and how many.
    pub(super) met: Option<(&'d mut I::Table<I>, usize)>,
    /// A bit for every column, all clear; and of every 64, room for how many are set before them.
    pub(super) touched: &'d mut [u64],
    pub(super) before: &'d mut [u32],
    /// Stands behind all columns, and is never met.
    pub(super) outside: I,
    pub(super) columns: &'d mut Vec<I>,
    pub(super) amounts: &'d mut Vec<A>,
}

impl<A: Amount, I: Id> WithSimd for Drain<'_, A, I> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(mut self, _: S) {
        let Some((met, count)) = self.met.take() else { return self.scanned() };
        match count.div_ceil(STEP / 2) {
            0 => {}
            1 => self.compared::<{ STEP / 2 }>(met, count),
            2 => self.compared::<STEP>(met, count),
            3 => self.compared::<{ STEP / 2 * 3 }>(met, count),
            4 => self.compared::<{ STEP * 2 }>(met, count),
            5 | 6 => self.compared::<{ STEP * 3 }>(met, count),
            7 | 8 => self.compared::<FEW>(met, count),
            _ if count < self.touched.len() / 16 => self.sorted(&mut I::all(met)[..count]),
            _ => {
                let met = &I::all(met)[..count];
                for &column in met {
                    let column = column.into() as usize;
                    self.touched[column / 64] |= 1 << (column % 64);
                }
                if count < self.touched.len() {
                    self.ranked(met);
                } else {
                    self.listed(count);
                }
            }
        }
    }
}

impl<A: Amount, I: Id> Drain<'_, A, I> {
    /// Each to the place that as many are below of, of at most `MOST`. So that nothing hangs on
    /// their number, those that are missing are said to lie outside; they all come to the place
    /// behind the others.
    #[inline(always)]
    fn compared<const MOST: usize>(self, met: &mut I::Table<I>, count: usize) {
        let Self { sums, outside, columns, amounts, .. } = self;
        let met = I::all(met);
        let start = columns.len();
        columns.extend_from_slice(&[I::default(); MOST]);
        amounts.extend_from_slice(&[A::default(); MOST]);
        if let Some(missing) = met[count..].first_chunk_mut::<STEP>() {
            *missing = [outside; STEP];
        }
        if let (Some(met), Some(to), Some(amounts)) = (
            met.first_chunk::<MOST>(),
            columns[start..].first_chunk_mut::<MOST>(),
            amounts[start..].first_chunk_mut::<MOST>(),
        ) {
            let mut all = [I::Signed::default(); MOST];
            all.iter_mut().zip(met).for_each(|(signed, id)| *signed = id.signed());
            let mut above = [0_u16; MOST];
            for one in &all {
                for (above, other) in above.iter_mut().zip(&all) {
                    *above += u16::from(one < other);
                }
            }
            for (&column, &rank) in met.iter().zip(&above) {
                to[rank as usize] = column;
                amounts[rank as usize] = std::mem::take(I::at(sums, column));
            }
        }
        columns.truncate(start + count);
        amounts.truncate(start + count);
    }

    /// Each to the place that as many marks are before of.
    #[inline(always)]
    fn ranked(self, met: &[I]) {
        let Self { sums, touched, before, columns, amounts, .. } = self;
        let start = columns.len();
        columns.extend_from_slice(met);
        let columns = &mut columns[start..];
        let mut sum = 0;
        for (before, bits) in before.iter_mut().zip(&*touched) {
            *before = sum;
            sum += bits.count_ones();
        }
        for &column in met {
            let (word, bit) = (column.into() as usize / 64, column.into() % 64);
            let below = touched[word] & ((1 << bit) - 1);
            let rank = (before[word] + below.count_ones()) as usize;
            columns[rank] = column;
        }
        touched.fill(0);
        amounts.extend(columns.iter().map(|&column| std::mem::take(I::at(sums, column))));
    }

    /// Those that are marked, as they come.
    #[inline(always)]
    fn listed(self, count: usize) {
        let Self { sums, touched, columns, amounts, .. } = self;
        let start = columns.len();
        // More than there are may be written, and is overwritten by the next.
        columns.resize(start + count + AT_ONCE, I::default());
        let room = &mut columns[start..];
        let mut end = 0;
        for (first, bits) in (0..).step_by(64).zip(touched) {
            let mut bits = std::mem::take(bits);
            let mut at = end;
            end += bits.count_ones() as usize;
            while at < end {
                let Some(room) = room[at..].first_chunk_mut::<AT_ONCE>() else { break };
                for column in room {
                    *column = I::new(first + bits.trailing_zeros());
                    bits &= bits.wrapping_sub(1);
                }
                at += AT_ONCE;
            }
        }
        columns.truncate(start + count);
        let sums = columns[start..].iter().map(|&column| std::mem::take(I::at(sums, column)));
        amounts.extend(sums);
    }

    /// Those whose sum is not zero.
    #[inline(always)]
    fn scanned(self) {
        *I::at(self.sums, self.outside) = A::default();
        let mut count = 0;
        for (bits, sums) in self.touched.iter_mut().zip(I::all(self.sums).as_chunks::<64>().0) {
            let mut set = [0_u8; 64];
            set.iter_mut().zip(sums).for_each(|(set, &sum)| *set = (sum != A::default()).into());
            // A product that brings eight bytes of 0 or 1 side by side, in the highest byte.
            let byte = |eight: &[u8; 8]| {
                u64::from_le_bytes(*eight).wrapping_mul(0x0102_0408_1020_4080) >> 56
            };
            *bits = set.as_chunks().0.iter().rev().fold(0, |bits, eight| bits << 8 | byte(eight));
            count += bits.count_ones() as usize;
        }
        self.listed(count);
    }

    /// For so few of so many columns that to look at all bits would cost more than a sort.
    #[inline(always)]
    fn sorted(self, met: &mut [I]) {
        met.sort_unstable();
        self.columns.extend_from_slice(met);
        let sums = met.iter().map(|&column| std::mem::take(I::at(self.sums, column)));
        self.amounts.extend(sums);
    }
}
