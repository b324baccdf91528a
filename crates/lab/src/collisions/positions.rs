//! The distinct positions of a ply, and how many different keys they have in a window.
//!
//! Keys are recomputed from the boards ([`Block`]), since that is faster than to read them back. A window is turned into a
//! value of 64 bits of which it is the *beginning*: then sorted values tell the number of different windows of every
//! width at once, as neighbours differ in a window if they differ in so many of their first bits. The low window is
//! the key with its bits reversed. Folds of different widths have nothing in common and are counted one by one.
//!
//! Values are spread by their first bits into buckets that fit the cache: each piece of the positions spreads its own,
//! then each bucket is gathered from all pieces and sorted, or, for a single width, marked in a bitmap.

use crate::quality::Window;
use perft_gate_simd::{Kernel, Level, Token};
use perft_gate_unique::{By, Frontier, Options, UniqueError, unique};
use perft_gate_walk::chess::{Board, EnPassantPolicy};
use perft_gate_walk::walk::Control;
use perft_gate_walk::zobrist::{BATCH, Block, KeyTables};
use rayon::prelude::*;
use std::sync::atomic::Ordering::Relaxed;

/// Positions whose keys are computed and spread together: 256 KiB of values.
const PIECE: usize = 1 << 15;
/// About how many values a bucket has: 64 KiB.
const BUCKET: u64 = 1 << 13;
/// A bitmap of so many bits fits the cache, and is quicker than sorting.
const MOST_MARKED_BITS: u32 = 22;

/// Bits of a key that are counted, of a key of so many bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KeyPart {
    /// Which bits.
    pub window: Window,
    /// How many.
    pub bits: u32,
}

/// Positions in pieces, with room for the values of one window.
pub(super) struct Positions {
    /// How many there are.
    pub(super) number: u64,
    level: Level,
    pieces: Vec<Piece>,
    /// First bits that make a bucket.
    bucket_bits: u32,
}

struct Piece {
    blocks: Vec<Block>,
    /// Values, bucket by bucket.
    values: Vec<u64>,
    /// Where each bucket ends.
    ends: Vec<u32>,
}

impl Positions {
    /// The distinct positions of a ply under a policy; nothing if that was interrupted.
    pub(super) fn of(
        board: &Board,
        depth: u32,
        policy: EnPassantPolicy,
        (memory, level): (usize, Level),
        control: &Control,
    ) -> Result<Option<Positions>, UniqueError> {
        let options = Options { policy, by: By::Position, diagrams: false, keep: true, memory, level };
        let counted = unique(board, depth, &options, control, |_| {})?;
        let Some(frontier) = counted.frontier.filter(|_| !counted.interrupted) else { return Ok(None) };
        let expected = Positions::bytes(&frontier);
        if expected > memory {
            return Err(UniqueError::Memory { ply: depth, found: memory, expected });
        }
        let number = frontier.positions();
        let bucket_bits = (number / BUCKET).max(2).ilog2().clamp(2, 12);
        let pieces = frontier.map(PIECE, |positions| {
            let (mut blocks, mut boards) = (Vec::with_capacity(PIECE / BATCH), Vec::with_capacity(BATCH));
            loop {
                boards.extend(positions.take(BATCH).map(|position| position.board()));
                if boards.is_empty() {
                    return Piece { values: vec![0; blocks.len() * BATCH], ends: vec![0; 1 << bucket_bits], blocks };
                }
                blocks.push(Block::of(level, &boards, policy));
                boards.clear();
            }
        });
        Ok(Some(Positions { number, level, pieces, bucket_bits }))
    }

    /// Bytes at most: the blocks beside the frontier that they are made of, or beside the values and their buckets, of
    /// which the worst words fill but one.
    fn bytes(frontier: &Frontier) -> usize {
        let positions = frontier.positions() as usize;
        let blocks = positions.div_ceil(BATCH) * size_of::<Block>();
        blocks + positions * size_of::<u64>() + frontier.bytes().max(positions * size_of::<u64>())
    }

    /// How many different keys the positions have in each part, of keys of so many bits. Nothing if it was stopped.
    pub(super) fn distinct(
        &mut self,
        words: &KeyTables,
        key_bits: u32,
        parts: &[KeyPart],
        control: &Control,
    ) -> Option<Vec<u64>> {
        let mut distinct = vec![0; parts.len()];
        if self.number == 0 {
            return Some(distinct);
        }
        for (order, asked) in orders(key_bits, parts) {
            let neighbours = self.neighbours(words, order, asked.iter().map(|&(_, width)| width).collect());
            if control.stop.load(Relaxed) {
                return None;
            }
            for (part, width) in asked {
                distinct[part] = 1 + neighbours[..width as usize].iter().sum::<u64>();
            }
        }
        Some(distinct)
    }

    /// Of the sorted values: how many neighbours have so many first bits in common. Only what the widths need is right.
    fn neighbours(&mut self, words: &KeyTables, order: Order, widths: Vec<u32>) -> [u64; 65] {
        let (level, bucket_bits) = (self.level, self.bucket_bits);
        self.pieces.par_iter_mut().for_each_init(
            || Vec::with_capacity(PIECE),
            |values, piece| {
                level.dispatch(Spread { piece, words, order, bucket_bits, values });
            },
        );
        let (pieces, widths) = (&self.pieces, &widths);
        let gathered = |number: usize| Bucket::gathered(pieces, number, bucket_bits, widths);
        let buckets: Vec<Option<Bucket>> = (0..1_usize << bucket_bits).into_par_iter().map(gathered).collect();
        let all = buckets.into_iter().flatten().reduce(Bucket::followed_by);
        all.expect("a position").neighbours
    }
}

/// How a key becomes a value whose first bits are a window.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Order {
    /// The highest bits first.
    Highest { key_bits: u32 },
    /// The lowest bit first.
    Lowest,
    /// So many bits of a longer key, folded.
    Folded { key_bits: u32, bits: u32 },
}

impl Order {
    #[inline(always)]
    fn value(self, key: u64) -> u64 {
        match self {
            Order::Highest { key_bits } => key << (64 - key_bits),
            Order::Lowest => key.reverse_bits(),
            Order::Folded { key_bits, bits } => (key ^ key >> (key_bits - bits)) << (64 - bits),
        }
    }
}

/// Which orders of the values tell of which parts (by number), and in how many of the first bits.
fn orders(key_bits: u32, parts: &[KeyPart]) -> Vec<(Order, Vec<(usize, u32)>)> {
    let mut orders: Vec<(Order, Vec<(usize, u32)>)> = Vec::new();
    let has_low = parts.iter().any(|part| part.window == Window::Low);
    for (number, &KeyPart { window, bits }) in parts.iter().enumerate() {
        let order = match window {
            // Of whole keys every window is the same.
            Window::Low => Order::Lowest,
            _ if bits == key_bits && has_low => Order::Lowest,
            Window::Fold if bits < key_bits => Order::Folded { key_bits, bits },
            _ => Order::Highest { key_bits },
        };
        match orders.iter_mut().find(|(known, _)| *known == order) {
            Some((_, asked)) => asked.push((number, bits)),
            None => orders.push((order, vec![(number, bits)])),
        }
    }
    orders
}

/// Computes the values of a piece and spreads them to its buckets.
struct Spread<'a> {
    piece: &'a mut Piece,
    words: &'a KeyTables,
    order: Order,
    bucket_bits: u32,
    values: &'a mut Vec<u64>,
}

impl Kernel for Spread<'_> {
    type Output = ();

    #[inline(always)]
    fn run<L: Token>(self, level: L) {
        let Spread { piece, words, order, bucket_bits, values } = self;
        let bucket = |value: u64| (value >> (64 - bucket_bits)) as usize;
        values.clear();
        for block in &piece.blocks {
            values.extend(block.keys(level, words).into_iter().map(|key| order.value(key)));
        }
        let mut places = vec![0_u32; 1 << bucket_bits];
        values.iter().for_each(|&value| places[bucket(value)] += 1);
        let mut start = 0;
        for place in &mut places {
            start += std::mem::replace(place, start);
        }
        for &value in &*values {
            let place = &mut places[bucket(value)];
            piece.values[*place as usize] = value;
            *place += 1;
        }
        piece.ends.copy_from_slice(&places);
    }
}

/// What is known of the values of a bucket, or of several that follow each other.
struct Bucket {
    first: u64,
    last: u64,
    /// By the number of first bits that neighbours have in common.
    neighbours: [u64; 65],
}

impl Bucket {
    /// The values of a bucket from all pieces; nothing if there is none.
    fn gathered(pieces: &[Piece], number: usize, bucket_bits: u32, widths: &[u32]) -> Option<Bucket> {
        let of_piece = |piece: &Piece| {
            let start = number.checked_sub(1).map_or(0, |before| piece.ends[before]);
            start as usize..piece.ends[number] as usize
        };
        let length = pieces.iter().map(|piece| of_piece(piece).len()).sum();
        if length == 0 {
            return None;
        }
        let slices = || pieces.iter().map(|piece| &piece.values[of_piece(piece)]);
        match *widths {
            [width] if (bucket_bits..=bucket_bits + MOST_MARKED_BITS).contains(&width) => {
                Some(Bucket::marked(slices(), bucket_bits, width))
            }
            _ => {
                let mut values = Vec::with_capacity(length);
                slices().for_each(|slice| values.extend_from_slice(slice));
                Some(Bucket::sorted(values))
            }
        }
    }

    fn sorted(mut values: Vec<u64>) -> Bucket {
        values.sort_unstable();
        let mut neighbours = [0; 65];
        values.windows(2).for_each(|pair| neighbours[(pair[0] ^ pair[1]).leading_zeros() as usize] += 1);
        Bucket { first: values[0], last: values[values.len() - 1], neighbours }
    }

    /// A bit for every value of the width: which of the bits beyond the bucket's the neighbours share is left open.
    fn marked<'v>(slices: impl Iterator<Item = &'v [u64]>, bucket_bits: u32, width: u32) -> Bucket {
        let marks = 1_usize << (width - bucket_bits);
        let (mut seen, mut one) = (vec![0_u64; marks.div_ceil(64)], 0);
        for &value in slices.flatten() {
            let mark = (value >> (64 - width)) as usize & (marks - 1);
            seen[mark / 64] |= 1 << (mark % 64);
            one = value;
        }
        let different: u64 = seen.iter().map(|marks| u64::from(marks.count_ones())).sum();
        let mut neighbours = [0; 65];
        neighbours[bucket_bits as usize] = different - 1;
        Bucket { first: one, last: one, neighbours }
    }

    fn followed_by(mut self, next: Bucket) -> Bucket {
        self.neighbours.iter_mut().zip(next.neighbours).for_each(|(sum, more)| *sum += more);
        self.neighbours[(self.last ^ next.first).leading_zeros() as usize] += 1;
        Bucket { last: next.last, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use perft_gate_walk::chess::Fen;
    use perft_gate_walk::zobrist::Scheme;
    use std::collections::HashSet;

    const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

    const FEW_MOVES: &str = "7k/8/8/8/8/8/8/r5K1 w - - 0 1";
    const STALEMATE: &str = "8/8/8/8/8/5k2/5p2/5K2 w - - 0 1";

    fn parts(widths: &[u32]) -> Vec<KeyPart> {
        let windows = Window::ALL.into_iter();
        windows.flat_map(|window| widths.iter().map(move |&bits| KeyPart { window, bits })).collect()
    }

    #[test]
    fn windows_are_counted_as_a_set_of_them_counts() {
        for (name, widths) in [
            ("cpw793", vec![1, 2, 9, 16, 24, 32, 33, 48, 63, 64]),
            ("additive48", vec![16, 24, 40, 48]),
            ("dual32,combine=add", vec![8, 31, 32, 64]),
            ("pieces=tiny-seed,width=32", vec![12, 20, 32]),
            ("rustic851", vec![16, 32, 64]),
            ("polyglot", vec![16, 32]),
        ] {
            let scheme = Scheme::parse(name, true).unwrap();
            let (words, policy) = (scheme.key_tables(5).unwrap(), scheme.policy());
            let key_bits = scheme.axes.unwrap().width.bits();
            for (fen, depth) in [(Fen::START, 4), (KIWIPETE, 3), (FEW_MOVES, 1), (STALEMATE, 1)] {
                let board = Fen::parse(fen).unwrap();
                let control = Control::default();
                let options = Options {
                    policy,
                    by: By::Position,
                    diagrams: false,
                    keep: true,
                    memory: 1 << 30,
                    level: Level::detect(),
                };
                let frontier = unique(&board, depth, &options, &control, |_| {}).unwrap().frontier.unwrap();
                let keys: Vec<u128> = frontier.iter().map(|(position, _)| words.key(&position.board()).0).collect();
                let parts = parts(&widths);
                let of_part = |part: &KeyPart| {
                    let windows = keys.iter().map(|&key| part.window.of(key, key_bits, part.bits));
                    windows.collect::<HashSet<u128>>().len() as u64
                };
                let expected: Vec<u64> = parts.iter().map(of_part).collect();
                for level in Level::all() {
                    let positions = Positions::of(&board, depth, policy, (1 << 30, level), &control);
                    let mut positions = positions.unwrap().unwrap();
                    assert_eq!(positions.number, keys.len() as u64, "{fen}");
                    // Each part alone goes another way than all of them.
                    let together = positions.distinct(&words, key_bits, &parts, &control).unwrap();
                    assert_eq!(together, expected, "{name} {fen} {level}");
                    for (part, expected) in parts.iter().zip(&expected) {
                        let alone = positions.distinct(&words, key_bits, &[*part], &control).unwrap();
                        assert_eq!(alone, [*expected], "{name} {fen} {level} {part:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_stopped_count_is_none_and_scarce_memory_is_an_error() {
        let (board, control) = (Fen::parse(Fen::START).unwrap(), Control::default());
        let of = |memory| Positions::of(&board, 4, EnPassantPolicy::Legal, (memory, Level::detect()), &control);
        let error = of(4_000_000).err().expect("too little").to_string();
        assert!(error.contains("ply 4 does not fit"), "{error}");
        let mut positions = of(1 << 30).unwrap().unwrap();
        let words = Scheme::parse("gf64", false).unwrap().key_tables(0).unwrap();
        control.stop.store(true, Relaxed);
        assert_eq!(positions.distinct(&words, 64, &parts(&[32]), &control), None);
        assert!(of(1 << 30).unwrap().is_none());
    }
}
