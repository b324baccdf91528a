//! Commands that people type before they read the manual: ways to give a depth, shell completions, the list of levels.

use crate::common::{BINARY, Folder, perft, perft_line};
use perft_gate_simd::Level;

/// Gives the same depth in each way, with a number of threads if the subcommand takes one.
#[test]
fn a_depth_may_stand_alone_in_every_verb_that_has_one() {
    let folder = Folder::new();
    let list = folder.write("list.epd", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 ;D1 6\n");
    // Measured values and names derived from the run differ between runs.
    let measured = ["second", "time", "memory", "bytes", "tasks-"];
    for (verb, rest) in [
        ("gate", "--suite quick -j 1 --json -".to_string()),
        ("engine", format!("--suite quick --keys off -j 1 --json - -- {BINARY} uci")),
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
}

#[test]
fn a_shell_completes_the_values_of_options() {
    let script = |shell: &str| perft_line(&format!("completions {shell}")).stdout;
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = script(shell);
        assert!(script.contains("collisions") && !script.contains("bench-slices"), "{shell}: a hidden command");
    }
    for shell in ["bash", "zsh", "fish"] {
        for value in ["chess960", "rustic851", "en-passant-victim-kept", "v3-nopext", "setwise"] {
            assert!(script(shell).contains(value), "{shell}: {value}");
        }
    }
    // A suite may also be a file, so the scripts complete file names, too.
    assert!(script("bash").contains("compgen -f -W \"standard quick"));
    assert!(script("zsh").contains("compadd standard quick chess960 dfrc interactions; _files"));
    assert!(script("fish").lines().all(|line| !line.contains(" -l suite ") || line.contains(" -F ")));
}

#[test]
fn levels_are_listed_with_the_one_in_use() {
    let listed = perft_line("list levels").stdout;
    for name in Level::NAMES.into_iter().filter(|name| *name != "auto") {
        let mut lines = listed.lines().skip_while(|line| line.split_whitespace().next() != Some(name)).skip(1);
        let line = lines.next().unwrap_or_else(|| panic!("{name} is not in {listed}"));
        let status = line.trim_start();
        assert_eq!(status.starts_with("used"), name == Level::detect().to_string(), "{line}");
        assert_eq!(status.starts_with("not here: "), Level::from_name(name).is_none(), "{line}");
        for (depth, nodes) in [("0", "nodes 1\n"), ("1", "nodes 48\n"), ("2", "nodes 2039\n"), ("3", "nodes 97862\n")] {
            let run = perft(&["count", "--fen", "kiwipete", "--simd", name, depth]);
            let is_here = Level::from_name(name).is_some();
            assert_eq!((run.code == Some(0), run.stdout.starts_with(nodes)), (is_here, is_here), "{line}: {run:?}");
        }
    }
    assert!(listed.contains(&format!("\n{} is the best level of this machine", Level::detect())), "{listed}");
}
