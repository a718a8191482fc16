//! The chances that the battle panel shows are those that play brings about, over a hundred thousand battles.

use game::{Choice, Dice, Eyes, Game, Object, Position, QuickDice, Quiet, Terms};
use table::Side;
use verst_s42::S42;
use verst_s42::state::{Cx, Frame, Pos};
use verst_s42::verbs;

/// A battle ready to be resolved.
fn ready(phase: &str, turn: u8, more: &str, units: &[(&str, &str)], target: &str) -> Pos {
    let mut text = format!("[at]\nturn = {turn}\nphase = \"{phase}\"\n{more}\n");
    for (counter, hex) in units {
        text.push_str(&format!("[[unit]]\ncounter = \"{counter}\"\nhex = \"{hex}\"\n"));
    }
    let head: toml::Table = toml::from_str(&text).expect("the head of a situation");
    let game = S42::new();
    let p = game.situate(&Terms::of("campaign"), None, &head).unwrap_or_else(|f| panic!("{f}"));
    let mut p = p.as_any().downcast_ref::<Pos>().expect("a position of this game").clone();
    let hex = p.data.map.grid().find(target).expect("a hex");
    let mut dice = QuickDice::new(1);
    for c in [Choice::hex(verbs::ATTACK, hex), Choice::button(verbs::ALL)] {
        p.play(c, &mut dice, &mut Quiet).unwrap_or_else(|i| panic!("{i}"));
    }
    p
}

/// Plays the battle as sensible players do: steps lost by attacker and defender, and whether the hex is lost.
fn fight(ready: &Pos, dice: &mut dyn Dice) -> (f64, f64, f64) {
    let mut p = ready.clone();
    let b = p.battle().expect("a battle").clone();
    let steps = |p: &Pos, side: Side| -> f64 {
        p.s.stacks
            .units()
            .filter(|&u| p.side(u) == side && p.combat(u))
            .map(|u| f64::from(p.s.steps[u.ix()]))
            .sum()
    };
    let (own, foe) = (steps(&p, b.side), steps(&p, b.side.foe()));
    let mut fled = false;
    while !p.s.fight.battles.is_empty() {
        let Some(c) = p.sensible() else {
            fled = matches!(p.s.frames.last(), Some(Frame::Fight(verst_s42::battle::Stage::Retreat)));
            break;
        };
        assert!(!matches!(c.object, Object::Nothing) || p.why_not(&c).is_none(), "{c:?}");
        p.play_choice(c, &mut Cx { dice, tell: &mut Quiet });
    }
    let taken = fled || !p.has_combat(b.side.foe(), b.hex);
    (own - steps(&p, b.side), foe - steps(&p, b.side.foe()), f64::from(u8::from(taken)))
}

/// Compares a forecast with so many battles.
fn compare(p: &Pos, battles: u32) {
    let f = p.forecast(Eyes::Side(p.battle().expect("a battle").side)).expect("a forecast");
    let total: f64 = f.results.iter().map(|r| r.chance).sum();
    assert!((total - 1.0).abs() < 1e-9, "chances add up to {total}");
    let mut dice = QuickDice::new(42);
    let mut sum = (0.0, 0.0, 0.0);
    for _ in 0..battles {
        let (a, d, t) = fight(p, &mut dice);
        sum = (sum.0 + a, sum.1 + d, sum.2 + t);
    }
    let n = f64::from(battles);
    for (what, said, found) in [
        ("attacker's loss", f.attacker_loss, sum.0 / n),
        ("defender's loss", f.defender_loss, sum.1 / n),
        ("hex taken", f.taken, sum.2 / n),
    ] {
        // Four standard deviations of a mean whose values spread by no more than one and a half.
        let wide = 4.0 * 1.5 / n.sqrt();
        assert!((said - found).abs() < wide, "{}: {what}: said {said:.4}, found {found:.4}", f.hex);
    }
}

/// Plays on to the question of a stand, with such dice that one is offered.
fn stand(p: Pos) -> Pos {
    for seed in 0..200 {
        let mut dice = QuickDice::new(seed);
        let mut q = p.clone();
        while let Some(c) = q.sensible() {
            if matches!(q.s.frames.last(), Some(Frame::Fight(verst_s42::battle::Stage::Stand))) {
                return q;
            }
            q.play_choice(c, &mut Cx { dice: &mut dice, tell: &mut Quiet });
        }
    }
    panic!("no stand was offered");
}

#[test]
fn the_forecast_of_an_offered_stand_is_what_play_brings() {
    let p = stand(ready("axis combat", 9, "", &with(&[("74RD", "3505"), ("121RD", "3505")]), "3505"));
    let f = p.forecast(Eyes::Side(Side::Two)).expect("a forecast");
    assert_eq!(f.title, "Determined Defense");
    compare(&p, 15_000);
    // Each lead has its own chances, and the question shows those of the best.
    let mut list = Vec::new();
    p.choices(&mut list);
    let each: Vec<f64> =
        list.iter().filter_map(|c| p.forecast_of(Eyes::Side(Side::Two), c)).map(|f| f.taken).collect();
    assert!(each.len() >= 2 && each.iter().all(|&t| t >= f.taken - 1e-9), "{each:?} and {}", f.taken);
}

#[test]
fn the_forecast_of_an_offered_desperate_defence_is_what_play_brings() {
    let units =
        with(&[("168ID", "3404"), ("75ID", "3604"), ("88ID", "3506"), ("74RD", "3505"), ("13GRD", "3505")]);
    let p = stand(ready("axis combat", 9, "", &units, "3505"));
    let f = p.forecast(Eyes::Side(Side::Two)).expect("a forecast");
    assert_eq!(f.title, "Desperate Defense");
    compare(&p, 15_000);
}

const THREE: [(&str, &str); 3] = [("45ID", "3405"), ("95ID", "3405"), ("57ID", "3405")];

fn with(more: &[(&'static str, &'static str)]) -> Vec<(&'static str, &'static str)> {
    THREE.iter().chain(more).copied().collect()
}

#[test]
fn the_forecast_of_a_stand_in_the_open_is_what_play_brings() {
    compare(&ready("axis combat", 9, "", &with(&[("74RD", "3505")]), "3505"), 25_000);
}

#[test]
fn the_forecast_before_order_227_knows_that_nobody_stands() {
    compare(&ready("axis combat", 3, "", &with(&[("74RD", "3505"), ("121RD", "3505")]), "3505"), 15_000);
}

#[test]
fn the_forecast_counts_support_and_walls() {
    let units = with(&[("168ID", "3404"), ("74RD", "3505"), ("13GRD", "3505"), ("Bryansk", "3706")]);
    compare(&ready("axis combat", 9, "forts = { soviet = [\"3505\"] }", &units, "3505"), 20_000);
}

#[test]
fn the_forecast_of_a_city_counts_city_battles() {
    let units = [
        ("45ID", "1210"),
        ("95ID", "1210"),
        ("57ID", "1210"),
        ("168ID", "1111"),
        ("75ID", "1111"),
        ("74RD", "1211"),
    ];
    compare(&ready("axis combat", 9, "", &units, "1211"), 20_000);
}

#[test]
fn the_forecast_of_a_cornered_stack_is_that_of_a_desperate_defence() {
    let units =
        with(&[("168ID", "3404"), ("75ID", "3604"), ("88ID", "3506"), ("74RD", "3505"), ("13GRD", "3505")]);
    compare(&ready("axis combat", 9, "", &units, "3505"), 20_000);
}
