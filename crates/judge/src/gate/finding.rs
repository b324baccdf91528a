//! Failed checks with explanations, and checks that were not made.
//!
//! Every check counts its comparisons where it makes them. The number of comparisons due is computed from the walk's
//! node counts and `Occasions`. If the two numbers differ, the row fails, so no check can silently stop.

use super::diagnosis::{Diagnosis, diagnose};
use perft_gate_chess::{Board, Fen, Move};
use perft_gate_suite::Row;
use perft_gate_walk::{Check, Control, Mismatch, RowReport, Settings, board_after, board_after_null_move, verify};
use perft_gate_zobrist::{KeyTable, KeyTables, PRESETS, Secondary, WrongKey};

/// A failed check with its explanation.
#[perft_gate_chess::document(sparse, Clone, Debug)]
pub struct CheckFinding {
    /// The check, path and values.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub mismatch: Mismatch<Move>,
    /// Position before the last move of the path, as FEN.
    #[cfg_attr(feature = "serde", serde(rename = "fen_before"))]
    pub before: String,
    /// Name of the scheme that was checked.
    pub scheme: String,
    /// Name of the secondary key that is wrong; `None` for the position's key.
    #[cfg_attr(feature = "serde", serde(rename = "secondary_key"))]
    pub which: Option<&'static str>,
    /// Wrong terms, if a key is wrong.
    pub diagnosis: Option<Diagnosis>,
}

/// Explains failed checks. In a run with all schemes at once, repeats the walk with each scheme separately. If none of
/// these walks fails, the mismatches stay as reported.
pub(super) fn explain_mismatches(
    mismatches: &[Mismatch<Move>],
    row: &Row,
    depth: u32,
    settings: Settings<'_>,
    control: &Control,
) -> Vec<CheckFinding> {
    let by = |settings: Settings<'_>, mismatches: &[Mismatch<Move>]| -> Vec<CheckFinding> {
        mismatches.iter().map(|mismatch| explain_mismatch(mismatch, row.board(), settings)).collect()
    };
    if !settings.scheme.is_all() || mismatches.is_empty() {
        return by(settings, mismatches);
    }
    let alone = PRESETS.iter().filter(|scheme| scheme.number_of_keys() > 0).flat_map(|scheme| {
        let settings = Settings { scheme, ..settings };
        by(settings, &verify(row.board(), depth, settings, control).mismatches)
    });
    let findings: Vec<CheckFinding> = alone.collect();
    if findings.is_empty() { by(settings, mismatches) } else { findings }
}

/// Adds the position before the move to a mismatch and, if a key is wrong, the terms that are wrong.
pub fn explain_mismatch(mismatch: &Mismatch<Move>, root: &Board, settings: Settings<'_>) -> CheckFinding {
    let (last, before) = match mismatch.path.split_last() {
        // A null move is not part of the path, which ends at the position before it.
        Some((&last, above)) if mismatch.check != Check::NullMove => (Some(last), above),
        _ => (None, &mismatch.path[..]),
    };
    let before = before.iter().fold(*root, |board, &mv| board_after(&board, mv));
    let after = last.map_or_else(|| board_after_null_move(&before).unwrap_or(before), |mv| board_after(&before, mv));
    let wrong = mismatch.wrong_key.zip(settings.scheme.key_tables(settings.seed));
    let explained = wrong.map(|(wrong, key_tables)| {
        let (which, key_table, difference) = wrong_part(&wrong, key_tables, settings);
        (which, Some(diagnose(&key_table, &before, &after, difference)))
    });
    let (which, diagnosis) = explained.unwrap_or_default();
    let before = Fen::write(&before, settings.scheme.policy());
    CheckFinding { mismatch: mismatch.clone(), scheme: settings.scheme.name.to_string(), before, which, diagnosis }
}

/// Returns the name of the wrong secondary key (`None` for the position's key), the key table of the wrong part of that
/// key, and the difference.
fn wrong_part(
    wrong: &WrongKey,
    key_tables: KeyTables,
    settings: Settings<'_>,
) -> (Option<&'static str>, KeyTable, u64) {
    let (keys, own) = ([wrong.found, wrong.expected], key_tables.parts.len());
    let (which, table, [found, expected]) = match wrong.part.checked_sub(own) {
        Some(secondary) => {
            let table = Secondary::tables(settings.secondary, &key_tables)[secondary].take().expect("a kept key");
            (Some(Secondary::PART_NAMES[secondary]), table, keys.map(|key| key.0 as u64))
        }
        None => {
            let parts = |part| keys.map(|key| key_tables.part_of(key, part));
            let first = (0..own).find(|&part| parts(part)[0] != parts(part)[1]).unwrap_or(0);
            (None, key_tables.parts[first].clone(), parts(first))
        }
    };
    let difference = table.combine.remove(found, expected) & table.mask;
    (which, table, difference)
}

/// A check that made more or fewer comparisons than were due.
#[perft_gate_chess::document(Clone, PartialEq, Eq, Debug)]
pub struct Missed {
    /// Name of the check, as in the report.
    pub check: String,
    /// Number of comparisons due.
    pub due: u128,
    /// Number of comparisons made.
    pub made: u128,
}

impl Missed {
    /// Returns both numbers if they differ. Too many comparisons are as wrong as too few.
    pub(super) fn find(check: &str, due: u128, made: u128) -> Option<Missed> {
        (due != made).then(|| Missed { check: check.into(), due, made })
    }
}

/// Returns the checks of a walk that made more or fewer comparisons than were due.
///
/// Key checks are due at every node, unmake checks at every node except the roots, board checks at every interior node,
/// and round trips at every sampled node. Null-move checks are due at interior nodes that are not in check. In a tree,
/// the interior nodes are those above the last ply. In random `games`, they are all nodes except the last of each game.
pub(super) fn find_missed(report: &RowReport, games: Option<u64>, settings: Settings<'_>) -> Vec<Missed> {
    let (walks, schemes) = (u128::from(report.walks), u128::from(report.schemes));
    let keyed = settings.scheme.number_of_keys() > 0 || settings.scheme.is_all();
    let keys = |due: u128| if keyed { due * schemes } else { 0 };
    let last = report.nodes.last().copied().unwrap_or(0);
    let (total, before_last) = (report.total(), report.total() - last);
    let (roots, opened) = games.map(u128::from).map_or((1, before_last), |games| (games, total - games));
    let null_moves = (before_last * walks).saturating_sub(report.occasions.no_null_move.into());
    let round_trips = if settings.sample_mask == 0 { total * walks } else { report.occasions.sampled.into() };
    let checks = &report.checks;
    let due = [
        (Check::Keys, keys(total), checks.keys),
        (Check::Unmake, (total - roots) * walks, checks.unmakes),
        (Check::Boards, opened * walks, checks.boards),
        (Check::NullMove, null_moves, checks.null_moves),
        (Check::RoundTrip, round_trips, checks.round_trips),
    ];
    let missed = due.into_iter().filter_map(|(check, due, made)| Missed::find(&check.to_string(), due, made.into()));
    missed.chain(Missed::find("V4 keys", keys(null_moves / walks), checks.null_keys.into())).collect()
}
