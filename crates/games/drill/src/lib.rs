//! The drill: a two-page training game of our own.
