//! How often someone may do something.

use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv6Addr};
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

/// One bucket for each address or person that asks.
pub struct Limit<K> {
    holds: f64,
    a_second: f64,
    buckets: Mutex<BTreeMap<K, Bucket>>,
}

/// The network that an address stands for: whoever has one address of the newer kind has billions beside it.
pub fn network(ip: IpAddr) -> IpAddr {
    match ip.to_canonical() {
        IpAddr::V6(six) => IpAddr::V6(Ipv6Addr::from(u128::from(six) >> 64 << 64)),
        four => four,
    }
}

impl<K: Ord> Limit<K> {
    /// So many at once, then so many a second.
    pub fn new(holds: f64, a_second: f64) -> Limit<K> {
        Limit { holds, a_second, buckets: Mutex::new(BTreeMap::new()) }
    }

    /// Whether this one may act once more.
    pub fn allow(&self, from: K) -> bool {
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

    #[test]
    fn the_addresses_of_one_network_count_as_one() {
        let at = |a: &str| network(a.parse().unwrap());
        assert_eq!(at("2001:db8::1"), at("2001:db8::ffff:2"));
        assert_ne!(at("2001:db8::1"), at("2001:db8:0:1::1"));
        assert_ne!(at("10.0.0.1"), at("10.0.0.2"));
        assert_eq!(at("::ffff:10.0.0.1"), at("10.0.0.1"));
    }
}
