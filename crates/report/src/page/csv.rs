//! The page as CSV, one value per line: section, table, row, column, value. Numbers are exact, not rounded.

use super::model::{Cell, Page, PageTable};
use std::borrow::Cow;

/// Returns a CSV line for every value of every table, except for missing values.
pub fn csv(page: &Page) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(["section", "table", "row", "column", "value"]).expect("memory");
    for section in &page.sections {
        for table in section.tables.iter().chain(&section.more) {
            table.rows.iter().for_each(|row| write_row(&mut writer, section.id, table, row));
        }
    }
    String::from_utf8(writer.into_inner().expect("memory")).expect("of strings")
}

/// Stops a spreadsheet from reading a value, such as a name from a file, as a formula. Negative numbers are allowed.
///
/// **Source**: <https://owasp.org/www-community/attacks/CSV_Injection>.
fn defuse_formula(value: &str) -> Cow<'_, str> {
    let is_formula = match value.chars().next() {
        Some('=' | '+' | '@' | '\t' | '\r') => true,
        Some('-') => value.parse::<f64>().is_err(),
        _ => false,
    };
    if is_formula { format!("'{value}").into() } else { value.into() }
}

fn write_row(writer: &mut csv::Writer<Vec<u8>>, section: &str, table: &PageTable, row: &[Cell]) {
    let (names, others) = row.split_at(table.names);
    let name = names.iter().flat_map(Cell::values).collect::<Vec<_>>().join(", ");
    for (title, cell) in table.columns[table.names..].iter().zip(others) {
        let ends = if matches!(cell, Cell::Range(..)) { [" from", " to"] } else { ["", ""] };
        for (value, end) in cell.values().into_iter().zip(ends) {
            let column = format!("{title}{end}");
            let record = [section, &table.caption, &name, &column, &value].map(defuse_formula);
            writer.write_record(record.iter().map(|value| value.as_bytes())).expect("memory");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_no_formulas() {
        for formula in ["=1+1", "+cmd", "@SUM(A1)", "-2+3", "\t=1", "\r=1"] {
            assert_eq!(defuse_formula(formula), format!("'{formula}"));
        }
        for value in ["-4.25", "-1e-7", "AMD EPYC", ""] {
            assert_eq!(defuse_formula(value), value);
        }
    }
}
