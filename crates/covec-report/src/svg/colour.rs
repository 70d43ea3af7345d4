//! Colours that people with any colour vision can tell apart.
//!
//! Groups take the palette of Okabe and Ito without black and yellow, which vanish on dark and on
//! white paper; after six groups the shapes change, so eighteen can be told apart. What comes
//! after shares a grey.

pub(crate) const TEXT: &str = "#1f1f1f";
pub(crate) const MUTED: &str = "#555555";
pub(crate) const AXIS: &str = "#8a8a8a";
pub(crate) const GRID: &str = "#e6e6e6";
pub(crate) const REST: &str = "#9a9a9a";
/// A cell of a heatmap without a value.
pub(crate) const MISSING: &str = "#d9d9d9";

const PALETTE: [&str; 6] = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9"];
/// Shapes of points: circle, square, diamond.
pub(crate) const SHAPES: usize = 3;

/// Groups with a look of their own.
pub(crate) const DISTINCT: usize = PALETTE.len() * SHAPES;

/// The colour of a group.
pub(crate) fn of(group: usize) -> &'static str {
    if group < DISTINCT { PALETTE[group % PALETTE.len()] } else { REST }
}

/// The shape of a group.
pub(crate) fn shape(group: usize) -> usize {
    if group < DISTINCT { group / PALETTE.len() } else { 0 }
}

/// The dashes of a group's line, as in `stroke-dasharray`.
pub(crate) fn dashes(group: usize) -> &'static str {
    ["none", "7 3", "2 3"][shape(group)]
}

type Rgb = [f64; 3];

/// Pale to dark blue, even in lightness (after ColorBrewer's Blues).
const SEQUENTIAL: [Rgb; 6] = [
    [247.0, 251.0, 255.0],
    [208.0, 225.0, 242.0],
    [148.0, 196.0, 223.0],
    [74.0, 152.0, 201.0],
    [23.0, 100.0, 171.0],
    [8.0, 48.0, 107.0],
];

/// Blue, white, red (after ColorBrewer's RdBu).
const DIVERGING: [Rgb; 7] = [
    [33.0, 102.0, 172.0],
    [103.0, 169.0, 207.0],
    [209.0, 229.0, 240.0],
    [250.0, 250.0, 250.0],
    [253.0, 219.0, 199.0],
    [239.0, 138.0, 98.0],
    [178.0, 24.0, 43.0],
];

/// The colour at `position` (0 to 1) of a heatmap's range, and whether text on it must be white.
pub(crate) fn shade(position: f64, diverging: bool) -> (String, bool) {
    let stops: &[Rgb] = if diverging { &DIVERGING } else { &SEQUENTIAL };
    let place = position.clamp(0.0, 1.0) * (stops.len() - 1) as f64;
    let below = (place as usize).min(stops.len() - 2);
    let part = place - below as f64;
    let mixed: [f64; 3] =
        std::array::from_fn(|k| stops[below][k] + part * (stops[below + 1][k] - stops[below][k]));
    let [r, g, b] = mixed.map(|c| c.round() as u8);
    let lightness = 0.299 * mixed[0] + 0.587 * mixed[1] + 0.114 * mixed[2];
    (format!("#{r:02x}{g:02x}{b:02x}"), lightness < 140.0)
}

/// Groups in order of appearance, and the group of each item.
pub(crate) struct Groups<'a> {
    pub(crate) names: Vec<&'a str>,
    numbers: std::collections::BTreeMap<&'a str, usize>,
}

impl<'a> Groups<'a> {
    pub(crate) fn of(groups: impl Iterator<Item = Option<&'a str>>) -> Self {
        let mut names = Vec::new();
        let mut numbers = std::collections::BTreeMap::new();
        for name in groups.flatten() {
            numbers.entry(name).or_insert_with(|| {
                names.push(name);
                names.len() - 1
            });
        }
        Self { names, numbers }
    }

    /// The number of a group. An item without a group takes the first colour if nothing has a
    /// group, else the grey of the rest.
    pub(crate) fn number(&self, group: Option<&str>) -> usize {
        match group {
            Some(name) => self.numbers.get(name).copied().unwrap_or(DISTINCT),
            None if self.names.is_empty() => 0,
            None => DISTINCT,
        }
    }
}
