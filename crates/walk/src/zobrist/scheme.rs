//! The schemes: presets with names, and any other combination of axes.

use super::axes::{Axes, Castling, Combine, EnPassantWords, Pieces, Refusal, Side, Width};
use super::combined::{ListTracker, TrackedKeys};
use super::pieces::{Compact, Composite, Computed, FullTable, Gf64, OverlapBits, OverlapBytes, Rotate};
use super::polyglot::RANDOM;
use super::tracker::{
    AlwaysPolicy, LegalPolicy, PseudoPolicy, Rights, RightsBySet, RightsOneByOne, RightsOneByOneOrNone,
};
use super::{Import, Key, KeyTable, KeyTables, Secondary, StaticTracker, TableTracker, Tracker, generate};
use crate::chess::EnPassantPolicy;
use perft_gate_simd::Level;
use std::borrow::Cow;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

/// Work that is generic over the tracker of a scheme.
pub trait SchemeVisitor {
    /// The result.
    type Output;
    /// Does the work with the scheme's tracker.
    fn visit<T: Tracker>(self, tracker: T) -> Self::Output;
}

/// The source of a scheme's keys.
#[derive(Clone, Debug)]
enum Origin {
    Seeded,
    Rustic,
    Polyglot,
    Imported(Import),
    /// Every preset, without keys of its own.
    All,
}

/// A hashing scheme.
#[derive(Clone, Debug)]
pub struct Scheme {
    /// Name in kebab-case, the same everywhere; the axes, for a combination.
    pub name: Cow<'static, str>,
    /// One line of description.
    pub about: &'static str,
    /// Axes; `None` for the scheme `none`.
    pub axes: Option<Axes>,
    origin: Origin,
    drawn: Drawn,
}

/// The key tables of the seed that was asked for last, so that a run of a million rows draws them once.
#[derive(Debug, Default)]
struct Drawn(Mutex<Option<(u64, Arc<KeyTables>)>>);

impl Drawn {
    const fn nothing() -> Drawn {
        Drawn(Mutex::new(None))
    }

    fn tables(&self, seed: u64, draw: impl FnOnce() -> Option<KeyTables>) -> Option<Arc<KeyTables>> {
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if last.as_ref().is_none_or(|(drawn, _)| *drawn != seed) {
            *last = Some((seed, Arc::new(draw()?)));
        }
        last.as_ref().map(|(_, tables)| tables.clone())
    }
}

/// A copy may get other axes: it draws for itself.
impl Clone for Drawn {
    fn clone(&self) -> Drawn {
        Drawn::nothing()
    }
}

const CPW: Axes = Axes::CPW793;
const RUSTIC: Axes = Axes { en_passant: EnPassantWords::E17, policy: EnPassantPolicy::Always, side: Side::S2, ..CPW };

const fn named(name: &'static str, axes: Axes, origin: Origin, about: &'static str) -> Scheme {
    Scheme { name: Cow::Borrowed(name), about, axes: Some(axes), origin, drawn: Drawn::nothing() }
}

const fn keyless(name: &'static str, origin: Origin, about: &'static str) -> Scheme {
    Scheme { name: Cow::Borrowed(name), about, axes: None, origin, drawn: Drawn::nothing() }
}

const fn seeded(name: &'static str, axes: Axes, about: &'static str) -> Scheme {
    named(name, axes, Origin::Seeded, about)
}

const fn pieces(pieces: Pieces) -> Axes {
    Axes { pieces, ..CPW }
}

/// Every preset. A new scheme is a line here, and one in `ci/goldens.py`.
pub static PRESETS: [Scheme; 16] = [
    keyless("none", Origin::Seeded, "no key: the baseline"),
    seeded("cpw781", Axes { castling: Castling::C4, ..CPW }, "Chess Programming Wiki, a word per right"),
    seeded("cpw793", CPW, "Chess Programming Wiki, a word per set of rights (the default)"),
    named("rustic803", RUSTIC, Origin::Rustic, "Rustic's book; published generator"),
    named(
        "rustic851",
        Axes { en_passant: EnPassantWords::E65, ..RUSTIC },
        Origin::Rustic,
        "Rustic up to 3.0.0; published generator and order",
    ),
    named("rustic-c5", Axes { castling: Castling::C5, ..RUSTIC }, Origin::Rustic, "Rustic's book, a word for no right"),
    named(
        "polyglot",
        Axes { castling: Castling::C4, policy: EnPassantPolicy::Pseudo, side: Side::S1w, ..CPW },
        Origin::Polyglot,
        "the 781 published words of the Polyglot book format",
    ),
    seeded("rotate", pieces(Pieces::Rotate), "rotated words, Wegner 2009"),
    seeded("overlap-bytes", pieces(Pieces::OverlapBytes), "overlapping bytes, Gemma 2009"),
    seeded("overlap-bits", pieces(Pieces::OverlapBits), "overlapping bits, Gemma 2009"),
    seeded("gf64", pieces(Pieces::Gf64), "multiples in GF(2^64): linear hashing"),
    seeded("bch", Axes { castling: Castling::C4, ..pieces(Pieces::Bch) }, "BCH code, Warnock and Wendroff 1988"),
    seeded("composite", pieces(Pieces::Composite), "piece word plus square word, talkchess 44043"),
    seeded("computed", pieces(Pieces::Computed), "a finaliser instead of a table, talkchess 58890"),
    seeded("additive48", Axes { combine: Combine::Add, width: Width::W48, ..CPW }, "sums of 48 bits, p4wn"),
    seeded("dual32", Axes { width: Width::W2x32, ..CPW }, "two keys of 32 bits, Garbochess-JS"),
];

/// Every preset that has a key, verified together by the gate.
pub static ALL: Scheme = keyless("all", Origin::All, "every preset");

/// The preset of this name.
pub fn preset(name: &str) -> Option<&'static Scheme> {
    PRESETS.iter().find(|preset| preset.name == name)
}

/// Why a text names no scheme.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SchemeError {
    /// It is no preset and no list of axes: what was found, what was expected.
    Unknown(String),
    /// A weak combination, which runs as an exhibit if that is asked for.
    Weak(&'static str),
    /// A combination that does not exist.
    Meaningless(&'static str),
}

impl fmt::Display for SchemeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SchemeError::Unknown(text) => f.write_str(text),
            SchemeError::Weak(reason) => {
                write!(f, "found a weak combination, expected a sound one or --allow-weak: {reason}")
            }
            SchemeError::Meaningless(reason) => write!(f, "found a combination that does not exist: {reason}"),
        }
    }
}

impl std::error::Error for SchemeError {}

impl Scheme {
    /// A preset by name, or a combination: `axis=value,…` changes axes of `cpw793`, after a preset's name those of the
    /// preset.
    pub fn parse(text: &str, allow_weak: bool) -> Result<Scheme, SchemeError> {
        if let Some(preset) = preset(text) {
            return Ok(preset.clone());
        }
        let (base, changes) = match text.split_once(',') {
            Some((name, changes)) if !name.contains('=') => (name, changes),
            _ => ("cpw793", text),
        };
        let known = || PRESETS.iter().map(|preset| &*preset.name).collect::<Vec<_>>().join(", ");
        let base = match preset(base) {
            Some(base) if changes.contains('=') => base,
            _ => {
                let expected = format!("one of {}, or axis=value,…", known());
                return Err(SchemeError::Unknown(format!("found '{text}', expected {expected}")));
            }
        };
        let axes = match base.axes {
            Some(axes) if !base.is_fixed() => axes.set(changes).map_err(SchemeError::Unknown)?,
            _ => {
                let message = format!("found changes to {}, expected none: its words are fixed", base.name);
                return Err(SchemeError::Unknown(message));
            }
        };
        match axes.refusal() {
            Some(Refusal::Meaningless(reason)) => return Err(SchemeError::Meaningless(reason)),
            Some(Refusal::Weak(reason)) if !allow_weak => return Err(SchemeError::Weak(reason)),
            _ => {}
        }
        Ok(Scheme { name: Cow::Owned(text.to_string()), ..Scheme::of_axes(axes) })
    }

    /// Makes the scheme of these axes, which must exist.
    pub fn of_axes(axes: Axes) -> Scheme {
        named("", axes, Origin::Seeded, "a combination of axes")
    }

    /// Returns the same scheme with keys of another width.
    ///
    /// **Errors**: its key table is fixed, or it exists in one width only.
    pub fn with_width(&self, width: Width) -> Result<Scheme, SchemeError> {
        let Some(axes) = self.axes.filter(|_| !self.is_fixed()) else {
            let message = format!("found {}, expected a scheme whose words are drawn", self.name);
            return Err(SchemeError::Unknown(message));
        };
        let axes = Axes { width, ..axes };
        match axes.refusal() {
            Some(Refusal::Meaningless(reason)) => Err(SchemeError::Meaningless(reason)),
            _ => {
                let name = format!("{},width={}", self.name, width.name());
                Ok(Scheme { name: Cow::Owned(name), axes: Some(axes), ..self.clone() })
            }
        }
    }

    /// The scheme of a file's words.
    pub fn imported(import: Import) -> Scheme {
        let layout = import.layout;
        Scheme {
            name: Cow::Owned(format!("imported-{}", layout.name())),
            about: "words from a file",
            axes: Some(layout.axes()),
            origin: Origin::Imported(import),
            drawn: Drawn::nothing(),
        }
    }

    /// Returns true for [`ALL`].
    pub fn is_all(&self) -> bool {
        matches!(self.origin, Origin::All)
    }

    /// Number of keys in its tables, both halves of a wide key counted.
    pub fn number_of_keys(&self) -> usize {
        self.axes.map_or(0, |axes| axes.number_of_keys() * axes.width.lanes())
    }

    /// Returns the policy that says when the e.p. square counts.
    pub fn policy(&self) -> EnPassantPolicy {
        self.axes.map_or(EnPassantPolicy::Legal, |axes| axes.policy)
    }

    /// Returns true if its key table is published or given, so that no seed changes it.
    pub fn is_fixed(&self) -> bool {
        !self.is_all() && (self.axes.is_none() || !matches!(self.origin, Origin::Seeded))
    }

    /// Writes a key with as many hexadecimal digits as the scheme has bits.
    pub fn text(&self, key: Key) -> String {
        let bits = self.axes.map_or(64, |axes| axes.width.bits());
        format!("{:0digits$x}", key.0, digits = bits as usize / 4)
    }

    /// Returns the key of a position for seed 0, as `ci/goldens.py` computed it from the definitions; not every position is there.
    pub fn golden(&self, fen: &str) -> Option<&'static str> {
        let lines = include_str!("goldens.tsv").lines().map(|line| line.split('\t'));
        lines
            .filter_map(|mut fields| Some([fields.next()?, fields.next()?, fields.next()?]))
            .find_map(|[name, position, key]| (name == self.name && position == fen).then_some(key))
    }

    /// Draws the key tables for a seed; `None` for the scheme `none`.
    pub fn key_tables(&self, seed: u64) -> Option<KeyTables> {
        let axes = self.axes?;
        Some(match &self.origin {
            Origin::Seeded => generate::seeded(&axes, seed),
            Origin::Rustic => generate::rustic(&axes),
            Origin::Polyglot => generate::imported(&axes, RANDOM.to_vec(), generate::POLYGLOT_ROWS),
            Origin::Imported(import) => import.key_tables(),
            Origin::All => return None,
        })
    }

    /// Returns the key tables for a seed, drawn once for all rows of a run.
    pub fn shared_tables(&self, seed: u64) -> Option<Arc<KeyTables>> {
        self.drawn.tables(seed, || self.key_tables(seed))
    }

    /// Runs `visitor` with the tracker that verification uses: the default's own where that pays, else the data-driven one.
    pub fn visit<V: SchemeVisitor>(&self, level: Level, seed: u64, visitor: V) -> V::Output {
        match (self.shared_tables(seed), self.axes) {
            (Some(tables), Some(Axes::CPW793)) if level.is_common() && matches!(self.origin, Origin::Seeded) => {
                let words = &tables.lanes[0];
                visitor.visit(StaticTracker::<_, RightsBySet, LegalPolicy, false>::new(words, FullTable(&words.pieces)))
            }
            (Some(tables), Some(axes)) if tables.lanes.len() == 1 => {
                visitor.visit(TableTracker::new(&tables.lanes[0], axes.castling))
            }
            _ => self.visit_several(seed, &[], visitor),
        }
    }

    /// Runs `visitor` with the data-driven tracker of its key table, or with no key.
    pub fn visit_dynamic<V: SchemeVisitor>(&self, seed: u64, visitor: V) -> V::Output {
        match self.shared_tables(seed) {
            None => visitor.visit(()),
            Some(key_tables) => self.visit_dynamic_over(&key_tables, visitor),
        }
    }

    /// Runs `visitor` with the data-driven tracker of these tables.
    pub fn visit_dynamic_over<V: SchemeVisitor>(&self, key_tables: &KeyTables, visitor: V) -> V::Output {
        let castling = self.axes.expect("axes, since there are words").castling;
        match &key_tables.lanes[..] {
            [words] => visitor.visit(TableTracker::new(words, castling)),
            _ => visitor.visit(ListTracker::new(&TrackedKeys::of(key_tables, castling))),
        }
    }

    /// Runs `visitor` with the position's key and secondary keys in one list, which may be empty.
    pub fn visit_several<V: SchemeVisitor>(&self, seed: u64, wanted: &[Secondary], visitor: V) -> V::Output {
        self.with_keys(seed, wanted, |keys| visitor.visit(ListTracker::new(keys)))
    }

    /// Runs `work` with the list of the position's key and the secondary keys that are wanted.
    pub fn with_keys<R>(&self, seed: u64, wanted: &[Secondary], work: impl FnOnce(&TrackedKeys<'_>) -> R) -> R {
        let Some((tables, axes)) = self.shared_tables(seed).zip(self.axes) else { return work(&TrackedKeys::none()) };
        let secondary = Secondary::lanes(wanted, &tables);
        let mut keys = TrackedKeys::of(&tables, axes.castling);
        for table in secondary.iter().filter(|_| !wanted.is_empty()) {
            keys.push(table.as_ref(), Castling::C16);
        }
        work(&keys)
    }

    /// Runs `visitor` with the scheme's specialised tracker; where there is none, with the data-driven one.
    ///
    /// Axes that only change the keys (e.p., side, width of a single lane, `c4x16`) share a tracker.
    pub fn visit_own<V: SchemeVisitor>(&self, seed: u64, visitor: V) -> V::Output {
        match self.shared_tables(seed) {
            None => visitor.visit(()),
            Some(key_tables) => self.visit_over(&key_tables, seed, visitor),
        }
    }

    /// Runs `visitor` over these tables: the scheme's for this seed, or a damaged copy.
    pub fn visit_over<V: SchemeVisitor>(&self, key_tables: &KeyTables, seed: u64, visitor: V) -> V::Output {
        let axes = self.axes.expect("axes, since there are words");
        let rights = match axes.castling {
            Castling::C16 | Castling::C4x16 => Rights::Sets,
            Castling::C4 => Rights::Each,
            Castling::C5 => Rights::EachOrNone,
        };
        let words = &key_tables.lanes[0];
        let table = FullTable(&words.pieces);
        let is_plain = key_tables.lanes.len() == 1 && words.combine == Combine::Xor && words.mask == !0;
        // Imported and published words are tables, whatever the axis is called.
        let compact = Compact::draw(axes.pieces, generate::Streams { seed, lane: 0 });
        match axes.pieces {
            Pieces::FullTable | Pieces::Bch if is_plain => match (rights, axes.policy) {
                (Rights::Sets, EnPassantPolicy::Always) => {
                    visitor.visit(StaticTracker::<_, RightsBySet, AlwaysPolicy, false>::new(words, table))
                }
                (Rights::Sets, EnPassantPolicy::Pseudo) => {
                    visitor.visit(StaticTracker::<_, RightsBySet, PseudoPolicy, false>::new(words, table))
                }
                (Rights::Sets, EnPassantPolicy::Legal) => {
                    visitor.visit(StaticTracker::<_, RightsBySet, LegalPolicy, false>::new(words, table))
                }
                (Rights::Each, EnPassantPolicy::Pseudo) => {
                    visitor.visit(StaticTracker::<_, RightsOneByOne, PseudoPolicy, false>::new(words, table))
                }
                (Rights::Each, EnPassantPolicy::Legal) => {
                    visitor.visit(StaticTracker::<_, RightsOneByOne, LegalPolicy, false>::new(words, table))
                }
                (Rights::EachOrNone, EnPassantPolicy::Always) => {
                    visitor.visit(StaticTracker::<_, RightsOneByOneOrNone, AlwaysPolicy, false>::new(words, table))
                }
                (Rights::EachOrNone, EnPassantPolicy::Legal) => {
                    visitor.visit(StaticTracker::<_, RightsOneByOneOrNone, LegalPolicy, false>::new(words, table))
                }
                _ => self.visit_dynamic_over(key_tables, visitor),
            },
            Pieces::FullTable
                if axes.combine == Combine::Add
                    && key_tables.lanes.len() == 1
                    && axes.policy == EnPassantPolicy::Legal =>
            {
                visitor.visit(StaticTracker::<_, RightsBySet, LegalPolicy, true>::new(words, table))
            }
            axis if is_plain
                && axes.width == Width::W64
                && (rights, axes.policy) == (Rights::Sets, EnPassantPolicy::Legal) =>
            {
                match axis {
                    Pieces::OverlapBytes => visitor.visit(special(words, OverlapBytes(&compact.bytes))),
                    Pieces::OverlapBits => visitor.visit(special(words, OverlapBits(&compact.bits))),
                    Pieces::Rotate => visitor.visit(special(words, Rotate(&compact.codes))),
                    Pieces::Gf64 => visitor.visit(special(words, Gf64(&compact.codes))),
                    Pieces::Composite => visitor.visit(special(words, Composite(&compact.codes, &compact.squares))),
                    Pieces::Computed => visitor.visit(special(words, Computed(compact.seed))),
                    _ => self.visit_dynamic_over(key_tables, visitor),
                }
            }
            _ => self.visit_dynamic_over(key_tables, visitor),
        }
    }
}

/// The tracker of the default's axes with another pieces axis.
fn special<P: super::pieces::PieceKeys>(
    words: &KeyTable,
    pieces: P,
) -> StaticTracker<'_, P, RightsBySet, LegalPolicy, false> {
    StaticTracker::new(words, pieces)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Position;
    use crate::chess::{Board, Fen, MoveList};
    use crate::walk::Game;
    use perft_gate_simd::V1;

    /// Castling, captured rooks, promotions, e.p. captures that are legal, pinned or absent, and Chess960.
    const STARTS: [&str; 5] = [
        Fen::START,
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "bqnbnrkr/pppppppp/8/8/8/8/PPPPPPPP/BQNBNRKR w HFhf - 0 1",
    ];
    /// Long enough for every kind of move.
    const PLIES: usize = 120;

    /// Plays a game that `random` chooses; compares the key with a recompute from the board after every move and every null
    /// move, and with the key before after taking each back. Returns the number of comparisons.
    struct Play<R> {
        board: Board,
        random: R,
    }

    impl<R: FnMut() -> u64> SchemeVisitor for Play<R> {
        type Output = u64;
        fn visit<T: Tracker>(mut self, tracker: T) -> u64 {
            let (level, mut position, mut made) = (V1::token(), Position::new(self.board, tracker), Vec::new());
            let mut compared = 0;
            let mut compare = |position: &Position<T>| {
                compared += u64::from(position.key().is_some());
                assert_eq!(position.key(), position.recompute(), "{}", position.describe());
            };
            for _ in 0..PLIES {
                let mut moves = MoveList::default();
                position.moves(level, &mut moves);
                let Some(&mv) = moves.get((self.random)() as usize % moves.len().max(1)) else { break };
                if let Some(undo) = position.make_null(level) {
                    compare(&position);
                    position.unmake_null(undo);
                    compare(&position);
                }
                made.push((mv, position.play(level, mv)));
                compare(&position);
            }
            while let Some((mv, undo)) = made.pop() {
                position.unmake(level, mv, undo);
                compare(&position);
            }
            compared
        }
    }

    /// Verification uses the default's own tracker alone; this is the check of the others, whose cost is measured.
    #[test]
    fn every_own_tracker_follows_every_move() {
        let combinations = ["ep=e17,side=s2", "castling=c5", "castling=c4,policy=pseudo", "policy=always"];
        let combinations = combinations.map(|text| Scheme::parse(text, false).unwrap());
        let keyed = PRESETS.iter().filter(|scheme| scheme.number_of_keys() > 0);
        for scheme in keyed.chain(&combinations) {
            for (number, fen) in (0..).zip(STARTS) {
                let board = Fen::parse(fen).unwrap();
                let mut compared = 0;
                for game in 0..8 {
                    let random = generate::Streams { seed: 8 * number + game, lane: 0 }.draw(77);
                    compared += scheme.visit_own(number, Play { board, random });
                }
                assert!(compared > 500, "{} {fen}: {compared}", scheme.name);
            }
        }
    }
}
