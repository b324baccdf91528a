//! Widths that a chart is drawn for, and what its elements are counted by.

/// Width that a chart is drawn for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Width {
    /// A phone, or half a page.
    Narrow,
    /// A page.
    Wide,
}

/// Number of elements in a picture that show values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Marks {
    /// Number of bars and dots, including those of the key.
    pub shapes: usize,
    /// Number of curves, if the chart has curves.
    pub curves: Option<usize>,
}

impl Width {
    /// Returns the width in units of the picture, which are about pixels.
    pub(super) const fn units(self) -> i32 {
        match self {
            Width::Narrow => 358,
            Width::Wide => 780,
        }
    }
}
