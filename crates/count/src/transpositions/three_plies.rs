//! The paths of three plies from a position, and the groups of paths that end in the same position.

use crate::setwise::neighbours_on_rank;
use perft_gate_chess::{Bitboard, Board, Kind, Move, MoveList, SidePieces, Square};
use perft_gate_simd::{Token, inline_all, kernel};
use perft_gate_walk::{Game, Position};

/// Number of paths that a node represents, or 0 if another node represents it. It never exceeds the number of leaf
/// nodes of the whole tree.
pub(super) type Multiplicity = u128;

/// The multiplicities of the nodes two plies below a position.
pub(super) enum Multiplicities {
    /// Each node represents only itself.
    Ones,
    /// Indexed by move and reply, in list order. An empty list means all zeros.
    Listed(Vec<Vec<Multiplicity>>),
}

#[inline_all]
impl Multiplicities {
    fn multiplicity(&self, first: usize, reply: usize) -> Multiplicity {
        match self {
            Multiplicities::Ones => 1,
            Multiplicities::Listed(replies) => replies[first].get(reply).copied().unwrap_or(0),
        }
    }

    /// Returns true if no node below a move needs to be visited.
    fn skips(&self, first: usize) -> bool {
        match self {
            Multiplicities::Ones => false,
            Multiplicities::Listed(replies) => replies[first].iter().all(|&paths| paths == 0),
        }
    }
}

/// Maximum number of a position's moves that are compared with each other. The rest represent only themselves.
const MAX_COMPARED: usize = 64;

/// Marks an absent table entry.
const NONE: u8 = u8::MAX;

/// The data of the node after a move and a reply.
#[derive(Clone, Copy, Default)]
struct AfterReply {
    multiplicity: Multiplicity,
    /// A bit set of the numbers of the position's moves that are also legal at the node.
    legal: u64,
    /// The squares that the moved piece can enter next; empty if its first move was a capture.
    onward: Bitboard,
}

/// The paths of three plies from a position: a move, a reply and a second move of the first side. En-passant captures
/// are excluded: they must be played at once, so they never change places.
///
/// **Two moves change places** around a reply if
///
/// 1. each move is legal in the position, and also after the other move and the reply; the reply is legal after either
///    move;
/// 2. the reply does not enter the target of either move, because it would capture the first piece or be captured by
///    the second;
/// 3. neither move is a double push that ends next to a pawn of the other side, or next to the square that the reply
///    enters, because the right to capture en passant depends on which move comes last.
///
/// Then both paths make the same changes on the same squares. Different pieces make the two moves, to different
/// squares, because otherwise one move would be illegal after the other. Each move captures the same piece in either
/// order: the reply does not enter the move's target, and a reply that vacated the target would be illegal after the
/// capture. The same castling rights are lost, because the same pieces move and are captured. A pawn counts as the same
/// piece before and after promotion. Castling moves two pieces. Before and after the reply, it requires that both
/// pieces are on their original squares and that no other piece is on the squares that they cross and enter.
///
/// **Two routes** of a piece end in the same position if they have the same reply and lead to the same square over
/// squares that are empty in the position. Either way, the piece is lifted off one square and put down on another. A
/// reply that enters the square in between captures the piece there, which ends the route. (A pawn never has two routes
/// to a square, because the first move of a route captures nothing. So no route promotes. No route castles either,
/// because its king has already moved.)
pub(super) struct ThreePlies {
    pub(super) moves: MoveList,
    /// The replies to each move; empty for moves that are skipped (see [`Multiplicities::skips`]).
    pub(super) replies: Vec<Vec<Move>>,
    /// The number of each move, and the row of each reply in `after_reply`, both indexed by [`code`].
    move_numbers: Box<[u8; CODES]>,
    reply_numbers: Box<[u8; CODES]>,
    /// Number of moves compared with each other.
    compared: usize,
    /// One row per reply, with one entry per compared move.
    after_reply: Vec<AfterReply>,
    /// Moves that may change places around some reply.
    exchangeable: u64,
    /// For each move that captures nothing, the set of all such moves of the same piece, including the move itself.
    routes: [u64; MAX_COMPARED],
    /// For each square, the moves that never change places around a reply that enters it.
    barred: [u64; 64],
}

/// Returns the indices of the bits that are set.
#[inline(always)]
fn numbers(set: u64) -> impl Iterator<Item = usize> {
    Bitboard(set).into_iter().map(Square::index)
}

/// Number of codes of moves.
const CODES: usize = 4096 + 512;

/// Returns a number below [`CODES`] that identifies a move of one side: by its squares, or by its kind and files if the
/// kind determines the ranks.
#[inline(always)]
fn code(mv: Move) -> usize {
    let bits = u64::from(mv) as usize;
    if mv.is_plain() {
        return bits & 4095;
    }
    4096 | (bits >> 12 & 7) << 6 | (mv.from().file() << 3 | mv.to().file()) as usize
}

/// Returns true if a move may change places with others, or be the reply between them.
#[inline(always)]
fn is_compared(mv: Move) -> bool {
    mv.kind() != Kind::EnPassant
}

#[inline_all]
impl ThreePlies {
    /// Takes the moves of a position. Finds which of them may change places and which belong to the same piece.
    fn of_moves(board: &Board, moves: MoveList) -> ThreePlies {
        let compared = moves.len().min(MAX_COMPARED);
        let mut plies = ThreePlies {
            moves,
            replies: Vec::new(),
            move_numbers: Box::new([NONE; CODES]),
            reply_numbers: Box::new([NONE; CODES]),
            compared,
            after_reply: Vec::new(),
            exchangeable: 0,
            routes: [0; MAX_COMPARED],
            barred: [0; 64],
        };
        let SidePieces { all: others, pawns: other_pawns, .. } = SidePieces::new(board, !board.turn());
        let mut quiet = [0; 64];
        for (number, &mv) in plies.moves[..compared].iter().enumerate().filter(|(_, mv)| is_compared(**mv)) {
            let bit = 1_u64 << number;
            plies.move_numbers[code(mv)] = number as u8;
            plies.barred[mv.to().index()] |= bit;
            if mv.is_plain() && !others.has(mv.to()) {
                quiet[mv.from().index()] |= bit;
            }
            let mut capturers = Bitboard::EMPTY;
            if mv.is_double_push() {
                capturers = neighbours_on_rank(mv.to().into());
                capturers.into_iter().for_each(|square| plies.barred[square.index()] |= bit);
            }
            if (capturers & other_pawns).is_empty() {
                plies.exchangeable |= bit;
            }
        }
        for (number, &mv) in plies.moves[..compared].iter().enumerate() {
            let same_piece = quiet[mv.from().index()];
            if same_piece >> number & 1 != 0 {
                plies.routes[number] = same_piece;
            }
        }
        plies
    }

    /// Returns the move with this number, or `None` if no node after it needs to be visited.
    pub(super) fn first_move(&self, number: usize) -> Option<Move> {
        (!self.replies[number].is_empty()).then(|| self.moves[number])
    }

    /// Records the moves that are legal after a move and a reply.
    fn note(&mut self, first: usize, reply: Move, multiplicity: Multiplicity, seconds: &MoveList) {
        let (mut legal, mut onward) = (0, Bitboard::EMPTY);
        let at = self.moves[first].to();
        for second in seconds.iter().filter(|second| is_compared(**second)) {
            if second.from() == at {
                onward |= second.to().into();
            } else {
                let number = self.move_numbers[code(*second)];
                legal |= u64::from(number != NONE) << (number & 63);
            }
        }
        if self.routes[first] == 0 {
            onward = Bitboard::EMPTY;
        }
        let number = &mut self.reply_numbers[code(reply)];
        if *number == NONE {
            let next = self.after_reply.len() / self.compared;
            if next >= usize::from(NONE) {
                return;
            }
            *number = next as u8;
            self.after_reply.resize(self.after_reply.len() + self.compared, AfterReply::default());
        }
        self.after_reply[usize::from(*number) * self.compared + first] = AfterReply { multiplicity, legal, onward };
    }

    /// Finds the multiplicities of the nodes three plies below the position that are reached by the move `first`, the
    /// reply and each of the moves `seconds`. `multiplicity` is the multiplicity of the node after the reply.
    fn multiplicities(
        &self,
        (first, reply): (usize, Move),
        multiplicity: Multiplicity,
        seconds: &MoveList,
        found: &mut Vec<Multiplicity>,
    ) {
        found.clear();
        found.resize(seconds.len(), multiplicity);
        let number = self.reply_numbers[code(reply)];
        if first >= self.compared || !is_compared(self.moves[first]) || !is_compared(reply) || number == NONE {
            return;
        }
        let row = &self.after_reply[usize::from(number) * self.compared..][..self.compared];
        let (bit, exchangeable) = (1_u64 << first, self.exchangeable & !self.barred[reply.to().index()]);
        let mut changing = 0;
        if exchangeable & bit != 0 {
            for other in numbers(row[first].legal & exchangeable) {
                changing |= (row[other].legal >> first & 1) << other;
            }
        }
        let (mut before, mut after) = (Bitboard::EMPTY, Bitboard::EMPTY);
        for other in numbers(self.routes[first] & !bit) {
            *(if other < first { &mut before } else { &mut after }) |= row[other].onward;
        }
        let at = self.moves[first].to();
        for (found, second) in found.iter_mut().zip(seconds.iter()).filter(|(_, second)| is_compared(**second)) {
            if second.from() == at {
                let to = second.to();
                if !row[first].onward.has(to) {
                    continue;
                }
                if before.has(to) {
                    *found = 0;
                } else if after.has(to) {
                    let others = numbers(self.routes[first] & !bit).map(|other| &row[other]);
                    let others = others.filter(|other| other.onward.has(to)).map(|other| other.multiplicity);
                    *found += others.sum::<Multiplicity>();
                }
            } else {
                let number = self.move_numbers[code(*second)];
                if number == NONE || changing >> (number & 63) & 1 == 0 {
                    continue;
                }
                let other = usize::from(number);
                if other < first {
                    *found = 0;
                } else {
                    *found += row[other].multiplicity;
                }
            }
        }
    }
}

#[kernel]
pub(super) fn find_paths<L: Token>(level: L, board: &Board, multiplicities: &Multiplicities) -> ThreePlies {
    let position = Position::new(*board, ());
    let mut moves = MoveList::default();
    position.moves_apart(level, &mut moves);
    let mut plies = ThreePlies::of_moves(board, moves);
    let (prepared, mut after_move) = (position.prepare(), position);
    for first in 0..plies.moves.len() {
        if multiplicities.skips(first) {
            plies.replies.push(Vec::new());
            continue;
        }
        let mv = plies.moves[first];
        let _ = after_move.make(level, &prepared, mv);
        let mut replies = MoveList::default();
        after_move.moves_apart(level, &mut replies);
        if first < plies.compared && is_compared(mv) {
            let (prepared, mut node) = (after_move.prepare(), after_move);
            for (number, &reply) in replies.iter().enumerate().filter(|(_, reply)| is_compared(**reply)) {
                let multiplicity = multiplicities.multiplicity(first, number);
                if multiplicity > 0 {
                    let _ = node.make(level, &prepared, reply);
                    let mut seconds = MoveList::default();
                    node.moves_apart(level, &mut seconds);
                    plies.note(first, reply, multiplicity, &seconds);
                }
            }
        }
        plies.replies.push(replies.to_vec());
    }
    plies
}

/// A visitor of the nodes two plies below a position.
pub(super) trait NodeVisitor {
    /// Visits a node. `paths` holds the multiplicities of the nodes after its moves, and may be overwritten. Returns
    /// false to stop.
    fn visit<L: Token>(&mut self, level: L, node: &Position<()>, moves: &MoveList, paths: &mut [Multiplicity]) -> bool;
    /// Called instead of `visit` for a node that another node represents.
    fn pass(&mut self) {}
}

/// Visits the nodes after a move and each of its replies. The move has number `first` and leads to `after_move`.
#[kernel]
pub(super) fn visit_nodes<L: Token, V: NodeVisitor>(
    level: L,
    plies: &ThreePlies,
    multiplicities: &Multiplicities,
    first: usize,
    after_move: Board,
    visitor: &mut V,
) {
    let mut node = Position::new(after_move, ());
    let prepared = node.prepare();
    let mut paths = Vec::new();
    for (number, &reply) in plies.replies[first].iter().enumerate() {
        let multiplicity = multiplicities.multiplicity(first, number);
        if multiplicity == 0 {
            visitor.pass();
            continue;
        }
        let _ = node.make(level, &prepared, reply);
        let mut seconds = MoveList::default();
        node.moves_apart(level, &mut seconds);
        plies.multiplicities((first, reply), multiplicity, &seconds, &mut paths);
        if !visitor.visit(level, &node, &seconds, &mut paths) {
            return;
        }
    }
}
