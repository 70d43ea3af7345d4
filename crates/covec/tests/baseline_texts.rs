//! Methods that read the documents themselves: what is planted is found, and nothing but the text matters.
#![allow(clippy::unwrap_used)]

mod common;

use std::path::{Path, PathBuf};

use common::{MEMORY, bytes, corpus, counted, planted_corpus, work};
use covec::analyse::View;
use covec::baseline::{LdaParameters, SEfeParameters, Sharing, lda, s_efe};
use covec::evaluate::{EvaluateParameters, held_out};
use covec::model::Model;
use covec::tensor::Tensor;

/// Documents about one of two things, in levels x and y; `odd` is of the first in x and of the second in y.
fn two_groups(home: &Path) -> (PathBuf, Tensor) {
    let mut state = 1_u64;
    let mut below = |n: u64| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % n
    };
    let mut documents = Vec::new();
    for document in 0..3000 {
        let (group, thing) = (document % 2, below(2));
        let words: Vec<String> = (0..12)
            .map(|_| match below(16) {
                15 if thing == group => "odd".to_owned(),
                n => format!("{}{n}", ["a", "b"][thing as usize]),
            })
            .collect();
        documents.push((words.join(" "), ["x", "y"][group as usize].to_owned()));
    }
    let path = corpus(&home.join("c.jsonl"), &documents);
    let tensor = counted(std::slice::from_ref(&path), &[("by", "g")], &home.join("t"));
    (path, tensor)
}

fn cosine(a: &[f32], b: &[f32]) -> f32 {
    let dot = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f32>();
    dot(a, b) / (dot(a, a) * dot(b, b)).sqrt()
}

fn parameters(sharing: Sharing) -> SEfeParameters {
    let mut parameters = SEfeParameters { sharing, ..SEfeParameters::default() };
    let small =
        [("dim", "8"), ("epochs", "12"), ("batch", "512"), ("frequent", "0"), ("hidden", "8")];
    small.iter().for_each(|(name, text)| parameters.set(name, text).unwrap());
    parameters
}

#[test]
fn s_efe_finds_the_word_that_differs_between_two_groups() {
    let home = tempfile::tempdir().unwrap();
    let (path, tensor) = two_groups(home.path());
    for sharing in [Sharing::Hierarchical, Sharing::Amortised] {
        let output = home.path().join(format!("{sharing:?}"));
        let inputs = std::slice::from_ref(&path);
        s_efe(inputs, &tensor, &parameters(sharing), &output, &work(2, MEMORY)).unwrap();
        let model = Model::open(&output).unwrap();
        let id = |word: &str| model.word(word).unwrap();
        let moved =
            |word: usize| 1.0 - cosine(&model.vector_in(word, &[0]), &model.vector_in(word, &[1]));
        let odd = moved(id("odd"));
        for (other, name) in model.vocabulary.words.iter().enumerate().filter(|(_, n)| *n != "odd")
        {
            assert!(odd > 2.0 * moved(other), "{sharing:?}: odd {odd}, {name} {}", moved(other));
        }
        // Under each level it is near to what it stands with there.
        let near = |level: usize, word: &str| {
            cosine(&model.vector_in(id("odd"), &[level]), &model.vector_in(id(word), &[level]))
        };
        assert!(near(0, "a3") > near(0, "b3"), "{sharing:?}");
        assert!(near(1, "b3") > near(1, "a3"), "{sharing:?}");
        let sweeps = &model.record.training.sweeps;
        assert_eq!(sweeps.len(), 12);
        assert!(sweeps[11].loss < sweeps[0].loss, "{sharing:?}: {:?}", sweeps[11]);
    }
}

/// With words that keep no company its vectors would be read as 0.
#[test]
fn s_efe_predicts_pairs_better_than_how_often_their_words_occur_does() {
    let home = tempfile::tempdir().unwrap();
    let path = planted_corpus(home.path(), "2,2");
    let inputs = std::slice::from_ref(&path);
    for factors in [&[("by", "group")][..], &[("by", "group"), ("by", "period")]] {
        let name = factors.len().to_string();
        let tensor = counted(inputs, factors, &home.path().join(&name));
        let output = home.path().join(format!("model-{name}"));
        let mut parameters = parameters(Sharing::Hierarchical);
        parameters.set("epochs", "1").unwrap();
        let model = s_efe(inputs, &tensor, &parameters, &output, &work(2, MEMORY)).unwrap();
        let asked = EvaluateParameters::default();
        let errors = |model: &Model| -> Vec<f64> {
            let views = View::of_factor(model, 0);
            let rows = held_out(model, &tensor, &views, &asked, &work(2, MEMORY)).unwrap();
            rows.iter().map(|row| row.score.unwrap()).collect()
        };
        let alone = Model { contexts: vec![0.0; model.contexts.len()].into(), ..model.clone() };
        // As they are, and calibrated, which takes a part of what is amiss away.
        for (own, alone) in errors(&model).chunks(2).zip(errors(&alone).chunks(2)) {
            assert!(own[0] < 0.7 * alone[0], "{own:?} {alone:?}");
            assert!(own[1] < 0.85 * alone[1], "{own:?} {alone:?}");
        }
        assert_eq!(errors(&model), errors(&Model::open(&output).unwrap()));
    }
}

#[test]
fn s_efe_and_lda_give_the_same_bytes_at_any_number_of_threads_and_order_of_inputs() {
    let home = tempfile::tempdir().unwrap();
    let whole = planted_corpus(home.path(), "3,2");
    // Two halves, so that there is an order.
    let text = std::fs::read_to_string(&whole).unwrap();
    let lines: Vec<&str> = text.lines().take(600).collect();
    let halves = [home.path().join("1.jsonl"), home.path().join("2.jsonl")];
    for (half, path) in lines.chunks(300).zip(&halves) {
        std::fs::write(path, half.join("\n")).unwrap();
    }
    let tensor = counted(&halves, &[("by", "group"), ("by", "period")], &home.path().join("t"));
    let turned = [halves[1].clone(), halves[0].clone()];
    let topics =
        LdaParameters { topics: 6, piece_words: 40, epochs: 8, ..LdaParameters::default() };
    let made = |threads: usize, inputs: &[PathBuf]| {
        let work = work(threads, MEMORY);
        let folder = |name: &str| home.path().join(name);
        for sharing in [Sharing::Hierarchical, Sharing::Amortised] {
            let short = SEfeParameters { epochs: 2, ..parameters(sharing) };
            s_efe(inputs, &tensor, &short, &folder(&format!("{sharing:?}")), &work).unwrap();
        }
        lda(inputs, &tensor, &topics, &folder("lda"), &work).unwrap();
        ["Hierarchical", "Amortised", "lda"].map(|name| bytes(&folder(name)))
    };
    let one = made(1, &halves);
    assert!(made(2, &halves) == one);
    assert!(made(5, &turned) == one);
}

#[test]
fn lda_finds_the_things_documents_are_about() {
    let home = tempfile::tempdir().unwrap();
    let (path, tensor) = two_groups(home.path());
    let output = home.path().join("lda");
    let two = LdaParameters { topics: 2, ..LdaParameters::default() };
    lda(&[path], &tensor, &two, &output, &work(2, MEMORY)).unwrap();
    let model = Model::open(&output).unwrap();
    let topic = |word: &str| {
        let vector = model.vector(model.word(word).unwrap());
        usize::from(vector[1] > vector[0])
    };
    for n in 0..15 {
        assert_eq!(topic(&format!("a{n}")), topic("a0"));
        assert_eq!(topic(&format!("b{n}")), topic("b0"));
    }
    assert_ne!(topic("a0"), topic("b0"));
    // Both levels have half of each: squares of weights average 1 over levels, and are near it.
    for (k, weight) in model.weights.iter().enumerate() {
        assert!((weight - 1.0).abs() < 0.05, "{k}: {weight}");
    }
}
