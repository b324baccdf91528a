//! The shipped suites: independent generators confirm their counts, and every special rule occurs in them.

use super::generator;
use perft_gate_chess::Fen;
use perft_gate_simd::Level;
use perft_gate_suite as suite;
use perft_gate_walk::Control;
use shakmaty::{CastlingMode, Chess};

/// The largest counts that `cozy-chess` and `shakmaty` are asked to confirm. `shakmaty` is slower because it lists
/// moves one by one.
type Affordable = (u128, u128);

#[test]
fn most_shipped_counts_are_confirmed_by_other_programs() {
    confirm_counts((1_000_000, 500_000), &[("standard", 68), ("quick", 9), ("chess960", 14), ("dfrc", 108)]);
}

#[test]
#[ignore = "a minute: counts of up to 65 million leaf nodes"]
fn larger_shipped_counts_are_confirmed_too() {
    // The larger counts are depths 5 and 6 of the classics, which are published.
    confirm_counts((65_000_000, 25_000_000), &[("standard", 13)]);
}

/// Confirms every count that is small enough. `most_beyond` limits, for each suite, how many counts may be too large to
/// confirm.
fn confirm_counts((affordable, to_shakmaty): Affordable, most_beyond: &[(&str, usize)]) {
    for (name, _, text) in suite::EMBEDDED {
        let (mut confirmed, mut twice, mut beyond) = (0, 0, 0);
        for row in suite::parse(text).unwrap() {
            let board = cozy_chess::Board::from_fen(
                &Fen::write_shredder(row.board(), perft_gate_chess::EnPassantPolicy::Always),
                true,
            )
            .unwrap_or_else(|error| panic!("{}: {error}", row.fen));
            let setup: shakmaty::fen::Fen = row.fen.parse().unwrap_or_else(|error| panic!("{}: {error}", row.fen));
            let position: Chess =
                setup.into_position(CastlingMode::Chess960).unwrap_or_else(|error| panic!("{}: {error}", row.fen));
            for depth in 1..=row.counts.len() as u32 {
                if let Some(count) = row.count(depth).filter(|&count| count <= to_shakmaty) {
                    assert_eq!(shakmaty::perft(&position, depth), count as u64, "{name}: {} at depth {depth}", row.id);
                    twice += 1;
                }
                match row.count(depth) {
                    Some(count) if count <= affordable => {
                        assert_eq!(generator::perft(&board, depth), count, "{name}: {} at depth {depth}", row.id);
                        confirmed += 1;
                    }
                    Some(_) => beyond += 1,
                    None => panic!("{name}: {} lists no D{depth}", row.id),
                }
            }
        }
        println!(
            "{name}: {confirmed} counts confirmed, {twice} of them twice, {beyond} beyond {affordable} leaf nodes"
        );
        let most = most_beyond.iter().find(|(suite, _)| *suite == name).map_or(0, |(_, most)| *most);
        assert!(confirmed > 20 && twice > 20 && beyond <= most, "{name}: {beyond} beyond, expected {most} at most");
        // This suite's counts are small enough for two programs to confirm each.
        assert!(name != "interactions" || confirmed == twice, "{name}");
    }
}

#[test]
fn the_standard_suite_has_every_special_rule_and_its_mirror() {
    let rows = suite::parse(suite::embedded("standard").unwrap()).unwrap();
    let extra = &rows[7..];
    assert!(extra.len() >= 40 && extra.len().is_multiple_of(2));
    let total: u128 = extra.iter().flat_map(|row| row.counts.iter().flatten()).sum();
    assert!(total <= 500_000_000, "{total}");
    assert!(extra.iter().flat_map(|row| row.counts.iter().flatten()).all(|&count| count <= 20_000_000));
    for pair in extra.chunks(2) {
        assert_eq!(pair[1].id, format!("{}, mirrored", pair[0].id));
        assert_eq!(pair[0].counts, pair[1].counts, "{}", pair[0].id);
        assert_ne!(pair[0].board().turn(), pair[1].board().turn());
    }
    let has = |text: &str| extra.iter().any(|row| row.id.contains(text));
    for rule in [
        "along the rank",
        "along the file",
        "the diagonal of the pin",
        "only evasion",
        "double check",
        "through attack",
        "out of check",
        "into attack",
        "captured on their squares",
        "capture on castling squares",
        "stalemate",
        "mate",
    ] {
        assert!(has(rule), "no row for: {rule}");
    }
    let only = extra.iter().find(|row| row.id == "e.p. is the only evasion").unwrap();
    assert_eq!(only.counts[0], Some(1));
}

fn castlings_in_two_plies(row: &suite::Row) -> u64 {
    let castlings =
        |depth| perft_gate_walk::statistics(row.board(), depth, Level::detect(), &Control::default()).1.castles;
    (1..=2.min(row.counts.len() as u32)).map(castlings).sum()
}

#[test]
fn chess960_rows_castle() {
    let rows = suite::parse(suite::embedded("chess960").unwrap()).unwrap();
    assert!(rows.len() >= 20);
    let without: Vec<_> =
        rows.iter().filter(|row| castlings_in_two_plies(row) == 0).map(|row| row.id.as_str()).collect();
    println!("no castling in the first two plies: {without:?}");
    assert!(without.len() <= 8, "{without:?}");
}

#[test]
fn every_third_row_of_dfrc_castles_early() {
    let rows = suite::parse(suite::embedded("dfrc").unwrap()).unwrap();
    assert_eq!((rows.len(), rows.iter().filter(|row| row.id.starts_with("start array")).count()), (100, 50));
    let early = rows.iter().filter(|row| castlings_in_two_plies(row) > 0).count();
    assert!(early >= 34, "{early} rows");
}

#[test]
fn ten_thousand_lines_are_read_at_once() {
    let text = suite::embedded("standard").unwrap().repeat(140);
    let start = std::time::Instant::now();
    assert!(suite::parse(&text).unwrap().len() > 9_000);
    // This is not a benchmark. The limit is hundreds of times the usual time, so that even under load, only a quadratic
    // reader fails.
    assert!(start.elapsed().as_secs() < 60, "{:?}", start.elapsed());
}
