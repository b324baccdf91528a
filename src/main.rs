//! The binary `perft`; see [`perft_gate::cli`].

use std::process::ExitCode;

fn main() -> ExitCode {
    perft_gate::cli::main()
}
