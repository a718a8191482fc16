//! Counters: what is printed on the pieces of a box.

use crate::Side;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// The organisational size of a formation, smallest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Size {
    /// II
    Battalion,
    /// III
    Regiment,
    /// X
    Brigade,
    /// XX
    Division,
    /// XXX
    Corps,
    /// XXXX
    Army,
    /// XXXXX
    Front,
    /// No formation: aircraft, markers.
    None,
}

impl Size {
    /// The symbol above a counter's box.
    pub fn symbol(self) -> &'static str {
        match self {
            Size::Battalion => "II",
            Size::Regiment => "III",
            Size::Brigade => "X",
            Size::Division => "XX",
            Size::Corps => "XXX",
            Size::Army => "XXXX",
            Size::Front => "XXXXX",
            Size::None => "",
        }
    }
}

impl FromStr for Size {
    type Err = String;
    fn from_str(s: &str) -> Result<Size, String> {
        Ok(match s {
            "battalion" | "II" => Size::Battalion,
            "regiment" | "III" => Size::Regiment,
            "brigade" | "X" => Size::Brigade,
            "division" | "XX" => Size::Division,
            "corps" | "XXX" => Size::Corps,
            "army" | "XXXX" => Size::Army,
            "front" | "XXXXX" => Size::Front,
            "" | "-" | "none" => Size::None,
            _ => {
                return Err(format!(
                    "'{s}' is no size; expected battalion, regiment, brigade, division, corps, army, front or none"
                ));
            }
        })
    }
}

/// The three figures of one side of a counter: attack, defence, movement.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Face {
    /// Attack factor.
    pub attack: u8,
    /// Defence factor.
    pub defence: u8,
    /// Movement factor.
    pub movement: u8,
}

impl fmt::Display for Face {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}-{}", self.attack, self.defence, self.movement)
    }
}

impl FromStr for Face {
    type Err = String;

    /// Reads `6-7-3`.
    fn from_str(s: &str) -> Result<Face, String> {
        let fault = || format!("'{s}' is not a face; expected attack-defence-movement, such as 6-7-3");
        let mut it = s.split('-').map(|n| n.trim().parse::<u8>());
        let mut next = || it.next().and_then(Result::ok).ok_or_else(fault);
        let face = Face { attack: next()?, defence: next()?, movement: next()? };
        if it.next().is_some() { Err(fault()) } else { Ok(face) }
    }
}

/// One counter of the box: what is printed on it and known to all.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counter {
    /// Its name in orders: one word, unique in the game (`3Pz`, `RD17`).
    pub code: String,
    /// Its name in full.
    pub name: String,
    /// Whose it is.
    pub side: Side,
    /// Nationality, as the game names it.
    pub nation: String,
    /// Type of unit, as the game names it: what decides its symbol.
    pub kind: String,
    /// Size of the formation.
    pub size: Size,
    /// One face for each step, strongest first.
    pub faces: Vec<Face>,
}

impl Counter {
    /// How many steps it has at full strength.
    pub fn steps(&self) -> usize {
        self.faces.len()
    }

    /// Its face with so many steps left; none with no steps.
    pub fn face(&self, steps_left: usize) -> Option<Face> {
        self.faces.get(self.faces.len().checked_sub(steps_left)?).copied()
    }
}

/// What a loss leaves of a unit that has so many steps now, in words.
pub fn steps_left(now: u8) -> String {
    match now.saturating_sub(1) {
        0 => "its last step".into(),
        left => format!("{} left", text::count(left, "step")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_face_is_read_as_it_is_printed() {
        assert_eq!("6-7-3".parse::<Face>().unwrap().to_string(), "6-7-3");
        for bad in ["6-7", "6-7-3-1", "a-b-c", ""] {
            assert!(bad.parse::<Face>().is_err(), "{bad}");
        }
    }

    #[test]
    fn the_face_follows_the_steps_left() {
        let c = Counter {
            code: "1".into(),
            name: "1st".into(),
            side: Side::One,
            nation: "blue".into(),
            kind: "infantry".into(),
            size: Size::Division,
            faces: vec!["6-7-3".parse().unwrap(), "4-5-3".parse().unwrap()],
        };
        assert_eq!(c.face(2).unwrap().attack, 6);
        assert_eq!(c.face(1).unwrap().attack, 4);
        assert_eq!(c.face(0), None);
        assert_eq!(c.face(3), None);
    }
}
