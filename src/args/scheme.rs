//! Arguments for hashing schemes.

use crate::args::text::{MAX_TEXT, text};
use crate::failure::{Result, Usage};
use clap::Args;
use perft_gate_chess::EnPassantPolicy;
use perft_gate_zobrist::{ALL, Import, PRESETS, Scheme};
use std::path::{Path, PathBuf};

#[derive(Args, Debug)]
pub struct SchemeArgs {
    /// Hashing scheme: a preset (`perft list schemes`), `axis=value,…`, `preset,axis=value,…`, or `all`.
    #[arg(long, default_value = "cpw793", value_name = "NAME|AXES|all")]
    scheme: String,
    /// Allow combinations of axes that make weak keys, for experiments.
    #[arg(long)]
    allow_weak: bool,
    /// Read the scheme's key table from a file: a comment `layout: NAME`, then one hexadecimal entry per line, or
    /// tables in source code.
    #[arg(long, value_name = "FILE", conflicts_with = "scheme")]
    keys_from: Option<PathBuf>,
}

impl SchemeArgs {
    pub fn scheme(&self) -> Result<Scheme> {
        if let Some(path) = &self.keys_from {
            return import_scheme(path);
        }
        if self.scheme == "all" {
            return Ok(ALL.clone());
        }
        let scheme = Scheme::parse(&self.scheme, self.allow_weak);
        scheme.map_err(|error| Usage(format!("--scheme: {error}")))
    }
}

/// Returns a scheme by name, by axes, or from a key table file. **Errors**: the text is none of these, or the file is
/// not a valid key table.
pub fn scheme_named(option: &str, text: &str) -> Result<Scheme> {
    match Scheme::parse(text, true) {
        Ok(scheme) => Ok(scheme),
        Err(_) if Path::new(text).is_file() => import_scheme(Path::new(text)),
        Err(error) => Err(Usage(format!("{option}: {error}, or a file with a key table"))),
    }
}

pub fn import_scheme(path: &Path) -> Result<Scheme> {
    let shown = if path == Path::new("-") { "standard input".into() } else { path.to_string_lossy() };
    let text = text(path, MAX_TEXT, &format!("--keys-from {}", path.display()), "a file with a key table")?;
    let import = Import::parse(&text).map_err(|error| Usage(format!("{shown}: {error}")))?;
    if let Some(summary) = import.summary() {
        note!("note: {shown}: read {summary}");
    }
    for warning in import.warnings() {
        note!("warning: {shown}: {warning}");
    }
    Ok(Scheme::imported(import))
}

#[derive(Args, Debug)]
pub struct SchemesArgs {
    /// Hashing schemes, separated by commas: presets, `axis=value` (which changes the scheme before it), or `all`
    /// presets (the default). May be repeated.
    #[arg(long = "scheme", value_name = "NAME,…")]
    schemes: Vec<String>,
    /// Allow combinations of axes that make weak keys, for experiments.
    #[arg(long)]
    allow_weak: bool,
    /// Read a scheme's key table from a file: a comment `layout: NAME`, then one hexadecimal entry per line, or tables
    /// in source code. May be repeated.
    #[arg(long, value_name = "FILE")]
    keys_from: Vec<PathBuf>,
}

impl SchemesArgs {
    /// Returns the requested schemes, with those from files last. Every returned scheme has keys.
    pub fn schemes(&self) -> Result<Vec<Scheme>> {
        let mut schemes = Vec::new();
        let by_default = (self.schemes.is_empty() && self.keys_from.is_empty()).then_some("all");
        for text in self.schemes.iter().map(String::as_str).chain(by_default).flat_map(split_schemes) {
            if text == "all" {
                schemes.extend(PRESETS.iter().filter(|preset| preset.number_of_keys() > 0).cloned());
                continue;
            }
            let scheme = Scheme::parse(&text, self.allow_weak).map_err(|error| Usage(format!("--scheme: {error}")))?;
            if scheme.number_of_keys() == 0 {
                return Err(Usage(format!("--scheme: found '{}', expected schemes with keys", scheme.name)));
            }
            schemes.push(scheme);
        }
        for path in &self.keys_from {
            schemes.push(import_scheme(path)?);
        }
        Ok(schemes)
    }
}

/// Splits a list of schemes at the names, such as `cpw793`, and at each `axis=value` whose axis is already set.
pub fn split_schemes(list: &str) -> Vec<String> {
    let mut texts: Vec<String> = Vec::new();
    for part in list.split(',') {
        let axis = part.split_once('=').map(|(axis, _)| format!("{axis}="));
        let has = |text: &str, axis: &str| text.split(',').any(|part| part.starts_with(axis));
        match (texts.last_mut(), axis) {
            (Some(text), Some(axis)) if text != "all" && !has(text, &axis) => *text += &format!(",{part}"),
            _ => texts.push(part.to_string()),
        }
    }
    texts
}

/// Reads the name of an e.p. policy.
pub fn policy(text: &str) -> Result<EnPassantPolicy, String> {
    let found = EnPassantPolicy::ALL.into_iter().find(|policy| policy.name() == text);
    found.ok_or_else(|| format!("found '{text}', expected one of legal, pseudo, always"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_cut_where_a_scheme_begins() {
        for (list, expected) in [
            ("rotate,gf64", vec!["rotate", "gf64"]),
            ("rotate,width=48,side=s2,gf64", vec!["rotate,width=48,side=s2", "gf64"]),
            ("pieces=lcg15,pieces=tiny-seed,castling=c4", vec!["pieces=lcg15", "pieces=tiny-seed,castling=c4"]),
            ("all,width=48", vec!["all", "width=48"]),
            ("", vec![""]),
        ] {
            assert_eq!(split_schemes(list), expected, "{list}");
        }
    }
}
