//! The checks of a count: what is published of the position, and other ways of counting the last ply.

use super::args::UniqueArgs;
use super::resources::explained;
use crate::failure::CommandFailure;
use perft_gate_chess::Board;
use perft_gate_count::LeafCount;
use perft_gate_unique::published::{self, Published};
use perft_gate_unique::{BruteForce, Ply, UniqueOptions, leaves};
use perft_gate_walk::Control;

/// Maximum perft number that is compared with `count`, which takes seconds.
const MAX_COMPARED: u128 = 10_000_000_000;

/// Compares all plies with what is published about the position, and says so. Returns false if they disagree.
fn are_published(board: &Board, plies: &[Ply], options: &UniqueOptions<'_>) -> bool {
    // Keys that are expected to lose positions have other counts.
    let exact = |ply: &Ply| ply.expected_lost.is_none_or(|lost| lost < 1e-3).then_some(ply.positions.distinct.into());
    let diagrams = |ply: &Ply| ply.diagrams.map(|diagrams| diagrams.distinct.into());
    [
        are_the_same("distinct positions", published::distinct(board, options.policy), plies, exact),
        are_the_same("diagrams", published::diagrams(board), plies, diagrams),
        are_the_same("leaves", published::perft(board), plies, |ply| ply.positions.total),
    ]
    .into_iter()
    .all(|same| same)
}

fn are_the_same(
    what: &str,
    published: Option<Published>,
    plies: &[Ply],
    number: impl Fn(&Ply) -> Option<u128>,
) -> bool {
    let Some(Published { source, numbers }) = published else { return true };
    let pairs: Vec<_> =
        plies.iter().skip(1).zip(numbers).filter_map(|(ply, &n)| Some((ply.ply, number(ply)?, n))).collect();
    let wrong: Vec<_> = pairs.iter().filter(|(_, found, expected)| found != expected).collect();
    for (ply, found, expected) in &wrong {
        say!("ply {ply}: WRONG, found {found} {what}, published are {expected} ({source})");
    }
    if let (Some((last, ..)), true) = (pairs.last(), wrong.is_empty()) {
        say!("published numbers of {what} ({source}), plies 1 to {last}: the same: ok");
    }
    wrong.is_empty()
}

/// Compares the last ply with other ways of counting it. Returns true if they disagree.
///
/// **Errors**: a comparison cannot be made; none that was made before found a difference.
pub fn compared(
    board: &Board,
    plies: &[Ply],
    args: &UniqueArgs,
    options: &UniqueOptions<'_>,
    control: &Control,
) -> Result<bool, CommandFailure> {
    let last = plies.last().expect("the root's ply");
    let perft = last.positions.total.unwrap_or_default();
    let mut wrong = !are_published(board, plies, options);
    if perft <= MAX_COMPARED {
        let LeafCount { nodes, interrupted, .. } = perft_gate_count::leaves(board, last.ply, options.level, control);
        if interrupted {
            return Ok(wrong);
        }
        let verdict = if nodes == perft { "ok" } else { "WRONG" };
        say!("perft {perft}, by counting the tree {nodes}: {verdict}");
        wrong |= nodes != perft;
    } else {
        say!("perft {perft}: not compared with the tree, which is large; to compare: perft count --depth {}", last.ply);
    }
    if args.leaves {
        let literal = match leaves(board, last.ply, last.positions.distinct, options, control) {
            Ok(literal) => literal,
            Err(error) if wrong => {
                note!("error: every leaf put into a set: {}", explained(error));
                return Ok(true);
            }
            Err(error) => return Err(explained(error)),
        };
        let verdict = match literal {
            BruteForce::Interrupted => return Ok(wrong),
            BruteForce::Counted(summary) if summary == last.positions => "the same: ok".into(),
            BruteForce::Counted(summary) => format!("WRONG, found {summary:?}, expected {:?}", last.positions),
            BruteForce::MoreThanRoom => format!("WRONG, found more than the {} distinct ones", last.positions.distinct),
        };
        say!("every leaf put into a set: {verdict}");
        wrong |= literal != BruteForce::Counted(last.positions);
    }
    Ok(wrong)
}
