//! The page's pictures as separate files.

use super::chart::{Width, standalone};
use super::model::{Page, Size};

/// A picture file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PictureFile {
    /// Name of the file: `rates-1.svg`.
    pub name: String,
    /// Contents of the file.
    pub svg: String,
}

/// Returns all pictures, in the page's order.
pub fn pictures(page: &Page) -> Vec<PictureFile> {
    let figures = page.sections.iter().flat_map(|section| {
        section
            .figures
            .iter()
            .enumerate()
            .map(|(number, figure)| (format!("{}-{}.svg", section.id, number + 1), figure))
    });
    let drawn = figures.map(|(name, figure)| {
        let width = if figure.size == Size::Full { Width::Wide } else { Width::Narrow };
        PictureFile { name, svg: standalone(&figure.chart.draw(width), &figure.title, &figure.description) }
    });
    drawn.collect()
}
