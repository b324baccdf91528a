//! The messages that each fault must cause.

use crate::calls;
use crate::catalogue;
use crate::common::fens::{
    self, CHESS960_ROOK, CORNERS, EN_PASSANT, EN_PASSANT_PINNED, KNIGHT, POSITION_3, PROMOTES, ROOKS,
};
use crate::common::{self, Folder, Run, command, document, is_valid, root, start_command, wait_until};
use crate::faults::Dialect::{self, NamesFen, Reversed, SearchesOnly, Sentence};
use crate::faults::Fault::{self, Bent};
use crate::key_faults;
use crate::options;
use clap::ValueEnum;
use libtest_mimic::Trial;
use snapbox::{Assert, Data};
use std::path::Path;

pub const START: &str = "startpos";
pub const KIWIPETE: &str = "kiwipete";

/// A position one move before a checkmate.
pub const MATES_NEXT: &str = "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2";

/// Given in place of a FEN or suite if the audit of the key table finds the fault. An audit has no depth.
pub const AUDIT: &str = "--audit-keys";

/// A fault, the FEN or suite and the depth at which the fault becomes visible, the exit code, and the required output.
pub type Case = (Fault, &'static str, u32, i32, &'static [&'static str]);

/// Cases that run without keys. Learning an engine's keys takes nearly all the time of a short run.
#[rustfmt::skip]
const WITHOUT_KEYS: [Case; 44] = [
    (Fault::EpPinned, EN_PASSANT_PINNED, 3, 1, &["illegal    d5c6: e.p. capture while pinned along the rank"]),
    (Fault::EpPinned, POSITION_3, 4, 1, &["e.p. capture while pinned along the rank", "path       e2e4"]),
    (Bent("ep-answer-missing"), "5r2/5N2/8/Pp6/K1bk4/1r6/8/8 w - b6 0 1", 3, 1, &["missing    a5b6: e.p. capture that answers a check"]),
    (Fault::QueenOnly, PROMOTES, 3, 1, &["missing    b7b8n: promotion to a knight"]),
    (Fault::KingIntoCheck, "4k3/8/8/8/8/8/3r4/4K3 w - - 0 1", 2, 1, &["illegal    e1d1: the king moves into check"]),
    (Fault::PinnedKnight, "4k3/8/8/8/4r3/8/4N3/4K3 w - - 0 1", 2, 1, &["illegal    e2c1: a knight pinned along the file leaves its pin"]),
    (Bent("castle-through-check"), "4k3/8/8/8/5r2/8/8/R3K2R w KQ - 0 1", 2, 1, &["illegal    e1g1: castling on the king's side through f1, which is attacked"]),
    // Below each move there is one illegal castling move, so the count looks as if both plies had been added up.
    (Bent("castle-through-check"), "4k2r/4P3/8/8/8/8/8/K7 w k - 0 1", 2, 1, &["illegal    e8g8: castling on the king's side through f8"]),
    (Bent("double-over"), "4k3/8/8/8/8/n7/P7/4K3 w - - 0 1", 2, 1, &["illegal    a2a4: a pawn is blocked"]),
    (Fault::EqualTotal, START, 1, 1, &["20            20", "missing    a2a4: double push", "illegal    a2a2"]),
    (Fault::ListedTwice, KIWIPETE, 1, 1, &["too many   e1c1: a legal move, listed twice"]),
    (Fault::WrongSum, START, 2, 1, &["wrong-total", "the printed total is wrong: expected 20, found 21", "the root moves add up to 20", "1 wrong-total;"]),
    (Bent("rook-capture-keeps"), ROOKS, 3, 1, &["making d5a8 (capture by a bishop of a rook that may castle) leaves a wrong position", "illegal    e8c8: castling on the queen's side without the right"]),
    (Bent("ep-victim-stays"), EN_PASSANT, 3, 1, &["making c5d6 (e.p. capture) leaves a wrong position"]),
    (Fault::PromotionStaysPawn, PROMOTES, 3, 1, &["making b7b8n (promotion to a knight) leaves a wrong position"]),
    (Bent("castle-rook-vanishes"), "4k3/8/8/8/8/8/8/5K1R w H - 0 1", 3, 1, &["making f1h1 (castling on the king's side) leaves a wrong position"]),
    (Bent("right-lost"), KIWIPETE, 3, 1, &["the engine's walk does not restore the position"]),
    (Bent("end-is-leaf"), MATES_NEXT, 3, 1, &["a checkmate before the last ply is counted as 1 leaf", "position fen rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b"]),
    (Bent("end-is-leaf"), "7k/8/5KQ1/8/8/8/8/8 w - - 0 1", 3, 1, &["1 kind of fault, in 1 row: a ", "before the last ply is counted as 1 leaf"]),
    (Fault::MateCountedAlone, "7k/8/6Q1/5K2/8/8/8/8 w - - 0 1", 3, 1, &["before the last ply is counted as 1 leaf"]),
    (Bent("fifty-moves-end"), "4k3/8/8/8/8/8/4P3/4K3 w - - 98 80", 4, 1, &["the walk stops after fifty moves", "with the halfmove clock"]),
    (Bent("fifty-moves-end"), "4k3/8/8/3q4/8/8/4P3/4K3 b - - 99 80", 3, 1, &["the walk stops after fifty moves"]),
    (Fault::RepetitionStops, "7k/8/8/8/8/8/R7/7K w - - 0 1", 5, 1, &["the walk stops at a repetition"]),
    (Fault::RepetitionStops, "7k/8/8/8/8/8/8/K7 w - - 0 1", 6, 1, &["the walk stops at a repetition"]),
    (Fault::MaterialStops, "8/8/8/3k4/8/3p4/4K3/8 w - - 0 1", 3, 1, &["the walk stops where nobody can mate"]),
    (Fault::TableIgnoresDepth, KIWIPETE, 3, 1, &["its table of counts ignores the depth"]),
    (Fault::CounterNotReset, START, 3, 1, &["wrong-total", "expected 20, found 40"]),
    (Bent("bulk-without/castling"), CORNERS, 3, 1, &["bulk counting is wrong"]),
    (Fault::UnsafeBelowRoot, "4k3/8/8/8/8/8/3R4/4K3 w - - 0 1", 3, 1, &["moves that leave the king in check are counted below the root"]),
    (Bent("plies-summed"), START, 3, 1, &["the count is the sum over all plies", "expected 400, found 420"]),
    (Fault::NegativeSubtotal, START, 2, 1, &["wrong-count", "not read   'a2a3: -20'"]),
    (Fault::PowerSubtotal, START, 2, 1, &["wrong-count", "not read   'a2a3: 10^20'"]),
    (Fault::NoSquareSubtotal, START, 2, 1, &["wrong-count", "not read   'a2e9: 20'"]),
    (Fault::FractionSubtotal, START, 2, 1, &["wrong-count", "not read   'a2a3: 20.5'"]),
    (Fault::Hang, KIWIPETE, 2, 3, &["timeout", "no answer to 'go perft 1' within 5 s"]),
    (Fault::Crash, KIWIPETE, 2, 3, &["crash", "exit status: 42", "stderr: assertion failed: a wrong engine"]),
    (Fault::Crash, "quick", 2, 3, &["3 crash", "skipped: the engine failed 3 times in a row"]),
    (Fault::Garbage, KIWIPETE, 2, 3, &["unparsed", "expected leaves by root move or a total, found '"]),
    (Fault::Flood, KIWIPETE, 2, 3, &["unparsed", "info string flood flood flood"]),
    (Fault::FenRefused, KIWIPETE, 2, 1, &["fen-rejected", "it says 'info string invalid FEN: r3k2r/"]),
    (Fault::FenMistaken, KIWIPETE, 2, 1, &["fen-rejected", "its moves are those of the start position"]),
    (Fault::ReadsNothing, KIWIPETE, 2, 1, &["fen-rejected", "its moves are those of the start position"]),
    (Fault::WithoutChess960, CHESS960_ROOK, 2, 2, &["1 of 1 rows are Chess960", "no option UCI_Chess960", "--suite standard"]),
    (Fault::EpPinned, "quick", 2, 1, &["7 wrong-count", "e.p. capture while pinned along the rank"]),
];

#[rustfmt::skip]
const CASES: [Case; 38] = [
    (Fault::None, START, 4, 0, &["rows: 1 pass;", "keys: ", "e.p. policy: legal", "passed"]),
    (Fault::None, KIWIPETE, 3, 0, &["rows: 1 pass;"]),
    (Fault::None, CORNERS, 3, 0, &["rows: 1 pass;"]),
    (Fault::EpFileIsZero, START, 1, 1, &["two positions share a key: e.p. square h6 has the number 0"]),
    (Fault::EpFilesShare, START, 1, 1, &["two positions share a key: e.p. square d6 and e.p. square e6 have the same number"]),
    (Fault::EpFileIsSideKey, START, 1, 1, &["two positions share a key: side to move and e.p. square c6 have the same number"]),
    (Fault::PiecesShare, START, 1, 1, &["two positions share a key: the numbers of ", " cancel out"]),
    (Bent("ep-victim-off-target"), EN_PASSANT, 2, 1, &["black pawn on d5 left in, black pawn on d6 added (the captured pawn is removed from another square) after"]),
    (Fault::CastlingRookFromElsewhere, CORNERS, 2, 1, &["(the rook is moved from or to another square) after e1"]),
    (Bent("captured-of-other-color/capture"), KNIGHT, 2, 1, &["(another piece is removed instead of the captured one) after"]),
    (Bent("promoted-keyed-as/queen"), PROMOTES, 2, 1, &["(another piece is added instead of the promoted one) after"]),
    (Fault::ConstantAfterDoublePush, START, 2, 1, &["unexplained differences are the same number, ", "a constant, after every double push"]),
    (Fault::ConstantWithLastRight, CORNERS, 2, 1, &["a constant, after every move that loses the last castling right"]),
    (Fault::ShortKeys, START, 2, 0, &["keys of 32 bits: of 1000000 positions, 116 pairs share a key by chance"]),
    (Bent("update-missing/e.p.-left/quiet"), "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", 2, 1, &["wrong-key", "e.p. e3 left in after"]),
    (Fault::EpPinnedKeyed, START, 2, 0, &["e.p. policy: pseudo (a pinned capturer keeps the square"]),
    (Fault::EpAlwaysByFen, START, 2, 1, &["always by FEN, legal by moves", "e.p. squares in the key"]),
    (Bent("right-not-keyed"), CORNERS, 2, 1, &["two positions share a key: they differ in: castling rights"]),
    (Fault::FirstRightOnly, CORNERS, 2, 1, &["castling right Q left in after e1"]),
    (Fault::RightsShareAKey, CORNERS, 2, 1, &["two positions share a key: they differ in: castling rights"]),
    (Fault::RightIsSideKey, CORNERS, 2, 1, &["two positions share a key: they differ in: side to move, castling rights"]),
    (Fault::RightsOfCornersOnly, CORNERS, 2, 0, &["rows: 1 pass;"]),
    (Fault::RightsOfCornersOnly, CHESS960_ROOK, 2, 1, &["castling right K left in after"]),
    (Bent("promoted-keyed-as/pawn"), PROMOTES, 2, 1, &["the key after moves is not that of the FEN: one unknown number instead of every promoted piece", "(promotion to a"]),
    (Bent("update-missing/captured/e.p."), EN_PASSANT, 2, 1, &["black pawn on d5 left in after", "(e.p. capture)"]),
    (Bent("update-missing/captured/capture"), KNIGHT, 2, 1, &["black knight on d5 left in after e4d5"]),
    (Fault::CastlingRookKeptInKey, CORNERS, 2, 1, &["white rook on h1 left in, white rook on f1 missing after e1g1"]),
    (Bent("side-not-keyed"), CORNERS, 2, 1, &["two positions share a key: they differ in: side to move"]),
    (Fault::WrongIndex, START, 2, 1, &["two positions share a key: white knight on"]),
    (Fault::KeySpoiltByPerft, START, 2, 1, &["counting changes the key"]),
    (Fault::MoveIgnored, CORNERS, 1, 1, &["the engine is in another position: e1", "castling on the", "is ignored"]),
    (Fault::ClockHashed, START, 2, 0, &["halfmove clock in the key: from 10"]),
    (Fault::PawnKeyToo, START, 2, 0, &["rows: 1 pass;", "keys: "]),
    (Fault::HangAtStart, START, 2, 3, &["error: no answer to 'uci' within 5 s"]),
    (Fault::CrashAtStart, START, 2, 3, &["error: failed while answering 'uci' (exit status: 42)", "stderr: assertion failed: a wrong engine"]),
    (Fault::QuitIgnored, START, 2, 0, &["rows: 1 pass;"]),
    (Fault::WithoutChess960, START, 2, 0, &["rows: 1 pass;"]),
    (Bent("ep-lost"), EN_PASSANT, 2, 1, &["counting changes the key: after perft 2 it shows 4k3/8/8/2PpP3/8/8/8/4K3 w - - 0 1"]),
];

pub fn all() -> Vec<Trial> {
    let case = |case: &'static Case, options: &'static [&str]| {
        trial(format!("{} in {}", case.0.name(), case.1), move || found(case, options))
    };
    let mut trials: Vec<Trial> = WITHOUT_KEYS.iter().map(|row| case(row, &["--keys", "off"])).collect();
    trials.extend(CASES.iter().map(|row| case(row, &[])));
    let dialect = |dialect: Dialect| trial(format!("{} in {KIWIPETE}", dialect.name()), move || understood(dialect));
    // Some dialects are understood only with options, and one cannot count at all.
    let is_understood = |dialect: &Dialect| !matches!(dialect, Reversed | NamesFen | Sentence | SearchesOnly);
    trials.extend(Dialect::value_variants().iter().copied().filter(is_understood).map(dialect));
    trials.extend(calls::all());
    trials.extend(options::all());
    trials.extend(key_faults::all());
    trials.extend(catalogue::all());
    trials.push(trial("every fault has a case", every_fault_has_a_case));
    trials.push(trial("a list with a wrong count", a_list_with_a_wrong_count));
    trials.push(trial("positions of two rows share a key", positions_of_two_rows_share_a_key));
    trials.push(trial("algebraic notation finds a wrong move", algebraic_notation_is_compared));
    trials.push(trial("a run ends with its kinds of faults", kinds_of_faults));
    trials.push(trial("moves that were not compared are owned up to", totals_are_owned_up_to));
    trials.push(trial("the screen of an engine that fails", a_failing_screen));
    trials.push(trial("an engine that only searches", an_engine_that_only_searches));
    trials.push(trial("hangs are bounded in all", hangs_are_bounded));
    trials.push(trial("documents follow their formats", documents_follow_their_formats));
    trials.push(trial("a full pipe to the engine blocks nobody", a_full_pipe));
    #[cfg(unix)]
    trials.push(trial("the engine dies with us", the_engine_dies_with_us));
    #[cfg(unix)]
    trials.push(trial("Ctrl-C ends the engine and keeps what is known", ctrl_c));
    #[cfg(unix)]
    trials.push(trial("signals end an engine that floods", signals_end_a_flood));
    let stockfish = Path::new("/usr/games/stockfish");
    let passes = trial("Debian's Stockfish passes", || stockfish_passes(stockfish));
    trials.push(passes.with_ignored_flag(!stockfish.exists()));
    trials
}

/// Returns a named test that fails if `test` panics.
pub fn trial(name: impl Into<String>, test: impl FnOnce() + Send + 'static) -> Trial {
    Trial::test(name, || {
        test();
        Ok(())
    })
}

/// Runs `perft engine` on the wrong engine.
pub fn gate(fault: Fault, dialect: Dialect, arguments: &[&str]) -> Run {
    // An engine may answer slowly on a busy machine. An engine that never answers gets a short timeout.
    let waits = matches!(fault, Fault::Hang | Fault::HangAtStart | Fault::Garbage | Fault::Flood)
        || matches!(dialect, Dialect::SearchesOnly);
    gate_within(if waits { "5" } else { "60" }, fault, dialect, arguments)
}

fn gate_within(timeout: &str, fault: Fault, dialect: Dialect, arguments: &[&str]) -> Run {
    let engine = std::env::current_exe().expect("our own path");
    let mut command = command();
    command.args(["engine", "--jobs", "1", "--timeout", timeout]).args(arguments).arg("--").arg(engine);
    command.args(["--as-engine", &fault.name(), &dialect.name()]);
    Run::finish(&mut command)
}

pub fn found((fault, place, depth, code, parts): &Case, options: &[&str]) {
    let option = if *place == "quick" { "--suite" } else { "--fen" };
    let depth = depth.to_string();
    let run = [&[option, place, "--depth", &depth], options].concat();
    gate(*fault, Dialect::Stockfish, if *place == AUDIT { &[AUDIT] } else { &run }).expect(*code, parts);
}

fn understood(dialect: Dialect) {
    let output = gate(Fault::None, dialect, &["--fen", KIWIPETE, "--depth", "2"]);
    output.expect(0, &["2039          2039", "1 pass"]);
    let verb = match dialect {
        Dialect::DivideVerb => "('divide')",
        Dialect::PerftVerb => "('perft')",
        _ if dialect.searches() => "('perft')",
        _ => "('go perft')",
    };
    output.expect(0, &[verb, if dialect.is_totals_only() { "pass, total only" } else { "!pass, total only" }]);
    if dialect.is_totals_only() {
        return;
    }
    // One move replaces another, so the total stays right. Only comparing the list of moves reveals this.
    let output = gate(Fault::EqualTotal, dialect, &["--fen", START, "--depth", "1", "--keys", "off"]);
    output.expect(1, &["wrong-count", "missing    a2a4: double push", "illegal    a2a2"]);
}

fn a_list_with_a_wrong_count() {
    let folder = Folder::new();
    let suite = folder.write("wrong.epd", format!("{} ;D1 20 ;D2 401 ;id start\n", fens::START));
    for dialect in [Dialect::Stockfish, Dialect::SubtotalsOnly] {
        let output = gate(Fault::None, dialect, &["--suite", &suite, "--depth", "2", "--keys", "off"]);
        let part = "the list is wrong at depth 2: it says 401, our counter and the engine count 400";
        output.expect(1, &["wrong-list", part, "1 wrong-list;"]);
    }
    // A wrong count in the list of positions does not excuse a wrong engine.
    let arguments = ["--suite", &suite, "--depth", "2", "--keys", "off"];
    gate(Fault::EqualTotal, Dialect::Stockfish, &arguments).expect(1, &["wrong-count", "our counter counts 400"]);
}

fn positions_of_two_rows_share_a_key() {
    let folder = Folder::new();
    // The random numbers that make up the engine's keys are compared before the first row is counted.
    let rows = "7k/8/8/4p3/4K3/8/8/8 w - - 0 1 ;D1 6 ;id one\n7k/8/8/4K3/4p3/8/8/8 w - - 0 1 ;D1 8 ;id other\n";
    let suite = folder.write("two.epd", rows);
    let output = gate(Fault::PiecesShare, Dialect::Stockfish, &["--suite", &suite, "--depth", "1"]);
    output.expect(1, &["two positions share a key: the numbers of", "cancel out"]);
    gate(Fault::None, Dialect::Stockfish, &["--suite", &suite, "--depth", "1"]).expect(0, &["2 pass"]);
}

fn algebraic_notation_is_compared() {
    for dialect in [Dialect::LongAlgebraic, Dialect::ShortAlgebraic] {
        let ask = |fault, place, depth| gate(fault, dialect, &["--fen", place, "--depth", depth, "--keys", "off"]);
        for (place, depth) in [(KIWIPETE, "3"), (PROMOTES, "3"), (EN_PASSANT, "3"), (CORNERS, "2")] {
            ask(Fault::None, place, depth).expect(0, &["rows: 1 pass;", "lists moves"]);
        }
        ask(Fault::EpPinned, EN_PASSANT_PINNED, "3").expect(1, &["e.p. capture while pinned along the rank"]);
        ask(Fault::QueenOnly, PROMOTES, "2").expect(1, &["missing    b7b8n: promotion to a knight"]);
        let castling = "4k3/8/8/8/5r2/8/8/R3K2R w KQ - 0 1";
        let part = "castling on the king's side through f1, which is attacked";
        ask(Bent("castle-through-check"), castling, "2").expect(1, &[part]);
        let knight = "4k3/8/8/8/4r3/8/4N3/4K3 w - - 0 1";
        ask(Fault::PinnedKnight, knight, "2").expect(1, &["a knight pinned along the file leaves its pin"]);
    }
    // A list of moves that is only partly understood is not compared.
    let output = gate(Fault::None, Dialect::OtherLetters, &["--fen", KIWIPETE, "--depth", "2", "--keys", "off"]);
    output.expect(0, &["totals only", "pass, total only", "is 'Ta1-b1: 43'"]);
}

fn kinds_of_faults() {
    let folder = Folder::new();
    let junit = folder.file("engine.xml");
    let arguments = ["--suite", "quick", "--depth", "2", "--keys", "off", "--junit", &junit, "--github"];
    let output = gate(Fault::EpPinned, Dialect::Stockfish, &arguments);
    let kind = ": illegal: e.p. capture while pinned along the rank; simplest: ";
    output.expect(1, &["kinds of fault:\n  ", kind, ", move "]);
    let xml = folder.read("engine.xml");
    assert!(
        xml.contains("message=\"wrong-count: ") && xml.contains(": e.p. capture while pinned along the rank\""),
        "{xml}"
    );
}

fn totals_are_owned_up_to() {
    let folder = Folder::new();
    let (json, junit) = (folder.file("engine.json"), folder.file("engine.xml"));
    let arguments = ["--fen", START, "--depth", "2", "--json", &json, "--junit", &junit];
    let line = "from a2 to a3, that makes 20";
    let note = format!(
        "moves: not compared in 1 of 1 rows, only totals; no list of moves was understood; the first unread line is '{line}'"
    );
    gate(Fault::None, Dialect::Riddles, &arguments).expect(0, &["pass, total only", &note]);
    let document = document(&json);
    let row = &document["rows"][0];
    assert_eq!((&row["compared"], &row["not_understood"]), (&"total".into(), &line.into()));
    assert_eq!(
        (&document["totals_only"]["rows"], &document["totals_only"]["not_understood"]),
        (&1.into(), &line.into())
    );
    let xml = folder.read("engine.xml");
    assert!(xml.contains("only the total was compared") && xml.contains("that makes 20"), "{xml}");
    assert!(xml.contains("the moves are compared") && xml.contains("<skipped"), "{xml}");
}

fn an_engine_that_only_searches() {
    let folder = Folder::new();
    let (json, junit) = (folder.file("engine.json"), folder.file("engine.xml"));
    let arguments = ["--fen", START, "--depth", "2", "--json", &json, "--junit", &junit, "--github"];
    let output = gate(Fault::None, Dialect::SearchesOnly, &arguments);
    output.expect(3, &["error: no-perft: 'go perft 1' starts a search; found nothing after 'perft 1'", "--perft-cmd"]);
    let document = document(&json);
    assert_eq!(document["verdict"], "no-perft");
    assert!(folder.read("engine.xml").contains("no-perft"));
}

/// Rows alternately pass and hang, so there are never three failures in a row.
fn hangs_are_bounded() {
    let folder = Folder::new();
    let start = fens::START;
    let rows = |i| format!("{start} ;D1 20 ;id start {i}\n{ROOKS} ;D1 31 ;id rooks {i}\n");
    let suite = folder.write("turns.epd", (0..12).map(rows).collect::<String>());
    let arguments = ["--suite", &suite, "--depth", "1", "--keys", "off"];
    let output = gate_within("0.3", Fault::Hang, Dialect::Stockfish, &arguments);
    output.expect(3, &["8 pass, 8 timeout, 8 skipped", "skipped: the engine failed 8 times in total"]);
}

/// The whole report on a wrong move. `SNAPSHOTS=overwrite cargo test --release` updates the snapshot.
fn a_failing_screen() {
    let output = gate(Fault::EpPinned, Dialect::Stockfish, &["--fen", EN_PASSANT_PINNED, "--depth", "3"]);
    output.expect(1, &[]);
    let snapshot = Data::read_from(&root("tests/wrong_engine/engine_fails.txt"), None);
    Assert::new().action_env("SNAPSHOTS").eq(output.printed(), snapshot);
}

fn every_fault_has_a_case() {
    let has_case =
        |fault: Fault| WITHOUT_KEYS.iter().chain(&CASES).any(|case| case.0 == fault) || key_faults::has_case(fault);
    let missing: Vec<_> = Fault::value_variants().iter().filter(|fault| !has_case(**fault)).collect();
    assert!(missing.is_empty(), "no case for {missing:?}");
}

fn documents_follow_their_formats() {
    let folder = Folder::new();
    let (json, junit) = (folder.file("engine.json"), folder.file("engine.xml"));
    for (fault, place, depth) in [
        (Fault::None, START, "2"),
        (Fault::EpPinned, EN_PASSANT_PINNED, "3"),
        (Bent("rook-capture-keeps"), ROOKS, "3"),
        (Fault::EpAlwaysByFen, CORNERS, "2"),
        (Bent("update-missing/captured/capture"), KNIGHT, "2"),
        (Fault::FenMistaken, KIWIPETE, "1"),
        (Fault::Crash, KIWIPETE, "1"),
        (Fault::WrongSum, START, "2"),
        (Fault::CrashAtStart, START, "1"),
    ] {
        let arguments = ["--fen", place, "--depth", depth, "--json", &json, "--junit", &junit, "--github"];
        let output = gate(fault, Dialect::Stockfish, &arguments);
        let mut document = document(&json);
        let failed = output.code != Some(0);
        assert_eq!(document["verdict"] != "passed", failed, "{fault:?}");
        assert_eq!(output.printed().contains("::error title=perft "), failed, "{fault:?}: {}", output.printed());
        let xml = folder.read("engine.xml");
        assert_eq!(xml.contains("<failure") || xml.contains("<error"), failed, "{fault:?}: {xml}");
        match document["rows"].get_mut(0) {
            Some(row) => row["verdict"] = "maybe".into(),
            None => document["verdict"] = "maybe".into(),
        }
        assert!(!is_valid(&document), "a verdict that is none");
    }
}

/// A pipe holds 64 KiB here. The suite sends more, because it has 2000 rows of more than a hundred bytes each.
fn a_full_pipe() {
    let folder = Folder::new();
    let suite = folder.write("starts.epd", format!("{} ;D1 20\n", fens::START).repeat(2000));
    let arguments = ["--suite", &suite, "--depth", "1", "--keys", "off"];
    gate(Fault::ReadsNothing, Dialect::Stockfish, &arguments).expect(0, &["rows: 2000 pass;"]);
}

/// Signals a run whose first row has passed, while the engine hangs or floods. Returns the stopped run and the engine's
/// process id.
#[cfg(unix)]
fn signal(folder: &Folder, fault: &str, timeout: &str, signal: &str) -> (Run, String) {
    let (suite, json, number) = (folder.file("two.epd"), folder.file("engine.json"), folder.file("pid"));
    folder.write("two.epd", format!("{} ;D1 20 ;id start\n{ROOKS} ;D1 31 ;id rooks\n", fens::START));
    let script = "echo $$ > \"$1\"; exec \"$0\" --as-engine \"$2\" stockfish";
    let mut command = command();
    command.args(["engine", "--jobs", "1", "--timeout", timeout, "--suite", &suite, "--json", &json, "--"]);
    command.args(["sh", "-c", script]).arg(std::env::current_exe().expect("our own path")).args([&number, fault]);
    let mut child = start_command(&mut command);
    wait_until(&mut child, || Path::new(&json).exists());
    // The first row's verdict is in the file before the second row ends.
    let early = document(&json);
    assert_eq!((&early["verdict"], &early["rows"][0]["verdict"]), (&"incomplete".into(), &"pass".into()));
    common::signal(signal, &child);
    (Run::wait(child), folder.read("pid").trim().into())
}

/// The engine sleeps, so a closed pipe does not end it.
#[cfg(unix)]
fn the_engine_dies_with_us() {
    let (output, engine) = signal(&Folder::new(), "hang", "60", "-KILL");
    assert_eq!(output.code, None, "{}", output.printed());
    options::none_runs(&engine, 1);
}

#[cfg(unix)]
fn ctrl_c() {
    let folder = Folder::new();
    let (output, engine) = signal(&folder, "hang", "60", "-INT");
    output.expect(130, &["interrupted"]);
    let json = folder.file("engine.json");
    let late = document(&json);
    let verdicts = [&late["verdict"], &late["rows"][0]["verdict"], &late["rows"][1]["verdict"]];
    assert_eq!(verdicts, ["interrupted", "pass", "interrupted"]);
    // A row that has no verdict yet is not printed.
    assert!(!output.stdout.lines().any(|line| line.ends_with("  interrupted")), "{}", output.stdout);
    assert!(!Path::new(&format!("/proc/{engine}")).exists(), "the engine {engine} still runs");
}

/// A signal ends an engine that prints endlessly, long before its timeout.
#[cfg(unix)]
fn signals_end_a_flood() {
    for number in ["-INT", "-TERM"] {
        let (output, _) = signal(&Folder::new(), "flood", "3600", number);
        output.expect(130, &["interrupted"]);
    }
}

fn stockfish_passes(stockfish: &Path) {
    let habits = "halfmove clock in the key: from 14; e.p. policy: pseudo";
    for (suite, rows) in [("standard", "rows: 69 pass;"), ("chess960", "rows: 22 pass;")] {
        let output = Run::finish(command().args(["engine", "--suite", suite, "--depth", "3", "--"]).arg(stockfish));
        output.expect(0, &[rows, habits]);
    }
}
