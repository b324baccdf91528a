//! Random games: long undo stacks, large clocks and late promotions, which a tree of few plies never reaches.

use crate::game::Game;
use crate::visitor::{Children, Restored, Visitor};
use perft_gate_simd::{Level, Token, kernel};
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// One game of at most `plies` plies, walked like the only line of a tree and then taken back to the root.
#[kernel]
fn play<L: Token, G: Game, V: Visitor<G>>(
    level: L,
    game: &mut G,
    visitor: &mut V,
    plies: u32,
    mut random: ChaCha20Rng,
) {
    let mut made = Vec::with_capacity(plies as usize);
    visitor.enter(level, game, plies, None);
    for depth in (1..=plies).rev() {
        let mut moves = G::Moves::default();
        game.moves_apart(level, &mut moves);
        if moves.is_empty() {
            break;
        }
        let mv = moves[(random.next_u64() % moves.len() as u64) as usize];
        let frame = visitor.open(game);
        visitor.descend(level, game, (&frame, mv), depth);
        let undo = game.play(level, mv);
        visitor.enter(level, game, depth - 1, Some((&frame, mv)));
        made.push((frame, mv, undo, depth));
    }
    while let Some((frame, mv, undo, depth)) = made.pop() {
        game.unmake(level, mv, undo);
        let mut restored = Restored::new(level);
        visitor.after_unmake::<L, false>(level, game, &frame, (depth, mv), &mut restored);
        let children = Children { entered: 1, compared: restored.compared, differ: restored.differences.any() };
        visitor.close(level, game, &frame, depth, children);
    }
    visitor.finish(level);
}

/// Plays game number `number` of `seed` from `root`, at most `plies` plies long.
pub fn playout<G: Game, V: Visitor<G>>(level: Level, root: G, visitor: &mut V, plies: u32, seed: u64, number: u64) {
    let mut random = ChaCha20Rng::seed_from_u64(seed);
    random.set_stream(number);
    play(level, &mut root.clone(), visitor, plies, random);
}
