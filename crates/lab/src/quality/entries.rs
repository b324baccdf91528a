//! Entries of a key table as a flat list, each with its name.
//!
//! The list has the entries that the scheme draws: one per piece and square, and those of rights, en passant, side and
//! clock. It omits entries that are zero by definition or the xor of other entries (as for sets of rights under `c4`).

use perft_gate_zobrist::{Axes, Combine, KeyTables, Scheme, SchemeError, Term};

/// An entry and its meaning.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TableEntry {
    pub term: Term,
    /// The bits of the entry. If keys have two parts, the bits of the second part are above those of the first.
    pub bits: u128,
}

/// All entries of a scheme.
#[derive(Clone, Debug)]
pub struct TableEntries {
    /// Entries: White P N B R Q K, then Black's, each from a1 to h8; then rights, en passant, side and clock.
    pub entries: Vec<TableEntry>,
    pub axes: Axes,
}

impl TableEntries {
    /// Draws the entries of a scheme from a seed. **Errors**: if the scheme has no keys, or sums entries in two parts.
    pub fn from_scheme(scheme: &Scheme, seed: u64) -> Result<TableEntries, SchemeError> {
        match scheme.axes.zip(scheme.key_tables(seed)) {
            Some((axes, key_tables)) => TableEntries::new(&axes, &key_tables),
            None => Err(format!("found '{}', expected a single scheme with keys", scheme.name).into()),
        }
    }

    /// Returns the entries of key tables with these axes. **Errors**: if keys are sums in two separate parts.
    pub fn new(axes: &Axes, key_tables: &KeyTables) -> Result<TableEntries, SchemeError> {
        if axes.combine == Combine::Add && key_tables.parts.len() > 1 {
            let width = axes.width.name();
            let expected = "expected sums in one part: width=32, 48 or 64";
            return Err(format!("found sums of width={width}, {expected}").into());
        }
        let entry = |term: Term| {
            let parts = key_tables.parts.iter().enumerate();
            let bits = parts.fold(0, |bits, (part, table)| bits | u128::from(table.entry(term)) << (64 * part));
            TableEntry { term, bits }
        };
        Ok(TableEntries { entries: Term::all_pieces().chain(axes.state_terms()).map(entry).collect(), axes: *axes })
    }

    /// Returns the number of bits of an entry.
    pub fn bits(&self) -> u32 {
        self.axes.width.bits()
    }

    pub fn bits_of_entries(&self) -> Vec<u128> {
        self.entries.iter().map(|entry| entry.bits).collect()
    }
}

#[cfg(test)]
mod tests {
    use crate::quality::tests::list;

    #[test]
    fn a_list_has_the_entries_that_its_scheme_draws() {
        for (name, entries, in_play) in [
            ("cpw781", 781, 749),
            ("cpw793", 793, 761),
            ("ep=e9", 794, 762),
            ("ep=e64", 849, 769),
            ("rustic803", 803, 771),
            ("rustic851", 851, 771),
            ("polyglot", 781, 749),
            ("rustic-c5", 792, 760),
            ("rotate", 793, 761),
            ("dual32", 793, 761),
            ("clock=14by8", 808, 776),
            ("cpw781,clock=20by10", 792, 760),
        ] {
            let list = list(name);
            let playing = list.entries.iter().filter(|entry| entry.term.is_in_play()).count();
            assert_eq!((list.entries.len(), playing, list.bits()), (entries, in_play, 64), "{name}");
            let mut names: Vec<String> = list.entries.iter().map(|entry| entry.term.to_string()).collect();
            names.sort_unstable();
            names.dedup();
            assert_eq!(names.len(), entries, "{name}: two entries of one name");
        }
    }
}
