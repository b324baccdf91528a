//! The orders in which files have their keys.

use super::axes::{Axes, Castling, ClockKeys, Combine, EnPassantKeys, Side, Width};
use perft_gate_chess::EnPassantPolicy;

/// The order of the keys in a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Layout {
    /// 12 × 64 in the order White P N B R Q K, Black; castling K Q k q; e.p. files; Black to move.
    Cpw781,
    /// The order of `cpw781`, with 16 castling keys.
    Cpw793,
    /// Rustic's: White K Q R B N P, Black; 16 castling; two sides; 65 e.p. squares.
    Rustic851,
    /// The Polyglot specification's: black pawn, white pawn, …; castling; e.p. files; White to move.
    Polyglot,
    /// Stockfish 15.1's draw: 12 × 64 as `cpw793`; e.p. files; 16 castling; side; one for no pawns, not of this key.
    Stockfish15,
}

impl Layout {
    /// Every layout.
    pub const ALL: [Layout; 5] =
        [Layout::Cpw781, Layout::Cpw793, Layout::Rustic851, Layout::Polyglot, Layout::Stockfish15];

    /// Returns the layout of a file that can hold the keys of these axes. The en-passant policy is not stored in a file: a
    /// layout has a policy of its own when it is read.
    pub fn of(axes: &Axes) -> Option<Layout> {
        let castling = if axes.castling == Castling::C4x16 { Castling::C4 } else { axes.castling };
        let holds = |layout: &Layout| {
            let held = layout.axes();
            (castling, axes.en_passant, axes.side) == (held.castling, held.en_passant, held.side)
        };
        if (axes.combine, axes.width, axes.clock) != (Combine::Xor, Width::W64, ClockKeys::None) {
            return None;
        }
        // Stockfish's layout has a number that is in no key.
        Layout::ALL.into_iter().filter(|&layout| layout != Layout::Stockfish15).find(holds)
    }
    /// Returns the name in a file's header.
    pub const fn name(self) -> &'static str {
        match self {
            Layout::Cpw781 => "cpw781",
            Layout::Cpw793 => "cpw793",
            Layout::Rustic851 => "rustic851",
            Layout::Polyglot => "polyglot",
            Layout::Stockfish15 => "stockfish-15.1",
        }
    }

    /// Returns the number of keys in a file.
    pub const fn number_of_keys(self) -> usize {
        match self {
            Layout::Cpw781 | Layout::Polyglot => 781,
            Layout::Cpw793 => 793,
            Layout::Rustic851 => 851,
            Layout::Stockfish15 => 794,
        }
    }

    /// Returns the axes of the scheme that the keys belong to.
    pub const fn axes(self) -> Axes {
        let cpw = Axes::CPW793;
        match self {
            Layout::Cpw781 => Axes { castling: Castling::C4, ..cpw },
            Layout::Cpw793 => cpw,
            Layout::Rustic851 => {
                Axes { en_passant: EnPassantKeys::E65, policy: EnPassantPolicy::Always, side: Side::S2, ..cpw }
            }
            Layout::Polyglot => {
                Axes { castling: Castling::C4, policy: EnPassantPolicy::Pseudo, side: Side::S1w, ..cpw }
            }
            // Stockfish 15.1 keeps the square even if the capturer is pinned.
            Layout::Stockfish15 => Axes { policy: EnPassantPolicy::Pseudo, ..cpw },
        }
    }
}
