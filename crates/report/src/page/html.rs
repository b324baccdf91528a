//! The page as HTML: one file without external parts.

use super::chart::{self, Marks, Theme, Width};
use super::model::{Cell, Column, ColumnRole, Figure, NarrowTable, Page, PagePart, PageTable, Section, Size};
use maud::{DOCTYPE, Markup, PreEscaped, html as markup};

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// Returns the page.
pub fn html(page: &Page) -> String {
    let style = format!(
        ":root{{{}--paper:{}}}@media(prefers-color-scheme:dark){{:root{{{}--paper:{}}}}}@media print{{:root{{{}--paper:#fff}}}}{}{}{STYLE}",
        chart::properties(Theme::Light),
        Theme::Light.paper(),
        chart::properties(Theme::Dark),
        Theme::Dark.paper(),
        chart::properties(Theme::Light),
        chart::rules(),
        chart::STYLE,
    );
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
                meta property="og:site_name" content="perft";
                style { (PreEscaped(style)) }
            }
            body {
                header {
                    p.kicker { "perft benchmark" }
                    h1 { (page.title) }
                    p.lead { (page.lead) }
                    @if !page.facts.is_empty() {
                        ul.facts {
                            @for fact in &page.facts {
                                li { strong { (fact.value) } " " span.unit { (fact.unit) } " " span.of { (fact.of) } }
                            }
                        }
                    }
                    @if !page.origin.is_empty() {
                        ul.origin { @for line in &page.origin { li { (line) } } }
                    }
                }
                @if !page.links.is_empty() {
                    nav aria-label="Pages" { ul { li { @for (name, link) in &page.links { a href=(link) { (name) } " " } } } }
                }
                nav aria-label="Sections" { ul { @for (part, sections) in page.parts() { (of_contents(part, sections)) } } }
                main { @for (part, sections) in page.parts() { (of_part(part, sections)) } }
                footer { p { "Made by " code { "perft report" } ", version " (env!("CARGO_PKG_VERSION")) "." } }
                script { (PreEscaped(SCRIPT)) }
            }
        }
    };
    markup.into_string() + "\n"
}

/// Returns a part's line of the contents.
fn of_contents(part: PagePart, sections: &[Section]) -> Markup {
    let is_one = matches!(sections, [one] if one.id == part.id());
    markup! {
        li {
            a.of-part href={ "#" (part.id()) } { (part.title()) }
            @if !is_one { @for section in sections { " " a href={ "#" (section.id) } { (section.title) } } }
        }
    }
}

fn of_part(part: PagePart, sections: &[Section]) -> Markup {
    let is_one = matches!(sections, [one] if one.id == part.id());
    markup! {
        // A part of one section is that section.
        div.part id=[(!is_one).then_some(part.id())] {
            h2 { (part.title()) }
            @for section in sections { (of_section(section, is_one)) }
        }
    }
}

fn of_section(section: &Section, is_part: bool) -> Markup {
    markup! {
        section id=(section.id) {
            @if !is_part { h3 { (section.title) } }
            @for paragraph in &section.text { p { (paragraph) } }
            @if !section.figures.is_empty() {
                div.figures { @for (number, figure) in section.figures.iter().enumerate() { (of_figure(section.id, number, figure)) } }
            }
            @for table in &section.tables { (of_table(table)) }
            @for paragraph in &section.notes { p { (paragraph) } }
            @for table in &section.more { details { summary { (table.caption) } (of_table(table)) } }
        }
    }
}

fn of_figure(section: &str, number: usize, figure: &Figure) -> Markup {
    let Figure { title, description, size, chart, table } = figure;
    let id = format!("{section}-{}", number + 1);
    let picture = |width: Width, name: &str| {
        let Marks { shapes, curves } = chart.marks(width);
        let curves = curves.map_or(String::new(), |curves| format!(" data-curves=\"{curves}\""));
        let attributes = format!(" data-shapes=\"{shapes}\"{curves}");
        PreEscaped(chart.draw(width).inline(&format!("{id}-{name}"), title, description, &attributes))
    };
    markup! {
        figure.full[*size == Size::Full].small[*size == Size::Small] id=(id) {
            figcaption { (title) }
            @if *size == Size::Full { div.wide { (picture(Width::Wide, "wide")) } }
            div.narrow { (picture(Width::Narrow, "narrow")) }
            details { summary { "Numbers" } (of_table(table)) }
        }
    }
}

fn of_table(table: &PageTable) -> Markup {
    markup! {
        div.table.cards[table.narrow == NarrowTable::Cards] role="region" tabindex="0" aria-label=(table.caption) {
            table {
                caption { (table.caption) }
                thead { tr { @for column in &table.columns { th scope="col" .number[column.role == ColumnRole::Number] { (column.title) } } } }
                tbody { @for row in &table.rows { tr { @for (cell, column) in row.iter().zip(&table.columns) { (of_cell(cell, column)) } } } }
            }
        }
    }
}

fn of_cell(cell: &Cell, column: &Column) -> Markup {
    let is_number =
        column.role == ColumnRole::Number || matches!(cell, Cell::Count(_) | Cell::Number { .. } | Cell::Range { .. });
    let is_name = column.role == ColumnRole::Name && !is_number;
    let title = (!column.title.is_empty()).then_some(&column.title);
    // Value to sort by, if it differs from the text shown.
    let value = match cell {
        Cell::Number { .. } | Cell::Count(_) => Some(cell.raw()),
        Cell::Range { low, .. } => Some(low.to_string()),
        Cell::Text(_) | Cell::Name { .. } | Cell::Missing => None,
    };
    markup! {
        @if column.role == ColumnRole::Name && column.title.is_empty() {
            th scope="row" { (cell.shown()) }
        } @else {
            td .number[is_number] .name[is_name] .words[!is_number && !is_name] .missing[*cell == Cell::Missing] data-value=[value] data-title=[title] { (content(cell)) }
        }
    }
}

fn content(cell: &Cell) -> Markup {
    match cell {
        Cell::Name { name, detail, link } => markup! {
            @match link {
                Some(link) => a href=(link) { (name) },
                None => (name),
            }
            @if !detail.is_empty() { " " small { (detail) } }
        },
        other => markup! { (other.shown()) },
    }
}
