//! Where a game keeps what it reads: its data, and the bytes of a position.

use serde::Serialize;
use serde::de::DeserializeOwned;
use std::sync::Arc;
use text::{Faults, Files, count};

/// A game's data: ours, read once and shared, or ours with an owner's folder laid over it.
#[derive(Debug)]
pub struct Shelf<D> {
    read: fn(Option<&Files>) -> Result<D, Faults>,
    ours: Result<Arc<D>, Faults>,
}

impl<D> Shelf<D> {
    /// Reads our data. Faults in it would be ours; they are reported when somebody asks for it.
    pub fn new(read: fn(Option<&Files>) -> Result<D, Faults>) -> Shelf<D> {
        Shelf { read, ours: read(None).map(Arc::new) }
    }

    /// Our data, if it is sound.
    pub fn ours(&self) -> Option<&D> {
        self.ours.as_deref().ok()
    }

    /// The data under an overlay, or ours alone.
    pub fn data(&self, overlay: Option<&Files>) -> Result<Arc<D>, Faults> {
        match overlay {
            None => self.ours.clone(),
            Some(_) => (self.read)(overlay).map(Arc::new),
        }
    }
}

/// A state as bytes, the same on every machine: what [`crate::Position::state`] gives.
pub fn save<S: Serialize>(state: &S) -> Vec<u8> {
    postcard::to_stdvec(state).unwrap_or_default()
}

/// Reads back what [`save`] wrote, to its last byte; the caller proves that it fits his game.
pub fn saved<S: DeserializeOwned>(bytes: &[u8]) -> Result<S, Faults> {
    let (state, rest) = postcard::take_from_bytes(bytes)
        .map_err(|e| unfit(format!("the saved state cannot be read: {e}")))?;
    match rest.len() {
        0 => Ok(state),
        n => Err(unfit(format!("{} too many after the saved state", count(n, "byte")))),
    }
}

/// A saved state that is read, but is not one of this game.
pub fn unfit(what: impl Into<String>) -> Faults {
    Faults::one("state", what)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_data_is_read_once_and_an_overlay_anew() {
        let shelf = Shelf::new(|overlay| Ok(overlay.is_some()));
        assert!(Arc::ptr_eq(&shelf.data(None).unwrap(), &shelf.data(None).unwrap()));
        assert!(!*shelf.data(None).unwrap());
        assert!(*shelf.data(Some(&Files::embedded(&[]))).unwrap());
    }

    #[test]
    fn a_state_with_bytes_missing_or_too_many_is_refused() {
        let bytes = save(&(7u8, vec![1u16, 2]));
        assert_eq!(saved::<(u8, Vec<u16>)>(&bytes).unwrap(), (7, vec![1, 2]));
        let longer = [&bytes[..], &[0]].concat();
        assert_eq!(
            saved::<(u8, Vec<u16>)>(&longer).unwrap_err().to_string(),
            "state: 1 byte too many after the saved state"
        );
        assert!(saved::<(u8, Vec<u16>)>(&bytes[..2]).unwrap_err().to_string().contains("cannot be read"));
    }
}
