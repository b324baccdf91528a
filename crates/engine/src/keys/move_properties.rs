//! What happens in a move: a wrong key that no number explains may come with every move of one kind.

use perft_gate_chess::{Board, CastlingRights, Color, Kind, Move, Role};
use perft_gate_simd::V1;

/// A property of moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum MoveProperty {
    DoublePush,
    Castling,
    Promotion,
    EnPassantCapture,
    LastRightLost,
    RightLost,
    Check,
    Capture,
    PawnMove,
    KingMove,
    RookMove,
    BlackMove,
    WhiteMove,
    Move,
}

/// All properties with their names, the rarest first.
const PROPERTIES: [(MoveProperty, &str); 14] = [
    (MoveProperty::DoublePush, "double push"),
    (MoveProperty::Castling, "castling"),
    (MoveProperty::Promotion, "promotion"),
    (MoveProperty::EnPassantCapture, "e.p. capture"),
    (MoveProperty::LastRightLost, "move that loses the last castling right"),
    (MoveProperty::RightLost, "move that loses a castling right"),
    (MoveProperty::Check, "move that gives check"),
    (MoveProperty::Capture, "capture"),
    (MoveProperty::PawnMove, "pawn move"),
    (MoveProperty::KingMove, "king move"),
    (MoveProperty::RookMove, "rook move"),
    (MoveProperty::BlackMove, "move of Black"),
    (MoveProperty::WhiteMove, "move of White"),
    (MoveProperty::Move, "move"),
];

/// A set of properties.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct MoveProperties(u32);

impl MoveProperties {
    /// Returns the properties of a move.
    pub(super) fn of(before: &Board, mv: Move, after: &Board) -> MoveProperties {
        let (old, new) = (before.castling_rights(), after.castling_rights());
        let role = before.piece_on(mv.from()).map(|piece| piece.role);
        let is_so = |property| match property {
            MoveProperty::DoublePush => mv.kind() == Kind::DoublePush,
            MoveProperty::Castling => mv.kind() == Kind::Castle,
            MoveProperty::Promotion => matches!(mv.kind(), Kind::Promotion(_)),
            MoveProperty::EnPassantCapture => mv.kind() == Kind::EnPassant,
            MoveProperty::LastRightLost => old != new && new == CastlingRights::NONE,
            MoveProperty::RightLost => old != new,
            MoveProperty::Check => after.in_check(V1::token()),
            MoveProperty::Capture => before.occupied().count() > after.occupied().count(),
            MoveProperty::PawnMove => role == Some(Role::Pawn),
            MoveProperty::KingMove => role == Some(Role::King),
            MoveProperty::RookMove => role == Some(Role::Rook),
            MoveProperty::BlackMove => before.turn() == Color::Black,
            MoveProperty::WhiteMove => before.turn() == Color::White,
            MoveProperty::Move => true,
        };
        MoveProperties(
            PROPERTIES.iter().enumerate().filter(|(_, (property, _))| is_so(*property)).map(|(i, _)| 1 << i).sum(),
        )
    }

    /// Adds those of another move.
    pub(super) fn add(&mut self, other: MoveProperties) {
        self.0 |= other.0;
    }
}

/// Describes when a key is wrong: the rarest property that all wrong moves have, and whether no right one has it.
pub(crate) fn when(wrong: impl Iterator<Item = MoveProperties>, right: MoveProperties) -> String {
    let common = wrong.fold(u32::MAX, |common, properties| common & properties.0);
    // A side is no occasion before a move of the other was right.
    let bit =
        |wanted: MoveProperty| PROPERTIES.iter().position(|(property, _)| *property == wanted).map_or(0, |at| 1 << at);
    let (black, white) = (bit(MoveProperty::BlackMove), bit(MoveProperty::WhiteMove));
    let sides = [(black, white), (white, black)].into_iter().filter(|(_, other)| right.0 & other == 0);
    let common = sides.fold(common, |common, (side, _)| common & !side);
    let name = |mask: u32| PROPERTIES.iter().enumerate().find(|(i, _)| mask >> i & 1 != 0).map(|(_, (_, name))| *name);
    match (name(common & !right.0), name(common)) {
        (Some(name), _) => format!("after every {name}"),
        (None, Some(name)) => format!("after some moves, each a {name}"),
        (None, None) => "after moves of several kinds".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use perft_gate_chess::Fen;
    use perft_gate_chess::MoveNames;
    use perft_gate_walk::board_after;

    fn properties(fen: &str, text: &str) -> MoveProperties {
        let board = Fen::parse(fen).expect("a position");
        let mv = MoveNames::of(&board).read(text).expect("a move");
        MoveProperties::of(&board, mv, &board_after(&board, mv))
    }

    #[test]
    fn the_rarest_property_that_only_wrong_moves_have_is_named() {
        let corners = "r3k2r/8/8/8/8/8/P7/R3K2R w Kk - 0 1";
        let late = "4k3/8/8/8/8/8/P7/R3K2R w K - 0 1";
        for (wrong, right, expected) in [
            (&[(Fen::START, "e2e4"), (Fen::START, "a2a4")][..], &[(Fen::START, "e2e3")][..], "after every double push"),
            (
                &[(late, "e1e2"), (late, "h1h2")],
                &[(corners, "e1e2")],
                "after every move that loses the last castling right",
            ),
            (
                &[(corners, "e1e2"), (late, "h1h2")],
                &[(corners, "a1b1")],
                "after every move that loses a castling right",
            ),
            (&[(Fen::START, "e2e4")], &[(Fen::START, "d2d4")], "after some moves, each a double push"),
            (&[(Fen::START, "e2e4"), (late, "e1e2")], &[], "after every move"),
            (
                &[(Fen::START, "e2e4"), (late, "e1e2")],
                &[("4k3/8/8/8/8/8/8/4K3 b - - 0 1", "e8e7")],
                "after every move of White",
            ),
        ] {
            let mut passed = MoveProperties::default();
            right.iter().for_each(|(fen, mv)| passed.add(properties(fen, mv)));
            assert_eq!(when(wrong.iter().map(|(fen, mv)| properties(fen, mv)), passed), expected);
        }
    }
}
