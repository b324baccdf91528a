//! A scheme: a [preset](crate::presets), another combination of axes, or the keys of a file.

use crate::axes::{Axes, Castling, ClockKeys, SchemeError, Width};
use crate::combined::{ListTracker, TrackedKeys};
use crate::generate;
use crate::import::Import;
use crate::key_table::{Key, KeyTables, Secondary};
use crate::tracker::{TableTracker, Tracker};
use perft_gate_chess::EnPassantPolicy;
use std::borrow::Cow;
use std::sync::{Arc, Mutex, PoisonError};

/// Work that is generic over the tracker of a scheme.
pub trait SchemeVisitor {
    type Output;
    /// Does the work with the scheme's tracker.
    fn visit<T: Tracker>(self, tracker: T) -> Self::Output;
}

/// The source of a scheme's keys.
#[derive(Clone, Debug)]
pub(super) enum Origin {
    /// Drawn from the random streams of a seed.
    Seeded,
    /// Drawn by Rustic's published generator.
    Rustic,
    /// Published in the specification of the Polyglot book format.
    Polyglot,
    /// Read from a file.
    Imported(Import),
    /// All presets together. This scheme has no keys of its own.
    All,
}

/// A hashing scheme.
#[derive(Clone, Debug)]
pub struct Scheme {
    /// Name in kebab-case, the same everywhere. A combination of axes is named by listing its axes.
    pub name: Cow<'static, str>,
    /// One line of description.
    pub about: &'static str,
    /// Axes; `None` for the schemes `none` and `all`.
    pub axes: Option<Axes>,
    pub(crate) origin: Origin,
    pub(crate) drawn: Drawn,
}

/// The key tables for the most recent seed. They are kept so that a run of a million positions draws them only once.
#[derive(Debug, Default)]
pub(crate) struct Drawn(Mutex<Option<(u64, Arc<KeyTables>)>>);

/// A clone may get other axes, so it draws its tables again.
impl Clone for Drawn {
    fn clone(&self) -> Drawn {
        Drawn::default()
    }
}

impl Scheme {
    /// Makes a row of the table of presets.
    pub(super) const fn preset(name: &'static str, axes: Option<Axes>, origin: Origin, about: &'static str) -> Scheme {
        Scheme { name: Cow::Borrowed(name), about, axes, origin, drawn: Drawn(Mutex::new(None)) }
    }

    /// Makes the scheme of these axes, which must be a valid combination.
    pub fn of_axes(axes: Axes) -> Scheme {
        Scheme::preset("", Some(axes), Origin::Seeded, "a combination of axes")
    }

    /// Returns the same scheme with keys of another width.
    ///
    /// **Errors**: the key table is fixed, or the scheme exists in one width only.
    pub fn with_width(&self, width: Width) -> Result<Scheme, SchemeError> {
        let Some(axes) = self.axes.filter(|_| !self.is_fixed()) else {
            return Err(format!("found {}, expected a scheme whose keys are drawn from a seed", self.name).into());
        };
        let axes = Axes { width, ..axes };
        match axes.refusal() {
            Some(error @ SchemeError::Meaningless(_)) => Err(error),
            _ => {
                let name = format!("{},width={}", self.name, width.name());
                Ok(Scheme { name: Cow::Owned(name), axes: Some(axes), ..self.clone() })
            }
        }
    }

    /// Makes a scheme from the keys of a file.
    pub fn imported(import: Import) -> Scheme {
        let (name, axes) = (Cow::Owned(format!("imported-{}", import.layout)), Some(import.axes));
        Scheme { name, ..Scheme::preset("", axes, Origin::Imported(import), "keys from a file") }
    }

    /// Returns true for [`ALL`](super::ALL).
    pub fn is_all(&self) -> bool {
        matches!(self.origin, Origin::All)
    }

    /// Returns the number of keys in the scheme's tables, counting both halves of a wide key.
    pub fn number_of_keys(&self) -> usize {
        self.axes.map_or(0, |axes| axes.number_of_keys() * axes.width.parts())
    }

    /// Returns true if the keys include the halfmove clock, so that one position can have several keys.
    pub fn has_clock(&self) -> bool {
        self.axes.is_some_and(|axes| axes.clock != ClockKeys::None)
    }

    /// Returns the policy that decides when the e.p. square counts.
    pub fn policy(&self) -> EnPassantPolicy {
        self.axes.map_or(EnPassantPolicy::Legal, |axes| axes.policy)
    }

    /// Returns true if no seed changes the keys: the table is published or read from a file, or there is none.
    pub fn is_fixed(&self) -> bool {
        !self.is_all() && (self.axes.is_none() || !matches!(self.origin, Origin::Seeded))
    }

    /// Writes a key with one hexadecimal digit per four bits of the scheme's width.
    pub fn text(&self, key: Key) -> String {
        let bits = self.axes.map_or(64, |axes| axes.width.bits());
        format!("{:0digits$x}", key.0, digits = bits as usize / 4)
    }

    /// Returns the key for seed 0 that `ci/gate/goldens.py` computed from the definitions; `None` for most positions.
    pub fn golden(&self, fen: &str) -> Option<&'static str> {
        let before = format!("{}\t{fen}\t", self.name);
        include_str!("goldens.tsv").lines().find_map(|line| line.strip_prefix(&*before))
    }

    /// Draws the key tables for a seed; `None` for the schemes `none` and `all`.
    pub fn key_tables(&self, seed: u64) -> Option<KeyTables> {
        let axes = self.axes?;
        Some(match &self.origin {
            Origin::Seeded => generate::from_seed(&axes, seed),
            Origin::Rustic => generate::rustic(&axes),
            Origin::Polyglot => generate::imported(&axes, generate::POLYGLOT.to_vec(), generate::POLYGLOT_ROWS),
            Origin::Imported(import) => import.key_tables(),
            Origin::All => return None,
        })
    }

    /// Returns the key tables for a seed, drawn once for all positions of a run.
    pub fn shared_tables(&self, seed: u64) -> Option<Arc<KeyTables>> {
        let mut last = self.drawn.0.lock().unwrap_or_else(PoisonError::into_inner);
        if last.as_ref().is_none_or(|(drawn, _)| *drawn != seed) {
            *last = Some((seed, Arc::new(self.key_tables(seed)?)));
        }
        last.as_ref().map(|(_, tables)| tables.clone())
    }

    /// Runs `visitor` with the data-driven tracker of the scheme's key tables, or without a key if the scheme has none.
    pub fn visit_dynamic<V: SchemeVisitor>(&self, seed: u64, visitor: V) -> V::Output {
        match self.shared_tables(seed) {
            None => visitor.visit(()),
            Some(key_tables) => self.visit_dynamic_over(&key_tables, visitor),
        }
    }

    /// Runs `visitor` with the data-driven tracker of these tables.
    pub fn visit_dynamic_over<V: SchemeVisitor>(&self, key_tables: &KeyTables, visitor: V) -> V::Output {
        let castling = self.axes.expect("axes, since there are keys").castling;
        match &key_tables.parts[..] {
            [table] if table.clock.is_none() => visitor.visit(TableTracker::new(table, castling)),
            _ => visitor.visit(ListTracker::new(&TrackedKeys::new(key_tables, castling))),
        }
    }

    /// Runs `visitor` with a tracker of the position's key, if any, and the `wanted` secondary keys.
    pub fn visit_several<V: SchemeVisitor>(&self, seed: u64, wanted: &[Secondary], visitor: V) -> V::Output {
        self.with_keys(seed, wanted, |keys| visitor.visit(ListTracker::new(keys)))
    }

    /// Runs `work` with the keys to track: the position's key and the `wanted` secondary keys.
    pub fn with_keys<R>(&self, seed: u64, wanted: &[Secondary], work: impl FnOnce(&TrackedKeys<'_>) -> R) -> R {
        let Some((tables, axes)) = self.shared_tables(seed).zip(self.axes) else {
            return work(&TrackedKeys::default());
        };
        let secondary = Secondary::tables(wanted, &tables);
        let mut keys = TrackedKeys::new(&tables, axes.castling);
        for table in secondary.iter().filter(|_| !wanted.is_empty()) {
            keys.push(table.as_ref(), Castling::C16);
        }
        work(&keys)
    }
}
