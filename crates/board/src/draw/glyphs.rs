//! Small pictures that repeat: trees, tufts, peaks, in a few arrangements of each so that the eye sees no pattern.

use super::noise::noise;
use super::palette::Palette;
use super::pen::{Pen, Pt, n, path};
use std::fmt::Write;

/// Arrangements of each texture.
pub(super) const ARRANGEMENTS: usize = 5;

/// The textures as definitions, each for a hex of `s` pixels around the origin.
pub(super) fn definitions(draws: &[&str], palette: &Palette, s: f64, out: &mut String) {
    for draw in draws {
        let Some((_, ink)) = palette.terrain(draw) else { continue };
        for k in 0..ARRANGEMENTS {
            let _ = writeln!(out, "<g id=\"{draw}-{k}\">");
            texture(draw, ink, palette, k as u64, s, out);
            let _ = writeln!(out, "</g>");
        }
    }
}

fn texture(draw: &str, ink: &str, palette: &Palette, k: u64, s: f64, out: &mut String) {
    match draw {
        "forest" => trees(&spots(0.2, 0.40, 0.06, k), ink, s, 1.0, out),
        "woods" => trees(&spots(0.31, 0.37, 0.08, k), ink, s, 0.95, out),
        "hills" => hills(&spots(0.29, 0.35, 0.05, k), ink, s, out),
        "rough" => rough(&spots(0.25, 0.36, 0.06, k), ink, s, out),
        "wooded-rough" => {
            rough(&spots(0.34, 0.36, 0.05, k), palette.rough.1, s, out);
            trees(&spots(0.33, 0.36, 0.08, k + 50), ink, s, 0.85, out);
        }
        "marsh" => tufts(&spots(0.25, 0.38, 0.05, k), ink, s, "", out),
        "seasonal-marsh" => tufts(&spots(0.34, 0.36, 0.06, k), ink, s, "opacity=\"0.75\" ", out),
        "mountain" => peaks(&spots(0.27, 0.36, 0.045, k), ink, palette.land, s, 1.0, out),
        "alpine" => peaks(&spots(0.31, 0.36, 0.04, k), ink, palette.paper, s, 1.2, out),
        "desert" => dots(&spots(0.15, 0.42, 0.05, k), ink, s, out),
        "steppe" => grass(&spots(0.33, 0.38, 0.08, k), ink, s, out),
        "city" => blocks(ink, s, k, out),
        _ => {}
    }
}

/// Spots in a hex about `apart` from each other, shaken a little, from the back to the front.
fn spots(apart: f64, within: f64, shake: f64, salt: u64) -> Vec<Pt> {
    let mut all = Vec::new();
    let rows = (within / (apart * 0.85)).ceil() as i64;
    for row in -rows..=rows {
        let indent = if row % 2 == 0 { 0.0 } else { 0.5 };
        for column in -6..=6i64 {
            let x = (column as f64 + indent) * apart + shake * noise(row, column, salt * 2 + 1);
            let y = row as f64 * apart * 0.85 + shake * noise(column, row, salt * 2 + 2);
            // The number of the hex stays legible.
            if x.hypot(y) <= within && !(y < -0.24 && x.abs() < 0.24) {
                all.push((x, y));
            }
        }
    }
    all.sort_by(|a, b| a.1.total_cmp(&b.1));
    all
}

/// Crowns with a shadow to the south-east.
fn trees(spots: &[Pt], ink: &str, s: f64, size: f64, out: &mut String) {
    let (mut crowns, mut lights) = (Pen::default(), Pen::default());
    for (i, &(x, y)) in spots.iter().enumerate() {
        let r = s * 0.062 * size * (1.0 + 0.2 * noise(i as i64, 3, 9));
        let (cx, cy) = (x * s, y * s);
        crowns.0.push_str(&disc(cx, cy, r));
        lights.0.push_str(&disc(cx - r * 0.28, cy - r * 0.3, r * 0.5));
    }
    path(out, &crowns, &format!("fill=\"{ink}\" fill-opacity=\"0.85\""));
    path(out, &lights, "fill=\"#fff\" fill-opacity=\"0.17\"");
}

fn disc(cx: f64, cy: f64, r: f64) -> String {
    let (left, right, y, r) = (n(cx - r), n(cx + r), n(cy), n(r));
    format!("M{left} {y}A{r} {r} 0 0 1 {right} {y}A{r} {r} 0 0 1 {left} {y}Z")
}

/// A brow with hachures falling from it.
fn hills(spots: &[Pt], ink: &str, s: f64, out: &mut String) {
    let (mut brows, mut strokes) = (Pen::default(), Pen::default());
    for (i, &(x, y)) in spots.iter().enumerate() {
        let w = 0.125 * (1.0 + 0.25 * noise(i as i64, 5, 4));
        let at = |dx: f64, dy: f64| ((x + dx) * s, (y + dy) * s);
        brows.to(at(-w, 0.05)).curve(at(0.0, -0.12), at(w, 0.05));
        for j in -2..=2 {
            let t = f64::from(j) / 2.6;
            let top = at(t * w, 0.05 - 0.087 * (1.0 - t * t));
            strokes.to(top).line((top.0 + t * 0.035 * s, top.1 + (0.062 - 0.012 * t.abs()) * s));
        }
    }
    let line = |w: f64| {
        format!("fill=\"none\" stroke=\"{ink}\" stroke-width=\"{}\" stroke-linecap=\"round\"", n2(w * s))
    };
    path(out, &brows, &line(0.026));
    path(out, &strokes, &format!("{} opacity=\"0.75\"", line(0.016)));
}

/// Broken ground: small angles.
fn rough(spots: &[Pt], ink: &str, s: f64, out: &mut String) {
    let mut pen = Pen::default();
    for (i, &(x, y)) in spots.iter().enumerate() {
        let h = 0.07 * (1.0 + 0.3 * noise(i as i64, 1, 6));
        let at = |dx: f64, dy: f64| ((x + dx) * s, (y + dy) * s);
        pen.lines(&[
            at(-0.065, h * 0.6),
            at(-0.01, -h),
            at(0.03, h * 0.1),
            at(0.06, -h * 0.3),
            at(0.09, h * 0.6),
        ]);
    }
    let width = n2(0.022 * s);
    path(
        out,
        &pen,
        &format!("fill=\"none\" stroke=\"{ink}\" stroke-width=\"{width}\" stroke-linejoin=\"round\""),
    );
}

/// Water line and three blades.
fn tufts(spots: &[Pt], ink: &str, s: f64, extra: &str, out: &mut String) {
    let mut pen = Pen::default();
    for &(x, y) in spots {
        let at = |dx: f64, dy: f64| ((x + dx) * s, (y + dy) * s);
        pen.to(at(-0.085, 0.03)).line(at(0.085, 0.03));
        for (foot, tip) in [(-0.03, -0.05), (0.0, 0.0), (0.03, 0.05)] {
            pen.to(at(foot, 0.02)).line(at(tip, if tip == 0.0 { -0.065 } else { -0.04 }));
        }
    }
    let width = n2(0.02 * s);
    path(
        out,
        &pen,
        &format!("{extra}fill=\"none\" stroke=\"{ink}\" stroke-width=\"{width}\" stroke-linecap=\"round\""),
    );
}

/// Peaks, lit from the north-west.
fn peaks(spots: &[Pt], ink: &str, light: &str, s: f64, size: f64, out: &mut String) {
    for (i, &(x, y)) in spots.iter().enumerate() {
        let h = 0.13 * size * (1.0 + 0.3 * noise(i as i64, 2, 8));
        let at = |dx: f64, dy: f64| ((x + dx) * s, (y + dy) * s);
        let (top, left, right) = (at(0.0, -h), at(-h * 0.85, h * 0.55), at(h * 0.85, h * 0.55));
        let ridge = [top, at(0.02, -h * 0.35), at(-0.015, 0.0), at(0.015, h * 0.55)];
        let mut lit = Pen::default();
        lit.lines(&[top, left]).line(ridge[3]).line(ridge[2]).line(ridge[1]).close();
        path(out, &lit, &format!("fill=\"{light}\" fill-opacity=\"0.55\""));
        let mut shade = Pen::default();
        shade.lines(&[top, right]).line(ridge[3]).line(ridge[2]).line(ridge[1]).close();
        path(out, &shade, &format!("fill=\"{ink}\" fill-opacity=\"0.65\""));
        let mut edge = Pen::default();
        edge.lines(&[left, top, right]);
        let width = n2(0.02 * s);
        path(
            out,
            &edge,
            &format!("fill=\"none\" stroke=\"{ink}\" stroke-width=\"{width}\" stroke-linejoin=\"round\""),
        );
    }
}

fn dots(spots: &[Pt], ink: &str, s: f64, out: &mut String) {
    let mut pen = Pen::default();
    for (i, &(x, y)) in spots.iter().enumerate() {
        pen.0.push_str(&disc(x * s, y * s, s * 0.013 * (1.0 + 0.5 * noise(i as i64, 4, 2))));
    }
    path(out, &pen, &format!("fill=\"{ink}\" fill-opacity=\"0.8\""));
}

fn grass(spots: &[Pt], ink: &str, s: f64, out: &mut String) {
    let mut pen = Pen::default();
    for &(x, y) in spots {
        let at = |dx: f64, dy: f64| ((x + dx) * s, (y + dy) * s);
        pen.to(at(-0.025, -0.03)).line(at(0.0, 0.03)).line(at(0.025, -0.03));
    }
    let width = n2(0.016 * s);
    path(out, &pen, &format!("fill=\"none\" stroke=\"{ink}\" stroke-width=\"{width}\" opacity=\"0.7\""));
}

/// Blocks of houses with streets between.
fn blocks(ink: &str, s: f64, k: u64, out: &mut String) {
    let mut pen = Pen::default();
    for row in -2..=2i64 {
        for column in -2..=2i64 {
            let (x, y) = (column as f64 * 0.155, row as f64 * 0.145);
            if x.hypot(y) > 0.38 {
                continue;
            }
            let shrink = |salt: u64| 0.052 + 0.014 * noise(row + 9, column, k * 4 + salt);
            let (w, h) = (shrink(1), shrink(2));
            let at = |dx: f64, dy: f64| ((x + dx) * s, (y + dy) * s);
            pen.polygon(&[at(-w, -h), at(w, -h), at(w, h), at(-w, h)]);
        }
    }
    path(out, &pen, &format!("fill=\"{ink}\" fill-opacity=\"0.55\""));
}

/// A number with two decimals, for the widths of fine strokes.
pub(super) fn n2(x: f64) -> String {
    format!("{x:.2}")
}
