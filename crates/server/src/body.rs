//! A match as people agreed on it: terms, seats, who may watch. The play itself is in its journal.

use crate::{Code, Fault};
use game::{Command, Eyes, Terms};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use table::Side;

/// A seat: a side, or one command of a side that several people share. Written `one`, `two`, `one.2`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SeatId {
    /// The side.
    pub side: Side,
    /// The command; zero is the senior one, who has everything that nobody else holds.
    pub command: u8,
}

impl SeatId {
    /// The senior seat of a side.
    pub fn senior(side: Side) -> SeatId {
        SeatId { side, command: Command::SENIOR.0 }
    }

    /// Reads `one`, `two`, `one.2`.
    pub fn read(text: &str) -> Result<SeatId, Fault> {
        let fault = || Fault::malformed(format!("'{text}' is no seat; expected one, two, or such as one.2"));
        let (side, command) = text.split_once('.').unwrap_or((text, "0"));
        let side = read_side(side).ok_or_else(fault)?;
        let command = command.parse().map_err(|_| fault())?;
        Ok(SeatId { side, command })
    }
}

/// A side of its word.
pub fn read_side(word: &str) -> Option<Side> {
    match word {
        "one" => Some(Side::One),
        "two" => Some(Side::Two),
        _ => None,
    }
}

/// The word of a side.
pub fn side_word(side: Side) -> &'static str {
    match side {
        Side::One => "one",
        Side::Two => "two",
    }
}

impl fmt::Display for SeatId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.command {
            0 => f.write_str(side_word(self.side)),
            n => write!(f, "{}.{n}", side_word(self.side)),
        }
    }
}

impl Serialize for SeatId {
    fn serialize<S: serde::Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for SeatId {
    fn deserialize<D: serde::Deserializer<'de>>(d: D) -> Result<SeatId, D::Error> {
        let text = String::deserialize(d)?;
        SeatId::read(&text).map_err(|f| serde::de::Error::custom(f.why))
    }
}

/// Who sits on a seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Holder {
    /// Nobody yet.
    Open,
    /// A person.
    Person {
        /// The id.
        id: String,
        /// The name when the seat was taken.
        name: String,
    },
    /// A program.
    Program(Program),
}

/// A program in a seat: which, and how long it may think.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Written", into = "Written")]
pub struct Program {
    /// Its id.
    pub id: String,
    /// Seconds for a choice; its own measure if none.
    pub seconds: Option<u32>,
}

/// A program as it is written: by its id alone when nothing else was agreed.
#[derive(Clone, Serialize, Deserialize)]
#[serde(untagged)]
enum Written {
    Id(String),
    Timed { id: String, seconds: u32 },
}

impl From<Written> for Program {
    fn from(w: Written) -> Program {
        match w {
            Written::Id(id) => Program { id, seconds: None },
            Written::Timed { id, seconds } => Program { id, seconds: Some(seconds) },
        }
    }
}

impl From<Program> for Written {
    fn from(p: Program) -> Written {
        match p.seconds {
            None => Written::Id(p.id),
            Some(seconds) => Written::Timed { id: p.id, seconds },
        }
    }
}

/// Who may look at a match without a seat.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Watching {
    /// Nobody.
    None,
    /// Whoever has a link.
    #[default]
    Link,
    /// Everybody.
    Public,
}

/// Time for each side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct ClockTerms {
    /// Minutes for the whole match.
    pub minutes: u32,
    /// Seconds added when a side is asked again after the other.
    pub add_seconds: u32,
}

/// All of a match but its play.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Body {
    /// What it is called.
    pub title: String,
    /// The game.
    pub game: String,
    /// What was agreed.
    pub terms: Terms,
    /// What the overlay was called, if there is one; `terms` has its digest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub overlay_name: Option<String>,
    /// A word from each side for the dice.
    pub words: [String; 2],
    /// What keys the dice; never sent to anybody before the end.
    pub secret: String,
    /// Who made it.
    pub owner: String,
    /// Who sits where.
    pub seats: BTreeMap<SeatId, Holder>,
    /// Whether a person with both sides hands the screen over.
    pub handover: bool,
    /// Who may look on.
    pub watch: Watching,
    /// People who look on by invitation.
    #[serde(default)]
    pub watchers: BTreeSet<String>,
    /// The clock, if one runs.
    #[serde(default)]
    pub clock: Option<ClockTerms>,
    /// The side whose time ran out.
    #[serde(default)]
    pub flag: Option<Side>,
    /// The match that followed this one.
    #[serde(default)]
    pub rematch: Option<String>,
    /// The head of the journal that this match was imported from.
    #[serde(default)]
    pub imported: Option<String>,
}

impl Body {
    /// The seats of a person.
    pub fn seats_of(&self, person: Option<&str>) -> Vec<SeatId> {
        let holds = |h: &Holder| matches!(h, Holder::Person { id, .. } if Some(id.as_str()) == person);
        self.seats.iter().filter(|(_, h)| holds(h)).map(|(s, _)| *s).collect()
    }

    /// The sides a person sits on.
    pub fn sides_of(&self, person: Option<&str>) -> Vec<Side> {
        let seats = self.seats_of(person);
        Side::BOTH.into_iter().filter(|side| seats.iter().any(|s| s.side == *side)).collect()
    }

    /// The seat that makes a choice of a command: its own, or the senior one when nobody holds that.
    pub fn seat_for(&self, side: Side, command: Command) -> SeatId {
        let own = SeatId { side, command: command.0 };
        match self.seats.get(&own) {
            Some(Holder::Person { .. } | Holder::Program(_)) => own,
            _ => SeatId::senior(side),
        }
    }

    /// The people who find this match in their lists.
    pub fn members(&self) -> Vec<String> {
        let mut all: BTreeSet<String> = self.watchers.clone();
        all.insert(self.owner.clone());
        for h in self.seats.values() {
            if let Holder::Person { id, .. } = h {
                all.insert(id.clone());
            }
        }
        all.into_iter().collect()
    }

    /// Whether a person may look at it at all.
    pub fn may_see(&self, person: Option<&str>) -> bool {
        let invited = person.is_some_and(|p| self.watchers.contains(p) || self.owner == p);
        invited || self.watch == Watching::Public || !self.seats_of(person).is_empty()
    }

    /// The eyes with which a person may look, when he asks for these. After the end everyone sees everything.
    pub fn eyes_for(&self, person: Option<&str>, asked: Option<Eyes>, over: bool) -> Result<Eyes, Fault> {
        if !self.may_see(person) {
            return Err(no_match());
        }
        let sides = self.sides_of(person);
        let own = match sides[..] {
            [side] => Eyes::Side(side),
            [_, _] => Eyes::Side(Side::One),
            _ => Eyes::Spectator,
        };
        match asked {
            None => Ok(own),
            Some(eyes) if over || eyes == own || eyes == Eyes::Spectator => Ok(eyes),
            Some(Eyes::Side(side)) if sides.contains(&side) => Ok(Eyes::Side(side)),
            // Who sits on both sides and hands nothing over hides nothing from himself.
            Some(Eyes::Referee) if sides.len() == 2 && !self.handover => Ok(Eyes::Referee),
            Some(_) => Err(Fault::forbidden("those eyes may not be used before the match is over")),
        }
    }

    /// Whether the asked person may make a choice of this command.
    pub fn may_choose(&self, person: Option<&str>, side: Side, command: Command) -> Result<SeatId, Fault> {
        let seat = self.seat_for(side, command);
        let held = self.seats_of(person);
        if held.contains(&seat) {
            return Ok(seat);
        }
        if held.iter().any(|s| s.side == side) {
            return Err(Fault::new(Code::NotYours, format!("the seat {seat} makes this choice")));
        }
        Err(Fault::new(Code::NotAsked, "the other side is asked now"))
    }
}

/// What is said of a match that is not there, or that the person may not know of: the same for both.
pub fn no_match() -> Fault {
    Fault::unknown("there is no such match, or you have no seat in it")
}

/// Where the play stands, kept beside the journal for lists.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// The number of the question.
    pub n: i64,
    /// How many choices stand.
    pub step: i64,
    /// The turn.
    pub turn: u32,
    /// The turn as players call it.
    pub date: String,
    /// Who is asked.
    pub asks: Option<Side>,
    /// How it ended.
    pub outcome: Option<game::OutcomeView>,
    /// Milliseconds that each side has used.
    pub used: [i64; 2],
    /// How often each side was asked anew after the other.
    pub turns: [i64; 2],
}

/// Eyes of a word in an address.
pub fn read_eyes(word: &str) -> Result<Eyes, Fault> {
    match word {
        "spectator" => Ok(Eyes::Spectator),
        "referee" => Ok(Eyes::Referee),
        _ => read_side(word).map(Eyes::Side).ok_or_else(|| {
            Fault::malformed(format!("'{word}' are no eyes; expected one, two, spectator or referee"))
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn person(id: &str) -> Holder {
        Holder::Person { id: id.into(), name: id.into() }
    }

    fn body(seats: &[(&str, Holder)]) -> Body {
        Body {
            title: "t".into(),
            game: "g".into(),
            terms: Terms::of("s"),
            overlay_name: None,
            words: Default::default(),
            secret: String::new(),
            owner: "anna".into(),
            seats: seats.iter().map(|(s, h)| (SeatId::read(s).unwrap(), h.clone())).collect(),
            handover: true,
            watch: Watching::Link,
            watchers: BTreeSet::new(),
            clock: None,
            flag: None,
            rematch: None,
            imported: None,
        }
    }

    #[test]
    fn a_command_without_a_holder_falls_to_the_senior_seat() {
        let b = body(&[("one", person("anna")), ("one.1", person("ben")), ("one.2", Holder::Open)]);
        assert!(b.may_choose(Some("ben"), Side::One, Command(1)).is_ok());
        assert_eq!(b.may_choose(Some("anna"), Side::One, Command(1)).unwrap_err().code, Code::NotYours);
        assert!(b.may_choose(Some("anna"), Side::One, Command(2)).is_ok());
        assert_eq!(b.may_choose(Some("eve"), Side::One, Command(2)).unwrap_err().code, Code::NotAsked);
        assert_eq!(b.may_choose(None, Side::One, Command(2)).unwrap_err().code, Code::NotAsked);
    }

    #[test]
    fn no_one_borrows_the_enemys_eyes_before_the_end() {
        let b = body(&[("one", person("anna")), ("two", person("ben"))]);
        assert_eq!(b.eyes_for(Some("anna"), None, false).unwrap(), Eyes::Side(Side::One));
        for foreign in [Eyes::Side(Side::Two), Eyes::Referee] {
            assert_eq!(b.eyes_for(Some("anna"), Some(foreign), false).unwrap_err().code, Code::Forbidden);
            assert!(b.eyes_for(Some("anna"), Some(foreign), true).is_ok());
        }
        assert_eq!(b.eyes_for(Some("eve"), None, false).unwrap_err().code, Code::Unknown);
    }

    #[test]
    fn a_hotseat_has_both_sides_eyes_but_not_the_referees_while_it_hands_over() {
        let b = body(&[("one", person("anna")), ("two", person("anna"))]);
        assert!(b.eyes_for(Some("anna"), Some(Eyes::Side(Side::Two)), false).is_ok());
        assert!(b.eyes_for(Some("anna"), Some(Eyes::Referee), false).is_err());
        let open = Body { handover: false, ..b };
        assert!(open.eyes_for(Some("anna"), Some(Eyes::Referee), false).is_ok());
    }

    #[test]
    fn seats_read_back_and_nonsense_is_refused() {
        for s in ["one", "two", "one.2"] {
            assert_eq!(SeatId::read(s).unwrap().to_string(), s);
        }
        for bad in ["", "three", "one.x", "one.999", "one.-1"] {
            assert!(SeatId::read(bad).is_err(), "{bad}");
        }
    }
}
