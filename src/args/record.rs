//! Files that are records of `perft bench`.

use crate::args::text::{MAX_TEXT, text};
use crate::failure::{CommandFailure, Usage};
use perft_gate_machine::record::Record;
use std::path::Path;

/// Reads a record. **Errors**: one line that names the file.
pub fn read(path: &Path) -> Result<Record, CommandFailure> {
    let refused = |error: &dyn std::fmt::Display| Usage(format!("{}: {error}", path.display()));
    let text = text(path, MAX_TEXT, &path.display().to_string(), "a record of perft bench")?;
    let record = Record::parse(&text).map_err(|error| refused(&error))?;
    if record.is_empty() { Err(refused(&Record::EMPTY)) } else { Ok(record) }
}
