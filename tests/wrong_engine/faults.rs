//! Faults and dialects of the wrong engine.

use clap::ValueEnum;

/// A fault from the catalogue, or an extra fault in the protocol, the listing, the key's random numbers, or several
/// rules at once. Every class of real engine bugs that is visible from outside is included.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// No fault.
    #[value(name = "right")]
    None,
    /// A fault of the catalogue, by name.
    #[value(skip)]
    Bent(&'static str),
    // Faults of the moves.
    EpPinned,
    QueenOnly,
    KingIntoCheck,
    PinnedKnight,
    EqualTotal,
    ListedTwice,
    WrongSum,
    // Faults of make and unmake.
    PromotionStaysPawn,
    // Faults of the walk. Each position is counted correctly if it is the root of a separate count.
    MateCountedAlone,
    RepetitionStops,
    MaterialStops,
    TableIgnoresDepth,
    CounterNotReset,
    UnsafeBelowRoot,
    // Faults of the listing at depth 2 and more.
    NegativeSubtotal,
    PowerSubtotal,
    NoSquareSubtotal,
    FractionSubtotal,
    // Faults of the key.
    EpPinnedKeyed,
    EpAlwaysByFen,
    EpAlwaysByMoves,
    EpWrapsByMoves,
    EpFilePinsIgnored,
    EpChecksIgnored,
    EpFirstCapturerOnly,
    FirstRightOnly,
    RightsShareAKey,
    RightIsSideKey,
    RightsOfCornersOnly,
    CastlingRookKeptInKey,
    WrongIndex,
    KeySpoiltByPerft,
    EpFileIsZero,
    EpFilesShare,
    EpFileIsSideKey,
    PiecesShare,
    CastlingRookFromElsewhere,
    ConstantAfterDoublePush,
    ConstantWithLastRight,
    // Faults of the random numbers that the key consists of.
    NumberIsZero,
    TwoNumbersEqual,
    BishopsAreKnights,
    RowsOf63,
    ColoursMirrored,
    FilesMirrored,
    RanksIgnored,
    Rotated,
    PieceXorSquare,
    GoldenRatio,
    KingNotHashed,
    HalvesRepeated,
    SignExtended,
    DoublePrecision,
    LibraryRand,
    TinySeed,
    BlackQueenSideNotHashed,
    RightsOfWhiteOnly,
    RightIsPawn,
    EpFileIsRight,
    EpFileModulo7,
    EpByRank,
    // Faults of the key's updates and its extra terms.
    RightOfOtherSideLost,
    EpKeptByPieces,
    EpOfWhiteOnly,
    BlackCastlesOnRankOne,
    CheckHashed,
    GamePlyHashed,
    PlyHashed,
    RowsShare,
    ShortKeys,
    NarrowKeys,
    MoveIgnored,
    ClockHashed,
    LateClockHashed,
    EachClockHashed,
    // Faults of the FEN shown after moves.
    FenOfKings,
    FenKeepsRights,
    FenOfOtherRank,
    FenWithoutClock,
    FenOfFirstMove,
    PawnKeyToo,
    // Faults of the protocol.
    Hang,
    HangAtStart,
    Crash,
    CrashAtStart,
    Garbage,
    Flood,
    FenRefused,
    FenMistaken,
    QuitIgnored,
    /// The engine repeats its whole output forever and never reads a command.
    ReadsNothing,
    WithoutChess960,
}

impl Fault {
    pub fn name(self) -> String {
        match self {
            Fault::Bent(name) => name.into(),
            fault => fault.to_possible_value().expect("a name").get_name().into(),
        }
    }

    pub fn named(name: &str) -> Fault {
        Fault::from_str(name, false).unwrap_or_else(|_| Fault::Bent(name.to_string().leak()))
    }
}

/// The format in which an engine prints perft.
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
    DivideVerb,
    Frame,
    InfoString,
    Colours,
    CastlingLetters,
    Spaces,
    /// A separate thread prints the total of each depth up to the requested one.
    EachDepth,
    /// Like `EachDepth`, but printed as a table with times.
    Plies,
    /// An unreadable list, and a total.
    Riddles,
    /// `go` searches and ends at once; `perft` counts.
    SearchesAtOnce,
    /// `go` searches until it is stopped; `perft` counts.
    Searches,
    /// `go` searches silently until it is stopped; `perft` counts.
    SearchesSilently,
    /// `go` searches until the process ends; `perft` counts.
    SearchesForEver,
    /// `go` searches, and nothing counts.
    SearchesOnly,
    /// The count precedes the move, and the total has no label, so only a user's pattern can read them.
    Reversed,
    /// Only `perft N fen FEN` counts.
    NamesFen,
    /// `board` shows a decimal key; `d` shows nothing.
    DecimalKeys,
    /// The engine exits after each answer to perft.
    Exits,
    /// Long algebraic notation, with dashes and crosses.
    LongAlgebraic,
    /// Short algebraic notation.
    ShortAlgebraic,
    /// Short algebraic notation with piece letters of another language.
    OtherLetters,
    /// Promotions without the piece letter.
    PromotionsBare,
    /// The number of leaves of each ply, last ply first.
    EachPly,
    /// Moves without counts for perft 1.
    MovesAlone,
    /// Signed decimal keys of 32 bits.
    SignedKeys,
    /// A FEN but no key.
    FenAlone,
    /// The whole list on one line.
    OneLine,
    /// The whole answer as JSON, on one line.
    Json,
    /// In the format of a log.
    Log,
    /// A sentence with the depth and grouped digits, so only a user's pattern can read it.
    Sentence,
}

impl Dialect {
    pub fn name(self) -> String {
        self.to_possible_value().expect("a name").get_name().into()
    }

    /// Returns true if no root move is listed in a readable form.
    pub fn is_totals_only(self) -> bool {
        use Dialect::*;
        matches!(self, TotalOnly | EachDepth | Plies | Riddles | OtherLetters | Sentence)
    }

    /// Returns true if `go perft` searches.
    pub fn searches(self) -> bool {
        use Dialect::*;
        matches!(self, SearchesAtOnce | Searches | SearchesSilently | SearchesForEver | SearchesOnly)
    }
}
