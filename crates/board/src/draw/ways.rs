//! Roads and railways, from hex to hex.

use super::glyphs::n2;
use super::palette::Palette;
use super::pen::{Pen, Pt, mid, path, right_of, unit};
use super::sheet::Sheet;
use crate::{Board, EdgeSet, LineKind};
use hex::{Dir, Edge, Hex};

/// The ways from the least to the greatest, so that the greater lie on top.
const ORDER: [&str; 8] =
    ["shipping", "track", "road-minor", "road", "highway", "rail-unfinished", "rail-minor", "rail"];

/// All ways of the board.
pub(super) fn draw(sheet: &Sheet<'_>) -> String {
    let mut out = String::new();
    for draw in ORDER {
        stroke(sheet.palette, sheet.s(), draw, &pen_of(sheet, draw), &mut out);
    }
    out
}

/// The path of all lines drawn alike; a stretch that two lines share is drawn once.
fn pen_of(sheet: &Sheet<'_>, draw: &str) -> Pen {
    let board = sheet.board;
    let grid = board.grid();
    let alike = |k: LineKind| board.line_kinds_declared()[k.ix()].draw == draw;
    let mut used = EdgeSet::empty(grid);
    let mut pen = Pen::default();
    for line in board.lines().iter().filter(|l| alike(l.kind)) {
        let mut run: Vec<Hex> = Vec::new();
        for pair in line.hexes.windows(2) {
            let fresh = Edge::between(grid, pair[0], pair[1]).is_some_and(|e| used.insert(e));
            if !fresh {
                trace(sheet, draw, &run, &alike, &mut pen);
                run.clear();
                continue;
            }
            if run.is_empty() {
                run.push(pair[0]);
            }
            run.push(pair[1]);
        }
        trace(sheet, draw, &run, &alike, &mut pen);
    }
    pen
}

/// One run of hexes: through the middles of sides, bending at the centres, and to the very centre where something is.
fn trace(sheet: &Sheet<'_>, draw: &str, run: &[Hex], alike: &dyn Fn(LineKind) -> bool, pen: &mut Pen) {
    let [first, .., last] = run else { return };
    let board = sheet.board;
    let frame = &sheet.frame;
    let s = sheet.s();
    let rail = draw.starts_with("rail");
    // Where a road and a railway share a hexside, the railway keeps to the right.
    let shift = |a: Hex, b: Hex| -> Pt {
        let shared = rail
            && board.grid().dir(a, b).is_some_and(|dir| {
                let kinds = board.line_kinds(a, dir);
                kinds.iter().any(|k| {
                    let d = board.line_kinds_declared()[k.ix()].draw.as_str();
                    matches!(d, "road" | "road-minor" | "highway" | "track")
                })
            });
        let right = right_of(unit(frame.hex_center_px(a), frame.hex_center_px(b)));
        if shared { (right.0 * 0.13 * s, right.1 * 0.13 * s) } else { (0.0, 0.0) }
    };
    let add = |p: Pt, d: Pt| (p.0 + d.0, p.1 + d.1);
    let knot = |hex: Hex| {
        let branches = Dir::ALL.into_iter().filter(|&d| board.line_kinds(hex, d).iter().any(alike)).count();
        branches != 2
            || board.place_at(hex).is_some_and(|p| is_settlement(&board.place_kinds()[p.kind.ix()].draw))
    };
    // A way that ends at the rim without an aim there leads off the map.
    let off_map = |end: Hex, inner: Hex| -> Option<Pt> {
        let grid = board.grid();
        let aim = knot_aim(board, end)
            || Dir::ALL.into_iter().filter(|&d| board.line_kinds(end, d).iter().any(alike)).count() > 1;
        let straight = grid.dir(inner, end)?;
        let beyond = |d: Dir| grid.neighbour(end, d).is_none();
        let dir =
            [straight, straight.clockwise(), straight.anticlockwise()].into_iter().find(|&d| beyond(d))?;
        let corners = frame.hex_polygon_px(end);
        (!aim).then(|| mid(corners[dir.anticlockwise().ix()], corners[dir.ix()]))
    };
    match off_map(*first, run[1]) {
        Some(rim) => pen.to(rim).line(frame.hex_center_px(*first)),
        None => pen.to(frame.hex_center_px(*first)),
    };
    for i in 1..run.len() {
        let (here, back) = (run[i], run[i - 1]);
        let in_by = shift(back, here);
        let entry = add(mid(frame.hex_center_px(back), frame.hex_center_px(here)), in_by);
        if i == 1 {
            pen.line(entry);
        }
        let centre = frame.hex_center_px(here);
        if here == *last && i + 1 == run.len() {
            match off_map(here, back) {
                Some(rim) => pen.curve(centre, rim),
                None => pen.line(centre),
            };
        } else {
            let next = run[i + 1];
            let out_by = shift(here, next);
            let exit = add(mid(centre, frame.hex_center_px(next)), out_by);
            if knot(here) {
                pen.line(centre).line(exit);
            } else {
                pen.curve(add(centre, mid(in_by, out_by)), exit);
            }
        }
    }
}

/// Whether there is a settlement in a hex.
fn knot_aim(board: &Board, hex: Hex) -> bool {
    board.places_at(hex).any(|p| is_settlement(&board.place_kinds()[p.kind.ix()].draw))
}

fn is_settlement(draw: &str) -> bool {
    matches!(draw, "village" | "town" | "large-town" | "city" | "major-city" | "objective")
}

/// A way's strokes along a path; the legend uses it too.
pub(super) fn stroke(palette: &Palette, s: f64, draw: &str, pen: &Pen, out: &mut String) {
    let mut line = |colour: &str, width: f64, extra: &str| {
        let width = n2(width * s);
        path(
            out,
            pen,
            &format!(
                "fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\" stroke-linejoin=\"round\" {extra}"
            ),
        );
    };
    let dash = |on: f64, off: f64| format!("stroke-dasharray=\"{} {}\"", n2(on * s), n2(off * s));
    match draw {
        "highway" => {
            line(palette.highway.0, 0.115, "stroke-linecap=\"round\"");
            line(palette.highway.1, 0.065, "stroke-linecap=\"round\"");
        }
        "road" => {
            line(palette.road.0, 0.08, "stroke-linecap=\"round\"");
            line(palette.road.1, 0.036, "stroke-linecap=\"round\"");
        }
        "road-minor" => line(palette.road.0, 0.04, "stroke-linecap=\"round\""),
        "track" => line(palette.road.0, 0.036, &dash(0.09, 0.06)),
        "rail" => {
            line(palette.rail.0, 0.034, "");
            line(palette.rail.0, 0.12, &dash(0.03, 0.14));
        }
        "rail-minor" => {
            line(palette.rail.0, 0.026, "");
            line(palette.rail.0, 0.085, &dash(0.026, 0.2));
        }
        "rail-unfinished" => {
            line(palette.rail.0, 0.03, &dash(0.1, 0.07));
            line(palette.rail.0, 0.1, &dash(0.026, 0.31));
        }
        "shipping" => line(palette.water_ink, 0.03, &dash(0.03, 0.07)),
        _ => {}
    }
}
