//! Analysis of pasted keys: which schemes they belong to, how two of them differ, and whether a key table is sound.

use perft_gate_chess::{Board, EnPassantPolicy};
use perft_gate_judge::gate::diagnose;
use perft_gate_lab::quality::{Audit, AuditFinding, AuditVerdict, TableEntries};
use perft_gate_walk::Control;
use perft_gate_zobrist::{Import, Key, KeyTables, PRESETS, Scheme, Term};
use serde::Serialize;

/// A scheme in which a position has a given key.
#[derive(Serialize)]
pub struct KeyMatch {
    scheme: &'static str,
    about: &'static str,
    /// The e.p. policies under which the position has the key.
    policies: Vec<&'static str>,
    /// The policy of the scheme.
    policy: &'static str,
}

/// The schemes in which a position has a given key.
#[derive(Serialize)]
pub struct KeyMatches {
    matches: Vec<KeyMatch>,
    /// The names of published schemes, each with the position's key in that scheme.
    published: Vec<(&'static str, String)>,
}

/// Differences between two positions and their keys.
#[derive(Serialize)]
pub struct KeyDifference {
    keys: [KeyMatches; 2],
    /// For each position, the terms that the other position lacks.
    terms: [Vec<Term>; 2],
    /// True if the keys are equal.
    is_equal: bool,
    /// What is wrong with one of the keys, if only the other one belongs to a known scheme.
    diagnosis: Option<String>,
}

/// The audit of a key table.
#[derive(Serialize)]
pub struct KeyAudit {
    verdict: AuditVerdict,
    entries: usize,
    /// Remarks on what was extracted from source text, and on which keys are zero or repeated.
    remarks: Vec<String>,
    findings: Vec<AuditFinding>,
}

/// Returns the presets that have key tables, each with its tables.
fn schemes() -> impl Iterator<Item = (&'static Scheme, KeyTables)> {
    PRESETS.iter().filter_map(|scheme| Some((scheme, scheme.key_tables(0)?)))
}

fn with_policy(mut tables: KeyTables, policy: EnPassantPolicy) -> KeyTables {
    tables.parts.iter_mut().for_each(|part| part.policy = policy);
    tables
}

/// Reads a key both as hexadecimal and as decimal, and returns each reading that succeeds. **Errors**: the text is
/// neither.
fn read_key(text: &str) -> Result<Vec<Key>, String> {
    let text = text.trim();
    let digits = text.strip_prefix("0x").or(text.strip_prefix("0X"));
    let decimal = text.parse::<u64>().or(text.parse::<i64>().map(|key| key as u64)).ok().map(u128::from);
    let hexadecimal = u128::from_str_radix(digits.unwrap_or(text), 16).ok();
    let keys: Vec<Key> = hexadecimal.into_iter().chain(decimal).map(Key).collect();
    match keys.is_empty() {
        true => Err(format!("key: found '{}', expected a number", perft_gate_chess::excerpt(text, 40))),
        false => Ok(keys),
    }
}

impl KeyMatches {
    pub fn find(board: &Board, key: &str) -> Result<KeyMatches, String> {
        let (keys, mut published) = (read_key(key)?, Vec::new());
        let matches = schemes().filter_map(|(scheme, tables)| {
            if scheme.is_fixed() {
                published.push((&*scheme.name, scheme.text(tables.key(board))));
            }
            let has_key = |policy: &EnPassantPolicy| keys.contains(&with_policy(tables.clone(), *policy).key(board));
            let policies: Vec<_> =
                EnPassantPolicy::ALL.into_iter().filter(has_key).map(EnPassantPolicy::name).collect();
            let (about, policy) = (scheme.about, scheme.policy().name());
            (!policies.is_empty()).then_some(KeyMatch { scheme: &scheme.name, about, policies, policy })
        });
        Ok(KeyMatches { matches: matches.collect(), published })
    }
}

impl KeyDifference {
    pub fn find(boards: [Board; 2], keys: &[String; 2]) -> Result<KeyDifference, String> {
        let found = [KeyMatches::find(&boards[0], &keys[0])?, KeyMatches::find(&boards[1], &keys[1])?];
        let read = [read_key(&keys[0])?, read_key(&keys[1])?];
        let terms = boards.each_ref().map(|board| {
            let state = [
                Term::Castling(board.castling_rights()),
                Term::EnPassant(board.en_passant(EnPassantPolicy::Always)),
                Term::Side(Some(board.turn())),
            ];
            Term::pieces_of(board).chain(state).collect::<Vec<_>>()
        });
        let only = |one: usize| terms[one].iter().filter(|term| !terms[1 - one].contains(term)).copied().collect();
        let diagnosis = [0, 1].into_iter().find_map(|known| {
            let other = 1 - known;
            let by = found[known].matches.first().filter(|_| found[other].matches.is_empty())?;
            let policy = EnPassantPolicy::of_name(by.policies[0], "").ok()?;
            let (_, tables) = schemes().find(|(scheme, _)| scheme.name == by.scheme)?;
            let table = &with_policy(tables, policy).parts[0];
            let wrong = table.combine.remove(read[other][0].0 as u64, table.key(&boards[other])) & table.mask;
            let terms = diagnose(table, &boards[known], &boards[other], wrong);
            let (first, second) = (known + 1, other + 1);
            Some(format!("key {first} is that of {} (e.p. {}), key {second} is not: {terms}", by.scheme, policy.name()))
        });
        Ok(KeyDifference { is_equal: read[0] == read[1], keys: found, terms: [only(0), only(1)], diagnosis })
    }
}

impl KeyAudit {
    pub fn run(text: &str) -> Result<KeyAudit, String> {
        let import = Import::parse(text).map_err(|error| error.to_string())?;
        let remarks = import.summary().into_iter().chain(import.warnings()).collect();
        let list = TableEntries::from_scheme(&Scheme::imported(import), 0).map_err(|error| error.to_string())?;
        let audit = Audit::run(list, 6, &Control::default());
        let (verdict, findings) = (audit.verdict(), audit.findings());
        Ok(KeyAudit { verdict, entries: audit.list.entries.len(), remarks, findings })
    }
}
