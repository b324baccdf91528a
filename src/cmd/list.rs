//! `perft list`.

use crate::args::position::KIWIPETE;
use crate::failure::Failure;
use clap::{Args, ValueEnum};
use perft_gate_judge::faults::{Fault, caught_by};
use perft_gate_judge::suite;
use perft_gate_walk::chess::Fen;
use perft_gate_walk::zobrist::{PRESETS, Scheme};
use std::process::ExitCode;

#[derive(Args, Debug)]
pub struct ListArgs {
    what: What,
}

#[derive(ValueEnum, Clone, Copy, Debug)]
enum What {
    /// Built-in suites.
    Suites,
    /// Hashing schemes.
    Schemes,
    /// Faults for `--plant`, and the check that catches each.
    Faults,
}

pub fn run(args: &ListArgs) -> Result<ExitCode, Failure> {
    match args.what {
        What::Suites => {
            for (name, about, text) in suite::EMBEDDED {
                say!("{name:<10} {:>3} positions  {about}", suite::parse(text)?.len());
            }
        }
        What::Schemes => schemes(),
        What::Faults => {
            for fault in Fault::all() {
                say!("{:<46} caught by {}", fault.to_string(), caught_by(fault));
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Prints each preset with its golden keys, as the independent script computed them; `!` marks one that this program
/// does not reproduce.
fn schemes() {
    let golden = |scheme: &Scheme, fen: &str| {
        let Some(golden) = scheme.golden(fen) else { return "-".into() };
        let position = Fen::parse(fen).expect("a legal position");
        let ours = scheme.key_tables(0).map(|tables| scheme.text(tables.key(&position)));
        format!("{golden}{}", if ours.as_deref() == Some(golden) { "" } else { "!" })
    };
    say!(
        "{:<13} {:>7} {:>6} {:>4}  {:<7} {:<16}  {:<16}  about",
        "scheme",
        "entries",
        "bytes",
        "bits",
        "e.p.",
        "start position",
        "Kiwipete"
    );
    for scheme in &PRESETS {
        let (bytes, bits) = scheme.axes.map_or((0, 0), |axes| (axes.table_bytes(), axes.effective_bits()));
        let (name, entries, policy) = (&scheme.name, scheme.number_of_keys(), scheme.policy().name());
        let (start, kiwipete) = (golden(scheme, Fen::START), golden(scheme, KIWIPETE));
        say!("{name:<13} {entries:>7} {bytes:>6} {bits:>4}  {policy:<7} {start:<16}  {kiwipete:<16}  {}", scheme.about);
    }
}
