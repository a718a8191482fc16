//! `charts.toml`: the tables and every number that a rule names, read once.

use serde::Deserialize;
use text::{Faults, Files, read_toml};

/// The weather of a turn (23.2, 23.3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
#[repr(u8)]
pub enum Weather {
    /// 23.2.1
    Clear,
    /// 23.2.2
    Overcast,
    /// 23.2.2, in winter.
    OvercastW,
    /// 23.2.3
    Rain,
    /// 23.2.4
    Snow,
}

impl Weather {
    /// All, in order.
    pub const ALL: [Weather; 5] =
        [Weather::Clear, Weather::Overcast, Weather::OvercastW, Weather::Rain, Weather::Snow];

    /// The word of the data files.
    pub fn word(self) -> &'static str {
        ["clear", "overcast", "overcast-w", "rain", "snow"][self as usize]
    }

    /// What players call it.
    pub fn name(self) -> &'static str {
        ["Clear", "Overcast", "Overcast-W", "Rain", "Snow"][self as usize]
    }
}

/// Season of the track (23.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Season {
    /// Always Clear.
    Summer,
    /// From turn 17.
    EarlyFall,
    /// Mud may come (23.3).
    Rasputitsa,
    /// 23.4
    Winter,
}

/// A turn of the track.
#[derive(Clone, Debug, Deserialize)]
pub struct Turn {
    /// Its number.
    pub number: u8,
    /// The days it covers.
    pub dates: String,
    /// Its season.
    pub season: Season,
    /// The VP that the Axis should have (24.2).
    pub benchmark: i16,
}

/// What a Determined Defense may do under a result (11.2.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Colour {
    /// It is allowed.
    Plain,
    /// With -1, and only in a VP hex or as a Desperate Defense.
    Orange,
    /// Not at all.
    Barred,
}

/// What a result does (10.1).
#[derive(Clone, Debug, Deserialize)]
pub struct Outcome {
    /// Its code.
    pub code: String,
    /// Steps the attacker loses.
    pub attacker: u8,
    /// Steps the defender loses.
    pub defender: u8,
    /// `owner` or `opponent`: who picks them (10.2.2).
    pub picks: String,
    /// Hexes of retreat.
    pub retreat: u8,
    /// Hexes of advance.
    pub advance: u8,
    /// A Limited Advance if the defenders are gone (14.2.3).
    #[serde(default)]
    pub limited: bool,
    /// `disrupted` or `full-retreat`, if it retreats.
    #[serde(default)]
    pub status: String,
    /// Whether a Determined Defense is possible at all.
    pub determined: bool,
}

/// The Combat Results Table (8.3, 10.1).
#[derive(Clone, Debug, Deserialize)]
pub struct Combat {
    /// Names of the columns, worst first.
    pub columns: Vec<String>,
    rows: Vec<Vec<String>>,
    colours: Vec<Vec<Colour>>,
    /// What each result does.
    pub result: Vec<Outcome>,
    /// 8-1 and 9-1 use the last column (8.4.1).
    pub last_column_until: i32,
    /// From these odds a DS is sure (8.4.1).
    pub automatic_at: i32,
    /// 8.5.1
    pub most_attack: i32,
    /// 8.5.2
    pub most_defence: i32,
    /// By die and column: index into `result`.
    #[serde(skip)]
    pub cell: Vec<Vec<usize>>,
}

impl Combat {
    /// The result of a column for a die from 1, and its colour.
    pub fn at(&self, column: usize, die: u8) -> (&Outcome, Colour) {
        let r = usize::from(die.max(1) - 1).min(self.cell.len() - 1);
        let c = column.min(self.columns.len() - 1);
        (&self.result[self.cell[r][c]], self.colours[r][c])
    }

    /// A result by its code.
    pub fn named(&self, code: &str) -> usize {
        self.result.iter().position(|r| r.code == code).unwrap_or(0)
    }
}

/// Shifts of columns (9).
#[derive(Clone, Debug, Deserialize)]
pub struct Shifts {
    /// 9.2.1
    pub tank: i32,
    /// 9.2.2
    pub elite_tank: i32,
    /// 9.3.3
    pub air: i32,
    /// 9.4
    pub artillery: i32,
    /// 18.5
    pub massive_barrage: i32,
    /// 9.7.1
    pub fortification: i32,
    /// 9.3.5
    pub air_range: u8,
    /// 9.3.7
    pub air_escort_range: u8,
    /// 5.6.4
    pub entrained_defence: i32,
    /// 13.3.2
    pub full_retreat_defence: i32,
}

/// What a Determined Defense brings (11.4.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stand {
    /// The Retreat is cancelled.
    Success,
    /// 11.6
    Partial,
    /// 11.4.3
    Fail,
}

/// A cell of the Determined Defense table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Held {
    /// What it brings.
    pub stand: Stand,
    /// Steps the attacker loses.
    pub attacker: u8,
    /// The defender picks them.
    pub defender_picks: bool,
    /// Steps the lead unit loses.
    pub defender: u8,
}

/// The Determined Defense table (11.2).
#[derive(Clone, Debug, Deserialize)]
pub struct Determined {
    /// `clear`, `other`, `city`.
    pub columns: Vec<String>,
    /// Codes by die and column.
    pub rows: Vec<Vec<String>>,
    /// Lowest modified roll.
    pub lowest: i32,
    /// Highest modified roll.
    pub highest: i32,
    /// 11.2.4
    pub elite: i32,
    /// 11.2.4
    pub low: i32,
    /// 11.3
    pub support: i32,
    /// 11.2.2
    pub orange: i32,
    /// 11.1.2
    pub all_may_from_turn: u8,
    /// 11.6.2
    pub major_city_battles: u8,
    /// 11.6.2
    pub minor_city_battles: u8,
    /// By die and column.
    #[serde(skip)]
    pub cell: Vec<Vec<Held>>,
}

impl Determined {
    /// The result of a column (0 clear, 1 other, 2 city) for a modified die, with its code.
    pub fn at(&self, column: usize, die: i32) -> (Held, &str) {
        let r = (die.clamp(self.lowest, self.highest) - self.lowest) as usize;
        (self.cell[r][column], &self.rows[r][column])
    }
}

/// Who is doubled in defence (9.5.4, 9.6).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Default)]
#[serde(rename_all = "kebab-case")]
pub enum Doubles {
    /// Nobody.
    #[default]
    None,
    /// Everyone.
    All,
    /// Infantry Types.
    InfantryTypes,
    /// As in a city (9.6.3).
    City,
}

/// A row of the terrain chart; places and terrains alike.
#[derive(Clone, Debug, Deserialize)]
pub struct Ground {
    /// Its name on the board.
    pub name: String,
    /// MP of foot units off road.
    #[serde(default)]
    pub foot: u8,
    /// MP of mechanized units off road.
    #[serde(default)]
    pub mech: u8,
    /// Column shift for an attack into it.
    #[serde(default)]
    pub shift: i32,
    /// Who is doubled there.
    #[serde(default)]
    pub doubles: Doubles,
    /// Whether Tank Shifts are possible there.
    #[serde(default = "yes")]
    pub tanks: bool,
    /// Whether a Fortification may be built there.
    #[serde(default = "yes")]
    pub forts: bool,
    /// Column of the Determined Defense table; empty: the terrain's.
    #[serde(default)]
    pub column: String,
    /// Whether a pocket can have an airfield there (16.5.4).
    #[serde(default)]
    pub airfield: bool,
    /// Hexes that a Line of Supply counts off road (16.3.2).
    #[serde(default = "one")]
    pub supply: u8,
    /// Whether an advance ends there (14.5).
    #[serde(default)]
    pub stops_advance: bool,
    /// Mechanized units advance there by road only (14.5).
    #[serde(default)]
    pub mech_advance_by_road_only: bool,
    /// Modifier to Isolation Attrition (16.5.4).
    #[serde(default)]
    pub isolation: i32,
    /// What it is before the first Rain (23.2.3).
    #[serde(default)]
    pub before_rain: String,
    /// What it is from the first Rain on.
    #[serde(default)]
    pub after_rain: String,
}

/// A kind of hexside or crossing: MP on top of the hex.
#[derive(Clone, Debug, Deserialize)]
pub struct Across {
    /// Its name on the board.
    pub name: String,
    /// MP of foot units.
    #[serde(default)]
    pub foot: u8,
    /// MP of mechanized units.
    #[serde(default)]
    pub mech: u8,
    /// The same in Rain and Mud, if it differs.
    #[serde(default)]
    pub rain_foot: u8,
    /// The same in Rain and Mud.
    #[serde(default)]
    pub rain_mech: u8,
    /// The same when frozen.
    #[serde(default)]
    pub frozen_foot: u8,
    /// The same when frozen.
    #[serde(default)]
    pub frozen_mech: u8,
}

/// Movement (5).
#[derive(Clone, Debug, Deserialize)]
#[expect(missing_docs, reason = "each field is the value of the rule that charts.toml names beside it")]
pub struct Movement {
    pub halves_in_a_point: u8,
    pub road_mech_halves: u8,
    pub road_foot_halves: u8,
    pub secondary_rain_mech_halves: u8,
    pub extended: u8,
    pub tactical_hexes: u8,
    pub enter_zoc: u8,
    pub leave_zoc: u8,
    pub entry_area: u8,
    pub rail_units: u8,
    pub rail_from_map: u8,
    pub asu_free_hexes: u8,
    pub replaced_hexes: u8,
    pub sea_units_each_sea: u8,
    pub kerch_units: u8,
    pub vladimirovka_units: u8,
    pub caspian_box_units: u8,
}

/// Stacking (4).
#[derive(Clone, Debug, Deserialize)]
#[expect(missing_docs, reason = "each field is the value of the rule that charts.toml names beside it")]
pub struct Stacking {
    pub axis: u8,
    pub soviet: u8,
    pub soviet_with_army_hq: u8,
    pub free: u8,
    pub armour_with_guards_or_shock_hq: u8,
}

/// Advance (14.2).
#[derive(Clone, Debug, Deserialize)]
#[expect(missing_docs, reason = "each field is the value of the rule that charts.toml names beside it")]
pub struct Advance {
    pub mech: u8,
    pub cavalry: u8,
    pub others: u8,
    pub slow_army_hq: u8,
    pub out_of_supply: u8,
    pub delay: u8,
    pub reserve: u8,
}

/// Retreats (12, 13.3.2, 27.2.3).
#[derive(Clone, Debug, Deserialize)]
#[expect(missing_docs, reason = "each field is the value of the rule that charts.toml names beside it")]
pub struct Retreat {
    pub automatic: u8,
    pub disengage_most: u8,
    pub extra_to_survive: u8,
}

/// The Rally Table (13.5).
#[derive(Clone, Debug, Deserialize)]
#[expect(missing_docs, reason = "each field is the value of the rule that charts.toml names beside it")]
pub struct Rally {
    pub results: Vec<String>,
    pub shelter: i32,
    pub elite: i32,
    pub low: i32,
}

/// Isolation Attrition (16.5).
#[derive(Clone, Debug, Deserialize)]
#[expect(missing_docs, reason = "each field is the value of the rule that charts.toml names beside it")]
pub struct Isolation {
    pub results: Vec<String>,
    pub airfield_soviet: i32,
    pub airfield_axis: i32,
    pub airfield_axis_snow: i32,
    pub airfield_far: i32,
    pub airfield_far_beyond: u8,
    pub city: i32,
    pub hq: i32,
    pub desert: i32,
    pub most: i32,
}

/// Disengagement (27.2).
#[derive(Clone, Debug, Deserialize)]
#[expect(missing_docs, reason = "each field is the value of the rule that charts.toml names beside it")]
pub struct Disengagement {
    pub results: Vec<String>,
    pub mobile: i32,
    pub disrupted: i32,
}

/// Supply lines (16.3).
#[derive(Clone, Debug, Deserialize)]
#[expect(missing_docs, reason = "each field is the value of the rule that charts.toml names beside it")]
pub struct SupplyLines {
    pub overland: u8,
    pub overland_rain: u8,
}

/// Railheads (17.2).
#[derive(Clone, Debug, Deserialize)]
#[expect(missing_docs, reason = "each field is the value of the rule that charts.toml names beside it")]
pub struct RailheadMoves {
    pub moved: u8,
    pub hexes: u8,
}

/// Resource Points and limits of markers (18.1).
#[derive(Clone, Debug, Deserialize)]
#[expect(missing_docs, reason = "each field is the value of the rule that charts.toml names beside it")]
pub struct Resources {
    pub points: u8,
    pub axis_mobile_supply: u8,
    pub soviet_mobile_supply: u8,
    pub axis_forts: u8,
    pub soviet_forts: u8,
    pub planned_offensives: u8,
    pub reserve_markers: u8,
}

/// Releases (20.4, 20.6, 30.0, 31.0).
#[derive(Clone, Debug, Deserialize)]
#[expect(missing_docs, reason = "each field is the value of the rule that charts.toml names beside it")]
pub struct Release {
    pub garrison_hexes: u32,
    pub stalingrad_hexes: u32,
    pub saratov_hexes: u32,
    pub saratov_turn: u8,
    pub reserve_armies_from_turn: u8,
    pub reserve_armies_a_turn: u8,
    pub trans_caucasus_a_turn: u8,
}

/// Removals (32) and Holding Boxes (34).
#[derive(Clone, Debug, Deserialize)]
#[expect(missing_docs, reason = "each field is the value of the rule that charts.toml names beside it")]
pub struct Removals {
    pub panzer_steps: u8,
    pub tank_corps_steps: u8,
    pub holding_units: u8,
    pub strategic_units: u8,
    pub box_moves: u8,
    pub defenders_revealed: u8,
}

/// The Weather Table and what weather does (23).
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "each field is the value of the rule that charts.toml names beside it")]
pub struct WeatherTable {
    #[serde(rename = "after_rain_or_snow")]
    pub after_rain_or_snow: u8,
    #[serde(rename = "rolls_from_turn")]
    pub rolls_from_turn: u8,
    pub summer: Vec<Weather>,
    pub early_fall: Vec<Weather>,
    pub rasputitsa: Vec<Weather>,
    pub winter: Vec<Weather>,
    #[serde(rename = "winter_from_turn")]
    pub winter_from_turn: u8,
    #[serde(rename = "winter_closes")]
    pub winter_closes: String,
    #[serde(rename = "winter_closes_to")]
    pub winter_closes_to: Vec<String>,
    #[serde(rename = "winter_attack")]
    pub winter_attack: i32,
    #[serde(rename = "winter_attack_least")]
    pub winter_attack_least: i32,
    #[serde(rename = "winter_defence")]
    pub winter_defence: i32,
    #[serde(rename = "winter_defence_least")]
    pub winter_defence_least: i32,
    #[serde(rename = "snow_movement")]
    pub snow_movement: i8,
    #[serde(rename = "snow_advance")]
    pub snow_advance: i8,
    #[serde(rename = "snow_advance_least")]
    pub snow_advance_least: u8,
}

/// Victory (24).
#[derive(Clone, Debug, Deserialize)]
#[expect(missing_docs, reason = "each field is the value of the rule that charts.toml names beside it")]
pub struct Victory {
    pub margin: i16,
    pub entry_penalty: i16,
    pub entry_penalty_areas: Vec<String>,
    pub major_city_penalty: i16,
    pub minor_city_penalty: i16,
    pub baku: i16,
    pub baku_area: String,
    pub baku_beside: Vec<String>,
    pub baku_divisions: u8,
    pub baku_panzers: u8,
    pub elbrus: i16,
    pub elbrus_hex: String,
}

/// Air units (9.3).
#[derive(Clone, Debug, Deserialize)]
#[expect(missing_docs, reason = "each field is the value of the rule that charts.toml names beside it")]
pub struct Air {
    pub one_german_leaves_turn: u8,
}

/// Everything in `charts.toml`.
#[derive(Clone, Debug, Deserialize)]
#[expect(missing_docs, reason = "each field is a table of charts.toml")]
pub struct Charts {
    pub combat: Combat,
    pub shifts: Shifts,
    pub determined: Determined,
    pub terrain: Vec<Ground>,
    pub place: Vec<Ground>,
    pub hexside: Vec<Across>,
    pub crossing: Vec<Across>,
    pub movement: Movement,
    pub stacking: Stacking,
    pub advance: Advance,
    pub retreat: Retreat,
    pub rally: Rally,
    pub isolation: Isolation,
    pub disengagement: Disengagement,
    pub supply: SupplyLines,
    pub railheads: RailheadMoves,
    pub resources: Resources,
    pub air: Air,
    pub release: Release,
    pub removals: Removals,
    pub weather: WeatherTable,
    pub victory: Victory,
    pub turn: Vec<Turn>,
}

fn yes() -> bool {
    true
}

fn one() -> u8 {
    1
}

const FILE: &str = "charts.toml";

impl Charts {
    /// Reads the charts; what does not fit is a fault.
    pub fn read(files: &Files, faults: &mut Faults) -> Option<Charts> {
        let mut c: Charts = read_toml(files, FILE, faults)?.value;
        let before = faults.len();
        let combat = &mut c.combat;
        for row in &combat.rows {
            let mut cells = Vec::new();
            for code in row {
                match combat.result.iter().position(|r| r.code == *code) {
                    Some(i) => cells.push(i),
                    None => faults.add(FILE, None, format!("[combat] '{code}' is no result code")),
                }
            }
            if cells.len() != combat.columns.len() {
                faults.add(FILE, None, "[combat] a row has not one result for each column");
            }
            combat.cell.push(cells);
        }
        let shaped = combat.colours.len() == combat.rows.len()
            && combat.colours.iter().all(|r| r.len() == combat.columns.len());
        if combat.rows.len() != 6 || !shaped {
            faults.add(FILE, None, "[combat] needs six rows of results and six of colours");
        }
        for row in &c.determined.rows {
            let cells: Vec<Held> = row.iter().filter_map(|s| held(s)).collect();
            if cells.len() != 3 {
                faults.add(FILE, None, format!("[determined] {row:?} is not three results such as 'S -/1'"));
            }
            c.determined.cell.push(cells);
        }
        if c.determined.rows.len() != (c.determined.highest - c.determined.lowest + 1).max(0) as usize {
            faults.add(FILE, None, "[determined] needs a row for each roll from lowest to highest");
        }
        if c.movement.halves_in_a_point != 2 {
            faults.add(FILE, None, "[movement] points are counted in halves");
        }
        let dice = [
            (&c.rally.results, "rally"),
            (&c.isolation.results, "isolation"),
            (&c.disengagement.results, "disengagement"),
        ];
        for (rows, name) in dice {
            if rows.len() != 6 {
                faults.add(FILE, None, format!("[{name}] needs six results"));
            }
        }
        let w = &c.weather;
        if [&w.summer, &w.early_fall, &w.rasputitsa, &w.winter].iter().any(|r| r.len() != 6) {
            faults.add(FILE, None, "[weather] needs six results for each season");
        }
        if c.turn.iter().enumerate().any(|(i, t)| usize::from(t.number) != i + 1) {
            faults.add(FILE, None, "[[turn]] entries must be numbered from 1 without a gap");
        }
        (faults.len() == before).then_some(c)
    }

    /// A turn of the track; beyond its end, the last.
    pub fn turn(&self, n: u8) -> &Turn {
        &self.turn[usize::from(n.max(1) - 1).min(self.turn.len() - 1)]
    }
}

fn held(code: &str) -> Option<Held> {
    let (word, losses) = code.split_once(' ')?;
    let stand = match word {
        "S" => Stand::Success,
        "P" => Stand::Partial,
        "F" => Stand::Fail,
        _ => return None,
    };
    let (a, d) = losses.split_once('/')?;
    let steps = |s: &str| if s == "-" { Some(0) } else { s.parse::<u8>().ok() };
    Some(Held {
        stand,
        attacker: steps(a.trim_end_matches('*'))?,
        defender_picks: a.ends_with('*'),
        defender: steps(d)?,
    })
}
