//! Curves, each with its label at its end.

use super::axis::Axis;
use super::canvas::{Anchor, BELOW, BETWEEN_LINES, Canvas, LINE, Margins, Picture, shortened, width_of};
use super::palette::ColorRole;
use super::width::{Marks, Width};

/// Curves on two axes.
#[derive(Clone, Debug)]
pub struct CurveChart {
    /// Axis below.
    pub across: Axis,
    /// Axis on the left.
    pub upwards: Axis,
    /// Curves, from back to front.
    pub lines: Vec<Curve>,
}

/// A curve.
#[derive(Clone, Debug)]
pub struct Curve {
    /// Label at its end.
    pub label: String,
    /// Its colour.
    pub role: ColorRole,
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

/// Share of a picture's width, in percent, that labels beside their curves may take; wider ones go in a key above.
const BESIDE: i32 = 38;
/// Distance between entries of the key, and the width of the mark before each.
const KEY_LINE: i32 = LINE + 3;
const KEY_MARK: i32 = 24;

impl CurveChart {
    pub(super) fn marks(&self, width: Width) -> Marks {
        let series = || self.lines.iter().filter(|line| matches!(line.role, ColorRole::Series(_)));
        let dotted = || series().filter(|line| line.markers == Markers::Dots);
        let dots: usize = dotted().map(|line| line.points.len()).sum();
        // A key repeats each curve, and its mark.
        match self.has_key(width) {
            true => Marks { shapes: dots + dotted().count(), curves: Some(2 * series().count()) },
            false => Marks { shapes: dots, curves: Some(series().count()) },
        }
    }

    /// Returns true if the labels are too wide to stand beside the curves.
    fn has_key(&self, width: Width) -> bool {
        let labels = self.lines.iter().map(|line| width_of(&line.label));
        100 * labels.max().unwrap_or(0) > BESIDE * width.units()
    }

    pub(super) fn draw(&self, width: Width) -> Picture {
        let all = width.units();
        let labels = || self.lines.iter().map(|line| width_of(&line.label));
        let has_key = self.has_key(width);
        let room = if has_key { 0 } else { self.lines.len() as i32 * LINE };
        let height = if width == Width::Wide { 300 } else { 230 }.max(room);
        let widest = |texts: &mut dyn Iterator<Item = i32>| texts.max().unwrap_or(0);
        let left =
            widest(&mut self.upwards.ticks((height / BETWEEN_LINES) as usize).iter().map(|(_, label)| width_of(label)))
                + 12;
        let right = if has_key { LINE } else { widest(&mut labels()) + 16 };
        let key = if has_key { self.lines.len() as i32 * KEY_LINE } else { 0 };
        let top = ABOVE + key;
        Picture::of(all, top + height + BELOW, |canvas| {
            let plot = canvas.plot(&self.across, Some(&self.upwards), Margins { left, right, top }, height, &[]);
            canvas.text((0, key + LINE / 2 + 3), Anchor::Left, ColorRole::Muted, &shortened(&self.upwards.title, all));
            let at = |point: Point| {
                let y = point.y.clamp(self.upwards.low, self.upwards.high);
                (plot.x(self.across.place(point.x)), plot.y(self.upwards.place(y)))
            };
            for line in &self.lines {
                let places: Vec<_> = line.points.iter().map(|point| at(*point)).collect();
                canvas.line(&places, line.role, if line.role == ColorRole::Ideal { 1 } else { 2 });
                if let (ColorRole::Series(series), Markers::Dots) = (line.role, line.markers) {
                    places.into_iter().for_each(|place| canvas.dot(place, series));
                }
            }
            let ends = self.lines.iter().enumerate();
            let ends: Vec<(i32, usize)> =
                ends.filter_map(|(number, line)| line.points.last().map(|point| (at(*point).1, number))).collect();
            if has_key {
                self.draw_key(canvas, ends, all);
                return;
            }
            // All labels at the end of the longest curve, so that none lies on another curve.
            let end = |line: &Curve| line.points.last().map(|point| at(*point).0);
            let last = self.lines.iter().filter_map(end).max().unwrap_or(0);
            for (y, number) in apart(ends, top + LINE / 2, top + height) {
                let Curve { label, role, .. } = &self.lines[number];
                canvas.text((last + 9, y), Anchor::Left, *role, label);
            }
        })
    }

    /// Draws the labels above the plot, in the order in which the curves end, each after a piece of its curve.
    fn draw_key(&self, canvas: &mut Canvas, mut ends: Vec<(i32, usize)>, width: i32) {
        ends.sort();
        for (row, (_, number)) in ends.into_iter().enumerate() {
            let Curve { label, role, markers, .. } = &self.lines[number];
            let y = row as i32 * KEY_LINE + LINE / 2 + 1;
            canvas.line(&[(0, y), (KEY_MARK - 6, y)], *role, if *role == ColorRole::Ideal { 1 } else { 2 });
            if let (ColorRole::Series(series), Markers::Dots) = (role, markers) {
                canvas.dot(((KEY_MARK - 6) / 2, y), *series);
            }
            canvas.text((KEY_MARK, y), Anchor::Left, *role, &shortened(label, width - KEY_MARK));
        }
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
