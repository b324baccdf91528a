//! `perft.unique/1`: distinct positions by ply. Counts are decimal strings, as everywhere.

use serde::{Deserialize, Serialize};

/// Name and version of the format.
pub const SCHEMA: &str = "perft.unique/1";

/// Result of a run of `perft unique`.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
pub struct Document {
    /// Always [`SCHEMA`].
    pub schema: String,
    /// Version of the program.
    pub version: String,
    /// FEN of the root.
    pub fen: String,
    /// Identity of the positions of the last ply: `position`, or a scheme's name.
    pub by: String,
    /// Policy that decides when an e.p. square makes a position different.
    pub ep_policy: String,
    /// Plies, from the root's on.
    pub plies: Vec<Ply>,
}

/// Counts of one ply.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
pub struct Ply {
    /// Number of the ply; the root's is 0.
    pub ply: u32,
    /// Number of distinct positions.
    #[serde(with = "decimal")]
    pub distinct: u128,
    /// Number of leaves of the tree.
    #[serde(with = "decimal")]
    pub perft: u128,
    /// Number of positions that are reached once.
    #[serde(with = "decimal")]
    pub once: u128,
    /// Highest number of ways to reach one position.
    #[serde(with = "decimal")]
    pub highest: u128,
    /// Number of positions that are reached this often.
    #[serde(with = "decimal")]
    pub with_highest: u128,
    /// Number of different diagrams, if they were counted.
    #[serde(with = "decimal::optional")]
    pub diagrams: Option<u128>,
    /// Number of positions expected to be lost by key collisions, if the ply is kept by key.
    pub expected_lost: Option<f64>,
    /// Wall time.
    pub seconds: f64,
}

impl Document {
    /// Returns the text of a file.
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
        use super::{Deserialize, Deserializer, FromStr, parsed};

        /// Reads a list.
        pub fn deserialize<'de, T: FromStr, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<T>, D::Error> {
            Vec::<String>::deserialize(deserializer)?.iter().map(|text| parsed(text)).collect()
        }
    }
}
