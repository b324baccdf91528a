//! Moves of the catalogue's engine. Every rule is a separate condition, and each condition can be made wrong.

use super::fault::Site;
use super::position::{
    BISHOP, CAPTURE, CASTLING, DOUBLE_PUSH, EN_PASSANT, Engine, KING, KING_TO, KNIGHT, Move, PAWN, PROMOTION, Position,
    QUEEN, QUIET, ROOK, ROOK_TO_FILE, piece, square, square_name,
};

/// File and rank offsets of each direction, in the order of `DIRECTION`.
const COMPASS: [(i32, i32); 8] = [(0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1)];
/// File and rank offsets of a knight's jumps, in the order of `JUMP`.
const JUMPS: [(i32, i32); 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];
/// File offset of a pawn's capture, by wing.
const CAPTURES: [i32; 2] = [1, -1];

/// An attacker's square and the direction of its attack, which is `None` for a knight or a pawn.
type Attacker = (usize, Option<usize>);

/// Returns the square one step away. If it `wraps`, a step over the left or right edge lands on the other side.
fn step(from: usize, (files, ranks): (i32, i32), wraps: bool) -> Option<usize> {
    let file = from as i32 % 8 + files;
    let to = from as i32 + files + 8 * ranks;
    (((0..8).contains(&file) || wraps) && (0..64).contains(&to)).then_some(to as usize)
}

impl Engine {
    pub fn moves(&self) -> Vec<Move> {
        let mut moves = Vec::with_capacity(64);
        for from in 0..64 {
            match self.piece_on(from) {
                Some((color, PAWN)) if color == self.side => self.pawn_moves(from, &mut moves),
                Some((color, role)) if color == self.side => self.piece_moves(from, role, &mut moves),
                _ => {}
            }
        }
        let checkers = self.checkers();
        moves.retain(|mv| self.is_safe(*mv, &checkers) && !self.is_refused(*mv, &checkers));
        self.castlings(&checkers, &mut moves);
        moves
    }

    fn piece_moves(&self, from: usize, role: usize, moves: &mut Vec<Move>) {
        let us = self.side;
        let rides = matches!(role, BISHOP | ROOK | QUEEN);
        for way in 0..8 {
            let (by, missing, wraps) = match role {
                KNIGHT => (JUMPS[way], self.bent(Site::JumpMissing, 0, way), self.bent(Site::JumpWraps, 0, way)),
                _ => (COMPASS[way], self.bent(Site::StepMissing, role, way), self.bent(Site::StepWraps, role, way)),
            };
            if missing || role == BISHOP && way % 2 == 0 || role == ROOK && way % 2 == 1 {
                continue;
            }
            let reach = if !rides {
                1
            } else if self.bent(Site::RideStopsEarly, role, 0) {
                6
            } else {
                7
            };
            let mut at = from;
            for _ in 0..reach {
                let Some(to) = step(at, by, wraps) else { break };
                at = to;
                let kind = if self.board[to].is_some() { CAPTURE } else { QUIET };
                let mv = Move { from, to, kind, detail: 0 };
                match self.piece_on(to) {
                    None => moves.push(mv),
                    Some((color, victim)) => {
                        let own = color == us;
                        let takes = if own {
                            self.bent(Site::CapturesOwn, role, 0) && victim != KING
                        } else {
                            !self.bent(Site::CannotCapture, role, victim)
                        };
                        if takes {
                            moves.push(mv);
                        }
                        if !self.bent(Site::RideThrough, role, usize::from(!own)) {
                            break;
                        }
                    }
                }
            }
        }
    }

    fn pawn_moves(&self, from: usize, moves: &mut Vec<Move>) {
        let us = self.side;
        let up = if us == 0 { 1 } else { -1 };
        let rank = if us == 0 { from / 8 } else { 7 - from / 8 };
        let owner = |on: usize| self.piece_on(on).map(|(color, _)| usize::from(color != us));
        if let Some(to) = step(from, (0, up), false) {
            let is_free = owner(to).is_none_or(|owner| self.bent(Site::PushOnto, us, owner));
            if is_free && !self.bent(Site::PushMissing, us, 0) {
                self.pawn_to(from, to, moves);
            }
            let may_double = rank == 1 || self.bent(Site::DoubleFromRank, us, rank);
            if let Some(far) = step(to, (0, up), false).filter(|_| may_double) {
                let over = owner(to).is_none_or(|owner| self.bent(Site::DoubleOver, us, owner));
                let onto = owner(far).is_none_or(|owner| self.bent(Site::DoubleOnto, us, owner));
                if over && onto && !self.bent(Site::DoubleMissing, us, from % 8) {
                    moves.push(Move { from, to: far, kind: DOUBLE_PUSH, detail: 0 });
                }
            }
        }
        for (wing, files) in CAPTURES.into_iter().enumerate() {
            let wraps = self.bent(Site::CaptureWraps, us, wing);
            if let Some(to) = step(from, (files, up), wraps) {
                let takes = match self.piece_on(to) {
                    Some((color, _)) if color == us => self.bent(Site::PawnCapturesOwn, us, wing),
                    Some((_, victim)) => {
                        !self.bent(Site::CaptureMissing, us, wing) && !self.bent(Site::CannotCapture, PAWN, victim)
                    }
                    None => self.ep != Some(to) && self.bent(Site::PawnCapturesNothing, us, wing),
                };
                if takes {
                    self.pawn_to(from, to, moves);
                }
            }
            let Some(ep) = step(from, (files, up), self.bent(Site::EpWraps, us, wing)) else { continue };
            // A second pawn that may capture en passant would stand on the other side of the victim.
            let partner = step(from, (2 * files, 0), false);
            let is_second = partner.is_some_and(|partner| self.board[partner] == Some(piece(us, PAWN)));
            if self.ep == Some(ep)
                && self.board[ep].is_none()
                && !self.bent(Site::EpMissing, us, wing)
                && !(is_second && self.bent(Site::EpByFirstOnly, wing, 0))
            {
                moves.push(Move { from, to: ep, kind: EN_PASSANT, detail: 0 });
            }
        }
    }

    /// Adds a pawn's move to a square, or all promotions if it reaches the last rank.
    fn pawn_to(&self, from: usize, to: usize, moves: &mut Vec<Move>) {
        let us = self.side;
        let captures = usize::from(from % 8 != to % 8);
        let plain = Move { from, to, kind: if self.board[to].is_some() { CAPTURE } else { QUIET }, detail: 0 };
        if to / 8 != 7 * (1 - us) || self.bent(Site::PawnStays, us, captures) {
            return moves.push(plain);
        }
        let missing = [Site::PromotionByPushMissing, Site::PromotionByCaptureMissing][captures];
        for role in [QUEEN, ROOK, BISHOP, KNIGHT, KING] {
            let is_made =
                if role == KING { self.bent(Site::PromotionToKing, us, 0) } else { !self.bent(missing, us, role) };
            if is_made {
                moves.push(Move { kind: PROMOTION, detail: role, ..plain });
            }
        }
    }

    pub fn checkers(&self) -> Vec<Attacker> {
        self.attackers(self.kings[self.side], 1 - self.side)
    }

    fn attackers(&self, of: usize, by: usize) -> Vec<Attacker> {
        let mut found = Vec::new();
        let is = |on: Option<usize>, role| on.is_some_and(|on| self.board[on] == Some(piece(by, role)));
        for way in (0..8).filter(|&way| !self.bent(Site::AttackLineMissing, way, 0)) {
            let mut at = of;
            for number in 0..7 {
                let Some(next) = step(at, COMPASS[way], false) else { break };
                at = next;
                let Some((color, role)) = self.piece_on(at) else { continue };
                let attacks = match role {
                    BISHOP => way % 2 == 1,
                    ROOK => way % 2 == 0,
                    QUEEN => true,
                    KING => number == 0,
                    _ => false,
                };
                if color == by && attacks && !self.bent(Site::AttackMissing, role, by) {
                    found.push((at, Some(way)));
                }
                break;
            }
        }
        for way in (0..8).filter(|&way| !self.bent(Site::AttackJumpMissing, way, 0)) {
            let wraps = self.bent(Site::AttackWraps, KNIGHT, usize::from(way > 3));
            let from = step(of, JUMPS[way], wraps);
            if is(from, KNIGHT) && !self.bent(Site::AttackMissing, KNIGHT, by) {
                found.extend(from.map(|from| (from, None)));
            }
        }
        let down = if (by == 0) != self.bent(Site::AttackOfPawnBackwards, by, 0) { -1 } else { 1 };
        for (wing, files) in CAPTURES.into_iter().enumerate() {
            let from = step(of, (-files, down), self.bent(Site::AttackWraps, PAWN, wing));
            let missing = self.bent(Site::AttackMissing, PAWN, by) || self.bent(Site::AttackOfPawnMissing, by, wing);
            if is(from, PAWN) && !missing {
                found.extend(from.map(|from| (from, None)));
            }
        }
        found
    }

    fn is_safe(&self, mv: Move, checkers: &[Attacker]) -> bool {
        let us = self.side;
        let Some((_, role)) = self.piece_on(mv.from) else { return false };
        let mut after = *self;
        after.make(mv);
        let king = after.kings[us];
        if role == KING {
            let way = COMPASS.iter().position(|by| step(mv.from, *by, false) == Some(mv.to));
            if way.is_some_and(|way| self.bent(Site::KingLeftOnBoard, way, 0)) {
                after.board[mv.from] = self.board[mv.from];
            }
        }
        if self.bent(Site::KingSafetyIgnored, 0, 0) {
            return true;
        }
        let is_checker = |on: usize| checkers.iter().any(|checker| checker.0 == on);
        after.attackers(king, 1 - us).into_iter().all(|(on, way)| {
            let attacker = after.piece_on(on).map_or(PAWN, |found| found.1);
            let pinned_by = way.filter(|_| role != KING && !is_checker(on));
            if role == KING {
                return mv.kind == CAPTURE && self.bent(Site::KingTakesProtected, attacker, 0);
            }
            let unseen = is_checker(on)
                && (self.is_unseen(on)
                    || mv.kind == EN_PASSANT && self.bent(Site::EpInAnyCheck, 0, 0)
                    || checkers.len() == 2
                        && (0..2).any(|n| checkers[n].0 == on && self.bent(Site::SecondCheckerIgnored, n, 0)));
            unseen
                || pinned_by.is_some_and(|way| match mv.kind {
                    EN_PASSANT => self.bent(Site::EpPinIgnored, way, 0),
                    _ => self.bent(Site::PinIgnored, role, way),
                })
        })
    }

    /// Returns true if the engine overlooks that this piece gives check after the last move.
    fn is_unseen(&self, checker: usize) -> bool {
        let Some((last, role)) = self.last else { return false };
        match last.kind {
            EN_PASSANT => checker != last.to && self.bent(Site::EpCheckMissed, 0, 0),
            CASTLING => self.bent(Site::CastlingCheckMissed, last.detail, 0),
            PROMOTION => checker == last.to && self.bent(Site::PromotionCheckMissed, 0, 0),
            _ => checker != last.to && self.bent(Site::DiscoveredCheckMissed, role, 0),
        }
    }

    /// Returns true if the engine mistakes a legal move for an illegal one.
    fn is_refused(&self, mv: Move, checkers: &[Attacker]) -> bool {
        let us = self.side;
        let Some((_, role)) = self.piece_on(mv.from) else { return false };
        if let [(checker, _)] = *checkers {
            let takes = mv.to == checker;
            match mv.kind {
                EN_PASSANT if Position::ep_victim(mv) == checker => return self.bent(Site::EpAnswerMissing, 0, 0),
                // An e.p. capture cannot block a check, because a double push never opens a line through its e.p.
                // square.
                EN_PASSANT => return false,
                PROMOTION => return self.bent(Site::PromotionAnswerMissing, usize::from(takes), 0),
                DOUBLE_PUSH => return self.bent(Site::DoublePushBlockMissing, 0, 0),
                _ if takes => return self.bent(Site::CaptureOfCheckerMissing, role, 0),
                _ => return self.bent(Site::BlockMissing, role, 0),
            }
        }
        if !matches!(self.fault.site, Site::PinTooStrict | Site::PinnerSafe) || role == KING {
            return false;
        }
        let mut lifted = *self;
        lifted.board[mv.from] = None;
        lifted.attackers(self.kings[us], 1 - us).iter().filter(|pinner| !checkers.contains(pinner)).any(|pinner| {
            let way = pinner.1.unwrap_or(0);
            self.bent(Site::PinTooStrict, role, way % 4) || pinner.0 == mv.to && self.bent(Site::PinnerSafe, role, 0)
        })
    }

    fn castlings(&self, checkers: &[Attacker], moves: &mut Vec<Move>) {
        let (us, king) = (self.side, self.kings[self.side]);
        let seen = |on: usize| {
            let attackers = self.attackers(on, 1 - us);
            attackers.iter().any(|(from, _)| {
                let role = self.piece_on(*from).map_or(PAWN, |found| found.1);
                !self.bent(Site::CastleUnseenAttacker, role, 0)
            })
        };
        for wing in 0..2 {
            let (right, rank) = (2 * us + wing, 7 * us);
            let corner = square(if wing == 0 { 7 } else { 0 }, rank);
            let stands = king == square(4, rank) && self.board[corner] == Some(piece(us, ROOK));
            let ignored = stands && self.bent(Site::CastleWithoutRight, right, 0);
            let Some(rook) = self.rooks[right].or(ignored.then_some(corner)) else { continue };
            let (king_to, rook_to) = (square(KING_TO[wing], rank), square(ROOK_TO_FILE[wing], rank));
            let between = |a: usize, b: usize| a.min(b)..=a.max(b);
            let is_free = |on: usize| {
                on == king || on == rook || self.board[on].is_none() || self.bent(Site::CastleOver, right, on % 8)
            };
            let king_path = between(king, king_to).all(is_free) || self.bent(Site::CastleRookPathOnly, wing, 0);
            let rook_path = between(rook, rook_to).all(is_free) || self.bent(Site::CastleKingPathOnly, wing, 0);
            if !king_path
                || !rook_path
                || self.bent(Site::CastleMissing, right, 0)
                || king == king_to && self.bent(Site::CastleOfStandingKing, wing, 0)
                || rook == rook_to && self.bent(Site::CastleOfStandingRook, wing, 0)
            {
                continue;
            }
            let in_check = checkers.iter().any(|checker| !self.is_unseen(checker.0));
            let through = between(king, king_to).filter(|&on| on != king && on != king_to).any(seen);
            let mut lifted = *self;
            lifted.board[king] = None;
            let into = king_to != king && !lifted.attackers(king_to, 1 - us).is_empty();
            let mut landed = lifted;
            landed.board[rook] = None;
            landed.board[rook_to] = Some(piece(us, ROOK));
            let uncovered = !into && king_to != king && !landed.attackers(king_to, 1 - us).is_empty();
            let uncovered = uncovered
                || king_to == king && checkers.is_empty() && {
                    landed.board[king] = None;
                    !landed.attackers(king_to, 1 - us).is_empty()
                };
            let guarded = |on: usize| !self.attackers(on, 1 - us).is_empty();
            let refused = wing == 1 && guarded(square(1, rank)) && self.bent(Site::CastleRefusedByGuardOfB, us, 0)
                || guarded(rook) && self.bent(Site::CastleRefusedByGuardOfRook, right, 0);
            if in_check && !self.bent(Site::CastleInCheck, right, 0)
                || through && !self.bent(Site::CastleThroughCheck, right, 0)
                || into && !self.bent(Site::CastleIntoCheck, right, 0)
                || uncovered && !self.bent(Site::CastleUnshielded, 0, 0)
                || refused
            {
                continue;
            }
            moves.push(Move { from: king, to: rook, kind: CASTLING, detail: wing });
        }
    }

    pub fn divide(&mut self, depth: u32) -> Vec<(Move, u64)> {
        let moves = self.moves();
        moves.into_iter().map(|mv| (mv, self.below(mv, depth))).collect()
    }

    fn below(&mut self, mv: Move, depth: u32) -> u64 {
        if depth <= 1 {
            return 1;
        }
        let before = self.position;
        self.make(mv);
        let nodes = self.count(depth - 1) + u64::from(self.bent(Site::PliesSummed, 0, 0));
        self.unmake(mv, &before);
        nodes
    }

    fn count(&mut self, depth: u32) -> u64 {
        let moves = self.moves();
        if moves.is_empty() {
            let is_mate = !self.checkers().is_empty();
            return u64::from(self.bent(Site::EndIsLeaf, usize::from(!is_mate), 0));
        }
        let pieces = self.board.iter().flatten().count();
        if self.halfmove >= 100 && self.bent(Site::FiftyMovesEnd, 0, 0)
            || pieces == 2 && self.bent(Site::BareKingsEnd, 0, 0)
        {
            return 0;
        }
        if depth == 1 {
            return moves.iter().filter(|mv| !self.bent(Site::BulkWithout, mv.kind, 0)).count() as u64;
        }
        moves.into_iter().map(|mv| self.below(mv, depth)).sum()
    }

    /// Writes a move in UCI notation.
    pub fn written(&self, mv: Move, is_chess960: bool) -> String {
        let to = match mv.kind {
            CASTLING if !is_chess960 => square(KING_TO[mv.detail], mv.from / 8),
            _ => mv.to,
        };
        let role = if mv.kind == PROMOTION { ["", "n", "b", "r", "q", "k"][mv.detail] } else { "" };
        format!("{}{}{role}", square_name(mv.from), square_name(to))
    }
}
