//! The independent generator, `cozy-chess`, and seeded random choices for tests.

#![allow(dead_code)]

/// Leaf nodes, the last ply counted from the sets of moves.
pub fn perft(board: &cozy_chess::Board, depth: u32) -> u128 {
    let mut nodes = 0;
    board.generate_moves(|moves| {
        if depth == 1 {
            nodes += moves.len() as u128;
            return false;
        }
        for mv in moves {
            let mut child = board.clone();
            child.play_unchecked(mv);
            nodes += perft(&child, depth - 1);
        }
        false
    });
    nodes
}

/// SplitMix64 (Steele, Lea, Flood 2014).
pub fn random(seed: u64) -> impl FnMut() -> u64 {
    let mut state = seed;
    move || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (state ^ state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }
}

/// A random diagram, if it is a position: pieces on lines with the kings, crowds of queens, pawns before their last rank,
/// double pushes just made, castling rights, or nearly nobody.
pub fn diagram(random: &mut impl FnMut() -> u64) -> Option<cozy_chess::Board> {
    use cozy_chess::{BoardBuilder, CastleRights, Color, File, Piece, Rank, Square};
    let mut builder = BoardBuilder::empty();
    let square = |random: u64| Square::index((random % 64) as usize);
    let style = random() % 8;
    let castles = style == 0 || random().is_multiple_of(4);
    let mut kings = [square(random()), square(random())];
    if castles {
        let files = [random() % 6 + 1, random() % 6 + 1];
        let standard = random().is_multiple_of(2);
        let file = |i: usize| if standard { File::E } else { File::index(files[i] as usize) };
        kings = [Square::new(file(0), Rank::First), Square::new(file(1), Rank::Eighth)];
    }
    let put = |builder: &mut BoardBuilder, square: Square, piece: (Piece, Color)| {
        let free = builder.board[square as usize].is_none();
        if free {
            builder.board[square as usize] = Some(piece);
        }
        free
    };
    let apart = |a: usize, b: usize| a.abs_diff(b) > 1;
    let [a, b] = kings;
    if !apart(a.file() as usize, b.file() as usize) && !apart(a.rank() as usize, b.rank() as usize) {
        return None;
    }
    for (king, color) in kings.into_iter().zip([Color::White, Color::Black]) {
        if !put(&mut builder, king, (Piece::King, color)) {
            return None;
        }
    }
    builder.side_to_move = if random().is_multiple_of(2) { Color::White } else { Color::Black };
    if castles {
        for (king, color) in kings.into_iter().zip([Color::White, Color::Black]) {
            let mut rights = CastleRights::EMPTY;
            let (king_file, back) = (king.file() as u64, king.rank());
            if !random().is_multiple_of(4) && king_file < 7 {
                let file = File::index((king_file + 1 + random() % (7 - king_file)) as usize);
                if put(&mut builder, Square::new(file, back), (Piece::Rook, color)) {
                    rights.short = Some(file);
                }
            }
            if !random().is_multiple_of(4) && king_file > 0 {
                let file = File::index((random() % king_file) as usize);
                if put(&mut builder, Square::new(file, back), (Piece::Rook, color)) {
                    rights.long = Some(file);
                }
            }
            builder.castle_rights[color as usize] = rights;
        }
    }
    let mut left = [15_u32 - 2 * u32::from(castles), 15 - 2 * u32::from(castles)];
    let mut pawns = [8, 8];
    let mut add = |builder: &mut BoardBuilder, square: Square, piece: Piece, color: Color| {
        let (left, pawns) = (&mut left[color as usize], &mut pawns[color as usize]);
        let pawn_fits = *pawns > 0 && !matches!(square.rank(), Rank::First | Rank::Eighth);
        if *left > 0 && (piece != Piece::Pawn || pawn_fits) && put(builder, square, (piece, color)) {
            *left -= 1;
            *pawns -= u32::from(piece == Piece::Pawn);
        }
    };
    let color = |random: u64| if random.is_multiple_of(2) { Color::White } else { Color::Black };
    let any = |random: u64| Piece::index((random % 5) as usize);
    // A double push, as if just made, with captors beside it.
    if random().is_multiple_of(3) {
        let mover = !builder.side_to_move;
        let file = random() % 8;
        let rank = |n: usize| Rank::index(n).relative_to(mover);
        let at = |file: u64, n: usize| Square::new(File::index(file as usize), rank(n));
        add(&mut builder, at(file, 3), Piece::Pawn, mover);
        for beside in [file.wrapping_sub(1), file + 1] {
            if beside < 8 && !random().is_multiple_of(4) {
                add(&mut builder, at(beside, 3), Piece::Pawn, !mover);
            }
        }
        let free = |n: usize| builder.board[at(file, n) as usize].is_none();
        if free(1) && free(2) && builder.board[at(file, 3) as usize] == Some((Piece::Pawn, mover)) {
            builder.en_passant = Some(at(file, 2));
        }
    }
    let pieces = match style {
        1 => random() % 4,
        2 => 24 + random() % 7,
        _ => 4 + random() % 20,
    };
    for _ in 0..pieces {
        let (to, color) = (square(random()), color(random()));
        if builder.en_passant.is_some_and(|behind| to.file() == behind.file()) {
            continue;
        }
        match style {
            3 => add(&mut builder, to, Piece::Queen, color),
            4 => {
                let rank = Rank::index(if random().is_multiple_of(2) { 6 } else { 1 }).relative_to(color);
                add(&mut builder, Square::new(to.file(), rank), Piece::Pawn, color);
            }
            5 => {
                // On a line with a king: sliders, and pieces that they pin.
                let king = kings[(random() % 2) as usize];
                let steps = random() % 7 + 1;
                let (df, dr) = [(1, 0), (0, 1), (1, 1), (1, -1)][(random() % 4) as usize];
                let sign = if random().is_multiple_of(2) { 1 } else { -1 };
                let file = king.file() as i64 + sign * df * steps as i64;
                let rank = king.rank() as i64 + sign * dr * steps as i64;
                if (0..8).contains(&file) && (0..8).contains(&rank) {
                    let to = Square::new(File::index(file as usize), Rank::index(rank as usize));
                    add(&mut builder, to, if random().is_multiple_of(2) { Piece::Queen } else { any(random()) }, color);
                }
            }
            _ => add(&mut builder, to, any(random()), color),
        }
    }
    builder.build().ok()
}
