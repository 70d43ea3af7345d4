//! Which words are swapped with which.
//!
//! Words that can be swapped are sorted by their count in the level (then by the word), neighbours are
//! paired, and the pairs wanted are drawn from these, all with the same chance.
//!
//! A word must be made of letters alone, so that the one put in its place is cut out of the text again
//! just where it was: after `covid19` a point and a digit would join it, after `virus` they do not. Text
//! that is already cut needs no such care.

use unicode_normalization::char::is_combining_mark;

use super::PlantError;
use super::census::Census;
use super::parameters::PlantParameters;
use super::truth::{PlantedPair, PlantedWord};
use crate::corpus::TokenRule;
use crate::lots::{End, Lots, Stream};

/// Letters of a word: what is shorter is mostly grammar.
const LETTERS: usize = 4;

/// Draws the pairs; the rarest come first.
pub(super) fn draw(
    census: &Census,
    level: &str,
    rule: TokenRule,
    parameters: &PlantParameters,
) -> Result<Vec<PlantedPair>, PlantError> {
    let words = eligible(census, rule, parameters);
    let asked = parameters.pairs as usize;
    let mut numbers: Vec<usize> = (0..words.len() / 2).collect();
    if numbers.len() < asked {
        return Err(too_few(words.len(), level, parameters));
    }
    Stream::new(parameters.seed.0, End::PlantedPairs, 0).shuffle(&mut numbers);
    numbers.truncate(asked);
    numbers.sort_unstable();
    let word = |(count, word, elsewhere): (u64, &str, u64)| PlantedWord {
        word: word.to_owned(),
        count,
        elsewhere,
        swapped: 0,
    };
    let pair = |n: usize| PlantedPair { first: word(words[2 * n]), second: word(words[2 * n + 1]) };
    Ok(numbers.into_iter().map(pair).collect())
}

/// Count in the level, word, and count elsewhere, of the words that can be swapped; sorted.
fn eligible<'a>(
    census: &'a Census,
    rule: TokenRule,
    parameters: &PlantParameters,
) -> Vec<(u64, &'a str, u64)> {
    let mut words: Vec<_> = census
        .words()
        .filter(|(_, [here, elsewhere])| {
            (parameters.least..=parameters.most).contains(here)
                && *elsewhere >= parameters.elsewhere()
        })
        .filter(|(word, _)| can_be_swapped(word, rule))
        .map(|(word, [here, elsewhere])| (here, word, elsewhere))
        .collect();
    words.sort_unstable();
    words
}

fn can_be_swapped(word: &str, rule: TokenRule) -> bool {
    let plain = |c: char| c.is_alphabetic() || is_combining_mark(c);
    word.chars().filter(|c| c.is_alphabetic()).count() >= LETTERS
        && (rule == TokenRule::Whitespace || word.chars().all(plain))
}

fn too_few(words: usize, level: &str, parameters: &PlantParameters) -> PlantError {
    let fewer = if words < 2 { String::new() } else { format!("--pairs {}, ", words / 2) };
    PlantError::TooFewPairs {
        asked: u64::from(parameters.pairs),
        level: level.to_owned(),
        pairs: words as u64 / 2,
        words: words as u64,
        least: parameters.least,
        most: parameters.most,
        elsewhere: parameters.elsewhere(),
        way_out: format!("{fewer}a lower --least, a higher --most, or a larger level"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_four_letters_and_nothing_else_can_be_swapped() {
        for (word, fits) in [
            ("freedom", true),
            ("élan", true),
            ("हिन्दी", true),
            ("the", false),
            ("don't", false),
            ("covid19", false),
            ("e.g.a.b", false),
            ("new_york", false),
        ] {
            assert_eq!(can_be_swapped(word, TokenRule::Words), fits, "{word}");
        }
        assert!(can_be_swapped("new_york", TokenRule::Whitespace));
        assert!(!can_be_swapped("1,000", TokenRule::Whitespace));
    }
}
