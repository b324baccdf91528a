//! Measures the cost of recomputing a whole key, both in a batch and with the portable code for the same boards.
//!
//! The boards are those of the third ply. As in a walk, the children of one parent follow each other, with the parent
//! as the reference of the batch. Every key is compared with the key computed when the position was set up.

use super::make_unmake::Contestant;
use super::sampler::Clock;
use super::statistics::median;
use super::work_units::children;
use perft_gate_chess::Board;
use perft_gate_simd::{Level, Token, kernel};
use perft_gate_walk::{Game, Position};
use perft_gate_zobrist::{SchemeVisitor, Tracker};
use std::hint::black_box;

const PLIES: u32 = 3;
const FAMILIES: usize = 32;
const REPEATS: usize = 40;
const ROUNDS: usize = 21;

/// Times in nanoseconds per board.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Recompute {
    /// Time in a batch at the level, including the time to append the board.
    pub batch_ns: f64,
    /// Time with the portable recompute, one board at a time.
    pub scalar_ns: f64,
}

/// Times the full recompute of each scheme's keys at each level, on boards below `root`. A scheme without keys gets an
/// empty list.
///
/// Each round contains all schemes and levels, so a change in the machine's speed affects all of them. The results are
/// medians of the rounds. **Panics** if a key is wrong.
pub fn time_recomputes(
    contestants: &[Contestant],
    root: Board,
    levels: &[Level],
    clock: Clock<'_>,
) -> Vec<Vec<(Level, Recompute)>> {
    let families = families(root);
    let time = |contestant: &Contestant| -> Vec<Option<Recompute>> {
        levels.iter().map(|&level| contestant.visit(level, Timing { families: &families, level, clock })).collect()
    };
    let rounds: Vec<Vec<Vec<Option<Recompute>>>> =
        (0..ROUNDS).map(|_| contestants.iter().map(time).collect()).collect();
    let by_level = |contestant: usize| {
        let levels = levels.iter().enumerate().filter_map(|(number, &level)| {
            let all: Option<Vec<Recompute>> = rounds.iter().map(|round| round[contestant][number]).collect();
            let all = all?;
            let middle = |of: fn(&Recompute) -> f64| median(&all.iter().map(of).collect::<Vec<_>>());
            let (batch_ns, scalar_ns) = (middle(|one| one.batch_ns), middle(|one| one.scalar_ns));
            Some((level, Recompute { batch_ns, scalar_ns }))
        });
        levels.collect()
    };
    (0..contestants.len()).map(by_level).collect()
}

/// One round of a scheme at a level.
struct Timing<'a> {
    families: &'a [Vec<Board>],
    level: Level,
    clock: Clock<'a>,
}

impl SchemeVisitor for Timing<'_> {
    type Output = Option<Recompute>;
    fn visit<T: Tracker>(self, tracker: T) -> Option<Recompute> {
        let position = |&board: &Board| Position::new(board, tracker);
        let families: Vec<Vec<_>> = self.families.iter().map(|family| family.iter().map(position).collect()).collect();
        families[0][0].key()?;
        let time = |run: &dyn Fn(&[Position<T>]) -> u64| {
            let start = (self.clock)();
            let compared: u64 = families.iter().map(|family| black_box(run(family))).sum();
            ((self.clock)() - start).as_nanos() as f64 / compared as f64
        };
        let batch_ns = time(&|boards| append(self.level, boards));
        let scalar_ns = time(&|boards| {
            let repeated = std::iter::repeat_n(boards, REPEATS).flatten();
            let wrong = repeated.filter(|board| black_box(board).recompute() != board.key()).count();
            assert_eq!(wrong, 0, "wrong keys");
            (REPEATS * boards.len()) as u64
        });
        Some(Recompute { batch_ns, scalar_ns })
    }
}

/// Kernel that repeatedly appends a parent and its children to a batch, which compares them.
#[kernel(common_only = T::COMMON_ONLY)]
fn append<L: Token, T: Tracker>(level: L, positions: &[Position<T>]) -> u64 {
    let mut batch = positions[0].batch().expect("a scheme with a key");
    positions[0].set_reference(level, &mut batch);
    for _ in 0..REPEATS {
        for position in positions {
            let at = batch.place();
            let next = position.append(level, &mut batch, at);
            batch.advance(next);
            assert_eq!(batch.make_room(level), None, "a wrong key");
        }
        assert_eq!(batch.compare(level), None, "a wrong key");
    }
    batch.compared()
}

/// Returns parents spread over the second ply, each followed by its children.
fn families(root: Board) -> Vec<Vec<Board>> {
    let mut parents = vec![root];
    for _ in 1..PLIES {
        parents = parents.iter().flat_map(children).collect();
    }
    let step = (parents.len() / FAMILIES).max(1);
    let family = |parent: Board| std::iter::once(parent).chain(children(&parent)).collect();
    parents.into_iter().step_by(step).take(FAMILIES).map(family).collect()
}

#[cfg(test)]
mod tests {
    use perft_gate_chess::Fen;
    use perft_gate_lab::measure::{Contestant, time_recomputes};
    use perft_gate_simd::Level;
    use perft_gate_zobrist::preset;
    use std::time::Instant;

    #[test]
    fn a_scheme_without_a_key_has_none_to_recompute() {
        let contestants = ["none", "cpw793"].map(|name| Contestant::new(preset(name).unwrap().clone()));
        let board = Fen::parse(Fen::START).unwrap();
        let timed = time_recomputes(&contestants, board, &[Level::detect()], &Instant::now);
        assert!(timed[0].is_empty());
        let found = timed[1][0].1;
        assert!(found.batch_ns > 0.1 && found.scalar_ns > 0.1, "{found:?}");
    }
}
