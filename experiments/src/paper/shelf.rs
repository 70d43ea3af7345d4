//! A set of books, each a level: a folder of texts, and a table that says whose they are.
//!
//! * **In:** `books/manifest.csv` of the data, with a column of 0 and 1 for every set, and the texts it names.
//! * **Out:** in the working folder `SET/books/*.txt`, `SET/series/*.txt` (those of series of two books or more) and `SET/books.csv`.
//!   Texts get short names, by series and number: they are the names of the levels.

use std::collections::BTreeMap;
use std::path::Path;

use super::desk::Desk;
use super::made::Made;

/// A level is a file of a folder.
pub const BY: &str = "name:(?<book>.+)[.]txt";
/// What begins the names of a series' books.
const SERIES: &str = "name:(?<series>.+)-[0-9]+[.]txt";

pub struct Book {
    /// The level.
    pub name: String,
    pub author: String,
    /// None of a book that stands alone in the set.
    pub series: Option<String>,
    pub words: u64,
    file: String,
}

pub struct Shelf {
    pub set: &'static str,
    pub books: Vec<Book>,
}

impl Shelf {
    /// Reads which books a set has, and lays them out.
    pub fn open(desk: &Desk, set: &'static str) -> Result<Self, String> {
        let path = desk.path("data/books/manifest.csv");
        let text = read(&path)?;
        let mut lines = text.lines();
        let head = cells(lines.next().unwrap_or_default());
        let place = |name: &str| {
            let at = head.iter().position(|cell| cell == name);
            at.ok_or_else(|| format!("{}: there is no column {name}", path.display()))
        };
        let places = ["file", "author", "series", "series_index", "words", set];
        let mut at = Vec::new();
        for name in places {
            at.push(place(name)?);
        }
        let rows: Vec<Vec<String>> = lines
            .map(cells)
            .map(|row| at.iter().map(|&at| row.get(at).cloned().unwrap_or_default()).collect())
            .filter(|row: &Vec<String>| row[5] == "1")
            .collect();
        let mut sizes: BTreeMap<&str, usize> = BTreeMap::new();
        rows.iter().for_each(|row| *sizes.entry(&row[2]).or_default() += 1);
        let book = |row: &Vec<String>| {
            let series = (sizes[row[2].as_str()] > 1 && !row[3].is_empty()).then(|| row[2].clone());
            let stem = row[0].trim_end_matches(".txt");
            let parts: Vec<&str> = stem.splitn(4, '_').collect();
            let name = match (&series, &parts[..]) {
                (Some(_), [_, series, number, _]) => format!("{series}-{number}"),
                (_, [_, _, _, title]) => (*title).to_owned(),
                _ => stem.to_owned(),
            };
            let words = row[4].parse().unwrap_or(0);
            Book { name, author: row[1].clone(), series, words, file: row[0].clone() }
        };
        let shelf = Self { set, books: rows.iter().map(book).collect() };
        shelf.lay_out(desk)?;
        Ok(shelf)
    }

    fn lay_out(&self, desk: &Desk) -> Result<(), String> {
        let mut table = "book,author,series\n".to_owned();
        for folder in ["books", "series"] {
            let path = desk.path(&format!("{}/{folder}", self.set));
            std::fs::create_dir_all(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        }
        for book in &self.books {
            let series = book.series.clone().unwrap_or_default();
            table += &format!("{},{},{series}\n", book.name, book.author);
            let from = desk.path(&format!("data/books/{}", book.file));
            for folder in ["books", "series"] {
                let to = desk.path(&format!("{}/{folder}/{}.txt", self.set, book.name));
                if (folder == "books" || book.series.is_some()) && !to.exists() {
                    std::fs::copy(&from, &to).map_err(|e| format!("{}: {e}", from.display()))?;
                }
            }
        }
        let path = desk.path(&self.groups());
        std::fs::write(&path, table).map_err(|e| format!("{}: {e}", path.display()))
    }

    /// The table of the groups.
    pub fn groups(&self) -> String {
        format!("{}/books.csv", self.set)
    }

    pub fn corpus(&self) -> Made {
        Made::given(format!("{}/books", self.set))
    }

    /// The words that occur in every series of two books or more.
    pub fn common(&self) -> Made {
        let series = Made::given(format!("{}/series", self.set));
        let flags = ["--by", SERIES, "--min-count", "1", "--min-level-count", "series=1"];
        Made::words(&Made::by(format!("{}/common-words", self.set), "count", &series, &flags))
    }

    /// The tensor of the common words.
    pub fn tensor(&self) -> Made {
        let name = format!("{}/common", self.set);
        Made::by(name, "count", &self.corpus(), &["--by", BY]).with("--words", &self.common())
    }

    /// The tensor of all words that occur ten times.
    pub fn large(&self) -> Made {
        Made::by(format!("{}/large", self.set), "count", &self.corpus(), &["--by", BY])
    }

    /// The book of a level, named with or without its factor.
    pub fn book(&self, level: &str) -> Option<&Book> {
        let name = level.split_once('=').map_or(level, |(_, name)| name);
        self.books.iter().find(|book| book.name == name)
    }
}

pub fn read(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))
}

/// The cells of a line of CSV; a quoted one may hold commas.
pub fn cells(line: &str) -> Vec<String> {
    let (mut cells, mut quoted) = (vec![String::new()], false);
    for c in line.chars() {
        match c {
            '"' => quoted = !quoted,
            ',' if !quoted => cells.push(String::new()),
            c => {
                if let Some(cell) = cells.last_mut() {
                    cell.push(c);
                }
            }
        }
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commas_in_quotes_part_nothing() {
        assert_eq!(cells("a,\"b, c\",,d"), ["a", "b, c", "", "d"]);
    }
}
