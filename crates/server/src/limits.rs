//! How often someone may do something.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::Mutex;
use std::time::Instant;

/// A bucket that fills at a steady rate; each act takes one drop.
#[derive(Clone, Copy, Debug)]
pub struct Bucket {
    drops: f64,
    holds: f64,
    a_second: f64,
    at: Instant,
}

impl Bucket {
    /// A full bucket.
    pub fn new(holds: f64, a_second: f64) -> Bucket {
        Bucket { drops: holds, holds, a_second, at: Instant::now() }
    }

    /// Takes a drop, if there is one.
    pub fn take(&mut self) -> bool {
        let now = Instant::now();
        self.drops = (self.drops + now.duration_since(self.at).as_secs_f64() * self.a_second).min(self.holds);
        self.at = now;
        if self.drops < 1.0 {
            return false;
        }
        self.drops -= 1.0;
        true
    }

    fn full(&self) -> bool {
        self.drops + self.at.elapsed().as_secs_f64() * self.a_second >= self.holds
    }
}

/// One bucket for each address that asks.
pub struct Limit {
    holds: f64,
    a_second: f64,
    buckets: Mutex<BTreeMap<IpAddr, Bucket>>,
}

impl Limit {
    /// So many at once, then so many a second.
    pub fn new(holds: f64, a_second: f64) -> Limit {
        Limit { holds, a_second, buckets: Mutex::new(BTreeMap::new()) }
    }

    /// Whether this address may act once more.
    pub fn allow(&self, from: IpAddr) -> bool {
        let mut buckets = self.buckets.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if buckets.len() > 10_000 {
            buckets.retain(|_, b| !b.full());
        }
        buckets.entry(from).or_insert_with(|| Bucket::new(self.holds, self.a_second)).take()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_that_asks_too_often_is_refused_and_others_are_not() {
        let limit = Limit::new(3.0, 0.001);
        let (a, b) = (IpAddr::from([10, 0, 0, 1]), IpAddr::from([10, 0, 0, 2]));
        assert_eq!((0..5).filter(|_| limit.allow(a)).count(), 3);
        assert!(limit.allow(b));
    }
}
