//! Curves, each with its label at its end.

use super::axis::Axis;
use super::canvas::{Anchor, BELOW, BETWEEN_LINES, LINE, Margins, Picture, width_of};
use super::palette::Role;
use super::{Marks, Width};

/// Curves on two axes.
#[derive(Clone, Debug)]
pub struct Lines {
    /// Axis below.
    pub across: Axis,
    /// Axis on the left.
    pub upwards: Axis,
    /// Curves, from back to front.
    pub lines: Vec<Line>,
}

/// A curve.
#[derive(Clone, Debug)]
pub struct Line {
    /// Label at its end.
    pub label: String,
    /// Its colour.
    pub role: Role,
    /// Marks of its values.
    pub markers: Markers,
    /// Points, from left to right.
    pub points: Vec<Point>,
}

/// Marks of a curve's values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Markers {
    /// A dot for each value.
    Dots,
    /// No marks.
    None,
}

/// A value.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Point {
    /// Horizontal value.
    pub x: f64,
    /// Vertical value.
    pub y: f64,
}

/// Height above the plot: the title of the upward axis.
const ABOVE: i32 = 30;

impl Lines {
    pub(super) fn marks(&self) -> Marks {
        let series = || self.lines.iter().filter(|line| matches!(line.role, Role::Series(_)));
        let dotted = series().filter(|line| line.markers == Markers::Dots);
        Marks { shapes: dotted.map(|line| line.points.len()).sum(), curves: Some(series().count()) }
    }

    pub(super) fn draw(&self, width: Width) -> Picture {
        let all = width.units();
        let height = if width == Width::Wide { 300 } else { 230 };
        let widest = |texts: &mut dyn Iterator<Item = i32>| texts.max().unwrap_or(0);
        let left =
            widest(&mut self.upwards.ticks((height / BETWEEN_LINES) as usize).iter().map(|(_, label)| width_of(label)))
                + 12;
        let right = widest(&mut self.lines.iter().map(|line| width_of(&line.label))) + 16;
        let margins = Margins { left, right, top: ABOVE };
        Picture::of(all, ABOVE + height + BELOW, |canvas| {
            let plot = canvas.plot(&self.across, Some(&self.upwards), margins, height);
            canvas.text((0, LINE / 2 + 3), Anchor::Left, Role::Muted, &self.upwards.title);
            let at = |x: f64, y: f64| {
                let y = y.clamp(self.upwards.low, self.upwards.high);
                (plot.x(self.across.place(x)), plot.y(self.upwards.place(y)))
            };
            for line in &self.lines {
                let places: Vec<_> = line.points.iter().map(|point| at(point.x, point.y)).collect();
                canvas.line(&places, line.role, if line.role == Role::Ideal { 1 } else { 2 });
                if let (Role::Series(series), Markers::Dots) = (line.role, line.markers) {
                    places.into_iter().for_each(|place| canvas.dot(place, series));
                }
            }
            let ends: Vec<(i32, usize)> = self
                .lines
                .iter()
                .enumerate()
                .filter_map(|(number, line)| line.points.last().map(|point| (at(point.x, point.y).1, number)))
                .collect();
            // All labels at the end of the longest curve, so that none lies on another curve.
            let end = |line: &Line| line.points.last().map(|point| at(point.x, point.y).0);
            let last = self.lines.iter().filter_map(end).max().unwrap_or(0);
            for (y, number) in apart(ends, ABOVE + LINE / 2, ABOVE + height) {
                let Line { label, role, .. } = &self.lines[number];
                canvas.text((last + 9, y), Anchor::Left, *role, label);
            }
        })
    }
}

/// Moves labels apart, as little as needed, between two heights.
fn apart(mut labels: Vec<(i32, usize)>, top: i32, bottom: i32) -> Vec<(i32, usize)> {
    labels.sort();
    let mut least = top;
    for (y, _) in &mut labels {
        *y = (*y).max(least);
        least = *y + LINE;
    }
    let mut most = bottom;
    for (y, _) in labels.iter_mut().rev() {
        *y = (*y).min(most);
        most = *y - LINE;
    }
    labels
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_that_would_overlap_move_apart() {
        let moved = apart(vec![(50, 0), (52, 1), (100, 2), (99, 3)], 0, 100);
        assert_eq!(moved, [(50, 0), (65, 1), (85, 3), (100, 2)]);
    }
}
