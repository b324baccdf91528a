//! Charts as HTML that the page's style sheet lays out and colours.
//!
//! There are two kinds. [`BarChart`] has a row per value. Each row shows a bar, or a dot with its interval, between a
//! label on the left and a number on the right. A label that would leave too little room for its bar is placed above
//! the bar. [`CurveChart`] has curves and a key that names them. Every position is a percentage of the plot, so one
//! picture, with one text size, fits a phone, a desktop and paper. The same values always give the same picture.
//!
//! A chart library would draw one picture per width, in its own fonts and colours.

use super::axis::{Axis, Scale};
use maud::{Markup, html};
use perft_gate_lab::measure::Interval;

/// Number of distinct series colours, which the style sheet calls `--s0` and so on. Later series repeat a colour with
/// another shape. Colours repeat every ten series and shapes every four, so twenty series look different.
const SERIES: usize = 10;
const SHAPES: usize = 4;

#[derive(Clone, Copy, Debug)]
pub enum Mark {
    /// A bar that starts at the low end of the axis.
    Bar(f64, usize),
    /// An interval, drawn in the colour of a series or of the text.
    Whisker(Interval, Option<usize>),
    Dot(f64, usize, Fill),
    /// A range behind the other marks.
    Band(f64, f64),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fill {
    /// A filled dot, for every result except a difference that may be noise.
    Full,
    /// A hollow dot, for a difference that is not clearly beyond the noise.
    Hollow,
}

fn color(series: usize) -> String {
    format!("color:var(--s{})", series % SERIES)
}

impl Mark {
    /// Draws the mark. `x` returns the position of a value in percent.
    fn html(self, x: impl Fn(f64) -> f64) -> Markup {
        let stretch = |low: f64, high: f64| format!("left:{:.2}%;width:{:.2}%", x(low), x(high) - x(low));
        match self {
            Mark::Bar(value, series) => {
                html! { i.bar style=(format!("width:{:.2}%;{}", x(value), color(series))) {} }
            }
            Mark::Whisker(Interval { low, high, .. }, series) => {
                let color = series.map_or(String::new(), |series| format!(";{}", color(series)));
                html! { i.whisker style=(stretch(low, high) + &color) {} }
            }
            Mark::Dot(value, series, fill) => dot((x(value), 50.0), series, fill),
            Mark::Band(low, high) => html! { i.band style=(stretch(low, high)) {} },
        }
    }
}

/// Draws a dot at a position in percent from the left and the bottom. Its shape distinguishes the series even without colour.
fn dot((x, y): (f64, f64), series: usize, fill: Fill) -> Markup {
    let place = format!("left:{x:.2}%;bottom:{y:.2}%;{}", color(series));
    html! { i.dot .{ "shape" (series % SHAPES) } .hollow[fill == Fill::Hollow] style=(place) {} }
}

/// Draws vertical grid lines, each with its label below the plot.
fn upright_lines(ticks: &[(f64, String)]) -> Markup {
    html! {
        @for (x, label) in ticks {
            i.line style=(format!("left:{x:.2}%")) {}
            // A label near the left edge is not centred, so that it stays in the picture.
            span.tick style=(format!("left:{x:.2}%;transform:translateX(-{:.0}%)", (5.0 * x).min(50.0))) { (label) }
        }
    }
}

/// A chart whose rows contain marks. The rows are grouped, and all of them share one axis.
#[derive(Clone, Debug)]
pub struct BarChart {
    /// Marks and their meanings, if the labels do not explain them. The key draws these marks on an axis from 0 to 1.
    pub key: Vec<(Mark, &'static str)>,
    pub axis: Axis,
    /// A value that the rows are compared with, and its name.
    pub reference: Option<(f64, String)>,
    /// Groups, from the top.
    pub groups: Vec<Group>,
}

#[derive(Clone, Debug)]
pub struct Group {
    /// Heading, if any.
    pub label: String,
    /// Rows, from the top.
    pub rows: Vec<BarRow>,
}

#[derive(Clone, Debug)]
pub struct BarRow {
    pub label: String,
    /// Marks, from back to front.
    pub marks: Vec<Mark>,
    pub note: String,
}

/// Maximum number of letters in a label that stays to the left of its bar on a phone.
const SHORT: usize = 14;
/// Minimum width of a plot in pixels: `BESIDE` if it is next to short labels, `BELOW` if it is under long ones.
const BESIDE: f64 = 170.0;
const BELOW: f64 = 240.0;

impl BarRow {
    pub fn bar(label: impl Into<String>, value: Interval, series: usize, note: String) -> BarRow {
        let marks = vec![Mark::Bar(value.median, series), Mark::Whisker(value, None)];
        BarRow { label: label.into(), marks, note }
    }
}

impl BarChart {
    /// Returns a chart with bars from zero, or with dots on a logarithmic axis if one bar would dwarf the others.
    pub fn of_sizes(title: [&str; 2], values: Vec<f64>, mut groups: Vec<Group>) -> BarChart {
        let axis = Axis::of_sizes(title, values);
        let rows = groups.iter_mut().flat_map(|group| &mut group.rows);
        for row in rows.filter(|_| axis.scale == Scale::Log) {
            for mark in &mut row.marks {
                if let Mark::Bar(value, series) = *mark {
                    *mark = Mark::Dot(value, series, Fill::Full);
                }
            }
            // The dot is drawn in front of its interval.
            row.marks.sort_by_key(|mark| matches!(mark, Mark::Dot(..)));
        }
        BarChart { key: Vec::new(), axis, reference: None, groups }
    }

    fn rows(&self) -> impl Iterator<Item = &BarRow> {
        self.groups.iter().flat_map(|group| &group.rows)
    }

    /// Returns the number of values that the chart shows, so that the drawn chart can be checked.
    pub fn values(&self) -> usize {
        self.rows().flat_map(|row| &row.marks).filter(|mark| matches!(mark, Mark::Bar(..) | Mark::Dot(..))).count()
    }

    pub fn html(&self) -> Markup {
        let longest = |text: fn(&BarRow) -> &str| self.rows().map(|row| text(row).chars().count()).max().unwrap_or(0);
        let (letters, note) = (longest(|row| &row.label), longest(|row| &row.note) + 1);
        // Letters are wider than the unit `ch`, the width of a digit, so a label needs more units than it has letters.
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
                        // Shifting the name left by `x` percent of its width keeps it within the plot.
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

#[derive(Clone, Debug)]
pub struct CurveChart {
    pub across: Axis,
    pub upwards: Axis,
    /// Curves, from back to front.
    pub curves: Vec<Curve>,
}

#[derive(Clone, Debug)]
pub struct Curve {
    pub label: String,
    /// Series that gives the curve its colour; `None` for the curve that the others are compared with.
    pub series: Option<usize>,
    /// Points, from left to right.
    pub points: Vec<(f64, f64)>,
}

/// A curve of at most this many points has a dot at each point. A curve with more points has a dot only at its end.
const DOTS: usize = 20;
/// Minimum width of a plot in pixels.
const WIDTH: f64 = 260.0;
const UPWARDS: usize = 7;

impl Curve {
    /// Returns the points that have a dot.
    fn dot_points(&self) -> &[(f64, f64)] {
        match (self.series, self.points.len()) {
            (None, _) => &[],
            (_, ..=DOTS) => &self.points,
            (_, all) => &self.points[all - 1..],
        }
    }

    fn html(&self, points: &str) -> Markup {
        // Dashes mark the curve that the others are compared with, and every series that repeats an earlier colour.
        let dashes = self.series.is_none_or(|series| series >= SERIES).then_some("5 3");
        let color = self.series.map(color);
        html! {
            svg viewBox="0 0 100 100" preserveAspectRatio="none" style=[color] {
                polyline points=(points) stroke-dasharray=[dashes] {}
            }
        }
    }
}

impl CurveChart {
    /// Returns the number of dots that the chart shows, so that the drawn chart can be checked.
    pub fn values(&self) -> usize {
        self.curves.iter().map(|curve| curve.dot_points().len()).sum()
    }

    pub fn html(&self) -> Markup {
        let ticks = self.upwards.ticks(UPWARDS);
        let widest = ticks.iter().map(|(_, label)| label.chars().count()).max().unwrap_or(0);
        let place = |&(x, y): &(f64, f64)| (self.across.percent(x), self.upwards.percent(y));
        let points = |curve: &Curve| {
            let places = curve.points.iter().map(place).map(|(x, y)| format!("{x:.2},{:.2}", 100.0 - y));
            places.collect::<Vec<_>>().join(" ")
        };
        // The key lists the curves in the order of their right ends, the highest first.
        let end = |curve: &&Curve| curve.points.last().map_or(0.0, |point| self.upwards.percent(point.1));
        let mut key: Vec<&Curve> = self.curves.iter().collect();
        key.sort_by(|one, other| end(other).total_cmp(&end(one)));
        html! {
            div.key {
                @for curve in key {
                    span {
                        span.track {
                            (curve.html("0,50 100,50"))
                            @if let Some(series) = curve.series { (dot((50.0, 50.0), series, Fill::Full)) }
                        }
                        (curve.label)
                    }
                }
            }
            div.axis.upwards { (self.upwards.title) }
            div.body.curves style=(format!("--label:{widest}ch;--note:2ch")) {
                div.lines {
                    (upright_lines(&self.across.ticks_within(WIDTH)))
                    @for (y, label) in &ticks {
                        i.line.level style=(format!("bottom:{y:.2}%")) {}
                        span.tick.level style=(format!("bottom:{y:.2}%")) { (label) }
                    }
                    @for curve in &self.curves {
                        (curve.html(&points(curve)))
                        @for point in curve.dot_points() { (dot(place(point), curve.series.unwrap_or(0), Fill::Full)) }
                    }
                }
            }
            div.axis { (self.across.title) }
        }
    }
}
