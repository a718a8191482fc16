//! The programs that play.
