//! What someone types who has not read the manual: words in the wrong place, the ways to give a depth, a shell's completions.

use crate::common::{Folder, perft, perft_line};

/// A wrong command line is one line, which ends with what was meant.
#[test]
fn words_in_the_wrong_place_get_a_next_step() {
    let folder = Folder::new();
    let list = folder.write("mine.pgn", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 20\n");
    for (line, step) in [
        ("5", "perft count 5 to count, perft --depth 5 to verify"),
        ("12", "perft count 12 to count, perft --depth 12 to verify"),
        ("kiwipete", "perft --fen kiwipete to verify, perft count 5 --fen kiwipete to count"),
        ("list", "such as: perft list schemes"),
        ("key audit", "perft keys audit"),
        ("key make", "such as: perft keys make --independent 7 --format c --out keys.h"),
        ("compare a.json b.json", "perft diff a.json b.json"),
        ("perft 5", "perft count 5"),
        ("go perft 7", "perft count 7"),
        ("quick", "perft --suite quick"),
        ("levels", "perft list levels"),
        ("rustic851", "perft --scheme rustic851"),
        ("divide kiwipete", "perft divide 5 --fen kiwipete"),
        ("--depth 3 kiwipete", "perft --depth 3 --fen kiwipete"),
        ("engine quick", "perft engine --suite quick -- ./myengine"),
        ("unique startpos 4", "perft unique 4 --fen startpos"),
        ("diff one.json", "such as: perft diff old.json new.json --fail-slower 5%"),
        (&list, &format!("perft --suite {list}")),
    ] {
        let run = perft_line(line);
        assert_eq!((run.code, run.stdout.as_str(), run.stderr.lines().count()), (Some(2), "", 1), "{line}: {run:?}");
        assert!(run.stderr.trim_end().ends_with(&format!("; next step: {step}")), "{line}: {}", run.stderr);
    }
    let run = perft_line("cuont 5");
    assert!(run.stderr.contains("did you mean 'count'?"), "{}", run.stderr);
}

/// The same depth, given in each way, with a number of threads where there are some.
#[test]
fn a_depth_may_stand_alone_in_every_verb_that_has_one() {
    let folder = Folder::new();
    let list = folder.write("list.epd", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 ;D1 6\n");
    // What is measured, or named after the run, differs from run to run.
    let measured = ["second", "time", "memory", "bytes", "tasks-"];
    for (verb, rest) in [
        ("gate", "--suite quick -j 1 --json -".to_string()),
        ("engine", format!("--suite quick --keys off -j 1 --json - -- {} uci", env!("CARGO_BIN_EXE_perft"))),
        ("count", "-j 1".into()),
        ("divide", "-j 1".into()),
        ("unique", "-j 1 --json -".into()),
        ("collisions", "--scheme cpw793 --bits 16 --seeds 2 -j 1 --json -".into()),
        (&format!("suite fill {list}"), "-j 1".into()),
        ("tasks plan", "-j 1 -o DIR".into()),
    ] {
        let printed = |number: usize, depth: &str| {
            let run = perft_line(&format!(
                "{verb} {depth} {}",
                rest.replace("DIR", &folder.file(&format!("tasks-{verb}-{number}").replace(' ', "-")))
            ));
            assert_eq!(run.code, Some(0), "{verb} {depth}: {}", run.printed());
            let lines = run.stdout.lines().filter(|line| !measured.iter().any(|word| line.contains(word)));
            lines.map(String::from).collect::<Vec<_>>()
        };
        let depths = ["--depth 3", "-d 3", "3", "2"];
        let ways: Vec<_> = (0..depths.len()).map(|number| printed(number, depths[number])).collect();
        assert!(ways[0] == ways[1] && ways[0] == ways[2], "{verb}: {ways:?}");
        assert_ne!(ways[0], ways[3], "{verb}: another depth prints the same");
    }
    // A comparison takes its time: a depth that it refuses shows that it was read.
    for depth in ["--depth 7", "-d 7", "7"] {
        let run = perft_line(&format!("compare --fen startpos {depth}"));
        assert!(run.code == Some(2) && run.stderr.contains("7 is not in 2..=6"), "{depth}: {run:?}");
    }
    let both = perft_line("gate 3 --depth 2 --suite quick");
    assert_eq!((both.code, both.stderr.lines().count()), (Some(2), 1), "{both:?}");
}

/// A row that is walked less deep than the default is no news; one that is walked less deep than its user asked for is.
#[test]
fn the_depth_of_a_row_is_told_where_a_depth_was_asked_for() {
    let folder = Folder::new();
    let list = folder.write("shallow.epd", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 ;D1 6 ;D2 30\n");
    let line = format!("--suite {list} --identity off");
    let told = "depth 2: the deepest listed one up to";
    let run = perft_line(&line);
    let listed = run.code == Some(0);
    assert!(!run.stdout.contains(told), "{}", run.stdout);
    let run = perft_line(&format!("{line} --depth 4"));
    assert!(run.stdout.contains(&format!("{told} 4")), "{}", run.stdout);
    assert_eq!(run.code == Some(0), listed);
}

/// The rows have the time of the walks; a line has the time of everything else.
#[test]
fn the_time_that_is_not_in_the_rows_is_told() {
    let verify = perft(&["--suite", "quick", "--depth", "3", "--threads", "1"]).stdout;
    let line = verify.lines().find(|line| line.starts_with("time ")).expect("a line with times");
    let times = line.split(['(', ',', ')']).filter_map(|part| part.trim().rsplit_once(' ')).count();
    assert!(
        line.contains("(walks ") && line.contains(", second counter ") && line.contains(", V5 identity "),
        "{line}"
    );
    assert!(times >= 3 && !line.contains("side by side"), "{line}");
    let without = perft(&["--suite", "quick", "--depth", "3", "--threads", "2", "--identity", "off"]).stdout;
    let line = without.lines().find(|line| line.starts_with("time ")).expect("a line with times");
    assert!(!line.contains("V5") && line.ends_with("added up over rows that run side by side)"), "{line}");
}

#[test]
fn a_shell_completes_the_values_of_options() {
    for shell in ["bash", "zsh", "fish"] {
        let script = perft(&["completions", shell]).stdout;
        for value in ["chess960", "rustic851", "en-passant-victim-kept", "v3-nopext", "setwise"] {
            assert!(script.contains(value), "{shell}: {value}");
        }
    }
    // A suite may be a file as well.
    assert!(perft(&["completions", "bash"]).stdout.contains("compgen -f -W \"standard quick"));
    assert!(
        perft(&["completions", "zsh"]).stdout.contains("compadd standard quick chess960 dfrc interactions; _files")
    );
    assert!(
        perft(&["completions", "fish"])
            .stdout
            .lines()
            .all(|line| !line.contains(" -l suite ") || line.contains(" -F "))
    );
    // The parser itself still says more than a script can.
    assert!(perft_line("--suite standrd").stderr.contains("did you mean 'standard'?"));
}

/// An engine skips an option that it does not have in silence.
#[test]
fn an_option_that_the_engine_does_not_have_is_told() {
    let engine = env!("CARGO_BIN_EXE_perft");
    let run =
        perft_line(&format!("engine --option Fooo=1 --option Hahs=4 --option hash=4 --fen startpos 2 -- {engine} uci"));
    assert_eq!(run.code, Some(0), "{}", run.printed());
    let warnings: Vec<&str> = run.stderr.lines().filter(|line| line.starts_with("warning: --option: ")).collect();
    assert_eq!(warnings.len(), 2, "{}", run.stderr);
    assert!(
        warnings[0].contains("found 'Fooo', expected one of ") && warnings[1].contains("did you mean 'Hash'?"),
        "{warnings:?}"
    );
    let silent = perft_line(&format!("engine --option Foo --fen startpos 2 -- {engine} planted-engine none"));
    assert!(
        silent.stderr.contains("warning: --option: found 'Foo', expected one of UCI_Chess960"),
        "{}",
        silent.printed()
    );
}
