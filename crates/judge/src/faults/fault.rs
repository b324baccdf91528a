//! The planted faults, their names, and the plies from which they act.

use perft_gate_chess::Field;
use perft_gate_walk::Check;
use std::fmt;
use std::str::FromStr;

/// Declares [`Fault`]. `SIMPLE` lists the variants of the first group, which have no data.
macro_rules! faults {
    ({ $($simple:ident $text:literal,)* } { $($other:tt)* }) => {
        /// A fault. Its description begins with the faulty part of the program.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum Fault {
            /// No fault: the control experiment.
            None,
            $(#[doc = $text] $simple,)*
            $($other)*
        }

        const SIMPLE: &[Fault] = &[$(Fault::$simple),*];
    };
}

faults! {{
    EnPassantTermKept       "Tracker: the e.p. term is added but not removed.",
    CastlingTermKept        "Tracker: a right is lost but the key keeps its term.",
    CapturedPieceKept       "Tracker: a captured piece stays in the key.",
    NullMoveKeepsEnPassant  "Tracker: a null move leaves the e.p. term in the key.",
    ClockNotRestored        "Board: `unmake` forgets the halfmove clock.",
    KingMoveNotRestored     "Board: `unmake` forgets the halfmove clock after a king's move, and after no other.",
    MailboxOnlyWrite        "Board: a double push leaves the pawn on its old square, in the mailbox only.",
    BitboardOnlyWrite       "Board: a double push leaves the pawn on its old square, in the bitboards only.",
    EvasionMissing          "Generator: an e.p. capture that answers a check is missing.",
    EnPassantAlwaysKeyed    "Tracker: the e.p. square is in the key after every double push, capture possible or not.",
    RightOfCapturedRookKept "Board: a rook captured at home keeps its castling right, in the board and in both keys.",
    PromotionHashedAsPawn   "Tracker: a promoted piece enters the key as a pawn.",
    PromotionMissing        "Tracker: a promoted piece does not enter the key (a secondary one, as in Stockfish 6492).",
    EnPassantVictimKept     "Tracker: the pawn captured en passant stays in the key.",
    SideNotFlipped          "Tracker: the side to move is not in the key.",
    ClockTermKept           "Tracker: the halfmove clock's key stays when the clock advances or is reset.",
    FirstRightOnly          "Tracker: if two rights are lost at once, only the first leaves the key.",
    RightsShareAKey         "Tracker: Black's king-side right uses White's entry.",
    WrongChess960Rook       "Generator: castling takes the outermost rook of the wing, not the one with the right.",
    DoublePushMissing       "Generator: there are no double pushes.",
    KeyFlippedOnce          "Machine: a key bit flips in the batch, but not when the walk is repeated.",
    BoardFlippedOnce        "Machine: a bit of a restored board flips before its comparison, but not on repetition.",
    LiftedSquaresKept       "Board: the piece lifted after a capture leaves the captor's square, not its own.",
    LiftedKeyKept           "Tracker: the piece lifted after a capture is not in the key, the captor still is.",
    RestKept                "Batch: castling, e.p. and side of a board are not looked up again when they change.",
    KnightsShareKeys        "Key tables: make and recompute both look up black knights where white ones are (p4wn).",
    PositionHasTwoKeys      "Key tables: every double push sets the e.p. term; the scheme counts only legal captures.",
} {
    /// Board: bitboards and mailbox disagree in this field at every interior node.
    Inconsistent(Field),
    /// Board or tracker: `unmake` does not restore this field.
    NotRestored(Field),
    /// Board or tracker: unmaking a null move does not restore this field.
    NullMoveNotRestored(Field),
    /// Walk: comparisons of this check are not made.
    NotCompared(Check),
    /// Walk: the key after a null move is not compared.
    NullMoveKeyNotCompared,
}}

/// Faults that leave out the comparisons of a check.
pub(super) fn skipped() -> impl Iterator<Item = Fault> {
    Check::ALL.into_iter().map(Fault::NotCompared).chain([Fault::NullMoveKeyNotCompared])
}

impl Fault {
    pub fn all() -> Vec<Fault> {
        let named = SIMPLE.iter().copied().chain(skipped());
        let inconsistent = Field::SQUARES.map(Fault::Inconsistent);
        let restored = Field::RESTORED.map(Fault::NotRestored);
        let null_moves = Field::RESTORED.map(Fault::NullMoveNotRestored);
        named.chain(inconsistent).chain(restored).chain(null_moves).collect()
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Inconsistent(field) => write!(f, "{field}-inconsistent"),
            Fault::NotRestored(field) => write!(f, "{field}-not-restored"),
            Fault::NullMoveNotRestored(field) => write!(f, "{field}-not-restored-after-null-move"),
            Fault::NotCompared(check) => write!(f, "{}-not-compared", to_kebab_case(check)),
            fault => f.write_str(&to_kebab_case(fault)),
        }
    }
}

/// Returns a variant's kebab-case name: `side-not-flipped` for `SideNotFlipped`.
fn to_kebab_case(variant: &impl fmt::Debug) -> String {
    let mut name = String::new();
    for letter in format!("{variant:?}").chars() {
        if letter.is_ascii_uppercase() && !name.is_empty() {
            name.push('-');
        }
        name.push(letter.to_ascii_lowercase());
    }
    name
}

/// A fault, and the first ply at which it acts. It affects the nodes from that ply on, and the moves that lead to them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Plant {
    pub fault: Fault,
    /// First ply at which the fault acts, where 0 is the root.
    pub from_ply: u32,
}

impl Plant {
    pub const fn everywhere(fault: Fault) -> Plant {
        Plant { fault, from_ply: 0 }
    }

    #[inline(always)]
    pub(super) fn fault_at(&self, ply: u32) -> Fault {
        if ply >= self.from_ply { self.fault } else { Fault::None }
    }
}

impl fmt::Display for Plant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.from_ply == 0 { self.fault.fmt(f) } else { write!(f, "{}@{}", self.fault, self.from_ply) }
    }
}

impl FromStr for Plant {
    type Err = String;

    /// Parses a fault's name, and the ply after `@` if there is one.
    fn from_str(text: &str) -> Result<Plant, String> {
        let (name, ply) = text.split_once('@').unwrap_or((text, "0"));
        let fault = Fault::all().into_iter().find(|fault| fault.to_string() == name);
        let fault = fault.ok_or_else(|| format!("found '{name}', expected a fault of `perft list faults`"))?;
        let from_ply = ply.parse().map_err(|_| format!("found '{ply}' after '@', expected a ply"))?;
        Ok(Plant { fault, from_ply })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_read_back_and_differ() {
        for fault in Fault::all() {
            let plant = Plant { fault, from_ply: 3 };
            assert_eq!(plant.to_string().parse(), Ok(plant));
        }
        assert!("side-not-flipped@x".parse::<Plant>().is_err() && "no-such-fault".parse::<Plant>().is_err());
    }
}
