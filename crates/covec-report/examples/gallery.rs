//! Every kind of chart with made-up data that are hard to draw, in a folder:
//! `cargo run --release -p covec-report --example gallery -- FOLDER`.

use std::error::Error;
use std::path::PathBuf;

use covec_report::{
    Bar, Bars, Chart, Counts, Dendrogram, Estimate, Heatmap, Histogram, Interval, Leaf, Lines,
    Marker, Merge, Page, Point, Scatter, Series, Shades,
};

const WORDS: [&str; 24] = [
    "freedom",
    "currency",
    "slavery",
    "railroad",
    "internet",
    "gold",
    "terror",
    "constitution",
    "labor",
    "atomic",
    "health",
    "commerce",
    "Indian",
    "tariff",
    "energy",
    "security",
    "navy",
    "emancipation",
    "reconstruction",
    "Kansas–Nebraska",
    "inflation",
    "veterans",
    "jobs",
    "treaty",
];

const BOOKS: [(&str, &str); 12] = [
    (
        "The Personal History, Adventures, Experience and Observation of David Copperfield",
        "Charles Dickens",
    ),
    ("Great Expectations", "Charles Dickens"),
    ("Bleak House", "Charles Dickens"),
    ("Sense and Sensibility", "Jane Austen"),
    ("Pride and Prejudice", "Jane Austen"),
    ("Emma", "Jane Austen"),
    ("The Adventures of Sherlock Holmes", "Arthur Conan Doyle"),
    ("The Hound of the Baskervilles", "Arthur Conan Doyle"),
    ("Adventures of Huckleberry Finn (Tom Sawyer’s Comrade)", "Mark Twain"),
    ("A Connecticut Yankee in King Arthur’s Court", "Mark Twain"),
    ("The Tragedy of Pudd’nhead Wilson", "Mark Twain"),
    ("Война и мир & <other> \"stories\"", "Л. Н. Толстой"),
];

/// Numbers from 0 to 1 that look random and are always the same.
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    fn normal(&mut self) -> f64 {
        (0..12).map(|_| self.next()).sum::<f64>() - 6.0
    }
}

fn scatter(points: usize, chance: &mut Chance) -> Result<Chart, Box<dyn Error>> {
    let mut all: Vec<Point> = (0..points)
        .map(|k| {
            let count = 10f64.powf(1.2 + 3.5 * chance.next().powi(2));
            let y = 0.08 + (1.6 / count.sqrt()) + 0.06 * chance.normal().abs();
            let label = match k / WORDS.len() {
                0 => WORDS[k].to_owned(),
                n => format!("{}{n}", WORDS[k % WORDS.len()]),
            };
            let group =
                ["Democratic", "Republican", "both parties"][(chance.next() * 2.99) as usize];
            Point { label, x: count, y, interval: None, group: Some(group.to_owned()) }
        })
        .collect();
    all.sort_by(|a, b| b.y.total_cmp(&a.y));
    let markers = vec![Marker { value: 0.28, label: "99 % of shuffled corpora lie below".into() }];
    let scatter = Scatter { points: all, log_x: true, markers, ..Scatter::default() };
    Ok(Chart::new("How far words moved between the eras, and how often they occur", scatter)?
        .with_subtitle("Own drift (1 − cosine) of every word with at least 15 occurrences, against its count in the era where it is rarest; names for those that moved most")
        .with_x_label("occurrences in the rarest era")
        .with_y_label("own drift"))
}

fn few_points() -> Result<Chart, Box<dyn Error>> {
    let points = BOOKS
        .iter()
        .enumerate()
        .map(|(k, (book, author))| {
            let (x, y) = ((k as f64 * 0.7).sin(), (k as f64 * 1.3).cos() * 0.8);
            let interval = Some(Interval { low: y - 0.15, high: y + 0.1 });
            Point { label: (*book).into(), x, y, interval, group: Some((*author).into()) }
        })
        .collect();
    let scatter = Scatter { points, ..Scatter::default() };
    Ok(Chart::new("Books by their weights", scatter)?
        .with_subtitle("The first two principal axes of the centred weights")
        .with_x_label("first axis")
        .with_y_label("second axis"))
}

fn lines(series: usize, chance: &mut Chance) -> Result<Chart, Box<dyn Error>> {
    let categories: Vec<String> = (1790..2030).step_by(10).map(|y| format!("{y}s")).collect();
    let series = WORDS[..series]
        .iter()
        .map(|word| {
            let mut value = chance.next();
            let values = (0..categories.len())
                .map(|k| {
                    value = (value + 0.08 * chance.normal()).clamp(-0.3, 1.0);
                    let gap = chance.next() < 0.08 || (k > 18 && word.starts_with('s'));
                    let reach = 0.05 + 0.05 * chance.next();
                    let interval = Some(Interval { low: value - reach, high: value + reach });
                    (!gap).then_some(Estimate { value, interval })
                })
                .collect();
            Series { name: (*word).into(), values }
        })
        .collect();
    let markers = vec![Marker { value: 0.0, label: "no association".into() }];
    Ok(Chart::new(
        "Similarity to “freedom”, decade by decade",
        Lines { categories, series, markers },
    )?
    .with_subtitle(
        "Cosine with 90 % bootstrap intervals; gaps where the word occurs fewer than 15 times",
    )
    .with_x_label("decade")
    .with_y_label("cosine"))
}

fn eras() -> Result<Chart, Box<dyn Error>> {
    let categories = [
        "Founding and early republic",
        "Antebellum",
        "Reconstruction to the World Wars",
        "Cold War",
        "After 1991",
    ];
    let series = [
        ("religious liberty", [0.6, 0.5, 0.3, 0.2, 0.25]),
        ("free markets", [0.1, 0.2, 0.4, 0.55, 0.6]),
    ]
    .into_iter()
    .map(|(name, values)| Series {
        name: name.into(),
        values: values.map(|v| Some(v.into())).into(),
    })
    .collect();
    let lines =
        Lines { categories: categories.map(Into::into).into(), series, markers: Vec::new() };
    Ok(Chart::new("Two senses of freedom", lines)?.with_y_label("cosine"))
}

fn bars() -> Result<Chart, Box<dyn Error>> {
    let bars = BOOKS
        .iter()
        .enumerate()
        .map(|(k, (book, author))| {
            let value = 1.2 - 0.2 * k as f64;
            Bar {
                label: (*book).into(),
                value,
                interval: Some(Interval { low: value - 0.25, high: value + 0.2 }),
                second: Some(value * 0.6 + 0.1),
                group: Some((*author).into()),
            }
        })
        .collect();
    let bars = Bars { bars, second_name: "frequency baseline".into(), ..Bars::default() };
    Ok(Chart::new("How strongly each book differs from the others", bars)?
        .with_subtitle(
            "Mean log ratio with a 95 % interval; diamonds show what frequency alone predicts",
        )
        .with_x_label("mean log ratio"))
}

fn neighbours() -> Result<Chart, Box<dyn Error>> {
    let bars = WORDS
        .iter()
        .enumerate()
        .map(|(k, word)| Bar {
            label: (*word).into(),
            value: 0.8 - 0.02 * k as f64,
            ..Bar::default()
        })
        .collect();
    Ok(Chart::new("freedom, 1790–1829", Bars { bars, ..Bars::default() })?.with_x_label("cosine"))
}

fn histogram(groups: usize, chance: &mut Chance) -> Result<Chart, Box<dyn Error>> {
    let values: Vec<Vec<f64>> = (0..groups)
        .map(|g| {
            (0..2000).map(|_| chance.normal() * (0.5 + 0.3 * g as f64) + g as f64 * 1.5).collect()
        })
        .collect();
    let names = ["shuffled labels", "real labels", "within authors"];
    let named: Vec<(&str, &[f64])> =
        names.iter().zip(&values).map(|(n, v)| (*n, v.as_slice())).collect();
    let mut histogram = Histogram::of(&named, 40)?;
    histogram.markers = vec![
        Marker { value: 2.31, label: "observed".into() },
        Marker { value: 1.9, label: "95 % of shuffles".into() },
        Marker { value: 4.1, label: "a value with quite a long explanation".into() },
    ];
    Ok(Chart::new("Is the difference larger than chance?", histogram)?
        .with_subtitle("Distance between the parties over 2,000 shuffles of the labels")
        .with_x_label("distance")
        .with_y_label("shuffles"))
}

fn heatmap(diverging: bool, columns: usize, chance: &mut Chance) -> Result<Chart, Box<dyn Error>> {
    let rows: Vec<String> = BOOKS.iter().map(|(book, _)| (*book).into()).collect();
    let columns: Vec<String> = (0..columns)
        .map(|k| WORDS.get(k).map_or_else(|| format!("topic {k}"), |w| (*w).into()))
        .collect();
    let values = (0..rows.len() * columns.len())
        .map(|_| match chance.next() {
            p if p < 0.06 => Some(0.0),
            p if p < 0.1 => None,
            _ => Some(chance.next() * 2.4),
        })
        .collect();
    let shades = if diverging { Shades::Diverging { centre: 1.0 } } else { Shades::Sequential };
    let heatmap =
        Heatmap { rows, columns, values, shades, value_name: "weight (1 = average)".into() };
    Ok(Chart::new("Weights of topics in books", heatmap)?
        .with_subtitle("Squared weights; topics in order of how much they explain")
        .with_x_label("topic")
        .with_y_label("book"))
}

fn dendrogram(leaves: usize, chance: &mut Chance) -> Result<Chart, Box<dyn Error>> {
    let mut open: Vec<usize> = (0..leaves).collect();
    let mut merges = Vec::new();
    let mut height = 0.1;
    while open.len() > 1 {
        let k = (chance.next() * (open.len() - 1) as f64) as usize;
        let (a, b) = (open.remove(k), open.remove(k));
        height += 0.3 * chance.next();
        open.insert(k, leaves + merges.len());
        merges.push(Merge { a, b, height });
    }
    let leaves = (0..leaves)
        .map(|k| {
            let (book, author) = BOOKS[k * BOOKS.len() / leaves];
            let label = if leaves > BOOKS.len() { format!("{book} {k}") } else { book.to_owned() };
            Leaf { label, group: Some(author.into()) }
        })
        .collect();
    Ok(Chart::new("Books that weigh topics alike", Dendrogram { leaves, merges })?
        .with_subtitle("Average linkage over the cosine of centred weights; branches in colour hold one author only")
        .with_x_label("distance"))
}

fn corner_cases() -> Result<Vec<(&'static str, Chart)>, Box<dyn Error>> {
    let point = |y| Point { label: "alone".into(), x: 3.0, y, ..Point::default() };
    let bar = |value| Bar { label: "equal".into(), value, ..Bar::default() };
    let one = Scatter { points: vec![point(0.5)], ..Scatter::default() };
    let equal = Scatter { points: vec![point(0.0); 30], log_x: true, ..Scatter::default() };
    let zero_bars = Bars { bars: vec![bar(0.0); 3], ..Bars::default() };
    let negative = Bars { bars: vec![bar(-2.0), bar(-2.0)], ..Bars::default() };
    let series = vec![Series { name: "one value".into(), values: vec![Some(2.0.into())] }];
    let single = Lines { categories: vec!["1990s".into()], series, markers: Vec::new() };
    let equal_values = Histogram::of(&[("", &[4.0; 9])], 20)?;
    let leaf = Dendrogram {
        leaves: vec![Leaf { label: "a single leaf".into(), group: None }],
        merges: Vec::new(),
    };
    let cell = Heatmap {
        rows: vec!["r".into()],
        columns: vec!["c".into()],
        values: vec![Some(1.0)],
        ..Heatmap::default()
    };
    let flat = Histogram {
        edges: vec![0.0, 1.0, 2.0],
        groups: vec![Counts { name: String::new(), counts: vec![0.0, 0.0] }],
        markers: Vec::new(),
    };
    let long = "A title that is much too long for one line because somebody put the whole research question into it, and then a little more besides";
    Ok(vec![
        ("one-point", Chart::new("One point", one)?.with_x_label("x").with_y_label("y")),
        ("equal-points", Chart::new("Equal points", equal)?),
        ("zero-bars", Chart::new("Bars of no length", zero_bars)?.with_x_label("value")),
        (
            "negative-bars",
            Chart::new("Negative bars", negative)?.with_x_label("value").with_y_label("rows"),
        ),
        ("one-value", Chart::new("One value", single)?),
        ("equal-values", Chart::new("Equal values", equal_values)?),
        ("no-counts", Chart::new("No counts", flat)?),
        ("one-leaf", Chart::new("One leaf", leaf)?),
        ("one-cell", Chart::new("One cell", cell)?),
        (
            "empty",
            Chart::new(long, Scatter::default())?.with_subtitle(format!("{long}. {long}. {long}")),
        ),
    ])
}

fn main() -> Result<(), Box<dyn Error>> {
    let folder = PathBuf::from(std::env::args().nth(1).ok_or("expected the name of a folder")?);
    std::fs::create_dir_all(&folder)?;
    let chance = &mut Chance(7);
    let mut charts = vec![
        ("scatter-6000", scatter(6000, chance)?),
        ("scatter-300", scatter(300, chance)?),
        ("scatter-few", few_points()?),
        ("lines", lines(3, chance)?),
        ("lines-many", lines(20, chance)?),
        ("lines-eras", eras()?),
        ("bars", bars()?),
        ("bars-plain", neighbours()?),
        ("histogram", histogram(1, chance)?),
        ("histogram-groups", histogram(3, chance)?),
        ("heatmap", heatmap(true, 10, chance)?),
        ("heatmap-wide", heatmap(false, 60, chance)?),
        ("dendrogram", dendrogram(12, chance)?),
        ("dendrogram-100", dendrogram(100, chance)?),
    ];
    charts.extend(corner_cases()?);
    let mut page = Page::new("Gallery");
    page.heading("Gallery").paragraph("Every kind of chart, with data that are hard to draw.");
    for (name, chart) in &charts {
        chart.save(&folder.join(format!("{name}.svg")))?;
        chart.save(&folder.join(format!("{name}.png")))?;
        page.chart(chart);
    }
    charts[0].1.save(&folder.join("scatter-6000.html"))?;
    std::fs::write(folder.join("gallery.html"), page.html())?;
    Ok(())
}
