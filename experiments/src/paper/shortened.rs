//! The books of a set, one of every author cut short.

use std::collections::BTreeSet;

use super::desk::Desk;
use super::made::Made;
use super::methods::Text;
use super::shelf::{BY, Shelf, read};

/// One part in so many is left.
pub const SHARES: [usize; 5] = [16, 8, 4, 2, 1];

pub struct Shortened {
    /// The levels that were cut.
    pub books: Vec<String>,
    home: String,
}

impl Shortened {
    /// Lays the books out anew: of the longest book of every author that is not longer than 150,000 words, the first lines.
    pub fn new(desk: &Desk, shelf: &Shelf, share: usize) -> Result<Self, String> {
        const MOST: u64 = 150_000;
        let authors: BTreeSet<&str> = shelf.books.iter().map(|book| book.author.as_str()).collect();
        let longest = |author: &&str| {
            let own = shelf.books.iter().filter(|book| book.author == **author);
            // Of an author of long books the shortest.
            let fits = own.clone().filter(|book| book.words <= MOST).max_by_key(|book| book.words);
            fits.or_else(|| own.min_by_key(|book| book.words)).map(|book| book.name.clone())
        };
        let books: Vec<String> = authors.iter().filter_map(longest).collect();
        let home = format!("{}/part-{share}", shelf.set);
        let folder = desk.path(&format!("{home}/books"));
        std::fs::create_dir_all(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        for book in &shelf.books {
            let to = folder.join(format!("{}.txt", book.name));
            if to.exists() {
                continue;
            }
            let from = desk.path(&format!("{}/books/{}.txt", shelf.set, book.name));
            let mut text = read(&from)?;
            if books.contains(&book.name) {
                text = beginning(&text, share);
            }
            std::fs::write(&to, text).map_err(|e| format!("{}: {e}", to.display()))?;
        }
        Ok(Self { books, home })
    }

    /// The words are those of the whole books, so that the same items are asked whatever is left.
    pub fn text(&self, shelf: &Shelf) -> Text {
        let corpus = Made::given(format!("{}/books", self.home));
        let tensor = Made::by(format!("{}/tensor", self.home), "count", &corpus, &["--by", BY])
            .with("--words", &Made::words(&shelf.large()));
        Text { home: format!("{}/models", self.home), corpus, tensor }
    }
}

/// The first lines, one part in `share` of all words.
fn beginning(text: &str, share: usize) -> String {
    let most = text.split_whitespace().count().div_ceil(share);
    let (mut kept, mut words) = (String::new(), 0);
    for line in text.lines() {
        if words >= most {
            break;
        }
        // A book without line ends is cut within its line.
        let own: Vec<&str> = line.split_whitespace().take(most - words).collect();
        words += own.len();
        kept += &own.join(" ");
        kept.push('\n');
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_beginning_is_a_part_of_the_words() {
        assert_eq!(beginning("a b c\nd e f\n", 2), "a b c\n");
        assert_eq!(beginning("a b c d\n", 2), "a b\n");
        assert_eq!(beginning("a b c\nd e f\n", 1), "a b c\nd e f\n");
    }
}
