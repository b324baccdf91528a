//! Our walks beside other Rust generators, on the same trees, interleaved in one process.
//!
//! `cargo bench --bench peers [-- ROUNDS]`. Every timed run checks its count. All generators are compiled alike: a plain
//! build, without `target-cpu=native`. One thread each; the figure to read is the median of the ratios of each round.

#[path = "../tests/oracle/generator.rs"]
mod oracle;

mod common;

use common::{median, rounds};
use perft_gate_judge::suite;
use perft_gate_simd::Level;
use perft_gate_walk::Settings;
use perft_gate_walk::walk::Control;
use perft_gate_walk::zobrist::preset;
use shakmaty::Position;
use std::time::Instant;

fn shakmaty_perft(position: &shakmaty::Chess, depth: u32) -> u128 {
    let moves = position.legal_moves();
    if depth == 1 {
        return moves.len() as u128;
    }
    moves.iter().map(|mv| shakmaty_perft(&position.clone().play(*mv).expect("legal"), depth - 1)).sum()
}

fn main() {
    let rounds = rounds(9);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    let rows = suite::parse(suite::embedded("standard").expect("built in")).expect("it reads");
    let settings = Settings {
        scheme: preset("cpw793").expect("built in"),
        secondary: &[],
        seed: 0,
        level: Level::detect(),
        sample_mask: 0xfff,
    };
    println!("million leaf nodes/s, medians of {rounds} rounds; ratios to cozy-chess in the same round");
    println!(
        "{:<12} {:>5}  {:>14} {:>14} {:>14} {:>14}",
        "position", "depth", "count", "cozy-chess", "shakmaty", "verified walk"
    );
    for (id, depth) in
        [("startpos", 5), ("kiwipete", 4), ("position 3", 5), ("position 4", 4), ("position 5", 4), ("position 6", 4)]
    {
        let row = rows.iter().find(|row| row.id == id).expect("a classic position");
        let expected = row.count(depth).expect("it is listed");
        let cozy: cozy_chess::Board = row.fen.parse().expect("cozy-chess reads it");
        let shak: shakmaty::Chess = row
            .fen
            .parse::<shakmaty::fen::Fen>()
            .expect("a FEN")
            .into_position(shakmaty::CastlingMode::Standard)
            .expect("shakmaty reads it");
        let control = Control::default();
        let contestants: [&(dyn Fn() -> u128 + Sync); 4] = [
            &|| perft_gate_count::leaves(&row.board, depth, settings.level, &control).nodes,
            &|| oracle::perft(&cozy, depth),
            &|| shakmaty_perft(&shak, depth),
            &|| {
                let report = perft_gate_walk::verify(&row.board, depth, settings, &control);
                assert_eq!(report.mismatches, []);
                report.nodes[depth as usize]
            },
        ];
        let mut rates = [const { Vec::new() }; 4];
        for _ in 0..rounds {
            for (contestant, rates) in contestants.iter().zip(&mut rates) {
                let start = Instant::now();
                let found = pool.install(contestant);
                rates.push(expected as f64 / start.elapsed().as_secs_f64() / 1e6);
                assert_eq!(found, expected, "{id} at depth {depth}");
            }
        }
        let cozy_rates = rates[1].clone();
        let cells = rates.iter_mut().map(|rates| {
            let mut ratios: Vec<f64> = rates.iter().zip(&cozy_rates).map(|(a, b)| a / b).collect();
            format!("{:>7.1} {:>5.2}x", median(rates), median(&mut ratios))
        });
        println!("{id:<12} {depth:>5}  {}", cells.collect::<Vec<_>>().join("  "));
    }
}
