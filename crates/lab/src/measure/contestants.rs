//! Choice of the schemes to compare: all with `none`, and those that differ in one axis with each other.

use super::comparison::{ComparisonTable, Judgement, Twins};
use super::make_unmake::{Contestant, Tracking};
use super::sampler::Samples;
use perft_gate_zobrist::{PRESETS, Scheme, Secondary, preset};

/// Contestants, and the tables they belong to. The first contestant is `none`.
#[derive(Clone, Debug)]
pub struct Contestants {
    /// Contestants; each runs once in each half of a round, however many tables it belongs to.
    pub contestants: Vec<Contestant>,
    /// Tables; the first one compares with `none`.
    pub tables: Vec<ComparisonTable>,
    /// The reference and its twin.
    pub twins: Twins,
}

/// Each axis with the schemes that show it; the others are compared with the first.
const AXES: [(&str, &[&str]); 9] = [
    ("castling keys: 16, 4, 4 in a table of 16, 5", &["cpw793", "cpw781", "castling=c4x16", "castling=c5"]),
    ("e.p. keys: 8, 17, 65", &["cpw793", "ep=e17", "ep=e65"]),
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

const ONE_KEY: &str = "cpw793, one key";
const FIVE_KEYS: &str = "cpw793, five keys";

/// Together with the position's key these are five keys: non-pawn keys are one a colour.
const FOUR_MORE: [Secondary; 3] = [Secondary::Pawn, Secondary::Minor, Secondary::NonPawn];

impl Contestants {
    /// Returns these schemes: each compared with `none`, and all with the first of them.
    pub fn of(schemes: Vec<Scheme>) -> Contestants {
        let mut contestants = vec![contestant("none")];
        let first = schemes.first().is_some_and(|first| first.number_of_keys() > 0);
        contestants
            .extend(schemes.into_iter().filter(|scheme| first || scheme.number_of_keys() > 0).map(Contestant::of));
        let against_none = table_against(&contestants, 0, 1);
        let mut tables = vec![against_none];
        if first && contestants.len() > 2 {
            tables.push(table_against(&contestants, 1, 2));
        }
        Contestants::with_twin(contestants, tables, usize::from(first))
    }

    /// Returns all presets, and every axis by itself.
    pub fn everything() -> Contestants {
        let mut contestants: Vec<Contestant> = PRESETS.iter().cloned().map(Contestant::of).collect();
        let mut tables = vec![table_against(&contestants, 0, 1)];
        for (title, names) in AXES {
            let numbers: Vec<usize> = names.iter().map(|name| index_of(&mut contestants, name)).collect();
            tables.push(ComparisonTable { title: title.into(), reference: numbers[0], others: numbers[1..].to_vec() });
        }
        let default = index_of(&mut contestants, "cpw793");
        Contestants::with_twin(contestants, tables, default)
    }

    fn with_twin(mut contestants: Vec<Contestant>, tables: Vec<ComparisonTable>, of: usize) -> Contestants {
        let twin = Contestant { name: format!("{}, again", contestants[of].name), ..contestants[of].clone() };
        contestants.push(twin);
        let twins = Twins(of, contestants.len() - 1);
        Contestants { contestants, tables, twins }
    }

    /// Returns true if all tables are settled.
    pub fn is_settled(&self, samples: &Samples) -> bool {
        self.tables.iter().all(|table| table.is_settled(samples, self.twins))
    }

    /// Returns the verdicts of every table. **Panics** without a round.
    pub fn judge(&self, samples: &Samples) -> Vec<Judgement> {
        self.tables.iter().map(|table| table.judge(samples, self.twins)).collect()
    }
}

fn table_against(contestants: &[Contestant], reference: usize, first: usize) -> ComparisonTable {
    let title = format!("against {}", contestants[reference].name);
    ComparisonTable { title, reference, others: (first..contestants.len()).collect() }
}

fn contestant(name: &str) -> Contestant {
    match name {
        ONE_KEY => with_keys(name, &[]),
        FIVE_KEYS => with_keys(name, &FOUR_MORE),
        _ => Contestant::of(Scheme::parse(name, false).expect("a scheme of the tables")),
    }
}

fn with_keys(name: &str, secondary: &[Secondary]) -> Contestant {
    let scheme = preset("cpw793").expect("a preset").clone();
    Contestant { name: name.into(), scheme, secondary: secondary.to_vec(), tracking: Tracking::DataDriven }
}

/// Returns the index of the contestant of this name, and adds it if it is missing.
fn index_of(contestants: &mut Vec<Contestant>, name: &str) -> usize {
    contestants.iter().position(|contestant| contestant.name == name).unwrap_or_else(|| {
        contestants.push(contestant(name));
        contestants.len() - 1
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use perft_gate_zobrist::Axes;

    /// Returns the number of axes that differ.
    fn distance(one: &Axes, other: &Axes) -> usize {
        let parts = |axes: &Axes| axes.to_string().split(',').map(str::to_string).collect::<Vec<_>>();
        parts(one).iter().zip(parts(other)).filter(|(one, other)| *one != other).count()
    }

    #[test]
    fn the_tables_of_an_axis_change_that_axis_alone() {
        let lineup = Contestants::everything();
        for table in &lineup.tables[1..] {
            let reference = &lineup.contestants[table.reference];
            for other in table.others.iter().map(|&number| &lineup.contestants[number]) {
                let differing = distance(&reference.scheme.axes.unwrap(), &other.scheme.axes.unwrap());
                let keys = usize::from(reference.secondary != other.secondary);
                assert_eq!(differing + keys, 1, "{}: {}", table.title, other.name);
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
        let schemes = vec![preset("cpw793").unwrap().clone(); 2];
        let lineup = Contestants::of(schemes);
        let names: Vec<_> = lineup.contestants.iter().map(|contestant| &*contestant.name).collect();
        assert_eq!(names, ["none", "cpw793", "cpw793", "cpw793, again"]);
        assert_eq!((lineup.tables[1].reference, &lineup.tables[1].others[..]), (1, &[2][..]));
        assert_eq!((lineup.twins.0, lineup.twins.1), (1, 3));
    }
}
