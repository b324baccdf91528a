//! Output of `perft engine --audit-keys`: the audit of an engine's keys as text, and as `perft.engine-keys/1`.

use crate::engine::text::key_finding;
use crate::keys::{self, KeysDocument};
use crate::text::line;
use perft_gate_chess::json::Envelope;
use perft_gate_engine::{KeyAudit, SchemeMatch, TableCheck, TableMismatch};
use perft_gate_lab::quality::{Audit, AuditVerdict};
use serde::Serialize;

/// Verdict on an engine's keys.
#[perft_gate_chess::document(kebab, Serialize, Clone, Copy, PartialEq, Eq, Debug)]
pub enum EngineKeysVerdict {
    /// A key is wrong.
    Wrong,
    /// The numbers in the key table were not learned.
    Unknown,
    /// The verdict on the numbers in the key table, if no key is wrong.
    #[serde(untagged)]
    Numbers(AuditVerdict),
}

impl EngineKeysVerdict {
    /// Returns `sound`, `suspicious`, `broken`, `wrong` or `unknown`.
    pub const fn name(self) -> &'static str {
        match self {
            EngineKeysVerdict::Wrong => "wrong",
            EngineKeysVerdict::Unknown => "unknown",
            EngineKeysVerdict::Numbers(verdict) => verdict.name(),
        }
    }
}

pub const SCHEMA: &str = "perft.engine-keys/1";

/// The audit of an engine's own key table.
#[perft_gate_chess::document(Serialize, Debug)]
pub struct EngineKeysDocument<'a> {
    /// `wrong` means that a key depends on more than the position or is not a combination of the key table's numbers.
    /// `unknown` means that no table was learned.
    pub verdict: EngineKeysVerdict,
    /// The command, as it was typed.
    command: &'a str,
    #[serde(flatten)]
    audit: &'a KeyAudit,
    /// Audit of the numbers in the key table, as `perft keys audit` writes it, or null if no table was learned.
    numbers: Option<Envelope<KeysDocument<'a>>>,
    /// The reason why there is no table, or null if there is one.
    no_table: Option<String>,
    #[serde(skip)]
    judged: Option<&'a Audit>,
}

impl<'a> EngineKeysDocument<'a> {
    /// Returns the document about an engine's keys. `judged` is the audit of the key table, if one was learned.
    pub fn new(command: &'a str, audit: &'a KeyAudit, judged: Option<&'a Audit>) -> EngineKeysDocument<'a> {
        // A wrong key is worse than a bad number in the key table.
        let verdict = match judged.map(Audit::verdict) {
            _ if audit.has_wrong_keys() => EngineKeysVerdict::Wrong,
            Some(verdict) => EngineKeysVerdict::Numbers(verdict),
            None => EngineKeysVerdict::Unknown,
        };
        let numbers = judged.map(|judged| Envelope::new(keys::SCHEMA, KeysDocument::new(&audit.name, None, judged)));
        let no_table = audit.table.as_ref().err().map(ToString::to_string);
        EngineKeysDocument { verdict, command, audit, numbers, no_table, judged }
    }
}

/// Width of the column that holds the name of each fact about the keys.
const NAME: usize = 11;

pub fn text(EngineKeysDocument { verdict, audit, judged, .. }: &EngineKeysDocument<'_>) -> String {
    let mut out = format!("keys of {}: {} questions, {}\n", audit.name, audit.questions, audit.shown);
    for (name, text) in audit.facts.lines().into_iter().chain(comparisons(audit)) {
        line(&mut out, 1, &format!("{name:<NAME$} {text}"));
    }
    audit.findings.iter().for_each(|found| out += &key_finding(found));
    if let Some(TableCheck { first: Some(first), constant, .. }) = &audit.check {
        mismatch(&mut out, first);
        constant.iter().for_each(|text| line(&mut out, 2, text));
    }
    match (judged, &audit.table) {
        (Some(judged), _) => out += &format!("\n{}", keys::text("numbers", judged)),
        (None, Err(reason)) => line(&mut out, 0, &format!("numbers: not judged: {reason}")),
        (None, Ok(_)) => {}
    }
    line(&mut out, 0, &format!("verdict: {}", verdict.name()));
    out
}

fn comparisons(audit: &KeyAudit) -> Vec<(&'static str, String)> {
    let scheme = audit.scheme.as_ref().map_or("no published one".into(), SchemeMatch::text);
    let mut lines = vec![("scheme", scheme)];
    if let Some(check) = &audit.check {
        lines.push(("positions", positions(check)));
    }
    let moves = match audit.wrong_moves {
        0 => format!("{} keys after moves are those of the FENs", audit.moves),
        _ => format!("{} keys after moves compared with those of the FENs", audit.moves),
    };
    lines.push(("moves", moves));
    lines
}

fn positions(check: &TableCheck) -> String {
    let refused = match check.refused {
        0 => String::new(),
        refused => format!("; {refused} others were not accepted, or have numbers that are not known"),
    };
    match check.wrong {
        0 => format!("the numbers give the engine's keys of {} whole positions{refused}", check.right),
        wrong => {
            let compared = check.right + wrong;
            format!("the numbers do not give the engine's keys of {wrong} of {compared} positions{refused}")
        }
    }
}

fn mismatch(out: &mut String, first: &TableMismatch) {
    let terms = match &first.terms {
        Some(terms) => format!("the difference is {terms}"),
        None => "the difference is not explained by few numbers".into(),
    };
    line(out, 1, &format!("the key of a whole position is not made of the numbers: {terms}"));
    line(out, 2, &format!("reproduce  {}", first.position));
    line(out, 2, &format!("expected   {}", first.expected));
    line(out, 2, &format!("found      {}", first.found));
}
