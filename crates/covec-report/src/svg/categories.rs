//! The names of ordered categories below an axis, or above a table.

use super::canvas::{Anchor, Canvas, Style};
use super::font;
use super::sheet::TICK;

const LINE: f64 = 15.0;

/// How names stand side by side.
pub(crate) enum Names {
    /// Upright, each in some lines.
    Level(Vec<Vec<String>>),
    /// Slanted, each cut off where needed; only every n-th where they stand close.
    Slanted(Vec<String>, usize),
}

impl Names {
    /// Names that stand `apart` from each other, the first `left` from the edge of the sheet.
    pub(crate) fn fit(names: &[String], apart: f64, left: f64) -> Self {
        let limit = apart - 8.0;
        let whole = |name: &String| {
            let lines = font::wrap(name, TICK.size, false, limit, 3);
            let cut = lines.iter().any(|line| line.ends_with('…') && !name.contains('…'));
            (!cut).then_some(lines)
        };
        if let Some(lines) = names.iter().map(whole).collect() {
            return Self::Level(lines);
        }
        // Towards the lower left, so the first name must not leave the sheet.
        let limit = ((left - 6.0) * std::f64::consts::SQRT_2).clamp(24.0, 150.0);
        let cut = |name: &String| font::shorten(name, TICK.size, false, limit);
        let every = (17.0 / apart).ceil().max(1.0) as usize;
        Self::Slanted(names.iter().map(cut).collect(), every)
    }

    /// How much room they need.
    pub(crate) fn height(&self) -> f64 {
        match self {
            Self::Level(lines) => lines.iter().map(Vec::len).max().unwrap_or(0) as f64 * LINE + 6.0,
            Self::Slanted(names, _) => {
                let widest = names.iter().map(|n| TICK.width(n)).fold(0.0, f64::max);
                (widest + TICK.size) * std::f64::consts::FRAC_1_SQRT_2 + 10.0
            }
        }
    }

    /// How far the last name reaches beyond its place when names stand above a table.
    pub(crate) fn reach(&self) -> f64 {
        match self {
            Self::Level(_) => 0.0,
            Self::Slanted(..) => self.height(),
        }
    }

    /// Draws the names below `y`, the k-th at `place(k)`.
    pub(crate) fn below(&self, canvas: &mut Canvas, y: f64, place: impl Fn(usize) -> f64) {
        match self {
            Self::Level(names) => {
                for (k, lines) in names.iter().enumerate() {
                    for (row, line) in lines.iter().enumerate() {
                        let y = y + 4.0 + LINE * (row as f64 + 0.8);
                        canvas.text(place(k), y, line, TICK.anchor(Anchor::Middle));
                    }
                }
            }
            Self::Slanted(names, every) => {
                let style = Style { turn: -45.0, ..TICK.anchor(Anchor::End) };
                for (k, name) in names.iter().enumerate().step_by(*every) {
                    canvas.text(place(k) + 4.0, y + 14.0, name, style);
                }
            }
        }
    }

    /// Draws the names above `y`, the k-th at `place(k)`.
    pub(crate) fn above(&self, canvas: &mut Canvas, y: f64, place: impl Fn(usize) -> f64) {
        match self {
            Self::Level(names) => {
                for (k, lines) in names.iter().enumerate() {
                    for (row, line) in lines.iter().rev().enumerate() {
                        let y = y - 6.0 - LINE * row as f64;
                        canvas.text(place(k), y, line, TICK.anchor(Anchor::Middle));
                    }
                }
            }
            Self::Slanted(names, every) => {
                let style = Style { turn: -45.0, ..TICK };
                for (k, name) in names.iter().enumerate().step_by(*every) {
                    canvas.text(place(k) + 4.0, y - 5.0, name, style);
                }
            }
        }
    }
}
