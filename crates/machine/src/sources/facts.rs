//! Properties of a machine that its system tells.

use crate::hardware::{Cache, CoreKind};

/// Properties that sysinfo does not know; what the system does not tell either is absent.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct SystemFacts {
    pub signature: Option<String>,
    pub cores: Option<usize>,
    pub smt: Option<bool>,
    pub kinds: Vec<CoreKind>,
    pub caches: Vec<Cache>,
    pub numa_nodes: Option<usize>,
    pub virtualised: Option<bool>,
    pub governor: Option<String>,
    pub boost: Option<bool>,
}
