//! What is wrong with a file: one fault, or many at once.

use std::fmt;

/// One thing wrong in one file, in a sentence that says what was expected.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fault {
    /// The file, as its owner knows it.
    pub file: String,
    /// The line, counted from 1; none when the fault concerns the file as a whole.
    pub line: Option<u32>,
    /// What is wrong, what was expected and, where one can tell, the nearest valid value.
    pub what: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            Some(line) => write!(f, "{}:{}: {}", self.file, line, self.what),
            None => write!(f, "{}: {}", self.file, self.what),
        }
    }
}

impl std::error::Error for Fault {}

/// All that is wrong, found in one reading.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Faults(Vec<Fault>);

impl Faults {
    /// No faults yet.
    pub fn new() -> Faults {
        Faults::default()
    }

    /// One fault of a file as a whole.
    pub fn one(file: &str, what: impl Into<String>) -> Faults {
        Faults(vec![Fault { file: file.into(), line: None, what: what.into() }])
    }

    /// Notes one fault.
    pub fn add(&mut self, file: impl Into<String>, line: Option<u32>, what: impl Into<String>) {
        self.0.push(Fault { file: file.into(), line, what: what.into() });
    }

    /// Notes a fault that was made elsewhere.
    pub fn push(&mut self, fault: Fault) {
        self.0.push(fault);
    }

    /// Notes all faults of another reading.
    pub fn append(&mut self, other: Faults) {
        self.0.extend(other.0);
    }

    /// Whether nothing is wrong.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How many faults there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// The faults, in the order found.
    pub fn iter(&self) -> std::slice::Iter<'_, Fault> {
        self.0.iter()
    }

    /// Nothing if nothing is wrong, else the faults sorted by file and line.
    pub fn check(mut self) -> Result<(), Faults> {
        if self.0.is_empty() {
            return Ok(());
        }
        self.0.sort();
        self.0.dedup();
        Err(self)
    }
}

impl fmt::Display for Faults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, fault) in self.0.iter().enumerate() {
            if i > 0 {
                f.write_str("\n")?;
            }
            write!(f, "{fault}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Faults {}

impl From<Fault> for Faults {
    fn from(fault: Fault) -> Faults {
        Faults(vec![fault])
    }
}

impl<'a> IntoIterator for &'a Faults {
    type Item = &'a Fault;
    type IntoIter = std::slice::Iter<'a, Fault>;
    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_print_one_to_a_line_in_file_and_line_order() {
        let mut faults = Faults::new();
        faults.add("b.tsv", Some(9), "nine");
        faults.add("b.tsv", Some(2), "two");
        faults.add("a.toml", None, "whole");
        let faults = faults.check().unwrap_err();
        assert_eq!(faults.to_string(), "a.toml: whole\nb.tsv:2: two\nb.tsv:9: nine");
    }

    #[test]
    fn no_fault_checks_out() {
        assert_eq!(Faults::new().check(), Ok(()));
    }
}
