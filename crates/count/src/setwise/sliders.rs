//! The replier's sliders: their moves, the moves that they lose when a piece enters a square, and those that they gain
//! when one leaves.
//!
//! On a line through a slider, at most seven squares are attacked. A piece that enters the one at distance `i` of `n` in its
//! direction leaves `i + 1` of the `n` moves there: `n − 1 − i` are lost. PEXT gathers the arrivals along the line, and a table
//! holds the sum of the losses. If the mover captures a piece that the slider defends, it may recapture: a move is gained.
//!
//! **Worked example.** A rook on a8, the a-file below it empty, arrivals on a7 and a3: the seven southward squares are
//! a1 … a7 in the order of their bits, the gathered arrivals `100_0100`, the losses 6 and 2, their sum 8.

use super::arrivals::Arrivals;
use super::parent::Parent;
use super::pins::PinsAndDiscoveries;
use perft_gate_simd::Token;
use perft_gate_walk::chess::attacks::Lines;
use perft_gate_walk::chess::{Bitboard, SidePieces, Square, attacks};

/// A rook, a bishop, or one half of a queen.
#[derive(Clone, Copy)]
struct Slider {
    square: Square,
    /// The squares that it attacks, without those off its pin.
    reach: Bitboard,
}

/// Room for the halves of fifteen queens.
const ROOM: usize = 32;

/// The replier's sliders that can move.
pub(super) struct Sliders {
    /// Bishops and queens first, from `diagonal` on rooks and queens.
    sliders: [Slider; ROOM],
    diagonal: usize,
    number: usize,
    /// The replier and the occupied squares for which this was found.
    replier: SidePieces,
    occupied: Bitboard,
    /// True if no slider was pinned.
    free: bool,
    /// The squares of the sliders.
    squares: Bitboard,
    /// Number of moves.
    pub(super) moves: u64,
    /// The squares that they attack along lines on which they may move.
    pub(super) reach: Bitboard,
    /// All squares that they attack.
    pub(super) attacked: Bitboard,
}

/// The sums of losses along a line: by the number of attacked squares below the slider, by the number of all, and by the
/// set of entered squares, gathered.
static LINE_LOSSES: [[[u8; 128]; 8]; 8] = {
    let mut table = [[[0; 128]; 8]; 8];
    let mut below = 0;
    while below < 8 {
        let mut squares = below;
        while squares < 8 {
            let mut entered = 0;
            while entered < 1 << squares {
                let mut at = 0;
                while at < squares {
                    if entered >> at & 1 != 0 {
                        table[below][squares][entered] += if at < below { at } else { squares - 1 - at } as u8;
                    }
                    at += 1;
                }
                entered += 1;
            }
            squares += 1;
        }
        below += 1;
    }
    table
};

impl Sliders {
    pub(super) const fn new() -> Sliders {
        let none = Slider { square: Square::A1, reach: Bitboard::EMPTY };
        Sliders {
            sliders: [none; ROOM],
            diagonal: 0,
            number: 0,
            replier: SidePieces::NONE,
            occupied: Bitboard::EMPTY,
            free: false,
            squares: Bitboard::EMPTY,
            moves: 0,
            reach: Bitboard::EMPTY,
            attacked: Bitboard::EMPTY,
        }
    }

    /// Finds the sliders of a parent's replier.
    #[inline(always)]
    pub(super) fn find<L: Token>(&mut self, level: L, parent: &Parent<'_>, lines: &PinsAndDiscoveries) {
        let Parent { replier, occupied, .. } = parent;
        let free = (lines.pinned & (replier.diagonal | replier.orthogonal)).is_empty();
        let changed = self.replier.diagonal ^ replier.diagonal
            | self.replier.orthogonal ^ replier.orthogonal
            | (self.replier.all ^ replier.all | self.occupied ^ *occupied) & self.reach;
        if free && self.free && changed.is_empty() {
            note!(SlidersKept, 1);
            return;
        }
        (self.replier, self.occupied, self.free) = (*replier, *occupied, free);
        let (mut reach, mut moves, mut number) = (Bitboard::EMPTY, 0, 0);
        for square in replier.diagonal {
            let slider = Slider { square, reach: attacks::bishop(level, square, *occupied) };
            self.sliders[number & (ROOM - 1)] = slider;
            number += 1;
            reach |= slider.reach;
            moves += (slider.reach & !replier.all).count();
        }
        self.diagonal = number;
        self.squares = replier.diagonal | replier.orthogonal;
        for square in replier.orthogonal {
            let slider = Slider { square, reach: attacks::rook(level, square, *occupied) };
            self.sliders[number & (ROOM - 1)] = slider;
            number += 1;
            reach |= slider.reach;
            moves += (slider.reach & !replier.all).count();
        }
        (self.number, self.moves, self.reach, self.attacked) = (number, moves, reach, reach);
        if !free {
            self.keep_pins(lines, replier.all);
        }
    }

    /// Limits the moves of pinned sliders to their pins.
    #[inline(always)]
    fn keep_pins(&mut self, lines: &PinsAndDiscoveries, own: Bitboard) {
        (self.reach, self.moves) = (Bitboard::EMPTY, 0);
        for at in 0..self.number {
            let slider = &mut self.sliders[at & (ROOM - 1)];
            if lines.pinned.has(slider.square) {
                slider.reach &= lines.line_of(slider.square.into());
            }
            self.reach |= slider.reach;
            self.moves += (slider.reach & !own).count();
        }
    }

    /// Returns the moves that are lost over all arrivals, less those that are gained.
    #[inline(always)]
    pub(super) fn lost<L: Token>(&self, level: L, own: Bitboard, arrivals: &Arrivals) -> i64 {
        let any = arrivals.any();
        if (any & (self.reach | own)).is_empty() {
            return 0;
        }
        let mut lost = 0;
        note!(LineLoss, arrivals.within(self.reach & !own));
        note!(SliderRecaptures, arrivals.within(self.reach & own));
        note!(SliderCaptured, arrivals.within(own & self.squares));
        for at in 0..self.number {
            let Slider { square, reach } = self.sliders[at & (ROOM - 1)];
            let moves = reach & !own;
            // Both lines if any square is entered: a branch for each line would be predicted badly.
            if (any & moves).any() {
                let Lines { file, rank, diagonal, antidiagonal } = *attacks::lines_through(square);
                let (a, b) = if at < self.diagonal { (diagonal, antidiagonal) } else { (file, rank) };
                lost += line_losses(level, square, moves & Bitboard(a), arrivals);
                lost += line_losses(level, square, moves & Bitboard(b), arrivals);
            }
        }
        let captured = any & own;
        if (captured & self.reach).any() {
            for slider in &self.sliders[..self.number.min(ROOM)] {
                // It recaptures.
                lost -= arrivals.within(slider.reach & captured);
            }
        }
        for square in captured & self.squares {
            for slider in &self.sliders[..self.number.min(ROOM)] {
                if slider.square == square {
                    lost += (slider.reach & !own).count() as i64 * arrivals.on(square);
                }
            }
        }
        lost
    }

    /// Returns the moves that are gained over some moves of one piece, by its leaving alone.
    #[inline(always)]
    pub(super) fn gained<L: Token>(
        &self,
        level: L,
        parent: &Parent<'_>,
        lines: &PinsAndDiscoveries,
        from: Square,
        to: Bitboard,
    ) -> i64 {
        let (bit, own) = (Bitboard::from(from), parent.replier.all);
        let occupied = parent.occupied ^ bit;
        let mut gained = 0;
        for at in 0..self.number {
            let Slider { square, reach } = self.sliders[at & (ROOM - 1)];
            if (reach & bit).is_empty() {
                continue;
            }
            let mut longer = match at < self.diagonal {
                true => attacks::bishop(level, square, occupied),
                false => attacks::rook(level, square, occupied),
            };
            if lines.pinned.has(square) {
                longer &= lines.line_of(square.into());
                note!(PinnedSliderOpened, (longer & !reach).any());
            }
            note!(SliderOpened, (longer & !reach & !own).any());
            // The squares beyond the one that is left.
            let opened = longer & !reach;
            // A piece that stays between the two squares, or captures the slider, opens nothing.
            let elsewhere = to & !attacks::through(from, square);
            gained += ((opened & !own).count() * elsewhere.count()) as i64;
            for entered in opened & to {
                let beyond = match square.index() < from.index() {
                    true => Bitboard(!1 << entered.index()),
                    false => Bitboard((1 << entered.index()) - 1),
                };
                gained -= (opened & beyond & !own).count() as i64;
            }
            gained += (opened & to & own).count() as i64;
        }
        gained
    }
}

/// Returns the moves that a slider loses along one line, given its moves there.
#[inline(always)]
fn line_losses<L: Token>(level: L, square: Square, line: Bitboard, arrivals: &Arrivals) -> i64 {
    let below = line.0 & ((1 << square.index()) - 1);
    let sums = &LINE_LOSSES[below.count_ones() as usize & 7][line.count() as usize & 7];
    let [ones, twos, fours, eights] = arrivals.0.map(|plane| plane & line);
    let sum = |entered: Bitboard| match L::FAST_PEXT {
        true => i64::from(sums[level.pext(entered.0, line.0) as usize & 127]),
        false => {
            let mut sum = 0;
            for at in entered {
                let beyond = if at.index() < square.index() { (1 << at.index()) - 1 } else { !1 << at.index() };
                sum += i64::from((line.0 & beyond).count_ones());
            }
            sum
        }
    };
    let mut lost = sum(ones) + 2 * sum(twos);
    if (fours | eights).any() {
        lost += 4 * sum(fours) + 8 * sum(eights);
    }
    lost
}
