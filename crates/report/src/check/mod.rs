//! Checks of results before they are shown beside others: they are read as their schema says, and each summary in them
//! follows from the samples beside it. What is found is data, one line per problem.

mod derived;
mod newer;

pub use derived::problems;
pub use newer::unknown_fields;
