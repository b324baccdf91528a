//! Shared test code: running the binary, reading documents, temporary folders, and named positions.

mod dialogue;
#[allow(dead_code, reason = "a table: the wrong engine is asked about other positions than the rest")]
pub mod fens;
mod files;
mod run;

pub use dialogue::Dialogue;
pub use files::{Folder, checked, document, is_valid, read_json};
pub use run::{
    BINARY, Run, command, free_address, key_of, path_with_binary, perft, perft_line, perft_with_input, root, start,
    start_command, succeeds, wait_until,
};
#[cfg(unix)]
pub use run::{command_of_shell, shell, signal, wait_until_it_catches_interrupts};
