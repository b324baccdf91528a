//! Runs the pages of `tests/cmd`: commands with their output and exit code. `[..]` matches text that differs between runs or
//! machines, `...` matches any lines. `TRYCMD=overwrite cargo test --release --test main cli::pages` rewrites what changed.

use crate::common::{BINARY, path_with_binary};
use std::path::Path;
use trycmd::TestCases;

#[test]
fn every_command_prints_what_its_page_shows() {
    let pages = TestCases::new();
    pages.register_bin("perft", Path::new(BINARY));
    pages.env("PERFT_PROGRESS", "off").env("LC_ALL", "C").env("PATH", path_with_binary()).case("tests/cmd/*.trycmd");
    // trycmd skips a command whose program it does not know.
    if cfg!(unix) {
        pages.register_bin("sh", Path::new("/bin/sh"));
    } else {
        pages.skip("tests/cmd/engine.trycmd");
    }
}
