//! Choice of comparisons: each scheme against `none` (no key), and schemes that differ in one axis against each other.

use super::comparison::{ComparisonTable, CostTable};
use super::make_unmake::{Contestant, Tracking};
use super::sampler::Samples;
use perft_gate_zobrist::{PRESETS, Secondary, preset};

/// Schemes to time, and the comparison tables they belong to. The first scheme is `none`, which has no key.
#[derive(Clone, Debug)]
pub struct Contestants {
    /// Contestants. Each runs once in each half of a round, no matter how many tables it is in.
    pub contestants: Vec<Contestant>,
    /// Comparison tables. The first table compares the contestants with the chosen reference.
    pub tables: Vec<ComparisonTable>,
    pub twins: [usize; 2],
}

/// Each axis (property of schemes) with the schemes that differ in it. The first scheme of an axis is the reference.
const AXES: [(&str, &[&str]); 9] = [
    ("castling keys: 16, 4, 4 in a table of 16, 5", &["cpw793", "cpw781", "castling=c4x16", "castling=c5"]),
    ("e.p. keys: 8, 9, 17, 64, 65", &["cpw793", "ep=e9", "ep=e17", "ep=e64", "ep=e65"]),
    ("e.p. policy: legal, pseudo-legal, always", &["cpw793", "policy=pseudo", "policy=always"]),
    ("side keys: 1, 2", &["cpw793", "side=s2"]),
    (
        "pieces: a table, or what replaces it",
        &["cpw793", "overlap-bytes", "overlap-bits", "rotate", "gf64", "composite", "computed"],
    ),
    ("pieces with 4 castling keys: random table, BCH code", &["cpw781", "bch"]),
    ("bits: 64, 128", &["cpw793", "width=128"]),
    ("combined by: xor, sum", &["cpw793", "combine=add"]),
    ("keys, by the code that serves all schemes: 1, 5", &[ONE_KEY, FIVE_KEYS]),
];

/// The prefetch axis, for runs with a transposition table: when the table's cache lines are requested.
const PREFETCH: (&str, &[&str]) = (
    "prefetch: none, after make, by the key after the move, by a rough one",
    &["cpw793", "cpw793,prefetch=after-make", "cpw793,prefetch=key-after", "cpw793,prefetch=rough-key-after"],
);

const ONE_KEY: &str = "cpw793, one key";
const FIVE_KEYS: &str = "cpw793, five keys";

/// Together with the position's key, these make five keys, because there is one non-pawn key per colour.
const FOUR_MORE: [Secondary; 3] = [Secondary::Pawn, Secondary::Minor, Secondary::NonPawn];

impl Contestants {
    /// Returns these schemes, each compared with `none` and with the first of them.
    pub fn new(schemes: Vec<Contestant>) -> Contestants {
        let mut contestants = vec![contestant("none")];
        let has_key = |contestant: &Contestant| contestant.scheme.number_of_keys() > 0;
        let first = schemes.first().is_some_and(has_key);
        contestants.extend(schemes.into_iter().filter(|scheme| first || has_key(scheme)));
        let mut tables = vec![table_against(&contestants, 0, 1)];
        if first && contestants.len() > 2 {
            tables.insert(0, table_against(&contestants, 1, 2));
        }
        Contestants::with_twin(contestants, tables, usize::from(first))
    }

    /// Returns all presets, with a separate table for each axis. With a transposition table, adds the prefetch axis.
    pub fn everything(beside_table: bool) -> Contestants {
        let mut contestants: Vec<Contestant> = PRESETS.iter().cloned().map(Contestant::new).collect();
        let mut tables = vec![table_against(&contestants, 0, 1)];
        for (title, names) in AXES.into_iter().chain(beside_table.then_some(PREFETCH)) {
            let numbers: Vec<usize> = names.iter().map(|name| index_of(&mut contestants, name)).collect();
            tables.push(ComparisonTable { title: title.into(), reference: numbers[0], others: numbers[1..].to_vec() });
        }
        let default = index_of(&mut contestants, "cpw793");
        Contestants::with_twin(contestants, tables, default)
    }

    fn with_twin(mut contestants: Vec<Contestant>, tables: Vec<ComparisonTable>, of: usize) -> Contestants {
        let twin = Contestant { name: format!("{}, again", contestants[of].name), ..contestants[of].clone() };
        contestants.push(twin);
        let twins = [of, contestants.len() - 1];
        Contestants { contestants, tables, twins }
    }

    pub fn is_settled(&self, samples: &Samples) -> bool {
        self.tables.iter().all(|table| table.is_settled(samples, self.twins))
    }

    /// Returns the verdicts of every table. **Panics** if there are no rounds.
    pub fn judge(&self, samples: &Samples) -> Vec<CostTable> {
        self.tables.iter().map(|table| table.judge(samples, self.twins)).collect()
    }
}

fn table_against(contestants: &[Contestant], reference: usize, first: usize) -> ComparisonTable {
    let title = format!("against {}", contestants[reference].name);
    ComparisonTable { title, reference, others: (first..contestants.len()).collect() }
}

fn contestant(name: &str) -> Contestant {
    let secondary = match name {
        ONE_KEY => Vec::new(),
        FIVE_KEYS => FOUR_MORE.to_vec(),
        _ => return Contestant::parse(name, false).expect("a scheme of the tables"),
    };
    let default = Contestant::new(preset("cpw793").expect("a preset").clone());
    Contestant { name: name.into(), secondary, tracking: Tracking::DataDriven, ..default }
}

fn index_of(contestants: &mut Vec<Contestant>, name: &str) -> usize {
    contestants.iter().position(|contestant| contestant.name == name).unwrap_or_else(|| {
        contestants.push(contestant(name));
        contestants.len() - 1
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::transposition_table::TablePrefetch;
    use perft_gate_zobrist::Axes;

    /// Returns the number of axes that differ.
    fn distance(one: &Axes, other: &Axes) -> usize {
        let parts = |axes: &Axes| axes.to_string().split(',').map(str::to_string).collect::<Vec<_>>();
        parts(one).iter().zip(parts(other)).filter(|(one, other)| *one != other).count()
    }

    #[test]
    fn the_tables_of_an_axis_change_that_axis_alone() {
        let lineup = Contestants::everything(true);
        for table in &lineup.tables[1..] {
            let reference = &lineup.contestants[table.reference];
            for other in table.others.iter().map(|&number| &lineup.contestants[number]) {
                let differing = distance(&reference.scheme.axes.unwrap(), &other.scheme.axes.unwrap());
                let keys = usize::from(reference.secondary != other.secondary);
                let prefetch = usize::from(reference.prefetch != other.prefetch);
                assert_eq!(differing + keys + prefetch, 1, "{}: {}", table.title, other.name);
                assert_eq!(reference.tracking, other.tracking);
            }
        }
        let mut names: Vec<_> = lineup.contestants.iter().map(|contestant| &contestant.name).collect();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), lineup.contestants.len());
    }

    #[test]
    fn a_scheme_may_be_compared_with_itself() {
        let schemes = vec![contestant("cpw793"); 2];
        let lineup = Contestants::new(schemes);
        let names: Vec<_> = lineup.contestants.iter().map(|contestant| &*contestant.name).collect();
        assert_eq!(names, ["none", "cpw793", "cpw793", "cpw793, again"]);
        let tables: Vec<_> = lineup.tables.iter().map(|table| (table.reference, &table.others[..])).collect();
        assert_eq!(tables, [(1, &[2][..]), (0, &[1, 2])]);
        assert_eq!(lineup.twins, [1, 3]);
    }

    #[test]
    fn a_prefetch_is_part_of_a_scheme() {
        let parsed = |text: &str| Contestant::parse(text, false).map(|found| (found.name, found.prefetch));
        assert_eq!(parsed("rotate"), Ok(("rotate".into(), TablePrefetch::None)));
        assert_eq!(parsed("prefetch=none,ep=e17"), Ok(("ep=e17,prefetch=none".into(), TablePrefetch::None)));
        assert_eq!(parsed("prefetch=key-after"), Ok(("cpw793,prefetch=key-after".into(), TablePrefetch::KeyAfter)));
        assert!(parsed("prefetch=none,prefetch=none").is_err() && parsed("rotate,prefetch=none,x=1").is_err());
    }
}
