//! Verdicts on costs in one sentence.

use perft_gate_lab::measure::CostVerdict;

/// Returns the parts of a sentence about what was compared: what is slower or faster by its name, the rest by number.
pub fn parts(compared: &[(CostVerdict, String)]) -> Vec<String> {
    let of = |wanted: CostVerdict| compared.iter().filter(move |(verdict, _)| *verdict == wanted);
    let name = |wanted| of(wanted).map(|(_, name)| name.as_str()).collect::<Vec<_>>().join(", ");
    let number = |wanted| of(wanted).count().to_string();
    let parts = [
        (CostVerdict::Slower, name(CostVerdict::Slower)),
        (CostVerdict::Faster, name(CostVerdict::Faster)),
        (CostVerdict::NoDifferenceSeen, number(CostVerdict::NoDifferenceSeen)),
        (CostVerdict::Undecided, number(CostVerdict::Undecided)),
    ];
    let said = parts.into_iter().filter(|(verdict, _)| of(*verdict).next().is_some());
    said.map(|(verdict, text)| format!("{}: {text}", verdict.name())).collect()
}
