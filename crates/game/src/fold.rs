//! How a question with thousands of placements is written: a set-up of 170 units on 40 hexes each is a megabyte when every
//! choice is spelled out, and ten kilobytes when units that may go to the same places share one list.

use crate::ask::{AskView, ChoiceView, TodoView};
use crate::{Choice, Forecast, Object, Position, Verb};
use hex::Hex;
use serde::ser::{Serialize, SerializeStruct, Serializer};
use serde::{Deserialize, Serialize as Derive};
use std::collections::BTreeMap;
use table::{BoxId, Side, Unit};

/// From so many placements on they are folded; shorter lists stay plain.
const LONG: usize = 200;

/// Units that may all be put on the same hexes and into the same boxes.
#[derive(Clone, Debug, PartialEq, Derive, Deserialize)]
pub struct Places {
    /// The verb's word.
    pub verb: String,
    /// What the button says.
    pub label: String,
    /// One sentence on what it does.
    pub help: String,
    /// Each of these units
    pub units: Vec<String>,
    /// on each of these hexes
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub hexes: Vec<String>,
    /// or into each of these boxes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub boxes: Vec<String>,
}

/// Whether a choice says nothing that a folded list could not.
fn plain(c: &ChoiceView) -> bool {
    c.mine
        && !c.held
        && c.note.is_none()
        && c.unit.is_some()
        && (c.hex.is_some() || c.boxed.is_some())
        && c.path.is_none()
}

/// Where one unit may be put.
struct Open<'a> {
    hexes: Vec<&'a str>,
    boxes: Vec<&'a str>,
    first: &'a ChoiceView,
}

/// The choices that stay as they are, and the placements folded; in the order of their first unit.
pub fn fold(choices: &[ChoiceView]) -> (Vec<&ChoiceView>, Vec<Places>) {
    if choices.iter().filter(|c| plain(c)).count() < LONG {
        return (choices.iter().collect(), Vec::new());
    }
    let mut rest = Vec::new();
    let mut order: Vec<(&str, &str)> = Vec::new();
    let mut by_unit: BTreeMap<(&str, &str), Open<'_>> = BTreeMap::new();
    for c in choices {
        let Some(unit) = c.unit.as_deref().filter(|_| plain(c)) else {
            rest.push(c);
            continue;
        };
        let key = (c.verb.as_str(), unit);
        let open = by_unit.entry(key).or_insert_with(|| {
            order.push(key);
            Open { hexes: Vec::new(), boxes: Vec::new(), first: c }
        });
        open.hexes.extend(c.hex.as_deref());
        open.boxes.extend(c.boxed.as_deref());
    }
    let mut places: Vec<Places> = Vec::new();
    let mut alike: BTreeMap<(&str, &[&str], &[&str]), usize> = BTreeMap::new();
    for (verb, unit) in order {
        let Some(Open { hexes, boxes, first }) = by_unit.get(&(verb, unit)) else { continue };
        let at = *alike.entry((verb, hexes, boxes)).or_insert(places.len());
        if at == places.len() {
            let own = |list: &[&str]| list.iter().map(|s| (*s).to_owned()).collect();
            places.push(Places {
                verb: verb.to_owned(),
                label: first.label.clone(),
                help: first.help.clone(),
                units: Vec::new(),
                hexes: own(hexes),
                boxes: own(boxes),
            });
        }
        if let Some(p) = places.get_mut(at) {
            p.units.push(unit.to_owned());
        }
    }
    (rest, places)
}

/// Folds placements as [`fold`] does, straight from the choices: what is not folded, and the rest.
pub fn fold_choices(p: &dyn Position, choices: Vec<Choice>) -> (Vec<Choice>, Vec<Places>) {
    let place = |c: &Choice| match c.object {
        Object::At(u, h) => Some((u, Ok(h))),
        Object::Into(u, b) => Some((u, Err(b))),
        _ => None,
    };
    let lex = p.lexicon();
    let folds = |c: &&Choice| place(c).is_some() && !lex.verb(c.verb).held && p.note(c).is_none();
    if choices.iter().filter(|c| place(c).is_some()).count() < LONG
        || choices.iter().filter(folds).count() < LONG
    {
        return (choices, Vec::new());
    }
    let mut rest = Vec::new();
    let mut order: Vec<(Verb, Unit)> = Vec::new();
    let mut by_unit: BTreeMap<(u8, Unit), (Vec<Hex>, Vec<BoxId>)> = BTreeMap::new();
    for c in choices {
        let Some((unit, to)) = place(&c).filter(|_| folds(&&c)) else {
            rest.push(c);
            continue;
        };
        let (hexes, boxes) = by_unit.entry((c.verb.0, unit)).or_insert_with(|| {
            order.push((c.verb, unit));
            (Vec::new(), Vec::new())
        });
        match to {
            Ok(h) => hexes.push(h),
            Err(b) => boxes.push(b),
        }
    }
    let mut places: Vec<Places> = Vec::new();
    let mut alike: BTreeMap<(u8, &[Hex], &[BoxId]), usize> = BTreeMap::new();
    for (verb, unit) in order {
        let Some((hexes, boxes)) = by_unit.get(&(verb.0, unit)) else { continue };
        let at = *alike.entry((verb.0, hexes, boxes)).or_insert(places.len());
        if at == places.len() {
            let info = lex.verb(verb);
            places.push(Places {
                verb: info.word.into(),
                label: info.label.into(),
                help: info.help.into(),
                units: Vec::new(),
                hexes: hexes.iter().map(|&h| lex.hex(h)).collect(),
                boxes: boxes.iter().map(|&b| lex.boxed(b).into()).collect(),
            });
        }
        if let Some(p) = places.get_mut(at) {
            p.units.push(lex.unit(unit).to_owned());
        }
    }
    (rest, places)
}

/// Spells folded placements out again.
pub fn unfold(places: &[Places], out: &mut Vec<ChoiceView>) {
    for p in places {
        for unit in &p.units {
            let put = |hex: Option<&String>, boxed: Option<&String>| ChoiceView {
                text: format!("{} {unit} {}", p.verb, hex.or(boxed).map_or("", String::as_str)),
                verb: p.verb.clone(),
                label: p.label.clone(),
                help: p.help.clone(),
                unit: Some(unit.clone()),
                hex: hex.cloned(),
                edge: None,
                boxed: boxed.cloned(),
                path: None,
                number: None,
                note: None,
                held: false,
                mine: true,
            };
            out.extend(p.hexes.iter().map(|h| put(Some(h), None)));
            out.extend(p.boxes.iter().map(|b| put(None, Some(b))));
        }
    }
}

impl Serialize for AskView {
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        let (choices, mut places) = fold(&self.choices);
        places.extend(self.places.iter().cloned());
        let more = usize::from(!places.is_empty()) + usize::from(self.forecast.is_some());
        let mut s = out.serialize_struct("AskView", 8 + more)?;
        s.serialize_field("n", &self.n)?;
        s.serialize_field("side", &self.side)?;
        s.serialize_field("key", &self.key)?;
        s.serialize_field("rule", &self.rule)?;
        s.serialize_field("prompt", &self.prompt)?;
        s.serialize_field("hexes", &self.hexes)?;
        s.serialize_field("todo", &self.todo)?;
        s.serialize_field("choices", &choices)?;
        if !places.is_empty() {
            s.serialize_field("places", &places)?;
        }
        if self.forecast.is_some() {
            s.serialize_field("forecast", &self.forecast)?;
        }
        s.end()
    }
}

/// A question as it is read.
#[derive(Deserialize)]
pub(crate) struct Unfolded {
    n: u32,
    side: Side,
    key: String,
    rule: String,
    prompt: String,
    hexes: Vec<String>,
    todo: Vec<TodoView>,
    choices: Vec<ChoiceView>,
    #[serde(default)]
    places: Vec<Places>,
    #[serde(default)]
    forecast: Option<Forecast>,
}

impl From<Unfolded> for AskView {
    fn from(u: Unfolded) -> AskView {
        let Unfolded { n, side, key, rule, prompt, hexes, todo, mut choices, places, forecast } = u;
        unfold(&places, &mut choices);
        AskView { n, side, key, rule, prompt, hexes, todo, choices, places: Vec::new(), forecast }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn put(unit: usize, hex: usize) -> ChoiceView {
        let mut out = Vec::new();
        let one = Places {
            verb: "place".into(),
            label: "Place".into(),
            help: "Put it here.".into(),
            units: vec![format!("U{unit}")],
            hexes: vec![format!("{hex:04}")],
            boxes: Vec::new(),
        };
        unfold(&[one], &mut out);
        out.remove(0)
    }

    fn ask(choices: Vec<ChoiceView>) -> AskView {
        AskView {
            n: 3,
            side: Side::Two,
            key: "set-up".into(),
            rule: "3.2".into(),
            prompt: "Set up.".into(),
            hexes: vec![],
            todo: vec![],
            choices,
            places: vec![],
            forecast: None,
        }
    }

    #[test]
    fn a_long_list_of_placements_is_written_short_and_read_back_whole() {
        let mut all: Vec<ChoiceView> = (0..30).flat_map(|u| (0..40).map(move |h| put(u, h))).collect();
        // One unit with fewer places, one choice with a note: neither is lost or mixed with the others.
        all.extend((0..5).map(|h| put(99, h)));
        all.push(ChoiceView { note: Some("costs 2".into()), ..put(98, 1) });
        let ask = ask(all);
        let text = serde_json::to_string(&ask).unwrap();
        assert!(text.len() < 4000, "{} bytes", text.len());
        let back: AskView = serde_json::from_str(&text).unwrap();
        let texts = |a: &AskView| {
            let mut t: Vec<String> = a.choices.iter().map(|c| format!("{c:?}")).collect();
            t.sort();
            t
        };
        assert_eq!(texts(&ask), texts(&back));
    }

    #[test]
    fn a_short_list_stays_plain() {
        let ask = ask((0..10).map(|h| put(1, h)).collect());
        let text = serde_json::to_string(&ask).unwrap();
        assert!(!text.contains("places"));
        assert_eq!(serde_json::from_str::<AskView>(&text).unwrap(), ask);
    }
}
