//! The font of all pictures, measured: how wide a text is, and how to make it fit.
//!
//! Noto Sans is part of the program, and DejaVu Sans for scripts it lacks, so a picture is the same
//! on a machine without fonts. What neither holds (Chinese, say) counts as one em and is drawn with
//! a font of the system.

use std::sync::OnceLock;

use skrifa::instance::{LocationRef, Size};
use skrifa::metrics::GlyphMetrics;
use skrifa::{FontRef, MetadataProvider};

/// The fonts in order of preference.
pub(crate) const REGULAR: &[u8] = notosans::REGULAR_TTF;
pub(crate) const BOLD: &[u8] = notosans::BOLD_TTF;

/// Names for programs that open the SVG: the font itself, then relatives of about its width.
pub(crate) const FAMILIES: &str =
    "'Noto Sans','Open Sans','Segoe UI',Helvetica,Arial,'DejaVu Sans',sans-serif";

/// The program that opens an SVG may use a font that is somewhat wider.
const SLACK: f64 = 1.04;

/// A font that can be measured, per em.
struct Face {
    charmap: skrifa::charmap::Charmap<'static>,
    metrics: GlyphMetrics<'static>,
}

impl Face {
    fn open(bytes: &'static [u8]) -> Option<Self> {
        let font = FontRef::new(bytes).ok()?;
        let metrics = font.glyph_metrics(Size::new(1.0), LocationRef::default());
        Some(Self { charmap: font.charmap(), metrics })
    }

    fn advance(&self, c: char) -> Option<f64> {
        self.metrics.advance_width(self.charmap.map(c)?).map(f64::from)
    }
}

fn faces() -> &'static [Option<Face>; 3] {
    static FACES: OnceLock<[Option<Face>; 3]> = OnceLock::new();
    FACES.get_or_init(|| [REGULAR, BOLD, dejavu::sans::regular()].map(Face::open))
}

fn advance(c: char, bold: bool) -> Option<f64> {
    let [regular, heavy, spare] = faces();
    let first = if bold { heavy } else { regular };
    [first, spare].into_iter().flatten().find_map(|face| face.advance(c))
}

/// Whether the built-in fonts can draw all of `text`.
pub(crate) fn covers(text: &str) -> bool {
    text.chars().all(|c| c.is_control() || advance(c, false).is_some())
}

/// How wide `text` is, in the unit of `size`.
pub(crate) fn width(text: &str, size: f64, bold: bool) -> f64 {
    text.chars().map(|c| advance(c, bold).unwrap_or(1.0)).sum::<f64>() * size * SLACK
}

/// `text`, or as much of its beginning as fits with an ellipsis.
pub(crate) fn shorten(text: &str, size: f64, bold: bool, limit: f64) -> String {
    if width(text, size, bold) <= limit {
        return text.to_owned();
    }
    let mut room = limit - width("…", size, bold);
    let mut kept = String::new();
    for c in text.chars() {
        room -= width(c.encode_utf8(&mut [0; 4]), size, bold);
        if room < 0.0 {
            break;
        }
        kept.push(c);
    }
    kept.truncate(kept.trim_end().len());
    kept.push('…');
    kept
}

/// `text` in at most `most` lines, broken between words; what does not fit is cut off with an
/// ellipsis.
pub(crate) fn wrap(text: &str, size: f64, bold: bool, limit: f64, most: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        if lines.len() + 1 == most {
            lines.push(shorten(rest, size, bold, limit));
            break;
        }
        let ends = rest.match_indices(char::is_whitespace).map(|(k, _)| k).chain([rest.len()]);
        let fitting = ends.take_while(|&k| width(&rest[..k], size, bold) <= limit).last();
        // A first word that is too long for a line is cut off.
        let end = fitting.unwrap_or_else(|| rest.find(char::is_whitespace).unwrap_or(rest.len()));
        lines.push(shorten(rest[..end].trim_end(), size, bold, limit));
        rest = rest[end..].trim_start();
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fonts_open_and_measure() {
        assert!(faces().iter().all(Option::is_some));
        assert!(covers("freedom Ελευθερία свобода “−…δ→"));
        assert!(!covers("自由"));
        assert!(width("WWW", 12.0, false) > 2.0 * width("iii", 12.0, false));
        assert!(width("word", 12.0, true) > width("word", 12.0, false));
        assert_eq!(width("自由", 10.0, false), 20.0 * SLACK);
    }

    #[test]
    fn shortened_text_fits_and_ends_in_an_ellipsis() {
        let text = "The Life and Strange Surprizing Adventures of Robinson Crusoe";
        let short = shorten(text, 12.0, false, 100.0);
        assert!(width(&short, 12.0, false) <= 100.0);
        assert!(short.starts_with("The Life") && short.ends_with('…'));
        assert_eq!(shorten("short", 12.0, false, 100.0), "short");
    }

    #[test]
    fn wrapped_lines_hold_every_word_while_there_is_room() {
        let text = "Reconstruction to the World Wars";
        let lines = wrap(text, 12.0, false, 110.0, 4);
        assert!(lines.len() > 1 && lines.iter().all(|l| width(l, 12.0, false) <= 110.0));
        assert_eq!(lines.join(" "), text);
        assert_eq!(wrap(text, 12.0, false, 110.0, 1).len(), 1);
        assert!(wrap("", 12.0, false, 110.0, 3).is_empty());
        assert_eq!(wrap("a  b", 12.0, false, 110.0, 3), ["a  b"]);
    }
}
