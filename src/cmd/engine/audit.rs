//! Audit of an engine's own key table.

use super::args::EngineArgs;
use crate::failure::{CommandFailure, Usage, exit_broken_keys};
use crate::out::file::Output;
use crate::out::progress::with_bar;
use perft_gate_chess::Role;
use perft_gate_engine::{EngineFailure, EngineSettings, EngineTable, FailureKind, KeyAudit, KeySource};
use perft_gate_lab::quality::export::{self, Format};
use perft_gate_lab::quality::{Audit, AuditVerdict, SearchControl, TableEntries, structures};
use perft_gate_report::engine_keys::{AuditedEngine, EngineKeysVerdict, document, text};
use perft_gate_suite::Row;
use perft_gate_zobrist::Term;
use std::process::ExitCode;
use std::sync::atomic::Ordering::Relaxed;

/// Maximum number of entries of the dependent subsets that are sought.
const MAX_DEPENDENT: usize = 4;

/// Learns and judges the engine's key table.
pub fn audit_keys(args: &EngineArgs) -> Result<ExitCode, CommandFailure> {
    let rows: Vec<Row> = args.suite.positions()?.iter().collect();
    let json = args.output.open_json()?;
    let export = Output::open_if("--export-keys", args.export_keys.as_deref())?;
    let settings = args.settings()?;
    if settings.keys == KeySource::Off {
        return Err(Usage("--audit-keys: found --keys off, expected keys: leave one of them out".into()));
    }
    let audit = match with_bar(("keys", "engine"), || (0, 1), || KeyAudit::of(&settings, &rows)) {
        Ok(audit) => audit,
        Err(failure) => return not_audited(args, &settings, failure),
    };
    let numbers = audit.table.as_ref().ok().map(judge_numbers).transpose()?;
    let audited = AuditedEngine { command: &settings.command_line(), audit: &audit, numbers: numbers.as_ref() };
    say!("{}", text(&audited).trim_end());
    if let Some(json) = &json {
        json.write(document(&audited).as_bytes())?;
    }
    if let Some(file) = &export {
        export_table(&audit, file)?;
    }
    args.close_trace(&settings)?;
    Ok(match audited.verdict() {
        EngineKeysVerdict::Numbers(AuditVerdict::Broken) => exit_broken_keys(),
        EngineKeysVerdict::Numbers(_) => ExitCode::SUCCESS,
        EngineKeysVerdict::Wrong => ExitCode::from(1),
        EngineKeysVerdict::Unknown => ExitCode::from(3),
    })
}

/// Reports an engine that could not be audited.
fn not_audited(
    args: &EngineArgs,
    settings: &EngineSettings,
    failure: EngineFailure,
) -> Result<ExitCode, CommandFailure> {
    args.close_trace(settings)?;
    match failure.kind {
        FailureKind::NotStarted | FailureKind::PatternMisfit => Err(Usage(failure.message)),
        FailureKind::Interrupted => {
            note!("interrupted: no key was judged");
            Ok(ExitCode::from(130))
        }
        _ => {
            note!("error: {}", failure.message);
            failure.stderr.iter().for_each(|line| note!("  stderr: {line}"));
            failure.asked.iter().for_each(|line| note!("  to see it  {line}"));
            Ok(ExitCode::from(3))
        }
    }
}

/// Judges the numbers that the engine shows, as `perft keys audit` does.
fn judge_numbers(table: &EngineTable) -> Result<Audit, CommandFailure> {
    let entries = |is_listed: &dyn Fn(Term) -> bool| {
        let mut list =
            TableEntries::new(&table.axes, &table.key_tables(&table.axes)).map_err(|error| Usage(error.to_string()))?;
        list.entries.retain(|entry| is_listed(entry.term));
        Ok::<_, CommandFailure>(list)
    };
    let known = entries(&|term| !matches!(term, Term::Piece(..)) || table.is_known(term))?;
    // The numbers of a king are known up to a constant, which hides what they have in common.
    let regular =
        entries(&|term| matches!(term, Term::Piece(piece, _) if !matches!(piece.role, Role::Pawn | Role::King)))?;
    let control = SearchControl::default();
    let progress = || (control.done.load(Relaxed) as u64, control.total.load(Relaxed) as u64);
    let audit = with_bar(("dependencies", "tasks"), progress, || Audit::of(known, MAX_DEPENDENT, &control));
    Ok(Audit { structures: structures(&regular), ..audit })
}

/// Writes the learned table.
fn export_table(audit: &KeyAudit, file: &Output) -> Result<(), CommandFailure> {
    let table = match &audit.table {
        Ok(table) => table,
        Err(reason) => return Err(Usage(format!("--export-keys: no table is known: {reason}"))),
    };
    let (layout, axes) = (table.layout, table.file_axes());
    let list = TableEntries::new(&axes, &table.key_tables(&axes)).map_err(|error| Usage(error.to_string()))?;
    let mut about = vec![format!("keys of {}, learned from what it shows", audit.name)];
    about.extend(table.changed_axes().map(|changed| format!("axes: {changed}")));
    about.push(
        "one king of a side, set of rights, e.p. state and side always stands: their numbers are known up to".into(),
    );
    about.push("one constant each; the constants are drawn here, such that all together make the engine's keys".into());
    let unknown = table.unknown_pieces();
    if unknown > 0 {
        about.push(format!("{unknown} numbers of pawns on back ranks are not known, and drawn"));
    }
    file.write(export::text(Format::Hex, layout, &list, &about).as_bytes())?;
    say!("{}: {} entries in the layout {}", file.shown(), list.entries.len(), layout.name());
    Ok(())
}
