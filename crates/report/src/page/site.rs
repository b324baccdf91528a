//! A site of all records: an index, a page for each machine beside the baseline, and one for hashing. Every page is one
//! file without external parts; the links between them are relative.

use super::choices::{Choices, Kept};
use super::documents::Documents;
use super::html::html;
use super::model::Page;
use super::sections;
use super::sections::machine::PageMachine;
use super::sections::standing::Spread;
use rayon::prelude::*;

/// A file of the site.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SiteFile {
    /// Path below the site's folder, with `/` between its parts.
    pub path: String,
    /// Contents.
    pub text: String,
}

const INDEX: &str = "index.html";
const HASHING: &str = "hashing.html";
/// Longest name of a page, in letters.
const MAX_SLUG: usize = 60;

/// Returns the site's files; the index is the first.
pub fn site(documents: &Documents, choices: &Choices) -> Vec<SiteFile> {
    let Kept { records, baseline, left_out } = Kept::of(&documents.records, choices.baseline);
    let mut machines = sections::machines::of_records(&records, baseline);
    let spread = Spread::of(&machines);
    let names = names(&machines);
    for (machine, name) in machines.iter_mut().zip(&names) {
        machine.link = Some(format!("machines/{name}.html"));
    }
    let hashing = Documents { records: Vec::new(), ..documents.clone() };
    let has_hashing = !hashing.is_empty();
    let index = sections::pages::index(&machines, documents, left_out);
    let title = choices.title.clone().unwrap_or_else(|| "Perft benchmark: all machines".into());
    let links = has_hashing.then(|| ("Hashing".to_string(), HASHING.to_string()));
    let mut files = vec![file(INDEX, &Page { title, links: links.into_iter().collect(), origin: Vec::new(), ..index })];
    if has_hashing {
        let page = sections::pages::page(&[], &hashing, &Spread::default(), None);
        let links = vec![("All machines".into(), INDEX.into())];
        files.push(file(HASHING, &Page { title: "Hashing and positions".into(), links, ..page }));
    }
    let base = machines.iter().find(|machine| machine.is_baseline);
    let pages: Vec<SiteFile> =
        machines.par_iter().zip(&names).map(|(machine, name)| of_machine(machine, base, &spread, name)).collect();
    files.extend(pages);
    files
}

/// Returns a machine's page, beside the baseline.
fn of_machine(machine: &PageMachine<'_>, baseline: Option<&PageMachine<'_>>, spread: &Spread, name: &str) -> SiteFile {
    let mut both: Vec<PageMachine<'_>> =
        [Some(machine), baseline.filter(|_| !machine.is_baseline)].into_iter().flatten().cloned().collect();
    // As in the index, the one with the higher score is first.
    both.sort_by_key(|machine| machine.series);
    for (series, machine) in both.iter_mut().enumerate() {
        (machine.series, machine.link) = (series, None);
    }
    let page = sections::pages::page(&both, &Documents::default(), spread, None);
    let links = vec![("All machines".into(), format!("../{INDEX}"))];
    file(&format!("machines/{name}.html"), &Page { title: machine.label.clone(), links, ..page })
}

fn file(path: &str, page: &Page) -> SiteFile {
    SiteFile { path: path.into(), text: html(page) }
}

/// Returns a name for each machine's page, from its label; where two would be equal, numbers are added in the order of the
/// labels, which does not change with the scores.
fn names(machines: &[PageMachine<'_>]) -> Vec<String> {
    let slug = |label: &str| {
        let lower = label.to_lowercase();
        let parts = lower.split(|letter: char| !letter.is_ascii_alphanumeric()).filter(|part| !part.is_empty());
        let slug: String = parts.collect::<Vec<_>>().join("-").chars().take(MAX_SLUG).collect();
        if slug.is_empty() { "machine".into() } else { slug }
    };
    let mut order: Vec<usize> = (0..machines.len()).collect();
    order.sort_by_key(|&number| &machines[number].label);
    let mut names = vec![String::new(); machines.len()];
    for number in order {
        let plain = slug(&machines[number].label);
        let numbered = (2..).map(|copy| format!("{plain}-{copy}"));
        let name = [plain.clone()].into_iter().chain(numbered).find(|name| !names.contains(name));
        names[number] = name.expect("numbers do not end");
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;
    use perft_gate_bench::reference;

    #[test]
    fn every_machine_has_a_page_of_its_own() {
        let labelled = |label: &str, memory_gib| {
            let mut record = reference();
            record.label = Some(label.into());
            record.machine.hardware.memory_gib = memory_gib;
            record
        };
        let records = vec![labelled("<b>", 1), labelled("b", 2), labelled("../../b", 3), labelled("€", 4), reference()];
        let documents = Documents { records, ..Documents::default() };
        let files = site(&documents, &Choices::default());
        let mut paths: Vec<&str> = files.iter().map(|file| file.path.as_str()).collect();
        paths.sort_unstable();
        assert_eq!(
            paths,
            [
                "index.html",
                "machines/b-2.html",
                "machines/b-3.html",
                "machines/b.html",
                "machines/machine.html",
                "machines/zen-5-epyc-2-vcpu.html",
            ]
        );
        let index = &files[0].text;
        assert!(paths[1..].iter().all(|path| index.contains(&format!("href=\"{path}\""))));
        assert!(!index.contains("<b>") && index.contains("&lt;b&gt;"));
        assert!(files[1..].iter().all(|file| file.text.contains("href=\"../index.html\"")));
        assert!(site(&documents, &Choices::default()) == files, "other bytes for the same documents");
    }
}
