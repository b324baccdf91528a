//! A counter's working memory, which is passed from one counter to the next on the same thread.
//!
//! A tree is split into many small tasks, each with its own counter. Allocating this memory for each task took 3 % of
//! the instructions when startpos was counted to depth 5, so a finished counter leaves it to the next counter on its
//! thread. Results for the last position may remain in this memory, but they are reused only if they are still valid.

use super::per_move::Queues;
use super::pieces::Pieces;
use super::pins::PinChanges;
use super::sliders::Sliders;
use super::zone::Steps;
use std::cell::Cell;
use std::ops::{Deref, DerefMut};

/// The results that are computed for a position before its moves are counted.
#[derive(Default)]
pub(super) struct Found {
    pub(super) sliders: Sliders,
    pub(super) pieces: Pieces,
    pub(super) steps: Steps,
    pub(super) pin_changes: PinChanges,
}

/// A counter's working memory, which is kept from one position to the next.
pub(super) struct Scratch {
    pub(super) found: Found,
    pub(super) queues: Queues,
}

impl Scratch {
    pub(super) fn new() -> Scratch {
        Scratch { found: Found::default(), queues: Queues::new() }
    }
}

thread_local! {
    static SPARE: Cell<Option<Box<Scratch>>> = const { Cell::new(None) };
}

/// A counter's working memory, which is returned to the thread on drop.
pub(super) struct SpareScratch(Option<Box<Scratch>>);

impl SpareScratch {
    /// Takes the memory that an earlier counter left on this thread, or allocates new memory.
    pub(super) fn take() -> SpareScratch {
        let spare = SPARE.try_with(Cell::take).ok().flatten();
        SpareScratch(Some(spare.unwrap_or_else(|| Box::new(Scratch::new()))))
    }
}

impl Drop for SpareScratch {
    fn drop(&mut self) {
        // The memory is not reused after a panic, because moves may still be queued and the last results may be half
        // written.
        let spare = self.0.take().filter(|scratch| !std::thread::panicking() && scratch.queues.is_idle());
        // On a thread that is ending, `try_with` fails and the memory is freed.
        let _ = SPARE.try_with(|place| place.set(spare));
    }
}

impl Deref for SpareScratch {
    type Target = Scratch;
    #[inline(always)]
    fn deref(&self) -> &Scratch {
        self.0.as_deref().expect("the scratch is present until the drop")
    }
}

impl DerefMut for SpareScratch {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut Scratch {
        self.0.as_deref_mut().expect("the scratch is present until the drop")
    }
}
