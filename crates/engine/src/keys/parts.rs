//! The terms of a key, such as a piece on a square, and boards that reveal each term's random number.

use perft_gate_chess::{Bitboard, Board, CastlingRights, Color, EnPassantPolicy, Fen, Piece, Role, Square};
use perft_gate_judge::gate::term_probe::board_with;
use perft_gate_simd::V1;
use perft_gate_zobrist::Term;

/// Positions of two bare kings: on their home squares, and in corners.
pub(super) const KINGS: [&str; 2] = ["4k3/8/8/8/8/8/8/4K3 w - - 0 1", "7k/8/8/8/8/8/8/K7 w - - 0 1"];
/// More positions of two bare kings. A piece can be added on any square: in at least one position here or in [`KINGS`],
/// it does not attack the enemy king.
const OTHER_KINGS: [&str; 4] = [
    "k7/8/8/8/8/8/8/7K w - - 0 1",
    "4k3/8/8/8/8/8/8/7K w - - 0 1",
    "8/8/k7/8/8/7K/8/8 w - - 0 1",
    "8/7k/8/8/8/8/K7/8 w - - 0 1",
];

/// Returns the terms of a board that change its key. An e.p. square is included if it counts under the policy.
pub(super) fn parts_of(board: &Board, policy: EnPassantPolicy) -> impl Iterator<Item = Term> {
    let rights = Some(board.castling_rights()).filter(|rights| *rights != CastlingRights::NONE).map(Term::Castling);
    let square = board.en_passant(policy).map(|square| Term::EnPassant(Some(square)));
    let side = (board.turn() == Color::Black).then_some(Term::Side(None));
    Term::pieces_of(board).chain(rights).chain(square).chain(side)
}

pub(crate) fn board(fen: &str) -> Board {
    Fen::parse(fen).expect("a position")
}

pub(super) fn flip_turn(board: &Board) -> Option<Board> {
    board_with(board, |setup| setup.turn = !setup.turn)
}

/// Returns a board with a piece on a square and one without it. For a king, which cannot be removed, the second board
/// has the king on its home square. Returns `None` for a pawn on a back rank, which no FEN describes.
pub(super) fn with_and_without(part: Term) -> Option<[Board; 2]> {
    let Term::Piece(piece, square) = part else { return None };
    if piece.role == Role::King {
        return king_on(piece.color, square, &board(KINGS[0]));
    }
    let with = |base: &Board| board_with(base, |setup| setup.pieces[square.index()] = Some(piece));
    let bases = || {
        let bases = KINGS.into_iter().chain(OTHER_KINGS).map(board);
        let free = bases.filter(|base| base.piece_on(square).is_none());
        let either_turn = free.flat_map(|base| [Some(base), flip_turn(&base)]).flatten();
        either_turn.filter_map(|base| Some([with(&base)?, base]))
    };
    // In a FEN, only the side to move may be in check. Prefer boards without check, because some keys include check.
    bases().find(|[with, _]| !with.in_check(V1::token())).or_else(|| bases().next())
}

/// Returns a board with a king on a square, and one with that king at home. The other king stays out of the way.
fn king_on(color: Color, square: Square, home: &Board) -> Option<[Board; 2]> {
    let other = home.king(!color);
    let ways = [other, Square::from_coords(0, other.rank()), Square::from_coords(7, other.rank())];
    let placed = |own: Square, other: Square| {
        board_with(home, |setup| {
            setup.pieces = [None; 64];
            for (color, on) in [(color, own), (!color, other)] {
                setup.pieces[on.index()] = Some(Piece { color, role: Role::King });
            }
        })
    };
    let mut free = ways.into_iter().filter(|other| *other != square);
    free.find_map(|other| Some([placed(square, other)?, placed(home.king(color), other)?]))
}

/// Returns a position in which a pawn on this file has just made a double push and can be captured e.p., and the same
/// position without the e.p. square.
pub(super) fn en_passant(file: u32, to_move: Color) -> [Board; 2] {
    let (rank, behind) = if to_move == Color::White { (4, 5) } else { (3, 2) };
    let beside = if file == 0 { 1 } else { file - 1 };
    let without = board_with(&board(KINGS[0]), |setup| {
        setup.turn = to_move;
        for (file, color) in [(file, !to_move), (beside, to_move)] {
            setup.pieces[Square::from_coords(file, rank).index()] = Some(Piece { color, role: Role::Pawn });
        }
    });
    let without = without.expect("a position");
    let with = board_with(&without, |setup| setup.en_passant = Some(Square::from_coords(file, behind)));
    [with.expect("a position"), without]
}

/// Returns true if both terms are e.p. squares on the same file. They may share a number, because no position has both:
/// many keys have one number per file.
pub(super) fn is_one_file(one: Term, other: Term) -> bool {
    matches!((one, other), (Term::EnPassant(Some(one)), Term::EnPassant(Some(other))) if one.file() == other.file())
}

/// Returns true if two positions can differ in exactly these four terms.
pub(super) fn is_of_two_positions(parts: &[Term; 4]) -> bool {
    let count = |is_so: &dyn Fn(&Term) -> bool| parts.iter().filter(|part| is_so(part)).count();
    let squares = |square: Square| count(&|part| matches!(part, Term::Piece(_, on) if *on == square));
    count(&|part| matches!(part, Term::Castling(_))) <= 2
        && count(&|part| matches!(part, Term::EnPassant(_))) <= 2
        && Square::all().all(|square| squares(square) <= 2)
        && Color::ALL.into_iter().all(|color| matches!(count(&|part| part.king() == Some(color)), 0 | 2))
}

/// Returns two positions that differ in exactly these pieces, if FENs can describe them.
pub(super) fn two_positions(parts: &[Term; 4]) -> Option<[Board; 2]> {
    let piece = |part: &Term| if let Term::Piece(piece, square) = *part { Some((piece, square)) } else { None };
    let pieces: Vec<(Piece, Square)> = parts.iter().map(piece).collect::<Option<_>>()?;
    // The first piece is in the first position. Every other piece may be in either position.
    let splits = (0_u32..8).map(|split| (0..4).map(|i| i > 0 && split >> (i - 1) & 1 != 0).collect::<Vec<bool>>());
    let boards = |split: Vec<bool>, base: &Board| {
        let side = |wanted: bool| {
            let chosen: Vec<_> =
                pieces.iter().zip(&split).filter(|(_, side)| **side == wanted).map(|(p, _)| *p).collect();
            board_with(base, |setup| {
                for &(piece, square) in &chosen {
                    if piece.role == Role::King {
                        setup.pieces[base.king(piece.color).index()] = None;
                    }
                    setup.pieces[square.index()] = Some(piece);
                }
                setup.castling_rooks = Bitboard::EMPTY;
            })
            .filter(|board| {
                let placed = board.occupied().count() as usize;
                placed == 2 + chosen.iter().filter(|(piece, _)| piece.role != Role::King).count()
            })
        };
        Some([side(false)?, side(true)?])
    };
    let others = KINGS.into_iter().chain(OTHER_KINGS).map(board);
    let bases = others.flat_map(|base| [Some(base), flip_turn(&base)]).flatten();
    bases.into_iter().find_map(|base| splits.clone().find_map(|split| boards(split, &base)))
}
