//! Class of a position: whether a game may lead to it, and whether programs agree on it.
//!
//! - *illegal*: a side does not have exactly one king, a pawn is on a back rank, or the side that has just moved is in
//!   check. A `Board` cannot hold it.
//! - *tolerated*: not illegal, but impossible in a game: there are more pieces than a game can have, castling rights or
//!   the e.p. square do not fit the board, or no move can give the checks. Strict programs refuse it, and other
//!   programs may disagree about it.
//! - *legal*: what `shakmaty` and `python-chess` accept as valid.
//! - *plausible*: legal, and it meets these conditions, which every game fulfils: pawns have captured no more pieces
//!   than are missing; a bishop that its pawns shut in has not moved; kings and rooks that may castle are on the same
//!   files for both sides; a single move can have given all checks. Only a proof game shows that a plausible position
//!   is reachable. The condition for bishops does not apply to Chess960, which is recognised by the castling rights or
//!   by a full back rank in another order.

use perft_gate_chess::{Bitboard, Board, Color, EnPassantPolicy, FenError, Role, Square, Wing, attacks, quantity};
use perft_gate_simd::V1;

perft_gate_chess::named! {
    /// Class of a position. The variants are in order from best to worst.
    #[perft_gate_chess::document(kebab, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
    pub enum Class {
        /// Legal, and as far as simple conditions show, a game can reach it.
        Plausible = "plausible",
        /// Strict programs accept it.
        Legal = "legal",
        /// No game reaches it, and programs disagree about it.
        Tolerated = "tolerated",
        /// Not a chess position.
        Illegal = "illegal",
    }
}

/// Returns the class of a position and the reason why it is not in a better class. `faults` are the tolerated faults of
/// its FEN.
pub(super) fn classify(board: &Board, faults: &[FenError]) -> (Class, Option<String>) {
    let fault = faults.first().map(ToString::to_string);
    let tolerated = fault.or_else(|| too_many_promoted(board)).or_else(|| impossible_check(board));
    if let Some(reason) = tolerated {
        return (Class::Tolerated, Some(reason));
    }
    match different_files(board).or_else(|| too_many_captures(board)).or_else(|| unexplained_check(board)) {
        Some(reason) => (Class::Legal, Some(reason)),
        None => (Class::Plausible, None),
    }
}

const LIGHT: Bitboard = Bitboard(0x55aa_55aa_55aa_55aa);

/// Returns the minimum number of pieces of a side that must be promoted pawns.
fn count_promoted(board: &Board, color: Color) -> u64 {
    let count = |role| board.pieces(color, role).count();
    let bishops = board.pieces(color, Role::Bishop);
    let [light, dark] = [bishops & LIGHT, bishops & !LIGHT].map(Bitboard::count);
    let more = [(count(Role::Queen), 1), (count(Role::Rook), 2), (count(Role::Knight), 2), (light, 1), (dark, 1)];
    more.into_iter().map(|(found, at_first): (u64, u64)| found.saturating_sub(at_first)).sum()
}

fn too_many_promoted(board: &Board) -> Option<String> {
    Color::ALL.into_iter().find_map(|color| {
        let (pawns, promoted) = (board.pieces(color, Role::Pawn).count(), count_promoted(board, color));
        let (name, has) = (color.name(), [quantity(pawns, "pawn"), quantity(promoted, "promoted piece")]);
        (pawns + promoted > 8).then(|| format!("{name} has {}, expected at most 8", has.join(" and ")))
    })
}

/// Describes a check that strict programs refuse: two checkers that are not sliders, two checkers on one line through
/// the king, or, after a double push, a check that the push cannot have given.
fn impossible_check(board: &Board) -> Option<String> {
    let (checkers, us) = (board.checkers(V1::token()), board.turn());
    let steppers = checkers & (board.role(Role::Pawn) | board.role(Role::Knight));
    if steppers.several() {
        return Some("two pieces that are not sliders both give check".into());
    }
    let (king, mut squares) = (board.king(us), checkers.into_iter());
    let (Some(first), second) = (squares.next(), squares.next()) else { return None };
    let Some(behind) = board.en_passant(EnPassantPolicy::Always) else {
        let second = second?;
        let line = attacks::lines_through(king);
        let mut lines = [line.file, line.rank, line.diagonal, line.antidiagonal].into_iter().map(Bitboard);
        let is_aligned = lines.any(|line| line.has(first) && line.has(second));
        return is_aligned.then(|| format!("{first} and {second} both give check on one line"));
    };
    let pushed = behind.en_passant_partner();
    let origin = Square::from_coords(behind.file(), if us == Color::White { 6 } else { 1 });
    let before = (board.occupied() & !Bitboard::from(pushed)) | origin.into();
    let was_attacked = || (board.attackers(V1::token(), !us, king, before) & !Bitboard::from(pushed)).any();
    let is_explained = second.is_none() && (first == pushed || !was_attacked());
    (!is_explained).then(|| format!("a check that the pawn's move to {pushed} does not give"))
}

/// Returns the minimum number of captures that can bring the pawns of a side to their files. This minimum is reached if
/// the pawns keep their original order.
fn min_pawn_captures(board: &Board, color: Color) -> u64 {
    let mut files: Vec<u64> = board.pieces(color, Role::Pawn).into_iter().map(|pawn| pawn.file().into()).collect();
    files.sort_unstable();
    // Element `i`: the minimum for the pawns so far, if the last one began on a file below `i`.
    let mut least = [0; 9];
    for file in files {
        let mut next = [u64::MAX / 2; 9];
        for origin in 0..8 {
            next[origin + 1] = next[origin].min(least[origin] + file.abs_diff(origin as u64));
        }
        least = next;
    }
    least[8]
}

/// Home squares of White's bishops, with the squares of the pawns that shut them in.
const SHUT_IN: [(u32, [u32; 2]); 2] = [(2, [9, 11]), (5, [12, 14])];

/// Describes castling rights that no starting position allows: the kings of both sides must be on the same file, and so
/// must their castling rooks on each wing.
fn different_files(board: &Board) -> Option<String> {
    let file = |color: Color, wing: Option<Wing>| {
        let king = board.king(color);
        let mut rooks = (board.castling_rooks() & Bitboard::rank(color.back_rank())).into_iter();
        match wing {
            None => rooks.next().map(|_| king.file()),
            Some(wing) => rooks.find(|rook| Wing::of_rook(king, *rook) == wing).map(Square::file),
        }
    };
    let of = |what: &str, wing| match Color::ALL.map(|color| file(color, wing)) {
        [Some(white), Some(black)] if white != black => {
            let [white, black] = [white, black].map(|file| Square::from_coords(file, 0).to_string()[..1].to_string());
            Some(format!("{what} that may castle stand on the files {white} and {black}"))
        }
        _ => None,
    };
    let rooks = || of("rooks", Some(Wing::King)).or_else(|| of("rooks", Some(Wing::Queen)));
    of("kings", None).or_else(rooks)
}

/// Returns true if the bishops began on their orthodox squares. The result is false only if the position shows
/// otherwise, by a Chess960 castling right or by a side that has all its pieces on the back rank in another order.
fn is_of_chess(board: &Board) -> bool {
    const ORDER: [Role; 8] =
        [Role::Rook, Role::Knight, Role::Bishop, Role::Queen, Role::King, Role::Bishop, Role::Knight, Role::Rook];
    let is_other = |color: Color| {
        let pieces = (0..8).map(|file| board.piece_on(Square::from_coords(file, color.back_rank())));
        let own = pieces.map(|piece| piece.filter(|piece| piece.color == color));
        let rank: Vec<Option<Role>> = own.map(|piece| piece.map(|piece| piece.role)).collect();
        let mut sorted: Vec<u8> = rank.iter().flatten().map(|role| *role as u8).collect();
        let mut all = ORDER.map(|role| role as u8);
        sorted.sort_unstable();
        all.sort_unstable();
        sorted == all && rank != ORDER.map(Some)
    };
    !board.is_chess960() && !Color::ALL.into_iter().any(is_other)
}

/// Returns the number of bishops that were captured on their home square and replaced by promotion. If the pawns that
/// shut in a bishop have not moved, a bishop on another square of the same colour must be a promoted pawn.
fn count_replaced_bishops(board: &Board, color: Color) -> u64 {
    let own = |square: u32| if color == Color::White { Square::new(square) } else { Square::new(square).flip() };
    let (pawns, bishops) = (board.pieces(color, Role::Pawn), board.pieces(color, Role::Bishop));
    let is_shut = |shutters: [u32; 2]| shutters.into_iter().all(|square| pawns.has(own(square)));
    let replaced = SHUT_IN.into_iter().filter(|&(home, shutters)| {
        let alike = if LIGHT.has(own(home)) { LIGHT } else { !LIGHT };
        is_shut(shutters) && !bishops.has(own(home)) && (bishops & alike).any()
    });
    replaced.count() as u64
}

fn too_many_captures(board: &Board) -> Option<String> {
    Color::ALL.into_iter().find_map(|color| {
        let name = color.name();
        let pawns = board.pieces(color, Role::Pawn).count();
        let replaced = if is_of_chess(board) { count_replaced_bishops(board, color) } else { 0 };
        let promoted = count_promoted(board, color) + replaced;
        if pawns + promoted > 8 {
            return Some(format!("a bishop of {name} is not on its home square, and its pawns never let it out"));
        }
        let (needed, missing) = (min_pawn_captures(board, color), 16 - board.color(!color).count());
        (needed > missing).then(|| {
            let (captures, pieces) = (quantity(needed, "pawn capture"), quantity(missing, "enemy piece"));
            format!("{name} needs {captures}, but only {pieces} {} missing", if missing == 1 { "is" } else { "are" })
        })
    })
}

/// Returns the squares from which the piece on `square` can have made the last move, given the occupancy after it.
fn origins(board: &Board, square: Square) -> Bitboard {
    let level = V1::token();
    let (us, occupied) = (!board.turn(), board.occupied());
    let (up, double, last) = if us == Color::White { (8, 2, 7) } else { (-8, 5, 0) };
    let behind = |square: Square| Square::new((square.index() as i32 - up) as u32);
    let pawn_origins = |square: Square| {
        let below = behind(square);
        let beside = attacks::king(below) & Bitboard::rank(below.rank());
        let pushed =
            Bitboard::from(below) | if below.rank() == double { behind(below).into() } else { Bitboard::EMPTY };
        (beside | pushed) & !occupied
    };
    let by_promotion = if square.rank() == last { pawn_origins(square) } else { Bitboard::EMPTY };
    let moved = match board.piece_on(square).expect("a piece that gives check").role {
        Role::Pawn => return pawn_origins(square),
        Role::Knight => attacks::knight(square),
        Role::Bishop => attacks::bishop(level, square, occupied),
        Role::Rook => attacks::rook(level, square, occupied),
        Role::Queen => attacks::bishop(level, square, occupied) | attacks::rook(level, square, occupied),
        Role::King => attacks::king(square),
    };
    (moved | by_promotion) & !occupied
}

/// Describes a check that no single move can have given.
fn unexplained_check(board: &Board) -> Option<String> {
    let (checkers, them) = (board.checkers(V1::token()), !board.turn());
    let king = board.king(board.turn());
    let home = if them == Color::White { 1 } else { 6 };
    if let Some(pawn) = (checkers & board.role(Role::Pawn) & Bitboard::rank(home)).into_iter().next() {
        return Some(format!("the pawn on {pawn} gives check, and has never moved"));
    }
    let mut squares = checkers.into_iter();
    let (Some(first), Some(second)) = (squares.next(), squares.next()) else { return None };
    // The result is empty for a checker that is not a slider.
    let uncovered = |slider: Square| attacks::through(king, slider) & !Bitboard::from(slider);
    let uncovers = |mover: Square, slider: Square| {
        ((origins(board, mover) | en_passant_victim(board, mover)) & uncovered(slider)).any()
    };
    let both_uncovered = || {
        board.pieces(them, Role::Pawn).into_iter().any(|pawn| {
            let (gone, came) = (en_passant_victim(board, pawn), origins(board, pawn));
            let [one, other] = [first, second].map(uncovered);
            (one & gone).any() && (other & came).any() || (other & gone).any() && (one & came).any()
        })
    };
    let is_explained = uncovers(first, second) || uncovers(second, first) || both_uncovered();
    (!is_explained).then(|| format!("no move gives check from {first} and {second} at once"))
}

/// If the piece on `pawn` can have made the last move by capturing en passant, returns the square of the captured pawn.
/// Otherwise, returns an empty set.
fn en_passant_victim(board: &Board, pawn: Square) -> Bitboard {
    let rank = Bitboard::rank(if board.turn() == Color::Black { 5 } else { 2 });
    let may_have_captured = (board.role(Role::Pawn) & rank).has(pawn);
    let victims = if may_have_captured { pawn.en_passant_partner().into() } else { Bitboard::EMPTY };
    victims & !board.occupied()
}
