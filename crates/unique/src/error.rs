//! Errors of a count.

use perft_gate_chess::EnPassantPolicy;
use std::fmt;

/// Error that ends a count.
#[derive(Debug)]
pub enum UniqueError {
    /// The scheme has no keys, or its keys follow another en-passant policy.
    Scheme {
        scheme: String,
        /// En-passant policy of the scheme's keys.
        found: EnPassantPolicy,
        /// En-passant policy that the count uses.
        expected: EnPassantPolicy,
    },
    /// The ply does not fit into the memory with any number of passes.
    Memory {
        ply: u32,
        /// Number of bytes available for the ply.
        found: usize,
        /// Minimum number of bytes that the ply needs, as far as known.
        expected: usize,
    },
    /// The system did not provide memory that should be available.
    System(std::io::Error),
    /// The disk failed, or a file is damaged.
    #[cfg(feature = "spill")]
    Disk(DiskError),
    /// The positions of the plies do not fit on the disk.
    #[cfg(feature = "spill")]
    DiskSpace {
        ply: u32,
        /// Number of bytes available.
        found: u64,
        /// Estimated number of bytes needed.
        expected: u64,
    },
    /// The number of children in a pass differs from the number of legal moves.
    Children { ply: u32, expected: u64, found: u64 },
    /// A count reached 2^128.
    TooMany { ply: u32 },
    /// The folders of the processes belong to different runs.
    Apart,
    /// The number of children received differs from the number sent.
    Exchange {
        ply: u32,
        /// Number of children sent.
        expected: u64,
        /// Number of children received.
        found: u64,
    },
    /// The two ways of counting a ply's leaves disagree.
    Disagreement {
        ply: u32,
        /// Sum of multiplicity times number of moves, over all positions of the previous ply.
        expected: u128,
        /// Sum of the children's multiplicities.
        found: u128,
    },
}

impl fmt::Display for UniqueError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use UniqueError as Error;
        match self {
            Error::Scheme { scheme, found, expected } => {
                let [found, expected] = [found, expected].map(|policy| policy.name());
                write!(f, "the keys of {scheme} include e.p. squares by the policy '{found}', expected '{expected}'")
            }
            Error::Memory { ply, found, expected } => {
                let [found, expected] = [found, expected].map(|bytes| mib(*bytes as u64));
                write!(f, "ply {ply} does not fit: found {found} MiB of memory, expected {expected} MiB or more")
            }
            Error::System(error) => write!(f, "the system provides no more memory: {error}"),
            #[cfg(feature = "spill")]
            Error::Disk(error) => error.fmt(f),
            #[cfg(feature = "spill")]
            Error::DiskSpace { ply, found, expected } => {
                let [found, expected] = [found, expected].map(|bytes| mib(*bytes));
                write!(f, "ply {ply} does not fit: found {found} MiB of disk, expected about {expected} MiB")
            }
            Error::Children { ply, expected, found } => {
                write!(f, "ply {ply}: found {found} children in a pass, expected {expected} ({FAULT})")
            }
            Error::TooMany { ply } => write!(f, "found a count of 2^128 or more at ply {ply}, expected less"),
            Error::Apart => f.write_str("found folders of different runs, expected those of one run in all processes"),
            Error::Exchange { ply, expected, found } => {
                write!(
                    f,
                    "ply {ply}: {found} children arrived, expected the {expected} that were sent ({NETWORK_FAULT})"
                )
            }
            Error::Disagreement { ply, expected, found } => {
                write!(f, "ply {ply}: found {found} leaves, expected {expected} ({FAULT})")
            }
        }
    }
}

impl std::error::Error for UniqueError {}

impl From<std::io::Error> for UniqueError {
    fn from(error: std::io::Error) -> UniqueError {
        UniqueError::System(error)
    }
}

const FAULT: &str = "faulty memory or hardware, or a bug in this program: run it again";
const NETWORK_FAULT: &str = "a faulty network or memory, or a bug in this program: run it again";

/// Converts a number of bytes to MiB, rounding up.
fn mib(bytes: u64) -> u64 {
    bytes.div_ceil(1 << 20)
}

/// A disk error, or a damaged file.
#[cfg(feature = "spill")]
#[derive(thiserror::Error, Debug)]
#[error("{}: {error}", path.display())]
pub struct DiskError {
    pub path: std::path::PathBuf,
    pub error: std::io::Error,
}

#[cfg(feature = "spill")]
impl DiskError {
    /// Returns a closure that adds the file's path to an error.
    pub(crate) fn in_file(path: &std::path::Path) -> impl Fn(std::io::Error) -> UniqueError + use<> {
        let path = path.to_path_buf();
        move |error| UniqueError::Disk(DiskError { path: path.clone(), error })
    }

    /// Returns the error for a file that does not hold what was written.
    pub(crate) fn damaged_file(path: &std::path::Path, what: String) -> UniqueError {
        DiskError::in_file(path)(std::io::Error::new(std::io::ErrorKind::InvalidData, format!("{what} is damaged")))
    }
}
