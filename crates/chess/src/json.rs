//! The envelope of JSON documents, and how values are written in JSON. Counts are decimal strings, because they may
//! need 128 bits. Moves and positions are text, and times are in seconds.

use crate::moves::Move;
use crate::packed::Packed;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt::Display;
use std::str::FromStr;
use std::time::Duration;

impl Serialize for Move {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.uci())
    }
}

impl Serialize for Packed {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&self.board())
    }
}

/// A result as a document.
#[perft_gate_kernel::document(Debug)]
pub struct Envelope<T> {
    /// Name and version of the format.
    schema: &'static str,
    /// Version of the program.
    version: &'static str,
    #[serde(flatten)]
    result: T,
}

impl<T: Serialize> Envelope<T> {
    pub fn new(schema: &'static str, result: T) -> Envelope<T> {
        Envelope { schema, version: env!("CARGO_PKG_VERSION"), result }
    }
}

fn parse<T: FromStr, E: Error>(text: &str) -> Result<T, E> {
    let digits = Some(text).filter(|text| text.bytes().all(|byte| byte.is_ascii_digit()));
    let count = digits.and_then(|text| text.parse().ok());
    count.ok_or_else(|| E::custom(format!("found '{text}', expected a count in decimal digits")))
}

/// A count.
#[derive(Debug)]
pub enum Decimal {}

impl Decimal {
    pub fn serialize<T: Display, S: Serializer>(count: &T, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(count)
    }

    pub fn deserialize<'de, T: FromStr, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
        parse(&String::deserialize(deserializer)?)
    }
}

/// A count that may be absent.
#[derive(Debug)]
pub enum OptionalDecimal {}

impl OptionalDecimal {
    pub fn serialize<T: Display, S: Serializer>(count: &Option<T>, serializer: S) -> Result<S::Ok, S::Error> {
        count.as_ref().map(T::to_string).serialize(serializer)
    }

    pub fn deserialize<'de, T: FromStr, D: Deserializer<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
        Option::<String>::deserialize(deserializer)?.map(|text| parse(&text)).transpose()
    }
}

/// A list of counts.
#[derive(Debug)]
pub enum DecimalList {}

impl DecimalList {
    pub fn serialize<T: Display, S: Serializer>(counts: &[T], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(counts.iter().map(T::to_string))
    }

    pub fn deserialize<'de, T: FromStr, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<T>, D::Error> {
        Vec::<String>::deserialize(deserializer)?.iter().map(|text| parse(text)).collect()
    }
}

/// A time, in seconds.
#[derive(Debug)]
pub enum Seconds {}

impl Seconds {
    pub fn serialize<S: Serializer>(time: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_f64(time.as_secs_f64())
    }
}

#[cfg(feature = "schema")]
mod schema {
    use super::{Decimal, DecimalList, OptionalDecimal, Seconds};
    use crate::moves::Move;
    use crate::packed::Packed;
    use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

    /// Implements `JsonSchema` with a named schema.
    macro_rules! schema {
        ($type:ty, $name:literal, $($schema:tt)+) => {
            impl JsonSchema for $type {
                fn schema_name() -> std::borrow::Cow<'static, str> {
                    $name.into()
                }

                fn json_schema(_: &mut SchemaGenerator) -> Schema {
                    json_schema!($($schema)+)
                }
            }
        };
    }

    schema!(Decimal, "count", { "type": "string", "pattern": "^[0-9]+$" });
    schema!(Seconds, "seconds", { "type": "number", "minimum": 0 });
    schema!(Move, "move", { "type": "string", "pattern": "^[a-h][1-8][a-h][1-8][nbrq]?$" });
    schema_as!(Packed, String);
    schema_as!(OptionalDecimal, Option<Decimal>);
    schema_as!(DecimalList, Vec<Decimal>);
}
