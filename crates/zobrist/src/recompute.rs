//! The full recompute of the piece hashes of many boards.
//!
//! The piece hash of a board is the sum, or the xor, of one key for each of its 64 squares, chosen by the mailbox. So
//! for any two boards
//!
//! > hash of a board = hash of the reference + the board's keys on the squares where the two differ
//! >                                         − the reference's keys on those squares
//!
//! A batch uses this to compare boards. The reference is summed square by square. Then all 64 squares of each board are
//! compared with it in one step, since a mailbox is a vector. **This is a recompute from the board alone**: it reads
//! everything that `make` stored, but neither the move nor the previous key. With any reference the result equals the
//! sum of 64 keys, bit by bit. The reference affects only the time: children differ from their parent on two squares,
//! castling on four.
//!
//! Worked example: the reference is the start position, and the board is the position after e2e4. They differ on e2 and
//! e4: the reference has a pawn on e2, the board has one on e4. So two keys change the hash: the pawn on e2 goes out
//! and the pawn on e4 comes in. If `make` had forgotten to empty e2, only e4 would differ, and the hash would be wrong,
//! just as it would be if all squares were summed.

use crate::axes::Combine;
use crate::key_table::KeyTable;
use perft_gate_simd::{Bytes, Quad, Token};

/// Returns true if the pieces of these boards hash to their targets. Sums only the squares that differ from the
/// reference.
#[inline(always)]
pub(super) fn hashes_match<L: Token>(
    level: L,
    table: &KeyTable,
    reference: &Quad,
    (mailboxes, targets): (&[Quad], &[u64]),
    compared: &mut u64,
) -> bool {
    // All boards use the same combination. Chosen outside the loop, it is a constant inside.
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
            let row = &table.pairs[pair & 31];
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

    /// Mailboxes, the reference first, and their expected hashes.
    #[kernel]
    fn match_boards<L: Token>(level: L, table: &KeyTable, mailboxes: &[Quad], targets: &[u64]) -> (bool, u64) {
        let mut compared = 0;
        let right = hashes_match(level, table, &mailboxes[0], (mailboxes, targets), &mut compared);
        (right, compared)
    }

    /// Boards close to the reference and far from it. Every hash equals the sum over all squares, and any wrong bit of
    /// a hash or any wrong square is detected.
    #[test]
    fn hashes_are_sums_over_all_squares_whatever_the_reference() {
        for text in ["cpw793", "combine=add,width=48"] {
            let tables = Scheme::parse(text, false).unwrap().key_tables(3).unwrap();
            let table = &tables.parts[0];
            let mut random = Streams { seed: 5, part: 0 }.draw(1);
            // The codes of an empty square, of White's pieces and of Black's.
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
                    // The reference itself, from which all other hashes derive, is one of them.
                    wrong[at].0[at / 16] ^= 1 << (4 * (at % 16));
                    assert!(!match_boards(level, table, &wrong, &targets).0, "{level}, {text}, square {at}");
                }
            }
        }
    }
}
