//! Answers questions from the page `web/` about perft, listings, positions and keys. One entry point takes a question
//! as JSON and returns the answer as JSON.

mod keys;
mod position;
mod question;

use question::answer;

perft_gate_simd::export_answer!(answer);
