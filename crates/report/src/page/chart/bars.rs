//! One row per value: a bar, or a dot with its interval, on one axis.
//!
//! The label is on the left, or above where that would leave too little room; the number is on the right.

use super::axis::{Axis, Scale};
use super::marks::{Fill, Mark, upright_lines};
use maud::{Markup, html};
use perft_gate_lab::measure::Interval;

/// Rows of marks in groups, on one axis.
#[derive(Clone, Debug)]
pub struct BarChart {
    /// Kinds of marks and their meanings, if the labels do not explain them. In a mark, 0 and 1 are the ends of the axis.
    pub key: Vec<(Mark, &'static str)>,
    /// The axis below.
    pub axis: Axis,
    /// A value to compare with, and its name.
    pub reference: Option<(f64, String)>,
    /// Groups, from the top.
    pub groups: Vec<Group>,
}

/// Rows under one heading.
#[derive(Clone, Debug)]
pub struct Group {
    /// Heading, if any.
    pub label: String,
    /// Rows, from the top.
    pub rows: Vec<BarRow>,
}

/// A row of marks.
#[derive(Clone, Debug)]
pub struct BarRow {
    /// Label on the left.
    pub label: String,
    /// Marks, from back to front.
    pub marks: Vec<Mark>,
    /// Number on the right.
    pub note: String,
}

/// Longest label, in letters, that is on the left on a phone too.
const SHORT: usize = 14;
/// Pixels of the narrowest plot beside short labels, and below long ones.
const BESIDE: f64 = 170.0;
const BELOW: f64 = 240.0;

impl BarRow {
    /// Returns a bar with its interval.
    pub fn bar(label: impl Into<String>, value: Interval, series: usize, note: String) -> BarRow {
        let marks = vec![Mark::Bar(value.median, series), Mark::Whisker(value, None)];
        BarRow { label: label.into(), marks, note }
    }

    /// Returns a dot with its interval, before a range.
    pub fn dot(
        label: impl Into<String>,
        value: Interval,
        series: usize,
        fill: Fill,
        range: Interval,
        note: String,
    ) -> BarRow {
        let dot = Mark::Dot(value.median, series, fill);
        let marks = vec![Mark::Band(range.low, range.high), Mark::Whisker(value, Some(series)), dot];
        BarRow { label: label.into(), marks, note }
    }

    /// Returns the row of something that was not measured.
    pub fn missing(label: impl Into<String>) -> BarRow {
        BarRow { label: label.into(), marks: Vec::new(), note: "not measured".into() }
    }
}

impl BarChart {
    /// Returns rows whose marks need no key, without a value to compare with.
    pub fn new(axis: Axis, groups: Vec<Group>) -> BarChart {
        BarChart { key: Vec::new(), axis, reference: None, groups }
    }

    /// Returns bars from zero; if one is so long that others could not be seen beside it, dots on a logarithmic axis.
    pub fn of_sizes(title: [&str; 2], values: Vec<f64>, mut groups: Vec<Group>) -> BarChart {
        let axis = Axis::of_sizes(title, values);
        let rows = groups.iter_mut().flat_map(|group| &mut group.rows);
        for row in rows.filter(|_| axis.scale == Scale::Log) {
            for mark in &mut row.marks {
                if let Mark::Bar(value, series) = *mark {
                    *mark = Mark::Dot(value, series, Fill::Full);
                }
            }
            // A dot is before its interval.
            row.marks.sort_by_key(|mark| matches!(mark, Mark::Dot(..)));
        }
        BarChart::new(axis, groups)
    }

    fn rows(&self) -> impl Iterator<Item = &BarRow> {
        self.groups.iter().flat_map(|group| &group.rows)
    }

    /// Returns the number of values, to check a drawn chart.
    pub fn values(&self) -> usize {
        let marks = self.rows().flat_map(|row| &row.marks);
        marks.filter(|mark| matches!(mark, Mark::Bar(..) | Mark::Dot(..))).count()
    }

    /// Draws the chart.
    pub fn html(&self) -> Markup {
        let longest = |text: fn(&BarRow) -> &str| self.rows().map(|row| text(row).chars().count()).max().unwrap_or(0);
        let (letters, note) = (longest(|row| &row.label), longest(|row| &row.note) + 1);
        // Letters are wider than digits, which give the unit its width.
        let label = letters + letters / 6 + 1;
        let ticks = self.axis.ticks_within(if letters > SHORT { BELOW } else { BESIDE });
        let x = |value: f64| self.axis.percent(value);
        html! {
            @if !self.key.is_empty() {
                div.key { @for (mark, meaning) in &self.key { span { span.track { (mark.html(|value| 100.0 * value)) } (meaning) } } }
            }
            div.body.rows.long[letters > SHORT].named[self.reference.is_some()] style=(format!("--label:{label}ch;--note:{note}ch")) {
                div.lines {
                    (upright_lines(&ticks))
                    @if let Some((value, name)) = &self.reference {
                        i.line.ideal style=(format!("left:{:.2}%", x(*value))) {}
                        // Moved to the left by its share of its width, it is always within the plot.
                        span.reference style=(format!("left:{:.2}%;transform:translateX(-{:.2}%)", x(*value), x(*value))) { (name) }
                    }
                }
                @for group in &self.groups {
                    @if !group.label.is_empty() { div.heading { (group.label) } }
                    @for BarRow { label, marks, note } in &group.rows {
                        div.row {
                            span.label { (label) }
                            span.track { @for mark in marks { (mark.html(x)) } }
                            span.note.missing[marks.is_empty()] { (note) }
                        }
                    }
                }
            }
            div.axis { (self.axis.title) }
        }
    }
}
