//! The command as a person meets it: what it prints, and how it exits.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

fn verst(args: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_verst"))
        .args(args)
        .current_dir(ROOT)
        .env("NO_COLOR", "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A command that ends before it has read everything closes the pipe, which is no fault.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

fn said(o: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&o.stdout), String::from_utf8_lossy(&o.stderr))
}

fn code(o: &Output) -> i32 {
    o.status.code().unwrap_or(-1)
}

/// A folder of its own for a test.
fn folder(name: &str) -> PathBuf {
    let dir = std::env::temp_dir().join(format!("verst-command-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&dir);
    std::fs::create_dir_all(&dir).unwrap();
    dir
}

fn path(p: &Path) -> &str {
    p.to_str().unwrap()
}

/// A finished drill in a file.
fn finished(dir: &Path) -> PathBuf {
    let o = verst(&["sim", "drill", "--games", "1", "--seed", "3", "--keep", path(dir)], "");
    assert_eq!(code(&o), 0, "{}", said(&o));
    std::fs::read_dir(dir).unwrap().next().unwrap().unwrap().path()
}

#[test]
fn the_situations_and_the_ledger_of_the_drill_pass() {
    let o = verst(&["check", "crates/games/drill/situations"], "");
    assert_eq!(code(&o), 0, "{}", said(&o));
    let o = verst(&["ledger", "drill"], "");
    assert_eq!(code(&o), 0, "{}", said(&o));
    assert!(said(&o).contains("0 to do"), "{}", said(&o));
}

#[test]
fn a_situation_that_differs_is_told_as_expected_and_found() {
    let dir = folder("differs");
    let text =
        std::fs::read_to_string(format!("{ROOT}/crates/games/drill/situations/brackmere.toml")).unwrap();
    let file = dir.join("wrong.toml");
    std::fs::write(&file, text.replace("sum.attack = 10", "sum.attack = 11")).unwrap();
    let o = verst(&["check", path(&file)], "");
    assert_eq!(code(&o), 1);
    assert!(said(&o).contains("expected 11"), "{}", said(&o));
    std::fs::remove_dir_all(dir).unwrap();
}

#[test]
fn a_person_plays_by_number_and_by_word_and_is_told_why_not() {
    let orders = "why 5Arm 0606\n5Arm,2Inf 0506\nundo\nlook 0606\nunits\nnonsense\n1\n/0405\nquit\n";
    let o = verst(&["play", "drill", "--as", "blue", "--seed", "4"], orders);
    assert_eq!(code(&o), 0, "{}", said(&o));
    for what in [
        "Pick a unit to move",
        "the enemy is in Brackmere (0606) (rule 6.8)",
        "2nd Infantry with 5th Armoured moves from 0305 to 0506",
        "Brackmere (Town, 1 point)",
        "'nonsense' is no order of this game",
        "The game was not saved.",
    ] {
        assert!(said(&o).contains(what), "'{what}' is missing in\n{}", said(&o));
    }
}

#[test]
fn a_program_thinks_as_long_as_it_is_let_and_says_what_it_intends() {
    let against =
        ["play", "drill", "--as", "red", "--against", "search", "--time", "0.05", "--aloud", "--seed", "4"];
    let o = verst(&against, "1\nquit\n");
    assert_eq!(code(&o), 0, "{}", said(&o));
    assert!(said(&o).contains("The program: "), "{}", said(&o));
    // Nobody looks on at a pipe: how far it has thought is for a terminal.
    assert!(!said(&o).contains("Ctrl-C"), "{}", said(&o));
}

#[test]
fn what_is_hidden_from_the_player_is_not_printed() {
    let o = verst(&["play", "drill", "--as", "blue", "--seed", "4"], "units\nlog\nquit\n");
    assert!(said(&o).contains("?-?-4") && !said(&o).contains("4-6-4"), "{}", said(&o));
    assert!(!said(&o).contains("is the Guards"), "{}", said(&o));
}

#[test]
fn a_saved_game_goes_on_where_it_was_left() {
    let dir = folder("save");
    let file = dir.join("game.verst");
    let args = ["play", "drill", "--as", "blue", "--save", path(&file)];
    verst(&args, "5Arm 0506\nquit\n");
    let o = verst(&args, "units\nquit\n");
    assert!(said(&o).contains("Blue 0506"), "{}", said(&o));
    let o = verst(&["show", path(&file), "--eyes", "blue"], "");
    assert_eq!(code(&o), 0, "{}", said(&o));
    assert!(said(&o).contains("Blue movement"), "{}", said(&o));
    let o = verst(&["verify", path(&file)], "");
    assert_eq!(code(&o), 1, "a game that is not over cannot be verified yet: {}", said(&o));
    std::fs::remove_dir_all(dir).unwrap();
}

#[test]
fn a_finished_game_is_verified_shown_replayed_and_exported() {
    let dir = folder("finished");
    let file = finished(&dir);
    let o = verst(&["verify", path(&file)], "");
    assert_eq!(code(&o), 0, "{}", said(&o));
    assert!(said(&o).contains("verified"), "{}", said(&o));
    let o = verst(&["replay", path(&file), "--eyes", "blue"], "\n\n5\nt\neyes red\nlast\nq\n");
    assert_eq!(code(&o), 0, "{}", said(&o));
    let o = verst(&["situation", path(&file), "--at", "20"], "");
    assert_eq!(code(&o), 0, "{}", said(&o));
    let situation = dir.join("moment.toml");
    std::fs::write(&situation, &o.stdout).unwrap();
    let o = verst(&["check", path(&situation)], "");
    assert_eq!(code(&o), 0, "{}", said(&o));
    std::fs::remove_dir_all(dir).unwrap();
}

#[test]
fn a_damaged_journal_is_refused_with_its_line() {
    let dir = folder("damaged");
    let file = finished(&dir);
    let text = std::fs::read_to_string(&file).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    let at = lines.len() / 2;
    let damaged = dir.join("damaged.verst");
    let flipped = text.replacen(lines[at], &lines[at].replace('d', "e").replace('0', "1"), 1);
    assert_ne!(flipped, text);
    std::fs::write(&damaged, flipped).unwrap();
    for command in ["verify", "show", "replay"] {
        let o = verst(&[command, path(&damaged)], "");
        assert_eq!(code(&o), 3, "{command}: {}", said(&o));
        assert!(said(&o).contains(&format!("damaged.verst:{}", at + 1)), "{command}: {}", said(&o));
    }
    std::fs::write(&damaged, b"\x89PNG not a journal").unwrap();
    let o = verst(&["verify", path(&damaged)], "");
    assert_eq!(code(&o), 3, "{}", said(&o));
    std::fs::remove_dir_all(dir).unwrap();
}

#[test]
fn a_broken_overlay_is_refused_with_file_and_line() {
    let dir = folder("overlay");
    std::fs::create_dir_all(dir.join("map")).unwrap();
    let hexes = std::fs::read_to_string(format!("{ROOT}/crates/games/drill/data/map/hexes.tsv")).unwrap();
    std::fs::write(dir.join("map/hexes.tsv"), hexes.replace("0101\thills", "0101\thils")).unwrap();
    let o = verst(&["play", "drill", "--overlay", path(&dir)], "");
    assert_eq!(code(&o), 3, "{}", said(&o));
    assert!(said(&o).contains("hexes.tsv:3") && said(&o).contains("hills"), "{}", said(&o));
    std::fs::remove_dir_all(dir).unwrap();
}

#[test]
fn a_file_of_a_game_we_do_not_have_is_refused_by_its_name() {
    let dir = folder("foreign");
    let text = std::fs::read_to_string(finished(&dir)).unwrap();
    let foreign = dir.join("foreign.verst");
    std::fs::write(&foreign, text.replacen("game drill", "game chess", 1)).unwrap();
    let situation = dir.join("foreign.toml");
    std::fs::write(&situation, "game = \"chess\"\nabout = \"mate in two\"\n").unwrap();
    for (command, file) in
        [("verify", &foreign), ("show", &foreign), ("replay", &foreign), ("show", &situation)]
    {
        let o = verst(&[command, path(file)], "");
        assert_eq!(code(&o), 3, "{command}: {}", said(&o));
        assert!(said(&o).contains(path(file)), "{command}: {}", said(&o));
    }
    let o = verst(&["show", path(&dir.join("nowhere.verst"))], "");
    assert_eq!(code(&o), 3, "{}", said(&o));
    std::fs::remove_dir_all(dir).unwrap();
}

#[test]
fn what_does_not_exist_is_named_with_what_does() {
    for (args, what) in [
        (&["play", "chess"][..], "there is no game 'chess'; expected one of drill"),
        (&["play", "drill", "--as", "green"], "expected blue or red"),
        (&["play", "drill", "--as", "blue", "--against", "nobody"], "there is no program 'nobody'"),
        (
            &["play", "drill", "--as", "blue", "--against", "search", "--time", "0"],
            "expected more than 0 and at most 86400 seconds",
        ),
        (&["ladder", "drill", "--time", "inf"], "expected more than 0 and at most 86400 seconds"),
        (&["ladder", "drill", "--time", "soon"], "expected a number of seconds"),
        (&["play", "drill", "--scenario", "second"], "unknown scenario"),
        (&["play", "drill", "--option", "fog"], "expected NAME=VALUE"),
        (&["map", "drill", "--png", "x.png", "--style", "pink"], "there is no style 'pink'"),
    ] {
        let o = verst(args, "");
        assert_eq!(code(&o), 2, "{args:?}: {}", said(&o));
        assert!(said(&o).contains(what), "{args:?}: {}", said(&o));
    }
}

#[test]
fn the_odds_of_an_attack_are_those_of_the_table() {
    let o = verst(&["odds", "26:7"], "");
    assert!(said(&o).starts_with("3:1"), "{}", said(&o));
    let file = "crates/games/drill/situations/brackmere.toml";
    let o = verst(&["odds", file, "attack 0606; add 2Inf,5Arm"], "");
    assert_eq!(code(&o), 0, "{}", said(&o));
    assert!(said(&o).contains("odds 2:1") && said(&o).contains("33.3%"), "{}", said(&o));
    assert!(said(&o).contains("   33.3%         0        0  retreats  taken"), "{}", said(&o));
}

#[test]
fn the_odds_of_a_situation_of_any_game_are_told() {
    for (file, orders, words) in [
        ("pm/situations/2.15-untried-units-are-drawn.toml", "attack 2502S; add 3Pz,17Pz", "1 unit beneath"),
        ("s42/situations/08-odds-9-to-4.toml", "attack 3505; add 45ID; add 383ID", "odds 2-1"),
    ] {
        let o = verst(&["odds", &format!("crates/games/{file}"), orders], "");
        assert!(code(&o) == 0 && said(&o).contains(words) && said(&o).contains("  taken"), "{}", said(&o));
    }
}

#[test]
fn the_odds_are_held_against_battles_that_are_played() {
    let file = "crates/games/drill/situations/brackmere.toml";
    let orders = "attack 0606; add 2Inf,5Arm";
    let o = verst(&["odds", file, orders, "--simulate", "3000"], "");
    assert_eq!(code(&o), 0, "{}", said(&o));
    assert!(said(&o).contains("3000 battles") && said(&o).contains("within chance"), "{}", said(&o));
    let o = verst(&["odds", file, orders, "--simulate", "500", "--seed", "9", "--json"], "");
    let value: serde_json::Value = serde_json::from_str(&said(&o)).unwrap();
    let ends = value["ends"].as_array().unwrap();
    let sum: f64 = ends.iter().map(|e| e["chance"].as_f64().unwrap()).sum();
    assert!((sum - 1.0).abs() < 1e-9, "{value}");
    assert_eq!(value["played"]["battles"], 500);
    assert_eq!(value["played"]["rows"].as_array().unwrap().len(), ends.len(), "{value}");
}

#[test]
fn a_short_fuzz_passes_and_says_what_was_tried() {
    let o = verst(&["fuzz", "drill", "--decisions", "2000"], "");
    assert_eq!(code(&o), 0, "{}", said(&o));
    assert!(said(&o).contains("drill first: ") && said(&o).contains("drill free: "), "{}", said(&o));
}

#[test]
fn a_fuzz_plays_with_the_overlay_that_is_laid_over_the_data() {
    let dir = folder("fuzz-overlay");
    let fuzz = |more: &[&str]| {
        let args = [&["fuzz", "drill", "--scenario", "first", "--decisions", "4000"][..], more].concat();
        let o = verst(&args, "");
        assert_eq!(code(&o), 0, "{}", said(&o));
        said(&o)
    };
    let plain = fuzz(&[]);
    assert!(plain.contains("red points"), "{plain}");
    // With nothing to gain, Blue wins every game that runs its turns.
    let text =
        std::fs::read_to_string(format!("{ROOT}/crates/games/drill/data/scenarios/first.toml")).unwrap();
    let (head, tail) = text.split_once("[victory]\nblue = ").unwrap();
    let rest = tail.split_once('\n').unwrap().1;
    std::fs::create_dir(dir.join("scenarios")).unwrap();
    std::fs::write(dir.join("scenarios/first.toml"), format!("{head}[victory]\nblue = 0\n{rest}")).unwrap();
    let ours = fuzz(&["--overlay", path(&dir)]);
    assert!(ours.contains("blue points") && !ours.contains("red points"), "{ours}");
    std::fs::remove_dir_all(dir).unwrap();
}

#[test]
fn a_fuzz_can_begin_in_the_midst_of_a_game_that_was_played() {
    let game = format!("{ROOT}/crates/games/drill/games/draw.verst");
    let o = verst(&["fuzz", "drill", "--from", &game, "--games", "4"], "");
    assert_eq!(code(&o), 0, "{}", said(&o));
    assert!(said(&o).contains("in 4 games"), "{}", said(&o));
    let o = verst(&["fuzz", "pm", "--from", &game, "--games", "4"], "");
    assert_ne!(code(&o), 0);
    assert!(said(&o).contains("a game of drill, not of pm"), "{}", said(&o));
}

#[test]
fn a_ladder_that_was_cut_off_goes_on_and_ends_as_if_it_had_not_been() {
    let (whole, cut) = (folder("ladder-whole"), folder("ladder-cut"));
    let ladder = |dir: &Path, games: &str| {
        let args = ["ladder", "drill", "--players", "random,greedy", "--games", games, "--out", path(dir)];
        let o = verst(&args, "");
        assert_eq!(code(&o), 0, "{}", said(&o));
        String::from_utf8_lossy(&o.stdout).into_owned()
    };
    let table = ladder(&whole, "6");
    assert!(table.contains("greedy over random") && table.contains("+-"), "{table}");
    ladder(&cut, "4");
    let games = |dir: &Path| dir.join("random-greedy/games.jsonl");
    // As a kill in the midst of writing leaves it: the last line is a part of one.
    let text = std::fs::read_to_string(games(&cut)).unwrap();
    assert_eq!(text.lines().count(), 4);
    std::fs::write(games(&cut), &text[..text.len() - 20]).unwrap();
    ladder(&cut, "6");
    assert_eq!(
        std::fs::read_to_string(games(&cut)).unwrap(),
        std::fs::read_to_string(games(&whole)).unwrap()
    );
    let o = verst(&["ladder", "drill", "--players", "random,greedy", "--seed", "9", "--out", path(&cut)], "");
    assert_ne!(code(&o), 0);
    assert!(said(&o).contains("seed was 1 and is now 9"), "{}", said(&o));
}

#[test]
fn the_map_is_drawn() {
    let dir = folder("map");
    let file = dir.join("drill.svg");
    let o = verst(&["map", "drill", "--svg", path(&file)], "");
    assert_eq!(code(&o), 0, "{}", said(&o));
    assert!(std::fs::read_to_string(&file).unwrap().contains("Corvane"));
    std::fs::remove_dir_all(dir).unwrap();
}

#[test]
fn completions_and_help_are_there() {
    assert!(said(&verst(&["completions", "bash"], "")).contains("_verst"));
    let help = said(&verst(&["--help"], ""));
    assert!(help.contains("Examples:") && help.contains("Exit codes:"), "{help}");
}
