//! What players agree on before a game: a scenario and its options.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use text::{Faults, Files, read_toml, unknown};

/// What values an option takes.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// `on` or `off`.
    Flag,
    /// One of these words.
    OneOf(Vec<String>),
}

impl Kind {
    /// The values.
    pub fn values(&self) -> Vec<&str> {
        match self {
            Kind::Flag => vec!["on", "off"],
            Kind::OneOf(words) => words.iter().map(String::as_str).collect(),
        }
    }
}

/// Something players agree on before a game: an optional rule, a ruling where the book is unclear, beginner rules.
#[derive(Clone, Debug, Serialize)]
pub struct OptionSpec {
    /// One word: `beginner`.
    pub id: String,
    /// What it is called.
    pub name: String,
    /// What it does.
    pub about: String,
    /// The rule it concerns.
    pub rule: String,
    /// Its values.
    pub kind: Kind,
    /// The value when nobody says otherwise.
    pub default: String,
}

/// An `[[option]]` of a file; without `values` it is `on` or `off`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
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

impl OptionSpec {
    /// Reads a game's `options.toml`.
    pub fn read(files: &Files, faults: &mut Faults) -> Option<Vec<OptionSpec>> {
        let file = read_toml::<OptionFile>(files, "options.toml", faults)?;
        let mut all = Vec::new();
        for Row { id, name, rule, about, values, default } in file.value.option {
            let kind = if values.is_empty() { Kind::Flag } else { Kind::OneOf(values) };
            if !kind.values().contains(&default.as_str()) {
                let what = format!("{id}: {}", unknown("default", &default, &kind.values()));
                faults.add(&file.file, None, what);
            }
            all.push(OptionSpec { id, name, about, rule, kind, default });
        }
        Some(all)
    }
}

/// What players agreed on: enough to start the same game again anywhere.
#[derive(Clone, Debug, Default, Serialize, Deserialize, PartialEq, Eq)]
pub struct Terms {
    /// The scenario.
    pub scenario: String,
    /// Options that differ from their defaults.
    #[serde(default)]
    pub options: BTreeMap<String, String>,
    /// Digest of the overlay laid over our data, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub overlay: Option<String>,
}

impl Terms {
    /// What a fault of the terms names as its file, to be told from faults of the data.
    pub const FILE: &'static str = "terms";

    /// A scenario with all options at their defaults.
    pub fn of(scenario: &str) -> Terms {
        Terms { scenario: scenario.into(), ..Terms::default() }
    }

    /// Which of these scenarios is agreed on; an unknown one is a fault that names them.
    pub fn scenario_among(&self, ids: &[&str], faults: &mut Faults) -> Option<usize> {
        let found = ids.iter().position(|id| *id == self.scenario);
        if found.is_none() {
            faults.add(Terms::FILE, None, unknown("scenario", &self.scenario, ids));
        }
        found
    }

    /// What is agreed on these options; unknown options and values are faults that name the valid ones.
    pub fn agreed<'a>(&'a self, specs: &'a [OptionSpec], faults: &mut Faults) -> Agreed<'a> {
        for (id, value) in &self.options {
            match specs.iter().find(|o| o.id == *id) {
                None => {
                    let known: Vec<_> = specs.iter().map(|o| o.id.as_str()).collect();
                    faults.add(Terms::FILE, None, unknown("option", id, &known));
                }
                Some(o) if !o.kind.values().contains(&value.as_str()) => {
                    let what = unknown(&format!("value of the option {id}"), value, &o.kind.values());
                    faults.add(Terms::FILE, None, what);
                }
                Some(_) => {}
            }
        }
        Agreed { specs, terms: self }
    }
}

/// The value of every option of a game: what was agreed on, else its default.
#[derive(Clone, Copy, Debug)]
pub struct Agreed<'a> {
    specs: &'a [OptionSpec],
    terms: &'a Terms,
}

impl Agreed<'_> {
    /// The value of an option; nothing for one that the game does not have.
    pub fn value(&self, id: &str) -> &str {
        let default = || self.specs.iter().find(|o| o.id == id).map_or("", |o| o.default.as_str());
        self.terms.options.get(id).map_or_else(default, String::as_str)
    }

    /// Whether an option is on.
    pub fn on(&self, id: &str) -> bool {
        self.value(id) == "on"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = r#"
source = "reconstructed: for tests"
[[option]]
id = "fog"
name = "Fog"
rule = "1"
about = "Units are hidden."
default = "on"
[[option]]
id = "returns"
name = "Returns"
rule = "2"
about = "How units come back."
values = ["never", "tried"]
default = "tried"
"#;

    fn specs() -> Vec<OptionSpec> {
        let files = Files::held([("options.toml".to_string(), FILE.to_string())].into());
        let mut faults = Faults::new();
        let specs = OptionSpec::read(&files, &mut faults).unwrap();
        assert!(faults.is_empty(), "{faults}");
        specs
    }

    #[test]
    fn what_is_not_agreed_on_has_its_default() {
        let specs = specs();
        let mut terms = Terms::of("june");
        terms.options.insert("fog".into(), "off".into());
        let mut faults = Faults::new();
        let agreed = terms.agreed(&specs, &mut faults);
        assert!(faults.is_empty());
        assert!(!agreed.on("fog"));
        assert_eq!(agreed.value("returns"), "tried");
    }

    #[test]
    fn unknown_scenarios_options_and_values_are_named_all_at_once() {
        let specs = specs();
        let mut terms = Terms::of("juni");
        terms.options.insert("fgo".into(), "off".into());
        terms.options.insert("returns".into(), "on".into());
        let mut faults = Faults::new();
        assert_eq!(terms.scenario_among(&["june", "july"], &mut faults), None);
        let _ = terms.agreed(&specs, &mut faults);
        let told = faults.to_string();
        assert!(told.contains("unknown scenario \"juni\"; expected one of june, july"), "{told}");
        assert!(told.contains("unknown option \"fgo\"; expected one of fog, returns"), "{told}");
        assert!(told.contains("value of the option returns \"on\"; expected one of never, tried"), "{told}");
    }

    #[test]
    fn a_default_that_is_no_value_is_refused() {
        let text = FILE.replace("default = \"tried\"", "default = \"always\"");
        let files = Files::held([("options.toml".to_string(), text)].into());
        let mut faults = Faults::new();
        OptionSpec::read(&files, &mut faults);
        assert!(faults.to_string().contains("returns: unknown default \"always\""), "{faults}");
    }
}
