//! Names, placed so that none lies on another.
//!
//! The most important place is lettered first, each at the best free spot of eight around its sign; a name that finds
//! no spot is set smaller, and one that finds none even then is left out rather than made illegible.

use super::glyphs::n2;
use super::hexsides::Course;
use super::pen::{Pt, escape, mid, n, unit};
use super::places::reach;
use super::room::{Rect, Room};
use super::sheet::Sheet;
use super::type_size::{FAMILY, Face};
use std::fmt::Write;

/// A name that found its spot.
pub(super) struct Lettering {
    pub words: String,
    at: Pt,
    turn: f64,
    size: f64,
    spacing: f64,
    face: Face,
    colour: &'static str,
    halo: bool,
    opacity: f64,
    /// What it covers.
    pub covers: Vec<Rect>,
}

/// All names of a board at their spots, and the names of places that found none.
pub(super) fn place(sheet: &Sheet<'_>, courses: &[Course]) -> (Vec<Lettering>, Vec<String>) {
    let mut ground = Room::new(sheet, courses);
    let mut all = regions(sheet);
    for region in &all {
        region.covers.iter().for_each(|&r| ground.avoid(r));
    }
    let mut left_out = Vec::new();
    all.extend(towns(sheet, &mut ground, &mut left_out));
    all.extend(rivers(sheet, courses, &mut ground));
    (all, left_out)
}

/// The size and face of a place's name.
fn town_type(draw: &str) -> (f64, Face, bool) {
    match draw {
        "major-city" => (0.37, Face::Bold, true),
        "city" => (0.31, Face::Bold, false),
        "large-town" => (0.27, Face::Bold, false),
        "town" => (0.25, Face::Medium, false),
        "landmark" | "peak" => (0.22, Face::Italic, false),
        _ => (0.22, Face::Medium, false),
    }
}

/// The smallest lettering of a place, in pixels; a river's may be a little smaller.
const LEAST: f64 = 8.5;

fn towns(sheet: &Sheet<'_>, ground: &mut Room, left_out: &mut Vec<String>) -> Vec<Lettering> {
    let (board, s) = (sheet.board, sheet.s());
    let mut order: Vec<usize> = Vec::new();
    for (i, place) in board.places().iter().enumerate() {
        // A city over several hexes is named once.
        let named = board.places()[..i].iter().any(|p| p.name == place.name);
        if !place.name.is_empty() && !named {
            order.push(i);
        }
    }
    let draw = |i: usize| board.place_kinds()[board.places()[i].kind.ix()].draw.as_str();
    let size = |i: usize| (town_type(draw(i)).0 * 1000.0) as i64;
    order.sort_by_key(|&i| (-size(i), -i64::from(board.places()[i].vp.unwrap_or(0)), i));
    let mut all = Vec::new();
    for i in order {
        let place = &board.places()[i];
        let (size, face, capitals) = town_type(draw(i));
        let words = if capitals { place.name.to_uppercase() } else { place.name.clone() };
        let parts: Vec<Pt> = board
            .places()
            .iter()
            .filter(|p| p.name == place.name)
            .map(|p| sheet.frame.hex_center_px(p.hex))
            .collect();
        let clear = if sheet.style.covered.contains(place.hex) { super::COUNTER } else { 0.0 };
        let clear = reach(draw(i)).max(clear) * s;
        let best = [1.0, 0.88, 0.78].into_iter().find_map(|shrink| {
            let size = size * s * shrink;
            let size = size.max(LEAST);
            spot(&parts, clear, &words, face, size, place.vp.is_some(), ground).map(|found| (found, size))
        });
        let Some(((at, rect), size)) = best else {
            left_out.push(place.name.clone());
            continue;
        };
        ground.forbid(rect);
        all.push(Lettering {
            words,
            at,
            turn: 0.0,
            size,
            spacing: 0.0,
            face,
            colour: sheet.palette.ink,
            halo: true,
            opacity: 1.0,
            covers: vec![rect],
        });
    }
    all
}

/// The best free spot around a sign, if any: where the middle of the baseline goes and what the name covers.
fn spot(
    parts: &[Pt],
    reach: f64,
    words: &str,
    face: Face,
    size: f64,
    has_vp: bool,
    ground: &Room,
) -> Option<(Pt, Rect)> {
    let (w, h) = (face.width(words) * size, size * 0.74);
    let mut best: Option<(usize, Pt, Rect)> = None;
    for (part, &centre) in parts.iter().enumerate() {
        for ring in 0..3 {
            let gap = reach + size * (0.16 + 0.42 * f64::from(ring));
            let diagonal = gap * 0.75;
            // Middle of the name from the centre of the sign; the first is liked best.
            let offers = [
                (gap + w / 2.0, 0.0),
                (0.0, gap + h / 2.0),
                (0.0, -gap - h / 2.0),
                (-gap - w / 2.0, 0.0),
                (diagonal + w / 2.0, -diagonal - h / 2.0),
                (diagonal + w / 2.0, diagonal + h / 2.0),
                (-diagonal - w / 2.0, diagonal + h / 2.0),
                (-diagonal - w / 2.0, -diagonal - h / 2.0),
                (w * 0.25, gap + h / 2.0),
                (-w * 0.25, gap + h / 2.0),
                (w * 0.25, -gap - h / 2.0),
                (-w * 0.25, -gap - h / 2.0),
            ];
            for (taste, (dx, dy)) in offers.into_iter().enumerate() {
                let middle = (centre.0 + dx, centre.1 + dy);
                let rect = Rect {
                    left: middle.0 - w / 2.0 - size * 0.04,
                    right: middle.0 + w / 2.0 + size * 0.04,
                    top: middle.1 - h / 2.0,
                    bottom: middle.1 + h / 2.0,
                };
                if !ground.free(&rect) {
                    continue;
                }
                // The circle with points stands in the south-east; a name there would seem to belong to it.
                let crowd = usize::from(has_vp && taste == 5) * 2;
                let cost = ground.spoils(&rect) * 3 + taste + crowd + ring as usize * 9 + part;
                if best.is_none_or(|(c, _, _)| cost < c) {
                    best = Some((cost, (middle.0, middle.1 + size * 0.345), rect));
                }
            }
        }
    }
    best.map(|(_, at, rect)| (at, rect))
}

/// The names of rivers along their course.
fn rivers(sheet: &Sheet<'_>, courses: &[Course], ground: &mut Room) -> Vec<Lettering> {
    let s = sheet.s();
    let mut all: Vec<Lettering> = Vec::new();
    for course in courses.iter().filter(|c| !c.name.is_empty()) {
        let size = s * match course.draw.as_str() {
            "river-great" => 0.3,
            "river-major" => 0.26,
            _ => 0.22,
        };
        let size = size.max(LEAST * 0.92);
        let width = Face::Italic.width(&course.name) * size;
        let mut offers: Vec<(i64, Pt, f64, Vec<Rect>)> = Vec::new();
        let points = &course.points;
        for i in 0..points.len() {
            for j in i + 2..(i + 9).min(points.len()) {
                let (a, b) = (points[i], points[j]);
                let length = (b.0 - a.0).hypot(b.1 - a.1);
                if length < width * 0.95 || length > width * 2.2 + 0.8 * s {
                    continue;
                }
                let (a, b) = if a.0 <= b.0 { (a, b) } else { (b, a) };
                let direction = unit(a, b);
                let turn = direction.1.atan2(direction.0).to_degrees();
                for side in [-1.0, 1.0] {
                    let off = 0.3 * s + size * 0.32;
                    let normal = (-direction.1 * side, direction.0 * side);
                    let m = mid(a, b);
                    let centre = (m.0 + normal.0 * off, m.1 + normal.1 * off);
                    // A little more than the words, so that two rivers' names do not read as one.
                    let covers = slanted(centre, direction, width + size * 1.2, size * 0.74);
                    if !covers.iter().all(|r| ground.free(r)) {
                        continue;
                    }
                    let spoils: usize = covers.iter().map(|r| ground.spoils(r)).sum();
                    let steep = (turn.abs() / 20.0) as i64;
                    offers.push((spoils as i64 * 2 + steep, centre, turn, covers));
                }
            }
        }
        offers.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.0.total_cmp(&b.1.0)).then(a.1.1.total_cmp(&b.1.1)));
        let mut spots: Vec<Pt> = all.iter().filter(|l| l.words == course.name).map(|l| l.at).collect();
        for (_, centre, turn, covers) in offers {
            // A long river is named again, but not before it has run on for a while.
            let far = spots.iter().all(|p| (p.0 - centre.0).hypot(p.1 - centre.1) > 11.0 * s);
            if !far || !covers.iter().all(|r| ground.free(r)) {
                continue;
            }
            covers.iter().for_each(|&r| ground.forbid(r));
            spots.push(centre);
            let (sin, cos) = turn.to_radians().sin_cos();
            let at = (centre.0 - sin * size * 0.33, centre.1 + cos * size * 0.33);
            all.push(Lettering {
                words: course.name.clone(),
                at,
                turn,
                size,
                spacing: 0.0,
                face: Face::Italic,
                colour: sheet.palette.water_ink,
                halo: true,
                opacity: 1.0,
                covers,
            });
        }
    }
    all
}

/// What slanted words cover, as a row of squares.
fn slanted(centre: Pt, direction: Pt, width: f64, height: f64) -> Vec<Rect> {
    let count = (width / height).ceil().max(1.0) as i32;
    (0..count)
        .map(|i| {
            let t = ((f64::from(i) + 0.5) / f64::from(count) - 0.5) * width;
            Rect::around((centre.0 + direction.0 * t, centre.1 + direction.1 * t), height * 0.55)
        })
        .collect()
}

/// Seas, lakes and lands, spread along the line that their row gives.
fn regions(sheet: &Sheet<'_>) -> Vec<Lettering> {
    let s = sheet.s();
    let mut all = Vec::new();
    for label in sheet.board.labels() {
        let (a, b) = (sheet.frame.hex_center_px(label.from), sheet.frame.hex_center_px(label.to));
        let (size, face, colour, opacity) = match label.style.as_str() {
            "sea" => (0.75, Face::Italic, sheet.palette.water_ink, 0.75),
            "lake" => (0.36, Face::Italic, sheet.palette.water_ink, 0.9),
            "country" => (0.8, Face::Bold, sheet.palette.border, 0.45),
            "mountains" => (0.5, Face::Italic, sheet.palette.mountain.1, 0.8),
            _ => (0.5, Face::Italic, sheet.palette.ink, 0.5),
        };
        let size = label.size.unwrap_or(size) * s;
        let natural = face.width(&label.text) * size;
        let length = (b.0 - a.0).hypot(b.1 - a.1);
        let gaps = label.text.chars().count().saturating_sub(1).max(1) as f64;
        let spacing = ((length - natural) / gaps).clamp(0.0, size * 1.6);
        let direction = if length > 1.0 { unit(a, b) } else { (1.0, 0.0) };
        let turn = direction.1.atan2(direction.0).to_degrees();
        let centre = mid(a, b);
        let (sin, cos) = turn.to_radians().sin_cos();
        let width = natural + spacing * gaps;
        all.push(Lettering {
            words: label.text.clone(),
            at: (centre.0 - sin * size * 0.33, centre.1 + cos * size * 0.33),
            turn,
            size,
            spacing,
            face,
            colour,
            halo: false,
            opacity,
            covers: slanted(centre, direction, width, size * 0.8),
        });
    }
    all
}

/// The names as SVG.
pub(super) fn write(sheet: &Sheet<'_>, all: &[Lettering]) -> String {
    let mut out = format!("<g font-family=\"{FAMILY}\" text-anchor=\"middle\">\n");
    for l in all {
        let mut extra = String::new();
        if l.halo {
            let halo = sheet.palette.halo;
            let width = n2(l.size * 0.2);
            let _ = write!(
                extra,
                " stroke=\"{halo}\" stroke-width=\"{width}\" stroke-opacity=\"0.85\" stroke-linejoin=\"round\" paint-order=\"stroke\""
            );
        }
        if l.spacing > 0.05 {
            let _ = write!(extra, " letter-spacing=\"{}\"", n2(l.spacing));
        }
        if l.opacity < 1.0 {
            let _ = write!(extra, " opacity=\"{}\"", l.opacity);
        }
        // Spaced words carry a space after the last letter, which would push them off their middle.
        let x = l.spacing / 2.0;
        let place = if l.turn == 0.0 {
            format!("x=\"{}\" y=\"{}\"", n(l.at.0 + x), n(l.at.1))
        } else {
            format!(
                "transform=\"translate({} {}) rotate({})\" x=\"{}\"",
                n(l.at.0),
                n(l.at.1),
                n(l.turn),
                n(x)
            )
        };
        let _ = writeln!(
            out,
            "<text {place} {} font-size=\"{}\" fill=\"{}\"{extra}>{}</text>",
            l.face.attributes(),
            n2(l.size),
            l.colour,
            escape(&l.words)
        );
    }
    out.push_str("</g>\n");
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Board;
    use crate::draw::{Frame, Style, hexsides, testing};

    fn sheet<'a>(board: &'a Board, style: &'a Style) -> Sheet<'a> {
        Sheet { board, style, palette: &style.palette, frame: Frame::new(board, style) }
    }

    #[test]
    fn no_two_names_overlap_on_any_board() {
        for (name, board) in testing::boards() {
            let style = Style { hex_px: 40.0, ..Style::default() };
            let sheet = sheet(&board, &style);
            let (all, _) = place(&sheet, &hexsides::courses(&sheet));
            let names: Vec<&Lettering> = all.iter().filter(|l| l.halo).collect();
            assert!(!names.is_empty());
            for (i, a) in names.iter().enumerate() {
                for b in &names[i + 1..] {
                    let clash = a.covers.iter().any(|r| b.covers.iter().any(|q| r.meets(q)));
                    assert!(!clash, "{name}: {} and {}", a.words, b.words);
                }
            }
        }
    }

    #[test]
    fn names_keep_clear_of_counters() {
        for (name, board) in testing::boards() {
            let covered: hex::HexSet = board.places().iter().map(|p| p.hex).collect();
            let style = Style { covered, ..Style::default() };
            let sheet = sheet(&board, &style);
            let (all, _) = place(&sheet, &hexsides::courses(&sheet));
            for l in all.iter().filter(|l| board.places().iter().any(|p| p.name == l.words)) {
                for hex in &style.covered {
                    let counter = Rect::around(sheet.frame.hex_center_px(hex), 0.3 * style.hex_px);
                    assert!(
                        !l.covers.iter().any(|r| r.meets(&counter)),
                        "{name}: {} lies under a counter",
                        l.words
                    );
                }
            }
        }
    }

    #[test]
    fn nearly_every_place_is_named() {
        for (name, board) in testing::boards() {
            let style = Style::default();
            let sheet = sheet(&board, &style);
            let (all, left_out) = place(&sheet, &hexsides::courses(&sheet));
            assert!(left_out.len() * 20 <= all.len(), "{name} leaves out {left_out:?}");
        }
    }
}
