//! `perft completions` and `perft man`: shell completions and manual pages, generated from the command-line definition.

use crate::failure::{Result, Usage};
use crate::out::console;
use crate::out::file::make_folder;
use clap::builder::PossibleValuesParser;
use clap::{Args, Command};
use clap_complete::Shell;
use perft_gate_bench::Workload;
use perft_gate_judge::faults::Fault;
use perft_gate_simd::Level;
use perft_gate_suite::EMBEDDED;
use perft_gate_zobrist::PRESETS;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

#[derive(Args, Debug)]
pub struct CompletionsArgs {
    /// Shell to complete for; its manual says where to put the file.
    shell: Shell,
}

#[derive(Args, Debug)]
pub struct ManArgs {
    /// Folder for the pages: `perft.1`, and one for each command.
    folder: PathBuf,
}

pub fn run(args: &CompletionsArgs, command: Command) -> Result<ExitCode> {
    let mut script = Vec::new();
    // Leave out the subcommands that only this program itself starts.
    let shown = command.get_subcommands().filter(|verb| !verb.is_hide_set());
    let command = Command::new("perft").args(command.get_arguments()).subcommands(shown);
    clap_complete::generate(args.shell, &mut with_values(command), "perft", &mut script);
    let script = with_files(args.shell, &String::from_utf8_lossy(&script));
    let written = console::forgive_closed_pipe(std::io::stdout().write_all(script.as_bytes()));
    written.map_err(|error| Usage(format!("standard output: {error}")))?;
    Ok(ExitCode::SUCCESS)
}

/// Returns the values of an option that have fixed names, such as presets. Files and combinations are left out.
fn values(option: &str) -> Option<Vec<String>> {
    let values: Vec<String> = match option {
        "suite" => EMBEDDED.iter().map(|(name, ..)| name.to_string()).collect(),
        "scheme" => PRESETS.iter().map(|preset| preset.name.to_string()).chain(["all".into()]).collect(),
        "plant" => Fault::all().iter().map(Fault::to_string).collect(),
        "simd" => Level::NAMES.map(String::from).into(),
        "workload" => Workload::ALL.map(|workload| workload.to_string()).into(),
        _ => return None,
    };
    Some(values)
}

/// Adds the named values of each option, but only for completion scripts, because the program explains a wrong value
/// better than the parser would.
fn with_values(command: Command) -> Command {
    let command = command.mut_args(|argument| match argument.get_long().and_then(values) {
        Some(values) => argument.value_parser(PossibleValuesParser::new(values)),
        None => argument,
    });
    command.mut_subcommands(with_values)
}

/// Makes the script complete file names as well as suite names, because a generated script offers only one of them.
fn with_files(shell: Shell, script: &str) -> String {
    let names = values("suite").unwrap_or_default().join(" ");
    match shell {
        Shell::Bash => script.replace(&format!("compgen -W \"{names}\""), &format!("compgen -f -W \"{names}\"")),
        Shell::Zsh => script.replace(&format!(":({names})"), &format!(":{{compadd {names}; _files}}")),
        Shell::Fish => {
            let of_suite = |line: &str| line.contains(" -l suite ");
            let lines =
                script.lines().map(|line| if of_suite(line) { line.replace(" -r -f", " -r -F") } else { line.into() });
            lines.map(|line| line + "\n").collect()
        }
        _ => script.into(),
    }
}

pub fn man(args: &ManArgs, command: Command) -> Result<ExitCode> {
    let shown = args.folder.display();
    make_folder(&shown.to_string(), &args.folder)?;
    clap_mangen::generate_to(command, &args.folder).map_err(|error| Usage(format!("{shown}: {error}")))?;
    Ok(ExitCode::SUCCESS)
}
