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

/// Edits (insert, delete, replace) from one to the other.
fn distance(a: &[char], b: &str) -> usize {
    let mut row: Vec<usize> = (0..=a.len()).collect();
    for (i, y) in b.chars().enumerate() {
        let mut corner = row[0];
        row[0] = i + 1;
        for (j, x) in a.iter().enumerate() {
            let replaced = corner + usize::from(*x != y);
            corner = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(corner + 1);
        }
    }
    row[a.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names_are_suggested_and_far_ones_are_not() {
        let names = ["freedom", "labor", "party=Whig"];
        assert_eq!(did_you_mean("fredom", names.into_iter()), "; did you mean 'freedom'?");
        assert_eq!(did_you_mean("whigs", names.into_iter()), "; did you mean 'party=Whig'?");
        assert_eq!(did_you_mean("zebra", names.into_iter()), "");
    }
}
