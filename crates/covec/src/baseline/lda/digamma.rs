//! The derivative of ln Γ.

/// Below this the series is not good enough, and the argument is moved up.
const LARGE: f64 = 6.0;

/// ψ(x), for x > 0.
pub(super) fn digamma(mut x: f64) -> f64 {
    let mut below = 0.0;
    while x < LARGE {
        below -= 1.0 / x;
        x += 1.0;
    }
    let square = 1.0 / (x * x);
    // Bernoulli's numbers, each over its place.
    let of = |square: f64| {
        1.0 / 12.0
            - square
                * (1.0 / 120.0 - square * (1.0 / 252.0 - square * (1.0 / 240.0 - square / 132.0)))
    };
    below + libm::log(x) - 0.5 / x - square * of(square)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digamma_has_the_values_that_are_known() {
        let euler = 0.577_215_664_901_532_9;
        for (x, expected) in [
            (1.0, -euler),
            (0.5, -euler - 2.0 * std::f64::consts::LN_2),
            (2.0, 1.0 - euler),
            (10.0, 2.251_752_589_066_721),
            (0.01, -100.560_885_457_868_67),
        ] {
            assert!((digamma(x) - expected).abs() < 1e-9, "{x}: {} {expected}", digamma(x));
        }
    }
}
