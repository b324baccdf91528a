//! The command line: its subcommands, and the help that lists them in groups.

use crate::cmd;
use crate::planted_engine;
use clap::{ColorChoice, CommandFactory, Parser, Subcommand};
use std::fmt::Write;

/// Verify perft and every Zobrist key.
///
/// Without a command, walk every position of a suite with make and unmake, check every node, and compare every count.
#[derive(Parser, Debug)]
#[command(name = "perft", version, args_conflicts_with_subcommands = true)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Option<Command>,
    /// Colour the output: `auto`, `always` or `never`. `auto` colours a terminal unless NO_COLOR is set.
    #[arg(long, global = true, value_enum, value_name = "WHEN", default_value = "auto", hide_possible_values = true)]
    pub color: ColorChoice,
    // This field comes last, because its help headings would apply to any field after it.
    #[command(flatten)]
    pub gate: cmd::gate::GateArgs,
}

#[derive(Subcommand, Debug)]
pub enum Command {
    /// Verify counts and keys at every node of a suite (the default).
    #[command(after_help = "Example: perft gate --depth 6 --suite standard --junit report.xml")]
    Gate(Box<cmd::gate::GateVerbArgs>),
    /// Compare an engine's perft with ours, down to the wrong move.
    #[command(
        after_help = "Example: perft engine --suite standard --depth 4 -- ./myengine; perft engine --audit-keys -- ./myengine"
    )]
    Engine(Box<cmd::engine::EngineArgs>),
    /// Look at a list of positions, or fill in its counts.
    #[command(subcommand, after_help = "Example: perft suite fill list.epd --depth 4 --output filled.epd")]
    Suite(cmd::suite::SuiteCommand),
    /// Plant faults, and check that each one is caught.
    ///
    /// The checks run at every SIMD level of this machine.
    #[command(after_help = "Example: perft selftest")]
    Selftest(cmd::selftest::SelftestArgs),
    /// Count leaf nodes, as fast as possible.
    ///
    /// Results are checked against published counts and those of a suite.
    #[command(after_help = "Example: perft count 7 --hash 256M")]
    Count(cmd::count::CountArgs),
    /// Count leaf nodes by root move, sorted, with the total.
    #[command(after_help = "Example: perft divide 3 --fen kiwipete")]
    Divide(cmd::count::DivideArgs),
    /// Count the distinct positions at each ply.
    ///
    /// Also counts how often each is reached.
    #[command(after_help = "Example: perft unique --depth 6")]
    Unique(cmd::unique::UniqueArgs),
    /// Count on many machines: plan tasks, run some, merge the counts.
    #[command(
        subcommand,
        after_help = "Example: perft tasks plan --depth 9 -o DIR; perft tasks run DIR --share 1/8; perft tasks merge DIR"
    )]
    Tasks(cmd::tasks::TasksCommand),
    /// Print the key of a position, and its terms.
    ///
    /// Also shows the e.p. square under each policy.
    #[command(after_help = "Example: perft key --fen startpos --moves e2e4")]
    Key(cmd::key::KeyArgs),
    /// Audit or generate key tables.
    #[command(subcommand, arg_required_else_help = false, after_help = "Example: perft keys audit --scheme polyglot")]
    Keys(cmd::keys::KeysCommand),
    /// Compare what hashing schemes cost on the hot path.
    ///
    /// Times make and unmake with each key, interleaved, with confidence intervals.
    #[command(after_help = "Example: perft compare --scheme cpw793,rotate --budget 30s")]
    Compare(cmd::compare::CompareArgs),
    /// Count positions that share a part of their keys.
    ///
    /// Compares each scheme with random key tables.
    #[command(after_help = "Example: perft collisions --depth 5 --scheme cpw793 --bits 16,32")]
    Collisions(cmd::collisions::CollisionsArgs),
    /// Measure this machine's speed, and write a record.
    ///
    /// Runs fixed workloads on one thread and on more, and records each slice and a score.
    #[command(after_help = "Example: perft bench --quick")]
    Bench(cmd::bench::BenchArgs),
    /// Compare two records of `bench`, to see if one is slower.
    #[command(after_help = "Example: perft diff old.json new.json --fail-slower 5%")]
    Diff(cmd::diff::DiffArgs),
    /// Make a page of charts and tables from records.
    ///
    /// Also takes other results of this program.
    #[command(after_help = "Example: perft report results -o report.html")]
    Report(cmd::report::ReportArgs),
    /// List suites, schemes, faults or SIMD levels.
    #[command(after_help = "Example: perft list schemes")]
    List(cmd::list::ListArgs),
    /// Run as a UCI engine: `go perft N` counts, `d` prints the key.
    #[command(after_help = "Example: perft uci")]
    Uci(cmd::uci::UciArgs),
    /// Print completions for a shell.
    #[command(after_help = "Example: perft completions bash")]
    Completions(cmd::completions::CompletionsArgs),
    /// Write the manual pages.
    #[command(after_help = "Example: perft man /usr/local/share/man/man1")]
    Man(cmd::completions::ManArgs),
    /// Run slices of a workload when `bench --against` of another build asks for them.
    #[command(hide = true)]
    BenchSlices(cmd::bench::SlicesArgs),
    /// Run an engine with a fault, for `selftest`.
    #[command(hide = true)]
    PlantedEngine(planted_engine::PlantedEngineArgs),
}

/// The groups of subcommands, in the order in which `perft --help` lists them.
const GROUPS: [(&str, &[&str]); 5] = [
    ("Verify", &["gate", "engine", "suite", "selftest"]),
    ("Count", &["count", "divide", "unique", "tasks"]),
    ("Keys", &["key", "keys", "compare", "collisions"]),
    ("Machines", &["bench", "diff", "report"]),
    ("More", &["list", "uci", "completions", "man"]),
];

/// Examples of the first steps.
const EXAMPLES: [&str; 3] =
    ["perft --depth 6 --suite standard", "perft engine --suite quick -- ./myengine", "perft count 7 --hash 256M"];

/// Returns the definition of the command line, with help that lists the subcommands in groups.
pub fn command() -> clap::Command {
    let command = Cli::command();
    let help = grouped_help(&command);
    command.override_help(help)
}

/// Returns the program's help: the subcommands in groups, each with the first sentence of its description.
fn grouped_help(command: &clap::Command) -> String {
    let header = command.get_styles().get_header();
    let literal = command.get_styles().get_literal();
    let mut help = format!(
        "Verify perft and every Zobrist key.\n\n{header}Usage:{header:#} {literal}perft{literal:#} COMMAND [OPTIONS]\n       \
         {literal}perft{literal:#} [OPTIONS OF gate]\n",
    );
    for (group, verbs) in GROUPS {
        write!(help, "\n{header}{group}:{header:#}\n").expect("a String takes all");
        for &verb in verbs {
            let about =
                command.find_subcommand(verb).and_then(clap::Command::get_about).expect("every verb has a line");
            writeln!(help, "  {literal}{verb:<13}{literal:#}{}", about.ansi()).expect("a String takes all");
        }
    }
    write!(help, "\n{header}Examples:{header:#}\n").expect("a String takes all");
    for example in EXAMPLES {
        writeln!(help, "  {example}").expect("a String takes all");
    }
    help + "\n`perft COMMAND --help` lists the options of a command.\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::iter;

    #[test]
    fn every_verb_is_in_one_group_and_fits_its_line() {
        let command = command();
        let mut listed: Vec<&str> = GROUPS.iter().flat_map(|(_, verbs)| verbs.iter().copied()).collect();
        let mut defined: Vec<&str> =
            command.get_subcommands().filter(|verb| !verb.is_hide_set()).map(clap::Command::get_name).collect();
        listed.sort_unstable();
        defined.sort_unstable();
        assert_eq!(listed, defined);
        // Measure plain text: the escape sequences of styles take no room on the screen.
        let help = clap::builder::StyledStr::from(grouped_help(&command)).to_string();
        assert!(help.contains("  completions  Print"), "{help}");
        for line in help.lines() {
            assert!(line.chars().count() <= 80, "{line}");
        }
    }

    #[test]
    fn every_example_is_a_command_line() {
        let command = command();
        let verbs = command.get_subcommands().filter(|verb| !verb.is_hide_set());
        // Nested subcommands such as `keys audit` must have examples, too.
        let verbs = verbs.flat_map(|verb| iter::once(verb).chain(verb.get_subcommands()));
        let of_verbs = verbs.map(|verb| {
            let help = verb.get_after_help().unwrap_or_else(|| panic!("{verb}: no example")).to_string();
            help.strip_prefix("Example: ").expect("an example").to_string()
        });
        let examples: Vec<String> = of_verbs.chain(EXAMPLES.map(str::to_string)).collect();
        for line in examples.iter().flat_map(|example| example.split("; ")) {
            if let Err(error) = Cli::try_parse_from(line.split(' ')) {
                panic!("{line}: {error}");
            }
        }
    }
}
