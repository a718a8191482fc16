//! The hex grid and nothing of war: numbering, neighbours, sets of hexes, fields.
