//! Numbers as people read them.

use crate::svg::ticks;
pub(super) use crate::{counted, thousands as count};

/// A number with about three digits that count.
pub(super) fn short(number: f64) -> String {
    ticks::short(number)
}

/// A share, as a percentage.
pub(super) fn percent(share: f64) -> String {
    let percent = 100.0 * share;
    match percent {
        p if p > 0.0 && p < 0.95 => format!("{p:.1} %"),
        p => format!("{p:.0} %"),
    }
}

/// Digits that matter, however small the number.
pub(super) fn loss(number: f64) -> String {
    match number {
        x if x == 0.0 || x.abs() >= 1e-3 => format!("{x:.4}"),
        x => format!("{x:.2e}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_for_people() {
        assert_eq!([0, 999, 1000, 1_234_567].map(count), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!(counted(1, "level"), "1 level");
        assert_eq!(counted(2000, "level"), "2,000 levels");
        assert_eq!([0.0, 0.004, 0.25, 1.0].map(percent), ["0 %", "0.4 %", "25 %", "100 %"]);
        assert_eq!([0.0, 0.5, 1e-5].map(loss), ["0.0000", "0.5000", "1.00e-5"]);
    }
}
