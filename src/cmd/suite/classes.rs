//! `perft suite classes`.

use crate::args::suite::SuiteArgs;
use crate::failure::CommandFailure;
use clap::Args;
use perft_gate_suite::Class;
use std::collections::BTreeMap;
use std::process::ExitCode;

#[derive(Args, Debug)]
pub struct ClassesArgs {
    #[command(flatten)]
    suite: SuiteArgs,
    /// Also list the plausible positions.
    #[arg(long)]
    all: bool,
}

pub fn run(args: &ClassesArgs) -> Result<ExitCode, CommandFailure> {
    let positions = args.suite.positions()?;
    let mut numbers: BTreeMap<Class, usize> = BTreeMap::new();
    for row in positions.iter() {
        let (class, reason) = row.class();
        *numbers.entry(class).or_default() += 1;
        if args.all || class != Class::Plausible {
            let reason = reason.map_or(String::new(), |reason| format!(": {reason}"));
            say!("{:<width$}  {class}{reason}", row.id, width = positions.longest_name);
        }
    }
    let numbers: Vec<_> = numbers.iter().map(|(class, number)| format!("{number} {class}")).collect();
    say!("{} positions: {}", positions.number, numbers.join(", "));
    Ok(ExitCode::SUCCESS)
}
