//! Functions of statistics that no library at hand has.

/// Below this the series of [`digamma`] and [`trigamma`] are not good enough, and the argument is moved up.
const LARGE: f64 = 6.0;

/// ψ(x), the derivative of ln Γ, for x > 0.
pub(crate) fn digamma(mut x: f64) -> f64 {
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

/// ψ′(x), for x > 0.
pub(crate) fn trigamma(mut x: f64) -> f64 {
    let mut below = 0.0;
    while x < LARGE {
        below += 1.0 / (x * x);
        x += 1.0;
    }
    let square = 1.0 / (x * x);
    let of = |square: f64| {
        1.0 / 6.0
            - square
                * (1.0 / 30.0 - square * (1.0 / 42.0 - square * (1.0 / 30.0 - square * 5.0 / 66.0)))
    };
    below + 1.0 / x + square / 2.0 + square / x * of(square)
}

/// The x between these at which a function that rises there reaches `y`.
fn reaches(y: f64, (mut low, mut high): (f64, f64), rising: impl Fn(f64) -> f64) -> f64 {
    for _ in 0..80 {
        let middle = f64::midpoint(low, high);
        if rising(middle) < y {
            low = middle;
        } else {
            high = middle;
        }
    }
    f64::midpoint(low, high)
}

/// The x with ψ′(x) = y, for y > 0; between 10⁻⁶ and 10⁶.
pub(crate) fn inverse_trigamma(y: f64) -> f64 {
    libm::exp(reaches(-y, (libm::log(1e-6), libm::log(1e6)), |x| -trigamma(libm::exp(x))))
}

/// The quantile of the normal distribution.
pub(crate) fn normal_quantile(share: f64) -> f64 {
    reaches(share, (-9.0, 9.0), |x| libm::erfc(-x / std::f64::consts::SQRT_2) / 2.0)
}

/// The quantile of Student's t, by Cornish and Fisher's series about the normal one: 3 % too small at two degrees of freedom, right
/// to the thousandth from six on.
pub(crate) fn t_quantile(share: f64, freedom: f64) -> f64 {
    let z = normal_quantile(share);
    let of = |powers: &[f64], over: f64| {
        // Coefficients of z, z³, z⁵ …
        powers.iter().rev().fold(0.0, |sum, own| sum * z * z + own) * z / over
    };
    let terms =
        [of(&[1.0, 1.0], 4.0), of(&[3.0, 16.0, 5.0], 96.0), of(&[-15.0, 17.0, 19.0, 3.0], 384.0)];
    z + terms.iter().rev().fold(0.0, |sum, term| (sum + term) / freedom)
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

    #[test]
    fn trigamma_is_the_slope_of_digamma_and_its_inverse_leads_back() {
        let square = std::f64::consts::PI.powi(2);
        assert!((trigamma(1.0) - square / 6.0).abs() < 1e-8);
        assert!((trigamma(0.5) - square / 2.0).abs() < 1e-8);
        for x in [0.03, 0.7, 2.5, 9.0, 40.0] {
            let slope = (digamma(x * 1.0001) - digamma(x * 0.9999)) / (x * 0.0002);
            assert!((slope / trigamma(x) - 1.0).abs() < 1e-6, "{x}: {slope} {}", trigamma(x));
            assert!((inverse_trigamma(trigamma(x)) / x - 1.0).abs() < 1e-6);
        }
    }

    #[test]
    fn quantiles_have_the_values_of_the_tables() {
        assert!((normal_quantile(0.975) - 1.959_964).abs() < 1e-6);
        assert!((normal_quantile(0.05) + 1.644_854).abs() < 1e-6);
        for (freedom, expected, error) in
            [(2.0, 4.303, 0.15), (4.0, 2.776, 0.02), (6.0, 2.447, 0.004), (16.0, 2.120, 0.001)]
        {
            let got = t_quantile(0.975, freedom);
            assert!((got - expected).abs() < error, "{freedom}: {got}");
        }
    }
}
