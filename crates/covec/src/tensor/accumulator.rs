//! Sums per column, taken out in the order of the columns.
//!
//! A row of the tensor touches few columns or many. Those that were touched are remembered in a
//! list; taking them out is finding the rank of each among the others, and putting it there. A
//! branch would be guessed wrong at every other column, so there is none: few are compared with
//! each other, more are marked in a set of bits, and the bits before each are counted. Where all but
//! all are touched it is cheaper to look at every column.

use pulp::{Simd, WithSimd};

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

/// So many columns are compared with each other.
const FEW: usize = 128;

/// One sum per column.
#[derive(Debug)]
pub(crate) struct Accumulator<A: Amount, I: Id = u32> {
    columns: u32,
    sums: I::Table<A>,
    /// The columns added to since the last drain, in the order they were met.
    met: I::Table<I>,
    count: u32,
    /// A bit for every column; and of every 64, how many bits are set before them.
    touched: Vec<u64>,
    before: Vec<u32>,
    arch: pulp::Arch,
}

impl<A: Amount, I: Id> Accumulator<A, I> {
    /// Sums for the columns `0..columns`, and one more for what lies outside.
    pub(crate) fn new(columns: usize) -> Self {
        let slots = columns + 1;
        Self {
            columns: columns as u32,
            sums: I::table(slots),
            // One more: the place behind the last is written before it is known to be needed. And
            // as many as are compared, also where there are fewer.
            met: I::table((slots + 1).max(FEW)),
            count: 0,
            touched: vec![0; slots.div_ceil(64)],
            before: vec![0; slots.div_ceil(64)],
            arch: pulp::Arch::new(),
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
    pub(crate) fn drain(&mut self, columns: &mut Vec<I>, amounts: &mut Vec<A>) {
        let count = std::mem::take(&mut self.count) as usize;
        let start = columns.len();
        columns.resize(start + count, I::default());
        amounts.resize(start + count, A::default());
        let (own, sums) = (&mut columns[start..], &mut amounts[start..]);
        self.arch.dispatch(Take { from: self, count, columns: own, amounts: sums });
        // What lies outside comes last.
        if columns.pop_if(|last| (*last).into() == self.columns).is_some() {
            amounts.pop();
        }
    }

    /// The same for columns that were added to unmarked: those whose sum is not zero.
    pub(crate) fn drain_all(&mut self, columns: &mut Vec<I>, amounts: &mut Vec<A>) {
        *I::at(&mut self.sums, I::new(self.columns)) = A::default();
        for column in 0..self.columns {
            let sum = std::mem::take(I::at(&mut self.sums, I::new(column)));
            if sum != A::default() {
                columns.push(I::new(column));
                amounts.push(sum);
            }
        }
    }
}

/// Takes the touched columns out, each to its rank, as fast as the machine can: not all know how to
/// count bits and to compare many numbers at once.
struct Take<'d, A: Amount, I: Id> {
    from: &'d mut Accumulator<A, I>,
    count: usize,
    columns: &'d mut [I],
    amounts: &'d mut [A],
}

impl<A: Amount, I: Id> WithSimd for Take<'_, A, I> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        if self.count <= FEW {
            self.compared();
        } else if self.count >= self.from.touched.len() / 16 {
            self.marked();
        } else {
            self.sorted();
        }
    }
}

impl<A: Amount, I: Id> Take<'_, A, I> {
    #[inline(always)]
    fn compared(self) {
        let Self { from: Accumulator { met, sums, .. }, count, columns, amounts } = self;
        let met = &*I::all(met);
        let mut ranks = [0; FEW];
        match count.div_ceil(FEW / 4) {
            0 | 1 => ranks_among::<I, { FEW / 4 }>(met, count, &mut ranks),
            2 => ranks_among::<I, { FEW / 2 }>(met, count, &mut ranks),
            3 => ranks_among::<I, { FEW / 4 * 3 }>(met, count, &mut ranks),
            _ => ranks_among::<I, FEW>(met, count, &mut ranks),
        }
        for (&column, &rank) in met[..count].iter().zip(&ranks) {
            columns[rank as usize] = column;
            amounts[rank as usize] = std::mem::take(I::at(sums, column));
        }
    }

    #[inline(always)]
    fn marked(self) {
        let Self { from, count, columns, amounts } = self;
        let Accumulator { met, sums, touched, before, .. } = from;
        let (met, touched, before) = (&I::all(met)[..count], &mut touched[..], &mut before[..]);
        for &column in met {
            let column = column.into() as usize;
            touched[column / 64] |= 1 << (column % 64);
        }
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
            amounts[rank] = std::mem::take(I::at(sums, column));
        }
        touched.fill(0);
    }

    /// For so few of so many columns that to look at all bits would cost more than a sort.
    fn sorted(self) {
        let Self { from: Accumulator { met, sums, .. }, count, columns, amounts } = self;
        let met = &mut I::all(met)[..count];
        met.sort_unstable();
        columns.copy_from_slice(met);
        for (amount, &column) in amounts.iter_mut().zip(&*met) {
            *amount = std::mem::take(I::at(sums, column));
        }
    }
}

/// How many of the first `count` ids, all different, each of them is above of. As many as `MOST`
/// are looked at, so that nothing hangs on their number.
#[inline(always)]
fn ranks_among<I: Id, const MOST: usize>(ids: &[I], count: usize, ranks: &mut [u16; FEW]) {
    let Some(ids) = ids.first_chunk::<MOST>() else { return };
    let mut all = [I::Signed::default(); MOST];
    all.iter_mut().zip(ids).for_each(|(signed, id)| *signed = id.signed());
    let mut above = [0_u16; MOST];
    for &one in &all[..count] {
        for (above, other) in above.iter_mut().zip(&all) {
            *above += u16::from(one < *other);
        }
    }
    ranks[..MOST].copy_from_slice(&above);
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
