//! The page as Markdown: its text and its tables.

use super::model::{Page, PageTable, Role};
use std::fmt::Write;

/// Returns the page.
pub fn markdown(page: &Page) -> String {
    let mut out = String::new();
    let mut line = |text: &str| writeln!(out, "{text}").expect("a string");
    line(&format!("# {}\n\n{}\n", page.title, page.lead));
    page.origin.iter().for_each(|text| line(&format!("- {text}")));
    for section in &page.sections {
        line(&format!("\n## {}", section.title));
        section.text.iter().for_each(|text| line(&format!("\n{text}")));
        for figure in &section.figures {
            line(&format!("\n### {}\n\n{}", figure.title, table(&figure.table).trim_end()));
        }
        for other in section.tables.iter().chain(&section.more) {
            line(&format!("\n### {}\n\n{}", other.caption, table(other).trim_end()));
        }
    }
    out
}

fn table(table: &PageTable) -> String {
    let row = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let escaped = |text: &str| text.replace('|', "\\|");
    let rules = table.columns.iter().map(|column| if column.role == Role::Number { "---:" } else { "---" });
    let mut out = row(table.columns.iter().map(|column| escaped(&column.title)).collect());
    out += &row(rules.map(String::from).collect());
    for cells in &table.rows {
        out += &row(cells.iter().map(|cell| escaped(&cell.shown())).collect());
    }
    out
}
