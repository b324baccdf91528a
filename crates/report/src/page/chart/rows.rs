//! One line for each value: a bar, or a dot with its interval, on one axis.
//!
//! The label is on the left, or above if that would leave too little room; the number is on the right.

use super::axis::{Axis, Scale};
use super::canvas::{Anchor, BELOW, Canvas, LINE, LabelGap, Margins, Picture, Plot, shortened, width_of};
use super::palette::ColorRole;
use super::width::{Marks, Width};

/// Rows of bars in groups, on one axis.
#[derive(Clone, Debug)]
pub struct BarChart {
    /// Meaning of the marks, if their labels do not explain them.
    pub key: Vec<ChartKey>,
    /// The axis below.
    pub axis: Axis,
    /// A value to compare with, and its name.
    pub reference: Option<(f64, String)>,
    /// Groups, from the top.
    pub groups: Vec<Group>,
}

/// Meaning of a kind of mark.
#[derive(Clone, Debug)]
pub struct ChartKey {
    /// The mark.
    pub mark: Mark,
    /// Its meaning.
    pub label: String,
}

/// BarChart under one heading.
#[derive(Clone, Debug)]
pub struct Group {
    /// Heading, if any.
    pub label: String,
    /// BarChart, from the top.
    pub rows: Vec<BarRow>,
    /// Value to compare these rows with, if it is not that of the whole chart.
    pub expected: Option<f64>,
}

/// A line of marks.
#[derive(Clone, Debug)]
pub struct BarRow {
    /// Label on the left.
    pub label: String,
    /// Marks, from back to front.
    pub marks: Vec<Mark>,
    /// Number on the right. If there is no mark, the row says that nothing was measured.
    pub note: String,
}

/// Mark in a row.
#[derive(Clone, Copy, Debug)]
pub enum Mark {
    /// A bar from the axis' low end.
    Bar(f64, usize),
    /// An interval.
    Whisker(f64, f64, ColorRole),
    /// A value.
    Dot(f64, usize, Fill),
    /// A range behind the others.
    Band(f64, f64),
    /// The line of a group's expected value, in a key.
    Expected,
}

/// Fill of a dot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fill {
    /// A result with a verdict.
    Full,
    /// A result without a verdict.
    Hollow,
}

impl BarRow {
    /// Returns the text on the right.
    fn shown_note(&self) -> &str {
        if self.marks.is_empty() { NOT_MEASURED } else { &self.note }
    }
}

impl Group {
    /// Returns a group without a value of its own to compare with.
    pub fn new(label: impl Into<String>, rows: Vec<BarRow>) -> Group {
        Group { label: label.into(), rows, expected: None }
    }
}

const ROW: i32 = 22;
/// Height of a row whose label is above.
const STACKED: i32 = 36;
const HEADING: i32 = 22;
const BETWEEN_GROUPS: i32 = 6;
/// Width of a dot.
const DOT: i32 = 10;
/// Margin at the sides, for ticks that reach out.
const SIDE: i32 = 18;

/// Layout of the rows.
struct RowLayout {
    width: i32,
    margins: Margins,
    height: i32,
    is_stacked: bool,
    /// Lines of the key: its entries with their places.
    key: Vec<(i32, i32, usize)>,
    /// Labels that are within the plot.
    gaps: Vec<LabelGap>,
}

/// Said of a row without marks.
const NOT_MEASURED: &str = "not measured";

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

    pub(super) fn marks(&self) -> Marks {
        let rows = self.groups.iter().flat_map(|group| &group.rows).flat_map(|row| &row.marks);
        let all = rows.chain(self.key.iter().map(|key| &key.mark));
        Marks { shapes: all.filter(|mark| matches!(mark, Mark::Bar(..) | Mark::Dot(..))).count(), curves: None }
    }

    fn layout(&self, width: Width) -> RowLayout {
        let width = width.units();
        let rows = || self.groups.iter().flat_map(|group| &group.rows);
        let labels = rows().map(|row| width_of(&row.label)).max().unwrap_or(0);
        let notes = rows().map(|row| width_of(row.shown_note())).max().unwrap_or(0);
        let is_stacked = 5 * labels > 2 * width;
        let left = if is_stacked || labels == 0 { SIDE } else { labels + 10 };
        let mut key = Vec::new();
        let (mut x, mut y) = (0, LINE / 2 + 3);
        for (number, entry) in self.key.iter().enumerate() {
            let room = 18 + width_of(&entry.label) + 16;
            if x > 0 && x + room > width {
                (x, y) = (0, y + LINE + 3);
            }
            key.push((x, y, number));
            x += room;
        }
        let mut top = if key.is_empty() { 3 } else { y + LINE };
        if self.reference.as_ref().is_some_and(|(_, name)| !name.is_empty()) {
            top += LINE + 2;
        }
        let heights = self.groups.iter().map(|group| {
            let heading = if group.label.is_empty() { 0 } else { HEADING };
            heading + group.rows.len() as i32 * if is_stacked { STACKED } else { ROW } + BETWEEN_GROUPS
        });
        let margins = Margins { left, right: (notes + 12).max(SIDE), top };
        let gaps = self.gaps(top, is_stacked);
        RowLayout { width, margins, height: heights.sum(), is_stacked, key, gaps }
    }

    /// Returns the labels that are within the plot: headings, and, if they are above their rows, those of rows.
    fn gaps(&self, top: i32, is_stacked: bool) -> Vec<LabelGap> {
        let mut gaps = Vec::new();
        let mut y = top;
        for group in &self.groups {
            if !group.label.is_empty() {
                gaps.push(LabelGap { rows: y..y + HEADING, end: width_of(&group.label) });
                y += HEADING;
            }
            for row in &group.rows {
                if is_stacked {
                    gaps.push(LabelGap { rows: y..y + LINE, end: width_of(&row.label) });
                }
                y += if is_stacked { STACKED } else { ROW };
            }
            y += BETWEEN_GROUPS;
        }
        gaps
    }

    pub(super) fn draw(&self, width: Width) -> Picture {
        let layout = self.layout(width);
        let (top, height) = (layout.margins.top, layout.height);
        Picture::of(layout.width, top + height + BELOW, |canvas| {
            let plot = canvas.plot(&self.axis, None, layout.margins, height, &layout.gaps);
            let x = |value: f64| self.x(&plot, value);
            self.draw_key(canvas, &layout);
            self.draw_groups(canvas, &layout, &x, Layer::Bands);
            if let Some((value, name)) = &self.reference {
                let at = x(*value);
                canvas.ideal_line(at, top..top + height, &layout.gaps);
                if !name.is_empty() {
                    canvas.centered(at, top - LINE / 2 - 1, name);
                }
            }
            self.draw_groups(canvas, &layout, &x, Layer::Values);
        })
    }

    fn x(&self, plot: &Plot, value: f64) -> i32 {
        plot.x(self.axis.place(value.clamp(self.axis.low, self.axis.high)))
    }

    fn draw_key(&self, canvas: &mut Canvas, layout: &RowLayout) {
        for &(x, y, number) in &layout.key {
            let ChartKey { mark, label } = &self.key[number];
            match *mark {
                Mark::Bar(_, series) => canvas.rectangle([(x, y - 5), (x + 12, y + 5)], ColorRole::Series(series)),
                Mark::Band(..) => canvas.rectangle([(x, y - 6), (x + 12, y + 6)], ColorRole::Band),
                Mark::Whisker(_, _, role) => canvas.line(&[(x, y), (x + 12, y)], role, 2),
                Mark::Expected => canvas.line(&[(x + 6, y - 6), (x + 6, y + 6)], ColorRole::Ideal, 1),
                Mark::Dot(_, series, Fill::Full) => canvas.dot((x + 6, y), series),
                Mark::Dot(_, series, Fill::Hollow) => canvas.ring((x + 6, y), ColorRole::Series(series)),
            }
            canvas.text((x + 18, y), Anchor::Left, ColorRole::Ink, label);
        }
    }

    fn draw_groups(&self, canvas: &mut Canvas, layout: &RowLayout, x: &dyn Fn(f64) -> i32, layer: Layer) {
        let Margins { left, top, .. } = layout.margins;
        let mut y = top;
        for group in &self.groups {
            if !group.label.is_empty() {
                if layer == Layer::Values {
                    canvas.text(
                        (0, y + HEADING / 2 + 1),
                        Anchor::Left,
                        ColorRole::Strong,
                        &shortened(&group.label, layout.width),
                    );
                }
                y += HEADING;
            }
            if let Some(expected) = group.expected.filter(|_| layer == Layer::Bands) {
                let height = group.rows.len() as i32 * if layout.is_stacked { STACKED } else { ROW };
                let at = x(expected);
                canvas.ideal_line(at, y..y + height, &layout.gaps);
            }
            for row in &group.rows {
                let middle = if layout.is_stacked { y + LINE + 8 } else { y + ROW / 2 };
                if layer == Layer::Values {
                    let (at, anchor) = match layout.is_stacked {
                        true => ((0, y + LINE / 2), Anchor::Left),
                        false => ((left - 10, middle), Anchor::Right),
                    };
                    canvas.text(at, anchor, ColorRole::Ink, &shortened(&row.label, layout.width));
                    let role = if row.marks.is_empty() { ColorRole::Muted } else { ColorRole::Ink };
                    canvas.text((layout.width - 2, middle), Anchor::Right, role, row.shown_note());
                }
                for mark in row.marks.iter().filter(|mark| layer.has(mark)) {
                    draw_mark(canvas, *mark, middle, x, self.axis.low);
                }
                y += if layout.is_stacked { STACKED } else { ROW };
            }
            y += BETWEEN_GROUPS;
        }
    }
}

/// Layer of marks: behind or in front of the reference.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Layer {
    Bands,
    Values,
}

impl Layer {
    fn has(self, mark: &Mark) -> bool {
        matches!(mark, Mark::Band(..)) == (self == Layer::Bands)
    }
}

fn draw_mark(canvas: &mut Canvas, mark: Mark, y: i32, x: &dyn Fn(f64) -> i32, low_end: f64) {
    match mark {
        Mark::Bar(value, series) => {
            canvas.rectangle([(x(low_end), y - 6), (x(value), y + 6)], ColorRole::Series(series));
        }
        Mark::Whisker(low, high, role) => {
            let (low, high) = (x(low), x(high));
            canvas.line(&[(low, y), (high, y)], role, 2);
            // Ends that lie under a dot, or in each other, would look like a separate mark.
            let ends = if high - low > DOT { vec![low, high] } else { vec![] };
            for end in if role == ColorRole::Ink { vec![low, high] } else { ends } {
                canvas.line(&[(end, y - 4), (end, y + 4)], role, 1);
            }
        }
        Mark::Dot(value, series, Fill::Full) => canvas.dot((x(value), y), series),
        Mark::Dot(value, series, Fill::Hollow) => canvas.ring((x(value), y), ColorRole::Series(series)),
        Mark::Expected => {}
        Mark::Band(low, high) => canvas.rectangle([(x(low), y - 8), (x(high).max(x(low) + 1), y + 8)], ColorRole::Band),
    }
}
