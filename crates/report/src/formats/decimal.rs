//! Counts as decimal strings, as JSON holds them everywhere: `#[serde(with = "Decimal")]`.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serializer};
use std::fmt::Display;
use std::str::FromStr;

fn parse<T: FromStr, E: Error>(text: &str) -> Result<T, E> {
    let digits = Some(text).filter(|text| text.bytes().all(|byte| byte.is_ascii_digit()));
    let count = digits.and_then(|text| text.parse().ok());
    count.ok_or_else(|| E::custom(format!("found '{text}', expected a count in decimal digits")))
}

/// A count.
#[derive(Debug)]
pub enum Decimal {}

impl Decimal {
    /// Writes a count.
    pub fn serialize<T: Display, S: Serializer>(count: &T, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(count)
    }

    /// Reads a count.
    pub fn deserialize<'de, T: FromStr, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
        parse(&String::deserialize(deserializer)?)
    }
}

/// A count that may be absent.
#[derive(Debug)]
pub enum OptionalDecimal {}

impl OptionalDecimal {
    /// Writes a count.
    pub fn serialize<T: Display, S: Serializer>(count: &Option<T>, serializer: S) -> Result<S::Ok, S::Error> {
        match count {
            Some(count) => serializer.collect_str(count),
            None => serializer.serialize_none(),
        }
    }

    /// Reads a count.
    pub fn deserialize<'de, T: FromStr, D: Deserializer<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
        Option::<String>::deserialize(deserializer)?.map(|text| parse(&text)).transpose()
    }
}

/// A list of counts.
#[derive(Debug)]
pub enum DecimalList {}

impl DecimalList {
    /// Writes a list.
    pub fn serialize<T: Display, S: Serializer>(counts: &[T], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(counts.iter().map(T::to_string))
    }

    /// Reads a list.
    pub fn deserialize<'de, T: FromStr, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<T>, D::Error> {
        Vec::<String>::deserialize(deserializer)?.iter().map(|text| parse(text)).collect()
    }
}

#[cfg(feature = "schema")]
mod schema {
    use super::{Decimal, DecimalList, OptionalDecimal};
    use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

    impl JsonSchema for Decimal {
        fn schema_name() -> std::borrow::Cow<'static, str> {
            "count".into()
        }

        fn json_schema(_: &mut SchemaGenerator) -> Schema {
            json_schema!({ "type": "string", "pattern": "^[0-9]+$" })
        }
    }

    /// Gives a type the schema of another one.
    macro_rules! schema_of {
        ($type:ty, $as:ty) => {
            impl JsonSchema for $type {
                fn inline_schema() -> bool {
                    true
                }

                fn schema_name() -> std::borrow::Cow<'static, str> {
                    <$as>::schema_name()
                }

                fn json_schema(generator: &mut SchemaGenerator) -> Schema {
                    <$as>::json_schema(generator)
                }
            }
        };
    }

    schema_of!(OptionalDecimal, Option<Decimal>);
    schema_of!(DecimalList, Vec<Decimal>);
}
