//! The faults, by their names.

use perft_gate_chess::Field;
use perft_gate_walk::Check;
use std::fmt;

/// Kind of fault, and the part of the program that has it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// No fault: the control experiment.
    None,
    /// Tracker: the e.p. term is added but not removed.
    EnPassantTermKept,
    /// Tracker: a right is lost but the key keeps its term.
    CastlingTermKept,
    /// Tracker: a captured piece stays in the key.
    CapturedPieceKept,
    /// Tracker: a null move leaves the e.p. term in the key.
    NullMoveKeepsEnPassant,
    /// Board: `unmake` forgets the halfmove clock.
    ClockNotRestored,
    /// Board: `unmake` forgets the halfmove clock after a king's move, and after no other.
    KingMoveNotRestored,
    /// Board: a double push leaves the pawn on its old square, in the mailbox only.
    MailboxOnlyWrite,
    /// Board: a double push leaves the pawn on its old square, in the bitboards only.
    BitboardOnlyWrite,
    /// Generator: an e.p. capture that answers a check is missing.
    EvasionMissing,
    /// Tracker: the e.p. square is in the key after every double push, though no capture is legal.
    EnPassantAlwaysKeyed,
    /// Board: a rook is captured on its home square and the castling right stays, in the board and in both keys.
    RightOfCapturedRookKept,
    /// Tracker: a promoted piece enters the key as a pawn.
    PromotionHashedAsPawn,
    /// Tracker: a promoted piece does not enter the key; planted in a secondary key, as in Stockfish 6492.
    PromotionMissing,
    /// Tracker: the pawn captured en passant stays in the key.
    EnPassantVictimKept,
    /// Tracker: the side to move is not in the key.
    SideNotFlipped,
    /// Tracker: the halfmove clock's key stays when the clock advances or is reset.
    ClockTermKept,
    /// Tracker: if two rights are lost at once, only the first leaves the key.
    FirstRightOnly,
    /// Tracker: Black's king-side right uses White's entry.
    RightsShareAKey,
    /// Generator: castling takes the outermost rook of the wing, not the one with the right.
    WrongChess960Rook,
    /// Generator: there are no double pushes.
    DoublePushMissing,
    /// Machine: a key bit flips in the batch, but not when the walk is repeated.
    KeyFlippedOnce,
    /// Machine: a bit of a restored board flips before it is compared, but not when the move is made again.
    BoardFlippedOnce,
    /// Board: the piece that is lifted after a capture leaves the square of the piece that captured, not its own.
    LiftedSquaresKept,
    /// Tracker: the piece that is lifted after a capture is not in the key, but the piece that captured still is.
    LiftedKeyKept,
    /// Batch: castling, e.p. and side of a board are not looked up again when they change.
    RestKept,
    /// Key tables: make and recompute both look up black knights where white ones are (p4wn).
    KnightsShareKeys,
    /// Key tables: every double push counts, in a scheme that counts legal captures only.
    PositionHasTwoKeys,
    /// Board: bitboards and mailbox disagree in this field at every interior node.
    Inconsistent(Field),
    /// Board or tracker: `unmake` does not restore this field.
    NotRestored(Field),
    /// Board or tracker: a null move's `unmake` does not restore this field.
    NullMoveNotRestored(Field),
    /// Walk: comparisons of this check are not made.
    NotCompared(Check),
    /// Walk: the key after a null move is not compared.
    NullMoveKeyNotCompared,
}

/// Faults without a field or check, with their names.
const SIMPLE: [(Fault, &str); 27] = [
    (Fault::EnPassantTermKept, "en-passant-term-kept"),
    (Fault::CastlingTermKept, "castling-term-kept"),
    (Fault::CapturedPieceKept, "captured-piece-kept"),
    (Fault::NullMoveKeepsEnPassant, "null-move-keeps-en-passant"),
    (Fault::ClockNotRestored, "clock-not-restored"),
    (Fault::KingMoveNotRestored, "king-move-not-restored"),
    (Fault::MailboxOnlyWrite, "mailbox-only-write"),
    (Fault::BitboardOnlyWrite, "bitboard-only-write"),
    (Fault::EvasionMissing, "evasion-missing"),
    (Fault::EnPassantAlwaysKeyed, "en-passant-always-keyed"),
    (Fault::RightOfCapturedRookKept, "right-of-captured-rook-kept"),
    (Fault::PromotionHashedAsPawn, "promotion-hashed-as-pawn"),
    (Fault::PromotionMissing, "promotion-missing"),
    (Fault::EnPassantVictimKept, "en-passant-victim-kept"),
    (Fault::SideNotFlipped, "side-not-flipped"),
    (Fault::ClockTermKept, "clock-term-kept"),
    (Fault::FirstRightOnly, "first-right-only"),
    (Fault::RightsShareAKey, "rights-share-a-key"),
    (Fault::WrongChess960Rook, "wrong-chess960-rook"),
    (Fault::DoublePushMissing, "double-push-missing"),
    (Fault::KeyFlippedOnce, "key-flipped-once"),
    (Fault::BoardFlippedOnce, "board-flipped-once"),
    (Fault::LiftedSquaresKept, "lifted-squares-kept"),
    (Fault::LiftedKeyKept, "lifted-key-kept"),
    (Fault::RestKept, "rest-kept"),
    (Fault::KnightsShareKeys, "knights-share-keys"),
    (Fault::PositionHasTwoKeys, "position-has-two-keys"),
];

/// Faults that leave out the comparisons of a check, with their names.
pub(super) const SKIPPED: [(Fault, &str); 6] = [
    (Fault::NotCompared(Check::Boards), "boards-not-compared"),
    (Fault::NotCompared(Check::Keys), "keys-not-compared"),
    (Fault::NotCompared(Check::Unmake), "unmake-not-compared"),
    (Fault::NotCompared(Check::NullMove), "null-move-not-compared"),
    (Fault::NotCompared(Check::RoundTrip), "round-trip-not-compared"),
    (Fault::NullMoveKeyNotCompared, "null-move-key-not-compared"),
];

impl Fault {
    /// Returns every fault.
    pub fn all() -> Vec<Fault> {
        let named = SIMPLE.into_iter().chain(SKIPPED).map(|(fault, _)| fault);
        let inconsistent = Field::SQUARES.map(Fault::Inconsistent);
        let restored = Field::RESTORED.map(Fault::NotRestored);
        let null_moves = Field::RESTORED.map(Fault::NullMoveNotRestored);
        named.chain(inconsistent).chain(restored).chain(null_moves).collect()
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Inconsistent(field) => write!(f, "{field}-inconsistent"),
            Fault::NotRestored(field) => write!(f, "{field}-not-restored"),
            Fault::NullMoveNotRestored(field) => write!(f, "{field}-not-restored-after-null-move"),
            fault => {
                let name = SIMPLE.iter().chain(&SKIPPED).find(|(named, _)| named == fault);
                f.write_str(name.map_or("none", |(_, name)| name))
            }
        }
    }
}
