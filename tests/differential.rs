//! Against an independent generator: `cozy-chess` on seeded random playouts, standard and Chess960.

mod oracle;

use perft_gate::chess::Fen;
use perft_gate::cpu::Level;
use perft_gate::gate;
use perft_gate::walk::Control;

/// Plays random games and compares perft(2) at every position.
fn compare(positions: usize, seed: u64, start: impl Fn(u64) -> cozy_chess::Board) {
    let mut random = oracle::random(seed);
    let mut compared = 0;
    while compared < positions {
        let mut board = start(random());
        for _ in 0..120 {
            let mut moves = Vec::new();
            board.generate_moves(|set| {
                moves.extend(set);
                false
            });
            if moves.is_empty() || board.status() != cozy_chess::GameStatus::Ongoing {
                break;
            }
            board.play_unchecked(moves[random() as usize % moves.len()]);
            let fen = format!("{board:#}");
            let ours = Fen::parse(&fen).unwrap_or_else(|error| panic!("seed {seed}: '{fen}': {error}"));
            let level = if compared % 2 == 0 { Level::detect() } else { Level::portable() };
            let found = gate::count(&ours, 2, level, &Control::default()).nodes[2];
            assert_eq!(found, oracle::perft(&board, 2), "seed {seed}: '{fen}' perft(2), level {level}");
            compared += 1;
        }
    }
}

const SEED: u64 = 20_261_121;

#[test]
fn standard_playouts_agree_with_cozy_chess() {
    compare(25_000, SEED, |_| cozy_chess::Board::default());
}

#[test]
fn chess960_playouts_agree_with_cozy_chess() {
    compare(25_000, SEED, |random| {
        cozy_chess::Board::double_chess960_startpos((random % 960) as u32, (random / 960 % 960) as u32)
    });
}
