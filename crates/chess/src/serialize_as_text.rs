//! Types whose JSON is their `Display` text.

#[cfg(feature = "schema")]
pub use schemars;
#[cfg(feature = "serde")]
pub use serde;

/// Serializes types as their `Display` text, if the feature `serde` of this crate is on.
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

/// Gives a type the JSON schema of another type, if the feature `schema` of this crate is on.
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
