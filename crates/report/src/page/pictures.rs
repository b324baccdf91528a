//! The page's pictures as files of their own.

use super::chart::{Width, standalone};
use super::model::{Page, Size};

/// A picture.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PictureFile {
    /// The file's name: `rates-1.svg`.
    pub name: String,
    /// What is in it.
    pub svg: String,
}

/// All of them, in the page's order.
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
