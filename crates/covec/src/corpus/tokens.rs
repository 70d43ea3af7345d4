//! Text becomes words.
//!
//! The rule (`--tokens words`): Unicode word segmentation (UAX #29); a segment without a letter
//! (a number, punctuation, an emoji) is no word and takes no place; `_` at either end is cut off
//! (Markdown's emphasis); soft hyphens are dropped; the typographic apostrophe ’ becomes ';
//! composed form (NFC); lower case unless `--keep-case`.
//!
//! A break always stands at white space, so the text is taken piece by piece between it: a piece
//! of ASCII goes through a small table (most of the text, many times faster), any other through
//! the Unicode tables. A property test holds the two together.

use std::ops::Range;

use unicode_normalization::{UnicodeNormalization, is_nfc};
use unicode_segmentation::UnicodeSegmentation;

use super::{CorpusParameters, TokenRule};

/// What an ASCII byte does to a word.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    /// Ends a word.
    Other,
    Letter,
    Digit,
    /// `_` joins whatever stands beside it.
    Joiner,
    /// `:` holds letters together.
    MidLetter,
    /// `'` and `.` hold letters together, and digits.
    MidBoth,
    /// `,` and `;` hold digits together.
    MidNumber,
}

const CLASSES: [Class; 128] = {
    let mut table = [Class::Other; 128];
    let mut byte = 0;
    while byte < 128 {
        table[byte] = match byte as u8 {
            b'a'..=b'z' | b'A'..=b'Z' => Class::Letter,
            b'0'..=b'9' => Class::Digit,
            b'_' => Class::Joiner,
            b':' => Class::MidLetter,
            b'\'' | b'.' => Class::MidBoth,
            b',' | b';' => Class::MidNumber,
            _ => Class::Other,
        };
        byte += 1;
    }
    table
};

fn class(byte: u8) -> Class {
    CLASSES[usize::from(byte & 127)]
}

/// Cuts text into words.
#[derive(Debug, Clone)]
pub struct Tokenizer {
    rule: TokenRule,
    keep_case: bool,
    word: Vec<u8>,
}

impl Tokenizer {
    /// A tokenizer for these parameters.
    pub fn new(parameters: &CorpusParameters) -> Self {
        Self { rule: parameters.tokens, keep_case: parameters.keep_case, word: Vec::new() }
    }

    /// The words of a text, in order. Each is handed over as UTF-8 bytes.
    pub fn each(&mut self, text: &str, mut emit: impl FnMut(&[u8])) {
        self.each_written(text, &mut |word, _| emit(word));
    }

    /// The same, each with its place in the text.
    pub fn each_at(&mut self, text: &str, mut emit: impl FnMut(&[u8], Range<usize>)) {
        let start = text.as_ptr().addr();
        self.each_written(text, &mut |word, written| {
            let from = written.as_ptr().addr() - start;
            emit(word, from..from + written.len());
        });
    }

    /// The words, each with the part of the text it was made of.
    fn each_written(&mut self, text: &str, emit: &mut impl FnMut(&[u8], &[u8])) {
        match self.rule {
            TokenRule::Words => self.words(text, emit),
            TokenRule::Whitespace => {
                for piece in text.split_whitespace() {
                    if self.keep_case {
                        emit(piece.as_bytes(), piece.as_bytes());
                    } else {
                        self.lowercase(piece.as_bytes(), piece.is_ascii());
                        emit(&self.word, piece.as_bytes());
                    }
                }
            }
        }
    }

    /// A single word as the tokenizer would hand it over; the words of a given list pass here.
    pub fn normalise(&mut self, word: &str) -> Vec<String> {
        let mut words = Vec::new();
        self.each(word, |w| words.push(String::from_utf8_lossy(w).into_owned()));
        words
    }

    fn words(&mut self, text: &str, emit: &mut impl FnMut(&[u8], &[u8])) {
        let bytes = text.as_bytes();
        let mut start = 0;
        while start < bytes.len() {
            let mut end = start;
            let mut seen = 0;
            while end < bytes.len() && !matches!(bytes[end], b' ' | b'\t'..=b'\r') {
                seen |= bytes[end];
                end += 1;
            }
            if end > start {
                if seen < 128 {
                    self.ascii_words(&bytes[start..end], emit);
                } else {
                    self.unicode_words(&text[start..end], emit);
                }
            }
            start = end + 1;
        }
    }

    fn ascii_words(&mut self, piece: &[u8], emit: &mut impl FnMut(&[u8], &[u8])) {
        let mut at = 0;
        while at < piece.len() {
            let first = class(piece[at]);
            if !matches!(first, Class::Letter | Class::Digit | Class::Joiner) {
                at += 1;
                continue;
            }
            let start = at;
            let mut last = first;
            let mut has_letter = first == Class::Letter;
            at += 1;
            while at < piece.len() {
                let next = class(piece[at]);
                match next {
                    Class::Letter | Class::Digit | Class::Joiner => {
                        has_letter |= next == Class::Letter;
                        last = next;
                        at += 1;
                    }
                    Class::Other => break,
                    _ => {
                        let beyond = piece.get(at + 1).map_or(Class::Other, |&b| class(b));
                        let holds = match last {
                            Class::Letter => next != Class::MidNumber,
                            Class::Digit => next != Class::MidLetter,
                            _ => false,
                        };
                        if !holds || beyond != last {
                            break;
                        }
                        at += 2;
                    }
                }
            }
            if has_letter {
                let mut word = &piece[start..at];
                while let [b'_', rest @ ..] | [rest @ .., b'_'] = word {
                    word = rest;
                }
                if self.keep_case {
                    emit(word, word);
                } else {
                    self.lowercase(word, true);
                    emit(&self.word, word);
                }
            }
        }
    }

    fn unicode_words(&mut self, piece: &str, emit: &mut impl FnMut(&[u8], &[u8])) {
        for segment in piece.split_word_bounds() {
            if !segment.contains(char::is_alphabetic) {
                continue;
            }
            // A mark may also have attached itself to white space.
            let segment = segment.trim_matches(|c: char| c == '_' || c.is_whitespace());
            if segment.is_ascii() {
                self.lowercase_or_keep(segment);
            } else {
                let plain: String = segment
                    .chars()
                    .filter(|&c| c != '\u{ad}' && c != '\u{feff}')
                    .map(|c| if c == '’' { '\'' } else { c })
                    .collect();
                if is_nfc(&plain) {
                    self.lowercase_or_keep(&plain);
                } else {
                    self.lowercase_or_keep(&plain.nfc().collect::<String>());
                }
            }
            emit(&self.word, segment.as_bytes());
        }
    }

    fn lowercase_or_keep(&mut self, word: &str) {
        if self.keep_case {
            self.word.clear();
            self.word.extend_from_slice(word.as_bytes());
        } else {
            self.lowercase(word.as_bytes(), word.is_ascii());
        }
    }

    /// Puts the lower-cased word into `self.word`.
    fn lowercase(&mut self, word: &[u8], ascii: bool) {
        self.word.clear();
        if ascii {
            self.word.extend(word.iter().map(u8::to_ascii_lowercase));
        } else {
            let lower = String::from_utf8_lossy(word).to_lowercase();
            self.word.extend_from_slice(lower.as_bytes());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn words(text: &str) -> Vec<String> {
        words_with(text, &CorpusParameters::default())
    }

    fn words_with(text: &str, parameters: &CorpusParameters) -> Vec<String> {
        Tokenizer::new(parameters).normalise(text)
    }

    proptest! {
        #[test]
        fn every_word_is_made_of_what_stands_at_its_place(text in "[a-zA-Zäß’'_ .,1\n]{0,60}") {
            let mut tokenizer = Tokenizer::new(&CorpusParameters::default());
            let mut found = Vec::new();
            tokenizer.each_at(&text, |word, place| found.push((word.to_vec(), place)));
            let mut end = 0;
            for (word, place) in &found {
                prop_assert!(end <= place.start, "words do not overlap");
                end = place.end;
                let again = words(&text[place.clone()]);
                prop_assert_eq!(&again, &[String::from_utf8_lossy(word).into_owned()]);
            }
            prop_assert_eq!(found.len(), words(&text).len());
        }
    }

    #[test]
    fn the_documented_rules() {
        assert_eq!(
            words("The Union's 3rd year, don’t — 1,000 men!"),
            ["the", "union's", "3rd", "year", "don't", "men"]
        );
        assert_eq!(
            words("_very_ __ 12 3.5 u.s. e.g. o'clock dogs' 'tis"),
            ["very", "u.s", "e.g", "o'clock", "dogs", "tis"]
        );
        assert_eq!(
            words("well-being\tco\u{ad}operate ÉTÉ e\u{301}te\u{301} 😀"),
            ["well", "being", "cooperate", "été", "été"]
        );
        assert_eq!(words(""), Vec::<String>::new());
    }

    #[test]
    fn case_can_be_kept_and_cut_text_is_taken_as_it_is() {
        let keep = CorpusParameters { keep_case: true, ..Default::default() };
        assert_eq!(words_with("The Élan of US", &keep), ["The", "Élan", "of", "US"]);
        let cut = CorpusParameters { tokens: TokenRule::Whitespace, ..Default::default() };
        assert_eq!(words_with(" New_York\u{3000}, 12 ÇA\n", &cut), ["new_york", ",", "12", "ça"]);
    }

    /// The rule, word for word as stated, without any fast path.
    fn reference(text: &str) -> Vec<String> {
        text.split_word_bounds()
            .filter(|s| s.contains(char::is_alphabetic))
            .map(|s| {
                let plain: String = s
                    .trim_matches(|c: char| c == '_' || c.is_whitespace())
                    .replace('’', "'")
                    .replace(['\u{ad}', '\u{feff}'], "");
                plain.nfc().collect::<String>().to_lowercase()
            })
            .collect()
    }

    proptest! {
        #[test]
        fn ascii_text_is_cut_as_unicode_says(text in "[a-cA-C0-2_'.:,; \\-\t!\"]{0,40}") {
            prop_assert_eq!(words(&text), reference(&text));
        }

        #[test]
        fn any_text_is_cut_as_unicode_says(text in "([a-c1_'.: \n]|[é’e\u{301}ß\u{ad}Σς語ก\u{200d}😀🇫🇷]|\\PC){0,30}") {
            prop_assert_eq!(words(&text), reference(&text));
        }
    }
}
