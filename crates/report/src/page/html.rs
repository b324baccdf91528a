//! The page as HTML: a single file that loads nothing else.

use super::model::{Cell, Chart, Figure, Page, PageTable, Section};
use maud::{DOCTYPE, Markup, PreEscaped, html as markup};

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

pub fn html(page: &Page) -> String {
    let markup = markup! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta name="generator" content=(concat!("perft ", env!("CARGO_PKG_VERSION")));
                title { (page.title) " – perft" }
                meta name="description" content=(page.lead);
                meta property="og:title" content=(page.title);
                meta property="og:description" content=(page.lead);
                meta property="og:type" content="article";
                style { (PreEscaped(STYLE)) }
            }
            body {
                header {
                    p.kicker { "perft benchmark" }
                    h1 { (page.title) }
                    p.lead { (page.lead) }
                    @if !page.facts.is_empty() {
                        ul.facts {
                            @for [value, unit, of] in &page.facts { li { strong { (value) } " " span { (unit) } " " small { (of) } } }
                        }
                    }
                }
                nav aria-label="Sections" { @for section in &page.sections { a href={ "#" (section.id) } { (section.title) } " " } }
                main { @for section in &page.sections { (of_section(section)) } }
                footer { p { "Made by " code { "perft report" } ", version " (env!("CARGO_PKG_VERSION")) "." } }
                script { (PreEscaped(SCRIPT)) }
            }
        }
    };
    markup.into_string() + "\n"
}

fn of_section(section: &Section) -> Markup {
    markup! {
        section id=(section.id) {
            h2 { (section.title) }
            @for paragraph in &section.text { p { (paragraph) } }
            @if !section.figures.is_empty() { div.figures { @for figure in &section.figures { (of_figure(figure)) } } }
            @for table in &section.tables { (of_table(table)) }
            @for table in &section.more { details { summary { (table.caption) } (of_table(table)) } }
        }
    }
}

fn of_figure(Figure { title, chart }: &Figure) -> Markup {
    let (values, drawn) = match chart {
        Chart::Bars(bars) => (bars.values(), bars.html()),
        Chart::Curves(curves) => (curves.values(), curves.html()),
    };
    markup! {
        figure {
            figcaption { (title) }
            div.chart role="img" aria-label=(title) data-values=(values) { (drawn) }
        }
    }
}

fn of_table(table: &PageTable) -> Markup {
    let is_number = |column: usize| table.rows.iter().any(|row| row[column].is_number());
    markup! {
        div.table role="region" tabindex="0" aria-label=(table.caption) {
            table {
                caption { (table.caption) }
                thead { tr { @for (at, title) in table.columns.iter().enumerate() { th scope="col" .number[is_number(at)] { (title) } } } }
                tbody { @for row in &table.rows { tr { @for (at, cell) in row.iter().enumerate() { (of_cell(cell, &table.columns[at], at < table.names)) } } } }
            }
        }
    }
}

fn of_cell(cell: &Cell, title: &str, is_name: bool) -> Markup {
    let is_number = cell.is_number();
    // Rows are sorted by this value, not by the text shown.
    let value = cell.values().into_iter().next().filter(|_| is_number);
    markup! {
        td .number[is_number] .name[is_name && !is_number] .words[!is_name && !is_number] .missing[*cell == Cell::Missing] data-value=[value] data-title=(title) {
            (cell.to_text())
            @if let Cell::Name(_, detail) = cell { " " small { (detail) } }
        }
    }
}
