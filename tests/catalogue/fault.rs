//! The faults of the catalogue. Each fault names a site in the engine's code and the cases in which that site is wrong.
//!
//! A fault is a site and one case on each of the site's two axes: `pin-ignored/knight/north-east`. The engine calls
//! `Fault::is` at every condition, table entry and update, so a fault makes exactly one of them wrong.

use super::position::{BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK};

/// Labels of the cases on an axis. The engine refers to a case by the index of its label.
type Axis = &'static [&'static str];

const ONE: Axis = &[""];
const COLOR: Axis = &["white", "black"];
const ROLE: Axis = &["pawn", "knight", "bishop", "rook", "queen", "king"];
const DIRECTION: Axis = &["north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west"];
const JUMP: Axis = &["nne", "ene", "ese", "sse", "ssw", "wsw", "wnw", "nnw"];
const WING: Axis = &["king-side", "queen-side"];
const RIGHT: Axis = &["K", "Q", "k", "q"];
const FILE: Axis = &["a", "b", "c", "d", "e", "f", "g", "h"];
const RANK: Axis = &["1", "2", "3", "4", "5", "6", "7", "8"];
const KIND: Axis = &["quiet", "capture", "double-push", "e.p.", "castling", "promotion"];
const OWNER: Axis = &["own", "enemy"];
const NUMBER: Axis = &["first", "second"];
const END: Axis = &["checkmate", "stalemate"];
const HOW: Axis = &["by-push", "by-capture"];
const UPDATE: Axis = &["from", "to", "captured", "promoted", "rook-from", "rook-to", "e.p.-left", "e.p.-new", "side"];

/// One row of the table of sites, which are places in the engine's code.
pub struct SiteRow {
    pub site: Site,
    pub group: &'static str,
    axes: [Axis; 2],
    applies: fn(usize, usize) -> bool,
    /// Text that `perft engine` must print for a case. `{0}` and `{1}` are case labels; bars separate alternatives.
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
            axes: [$a, $b],
            applies: $applies,
            verdict: $verdict,
            is_reported: stringify!($($reported)?).len() > 0,
        }),*),*];
    };
}

fn all(_: usize, _: usize) -> bool {
    true
}

/// Returns true if a piece of this role can move in this direction.
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
        StepMissing ROLE DIRECTION goes => "missing: {0} move";
        JumpMissing ONE JUMP all => "missing: knight move";
        StepWraps ROLE DIRECTION |role, way| goes(role, way) && way % 4 != 0 => "illegal: a {0} does not move like that";
        JumpWraps ONE JUMP all => "illegal";
        RideStopsEarly ROLE ONE slides => "missing";
        RideThrough ROLE OWNER |role, _| slides(role, 0) => "illegal";
        CapturesOwn ROLE ONE |role, _| role != PAWN => "illegal" reported;
        CannotCapture ROLE ROLE |_, victim| victim != KING => "missing";
    }
    "attacks" {
        AttackMissing ROLE COLOR all => "illegal" reported;
        AttackLineMissing DIRECTION ONE all => "illegal";
        AttackJumpMissing JUMP ONE all => "illegal";
        AttackOfPawnMissing COLOR WING all => "illegal";
        AttackOfPawnBackwards COLOR ONE all => "illegal|missing";
        AttackWraps ROLE WING |role, _| role == PAWN || role == KNIGHT => "missing";
        KingLeftOnBoard DIRECTION ONE all => "retreats along the line of the check" reported;
        KingSafetyIgnored ONE ONE all => "illegal" reported;
    }
    "pins" {
        PinIgnored ROLE DIRECTION |role, _| role != KING => "pinned" reported;
        PinTooStrict ROLE DIRECTION |role, way| way < 4 && (role == PAWN && way != 2 || slides(role, 0) && goes(role, way)) => "missing";
        PinnerSafe ROLE ONE |role, _| role == PAWN || slides(role, 0) => "missing";
    }
    "checks" {
        BlockMissing ROLE ONE |role, _| role != KING => "answers a check|missing";
        DoublePushBlockMissing ONE ONE all => "missing" reported;
        CaptureOfCheckerMissing ROLE ONE all => "missing";
        PromotionAnswerMissing HOW ONE all => "missing";
        SecondCheckerIgnored NUMBER ONE all => "illegal" reported;
        KingTakesProtected ROLE ONE all => "into check";
        DiscoveredCheckMissed ROLE ONE |role, _| role != QUEEN => "illegal";
        EpCheckMissed ONE ONE all => "illegal" reported;
        CastlingCheckMissed WING ONE all => "illegal" reported;
        PromotionCheckMissed ONE ONE all => "illegal";
    }
    "pawns" {
        PushMissing COLOR ONE all => "missing";
        PushOnto COLOR OWNER all => "illegal";
        DoubleMissing COLOR FILE all => "missing";
        DoubleOver COLOR OWNER all => "illegal" reported;
        DoubleOnto COLOR OWNER all => "illegal";
        DoubleFromRank COLOR RANK |_, rank| (2..5).contains(&rank) => "illegal";
        CaptureMissing COLOR WING all => "missing";
        CaptureWraps COLOR WING all => "illegal" reported;
        PawnCapturesOwn COLOR WING all => "illegal";
        PawnCapturesNothing COLOR WING all => "illegal";
    }
    "promotions" {
        PromotionByPushMissing COLOR ROLE |_, role| role != PAWN && role != KING => "missing";
        PromotionByCaptureMissing COLOR ROLE |_, role| role != PAWN && role != KING => "missing" reported;
        PawnStays COLOR HOW all => "missing|illegal";
        PromotionToKing COLOR ONE all => "without becoming a knight, bishop, rook or queen";
        PromotionOfOtherColor COLOR ONE all => "promotion";
        PromotedMadeQueen ROLE ONE |role, _| (KNIGHT..QUEEN).contains(&role) => "promotion";
    }
    "en passant" {
        EpMissing COLOR WING all => "e.p.";
        EpWraps COLOR WING all => "illegal" reported;
        EpByFirstOnly WING ONE all => "e.p.";
        EpByPiece ROLE ONE |role, _| role != PAWN => "leaves a wrong position|another position" reported;
        EpPinIgnored DIRECTION ONE all => "e.p." reported;
        EpAnswerMissing ONE ONE all => "e.p." reported;
        EpInAnyCheck ONE ONE all => "e.p.";
        EpStale KIND ONE |kind, _| kind != 2 => "e.p." reported;
        EpNotSet COLOR FILE all => "e.p.|double push";
        EpSetByPush COLOR ONE all => "e.p.|push";
        EpVictimStays COLOR ONE all => "e.p." reported;
        EpVictimElsewhere COLOR ONE all => "e.p.";
    }
    "castling" {
        CastleMissing RIGHT ONE all => "castling";
        CastleWithoutRight RIGHT ONE all => "without the right" reported;
        CastleInCheck RIGHT ONE all => "out of check" reported;
        CastleThroughCheck RIGHT ONE all => "attacked" reported;
        CastleIntoCheck RIGHT ONE all => "check|attacked" reported;
        CastleOver RIGHT FILE |right, file| if right % 2 == 0 { matches!(file, 5 | 6) } else { matches!(file, 1..=3) } => "castling" reported;
        CastleUnseenAttacker ROLE ONE all => "castling" reported;
        CastleRefusedByGuardOfB COLOR ONE all => "castling" reported;
        CastleRefusedByGuardOfRook RIGHT ONE all => "castling";
        CastleKingLands RIGHT ONE all => "castling";
        CastleRookLands RIGHT ONE all => "castling";
        CastleRookStays RIGHT ONE all => "castling";
        CastleRookVanishes WING ONE all => "castling" reported;
        CastleOfStandingKing WING ONE all => "castling" reported;
        CastleOfStandingRook WING ONE all => "castling";
        CastleKingPathOnly WING ONE all => "castling";
        CastleRookPathOnly WING ONE all => "castling" reported;
        CastleUnshielded ONE ONE all => "castling" reported;
        CastleOuterRook COLOR WING all => "castling|another position" reported;
    }
    "rights" {
        KingMoveKeeps RIGHT ONE all => "castling";
        RookMoveKeeps RIGHT ONE all => "castling";
        RookCaptureKeeps RIGHT ONE all => "castling" reported;
        CaptureByRoleKeeps ROLE COLOR all => "castling" reported;
        MoverElseVictim RIGHT ONE all => "castling" reported;
        CapturingRookKeeps RIGHT ONE all => "castling";
        RookOfFileLoses RIGHT ONE all => "castling" reported;
        CaptureOnFileLoses RIGHT ONE all => "castling" reported;
        RookOfRankLoses COLOR ONE all => "castling";
        KingMoveLosesEnemys COLOR ONE all => "castling";
        RookMoveLosesBoth COLOR ONE all => "castling";
        RookCaptureLosesBoth COLOR ONE all => "castling";
        CastlingKeeps RIGHT ONE all => "castling";
        RookReturnsRight RIGHT ONE all => "castling";
    }
    "walk" {
        EndIsLeaf END ONE all => "before the last ply is counted as 1 leaf" reported;
        FiftyMovesEnd ONE ONE all => "fifty moves" reported;
        BareKingsEnd ONE ONE all => "nobody can mate";
        BulkWithout KIND ONE |kind, _| kind != 0 => "bulk counting";
        PliesSummed ONE ONE all => "sum over all plies" reported;
        TotalOff ONE ONE all => "printed total is wrong";
    }
    "unmake" {
        CapturedLost KIND ONE |kind, _| matches!(kind, 1 | 3 | 5) => "restore|changes";
        EpLost KIND ONE all => "restore|changes" reported;
        RightLost RIGHT ONE all => "restore|changes" reported;
        KingSquareStays COLOR ONE all => "restore|changes" reported;
        PromotedStays HOW ONE all => "restore|changes";
        RookStaysCastled WING ONE all => "restore|changes" reported;
    }
    "FEN" {
        ReadsNoRight RIGHT ONE all => "another position|castling";
        ReadsNoEp COLOR ONE all => "e.p.";
        ReadsSideWhite ONE ONE all => "another position|moves" reported;
        WritesNoRight RIGHT ONE all => "another position";
        WritesNoEp COLOR ONE all => "another position";
        WritesWrongSide ONE ONE all => "another position";
        ClockKeptBy KIND ONE |kind, _| kind != 4 => "halfmove clock";
        ClockResetByCastling ONE ONE all => "halfmove clock";
        MoveNumberBy COLOR ONE all => "move number";
    }
    "key updates" {
        UpdateMissing UPDATE KIND |update, kind| match update {
            0 | 1 => kind != 5,
            2 => matches!(kind, 1 | 3 | 5),
            3 => kind == 5,
            4 | 5 => kind == 4,
            7 => kind == 2,
            _ => true,
        } => "left in|missing";
        PawnKeptOnPromotion HOW ONE all => "left in";
        CapturedOfOtherColor KIND ONE |kind, _| matches!(kind, 1 | 3 | 5) => "the captured piece is hashed out as another" reported;
        CapturedOfOtherRole KIND ONE |kind, _| matches!(kind, 1 | 5) => "the captured piece is hashed out as another" reported;
        EpVictimOffTarget ONE ONE all => "another square" reported;
        PromotedKeyedAs ROLE ONE |role, _| role != KING => "in the place of|unknown number" reported;
        RightKeptInKey RIGHT KIND |_, kind| matches!(kind, 0 | 1 | 4) => "castling right";
        RightKeptWithRook RIGHT OWNER all => "castling right" reported;
        CastledRookOff WING ONE all => "another square";
    }
    "key terms" {
        PieceNotKeyed COLOR ROLE all => "is not in the key|have the number 0|share";
        RightNotKeyed RIGHT ONE all => "share a key" reported;
        FileNotKeyed FILE ONE all => "share a key";
        SideNotKeyed ONE ONE all => "share a key" reported;
        MoveNumberKeyed ONE ONE all => "move number|fullmove number is in the key" reported;
        EpKeyedByFenAlways ONE ONE all => "e.p." reported;
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
    /// The fault of the correct engine: none.
    pub const NONE: Fault = Fault { site: Site::None, case: None };

    /// Returns true if this case of the site is faulty.
    #[inline]
    pub fn is(self, site: Site, one: usize, other: usize) -> bool {
        self.site == site && self.case.is_none_or(|case| case == [one, other])
    }

    /// Returns the texts by which `perft engine` may name this fault. One of them is enough.
    pub fn verdicts(self) -> Vec<String> {
        let row = SITES.iter().find(|row| row.site == self.site);
        let (Some(row), Some(case)) = (row, self.case) else { return Vec::new() };
        let [one, other] = [0, 1].map(|axis| row.axes[axis][case[axis]]);
        row.verdict.split('|').map(|text| text.replace("{0}", one).replace("{1}", other)).collect()
    }

    /// Returns the whole catalogue.
    pub fn all() -> Vec<(Fault, &'static SiteRow)> {
        let cases = |row: &'static SiteRow| {
            let [one, other] = row.axes.map(<[_]>::len);
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
            if self.case.is_some() && *axis != ONE {
                write!(f, "/{}", axis[case])?;
            }
        }
        Ok(())
    }
}
