//! Where the values of a file come from.

use serde::{Deserialize, Deserializer, Serialize, de::Error};
use std::fmt;

/// Where values come from: rule numbers, or `reconstructed: ` and how.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Source(String);

impl Source {
    /// Reads a source; the error is the sentence that says what is missing.
    pub fn new(words: &str) -> Result<Source, String> {
        let words = words.trim();
        if words.is_empty() {
            return Err(Source::wanted("the source is empty"));
        }
        if let Some(rest) = words.strip_prefix("reconstructed")
            && rest.trim_start_matches(':').trim().is_empty()
        {
            return Err(
                "the source says reconstructed but not how; expected \"reconstructed: how it was made\""
                    .to_string(),
            );
        }
        Ok(Source(words.to_string()))
    }

    /// How the values were reconstructed, when they were not printed in the rulebook.
    pub fn reconstructed(&self) -> Option<&str> {
        Some(self.0.strip_prefix("reconstructed")?.trim_start_matches(':').trim())
    }

    /// The words as written.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The sentence for a missing source.
    pub(crate) fn wanted(fault: &str) -> String {
        format!("{fault}; expected a rule number such as 17.7, or \"reconstructed: how it was made\"")
    }
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for Source {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Source, D::Error> {
        Source::new(&String::deserialize(d)?).map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reconstructed_must_say_how() {
        assert!(Source::new("reconstructed").is_err());
        assert!(Source::new("reconstructed: ").is_err());
        assert_eq!(Source::new("reconstructed: by eye").unwrap().reconstructed(), Some("by eye"));
        assert_eq!(Source::new("17.7").unwrap().reconstructed(), None);
        assert!(Source::new("  ").is_err());
    }
}
