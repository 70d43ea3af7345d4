//! Made-up words: pronounceable, of letters alone, each different from all others.

const CONSONANTS: &[u8] = b"bdfghjklmnprstvw";
const VOWELS: &[u8] = b"aeiou";
const SYLLABLES: usize = CONSONANTS.len() * VOWELS.len();

/// The word number `index`. The first 6400 have two syllables, later ones more; the alphabet's order
/// has nothing to do with the numbers.
pub(super) fn word(index: usize) -> String {
    let (mut rest, mut block, mut syllables) = (index, SYLLABLES * SYLLABLES, 2);
    while rest >= block {
        rest -= block;
        block *= SYLLABLES;
        syllables += 1;
    }
    // Prime to 2 and 5, the only divisors of a block, so every number of the block is met once.
    let mut code = (rest * 2477 + 1013) % block;
    let mut word = String::new();
    for _ in 0..syllables {
        let syllable = code % SYLLABLES;
        code /= SYLLABLES;
        word.push(char::from(CONSONANTS[syllable / VOWELS.len()]));
        word.push(char::from(VOWELS[syllable % VOWELS.len()]));
    }
    word
}

/// The name of a factor.
pub(super) fn factor(index: usize) -> String {
    match index {
        0 => "group".to_owned(),
        1 => "period".to_owned(),
        2 => "place".to_owned(),
        _ => format!("factor{}", index + 1),
    }
}

/// The name of one of `levels` levels; sorted by name they are sorted by number too.
pub(super) fn level(factor: &str, index: usize, levels: usize) -> String {
    let digits = levels.to_string().len();
    format!("{factor}-{:0digits$}", index + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_unique_and_made_of_letters() {
        let words: std::collections::BTreeSet<String> = (0..20_000).map(word).collect();
        assert_eq!(words.len(), 20_000);
        assert!(words.iter().all(|w| w.bytes().all(|b| b.is_ascii_lowercase())));
        assert_eq!((word(0).len(), word(6399).len(), word(6400).len()), (4, 4, 6));
    }

    #[test]
    fn levels_sort_by_name_as_by_number() {
        let names: Vec<String> = (0..12).map(|i| level("group", i, 12)).collect();
        assert!(names.is_sorted());
        assert_eq!((level("group", 0, 4), names[0].as_str()), ("group-1".to_owned(), "group-01"));
    }
}
