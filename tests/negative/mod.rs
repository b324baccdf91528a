//! Planted faults: a check that cannot fail checks nothing.

mod command;
mod faults;
