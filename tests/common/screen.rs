//! Snapshots of whole screens, in `tests/snapshots`. `[..]` matches text that differs between runs. `SNAPSHOTS=overwrite cargo test
//! --release` rewrites what changed.

use super::{Run, root};
use snapbox::{Assert, Data};

/// Compares all that a run printed with the snapshot of this name, which says what was run.
#[track_caller]
pub fn check_screen(name: &str, what: &str, run: &Run) {
    let snapshot = Data::read_from(&root(&format!("tests/snapshots/{name}.txt")), None);
    Assert::new().action_env("SNAPSHOTS").eq(format!("$ {what}\n{}", run.printed()), snapshot);
}
