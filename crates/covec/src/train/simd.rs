//! The inner loops: dot products and sums of vectors, many at a time.
//!
//! Written once for any width of register; `pulp` chooses the machine's at run time (AVX2 with FMA,
//! NEON, or plain). Rows of a [`Table`](super::table::Table) are padded, so no loop has a tail.
//!
//! AVX-512 was tried, with rows that begin at cache lines and a row, `u` and `y` all in registers: a
//! sweep takes a tenth less with one thread, a training with two 1 to 3 % less, and counting a
//! tenth more.

use pulp::Simd;

/// Vectors that are handled together: their sums do not wait for each other, and what they share is
/// loaded once for all of them.
const MANY: usize = 8;

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

// Loops below, not closures over arrays: what is not inlined loses its registers.

/// The rows of `N` columns, each as long as a row is known to be.
#[inline(always)]
fn rows<'a, S: Simd, const N: usize>(
    table: Rows<'a, S>,
    cols: &[u32],
    len: usize,
) -> [&'a [S::f32s]; N] {
    let mut rows: [&[S::f32s]; N] = [&[]; N];
    for n in 0..N {
        rows[n] = &table.row(cols[n] as usize)[..len];
    }
    rows
}

/// Dot products of `u` with several vectors.
#[inline(always)]
fn dots<S: Simd, const N: usize>(simd: S, u: &[S::f32s], rows: [&[S::f32s]; N]) -> [f32; N] {
    let mut sums = [simd.splat_f32s(0.0); N];
    for (t, u) in u.iter().enumerate() {
        for n in 0..N {
            sums[n] = simd.mul_add_e_f32s(*u, rows[n][t], sums[n]);
        }
    }
    let mut dots = [0.0; N];
    for n in 0..N {
        dots[n] = simd.reduce_sum_f32s(sums[n]);
    }
    dots
}

/// `y += Σ factor · row`.
#[inline(always)]
fn add<S: Simd, const N: usize>(
    simd: S,
    factors: [f32; N],
    rows: [&[S::f32s]; N],
    y: &mut [S::f32s],
) {
    let mut wide = [simd.splat_f32s(0.0); N];
    for n in 0..N {
        wide[n] = simd.splat_f32s(factors[n]);
    }
    for (t, y) in y.iter_mut().enumerate() {
        let mut sum = *y;
        for n in 0..N {
            sum = simd.mul_add_e_f32s(wide[n], rows[n][t], sum);
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
    let mut at = 0;
    while at + MANY <= cols.len() {
        fold_some::<S, MANY>(simd, table, &cols[at..], u, y, at, &mut factor);
        at += MANY;
    }
    // With many levels the columns of each are few, and what is left over is much of them.
    if at + MANY / 2 <= cols.len() {
        fold_some::<S, { MANY / 2 }>(simd, table, &cols[at..], u, y, at, &mut factor);
        at += MANY / 2;
    }
    if at + MANY / 4 <= cols.len() {
        fold_some::<S, { MANY / 4 }>(simd, table, &cols[at..], u, y, at, &mut factor);
        at += MANY / 4;
    }
    if at < cols.len() {
        fold_some::<S, 1>(simd, table, &cols[at..], u, y, at, &mut factor);
    }
}

#[inline(always)]
fn fold_some<S: Simd, const N: usize>(
    simd: S,
    table: Rows<'_, S>,
    cols: &[u32],
    u: &[S::f32s],
    y: &mut [S::f32s],
    at: usize,
    factor: &mut impl FnMut(usize, f32) -> f32,
) {
    let rows: [_; N] = rows(table, cols, u.len().min(y.len()));
    let dots = dots(simd, &u[..rows[0].len()], rows);
    let mut factors = [0.0; N];
    for n in 0..N {
        factors[n] = factor(at + n, dots[n]);
    }
    add(simd, factors, rows, &mut y[..rows[0].len()]);
}

/// `y += Σ factor · column`.
#[inline(always)]
pub(crate) fn add_rows<S: Simd>(
    simd: S,
    table: Rows<'_, S>,
    cols: &[u32],
    factors: &[f32],
    y: &mut [S::f32s],
) {
    let (many, rest) = cols.as_chunks::<MANY>();
    let (of_many, of_rest) = factors.as_chunks::<MANY>();
    for (cols, factors) in many.iter().zip(of_many) {
        add(simd, *factors, rows(table, cols, y.len()), y);
    }
    for (&col, &factor) in rest.iter().zip(of_rest) {
        add(simd, [factor], rows(table, &[col], y.len()), y);
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
    let mut at = 0;
    while at + MANY <= cols.len() {
        dot_some::<S, MANY>(simd, table, &cols[at..], u, at, &mut take);
        at += MANY;
    }
    if at + MANY / 2 <= cols.len() {
        dot_some::<S, { MANY / 2 }>(simd, table, &cols[at..], u, at, &mut take);
        at += MANY / 2;
    }
    if at + MANY / 4 <= cols.len() {
        dot_some::<S, { MANY / 4 }>(simd, table, &cols[at..], u, at, &mut take);
        at += MANY / 4;
    }
    if at < cols.len() {
        dot_some::<S, 1>(simd, table, &cols[at..], u, at, &mut take);
    }
}

#[inline(always)]
fn dot_some<S: Simd, const N: usize>(
    simd: S,
    table: Rows<'_, S>,
    cols: &[u32],
    u: &[S::f32s],
    at: usize,
    take: &mut impl FnMut(usize, f32),
) {
    let dots: [f32; N] = dots(simd, u, rows(table, cols, u.len()));
    for (n, dot) in dots.into_iter().enumerate() {
        take(at + n, dot);
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
    let [dot] = dots(simd, a, [&b[..a.len()]]);
    dot
}
