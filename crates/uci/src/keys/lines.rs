//! Keys of a row: along every root move, along random lines, and of variants of the position.

use super::key_probe::{Habits, printed};
use super::{KeyFault, KeyFinding, KeyReport, Printed, by_fen};
use crate::trial::Ending;
use crate::uci::Engine;
use crate::{Failure, Place};
use perft_gate_judge::gate::term_probe::{changed, explain, with_rights};
use perft_gate_judge::gate::{after, legal};
use perft_gate_judge::suite::Row;
use perft_gate_walk::chess::{Board, CastlingRights, EnPassantPolicy, Fen, Kind, Move, Packed, legal_moves};
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use std::collections::HashMap;

/// Maximum number of findings reported for a row.
const KEPT: usize = 3;
/// Number of plies counted to see if that changes the key.
const COUNTED: u32 = 2;

/// Random lines of a row.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lines {
    /// Number of lines.
    pub(crate) number: u32,
    /// Maximum number of plies.
    pub(crate) plies: u32,
    /// Seed of the choice of moves.
    pub(crate) seed: u64,
}

/// Checks the keys of a row.
pub(crate) fn check(engine: &mut Engine<'_>, habits: &Habits, row: &Row, lines: Lines) -> Result<KeyReport, Failure> {
    let policy = habits.policy();
    let (report, seen, keys) = (KeyReport::default(), HashMap::new(), HashMap::new());
    let mut checker = Checker { engine, policy, report, seen, keys };
    let root = by_fen(row.board(), policy);
    checker.survives_perft(&root)?;
    checker.variants(row.board())?;
    let mut random = ChaCha20Rng::seed_from_u64(lines.seed);
    random.set_stream(row.line as u64);
    for &mv in legal_moves(row.board()).iter() {
        checker.line(row.board(), &[mv])?;
    }
    for _ in 0..lines.number {
        let line = random_line(row.board(), lines.plies, &mut random);
        checker.line(row.board(), &line)?;
        checker.swapped(row.board(), &line)?;
        if checker.is_full() {
            break;
        }
    }
    Ok(checker.report)
}

/// Returns a line that prefers special moves half of the time, because keys most often go wrong there.
fn random_line(root: &Board, plies: u32, random: &mut ChaCha20Rng) -> Vec<Move> {
    let (mut board, mut line) = (*root, Vec::new());
    for _ in 0..plies {
        let moves = legal_moves(&board);
        let special: Vec<Move> = moves.iter().copied().filter(|mv| mv.kind() != Kind::Normal).collect();
        let choice = if random.next_u32().is_multiple_of(2) && !special.is_empty() { &special } else { &moves[..] };
        if choice.is_empty() {
            break;
        }
        let mv = choice[random.next_u32() as usize % choice.len()];
        line.push(mv);
        board = after(&board, mv);
    }
    line
}

struct Checker<'a, 'e> {
    engine: &'a mut Engine<'e>,
    policy: EnPassantPolicy,
    report: KeyReport,
    /// Key of each position and clock.
    seen: HashMap<(Packed, u16), (Printed, Place)>,
    /// Position of each key.
    keys: HashMap<Printed, (Packed, Place)>,
}

impl Checker<'_, '_> {
    fn is_full(&self) -> bool {
        self.report.findings.len() >= KEPT
    }

    fn found(&mut self, finding: KeyFinding) {
        // One error shows in many lines.
        let known = |other: &KeyFinding| (other.fault, &other.cause) == (finding.fault, &finding.cause);
        if !self.is_full() && !self.report.findings.iter().any(known) {
            self.report.findings.push(finding);
        }
    }

    fn key(&mut self, place: &Place) -> Result<Printed, Failure> {
        let shown = self.engine.display(place)?;
        printed(shown.key(), self.engine, place)
    }

    /// Checks that counting does not change the key.
    fn survives_perft(&mut self, root: &Place) -> Result<(), Failure> {
        // An engine that exits after perft has no key then.
        if self.engine.ways.ending == Ending::Exit {
            return Ok(());
        }
        let shown = self.engine.display(root)?;
        let (before, fen) = (printed(shown.key(), self.engine, root)?, shown.fen);
        self.engine.divide(root, COUNTED)?;
        let shown = self.engine.display_again()?;
        let after = printed(shown.key(), self.engine, root)?;
        if before != after {
            let elsewhere = shown.fen.filter(|shown| fen.as_ref() != Some(shown));
            self.found(KeyFinding {
                fault: KeyFault::ChangedByPerft,
                cause: match elsewhere {
                    Some(fen) => format!("after perft {COUNTED} it shows {fen}"),
                    None => format!("after perft {COUNTED}"),
                },
                place: root.clone(),
                other: None,
                expected: before.to_string(),
                found: after.to_string(),
            });
        }
        Ok(())
    }

    /// Checks that castling rights and the side to move change the key: the same board with each smaller set of rights,
    /// and with the other side to move.
    fn variants(&mut self, board: &Board) -> Result<(), Failure> {
        let held = board.castling_rights();
        let mut variants: Vec<Board> = (0..16)
            .map(CastlingRights::new)
            .filter(|rights| rights.without(held) == CastlingRights::NONE)
            .filter_map(|rights| with_rights(board, rights))
            .collect();
        let flipped = |board: &Board| changed(board, |setup| (setup.turn, setup.en_passant) = (!setup.turn, None));
        variants.extend(variants.clone().iter().filter_map(flipped));
        for variant in variants {
            let place = by_fen(&variant, self.policy);
            let key = self.key(&place)?;
            self.identify(&variant, key, place);
        }
        Ok(())
    }

    /// Checks that equal positions have equal keys, and different ones different keys.
    fn identify(&mut self, board: &Board, key: Printed, place: Place) {
        let packed = Packed::of(board, self.policy);
        let finding = |fault, cause: &str, other: &Place, expected: String| KeyFinding {
            fault,
            cause: cause.into(),
            place: place.clone(),
            other: Some(other.clone()),
            expected,
            found: key.to_string(),
        };
        if let Some((known, other)) = self.seen.get(&(packed, board.halfmove())) {
            self.report.transpositions += 1;
            if *known != key {
                let found = finding(KeyFault::Twofold, "reached by two lines", other, known.to_string());
                self.found(found);
            }
            return;
        }
        self.report.positions += 1;
        if let Some((_, other)) = self.keys.get(&key).filter(|(known, _)| *known != packed) {
            let found =
                finding(KeyFault::Shared, &self.differs(&place, other), other, format!("a key other than {key}"));
            self.found(found);
        }
        self.seen.insert((packed, board.halfmove()), (key, place.clone()));
        self.keys.entry(key).or_insert((packed, place));
    }

    /// Names the fields in which two positions with one key differ.
    fn differs(&self, one: &Place, other: &Place) -> String {
        let fields = |place: &Place| place.fen.split(' ').take(4).map(String::from).collect::<Vec<_>>();
        let names = ["pieces", "side to move", "castling rights", "e.p. square"];
        let (one, other) = (fields(one), fields(other));
        let differing: Vec<_> = (0..4).filter(|&i| one.get(i) != other.get(i)).map(|i| names[i]).collect();
        format!("they differ in: {}", differing.join(", "))
    }

    /// Checks the key after each move of a line from the root.
    fn line(&mut self, root: &Board, line: &[Move]) -> Result<(), Failure> {
        let (mut board, mut place) = (*root, by_fen(root, self.policy));
        for (ply, &mv) in line.iter().enumerate() {
            let before = board;
            board = after(&board, mv);
            place = place.then(&self.engine.written(mv));
            let fen = by_fen(&board, self.policy);
            let shown = self.engine.display(&place)?;
            let moved = printed(shown.key(), self.engine, &place)?;
            let given = self.key(&fen)?;
            self.report.compared += 1;
            if let Some(other) = shown.fen.filter(|shown| is_another(shown, &board)) {
                self.found(KeyFinding {
                    fault: KeyFault::OtherPosition,
                    cause: after_what(&before, mv, &other),
                    place,
                    other: None,
                    expected: fen.fen,
                    found: other,
                });
                return Ok(());
            }
            if moved != given {
                return self.not_of_its_fen(root, &line[..=ply]);
            }
            self.identify(&board, given, fen);
        }
        Ok(())
    }

    /// Checks the line with its first and third move swapped: a transposition.
    fn swapped(&mut self, root: &Board, line: &[Move]) -> Result<(), Failure> {
        let [first, between, last, ..] = *line else { return Ok(()) };
        let (mut board, mut swapped) = (*root, Vec::new());
        for mv in [last, between, first] {
            if !legal_moves(&board).contains(&mv) {
                return Ok(());
            }
            board = after(&board, mv);
            swapped.push(mv);
        }
        self.line(root, &swapped)
    }

    /// Finds the shortest end of a line that shows the wrong key, and its explanation.
    fn not_of_its_fen(&mut self, root: &Board, line: &[Move]) -> Result<(), Failure> {
        let mut boards = vec![*root];
        for &mv in line {
            boards.push(after(&boards[boards.len() - 1], mv));
        }
        let end = boards[line.len()];
        let other = by_fen(&end, self.policy);
        let given = self.key(&other)?;
        for start in (0..line.len()).rev() {
            let mut place = by_fen(&boards[start], self.policy);
            place.moves = line[start..].iter().map(|&mv| self.engine.written(mv)).collect();
            let moved = self.key(&place)?;
            if moved == given {
                continue;
            }
            let last = line.len() - 1;
            let (mv, difference) = (line[start], moved.key ^ given.key);
            let moved_by = legal(&boards[start], mv);
            let cause = if start == last {
                let policy = self.policy;
                let key = |board: &Board| self.key(&by_fen(board, policy)).map(|printed| Some(printed.key));
                match explain(key, (&boards[last], &end), difference, policy)? {
                    Some(terms) => format!("{terms} after {moved_by}"),
                    None => format!("{moved_by}: not explained by any term that a FEN can show"),
                }
            } else {
                format!("{moved_by} and what follows")
            };
            self.found(KeyFinding {
                fault: KeyFault::NotOfItsFen,
                cause,
                place,
                other: Some(other),
                expected: given.to_string(),
                found: moved.to_string(),
            });
            break;
        }
        Ok(())
    }
}

/// Returns true if a FEN that an engine prints shows another position. The e.p. square it prints does not matter.
fn is_another(shown: &str, board: &Board) -> bool {
    Fen::parse(shown).is_ok_and(|shown| {
        let identity = |board: &Board| Packed::of(board, EnPassantPolicy::Legal);
        identity(&shown) != identity(board)
    })
}

/// Describes the move after which the engine shows another position.
fn after_what(before: &Board, mv: Move, shown: &str) -> String {
    let fate = if is_another(shown, before) { "made wrongly" } else { "ignored" };
    format!("{} is {fate}", legal(before, mv))
}
