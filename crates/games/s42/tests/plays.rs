//! Random games of every scenario with all oracles held against them.

use game::Terms;
use game::oracle::Trial;
use verst_s42::S42;

fn fuzz(scenario: &str, decisions: u64) {
    let game = S42::new();
    let trial = Trial::of(&game, Terms::of(scenario), None).unwrap_or_else(|f| panic!("{f}"));
    // More of them, or another seed, by the environment: S42_DECISIONS=200000 S42_SEED=3.
    let number = |name: &str| std::env::var(name).ok().and_then(|n| n.parse::<u64>().ok());
    let decisions = number("S42_DECISIONS").unwrap_or(decisions);
    let seed = number("S42_SEED").unwrap_or(7);
    trial.run(seed, decisions, &mut |_| {}).unwrap_or_else(|f| panic!("{f}"));
}

#[test]
fn fall_blau_holds_under_random_play() {
    fuzz("blau", 3_000);
}

#[test]
fn the_caucasus_holds_under_random_play() {
    fuzz("caucasus", 1_500);
}

#[test]
fn uranus_holds_under_random_play() {
    fuzz("uranus", 1_500);
}

#[test]
fn the_campaign_holds_under_random_play() {
    fuzz("campaign", 1_500);
}
