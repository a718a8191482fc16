//! Reading our text files: TSV and TOML, folders laid over folders, faults with file and line.
//!
//! Every loader takes a [`Files`], gathers what is wrong in a [`Faults`], and goes on as far as it can, so that
//! one run tells all that must be mended.

mod count;
mod fault;
mod files;
mod nearest;
mod source;
mod toml_file;
mod tsv;

pub use count::count;
pub use fault::{Fault, Faults};
pub use files::Files;
pub use nearest::{nearest, unknown};
pub use source::Source;
pub use toml::Spanned;
pub use toml_file::{Toml, read_toml};
pub use tsv::{Row, Tsv};
