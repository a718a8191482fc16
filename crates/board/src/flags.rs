//! Words that mark a thing, some with a value.

use serde::Serialize;

/// The flags of one thing: `port`, or `opens=1942-08-11`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Flags(Vec<String>);

impl Flags {
    /// Flags from their words.
    pub fn new<S: Into<String>>(words: impl IntoIterator<Item = S>) -> Flags {
        Flags(words.into_iter().map(Into::into).collect())
    }

    /// Whether the word is there, with or without a value.
    pub fn has(&self, word: &str) -> bool {
        self.0.iter().any(|f| Flags::word(f) == word)
    }

    /// The value of a flag that carries one.
    pub fn value(&self, word: &str) -> Option<&str> {
        self.0.iter().find_map(|f| f.split_once('=').filter(|(w, _)| *w == word).map(|(_, v)| v))
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The flags as written.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }

    /// The word of a flag without its value.
    pub(crate) fn word(flag: &str) -> &str {
        flag.split_once('=').map_or(flag, |(w, _)| w)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flag_is_found_by_its_word_and_gives_its_value() {
        let flags = Flags::new(["port", "opens=1942-08-11"]);
        assert!(flags.has("port") && flags.has("opens") && !flags.has("por"));
        assert_eq!(flags.value("opens"), Some("1942-08-11"));
        assert_eq!(flags.value("port"), None);
    }
}
