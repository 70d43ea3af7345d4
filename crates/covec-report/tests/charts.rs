//! What holds for every chart: same bytes, safe texts, clear refusals, files that are whole.

use std::path::Path;

use covec_report::{
    Bar, Bars, Chart, ChartError, Counts, Dendrogram, Estimate, Heatmap, Histogram, Interval, Kind,
    Leaf, Lines, Marker, Merge, Page, Point, Scatter, Series, Shades,
};

const NASTY: &str = "</script><script>alert(\"1\")</script> & 'so' on\u{0}\n";

/// One chart of every kind, with `name` in every place that takes a text.
fn charts(name: &str) -> Vec<Chart> {
    let group = Some(name.to_owned());
    let label = || name.to_owned();
    let interval = Some(Interval { low: 0.5, high: 2.5 });
    let markers = || vec![Marker { value: 1.5, label: label() }];
    let point = |x, y| Point { label: label(), x, y, interval, group: group.clone() };
    let bar = |value| Bar { label: label(), value, interval: None, second: Some(1.0), group: None };
    let leaf = || Leaf { label: label(), group: group.clone() };
    let estimate = |value| Some(Estimate { value, interval });
    let kinds: Vec<Kind> = vec![
        Scatter {
            points: vec![point(1.0, 2.0), point(10.0, 1.0)],
            log_x: true,
            markers: markers(),
            ..Scatter::default()
        }
        .into(),
        Lines {
            categories: vec![label(), label(), label()],
            series: vec![Series {
                name: label(),
                values: vec![estimate(1.0), None, estimate(2.0)],
            }],
            markers: markers(),
        }
        .into(),
        Bars {
            bars: vec![bar(2.0), bar(-1.0)],
            value_name: label(),
            second_name: label(),
            ..Bars::default()
        }
        .into(),
        Histogram {
            edges: vec![0.0, 1.0, 3.0],
            groups: vec![Counts { name: label(), counts: vec![4.0, 2.0] }],
            markers: markers(),
        }
        .into(),
        Heatmap {
            rows: vec![label()],
            columns: vec![label(), label(), label()],
            values: vec![Some(0.0), None, Some(1.5)],
            shades: Shades::Diverging { centre: 1.0 },
            value_name: label(),
        }
        .into(),
        Dendrogram {
            leaves: vec![leaf(), leaf(), leaf()],
            merges: vec![Merge { a: 0, b: 2, height: 0.5 }, Merge { a: 3, b: 1, height: 1.0 }],
        }
        .into(),
    ];
    let named = |kind| {
        let chart = Chart::new(name, kind).expect("sound data");
        chart.with_subtitle(name).with_x_label(name).with_y_label(name)
    };
    kinds.into_iter().map(named).collect()
}

#[test]
fn the_same_chart_gives_the_same_bytes() {
    for (a, b) in charts("freedom").into_iter().zip(charts("freedom")) {
        assert_eq!(a.svg(), b.svg());
        assert_eq!(a.html(), b.html());
        assert_eq!(a.png().unwrap(), b.png().unwrap());
    }
}

#[test]
fn labels_cannot_break_out_of_the_svg_or_the_page() {
    let plain = charts("freedom");
    for (chart, plain) in charts(NASTY).iter().zip(plain) {
        let svg = chart.svg();
        assert!(!svg.contains("<script") && !svg.contains('\u{0}'));
        assert!(svg.contains("&lt;/script&gt;") && svg.contains("&amp;"));
        assert!(chart.png().is_ok(), "the drawing is sound XML");
        let html = chart.html();
        assert_eq!(html.matches("<script").count(), plain.html().matches("<script").count());
        assert_eq!(html.matches("</script").count(), plain.html().matches("</script").count());
        let json = chart.plotly_json();
        assert!(!json.contains('<') && !json.contains('&'));
        let read: serde_json::Value = serde_json::from_str(&json).unwrap();
        // plotly.js reads HTML in texts: what is in them must be escaped once more.
        assert!(!read.to_string().contains("<script"));
        assert!(read.to_string().contains("&lt;script"));
    }
}

#[test]
fn numbers_that_cannot_be_placed_are_refused() {
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e200] {
        let point = |x, y| Point { label: "word".into(), x, y, ..Point::default() };
        let bar = Bar { value: bad, ..Bar::default() };
        let second = Bar { second: Some(bad), ..Bar::default() };
        let series = vec![Series { name: "s".into(), values: vec![Some(bad.into())] }];
        let leaves = vec![Leaf::default(), Leaf::default()];
        let kinds: [Kind; 8] = [
            Scatter { points: vec![point(bad, 0.0)], ..Scatter::default() }.into(),
            Scatter { points: vec![point(0.0, bad)], ..Scatter::default() }.into(),
            Lines { categories: vec!["c".into()], series, markers: Vec::new() }.into(),
            Bars { bars: vec![bar], ..Bars::default() }.into(),
            Bars { bars: vec![second], ..Bars::default() }.into(),
            Histogram { edges: vec![0.0, bad], ..Histogram::default() }.into(),
            Heatmap {
                rows: vec!["r".into()],
                columns: vec!["c".into()],
                values: vec![Some(bad)],
                ..Heatmap::default()
            }
            .into(),
            Dendrogram { leaves, merges: vec![Merge { a: 0, b: 1, height: bad }] }.into(),
        ];
        for kind in kinds {
            let error = Chart::new("t", kind).unwrap_err();
            assert!(matches!(error, ChartError::Number { .. }), "{error}");
        }
        assert!(matches!(Histogram::of(&[("", &[bad])], 5), Err(ChartError::Number { .. })));
    }
}

#[test]
fn data_that_do_not_belong_together_are_refused() {
    let low_high = Some(Interval { low: 2.0, high: 1.0 });
    let bar = Bar { interval: low_high, ..Bar::default() };
    let error = Chart::new("t", Bars { bars: vec![bar], ..Bars::default() }).unwrap_err();
    assert!(matches!(error, ChartError::Interval { .. }));

    let zero = Scatter { points: vec![Point::default()], log_x: true, ..Scatter::default() };
    assert!(matches!(Chart::new("t", zero), Err(ChartError::NotPositive { .. })));

    let series = vec![Series { name: "s".into(), values: Vec::new() }];
    let lines = Lines { categories: vec!["c".into()], series, markers: Vec::new() };
    assert!(matches!(Chart::new("t", lines), Err(ChartError::Length { expected: 1, got: 0, .. })));

    let table = Heatmap { rows: vec!["r".into()], columns: vec!["c".into()], ..Heatmap::default() };
    assert!(matches!(Chart::new("t", table), Err(ChartError::Length { .. })));

    let falling = Histogram { edges: vec![1.0, 0.0], ..Histogram::default() };
    assert!(matches!(Chart::new("t", falling), Err(ChartError::Bins(_))));
    let counts = vec![Counts { name: String::new(), counts: vec![-1.0] }];
    let below = Histogram { edges: vec![0.0, 1.0], groups: counts, markers: Vec::new() };
    assert!(matches!(Chart::new("t", below), Err(ChartError::Bins(_))));

    let many = Bars { bars: vec![Bar::default(); 1001], ..Bars::default() };
    let error = Chart::new("t", many).unwrap_err();
    assert!(matches!(error, ChartError::TooMany { got: 1001, .. }));
    assert!(error.to_string().contains("-n"));
}

#[test]
fn merges_that_make_no_tree_are_refused() {
    let refused = |merges: &[(usize, usize)]| {
        let leaves = vec![Leaf::default(); 3];
        let merges = merges.iter().map(|&(a, b)| Merge { a, b, height: 1.0 }).collect();
        Chart::new("t", Dendrogram { leaves, merges }).unwrap_err()
    };
    assert!(matches!(refused(&[(0, 1)]), ChartError::Length { expected: 2, got: 1, .. }));
    assert!(matches!(refused(&[(0, 1), (0, 2)]), ChartError::Merge { merge: 1, node: 0, .. }));
    assert!(matches!(refused(&[(0, 0), (1, 2)]), ChartError::Merge { merge: 0, node: 0, .. }));
    assert!(matches!(refused(&[(0, 3), (1, 2)]), ChartError::Merge { merge: 0, node: 3, .. }));
}

#[test]
fn no_data_are_a_picture_that_says_so() {
    let kinds: [Kind; 6] = [
        Scatter::default().into(),
        Lines::default().into(),
        Bars::default().into(),
        Histogram::default().into(),
        Heatmap::default().into(),
        Dendrogram::default().into(),
    ];
    for kind in kinds {
        let chart = Chart::new("Nothing", kind).unwrap();
        assert!(chart.svg().contains("nothing to show"));
        assert!(chart.html().contains("nothing to show"));
        assert!(chart.png().is_ok());
    }
}

/// Dark pixels in the rows of a PNG that hold the title.
fn dark_pixels(png: &[u8]) -> usize {
    let pixels = resvg::tiny_skia::Pixmap::decode_png(png).expect("a PNG");
    let title = pixels.pixels().iter().take(pixels.width() as usize * 90);
    title.filter(|p| p.red() < 90 && p.green() < 90 && p.blue() < 90).count()
}

#[test]
fn a_png_holds_its_text_without_fonts_of_the_system() {
    let [some, none] = ["A title in some words", ""]
        .map(|title| {
            Chart::new(
                title,
                Bars { bars: vec![Bar { value: 1.0, ..Bar::default() }], ..Bars::default() },
            )
            .unwrap()
        })
        .map(|chart| dark_pixels(&chart.png().unwrap()));
    assert!(some > none + 1000, "{some} against {none} dark pixels");
    // Greek, Cyrillic, and what only the second font holds.
    for word in ["ελευθερία", "свобода", "თავისუფლება"] {
        let empty = Chart::new(word, Bars::default()).unwrap();
        assert!(dark_pixels(&empty.png().unwrap()) > 500, "{word}");
    }
}

#[test]
fn the_ending_chooses_the_format() {
    let folder = tempfile::tempdir().unwrap();
    let chart = &charts("freedom")[2];
    let read = |name: &str| {
        let path = folder.path().join(name);
        chart.save(&path).unwrap();
        std::fs::read(path).unwrap()
    };
    assert_eq!(read("a.svg"), chart.svg().as_bytes());
    assert!(read("a.PNG").starts_with(b"\x89PNG"));
    assert!(read("a.html").starts_with(b"<!DOCTYPE html>"));
    // A second time over the first; nothing else is left behind.
    read("a.svg");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 3);
}

#[test]
fn files_that_cannot_be_written_are_refused_with_the_way_out() {
    let folder = tempfile::tempdir().unwrap();
    let chart = &charts("freedom")[2];
    for name in ["a.pdf", "a"] {
        let error = chart.save(&folder.path().join(name)).unwrap_err();
        assert!(matches!(error, ChartError::Ending { .. }));
        let message = error.to_string();
        assert!([".svg", ".png", ".html"].iter().all(|e| message.contains(e)), "{message}");
    }
    let missing = folder.path().join("no/such/a.svg");
    for error in [chart.save(&missing), Chart::check_path(&missing)] {
        assert!(matches!(error, Err(ChartError::NoParent { .. })));
    }
    let taken = folder.path().join("folder.svg");
    std::fs::create_dir(&taken).unwrap();
    assert!(matches!(chart.save(&taken), Err(ChartError::IsFolder(_))));
    assert!(Chart::check_path(Path::new("bare-name.svg")).is_ok());
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn a_page_holds_plotly_once_and_texts_escaped() {
    let mut page = Page::new(NASTY);
    page.heading(NASTY).section(NASTY).paragraph(NASTY);
    assert!(!page.html().contains("<script"), "no chart, no script");
    for chart in charts("freedom") {
        page.chart(&chart);
    }
    let html = page.html();
    assert_eq!(html.matches("* plotly.js v").count(), 1);
    assert_eq!(html.matches("<figure").count(), 6);
    assert!(!html.contains("MathJax-script") && html.len() < 6_000_000, "{}", html.len());
    let own = html.split("<script>").next().unwrap();
    assert!(!own.contains("src=") && !own.contains("href="), "the page needs no network");
}

#[test]
fn counting_into_bins_loses_nothing() {
    let values: Vec<f64> = (0..1000).map(|k| f64::from(k * k % 977) / 100.0).collect();
    let histogram = Histogram::of(&[("a", &values), ("b", &values[..100])], 20).unwrap();
    let sums: Vec<f64> = histogram.groups.iter().map(|g| g.counts.iter().sum()).collect();
    assert_eq!(sums, [1000.0, 100.0]);
    for (bin, edges) in histogram.edges.windows(2).enumerate() {
        let last = bin + 2 == histogram.edges.len();
        let inside = |v: &&f64| edges[0] <= **v && (**v < edges[1] || last && **v == edges[1]);
        assert_eq!(values.iter().filter(inside).count() as f64, histogram.groups[0].counts[bin]);
    }
}
