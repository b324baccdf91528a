//! Exports of a WebAssembly module that takes a question as text and returns an answer as text.
//!
//! The caller writes a question into the module's memory at `room(length)`, calls `answer()`, which returns a length,
//! and reads that many bytes at `text()`. This code dereferences no pointer, so only the exported names are unsafe.

use std::sync::{Mutex, MutexGuard, PoisonError};

static TEXT: Mutex<Vec<u8>> = Mutex::new(Vec::new());

fn text_of_module() -> MutexGuard<'static, Vec<u8>> {
    TEXT.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Makes room for a question and returns its address.
pub fn room(length: usize) -> *const u8 {
    *text_of_module() = vec![0; length];
    text()
}

/// Returns the address of the last question or answer.
pub fn text() -> *const u8 {
    text_of_module().as_ptr()
}

/// Replaces the question with its answer and returns the length of the answer.
pub fn replace(answer: fn(&str) -> String) -> usize {
    let question = std::mem::take(&mut *text_of_module());
    let answer = answer(&String::from_utf8_lossy(&question)).into_bytes();
    let length = answer.len();
    *text_of_module() = answer;
    length
}

/// Exports `room`, `answer` and `text` from a module. The function passed as `$answer` computes the answers.
#[macro_export]
macro_rules! export_answer {
    ($answer:ident) => {
        #[allow(unsafe_code)]
        mod exports {
            // SAFETY: no other function of the module has one of these names.
            #[unsafe(no_mangle)]
            extern "C" fn room(length: usize) -> *const u8 {
                $crate::exchange::room(length)
            }
            // SAFETY: see `room`.
            #[unsafe(no_mangle)]
            extern "C" fn answer() -> usize {
                $crate::exchange::replace(super::$answer)
            }
            // SAFETY: see `room`.
            #[unsafe(no_mangle)]
            extern "C" fn text() -> *const u8 {
                $crate::exchange::text()
            }
        }
    };
}
