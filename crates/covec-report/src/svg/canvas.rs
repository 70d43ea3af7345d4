//! An SVG drawing under way: shapes and texts at places in pixels.

use std::fmt::Write as _;

use super::{colour, font};

/// Which part of a text stands at its place.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

/// How a text looks.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Style {
    pub(crate) size: f64,
    pub(crate) bold: bool,
    pub(crate) fill: &'static str,
    pub(crate) anchor: Anchor,
    /// Degrees, clockwise around the text's place.
    pub(crate) turn: f64,
    /// A white edge, so that the text can be read on top of points.
    pub(crate) halo: bool,
}

impl Style {
    pub(crate) const fn new(size: f64) -> Self {
        let (fill, anchor) = (colour::TEXT, Anchor::Start);
        Self { size, bold: false, fill, anchor, turn: 0.0, halo: false }
    }

    pub(crate) const fn anchor(self, anchor: Anchor) -> Self {
        Self { anchor, ..self }
    }

    pub(crate) const fn fill(self, fill: &'static str) -> Self {
        Self { fill, ..self }
    }

    pub(crate) fn width(&self, text: &str) -> f64 {
        font::width(text, self.size, self.bold)
    }
}

/// A rectangle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Frame {
    pub(crate) left: f64,
    pub(crate) top: f64,
    pub(crate) right: f64,
    pub(crate) bottom: f64,
}

impl Frame {
    pub(crate) fn overlaps(&self, other: &Self) -> bool {
        self.left < other.right
            && other.left < self.right
            && self.top < other.bottom
            && other.top < self.bottom
    }

    pub(crate) fn holds(&self, other: &Self) -> bool {
        self.left <= other.left
            && self.top <= other.top
            && self.right >= other.right
            && self.bottom >= other.bottom
    }

    pub(crate) fn width(&self) -> f64 {
        self.right - self.left
    }

    pub(crate) fn height(&self) -> f64 {
        self.bottom - self.top
    }
}

/// The drawing.
#[derive(Debug)]
pub(crate) struct Canvas {
    pub(crate) width: f64,
    pub(crate) height: f64,
    body: String,
    /// Where texts stand, for tests: none may leave the canvas.
    pub(crate) texts: Vec<Frame>,
}

impl Canvas {
    pub(crate) fn new(width: f64, height: f64) -> Self {
        Self { width, height, body: String::new(), texts: Vec::new() }
    }

    /// The drawing as a file; `name` is what a screen reader says.
    pub(crate) fn finish(&self, name: &str) -> String {
        let (width, height) = (number(self.width), number(self.height));
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" role=\"img\" font-family=\"{}\">\n<title>{}</title>\n\
             <rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>\n{}</svg>\n",
            font::FAMILIES,
            escape(name),
            self.body,
        )
    }

    /// An element with attributes already written.
    fn element(&mut self, name: &str, attributes: &str, tip: Option<&str>) {
        let end = tip.map_or_else(
            || "/>".to_owned(),
            |tip| format!("><title>{}</title></{name}>", escape(tip)),
        );
        let _ = writeln!(self.body, "<{name} {attributes}{end}");
    }

    /// A filled rectangle; `extra` are further attributes.
    pub(crate) fn rect(&mut self, frame: Frame, fill: &str, extra: &str, tip: Option<&str>) {
        let attributes = format!(
            "x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{fill}\"{}{extra}",
            number(frame.left),
            number(frame.top),
            number(frame.width().max(0.0)),
            number(frame.height().max(0.0)),
            if extra.is_empty() { "" } else { " " },
        );
        self.element("rect", &attributes, tip);
    }

    /// A straight line; `extra` are further attributes.
    pub(crate) fn line(&mut self, from: (f64, f64), to: (f64, f64), stroke: &str, extra: &str) {
        let attributes = format!(
            "x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" stroke=\"{stroke}\"{}{extra}",
            number(from.0),
            number(from.1),
            number(to.0),
            number(to.1),
            if extra.is_empty() { "" } else { " " },
        );
        self.element("line", &attributes, None);
    }

    /// A line through `points`; `attributes` say how it looks.
    pub(crate) fn path(&mut self, points: &[(f64, f64)], closed: bool, attributes: &str) {
        self.element("path", &format!("d=\"{}\" {attributes}", outline(points, closed)), None);
    }

    /// A small shape that stands for a value: what it is depends on the group's number.
    pub(crate) fn symbol(
        &mut self,
        shape: usize,
        (x, y): (f64, f64),
        radius: f64,
        attributes: &str,
        tip: Option<&str>,
    ) {
        let r = radius;
        let corners = match shape % colour::SHAPES {
            0 => {
                let circle = format!(
                    "cx=\"{}\" cy=\"{}\" r=\"{}\" {attributes}",
                    number(x),
                    number(y),
                    number(r)
                );
                return self.element("circle", &circle, tip);
            }
            1 => vec![
                (x - 0.9 * r, y - 0.9 * r),
                (x + 0.9 * r, y - 0.9 * r),
                (x + 0.9 * r, y + 0.9 * r),
                (x - 0.9 * r, y + 0.9 * r),
            ],
            _ => vec![(x, y - 1.25 * r), (x + 1.25 * r, y), (x, y + 1.25 * r), (x - 1.25 * r, y)],
        };
        self.element("path", &format!("d=\"{}\" {attributes}", outline(&corners, true)), tip);
    }

    /// A text with its baseline at `y`.
    pub(crate) fn text(&mut self, x: f64, y: f64, text: &str, style: Style) {
        self.texts.push(extent(x, y, text, style));
        let anchor = match style.anchor {
            Anchor::Start => "",
            Anchor::Middle => " text-anchor=\"middle\"",
            Anchor::End => " text-anchor=\"end\"",
        };
        let (x, y) = (number(x), number(y));
        let turn = if style.turn == 0.0 {
            String::new()
        } else {
            format!(" transform=\"rotate({} {x} {y})\"", number(style.turn))
        };
        let halo = if style.halo {
            " stroke=\"#ffffff\" stroke-width=\"3\" stroke-linejoin=\"round\" stroke-opacity=\"0.85\" paint-order=\"stroke\""
        } else {
            ""
        };
        let bold = if style.bold { " font-weight=\"bold\"" } else { "" };
        let _ = writeln!(
            self.body,
            "<text x=\"{x}\" y=\"{y}\" font-size=\"{}\"{bold} fill=\"{}\"{anchor}{turn}{halo}>{}</text>",
            number(style.size),
            style.fill,
            escape(text),
        );
    }

    /// A text that is cut off at `limit`; the whole of it is then its tip.
    pub(crate) fn text_within(&mut self, x: f64, y: f64, text: &str, style: Style, limit: f64) {
        let short = font::shorten(text, style.size, style.bold, limit);
        if short == text {
            self.text(x, y, text, style);
        } else {
            let _ = write!(self.body, "<g><title>{}</title>", escape(text));
            self.text(x, y, &short, style);
            self.body.push_str("</g>\n");
        }
    }
}

/// Where a text stands: above its baseline four fifths of its size, below a quarter.
pub(crate) fn extent(x: f64, y: f64, text: &str, style: Style) -> Frame {
    let width = style.width(text);
    let left = match style.anchor {
        Anchor::Start => 0.0,
        Anchor::Middle => -width / 2.0,
        Anchor::End => -width,
    };
    let (sin, cos) = style.turn.to_radians().sin_cos();
    let (up, down) = (-0.8 * style.size, 0.25 * style.size);
    let corners = [(left, up), (left + width, up), (left, down), (left + width, down)];
    let turned = corners.map(|(a, b)| (x + a * cos - b * sin, y + a * sin + b * cos));
    Frame {
        left: turned.iter().map(|c| c.0).fold(f64::INFINITY, f64::min),
        top: turned.iter().map(|c| c.1).fold(f64::INFINITY, f64::min),
        right: turned.iter().map(|c| c.0).fold(f64::NEG_INFINITY, f64::max),
        bottom: turned.iter().map(|c| c.1).fold(f64::NEG_INFINITY, f64::max),
    }
}

fn outline(points: &[(f64, f64)], closed: bool) -> String {
    let mut path = String::new();
    for (k, (x, y)) in points.iter().enumerate() {
        let _ = write!(path, "{}{} {}", if k == 0 { 'M' } else { 'L' }, number(*x), number(*y));
    }
    if closed {
        path.push('Z');
    }
    path
}

/// A coordinate, to a hundredth of a pixel.
pub(crate) fn number(value: f64) -> String {
    let rounded = (value * 100.0).round() / 100.0 + 0.0;
    format!("{rounded}")
}

/// `text` as it may stand in XML and HTML, also in attributes; characters that XML forbids are
/// replaced.
pub(crate) fn escape(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            '\t' | '\n' | '\r' => safe.push(' '),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => safe.push('\u{fffd}'),
            c => safe.push(c),
        }
    }
    safe
}
