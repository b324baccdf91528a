//! Slices of a workload on request, by the [`protocol`](super::protocol).

use super::error::BenchError;
use super::protocol::{PROTOCOL, PeerHello, READY};
use super::team::Team;
use super::workload::{WORKLOADS_VERSION, Workload, hashed_table};
use perft_gate_machine::record::Build;
use perft_gate_simd::Level;
use std::io::{self, BufRead, Write};
use std::time::{Duration, Instant};

/// Minimum time of the warm-up, which is at least a pass.
const WARM_UP: Duration = Duration::from_millis(10);

impl PeerHello {
    /// Returns the line of this build.
    pub fn of(build: &Build, level: Level) -> PeerHello {
        PeerHello {
            protocol: PROTOCOL.into(),
            workloads_version: WORKLOADS_VERSION,
            version: build.version.clone(),
            revision: build.name(),
            level: level.to_string(),
        }
    }
}

/// Runs slices as long as `input` asks for them. **Errors**: no threads or memory, or the other process is gone.
pub fn serve(
    workload: Workload,
    threads: usize,
    level: Level,
    hello: &PeerHello,
    input: impl BufRead,
    mut output: impl Write,
) -> Result<(), BenchError> {
    let mut say = |line: &str| writeln!(output, "{line}").and_then(|()| output.flush()).map_err(lost_caller);
    say(&serde_json::to_string(hello).expect("strings and numbers"))?;
    let team = Team::new(threads)?;
    let table = (workload == Workload::Hashed).then(|| hashed_table(&team)).transpose()?;
    let mut work = workload.on(&team, level, table.as_ref());
    let begun = Instant::now();
    while begun.elapsed() < WARM_UP {
        (work.pass)();
    }
    say(READY)?;
    for line in input.lines() {
        let line = line.map_err(lost_caller)?;
        let passes = line
            .trim()
            .parse::<u32>()
            .ok()
            .filter(|&passes| passes > 0)
            .ok_or_else(|| BenchError::System(format!("found '{line}', expected a number of passes")))?;
        let start = Instant::now();
        let units: u64 = (0..passes).map(|_| (work.pass)()).sum();
        let ns = start.elapsed().as_nanos();
        say(&format!("{units} {ns}"))?;
    }
    Ok(())
}

fn lost_caller(error: io::Error) -> BenchError {
    BenchError::System(format!("the process that asked for slices: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reference;

    fn serve_input(input: &str) -> (Vec<String>, Result<(), BenchError>) {
        let (mut output, level) = (Vec::new(), Level::detect());
        let hello = PeerHello::of(&reference().build, level);
        let result = serve(Workload::Queens, 1, level, &hello, input.as_bytes(), &mut output);
        (String::from_utf8(output).unwrap().lines().map(str::to_string).collect(), result)
    }

    #[test]
    fn a_slice_is_answered_by_its_count_and_time() {
        let (lines, result) = serve_input("1\n3\n");
        assert!(result.is_ok());
        let hello: PeerHello = serde_json::from_str(&lines[0]).unwrap();
        assert_eq!((&*hello.protocol, hello.workloads_version), (PROTOCOL, WORKLOADS_VERSION));
        assert_eq!(lines[1], READY);
        let units: Vec<u64> = lines[2..].iter().map(|line| line.split_once(' ').unwrap().0.parse().unwrap()).collect();
        assert_eq!(units, [1, 3].map(|passes| passes * Workload::Queens.units(1)));
    }

    #[test]
    fn anything_but_a_number_of_passes_ends_it() {
        for input in ["0\n", "-1\n", "go\n"] {
            let (lines, result) = serve_input(input);
            assert_eq!(lines.len(), 2);
            assert!(result.unwrap_err().to_string().contains("expected a number of passes"));
        }
    }
}
