//! Land, its terrain and the water around it.

use super::areas::{self, Part};
use super::contour::Cells;
use super::glyphs::{self, ARRANGEMENTS, n2};
use super::noise::noise;
use super::outline;
use super::pen::{Pen, n, path};
use super::sheet::Sheet;
use super::water;
use crate::Board;
use hex::{Hex, HexSet};
use std::fmt::Write;

/// What the other layers need defined: the outline of the board, the textures.
pub(super) fn definitions(sheet: &Sheet<'_>) -> String {
    let mut out = String::new();
    let mut pen = Pen::default();
    for line in outline::outlines(sheet.board.grid(), sheet.board.grid().all()) {
        let points: Vec<_> = line.into_iter().map(|c| sheet.frame.corner(c)).collect();
        pen.polygon(&points);
    }
    let _ = writeln!(out, "<clipPath id=\"board\"><path d=\"{}\"/></clipPath>", pen.0);
    let mut draws: Vec<&str> = sheet.board.terrains().iter().map(|t| t.draw.as_str()).collect();
    draws.sort_unstable();
    draws.dedup();
    glyphs::definitions(&draws, sheet.palette, sheet.s(), &mut out);
    out
}

/// The ground: land, terrain, rivers, water. `rivers` gives the casing and the core of the watercourses, so that
/// mouths open into the water.
pub(super) fn draw(sheet: &Sheet<'_>, rivers: (&str, &str)) -> String {
    let (board, palette, s) = (sheet.board, sheet.palette, sheet.s());
    let grid = board.grid();
    let cells = Cells::new(grid);
    let mut out = String::from("<g clip-path=\"url(#board)\">\n");
    let mut whole = Pen::default();
    for line in outline::outlines(grid, grid.all()) {
        let points: Vec<_> = line.into_iter().map(|c| sheet.frame.corner(c)).collect();
        whole.polygon(&points);
    }
    path(&mut out, &whole, &format!("fill=\"{}\"", palette.land));
    let order = drawn(board);
    for (salt, &draw) in order.iter().enumerate() {
        let Some((fill, _)) = palette.terrain(draw) else { continue };
        // What is drawn later covers its own ground, so this one may run on under it and leaves no gap.
        let later = &order[salt + 1..];
        let part = |hex: Hex| match board.entry(hex).draw.as_str() {
            d if same_ground(d, draw) => Part::In,
            d if later.contains(&d) || board.water().contains(hex) => Part::Hidden,
            _ => Part::Out,
        };
        let pen = soft(sheet, areas::outlines(&cells, salt as u64, part));
        path(&mut out, &pen, &format!("fill=\"{fill}\""));
    }
    textures(sheet, &mut out);
    out.push_str(rivers.0);
    let coast = soft(sheet, water::outlines(board, &cells));
    let round = "stroke-linejoin=\"round\"";
    // The longest line of the map is drawn five times: it is written once.
    if !coast.is_empty() {
        let _ = writeln!(out, "<defs><path id=\"coast\" d=\"{}\"/></defs>", coast.0);
    }
    let again = |out: &mut String, style: &str| {
        if !coast.is_empty() {
            let _ = writeln!(out, "<use href=\"#coast\" {style}/>");
        }
    };
    again(
        &mut out,
        &format!("fill=\"none\" stroke=\"{}\" stroke-width=\"{}\" {round}", palette.shore, n2(s * 0.06)),
    );
    out.push_str(rivers.1);
    if !coast.is_empty() {
        // A paler band along the shore, kept inside the water by clipping.
        let _ = writeln!(out, "<clipPath id=\"water\"><use href=\"#coast\"/></clipPath>");
        again(&mut out, &format!("fill=\"{}\"", palette.water));
        let band = |w: f64, o: &str| {
            let (c, w) = (palette.shallows, n2(s * w));
            format!("fill=\"none\" stroke=\"{c}\" stroke-width=\"{w}\" stroke-opacity=\"{o}\" {round}")
        };
        out.push_str("<g clip-path=\"url(#water)\">\n");
        again(&mut out, &band(0.5, "0.5"));
        again(&mut out, &band(0.24, "0.8"));
        out.push_str("</g>\n");
    }
    off(sheet, &mut out);
    out.push_str("</g>\n");
    out
}

/// Terrains to be drawn, plain ground first and what stands out last.
fn drawn(board: &Board) -> Vec<&str> {
    const ORDER: [&str; 12] = [
        "steppe",
        "desert",
        "seasonal-marsh",
        "marsh",
        "woods",
        "forest",
        "hills",
        "rough",
        "wooded-rough",
        "mountain",
        "alpine",
        "city",
    ];
    ORDER.into_iter().filter(|d| board.terrains().iter().any(|t| t.draw == *d)).collect()
}

/// Whether an area of one terrain runs on under another: woods on rough ground lie on rough ground.
fn same_ground(of_hex: &str, area: &str) -> bool {
    of_hex == area
        || (area == "rough" && of_hex == "wooded-rough")
        || (area == "mountain" && of_hex == "alpine")
}

fn textures(sheet: &Sheet<'_>, out: &mut String) {
    let grid = sheet.board.grid();
    for hex in grid.hexes() {
        let draw = sheet.board.entry(hex).draw.as_str();
        if sheet.palette.terrain(draw).is_none() {
            continue;
        }
        let pick = noise(i64::from(grid.column(hex)), i64::from(grid.row(hex)), 77);
        let k = (((pick + 1.0) / 2.0 * ARRANGEMENTS as f64) as usize).min(ARRANGEMENTS - 1);
        let (x, y) = sheet.frame.hex_center_px(hex);
        let _ = writeln!(out, "<use href=\"#{draw}-{k}\" x=\"{}\" y=\"{}\"/>", n(x), n(y));
    }
}

/// What lies beyond the playing field covers whatever reached there.
fn off(sheet: &Sheet<'_>, out: &mut String) {
    let board = sheet.board;
    let mut set = HexSet::empty();
    board.grid().hexes().filter(|&h| board.entry(h).draw == "off").for_each(|h| {
        set.insert(h);
    });
    let mut pen = Pen::default();
    for line in outline::outlines(board.grid(), &set) {
        let points: Vec<_> = line.into_iter().map(|c| sheet.frame.corner(c)).collect();
        pen.polygon(&points);
    }
    path(out, &pen, &format!("fill=\"{}\"", sheet.palette.off));
}

/// Outlines as one soft shape in pixels.
fn soft(sheet: &Sheet<'_>, lines: Vec<Vec<(f64, f64)>>) -> Pen {
    let mut pen = Pen::default();
    for line in lines {
        let points: Vec<_> = line.into_iter().map(|p| sheet.frame.px(p)).collect();
        pen.soft_loop(&points);
    }
    pen
}
