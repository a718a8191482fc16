//! Grids for the tests: the numbering of the printed games, and grids drawn at random.
#![allow(dead_code, reason = "each test file uses its own part of this one")]

use proptest::prelude::*;
use verst_hex::{Grid, GridSpec, Parity, Ragged, Sheet, Span};

/// Builds a grid that is known to be sound.
pub fn build(spec: &GridSpec) -> Grid {
    Grid::new(spec).expect("the specification is sound")
}

/// Proud Monster: odd columns lower, a north and a south sheet that share a row.
pub fn pm() -> Grid {
    let mut spec = GridSpec::rectangle(Span::new(10, 60), Span::new(0, 52), Parity::Odd);
    spec.sheets = vec![
        Sheet { suffix: 'N', at: 0, rows: Span::new(0, 28) },
        Sheet { suffix: 'S', at: 28, rows: Span::new(0, 24) },
    ];
    build(&spec)
}

/// Proud Monster Deluxe: even columns lower.
pub fn pmd() -> Grid {
    build(&GridSpec::rectangle(Span::new(1, 64), Span::new(1, 75), Parity::Even))
}

/// Land Without End: odd columns lower and one row shorter, two corners cut.
pub fn lwe() -> Grid {
    let mut spec = GridSpec::rectangle(Span::new(10, 48), Span::new(1, 53), Parity::Odd);
    spec.odd_rows = Some(Span::new(1, 52));
    spec.ragged = vec![Ragged { columns: Span::new(10, 10), rows: Span::new(7, 48) }];
    build(&spec)
}

/// Stalingrad '42: even columns lower, rows from 00, as wide as a grid can be.
pub fn s42() -> Grid {
    build(&GridSpec::rectangle(Span::new(10, 73), Span::new(0, 62), Parity::Even))
}

/// A grid drawn at random: either parity, rows from 00 or 01, ragged columns and holes.
pub fn any_grid(most_columns: i16, most_rows: i16) -> impl Strategy<Value = Grid> {
    let frame = (0..30i16, 1..=most_columns, 0..=1i16, 1..=most_rows, any::<bool>());
    let ragged = proptest::collection::vec((0..64i16, 0..88i16, 0..88i16), 0..6);
    let holes = proptest::collection::vec((0..64i16, 0..88i16), 0..40);
    (frame, ragged, holes).prop_map(|((c, wide, r, high, odd), ragged, holes)| {
        let lower = if odd { Parity::Odd } else { Parity::Even };
        let mut spec = GridSpec::rectangle(Span::new(c, c + wide - 1), Span::new(r, r + high - 1), lower);
        for (column, a, b) in ragged {
            let column = c + column % wide;
            let (a, b) = (r + a % high, r + b % high);
            spec.ragged
                .push(Ragged { columns: Span::new(column, column), rows: Span::new(a.min(b), a.max(b)) });
        }
        let whole = build(&spec);
        let hole = |(column, row): &(i16, i16)| whole.at((c + column % wide) as u16, r + row % high);
        let mut absent: Vec<String> =
            holes.iter().filter_map(hole).map(|h| whole.name(h).to_string()).collect();
        absent.sort();
        absent.dedup();
        absent.truncate(whole.count() - 1);
        spec.absent = absent;
        build(&spec)
    })
}
