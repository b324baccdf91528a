//! The next step after a command line that names no command: what was probably meant.

use crate::command_line::command;
use clap::error::ErrorKind;
use perft_gate_chess::Fen;
use perft_gate_judge::suite;
use perft_gate_zobrist::preset;
use std::path::Path;

/// A word that stands where no word belongs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stray<'w> {
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

/// Returns what was probably meant by the words after the program's name, if that can be told; `invalid` is the word that the
/// parser could not take.
pub fn next_step(words: &[String], kind: ErrorKind, invalid: Option<&str>) -> Option<String> {
    let program = command();
    // The name of the program, and UCI's `go`, are typed by habit.
    let habit = words.iter().take_while(|word| ["perft", "go"].contains(&word.as_str())).count();
    let (verb, rest) = match &words[habit..] {
        [verb, rest @ ..] => match program.find_subcommand(verb).filter(|_| habit == 0) {
            Some(verb) => (Some(verb), rest),
            None => (None, &words[habit..]),
        },
        [] => (None, &[][..]),
    };
    if let (Some(verb), ErrorKind::MissingRequiredArgument | ErrorKind::MissingSubcommand) = (verb, kind) {
        let below = rest.first().and_then(|word| verb.find_subcommand(word));
        return example(below.unwrap_or(verb)).map(|example| format!("such as: {example}"));
    }
    if !matches!(kind, ErrorKind::InvalidSubcommand | ErrorKind::UnknownArgument | ErrorKind::ValueValidation) {
        return None;
    }
    // A word after an option may be its value; what follows `--` is an engine's command.
    let rest = rest.iter().take_while(|word| *word != "--");
    let mut before = "";
    let strays = rest.filter_map(|word| {
        let may_be_value = std::mem::replace(&mut before, word).starts_with('-');
        if word.starts_with('-') || may_be_value { None } else { stray(word) }
    });
    let strays: Vec<Stray<'_>> = strays.collect();
    let Some(verb) = verb else {
        // A word that is nothing known is a verb that is misspelt.
        let first = words[habit..].first().and_then(|word| stray(word));
        return match (habit, first) {
            (0, Some(first)) => Some(without_verb(first, strays.get(1).copied())),
            (1.., Some(Stray::Number(depth))) => Some(format!("perft count {depth}")),
            (1.., _) => Some("perft count 5".into()),
            (0, None) => None,
        };
    };
    let name = verb.get_name();
    let takes = |option: &str| verb.get_arguments().any(|argument| argument.get_long() == Some(option));
    if name == "engine" {
        // A word that is no depth can only be the engine.
        let at = words.iter().position(|word| Some(word.as_str()) == invalid && !word.starts_with('-'))?;
        let [options, engine] = [&words[..at], &words[at..]]
            .map(|words| words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" "));
        return Some(format!("perft {options} -- {engine}"));
    }
    let (known, others): (Vec<_>, Vec<_>) = strays.into_iter().partition(|stray| matches!(stray, Stray::Number(_)));
    let depth = known.first().map_or(String::new(), |depth| format!(" {}", depth.text()));
    match (*others.first()?, others.get(1)) {
        (Stray::Position(place), _) if takes("fen") => Some(format!("perft {name}{depth} --fen {}", quoted(place))),
        (Stray::Suite(suite) | Stray::List(suite), _) if takes("suite") => {
            Some(format!("perft {name}{depth} --suite {}", quoted(suite)))
        }
        (Stray::Scheme(scheme), _) if takes("scheme") => Some(format!("perft {name}{depth} --scheme {scheme}")),
        (Stray::Below(other, word), _) if other != name => Some(format!("perft {other} {word}")),
        (Stray::Json(old), Some(Stray::Json(new))) => Some(format!("perft diff {} {}", quoted(old), quoted(new))),
        _ => None,
    }
}

/// Returns the example of a verb's help.
fn example(verb: &clap::Command) -> Option<String> {
    let help = verb.get_after_help()?.to_string();
    Some(help.strip_prefix("Example: ")?.into())
}

/// Returns what was meant by words without a verb.
fn without_verb(first: Stray<'_>, second: Option<Stray<'_>>) -> String {
    match (first, second) {
        (Stray::Number(depth), _) => format!("perft count {depth} to count, perft --depth {depth} to verify"),
        (Stray::Position(place), _) => {
            let place = quoted(place);
            format!("perft --fen {place} to verify, perft count 5 --fen {place} to count")
        }
        (Stray::Suite(list) | Stray::List(list), _) => format!("perft --suite {}", quoted(list)),
        (Stray::Scheme(scheme), _) => format!("perft --scheme {scheme}"),
        (Stray::Below(verb, word), _) => format!("perft {verb} {word}"),
        (Stray::Listed(word), _) => format!("perft list {word}"),
        (Stray::Json(old), Some(Stray::Json(new))) => format!("perft diff {} {}", quoted(old), quoted(new)),
        (Stray::Json(file), _) => format!("perft report {}", quoted(file)),
        (Stray::Program(program), _) => format!("perft engine -- {}", quoted(program)),
    }
}

/// Says what a word is.
fn stray(word: &str) -> Option<Stray<'_>> {
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
    fn text(&self) -> &str {
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

/// Returns a word as a shell takes it.
fn quoted(word: &str) -> String {
    if word.contains([' ', '\'', '"', '(', ')', '&', ';']) { format!("{word:?}") } else { word.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(line: &str, kind: ErrorKind) -> String {
        let words: Vec<String> = line.split(' ').map(String::from).collect();
        next_step(&words, kind, None).unwrap_or_default()
    }

    #[test]
    fn an_engine_stands_after_the_dashes() {
        let step = |line: &str, invalid| {
            let words: Vec<String> = line.split(' ').map(String::from).collect();
            next_step(&words, ErrorKind::UnknownArgument, Some(invalid)).unwrap_or_default()
        };
        assert_eq!(step("engine ./mine --uci", "./mine"), "perft engine -- ./mine --uci");
        assert_eq!(step("engine --suite quick 4 mine", "mine"), "perft engine --suite quick 4 -- mine");
        assert_eq!(step("engine --siute quick -- mine", "--siute"), "");
    }

    #[test]
    fn words_that_belong_elsewhere_lead_there() {
        for (line, expected) in [
            ("5", "perft count 5 to count, perft --depth 5 to verify"),
            ("kiwipete", "perft --fen kiwipete to verify, perft count 5 --fen kiwipete to count"),
            ("chess960", "perft --suite chess960"),
            ("list.epd", "perft --suite list.epd"),
            ("polyglot", "perft --scheme polyglot"),
            ("faults", "perft list faults"),
            ("audit --scheme bch", "perft keys audit"),
            ("merge", "perft tasks merge"),
            ("a.json b.json", "perft diff a.json b.json"),
            ("a.json", "perft report a.json"),
            ("perft 6", "perft count 6"),
            ("go perft 6", "perft count 6"),
            ("go depth", "perft count 5"),
            ("Cargo.toml", "perft --suite Cargo.toml"),
            ("nothing-of-the-kind", ""),
            ("cuont 5", ""),
        ] {
            assert_eq!(step(line, ErrorKind::InvalidSubcommand), expected, "perft {line}");
        }
    }

    #[test]
    fn words_after_a_verb_lead_to_its_options() {
        for (line, expected) in [
            ("key audit", "perft keys audit"),
            ("compare a.json b.json", "perft diff a.json b.json"),
            ("bench new.json old.json", "perft diff new.json old.json"),
            ("count kiwipete", "perft count --fen kiwipete"),
            ("count kiwipete 5", "perft count 5 --fen kiwipete"),
            ("divide 3 startpos", "perft divide 3 --fen startpos"),
            ("count 5 standard", "perft count 5 --suite standard"),
            ("gate mine.epd", "perft gate --suite mine.epd"),
            ("compare rotate", "perft compare --scheme rotate"),
            ("selftest 5", ""),
            ("keys audit", ""),
        ] {
            assert_eq!(step(line, ErrorKind::UnknownArgument), expected, "perft {line}");
        }
    }

    #[test]
    fn a_verb_that_lacks_something_has_its_example() {
        assert_eq!(step("list", ErrorKind::MissingRequiredArgument), "such as: perft list schemes");
        assert_eq!(step("count", ErrorKind::MissingRequiredArgument), "such as: perft count 7 --hash 256M");
        assert_eq!(step("tasks run", ErrorKind::MissingRequiredArgument), "such as: perft tasks run DIR --share 1/8");
        assert_eq!(step("keys", ErrorKind::MissingSubcommand), "such as: perft keys audit --scheme polyglot");
    }

    #[cfg(unix)]
    #[test]
    fn a_program_is_an_engine() {
        assert_eq!(step("/bin/sh", ErrorKind::InvalidSubcommand), "perft engine -- /bin/sh");
    }
}
