//! Tests that a count takes no more memory from the system than it reports. The test runs in a separate process, so
//! that no other test's memory is counted.

#![cfg(target_os = "linux")]

use perft_gate_chess::{EnPassantPolicy, Fen};
use perft_gate_simd::Level;
use perft_gate_unique::{By, UniqueError, UniqueOptions, unique};
use perft_gate_walk::Control;
use perft_gate_zobrist::{Scheme, Width, preset};
use std::fs;

/// Memory allowed in addition to what the count reports. The program leaves the same amount free next to its tables.
const BESIDE: usize = 16 << 20;

/// Returns a field of this process's status, in bytes.
fn status(field: &str) -> usize {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix(field)).unwrap();
    line.split_ascii_whitespace().next().unwrap().parse::<usize>().unwrap() << 10
}

/// Returns the result of `work`, and by how many bytes the memory in use grew at its peak.
fn peak<T>(work: impl FnOnce() -> T) -> (T, usize) {
    // Resets the peak.
    fs::write("/proc/self/clear_refs", "5").unwrap();
    let before = status("VmRSS:");
    let result = work();
    (result, status("VmHWM:").saturating_sub(before))
}

#[test]
fn a_count_takes_the_memory_that_it_says_and_no_more() {
    let scheme: Scheme = preset("cpw793").unwrap().with_width(Width::W128).unwrap();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    let (policy, level) = (EnPassantPolicy::Legal, Level::detect());
    let key = By::Key { scheme: &scheme, seed: 0 };
    for (fen, depth, by, keep) in
        [(Fen::KIWIPETE, 4, By::Position, true), (Fen::START, 5, By::Position, true), (Fen::KIWIPETE, 4, key, false)]
    {
        let board = Fen::parse(fen).unwrap();
        let counted = |memory: usize| {
            let options = UniqueOptions { by, keep, ..UniqueOptions::new(policy, level, memory) };
            let count = || unique(&board, depth, &options, &Control::default(), &mut |_| {});
            peak(|| pool.install(count))
        };
        let enough = 1 << 30;
        let (count, found) = counted(enough);
        let count = count.unwrap();
        let said = count.plies.iter().map(|ply| ply.bytes).max().unwrap();
        assert!(found <= said + BESIDE, "{fen} to ply {depth}: {found} bytes, expected the {said} that it says");
        drop(count);
        for memory in [said, said / 4 * 3, said / 2, said / 3] {
            let (count, found) = counted(memory);
            assert!(found <= memory + BESIDE, "{fen} to ply {depth}: {found} bytes, expected at most {memory}");
            match count {
                Ok(count) => assert!(count.plies.iter().all(|ply| ply.bytes <= memory), "{fen}, {memory} bytes"),
                // If the positions are kept, they take up memory all the time, so more passes do not help.
                Err(error) => assert!(keep && matches!(error, UniqueError::Memory { .. }), "{error}"),
            }
        }
    }
}
