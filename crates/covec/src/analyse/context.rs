//! What stands around a place of a text, as it is written there.

use std::ops::Range;

/// What stands before, at and after a place: at most `width` characters to either side, or up to
/// `also`, cut between words; white space in a row, line ends too, becomes one blank.
pub(super) fn around(
    text: &str,
    place: Range<usize>,
    also: Option<Range<usize>>,
    width: usize,
) -> [String; 3] {
    let (left, middle, right) = (&text[..place.start], &text[place.clone()], &text[place.end..]);
    let (mut before, mut after) = ("", "");
    match also {
        Some(also) if also.end <= place.start => before = &text[also.start..place.start],
        Some(also) if also.start >= place.end => after = &text[place.end..also.end],
        _ => {}
    }
    [last(left, width, before), one_line(middle), first(right, width, after)]
}

/// The first characters of a text, without a word that would be cut, but `least` at any rate.
fn first(text: &str, width: usize, least: &str) -> String {
    let end = text.char_indices().nth(width).map_or(text.len(), |(at, _)| at).max(least.len());
    let (part, rest) = text.split_at(end);
    let cuts = rest.starts_with(|c: char| !c.is_whitespace());
    let whole = part.rfind(char::is_whitespace).filter(|_| cuts);
    // A script without blanks is cut anywhere.
    let part = whole.filter(|&at| at > 0 && at >= least.len()).map_or(part, |at| &part[..at]);
    one_line(part.trim_end())
}

/// The last ones.
fn last(text: &str, width: usize, least: &str) -> String {
    let start = match width.checked_sub(1) {
        Some(back) => text.char_indices().nth_back(back).map_or(0, |(at, _)| at),
        None => text.len(),
    };
    let kept = text.len() - least.len();
    let (rest, part) = text.split_at(start.min(kept));
    let cuts = rest.ends_with(|c: char| !c.is_whitespace());
    let blank = part.char_indices().find(|(_, c)| c.is_whitespace()).filter(|_| cuts);
    let whole = blank.map(|(at, c)| at + c.len_utf8());
    let part = whole.filter(|at| rest.len() + at <= kept).map_or(part, |at| &part[at..]);
    one_line(part.trim_start())
}

fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for c in text.chars() {
        if !c.is_whitespace() {
            line.push(c);
        } else if !line.ends_with(' ') {
            line.push(' ');
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn lines_are_cut_between_words_and_keep_their_spelling() {
        let text = "We hold these  truths\nto be Self-evident, that all men are created equal";
        let at = text.find("Self").unwrap();
        let [left, word, right] = around(text, at..at + 4, None, 12);
        assert_eq!([&*left, &*word, &*right], ["to be ", "Self", "-evident,"]);
        let near = text.find("created").unwrap();
        let [_, _, right] = around(text, at..at + 4, Some(near..near + 7), 12);
        assert!(right.ends_with("created"), "{right}");
        let near = text.find("hold").unwrap();
        let [left, ..] = around(text, at..at + 4, Some(near..near + 4), 3);
        assert!(left.starts_with("hold"), "{left}");
        // What must be seen is, though it ends before a comma.
        let near = text.find("evident").unwrap();
        let [_, _, right] = around(text, 0..2, Some(near..near + 7), 3);
        assert!(right.ends_with("evident"), "{right}");
        assert_eq!(around("abc", 1..2, None, 0), ["", "b", ""].map(str::to_owned));
    }

    proptest! {
        #[test]
        fn no_side_is_wider_than_asked(text in "[a-zäé \n.]{1,80}", from in 0_usize..80, width in 0_usize..30) {
            let places: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
            let from = places[from % places.len()];
            let to = from + text[from..].chars().next().map_or(0, char::len_utf8);
            let [left, _, right] = around(&text, from..to, None, width);
            prop_assert!(left.chars().count() <= width && right.chars().count() <= width);
            let whole = one_line(&text);
            prop_assert!(whole.contains(left.trim()) && whole.contains(right.trim()));
        }
    }
}
