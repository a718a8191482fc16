//! What terrain costs a motorised unit, as each game's own charts say; for boards that wait for their game, a chart of
//! the usual kind.

use std::collections::BTreeMap;
use std::path::Path;

use board::{Board, EdgeKind, LineKind};
use hex::{Dir, Hex};
use toml::{Table, Value};

/// The charts of a game are in one of these, beside its map.
const FILES: [&str; 2] = ["charts.toml", "charts/terrain.toml"];

/// For boards without charts yet: what ground costs in points, what hexsides add, and lines at half a point.
const USUAL: &str = r#"
road = { line = ["road", "highway", "railway"], cost = 0.5 }
terrain = [
    { name = "clear", cost = 1 }, { name = "forest", cost = 2 }, { name = "hills", cost = 3 }, { name = "marsh", cost = 4 },
    { name = "swamp", cost = 4 }, { name = "mountain", cost = 5 }, { name = "rough", cost = 2 }, { name = "city", cost = 1 },
]
hexside = [{ name = "river", extra = 2, bridge = "bridge" }, { name = "strait", extra = 4 }]
"#;

/// Lines that the road rate of a chart is for, where the chart does not name them.
const ROADS: [&str; 2] = ["primary-road", "secondary-road"];
/// What a crossing that takes the whole move is counted as, in points.
const WHOLE_MOVE: f64 = 8.0;
/// What terrain and hexsides cost that a chart does not name, in points.
const UNNAMED: (f64, f64) = (2.0, 1.0);

/// A chart laid on a board, in ticks of half a point.
pub struct Chart {
    ground: Vec<u16>,
    /// By kind of hexside: what it adds, nothing if it cannot be crossed.
    extra: Vec<Option<u16>>,
    /// By kind of hexside: what it adds instead of all others, if it is a crossing over them.
    crossing: Vec<Option<u16>>,
    /// Lines with a rate of their own, whatever they lead through.
    roads: Vec<(LineKind, u16)>,
    /// Lines that give some terrain another price.
    easier: Vec<(LineKind, Vec<u16>)>,
}

/// Ticks to the movement point: there are charts with halves.
pub const POINT: u16 = 2;

fn ticks(points: f64) -> u16 {
    (points * f64::from(POINT)).round() as u16
}

fn number(row: &Table, keys: &[&str]) -> Option<f64> {
    let value = keys.iter().find_map(|k| row.get(*k))?;
    value.as_float().or(value.as_integer().map(|n| n as f64))
}

/// The rows of a table of the chart by their name.
fn rows<'a>(chart: &'a Table, key: &str) -> BTreeMap<&'a str, &'a Table> {
    let list = chart.get(key).and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_table);
    list.filter_map(|row| Some((row.get("name")?.as_str()?, row))).collect()
}

impl Chart {
    /// The chart of the game in that data folder, or the usual one.
    pub fn load(data: &Path, board: &Board) -> Result<Chart, String> {
        let file = FILES.iter().map(|name| data.join(name)).find(|path| path.is_file());
        let text = match &file {
            Some(path) => std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?,
            None => USUAL.to_owned(),
        };
        let chart: Table = toml::from_str(&text).map_err(|e| format!("{}: {e}", data.display()))?;
        Ok(Chart::of(&chart, board))
    }

    fn of(chart: &Table, board: &Board) -> Chart {
        let terrain = rows(chart, "terrain");
        let named = |name: &str| {
            let row = terrain.get(name)?;
            // Terrain that changes with the weather is taken as it is in summer.
            let row =
                row.get("before_rain").and_then(Value::as_str).and_then(|s| terrain.get(s)).unwrap_or(row);
            Some(*row)
        };
        let price = |row: Option<&Table>| row.and_then(|r| number(r, &["cost", "mech"])).unwrap_or(UNNAMED.0);
        let ground = board.terrains().iter().map(|t| ticks(price(named(&t.name)))).collect();
        let (hexsides, crossings) = (rows(chart, "hexside"), rows(chart, "crossing"));
        let truth = |row: &Table, key: &str| row.get(key).and_then(Value::as_bool).unwrap_or(false);
        let closed = ["impassable", "impassable_until_frozen", "crossings_only", "only"];
        let extra = |name: &str| match hexsides.get(name) {
            Some(row)
                if closed.iter().any(|key| truth(row, key) || row.get(*key).is_some_and(Value::is_array)) =>
            {
                None
            }
            Some(row) if truth(row, "whole_move") => Some(ticks(WHOLE_MOVE)),
            Some(row) => Some(ticks(number(row, &["extra", "mech"]).unwrap_or(UNNAMED.1))),
            None => Some(ticks(UNNAMED.1)),
        };
        let bridge = |name: &str| {
            let undone = hexsides.values().any(|r| r.get("bridge").and_then(Value::as_str) == Some(name));
            let price = crossings.get(name).and_then(|row| number(row, &["mech"]));
            price.or(undone.then_some(0.0)).map(ticks)
        };
        let kinds = board.hexside_kinds();
        let line = |name: &str| board.line_kind(name);
        let mut roads = Vec::new();
        if let Some(road) = chart.get("road").and_then(Value::as_table) {
            let rate = ticks(number(road, &["cost"]).unwrap_or(0.5));
            let names = match road.get("line") {
                Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).collect(),
                name => name.and_then(Value::as_str).into_iter().collect::<Vec<_>>(),
            };
            roads.extend(names.into_iter().filter_map(line).map(|l| (l, rate)));
        }
        let movement = chart.get("movement").and_then(Value::as_table);
        if let Some(halves) = movement.and_then(|m| number(m, &["road_mech_halves"])) {
            roads.extend(ROADS.into_iter().filter_map(line).map(|l| (l, ticks(halves / 2.0))));
        }
        let easier = line("highway").filter(|_| terrain.values().any(|row| row.contains_key("highway")));
        let along = |row: Option<&Table>| row.and_then(|r| number(r, &["highway"])).unwrap_or(price(row));
        let along: Vec<u16> = board.terrains().iter().map(|t| ticks(along(named(&t.name)))).collect();
        Chart {
            ground,
            extra: kinds.iter().map(|k| extra(&k.name)).collect(),
            crossing: kinds.iter().map(|k| bridge(&k.name)).collect(),
            roads,
            easier: easier.map(|l| (l, along)).into_iter().collect(),
        }
    }

    /// The ticks of a step; none if it is forbidden.
    pub fn step(&self, board: &Board, from: Hex, dir: Dir, to: Hex) -> Option<u16> {
        let passable = |hex| board.playable().contains(hex) && board.is_land(hex);
        if !passable(from) || !passable(to) || board.blocked(from, dir) {
            return None;
        }
        let lines = board.line_kinds(from, dir);
        if let Some((_, rate)) = self.roads.iter().find(|(l, _)| lines.has(*l)) {
            return Some(*rate);
        }
        let easier = self.easier.iter().find(|(l, _)| lines.has(*l)).map(|(_, ground)| ground);
        let ground = easier.unwrap_or(&self.ground)[board.terrain(to).ix()];
        let kinds = board.edge(from, dir);
        let sides = || (0..self.extra.len()).filter(|&k| kinds.has(EdgeKind(k as u8)));
        match sides().find_map(|k| self.crossing[k]) {
            Some(crossing) => Some(ground + crossing),
            None => sides().map(|k| self.extra[k]).sum::<Option<u16>>().map(|extra| ground + extra),
        }
    }
}
