//! `perft list`.

use super::Usage;
use crate::keys::PRESETS;
use crate::suite;
use clap::{Args, ValueEnum};
use std::process::ExitCode;

#[derive(Args, Debug)]
pub(super) struct ListArgs {
    what: What,
}

#[derive(ValueEnum, Clone, Copy, Debug)]
enum What {
    /// The embedded suites.
    Suites,
    /// The hashing schemes.
    Schemes,
}

pub(super) fn run(args: &ListArgs) -> Result<ExitCode, Usage> {
    match args.what {
        What::Suites => {
            for (name, about, text) in suite::EMBEDDED {
                say!("{name:<10} {:>3} positions  {about}", suite::parse(text)?.len());
            }
        }
        What::Schemes => {
            say!("{:<10} {:>5}  {:<7} about", "scheme", "words", "e.p.");
            for preset in &PRESETS {
                say!("{:<10} {:>5}  {:<7} {}", preset.name, preset.words(), preset.policy.name(), preset.about);
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}
