//! Recognition of entries that are glued from the outputs of a C library's `rand()`.
//!
//! Such a generator keeps 31 bits and returns 15 of them, so the first output leaves 2^16 states; the second and the third
//! must then follow. Three entries that all do are no chance: one random entry in 2^14 has such a state.

/// A generator: the next state is the state times a factor plus a term, and bits 16 to 30 are the output.
struct LibraryRand {
    name: &'static str,
    factor: u32,
    term: u32,
}

const GENERATORS: [LibraryRand; 2] = [
    LibraryRand { name: "Microsoft's rand()", factor: 214_013, term: 2_531_011 },
    LibraryRand { name: "the rand() of the C standard", factor: 1_103_515_245, term: 12_345 },
];

/// Bits of an output.
const OUTPUT: u128 = 0x7fff;
/// Number of entries that are tried.
const TRIED: usize = 3;

/// Returns the name of the generator whose outputs are glued into these entries.
pub(super) fn library_rand(entries: &[u128]) -> Option<&'static str> {
    let entries = entries.get(..TRIED)?;
    let is_glued = |generator: &&LibraryRand, shift: u32| {
        let outputs = |entry: u128| [0, 1, 2].map(|place| (entry >> (shift * place) & OUTPUT) as u32);
        entries.iter().all(|&entry| generator.may_return(outputs(entry)))
            || entries.iter().all(|&entry| {
                let [first, second, third] = outputs(entry);
                generator.may_return([third, second, first])
            })
    };
    let found = GENERATORS.iter().find(|generator| [15, 16].into_iter().any(|shift| is_glued(generator, shift)));
    found.map(|generator| generator.name)
}

impl LibraryRand {
    fn next(&self, state: u32) -> u32 {
        state.wrapping_mul(self.factor).wrapping_add(self.term)
    }

    /// Returns true if a state has these outputs, one after another.
    fn may_return(&self, [first, second, third]: [u32; 3]) -> bool {
        let output = |state: u32| state >> 16 & 0x7fff;
        (0..1 << 16)
            .map(|low| self.next(first << 16 | low))
            .any(|state| output(state) == second && output(self.next(state)) == third)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn glued_outputs_are_recognised_and_random_entries_are_not() {
        for (generator, expected) in GENERATORS.iter().zip(["Microsoft's rand()", "the rand() of the C standard"]) {
            for shift in [15, 16] {
                let mut state = 7;
                let mut entry = || {
                    (0..4).fold(0_u128, |entry, place| {
                        state = generator.next(state);
                        entry | u128::from(state >> 16 & 0x7fff) << (shift * place)
                    })
                };
                let entries: Vec<u128> = (0..TRIED).map(|_| entry()).collect();
                assert_eq!(library_rand(&entries), Some(expected), "{shift}");
            }
        }
        let mut random = crate::quality::tests::random(7);
        let entries: Vec<u128> = (0..TRIED).map(|_| random().into()).collect();
        assert_eq!(library_rand(&entries), None);
        assert_eq!(library_rand(&[]), None);
    }
}
