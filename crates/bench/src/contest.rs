//! Contenders taking turns at the same queries.

use hex::Hex;
use rustix::time::{ClockId, clock_gettime};

/// Hexes with their cost or distance, in order of their number.
pub type Answer = Vec<(Hex, u16)>;

/// A way to answer a query. With somewhere to write, it writes the whole answer; without, it only counts the hexes,
/// and that is what is timed.
pub type Solve<'a> = Box<dyn FnMut(usize, Option<&mut Answer>) -> usize + 'a>;

/// A name and a way to answer.
pub struct Contender<'a> {
    pub name: &'static str,
    pub solve: Solve<'a>,
}

/// A contender with its time.
#[derive(Clone, Debug)]
pub struct Timed {
    pub name: String,
    /// The median over rounds of the nanoseconds for one query.
    pub median: f64,
}

/// CPU time of this thread in nanoseconds.
pub fn now() -> f64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as f64 * 1e9 + time.tv_nsec as f64
}

/// Nanoseconds for one turn of a contender.
const BATCH: f64 = 4e6;

/// Checks every contender against the expected answers, then lets them take turns.
pub fn run(
    name: &str,
    rounds: usize,
    expected: &[Answer],
    mut contenders: Vec<Contender<'_>>,
) -> Result<Vec<Timed>, String> {
    let mut answer = Answer::new();
    for contender in &mut contenders {
        for (query, wanted) in expected.iter().enumerate() {
            answer.clear();
            let full = (contender.solve)(query, Some(&mut answer));
            answer.sort_unstable();
            let quick = (contender.solve)(query, None);
            if answer != *wanted || full != wanted.len() || quick != wanted.len() {
                let sizes = format!("{full} and {quick} hexes where {} are right", wanted.len());
                return Err(format!("{name}: {} answers query {query} wrongly ({sizes})", contender.name));
            }
        }
    }
    // Each contender goes on where it stopped, so that a slow one meets all queries over the rounds.
    let mut next = vec![0; contenders.len()];
    let mut samples = vec![Vec::new(); contenders.len()];
    for _ in 0..rounds.max(1) {
        for (i, contender) in contenders.iter_mut().enumerate() {
            let begin = now();
            let mut done = 0;
            let mut sum = 0;
            let spent = loop {
                // The clock costs about as much as a small query: look at it once in 64.
                for _ in 0..64.min(expected.len()) {
                    sum += (contender.solve)(std::hint::black_box(next[i]), None);
                    next[i] = (next[i] + 1) % expected.len();
                    done += 1;
                    if done == 1 && now() - begin > BATCH / 16.0 {
                        break;
                    }
                }
                let spent = now() - begin;
                if spent > BATCH {
                    break spent;
                }
            };
            std::hint::black_box(sum);
            samples[i].push(spent / f64::from(done));
        }
    }
    let timed = contenders.iter().zip(samples).map(|(contender, mut samples)| {
        samples.sort_by(f64::total_cmp);
        Timed { name: contender.name.to_owned(), median: samples[samples.len() / 2] }
    });
    Ok(timed.collect())
}
