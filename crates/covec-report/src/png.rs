//! An SVG drawing as pixels.

use std::sync::Arc;

use resvg::usvg::{Options, Transform, Tree, fontdb::Database};

use crate::ChartError;
use crate::svg::font;

/// Pixels to each unit of the drawing.
const SCALE: f32 = 2.0;
/// No picture has more pixels: 160 MB while it is made.
const MOST_PIXELS: f32 = 40e6;

/// Draws with the built-in fonts, and the system's only where these lack a character.
pub(crate) fn render(svg: &str) -> Result<Vec<u8>, ChartError> {
    let mut fonts = Database::new();
    for font in [font::REGULAR, font::BOLD, dejavu::sans::regular()] {
        fonts.load_font_data(font.to_vec());
    }
    if !font::covers(svg) {
        fonts.load_system_fonts();
    }
    fonts.set_sans_serif_family("Noto Sans");
    let options = Options {
        font_family: "Noto Sans".to_owned(),
        fontdb: Arc::new(fonts),
        ..Options::default()
    };
    let fail = |error: &dyn std::fmt::Display| ChartError::Pixels(error.to_string());
    let tree = Tree::from_str(svg, &options).map_err(|error| fail(&error))?;
    let size = tree.size();
    let scale = SCALE.min((MOST_PIXELS / (size.width() * size.height())).sqrt());
    let (width, height) = ((size.width() * scale).ceil(), (size.height() * scale).ceil());
    let mut pixels = resvg::tiny_skia::Pixmap::new(width as u32, height as u32)
        .ok_or_else(|| fail(&format!("{width} × {height} pixels are too many")))?;
    resvg::render(&tree, Transform::from_scale(scale, scale), &mut pixels.as_mut());
    pixels.encode_png().map_err(|error| fail(&error))
}
