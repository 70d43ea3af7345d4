//! Sums per column, taken out in the order of the columns.
//!
//! A row of the tensor touches few columns or many. Those that were touched are remembered in a
//! list, from which [`Drain`] takes them; where all but all are touched it is cheaper to look at
//! every column.

use super::drain::{Drain, FEW, STEP};

/// What is summed: units of an exact count, or any number.
/// Always above zero.
pub(crate) trait Amount:
    Copy + Default + PartialEq + Send + Sync + std::fmt::Debug + std::ops::AddAssign
{
    /// What any number of them is summed in.
    type Wide: Amount;

    fn widen(self) -> Self::Wide;
    fn to_bits(self) -> u64;
    fn from_bits(bits: u64) -> Self;
}

/// Half the memory of `u64`, where no sum is too large for it.
impl Amount for u32 {
    type Wide = u64;

    fn widen(self) -> u64 {
        self.into()
    }
    fn to_bits(self) -> u64 {
        self.into()
    }
    fn from_bits(bits: u64) -> Self {
        bits as u32
    }
}

impl Amount for u64 {
    type Wide = Self;

    fn widen(self) -> Self {
        self
    }
    fn to_bits(self) -> u64 {
        self
    }
    fn from_bits(bits: u64) -> Self {
        bits
    }
}

impl Amount for f64 {
    type Wide = Self;

    fn widen(self) -> Self {
        self
    }
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
pub(crate) trait Id:
    Copy + Default + Ord + Send + Sync + std::fmt::Debug + Into<u32>
{
    /// Columns there can be at most, leaving one id for what lies outside and one to spare.
    const MOST: usize;
    /// Something for every id.
    type Table<T: Slot>: Send + std::fmt::Debug;

    fn new(id: u32) -> Self;
    /// A table for the ids below `len`, at least.
    fn table<T: Slot>(len: usize) -> Self::Table<T>;
    fn at<T: Slot>(table: &mut Self::Table<T>, id: Self) -> &mut T;
    fn all<T: Slot>(table: &mut Self::Table<T>) -> &mut [T];
    /// Numbers in the same order as the ids, which registers can compare: they know numbers with a
    /// sign only.
    type Signed: Copy + Ord + Default;
    fn signed(self) -> Self::Signed;
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

    fn all<T: Slot>(table: &mut Self::Table<T>) -> &mut [T] {
        &mut table[..]
    }

    type Signed = i16;

    #[inline(always)]
    fn signed(self) -> i16 {
        (self ^ (1 << 15)) as i16
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

    fn all<T: Slot>(table: &mut Self::Table<T>) -> &mut [T] {
        table
    }

    type Signed = i32;

    #[inline(always)]
    fn signed(self) -> i32 {
        (self ^ (1 << 31)) as i32
    }
}

/// One sum per column.
#[derive(Debug)]
pub(crate) struct Accumulator<A: Amount, I: Id = u32> {
    /// What lies outside has a sum as well, which is never zero: so it is never new.
    sums: I::Table<A>,
    outside: I,
    /// The columns added to since the last drain, in the order they were met.
    met: I::Table<I>,
    count: u32,
    /// For the drain.
    touched: Vec<u64>,
    before: Vec<u32>,
    arch: pulp::Arch,
}

impl<A: Amount, I: Id> Accumulator<A, I> {
    /// Sums for the columns `0..columns`, and one more for what lies outside.
    pub(crate) fn new(columns: usize) -> Self {
        let words = (columns + 1).div_ceil(64);
        let mut this = Self {
            sums: I::table(words * 64),
            outside: I::new(columns as u32),
            // One more: the place behind the last is written before it is known to be needed. And
            // as many as are compared, also where there are fewer.
            met: I::table((columns + 1).max(FEW) + STEP),
            count: 0,
            touched: vec![0; words],
            before: vec![0; words],
            arch: pulp::Arch::new(),
        };
        this.forget_outside();
        this
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
    pub(crate) fn drain(&mut self, columns: &mut Vec<I>, amounts: &mut Vec<A>) {
        let count = std::mem::take(&mut self.count) as usize;
        self.take(Some(count), columns, amounts);
    }

    /// The same for columns that were added to unmarked: those whose sum is not zero.
    pub(crate) fn drain_all(&mut self, columns: &mut Vec<I>, amounts: &mut Vec<A>) {
        self.take(None, columns, amounts);
    }

    fn take(&mut self, count: Option<usize>, columns: &mut Vec<I>, amounts: &mut Vec<A>) {
        let Self { sums, outside, met, touched, before, arch, .. } = self;
        let met = count.map(|count| (met, count));
        arch.dispatch(Drain { sums, met, touched, before, outside: *outside, columns, amounts });
        self.forget_outside();
    }

    fn forget_outside(&mut self) {
        *I::at(&mut self.sums, self.outside) = A::from_bits(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn few_of_very_many_columns_are_sorted_too(adds in proptest::collection::vec(0_u32..1_000_000, 100..300)) {
            let mut expected = std::collections::BTreeMap::new();
            let mut sums = Accumulator::<u64>::new(1_000_000);
            for &column in &adds {
                *expected.entry(column).or_insert(0) += 3;
                sums.add(column, 3);
            }
            let (mut columns, mut amounts) = (Vec::new(), Vec::new());
            sums.drain(&mut columns, &mut amounts);
            let got: Vec<_> = columns.into_iter().zip(amounts).collect();
            prop_assert_eq!(got, expected.into_iter().collect::<Vec<_>>());
        }

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
                prop_assert!(a.0.iter().copied().eq(b.0.iter().map(|&column| u32::from(column))));
                prop_assert_eq!(&a.1, &b.1);
                let got: Vec<_> = a.0.into_iter().zip(a.1).skip(1).collect();
                prop_assert_eq!(got, std::mem::take(&mut expected).into_iter().collect::<Vec<_>>());
            }
        }
    }
}
