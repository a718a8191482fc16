//! What the programs take: all moves of a large side listed, a turn and a game of the staff, the memory of a search, and what a
//! second core brings a study. The last two are asked of the command itself, as its user would.

use game::{Choice, Game, Position, QuickDice, Quiet, Role, Terms};
use players::{Budget, Seat, Think, level};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::allowed::{median, within};
use crate::contest::{Timed, now};
use crate::report::Report;

/// A side as large as this is listed.
const UNITS: usize = 300;
/// Campaigns of the staff, of which the longest turn counts.
const CAMPAIGNS: u64 = 3;
/// Games of the study that is played on one core and on two.
const STUDY: &str = "100";
/// How often it is played on either.
const TIMES: usize = 3;
/// What a search looks at in a phase of the campaign: about five seconds.
const NODES: &str = "50000";
/// A gigabyte.
const GIGABYTE: f64 = 1024.0 * 1024.0 * 1024.0;

/// Adds the rows.
pub fn run(report: &mut Report) -> Result<(), String> {
    if !report.wants("players ") {
        return Ok(());
    }
    let game = pm::Pm::new();
    let start = |scenario: &str| game.start(&Terms::of(scenario), None).map_err(|f| f.to_string());
    moves(report, &*start("historical")?)?;
    let turns: Vec<f64> =
        (1..=CAMPAIGNS).map(|seed| staffs(&*start("historical")?, seed)).collect::<Result<_, _>>()?;
    let longest = turns.into_iter().fold(0.0, f64::max);
    within(report, "players pm, the longest turn of a staff in three campaigns", longest, 3e9);
    let june = start("june")?;
    let mut seed = 0;
    let whole = median(report.rounds.min(5), || {
        seed += 1;
        u64::from(staffs(&*june, seed).is_ok())
    });
    within(report, "players pm june, a game between staffs", whole, 20e9);
    let Some(verst) = command() else {
        println!(
            "\nplayers: a search's memory and the second core are not measured: build the command in release first"
        );
        return Ok(());
    };
    let most = memory(&verst)?;
    report.add_in(
        "B",
        "players pm, memory of a search in a campaign",
        &[
            Timed { name: "ours".into(), median: most },
            Timed { name: "allowed: 1 GB".into(), median: GIGABYTE },
        ],
        &|_| Some(1.0),
    );
    cores(report, &verst)
}

/// Plays two staffs against each other; gives the longest turn of one of them, in CPU time.
fn staffs(start: &dyn Position, seed: u64) -> Result<f64, String> {
    let staff = level("staff").ok_or("there is no staff")?;
    let mut sides = [staff.player(), staff.player()];
    let mut p = start.boxed();
    let mut dice = QuickDice::new(seed);
    let (mut longest, mut spent, mut turn) = (0.0f64, [0.0f64; 2], 0);
    while let Some(seat) = Seat::new(&*p) {
        let at = seat.view().turn;
        if at != turn {
            (turn, spent) = (at, [0.0; 2]);
        }
        let side = seat.side().ix();
        let begin = now();
        let choice = sides[side].choose(&seat, &mut Think::new(dice.bits(), Budget::FREE));
        spent[side] += now() - begin;
        longest = longest.max(spent[side]);
        let choice = choice.ok_or("a staff gives no answer")?;
        p.apply(choice, &mut dice, &mut Quiet);
    }
    Ok(longest)
}

/// A row for every move of every unit of a side: each is taken in hand, its choices are listed, and it is put down again.
fn moves(report: &mut Report, start: &dyn Position) -> Result<(), String> {
    let counsel = start.counsel().ok_or("the game has no counsel")?;
    let of = |list: &[Choice], role: Role| list.iter().copied().find(|c| counsel.role(c) == role);
    let picks =
        |list: &[Choice]| list.iter().copied().filter(|c| counsel.role(c) == Role::Pick).collect::<Vec<_>>();
    let mut p = large(start, &picks).ok_or("no random game has a side so large")?;
    let mut list = Vec::new();
    p.choices(&mut list);
    let picked = picks(&list);
    let mut dice = QuickDice::new(1);
    let mut all = 0;
    let time = median(report.rounds, || {
        all = 0;
        for pick in picked.iter().take(UNITS) {
            p.apply(*pick, &mut dice, &mut Quiet);
            list.clear();
            p.choices(&mut list);
            all += list.len() as u64;
            if let Some(stop) = of(&list, Role::Stop) {
                p.apply(stop, &mut dice, &mut Quiet);
            }
        }
        all
    });
    within(report, &format!("players pm, all moves of {UNITS} units listed ({all} choices)"), time, 1e6);
    Ok(())
}

/// A position of a random game in which so many units can be taken in hand.
fn large(start: &dyn Position, picks: &dyn Fn(&[Choice]) -> Vec<Choice>) -> Option<Box<dyn Position>> {
    let mut list = Vec::new();
    for seed in 1..=20 {
        let mut p = start.boxed();
        let mut dice = QuickDice::new(seed);
        while p.asks().is_some() {
            list.clear();
            p.choices(&mut list);
            if picks(&list).len() >= UNITS {
                return Some(p);
            }
            p.apply(list[dice.below(list.len())], &mut dice, &mut Quiet);
        }
    }
    None
}

/// The command as `make bench` builds it.
fn command() -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/release/verst");
    path.is_file().then_some(path)
}

/// The most memory that the command holds while a search plays a campaign, in bytes; it is asked of the kernel until the game ends.
fn memory(verst: &Path) -> Result<f64, String> {
    let fault = |e: std::io::Error| format!("cannot run {}: {e}", verst.display());
    let mut child = Command::new(verst)
        .args(["sim", "pm", "--scenario", "historical", "--players", "search,staff", "--games", "1"])
        .args(["--nodes", NODES, "--cores", "1"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .map_err(fault)?;
    let mut most = 0.0f64;
    while child.try_wait().map_err(fault)?.is_none() {
        let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
        let peak = status.lines().find_map(|l| l.strip_prefix("VmHWM:"));
        let kilobytes = peak.and_then(|l| l.split_whitespace().next()).and_then(|n| n.parse::<f64>().ok());
        most = most.max(kilobytes.unwrap_or(0.0) * 1024.0);
        std::thread::sleep(Duration::from_millis(20));
    }
    if most > 0.0 { Ok(most) } else { Err("the kernel does not tell how much memory a process holds".into()) }
}

/// A row for a study on two cores beside the same on one, in turn, by the clock on the wall: the least time of each counts, since whatever
/// else the machine does only adds.
fn cores(report: &mut Report, verst: &Path) -> Result<(), String> {
    let mut best = [f64::MAX; 2];
    for _ in 0..TIMES {
        for (i, cores) in ["2", "1"].iter().enumerate() {
            let begin = Instant::now();
            let done = Command::new(verst)
                .args(["sim", "pm", "--scenario", "june", "--players", "staff,staff", "--games", STUDY])
                .args(["--cores", cores])
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .status()
                .map_err(|e| format!("cannot run {}: {e}", verst.display()))?;
            if !done.success() {
                return Err(format!("the study failed: {done}"));
            }
            best[i] = best[i].min(begin.elapsed().as_nanos() as f64);
        }
    }
    let rows = [
        Timed { name: "two cores".into(), median: best[0] },
        Timed { name: "one core".into(), median: best[1] },
    ];
    report.add(&format!("players pm june, a study of {STUDY} games between staffs"), &rows, &|_| Some(1.8));
    Ok(())
}
