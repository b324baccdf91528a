//! The axes of a scheme (its independent choices), as data. A scheme chooses keys for pieces, castling, en passant,
//! side and halfmove clock, and combines them by xor or sum.

use perft_gate_chess::EnPassantPolicy;
use std::fmt;

perft_gate_chess::named! {
    /// Where the key of piece p on square s comes from.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum Pieces {
        /// 12 × 64 keys. Source: Chess Programming Wiki, "Zobrist Hashing".
        Table = "table",
        /// Eight bytes at offset 64p + s of 775 random bytes. Source: Gemma 2009; micro-Max.
        OverlapBytes = "overlap-bytes",
        /// 64 bits at offset 64p + s of 832 random bits. Source: Gemma 2009.
        OverlapBits = "overlap-bits",
        /// A key of odd weight per piece, rotated left by the square. Source: Wegner 2009, cited by the Wiki.
        Rotate = "rotate",
        /// A key per piece, times x^square in GF(2^64) modulo x^64 + x^4 + x^3 + x + 1: two different boards collide
        /// with probability 2^-64 over the choice of keys.
        Gf64 = "gf64",
        /// Columns of the parity-check matrix of an extended BCH code: any 13 keys of the scheme are independent.
        /// Source: Chess Programming Wiki, "BCH Hashing"; Warnock and Wendroff 1988.
        Bch = "bch",
        /// A key per piece plus a key per square. Source: talkchess thread 44043.
        Composite = "composite",
        /// A hash finaliser applied to 64p + s + 1 and a seed, without a table. Source: talkchess thread 58890.
        Computed = "computed",
        /// Weak: a key per piece xored with a key per square.
        PieceXorSquare = "piece-xor-square",
        /// Weak: a key per piece, with each of its 32-bit halves rotated left by the square.
        RotateHalves = "rotate-halves",
        /// Weak: 12 × 64 keys, each from five outputs of a linear congruential generator modulo 2^15.
        Lcg15 = "lcg15",
        /// Weak: multiples of 2^64 divided by the golden ratio.
        GoldenRatio = "golden-ratio",
        /// Weak: 12 × 64 keys of a generator with a 16-bit seed and a 16-bit state.
        TinySeed = "tiny-seed",
    }

    /// The keys of the castling rights.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum Castling {
        /// One key per set of rights.
        C16 = "c16",
        /// One key per right.
        C4 = "c4",
        /// One key per right, and one for having no rights.
        C5 = "c5",
        /// One key per right, as in `c4`, with a table of their combinations so that one look-up per set is enough.
        /// Source: Stockfish 2012.
        C4x16 = "c4x16",
    }

    /// The keys of the en-passant square.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum EnPassantKeys {
        /// One key per file, or 0 if there is no en-passant square.
        E8 = "e8",
        /// One key per file, and one for having no en-passant square. Source: Laser, Texel.
        E9 = "e9",
        /// One key per combination of file and rank, and one for having no en-passant square. Source: the Rustic book.
        E17 = "e17",
        /// One key per square, or 0 if there is no en-passant square. Source: Weiss, Berserk, Viridithas.
        E64 = "e64",
        /// One key per square, and one for having no en-passant square. Source: Rustic up to 3.0.0.
        E65 = "e65",
    }

    /// The keys of the side to move.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum Side {
        /// One key, for Black.
        S1 = "s1",
        /// One key, for White. Source: Polyglot.
        S1w = "s1w",
        /// One key for each side. Source: Rustic.
        S2 = "s2",
    }

    /// The keys of the halfmove clock. They give a position near the fifty-move rule a separate entry in a transposition table.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum ClockKeys {
        /// No keys.
        None = "none",
        /// A new key every 8 halfmoves, starting at 14. Source: Stockfish 15, Viridithas, Obsidian.
        From14By8 = "14by8",
        /// A new key every 8 halfmoves, starting at 16. Source: Reckless.
        From16By8 = "16by8",
        /// A new key every 10 halfmoves, starting at 20. Source: Lynx.
        From20By10 = "20by10",
    }

    /// The operation that combines keys.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum Combine {
        /// Exclusive or.
        Xor = "xor",
        /// Sum. Source: p4wn.
        Add = "add",
    }

    /// The width of a key.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum Width {
        /// 64 bits.
        W64 = "64",
        /// The low 32 bits.
        W32 = "32",
        /// The low 48 bits. Source: p4wn.
        W48 = "48",
        /// Two parts of 64 bits.
        W128 = "128",
        /// Two parts, of which only the low 32 bits are used. Source: Garbochess-JS.
        W2x32 = "2x32",
    }
}

/// Number of halfmove clock values that a table distinguishes. A player may claim a draw when the clock reaches 100,
/// and the game is drawn without a claim at 150.
pub const CLOCKS: usize = 128;

impl Pieces {
    /// Number of pieces times number of squares.
    const PIECE_SQUARES: usize = 768;

    /// Returns the number of 64-bit numbers that are stored for the pieces.
    pub(super) const fn numbers(self) -> usize {
        match self {
            Pieces::Table | Pieces::Bch | Pieces::Lcg15 | Pieces::TinySeed => Pieces::PIECE_SQUARES,
            Pieces::OverlapBytes => 97,
            Pieces::OverlapBits => 13,
            Pieces::Rotate | Pieces::RotateHalves | Pieces::Gf64 => 12,
            Pieces::Composite | Pieces::PieceXorSquare => 76,
            Pieces::Computed | Pieces::GoldenRatio => 1,
        }
    }
}

impl Castling {
    /// Returns the form of castling keys that a tracker uses when rights change. The keys of `c4x16` are looked up by
    /// set of rights, like the keys of `c16`.
    pub(super) const fn by_look_up(self) -> Castling {
        if matches!(self, Castling::C4x16) { Castling::C16 } else { self }
    }
}

impl EnPassantKeys {
    /// Returns true if there is a key for having no en-passant square.
    pub const fn has_none(self) -> bool {
        !matches!(self, EnPassantKeys::E8 | EnPassantKeys::E64)
    }
}

impl ClockKeys {
    /// Returns the index of the key for a halfmove clock value, if that value has a key. Values beyond the table use
    /// the last key.
    pub fn index(self, halfmove: usize) -> Option<usize> {
        // The first clock value that has a key, and how many values share each key.
        let (first, step) = match self {
            ClockKeys::None => return None,
            ClockKeys::From14By8 => (14, 8),
            ClockKeys::From16By8 => (16, 8),
            ClockKeys::From20By10 => (20, 10),
        };
        Some(halfmove.min(CLOCKS - 1).checked_sub(first)? / step)
    }
}

impl Width {
    /// Returns a mask of the bits that are used of each 64-bit part of a key.
    pub const fn mask(self) -> u64 {
        match self {
            Width::W64 | Width::W128 => !0,
            Width::W48 => (1 << 48) - 1,
            Width::W32 | Width::W2x32 => (1 << 32) - 1,
        }
    }

    /// Returns the number of parts of a key. The keys of the two parts are drawn independently.
    pub const fn parts(self) -> usize {
        if matches!(self, Width::W128 | Width::W2x32) { 2 } else { 1 }
    }

    /// Returns the number of bits of the key.
    pub const fn bits(self) -> u32 {
        self.mask().count_ones() * self.parts() as u32
    }
}

/// All axes of a scheme.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Axes {
    pub pieces: Pieces,
    pub castling: Castling,
    pub en_passant: EnPassantKeys,
    /// The rule that decides when the en-passant square counts.
    pub policy: EnPassantPolicy,
    pub side: Side,
    pub combine: Combine,
    pub width: Width,
    pub clock: ClockKeys,
}

/// The error returned if a text does not name a usable scheme.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SchemeError {
    /// The text is neither a preset nor a list of axes. The message says what was found and what was expected.
    Unknown(String),
    /// A weak combination of axes. It can be run to demonstrate its weakness, but only on request.
    Weak(&'static str),
    /// A combination of axes that has no meaning.
    Meaningless(&'static str),
}

impl fmt::Display for SchemeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SchemeError::Unknown(message) => f.write_str(message),
            SchemeError::Weak(reason) => {
                write!(f, "found a weak combination, expected a sound one or --allow-weak; {reason}")
            }
            SchemeError::Meaningless(reason) => write!(f, "found a combination that does not exist: {reason}"),
        }
    }
}

impl std::error::Error for SchemeError {}

impl From<String> for SchemeError {
    fn from(message: String) -> SchemeError {
        SchemeError::Unknown(message)
    }
}

impl Axes {
    /// Sets axes from `axis=value,axis=value`.
    pub fn set(mut self, text: &str) -> Result<Axes, SchemeError> {
        let mut seen = Vec::new();
        for part in text.split(',') {
            let Some((axis, value)) = part.split_once('=') else {
                return Err(format!("found '{part}', expected axis=value").into());
            };
            if seen.contains(&axis) {
                return Err(format!("found {axis} twice, expected it once").into());
            }
            seen.push(axis);
            match axis {
                "pieces" => self.pieces = Pieces::of_name(value, part)?,
                "castling" => self.castling = Castling::of_name(value, part)?,
                "ep" => self.en_passant = EnPassantKeys::of_name(value, part)?,
                "policy" => self.policy = EnPassantPolicy::of_name(value, part)?,
                "side" => self.side = Side::of_name(value, part)?,
                "combine" => self.combine = Combine::of_name(value, part)?,
                "width" => self.width = Width::of_name(value, part)?,
                "clock" => self.clock = ClockKeys::of_name(value, part)?,
                _ => {
                    let axes = "pieces, castling, ep, policy, side, combine, width, clock";
                    return Err(format!("found axis '{axis}', expected one of {axes}").into());
                }
            }
        }
        Ok(self)
    }

    /// Returns the reason why this combination of axes is refused, or `None` if it is accepted.
    pub fn refusal(&self) -> Option<SchemeError> {
        let bch = Axes { pieces: Pieces::Bch, castling: Castling::C4, policy: self.policy, ..Axes::CPW793 };
        match (self.pieces, self.combine) {
            (Pieces::Bch, _) if *self != bch => Some(SchemeError::Meaningless(
                "bch draws all its keys from one code: it needs castling=c4, ep=e8, side=s1, combine=xor, width=64, clock=none",
            )),
            (Pieces::Composite, Combine::Add) => Some(SchemeError::Weak(
                "composite keys are sums: two pieces that swap squares leave the key unchanged (loses 824,094 of the \
                 9,417,681 positions after six plies)",
            )),
            (Pieces::PieceXorSquare, _) => Some(SchemeError::Weak(
                "a key for the piece xored with one for the square: two pieces that swap squares leave the key unchanged \
                 (loses 824,098 of the 9,417,681 positions after six plies)",
            )),
            (Pieces::RotateHalves, _) => Some(SchemeError::Weak(
                "halves of 32 bits, each rotated separately: squares half a board apart have the same key (loses 321,119 \
                 of the 9,417,681 positions after six plies)",
            )),
            (Pieces::Lcg15, _) => Some(SchemeError::Weak(
                "the low bits of a generator modulo 2^15 have short periods, so four or six of the keys xor to zero",
            )),
            (Pieces::GoldenRatio, _) => Some(SchemeError::Weak(
                "multiples of a constant: the low half depends only on the low bits of the number",
            )),
            (Pieces::TinySeed, _) => Some(SchemeError::Weak("the keys of a 16-bit generator span only 16 bits")),
            (Pieces::Rotate | Pieces::Gf64 | Pieces::OverlapBits, Combine::Add) => Some(SchemeError::Weak(
                "the key of the next square is nearly twice the key: a piece on b1 adds as much as two on a1",
            )),
            _ => None,
        }
    }

    /// Returns the number of random 64-bit numbers that the scheme stores for the first part of its key.
    pub fn number_of_keys(&self) -> usize {
        self.pieces.numbers() + self.state_terms().len()
    }

    /// Returns the size in bytes of the tables as an engine would keep them. This includes all 16 castling entries for
    /// `c4x16`. For `overlap-bytes`, only the 775 bytes that are read are included.
    pub fn table_bytes(&self) -> usize {
        let bytes = self.width.bits().next_power_of_two() as usize / 8;
        let parts = self.width.parts();
        let pieces = match (self.pieces, self.pieces.numbers()) {
            (Pieces::OverlapBytes, _) => 775 * parts,
            (_, Pieces::PIECE_SQUARES) => Pieces::PIECE_SQUARES * bytes,
            // Rotations, products and the finaliser need whole 64-bit words at every key width.
            (_, numbers) => 8 * numbers * parts,
        };
        let tabulated = if self.castling == Castling::C4x16 { 12 } else { 0 };
        pieces + (self.state_terms().len() + tabulated) * bytes
    }

    /// Returns the number of independent key bits. The keys of `bch` span only 61 dimensions.
    pub fn effective_bits(&self) -> u32 {
        if self.pieces == Pieces::Bch { 61 } else { self.width.bits() }
    }
}

impl fmt::Display for Axes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Axes { pieces, castling, en_passant, policy, side, combine, width, clock } = self;
        let policy = policy.name();
        write!(f, "pieces={pieces},castling={castling},ep={en_passant},policy={policy},side={side},combine={combine}")?;
        write!(f, ",width={width}")?;
        // `none` is omitted: most schemes have no clock keys, and records of older builds do not list this axis.
        if *clock == ClockKeys::None { Ok(()) } else { write!(f, ",clock={clock}") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_has_the_key_of_its_step() {
        let keys =
            |axis: ClockKeys| [0, 13, 14, 15, 16, 21, 22, 30, 99, 127, 128, 32767].map(|clock| axis.index(clock));
        let some = |keys: [usize; 10]| keys.map(Some);
        assert_eq!(keys(ClockKeys::None), [None; 12]);
        assert_eq!(keys(ClockKeys::From14By8)[..2], [None; 2]);
        assert_eq!(keys(ClockKeys::From14By8)[2..], some([0, 0, 0, 0, 1, 2, 10, 14, 14, 14]));
        assert_eq!(
            keys(ClockKeys::From16By8)[3..],
            [None, Some(0), Some(0), Some(0), Some(1), Some(10), Some(13), Some(13), Some(13)]
        );
        assert_eq!(
            ClockKeys::ALL.map(|clock| Axes { clock, ..Axes::CPW793 }.number_of_keys()),
            [793, 793 + 15, 793 + 14, 793 + 11]
        );
        let axes = Axes::CPW793.set("clock=20by10").unwrap();
        assert_eq!((axes.number_of_keys(), axes.table_bytes()), (793 + 11, 8 * (793 + 11)));
        assert!(axes.to_string().ends_with(",width=64,clock=20by10"));
    }

    #[test]
    fn axes_are_set_by_name_and_refused_with_a_reason() {
        let axes = Axes::CPW793.set("pieces=rotate,castling=c4,ep=e65,side=s1").unwrap();
        assert_eq!(axes.to_string(), "pieces=rotate,castling=c4,ep=e65,policy=legal,side=s1,combine=xor,width=64");
        let axes = "pieces, castling, ep, policy, side, combine, width, clock";
        for (text, message) in [
            ("rotate", "found 'rotate', expected axis=value"),
            ("side=s3", "found side=s3, expected one of s1, s1w, s2"),
            ("colour=s1", &format!("found axis 'colour', expected one of {axes}")),
            ("side=s1,side=s2", "found side twice, expected it once"),
        ] {
            assert_eq!(Axes::CPW793.set(text), Err(SchemeError::Unknown(message.into())));
        }
        let refusal = |text| Axes::CPW793.set(text).unwrap().refusal();
        assert!(matches!(refusal("pieces=composite,combine=add"), Some(SchemeError::Weak(_))));
        assert!(matches!(refusal("pieces=bch"), Some(SchemeError::Meaningless(_))));
        assert_eq!(refusal("pieces=bch,castling=c4"), None);
        assert_eq!(refusal("pieces=overlap-bytes,combine=add"), None);
    }
}
