//! The next step after a command line that names no command: what was probably meant.

use crate::command_line::command;
use crate::stray::{Stray, stray};
use clap::error::ErrorKind;
use perft_gate_chess::Fen;

/// Returns what was probably meant by the words after the program's name, if that can be told; `invalid` is the word that the
/// parser could not take.
pub fn next_step(words: &[String], kind: ErrorKind, invalid: Option<&str>) -> Option<String> {
    let program = command();
    let words = &joined_fens(words)[..];
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
    if verb.is_none() && kind == ErrorKind::ArgumentConflict {
        return options_before_verb(words);
    }
    if !matches!(kind, ErrorKind::InvalidSubcommand | ErrorKind::UnknownArgument | ErrorKind::ValueValidation) {
        return None;
    }
    // A verb below another one, such as `keys audit`.
    let below = verb.and_then(|verb| Some((verb.get_name(), verb.find_subcommand(rest.first()?)?)));
    let (verb, rest) = if let Some((_, below)) = below { (Some(below), &rest[1..]) } else { (verb, rest) };
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
            (0, None) => other_name(words.first()?),
        };
    };
    let name = below.map_or(verb.get_name().to_string(), |(above, verb)| format!("{above} {}", verb.get_name()));
    let at = words.iter().position(|word| Some(word.as_str()) == invalid);
    if let Some(at) = at.filter(|at| is_flag(verb, &words[*at])) {
        let flag = format!("--{}", words[at]);
        return line_that_parses(&[&words[..at], &[flag], &words[at + 1..]].concat());
    }
    if name == "engine" {
        return engine(words, at.filter(|at| !words[*at].starts_with('-'))?);
    }
    line_of_verb(&name, verb, strays)
}

/// Returns the line in which each stray word after a verb has its option.
fn line_of_verb(name: &str, verb: &clap::Command, strays: Vec<Stray<'_>>) -> Option<String> {
    let takes = |option: &str| verb.get_arguments().any(|argument| argument.get_long() == Some(option));
    let (known, others): (Vec<_>, Vec<_>) = strays.into_iter().partition(|stray| matches!(stray, Stray::Number(_)));
    let depth = known.first().map_or(String::new(), |depth| format!(" {}", depth.text()));
    // A verb that needs a depth gets one, so that the line can be typed as it is.
    let with = |option: &str, value: &str| {
        let is_incomplete = depth.is_empty() && lacks_argument(name.split(' ').chain([option, value]));
        let depth = if is_incomplete { " 5" } else { &depth };
        Some(format!("perft {name}{depth} {option} {}", quoted(value)))
    };
    match (*others.first()?, others.get(1)) {
        (Stray::Position(place), _) if takes("fen") => with("--fen", place),
        (Stray::Suite(suite) | Stray::List(suite), _) if takes("suite") => with("--suite", suite),
        (Stray::Suite(suite) | Stray::List(suite), _) if name == "suite" => {
            Some(format!("perft --suite {}", quoted(suite)))
        }
        (Stray::List(keys), _) if takes("keys-from") => with("--keys-from", keys),
        (Stray::Scheme(scheme), Some(Stray::Scheme(other))) if takes("scheme") && name != "gate" => {
            with("--scheme", &format!("{scheme},{other}"))
        }
        (Stray::Scheme(scheme), _) if takes("scheme") => with("--scheme", scheme),
        (Stray::Scheme(scheme), _) if name == "keys" => Some(format!("perft keys audit --scheme {scheme}")),
        (Stray::List(keys), _) if name == "keys" => Some(format!("perft keys audit --keys-from {}", quoted(keys))),
        (Stray::Below(other, word), _) if other != name => Some(below_step(other, word)),
        (Stray::Json(old), Some(Stray::Json(new))) => Some(format!("perft diff {} {}", quoted(old), quoted(new))),
        (Stray::Program(program), _) if name == "gate" => Some(format!("perft engine{depth} -- {}", quoted(program))),
        _ => None,
    }
}

/// Joins the words of a FEN without quotes.
fn joined_fens(words: &[String]) -> Vec<String> {
    let (mut joined, mut at) = (Vec::new(), 0);
    while let Some(word) = words.get(at) {
        let fen = |length: &usize| Fen::parse(&words[at..at + length].join(" ")).is_ok();
        let lengths = (4..=6).rev().filter(|length| at + length <= words.len());
        let length = lengths.filter(|_| word.matches('/').count() == 7).find(fen).unwrap_or(1);
        joined.push(words[at..at + length].join(" "));
        at += length;
    }
    joined
}

/// Returns the line in which a verb, a position, a list or a depth that stands after options has its place.
fn options_before_verb(words: &[String]) -> Option<String> {
    let is_value = |at: usize| at > 0 && words[at - 1].starts_with('-');
    let at = (0..words.len()).find(|&at| !words[at].starts_with('-') && !is_value(at))?;
    let (before, word, after) = (&words[..at], &words[at], &words[at + 1..]);
    if command().find_subcommand(word).is_some() {
        return line_that_parses(&[std::slice::from_ref(word), before, after].concat());
    }
    let option = match stray(word)? {
        Stray::Position(_) => "--fen",
        Stray::Suite(_) | Stray::List(_) => "--suite",
        Stray::Scheme(_) => "--scheme",
        Stray::Number(_) => "--depth",
        _ => return None,
    };
    line_that_parses(&[before, &[option.into(), word.clone()], after].concat())
}

/// Returns the line for an engine with a word that is no depth: the engine's name, or what it is to be asked.
fn engine(words: &[String], at: usize) -> Option<String> {
    let is_list = |word: &str| [".epd", ".csv", ".tsv", ".txt", ".json"].iter().any(|end| word.ends_with(end));
    let option = match stray(&words[at]) {
        Some(Stray::Position(_)) => Some("--fen"),
        Some(Stray::Suite(_)) => Some("--suite"),
        _ => is_list(&words[at]).then_some("--suite"),
    };
    let (options, mut rest) = (words[..at].to_vec(), words[at + usize::from(option.is_some())..].to_vec());
    let options = [options, option.map(|option| vec![option.into(), words[at].clone()]).unwrap_or_default()].concat();
    if rest.is_empty() {
        rest.push("./myengine".into());
    }
    if rest[0] != "--" && !rest[0].starts_with('-') {
        rest.insert(0, "--".into());
    }
    line_that_parses(&[options, rest].concat())
}

/// Returns true if a word is the name of an option without a value.
fn is_flag(verb: &clap::Command, word: &str) -> bool {
    let mut arguments = verb.get_arguments();
    arguments.any(|argument| argument.get_long() == Some(word) && !argument.get_action().takes_values())
}

/// Returns the command line of these words, if the program takes it.
fn line_that_parses(words: &[String]) -> Option<String> {
    let all = std::iter::once("perft").chain(words.iter().map(String::as_str));
    command().try_get_matches_from(all).ok()?;
    let words: Vec<String> = words.iter().map(|word| quoted(word)).collect();
    Some(format!("perft {}", words.join(" ")))
}

/// Returns true if the program needs more than these words.
fn lacks_argument<'w>(words: impl IntoIterator<Item = &'w str>) -> bool {
    let error = command().try_get_matches_from(std::iter::once("perft").chain(words)).err();
    error.is_some_and(|error| error.kind() == ErrorKind::MissingRequiredArgument)
}

/// Returns the line of a verb below another one, or its example if it needs more.
fn below_step(verb: &str, word: &str) -> String {
    let line = format!("perft {verb} {word}");
    let program = command();
    let below = program.find_subcommand(verb).and_then(|verb| verb.find_subcommand(word));
    let example = below.filter(|_| lacks_argument([verb, word])).and_then(example);
    example.map_or(line, |example| format!("such as: {example}"))
}

/// Returns what other programs call by this name.
fn other_name(word: &str) -> Option<String> {
    let line = match word {
        "verify" | "check" | "validate" | "test" => "perft --suite quick",
        "version" => "perft --version",
        "bash" | "zsh" | "fish" => return Some(format!("perft completions {word}")),
        _ => return None,
    };
    Some(line.into())
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
        (Stray::Below(verb, word), _) => below_step(verb, word),
        (Stray::Listed(word), _) => format!("perft list {word}"),
        (Stray::Json(old), Some(Stray::Json(new))) => format!("perft diff {} {}", quoted(old), quoted(new)),
        (Stray::Json(file), _) => format!("perft report {}", quoted(file)),
        (Stray::Program(program), _) => format!("perft engine -- {}", quoted(program)),
    }
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
            ("merge", "such as: perft tasks merge DIR"),
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
            ("count kiwipete", "perft count 5 --fen kiwipete"),
            ("count 8/8/8/8/8/4k3/8/4K3 w - - 0 1", "perft count 5 --fen \"8/8/8/8/8/4k3/8/4K3 w - - 0 1\""),
            ("divide 3 8/8/8/8/8/4k3/8/4K3 w - -", "perft divide 3 --fen \"8/8/8/8/8/4k3/8/4K3 w - -\""),
            ("collisions rotate", "perft collisions 5 --scheme rotate"),
            ("compare rotate polyglot", "perft compare --scheme rotate,polyglot"),
            ("keys audit polyglot", "perft keys audit --scheme polyglot"),
            ("keys audit mine.txt", "perft keys audit --keys-from mine.txt"),
            ("keys polyglot", "perft keys audit --scheme polyglot"),
            ("suite mine.epd", "perft --suite mine.epd"),
            ("key make", "such as: perft keys make --independent 7 --format c --out keys.h"),
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
    fn options_before_a_verb_and_flags_without_dashes_find_their_place() {
        for (line, expected) in [
            ("--depth 5 kiwipete", "perft --depth 5 --fen kiwipete"),
            ("--depth 3 quick", "perft --depth 3 --suite quick"),
            ("--fen kiwipete 4", "perft --fen kiwipete --depth 4"),
            ("--depth 5 count --fen startpos", "perft count --depth 5 --fen startpos"),
            ("--plant none nonsense", ""),
        ] {
            assert_eq!(step(line, ErrorKind::ArgumentConflict), expected, "perft {line}");
        }
        for (line, invalid, expected) in [
            ("bench quick", "quick", "perft bench --quick"),
            ("count 4 stats", "stats", "perft count 4 --stats"),
            ("count 4 hash", "hash", ""),
        ] {
            let words: Vec<String> = line.split(' ').map(String::from).collect();
            let found = next_step(&words, ErrorKind::UnknownArgument, Some(invalid)).unwrap_or_default();
            assert_eq!(found, expected, "perft {line}");
        }
        for (line, expected) in [
            ("verify", "perft --suite quick"),
            ("version", "perft --version"),
            ("fish", "perft completions fish"),
            (
                "8/8/8/8/8/4k3/8/4K3 w - - 0 1",
                "perft --fen \"8/8/8/8/8/4k3/8/4K3 w - - 0 1\" to verify, perft count 5 ",
            ),
        ] {
            assert!(step(line, ErrorKind::InvalidSubcommand).starts_with(expected), "perft {line}");
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
