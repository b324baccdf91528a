//! An error on the command line is one line, whatever the verb.

use crate::common::perft;

#[test]
fn bad_input_is_one_line_and_exit_code_2() {
    for (arguments, part) in [
        (&["--scheme", "x"][..], "expected one of none, cpw781"),
        (&["--suite", "x"], "expected one of standard, quick, chess960, dfrc, interactions or a file"),
        (&["--fen", "8/8"], "FEN field 'board': found 2 ranks"),
        (&["--depth", "65"], "65 is not in 0..=64"),
        (&["--threads", "0"], "0 is not in 1..=4096"),
        (&["--depth", "x"], "invalid value 'x'"),
        (&["--simd", "v9"], "expected one of auto, v1"),
        (&["--scheme", "polyglot", "--seed", "1"], "published"),
        (&["--scheme", "pieces=bch"], "does not exist: bch draws all its keys from one code"),
        (
            &["--scheme", "pieces=composite,combine=add"],
            "expected a sound one or --allow-weak: composite keys are sums",
        ),
        (&["--scheme", "ep=e10"], "--scheme: found ep=e10, expected one of e8, e9, e17, e64, e65"),
        (&["--scheme", "polyglot,ep=e17"], "found changes to polyglot, expected none"),
        (&["--scheme", "none", "--keys", "pawn"], "--keys: found scheme 'none', expected a single one with keys"),
        (&["--keys", "king"], "invalid value 'king'"),
        (&["--keys-from", "no/such/file"], "--keys-from no/such/file: "),
        (&["divide", "--depth", "0"], "0 is not in 1..=64"),
        (&["count", "--depth", "65"], "65 is not in 0..=64"),
        (&["count", "--depth", "3", "--suite", "none"], "--suite: found 'none', expected one of"),
        (&["count", "--depth", "3", "--suite", "quick", "--divide"], "cannot be used with"),
        (&["key", "--moves", "e2e5"], "found 'e2e5', expected a legal move"),
        (&["--suite", "tests/main.rs"], "tests/main.rs: line 10, column 1: FEN field 'board'"),
        (&["--suite", "tests"], "tests: "),
        (&["--json", "no/such/folder/x.json"], "--json no/such/folder/x.json: "),
        (&["--junit", "tests"], "--junit tests: is a directory, expected a writable file"),
        (
            &["--suite", "tests/empty.epd", "--playouts", "5"],
            "tests/empty.epd: found no position, expected at least one",
        ),
        (&["divide"], "were not provided: --depth <DEPTH>"),
        (&["--max-nodes", "x"], "invalid value 'x'"),
        (&["--playouts", "1", "--plies", "0"], "0 is not in 1..=10000"),
        (&["unique"], "were not provided: --depth <DEPTH>"),
        (&["unique", "--depth", "2", "--ep", "never"], "found 'never', expected one of legal, pseudo, always"),
        (&["unique", "--depth", "2", "--memory", "lots"], "expected auto or a size such as 512M or 4G"),
        (&["unique", "--depth", "2", "--memory", "9000000G"], "expected at most the"),
        (&["unique", "--depth", "2", "--memory", "1M"], "--memory: found 1.00 MiB, expected"),
        (&["unique", "--depth", "2", "--by", "key", "--ep", "always"], "count e.p. squares by the policy 'legal'"),
        (
            &["unique", "--depth", "2", "--by", "key128", "--scheme", "polyglot"],
            "--by key128: found polyglot, expected",
        ),
        (
            &["unique", "--depth", "2", "--by", "key", "--scheme", "none"],
            "found 'none', expected a single one with keys",
        ),
        (&["unique", "--depth", "2", "--scheme", "all"], "found 'all', expected a single one with keys"),
        (
            &["unique", "--depth", "2", "--by", "key", "--export", "x"],
            "expected --by position: a key is not a position",
        ),
        (&["unique", "--depth", "2", "--export", "tests"], "--export tests: is a directory, expected a writable file"),
        (&["unique", "--verify-export", "no/such/file"], "no/such/file: "),
        (&["unique", "--verify-export", "tests/empty.epd"], "byte 0: found '# No pos', expected 'PERFTPOS'"),
        (&["engine"], "found no engine, expected '-- COMMAND' at the end, or --exec TEMPLATE"),
        (&["engine", "--", "no/such/engine"], "no/such/engine: No such file"),
        (&["engine", "--timeout", "0", "--", "x"], "--timeout: found 0, expected seconds above 0"),
        (
            &["engine", "--key-pattern", "Key", "--", "x"],
            "--key-pattern: found 'Key', expected a group in parentheses around the key",
        ),
        (&["engine", "--option", "=1", "--", "x"], "--option: found '=1', expected NAME=VALUE"),
        (&["engine", "--require-ep", "never", "--", "x"], "found 'never', expected one of legal, pseudo, always"),
        (&["engine", "--json", "tests", "--", "x"], "--json tests: is a directory, expected a writable file"),
        (&["compare", "--scheme", "x"], "--scheme: found 'x', expected one of none, cpw781"),
        (&["compare", "--scheme", "cpw793,ep=e10"], "--scheme: found ep=e10, expected one of e8, e9, e17, e64, e65"),
        (&["compare", "--scheme", "pieces=lcg15"], "expected a sound one or --allow-weak"),
        (&["compare", "--budget", "60"], "expected a time such as 90s or 2m"),
        (&["compare", "--json", "tests"], "--json tests: is a directory, expected a writable file"),
        (&["keys"], "requires a subcommand"),
        (&["keys", "audit", "--scheme", "none"], "--scheme: found 'none', expected a single scheme with keys"),
        (&["keys", "audit", "--scheme", "all"], "--scheme: found 'all', expected a single scheme with keys"),
        (
            &["keys", "audit", "--scheme", "combine=add,width=128"],
            "found sums of width=128, expected those of one part",
        ),
        (&["keys", "audit", "--scheme", "polyglot", "--seed", "1"], "the key table of 'polyglot' is published"),
        (&["keys", "audit", "--scheme", "pieces=tiny-seed"], "expected a sound one or --allow-weak"),
        (&["keys", "make"], "were not provided: --out <FILE>"),
        (
            &["keys", "make", "--scheme", "polyglot", "--out", "x"],
            "expected one whose key table is drawn from a seed, not published",
        ),
        (&["keys", "make", "--scheme", "dual32", "--out", "x"], "found 'dual32', expected one that a layout can hold"),
        (&["keys", "make", "--independent", "9", "--out", "x"], "expected up to 8, or up to 13 with --scheme bch"),
        (&["keys", "make", "--independent", "14", "--out", "x"], "14 is not in 1..=13"),
        (&["keys", "make", "--out", "tests"], "--out tests: is a directory, expected a writable file"),
        (&["keys", "audit", "--json", "tests"], "--json tests: is a directory, expected a writable file"),
        (&["cout"], "unrecognized subcommand 'cout'; did you mean 'count'?"),
        (&["--dpth", "3"], "unexpected argument '--dpth' found; did you mean '--depth'?"),
        (&["--mode", "verfy"], "did you mean 'verify'?"),
        (&["--scheme", "cpw739"], "or axis=value,…; did you mean 'cpw793'?"),
        (&["--scheme", "castlng=c4"], "did you mean 'castling'?"),
        (&["--suite", "standrd"], "or a file; did you mean 'standard'?"),
        (&["unique", "--depth", "2", "--ep", "legl"], "did you mean 'legal'?"),
        (&["bench", "--workload", "setwis"], "did you mean 'setwise'?"),
        (&["--depth", "abc"], "invalid value 'abc' for '--depth <DEPTH>': expected a whole number"),
        (&["--max-nodes", "1e9"], "invalid value '1e9' for '--max-nodes <N>': expected a whole number"),
        (&["engine", "--timeout", "abc", "--", "x"], "'--timeout <SECONDS>': expected a number"),
        (
            &["count", "--depth", "2", "--hash", "256"],
            "256 has no unit, expected auto or a size with its unit, such as 256M",
        ),
        (&["unique", "--depth", "2", "--memory", "1000"], "1000 has no unit, expected auto or a size with its unit"),
        (
            &["collisions", "--depth", "2", "--memory", "1000"],
            "1000 has no unit, expected auto or a size with its unit",
        ),
        (&["key", "--moves", "e2e4 e7e6 e5e4"], "found 'e5e4', expected a legal move"),
        (&["key", "--moves", "Nc3 a6 Ne4 a5 Nf3 a4 Ng5"], "in UCI notation; did you mean 'f3g5' or 'e4g5'?"),
        (&["count", "--depth", "2", "--moves", "O-O"], "in UCI notation, such as e2e4"),
    ] {
        let output = perft(arguments);
        let errors = output.stderr;
        assert_eq!(output.code, Some(2), "{arguments:?}: {errors}");
        assert_eq!(errors.lines().count(), 1, "{arguments:?}: {errors}");
        assert!(errors.contains(part), "{arguments:?}: {errors}");
        assert!(output.stdout.is_empty(), "{arguments:?}");
    }
}
