//! One-line errors of the command line: what is wrong, and the next step.
//!
//! [`ROWS`] lists what people type by mistake, and what they mean. To cover another mistake, add a row there and a line
//! to the test.

use clap::Command;
use clap::error::{ContextKind, ContextValue, Error, ErrorKind};
use perft_gate_chess::{Fen, Square};
use perft_gate_suite as suite;
use perft_gate_zobrist::preset;
use std::num::{ParseFloatError, ParseIntError};
use std::path::Path;

/// Misplaced words: where they are, what they are, and the intended line. The first matching row applies.
///
/// - Where: after this subcommand (`keys audit`), after any subcommand with this option (`--fen`), after any subcommand
///   (`*`), without a subcommand (empty), after a `perft` or `go` typed by habit (`go`, or empty), or after options of
///   the gate (`options`).
/// - What: the [kinds](kind_of) of the first misplaced words, in angle brackets. A word that has no kind is matched
///   literally, and `*` matches any such word.
/// - Meant: `{0}` and `{1}` are the words, and `{all}` is the line up to its `{options}`. A row with `{before}` and
///   `{after}` changes the line in place, and applies only if the program accepts the new line. `{engine}` is the rest
///   of the line, as an engine's command. A word `` ` `` ends a command inside a sentence.
const ROWS: [(&str, &str, &str); 44] = [
    ("options", "<verb>", "perft {0} {before} {after}"),
    ("options", "<position>", "perft {before} --fen {0} {after}"),
    ("options", "<suite>|<list>|<file>", "perft {before} --suite {0} {after}"),
    ("options", "<scheme>", "perft {before} --scheme {0} {after}"),
    ("options", "<number>", "perft {before} --depth {0} {after}"),
    ("", "<number> <position>", "perft count {0} --fen {1}"),
    ("", "<position> <number>", "perft count {1} --fen {0}"),
    ("", "position|fen", "perft count 5 --fen {all} {options}"),
    ("go", "<position>", "perft count 5 --fen {0}"),
    ("go", "<number>", "perft count {0}"),
    ("go", "", "perft count 5"),
    ("", "<number>", "`perft count {0} ` to count, `perft --depth {0} ` to verify"),
    ("", "<position>", "`perft --fen {0} ` to verify, `perft count 5 --fen {0} ` to count"),
    ("", "<suite>|<list>|<file>", "perft --suite {0}"),
    ("", "<scheme>", "perft --scheme {0}"),
    ("", "<below>", "perft {above} {0}"),
    ("", "<listed>", "perft list {0}"),
    ("", "<json> <json>", "perft diff {0} {1}"),
    ("", "<json>", "perft report {0}"),
    ("", "<program>", "perft engine -- {0}"),
    ("", "<missing>", "`perft engine -- {0} ` once that file exists"),
    ("", "verify|check|validate|test", "perft --suite quick"),
    ("", "version", "perft --version"),
    ("", "bash|zsh|fish", "perft completions {0}"),
    ("*", "<flag>", "perft {before} --{0} {after}"),
    ("engine", "<position>", "perft {before} --fen {0} {engine}"),
    ("engine", "<suite>|<list>|<json>", "perft {before} --suite {0} {engine}"),
    ("engine", "<flag>", "perft {before} --{0} {after}"),
    ("engine", "<program>|<missing>", "perft {before} {after} -- {0}"),
    ("engine", "*|<program>|<missing>|<file>", "perft {before} -- {0} {after}"),
    ("--fen", "<position>", "perft {verb} {depth} --fen {0}"),
    ("--suite", "<suite>|<list>|<file>", "perft {verb} {depth} --suite {0}"),
    ("suite", "<suite>|<list>|<file>", "perft --suite {0}"),
    ("--keys-from", "<list>|<file>", "perft {verb} {depth} --keys-from {0}"),
    ("gate", "<scheme>", "perft gate {depth} --scheme {0}"),
    ("--scheme", "<scheme> <scheme>", "perft {verb} {depth} --scheme {0},{1}"),
    ("--scheme", "<scheme>", "perft {verb} {depth} --scheme {0}"),
    ("keys", "<scheme>", "perft keys audit --scheme {0}"),
    ("keys", "<list>|<file>", "perft keys audit --keys-from {0}"),
    ("*", "<below>", "perft {above} {0}"),
    ("*", "<json> <json>", "perft diff {0} {1}"),
    ("gate", "<program>", "perft engine {depth} -- {0}"),
    ("*", "<move>", "perft {before} --moves {0} {after}"),
    ("*", "<extra>", "perft {before} {after}"),
];

fn kind_of<'w>(program: &Command, word: &'w str) -> &'w str {
    let path = Path::new(word);
    let extension = path.extension().and_then(|extension| extension.to_str()).map(str::to_ascii_lowercase);
    let lists = program.find_subcommand("list").and_then(|list| list.get_positionals().next());
    let is_listed = || lists.is_some_and(|what| what.get_possible_values().iter().any(|name| name.matches(word, true)));
    match extension.as_deref() {
        _ if word.parse::<u32>().is_ok() => "<number>",
        _ if ["kiwipete", "startpos"].contains(&word) || Fen::parse(word).is_ok() => "<position>",
        _ if suite::embedded(word).is_some() => "<suite>",
        _ if preset(word).is_some() => "<scheme>",
        _ if is_listed() => "<listed>",
        _ if above(program, word).is_some() => "<below>",
        Some("json") => "<json>",
        Some("epd" | "csv" | "txt" | "tsv") => "<list>",
        _ if is_program(path) => "<program>",
        _ if path.is_file() => "<file>",
        _ if word.contains(['/', '\\']) => "<missing>",
        _ if is_move(word) => "<move>",
        _ => word,
    }
}

/// Returns the parent of a nested subcommand: `keys` for `audit`.
fn above(program: &Command, word: &str) -> Option<&'static str> {
    let has_word = |verb: &&str| program.find_subcommand(verb).is_some_and(|verb| verb.find_subcommand(word).is_some());
    ["keys", "suite", "tasks"].into_iter().find(has_word)
}

/// Returns true if `word` consists of two squares, optionally followed by a promotion piece.
fn is_move(word: &str) -> bool {
    word.is_char_boundary(4)
        && [0, 2].iter().all(|&at| word.get(at..at + 2).is_some_and(|square| Square::parse(square).is_some()))
        && matches!(&word[4..], "" | "n" | "b" | "r" | "q")
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

/// Returns the innermost subcommand named at the start of a line, and how many words name it.
fn verb_of<'c>(program: &'c Command, words: &[String]) -> Option<(&'c Command, usize)> {
    let verb = program.find_subcommand(words.first()?)?;
    let below = words.get(1).and_then(|word| verb.find_subcommand(word));
    Some(below.map_or((verb, 1), |below| (below, 2)))
}

/// Returns the example in a subcommand's help.
fn example(verb: &Command) -> Option<String> {
    Some(verb.get_after_help()?.to_string().strip_prefix("Example: ")?.into())
}

/// A rejected command line, split into parts.
struct Refused<'w> {
    program: &'w Command,
    /// The words after the program's name. The first `begin` name the subcommand, or are a habitual `perft` or `go`.
    words: &'w [String],
    begin: usize,
    verb: Option<&'w Command>,
    /// Where the misplaced words are, in the notation of [`ROWS`].
    place: String,
    /// A number after a subcommand, which is taken to be the depth.
    depth: Option<String>,
    /// Misplaced words, and their kinds.
    strays: Vec<(&'w str, &'w str)>,
    /// Index and kind of the word that a row of [`ROWS`] changes in place.
    changed: Option<(usize, &'w str)>,
}

impl<'w> Refused<'w> {
    fn read(program: &'w Command, words: &'w [String], error: &Error) -> Option<Refused<'w>> {
        let habit = words.iter().take_while(|word| ["perft", "go"].contains(&word.as_str())).count();
        let (verb, begin) = verb_of(program, words).map_or((None, habit), |(verb, length)| (Some(verb), length));
        let place: String = match error.kind() {
            ErrorKind::ArgumentConflict if verb.is_none() => "options".into(),
            ErrorKind::InvalidSubcommand | ErrorKind::UnknownArgument | ErrorKind::ValueValidation => match verb {
                Some(_) => words[..begin].join(" "),
                None => String::from(if habit > 0 { "go" } else { "" }),
            },
            _ => return None,
        };
        // A word after an option may be its value. After `--` comes an engine's command.
        let is_word = |at: usize| !words[at].starts_with('-');
        let is_alone = |at: &usize| is_word(*at) && (*at == 0 || is_word(at - 1));
        let end = words.iter().position(|word| word == "--").unwrap_or(words.len());
        let alone: Vec<usize> = (begin..end).filter(is_alone).collect();
        let kinds = alone.iter().map(|&at| (&*words[at], kind_of(program, &words[at])));
        let (mut depth, mut strays) = (None, Vec::new());
        match verb {
            Some(_) => {
                let (numbers, others): (Vec<_>, Vec<_>) = kinds.partition(|(_, kind)| *kind == "<number>");
                depth = numbers.first().map(|(number, _)| number.to_string());
                // After a subcommand, a word that [`kind_of`] does not know is ignored.
                strays = others.into_iter().filter(|(word, kind)| word != kind).collect();
            }
            // After an option, a word is not a misspelt subcommand.
            None if alone.first() == Some(&begin) => strays = kinds.collect(),
            None => {}
        }
        let is_invalid = |at: &usize| is_word(*at) && Some(&*words[*at]) == invalid_word(error);
        let lists_positions = |at: &usize| ["<position>", "<suite>", "<list>"].contains(&kind_of(program, &words[*at]));
        // The rejected option may be an engine's, unless it resembles one of ours: then it is misspelt.
        let is_misspelt = error.get(ContextKind::SuggestedArg).is_some() || end < words.len();
        let may_be_engine = |at: &usize| !is_misspelt && kind_of(program, &words[*at]) != "<number>";
        let first = |fits: &dyn Fn(&usize) -> bool| alone.iter().copied().find(fits);
        let changed = match &*place {
            "options" => alone.first().copied(),
            "engine" => first(&lists_positions).or_else(|| first(&is_invalid)).or_else(|| first(&may_be_engine)),
            _ => (0..words.len()).find(is_invalid),
        };
        let kind_in_place = |word: &'w str| match verb {
            Some(verb) if takes(verb, word, false) => "<flag>",
            None if program.find_subcommand(word).is_some() => "<verb>",
            Some(_) if error.kind() == ErrorKind::UnknownArgument && word.parse::<u32>().is_ok() => "<extra>",
            _ => kind_of(program, word),
        };
        let changed = changed.map(|at| (at, kind_in_place(&words[at])));
        Some(Refused { program, words, begin, verb, place, depth, strays, changed })
    }

    /// Returns true if the misplaced words are at the place that a row of [`ROWS`] names.
    fn is_at(&self, place: &str) -> bool {
        match (place.strip_prefix("--"), self.verb) {
            // The rest of the line may be an engine's command, so only the rows of `perft engine` apply.
            _ if self.place == "engine" => place == "engine",
            (Some(option), Some(verb)) => takes(verb, option, true),
            (None, Some(_)) if place == "*" => true,
            _ if place.is_empty() => self.verb.is_none() && self.place != "options",
            _ => place == self.place,
        }
    }

    /// Returns the line that a row of [`ROWS`] suggests, if the misplaced words have the kinds that the row requires.
    fn line(&self, kinds: &str, meant: &str) -> Option<String> {
        let in_place = meant.contains("{before}").then(|| self.changed.map(|(at, kind)| (&*self.words[at], kind)));
        let words = in_place.as_ref().map_or(&self.strays[..], |word| word.as_slice());
        let wanted: Vec<&str> = kinds.split_whitespace().collect();
        let is_kind = |kind: &str, wanted: &str| wanted == kind || wanted == "*" && !kind.starts_with('<');
        let fits = |((_, kind), wanted): (&(&str, &str), &&str)| wanted.split('|').any(|wanted| is_kind(kind, wanted));
        if words.len() < wanted.len() || !words.iter().zip(&wanted).all(fits) {
            return None;
        }
        let mut line = self.fill(meant, words, self.depth.as_deref());
        match self.program.clone().try_get_matches_from(&line).map_err(|error| error.kind()) {
            Err(_) if in_place.is_some() => return None,
            // If the subcommand needs a depth, fill one in, so that the line can be typed as shown.
            Err(ErrorKind::MissingRequiredArgument) if meant.contains("{depth}") => {
                line = self.fill(meant, words, self.depth.as_deref().or(Some("5")));
            }
            Err(ErrorKind::MissingRequiredArgument) => return example(verb_of(self.program, &line[1..])?.0),
            _ => {}
        }
        let quote =
            |word: String| if word.contains([' ', '\'', '"', '(', ')', '&', ';']) { format!("{word:?}") } else { word };
        Some(line.into_iter().map(quote).collect::<Vec<_>>().join(" ").replace(" ` ", "` "))
    }

    /// Returns the words of the line that a row of [`ROWS`] suggests.
    fn fill(&self, meant: &str, found: &[(&str, &str)], depth: Option<&str>) -> Vec<String> {
        let word = |number: usize| found.get(number).map_or("", |(word, _)| word);
        let at = self.changed.map_or(0, |(at, _)| at);
        let after = self.words.get(at + 1..).unwrap_or_default();
        // A FEN's `-` is not an option.
        let is_option = |word: &String| word.len() > 1 && word.starts_with('-');
        let options = self.words.iter().position(is_option).unwrap_or(self.words.len()).max(self.begin);
        let expand = |token: &str| match token {
            "{before}" => self.words[..at].to_vec(),
            "{after}" => after.to_vec(),
            "{engine}" if after.is_empty() => vec!["--".into(), "./myengine".into()],
            "{engine}" if after[0].starts_with('-') => after.to_vec(),
            "{engine}" => [&["--".to_string()], after].concat(),
            "{all}" => vec![self.words[self.begin..options].join(" ")],
            "{options}" => self.words[options..].to_vec(),
            "{verb}" => self.words[..self.begin].to_vec(),
            "{depth}" => depth.map(String::from).into_iter().collect(),
            "{above}" => vec![above(self.program, word(0)).unwrap_or_default().into()],
            token => vec![token.replace("{0}", word(0)).replace("{1}", word(1))],
        };
        meant.split(' ').flat_map(expand).collect()
    }
}

/// Returns the command that was probably intended, if a row of [`ROWS`] matches.
fn next_step(program: &Command, words: &[String], error: &Error) -> Option<String> {
    if let ErrorKind::MissingRequiredArgument | ErrorKind::MissingSubcommand = error.kind() {
        let example = example(verb_of(program, words)?.0)?;
        let is_shown = |missing: &String| match missing.split(' ').next() {
            // An example may give the depth without its option.
            Some(option) if option.starts_with("--") && option != "--depth" => example.contains(option),
            _ => true,
        };
        return match error.get(ContextKind::InvalidArg) {
            Some(ContextValue::Strings(missing)) if !missing.iter().all(is_shown) => None,
            _ => Some(example),
        };
    }
    let refused = Refused::read(program, words, error)?;
    ROWS.iter().filter(|(place, ..)| refused.is_at(place)).find_map(|(_, kinds, meant)| refused.line(kinds, meant))
}

/// Returns true if a subcommand has this option, and the option takes a value exactly when `value` is true.
fn takes(verb: &Command, option: &str, value: bool) -> bool {
    let mut arguments = verb.get_arguments();
    arguments.any(|argument| argument.get_long() == Some(option) && argument.get_action().takes_values() == value)
}

/// Returns the word that the parser rejected.
fn invalid_word(error: &Error) -> Option<&str> {
    let is_value = error.kind() == ErrorKind::ValueValidation;
    match error.get(if is_value { ContextKind::InvalidValue } else { ContextKind::InvalidArg })? {
        ContextValue::String(word) => Some(word),
        _ => None,
    }
}

/// Formats a command-line error as one line: clap's first paragraph, then the next step or clap's suggestion, but not
/// the usage. `words` are the words after the program's name.
pub fn line(program: &Command, words: &[String], error: &Error) -> String {
    let text = error.to_string();
    let paragraph: Vec<_> = text.lines().map(str::trim).take_while(|line| !line.is_empty()).collect();
    let mut line = paragraph.join(" ").replace("..=", " to ");
    if let Some(word) = error.get(ContextKind::InvalidValue) {
        line = line.replace(&format!(": {word} is not in "), ": expected ");
    }
    // The standard library's error message describes the parser, not what to type.
    let source = std::error::Error::source(error);
    let expected = match source {
        Some(source) if source.is::<ParseIntError>() => Some("expected a whole number"),
        Some(source) if source.is::<ParseFloatError>() => Some("expected a number"),
        _ => None,
    };
    if let (Some(source), Some(expected)) = (source, expected) {
        line = line.replace(&source.to_string(), expected);
    }
    let kinds = [ContextKind::SuggestedSubcommand, ContextKind::SuggestedArg, ContextKind::SuggestedValue];
    let suggested = || {
        kinds.into_iter().find_map(|kind| match error.get(kind)? {
            ContextValue::String(name) => Some(name),
            ContextValue::Strings(names) => names.last(),
            _ => None,
        })
    };
    if invalid_word(error).is_some_and(|word| word.parse::<i64>().is_ok_and(|number| number < 0)) {
        return line + ", expected a number without a sign";
    }
    let verb = verb_of(program, words).filter(|_| error.kind() == ErrorKind::UnknownArgument);
    match (next_step(program, words, error), suggested(), verb) {
        (Some(next_step), ..) => format!("{line}; next step: {next_step}"),
        (None, Some(name), _) => format!("{line}; did you mean '{name}'?"),
        (None, None, Some((_, length))) => {
            let option = invalid_word(error).and_then(|word| word.strip_prefix("--"));
            let has_option =
                |verb: &&Command| option.is_some_and(|name| takes(verb, name, true) || takes(verb, name, false));
            let others: Vec<_> = program.get_subcommands().filter(has_option).map(Command::get_name).collect();
            let elsewhere =
                if others.is_empty() { String::new() } else { format!(", an option of {}", others.join(", ")) };
            format!("{line}{elsewhere}; `perft {} --help` lists what it takes", words[..length].join(" "))
        }
        (None, None, None) => with_nearest(&line),
    }
}

/// Minimum similarity, from 0 to 1, at which a known name is suggested.
const ALIKE: f64 = 0.8;

/// Adds the most similar known name to a message "found X, expected one of A, B or C", if one is similar enough.
pub fn with_nearest(message: &str) -> String {
    let nearest = || {
        let (before, known) = message.split_once(", expected one of ")?;
        let found = before.rsplit_once("found ")?.1.rsplit([' ', '=']).next()?.trim_matches('\'');
        let known = known.split([',', ' ']).filter(|name| !name.is_empty());
        let alike = known.map(|name| (strsim::jaro(found, name), name)).filter(|(alike, _)| *alike >= ALIKE);
        Some(alike.max_by(|one, other| one.0.total_cmp(&other.0))?.1)
    };
    nearest().map_or(message.into(), |name| format!("{message}; did you mean '{name}'?"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command_line::command;

    #[test]
    fn words_that_belong_elsewhere_lead_there() {
        // `tests/cmd/command_line.trycmd` has more cases. `@` is a FEN with clocks, `§` one without.
        let table = "
            @ ⇒ `perft --fen \"@\"` to verify, `perft count 5 --fen \"@\"` to count
            audit --scheme bch ⇒ perft keys audit
            merge ⇒ perft tasks merge DIR
            a.json b.json ⇒ perft diff a.json b.json
            a.json ⇒ perft report a.json
            go depth ⇒ perft count 5
            go perft 4 kiwipete ⇒ perft count 4 --fen kiwipete
            kiwipete 4 ⇒ perft count 4 --fen kiwipete
            perft startpos 3 ⇒ perft count 3 --fen startpos
            perft position startpos ⇒ perft count 5 --fen \"position startpos\"
            position fen @ --threads 1 ⇒ perft count 5 --fen \"position fen @\" --threads 1
            Cargo.toml ⇒ perft --suite Cargo.toml
            position startpos moves d4 ⇒ perft count 5 --fen \"position startpos moves d4\"
            scheme polyglot ⇒
            json ⇒
            --depth 5 file ⇒
            engine mine.epd ./sf ⇒ perft engine --suite mine.epd -- ./sf
            engine kiwipete ./sf ⇒ perft engine --fen kiwipete -- ./sf
            engine quick --max-node 5 -- x ⇒
            tasks plan dir 7 kiwipete ⇒ perft tasks plan 7 --fen kiwipete
            nothing-of-the-kind ⇒
            cuont 5 ⇒
            verify ⇒ perft --suite quick
            version ⇒ perft --version
            fish ⇒ perft completions fish
            bench new.json old.json ⇒ perft diff new.json old.json
            count @ ⇒ perft count 5 --fen \"@\"
            divide 3 § ⇒ perft divide 3 --fen \"§\"
            collisions rotate ⇒ perft collisions 5 --scheme rotate
            compare rotate polyglot ⇒ perft compare --scheme rotate,polyglot
            keys audit polyglot ⇒ perft keys audit --scheme polyglot
            keys audit mine.txt ⇒ perft keys audit --keys-from mine.txt
            keys polyglot ⇒ perft keys audit --scheme polyglot
            suite mine.epd ⇒ perft --suite mine.epd
            count kiwipete 5 ⇒ perft count 5 --fen kiwipete
            divide 3 startpos ⇒ perft divide 3 --fen startpos
            count 5 standard ⇒ perft count 5 --suite standard
            gate mine.epd ⇒ perft gate --suite mine.epd
            compare rotate ⇒ perft compare --scheme rotate
            selftest 5 ⇒ perft selftest
            --depth 3 quick ⇒ perft --depth 3 --suite quick
            --fen kiwipete 4 ⇒ perft --fen kiwipete --depth 4
            --depth 5 count --fen startpos ⇒ perft count --depth 5 --fen startpos
            --plant none nonsense ⇒
            bench quick ⇒ perft bench --quick
            3 § ⇒ perft count 3 --fen \"§\"
            position fen § moves d5 ⇒ perft count 5 --fen \"position fen § moves d5\"
            ./sf-17 ⇒ `perft engine -- ./sf-17` once that file exists
            engine ./sf-17 --suite quick 3 ⇒ perft engine --suite quick 3 -- ./sf-17
            divide 3 4 ⇒ perft divide 3
            bench 4 ⇒ perft bench
            key g8f6 ⇒ perft key --moves g8f6
            count 4 stats ⇒ perft count 4 --stats
            count 4 hash ⇒
            engine ./mine --uci ⇒ perft engine -- ./mine --uci
            engine --suite quick 4 mine ⇒ perft engine --suite quick 4 -- mine
            engine --siute quick -- mine ⇒
            tasks run ⇒ perft tasks run DIR --share 1/8";
        let with_fens =
            |text: &str| text.replace('@', "8/8/8/8/8/4k3/8/4K3 w - - 0 1").replace('§', "8/8/8/8/8/4k3/8/4K3 w - -");
        let shell = if cfg!(unix) { "/bin/sh ⇒ perft engine -- /bin/sh" } else { "" };
        for row in table.lines().chain([shell]).map(str::trim).filter(|row| !row.is_empty()) {
            let (line, expected) = row.split_once(" ⇒").expect("a line and the next step");
            let words: Vec<String> = line.split(' ').map(with_fens).collect();
            let program = command();
            let error =
                program.clone().try_get_matches_from(["perft"].into_iter().chain(words.iter().map(|word| &**word)));
            let found = next_step(&program, &words, &error.expect_err(line)).unwrap_or_default();
            assert_eq!(found, with_fens(expected.trim()), "perft {line}");
        }
    }

    #[test]
    fn the_nearest_name_is_suggested_if_one_is_near() {
        // `tests/cmd/command_line.trycmd` has more cases.
        for (message, suggested) in [
            ("found pieces=tabel, expected one of table, rotate", Some("table")),
            ("--scheme: found 'x', expected one of none, cpw781", None),
            ("--scheme: found '', expected one of none, cpw781", None),
            ("found 3, expected 4", None),
        ] {
            let expected = suggested.map_or(message.into(), |name| format!("{message}; did you mean '{name}'?"));
            assert_eq!(with_nearest(message), expected);
        }
    }
}
