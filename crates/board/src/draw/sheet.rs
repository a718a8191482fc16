//! The whole picture, put together from its layers.

use super::glyphs::n2;
use super::palette::Palette;
use super::pen::{Pen, n, path};
use super::type_size::{FAMILY, Face};
use super::{Frame, Style, borders, ground, hexsides, labels, legend, places, ways};
use crate::Board;
use std::fmt::Write;

/// What all parts of the drawing share.
pub(super) struct Sheet<'a> {
    pub board: &'a Board,
    pub style: &'a Style,
    pub palette: &'a Palette,
    pub frame: Frame<'a>,
}

impl Sheet<'_> {
    /// Pixels of a hex.
    pub fn s(&self) -> f64 {
        self.frame.hex_px
    }
}

/// One layer of a picture.
#[derive(Clone, Debug)]
pub struct Layer {
    /// `ground`, `zones`, `ways`, `grid`, `borders`, `places`, `numbers`, `labels` or `frame`.
    pub name: &'static str,
    /// Its elements, without an `svg` around them.
    pub svg: String,
}

/// A picture in layers that share one system of coordinates.
#[derive(Clone, Debug)]
pub struct Layers {
    /// The width in pixels.
    pub width: f64,
    /// The height in pixels, legend included.
    pub height: f64,
    /// The part of the height that the map itself has.
    pub map_height: f64,
    /// The colour behind everything.
    pub background: &'static str,
    /// Definitions that the layers use; to be given once, in a `defs` element.
    pub defs: String,
    /// The layers from the ground up.
    pub layers: Vec<Layer>,
    /// The names of places for which there was no room.
    pub left_out: Vec<String>,
}

impl Layers {
    /// The layer of that name.
    pub fn layer(&self, name: &str) -> Option<&str> {
        self.layers.iter().find(|l| l.name == name).map(|l| l.svg.as_str())
    }

    /// All layers as one SVG.
    pub fn whole(&self) -> String {
        let (w, h) = (n(self.width), n(self.height));
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{w}\" height=\"{h}\" viewBox=\"0 0 {w} {h}\">\n<defs>\n{}</defs>\n<rect width=\"{w}\" height=\"{h}\" fill=\"{}\"/>\n",
            self.defs, self.background
        );
        for layer in &self.layers {
            let _ = writeln!(out, "<g id=\"layer-{}\">\n{}</g>", layer.name, layer.svg);
        }
        out.push_str("</svg>\n");
        out
    }
}

/// Draws all layers.
pub(super) fn draw(board: &Board, style: &Style) -> Layers {
    let sheet = Sheet { board, style, palette: &style.palette, frame: Frame::new(board, style) };
    let courses = hexsides::courses(&sheet);
    let (casing, core) = hexsides::rivers(&sheet, &courses);
    let mut layers = vec![Layer { name: "ground", svg: ground::draw(&sheet, (&casing, &core)) }];
    let mut add = |name, svg: String| layers.push(Layer { name, svg });
    if style.zones {
        add("zones", borders::zones(&sheet));
    }
    add("grid", grid(&sheet));
    add("ways", ways::draw(&sheet) + &hexsides::crossings(&sheet));
    add("borders", borders::draw(&sheet) + &borders::edges(&sheet) + &borders::boxes(&sheet));
    // Smaller numbers are only specks.
    if style.numbers && style.hex_px >= 30.0 {
        add("numbers", numbers(&sheet));
    }
    add("places", places::draw(&sheet));
    let mut left_out = Vec::new();
    if style.names {
        let (names, missing) = labels::place(&sheet, &courses);
        left_out = missing;
        add("labels", labels::write(&sheet, &names));
    }
    let (width, map_height) = (sheet.frame.width, sheet.frame.height);
    let mut height = map_height;
    if style.legend {
        let (svg, more) = legend::draw(&sheet, map_height - 0.3 * sheet.s());
        add("frame", legend::title(&sheet) + &svg);
        height += more;
    }
    let defs = ground::definitions(&sheet);
    Layers { width, height, map_height, background: style.palette.paper, defs, layers, left_out }
}

/// The outlines of the hexes, each side once.
fn grid(sheet: &Sheet<'_>) -> String {
    let grid = sheet.board.grid();
    let mut pen = Pen::default();
    for hex in grid.hexes() {
        let corners = sheet.frame.hex_polygon_px(hex);
        // The three sides to the north-east as one stroke; the others belong to neighbours, unless there is none.
        pen.lines(&[corners[5], corners[0], corners[1], corners[2]]);
        for dir in [hex::Dir::S, hex::Dir::Sw, hex::Dir::Nw] {
            if grid.neighbour(hex, dir).is_none() {
                pen.to(corners[dir.ix() - 1]).line(corners[dir.ix()]);
            }
        }
    }
    let mut out = String::new();
    let width = n2((0.02 * sheet.s()).max(0.5));
    let style = format!("stroke=\"{}\" stroke-width=\"{width}\" stroke-opacity=\"0.42\"", sheet.palette.grid);
    path(&mut out, &pen, &format!("fill=\"none\" {style} stroke-linejoin=\"round\""));
    out
}

/// The number of each hex under its northern side.
fn numbers(sheet: &Sheet<'_>) -> String {
    let (s, palette, board) = (sheet.s(), sheet.palette, sheet.board);
    let mut out = format!(
        "<g font-family=\"{FAMILY}\" {} font-size=\"{}\" text-anchor=\"middle\" fill=\"{}\">\n",
        Face::Medium.attributes(),
        n2(0.155 * s),
        palette.faint
    );
    for hex in board.grid().hexes().filter(|&h| board.entry(h).draw != "off") {
        let (x, y) = sheet.frame.hex_center_px(hex);
        let colour =
            if board.water().contains(hex) { format!(" fill=\"{}\"", palette.shore) } else { String::new() };
        let _ = writeln!(
            out,
            "<text x=\"{}\" y=\"{}\"{colour}>{}</text>",
            n(x),
            n(y - 0.34 * s),
            board.grid().name(hex)
        );
    }
    out.push_str("</g>\n");
    out
}
