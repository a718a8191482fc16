//! How the command fails: one sentence and an exit code.

use std::fmt;

/// Why the command did not do what it was asked. The exit codes are part of `verst --help`.
#[derive(Debug)]
pub enum Fail {
    /// 1: what was checked is not as it should be; the details are printed already.
    Amiss(String),
    /// 2: the command line asks for something that does not exist.
    Usage(String),
    /// 3: a file, overlay, store or address cannot be used, or a file holds nonsense.
    File(String),
}

impl Fail {
    /// The exit code.
    pub fn code(&self) -> u8 {
        match self {
            Fail::Amiss(_) => 1,
            Fail::Usage(_) => 2,
            Fail::File(_) => 3,
        }
    }
}

impl fmt::Display for Fail {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fail::Amiss(s) | Fail::Usage(s) | Fail::File(s) => f.write_str(s),
        }
    }
}

impl From<text::Faults> for Fail {
    /// Faults of the terms alone are the command line's; all others lie in files.
    fn from(f: text::Faults) -> Fail {
        let terms = f.iter().all(|fault| fault.file == game::Terms::FILE);
        if terms { Fail::Usage(f.to_string()) } else { Fail::File(f.to_string()) }
    }
}

impl From<text::Fault> for Fail {
    fn from(f: text::Fault) -> Fail {
        Fail::File(f.to_string())
    }
}

/// What a subcommand gives back.
pub type Done = Result<(), Fail>;
