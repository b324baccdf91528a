//! Colours of charts, for light and dark backgrounds.
//!
//! An element has the class of a role, and style sheets give the class its colour, so a chart follows the reader's theme.
//! The first seven series have the hues of Okabe and Ito's palette, which people with any usual colour vision can
//! distinguish, darkened or lightened until text has the contrast of WCAG AA (4.5) on its background; red, navy or cyan, and lime
//! are added. Every mark that shows a value also has a label or a shape, so that no chart depends on colour: ten colours
//! and four shapes distinguish twenty series.
//!
//! Source: Okabe and Ito 2008, "Color Universal Design", <https://jfly.uni-koeln.de/color/>.

/// Style of charts, apart from their colours.
pub const STYLE: &str = include_str!("chart.css");

/// Role of a colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ColorRole {
    /// Important text.
    Ink,
    /// Headings within a chart.
    Strong,
    /// Ticks and titles of axes.
    Muted,
    /// Lines behind the data.
    Grid,
    /// Expected values: ideal, reference, 1.
    Ideal,
    /// Ranges behind the data: noise, random sets.
    Band,
    /// A compared series; after the last colour the first is used again.
    Series(usize),
}

/// Number of series with a colour of their own.
pub const SERIES: usize = 10;

const ROLES: [ColorRole; 6 + SERIES] = [
    ColorRole::Ink,
    ColorRole::Strong,
    ColorRole::Muted,
    ColorRole::Grid,
    ColorRole::Ideal,
    ColorRole::Band,
    ColorRole::Series(0),
    ColorRole::Series(1),
    ColorRole::Series(2),
    ColorRole::Series(3),
    ColorRole::Series(4),
    ColorRole::Series(5),
    ColorRole::Series(6),
    ColorRole::Series(7),
    ColorRole::Series(8),
    ColorRole::Series(9),
];

impl ColorRole {
    fn number(self) -> usize {
        let wanted = match self {
            ColorRole::Series(number) => ColorRole::Series(number % SERIES),
            other => other,
        };
        ROLES.iter().position(|role| *role == wanted).expect("every role is listed")
    }

    /// Returns the class name, used after `f-` for fills and `l-` for lines.
    pub(super) fn name(self) -> &'static str {
        const NAMES: [&str; ROLES.len()] = [
            "ink", "strong", "muted", "grid", "ideal", "band", "s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7", "s8",
            "s9",
        ];
        NAMES[self.number()]
    }

    /// Returns the colours for light and dark backgrounds.
    const fn shades(self) -> [&'static str; 2] {
        match self {
            ColorRole::Ink | ColorRole::Strong => ["#1b1f24", "#e8eaed"],
            ColorRole::Muted => ["#57606a", "#a3acb7"],
            ColorRole::Grid => ["#e3e6ea", "#30353c"],
            ColorRole::Ideal => ["#57606a", "#a3acb7"],
            ColorRole::Band => ["#dfe4ea", "#363d47"],
            ColorRole::Series(number) => match number % SERIES {
                0 => ["#0068a6", "#56b4e9"],
                1 => ["#b04a00", "#f28d4f"],
                2 => ["#00734f", "#35c69a"],
                3 => ["#a03a78", "#e08fc0"],
                4 => ["#7a5c00", "#e6b422"],
                5 => ["#5a4fb8", "#a9a3ff"],
                6 => ["#4d5761", "#b6bfc9"],
                7 => ["#c8102e", "#ff5f7e"],
                8 => ["#1c1c94", "#8ff0f0"],
                _ => ["#467a00", "#a8e05f"],
            },
        }
    }
}

/// Returns the colours as custom properties: `--s0:#0068a6;…`.
pub fn properties(theme: Theme) -> String {
    ROLES.iter().map(|role| format!("--{}:{};", role.name(), role.shades()[theme as usize])).collect()
}

/// Returns the rules that colour the classes.
pub fn rules() -> String {
    let rules = ROLES.iter().map(|role| {
        let name = role.name();
        format!(".f-{name}{{fill:var(--{name})}}.l-{name}{{stroke:var(--{name})}}")
    });
    rules.collect()
}

/// Theme of the background.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Theme {
    /// Dark on light.
    Light,
    /// Light on dark.
    Dark,
}

impl Theme {
    /// Returns the colour of the background.
    pub const fn paper(self) -> &'static str {
        match self {
            Theme::Light => "#ffffff",
            Theme::Dark => "#16191d",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the relative luminance, as WCAG 2 defines it.
    fn luminance(color: &str) -> f64 {
        let part = |at: usize| f64::from(u8::from_str_radix(&color[at..at + 2], 16).unwrap()) / 255.0;
        let linear = |part: f64| if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) };
        0.2126 * linear(part(1)) + 0.7152 * linear(part(3)) + 0.0722 * linear(part(5))
    }

    fn contrast(one: &str, other: &str) -> f64 {
        let [one, other] = [luminance(one), luminance(other)];
        (one.max(other) + 0.05) / (one.min(other) + 0.05)
    }

    #[test]
    fn text_has_the_contrast_of_wcag_aa_on_its_paper() {
        assert!((contrast("#000000", "#ffffff") - 21.0).abs() < 1e-9);
        for theme in [Theme::Light, Theme::Dark] {
            for role in ROLES.iter().filter(|role| !matches!(role, ColorRole::Grid | ColorRole::Band)) {
                let found = contrast(role.shades()[theme as usize], theme.paper());
                assert!(found >= 4.5, "{role:?} {theme:?}: {found}");
            }
        }
    }

    /// Returns how different two colours look, from 0 to about 765. **Source**: "redmean",
    /// <https://www.compuphase.com/cmetric.htm>.
    fn distance(one: &str, other: &str) -> f64 {
        let part = |color: &str, at: usize| f64::from(u8::from_str_radix(&color[at..at + 2], 16).unwrap());
        let [red, green, blue] = [1, 3, 5].map(|at| part(one, at) - part(other, at));
        let mean = (part(one, 1) + part(other, 1)) / 2.0;
        ((2.0 + mean / 256.0) * red * red + 4.0 * green * green + (2.0 + (255.0 - mean) / 256.0) * blue * blue).sqrt()
    }

    #[test]
    fn ten_series_have_ten_colours() {
        for theme in [Theme::Light, Theme::Dark] {
            let shades: Vec<&str> =
                (0..SERIES).map(|series| ColorRole::Series(series).shades()[theme as usize]).collect();
            for (number, one) in shades.iter().enumerate() {
                for other in &shades[number + 1..] {
                    assert!(distance(one, other) > 75.0, "{theme:?}: {one} {other} {}", distance(one, other));
                }
            }
        }
    }

    #[test]
    fn classes_differ() {
        let mut all = ROLES.map(ColorRole::name);
        all.sort_unstable();
        assert!(all.windows(2).all(|pair| pair[0] != pair[1]));
        assert_eq!(ColorRole::Series(SERIES + 1).name(), ColorRole::Series(1).name());
    }
}
