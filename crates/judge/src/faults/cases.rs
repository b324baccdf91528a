//! Table of planted faults and the checks that must catch them, for the tests and `perft selftest`.

use super::fault::{Fault, Plant, skipped};
use super::judge::judge_planted;
use crate::gate::{Identities, Mode, Options, Outcome, RowVerdict};
use perft_gate_chess::{Fen, Field};
use perft_gate_simd::Level;
use perft_gate_suite::Row;
use perft_gate_walk::{Check, Control, Settings, Split};
use perft_gate_zobrist::{Scheme, Secondary};

/// Check that must notice a fault.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Caught {
    /// The given check, which runs at individual nodes and reports the node where it failed.
    By(Check),
    /// V1: the counts differ from the other counter's.
    Counts,
    /// V5: equal positions have different keys, or different positions have the same key.
    Identity,
    /// The number of comparisons differs from the number that was due.
    Missing,
    /// The check notices the fault but cannot reproduce it, so the report names a subtree or parent, not the node.
    NotReproduced(Check),
}

/// Test case: a fault, the scheme and position that show it, the check that must catch it, and text of the report.
#[derive(Clone, Debug)]
pub struct Case {
    /// Fault, and the first ply at which it acts.
    pub plant: Plant,
    pub scheme: &'static str,
    /// Secondary keys. If there are any, a fault in the keys affects only these.
    pub secondary: &'static [Secondary],
    pub fen: &'static str,
    pub depth: u32,
    pub split: Split,
    pub mode: Mode,
    /// Mask that selects the nodes for V6 round trips by their hash. With 0, every node is selected.
    pub sample_mask: u64,
    pub caught: Caught,
    /// Text that the report must contain.
    pub named: String,
}

const DOUBLE_PUSH: &str = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
const PROMOTES: &str = "8/P1k5/K7/8/8/8/8/8 w - - 0 1";
const ROOK_TAKEN: &str = "r3k2r/8/8/3B4/4b3/8/8/R3K2R w KQkq - 0 1";
const EN_PASSANT: &str = "4k3/8/8/2PpP3/8/8/8/4K3 w - d6 0 1";
const KNIGHT_TAKEN: &str = "4k3/8/8/3n4/4P3/8/8/4K3 w - - 0 1";
const TWO_ROOKS: &str = "1k2r2r/4p2p/8/8/8/8/4P2P/1K2R2R w Ee - 0 1";
/// After d2d4+, Black can answer the check with an e.p. capture.
const EVASION: &str = "8/8/8/2k5/4p3/8/3P4/4K3 w - - 0 1";
/// A quiet move advances the clock to 14, the first value that changes the key. A capture then resets the clock.
const NEAR_14: &str = "4k3/8/8/3n4/4P3/8/8/4K3 w - - 13 30";
/// A position with 146 moves, more than a key batch holds. The king's moves come first and lose the castling rights.
const MANY_MOVES: &str = "kn6/pp3Q2/7Q/4Q3/2Q3Q1/Q7/P2Q3P/RN2K1NR w KQ - 0 1";
const KNIGHTS: &str = "4k3/8/2n5/8/3p4/5N2/4P3/4K3 w - - 0 1";

/// Number of plies above the tasks, the *trunk*, under [`Split::AT_ONCE`]. Faults below the trunk do not act in it.
const TRUNK: u32 = 1;

impl Case {
    fn new(fault: Fault, fen: &'static str, caught: Caught, named: &str) -> Case {
        // Only faults that V6 must catch need a round trip at every node.
        let sample_mask = if caught == Caught::By(Check::RoundTrip) { 0 } else { 0xfff };
        Case {
            plant: Plant::everywhere(fault),
            scheme: "cpw793",
            secondary: &[],
            fen,
            depth: 3,
            split: Split::RULE,
            mode: Mode::Verify,
            sample_mask,
            caught,
            named: named.into(),
        }
    }

    fn by(check: Check, fault: Fault, fen: &'static str, named: &str) -> Case {
        Case::new(fault, fen, Caught::By(check), named)
    }

    /// Returns the case with its fault below the trunk, in a tree that splits at its first ply.
    fn below_the_trunk(self, from_ply: u32) -> Case {
        assert!(from_ply > TRUNK, "a fault of the trunk");
        Case { plant: Plant { from_ply, ..self.plant }, split: Split::AT_ONCE, ..self }
    }

    pub fn judge(&self, level: Level) -> RowVerdict {
        let scheme = &Scheme::parse(self.scheme, false).expect("a scheme");
        let Case { secondary, depth, mode, sample_mask, .. } = *self;
        let settings = Settings { scheme, secondary, seed: 0, level, sample_mask };
        let identities = if self.caught == Caught::Identity { Identities::All } else { Identities::Off };
        let row = Row::unknown("planted", Fen::parse(self.fen).expect("a legal position"));
        let options = Options { depth, mode, settings, max_nodes: None, identities };
        judge_planted(self.plant, &row, options, &Control::splitting(self.split))
    }

    /// Returns true if the right check failed the row, and no mismatch is above the fault's first ply.
    pub fn is_caught(&self, verdict: &RowVerdict) -> bool {
        let by_check = |check| {
            let mut found = verdict.findings.iter().map(|finding| &finding.mismatch);
            found.clone().any(|mismatch| mismatch.check == check)
                // A mismatch after a null move is reported at the node that makes the null move.
                && found.all(|mismatch| mismatch.path.len() as u32 >= self.plant.from_ply)
        };
        let caught = match self.caught {
            Caught::By(check) => by_check(check),
            Caught::Counts => !verdict.wrong_counts.is_empty() && verdict.findings.is_empty(),
            Caught::Identity => verdict.identities.iter().any(|identity| identity.is_wrong),
            Caught::Missing => !verdict.missed.is_empty() && verdict.findings.is_empty(),
            Caught::NotReproduced(check) => {
                verdict.findings.iter().all(|finding| {
                    let mismatch = &finding.mismatch;
                    mismatch.check == check
                        && mismatch.found.contains("did not recur")
                        && (mismatch.path.len() as u32 >= TRUNK || self.plant.from_ply == 0)
                }) && !verdict.findings.is_empty()
            }
        };
        caught && verdict.outcome == Outcome::Failed
    }
}

/// Returns every case. Faults act from the root on, or only below the trunk of a split tree.
pub fn cases() -> Vec<Case> {
    [engine_bugs(), silent_checks(), fields()].concat()
}

/// Returns the cases for bugs of real engines.
#[rustfmt::skip]
fn engine_bugs() -> Vec<Case> {
    use Check::{Boards, Keys, NullMove, RoundTrip, Unmake};
    use Fault::*;
    vec![
        Case::by(Keys, EnPassantTermKept, Fen::KIWIPETE, "e.p. c6→- missing"),
        Case::by(Keys, CastlingTermKept, Fen::KIWIPETE, "castling KQkq→kq missing"),
        Case::by(Keys, CapturedPieceKept, Fen::KIWIPETE, "black pawn on g6 left in"),
        Case::by(NullMove, NullMoveKeepsEnPassant, Fen::KIWIPETE, "e.p. c6→- missing"),
        Case::by(Unmake, ClockNotRestored, KNIGHTS, "; halfmove "),
        // The king's moves come first: the fault must be reported although the comparisons after later moves succeed.
        Case::by(Unmake, KingMoveNotRestored, Fen::KIWIPETE, "; halfmove "),
        // Keys are recomputed from the mailbox. So if there are keys, a mailbox-only write is caught before V0 runs.
        Case::by(Keys, MailboxOnlyWrite, Fen::KIWIPETE, "white pawn on a2 left in"),
        Case { scheme: "none", ..Case::by(RoundTrip, MailboxOnlyWrite, KNIGHTS, "V6 round trip") },
        Case::by(RoundTrip, BitboardOnlyWrite, KNIGHTS, "V6 round trip"),
        Case::by(Keys, EnPassantAlwaysKeyed, DOUBLE_PUSH, "e.p. -→e3 left in"),
        Case::by(RoundTrip, RightOfCapturedRookKept, ROOK_TAKEN, "a rook of Black to castle with"),
        Case::by(Keys, PromotionHashedAsPawn, PROMOTES, "white pawn on a8 left in"),
        // A tree of depth 1 has too few nodes here to fill a batch of keys.
        Case { depth: 1, ..Case::by(Keys, PromotionHashedAsPawn, PROMOTES, "white pawn on a8 left in") },
        // The batch of keys fills up, so the keys are compared before the parent's last move is made.
        Case { depth: 1, ..Case::by(Keys, CastlingTermKept, MANY_MOVES, "castling KQ→- missing") },
        Case::by(Keys, EnPassantVictimKept, EN_PASSANT, "black pawn on d5 left in"),
        Case::by(Keys, SideNotFlipped, Fen::KIWIPETE, "side to move missing"),
        Case { scheme: "cpw781", ..Case::by(Keys, FirstRightOnly, Fen::KIWIPETE, "castling") },
        Case { scheme: "cpw781", ..Case::by(Keys, RightsShareAKey, Fen::KIWIPETE, "castling") },
        Case { scheme: "polyglot", ..Case::by(Keys, SideNotFlipped, Fen::KIWIPETE, "side to move missing") },
        Case { scheme: "clock=14by8", ..Case::by(Keys, ClockTermKept, NEAR_14, "halfmove clock 13→14 missing") },
        Case { scheme: "clock=14by8", ..Case::by(Keys, ClockTermKept, NEAR_14, "halfmove clock 15→0 missing").below_the_trunk(2) },
        Case { secondary: &[Secondary::NonPawn], ..Case::by(Keys, PromotionMissing, PROMOTES, "(cpw793, white nonpawn): white") },
        Case { secondary: &[Secondary::Material], ..Case::by(Keys, PromotionMissing, PROMOTES, "(cpw793, material): white") },
        Case { secondary: &[Secondary::Pawn], ..Case::by(Keys, EnPassantVictimKept, EN_PASSANT, "(cpw793, pawn): black pawn on d5 left in") },
        Case { secondary: &Secondary::ALL, ..Case::by(Keys, CapturedPieceKept, KNIGHT_TAKEN, "(cpw793, minor): black") },
        Case::by(Keys, LiftedSquaresKept, Fen::KIWIPETE, "left in").below_the_trunk(3),
        Case::by(Keys, LiftedKeyKept, Fen::KIWIPETE, "left in").below_the_trunk(3),
        Case::new(RestKept, Fen::KIWIPETE, Caught::NotReproduced(Keys), "did not recur (memory or hardware?)").below_the_trunk(3),
        Case::by(Keys, EnPassantTermKept, Fen::KIWIPETE, "e.p. c6→- missing").below_the_trunk(3),
        Case::by(Keys, CastlingTermKept, Fen::KIWIPETE, "castling").below_the_trunk(3),
        Case::by(Keys, CapturedPieceKept, Fen::KIWIPETE, "left in").below_the_trunk(2),
        Case::by(NullMove, NullMoveKeepsEnPassant, Fen::KIWIPETE, "e.p. ").below_the_trunk(2),
        Case::by(Unmake, ClockNotRestored, KNIGHTS, "; halfmove ").below_the_trunk(3),
        Case::by(Unmake, KingMoveNotRestored, Fen::KIWIPETE, "; halfmove ").below_the_trunk(3),
        Case::by(Keys, MailboxOnlyWrite, Fen::KIWIPETE, "left in").below_the_trunk(3),
        Case::by(RoundTrip, BitboardOnlyWrite, DOUBLE_PUSH, "V6 round trip").below_the_trunk(3),
        Case { depth: 4, ..Case::by(Boards, BitboardOnlyWrite, EVASION, "V0 boards").below_the_trunk(2) },
        Case::by(Keys, EnPassantAlwaysKeyed, DOUBLE_PUSH, "left in").below_the_trunk(3),
        Case::by(RoundTrip, RightOfCapturedRookKept, ROOK_TAKEN, "to castle with").below_the_trunk(2),
        Case::by(Keys, PromotionHashedAsPawn, PROMOTES, "left in").below_the_trunk(3),
        Case { secondary: &[Secondary::Material], ..Case::by(Keys, PromotionMissing, PROMOTES, "(cpw793, material): white").below_the_trunk(3) },
        Case::by(Keys, EnPassantVictimKept, Fen::KIWIPETE, "left in").below_the_trunk(2),
        Case::by(Keys, SideNotFlipped, Fen::KIWIPETE, "side to move missing").below_the_trunk(3),
        Case { scheme: "cpw781", ..Case::by(Keys, FirstRightOnly, Fen::KIWIPETE, "castling").below_the_trunk(2) },
        Case { scheme: "cpw781", ..Case::by(Keys, RightsShareAKey, Fen::KIWIPETE, "castling").below_the_trunk(2) },
        Case::new(EvasionMissing, EVASION, Caught::Counts, "missing: e4d3"),
        Case::new(EvasionMissing, EVASION, Caught::Counts, "missing: e4d3").below_the_trunk(2),
        Case::new(WrongChess960Rook, TWO_ROOKS, Caught::Counts, "missing: b1e1"),
        Case::new(DoublePushMissing, Fen::KIWIPETE, Caught::Counts, "missing: ").below_the_trunk(3),
        Case { mode: Mode::Count, ..Case::new(DoublePushMissing, Fen::KIWIPETE, Caught::Counts, "missing: ") },
        Case { mode: Mode::Count, depth: 5, ..Case::new(DoublePushMissing, EVASION, Caught::Counts, "missing: ").below_the_trunk(3) },
        Case { depth: 4, ..Case::new(KnightsShareKeys, KNIGHTS, Caught::Identity, "two positions share a key") },
        Case { depth: 5, ..Case::new(PositionHasTwoKeys, DOUBLE_PUSH, Caught::Identity, "a position has two keys") },
    ]
}

/// Returns the cases in which comparisons are skipped, and those in which the error cannot be reproduced.
fn silent_checks() -> Vec<Case> {
    let mut cases = Vec::new();
    for fault in skipped() {
        let (named, deepest) = match fault {
            Fault::NotCompared(check @ (Check::Boards | Check::NullMove)) => (check.to_string(), 2),
            Fault::NotCompared(check) => (check.to_string(), 3),
            _ => ("V4 keys".into(), 2),
        };
        let case = Case::new(fault, KNIGHTS, Caught::Missing, &format!("{named}: "));
        // Request a round trip at every node, so that each skipped round trip counts as missing.
        cases.push(Case { sample_mask: 0, ..case.clone().below_the_trunk(deepest) });
        cases.push(case);
    }
    for (fault, check) in [(Fault::KeyFlippedOnce, Check::Keys), (Fault::BoardFlippedOnce, Check::Unmake)] {
        let named = "did not recur (memory or hardware?)";
        let flipped = Case::new(fault, KNIGHTS, Caught::NotReproduced(check), named);
        cases.extend([flipped.clone().below_the_trunk(2), flipped]);
    }
    cases
}

/// Returns a case for each field that V0, V3 or V4 compares. The case damages the field at the check's deepest ply.
fn fields() -> Vec<Case> {
    let case = |check, fault, named: &str, from_ply| Case::by(check, fault, KNIGHTS, named).below_the_trunk(from_ply);
    let boards = Field::SQUARES.map(|field| case(Check::Boards, Fault::Inconsistent(field), "V0 boards", 2));
    let unmakes =
        Field::RESTORED.map(|field| case(Check::Unmake, Fault::NotRestored(field), &format!("; {field} "), 3));
    let null_moves = Field::RESTORED.map(|field| {
        let fault = Fault::NullMoveNotRestored(field);
        case(Check::NullMove, fault, &format!("; {field} "), 2)
    });
    boards.into_iter().chain(unmakes).chain(null_moves).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_fault_has_a_case() {
        let tried: Vec<Fault> = cases().iter().map(|case| case.plant.fault).collect();
        for fault in Fault::all() {
            assert!(tried.contains(&fault), "{fault}");
        }
    }
}
