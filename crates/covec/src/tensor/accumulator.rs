//! Sums per column, taken out in the order of the columns.
//!
//! A row of the tensor touches few columns or many. Few are remembered in a list, and put in order
//! by a bit set with a summary above it (one bit per 64), so that taking them out costs what was put
//! in; for many it is cheaper to look at every column.

/// What is summed: units of an exact count, or any number.
/// Always above zero.
pub(crate) trait Amount:
    Copy + Default + PartialEq + Send + Sync + std::fmt::Debug + std::ops::AddAssign
{
    fn to_bits(self) -> u64;
    fn from_bits(bits: u64) -> Self;
}

impl Amount for u64 {
    fn to_bits(self) -> u64 {
        self
    }
    fn from_bits(bits: u64) -> Self {
        bits
    }
}

impl Amount for f64 {
    fn to_bits(self) -> u64 {
        self.to_bits()
    }
    fn from_bits(bits: u64) -> Self {
        Self::from_bits(bits)
    }
}

/// What a table holds.
pub(crate) trait Slot: Copy + Default + Send + std::fmt::Debug {}
impl<T: Copy + Default + Send + std::fmt::Debug> Slot for T {}

/// The id of a column. What is waited for when counting is memory, so ids take two bytes where the
/// vocabulary allows it; and two bytes cannot point outside a table that has room for all of them.
pub(crate) trait Id: Copy + Default + Send + Sync + std::fmt::Debug + Into<u32> {
    /// Columns there can be at most, leaving one id for what lies outside and one to spare.
    const MOST: usize;
    /// Something for every id.
    type Table<T: Slot>: Send + std::fmt::Debug;

    fn new(id: u32) -> Self;
    /// A table for the ids below `len`, at least.
    fn table<T: Slot>(len: usize) -> Self::Table<T>;
    fn at<T: Slot>(table: &mut Self::Table<T>, id: Self) -> &mut T;
}

impl Id for u16 {
    const MOST: usize = u16::MAX as usize - 1;
    type Table<T: Slot> = Box<[T; 1 << 16]>;

    fn new(id: u32) -> Self {
        id as u16
    }

    fn table<T: Slot>(_: usize) -> Self::Table<T> {
        vec![T::default(); 1 << 16].try_into().unwrap_or_else(|_| Box::new([T::default(); 1 << 16]))
    }

    #[inline]
    fn at<T: Slot>(table: &mut Self::Table<T>, id: Self) -> &mut T {
        &mut table[usize::from(id)]
    }
}

impl Id for u32 {
    const MOST: usize = u32::MAX as usize - 1;
    type Table<T: Slot> = Vec<T>;

    fn new(id: u32) -> Self {
        id
    }

    fn table<T: Slot>(len: usize) -> Self::Table<T> {
        vec![T::default(); len]
    }

    #[inline]
    fn at<T: Slot>(table: &mut Self::Table<T>, id: Self) -> &mut T {
        &mut table[id as usize]
    }
}

/// Columns of a word of the bit set that are taken out together.
const AT_ONCE: usize = 4;

/// One sum per column.
#[derive(Debug)]
pub(crate) struct Accumulator<A: Amount, I: Id = u32> {
    columns: u32,
    sums: I::Table<A>,
    /// The columns added to since the last drain, in the order they were met.
    met: I::Table<I>,
    count: u32,
    touched: Vec<u64>,
    summary: Vec<u64>,
}

impl<A: Amount, I: Id> Accumulator<A, I> {
    /// Sums for the columns `0..columns`, and one more for what lies outside.
    pub(crate) fn new(columns: usize) -> Self {
        let slots = columns + 1;
        Self {
            columns: columns as u32,
            sums: I::table(slots),
            // One more: the place behind the last is written before it is known to be needed.
            met: I::table(slots + 1),
            count: 0,
            touched: vec![0; slots.div_ceil(64)],
            summary: vec![0; slots.div_ceil(64 * 64)],
        }
    }

    /// Adds, to be taken out by [`Self::drain`].
    #[inline]
    pub(crate) fn add(&mut self, column: I, amount: A) {
        // Without a branch: whether a column is new is as good as random.
        let sum = I::at(&mut self.sums, column);
        *I::at(&mut self.met, I::new(self.count)) = column;
        self.count += u32::from(*sum == A::default());
        *sum += amount;
    }

    /// Adds without remembering where, to be taken out by [`Self::drain_all`].
    #[inline]
    pub(crate) fn add_unmarked(&mut self, column: I, amount: A) {
        *I::at(&mut self.sums, column) += amount;
    }

    /// Adds every touched column and its sum to these, in the order of the columns, and forgets them.
    pub(crate) fn drain(&mut self, columns: &mut Vec<u32>, amounts: &mut Vec<A>) {
        let start = columns.len();
        // Some more: places behind the last are written before it is known how many are needed.
        columns.resize(start + self.count as usize + AT_ONCE, 0);
        for place in 0..self.count {
            let column = (*I::at(&mut self.met, I::new(place))).into() as usize;
            self.touched[column / 64] |= 1 << (column % 64);
            self.summary[column / 4096] |= 1 << (column / 64 % 64);
        }
        self.count = 0;
        let mut at = start;
        for block in 0..self.summary.len() {
            let mut words = std::mem::take(&mut self.summary[block]);
            while words != 0 {
                let word = block * 64 + words.trailing_zeros() as usize;
                words &= words - 1;
                let mut bits = std::mem::take(&mut self.touched[word]);
                // How many are set is as good as random, but mostly few: those without a branch.
                while bits != 0 {
                    let mut found = 0;
                    for column in &mut columns[at..at + AT_ONCE] {
                        *column = word as u32 * 64 + bits.trailing_zeros();
                        found += usize::from(bits != 0);
                        bits &= bits.wrapping_sub(1);
                    }
                    at += found;
                }
            }
        }
        columns.truncate(at);
        // What lies outside comes last.
        columns.pop_if(|last| *last == self.columns);
        *I::at(&mut self.sums, I::new(self.columns)) = A::default();
        let sums = &mut self.sums;
        let take = |&column: &u32| std::mem::take(I::at(sums, I::new(column)));
        amounts.extend(columns[start..].iter().map(take));
    }

    /// The same for columns that were added to unmarked: those whose sum is not zero.
    pub(crate) fn drain_all(&mut self, columns: &mut Vec<u32>, amounts: &mut Vec<A>) {
        *I::at(&mut self.sums, I::new(self.columns)) = A::default();
        for column in 0..self.columns {
            let sum = std::mem::take(I::at(&mut self.sums, I::new(column)));
            if sum != A::default() {
                columns.push(column);
                amounts.push(sum);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn both_ways_give_the_sorted_sums(adds in proptest::collection::vec((0_u32..=9000, 1_u64..50), 0..200)) {
            let mut expected = std::collections::BTreeMap::new();
            let (mut few, mut many) = (Accumulator::new(9000), Accumulator::<u64, u16>::new(9000));
            for &(column, amount) in &adds {
                if column < 9000 {
                    *expected.entry(column).or_insert(0) += amount;
                }
                few.add(column, amount);
                many.add_unmarked(column as u16, amount);
            }
            for _ in 0..2 {
                let (mut a, mut b) = ((vec![7], vec![7]), (vec![7], vec![7]));
                few.drain(&mut a.0, &mut a.1);
                many.drain_all(&mut b.0, &mut b.1);
                prop_assert_eq!(&a, &b);
                let got: Vec<_> = a.0.into_iter().zip(a.1).skip(1).collect();
                prop_assert_eq!(got, std::mem::take(&mut expected).into_iter().collect::<Vec<_>>());
            }
        }
    }
}
