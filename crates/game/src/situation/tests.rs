//! Situations of the skirmish that pass, and ones that must not.

use super::*;
use crate::skirmish::SkirmishGame;
use crate::{DiceFrom, QuickDice, Session, Terms, oracle};

fn registry() -> Registry {
    Registry::new().with(Box::new(SkirmishGame::new()))
}

fn check_one(text: &str) -> Checked {
    check_text(&registry(), "s.toml", text)
}

const BATTLE: &str = r#"
game = "skirmish"
rules = ["3"]
about = "5 attack 2, a 1 is enough"

[at]
"blue mine" = "0401"
"red mine" = "0402"

[[unit]]
counter = "A1"
hex = "0102"
strength = 3
[[unit]]
counter = "A2"
hex = "0102"
[[unit]]
counter = "B1"
hex = "0103"
strength = 2
[[unit]]
counter = "B2"
hex = "0604"

[[order]]
do = "attack 0103 with B1"
refused = "0"

[[order]]
do = "A1 0102-0202-0302-0402"
refused = "2"
why = "too far (2): hexes 3"

[[order]]
do = ["attack 0103", "add A1"]
[order.expect]
question = "battle"
choices = ["add A2", "resolve"]
no_choices = ["done", "add A1"]
illegal = { "add B1" = "0" }

[[order]]
do = "add A2; resolve"
dice = [1, 1]
[order.expect]
die = 1
result = "loss"
sum.attack = 5
sum.battle = { total = 4, has = ["B1 defends -2", "die"], rules = ["3"] }
told = "attack at 0103"
asks = "red"

[[order]]
side = "red"
do = "loss B1"

[expect]
asks = "blue"
question = "move"
unit.A1 = { at = "0102", status = "moved", figures = "3" }
unit.A2 = "0102"
unit.B1 = "dead"
track.pool = 1
turn = 1
marker."0401" = "mine"
outcome = "none"
unseen_by.red = "A9"
[expect.view.red]
marker."0401" = "none"
lacks = "0401"
unit.B2 = "0604"
"#;

#[test]
fn a_situation_that_holds_passes_and_counts_its_orders() {
    let c = check_one(BATTLE);
    assert_eq!(c.differs, [], "{}", Report { files: vec![c.clone()] });
    assert_eq!((c.orders, c.rules), (5, vec!["3".to_string()]));
}

/// Each change to the situation must be found, and nothing else.
#[test]
fn every_expectation_can_fail_and_says_expected_and_found() {
    for (from, to, what, found) in [
        ("die = 1", "die = 2", "die", "1"),
        ("result = \"loss\"", "result = \"none\"", "result", "loss"),
        ("sum.attack = 5", "sum.attack = 6", "sum attack", "5: A1 attacks 3 (3), A2 attacks 2 (3)"),
        ("sum.attack = 5", "sum.attak = 5", "sum attak", "no such sum; there are attack, battle"),
        ("\"B1 defends -2\"", "\"B1 defends -1\"", "sum battle", "4: A1 attacks 3"),
        ("rules = [\"3\"] }", "rules = [\"7\"] }", "sum battle", "4: A1"),
        ("told = \"attack at 0103\"", "told = \"attack at 0104\"", "told", "An attack at 0103."),
        ("question = \"battle\"", "question = \"move\"", "question", "battle"),
        ("[\"add A2\", \"resolve\"]", "[\"done\"]", "choice 'done'", "no answer"),
        ("[\"done\", \"add A1\"]", "[\"resolve\"]", "choice 'resolve'", "legal"),
        ("{ \"add B1\" = \"0\" }", "{ \"add B1\" = \"9\" }", "choice 'add B1'", "(0)"),
        ("refused = \"2\"", "refused = \"9\"", "refused", "it is too far"),
        ("too far (2): hexes 3", "too near", "why", "it is too far"),
        ("do = \"add A2; resolve\"", "do = \"add A2; resolve\"\nrefused = \"3\"", "add A2; resolve", "legal"),
        ("do = \"loss B1\"", "do = \"loss B2\"", "loss B2", "refused at"),
        ("dice = [1, 1]", "dice = [1, 1, 3]", "dice", "1 left over"),
        ("dice = [1, 1]", "dice = [1]", "dice", "1 without one"),
        ("asks = \"red\"", "asks = \"blue\"", "asks", "red"),
        ("status = \"moved\"", "status = \"lost\"", "unit A1, status", "moved"),
        ("figures = \"3\"", "figures = \"4\"", "unit A1, figures", "3"),
        ("unit.A2 = \"0102\"", "unit.A2 = \"0103\"", "unit A2", "0102"),
        ("unit.A2 = \"0102\"", "unit.A7 = \"0103\"", "unit A7", "nowhere"),
        ("track.pool = 1", "track.pool = 2", "track pool", "1"),
        ("track.pool = 1", "track.poll = 1", "track poll", "nearest valid value \"pool\""),
        ("turn = 1\nmarker", "turn = 2\nmarker", "turn", "1"),
        ("marker.\"0401\" = \"mine\"", "marker.\"0401\" = \"flag\"", "markers at 0401", "mine"),
        ("outcome = \"none\"", "outcome = \"red\"", "outcome", "none"),
        ("unseen_by.red = \"A9\"", "unseen_by.red = \"A1\"", "unit A1, seen by red", "seen at 0102"),
        ("lacks = \"0401\"", "lacks = \"0402\"", "the view as JSON, seen by red", "it is there"),
        ("unit.B2 = \"0604\"\n", "unit.B2 = \"0101\"\n", "unit B2, seen by red", "0604"),
        ("outcome = \"none\"", "outcom = \"none\"", "outcom", "nearest valid value \"outcome\""),
        ("side = \"red\"", "sid = \"red\"", "its keys", "unknown key \"sid\""),
    ] {
        assert!(BATTLE.contains(from), "{from}");
        let c = check_one(&BATTLE.replacen(from, to, 1));
        let hit = c.differs.iter().find(|d| d.what == what && d.found.contains(found));
        assert!(hit.is_some(), "{to}: {:?}", c.differs);
        assert!(hit.unwrap().line.is_some(), "{to}");
    }
}

#[test]
fn a_file_that_cannot_be_read_says_where() {
    let c = check_one("game = \"skirmish\"\nabout = \n");
    assert_eq!(c.differs[0].line, Some(2));
    let c = check_one("game = \"chess\"\n");
    assert!(c.differs[0].found.contains("there is no game 'chess'"));
    let c = check_one("game = \"skirmish\"\n[[unit]]\ncounter = \"Q\"\n");
    assert!(c.differs[0].found.contains("no unit 'Q'"));
    let gone = check(&registry(), &[PathBuf::from("/nowhere/at/all")]);
    assert!(!gone.passed() && gone.to_string().contains("no such file"));
}

#[test]
fn without_a_set_up_the_scenario_is_played_from_its_beginning() {
    let c = check_one(
        "game = \"skirmish\"\n[[order]]\ndo = [\"lay 0303\", \"lay 0102\", \"pick A1\"]\n\
         [[order]]\ndo = \"go 0102\"\ndice = [2]\n[order.expect]\ndie = 2\n[expect]\nunit.A1 = \"dead\"\n",
    );
    assert_eq!(c.differs, []);
}

#[test]
fn a_situation_exported_from_any_moment_of_a_game_passes_as_a_file() {
    let game = SkirmishGame::new();
    for seed in 0..8 {
        let mut s = Session::start(&game, &Terms::of("field"), None, DiceFrom::Quick(seed)).unwrap();
        let mut pick = QuickDice::new(seed);
        while let Some(side) = s.position().asks() {
            let c = oracle::any(&s.choices(), &mut pick).unwrap();
            s.play(side, s.question_number(), c).unwrap();
        }
        let n = s.steps().len();
        for at in (0..n).step_by(3) {
            let text = export(&game, &s, at, at + 4).unwrap();
            let c = check_one(&text);
            assert_eq!(c.differs, [], "seed {seed} at {at}\n{text}");
        }
    }
}

#[test]
fn an_overlay_is_a_folder_beside_the_file_and_goes_with_an_export() {
    let dir = std::env::temp_dir().join(format!("verst-situation-{}", std::process::id()));
    std::fs::create_dir_all(dir.join("overlay")).unwrap();
    std::fs::write(dir.join("overlay/a.txt"), "mine").unwrap();
    let game = SkirmishGame::new();
    let overlay = text::Files::folder(dir.join("overlay"));
    let s = Session::start(&game, &Terms::of("field"), Some(&overlay), DiceFrom::Quick(1)).unwrap();
    let out = export(&game, &s, 0, 0).unwrap();
    assert!(out.contains(&overlay.digest().unwrap()), "{out}");
    std::fs::write(dir.join("s.toml"), &out).unwrap();
    let report = check(&registry(), std::slice::from_ref(&dir));
    assert!(report.passed() && report.files.len() == 1, "{report}");
    std::fs::remove_dir_all(dir.join("overlay")).unwrap();
    assert!(check(&registry(), std::slice::from_ref(&dir)).to_string().contains("a folder beside this file"));
    std::fs::remove_dir_all(dir).unwrap();
}
