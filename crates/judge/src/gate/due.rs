//! How many comparisons were due, and which were not made.
//!
//! Every check counts its comparisons where it makes them. How many there must be follows from the nodes of the walk and
//! from what it met on the way; the difference fails the row, so that a check that falls silent anywhere is no pass.

use perft_gate_walk::walk::Check;
use perft_gate_walk::{Playouts, RowReport, Settings};

/// A check whose comparisons were not all made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Missed {
    /// The check, as the report names it.
    pub check: String,
    /// How many comparisons there had to be.
    pub due: u128,
    /// How many were made.
    pub made: u128,
}

impl Missed {
    /// The difference, if there is one. More comparisons than are due are as wrong as fewer.
    pub(super) fn of(check: &str, due: u128, made: u128) -> Option<Missed> {
        (due != made).then(|| Missed { check: check.into(), due, made })
    }
}

/// What was walked: it decides which nodes had to be compared.
#[derive(Clone, Copy)]
pub(super) enum Walked {
    /// A tree: all of its nodes but those of the last ply are inner ones.
    Tree,
    /// Random games: every node but the last of a game is an inner one, and that may be of any ply.
    Playouts(Playouts),
}

/// The checks of a walk whose comparisons were not all made.
///
/// Keys belong to every node, unmakes to every node but the roots, boards and null moves to every inner node (null moves
/// only where the mover is not in check), round trips to every node that was chosen.
pub(super) fn missed(report: &RowReport, walked: Walked, settings: Settings<'_>) -> Vec<Missed> {
    let (walks, schemes) = (u128::from(report.walks), u128::from(report.schemes));
    let keyed = settings.scheme.words() > 0 || settings.scheme.is_all();
    let keys = |due: u128| if keyed { due * schemes } else { 0 };
    let last = report.nodes.last().copied().unwrap_or(0);
    let (total, before_last) = (report.total(), report.total() - last);
    let (roots, opened) = match walked {
        Walked::Tree => (1, before_last),
        Walked::Playouts(Playouts { games, .. }) => (u128::from(games), total - u128::from(games)),
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
    let missed = due.into_iter().filter_map(|(check, due, made)| Missed::of(&check.to_string(), due, made.into()));
    missed.chain(Missed::of("V4 keys", keys(null_moves / walks), checks.null_keys.into())).collect()
}
