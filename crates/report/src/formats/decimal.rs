//! Counts as decimal strings, as JSON holds them everywhere.

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serializer};
use std::fmt::Display;
use std::str::FromStr;

/// Writes a count.
pub fn serialize<T: Display, S: Serializer>(count: &T, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(count)
}

/// Reads a count.
pub fn deserialize<'de, T: FromStr, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    parsed(&String::deserialize(deserializer)?)
}

fn parsed<T: FromStr, E: Error>(text: &str) -> Result<T, E> {
    let digits = Some(text).filter(|text| text.bytes().all(|byte| byte.is_ascii_digit()));
    let count = digits.and_then(|text| text.parse().ok());
    count.ok_or_else(|| E::custom(format!("found '{text}', expected a count in decimal digits")))
}

/// Counts that may be absent.
pub mod optional {
    use super::{Deserialize, Deserializer, Display, FromStr, Serializer, parsed};

    /// Writes a count.
    pub fn serialize<T: Display, S: Serializer>(count: &Option<T>, serializer: S) -> Result<S::Ok, S::Error> {
        match count {
            Some(count) => serializer.collect_str(count),
            None => serializer.serialize_none(),
        }
    }

    /// Reads a count.
    pub fn deserialize<'de, T: FromStr, D: Deserializer<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
        Option::<String>::deserialize(deserializer)?.map(|text| parsed(&text)).transpose()
    }
}

/// Lists of counts.
pub mod list {
    use super::{Deserialize, Deserializer, Display, FromStr, Serializer, parsed};

    /// Writes a list.
    pub fn serialize<T: Display, S: Serializer>(counts: &[T], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(counts.iter().map(T::to_string))
    }

    /// Reads a list.
    pub fn deserialize<'de, T: FromStr, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<T>, D::Error> {
        Vec::<String>::deserialize(deserializer)?.iter().map(|text| parsed(text)).collect()
    }
}
