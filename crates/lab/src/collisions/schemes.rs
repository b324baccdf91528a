//! Collisions of several schemes, counted together.

use super::positions::{KeyPart, PlyPositions};
use super::verdict::{Losses, MIN_BAND, verdict};
use crate::quality::{AuditVerdict, Window};
use perft_gate_chess::{Board, EnPassantPolicy};
use perft_gate_simd::Level;
use perft_gate_unique::{UniqueError, expected_lost};
use perft_gate_walk::{Control, Progress};
use perft_gate_zobrist::{Axes, KeyTables, Scheme};

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

/// Result for one part of the keys.
#[derive(Clone, PartialEq, Debug)]
pub struct CollisionRow {
    /// Part of the keys.
    pub part: KeyPart,
    /// Expected number of positions lost by random keys.
    pub expected: f64,
    /// Losses of the scheme's key tables.
    pub lost: Losses,
    /// Losses of the random key tables.
    pub band: Losses,
    /// Verdict.
    pub verdict: AuditVerdict,
}

/// Result for one scheme.
#[derive(Clone, PartialEq, Debug)]
pub struct Collisions {
    /// Name of the scheme.
    pub scheme: String,
    /// Seeds of its key tables; `None` if there is one table only, published or from a file.
    pub seeds: Option<std::ops::Range<u64>>,
    /// Width of its keys in bits.
    pub key_bits: u32,
    /// En-passant policy of its keys.
    pub policy: EnPassantPolicy,
    /// Number of distinct positions under that policy.
    pub positions: u64,
    /// Results by window, then by width, in the order asked for.
    pub rows: Vec<CollisionRow>,
    /// Widths asked for that the keys do not have.
    pub left_out: Vec<u32>,
}

impl Collisions {
    /// Returns the worst verdict of all rows.
    pub fn verdict(&self) -> AuditVerdict {
        self.rows.iter().map(|row| row.verdict).max().unwrap_or(AuditVerdict::Sound)
    }
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
                let expected = expected_lost(n, part.bits);
                CollisionRow { part, expected, verdict: verdict(n, expected, &lost, band), lost, band: band.clone() }
            });
            let (scheme, rows) = (scheme.name.to_string(), rows.collect());
            let left_out = options.widths.iter().copied().filter(|&bits| bits > key_bits).collect();
            results[number] = Some(Collisions { scheme, seeds, key_bits, policy, positions: n, rows, left_out });
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
