//! Lets the server be built before the page is: the folder of the page is made when it is not there.

use std::path::PathBuf;

fn main() {
    let here = PathBuf::from(std::env::var("CARGO_MANIFEST_DIR").unwrap_or_else(|_| ".".into()));
    let dist = here.join("../../web/dist");
    if let Err(e) = std::fs::create_dir_all(&dist) {
        println!("cargo:warning=the folder {} cannot be made: {e}", dist.display());
    }
    println!("cargo:rerun-if-changed=../../web/dist");
}
