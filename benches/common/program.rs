//! Runs other people's perft programs, using command lines taken from environment variables.
//!
//! `PERFT_PEER_NAME='path/to/program {fen} {depth}'` defines a program called `name`. The words of the command may be
//! quoted as in a shell, and `{fen}` and `{depth}` are replaced by the position and the depth. A run is correct if it
//! prints the expected count as a whole number. Output formats differ between programs, but no program prints such a
//! large number by chance. The time of a run is the processor time of the process and of the children that it waited
//! for, including startup.

use std::process::{Command, Stdio};
use std::time::Duration;

const PREFIX: &str = "PERFT_PEER_";

/// A program that counts leaves.
#[derive(PartialEq, Debug)]
pub struct Program {
    pub name: String,
    words: Vec<String>,
}

impl Program {
    /// Returns the programs that these environment variables define, sorted by name.
    ///
    /// **Errors** name the variable and show what to write instead.
    pub fn among(variables: impl Iterator<Item = (String, String)>) -> Result<Vec<Program>, String> {
        let programs = variables.filter_map(|(variable, template)| {
            let name = variable.strip_prefix(PREFIX)?.to_lowercase();
            Some(Program::new(name, &template).map_err(|error| format!("{variable}: {error}")))
        });
        let mut programs: Vec<Program> = programs.collect::<Result<_, _>>()?;
        programs.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(programs)
    }

    fn new(name: String, template: &str) -> Result<Program, String> {
        let words = shlex::split(template).ok_or_else(|| format!("a quote is not closed in `{template}`"))?;
        for place in ["{fen}", "{depth}"] {
            // The first word is the program itself, so a placeholder there does not count.
            if !words.iter().skip(1).any(|word| word.contains(place)) {
                return Err(format!(
                    "found `{template}`, expected a command such as `path/to/program {{fen}} {{depth}}`"
                ));
            }
        }
        Ok(Program { name, words })
    }

    /// Returns two programs that run this build of `perft` on one thread at `level`: one with the default options, the
    /// other with `--every-path`.
    pub fn perft(level: &str) -> [Program; 2] {
        [("perft", None), ("every path", Some("--every-path"))].map(|(name, option)| {
            let words = ["count", "--threads", "1", "--simd", level, "--fen", "{fen}", "--depth", "{depth}"];
            let words = std::iter::once(env!("CARGO_BIN_EXE_perft")).chain(words).chain(option);
            Program { name: format!("{name} {level}"), words: words.map(String::from).collect() }
        })
    }

    /// Returns the command that counts a position to a depth: the program, then its arguments.
    pub fn command_line(&self, fen: &str, depth: u32) -> Vec<String> {
        let depth = depth.to_string();
        let (program, arguments) = self.words.split_first().expect("a program");
        let arguments = arguments.iter().map(|word| word.replace("{fen}", fen).replace("{depth}", &depth));
        std::iter::once(program.clone()).chain(arguments).collect()
    }

    /// Runs the program and returns the processor time in seconds. The program must print the `expected` count.
    ///
    /// Only one run may be in progress at a time, because the system reports the times of all children as one sum.
    pub fn count(&self, fen: &str, depth: u32, expected: u128) -> Result<f64, String> {
        let words = self.command_line(fen, depth);
        let before = children();
        let run = Command::new(&words[0]).args(&words[1..]).stdin(Stdio::null()).output();
        let time = children() - before;
        let output = run.map_err(|error| format!("`{}` does not run: {error}", words[0]))?;
        let printed =
            [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).join("\n");
        compare(&printed, expected).map_err(|error| match output.status.success() {
            true => error,
            false => format!("{error} ({})", output.status),
        })?;
        Ok(time.as_secs_f64())
    }
}

/// Returns an error unless `expected` is one of the whole numbers in `printed`. The error shows the line with the
/// number closest to `expected`, or the last line if there is no number.
pub fn compare(printed: &str, expected: u128) -> Result<(), String> {
    let mut lines = printed.lines().map(str::trim).filter(|line| !line.is_empty());
    let distance = |line: &str| whole_numbers(line).map(|number| number.abs_diff(expected)).min();
    let nearest = lines.clone().filter_map(|line| Some((distance(line)?, line))).min_by_key(|&(distance, _)| distance);
    match (nearest, lines.next_back()) {
        (Some((0, _)), _) => Ok(()),
        (Some((_, line)), _) | (None, Some(line)) => Err(format!("expected the count {expected}, found `{line}`")),
        (None, None) => Err(format!("expected the count {expected}, found no output")),
    }
}

/// Returns the whole numbers that occur in a line. Digits may be grouped: `119,060,324`, `119_060_324`, `119'060'324`.
fn whole_numbers(line: &str) -> impl Iterator<Item = u128> {
    let words = line.split(|letter: char| !letter.is_ascii_digit() && !".,_'".contains(letter));
    words.filter_map(|word| {
        let number = word.trim_matches(|letter: char| !letter.is_ascii_digit());
        number.replace([',', '_', '\''], "").parse().ok()
    })
}

/// Returns the user and system time of all children that have ended.
#[cfg(unix)]
fn children() -> Duration {
    use nix::sys::resource::{UsageWho, getrusage};
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN).expect("the system tells");
    let time = usage.user_time() + usage.system_time();
    Duration::new(time.tv_sec() as u64, time.tv_usec() as u32 * 1000)
}

#[cfg(not(unix))]
fn children() -> Duration {
    panic!("PERFT_PEER_…: processor times of other programs are read on Unix only");
}
