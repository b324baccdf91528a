//! Probes an engine with made-up positions to find the inputs of its key other than the pieces.

use crate::keys::dependencies::{Dependency, Proof, dependencies};
use crate::keys::en_passant::{self, EnPassantHabit};
use crate::keys::numbers::{KeyComposition, KeyNumbers, are_no_chance, equal_by_chance};
use crate::keys::parts::{KINGS, board};
use crate::keys::report::{KeyFault, KeyFinding, KeyOfPosition, PositionsByKey, PrintedKey, accepted_key, require_key};
use crate::keys::scheme_match::{FoundKeys, SchemeMatch};
use crate::outcome::Result;
use crate::request::PositionCommand;
use crate::uci::Engine;
use perft_gate_chess::{Board, EnPassantPolicy, Fen, MoveNames, Packed};
use perft_gate_walk::board_after;
use std::collections::HashMap;
use std::fmt::Display;
use std::sync::Arc;

/// Largest halfmove clock that is tried.
const MAX_CLOCK: usize = 100;
/// Minimum number of plies after which a position can repeat: two moves by each side.
const REPEATS_AFTER: usize = 4;
/// Fullmove numbers to try.
const MOVE_NUMBERS: [u32; 10] = [1, 2, 3, 4, 7, 12, 25, 60, 100, 250];
/// Two sequences of king moves. If the key contains the number of plies since the position was given, both show this.
const WALKS: [&str; 2] = ["e1d1 e8d8 d1d2 d8d7 d2c3 d7c6 c3b3 c6b6", "e1f1 e8f8 f1f2 f8f7 f2g3 f7g6 g3h3 g6h6"];

/// Properties of an engine's keys.
#[perft_gate_chess::document(sparse, Clone, Default, Debug, serde::Serialize)]
pub struct KeyConventions {
    /// Halfmove clocks at which the key changes.
    pub clocks: Vec<u32>,
    /// False if a position has a different key whenever it is repeated, because of the halfmove clock.
    pub can_repeat: bool,
    /// E.p. squares in the key when a position is given by FEN.
    #[serde(rename = "policy_by_fen")]
    pub by_fen: EnPassantHabit,
    /// E.p. squares in the key after moves.
    #[serde(rename = "policy_by_moves")]
    pub by_moves: EnPassantHabit,
    /// True if the fullmove number is in the key.
    pub fullmove: bool,
    /// Errors found.
    pub findings: Vec<KeyFinding>,
    /// Comparison with the expected scheme or, if none is given, with the published scheme that the keys resemble.
    pub scheme: Option<SchemeMatch>,
    /// What each number of plies since the position was given contributes to the key. Empty if nothing.
    #[serde(skip)]
    pub(super) plies: Vec<u128>,
    /// The numbers that keys are made of. In JSON, this is the number of bits in which keys differ.
    #[serde(rename = "bits", serialize_with = "serialize_bits")]
    #[cfg_attr(feature = "schema", schemars(with = "u32"))]
    pub(crate) numbers: Arc<KeyNumbers>,
}

fn serialize_bits<S: serde::Serializer>(numbers: &KeyNumbers, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_u32(numbers.bits)
}

impl KeyConventions {
    /// Probes an engine. Returns `None` if the engine prints no key.
    pub(crate) fn learn(engine: &mut Engine<'_>) -> Result<Option<KeyConventions>> {
        if engine.display(&clock_position(0))?.key().is_none() {
            return Ok(None);
        }
        let (clocks, can_repeat) = changing_clocks(|clock| Ok(engine.display(&clock_position(clock))?.key()))?;
        let mut pushes = en_passant::ask_pushes(engine)?;
        let [by_fen, by_moves] = en_passant::habits(&pushes);
        let mut conventions = KeyConventions { clocks, can_repeat, by_fen, by_moves, ..KeyConventions::default() };
        conventions.learn_numbers(engine)?;
        conventions.probe_move_number(engine)?;
        pushes.iter_mut().for_each(|push| push.by_moves = push.by_moves.map(|key| conventions.without_plies(key, 1)));
        [_, conventions.by_moves] = en_passant::habits(&pushes);
        conventions.findings.extend(en_passant::judge(&pushes, engine.settings.required_policy));
        conventions.compare_scheme(engine)?;
        Ok(Some(conventions))
    }

    /// Returns the smallest halfmove clock at which the key differs from the key at clock 0.
    pub fn clock_from(&self) -> Option<u32> {
        self.clocks.first().copied()
    }

    /// Returns a key without the contribution of the number of plies since the position was given.
    pub(super) fn without_plies(&self, key: u128, plies: usize) -> u128 {
        self.plies.get(plies).map_or(key, |added| self.numbers.difference(key, *added))
    }

    /// Finds out if the key depends on the fullmove number, or on the number of plies since the position was given.
    fn probe_move_number(&mut self, engine: &mut Engine<'_>) -> Result<()> {
        let mut key = |position: &PositionCommand| require_key(engine.display(position)?.key(), engine, position);
        let numbered =
            MOVE_NUMBERS.map(|number| PositionCommand::new(&format!("4k3/8/8/8/8/8/8/4K3 w - - 0 {number}")));
        let expected = key(&numbered[0])?;
        let mut differing = None;
        for position in &numbered[1..] {
            let found = key(position)?;
            differing =
                differing.or((found != expected).then(|| (position.clone(), numbered[0].clone(), expected, found)));
        }
        self.fullmove = differing.is_some();
        let mut added: [Vec<u128>; 2] = Default::default();
        let mut shown = None;
        for (walk, added) in WALKS.iter().zip(&mut added) {
            let (mut board, mut moved) = (board(KINGS[0]), PositionCommand::new(KINGS[0]));
            added.push(0);
            for text in walk.split(' ') {
                board = board_after(&board, MoveNames::new(&board).read(text).expect("a king's move"));
                moved = moved.then(text);
                let given = PositionCommand::from_board(&board);
                let [found, expected] = [key(&moved)?, key(&given)?];
                added.push(self.numbers.difference(found.key, expected.key));
                shown = Some((moved.clone(), given, expected, found));
            }
        }
        // If every move wrongly adds or forgets the same number, this number cancels out after two moves. In that case
        // the moves are at fault, and the number of plies is not in the key.
        if added[0] == added[1] && added[0][2] != 0 {
            differing = differing.or(shown);
            self.plies = std::mem::take(&mut added[0]);
        }
        let what = if self.fullmove { "fullmove number" } else { "number of plies since the position was given" };
        let cause = format!("the {what} is in the key: a repeated position can have a different key");
        self.findings.extend(differing.map(|(position, other, expected, found)| {
            KeyFinding::new(KeyFault::MoveNumber, cause, (position, Some(other)), [&expected, &found])
        }));
        Ok(())
    }

    /// Compares the keys with the expected scheme or, if none is given, with a published scheme that they resemble.
    fn compare_scheme(&mut self, engine: &mut Engine<'_>) -> Result<()> {
        let found = FoundKeys { numbers: &self.numbers, by_fen: self.by_fen, clock_from: self.clock_from() };
        let Some(scheme) = &engine.settings.expected_scheme else {
            self.scheme = SchemeMatch::recognise(found);
            return Ok(());
        };
        self.scheme = SchemeMatch::compare(found, scheme);
        let differing = self.scheme.as_ref().filter(|compared| !compared.differences.is_empty());
        if let (Some(compared), Some(tables)) = (differing, scheme.key_tables(0)) {
            // Report the first of these positions whose key differs. Two of them have e.p. squares, in case the start
            // position's key is right.
            let (mut shown, mut equal) = (None, None);
            for fen in [Fen::START, "4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1", "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1"] {
                let position = PositionCommand::new(fen);
                let found = require_key(engine.display(&position)?.key(), engine, &position)?;
                let key = tables.key(&board(fen)).0;
                let place = if found.key == key { &mut equal } else { &mut shown };
                place.get_or_insert((position, found, key));
            }
            let (position, found, key) = shown.or(equal).expect("the start position");
            let (cause, expected) = (compared.text(), PrintedKey { key, ..found });
            self.findings.push(KeyFinding::new(KeyFault::OtherScheme, cause, (position, None), [&expected, &found]));
        }
        Ok(())
    }

    /// Learns the numbers that keys are made of, and checks that these numbers are independent. If an engine uses the
    /// same wrong table index to make moves and to read FENs, only this check finds the error. No matter how keys are
    /// built, no two probed positions may share a key.
    fn learn_numbers(&mut self, engine: &mut Engine<'_>) -> Result<()> {
        let mut known: HashMap<String, Option<KeyOfPosition>> = HashMap::new();
        let mut key = |board: &Board| {
            let position = PositionCommand::from_board(board);
            if let Some(known) = known.get(&position.fen) {
                return Ok(known.as_ref().map(|known| known.key));
            }
            // An engine that refuses a position shows no key, or the key of another position.
            let key = accepted_key(&engine.display(&position)?, board);
            let key = key.map(|key| PrintedKey { key, base: engine.dialect.key_base });
            let packed = Packed::new(board, EnPassantPolicy::Legal);
            known.insert(position.fen.clone(), key.map(|key| KeyOfPosition { key, packed, position }));
            Ok(key)
        };
        let numbers =
            KeyNumbers::learn(|board| Ok(key(board)?.map(|printed| printed.key)), self.by_fen.policy().is_some())?;
        for dependency in dependencies(&numbers) {
            self.findings.extend(describe_dependency(dependency, &mut key)?);
        }
        let is_judged = are_no_chance(known.len() as u64, numbers.bits);
        // A few key numbers are not enough to determine in how many bits keys differ.
        if numbers.bits < MIN_BITS && numbers.numbers.len() > 2 * MIN_BITS as usize {
            let (bits, most) = (numbers.bits, equal_by_chance(MANY_POSITIONS, MIN_BITS));
            let shown = find_shared_key(known)
                .map_or((PositionCommand::new(Fen::START), None), |[one, other]| (one.position, Some(other.position)));
            let expected = format!("at least {MIN_BITS} bits: {most:.0} pairs");
            let values: [&dyn Display; 2] = [&expected, &format!("{bits} bits")];
            self.findings.push(KeyFinding::new(KeyFault::Narrow, pairs_by_chance(bits), shown, values));
        } else if self.findings.is_empty() && is_judged {
            let shared = find_shared_key(known);
            self.findings.extend(shared.map(|both| KeyFinding::shared_key("positions of the probe".into(), both)));
        }
        self.numbers = Arc::new(numbers);
        Ok(())
    }

    /// Describes the properties of the keys in one line.
    pub fn text(&self) -> String {
        let clock = match self.clock_from() {
            None => "no".into(),
            Some(from) if self.can_repeat => format!("from {from}"),
            Some(from) => format!("from {from}, so no position can repeat"),
        };
        let [by_fen, by_moves] = [self.by_fen, self.by_moves].map(EnPassantHabit::text);
        let policy = if by_fen == by_moves { by_fen } else { format!("{by_fen} by FEN, {by_moves} by moves") };
        let pinned =
            |habit| matches!(habit, EnPassantHabit::Policy(EnPassantPolicy::Pseudo) | EnPassantHabit::Between(_));
        let remark = match pinned(self.by_fen) || pinned(self.by_moves) {
            true => " (a pinned capturer keeps the square: equal positions may have different keys)",
            false => "",
        };
        format!("halfmove clock in the key: {clock}; e.p. policy: {policy}{remark}{}", self.width())
    }

    /// Describes the effect of keys with few bits, of keys that are not an xor, and of unknown numbers.
    fn width(&self) -> String {
        let bits = self.numbers.bits;
        let narrow = (bits < FULL_WIDTH).then(|| format!("; {}", pairs_by_chance(bits)));
        let composed = match self.numbers.composition {
            KeyComposition::Xor => String::new(),
            sum @ KeyComposition::Sum(_) => format!("; keys are the {sum}"),
            KeyComposition::Other => {
                "; keys are neither the xor nor the sum of one number per term, so they were not compared".into()
            }
        };
        let unknown = match self.numbers.unknown.len() {
            0 => String::new(),
            unknown => {
                format!("; {unknown} numbers are not known: the engine refuses the positions that show them")
            }
        };
        format!("{}{composed}{unknown}", narrow.unwrap_or_default())
    }
}

/// Returns the halfmove clocks at which the key differs from the key at the preceding clock, and true if a repeated
/// position can have the same key.
fn changing_clocks<K: PartialEq, E>(key: impl FnMut(usize) -> Result<K, E>) -> Result<(Vec<u32>, bool), E> {
    let keys = (0..=MAX_CLOCK).map(key).collect::<Result<Vec<K>, E>>()?;
    let clocks = (1..=MAX_CLOCK).filter(|&clock| keys[clock] != keys[clock - 1]).map(|clock| clock as u32);
    let repeats = |(clock, key)| keys.iter().skip(clock + REPEATS_AFTER).step_by(2).any(|later| later == key);
    Ok((clocks.collect(), keys.iter().enumerate().any(repeats)))
}

fn clock_position(clock: usize) -> PositionCommand {
    PositionCommand::new(&format!("4k3/8/8/8/8/8/8/R3K3 w - - {clock} 60"))
}

/// Number of bits at which two positions hardly ever share a key.
const FULL_WIDTH: u32 = 60;
/// Minimum number of bits. An engine searches a million positions per second. With fewer bits, more than one in a
/// thousand of those positions shares its key with another by chance.
const MIN_BITS: u32 = 30;
/// Number of positions for which the expected number of equal keys is reported.
const MANY_POSITIONS: u64 = 1_000_000;

fn pairs_by_chance(bits: u32) -> String {
    let shared = equal_by_chance(MANY_POSITIONS, bits);
    let shared = if shared < 10.0 { format!("{shared:.1e}") } else { format!("{shared:.0}") };
    format!("keys of {bits} bits: of {MANY_POSITIONS} positions, {shared} pairs share a key by chance")
}

/// Returns the first two positions, in the order of their FENs, that share a key, if any.
fn find_shared_key(known: HashMap<String, Option<KeyOfPosition>>) -> Option<[KeyOfPosition; 2]> {
    let mut known: Vec<KeyOfPosition> = known.into_values().flatten().collect();
    known.sort_by(|one, other| one.position.fen.cmp(&other.position.fen));
    let mut keys = PositionsByKey::default();
    known.into_iter().find_map(|seen| keys.add(seen))
}

/// Returns the finding for numbers that give two positions the same key. Positions given as proof must share a key.
fn describe_dependency(
    Dependency { cause, boards, proof }: Dependency,
    key: &mut impl FnMut(&Board) -> Result<Option<PrintedKey>>,
) -> Result<Option<KeyFinding>> {
    let [Some(found), other] = [key(&boards[0])?, key(&boards[1])?] else { return Ok(None) };
    let one_number = |value| format!("one number, {}", PrintedKey { key: value, ..found });
    let (expected, shown) = match proof {
        Proof::Positions if Some(found) != other => return Ok(None),
        Proof::Positions => (format!("a key other than {found}"), found.to_string()),
        Proof::EqualNumbers(value) => ("two numbers".into(), one_number(value)),
        Proof::Sum => ("numbers that do not cancel out".into(), "their xor is 0".into()),
    };
    let [one, other] = boards.each_ref().map(PositionCommand::from_board);
    Ok(Some(KeyFinding::new(KeyFault::Shared, cause, (one, Some(other)), [&expected, &shown])))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::convert::Infallible;

    #[test]
    fn every_clock_is_looked_at() {
        let of = |key: fn(usize) -> usize| {
            let Ok(found) = changing_clocks(|clock| Ok::<_, Infallible>(key(clock)));
            (found.0.first().copied(), found.0.len(), found.1)
        };
        assert_eq!(of(|_| 0), (None, 0, true));
        assert_eq!(of(|clock| clock / 51), (Some(51), 1, true));
        assert_eq!(of(|clock| clock / 100), (Some(100), 1, true));
        assert_eq!(of(|clock| clock), (Some(1), 100, false));
        assert_eq!(of(|clock| clock / 3), (Some(3), 33, false), "three halfmoves are no repetition");
        assert_eq!(of(|clock| clock / 8), (Some(8), 12, true));
        assert_eq!(of(|clock| clock % 2), (Some(1), 100, true), "a position comes again with the same side to move");
        assert_eq!(of(|clock| clock.min(99)), (Some(1), 99, false));
    }
}
