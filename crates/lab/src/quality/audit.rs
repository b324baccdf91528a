//! Audits a key table by all measures and gives a verdict.

use super::dependencies::{Dependencies, dependencies};
use super::entries::TableEntries;
use super::measures::{Bias, Distances, MAX_BIAS, Window, WindowReport, bias, distances, windows};
use super::reach::{Obstacle, obstacle};
use super::signed::{bits_of_sums, signed_dependencies};
use super::structure::{Structure, structures};
use perft_gate_walk::Control;
use perft_gate_zobrist::generate::Basis;
use perft_gate_zobrist::{Castling, Combine, Side, Term};
use std::collections::HashMap;

/// Number of bits that keys may lack and still be sound. The `bch` scheme gives up three bits for its independence.
const SPARE_BITS: usize = 4;

perft_gate_chess::named! {
    /// Verdict of an audit.
    #[perft_gate_chess::document(kebab, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, serde::Serialize, serde::Deserialize)]
    pub enum AuditVerdict {
        /// By every measure, the table is no worse than a random one.
        Sound = "sound",
        /// The table is worse than a random one, but in a way that may not show in whole keys.
        Suspicious = "suspicious",
        /// Positions that occur in games collide more often than with a random table.
        Broken = "broken",
    }
}

/// What one measure found.
#[perft_gate_chess::document(Clone, PartialEq, Eq, Debug, serde::Serialize)]
pub struct AuditFinding {
    /// Verdict of this finding alone. [`AuditVerdict::Sound`] means that the finding is only a remark.
    pub verdict: AuditVerdict,
    /// Description in one sentence.
    pub text: String,
}

/// Results of an audit.
#[derive(Clone, Debug)]
pub struct Audit {
    pub list: TableEntries,
    /// Number of independent entries or, if entries are added, number of bits in which the sums can differ.
    pub rank: usize,
    /// Number of bits that keys of positions can differ in: the rank of all differences between keys.
    pub effective_bits: usize,
    /// Entries that no key uses and that are zero or repeated. The search for dependencies leaves these entries out.
    pub left_out: Vec<usize>,
    /// Dependent subsets of the searched entries. The search ends after a stage with a subset that may occur in a game.
    pub dependencies: Dependencies,
    /// Hamming distances between the entries.
    pub distances: Option<Distances>,
    /// Most uneven bit.
    pub bias: Option<Bias>,
    /// Results for windows: parts of a key, such as its lowest bits.
    pub windows: Vec<WindowReport>,
    pub structures: Vec<Structure>,
}

impl Audit {
    /// Audits a key table. Searches for dependencies of up to `max` entries, or up to [`MAX_SIGNED`](super::MAX_SIGNED)
    /// if entries are added.
    pub fn run(list: TableEntries, max: usize, control: &Control) -> Audit {
        let entries = list.bits_of_entries();
        let left_out = gaps(&list);
        let searched: Vec<usize> = (0..entries.len()).filter(|entry| !left_out.contains(entry)).collect();
        let bits: Vec<u128> = searched.iter().map(|&entry| entries[entry]).collect();
        let is_open = |subset: &[usize]| {
            let terms: Vec<Term> = subset.iter().map(|&entry| list.entries[searched[entry]].term).collect();
            obstacle(&terms, &list.axes).is_none()
        };
        let mut dependencies = match list.axes.combine {
            Combine::Xor => dependencies(&bits, list.bits(), max, is_open, control),
            Combine::Add => signed_dependencies(&bits, list.bits(), is_open),
        };
        // Dependent entries have dependent parts in every window, so if there are any, a small search is enough.
        let max_in_windows = if dependencies.subsets.iter().any(|subset| is_open(subset)) { 2 } else { 4 };
        let windows = windows(&bits, (list.bits(), list.axes.combine), max_in_windows, is_open);
        dependencies.subsets.iter_mut().flatten().for_each(|entry| *entry = searched[*entry]);
        Audit {
            rank: span(entries.iter().copied(), &list),
            effective_bits: effective_bits(&list),
            left_out,
            dependencies,
            distances: distances(&bits),
            bias: bias(&bits, list.bits()),
            windows,
            structures: structures(&list),
            list,
        }
    }

    /// Returns the reason why a dependency cannot occur in a game, or `None` if it may occur.
    pub fn obstacle(&self, subset: &[usize]) -> Option<Obstacle> {
        let terms: Vec<Term> = subset.iter().map(|&entry| self.list.entries[entry].term).collect();
        obstacle(&terms, &self.list.axes)
    }

    /// Returns the findings, the worst first.
    pub fn findings(&self) -> Vec<AuditFinding> {
        let mut findings = Vec::new();
        let mut add = |verdict, text| findings.push(AuditFinding { verdict, text });
        let bits = self.list.bits() as usize;
        let missing = bits - self.effective_bits;
        if missing > 0 {
            let verdict = if missing > SPARE_BITS { AuditVerdict::Broken } else { AuditVerdict::Sound };
            add(verdict, format!("keys of {bits} bits are worth only {} bits", self.effective_bits));
        }
        if !self.left_out.is_empty() {
            let text = "entries that no key uses are zero or repeated, which is harmless";
            add(AuditVerdict::Sound, format!("{} {text}", self.left_out.len()));
        }
        let open = self.dependencies.subsets.iter().find(|subset| self.obstacle(subset).is_none());
        let open = open.filter(|_| self.dependencies.exceeds_expectation());
        if let Some(smallest) = open {
            let come = if self.list.axes.combine == Combine::Xor { "xor" } else { "added or subtracted come" };
            let text = match smallest.len() {
                1 => "an entry that may occur in a game is zero: positions that differ by it collide".into(),
                several => format!(
                    "{several} entries {come} to zero and may occur in a game: positions that differ by them collide"
                ),
            };
            add(AuditVerdict::Broken, text);
        }
        for structure in &self.structures {
            let verdict = match structure {
                Structure::LibraryRand(_) => AuditVerdict::Suspicious,
                structure if structure.is_harmful() => AuditVerdict::Broken,
                _ => AuditVerdict::Sound,
            };
            add(verdict, structure.to_string());
        }
        if let Some(bias) = self.bias.filter(|bias| bias.z.abs() > MAX_BIAS) {
            let (bit, ones, entries) = (bias.bit, bias.ones, self.list.entries.len() - self.left_out.len());
            add(AuditVerdict::Suspicious, format!("bit {bit} is set in {ones} of {entries} entries"));
        }
        // Dependent entries have dependent parts in every window, so windows are reported only if none are dependent.
        let is_news = |report: &&WindowReport| report.suspect && open.is_none();
        for report in self.windows.iter().filter(is_news) {
            let bits = report.bits;
            let part = match report.window {
                Window::Low => format!("the {bits} lowest bits"),
                Window::High => format!("the {bits} highest bits"),
                Window::Fold => format!("the {bits} lowest bits xored with the {bits} highest"),
            };
            let reason = match report.dependencies.smallest() {
                _ if report.rank < bits as usize => format!("have rank {}", report.rank),
                Some(1) => "are zero in some entries".into(),
                Some(2) => "are equal in too many entries".into(),
                _ => "have too many small dependent subsets".into(),
            };
            add(AuditVerdict::Suspicious, format!("{part} {reason}: do not use them as a table's index or tag"));
        }
        findings.sort_by_key(|finding| std::cmp::Reverse(finding.verdict));
        findings
    }

    pub fn verdict(&self) -> AuditVerdict {
        self.findings().first().map_or(AuditVerdict::Sound, |finding| finding.verdict)
    }
}

/// Returns the entries that no key uses and that are zero or repeated. Engines leave such gaps in their tables.
fn gaps(list: &TableEntries) -> Vec<usize> {
    let mut times: HashMap<u128, usize> = HashMap::new();
    list.entries.iter().for_each(|entry| *times.entry(entry.bits).or_default() += 1);
    let is_gap = |bits: u128| bits == 0 || times[&bits] > 1;
    let entries = list.entries.iter().enumerate();
    entries.filter(|(_, entry)| !entry.term.is_in_play() && is_gap(entry.bits)).map(|(i, _)| i).collect()
}

/// Returns the rank of the differences between keys. Of some kinds of entries, such as those of a king, every key has
/// exactly one. Entries of such a kind only replace each other, so only the differences between them count.
fn effective_bits(list: &TableEntries) -> usize {
    let mut differences = Vec::new();
    let mut first: HashMap<usize, u128> = HashMap::new();
    for entry in list.entries.iter().filter(|entry| entry.term.is_in_play()) {
        let replaced = match entry.term {
            Term::Castling(_) if list.axes.castling == Castling::C16 => Some(2),
            Term::File(_) | Term::EnPassant(_) if list.axes.en_passant.has_none() => Some(3),
            Term::Side(_) if list.axes.side == Side::S2 => Some(4),
            term => term.king().map(|color| color.index()),
        };
        let base = replaced.map_or(0, |kind| *first.entry(kind).or_insert(entry.bits));
        differences.push(match list.axes.combine {
            Combine::Xor => entry.bits ^ base,
            Combine::Add => entry.bits.wrapping_sub(base),
        });
    }
    span(differences, list)
}

/// Returns the number of bits in which keys made of these entries can differ if combined by the list's operation.
fn span(entries: impl IntoIterator<Item = u128>, list: &TableEntries) -> usize {
    match list.axes.combine {
        Combine::Xor => Basis::new(entries).rank(),
        Combine::Add => bits_of_sums(entries, list.bits()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::quality::tests::list;

    fn audit(name: &str, change: impl Fn(&mut TableEntries)) -> Audit {
        let mut list = list(name);
        change(&mut list);
        Audit::run(list, 4, &Control::default())
    }

    #[test]
    fn sound_schemes_are_sound_and_bch_has_61_bits() {
        for name in ["cpw781", "cpw793", "rustic851", "rustic-c5", "polyglot", "gf64", "computed", "dual32", "bch"] {
            let (audit, bits) = (audit(name, |_| {}), if name == "bch" { 61 } else { 64 });
            assert_eq!(audit.verdict(), AuditVerdict::Sound, "{name}: {:?}", audit.findings());
            assert_eq!((audit.rank, audit.effective_bits), (bits, bits), "{name}");
        }
        assert_eq!(audit("cpw793,width=128", |_| {}).rank, 128);
    }

    #[test]
    fn gaps_that_no_key_has_are_harmless_and_others_are_not() {
        let gaps = |entry: &crate::quality::entries::TableEntry| !entry.term.is_in_play();
        let audit_gaps = audit("cpw793", |list| {
            list.entries.iter_mut().filter(|entry| gaps(entry)).for_each(|entry| entry.bits = 0)
        });
        assert_eq!((audit_gaps.verdict(), audit_gaps.left_out.len()), (AuditVerdict::Sound, 32));
        for (from, to) in [(100, None), (770, Some(200))] {
            let audit =
                audit("cpw793", |list| list.entries[from].bits = to.map_or(0, |to: usize| list.entries[to].bits));
            // Entry 770, that of a set of rights, never changes alone, so the second case cannot occur in games.
            let expected = if to.is_none() { AuditVerdict::Broken } else { AuditVerdict::Sound };
            assert_eq!((audit.verdict(), audit.dependencies.subsets.len()), (expected, 1));
        }
    }

    #[test]
    fn a_constant_bit_and_a_short_key_are_seen() {
        let constant = audit("cpw781", |list| list.entries.iter_mut().for_each(|entry| entry.bits |= 1 << 40));
        assert_eq!(constant.verdict(), AuditVerdict::Suspicious);
        assert!(constant.findings()[0].text.starts_with("bit 40 is set in 781 of 781 entries"));
        let short = audit("cpw781", |list| list.entries.iter_mut().for_each(|entry| entry.bits &= 0xffff_ffff_ffff));
        assert_eq!((short.verdict(), short.effective_bits), (AuditVerdict::Broken, 48));
    }

    #[test]
    fn sums_are_audited_with_signs() {
        for name in ["additive48", "combine=add", "combine=add,width=32", "pieces=computed,combine=add"] {
            let audit = audit(name, |_| {});
            let bits = audit.list.bits() as usize;
            assert_eq!(audit.verdict(), AuditVerdict::Sound, "{name}: {:?}", audit.findings());
            assert_eq!((audit.rank, audit.effective_bits, audit.dependencies.sizes.len()), (bits, bits, 4), "{name}");
        }
        // First, a knight's entry is set to the sum of two pawn entries. Then every entry is made a multiple of 32.
        let sum = audit("combine=add", |list| {
            list.entries[64 + 1].bits = (list.entries[10].bits + list.entries[30].bits) & !0 >> 64
        });
        assert_eq!((sum.verdict(), &sum.dependencies.subsets[..]), (AuditVerdict::Broken, &[vec![10, 30, 65]][..]));
        let short = audit("combine=add", |list| list.entries.iter_mut().for_each(|entry| entry.bits &= !31));
        assert_eq!((short.verdict(), short.effective_bits), (AuditVerdict::Broken, 59));
    }

    #[test]
    fn every_exhibit_is_broken() {
        for (pieces, reason) in [
            ("piece-xor-square", "4 entries xor to zero"),
            ("composite,combine=add", "4 entries added or subtracted come to zero"),
            ("rotate-halves", "2 entries xor to zero"),
            ("lcg15", "4 entries xor to zero"),
            ("golden-ratio", "entries are multiples of a constant"),
            ("tiny-seed", "keys of 64 bits are worth only 40 bits"),
        ] {
            let audit = audit(&format!("pieces={pieces}"), |_| {});
            let finding = &audit.findings()[0];
            assert_eq!(finding.verdict, AuditVerdict::Broken, "{pieces}: {finding:?}");
            assert!(finding.text.starts_with(reason), "{pieces}: {finding:?}");
        }
    }
}
