//! Compares our position classes with those of `shakmaty`, on diagrams that no game leads to and on game positions.

use super::generator;
use perft_gate_chess::{Fen, legal_moves};
use perft_gate_count::leaves;
use perft_gate_simd::Level;
use perft_gate_suite::{self as suite, Class};
use perft_gate_walk::Control;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position as _, PositionError, PositionErrorKinds as Kinds};
use std::collections::BTreeMap;

const SEED: u64 = 20_261_123;

/// A diagram that ignores the rules: pieces anywhere, sometimes too many, and random castling rights and e.p. squares.
fn strange(random: &mut impl FnMut() -> u64) -> String {
    let mut squares = [b' '; 64];
    let pieces = match random() % 8 {
        0 => 30 + random() % 8,
        _ => 2 + random() % 26,
    };
    for _ in 0..pieces {
        let at = random() as usize % 64;
        let is_back = !(8..56).contains(&at);
        let letters: &[u8] = if is_back && !random().is_multiple_of(32) { b"NBRQnbrq" } else { b"PPPPNBRQppppnbrq" };
        squares[at] = letters[random() as usize % letters.len()];
    }
    for king in *b"Kk" {
        let home = if king == b'K' { 4 } else { 60 };
        let at = if random().is_multiple_of(2) { home } else { random() as usize % 64 };
        squares[at] = if random().is_multiple_of(40) { b' ' } else { king };
    }
    for (corner, rook) in [(0, b'R'), (7, b'R'), (56, b'r'), (63, b'r')] {
        if random().is_multiple_of(2) {
            squares[corner] = rook;
        }
    }
    let ranks: Vec<String> = squares
        .rchunks(8)
        .map(|rank| {
            let text: String = rank.iter().map(|&man| man as char).collect();
            (1..=8).rev().fold(text, |text, gap| text.replace(&" ".repeat(gap), &gap.to_string()))
        })
        .collect();
    let (turn, rank) = if random().is_multiple_of(2) { ('w', 6) } else { ('b', 3) };
    let castling = ["-", "-", "KQkq", "K", "kq"][random() as usize % 5];
    let file = b'a' + (random() % 8) as u8;
    let en_passant = if random().is_multiple_of(4) { format!("{}{rank}", file as char) } else { "-".into() };
    format!("{} {turn} {castling} {en_passant} 0 1", ranks.join("/"))
}

/// Returns the class according to `shakmaty` (`Plausible` if accepted), and the position itself unless it is illegal.
fn by_shakmaty(fen: &str) -> (Class, Option<Chess>) {
    let setup: shakmaty::fen::Fen = fen.parse().unwrap();
    let illegal = Kinds::EMPTY_BOARD
        | Kinds::MISSING_KING
        | Kinds::TOO_MANY_KINGS
        | Kinds::PAWNS_ON_BACKRANK
        | Kinds::OPPOSITE_CHECK;
    let read: Result<Chess, PositionError<Chess>> = setup.into_position(CastlingMode::Chess960);
    match read {
        Ok(position) => (Class::Plausible, Some(position)),
        Err(error) if error.kinds().intersects(illegal) => (Class::Illegal, None),
        Err(error) => {
            let position = error
                .ignore_too_much_material()
                .or_else(PositionError::ignore_impossible_check)
                .or_else(PositionError::ignore_invalid_castling_rights)
                .or_else(PositionError::ignore_invalid_ep_square);
            (Class::Tolerated, Some(position.unwrap()))
        }
    }
}

#[test]
fn strange_diagrams_have_the_class_that_shakmaty_gives_them() {
    let mut random = generator::random(SEED);
    let mut found = BTreeMap::new();
    for _ in 0..20_000 {
        let fen = strange(&mut random);
        let row = suite::parse(&fen).unwrap_or_else(|error| panic!("'{fen}': {error}")).remove(0);
        let (class, reason) = row.class();
        let (expected, theirs) = by_shakmaty(&fen);
        // `shakmaty` does not check whether a game can lead to a position, so `Plausible` counts as `Legal` here.
        let comparable = class.max(Class::Legal);
        assert_eq!(comparable, expected.max(Class::Legal), "'{fen}': {reason:?}");
        // Our boards hold at most 16 pieces of each side.
        let placement = fen.split(' ').next().unwrap();
        let is_held = |is_own: fn(&char) -> bool| placement.chars().filter(is_own).count() <= 16;
        let are_held = is_held(char::is_ascii_uppercase) && is_held(char::is_ascii_lowercase);
        assert_eq!(row.position.is_ok(), class != Class::Illegal && are_held, "'{fen}'");
        *found.entry((class, row.position.is_ok())).or_insert(0) += 1;
        let (Ok(board), Some(theirs)) = (&row.position, theirs) else { continue };
        let expected = shakmaty::perft(&theirs, 2);
        assert_eq!(legal_moves(board).len(), theirs.legal_moves().len(), "'{fen}'");
        for level in [Level::portable(), Level::detect()] {
            assert_eq!(leaves(board, 2, level, &Control::default()).nodes, expected.into(), "'{fen}' on level {level}");
        }
    }
    // Each class occurs often enough to be meaningful.
    for class in [
        (Class::Plausible, true),
        (Class::Legal, true),
        (Class::Tolerated, true),
        (Class::Tolerated, false),
        (Class::Illegal, false),
    ] {
        assert!(found.get(&class).is_some_and(|&number| number >= 50), "{class:?}: {found:?}");
    }
}

#[test]
fn every_position_of_a_game_is_plausible() {
    let mut random = generator::random(SEED);
    let (mut positions, mut with_double_check) = (0, 0);
    while positions < 150_000 {
        let mut game = Chess::default();
        for _ in 0..400 {
            let moves = game.legal_moves();
            if moves.is_empty() {
                break;
            }
            let after = |mv: &shakmaty::Move| {
                let mut game = game.clone();
                game.play_unchecked(*mv);
                game
            };
            // Prefer captures, pawn moves and double checks, because the conditions for `Plausible` are about them.
            let wild: Vec<_> = moves.iter().filter(|mv| mv.is_capture() || mv.role() == shakmaty::Role::Pawn).collect();
            let choice = match random() % 4 {
                0 => moves.iter().find(|mv| after(mv).checkers().count() > 1),
                1 if !wild.is_empty() => Some(wild[random() as usize % wild.len()]),
                _ => None,
            };
            game = after(choice.unwrap_or(&moves[random() as usize % moves.len()]));
            with_double_check += usize::from(game.checkers().count() > 1);
            let fen = shakmaty::fen::Fen::from_position(&game, EnPassantMode::Always).to_string();
            let row = suite::parse(&fen).unwrap().remove(0);
            assert_eq!(row.class(), (Class::Plausible, None), "'{fen}'");
            assert!(Fen::parse(&fen).is_ok());
            positions += 1;
        }
    }
    assert!(with_double_check >= 60, "{with_double_check} double checks in {positions} positions");
}

#[test]
fn every_first_position_of_chess960_is_plausible() {
    for number in 0..960 {
        let board = cozy_chess::Board::chess960_startpos(number).to_string();
        let placement = board.split(' ').next().unwrap();
        for rights in ["KQkq", "-"] {
            let fen = format!("{placement} w {rights} - 0 1");
            assert_eq!(suite::parse(&fen).unwrap().remove(0).class(), (Class::Plausible, None), "{fen}");
        }
    }
}
