//! The page as CSV, a value a line: section, table, row, column, value. Numbers are as they are, not as they are shown.

use super::model::{Cell, Page, Role, Table};

/// Every value of every table; what is missing has no line.
pub fn csv(page: &Page) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(["section", "table", "row", "column", "value"]).expect("memory");
    for section in &page.sections {
        let tables = section.figures.iter().map(|figure| &figure.table).chain(&section.tables).chain(&section.more);
        for table in tables {
            for row in &table.rows {
                write_row(&mut writer, section.id, table, row);
            }
        }
    }
    String::from_utf8(writer.into_inner().expect("memory")).expect("of strings")
}

fn write_row(writer: &mut csv::Writer<Vec<u8>>, section: &str, table: &Table, row: &[Cell]) {
    let cells = || table.columns.iter().zip(row);
    let names = cells().filter(|(column, _)| column.role == Role::Name).map(|(_, cell)| cell.raw());
    let name = names.collect::<Vec<_>>().join(", ");
    for (column, cell) in cells().filter(|(column, cell)| column.role != Role::Name && **cell != Cell::Missing) {
        let record = [section, &table.caption, &name, &column.title, &cell.raw()];
        writer.write_record(record).expect("memory");
    }
}
