//! The table of presets, with one line per scheme.
//!
//! A line gives the name, seven axes (no preset has clock keys), the source of the keys and a description. It defines:
//! - the scheme in [`PRESETS`], which every subcommand and every test runs over;
//! - a dedicated tracker ([`Scheme::visit_own`]). The entries of the line are its type parameters, so it cannot
//!   disagree with the axes (the entry for pieces also names a type). A combination without a name gets the tracker of
//!   a line if only the numbers in their key tables differ (e.p. keys, side, width of a sum, `c4x16`);
//! - for `cpw793`: [`Axes::CPW793`] (the default of every axis), and the tracker for verification ([`Scheme::visit`])
//!   and for the 128-bit keys of position tables ([`visit_fingerprint`]);
//! - the golden keys: the rows of this name in `goldens.tsv`, which `ci/gate/goldens.py` computes from the definitions
//!   alone. A test fails for a line without golden keys.

use crate::axes::{Axes, Castling, ClockKeys, Combine, EnPassantKeys, Pieces, SchemeError, Side, Width};
use crate::combined::{ListTracker, TrackedKeys, TwoHalfTracker};
use crate::generate::{self, Streams};
use crate::key_table::{KeyTable, KeyTables};
use crate::pieces::{
    Compact, Composite, Computed, FullTable as Bch, FullTable as Table, Gf64, OverlapBits, OverlapBytes, PieceKeys,
    Rotate,
};
use crate::scheme::{Origin, Scheme, SchemeVisitor};
use crate::tracker::{StaticTracker, TableTracker};
use perft_gate_chess::EnPassantPolicy;
use perft_gate_simd::Level;
use std::borrow::Cow;
use std::sync::Arc;

macro_rules! presets {
    (
        keyless { $none:literal $about_none:literal; }
        keyed {
            $($name:tt
                $pieces:ident $castling:ident $en_passant:ident $policy:ident $side:ident $combine:ident $width:ident
                $origin:ident $about:literal;)*
        }
        nameless { $($more_pieces:ident $more_castling:ident $more_policy:ident $more_combine:ident $more_clock:ident;)* }
    ) => {
        /// Every preset.
        pub static PRESETS: [Scheme; 1 + [$($name),*].len()] = [
            Scheme::preset($none, None, Origin::Seeded, $about_none),
            $(Scheme::preset(
                $name,
                Some(presets!(@axes $pieces $castling $en_passant $policy $side $combine $width)),
                Origin::$origin,
                $about,
            ),)*
        ];

        $(presets!(@default $name $pieces $castling $en_passant $policy $side $combine $width);)*

        impl Scheme {
            /// Runs `visitor` with the scheme's dedicated tracker, or with the data-driven one if there is none.
            pub fn visit_own<V: SchemeVisitor>(&self, seed: u64, visitor: V) -> V::Output {
                let Some((tables, axes)) = self.shared_tables(seed).zip(self.axes) else { return visitor.visit(()) };
                let (first, streams) = (&tables.parts[0], Streams { seed, part: 0 });
                let mut compact = Compact::default();
                $(presets!(@own (&axes, &tables, first, streams, compact, visitor) $pieces $castling $policy $combine NoClock);)*
                $(presets!(
                    @own (&axes, &tables, first, streams, compact, visitor)
                    $more_pieces $more_castling $more_policy $more_combine $more_clock
                );)*
                match default_in_two(&tables) {
                    Some(tracker) => visitor.visit(tracker),
                    None => self.visit_dynamic_over(&tables, visitor),
                }
            }
        }
    };
    (@axes $pieces:ident $castling:ident $en_passant:ident $policy:ident $side:ident $combine:ident $width:ident) => {
        Axes {
            pieces: Pieces::$pieces,
            castling: Castling::$castling,
            en_passant: EnPassantKeys::$en_passant,
            policy: EnPassantPolicy::$policy,
            side: Side::$side,
            combine: Combine::$combine,
            width: Width::$width,
            clock: ClockKeys::None,
        }
    };
    (@default "cpw793" $pieces:ident $castling:ident $en_passant:ident $policy:ident $side:ident $combine:ident $width:ident) => {
        impl Axes {
            /// The default, from the Chess Programming Wiki: a table of piece keys, a key per set of rights, per e.p.
            /// file, and for Black.
            pub const CPW793: Axes = presets!(@axes $pieces $castling $en_passant $policy $side $combine $width);
        }

        /// The tracker of the default scheme.
        type DefaultTracker<'w> = presets!(@tracker 'w, $pieces<'w>, $castling $policy $combine NoClock);
    };
    (@default $($other:tt)*) => {};
    (@NoClock) => { false };
    (@Clock) => { true };
    (@tracker $life:lifetime, $pieces:ty, $castling:ident $policy:ident $combine:ident $clock:ident) => {
        StaticTracker<
            $life,
            $pieces,
            { Castling::$castling as usize },
            { EnPassantPolicy::$policy as usize },
            { matches!(Combine::$combine, Combine::Add) },
            { presets!(@$clock) },
        >
    };
    (
        @own ($axes:expr, $tables:expr, $first:expr, $streams:expr, $compact:ident, $visitor:ident)
        $pieces:ident $castling:ident $policy:ident $combine:ident $clock:ident
    ) => {
        {
            type Own<'w, P> = presets!(@tracker 'w, P, $castling $policy $combine $clock);
            if Own::<$pieces>::follows($axes, $tables) {
                $pieces::draw(&mut $compact, $streams.draw(Streams::PIECES));
                return $visitor.visit(Own::new($first, $pieces::over($first, &$compact)));
            }
        }
    };
}

presets! {
    keyless { "none" "no key: the baseline"; }
    keyed {
        // name         pieces       castling e.p. policy side combine width keys
        "cpw781"        Table        C4  E8  Legal  S1  Xor W64   Seeded   "Chess Programming Wiki, a key per right";
        "cpw793"        Table        C16 E8  Legal  S1  Xor W64   Seeded   "Chess Programming Wiki, a key per set of rights (the default)";
        "rustic803"     Table        C16 E17 Always S2  Xor W64   Rustic   "Rustic's book; published generator";
        "rustic851"     Table        C16 E65 Always S2  Xor W64   Rustic   "Rustic up to 3.0.0; published generator and order";
        "rustic-c5"     Table        C5  E17 Always S2  Xor W64   Rustic   "Rustic's book, castling key for no rights";
        "polyglot"      Table        C4  E8  Pseudo S1w Xor W64   Polyglot "the 781 published keys of the Polyglot book format";
        "rotate"        Rotate       C16 E8  Legal  S1  Xor W64   Seeded   "rotated keys, Wegner 2009";
        "overlap-bytes" OverlapBytes C16 E8  Legal  S1  Xor W64   Seeded   "overlapping bytes, Gemma 2009";
        "overlap-bits"  OverlapBits  C16 E8  Legal  S1  Xor W64   Seeded   "overlapping bits, Gemma 2009";
        "gf64"          Gf64         C16 E8  Legal  S1  Xor W64   Seeded   "multiples in GF(2^64): linear hashing";
        "bch"           Bch          C4  E8  Legal  S1  Xor W64   Seeded   "BCH code, Warnock and Wendroff 1988";
        "composite"     Composite    C16 E8  Legal  S1  Xor W64   Seeded   "piece key plus square key, talkchess 44043";
        "computed"      Computed     C16 E8  Legal  S1  Xor W64   Seeded   "a finaliser instead of a table, talkchess 58890";
        "additive48"    Table        C16 E8  Legal  S1  Add W48   Seeded   "sums of 48 bits, p4wn";
        "dual32"        Table        C16 E8  Legal  S1  Xor W2x32 Seeded   "two keys of 32 bits, Garbochess-JS";
    }
    // Trackers for combinations that have no name. `perft compare` needs them to measure the cost of a single axis.
    nameless {
        Table C16 Pseudo Xor NoClock;
        Table C5 Legal Xor NoClock;
        Table C16 Legal Xor Clock;
    }
}

/// Every preset that has a key. The gate verifies them together.
pub static ALL: Scheme = Scheme::preset("all", None, Origin::All, "every preset");

/// Returns the presets that have a key and use this policy, in order.
pub fn presets_of_policy(policy: EnPassantPolicy) -> Vec<&'static Scheme> {
    PRESETS.iter().filter(|scheme| scheme.number_of_keys() > 0 && scheme.policy() == policy).collect()
}

/// Runs `visitor` with one tracker that keeps the keys of all presets of a policy, so that they share a single walk.
/// Part `i` is the key of preset `i` of [`presets_of_policy`].
///
/// Schemes of different policies cannot share a walk, because the FEN of a round trip (V6) depends on the policy.
pub fn visit_presets<V: SchemeVisitor>(policy: EnPassantPolicy, seed: u64, visitor: V) -> V::Output {
    let schemes = presets_of_policy(policy);
    let tables: Vec<Arc<KeyTables>> = schemes.iter().filter_map(|scheme| scheme.shared_tables(seed)).collect();
    let of = |at: usize| {
        let [table] = &tables[at].parts[..] else { unreachable!("a preset has one part") };
        (table, schemes[at].axes.expect("axes, since there are keys").castling)
    };
    let mut keys = TrackedKeys::new(&tables[0], of(0).1);
    for (table, castling) in (1..tables.len()).map(of) {
        keys.push(Some(table), castling);
    }
    visitor.visit(ListTracker::new(&keys))
}

/// Returns the preset of this name.
pub fn preset(name: &str) -> Option<&'static Scheme> {
    PRESETS.iter().find(|preset| preset.name == name)
}

impl Scheme {
    /// Parses a preset's name or a combination: `axis=value,…` changes axes of `cpw793`, or of the preset whose name
    /// precedes it.
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
            _ => return Err(format!("found '{text}', expected one of {}, or axis=value,…", known()).into()),
        };
        let axes = match base.axes {
            Some(axes) if !base.is_fixed() => axes.set(changes)?,
            _ => return Err(format!("the keys of {} are fixed, expected the scheme without changes", base.name).into()),
        };
        match axes.refusal() {
            Some(error) if !allow_weak || matches!(error, SchemeError::Meaningless(_)) => Err(error),
            _ => Ok(Scheme { name: Cow::Owned(text.to_string()), ..Scheme::of_axes(axes) }),
        }
    }

    /// Runs `visitor` with the tracker for verification: the dedicated one if the scheme is `cpw793` and the level is
    /// the common one, otherwise the data-driven one.
    pub fn visit<V: SchemeVisitor>(&self, level: Level, seed: u64, visitor: V) -> V::Output {
        match (self.shared_tables(seed), self.axes) {
            (Some(tables), Some(Axes::CPW793)) if level.is_common() && !self.is_fixed() => {
                visitor.visit(default_tracker(&tables.parts[0]))
            }
            (Some(tables), Some(axes)) if tables.parts.len() == 1 && !tables.have_clock() => {
                visitor.visit(TableTracker::new(&tables.parts[0], axes.castling))
            }
            _ => self.visit_several(seed, &[], visitor),
        }
    }

    /// Runs `visitor` with the tracker for unverified keys. On the common level, a scheme whose one or two tables fit
    /// the tracker of `cpw793` gets it. All others get the data-driven tracker. **Panics** for the `none` scheme.
    pub fn visit_fast<V: SchemeVisitor>(&self, level: Level, seed: u64, visitor: V) -> V::Output {
        let tables = self.shared_tables(seed).expect("a scheme with a key");
        match (&tables.parts[..], default_in_two(&tables)) {
            ([table], _) if level.is_common() && fits_default(table) => visitor.visit(default_tracker(table)),
            (_, Some(tracker)) if level.is_common() => visitor.visit(tracker),
            _ => self.visit_dynamic_over(&tables, visitor),
        }
    }

    /// Like [`Scheme::visit_fast`] for two-part keys, but does not compile the visitor for trackers of one-part keys.
    pub fn visit_fast_in_two<V: SchemeVisitor>(&self, level: Level, seed: u64, visitor: V) -> V::Output {
        let tables = self.shared_tables(seed).filter(|_| level.is_common());
        match tables.as_deref().and_then(default_in_two) {
            Some(tracker) => visitor.visit(tracker),
            None => self.visit_several(seed, &[], visitor),
        }
    }
}

/// Returns true if the default's tracker can keep the keys of this table. Pieces and rights always fit: a table has a
/// key for each piece on each square, and for each set of castling rights.
fn fits_default(table: &KeyTable) -> bool {
    table.combine == Combine::Xor && table.policy == EnPassantPolicy::Legal && table.mask == !0 && table.clock.is_none()
}

fn default_tracker(table: &KeyTable) -> DefaultTracker<'_> {
    DefaultTracker::new(table, Table(&table.pieces))
}

/// Returns the tracker of a two-part key if both parts fit the tracker of the default scheme.
fn default_in_two(tables: &KeyTables) -> Option<TwoHalfTracker<DefaultTracker<'_>>> {
    let [low, high] = &tables.parts[..] else { return None };
    let is_fitting = fits_default(low) && fits_default(high);
    is_fitting.then(|| TwoHalfTracker { low: default_tracker(low), high: default_tracker(high) })
}

/// Runs `visitor` with a key of two parts. In each part, every feature of a position that affects its moves has a
/// separate random number.
///
/// Two different positions with the same side to move differ in at least one of these numbers, which are drawn
/// independently. So when the numbers are drawn at random, the probability that the two keys agree in a part is exactly
/// 2^-64, independently of the other part.
pub fn visit_fingerprint<V: SchemeVisitor>(level: Level, seed: u64, visitor: V) -> V::Output {
    let key_tables = generate::from_seed(&Axes { width: Width::W128, ..Axes::CPW793 }, seed);
    let [low, high] = &key_tables.parts[..] else { unreachable!("128 bits are two parts") };
    if level.is_common() {
        visitor.visit(TwoHalfTracker { low: default_tracker(low), high: default_tracker(high) })
    } else {
        let [low, high] = [low, high].map(|table| TableTracker::new(table, Castling::C16));
        visitor.visit(TwoHalfTracker { low, high })
    }
}
