//! The numbering of the printed maps, and what it says about which hexes touch.

mod common;

use common::{build, lwe, pm, pmd, s42};
use verst_hex::{Dir, Edge, Grid, GridError, GridSpec, Hex, Parity, Route, RouteError, Sheet, Span};

fn hex(grid: &Grid, name: &str) -> Hex {
    grid.find(name).unwrap_or_else(|| panic!("{name} is on the map"))
}

fn touch(grid: &Grid, a: &str, b: &str) -> bool {
    let (a, b) = (hex(grid, a), hex(grid, b));
    assert_eq!(grid.dir(a, b).map(Dir::opposite), grid.dir(b, a));
    grid.dir(a, b).is_some()
}

#[test]
fn the_two_hexes_of_moscow_touch_when_odd_columns_are_lower() {
    assert!(touch(&pm(), "5017N", "5116N"));
    assert!(!touch(&pm(), "5017N", "5118N"));
}

#[test]
fn a_hex_of_an_upper_column_touches_the_row_before_beside_it() {
    assert!(touch(&pm(), "2407N", "2406N"));
    assert!(touch(&pm(), "2407N", "2506N"));
    assert!(touch(&pm(), "2407N", "2507N"));
    assert!(!touch(&pm(), "2407N", "2508N"));
}

#[test]
fn perekop_and_kerch_touch_across_their_hexsides() {
    for (a, b) in [("3216S", "3315S"), ("3215S", "3315S"), ("3719S", "3819S"), ("3719S", "3820S")] {
        assert!(touch(&pm(), a, b), "{a} {b}");
    }
}

#[test]
fn the_deluxe_map_has_its_even_columns_lower() {
    let grid = pmd();
    for (a, b) in [("4120", "4219"), ("3203", "3304"), ("2446", "2347"), ("2850", "2951")] {
        assert!(touch(&grid, a, b), "{a} {b}");
    }
    let svir = ["3803", "3904", "4003", "4104", "4203", "4304"];
    assert!(svir.windows(2).all(|w| touch(&grid, w[0], w[1])));
    assert_eq!(grid.distance(hex(&grid, "0633"), hex(&grid, "0938")), 6, "seven hexes, both ends counted");
}

#[test]
fn land_without_end_has_its_odd_columns_lower_and_shorter() {
    let grid = lwe();
    for (a, b) in [("2123", "2122"), ("2123", "2223"), ("3348", "3449")] {
        assert!(touch(&grid, a, b), "{a} {b}");
    }
    let army = ["1025", "1125", "1225", "1226", "1326", "1427", "1428"];
    assert!(army.windows(2).all(|w| touch(&grid, w[0], w[1])));
    assert!(grid.find("4853").is_some() && grid.find("3753").is_none() && grid.find("3752").is_some());
    assert!(grid.find("1006").is_none() && grid.find("1007").is_some());
}

#[test]
fn the_volga_ferry_of_stalingrad_42_joins_hexes_that_do_not_touch() {
    let grid = s42();
    assert_eq!(grid.distance(hex(&grid, "6424"), hex(&grid, "6523")), 2);
    assert_eq!(grid.count(), 64 * 63);
}

#[test]
fn the_row_that_two_sheets_share_has_two_names_and_one_hex() {
    let grid = pm();
    assert_eq!(hex(&grid, "1028N"), hex(&grid, "1000S"));
    assert_eq!(grid.name(hex(&grid, "1000S")).to_string(), "1028N");
    assert_eq!(grid.name(hex(&grid, "4201s")).to_string(), "4201S");
    assert!(touch(&grid, "3528N", "3501S"));
}

#[test]
fn names_that_are_not_on_the_map_are_not_found() {
    let grid = pm();
    for name in ["", "5017", "5017X", "0917N", "6117N", "5029N", "5025S", "+017N", "5017NN", "50–7N", "50é7N"]
    {
        assert_eq!(grid.find(name), None, "{name}");
    }
    assert_eq!(pmd().find("4120N"), None);
}

#[test]
fn every_hex_is_found_by_its_name_and_by_its_place() {
    for grid in [pm(), pmd(), lwe(), s42()] {
        for h in grid.hexes() {
            assert_eq!(grid.find(&grid.name(h).to_string()), Some(h));
            assert_eq!(grid.at(grid.column(h), grid.row(h)), Some(h));
            assert!(h.ix() < grid.len());
        }
        assert_eq!(grid.hexes().count(), grid.count());
    }
}

#[test]
fn a_hexside_has_one_name_from_both_sides() {
    let grid = pm();
    let (a, b) = (hex(&grid, "2608N"), hex(&grid, "2707N"));
    let edge = Edge::between(&grid, a, b).expect("they touch");
    assert_eq!(Some(edge), Edge::between(&grid, b, a));
    assert_eq!(edge.name(&grid), "2608N/2707N");
    assert_eq!(Edge::read(&grid, "2707N/2608N"), Some(edge));
    assert_eq!(Edge::read(&grid, "2608N/2610N"), None);
    let mut seen = vec![0; grid.edge_len()];
    for h in grid.hexes() {
        for (dir, _) in grid.neighbours(h) {
            seen[Edge::new(&grid, h, dir).expect("a hex lies beyond").ix()] += 1;
        }
        let edges = Dir::ALL.iter().filter(|&&d| Edge::new(&grid, h, d).is_some()).count();
        assert_eq!(edges, grid.neighbours(h).count());
    }
    assert!(seen.iter().all(|&n| n == 0 || n == 2), "each side is met once from each of its hexes");
}

#[test]
fn a_route_reads_back_from_its_text() {
    let grid = pm();
    let route = Route::read(&grid, "2608N-2607N-2707N").expect("a sound route");
    assert_eq!(route.name(&grid), "2608N-2607N-2707N");
    assert_eq!((route.len(), route.start(), route.end(&grid)), (2, hex(&grid, "2608N"), hex(&grid, "2707N")));
    assert_eq!(route.dirs().collect::<Vec<_>>(), [Dir::N, Dir::Se]);
    assert_eq!(size_of::<Route>(), 18);
    let apart = Route::read(&grid, "2608N-2610N").expect_err("they do not touch");
    assert_eq!(apart, RouteError::Apart("2608N".into(), "2610N".into()));
    assert_eq!(Route::read(&grid, "2608N-99"), Err(RouteError::Unknown("99".into())));
}

#[test]
fn a_route_holds_forty_two_steps_and_refuses_one_more() {
    let grid = pm();
    let dirs = [Dir::Se, Dir::Nw, Dir::S, Dir::N, Dir::Ne, Dir::Sw];
    let route = Route::of(hex(&grid, "3010N"), dirs.into_iter().cycle().take(42)).expect("42 steps fit");
    assert_eq!(route.len(), 42);
    assert!(route.dirs().eq(dirs.into_iter().cycle().take(42)));
    assert_eq!(route.push(Dir::N), None);
    assert_eq!(Route::read(&grid, &route.name(&grid)), Ok(route));
    let (shorter, last) = route.pop().expect("it has steps");
    assert_eq!((shorter.push(last), shorter.len()), (Some(route), 41));
    let json = serde_json::to_string(&route).expect("writes");
    assert_eq!(serde_json::from_str::<Route>(&json).expect("reads"), route);
    let bytes = postcard::to_allocvec(&route).expect("writes");
    assert_eq!(postcard::from_bytes::<Route>(&bytes).expect("reads"), route);
    assert!(serde_json::from_str::<Route>("[5,[6]]").is_err());
}

#[test]
fn centres_of_touching_hexes_are_one_hex_apart() {
    for grid in [pm(), pmd()] {
        for h in grid.hexes() {
            let (x, y) = grid.center(h);
            for (_, n) in grid.neighbours(h) {
                let (u, v) = grid.center(n);
                assert!(((x - u).hypot(y - v) - 1.0).abs() < 1e-9);
            }
        }
    }
    let grid = pm();
    assert_eq!(grid.center(hex(&grid, "5017N")).1, 17.0);
    assert_eq!(grid.center(hex(&grid, "5117N")).1, 17.5);
}

#[test]
fn a_specification_reads_back_from_toml() {
    for grid in [pm(), lwe()] {
        let text = toml::to_string(grid.spec()).expect("writes");
        assert_eq!(&toml::from_str::<GridSpec>(&text).expect("reads"), grid.spec());
    }
}

#[test]
fn a_faulty_specification_is_refused_with_a_sentence() {
    let base = GridSpec::rectangle(Span::new(1, 12), Span::new(1, 10), Parity::Odd);
    let fault = |change: &dyn Fn(&mut GridSpec)| {
        let mut spec = base.clone();
        change(&mut spec);
        Grid::new(&spec).expect_err("the specification is faulty").to_string()
    };
    assert!(fault(&|s| s.columns = Span::new(5, 4)).contains("columns [5, 4] ends before it begins"));
    assert!(fault(&|s| s.columns = Span::new(1, 65)).contains("65 columns"));
    assert!(fault(&|s| s.rows = Span::new(1, 89)).contains("89 rows"));
    assert!(fault(&|s| s.rows = Span::new(-1, 9)).contains("between 0 and 99"));
    assert!(fault(&|s| s.odd_rows = Some(Span::new(0, 9))).contains("odd_rows [0, 9] leaves the rows"));
    assert!(fault(&|s| s.absent = vec!["1311".into()]).contains("1311 is not a hex"));
    let sheet = |suffix, last| Sheet { suffix, at: 0, rows: Span::new(1, last) };
    assert!(fault(&|s| s.sheets = vec![sheet('N', 9)]).contains("row 10 lies on no sheet"));
    assert!(
        fault(&|s| s.sheets = vec![sheet('N', 10), sheet('n', 10)]).contains("two sheets have the suffix n")
    );
    assert!(fault(&|s| s.sheets = vec![sheet('1', 10)]).contains("use a letter"));
    assert!(toml::from_str::<GridSpec>("columns=[1,2]\nrows=[1,2]\nlower='odd'\nhigher=1").is_err());
    assert_eq!(Grid::new(&base).map(|g| g.count()), Ok(120));
    assert!(matches!(
        Grid::new(&GridSpec { columns: Span::new(0, 64), ..base.clone() }),
        Err(GridError::Large { .. })
    ));
    assert_eq!(build(&GridSpec { absent: vec!["0101".into()], ..base.clone() }).count(), 119);
}
