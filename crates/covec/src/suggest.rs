//! Near misses: what a user may have meant.

/// The nearest of `names`, as the end of a sentence; empty if none is near.
pub(crate) fn did_you_mean<'a>(given: &str, names: impl Iterator<Item = &'a str>) -> String {
    let given: Vec<char> = given.to_lowercase().chars().collect();
    let most = (given.len() / 3).max(1);
    let nearest = names
        .map(|name| {
            let plain = name.to_lowercase();
            // A level may be written without its factor.
            let short = plain.split_once('=').map_or(plain.as_str(), |(_, level)| level);
            let distance = distance(&given, &plain).min(distance(&given, short));
            (distance, name)
        })
        .filter(|(distance, _)| *distance <= most)
        .min_by_key(|(distance, _)| *distance);
    nearest.map_or_else(String::new, |(_, name)| format!("; did you mean '{name}'?"))
}

/// Edits (insert, delete, replace, swap neighbours) from one to the other.
fn distance(a: &[char], b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    // The rows before the last, the last, and the present one.
    let (mut before, mut last) = (Vec::new(), (0..=a.len()).collect::<Vec<usize>>());
    for (i, y) in b.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, x) in a.iter().enumerate() {
            let replaced = last[j] + usize::from(x != y);
            let mut least = replaced.min(row[j] + 1).min(last[j + 1] + 1);
            if i > 0 && j > 0 && *x == b[i - 1] && a[j - 1] == *y {
                least = least.min(before[j - 1] + 1);
            }
            row.push(least);
        }
        before = std::mem::replace(&mut last, row);
    }
    last[a.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names_are_suggested_and_far_ones_are_not() {
        let names = ["freedom", "labor", "party=Whig"];
        assert_eq!(did_you_mean("fredom", names.into_iter()), "; did you mean 'freedom'?");
        assert_eq!(did_you_mean("labro", names.into_iter()), "; did you mean 'labor'?");
        assert_eq!(did_you_mean("whigs", names.into_iter()), "; did you mean 'party=Whig'?");
        assert_eq!(did_you_mean("zebra", names.into_iter()), "");
    }
}
