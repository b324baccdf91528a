//! Snapshots of whole screens, in `tests/snapshots`.

use super::{Run, root};
use regex_lite::Regex;

/// Text that differs from run to run and from machine to machine, and the text that stands for it.
const FILTERS: [(&str, &str); 4] = [
    // The last columns of the rows of the gate and of an engine: seconds, and million or thousand nodes a second.
    (r"(?m) +\d+\.\d\d +(?:\d+(?:\.\d)?|-)  (ok|WRONG|[a-z-]+)$", " [seconds] [rate]  $1"),
    (r"\d+(?:\.\d+)? %\)", "[share])"),
    (r"level (?:v\d|neon)", "level [level]"),
    (r"\b\d+(?:\.\d+)? m?s\b", "[time]"),
];

/// Compares all that a run printed with the snapshot of this name, which says what was run; times and rates are left out.
#[track_caller]
pub fn check_screen(name: &str, what: &str, run: &Run) {
    let text = FILTERS.iter().fold(run.printed(), |text, (pattern, replacement)| {
        Regex::new(pattern).expect("a pattern").replace_all(&text, *replacement).into_owned()
    });
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path(root("tests/snapshots"));
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.set_description(what);
    settings.bind(|| insta::assert_snapshot!(name, text));
}
