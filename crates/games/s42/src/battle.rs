//! A battle under way: what combat, determined defense, retreat, advance and breakthrough share.

use hex::Hex;
use serde::{Deserialize, Serialize};
use table::{Side, Unit};

/// A battle from its declaration to the end of its advance.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Battle {
    /// The defenders' hex.
    pub hex: Hex,
    /// Who attacks.
    pub attacker: Side,
    /// Units that attack.
    pub attackers: Vec<Unit>,
    /// Units that defend.
    pub defenders: Vec<Unit>,
}
