//! V8: the answers of `is_legal` for all 65,536 move codes, compared with the codes of the legal moves.
//!
//! An engine tests a move from its transposition table without generating moves. A hash collision or a torn write can
//! turn that move into any 16 bits, and no search test tries all of these. A wrong answer is explained by the squares
//! and the kind of move in its code. [`Layout`] learns from legal moves where a code holds the squares and the kind.
//! Wrong answers whose explanations differ only in squares are taken to have one cause, and make one finding.

use super::board::Subject;
use super::descent::{Listed, list_moves};
use super::details::{ComparedCodes, Supply};
use super::panics::call;
use perft_gate_chess::{
    Board, Color, Fen, Kind, Move, MoveNames, Square, Wing, explain_extra_moves, explain_legal_move, quantity,
};
use std::collections::BTreeSet;

/// Wrong answers about move codes that have the same cause.
#[derive(Clone, Debug)]
pub(super) struct CodeFault {
    /// Description of the wrong answers, without their codes, moves and squares.
    cause: String,
    /// Moves from the root to the first position with such a wrong answer.
    pub(super) path: Vec<String>,
    /// The answer expected of the board in that position, and the answer it gave.
    pub(super) expected: String,
    pub(super) found: String,
    /// Number of wrong answers with this cause, and number of nodes where they occur.
    answers: u64,
    nodes: u64,
}

impl CodeFault {
    /// Says how many wrong answers there are, and at how many nodes.
    pub(super) fn extent(&self) -> String {
        format!("this cause gives {} at {}", quantity(self.answers, "wrong answer"), quantity(self.nodes, "node"))
    }
}

/// Adds faults to a list, merging those with the same cause.
pub(super) fn join(faults: &mut Vec<CodeFault>, more: &[CodeFault]) {
    for fault in more {
        match faults.iter_mut().find(|known| known.cause == fault.cause) {
            Some(known) => (known.answers, known.nodes) = (known.answers + fault.answers, known.nodes + fault.nodes),
            None => faults.push(fault.clone()),
        }
    }
}

/// Asks a board about every 16-bit code in one position. Returns the wrong answers by cause, and counts all answers.
pub(super) fn compare<S: Subject>(
    subject: &S,
    board: &Board,
    moves: &[Listed<S::Move>],
    layout: &Layout,
    compared: &mut ComparedCodes,
) -> Vec<CodeFault> {
    let mut node = Node { board, layout, faults: Vec::new() };
    let Some(legal) = node.codes(subject, moves, &mut compared.supply) else { return node.faults };
    let answers_before = compared.answers;
    let methods =
        [("`is_legal`", S::is_legal as fn(&S, u16) -> Option<bool>), ("`is_pseudo_legal`", S::is_pseudo_legal)];
    for ((name, method), supply) in methods.into_iter().zip(&mut compared.supply) {
        let mut asked = 0;
        let answers = call(|| {
            let ask = |code| {
                asked = code;
                method(subject, code)
            };
            (0..=u16::MAX).map(ask).collect::<Vec<_>>()
        });
        match answers {
            Ok(answers) => {
                let answered: Vec<bool> = answers.iter().copied().flatten().collect();
                let found = Supply::from_option(answered.first());
                // In a position without moves, it is unknown whether the board supplies move codes.
                let expected = if legal.is_empty() { Ok(()) } else { supply.note(found) };
                if let Err(expected) = expected {
                    node.add(format!("{name} returns {expected}"), format!("{name} returns {found}"));
                } else if answered.len() == answers.len() {
                    // Without the layout, it is unknown which codes of illegal moves may be accepted.
                    let is_pseudo = name == "`is_pseudo_legal`";
                    let all = !is_pseudo || layout.squares.is_some();
                    compared.answers += if all { answers.len() } else { legal.len() } as u64;
                    node.compare(&answered, &legal, is_pseudo, name);
                } else if found == Supply::Supplied {
                    let code = answers.iter().position(Option::is_none).unwrap_or_default() as u16;
                    let expected = format!("{name} returns a value for code {}", node.describe(code));
                    node.add(expected, "none, though it returns one for other codes".into());
                }
            }
            Err(message) => {
                compared.answers += u64::from(asked) + 1;
                node.add(format!("{name} returns for code {}", node.describe(asked)), format!("panic: {message}"));
            }
        }
    }
    compared.nodes += u64::from(compared.answers > answers_before);
    node.faults
}

/// A position whose codes are compared.
struct Node<'a> {
    board: &'a Board,
    layout: &'a Layout,
    faults: Vec<CodeFault>,
}

impl Node<'_> {
    /// Returns the codes of the legal moves, sorted; `None` if any move lacks one.
    fn codes<S: Subject>(
        &mut self,
        subject: &S,
        moves: &[Listed<S::Move>],
        supply: &mut [Supply; 2],
    ) -> Option<Vec<(u16, Move)>> {
        let moves = moves.iter().filter_map(|listed| Some((subject.code(listed.mv), listed.legal?)));
        let (with, without): (Vec<_>, Vec<_>) = moves.partition(|(code, _)| code.is_some());
        let mut codes: Vec<(u16, Move)> = with.into_iter().filter_map(|(code, mv)| Some((code?, mv))).collect();
        if let Some((_, mv)) = without.first() {
            let expected = format!("`code` returns a value for {}", mv.uci());
            if !codes.is_empty() {
                self.add(expected, "none, though other moves have one".into());
            } else if supply.iter_mut().any(|supply| supply.note(Supply::NotSupplied).is_err()) {
                self.add(expected, "none, though moves of earlier positions have one".into());
            }
            return None;
        }
        codes.sort_unstable_by_key(|(code, _)| *code);
        for pair in codes.windows(2).filter(|pair| pair[0].0 == pair[1].0) {
            let [one, other] = [pair[0].1.uci(), pair[1].1.uci()];
            let found = format!("{one} and {other} have the code {:#06x}", pair[0].0);
            self.add("one code for each legal move".into(), found);
        }
        Some(codes)
    }

    fn compare(&mut self, answers: &[bool], legal: &[(u16, Move)], is_pseudo: bool, name: &str) {
        let legal_at = |code: u16| legal.binary_search_by_key(&code, |(code, _)| *code).ok().map(|at| legal[at].1);
        let is_wrong = |code: u16| match (legal_at(code), answers[usize::from(code)]) {
            (Some(_), accepted) => !accepted,
            (None, accepted) => accepted && !(is_pseudo && self.layout.is_pseudo_legal(code, self.board)),
        };
        for code in (0..=u16::MAX).filter(|code| is_wrong(*code)) {
            let (answer, rule) = match legal_at(code) {
                Some(mv) => (["accepts", "rejects"], explain_legal_move(self.board, mv).rule),
                None => (["rejects", "accepts"], self.layout.broken_rule(code, self.board)),
            };
            let described = self.describe(code);
            self.add(format!("{name} {} code {described}: {rule}", answer[0]), format!("{name} {} it", answer[1]));
        }
    }

    /// Returns a code as text, with its move if the layout is known.
    fn describe(&self, code: u16) -> String {
        self.layout.text(code).map_or(format!("{code:#06x}"), |text| format!("{code:#06x} ({text})"))
    }

    fn add(&mut self, expected: String, found: String) {
        let cause = |text: &str| text.split(' ').filter(|word| !is_particular(word)).collect::<Vec<_>>().join(" ");
        let cause = format!("{} {}", cause(&expected), cause(&found));
        join(&mut self.faults, &[CodeFault { cause, path: Vec::new(), expected, found, answers: 1, nodes: 1 }]);
        // All faults in this list are at the same node.
        self.faults.iter_mut().for_each(|fault| fault.nodes = 1);
    }
}

/// Returns true if the word is a code, a move or a square.
fn is_particular(word: &str) -> bool {
    let word = word.trim_matches(|letter: char| !letter.is_alphanumeric());
    word.starts_with("0x") || word.get(..2).is_some_and(|start| Square::parse(start).is_some())
}

/// Positions with every kind of move for each side.
const LEARNED_FROM: [&str; 4] = [
    Fen::KIWIPETE,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/Pp2P3/2N2Q1p/1PPBBPPP/R3K2R b KQkq a3 0 1",
    "n1n1k3/1P6/8/2PpP3/8/8/8/4K3 w - d6 0 1",
    "4k3/8/8/8/2pPp3/8/1p6/N1N1K3 b - d3 0 1",
];

/// Where a code holds its two squares, and which kinds of moves its other four bits encode. Both are learned from the
/// codes of legal moves.
#[derive(Clone, Default, Debug)]
pub(super) struct Layout {
    /// Shifts of the from and to squares, and a number with which both squares are xored. `None` if no values fit.
    squares: Option<[u16; 3]>,
    /// True if the codes of castling moves hold the rook's square, false if they hold the king's destination.
    king_takes_rook: bool,
    /// Each entry holds flags, a kind of move that they encode, and whether that move captures.
    kinds: Vec<(u16, Kind, bool)>,
}

impl Layout {
    pub(super) fn learn<S: Subject>() -> Layout {
        let mut moves = Vec::new();
        for fen in LEARNED_FROM {
            let (Ok(board), Ok(subject)) = (Fen::parse(fen), S::from_fen(fen)) else { continue };
            let listed = list_moves(&subject, &board).into_iter();
            moves.extend(listed.filter_map(|listed| Some((subject.code(listed.mv)?, listed.legal?, board))));
        }
        let places =
            (0..=10u16).flat_map(|from| (0..=10).flat_map(move |to| [0, 7, 56, 63].map(|flip| [from, to, flip])));
        let mut places = places.filter(|[from, to, _]| from.abs_diff(*to) >= 6);
        let fits = |place: &[u16; 3]| {
            moves.iter().all(|(code, mv, _)| {
                let (from, to) = split(*code, *place);
                from == mv.from() && (to == mv.to() || mv.kind() == Kind::Castle && to == king_target(*mv))
            })
        };
        let squares = places.find(fits).filter(|_| !moves.is_empty());
        let mut castling = moves.iter().filter(|(_, mv, _)| mv.kind() == Kind::Castle);
        let king_takes_rook =
            castling.all(|(code, mv, _)| squares.is_some_and(|place| split(*code, place).1 == mv.to()));
        let mut layout = Layout { squares, king_takes_rook, kinds: Vec::new() };
        for (code, mv, board) in moves {
            let kind = (layout.flags(code), mv.kind(), captures(&board, mv));
            if !layout.kinds.contains(&kind) {
                layout.kinds.push(kind);
            }
        }
        layout
    }

    /// Returns the bits of a code outside its squares.
    fn flags(&self, code: u16) -> u16 {
        self.squares.map_or(code, |[from, to, _]| code & !(63 << from | 63 << to))
    }

    fn kinds_of(&self, code: u16) -> impl Iterator<Item = (Kind, bool)> {
        let flags = self.flags(code);
        self.kinds.iter().filter(move |kind| kind.0 == flags).map(|&(_, kind, captures)| (kind, captures))
    }

    /// Returns the move in UCI notation, if the layout is known. The move need not be possible.
    fn text(&self, code: u16) -> Option<String> {
        let (from, to) = split(code, self.squares?);
        let promotion = self.kinds_of(code).find_map(|(kind, _)| match kind {
            Kind::Promotion(role) => Some(role.letter()),
            _ => None,
        });
        Some(format!("{from}{to}{}", promotion.map_or(String::new(), String::from)))
    }

    /// Returns true for the code of a pseudo-legal move, and for every code if the layout is unknown.
    fn is_pseudo_legal(&self, code: u16, board: &Board) -> bool {
        let Some(place) = self.squares else { return true };
        let (from, to) = split(code, place);
        self.kinds_of(code).any(|(kind, takes)| {
            let castles = |rook: &Square| {
                let target = if self.king_takes_rook { *rook } else { king_target(Move::of_kind(from, *rook, kind)) };
                rook.rank() == from.rank() && target == to
            };
            let to = if kind == Kind::Castle { board.castling_rooks().into_iter().find(castles) } else { Some(to) };
            to.map(|to| Move::of_kind(from, to, kind))
                .is_some_and(|mv| board.is_pseudo_legal(mv) && captures(board, mv) == takes)
        })
    }

    /// Explains why a code is not the code of a legal move.
    fn broken_rule(&self, code: u16, board: &Board) -> String {
        let Some(text) = self.text(code) else { return "no legal move has this code".into() };
        let kinds: BTreeSet<String> = self.kinds_of(code).map(|(kind, captures)| kind_name(kind, captures)).collect();
        if kinds.is_empty() {
            return format!("no legal move has the flags {:#06x}", self.flags(code));
        }
        match MoveNames::new(board).candidates(&text).first() {
            Some(mv) => {
                let legal = kind_name(mv.kind(), captures(board, *mv));
                if kinds.contains(&legal) {
                    return format!("a second code of {legal}");
                }
                let kinds: Vec<String> = kinds.into_iter().collect();
                format!("these squares are those of {legal}, the flags those of {}", kinds.join(" or "))
            }
            None => explain_extra_moves(board, &[text])[0].rule.clone(),
        }
    }
}

fn split(code: u16, [from, to, flip]: [u16; 3]) -> (Square, Square) {
    let square = |place: u16| Square::new(u32::from(code >> place & 63 ^ flip));
    (square(from), square(to))
}

fn captures(board: &Board, mv: Move) -> bool {
    mv.kind() == Kind::EnPassant || mv.kind() != Kind::Castle && board.piece_on(mv.to()).is_some()
}

/// Returns the king's square after castling.
pub(super) fn king_target(castling: Move) -> Square {
    let (from, to) = (castling.from(), castling.to());
    Wing::of_rook(from, to).destinations(Color::ALL[from.index() >> 5]).0
}

fn kind_name(kind: Kind, captures: bool) -> String {
    match kind {
        Kind::Normal if captures => "a capture".into(),
        Kind::Normal => "a quiet move".into(),
        Kind::DoublePush => "a double push".into(),
        Kind::EnPassant => "an e.p. capture".into(),
        Kind::Castle => "castling".into(),
        Kind::Promotion(role) if captures => format!("a promotion to a {} by capture", role.name()),
        Kind::Promotion(role) => format!("a promotion to a {}", role.name()),
    }
}
