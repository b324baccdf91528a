//! Identity check (V5): equal positions must have equal keys, and different positions must have different keys.
//!
//! The leaves of a tree and their keys are put into a set. If a position occurs with two keys, the key depends on
//! something outside the position. If there are fewer keys than positions, some positions share a key. If make and
//! recompute use the same wrong index, this check detects it, but comparing make with recompute does not.
//!
//! That comparison (V2) is made at every node of the tree. So a key depends only on the board, not on the path, and one
//! path per position is enough. [`unique`] finds the positions one ply above the leaves. Positions that differ only in
//! an unusable e.p. square stay separate, but clocks are ignored. The moves from these positions lead to the leaves and
//! their keys. The multiplicities of the leaves must add up to the number of leaves of the verified walk. If not, the
//! check is incomplete. Visiting every path would take 1.45 times as many instructions on the `quick` suite.

use crate::count::unique;
use crate::entries::{Positions, entry_of, position_of};
use crate::error::UniqueError;
use crate::expand::put_children;
use crate::frontier::Frontier;
use crate::options::UniqueOptions;
use crate::ply::expected_lost;
use crate::set::{Entry, Full, Set, Shard, Summary, Writer, hash};
use crate::sink::PutPosition;
use crate::store::Store;
use perft_gate_chess::{Board, DENSE_WORDS, EnPassantPolicy, Packed};
use perft_gate_simd::{Level, Token, V1, inline_all};
use perft_gate_walk::{Control, Game, Position};
use perft_gate_zobrist::{Key, KeyTables, Scheme, SchemeVisitor, Tracker};
use rayon::prelude::*;

/// Number of 32-bit words in an entry: a position, its key, and how often the pair occurred.
const PAIR: usize = DENSE_WORDS + 4 + 1;

/// If fewer collisions than this are expected by chance, any collision is an error.
const BY_CHANCE: f64 = 1e-3;

/// Error found in the keys of a ply's positions.
#[perft_gate_chess::document(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", serde(tag = "kind", rename_all = "kebab-case"))]
pub enum Clash {
    /// One position with two keys.
    TwoKeys {
        /// The position.
        position: Packed,
        /// Its keys.
        keys: [Key; 2],
    },
    /// One key that two positions share.
    SharedKey {
        /// The key.
        key: Key,
        /// The positions.
        positions: [Packed; 2],
    },
}

/// Result of comparing the positions of a ply with their keys.
#[perft_gate_chess::document(Clone, PartialEq, Debug)]
pub struct Identity {
    /// Name of the scheme.
    pub scheme: String,
    /// Number of the ply.
    pub ply: u32,
    /// Number of different positions under the scheme's e.p. policy.
    pub positions: u64,
    /// Number of different keys.
    pub keys: u64,
    /// Number of leaves whose positions and keys were compared.
    pub leaves: u64,
    /// Number of positions that are expected to share a key by chance.
    pub expected_lost: f64,
    /// A position with two keys, if there is one. Otherwise, two positions with the same key, if there are any.
    pub clash: Option<Clash>,
    /// True if the clash cannot be explained by chance.
    pub is_wrong: bool,
}

/// Sink that puts positions into the set, with their keys.
struct Pairs<'t> {
    writer: Writer<'t, PAIR>,
    policy: EnPassantPolicy,
}

#[inline_all]
impl PutPosition for Pairs<'_> {
    fn put<L: Token, T: Tracker>(&mut self, level: L, position: &Position<T>, count: u128) -> Result<(), Full> {
        let key = position.key().expect("a tracker with a key");
        self.writer.insert(&pair_of(level, Packed::new(position.board(), self.policy), key), count)
    }
}

/// Makes the leaves from the positions one ply above them, with a tracker that is not chosen yet.
struct LastPly<'a> {
    above: &'a Frontier,
    level: Level,
    control: &'a Control,
    policy: EnPassantPolicy,
    set: &'a Set<PAIR>,
}

impl SchemeVisitor for LastPly<'_> {
    type Output = Result<(), Full>;

    fn visit<T: Tracker>(self, tracker: T) -> Self::Output {
        let LastPly { above, level, control, policy, set } = self;
        let pieces: Vec<_> = above.all_pieces().collect();
        let put = |pieces: &[Positions<'_>]| {
            let mut pairs = Pairs { writer: set.writer(level), policy };
            for piece in pieces.iter().take_while(|_| !control.is_stopped()) {
                put_children(level, piece.clone(), tracker, &mut pairs)?;
            }
            pairs.writer.finish()
        };
        pieces.par_chunks(pieces.len().div_ceil(8 * rayon::current_num_threads()).max(1)).map(put).collect()
    }
}

fn pair_of<L: Token>(level: L, position: Packed, key: Key) -> Entry<PAIR> {
    let mut pair = entry_of(level, position);
    for (word, at) in pair[DENSE_WORDS..].iter_mut().zip([0, 32, 64, 96]) {
        *word = (key.0 >> at) as u32;
    }
    pair
}

fn key_of(pair: &Entry<PAIR>) -> Key {
    Key((0..4).fold(0, |key, at| key | u128::from(pair[DENSE_WORDS + at]) << (32 * at)))
}

/// Memory limit for the positions above the leaves. The gate's 20 million leaves need far less.
const MEMORY: usize = 2 << 30;

/// Identity check of the leaves of one tree: for each scheme, one key per position and one position per key.
#[derive(Debug)]
pub struct IdentityCheck<'a> {
    board: &'a Board,
    depth: u32,
    level: Level,
    /// The positions one ply above the leaves, once they are counted.
    above: Option<Frontier>,
}

impl<'a> IdentityCheck<'a> {
    /// Returns a check of the leaves that are `depth` plies below `board`. `depth` must be at least one.
    pub fn new(board: &'a Board, depth: u32, level: Level) -> IdentityCheck<'a> {
        assert!(depth > 0, "no position is above the root");
        IdentityCheck { board, depth, level, above: None }
    }

    /// Compares the positions of the leaves with their keys. Returns `None` if the check was stopped. `key_tables` are
    /// the tables of the scheme, or a copy of them with a planted error.
    ///
    /// **Errors**: there is not enough memory.
    pub fn identity(
        &mut self,
        scheme: &Scheme,
        key_tables: &KeyTables,
        control: &Control,
    ) -> Result<Option<Identity>, UniqueError> {
        let IdentityCheck { board, depth, level, .. } = *self;
        if self.above.is_none() {
            let options = UniqueOptions::new(EnPassantPolicy::Always, level, MEMORY);
            let options = UniqueOptions { keep: true, groups: false, ..options };
            let above = unique(board, depth - 1, &options, control, &mut |_| {})?;
            self.above = above.frontier.filter(|_| !above.interrupted);
        }
        let Some(above) = &self.above else { return Ok(None) };
        // Each move adds at most one pair of a position and its key.
        let set = Set::new(above.moves(level).moves as usize)?;
        let last_ply = LastPly { above, level, control, policy: scheme.policy(), set: &set };
        let put = scheme.visit_dynamic_over(key_tables, last_ply);
        if control.is_stopped() {
            return Ok(None);
        }
        put.expect("room for every pair");
        let parts = set.into_parts();
        let leaves = Summary::new(&parts).total as u64;
        let (positions, keys, clash) = compare_pairs(&parts);
        let bits = scheme.axes.map_or(64, |axes| axes.effective_bits());
        let (scheme, expected_lost) = (scheme.name.to_string(), expected_lost(positions, bits));
        let is_wrong = clash.is_some_and(|clash| matches!(clash, Clash::TwoKeys { .. }) || expected_lost < BY_CHANCE);
        Ok(Some(Identity { scheme, ply: depth, positions, keys, leaves, expected_lost, clash, is_wrong }))
    }
}

/// Compares all (position, key) pairs. Returns the numbers of different positions and keys, and the first error found.
fn compare_pairs(parts: &[Shard<PAIR>]) -> (u64, u64, Option<Clash>) {
    let pairs = || parts.iter().flat_map(|part| part.entries(0..part.slots()).map(|(pair, _)| pair));
    let keys = sorted(parts, |pair| key_of(pair).0);
    let distinct = keys.chunk_by(u128::eq).count() as u64;
    let hashes = sorted(parts, |pair| hash::<{ DENSE_WORDS + 1 }>(pair.first_chunk().expect("a position and more")));
    let mut positions = hashes.len() as u64;
    // Different hashes belong to different positions, and equal hashes nearly always belong to the same position.
    if hashes.windows(2).any(|hashes| hashes[0] == hashes[1]) {
        let same = |one: &&Entry<PAIR>, other: &&Entry<PAIR>| one[..DENSE_WORDS] == other[..DENSE_WORDS];
        let mut pairs: Vec<&Entry<PAIR>> = pairs().collect();
        pairs.par_sort_unstable();
        positions = pairs.chunk_by(same).count() as u64;
        if let Some(twice) = pairs.windows(2).find(|pairs| same(&pairs[0], &pairs[1])) {
            let (position, keys) = (position_of(V1::token(), twice[0]), [key_of(twice[0]), key_of(twice[1])]);
            return (positions, distinct, Some(Clash::TwoKeys { position, keys }));
        }
    }
    let shared = keys.windows(2).find(|keys| keys[0] == keys[1]).map(|keys| Key(keys[0]));
    let shared_key = |key| {
        let mut positions = pairs().filter(|pair| key_of(pair) == key).map(|pair| position_of(V1::token(), pair));
        Some(Clash::SharedKey { key, positions: [positions.next()?, positions.next()?] })
    };
    (positions, distinct, shared.and_then(shared_key))
}

/// Computes a value for each pair, and returns the values in ascending order.
fn sorted<V: Ord + Copy + Send>(parts: &[Shard<PAIR>], value: impl Fn(&Entry<PAIR>) -> V + Sync) -> Vec<V> {
    let of_part = |part: &Shard<PAIR>| part.entries(0..part.slots()).map(|(pair, _)| value(pair)).collect();
    let mut values = parts.par_iter().map(of_part).collect::<Vec<Vec<V>>>().concat();
    values.par_sort_unstable();
    values
}

#[cfg(test)]
mod tests {
    use super::{PAIR, compare_pairs, pair_of};
    use crate::set::Set;
    use perft_gate_chess::{EnPassantPolicy, Fen, Packed};
    use perft_gate_simd::{Level, V1};
    use perft_gate_unique::identity::{Clash, Identity, IdentityCheck};
    use perft_gate_unique::{UniqueOptions, unique};
    use perft_gate_walk::Control;
    use perft_gate_zobrist::{Key, KeyTables, Scheme, preset};

    const KNIGHTS: &str = "4k3/8/2n5/8/3p4/5N2/4P3/4K3 w - - 0 1";

    fn judged(fen: &str, depth: u32, scheme: &Scheme, spoil: impl Fn(&mut KeyTables)) -> Identity {
        let mut key_tables = scheme.key_tables(0).unwrap();
        spoil(&mut key_tables);
        let (board, control) = (Fen::parse(fen).unwrap(), Control::default());
        let leaves = perft_gate_count::leaves(&board, depth, Level::detect(), &control).nodes as u64;
        let mut check = IdentityCheck::new(&board, depth, Level::detect());
        let found = check.identity(scheme, &key_tables, &control).unwrap().unwrap();
        assert_eq!(found.leaves, leaves);
        found
    }

    #[test]
    fn sound_keys_are_as_many_as_positions() {
        for name in ["cpw793", "polyglot", "rustic851", "gf64", "additive48", "dual32"] {
            let scheme = preset(name).unwrap();
            for (fen, depth) in [(Fen::START, 4), (Fen::KIWIPETE, 3), (KNIGHTS, 4)] {
                let found = judged(fen, depth, scheme, |_| {});
                let options = UniqueOptions::new(scheme.policy(), Level::detect(), 1 << 30);
                let counted = unique(&Fen::parse(fen).unwrap(), depth, &options, &Control::default(), &mut |_| {});
                assert_eq!(found.positions, counted.unwrap().plies[depth as usize].positions.distinct, "{fen}");
                assert!(found.clash.is_none() && found.keys == found.positions && !found.is_wrong, "{found:?}");
            }
        }
    }

    #[test]
    fn two_rights_that_share_a_word_are_caught() {
        let scheme = preset("cpw793").unwrap();
        let found = judged(Fen::KIWIPETE, 3, scheme, |key_tables| {
            key_tables.parts[0] = key_tables.parts[0].edited(|terms| {
                let [king_side, queen_side] = [1, 2].map(|right| terms.castling[right]);
                terms.castling.iter_mut().skip(2).step_by(4).for_each(|key| *key ^= queen_side ^ king_side);
            });
        });
        assert!(found.is_wrong, "{found:?}");
        let Some(Clash::SharedKey { positions: [one, other], .. }) = found.clash else { panic!("{found:?}") };
        assert_eq!(Packed::diagram_of(&one.board()), Packed::diagram_of(&other.board()));
        assert_ne!(one.board().castling_rights(), other.board().castling_rights());
    }

    /// The key includes the e.p. square after every double push, but the scheme claims to require a legal capture.
    #[test]
    fn one_position_with_two_keys_is_caught() {
        let scheme = preset("cpw793").unwrap();
        let found = judged(Fen::START, 4, scheme, |key_tables| key_tables.parts[0].policy = EnPassantPolicy::Always);
        assert!(found.is_wrong, "{found:?}");
        let Some(Clash::TwoKeys { keys: [one, other], .. }) = found.clash else { panic!("{found:?}") };
        assert_ne!(one, other);
    }

    /// The key 0 is a key like any other: it must not be mistaken for an empty slot.
    #[test]
    fn the_key_0_is_counted() {
        let set = Set::<PAIR>::new(10).unwrap();
        let mut writer = set.writer(Level::detect());
        for (number, key) in [(1, Key(0)), (2, Key(5)), (3, Key(0)), (3, Key(0))] {
            writer.insert(&pair_of(V1::token(), Packed::of_planes([number; 4]), key), 1).unwrap();
        }
        writer.finish().unwrap();
        drop(writer);
        let (positions, keys, clash) = compare_pairs(&set.into_parts());
        assert_eq!((positions, keys), (3, 2));
        let Some(super::Clash::SharedKey { key: Key(0), positions: [one, other] }) = clash else { panic!("{clash:?}") };
        assert_eq!(one.planes()[0] + other.planes()[0], 4);
    }

    #[test]
    fn short_keys_are_reported_and_not_judged() {
        let found = judged(Fen::KIWIPETE, 4, &Scheme::parse("width=32", false).unwrap(), |_| {});
        assert!(found.keys < found.positions && found.expected_lost > 1.0 && !found.is_wrong, "{found:?}");
    }
}
