//! Tic-tac-toe with Zobrist keys, walked and checked like chess: the smallest example of a [`Game`].
//!
//!     cargo run --release --example tic_tac_toe

use perft_gate_simd::{Level, Token};
use perft_gate_walk::{Control, Game, Verify, Visitor, walk};
use perft_gate_zobrist::Key;
use std::collections::HashSet;

/// The keys by player and cell. The first four keys of each player come from a worked example, in which X on 0 and 3
/// and O on 2 give the key 74505.
const KEYS: [[u64; 9]; 2] = [
    [44532, 90195, 81410, 36721, 50861, 23977, 69143, 12689, 98347],
    [72217, 10291, 65932, 91854, 31607, 84229, 57793, 40093, 27751],
];
const LINES: [[usize; 3]; 8] = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]];

/// The player who marks a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Player {
    X,
    O,
}

/// The cell that a move marks, numbered 0 to 8 row by row.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
struct Cell(usize);

impl From<Cell> for u64 {
    fn from(cell: Cell) -> u64 {
        cell.0 as u64
    }
}

/// A position with its key, which `make` and `unmake` update.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Board {
    cells: [Option<Player>; 9],
    turn: Player,
    key: u64,
}

impl Board {
    const EMPTY: Board = Board { cells: [None; 9], turn: Player::X, key: 0 };

    fn is_won(&self) -> bool {
        LINES.iter().any(|line| {
            let [a, b, c] = line.map(|cell| self.cells[cell]);
            a.is_some() && a == b && b == c
        })
    }

    fn is_over(&self) -> bool {
        self.is_won() || self.cells.iter().all(Option::is_some)
    }
}

impl Player {
    /// Returns the side to move, given that X begins and the players alternate.
    fn to_move(cells: &[Option<Player>; 9]) -> Player {
        if cells.iter().flatten().count().is_multiple_of(2) { Player::X } else { Player::O }
    }

    fn other(self) -> Player {
        match self {
            Player::X => Player::O,
            Player::O => Player::X,
        }
    }
}

impl Game for Board {
    type Move = Cell;
    type Moves = Vec<Cell>;
    type Prepared = ();
    type Undo = ();

    fn moves<L: Token>(&self, _: L, list: &mut Vec<Cell>) {
        if !self.is_won() {
            list.extend((0..9).filter(|&cell| self.cells[cell].is_none()).map(Cell));
        }
    }
    fn prepare(&self) {}
    fn make<L: Token>(&mut self, _: L, (): &(), cell: Cell) {
        self.cells[cell.0] = Some(self.turn);
        self.key ^= KEYS[self.turn as usize][cell.0];
        self.turn = self.turn.other();
    }
    fn unmake<L: Token>(&mut self, _: L, cell: Cell, (): ()) {
        self.turn = self.turn.other();
        self.key ^= KEYS[self.turn as usize][cell.0];
        self.cells[cell.0] = None;
    }
    fn key(&self) -> Option<Key> {
        Some(self.key.into())
    }
    fn recompute(&self) -> Option<Key> {
        let keys = self.cells.iter().enumerate().map(|(cell, player)| player.map_or(0, |p| KEYS[p as usize][cell]));
        Some(keys.fold(0, |key, term| key ^ term).into())
    }
    fn same<L: Token>(&self, _: L, other: &Board, compared: &mut u64) -> bool {
        *compared += 1;
        self == other
    }
    /// Checks that the side to move fits the number of marks. X moves first, so it is X's turn if the number is even.
    fn is_consistent<L: Token>(&self, _: L, compared: &mut u64) -> bool {
        *compared += 1;
        self.turn == Player::to_move(&self.cells)
    }
    fn sample(&self) -> u64 {
        self.key
    }
    fn round_trip(&self, compared: &mut u64) -> Result<(), String> {
        *compared += 1;
        let mut again = Board::EMPTY;
        for (cell, letter) in self.describe().chars().enumerate() {
            again.cells[cell] = match letter {
                'X' => Some(Player::X),
                'O' => Some(Player::O),
                _ => None,
            };
        }
        again.turn = Player::to_move(&again.cells);
        again.key = again.recompute().map_or(0, |key| key.0 as u64);
        if again == *self { Ok(()) } else { Err(again.describe()) }
    }
    fn describe(&self) -> String {
        let letter = |player: &Option<Player>| player.map_or('.', |p| if p == Player::X { 'X' } else { 'O' });
        self.cells.iter().map(letter).collect()
    }
}

/// Counts finished games and collects positions.
#[derive(Default)]
struct Survey {
    games: u64,
    nodes: u64,
    positions: HashSet<[Option<bool>; 9]>,
    keys: HashSet<u64>,
}

impl Visitor<Board> for Survey {
    type Frame = ();

    fn enter<L: Token>(&mut self, _: L, board: &mut Board, _: u32, _: Option<(&(), Cell)>) {
        self.nodes += 1;
        self.games += u64::from(board.is_over());
        self.positions.insert(board.cells.map(|cell| cell.map(|player| player == Player::X)));
        self.keys.insert(board.key);
    }
    fn open(&mut self, _: &Board) {}
}

fn survey() -> Survey {
    let mut survey = Survey::default();
    walk(Level::detect(), &mut Board::EMPTY.clone(), &mut survey, 9);
    survey
}

fn main() {
    let survey = survey();
    println!("games      {:>7}", survey.games);
    println!("nodes      {:>7}", survey.nodes);
    println!("positions  {:>7}", survey.positions.len());
    println!("keys       {:>7}", survey.keys.len());
    let control = Control::default();
    let mut verify = Verify::new(&[], 9, 0, None, &control);
    walk(Level::detect(), &mut Board::EMPTY.clone(), &mut verify, 9);
    println!("keys compared {}, mismatches {}", verify.found.checks.keys, verify.found.mismatches.len());
}

#[cfg(test)]
mod tests {
    use super::*;
    use perft_gate_simd::V1;

    #[test]
    fn the_whole_tree_has_the_known_numbers() {
        let survey = survey();
        assert_eq!((survey.games, survey.nodes, survey.positions.len()), (255_168, 549_946, 5_478));
    }

    #[test]
    fn every_node_is_verified() {
        let control = Control::default();
        for level in [Level::portable(), Level::detect()] {
            let mut verify = Verify::new(&[], 9, 0, None, &control);
            walk(level, &mut Board::EMPTY.clone(), &mut verify, 9);
            assert_eq!(verify.found.mismatches, []);
            let checks = verify.found.checks;
            assert_eq!((checks.keys, checks.unmakes, checks.round_trips), (549_946, 549_945, 549_946));
        }
    }

    #[test]
    fn the_worked_example() {
        let level = V1::token();
        let mut board = Board::EMPTY;
        for cell in [0, 2, 3] {
            let () = board.play(level, Cell(cell));
        }
        assert_eq!(board.key, 74_505);
        let () = board.play(level, Cell(1));
        assert_eq!(board.key, 68_410);
        board.unmake(level, Cell(1), ());
        assert_eq!(board.key, 74_505);
    }

    #[test]
    fn a_broken_unmake_is_caught() {
        let mut board = Board::EMPTY;
        let () = board.play(V1::token(), Cell(4));
        let kept = board;
        board.unmake(V1::token(), Cell(4), ());
        assert!(board.same(V1::token(), &Board::EMPTY, &mut 0) && !kept.same(V1::token(), &Board::EMPTY, &mut 0));
        board.key ^= 1;
        assert_ne!(board.key(), board.recompute());
    }
}
