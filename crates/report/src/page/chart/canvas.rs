//! Canvas for charts: SVG elements, coloured by the class of a role, with grid and axes.

use super::axis::Axis;
use super::palette::{ColorRole, SERIES, STYLE, Theme, properties, rules};
use std::fmt::Write;
use std::ops::Range;

/// A drawn chart: its size and its elements.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Picture {
    width: i32,
    height: i32,
    elements: String,
}

/// Horizontal alignment of a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Anchor {
    Left,
    Center,
    Right,
}

/// Height of a line of text.
pub(super) const LINE: i32 = 15;
/// Width of a letter, and of a wide one; rather too large than too small.
const LETTER: i32 = 7;
const WIDE_LETTER: i32 = 11;
/// Minimum distance between ticks below, and on the left.
const BETWEEN_TICKS: i32 = 64;
pub(super) const BETWEEN_LINES: i32 = 34;
/// Length of a tick.
const TICK: i32 = 5;
/// Height below a plot: ticks, and the axis' title.
pub(super) const BELOW: i32 = 44;

/// Returns the approximate width of a text.
pub(super) fn width_of(text: &str) -> i32 {
    let letter = |letter: char| {
        if "mwMW=+−×%…".contains(letter) || letter.is_ascii_uppercase() { WIDE_LETTER } else { LETTER }
    };
    text.chars().map(letter).sum::<i32>() + LETTER / 2
}

/// Shortens a text to the available room.
pub(super) fn shortened(text: &str, room: i32) -> String {
    if width_of(text) <= room {
        return text.into();
    }
    let mut rest: Vec<char> = text.chars().collect();
    loop {
        rest.pop();
        let shorter = format!("{}…", rest.iter().collect::<String>().trim_end());
        if rest.is_empty() || width_of(&shorter) <= room {
            return shorter;
        }
    }
}

/// A picture that is being drawn.
pub(super) struct Canvas {
    width: i32,
    elements: String,
}

/// Part of the picture between the axes.
pub(super) struct Plot {
    across: TextStretch,
    upwards: TextStretch,
}

/// A range of values and the pixels that show it.
struct TextStretch {
    places: Range<f64>,
    pixels: [i32; 2],
}

impl TextStretch {
    fn pixel(&self, place: f64) -> i32 {
        let [from, to] = self.pixels;
        let share = (place - self.places.start) / (self.places.end - self.places.start);
        from + (share * f64::from(to - from)).round() as i32
    }
}

impl Plot {
    /// Returns the pixel of a place on the axis below.
    pub(super) fn x(&self, place: f64) -> i32 {
        self.across.pixel(place)
    }

    /// Returns the pixel of a place on the axis on the left.
    pub(super) fn y(&self, place: f64) -> i32 {
        self.upwards.pixel(place)
    }
}

/// Label within the plot, which lines of the grid do not cross.
pub(super) struct LabelGap {
    /// Heights that it takes.
    pub rows: Range<i32>,
    /// Its right end; it begins at the left end of the picture.
    pub end: i32,
}

/// Room beside the plot.
#[derive(Clone, Copy, Debug)]
pub(super) struct Margins {
    pub left: i32,
    pub right: i32,
    pub top: i32,
}

impl Picture {
    /// Draws a picture.
    pub(super) fn of(width: i32, height: i32, draw: impl FnOnce(&mut Canvas)) -> Picture {
        let mut canvas = Canvas { width, elements: String::new() };
        draw(&mut canvas);
        Picture { width, height, elements: canvas.elements }
    }

    /// Returns the picture as an element of a page; screen readers read its title and description.
    pub fn inline(&self, id: &str, title: &str, description: &str, attributes: &str) -> String {
        let Picture { width, height, elements } = self;
        let [title, description] = [title, description].map(escaped);
        format!(
            "<svg class=\"chart\" viewBox=\"0 0 {width} {height}\" role=\"img\" \
             aria-labelledby=\"{id}-title {id}-desc\"{attributes}>\
             <title id=\"{id}-title\">{title}</title><desc id=\"{id}-desc\">{description}</desc>\n{elements}</svg>"
        )
    }
}

/// Padding around a picture in its own file; above it, room for the title.
const PADDING: i32 = 16;
const TITLE: i32 = 28;

/// Returns the picture as its own file, with its title above it; it follows the reader's theme.
pub fn standalone(picture: &Picture, title: &str, description: &str) -> String {
    let Picture { width, height, elements } = picture;
    let [wide, high] = [width + 2 * PADDING, height + 2 * PADDING + TITLE];
    let [title, description] = [title, description].map(escaped);
    let [light, dark] =
        [Theme::Light, Theme::Dark].map(|theme| format!("{}--paper:{};", properties(theme), theme.paper()));
    let (rules, text) = (rules(), STYLE.trim_end());
    format!(
        "<svg class=\"chart\" xmlns=\"http://www.w3.org/2000/svg\" width=\"{wide}\" height=\"{high}\" \
         viewBox=\"-{PADDING} -{above} {wide} {high}\" role=\"img\" aria-labelledby=\"title desc\">\n\
         <title id=\"title\">{title}</title>\n<desc id=\"desc\">{description}</desc>\n\
         <style>svg{{{light}}}@media(prefers-color-scheme:dark){{svg{{{dark}}}}}{rules}{text}</style>\n\
         <rect x=\"-{PADDING}\" y=\"-{above}\" width=\"{wide}\" height=\"{high}\" fill=\"var(--paper)\"/>\n\
         <text x=\"0\" y=\"-12\" class=\"f-strong\">{title}</text>\n{elements}</svg>\n",
        above = PADDING + TITLE,
    )
}

fn escaped(text: &str) -> String {
    maud::html! { (text) }.into_string()
}

impl Canvas {
    /// Draws an axis below and, if there is one, an axis on the left, each with its grid. The title of the axis on the
    /// left is not drawn.
    pub(super) fn plot(
        &mut self,
        across: &Axis,
        upwards: Option<&Axis>,
        margins: Margins,
        height: i32,
        gaps: &[LabelGap],
    ) -> Plot {
        let Margins { left, right, top } = margins;
        let (columns, bottom) = ((self.width - left - right).max(1), top + height);
        let plot = Plot {
            across: TextStretch { places: across.range(), pixels: [left, left + columns] },
            upwards: TextStretch { places: upwards.map_or(0.0..1.0, Axis::range), pixels: [bottom, top] },
        };
        let ticks_across = self.ticks_across(across, columns);
        let ticks_upwards = upwards.map_or(Vec::new(), |axis| axis.ticks((height / BETWEEN_LINES) as usize));
        for x in ticks_across.iter().map(|(place, _)| plot.x(*place)) {
            for rows in uncrossed(x, top..bottom + TICK, gaps) {
                self.grid_line([(x, rows.start), (x, rows.end)]);
            }
        }
        for y in ticks_upwards.iter().map(|(place, _)| plot.y(*place)) {
            self.grid_line([(left, y), (left + columns, y)]);
        }
        self.grid_line([(left, bottom), (left + columns, bottom)]);
        for (place, label) in &ticks_across {
            self.text((plot.x(*place), bottom + TICK + LINE / 2 + 2), Anchor::Center, ColorRole::Muted, label);
        }
        for (place, label) in &ticks_upwards {
            self.text((left - 8, plot.y(*place)), Anchor::Right, ColorRole::Muted, label);
        }
        self.centered(left + columns / 2, bottom + BELOW - LINE / 2 - 2, &across.title);
        plot
    }

    /// Draws a dashed line upwards, which labels interrupt.
    pub(super) fn ideal_line(&mut self, x: i32, rows: Range<i32>, gaps: &[LabelGap]) {
        for Range { start, end } in uncrossed(x, rows, gaps) {
            self.line(&[(x, start), (x, end)], ColorRole::Ideal, 1);
        }
    }

    /// Returns as many ticks as have room for their labels.
    fn ticks_across(&self, axis: &Axis, columns: i32) -> Vec<(f64, String)> {
        let labels = axis.ticks((columns / 44) as usize);
        let widest = labels.iter().map(|(_, label)| width_of(label)).max().unwrap_or(1);
        let apart = if axis.ticks.is_some() { widest + 10 } else { (widest + 14).max(BETWEEN_TICKS) };
        axis.ticks((columns / apart) as usize + 1)
    }

    /// Draws a text centred at `x`, moved or shortened to fit the picture.
    pub(super) fn centered(&mut self, x: i32, y: i32, text: &str) {
        let text = shortened(text, self.width);
        let half = width_of(&text) / 2;
        self.text((x.clamp(half, (self.width - half).max(half)), y), Anchor::Center, ColorRole::Muted, &text);
    }

    /// Draws a text, vertically centred at this height.
    pub(super) fn text(&mut self, (x, y): (i32, i32), anchor: Anchor, role: ColorRole, text: &str) {
        let anchor = match anchor {
            Anchor::Left => "start",
            Anchor::Center => "middle",
            Anchor::Right => "end",
        };
        let (class, text) = (role.name(), escaped(text));
        self.element(format_args!(
            "<text x=\"{x}\" y=\"{y}\" dy=\"0.5ex\" text-anchor=\"{anchor}\" class=\"f-{class}\">{text}</text>"
        ));
    }

    /// Draws a line through points.
    pub(super) fn line(&mut self, points: &[(i32, i32)], role: ColorRole, width: u32) {
        let (class, points) = (role.name(), listed(points));
        let width = if width == 1 { String::new() } else { format!(" stroke-width=\"{width}\"") };
        // A colour that is used again is dashed.
        let is_again = matches!(role, ColorRole::Series(series) if series >= SERIES);
        let dashes = if is_again { " stroke-dasharray=\"6 2\"" } else { "" };
        self.element(format_args!("<polyline fill=\"none\" class=\"l-{class}\"{width}{dashes} points=\"{points}\"/>"));
    }

    pub(super) fn rectangle(&mut self, [(left, top), (right, bottom)]: [(i32, i32); 2], role: ColorRole) {
        let (width, height, class) = (right - left, bottom - top, role.name());
        self.element(format_args!(
            "<rect x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{height}\" class=\"f-{class}\"/>"
        ));
    }

    pub(super) fn ring(&mut self, (x, y): (i32, i32), role: ColorRole) {
        let class = role.name();
        self.element(format_args!(
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"4\" fill=\"none\" class=\"l-{class}\" stroke-width=\"2\"/>"
        ));
    }

    /// Draws a filled mark; its shape distinguishes series without colours.
    pub(super) fn dot(&mut self, (x, y): (i32, i32), series: usize) {
        let role = ColorRole::Series(series);
        let class = role.name();
        match series % 4 {
            0 => self.element(format_args!("<circle cx=\"{x}\" cy=\"{y}\" r=\"4\" class=\"f-{class}\"/>")),
            1 => self.rectangle([(x - 4, y - 4), (x + 4, y + 4)], role),
            2 => self.polygon(&[(x - 5, y + 4), (x + 5, y + 4), (x, y - 5)], role),
            _ => self.polygon(&[(x - 5, y), (x, y - 5), (x + 5, y), (x, y + 5)], role),
        }
    }

    fn polygon(&mut self, points: &[(i32, i32)], role: ColorRole) {
        let (class, points) = (role.name(), listed(points));
        self.element(format_args!("<polygon class=\"f-{class}\" points=\"{points}\"/>"));
    }

    /// Draws a line of the grid.
    fn grid_line(&mut self, [(x1, y1), (x2, y2)]: [(i32, i32); 2]) {
        self.element(format_args!("<line x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\" class=\"l-grid\"/>"));
    }

    fn element(&mut self, element: std::fmt::Arguments<'_>) {
        writeln!(self.elements, "{element}").expect("a string");
    }
}

/// Returns the parts of a line upwards that cross no label. The labels are in the order of their heights.
fn uncrossed(x: i32, rows: Range<i32>, gaps: &[LabelGap]) -> Vec<Range<i32>> {
    let mut parts = Vec::new();
    let mut start = rows.start;
    for gap in gaps.iter().filter(|gap| x <= gap.end && gap.rows.end > rows.start && gap.rows.start < rows.end) {
        parts.push(start..gap.rows.start);
        start = gap.rows.end;
    }
    parts.push(start..rows.end);
    parts.into_iter().filter(|part| part.start < part.end).collect()
}

/// Returns points as SVG writes them.
fn listed(points: &[(i32, i32)]) -> String {
    points.iter().map(|(x, y)| format!("{x},{y}")).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_cut_where_there_is_no_room() {
        assert_eq!([shortened("twelve queens", 200), shortened("twelve queens", 70)], ["twelve queens", "twelve…"]);
        assert_eq!(shortened("a", 0), "…");
    }

    #[test]
    fn a_line_stops_at_labels() {
        let gaps = [LabelGap { rows: 0..10, end: 50 }, LabelGap { rows: 30..40, end: 80 }];
        assert_eq!(uncrossed(20, 0..100, &gaps), [10..30, 40..100]);
        assert_eq!(uncrossed(60, 0..100, &gaps), [0..30, 40..100]);
        let [whole] = &uncrossed(90, 0..100, &gaps)[..] else { panic!("one part") };
        assert_eq!(*whole, 0..100);
        assert!(uncrossed(60, 35..38, &gaps).is_empty());
    }

    #[test]
    fn a_picture_has_classes_for_colours() {
        let picture = Picture::of(100, 50, |canvas| {
            canvas.text((10, 10), Anchor::Left, ColorRole::Ink, "a < b");
            canvas.dot((20, 20), 10 + 1 + 7);
            canvas.line(&[(0, 0), (5, 5)], ColorRole::Grid, 1);
        });
        assert_eq!(
            picture.elements,
            "<text x=\"10\" y=\"10\" dy=\"0.5ex\" text-anchor=\"start\" class=\"f-ink\">a &lt; b</text>\n\
             <polygon class=\"f-s8\" points=\"15,24 25,24 20,15\"/>\n\
             <polyline fill=\"none\" class=\"l-grid\" points=\"0,0 5,5\"/>\n"
        );
        let svg = standalone(&picture, "A & B", "c");
        assert!(svg.contains("viewBox=\"-16 -44 132 110\"") && svg.contains("role=\"img\""), "{svg}");
        assert!(svg.contains("A &amp; B") && !svg.contains("#010"), "{svg}");
    }
}
