//! By what a program was built: it says so itself.

use serde::{Deserialize, Serialize};

/// The build of a program.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
pub struct Build {
    /// The package's version.
    pub version: String,
    /// The commit of its sources, where they were under version control.
    pub revision: Option<String>,
    /// Had the sources been changed since that commit?
    pub dirty: Option<bool>,
    /// As `rustc --version` tells it.
    pub compiler: String,
    /// The target triple.
    pub target: String,
    /// 0 to 3, s or z.
    pub opt_level: String,
    /// RUSTFLAGS.
    pub flags: String,
    /// Are assertions compiled in?
    pub debug_assertions: bool,
}

impl Build {
    /// One that nothing is known of, for examples.
    #[cfg(test)]
    pub fn unknown() -> Build {
        let text = String::new;
        Build {
            version: text(),
            revision: None,
            dirty: None,
            compiler: text(),
            target: text(),
            opt_level: text(),
            flags: text(),
            debug_assertions: false,
        }
    }

    /// `f685870a12`, with `-dirty` if the sources had been changed; `unknown` without version control.
    pub fn name(&self) -> String {
        let dirty = if self.dirty == Some(true) { "-dirty" } else { "" };
        self.revision.as_ref().map_or("unknown".into(), |revision| format!("{revision}{dirty}"))
    }
}
