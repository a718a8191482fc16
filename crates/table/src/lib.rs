//! What all the games put on a table: sides, counters, stacks, boxes, sums, odds, results.
