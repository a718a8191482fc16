//! Towns put into hexes.

use crate::anchor::{Anchor, Target};
use crate::earth::Geo;
use crate::patch::Patch;
use crate::recipe::PlaceRule;
use crate::sheet::Sheet;
use crate::theatre::{Theatre, Town};
use hex::Hex;
use text::Faults;

/// A place on the board.
#[derive(Clone, Debug)]
pub struct Place {
    /// Its hex.
    pub hex: Hex,
    /// Its kind.
    pub kind: String,
    /// Its name as the game writes it.
    pub name: String,
    /// Its name today, where it differs.
    pub now: String,
    /// Victory points.
    pub vp: Option<i32>,
    /// Flags.
    pub flags: Vec<String>,
    /// Where it really is.
    pub at: Option<Geo>,
    /// The town of the theatre, if it is one.
    pub town: Option<String>,
}

fn class<'a>(rule: &'a PlaceRule, town: &'a Town) -> &'a str {
    rule.class.get(&town.name).map_or(if rule.by == "fine" { &town.fine } else { &town.size }, |c| c)
}

fn flags(rule: &PlaceRule, town: &Town) -> Vec<String> {
    let mut out = Vec::new();
    let mut add = |flag: &String| {
        let kept = rule.only.get(flag).is_none_or(|towns| towns.contains(&town.name));
        if kept && !out.contains(flag) {
            out.push(flag.clone());
        }
    };
    if let Some(flag) = rule.flags.get(&format!("port:{}", town.port)) {
        add(flag);
    }
    for mark in &town.marks {
        if let Some(flag) = rule.flags.get(mark) {
            add(flag);
        }
    }
    rule.more.get(&town.name).into_iter().flatten().for_each(&mut add);
    out
}

/// The hex of the anchor that stands for a town: the two positions differ by no more than the size of a town.
fn anchored(sheet: &Sheet, anchors: &[Anchor], town: &Town) -> Option<Hex> {
    anchors.iter().find_map(|a| match a.target {
        Target::Hex { column, row } if a.at?.km(town.at) < 6.0 => {
            sheet.grid.at(u16::try_from(column).ok()?, row)
        }
        _ => None,
    })
}

/// Puts the towns of the theatre on the sheet: of two in a hex, the greater one stays.
pub fn put(
    rule: &PlaceRule,
    theatre: &Theatre,
    sheet: &Sheet,
    anchors: &[Anchor],
    faults: &mut Faults,
) -> (Vec<Place>, Vec<String>) {
    let names: Vec<&String> = theatre.towns.keys().collect();
    let told = rule.class.keys().chain(rule.at.keys()).chain(rule.more.keys());
    for name in told.filter(|n| !theatre.towns.contains_key(*n)) {
        faults.add("draft.toml", None, text::unknown("town", name, &names));
    }
    let mut ranked: Vec<(usize, bool, std::cmp::Reverse<u32>, &Town, &String)> = theatre
        .towns
        .values()
        .filter_map(|town| {
            let class = class(rule, town);
            let rank = rule.kinds.iter().position(|k| k.0 == class)?;
            let kind = &rule.kinds[rank].1;
            let told = rule.vp.contains_key(&town.name) || rule.at.contains_key(&town.name);
            Some((rank, !told, std::cmp::Reverse(town.people), town, kind))
        })
        .collect();
    ranked.sort_by(|a, b| (a.0, a.1, a.2, &a.3.name).cmp(&(b.0, b.1, b.2, &b.3.name)));
    let mut out: Vec<Place> = Vec::new();
    let mut remarks = Vec::new();
    let lowest = rule.kinds.len().saturating_sub(1);
    for (rank, _, _, town, kind) in ranked {
        let hex = match rule.at.get(&town.name) {
            Some(name) => match crate::sets::find(&sheet.grid, name) {
                Ok(hex) => Some(hex),
                Err(fault) => {
                    faults.add("draft.toml", None, format!("places.at: {}: {fault}", town.name));
                    None
                }
            },
            None => anchored(sheet, anchors, town).or_else(|| sheet.hex_of(town.at)),
        };
        let Some(hex) = hex else { continue };
        if let Some(other) = out.iter().find(|p| p.hex == hex) {
            if rank < lowest || rule.vp.contains_key(&town.name) {
                remarks.push(format!("{} shares its hex with {} and is left out", town.name, other.name));
            }
            continue;
        }
        let told = rule.vp.contains_key(&town.name) || rule.at.contains_key(&town.name);
        if rank == lowest && !told && out.iter().any(|p| sheet.grid.distance(p.hex, hex) < rule.spacing) {
            continue;
        }
        out.push(Place {
            hex,
            kind: kind.clone(),
            name: rule.rename.get(&town.name).unwrap_or(&town.name).clone(),
            now: town.now.clone(),
            vp: rule.vp.get(&town.name).copied(),
            flags: flags(rule, town),
            at: Some(town.at),
            town: Some(town.name.clone()),
        });
    }
    (out, remarks)
}

/// Puts and takes places as the patches say. A place patched in with the name of another has its points and flags:
/// it is a further hex of the same city.
pub fn patch(rule: &PlaceRule, places: &mut Vec<Place>, patches: &[Patch]) {
    for patch in patches {
        match patch {
            Patch::NoPlace(hex, kind) => places.retain(|p| p.hex != *hex || p.kind != *kind),
            Patch::Place(hex, kind, name) => {
                places.retain(|p| p.hex != *hex || p.kind != *kind);
                let twin = places.iter().find(|p| p.name == *name);
                let place = Place {
                    hex: *hex,
                    kind: kind.clone(),
                    name: name.clone(),
                    now: twin.map(|p| p.now.clone()).unwrap_or_default(),
                    vp: twin.and_then(|p| p.vp).or_else(|| rule.vp.get(name).copied()),
                    flags: twin.map(|p| p.flags.clone()).unwrap_or_default(),
                    at: None,
                    town: None,
                };
                places.push(place);
            }
            _ => {}
        }
    }
}
