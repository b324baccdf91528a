//! Explains in words a legal move that a generator misses or an illegal one that it lists: "e.p. capture while pinned
//! along the rank".
//!
//! A legal move is described by its special properties, an illegal one by the first rule that it breaks, in this order:
//! ownership of the piece, the way the piece moves, the pin, the check. King safety is tested by applying the move to
//! the set of occupied squares and looking for attackers.

use crate::algebraic::{Algebraic, MoveNames};
use crate::attacks;
use crate::bitboard::Bitboard;
use crate::board::Board;
use crate::castling::Wing;
use crate::moves::{Kind, Move, Uci};
use crate::piece::{Piece, Role};
use crate::square::Square;
use crate::state::EnPassantPolicy;
use perft_gate_simd::V1;
use std::collections::BTreeSet;
use std::fmt;

/// A move with its explanation.
#[perft_gate_kernel::document(Clone, PartialEq, Eq, Debug)]
pub struct ExplainedMove {
    /// The move, as written.
    #[cfg_attr(feature = "serde", serde(rename = "move"))]
    pub text: String,
    /// The rule that the move breaks or, if it is legal, its special properties.
    pub rule: String,
    /// True if the text matches one or more legal moves.
    #[cfg_attr(feature = "serde", serde(skip))]
    pub is_legal: bool,
}

impl ExplainedMove {
    /// Returns what is wrong with an extra move in a listing: `illegal`, or `too many` if it is legal.
    pub const fn fault(&self) -> &'static str {
        if self.is_legal { "too many" } else { "illegal" }
    }
}

impl fmt::Display for ExplainedMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.text, self.rule)
    }
}

/// Explains a legal move.
pub fn explain_legal_move(board: &Board, mv: Move) -> ExplainedMove {
    ExplainedMove { text: mv.uci().to_string(), rule: special_properties(board, mv), is_legal: true }
}

/// Explains moves that are illegal or listed too often. Each distinct text is explained once.
pub fn explain_extra_moves(board: &Board, texts: &[String]) -> Vec<ExplainedMove> {
    let distinct: BTreeSet<&String> = texts.iter().collect();
    let names = MoveNames::new(board);
    let explain = |text: &String| {
        let (rule, is_legal) = match names.candidates(text)[..] {
            [_] => ("a legal move, listed twice".into(), true),
            [_, _, ..] => ("may be several legal moves, and is listed too often".into(), true),
            [] => (broken_rule(board, text), false),
        };
        ExplainedMove { text: text.clone(), rule, is_legal }
    };
    distinct.into_iter().map(explain).collect()
}

fn special_properties(board: &Board, mv: Move) -> String {
    let role = board.piece_on(mv.from()).map_or("piece", |piece| piece.role.name());
    let captures = board.piece_on(mv.to()).is_some() && mv.kind() != Kind::Castle;
    let castles = board.castling_rooks().has(mv.to()) && captures;
    let victim = if castles { " of a rook that may castle" } else { "" };
    let what = match mv.kind() {
        Kind::EnPassant => "e.p. capture".into(),
        Kind::Castle => format!("castling on the {}", Wing::of_rook(mv.from(), mv.to())),
        Kind::Promotion(to) if captures => format!("promotion to a {} by capture{victim}", to.name()),
        Kind::Promotion(to) => format!("promotion to a {}", to.name()),
        Kind::DoublePush => "double push".into(),
        Kind::Normal if captures => format!("capture by a {role}{victim}"),
        Kind::Normal => format!("{role} move"),
    };
    let pinned = pin(board, mv.from()).map_or(String::new(), |line| format!(" along the {line} of its pin"));
    let evades = if board.checkers(V1::token()).any() { " that answers a check" } else { "" };
    format!("{what}{pinned}{evades}")
}

/// Returns the first rule that a move breaks.
fn broken_rule(board: &Board, text: &str) -> String {
    let Some(mv) = Uci::parse(text) else { return rule_broken_by_algebraic(board, text) };
    let us = board.turn();
    let Some(piece) = board.piece_on(mv.from) else { return format!("a move from {}, which is empty", mv.from) };
    if piece.color != us {
        return format!("a move of the other side's {}", piece.role.name());
    }
    if let Some(wing) = castling(board, piece, mv) {
        return castle(board, wing);
    }
    if board.color(us).has(mv.to) {
        return format!("a {} takes a piece of its own side", piece.role.name());
    }
    let en_passant = piece.role == Role::Pawn && mv.from.file() != mv.to.file() && board.piece_on(mv.to).is_none();
    if en_passant {
        return en_passant_capture(board, mv);
    }
    let kinds = [Kind::Normal, Kind::DoublePush, Kind::Promotion(Role::Queen)];
    if !kinds.into_iter().any(|kind| board.can_move(piece.role, mv.from, mv.to, kind)) {
        let over = Square::from_coords(mv.from.file(), (mv.from.rank() + mv.to.rank()) / 2);
        let ahead = piece.role == Role::Pawn && mv.from.file() == mv.to.file();
        let blocked = ahead && [over, mv.to].into_iter().any(|square| board.piece_on(square).is_some());
        let how = if blocked { "is blocked" } else { "does not move like that" };
        return format!("a {} {how}", piece.role.name());
    }
    let last_rank = (!us).back_rank();
    if piece.role == Role::Pawn
        && mv.to.rank() == last_rank
        && matches!(mv.promotion, None | Some(Role::Pawn | Role::King))
    {
        return "a pawn reaches the last rank without becoming a knight, bishop, rook or queen".into();
    }
    if mv.promotion.is_some() && piece.role != Role::Pawn {
        return format!("a {} does not promote", piece.role.name());
    }
    if mv.promotion.is_some() && mv.to.rank() != last_rank {
        return "a promotion before the last rank".into();
    }
    if board.king(!us) == mv.to {
        return "it takes the king: the previous move left it in check".into();
    }
    unsafe_move(board, piece, mv)
}

/// Explains an illegal move in algebraic notation. Assumes that the text means the first matching piece that can move
/// that way, or the first matching piece if none can.
fn rule_broken_by_algebraic(board: &Board, text: &str) -> String {
    let origins = match Algebraic::parse(text) {
        None => return "not a move in UCI or algebraic notation".into(),
        Some(Algebraic::Castling(wing)) => return castle(board, wing),
        Some(read) => read.origins(board),
    };
    let mut rules: Vec<String> = origins.iter().map(|origin| broken_rule(board, origin)).collect();
    rules.sort_by_key(|rule| rule.ends_with("does not move like that"));
    rules.into_iter().next().unwrap_or_else(|| "the side to move has no such piece".into())
}

/// Explains why a move leaves the mover's king in check.
fn unsafe_move(board: &Board, piece: Piece, mv: Uci) -> String {
    let (us, checkers) = (board.turn(), board.checkers(V1::token()));
    const LEGAL: &str = "breaks no known rule: the move is legal";
    if piece.role == Role::King {
        let lifted = board.occupied() & !Bitboard::from(mv.from);
        let rule = if attackers(board, mv.to, board.occupied()).any() {
            "the king moves into check"
        } else if attackers(board, mv.to, lifted).any() {
            "the king retreats along the line of the check"
        } else {
            LEGAL
        };
        return rule.into();
    }
    let occupied = board.occupied() & !Bitboard::from(mv.from) | mv.to.into();
    let remaining = attackers(board, board.king(us), occupied) & !Bitboard::from(mv.to);
    match pin(board, mv.from) {
        Some(line) if remaining.any() => format!("a {} pinned along the {line} leaves its pin", piece.role.name()),
        _ if checkers.several() => "in double check only the king may move".into(),
        _ if checkers.any() && remaining.any() => "the check is not answered".into(),
        _ => LEGAL.into(),
    }
}

fn en_passant_capture(board: &Board, mv: Uci) -> String {
    let us = board.turn();
    if !board.en_passant_capturers(us, mv.to).has(mv.from) {
        return "a pawn does not move like that".into();
    }
    if board.en_passant(EnPassantPolicy::Always) != Some(mv.to) {
        return "e.p. capture though no pawn was just pushed past the square".into();
    }
    let (king, victim) = (board.king(us), Bitboard::from(mv.to.en_passant_partner()));
    let after = board.occupied() & !Bitboard::from(mv.from) & !victim | mv.to.into();
    let remaining = attackers(board, king, after) & !victim;
    let Some(attacker) = remaining.into_iter().next() else { return "e.p. capture, legal".into() };
    if (board.checkers(V1::token()) & remaining).any() {
        return "e.p. capture that does not answer the check".into();
    }
    let line = line(king, attacker);
    let alone = attackers(board, king, board.occupied() & !victim).any();
    match (pin(board, mv.from), alone) {
        (None, true) => format!("e.p. capture of a pawn that shields the king along the {line}"),
        _ => format!("e.p. capture while pinned along the {line}"),
    }
}

/// Returns the castling wing if the king moves along its back rank by at least two squares or onto its own rook.
fn castling(board: &Board, piece: Piece, mv: Uci) -> Option<Wing> {
    let own_rook = board.pieces(piece.color, Role::Rook).has(mv.to);
    let far = mv.from.file().abs_diff(mv.to.file()) > 1;
    let along = mv.from.rank() == mv.to.rank() && mv.from.rank() == piece.color.back_rank();
    (piece.role == Role::King && along && (own_rook || far)).then(|| Wing::of_rook(mv.from, mv.to))
}

fn castle(board: &Board, wing: Wing) -> String {
    let what = format!("castling on the {wing}");
    castling_fault(board, wing).map_or(format!("{what}, legal"), |fault| format!("{what} {fault}"))
}

/// The reason why a side cannot castle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum CastlingFault {
    NoRight,
    InCheck,
    NoRook,
    Blocked,
    IntoCheck,
    Attacked(Square),
}

impl fmt::Display for CastlingFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            CastlingFault::NoRight => "without the right",
            CastlingFault::InCheck => "out of check",
            CastlingFault::NoRook => "without a rook",
            CastlingFault::Blocked => "through a piece",
            CastlingFault::IntoCheck => "into check",
            CastlingFault::Attacked(square) => return write!(f, "through {square}, which is attacked"),
        })
    }
}

/// Returns the reason why the side to move cannot castle on a wing, or `None` if it can.
pub(crate) fn castling_fault(board: &Board, wing: Wing) -> Option<CastlingFault> {
    let us = board.turn();
    if !board.castling_rights().has(us, wing) {
        return Some(CastlingFault::NoRight);
    }
    if board.checkers(V1::token()).any() {
        return Some(CastlingFault::InCheck);
    }
    let king = board.king(us);
    let own = board.castling_rooks() & Bitboard::rank(us.back_rank());
    let Some(rook) = own.into_iter().find(|&rook| Wing::of_rook(king, rook) == wing) else {
        return Some(CastlingFault::NoRook);
    };
    let (king_to, rook_to) = wing.destinations(us);
    let occupied = board.occupied() & !Bitboard::from(king) & !Bitboard::from(rook);
    let ways = attacks::rank_span(king, king_to) | attacks::rank_span(rook, rook_to);
    if (ways & occupied).any() {
        return Some(CastlingFault::Blocked);
    }
    if attackers(board, king_to, occupied | rook_to.into()).any() {
        return Some(CastlingFault::IntoCheck);
    }
    let attacked = |square: &Square| attackers(board, *square, occupied).any();
    attacks::rank_span(king, king_to).into_iter().find(attacked).map(CastlingFault::Attacked)
}

/// Returns the kind of line (`rank`, `file` or `diagonal`) along which the mover's piece on `square` is pinned, if any.
fn pin(board: &Board, square: Square) -> Option<&'static str> {
    let king = board.king(board.turn());
    let lifted = board.occupied() & !Bitboard::from(square);
    let behind = attackers(board, king, lifted) & !board.checkers(V1::token()) & !Bitboard::from(square);
    (square != king).then(|| behind.into_iter().next().map(|slider| line(king, slider)))?
}

fn line(a: Square, b: Square) -> &'static str {
    match (a.rank() == b.rank(), a.file() == b.file()) {
        (true, _) => "rank",
        (_, true) => "file",
        _ => "diagonal",
    }
}

/// Returns the enemy pieces that attack `square`, given the occupied squares.
fn attackers(board: &Board, square: Square, occupied: Bitboard) -> Bitboard {
    board.attackers(V1::token(), !board.turn(), square, occupied)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algebraic::tests::standard_positions;
    use crate::{Fen, legal_moves};

    /// The judge's tests of check V8 cover the remaining rules.
    #[test]
    fn broken_rules_are_named() {
        const SHIELD: &str = "e.p. capture of a pawn that shields the king along the diagonal";
        for (fen, mv, rule) in [
            ("4k3/6b1/8/3pP3/8/2K5/8/8 w - d6 0 1", "e5d6", "e.p. capture while pinned along the diagonal"),
            ("8/b4k2/8/2pP4/8/4K3/8/8 w - c6 0 1", "d5c6", SHIELD),
            ("3k4/8/8/8/4r3/8/8/R3K2R w KQ - 0 1", "e1c1", "castling on the queen's side out of check"),
            ("4k3/8/8/8/8/8/8/R3K2R w K - 0 1", "e1c1", "castling on the queen's side without the right"),
            ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8", "a pawn reaches the last rank without becoming a knight"),
            ("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "a1e1", "a rook takes a piece of its own side"),
            ("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "O-O", "castling on the king's side without the right"),
            ("4k3/8/8/8/4r3/8/4N3/4K3 w - - 0 1", "Nc1", "a knight pinned along the file leaves its pin"),
            ("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "Nf3", "the side to move has no such piece"),
            ("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "Sf3", "not a move in UCI or algebraic notation"),
        ] {
            let found = broken_rule(&Fen::parse(fen).unwrap(), mv);
            assert!(found.starts_with(rule), "{mv} in {fen}: {found}");
        }
    }

    #[test]
    fn legal_moves_are_named_by_what_is_special() {
        for (fen, mv, rule) in [
            ("5r2/5N2/8/Pp6/K1bk4/1r6/8/8 w - b6 0 1", "a5b6", "e.p. capture that answers a check"),
            ("4k3/6b1/8/4Pp2/8/2K5/8/8 w - f6 0 1", "e5f6", "e.p. capture along the diagonal of its pin"),
            ("r3k3/1P6/8/8/8/8/8/4K2R w K - 0 1", "b7a8n", "promotion to a knight by capture"),
            ("r3k3/1P6/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "castling on the king's side"),
            ("r3k3/1P6/8/8/8/8/P7/4K2R w K - 0 1", "a2a4", "double push"),
            ("r3k3/1P6/8/8/8/8/P7/4K2R w K - 0 1", "h1h8", "rook move"),
        ] {
            let board = Fen::parse(fen).unwrap();
            let legal = legal_moves(&board).iter().copied().find(|legal| legal.uci().to_string() == mv).expect("legal");
            let found = special_properties(&board, legal);
            assert!(found.starts_with(rule), "{mv} in {fen}: {found}");
        }
    }

    #[test]
    fn no_legal_move_breaks_a_rule_that_is_named() {
        for board in standard_positions() {
            for mv in legal_moves(&board).iter().map(|mv| mv.uci().to_string()) {
                let rule = broken_rule(&board, &mv);
                assert!(rule.contains("legal"), "{mv} in {board}: {rule}");
            }
        }
    }
}
