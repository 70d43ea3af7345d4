//! Levels gathered into groups by a table, say books by their authors.
//!
//! A grouping is asked for as `FACTOR:COLUMN`: the group of a level of FACTOR is what COLUMN says in
//! the level's row of a CSV or TSV file. The level's row is found by its name in a key column: the
//! one named like the factor, else the first in which every level is found; `FACTOR=KEY:COLUMN` names
//! another. A name is also found without the end of a file name (`emma` in `emma.txt`), as
//! `--by name:REGEX` makes levels of files. A level whose COLUMN is empty is in no group.

use std::collections::{BTreeSet, HashMap};
use std::path::Path;

use super::question;
use crate::error::{Error, IoContext};
use crate::model::Model;
use crate::suggest::did_you_mean;
use crate::tensor::covariates::Factor;

/// The levels of a factor, gathered into groups.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Groups {
    /// Which of the model's factors.
    pub factor: usize,
    /// The column the groups are read from.
    pub name: String,
    /// The group of every level of the factor; none for a level that is in no group.
    pub of_level: Vec<Option<String>>,
}

impl Groups {
    /// Reads the groups that `FACTOR:COLUMN` or `FACTOR=KEY:COLUMN` asks for from a table.
    pub fn read(model: &Model, spec: &str, path: &Path) -> Result<Self, Error> {
        let factors = &model.covariates.factors;
        let (place, key, column) = parse(factors, spec)?;
        let factor = &factors[place];
        let table = Table::read(path)?;
        let column_place = table.column(&column, path)?;
        let key = match &key {
            Some(key) => table.column(key, path)?,
            None => table.key(factor, path)?,
        };
        let of_level = table.values(factor, key, column_place, path)?;
        if of_level.iter().all(Option::is_none) {
            return Err(question(
                format!("{}: column '{column}' is empty for every level", path.display()),
                "a group for at least one level",
                format!("another column: {}", table.header.join(", ")),
            )
            .into());
        }
        Ok(Self { factor: place, name: column, of_level })
    }

    /// The groups, sorted by name.
    pub fn names(&self) -> Vec<String> {
        let names: BTreeSet<&String> = self.of_level.iter().flatten().collect();
        names.into_iter().cloned().collect()
    }

    /// The levels of a group, as places among the factor's levels.
    pub fn levels_of(&self, group: &str) -> Vec<usize> {
        let own = |level: &usize| self.of_level[*level].as_deref() == Some(group);
        (0..self.of_level.len()).filter(own).collect()
    }
}

/// The factor's place, the key column if it is named, and the column of the groups. Names of factors
/// and columns may hold `:` and `=`, so the factors that are there decide where the first ends.
fn parse(factors: &[Factor], spec: &str) -> Result<(usize, Option<String>, String), Error> {
    let mut found: Option<(usize, Option<&str>, &str)> = None;
    for (place, factor) in factors.iter().enumerate() {
        let Some(rest) = spec.strip_prefix(&factor.name) else { continue };
        let parts = match (rest.strip_prefix(':'), rest.strip_prefix('=')) {
            (Some(column), _) => Some((None, column)),
            (_, Some(rest)) => rest.rsplit_once(':').map(|(key, column)| (Some(key), column)),
            _ => None,
        };
        let Some((key, column)) = parts
            .filter(|(key, column)| !column.is_empty() && key.is_none_or(|key| !key.is_empty()))
        else {
            continue;
        };
        let longer = |(old, ..): &(usize, _, _)| factor.name.len() > factors[*old].name.len();
        if found.as_ref().is_none_or(longer) {
            found = Some((place, key, column));
        }
    }
    if let Some((place, key, column)) = found {
        return Ok((place, key.map(str::to_owned), column.to_owned()));
    }
    let names: Vec<&str> = factors.iter().map(|factor| factor.name.as_str()).collect();
    let given = spec.split([':', '=']).next().unwrap_or_default();
    let problem = if names.contains(&given) {
        format!("--group {spec}: no column is named")
    } else {
        let suggestion = did_you_mean(given, names.iter().copied());
        format!("--group {spec}: the model has no factor '{given}'{suggestion}")
    };
    let there = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
    let expected = "FACTOR:COLUMN, or FACTOR=KEY:COLUMN";
    Err(question(problem, expected, format!("name one of its factors: {there}")).into())
}

/// A table, read whole.
#[derive(Debug)]
struct Table {
    header: Vec<String>,
    /// Every row with the line it begins in.
    rows: Vec<(u64, Vec<String>)>,
}

impl Table {
    fn read(path: &Path) -> Result<Self, Error> {
        let bytes = std::fs::read(path).at("read", path)?;
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes);
        let end = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
        let delimiter = if matches!(&*end, "tsv" | "tab") { b'\t' } else { b',' };
        let mut reader = csv::ReaderBuilder::new().delimiter(delimiter).from_reader(bytes);
        let refuse = |error: csv::Error| {
            let expected =
                "a table in UTF-8, commas between columns (tabs in .tsv), their names first";
            let problem = format!("{}: cannot be read as a table: {error}", path.display());
            Error::from(question(problem, expected, "mend the file"))
        };
        let texts = |record: &csv::StringRecord| -> Vec<String> {
            record.iter().map(|text| text.trim().to_owned()).collect()
        };
        let header = texts(reader.headers().map_err(refuse)?);
        let mut rows = Vec::new();
        for record in reader.records() {
            let record = record.map_err(refuse)?;
            rows.push((record.position().map_or(0, csv::Position::line), texts(&record)));
        }
        if rows.is_empty() {
            let problem = format!("{}: the table is empty", path.display());
            let expected = "a line that names the columns, and a row for every level";
            return Err(question(problem, expected, "check that it is the right file").into());
        }
        Ok(Self { header, rows })
    }

    fn column(&self, name: &str, path: &Path) -> Result<usize, Error> {
        self.header.iter().position(|column| column == name).ok_or_else(|| {
            let suggestion = did_you_mean(name, self.header.iter().map(String::as_str));
            let problem = format!("{}: no column '{name}'{suggestion}", path.display());
            let there = format!("one of its columns: {}", self.header.join(", "));
            question(problem, there, "--group FACTOR:COLUMN with one of these").into()
        })
    }

    /// The column that names the levels.
    fn key(&self, factor: &Factor, path: &Path) -> Result<usize, Error> {
        if let Some(place) = self.header.iter().position(|name| *name == factor.name) {
            return Ok(place);
        }
        let missing = |column: &usize| {
            let rows = self.rows_by(*column);
            factor.levels.iter().filter(|level| !rows.contains_key(&*level.name)).count()
        };
        // Of equal columns the first.
        let best = (0..self.header.len()).min_by_key(missing);
        best.filter(|column| missing(column) < factor.levels.len()).ok_or_else(|| {
            let (name, first) = (&factor.name, factor.levels.first().map_or("", |l| &l.name));
            let problem = format!("{}: no column names the levels of {name}", path.display());
            let expected = format!("a column with names such as '{first}'");
            question(problem, expected, format!("--group {name}=KEY:COLUMN names it")).into()
        })
    }

    /// The rows of every name in a column; a file's also by the name without its end.
    fn rows_by(&self, column: usize) -> HashMap<&str, Vec<usize>> {
        let mut rows: HashMap<&str, Vec<usize>> = HashMap::new();
        for (place, (_, row)) in self.rows.iter().enumerate() {
            rows.entry(&row[column]).or_default().push(place);
        }
        // Whole names go before those without their ends.
        let mut short: HashMap<&str, Vec<usize>> = HashMap::new();
        for (place, (_, row)) in self.rows.iter().enumerate() {
            let mut name = row[column].as_str();
            while let Some((stem, _)) = name.rsplit_once('.').filter(|(stem, _)| !stem.is_empty()) {
                name = stem;
                short.entry(name).or_default().push(place);
            }
        }
        for (name, places) in short {
            rows.entry(name).or_insert(places);
        }
        rows
    }

    /// What a column says of every level.
    fn values(
        &self,
        factor: &Factor,
        key: usize,
        column: usize,
        path: &Path,
    ) -> Result<Vec<Option<String>>, Error> {
        let rows = self.rows_by(key);
        let missing: Vec<&str> = factor
            .levels
            .iter()
            .map(|level| level.name.as_str())
            .filter(|name| !rows.contains_key(name))
            .collect();
        let key_name = &self.header[key];
        if let Some(first) = missing.first() {
            let (file, name) = (path.display(), &factor.name);
            let many = missing.len();
            let listed = missing[..many.min(5)].join(", ");
            let more = if many > 5 { ", …" } else { "" };
            let problem = format!(
                "{file}: {many} of {} levels of {name} are not in column '{key_name}': {listed}{more}",
                factor.levels.len()
            );
            let expected = format!("a row in which '{key_name}' is '{first}'");
            let way_out = format!("add it, or name the column with --group {name}=KEY:COLUMN");
            return Err(question(problem, expected, way_out).into());
        }
        let value = |level: &crate::tensor::covariates::Level| {
            let places = &rows[level.name.as_str()];
            let said = |place: usize| self.rows[place].1[column].as_str();
            if let Some(&other) = places.iter().find(|&&place| said(place) != said(places[0])) {
                let problem = format!(
                    "{}: level '{}' has two rows that differ: '{}' in line {}, '{}' in line {}",
                    path.display(),
                    level.name,
                    said(places[0]),
                    self.rows[places[0]].0,
                    said(other),
                    self.rows[other].0,
                );
                return Err(question(problem, "one group for a level", "mend the table").into());
            }
            Ok(Some(said(places[0]).to_owned()).filter(|group| !group.is_empty()))
        };
        factor.levels.iter().map(value).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tensor::covariates::Level;

    fn factor(name: &str, levels: &[&str]) -> Factor {
        let level =
            |name: &&str| Level { name: (*name).to_owned(), documents: 1, tokens: 9, from: None };
        let levels = levels.iter().map(level).collect();
        Factor { name: name.to_owned(), ordered: false, levels }
    }

    fn table(text: &str, name: &str) -> Result<Table, Error> {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join(name);
        std::fs::write(&path, text).unwrap();
        Table::read(&path)
    }

    #[test]
    fn a_spec_ends_its_factor_where_a_factor_ends() {
        let factors = [factor("a", &[]), factor("a:b", &[]), factor("book", &[])];
        let parsed = |spec: &str| parse(&factors, spec).unwrap();
        let own = |text: &str| text.to_owned();
        assert_eq!(parsed("book:author"), (2, None, own("author")));
        assert_eq!(parsed("book=file:author"), (2, Some(own("file")), own("author")));
        assert_eq!(parsed("a:b:c"), (1, None, own("c")));
        assert_eq!(parsed("a:c"), (0, None, own("c")));
        for (spec, told) in [
            ("bok:author", "no factor 'bok'; did you mean 'book'?"),
            ("book", "no column is named"),
            ("book:", "no column is named"),
            ("", "no factor ''"),
        ] {
            let refused = parse(&factors, spec).unwrap_err().to_string();
            assert!(refused.contains(told) && refused.contains("a, a:b, book"), "{refused}");
        }
    }

    #[test]
    fn levels_are_found_by_the_factors_column_or_by_the_first_that_has_them() {
        let book = factor("book", &["emma", "p.g"]);
        let path = Path::new("t");
        let groups = |text: &str, name: &str| {
            let table = table(text, name).unwrap();
            table.values(&book, table.key(&book, path).unwrap(), 1, path).unwrap()
        };
        let expected = [Some("austen".to_owned()), None];
        assert_eq!(groups("book,by\nemma,austen\np.g,\nother,x\n", "t.csv"), expected);
        assert_eq!(
            groups("title\tby\tfile\nE\tausten\temma.txt\nP\t\tp.g.txt.gz\n", "t.tsv"),
            expected
        );
        // A whole name goes before a name without its end.
        assert_eq!(groups("book,by\nemma.old,brontë\nemma,austen\np.g,\n", "t.csv"), expected);
    }

    #[test]
    fn tables_that_do_not_fit_are_refused() {
        let book = factor("book", &["emma", "persuasion"]);
        let path = Path::new("t.csv");
        let told = |text: &str| {
            let table = table(text, "t.csv").unwrap();
            let key = table.key(&book, path);
            let values = key.and_then(|key| table.values(&book, key, 1, path));
            values.unwrap_err().to_string()
        };
        let refused = told("book,by\nemma,austen\n");
        assert!(refused.contains("1 of 2 levels of book"), "{refused}");
        assert!(refused.contains("persuasion"), "{refused}");
        let refused = told("title,by\nEmma,austen\n");
        assert!(refused.contains("no column names the levels of book"), "{refused}");
        let refused = told("book,by\nemma,a\npersuasion,a\nemma,b\n");
        assert!(refused.contains("'a' in line 2, 'b' in line 4"), "{refused}");
        let refused = table("book,by\n", "t.csv").unwrap_err().to_string();
        assert!(refused.contains("the table is empty"), "{refused}");
        let refused = table("book,by\na\n", "t.csv").unwrap_err().to_string();
        assert!(refused.contains("cannot be read as a table"), "{refused}");
        let table = table("book,author\nemma,a\n", "t.csv").unwrap();
        let refused = table.column("autor", path).unwrap_err().to_string();
        assert!(refused.contains("no column 'autor'; did you mean 'author'?"), "{refused}");
        assert!(refused.contains("book, author"), "{refused}");
    }
}
