//! Standard output and standard error.
//!
//! Every line meant for people goes through `say!` or `note!`. If the reader has closed the pipe (`| head`), neither
//! the run nor its exit code changes. Any other error on standard output is reported once on standard error. The run
//! continues, because its files are still useful, and [`finish`] turns a success into a failure. A document requested
//! with `-` takes over standard output: the lines for people then go to standard error.

use crate::failure::{Result, Usage};
use anstream::{AutoStream, ColorChoice};
use anstyle::{AnsiColor, Style};
use indicatif::ProgressBar;
use std::fmt::Arguments;
use std::io::{self, ErrorKind, IsTerminal, Write};
use std::process::ExitCode;
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

/// Prints a line for people.
macro_rules! say {
    ($($text:tt)*) => { $crate::out::console::say(&format!($($text)*)) };
}

/// Prints a line, such as progress, a warning or an error, to standard error.
macro_rules! note {
    ($($text:tt)*) => { $crate::out::console::note(format_args!($($text)*)) };
}

/// State of the process's standard output.
struct Standard {
    /// The option that writes its document to standard output.
    taken_by: Option<&'static str>,
    /// True if any output was lost.
    lost: bool,
    /// True if another process prints the same lines.
    is_silent: bool,
}

/// Sets when standard output and standard error are coloured.
pub fn set_color(when: clap::ColorChoice) {
    match when {
        clap::ColorChoice::Auto => ColorChoice::Auto,
        clap::ColorChoice::Always => ColorChoice::Always,
        clap::ColorChoice::Never => ColorChoice::Never,
    }
    .write_global();
}

/// These values are computed only once, because there may be millions of lines to print.
static IS_TERMINAL: LazyLock<bool> = LazyLock::new(|| io::stdout().is_terminal());
static COLORS: LazyLock<ColorChoice> = LazyLock::new(|| AutoStream::choice(&io::stdout()));

/// The progress bar that is on the screen.
static BAR: Mutex<Option<ProgressBar>> = Mutex::new(None);

/// Records which progress bar is on the screen, if any.
pub fn show(bar: Option<ProgressBar>) {
    *BAR.lock().unwrap_or_else(PoisonError::into_inner) = bar;
}

/// Runs `print` with the progress bar off the screen.
fn without_bar<T>(print: impl FnOnce() -> T) -> T {
    match &*BAR.lock().unwrap_or_else(PoisonError::into_inner) {
        Some(bar) => bar.suspend(print),
        None => print(),
    }
}

static STANDARD: Mutex<Standard> = Mutex::new(Standard { taken_by: None, lost: false, is_silent: false });

fn standard() -> MutexGuard<'static, Standard> {
    STANDARD.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Reserves standard output for an option's document. **Errors**: another option has already reserved it.
pub fn take(option: &'static str) -> Result<()> {
    match standard().taken_by.replace(option) {
        None => Ok(()),
        Some(other) => {
            Err(Usage(format!("{option} -: standard output is taken by {other}, expected a file for one of them")))
        }
    }
}

/// Stops printing lines for people, because another process prints the same ones.
#[cfg_attr(not(feature = "cluster"), expect(dead_code, reason = "there is no other process"))]
pub fn silence() {
    standard().is_silent = true;
}

/// Returns true if another process prints the lines for people.
pub fn is_silent() -> bool {
    standard().is_silent
}

/// Prints a line for people, wrapped between words if it is wider than the terminal.
pub fn say(line: &str) {
    print(wrap_to_terminal(line));
}

/// Prints a line for people, coloured by `style` if it fits the width of the terminal.
pub fn print_styled(line: &str, style: impl FnOnce(&str) -> String) {
    let fits = width().is_none_or(|width| line.lines().all(|line| line.chars().count() <= width));
    print(if fits { style(line) } else { wrap_to_terminal(line) });
}

/// Prints a table row, and colours its last cell, the outcome.
pub fn say_row(row: &str, outcome: &str, color: AnsiColor) {
    let (start, style) = (row.len() - outcome.len(), color.on_default());
    print_styled(row, |row| format!("{}{style}{}{style:#}", &row[..start], &row[start..]));
}

const RIGHT: Style = AnsiColor::Green.on_default();
const WRONG: Style = AnsiColor::Red.on_default();
const LABEL: Style = Style::new().bold();

/// Words that may start a line of a finding, with their styles.
const LABELS: [(Style, &[&str]); 3] = [
    (RIGHT, &["expected", "the listing is right"]),
    (WRONG, &["found", "missing", "illegal", "listed twice", "below", "total", "sum", "the listing is WRONG"]),
    (LABEL, &["perhaps", "path", "against", "reproduce", "look at", "next step"]),
];
/// Words that may end the last line of a run, with their styles.
const ENDS: [(&str, Style); 2] = [("passed", RIGHT), ("failed", WRONG)];

/// Prints a finding or the result of a run, which may have several lines. Wrong parts are red, right ones green, and
/// labels bold.
pub fn say_finding(text: &str) {
    text.lines().for_each(|line| print(paint(&wrap_to_terminal(line))));
}

/// Colours the first or the last words of a line.
fn paint(line: &str) -> String {
    let indent = line.len() - line.trim_start().len();
    let mut labels = LABELS.iter().flat_map(|(style, labels)| labels.iter().map(move |label| (label, style)));
    if let Some((label, style)) = labels.find(|(label, _)| line[indent..].starts_with(**label)) {
        let (label, rest) = line[indent..].split_at(label.len());
        return format!("{}{style}{label}{style:#}{rest}", &line[..indent]);
    }
    match ENDS.iter().find_map(|(end, style)| Some((line.strip_suffix(end)?, end, style))) {
        Some((start, end, style)) => format!("{start}{style}{end}{style:#}"),
        None => line.into(),
    }
}

/// Prints text that is already wrapped.
fn print(lines: String) {
    let mut standard = standard();
    if standard.is_silent {
        return;
    }
    if standard.taken_by.is_some() {
        // An error on standard error cannot be reported.
        let _ = without_bar(|| writeln!(anstream::stderr(), "{lines}"));
        return;
    }
    let written = forgive_closed_pipe(without_bar(|| writeln!(AutoStream::new(io::stdout(), *COLORS), "{lines}")));
    lose(&mut standard, written);
}

/// Prints a line on standard error.
pub fn note(text: Arguments<'_>) {
    let _ = without_bar(|| writeln!(io::stderr(), "{text}"));
}

/// If writing to standard output failed, records that output was lost. Only the first error is reported.
fn lose(standard: &mut Standard, written: io::Result<()>) {
    if let Err(error) = written
        && !standard.lost
    {
        standard.lost = true;
        note!("error: standard output: {error}");
    }
}

/// Returns the final exit code: a run with lost output is not a success.
pub fn finish(code: ExitCode) -> ExitCode {
    let mut standard = standard();
    let flushed = forgive_closed_pipe(io::stdout().flush());
    if code == ExitCode::SUCCESS {
        lose(&mut standard, flushed);
    }
    if standard.lost && code == ExitCode::SUCCESS { ExitCode::from(3) } else { code }
}

/// Turns a closed-pipe error into success, because the reader wants no more output.
pub fn forgive_closed_pipe(written: io::Result<()>) -> io::Result<()> {
    match written {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
        written => written,
    }
}

/// Returns the terminal's width if standard output is a terminal.
pub fn width() -> Option<usize> {
    IS_TERMINAL.then(terminal_size::terminal_size).flatten().map(|(width, _)| width.0.into())
}

/// Number of spaces before a continuation line.
const INDENT: usize = 4;

/// Breaks the lines that are wider than the terminal.
fn wrap_to_terminal(text: &str) -> String {
    match width() {
        Some(width) if text.lines().any(|line| line.chars().count() > width) => wrap(text, width),
        _ => text.into(),
    }
}

/// Breaks lines at spaces. A word that is longer than a line stays whole.
fn wrap(text: &str, width: usize) -> String {
    let mut lines: Vec<String> = Vec::new();
    for mut rest in text.lines().map(str::to_string) {
        loop {
            let end = rest.char_indices().nth(width).map_or(rest.len(), |(end, _)| end);
            let indent = rest.len() - rest.trim_start().len();
            let spaces = || rest.match_indices(' ').map(|(at, _)| at).filter(|at| *at > indent);
            // The line may also be broken at a space right after the last character that fits.
            let space = spaces().take_while(|at| *at <= end).last().or_else(|| spaces().next());
            match space.filter(|_| end < rest.len()) {
                None => break lines.push(rest),
                Some(at) => {
                    lines.push(rest[..at].trim_end().to_string());
                    rest = format!("{:INDENT$}{}", "", rest[at..].trim_start());
                }
            }
        }
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_and_results_are_coloured() {
        let plain = ["    nothing here", "rows: 3 pass; fails"].map(paint);
        assert_eq!(plain, ["    nothing here", "rows: 3 pass; fails"]);
        assert_eq!(paint("    missing    e1c1: castling"), "    \u{1b}[31mmissing\u{1b}[0m    e1c1: castling");
        assert_eq!(paint("  path       the root"), "  \u{1b}[1mpath\u{1b}[0m       the root");
        assert_eq!(paint("rows: 3 pass; passed"), "rows: 3 pass; \u{1b}[32mpassed\u{1b}[0m");
    }

    #[test]
    fn lines_are_broken_between_words() {
        assert_eq!(wrap("one two three", 8), "one two\n    three");
        assert_eq!(wrap("one two", 7), "one two");
        assert_eq!(
            wrap("  position   depth    found\n  startpos       5  4865609", 18),
            "  position   depth\n    found\n  startpos       5\n    4865609"
        );
        assert_eq!(wrap("averylongword and more", 6), "averylongword and more".replace(" ", "\n    "));
        assert_eq!(wrap("äöü äöü", 4), "äöü\n    äöü");
    }
}
