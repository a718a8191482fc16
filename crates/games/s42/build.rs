//! Builds the data files in, so that the game carries them with it.

fn main() -> std::io::Result<()> {
    pack::data()
}
