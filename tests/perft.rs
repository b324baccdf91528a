//! The classic counts, verified node by node, on every level and with every scheme.

use perft_gate::cpu::Level;
use perft_gate::gate::{self, Settings};
use perft_gate::keys::PRESETS;
use perft_gate::suite;
use perft_gate::walk::Control;

#[test]
fn the_standard_suite_is_right_and_every_node_is_checked() {
    let rows = suite::parse(suite::EMBEDDED[0].2).unwrap();
    assert_eq!(rows.len(), 7);
    for scheme in &PRESETS {
        for level in [Level::portable(), Level::detect()] {
            for row in &rows {
                let context = format!("{} {level} {}", row.id, scheme.name);
                let settings = Settings { scheme, seed: 0, level, sample_mask: 0xff };
                let report = gate::verify(&row.board, 3, settings, &Control::default());
                assert_eq!(report.wrong_counts(&row.counts), [], "{context}");
                assert_eq!(report.mismatches, [], "{context}");
                let inner = report.nodes[..3].iter().sum::<u128>();
                let keys = if scheme.name == "none" { 0 } else { report.total() };
                assert_eq!(u128::from(report.checks.keys), keys, "{context}");
                assert_eq!(u128::from(report.checks.unmakes), report.total() - 1, "{context}");
                assert_eq!(u128::from(report.checks.boards), inner, "{context}");
                assert!(report.checks.null_moves > 0 && report.checks.round_trips > 0, "{context}");
                assert_eq!(gate::count(&row.board, 3, level, &Control::default()).nodes, report.nodes, "{context}");
            }
        }
    }
}

#[test]
fn a_deeper_tree_is_split_and_joined_without_loss() {
    let rows = suite::parse(suite::EMBEDDED[0].2).unwrap();
    for row in &rows {
        let report = gate::count(&row.board, 5, Level::detect(), &Control::default());
        assert_eq!(report.wrong_counts(&row.counts), [], "{}", row.id);
        assert_eq!(report.nodes[0], 1);
    }
}
