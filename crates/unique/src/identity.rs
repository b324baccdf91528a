//! Identity check (V5): equal positions must have equal keys, and different positions must have different keys.
//!
//! The leaves of a tree are listed as pairs of a position and its key, and the pairs are sorted. If a position occurs
//! with two keys, the key depends on something outside the position. If there are fewer keys than positions, some
//! positions share a key. If make and recompute use the same wrong index, this check detects it, but comparing make
//! with recompute does not.
//!
//! That comparison (V2) is made at every node of the tree. So a key depends only on the board, not on the path, and one
//! path per position is enough. [`unique`] finds the positions one ply above the leaves. Positions that differ only in
//! an unusable e.p. square stay separate, but clocks are ignored. The moves from these positions lead to the leaves and
//! their keys. The multiplicities of the leaves must add up to the number of leaves of the verified walk. If not, the
//! check is incomplete. Visiting every path would take 1.45 times as many instructions on the `quick` suite.
//!
//! A pair holds a 64-bit hash of the position, which does not depend on the key tables, and the key in 64 bits. Equal
//! hashes never cause a false report: the leaves of a clash are made again and compared as whole positions and whole
//! keys. A clash of two leaves is missed with a chance of 2^-64. A set of whole positions and keys took three times the
//! memory, and most of its time went into fresh pages.

use crate::count::unique;
use crate::entries::Positions;
use crate::error::UniqueError;
use crate::expand::put_children;
use crate::frontier::Frontier;
use crate::options::UniqueOptions;
use crate::parallel::in_parallel;
use crate::ply::expected_lost;
use crate::set::{Full, ODD, fold};
use crate::sink::PutPosition;
use crate::store::sum_moves;
use perft_gate_chess::{Board, EnPassantPolicy, Packed};
use perft_gate_simd::{Level, Token, inline_all};
use perft_gate_walk::{Control, Game, Position};
use perft_gate_zobrist::{Key, KeyTables, Scheme, SchemeVisitor, Tracker};
use std::io;

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

/// The hash of a leaf's position, and its key in 64 bits.
type Pair = [u64; 2];

#[inline(always)]
fn pair_of(position: Packed, Key(key): Key) -> Pair {
    let [a, b, c, d] = position.planes();
    let hash = fold(a ^ ODD[0], b ^ ODD[1]) ^ fold(c ^ ODD[2], d ^ ODD[3]).rotate_left(32);
    // Keys of up to 64 bits stay as they are.
    [fold(hash ^ ODD[4], ODD[5]), key as u64 ^ ((key >> 64) as u64).wrapping_mul(ODD[6])]
}

/// Sink for leaves.
struct Leaves {
    policy: EnPassantPolicy,
    /// The leaves to keep as whole positions, by the index and value of one half of their pairs. `None`: all leaves are
    /// kept as pairs.
    wanted: Option<(usize, u64)>,
    pairs: Vec<Pair>,
    found: Vec<(Packed, Key)>,
    /// Number of paths to the leaves.
    paths: u128,
}

#[inline_all]
impl PutPosition for Leaves {
    fn put<L: Token, T: Tracker>(&mut self, _: L, position: &Position<T>, count: u128) -> Result<(), Full> {
        let key = position.key().expect("a tracker with a key");
        let packed = Packed::new(position.board(), self.policy);
        let pair = pair_of(packed, key);
        self.paths += count;
        match self.wanted {
            None => self.pairs.push(pair),
            Some((half, value)) if pair[half] == value => self.found.push((packed, key)),
            Some(_) => {}
        }
        Ok(())
    }
}

/// Makes the leaves from the positions one ply above them, with a tracker that is not chosen yet.
#[derive(Clone, Copy)]
struct LastPly<'a> {
    above: &'a Frontier,
    level: Level,
    control: &'a Control,
    policy: EnPassantPolicy,
    wanted: Option<(usize, u64)>,
    /// Number of buckets for the pairs.
    buckets: usize,
}

impl SchemeVisitor for LastPly<'_> {
    type Output = io::Result<Vec<(Buckets<Pair>, Leaves)>>;

    fn visit<T: Tracker>(self, tracker: T) -> Self::Output {
        let LastPly { above, level, control, policy, wanted, buckets } = self;
        let pieces: Vec<_> = above.all_pieces().collect();
        let put = |pieces: &[Positions<'_>]| {
            let mut leaves = Leaves { policy, wanted, pairs: Vec::new(), found: Vec::new(), paths: 0 };
            if wanted.is_none() {
                let moves = pieces.iter().map(|piece| sum_moves(level, piece.clone()).moves).sum::<u64>();
                leaves.pairs.try_reserve_exact(moves as usize)?;
            }
            for piece in pieces.iter().take_while(|_| !control.is_stopped()) {
                put_children(level, piece.clone(), tracker, &mut leaves).expect("there is no table to be full");
            }
            Ok((Buckets::new(std::mem::take(&mut leaves.pairs), buckets, |[hash, _]| *hash), leaves))
        };
        let chunks: Vec<_> = pieces.chunks(pieces.len().div_ceil(8 * rayon::current_num_threads()).max(1)).collect();
        in_parallel(chunks.len(), &|at| put(chunks[at])).into_iter().collect()
    }
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
        let buckets = (above.positions() as usize / POSITIONS_PER_BUCKET).clamp(1, MAX_BUCKETS);
        let last_ply = LastPly { above, level, control, policy: scheme.policy(), wanted: None, buckets };
        let (pairs, leaves): (Vec<_>, Vec<_>) = scheme.visit_dynamic_over(key_tables, last_ply)?.into_iter().unzip();
        let PairCounts { positions, keys, suspects } = count_pairs(pairs, buckets);
        let leaves = leaves.iter().map(|leaves| leaves.paths).sum::<u128>() as u64;
        let mut clash = None;
        for wanted in suspects {
            let found = scheme.visit_dynamic_over(key_tables, LastPly { wanted: Some(wanted), ..last_ply })?;
            clash = clash.or(find_clash(found.into_iter().flat_map(|(_, leaves)| leaves.found).collect()));
        }
        if control.is_stopped() {
            return Ok(None);
        }
        let bits = scheme.axes.map_or(64, |axes| axes.effective_bits());
        let (scheme, expected_lost) = (scheme.name.to_string(), expected_lost(positions, bits));
        let is_wrong = clash.is_some_and(|clash| matches!(clash, Clash::TwoKeys { .. }) || expected_lost < BY_CHANCE);
        Ok(Some(Identity { scheme, ply: depth, positions, keys, leaves, expected_lost, clash, is_wrong }))
    }
}

/// Items grouped by a word of theirs. Sorting small groups is faster than sorting all items.
struct Buckets<T> {
    items: Vec<T>,
    /// The index of each bucket's first item, and the number of items.
    starts: Vec<usize>,
}

/// About as many positions above the leaves have 4,000 moves.
const POSITIONS_PER_BUCKET: usize = 128;
const MAX_BUCKETS: usize = 256;

impl<T: Copy + Default + Ord> Buckets<T> {
    fn new(items: Vec<T>, buckets: usize, word: impl Fn(&T) -> u64) -> Buckets<T> {
        let bucket = |item: &T| ((u128::from(word(item)) * buckets as u128) >> 64) as usize;
        let mut starts = vec![0; buckets + 1];
        items.iter().for_each(|item| starts[bucket(item) + 1] += 1);
        (0..buckets).for_each(|bucket| starts[bucket + 1] += starts[bucket]);
        let (mut next, mut grouped) = (starts.clone(), vec![T::default(); items.len()]);
        for item in items {
            let place = &mut next[bucket(&item)];
            grouped[*place] = item;
            *place += 1;
        }
        Buckets { items: grouped, starts }
    }

    /// Returns the items of a bucket from all parts, in ascending order.
    fn sorted(parts: &[Buckets<T>], bucket: usize) -> Vec<T> {
        let of = |part: &Buckets<T>| part.items[part.starts[bucket]..part.starts[bucket + 1]].to_vec();
        let mut items = parts.iter().map(of).collect::<Vec<_>>().concat();
        items.sort_unstable();
        items
    }
}

/// Counts of the pairs of a ply.
#[derive(PartialEq, Eq, Debug)]
struct PairCounts {
    positions: u64,
    keys: u64,
    /// A position that seems to have two keys, and a key that two positions seem to share; see [`Leaves::wanted`].
    suspects: Vec<(usize, u64)>,
}

/// Counts the different positions and keys of pairs that are grouped by the hash.
fn count_pairs(pairs: Vec<Buckets<Pair>>, buckets: usize) -> PairCounts {
    let of_hashes = |bucket| {
        let mut pairs = Buckets::sorted(&pairs, bucket);
        pairs.dedup();
        let positions = pairs.chunk_by(|one, other| one[0] == other[0]).count() as u64;
        let twice = pairs.windows(2).find(|pairs| pairs[0][0] == pairs[1][0]).map(|pairs| (0, pairs[0][0]));
        ((positions, twice), Buckets::new(pairs.into_iter().map(|[_, key]| key).collect(), buckets, |key| *key))
    };
    let (positions, keys): (Vec<_>, Vec<_>) = in_parallel(buckets, &of_hashes).into_iter().unzip();
    let of_keys = |bucket| {
        let keys = Buckets::sorted(&keys, bucket);
        let shared = keys.windows(2).find(|keys| keys[0] == keys[1]).map(|keys| (1, keys[0]));
        (keys.chunk_by(u64::eq).count() as u64, shared)
    };
    let keys = in_parallel(buckets, &of_keys);
    let suspects = [positions.iter().find_map(|(_, twice)| *twice), keys.iter().find_map(|(_, shared)| *shared)];
    PairCounts {
        positions: positions.iter().map(|(positions, _)| positions).sum(),
        keys: keys.iter().map(|(keys, _)| keys).sum(),
        suspects: suspects.into_iter().flatten().collect(),
    }
}

/// Finds two leaves with one position or one key, but not both.
fn find_clash(mut leaves: Vec<(Packed, Key)>) -> Option<Clash> {
    leaves.sort_unstable_by_key(|(position, key)| (*position, key.0));
    leaves.windows(2).find_map(|pair| {
        let ((position, key), (other, second)) = (pair[0], pair[1]);
        match (position == other, key == second) {
            (true, false) => Some(Clash::TwoKeys { position, keys: [key, second] }),
            (false, true) => Some(Clash::SharedKey { key, positions: [position, other] }),
            _ => None,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::{Buckets, Pair, PairCounts, count_pairs, find_clash, pair_of};
    use perft_gate_chess::{EnPassantPolicy, Fen, Packed};
    use perft_gate_simd::Level;
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

    fn counted(pairs: &[Pair]) -> PairCounts {
        let parts = |buckets| {
            let parts = pairs.chunks(2).map(|pairs| Buckets::new(pairs.to_vec(), buckets, |[hash, _]| *hash));
            count_pairs(parts.collect(), buckets)
        };
        assert_eq!(parts(1), parts(100));
        parts(7)
    }

    #[test]
    fn equal_pairs_count_once_and_the_key_0_is_a_key() {
        let top = u64::MAX;
        let counts = |positions, keys, suspects: &[_]| PairCounts { positions, keys, suspects: suspects.to_vec() };
        assert_eq!(counted(&[]), counts(0, 0, &[]));
        assert_eq!(counted(&[[1, 0], [top, 5], [1, 0], [top, 5]]), counts(2, 2, &[]));
        assert_eq!(counted(&[[0, 0], [2, 5], [top, 0]]), counts(3, 2, &[(1, 0)]));
        assert_eq!(counted(&[[top, 3], [0, 1], [top, 4]]), counts(2, 3, &[(0, top)]));
    }

    /// Hashes and 64-bit words of keys can be equal by chance. Only whole positions and whole keys make a clash.
    #[test]
    fn a_clash_is_of_whole_positions_and_whole_keys() {
        let leaf = |position, key| (Packed::of_planes([position; 4]), Key(key));
        assert_eq!(find_clash(vec![leaf(1, 3), leaf(2, 4), leaf(1, 3)]), None);
        let [one, two] = [1, 2].map(|position| Packed::of_planes([position; 4]));
        let found = find_clash(vec![leaf(1, 3), leaf(2, 5), leaf(1, 4)]);
        assert_eq!(found, Some(super::Clash::TwoKeys { position: one, keys: [Key(3), Key(4)] }));
        let found = find_clash(vec![leaf(2, 3), leaf(5, 4), leaf(1, 3)]);
        assert_eq!(found, Some(super::Clash::SharedKey { key: Key(3), positions: [one, two] }));
        let high = Key(1 << 64);
        assert_ne!(pair_of(one, high)[1], pair_of(one, Key(0))[1]);
    }

    #[test]
    fn short_keys_are_reported_and_not_judged() {
        let found = judged(Fen::KIWIPETE, 4, &Scheme::parse("width=32", false).unwrap(), |_| {});
        assert!(found.keys < found.positions && found.expected_lost > 1.0 && !found.is_wrong, "{found:?}");
    }
}
