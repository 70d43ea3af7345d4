//! Near misses: what a user may have meant.

/// The nearest of `names`, or else the shortest that begins like `given`, as the end of a sentence; empty if none is
/// near. A level may be written without its factor, or with another.
pub(crate) fn did_you_mean<'a>(given: &str, names: impl Iterator<Item = &'a str>) -> String {
    let given = given.to_lowercase();
    let level = without_factor(&given);
    let [given_chars, level_chars] = [&given, level].map(|text| text.chars().collect::<Vec<_>>());
    let (mut nearest, mut shortest): (Option<(usize, &str)>, Option<&str>) = (None, None);
    for name in names {
        let plain = name.to_lowercase();
        let short = without_factor(&plain);
        let whole = distance(&given_chars, &plain).min(distance(&given_chars, short));
        let near = |edits: usize, of: &[char]| edits <= (of.len() / 3).max(1);
        let alone = distance(&level_chars, short);
        let edits = [(whole, &given_chars), (alone, &level_chars)];
        let edits =
            edits.into_iter().filter(|(edits, of)| near(*edits, of)).map(|(edits, _)| edits);
        if let Some(edits) = edits.min()
            && nearest.is_none_or(|(least, _)| edits < least)
        {
            nearest = Some((edits, name));
        }
        let begins = !given.is_empty() && (plain.starts_with(&given) || short.starts_with(&given));
        if begins && shortest.is_none_or(|other| name.len() < other.len()) {
            shortest = Some(name);
        }
    }
    let meant = nearest.map(|(_, name)| name).or(shortest);
    meant.map_or_else(String::new, |name| format!("; did you mean '{name}'?"))
}

/// `party=whig` → `whig`.
fn without_factor(name: &str) -> &str {
    name.split_once('=').map_or(name, |(_, level)| level)
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
        assert_eq!(did_you_mean("era=Whig", names.into_iter()), "; did you mean 'party=Whig'?");
        assert_eq!(did_you_mean("free", names.into_iter()), "; did you mean 'freedom'?");
        assert_eq!(did_you_mean("party=W", names.into_iter()), "; did you mean 'party=Whig'?");
        assert_eq!(did_you_mean("W", names.into_iter()), "; did you mean 'party=Whig'?");
        assert_eq!(did_you_mean("zebra", names.into_iter()), "");
        assert_eq!(did_you_mean("", names.into_iter()), "");
    }
}
