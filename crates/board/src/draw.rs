//! Drawing a board: SVG as a whole or in layers, and pixels from it.
//!
//! Water and terrain are drawn as areas with soft outlines that keep to what the tables say: the middle of every hex
//! and of every hexside shows what is there. Rivers run along hexsides, roads and railways from hex to hex.

mod areas;
mod borders;
mod contour;
mod frame;
mod glyphs;
mod ground;
mod hexsides;
mod labels;
mod legend;
mod noise;
mod outline;
mod palette;
mod pen;
mod places;
mod room;
mod sheet;
#[cfg(test)]
mod testing;
mod type_size;
mod water;
mod ways;

pub use frame::Frame;
pub use palette::Palette;
pub use sheet::{Layer, Layers};

use crate::Board;
use hex::{Hex, HexSet};

/// How a board is drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Style {
    /// Pixels between two opposite sides of a hex.
    pub hex_px: f64,
    /// The colours.
    pub palette: Palette,
    /// Whether hexes carry their numbers; they do not below 30 pixels, where none could be read.
    pub numbers: bool,
    /// Whether places, waters and regions carry their names.
    pub names: bool,
    /// Whether zones are tinted.
    pub zones: bool,
    /// Whether there is a title above and a legend below.
    pub legend: bool,
    /// Hexes on which counters will be laid: names keep clear of their middle.
    pub covered: HexSet,
}

/// Half the side of what a counter covers, in the unit of [`Style::hex_px`]: room for a stack of three.
const COUNTER: f64 = 0.37;

impl Default for Style {
    fn default() -> Style {
        Style {
            hex_px: 44.0,
            palette: Palette::LIGHT,
            numbers: true,
            names: true,
            zones: true,
            legend: true,
            covered: HexSet::empty(),
        }
    }
}

/// The fonts that the pictures use, as pairs of file name and contents; a page must load them to show the same.
pub const FONTS: [(&str, &[u8]); 3] = [
    ("BarlowSemiCondensed-Medium.ttf", include_bytes!("../fonts/BarlowSemiCondensed-Medium.ttf")),
    ("BarlowSemiCondensed-Bold.ttf", include_bytes!("../fonts/BarlowSemiCondensed-Bold.ttf")),
    ("BarlowSemiCondensed-MediumItalic.ttf", include_bytes!("../fonts/BarlowSemiCondensed-MediumItalic.ttf")),
];

/// The board as one SVG.
pub fn svg(board: &Board, style: &Style) -> String {
    svg_layers(board, style).whole()
}

/// The board in layers, from the ground up, all in one system of coordinates.
pub fn svg_layers(board: &Board, style: &Style) -> Layers {
    sheet::draw(board, style)
}

/// Where the centre of a hex lies in a picture of that style.
pub fn hex_center_px(board: &Board, style: &Style, hex: Hex) -> (f64, f64) {
    Frame::new(board, style).hex_center_px(hex)
}

/// The six corners of a hex in a picture of that style, clockwise from the north-east.
pub fn hex_polygon_px(board: &Board, style: &Style, hex: Hex) -> [(f64, f64); 6] {
    Frame::new(board, style).hex_polygon_px(hex)
}

/// Why a picture could not be made.
#[cfg(feature = "png")]
#[derive(Debug, thiserror::Error)]
pub enum PictureError {
    /// The picture would be larger than can be held in memory.
    #[error("a picture of {0} by {1} pixels is too large; choose a smaller hex size")]
    Large(u32, u32),
    /// The drawing or the writing of pixels failed.
    #[error("the picture could not be drawn: {0}")]
    Drawing(String),
}

/// The board as a PNG.
#[cfg(feature = "png")]
pub fn png(board: &Board, style: &Style) -> Result<Vec<u8>, PictureError> {
    pixels(&svg(board, style))
}

/// Any SVG that uses our fonts as a PNG, such as a board with counters laid over it.
#[cfg(feature = "png")]
pub fn pixels(svg: &str) -> Result<Vec<u8>, PictureError> {
    use resvg::{tiny_skia, usvg};
    use std::sync::Arc;
    let mut fonts = usvg::fontdb::Database::new();
    for (_, file) in FONTS {
        fonts.load_font_data(file.to_vec());
    }
    let options = usvg::Options {
        fontdb: Arc::new(fonts),
        font_family: type_size::FAMILY.to_string(),
        ..usvg::Options::default()
    };
    let tree = usvg::Tree::from_str(svg, &options).map_err(|e| PictureError::Drawing(e.to_string()))?;
    let size = tree.size().to_int_size();
    let (width, height) = (size.width(), size.height());
    // 400 million bytes of pixels: a monster map at 160 pixels a hex.
    if u64::from(width) * u64::from(height) > 100_000_000 {
        return Err(PictureError::Large(width, height));
    }
    let mut pixmap = tiny_skia::Pixmap::new(width, height).ok_or(PictureError::Large(width, height))?;
    resvg::render(&tree, tiny_skia::Transform::identity(), &mut pixmap.as_mut());
    pixmap.encode_png().map_err(|e| PictureError::Drawing(e.to_string()))
}
