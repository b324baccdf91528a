//! Distinct positions by ply, as `perft.unique/1`. Counts are decimal strings, as everywhere.

use serde::{Deserialize, Serialize};

/// The name and version of the format.
pub const SCHEMA: &str = "perft.unique/1";

/// What a run of `perft unique` counted.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
pub struct Document {
    /// [`SCHEMA`].
    pub schema: String,
    /// The program's version.
    pub version: String,
    /// The root.
    pub fen: String,
    /// What tells the positions of the last ply apart: `position`, or a scheme's name.
    pub by: String,
    /// When an e.p. square makes a position another.
    pub ep_policy: String,
    /// From the root's on.
    pub plies: Vec<Ply>,
}

/// A ply.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
pub struct Ply {
    /// Its number; the root's is 0.
    pub ply: u32,
    /// Different positions.
    #[serde(with = "decimal")]
    pub distinct: u128,
    /// Leaves of the tree.
    #[serde(with = "decimal")]
    pub perft: u128,
    /// Positions that are reached in one way.
    #[serde(with = "decimal")]
    pub once: u128,
    /// In how many ways the one of most ways is reached.
    #[serde(with = "decimal")]
    pub highest: u128,
    /// Positions that are reached so often.
    #[serde(with = "decimal")]
    pub with_highest: u128,
    /// Different diagrams, if they were counted.
    #[serde(with = "decimal::optional")]
    pub diagrams: Option<u128>,
    /// How many positions are expected to have been taken for others, where keys told them apart.
    pub expected_lost: Option<f64>,
    /// Wall time.
    pub seconds: f64,
}

impl Document {
    /// As a file has it.
    pub fn text(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).expect("strings and numbers");
        text.push('\n');
        text
    }
}

/// Counts as decimal strings.
pub mod decimal {
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serializer};
    use std::fmt::Display;
    use std::str::FromStr;

    /// Writes one.
    pub fn serialize<T: Display, S: Serializer>(count: &T, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(count)
    }

    /// Reads one.
    pub fn deserialize<'de, T: FromStr, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
        parsed(&String::deserialize(deserializer)?)
    }

    fn parsed<T: FromStr, E: Error>(text: &str) -> Result<T, E> {
        let digits = Some(text).filter(|text| text.bytes().all(|byte| byte.is_ascii_digit()));
        let count = digits.and_then(|text| text.parse().ok());
        count.ok_or_else(|| E::custom(format!("found '{text}', expected a count in decimal digits")))
    }

    /// That may be absent.
    pub mod optional {
        use super::{Deserialize, Deserializer, Display, FromStr, Serializer, parsed};

        /// Writes one.
        pub fn serialize<T: Display, S: Serializer>(count: &Option<T>, serializer: S) -> Result<S::Ok, S::Error> {
            match count {
                Some(count) => serializer.collect_str(count),
                None => serializer.serialize_none(),
            }
        }

        /// Reads one.
        pub fn deserialize<'de, T: FromStr, D: Deserializer<'de>>(deserializer: D) -> Result<Option<T>, D::Error> {
            Option::<String>::deserialize(deserializer)?.map(|text| parsed(&text)).transpose()
        }
    }

    /// A list of them.
    pub mod list {
        use super::{Deserialize, Deserializer, FromStr, parsed};

        /// Reads one.
        pub fn deserialize<'de, T: FromStr, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<T>, D::Error> {
            Vec::<String>::deserialize(deserializer)?.iter().map(|text| parsed(text)).collect()
        }
    }
}
