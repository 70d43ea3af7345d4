//! Numbers that are learned, with what AdaGrad remembers of them.

use crate::train::table::Table;

/// Rows of numbers, and for each number the sum of its squared slopes so far.
#[derive(Debug, Clone)]
pub(super) struct Learned {
    pub(super) at: Table,
    pub(super) squares: Table,
}

/// Keeps a slope of 0 from being divided by 0.
const LEAST: f32 = 1e-8;

impl Learned {
    pub(super) fn of(at: Table) -> Self {
        let squares = Table::new(at.rows(), at.width());
        Self { at, squares }
    }

    /// A step up the slope of what is learned, less `pull` times the row itself: the slope of a Gaussian prior.
    #[inline(always)]
    pub(super) fn step(&mut self, row: usize, slope: &[f32], pull: f32, rate: f32) {
        let numbers = self.at.row_mut(row).iter_mut().zip(self.squares.row_mut(row));
        for ((x, square), slope) in numbers.zip(slope) {
            let slope = slope - pull * *x;
            *square += slope * slope;
            *x += rate * slope / (square.sqrt() + LEAST);
        }
    }
}
