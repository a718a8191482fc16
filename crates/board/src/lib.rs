//! A map: terrain, hexsides, places, lines, zones, edges; its text format; drawing it.
