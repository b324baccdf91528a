//! The file format of a ply's positions with their multiplicities.
//!
//! Version 1, all numbers little-endian:
//!
//! | bytes | |
//! |---|---|
//! | 8 | `PERFTPOS` |
//! | 4 | version, 1 |
//! | 4 | en-passant policy: 0 always, 1 pseudo, 2 legal |
//! | 4 | ply |
//! | 4 | length of the root's FEN |
//! | 8 | number of positions |
//! | 16 | sum of the multiplicities: perft |
//! | … | the root's FEN |
//! | | the positions, in no particular order; for each: |
//! | 32 | the planes of [`Packed`] as four 64-bit words |
//! | 1 to 19 | its multiplicity: 7 bits per byte, lowest first, the top bit set in all but the last byte |
//! | 4 | CRC-32 (as in gzip) of all bytes before |
//!
//! `docs/read_export.py` reads this format.

use crate::frontier::Frontier;
use crate::varint;
use perft_gate_chess::{EnPassantPolicy, Packed};
use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, ErrorKind, Read, Write};

const MAGIC: &[u8; 8] = b"PERFTPOS";
const VERSION: u32 = 1;
/// Maximum length of a root's FEN in bytes.
const MAX_ROOT: u32 = 200;

/// Header of an export file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Header {
    /// Policy that decides when an en-passant square distinguishes positions.
    pub policy: EnPassantPolicy,
    /// Number of plies from the root.
    pub ply: u32,
    /// FEN of the root.
    pub root: String,
    pub positions: u64,
    /// Sum of the positions' multiplicities.
    pub perft: u128,
}

/// Error while reading an export file.
#[derive(thiserror::Error, Debug)]
pub enum ExportError {
    /// The file cannot be read, or ends too early.
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error("byte {at}: found {found}, expected {expected}")]
    Wrong {
        /// Offset of the wrong byte.
        at: u64,
        found: String,
        expected: String,
    },
}

/// Summary of positions with their multiplicities, independent of their order.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Contents {
    pub positions: u64,
    /// Sum of the multiplicities, modulo 2^128.
    pub perft: u128,
    /// One sum per hash function: each position is hashed with its multiplicity, and the hashes are added.
    fingerprint: [u64; 2],
}

impl Contents {
    fn add(&mut self, planes: [u64; 4], count: u128) {
        self.positions += 1;
        self.perft = self.perft.wrapping_add(count);
        for (seed, sum) in self.fingerprint.iter_mut().enumerate() {
            let mut hasher = DefaultHasher::new();
            (seed, planes, count).hash(&mut hasher);
            *sum = sum.wrapping_add(hasher.finish());
        }
    }

    pub fn new(frontier: &Frontier) -> Contents {
        let mut contents = Contents::default();
        frontier.iter().for_each(|(packed, count)| contents.add(packed.planes(), count));
        contents
    }
}

/// A stream with its running checksum and, if it is read, its offset.
struct Checked<S> {
    stream: S,
    checksum: crc32fast::Hasher,
    at: u64,
}

impl<S> Checked<S> {
    fn new(stream: S) -> Checked<S> {
        Checked { stream, checksum: crc32fast::Hasher::new(), at: 0 }
    }
}

impl<W: Write> Checked<W> {
    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.checksum.update(bytes);
        self.stream.write_all(bytes)
    }
}

impl<R: Read> Checked<R> {
    fn take<const N: usize>(&mut self) -> io::Result<[u8; N]> {
        let mut bytes = [0; N];
        self.stream.read_exact(&mut bytes).map_err(|error| match error.kind() {
            ErrorKind::UnexpectedEof => io::Error::new(error.kind(), "found the end of the file, expected more of it"),
            _ => error,
        })?;
        self.checksum.update(&bytes);
        self.at += N as u64;
        Ok(bytes)
    }

    fn number(&mut self) -> io::Result<u32> {
        self.take().map(u32::from_le_bytes)
    }

    /// Returns an error about the last `bytes` bytes read.
    fn wrong<T>(&self, bytes: u64, found: impl fmt::Display, expected: impl fmt::Display) -> Result<T, ExportError> {
        Err(ExportError::Wrong { at: self.at - bytes, found: found.to_string(), expected: expected.to_string() })
    }

    /// Reads a multiplicity, which must be in its shortest form.
    fn multiplicity(&mut self) -> Result<u128, ExportError> {
        let mut count = 0;
        for bytes in 0..varint::MAX_BYTES {
            let [byte] = self.take()?;
            let part = u128::from(byte & 127);
            let shifted = part << (7 * bytes);
            if shifted >> (7 * bytes) != part {
                break;
            }
            count |= shifted;
            match byte {
                0 => break,
                1..128 => return Ok(count),
                _ => {}
            }
        }
        self.wrong(1, "the end of a multiplicity that is 0, too long or too large", "1 to 2^128 - 1")
    }
}

/// Writes a frontier. Calls `stopped` every 65,536 positions; if that returns true, ends with the error `Interrupted`.
pub fn write(
    out: impl Write,
    frontier: &Frontier,
    root: &str,
    policy: EnPassantPolicy,
    ply: u32,
    stopped: impl Fn() -> bool,
) -> io::Result<()> {
    let mut out = Checked::new(out);
    let perft = frontier.iter().fold(0_u128, |sum, (_, count)| sum.wrapping_add(count));
    out.put(MAGIC)?;
    for number in [VERSION, policy as u32, ply, root.len() as u32] {
        out.put(&number.to_le_bytes())?;
    }
    out.put(&frontier.positions().to_le_bytes())?;
    out.put(&perft.to_le_bytes())?;
    out.put(root.as_bytes())?;
    for (number, (packed, count)) in frontier.iter().enumerate() {
        if number & 0xffff == 0 && stopped() {
            return Err(ErrorKind::Interrupted.into());
        }
        out.put(&record(packed, count))?;
    }
    let checksum = out.checksum.clone().finalize();
    out.put(&checksum.to_le_bytes())?;
    out.stream.flush()
}

fn record(packed: Packed, count: u128) -> arrayvec::ArrayVec<u8, 51> {
    let mut bytes: arrayvec::ArrayVec<u8, 51> = packed.planes().into_iter().flat_map(u64::to_le_bytes).collect();
    varint::push(&mut bytes, count);
    bytes
}

/// Reads an export to its end, and checks it.
///
/// **Errors**: the first byte that is wrong, or a checksum or sum that does not match.
pub fn read(input: impl Read) -> Result<(Header, Contents), ExportError> {
    let mut input = Checked::new(input);
    let magic = input.take::<8>()?;
    if magic != *MAGIC {
        let found = format!("'{}'", magic.escape_ascii());
        return input.wrong(8, found, "'PERFTPOS', an export of perft");
    }
    let version = input.number()?;
    if version != VERSION {
        return input.wrong(4, format_args!("version {version}"), format_args!("version {VERSION}"));
    }
    let number = input.number()?;
    let Some(&policy) = EnPassantPolicy::ALL.get(number as usize) else {
        return input.wrong(4, format_args!("policy {number}"), "0, 1 or 2");
    };
    let ply = input.number()?;
    let length = input.number()?;
    if length > MAX_ROOT {
        return input.wrong(4, format_args!("a FEN of {length} bytes"), format_args!("at most {MAX_ROOT}"));
    }
    let positions = u64::from_le_bytes(input.take()?);
    let perft = u128::from_le_bytes(input.take()?);
    let root = (0..length).map(|_| input.take::<1>().map(|[byte]| byte)).collect::<io::Result<Vec<u8>>>()?;
    let Ok(root) = String::from_utf8(root) else {
        return input.wrong(u64::from(length), "bytes that are not text", "a FEN");
    };
    let mut contents = Contents::default();
    for _ in 0..positions {
        let bytes = input.take::<32>()?;
        let (planes, _) = bytes.as_chunks();
        contents.add(std::array::from_fn(|plane| u64::from_le_bytes(planes[plane])), input.multiplicity()?);
    }
    let expected = input.checksum.clone().finalize();
    let found = input.number()?;
    if found != expected {
        return input.wrong(4, format_args!("the checksum {found:08x}"), format_args!("{expected:08x} of these bytes"));
    }
    if input.stream.read(&mut [0])? != 0 {
        return input.wrong(0, "more bytes", "the end of the file");
    }
    if contents.perft != perft {
        let expected = format!("{perft} as in the header");
        return input.wrong(4, format_args!("multiplicities that add up to {}", contents.perft), expected);
    }
    Ok((Header { policy, ply, root, positions, perft }, contents))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{UniqueOptions, unique};
    use perft_gate_chess::Fen;
    use perft_gate_simd::Level;
    use perft_gate_walk::Control;

    /// The frontier of the first ply.
    fn frontier() -> Frontier {
        let options = UniqueOptions::new(EnPassantPolicy::Always, Level::detect(), 1 << 28);
        let options = UniqueOptions { keep: true, ..options };
        let board = Fen::parse(Fen::START).unwrap();
        unique(&board, 1, &options, &Control::default(), &mut |_| {}).unwrap().frontier.unwrap()
    }

    #[test]
    fn every_damaged_byte_is_seen() {
        let mut bytes = Vec::new();
        write(&mut bytes, &frontier(), Fen::START, EnPassantPolicy::Always, 1, || false).unwrap();
        read(&bytes[..]).unwrap();
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1 << (at % 8);
            assert!(read(&damaged[..]).is_err(), "byte {at}");
            assert!(read(&bytes[..at]).is_err(), "{at} bytes");
        }
        assert!(read(&[&bytes[..], b"x"].concat()[..]).is_err());
    }

    #[test]
    fn large_multiplicities_are_exact() {
        let packed = Packed::new(&Fen::parse(Fen::START).unwrap(), EnPassantPolicy::Legal);
        for count in [1, 127, 128, 300, u128::from(u64::MAX), u128::MAX] {
            let bytes = record(packed, count);
            assert_eq!(Checked::new(&bytes[32..]).multiplicity().unwrap(), count);
        }
        for bad in [&[0][..], &[128, 0], &[255; 19], &[255; 3]] {
            assert!(Checked::new(bad).multiplicity().is_err(), "{bad:?}");
        }
    }

    #[test]
    fn a_stop_ends_the_writing() {
        let stopped = write(Vec::new(), &frontier(), Fen::START, EnPassantPolicy::Always, 1, || true);
        assert_eq!(stopped.unwrap_err().kind(), ErrorKind::Interrupted);
    }
}
