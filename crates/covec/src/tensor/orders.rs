//! Orders of levels, each of some of them, made into one.
//!
//! In: lists of names, each in its order. Out: all names in the one order that every list is a part of. Lists that
//! contradict each other have none; lists that leave open which of two levels comes first have several, and guessing
//! would put eras in an order that nobody gave.

use std::collections::{BTreeMap, BTreeSet};

/// Why there is not one order.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Clash {
    /// This list, by its place, contradicts those before it.
    Against(usize),
    /// No list says which of these comes first.
    Open(String, String),
}

/// The one order of all lists. Only names that are `there` must be put in order; others may stand anywhere.
pub(super) fn unite(lists: &[Vec<String>], there: &BTreeSet<&str>) -> Result<Vec<String>, Clash> {
    let mut after: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    let mut order = Vec::new();
    for (place, list) in lists.iter().enumerate() {
        for name in list {
            after.entry(name).or_default();
        }
        for pair in list.windows(2) {
            after.entry(&pair[0]).or_default().insert(&pair[1]);
        }
        order = sorted(&after).ok_or(Clash::Against(place))?;
    }
    let left: Vec<&str> = order.iter().copied().filter(|name| there.contains(name)).collect();
    match left.windows(2).find(|pair| !leads(&after, pair[0], pair[1])) {
        Some(pair) => Err(Clash::Open(pair[0].to_owned(), pair[1].to_owned())),
        None => Ok(order.into_iter().map(str::to_owned).collect()),
    }
}

/// Every name after all that come before it; none if names go round in a circle.
fn sorted<'a>(after: &BTreeMap<&'a str, BTreeSet<&'a str>>) -> Option<Vec<&'a str>> {
    let mut before: BTreeMap<&str, usize> = after.keys().map(|&name| (name, 0)).collect();
    for name in after.values().flatten() {
        *before.entry(name).or_default() += 1;
    }
    let mut free: BTreeSet<&str> =
        before.iter().filter(|&(_, &n)| n == 0).map(|(&name, _)| name).collect();
    let mut order = Vec::with_capacity(after.len());
    while let Some(name) = free.pop_first() {
        order.push(name);
        for &next in after.get(name).into_iter().flatten() {
            let waits = before.entry(next).or_default();
            *waits -= 1;
            if *waits == 0 {
                free.insert(next);
            }
        }
    }
    (order.len() == after.len()).then_some(order)
}

/// Whether the lists say that `first` comes before `second`.
fn leads(after: &BTreeMap<&str, BTreeSet<&str>>, first: &str, second: &str) -> bool {
    let (mut seen, mut waiting) = (BTreeSet::new(), vec![first]);
    while let Some(name) = waiting.pop() {
        if name == second {
            return true;
        }
        if seen.insert(name) {
            waiting.extend(after.get(name).into_iter().flatten());
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    fn united(lists: &[&str]) -> Result<String, Clash> {
        let lists: Vec<Vec<String>> =
            lists.iter().map(|list| list.split(' ').map(str::to_owned).collect()).collect();
        let there: BTreeSet<&str> = lists.iter().flatten().map(String::as_str).collect();
        unite(&lists, &there).map(|names| names.join(" "))
    }

    #[test]
    fn parts_of_one_order_give_it_whole() {
        assert_eq!(united(&["z y", "y a"]).unwrap(), "z y a");
        assert_eq!(
            united(&["late", "early middle late", "early late"]).unwrap(),
            "early middle late"
        );
        assert_eq!(united(&["a c", "b c", "a b"]).unwrap(), "a b c");
    }

    #[test]
    fn orders_that_contradict_each_other_or_leave_one_open_are_told() {
        assert_eq!(united(&["a b", "b c", "c a"]), Err(Clash::Against(2)));
        assert_eq!(united(&["a c", "b c"]), Err(Clash::Open("a".into(), "b".into())));
        // What is not there may stand anywhere.
        let lists = [vec!["a".to_owned(), "c".to_owned()], vec!["b".to_owned(), "c".to_owned()]];
        assert!(unite(&lists, &["a", "c"].into()).is_ok());
    }
}
