//! Small moves and lines whose outcome a player can check by eye.
//!
//! The grid is six columns by five rows, even columns lower, so that row 3 runs like this:
//!
//! ```text
//! 0103    0303    0503
//!     0203    0403    0603
//! ```

mod common;

use common::build;
use verst_hex::{Costs, Edge, Flood, Grid, GridSpec, Hex, HexSet, March, Parity, Reach, Sides, Span, Trace};

fn grid() -> Grid {
    build(&GridSpec::rectangle(Span::new(1, 6), Span::new(1, 5), Parity::Even))
}

fn hex(grid: &Grid, name: &str) -> Hex {
    grid.find(name).unwrap_or_else(|| panic!("{name} is on the map"))
}

fn set(grid: &Grid, names: &[&str]) -> HexSet {
    names.iter().map(|n| hex(grid, n)).collect()
}

/// Open ground everywhere, two ticks to the point.
fn open(grid: &Grid) -> Costs {
    Costs::new(grid, |_, _, _| Some(2)).expect("costs are in bounds")
}

fn cost(grid: &Grid, costs: &Costs, march: &March<'_>, to: &str) -> Option<u16> {
    Reach::new().run(grid, costs, march).cost(hex(grid, to))
}

#[test]
fn a_road_at_half_a_point_takes_a_unit_twice_as_far() {
    let grid = grid();
    let road = ["0103", "0203", "0303", "0403", "0503", "0603"].map(|n| hex(&grid, n));
    let costs =
        Costs::new(&grid, |from, _, to| Some(if road.contains(&from) && road.contains(&to) { 1 } else { 2 }));
    let costs = costs.expect("costs are in bounds");
    let start = [road[0]];
    let mut room = Reach::new();
    let reached = room.run(&grid, &costs, &March::new(&start, 4));
    assert_eq!(reached.cost(road[4]), Some(4), "four steps of road on two points");
    assert_eq!(reached.cost(road[5]), None);
    assert_eq!(reached.route(road[4]).map(|r| r.name(&grid)).as_deref(), Some("0103-0203-0303-0403-0503"));
    assert_eq!(reached.cost(hex(&grid, "0302")), Some(4), "two steps of road, then one of a whole point");
}

#[test]
fn a_zone_of_control_may_be_entered_but_not_left_except_by_who_began_there() {
    let grid = grid();
    let costs = open(&grid);
    let zone = set(&grid, &["0301", "0302", "0303", "0304", "0305"]);
    let outside = [hex(&grid, "0103")];
    let march = March { stop: &zone, ..March::new(&outside, 40) };
    assert_eq!(cost(&grid, &costs, &march, "0303"), Some(4));
    assert_eq!(cost(&grid, &costs, &march, "0403"), None);
    let inside = [hex(&grid, "0303")];
    let march = March { stop: &zone, ..March::new(&inside, 40) };
    assert_eq!(cost(&grid, &costs, &march, "0403"), Some(2));
}

#[test]
fn zones_that_cost_more_to_enter_and_to_leave_do_so_once_each() {
    let grid = grid();
    let costs = open(&grid);
    let zone = set(&grid, &["0301", "0302", "0303", "0304", "0305"]);
    let start = [hex(&grid, "0203")];
    let march = March { zoc: &zone, zoc_enter: 3, zoc_leave: 5, ..March::new(&start, 40) };
    assert_eq!(cost(&grid, &costs, &march, "0303"), Some(2 + 3));
    assert_eq!(cost(&grid, &costs, &march, "0403"), Some(2 + 3 + 2 + 5));
}

#[test]
fn no_step_leads_from_zone_to_zone_when_that_is_forbidden() {
    let grid = grid();
    let costs = open(&grid);
    let zone = set(&grid, &["0302", "0303", "0304"]);
    let start = [hex(&grid, "0303")];
    let march = March { zoc: &zone, zoc_to_zoc: false, ..March::new(&start, 40) };
    assert_eq!(cost(&grid, &costs, &march, "0304"), Some(4), "out of the zone and in again");
    assert_eq!(cost(&grid, &costs, &March { zoc_to_zoc: true, ..march }, "0304"), Some(2));
    let route = Reach::new().run(&grid, &costs, &march).route(hex(&grid, "0304"));
    let route = route.expect("it is reached");
    assert_eq!(march.price(&grid, &costs, route), Some(4));
}

#[test]
fn a_route_that_breaks_the_terms_of_a_move_has_no_price() {
    let grid = grid();
    let costs = open(&grid);
    let (blocked, stop) = (set(&grid, &["0203"]), set(&grid, &["0102"]));
    let start = [hex(&grid, "0103")];
    let march = March { blocked: &blocked, stop: &stop, ..March::new(&start, 40) };
    let price =
        |text| march.price(&grid, &costs, verst_hex::Route::read(&grid, text).expect("a sound route"));
    assert_eq!(price("0103-0104-0204"), Some(4));
    assert_eq!(price("0103-0203"), None, "an enemy stands there");
    assert_eq!(price("0103-0102"), Some(2));
    assert_eq!(price("0103-0102-0101"), None, "a zone of control stops it");
    assert_eq!(price("0104-0103"), None, "it begins elsewhere");
}

#[test]
fn several_starts_count_from_the_nearest() {
    let grid = grid();
    let costs = open(&grid);
    let starts = [hex(&grid, "0101"), hex(&grid, "0605")];
    let mut room = Reach::new();
    let reached = room.run(&grid, &costs, &March::new(&starts, 4));
    assert_eq!(reached.cost(hex(&grid, "0603")), Some(4));
    assert_eq!(reached.route(hex(&grid, "0603")).map(|r| r.start()), Some(starts[1]));
    assert_eq!(reached.cost(hex(&grid, "0303")), None);
}

#[test]
fn a_move_from_nowhere_reaches_nothing() {
    let grid = grid();
    let costs = open(&grid);
    let mut room = Reach::new();
    assert_eq!(room.run(&grid, &costs, &March::new(&[], 9)).count(), 0);
    let reached = room.run(&grid, &costs, &March::new(&[Hex::NONE], 9));
    assert!(reached.set().is_empty() && reached.iter().next().is_none());
}

#[test]
fn a_step_that_costs_nothing_or_too_much_is_refused() {
    let grid = grid();
    let free = Costs::new(&grid, |_, _, _| Some(0)).expect_err("free steps are refused");
    assert!(free.to_string().contains("at least one tick"));
    let dear = Costs::new(&grid, |_, _, _| Some(251)).expect_err("dear steps are refused");
    assert!(dear.to_string().contains("251 ticks; at most 250"));
}

#[test]
fn a_line_of_supply_stops_at_enemies_and_at_closed_hexsides() {
    let grid = grid();
    let source = set(&grid, &["0103"]);
    let wall = set(&grid, &["0301", "0302", "0303", "0304", "0305"]);
    let mut room = Flood::new();
    let free = grid.all() - &wall;
    assert_eq!(room.fill(&grid, &Trace::new(&source, &free)).count(), 10, "two columns of five");
    // The same wall as a line along hexsides, between the second and the third column.
    let (west, east) = (2, 3);
    let closed = |e: Edge| {
        let (a, b) = e.hexes(&grid);
        let columns = [grid.column(a), grid.column(b)];
        columns.contains(&west) && columns.contains(&east)
    };
    let sides = Sides::new(&grid, closed);
    let trace = Trace { sides: Some(&sides), ..Trace::new(&source, grid.all()) };
    assert_eq!(room.fill(&grid, &trace).count(), 10);
    assert_eq!(room.trace(&grid, &trace).steps(hex(&grid, "0303")), None);
}

#[test]
fn a_line_may_pass_only_so_many_rough_hexes_in_a_row() {
    let grid = grid();
    let source = set(&grid, &["0103"]);
    let row = set(&grid, &["0103", "0203", "0303", "0403", "0503", "0603"]);
    let rough = set(&grid, &["0203", "0303", "0503"]);
    let mut room = Flood::new();
    let mut reach = |run| {
        let trace = Trace { rough: &rough, rough_run: Some(run), ..Trace::new(&source, &row) };
        room.trace(&grid, &trace).set().count()
    };
    assert_eq!(reach(0), 1);
    assert_eq!(reach(1), 2, "the second in a row is too much");
    assert_eq!(reach(2), 6, "after 0403 the count begins again");
}

#[test]
fn a_line_of_limited_length_counts_steps_from_its_source() {
    let grid = grid();
    let source = set(&grid, &["0103"]);
    let trace = Trace { steps: Some(2), ..Trace::new(&source, grid.all()) };
    let mut room = Flood::new();
    let traced = room.trace(&grid, &trace);
    assert_eq!(traced.steps(hex(&grid, "0303")), Some(2));
    assert_eq!(traced.steps(hex(&grid, "0403")), None);
    assert_eq!(traced.route(hex(&grid, "0303")).map(|r| r.name(&grid)).as_deref(), Some("0103-0203-0303"));
}
