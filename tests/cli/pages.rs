//! The pages of `tests/cmd`: commands, and all that they print. `[..]` stands for what differs from run to run or from machine to
//! machine, `...` for lines left out. After a change read what `TRYCMD=overwrite cargo test --release --test main cli::pages`
//! makes of them.

use crate::common::{BINARY, path_with_binary};
use std::path::Path;
use trycmd::TestCases;

#[test]
fn every_command_prints_what_its_page_shows() {
    let pages = TestCases::new();
    pages.register_bin("perft", Path::new(BINARY));
    pages.env("PERFT_PROGRESS", "off").env("LC_ALL", "C").env("PATH", path_with_binary()).case("tests/cmd/*.md");
    // Commands of a shell are left out elsewhere.
    if cfg!(unix) {
        pages.register_bin("sh", Path::new("/bin/sh"));
    } else {
        pages.skip("tests/cmd/engine.md");
    }
}
