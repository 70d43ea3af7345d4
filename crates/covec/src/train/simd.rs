//! The inner loops: dot products and sums of vectors, many at a time.
//!
//! Written once for any width of register; `pulp` chooses the machine's at run time (AVX2 with FMA,
//! NEON, or plain). Rows of a [`Table`](super::table::Table) are padded, so no loop has a tail.

use pulp::Simd;

/// Vectors that are handled together: their sums do not wait for each other.
pub(crate) const TOGETHER: usize = 4;

/// A table as registers: `width` of them a row.
#[derive(Clone, Copy)]
pub(crate) struct Rows<'a, S: Simd> {
    all: &'a [S::f32s],
    width: usize,
}

impl<'a, S: Simd> Rows<'a, S> {
    #[inline(always)]
    pub(crate) fn new(numbers: &'a [f32], stride: usize) -> Self {
        let all = S::as_simd_f32s(numbers).0;
        Self { all, width: stride / (size_of::<S::f32s>() / size_of::<f32>()) }
    }

    #[inline(always)]
    pub(crate) fn row(&self, row: usize) -> &'a [S::f32s] {
        &self.all[row * self.width..(row + 1) * self.width]
    }
}

/// Dot products of `u` with several vectors.
#[inline(always)]
pub(crate) fn dots<S: Simd, const N: usize>(
    simd: S,
    u: &[S::f32s],
    rows: [&[S::f32s]; N],
) -> [f32; N] {
    let mut sums = [simd.splat_f32s(0.0); N];
    let rows = rows.map(|row| &row[..u.len()]);
    for (t, u) in u.iter().enumerate() {
        for n in 0..N {
            sums[n] = simd.mul_add_e_f32s(*u, rows[n][t], sums[n]);
        }
    }
    sums.map(|sum| simd.reduce_sum_f32s(sum))
}

/// `y += Σ factor · row`.
#[inline(always)]
pub(crate) fn add<S: Simd, const N: usize>(
    simd: S,
    factors: [f32; N],
    rows: [&[S::f32s]; N],
    y: &mut [S::f32s],
) {
    let factors = factors.map(|factor| simd.splat_f32s(factor));
    let rows = rows.map(|row| &row[..y.len()]);
    for (t, y) in y.iter_mut().enumerate() {
        let mut sum = *y;
        for n in 0..N {
            sum = simd.mul_add_e_f32s(factors[n], rows[n][t], sum);
        }
        *y = sum;
    }
}

/// For every column: its dot product with `u` goes through `factor`, and what comes back times the
/// column's vector is added to `y`. Each vector is fetched once for both.
#[inline(always)]
pub(crate) fn fold<S: Simd>(
    simd: S,
    table: Rows<'_, S>,
    cols: &[u32],
    u: &[S::f32s],
    y: &mut [S::f32s],
    mut factor: impl FnMut(usize, f32) -> f32,
) {
    let mut quads = cols.chunks_exact(TOGETHER);
    let mut at = 0;
    for quad in &mut quads {
        let rows = [quad[0], quad[1], quad[2], quad[3]].map(|col| table.row(col as usize));
        let dots = dots(simd, u, rows);
        let factors = std::array::from_fn::<f32, TOGETHER, _>(|n| factor(at + n, dots[n]));
        add(simd, factors, rows, y);
        at += TOGETHER;
    }
    for &col in quads.remainder() {
        let rows = [table.row(col as usize)];
        let [dot] = dots(simd, u, rows);
        let factor = factor(at, dot);
        add(simd, [factor], rows, y);
        at += 1;
    }
}

/// For every column its dot product with `u`.
#[inline(always)]
pub(crate) fn each_dot<S: Simd>(
    simd: S,
    table: Rows<'_, S>,
    cols: &[u32],
    u: &[S::f32s],
    mut take: impl FnMut(usize, f32),
) {
    let mut quads = cols.chunks_exact(TOGETHER);
    let mut at = 0;
    for quad in &mut quads {
        let rows = [quad[0], quad[1], quad[2], quad[3]].map(|col| table.row(col as usize));
        for dot in dots(simd, u, rows) {
            take(at, dot);
            at += 1;
        }
    }
    for &col in quads.remainder() {
        let [dot] = dots(simd, u, [table.row(col as usize)]);
        take(at, dot);
        at += 1;
    }
}

/// `out = a ∘ b`.
#[inline(always)]
pub(crate) fn times<S: Simd>(simd: S, a: &[S::f32s], b: &[S::f32s], out: &mut [S::f32s]) {
    for ((out, a), b) in out.iter_mut().zip(a).zip(b) {
        *out = simd.mul_f32s(*a, *b);
    }
}

/// `out += a ∘ b`.
#[inline(always)]
pub(crate) fn add_times<S: Simd>(simd: S, a: &[S::f32s], b: &[S::f32s], out: &mut [S::f32s]) {
    for ((out, a), b) in out.iter_mut().zip(a).zip(b) {
        *out = simd.mul_add_e_f32s(*a, *b, *out);
    }
}

/// `y += factor · x`.
#[inline(always)]
pub(crate) fn add_scaled<S: Simd>(simd: S, factor: f32, x: &[S::f32s], y: &mut [S::f32s]) {
    let factor = simd.splat_f32s(factor);
    for (y, x) in y.iter_mut().zip(x) {
        *y = simd.mul_add_e_f32s(factor, *x, *y);
    }
}

/// `y = x + factor · y`.
#[inline(always)]
pub(crate) fn scale_add<S: Simd>(simd: S, factor: f32, x: &[S::f32s], y: &mut [S::f32s]) {
    let factor = simd.splat_f32s(factor);
    for (y, x) in y.iter_mut().zip(x) {
        *y = simd.mul_add_e_f32s(factor, *y, *x);
    }
}

/// A dot product.
#[inline(always)]
pub(crate) fn dot<S: Simd>(simd: S, a: &[S::f32s], b: &[S::f32s]) -> f32 {
    let [dot] = dots(simd, a, [b]);
    dot
}
