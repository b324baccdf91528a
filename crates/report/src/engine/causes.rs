//! Causes of the failures of a run. Rows with the same cause form a group, so that a reader sees how many faults there
//! are instead of how many rows failed.

use super::run::EngineRun;
use perft_gate_chess::{Square, quantity};
use perft_gate_engine::{CountFault, EngineVerdict, ExplainedMove, RowOutcome, WrongPosition, WronglyMade};

const MAX_KINDS: usize = 12;

/// Classes of moves, each recognised by a word in a move's description. The first match is used.
const CLASSES: [(&str, &str); 5] = [
    ("promotion", "a promotion"),
    ("castling", "castling"),
    ("e.p. capture", "an e.p. capture"),
    ("capture", "a capture"),
    ("double push", "a double push"),
];

/// Words for the side of a castling move.
const WINGS: [&str; 2] = [" on the king's side", " on the queen's side"];

/// Places in an engine's code to look at first, chosen by a word in the cause of a failure. The first match is used.
const PLACES: [(&str, &str); 16] = [
    ("another position", "what `d` prints, and make"),
    ("wrong make: castling rights", "where make clears rights: king moves, rook moves, captures of a rook"),
    ("wrong make: castling", "make of castling: the squares where king and rook land"),
    ("wrong make: an e.p. capture", "make of e.p. captures: the captured pawn is not on the target square"),
    ("wrong make: a promotion", "make of promotions: the new piece, and the castling right of a captured rook"),
    ("wrong make: a double push", "make of double pushes: the e.p. square"),
    ("wrong make", "make, for this kind of move"),
    ("restore", "unmake: every field that make changes"),
    ("bulk counting", "the count of the last ply, which makes no moves"),
    ("the key", "the key update in make, for this kind of move"),
    ("castling", "the conditions of castling: rights, empty squares, attacked squares"),
    ("e.p. capture", "generation of e.p. captures, and lines that open when both pawns leave the rank"),
    ("pin", "pins: the squares that a pinned piece may reach"),
    ("check", "the legality test: checks, double checks, squares behind the king"),
    ("promotion", "generation of promotions: four pieces, by push and by capture"),
    ("walk", "make and unmake: every field that both change"),
];

/// Rules that an engine breaks if it ignores the safety of its own king.
const UNSAFE: [&str; 5] =
    ["into check", "line of the check", "leaves its pin", "double check", "check is not answered"];
/// If an engine breaks at least this many of the [`UNSAFE`] rules in a run, they are reported as one cause.
const MIN_UNSAFE: usize = 3;

/// The cause of a row's failure, with the moves and squares of this row.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Cause {
    /// The cause in words: the rule that is broken, the terms that are wrong, or what is wrong with the walk.
    text: String,
    /// The move that shows the fault, if any.
    mv: Option<String>,
    /// The position that shows the fault.
    fen: String,
}

impl Cause {
    /// Returns the text of the cause with its squares replaced by `…`, so that the causes of rows can be compared.
    fn kind(&self) -> String {
        let is_square = |text: Option<&str>| text.and_then(Square::parse).is_some();
        let is_squares = |word: &str| {
            let word = word.trim_matches(|letter: char| !letter.is_ascii_alphanumeric());
            is_square(word.get(..2)) && (word.len() == 2 || is_square(word.get(2..4)))
        };
        let words = self.text.split(' ').map(|word| match is_squares(word) {
            true if word.ends_with(',') => "…,",
            true => "…",
            false => word,
        });
        words.collect::<Vec<_>>().join(" ")
    }

    /// Returns the kind without the pieces, colours and move details that may differ between rows with the same cause.
    fn family(&self) -> String {
        let class =
            |text: &str| CLASSES.iter().find(|(word, _)| text.contains(word)).map_or("a move", |(_, class)| class);
        if self.text.ends_with("leaves its pin") {
            return "illegal: a pinned piece leaves its pin".into();
        }
        let (name, cause) = self.text.split_once(": ").unwrap_or(("", &self.text));
        if let Some((mv, _)) = cause.split_once(": difference ") {
            return format!("{name}: not explained by numbers that FENs show, after {}", class(mv));
        }
        if name == "wrong make" {
            let edits = cause.rsplit_once(" after ").map_or("", |(edits, _)| edits);
            let is_of_rights = !edits.is_empty() && edits.split(", ").all(|edit| edit.contains("castling right"));
            let what = if is_of_rights { "castling rights" } else { class(cause) };
            return format!("{name}: {what}");
        }
        let Some((edits, mv)) = cause.rsplit_once(" after ") else {
            return WINGS.iter().fold(self.kind(), |kind, wing| kind.replace(wing, ""));
        };
        let places: Vec<(&str, &str)> = edits.split(", ").filter_map(|edit| edit.split_once(" on ")).collect();
        let square = |edit: &(&str, &str)| edit.1.split(' ').next().map(String::from);
        let at_one_square = places.len() == 2 && square(&places[0]) == square(&places[1]);
        let meaning = match edits.split_once(" (").map(|(_, meaning)| meaning.trim_end_matches(')')) {
            // If the key has two wrong entries for the same square and one of them was left in the key, the engine
            // hashed out the wrong piece, perhaps the one that moved.
            _ if at_one_square && edits.contains("left in") && mv.contains("capture") => {
                "the captured piece is hashed out as another"
            }
            Some(meaning) => meaning,
            None => {
                let general = |word: &str| match word.trim_end_matches(',') {
                    "white" | "black" => None,
                    "pawn" | "knight" | "bishop" | "rook" | "queen" | "king" => Some("piece".to_string()),
                    _ => Some(word.into()),
                };
                let kind = self.kind();
                let words = kind.rsplit_once(" after ").map_or("", |(edits, _)| edits).split(' ').filter_map(general);
                return format!("{} after {}", words.collect::<Vec<_>>().join(" "), class(mv));
            }
        };
        format!("{name}: {meaning}, after {}", class(mv))
    }
}

/// Returns the cause of a row's failure, or `None` if the row did not fail.
fn cause(verdict: &EngineVerdict) -> Option<Cause> {
    if let Some(wrong) = &verdict.wrong_position {
        return Some(of_move(wrong));
    }
    if let Some(found) = verdict.keys.as_ref().and_then(|keys| keys.findings.first()) {
        // A wrong clock or e.p. square in a FEN changes few counts. Other differences mean that make is wrong.
        let is_made = ["extra ", "missing "].iter().any(|word| found.cause.starts_with(word));
        let name = if found.fault.is_of_fen() && is_made { "wrong make" } else { found.fault.name() };
        let text = format!("{name}: {}", found.cause);
        return Some(Cause { text, mv: found.position.moves.last().cloned(), fen: found.position.fen.clone() });
    }
    verdict.outcome.has_failed().then(|| {
        let text = match &verdict.failure {
            Some(failure) => failure.message.clone(),
            None if verdict.outcome == RowOutcome::WrongList => "a count of the list is wrong".into(),
            None => verdict.outcome.name().into(),
        };
        Cause { text, mv: None, fen: verdict.row.fen.clone() }
    })
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
        CountFault::Made { made: WronglyMade { mv, fen, difference } } => {
            let edits = difference.as_ref().map_or(String::new(), |difference| format!("{difference} after "));
            let text = format!("wrong make: {edits}{mv}");
            Cause { text, mv: Some(mv.text.clone()), fen: fen.clone() }
        }
        CountFault::Unmade => {
            text("the walk does not restore the position; check unmake, and the key of its perft table")
        }
        CountFault::Walk => text("the walk is wrong: check make and unmake"),
        CountFault::OnlyInWalk(cause) => text(cause.text),
        CountFault::SumOverPlies => text("the count is the sum over all plies"),
        CountFault::Moves | CountFault::Number => match (wrong.extra.first(), wrong.missing.first()) {
            (Some(extra), _) => of(extra.fault(), extra),
            (None, Some(missing)) => of("missing", missing),
            (None, None) if !wrong.unread.is_empty() => text("a line that should be a move is not understood"),
            (None, None) => text("the number of moves is wrong"),
        },
    }
}

/// Returns the kind of a row's failure, and where to look in the engine's code, or `None` if the row did not fail.
pub fn kind(verdict: &EngineVerdict) -> Option<(String, Option<&'static str>)> {
    let family = cause(verdict)?.family();
    let place = PLACES.iter().find(|(word, _)| family.contains(word)).map(|(_, place)| *place);
    Some((family, place))
}

/// Returns one line that says why a row failed: its outcome, the move and the cause.
pub fn headline(verdict: &EngineVerdict) -> String {
    let name = verdict.outcome.name();
    match cause(verdict) {
        Some(Cause { text, mv: Some(mv), .. }) => format!("{name}: {mv}: {text}"),
        Some(Cause { text, mv: None, .. }) if text != name => format!("{name}: {text}"),
        _ => name.into(),
    }
}

/// Describes the kinds of faults: how many there are and, for each kind, its number of rows and its simplest position.
/// Returns `None` if nothing failed.
pub fn text(run: &EngineRun<'_>) -> Option<String> {
    let failed = run.summary.verdicts.iter().filter(|verdict| verdict.has_failed());
    let mut kinds: Vec<(String, Vec<Cause>)> = Vec::new();
    for cause in failed.filter_map(cause) {
        let family = cause.family();
        match kinds.iter_mut().find(|(known, _)| *known == family) {
            Some((_, rows)) => rows.push(cause),
            None => kinds.push((family, vec![cause])),
        }
    }
    // Captures include promotions by capture with the same fault, and moves into check include retreats along a line.
    let (promotion, retreat) = ("a promotion", "retreats along the line of the check");
    kinds.sort_by_key(|(family, _)| [promotion, retreat].iter().any(|end| family.ends_with(end)));
    for (family, rows) in std::mem::take(&mut kinds) {
        let is_capture = rows.iter().all(|cause| cause.text.contains("by capture"));
        let capture = family.strip_suffix(promotion).filter(|_| is_capture).map(|edits| format!("{edits}a capture"));
        let broader = capture.or(family.strip_suffix(retreat).map(|king| format!("{king}moves into check")));
        match kinds.iter_mut().find(|(known, _)| broader.as_ref() == Some(known)) {
            Some((_, others)) => others.extend(rows),
            None => kinds.push((family, rows)),
        }
    }
    let (unsafe_kinds, mut kinds): (Vec<_>, Vec<_>) =
        kinds.into_iter().partition(|(kind, _)| UNSAFE.iter().any(|rule| kind.ends_with(rule)));
    if unsafe_kinds.len() >= MIN_UNSAFE {
        let rows = unsafe_kinds.into_iter().flat_map(|(_, rows)| rows).collect();
        kinds.push(("illegal: moves that leave the king in check".into(), rows));
    } else {
        kinds.extend(unsafe_kinds);
    }
    // A family of causes gets the more exact name of a kind if all of its rows are of this kind.
    for (name, rows) in &mut kinds {
        let kind = rows[0].kind();
        if rows.iter().all(|cause| cause.kind() == kind) {
            *name = kind;
        }
    }
    kinds.sort_by_key(|(_, rows)| std::cmp::Reverse(rows.len()));
    let lines = kinds.iter().take(MAX_KINDS).map(|(kind, rows)| {
        let pieces =
            |cause: &&Cause| cause.fen.split(' ').next().unwrap_or("").bytes().filter(u8::is_ascii_alphabetic).count();
        let simplest = rows.iter().min_by_key(pieces).expect("a row");
        let mv = simplest.mv.as_ref().map_or(String::new(), |mv| format!(", move {mv}"));
        format!("{}: {kind}; simplest: {}{mv}", quantity(rows.len() as u64, "row"), simplest.fen)
    });
    let lines: Vec<String> = lines.collect();
    match &lines[..] {
        [] => None,
        [one] => Some(format!("1 kind of fault, in {one}")),
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
        assert_eq!(kind(castling), "illegal: castling on the king's side through …, which is attacked");
        assert_eq!(
            kind("black pawn on d5 left in after e5d6 (e.p. capture)"),
            "black pawn on … left in after … (e.p. capture)"
        );
        assert_eq!(kind("a knight pinned along the file"), "a knight pinned along the file");
    }

    #[test]
    fn rows_of_one_cause_are_one_family() {
        let family = |text: &str| Cause { text: text.into(), mv: None, fen: String::new() }.family();
        let key = |edits: &str, rule: &str| family(&format!("the key after moves: {edits} after e4d5 ({rule})"));
        let captured = "the key after moves: the captured piece is hashed out as another, after a capture";
        for (edits, rule) in [
            ("white pawn on d5 added, black pawn on d5 left in (another piece)", "capture by a king"),
            ("black rook on d5 left in, white rook on d5 missing", "capture by a rook of a rook that may castle"),
        ] {
            assert_eq!(key(edits, rule), captured, "{edits}");
        }
        assert_eq!(
            key("black rook on h8 left in, black pawn on h8 added (another piece)", "promotion to a queen by capture"),
            captured.replace("a capture", "a promotion")
        );
        let promoted = key("white queen on a8 missing, white pawn on a7 left in", "promotion to a queen");
        assert_eq!(promoted, "the key after moves: piece on … missing, piece on … left in after a promotion");
        assert_eq!(
            promoted,
            key("black knight on b1 missing, black pawn on b2 left in", "promotion to a knight that answers a check")
        );
        assert_ne!(promoted, key("white queen on a8 missing", "promotion to a queen"));
        assert_eq!(
            family("wrong make: a7b8r (promotion to a rook by capture)"),
            family("wrong make: extra white pawn on a7 after a7a8n (promotion to a knight)")
        );
        for (mv, missing) in
            [("h1h2 (rook move)", ""), ("b7a8q (promotion to a queen by capture)", ", missing castling right k")]
        {
            let rights = family(&format!("wrong make: extra castling right K{missing} after {mv}"));
            assert_eq!(rights, "wrong make: castling rights", "{mv}");
        }
        let both = ["king's", "queen's"].map(|wing| family(&format!("missing: castling on the {wing} side")));
        assert_eq!(both, ["missing: castling", "missing: castling"]);
        let not_explained = "the key after moves: not explained by numbers that FENs show";
        for (mv, class) in [("e1d1 (king move)", "a move"), ("d5d4 (capture by a king)", "a capture")] {
            let unexplained = family(&format!("the key after moves: {mv}: difference 0123456789ABCDEF, not explained"));
            assert_eq!(unexplained, format!("{not_explained}, after {class}"));
        }
        assert_eq!(family("castling right Q left in after e1d1 (king move)"), "castling right Q left in after a move");
    }
}
