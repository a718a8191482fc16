//! Section 14: Advance After Combat.
