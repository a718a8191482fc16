//! A draft as the files of a board; `docs/board-format.md` describes them.

use crate::draft::Draft;
use crate::earth::Spot;
use crate::theatre::{Shape, Theatre};
use hex::{Edge, Grid, Hex, HexSet};
use std::collections::BTreeMap;
use std::fmt::Write;

/// The files of the board: name and text.
pub fn files(draft: &Draft, theatre: &Theatre) -> Vec<(&'static str, String)> {
    let mut out = vec![("board.toml", draft.board_toml.clone())];
    let mut add = |name, text: Option<String>| out.extend(text.map(|t| (name, t)));
    add("hexes.tsv", Some(hexes(draft)));
    add("hexsides.tsv", Some(sides(draft)));
    add("lines.tsv", (!draft.lines.is_empty()).then(|| lines(draft)));
    add("links.tsv", (!draft.links.is_empty()).then(|| links(draft)));
    add("places.tsv", Some(places(draft)));
    add("borders.tsv", (!draft.borders.is_empty()).then(|| borders(draft)));
    add("zones.tsv", (!draft.zones.is_empty()).then(|| named(draft, "zone", &draft.zones)));
    add("edges.tsv", (!draft.edges.is_empty()).then(|| named(draft, "edge", &draft.edges)));
    add("shapes.tsv", Some(shapes(draft, theatre)));
    out
}

fn head(draft: &Draft, what: &str, columns: &str) -> String {
    format!(
        "# {what} Written by `make maps` from theatre/; change it there.\n# source: {}\n{columns}\n",
        draft.recipe.source
    )
}

fn key(grid: &Grid, hex: Hex) -> (u16, i16) {
    (grid.column(hex), grid.row(hex))
}

fn hexes(draft: &Draft) -> String {
    let grid = &draft.sheet.grid;
    let mut out = head(draft, "Terrain of hexes that are not of the default.", "hex\tterrain\tflags");
    let mut all: Vec<Hex> =
        grid.hexes().filter(|h| draft.terrain.contains_key(h) || draft.marks.contains_key(h)).collect();
    all.sort_by_key(|h| key(grid, *h));
    for hex in all {
        let terrain = draft.terrain.get(&hex).map_or("", |t| t);
        let flags = draft.marks.get(&hex).map(|f| f.join(" ")).unwrap_or_default();
        row(&mut out, &[&grid.name(hex).to_string(), terrain, &flags]);
    }
    out
}

fn row(out: &mut String, cells: &[&str]) {
    let line = cells.join("\t");
    out.push_str(line.trim_end_matches('\t'));
    out.push('\n');
}

fn ends(grid: &Grid, edge: Edge) -> (Hex, Hex) {
    let (a, b) = edge.hexes(grid);
    if key(grid, a) <= key(grid, b) { (a, b) } else { (b, a) }
}

fn sides(draft: &Draft) -> String {
    let grid = &draft.sheet.grid;
    let mut out = head(draft, "Rivers, coasts and crossings between hexes.", "a\tb\tkind\tname\tflags");
    let mut all: Vec<_> = draft.sides.iter().collect();
    all.sort_by_key(|s| {
        let (a, b) = ends(grid, s.edge);
        (s.kind.clone(), s.name.clone(), key(grid, a), key(grid, b))
    });
    for side in all {
        let (a, b) = ends(grid, side.edge);
        let (a, b) = (grid.name(a).to_string(), grid.name(b).to_string());
        row(&mut out, &[&a, &b, &side.kind, &side.name, &side.flags.join(" ")]);
    }
    out
}

fn lines(draft: &Draft) -> String {
    let grid = &draft.sheet.grid;
    let mut out = head(draft, "Roads and railways, as chains of hexes.", "kind\tname\thexes\tflags");
    for chain in &draft.lines {
        let hexes: Vec<String> = chain.hexes.iter().map(|h| grid.name(*h).to_string()).collect();
        row(&mut out, &[&chain.kind, &chain.name, &hexes.join("-"), &chain.flags.join(" ")]);
    }
    out
}

fn links(draft: &Draft) -> String {
    let grid = &draft.sheet.grid;
    let mut out = head(draft, "Connections of hexes that need not touch.", "kind\tname\ta\tb");
    for (kind, name, a, b) in &draft.links {
        row(&mut out, &[kind, name, &grid.name(*a).to_string(), &grid.name(*b).to_string()]);
    }
    out
}

fn places(draft: &Draft) -> String {
    let grid = &draft.sheet.grid;
    let mut out = head(draft, "Towns, forts and other places.", "hex\tkind\tname\tname_today\tvp\tflags");
    let mut all: Vec<(usize, &crate::places::Place)> = draft.places.iter().enumerate().collect();
    all.sort_by_key(|(i, p)| (key(grid, p.hex), *i));
    for (_, p) in all {
        let vp = p.vp.map(|v| v.to_string()).unwrap_or_default();
        row(&mut out, &[&grid.name(p.hex).to_string(), &p.kind, &p.name, &p.now, &vp, &p.flags.join(" ")]);
    }
    out
}

fn borders(draft: &Draft) -> String {
    let grid = &draft.sheet.grid;
    let mut out = head(draft, "Lines along hexsides.", "kind\tname\tsides");
    for (kind, name, sides) in &draft.borders {
        let mut by_hex: BTreeMap<(u16, i16), (String, Vec<String>)> = BTreeMap::new();
        for edge in sides {
            let (a, b) = ends(grid, *edge);
            let entry = by_hex.entry(key(grid, a)).or_insert_with(|| (grid.name(a).to_string(), Vec::new()));
            entry.1.push(grid.name(b).to_string());
        }
        let mut words = Vec::new();
        for (a, mut others) in by_hex.into_values() {
            others.sort();
            words.push(format!("{a}/{}", others.join(",")));
        }
        for part in words.chunks(24) {
            row(&mut out, &[kind, name, &part.join(" ")]);
        }
    }
    out
}

/// A set as runs down its columns.
fn runs(grid: &Grid, set: &HexSet) -> Vec<String> {
    let mut all: Vec<Hex> = set.iter().collect();
    all.sort_by_key(|h| key(grid, *h));
    let mut out: Vec<String> = Vec::new();
    let mut i = 0;
    while i < all.len() {
        let mut j = i;
        while j + 1 < all.len()
            && grid.column(all[j + 1]) == grid.column(all[i])
            && grid.row(all[j + 1]) == grid.row(all[j]) + 1
        {
            j += 1;
        }
        let (a, b) = (grid.name(all[i]), grid.name(all[j]));
        out.push(if i == j { a.to_string() } else { format!("{a}:{b}") });
        i = j + 1;
    }
    out
}

fn named(draft: &Draft, what: &str, sets: &[(String, HexSet)]) -> String {
    let grid = &draft.sheet.grid;
    let mut out = head(draft, &format!("The hexes of each {what}."), &format!("{what}\thexes"));
    for (name, set) in sets {
        for part in runs(grid, set).chunks(24) {
            row(&mut out, &[name, &part.join(" ")]);
        }
    }
    out
}

fn shapes(draft: &Draft, theatre: &Theatre) -> String {
    let mut out = head(draft, "True outlines of water, for the picture only.", "kind\tname\tpoints");
    let grid = &draft.sheet.grid;
    let spots: Vec<Spot> = grid.hexes().map(|h| draft.sheet.centre(h)).collect();
    let low = spots.iter().fold(Spot::new(f64::MAX, f64::MAX), |a, b| Spot::new(a.x.min(b.x), a.y.min(b.y)));
    let high = spots.iter().fold(Spot::new(f64::MIN, f64::MIN), |a, b| Spot::new(a.x.max(b.x), a.y.max(b.y)));
    let (low, high) = (Spot::new(low.x - 2.0, low.y - 2.0), Spot::new(high.x + 2.0, high.y + 2.0));
    let lakes: Vec<&Shape> =
        theatre.lakes.iter().filter(|l| draft.recipe.water.lakes.contains(&l.name)).collect();
    let rings: Vec<&Shape> = theatre.seas.iter().chain(lakes).collect();
    let mut rows: Vec<(bool, String)> = Vec::new();
    for ring in &rings {
        // An island lies in an odd number of rings of its own water.
        let around = rings
            .iter()
            .filter(|r| r.name == ring.name && !std::ptr::eq(**r, *ring) && r.holds(ring.points[0]))
            .count();
        let spots = ring.points.iter().map(|p| draft.sheet.spot(*p)).collect();
        let clipped = clip(spots, low, high);
        if clipped.len() < 3 {
            continue;
        }
        let island = around % 2 == 1;
        let mut text = format!("{}\t{}\t", if island { "land" } else { "water" }, ring.name);
        for (i, p) in clipped.iter().enumerate() {
            let _ = write!(text, "{}{:.2},{:.2}", if i > 0 { " " } else { "" }, p.x, p.y);
        }
        rows.push((island, text));
    }
    rows.sort_by_key(|r| r.0);
    for (_, text) in rows {
        out.push_str(&text);
        out.push('\n');
    }
    out
}

/// A ring cut to a rectangle, side by side (Sutherland and Hodgman).
fn clip(ring: Vec<Spot>, low: Spot, high: Spot) -> Vec<Spot> {
    let mut out = ring;
    for (across, limit, sign) in
        [(true, low.x, 1.0), (true, high.x, -1.0), (false, low.y, 1.0), (false, high.y, -1.0)]
    {
        let of = |p: Spot| if across { p.x } else { p.y };
        let from = std::mem::take(&mut out);
        for (i, &p) in from.iter().enumerate() {
            let q = from[(i + from.len() - 1) % from.len()];
            let (inside, was) = ((of(p) - limit) * sign >= 0.0, (of(q) - limit) * sign >= 0.0);
            if inside != was {
                let t = (limit - of(q)) / (of(p) - of(q));
                out.push(crate::path::between(q, p, t));
            }
            if inside {
                out.push(p);
            }
        }
    }
    out
}
