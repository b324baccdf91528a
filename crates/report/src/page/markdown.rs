//! The page as Markdown: its text and its tables.

use super::model::{ColumnRole, Page, PageTable};
use std::fmt::Write;

/// Returns the page.
pub fn markdown(page: &Page) -> String {
    let mut out = String::new();
    let mut line = |text: &str| writeln!(out, "{text}").expect("a string");
    line(&format!("# {}\n\n{}\n", plain(&page.title), plain(&page.lead)));
    page.origin.iter().for_each(|text| line(&format!("- {}", plain(text))));
    let headings = page.parts().flat_map(|(part, sections)| sections.iter().enumerate().map(move |at| (part, at)));
    for (part, (number, section)) in headings {
        if number == 0 {
            line(&format!("\n## {}", part.title()));
        }
        if section.id != part.id() {
            line(&format!("\n### {}", section.title));
        }
        section.text.iter().for_each(|text| line(&format!("\n{}", plain(text))));
        section.notes.iter().for_each(|text| line(&format!("\n{}", plain(text))));
        for figure in &section.figures {
            line(&format!("\n#### {}\n\n{}", plain(&figure.title), table(&figure.table).trim_end()));
        }
        for other in section.tables.iter().chain(&section.more) {
            line(&format!("\n#### {}\n\n{}", plain(&other.caption), table(other).trim_end()));
        }
    }
    out
}

/// Returns a text that is no HTML: labels come from files.
fn plain(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

fn table(table: &PageTable) -> String {
    let row = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let escaped = |text: &str| plain(text).replace('|', "\\|");
    let rules = table.columns.iter().map(|column| if column.role == ColumnRole::Number { "---:" } else { "---" });
    let mut out = row(table.columns.iter().map(|column| escaped(&column.title)).collect());
    out += &row(rules.map(String::from).collect());
    for cells in &table.rows {
        out += &row(cells.iter().map(|cell| escaped(&cell.shown())).collect());
    }
    out
}
