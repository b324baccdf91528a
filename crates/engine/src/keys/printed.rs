//! Keys as an engine prints them, and the FENs next to them.

use crate::display::{Display, KeyBase};
use crate::outcome::{EngineFailure, FailureKind};
use crate::request::PositionCommand;
use crate::uci::Engine;
use perft_gate_chess::{Board, EnPassantPolicy, Fen, Packed};
use std::fmt;

/// A key in the format of the engine.
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

/// Returns true if an engine's FEN shows another position, regardless of its e.p. square.
pub(super) fn is_another(shown: &str, board: &Board) -> bool {
    Fen::parse(shown).is_ok_and(|shown| {
        let identity = |board: &Board| Packed::new(board, EnPassantPolicy::Legal);
        identity(&shown) != identity(board)
    })
}

/// Returns the key that an engine shows for a board, unless it shows another position.
pub(super) fn accepted_key(shown: &Display, board: &Board) -> Option<u128> {
    shown.key().filter(|_| !shown.fen.as_ref().is_some_and(|shown| is_another(shown, board)))
}

/// Returns the key that an engine printed. **Errors**: if it printed none, although it printed keys before.
pub(super) fn require_key(
    key: Option<u128>,
    engine: &Engine<'_>,
    position: &PositionCommand,
) -> Result<PrintedKey, EngineFailure> {
    let base = engine.dialect.key_base;
    key.map(|key| PrintedKey { key, base }).ok_or_else(|| {
        engine.failure(
            FailureKind::Unparsed,
            format!("sent '{position}' and '{}', expected a key, found none", engine.settings.display),
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::keys::parts::board;
    use crate::settings::EngineSettings;

    #[test]
    fn the_key_of_another_position_is_not_taken() {
        let asked = board("4k3/8/8/8/8/8/8/4K2R w K - 0 1");
        let key = |lines: &[&str]| {
            let (mut shown, pattern) =
                (Display::default(), regex_lite::Regex::new(EngineSettings::KEY_PATTERN).unwrap());
            lines.iter().for_each(|line| shown.take(line, &pattern, KeyBase::Hexadecimal));
            accepted_key(&shown, &asked)
        };
        assert_eq!(key(&["Fen: 4k3/8/8/8/8/8/8/4K2R w K - 0 1", "Key: 1A"]), Some(0x1a));
        assert_eq!(key(&["Fen: 4k3/8/8/8/8/8/8/4K2R w - - 0 1", "Key: 1A"]), None);
        assert_eq!(key(&["Key: 1A"]), Some(0x1a));
    }
}
