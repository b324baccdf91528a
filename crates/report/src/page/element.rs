//! Elements of HTML. Text and values of attributes are escaped as they go in, so nothing that a record says can be read as
//! an element.

/// An element that is being written: attributes first, then its content.
pub(super) struct Element {
    name: &'static str,
    attributes: String,
    content: String,
}

impl Element {
    /// Makes an element without attributes and content.
    pub(super) fn new(name: &'static str) -> Element {
        Element { name, attributes: String::new(), content: String::new() }
    }

    /// Makes an element of a class.
    pub(super) fn of_class(name: &'static str, class: &str) -> Element {
        Element::new(name).with("class", class)
    }

    /// Adds an attribute.
    pub(super) fn with(mut self, attribute: &str, value: &str) -> Element {
        self.attributes += &format!(" {attribute}=\"{}\"", escaped(value));
        self
    }

    /// Adds an attribute if there is a value.
    pub(super) fn with_any(self, attribute: &str, value: Option<&str>) -> Element {
        match value {
            Some(value) => self.with(attribute, value),
            None => self,
        }
    }

    /// Adds text.
    pub(super) fn text(mut self, text: &str) -> Element {
        self.content += &escaped(text);
        self
    }

    /// Adds an element.
    pub(super) fn add(self, child: Element) -> Element {
        self.markup(&child.close())
    }

    /// Adds elements.
    pub(super) fn add_all(self, children: impl IntoIterator<Item = Element>) -> Element {
        children.into_iter().fold(self, Element::add)
    }

    /// Adds markup as it is.
    pub(super) fn markup(mut self, markup: &str) -> Element {
        self.content += markup;
        self
    }

    /// Returns the text of the element. Those that never have content have no end.
    pub(super) fn close(self) -> String {
        let Element { name, attributes, content } = self;
        match name {
            "meta" => format!("<{name}{attributes}>"),
            _ => format!("<{name}{attributes}>{content}</{name}>"),
        }
    }
}

/// Returns a text in which no character begins an element, ends a value or stands for another.
pub(in crate::page) fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '"' => escaped += "&quot;",
            other => escaped.push(other),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_and_values_stay_text() {
        let found = Element::new("a").with("href", "x?a&b=\"c\"").text("<b> & co").close();
        assert_eq!(found, "<a href=\"x?a&amp;b=&quot;c&quot;\">&lt;b&gt; &amp; co</a>");
        let found = Element::of_class("ul", "facts").add_all(["1", "2"].map(|text| Element::new("li").text(text)));
        assert_eq!(found.close(), "<ul class=\"facts\"><li>1</li><li>2</li></ul>");
        assert_eq!(
            Element::new("meta").with_any("id", None).with("charset", "utf-8").close(),
            "<meta charset=\"utf-8\">"
        );
    }
}
