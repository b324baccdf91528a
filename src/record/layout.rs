//! JSON that people can read and tools can compare line by line: indented outside, a line for each row of data.

use serde_json::ser::{CompactFormatter, Formatter, PrettyFormatter};
use std::io::{Result, Write};

/// What lies so deep stands in one line.
const ROW_DEPTH: usize = 5;

/// Indents down to [`ROW_DEPTH`].
#[derive(Default)]
pub(super) struct Layout {
    outside: PrettyFormatter<'static>,
    inside: CompactFormatter,
    depth: usize,
}

macro_rules! by_depth {
    ($($name:ident($($argument:ident: $type:ty),*) opens $opens:literal closes $closes:literal;)*) => {
        $(fn $name<W: ?Sized + Write>(&mut self, writer: &mut W $(, $argument: $type)*) -> Result<()> {
            self.depth += $opens;
            let result = match self.depth {
                ROW_DEPTH.. => self.inside.$name(writer $(, $argument)*),
                _ => self.outside.$name(writer $(, $argument)*),
            };
            self.depth -= $closes;
            result
        })*
    };
}

impl Formatter for Layout {
    by_depth! {
        begin_array() opens 1 closes 0;
        end_array() opens 0 closes 1;
        begin_array_value(first: bool) opens 0 closes 0;
        end_array_value() opens 0 closes 0;
        begin_object() opens 1 closes 0;
        end_object() opens 0 closes 1;
        begin_object_key(first: bool) opens 0 closes 0;
        begin_object_value() opens 0 closes 0;
        end_object_value() opens 0 closes 0;
    }
}
