//! JSON layout that people can read and tools can compare line by line: indented outside, one line for each row of
//! data.

use serde::Serialize;
use serde_json::ser::{CompactFormatter, Formatter, PrettyFormatter, Serializer};
use std::io::{Result, Write};

/// Returns a document with everything at `row_depth` in one line each, and a newline at its end.
pub fn lines(document: &impl Serialize, row_depth: usize) -> String {
    let (outside, inside) = (PrettyFormatter::default(), CompactFormatter);
    let mut bytes = Vec::new();
    let mut writer = Serializer::with_formatter(&mut bytes, RowFormatter { outside, inside, depth: 0, row_depth });
    document.serialize(&mut writer).expect("strings and numbers");
    bytes.push(b'\n');
    String::from_utf8(bytes).expect("JSON is UTF-8")
}

/// JSON formatter that indents down to the depth of rows.
struct RowFormatter {
    outside: PrettyFormatter<'static>,
    inside: CompactFormatter,
    depth: usize,
    row_depth: usize,
}

macro_rules! by_depth {
    ($($name:ident($($argument:ident: $type:ty),*) opens $opens:literal closes $closes:literal;)*) => {
        $(fn $name<W: ?Sized + Write>(&mut self, writer: &mut W $(, $argument: $type)*) -> Result<()> {
            self.depth += $opens;
            let result = match self.depth >= self.row_depth {
                true => self.inside.$name(writer $(, $argument)*),
                false => self.outside.$name(writer $(, $argument)*),
            };
            self.depth -= $closes;
            result
        })*
    };
}

impl Formatter for RowFormatter {
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
