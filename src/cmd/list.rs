//! `perft list`: lists suites, schemes, faults or levels.

use crate::failure::Result;
use clap::{Args, ValueEnum};
use perft_gate_chess::Fen;
use perft_gate_judge::faults::{Fault, catching_checks};
use perft_gate_simd::{Availability, Level};
use perft_gate_suite as suite;
use perft_gate_zobrist::{PRESETS, Scheme};
use std::process::ExitCode;

#[derive(Args, Debug)]
pub struct ListArgs {
    #[arg(value_name = "LIST")]
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
    /// SIMD levels for `--simd`: which this machine has, which is used, and why.
    Levels,
}

pub fn run(args: &ListArgs) -> Result<ExitCode> {
    match args.what {
        What::Suites => {
            for (name, about, text) in suite::EMBEDDED {
                say!("{name:<12} {:>3} rows  {about}", suite::parse(text)?.len());
            }
        }
        What::Schemes => schemes(),
        What::Faults => {
            for fault in Fault::all() {
                say!("{:<44} caught by {}", fault.to_string(), catching_checks(fault));
            }
        }
        What::Levels => levels(),
    }
    Ok(ExitCode::SUCCESS)
}

/// Name, instructions and architecture of each SIMD level.
const LEVELS: [(&str, &str, &str); 5] = [
    ("v1", "portable code: bulk counting", "any"),
    ("v3-nopext", "AVX2 without PEXT: slider attacks are computed; set-wise counting", "x86-64"),
    ("v3", "AVX2, PEXT: set-wise counting in vectors of 256 bits", "x86-64"),
    ("v4", "AVX2, PEXT, AVX-512: as v3, in vectors of 512 bits", "x86-64"),
    ("neon", "NEON: slider attacks by multiplication, set-wise counting", "AArch64"),
];

fn levels() {
    let used = Level::detect().to_string();
    for (name, about, architecture) in LEVELS {
        let status = match Level::availability(name) {
            Availability::Present if name == used => "used".into(),
            Availability::Present => "available".into(),
            Availability::Lacks(missing) => format!("not here: lacks {}", missing.join(", ")),
            Availability::Foreign => format!("not here: needs {architecture}"),
        };
        say!("{name:<9}  {about}");
        say!("{:<9}  {status}", "");
    }
    say!("");
    say!("{used} is the best level of this machine, and is used unless --simd or PERFT_SIMD says otherwise");
    if let Some(remark) = Level::remark() {
        say!("{remark}");
    }
}

/// Prints each preset with golden keys that an independent script computed. `!` marks a key that this program does not
/// reproduce.
fn schemes() {
    let golden = |scheme: &Scheme, fen: &str| {
        let Some(golden) = scheme.golden(fen) else { return "-".into() };
        let position = Fen::parse(fen).expect("a legal position");
        let ours = scheme.key_tables(0).map(|tables| scheme.text(tables.key(&position)));
        format!("{golden}{}", if ours.as_deref() == Some(golden) { "" } else { "!" })
    };
    say!("scheme        entries  bytes bits  e.p.    start position    Kiwipete");
    for scheme in &PRESETS {
        let (bytes, bits) = scheme.axes.map_or((0, 0), |axes| (axes.table_bytes(), axes.effective_bits()));
        let (name, entries, policy) = (&scheme.name, scheme.number_of_keys(), scheme.policy().name());
        let (start, kiwipete) = (golden(scheme, Fen::START), golden(scheme, Fen::KIWIPETE));
        say!("{name:<13} {entries:>7} {bytes:>6} {bits:>4}  {policy:<7} {start:<16}  {kiwipete}");
    }
    say!("");
    for scheme in &PRESETS {
        say!("{:<13} {}", scheme.name, scheme.about);
    }
}
