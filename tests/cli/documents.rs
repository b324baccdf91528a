//! Checks the examples, links and paths in README.md and its picture, METHODOLOGY.md, CONTRIBUTING.md and `docs/`.
//!
//! - A line of a code block that begins with `$ ` is a command. A shell runs it in a temporary folder, one per
//!   document. The lines below it must be its whole output. `…` matches omitted lines. Values that differ between runs
//!   or machines (times, rates, memory, threads, the SIMD level) are not compared.
//! - The command-line parser must accept every command of this program that is shown without output, in a block or
//!   between backquotes.
//! - Links, the headings that they name, and paths of this repository must exist.

use crate::common::{Folder, Run, command_of_shell, root};
use regex_lite::{Captures, Regex};
use snapbox::{Assert, IntoData};
use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::process::Command;
use std::{env, fs};

/// Commands whose output is not compared, each with the reason. The parser still checks their arguments.
const NOT_RUN: [(&str, &str); 5] = [
    ("perft compare --scheme cpw793,rotate,computed --budget 12s", "12 s, and every number is a time"),
    ("perft bench", "four and a half minutes, and every number is a time"),
    (
        "cargo run --release --example cozy_chess -- 2",
        "the example's own test compares its report with docs/engines.md",
    ),
    ("cargo run --release --example shakmaty -- 2", "the example's own test compares its report with docs/engines.md"),
    (
        "perft engine --exec 'python3 docs/perft.py {depth} {fen} {moves}' --suite standard --depth 3",
        "needs python-chess; ci/gate/engines runs it",
    ),
];

/// The engine that some commands drive. The shown output comes from one version of it.
const STOCKFISH: &str = "/usr/games/stockfish";

/// Patterns for text that is not compared, and their replacements.
const MEASURED: [(&str, &str); 8] = [
    // The last columns of a row of `perft gate` or `perft engine`: seconds and a rate.
    (r"(?m) +\d+\.\d\d +(?:\d+(?:\.\d)?|-) +(ok|WRONG|[a-z-]+)$", " [seconds] [rate] $1"),
    // The last columns of a row of `unique`: table load, memory, seconds and a rate.
    (r"(?m) \d\.\d\d +[\d.]+ (?:B|KiB|MiB) +\d+\.\d+ +(?:[\d.]+|-)$", " [load] [memory] [seconds] [rate]"),
    (r"\b\d+(?:\.\d+)? (?:ms|s)\b", "[time]"),
    (r"\b\d+(?:\.\d+)? (million nodes/s|M/s)", "[rate] $1"),
    (r"\b\d+(?:\.\d+)? %\)", "[share])"),
    (r"\b\d+(?:\.\d+)? [KMG]iB", "[memory]"),
    (r"\blevel (?:v\d(?:-nopext)?|neon)|\b\d+ (?:threads?|process(?:es)?)\b", "[machine]"),
    (r" +", " "),
];

/// A command in a document, with the output lines shown below it.
struct Shown {
    place: String,
    command: String,
    output: String,
}

struct Document {
    name: String,
    commands: Vec<Shown>,
    /// Lines of code blocks that are neither a command after `$ ` nor its output, with their places.
    plain: Vec<(String, String)>,
    /// All other text: one line per paragraph, list or table.
    prose: String,
}

fn regex(pattern: &str) -> Regex {
    Regex::new(pattern).expect("a pattern")
}

fn names() -> Vec<String> {
    let files = fs::read_dir(root("docs")).expect("docs").map(|file| file.expect("a file").file_name());
    let names = files.map(|name| format!("docs/{}", name.to_str().expect("a name in UTF-8")));
    let mut names: Vec<String> = names.filter(|name| name.ends_with(".md")).collect();
    names.extend(["README.md", "METHODOLOGY.md", "CONTRIBUTING.md", "docs/images/gate.svg"].map(String::from));
    names.sort();
    names
}

fn text(name: &str) -> String {
    fs::read_to_string(root(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Parses a document. Code blocks are indented by four spaces. Fenced blocks contain other languages and are skipped.
fn document(name: String) -> Document {
    let (mut commands, mut plain, mut prose) = (Vec::<Shown>::new(), Vec::new(), String::new());
    let (mut is_fenced, mut is_output) = (false, false);
    // The lines of text in a picture of a terminal count as a code block.
    let line_of_picture = regex("<text[^>]*>([^<]*)</text>");
    for (number, line) in (1..).zip(text(&name).lines()) {
        let in_picture = line_of_picture.captures(line).map(|found| format!("    {}", &found[1]));
        let line = in_picture.as_deref().unwrap_or(line);
        let place = format!("{name}:{number}");
        if line.starts_with("```") {
            is_fenced = !is_fenced;
        } else if is_fenced {
        } else if let Some(command) = line.strip_prefix("    $ ") {
            commands.push(Shown { place, command: command.into(), output: String::new() });
            is_output = true;
        } else if let Some(code) = line.strip_prefix("    ") {
            match commands.last_mut().filter(|_| is_output) {
                Some(shown) => shown.output += &format!("{code}\n"),
                None => plain.push((place, code.into())),
            }
        } else if line.is_empty() {
            commands.last_mut().filter(|_| is_output).into_iter().for_each(|shown| shown.output.push('\n'));
            prose.push('\n');
        } else {
            is_output = false;
            prose += line;
            prose.push(' ');
        }
    }
    Document { name, commands, plain, prose }
}

fn documents() -> impl Iterator<Item = Document> {
    names().into_iter().map(document)
}

/// Replaces the parts of a text that are not compared with placeholders.
fn comparable(text: &str) -> String {
    let replace = |text: String, (pattern, by): (&str, &str)| regex(pattern).replace_all(&text, by).into_owned();
    MEASURED.into_iter().fold(text.trim_end().into(), replace)
}

/// Describes how the printed lines differ from the shown ones, if at all.
fn difference(shown: &str, printed: &str) -> Option<String> {
    let dots = regex(r"(?m)^ *…$").replace_all(shown, "...").into_owned();
    let compared =
        Assert::new().try_eq(Some(&"printed"), comparable(printed).into_data(), comparable(&dots).into_data());
    compared.err().map(|error| error.to_string())
}

/// Returns the command as a user would type it if `perft` were on the path.
fn typed(line: &str) -> String {
    line.replace("cargo run --release -- ", "perft ").replace("target/release/perft ", "perft ")
}

/// Runs a shell line in a folder, with the program on the path. Standard error goes to standard output.
fn shell(folder: &Path, line: &str) -> Run {
    let mut command = command_of_shell("sh");
    for (variable, _) in env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("PERFT_")) {
        command.env_remove(variable);
    }
    for variable in ["i", "SLURM_ARRAY_TASK_ID", "SLURM_PROCID", "JOB_COMPLETION_INDEX"] {
        command.env(variable, "1");
    }
    command.env("PERFT_PROGRESS", "off").env_remove("COLUMNS").current_dir(folder);
    Run::finish(command.args(["-c", &format!("exec 2>&1\n{line}")]))
}

/// Returns the reason why a command is not run here, if there is one.
fn lacks(shown: &Shown) -> Option<String> {
    if let Some((_, reason)) = NOT_RUN.iter().find(|(command, _)| *command == shown.command) {
        return Some((*reason).into());
    }
    if !shown.command.contains(STOCKFISH) {
        return None;
    }
    let Ok(found) = Command::new(STOCKFISH).arg("quit").output() else {
        return Some(format!("found no {STOCKFISH}"));
    };
    let found = String::from_utf8_lossy(&found.stdout).into_owned();
    let first = shown.output.lines().next()?;
    let version = first.strip_prefix("keys of ").unwrap_or(first).split([':', '(']).next()?.trim();
    (!found.starts_with(version)).then(|| format!("found {found:?}, and the output shown is that of {version}"))
}

#[test]
fn every_command_prints_what_is_shown() {
    // `printed` is keyed by command, so that a command that is shown twice runs only once.
    let (mut wrong, mut printed) = (Vec::new(), HashMap::new());
    for document in documents() {
        let folder = Folder::new();
        std::os::unix::fs::symlink(root("results"), folder.join("results")).expect("a link to the records");
        for shown in &document.commands {
            if let Some(reason) = lacks(shown) {
                println!("{}: not run: {}: {reason}", shown.place, shown.command);
                continue;
            }
            let run = || shell(folder.path(), &typed(&shown.command)).stdout;
            let difference = difference(&shown.output, printed.entry(shown.command.clone()).or_insert_with(run));
            wrong.extend(difference.map(|text| format!("{}: {}\n{text}", shown.place, shown.command)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
    assert!(printed.len() > 15, "{} commands were run", printed.len());
}

#[test]
fn what_is_not_run_is_shown() {
    let commands: Vec<_> = documents().flat_map(|document| document.commands).map(|shown| shown.command).collect();
    for (command, _) in NOT_RUN {
        assert!(commands.iter().any(|shown| shown == command), "no longer shown: {command}");
    }
}

/// Returns the arguments of each command of this program that is shown without output, with its place.
fn commands_alone(document: &Document) -> Vec<(String, String)> {
    // Matches `perft` followed by a subcommand or an option, but not in a file name or a sentence. The match ends at
    // another command or a comment.
    let in_block = regex(r"(?:^|[ '])perft ((?:-|[a-z])(?:[^#|;&:]|:[^:])*)");
    let in_prose = regex(r"`perft ((?:-|[a-z])[^`]*)`");
    let not_run = document.commands.iter().filter(|shown| lacks(shown).is_some());
    let lines = document.plain.iter().cloned().chain(not_run.map(|shown| (shown.place.clone(), shown.command.clone())));
    let in_blocks = lines.filter_map(|(place, line)| {
        let arguments = in_block.captures(&typed(&line))?[1].to_string();
        // If the quotes do not pair up, the last one closes a quoted word that began before `perft`.
        let is_cut = arguments.matches('\'').count() % 2 == 1;
        Some((place, if is_cut { arguments.rsplit_once('\'')?.0.into() } else { arguments }))
    });
    let in_prose = in_prose.captures_iter(&document.prose).map(|found| (document.name.clone(), found[1].to_string()));
    in_blocks.chain(in_prose).collect()
}

/// Parses the arguments with `--help` added at the end, so that nothing is run. An unknown word or a value of the wrong
/// kind before `--help` is still an error.
fn parsed(arguments: &str) -> Run {
    // Removes the `…`, which marks omitted words, and fills in GNU parallel's `{}`.
    let arguments = arguments.replace(" …", "").replace("{}", "1");
    let (options, program) = match arguments.split_once(" -- ") {
        Some((options, program)) => (options, format!(" -- {program}")),
        None => (&*arguments, String::new()),
    };
    shell(&root("."), &format!("perft {options} --help{program}"))
}

#[test]
fn every_command_is_accepted() {
    let (mut wrong, mut read) = (Vec::new(), 0);
    for document in documents() {
        for (place, arguments) in commands_alone(&document) {
            if arguments.contains("--hosts") && !cfg!(feature = "cluster") {
                println!("{place}: not read: perft {arguments}: needs the feature 'cluster'");
                continue;
            }
            let run = parsed(&arguments);
            read += 1;
            if run.code != Some(0) || !run.stdout.contains("Usage: perft") {
                wrong.push(format!("{place}: perft {arguments}: {}", run.stdout));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(read > 60, "{read} commands were read");
}

#[test]
fn a_changed_digit_and_an_unknown_word_are_seen() {
    let printed =
        "level v4, 2 threads\nkiwipete  3  97862  97862  99950     0.02      4.0  ok\n\nnodes 97862\ntime 0.020 s\n";
    for same in [
        printed.replace("0.02 ", "17.31 ").replace("4.0", "123.4").replace("v4, 2", "v3-nopext, 16"),
        "level v1, 1 thread\n…\nnodes 97862\ntime 12.1 s".into(),
        "…\nnodes 97862\n…".into(),
    ] {
        assert_eq!(difference(&same, printed), None, "{same}");
    }
    for other in [
        printed.replacen("97862", "97863", 1),
        printed.replace("ok", "WRONG"),
        printed.replace("nodes 97862\n", ""),
        "…\nnodes 97862".into(),
        "nodes 97862\n…".into(),
        String::new(),
    ] {
        assert!(difference(&other, printed).is_some(), "{other}");
    }
    for arguments in
        ["count --dpeth 3", "count --depth x", "keys mkae", "engine --siute quick -- ./myengine", "list schema"]
    {
        assert_ne!(parsed(arguments).code, Some(0), "{arguments}");
    }
}

fn anchor(heading: &str) -> String {
    let kept = heading.trim_start_matches('#').trim().to_lowercase();
    kept.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c)).map(|c| if c == ' ' { '-' } else { c }).collect()
}

/// Adds the names of the files in a folder and its subfolders.
fn add_file_names(folder: &Path, names: &mut HashSet<String>) {
    for entry in fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
        let path = entry.expect("a file").path();
        if path.is_dir() {
            add_file_names(&path, names);
        } else {
            names.extend(path.file_name().map(|name| name.to_string_lossy().into_owned()));
        }
    }
}

#[test]
fn every_link_and_path_leads_somewhere() {
    let link = regex(r"\]\(([^)#\s]*)#?([^)\s]*)\)");
    let folders =
        "crates|ci|src|tests|docs|schema|results|examples|benches|fuzz|integrations|perft-suites|\\.ci|\\.github";
    let path = regex(&format!(r"`((?:{folders})/[^`\s*<]*)"));
    // Matches the name of a source file without its folder. The file may be in any folder.
    let (file, mut files) = (regex(r"`([a-z_0-9]+\.rs)`"), HashSet::new());
    for folder in ["crates", "src", "tests", "examples", "benches"] {
        add_file_names(&root(folder), &mut files);
    }
    let mut wrong = Vec::new();
    for document in documents() {
        let folder = root(&document.name).parent().expect("a folder").to_path_buf();
        let links = link.captures_iter(&document.prose).map(|found: Captures| (folder.join(&found[1]), found));
        for (target, found) in links.filter(|(_, found)| !found[1].contains("://")) {
            let target = if found[1].is_empty() { root(&document.name) } else { target };
            let headings = || fs::read_to_string(&target).unwrap_or_default();
            let is_there = || headings().lines().any(|line| line.starts_with('#') && anchor(line) == found[2]);
            if !target.exists() || !found[2].is_empty() && !is_there() {
                wrong.push(format!("{}: {}", document.name, &found[0]));
            }
        }
        let paths =
            path.captures_iter(&document.prose).filter(|found| !found[1].contains("NAME") && !root(&found[1]).exists());
        let names = file.captures_iter(&document.prose).filter(|found| !files.contains(&found[1]));
        wrong.extend(paths.chain(names).map(|found| format!("{}: {}", document.name, &found[1])));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// `Cargo.toml` holds the repository's address. Files that cannot read it from there must repeat it.
#[test]
fn the_repository_has_one_address() {
    let repository = env!("CARGO_PKG_REPOSITORY").strip_prefix("https://github.com/").expect("an address at GitHub");
    for name in [
        "README.md",
        "ci/users/engine.yml",
        "integrations/phoronix/pts/perft-1.0.0/downloads.xml",
        "integrations/phoronix/pts/perft-1.0.0/test-definition.xml",
        "integrations/tgct/install-perft.sh",
        "integrations/tgct/perft.json",
    ] {
        assert!(text(name).contains(repository), "{name}: expected the repository of Cargo.toml, {repository}");
    }
}
