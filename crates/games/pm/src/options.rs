//! What players agree on before a game: declared in `options.toml`, read here into the switches that the rules ask.

use game::{Kind, OptionSpec, Terms};
use serde::Deserialize;
use text::{Faults, Files, read_toml};

/// 8.13: how rifle divisions come back from the dead pile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Returns {
    /// Drawn blind, their counters back in the pool.
    Untried,
    /// Drawn blind, as what they were.
    Tried,
    /// The strongest first, as what they were.
    Best,
}

/// What players agreed on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Leave out every rule marked with an omega.
    pub beginner: bool,
    /// 8.13
    pub returns: Returns,
    /// 14.20: all mechanized units attack with 1 through a strait, as 17.9 has it.
    pub strait_chart: bool,
    /// 14.19: rivers count when some attackers cross a strait instead.
    pub mixed_river: bool,
    /// 14.41: siege artillery adds its point after a city has doubled losses.
    pub arko_after: bool,
    /// 15.6: whatever is left may run another round.
    pub rounds_any: bool,
    /// 8.17: flak lost before its withdrawal costs VP.
    pub lost_flak: bool,
    /// 8.16: units in the OKH areas may be withdrawn.
    pub okh_withdrawal: bool,
    /// 11.4: units on land may join an invasion.
    pub joint_invasion: bool,
    /// 14.26: a retreat into a work destroys it.
    pub retreat_works: bool,
}

#[derive(Deserialize)]
struct Row {
    id: String,
    name: String,
    rule: String,
    about: String,
    #[serde(default)]
    values: Vec<String>,
    default: String,
}

#[derive(Deserialize)]
struct OptionFile {
    option: Vec<Row>,
}

/// Reads `options.toml`.
pub fn read(files: &Files, faults: &mut Faults) -> Option<Vec<OptionSpec>> {
    let file = read_toml::<OptionFile>(files, "options.toml", faults)?;
    let mut all = Vec::new();
    for Row { id, name, rule, about, values, default } in file.value.option {
        let kind = if values.is_empty() { Kind::Flag } else { Kind::OneOf(values) };
        if !allowed(&kind).contains(&default.as_str()) {
            let known = allowed(&kind).join(", ");
            faults.add("options.toml", None, format!("{id}: default '{default}' is none of {known}"));
        }
        all.push(OptionSpec { id, name, about, rule, kind, default });
    }
    Some(all)
}

fn allowed(kind: &Kind) -> Vec<&str> {
    match kind {
        Kind::Flag => vec!["on", "off"],
        Kind::OneOf(words) => words.iter().map(String::as_str).collect(),
    }
}

impl Options {
    /// The switches of some terms; an unknown option or value is a fault that names what there is.
    pub fn of(specs: &[OptionSpec], terms: &Terms, faults: &mut Faults) -> Options {
        for (id, value) in &terms.options {
            match specs.iter().find(|o| o.id == *id) {
                None => {
                    let known: Vec<_> = specs.iter().map(|o| o.id.as_str()).collect();
                    let what = format!("'{id}' is no option; expected one of {}", known.join(", "));
                    faults.add("terms", None, what);
                }
                Some(o) if !allowed(&o.kind).contains(&value.as_str()) => {
                    let known = allowed(&o.kind).join(", ");
                    faults.add("terms", None, format!("{id} is one of {known}, not '{value}'"));
                }
                Some(_) => {}
            }
        }
        let value = |id: &str| {
            let default = specs.iter().find(|o| o.id == id).map_or("", |o| o.default.as_str());
            terms.options.get(id).map_or(default, String::as_str)
        };
        Options {
            beginner: value("beginner") == "on",
            returns: match value("returns") {
                "tried" => Returns::Tried,
                "best" => Returns::Best,
                _ => Returns::Untried,
            },
            strait_chart: value("strait-armour") == "chart",
            mixed_river: value("mixed-water") == "river",
            arko_after: value("arko-city") == "after",
            rounds_any: value("rounds") == "any",
            lost_flak: value("lost-flak") == "on",
            okh_withdrawal: value("okh-withdrawal") == "on",
            joint_invasion: value("joint-invasion") == "on",
            retreat_works: value("retreat-works") == "on",
        }
    }
}
