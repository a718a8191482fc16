//! 1.2: a side shared by commanders, divided at the seam of the two sheets.

use game::{Choice, Command, Game, Terms};
use verst_pm::Pm;

fn choices(setup: &str) -> Vec<(String, Command)> {
    let setup: toml::Table = toml::from_str(setup).expect("TOML");
    let position = Pm::new().situate(&Terms::of("campaign"), None, &setup).unwrap_or_else(|f| panic!("{f}"));
    let mut list: Vec<Choice> = Vec::new();
    position.choices(&mut list);
    list.iter().map(|c| (position.lexicon().write(c), position.command(c))).collect()
}

#[test]
fn the_seam_divides_the_commands_and_the_senior_decides_what_is_common() {
    let all = choices(
        r#"
        at = { turn = 4, couplet = 1, phase = "german movement" }
        [[unit]]
        counter = "5ID"
        hex = "2406N"
        [[unit]]
        counter = "6ID"
        hex = "2501S"
        "#,
    );
    let of = |text: &str| all.iter().find(|(t, _)| t == text).map(|(_, c)| *c);
    assert_eq!(of("pick 5ID"), Some(Command(1)), "the northern command");
    assert_eq!(of("pick 6ID"), Some(Command(2)), "the southern command");
    assert_eq!(of("done"), Some(Command::SENIOR));
    for side in &Pm::new().info().sides {
        assert_eq!(side.commands.len(), 3, "{}", side.id);
    }
}
