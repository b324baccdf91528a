//! Runs the pages of `tests/cmd`: commands with their output and exit code. `[..]` matches text that differs between
//! runs or machines, `...` any lines. `TRYCMD=overwrite cargo test --release --test main cli::pages` updates the pages.

use crate::common::{BINARY, Run, command, path_with_binary, root};
use std::env::{consts::EXE_SUFFIX, split_paths};
use std::path::Path;
use trycmd::TestCases;

#[test]
fn every_command_prints_what_its_page_shows() {
    let (pages, path) = (TestCases::new(), path_with_binary());
    pages.register_bin("perft", Path::new(BINARY));
    // trycmd skips a command if it does not know the program.
    let shell = split_paths(&path).map(|folder| folder.join(format!("sh{EXE_SUFFIX}"))).find(|file| file.is_file());
    assert!(shell.is_some() || !cfg!(unix), "no shell");
    if let Some(shell) = &shell {
        pages.register_bin("sh", shell.as_path());
    }
    pages.env("PERFT_PROGRESS", "off").env("LC_ALL", "C").env("PATH", path).case("tests/cmd/*.trycmd");
    // The programs on these pages are shell scripts, which need Unix.
    if !cfg!(unix) {
        pages.skip("tests/cmd/engine.trycmd").skip("tests/cmd/against.trycmd");
    }
}

/// The pages show both streams as one. This test captures them separately.
#[test]
fn errors_are_one_line_on_standard_error() {
    let mut number = 0;
    for page in std::fs::read_dir(root("tests/cmd")).unwrap().map(|entry| entry.unwrap().path()) {
        // In a page with a results folder, commands depend on earlier commands, so skip the page.
        if page.extension().is_none_or(|end| end != "trycmd") || page.with_extension("out").exists() {
            continue;
        }
        let folder = Some(page.with_extension("in")).filter(|folder| folder.is_dir()).unwrap_or(root(""));
        let text = std::fs::read_to_string(&page).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        for at in 0..lines.len().saturating_sub(3) {
            let [line, "? 2", error, ""] = lines[at..at + 4] else { continue };
            let (Some(words), true) = (line.strip_prefix("$ perft "), error.starts_with("error: ")) else { continue };
            let words = shlex::split(words).expect("words of a shell");
            Run::finish(command().args(words).current_dir(&folder)).expect_error(2, "error: ");
            number += 1;
        }
    }
    assert!(number > 50, "{number} errors");
}
