//! How far a number of a word stands out from those of words that occur about as often.
//!
//! How far words move, and how much they seem to depend on the level, hangs on how often they occur: the more text a word has,
//! the further its vectors may leave what they have in common, and the less chance moves them. So a word is compared with the
//! [`PEERS`] words whose counts are nearest to its own:
//!
//! ```text
//! excess_i = (ln x_i − median of ln x_j over peers j) / (1.4826 · median |… − median|)
//! ```
//!
//! **Cost:** a sort, and a few passes over the peers of each word.

/// Words of like frequency that a word is compared with.
pub const PEERS: usize = 100;

/// Numbers below this are as good as nothing.
const NOTHING: f64 = 1e-9;

/// How far each of `rows` stands out from its peers; `of` says its number, how often it occurs, and the word, which decides
/// between those that occur equally often.
pub(super) fn excesses<R>(rows: &[R], of: impl Fn(&R) -> (f64, u64, &str)) -> Vec<f64> {
    let mut order: Vec<usize> = (0..rows.len()).collect();
    order.sort_by(|&a, &b| {
        let ((_, a_count, a_word), (_, b_count, b_word)) = (of(&rows[a]), of(&rows[b]));
        a_count.cmp(&b_count).then_with(|| a_word.cmp(b_word))
    });
    let logs: Vec<f64> = order.iter().map(|&row| of(&rows[row]).0.max(NOTHING).ln()).collect();
    let mut found = vec![0.0; rows.len()];
    for (place, &row) in order.iter().enumerate() {
        let first = place.saturating_sub(PEERS / 2).min(rows.len().saturating_sub(PEERS));
        let peers = &logs[first..rows.len().min(first + PEERS)];
        let middle = median(peers.to_vec());
        let spread = median(peers.iter().map(|x| (x - middle).abs()).collect());
        // Of words that are all alike none stands out.
        found[row] = match spread > 0.0 {
            true => (logs[place] - middle) / (1.4826 * spread),
            false => 0.0,
        };
    }
    found
}

/// The upper one of two in the middle.
pub(super) fn median(mut numbers: Vec<f64>) -> f64 {
    if numbers.is_empty() {
        return 0.0;
    }
    let middle = numbers.len() / 2;
    *numbers.select_nth_unstable_by(middle, f64::total_cmp).1
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    type Row = (f64, u64, String);

    fn row(word: usize, number: f64, count: u64) -> Row {
        (number, count, format!("w{word:04}"))
    }

    fn of(row: &Row) -> (f64, u64, &str) {
        (row.0, row.1, &row.2)
    }

    #[test]
    fn a_word_stands_out_among_words_of_its_frequency() {
        // Numbers fall with the count; one common word has that of a rare one.
        let mut rows: Vec<Row> = (0..400)
            .map(|i| {
                let ripple = 1.0 + 0.1 * ((i * 7 % 13) as f64 / 13.0);
                row(i, ripple * 10.0 / (20 + i) as f64, 20 + i as u64)
            })
            .collect();
        rows[350].0 = 0.3;
        let found = excesses(&rows, of);
        let first = (0..400).max_by(|&a, &b| found[a].total_cmp(&found[b])).unwrap();
        assert_eq!(first, 350, "though others have a larger number");
        assert!(rows.iter().filter(|row| row.0 > 0.3).count() >= 10);
        assert!(found[350] > 5.0, "{}", found[350]);
    }

    #[test]
    fn excess_is_the_plain_formula_over_the_peers() {
        let rows: Vec<Row> = (0..250)
            .map(|i| row(i, 0.01 + ((i * i * 31 % 97) as f64) / 100.0, (i * 17 % 211) as u64))
            .collect();
        let found = excesses(&rows, of);
        for (place, own) in rows.iter().enumerate() {
            // The plainest way: rank all others, take a hundred around it.
            let before = |other: &Row| (other.1, &other.2) < (own.1, &own.2);
            let rank = rows.iter().filter(|other| before(other)).count();
            let mut sorted: Vec<&Row> = rows.iter().collect();
            sorted.sort_by_key(|row| (row.1, row.2.clone()));
            let first = rank.max(PEERS / 2) - PEERS / 2;
            let first = if first + PEERS > rows.len() { rows.len() - PEERS } else { first };
            let mut logs: Vec<f64> =
                sorted[first..first + PEERS].iter().map(|row| row.0.ln()).collect();
            logs.sort_by(f64::total_cmp);
            let middle = logs[PEERS / 2];
            let mut apart: Vec<f64> = logs.iter().map(|x| (x - middle).abs()).collect();
            apart.sort_by(f64::total_cmp);
            let wanted = (own.0.ln() - middle) / (1.4826 * apart[PEERS / 2]);
            assert!((found[place] - wanted).abs() < 1e-9, "{place}: {} {wanted}", found[place]);
        }
    }

    #[test]
    fn nothing_stands_out_of_nothing() {
        assert!(excesses(&[] as &[Row], of).is_empty());
        assert_eq!(excesses(&[row(0, 0.0, 5), row(1, 0.0, 5)], of), [0.0, 0.0]);
    }
}
