//! Unique names of machines on the page.

use crate::page::format::threads;
use perft_gate_machine::record::Record;
use std::collections::BTreeSet;

/// Maximum length of a label in characters. Longer ones are cut.
const MAX_LABEL: usize = 80;

/// Returns the record's label in one line; `None` if it has none.
pub fn label_line(record: &Record) -> Option<String> {
    one_line(record.label.as_deref()?)
}

/// Returns a text in one line of at most [`MAX_LABEL`] characters.
fn one_line(text: &str) -> Option<String> {
    let plain: String = text.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect();
    let line = plain.split_whitespace().collect::<Vec<_>>().join(" ");
    let short: String = line.chars().take(MAX_LABEL).collect();
    let short = if short.len() < line.len() { format!("{}…", short.trim_end()) } else { short };
    (!short.is_empty()).then_some(short)
}

/// Returns the processor's full name and its threads: `AMD EPYC (family 26, model 2), 2 threads`.
pub fn full_name(record: &Record) -> String {
    let hardware = &record.machine.hardware;
    format!("{}, {}", hardware.model(), threads(hardware.threads))
}

/// Returns the processor's short name and its threads: `Zen 5 EPYC, 2 vCPU`.
fn of_hardware(record: &Record) -> String {
    let hardware = &record.machine.hardware;
    let threads = match hardware.virtualised {
        Some(true) => format!("{} vCPU", hardware.threads),
        _ => threads(hardware.threads),
    };
    format!("{}, {threads}", hardware.short_name())
}

/// Returns names for the records' machines, with just enough detail to distinguish them.
pub fn distinct(records: &[&Record]) -> Vec<String> {
    let mut labels: Vec<String> = records.iter().map(|record| plain(record)).collect();
    let doubles = twice(&labels);
    for (label, record) in labels.iter_mut().zip(records).filter(|(label, _)| doubles.contains(label)) {
        *label = match label_line(record) {
            Some(given) => format!("{given}, {}", of_hardware(record)),
            None => full_name(record),
        };
    }
    let doubles = twice(&labels);
    let equal = labels.iter_mut().filter(|label| doubles.contains(label));
    equal.enumerate().for_each(|(number, label)| label.push_str(&format!(", #{}", number + 1)));
    labels
}

/// Returns the record's label, or the processor's short name.
fn plain(record: &Record) -> String {
    label_line(record).unwrap_or_else(|| of_hardware(record))
}

/// Returns the index of the record with this name: a full label, or a part of one that only records with the same label
/// contain. The full name of a processor counts as a label. **Errors**: no label contains it, or several do.
pub fn find(records: &[Record], name: &str) -> Result<usize, String> {
    let wanted = name.to_lowercase();
    let labels: Vec<String> = records.iter().map(plain).collect();
    let is_meant = |at: &usize| {
        let names = [labels[*at].to_lowercase(), full_name(&records[*at]).to_lowercase()];
        names.iter().any(|name| name.contains(&wanted))
    };
    let exact = labels.iter().position(|label| label.to_lowercase() == wanted);
    let meant: Vec<usize> = (0..records.len()).filter(is_meant).collect();
    match (exact, &meant[..]) {
        (Some(exact), _) => Ok(exact),
        (None, [first, others @ ..]) if others.iter().all(|at| labels[*at] == labels[*first]) => Ok(*first),
        (None, found) => {
            let among = if found.is_empty() { (0..records.len()).collect() } else { meant };
            let among: BTreeSet<String> = among.iter().map(|at| format!("'{}'", labels[*at])).collect();
            let listed = among.iter().take(LISTED).cloned().collect::<Vec<_>>().join(", ");
            let more = if among.len() > LISTED { " and more" } else { "" };
            Err(format!("found '{name}', expected a part of one of the labels {listed}{more}"))
        }
    }
}

const LISTED: usize = 8;

fn twice(labels: &[String]) -> Vec<String> {
    let mut sorted = labels.to_vec();
    sorted.sort();
    sorted.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| pair[0].clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_of_one_label_is_enough() {
        let labelled = |label: &str| {
            let mut record = perft_gate_bench::reference();
            record.label = Some(label.into());
            record
        };
        let records = [labelled("PBO on"), labelled("PBO off"), labelled("PBO off"), labelled("stock")];
        assert_eq!([find(&records, "pbo OFF"), find(&records, "stock"), find(&records, "on")], [Ok(1), Ok(3), Ok(0)]);
        let error = find(&records, "PBO").unwrap_err();
        assert_eq!(error, "found 'PBO', expected a part of one of the labels 'PBO off', 'PBO on'");
        assert!(find(&records, "family 26").unwrap_err().contains("'PBO off', 'PBO on', 'stock'"));
        let plain = [records[0].clone(), perft_gate_bench::reference()];
        assert_eq!([find(&plain, "zen 5 epyc"), find(&plain, "2 vcpu")], [Ok(1), Ok(1)]);
        assert!(find(&records, "none").unwrap_err().contains("'stock'"));
    }

    #[test]
    fn equal_labels_get_what_distinguishes_them() {
        let mut records = [0, 1, 2].map(|_| perft_gate_bench::reference());
        records.iter_mut().for_each(|record| record.label = Some("mine".into()));
        records[1].machine.hardware.cpu = "Other 1".into();
        records[2].machine.hardware.memory_gib = 7;
        let names = distinct(&records.iter().collect::<Vec<_>>());
        assert_eq!(names[1], "mine, Other 1, 2 vCPU");
        assert!(names[0].ends_with("#1") && names[2].ends_with("#2"), "{names:?}");
    }

    #[test]
    fn a_label_is_one_line_of_a_sensible_length() {
        assert_eq!(one_line(" Ryzen 7\n9800X3D,\tPBO off "), Some("Ryzen 7 9800X3D, PBO off".into()));
        assert_eq!(one_line(" \n "), None);
        assert_eq!(one_line(&"é".repeat(200)).unwrap().chars().count(), MAX_LABEL + 1);
    }
}
