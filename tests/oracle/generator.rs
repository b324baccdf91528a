//! The independent generator `cozy-chess`, and seeded random positions for tests.

#![allow(dead_code)]

/// Returns the number of leaf nodes. The last ply is counted in bulk.
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

pub fn moves(board: &cozy_chess::Board) -> Vec<cozy_chess::Move> {
    let mut all = Vec::new();
    board.generate_moves(|moves| {
        all.extend(moves);
        false
    });
    all
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

/// Returns a random diagram if it is valid: pieces on the kings' lines, crowds of queens, pawns about to promote, a
/// double push just made, castling rights, or few pieces.
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
    // A double push just made, with possible capturers next to it.
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
                // Sliders and pinned pieces on a king's lines.
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

/// Returns a random position with few pieces, if it is valid: kings near each other or ready to castle, sliders and
/// blockers on a king's lines, pieces near the castling squares, pawns about to promote, and a double push just made.
pub fn sparse(random: &mut impl FnMut() -> u64) -> Option<cozy_chess::Board> {
    use cozy_chess::{BoardBuilder, CastleRights, Color, File, Piece, Rank, Square};
    let mut builder = BoardBuilder::empty();
    let on_board = |file: i64, rank: i64| {
        ((0..8).contains(&file) && (0..8).contains(&rank))
            .then(|| Square::new(File::index(file as usize), Rank::index(rank as usize)))
    };
    // Returns a square at most `distance` files and ranks away from `of`.
    let beside = |of: Square, distance: i64, random: u64| {
        let side = 2 * distance + 1;
        let (df, dr) = (random as i64 % 1024 % side - distance, random as i64 / 1024 % 1024 % side - distance);
        on_board(of.file() as i64 + df, of.rank() as i64 + dr)
    };
    let mut kings = [0, 1].map(|_| Square::index(random() as usize % 64));
    let castling = [random().is_multiple_of(3), random().is_multiple_of(3)];
    let standard = !random().is_multiple_of(4);
    for (color, rank) in [(0, Rank::First), (1, Rank::Eighth)] {
        if castling[color] {
            let file = if standard { File::E } else { File::index(1 + random() as usize % 6) };
            kings[color] = Square::new(file, rank);
        }
    }
    // Place a king near the other king, or near the other king's castling squares.
    let near = random() as usize % 4;
    if near < 2 && !castling[near] {
        let other = kings[1 - near];
        let shift = if castling[1 - near] { (random() % 7) as i64 - 3 } else { 0 };
        kings[near] = beside(on_board(other.file() as i64 + shift, other.rank() as i64)?, 3, random())?;
    }
    let [a, b] = kings;
    if (a.file() as i64).abs_diff(b.file() as i64) < 2 && (a.rank() as i64).abs_diff(b.rank() as i64) < 2 {
        return None;
    }
    builder.side_to_move = if random().is_multiple_of(2) { Color::White } else { Color::Black };
    for (color, king) in [Color::White, Color::Black].into_iter().zip(kings) {
        builder.board[king as usize] = Some((Piece::King, color));
    }
    for color in [Color::White, Color::Black].into_iter().filter(|&color| castling[color as usize]) {
        let (king, mut rights) = (kings[color as usize], CastleRights::EMPTY);
        let sides = 1 + random() % 3;
        let mut rook = |file: u64| {
            let (file, square) = (File::index(file as usize), Square::new(File::index(file as usize), king.rank()));
            let free = builder.board[square as usize].is_none();
            free.then(|| builder.board[square as usize] = Some((Piece::Rook, color))).map(|()| file)
        };
        let file = king.file() as u64;
        if sides & 1 != 0 {
            rights.short = rook(if standard { 7 } else { file + 1 + random() % (7 - file) });
        }
        if sides & 2 != 0 {
            rights.long = rook(if standard { 0 } else { random() % file });
        }
        builder.castle_rights[color as usize] = rights;
    }
    if random().is_multiple_of(5) {
        let (mover, file) = (!builder.side_to_move, (random() % 8) as i64);
        let rank = |n: usize| Rank::index(n).relative_to(mover) as i64;
        let at = |n: usize| on_board(file, rank(n)).expect("a file of the board");
        if [1, 2, 3].iter().all(|&n| builder.board[at(n) as usize].is_none()) {
            builder.board[at(3) as usize] = Some((Piece::Pawn, mover));
            builder.en_passant = Some(at(2));
            let captor = on_board(file + if random().is_multiple_of(2) { 1 } else { -1 }, rank(3));
            if let Some(captor) = captor.filter(|&captor| builder.board[captor as usize].is_none()) {
                builder.board[captor as usize] = Some((Piece::Pawn, !mover));
            }
        }
    }
    // If true, each side has a king, at most one more piece, and any number of pawns.
    let few = random().is_multiple_of(4) && !castling[0] && !castling[1];
    let mut pieces = [0, 0];
    let mut put = |builder: &mut BoardBuilder, place: Square, piece: Piece, color: Color| {
        let is_pawn = piece == Piece::Pawn;
        let on_back_rank = matches!(place.rank(), Rank::First | Rank::Eighth);
        let on_its_way = builder.en_passant.is_some_and(|behind| behind.file() == place.file());
        let too_many = few && !is_pawn && pieces[color as usize] == 1;
        let is_out = is_pawn && on_back_rank || on_its_way || too_many;
        if builder.board[place as usize].is_none() && !is_out {
            builder.board[place as usize] = Some((piece, color));
            pieces[color as usize] += usize::from(!is_pawn);
        }
    };
    const WAYS: [(i64, i64); 8] = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1), (1, -1), (-1, 1)];
    let colors = [Color::White, Color::Black];
    // Add sliders that face a king, with up to two pieces in between.
    for _ in 0..[0, 0, 1, 1, 1, 2][random() as usize % 6] {
        let (of, way) = (random() as usize % 2, random() as usize % 8);
        let (king, (df, dr)) = (kings[of], WAYS[way]);
        let at = |steps: i64| on_board(king.file() as i64 + df * steps, king.rank() as i64 + dr * steps);
        let sniper = 2 + (random() % 6) as i64;
        let piece = match (random().is_multiple_of(3), way < 4) {
            (true, _) => Piece::Queen,
            (false, true) => Piece::Rook,
            (false, false) => Piece::Bishop,
        };
        let Some(place) = at(sniper) else { continue };
        put(&mut builder, place, piece, colors[1 - of]);
        for _ in 0..random() % 3 {
            let place = at(1 + (random() % (sniper as u64 - 1)) as i64).expect("a square nearer than the slider's");
            let piece = if random().is_multiple_of(2) { Piece::Pawn } else { Piece::index(random() as usize % 5) };
            put(&mut builder, place, piece, colors[random() as usize % 2]);
        }
    }
    for _ in 0..random() % 7 {
        let king = kings[random() as usize % 2];
        let (color, piece) = (colors[random() as usize % 2], Piece::index(random() as usize % 5));
        let piece = if few && random().is_multiple_of(2) { Piece::Pawn } else { piece };
        let place = match random() % 5 {
            0 => Some(Square::index(random() as usize % 64)),
            1 => beside(king, 2, random()),
            2 => on_board((random() % 8) as i64, king.rank() as i64 + (random() % 5) as i64 - 2),
            3 if piece == Piece::Pawn => {
                let rank = Rank::index([1, 3, 4, 6][random() as usize % 4]);
                on_board((random() % 8) as i64, rank.relative_to(color) as i64)
            }
            _ => {
                let (steps, (df, dr)) = (1 + (random() % 7) as i64, WAYS[random() as usize % 8]);
                on_board(king.file() as i64 + df * steps, king.rank() as i64 + dr * steps)
            }
        };
        if let Some(place) = place {
            put(&mut builder, place, piece, color);
        }
    }
    builder.build().ok()
}
