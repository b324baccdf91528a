//! Probe for the inputs of an engine's key besides the pieces, with positions made for the purpose.

use super::{KeyFault, KeyFinding, Printed, by_fen};
use crate::uci::Engine;
use crate::{Failure, Place};
use perft_gate_judge::gate::ep_policy_probe::{CountedPushes, PUSHES, name, policy};
use perft_gate_judge::gate::term_probe::changed;
use perft_gate_walk::chess::{EnPassantPolicy, Fen, Piece, Role, Square};
use std::collections::HashMap;

/// Largest halfmove clock that is tried.
const LARGEST_CLOCK: u32 = 100;

/// Properties of an engine's keys.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Habits {
    /// Smallest halfmove clock whose key differs from that of clock 0.
    pub clock_from: Option<u32>,
    /// E.p. policy of the key when a position is given by FEN; `None` if it is none of the three.
    pub by_fen: Option<EnPassantPolicy>,
    /// E.p. policy of the key after moves.
    pub by_moves: Option<EnPassantPolicy>,
    /// Errors found.
    pub findings: Vec<KeyFinding>,
}

impl Habits {
    /// Returns the policy that FENs are written with.
    pub(super) fn policy(&self) -> EnPassantPolicy {
        self.by_moves.unwrap_or(EnPassantPolicy::Legal)
    }

    /// Probes an engine; returns `None` if it prints no key.
    pub(crate) fn of(engine: &mut Engine<'_>, required: Option<EnPassantPolicy>) -> Result<Option<Habits>, Failure> {
        let clock = |clock| Place::new(&format!("4k3/8/8/8/8/8/8/R3K3 w - - {clock} 60"));
        let Some(at_zero) = engine.display(&clock(0))?.key() else { return Ok(None) };
        let mut habits = Habits { clock_from: None, by_fen: None, by_moves: None, findings: Vec::new() };
        for halfmove in 1..=LARGEST_CLOCK {
            if engine.display(&clock(halfmove))?.key() != Some(at_zero) {
                habits.clock_from = Some(halfmove);
                break;
            }
        }
        habits.probe_pieces(engine)?;
        habits.probe_en_passant(engine)?;
        habits.judge_en_passant(required);
        Ok(Some(habits))
    }

    /// Checks each piece on each square: a wrong index that make and FEN share shows only here.
    fn probe_pieces(&mut self, engine: &mut Engine<'_>) -> Result<(), Failure> {
        let kings = Fen::parse("4k3/8/8/8/8/8/8/4K3 w - - 0 1").expect("a position");
        let mut known: HashMap<Printed, (String, Place)> = HashMap::new();
        let place = by_fen(&kings, EnPassantPolicy::Legal);
        let key = printed(engine.display(&place)?.key(), engine, &place)?;
        known.insert(key, ("kings alone".into(), place));
        for (piece, square) in Piece::all().flat_map(|piece| Square::all().map(move |square| (piece, square))) {
            let placed = |squares: &mut [Option<Piece>; 64]| {
                if piece.role == Role::King {
                    squares[kings.king(piece.color).index()] = None;
                }
                squares[square.index()] = Some(piece);
            };
            let free = kings.piece_on(square).is_none();
            let Some(board) = free.then(|| changed(&kings, |setup| placed(&mut setup.pieces))).flatten() else {
                continue;
            };
            let (name, place) = (format!("{piece} on {square}"), by_fen(&board, EnPassantPolicy::Legal));
            let key = printed(engine.display(&place)?.key(), engine, &place)?;
            if let Some((other, against)) = known.get(&key) {
                self.findings.push(KeyFinding {
                    fault: KeyFault::Shared,
                    cause: format!("{other}, and {name}, beside the kings"),
                    place,
                    other: Some(against.clone()),
                    expected: format!("a key other than {key}"),
                    found: key.to_string(),
                });
                // One wrong entry of a piece usually means many.
                return Ok(());
            }
            known.insert(key, (name, place));
        }
        Ok(())
    }

    fn probe_en_passant(&mut self, engine: &mut Engine<'_>) -> Result<(), Failure> {
        let (mut by_fen, mut by_moves) = ([CountedPushes::No; 3], [CountedPushes::No; 3]);
        for (i, push) in PUSHES.iter().enumerate() {
            let [with, without] = ["e3", "-"].map(|square| Place::new(&push.after.replace("{}", square)));
            let moved = Place::new(push.before).then("e2e4");
            let [with, without, moved] = [with, without, moved].map(|place| engine.display(&place));
            let (with, without, moved) = (with?.key(), without?.key(), moved?.key());
            let counts = |key| if key == without { CountedPushes::No } else { CountedPushes::Yes };
            (by_fen[i], by_moves[i]) = (counts(with), counts(moved));
        }
        (self.by_fen, self.by_moves) = (policy(by_fen), policy(by_moves));
        for (i, push) in PUSHES.iter().enumerate().filter(|(i, _)| by_fen[*i] != by_moves[*i]) {
            let verb = |counts| if counts == CountedPushes::Yes { "counts" } else { "does not count" };
            self.findings.push(KeyFinding {
                fault: KeyFault::EnPassant,
                cause: format!("the square behind a double push, where {}", push.what),
                place: Place::new(push.before).then("e2e4"),
                other: Some(Place::new(&push.after.replace("{}", "e3"))),
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
                    place: Place::new(legal.before).then("e2e4"),
                    other: None,
                    expected: wanted.into(),
                    found: name(policy).into(),
                });
            }
        }
    }

    /// Describes the properties in one line.
    pub fn text(&self) -> String {
        let clock = self.clock_from.map_or("no".into(), |from| format!("from {from}"));
        let (by_fen, by_moves) = (name(self.by_fen), name(self.by_moves));
        let policy = if by_fen == by_moves { by_fen.into() } else { format!("{by_fen} by FEN, {by_moves} by moves") };
        let pinned = [self.by_fen, self.by_moves].contains(&Some(EnPassantPolicy::Pseudo));
        let remark =
            if pinned { " (a pinned capturer keeps the square: equal positions may have different keys)" } else { "" };
        format!("halfmove clock in the key: {clock}; e.p. policy: {policy}{remark}")
    }
}

/// Returns the key that an engine printed, which must be there because it printed keys before.
pub(super) fn printed(key: Option<u128>, engine: &Engine<'_>, place: &Place) -> Result<Printed, Failure> {
    let base = engine.ways.key_base;
    key.map(|key| Printed { key, base }).ok_or_else(|| {
        engine.unparsed(format!("sent '{place}' and '{}', expected a key, found none", engine.settings.display))
    })
}
