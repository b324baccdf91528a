//! A position for an engine, and the request for a perft count: a UCI command, or a program started for each request.
//!
//! Both kinds of request are templates with the placeholders `{depth}`, `{fen}` and `{moves}`. A template is split into
//! words before it is filled in, so a FEN remains a single argument of a program, and no shell interprets it.

use perft_gate_chess::{Board, EnPassantPolicy, Fen};
use std::fmt;

const NAMES: [&str; 3] = ["{depth}", "{fen}", "{moves}"];

/// Reason why a template is refused.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TemplateError {
    /// A quote is left open, or the template ends in a backslash.
    #[error("found '{0}', expected every quote to be closed")]
    Quotes(String),
    /// There are no words.
    #[error("found nothing, expected {0}")]
    Empty(&'static str),
    /// A word in braces is not a placeholder.
    #[error("found '{0}', expected one of {{depth}}, {{fen}} and {{moves}}")]
    Unknown(String),
    /// The template, and a placeholder that it lacks.
    #[error("found '{0}', expected it to contain {1}")]
    Missing(String, &'static str),
}

/// A request for a perft count: words with placeholders.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Request {
    /// The verb or the template as it was typed.
    pub text: String,
    words: Vec<String>,
    /// True for a program without UCI, started for each request. False for a UCI command, which is sent after
    /// `position` unless it contains the FEN itself.
    pub is_program: bool,
}

impl Request {
    /// Reads a UCI command: a verb to be followed by the depth, or a line with placeholders.
    pub fn command(text: &str) -> Result<Request, TemplateError> {
        let mut words: Vec<String> = text.split_ascii_whitespace().map(String::from).collect();
        if words.is_empty() {
            return Err(TemplateError::Empty("a perft command"));
        }
        // A text without placeholders is a verb, which the depth follows.
        if !NAMES.iter().any(|name| text.contains(name)) {
            words.push("{depth}".into());
        }
        // A request with moves must also contain the position from which the moves start.
        let needed = if text.contains("{moves}") { &["{depth}", "{fen}"][..] } else { &["{depth}"] };
        Request { text: text.into(), words, is_program: false }.checked(needed)
    }

    /// Reads the command line of a program, split into words as a shell splits them.
    pub fn program(text: &str) -> Result<Request, TemplateError> {
        let words = shlex::split(text).ok_or_else(|| TemplateError::Quotes(text.into()))?;
        if words.is_empty() {
            return Err(TemplateError::Empty("a program and its arguments"));
        }
        Request { text: text.into(), words, is_program: true }.checked(&["{depth}", "{fen}"])
    }

    /// Returns the request if it has the needed placeholders and no unknown ones.
    fn checked(self, needed: &[&'static str]) -> Result<Request, TemplateError> {
        if let Some(name) = self.words.iter().find_map(|word| unknown_placeholder(word)) {
            return Err(TemplateError::Unknown(name));
        }
        match needed.iter().find(|name| !self.has(name)) {
            Some(missing) => Err(TemplateError::Missing(self.text, missing)),
            None => Ok(self),
        }
    }

    fn has(&self, name: &str) -> bool {
        self.words.iter().any(|word| word.contains(name))
    }

    /// Returns the words for a position and a depth. Without moves, a word that contains `{moves}` is omitted, and so
    /// is the word `moves` in front of it.
    pub(super) fn words(&self, position: &PositionCommand, depth: u32) -> Vec<String> {
        let mut words: Vec<String> = Vec::new();
        for word in &self.words {
            if position.moves.is_empty() && word.contains("{moves}") {
                words.pop_if(|last| word == "{moves}" && last == "moves");
                continue;
            }
            let word = word.replace("{depth}", &depth.to_string()).replace("{fen}", &position.fen);
            words.push(word.replace("{moves}", &position.moves.join(" ")));
        }
        words
    }

    /// Returns true if the request contains the FEN of the position.
    pub(super) fn has_fen(&self) -> bool {
        self.has("{fen}")
    }

    /// Returns true if the engine can be asked about a position after moves.
    pub(super) fn takes_moves(&self) -> bool {
        !self.has_fen() || self.has("{moves}")
    }

    /// Returns the request as one line. A program's line can be pasted into a shell.
    pub fn line(&self, position: &PositionCommand, depth: u32) -> String {
        let words = self.words(position, depth);
        // A word with a NUL has no quoted form, and cannot be passed to a program.
        let quoted = shlex::try_join(words.iter().map(String::as_str)).ok().filter(|_| self.is_program);
        quoted.unwrap_or_else(|| words.join(" "))
    }

    /// Returns the lines to enter to make the request by hand.
    pub fn lines(&self, position: &PositionCommand, depth: u32) -> Vec<String> {
        let set_up = (!self.has_fen()).then(|| position.to_string());
        set_up.into_iter().chain([self.line(position, depth)]).collect()
    }
}

/// Returns the first word in braces that is not a placeholder.
fn unknown_placeholder(word: &str) -> Option<String> {
    word.match_indices('{').find_map(|(start, _)| {
        let name = &word[start..=start + word[start..].find('}')?];
        let is_name = name[1..name.len() - 1].chars().all(|c| c.is_ascii_alphabetic());
        (is_name && !NAMES.contains(&name)).then(|| name.into())
    })
}

/// A position for an engine: a FEN, and moves from there.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct PositionCommand {
    /// The FEN.
    pub fen: String,
    /// Moves in the engine's notation.
    pub moves: Vec<String>,
}

impl PositionCommand {
    /// Returns a position given by FEN alone.
    pub fn new(fen: &str) -> PositionCommand {
        PositionCommand { fen: fen.into(), moves: Vec::new() }
    }

    /// Returns a position given by FEN, with an e.p. square after every double push: the engine decides if it counts.
    pub(crate) fn from_board(board: &Board) -> PositionCommand {
        PositionCommand::new(&Fen::write(board, EnPassantPolicy::Always))
    }

    /// Returns the position after one more move.
    pub(crate) fn then(&self, mv: &str) -> PositionCommand {
        let mut position = self.clone();
        position.moves.push(mv.into());
        position
    }
}

impl fmt::Display for PositionCommand {
    /// Writes the UCI command.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "position fen {}", self.fen)?;
        if self.moves.is_empty() { Ok(()) } else { write!(f, " moves {}", self.moves.join(" ")) }
    }
}

perft_gate_chess::serialize_as_text!(PositionCommand);

#[cfg(test)]
mod tests {
    use super::*;

    fn position(moves: &[&str]) -> PositionCommand {
        PositionCommand { fen: "8/8 w - -".into(), moves: moves.iter().map(|mv| (*mv).into()).collect() }
    }

    #[test]
    fn each_placeholder_is_one_argument() {
        let request = Request::program("./perft.sh --fen={fen} 'two words' {depth} {moves}").unwrap();
        assert_eq!(request.text, "./perft.sh --fen={fen} 'two words' {depth} {moves}");
        assert_eq!(request.words(&position(&[]), 3), ["./perft.sh", "--fen=8/8 w - -", "two words", "3"]);
        assert_eq!(request.words(&position(&["a1a2", "h7h8q"]), 3)[4], "a1a2 h7h8q");
        assert_eq!(request.line(&position(&[]), 3), "./perft.sh '--fen=8/8 w - -' 'two words' 3");
        assert!(request.takes_moves());
        // Neither a shell nor the template interprets the filled-in text.
        let hostile = PositionCommand { fen: "$(touch x) ; {depth}".into(), moves: Vec::new() };
        assert_eq!(request.words(&hostile, 3)[1], "--fen=$(touch x) ; {depth}");
    }

    #[test]
    fn a_verb_is_followed_by_the_depth() {
        let request = Request::command("go  perft").unwrap();
        assert_eq!(request.lines(&position(&["a1a2"]), 3), ["position fen 8/8 w - - moves a1a2", "go perft 3"]);
        assert_eq!(request.text, "go  perft");
        let request = Request::command("perft {depth} fen {fen} moves {moves}").unwrap();
        assert_eq!(request.lines(&position(&[]), 3), ["perft 3 fen 8/8 w - -"]);
        assert_eq!(request.lines(&position(&["a1a2"]), 3), ["perft 3 fen 8/8 w - - moves a1a2"]);
        assert!(!Request::command("perft {depth} {fen}").unwrap().takes_moves());
    }
}
