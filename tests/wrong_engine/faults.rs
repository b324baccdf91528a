//! Faults of the engine, and its dialects.

use clap::ValueEnum;

/// A fault: one of the catalogue, or one that the catalogue does not have, since it is in the manners, the listing, the numbers
/// of the key, or in many rules at once. Each class of the bugs that engines really had is here, if it can be seen from outside.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// No fault.
    #[value(name = "right")]
    None,
    /// One of the catalogue, by its name.
    #[value(skip)]
    Bent(&'static str),
    // The moves.
    EpPinned,
    QueenOnly,
    KingIntoCheck,
    PinnedKnight,
    EqualTotal,
    ListedTwice,
    WrongSum,
    // Making and unmaking them.
    PromotionStaysPawn,
    // The walk, though each position is right alone.
    MateCountedAlone,
    RepetitionStops,
    MaterialStops,
    TableIgnoresDepth,
    CounterNotReset,
    UnsafeBelowRoot,
    // The listing at more plies than one.
    NegativeSubtotal,
    PowerSubtotal,
    NoSquareSubtotal,
    FractionSubtotal,
    // The key.
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
    // The numbers of the key.
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
    // Its updates, and what else is in it.
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
    // The FEN that it shows after moves.
    FenOfKings,
    FenKeepsRights,
    FenOfOtherRank,
    FenWithoutClock,
    FenOfFirstMove,
    PawnKeyToo,
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
    /// It says all that it ever says again and again, and never reads a command.
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

/// Form in which an engine prints perft.
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
    /// Totals for each number of plies up to the one that is asked, in a thread of its own.
    EachDepth,
    /// The same as a table with times.
    Plies,
    /// A list that nobody can read, and a total.
    Riddles,
    /// `go` searches and comes to an end at once, `perft` counts.
    SearchesAtOnce,
    /// `go` searches until it is stopped, `perft` counts.
    Searches,
    /// `go` searches until it is stopped, in silence; `perft` counts.
    SearchesSilently,
    /// `go` searches and can be ended only with the process; `perft` counts.
    SearchesForEver,
    /// `go` searches, and nothing counts.
    SearchesOnly,
    /// The count stands before the move, and the total has no name: only patterns read them.
    Reversed,
    /// `perft N fen FEN` counts, and nothing else.
    NamesFen,
    /// `board` shows a decimal key, and `d` nothing.
    DecimalKeys,
    /// It exits after each answer to perft.
    Exits,
    /// Long algebraic notation, with its dashes and crosses.
    LongAlgebraic,
    /// Short algebraic notation.
    ShortAlgebraic,
    /// The same with the letters of another language.
    OtherLetters,
    /// Promotions without their pieces.
    PromotionsBare,
    /// The leaves of each ply, the last ply first.
    EachPly,
    /// Moves alone for perft 1.
    MovesAlone,
    /// Signed decimal keys of 32 bits.
    SignedKeys,
    /// A FEN and no key.
    FenAlone,
    /// The whole list on one line.
    OneLine,
    /// The whole answer as JSON, on one line.
    Json,
    /// As a log has it.
    Log,
    /// A sentence with the depth, and groups of digits: only patterns read it.
    Sentence,
}

impl Dialect {
    pub fn name(self) -> String {
        self.to_possible_value().expect("a name").get_name().into()
    }

    /// Returns true if no root move is listed so that it can be read.
    pub fn is_totals_only(self) -> bool {
        use Dialect::*;
        matches!(self, TotalOnly | EachDepth | Plies | Riddles | OtherLetters | Sentence)
    }

    /// Returns true if the engine is understood only with options that say how.
    pub fn needs_options(self) -> bool {
        matches!(self, Dialect::Reversed | Dialect::NamesFen | Dialect::Sentence)
    }

    /// Returns true if `go perft` searches.
    pub fn searches(self) -> bool {
        use Dialect::*;
        matches!(self, SearchesAtOnce | Searches | SearchesSilently | SearchesForEver | SearchesOnly)
    }
}
