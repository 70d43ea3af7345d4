//! Which dimensions do levels without? (§5.4, appendices B and C.)

use std::collections::BTreeMap;

use covec_report::{Bar, Bars, Chart, Lines, Series};
use serde_json::Value;

use super::clustering::common;
use super::desk::Desk;
use super::interval::spread;
use super::made::Made;
use super::methods::{Method, Text, sizes};
use super::page::Section;
use super::politics::reddit;
use super::shelf::Shelf;
use crate::numbers::mean;

/// How a model is trained.
#[derive(Debug, Clone, Copy)]
enum Way {
    Defaults,
    /// Random unit vectors, nothing that draws weights or turns axes, and only pairs that met.
    Paper,
}

impl Way {
    /// The flags of the paper's way.
    const PAPER: [&str; 8] =
        ["--chance", "0", "--start", "unit", "--axes", "0", "--ridge-weights", "0"];

    fn name(self) -> &'static str {
        match self {
            Self::Defaults => "defaults",
            Self::Paper => "as in the paper",
        }
    }

    fn model(self, desk: &Desk, text: &Text, seed: u64) -> Made {
        match self {
            Self::Defaults => Method::Cover.model(desk, text, seed),
            Self::Paper => {
                let (name, seed) = (text.model("as-in-the-paper", seed), seed.to_string());
                let flags = [&Self::PAPER[..], &["--deviations", "off", "--seed", &seed]].concat();
                Made::by(name, "train", &text.tensor, &[&sizes(desk)[..], &flags].concat())
            }
        }
    }
}

pub fn section(desk: &mut Desk) -> Result<Section, String> {
    let mut section = Section::new("Weights that are exactly 0 (§5.4, appendices B and C)");
    let shelf = Shelf::open(desk, "twin29L")?;
    let books = common(&shelf);
    let reddit = reddit();
    let mut rows = Vec::new();
    for (name, text) in [("twin29L, a book", &books), ("reddit, a community", &reddit)] {
        for way in [Way::Paper, Way::Defaults] {
            rows.extend(zeros(desk, &mut section, name, text, way)?);
        }
    }
    let head = [
        "level",
        "trained",
        "seeds",
        "zeros of 100: mean over levels and seeds",
        "sd of the mean over seeds",
        "most in a level",
        "control: zeros of the parts",
    ];
    let about = format!(
        "As in the paper: pairs that met alone, weights that start at random unit vectors and are drawn to nothing, no turns of the axes \
         (`{}`). The control trains on one level subsampled three times, which should do without nothing.",
        Way::PAPER.join(" ")
    );
    section.table("Zeros a level", &about, &head, &rows);
    overlaps(desk, &mut section, &shelf, &books)?;
    let model = Way::Paper.model(desk, &books, 1);
    let svg = desk.draw(&model, "sparsity", &["--show", "histogram"], "weights-twin29L")?;
    section.picture(
        "weights-twin29L",
        "Histogram of the weights of the 29 books, trained as in the paper",
        svg,
    );
    solvers(desk, &mut section, &books)?;
    if !desk.quick {
        section.write(
            "Zeros come with the paper's way of training, by whichever solver, where weights start near 0 and are never taken up; that way also predicts \
             worse. By the defaults levels are drawn to the base, and no weight is 0 that the text does not make so.",
        );
    }
    Ok(section.close(desk))
}

/// The zeros of all levels of a model.
fn of_levels(rows: &Value, of: &str) -> Vec<(String, f64)> {
    let rows = rows.as_array().into_iter().flatten();
    rows.filter(|row| row["of"].as_str() == Some(of))
        .filter_map(|row| Some((row["level"].as_str()?.to_owned(), row["zeros"].as_f64()?)))
        .collect()
}

fn zeros(
    desk: &mut Desk,
    section: &mut Section,
    name: &str,
    text: &Text,
    way: Way,
) -> Result<Option<Vec<String>>, String> {
    let mut by_seed: Vec<Vec<(String, f64)>> = Vec::new();
    for seed in 1..=desk.seeds {
        let model = way.model(desk, text, seed);
        let rows = desk.ask(&model, "sparsity", &["--show", "levels", "-n", "1000"])?;
        by_seed.extend(rows.map(|rows| of_levels(&rows, "model")));
    }
    let Some(first) = by_seed.first() else { return Ok(None) };
    let means: Vec<f64> = by_seed
        .iter()
        .map(|levels| mean(&levels.iter().map(|(_, zeros)| *zeros).collect::<Vec<_>>()))
        .collect();
    let most = by_seed.iter().flatten().map(|(_, zeros)| *zeros).fold(0.0, f64::max);
    let model = way.model(desk, text, 1);
    let flags = ["--show", "levels", "-n", "1000", "--control", &text.tensor.name];
    let control = desk.ask(&model, "sparsity", &flags)?.map(|rows| of_levels(&rows, "control"));
    let control = control.map_or("–".to_owned(), |parts| {
        parts.iter().map(|(_, zeros)| format!("{zeros:.0}")).collect::<Vec<_>>().join(", ")
    });
    if let Way::Paper = way {
        draw(section, name.split(',').next().unwrap_or(name), first, &by_seed)?;
    }
    Ok(Some(vec![
        name.to_owned(),
        way.name().to_owned(),
        by_seed.len().to_string(),
        format!("{:.2}", mean(&means)),
        spread(&means, 2).split_once(" ± ").map_or("–", |(_, sd)| sd).to_owned(),
        format!("{most:.0}"),
        control,
    ]))
}

/// The zeros of every level, over the seeds.
fn draw(
    section: &mut Section,
    set: &str,
    first: &[(String, f64)],
    by_seed: &[Vec<(String, f64)>],
) -> Result<(), String> {
    let bars = first.iter().map(|(level, _)| {
        let own: Vec<f64> = by_seed
            .iter()
            .flatten()
            .filter(|(other, _)| other == level)
            .map(|(_, zeros)| *zeros)
            .collect();
        let interval =
            own.iter().copied().reduce(f64::min).zip(own.iter().copied().reduce(f64::max));
        Bar {
            label: level.split_once('=').map_or(level.as_str(), |(_, level)| level).to_owned(),
            value: mean(&own),
            interval: interval.map(|(low, high)| covec_report::Interval { low, high }),
            ..Bar::default()
        }
    });
    let chart = Chart::new(
        format!("Dimensions that levels do without: {set}"),
        Bars { bars: bars.collect(), ..Bars::default() },
    )
    .map_err(|e| e.to_string())?
    .with_subtitle(format!(
        "Weights that are exactly 0, trained as in the paper: mean, least and most over {} seeds",
        by_seed.len()
    ))
    .with_x_label("zeros");
    section.chart(&format!("zeros-{set}"), &format!("Zeros of every level, {set}"), &chart);
    Ok(())
}

/// Whether books of one author do without the same.
fn overlaps(
    desk: &mut Desk,
    section: &mut Section,
    shelf: &Shelf,
    text: &Text,
) -> Result<(), String> {
    let model = Way::Paper.model(desk, text, 1);
    let Some(rows) = desk.ask(&model, "sparsity", &["--show", "overlap", "-n", "100000"])? else {
        return Ok(());
    };
    let mut kinds: BTreeMap<&str, Vec<[f64; 2]>> = BTreeMap::new();
    for row in rows.as_array().into_iter().flatten() {
        let book = |column: &str| row[column].as_str().and_then(|level| shelf.book(level));
        let (Some(a), Some(b)) = (book("a"), book("b")) else { continue };
        let kind = match (a.author == b.author, a.series.is_some() && a.series == b.series) {
            (_, true) => "1 of one series",
            (true, _) => "2 of one author, not of one series",
            _ => "3 of two authors",
        };
        let [both, jaccard] =
            [row["both"].as_f64(), row["jaccard"].as_f64()].map(|x| x.unwrap_or(f64::NAN));
        kinds.entry(kind).or_default().push([both, jaccard]);
    }
    let rows: Vec<Vec<String>> = kinds
        .iter()
        .map(|(kind, pairs)| {
            let column = |at: usize| {
                pairs.iter().map(|pair| pair[at]).filter(|x| x.is_finite()).collect::<Vec<_>>()
            };
            let [both, jaccard] = [column(0), column(1)];
            let jaccard = if jaccard.is_empty() {
                "–".to_owned()
            } else {
                format!("{:.3} ({} pairs)", mean(&jaccard), jaccard.len())
            };
            vec![
                kind[2..].to_owned(),
                pairs.len().to_string(),
                format!("{:.2}", mean(&both)),
                jaccard,
            ]
        })
        .collect();
    let head = ["two books", "pairs", "zeros in common, mean", "of those that one of them has"];
    section.table("Zeros in common", "`twin29L`, seed 1, trained as in the paper.", &head, &rows);
    Ok(())
}

/// How zeros come about, by solver, start and ridge on the weights.
fn solvers(desk: &mut Desk, section: &mut Section, text: &Text) -> Result<(), String> {
    let mut lines: BTreeMap<String, Vec<f64>> = BTreeMap::new();
    let mut rows = Vec::new();
    for (solver, start, ridge) in settings() {
        let name = format!("{solver}, {start}, {ridge}");
        let model = solved(desk, text, solver, start, ridge);
        let Some(sweeps) = desk.ask(&model, "sparsity", &["--show", "sweeps", "-n", "1000000"])?
        else {
            continue;
        };
        let mut by_sweep: BTreeMap<u64, Vec<f64>> = BTreeMap::new();
        for row in sweeps.as_array().into_iter().flatten() {
            let (Some(sweep), Some(zeros)) = (row["sweep"].as_u64(), row["zeros"].as_f64()) else {
                continue;
            };
            by_sweep.entry(sweep).or_default().push(zeros);
        }
        let line: Vec<f64> = by_sweep.values().map(|zeros| mean(zeros)).collect();
        let levels = desk.ask(&model, "sparsity", &["--show", "levels", "-n", "1000"])?;
        let levels = levels.map(|rows| of_levels(&rows, "model")).unwrap_or_default();
        let ends: Vec<f64> = levels.iter().map(|(_, zeros)| *zeros).collect();
        let info = desk.ask(&model, "info", &["--show", "sweeps"])?;
        let last = info.as_ref().and_then(Value::as_array).and_then(|rows| rows.last());
        let held_out = last.and_then(|row| row["held-out loss"].as_f64());
        let figure = |x: f64| if ends.is_empty() { "–".to_owned() } else { format!("{x:.1}") };
        rows.push(vec![
            solver.to_owned(),
            start.to_owned(),
            ridge.to_owned(),
            line.len().to_string(),
            figure(mean(&ends)),
            format!(
                "{} to {}",
                figure(ends.iter().copied().fold(f64::INFINITY, f64::min)),
                figure(ends.iter().copied().fold(0.0, f64::max))
            ),
            held_out.map_or("–".to_owned(), |x| format!("{x:.4}")),
        ]);
        lines.insert(name, line);
    }
    if rows.is_empty() {
        return Ok(());
    }
    let head = [
        "solver",
        "start",
        "ridge-weights",
        "sweeps",
        "zeros of 100 a level at the end",
        "from … to",
        "held-out loss",
    ];
    let about = "`twin29L`, common words, seed 1, `--deviations off`. The paper starts at random unit vectors, draws weights to nothing and steps by Adam; GloVe by AdaGrad.";
    section.table("By solver and start", about, &head, &rows);
    let longest = lines.values().map(Vec::len).max().unwrap_or(0);
    let series = lines.into_iter().map(|(name, line)| {
        let mut values: Vec<_> = line.into_iter().map(|zeros| Some(zeros.into())).collect();
        values.resize(longest, None);
        Series { name, values }
    });
    let categories = (1..=longest).map(|sweep| sweep.to_string()).collect();
    let lines = Lines { categories, series: series.collect(), markers: Vec::new() };
    let chart = Chart::new("How zeros come about", lines)
        .map_err(|e| e.to_string())?
        .with_subtitle("Weights that are exactly 0, mean over the books, after each sweep; by solver, start of the weights, and --ridge-weights")
        .with_x_label("sweep")
        .with_y_label("zeros of 100");
    section.chart("zeros-by-sweep", "Zeros after each sweep, by solver and start", &chart);
    Ok(())
}

fn settings() -> Vec<(&'static str, &'static str, &'static str)> {
    let mut all = vec![("blocks", "ones", "40"), ("blocks", "ones", "0")];
    for solver in ["adam", "adagrad"] {
        for start in ["unit", "ones"] {
            all.extend(["0", "40"].map(|ridge| (solver, start, ridge)));
        }
    }
    all
}

fn solved(desk: &Desk, text: &Text, solver: &str, start: &str, ridge: &str) -> Made {
    let name = text.model(&format!("{solver}-{start}-{ridge}"), 1);
    let size = sizes(desk);
    let flags =
        ["--solver", solver, "--start", start, "--ridge-weights", ridge, "--deviations", "off"];
    Made::by(name, "train", &text.tensor, &[&flags[..], &size].concat())
}
