//! Rows of a document, of which there may be many.

use serde::{Serialize, Serializer};

/// Rows, each made from its result when it is written: all of them at once take many times the memory of their text.
#[derive(Debug)]
pub struct LazyRows<'a, T, R>(pub &'a [T], pub fn(&'a T) -> R);

impl<T, R: Serialize> Serialize for LazyRows<'_, T, R> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(self.1))
    }
}

#[cfg(feature = "schema")]
impl<T, R: schemars::JsonSchema> schemars::JsonSchema for LazyRows<'_, T, R> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        Vec::<R>::schema_name()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        Vec::<R>::json_schema(generator)
    }
}
