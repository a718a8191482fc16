//! What lies along hexsides: rivers as ribbons, crests, bridges, ferries.

use super::glyphs::n2;
use super::noise::noise;
use super::pen::{Pen, Pt, along, mid, path, right_of, toward, unit};
use super::sheet::Sheet;
use crate::{Corner, Hexside};
use hex::{Edge, Grid};
use std::collections::BTreeMap;

/// A watercourse as a chain of corners.
pub(super) struct Course {
    pub name: String,
    pub draw: String,
    /// The corners, shaken a little, in pixels.
    pub points: Vec<Pt>,
}

/// The width of a river in hexes.
fn width(draw: &str) -> f64 {
    match draw {
        "river-great" => 0.21,
        "river-major" => 0.135,
        _ => 0.08,
    }
}

/// The rivers as casing and core.
pub(super) fn rivers(sheet: &Sheet<'_>, courses: &[Course]) -> (String, String) {
    let (mut casing, mut core) = (String::new(), String::new());
    let s = sheet.s();
    for draw in ["river", "river-major", "river-great"] {
        let mut pen = Pen::default();
        for course in courses.iter().filter(|c| c.draw == draw) {
            pen.soft(&course.points);
        }
        let stroke = |colour: &str, w: f64| {
            let w = n2(w * s);
            format!(
                "fill=\"none\" stroke=\"{colour}\" stroke-width=\"{w}\" stroke-linecap=\"round\" stroke-linejoin=\"round\""
            )
        };
        path(&mut casing, &pen, &stroke(sheet.palette.shore, width(draw) + 0.045));
        path(&mut core, &pen, &stroke(sheet.palette.water, width(draw)));
    }
    (casing, core)
}

/// The watercourses, each kind and name joined to chains as long as may be.
pub(super) fn courses(sheet: &Sheet<'_>) -> Vec<Course> {
    let board = sheet.board;
    let grid = board.grid();
    let mut groups: BTreeMap<(String, String), Vec<&Hexside>> = BTreeMap::new();
    for h in board.hexsides() {
        let entry = &board.hexside_kinds()[h.kind.ix()];
        if entry.draw.starts_with("river") {
            groups.entry((entry.draw.clone(), h.name.clone())).or_default().push(h);
        }
    }
    // How many watercourses of any kind meet at a corner: where several do, all go to the very point.
    let mut meet: BTreeMap<Corner, usize> = BTreeMap::new();
    for h in groups.values().flatten() {
        for c in Corner::ends(grid, h.edge) {
            *meet.entry(c).or_default() += 1;
        }
    }
    let mut all = Vec::new();
    for ((draw, name), sides) in groups {
        let edges: Vec<Edge> = sides.iter().map(|h| h.edge).collect();
        for chain in chains(grid, &edges) {
            let closed = chain.len() > 2 && chain.first() == chain.last();
            let mut points: Vec<Pt> = chain.iter().map(|&c| shaken(sheet, c)).collect();
            if !closed {
                for (end, inner) in [(0, 1), (chain.len() - 1, chain.len() - 2)] {
                    let open = open_water(sheet, chain[end]);
                    if let Some(centre) = open {
                        let tip = toward(points[end], centre, 0.3);
                        if end == 0 { points.insert(0, tip) } else { points.push(tip) }
                    } else if meet[&chain[end]] == 1 && inner != end {
                        // A source: the last side is not walked to its very corner.
                        points[end] = toward(points[end], points[inner], 0.15);
                    }
                }
            }
            all.push(Course { name: name.clone(), draw: draw.clone(), points: join(points, &chain, &meet) });
        }
    }
    all
}

/// A soft curve cuts its corners, so a river that others join there passes through the very corner: the middle of
/// both neighbouring sides stays, and the corner is doubled by points close to it.
fn join(points: Vec<Pt>, chain: &[Corner], meet: &BTreeMap<Corner, usize>) -> Vec<Pt> {
    if points.len() != chain.len() {
        return points;
    }
    let mut out = Vec::new();
    for (i, &p) in points.iter().enumerate() {
        let inner = i > 0 && i + 1 < points.len();
        if inner && meet[&chain[i]] > 2 {
            out.push(toward(p, points[i - 1], 0.12));
            out.push(toward(p, points[i + 1], 0.12));
        } else {
            out.push(p);
        }
    }
    out
}

/// The centre of a water hex at a corner, if there is one.
fn open_water(sheet: &Sheet<'_>, corner: Corner) -> Option<Pt> {
    let board = sheet.board;
    let at = corner.at();
    let near = |h: &hex::Hex| {
        let c = board.grid().center(*h);
        (c.0 - at.0).hypot(c.1 - at.1) < 0.6
    };
    board.water().iter().find(near).map(|h| sheet.frame.hex_center_px(h))
}

/// A corner moved a little, always the same way, so that ribbons look less ruled.
fn shaken(sheet: &Sheet<'_>, corner: Corner) -> Pt {
    let (x, y) = sheet.frame.corner(corner);
    let by = 0.05 * sheet.s();
    let (a, b) = (i64::from(corner.x), i64::from(corner.y));
    (x + by * noise(a, b, 21), y + by * noise(a, b, 22))
}

/// Hexsides joined end to end.
pub(super) fn chains(grid: &Grid, edges: &[Edge]) -> Vec<Vec<Corner>> {
    let mut at: BTreeMap<Corner, Vec<usize>> = BTreeMap::new();
    let ends: Vec<[Corner; 2]> = edges.iter().map(|&e| Corner::ends(grid, e)).collect();
    for (i, pair) in ends.iter().enumerate() {
        pair.iter().for_each(|&c| at.entry(c).or_default().push(i));
    }
    let mut used = vec![false; edges.len()];
    let mut all = Vec::new();
    let mut walk = |start: Corner, used: &mut Vec<bool>| {
        let mut line = vec![start];
        let mut here = start;
        while let Some(&i) = at[&here].iter().find(|&&i| !used[i]) {
            used[i] = true;
            here = if ends[i][0] == here { ends[i][1] } else { ends[i][0] };
            line.push(here);
        }
        if line.len() > 1 {
            all.push(line);
        }
    };
    // From the ends first, then what is left: branches and rings.
    let loose: Vec<Corner> = at.iter().filter(|(_, v)| v.len() != 2).map(|(&c, _)| c).collect();
    for corner in loose.into_iter().chain(ends.iter().map(|e| e[0])) {
        for _ in 0..3 {
            walk(corner, &mut used);
        }
    }
    all
}

/// Crests and crossings, drawn over the ways.
pub(super) fn crossings(sheet: &Sheet<'_>) -> String {
    let mut out = String::new();
    for h in sheet.board.hexsides() {
        mark(sheet, &sheet.board.hexside_kinds()[h.kind.ix()].draw, h.edge, &mut out);
    }
    for link in sheet.board.links() {
        let (a, b) = (sheet.frame.hex_center_px(link.a), sheet.frame.hex_center_px(link.b));
        ferry(sheet, toward(a, b, 0.12), toward(a, b, 0.88), &mut out);
    }
    out
}

fn mark(sheet: &Sheet<'_>, draw: &str, edge: Edge, out: &mut String) {
    let s = sheet.s();
    let grid = sheet.board.grid();
    let [p, q] = Corner::ends(grid, edge).map(|c| sheet.frame.corner(c));
    let (a, b) = edge.hexes(grid);
    let (a, b) = (sheet.frame.hex_center_px(a), sheet.frame.hex_center_px(b));
    mark_between(sheet.palette, s, draw, [p, q], [a, b], out);
}

/// The mark of a hexside from `p` to `q` between hexes at `a` and `b`; the legend uses it too.
pub(super) fn mark_between(
    palette: &super::Palette,
    s: f64,
    draw: &str,
    [p, q]: [Pt; 2],
    [a, b]: [Pt; 2],
    out: &mut String,
) {
    let (side, across, middle) = (unit(p, q), unit(a, b), mid(p, q));
    match draw {
        "bridge" | "rail-bridge" => {
            let gap = if draw == "bridge" { 0.085 } else { 0.07 };
            let mut pen = Pen::default();
            for hand in [-1.0, 1.0] {
                let rail =
                    |t: f64, out: f64| along(along(middle, across, t * s), side, hand * (gap + out) * s);
                pen.lines(&[rail(-0.17, 0.055), rail(-0.12, 0.0), rail(0.12, 0.0), rail(0.17, 0.055)]);
            }
            let colour = if draw == "bridge" { palette.ink } else { palette.rail.0 };
            path(
                out,
                &pen,
                &format!(
                    "fill=\"none\" stroke=\"{colour}\" stroke-width=\"{}\" stroke-linecap=\"round\"",
                    n2(s * 0.035)
                ),
            );
        }
        "ferry" | "strait" => {
            let (f, t) = (along(middle, across, -0.26 * s), along(middle, across, 0.26 * s));
            ferry_line(palette, s, f, t, draw == "ferry", out);
        }
        "alpine" | "escarpment" => {
            let mut pen = Pen::default();
            let teeth = 5;
            for i in 0..teeth {
                let t = |x: f64| toward(p, q, (i as f64 + x) / f64::from(teeth));
                let high = if draw == "alpine" {
                    0.1 + 0.03 * noise(i64::from(i), middle.0 as i64, 5)
                } else {
                    0.07
                };
                let top = along(t(0.5), right_of(side), -high * s);
                if draw == "alpine" {
                    pen.polygon(&[t(0.0), top, t(1.0)]);
                } else {
                    pen.to(t(0.5)).line(top);
                }
            }
            pen.to(p).line(q);
            let fill = if draw == "alpine" { palette.mountain.1 } else { "none" };
            let ink = palette.mountain.1;
            path(
                out,
                &pen,
                &format!(
                    "fill=\"{fill}\" stroke=\"{ink}\" stroke-width=\"{}\" stroke-linejoin=\"round\"",
                    n2(s * 0.035)
                ),
            );
        }
        "wall" => {
            let mut pen = Pen::default();
            pen.to(p).line(q);
            path(out, &pen, &format!("stroke=\"{}\" stroke-width=\"{}\"", palette.fort, n2(s * 0.09)));
        }
        _ => {}
    }
}

fn ferry(sheet: &Sheet<'_>, a: Pt, b: Pt, out: &mut String) {
    ferry_line(sheet.palette, sheet.s(), a, b, true, out);
}

/// A dashed line with a head at each end.
fn ferry_line(palette: &super::Palette, s: f64, a: Pt, b: Pt, dashed: bool, out: &mut String) {
    let mut pen = Pen::default();
    pen.to(a).line(b);
    let dash = if dashed {
        format!(" stroke-dasharray=\"{} {}\"", n2(s * 0.07), n2(s * 0.05))
    } else {
        String::new()
    };
    let ink = palette.water_ink;
    path(out, &pen, &format!("fill=\"none\" stroke=\"{ink}\" stroke-width=\"{}\"{dash}", n2(s * 0.04)));
    let mut heads = Pen::default();
    for (tip, from) in [(a, b), (b, a)] {
        let back = unit(tip, from);
        let at = |l: f64, w: f64| along(along(tip, back, l * s), right_of(back), w * s);
        heads.polygon(&[at(-0.03, 0.0), at(0.09, 0.06), at(0.09, -0.06)]);
    }
    path(out, &heads, &format!("fill=\"{ink}\""));
}
