//! Output of `perft divide`: the comparison of another engine's listing with ours as text, and `perft.divide/1`.

use crate::text::line;
use perft_gate_chess::{Board, EnPassantPolicy, Fen};
use perft_gate_engine::{Listing, PastedListing, SubtotalDifference, WrongSubtotal};
use perft_gate_walk::board_after;
use serde::Serialize;

pub const SCHEMA: &str = "perft.divide/1";

/// Result of a run of `perft divide`.
#[perft_gate_chess::document(Serialize, Clone, Debug)]
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
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
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

/// Describes the differences, with the rule behind each move, and the next step.
pub fn comparison(listing: &PastedListing, board: &Board, depth: u32, moves: usize) -> String {
    let mut out = String::new();
    write_differences(&mut out, listing);
    write_remarks(&mut out, listing, board, moves);
    // If the moves themselves are wrong, the error is here.
    let is_below = depth > 1 && listing.missing.is_empty() && listing.extra.is_empty();
    if let (Some(wrong), true) = (listing.subtotals.first(), is_below) {
        let (fen, left) = (Fen::write(&board_after(board, wrong.difference.mv), EnPassantPolicy::Always), depth - 1);
        line(
            &mut out,
            0,
            &format!("next step: run the engine's perft after {}, and compare again", wrong.difference.mv.uci()),
        );
        line(&mut out, 1, &format!("position fen {fen}"));
        line(&mut out, 1, &format!("go perft {left}"));
        line(&mut out, 1, &format!("perft divide --fen '{fen}' --depth {left} --compare -"));
    }
    line(&mut out, 0, if listing.is_same { "the listing is right" } else { "the listing is WRONG" });
    out
}

/// Writes the moves and sums that differ, and the cause if known.
fn write_differences(out: &mut String, listing: &PastedListing) {
    let PastedListing { missing, extra, subtotals, expected, found, .. } = listing;
    let listed = missing.iter().map(|mv| ("missing", mv)).chain(extra.iter().map(|mv| (mv.fault(), mv)));
    listed.for_each(|(what, mv)| line(out, 0, &format!("{what:<9} {}: {}", mv.text, mv.rule)));
    for WrongSubtotal { difference: SubtotalDifference { mv, expected, found }, rule } in subtotals {
        line(out, 0, &format!("{:<9} {}: {rule}: expected {expected}, found {found}", "below", mv.uci()));
    }
    if listing.is_sum_over_plies {
        let what = "every count is the sum over all plies: perft counts only the leaves of the last ply";
        line(out, 0, &format!("{:<9} {what}", "perhaps"));
    }
    if let Some(sum) = listing.other_sum {
        line(out, 0, &format!("{:<9} the listed moves add up to {sum}, the printed total is {found}", "sum"));
    }
    if found != expected {
        line(out, 0, &format!("{:<9} expected {expected}, found {found}", "total"));
    }
    if let Some(cause) = &listing.cause {
        line(out, 0, &format!("{:<9} {cause}", "perhaps"));
    }
}

/// Writes remarks on how the listing was read, if that may surprise.
fn write_remarks(out: &mut String, listing: &PastedListing, board: &Board, moves: usize) {
    if listing.compared == Listing::Total {
        let seen = listing.not_understood.as_ref().map_or(String::new(), |line| format!("; not read: '{line}'"));
        line(out, 0, &format!("moves: none read, so only the total was compared{seen}"));
    }
    if moves > 1 && listing.missing.len() + listing.subtotals.len() == moves {
        line(out, 0, "no move is right: is this another depth or position?");
    }
    if listing.as_sets {
        let reading = "some moves are listed ambiguously, such as promotions without the piece: compared as sets";
        line(out, 0, reading);
    }
    if board.is_chess960() {
        let rooks: Vec<String> = board.castling_rooks().into_iter().map(|rook| rook.to_string()).collect();
        let reading = "castling rights read as Chess960: a king or rook with rights is off its standard square";
        line(out, 0, &format!("{reading}; rooks: {}", rooks.join(", ")));
    }
}
