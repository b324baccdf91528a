//! Probe for the inputs of an engine's key besides the pieces, with positions made for the purpose.

use crate::failure::EngineFailure;
use crate::keys::composition::KeyComposition;
use crate::keys::dependencies::{Dependency, dependencies};
use crate::keys::finding::{KeyFault, KeyFinding};
use crate::keys::numbers::{KeyNumbers, are_no_chance, equal_by_chance};
use crate::keys::parts::board;
use crate::keys::printed::{PrintedKey, by_fen, is_another, require_key};
use crate::keys::scheme_match::{FoundKeys, SchemeMatch};
use crate::position_command::PositionCommand;
use crate::uci::Engine;
use perft_gate_chess::{Board, EnPassantPolicy, Fen, Packed};
use perft_gate_judge::gate::ep_policy_probe::{CountsInKey, PUSHES, policy_name, policy_of};
use std::collections::HashMap;
use std::sync::Arc;

/// Largest halfmove clock that is tried.
pub(super) const MAX_CLOCK: u32 = 100;

/// Properties of an engine's keys.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KeyConventions {
    /// Smallest halfmove clock whose key differs from that of clock 0.
    pub clock_from: Option<u32>,
    /// E.p. policy of the key when a position is given by FEN; `None` if it is none of the three.
    pub by_fen: Option<EnPassantPolicy>,
    /// E.p. policy of the key after moves.
    pub by_moves: Option<EnPassantPolicy>,
    /// True if no e.p. square changes the key, by FEN or by moves.
    pub ignores_en_passant: bool,
    /// Errors found.
    pub findings: Vec<KeyFinding>,
    /// The scheme whose keys they are, or are expected to be.
    pub scheme: Option<SchemeMatch>,
    /// The numbers that keys are made of.
    pub(crate) numbers: Arc<KeyNumbers>,
}

impl KeyConventions {
    /// Returns the policy that FENs are written with.
    pub(super) fn policy(&self) -> EnPassantPolicy {
        self.by_moves.unwrap_or(EnPassantPolicy::Legal)
    }

    /// Probes an engine; returns `None` if it prints no key.
    pub(crate) fn of(
        engine: &mut Engine<'_>,
        required: Option<EnPassantPolicy>,
    ) -> Result<Option<KeyConventions>, EngineFailure> {
        let Some(at_zero) = engine.display(&clock_position(0))?.key() else { return Ok(None) };
        let (findings, numbers) = (Vec::new(), Arc::default());
        let mut conventions = KeyConventions {
            clock_from: None,
            by_fen: None,
            by_moves: None,
            ignores_en_passant: false,
            findings,
            scheme: None,
            numbers,
        };
        for halfmove in 1..=MAX_CLOCK {
            if engine.display(&clock_position(halfmove))?.key() != Some(at_zero) {
                conventions.clock_from = Some(halfmove);
                break;
            }
        }
        conventions.probe_en_passant(engine)?;
        conventions.judge_en_passant(required);
        conventions.learn_numbers(engine)?;
        conventions.compare_scheme(engine)?;
        Ok(Some(conventions))
    }

    /// Compares the keys with those of the scheme that the user expects, or of a published one that they resemble.
    fn compare_scheme(&mut self, engine: &mut Engine<'_>) -> Result<(), EngineFailure> {
        let found = FoundKeys { numbers: &Arc::clone(&self.numbers), policy: self.by_fen, clock_from: self.clock_from };
        let Some(scheme) = &engine.settings.expected_scheme else {
            self.scheme = SchemeMatch::recognise(found);
            return Ok(());
        };
        self.scheme = SchemeMatch::compare(found, scheme);
        let differing = self.scheme.as_ref().filter(|compared| !compared.differences.is_empty());
        if let (Some(compared), Some(tables)) = (differing, scheme.key_tables(0)) {
            // The first that shows it; e.p. squares show where the start position does not.
            let pushes = PUSHES.iter().map(|push| push.after.replace("{}", "e3"));
            let (mut shown, mut equal) = (None, None);
            for fen in std::iter::once(Fen::START.to_string()).chain(pushes) {
                let position = PositionCommand::new(&fen);
                let found = require_key(engine.display(&position)?.key(), engine, &position)?;
                let key = tables.key(&board(&fen)).0;
                let place = if found.key == key { &mut equal } else { &mut shown };
                place.get_or_insert((position, found, key));
            }
            let (position, found, key) = shown.or(equal).expect("the start position");
            self.findings.push(KeyFinding {
                fault: KeyFault::OtherScheme,
                cause: compared.text(),
                position,
                other: None,
                expected: PrintedKey { key, base: found.base }.to_string(),
                found: found.to_string(),
            });
        }
        Ok(())
    }

    /// Learns the numbers of the keys, and checks that they are independent: a wrong index that make and FEN share shows
    /// only here. Whatever keys are made of, no two of the positions may share one.
    fn learn_numbers(&mut self, engine: &mut Engine<'_>) -> Result<(), EngineFailure> {
        let mut known: HashMap<String, Option<(PrintedKey, Packed)>> = HashMap::new();
        let mut key = |board: &Board| {
            let position = by_fen(board, EnPassantPolicy::Always);
            if let Some(known) = known.get(&position.fen) {
                return Ok(known.map(|(key, _)| key));
            }
            let shown = engine.display(&position)?;
            // An engine that refuses a position shows none, or another.
            let is_other = shown.fen.as_ref().is_some_and(|shown| is_another(shown, board));
            let base = engine.dialect.key_base;
            let key = shown.key().filter(|_| !is_other).map(|key| PrintedKey { key, base });
            let packed = Packed::of(board, EnPassantPolicy::Legal);
            known.insert(position.fen, key.map(|key| (key, packed)));
            Ok(key)
        };
        let numbers = KeyNumbers::learn(&mut key, self.by_fen.is_some())?;
        for dependency in dependencies(&numbers) {
            self.findings.extend(describe_dependency(dependency, &mut key)?);
        }
        if self.findings.is_empty() && are_no_chance(known.len() as u64, numbers.bits()) {
            self.findings.extend(shared(&known));
        }
        self.numbers = Arc::new(numbers);
        Ok(())
    }

    fn probe_en_passant(&mut self, engine: &mut Engine<'_>) -> Result<(), EngineFailure> {
        let (mut by_fen, mut by_moves) = ([CountsInKey::No; 3], [CountsInKey::No; 3]);
        for (i, push) in PUSHES.iter().enumerate() {
            let [with, without] = ["e3", "-"].map(|square| PositionCommand::new(&push.after.replace("{}", square)));
            let moved = PositionCommand::new(push.before).then("e2e4");
            let [with, without, moved] = [with, without, moved].map(|position| engine.display(&position));
            let (with, without, moved) = (with?.key(), without?.key(), moved?.key());
            let counts = |key| if key == without { CountsInKey::No } else { CountsInKey::Yes };
            (by_fen[i], by_moves[i]) = (counts(with), counts(moved));
        }
        (self.by_fen, self.by_moves) = (policy_of(by_fen), policy_of(by_moves));
        self.ignores_en_passant = [by_fen, by_moves] == [[CountsInKey::No; 3]; 2];
        for (i, push) in PUSHES.iter().enumerate().filter(|(i, _)| by_fen[*i] != by_moves[*i]) {
            let verb = |counts| if counts == CountsInKey::Yes { "counts" } else { "does not count" };
            self.findings.push(KeyFinding {
                fault: KeyFault::EnPassant,
                cause: format!("the square behind a double push, where {}", push.what),
                position: PositionCommand::new(push.before).then("e2e4"),
                other: Some(PositionCommand::new(&push.after.replace("{}", "e3"))),
                expected: format!("the same by moves as by FEN, where it {}", verb(by_fen[i])),
                found: format!("by moves it {}", verb(by_moves[i])),
            });
        }
        Ok(())
    }

    fn judge_en_passant(&mut self, required: Option<EnPassantPolicy>) {
        let [.., legal] = PUSHES;
        for (way, policy) in [("by FEN", self.by_fen), ("by moves", self.by_moves)] {
            let allowed = match required {
                Some(required) => policy == Some(required),
                None => policy.is_some(),
            };
            if !allowed {
                let wanted = required.map_or("legal, pseudo or always", EnPassantPolicy::name);
                self.findings.push(KeyFinding {
                    fault: KeyFault::EnPassant,
                    cause: format!("the policy {way}"),
                    position: PositionCommand::new(legal.before).then("e2e4"),
                    other: None,
                    expected: wanted.into(),
                    found: if self.ignores_en_passant { "no square is in the key" } else { policy_name(policy) }.into(),
                });
            }
        }
    }

    /// Describes the properties in one line.
    pub fn text(&self) -> String {
        let clock = self.clock_from.map_or("no".into(), |from| format!("from {from}"));
        let (by_fen, by_moves) = (policy_name(self.by_fen), policy_name(self.by_moves));
        let policy = if by_fen == by_moves { by_fen.into() } else { format!("{by_fen} by FEN, {by_moves} by moves") };
        let pinned = [self.by_fen, self.by_moves].contains(&Some(EnPassantPolicy::Pseudo));
        let remark =
            if pinned { " (a pinned capturer keeps the square: equal positions may have different keys)" } else { "" };
        format!("halfmove clock in the key: {clock}; e.p. policy: {policy}{remark}{}", self.width())
    }

    /// Number of bits in which keys differ.
    pub fn bits(&self) -> u32 {
        self.numbers.bits()
    }

    /// Describes what few bits, or keys that are no xor, mean.
    fn width(&self) -> String {
        let bits = self.bits();
        let narrow = (bits < FULL_WIDTH).then(|| {
            let (many, shared) = (MANY_POSITIONS, equal_by_chance(MANY_POSITIONS, bits));
            let shared = if shared < 10.0 { format!("{shared:.1e}") } else { format!("{shared:.0}") };
            format!("; keys of {bits} bits: of {many} positions, {shared} pairs share a key by chance")
        });
        let composed = match self.numbers.composition() {
            KeyComposition::Xor => String::new(),
            sum @ KeyComposition::Sum(_) => format!("; keys are the {sum}"),
            KeyComposition::Other => {
                "; keys are no xor and no sum of one number a term: those were not compared".into()
            }
        };
        let unknown = match self.numbers.unknown() {
            0 => String::new(),
            unknown => {
                format!("; {unknown} numbers are not known: the engine does not take the positions that show them")
            }
        };
        format!("{}{composed}{unknown}", narrow.unwrap_or_default())
    }
}

/// Returns a position with a halfmove clock.
pub(super) fn clock_position(clock: u32) -> PositionCommand {
    PositionCommand::new(&format!("4k3/8/8/8/8/8/8/R3K3 w - - {clock} 60"))
}

/// Number of bits from which two positions share a key hardly ever.
const FULL_WIDTH: u32 = 60;
/// Number of positions for which the equal keys are told.
const MANY_POSITIONS: u64 = 1_000_000;

/// Returns the finding of two positions with one key, if there are such; the first in the order of their FENs.
fn shared(known: &HashMap<String, Option<(PrintedKey, Packed)>>) -> Option<KeyFinding> {
    let mut known: Vec<_> = known.iter().filter_map(|(fen, key)| Some((fen, (*key)?))).collect();
    known.sort_by_key(|(fen, _)| *fen);
    let mut places: HashMap<PrintedKey, (&String, Packed)> = HashMap::new();
    known.into_iter().find_map(|(fen, (key, packed))| {
        let (other, _) = places.get(&key).copied().filter(|(_, other)| *other != packed).or_else(|| {
            places.entry(key).or_insert((fen, packed));
            None
        })?;
        Some(KeyFinding {
            fault: KeyFault::Shared,
            cause: "positions of the probe".into(),
            position: PositionCommand::new(fen),
            other: Some(PositionCommand::new(other)),
            expected: format!("a key other than {key}"),
            found: key.to_string(),
        })
    })
}

/// Returns the finding of numbers that make two positions one; two whole positions must really have one key.
fn describe_dependency(
    dependency: Dependency,
    key: &mut impl FnMut(&Board) -> Result<Option<PrintedKey>, EngineFailure>,
) -> Result<Option<KeyFinding>, EngineFailure> {
    // The keys of the positions that showed the numbers were asked before; those of two whole positions were not.
    let key_of = key;
    let mut key = |board: &Board| key_of(board).map(|key| key.expect("a position that the engine takes"));
    let finding = |cause, [one, other]: [&Board; 2], found: PrintedKey| KeyFinding {
        fault: KeyFault::Shared,
        cause,
        position: by_fen(one, EnPassantPolicy::Always),
        other: Some(by_fen(other, EnPassantPolicy::Always)),
        expected: format!("a key other than {found}"),
        found: found.to_string(),
    };
    Ok(match dependency {
        Dependency::Zero(zero) => {
            let [with, without] = &zero.boards;
            Some(finding(format!("{} has the number 0", zero.part), [with, without], key(with)?))
        }
        Dependency::Equal(two) => {
            let [one, other] = *two;
            let cause = format!("{}, and {}, have one number", one.part, other.part);
            let (base, value) = (key(&one.boards[1])?.base, one.value);
            let found = finding(cause, [&one.boards[0], &other.boards[0]], key(&one.boards[0])?);
            // With the same rest they are two positions with one key; otherwise only the numbers are equal.
            Some(match one.boards[1] == other.boards[1] {
                true => found,
                false => {
                    let found_number = PrintedKey { key: value, base }.to_string();
                    KeyFinding { expected: "two numbers".into(), found: format!("one number, {found_number}"), ..found }
                }
            })
        }
        Dependency::Four(numbers, boards) => {
            let parts = numbers.iter().map(|number| number.part.to_string()).collect::<Vec<_>>();
            let cause = format!("the numbers of {} cancel out", parts.join(", "));
            match boards {
                Some(two) => {
                    let [one, other] = *two;
                    let keys = [key_of(&one)?, key_of(&other)?];
                    let shared = keys[0].filter(|_| keys[0] == keys[1]);
                    shared.map(|shared| finding(cause, [&one, &other], shared))
                }
                None => {
                    let [one, other, ..] = &*numbers;
                    let found = finding(cause, [&one.boards[0], &other.boards[0]], key(&one.boards[0])?);
                    let (expected, sum) = ("numbers that do not".into(), "their xor is 0".into());
                    Some(KeyFinding { expected, found: sum, ..found })
                }
            }
        }
    })
}
