//! TOML files read into types, with the line of each fault.

use crate::{Faults, Files, Source, nearest};
use serde::de::DeserializeOwned;
use std::borrow::Cow;
use std::ops::Range;

/// A TOML file that was read: its value, and what is needed to point at a place in it.
#[derive(Clone, Debug)]
pub struct Toml<T> {
    /// The file as faults show it.
    pub file: String,
    /// Where its values come from.
    pub source: Source,
    /// What it says.
    pub value: T,
    text: Cow<'static, str>,
}

impl<T> Toml<T> {
    /// The line of a [`crate::Spanned`] value in this file.
    pub fn line(&self, span: Range<usize>) -> Option<u32> {
        Some(line_at(&self.text, span.start))
    }
}

/// Reads a TOML file into `T`. A file without a top-level `source` is at fault, as is one that does not fit `T`.
///
/// If `T` refuses unknown fields it must have a field `source: Source` itself.
pub fn read_toml<T: DeserializeOwned>(files: &Files, name: &str, faults: &mut Faults) -> Option<Toml<T>> {
    let text = match files.read(name) {
        Ok(text) => text,
        Err(fault) => {
            faults.push(fault);
            return None;
        }
    };
    let file = files.shown(name);
    let table: toml::Table = match toml::from_str(&text) {
        Ok(table) => table,
        Err(e) => {
            faults.add(file, e.span().map(|s| line_at(&text, s.start)), e.message().replace('\n', "; "));
            return None;
        }
    };
    let source = match table.get("source") {
        Some(toml::Value::String(words)) => Source::new(words),
        Some(_) => Err(Source::wanted("the source is not a string")),
        None => Err(Source::wanted("the key source is missing")),
    };
    let source = source.map_err(|what| {
        let line = text.lines().position(|l| l.trim_start().starts_with("source"));
        faults.add(file.clone(), line.map(|n| n as u32 + 1), what);
    });
    match toml::from_str::<T>(&text) {
        Ok(value) => Some(Toml { file, source: source.ok()?, value, text }),
        Err(e) => {
            // A type that checks its own source would repeat the fault just noted.
            if source.is_ok() || !e.message().contains("source") {
                let line = e.span().map(|s| line_at(&text, s.start));
                faults.add(file, line, with_nearest(e.message()));
            }
            None
        }
    }
}

fn line_at(text: &str, offset: usize) -> u32 {
    let end = offset.min(text.len());
    text.as_bytes()[..end].iter().filter(|&&b| b == b'\n').count() as u32 + 1
}

/// Adds the nearest valid name to serde's "unknown field" and "unknown variant" sentences.
fn with_nearest(message: &str) -> String {
    let message = message.trim().replace('\n', "; ");
    let quoted: Vec<&str> = message.split('`').skip(1).step_by(2).collect();
    match quoted.split_first() {
        Some((word, valid)) if message.starts_with("unknown") => match nearest(word, valid.iter().copied()) {
            Some(near) => format!("{message}; nearest valid value \"{near}\""),
            None => message,
        },
        _ => message,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;
    use toml::Spanned;

    #[derive(Deserialize, Debug)]
    #[serde(deny_unknown_fields)]
    struct Chart {
        #[allow(dead_code)]
        source: Source,
        name: Spanned<String>,
        rows: Vec<u8>,
    }

    fn read(text: &'static str) -> (Option<Toml<Chart>>, String) {
        let files = Files::embedded(Box::leak(Box::new([("chart.toml", text)])));
        let mut faults = Faults::new();
        let chart = read_toml(&files, "chart.toml", &mut faults);
        (chart, faults.to_string())
    }

    #[test]
    fn a_good_file_is_read_and_can_be_pointed_into() {
        let (chart, faults) = read("source = \"17.7\"\n\nname = \"odds\"\nrows = [1, 2]\n");
        assert_eq!(faults, "");
        let chart = chart.unwrap();
        assert_eq!(chart.line(chart.value.name.span()), Some(3));
        assert_eq!(chart.value.rows, [1, 2]);
        assert_eq!(chart.source.as_str(), "17.7");
    }

    #[test]
    fn a_missing_source_is_a_fault() {
        let (_, faults) = read("name = \"odds\"\nrows = []\n");
        assert!(faults.starts_with("chart.toml: the key source is missing; expected"), "{faults}");
    }

    #[test]
    fn a_mistyped_key_names_its_line_and_the_nearest() {
        let (_, faults) = read("source = \"17.7\"\nnme = \"odds\"\nrows = []\n");
        assert!(faults.starts_with("chart.toml:2: unknown field `nme`"), "{faults}");
        assert!(faults.ends_with("nearest valid value \"name\""), "{faults}");
    }

    #[test]
    fn broken_syntax_names_its_line() {
        let (_, faults) = read("source = \"17.7\"\nname = \n");
        assert!(faults.starts_with("chart.toml:2: "), "{faults}");
    }
}
