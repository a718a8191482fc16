//! Section 17: the charts, read once from `charts.toml` into tables that rules index.

use serde::Deserialize;
use std::collections::BTreeMap;
use table::ResultsTable;
use text::{Faults, Files, read_toml};

/// A turn of the track.
#[derive(Clone, Debug, Deserialize)]
pub struct Turn {
    /// Its number.
    pub number: u8,
    /// What players call it.
    pub label: String,
    /// The month, which some tables go by.
    pub month: String,
    /// The days it covers.
    pub dates: String,
    /// How many couplets it has.
    pub couplets: u8,
}

/// The weather on the ground.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, Deserialize)]
pub enum Weather {
    /// Dry.
    D,
    /// Rain.
    R,
    /// Mud.
    M,
    /// Freeze.
    F,
    /// Snow.
    S,
}

impl Weather {
    /// For arrays.
    pub fn ix(self) -> usize {
        self as usize
    }
}

/// What one kind of weather does (13.3-13.7).
#[derive(Clone, Debug, Deserialize)]
pub struct Condition {
    /// Which.
    pub code: Weather,
    /// In a word.
    pub name: String,
    /// The rules it comes from.
    pub rule: String,
    /// Added to each German-side allowance.
    #[serde(default)]
    pub german_mp: i8,
    /// Multiplies what it costs to enter a hex.
    #[serde(default = "one")]
    pub hex_times: u8,
    /// Rivers are ignored.
    #[serde(default)]
    pub rivers_frozen: bool,
    /// The Sivash and the Kerch Straits are ignored.
    #[serde(default)]
    pub straits_frozen: bool,
    /// Lakes can be crossed.
    #[serde(default)]
    pub lakes_frozen: bool,
    /// Marsh counts as clear.
    #[serde(default)]
    pub marsh_as_clear: bool,
    /// Whether mobile assaults are possible.
    #[serde(default = "yes")]
    pub mobile: bool,
    /// Columns for Soviet prepared assaults.
    #[serde(default)]
    pub soviet_shift: i8,
    /// Ends all refits for good.
    #[serde(default)]
    pub ends_refits: bool,
    /// Ends the highway for good when it comes to the north.
    #[serde(default)]
    pub ends_highway: bool,
    /// Stays once it has come.
    #[serde(default)]
    pub lasts: bool,
}

fn one() -> u8 {
    1
}

fn yes() -> bool {
    true
}

#[derive(Clone, Debug, Deserialize)]
struct WeatherTable {
    before: Weather,
    lowest: i8,
    south: i8,
    row: Vec<WeatherRow>,
}

#[derive(Clone, Debug, Deserialize)]
struct WeatherRow {
    turn: u8,
    couplet: u8,
    results: Vec<Weather>,
}

/// A line of forts that is not complete at the start (17.3).
#[derive(Clone, Debug, Deserialize)]
pub struct FortLine {
    /// Its name on the map.
    pub name: String,
    /// What players call it.
    pub label: String,
    /// The turn at whose start it becomes intact.
    pub activates: u8,
    /// Lines that are aborted with it.
    #[serde(default)]
    pub aborts: Vec<String>,
}

/// A row of the withdrawal table (17.4).
#[derive(Clone, Debug, Deserialize)]
pub struct Withdrawal {
    /// When.
    pub turn: u8,
    /// What, for people.
    pub label: String,
    /// The kinds of unit that satisfy it.
    pub kinds: Vec<String>,
    /// Their size.
    pub size: table::Size,
    /// The one counter meant, if one.
    #[serde(default)]
    pub unit: Option<String>,
    /// How many.
    pub count: u8,
    /// Whether a VP may be paid instead.
    pub decline: bool,
}

/// Both numbers of a combat result; a defender's `E` is everything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// What the attacker loses.
    pub attacker: u8,
    /// What the defender loses; `None` is all.
    pub defender: Option<u8>,
}

impl std::fmt::Display for Outcome {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.defender {
            Some(d) => write!(f, "{}/{d}", self.attacker),
            None => write!(f, "{}/E", self.attacker),
        }
    }
}

impl std::str::FromStr for Outcome {
    type Err = String;
    fn from_str(s: &str) -> Result<Outcome, String> {
        let fault = || format!("'{s}' is no combat result; expected attacker/defender such as 1/2 or 0/E");
        let (a, d) = s.split_once('/').ok_or_else(fault)?;
        let defender = if d == "E" { None } else { Some(d.parse().map_err(|_| fault())?) };
        Ok(Outcome { attacker: a.parse().map_err(|_| fault())?, defender })
    }
}

#[derive(Clone, Debug, Deserialize)]
struct CombatTable {
    columns: Vec<String>,
    rows: Vec<Vec<String>>,
    below: String,
    above: String,
}

/// What a kind of ground costs and does (17.9).
#[derive(Clone, Debug, Deserialize)]
pub struct Ground {
    /// Its name on the map.
    pub name: String,
    /// Cost for mechanized units.
    #[serde(default)]
    pub mech: u8,
    /// Cost for all others.
    #[serde(default)]
    pub foot: u8,
    /// Cost for kinds of unit that differ.
    #[serde(default)]
    pub costs: BTreeMap<String, u8>,
    /// Cost for mechanized units along the highway.
    #[serde(default)]
    pub highway: Option<u8>,
    /// Columns in prepared and mobile assaults.
    #[serde(default)]
    pub shift: i8,
    /// Columns in mobile assaults only.
    #[serde(default)]
    pub mobile_shift: i8,
    /// Kinds whose attack is halved.
    #[serde(default)]
    pub halved: Vec<String>,
    /// Kinds whose attack becomes 1.
    #[serde(default)]
    pub reduced: Vec<String>,
    /// Kinds that attack with their defence factor.
    #[serde(default)]
    pub defence_as_attack: Vec<String>,
    /// Whether mobile assaults are possible.
    #[serde(default = "yes")]
    pub mobile: bool,
    /// Added to the defence of each unit.
    #[serde(default)]
    pub boost: u8,
    /// Multiplies losses.
    #[serde(default = "one")]
    pub losses_times: u8,
    /// What a loss of zero becomes.
    #[serde(default)]
    pub zero_becomes: u8,
    /// Multiplies the stacking limit.
    #[serde(default = "one")]
    pub stacking_times: u8,
}

#[derive(Clone, Debug, Deserialize)]
struct ByTurn {
    points: Vec<i16>,
}

#[derive(Clone, Debug, Deserialize)]
struct Refit {
    steps: Vec<u8>,
}

#[derive(Clone, Debug, Deserialize)]
struct Attenuated {
    left: Vec<i8>,
    modifier: Vec<AttenuatedModifier>,
}

/// Something that makes attenuated supply worse (17.10).
#[derive(Clone, Debug, Deserialize)]
pub struct AttenuatedModifier {
    /// In this weather.
    #[serde(default)]
    pub weather: Vec<Weather>,
    /// In these months.
    #[serde(default)]
    pub months: Vec<String>,
    /// Added to the die.
    pub add: i8,
}

#[derive(Clone, Debug, Deserialize)]
struct Replacements {
    first_turn: u8,
    per_district: BTreeMap<String, u8>,
}

/// How tank brigades of turn 3 come by dice (8.9).
#[derive(Clone, Debug, Deserialize)]
pub struct TankBrigades {
    /// From which turn.
    pub first_turn: u8,
    /// How many dice.
    pub dice: u8,
    /// Added when Leningrad is lost or short of supply.
    pub leningrad: i8,
    /// Added when Moscow is lost or cut off.
    pub moscow: i8,
}

#[derive(Clone, Debug, Deserialize)]
struct Number {
    value: i16,
}

/// The numbers that rules name.
#[derive(Clone, Debug, Deserialize)]
#[expect(missing_docs, reason = "each is named after its rule in charts.toml")]
pub struct Numbers {
    pub stacking: i16,
    pub small_units_in_a_hex: i16,
    pub germans_with_romanians: i16,
    pub germans_with_italians: i16,
    pub rvgk: i16,
    pub replacement_steps: i16,
    pub decline_vp: i16,
    pub security_group: i16,
    pub security_vp: i16,
    pub zomo_vp: i16,
    pub moscow_die_wins_when_multiple_of: i16,
    pub aerial_supply: i16,
    pub aerial_mech_mp: i16,
    pub pause_couplets: i16,
    pub pause_first_turn: i16,
    pub pause_last_turn: i16,
    pub supply_concentration: i16,
    pub unconcentrated_hexes: i16,
    pub viii_shift: i16,
    pub soviet_air_points: i16,
    pub soviet_air_turn: i16,
    pub soviet_air_range: i16,
    pub german_air_last_turn: i16,
    pub sea_units: i16,
    pub invasion_shift: i16,
    pub concentric_shift: i16,
    pub hedgehog_shift: i16,
    pub hedgehog_first_turn: i16,
    pub arko_loss: i16,
    pub mobile_german: i16,
    pub mobile_german_turn_1: i16,
    pub mobile_soviet: i16,
    pub german_divisions_south: i16,
    pub german_assaultguns_south: i16,
    pub frontier_last_column: i16,
    pub interior_units_in_a_hexrow: i16,
    pub last_turn: i16,
}

#[derive(Clone, Debug, Deserialize)]
struct File {
    turn: Vec<Turn>,
    weather: WeatherTable,
    victory: ByTurn,
    fort_line: Vec<FortLine>,
    withdrawal: Vec<Withdrawal>,
    refit: Refit,
    combat: CombatTable,
    aviation: ByTurn,
    terrain: Vec<Ground>,
    hexside: Vec<Ground>,
    built: Vec<Ground>,
    attenuated: Attenuated,
    condition: Vec<Condition>,
    replacements: Replacements,
    tank_brigades: TankBrigades,
    numbers: BTreeMap<String, Number>,
}

/// All charts.
#[derive(Clone, Debug)]
pub struct Charts {
    /// The track, turn 1 first.
    pub turns: Vec<Turn>,
    /// What each weather does, by [`Weather::ix`].
    pub conditions: Vec<Condition>,
    /// 17.2 by turn from 1.
    pub victory: Vec<i16>,
    /// 17.3.
    pub fort_lines: Vec<FortLine>,
    /// 17.4.
    pub withdrawals: Vec<Withdrawal>,
    /// 17.5 by die from 1.
    pub refit: Vec<u8>,
    /// 17.7.
    pub combat: ResultsTable<Outcome>,
    /// The step of the first column on the endless row of odds.
    pub first_column: i32,
    /// 14.10: worse than the first column.
    pub below: Outcome,
    /// 14.10: better than the last column.
    pub above: Outcome,
    /// 17.8 by turn from 1.
    pub aviation: Vec<i16>,
    /// 17.9, hexes.
    pub terrain: Vec<Ground>,
    /// 17.9, hexsides.
    pub hexside: Vec<Ground>,
    /// 17.9, what is built.
    pub built: Vec<Ground>,
    /// 17.10 by die from 1: columns to the left.
    pub attenuated: Vec<i8>,
    /// 17.10, modifiers.
    pub attenuated_modifiers: Vec<AttenuatedModifier>,
    /// 8.9.
    pub tank_brigades: TankBrigades,
    /// Numbers that rules name.
    pub numbers: Numbers,
    weather: WeatherTable,
    replacements: Replacements,
}

impl Charts {
    /// Reads `charts.toml`.
    pub fn read(files: &Files, faults: &mut Faults) -> Option<Charts> {
        let toml = read_toml::<File>(files, "charts.toml", faults)?;
        let (file, f) = (toml.file.clone(), toml.value);
        let fault = |faults: &mut Faults, what: String| faults.add(&file, None, what);
        let mut cells = Vec::new();
        for row in &f.combat.rows {
            match row.iter().map(|c| c.parse()).collect::<Result<Vec<Outcome>, String>>() {
                Ok(r) => cells.push(r),
                Err(e) => fault(faults, e),
            }
        }
        let combat =
            ResultsTable::new(f.combat.columns.clone(), 1, cells).map_err(|e| fault(faults, e)).ok()?;
        let first_column = match column_step(&f.combat.columns[0]) {
            Some(s) => s,
            None => {
                fault(faults, format!("'{}' is no odds column; expected 1:3", f.combat.columns[0]));
                return None;
            }
        };
        let below = f.combat.below.parse().map_err(|e| fault(faults, e)).ok()?;
        let above = f.combat.above.parse().map_err(|e| fault(faults, e)).ok()?;
        let all = [Weather::D, Weather::R, Weather::M, Weather::F, Weather::S];
        let mut conditions = Vec::new();
        for w in all {
            match f.condition.iter().find(|c| c.code == w) {
                Some(c) => conditions.push(c.clone()),
                None => fault(faults, format!("no [[condition]] for weather {w:?}")),
            }
        }
        let numbers: toml::Table =
            f.numbers.iter().map(|(k, n)| (k.clone(), toml::Value::Integer(n.value.into()))).collect();
        let numbers = match numbers.try_into::<Numbers>() {
            Ok(n) => n,
            Err(e) => {
                fault(faults, format!("[numbers]: {}", e.message()));
                return None;
            }
        };
        let turns = f.turn.len();
        for (what, n) in
            [("victory.points", f.victory.points.len()), ("aviation.points", f.aviation.points.len())]
        {
            if n < turns {
                fault(faults, format!("{what} has {n} values; expected one for each of {turns} turns"));
            }
        }
        if f.refit.steps.len() != 6 || f.attenuated.left.len() != 6 {
            fault(faults, "refit.steps and attenuated.left need six values, one for each die".into());
        }
        let want = 7 - f.weather.lowest;
        if let Some(r) = f.weather.row.iter().find(|r| r.results.len() != want as usize) {
            fault(
                faults,
                format!("weather of turn {} has {} results; expected {want}", r.turn, r.results.len()),
            );
        }
        if conditions.len() < all.len() || !faults.is_empty() {
            return None;
        }
        Some(Charts {
            turns: f.turn,
            conditions,
            victory: f.victory.points,
            fort_lines: f.fort_line,
            withdrawals: f.withdrawal,
            refit: f.refit.steps,
            combat,
            first_column,
            below,
            above,
            aviation: f.aviation.points,
            terrain: f.terrain,
            hexside: f.hexside,
            built: f.built,
            attenuated: f.attenuated.left,
            attenuated_modifiers: f.attenuated.modifier,
            tank_brigades: f.tank_brigades,
            numbers,
            weather: f.weather,
            replacements: f.replacements,
        })
    }

    /// The turn of a number.
    pub fn turn(&self, turn: u8) -> &Turn {
        let last = self.turns.len() - 1;
        &self.turns[usize::from(turn.max(1) - 1).min(last)]
    }

    /// What a weather does.
    pub fn condition(&self, w: Weather) -> &Condition {
        &self.conditions[w.ix()]
    }

    /// The weather before the table begins.
    pub fn fair(&self) -> Weather {
        self.weather.before
    }

    /// 17.1: the weather of a couplet for a die, north and south; `None` before the table begins.
    pub fn weather(&self, turn: u8, couplet: u8, die: u8) -> Option<[Weather; 2]> {
        let row = self.weather.row.iter().find(|r| (r.turn, r.couplet) == (turn, couplet))?;
        let of = |die: i8| {
            let i = (die - self.weather.lowest).clamp(0, row.results.len() as i8 - 1);
            row.results[i as usize]
        };
        Some([of(die as i8), of(die as i8 + self.weather.south)])
    }

    /// 8.13: rifle divisions for each military district hex.
    pub fn replacements(&self, turn: u8) -> u8 {
        if turn < self.replacements.first_turn {
            return 0;
        }
        self.replacements.per_district.get(&self.turn(turn).month).copied().unwrap_or(0)
    }
}

/// `1:3` is two columns left of 1:1, `2:1` one to its right.
fn column_step(name: &str) -> Option<i32> {
    let (a, d) = name.split_once(':')?;
    let (a, d): (i32, i32) = (a.parse().ok()?, d.parse().ok()?);
    Some(if a >= d { a - 1 } else { 1 - d })
}
