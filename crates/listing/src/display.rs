//! Reads the FEN and the key from an engine's answer to `d` or another display command. Compares the FEN with a board.

use perft_gate_chess::{Board, CastlingRights, Color, EnPassantPolicy, Fen, FenField, Piece, Square, Wing};
use regex_lite::Regex;

/// If the keys of several positions have at least this number of digits in total and none is a letter, the base is 10.
/// Only one in 80,000 strings of 24 random hexadecimal digits has no letter.
const MIN_DIGITS: usize = 24;

/// A key after one of these words is not the key of the whole position.
const OTHERS: [&str; 4] = ["pawn", "material", "minor", "major"];

/// Minimum number of digits of a key labelled `hash`. Shorter numbers give the size of a table, or how full it is.
const MIN_HASH_DIGITS: usize = 7;

/// The FEN and the key that an engine shows for a position.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Display {
    pub fen: Option<String>,
    key: Option<FoundKey>,
}

perft_gate_chess::named! {
    /// Number base in which an engine prints keys.
    #[perft_gate_chess::document(kebab, Clone, Copy, PartialEq, Eq, Hash, Debug, serde::Serialize)]
    pub enum KeyBase {
        /// Base 16.
        Hexadecimal = "hexadecimal",
        /// Base 10. A negative number is read as its 64-bit two's complement.
        Decimal = "decimal",
    }
}

/// A key as it was printed.
#[derive(Clone, PartialEq, Eq, Debug)]
struct FoundKey {
    value: u128,
    text: String,
    /// The line that holds the key.
    line: String,
    /// True if no other field precedes the key on its line.
    is_first: bool,
}

impl KeyBase {
    /// Returns the base in which the keys of several positions are printed: decimal if all digits are decimal and there
    /// is a sign or there are enough digits to prove it, otherwise hexadecimal.
    pub fn detect(texts: &[String]) -> KeyBase {
        let digits = |text: &String| text.trim_start_matches('-').len();
        let is_decimal = |text: &String| text.trim_start_matches('-').bytes().all(|byte| byte.is_ascii_digit());
        // Only decimal keys have a sign.
        let is_signed = texts.iter().any(|text| text.starts_with('-'));
        let is_sure = is_signed || texts.iter().map(digits).sum::<usize>() >= MIN_DIGITS;
        if is_sure && texts.iter().all(is_decimal) { KeyBase::Decimal } else { KeyBase::Hexadecimal }
    }

    fn read(self, text: &str) -> Option<u128> {
        match self {
            KeyBase::Hexadecimal => {
                // Until the base is known, decimal keys are also read as hexadecimal, so a sign is skipped.
                let digits = text.trim_start_matches('-');
                u128::from_str_radix(digits.trim_start_matches("0x").trim_start_matches("0X"), 16).ok()
            }
            KeyBase::Decimal if text.starts_with('-') => text.parse::<i64>().ok().map(|key| u128::from(key as u64)),
            KeyBase::Decimal => text.parse().ok(),
        }
    }
}

impl Display {
    /// Pattern that finds the key in the output of the `d` command of Stockfish and many other engines.
    pub const KEY_PATTERN: &'static str = concat!(
        r"(?i)(?:\b(?:pos(?:ition)?)?key\s*[:=]|\b(?:zobrist |position |board )?hash(?: key)?\s*[:=]",
        r"|\bzobrist (?:key|hash)\s)\s*(-?(?:0x)?[0-9a-f]+)"
    );

    /// Returns the key: the first one that begins a line or, if none does, the first one found.
    pub fn key(&self) -> Option<u128> {
        self.key.as_ref().map(|key| key.value)
    }

    /// Returns the text of the key and the line that contains it.
    pub fn key_text(&self) -> Option<(&str, &str)> {
        self.key.as_ref().map(|key| (&*key.text, &*key.line))
    }

    /// Reads the next line of the answer. `pattern` finds a key, whose number is in its first group.
    pub fn take(&mut self, line: &str, pattern: &Regex, base: KeyBase) {
        let named = line.split_once(':').filter(|(name, _)| name.trim().eq_ignore_ascii_case("fen"));
        if let Some((_, fen)) = named {
            self.fen = Some(fen.trim().into());
            return;
        }
        if pattern.as_str() == Display::KEY_PATTERN {
            // These checks are faster than a regular expression, because most lines show the board, and most engines
            // write the key in the same form.
            if !has_key(line) {
                return;
            }
            // The usual line is `Key: 8F8F01D4562F59FB`.
            let usual = line.strip_prefix("Key: ").filter(|text| text.bytes().all(|byte| byte.is_ascii_hexdigit()));
            if let Some(text) = usual.filter(|text| !text.is_empty() && self.key.is_none()) {
                let key = |value| FoundKey { value, text: text.into(), line: line.into(), is_first: true };
                self.key = base.read(text).map(key);
                return;
            }
        }
        let found = pattern.captures_iter(line).find_map(|found| {
            let before = &line[..found.get(0)?.start()];
            let text = found.get(1)?.as_str();
            if pattern.as_str() == Display::KEY_PATTERN && is_size(found.get(0)?.as_str(), text) {
                return None;
            }
            let (value, is_first) = (base.read(text)?, !before.contains([':', '=']));
            let key = FoundKey { value, text: text.into(), line: line.trim().into(), is_first };
            (!names_another(before)).then_some(key)
        });
        if found.as_ref().is_some_and(|found| self.key.as_ref().is_none_or(|key| !key.is_first && found.is_first)) {
            self.key = found;
        }
    }
}

/// Returns true if a line contains `key` or `hash`, without which the usual pattern cannot match.
fn has_key(line: &str) -> bool {
    let bytes = line.as_bytes();
    let goes_on =
        |at: usize, rest: &[u8]| bytes[at + 1..].get(..rest.len()).is_some_and(|b| b.eq_ignore_ascii_case(rest));
    bytes.iter().enumerate().any(|(at, byte)| match byte {
        b'k' | b'K' => goes_on(at, b"ey"),
        b'h' | b'H' => goes_on(at, b"ash"),
        _ => false,
    })
}

/// Returns true if the number is the size of a hash table, as in `Hash: 64`, and not a key.
fn is_size(name: &str, number: &str) -> bool {
    let is_key = name.to_ascii_lowercase().contains("key") || name.to_ascii_lowercase().contains("zobrist");
    !is_key && number.trim_start_matches('-').len() < MIN_HASH_DIGITS
}

/// Returns true if the text before a key names another kind of key, such as a pawn key.
fn names_another(before: &str) -> bool {
    let before = before.to_ascii_lowercase();
    let name = before.rsplit([':', '=', ',', ';', '|', '\t']).next().unwrap_or("");
    OTHERS.iter().any(|word| name.contains(word))
}

/// Which clocks an engine reproduces unchanged in its FENs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KeptClocks {
    /// The halfmove clock.
    pub halfmove: bool,
    /// The fullmove number.
    pub fullmove: bool,
}

impl KeptClocks {
    /// A position with a halfmove clock and a fullmove number that no engine shows by default.
    pub const GIVEN: &'static str = "4k3/8/8/8/8/8/8/R3K3 w - - 13 60";

    /// Returns which clocks of [`GIVEN`](Self::GIVEN) are unchanged in the FEN that the engine shows for it.
    pub fn detect(shown: &str) -> KeptClocks {
        let mut clocks = shown.split_ascii_whitespace().skip(4);
        KeptClocks { halfmove: clocks.next() == Some("13"), fullmove: clocks.next() == Some("60") }
    }

    /// Describes what is wrong in the FEN that an engine shows for a board. Returns `None` if nothing is wrong. The
    /// e.p. square may be missing if no capture is legal.
    pub fn wrong_fields(self, shown: &str, board: &Board) -> Option<String> {
        let texts: Vec<&str> = shown.split_ascii_whitespace().collect();
        let [pieces, rights] = [0, 2].map(|field| *texts.get(field).unwrap_or(&""));
        let (pieces, rights) = (pieces_difference(pieces, board), rights_difference(rights, board));
        // After some moves, the clocks may exceed the limits for a FEN.
        let fen = match Fen::parse_later(shown, MAX_PLIES) {
            Ok(fen) => fen,
            // A castling right without its rook makes the FEN invalid, but the differences from the board say more.
            Err(error) => {
                let described: Vec<String> = pieces.into_iter().chain(rights).collect();
                return Some(if described.is_empty() { format!("invalid FEN: {error}") } else { described.join(", ") });
            }
        };
        // In Chess960 one letter can mean either of two rooks, so the rooks themselves are compared.
        let has_rights = fen.castling_rooks() == board.castling_rooks();
        let rights = (!has_rights).then(|| rights.unwrap_or_else(|| FenField::Castling.to_string()));
        let square = fen.en_passant(EnPassantPolicy::Always);
        let is_square = square == board.en_passant(EnPassantPolicy::Always)
            || square.is_none() && board.en_passant(EnPassantPolicy::Legal).is_none();
        let fields = [
            (FenField::SideToMove, fen.turn() == board.turn()),
            (FenField::EnPassant, is_square),
            (FenField::Halfmove, !self.halfmove || fen.halfmove() == board.halfmove()),
            (FenField::Fullmove, !self.fullmove || fen.fullmove() == board.fullmove()),
        ];
        let wrong = fields.iter().filter(|(_, is_right)| !is_right).map(|(field, _)| field.to_string());
        let wrong: Vec<String> = pieces.into_iter().chain(rights).chain(wrong).collect();
        (!wrong.is_empty()).then(|| wrong.join(", "))
    }
}

/// Maximum number of differing squares that are described individually.
const MAX_SQUARES: usize = 3;

/// Describes the squares on which the first field of a FEN differs from a board.
fn pieces_difference(pieces: &str, board: &Board) -> Option<String> {
    let mut shown: Vec<Option<Piece>> = Vec::new();
    for letter in pieces.split('/').rev().flat_map(str::chars) {
        match letter.to_digit(10) {
            Some(empty) => shown.extend((0..empty).map(|_| None)),
            None => shown.push(Piece::from_letter(letter)),
        }
    }
    let differs = |&square: &Square| shown.get(square.index()) != Some(&board.piece_on(square));
    let wrong: Vec<Square> = Square::all().filter(differs).collect();
    if shown.len() != Square::all().count() {
        return Some(FenField::Board.to_string());
    }
    if wrong.len() > MAX_SQUARES {
        return Some(format!("{} wrong squares", wrong.len()));
    }
    let describe = |&square: &Square| {
        let [extra, missing] = [(shown[square.index()], "extra"), (board.piece_on(square), "missing")]
            .map(|(piece, what)| piece.map(|piece| format!("{what} {piece} on {square}")));
        [extra, missing].into_iter().flatten()
    };
    (!wrong.is_empty()).then(|| wrong.iter().flat_map(describe).collect::<Vec<_>>().join(", "))
}

/// Describes the castling rights that only the third field of a FEN has, and those that only the board has.
fn rights_difference(shown: &str, board: &Board) -> Option<String> {
    let held = board.castling_rooks().into_iter().map(|rook| {
        let color = board.piece_on(rook).expect("a rook").color;
        let right = CastlingRights::one(color, Wing::of_rook(board.king(color), rook)).to_string();
        let file = if color == Color::White { rook.file_letter().to_ascii_uppercase() } else { rook.file_letter() };
        (right, file)
    });
    let held: Vec<(String, char)> = held.collect();
    let is_held =
        |letter: &char| *letter == '-' || held.iter().any(|(right, file)| right.contains(*letter) || file == letter);
    let extra: String = shown.chars().filter(|letter| !is_held(letter)).collect();
    let is_missing = |(right, file): &&(String, char)| !shown.contains(right.as_str()) && !shown.contains(*file);
    let missing: String = held.iter().filter(is_missing).map(|(right, _)| right.as_str()).collect();
    let describe = |(what, rights): (&str, String)| {
        let plural = if rights.len() > 1 { "s" } else { "" };
        (!rights.is_empty()).then(|| format!("{what} castling right{plural} {rights}"))
    };
    let described: Vec<String> = [("extra", extra), ("missing", missing)].into_iter().filter_map(describe).collect();
    (!described.is_empty()).then(|| described.join(", "))
}

/// Maximum number of plies that the engine plays before its FEN is compared.
const MAX_PLIES: u32 = 100;

#[cfg(test)]
mod tests {
    use super::*;

    fn board(fen: &str) -> Board {
        Fen::parse(fen).expect("a position")
    }

    fn key(pattern: &str, lines: &[&str]) -> Option<u128> {
        let mut display = Display::default();
        let pattern = Regex::new(pattern).expect("a pattern");
        lines.iter().for_each(|line| display.take(line, &pattern, KeyBase::Hexadecimal));
        display.key()
    }

    #[test]
    fn decimal_keys_are_told_by_several() {
        let base = |texts: &[&str]| KeyBase::detect(&texts.iter().map(|text| (*text).into()).collect::<Vec<_>>());
        assert_eq!(base(&["5060803636482931868", "-4737264382"]), KeyBase::Decimal);
        assert_eq!(base(&["5060803636482931868", "463B96181691FC9C"]), KeyBase::Hexadecimal);
        assert_eq!(base(&["1", "7"]), KeyBase::Hexadecimal);
        // Keys of 16 bits, signed and unsigned.
        assert_eq!(base(&["-31492", "12"]), KeyBase::Decimal);
        assert_eq!(base(&["31492", "12113", "60211", "4711", "9000", "65535"]), KeyBase::Decimal);
        assert_eq!(base(&["7B04", "2F51", "EB33", "1267", "2328", "FFFF"]), KeyBase::Hexadecimal);
        assert_eq!(base(&["-31492", "7B04"]), KeyBase::Hexadecimal);
        assert_eq!(base(&[]), KeyBase::Hexadecimal);
        assert_eq!(KeyBase::Decimal.read("-1"), Some(u128::from(u64::MAX)));
        assert_eq!(KeyBase::Decimal.read("5060803636482931868"), Some(0x463B_9618_1691_FC9C));
    }

    #[test]
    fn the_key_of_the_position_is_taken() {
        for lines in [
            &["Key: 0A", "Pawn key: 0B"][..],
            &["Pawn key: 0B", "Key: 0A"],
            &["Pawn key: 0B   Key: 0A"],
            &["Non-pawn key: 1", "Material Key = 2", "minor-piece key: 3", "Zobrist key: 0x0a"],
            &["side: white, key: 7", "Key: 0A", "Key: 0B"],
            &["Key: 0A", "Key: 0B"],
            &["side: white, key: 0A"],
            &["hash key : A"],
            &["PosKey:A"],
            &["Hash: 64", "key: A"],
            &["Hash table: 64 MB, hash full: 12", "zobrist key              A"],
            &["zobrist hash: 0xa"],
            &["Hash:       000000000A", "PawnHash:    741194392114550454", "Non-Pawn Hash (Whites): 626954389"],
            &["Zobrist hash: A", "Pawn structure hash: 9230469345212147435"],
        ] {
            assert_eq!(key(Display::KEY_PATTERN, lines), Some(10), "{lines:?}");
        }
        assert_eq!(key(Display::KEY_PATTERN, &["Pawn key: 0B", "Nonpawn key: 0B"]), None);
        assert_eq!(key("Pawn key: ([0-9A-F]+)", &["Key: 0A", "Pawn key: 0B"]), Some(11));
    }

    #[test]
    fn a_wrong_field_is_named_and_habits_are_not() {
        let clocks = |halfmove, fullmove| KeptClocks { halfmove, fullmove };
        let both = KeptClocks::detect("4k3/8/8/8/8/8/8/R3K3 w - - 13 60");
        assert_eq!(both, clocks(true, true));
        assert_eq!(KeptClocks::detect("4k3/8/8/8/8/8/8/R3K3 w - - 0 60"), clocks(false, true));
        assert_eq!(KeptClocks::detect("4k3/8/8/8/8/8/8/R3K3 w - -"), clocks(false, false));
        let pushed = board("r3k3/8/8/8/6P1/8/8/4K2R b Kq g3 0 7");
        let taken = board("8/8/4k3/8/2pP4/8/8/4K3 b - d3 0 9");
        for (kept, board, shown, expected) in [
            (both, &pushed, "r3k3/8/8/8/6P1/8/8/4K2R b Kq g3 0 7", ""),
            (both, &pushed, "r3k3/8/8/8/6P1/8/8/4K2R b Kq - 0 7", ""),
            (both, &pushed, "r3k3/8/8/8/6P1/8/8/4K2R b Ha - 0 7", ""),
            (clocks(false, false), &pushed, "r3k3/8/8/8/6P1/8/8/4K2R b Kq -", ""),
            (both, &pushed, "r3k3/8/8/8/6P1/8/8/4K2R b Kq - 1 8", "halfmove clock, fullmove number"),
            (clocks(true, false), &pushed, "r3k3/8/8/8/6P1/8/8/4K2R b Kq - 1 8", "halfmove clock"),
            (both, &pushed, "r3k3/8/8/8/6P1/8/8/4K2R w K - 0 7", "missing castling right q, side to move"),
            (both, &pushed, "r3k3/8/8/8/8/6P1/8/4K2R b Kq - 0 7", "extra white pawn on g3, missing white pawn on g4"),
            (both, &pushed, "r3k3/8/8/8/6P1/8/8/4K2R b Kq g6 0 7", "invalid FEN: "),
            (both, &pushed, "r3k3/8/8/8/6P1/8/8/4K3 b KQq - 0 7", "missing white rook on h1, extra castling right Q"),
            (
                both,
                &pushed,
                "4k3/8/8/8/8/8/8/4K3 b - - 0 7",
                "missing white rook on h1, missing white pawn on g4, missing black rook on a8, missing castling rights Kq",
            ),
            (both, &pushed, "3k4/8/8/8/8/8/8/3K4 b Kq - 0 7", "7 wrong squares"),
            (both, &taken, "8/8/4k3/8/2pP4/8/8/4K3 b - - 0 9", "en passant"),
        ] {
            let found = kept.wrong_fields(shown, board).unwrap_or_default();
            assert!(found.starts_with(expected) && found.is_empty() == expected.is_empty(), "{shown}: {found}");
        }
    }
}
