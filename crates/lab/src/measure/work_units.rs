//! Splits the game trees of a timed pass into parts that take about a millisecond each.
//!
//! The timed schemes alternate after each part, so changes in the machine's speed every few milliseconds affect all
//! schemes equally. But parts can be too short. After a switch, a scheme with its own code needs 2 to 5 µs to refill
//! caches and predictors. A scheme that shares its code with the previous one needs no time for that. For parts of
//! 0.1 ms, that was up to 5 % of the time. So parts are longer, and each has an untimed warm-up.

use perft_gate_chess::{Board, legal_moves};
use perft_gate_simd::Level;
use perft_gate_walk::{Control, board_after};
use std::ops::Range;

/// Approximate number of nodes per part, if trees can be cut that small, in walks that take about 10 ns per node.
pub(super) const USUAL_PART: u64 = 100_000;
/// Approximate number of nodes per part in walks that wait for the memory of a transposition table.
pub(super) const PART_BESIDE_TABLE: u64 = 10_000;
/// A tree is not cut if its size is at most the part's size divided by this.
const WHOLE_TREES: u64 = 10;
/// The warm-up of a part needs at least as many nodes as the part's size divided by this.
const LEADS: u64 = 5;

const CUT_PLIES: u32 = 2;

#[derive(Clone, Copy, Debug)]
pub(super) struct TimedTree {
    pub root: Board,
    pub depth: u32,
    pub nodes: u64,
}

/// Returns the trees below `roots`, part by part, and the range of the trees of each part.
///
/// Trees are dealt to the parts like cards, so that each part has some trees of every position. The nodes between a
/// root and these trees, fewer than one in a hundred, are in no part.
pub(super) fn parts(roots: &[(Board, u32)], level: Level, size: u64) -> (Vec<TimedTree>, Vec<Range<usize>>) {
    let cut = |&(root, depth): &(Board, u32)| cut((root, depth), CUT_PLIES, level, size).1;
    let trees: Vec<TimedTree> = roots.iter().flat_map(cut).collect();
    let nodes: u64 = trees.iter().map(|tree| tree.nodes).sum();
    let number = (nodes.div_ceil(size) as usize).clamp(1, trees.len());
    let (mut dealt, mut parts) = (Vec::new(), Vec::new());
    for part in 0..number {
        let start = dealt.len();
        dealt.extend(trees.iter().skip(part).step_by(number));
        parts.push(start..dealt.len());
    }
    (dealt, parts)
}

/// Returns the last trees of `before` that together have enough nodes for a warm-up. Stops before a tree larger than a
/// part, because the cold start of such trees is negligible and a warm-up of that size would double the time.
pub(super) fn lead(before: &[TimedTree], size: u64) -> &[TimedTree] {
    let mut nodes = 0;
    let leads = |tree: &&TimedTree| {
        let leads = nodes < size / LEADS && tree.nodes <= size;
        nodes += tree.nodes;
        leads
    };
    let number = before.iter().rev().take_while(leads).count();
    &before[before.len() - number..]
}

/// Returns the number of nodes of a tree, counted without keys, and the trees that it is cut into.
fn cut((root, depth): (Board, u32), plies: u32, level: Level, size: u64) -> (u64, Vec<TimedTree>) {
    let whole = |nodes| (nodes, vec![TimedTree { root, depth, nodes }]);
    if depth == 0 || plies == 0 {
        return whole(perft_gate_count::count(&root, depth, level, &Control::default()).total() as u64);
    }
    let below = children(&root).into_iter().map(|child| cut((child, depth - 1), plies - 1, level, size));
    let (counts, trees): (Vec<u64>, Vec<Vec<TimedTree>>) = below.unzip();
    let nodes = 1 + counts.iter().sum::<u64>();
    if nodes <= size / WHOLE_TREES { whole(nodes) } else { (nodes, trees.concat()) }
}

/// Returns the board after each legal move. The same code makes the moves, without a key, in every measurement.
pub(super) fn children(board: &Board) -> Vec<Board> {
    legal_moves(board).iter().map(|&mv| board_after(board, mv)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use perft_gate_chess::Fen;

    #[test]
    fn what_is_cut_has_the_nodes_of_the_whole_but_those_above() {
        let root = Fen::parse(Fen::KIWIPETE).unwrap();
        let (nodes, trees) = cut((root, 3), CUT_PLIES, Level::detect(), USUAL_PART);
        assert_eq!(nodes, 1 + 48 + 2039 + 97862);
        assert_eq!((trees.len(), trees.iter().map(|tree| tree.nodes).sum()), (48, nodes - 1));
        assert!(trees.iter().all(|tree| tree.depth == 2 && tree.nodes <= USUAL_PART / WHOLE_TREES));
        let (nodes, trees) = cut((root, 4), CUT_PLIES, Level::detect(), USUAL_PART);
        assert_eq!((nodes, trees.len()), (1 + 48 + 2039 + 97862 + 4085603, 2039));
        assert_eq!(trees.iter().map(|tree| tree.nodes).sum::<u64>(), nodes - 1 - 48);
        // A small tree is left whole.
        let (nodes, trees) = cut((Fen::parse(Fen::START).unwrap(), 3), CUT_PLIES, Level::detect(), USUAL_PART);
        assert_eq!((nodes, trees.len()), (1 + 20 + 400 + 8902, 1));
    }

    #[test]
    fn each_tree_is_in_one_part_and_parts_are_much_the_same() {
        let roots = [(Fen::parse(Fen::KIWIPETE).unwrap(), 4), (Fen::parse(Fen::START).unwrap(), 4)];
        let part = USUAL_PART;
        let (trees, parts) = parts(&roots, Level::detect(), USUAL_PART);
        assert!(parts.windows(2).all(|pair| pair[0].end == pair[1].start));
        assert_eq!((parts[0].start, parts.last().unwrap().end), (0, trees.len()));
        let sizes: Vec<u64> =
            parts.iter().map(|part| trees[part.clone()].iter().map(|tree| tree.nodes).sum()).collect();
        // From the start position, only some of the twenty children are cut into smaller trees.
        let above_cuts = 2039 + 97862 + 4085603 + 20 + 400 + 8902 + 197281 - sizes.iter().sum::<u64>();
        assert!((1..20).contains(&above_cuts), "{above_cuts}");
        let dealt: Vec<usize> = parts.iter().map(|part| part.len()).collect();
        assert!(dealt.iter().max().unwrap() - dealt.iter().min().unwrap() <= 1, "{dealt:?}");
        assert_eq!(parts.len() as u64, sizes.iter().sum::<u64>().div_ceil(part));
        // The trees differ in size, so the parts do too.
        assert!(sizes.iter().all(|size| (part * 3 / 4..part * 5 / 4).contains(size)), "{sizes:?}");
    }

    #[test]
    fn as_many_trees_lead_in_as_it_takes() {
        let root = Fen::parse(Fen::KIWIPETE).unwrap();
        let tree = |nodes| TimedTree { root, depth: 3, nodes };
        let (size, trees) = (USUAL_PART, |sizes: &[u64]| sizes.iter().map(|&nodes| tree(nodes)).collect::<Vec<_>>());
        let leads = |sizes: &[u64]| lead(&trees(sizes), size).len();
        assert_eq!(leads(&[9000, 9000, size / LEADS - 1, 1]), 2);
        assert_eq!(leads(&[9000, 9000, size / LEADS]), 1);
        assert_eq!(leads(&[9000, 100]), 2);
        assert_eq!(leads(&[size + 1]), 0);
    }
}
