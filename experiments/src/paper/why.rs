//! Why a method is ahead on the test sets: the same text with one thing changed at a time.

use super::desk::Desk;
use super::efficiency::large;
use super::made::Made;
use super::methods::{Method, sizes};
use super::page::Section;
use super::scores::{Scores, TESTS};
use super::shelf::{BY, Shelf};
use crate::numbers::mean;

pub fn table(desk: &mut Desk, section: &mut Section, shelf: &Shelf) -> Result<(), String> {
    let mut rows = Vec::new();
    for (name, model) in models(desk, shelf) {
        let mut scores = Scores::default();
        scores.add_base(desk, &model)?;
        if scores.seeds == 0 {
            continue;
        }
        let numbers: Vec<f64> = TESTS.iter().flat_map(|test| scores.numbers(test)).collect();
        let cells = numbers.iter().map(|score| format!("{score:.3}"));
        let overall = format!("{:.3}", mean(&numbers));
        rows.push([name.to_owned()].into_iter().chain(cells).chain([overall]).collect());
    }
    let head: Vec<&str> = std::iter::once("method")
        .chain(TESTS.iter().map(|test| test.name))
        .chain(["mean of the seven"])
        .collect();
    let about = "The base vectors of all books, all items of the large vocabulary, seed 1. Of pairs that never met GloVe and the paper's CoVeR know nothing; \
                 S-EFE draws words that did not, PPMI counts them as no association, and covec draws them to what chance makes of them (`--chance`).";
    section.table("Why: one thing changed at a time", about, &head, &rows);
    Ok(())
}

fn models(desk: &Desk, shelf: &Shelf) -> Vec<(&'static str, Made)> {
    let text = large(shelf);
    let size = sizes(desk);
    let cover = |name: &str, flags: &[&str]| {
        let flags = [&size[..], &["--deviations", "off"], flags].concat();
        Made::by(text.model(name, 1), "train", &text.tensor, &flags)
    };
    let drop = if desk.quick { "10" } else { "100" };
    let flags = ["--by", BY, "--drop-top", drop, "--gaps", "close"];
    let dropped = Made::by(format!("{}/large-dropped", shelf.set), "count", &text.corpus, &flags);
    let few: &[&str] = if desk.quick { &["--dim", "8", "--epochs", "1"] } else { &[] };
    let all = Made::by(
        text.model("s-efe-all", 1),
        "baseline s-efe",
        &text.corpus,
        &[&["--frequent", "0"], few].concat(),
    );
    let ppmi: &[&str] = if desk.quick { &["--pooled", "--dim", "8"] } else { &["--pooled"] };
    vec![
        ("CoVeR", Method::Cover.model(desk, &text, 1)),
        (
            "CoVeR, pairs that met alone, as in the paper (`--chance 0`)",
            cover("chance-0", &["--chance", "0"]),
        ),
        (
            "CoVeR, all pairs weighed alike from a count of 1 (`--x-max 1`)",
            cover("x-max-1", &["--x-max", "1"]),
        ),
        (
            "CoVeR, 200 dimensions",
            cover("dim-200", if desk.quick { &[] } else { &["--dim", "200"] }),
        ),
        (
            "CoVeR, without the 100 most common words",
            Made::by(
                text.model("dropped", 1),
                "train",
                &dropped,
                &[&size[..], &["--deviations", "off"]].concat(),
            ),
        ),
        ("pooled", Method::Pooled.model(desk, &text, 1)),
        ("pooled, ridge 0.02", Method::PooledTuned.model(desk, &text, 1)),
        (
            "pooled, pairs that never met too (`--chance 2`)",
            Made::by(
                text.model("pooled-chance", 1),
                "baseline pooled",
                &text.tensor,
                &[&size[..], &["--chance", "2"]].concat(),
            ),
        ),
        (
            "PPMI, factorised, pooled",
            Made::by(text.model("ppmi", 1), "baseline ppmi-svd", &text.tensor, ppmi),
        ),
        ("S-EFE", Method::SEfe.model(desk, &text, 1)),
        ("S-EFE, common words not passed over", all.with("--tensor", &text.tensor)),
    ]
}
