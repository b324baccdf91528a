//! Bodies of the fuzz targets: ordinary functions, which `cargo test` also runs over the corpus.

use perft_gate_chess::{EnPassantPolicy, Fen};
use perft_gate_simd::V1;
use perft_gate_suite as suite;
use perft_gate_walk::{Game, Position};
use perft_gate_zobrist::{SchemeVisitor, Tracker, preset};

/// If a text parses as a FEN, its board must be the same after it is written as a FEN and read back.
pub fn fen(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    match Fen::parse(text) {
        Ok(board) => {
            for again in
                [Fen::write(&board, EnPassantPolicy::Always), Fen::write_shredder(&board, EnPassantPolicy::Always)]
            {
                assert_eq!(Fen::parse(&again).as_ref(), Ok(&board), "{text} → {again}");
            }
        }
        Err(error) => assert!(error.to_string().len() < 600 && error.to_string().lines().count() == 1),
    }
}

/// If a text parses as a suite, each row must have the position of its FEN, the number of an existing line, and at most
/// 64 depths. An error must also name an existing line.
pub fn epd(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    match suite::parse(text) {
        Ok(rows) => {
            for row in rows {
                assert!(row.counts.len() <= 64 && row.line <= text.lines().count());
                let read = Fen::parse_tolerant(&row.fen);
                assert_eq!(read.as_ref().map(|(board, _)| board), row.position.as_ref());
                let (class, reason) = row.class();
                assert_eq!(reason.is_none(), class == suite::Class::Plausible);
                assert_eq!(Fen::parse(&row.fen).is_ok(), row.position.is_ok() && row.faults.is_empty());
            }
        }
        Err(error) => assert!((1..=text.lines().count()).contains(&error.line) && error.to_string().len() < 700),
    }
}

const STARTS: [&str; 8] = [
    Fen::START,
    Fen::KIWIPETE,
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "bqnbnrkr/pppppppp/8/8/8/8/PPPPPPPP/BQNBNRKR w HFhf - 0 1",
    "1rk3r1/8/8/2pP4/4Pp2/8/8/1RK3R1 w GBgb c6 0 1",
    "r3k2r/8/8/3B4/4b3/8/8/R3K2R w KQkq - 0 1",
    "r1r1k3/p1p5/8/8/8/8/P1P5/R1R1K3 w Cc - 9990 99990",
];
const SCHEMES: [&str; 4] = ["cpw781", "cpw793", "rustic851", "polyglot"];

/// The first byte chooses a position and a scheme, and each other byte chooses a move. At every position, the
/// incremental key must equal the one computed from scratch, the boards must agree, and the FEN must read back as the
/// same position. Then all moves are unmade.
pub fn play(data: &[u8]) {
    let Some((&first, choices)) = data.split_first() else { return };
    let board = Fen::parse(STARTS[first as usize % STARTS.len()]).expect("a legal position");
    let scheme = preset(SCHEMES[first as usize / STARTS.len() % SCHEMES.len()]).expect("a preset");
    scheme.visit_own(0, Play { board, choices: &choices[..choices.len().min(120)] });
}

struct Play<'a> {
    board: perft_gate_chess::Board,
    choices: &'a [u8],
}

impl SchemeVisitor for Play<'_> {
    type Output = ();
    fn visit<T: Tracker>(self, tracker: T) {
        let level = V1::token();
        let mut position = Position::new(self.board, tracker);
        let mut made = Vec::new();
        for &choice in self.choices {
            let mut moves = perft_gate_chess::MoveList::default();
            position.moves(level, &mut moves);
            assert_eq!(position.count_moves(level), moves.len() as u64);
            if moves.is_empty() {
                break;
            }
            let mv = moves[choice as usize % moves.len()];
            let before = position;
            made.push((mv, position.play(level, mv), before));
            assert_eq!(position.key(), position.recompute(), "{mv:?} in {}", before.describe());
            assert!(position.is_consistent(level, &mut 0), "{mv:?} in {}", before.describe());
            assert_eq!(position.round_trip(&mut 0), Ok(()), "{mv:?} in {}", before.describe());
        }
        while let Some((mv, undo, before)) = made.pop() {
            position.unmake(level, mv, undo);
            assert!(position.same(level, &before, &mut 0), "{mv:?} in {}", before.describe());
        }
    }
}
