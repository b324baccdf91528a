//! `perft selftest`: sees the checks fail, on this machine.

use super::Failure;
use crate::cpu::Level;
use crate::faults::CASES;
use crate::keys::PRESETS;
use crate::{report, selftest};
use std::process::ExitCode;

pub(super) fn run() -> Result<ExitCode, Failure> {
    let levels = Level::all();
    let mut failures = 0;
    for &level in &levels {
        say!("level {level}");
        say!(
            "  {:<13} {:>12} {:>13} {:>15} {:>14} {:>7}",
            "scheme",
            "right boards",
            "flipped bits",
            "changed squares",
            "corrupted rows",
            "golden"
        );
        for scheme in PRESETS.iter().filter(|scheme| scheme.words() > 0) {
            match selftest::prove(level, scheme) {
                Ok(proof) => {
                    let golden = if proof.indices > 0 { "yes" } else { "-" };
                    let (passed, bits, squares, rows) = (proof.passed, proof.bits, proof.squares, proof.rows);
                    say!("  {:<13} {passed:>12} {bits:>13} {squares:>15} {rows:>14} {golden:>7}", scheme.name);
                }
                Err(error) => {
                    failures += 1;
                    say!("  {:<13} NOT PROVEN: {error}", scheme.name);
                }
            }
        }
        for case in &CASES {
            let verdict = case.judge(level);
            let findings: Vec<String> = verdict.findings.iter().map(report::text::finding).collect();
            let caught = verdict.findings.iter().any(|found| found.mismatch.check == case.check);
            let named = findings.iter().find(|text| text.contains(case.named));
            let fault = format!("{:?}", case.fault);
            match named.and_then(|text| text.lines().next()) {
                Some(line) if caught => say!("  planted {fault:<24} caught by {}", line.trim()),
                _ => {
                    failures += 1;
                    say!("  planted {fault:<24} NOT CAUGHT by {}", case.check);
                }
            }
        }
    }
    let proven: Vec<String> = levels.iter().map(Level::to_string).collect();
    let missing: Vec<&str> =
        Level::NAMES.into_iter().filter(|name| *name != "auto" && Level::named(name).is_none()).collect();
    if !missing.is_empty() {
        say!("this machine cannot run, and nothing proves: {}", missing.join(", "));
    }
    match failures {
        0 => say!("proven: {}", proven.join(", ")),
        _ => say!("{failures} of the checks did not notice what they must"),
    }
    Ok(if failures == 0 { ExitCode::SUCCESS } else { ExitCode::from(1) })
}
