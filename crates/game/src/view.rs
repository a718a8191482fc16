//! What a pair of eyes may see, as plain data: the page, the terminal and the programs read nothing else.
//!
//! A view holds names, not indices: `2608N`, `3Pz`. It can be sent, printed and compared byte for byte.

use crate::{Ends, Eyes, Lexicon, Outcome};
use hex::{Hex, HexSet};
use serde::{Deserialize, Serialize};
use table::{Counter, Side, Subject, Sum, Term};

/// A position as seen by some eyes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct View {
    /// Whose eyes.
    pub eyes: Eyes,
    /// The turn, from 1.
    pub turn: u32,
    /// The turn as players call it: `II June 1941`.
    pub date: String,
    /// The phase as players call it.
    pub phase: String,
    /// Who is asked; `None` when it is over.
    pub asks: Option<Side>,
    /// Stacks on the map, by hex.
    pub stacks: Vec<StackView>,
    /// Boxes off the map that these eyes may look into.
    pub boxes: Vec<BoxView>,
    /// Markers on the map.
    pub markers: Vec<MarkerView>,
    /// Counts that are kept: victory points, replacements.
    pub tracks: Vec<TrackView>,
    /// Weather by zone: zone, code, name.
    pub weather: Vec<WeatherView>,
    /// Places and who controls them.
    pub control: Vec<ControlView>,
    /// How it ended, if it has.
    pub outcome: Option<OutcomeView>,
}

/// A stack on a hex.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StackView {
    /// Where.
    pub hex: String,
    /// Whose.
    pub side: Side,
    /// The units these eyes may see, top first.
    pub units: Vec<UnitView>,
    /// How many more lie beneath that they may not look at.
    pub unseen: u32,
}

/// A unit, as far as these eyes may know it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct UnitView {
    /// Its code in orders.
    pub code: String,
    /// Its name.
    pub name: String,
    /// Whose.
    pub side: Side,
    /// Nationality, which decides its colours.
    pub nation: String,
    /// Type, which decides its symbol.
    pub kind: String,
    /// Size symbol above the box.
    pub size: String,
    /// The figures printed on it, or what stands for them while unknown: `6-7-3`, `?-?-5`.
    pub figures: String,
    /// Steps left and at full strength; zero when not known.
    pub steps: (u8, u8),
    /// States in a word each: `untried`, `moved`, `out of supply`, `disrupted`.
    pub status: Vec<String>,
    /// Movement left this phase, if that means something now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub movement: Option<String>,
}

impl UnitView {
    /// A counter as it lies there: its figures, and its steps left of how many.
    pub fn of(c: &Counter, figures: String, steps: (u8, u8)) -> UnitView {
        UnitView {
            code: c.code.clone(),
            name: c.name.clone(),
            side: c.side,
            nation: c.nation.clone(),
            kind: c.kind.clone(),
            size: c.size.symbol().into(),
            figures,
            steps,
            status: Vec::new(),
            movement: None,
        }
    }
}

/// A box off the map.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BoxView {
    /// Its name in orders.
    pub id: String,
    /// What it is called.
    pub name: String,
    /// Whose, if one side's.
    pub side: Option<Side>,
    /// The units these eyes may see in it.
    pub units: Vec<UnitView>,
    /// How many more are in it.
    pub unseen: u32,
}

/// A marker on a hex.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MarkerView {
    /// Where.
    pub hex: String,
    /// What kind: decides its picture.
    pub kind: String,
    /// What it says.
    pub text: String,
    /// Whose, if one side's.
    pub side: Option<Side>,
}

impl MarkerView {
    /// A marker on a hex.
    pub fn new(hex: String, kind: &str, text: impl Into<String>, side: Option<Side>) -> MarkerView {
        MarkerView { hex, kind: kind.into(), text: text.into(), side }
    }
}

/// A count that is kept.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TrackView {
    /// A short name.
    pub id: String,
    /// What it is called.
    pub name: String,
    /// Where it stands.
    pub value: String,
    /// The same as a number, for plots.
    pub number: f64,
    /// More about it: what is needed to win.
    pub note: String,
    /// Whose, if one side's.
    pub side: Option<Side>,
}

impl TrackView {
    /// A count with what there is to say about it.
    pub fn new(
        id: &str,
        name: &str,
        n: impl Into<f64>,
        note: impl Into<String>,
        side: Option<Side>,
    ) -> TrackView {
        let number = n.into();
        TrackView {
            id: id.into(),
            name: name.into(),
            value: number.to_string(),
            number,
            note: note.into(),
            side,
        }
    }
}

/// Weather in a zone.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WeatherView {
    /// The board's zone.
    pub zone: String,
    /// The code: `D`.
    pub code: String,
    /// In a word: `Dry`.
    pub name: String,
}

/// Who controls a place.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ControlView {
    /// Where.
    pub hex: String,
    /// Who.
    pub side: Side,
}

impl ControlView {
    /// Every place of a set: the first side's where it is among its own, else the second's.
    pub fn all(lexicon: &Lexicon, places: &HexSet, of_one: &HexSet) -> Vec<ControlView> {
        let side = |h: Hex| if of_one.contains(h) { Side::One } else { Side::Two };
        places.iter().map(|h| ControlView { hex: lexicon.hex(h), side: side(h) }).collect()
    }
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OutcomeView {
    /// Who won; `None` is a draw.
    pub winner: Option<Side>,
    /// A sentence.
    pub text: String,
    /// By which rule.
    pub rule: String,
}

impl From<Outcome> for OutcomeView {
    fn from(o: Outcome) -> OutcomeView {
        OutcomeView { winner: o.winner, text: o.text, rule: o.rule.to_string() }
    }
}

/// A sum, written out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SumView {
    /// What it is the sum of.
    pub name: String,
    /// Its terms: what, how much, by which rule.
    pub terms: Vec<TermView>,
    /// What they add up to.
    pub total: String,
}

impl SumView {
    /// A sum written out; `called` names hexes.
    pub fn of(name: &str, sum: &Sum, lexicon: &Lexicon, called: impl Fn(Hex) -> String) -> SumView {
        let term = |t: &Term| TermView {
            what: match t.of {
                Subject::None => t.what.into(),
                Subject::Unit(u) => format!("{} {}", lexicon.unit(u), t.what),
                Subject::Hex(h) => format!("{} {}", t.what, called(h)),
                Subject::Count(n) => format!("{} x{n}", t.what),
            },
            n: t.n.to_string(),
            rule: t.rule.0.into(),
        };
        SumView {
            name: name.into(),
            terms: sum.terms().iter().map(term).collect(),
            total: sum.total().to_string(),
        }
    }
}

/// A term of a sum, written out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TermView {
    /// What.
    pub what: String,
    /// How much.
    pub n: String,
    /// By which rule.
    pub rule: String,
}

/// A battle before it is fought, from what the asking side may know.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Forecast {
    /// What kind of attack.
    pub title: String,
    /// Where.
    pub hex: String,
    /// Attack strength, defence strength, shifts, die modifiers: whatever this game adds up.
    pub sums: Vec<SumView>,
    /// The ratio before shifts.
    pub odds: String,
    /// The column it is resolved on; several when it depends on what is not known.
    pub columns: Vec<ColumnChance>,
    /// Each result with its chance, over all that is unknown.
    pub results: Vec<ResultChance>,
    /// Expected steps lost by the attacker.
    pub attacker_loss: f64,
    /// Expected steps lost by the defender.
    pub defender_loss: f64,
    /// Chance that the hex is taken.
    pub taken: f64,
    /// Every end with its chance, over table, later rolls and what is not known; players choose as sensible ones do.
    #[serde(default, skip_serializing_if = "Ends::is_empty")]
    pub ends: Ends,
    /// What is not known and how it was reckoned.
    pub notes: Vec<String>,
}

impl Forecast {
    /// The same with its ends: what is expected is then their mean.
    #[must_use]
    pub fn ending(mut self, ends: Ends) -> Forecast {
        if !ends.is_empty() {
            (self.attacker_loss, self.defender_loss) = (ends.attacker_loss(), ends.defender_loss());
            self.taken = ends.taken();
        }
        self.ends = ends;
        self
    }
}

/// A column with its chance.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ColumnChance {
    /// The column.
    pub column: String,
    /// From 0 to 1.
    pub chance: f64,
}

/// A result with its chance.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ResultChance {
    /// The code, as on the table.
    pub code: String,
    /// What it means.
    pub text: String,
    /// From 0 to 1.
    pub chance: f64,
}

/// A layer of knowledge over the map.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Overlay {
    /// Hexes with a class (which decides the tint) and a word on why.
    pub hexes: Vec<(String, String, String)>,
    /// Hexsides with a class.
    pub sides: Vec<(String, String)>,
    /// Paths with a class, hex by hex.
    pub paths: Vec<(Vec<String>, String)>,
    /// Classes in the order of a legend: class, what it means.
    pub legend: Vec<(String, String)>,
}

impl Overlay {
    /// Says what a class means.
    pub fn key(&mut self, class: &str, meaning: impl Into<String>) {
        let entry = (class.to_string(), meaning.into());
        if !self.legend.contains(&entry) {
            self.legend.push(entry);
        }
    }

    /// Tints hexes with a class, for one reason.
    pub fn tint(&mut self, lexicon: &Lexicon, hexes: impl IntoIterator<Item = Hex>, class: &str, why: &str) {
        let tinted = hexes.into_iter().map(|h| (lexicon.hex(h), class.to_string(), why.to_string()));
        self.hexes.extend(tinted);
    }
}
