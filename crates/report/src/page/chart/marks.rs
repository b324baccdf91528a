//! Marks of values, and the grid behind them. Colours and shapes are those of the style sheet.

use maud::{Markup, html};
use perft_gate_lab::measure::Interval;

/// Number of series with a separate colour, `--s0` and so on in the style sheet. After the last one the first is used again,
/// with another shape: ten colours and four shapes distinguish twenty series.
const SERIES: usize = 10;
const SHAPES: usize = 4;

/// Mark in a row.
#[derive(Clone, Copy, Debug)]
pub enum Mark {
    /// A bar from the axis' low end.
    Bar(f64, usize),
    /// An interval; of a series, or in the colour of text.
    Whisker(Interval, Option<usize>),
    /// A value.
    Dot(f64, usize, Fill),
    /// A range behind the others.
    Band(f64, f64),
}

/// Fill of a dot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fill {
    /// A result with a verdict.
    Full,
    /// A result without a verdict.
    Hollow,
}

/// Returns the colour of a series.
pub(super) fn color(series: usize) -> String {
    format!("color:var(--s{})", series % SERIES)
}

/// Returns true if a series has the colour of an earlier one.
pub(super) fn is_color_again(series: usize) -> bool {
    series >= SERIES
}

impl Mark {
    /// Draws the mark; `x` returns the place of a value in percent.
    pub(super) fn html(self, x: impl Fn(f64) -> f64) -> Markup {
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

/// Draws a dot at a place in percent, from the left and from below. Its shape distinguishes series without colours.
pub(super) fn dot((x, y): (f64, f64), series: usize, fill: Fill) -> Markup {
    let place = format!("left:{x:.2}%;bottom:{y:.2}%;{}", color(series));
    html! { i.dot .{ "shape" (series % SHAPES) } .hollow[fill == Fill::Hollow] style=(place) {} }
}

/// Draws upright lines of the grid, each with its label below the plot.
pub(super) fn upright_lines(ticks: &[(f64, String)]) -> Markup {
    html! {
        @for (x, label) in ticks {
            i.line style=(format!("left:{x:.2}%")) {}
            span.tick style=(format!("left:{x:.2}%")) { (label) }
        }
    }
}
