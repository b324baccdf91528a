//! All keys of a run: no two of its positions may share one, whatever their rows.
//!
//! Rows are added in their order, so that the same row is blamed however many processes there are.

use crate::keys::finding::{KeyFault, KeyFinding};
use crate::keys::numbers::are_no_chance;
use crate::keys::printed::PrintedKey;
use crate::keys::report::{KeyOfPosition, KeyReport};
use std::collections::HashMap;

/// Maximum number of keys that are kept.
const MAX_KEYS: usize = 1 << 20;

/// The keys of a run so far.
#[derive(Debug)]
pub(crate) struct RunKeys {
    keys: HashMap<PrintedKey, KeyOfPosition>,
    bits: u32,
}

impl RunKeys {
    /// Returns an empty collection for keys of so many bits.
    pub(crate) fn new(bits: u32) -> RunKeys {
        RunKeys { keys: HashMap::new(), bits }
    }

    /// Adds the keys of a row, and to its findings the first that another row's position has too.
    pub(crate) fn add(&mut self, report: &mut KeyReport) {
        let mut clash = None;
        for seen in std::mem::take(&mut report.seen) {
            match self.keys.get(&seen.key) {
                Some(other) if other.packed != seen.packed => clash = clash.or_else(|| Some((seen, other.clone()))),
                None if self.keys.len() < MAX_KEYS => drop(self.keys.insert(seen.key, seen)),
                _ => {}
            }
        }
        if let Some((seen, other)) = clash.filter(|_| are_no_chance(self.keys.len() as u64 + 1, self.bits)) {
            report.findings.push(KeyFinding {
                fault: KeyFault::Shared,
                cause: "positions of two rows".into(),
                position: seen.position,
                other: Some(other.position),
                expected: format!("a key other than {}", seen.key),
                found: seen.key.to_string(),
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::display::KeyBase;
    use crate::position_command::PositionCommand;
    use perft_gate_chess::{EnPassantPolicy, Fen, Packed};

    fn report(fens: &[(&str, u128)]) -> KeyReport {
        let seen = |(fen, key): &(&str, u128)| {
            let packed = Packed::of(&Fen::parse(fen).expect("a position"), EnPassantPolicy::Legal);
            KeyOfPosition {
                key: PrintedKey { key: *key, base: KeyBase::Hexadecimal },
                packed,
                position: PositionCommand::new(fen),
            }
        };
        KeyReport { seen: fens.iter().map(seen).collect(), ..KeyReport::default() }
    }

    #[test]
    fn positions_of_two_rows_may_not_share_a_key() {
        let [one, other] = ["4k3/8/8/8/8/8/8/4K3 w - - 0 1", "4k3/8/8/8/8/8/8/4K3 b - - 0 1"];
        let added = |bits, rows: [&[(&str, u128)]; 2]| {
            let mut seen = RunKeys::new(bits);
            rows.map(|row| {
                let mut report = report(row);
                seen.add(&mut report);
                assert!(report.seen.is_empty());
                report.findings.len()
            })
        };
        assert_eq!(added(64, [&[(one, 7)], &[(other, 8), (one, 7)]]), [0, 0]);
        assert_eq!(added(64, [&[(one, 7)], &[(other, 7)]]), [0, 1]);
        // With a few bits it is chance.
        assert_eq!(added(4, [&[(one, 7)], &[(other, 7)]]), [0, 0]);
    }
}
