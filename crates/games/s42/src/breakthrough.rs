//! Section 15: Breakthrough Combat.
