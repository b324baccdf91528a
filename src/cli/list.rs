//! `perft list`.

use super::Usage;
use crate::chess::Fen;
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
            say!("{:<13} {:>5} {:>6} {:>5}  {:<7} {:<32}  about", "scheme", "words", "bytes", "bits", "e.p.", "golden");
            let start = Fen::parse(Fen::START).expect("the start position");
            for scheme in &PRESETS {
                let (bytes, bits) = scheme.axes.map_or((0, 0), |axes| (axes.table_bytes(), axes.effective_bits()));
                let golden = scheme.flattened(0).map_or("-".into(), |words| scheme.text(words.key(&start)));
                let (name, words, policy) = (&scheme.name, scheme.words(), scheme.policy().name());
                say!("{name:<13} {words:>5} {bytes:>6} {bits:>5}  {policy:<7} {golden:<32}  {}", scheme.about);
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}
