//! Positions with known perft counts, as the text of EPD lists: `FEN ;id NAME ;D1 20 ;D2 400 …`, one position per line.
//! A line that begins with `#` is a comment.
#![no_std]
#![forbid(unsafe_code)]

/// The classic positions to depth 6, and positions for every special rule.
pub const STANDARD: &str = include_str!("standard.epd");

/// A few positions that reveal every fault in our catalogue of engine bugs within seconds.
pub const QUICK: &str = include_str!("quick.epd");

/// Castling in Chess960.
pub const CHESS960: &str = include_str!("chess960.epd");

/// Double Chess960: start arrays that differ for White and Black, and positions from play.
pub const DFRC: &str = include_str!("dfrc.epd");

/// Small positions in which two rules meet, such as castling next to the enemy king.
pub const INTERACTIONS: &str = include_str!("interactions.epd");
