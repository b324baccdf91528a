//! Forecasts the positions, passes, disk space and time of the remaining plies from the counted ones.
//!
//! Two ratios determine the next ply: the number of moves per position, and the share of the children that are
//! distinct. Both ratios change slowly and steadily, but differently for White and Black. So each ratio is extrapolated
//! from the last two plies with the same side to move, and its change is reduced. For the start position, the plies up
//! to 6 predict ply 9 to within 10 %.

use crate::ply::Ply;
use std::time::Duration;

/// A ply that is not yet counted.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Forecast {
    pub ply: u32,
    /// Number of moves that lead to the ply.
    pub made: f64,
    pub distinct: f64,
    pub perft: f64,
    pub passes: u32,
    /// Number of bytes that the ply's positions take on disk, if they are kept.
    pub disk: f64,
    pub time: Duration,
}

/// A forecast is made only if at least this number of moves led to the last counted ply. With fewer moves, the ply's
/// ratios and time predict little.
const ENOUGH: u64 = 10_000_000;

/// Time to make only a child's key, as a fraction of the time for the whole child.
const KEY_COST: f64 = 0.4;

/// Exponent that damps the change of a ratio. It was fitted to plies 3 to 8 of the start position.
const FADING: f64 = 0.75;

/// Extrapolates a series of ratios, oldest first, by one ply.
fn continue_ratios(ratios: &[f64]) -> f64 {
    let back = |plies: usize| ratios.len().checked_sub(plies).map(|at| ratios[at]).filter(|ratio| *ratio > 0.0);
    match (back(2), back(4), back(1)) {
        (Some(same_side), Some(before), _) => same_side * (same_side / before).clamp(0.5, 2.0).powf(FADING),
        (_, _, last) => last.unwrap_or(1.0),
    }
}

/// Returns forecasts of the plies that follow `plies`, up to `depth`, or none if too few moves led to the last counted
/// ply. `moves` is the number of legal moves in all positions of that ply. `keys` is true if the ply at `depth` is
/// counted by key. `passes` computes the number of passes for a ply from its numbers of moves, distinct positions and
/// leaves, and from whether it is the last ply.
pub(crate) fn forecast(
    plies: &[Ply],
    moves: u64,
    depth: u32,
    keys: bool,
    passes: impl Fn([f64; 3], bool) -> u32,
) -> Vec<Forecast> {
    let ratio = |of: fn(&Ply, &Ply) -> f64| plies.windows(2).map(|pair| of(&pair[0], &pair[1])).collect::<Vec<_>>();
    let mut shares = ratio(|_, ply| ply.positions.distinct as f64 / ply.made.max(1) as f64);
    let mut branching = ratio(|before, ply| ply.made as f64 / before.positions.distinct.max(1) as f64);
    let Some(last) = plies.last().filter(|last| last.made >= ENOUGH) else { return Vec::new() };
    // If there is one pass, making children takes half of its time, and adding them to a table takes the other half.
    // With more passes, each pass makes all children, but adds only some.
    let work = |passes: u32| f64::from(passes + 1) / 2.0;
    let per_child = last.time.as_secs_f64() / (last.made.max(1) as f64 * work(last.passes));
    let cost = |is_last: bool| per_child * if keys && is_last { KEY_COST } else { 1.0 };
    let (mut made, mut perft) = (moves as f64, last.positions.total as f64);
    let mut before = last.positions.distinct as f64;
    let mut found = Vec::new();
    for ply in plies.len() as u32..=depth {
        if ply as usize > plies.len() {
            made = before * continue_ratios(&branching);
        }
        branching.push(made / before.max(1.0));
        let share = continue_ratios(&shares).min(1.0);
        shares.push(share);
        let distinct = made * share;
        perft *= made / before.max(1.0);
        let passes = passes([made, distinct, perft], ply == depth);
        let time = Duration::try_from_secs_f64(made * cost(ply == depth) * work(passes)).unwrap_or(Duration::MAX);
        let disk = if ply == depth { 0.0 } else { bytes_on_disk(distinct, perft) };
        found.push(Forecast { ply, made, distinct, perft, passes, disk, time });
        before = distinct;
    }
    found
}

/// Estimates the bytes that `positions` positions take on disk if their multiplicities add up to `perft`.
pub(crate) fn bytes_on_disk(positions: f64, perft: f64) -> f64 {
    let mean = (perft / positions.max(1.0)).max(1.0);
    // Each byte holds seven bits of a multiplicity. Few multiplicities are much larger than the mean.
    positions * (24.0 + 1.0 + mean.log2() / 7.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::set::Summary;

    /// For each ply of the start position: distinct positions, moves that lead to them, and leaves.
    const PLIES: [(u64, u64, u128); 9] = [
        (1, 0, 1),
        (20, 20, 20),
        (400, 400, 400),
        (5362, 8902, 8902),
        (72_078, 120_784, 197_281),
        (822_518, 1_797_389, 4_865_609),
        (9_417_681, 20_197_183, 119_060_324),
        (96_400_068, 256_980_107, 3_195_901_860),
        (988_187_354, 2_581_680_661, 84_998_978_956),
    ];

    fn rows(number: usize) -> Vec<Ply> {
        let row = |(ply, &(distinct, made, total)): (usize, &(u64, u64, u128))| Ply {
            ply: ply as u32,
            positions: Summary { distinct, total, ..Summary::default() },
            made,
            passes: 1,
            time: Duration::from_nanos(10 * made),
            ..Ply::default()
        };
        PLIES.iter().take(number).enumerate().map(row).collect()
    }

    #[test]
    fn the_start_position_is_foreseen() {
        for (known, moves) in [(7, 256_980_107), (8, 2_581_680_661)] {
            let found = forecast(&rows(known), moves, 9, false, |_, is_last| if is_last { 8 } else { 3 });
            assert_eq!(found.iter().map(|ply| ply.ply).collect::<Vec<_>>(), (known as u32..=9).collect::<Vec<_>>());
            for ply in &found[..found.len() - 1] {
                let (distinct, made, total) = PLIES[ply.ply as usize];
                for (found, expected) in
                    [(ply.distinct, distinct as f64), (ply.made, made as f64), (ply.perft, total as f64)]
                {
                    assert!((found / expected - 1.0).abs() < 0.1, "{ply:?}: {found}, {expected}");
                }
                assert!((24.0..28.0).contains(&(ply.disk / ply.distinct)), "{ply:?}");
            }
            let ninth = found.last().unwrap();
            assert!((ninth.distinct / 9_183_421_888.0 - 1.0).abs() < 0.1, "{ninth:?}");
            assert_eq!((ninth.passes, ninth.disk), (8, 0.0));
            // A child takes 10 ns if there is one pass, and 45 ns in all if there are eight.
            assert!((ninth.time.as_secs_f64() / (ninth.made * 45e-9) - 1.0).abs() < 1e-6, "{ninth:?}");
        }
    }

    #[test]
    fn few_plies_and_ended_games_are_no_trouble() {
        for known in 0..6 {
            assert_eq!(forecast(&rows(known), 20, 6, false, |_, _| 1), []);
        }
        assert!(forecast(&rows(7), 0, 9, false, |_, _| 1).iter().all(|ply| ply.distinct == 0.0));
    }
}
