//! The attacks and moves of the mover's pieces other than pawns.

use perft_gate_chess::{Bitboard, Legality, Side, SidePieces, Square, White, attacks};
use perft_gate_simd::{Token, inline_all};

/// A type of piece other than a pawn.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) enum PieceKind {
    Knight,
    Bishop,
    Rook,
    Queen,
    #[default]
    King,
}

#[inline_all]
impl PieceKind {
    pub(super) const NUMBER: usize = 5;

    /// Selects `knight`, `bishop` or `rook` by piece type. For a queen, both `bishop` and `rook` are selected, and for
    /// a king none of the three.
    pub(super) fn select(self, knight: Bitboard, bishop: Bitboard, rook: Bitboard) -> Bitboard {
        // Uses a table of masks instead of branches, because the type of the next piece is hard to predict.
        const MOVES_AS: [[u64; 3]; PieceKind::NUMBER] = [[!0, 0, 0], [0, !0, 0], [0, 0, !0], [0, !0, !0], [0, 0, 0]];
        let [as_knight, as_bishop, as_rook] = MOVES_AS[self as usize].map(Bitboard);
        knight & as_knight | bishop & as_bishop | rook & as_rook
    }

    pub(super) fn is_slider(self) -> bool {
        matches!(self, PieceKind::Bishop | PieceKind::Rook | PieceKind::Queen)
    }

    pub(super) fn attacks<L: Token>(self, level: L, square: Square, occupied: Bitboard) -> Bitboard {
        match self {
            PieceKind::Knight => attacks::knight(square),
            PieceKind::Bishop => attacks::bishop(level, square, occupied),
            PieceKind::Rook => attacks::rook(level, square, occupied),
            PieceKind::Queen => attacks::bishop(level, square, occupied) | attacks::rook(level, square, occupied),
            PieceKind::King => attacks::king(square),
        }
    }
}

/// A piece of the mover that can move.
#[derive(Clone, Copy, Default)]
pub(super) struct MovablePiece {
    pub(super) attacks: Bitboard,
    pub(super) to: Bitboard,
    pub(super) from: Square,
    pub(super) kind: PieceKind,
}

/// The squares that the mover's pieces attack.
#[derive(Clone, Copy, Default)]
pub(super) struct Attacked {
    pub(super) any: Bitboard,
    /// Squares attacked at least twice.
    pub(super) twice: Bitboard,
    /// Squares that rooks and queens attack along ranks and files.
    pub(super) on_lines: Bitboard,
    /// Squares that bishops and queens attack along diagonals.
    pub(super) on_diagonals: Bitboard,
}

/// Maximum number of pieces, including the king but not pawns, for which four bits are enough to hold the number of
/// moves to one square.
pub(super) const MAX_PIECES_SUMMED: u64 = 13;

const ROOM: usize = 16;

/// The mover's pieces that can move, without pawns.
///
/// Siblings differ in a few squares, and the mover's pieces are the same except for captures. So the attacks and moves
/// found are kept, and are recomputed only if a piece of the mover was captured or a line of its sliders has changed.
/// Between positions that are not siblings, call [`Pieces::forget`].
#[derive(Default)]
pub(super) struct Pieces {
    /// The king is last, if it can move.
    pieces: [MovablePiece; ROOM],
    number: usize,
    /// Number of movable pieces other than the king.
    others: usize,
    pub(super) attacked: Attacked,
    /// The state for which `pieces` and `attacked` hold: the squares of the mover's pieces, and the occupied squares.
    squares: Bitboard,
    occupied: Bitboard,
    /// True if the results may be used for a sibling, because no check or pin limited the moves of the pieces.
    keeps: bool,
}

#[inline_all]
impl Pieces {
    /// Discards the attacks and moves found, because the next position is not a sibling of the last one.
    pub(super) fn forget(&mut self) {
        self.keeps = false;
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &MovablePiece> {
        self.pieces[..self.number & (ROOM - 1)].iter()
    }

    fn push(&mut self, at: &mut usize, piece: MovablePiece) {
        if piece.to.any() {
            self.pieces[*at & (ROOM - 1)] = piece;
            *at += 1;
        }
    }

    /// Finds the attacks and moves of a side's pieces.
    pub(super) fn find<L: Token>(&mut self, level: L, mover: &SidePieces, legality: &Legality) {
        let pins = (legality.orthogonal_pins | legality.diagonal_pins) & mover.all & !mover.pawns;
        let free = legality.check_mask == Bitboard::ALL && pins.is_empty();
        let lines = self.attacked.on_lines | self.attacked.on_diagonals;
        let changed = self.squares ^ mover.all | (self.occupied ^ legality.occupied) & lines;
        if free && self.keeps && changed.is_empty() {
        } else {
            self.find_others(level, mover, legality, pins);
            (self.squares, self.occupied, self.keeps) = (mover.all, legality.occupied, free);
        }
        let (from, mut at) = (legality.king, self.others);
        let attacks = attacks::king(from);
        let to = attacks & !mover.all & !legality.attacked;
        self.push(&mut at, MovablePiece { from, attacks, to, kind: PieceKind::King });
        self.number = at;
    }

    fn find_others<L: Token>(&mut self, level: L, mover: &SidePieces, legality: &Legality, pins: Bitboard) {
        let SidePieces { knights, diagonal, orthogonal, .. } = *mover;
        let occupied = legality.occupied;
        let targets = if legality.double_check { Bitboard::EMPTY } else { !mover.all & legality.check_mask };
        let (mut any, mut twice) = (Bitboard::EMPTY, Bitboard::EMPTY);
        let (mut on_lines, mut on_diagonals) = (Bitboard::EMPTY, Bitboard::EMPTY);
        let mut at = 0;
        for from in knights {
            let attacks = attacks::knight(from);
            (any, twice) = (any | attacks, twice | any & attacks);
            self.push(&mut at, MovablePiece { from, attacks, to: attacks & targets, kind: PieceKind::Knight });
        }
        for from in diagonal & !orthogonal {
            let attacks = attacks::bishop(level, from, occupied);
            on_diagonals |= attacks;
            (any, twice) = (any | attacks, twice | any & attacks);
            self.push(&mut at, MovablePiece { from, attacks, to: attacks & targets, kind: PieceKind::Bishop });
        }
        for from in orthogonal & !diagonal {
            let attacks = attacks::rook(level, from, occupied);
            on_lines |= attacks;
            (any, twice) = (any | attacks, twice | any & attacks);
            self.push(&mut at, MovablePiece { from, attacks, to: attacks & targets, kind: PieceKind::Rook });
        }
        for from in diagonal & orthogonal {
            let (along, across) = (attacks::rook(level, from, occupied), attacks::bishop(level, from, occupied));
            (on_lines, on_diagonals) = (on_lines | along, on_diagonals | across);
            let attacks = along | across;
            (any, twice) = (any | attacks, twice | any & attacks);
            self.push(&mut at, MovablePiece { from, attacks, to: attacks & targets, kind: PieceKind::Queen });
        }
        let attacks = attacks::king(legality.king);
        (any, twice) = (any | attacks, twice | any & attacks);
        if pins.any() {
            self.keep_pins(level, mover, legality, at);
        }
        self.others = at;
        let (west, east) = (White::attacks_west(mover.pawns), White::attacks_east(mover.pawns));
        self.attacked = Attacked {
            any: any | west | east,
            twice: twice | any & (west | east) | west & east,
            on_lines,
            on_diagonals,
        };
    }

    /// Limits the moves of pinned pieces to the lines of their pins.
    fn keep_pins<L: Token>(&mut self, level: L, mover: &SidePieces, legality: &Legality, number: usize) {
        let Legality { orthogonal_pins, diagonal_pins, occupied, .. } = *legality;
        for at in 0..number {
            let piece = &mut self.pieces[at & (ROOM - 1)];
            // A pinned piece moves along its pin like a rook or like a bishop, and it cannot reach the ray of another
            // pin of the same kind.
            if orthogonal_pins.has(piece.from) {
                let along = match mover.orthogonal.has(piece.from) {
                    true => attacks::rook(level, piece.from, occupied),
                    false => Bitboard::EMPTY,
                };
                piece.to &= along & orthogonal_pins;
            } else if diagonal_pins.has(piece.from) {
                let across = match mover.diagonal.has(piece.from) {
                    true => attacks::bishop(level, piece.from, occupied),
                    false => Bitboard::EMPTY,
                };
                piece.to &= across & diagonal_pins;
            }
        }
    }
}
