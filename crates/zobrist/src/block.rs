//! Blocks of boards that are hashed many times, with one key table after another.
//!
//! Their [kernels](super::kernels) begin with a matrix transposition that does not depend on the keys: it is done once. A board takes 34 bytes, 32 of them its squares. Keys are complete and have up to 64 bits; the keys of
//! castling, en passant and side are looked up board by board.

use super::kernels::{BLOCK, pieces_of_squares, squares_of};
use crate::axes::Combine;
use crate::key_table::KeyTable;
use crate::key_tables::KeyTables;
use perft_gate_chess::{Board, EnPassantPolicy};
use perft_gate_simd::{Level, Quad, Token, kernel};

/// A block of 32 boards, ready to be hashed.
#[derive(Clone, Debug)]
pub struct Block {
    squares: [Quad; 32],
    rights_and_turns: [u8; BLOCK],
    en_passant: [u8; BLOCK],
}

impl Block {
    /// Makes a block of these boards, at most 32, with their en-passant squares as the policy counts them. Places that are
    /// left over hold the first board again, so that they add no new key. **Panics** if there is no board.
    pub fn of(level: Level, boards: &[Board], policy: EnPassantPolicy) -> Block {
        let board = |at: usize| boards.get(at).unwrap_or(&boards[0]);
        let mailboxes = std::array::from_fn(|at| *board(at).mailbox());
        Block {
            squares: transpose(level, &mailboxes),
            rights_and_turns: std::array::from_fn(|at| board(at).state.rights_and_turn() as u8),
            en_passant: std::array::from_fn(|at| board(at).state.en_passant().index(policy) as u8),
        }
    }

    /// Returns the keys of its boards.
    #[inline(always)]
    pub fn keys<L: Token>(&self, level: L, tables: &KeyTables) -> [u64; BLOCK] {
        let mut keys = self.part(level, &tables.parts[0]);
        for (part, table) in tables.parts.iter().enumerate().skip(1) {
            for (key, high) in keys.iter_mut().zip(self.part(level, table)) {
                *key |= high << (32 * part);
            }
        }
        keys
    }

    #[inline(always)]
    fn part<L: Token>(&self, level: L, table: &KeyTable) -> [u64; BLOCK] {
        let mut keys = if L::FAST_VECTORS {
            pieces_of_squares(level, table, &self.squares)
        } else {
            table.pieces_of_squares(&self.squares)
        };
        let states = self.rights_and_turns.iter().zip(&self.en_passant);
        // All boards have the same combination: chosen outside the loop, it lets the compiler vectorise the loop.
        let mut finish = |combine: Combine| {
            for (key, (&state, &square)) in keys.iter_mut().zip(states.clone()) {
                debug_assert!(state < 32 && square <= 64);
                let rest = table.state(usize::from(state & 31), usize::from(square & 127), combine);
                *key = combine.join(*key, rest) & table.mask;
            }
        };
        match table.combine {
            Combine::Xor => finish(Combine::Xor),
            Combine::Add => finish(Combine::Add),
        }
        keys
    }
}

#[kernel]
fn transpose<L: Token>(level: L, mailboxes: &[Quad; BLOCK]) -> [Quad; 32] {
    squares_of(level, mailboxes)
}
