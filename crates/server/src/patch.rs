//! How one view differs from the one before: what is sent after each choice instead of the whole.

use game::{BoxView, MarkerView, StackView, View};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use table::Side;

/// What changed; see `docs/protocol.md`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Patch {
    /// Fields that are replaced as a whole.
    pub set: serde_json::Map<String, serde_json::Value>,
    /// All stacks of a hex.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub stacks: BTreeMap<String, Vec<StackView>>,
    /// All markers of a hex.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub markers: BTreeMap<String, Vec<MarkerView>>,
    /// Boxes; `None` is one that is gone.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub boxes: BTreeMap<String, Option<BoxView>>,
    /// Who controls a hex; `None` is nobody.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub control: BTreeMap<String, Option<Side>>,
}

impl Patch {
    /// What leads from one view to another.
    pub fn between(old: &View, new: &View) -> Patch {
        let mut set = serde_json::Map::new();
        let mut field = |name: &str, same: bool, value: serde_json::Result<serde_json::Value>| {
            if !same && let Ok(value) = value {
                set.insert(name.into(), value);
            }
        };
        field("eyes", old.eyes == new.eyes, serde_json::to_value(new.eyes));
        field("turn", old.turn == new.turn, serde_json::to_value(new.turn));
        field("date", old.date == new.date, serde_json::to_value(&new.date));
        field("phase", old.phase == new.phase, serde_json::to_value(&new.phase));
        field("asks", old.asks == new.asks, serde_json::to_value(new.asks));
        field("tracks", old.tracks == new.tracks, serde_json::to_value(&new.tracks));
        field("weather", old.weather == new.weather, serde_json::to_value(&new.weather));
        field("outcome", old.outcome == new.outcome, serde_json::to_value(&new.outcome));
        let control =
            |v: &View| v.control.iter().map(|c| (c.hex.clone(), c.side)).collect::<BTreeMap<_, _>>();
        let boxes = |v: &View| v.boxes.iter().map(|b| (b.id.clone(), b.clone())).collect::<BTreeMap<_, _>>();
        Patch {
            set,
            stacks: by_hex(&old.stacks, &new.stacks, |s| &s.hex),
            markers: by_hex(&old.markers, &new.markers, |m| &m.hex),
            boxes: if old.boxes == new.boxes { BTreeMap::new() } else { changed(boxes(old), boxes(new)) },
            control: if old.control == new.control {
                BTreeMap::new()
            } else {
                changed(control(old), control(new))
            },
        }
    }
}

/// The hexes whose things differ, with all that lies there now.
fn by_hex<T: Clone + PartialEq>(
    old: &[T],
    new: &[T],
    hex: impl Fn(&T) -> &String,
) -> BTreeMap<String, Vec<T>> {
    let group = |all: &[T]| {
        let mut out: BTreeMap<String, Vec<T>> = BTreeMap::new();
        for t in all {
            out.entry(hex(t).clone()).or_default().push(t.clone());
        }
        out
    };
    // Most things stay where they were: leave out what both lists begin and end with before grouping by hex. A hex
    // may straddle the cut, so its things are taken in again from the whole list.
    let head = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let tail = old[head..].iter().rev().zip(new[head..].iter().rev()).take_while(|(a, b)| a == b).count();
    let (old_mid, new_mid) = (&old[head..old.len() - tail], &new[head..new.len() - tail]);
    let mut touched = std::collections::BTreeSet::new();
    touched.extend(old_mid.iter().chain(new_mid).map(|t| hex(t).clone()));
    let within =
        |all: &[T]| group(&all.iter().filter(|t| touched.contains(hex(t))).cloned().collect::<Vec<_>>());
    let (was, is) = (within(old), within(new));
    touched
        .into_iter()
        .filter_map(|h| {
            let now = is.get(&h).cloned().unwrap_or_default();
            (was.get(&h).map_or(&[][..], |w| w) != &now[..]).then_some((h, now))
        })
        .collect()
}

fn changed<T: Clone + PartialEq>(
    old: BTreeMap<String, T>,
    mut new: BTreeMap<String, T>,
) -> BTreeMap<String, Option<T>> {
    let mut out = BTreeMap::new();
    for (k, was) in old {
        match new.remove(&k) {
            Some(is) if is == was => {}
            other => {
                out.insert(k, other);
            }
        }
    }
    out.extend(new.into_iter().map(|(k, v)| (k, Some(v))));
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::{ControlView, Eyes};

    fn stack(hex: &str, unseen: u32) -> StackView {
        StackView { hex: hex.into(), side: Side::One, units: vec![], unseen }
    }

    fn view(stacks: Vec<StackView>, control: &[(&str, Side)], turn: u32) -> View {
        View {
            eyes: Eyes::Spectator,
            turn,
            date: String::new(),
            phase: String::new(),
            asks: None,
            stacks,
            boxes: vec![],
            markers: vec![],
            tracks: vec![],
            weather: vec![],
            control: control.iter().map(|(h, s)| ControlView { hex: (*h).into(), side: *s }).collect(),
            outcome: None,
        }
    }

    #[test]
    fn equal_views_give_an_empty_patch() {
        let v = view(vec![stack("0101", 1)], &[("0101", Side::One)], 1);
        assert_eq!(Patch::between(&v, &v), Patch::default());
    }

    #[test]
    fn a_stack_that_moves_leaves_one_hex_empty_and_another_full() {
        let old = view(vec![stack("0101", 1), stack("0202", 2)], &[("0101", Side::One)], 1);
        let new = view(vec![stack("0202", 2), stack("0303", 1)], &[("0303", Side::Two)], 2);
        let p = Patch::between(&old, &new);
        assert_eq!(p.set.keys().collect::<Vec<_>>(), ["turn"]);
        assert_eq!(p.stacks.keys().collect::<Vec<_>>(), ["0101", "0303"]);
        assert!(p.stacks["0101"].is_empty());
        assert_eq!(p.control["0101"], None);
        assert_eq!(p.control["0303"], Some(Side::Two));
    }

    #[test]
    fn two_stacks_on_one_hex_are_sent_together() {
        let old = view(vec![stack("0101", 1), stack("0101", 2)], &[], 1);
        let new = view(vec![stack("0101", 1), stack("0101", 3)], &[], 1);
        assert_eq!(Patch::between(&old, &new).stacks["0101"].len(), 2);
    }
}
