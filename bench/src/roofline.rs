//! What this machine can do at most: multiplications and additions a second, and bytes a second out
//! of every cache. What a kernel reaches is told as a share of that.

use std::hint::black_box;
use std::time::Instant;

use pulp::{Simd, WithSimd};

/// Billions of floating-point operations a second of one core, from registers alone.
pub fn peak() -> f64 {
    let mut best = 0.0_f64;
    for _ in 0..5 {
        let begun = Instant::now();
        let operations = pulp::Arch::new().dispatch(Peak);
        best = best.max(operations / begun.elapsed().as_secs_f64() / 1e9);
    }
    best
}

struct Peak;

impl WithSimd for Peak {
    type Output = f64;

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) -> f64 {
        const ROUNDS: usize = 4_000_000;
        let factor = simd.splat_f32s(black_box(0.999));
        // Enough sums that none waits for itself.
        let mut sums = [simd.splat_f32s(black_box(1.0)); 12];
        for _ in 0..ROUNDS {
            for sum in &mut sums {
                *sum = simd.mul_add_e_f32s(*sum, factor, factor);
            }
        }
        for sum in sums {
            black_box(simd.reduce_sum_f32s(sum));
        }
        let lanes = size_of::<S::f32s>() / size_of::<f32>();
        (ROUNDS * sums.len() * lanes * 2) as f64
    }
}

/// Billions of bytes a second that one core reads out of a table of this many bytes, a row at a
/// time in random order, as training reads vectors.
pub fn bandwidth(bytes: usize, row: usize) -> f64 {
    let rows = (bytes / 4 / row).max(8);
    let table = vec![1.0_f32; rows * row];
    let mut order: Vec<u32> = (0..rows as u32).collect();
    let mut state = 88_172_645_463_325_252_u64;
    for i in (1..rows).rev() {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        order.swap(i, (state % (i as u64 + 1)) as usize);
    }
    let rounds = (200_000_000 / (rows * row * 4)).max(1);
    let mut best = 0.0_f64;
    for _ in 0..5 {
        let begun = Instant::now();
        for _ in 0..rounds {
            pulp::Arch::new().dispatch(Read { table: &table, order: &order, row });
        }
        let read = (rounds * rows * row * 4) as f64;
        best = best.max(read / begun.elapsed().as_secs_f64() / 1e9);
    }
    best
}

struct Read<'a> {
    table: &'a [f32],
    order: &'a [u32],
    row: usize,
}

impl WithSimd for Read<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let mut sums = [simd.splat_f32s(0.0); 4];
        for &row in self.order {
            let start = row as usize * self.row;
            let row = S::as_simd_f32s(&self.table[start..start + self.row]).0;
            for four in row.chunks_exact(4) {
                for (sum, x) in sums.iter_mut().zip(four) {
                    *sum = simd.add_f32s(*sum, *x);
                }
            }
        }
        for sum in sums {
            black_box(simd.reduce_sum_f32s(sum));
        }
    }
}
