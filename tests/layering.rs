//! The layers of `src/`: a module uses only those before it in the list.

use std::fs;
use std::path::{Path, PathBuf};

const LAYERS: [&str; 21] = [
    "cpu",
    "chess",
    "keys",
    "table",
    "walk",
    "position",
    "batch",
    "unique",
    "collisions",
    "selftest",
    "suite",
    "gate",
    "subject",
    "measure",
    "record",
    "bench",
    "engine",
    "report",
    "faults",
    "page",
    "cli",
];

/// Uses upwards that are meant: a trait and its only implementor, and the visitors that know chess positions.
const MEANT: [(&str, &str); 1] = [("walk", "position")];

fn sources(dir: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { sources(&path) } else { vec![path] }).collect()
}

fn layer(name: &str) -> Option<usize> {
    LAYERS.iter().position(|layer| *layer == name)
}

#[test]
fn no_module_uses_one_above_it() {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut seen = 0;
    for path in sources(&src) {
        let relative = path.strip_prefix(&src).unwrap();
        let first = relative.components().next().unwrap().as_os_str().to_str().unwrap();
        let module = first.trim_end_matches(".rs");
        if matches!(module, "lib" | "main") {
            continue;
        }
        let rank = layer(module).unwrap_or_else(|| panic!("src/{module} has no layer: add it to LAYERS"));
        let text = fs::read_to_string(&path).unwrap();
        // What tests use is free.
        let text = text.split("#[cfg(test)]").next().unwrap();
        for used in text.split("crate::").skip(1) {
            let used: String = used.chars().take_while(|c| c.is_ascii_lowercase() || *c == '_').collect();
            if let Some(other) = layer(&used) {
                seen += 1;
                let allowed = other <= rank || MEANT.contains(&(module, used.as_str()));
                assert!(allowed, "{}: {module} uses crate::{used}, a layer above it", relative.display());
            }
        }
    }
    assert!(seen > 20, "only {seen} uses found: the test no longer reads the sources");
}
