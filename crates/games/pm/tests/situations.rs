//! Every situation of the folder, as `verst check` runs them.

#[test]
fn every_situation_comes_out_as_it_says() {
    let report = game::situation::check_game(Box::new(verst_pm::Pm::new()), env!("CARGO_MANIFEST_DIR"));
    assert!(report.passed(), "{report}");
}
