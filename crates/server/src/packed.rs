//! What is sent often is compressed once and kept so.

use axum::body::Bytes;
use axum::http::HeaderMap;
use axum::http::header::{ACCEPT_ENCODING, CONTENT_ENCODING, HeaderName, VARY};
use std::sync::{Arc, OnceLock};

/// A body, and the same compressed.
#[derive(Clone)]
pub(crate) struct Packed {
    plain: Bytes,
    small: Arc<OnceLock<Option<Bytes>>>,
}

/// Below this a body is sent as it is.
const SHORT: usize = 512;

impl Packed {
    pub(crate) fn new(plain: impl Into<Bytes>) -> Packed {
        Packed { plain: plain.into(), small: Arc::default() }
    }

    /// Compresses it now, while there is time.
    pub(crate) fn pack(&self) -> Option<&Bytes> {
        let pack = || (self.plain.len() >= SHORT).then(|| brotli(&self.plain)).flatten();
        self.small.get_or_init(pack).as_ref()
    }

    /// The body as the other side can read it, with the header fields that say which it is.
    pub(crate) fn answer(&self, headers: &HeaderMap) -> (Vec<(HeaderName, &'static str)>, Bytes) {
        match self.pack().filter(|_| reads_brotli(headers)) {
            Some(small) => (vec![(CONTENT_ENCODING, "br"), (VARY, "accept-encoding")], small.clone()),
            None => (Vec::new(), self.plain.clone()),
        }
    }
}

/// Whether the other side takes brotli: it is named, and not with a weight of nothing.
fn reads_brotli(headers: &HeaderMap) -> bool {
    headers.get_all(ACCEPT_ENCODING).iter().filter_map(|v| v.to_str().ok()).flat_map(|v| v.split(',')).any(
        |offer| {
            let (name, weight) = offer.split_once(';').unwrap_or((offer, "q=1"));
            let weight = weight.trim().strip_prefix("q=").and_then(|w| w.parse::<f32>().ok());
            name.trim().eq_ignore_ascii_case("br") && weight.unwrap_or(1.0) > 0.0
        },
    )
}

/// Halfway between quick and small: a map of 400 KB takes a few hundredths of a second, once.
fn brotli(plain: &[u8]) -> Option<Bytes> {
    let mut small = Vec::with_capacity(plain.len() / 4);
    let params = brotli::enc::BrotliEncoderParams { quality: 6, lgwin: 20, ..Default::default() };
    brotli::BrotliCompress(&mut &*plain, &mut small, &params).ok()?;
    (small.len() < plain.len()).then(|| small.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;

    fn asks(encoding: &'static str) -> HeaderMap {
        let mut headers = HeaderMap::new();
        headers.insert(ACCEPT_ENCODING, HeaderValue::from_static(encoding));
        headers
    }

    #[test]
    fn a_body_is_compressed_only_for_those_who_can_read_it_and_reads_the_same() {
        let text = "the same line again and again; ".repeat(400);
        let body = Packed::new(text.clone().into_bytes());
        let (head, small) = body.answer(&asks("gzip, deflate, br;q=0.9, zstd"));
        assert!(head.contains(&(CONTENT_ENCODING, "br")));
        assert!(small.len() < text.len() / 10);
        let mut read = Vec::new();
        brotli::BrotliDecompress(&mut &*small, &mut read).expect("it can be read");
        assert_eq!(read, text.as_bytes());
        for other in ["gzip", "identity", "br;q=0", "brown"] {
            let (head, plain) = body.answer(&asks(other));
            assert!(head.is_empty(), "{other}");
            assert_eq!(plain, text.as_bytes(), "{other}");
        }
        let (head, plain) = body.answer(&HeaderMap::new());
        assert!(head.is_empty() && plain == text.as_bytes());
    }

    #[test]
    fn what_is_short_is_sent_as_it_is() {
        let (head, body) = Packed::new(&b"{}"[..]).answer(&asks("br"));
        assert!(head.is_empty());
        assert_eq!(body, &b"{}"[..]);
    }
}
