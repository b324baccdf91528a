//! Canvas for charts: an SVG back end whose placeholder colours become classes.

use super::axis::{Axis, Ticked};
use super::palette::{Role, Theme, placeholders, properties, rules};
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

/// A drawn chart: its size and its elements.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Picture {
    width: u32,
    height: u32,
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
/// Minimum distance between ticks.
const BETWEEN_TICKS: i32 = 64;
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
pub(super) struct Canvas<'a>(DrawingArea<SVGBackend<'a>, Shift>);

/// Part of the picture between the axes.
pub(super) type Plot<'a, 'b> = ChartContext<'a, SVGBackend<'b>, Coordinates>;
pub(super) type Coordinates = Cartesian2d<Ticked, Ticked>;

/// Room beside the plot.
#[derive(Clone, Copy, Debug)]
pub(super) struct Margins {
    pub left: i32,
    pub right: i32,
    pub top: i32,
}

impl Picture {
    /// Draws a picture.
    pub(super) fn of(width: u32, height: u32, draw: impl FnOnce(&Canvas<'_>)) -> Picture {
        let mut svg = String::new();
        {
            let canvas = Canvas(SVGBackend::with_string(&mut svg, (width, height)).into_drawing_area());
            draw(&canvas);
            canvas.0.present().expect("a string");
        }
        Picture { width, height, elements: elements(&svg) }
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
const PADDING: u32 = 16;
const TITLE: u32 = 28;

/// Returns the picture as its own file, with its title above it; it follows the reader's theme.
pub fn standalone(picture: &Picture, title: &str, description: &str) -> String {
    let Picture { width, height, elements } = picture;
    let [wide, high] = [width + 2 * PADDING, height + 2 * PADDING + TITLE];
    let [title, description] = [title, description].map(escaped);
    let [light, dark] =
        [Theme::Light, Theme::Dark].map(|theme| format!("{}--paper:{};", properties(theme), theme.paper()));
    let (rules, text) = (rules(), super::super::html::CHART_STYLE.trim_end());
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

/// Returns the elements of a drawing, with classes in place of placeholders and without attributes that style sheets
/// set.
fn elements(svg: &str) -> String {
    let inside = svg.split_once('\n').map_or("", |(_, rest)| rest).trim_end().trim_end_matches("</svg>");
    let mut elements = inside
        .replace(" opacity=\"1\"", "")
        .replace(" font-family=\"sans-serif\"", "")
        .replace(" stroke-width=\"1\"", "")
        .replace(" stroke=\"none\"", "")
        .replace(" \"/>", "\"/>")
        // A text is one line.
        .replace("\n</text>", "</text>");
    for (placeholder, name) in placeholders() {
        elements = elements
            .replace(&format!("fill=\"{placeholder}\""), &format!("class=\"f-{name}\""))
            .replace(&format!("stroke=\"{placeholder}\""), &format!("class=\"l-{name}\""));
    }
    without(&elements, " font-size=\"").replace("\">\n", "\">")
}

/// Removes an attribute.
fn without(text: &str, attribute: &str) -> String {
    let mut parts = text.split(attribute);
    let mut rest = parts.next().unwrap_or_default().to_string();
    for part in parts {
        rest.push_str(part.split_once('"').map_or("", |(_, after)| after));
    }
    rest
}

impl<'b> Canvas<'b> {
    /// Draws axes below and, if it has a title or ticks, on the left; `vertical` runs upwards.
    pub(super) fn plot(&self, horizontal: &Axis, vertical: &Axis, margins: Margins, height: i32) -> Plot<'_, 'b> {
        let Margins { left, right, top } = margins;
        let (all, _) = self.0.dim_in_pixel();
        let (columns, lines) = ((all as i32 - left - right).max(1), (height / 34).max(2));
        let labels = horizontal.ticks((columns / 44) as usize);
        let widest = labels.iter().map(|(_, label)| width_of(label)).max().unwrap_or(1);
        let apart = if horizontal.ticks.is_some() { widest + 10 } else { (widest + 14).max(BETWEEN_TICKS) };
        let across = horizontal.ticks((columns / apart) as usize + 1);
        let upwards = vertical.ticks(lines as usize);
        let is_plain = vertical.ticks.as_ref().is_some_and(Vec::is_empty);
        let mut plot = ChartBuilder::on(&self.0)
            .margin_left(left)
            .margin_right(right)
            .margin_top(top)
            .margin_bottom(self.0.dim_in_pixel().1 as i32 - top - height - BELOW)
            .set_label_area_size(LabelAreaPosition::Bottom, BELOW)
            .build_cartesian_2d(Ticked::new(horizontal, across), Ticked::new(vertical, upwards.clone()))
            .expect("a string");
        let (text, grid) = (style(Role::Muted), Role::Grid.color());
        let mut mesh = plot.configure_mesh();
        mesh.max_light_lines(0)
            .bold_line_style(grid)
            .axis_style(grid)
            .label_style(text)
            .y_labels(upwards.len())
            .y_label_formatter(&|_| String::new());
        if is_plain {
            mesh.disable_y_mesh().disable_y_axis();
        }
        mesh.draw().expect("a string");
        let title = shortened(&horizontal.title, all as i32);
        let half = width_of(&title) / 2;
        let middle = (left + columns / 2).clamp(half, (all as i32 - half).max(half));
        self.text((middle, top + height + BELOW - LINE / 2 - 2), Anchor::Center, Role::Muted, &title);
        for (place, label) in &upwards {
            let (_, y) = plot.backend_coord(&(horizontal.range().start, *place));
            self.text((left - 8, y), Anchor::Right, Role::Muted, label);
        }
        plot
    }

    /// Draws a text, vertically centred at this height.
    pub(super) fn text(&self, at: (i32, i32), anchor: Anchor, role: Role, text: &str) {
        let h_pos = match anchor {
            Anchor::Left => HPos::Left,
            Anchor::Center => HPos::Center,
            Anchor::Right => HPos::Right,
        };
        let style = style(role).pos(Pos::new(h_pos, VPos::Center));
        self.0.draw(&Text::new(text, at, style)).expect("a string");
    }

    pub(super) fn line(&self, points: Vec<(i32, i32)>, role: Role, width: u32) {
        self.0.draw(&PathElement::new(points, role.color().stroke_width(width))).expect("a string");
    }

    pub(super) fn rectangle(&self, corners: [(i32, i32); 2], role: Role) {
        self.0.draw(&Rectangle::new(corners, role.color().filled())).expect("a string");
    }

    pub(super) fn ring(&self, at: (i32, i32), role: Role) {
        self.0.draw(&Circle::new(at, 4, role.color().stroke_width(2))).expect("a string");
    }

    /// Draws a filled mark; its shape distinguishes series without colours.
    pub(super) fn dot(&self, (x, y): (i32, i32), series: usize) {
        let style = Role::Series(series).color().filled();
        let polygon = |points: &[(i32, i32)]| {
            let points: Vec<_> = points.iter().map(|(right, down)| (x + right, y + down)).collect();
            self.0.draw(&Polygon::new(points, style)).expect("a string");
        };
        match series % 4 {
            0 => self.0.draw(&Circle::new((x, y), 4, style)).expect("a string"),
            1 => self.rectangle([(x - 4, y - 4), (x + 4, y + 4)], Role::Series(series)),
            2 => polygon(&[(-5, 4), (5, 4), (0, -5)]),
            _ => polygon(&[(-5, 0), (0, -5), (5, 0), (0, 5)]),
        }
    }
}

fn style(role: Role) -> TextStyle<'static> {
    ("sans-serif", 15).into_font().color(&role.color())
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
    fn a_picture_has_classes_for_colours_and_nothing_of_the_back_end() {
        let picture = Picture::of(100, 50, |canvas| {
            canvas.text((10, 10), Anchor::Left, Role::Ink, "a < b");
            canvas.dot((20, 20), 8);
            canvas.line(vec![(0, 0), (5, 5)], Role::Grid, 1);
        });
        assert_eq!(
            picture.elements,
            "<text x=\"10\" y=\"10\" dy=\"0.5ex\" text-anchor=\"start\" class=\"f-ink\">a &lt; b</text>\n\
             <circle cx=\"20\" cy=\"20\" r=\"4\" class=\"f-s1\"/>\n\
             <polyline fill=\"none\" class=\"l-grid\" points=\"0,0 5,5\"/>\n"
        );
        let svg = standalone(&picture, "A & B", "c");
        assert!(svg.contains("viewBox=\"-16 -44 132 110\"") && svg.contains("role=\"img\""), "{svg}");
        assert!(svg.contains("A &amp; B") && !svg.contains("#010"), "{svg}");
    }
}
