//! Whatever the data: every coordinate is a number, and no text leaves the canvas.

use proptest::prelude::*;

use super::canvas::{Canvas, Frame};
use super::draw;
use crate::{
    Bar, Bars, Chart, Counts, Dendrogram, Estimate, Heatmap, Histogram, Interval, Kind, Leaf,
    Lines, Marker, Merge, Point, Scatter, Series, Shades,
};

fn number() -> impl Strategy<Value = f64> {
    prop_oneof![
        4 => -100.0..100.0f64,
        1 => prop_oneof![Just(0.0), Just(-0.0), Just(1.0), Just(1e100), Just(-1e100), Just(1e-300), Just(5e-324)],
        1 => (-99.0..99.0f64).prop_map(|e| 10f64.powf(e)),
    ]
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => "[a-zA-Z ]{0,12}",
        1 => "\\PC{0,20}",
        1 => "[A-Za-z ]{80,300}",
        1 => "W{100,200}",
    ]
}

fn interval() -> impl Strategy<Value = Option<Interval>> {
    proptest::option::of(
        (number(), number()).prop_map(|(a, b)| Interval { low: a.min(b), high: a.max(b) }),
    )
}

fn group() -> impl Strategy<Value = Option<String>> {
    proptest::option::of(prop_oneof![4 => "[a-c]", 1 => text()])
}

fn markers() -> impl Strategy<Value = Vec<Marker>> {
    proptest::collection::vec(
        (number(), text()).prop_map(|(value, label)| Marker { value, label }),
        0..4,
    )
}

fn scatter() -> impl Strategy<Value = Kind> {
    let point = (text(), number(), number(), interval(), group())
        .prop_map(|(label, x, y, interval, group)| Point { label, x, y, interval, group });
    (proptest::collection::vec(point, 0..40), any::<bool>(), markers(), 0..50usize).prop_map(
        |(mut points, log_x, markers, labels)| {
            if log_x {
                points.retain(|p| p.x > 0.0);
            }
            Scatter { points, labels, log_x, markers }.into()
        },
    )
}

fn lines() -> impl Strategy<Value = Kind> {
    (proptest::collection::vec(text(), 0..30), 0..12usize).prop_flat_map(|(categories, count)| {
        let estimate =
            (number(), interval()).prop_map(|(value, interval)| Estimate { value, interval });
        let values = proptest::collection::vec(proptest::option::of(estimate), categories.len());
        let series = (text(), values).prop_map(|(name, values)| Series { name, values });
        (proptest::collection::vec(series, count), markers()).prop_map(move |(series, markers)| {
            Lines { categories: categories.clone(), series, markers }.into()
        })
    })
}

fn bars() -> impl Strategy<Value = Kind> {
    let bar = (text(), number(), interval(), proptest::option::of(number()), group()).prop_map(
        |(label, value, interval, second, group)| Bar { label, value, interval, second, group },
    );
    (proptest::collection::vec(bar, 0..30), number(), text(), text()).prop_map(
        |(bars, baseline, value_name, second_name)| {
            Bars { bars, baseline, value_name, second_name }.into()
        },
    )
}

fn histogram() -> impl Strategy<Value = Kind> {
    proptest::collection::vec(number(), 2..30).prop_flat_map(|mut edges| {
        edges.sort_by(f64::total_cmp);
        edges.dedup();
        let counts = proptest::collection::vec(number().prop_map(f64::abs), edges.len() - 1);
        let counts = (text(), counts).prop_map(|(name, counts)| Counts { name, counts });
        (proptest::collection::vec(counts, 0..4), markers()).prop_map(move |(groups, markers)| {
            Histogram { edges: edges.clone(), groups, markers }.into()
        })
    })
}

fn heatmap() -> impl Strategy<Value = Kind> {
    let names = || proptest::collection::vec(text(), 0..14);
    (names(), names(), proptest::option::of(number()), text()).prop_flat_map(
        |(rows, columns, centre, value_name)| {
            let count = rows.len() * columns.len();
            proptest::collection::vec(proptest::option::of(number()), count).prop_map(
                move |values| {
                    let shades =
                        centre.map_or(Shades::Sequential, |centre| Shades::Diverging { centre });
                    let (rows, columns) = (rows.clone(), columns.clone());
                    Heatmap { rows, columns, values, shades, value_name: value_name.clone() }.into()
                },
            )
        },
    )
}

fn dendrogram() -> impl Strategy<Value = Kind> {
    let leaf = (text(), group()).prop_map(|(label, group)| Leaf { label, group });
    (proptest::collection::vec(leaf, 0..30), any::<u64>(), number()).prop_map(
        |(leaves, seed, height)| {
            let mut open: Vec<usize> = (0..leaves.len()).collect();
            let mut merges = Vec::new();
            while open.len() > 1 {
                let a = open.remove(seed as usize % open.len());
                let b = open.remove((seed >> 20) as usize % open.len());
                open.push(leaves.len() + merges.len());
                let height = (height / (1.0 + open.len() as f64)).abs();
                merges.push(Merge { a, b, height });
            }
            Dendrogram { leaves, merges }.into()
        },
    )
}

fn kind() -> impl Strategy<Value = Kind> {
    prop_oneof![scatter(), lines(), bars(), histogram(), heatmap(), dendrogram()]
}

/// The numbers in the attributes that say where things are.
fn coordinates(svg: &str) -> Vec<f64> {
    let tree = resvg::usvg::roxmltree::Document::parse(svg).unwrap();
    let mut all = Vec::new();
    for node in tree.descendants() {
        for name in ["x", "y", "x1", "x2", "y1", "y2", "cx", "cy", "r", "width", "height", "d"] {
            let Some(text) = node.attribute(name) else { continue };
            let numbers = text.split(|c: char| "MLZ ".contains(c)).filter(|part| !part.is_empty());
            all.extend(numbers.map(|part| part.parse::<f64>().expect(part)));
        }
    }
    all
}

fn assert_inside(canvas: &Canvas) {
    let all = Frame { left: 0.0, top: 0.0, right: canvas.width, bottom: canvas.height };
    for text in &canvas.texts {
        assert!(all.holds(text), "{text:?} leaves {} × {}", canvas.width, canvas.height);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn coordinates_are_numbers_and_texts_stay_inside(
        kind in kind(), title in text(), subtitle in text(), x in text(), y in text()
    ) {
        let chart = Chart::new(title, kind).unwrap();
        let chart = chart.with_subtitle(subtitle).with_x_label(x).with_y_label(y);
        let canvas = draw(&chart);
        assert_inside(&canvas);
        prop_assert!(canvas.width < 20_000.0 && canvas.height < 40_000.0);
        let slack = 60.0;
        for place in coordinates(&canvas.finish("")) {
            prop_assert!(place.is_finite() && place > -slack, "{place}");
            prop_assert!(place < canvas.width.max(canvas.height) + slack, "{place}");
        }
        let json: serde_json::Value = serde_json::from_str(&chart.plotly_json()).unwrap();
        prop_assert!(json["data"].is_array());
    }
}
