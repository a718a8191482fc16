//! OpenSpiel's chess, played at random from Python as most of its users do. `make bench` puts the wheel from PyPI into a folder of
//! its own; where that cannot be had, the row is left out and said to be.

use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdout, Command, Stdio};

/// Where `make bench` puts it.
const PYTHON: &str = "target/openspiel/bin/python";

/// Plays for a while from each seed that it reads, and answers with the nanoseconds of a decision.
const SCRIPT: &str = "
import random, sys, time
import pyspiel
game = pyspiel.load_game('chess')
print('ready', flush=True)
for line in sys.stdin:
    dice = random.Random(int(line))
    decisions, begin = 0, time.perf_counter()
    while time.perf_counter() - begin < 0.1:
        state, n = game.new_initial_state(), 0
        while n < 400 and not state.is_terminal():
            state.apply_action(dice.choice(state.legal_actions()))
            n += 1
        decisions += n
    print((time.perf_counter() - begin) * 1e9 / decisions, flush=True)
";

/// The other process.
pub struct OpenSpiel {
    child: Child,
    said: BufReader<ChildStdout>,
}

impl OpenSpiel {
    /// Starts it; `None`, with a word on why, where it is not installed.
    pub fn start() -> Option<OpenSpiel> {
        let python = std::env::var_os("VERST_OPENSPIEL").map_or_else(|| PathBuf::from(PYTHON), PathBuf::from);
        let run = Command::new(&python)
            .args(["-c", SCRIPT])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn();
        let started = run.ok().and_then(|mut child| {
            let said = BufReader::new(child.stdout.take()?);
            Some(OpenSpiel { child, said })
        });
        let ready = started.and_then(|mut s| (s.line()? == "ready").then_some(s));
        if ready.is_none() {
            println!("\nOpenSpiel is not measured: {} does not run with open_spiel", python.display());
        }
        ready
    }

    fn line(&mut self) -> Option<String> {
        let mut text = String::new();
        self.said.read_line(&mut text).ok().filter(|n| *n > 0)?;
        Some(text.trim().to_owned())
    }

    /// Nanoseconds of a decision, over games from a seed on.
    pub fn each(&mut self, seed: u64) -> Option<f64> {
        writeln!(self.child.stdin.as_mut()?, "{seed}").ok()?;
        self.line()?.parse().ok()
    }
}

impl Drop for OpenSpiel {
    fn drop(&mut self) {
        // It ends when its questions end.
        drop(self.child.stdin.take());
        let _ = self.child.wait();
    }
}
