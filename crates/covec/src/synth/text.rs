//! Documents drawn from the planted world, exactly.
//!
//! In cell k, with a_ik the base rates, a document first draws its topics z from the density
//! ∝ N(z; 0, diag(c_k²)) · Z(z)², Z(z) = Σ_i exp(a_ik + v_ik·z), then each of its words from
//! p(i | z) = exp(a_ik + v_ik·z) / Z(z). For any two places of the document Z² cancels, and the
//! Gaussian integral leaves
//!
//! ```text
//! P_k(i, j) = exp(b_ik + b_jk + Σ_t v_ikt v_jkt c_kt²),   b_ik = a_ik + ½ Σ_t c_kt² v_ikt² − ½ ln N_k
//! ```
//!
//! which is the model itself, whatever the window. Written out, Z(z)² is a sum over pairs of words, so
//! z is a mixture: draw a pair from P_k, then z from N(C²(v_i + v_j), C²), C = diag(c_k). Here
//! y = z/c is drawn instead, from N(c ⊙ v_i + c ⊙ v_j, 1), in the dimensions that have a weight.

use super::cell::Cell;
use super::parameters::SynthParameters;
use super::world::World;
use crate::Work;
use crate::error::Error;
use crate::lots::{End, Lots, Stream};

/// A cell that documents can be drawn from.
#[derive(Debug)]
pub(super) struct Source {
    /// Its biases make P_k sum to 1.
    pub(super) cell: Cell,
    /// P_k(i): how often each word occurs.
    pub(super) marginals: Vec<f64>,
    pub(super) ln_normaliser: f64,
    base: Vec<f64>,
    /// Running sums of the marginals, up to a factor.
    cumulative: Vec<f64>,
    /// What follows the text in the line of a document: its levels.
    tail: String,
}

impl Source {
    pub(super) fn new(world: &World, number: usize, work: &Work<'_>) -> Result<Self, Error> {
        let vectors = world.vectors_in(number);
        let length = |v: &[f64]| v.iter().map(|x| x * x).sum::<f64>();
        let base: Vec<f64> =
            world.rates.iter().zip(&vectors).map(|(rate, v)| rate - 0.5 * length(v)).collect();
        let mut cell = Cell::new(world, number, Vec::new());
        cell.biases = base.iter().enumerate().map(|(i, a)| a + 0.5 * cell.squared(i)).collect();
        let (sums, most) = cell.sums(work, "planting", (number, world.cells.len()))?;
        let total: f64 = sums.iter().sum();
        let ln_normaliser = most + libm::log(total);
        cell.biases.iter_mut().for_each(|b| *b -= 0.5 * ln_normaliser);
        let mut tail = String::from("\"");
        for (factor, &level) in world.factors.iter().zip(&world.cells[number]) {
            tail += &format!(",\"{}\":\"{}\"", factor.name, factor.levels[level as usize]);
        }
        tail += "}\n";
        Ok(Self {
            marginals: sums.iter().map(|sum| sum / total).collect(),
            cumulative: running(&sums),
            cell,
            ln_normaliser,
            base,
            tail,
        })
    }

    /// Draws the words of a document.
    pub(super) fn draw(&self, length: u64, lots: &mut Stream, desk: &mut Desk) {
        let table = &mut desk.table;
        let first = find(&self.cumulative, lots);
        self.cell.pairs(first, table);
        odds(table);
        let second = find(table, lots);
        desk.topics.clear();
        for row in &self.cell.scaled {
            desk.topics.push(row[first] + row[second] + lots.normal());
        }
        table.copy_from_slice(&self.base);
        self.cell.add_products(0, &desk.topics, table);
        odds(table);
        desk.words.clear();
        desk.words.extend((0..length).map(|_| find(table, lots)));
    }
}

/// What a thread needs to draw documents.
#[derive(Debug)]
pub(super) struct Desk {
    table: Vec<f64>,
    topics: Vec<f64>,
    pub(super) words: Vec<usize>,
}

impl Desk {
    pub(super) fn new(words: usize) -> Self {
        Self { table: vec![0.0; words], topics: Vec::new(), words: Vec::new() }
    }
}

fn running(odds: &[f64]) -> Vec<f64> {
    let add = |sum: &mut f64, odds: &f64| {
        *sum += odds;
        Some(*sum)
    };
    odds.iter().scan(0.0, add).collect()
}

/// Logarithms become running sums of the odds, up to a factor.
fn odds(logs: &mut [f64]) {
    let most = logs.iter().copied().fold(f64::MIN, f64::max);
    let mut sum = 0.0;
    for log in logs {
        sum += libm::exp(*log - most);
        *log = sum;
    }
}

/// Draws an index by running sums of odds.
fn find(cumulative: &[f64], lots: &mut impl Lots) -> usize {
    let total = cumulative.last().copied().unwrap_or(0.0);
    let at = lots.share() * total;
    cumulative.partition_point(|sum| *sum <= at).min(cumulative.len() - 1)
}

/// Which documents there are, and in which cells.
#[derive(Debug)]
pub(super) struct Deal {
    /// The cell of every document.
    pub(super) cells: Vec<u32>,
    length: u64,
    tokens: u64,
}

impl Deal {
    /// Deals the documents to the cells in turn, so that at any point each cell has its share of them.
    pub(super) fn new(parameters: &SynthParameters) -> Self {
        let length = u64::from(parameters.document_words);
        let documents = parameters.tokens.0.div_ceil(length);
        let (levels, cells) = (parameters.levels.0[0] as usize, parameters.cells());
        let shares = &parameters.shares.0;
        let odds =
            (0..cells).map(|cell| shares.get(cell / (cells / levels)).copied().unwrap_or(1.0));
        let odds: Vec<f64> = odds.collect();
        let total: f64 = odds.iter().sum();
        let mut owed = vec![0.0; cells];
        let next = |_| {
            owed.iter_mut().zip(&odds).for_each(|(owed, odds)| *owed += odds / total);
            let most =
                (0..cells).fold(0, |best, cell| if owed[cell] > owed[best] { cell } else { best });
            owed[most] -= 1.0;
            most as u32
        };
        Self { cells: (0..documents).map(next).collect(), length, tokens: parameters.tokens.0 }
    }

    /// Words of a document.
    pub(super) fn length(&self, document: usize) -> u64 {
        self.length.min(self.tokens - document as u64 * self.length)
    }

    /// Of a cell, how many documents there are of which length; longest first.
    pub(super) fn lengths(&self, cell: usize) -> Vec<(u64, u64)> {
        let mut lengths = std::collections::BTreeMap::new();
        for document in (0..self.cells.len()).filter(|&d| self.cells[d] as usize == cell) {
            *lengths.entry(self.length(document)).or_insert(0) += 1;
        }
        lengths.into_iter().rev().collect()
    }
}

/// Draws documents and writes them as lines of JSON.
#[derive(Debug)]
pub(super) struct Writer<'a> {
    pub(super) world: &'a World,
    pub(super) sources: &'a [Source],
    pub(super) deal: &'a Deal,
    pub(super) seed: u64,
}

impl Writer<'_> {
    /// The lines of these documents.
    pub(super) fn lines(&self, documents: std::ops::Range<usize>, desk: &mut Desk) -> String {
        let mut lines = String::new();
        for document in documents {
            let mut lots = Stream::new(self.seed, End::Documents, document as u64);
            let source = &self.sources[self.deal.cells[document] as usize];
            source.draw(self.deal.length(document), &mut lots, desk);
            lines += &format!("{{\"id\":\"d{}\",\"text\":\"", document + 1);
            for (place, &word) in desk.words.iter().enumerate() {
                lines += if place > 0 { " " } else { "" };
                lines += &self.world.names[word];
            }
            lines += &source.tail;
        }
        lines
    }
}
