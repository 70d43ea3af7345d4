//! Names of files from names of levels, which can hold anything.

use std::collections::BTreeSet;

/// Longest name of ours, in characters: file systems allow 255 bytes, and a character takes up to 4.
const LONGEST: usize = 50;

/// A name for each that every file system can hold, no two alike even where case is ignored.
pub(super) fn distinct<'a>(names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut taken = BTreeSet::new();
    names
        .map(|name| {
            let safe = safe(name);
            let mut own = safe.clone();
            let mut number = 2;
            while !taken.insert(own.to_lowercase()) {
                own = format!("{safe}-{number}");
                number += 1;
            }
            own
        })
        .collect()
}

/// Letters, digits and a few marks stay; no name is hidden or climbs to another folder.
fn safe(name: &str) -> String {
    let kept = |c: char| match c {
        c if c.is_alphanumeric() || "=,.-+_".contains(c) => c,
        _ => '_',
    };
    let name: String = name.chars().take(LONGEST).map(kept).collect();
    name.trim_start_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_safe_and_distinct() {
        let given = ["party=R", "party=r", "p=../../etc/passwd", "p=..\\..\\etc\\passwd", ".a=é b"];
        let made = distinct(given.into_iter());
        assert_eq!(
            made,
            ["party=R", "party=r-2", "p=.._.._etc_passwd", "p=.._.._etc_passwd-2", "a=é_b"]
        );
        let long = format!("a={}", "ü".repeat(300));
        let made = distinct([long.as_str(), long.as_str()].into_iter());
        assert!(made[0] != made[1] && made.iter().all(|name| name.len() < 200), "{made:?}");
    }
}
