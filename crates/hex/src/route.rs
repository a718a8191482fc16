//! Paths small enough to be a choice.

use std::fmt;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::{Dir, Grid, Hex};

/// A start and up to 42 steps in 18 bytes.
///
/// Routes are ordered by start, then by length, then by their directions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Route {
    start: Hex,
    /// A marker bit, then three bits for each direction, the last step lowest; big-endian so that the derived order
    /// is the order of the numbers.
    steps: [u8; 16],
}

/// Why a text is not a route on a grid.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RouteError {
    /// A name that the grid does not have.
    #[error("{0} is not a hex of this map")]
    Unknown(String),
    /// Two hexes in a row that do not touch.
    #[error("{0} and {1} do not touch: a route names every hex it enters")]
    Apart(String, String),
    /// More steps than a route can hold.
    #[error("a route has at most {} steps", Route::MOST)]
    TooLong,
}

impl Route {
    /// The most steps that a route can hold.
    pub const MOST: usize = 42;

    /// The route that stays where it starts.
    pub const fn from(start: Hex) -> Route {
        Route { start, steps: 1u128.to_be_bytes() }
    }

    /// The route with one more step, or none if it is full.
    #[must_use]
    pub fn push(self, dir: Dir) -> Option<Route> {
        let code = u128::from_be_bytes(self.steps);
        (self.len() < Route::MOST)
            .then(|| Route { start: self.start, steps: (code << 3 | dir.ix() as u128).to_be_bytes() })
    }

    /// The route without its last step, and that step.
    pub fn pop(self) -> Option<(Route, Dir)> {
        let code = u128::from_be_bytes(self.steps);
        (code > 1).then(|| {
            (Route { start: self.start, steps: (code >> 3).to_be_bytes() }, Dir::from_ix((code & 7) as usize))
        })
    }

    /// The route that begins at a hex and takes these steps, or none if they are too many.
    pub fn of(start: Hex, dirs: impl IntoIterator<Item = Dir>) -> Option<Route> {
        dirs.into_iter().try_fold(Route::from(start), Route::push)
    }

    /// The route of a line that is given backwards, from its end to its start; none if it is empty or too long.
    pub(crate) fn back(grid: &Grid, mut line: impl Iterator<Item = Hex>) -> Option<Route> {
        let mut dirs = [Dir::N; Route::MOST];
        let mut used = 0;
        let mut at = line.next()?;
        for from in line {
            *dirs.get_mut(used)? = grid.dir(from, at)?;
            used += 1;
            at = from;
        }
        Route::of(at, dirs[..used].iter().rev().copied())
    }

    /// The route through these hexes, each of which must touch the one before.
    pub fn through(grid: &Grid, hexes: impl IntoIterator<Item = Hex>) -> Result<Route, RouteError> {
        let mut hexes = hexes.into_iter();
        let mut at = hexes.next().unwrap_or(Hex::NONE);
        let mut route = Route::from(at);
        for next in hexes {
            let apart = || RouteError::Apart(grid.name(at).to_string(), grid.name(next).to_string());
            let dir = grid.dir(at, next).ok_or_else(apart)?;
            route = route.push(dir).ok_or(RouteError::TooLong)?;
            at = next;
        }
        Ok(route)
    }

    /// Where the route begins.
    #[inline]
    pub const fn start(self) -> Hex {
        self.start
    }

    /// How many steps it takes.
    #[inline]
    pub const fn len(self) -> usize {
        (127 - u128::from_be_bytes(self.steps).leading_zeros() as usize) / 3
    }

    /// True if it takes no step.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// Its directions, first step first.
    pub fn dirs(self) -> impl DoubleEndedIterator<Item = Dir> + ExactSizeIterator + Clone {
        let code = u128::from_be_bytes(self.steps);
        let len = self.len();
        (0..len).map(move |i| Dir::from_ix((code >> (3 * (len - 1 - i)) & 7) as usize))
    }

    /// The hexes it passes, the start included. A step off the grid ends the list.
    pub fn hexes(self, grid: &Grid) -> impl Iterator<Item = Hex> + Clone + '_ {
        let steps = self.dirs().scan(self.start, move |at, dir| {
            *at = grid.neighbour(*at, dir)?;
            Some(*at)
        });
        std::iter::once(self.start).chain(steps)
    }

    /// Where it ends; [`Hex::NONE`] if it leaves the grid.
    pub fn end(self, grid: &Grid) -> Hex {
        self.dirs().try_fold(self.start, |at, dir| grid.neighbour(at, dir)).unwrap_or(Hex::NONE)
    }

    /// The names of its hexes joined by hyphens, as in `2608N-2607N-2707N`.
    pub fn name(self, grid: &Grid) -> String {
        let names: Vec<String> = self.hexes(grid).map(|h| grid.name(h).to_string()).collect();
        names.join("-")
    }

    /// Reads what [`Route::name`] writes.
    pub fn read(grid: &Grid, text: &str) -> Result<Route, RouteError> {
        let find =
            |name: &str| grid.find(name.trim()).ok_or_else(|| RouteError::Unknown(name.trim().to_owned()));
        Route::through(grid, text.split('-').map(find).collect::<Result<Vec<Hex>, _>>()?)
    }
}

impl fmt::Debug for Route {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Route({}", self.start.0)?;
        for dir in self.dirs() {
            write!(f, " {dir}")?;
        }
        write!(f, ")")
    }
}

/// Written as the start and the list of directions (0 to 5).
impl Serialize for Route {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let dirs: Vec<u8> = self.dirs().map(|d| d as u8).collect();
        (self.start, dirs).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Route {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Route, D::Error> {
        let (start, dirs) = <(Hex, Vec<u8>)>::deserialize(deserializer)?;
        let mut route = Route::from(start);
        for dir in dirs {
            let dir = *Dir::ALL
                .get(dir as usize)
                .ok_or_else(|| D::Error::custom(format!("{dir} is not a direction: 0 to 5")))?;
            route = route.push(dir).ok_or_else(|| D::Error::custom(RouteError::TooLong))?;
        }
        Ok(route)
    }
}
