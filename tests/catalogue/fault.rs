//! The faults of the catalogue: each is a site in the engine's code, and the cases in which that site is wrong.
//!
//! A fault is a site and one case on each of the site's two axes: `pin-ignored/knight/north-east`. The engine asks
//! `Fault::is` at every condition, table entry and update, so exactly one of them is wrong.

use super::position::{BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK};

/// An axis of cases with labels. The engine asks for a case by the index of its label.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Axis {
    One,
    Color,
    Role,
    Direction,
    Jump,
    Wing,
    Right,
    File,
    Rank,
    Kind,
    Owner,
    Number,
    End,
    How,
    Update,
}

impl Axis {
    fn labels(self) -> &'static [&'static str] {
        match self {
            Axis::One => &[""],
            Axis::Color => &["white", "black"],
            Axis::Role => &["pawn", "knight", "bishop", "rook", "queen", "king"],
            Axis::Direction => {
                &["north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west"]
            }
            Axis::Jump => &["nne", "ene", "ese", "sse", "ssw", "wsw", "wnw", "nnw"],
            Axis::Wing => &["king-side", "queen-side"],
            Axis::Right => &["K", "Q", "k", "q"],
            Axis::File => &["a", "b", "c", "d", "e", "f", "g", "h"],
            Axis::Rank => &["1", "2", "3", "4", "5", "6", "7", "8"],
            Axis::Kind => &["quiet", "capture", "double-push", "e.p.", "castling", "promotion"],
            Axis::Owner => &["own", "enemy"],
            Axis::Number => &["first", "second"],
            Axis::End => &["checkmate", "stalemate"],
            Axis::How => &["by-push", "by-capture"],
            Axis::Update => {
                &["from", "to", "captured", "promoted", "rook-from", "rook-to", "e.p.-left", "e.p.-new", "side"]
            }
        }
    }
}

/// One row of the table of sites.
pub struct SiteRow {
    pub site: Site,
    pub group: &'static str,
    axes: [Axis; 2],
    applies: fn(usize, usize) -> bool,
    /// Text that `perft engine` must print for a case. `{0}` and `{1}` are its labels; bars separate alternatives.
    verdict: &'static str,
    /// True if public reports show that real engines had this fault.
    pub is_reported: bool,
}

macro_rules! sites {
    ($($group:literal { $($site:ident $a:ident $b:ident $applies:expr => $verdict:literal $($reported:ident)?;)* })*) => {
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum Site { None, $($($site),*),* }

        pub const SITES: &[SiteRow] = &[$($(SiteRow {
            site: Site::$site,
            group: $group,
            axes: [Axis::$a, Axis::$b],
            applies: $applies,
            verdict: $verdict,
            is_reported: stringify!($($reported)?).len() > 0,
        }),*),*];
    };
}

fn all(_: usize, _: usize) -> bool {
    true
}

/// Returns true if this role moves in this direction.
fn goes(role: usize, direction: usize) -> bool {
    match role {
        BISHOP => direction % 2 == 1,
        ROOK => direction.is_multiple_of(2),
        role => role >= QUEEN,
    }
}

fn slides(role: usize, _: usize) -> bool {
    matches!(role, BISHOP | ROOK | QUEEN)
}

sites! {
    "steps" {
        StepMissing Role Direction goes => "missing: {0} move";
        JumpMissing One Jump all => "missing: knight move";
        StepWraps Role Direction |role, way| goes(role, way) && way % 4 != 0 => "illegal: a {0} does not move like that";
        JumpWraps One Jump all => "illegal";
        RideStopsEarly Role One slides => "missing";
        RideThrough Role Owner |role, _| slides(role, 0) => "illegal";
        CapturesOwn Role One |role, _| role != PAWN => "illegal" reported;
        CannotCapture Role Role |_, victim| victim != KING => "missing";
    }
    "attacks" {
        AttackMissing Role Color all => "illegal" reported;
        AttackLineMissing Direction One all => "illegal";
        AttackJumpMissing Jump One all => "illegal";
        AttackOfPawnMissing Color Wing all => "illegal";
        AttackOfPawnBackwards Color One all => "illegal|missing";
        AttackWraps Role Wing |role, _| role == PAWN || role == KNIGHT => "missing";
        KingLeftOnBoard Direction One all => "retreats along the line of the check" reported;
        KingSafetyIgnored One One all => "illegal" reported;
    }
    "pins" {
        PinIgnored Role Direction |role, _| role != KING => "pinned" reported;
        PinTooStrict Role Direction |role, way| way < 4 && (role == PAWN && way != 2 || slides(role, 0) && goes(role, way)) => "missing";
        PinnerSafe Role One |role, _| role == PAWN || slides(role, 0) => "missing";
    }
    "checks" {
        BlockMissing Role One |role, _| role != KING => "answers a check|missing";
        DoublePushBlockMissing One One all => "missing" reported;
        CaptureOfCheckerMissing Role One all => "missing";
        PromotionAnswerMissing How One all => "missing";
        SecondCheckerIgnored Number One all => "illegal" reported;
        KingTakesProtected Role One all => "into check";
        DiscoveredCheckMissed Role One |role, _| role != QUEEN => "illegal";
        EpCheckMissed One One all => "illegal" reported;
        CastlingCheckMissed Wing One all => "illegal" reported;
        PromotionCheckMissed One One all => "illegal";
    }
    "pawns" {
        PushMissing Color One all => "missing";
        PushOnto Color Owner all => "illegal";
        DoubleMissing Color File all => "missing";
        DoubleOver Color Owner all => "illegal" reported;
        DoubleOnto Color Owner all => "illegal";
        DoubleFromRank Color Rank |_, rank| (2..5).contains(&rank) => "illegal";
        CaptureMissing Color Wing all => "missing";
        CaptureWraps Color Wing all => "illegal" reported;
        PawnCapturesOwn Color Wing all => "illegal";
        PawnCapturesNothing Color Wing all => "illegal";
    }
    "promotions" {
        PromotionByPushMissing Color Role |_, role| role != PAWN && role != KING => "missing";
        PromotionByCaptureMissing Color Role |_, role| role != PAWN && role != KING => "missing" reported;
        PawnStays Color How all => "missing|illegal";
        PromotionToKing Color One all => "without becoming a knight, bishop, rook or queen";
        PromotionOfOtherColor Color One all => "promotion";
        PromotedMadeQueen Role One |role, _| (KNIGHT..QUEEN).contains(&role) => "promotion";
    }
    "en passant" {
        EpMissing Color Wing all => "e.p.";
        EpWraps Color Wing all => "illegal" reported;
        EpByFirstOnly Wing One all => "e.p.";
        EpByPiece Role One |role, _| role != PAWN => "leaves a wrong position|another position" reported;
        EpPinIgnored Direction One all => "e.p." reported;
        EpAnswerMissing One One all => "e.p." reported;
        EpInAnyCheck One One all => "e.p.";
        EpStale Kind One |kind, _| kind != 2 => "e.p." reported;
        EpNotSet Color File all => "e.p.|double push";
        EpSetByPush Color One all => "e.p.|push";
        EpVictimStays Color One all => "e.p." reported;
        EpVictimElsewhere Color One all => "e.p.";
    }
    "castling" {
        CastleMissing Right One all => "castling";
        CastleWithoutRight Right One all => "without the right" reported;
        CastleInCheck Right One all => "out of check" reported;
        CastleThroughCheck Right One all => "attacked" reported;
        CastleIntoCheck Right One all => "check|attacked" reported;
        CastleOver Right File |right, file| if right % 2 == 0 { matches!(file, 5 | 6) } else { matches!(file, 1..=3) } => "castling" reported;
        CastleUnseenAttacker Role One all => "castling" reported;
        CastleRefusedByGuardOfB Color One all => "castling" reported;
        CastleRefusedByGuardOfRook Right One all => "castling";
        CastleKingLands Right One all => "castling";
        CastleRookLands Right One all => "castling";
        CastleRookStays Right One all => "castling";
        CastleRookVanishes Wing One all => "castling" reported;
        CastleOfStandingKing Wing One all => "castling" reported;
        CastleOfStandingRook Wing One all => "castling";
        CastleKingPathOnly Wing One all => "castling";
        CastleRookPathOnly Wing One all => "castling" reported;
        CastleUnshielded One One all => "castling" reported;
        CastleOuterRook Color Wing all => "castling|another position" reported;
    }
    "rights" {
        KingMoveKeeps Right One all => "castling";
        RookMoveKeeps Right One all => "castling";
        RookCaptureKeeps Right One all => "castling" reported;
        CaptureByRoleKeeps Role Color all => "castling" reported;
        MoverElseVictim Right One all => "castling" reported;
        CapturingRookKeeps Right One all => "castling";
        RookOfFileLoses Right One all => "castling" reported;
        CaptureOnFileLoses Right One all => "castling" reported;
        RookOfRankLoses Color One all => "castling";
        KingMoveLosesEnemys Color One all => "castling";
        RookMoveLosesBoth Color One all => "castling";
        RookCaptureLosesBoth Color One all => "castling";
        CastlingKeeps Right One all => "castling";
        RookReturnsRight Right One all => "castling";
    }
    "walk" {
        EndIsLeaf End One all => "before the last ply is counted as 1 leaf" reported;
        FiftyMovesEnd One One all => "fifty moves" reported;
        BareKingsEnd One One all => "nobody can mate";
        BulkWithout Kind One |kind, _| kind != 0 => "bulk counting";
        PliesSummed One One all => "sum over all plies" reported;
        TotalOff One One all => "printed total is wrong";
    }
    "unmake" {
        CapturedLost Kind One |kind, _| matches!(kind, 1 | 3 | 5) => "restore|changes";
        EpLost Kind One all => "restore|changes" reported;
        RightLost Right One all => "restore|changes" reported;
        KingSquareStays Color One all => "restore|changes" reported;
        PromotedStays How One all => "restore|changes";
        RookStaysCastled Wing One all => "restore|changes" reported;
    }
    "FEN" {
        ReadsNoRight Right One all => "another position|castling";
        ReadsNoEp Color One all => "e.p.";
        ReadsSideWhite One One all => "another position|moves" reported;
        WritesNoRight Right One all => "another position";
        WritesNoEp Color One all => "another position";
        WritesWrongSide One One all => "another position";
        ClockKeptBy Kind One |kind, _| kind != 4 => "halfmove clock";
        ClockResetByCastling One One all => "halfmove clock";
        MoveNumberBy Color One all => "move number";
    }
    "key updates" {
        UpdateMissing Update Kind |update, kind| match update {
            0 | 1 => kind != 5,
            2 => matches!(kind, 1 | 3 | 5),
            3 => kind == 5,
            4 | 5 => kind == 4,
            7 => kind == 2,
            _ => true,
        } => "left in|missing";
        PawnKeptOnPromotion How One all => "left in";
        CapturedOfOtherColor Kind One |kind, _| matches!(kind, 1 | 3 | 5) => "the captured piece is hashed out as another" reported;
        CapturedOfOtherRole Kind One |kind, _| matches!(kind, 1 | 5) => "the captured piece is hashed out as another" reported;
        EpVictimOffTarget One One all => "another square" reported;
        PromotedKeyedAs Role One |role, _| role != KING => "in the place of|unknown number" reported;
        RightKeptInKey Right Kind |_, kind| matches!(kind, 0 | 1 | 4) => "castling right";
        RightKeptWithRook Right Owner all => "castling right" reported;
        CastledRookOff Wing One all => "another square";
    }
    "key terms" {
        PieceNotKeyed Color Role all => "is not in the key|have the number 0|share";
        RightNotKeyed Right One all => "share a key" reported;
        FileNotKeyed File One all => "share a key";
        SideNotKeyed One One all => "share a key" reported;
        MoveNumberKeyed One One all => "move number|fullmove number is in the key" reported;
        EpKeyedByFenAlways One One all => "e.p." reported;
    }
}

/// A fault, or none.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Fault {
    pub site: Site,
    /// `None` means every case of the site.
    case: Option<[usize; 2]>,
}

impl Fault {
    /// The correct engine.
    pub const NONE: Fault = Fault { site: Site::None, case: None };

    /// Returns true if this case of the site is faulty.
    #[inline]
    pub fn is(self, site: Site, one: usize, other: usize) -> bool {
        self.site == site && self.case.is_none_or(|case| case == [one, other])
    }

    /// Returns the verdicts of `perft engine` that name this fault; any one of them will do.
    pub fn verdicts(self) -> Vec<String> {
        let row = SITES.iter().find(|row| row.site == self.site);
        let (Some(row), Some(case)) = (row, self.case) else { return Vec::new() };
        let [one, other] = [0, 1].map(|axis| row.axes[axis].labels()[case[axis]]);
        row.verdict.split('|').map(|text| text.replace("{0}", one).replace("{1}", other)).collect()
    }

    /// Returns the whole catalogue.
    pub fn all() -> Vec<(Fault, &'static SiteRow)> {
        let cases = |row: &'static SiteRow| {
            let [one, other] = row.axes.map(|axis| axis.labels().len());
            let pairs = (0..one).flat_map(move |one| (0..other).map(move |other| [one, other]));
            pairs
                .filter(|case| (row.applies)(case[0], case[1]))
                .map(move |case| (Fault { site: row.site, case: Some(case) }, row))
        };
        SITES.iter().flat_map(cases).collect()
    }

    /// Returns a fault that covers every case of its site.
    pub const fn everywhere(site: Site) -> Fault {
        Fault { site, case: None }
    }

    /// Returns the fault of this name. The name of a site alone covers every case.
    pub fn named(name: &str) -> Option<Fault> {
        let sites = SITES.iter().map(|row| Fault::everywhere(row.site));
        let all = Fault::all().into_iter().map(|(fault, _)| fault);
        all.chain(sites).chain([Fault::NONE]).find(|fault| fault.to_string() == name)
    }
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Some(row) = SITES.iter().find(|row| row.site == self.site) else { return write!(f, "none") };
        for (number, letter) in format!("{:?}", self.site).chars().enumerate() {
            if letter.is_uppercase() && number > 0 {
                write!(f, "-")?;
            }
            write!(f, "{}", letter.to_ascii_lowercase())?;
        }
        for (axis, case) in row.axes.iter().zip(self.case.unwrap_or_default()) {
            if self.case.is_some() && *axis != Axis::One {
                write!(f, "/{}", axis.labels()[case])?;
            }
        }
        Ok(())
    }
}
