//! Curves with a key.

use super::axis::Axis;
use super::marks::{Fill, color, dot, is_color_again, upright_lines};
use maud::{Markup, html};

/// Curves on two axes.
#[derive(Clone, Debug)]
pub struct CurveChart {
    /// Axis below.
    pub across: Axis,
    /// Axis on the left.
    pub upwards: Axis,
    /// Curves, from back to front.
    pub curves: Vec<Curve>,
}

/// A curve.
#[derive(Clone, Debug)]
pub struct Curve {
    /// Label in the key.
    pub label: String,
    /// Series that gives it its colour; none for what values are compared with.
    pub series: Option<usize>,
    /// Points, from left to right.
    pub points: Vec<(f64, f64)>,
}

/// Most points of a curve that each have a dot; on a longer curve only the last has one.
const DOTS: usize = 20;
/// Pixels of the narrowest plot.
const WIDTH: f64 = 260.0;
/// Most ticks on the left.
const UPWARDS: usize = 7;

impl Curve {
    /// Returns the points that have a dot.
    fn dotted(&self) -> &[(f64, f64)] {
        match (self.series, self.points.len()) {
            (None, _) => &[],
            (_, ..=DOTS) => &self.points,
            (_, all) => &self.points[all - 1..],
        }
    }

    fn html(&self, points: &str) -> Markup {
        let dashes = self.series.is_none_or(is_color_again).then_some("5 3");
        let color = self.series.map(color);
        html! {
            svg viewBox="0 0 100 100" preserveAspectRatio="none" style=[color] {
                polyline points=(points) stroke-dasharray=[dashes] {}
            }
        }
    }
}

impl CurveChart {
    /// Returns the number of dots, to check a drawn chart.
    pub fn values(&self) -> usize {
        self.curves.iter().map(|curve| curve.dotted().len()).sum()
    }

    /// Draws the chart.
    pub fn html(&self) -> Markup {
        let ticks = self.upwards.ticks(UPWARDS);
        let widest = ticks.iter().map(|(_, label)| label.chars().count()).max().unwrap_or(0);
        let place = |&(x, y): &(f64, f64)| (self.across.percent(x), self.upwards.percent(y));
        let points = |curve: &Curve| {
            let places = curve.points.iter().map(place).map(|(x, y)| format!("{x:.2},{:.2}", 100.0 - y));
            places.collect::<Vec<_>>().join(" ")
        };
        // The key is in the order in which the curves end.
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
                        @for point in curve.dotted() { (dot(place(point), curve.series.unwrap_or(0), Fill::Full)) }
                    }
                }
            }
            div.axis { (self.across.title) }
        }
    }
}
