//! Are words found that are really used differently? Pairs of words of like frequency stand in each other's place in one
//! level of real text, and scores are asked to tell them from words of the same frequency range there.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use covec::analyse::drift::DriftParameters;
use covec::analyse::{SupportParameters, View, moved};
use covec::corpus::CorpusParameters;
use covec::synth::auc;
use covec::synth::plant::{PlantParameters, plant};
use serde_json::{Value, json};

use crate::corpora::{lines, world, write};
use crate::fitted::Fitted;
use crate::lab::Lab;
use crate::numbers::{error, mean};
use crate::procrustes;
use crate::table::{percent, section};

const STRENGTHS: [f64; 4] = [0.25, 0.5, 0.75, 1.0];
const SCORES: [&str; 5] =
    ["shift score", "own drift, plain", "topical drift, plain", "neighbours lost", "Procrustes"];

pub fn study(lab: &mut Lab) -> Result<String, String> {
    // What the score is was chosen on other slices and seeds.
    let (slices, seeds, strengths): (&[&str], _, &[f64]) = match (lab.quick, &lab.real) {
        (true, _) => (&["group-2"], 11..12_u64, &[0.25, 1.0]),
        (false, None) => (&["group-1", "group-2"], 11..13, &STRENGTHS),
        (false, Some(_)) => (&["R-115", "D-116", "R-117"], 11..13, &STRENGTHS),
    };
    let mut tasks = Vec::new();
    for seed in seeds {
        for slice in slices {
            tasks.extend(strengths.iter().map(|&strength| (*slice, seed, strength)));
        }
    }
    let names: Vec<String> =
        tasks.iter().map(|(slice, seed, p)| format!("{slice} seed {seed} p {p}")).collect();
    let results = lab.each("power", &names, |lab, number, home| one(lab, tasks[number], home))?;
    let of = |strength: f64, path: [&str; 2]| -> Vec<f64> {
        let end = format!("p {strength}");
        let own = results.iter().filter(|(name, _)| name.ends_with(&end));
        own.filter_map(|(_, value)| value[path[0]][path[1]].as_f64()).collect()
    };
    let head: Vec<String> = std::iter::once("AUC".to_owned())
        .chain(strengths.iter().map(|p| {
            format!("swapped with p = {p} ({} corpora)", of(*p, ["auc", SCORES[0]]).len())
        }))
        .collect();
    let head: Vec<&str> = head.iter().map(String::as_str).collect();
    let cell = |numbers: &[f64]| match numbers {
        [] => "–".to_owned(),
        [one] => format!("{one:.3}"),
        many => format!("{:.3} ± {:.3}", mean(many), error(many)),
    };
    let line = |name: &str| {
        let cells = strengths.iter().map(|&p| cell(&of(p, ["auc", name])));
        std::iter::once(name.to_owned()).chain(cells).collect::<Vec<_>>()
    };
    let rows: Vec<Vec<String>> = SCORES.iter().map(|name| line(name)).collect();
    let about = format!("{}; mean ± standard error over corpora.", lab.text());
    let mut text = section(
        "Power: planted words against words of their frequency range",
        &about,
        &head,
        &rows,
    );
    let shares = |label: &str, path: [&str; 2]| {
        let cells = strengths.iter().map(|&p| percent(mean(&of(p, path))));
        std::iter::once(label.to_owned()).chain(cells).collect::<Vec<_>>()
    };
    let mut rows = vec![
        shares("shift test, planted words found at q ≤ 0.1", ["test", "found"]),
        shares("shift test, other words of that range at q ≤ 0.1", ["test", "others"]),
    ];
    rows.extend(SCORES.iter().map(|name| {
        shares(&format!("{name}: planted words among as many first"), ["first", name])
    }));
    text += &section("Power: how many are found", "", &head, &rows);
    Ok(text)
}

fn one(lab: &Lab, (slice, seed, strength): (&str, u64, f64), home: &Path) -> Result<Value, String> {
    let fail = |e: covec::Error| e.to_string();
    let (corpus, by, least) = source(lab, home)?;
    let mut fields = CorpusParameters::default();
    fields.set("by", by).map_err(|e| e.to_string())?;
    let mut parameters =
        PlantParameters { probability: strength, least, ..PlantParameters::default() };
    parameters.set("seed", &seed.to_string()).map_err(|e| e.to_string())?;
    if lab.quick {
        parameters.pairs = 10;
    }
    let level = format!("{by}={slice}");
    let planted = home.join("planted.jsonl");
    let truth = plant(
        &[corpus],
        &fields,
        &level,
        &parameters,
        &planted,
        &home.join("planted.json"),
        &lab.work,
    )
    .map_err(fail)?
    .truth;
    let planted_words: BTreeSet<&str> =
        truth.pairs.iter().flat_map(|pair| [pair.first.word.as_str(), &pair.second.word]).collect();
    let dim = lab.quick.then_some(10);
    let fitted = Fitted::new(&planted, Some(by), dim, home, &lab.work)?;
    let model = &fitted.model;
    let resamples = fitted.permuted(10, &lab.work)?;
    let view = View::named(model, &level).map_err(fail)?;
    let mut scores: BTreeMap<&str, BTreeMap<String, f64>> = BTreeMap::new();
    let shifted = resamples.shifted(model, &view.levels).map_err(fail)?.unwrap_or_default();
    let name = |word: usize| model.vocabulary.words[word].clone();
    scores.insert(SCORES[0], shifted.iter().map(|row| (name(row.word), row.score)).collect());
    let support = SupportParameters::default();
    let rows =
        moved::words(model, &View::base(), &view, &DriftParameters::default(), &support, &lab.work)
            .map_err(fail)?
            .rows;
    let column = |value: fn(&moved::Moved) -> f64| {
        rows.iter().map(|row| (row.word.clone(), value(row))).collect()
    };
    scores.insert(SCORES[1], column(|row| row.own));
    scores.insert(SCORES[2], column(|row| row.topical));
    scores.insert(SCORES[3], column(|row| -row.overlap));
    scores.insert(SCORES[4], slices(lab, &planted, by, slice, dim, home)?.into_iter().collect());
    // Words of the planted ones' range that every score knows.
    let counts = &model.vocabulary.level_counts[view.levels[0]];
    let known = |word: &str| scores.values().all(|own| own.contains_key(word));
    let count = |word: &str| model.word(word).map_or(0, |word| counts[word]);
    let planted: Vec<&str> = planted_words.iter().copied().filter(|word| known(word)).collect();
    let range = planted.iter().map(|word| count(word)).min().unwrap_or(0)
        ..=planted.iter().map(|word| count(word)).max().unwrap_or(0);
    let others: Vec<&str> = model
        .vocabulary
        .words
        .iter()
        .map(String::as_str)
        .filter(|word| !planted_words.contains(word) && range.contains(&count(word)) && known(word))
        .collect();
    let mut result =
        json!({"planted": planted.len(), "others": others.len(), "auc": {}, "first": {}});
    for (score, own) in &scores {
        let of = |words: &[&str]| words.iter().map(|&word| own[word]).collect::<Vec<f64>>();
        let (ours, theirs) = (of(&planted), of(&others));
        result["auc"][score] = json!(auc(&ours, &theirs));
        let mut all: Vec<(f64, bool)> =
            ours.iter().map(|&x| (x, true)).chain(theirs.iter().map(|&x| (x, false))).collect();
        all.sort_by(|a, b| b.0.total_cmp(&a.0));
        let first = all[..planted.len()].iter().filter(|(_, planted)| *planted).count();
        result["first"][score] = json!(first as f64 / planted.len() as f64);
    }
    let discovered: BTreeSet<String> =
        shifted.iter().filter(|row| row.q <= 0.1).map(|row| name(row.word)).collect();
    let share = |words: &[&str]| {
        words.iter().filter(|word| discovered.contains(**word)).count() as f64
            / words.len().max(1) as f64
    };
    result["test"] = json!({"found": share(&planted), "others": share(&others)});
    Ok(result)
}

/// The text that words are planted in, its covariate, and how often words must occur.
fn source(lab: &Lab, home: &Path) -> Result<(PathBuf, &'static str, u64), String> {
    if let Some(real) = lab.real.as_ref().filter(|_| !lab.quick) {
        return Ok((real.clone(), "community", PlantParameters::default().least));
    }
    let size = if lab.quick {
        [("words", "600"), ("tokens", "200000")]
    } else {
        [("words", "3000"), ("tokens", "2000000")]
    };
    let text = world(
        &[size[0], size[1], ("levels", "3"), ("dim", "10"), ("differing", "0")],
        7,
        home,
        &lab.work,
    )?;
    Ok((text, "group", 50))
}

/// The slice and the rest, each with a space of its own.
fn slices(
    lab: &Lab,
    corpus: &Path,
    by: &str,
    slice: &str,
    dim: Option<u32>,
    home: &Path,
) -> Result<Vec<(String, f64)>, String> {
    let mark = format!("\"{by}\":\"{slice}\"");
    let (inside, outside): (Vec<String>, Vec<String>) = lines(corpus)?
        .into_iter()
        .partition(|line| line.replace("\": \"", "\":\"").contains(&mark));
    let mut models = Vec::new();
    for (name, lines) in [("inside", inside), ("outside", outside)] {
        let folder = home.join(name);
        std::fs::create_dir(&folder).map_err(|e| e.to_string())?;
        let corpus = folder.join("slice.jsonl");
        write(&corpus, &lines)?;
        models.push(Fitted::new(&corpus, None, dim, &folder, &lab.work)?.model);
    }
    procrustes::distances(&models[0], &models[1])
}
