//! Stalingrad '42.
