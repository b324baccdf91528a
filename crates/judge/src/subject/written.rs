//! Field-by-field comparison of a board's FEN with ours.
//!
//! Boards may differ in three habits: which e.p. squares they write, whether they write castling rights as `KQkq`
//! letters or rook files, and whether they keep clocks. Habits are not known beforehand, so each FEN rules out the
//! habits that do not explain it. A FEN that no remaining habit explains is wrong: a board may have any habit, but must
//! keep to it. The report names the habits.

use super::details::Supply;
use perft_gate_chess::{Board, EnPassantPolicy, Fen, FenField};
use std::collections::BTreeSet;
use std::fmt;

perft_gate_chess::named! {
    /// Notation of castling rights.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum CastlingLetters {
        /// `KQkq` letters, with a file letter only for a rook that is not the outermost one (X-FEN).
        Kqkq = "KQkq",
        /// The files of the rooks (Shredder-FEN).
        RookFiles = "rook files",
    }
}

impl CastlingLetters {
    fn fen(self, board: &Board) -> String {
        match self {
            CastlingLetters::Kqkq => Fen::write(board, EnPassantPolicy::Always),
            CastlingLetters::RookFiles => Fen::write_shredder(board, EnPassantPolicy::Always),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ReachedBy {
    Moves,
    Fen,
}

/// FENs that were compared with ours, and the e.p. policies and notations that explain all of them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WrittenFens {
    /// Number of FENs whose fields were all compared.
    pub compared: u64,
    /// E.p. policies that fit all FENs so far: first FENs written after moves, then those written after reading a FEN.
    pub en_passant: [Vec<EnPassantPolicy>; 2],
    /// Notations of castling rights that fit the FENs so far.
    pub castling: Vec<CastlingLetters>,
    /// Whether the board supplies the halfmove clock and the fullmove number.
    pub clocks: [Supply; 2],
    pub(super) fens: Supply,
}

impl Default for WrittenFens {
    fn default() -> WrittenFens {
        WrittenFens {
            compared: 0,
            en_passant: [EnPassantPolicy::ALL.to_vec(), EnPassantPolicy::ALL.to_vec()],
            castling: CastlingLetters::ALL.to_vec(),
            clocks: [Supply::Unknown; 2],
            fens: Supply::Unknown,
        }
    }
}

impl WrittenFens {
    /// Adds the comparisons made at other positions. Returns `None` if no habits explain the FENs of both.
    pub(super) fn join(mut self, other: &WrittenFens) -> Option<WrittenFens> {
        self.compared += other.compared;
        for (habits, others) in self.en_passant.iter_mut().zip(&other.en_passant) {
            habits.retain(|habit| others.contains(habit));
        }
        self.castling.retain(|habit| other.castling.contains(habit));
        for (supply, other) in self.clocks.iter_mut().zip(other.clocks) {
            *supply = supply.join(other)?;
        }
        self.fens = self.fens.join(other.fens)?;
        let is_explained = !self.castling.is_empty() && self.en_passant.iter().all(|habits| !habits.is_empty());
        is_explained.then_some(self)
    }

    /// Compares a board's FEN of this position with ours.
    ///
    /// **Errors**: what was expected and what was found, with the names of the wrong fields.
    pub(super) fn compare(
        &mut self,
        written: Option<String>,
        board: &Board,
        reached_by: ReachedBy,
    ) -> Result<(), [String; 2]> {
        if let Err(expected) = self.fens.note(Supply::from_option(written.as_ref())) {
            return Err([format!("FEN: {expected}"), format!("{written:?}")]);
        }
        let Some(written) = written else { return Ok(()) };
        self.compared += 1;
        let texts: Vec<&str> = written.split_ascii_whitespace().collect();
        let ours = Fen::write(board, EnPassantPolicy::Always);
        let mut wrong = Vec::new();
        for (at, (field, ours)) in FenField::ALL.into_iter().zip(ours.split(' ')).enumerate() {
            let found = texts.get(at).copied();
            let compared = match field {
                FenField::Castling => self.compare_castling(found, board),
                FenField::EnPassant => self.compare_en_passant(found, board, reached_by),
                FenField::Halfmove => compare_clock(&mut self.clocks[0], found, ours),
                FenField::Fullmove => compare_clock(&mut self.clocks[1], found, ours),
                _ if found == Some(ours) => Ok(()),
                _ => Err(quote(ours)),
            };
            if let Err(expected) = compared {
                wrong.push((field, expected, found));
            }
        }
        if let Some(rest) = texts.get(FenField::End as usize) {
            wrong.push((FenField::End, "nothing".into(), Some(*rest)));
        }
        if wrong.is_empty() {
            return Ok(());
        }
        let expected = wrong.iter().map(|(field, expected, _)| format!("{field} {expected}"));
        let found = wrong.iter().map(|(field, _, found)| format!("{field} {}", found.map_or("absent".into(), quote)));
        let [expected, found] = [expected.collect::<Vec<_>>(), found.collect()].map(|parts| parts.join(", "));
        Err([expected, format!("{found}: '{written}'")])
    }

    fn compare_castling(&mut self, found: Option<&str>, board: &Board) -> Result<(), String> {
        let text = |letters: CastlingLetters| letters.fen(board).split(' ').nth(2).unwrap_or_default().to_string();
        narrow(&mut self.castling, &CastlingLetters::ALL, found, text, CastlingLetters::name)
    }

    fn compare_en_passant(&mut self, found: Option<&str>, board: &Board, reached_by: ReachedBy) -> Result<(), String> {
        let text = |policy| board.en_passant(policy).map_or("-".into(), |square| square.to_string());
        narrow(&mut self.en_passant[reached_by as usize], &EnPassantPolicy::ALL, found, text, EnPassantPolicy::name)
    }
}

/// Keeps only the habits with which a board would have written `found`. `all` lists every habit.
///
/// **Errors**: what boards with `habits` would have written. In that case, `habits` stays unchanged.
fn narrow<H: Copy>(
    habits: &mut Vec<H>,
    all: &[H],
    found: Option<&str>,
    text: impl Fn(H) -> String,
    name: fn(H) -> &'static str,
) -> Result<(), String> {
    let fits = |habit: &H| found == Some(&text(*habit));
    if habits.iter().any(fits) {
        habits.retain(fits);
        return Ok(());
    }
    let texts: BTreeSet<String> = all.iter().map(|&habit| text(habit)).collect();
    let expected = texts.iter().filter_map(|expected| {
        let named: Vec<H> = habits.iter().copied().filter(|&habit| text(habit) == *expected).collect();
        let names = if texts.len() > 1 { format!(" ({})", list_habits(&named, name)) } else { String::new() };
        (!named.is_empty()).then(|| quote(expected) + &names)
    });
    Err(expected.collect::<Vec<_>>().join(" or "))
}

/// Compares a clock of a FEN with ours, or records that the FEN has none.
///
/// **Errors**: what was expected.
fn compare_clock(supply: &mut Supply, found: Option<&str>, ours: &str) -> Result<(), String> {
    supply.note(Supply::from_option(found))?;
    match found {
        // Boards that keep no clocks write these values.
        Some("0" | "1") if found != Some(ours) => {
            Err(quote(ours) + " (if the board keeps no clocks, leave both fields out)")
        }
        Some(found) if found != ours => Err(quote(ours)),
        _ => Ok(()),
    }
}

fn quote(text: &str) -> String {
    format!("'{text}'")
}

fn list_habits<H: Copy>(habits: &[H], name: fn(H) -> &'static str) -> String {
    habits.iter().map(|&habit| name(habit)).collect::<Vec<_>>().join(" or ")
}

impl fmt::Display for WrittenFens {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.compared == 0 {
            return f.write_str("not supplied");
        }
        let [by_moves, by_fen] = self.en_passant.each_ref().map(|habits| list_habits(habits, EnPassantPolicy::name));
        let castling = list_habits(&self.castling, CastlingLetters::name);
        write!(f, "{} (e.p. {by_moves} by moves, {by_fen} by FEN; castling as {castling}", self.compared)?;
        for (field, supply) in [FenField::Halfmove, FenField::Fullmove].iter().zip(self.clocks) {
            if supply != Supply::Supplied {
                write!(f, "; {field} not supplied")?;
            }
        }
        f.write_str(")")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROOKS: &str = "1r1k3r/8/8/8/8/8/8/RR2K2R w KBk - 12 345";

    fn compare_fen(fens: &mut WrittenFens, position: &str, written: &str) -> Result<(), [String; 2]> {
        fens.compare(Some(written.into()), &Fen::parse(position).unwrap(), ReachedBy::Moves)
    }

    #[test]
    fn each_field_is_named() {
        for (written, expected, found) in [
            ("", "board '1r1k3r/8/8/8/8/8/8/RR2K2R', side", "board absent, side to move absent, castling absent"),
            ("11k4r/8/8/8/8/8/8/RR2K2R w KBk - 12 345", "board '1r1k3r/", "board '11k4r/8/8/8/8/8/8/RR2K2R': '"),
            ("1r1k3r/8/8/8/8/8/8/RR2K2R b KBk - 12 345", "side to move 'w'", "side to move 'b': '"),
            (
                "1r1k3r/8/8/8/8/8/8/RR2K2R w KQk - 12 345",
                "castling 'HBh' (rook files) or 'KBk' (KQkq)",
                "castling 'KQk'",
            ),
            ("1r1k3r/8/8/8/8/8/8/RR2K2R w kBK - 12 345", "castling 'HBh'", "castling 'kBK': '"),
            ("1r1k3r/8/8/8/8/8/8/RR2K2R w KBk e3 12 345", "en passant '-'", "en passant 'e3': '"),
            ("1r1k3r/8/8/8/8/8/8/RR2K2R w KBk - 13 345", "halfmove clock '12'", "halfmove clock '13': '"),
            ("1r1k3r/8/8/8/8/8/8/RR2K2R w KBk - 12 344", "fullmove number '345'", "fullmove number '344': '"),
            ("1r1k3r/8/8/8/8/8/8/RR2K2R w KBk - 12 345 x", "end of line nothing", "end of line 'x': '"),
        ] {
            let texts = compare_fen(&mut WrittenFens::default(), ROOKS, written).unwrap_err();
            assert!(texts[0].starts_with(expected) && texts[1].starts_with(found), "{written}: {texts:?}");
        }
    }

    #[test]
    fn any_habit_is_right_but_only_one() {
        let mut fens = WrittenFens::default();
        compare_fen(&mut fens, ROOKS, "1r1k3r/8/8/8/8/8/8/RR2K2R w HBh -").unwrap();
        assert_eq!(
            fens.to_string(),
            "1 (e.p. always or pseudo or legal by moves, always or pseudo or legal by FEN; castling as rook files; halfmove clock not supplied; fullmove number not supplied)"
        );
        let texts = compare_fen(&mut fens, ROOKS, ROOKS).unwrap_err();
        assert_eq!(
            texts[0],
            "castling 'HBh' (rook files), halfmove clock none, as in earlier positions, fullmove number none, as in earlier positions"
        );
        let pinned = "3k4/8/8/8/3pP3/8/8/3RK3 b - e3 0 1";
        compare_fen(&mut fens, pinned, "3k4/8/8/8/3pP3/8/8/3RK3 b - -").unwrap();
        assert_eq!(fens.en_passant, [vec![EnPassantPolicy::Legal], EnPassantPolicy::ALL.to_vec()]);
        let texts = compare_fen(&mut fens, pinned, "3k4/8/8/8/3pP3/8/8/3RK3 b - e3").unwrap_err();
        assert_eq!(texts[0], "en passant '-' (legal)");
        assert_eq!((fens.castling, fens.compared), (vec![CastlingLetters::RookFiles], 4));
        let none = WrittenFens { fens: Supply::Supplied, ..WrittenFens::default() }.compare(
            None,
            &Fen::parse(ROOKS).unwrap(),
            ReachedBy::Fen,
        );
        assert_eq!(none.unwrap_err()[0], "FEN: a value, as in earlier positions");
    }

    #[test]
    fn parts_of_a_walk_must_have_one_habit() {
        let part = |position: &str, written: &str| {
            let mut fens = WrittenFens::default();
            compare_fen(&mut fens, position, written).unwrap();
            fens
        };
        let pinned = "3k4/8/8/8/3pP3/8/8/3RK3 b - e3 0 1";
        let [with, without] = [pinned, "3k4/8/8/8/3pP3/8/8/3RK3 b - - 0 1"].map(|written| part(pinned, written));
        assert_eq!(with.clone().join(&without), None);
        let [letters, files] = [ROOKS, "1r1k3r/8/8/8/8/8/8/RR2K2R w HBh - 12 345"].map(|written| part(ROOKS, written));
        assert_eq!(letters.clone().join(&files), None);
        assert_eq!(letters.clone().join(&part(ROOKS, "1r1k3r/8/8/8/8/8/8/RR2K2R w KBk -")), None);
        let both = with.join(&letters).unwrap();
        let policies = [EnPassantPolicy::Always, EnPassantPolicy::Pseudo];
        assert_eq!(
            (both.compared, &both.en_passant[0][..], &both.castling[..]),
            (2, &policies[..], &[CastlingLetters::Kqkq][..])
        );
        assert_eq!(both.clone().join(&WrittenFens::default()), Some(both));
    }
}
