//! The audit of an engine's keys, as text.

use super::key_audit::AuditedEngine;
use super::text::key_finding;
use crate::keys::text as numbers;
use crate::lines::line;
use perft_gate_engine::{KeyAudit, TableCheck, TableMismatch};

/// Width of the names of facts.
const NAME: usize = 11;

/// Returns the audit as text.
pub fn text(audited: &AuditedEngine<'_>) -> String {
    let audit = audited.audit;
    let mut out = format!("keys of {}: {} questions, {}\n", audit.name, audit.questions, audit.shown);
    for (name, text) in audit.facts.lines().into_iter().chain(comparisons(audit)) {
        line(&mut out, 1, &format!("{name:<NAME$} {text}"));
    }
    audit.conventions.findings.iter().chain(&audit.findings).for_each(|found| out += &key_finding(found));
    if let Some(first) = audit.check.as_ref().and_then(|check| check.first.as_ref()) {
        mismatch(&mut out, first);
        let constant = audit.check.as_ref().and_then(|check| check.constant.as_ref());
        constant.iter().for_each(|text| line(&mut out, 2, text));
    }
    match (audited.numbers, &audit.table) {
        (Some(judged), _) => {
            out += "\n";
            out += &numbers::text("numbers", judged);
        }
        (None, Err(reason)) => line(&mut out, 0, &format!("numbers: not judged: {reason}")),
        (None, Ok(_)) => {}
    }
    line(&mut out, 0, &format!("verdict: {}", audited.verdict().name()));
    out
}

/// Returns what keys were compared with.
fn comparisons(audit: &KeyAudit) -> Vec<(&'static str, String)> {
    let scheme = audit.conventions.scheme.as_ref();
    let scheme = scheme.map_or("no published one".into(), |compared| compared.text());
    let mut lines = vec![("scheme", scheme)];
    if let Some(check) = &audit.check {
        lines.push(("positions", positions(check)));
    }
    let moves = match audit.findings.is_empty() {
        true => format!("{} keys after moves are those of the FENs", audit.moves),
        false => format!("{} keys after moves compared with those of the FENs", audit.moves),
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
            format!("the numbers do not give the engine's keys of {wrong} of {} positions{refused}", check.compared())
        }
    }
}

fn mismatch(out: &mut String, first: &TableMismatch) {
    let terms = match &first.terms {
        Some(terms) => format!("the difference is {terms}"),
        None => "the difference is not explained by few numbers".into(),
    };
    line(out, 1, &format!("the key of a whole position is not made of the numbers: {terms}"));
    line(out, 2, &format!("to see it  {}", first.position));
    line(out, 2, &format!("expected   {}", first.expected));
    line(out, 2, &format!("found      {}", first.found));
}
