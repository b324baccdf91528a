//! Published numbers of the start position, computed by others.

use perft_gate_chess::{Board, EnPassantPolicy, Fen};

/// A published sequence. Its first number is for ply 1.
#[derive(Clone, Copy, Debug)]
pub struct Published {
    /// The source of the sequence.
    pub source: &'static str,
    /// The numbers.
    pub numbers: &'static [u128],
}

/// Number of leaves.
const PERFT: Published = Published {
    source: "OEIS A048987",
    numbers: &[
        20,
        400,
        8_902,
        197_281,
        4_865_609,
        119_060_324,
        3_195_901_860,
        84_998_978_956,
        2_439_530_234_167,
        69_352_859_712_417,
        2_097_651_003_696_806,
        62_854_969_236_701_747,
        1_981_066_775_000_396_239,
        61_885_021_521_585_529_237,
        2_015_099_950_053_364_471_960,
    ],
};

/// Number of positions, if an en-passant square counts only if a capture is legal.
const LEGAL: Published = Published {
    source: "OEIS A083276",
    numbers: &[
        20,
        400,
        5_362,
        72_078,
        822_518,
        9_417_681,
        96_400_068,
        988_187_354,
        9_183_421_888,
        85_375_278_064,
        726_155_461_002,
    ],
};

/// Number of positions, if an en-passant square counts only if a pawn is ready to capture.
const PSEUDO: Published = Published { source: "OEIS A057745", numbers: &[20, 400, 5_362, 72_078, 822_518, 9_417_683] };

/// Number of diagrams, which are the placements of the pieces alone.
const DIAGRAMS: Published = Published {
    source: "OEIS A019319",
    numbers: &[
        20,
        400,
        5_362,
        71_852,
        815_677,
        9_260_610,
        94_305_342,
        958_605_819,
        8_866_424_380,
        81_766_238_574,
        692_390_232_505,
    ],
};

/// Returns the published numbers of distinct positions; `None` if the policy has none or `board` is not the start
/// position.
pub fn distinct(board: &Board, policy: EnPassantPolicy) -> Option<Published> {
    let positions = match policy {
        EnPassantPolicy::Legal => Some(LEGAL),
        EnPassantPolicy::Pseudo => Some(PSEUDO),
        EnPassantPolicy::Always => None,
    };
    positions.filter(|_| is_start(board))
}

/// Returns the published numbers of diagrams.
pub fn diagrams(board: &Board) -> Option<Published> {
    is_start(board).then_some(DIAGRAMS)
}

/// Returns the published numbers of leaves.
pub fn perft(board: &Board) -> Option<Published> {
    is_start(board).then_some(PERFT)
}

fn is_start(board: &Board) -> bool {
    Fen::parse(Fen::START).is_ok_and(|start| start == *board)
}
