//! Builds of the program that measured the machines: a difference between two may be the program's.

use super::machine::PageMachine;
use crate::page::format::list;
use perft_gate_machine::record::Build;

/// Name of a property of a build, and its value.
type Property = (&'static str, fn(&Build) -> String);

/// Properties of a build that may change its speed on one machine.
const PROPERTIES: [Property; 6] = [
    ("version", |build| build.version.clone()),
    ("revision", Build::name),
    ("compiler", |build| build.compiler.clone()),
    ("optimisation", |build| build.opt_level.clone()),
    ("flags", |build| build.flags.clone()),
    ("assertions", |build| build.debug_assertions.to_string()),
];

/// Returns the sentence for machines that different builds measured; `None` if one build measured all.
pub fn describe_builds<'m>(machines: impl Iterator<Item = &'m PageMachine<'m>>) -> Option<String> {
    describe(&machines.map(|machine| &machine.record.build).collect::<Vec<_>>())
}

fn describe(builds: &[&Build]) -> Option<String> {
    let distinct = |values: &mut dyn Iterator<Item = String>| {
        let mut values: Vec<String> = values.collect();
        values.sort();
        values.dedup();
        values.len()
    };
    let all = |build: &Build| PROPERTIES.map(|(_, value)| value(build)).join("\n");
    let number = distinct(&mut builds.iter().map(|build| all(build)));
    let differs = |(_, value): &&Property| distinct(&mut builds.iter().map(|build| value(build))) > 1;
    let names: Vec<String> = PROPERTIES.iter().filter(differs).map(|(name, _)| name.to_string()).collect();
    (number > 1).then(|| {
        format!(
            "{number} builds of the program measured these machines (they differ in {}), so a part of each difference may be \
             the program's.",
            list(&names)
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use perft_gate_bench::reference;

    #[test]
    fn every_property_makes_another_build() {
        let first = reference().build;
        assert_eq!(describe(&[&first, &first.clone()]), None);
        type Edit = (&'static str, fn(&mut Build));
        let edits: [Edit; 6] = [
            ("version", |build| build.version = "9".into()),
            ("revision", |build| build.dirty = Some(true)),
            ("compiler", |build| build.compiler = "rustc 9".into()),
            ("optimisation", |build| build.opt_level = "s".into()),
            ("flags", |build| build.flags = "-C target-cpu=native".into()),
            ("assertions", |build| build.debug_assertions = true),
        ];
        for (name, edit) in edits {
            let mut other = first.clone();
            edit(&mut other);
            let found = describe(&[&first, &other, &first]).expect("two builds");
            assert!(
                found.starts_with(&format!("2 builds of the program measured these machines (they differ in {name})"))
            );
        }
    }
}
