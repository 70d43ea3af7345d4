//! What was just found out about counts: most counts are met again and again, and logarithms are dear.

/// Numbers with what a function says of them; a later one takes the place of an earlier one.
#[derive(Debug)]
pub(crate) struct Memo<V> {
    slots: Vec<(f64, V)>,
}

impl<V: Copy + Default> Memo<V> {
    const BITS: u32 = 12;

    /// Knows nothing but that 0 has the default.
    pub(crate) fn new() -> Self {
        Self { slots: vec![(0.0, V::default()); 1 << Self::BITS] }
    }

    /// What `find` says of a number.
    #[inline(always)]
    pub(crate) fn of(&mut self, number: f64, find: impl FnOnce(f64) -> V) -> V {
        let bits = number.to_bits();
        let hash = (bits ^ (bits >> 29)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let slot = &mut self.slots[(hash >> (u64::BITS - Self::BITS)) as usize];
        if slot.0 != number {
            *slot = (number, find(number));
        }
        slot.1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_asked_about_once_while_it_is_remembered_and_never_mixed_up() {
        let mut memo = Memo::new();
        let mut asked = 0;
        for round in 0..3 {
            for n in 1..20_000 {
                let number = f64::from(n) / 840.0;
                let double = memo.of(number, |number| {
                    asked += 1;
                    2.0 * number
                });
                assert_eq!(double, 2.0 * number, "round {round}");
            }
        }
        assert!(asked > 20_000, "more numbers than places: {asked}");
        let before = asked;
        for _ in 0..10 {
            memo.of(0.5, |_| {
                asked += 1;
                1.0
            });
        }
        assert!(asked <= before + 1);
    }
}
