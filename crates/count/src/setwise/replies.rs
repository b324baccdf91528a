//! Set-wise perft(2): counts the replies to all moves of a position, mostly without looking at individual moves.
//!
//! **The idea.** If the side to move (the *mover*) passed, the other side (the *replier*) would have a certain number
//! of replies, the *base*. Most moves leave this number unchanged. The others enter or leave one of a few squares: a
//! slider that passed over the entered square now stops there, a line through the vacated square opens, or a pawn is
//! blocked or can capture. So the sum over all moves is
//!
//! moves × base − losses on the squares entered + gains on the squares vacated + a few effects near the king
//!
//! and each term is found for many moves at once, or skipped if no move affects it. (The idea of a null move as the
//! base comes from chessbit, <https://github.com/thomashuijbregts/chessbit>, which uses it for quiet moves that leave
//! the base unchanged and counts all other moves one by one.)
//!
//! Pseudocode:
//!
//! ```text
//! base   = replies to a pass
//! total  = 0
//! for piece in mover.pieces + mover.pawns:
//!     single = moves that check, promote, or change two things at once
//!     total += count each child of single, in vectors
//!     summed = moves - single
//!     total += |summed| * base
//!     total += gains of leaving: lines opened, pawns freed, pins ended, king steps unguarded
//!     total -= king steps that the targets take away
//!     arrivals[square] += 1 for each target of summed
//! total -= sum over squares of arrivals[square] * replies lost on that square
//! ```
//!
//! 1. The replier's sliders, knights and pawns determine the base and the *map*, which is the set of squares where an
//!    arrival changes the number of replies ([`Sliders`], [`FreePawns`]). The map includes all of the replier's pieces,
//!    because a capture removes the moves of the captured piece and gives each of its defenders a move. It omits any
//!    other square that only knights reach.
//! 2. The mover's moves are added up as sets. Bit planes hold the number of moves that *arrive* on each square of the
//!    map ([`Arrivals`]). At the end, each slider line, each set of pawn moves and each knight is combined with the
//!    planes once.
//! 3. The replies *gained* when a piece leaves its square are found for all of its moves together: a slider's line
//!    opens ([`Sliders::vacating_gains`]), a pawn is freed ([`FreePawns::vacating_gains`]), a pin ends or begins, a
//!    square next to the king loses its guard.
//! 4. Near the replier's king ([`Zone`], [`PinsAndDiscoveries`]), a piece that arrives may prevent king steps or
//!    castling, or make a pin. The squares where it does so depend on its type. The king can also recapture.
//! 5. The remaining moves, which [`Scene`] selects, are counted singly in vectors of siblings
//!    ([`lanes`](super::lanes)): checks, promotions, and moves with more than one of these effects. The rarest moves
//!    are made on a board: see [`per_move`](super::per_move).
//!
//! If both sides together have few pieces and PEXT is fast, positions are counted without vectors ([`few_pieces`]). If
//! vectors have eight lanes and the mover has few pieces, all of its moves are counted one by one
//! ([`count_one_by_one`]).
//!
//! **A node without interaction.** In the starting position, Black has 20 replies if White passes. Its sliders see only
//! its own pieces, and its pawns reach the fifth and sixth ranks. White's 20 moves end on the third and fourth ranks,
//! none leaves a square that Black reaches, and no piece comes near the king. So there are 20 × 20 = 400 replies.
//!
//! **A node with interactions.** White: Kg1, Rd1; Black: Kh8, Rd8; White to move. If White passed, Black would have 16
//! replies: seven by the rook on the file, six on the rank, and three by the king. White's king has five moves, and the
//! rook has five along the rank. These ten change nothing, since the black rook reaches d1 with or without a rook
//! there. Up the file, the rook can go to d2 to d7, where it cuts off the last 1 to 6 of the black rook's moves along
//! the file: 21 replies are lost. On d7 it also takes g7 and h7 from the king: two more replies are lost. The capture
//! on d8 gives check and is counted singly: two replies. The total is 16 × 16 − 21 − 2 + 2 = 235.
//!
//! The board is flipped so that the mover plays up the board.
//!
//! [`Arrivals`]: super::arrivals::Arrivals
//! [`Sliders`]: super::sliders::Sliders
//! [`Sliders::vacating_gains`]: super::sliders::Sliders::vacating_gains

use super::few_pieces::{self, has_few_pieces};
use super::one_by_one::{MAX_PIECES_IN_LANES, count_one_by_one};
use super::parent::ParentSets;
use super::pawns::FreePawns;
use super::pieces::MAX_PIECES_SUMMED;
use super::pins::PinsAndDiscoveries;
use super::scene::{Scene, Sums};
use super::scratch::{Found, Scratch};
use super::zone::Zone;
use perft_gate_chess::{Bitboard, Black, Side, SidePieces, White, attacks};
use perft_gate_simd::{Token, kernel};

impl ParentSets<'_> {
    /// Counts the replies to all moves, except to moves already queued together with their siblings. Returns `None` if
    /// the mover has too many pieces. `may_be_few` is the result of
    /// [`may_have_few_pieces`](super::few_pieces::may_have_few_pieces).
    #[inline(always)]
    pub(super) fn replies<L: Token>(&mut self, level: L, scratch: &mut Scratch, may_be_few: bool) -> Option<u64> {
        if may_be_few && level.fast_pext() && has_few_pieces(self) {
            return Some(few_pieces::count(level, self, scratch));
        }
        count_replies(level, self, scratch)
    }
}

/// Counts the replies to a parent's moves except those that were queued with siblings. Returns `None` if the mover has
/// too many pieces.
#[kernel]
pub(super) fn count_replies<L: Token>(level: L, parent: &mut ParentSets<'_>, scratch: &mut Scratch) -> Option<u64> {
    let SidePieces { all, pawns, .. } = parent.mover;
    let pieces = (all & !pawns).count();
    if pieces <= MAX_PIECES_IN_LANES && level.has_eight_lanes() {
        return Some(count_one_by_one(level, parent, scratch));
    }
    (pieces <= MAX_PIECES_SUMMED).then(|| count(level, parent, scratch))
}

/// Counts the replies to all moves of a parent by summing, except those that were queued with siblings.
#[inline(always)]
fn count<L: Token>(level: L, parent: &mut ParentSets<'_>, scratch: &mut Scratch) -> u64 {
    let Scratch { found: Found { sliders, pieces, steps, pin_changes }, queues } = scratch;
    let lines = PinsAndDiscoveries::new(level, parent, pin_changes);
    parent.uncovering = lines.uncovering;
    let parent = &*parent;
    sliders.find(level, parent, &lines);
    let replier = &parent.replier;
    let mut attacked = sliders.attacked | Black::pawn_attacks(replier.pawns) | attacks::king(replier.king_square());
    let mut jumps = 0;
    for knight in replier.knights & !lines.pinned {
        attacked |= attacks::knight(knight);
        jumps += (attacks::knight(knight) & !replier.all).count();
    }
    for knight in replier.knights & lines.pinned {
        attacked |= attacks::knight(knight);
    }
    let legality = parent.legality(level, attacked);
    pieces.find(level, &parent.mover, &legality);
    let zone = Zone::new(level, parent, &lines, &pieces.attacked, steps);
    let pawns = FreePawns::new(replier.pawns, lines.pinned, lines.lines);
    let pawn_replies = pawns.replies(!parent.occupied, parent.mover.all, Bitboard::ALL);
    let opening = sliders.reach | pawns.reach();
    let map = opening | replier.all;
    let scene = Scene {
        parent,
        zone: &zone,
        lines: &lines,
        pin_changes,
        sliders,
        steps,
        pawns: &pawns,
        opening,
        attacked: &pieces.attacked,
        map,
    };

    let mut sums = Sums::default();
    scene.move_pieces(level, pieces, &mut sums, queues);
    let mut total = 0;
    if !legality.double_check {
        total += scene.move_pawns(level, &legality, &mut sums, queues);
        if (parent.rooks & White::rank(0)).any() {
            total += scene.castle(level, &legality, &mut sums, queues);
        }
        total += parent.count_en_passant(level);
    }
    total += parent.finish(level, queues);

    let lost = scene.arrival_losses(level, &pawn_replies, &sums.arrivals);
    let base = zone.replies + sliders.moves + jumps + pawn_replies.moves;
    let summed = (sums.moves * base) as i64 + sums.more - lost;
    debug_assert!(summed >= 0);
    total + summed as u64
}
