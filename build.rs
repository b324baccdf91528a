//! Embeds the compiler, target, flags and revision in the program, so that records of measurements can state them.

use std::env;
use std::path::Path;
use std::process::Command;

/// The files and directories that the program is built from. A published package does not contain `crates`.
const SOURCES: [&str; 5] = ["src", "crates", "Cargo.toml", "Cargo.lock", "build.rs"];

fn main() {
    // Triggers a rebuild only if one of these paths changes, because a rebuild takes minutes. The revision is therefore
    // HEAD at the time of the last rebuild.
    for path in SOURCES.into_iter().filter(|path| Path::new(path).exists()) {
        println!("cargo:rerun-if-changed={path}");
    }
    println!("cargo:rerun-if-env-changed=RUSTFLAGS");
    let variable = |name: &str| env::var(name).unwrap_or_default();
    tell("COMPILER", &output(&variable("RUSTC"), &["--version"]));
    tell("TARGET", &variable("TARGET"));
    tell("FLAGS", &variable("CARGO_ENCODED_RUSTFLAGS").replace('\u{1f}', " "));
    tell("REVISION", &output("git", &["rev-parse", "--short=10", "HEAD"]));
    tell("CHANGES", &output("git", &[&["status", "--porcelain", "--"], &SOURCES[..]].concat()));
}

/// Returns a command's output joined into one line, or an empty string if the command fails.
fn output(program: &str, arguments: &[&str]) -> String {
    let output = Command::new(program).args(arguments).output().ok().filter(|output| output.status.success());
    let text = output.and_then(|output| String::from_utf8(output.stdout).ok()).unwrap_or_default();
    text.lines().collect::<Vec<_>>().join(" ").trim().into()
}

fn tell(name: &str, value: &str) {
    println!("cargo:rustc-env=PERFT_BUILD_{name}={value}");
}
