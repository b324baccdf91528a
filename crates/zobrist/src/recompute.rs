//! The full recompute of the keys of many boards: the hashes of their pieces.
//!
//! The hash of a board's pieces is the sum, or the xor, of one key for each of its 64 squares, by what the mailbox has there. So
//! for any two boards it holds that
//!
//! > hash of a board = hash of the reference + the keys of what the board has on the squares on which the two differ
//! >                                         − the keys of what the reference has there
//!
//! and that is how a batch is compared: the reference is summed square by square, and of each board all 64
//! squares are compared with it, in one step, since a mailbox is a vector. **This is a recompute from the board alone**: it reads
//! what `make` stored, all of it, and neither the move nor the key before; whichever board is the reference, the result
//! is that of summing 64 keys, bit by bit. What the reference decides is the time: children differ from their parent on
//! two squares, castling on four.
//!
//! Worked example: the reference is the start position, and the board the one after e2e4. They differ on e2 and e4, of which the
//! reference has a pawn and nothing, and the board nothing and a pawn. So two keys change the hash: that of the pawn on e2,
//! which the reference has, and that of the pawn on e4, which the board has. Had `make` forgotten to empty e2, only e4 would
//! differ, and the hash would be another one, as it would if all squares were summed.

use crate::axes::Combine;
use crate::key_table::KeyTable;
use perft_gate_simd::{Bytes, Quad, Token};

/// Returns true if the pieces of these boards hash to their targets, by the squares that are not as in the reference.
#[inline(always)]
pub(super) fn hashes_match<L: Token>(
    level: L,
    table: &KeyTable,
    reference: &Quad,
    (mailboxes, targets): (&[Quad], &[u64]),
    compared: &mut u64,
) -> bool {
    // All boards have the same combination: chosen outside the loop, it is a constant within.
    match table.combine {
        Combine::Xor => hashes_match_by(level, (table, Combine::Xor), reference, (mailboxes, targets), compared),
        Combine::Add => hashes_match_by(level, (table, Combine::Add), reference, (mailboxes, targets), compared),
    }
}

#[inline(always)]
fn hashes_match_by<L: Token>(
    level: L,
    (table, combine): (&KeyTable, Combine),
    reference: &Quad,
    (mailboxes, targets): (&[Quad], &[u64]),
    compared: &mut u64,
) -> bool {
    let (hash_of_reference, before) = (table.pieces_of(&reference.0), level.load(reference));
    let mut wrong = 0;
    for (mailbox, target) in mailboxes.iter().zip(targets) {
        let mut hash = hash_of_reference;
        let mut pairs = level.load(mailbox).differing_bytes(before);
        while pairs != 0 {
            let pair = pairs.trailing_zeros() as usize & 31;
            let row = table.pair(pair);
            hash = combine.remove(hash, row[usize::from(reference.byte(pair))]);
            hash = combine.join(hash, row[usize::from(mailbox.byte(pair))]);
            pairs &= pairs - 1;
        }
        wrong |= (hash ^ target) & table.mask;
        *compared += 1;
    }
    wrong == 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Scheme, generate::Streams};
    use perft_gate_simd::{Level, kernel};

    /// Mailboxes, the reference first, and the hashes that they must have.
    #[kernel]
    fn match_boards<L: Token>(level: L, table: &KeyTable, mailboxes: &[Quad], targets: &[u64]) -> (bool, u64) {
        let mut compared = 0;
        let right = hashes_match(level, table, &mailboxes[0], (mailboxes, targets), &mut compared);
        (right, compared)
    }

    /// Boards that have much in common with the reference, or nothing: all are hashed as by the sum over their squares, and a
    /// wrong bit of a hash is seen, as is a wrong square, whichever it is.
    #[test]
    fn hashes_are_sums_over_all_squares_whatever_the_reference() {
        for text in ["cpw793", "combine=add,width=48"] {
            let tables = Scheme::parse(text, false).unwrap().key_tables(3).unwrap();
            let table = &tables.parts[0];
            let mut random = Streams { seed: 5, part: 0 }.draw(1);
            // The codes of no piece, of White's and of Black's.
            const CODES: [u64; 13] = [0, 1, 2, 3, 4, 5, 6, 9, 10, 11, 12, 13, 14];
            let mut square = || (CODES[random() as usize % 13], random() as usize % 64);
            let mut mailboxes = vec![Quad::ZERO; 66];
            for differences in 0..66 {
                mailboxes[differences] = mailboxes[if differences < 6 { 0 } else { differences - 1 }];
                for _ in 0..differences {
                    let (code, square) = square();
                    let word = &mut mailboxes[differences].0[square / 16];
                    *word = *word & !(15 << (4 * (square % 16))) | code << (4 * (square % 16));
                }
            }
            let targets: Vec<u64> = mailboxes.iter().map(|mailbox| table.pieces_of(&mailbox.0)).collect();
            for level in Level::all() {
                assert_eq!(match_boards(level, table, &mailboxes, &targets), (true, 66), "{level}, {text}");
                for at in 0..64 {
                    let mut wrong = targets.clone();
                    wrong[at] ^= 1 << (at * 11 % table.mask.count_ones() as usize);
                    assert!(!match_boards(level, table, &mailboxes, &wrong).0, "{level}, {text}, hash {at}");
                    let mut wrong = mailboxes.clone();
                    // The reference itself, whose hash all others are made from, is one of them.
                    wrong[at].0[at / 16] ^= 1 << (4 * (at % 16));
                    assert!(!match_boards(level, table, &wrong, &targets).0, "{level}, {text}, square {at}");
                }
            }
        }
    }
}
