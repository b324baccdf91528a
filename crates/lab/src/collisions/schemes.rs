//! Collisions of several schemes, counted together.

use super::positions::{KeyPart, PlyPositions};
use super::verdict::{Losses, MIN_BAND, verdict};
use crate::quality::{AuditVerdict, Window};
use perft_gate_chess::json::{Decimal, OptionalDecimal};
use perft_gate_chess::{Board, EnPassantPolicy};
use perft_gate_simd::Level;
use perft_gate_unique::{UniqueError, expected_lost};
use perft_gate_walk::{Control, Progress};
use perft_gate_zobrist::{Axes, KeyTables, Scheme};
use serde::{Deserialize, Serialize};

/// Maximum width of keys that are counted.
pub const MAX_KEY_BITS: u32 = 64;

/// Options of a count.
#[derive(Clone, Debug)]
pub struct CollisionOptions {
    /// Windows of the keys.
    pub windows: Vec<Window>,
    /// Widths of each window in bits, 1 to 64.
    pub widths: Vec<u32>,
    /// Number of key tables of each scheme.
    pub seeds: u64,
    /// Seed of the first key table.
    pub first_seed: u64,
    /// Maximum number of bytes of positions and keys together.
    pub memory: usize,
    /// SIMD level.
    pub level: Level,
}

impl CollisionOptions {
    /// Returns the parts of keys of this width.
    fn parts(&self, key_bits: u32) -> Vec<KeyPart> {
        let widths = |&window: &Window| {
            let fitting = self.widths.iter().filter(move |&&bits| bits <= key_bits);
            fitting.map(move |&bits| KeyPart { window, bits })
        };
        self.windows.iter().flat_map(widths).collect()
    }

    /// Returns the number of random key tables in the band.
    pub fn band(&self) -> u64 {
        self.seeds.max(MIN_BAND)
    }
}

/// Losses in a window of the keys.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CollisionRow {
    /// Position of the window.
    pub window: Window,
    /// Width in bits.
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 64)))]
    pub bits: u32,
    /// Number of positions that random keys are expected to lose.
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    pub expected: f64,
    /// Mean number of positions that were lost.
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    pub mean: f64,
    /// The mean divided by what is expected; nothing if nothing is expected.
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    pub ratio: Option<f64>,
    /// Number of positions that were lost, by key table.
    pub lost: Losses,
    /// The same for random key tables.
    pub band: Losses,
    /// Verdict.
    pub verdict: AuditVerdict,
}

/// The collisions of a scheme's keys.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Collisions {
    /// Name of the scheme.
    pub scheme: String,
    /// First seed of its key tables; nothing if there is one table only, published or from a file.
    #[serde(with = "OptionalDecimal")]
    pub first_seed: Option<u64>,
    /// Width of its keys in bits.
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 64)))]
    pub key_bits: u32,
    /// E.p. policy.
    #[serde(rename = "ep_policy")]
    pub policy: EnPassantPolicy,
    /// Number of distinct positions under that policy.
    #[serde(with = "Decimal")]
    pub positions: u64,
    /// The worst verdict of its rows.
    pub verdict: AuditVerdict,
    /// Widths asked for that its keys are too short for.
    pub left_out: Vec<u32>,
    /// Results by window, then by width, in the order asked for.
    #[cfg_attr(feature = "schema", schemars(length(min = 1)))]
    pub rows: Vec<CollisionRow>,
}

/// Counts the collisions of schemes on the positions `depth` plies below one, on the current rayon pool; returns `None`
/// if it was stopped. Calls `counted` with the number of key tables done.
///
/// **Errors**: the positions do not fit into the memory. **Panics**: a scheme has no keys, or keys of more than 64
/// bits.
pub fn collisions(
    board: &Board,
    depth: u32,
    schemes: &[Scheme],
    options: &CollisionOptions,
    control: &Control,
    mut counted: impl FnMut(Progress),
) -> Result<Option<Vec<Collisions>>, UniqueError> {
    let of_policy = |policy| schemes.iter().enumerate().filter(move |(_, scheme)| scheme.policy() == policy);
    let policies = EnPassantPolicy::ALL.into_iter().filter(|&policy| of_policy(policy).next().is_some());
    let total = schemes.iter().map(|scheme| number_of_tables(scheme, options)).sum::<u64>()
        + policies.clone().count() as u64 * options.band();
    let mut progress = Progress { done: 0, total };
    let mut results: Vec<Option<Collisions>> = vec![None; schemes.len()];
    for policy in policies {
        counted(progress);
        let memory = (options.memory, options.level);
        let Some(mut positions) = PlyPositions::of(board, depth, policy, memory, control)? else { return Ok(None) };
        let n = positions.number;
        let mut lost = |tables: &mut dyn Iterator<Item = KeyTables>, key_bits: u32| {
            let parts = options.parts(key_bits);
            let mut lost = vec![Vec::new(); parts.len()];
            for key_tables in tables {
                let distinct = positions.count_distinct(&key_tables, key_bits, &parts, control)?;
                lost.iter_mut().zip(distinct).for_each(|(lost, distinct)| lost.push(n - distinct));
                progress.done += 1;
                counted(progress);
            }
            Some(parts.into_iter().zip(lost.into_iter().map(Losses::new)).collect::<Vec<_>>())
        };
        let Some(band) = lost(&mut random_tables(policy, options.band()), MAX_KEY_BITS) else { return Ok(None) };
        for (number, scheme) in of_policy(policy) {
            let key_bits = key_bits(scheme);
            let seeds = (!scheme.is_fixed()).then(|| options.first_seed..options.first_seed + options.seeds);
            let tables = |seed| scheme.key_tables(seed).expect("a scheme with keys");
            let Some(lost) = lost(&mut seeds.clone().unwrap_or(0..1).map(tables), key_bits) else { return Ok(None) };
            let rows = lost.into_iter().map(|(part, lost)| {
                let (_, band) = band.iter().find(|(known, _)| *known == part).expect("a band of every part");
                let (KeyPart { window, bits }, mean) = (part, lost.mean());
                let expected = expected_lost(n, bits);
                let ratio = Some(mean / expected).filter(|ratio| ratio.is_finite());
                let verdict = verdict(n, expected, &lost, band);
                CollisionRow { window, bits, expected, mean, ratio, lost, band: band.clone(), verdict }
            });
            let rows: Vec<CollisionRow> = rows.collect();
            results[number] = Some(Collisions {
                scheme: scheme.name.to_string(),
                first_seed: seeds.map(|seeds| seeds.start),
                key_bits,
                policy,
                positions: n,
                verdict: rows.iter().map(|row| row.verdict).max().unwrap_or(AuditVerdict::Sound),
                left_out: options.widths.iter().copied().filter(|&bits| bits > key_bits).collect(),
                rows,
            });
        }
    }
    Ok(Some(results.into_iter().flatten().collect()))
}

/// Returns the number of key tables of a scheme here.
fn number_of_tables(scheme: &Scheme, options: &CollisionOptions) -> u64 {
    if scheme.is_fixed() { 1 } else { options.seeds }
}

/// Returns the width of a scheme's keys in bits.
pub fn key_bits(scheme: &Scheme) -> u32 {
    scheme.axes.map_or(0, |axes| axes.width.bits())
}

/// Returns independent random key tables, from seeds at the far end of the range, which no scheme is likely to use.
fn random_tables(policy: EnPassantPolicy, number: u64) -> impl Iterator<Item = KeyTables> {
    let random = Scheme::of_axes(Axes { policy, ..Axes::CPW793 });
    (0..number).map(move |set| random.key_tables(u64::MAX - set).expect("a scheme with keys"))
}
