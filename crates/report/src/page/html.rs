//! The page as HTML: one file without external parts.

use super::chart::{self, Marks, Theme, Width};
use super::element::Element;
use super::model::{Cell, Column, ColumnRole, Figure, NarrowTable, Page, PagePart, PageTable, Section, Size};

const STYLE: &str = include_str!("page.css");
const SCRIPT: &str = include_str!("page.js");

/// Returns the page.
pub fn html(page: &Page) -> String {
    let page = Element::new("html").with("lang", "en").add(head(page)).add(body(page));
    format!("<!DOCTYPE html>{}\n", page.close())
}

fn head(page: &Page) -> Element {
    let named = |name: &str, content: &str| Element::new("meta").with("name", name).with("content", content);
    let property =
        |property: &str, content: &str| Element::new("meta").with("property", property).with("content", content);
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
    Element::new("head")
        .add(Element::new("meta").with("charset", "utf-8"))
        .add(named("viewport", "width=device-width, initial-scale=1"))
        .add(named("color-scheme", "light dark"))
        .add(named("generator", concat!("perft ", env!("CARGO_PKG_VERSION"))))
        .add(Element::new("title").text(&page.title).text(" – perft"))
        .add(named("description", &page.lead))
        .add(property("og:title", &page.title))
        .add(property("og:description", &page.lead))
        .add(property("og:type", "article"))
        .add(property("og:site_name", "perft"))
        .add(Element::new("style").markup(&style))
}

fn body(page: &Page) -> Element {
    let mut header = Element::new("header")
        .add(Element::of_class("p", "kicker").text("perft benchmark"))
        .add(Element::new("h1").text(&page.title))
        .add(Element::of_class("p", "lead").text(&page.lead));
    if !page.facts.is_empty() {
        let facts = page.facts.iter().map(|fact| {
            let (value, unit) = (Element::new("strong").text(&fact.value), Element::of_class("span", "unit"));
            let of = Element::of_class("span", "of").text(&fact.of);
            Element::new("li").add(value).text(" ").add(unit.text(&fact.unit)).text(" ").add(of)
        });
        header = header.add(Element::of_class("ul", "facts").add_all(facts));
    }
    if !page.origin.is_empty() {
        let lines = page.origin.iter().map(|line| Element::new("li").text(line));
        header = header.add(Element::of_class("ul", "origin").add_all(lines));
    }
    let mut body = Element::new("body").add(header);
    if !page.links.is_empty() {
        let links = page.links.iter().fold(Element::new("li"), |links, (name, link)| {
            links.add(Element::new("a").with("href", link).text(name)).text(" ")
        });
        body = body.add(Element::new("nav").with("aria-label", "Pages").add(Element::new("ul").add(links)));
    }
    let contents = page.parts().map(|(part, sections)| of_contents(part, sections));
    let parts = page.parts().map(|(part, sections)| of_part(part, sections));
    let made_by = Element::new("p").text("Made by ").add(Element::new("code").text("perft report"));
    body.add(Element::new("nav").with("aria-label", "Sections").add(Element::new("ul").add_all(contents)))
        .add(Element::new("main").add_all(parts))
        .add(Element::new("footer").add(made_by.text(concat!(", version ", env!("CARGO_PKG_VERSION"), "."))))
        .add(Element::new("script").markup(SCRIPT))
}

/// Returns a part's line of the contents.
fn of_contents(part: PagePart, sections: &[Section]) -> Element {
    let link = |id: &str, title: &str| Element::new("a").with("href", &format!("#{id}")).text(title);
    let part_link = Element::of_class("a", "of-part").with("href", &format!("#{}", part.id())).text(part.title());
    let line = Element::new("li").add(part_link);
    match sections {
        [one] if one.id == part.id() => line,
        _ => sections.iter().fold(line, |line, section| line.text(" ").add(link(section.id, section.title))),
    }
}

fn of_part(part: PagePart, sections: &[Section]) -> Element {
    let is_one = matches!(sections, [one] if one.id == part.id());
    // A part of one section is that section.
    Element::of_class("div", "part")
        .with_any("id", (!is_one).then_some(part.id()))
        .add(Element::new("h2").text(part.title()))
        .add_all(sections.iter().map(|section| of_section(section, is_one)))
}

fn of_section(section: &Section, is_part: bool) -> Element {
    let paragraph = |text: &String| Element::new("p").text(text);
    let mut element = Element::new("section").with("id", section.id);
    if !is_part {
        element = element.add(Element::new("h3").text(section.title));
    }
    element = element.add_all(section.text.iter().map(paragraph));
    if !section.figures.is_empty() {
        let figures = section.figures.iter().enumerate();
        let figures = figures.map(|(number, figure)| of_figure(section.id, number, figure));
        element = element.add(Element::of_class("div", "figures").add_all(figures));
    }
    let more = |table: &PageTable| folded(&table.caption, table);
    element
        .add_all(section.tables.iter().map(of_table))
        .add_all(section.notes.iter().map(paragraph))
        .add_all(section.more.iter().map(more))
}

/// Returns a table that opens by a click.
fn folded(summary: &str, table: &PageTable) -> Element {
    Element::new("details").add(Element::new("summary").text(summary)).add(of_table(table))
}

fn of_figure(section: &str, number: usize, figure: &Figure) -> Element {
    let Figure { title, description, size, chart, table } = figure;
    let id = format!("{section}-{}", number + 1);
    let picture = |class: &str, width: Width| {
        let Marks { shapes, curves } = chart.marks(width);
        let curves = curves.map_or(String::new(), |curves| format!(" data-curves=\"{curves}\""));
        let attributes = format!(" data-shapes=\"{shapes}\"{curves}");
        let picture = chart.draw(width).inline(&format!("{id}-{class}"), title, description, &attributes);
        Element::of_class("div", class).markup(&picture)
    };
    let class = match size {
        Size::Full => Some("full"),
        Size::Small => Some("small"),
    };
    Element::new("figure")
        .with_any("class", class)
        .with("id", &id)
        .add(Element::new("figcaption").text(title))
        .add_all((*size == Size::Full).then(|| picture("wide", Width::Wide)))
        .add(picture("narrow", Width::Narrow))
        .add(folded("Numbers", table))
}

fn of_table(table: &PageTable) -> Element {
    let header = |column: &Column| {
        let class = (column.role == ColumnRole::Number).then_some("number");
        Element::new("th").with_any("class", class).with("scope", "col").text(&column.title)
    };
    let row = |row: &Vec<Cell>| {
        Element::new("tr").add_all(row.iter().zip(&table.columns).map(|(cell, column)| of_cell(cell, column)))
    };
    let rows = Element::new("table")
        .add(Element::new("caption").text(&table.caption))
        .add(Element::new("thead").add(Element::new("tr").add_all(table.columns.iter().map(header))))
        .add(Element::new("tbody").add_all(table.rows.iter().map(row)));
    Element::of_class("div", if table.narrow == NarrowTable::Cards { "table cards" } else { "table" })
        .with("role", "region")
        .with("tabindex", "0")
        .with("aria-label", &table.caption)
        .add(rows)
}

fn of_cell(cell: &Cell, column: &Column) -> Element {
    if column.role == ColumnRole::Name && column.title.is_empty() {
        return Element::new("th").with("scope", "row").text(&cell.shown());
    }
    let is_number =
        column.role == ColumnRole::Number || matches!(cell, Cell::Count(_) | Cell::Number { .. } | Cell::Range { .. });
    let kind = match column.role {
        _ if is_number => "number",
        ColumnRole::Name => "name",
        _ => "words",
    };
    let class = if *cell == Cell::Missing { format!("{kind} missing") } else { kind.into() };
    // Value to sort by, if it differs from the text shown.
    let value = match cell {
        Cell::Number { .. } | Cell::Count(_) => Some(cell.raw()),
        Cell::Range { low, .. } => Some(low.to_string()),
        Cell::Text(_) | Cell::Name { .. } | Cell::Missing => None,
    };
    let element = Element::of_class("td", &class)
        .with_any("data-value", value.as_deref())
        .with_any("data-title", (!column.title.is_empty()).then_some(&column.title));
    let Cell::Name { name, detail, link } = cell else { return element.text(&cell.shown()) };
    let element = match link {
        Some(link) => element.add(Element::new("a").with("href", link).text(name)),
        None => element.text(name),
    };
    if detail.is_empty() { element } else { element.text(" ").add(Element::new("small").text(detail)) }
}
