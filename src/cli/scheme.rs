//! Which hashing scheme a command works with.

use super::Usage;
use crate::keys::{ALL, Import, Scheme};
use clap::Args;
use std::path::PathBuf;

#[derive(Args, Debug)]
pub(super) struct SchemeArgs {
    /// The hashing scheme: a preset (`perft list schemes`), `axis=value,…`, `preset,axis=value,…`, or `all`.
    #[arg(long, default_value = "cpw793", value_name = "NAME|AXES|all")]
    scheme: String,
    /// Let weak combinations of axes run, as exhibits.
    #[arg(long)]
    allow_weak: bool,
    /// The scheme's words from a file: `# layout: NAME`, then a hexadecimal word a line.
    #[arg(long, value_name = "FILE", conflicts_with = "scheme")]
    keys_from: Option<PathBuf>,
}

impl SchemeArgs {
    /// The scheme that was asked for.
    pub(super) fn scheme(&self) -> Result<Scheme, Usage> {
        if let Some(path) = &self.keys_from {
            let shown = path.display();
            let text = std::fs::read_to_string(path)
                .map_err(|error| Usage(format!("--keys-from {shown}: {error}, expected a file of keys")))?;
            let import = Import::parse(&text).map_err(|error| Usage(format!("{shown}: {error}")))?;
            for warning in import.warnings() {
                eprintln!("warning: {shown}: {warning}");
            }
            return Ok(Scheme::imported(import));
        }
        if self.scheme == "all" {
            return Ok(ALL.clone());
        }
        let scheme = Scheme::parse(&self.scheme, self.allow_weak);
        scheme.map_err(|error| Usage(format!("--scheme: {error}")))
    }
}
