//! `perft completions` and `perft man`: what a shell and a manual know of the command line, made from its definition.

use crate::failure::{CommandFailure, Usage};
use crate::out::console;
use crate::out::file::make_folder;
use clap::{Args, Command};
use clap_complete::Shell;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

#[derive(Args, Debug)]
pub struct CompletionsArgs {
    /// Shell that completes the options; its manual says where the file belongs.
    shell: Shell,
}

#[derive(Args, Debug)]
pub struct ManArgs {
    /// Folder for the pages: `perft.1`, and one for each command.
    folder: PathBuf,
}

/// Prints the completions for a shell.
pub fn run(args: &CompletionsArgs, mut command: Command) -> Result<ExitCode, CommandFailure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command, "perft", &mut script);
    let written = console::forgive_closed_pipe(std::io::stdout().write_all(&script));
    written.map_err(|error| Usage(format!("standard output: {error}")))?;
    Ok(ExitCode::SUCCESS)
}

/// Writes the manual's pages.
pub fn man(args: &ManArgs, command: Command) -> Result<ExitCode, CommandFailure> {
    let shown = args.folder.display();
    make_folder(&shown.to_string(), &args.folder)?;
    clap_mangen::generate_to(command, &args.folder).map_err(|error| Usage(format!("{shown}: {error}")))?;
    Ok(ExitCode::SUCCESS)
}
