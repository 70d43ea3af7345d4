//! Means, ranks and Kolmogorov's distance.

pub fn mean(numbers: &[f64]) -> f64 {
    numbers.iter().sum::<f64>() / numbers.len() as f64
}

/// Standard error of the mean, were the numbers independent.
pub fn error(numbers: &[f64]) -> f64 {
    let (n, middle) = (numbers.len() as f64, mean(numbers));
    let square = numbers.iter().map(|x| (x - middle).powi(2)).sum::<f64>() / (n - 1.0);
    (square / n).sqrt()
}

/// How far p-values are from evenly spread, at most; they may be of a few sizes only, 1/(B+1), 2/(B+1) and on.
pub fn distance(p: &[f64]) -> f64 {
    let mut sorted = p.to_vec();
    sorted.sort_by(f64::total_cmp);
    let n = sorted.len() as f64;
    // Only at a value that occurs is the share at or below it told by p itself.
    let at = |&p: &f64| (sorted.partition_point(|x| *x <= p) as f64 / n - p).abs();
    sorted.iter().map(at).fold(0.0, f64::max)
}

/// The chance of such a distance or a larger one of n independent p-values (Kolmogorov; Stephens 1970).
pub fn kolmogorov(distance: f64, n: usize) -> f64 {
    let root = (n as f64).sqrt();
    let x = distance * (root + 0.12 + 0.11 / root);
    let term = |k: i32| {
        let sign = if k % 2 == 1 { 2.0 } else { -2.0 };
        sign * libm::exp(-2.0 * f64::from(k * k) * x * x)
    };
    if x < 0.2 { 1.0 } else { (1..100).map(term).sum::<f64>().clamp(0.0, 1.0) }
}

/// Spearman's rank correlation.
pub fn spearman(a: &[f64], b: &[f64]) -> f64 {
    let [a, b] = [a, b].map(ranks);
    let [ma, mb] = [mean(&a), mean(&b)];
    let product = |x: &[f64], mx: f64, y: &[f64], my: f64| {
        x.iter().zip(y).map(|(x, y)| (x - mx) * (y - my)).sum::<f64>()
    };
    product(&a, ma, &b, mb) / (product(&a, ma, &a, ma) * product(&b, mb, &b, mb)).sqrt()
}

/// Ranks; equal numbers share theirs.
fn ranks(numbers: &[f64]) -> Vec<f64> {
    let mut sorted = numbers.to_vec();
    sorted.sort_by(f64::total_cmp);
    let rank = |x: &f64| {
        let (first, end) = (sorted.partition_point(|y| y < x), sorted.partition_point(|y| y <= x));
        (first + end) as f64 / 2.0
    };
    numbers.iter().map(rank).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_and_ranks_are_those_of_the_books() {
        assert!((distance(&[0.25, 0.5, 0.75, 1.0]) - 0.0).abs() < 1e-12);
        assert!((distance(&[0.1, 0.1, 0.1, 1.0]) - 0.65).abs() < 1e-12);
        // 1.358/√n is the point of 5 % for many numbers.
        assert!((kolmogorov(1.358 / 100.0, 10_000) - 0.05).abs() < 0.002);
        assert!((spearman(&[1.0, 2.0, 3.0], &[10.0, 20.0, 25.0]) - 1.0).abs() < 1e-12);
        assert!((spearman(&[1.0, 2.0, 3.0], &[3.0, 2.0, 1.0]) + 1.0).abs() < 1e-12);
        assert!((error(&[1.0, 3.0]) - 1.0).abs() < 1e-12);
    }
}
