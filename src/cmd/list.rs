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
    /// The embedded suites.
    Suites,
    /// The hashing schemes.
    Schemes,
    /// The faults that `--plant` takes, and what catches each.
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

/// Each preset with its golden keys, as the independent script computed them; `!` marks one that this program does not
/// reproduce.
fn schemes() {
    let golden = |scheme: &Scheme, fen: &str| {
        let Some(golden) = scheme.golden(fen) else { return "-".into() };
        let position = Fen::parse(fen).expect("a legal position");
        let ours = scheme.key_tables(0).map(|words| scheme.text(words.key(&position)));
        format!("{golden}{}", if ours.as_deref() == Some(golden) { "" } else { "!" })
    };
    say!(
        "{:<13} {:>5} {:>6} {:>4}  {:<7} {:<16}  {:<16}  about",
        "scheme",
        "words",
        "bytes",
        "bits",
        "e.p.",
        "start position",
        "Kiwipete"
    );
    for scheme in &PRESETS {
        let (bytes, bits) = scheme.axes.map_or((0, 0), |axes| (axes.table_bytes(), axes.effective_bits()));
        let (name, words, policy) = (&scheme.name, scheme.words(), scheme.policy().name());
        let (start, kiwipete) = (golden(scheme, Fen::START), golden(scheme, KIWIPETE));
        say!("{name:<13} {words:>5} {bytes:>6} {bits:>4}  {policy:<7} {start:<16}  {kiwipete:<16}  {}", scheme.about);
    }
}
