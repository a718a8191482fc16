//! What players agree on before a game: declared in `options.toml`, here as the switches that the rules ask.

use game::{OptionSpec, Terms};
use text::Faults;

/// 8.13: how rifle divisions come back from the dead pile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Returns {
    /// Drawn blind, their counters back in the pool.
    Untried,
    /// Drawn blind, as what they were.
    Tried,
    /// The strongest first, as what they were.
    Best,
}

/// What players agreed on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Leave out every rule marked with an omega.
    pub beginner: bool,
    /// 8.13
    pub returns: Returns,
    /// 14.20: all mechanized units attack with 1 through a strait, as 17.9 has it.
    pub strait_chart: bool,
    /// 14.41: siege artillery adds its point after a city has doubled losses.
    pub arko_after: bool,
    /// 15.6: whatever is left may run another round.
    pub rounds_any: bool,
    /// 8.17: flak lost before its withdrawal costs VP.
    pub lost_flak: bool,
    /// 8.16: units in the OKH areas may be withdrawn.
    pub okh_withdrawal: bool,
    /// 11.4: units on land may join an invasion.
    pub joint_invasion: bool,
    /// 14.26: a retreat into a work destroys it.
    pub retreat_works: bool,
}

impl Options {
    /// The switches of some terms; an unknown option or value is a fault that names what there is.
    pub fn of(specs: &[OptionSpec], terms: &Terms, faults: &mut Faults) -> Options {
        let agreed = terms.agreed(specs, faults);
        Options {
            beginner: agreed.on("beginner"),
            returns: match agreed.value("returns") {
                "tried" => Returns::Tried,
                "best" => Returns::Best,
                _ => Returns::Untried,
            },
            strait_chart: agreed.value("strait-armour") == "chart",
            arko_after: agreed.value("arko-city") == "after",
            rounds_any: agreed.value("rounds") == "any",
            lost_flak: agreed.on("lost-flak"),
            okh_withdrawal: agreed.on("okh-withdrawal"),
            joint_invasion: agreed.on("joint-invasion"),
            retreat_works: agreed.on("retreat-works"),
        }
    }
}
