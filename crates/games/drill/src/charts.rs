//! The two charts: what terrain costs and gives, and the results of battle.

use crate::data::Way;
use board::{Board, EdgeKinds};
use hex::{Dir, Hex};
use serde::Deserialize;
use table::{Odds, ResultsTable, Rounding};
use text::{Faults, Files, Source, Toml, read_toml, unknown};

/// `charts/terrain.toml`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TerrainFile {
    #[allow(dead_code, reason = "checked when the file is read")]
    source: Source,
    pub road: RoadEntry,
    pub terrain: Vec<TerrainEntry>,
    pub place: Vec<PlaceEntry>,
    pub hexside: Vec<HexsideEntry>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RoadEntry {
    pub line: String,
    pub cost: f64,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TerrainEntry {
    pub name: String,
    pub cost: u8,
    pub shift: i8,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PlaceEntry {
    pub name: String,
    pub shift: i8,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct HexsideEntry {
    pub name: String,
    pub extra: u8,
    pub halves: bool,
    pub stops: bool,
    pub bridge: String,
}

impl TerrainFile {
    /// Whole points to enter a hex off the road; `None` where nobody goes.
    pub fn cost(&self, board: &Board, h: Hex) -> Option<u8> {
        let name = &board.terrains()[board.terrain(h).ix()].name;
        self.terrain.iter().find(|t| t.name == *name).map(|t| t.cost).filter(|_| board.is_land(h))
    }

    /// The hexside features that a side has, without those that a bridge undoes.
    pub fn hexsides<'a>(
        &'a self,
        board: &'a Board,
        kinds: EdgeKinds,
    ) -> impl Iterator<Item = (&'a HexsideEntry, bool)> {
        let has = move |name: &str| board.edge_kind(name).is_some_and(|k| kinds.has(k));
        self.hexside.iter().filter(move |e| has(&e.name)).map(move |e| (e, has(&e.bridge)))
    }

    /// Whether a road crosses the side of a hex.
    pub fn road(&self, board: &Board, h: Hex, dir: Dir) -> bool {
        board.line_kind(&self.road.line).is_some_and(|k| board.line_kinds(h, dir).has(k))
    }

    /// The road's cost in half points.
    pub fn road_halves(&self) -> u8 {
        (self.road.cost * 2.0).round().clamp(1.0, 100.0) as u8
    }
}

/// Every step of the map with its cost (6.2, 6.3, 6.4).
pub(crate) fn ways(board: &Board, chart: &Toml<TerrainFile>, faults: &mut Faults) -> Vec<[Way; 6]> {
    let (file, chart) = (&chart.file, &chart.value);
    if board.line_kind(&chart.road.line).is_none() {
        let names: Vec<_> = board.line_kinds_declared().iter().map(|l| l.name.as_str()).collect();
        faults.add(file.clone(), None, unknown("line", &chart.road.line, &names));
    }
    if (chart.road.cost * 2.0).fract() != 0.0 || chart.road.cost <= 0.0 {
        let what = format!("a road at {}; expected a positive number of half points", chart.road.cost);
        faults.add(file.clone(), None, what);
    }
    let sides: Vec<_> = board.hexside_kinds().iter().map(|k| k.name.as_str()).collect();
    for e in &chart.hexside {
        for name in [&e.name, &e.bridge] {
            if !sides.contains(&name.as_str()) {
                faults.add(file.clone(), None, unknown("hexside", name, &sides));
            }
        }
    }
    for t in &chart.terrain {
        if !(1..=60).contains(&t.cost) {
            faults.add(file.clone(), None, format!("{} costs {}; expected 1 to 60 points", t.name, t.cost));
        }
    }
    let shut = Way { to: Hex::NONE, cost: 0, open: false, halved: false };
    let mut ways = vec![[shut; 6]; board.grid().len()];
    for h in board.grid().hexes().filter(|&h| chart.cost(board, h).is_some()) {
        for (dir, to) in board.grid().neighbours(h) {
            let Some(ground) = chart.cost(board, to) else { continue };
            if board.blocked(h, dir) {
                continue;
            }
            let kinds = board.edge(h, dir);
            let mut way = Way { to, cost: 2 * ground, open: true, halved: false };
            for (e, bridged) in chart.hexsides(board, kinds) {
                way.halved |= e.halves;
                way.open &= bridged || !e.stops;
                way.cost = way.cost.saturating_add(if bridged { 0 } else { e.extra.saturating_mul(2) });
            }
            if chart.road(board, h, dir) {
                way.cost = chart.road_halves();
            }
            ways[h.ix()][dir.ix()] = way;
        }
    }
    ways
}

/// For each hex the columns that its terrain or place gives a defender (8.6).
pub(crate) fn shifts(
    board: &Board,
    chart: &Toml<TerrainFile>,
    faults: &mut Faults,
) -> Vec<(i8, &'static str)> {
    let chart_file = &chart.value;
    let terrains: Vec<_> = board.terrains().iter().map(|t| t.name.as_str()).collect();
    let places: Vec<_> = board.place_kinds().iter().map(|p| p.name.as_str()).collect();
    for t in chart_file.terrain.iter().filter(|t| !terrains.contains(&t.name.as_str())) {
        faults.add(chart.file.clone(), None, unknown("terrain", &t.name, &terrains));
    }
    for p in chart_file.place.iter().filter(|p| !places.contains(&p.name.as_str())) {
        faults.add(chart.file.clone(), None, unknown("place", &p.name, &places));
    }
    let mut out = vec![(0, ""); board.grid().len()];
    for h in board.grid().hexes() {
        let terrain = &board.terrains()[board.terrain(h).ix()].name;
        let ground = chart_file.terrain.iter().find(|t| t.name == *terrain).map_or(0, |t| t.shift);
        out[h.ix()] = (ground, "terrain");
        for place in board.places_at(h) {
            let kind = &board.place_kinds()[place.kind.ix()].name;
            let shift = chart_file.place.iter().find(|p| p.name == *kind).map_or(0, |p| p.shift);
            if shift < out[h.ix()].0 {
                out[h.ix()] = (shift, "built-up place");
            }
        }
    }
    out
}

/// What a code of the results table does.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ResultEntry {
    pub code: String,
    pub text: String,
    pub attacker: u8,
    pub defender: u8,
    pub retreat: bool,
}

/// `charts/results.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ResultsFile {
    #[allow(dead_code, reason = "checked when the file is read")]
    source: Source,
    columns: Vec<String>,
    rows: Vec<Vec<String>>,
    below: String,
    result: Vec<ResultEntry>,
}

/// The results table, read.
pub(crate) struct Results {
    pub source: String,
    pub table: ResultsTable<u8>,
    pub first_column: i32,
    pub outcomes: Vec<ResultEntry>,
    pub below: u8,
}

/// Reads `charts/results.toml` (8.7).
pub(crate) fn read_results(files: &Files, faults: &mut Faults) -> Option<Results> {
    let read = read_toml::<ResultsFile>(files, "charts/results.toml", faults)?;
    let file = read.file.clone();
    let codes: Vec<_> = read.value.result.iter().map(|r| r.code.clone()).collect();
    let mut number = |code: &str| match codes.iter().position(|c| c == code) {
        Some(i) => i as u8,
        None => {
            faults.add(file.clone(), None, unknown("result", code, &codes));
            0
        }
    };
    let below = number(&read.value.below);
    let rows: Vec<Vec<u8>> =
        read.value.rows.iter().map(|row| row.iter().map(|code| number(code)).collect()).collect();
    let mut steps = Vec::new();
    for column in &read.value.columns {
        match column.split_once(':').map(|(a, d)| (a.parse::<i32>(), d.parse::<i32>())) {
            Some((Ok(a), Ok(d))) if a > 0 && d > 0 => {
                steps.push(Odds::of(a, d, Rounding::Defender).step());
            }
            _ => faults.add(
                file.clone(),
                None,
                format!("\"{column}\" is no column; expected odds such as 3:1"),
            ),
        }
    }
    if steps.windows(2).any(|w| w[1] != w[0] + 1) {
        faults.add(file.clone(), None, "the columns must rise one by one, such as 1:2, 1:1, 2:1");
    }
    if rows.len() != 6 {
        faults.add(
            file.clone(),
            None,
            format!("{} rows; expected 6, one for each face of the die", rows.len()),
        );
    }
    match ResultsTable::new(read.value.columns.clone(), 1, rows) {
        Ok(table) => Some(Results {
            source: read.source.as_str().into(),
            table,
            first_column: *steps.first()?,
            outcomes: read.value.result,
            below,
        }),
        Err(what) => {
            faults.add(file, None, what);
            None
        }
    }
}

impl crate::data::Data {
    /// The results table, to look at.
    pub fn results_chart(&self) -> game::Chart {
        let mut head = vec!["die".to_string()];
        head.extend(self.results.columns().iter().cloned());
        let code = |i: u8| self.outcomes[usize::from(i)].code.clone();
        let rows = self.results.dice().map(|die| {
            let cells = (0..self.results.columns().len()).map(|c| code(self.results.result(c, die)));
            std::iter::once(die.to_string()).chain(cells).collect()
        });
        let mut notes: Vec<String> =
            self.outcomes.iter().map(|r| format!("{}: {}", r.code, r.text)).collect();
        notes.push(format!("Worse than {}: {}.", self.results.columns()[0], code(self.below)));
        game::Chart {
            id: "results".into(),
            name: "Combat results (8.7)".into(),
            source: self.chart_sources[1].clone(),
            head,
            rows: rows.collect(),
            notes,
        }
    }

    /// The terrain chart, to look at.
    pub fn terrain_chart(&self) -> game::Chart {
        let row = |a: &str, b: String, c: String| vec![a.to_string(), b, c];
        let mut rows = Vec::new();
        for t in &self.terrain.terrain {
            rows.push(row(&t.name, t.cost.to_string(), t.shift.to_string()));
        }
        for p in &self.terrain.place {
            rows.push(row(&p.name, "as the ground".into(), p.shift.to_string()));
        }
        for e in &self.terrain.hexside {
            let attack = if e.halves { "attack halved" } else { "-" };
            rows.push(row(&e.name, format!("+{}", e.extra), attack.into()));
        }
        rows.push(row(&self.terrain.road.line, self.terrain.road.cost.to_string(), "-".into()));
        game::Chart {
            id: "terrain".into(),
            name: "Terrain (6.2, 8.6)".into(),
            source: self.chart_sources[0].clone(),
            head: ["terrain", "movement points", "columns for the attacker"].map(String::from).to_vec(),
            rows,
            notes: vec![
                "A bridge takes away what a river or brook costs, not what it does to an attack.".into(),
            ],
        }
    }
}
