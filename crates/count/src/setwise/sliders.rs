//! The replier's sliders: their moves, the moves lost when a piece enters a square, and the moves gained when a piece
//! leaves a square.
//!
//! A slider attacks at most seven squares on a line. Number its `n` target squares in one direction from 0, nearest
//! first. A piece that enters square `i` leaves the slider `i + 1` of the `n` moves, so `n − 1 − i` are lost. PEXT
//! gathers the arrivals along the line into an index, and a table holds the sum of the losses for each index. If the
//! mover captures a piece that the slider defends, the slider can recapture: one move is gained.
//!
//! **Worked example.** A rook is on a8, the a-file below it is empty, and one move ends on a7, another on a3. The seven
//! attacked squares are a1 to a7 in bit order, so PEXT gives `100_0100`. The losses are 6 and 2 replies, 8 in total.

use super::arrivals::Arrivals;
use super::parent::ParentSets;
use super::pins::PinsAndDiscoveries;
use perft_gate_chess::{Bitboard, Lines, SidePieces, Square, attacks};
use perft_gate_simd::{Token, inline_all};

/// A rook, a bishop, or one half of a queen.
#[derive(Clone, Copy, Default)]
struct Slider {
    square: Square,
    /// The attacked squares; if the slider is pinned, only those on the line of the pin.
    reach: Bitboard,
}

/// Capacity of [`Sliders`], enough for both halves of fifteen queens.
const ROOM: usize = 32;

/// The replier's sliders and their moves, which are kept from one position to the next while they remain valid.
#[derive(Default)]
pub(super) struct Sliders {
    /// Diagonal sliders come first, then orthogonal ones from index `diagonal` on. Queens appear twice.
    sliders: [Slider; ROOM],
    diagonal: usize,
    number: usize,
    /// The state for which the results are valid: the replier's diagonal and orthogonal sliders, all its pieces, and
    /// the occupied squares.
    on_diagonals: Bitboard,
    on_lines: Bitboard,
    own: Bitboard,
    occupied: Bitboard,
    /// True if no slider was pinned.
    free: bool,
    squares: Bitboard,
    pub(super) moves: u64,
    /// The squares that the sliders attack; for a pinned slider, only those on the line of its pin.
    pub(super) reach: Bitboard,
    pub(super) attacked: Bitboard,
}

/// Sums of the moves that a slider loses along a line. The indices are the number of targets with lower square numbers
/// than the slider, the total number of targets, and the entered targets, gathered by PEXT.
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

#[inline_all]
impl Sliders {
    /// Finds the replier's sliders, unless the last results are still valid.
    pub(super) fn find<L: Token>(&mut self, level: L, parent: &ParentSets<'_>, lines: &PinsAndDiscoveries) {
        let ParentSets { replier, occupied, .. } = parent;
        let free = (lines.pinned & (replier.diagonal | replier.orthogonal)).is_empty();
        let changed = self.on_diagonals ^ replier.diagonal
            | self.on_lines ^ replier.orthogonal
            | (self.own ^ replier.all | self.occupied ^ *occupied) & self.reach;
        if free && self.free && changed.is_empty() {
            return;
        }
        (self.on_diagonals, self.on_lines) = (replier.diagonal, replier.orthogonal);
        (self.own, self.occupied, self.free) = (replier.all, *occupied, free);
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

    /// Limits the moves of pinned sliders to the lines of their pins.
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

    /// Returns the number of slider moves lost because arriving pieces block lines.
    pub(super) fn arrival_losses<L: Token>(&self, level: L, own: Bitboard, arrivals: &Arrivals) -> i64 {
        let entered = arrivals.any() & self.reach & !own;
        if entered.is_empty() {
            return 0;
        }
        // Finds the blocked sliders without a branch for each slider, because such branches would be hard to predict.
        let mut met = 0;
        for at in 0..self.number {
            met |= u64::from((self.sliders[at & (ROOM - 1)].reach & entered).any()) << at;
        }
        let mut lost = 0;
        for at in Bitboard(met) {
            let Slider { square, reach } = self.sliders[at.index() & (ROOM - 1)];
            let moves = reach & !own;
            let Lines { file, rank, diagonal, antidiagonal } = *attacks::lines_through(square);
            let (a, b) = if at.index() < self.diagonal { (diagonal, antidiagonal) } else { (file, rank) };
            lost += line_losses(level, square, moves & Bitboard(a), arrivals);
            lost += line_losses(level, square, moves & Bitboard(b), arrivals);
        }
        lost
    }

    /// Returns the number of moves lost when sliders are captured, minus the number of recaptures that sliders gain.
    pub(super) fn capture_losses(&self, own: Bitboard, arrivals: &Arrivals) -> i64 {
        let captured = arrivals.any() & own;
        let mut lost = 0;
        if (captured & self.reach).any() {
            for slider in &self.sliders[..self.number.min(ROOM)] {
                lost -= arrivals.within(slider.reach & captured);
            }
        }
        if (captured & self.squares).any() {
            for &Slider { square, reach } in &self.sliders[..self.number.min(ROOM)] {
                lost += (reach & !own).count() as i64 * arrivals.on(square);
            }
        }
        lost
    }

    /// Returns the number of slider moves gained when a piece leaves `from`, summed over its targets `to`.
    ///
    /// A slider that sees the piece gains the squares beyond it, as far as the piece itself can see in that direction.
    pub(super) fn vacating_gains<L: Token>(
        &self,
        level: L,
        parent: &ParentSets<'_>,
        lines: &PinsAndDiscoveries,
        from: Square,
        to: Bitboard,
    ) -> i64 {
        let ParentSets { replier, occupied, .. } = parent;
        let Lines { file, rank, diagonal, antidiagonal } = *attacks::lines_through(from);
        let (seen, along) = (attacks::rook(level, from, *occupied), [file, rank]);
        let mut gained = line_gains(lines, replier, from, to, (seen, along), seen & replier.orthogonal);
        let (seen, along) = (attacks::bishop(level, from, *occupied), [diagonal, antidiagonal]);
        gained += line_gains(lines, replier, from, to, (seen, along), seen & replier.diagonal);
        gained
    }
}

/// Returns the number of moves that the given sliders gain when a piece leaves `from`, summed over its targets `to`.
/// `seen` holds the squares that the piece sees along the lines `a` and `b`, on which the sliders stand.
#[inline(always)]
fn line_gains(
    lines: &PinsAndDiscoveries,
    replier: &SidePieces,
    from: Square,
    to: Bitboard,
    (seen, [a, b]): (Bitboard, [u64; 2]),
    sliders: Bitboard,
) -> i64 {
    let mut gained = 0;
    for square in sliders {
        if lines.pinned.has(square) && (lines.line_of(square.into()) & from.into()).is_empty() {
            continue;
        }
        let line = seen & Bitboard(if Bitboard(a).has(square) { a } else { b });
        let above = Bitboard(!1 << from.index());
        let up = square.index() < from.index();
        // The squares on the far side of `from`, and those from `from` to the slider.
        let (opened, towards) = if up { (line & above, line & !above) } else { (line & !above, line & above) };
        // A piece that moves towards the slider, or captures it, opens nothing.
        gained += ((opened & !replier.all).count() * (to & !towards).count()) as i64;
        for entered in opened & to {
            let beyond = if up { Bitboard(!1 << entered.index()) } else { Bitboard((1 << entered.index()) - 1) };
            gained -= (opened & beyond & !replier.all).count() as i64;
        }
        gained += (opened & to & replier.all).count() as i64;
    }
    gained
}

/// Returns the number of moves that a slider loses along one line. `line` holds its targets on that line.
#[inline(always)]
fn line_losses<L: Token>(level: L, square: Square, line: Bitboard, arrivals: &Arrivals) -> i64 {
    let below = line.0 & ((1 << square.index()) - 1);
    let sums = &LINE_LOSSES[below.count_ones() as usize & 7][line.count() as usize & 7];
    let [ones, twos, fours, eights] = arrivals.0;
    let sum = |entered: Bitboard| match level.fast_pext() {
        true => i64::from(sums[level.pext(entered.0, line.0) as usize & 127]),
        false => {
            let mut sum = 0;
            for at in entered & line {
                let beyond = if at.index() < square.index() { (1 << at.index()) - 1 } else { !1 << at.index() };
                sum += i64::from((line.0 & beyond).count_ones());
            }
            sum
        }
    };
    let mut lost = sum(ones) + 2 * sum(twos);
    // The condition is the same for all lines of a node, so the branch predicts well.
    if (fours | eights).any() {
        lost += 4 * sum(fours) + 8 * sum(eights);
    }
    lost
}

#[cfg(test)]
mod tests {
    use super::{LINE_LOSSES, line_losses};
    use crate::setwise::arrivals::Arrivals;
    use perft_gate_chess::{Bitboard, Square};
    use perft_gate_simd::{Level, Token, kernel};

    fn arrivals(set: Bitboard, times: usize) -> Arrivals {
        let mut arrivals = Arrivals::default();
        (0..times).for_each(|_| arrivals.add(set));
        arrivals
    }

    #[kernel]
    fn losses_on_line<L: Token>(level: L, slider: Square, line: Bitboard, arrivals: Arrivals) -> i64 {
        line_losses(level, slider, line, &arrivals)
    }

    /// Returns the squares in one direction from a slider, nearest first.
    fn ray(from: Square, (files, ranks): (i32, i32)) -> Vec<Square> {
        let (file, rank) = (from.index() as i32 % 8, from.index() as i32 / 8);
        (1..8)
            .map(|steps| (file + steps * files, rank + steps * ranks))
            .take_while(|(file, rank)| (0..8).contains(file) && (0..8).contains(rank))
            .map(|(file, rank)| Square::new((rank * 8 + file) as u32))
            .collect()
    }

    #[test]
    fn line_losses_are_those_of_every_square() {
        let mut compared = 0;
        for slider in (0..64).map(Square::new) {
            for (files, ranks) in [(1, 0), (0, 1), (1, 1), (-1, 1)] {
                // Squares with higher numbers than the slider's square, and those with lower numbers.
                let (up, down) = (ray(slider, (files, ranks)), ray(slider, (-files, -ranks)));
                for (above, below) in (0..=up.len()).flat_map(|up| (0..=down.len()).map(move |down| (up, down))) {
                    let ways = [&up[..above], &down[..below]];
                    let mut squares: Vec<(Square, usize)> = ways
                        .iter()
                        .flat_map(|way| way.iter().enumerate().map(|(at, &square)| (square, way.len() - 1 - at)))
                        .collect();
                    squares.sort_by_key(|(square, _)| square.index());
                    let line: Bitboard = squares.iter().map(|(square, _)| *square).collect();
                    for (subset, &found) in LINE_LOSSES[below][squares.len()].iter().enumerate() {
                        if subset >> squares.len() != 0 {
                            // The line has fewer squares than this subset needs.
                            assert_eq!(found, 0);
                            break;
                        }
                        let chosen = || (0..squares.len()).filter(|at| subset >> at & 1 != 0).map(|at| squares[at]);
                        let expected: usize = chosen().map(|(_, loss)| loss).sum();
                        assert_eq!(usize::from(found), expected, "slider {slider}, line {line:?}, subset {subset:b}");
                        let entered: Bitboard = chosen().map(|(square, _)| square).collect();
                        // Arrivals on squares outside the line cause no losses along it.
                        for (level, times) in Level::all().into_iter().zip([1, 15, 6, 13]) {
                            let arrivals = arrivals(entered | !line, times);
                            let found = losses_on_line(level, slider, line, arrivals);
                            assert_eq!(
                                found,
                                (times * expected) as i64,
                                "level {level}, slider {slider}, line {line:?}, {entered:?} entered {times} times"
                            );
                        }
                        compared += 1;
                    }
                }
            }
        }
        assert!(compared > 60_000, "{compared} subsets compared");
    }
}
