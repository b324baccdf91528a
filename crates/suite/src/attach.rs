//! Assigns the numbers of a list's row to depths, in the same way for all forms of lists. A part is a field or a group.
//!
//! ```text
//! for each part of a row or of a group in it:
//!   its name has a depth (`D3`, `perft 3`, `3`):  the count of that depth
//!   `depth` and `nodes` side by side:             the count of that depth
//!   another name:                                 no count; refused if no count is found at all
//!   numbers without names:                        each reading (from depth 1 on; from depth 0 on; a depth before each
//!                                                 count; a count before its depth) is compared with our own counts
//!                                                 of one and two plies; the best is taken, a tie is refused
//! ```
//!
//! The start position has 20 moves and 400 leaves after two plies. So `1, 20, 400` starts at depth 0, because two of
//! the numbers would be wrong if it started at depth 1. `4, 197281` is a depth and its count, because 4 is not the
//! number of moves.

use super::names::{
    self, begins_with_number, depth_in_name, is_counts_name, is_depth_name, is_fen_name, is_like_fen, is_nodes_name,
    is_number, is_position_name, is_title_name,
};
use super::parts::{PartValue, RowPart};
use super::readings::{FROM_1, OwnCounts};
use super::row::{Result, Row, RowFormat, RowText, SuiteError, offset};
use perft_gate_chess::{Fen, Severity, excerpt};
use perft_gate_walk::MAX_DEPTH;
use std::borrow::Cow;

pub(super) fn read(source: &RowText<'_>, parts: &[RowPart<'_>]) -> Result<Row> {
    if let [RowPart { value: PartValue::Group(inside), .. }] = parts
        && !matches!(source.format, RowFormat::Table { .. })
    {
        return read(source, inside);
    }
    let is_fen = |part: &RowPart<'_>| is_like_fen(text_of(part)) || is_fen_name(part.name);
    let found = find(parts, &is_fen).or_else(|| find(parts, &|part| text_of(part) == "startpos"));
    let Some(fen) = found else {
        return Err(source.error_in_fen(source.text, "found no field 'fen', expected one with a position".into()));
    };
    let mut row = read_position(source, fen)?;
    let is_other = |part: &RowPart<'_>| !std::ptr::eq(part.at, fen.at) && !is_like_fen(text_of(part));
    // A field `position` next to `fen` is the row's name.
    let is_title = |part: &RowPart<'_>| is_other(part) && (is_title_name(part.name) || is_position_name(part.name));
    let is_text = |text: &str| !names::is_numeric(text) && !names::is_gap(text);
    let is_name = |part: &RowPart<'_>| {
        is_other(part) && part.name.is_empty() && matches!(&part.value, PartValue::Text(text) if is_text(text))
    };
    if let Some(title) = find(parts, &is_title).or_else(|| find(parts, &is_name)) {
        row.id = read_id(source, title)?;
    }
    let (fen, own) = (fen.at, OwnCounts::new(&row));
    let mut reader =
        CountReader { source, fen, row, own, has_counts: false, unread: None, alone: Vec::new(), nesting: 0 };
    reader.group("", parts, None)?;
    let is_unlisted =
        |depth: &&RowPart<'_>| number_of(depth).is_some_and(|depth| reader.row.count(depth as u32).is_none());
    match reader.alone.iter().find(is_unlisted).or(reader.unread.as_ref().filter(|_| !reader.has_counts)) {
        Some(part) => Err(reader.wrong(part, EXPECTED)),
        None => Ok(reader.row),
    }
}

fn text_of<'p>(part: &'p RowPart<'_>) -> &'p str {
    part.as_text().unwrap_or("")
}

/// Returns the first part that `is_found` accepts. Groups are searched too.
fn find<'p, 't>(parts: &'p [RowPart<'t>], is_found: &dyn Fn(&RowPart<'t>) -> bool) -> Option<&'p RowPart<'t>> {
    parts.iter().find_map(|part| match &part.value {
        PartValue::Group(parts) => find(parts, is_found),
        _ => Some(part).filter(|part| is_found(part)),
    })
}

fn read_position(source: &RowText<'_>, part: &RowPart<'_>) -> Result<Row> {
    let fen = part.as_text().filter(|text| *text != "startpos").unwrap_or(Fen::START);
    let (position, faults) = match Fen::parse_tolerant(fen) {
        Ok((board, faults)) => (Ok(board), faults),
        Err(error) if error.severity != Severity::Text => (Err(error), Vec::new()),
        Err(error) => {
            let field = part.at.split_ascii_whitespace().nth(error.field as usize);
            let is_source = matches!(source.format, RowFormat::Source);
            let field = if is_source { source.text } else { field.unwrap_or(&part.at[part.at.len()..]) };
            return Err(source.error_in_fen(field, error.to_string()));
        }
    };
    let fen = fen.split_ascii_whitespace().collect::<Vec<_>>().join(" ");
    Ok(Row { id: format!("line {}", source.line), fen, position, faults, counts: Vec::new(), line: source.line })
}

fn read_id(source: &RowText<'_>, part: &RowPart<'_>) -> Result<String> {
    let value = text_of(part);
    match value.char_indices().find(|(_, letter)| letter.is_control() && *letter != '\t') {
        None => Ok(value.trim_matches('"').into()),
        Some((at, letter)) => {
            let found = excerpt(letter.encode_utf8(&mut [0; 4]), 1);
            Err(source.error(&value[at..], format!("found {found} in an id, expected a name")))
        }
    }
}

type Done = Result<()>;

struct CountReader<'r, 't> {
    source: &'r RowText<'t>,
    fen: &'t str,
    row: Row,
    own: OwnCounts,
    /// True if any count has been read, even one for depth 0.
    has_counts: bool,
    /// `unread`: the first number that was not read. `alone`: all depths without an adjacent number of nodes.
    unread: Option<RowPart<'t>>,
    alone: Vec<RowPart<'t>>,
    /// Number of groups around the current part.
    nesting: usize,
}

impl<'t> CountReader<'_, 't> {
    /// Reads the parts of a group. `depth` is the depth given by the group's name or by an adjacent field, if any.
    fn group(&mut self, name: &str, parts: &[RowPart<'t>], depth: Option<&str>) -> Done {
        let is_depth = |part: &RowPart<'_>| is_depth_name(part.name) && number_of(part).is_some();
        let beside = parts.iter().find(|part| is_depth(part)).and_then(RowPart::as_text).or(depth);
        let arrays = self.side_by_side(parts)?;
        let (mut bare, mut pairs) = (Vec::new(), Vec::new());
        // A depth still without a number of nodes, and a number of nodes still without a depth.
        let (mut open, mut nodes): (Option<&RowPart<'t>>, Option<&RowPart<'t>>) = (None, None);
        let is_read = |part: &RowPart<'t>| arrays.iter().chain([&self.fen]).any(|read| std::ptr::eq(*read, part.at));
        for part in parts.iter().filter(|part| !is_read(part)).collect::<Vec<_>>() {
            let (at_depth, text) = (depth_in_name(part.name), text_of(part));
            match &part.value {
                PartValue::Group(inside) => match &inside[..] {
                    [number] if part.name.is_empty() && is_bare(number) => bare.push(number),
                    [one, two] if part.name.is_empty() && is_bare(one) && is_bare(two) => pairs.push([one, two]),
                    _ => self.inner(part, inside, at_depth.as_deref(), beside)?,
                },
                _ if is_like_fen(text) || is_title_name(part.name) => {}
                _ if is_depth(part) => {
                    if open.is_some() {
                        self.finish_pair(open.take(), nodes.take(), depth)?;
                    }
                    open = Some(part);
                }
                _ if is_nodes_name(part.name) && number_of(part).is_some() => {
                    if nodes.is_some_and(|other| other.name == part.name) {
                        self.finish_pair(open.take(), nodes.take(), depth)?;
                    }
                    if let Some(other) = nodes.filter(|other| number_of(other) != number_of(part)) {
                        let (name, found) = (other.name, text_of(other));
                        let expected = format!("one number of nodes, but field '{name}' has {found}");
                        return Err(self.wrong(part, &expected));
                    }
                    nodes = Some(part);
                }
                // An empty cell, or `null`.
                _ if at_depth.is_some() && names::is_gap(text) && !matches!(self.source.format, RowFormat::Lines) => {}
                _ if at_depth.is_some() => self.add(part.name, part, at_depth.as_deref().unwrap_or(""), part)?,
                _ if part.name.is_empty() => bare.push(part),
                _ if names::is_numeric(text) => self.unread = self.unread.take().or_else(|| Some(part.clone())),
                _ => {}
            }
        }
        self.finish_pair(open, nodes, depth)?;
        // If counts follow the position, a number before it is the number of the row, not a count.
        let follows = |part: &&RowPart<'t>| part.at.as_ptr() > self.fen.as_ptr();
        if self.nesting == 0 && (self.has_counts || bare.iter().any(follows)) {
            bare.retain(follows);
        }
        if let ([pair], true, 0) = (&pairs[..], bare.is_empty(), self.nesting) {
            self.nesting = 1;
            return self.sequence(name, pair, depth);
        }
        for [depth, count] in &pairs {
            self.add(name, count, text_of(depth), count)?;
        }
        self.sequence(name, &bare, depth)
    }

    /// Reads a group inside another one.
    fn inner(&mut self, part: &RowPart<'t>, parts: &[RowPart<'t>], depth: Option<&str>, beside: Option<&str>) -> Done {
        let is_counts = is_counts_name(part.name);
        // Some lists give the legal moves of a position instead of the number of moves.
        let is_move = |part: &RowPart<'t>| {
            let has = |is_it: fn(&str) -> bool| part.parts().unwrap_or(&[]).iter().any(|field| is_it(field.name));
            has(|name| name == "move") && !has(is_depth_name)
        };
        if (is_counts || part.name.is_empty()) && parts.iter().all(is_move) {
            if parts.is_empty() && self.own.leaves(1) != Some(0) {
                return Err(self.wrong(part, "counts, for a position with legal moves"));
            }
            let number = Cow::from(parts.len().to_string());
            return self.add(part.name, part, "1", &RowPart { value: PartValue::Text(number), ..part.clone() });
        }
        if depth.is_some() || is_counts || part.name.is_empty() {
            self.nesting += 1;
            self.group(part.name, parts, depth.or(beside.filter(|_| is_counts)))?;
            self.nesting -= 1;
        } else if parts.iter().any(|part| part.as_text().is_none_or(names::is_numeric)) {
            self.unread.get_or_insert(part.clone());
        }
        Ok(())
    }

    /// Reads an array of depths and an equally long array of their counts. Returns the texts of the arrays, so that
    /// they are not read again.
    fn side_by_side(&mut self, parts: &[RowPart<'t>]) -> Result<Vec<&'t str>> {
        let is_array =
            |part: &RowPart<'_>| part.parts().is_some_and(|parts| !parts.is_empty() && parts.iter().all(is_bare));
        let array = |is_it: fn(&str) -> bool| parts.iter().find(|part| is_it(part.name) && is_array(part));
        let Some(depths) = array(is_depth_name) else { return Ok(Vec::new()) };
        let [numbers, counts] = [Some(depths), array(|name| is_counts_name(name) && !is_depth_name(name))]
            .map(|array| array.and_then(RowPart::parts).unwrap_or(&[]));
        if numbers.len() != counts.len() {
            return Err(self.wrong(depths, "as many depths as there are counts"));
        }
        for (depth, count) in numbers.iter().zip(counts) {
            self.add("counts", count, text_of(depth), count)?;
        }
        Ok(parts.iter().filter(|part| is_array(part)).map(|part| part.at).collect())
    }

    /// Reads a depth and a number of nodes. Either can be missing.
    fn finish_pair(&mut self, open: Option<&RowPart<'t>>, nodes: Option<&RowPart<'t>>, beside: Option<&str>) -> Done {
        let Some(nodes) = nodes else {
            self.alone.extend(open.cloned());
            return Ok(());
        };
        match open.map(text_of).or(beside) {
            Some(depth) => self.add(nodes.name, open.unwrap_or(nodes), depth, nodes),
            None => Err(self.wrong(nodes, EXPECTED)),
        }
    }

    /// Reads numbers without names. `beside` is the depth given by an adjacent field, if any.
    fn sequence(&mut self, name: &str, parts: &[&RowPart<'t>], beside: Option<&str>) -> Done {
        // Text before or after the numbers is a name.
        let is_count = |part: &&RowPart<'t>| begins_with_number(text_of(part));
        let end = parts.iter().rposition(is_count).map_or(0, |last| last + 1);
        let begin = parts[..end].iter().position(|part| is_count(part) || names::is_gap(text_of(part))).unwrap_or(end);
        let (parts, mut numbers) = (&parts[begin..end], Vec::new());
        for (part, depth) in parts.iter().zip(1..) {
            numbers.push(number_of(part));
            if numbers.last() == Some(&None) && !names::is_gap(text_of(part)) {
                return Err(self.not_a_number(name, part, depth));
            }
        }
        let Some(first) = parts.first() else { return Ok(()) };
        if let ([_], Some(depth)) = (parts, beside) {
            return self.add(name, first, depth, first);
        }
        let is_line = self.nesting == 0 && matches!(self.source.format, RowFormat::Lines);
        let (other, (reading, counts)) = self.own.best_reading(&numbers);
        let other = match other {
            _ if self.is_cut(parts, &numbers) => Some("a number with thousands separators"),
            None if reading == FROM_1 && !self.row.counts.is_empty() => Some("the count of any depth"),
            None if reading == FROM_1 => self.own.other_reading(&numbers),
            None => Some(reading).filter(|_| is_line),
            other => other,
        };
        if let Some(other) = other {
            let found: Vec<&str> = parts.iter().take(3).map(|part| text_of(part)).collect();
            let found = excerpt(&found.join(", "), 40);
            let advice = "write D1 20, or a header row such as fen,depth,nodes";
            let message = format!("found '{found}', expected {FROM_1}; this could also be {other}: {advice}");
            return Err(self.source.error(first.at, message));
        }
        for (depth, at) in counts.into_iter().filter(|(_, at)| numbers[*at].is_some()) {
            self.add(name, parts[at], &depth.to_string(), parts[at])?;
        }
        match (beside, self.row.counts.len()) {
            (Some(depth), deepest) if depth.parse() != Ok(deepest) => {
                Err(self.error("depth", first, format!("found {depth}, expected {deepest}, the last count's depth")))
            }
            _ => Ok(()),
        }
    }

    /// Returns true if two adjacent numbers are probably one number that was cut at a thousands separator: a comma or a
    /// space is between them, the second has three digits, and the first is less than the number before it.
    fn is_cut(&self, parts: &[&RowPart<'t>], numbers: &[Option<u128>]) -> bool {
        let list = self.source.list;
        (1..parts.len().saturating_sub(1)).any(|at| {
            let [this, next] = [parts[at].at, parts[at + 1].at];
            let between = list.get(offset(list, this) + this.len()..offset(list, next));
            this.len() <= 3 && next.len() == 3 && matches!(between, Some("," | " ")) && numbers[at] < numbers[at - 1]
        })
    }

    /// Adds the count for a depth. `field` is the part that contains the depth.
    fn add(&mut self, name: &str, field: &RowPart<'t>, depth: &str, value: &RowPart<'t>) -> Done {
        let known = Some(depth).filter(|depth| is_number(depth)).and_then(|depth| depth.parse::<usize>().ok());
        let Some(depth) = known.filter(|depth| *depth <= MAX_DEPTH as usize) else {
            let message = format!("found depth '{}', expected 1 to {MAX_DEPTH}", excerpt(depth, 40));
            return Err(self.error(name, field, message));
        };
        let Some(count) = number_of(value) else { return Err(self.not_a_number(name, value, depth)) };
        if self.is_several(depth as u128, count, text_of(value)) {
            let message = format!("found '{}' for D{depth}, which may be several numbers", excerpt(text_of(value), 40));
            return Err(self.error(name, value, message));
        }
        self.has_counts = true;
        if depth == 0 {
            let message = format!("found {count} for D0, expected 1");
            return if count <= 1 { Ok(()) } else { Err(self.error(name, field, message)) };
        }
        self.row.counts.resize(self.row.counts.len().max(depth), None);
        match self.row.counts[depth - 1].replace(count) {
            Some(other) if other != count => {
                let message = format!("found D{depth} twice, as {other} and {count}, expected one count");
                Err(self.error(name, field, message))
            }
            _ => Ok(()),
        }
    }

    /// Returns true if digits with separators between them may be several numbers instead of one.
    fn is_several(&self, depth: u128, count: u128, text: &str) -> bool {
        let mut groups = text.split([',', '.', ' ']).map(|group| group.parse::<u128>().ok());
        let (Some(first), Some(second), third) = (groups.next(), groups.next(), groups.next()) else { return false };
        if depth <= 2 {
            return self.own.leaves(depth).is_some_and(|leaves| leaves != count);
        }
        // The text may be a count and a smaller number, such as the number of captures. Depth 3 seldom has fewer leaves
        // than depth 2.
        let has_space = text.contains(' ') && !text.contains(" 0");
        has_space && third.is_none() && first >= self.own.leaves(2) && second <= first
    }

    fn not_a_number(&self, name: &str, value: &RowPart<'t>, depth: usize) -> SuiteError {
        let at = if let PartValue::Text(Cow::Borrowed(text)) = value.value { text } else { value.at };
        let message = format!("found '{}' for D{depth}, expected a number of nodes", excerpt(text_of(value), 40));
        self.error(name, &RowPart { at, ..value.clone() }, message)
    }

    fn wrong(&self, part: &RowPart<'t>, expected: &str) -> SuiteError {
        self.error(part.name, part, format!("found {}, expected {expected}", excerpt(part.at, 40)))
    }

    /// Returns the error for a field. In source code, the error names the field but points at the row.
    fn error(&self, name: &str, part: &RowPart<'t>, message: String) -> SuiteError {
        match self.source.format {
            RowFormat::Source if !name.is_empty() => {
                self.source.error(self.source.text, format!("field '{}': {message}", excerpt(name, 40)))
            }
            _ => self.source.error(part.at, message),
        }
    }
}

const EXPECTED: &str = "counts as 'depth' and 'nodes', 'counts', or 'D1', 'D2', …";

fn is_bare(part: &RowPart<'_>) -> bool {
    part.name.is_empty() && part.as_text().is_some_and(|text| names::is_numeric(text) || names::is_gap(text))
}

/// Parses a part as a number, with or without thousands separators.
fn number_of(part: &RowPart<'_>) -> Option<u128> {
    match &part.value {
        PartValue::Text(text) => names::parse_number(text, names::IN_TEXT),
        PartValue::Word(word) => names::parse_number(word, names::IN_SOURCE),
        PartValue::Group(_) => None,
    }
}
