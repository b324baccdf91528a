//! Snapshots of whole screens, in `tests/snapshots`: `[..]` stands for what differs from run to run. After a change read what
//! `SNAPSHOTS=overwrite cargo test --release` makes of them.

use super::{Run, root};
use snapbox::{Assert, Data};

/// Compares all that a run printed with the snapshot of this name, which says what was run.
#[track_caller]
pub fn check_screen(name: &str, what: &str, run: &Run) {
    let snapshot = Data::read_from(&root(&format!("tests/snapshots/{name}.txt")), None);
    Assert::new().action_env("SNAPSHOTS").eq(format!("$ {what}\n{}", run.printed()), snapshot);
}
