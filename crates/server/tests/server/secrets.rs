//! Everything that is sent to each pair of eyes over a random game, searched for what those eyes may not know.
//!
//! What they may not know is what the referee sees and they do not: where a unit is, its figures, its state. A line, a
//! name or an object that says it of that unit gives it away. The views before and after a choice are all that is
//! compared, but for a battle that begins and ends within it: see [`laid_open`]. `VERST_WHOLE` searches whole games
//! (`make soak`).

use crate::hidden::{Match, people, settle};
use crate::page::{Folder, Served, alike, club, config, serve, sorted};
use game::{Audience, Eyes, Line, QuickDice, Roll, Step};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use table::{Rule, Side};

const EYES: [Eyes; 3] = [Eyes::Side(Side::One), Eyes::Side(Side::Two), Eyes::Spectator];

/// What a view says of each unit: where it is, its figures and states.
type Known = BTreeMap<String, BTreeSet<String>>;

fn known(view: &Value) -> Known {
    let mut out = Known::new();
    for (list, place) in [("stacks", "hex"), ("boxes", "id")] {
        for here in view[list].as_array().into_iter().flatten() {
            for unit in here["units"].as_array().into_iter().flatten() {
                let of = out.entry(unit["code"].as_str().unwrap().to_owned()).or_default();
                of.insert(here[place].as_str().unwrap().to_owned());
                of.insert(unit["figures"].as_str().unwrap().to_owned());
                let states = unit["status"].as_array().into_iter().flatten();
                of.extend(states.map(|s| s.as_str().unwrap().to_owned()));
            }
        }
    }
    out
}

/// What of `all` is not in `mine`.
fn secrets(all: &Known, mine: &Known) -> Known {
    let none = BTreeSet::new();
    let less = |(code, facts): (&String, &BTreeSet<String>)| {
        let own = mine.get(code).unwrap_or(&none);
        (code.clone(), facts.difference(own).cloned().collect::<BTreeSet<_>>())
    };
    all.iter().map(less).filter(|(_, facts)| !facts.is_empty()).collect()
}

/// Takes away from the secrets what a choice laid open to some eyes for as long as it was played. A battle may begin and
/// end within one choice, and who fights in it is open to all (pm 14.7), an untried unit drawn for it too, which lies
/// under its stack again in the view after. The game must have said all of it: the choice is marked as one that shows
/// something, a line of the key `reveal` that those eyes may read says it of that unit, and chance decided it within
/// this very choice. Whatever anyone knew before remains a secret, whatever a line is called.
fn laid_open(secrets: &mut Known, step: &Step, eyes: Eyes, all_before: &Known) {
    if !step.revealed || step.rolls.is_empty() {
        return;
    }
    let may_read = |line: &&Line| match line.to {
        Audience::All => true,
        Audience::Only(side) => eyes.sees(side),
    };
    for line in step.told.iter().filter(|l| l.key == "reveal").filter(may_read) {
        for (code, facts) in secrets.iter_mut().filter(|(code, _)| says(&line.text, code)) {
            let old = |f: &String| all_before.get(code).is_some_and(|b| b.contains(f));
            facts.retain(|f| old(f) || !says(&line.text, f));
        }
    }
    secrets.retain(|_, facts| !facts.is_empty());
}

/// Whether a text has a word, not as a part of another.
fn says(text: &str, word: &str) -> bool {
    let inside = |c: char| c.is_alphanumeric();
    text.match_indices(word).any(|(at, _)| {
        !text[..at].chars().next_back().is_some_and(inside)
            && !text[at + word.len()..].chars().next().is_some_and(inside)
    })
}

/// The first place in what was sent that gives a secret away.
fn given_away(v: &Value, secrets: &Known) -> Option<String> {
    let tells = |text: &str, code: &str, facts: &BTreeSet<String>| {
        says(text, code) && facts.iter().any(|f| says(text, f))
    };
    match v {
        Value::String(text) => secrets
            .iter()
            .find(|(code, facts)| tells(text, code, facts))
            .map(|(code, facts)| format!("{code} {facts:?} in \"{text}\"")),
        Value::Array(all) => all.iter().find_map(|v| given_away(v, secrets)),
        Value::Object(o) => {
            if let Some(code) = o.get("code").and_then(Value::as_str)
                && let Some(facts) = secrets.get(code)
                && facts.iter().any(|f| says(&v.to_string(), f))
            {
                return Some(format!("{code} {facts:?} in {v}"));
            }
            o.values().find_map(|v| given_away(v, secrets))
        }
        _ => None,
    }
}

/// What a search came upon.
struct Found {
    /// Choices that were played.
    choices: usize,
    /// Facts of units that were hidden from one pair of eyes or another, summed over the choices.
    hidden: usize,
    /// Bytes that were searched.
    bytes: usize,
    /// Whether the game came to its end.
    over: bool,
}

fn side_of(eyes: Eyes) -> Option<&'static str> {
    match eyes {
        Eyes::Side(Side::One) => Some("one"),
        Eyes::Side(Side::Two) => Some("two"),
        _ => None,
    }
}

/// Plays at random and searches all that is sent: to the end if whole games are asked for, else for `short` choices
/// at random and those that lead to the first secret.
async fn searched(served: &Served, new: Value, seed: u64, short: usize) -> Found {
    let whole = std::env::var_os("VERST_WHOLE").is_some();
    let [anna, ben, eve] = people(served).await;
    let game = new["game"].as_str().unwrap().to_owned();
    let id = anna.found_with(new).await;
    let (_, link) = anna.post(&format!("/api/matches/{id}/invite"), json!({"seat": "two"})).await;
    ben.post(&format!("/api/join/{}", link["token"].as_str().unwrap()), json!({})).await;
    let mut m = Match { blue: anna.sit(&id).await, red: ben.sit(&id).await, eve: eve.sit(&id).await, id };
    let secret = {
        let live = served.house.live.find(&m.id).unwrap();
        let inner = live.inner.lock().await;
        inner.playing.as_ref().unwrap().body.secret.clone()
    };
    let mut dice = QuickDice::new(seed);
    let mut found = Found { choices: 0, hidden: 0, bytes: 0, over: false };
    let mut before: [Known; 3] = Default::default();
    let mut all_before = Known::new();
    let mut counted = 0;
    while whole || counted < short {
        let n = m.red.n.max(m.blue.n).max(m.eve.n);
        settle([&mut m.blue, &mut m.red, &mut m.eve], n).await;
        found.over = !m.blue.view["outcome"].is_null();
        if found.over {
            break;
        }
        let asked = if m.blue.asked() { &mut m.blue } else { &mut m.red };
        // Towards the secret by the shortest way, then at random.
        if found.hidden == 0 && !whole && asked.choices().iter().any(|c| c == "done") {
            let n = asked.n;
            assert_eq!(asked.play("done").await["t"], "accepted");
            while asked.n == n {
                asked.next().await.expect("an update");
            }
        } else {
            asked.play_random(&mut dice).await;
            counted += 1;
        }
        found.choices += 1;
        if found.choices.is_multiple_of(500) {
            eprintln!("{game}: {} choices, {} KB searched", found.choices, found.bytes / 1024);
        }
        let n = asked.n;
        settle([&mut m.blue, &mut m.red, &mut m.eve], n).await;
        let live = served.house.live.find(&m.id).unwrap();
        let inner = live.inner.lock().await;
        let session = &inner.playing.as_ref().unwrap().session;
        let all = known(&serde_json::to_value(session.view(Eyes::Referee)).unwrap());
        let step = session.steps().last().unwrap();
        for ((page, eyes), before) in
            [&mut m.blue, &mut m.red, &mut m.eve].into_iter().zip(EYES).zip(&mut before)
        {
            let may = serde_json::to_value(session.view(eyes)).unwrap();
            assert!(alike(&page.view, &may), "{game} {eyes:?}: {} and {}", sorted(&page.view), sorted(&may));
            let mine = known(&may);
            // What was known before the choice may still be spoken of when it is hidden after it.
            let mut spoken = mine.clone();
            for (code, facts) in std::mem::replace(before, mine) {
                spoken.entry(code).or_default().extend(facts);
            }
            let mut secrets = secrets(&all, &spoken);
            laid_open(&mut secrets, step, eyes, &all_before);
            found.hidden += secrets.values().map(BTreeSet::len).sum::<usize>();
            for text in std::mem::take(&mut page.bytes) {
                found.bytes += text.len();
                assert!(!text.contains(&secret), "the secret of the dice");
                let v: Value = serde_json::from_str(&text).unwrap();
                let own = v["ask"].is_null() || v["ask"]["side"].as_str() == side_of(eyes);
                assert!(own, "{game}: {eyes:?} was shown another's question");
                assert!(eyes != Eyes::Spectator || v["undo"].as_array().is_none_or(Vec::is_empty));
                // Most secrets are not even named in a message; those that are, are looked for in each of its parts.
                let named = secrets.iter().filter(|(code, _)| text.contains(code.as_str()));
                let named: Known = named.map(|(code, facts)| (code.clone(), facts.clone())).collect();
                if let Some(leak) = given_away(&v, &named) {
                    panic!("{game}, choice {}: {eyes:?} was told {leak}", found.choices);
                }
            }
        }
        all_before = all;
    }
    if !found.over {
        sealed(&ben, &m.id, &secret).await;
    }
    eprintln!(
        "{game}: {} choices{}, {} KB searched for {} hidden facts",
        found.choices,
        if found.over { " to the end" } else { "" },
        found.bytes / 1024,
        found.hidden
    );
    found
}

/// During play a journal seals the other side's choices, and the dice to come are nowhere.
async fn sealed(who: &crate::page::Person, id: &str, secret: &str) {
    let (_, journal) = who.get(&format!("/api/matches/{id}/journal")).await;
    let journal = journal.as_str().unwrap();
    assert!(!journal.contains(secret) && !journal.contains("\nsalt "));
    let (_, mine) = who.get(&format!("/api/matches/{id}")).await;
    assert_eq!(mine["mine"], json!(["two"]));
    let fields = journal.lines().map(|l| l.split('\t').collect::<Vec<_>>());
    let lines: Vec<_> = fields.filter(|f| f.len() > 2).collect();
    let (own, others): (Vec<_>, Vec<_>) = lines.iter().partition(|f| !f[2].starts_with('#'));
    let sides = |of: &[&Vec<&str>]| of.iter().map(|f| f[1].to_owned()).collect::<BTreeSet<_>>();
    assert!(sides(&own).is_disjoint(&sides(&others)), "all of the other side's lines are sealed: {journal}");
    assert!(!others.is_empty());
}

fn between_two(game: &str, scenario: &str) -> Value {
    json!({"game": game, "scenario": scenario, "watch": "public", "seats": {"one": "me", "two": "open"}})
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_sent_in_a_random_game_of_the_drill_gives_a_secret_away() {
    let served = club("secrets-drill").await;
    let found = searched(&served, between_two("drill", "first"), 3, usize::MAX).await;
    assert!(found.over && found.hidden > 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_sent_in_a_random_game_of_june_1941_gives_a_secret_away() {
    let served = club("secrets-pm").await;
    let found = searched(&served, between_two("pm", "june"), 41, 150).await;
    assert!(found.bytes > 100_000 && (found.over || found.choices >= 150));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_sent_in_a_random_game_with_maskirovka_gives_a_secret_away() {
    // The Reserve Armies come on turn 21; laid over our data is a campaign in which they come on turn 2.
    let folder = Folder::new("secrets-overlay");
    let early = folder.0.join("s42/early");
    std::fs::create_dir_all(&early).unwrap();
    let lay = |name: &str, own: &str, changes: &[(&str, &str)]| {
        let mut text = own.to_owned();
        for (from, to) in changes {
            assert!(text.contains(from), "{name} has '{from}'");
            text = text.replace(from, to);
        }
        std::fs::write(early.join(name), text).unwrap();
    };
    lay(
        "scenarios.toml",
        include_str!("../../../games/s42/data/scenarios.toml"),
        &[("benchmarks = true", "benchmarks = false"), ("maskirovka_turn = 21", "maskirovka_turn = 2")],
    );
    lay(
        "reinforcements.tsv",
        include_str!("../../../games/s42/data/reinforcements.tsv"),
        &[("campaign\t21\tRes", "campaign\t2\tRes")],
    );
    lay(
        "counters.tsv",
        include_str!("../../../games/s42/data/counters.tsv"),
        &[("maskirovka\t\t21\tcampaign", "maskirovka\t\t2\tcampaign")],
    );
    let overlays = vec![folder.0.clone()];
    let served = serve("secrets-s42", server::Config { overlays, ..config(true) }).await;
    let mut new = between_two("s42", "campaign");
    new["overlay"] = json!({"name": "early"});
    let found = searched(&served, new, 42, 150).await;
    assert!(found.bytes > 100_000 && (found.over || found.choices >= 150));
    assert!(found.hidden > 0, "the Reserve Armies have their secret");
}

#[test]
fn the_search_finds_what_is_given_away() {
    let view = |status: &str| {
        json!({"stacks": [{"hex": "0203", "units": [
            {"code": "5Res", "figures": "0-1-4", "status": [status]}]}], "boxes": []})
    };
    let all = known(&view("holding-3"));
    let secrets = secrets(&all, &known(&view("moved")));
    assert_eq!(secrets["5Res"], BTreeSet::from(["holding-3".to_owned()]));
    assert!(given_away(&json!({"story": ["5Res moves to 0203"]}), &secrets).is_none());
    assert!(given_away(&json!({"story": ["holding-31 is full, 5Res moves"]}), &secrets).is_none());
    assert!(given_away(&json!({"story": ["5Res gets holding-3"]}), &secrets).is_some());
    assert!(given_away(&json!({"x": [{"code": "5Res", "status": ["holding-3"]}]}), &secrets).is_some());
    assert!(given_away(&json!({"code": "15Res", "status": ["holding-3"]}), &secrets).is_none());
}

#[test]
fn only_what_chance_decided_and_the_game_showed_in_this_choice_is_laid_open() {
    let view = |figures: &str| {
        json!({"stacks": [{"hex": "0203", "units": [
            {"code": "7RD", "figures": figures, "status": []}]}], "boxes": []})
    };
    let untried = known(&view("untried"));
    let tried = known(&view("3-7-5"));
    let reveal =
        |to: Audience| Line { to, ..Line::new("reveal", Rule("2.15"), "7RD is the 7th Rifle (3-7-5).") };
    let step = |line: Line, revealed: bool, rolls: Vec<Roll>| Step {
        number: 1,
        side: Side::One,
        choice: game::Choice::button(game::Verb(0)),
        text: String::new(),
        rolls,
        told: vec![line],
        revealed,
    };
    let drawn = || vec![Roll::Draw { of: 30, lot: 4 }];
    let left = |step: &Step, eyes: Eyes, before: &Known| {
        let mut secrets = tried.clone();
        laid_open(&mut secrets, step, eyes, before);
        secrets["7RD"].contains("3-7-5")
    };
    let one = Eyes::Side(Side::One);
    let shown = step(reveal(Audience::All), true, drawn());
    assert!(!left(&shown, one, &untried), "drawn and shown to all");
    let mut secrets = tried.clone();
    laid_open(&mut secrets, &shown, one, &untried);
    assert!(secrets["7RD"].contains("0203"), "where it stands was not shown");
    assert!(left(&shown, one, &tried), "its owner knew it before: no line makes it open");
    assert!(left(&step(reveal(Audience::All), false, drawn()), one, &untried), "not marked as shown");
    assert!(left(&step(reveal(Audience::All), true, vec![]), one, &untried), "chance decided nothing");
    let others = step(reveal(Audience::Only(Side::Two)), true, drawn());
    assert!(left(&others, one, &untried) && !left(&others, Eyes::Side(Side::Two), &untried));
    let spoken = Line { key: "move", ..reveal(Audience::All) };
    assert!(left(&step(spoken, true, drawn()), one, &untried), "a line that is not the one of showing");
}
