//! Names and tokens that nobody can guess.

use crate::Fault;

/// Digits without those that look alike.
const DIGITS: &[u8; 32] = b"23456789abcdefghjkmnpqrstuvwxyz_";

/// A word of `digits` digits from the operating system's source of randomness, five bits each.
pub fn word(digits: usize) -> Result<String, Fault> {
    let mut bytes = vec![0; digits];
    getrandom::fill(&mut bytes)
        .map_err(|e| Fault::inside(format!("the system gives no random numbers: {e}")))?;
    Ok(bytes.iter().map(|b| char::from(DIGITS[usize::from(b % 32)])).collect())
}

/// The id of a match or a person: 60 bits.
pub fn id() -> Result<String, Fault> {
    word(12)
}

/// A token that opens something: 200 bits.
pub fn token() -> Result<String, Fault> {
    word(40)
}

/// Unix time in milliseconds.
pub fn now() -> i64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    since.map_or(0, |d| i64::try_from(d.as_millis()).unwrap_or(i64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_long_and_never_the_same() {
        let (a, b) = (token().unwrap(), token().unwrap());
        assert_eq!(a.len(), 40);
        assert_ne!(a, b);
    }
}
