//! Make, unmake and null moves keep the FEN right: in random games our board, `cozy-chess` and `shakmaty` write the
//! same FENs, clocks included. The program's own checks miss a wrong clock if two computations make the same error.

use crate::common::fens;
use perft_gate_chess::{EnPassantPolicy, Fen, Move, legal_moves};
use perft_gate_simd::V1;
use perft_gate_walk::{Game, Position};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use shakmaty::{CastlingMode, EnPassantMode, FromSetup, Position as _};

const SEED: u64 = 20_261_121;
const STARTS: [&str; 8] = [
    fens::START,
    fens::KIWIPETE,
    fens::POSITION_3,
    fens::POSITION_4,
    fens::POSITION_5,
    fens::CORNERS,
    fens::EN_PASSANT_OPENING,
    fens::EN_PASSANT_PINNED,
];

/// The boards of the two programs that ours is compared with, for the same position.
#[derive(Clone)]
struct Oracles {
    cozy: cozy_chess::Board,
    shakmaty: shakmaty::Chess,
}

impl Oracles {
    fn play(&mut self, mv: Move) {
        let text = mv.uci().to_string();
        let uci: shakmaty::uci::UciMove = text.parse().unwrap();
        self.shakmaty.play_unchecked(uci.to_move(&self.shakmaty).unwrap_or_else(|error| panic!("{text}: {error}")));
        let parsed = cozy_chess::util::parse_uci_move(&self.cozy, &text);
        self.cozy.play_unchecked(parsed.unwrap_or_else(|error| panic!("{text}: {error}")));
    }

    /// Makes a null move if possible. The null move of `shakmaty` does not advance the clocks, so this function
    /// advances them.
    fn pass(&mut self) -> bool {
        let Some(cozy) = self.cozy.null_move() else { return false };
        let mut setup = self.shakmaty.to_setup(EnPassantMode::Always);
        setup.halfmoves += 1;
        setup.fullmoves = setup.fullmoves.saturating_add(u32::from(setup.turn.is_black()));
        setup.swap_turn();
        let mode = self.shakmaty.castles().mode();
        *self = Oracles { cozy, shakmaty: shakmaty::Chess::from_setup(setup, mode).unwrap() };
        true
    }
}

/// One step of a game, which can be taken back.
struct Step {
    /// The move, if it was not a null move.
    mv: Option<Move>,
    undo: <Position<()> as Game>::Undo,
    oracles: Oracles,
    board: perft_gate_chess::Board,
}

/// A game on three boards.
struct Trio {
    ours: Position<()>,
    oracles: Oracles,
    steps: Vec<Step>,
}

/// Number of times each operation was done.
#[derive(Default)]
struct Tally {
    moves: usize,
    null_moves: usize,
    taken_back: usize,
}

impl Trio {
    /// Panics if the three boards write different FENs.
    fn compare(&self, after: &str) {
        let (board, cozy) = (self.ours.board(), &self.oracles.cozy);
        let found = Fen::write_shredder(board, EnPassantPolicy::Always);
        assert_eq!(found, format!("{cozy:#}"), "after {after}, cozy-chess, Shredder-FEN");
        let shakmaty = &self.oracles.shakmaty;
        if !shakmaty.castles().mode().is_chess960() {
            assert_eq!(Fen::write(board, EnPassantPolicy::Always), cozy.to_string(), "after {after}, cozy-chess");
        }
        let expected = shakmaty::fen::Fen::from_position(shakmaty, EnPassantMode::Legal);
        assert_eq!(Fen::write(board, EnPassantPolicy::Legal), expected.to_string(), "after {after}, shakmaty");
    }

    fn play(&mut self, mv: Move) {
        let (oracles, board) = (self.oracles.clone(), *self.ours.board());
        let undo = self.ours.play(V1::token(), mv);
        self.oracles.play(mv);
        self.steps.push(Step { mv: Some(mv), undo, oracles, board });
        self.compare(&mv.uci().to_string());
    }

    /// Makes a null move on all three boards if the side to move is not in check; otherwise on none.
    fn pass(&mut self) -> bool {
        let (oracles, board) = (self.oracles.clone(), *self.ours.board());
        let undo = self.ours.make_null(V1::token());
        assert_eq!(undo.is_some(), self.oracles.pass(), "a null move in '{}'", oracles.cozy);
        let Some(undo) = undo else { return false };
        self.steps.push(Step { mv: None, undo, oracles, board });
        self.compare("a null move");
        true
    }

    /// Takes the last step back and restores the other programs' earlier boards.
    fn take_back(&mut self) -> bool {
        let Some(Step { mv, undo, oracles, board }) = self.steps.pop() else { return false };
        match mv {
            Some(mv) => self.ours.unmake(V1::token(), mv, undo),
            None => self.ours.unmake_null(undo),
        }
        self.oracles = oracles;
        let taken = mv.map_or("a null move".into(), |mv| mv.uci().to_string());
        self.compare(&format!("{taken} is taken back"));
        assert_eq!(*self.ours.board(), board, "after {taken} is taken back");
        true
    }

    /// Plays at random, with occasional null moves and take-backs. At the end, all moves are taken back.
    fn play_game(&mut self, steps: usize, random: &mut impl Rng, tally: &mut Tally) {
        self.compare("the start");
        for _ in 0..steps {
            let legal = legal_moves(self.ours.board()).to_vec();
            if legal.is_empty() || self.oracles.cozy.halfmove_clock() >= 99 {
                break;
            }
            match random.next_u64() % 16 {
                0 => tally.null_moves += usize::from(self.pass()),
                1 => {
                    let count = random.next_u64() % 6;
                    tally.taken_back += (0..count).filter(|_| self.take_back()).count();
                }
                _ => {
                    self.play(legal[random.next_u64() as usize % legal.len()]);
                    tally.moves += 1;
                }
            }
        }
        while self.take_back() {
            tally.taken_back += 1;
        }
    }
}

#[test]
fn fens_and_clocks_agree_with_both_oracles() {
    let mut random = ChaCha8Rng::seed_from_u64(SEED);
    let mut tally = Tally::default();
    for game in 0..400 {
        // Half of the games begin at the start position, a quarter at start positions of Chess960, and a quarter
        // elsewhere.
        let (fen, mode) = match game % 4 {
            0 | 1 => (fens::START.into(), CastlingMode::Standard),
            2 => (STARTS[game / 4 % STARTS.len()].into(), CastlingMode::Standard),
            _ => {
                let [white, black] = [0, 0].map(|_: u32| (random.next_u64() % 960) as u32);
                let start = cozy_chess::Board::double_chess960_startpos(white, black);
                (format!("{start:#}"), CastlingMode::Chess960)
            }
        };
        println!("seed {SEED}, game {game}, from {fen}");
        let ours = Position::new(Fen::parse(&fen).unwrap(), ());
        let cozy = cozy_chess::Board::from_fen(&fen, mode.is_chess960()).unwrap();
        let shakmaty = fen.parse::<shakmaty::fen::Fen>().unwrap().into_position(mode).unwrap();
        let mut trio = Trio { ours, oracles: Oracles { cozy, shakmaty }, steps: Vec::new() };
        trio.play_game(250, &mut random, &mut tally);
    }
    let Tally { moves, null_moves, taken_back } = tally;
    assert!(moves > 30_000, "only {moves} moves were played");
    assert!(null_moves > 1_000, "only {null_moves} null moves were made");
    assert_eq!(taken_back, moves + null_moves, "all that is made is taken back");
}
