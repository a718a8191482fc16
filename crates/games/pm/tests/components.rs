//! What lies in the box, and rules that no single situation shows.

use game::oracle::{Plan, Trial};
use game::{Choice, Command, Eyes, Game, Position, QuickDice, Quiet, Terms};
use table::Side;
use verst_pm::Pm;
use verst_pm::charts::Weather;
use verst_pm::costs;
use verst_pm::state::{Pos, Step};
use verst_pm::units::{Comes, Nation, trait_};
use verst_pm::verbs;

fn empty(scenario: &str) -> Pos {
    Pm::new().empty(&Terms::of(scenario), None).unwrap()
}

fn situated(text: &str) -> Pos {
    let table: toml::Table = toml::from_str(text).unwrap();
    let p = Pm::new().situate(&Terms::of("campaign"), None, &table).unwrap();
    p.as_any().downcast_ref::<Pos>().unwrap().clone()
}

#[test]
fn the_box_holds_every_counter_of_the_book() {
    let p = empty("campaign");
    let units = &p.data.units.of;
    let count = |f: &dyn Fn(&verst_pm::units::Info) -> bool| units.iter().filter(|u| f(u)).count();
    let tokens = count(&|u| u.pool != verst_pm::units::NO_POOL);
    let guards = count(&|u| u.traits & trait_::GUARDS != 0);
    let soviet_air = count(&|u| u.side == Side::Two && u.traits & trait_::AIR != 0);
    let german = count(&|u| u.side == Side::One);
    let two_counters = count(&|u| u.side == Side::One && u.faces.len() == 4);
    assert_eq!((tokens, guards, soviet_air), (609, 15, 1));
    assert_eq!(p.data.units.printed.len(), tokens);
    // 1 turn, 2 VP, 2 replacements, 31 refits, 2 aerial supply, 3 pause, 18 concentration, 10 hedgehogs.
    let markers = 1 + 2 + 2 + 31 + 2 + 3 + 18 + 10;
    assert_eq!(tokens + guards + soviet_air + german + two_counters + markers, 959);
    assert_eq!(count(&|u| u.traits & trait_::REFITS != 0), 31);
}

#[test]
fn every_counter_shows_what_the_book_says_it_shows() {
    let p = empty("campaign");
    for (i, u) in p.data.units.of.iter().enumerate() {
        assert!(!u.code.is_empty() && !u.name.is_empty() && !u.kind.is_empty(), "{i}");
        let faces = if u.traits & trait_::AIR != 0 || u.pool != verst_pm::units::NO_POOL { 0 } else { 1 };
        assert!(u.faces.len() >= faces && u.faces.len() <= 4, "{}", u.code);
        assert_eq!(u.nation == Nation::Soviet, u.side == Side::Two, "{}", u.code);
    }
    for (code, nation) in [("HF", Nation::Hungarian), ("GD", Nation::German), ("250ID", Nation::German)] {
        let u = p.data.units.by_code[code];
        assert_eq!(p.nation(u), nation, "{code}");
    }
}

#[test]
fn turn_one_is_short_and_all_others_have_two_couplets() {
    let p = empty("campaign");
    let turns = &p.data.charts.turns;
    assert_eq!(turns.len(), 12);
    assert_eq!((turns[0].couplets, turns[0].label.as_str()), (1, "II June"));
    assert!(turns[1..].iter().all(|t| t.couplets == 2));
}

#[test]
fn soviet_reinforcements_wait_turn_by_turn_as_the_schedule_has_them() {
    let p = empty("campaign");
    let of = |turn: u8, pool: &str| {
        p.data
            .units
            .of
            .iter()
            .filter(|u| u.comes == Comes::Turn(turn) && u.code.starts_with(pool))
            .filter(|u| u.code[pool.len()..].bytes().all(|b| b.is_ascii_digit()))
            .count()
    };
    assert_eq!([of(10, "RD"), of(10, "CD"), of(10, "RB"), of(10, "TD")], [20, 2, 1, 1]);
    assert_eq!([of(2, "RD"), of(2, "CD"), of(2, "RB")], [11, 6, 3]);
    for u in p.due(10) {
        assert!(p.untried(u) || p.info(u).side == Side::One, "{}", p.code(u));
    }
}

#[test]
fn every_hex_has_one_terrain_and_every_unit_one_place() {
    let p = Pm::new().start(&Terms::of("historical"), None).unwrap();
    p.conserved().unwrap();
    let p = empty("campaign");
    let m = &p.data.map;
    for h in m.grid().hexes() {
        assert!(!(m.land.contains(h) && m.lakes.contains(h)), "{}", m.called(h));
    }
    assert!(m.land.count() > 1500);
    assert_eq!(m.moscow.count(), 2);
}

#[test]
fn the_seam_between_the_sheets_divides_the_commands() {
    let p = situated(
        "[at]\nturn = 4\nphase = 'german movement'\n[[unit]]\ncounter = '6ID'\nhex = '2501S'\n\
         [[unit]]\ncounter = '7ID'\nhex = '2608N'\n",
    );
    let unit = |code: &str| p.data.units.by_code[code];
    assert_eq!(p.command(&Choice::unit(verbs::PICK, unit("7ID"))), Command(1));
    assert_eq!(p.command(&Choice::unit(verbs::PICK, unit("6ID"))), Command(2));
    assert_eq!(p.command(&Choice::button(verbs::DONE)), Command::SENIOR);
    let info = Pm::new();
    assert_eq!(info.info().of(Side::One).commands.len(), 3);
}

#[test]
fn the_markers_of_the_book_are_in_the_view() {
    let mut p = situated(
        "[at]\nturn = 12\nphase = 'german movement'\nhedgehogs = ['2817N']\nreplacements = 9\n\
         [[unit]]\ncounter = '6ID'\nhex = '2817N'\n",
    );
    p.s.air[0] = p.data.map.grid().find("2817N").unwrap();
    let v = p.view(Eyes::Spectator);
    for kind in ["hedgehog", "air"] {
        assert!(v.markers.iter().any(|m| m.kind == kind), "{kind}");
    }
    assert!(v.tracks.iter().any(|t| t.id == "replacements" && t.number == 9.0));
    assert!(v.tracks.iter().any(|t| t.id == "vp"));
    assert_eq!(v.turn, 12);
}

#[test]
fn want_of_supply_halves_what_a_unit_can_do() {
    use verst_pm::supply::State;
    let mut text = String::from(
        "[at]\nturn = 4\nphase = 'german movement'\n[[unit]]\ncounter = '6ID'\nhex = '5010S'\n\
         [[unit]]\ncounter = '7ID'\nhex = '2501S'\n",
    );
    let p = situated(&text);
    let (far, near) = (p.data.units.by_code["6ID"], p.data.units.by_code["7ID"]);
    assert_eq!((p.state_of(near), p.state_of(far)), (State::Full, State::Attenuated));
    let full = p.allowance(far, State::Full, None);
    let grid = p.data.map.grid();
    for (i, (_, h)) in grid.neighbours(p.on_map(far).unwrap()).enumerate() {
        text.push_str(&format!("[[unit]]\ncounter = 'RD{}'\nhex = '{}'\n", i + 1, grid.name(h)));
    }
    let p = situated(&text);
    assert_eq!((p.state_of(near), p.state_of(far)), (State::Full, State::Out));
    assert_eq!(p.allowance(far, p.state_of(far), None), full.div_ceil(2));
}

#[test]
fn a_unit_moves_as_far_as_its_movement_points_take_it() {
    let mut p =
        situated("[at]\nturn = 4\nphase = 'german movement'\n[[unit]]\ncounter = '6ID'\nhex = '2501S'\n");
    let u = p.data.units.by_code["6ID"];
    p.apply(Choice::unit(verbs::PICK, u), &mut QuickDice::new(1), &mut Quiet);
    let m = p.mover();
    assert_eq!(m.left, p.movement(u));
    let r = p.reach(&m);
    assert!(r.len() > 20);
    assert!(r.iter().all(|n| n.cost <= m.left));
}

#[test]
fn the_terrain_chart_costs_what_the_book_prints() {
    let p = empty("campaign");
    let weather = [Weather::D; 2];
    let (map, charts) = (&p.data.map, &p.data.charts);
    let dry = |classes| {
        p.data.costs.steps(map, charts, &costs::Terms { classes, weather, rivers: true, highway: false })
    };
    assert_eq!(dry(1).enter[0][..4], [1, 2, 3, 4]);
    assert_eq!(dry(2).enter[0][..4], [1, 1, 2, 2]);
    assert_eq!(dry(4).enter[0][..4], [1, 1, 1, 2]);
    assert_eq!([1, 2, 4].map(|c| dry(c).river[0]), [2, 1, 1]);
}

#[test]
fn every_scenario_starts_and_asks_someone() {
    let pm = Pm::new();
    for s in ["campaign", "historical", "june", "typhoon"] {
        let p = pm.start(&Terms::of(s), None).unwrap_or_else(|f| panic!("{s}: {f}"));
        assert!(p.asks().is_some(), "{s}");
        p.conserved().unwrap();
    }
}

#[test]
fn a_free_set_up_can_be_filled_within_every_stricture() {
    let mut p = empty("campaign");
    let (mut dice, fill) = (QuickDice::new(3), Choice::button(verbs::FILL));
    p.apply(fill, &mut dice, &mut Quiet);
    assert_eq!((p.strictures(false, None).owed.units, p.strictures(true, None).owed.units), (0, 0));
    assert_eq!(p.s.step, Step::SetUpGerman);
    p.apply(fill, &mut dice, &mut Quiet);
    assert!(p.overfull(Side::One).is_none() && p.overfull(Side::Two).is_none());
    assert_eq!(p.asked(), Some(Side::One));
}

#[test]
fn random_play_passes_every_oracle() {
    let pm = Pm::new();
    for scenario in ["june", "typhoon"] {
        let usual = Trial::of(&pm, Terms::of(scenario), None).unwrap();
        let trial = Trial { plan: Plan { list: 40, copy: 60, look: 60, ..usual.plan }, ..usual };
        trial.run(1941, 2500, &mut |_| {}).unwrap_or_else(|f| panic!("{f}"));
    }
}

/// 14.7: in this game a German loss brings a Soviet one, which lays the next unit of a stack bare.
#[test]
fn what_a_loss_lays_bare_counts_as_shown() {
    let pm = Pm::new();
    let trial = Trial::of(&pm, Terms::of("typhoon"), None).unwrap();
    trial.run(9008, 1900, &mut |_| {}).unwrap_or_else(|f| panic!("{f}"));
}

#[test]
fn the_ledger_has_nothing_left_to_do() {
    let folder = std::path::PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let l = game::ledger::ledger("pm", &folder).unwrap_or_else(|f| panic!("{f}"));
    assert_eq!((l.total, l.to_do), (201, 0), "{l}");
}

#[test]
fn the_units_in_hand_show_their_line_of_supply() {
    let mut p =
        situated("[at]\nturn = 4\nphase = 'german movement'\n[[unit]]\ncounter = '6ID'\nhex = '2501S'\n");
    let u = p.data.units.by_code["6ID"];
    p.apply(Choice::unit(verbs::PICK, u), &mut QuickDice::new(1), &mut Quiet);
    let o = p.overlay(Eyes::Side(Side::One), "supply").unwrap();
    let (line, _) = o.paths.iter().find(|(_, class)| class == "line").unwrap();
    assert!(line.contains(&"2501S".to_string()), "{line:?}");
    let end = p.data.map.grid().find(line.last().unwrap()).unwrap();
    let start = p.data.map.grid().find(&line[0]).unwrap();
    let sources = &p.data.map.german_sources;
    assert!(sources.contains(end) || sources.contains(start), "{line:?}");
    let theirs = p.overlay(Eyes::Side(Side::Two), "supply").unwrap().paths;
    assert!(theirs.iter().all(|(_, class)| class != "line"));
}

#[test]
fn the_supply_layer_shows_the_line_of_a_stack_and_what_cuts_that_of_another() {
    // 2501S traces west; 3011N stands in a ring of six divisions.
    let ring = {
        let p = empty("campaign");
        let grid = p.data.map.grid();
        let h = grid.find("3011N").unwrap();
        grid.neighbours(h).map(|(_, n)| grid.name(n).to_string()).collect::<Vec<_>>()
    };
    let mut text = "[at]\nturn = 4\nphase = 'german movement'\n".to_string();
    let mut unit = |code: &str, hex: &str| text += &format!("[[unit]]\ncounter = '{code}'\nhex = '{hex}'\n");
    unit("6ID", "2501S");
    unit("7ID", "3011N");
    for (i, h) in ring.iter().enumerate() {
        unit(&format!("RD{}", i + 1), h);
    }
    let p = situated(&text);
    let o = p.overlay(Eyes::Spectator, "supply").unwrap();
    let line = o.paths.iter().find(|(l, _)| l[0] == "2501S").unwrap();
    assert_eq!(line.1, "german");
    let cut = o.paths.iter().find(|(l, _)| l[0] == "3011N").unwrap();
    assert_eq!((cut.0.len(), cut.1.as_str()), (2, "out"));
    assert!(ring.contains(&cut.0[1]));
    let word =
        |hex: &str, class: &str| o.hexes.iter().find(|(h, c, _)| h == hex && c == class).map(|x| x.2.clone());
    assert!(word("3011N", "out").unwrap().contains(&cut.0[1]));
    assert!(word(&cut.0[1], "block").unwrap().contains("3011N"));
}

#[test]
fn aircraft_at_base_lie_in_a_box_and_leave_it_when_they_fly() {
    let mut p =
        situated("[at]\nturn = 2\nphase = 'german support'\n[[unit]]\ncounter = '6ID'\nhex = '2501S'\n");
    let base = |p: &Pos| {
        let view = p.view(Eyes::Side(Side::One));
        view.boxes.into_iter().find(|b| b.id == "german-air").map_or(Vec::new(), |b| b.units)
    };
    let before = base(&p);
    let mut list = Vec::new();
    p.choices(&mut list);
    let c = list[0];
    let game::Object::At(u, _) = c.object else { panic!("{c:?}") };
    assert!(before.iter().any(|v| v.code == p.code(u)));
    p.apply(c, &mut QuickDice::new(1), &mut Quiet);
    assert!(base(&p).iter().all(|v| v.code != p.code(u)));
    assert_eq!(base(&p).len() + 1, before.len());
}

#[test]
fn the_owner_chooses_what_lies_on_top() {
    let unit = |code: &str| format!("[[unit]]\ncounter = '{code}'\nhex = '2501S'\n");
    let at = "[at]\nturn = 4\nphase = 'german movement'\n";
    let mut p = situated(&format!("{at}{}{}{}", unit("6ID"), unit("7ID"), unit("8ID")));
    let by = |p: &Pos, c: &str| p.data.units.by_code[c];
    let (six, eight) = (by(&p, "6ID"), by(&p, "8ID"));
    let seen = |p: &Pos| {
        p.view(Eyes::Side(Side::Two)).stacks[0].units.iter().map(|u| u.code.clone()).collect::<Vec<_>>()
    };
    assert_eq!(seen(&p), ["8ID"]);
    let play = |p: &mut Pos, c: Choice| p.play(c, &mut QuickDice::new(1), &mut Quiet);
    play(&mut p, Choice::unit(verbs::PICK, eight)).unwrap();
    assert_eq!(p.why_not(&Choice::button(verbs::TOP)).unwrap().rule.0, "14.7");
    play(&mut p, Choice::button(verbs::STOP)).unwrap();
    play(&mut p, Choice::unit(verbs::PICK, six)).unwrap();
    play(&mut p, Choice::button(verbs::TOP)).unwrap();
    assert_eq!(seen(&p), ["6ID"]);
    // It may still move, and is not laid on top again.
    play(&mut p, Choice::unit(verbs::PICK, six)).unwrap();
    assert!(p.mover().left > 0);
    p.conserved().unwrap();
}

#[test]
fn each_mobile_assault_is_foretold_in_full() {
    let unit = |code: &str, hex: &str| format!("[[unit]]\ncounter = '{code}'\nhex = '{hex}'\n");
    let at = "[at]\nturn = 4\nphase = 'german movement'\n";
    let p0 = empty("campaign");
    let grid = p0.data.map.grid();
    let h = grid.find("2501S").unwrap();
    let near: Vec<String> = grid.neighbours(h).map(|(_, n)| grid.name(n).to_string()).collect();
    let mut p =
        situated(&format!("{at}{}{}{}", unit("6Pz", "2501S"), unit("RD1", &near[1]), unit("RD2", &near[4])));
    let u = p.data.units.by_code["6Pz"];
    p.apply(Choice::unit(verbs::PICK, u), &mut QuickDice::new(1), &mut Quiet);
    let mut list = Vec::new();
    p.choices(&mut list);
    let assaults: Vec<Choice> = list.into_iter().filter(|c| c.verb == verbs::ASSAULT).collect();
    assert_eq!(assaults.len(), 2);
    for c in &assaults {
        let f = p.forecast_of(Eyes::Side(Side::One), c).unwrap();
        assert!((f.results.iter().map(|r| r.chance).sum::<f64>() - 1.0).abs() < 1e-9);
        assert!(p.forecast_of(Eyes::Side(Side::Two), c).is_none());
    }
    let best = p.forecast(Eyes::Side(Side::One)).unwrap();
    assert!(best.notes.iter().any(|n| n.starts_with("or ")), "{:?}", best.notes);
}

#[test]
fn which_of_a_kind_sails_does_not_hang_on_the_order_of_the_box() {
    let text = |first: &str, second: &str| {
        let unit = |code: &str| {
            let flags = if code == "RD2" { "flags = ['boxed']\n" } else { "" };
            format!("[[unit]]\ncounter = '{code}'\nhex = 'southern-ports'\n{flags}")
        };
        let at = "[at]\nturn = 3\ncouplet = 1\nphase = 'sea'\n";
        format!("{at}{}{}{}", unit(first), unit("RD2"), unit(second))
    };
    let sails = |p: &Pos| {
        let mut list = Vec::new();
        p.choices(&mut list);
        list.sort_unstable();
        list
    };
    let (a, b) = (situated(&text("RD3", "RD4")), situated(&text("RD4", "RD3")));
    assert!(sails(&a).len() > 1);
    assert_eq!(sails(&a), sails(&b));
}

#[test]
fn an_exported_situation_keeps_the_order_of_boxes_and_stacks() {
    let mut p = empty("campaign");
    p.s.step = Step::Sea;
    for n in [160, 7, 90, 12] {
        let u = p.data.units.by_code[&format!("RD{n}")];
        p.into_box(u, verst_pm::data::boxes::PORTS);
    }
    let setup = Pm::new().describe(&p).unwrap();
    let again = Pm::new().situate(&Terms::of("campaign"), None, &setup).unwrap();
    let again = again.as_any().downcast_ref::<Pos>().unwrap();
    let order = |p: &Pos| p.boxed(verst_pm::data::boxes::PORTS).collect::<Vec<_>>();
    assert_eq!(order(&p).len(), 4);
    assert_eq!(order(&p), order(again));
}
