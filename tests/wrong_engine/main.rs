//! `perft engine` against an engine with one fault at a time: each fault must be found and named.
//!
//! The test binary is also the engine: started with `--as-engine FAULT DIALECT`, it speaks UCI. So no other program is
//! needed, and a fault can be tried by hand. FAULT may come from the fault catalogue.

mod calls;
mod catalogue;
#[path = "../common/mod.rs"]
#[allow(dead_code, unused_imports, reason = "the other tests need more of it")]
mod common;
mod dialects;
mod engine;
mod faults;
mod key_faults;
mod numbers;
mod options;
mod player;
mod trials;

use clap::ValueEnum;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().collect();
    if let [_, flag, fault, dialect] = &arguments[..]
        && flag == "--as-engine"
    {
        let fault = faults::Fault::named(fault);
        let dialect = faults::Dialect::from_str(dialect, false).expect("a dialect");
        engine::serve(fault, dialect);
        return ExitCode::SUCCESS;
    }
    let mut arguments = libtest_mimic::Arguments::from_args();
    // This is the variable that cargo's own test harness reads.
    let threads = std::env::var("RUST_TEST_THREADS").ok().and_then(|threads| threads.parse().ok());
    arguments.test_threads = arguments.test_threads.or(threads);
    libtest_mimic::run(&arguments, trials::all()).exit_code()
}
