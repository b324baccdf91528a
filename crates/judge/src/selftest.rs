//! Proof that the batched key check can fail: it must notice planted errors at every SIMD level and in every scheme.
//!
//! The proof appends the boards of a game with their keys to a batch, as the walk does. They must pass. Then the proof
//! damages one thing at a time: a bit of each key, each square of a board after `make`, and for each square a row of
//! the kernel's tables. If make and recompute share a wrong index, all keys agree, and only a known golden key differs.

use perft_gate_chess::{Board, Fen, Move, Square, legal_moves};
use perft_gate_simd::{Level, Token, kernel};
use perft_gate_walk::{Game, Position, board_after};
use perft_gate_zobrist::{BATCH, KeyBatch, KeyTables, ListTracker, Scheme, Spoilt, TrackedKeys, WrongEntry};

/// Number of planted errors of each kind that were noticed.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Proof {
    /// Number of correct boards that were not reported.
    pub passed: usize,
    /// Number of flipped key bits, each reported at its board and part of the key.
    pub bits: usize,
    /// Number of changed squares, each reported at its board.
    pub squares: usize,
    /// Number of corrupted table rows that were reported.
    pub rows: usize,
    /// Number of wrong indices shared by make and recompute. Only a golden key (known in advance) shows them.
    pub indices: usize,
}

/// Number of boards in the game: three full batches and a remainder.
const BOARDS: usize = 3 * BATCH + 4;

fn start() -> Board {
    Fen::parse(Fen::KIWIPETE).expect("a legal position")
}

/// Returns the moves of a game that starts from a position with every kind of move, and the board after each move.
fn game() -> (Vec<Move>, Vec<Board>) {
    let mut board = start();
    let choose = |ply: usize| {
        let legal = legal_moves(&board);
        let mv = legal[ply * 7 % legal.len()];
        board = board_after(&board, mv);
        (mv, board)
    };
    (0..BOARDS).map(choose).unzip()
}

/// Kernel that plays the game, damages one board if requested, and returns the errors that the batch finds.
#[kernel]
fn play_game<L: Token>(
    level: L,
    tracker: ListTracker<'_>,
    kernels: &KeyTables,
    moves: &[Move],
    spoilt: Option<(usize, Spoilt)>,
) -> Vec<WrongEntry> {
    let mut batch = KeyBatch::default();
    for table in &kernels.parts {
        batch.add(Some(table));
    }
    let mut position = Position::new(start(), tracker);
    position.set_reference(level, &mut batch);
    let mut wrong = Vec::new();
    for (number, &mv) in moves.iter().enumerate() {
        let _ = position.play(level, mv);
        let at = batch.place();
        let next = position.append(level, &mut batch, at);
        if let Some((spoilt, how)) = spoilt
            && spoilt == number
        {
            batch.spoil(at, how);
        }
        batch.advance(next);
        wrong.extend(batch.make_room(level));
    }
    wrong.extend(batch.compare(level));
    wrong
}

/// Inputs for the proof of a scheme.
struct Prove<'a> {
    level: Level,
    key_tables: &'a KeyTables,
    moves: &'a [Move],
    /// The board after each move.
    boards: &'a [Board],
}

impl Prove<'_> {
    fn prove(&self, scheme: &Scheme) -> Result<Proof, String> {
        let Prove { level, key_tables, moves, boards } = *self;
        let castling = scheme.axes.expect("axes, since there are keys").castling;
        let keys = TrackedKeys::new(key_tables, castling);
        let tracker = ListTracker::new(&keys);
        let play = |kernels, spoilt| play_game(level, tracker, kernels, moves, spoilt);
        let mut proof = Proof::default();
        match play(key_tables, None).first() {
            None => proof.passed = moves.len(),
            Some(wrong) => return Err(format!("board {} is right but was reported", wrong.ordinal)),
        }
        // The flipped bits cover every place in a batch and every bit of a key.
        for number in 0..moves.len() {
            for (part, part_table) in key_tables.parts.iter().enumerate() {
                let bit = number * 11 % part_table.mask.count_ones() as usize;
                match play(key_tables, Some((number, Spoilt::Key { part, bit })))[..] {
                    [wrong] if (wrong.ordinal, wrong.part) == (number as u64, part) => proof.bits += 1,
                    ref found => return Err(format!("bit {bit} of key {number} was flipped; found {found:?}")),
                }
            }
        }
        for square in 0..64 {
            let number = square % BATCH;
            match play(key_tables, Some((number, Spoilt::Square(square))))[..] {
                [wrong] if wrong.ordinal == number as u64 => proof.squares += 1,
                ref found => return Err(format!("square {square} was changed; found {found:?}")),
            }
        }
        for square in 0..64 {
            let board = &boards[square % BATCH];
            let code = board.code(Square::new(square as u32));
            let corrupted = key_tables.corrupt(square, code);
            let wrong = play_game(level, tracker, &corrupted, moves, None);
            // The corruption must be reported at the board that has this piece on this square, or at an earlier board.
            match wrong.first() {
                Some(wrong) if wrong.ordinal <= (square % BATCH) as u64 => proof.rows += 1,
                _ => return Err(format!("the row of {code:?} on square {square} was corrupted, and nothing noticed")),
            }
        }
        Ok(proof)
    }
}

/// Proves that the batched key check notices planted errors. **Errors**: a text that says what was not noticed.
pub fn prove(level: Level, scheme: &Scheme) -> Result<Proof, String> {
    let key_tables = scheme.key_tables(0).ok_or("the scheme has no keys")?;
    let (moves, boards) = game();
    let run = |key_tables: &KeyTables| Prove { level, key_tables, moves: &moves, boards: &boards }.prove(scheme);
    let mut proof = run(&key_tables)?;
    // If make and recompute use the same wrong index, only a golden key (known in advance) reveals it.
    const RIGHTS: &str = "r3k2r/8/8/8/8/8/8/R3K2R w KQ - 0 1";
    if let Some(golden) = scheme.golden(RIGHTS) {
        let board = Fen::parse(RIGHTS).map_err(|error| error.to_string())?;
        if scheme.text(key_tables.key(&board)) != golden {
            return Err(format!("the key of '{RIGHTS}' is not the golden {golden}"));
        }
        let swapped = key_tables.with_swapped_rights();
        if run(&swapped)? != proof || scheme.text(swapped.key(&board)) == golden {
            return Err("swapped rights were not found by the golden key alone".into());
        }
        proof.indices = 1;
    }
    Ok(proof)
}

#[cfg(test)]
mod tests {
    use super::BOARDS;
    use perft_gate_judge::selftest::prove;
    use perft_gate_simd::Level;
    use perft_gate_zobrist::{PRESETS, Scheme};

    #[test]
    fn every_scheme_notices_all_damage_on_every_level() {
        let combinations = [
            "width=128",
            "width=32",
            "combine=add,width=2x32",
            "combine=add,width=128",
            "pieces=rotate,width=128",
            "pieces=gf64,castling=c5,ep=e17,side=s2,policy=always",
            "pieces=overlap-bytes,combine=add,castling=c4,ep=e65",
        ];
        let combinations = combinations.map(|text| Scheme::parse(text, false).unwrap());
        let presets = PRESETS.iter().filter(|preset| preset.number_of_keys() > 0);
        println!("levels run: {:?}", Level::all());
        for scheme in presets.chain(&combinations) {
            for level in Level::all() {
                let proof = prove(level, scheme).unwrap_or_else(|error| panic!("{level} {}: {error}", scheme.name));
                assert_eq!((proof.passed, proof.squares, proof.rows), (BOARDS, 64, 64), "{level} {}", scheme.name);
                assert_eq!(proof.bits % BOARDS, 0);
            }
        }
    }
}
