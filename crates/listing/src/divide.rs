//! Output of `perft divide`: another engine's listing compared with ours, as text and as `perft.divide/1`.

use crate::answer::Listing;
use crate::comparison::SubtotalDifference;
use crate::pasted::{PastedListing, WrongSubtotal};
use perft_gate_chess::{Board, EnPassantPolicy, Fen, Move};
use perft_gate_walk::board_after;
use serde::Serialize;

pub const SCHEMA: &str = "perft.divide/1";

/// Result of a run of `perft divide`.
#[perft_gate_chess::document(nonnegative, Serialize, Clone, Debug)]
pub struct DivideDocument {
    /// FEN of the root.
    pub fen: String,
    /// Number of plies.
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 64)))]
    pub depth: u32,
    /// Root moves in the order of their names.
    pub moves: Vec<RootCount>,
    /// Number of leaves.
    pub nodes: u128,
    /// Wall time.
    pub seconds: f64,
    /// Comparison with a listing, if one was given.
    pub comparison: Option<PastedListing>,
}

/// A root move and the leaves below it.
#[perft_gate_chess::document(Serialize, Clone, Debug)]
pub struct RootCount {
    /// The move in UCI notation.
    #[serde(rename = "move")]
    pub mv: String,
    /// Number of leaves.
    pub nodes: u128,
}

impl DivideDocument {
    /// Returns the document for a count whose time was not measured.
    pub fn new(board: &Board, depth: u32, rows: &[(Move, u128)], comparison: Option<PastedListing>) -> DivideDocument {
        let moves = rows.iter().map(|(mv, nodes)| RootCount { mv: mv.uci().to_string(), nodes: *nodes }).collect();
        let nodes = rows.iter().map(|(_, nodes)| nodes).sum();
        DivideDocument { fen: board.to_string(), depth, moves, nodes, seconds: 0.0, comparison }
    }
}

/// The perft to ask the engine for next. Its root is the position after the first move whose leaf count is wrong.
#[derive(Clone, Debug, Serialize)]
pub struct NextStep {
    /// The move.
    #[serde(rename = "move")]
    pub mv: Move,
    /// The position after the move, as FEN.
    pub fen: String,
    /// Number of plies to count from `fen`.
    pub depth: u32,
}

impl NextStep {
    /// Returns the next step. There is none at depth 1, or if no subtotal differs, or if the moves themselves are
    /// wrong, which means that the error is in this position.
    pub fn find(listing: &PastedListing, board: &Board, depth: u32) -> Option<NextStep> {
        let is_below = depth > 1 && listing.missing.is_empty() && listing.extra.is_empty();
        let mv = listing.subtotals.first().filter(|_| is_below)?.difference.mv;
        let fen = Fen::write(&board_after(board, mv), EnPassantPolicy::Always);
        Some(NextStep { mv, fen, depth: depth - 1 })
    }
}

/// Describes the differences, with the rule behind each move, and the next step.
pub fn comparison(listing: &PastedListing, board: &Board, depth: u32, moves: usize) -> String {
    let mut lines = differences(listing);
    lines.extend(remarks(listing, board, moves));
    if let Some(NextStep { mv, fen, depth }) = NextStep::find(listing, board, depth) {
        lines.push(format!("next step: run the engine's perft after {}, and compare again", mv.uci()));
        lines.push(format!("  position fen {fen}\n  go perft {depth}"));
        lines.push(format!("  perft divide --fen '{fen}' --depth {depth} --compare -"));
    }
    lines.push(if listing.is_same { "the listing is right\n" } else { "the listing is WRONG\n" }.into());
    lines.join("\n")
}

/// Returns one line for each move or sum that differs, and one for the cause if it is known.
fn differences(listing: &PastedListing) -> Vec<String> {
    let PastedListing { missing, extra, subtotals, expected, found, .. } = listing;
    let listed = missing.iter().map(|mv| ("missing", mv)).chain(extra.iter().map(|mv| (mv.fault(), mv)));
    let mut lines: Vec<_> = listed.map(|(what, mv)| format!("{what:<9} {}: {}", mv.text, mv.rule)).collect();
    for WrongSubtotal { difference: SubtotalDifference { mv, expected, found }, rule } in subtotals {
        lines.push(format!("below     {}: {rule}: expected {expected}, found {found}", mv.uci()));
    }
    if listing.is_sum_over_plies {
        let what = "every count is the sum over all plies: perft counts only the leaves of the last ply";
        lines.push(format!("perhaps   {what}"));
    }
    let other = listing.other_sum;
    lines.extend(other.map(|sum| format!("sum       the listed moves add up to {sum}, the printed total is {found}")));
    if found != expected {
        lines.push(format!("total     expected {expected}, found {found}"));
    }
    lines.extend(listing.cause.as_ref().map(|cause| format!("perhaps   {cause}")));
    lines
}

/// Returns remarks on any part of the listing that was read in a way that may surprise the user.
fn remarks(listing: &PastedListing, board: &Board, moves: usize) -> Vec<String> {
    let mut lines = Vec::new();
    if listing.compared == Listing::Total {
        let seen = listing.not_understood.as_ref().map_or(String::new(), |line| format!("; not read: '{line}'"));
        lines.push(format!("moves: none recognised, so only the total was compared{seen}"));
    }
    if moves > 1 && listing.missing.len() + listing.subtotals.len() == moves {
        lines.push("no move is right: is this another depth or position?".into());
    }
    if listing.as_sets {
        let reading = "some moves are listed ambiguously, such as promotions without the piece: compared as sets";
        lines.push(reading.into());
    }
    if board.is_chess960() {
        let rooks: Vec<String> = board.castling_rooks().into_iter().map(|rook| rook.to_string()).collect();
        let reading = "castling rights read as Chess960: a king or rook with rights is off its standard square";
        lines.push(format!("{reading}; castling rooks: {}", rooks.join(", ")));
    }
    lines
}
