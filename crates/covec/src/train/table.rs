//! A table of vectors as the kernels want it: rows padded to whole SIMD registers, aligned so that
//! no load crosses a cache line.

use zerocopy::{FromBytes, Immutable, IntoBytes, KnownLayout};

/// Numbers that rows are padded to a multiple of.
pub(crate) const LANES: usize = 8;

#[derive(Debug, Clone, Copy, Default, FromBytes, IntoBytes, Immutable, KnownLayout)]
#[repr(C, align(32))]
struct Lane([f32; LANES]);

/// Rows of numbers; what is beyond the width of a row is always 0.
#[derive(Debug, Clone)]
pub(crate) struct Table {
    lanes: Vec<Lane>,
    rows: usize,
    width: usize,
    stride: usize,
}

impl Table {
    /// All zeros.
    pub(crate) fn new(rows: usize, width: usize) -> Self {
        let stride = width.next_multiple_of(LANES);
        Self { lanes: vec![Lane::default(); rows * stride / LANES], rows, width, stride }
    }

    /// Every row the same number.
    pub(crate) fn filled(rows: usize, width: usize, number: f32) -> Self {
        let mut table = Self::new(rows, width);
        for row in 0..rows {
            table.row_mut(row)[..width].fill(number);
        }
        table
    }

    pub(crate) fn rows(&self) -> usize {
        self.rows
    }

    pub(crate) fn width(&self) -> usize {
        self.width
    }

    /// Numbers from one row to the next.
    pub(crate) fn stride(&self) -> usize {
        self.stride
    }

    /// All rows, padding included, one after the other.
    pub(crate) fn each(&self) -> impl Iterator<Item = &[f32]> {
        self.all().chunks_exact(self.stride.max(1))
    }

    /// Changes every row.
    pub(crate) fn each_mut(&mut self, change: impl FnMut(&mut [f32])) {
        let stride = self.stride.max(1);
        self.all_mut().chunks_exact_mut(stride).for_each(change);
    }

    /// The sum of all squares.
    pub(crate) fn square(&self) -> f64 {
        let mut sums = [0.0_f64; LANES];
        for Lane(numbers) in &self.lanes {
            for (sum, &x) in sums.iter_mut().zip(numbers) {
                *sum += f64::from(x) * f64::from(x);
            }
        }
        sums.iter().sum()
    }

    /// All numbers, padding included.
    pub(crate) fn all(&self) -> &[f32] {
        // Lanes are numbers and nothing else, so this cannot fail.
        <[f32]>::ref_from_bytes(self.lanes.as_bytes()).unwrap_or(&[])
    }

    pub(crate) fn all_mut(&mut self) -> &mut [f32] {
        <[f32]>::mut_from_bytes(self.lanes.as_mut_bytes()).unwrap_or(&mut [])
    }

    /// A row with its padding.
    pub(crate) fn row(&self, row: usize) -> &[f32] {
        &self.all()[row * self.stride..(row + 1) * self.stride]
    }

    pub(crate) fn row_mut(&mut self, row: usize) -> &mut [f32] {
        let stride = self.stride;
        &mut self.all_mut()[row * stride..(row + 1) * stride]
    }

    /// The numbers without padding, row after row.
    pub(crate) fn packed(&self) -> Vec<f32> {
        (0..self.rows).flat_map(|row| self.row(row)[..self.width].iter().copied()).collect()
    }

    /// From numbers without padding.
    pub(crate) fn unpack(numbers: &[f32], width: usize) -> Self {
        let rows = numbers.len() / width.max(1);
        let mut table = Self::new(rows, width);
        for (row, numbers) in numbers.chunks_exact(width.max(1)).enumerate() {
            table.row_mut(row)[..width].copy_from_slice(numbers);
        }
        table
    }
}
