//! Records for the tests which ways of counting were taken on this thread, because a way that no test takes is
//! untested.

use std::cell::Cell;

/// Declares the ways and a list of all of them.
macro_rules! paths {
    ($($(#[$doc:meta])* $name:ident,)*) => {
        /// A way to count moves of the mover, or whole nodes.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub(super) enum Path {
            $($(#[$doc])* $name,)*
        }

        impl Path {
            pub(super) const ALL: &[Path] = &[$(Path::$name,)*];
        }
    };
}

paths! {
    /// Neither leaving nor arriving changes the number of replies.
    Untouched,
    UntouchedPawn,
    // Sums over arrivals.
    LineLoss,
    SliderCaptured,
    SliderRecaptures,
    KnightCaptured,
    KnightRecaptures,
    PawnStopped,
    DoublePushStopped,
    PawnCaptures,
    PawnCaptured,
    LastRank,
    EightArrivals,
    // Gains of leaving.
    SliderOpened,
    PinnedSliderOpened,
    PawnFreed,
    DoublePushFreed,
    PawnCaptureGone,
    LastRankFreed,
    // Pins.
    PinningArrival,
    PinningArrivalAlone,
    PinningAndOpening,
    PinEnded,
    PinEndedAlone,
    SniperLeaves,
    SniperLeavesAlone,
    SecondBlockerLeaves,
    PawnMakesPin,
    // The replier's king.
    GuardLeaves,
    PawnGuardLeaves,
    GuardIsBacked,
    StepPrevented,
    StepPreventedByPawn,
    CastlingPrevented,
    CastlingGuardLeaves,
    KingRecaptures,
    // Moves that are counted one by one.
    Queued,
    QueuedAfterLast,
    QueuedChild,
    QueuedChildAfterLast,
    PieceChecks,
    PawnChecks,
    Promotion,
    PromotionChecks,
    Castling,
    SummedCastling,
    CastlingChecks,
    EnPassant,
    EnPassantReply,
    DoublePushChecks,
    DoublePushUncovers,
    DiscoveredCheck,
    DoubleCheckGiven,
    CountedByMaking,
    // Whole nodes.
    InCheck,
    DoubleCheck,
    SlidersKept,
    PiecesKept,
    KingMoved,
    KingMovedBehindQueue,
    LeftToTheWalk,
    /// Only with eight lanes.
    OneByOne,
    // Positions with few pieces, only with fast PEXT.
    FewPieces,
    FewPiecesQuiet,
    FewPiecesMet,
    FewPiecesCapture,
    FewPiecesCheck,
    FewPiecesPin,
    FewPiecesPinEnds,
    /// A piece ends one of several pins, and the others remain.
    FewPiecesOtherPins,
    /// A slider moves, and the pins of another slider remain.
    FewPiecesPinsRemain,
    FewPiecesPinned,
    FewPiecesRelease,
    FewPiecesLineCut,
    FewPiecesApart,
    FewPiecesPawnNear,
    FewPiecesPawnMet,
    FewPiecesPawnFrees,
    FewPiecesPawnCapture,
    FewPiecesPawnCheck,
    FewPiecesPawnApart,
    TooManyPieces,
}

thread_local! {
    static TAKEN: [Cell<u64>; Path::ALL.len()] = const { [const { Cell::new(0) }; Path::ALL.len()] };
}

/// Records that a way was taken some number of times.
pub(super) fn add(path: Path, times: u64) {
    TAKEN.with(|taken| taken[path as usize].set(taken[path as usize].get() + times));
}

/// Returns how often each way was taken on this thread since the last call, in the order of [`Path::ALL`].
pub(super) fn take() -> [u64; Path::ALL.len()] {
    TAKEN.with(|taken| std::array::from_fn(|path| taken[path].take()))
}
