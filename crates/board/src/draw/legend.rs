//! The title above the map and the legend below.

use super::borders;
use super::frame::title_height;
use super::glyphs::n2;
use super::hexsides;
use super::palette::Palette;
use super::pen::{Pen, Pt, escape, n, path};
use super::places;
use super::sheet::Sheet;
use super::type_size::{FAMILY, Face};
use super::ways;
use std::fmt::Write;

/// Draws a sample around a point.
type Sample<'a> = Box<dyn Fn(Pt, &mut String) + 'a>;

/// One entry: how to draw its sample around a point, and what it says.
struct Entry<'a> {
    sample: Sample<'a>,
    label: &'a str,
}

/// The title and, right of it, a mark if the map was reconstructed.
pub(super) fn title(sheet: &Sheet<'_>) -> String {
    let (palette, s) = (sheet.palette, sheet.s());
    let high = title_height(s);
    let left = 0.7 * s;
    let size = high * 0.62;
    let mut out = words(sheet.board.name(), (left, high * 0.86), size, Face::Bold, palette.ink, "start");
    if sheet.board.source().reconstructed().is_some() {
        let mark = "RECONSTRUCTED";
        let small = high * 0.26;
        let at = left + Face::Bold.width(sheet.board.name()) * size + size * 0.5;
        let wide = Face::Bold.width(mark) * small + small;
        let (x, y) = (at, high * 0.86 - small * 1.25);
        let _ = writeln!(
            out,
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"2\" fill=\"none\" stroke=\"{}\"/>",
            n(x),
            n(y),
            n(wide),
            n(small * 1.5),
            palette.accent
        );
        out.push_str(&words(
            mark,
            (x + wide / 2.0, y + small * 1.1),
            small,
            Face::Bold,
            palette.accent,
            "middle",
        ));
    }
    out
}

/// The legend and its height in pixels.
pub(super) fn draw(sheet: &Sheet<'_>, top: f64) -> (String, f64) {
    let unit = sheet.s().clamp(24.0, 48.0);
    let size = unit * 0.34;
    let entries = entries(sheet, unit);
    let swatch = unit * 1.5;
    let margin = 0.7 * sheet.s();
    let wide = |entry: &Entry<'_>| swatch + Face::Medium.width(entry.label) * size + unit * 0.8;
    let widths = |rows: usize| -> Vec<f64> {
        entries.chunks(rows).map(|column| column.iter().map(wide).fold(0.0, f64::max)).collect()
    };
    // As few rows as fit, so that the legend lies flat under the map.
    let fits = |&rows: &usize| widths(rows).iter().sum::<f64>() <= sheet.frame.width - 2.0 * margin;
    let rows = (1..entries.len().max(1)).find(fits).unwrap_or(entries.len().max(1));
    let row_height = unit * 0.98;
    let mut out = String::new();
    let mut left = margin;
    for (column, width) in entries.chunks(rows).zip(widths(rows)) {
        for (r, entry) in column.iter().enumerate() {
            let at = (left + swatch / 2.0, top + (r as f64 + 0.5) * row_height);
            (entry.sample)(at, &mut out);
            let spot = (at.0 + swatch / 2.0 + unit * 0.1, at.1 + size * 0.35);
            out.push_str(&words(entry.label, spot, size, Face::Medium, sheet.palette.ink, "start"));
        }
        left += width;
    }
    let mut height = rows as f64 * row_height + unit * 0.3;
    let note = match sheet.board.source().reconstructed() {
        Some(how) => format!("Reconstructed: {how}"),
        None => format!("Source: {}", sheet.board.source()),
    };
    for line in wrapped(&note, size * 0.85, sheet.frame.width - 2.0 * margin) {
        height += size;
        out.push_str(&words(
            &line,
            (margin, top + height),
            size * 0.85,
            Face::Italic,
            sheet.palette.faint,
            "start",
        ));
    }
    (out, height + unit * 0.5)
}

fn wrapped(text: &str, size: f64, width: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if Face::Italic.width(&format!("{line} {word}")) * size <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_string()),
        }
    }
    lines
}

fn entries<'a>(sheet: &Sheet<'a>, u: f64) -> Vec<Entry<'a>> {
    let (board, palette) = (sheet.board, sheet.palette);
    let mut all: Vec<Entry<'a>> = Vec::new();
    let own = sheet.s();
    for t in board.terrains() {
        let draw = t.draw.as_str();
        if draw == "off" {
            continue;
        }
        let used = board.grid().hexes().any(|h| board.entry(h).name == t.name);
        if used {
            all.push(Entry {
                sample: Box::new(move |at, out| terrain(palette, u, own, draw, at, out)),
                label: &t.label,
            });
        }
    }
    for k in board.hexside_kinds().iter().filter(|k| k.draw != "none") {
        all.push(Entry {
            sample: Box::new(move |at, out| hexside(palette, u, &k.draw, at, out)),
            label: &k.label,
        });
    }
    for k in board.line_kinds_declared().iter().filter(|k| k.draw != "none") {
        let sample = move |at: Pt, out: &mut String| {
            let mut pen = Pen::default();
            pen.to((at.0 - 0.65 * u, at.1)).line((at.0 + 0.65 * u, at.1));
            ways::stroke(palette, u, &k.draw, &pen, out);
        };
        all.push(Entry { sample: Box::new(sample), label: &k.label });
    }
    for k in board.place_kinds().iter().filter(|k| k.draw != "none") {
        let low = if matches!(k.draw.as_str(), "fort-line" | "entrenchment") { 0.3 } else { 0.0 };
        let sample =
            move |at: Pt, out: &mut String| places::sign(palette, u, &k.draw, (at.0, at.1 - low * u), out);
        all.push(Entry { sample: Box::new(sample), label: &k.label });
    }
    if board.places().iter().any(|p| p.vp.is_some_and(|v| v != 0)) {
        let sample = move |at: Pt, out: &mut String| places::points(palette, u, "2", at, out);
        all.push(Entry { sample: Box::new(sample), label: "Victory points" });
    }
    for k in board.border_kinds().iter().filter(|k| k.draw != "none") {
        let sample = move |at: Pt, out: &mut String| {
            let line = [-0.65, -0.3, 0.3, 0.65]
                .map(|x: f64| (at.0 + x * u, at.1 + if x.abs() < 0.5 { 0.1 } else { -0.1 } * u));
            borders::stroke(palette, u, &k.draw, &[line.to_vec()], out);
        };
        all.push(Entry { sample: Box::new(sample), label: &k.label });
    }
    if sheet.style.zones {
        for zone in board.zones().iter().filter(|z| !z.draw.is_empty()) {
            let sample = move |at: Pt, out: &mut String| {
                let mut pen = Pen::default();
                pen.polygon(&hexagon(at, 0.44 * u));
                path(out, &pen, &format!("fill=\"{}\"", palette.land));
                borders::zone_fill(palette, u, &zone.draw, &pen, out);
            };
            all.push(Entry { sample: Box::new(sample), label: &zone.label });
        }
    }
    all
}

fn hexagon(at: Pt, half_height: f64) -> [Pt; 6] {
    let side = half_height * 2.0 / 3f64.sqrt();
    [(0.5, -1.0), (1.0, 0.0), (0.5, 1.0), (-0.5, 1.0), (-1.0, 0.0), (-0.5, -1.0)]
        .map(|(x, y): (f64, f64)| (at.0 + x * side, at.1 + y * half_height))
}

/// A hex of a terrain.
fn terrain(palette: &Palette, u: f64, own: f64, draw: &str, at: Pt, out: &mut String) {
    let mut pen = Pen::default();
    pen.polygon(&hexagon(at, 0.46 * u));
    let fill = match draw {
        "sea" | "lake" => palette.water,
        _ => palette.terrain(draw).map_or(palette.land, |t| t.0),
    };
    path(
        out,
        &pen,
        &format!("fill=\"{fill}\" stroke=\"{}\" stroke-width=\"0.7\" stroke-opacity=\"0.6\"", palette.grid),
    );
    if palette.terrain(draw).is_some() {
        let scale = n2(u * 0.92 / own);
        let _ = writeln!(
            out,
            "<use href=\"#{draw}-1\" transform=\"translate({} {}) scale({scale})\"/>",
            n(at.0),
            n(at.1)
        );
    }
}

/// A hexside between two halves of land.
fn hexside(palette: &Palette, u: f64, draw: &str, at: Pt, out: &mut String) {
    let (p, q) = ((at.0 - 0.6 * u, at.1), (at.0 + 0.6 * u, at.1));
    let (a, b) = ((at.0, at.1 + 0.5 * u), (at.0, at.1 - 0.5 * u));
    let mut pen = Pen::default();
    pen.soft(&[p, (at.0 - 0.3 * u, at.1 - 0.12 * u), (at.0 + 0.3 * u, at.1 + 0.12 * u), q]);
    let mut water = |width: f64| {
        let line = |colour: &str, w: f64| {
            format!(
                "fill=\"none\" stroke=\"{colour}\" stroke-width=\"{}\" stroke-linecap=\"round\"",
                n2(w * u)
            )
        };
        path(out, &pen, &line(palette.shore, width + 0.045));
        path(out, &pen, &line(palette.water, width));
    };
    match draw {
        "river" => water(0.08),
        "river-major" => water(0.135),
        "river-great" => water(0.21),
        "sea" | "lake" => water(0.36),
        "strait" | "ferry" => water(0.3),
        "bridge" | "rail-bridge" => water(0.11),
        _ => {}
    }
    hexsides::mark_between(palette, u, draw, [(at.0 - 0.29 * u, at.1), (at.0 + 0.29 * u, at.1)], [a, b], out);
}

fn words(text: &str, at: Pt, size: f64, face: Face, colour: &str, anchor: &str) -> String {
    format!(
        "<text x=\"{}\" y=\"{}\" font-family=\"{FAMILY}\" {} font-size=\"{}\" text-anchor=\"{anchor}\" fill=\"{colour}\">{}</text>\n",
        n(at.0),
        n(at.1),
        face.attributes(),
        n2(size),
        escape(text)
    )
}
