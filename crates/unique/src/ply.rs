//! The counts of a ply, and the expected number of its positions that share a key by chance.

use crate::set::Summary;
use std::time::Duration;

/// Counts of one ply. The default is a ply of which nothing has been counted yet.
#[derive(Clone, Copy, Default, Debug)]
#[cfg_attr(feature = "spill", derive(serde::Serialize, serde::Deserialize))]
pub struct Ply {
    /// Number of the ply, which is 0 for the root.
    pub ply: u32,
    /// Summary of the ply's positions. Its total is the ply's perft.
    pub positions: Summary,
    /// Summary of the ply's diagrams, if they were requested.
    pub diagrams: Option<Summary>,
    /// Number of positions expected to be lost by key collisions, if the ply is counted by key.
    pub expected_lost: Option<f64>,
    /// Number of moves made, which is the number of legal moves in all positions of the previous ply.
    pub made: u64,
    /// Number of passes in which the ply's positions were counted.
    pub passes: u32,
    /// Number of passes restarted because there were more positions than expected.
    pub restarts: u32,
    /// Highest fill ratio of the tables, from 0 to 1.
    pub load: f64,
    /// Maximum number of bytes that the ply's tables and the frontiers take up in memory at the same time.
    pub bytes: usize,
    /// Wall time.
    pub time: Duration,
}

/// Returns how many of `distinct` positions are expected to share their key with an earlier position, if keys of `bits`
/// bits are drawn at random: n - 2^b (1 - (1 - 2^-b)^n).
pub fn expected_lost(distinct: u64, bits: u32) -> f64 {
    let (n, keys) = (distinct as f64, 2_f64.powi(bits as i32));
    if n < keys * 1e-3 {
        // The closed form's terms almost cancel out here, so the series is used: pairs minus triples, and so on.
        let pairs = n * (n - 1.0).max(0.0) / 2.0 / keys;
        let triples = pairs * (n - 2.0).max(0.0) / 3.0 / keys;
        return pairs - triples + triples * (n - 3.0).max(0.0) / 4.0 / keys;
    }
    n + keys * (n * (-1.0 / keys).ln_1p()).exp_m1()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expected_losses_are_exact() {
        assert_eq!((expected_lost(0, 64), expected_lost(1, 64), expected_lost(1, 4)), (0.0, 0.0, 0.0));
        // Two random 4-bit keys are equal with probability 1/16. Three keys lose n - k (1 - (1 - 1/k)^n) with k = 16.
        assert!((expected_lost(2, 4) - 1.0 / 16.0).abs() < 1e-12);
        assert!((expected_lost(3, 4) - (3.0 - 16.0 * (1.0 - (15.0_f64 / 16.0).powi(3)))).abs() < 1e-12);
        assert!((expected_lost(9_417_681, 32) - 10_317.6).abs() < 0.05);
        assert!((expected_lost(9_417_681, 64) / 2.404e-6 - 1.0).abs() < 1e-3);
        assert!((expected_lost(9_417_681, 16) - (9_417_681.0 - 65_536.0)).abs() < 1e-6);
        // The series and the closed form agree at the point where one replaces the other.
        let around = [999_999, 1_000_001].map(|n| expected_lost(n, 30));
        assert!(around[0] < around[1] && around[1] / around[0] < 1.00001, "{around:?}");
    }
}
