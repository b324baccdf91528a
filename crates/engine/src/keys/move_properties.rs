//! Properties of moves. If no number explains the wrong keys, a property of the moves that lead to them may do so.

use perft_gate_chess::{Board, CastlingRights, Color, Kind, Move, Role};
use perft_gate_simd::V1;

/// A property of moves, with its name. It depends on the positions before and after the move.
type MoveProperty = (&'static str, fn(&Board, Move, &Board) -> bool);

const BLACK_MOVE: &str = "move of Black";
const WHITE_MOVE: &str = "move of White";
/// All properties, the rarest first.
const PROPERTIES: [MoveProperty; 14] = [
    ("double push", |_, mv, _| mv.kind() == Kind::DoublePush),
    ("castling", |_, mv, _| mv.kind() == Kind::Castle),
    ("promotion", |_, mv, _| matches!(mv.kind(), Kind::Promotion(_))),
    ("e.p. capture", |_, mv, _| mv.kind() == Kind::EnPassant),
    ("move that loses the last castling right", |before, _, after| {
        loses_rights(before, after) && after.castling_rights() == CastlingRights::NONE
    }),
    ("move that loses a castling right", |before, _, after| loses_rights(before, after)),
    ("move that gives check", |_, _, after| after.in_check(V1::token())),
    ("capture", |before, _, after| before.occupied().count() > after.occupied().count()),
    ("pawn move", |before, mv, _| is_of(Role::Pawn, before, mv)),
    ("king move", |before, mv, _| is_of(Role::King, before, mv)),
    ("rook move", |before, mv, _| is_of(Role::Rook, before, mv)),
    (BLACK_MOVE, |before, _, _| before.turn() == Color::Black),
    (WHITE_MOVE, |before, _, _| before.turn() == Color::White),
    ("move", |_, _, _| true),
];

fn loses_rights(before: &Board, after: &Board) -> bool {
    before.castling_rights() != after.castling_rights()
}

fn is_of(role: Role, before: &Board, mv: Move) -> bool {
    before.piece_on(mv.from()).is_some_and(|piece| piece.role == role)
}

#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct MoveProperties(u32);

impl MoveProperties {
    pub(super) fn new(before: &Board, mv: Move, after: &Board) -> MoveProperties {
        let held = PROPERTIES.iter().enumerate().filter(|(_, (_, holds))| holds(before, mv, after));
        MoveProperties(held.map(|(i, _)| 1 << i).sum())
    }

    pub(super) fn add(&mut self, other: MoveProperties) {
        self.0 |= other.0;
    }
}

/// Describes when a key is wrong: the rarest property that all moves with wrong keys share, and whether only they do.
pub(crate) fn when(wrong: impl Iterator<Item = MoveProperties>, right: MoveProperties) -> String {
    let common = wrong.fold(u32::MAX, |common, properties| common & properties.0);
    // Blame a side only if the key was right after some move of the other side.
    let bit = |wanted: &str| PROPERTIES.iter().position(|(name, _)| *name == wanted).map_or(0, |at| 1 << at);
    let (black, white) = (bit(BLACK_MOVE), bit(WHITE_MOVE));
    let sides = [(black, white), (white, black)].into_iter().filter(|(_, other)| right.0 & other == 0);
    let common = sides.fold(common, |common, (side, _)| common & !side);
    let name = |mask: u32| PROPERTIES.iter().enumerate().find(|(i, _)| mask >> i & 1 != 0).map(|(_, (name, _))| *name);
    match (name(common & !right.0), name(common)) {
        (Some(name), _) => format!("after every {name}"),
        (None, Some(name)) => format!("after some moves of this kind: {name}"),
        (None, None) => "after moves of several kinds".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use perft_gate_chess::{Fen, MoveNames};
    use perft_gate_walk::board_after;

    fn properties(fen: &str, text: &str) -> MoveProperties {
        let board = Fen::parse(fen).expect("a position");
        let mv = MoveNames::new(&board).read(text).expect("a move");
        MoveProperties::new(&board, mv, &board_after(&board, mv))
    }

    #[test]
    fn the_rarest_property_that_only_wrong_moves_have_is_named() {
        let corners = "r3k2r/8/8/8/8/8/P7/R3K2R w Kk - 0 1";
        let late = "4k3/8/8/8/8/8/P7/R3K2R w K - 0 1";
        for (wrong, right, expected) in [
            (&[(Fen::START, "e2e4"), (Fen::START, "a2a4")][..], &[(Fen::START, "e2e3")][..], "every double push"),
            (&[(late, "e1e2"), (late, "h1h2")], &[(corners, "e1e2")], "every move that loses the last castling right"),
            (&[(corners, "e1e2"), (late, "h1h2")], &[(corners, "a1b1")], "every move that loses a castling right"),
            (&[(Fen::START, "e2e4")], &[(Fen::START, "d2d4")], "some moves of this kind: double push"),
            (&[(Fen::START, "e2e4"), (late, "e1e2")], &[], "every move"),
            (
                &[(Fen::START, "e2e4"), (late, "e1e2")],
                &[("4k3/8/8/8/8/8/8/4K3 b - - 0 1", "e8e7")],
                "every move of White",
            ),
        ] {
            let mut passed = MoveProperties::default();
            right.iter().for_each(|(fen, mv)| passed.add(properties(fen, mv)));
            assert_eq!(when(wrong.iter().map(|(fen, mv)| properties(fen, mv)), passed), format!("after {expected}"));
        }
    }
}
