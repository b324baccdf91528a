//! Optimisation level of the measured code.

/// Crates whose code is timed, each with its optimisation level.
const MEASURED: [(&str, &str); 4] = [
    ("count", perft_gate_count::OPT_LEVEL),
    ("lab", perft_gate_simd::opt_level!()),
    ("unique", perft_gate_unique::OPT_LEVEL),
    ("walk", perft_gate_walk::OPT_LEVEL),
];

/// Returns the optimisation level of the measured code: that of all its crates, or each crate's where they differ.
pub fn measured_opt_level() -> String {
    combine(&MEASURED)
}

/// Returns `3`, or `count 2, lab 3` where the crates' levels differ.
fn combine(crates: &[(&str, &str)]) -> String {
    match crates {
        [(_, first), others @ ..] if others.iter().all(|(_, level)| level == first) => (*first).into(),
        _ => crates.iter().map(|(name, level)| format!("{name} {level}")).collect::<Vec<_>>().join(", "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_that_differ_are_all_named() {
        assert_eq!(combine(&[("count", "s"), ("lab", "s")]), "s");
        assert_eq!(combine(&[("count", "3"), ("lab", "0"), ("walk", "3")]), "count 3, lab 0, walk 3");
    }
}
