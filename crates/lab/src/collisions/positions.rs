//! Distinct positions of a ply, and the number of different values that their keys have in a window.
//!
//! Keys are recomputed from the boards ([`Block`]), which is faster than storing them. Each key becomes a 64-bit value
//! that *begins* with the window. Sorting then gives the number of different window values for every width at once: two
//! neighbours differ in a window of `b` bits if they differ in their first `b` bits. For the low window, the value is
//! the key with its bits reversed. A fold (low bits xored with high bits) does not begin with the narrower folds, so
//! folds are counted one width at a time.
//!
//! Values are spread by their first bits into buckets that fit the cache, chunk by chunk. Then each bucket is gathered
//! from all chunks, and its values are sorted or, for a single width, marked in a bitmap.

use crate::quality::Window;
use perft_gate_chess::{Board, EnPassantPolicy};
use perft_gate_simd::{Level, Token, kernel};
use perft_gate_unique::{Frontier, UniqueError, UniqueOptions, unique};
use perft_gate_walk::Control;
use perft_gate_zobrist::{BLOCK, Block, KeyTables};
use rayon::prelude::*;

/// Number of positions whose keys are computed and spread together: 256 KiB of values.
const CHUNK: usize = 1 << 15;
/// Approximate number of values in a bucket: 64 KiB.
const BUCKET: u64 = 1 << 13;
/// Maximum number of bits, besides those that select the bucket, for which a bitmap is used. Such a bitmap fits the
/// cache and is faster than sorting.
const MAX_MARKED_BITS: u32 = 22;

/// Part of a key whose different values are counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KeyPart {
    pub window: Window,
    /// Width of the window, in bits.
    pub bits: u32,
}

/// The distinct positions of a ply in chunks, with room for the values of one window of their keys.
pub(super) struct PlyPositions {
    /// Number of positions.
    pub(super) number: u64,
    level: Level,
    chunks: Vec<PositionChunk>,
    /// Number of leading bits that select a bucket.
    bucket_bits: u32,
}

struct PositionChunk {
    blocks: Vec<Block>,
    /// Values of the keys, bucket by bucket.
    values: Vec<u64>,
    /// End of each bucket in `values`.
    ends: Vec<u32>,
}

impl PlyPositions {
    /// Returns the distinct positions of a ply under a policy, or `None` if interrupted.
    pub(super) fn new(
        board: &Board,
        depth: u32,
        policy: EnPassantPolicy,
        (memory, level): (usize, Level),
        control: &Control,
    ) -> Result<Option<PlyPositions>, UniqueError> {
        let options = UniqueOptions { keep: true, ..UniqueOptions::new(policy, level, memory) };
        let counted = unique(board, depth, &options, control, &mut |_| {})?;
        let Some(frontier) = counted.frontier.filter(|_| !counted.interrupted) else { return Ok(None) };
        let expected = PlyPositions::bytes(&frontier);
        if expected > memory {
            return Err(UniqueError::Memory { ply: depth, found: memory, expected });
        }
        let number = frontier.positions();
        let bucket_bits = (number / BUCKET).max(2).ilog2().clamp(2, 12);
        let chunks = frontier.map(CHUNK, |positions| {
            let (mut blocks, mut boards) = (Vec::with_capacity(CHUNK / BLOCK), Vec::with_capacity(BLOCK));
            loop {
                boards.extend(positions.take(BLOCK).map(|position| position.board()));
                if boards.is_empty() {
                    return PositionChunk {
                        values: vec![0; blocks.len() * BLOCK],
                        ends: vec![0; 1 << bucket_bits],
                        blocks,
                    };
                }
                blocks.push(Block::new(level, &boards, policy));
                boards.clear();
            }
        });
        Ok(Some(PlyPositions { number, level, chunks, bucket_bits }))
    }

    /// Returns the maximum number of bytes in use: the blocks, the values, and the larger of the frontier and a bucket.
    /// In the worst case, the keys put all values into one bucket.
    fn bytes(frontier: &Frontier) -> usize {
        let positions = frontier.positions() as usize;
        let blocks = positions.div_ceil(BLOCK) * size_of::<Block>();
        blocks + positions * size_of::<u64>() + frontier.bytes().max(positions * size_of::<u64>())
    }

    /// Returns, for each part of a key, how many different values that part has among the positions, or `None` if
    /// stopped. Keys have `key_bits` bits.
    pub(super) fn count_distinct(
        &mut self,
        key_tables: &KeyTables,
        key_bits: u32,
        parts: &[KeyPart],
        control: &Control,
    ) -> Option<Vec<u64>> {
        let mut distinct = vec![0; parts.len()];
        if self.number == 0 {
            return Some(distinct);
        }
        for (order, asked) in orders(key_bits, parts) {
            let neighbours = self.count_neighbours(key_tables, order, asked.iter().map(|&(_, width)| width).collect());
            if control.is_stopped() {
                return None;
            }
            for (part, width) in asked {
                distinct[part] = 1 + neighbours[..width as usize].iter().sum::<u64>();
            }
        }
        Some(distinct)
    }

    /// Counts pairs of neighbours in the sorted values, grouped by how many leading bits the two have in common. Only
    /// the sums of the counts in `[..width]` are correct, for each requested `width`.
    fn count_neighbours(&mut self, key_tables: &KeyTables, order: Order, widths: Vec<u32>) -> [u64; 65] {
        let (level, bucket_bits) = (self.level, self.bucket_bits);
        self.chunks.par_iter_mut().for_each_init(
            || Vec::with_capacity(CHUNK),
            |values, chunk| {
                spread_to_buckets(level, chunk, key_tables, order, bucket_bits, values);
            },
        );
        let (chunks, widths) = (&self.chunks, &widths);
        let gather = |number: usize| BucketCounts::gather(chunks, number, bucket_bits, widths);
        let buckets: Vec<Option<BucketCounts>> = (0..1_usize << bucket_bits).into_par_iter().map(gather).collect();
        buckets.into_iter().flatten().reduce(BucketCounts::join).expect("a position").neighbours
    }
}

/// Order of a key's bits in a value that begins with a window.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Order {
    /// The highest bits first.
    Highest { key_bits: u32 },
    /// The lowest bit first.
    Lowest,
    /// The fold to `bits` bits of a longer key, which has `key_bits` bits.
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

/// Returns the orders needed for the parts, each with the indices and widths of the parts that use it.
fn orders(key_bits: u32, parts: &[KeyPart]) -> Vec<(Order, Vec<(usize, u32)>)> {
    let mut orders: Vec<(Order, Vec<(usize, u32)>)> = Vec::new();
    let has_low = parts.iter().any(|part| part.window == Window::Low);
    for (number, &KeyPart { window, bits }) in parts.iter().enumerate() {
        let order = match window {
            // All windows as wide as the key have the same number of different values, so they can share an order.
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

/// Kernel that computes the key values of a chunk and spreads these values to its buckets.
#[kernel]
fn spread_to_buckets<L: Token>(
    level: L,
    chunk: &mut PositionChunk,
    key_tables: &KeyTables,
    order: Order,
    bucket_bits: u32,
    values: &mut Vec<u64>,
) {
    let bucket = |value: u64| (value >> (64 - bucket_bits)) as usize;
    values.clear();
    for block in &chunk.blocks {
        values.extend(block.keys(level, key_tables).into_iter().map(|key| order.value(key)));
    }
    let mut places = vec![0_u32; 1 << bucket_bits];
    values.iter().for_each(|&value| places[bucket(value)] += 1);
    let mut start = 0;
    for place in &mut places {
        start += std::mem::replace(place, start);
    }
    for &value in &*values {
        let place = &mut places[bucket(value)];
        chunk.values[*place as usize] = value;
        *place += 1;
    }
    chunk.ends.copy_from_slice(&places);
}

/// Counts for a bucket, or for several consecutive buckets.
struct BucketCounts {
    first: u64,
    last: u64,
    /// Number of pairs of neighbours (sorted values) for each number of leading bits that a pair can share.
    neighbours: [u64; 65],
}

impl BucketCounts {
    /// Returns the counts of bucket `number`, gathered from all chunks, or `None` if it is empty.
    fn gather(chunks: &[PositionChunk], number: usize, bucket_bits: u32, widths: &[u32]) -> Option<BucketCounts> {
        let of_chunk = |chunk: &PositionChunk| {
            let start = number.checked_sub(1).map_or(0, |before| chunk.ends[before]);
            start as usize..chunk.ends[number] as usize
        };
        let length = chunks.iter().map(|chunk| of_chunk(chunk).len()).sum();
        if length == 0 {
            return None;
        }
        let slices = || chunks.iter().map(|chunk| &chunk.values[of_chunk(chunk)]);
        match *widths {
            [width] if (bucket_bits..=bucket_bits + MAX_MARKED_BITS).contains(&width) => {
                Some(BucketCounts::of_marks(slices(), bucket_bits, width))
            }
            _ => {
                let mut values = Vec::with_capacity(length);
                slices().for_each(|slice| values.extend_from_slice(slice));
                Some(BucketCounts::of_sorted(values))
            }
        }
    }

    fn of_sorted(mut values: Vec<u64>) -> BucketCounts {
        values.sort_unstable();
        let mut neighbours = [0; 65];
        values.windows(2).for_each(|pair| neighbours[(pair[0] ^ pair[1]).leading_zeros() as usize] += 1);
        BucketCounts { first: values[0], last: values[values.len() - 1], neighbours }
    }

    /// Counts the different values with a bitmap that has one bit for each value of this width in the bucket. The
    /// counts are right for this width only.
    fn of_marks<'v>(slices: impl Iterator<Item = &'v [u64]>, bucket_bits: u32, width: u32) -> BucketCounts {
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
        BucketCounts { first: one, last: one, neighbours }
    }

    fn join(mut self, next: BucketCounts) -> BucketCounts {
        self.neighbours.iter_mut().zip(next.neighbours).for_each(|(sum, more)| *sum += more);
        self.neighbours[(self.last ^ next.first).leading_zeros() as usize] += 1;
        BucketCounts { last: next.last, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use perft_gate_chess::Fen;
    use perft_gate_zobrist::Scheme;
    use std::collections::HashSet;

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
            let (key_tables, policy) = (scheme.key_tables(5).unwrap(), scheme.policy());
            let key_bits = scheme.axes.unwrap().width.bits();
            for (fen, depth) in [(Fen::START, 4), (Fen::KIWIPETE, 3), (FEW_MOVES, 1), (STALEMATE, 1)] {
                let board = Fen::parse(fen).unwrap();
                let control = Control::default();
                let options = UniqueOptions { keep: true, ..UniqueOptions::new(policy, Level::detect(), 1 << 30) };
                let frontier = unique(&board, depth, &options, &control, &mut |_| {}).unwrap().frontier.unwrap();
                let keys: Vec<u128> =
                    frontier.iter().map(|(position, _)| key_tables.key(&position.board()).0).collect();
                let parts = parts(&widths);
                let of_part = |part: &KeyPart| {
                    let windows = keys.iter().map(|&key| part.window.extract(key, key_bits, part.bits));
                    windows.collect::<HashSet<u128>>().len() as u64
                };
                let expected: Vec<u64> = parts.iter().map(of_part).collect();
                for level in Level::all() {
                    let positions = PlyPositions::new(&board, depth, policy, (1 << 30, level), &control);
                    let mut positions = positions.unwrap().unwrap();
                    assert_eq!(positions.number, keys.len() as u64, "{fen}");
                    // A single part takes a different code path from all parts together.
                    let together = positions.count_distinct(&key_tables, key_bits, &parts, &control).unwrap();
                    assert_eq!(together, expected, "{name} {fen} {level}");
                    for (part, expected) in parts.iter().zip(&expected) {
                        let alone = positions.count_distinct(&key_tables, key_bits, &[*part], &control).unwrap();
                        assert_eq!(alone, [*expected], "{name} {fen} {level} {part:?}");
                    }
                }
            }
        }
    }
}
