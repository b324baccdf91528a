//! Facts learned about an engine before it is given the first row, for the first line of the report.

use crate::dialect::Ending;
use crate::outcome::Result;
use crate::request::{PositionCommand, Request};
use crate::uci::Engine;
use perft_gate_chess::Fen;
use perft_gate_listing::{KeptClocks, KeyBase, Listing};

/// Positions whose keys reveal the base in which the engine prints keys.
const POSITIONS: [&str; 6] = [
    Fen::START,
    "4k3/8/8/8/8/8/8/4K2R w K - 0 1",
    "4k3/8/8/8/8/8/8/R3K3 b Q - 0 1",
    "4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 1",
    "2b1k3/8/8/8/8/8/8/4KB2 w - - 0 1",
    "1n1qk3/8/8/8/8/8/8/1N1QK3 b - - 0 1",
];

/// How an engine is asked, and how it answers.
#[perft_gate_chess::document(sparse, Clone, PartialEq, Eq, Debug, serde::Serialize)]
pub struct Learned {
    /// The request for perft.
    #[serde(skip)]
    pub request: Request,
    /// True if the engine lists the leaves of each root move, false if it prints the total alone.
    #[serde(rename = "moves")]
    pub lists_moves: bool,
    /// Sign that ends an answer.
    pub end: &'static str,
    /// The command that shows the position, and what it shows. Absent if the engine was not asked.
    #[serde(rename = "display")]
    pub shown: Option<Shown>,
}

/// The line of a key.
#[perft_gate_chess::document(Clone, PartialEq, Eq, Debug, serde::Serialize)]
pub struct KeyLine {
    /// The whole line.
    pub line: String,
    /// Base in which the key is printed.
    pub base: KeyBase,
}

/// What an engine shows for a position.
#[perft_gate_chess::document(sparse, Clone, PartialEq, Eq, Debug, serde::Serialize)]
pub struct Shown {
    /// The command.
    pub command: String,
    /// True if the engine shows the FEN.
    pub fen: bool,
    /// Clocks that the engine reproduces unchanged in its FENs. `None` unless the FEN shown for the start position is
    /// valid, because otherwise FENs cannot be compared.
    #[serde(skip)]
    pub clocks: Option<KeptClocks>,
    /// The line with the key of the start position, and the base of the key.
    pub key: Option<KeyLine>,
    /// Number of digits of the longest key, if keys are hexadecimal.
    #[serde(skip)]
    pub digits: Option<usize>,
}

impl Learned {
    /// Learns what an engine that answers perft shows besides counts, and stores the base of its keys.
    pub(super) fn learn(engine: &mut Engine<'_>) -> Result<Learned> {
        let is_asked = engine.settings.checks_keys && !engine.settings.is_program();
        let shown = if is_asked { Some(Shown::learn(engine)?) } else { None };
        let dialect = &engine.dialect;
        Ok(Learned {
            request: dialect.request.clone(),
            lists_moves: dialect.listing == Listing::Moves,
            end: match dialect.ending {
                Ending::Total(_) => "each answer ends with its total",
                Ending::Quiet => "each answer ends with silence",
                Ending::Exit => "its exit ends each answer",
            },
            shown,
        })
    }

    /// Describes the facts in one line.
    pub fn text(&self) -> String {
        let moves = if self.lists_moves { "lists moves" } else { "totals only" };
        let shown = match &self.shown {
            None if self.request.is_program => "no keys with --exec".into(),
            None => "no keys, because of --keys off".into(),
            Some(Shown { command, fen, key, .. }) => {
                let fen = if *fen { "Fen:" } else { "no Fen:" };
                let text = |KeyLine { line, base }: &KeyLine| format!("the {base} key of '{line}'");
                let key = key.as_ref().map_or("no key".into(), text);
                format!("'{command}' shows {fen} and {key}")
            }
        };
        format!("{moves}; {}; {shown}", self.end)
    }
}

impl Shown {
    pub(super) fn learn(engine: &mut Engine<'_>) -> Result<Shown> {
        let first = engine.display(&PositionCommand::new(Fen::START))?;
        let mut texts = Vec::new();
        for fen in POSITIONS.into_iter().filter(|_| first.key().is_some()) {
            texts.extend(engine.display(&PositionCommand::new(fen))?.key_text().map(|(text, _)| text.to_string()));
        }
        engine.dialect.key_base = KeyBase::detect(&texts);
        let key = first.key_text().map(|(_, line)| KeyLine { line: line.into(), base: engine.dialect.key_base });
        if first.fen.as_ref().is_some_and(|fen| Fen::parse(fen).is_ok()) {
            let given = engine.display(&PositionCommand::new(KeptClocks::GIVEN))?;
            engine.dialect.fen = given.fen.as_deref().map(KeptClocks::detect);
        }
        let (clocks, fen) = (engine.dialect.fen, first.fen.is_some());
        let is_hexadecimal = engine.dialect.key_base == KeyBase::Hexadecimal;
        let length = |text: &String| text.trim_start_matches("0x").trim_start_matches("0X").len();
        let digits = texts.iter().map(length).max().filter(|_| is_hexadecimal);
        Ok(Shown { command: engine.settings.display.clone(), fen, clocks, key, digits })
    }
}
