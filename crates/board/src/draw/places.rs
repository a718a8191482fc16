//! Towns, forts and other places as signs.

use super::glyphs::n2;
use super::palette::Palette;
use super::pen::{Pen, Pt, n, path};
use super::sheet::Sheet;
use super::type_size::{FAMILY, Face};
use std::fmt::Write;

/// All places, and the circles with victory points.
pub(super) fn draw(sheet: &Sheet<'_>) -> String {
    let mut out = String::new();
    let s = sheet.s();
    // Built-up ground first, so that no city hides its neighbour's sign.
    for place in sheet.board.places() {
        let draw = &sheet.board.place_kinds()[place.kind.ix()].draw;
        ground(sheet.palette, s, draw, sheet.frame.hex_center_px(place.hex), &mut out);
    }
    for (hex, draws, vp) in by_hex(sheet) {
        let centre = sheet.frame.hex_center_px(hex);
        let mut spare = [(0.0, 0.0), (-0.25, 0.2), (0.27, -0.17), (-0.27, -0.17)].into_iter();
        for draw in &draws {
            // Works lie around the middle, the first other place has it, and the rest stand beside.
            let aside = if is_work(draw) { (0.0, 0.0) } else { spare.next().unwrap_or((0.0, 0.3)) };
            sign(sheet.palette, s, draw, (centre.0 + aside.0 * s, centre.1 + aside.1 * s), &mut out);
        }
        if let Some(vp) = vp {
            let at = vp_spot(centre, s);
            points(sheet.palette, s, &vp.to_string(), at, &mut out);
        }
    }
    out
}

/// Where the circle with victory points stands.
pub(super) fn vp_spot(centre: Pt, s: f64) -> Pt {
    (centre.0 + 0.29 * s, centre.1 + 0.23 * s)
}

/// For each hex with places, in order: how they are drawn, and the victory points.
fn by_hex(sheet: &Sheet<'_>) -> Vec<(hex::Hex, Vec<String>, Option<i16>)> {
    let board = sheet.board;
    let mut all = Vec::new();
    for hex in board.grid().hexes() {
        let mut draws = Vec::new();
        let mut vp = None;
        for place in board.places_at(hex) {
            draws.push(board.place_kinds()[place.kind.ix()].draw.clone());
            for (flag, draw) in [("port", "port"), ("airfield", "airfield"), ("oil", "oil")] {
                if place.flags.has(flag) && !draws.iter().any(|d| d == draw) {
                    draws.push(draw.to_string());
                }
            }
            vp = vp.or(place.vp.filter(|&v| v != 0));
        }
        if !draws.is_empty() {
            // Forts lie around a town, so they are drawn first whatever their row.
            draws
                .sort_by_key(|d| !matches!(d.as_str(), "fort" | "heavy-fort" | "fort-line" | "entrenchment"));
            all.push((hex, draws, vp));
        }
    }
    all
}

/// Whether a sign is a work that lies around what else is in the hex.
fn is_work(draw: &str) -> bool {
    matches!(draw, "fort" | "heavy-fort" | "fort-line" | "entrenchment")
}

/// How far a sign reaches from its centre, in hexes: labels keep off.
pub(super) fn reach(draw: &str) -> f64 {
    match draw {
        "village" => 0.07,
        "town" => 0.1,
        "large-town" => 0.13,
        "city" => 0.19,
        "major-city" => 0.22,
        "fort" | "heavy-fort" => 0.3,
        "none" => 0.0,
        _ => 0.13,
    }
}

/// The ground that a city covers.
fn ground(palette: &Palette, s: f64, draw: &str, at: Pt, out: &mut String) {
    let (radius, strength) = match draw {
        "major-city" => (0.44, "0.95"),
        "city" => (0.34, "0.9"),
        _ => return,
    };
    let mut pen = Pen::default();
    let points: Vec<Pt> = (0..14)
        .map(|i| {
            let angle = f64::from(i) / 14.0 * std::f64::consts::TAU;
            let r = radius * (1.0 + 0.13 * super::noise::noise(i.into(), at.0 as i64, at.1 as u64)) * s;
            (at.0 + r * angle.cos(), at.1 + r * angle.sin())
        })
        .collect();
    pen.soft_loop(&points);
    let (fill, edge) = palette.built;
    path(
        out,
        &pen,
        &format!(
            "fill=\"{fill}\" fill-opacity=\"{strength}\" stroke=\"{edge}\" stroke-width=\"{}\"",
            n2(0.02 * s)
        ),
    );
}

/// One sign; the legend uses it too.
pub(super) fn sign(palette: &Palette, s: f64, draw: &str, at: Pt, out: &mut String) {
    let p = |dx: f64, dy: f64| (at.0 + dx * s, at.1 + dy * s);
    let (ink, edge) = (palette.town, palette.town_edge);
    let mut circle = |r: f64, fill: &str, stroke: &str, w: f64| {
        let _ = writeln!(
            out,
            "<circle cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"{fill}\" stroke=\"{stroke}\" stroke-width=\"{}\"/>",
            n(at.0),
            n(at.1),
            n2(r * s),
            n2(w * s)
        );
    };
    match draw {
        "village" => circle(0.055, edge, ink, 0.028),
        "town" => {
            circle(0.1, edge, ink, 0.03);
            circle(0.048, ink, "none", 0.0);
        }
        "large-town" => {
            square(s, at, 0.115, edge, ink, 0.035, out);
            square(s, at, 0.058, ink, "none", 0.0, out);
        }
        "city" => {
            square(s, at, 0.165, palette.accent, edge, 0.03, out);
            square(s, at, 0.095, edge, "none", 0.0, out);
            square(s, at, 0.062, palette.accent, "none", 0.0, out);
        }
        "major-city" => {
            square(s, at, 0.2, palette.accent, edge, 0.035, out);
            square(s, at, 0.135, edge, "none", 0.0, out);
            square(s, at, 0.1, palette.accent, "none", 0.0, out);
        }
        "fort" | "heavy-fort" => star(palette, s, at, draw == "heavy-fort", out),
        "fort-line" | "entrenchment" => {
            let mut pen = Pen::default();
            let teeth = 6;
            let points: Vec<Pt> = (0..=teeth * 2)
                .map(|i| {
                    let t = f64::from(i) / f64::from(teeth * 2) * 2.0 - 1.0;
                    let up = if draw == "entrenchment" { i % 2 == 0 } else { i / 2 % 2 == 0 };
                    p(t * 0.34, 0.29 + if up { 0.0 } else { 0.07 })
                })
                .collect();
            pen.lines(&points);
            path(
                out,
                &pen,
                &format!(
                    "fill=\"none\" stroke=\"{}\" stroke-width=\"{}\" stroke-linejoin=\"round\"",
                    palette.fort,
                    n2(0.04 * s)
                ),
            );
        }
        "port" => {
            let mut pen = Pen::default();
            pen.to(p(0.0, -0.05)).line(p(0.0, 0.1));
            pen.to(p(-0.055, -0.015)).line(p(0.055, -0.015));
            pen.to(p(-0.09, 0.03)).curve(p(-0.07, 0.11), p(0.0, 0.1)).curve(p(0.07, 0.11), p(0.09, 0.03));
            let _ = writeln!(
                out,
                "<circle cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"{}\" fill-opacity=\"0.9\"/>",
                n(at.0),
                n(at.1 + 0.02 * s),
                n2(0.14 * s),
                palette.halo
            );
            let stroke = format!(
                "fill=\"none\" stroke=\"{}\" stroke-width=\"{}\" stroke-linecap=\"round\"",
                palette.water_ink,
                n2(0.03 * s)
            );
            path(out, &pen, &stroke);
            let _ = writeln!(
                out,
                "<circle cx=\"{}\" cy=\"{}\" r=\"{}\" {stroke}/>",
                n(at.0),
                n(at.1 - 0.075 * s),
                n2(0.026 * s)
            );
        }
        "airfield" => {
            circle(0.12, palette.halo, ink, 0.022);
            let mut pen = Pen::default();
            pen.polygon(&[
                p(0.0, -0.09),
                p(0.02, -0.03),
                p(0.09, 0.02),
                p(0.09, 0.045),
                p(0.02, 0.025),
                p(0.015, 0.065),
                p(0.04, 0.09),
                p(-0.04, 0.09),
                p(-0.015, 0.065),
                p(-0.02, 0.025),
                p(-0.09, 0.045),
                p(-0.09, 0.02),
                p(-0.02, -0.03),
            ]);
            path(out, &pen, &format!("fill=\"{ink}\""));
        }
        "oil" => {
            let mut pen = Pen::default();
            pen.lines(&[p(-0.08, 0.12), p(0.0, -0.12), p(0.08, 0.12)]);
            pen.to(p(-0.055, 0.04)).line(p(0.055, 0.04)).to(p(-0.03, -0.03)).line(p(0.03, -0.03));
            pen.to(p(-0.055, 0.04)).line(p(0.08, 0.12)).to(p(0.055, 0.04)).line(p(-0.08, 0.12));
            path(
                out,
                &pen,
                &format!(
                    "fill=\"none\" stroke=\"{}\" stroke-width=\"{}\" stroke-linejoin=\"round\"",
                    palette.halo,
                    n2(0.07 * s)
                ),
            );
            path(
                out,
                &pen,
                &format!(
                    "fill=\"none\" stroke=\"{ink}\" stroke-width=\"{}\" stroke-linejoin=\"round\"",
                    n2(0.028 * s)
                ),
            );
        }
        "hq" => {
            let mut pen = Pen::default();
            pen.to(p(-0.06, 0.13))
                .line(p(-0.06, -0.12))
                .line(p(0.1, -0.12))
                .line(p(0.1, -0.01))
                .line(p(-0.06, -0.01));
            path(
                out,
                &pen,
                &format!(
                    "fill=\"{}\" stroke=\"{ink}\" stroke-width=\"{}\" stroke-linejoin=\"round\"",
                    palette.accent,
                    n2(0.028 * s)
                ),
            );
        }
        "factory" => {
            let mut pen = Pen::default();
            pen.polygon(&[
                p(-0.12, 0.1),
                p(-0.12, -0.02),
                p(-0.05, 0.03),
                p(-0.05, -0.02),
                p(0.02, 0.03),
                p(0.04, -0.12),
                p(0.09, -0.12),
                p(0.12, 0.1),
            ]);
            path(out, &pen, &format!("fill=\"{ink}\" stroke=\"{edge}\" stroke-width=\"{}\"", n2(0.02 * s)));
        }
        "objective" => {
            let mut pen = Pen::default();
            pen.polygon(&star_points(at, 0.15 * s, 0.065 * s, 5));
            path(
                out,
                &pen,
                &format!(
                    "fill=\"{}\" stroke=\"{edge}\" stroke-width=\"{}\" stroke-linejoin=\"round\"",
                    palette.accent,
                    n2(0.025 * s)
                ),
            );
        }
        "landmark" => circle(0.062, palette.fort, edge, 0.025),
        "peak" => {
            let mut pen = Pen::default();
            pen.polygon(&[p(0.0, -0.11), p(0.1, 0.08), p(-0.1, 0.08)]);
            path(
                out,
                &pen,
                &format!(
                    "fill=\"{}\" stroke=\"{edge}\" stroke-width=\"{}\" stroke-linejoin=\"round\"",
                    palette.mountain.1,
                    n2(0.025 * s)
                ),
            );
        }
        _ => {}
    }
}

fn square(s: f64, at: Pt, half: f64, fill: &str, stroke: &str, width: f64, out: &mut String) {
    let (x, y, w) = (n2(at.0 - half * s), n2(at.1 - half * s), n2(2.0 * half * s));
    let _ = writeln!(
        out,
        "<rect x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{w}\" fill=\"{fill}\" stroke=\"{stroke}\" stroke-width=\"{}\"/>",
        n2(width * s)
    );
}

/// A fort: the outline of bastions around the hex's middle; a heavy one has a second line.
fn star(palette: &Palette, s: f64, at: Pt, heavy: bool, out: &mut String) {
    let mut pen = Pen::default();
    pen.polygon(&star_points(at, 0.32 * s, 0.225 * s, 8));
    let line = |w: f64| {
        let w = n2(w * s);
        format!("fill=\"none\" stroke=\"{}\" stroke-width=\"{w}\" stroke-linejoin=\"round\"", palette.fort)
    };
    path(out, &pen, &line(if heavy { 0.06 } else { 0.035 }));
    if heavy {
        let mut inner = Pen::default();
        inner.polygon(&star_points(at, 0.23 * s, 0.16 * s, 8));
        path(out, &inner, &line(0.025));
    }
}

fn star_points(at: Pt, long: f64, short: f64, points: usize) -> Vec<Pt> {
    (0..points * 2)
        .map(|i| {
            let angle = (i as f64 / points as f64 - 0.5) * std::f64::consts::PI;
            let r = if i % 2 == 0 { long } else { short };
            (at.0 + r * angle.cos(), at.1 + r * angle.sin())
        })
        .collect()
}

/// Victory points in a circle.
pub(super) fn points(palette: &Palette, s: f64, words: &str, at: Pt, out: &mut String) {
    let (x, y, size) = (n(at.0), n(at.1), 0.2 * s);
    let _ = writeln!(
        out,
        "<circle cx=\"{x}\" cy=\"{y}\" r=\"{}\" fill=\"{}\" stroke=\"{}\" stroke-width=\"{}\"/>",
        n2(0.125 * s),
        palette.paper,
        palette.accent,
        n2(0.03 * s)
    );
    let _ = writeln!(
        out,
        "<text x=\"{x}\" y=\"{}\" font-family=\"{FAMILY}\" {} font-size=\"{}\" text-anchor=\"middle\" fill=\"{}\">{words}</text>",
        n(at.1 + 0.35 * size),
        Face::Bold.attributes(),
        n2(size),
        palette.accent
    );
}
