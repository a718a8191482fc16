//! Lines along hexsides, zones, edges and boxes.

use super::glyphs::n2;
use super::hexsides::chains;
use super::outline;
use super::palette::Palette;
use super::pen::{Pen, Pt, along, escape, mid, n, path, right_of, toward, unit};
use super::sheet::Sheet;
use super::type_size::{FAMILY, Face};
use crate::Corner;
use hex::Dir;
use std::fmt::Write;

/// The tint of zones, under the signs.
pub(super) fn zones(sheet: &Sheet<'_>) -> String {
    let mut out = String::new();
    for zone in sheet.board.zones().iter().filter(|z| !z.draw.is_empty()) {
        let mut pen = Pen::default();
        for line in outline::outlines(sheet.board.grid(), &zone.hexes) {
            let points: Vec<Pt> = line.into_iter().map(|c| sheet.frame.corner(c)).collect();
            pen.polygon(&points);
        }
        zone_fill(sheet.palette, sheet.s(), &zone.draw, &pen, &mut out);
    }
    out
}

/// How a zone looks; the legend uses it too.
pub(super) fn zone_fill(palette: &Palette, s: f64, draw: &str, pen: &Pen, out: &mut String) {
    let number = draw.strip_prefix("tint-").and_then(|d| d.parse::<usize>().ok()).unwrap_or(1);
    let colour = palette.tints[(number.max(1) - 1) % palette.tints.len()];
    if draw == "outline" {
        let dash = format!("stroke-dasharray=\"{} {}\"", n2(0.12 * s), n2(0.08 * s));
        let style =
            format!("fill=\"none\" stroke=\"{}\" stroke-width=\"{}\" {dash}", palette.ink, n2(0.03 * s));
        path(out, pen, &format!("{style} stroke-opacity=\"0.6\""));
    } else {
        let strength = palette.tint_strength;
        let edge = format!("stroke=\"{colour}\" stroke-opacity=\"0.45\" stroke-width=\"{}\"", n2(0.035 * s));
        path(
            out,
            pen,
            &format!("fill=\"{colour}\" fill-opacity=\"{strength}\" fill-rule=\"evenodd\" {edge}"),
        );
    }
}

/// Borders and other lines along hexsides.
pub(super) fn draw(sheet: &Sheet<'_>) -> String {
    let mut out = String::new();
    let grid = sheet.board.grid();
    for border in sheet.board.borders() {
        let draw = &sheet.board.border_kinds()[border.kind.ix()].draw;
        let edges: Vec<_> = border.edges.iter(grid).collect();
        let lines: Vec<Vec<Pt>> = chains(grid, &edges)
            .into_iter()
            .map(|line| line.into_iter().map(|c| sheet.frame.corner(c)).collect())
            .collect();
        stroke(sheet.palette, sheet.s(), draw, &lines, &mut out);
    }
    out
}

/// The strokes of a border along lines; the legend uses it too.
pub(super) fn stroke(palette: &Palette, s: f64, draw: &str, lines: &[Vec<Pt>], out: &mut String) {
    let mut pen = Pen::default();
    lines.iter().for_each(|l| {
        pen.lines(&rounded(l));
    });
    let mut line = |colour: &str, width: f64, extra: String| {
        let width = n2(width * s);
        path(
            out,
            &pen,
            &format!(
                "fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\" stroke-linejoin=\"round\" {extra}"
            ),
        );
    };
    let dash = |parts: &[f64]| {
        let parts: Vec<String> = parts.iter().map(|p| n2(p * s)).collect();
        format!("stroke-dasharray=\"{}\"", parts.join(" "))
    };
    match draw {
        "border" => {
            line(palette.border, 0.2, "stroke-opacity=\"0.22\"".into());
            line(palette.border, 0.045, dash(&[0.2, 0.07, 0.045, 0.07]));
        }
        "border-minor" => line(palette.border, 0.035, dash(&[0.14, 0.06, 0.035, 0.06])),
        "front" => {
            line(palette.halo, 0.11, "stroke-opacity=\"0.7\"".into());
            line(palette.front, 0.065, String::new());
        }
        "start-line" => {
            line(palette.halo, 0.11, "stroke-opacity=\"0.6\"".into());
            line(palette.front, 0.06, dash(&[0.18, 0.1]));
        }
        "supply-line" => {
            line(palette.halo, 0.11, "stroke-opacity=\"0.6\"".into());
            line(palette.supply, 0.065, dash(&[0.26, 0.08]));
        }
        "weather-line" => {
            line(palette.weather, 0.08, format!("{} stroke-linecap=\"round\"", dash(&[0.001, 0.15])))
        }
        "sector-line" => {
            line(palette.halo, 0.1, "stroke-opacity=\"0.6\"".into());
            line(palette.sector, 0.055, dash(&[0.16, 0.06, 0.06, 0.06]));
        }
        "limit" => line(palette.ink, 0.075, String::new()),
        "fort-line" => {
            line(palette.fort, 0.045, String::new());
            let mut teeth = Pen::default();
            for pair in lines.iter().flat_map(|l| l.windows(2)) {
                let (p, q) = (pair[0], pair[1]);
                let out_ward = right_of(unit(p, q));
                for t in [0.2, 0.5, 0.8] {
                    let foot = toward(p, q, t);
                    let w = 0.045 * s;
                    let (a, b) = (along(foot, unit(p, q), -w), along(foot, unit(p, q), w));
                    let high = 0.085 * s;
                    teeth.polygon(&[a, along(a, out_ward, high), along(b, out_ward, high), b]);
                }
            }
            path(out, &teeth, &format!("fill=\"{}\"", palette.fort));
        }
        _ => {}
    }
}

/// A line with its corners taken off a little.
fn rounded(line: &[Pt]) -> Vec<Pt> {
    if line.len() < 3 {
        return line.to_vec();
    }
    let mut out = vec![line[0]];
    for w in line.windows(3) {
        out.push(toward(w[1], w[0], 0.22));
        out.push(toward(w[1], w[2], 0.22));
    }
    out.extend(line.last());
    out
}

/// A band along the rim for each edge area, with its name in the margin.
pub(super) fn edges(sheet: &Sheet<'_>) -> String {
    let mut out = String::new();
    let (grid, s) = (sheet.board.grid(), sheet.s());
    let mut taken: Vec<(Pt, f64)> = Vec::new();
    for (i, area) in sheet.board.edge_areas().iter().enumerate() {
        let colour = sheet.palette.tints[i % sheet.palette.tints.len()];
        let mut pen = Pen::default();
        let mut middles: Vec<(Pt, Pt)> = Vec::new();
        for hex in area.hexes.iter() {
            let centre = sheet.frame.hex_center_px(hex);
            for dir in Dir::ALL {
                let beyond = grid.neighbour(hex, dir);
                if beyond.is_some_and(|b| sheet.board.playable().contains(b)) {
                    continue;
                }
                let (p, q) = (
                    sheet.frame.corner(Corner::of(grid, hex, dir.anticlockwise())),
                    sheet.frame.corner(Corner::of(grid, hex, dir)),
                );
                let outward = unit(centre, mid(p, q));
                pen.to(along(p, outward, 0.06 * s)).line(along(q, outward, 0.06 * s));
                middles.push((mid(p, q), outward));
            }
        }
        path(
            &mut out,
            &pen,
            &format!(
                "fill=\"none\" stroke=\"{colour}\" stroke-width=\"{}\" stroke-linecap=\"round\"",
                n2(0.12 * s)
            ),
        );
        let count = middles.len().max(1) as f64;
        let sum = |f: &dyn Fn(&(Pt, Pt)) -> f64| middles.iter().map(f).sum::<f64>() / count;
        let mean: Pt = (sum(&|m| m.0.0), sum(&|m| m.0.1));
        let outward: Pt = (sum(&|m| m.1.0), sum(&|m| m.1.1));
        let far = |p: Pt| (p.0 - mean.0).hypot(p.1 - mean.1);
        let Some(at) = middles.iter().map(|m| m.0).min_by(|a, b| far(*a).total_cmp(&far(*b))) else {
            continue;
        };
        let size = (0.26 * s).max(7.0);
        let width = Face::Bold.width(&area.label) * size;
        let (spot, turn) = if outward.0.abs() > outward.1.abs() {
            (along(at, (outward.0.signum(), 0.0), 0.38 * s), if outward.0 > 0.0 { 90.0 } else { -90.0 })
        } else {
            (along(at, (0.0, outward.1.signum()), 0.38 * s), 0.0)
        };
        let clash = |(p, w): &(Pt, f64)| (p.0 - spot.0).hypot(p.1 - spot.1) < (w + width) / 2.0;
        if taken.iter().any(clash) || !sheet.style.names {
            continue;
        }
        taken.push((spot, width));
        let _ = writeln!(
            out,
            "<text transform=\"translate({} {}) rotate({turn})\" y=\"{}\" font-family=\"{FAMILY}\" {} font-size=\"{}\" text-anchor=\"middle\" fill=\"{}\">{}</text>",
            n(spot.0),
            n(spot.1),
            n(size * 0.35),
            Face::Bold.attributes(),
            n2(size),
            sheet.palette.ink,
            escape(&area.label)
        );
    }
    out
}

/// Boxes off the map that say where they are drawn.
pub(super) fn boxes(sheet: &Sheet<'_>) -> String {
    let mut out = String::new();
    let (s, palette) = (sheet.s(), sheet.palette);
    for place in sheet.board.boxes() {
        let Some([x, y, w, h]) = place.at else { continue };
        let (left, top) = sheet.frame.px((x, y));
        let size = 0.3 * s;
        let _ = writeln!(
            out,
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"{}\" fill=\"{}\" stroke=\"{}\" stroke-width=\"{}\"/>",
            n(left),
            n(top),
            n(w * s),
            n(h * s),
            n2(0.1 * s),
            palette.paper,
            palette.ink,
            n2(0.04 * s)
        );
        let _ = writeln!(
            out,
            "<text x=\"{}\" y=\"{}\" font-family=\"{FAMILY}\" {} font-size=\"{}\" text-anchor=\"middle\" fill=\"{}\">{}</text>",
            n(left + w * s / 2.0),
            n(top + size * 1.2),
            Face::Bold.attributes(),
            n2(size),
            palette.ink,
            escape(&place.label)
        );
    }
    out
}
