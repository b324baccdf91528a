//! Positions by name. Each is written only once.

use perft_gate_chess::Fen;

pub const START: &str = Fen::START;

// Positions of "Perft Results" in the Chess Programming Wiki.
pub const KIWIPETE: &str = Fen::KIWIPETE;
pub const POSITION_3: &str = "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1";
pub const POSITION_4: &str = "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1";
pub const POSITION_5: &str = "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8";
pub const POSITION_6: &str = "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10";

/// Two kings on their home squares, with perft counts 5 and 25.
pub const KINGS: &str = "4k3/8/8/8/8/8/8/4K3 w - - 0 1";
/// A pawn that may advance two squares.
pub const DOUBLE_PUSH: &str = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
/// A pawn that may promote to four pieces.
pub const PROMOTES: &str = "4k3/1P6/8/8/8/8/K7/8 w - - 0 1";
/// A knight and a pawn of each color.
pub const KNIGHTS: &str = "4k3/8/2n5/8/3p4/5N2/4P3/4K3 w - - 0 1";
/// A pawn that may take a knight.
pub const KNIGHT: &str = "4k3/8/8/3n4/4P3/8/8/4K3 w - - 0 1";

/// Kings and rooks with all castling rights.
pub const CORNERS: &str = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
/// Kings and rooks with half the castling rights, and Black to move.
pub const HALF_RIGHTS: &str = "r3k2r/8/8/8/8/8/8/R3K2R b Kq - 0 1";
/// Bishops that can capture the other side's rooks.
pub const ROOKS: &str = "r3k2r/8/8/3B4/4b3/8/8/R3K2R w KQkq - 0 1";
/// Two rooks on the king's side. Only the inner one may castle.
pub const TWO_ROOKS: &str = "1k2r2r/4p2p/8/8/8/8/4P2P/1K2R2R w Ee - 0 1";
/// Chess960: a castling rook on a non-standard file.
pub const CHESS960_ROOK: &str = "4k3/8/8/8/8/8/8/4K1R1 w G - 0 1";

/// A pawn that two others may capture en passant.
pub const EN_PASSANT: &str = "4k3/8/8/2PpP3/8/8/8/4K3 w - d6 0 1";
/// An en passant capture in the opening: 1. e4 d5 2. e5 f5.
pub const EN_PASSANT_OPENING: &str = "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3";
/// An en passant capture that would expose the king to a rook on its rank.
pub const EN_PASSANT_PINNED: &str = "8/8/8/K1pP3r/8/8/8/4k3 w - c6 0 1";
