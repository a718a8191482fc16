//! Section 11: Determined Defense.
