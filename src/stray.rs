//! Words of a command line that stand where no word belongs: what each of them is.

use crate::command_line::command;
use perft_gate_chess::Fen;
use perft_gate_suite as suite;
use perft_gate_zobrist::preset;
use std::path::Path;

/// A word that stands where no word belongs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stray<'w> {
    /// A depth.
    Number(&'w str),
    /// `kiwipete`, `startpos` or a FEN.
    Position(&'w str),
    /// The name of a built-in suite.
    Suite(&'w str),
    /// The name of a scheme.
    Scheme(&'w str),
    /// A verb below another verb, with that one: `audit` of `keys`.
    Below(&'static str, &'w str),
    /// A word that `perft list` takes.
    Listed(&'w str),
    /// A file of results.
    Json(&'w str),
    /// A program.
    Program(&'w str),
    /// A list of positions.
    List(&'w str),
}

/// Says what a word is.
pub fn stray(word: &str) -> Option<Stray<'_>> {
    let path = Path::new(word);
    let extension = path.extension().and_then(|extension| extension.to_str()).map(str::to_ascii_lowercase);
    if word.parse::<u32>().is_ok() {
        return Some(Stray::Number(word));
    }
    if ["kiwipete", "startpos"].contains(&word) || Fen::parse(word).is_ok() {
        return Some(Stray::Position(word));
    }
    if suite::embedded(word).is_some() {
        return Some(Stray::Suite(word));
    }
    if preset(word).is_some() {
        return Some(Stray::Scheme(word));
    }
    if let Some(below) = below(word) {
        return Some(below);
    }
    match extension.as_deref() {
        Some("json") => Some(Stray::Json(word)),
        Some("epd" | "csv" | "txt" | "tsv") => Some(Stray::List(word)),
        _ if is_program(path) => Some(Stray::Program(word)),
        _ if path.is_file() => Some(Stray::List(word)),
        _ => None,
    }
}

/// Returns the verb that has this verb below it, or whose lists have this name.
fn below(word: &str) -> Option<Stray<'_>> {
    let program = command();
    let list = program.find_subcommand("list").and_then(|list| list.get_positionals().next());
    let lists = list.map(|what| what.get_possible_values()).unwrap_or_default();
    if lists.iter().any(|listed| listed.matches(word, true)) {
        return Some(Stray::Listed(word));
    }
    let verb = ["keys", "suite", "tasks"].into_iter().find(|verb| {
        let verb = program.find_subcommand(verb);
        verb.is_some_and(|verb| verb.find_subcommand(word).is_some())
    });
    verb.map(|verb| Stray::Below(verb, word))
}

impl Stray<'_> {
    /// Returns the word.
    pub fn text(&self) -> &str {
        match self {
            Stray::Number(text) | Stray::Position(text) | Stray::Suite(text) | Stray::Scheme(text) => text,
            Stray::Below(_, text) | Stray::Listed(text) | Stray::Json(text) => text,
            Stray::Program(text) | Stray::List(text) => text,
        }
    }
}

#[cfg(unix)]
fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata().is_ok_and(|file| file.is_file() && file.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_program(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("exe")) && path.is_file()
}
