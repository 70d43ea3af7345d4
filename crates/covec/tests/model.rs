//! Model folders: what other tools get of them, and what becomes of damaged ones.
#![allow(clippy::unwrap_used)]

mod common;

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use common::{planted, tiny_model, tiny_tensor, trained, work};
use covec::analyse::{Lens, View};
use covec::model::export::ExportParameters;
use covec::model::{Deviations, Model};
use covec::train::Deviating;
use safetensors::tensor::{Dtype, SafeTensors, TensorView};

const NUMBERS: &str = "model.safetensors";

/// A model in a folder of its own, to be damaged.
struct Damaged(tempfile::TempDir);

impl Damaged {
    fn new() -> Self {
        let home = tempfile::tempdir().unwrap();
        tiny_model(home.path(), 1);
        Self(home)
    }

    fn folder(&self) -> PathBuf {
        self.0.path().join("m1")
    }

    fn read(&self, file: &str) -> Vec<u8> {
        std::fs::read(self.folder().join(file)).unwrap()
    }

    fn write(&self, file: &str, bytes: &[u8]) {
        std::fs::write(self.folder().join(file), bytes).unwrap();
    }

    /// Refused as bad input, with a message that holds all of `told`.
    fn refused(&self, told: &[&str]) {
        let error = Model::open(&self.folder()).unwrap_err();
        assert!(error.is_refusal(), "{error}");
        let message = error.to_string();
        for part in told {
            assert!(message.contains(part), "'{part}' is not in:\n{message}");
        }
    }

    /// Writes the numbers anew after a change to one of them: its type, shape and bytes.
    fn change(&self, name: &str, change: impl Fn(&mut Dtype, &mut Vec<usize>, &mut Vec<u8>)) {
        let old = self.read(NUMBERS);
        let (_, head) = SafeTensors::read_metadata(&old).unwrap();
        let file = SafeTensors::deserialize(&old).unwrap();
        let mut parts: Vec<_> = file
            .tensors()
            .into_iter()
            .map(|(name, t)| (name, t.dtype(), t.shape().to_vec(), t.data().to_vec()))
            .collect();
        let part = parts.iter_mut().find(|part| part.0 == name).unwrap();
        change(&mut part.1, &mut part.2, &mut part.3);
        let views: Vec<_> = parts
            .iter()
            .map(|(name, kind, shape, data)| {
                (name, TensorView::new(*kind, shape.clone(), data).unwrap())
            })
            .collect();
        let metadata: Option<HashMap<String, String>> = head.metadata().clone();
        self.write(NUMBERS, &safetensors::serialize(views, metadata).unwrap());
    }
}

#[test]
fn a_missing_file_is_named() {
    for file in [NUMBERS, "vocabulary.parquet", "covariates.json", "run.json"] {
        let model = Damaged::new();
        std::fs::remove_file(model.folder().join(file)).unwrap();
        model.refused(&["not a model folder", &format!("no {file} in it"), "covec train"]);
    }
}

#[test]
fn a_file_that_was_cut_is_named() {
    for file in [NUMBERS, "vocabulary.parquet", "covariates.json", "run.json"] {
        let model = Damaged::new();
        let whole = model.read(file);
        for length in [0, 4, whole.len() / 2, whole.len() - 3] {
            model.write(file, &whole[..length]);
            model.refused(&[file]);
        }
    }
}

#[test]
fn a_header_of_garbage_or_of_any_length_is_refused() {
    let model = Damaged::new();
    let whole = model.read(NUMBERS);
    let mut garbage = whole.clone();
    garbage[8..40].fill(b'?');
    model.write(NUMBERS, &garbage);
    model.refused(&[NUMBERS, "damaged model file", "train again"]);
    for length in [0, 1 << 20, 1 << 40, u64::MAX - 7, u64::MAX] {
        let mut huge = whole.clone();
        huge[..8].copy_from_slice(&u64::to_le_bytes(length));
        model.write(NUMBERS, &huge);
        model.refused(&[NUMBERS, "header"]);
    }
    let mut longer = whole;
    longer.extend([0; 100]);
    model.write(NUMBERS, &longer);
    model.refused(&[NUMBERS]);
}

#[test]
fn numbers_of_another_type_or_shape_are_refused() {
    let model = Damaged::new();
    model.change("weights", |kind, _, _| *kind = Dtype::I32);
    model.refused(&["'weights' is I32", "expected F32"]);
    let model = Damaged::new();
    model.change("biases", |_, shape, _| shape.reverse());
    model.refused(&["'biases' is F32 of shape [60, 3]", "expected F32 of shape [3, 60]"]);
    let model = Damaged::new();
    model.change("vectors", |_, shape, _| *shape = vec![240]);
    model.refused(&["'vectors' is F32 of shape [240]"]);
    let model = Damaged::new();
    model.change("vectors", |_, shape, data| {
        *shape = vec![60, 0];
        data.clear();
    });
    model.refused(&["'vectors' is F32 of shape [60, 0]"]);
}

#[test]
fn numbers_that_no_model_has_are_refused() {
    let put = |name: &str, x: f32, told: &str| {
        let model = Damaged::new();
        model.change(name, |_, _, data| data[4..8].copy_from_slice(&x.to_le_bytes()));
        model.refused(&[NUMBERS, told]);
    };
    put("vectors", f32::NAN, "vectors: number 1 is not finite");
    put("biases", f32::INFINITY, "biases: number 1 is not finite");
    put("weights", -1.0, "weights: number 1 is negative");
}

#[test]
fn a_number_that_is_not_the_one_written_is_noticed() {
    let model = Damaged::new();
    model.change("vectors", |_, _, data| data[4..8].copy_from_slice(&7_f32.to_le_bytes()));
    model.refused(&["belong to different models"]);
}

#[test]
fn files_of_another_model_are_noticed() {
    // Both worlds have the same covariates; other ones have a test of their own.
    for file in [NUMBERS, "vocabulary.parquet", "run.json"] {
        let model = Damaged::new();
        let other = tiny_model(model.0.path(), 2);
        model.write(file, &std::fs::read(other.join(file)).unwrap());
        model.refused(&["m1"]);
    }
}

#[test]
fn covariates_with_other_levels_are_noticed() {
    let model = Damaged::new();
    let text = String::from_utf8(model.read("covariates.json")).unwrap();
    model.write("covariates.json", text.replace("group-1", "group-9").as_bytes());
    model.refused(&["no column 'group=group-9'"]);
    model.write(
        "covariates.json",
        text.replacen("\"ordered\": false", "\"ordered\": true", 1).as_bytes(),
    );
    model.refused(&["belong to different models", "covariates.json"]);
}

#[test]
fn the_record_of_a_tensor_is_no_models() {
    let model = Damaged::new();
    let tensor = tiny_tensor(model.0.path(), 1);
    model.write("run.json", &std::fs::read(tensor.join("run.json")).unwrap());
    model.refused(&["not a model folder", "speaks of no training"]);
}

#[test]
fn a_later_format_is_refused_whatever_it_holds() {
    let model = Damaged::new();
    model.write("run.json", br#"{"covec": "9.1", "format": 7, "training": {"new": true}}"#);
    model.refused(&["format 7", "this covec reads format 1", "9.1"]);
}

fn parameters(pairs: &[(&str, &str)]) -> ExportParameters {
    let mut parameters = ExportParameters::default();
    for (name, value) in pairs {
        parameters.set(name, value).unwrap();
    }
    parameters
}

fn exported(
    model: &Model,
    levels: &[&str],
    pairs: &[(&str, &str)],
    output: &Path,
) -> Result<(), String> {
    let levels: Vec<String> = levels.iter().map(|&level| level.to_owned()).collect();
    let made = model.export(&levels, &parameters(pairs), output, &work(1, 1 << 30));
    made.map(drop).map_err(|error| {
        assert!(error.is_refusal(), "{error}");
        error.to_string()
    })
}

/// Of one level deviations are taken as they are, of several times what was chosen for all factors, or a root of it.
#[test]
fn deviations_of_several_levels_are_taken_times_their_share() {
    let home = tempfile::tempdir().unwrap();
    let (tensor, _) = planted(home.path(), &[("levels", "2,2,2"), ("words", "60"), ("dim", "3")]);
    let mut model = trained(&tensor, home.path(), &[("dim", "4"), ("sweeps", "1")]);
    let one = |x: f32| vec![half::f16::from_f32(x); 4];
    let numbers = [one(1.0), one(2.0), one(4.0)].concat();
    model.deviations = Deviations::new(4, vec![5; 3], vec![0, 2, 4], numbers);
    let told = Deviating { share: Some(0.25), ..Deviating::default() };
    model.record.training.deviations = Some(told);
    let view = |name: &str| View::named(&model, name).unwrap();
    let compared = [(View::base(), view("group=group-1")), (View::base(), view("group=group-2"))];
    let lacking = View::lacking_own(&model, &compared);
    assert!(lacking.len() == 1 && lacking[0].contains("group=group-2"), "{lacking:?}");
    // All of its text is in cells; of one combination there is none once its cell is gone.
    let asked = ["group=group-1", "group=group-1,period=period-2", "nothing"];
    let heard = View::cautions(&model, &asked);
    assert!(heard.len() == 1 && heard[0].contains("at most"), "{heard:?}");
    let mut less = model.clone();
    less.covariates.cells.retain(|cell| cell.levels[..2] != [0, 1]);
    let unheard = View::cautions(&less, &asked);
    assert!(unheard.len() == 1 && unheard[0].contains("no text"), "{unheard:?}");
    for (levels, added) in
        [(&[0][..], 1.0), (&[4], 4.0), (&[0, 2], 0.5 * 3.0), (&[0, 2, 4], 0.25 * 7.0)]
    {
        let mut written = vec![0.0; 4];
        Lens::mixed(&model, levels, levels).write(5, &mut written);
        for (t, x) in model.vector_in(5, levels).into_iter().enumerate() {
            let weight: f32 = levels.iter().map(|&level| model.weight(level)[t]).product();
            let expected = weight * (model.vector(5)[t] + added);
            assert!((x - expected).abs() < 1e-5, "{levels:?}: {x} {expected}");
            assert!((written[t] - expected).abs() < 1e-5, "{levels:?}");
        }
    }
}

/// The same text with the words' own deviations and without; and the deviations themselves.
#[test]
fn deviations_are_taken_in_left_out_or_written_alone() {
    let home = tempfile::tempdir().unwrap();
    let mut model = Model::open(&tiny_model(home.path(), 1)).unwrap();
    model.deviations = Deviations::default();
    let none = exported(&model, &[], &[("what", "deviations")], &home.path().join("none"));
    assert!(none.unwrap_err().contains("no word deviates"));
    let numbers: Vec<_> = (1..=8).map(|x| half::f16::from_f32(x as f32)).collect();
    model.deviations = Deviations::new(4, vec![5, 2], vec![0, 1], numbers);
    let read = |name: &str, levels: &[&str], pairs: &[(&str, &str)]| {
        let path = home.path().join(name);
        exported(&model, levels, pairs, &path).unwrap();
        std::fs::read_to_string(path).unwrap()
    };
    let row = |text: &str, word: usize| -> Vec<f32> {
        let line = text.lines().nth(word).unwrap();
        line.split(' ').skip(1).map(|x| x.parse().unwrap()).collect()
    };
    let with = read("with", &["group-2"], &[("format", "glove")]);
    let without = read("without", &["group-2"], &[("format", "glove"), ("deviations", "off")]);
    assert_eq!(row(&with, 5), row(&without, 5), "it deviates in another level");
    assert_eq!(row(&with, 2), model.vector_in(2, &[1]));
    assert_eq!(row(&without, 2), model.reweighted(2, &[1]));
    assert_ne!(row(&with, 2), row(&without, 2));
    let csv = [("what", "deviations"), ("format", "csv")];
    let words = &model.vocabulary.words;
    let expected = format!(
        "word,level,d0,d1,d2,d3\n{},group=group-1,1.0,2.0,3.0,4.0\n{},group=group-2,5.0,6.0,7.0,8.0\n",
        words[5], words[2]
    );
    assert_eq!(read("all", &[], &csv), expected);
    let expected = format!("word,d0,d1,d2,d3\n{},5.0,6.0,7.0,8.0\n", words[2]);
    assert_eq!(read("one", &["group-2"], &csv), expected);
    let refused = exported(&model, &[], &[("what", "deviations")], &home.path().join("x"));
    assert!(refused.unwrap_err().contains("--in LEVEL"));
}

#[test]
fn words_with_spaces_are_refused_or_bent_and_nothing_is_left_behind() {
    let home = tempfile::tempdir().unwrap();
    let mut model = Model::open(&tiny_model(home.path(), 1)).unwrap();
    model.vocabulary.words[3] = "new york".to_owned();
    for format in ["word2vec", "word2vec-binary", "glove"] {
        let output = home.path().join(format);
        let told = exported(&model, &[], &[("format", format)], &output).unwrap_err();
        assert!(told.contains("\"new york\"") && told.contains("--spaces underscore"), "{told}");
        assert!(!output.exists());
        let bent = [("format", format), ("spaces", "underscore")];
        exported(&model, &[], &bent, &output).unwrap();
        let written = std::fs::read(&output).unwrap();
        assert!(String::from_utf8_lossy(&written).contains("\nnew_york "));
    }
}

#[test]
fn only_words_with_enough_support_are_written() {
    let home = tempfile::tempdir().unwrap();
    let model = Model::open(&tiny_model(home.path(), 1)).unwrap();
    let counts = &model.vocabulary.level_counts[0];
    let mut sorted = counts.clone();
    sorted.sort_unstable();
    let least = sorted[30].to_string();
    let expected = counts.iter().filter(|&&count| count >= sorted[30]).count();
    let path = home.path().join("some");
    let pairs = [("format", "glove"), ("min_support", least.as_str())];
    exported(&model, &["group-1"], &pairs, &path).unwrap();
    assert_eq!(std::fs::read_to_string(&path).unwrap().lines().count(), expected);
    let too_many = [("min_support", "1e15")];
    let told = exported(&model, &[], &too_many, &home.path().join("none")).unwrap_err();
    assert!(told.contains("no word occurs") && told.contains("--min-support"), "{told}");
}

#[test]
fn a_changed_model_is_saved_and_opened_again() {
    let home = tempfile::tempdir().unwrap();
    let path = tiny_model(home.path(), 1);
    let mut model = Model::open(&path).unwrap();
    let doubled: Vec<f32> = model.vectors.iter().map(|x| 2.0 * x).collect();
    model.vectors = doubled.into();
    let output = home.path().join("saved");
    model.save(&output, false).unwrap();
    let again = Model::open(&output).unwrap();
    assert_eq!(again.vectors[..], model.vectors[..]);
    assert_ne!(again.record.fingerprint, Model::open(&path).unwrap().record.fingerprint);
    assert!(model.save(&output, false).is_err_and(|error| error.is_refusal()), "it is there");
    model.save(&output, true).unwrap();
}
