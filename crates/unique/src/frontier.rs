//! The distinct positions of a ply, with their multiplicities, in memory.

use crate::entries::{POSITION, Positions, entry_of};
use crate::error::UniqueError;
use crate::options::UniqueOptions;
use crate::parallel::in_parallel;
use crate::set::{Entry, Set, Shard, Summary, slice_of};
use crate::store::{MoveSum, Store, sum_moves};
use perft_gate_chess::{Dense, EnPassantPolicy, Fen, Packed};
use perft_gate_simd::{Level, V1};
use perft_gate_walk::Control;
use rayon::prelude::*;
use std::io;

/// Number of table slots that a worker reads at a time.
const PIECE: usize = 2048;

/// The distinct positions of a ply.
#[derive(Debug, Default)]
pub struct Frontier {
    parts: Vec<Shard<POSITION>>,
}

impl Frontier {
    /// Returns the frontier of the root: one position, reached once.
    pub(super) fn new(root: Packed, options: &UniqueOptions<'_>) -> io::Result<Frontier> {
        let mut frontier = Frontier::default();
        frontier.add(Frontier::set_of(root, options)?.into_parts())?;
        Ok(frontier)
    }

    /// Returns a set of one position that is reached once, or an empty set if another process owns the position.
    pub(super) fn set_of(position: Packed, options: &UniqueOptions<'_>) -> io::Result<Set<POSITION>> {
        let (set, entry) = (Set::new(1)?, entry_of(V1::token(), position));
        if options.owns(slice_of(&entry)) {
            let mut writer = set.writer(Level::portable());
            let put = writer.insert(&entry, 1).and_then(|()| writer.finish());
            put.expect("room for one");
        }
        Ok(set)
    }

    /// Adds the positions of a set, compacted to exactly the memory that they need. The frontier must not hold any of
    /// these positions yet.
    fn add(&mut self, parts: Vec<Shard<POSITION>>) -> io::Result<()> {
        // The parts are compacted one after another, so that at most one of them is in memory twice.
        for part in parts {
            self.parts.push(part.compact()?);
        }
        Ok(())
    }

    pub fn positions(&self) -> u64 {
        self.parts.iter().map(|part| part.keys() as u64).sum()
    }

    /// Returns the number of bytes that the positions take in memory.
    pub fn bytes(&self) -> usize {
        self.parts.iter().map(|part| part.slots() * size_of::<Entry<POSITION>>()).sum()
    }

    /// Returns the positions with their multiplicities, in no particular order.
    pub fn iter(&self) -> impl Iterator<Item = (Packed, u128)> {
        self.all_pieces().flatten().map(unpack)
    }

    /// Calls `each` with the FEN and the multiplicity of every position, in the order of the FENs. FENs take several
    /// times the memory of the frontier, so only about `max_sorted` of them are sorted at a time: each pass takes the
    /// FENs between two quantiles of a sample.
    pub fn each_fen(
        &self,
        policy: EnPassantPolicy,
        max_sorted: usize,
        each: &mut dyn FnMut(&str, u128) -> io::Result<()>,
    ) -> io::Result<()> {
        let fen = |(packed, count): (Packed, u128)| (Fen::write(&packed.board(), policy), count);
        let positions = self.positions() as usize;
        let passes = positions.div_ceil(max_sorted);
        let mut sample: Vec<String> = match passes {
            1 => Vec::new(),
            _ => self.iter().step_by(max_sorted.div_ceil(1000)).map(|position| fen(position).0).collect(),
        };
        sample.sort();
        let pieces: Vec<_> = self.all_pieces().collect();
        let mut from = String::new();
        for pass in 1..=passes {
            let to = (pass < passes).then(|| &sample[sample.len() * pass / passes]);
            let is_in_pass = &|(fen, _): &(String, u128)| *fen >= from && to.is_none_or(|to| fen < to);
            let fens = |at: usize| pieces[at].clone().map(unpack).map(fen).filter(is_in_pass).collect::<Vec<_>>();
            let mut sorted: Vec<_> = in_parallel(pieces.len(), &fens).into_iter().flatten().collect();
            sorted.par_sort_unstable();
            sorted.iter().try_for_each(|(fen, count)| each(fen, *count))?;
            from = to.cloned().unwrap_or_default();
        }
        Ok(())
    }

    /// Splits the frontier into pieces of about `positions` positions, applies `work` to each piece, and returns the
    /// results.
    pub fn map<T: Send>(
        &self,
        positions: usize,
        work: impl Fn(&mut dyn Iterator<Item = Packed>) -> T + Sync,
    ) -> Vec<T> {
        let pieces: Vec<_> = self.all_pieces().collect();
        let chunks: Vec<_> = pieces.chunks(positions.div_ceil(PIECE)).collect();
        in_parallel(chunks.len(), &|at| work(&mut chunks[at].iter().cloned().flatten().map(|entry| unpack(entry).0)))
    }

    pub(crate) fn all_pieces(&self) -> impl Iterator<Item = Positions<'_>> {
        self.parts.iter().flat_map(|part| (0..part.slots()).step_by(PIECE).map(|from| piece_from(part, from)))
    }
}

fn unpack((dense, count): (Dense, u128)) -> (Packed, u128) {
    (Packed::of_dense(V1::token(), dense), count)
}

fn piece_from(part: &Shard<POSITION>, slot: usize) -> Positions<'_> {
    Positions::in_slots(part, slot..part.slots().min(slot + PIECE))
}

impl Store for Frontier {
    const IN_MEMORY: bool = true;
    type Buffer = ();

    fn empty(&self) -> Frontier {
        Frontier::default()
    }

    fn append(&mut self, parts: Vec<Shard<POSITION>>, _: Summary, _: Level, _: &Control) -> Result<(), UniqueError> {
        Ok(self.add(parts)?)
    }

    fn memory(&self) -> usize {
        self.bytes()
    }

    fn moves(&self, level: Level) -> MoveSum {
        let pieces: Vec<_> = self.all_pieces().collect();
        let moves = in_parallel(pieces.len(), &|at| sum_moves(level, pieces[at].clone()));
        moves.into_iter().fold(MoveSum::default(), MoveSum::and)
    }

    fn pieces(&self) -> usize {
        self.parts.iter().map(|part| part.slots().div_ceil(PIECE)).sum()
    }

    fn piece<'b>(&'b self, number: usize, _: &'b mut ()) -> Result<Positions<'b>, UniqueError> {
        let mut number = number;
        for part in &self.parts {
            let pieces = part.slots().div_ceil(PIECE);
            if number < pieces {
                return Ok(piece_from(part, number * PIECE));
            }
            number -= pieces;
        }
        panic!("the number must be below the number of pieces");
    }
}
