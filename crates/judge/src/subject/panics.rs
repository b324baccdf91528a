//! Finds the board method that panics, and the moves that lead to the panic.
//!
//! The walk that panicked may have run on many threads, and its path was on a stack that no longer exists. So the tree
//! is walked again, ply by ply, and every method is called separately. A ply is reached only after all calls at
//! shallower plies have returned, so the first call that panics is the shallowest.

use super::board::{Depth, Subject};
use super::descent::{children, readable_fen};
use super::finding::{Difference, SubjectCheck};
use perft_gate_chess::{Board, EnPassantPolicy};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Calls a method of a board. **Errors**: the panic message if the method panics.
pub(super) fn call<T>(method: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(method)).map_err(|panic| {
        let text = panic.downcast_ref::<&str>().map(|text| text.to_string());
        text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "no message".into())
    })
}

pub(super) fn panic_difference(path: Vec<String>, method: &str, message: &str) -> Difference {
    let (check, expected, found) = (SubjectCheck::Panic, format!("{method} returns"), format!("panic: {message}"));
    Difference { check, path, expected, found, ..Difference::default() }
}

/// Returns the shallowest panic in a tree, or `None` if no method panics this time.
pub(super) fn find_panic<S: Subject>(root: &S, board: &Board, depth: Depth) -> Option<Difference> {
    (0..=depth.0).find_map(|ply| find_at_ply(root, board, Depth(ply), &mut Vec::new()))
}

fn find_at_ply<S: Subject>(subject: &S, board: &Board, ply: Depth, path: &mut Vec<String>) -> Option<Difference> {
    if ply.0 == 0 {
        let (mv, method, message) = call_each(subject, board).err()?;
        path.extend(mv);
        return Some(panic_difference(path.clone(), method, &message));
    }
    children(subject, board).into_iter().find_map(|(mv, child, board)| {
        path.push(mv.uci().to_string());
        let found = find_at_ply(&child, &board, Depth(ply.0 - 1), path);
        path.pop();
        found
    })
}

/// A panic: the move's text if the method takes a move, the method, and the message.
type Panicked = (Option<String>, &'static str, String);

/// Calls each method at one position. **Errors**: the first panic.
fn call_each<S: Subject>(subject: &S, board: &Board) -> Result<(), Panicked> {
    let at = |method: &'static str| move |message| (None, method, message);
    let moves = call(|| subject.moves()).map_err(at("`moves`"))?;
    call(|| (subject.key(), subject.recomputed_key())).map_err(at("`key` or `recomputed_key`"))?;
    let own = call(|| subject.fen()).map_err(at("`fen`"))?;
    let ours = [EnPassantPolicy::Legal, EnPassantPolicy::Always].map(|policy| readable_fen(board, policy));
    for fen in ours.into_iter().chain(own) {
        call(|| S::from_fen(&fen)).map_err(|message| (None, "`from_fen`", format!("{message}, for '{fen}'")))?.ok();
    }
    for mv in moves {
        let text = call(|| subject.uci(mv)).map_err(at("`uci`"))?;
        let with = |method: &'static str| {
            let text = text.clone();
            move |message| (Some(text), method, message)
        };
        call(|| (subject.details(mv), subject.key_after(mv))).map_err(with("`details` or `key_after`"))?;
        call(|| subject.code(mv)).map_err(with("`code`"))?;
        let mut child = subject.clone();
        let undo = call(|| child.make(mv)).map_err(with("`make`"))?;
        if let Some(unmake) = S::UNMAKE {
            call(|| unmake(&mut child, mv, undo)).map_err(with("`UNMAKE`"))?;
            call(|| child.same(subject)).map_err(with("`same`, after `UNMAKE`,"))?;
        }
    }
    let mut other = subject.clone();
    let undo = call(|| other.make_null()).map_err(at("`make_null`"))?;
    if let (Some(unmake), Some(undo)) = (S::UNMAKE_NULL, undo) {
        call(|| unmake(&mut other, undo)).map_err(at("`UNMAKE_NULL`"))?;
    }
    Ok(())
}
