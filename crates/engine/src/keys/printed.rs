//! Keys as an engine prints them, and the FENs that it prints them for.

use crate::display::KeyBase;
use crate::failure::EngineFailure;
use crate::position_command::PositionCommand;
use crate::uci::Engine;
use perft_gate_chess::{Board, EnPassantPolicy, Fen, Packed};
use std::fmt;

/// A key, printed as the engine prints it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct PrintedKey {
    pub(super) key: u128,
    pub(super) base: KeyBase,
}

impl fmt::Display for PrintedKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.base {
            KeyBase::Hexadecimal => write!(f, "{:016X}", self.key),
            KeyBase::Decimal => write!(f, "{}", self.key),
        }
    }
}

/// Returns a position by FEN, with the e.p. square if it counts.
pub(super) fn by_fen(board: &Board, policy: EnPassantPolicy) -> PositionCommand {
    PositionCommand::new(&Fen::write(board, policy))
}

/// Returns true if a FEN that an engine prints shows another position. The e.p. square it prints does not matter.
pub(super) fn is_another(shown: &str, board: &Board) -> bool {
    Fen::parse(shown).is_ok_and(|shown| {
        let identity = |board: &Board| Packed::of(board, EnPassantPolicy::Legal);
        identity(&shown) != identity(board)
    })
}

/// Returns the key that an engine printed, which must be there because it printed keys before.
pub(super) fn require_key(
    key: Option<u128>,
    engine: &Engine<'_>,
    position: &PositionCommand,
) -> Result<PrintedKey, EngineFailure> {
    let base = engine.dialect.key_base;
    key.map(|key| PrintedKey { key, base }).ok_or_else(|| {
        engine.unparsed_failure(format!(
            "sent '{position}' and '{}', expected a key, found none",
            engine.settings.display
        ))
    })
}
