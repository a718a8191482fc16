//! How far a run of many games has come, and Ctrl-C that ends it in order.

use std::io::{IsTerminal, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

/// How far a run has come: on a terminal one line that is written over, in a file a line for each tenth.
pub struct Progress {
    label: String,
    what: &'static str,
    began: Instant,
    before: u64,
    all: u64,
    shown: bool,
    terminal: bool,
}

impl Progress {
    /// A run of so many games, of which some were done before; `shown` is false for those who want no word of it.
    pub fn new(label: String, before: u64, all: u64, shown: bool) -> Progress {
        let terminal = std::io::stderr().is_terminal();
        Progress { label, what: "games", began: Instant::now(), before, all, shown, terminal }
    }

    /// The same run of something else than games.
    pub fn of(mut self, what: &'static str) -> Progress {
        self.what = what;
        self
    }

    /// So many games are done; `note` is said after their number.
    pub fn show(&self, done: u64, note: &str) {
        if !self.shown {
            return;
        }
        let left = clock(self.left(done, self.began.elapsed().as_secs_f64()));
        if self.terminal {
            let full = (24 * done / self.all.max(1)) as usize;
            let bar: String = (0..24).map(|i| if i < full { '#' } else { '.' }).collect();
            eprint!("\r{}[{bar}] {done} of {} {}{note}, {left} left   ", self.label, self.all, self.what);
            let _ = std::io::stderr().flush();
        } else if done == self.all || 10 * done / self.all.max(1) > 10 * (done - 1) / self.all.max(1) {
            eprintln!("{}{done} of {} {}{note}, {left} left", self.label, self.all, self.what);
        }
    }

    /// Seconds left at the pace so far.
    fn left(&self, done: u64, elapsed: f64) -> f64 {
        let now = done.saturating_sub(self.before) as f64;
        let left = self.all.saturating_sub(done) as f64;
        if now > 0.0 { elapsed / now * left } else { 0.0 }
    }

    /// The line is over.
    pub fn end(&self) {
        if self.shown && self.terminal {
            eprintln!();
        }
    }
}

/// Seconds as a clock shows them.
fn clock(seconds: f64) -> String {
    let s = seconds as u64;
    if s >= 3600 {
        format!("{}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60)
    } else {
        format!("{}:{:02}", s / 60, s % 60)
    }
}

/// Calls something at each Ctrl-C.
fn at_interrupts(mut call: impl FnMut() + Send + 'static) {
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        if let Ok(runtime) = runtime {
            runtime.block_on(async {
                while tokio::signal::ctrl_c().await.is_ok() {
                    call();
                }
            });
        }
    });
}

/// What a program ends with that is interrupted.
const INTERRUPTED: i32 = 130;

/// A flag that Ctrl-C sets. A second Ctrl-C ends the program at once.
pub fn interrupted() -> Arc<AtomicBool> {
    let flag = Arc::new(AtomicBool::new(false));
    let set = Arc::clone(&flag);
    at_interrupts(move || {
        if set.swap(true, Ordering::Relaxed) {
            std::process::exit(INTERRUPTED);
        }
    });
    flag
}

/// A program that thinks while a person waits: how far it has thought, and Ctrl-C that makes it choose. While nobody thinks, Ctrl-C
/// ends the game as it always does.
pub struct Thinking {
    under_way: Arc<AtomicBool>,
    hurried: Arc<AtomicBool>,
    terminal: bool,
    said: AtomicBool,
}

impl Thinking {
    /// Listens to Ctrl-C from now on.
    pub fn new() -> Thinking {
        let (under_way, hurried) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(false)));
        let (thinks, hurry) = (Arc::clone(&under_way), Arc::clone(&hurried));
        at_interrupts(move || {
            if !thinks.load(Ordering::Relaxed) || hurry.swap(true, Ordering::Relaxed) {
                std::process::exit(INTERRUPTED);
            }
        });
        let terminal = std::io::stderr().is_terminal();
        Thinking { under_way, hurried, terminal, said: AtomicBool::new(false) }
    }

    /// It begins to think about a decision.
    pub fn begin(&self) {
        self.hurried.store(false, Ordering::Relaxed);
        self.under_way.store(true, Ordering::Relaxed);
    }

    /// Whether it shall choose now.
    pub fn hurried(&self) -> bool {
        self.hurried.load(Ordering::Relaxed)
    }

    /// It has used so much of its time.
    pub fn show(&self, share: f64) {
        if self.terminal {
            eprint!("\rThe program thinks: {:.0}% of its time (Ctrl-C: choose now) ", 100.0 * share);
            let _ = std::io::stderr().flush();
            self.said.store(true, Ordering::Relaxed);
        }
    }

    /// It has chosen.
    pub fn end(&self) {
        self.under_way.store(false, Ordering::Relaxed);
        if self.said.swap(false, Ordering::Relaxed) {
            eprint!("\r{:64}\r", "");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_is_reckoned_from_the_games_of_this_run() {
        let p = Progress::new(String::new(), 50, 100, false);
        // Ten games of this run took a minute: forty are left.
        assert!((p.left(60, 60.0) - 240.0).abs() < 1e-9);
        assert_eq!(p.left(50, 60.0), 0.0);
        assert_eq!(clock(240.0), "4:00");
        assert_eq!(clock(3_725.0), "1:02:05");
    }
}
