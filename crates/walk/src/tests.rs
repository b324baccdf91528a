//! Tests that play games in order to check the chess and zobrist crates.

mod packed;
mod trackers;

use perft_gate_chess::Fen;

/// Start positions of random games that together cover every kind of move.
pub(crate) const STARTS: [&str; 19] = [
    Fen::START,
    Fen::KIWIPETE,
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    // Rooks that take rooks; pawns that take rooks and promote.
    "r3k2r/1P4P1/8/8/8/8/1p4p1/R3K2R w KQkq - 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1",
    // Chess960: king and rook on adjacent squares, swapping squares, or staying in place.
    "bqnbnrkr/pppppppp/8/8/8/8/PPPPPPPP/BQNBNRKR w HFhf - 0 1",
    "1rkr4/8/8/8/8/8/8/1RKR4 w DBdb - 0 1",
    "rk4r1/8/8/8/8/8/8/R4KR1 w GAga - 0 1",
    "2r2kr1/8/8/8/8/8/6P1/2R2RK1 b Cgc - 0 1",
    // Double pushes next to a pawn that is pinned (along a rank, file or diagonal) or whose capture answers a check;
    // next to two pawns, one of them pinned; and next to a pawn that has itself just made a double push.
    "8/8/8/8/k2p3R/8/4P3/4K3 w - - 0 1",
    "3r1b2/3pp1p1/8/2P1P2P/1K6/3P4/8/3R3k b - - 0 1",
    "8/8/3k4/8/2p1p3/8/3P4/3RK2B w - - 0 1",
    "4k3/2p1p3/8/3P4/3pP3/8/2P2P2/4K3 b - e3 0 1",
    // An inner castling rook, and a king between two rooks.
    "1r1k3r/8/8/8/8/8/8/RR2K2R w KBk - 12 345",
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    // Many double pushes, and an en-passant capture that is illegal because of a pin.
    "4k3/1p1p1p1p/8/P1P1P1P1/1p1p1p1p/8/P1P1P1P1/4K3 w - - 0 1",
    "8/2p5/3p4/KP5r/1R2Pp1k/8/6P1/8 b - e3 0 1",
    // A halfmove clock that starts just below the first value with a key and can run past the last one.
    "4k3/8/8/3n4/4P3/8/8/4K3 w - - 11 30",
];
