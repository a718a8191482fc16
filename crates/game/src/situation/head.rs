//! The head of a situation, `[at]` and `[[unit]]`, as far as all games read and write it alike.

use crate::Lexicon;
use hex::{Hex, HexSet};
use std::ops::{BitAnd, BitOr, RangeInclusive};
use table::{Place, Unit};
use text::{Faults, unknown};
use toml::{Table, Value};

/// Faults of a head have no file of a game's; the runner knows which it is.
const FILE: &str = "situation";

/// Reads a head: names are looked up, and all that is wrong is gathered.
#[derive(Debug)]
pub struct HeadReader<'a> {
    lexicon: &'a Lexicon,
    faults: &'a mut Faults,
}

impl<'a> HeadReader<'a> {
    /// A reader that finds names in a lexicon.
    pub fn new(lexicon: &'a Lexicon, faults: &'a mut Faults) -> HeadReader<'a> {
        HeadReader { lexicon, faults }
    }

    /// Notes what is wrong.
    pub fn fault(&mut self, what: impl Into<String>) {
        self.faults.add(FILE, None, what);
    }

    /// The table `at`, empty if it is missing, and the tables `unit` in their order.
    pub fn parts(&mut self, setup: &Table) -> (Table, Vec<Table>) {
        let (mut at, mut units) = (Table::new(), Vec::new());
        for (key, value) in setup {
            match (key.as_str(), value) {
                ("at", Value::Table(t)) => at = t.clone(),
                ("unit", Value::Array(all)) => {
                    for u in all {
                        match u {
                            Value::Table(u) => units.push(u.clone()),
                            _ => self.fault("each [[unit]] is a table"),
                        }
                    }
                }
                _ => self.fault(format!("'{key}' is not understood; expected [at] and [[unit]]")),
            }
        }
        (at, units)
    }

    /// A number within bounds; outside of them it is a fault, and the nearest bound.
    pub fn number(&mut self, v: &Value, within: RangeInclusive<i64>) -> i64 {
        let n = v.as_integer().unwrap_or(i64::MIN);
        let (low, high) = within.into_inner();
        if !(low..=high).contains(&n) {
            self.fault(format!("{v} is out of range; expected {low} to {high}"));
        }
        n.clamp(low, high)
    }

    /// A small number within bounds.
    pub fn small(&mut self, v: &Value, within: RangeInclusive<u8>) -> u8 {
        self.number(v, i64::from(*within.start())..=i64::from(*within.end())) as u8
    }

    /// A hex by its name.
    pub fn hex(&mut self, v: &Value) -> Option<Hex> {
        let found = v.as_str().and_then(|s| self.lexicon.grid().find(s));
        if found.is_none() {
            self.fault(format!("{v} is no hex"));
        }
        found
    }

    /// A list of hexes, in its order.
    pub fn hex_list(&mut self, v: &Value) -> Vec<Hex> {
        v.as_array().into_iter().flatten().filter_map(|h| self.hex(h)).collect()
    }

    /// A list of hexes as a set.
    pub fn hexes(&mut self, v: &Value) -> HexSet {
        self.hex_list(v).into_iter().collect()
    }

    /// What a word stands for.
    pub fn word<T: Copy>(&mut self, what: &str, v: &Value, words: &[(&str, T)]) -> Option<T> {
        let found = words.iter().find(|(w, _)| Some(*w) == v.as_str()).map(|(_, t)| *t);
        if found.is_none() {
            let known: Vec<&str> = words.iter().map(|(w, _)| *w).collect();
            let given = v.as_str().map_or_else(|| v.to_string(), str::to_string);
            self.fault(unknown(what, &given, &known));
        }
        found
    }

    /// The bits that a list of words stands for.
    pub fn bits<T: Copy + Default + BitOr<Output = T>>(
        &mut self,
        what: &str,
        v: &Value,
        words: &[(&str, T)],
    ) -> T {
        let all = v.as_array().into_iter().flatten();
        all.fold(T::default(), |bits, w| bits | self.word(what, w, words).unwrap_or_default())
    }

    /// The unit of a `[[unit]]` and where it is, a hex or a box.
    pub fn unit(&mut self, t: &Table) -> Option<(Unit, Place)> {
        let code = t.get("counter").and_then(Value::as_str).unwrap_or("");
        let Some(u) = self.lexicon.find_unit(code) else {
            self.fault(format!("there is no unit '{code}'"));
            return None;
        };
        let at = t.get("hex").or_else(|| t.get("at")).and_then(Value::as_str).unwrap_or("");
        match (self.lexicon.grid().find(at), self.lexicon.find_box(at)) {
            (Some(h), _) => Some((u, Place::Hex(h))),
            (None, Some(b)) => Some((u, Place::Box(b))),
            (None, None) => {
                self.fault(format!("{code}: '{at}' is neither a hex nor a box"));
                None
            }
        }
    }

    /// The rest of what a `[[unit]]` says, key by key.
    pub fn rest(t: &Table) -> impl Iterator<Item = (&str, &Value)> {
        let named = |k: &str| matches!(k, "counter" | "hex" | "at");
        t.iter().map(|(k, v)| (k.as_str(), v)).filter(move |(k, _)| !named(k))
    }

    /// A unit's steps, from one to as many as it has.
    pub fn steps(&mut self, u: Unit, v: &Value, full: u8) -> Option<u8> {
        let steps = v.as_integer().filter(|n| (1..=i64::from(full)).contains(n));
        if steps.is_none() {
            self.fault(format!("{}: steps from 1 to {full}, not {v}", self.lexicon.unit(u)));
        }
        steps.map(|n| n as u8)
    }
}

/// Writes a head that [`HeadReader`] reads.
#[derive(Debug)]
pub struct HeadWriter<'a> {
    lexicon: &'a Lexicon,
    at: Table,
    units: Vec<Table>,
}

impl<'a> HeadWriter<'a> {
    /// An empty head.
    pub fn new(lexicon: &'a Lexicon) -> HeadWriter<'a> {
        HeadWriter { lexicon, at: Table::new(), units: Vec::new() }
    }

    /// Writes a key of `[at]`.
    pub fn put(&mut self, key: &str, value: impl Into<Value>) {
        self.at.insert(key.into(), value.into());
    }

    /// A hex by its name.
    pub fn hex(&self, h: Hex) -> Value {
        self.lexicon.hex(h).into()
    }

    /// A list of hexes.
    pub fn hexes(&self, hexes: impl IntoIterator<Item = Hex>) -> Value {
        hexes.into_iter().map(|h| self.hex(h)).collect::<Vec<_>>().into()
    }

    /// Adds a `[[unit]]`, whose table may be told more.
    pub fn unit(&mut self, u: Unit, at: Place) -> &mut Table {
        let place = match at {
            Place::Hex(h) => self.lexicon.hex(h),
            Place::Box(b) => self.lexicon.boxed(b).to_string(),
        };
        let mut t = Table::new();
        t.insert("counter".into(), self.lexicon.unit(u).into());
        t.insert("hex".into(), place.into());
        self.units.push(t);
        let last = self.units.len() - 1;
        &mut self.units[last]
    }

    /// The whole head.
    pub fn finish(self) -> Table {
        let units = self.units.into_iter().map(Value::Table).collect();
        Table::from_iter([
            ("at".to_string(), Value::Table(self.at)),
            ("unit".to_string(), Value::Array(units)),
        ])
    }
}

/// The word of a thing in a table that [`HeadReader::word`] reads.
pub fn word_of<T: PartialEq>(words: &[(&'static str, T)], thing: &T) -> Option<&'static str> {
    words.iter().find(|(_, t)| t == thing).map(|(w, _)| *w)
}

/// The words of some bits, in the order of the table that [`HeadReader::bits`] reads; nothing if there are none.
pub fn words_of<T>(words: &[(&'static str, T)], bits: T) -> Option<Value>
where
    T: Copy + Default + PartialEq + BitAnd<Output = T>,
{
    let on = words.iter().filter(|(_, bit)| bits & *bit != T::default());
    let list: Vec<Value> = on.map(|(w, _)| (*w).into()).collect();
    if list.is_empty() { None } else { Some(list.into()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hex::{Grid, GridSpec};
    use table::BoxId;

    const FLAGS: [(&str, u8); 3] = [("moved", 1), ("fought", 2), ("lost", 4)];

    fn lexicon() -> Lexicon {
        let spec: GridSpec = toml::from_str("lower = \"even\"\ncolumns = [1, 6]\nrows = [1, 4]\n").unwrap();
        let units = vec!["A1".into(), "B1".into()];
        Lexicon::new(Grid::new(&spec).unwrap(), &[], units, vec!["dead".into()]).unwrap()
    }

    #[test]
    fn a_head_that_was_written_reads_back() {
        let lex = lexicon();
        let hexes: HexSet = ["0101", "0302"].iter().filter_map(|n| lex.grid().find(n)).collect();
        let mut w = HeadWriter::new(&lex);
        w.put("turn", 3);
        w.put("held", w.hexes(&hexes));
        let first = lex.grid().find("0101").unwrap();
        w.unit(Unit(1), Place::Hex(first)).extend(words_of(&FLAGS, 5).map(|f| ("flags".to_string(), f)));
        w.unit(Unit(0), Place::Box(BoxId(0)));
        let text = toml::to_string(&w.finish()).unwrap();
        let mut faults = Faults::new();
        let mut r = HeadReader::new(&lex, &mut faults);
        let (at, units) = r.parts(&toml::from_str(&text).unwrap());
        assert_eq!(r.small(&at["turn"], 1..=9), 3);
        assert_eq!(r.hexes(&at["held"]), hexes);
        assert_eq!(r.unit(&units[0]), Some((Unit(1), Place::Hex(first))));
        assert_eq!(r.unit(&units[1]), Some((Unit(0), Place::Box(BoxId(0)))));
        let rest: Vec<_> = HeadReader::rest(&units[0]).collect();
        assert_eq!(rest.len(), 1);
        assert_eq!(r.bits("flag", rest[0].1, &FLAGS), 5);
        assert!(faults.is_empty(), "{faults}");
    }

    #[test]
    fn everything_wrong_with_a_head_is_told_at_once() {
        let lex = lexicon();
        let text = r#"
            odd = 1
            [at]
            turn = 12
            phase = "moving"
            held = ["9999"]
            [[unit]]
            counter = "C1"
            [[unit]]
            counter = "A1"
            hex = "nowhere"
            [[unit]]
            counter = "B1"
            hex = "dead"
            steps = 3
        "#;
        let mut faults = Faults::new();
        let mut r = HeadReader::new(&lex, &mut faults);
        let (at, units) = r.parts(&toml::from_str(text).unwrap());
        assert_eq!(r.number(&at["turn"], 1..=9), 9);
        assert_eq!(r.word("phase", &at["phase"], &[("movement", 1), ("combat", 2)]), None);
        assert!(r.hexes(&at["held"]).is_empty());
        assert_eq!(units.iter().filter_map(|u| r.unit(u)).count(), 1);
        assert_eq!(r.steps(Unit(1), &units[2]["steps"], 2), None);
        let told = faults.to_string();
        for what in [
            "'odd' is not understood",
            "12 is out of range; expected 1 to 9",
            "unknown phase \"moving\"; expected one of movement, combat",
            "\"9999\" is no hex",
            "there is no unit 'C1'",
            "A1: 'nowhere' is neither a hex nor a box",
            "B1: steps from 1 to 2, not 3",
        ] {
            assert!(told.contains(what), "{what} in: {told}");
        }
    }
}
