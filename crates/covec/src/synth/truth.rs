//! `truth.json`: all that was planted, so that what is found can be held to it.

use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::ser::Formatter;

use super::parameters::SynthParameters;
use super::world::{World, energies};
use crate::error::{Error, IoContext};

/// All that was planted. See `docs/synth.md`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Truth {
    /// Version of covec that planted it.
    pub covec: String,
    /// `text` or `tensor`.
    pub kind: String,
    /// The seed.
    pub seed: u64,
    /// All parameters.
    pub parameters: SynthParameters,
    /// What the numbers below mean.
    pub formula: Vec<String>,
    /// Share of all weights that are exactly 0.
    pub zeros: f64,
    /// How much every dimension explains: Σ_i v_it². Falling.
    pub energies: Vec<f64>,
    /// The factors.
    pub factors: Vec<TrueFactor>,
    /// The words whose use differs in one level.
    pub differing: Vec<TrueDiffering>,
    /// The combinations of levels.
    pub cells: Vec<TrueCell>,
    /// The words; a word's place is its number in every list of words here.
    pub words: Vec<String>,
    /// v, by word, then dimension.
    pub vectors: Vec<Vec<f64>>,
}

/// A factor.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TrueFactor {
    /// Its name.
    pub name: String,
    /// The names of its levels.
    pub levels: Vec<String>,
    /// c, by level, then dimension.
    pub weights: Vec<Vec<f64>>,
    /// The level's part of the biases, by level, then word; with `--tensor` alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub biases: Option<Vec<Vec<f64>>>,
}

/// A word that is used differently in one level.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TrueDiffering {
    /// The word.
    pub word: String,
    /// Its number.
    pub id: usize,
    /// The level, as `factor=level`.
    pub level: String,
    /// The word whose vector it takes on there.
    pub partner: String,
    /// Its number.
    pub partner_id: usize,
    /// The vector it has there in place of its own.
    pub vector: Vec<f64>,
}

/// A combination of levels.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TrueCell {
    /// `group=group-1`.
    pub name: String,
    /// The level of every factor, by its place.
    pub levels: Vec<u32>,
    /// Documents in it; with text alone.
    pub documents: u64,
    /// Words in them; with text alone.
    pub tokens: u64,
    /// Length in words and number of documents of that length.
    pub lengths: Vec<(u64, u64)>,
    /// ln N_k, which was taken out of the biases, one half of it each.
    pub ln_normaliser: f64,
    /// Σ_ij exp(b_ik + b_jk + Σ_t v_ikt v_jkt c_kt²): 1 for text, about the scale for a tensor.
    pub total: f64,
    /// b, by word.
    pub biases: Vec<f64>,
    /// Σ_j exp(b_ik + b_jk + Σ_t v_ikt v_jkt c_kt²), by word: for text P_k(i), how often it occurs.
    pub marginals: Vec<f64>,
}

const SHARED: &[&str] = &[
    "v_ikt = vectors[i][t], but where words[i] is in differing and cell k has its level: that entry's vector[t]",
    "c_kt = product over the factors f of factors[f].weights[cells[k].levels[f]][t]",
];
const TEXT: &[&str] = &[
    "P_k(i, j) = exp(b_ik + b_jk + sum_t v_ikt v_jkt c_kt^2), with b_ik = cells[k].biases[i], is the probability \
     that any two different places of a document of cell k hold i and j; it sums to 1 over all i and j",
    "P_k(i) = sum_j P_k(i, j) = cells[k].marginals[i] is the probability of word i at any place",
    "E[A_ijk] = P_k(i, j) W_k, with W_k = sum over [length, documents] in cells[k].lengths of documents * \
     2 * sum over d = 1 .. min(window, length - 1) of (length - d) w(d); w(d) = 1/d for inverse weights, 1 for flat",
];
const TENSOR: &[&str] = &[
    "ln A_ijk = b_ik + b_jk + sum_t v_ikt v_jkt c_kt^2 before noise, with b_ik = cells[k].biases[i]",
    "b_ik = sum over the factors f of factors[f].biases[cells[k].levels[f]][i]",
];

impl Truth {
    /// What is common to text and tensors; cells and biases are added by them.
    pub(super) fn new(kind: &str, parameters: &SynthParameters, world: &World) -> Self {
        let own = if kind == "text" { TEXT } else { TENSOR };
        let count = |f: &super::weights::Factor| f.levels.len() as f64;
        let zeros = world.factors.iter().map(|f| f.zeros() * count(f)).sum::<f64>();
        let factors = world.factors.iter().map(|factor| TrueFactor {
            name: factor.name.clone(),
            levels: factor.levels.clone(),
            weights: factor.weights.clone(),
            biases: None,
        });
        let first = &world.factors[0];
        let differing = world.differing.iter().map(|word| TrueDiffering {
            word: world.names[word.word].clone(),
            id: word.word,
            level: format!("{}={}", first.name, first.levels[word.level]),
            partner: world.names[word.partner].clone(),
            partner_id: word.partner,
            vector: word.vector.clone(),
        });
        Self {
            covec: env!("CARGO_PKG_VERSION").to_owned(),
            kind: kind.to_owned(),
            seed: parameters.seed.0,
            parameters: parameters.clone(),
            formula: SHARED.iter().chain(own).map(|line| (*line).to_owned()).collect(),
            zeros: zeros / world.factors.iter().map(count).sum::<f64>(),
            energies: energies(&world.vectors),
            factors: factors.collect(),
            differing: differing.collect(),
            cells: Vec::new(),
            words: world.names.clone(),
            vectors: world.vectors.clone(),
        }
    }

    /// Reads a file that [`super::write_corpus`] or [`super::write_tensor`] wrote.
    pub fn read(path: &Path) -> Result<Self, Error> {
        crate::tensor::record::read_json(path)
    }

    pub(super) fn write(&self, path: &Path) -> Result<(), Error> {
        let mut text = Vec::new();
        let mut serializer = serde_json::Serializer::with_formatter(&mut text, Lines::default());
        self.serialize(&mut serializer)
            .map_err(|e| Error::io("write", path, std::io::Error::other(e)))?;
        text.push(b'\n');
        std::fs::write(path, text).at("write", path)
    }

    /// Σ_t v_ikt v_jkt c_kt² + b_ik + b_jk, as the formula says: slow, for checks.
    pub fn ln_expected(&self, cell: usize, i: usize, j: usize) -> f64 {
        let levels = &self.cells[cell].levels;
        let vector = |word: usize| {
            let first = &self.factors[0];
            let level = format!("{}={}", first.name, first.levels[levels[0] as usize]);
            let differs = self.differing.iter().find(|d| d.id == word && d.level == level);
            differs.map_or(&self.vectors[word], |d| &d.vector)
        };
        let mut sum = self.cells[cell].biases[i] + self.cells[cell].biases[j];
        for (t, (a, b)) in vector(i).iter().zip(vector(j)).enumerate() {
            let weights = self.factors.iter().zip(levels).map(|(f, &l)| f.weights[l as usize][t]);
            let weight: f64 = weights.product();
            sum += a * b * weight * weight;
        }
        sum
    }
}

/// JSON with a line for every row of numbers, so that people can look into it.
#[derive(Debug, Default)]
struct Lines {
    depth: usize,
}

/// Below this depth all stands on one line.
const DEEPEST: usize = 2;

impl Lines {
    fn next<W: ?Sized + std::io::Write>(&self, writer: &mut W, first: bool) -> std::io::Result<()> {
        if !first {
            writer.write_all(b",")?;
        }
        if self.depth <= DEEPEST { writer.write_all(b"\n") } else { Ok(()) }
    }
}

impl Formatter for Lines {
    fn begin_array<W: ?Sized + std::io::Write>(&mut self, writer: &mut W) -> std::io::Result<()> {
        self.depth += 1;
        writer.write_all(b"[")
    }
    fn end_array<W: ?Sized + std::io::Write>(&mut self, writer: &mut W) -> std::io::Result<()> {
        self.depth -= 1;
        writer.write_all(b"]")
    }
    fn begin_object<W: ?Sized + std::io::Write>(&mut self, writer: &mut W) -> std::io::Result<()> {
        self.depth += 1;
        writer.write_all(b"{")
    }
    fn end_object<W: ?Sized + std::io::Write>(&mut self, writer: &mut W) -> std::io::Result<()> {
        self.depth -= 1;
        writer.write_all(b"}")
    }
    fn begin_array_value<W: ?Sized + std::io::Write>(
        &mut self,
        writer: &mut W,
        first: bool,
    ) -> std::io::Result<()> {
        self.next(writer, first)
    }
    fn begin_object_key<W: ?Sized + std::io::Write>(
        &mut self,
        writer: &mut W,
        first: bool,
    ) -> std::io::Result<()> {
        self.next(writer, first)
    }
}
