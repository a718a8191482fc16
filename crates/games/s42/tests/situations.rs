//! Every situation of the folder, as `verst check` runs them.

use game::{Registry, situation};
use std::path::PathBuf;

#[test]
fn every_situation_comes_out_as_it_says() {
    let registry = Registry::new().with(Box::new(verst_s42::S42::new()));
    let only = std::env::var("SITUATION").unwrap_or_default();
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("situations").join(only);
    let report = situation::check(&registry, &[folder]);
    assert!(report.passed(), "{report}");
}
