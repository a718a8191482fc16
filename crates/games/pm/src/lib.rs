//! Proud Monster (1994).
