//! The questions that the page can ask. Each answer is the JSON of a result, or `{"error": "…"}`.

use crate::keys::{KeyAudit, KeyDifference, KeyMatches};
use crate::position::PastedPosition;
use perft_gate_chess::Board;
use perft_gate_chess::json::Envelope;
use perft_gate_count::TreeCounter;
use perft_gate_listing::PastedListing;
use perft_gate_listing::divide::{self, DivideDocument, NextStep};
use perft_gate_listing::position_text::parse_tolerant;
use perft_gate_simd::Level;
use perft_gate_walk::{Control, MAX_DEPTH, Statistics, classify};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// A question of the page.
#[derive(Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Question {
    /// The positions offered on the page, as EPD.
    Suite,
    /// What is this position?
    Position(String),
    /// Number of leaves of a position at a given depth.
    Leaves(String, u32),
    /// Number of leaves for each root move, optionally compared with a listing.
    Divide(String, u32, Option<String>),
    /// Counts of the moves that lead to the last ply, by kind.
    Statistics(String, u32),
    /// In which schemes does a position have this key?
    Key(String, String),
    /// How do two positions and their keys differ?
    Keys([String; 2], [String; 2]),
    /// Is this key table sound?
    Audit(String),
}

/// The answer to a question about the number of leaves for each root move.
#[derive(Serialize)]
struct Divided {
    /// The bytes that `perft divide --json` writes, without the time.
    document: String,
    /// What `perft divide --compare` prints.
    text: String,
    next: Option<NextStep>,
}

/// The number of nodes in the last ply, and the counts by kind of the moves that lead to them.
#[derive(Serialize)]
struct Classified {
    nodes: String,
    #[serde(flatten)]
    kinds: Statistics,
}

/// Answers a question.
pub fn answer(question: &str) -> String {
    let read = serde_json::from_str(question).map_err(|error| error.to_string());
    read.and_then(find_answer).unwrap_or_else(|error| json(HashMap::from([("error", error)])))
}

fn find_answer(question: Question) -> Result<String, String> {
    Ok(match question {
        Question::Suite => json(perft_suites::STANDARD),
        Question::Position(text) => json(PastedPosition::read(&text)?),
        Question::Leaves(position, depth) => {
            let board = tree(&position, depth)?;
            json(TreeCounter::new(Level::detect()).nodes(&board, depth, &Control::default()).to_string())
        }
        Question::Divide(position, depth, listing) => json(divide(&tree(&position, depth)?, depth, listing)?),
        Question::Statistics(position, depth) => {
            let (_, kinds) = classify(&tree(&position, depth)?, depth, Level::detect(), &Control::default());
            json(Classified { nodes: kinds.nodes.to_string(), kinds })
        }
        Question::Key(position, key) => json(KeyMatches::find(&board(&position)?, &key)?),
        Question::Keys([one, other], keys) => json(KeyDifference::find([board(&one)?, board(&other)?], &keys)?),
        Question::Audit(table) => json(KeyAudit::run(&table)?),
    })
}

fn json(answer: impl Serialize) -> String {
    serde_json::to_string(&answer).expect("strings and numbers")
}

fn board(text: &str) -> Result<Board, String> {
    parse_tolerant(text, &[]).map(|(board, _)| board).map_err(|error| error.to_string())
}

fn tree(position: &str, depth: u32) -> Result<Board, String> {
    match depth {
        1..=MAX_DEPTH => board(position),
        _ => Err(format!("depth: found {depth}, expected 1 to {MAX_DEPTH}")),
    }
}

fn divide(board: &Board, depth: u32, listing: Option<String>) -> Result<Divided, String> {
    let rows = TreeCounter::new(Level::detect()).divide(board, depth, &Control::default());
    let compare = |listing: String| PastedListing::compare(&listing.replace('\0', ""), board, depth, &rows);
    let compared = listing.map(compare).transpose().map_err(|error| error.to_string())?;
    let text = compared.as_ref().map(|listing| divide::comparison(listing, board, depth, rows.len()));
    let next = compared.as_ref().and_then(|listing| NextStep::find(listing, board, depth));
    let document = Envelope::new(divide::SCHEMA, DivideDocument::new(board, depth, &rows, compared));
    let document = serde_json::to_string_pretty(&document).expect("strings and numbers") + "\n";
    Ok(Divided { document, text: text.unwrap_or_default(), next })
}
