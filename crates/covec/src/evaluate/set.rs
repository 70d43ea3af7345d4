//! Test sets as they are in circulation.
//!
//! | kind | an item | also |
//! |---|---|---|
//! | similarity | two words and a number | further columns; the number may come after a part of speech |
//! | categories | a word and its category | the other way round if a heading says so |
//! | analogies | four words | a fifth column; `: name` lines between sections |
//!
//! Columns are parted by tabs, commas, semicolons or white space, whichever the first line with an item has.
//! A heading is known by what stands in it, not by its place. Blank lines and lines that begin with `#`
//! are passed over.

use std::path::{Path, PathBuf};

use super::EvaluateError;
use crate::error::{Error, IoContext};

/// What a test asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Whether words that people find alike are near each other.
    Similarity,
    /// Whether words of a category are near each other.
    Categories,
    /// Whether differences between words are alike.
    Analogies,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Self::Similarity => "similarity",
            Self::Categories => "categories",
            Self::Analogies => "analogies",
        }
    }

    fn expected(self) -> &'static str {
        match self {
            Self::Similarity => "two words and a number, such as: car,automobile,9.5",
            Self::Categories => "a word and its category, such as: cod,fish",
            Self::Analogies => "four words, such as: paris,france,rome,italy",
        }
    }

    fn columns(self) -> usize {
        match self {
            Self::Similarity => 3,
            Self::Categories => 2,
            Self::Analogies => 4,
        }
    }
}

/// An item of a test.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Item {
    /// Its words: two, one or four.
    pub words: Vec<String>,
    /// How alike people find them.
    pub rating: f64,
    /// The category of a word.
    pub category: String,
}

/// A test.
#[derive(Debug, Clone, PartialEq)]
pub struct TestSet {
    /// The name of its file, without the ending.
    pub name: String,
    /// What it asks.
    pub kind: Kind,
    /// Its items, in the order of the file.
    pub items: Vec<Item>,
}

impl TestSet {
    /// Reads a file.
    pub fn read(path: &Path, kind: Kind) -> Result<Self, Error> {
        let bytes = std::fs::read(path).at("read", path)?;
        let name = path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        Ok(Self { name, kind, items: items(&bytes, kind, path)? })
    }
}

/// The marks that part columns, those that words do not hold first.
const MARKS: [Option<char>; 4] = [Some('\t'), Some(','), Some(';'), None];

fn items(bytes: &[u8], kind: Kind, path: &Path) -> Result<Vec<Item>, EvaluateError> {
    let refused = |line: u64, got: String| EvaluateError::Line {
        path: path.to_owned(),
        line,
        kind: kind.name(),
        expected: kind.expected(),
        got,
    };
    let mut items = Vec::new();
    let mut mark = None;
    let mut turned = false;
    for (line, text) in (1..).zip(bytes.split(|&byte| byte == b'\n')) {
        let text = std::str::from_utf8(text)
            .map_err(|_| refused(line, "bytes that are not UTF-8".to_owned()))?;
        let text = text.trim_start_matches('\u{feff}').trim();
        let section = kind == Kind::Analogies && text.starts_with(':');
        if text.is_empty() || text.starts_with('#') || section {
            continue;
        }
        let parted = |mark: Option<char>| fields(text, mark);
        let fits = |mark: &Option<char>| parted(*mark).len() >= kind.columns();
        let Some(own) = mark.or_else(|| MARKS.into_iter().find(fits)) else {
            return Err(refused(line, shown(text)));
        };
        mark = Some(own);
        let fields = parted(own);
        if items.is_empty() && is_heading(&fields, kind) {
            turned = kind == Kind::Categories && names_words(&fields[1]);
            continue;
        }
        items.push(item(&fields, kind, turned).ok_or_else(|| refused(line, shown(text)))?);
    }
    if items.is_empty() {
        let (kind, expected, path) = (kind.name(), kind.expected(), PathBuf::from(path));
        return Err(EvaluateError::Empty { path, kind, expected });
    }
    Ok(items)
}

/// The columns of a line; quotation marks around them are taken off.
fn fields(text: &str, mark: Option<char>) -> Vec<String> {
    match mark {
        None => text.split_whitespace().map(str::to_owned).collect(),
        Some(mark) => {
            // A line is a record: tests have no line ends inside of words.
            let mut reader = csv::ReaderBuilder::new()
                .has_headers(false)
                .delimiter(mark as u8)
                .trim(csv::Trim::All)
                .from_reader(text.as_bytes());
            let record = reader.records().next().and_then(Result::ok).unwrap_or_default();
            record.iter().map(str::to_owned).collect()
        }
    }
}

fn item(fields: &[String], kind: Kind, turned: bool) -> Option<Item> {
    let words = fields.iter().take(kind.columns().min(4)).cloned();
    if fields.len() < kind.columns() || words.clone().any(|word| word.is_empty()) {
        return None;
    }
    match kind {
        Kind::Similarity => {
            let rating = fields[2..].iter().find_map(|field| number(field))?;
            Some(Item { words: words.take(2).collect(), rating, ..Item::default() })
        }
        Kind::Categories => {
            let [mut word, mut category] = [fields[0].clone(), fields[1].clone()];
            if turned {
                std::mem::swap(&mut word, &mut category);
            }
            Some(Item { words: vec![word], category, ..Item::default() })
        }
        Kind::Analogies => Some(Item { words: words.collect(), ..Item::default() }),
    }
}

fn number(text: &str) -> Option<f64> {
    text.parse().ok().filter(|x: &f64| x.is_finite())
}

/// Whether the columns are named here.
fn is_heading(fields: &[String], kind: Kind) -> bool {
    if fields.len() < kind.columns() {
        return false;
    }
    let names = |column: &String| {
        let column = column.to_lowercase();
        ["category", "class", "label", "group", "type"].contains(&column.as_str())
    };
    match kind {
        Kind::Similarity => fields[2..].iter().all(|field| number(field).is_none()),
        Kind::Categories => {
            fields[..2].iter().any(names) && fields[..2].iter().any(|field| names_words(field))
        }
        Kind::Analogies => {
            let own = |field: &String| field.to_lowercase();
            let first: Vec<String> = fields[..4].iter().map(own).collect();
            first == ["a", "b", "c", "d"] || first.iter().all(|field| field.starts_with("word"))
        }
    }
}

fn names_words(column: &str) -> bool {
    ["word", "concept", "item", "term"].contains(&column.to_lowercase().as_str())
}

/// A line as an error shows it.
fn shown(text: &str) -> String {
    let short: String = text.chars().take(60).collect();
    if short.len() < text.len() { format!("{short}…") } else { short }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str, kind: Kind) -> Result<Vec<Item>, String> {
        items(text.as_bytes(), kind, Path::new("t.csv")).map_err(|error| error.to_string())
    }

    #[test]
    fn pairs_are_read_in_every_layout() {
        let expected = read("word1,word2,score\nsun,sunlight,50\ncar,bus,4.5\n", Kind::Similarity);
        for text in [
            "sun\tsunlight\t50\r\ncar\tbus\t4.5",
            "sun sunlight 50\n\ncar  bus 4.5\n",
            "\u{feff}a;b;mean\n\"sun\";sunlight;50;1\ncar;bus;4.5;2\n",
            "# pairs\nword1\tword2\tPOS\trating\nsun\tsunlight\tN\t50\ncar\tbus\tN\t4.5",
        ] {
            assert_eq!(read(text, Kind::Similarity), expected, "{text}");
        }
        let words: Vec<_> = expected.unwrap().into_iter().map(|item| item.words).collect();
        assert_eq!(words, [["sun", "sunlight"], ["car", "bus"]]);
    }

    #[test]
    fn categories_and_analogies_are_read_with_and_without_headings() {
        let of = |text| {
            let items = read(text, Kind::Categories).unwrap();
            items.into_iter().map(|item| (item.words[0].clone(), item.category)).collect::<Vec<_>>()
        };
        let expected = vec![("cod".to_owned(), "water animal".to_owned())];
        assert_eq!(of("cod,water animal\n"), expected);
        assert_eq!(of("word,category\ncod,water animal\n"), expected);
        assert_eq!(of("category,word\nwater animal,cod\n"), expected);
        // A word may be called what a heading is called.
        assert_eq!(of("group,category\ncod,fish\n").len(), 2);
        for text in [
            ": capitals\nparis france rome italy\n: others\nparis france oslo norway\n",
            "a,b,c,d,category\nparis,france,rome,italy,x\nparis,france,oslo,norway,x\n",
        ] {
            let items = read(text, Kind::Analogies).unwrap();
            assert_eq!(items[1].words, ["paris", "france", "oslo", "norway"]);
        }
    }

    #[test]
    fn a_line_that_is_no_item_is_named() {
        for (text, kind, line) in [
            ("sun,sunlight,50\ncar,bus\n", Kind::Similarity, "line 2"),
            ("sun,sunlight,50\n\ncar,bus,many\n", Kind::Similarity, "line 3"),
            ("sun\n", Kind::Categories, "line 1"),
            ("cod,fish\n,fish\n", Kind::Categories, "line 2"),
            ("a b c d\nparis france rome\n", Kind::Analogies, "line 2"),
            ("word1,word2,score\nsun\n", Kind::Similarity, "line 2"),
            ("word,category\ncod\n", Kind::Categories, "line 2"),
        ] {
            let error = read(text, kind).unwrap_err();
            assert!(error.contains(line) && error.contains("expected"), "{error}");
        }
        let error =
            items(b"sun,moon,3\n\xff\xfe,x,4\n", Kind::Similarity, Path::new("t")).unwrap_err();
        assert!(error.to_string().contains("line 2"), "{error}");
        assert!(read("# nothing\n\n", Kind::Similarity).unwrap_err().contains("no items"));
        assert!(read("word1,word2,score\n", Kind::Similarity).unwrap_err().contains("no items"));
    }
}
