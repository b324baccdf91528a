//! A block of positions in a file. All numbers are little-endian:
//!
//! | bytes | |
//! |---|---|
//! | 4 | CRC-32 (as in gzip) of the rest, up to the last multiplicity |
//! | 4 | `PPL1` |
//! | 4 | ply |
//! | 4 | number of the file within its ply |
//! | 8 | number of the block in its file |
//! | 4 | number of positions |
//! | 4 | number of bytes of the multiplicities |
//! | 24 each | positions, as six words of [`Packed::dense`](perft_gate_chess::Packed::dense) |
//! | 1 to 19 each | multiplicities: 7 bits per byte, lowest first, the top bit set in all but the last byte |
//!
//! Zeros pad a block to [`BLOCK`] bytes. Each block records its place, so a misplaced block is detected just like a
//! damaged one.

use crate::entries::{POSITION, Positions};
use crate::set::Entry;
use crate::varint;
use perft_gate_chess::{DENSE_WORDS, Dense};
use std::fs::File;
use std::io::{self, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::Path;

/// Size of a block in bytes. One worker processes a block in a few milliseconds.
pub(super) const BLOCK: usize = 256 << 10;
const MAGIC: [u8; 4] = *b"PPL1";
const HEADER: usize = 32;
/// Number of bytes of a position.
pub(super) const BYTES: usize = 4 * DENSE_WORDS;

/// A block that was read, or is being filled.
#[derive(Default, Debug)]
pub(crate) struct PositionBlock {
    dense: Vec<Dense>,
    counts: Vec<u128>,
    bytes: Vec<u8>,
}

impl PositionBlock {
    pub(crate) fn positions(&self) -> Positions<'_> {
        Positions::listed(&self.dense, &self.counts)
    }

    /// Reads a block of a file.
    ///
    /// **Errors**: the file cannot be read, or it does not contain the block that was written at this place.
    pub(super) fn read(&mut self, path: &Path, [ply, file]: [u32; 2], number: u64) -> io::Result<()> {
        self.bytes.resize(BLOCK, 0);
        let (mut handle, offset) = (File::open(path)?, number * BLOCK as u64);
        handle.seek(SeekFrom::Start(offset))?;
        handle.read_exact(&mut self.bytes)?;
        forget(&handle, offset, BLOCK as u64);
        self.decode([ply, file], number).map_err(|what| {
            io::Error::new(ErrorKind::InvalidData, format!("block {number}: {what}: the file is damaged"))
        })
    }

    fn decode(&mut self, [ply, file]: [u32; 2], number: u64) -> Result<(), String> {
        let word = |at: usize| u32::from_le_bytes(self.bytes[at..at + 4].try_into().expect("four bytes"));
        let (positions, length) = (word(24) as usize, word(28) as usize);
        let end = positions.saturating_mul(BYTES).saturating_add(HEADER).saturating_add(length);
        if self.bytes[4..8] != MAGIC || end > BLOCK {
            return Err(format!("found '{}', expected a block of positions", self.bytes[..8].escape_ascii()));
        }
        let expected = crc32fast::hash(&self.bytes[4..end]);
        if word(0) != expected {
            return Err(format!("found the checksum {:08x}, expected {expected:08x} of these bytes", word(0)));
        }
        let place = (word(8), word(12), u64::from(word(16)) | u64::from(word(20)) << 32);
        if place != (ply, file, number) {
            let (ply, file, number) = place;
            return Err(format!("found block {number} of file {file} of ply {ply}, expected what was written here"));
        }
        let (dense, counts) = self.bytes[HEADER..end].split_at(positions * BYTES);
        self.dense.clear();
        self.dense.extend(dense.as_chunks::<BYTES>().0.iter().map(|bytes| {
            let (words, _) = bytes.as_chunks::<4>();
            std::array::from_fn(|word| u32::from_le_bytes(words[word]))
        }));
        self.counts.clear();
        let mut rest = counts.iter();
        while let Some(count) = varint::read(&mut rest) {
            self.counts.push(count);
        }
        if self.counts.len() != positions || !rest.as_slice().is_empty() {
            return Err(format!("found {} multiplicities, expected {positions}", self.counts.len()));
        }
        Ok(())
    }
}

/// A block that is being filled.
pub(super) struct BlockWriter {
    name: [u32; 2],
    block: PositionBlock,
    /// The multiplicities, in the format in which they are stored in a block.
    counts: Vec<u8>,
}

impl BlockWriter {
    pub(super) fn new(name: [u32; 2]) -> BlockWriter {
        BlockWriter { name, block: PositionBlock::default(), counts: Vec::new() }
    }

    pub(super) fn len(&self) -> usize {
        self.block.dense.len()
    }

    pub(super) fn positions(&self) -> Positions<'_> {
        self.block.positions()
    }

    /// Returns the sum of the multiplicities.
    pub(super) fn perft(&self) -> u128 {
        self.block.counts.iter().fold(0, |sum: u128, count| sum.saturating_add(*count))
    }

    /// Returns true if there is room for one more position with any multiplicity.
    pub(super) fn has_room(&self) -> bool {
        HEADER + (self.len() + 1) * BYTES + self.counts.len() + varint::MAX_BYTES <= BLOCK
    }

    pub(super) fn push(&mut self, entry: &Entry<POSITION>, count: u128) {
        self.block.dense.push(*entry.first_chunk().expect("an entry is longer than a position"));
        self.block.counts.push(count);
        varint::push(&mut self.counts, count);
    }

    pub(super) fn write(&mut self, file: &mut File, place: u64) -> io::Result<()> {
        let [ply, number] = self.name;
        let (positions, length) = (self.len() as u32, self.counts.len() as u32);
        let bytes = &mut self.block.bytes;
        bytes.clear();
        bytes.extend([0; 4]);
        bytes.extend(MAGIC);
        let words = [ply, number, place as u32, (place >> 32) as u32, positions, length];
        bytes.extend(words.into_iter().flat_map(u32::to_le_bytes));
        bytes.extend(self.block.dense.iter().flatten().flat_map(|word| word.to_le_bytes()));
        bytes.extend(&self.counts);
        let checksum = crc32fast::hash(&bytes[4..]);
        bytes[..4].copy_from_slice(&checksum.to_le_bytes());
        bytes.resize(BLOCK, 0);
        file.seek(SeekFrom::Start(place * BLOCK as u64))?;
        file.write_all(bytes)?;
        self.block.dense.clear();
        self.block.counts.clear();
        self.counts.clear();
        Ok(())
    }
}

/// Drops a part of a file from the system's cache, or everything after `offset` if `length` is 0. The current pass does
/// not read that part again, and the tables need the memory.
pub(super) fn forget(file: &File, offset: u64, length: u64) {
    #[cfg(target_os = "linux")]
    let _ = rustix::fs::fadvise(file, offset, std::num::NonZeroU64::new(length), rustix::fs::Advice::DontNeed);
    #[cfg(not(target_os = "linux"))]
    let _ = (file, offset, length);
}
