//! Macros for types that are written to JSON as their `Display` text.

#[cfg(feature = "schema")]
pub use schemars;
#[cfg(feature = "serde")]
pub use serde;

/// Makes types serialize as their `Display` text, if this crate's feature `serde` is enabled.
#[cfg(feature = "serde")]
#[macro_export]
macro_rules! serialize_as_text {
    ($($type:ty),+) => {$(
        impl $crate::serialize_as_text::serde::Serialize for $type {
            fn serialize<S: $crate::serialize_as_text::serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        $crate::schema_as!($type, String);
    )+};
}
#[cfg(not(feature = "serde"))]
#[macro_export]
macro_rules! serialize_as_text {
    ($($type:ty),+) => {};
}

/// Gives a type the JSON schema of another type, if this crate's feature `schema` is enabled.
#[cfg(feature = "schema")]
#[macro_export]
macro_rules! schema_as {
    ($type:ty, $as:ty) => {
        impl $crate::serialize_as_text::schemars::JsonSchema for $type {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> ::std::borrow::Cow<'static, str> {
                <$as>::schema_name()
            }

            fn json_schema(
                generator: &mut $crate::serialize_as_text::schemars::SchemaGenerator,
            ) -> $crate::serialize_as_text::schemars::Schema {
                <$as>::json_schema(generator)
            }
        }
    };
}
#[cfg(not(feature = "schema"))]
#[macro_export]
macro_rules! schema_as {
    ($type:ty, $as:ty) => {};
}
