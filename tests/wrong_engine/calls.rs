//! Calls of `perft engine` on an engine with a dialect (an output format) and possibly a fault. Each call lists its
//! exit code and the required output.

use crate::common::fens::{CORNERS, DOUBLE_PUSH, EN_PASSANT_PINNED, POSITION_3, PROMOTES};
use crate::faults::Dialect::{self, *};
use crate::faults::Fault::{self, Bent};
use crate::trials::{KIWIPETE, MATES_NEXT, START, gate, trial};
use libtest_mimic::Trial;

/// Position 3 without White's lower pawns: the pinned e.p. capture is three plies away.
const LATE_PIN: &str = "8/2p5/3p4/KP5r/1R3p1k/8/8/8 w - - 0 1";
/// A pattern that reads [`Dialect::Reversed`].
const DIVIDE: &str = "^(?<leaves>[0-9]+) leaves after (?<move>[a-h][1-8][a-h][1-8][nbrq]?)$";
const TOTAL: &str = "^<< ([0-9]+) >>$";
/// A pattern that reads [`Dialect::DecimalKeys`].
const DECIMAL: &str = "^hash=(-?[0-9]+)$";
/// The command of [`Dialect::NamesFen`].
const WITH_FEN: &str = "perft {depth} fen {fen}";

/// The line of the report that a user can paste to set up Kiwipete.
const TO_SEE: &str = "reproduce  position fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

/// The name of a test, the engine's fault and dialect, the arguments, the exit code, and the required output.
type Call = (&'static str, Fault, Dialect, &'static [&'static str], i32, &'static [&'static str]);

#[rustfmt::skip]
const CALLS: &[Call] = &[
    ("a policy that is required", Fault::EpPinnedKeyed, Stockfish, &["--fen", START, "--depth", "1", "--require-ep", "legal"], 1, &["e.p. squares in the key: the policy by FEN", "found      pseudo"]),
    ("a policy that is required", Fault::EpPinnedKeyed, Stockfish, &["--fen", START, "--depth", "1", "--require-ep", "pseudo"], 0, &[]),
    ("a policy that is required", Fault::None, Stockfish, &["--fen", START, "--depth", "1", "--require-ep", "legal"], 0, &[]),
    // Depth 5 would take longer than the time limit.
    ("the shallowest wrong depth is reported", Fault::ListedTwice, Stockfish, &["--fen", KIWIPETE, "--depth", "5"], 1, &[" 1            48 ", "too many   e1c1: a legal move, listed twice"]),
    // If only silence marks the end of an answer, each answer costs a wait, so only the last depth is requested.
    ("the shallowest wrong depth is reported", Fault::ListedTwice, SubtotalsOnly, &["--fen", KIWIPETE, "--depth", "2", "--keys", "off"], 1, &[" 2          2039 "]),
    // The descent to the wrong move is longest if only the last depth is requested.
    ("deep errors are followed down", Fault::EpPinned, SubtotalsOnly, &["--fen", POSITION_3, "--depth", "4", "--keys", "off"], 1, &["e.p. capture while pinned along the rank", "path       a5a4 c7c5 e2e4"]),
    ("totals alone are followed down", Fault::EpPinned, TotalOnly, &["--fen", LATE_PIN, "--depth", "3"], 1, &["the number of moves is wrong in", "path       b4a4 c7c5", "expected 11, found 12"]),
    ("totals that are not set back", Fault::CounterNotReset, TotalOnly, &["--fen", START, "--depth", "2"], 1, &["wrong-count", "the count depends on earlier questions: a new process is right"]),
    // Any program may print a number. Without a list of moves, only the number 20 is accepted as perft 1 of the start
    // position.
    ("a number that is not 20 is no total of perft 1", Fault::WrongSum, TotalOnly, &["--fen", START, "--depth", "2"], 3, &["no-perft", "found 21 after 'go perft 1'"]),
    ("promotions without their pieces", Fault::None, PromotionsBare, &["--fen", PROMOTES, "--depth", "3", "--keys", "off"], 0, &["1 pass;", "such as promotions without the piece, in 1 rows: compared as sets"]),
    ("promotions without their pieces", Fault::QueenOnly, PromotionsBare, &["--fen", PROMOTES, "--depth", "3", "--keys", "off"], 1, &["missing    b7b8"]),
    // An engine's totals alone are enough to find the causes of these faults.
    ("totals of a faulty walk have a cause", Bent("end-is-leaf"), TotalOnly, &["--fen", MATES_NEXT, "--depth", "3"], 1, &["a checkmate before the last ply is counted as 1 leaf"]),
    ("totals of a faulty walk have a cause", Bent("fifty-moves-end"), TotalOnly, &["--fen", "4k3/8/8/8/8/8/4P3/4K3 w - - 98 80", "--depth", "4"], 1, &["the walk stops after fifty moves"]),
    ("totals of a faulty walk have a cause", Fault::MaterialStops, TotalOnly, &["--fen", "8/8/8/3k4/8/3p4/4K3/8 w - - 0 1", "--depth", "3"], 1, &["the walk stops where nobody can mate"]),
    ("totals of a faulty walk have a cause", Fault::TableIgnoresDepth, TotalOnly, &["--fen", KIWIPETE, "--depth", "3"], 1, &["its table of counts ignores the depth"]),
    ("totals of a faulty walk have a cause", Bent("bulk-without/castling"), TotalOnly, &["--fen", CORNERS, "--depth", "2"], 1, &["bulk counting is wrong"]),
    ("totals of a faulty walk have a cause", Bent("plies-summed"), TotalOnly, &["--fen", START, "--depth", "3"], 1, &["the count is the sum over all plies"]),
    ("totals of a faulty walk have a cause", Bent("castle-through-check"), TotalOnly, &["--fen", "4k2r/4P3/8/8/8/8/8/K7 w k - 0 1", "--depth", "2"], 1, &["the number of moves is wrong in 4k2r/4P3"]),
    ("totals of a faulty walk have a cause", Bent("right-lost"), TotalOnly, &["--fen", CORNERS, "--depth", "3"], 1, &["the engine's walk does not restore the position"]),
    ("a key pattern that matches nothing", Fault::None, Stockfish, &["--fen", START, "--depth", "1", "--key-pattern", "hash=([0-9a-f]+)"], 2, &["error: --key-pattern: 'hash=([0-9a-f]+)' matches nothing that the engine prints"]),
    ("a key pattern that matches nothing", Fault::None, Stockfish, &["--fen", START, "--depth", "1", "--key-pattern", "Key: ([0-9A-F]+)"], 0, &["rows: 1 pass;", "keys: 108 compared by moves and by FEN"]),
    ("patterns read what the usual forms do not", Fault::None, Reversed, &["--fen", KIWIPETE, "--depth", "2", "--keys", "off"], 3, &["no-perft"]),
    ("patterns read what the usual forms do not", Fault::None, Reversed, &["--fen", KIWIPETE, "--depth", "2", "--keys", "off", "--divide-pattern", DIVIDE, "--total-pattern", TOTAL], 0, &["lists moves; each answer ends with its total", "1 pass"]),
    ("patterns read what the usual forms do not", Fault::EqualTotal, Reversed, &["--fen", START, "--depth", "2", "--keys", "off", "--divide-pattern", DIVIDE, "--total-pattern", TOTAL], 1, &["missing    a2a4", "illegal    a2a2"]),
    ("patterns read what the usual forms do not", Fault::WrongSum, Reversed, &["--fen", START, "--depth", "2", "--keys", "off", "--divide-pattern", DIVIDE, "--total-pattern", TOTAL], 1, &["wrong-total", "found 21"]),
    // If a pattern's groups have no names, the first is the move and the second is the number of leaves.
    ("patterns read what the usual forms do not", Fault::EqualTotal, Riddles, &["--fen", START, "--depth", "1", "--keys", "off", "--divide-pattern", "^from (.*), that makes ([0-9]+)$"], 2, &["--divide-pattern: '^from (.*), that makes ([0-9]+)$' matches no legal move"]),
    ("a pattern that finds nothing is refused", Fault::None, Reversed, &["--fen", START, "--divide-pattern", "leaves"], 2, &["found 'leaves', expected a group in parentheses around the move and one around the"]),
    ("a pattern that finds nothing is refused", Fault::None, Reversed, &["--fen", START, "--divide-pattern", "(leaves)"], 2, &["found '(leaves)', expected a group in parentheses"]),
    ("a pattern that finds nothing is refused", Fault::None, Reversed, &["--fen", START, "--divide-pattern", "^([0-9]+) leaves after (?<move>.*)$"], 2, &["expected names for both groups, move and leaves, or for none"]),
    ("a pattern that finds nothing is refused", Fault::None, Reversed, &["--fen", START, "--total-pattern", "<<"], 2, &["found '<<', expected a group in parentheses around the total"]),
    ("a pattern that finds nothing is refused", Fault::None, Reversed, &["--fen", START, "--total-pattern", "("], 2, &["--total-pattern: found '(', "]),
    ("a pattern that finds nothing is refused", Fault::None, Reversed, &["--fen", START, "--divide-pattern", "x(y)(z)"], 2, &["'x(y)(z)' matches no legal move after 'go perft 1', found '"]),
    ("a pattern that finds nothing is refused", Fault::None, Reversed, &["--fen", START, "--total-pattern", "x(y)"], 2, &["--total-pattern: 'x(y)' matches no number after 'go perft 1'"]),
    ("a pattern that finds nothing is refused", Fault::None, Reversed, &["--fen", START, "--key-pattern", "x"], 2, &["--key-pattern: found 'x', expected a group in parentheses around the key"]),
    // A user's pattern replaces the usual forms, so a total that the pattern misses is not found.
    ("a pattern that finds nothing is refused", Fault::None, Stockfish, &["--fen", START, "--depth", "1", "--total-pattern", "^Sum: ([0-9]+)$"], 2, &["--total-pattern", "matches no number"]),
    ("a command that names the FEN", Fault::None, NamesFen, &["--fen", KIWIPETE, "--depth", "3", "--keys", "off", "--perft-cmd", WITH_FEN], 0, &["('perft {depth} fen {fen}')", "rows: 1 pass"]),
    ("a command that names the FEN", Fault::EpPinned, NamesFen, &["--fen", EN_PASSANT_PINNED, "--depth", "3", "--keys", "off", "--perft-cmd", WITH_FEN], 1, &["illegal    d5c6", "reproduce  perft 1 fen 8/8/8/K1pP3r/8/8/8/4k3 w - c6 0 1"]),
    ("a command that names the FEN", Fault::None, NamesFen, &["--fen", START, "--perft-cmd", "perft fen {fen}"], 2, &["--perft-cmd: found 'perft fen {fen}', expected it to contain {depth}"]),
    ("a command that names the FEN", Fault::None, NamesFen, &["--fen", START, "--perft-cmd", "perft {depth} {moves}"], 2, &["expected it to contain {fen}"]),
    ("a command that names the FEN", Fault::None, NamesFen, &["--fen", START, "--perft-cmd", "perft {n}"], 2, &["found '{n}', expected one of {depth}, {fen} and {moves}"]),
    ("a command that names the FEN", Fault::None, NamesFen, &["--fen", START, "--perft-cmd", ""], 2, &["--perft-cmd: found nothing, expected a perft command"]),
    ("decimal keys of another command", Fault::None, DecimalKeys, &["--fen", CORNERS, "--depth", "1", "--key-pattern", DECIMAL, "--display-cmd", "board"], 0, &["'board' shows no Fen: and the decimal key of 'hash=", "rows: 1 pass"]),
    ("decimal keys of another command", Fault::FirstRightOnly, DecimalKeys, &["--fen", CORNERS, "--depth", "1", "--key-pattern", DECIMAL, "--display-cmd", "board"], 1, &["wrong-key", "castling right Q left in after e1", "expected   "]),
    ("decimal keys of another command", Fault::None, DecimalKeys, &["--fen", CORNERS, "--depth", "1", "--key-pattern", DECIMAL], 2, &["matches nothing that the engine prints for 'd'"]),
    ("decimal keys of another command", Fault::None, DecimalKeys, &["--fen", CORNERS, "--depth", "1"], 0, &["'d' shows no Fen: and no key", "the engine prints none for 'd'"]),
    ("an engine that exits after perft", Fault::None, Exits, &["--fen", KIWIPETE, "--depth", "2"], 0, &["lists moves; its exit ends each answer; 'd' shows Fen:", "rows: 1 pass;", "keys: "]),
    ("an engine that exits after perft", Fault::EpPinned, Exits, &["--fen", EN_PASSANT_PINNED, "--depth", "2"], 1, &["illegal    d5c6: e.p. capture while pinned"]),
    ("an engine that exits after perft", Fault::FirstRightOnly, Exits, &["--fen", CORNERS, "--depth", "2"], 1, &["castling right Q left in after e1"]),
    // A crash is not a normal exit.
    ("an engine that exits after perft", Fault::Crash, Exits, &["--fen", KIWIPETE, "--depth", "2"], 3, &["crash", "exit status: 42", "reproduce  position fen r3k2r/"]),
    ("totals alone can be refused", Fault::None, Stockfish, &["--fen", START, "--depth", "2", "--require-divide"], 0, &["rows: 1 pass"]),
    ("totals alone can be refused", Fault::None, TotalOnly, &["--fen", START, "--depth", "2", "--require-divide"], 3, &["no-perft: found only the total 20 after 'go perft 1'", "expected the leaf counts of the start position by root move:"]),
    ("totals alone can be refused", Fault::None, Riddles, &["--fen", START, "--depth", "2", "--require-divide"], 3, &["no-perft: found only the total 20 after 'go perft 1'", "expected the leaf counts of the start position by root move:"]),
    ("wrong keys after moves are found by the audit", Bent("promoted-keyed-as/pawn"), Stockfish, &["--audit-keys"], 1, &["the numbers give the engine's keys of", "instead of every promoted piece", "verdict: wrong"]),
    ("wrong keys after moves are found by the audit", Fault::CastlingRookKeptInKey, Stockfish, &["--audit-keys"], 1, &["the numbers give the engine's keys of", "white rook on f1 missing after e1g1", "verdict: wrong"]),
    ("wrong keys after moves are found by the audit", Bent("update-missing/captured/e.p."), Stockfish, &["--audit-keys"], 1, &["the numbers give the engine's keys of", "left in after", "verdict: wrong"]),
    ("keys of a scheme are asked for", Fault::None, Stockfish, &["--fen", DOUBLE_PUSH, "--depth", "1", "--keys", "polyglot"], 1, &["the keys are not those expected: not Polyglot's: 0 of 766 numbers are equal; white pawn on a2: expected "]),
    ("keys of a scheme are asked for", Fault::None, Stockfish, &["--fen", DOUBLE_PUSH, "--depth", "1", "--keys", "nonsense"], 2, &["error: --keys: found 'nonsense', expected one of ", "or a file with a key table"]),
    ("keys of a scheme are asked for", Fault::None, Stockfish, &["--fen", DOUBLE_PUSH, "--depth", "1", "--keys", "none"], 2, &["error: --keys: found 'none', expected a scheme with keys"]),
    ("keys of a scheme are asked for", Fault::None, Stockfish, &["--fen", DOUBLE_PUSH, "--depth", "1", "--keys", "auto"], 0, &["; passed"]),
    ("an audit that cannot be made", Fault::None, DecimalKeys, &["--audit-keys"], 2, &["error: --audit-keys: 'd' shows no key, found nothing, expected 'Key: ", "--display-cmd", "--key-pattern"]),
    ("an audit that cannot be made", Fault::None, Stockfish, &["--fen", CORNERS, "--export-keys", "keys.txt"], 2, &["--audit-keys"]),
    ("an audit that cannot be made", Fault::None, Stockfish, &["--audit-keys", "--keys", "off"], 2, &["error: --audit-keys: found --keys off"]),
    ("an audit that cannot be made", Fault::CrashAtStart, Stockfish, &["--audit-keys"], 3, &["failed while answering"]),
    // If the key treats e.p. squares differently after a FEN and after moves, the run fails, but no single row does.
    ("one habit is one kind of fault", Fault::EpAlwaysByFen, Stockfish, &["--suite", "quick", "--depth", "1"], 1, &["58 pass;", "e.p. squares in the key", "failed"]),
    ("one habit is one kind of fault", Fault::EpAlwaysByMoves, Stockfish, &["--suite", "quick", "--depth", "1"], 1, &["58 pass;", "e.p. squares in the key", "failed"]),
    ("one habit is one kind of fault", Fault::EpFilePinsIgnored, Stockfish, &["--suite", "quick", "--depth", "1"], 0, &["58 pass;", "; passed"]),
    ("one habit is one kind of fault", Fault::EpFilePinsIgnored, Stockfish, &["--audit-keys"], 0, &["verdict: sound"]),
    ("one habit is one kind of fault", Fault::EpChecksIgnored, Stockfish, &["--suite", "quick", "--depth", "1"], 0, &["58 pass;", "; passed"]),
    ("one habit is one kind of fault", Fault::EpChecksIgnored, Stockfish, &["--audit-keys"], 0, &["verdict: sound"]),
    ("one fault is one kind of fault", Bent("captured-of-other-color"), Stockfish, &["--suite", "quick", "--depth", "2"], 1, &["\n2 kinds of fault:", "hashed out as another, after a capture", "after an e.p. capture"]),
    ("one fault is one kind of fault", Fault::PromotionStaysPawn, Stockfish, &["--suite", "quick", "--depth", "2", "--keys", "off"], 1, &["\n1 kind of fault, in ", " rows: wrong make: a promotion; simplest: "]),
    ("one fault is one kind of fault", Fault::KingIntoCheck, Stockfish, &["--suite", "quick", "--depth", "2", "--keys", "off"], 1, &["\n1 kind of fault, in ", " rows: illegal: the king moves into check; simplest: "]),
    // In this position, a move has more than a thousand leaves, so that its digits are grouped.
    ("spaces between groups of digits", Fault::None, Spaces, &["--fen", "3qk3/8/8/8/8/8/8/Q2QK2Q w - - 0 1", "--depth", "3", "--keys", "off"], 0, &["rows: 1 pass;", "!total only"]),
    // Even a command that the user names must not start a search.
    ("a named command that searches", Fault::None, Searches, &["--fen", START, "--depth", "2", "--perft-cmd", "go infinite perft"], 3, &["no-perft: 'go infinite perft 1' starts a search"]),
    ("a walk that cannot be asked by moves", Bent("right-lost"), NamesFen, &["--fen", KIWIPETE, "--depth", "3", "--keys", "off", "--perft-cmd", WITH_FEN], 1, &["the engine's own walk is wrong after", "the engine counts this position right if it is given as a FEN", "!by moves"]),
    // The pattern that the advice would suggest reads this engine's perft 1 and 2, but not 3.
    ("advice that does not work is not printed", Fault::TableIgnoresDepth, Sentence, &["--fen", START, "--depth", "1"], 3, &["no-perft", "name the engine's perft command with --perft-cmd", "!-pattern"]),
    ("the first line says what was learned", Fault::None, Stockfish, &["--fen", START, "--depth", "1"], 0, &["wrong engine ('go perft'), 1 process: lists moves; each answer ends with its total; 'd' shows Fen: and the hexadecimal key of 'Key: "]),
    ("the first line says what was learned", Fault::None, SubtotalsOnly, &["--fen", START, "--depth", "1"], 0, &["lists moves; each answer ends with silence; 'd' shows Fen: and the hexadecimal key of 'Key: "]),
    ("the first line says what was learned", Fault::None, TotalOnly, &["--fen", START, "--depth", "1"], 0, &["totals only; each answer ends with its total; 'd' shows Fen: and the hexadecimal key of 'Key: "]),
    ("the first line says what was learned", Fault::None, PerftVerb, &["--fen", START, "--depth", "1"], 0, &["('perft'), 1 process", "; 'd' shows Fen: and the hexadecimal key of 'Key: "]),
    ("a trace that cannot be written", Fault::None, Stockfish, &["--fen", START, "--depth", "1", "--trace", "none/trace"], 2, &["error: --trace ", "expected a writable file"]),
    ("a list of known failures that is missing", Fault::None, Stockfish, &["--fen", START, "--depth", "1", "--expect-fail", "none/known"], 2, &["--expect-fail ", "expected a list of rows"]),
    // Without a limit, wrong rows do not stop the run.
    ("failures are limited where that is asked", Fault::EpPinned, Stockfish, &["--suite", "quick", "--depth", "1", "--keys", "off"], 1, &["wrong-count", "!skipped"]),
    ("failures are limited where that is asked", Fault::EpPinned, Stockfish, &["--suite", "quick", "--depth", "1", "--keys", "off", "--fail-fast"], 1, &[" 1 wrong-count,", "skipped: a row failed", "; failed"]),
    ("failures are limited where that is asked", Fault::EpPinned, Stockfish, &["--suite", "quick", "--depth", "1", "--keys", "off", "--max-failures", "2"], 1, &[" 2 wrong-count,", "skipped: 2 rows failed", "; failed"]),
    // An overall limit replaces the limit of three failures in a row.
    ("failures are limited where that is asked", Fault::Crash, Stockfish, &["--suite", "quick", "--depth", "1", "--keys", "off", "--max-failures", "5"], 3, &[" 5 crash,", "skipped: 5 rows failed"]),
    ("failures are limited where that is asked", Fault::None, Stockfish, &["--suite", "quick", "--depth", "1", "--keys", "off", "--fail-fast", "--max-failures", "2"], 2, &["cannot be used with"]),
    ("failures are limited where that is asked", Fault::None, Stockfish, &["--suite", "quick", "--depth", "1", "--keys", "off", "--max-failures", "0"], 2, &["invalid value '0' for '--max-failures <N>'"]),
    ("every failure ends with lines to paste", Fault::Hang, Stockfish, &["--fen", KIWIPETE, "--depth", "1"], 3, &[TO_SEE, "\n               go perft 1\n"]),
    ("every failure ends with lines to paste", Fault::Crash, Stockfish, &["--fen", KIWIPETE, "--depth", "1"], 3, &[TO_SEE, "\n               go perft 1\n"]),
    ("every failure ends with lines to paste", Fault::Garbage, Stockfish, &["--fen", KIWIPETE, "--depth", "1"], 3, &[TO_SEE, "\n               go perft 1\n"]),
    ("every failure ends with lines to paste", Fault::FenRefused, Stockfish, &["--fen", KIWIPETE, "--depth", "1"], 1, &[TO_SEE, "\n               go perft 1\n"]),
    ("every failure ends with lines to paste", Fault::WrongSum, Stockfish, &["--fen", KIWIPETE, "--depth", "1"], 1, &[TO_SEE, "\n               go perft 1\n"]),
    ("every failure ends with lines to paste", Fault::CrashAtStart, Stockfish, &["--fen", START], 3, &["reproduce  uci"]),
];

pub fn all() -> impl Iterator<Item = Trial> {
    CALLS.iter().map(|(name, fault, dialect, arguments, code, parts)| {
        let name = format!("{name}: {} in {}", fault.name(), dialect.name());
        trial(name, || gate(*fault, *dialect, arguments).expect(*code, parts))
    })
}
