//! A tensor's corpus, read again in the ids of its vocabulary.
//!
//! * **In:** a tensor and the corpus it was counted from, which is checked by its counts.
//! * **Out:** every document that was counted, as its cell and its words.
//! * **Invariants:** the documents stand in an order of their own, whatever that of the inputs.
//! * **Cost:** one pass over the corpus; four bytes a word.

use std::ops::Range;
use std::path::PathBuf;

use super::BaselineError;
use crate::error::Error;
use crate::parameters::Whole;
use crate::tensor::recount::Kept;
use crate::tensor::{Gaps, Tensor};
use crate::vocabulary::VocabularyParameters;
use crate::work::Work;

/// A document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Text {
    pub(crate) cell: u32,
    /// Where its words are.
    pub(crate) words: Range<usize>,
}

/// All documents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Texts {
    pub(crate) documents: Vec<Text>,
    /// Their words, document after document; the size of the vocabulary for one outside that keeps its place.
    pub(crate) words: Vec<u32>,
}

impl Texts {
    /// Reads the corpus by the rules, words and levels of the tensor.
    pub(crate) fn read(
        tensor: &Tensor,
        inputs: &[PathBuf],
        work: &Work<'_>,
    ) -> Result<Self, Error> {
        let Some(mut rules) = tensor.record.parameters.clone() else {
            return Err(BaselineError::NoRules { stage: tensor.record.stage.clone() }.into());
        };
        rules.vocabulary = VocabularyParameters::default();
        rules.corpus.min_level_tokens = Whole(0);
        rules.corpus.order = Vec::new();
        let scratch = tempfile::tempdir()
            .map_err(|error| Error::io("make a folder in", &std::env::temp_dir(), error))?;
        let (words, covariates) = (&tensor.vocabulary.words, &tensor.covariates);
        let kept = Kept::read(inputs, &rules, words, covariates, &[], scratch.path(), work)?;
        refuse_other(tensor, &kept)?;
        let close = rules.window.gaps == Gaps::Close;
        let mut documents: Vec<(u32, Vec<u32>)> = Vec::with_capacity(kept.documents.len());
        kept.each(|cell, ids| {
            let known = |id: &u32| !close || (*id as usize) < words.len();
            documents.push((cell, ids.filter(known).collect()));
        })?;
        documents.sort_unstable();
        let mut texts = Self { documents: Vec::with_capacity(documents.len()), words: Vec::new() };
        for (cell, words) in documents {
            let start = texts.words.len();
            texts.words.extend(words);
            texts.documents.push(Text { cell, words: start..texts.words.len() });
        }
        Ok(texts)
    }
}

/// Another corpus would give a model of something else, and nobody would notice.
fn refuse_other(tensor: &Tensor, kept: &Kept) -> Result<(), BaselineError> {
    let mut found = vec![0_u64; tensor.covariates.cells.len()];
    for document in &kept.documents {
        if let Some(cell) = document.cell {
            found[cell as usize] += u64::from(document.words);
        }
    }
    for (index, (cell, got)) in tensor.covariates.cells.iter().zip(found).enumerate() {
        if cell.tokens != got {
            let what = format!("words in {}", tensor.covariates.cell_name(index));
            return Err(BaselineError::OtherCorpus { what, got, expected: cell.tokens });
        }
    }
    let vocabulary = &tensor.vocabulary;
    for ((word, &expected), &got) in
        vocabulary.words.iter().zip(&vocabulary.counts).zip(kept.counts())
    {
        if expected != got {
            let what = format!("times '{word}'");
            return Err(BaselineError::OtherCorpus { what, got, expected });
        }
    }
    Ok(())
}
