//! `covec import`: a tensor that somebody else counted.
//!
//! A table with a row, a column, a value and any number of covariates a record: words beside words,
//! genes beside genes. Records of the same pair and cell are added in the order of the file. A table
//! may hold both triangles or one; which is told by looking: if every (a, b) has its (b, a) of the
//! same value, its records added up, it is whole, else it must be one triangle, which is mirrored, and a pair that then
//! stands on both sides is refused.
//!
//! A word's count is the rounded sum of its row, in all and per level: the tensor knows no other.

use std::hash::{BuildHasher, BuildHasherDefault};
use std::path::{Path, PathBuf};

use super::covariates::{Covariates, Found};
use super::gather::Cells;
use super::record::Record;
use super::rows::{Row, Rows};
use super::runs::{self, Run};
use super::{FILES, Tensor, TensorError, write_folder};
use crate::Work;
use crate::artefact::Artefact;
use crate::corpus::{
    By, CorpusParameters, Document, Feeder, InputFormat, Order, Plan, Tally, expand,
};
use crate::error::Error;
use crate::parallel;
use crate::parameters::{choice, parameters};
use crate::vocabulary::{Vocabulary, Words};
use crate::work::Progress;

choice! {
    /// Which triangles a table of counts holds.
    pub enum Layout {
        /// Look and see.
        Auto = "auto",
        /// Both: every pair stands both ways round.
        Full = "full",
        /// One: every pair stands once.
        Triangle = "triangle",
    }
}

parameters! {
    /// How a table of counts is read.
    pub struct ImportParameters {
        row: String = "row".to_owned(), "FIELD", "row",
            "the name of a field" if |s: &String| !s.is_empty(),
            "Field that holds one word of a pair";
        col: String = "col".to_owned(), "FIELD", "col",
            "the name of a field" if |s: &String| !s.is_empty(),
            "Field that holds the other";
        value: String = "value".to_owned(), "FIELD", "value",
            "the name of a field" if |s: &String| !s.is_empty(),
            "Field that holds how often they were seen together";
        by: Vec<By> = Vec::new(), "FIELD", "none: one level holds everything",
            "FIELD, FIELD:WIDTH or FIELD:CUT,CUT…" if |_: &Vec<By>| true,
            "Covariate; repeat it for several factors";
        order: Vec<Order> = Vec::new(), "FACTOR=LEVEL,LEVEL…", "numbers cut by --by are ordered, others are not",
            "FACTOR=LEVEL,LEVEL… with every level of the factor" if |_: &Vec<Order>| true,
            "The levels of this factor have an order, namely this one";
        layout: Layout = Layout::Auto, "LAYOUT", "auto",
            "auto, full or triangle" if |_: &Layout| true,
            "Whether the table holds both triangles or one";
        input_format: Option<InputFormat> = None, "FORMAT", "by the end of the name",
            "jsonl, csv, tsv or parquet" if |f: &Option<InputFormat>| *f != Some(InputFormat::Text),
            "What the input is, where its name does not say";
        min_entry: f64 = 0.0, "X", "0",
            "a number, 0 or more" if |x: &f64| x.is_finite() && *x >= 0.0,
            "Drop entries of the tensor below this";
    }
}

/// What stands before the covariates of a record: the other word, and the value.
const LEADING: usize = 2;

/// Imports tables of counts into the folder `output`.
pub fn import(
    inputs: &[PathBuf],
    parameters: &ImportParameters,
    output: &Path,
    work: &Work<'_>,
) -> Result<Tensor, Error> {
    parameters.check()?;
    let artefact = Artefact::begin(output, FILES, work.force)?;
    let scratch = artefact.scratch().to_owned();
    let mut reader = Importer::new(inputs.first().cloned().unwrap_or_default(), &scratch, work);
    let prints = reader.read(inputs, parameters)?;
    let (cells, whole) = (std::mem::take(&mut reader.cells), reader.whole);
    let table = reader.finish(parameters.layout)?;
    let sums = table.sums(cells.len(), work)?;
    let (covariates, cell_of) = covariates(&cells, parameters, &sums)?;
    let (vocabulary, table) = table.renumber(&covariates, &cell_of, &sums);
    let unit = whole.then_some(1);
    write_folder(artefact, &vocabulary, &covariates, |folder| {
        let least = parameters.min_entry;
        let written = folder.entries(&table, &|v: f64| v, least, work)?;
        Ok(Record { inputs: prints, ..Record::new("import", unit, written) })
    })?;
    Tensor::open(output)
}

/// Names of the levels of every cell that was met become covariates; also tells where each cell went.
fn covariates(
    cells: &Cells,
    parameters: &ImportParameters,
    sums: &[Vec<f64>],
) -> Result<(Covariates, Vec<u32>), Error> {
    let plan = Plan::new(&CorpusParameters { by: parameters.by.clone(), ..Default::default() })?;
    let mut found = Found::new(&plan);
    cells.add_to(&mut found);
    for (cell, names) in cells.names().enumerate() {
        let total: f64 = sums.iter().map(|row| row[cell]).sum();
        found.cells.insert(names, (0, total.round() as u64));
    }
    let (covariates, _) = Covariates::settle(found, &parameters.order, 0)?;
    let cell_of =
        cells.names().map(|names| covariates.cell_of(&names).unwrap_or_default()).collect();
    Ok((covariates, cell_of))
}

/// A record: row, cell, column, value, in the numbers of the import.
type Record4 = (u32, u32, u32, f64);

/// Gathers records, and writes them out in sorted runs when there are too many.
struct Importer<'a> {
    path: PathBuf,
    scratch: &'a Path,
    work: &'a Work<'a>,
    words: Words,
    cells: Cells,
    waiting: Vec<Record4>,
    given: Vec<Run>,
    mirrored: Vec<Run>,
    /// Digests of the multisets of pairs as given and turned round: equal for a symmetric table.
    digests: (u64, u64),
    /// Every value is a whole number.
    whole: bool,
    hasher: BuildHasherDefault<std::hash::DefaultHasher>,
}

impl<'a> Importer<'a> {
    fn new(path: PathBuf, scratch: &'a Path, work: &'a Work<'a>) -> Self {
        Self {
            path,
            scratch,
            work,
            words: Words::default(),
            cells: Cells::default(),
            waiting: Vec::new(),
            given: Vec::new(),
            mirrored: Vec::new(),
            digests: (0, 0),
            whole: true,
            hasher: BuildHasherDefault::new(),
        }
    }

    fn read(
        &mut self,
        inputs: &[PathBuf],
        parameters: &ImportParameters,
    ) -> Result<Vec<crate::corpus::Fingerprint>, Error> {
        let field = |name: &String| By::Field { name: name.clone(), bins: None };
        let mut by = vec![field(&parameters.col), field(&parameters.value)];
        by.extend(parameters.by.iter().cloned());
        let mut plan = Plan::new(&CorpusParameters {
            text: parameters.row.clone(),
            by,
            ..Default::default()
        })?;
        plan.text_may_be_number = true;
        let cell_plan =
            Plan::new(&CorpusParameters { by: parameters.by.clone(), ..Default::default() })?;
        let format = parameters.input_format;
        let sources = expand(inputs, format, &mut |note| self.work.observer.note(&note))?;
        let mut feeder = Feeder::new(&plan, &sources, self.scratch);
        let mut records = 0;
        while let Some(batch) = feeder.next()? {
            self.work.proceed()?;
            batch.each(&plan, &mut Tally::default(), |document| {
                records += 1;
                self.take(document, &parameters.value, &cell_plan)
            })?;
            let share = feeder.share();
            self.work.observer.progress(Progress { stage: "reading", share, words: records });
        }
        self.flush()?;
        if self.given.is_empty() {
            return Err(self.refuse("no record with a value above 0".to_owned()));
        }
        Ok(feeder.fingerprints(inputs, Vec::new()))
    }

    fn take(
        &mut self,
        mut document: Document<'_>,
        value_field: &str,
        cells: &Plan,
    ) -> Result<(), Error> {
        let value = &document.covariates[1];
        let parsed = value.parse::<f64>().ok().filter(|v| v.is_finite() && *v >= 0.0);
        let Some(value) = parsed else {
            return Err(TensorError::Counts {
                path: PathBuf::from(document.spot.file),
                line: document.spot.line,
                problem: format!("field '{value_field}' is '{value}'"),
                expected: "a number, 0 or more".to_owned(),
            }
            .into());
        };
        if document.text.trim().is_empty() {
            return Err(TensorError::Counts {
                path: PathBuf::from(document.spot.file),
                line: document.spot.line,
                problem: "a row without a name".to_owned(),
                expected: "a word on both sides of every pair".to_owned(),
            }
            .into());
        }
        // Two quotation marks that stand for themselves hold a whole record between them.
        let broken = |word: &str| word.contains(['\n', '\r', '\t']);
        if let Some(word) =
            [&document.text, &document.covariates[0]].into_iter().find(|w| broken(w))
        {
            return Err(TensorError::Counts {
                path: PathBuf::from(document.spot.file),
                line: document.spot.line,
                problem: format!("a word with a line end or a tab in it, {word:?}"),
                expected: "words in one line; in CSV and TSV, the word \" is written \"\"\"\""
                    .to_owned(),
            }
            .into());
        }
        let row = self.words.number(document.text.trim().as_bytes());
        let col = self.words.number(document.covariates[0].as_bytes());
        document.covariates.drain(..LEADING);
        let cell = self.cells.number(cells, &document)?;
        if value == 0.0 {
            return Ok(());
        }
        self.whole &= value.fract() == 0.0 && value < 9e15;
        if row != col {
            let digest = |a: u32, b: u32| self.hasher.hash_one((a, b, cell, value.to_bits()));
            self.digests.0 = self.digests.0.wrapping_add(digest(row, col));
            self.digests.1 = self.digests.1.wrapping_add(digest(col, row));
        }
        self.waiting.push((row, cell, col, value));
        if self.waiting.len() as u64 * 24 > self.work.memory.0 / 4 {
            self.flush()?;
        }
        Ok(())
    }

    /// Writes what waits as two runs: as it was given, and turned round.
    fn flush(&mut self) -> Result<(), Error> {
        let mut waiting = std::mem::take(&mut self.waiting);
        if waiting.is_empty() {
            return Ok(());
        }
        let run = self.run(&mut waiting)?;
        runs::keep_apart::<f64>(&mut self.given, run, self.scratch, self.work)?;
        waiting.retain(|(row, _, col, _)| row != col);
        for (row, _, col, _) in &mut waiting {
            std::mem::swap(row, col);
        }
        let run = self.run(&mut waiting)?;
        runs::keep_apart::<f64>(&mut self.mirrored, run, self.scratch, self.work)?;
        Ok(())
    }

    fn run(&self, records: &mut [Record4]) -> Result<Run, Error> {
        // Stable: records of one pair and cell stay in the order of the file.
        records.sort_by_key(|&(row, cell, col, _)| (row, cell, col));
        let mut run = Run::new(self.words.len(), self.scratch)?;
        for records in records.chunk_by(|a, b| a.0 == b.0) {
            let mut made = Row::default();
            for group in records.chunk_by(|a, b| a.1 == b.1) {
                made.group(group[0].1, |columns, values| {
                    columns.extend(group.iter().map(|record| record.2));
                    values.extend(group.iter().map(|record| record.3));
                });
            }
            run.push(records[0].0 as usize, made.view())?;
        }
        Ok(run)
    }

    fn finish(self, layout: Layout) -> Result<Imported, Error> {
        let symmetric = self.digests.0 == self.digests.1 || self.sums_are_symmetric()?;
        let full = match layout {
            Layout::Full if !symmetric => {
                let problem = "--layout full, but not every pair stands both ways round with the same value, to the last digit";
                return Err(self.refuse(problem.to_owned()));
            }
            Layout::Full => true,
            Layout::Triangle => false,
            Layout::Auto => symmetric,
        };
        let count = self.words.len();
        let mirrored = if full { Vec::new() } else { self.mirrored };
        Ok(Imported {
            path: self.path,
            words: self.words,
            given: self.given,
            mirrored,
            row_of: (0..count as u32).collect(),
            column_to: (0..count as u32).collect(),
            cell_to: Vec::new(),
        })
    }

    /// Whether every pair has the same value both ways round once its records are added: a pair may
    /// stand in more records one way round than the other. A table of one triangle is found out at
    /// its first pairs.
    fn sums_are_symmetric(&self) -> Result<bool, Error> {
        let mut buffer = Vec::new();
        let mut sums = |runs: &[Run], row: usize| -> Result<Vec<(u32, u32, f64)>, Error> {
            let mut all: Vec<(u32, u32, f64)> = Vec::new();
            for run in runs {
                for (cell, columns, values) in run.read::<f64>(row, &mut buffer)?.view().iter() {
                    let pairs = columns.iter().zip(values);
                    let pairs = pairs.filter(|&(&column, _)| column as usize != row);
                    all.extend(pairs.map(|(&column, &value)| (cell, column, value)));
                }
            }
            all.sort_by_key(|&(cell, column, _)| (cell, column));
            let same = all.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1));
            Ok(same.map(|s| (s[0].0, s[0].1, s.iter().map(|r| r.2).sum())).collect())
        };
        for row in 0..self.words.len() {
            self.work.proceed()?;
            if sums(&self.given, row)? != sums(&self.mirrored, row)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn refuse(&self, problem: String) -> Error {
        let expected = "records of row, col and value, both triangles or one".to_owned();
        TensorError::Counts { path: self.path.clone(), line: 0, problem, expected }.into()
    }
}

/// The imported rows, added up as they are made.
struct Imported {
    path: PathBuf,
    words: Words,
    given: Vec<Run>,
    mirrored: Vec<Run>,
    /// The import's number of every row.
    row_of: Vec<u32>,
    /// The id of every number of the import.
    column_to: Vec<u32>,
    /// The cell of every cell number of the import; empty while they are the same.
    cell_to: Vec<u32>,
}

impl Imported {
    /// Sum of every row in every cell, in the import's numbers.
    fn sums(&self, cells: usize, work: &Work<'_>) -> Result<Vec<Vec<f64>>, Error> {
        parallel::map(work.threads, self.words.len(), &mut Vec::new(), Vec::new, |buffer, row| {
            let mut sums = vec![0.0; cells];
            let mut made = Row::default();
            self.row(row, buffer, &mut made)?;
            for (cell, _, values) in made.view().iter() {
                sums[cell as usize] += values.iter().sum::<f64>();
            }
            Ok(sums)
        })
    }

    /// Puts words and cells in their order.
    fn renumber(
        mut self,
        covariates: &Covariates,
        cell_to: &[u32],
        sums: &[Vec<f64>],
    ) -> (Vocabulary, Self) {
        let count = |row: &[f64]| row.iter().sum::<f64>().round() as u64;
        let mut order: Vec<u32> = (0..self.words.len() as u32).collect();
        // A word without a value above 0 has no row, and no place.
        order.retain(|&word| sums[word as usize].iter().sum::<f64>() > 0.0);
        order.sort_by(|&a, &b| {
            let key = |word: u32| (count(&sums[word as usize]), self.words.get(word as usize));
            Vocabulary::order(key(a), key(b))
        });
        let mut column_to = vec![0; self.words.len()];
        for (id, &word) in order.iter().enumerate() {
            column_to[word as usize] = id as u32;
        }
        let flat = covariates.flat_levels();
        let levels = covariates.level_names().len();
        let mut level_counts = vec![Vec::with_capacity(order.len()); levels];
        for &word in &order {
            let mut row = vec![0.0; levels];
            for (cell, value) in sums[word as usize].iter().enumerate() {
                for &level in &flat[cell_to[cell] as usize] {
                    row[level] += value;
                }
            }
            for (counts, value) in level_counts.iter_mut().zip(row) {
                counts.push(value.round() as u64);
            }
        }
        let vocabulary = Vocabulary {
            words: order
                .iter()
                .map(|&word| String::from_utf8_lossy(self.words.get(word as usize)).into_owned())
                .collect(),
            counts: order.iter().map(|&word| count(&sums[word as usize])).collect(),
            documents: vec![0; order.len()],
            level_counts,
        };
        self.row_of = order;
        self.column_to = column_to;
        self.cell_to = cell_to.to_vec();
        (vocabulary, self)
    }
}

impl Rows for Imported {
    type Amount = f64;
    type Column = u32;
    type Desk = Vec<u32>;

    fn desk(&self) -> Vec<u32> {
        Vec::new()
    }

    fn len(&self) -> usize {
        self.row_of.len()
    }

    fn work(&self, row: usize) -> u64 {
        let row = self.row_of[row] as usize;
        self.given.iter().chain(&self.mirrored).map(|run| run.size(row)).sum()
    }

    fn row(&self, row: usize, buffer: &mut Vec<u32>, made: &mut Row<f64>) -> Result<(), Error> {
        let row = self.row_of[row] as usize;
        // Cell, column, whether it was turned round, value: in the order of the file.
        let mut all: Vec<(u32, u32, bool, f64)> = Vec::new();
        for (runs, turned) in [(&self.given, false), (&self.mirrored, true)] {
            for run in runs {
                for (cell, columns, values) in run.read::<f64>(row, buffer)?.view().iter() {
                    let cell = self.cell_to.get(cell as usize).copied().unwrap_or(cell);
                    all.extend(columns.iter().zip(values).map(|(&column, &value)| {
                        (cell, self.column_to[column as usize], turned, value)
                    }));
                }
            }
        }
        all.sort_by_key(|&(cell, column, turned, _)| (cell, column, turned));
        for group in all.chunk_by(|a, b| a.0 == b.0) {
            let mut clash = None;
            made.group(group[0].0, |columns, values| {
                for same in group.chunk_by(|a, b| a.1 == b.1) {
                    if same[0].2 != same[same.len() - 1].2 {
                        clash = Some(same[0].1);
                    }
                    columns.push(same[0].1);
                    values.push(same.iter().map(|entry| entry.3).sum());
                }
            });
            if let Some(column) = clash {
                return Err(self.clash(row, column));
            }
        }
        Ok(())
    }
}

impl Imported {
    fn clash(&self, row: usize, column: u32) -> Error {
        let word = |number: usize| String::from_utf8_lossy(self.words.get(number)).into_owned();
        let other = self.column_to.iter().position(|&id| id == column).unwrap_or_default();
        TensorError::Counts {
            path: self.path.clone(),
            line: 0,
            problem: format!(
                "the pair {}, {} stands both ways round, but the table as a whole is not symmetric",
                word(row),
                word(other)
            ),
            expected:
                "both triangles with values equal to the last digit, or every pair once: leave \
                       one triangle out, or round the values"
                    .to_owned(),
        }
        .into()
    }
}
