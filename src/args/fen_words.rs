//! FENs without quotes: the words after `--fen` that belong to it become one argument, before the command line is parsed.
//!
//! The fields decide, not their number: `--fen 8/…/8 w - - 0 1 7` leaves the 7, and both clocks may be absent.

use std::ffi::OsString;

/// Returns the arguments, with the words of each FEN after `--fen` as one.
pub fn join_fen_words(arguments: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    let mut arguments = arguments.into_iter().peekable();
    let mut out = Vec::new();
    while let Some(argument) = arguments.next() {
        let (is_end, is_fen) = (argument == "--", argument == "--fen");
        out.push(argument);
        if is_end {
            // The command line of an engine.
            out.extend(&mut arguments);
            break;
        }
        if is_fen && arguments.peek().and_then(|word| word.to_str()).is_some_and(is_board) {
            let mut words: Vec<OsString> = (&mut arguments).take(1).collect();
            while words.len() < 4
                && let Some(word) = arguments.next_if(|word| !is_option(word))
            {
                words.push(word);
            }
            if let Some(halfmove) = arguments.next_if(|word| words.len() == 4 && is_number(word)) {
                match arguments.next_if(is_number) {
                    Some(fullmove) => words.extend([halfmove, fullmove]),
                    None => {
                        out.push(words.join(" ".as_ref()));
                        out.push(halfmove);
                        continue;
                    }
                }
            }
            out.push(words.join(" ".as_ref()));
        }
    }
    out
}

/// Returns true if a word looks like the first field of a FEN, with nothing after it.
fn is_board(word: &str) -> bool {
    word.matches('/').count() == 7 && !word.contains(char::is_whitespace)
}

fn is_number(word: &OsString) -> bool {
    word.to_str().is_some_and(|word| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Returns true for the name of an option; `-` alone is a field of a FEN.
fn is_option(word: &OsString) -> bool {
    word.to_str().is_some_and(|word| word.len() > 1 && word.starts_with('-'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_fields_of_a_fen_become_one_argument() {
        let kings = "4k3/8/8/8/8/8/8/4K3";
        for (line, expected) in [
            ("count --fen K w - - 0 1 -d 5", "count|--fen|K w - - 0 1|-d|5"),
            ("count --fen K w - - 0 1 5", "count|--fen|K w - - 0 1|5"),
            ("count --fen K b - e3 --depth 5", "count|--fen|K b - e3|--depth|5"),
            ("count --fen K b - - 5", "count|--fen|K b - -|5"),
            ("count --fen K w KQkq - 0 1 --moves e1e2", "count|--fen|K w KQkq - 0 1|--moves|e1e2"),
            ("count --fen K x y -d 5", "count|--fen|K x y|-d|5"),
            ("count --fen startpos 5", "count|--fen|startpos|5"),
            ("count --fen - 5", "count|--fen|-|5"),
            ("count --fen", "count|--fen"),
            ("engine -- ./engine --fen K w - -", "engine|--|./engine|--fen|K|w|-|-"),
        ] {
            let words = line.split(' ').map(|word| word.replace('K', if word == "K" { kings } else { "K" }).into());
            let found: Vec<String> =
                join_fen_words(words).iter().map(|word| word.to_string_lossy().into_owned()).collect();
            assert_eq!(found.join("|").replace(kings, "K"), expected, "{line}");
        }
        let quoted = ["--fen", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", "7"].map(OsString::from);
        assert_eq!(join_fen_words(quoted.clone()), quoted);
    }
}
