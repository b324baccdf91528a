//! Text that a user names: a file, or `-` for standard input. Every kind has a maximum size, so that a device or a wrong
//! file is refused in one line instead of filling the memory.

use crate::args::decode::decode;
use crate::failure::{CommandFailure, Usage};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// Maximum number of bytes of a list of positions.
pub const MAX_LIST: u64 = 1 << 30;
/// Maximum number of bytes of any other text.
pub const MAX_TEXT: u64 = 64 << 20;

/// Reads the bytes of a file, or of standard input for `-`. `named` is the option and the file, and `expected` what it
/// holds, for messages.
///
/// **Errors**: it cannot be read, or has more than `max` bytes.
fn bytes(path: &Path, max: u64, named: &str, expected: &str) -> Result<Vec<u8>, CommandFailure> {
    let mut bytes = Vec::new();
    let read = match path == Path::new("-") {
        true => io::stdin().lock().take(max + 1).read_to_end(&mut bytes),
        false => File::open(path).and_then(|file| file.take(max + 1).read_to_end(&mut bytes)),
    };
    read.map_err(|error| Usage(format!("{named}: {error}, expected {expected}")))?;
    match bytes.len() as u64 > max {
        true => {
            Err(Usage(format!("{named}: found more than {} MiB, expected {expected}, no longer than that", max >> 20)))
        }
        false => Ok(bytes),
    }
}

/// Reads a text, in any encoding that [`decode`] knows; see [`bytes`].
pub fn text(path: &Path, max: u64, named: &str, expected: &str) -> Result<String, CommandFailure> {
    decode(bytes(path, max, named, expected)?).map_err(|error| Usage(format!("{named}: {error}")))
}
