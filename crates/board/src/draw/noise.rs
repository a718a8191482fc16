//! Irregularity that is the same on every machine.

/// A number from -1 to 1 that depends on three whole numbers and nothing else.
pub(super) fn noise(a: i64, b: i64, salt: u64) -> f64 {
    let mut z = (a as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15)
        ^ (b as u64).wrapping_mul(0xC2B2_AE3D_27D4_EB4F)
        ^ salt.wrapping_mul(0x1656_67B1_9E37_79F9);
    // The finaliser of SplitMix64.
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^= z >> 31;
    (z >> 11) as f64 / (1u64 << 52) as f64 - 1.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn noise_stays_within_bounds_and_has_no_lean() {
        let all: Vec<f64> = (0..10_000).map(|i| noise(i, i * 7, 3)).collect();
        assert!(all.iter().all(|n| (-1.0..=1.0).contains(n)));
        assert!((all.iter().sum::<f64>() / 10_000.0).abs() < 0.03);
    }
}
