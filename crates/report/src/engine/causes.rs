//! Causes of the failures of a run: rows that fail for one cause stand together, so that a reader sees how many faults
//! there are and not how many rows.

use super::run::EngineRun;
use perft_gate_chess::Square;
use perft_gate_engine::{CountFault, EngineVerdict, ExplainedMove, RowOutcome, WrongPosition};
use std::fmt::Write;

/// Maximum number of kinds that are listed.
const MAX_KINDS: usize = 12;

/// A cause, with the moves and squares of one row.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Cause {
    /// The rule, the terms or the manner, in words.
    text: String,
    /// The move that shows it, if it is one.
    mv: Option<String>,
    /// The position that shows it.
    fen: String,
}

impl Cause {
    /// Returns the cause without the squares of this row, by which it is compared with others.
    fn kind(&self) -> String {
        let is_squares =
            |word: &str| {
                let word = word.trim_matches(|letter: char| !letter.is_ascii_alphanumeric());
                word.len() >= 2
                    && word.is_ascii()
                    && word.as_bytes().chunks(2).take(2).all(|two| {
                        two.len() == 2 && std::str::from_utf8(two).is_ok_and(|two| Square::parse(two).is_some())
                    })
            };
        let words: Vec<&str> = self.text.split(' ').map(|word| if is_squares(word) { "…" } else { word }).collect();
        words.join(" ")
    }
}

/// Returns the cause of a row's failure; none if it did not fail.
fn cause(verdict: &EngineVerdict) -> Option<Cause> {
    let at_row = |text: String| Cause { text, mv: None, fen: verdict.row.fen.clone() };
    if let Some(wrong) = &verdict.wrong_position {
        return Some(of_move(wrong));
    }
    if let Some(found) = verdict.keys.as_ref().and_then(|keys| keys.findings.first()) {
        let text = format!("{}: {}", found.fault.name(), found.cause);
        return Some(Cause { text, mv: found.position.moves.last().cloned(), fen: found.position.fen.clone() });
    }
    match &verdict.outcome {
        outcome if outcome.is_wrong() || outcome.is_failure() => Some(at_row(match &verdict.failure {
            Some(failure) => failure.message.clone(),
            None if *outcome == RowOutcome::WrongList => "a count of the list is wrong".into(),
            None => outcome.name().into(),
        })),
        _ => None,
    }
}

fn of_move(wrong: &WrongPosition) -> Cause {
    let of = |what: &str, mv: &ExplainedMove| Cause {
        text: format!("{what}: {}", mv.rule),
        mv: Some(mv.text.clone()),
        fen: wrong.fen.clone(),
    };
    let text = |text: &str| Cause {
        text: text.into(),
        mv: wrong.path.last().map(|mv| mv.uci().to_string()),
        fen: wrong.fen.clone(),
    };
    match &wrong.fault {
        CountFault::Made { mv, before } => Cause { fen: before.clone(), ..of("made wrongly", mv) },
        CountFault::Unmade => {
            text("the walk does not restore the position: check unmake, and the key of its perft table")
        }
        CountFault::Walk => text("the walk is wrong: check make and unmake"),
        CountFault::OnlyInWalk(cause) => text(cause.text()),
        CountFault::SumOverPlies => text("the count is the sum over all plies"),
        CountFault::Moves | CountFault::Number => match (wrong.extra.first(), wrong.missing.first()) {
            (Some(extra), _) => of(extra.fault(), extra),
            (None, Some(missing)) => of("missing", missing),
            (None, None) if !wrong.unread.is_empty() => text("a line in the place of a move is not understood"),
            (None, None) => text("the number of moves is wrong"),
        },
    }
}

/// Returns why a row failed, in one line: its outcome, the move and the rule.
pub fn headline(verdict: &EngineVerdict) -> String {
    let name = verdict.outcome.name();
    match cause(verdict) {
        Some(Cause { text, mv: Some(mv), .. }) => format!("{name}: {mv}: {text}"),
        Some(Cause { text, mv: None, .. }) if text != name => format!("{name}: {text}"),
        _ => name.into(),
    }
}

/// Returns the number of kinds of faults, and of each its rows and the simplest position that shows it; none if nothing
/// failed.
pub fn text(run: &EngineRun<'_>) -> Option<String> {
    let failed = run.summary.verdicts.iter().filter(|verdict| verdict.has_failed());
    let mut kinds: Vec<(String, Vec<Cause>)> = Vec::new();
    for cause in failed.filter_map(cause) {
        let kind = cause.kind();
        match kinds.iter_mut().find(|(known, _)| *known == kind) {
            Some((_, rows)) => rows.push(cause),
            None => kinds.push((kind, vec![cause])),
        }
    }
    kinds.sort_by_key(|(_, rows)| std::cmp::Reverse(rows.len()));
    let lines = kinds.iter().take(MAX_KINDS).map(|(kind, rows)| {
        let pieces =
            |cause: &&Cause| cause.fen.split(' ').next().unwrap_or("").bytes().filter(u8::is_ascii_alphabetic).count();
        let simplest = rows.iter().min_by_key(pieces).expect("a row");
        let mut line =
            format!("{kind} ({})", if rows.len() == 1 { "1 row".into() } else { format!("{} rows", rows.len()) });
        let _ = write!(line, "; simplest: {}", simplest.fen);
        if let Some(mv) = &simplest.mv {
            let _ = write!(line, ", move {mv}");
        }
        line
    });
    let lines: Vec<String> = lines.collect();
    match &lines[..] {
        [] => None,
        [one] => Some(format!("1 kind of fault: {one}")),
        several => Some(format!("{} kinds of fault:\n  {}", kinds.len(), several.join("\n  "))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn causes_differ_by_their_words_and_not_by_their_squares() {
        let kind = |text: &str| Cause { text: text.into(), mv: None, fen: String::new() }.kind();
        let castling = "illegal: castling on the king's side through f1, which is attacked";
        assert_eq!(kind(castling), "illegal: castling on the king's side through … which is attacked");
        assert_eq!(
            kind("black pawn on d5 left in after e5d6 (e.p. capture)"),
            "black pawn on … left in after … (e.p. capture)"
        );
        assert_eq!(kind("a knight pinned along the file"), "a knight pinned along the file");
    }
}
