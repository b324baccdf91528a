//! The walk does not allocate per node: two trees with the same tasks but very different sizes allocate equally often.

#![allow(unsafe_code)]

use perft_gate_chess::Fen;
use perft_gate_count::{Paths, TreeCounter};
use perft_gate_simd::Level;
use perft_gate_walk::{Control, Settings};
use perft_gate_zobrist::preset;
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicU64, Ordering};

struct Counting;

static ALLOCATIONS: AtomicU64 = AtomicU64::new(0);

// SAFETY: every call goes to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.fetch_add(1, Ordering::Relaxed);
        // SAFETY: the caller's promises are passed on.
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: the caller's promises are passed on.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn allocations(work: impl FnOnce()) -> u64 {
    let before = ALLOCATIONS.load(Ordering::Relaxed);
    work();
    ALLOCATIONS.load(Ordering::Relaxed) - before
}

#[test]
fn the_walk_allocates_nothing() {
    // This position has few moves, so its trees are split at the same ply at every depth.
    let board = Fen::parse("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1").unwrap();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let settings = Settings {
        scheme: preset("cpw793").unwrap(),
        secondary: &[],
        seed: 0,
        level: Level::detect(),
        // One in sixteen nodes also makes the round trip through FEN.
        sample_mask: 0xf,
    };
    let verified = |depth| {
        let mut nodes = 0;
        let count = allocations(|| {
            nodes = pool.install(|| perft_gate_walk::verify(&board, depth, settings, &Control::default())).total();
        });
        (count, nodes)
    };
    // Count every path, because merging transpositions allocates memory for the positions of each ply.
    let every_path = TreeCounter { paths: Paths::Every, ..TreeCounter::new(settings.level) };
    let counted = |depth| {
        allocations(|| {
            pool.install(|| every_path.leaves(&board, depth, &Control::default()));
        })
    };
    verified(6);
    let ((shallow, few), (deep, many)) = (verified(7), verified(8));
    assert!(many > 3 * few, "{few} and {many} nodes");
    // Rayon's deque or the vectors of counts occasionally grow. One allocation per node would make hundreds of
    // thousands.
    assert!(deep.abs_diff(shallow) < 100, "{shallow} allocations for {few} nodes, {deep} for {many}");
    // The counter handles the last two plies itself and splits its trees two plies above those, so this comparison uses
    // deeper trees.
    let (shallow, deep) = (counted(9), counted(10));
    assert!(deep.abs_diff(shallow) < 100, "leaves: {shallow} allocations, then {deep}");
}
