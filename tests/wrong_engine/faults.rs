//! What can be wrong with the engine, and how it may talk.

use clap::ValueEnum;

/// A fault. Each class of the bugs that engines really had is here, if it can be seen from outside.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    None,
    // The moves.
    EpPinned,
    EpEvasionMissing,
    QueenOnly,
    KingIntoCheck,
    PinnedKnight,
    CastleThroughCheck,
    JumpingPawn,
    EqualTotal,
    ListedTwice,
    WrongSum,
    // Making and unmaking them.
    RightOfCapturedRookKept,
    EpVictimKept,
    PromotionStaysPawn,
    RookOverKing,
    RightsNotRestored,
    EpNotRestored,
    // The key.
    EpTermKept,
    EpPinnedKeyed,
    EpAlwaysByFen,
    RightsNotHashed,
    FirstRightOnly,
    RightsShareAWord,
    RightIsSideWord,
    RightsOfCornersOnly,
    PromotionHashedAsPawn,
    EpVictimKeptInKey,
    CapturedKeptInKey,
    CastlingRookKeptInKey,
    SideNotHashed,
    WrongIndex,
    KeySpoiltByPerft,
    MoveIgnored,
    ClockHashed,
    // The manners.
    Hang,
    HangAtStart,
    Crash,
    CrashAtStart,
    Garbage,
    Flood,
    FenRefused,
    FenMistaken,
    QuitIgnored,
}

/// How an engine prints perft.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dialect {
    Stockfish,
    Tabs,
    Commas,
    Numbered,
    KingTakesRook,
    InfoNodes,
    Bare,
    TotalOnly,
    SubtotalsOnly,
    PerftVerb,
}
