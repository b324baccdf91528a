//! Numbers of a row of a key table that are not those expected: if most differ by one number, the fault is in what the row is
//! relative to, and those that do not are the others.

use crate::keys::composition::KeyComposition;
use crate::keys::parts::Part;
use crate::keys::piece_rows::most_common;

/// Maximum number of entries that are named.
const MAX_NAMED: usize = 3;

/// The numbers of a row that are not those expected.
#[derive(Default)]
pub(super) struct RowDifferences {
    /// Number of entries at fault.
    pub(super) odd: usize,
    pub(super) texts: Vec<String>,
}

impl RowDifferences {
    /// Finds the entries at fault, by what the numbers of a row differ from those expected. They may all be relative to the
    /// entry `base`.
    pub(super) fn of(
        known: &[(Part, u128)],
        (row, base): (&str, Option<String>),
        composition: KeyComposition,
        describe: impl Fn(Part) -> String,
    ) -> RowDifferences {
        let common = most_common(known.iter().map(|(_, difference)| *difference));
        let (common, agreeing) = common.filter(|(_, number)| 2 * number > known.len()).unwrap_or_default();
        let own = |difference| format!("{:016x}", composition.difference(difference, common));
        let (mut odd, mut texts) = match base {
            _ if common == 0 => (0, Vec::new()),
            Some(base) => (1, vec![format!("{base} differs by {}: {agreeing} others of its row agree", own(0))]),
            None => (agreeing, vec![format!("{row}: {agreeing} numbers differ by {common:016x}")]),
        };
        for &(part, difference) in known.iter().filter(|(_, difference)| *difference != common) {
            odd += 1;
            texts.push(match common {
                0 => describe(part),
                _ => format!("{part} differs by {}", own(difference)),
            });
        }
        RowDifferences { odd, texts }
    }

    /// Returns the first entries at fault, and the number of others.
    pub(super) fn text(mut self) -> String {
        let more = self.texts.len().saturating_sub(MAX_NAMED);
        self.texts.truncate(MAX_NAMED);
        self.texts.extend((more > 0).then(|| format!("and {more} other numbers differ")));
        self.texts.join("; ")
    }
}
