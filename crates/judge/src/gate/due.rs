//! Numbers of comparisons due, compared with those made.
//!
//! Every check counts its comparisons where it makes them. The walk's node counts and `Occasions` determine the number
//! due. Any difference fails the row, so a check that silently stops does not pass.

use perft_gate_walk::{Check, RowReport, Settings};

/// A check that made more or fewer comparisons than were due.
#[perft_gate_chess::document(Clone, PartialEq, Eq, Debug)]
pub struct Missed {
    /// Name of the check, as in the report.
    pub check: String,
    /// Number of comparisons due.
    #[cfg_attr(feature = "serde", serde(with = "perft_gate_chess::json::Decimal"))]
    pub due: u128,
    /// Number of comparisons made.
    #[cfg_attr(feature = "serde", serde(with = "perft_gate_chess::json::Decimal"))]
    pub made: u128,
}

impl Missed {
    /// Returns the difference, if any. Too many comparisons are as wrong as too few.
    pub(super) fn find(check: &str, due: u128, made: u128) -> Option<Missed> {
        (due != made).then(|| Missed { check: check.into(), due, made })
    }
}

/// Returns the checks of a walk that made more or fewer comparisons than were due.
///
/// Keys are due at every node, unmakes at every node except the roots, boards and null moves at every interior node
/// (null moves only if the side to move is not in check), round trips at every sampled node. The interior nodes of a
/// tree are those above the last ply; those of random `games` are all but the last of each game.
pub(super) fn find_missed(report: &RowReport, games: Option<u64>, settings: Settings<'_>) -> Vec<Missed> {
    let (walks, schemes) = (u128::from(report.walks), u128::from(report.schemes));
    let keyed = settings.scheme.number_of_keys() > 0 || settings.scheme.is_all();
    let keys = |due: u128| if keyed { due * schemes } else { 0 };
    let last = report.nodes.last().copied().unwrap_or(0);
    let (total, before_last) = (report.total(), report.total() - last);
    let (roots, opened) = match games.map(u128::from) {
        None => (1, before_last),
        Some(games) => (games, total - games),
    };
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
