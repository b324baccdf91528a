//! Export of a key table: its entries in the order of a layout, as plain hexadecimal or as source text.

use super::entries::TableEntries;
use perft_gate_zobrist::{Castling, EnPassantKeys, Layout, Side};

perft_gate_chess::named! {
    /// Format of an exported file.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum Format {
        /// One entry per line, below a `# layout:` line.
        Hex = "hex",
        /// Rust arrays.
        Rust = "rust",
        /// A C header.
        C = "c",
    }
}

/// The name of a table, a sentence about it, and its entries.
type ExportTable = (&'static str, String, Vec<u64>);

/// Returns the entries of a list, grouped by kind and in the order of a layout. **Panics** if the axes of the list are
/// not those of the layout.
fn tables(layout: Layout, list: &TableEntries) -> Vec<ExportTable> {
    let axes = layout.axes();
    let entries: Vec<u64> = list.entries.iter().map(|entry| entry.bits as u64).collect();
    let order = layout.pieces();
    let letters: String = order.iter().map(|piece| piece.letter()).collect();
    let (rights, by_right) = match axes.castling {
        Castling::C16 => (16, "By set of rights: K = 1, Q = 2, k = 4, q = 8."),
        _ => (4, "One for each right that is held: K, Q, k, q."),
    };
    let (squares, by_square) = match axes.en_passant {
        EnPassantKeys::E8 => (8, "By file, if the square counts."),
        _ => (65, "By square from a1 to h8, then for none."),
    };
    let by_side = match axes.side {
        Side::S1 => "If Black is to move.",
        Side::S1w => "If White is to move.",
        Side::S2 => "If White is to move, if Black is.",
    };
    let pieces = order.iter().flat_map(|piece| &entries[64 * piece.number()..][..64]).copied().collect();
    let (castling, rest) = entries[768..].split_at(rights);
    let (en_passant, side) = rest.split_at(squares);
    let mut tables = vec![
        ("PIECES", format!("By piece ({letters}), then by square from a1 to h8."), pieces),
        ("CASTLING", by_right.into(), castling.to_vec()),
        ("EN_PASSANT", by_square.into(), en_passant.to_vec()),
        ("SIDE", by_side.into(), side.to_vec()),
    ];
    if layout == Layout::Rustic851 {
        tables.swap(2, 3);
    }
    tables
}

/// Returns the text of an exported file. `about` describes the source of the entries, with one item per line.
pub fn text(format: Format, layout: Layout, list: &TableEntries, about: &[String]) -> String {
    let tables = tables(layout, list);
    let comment = match format {
        Format::Hex => "#",
        Format::Rust => "//!",
        Format::C => "//",
    };
    let head = std::iter::once(format!("layout: {}", layout.name())).chain(about.iter().cloned());
    let mut lines: Vec<String> = head.map(|line| format!("{comment} {line}")).collect();
    match format {
        Format::Hex => {
            lines.extend(tables.iter().flat_map(|(.., entries)| entries).map(|entry| format!("{entry:016x}")))
        }
        Format::Rust => tables.iter().for_each(|table| write_array(&RUST, table, &mut lines)),
        Format::C => {
            lines.push("#include <stdint.h>".into());
            tables.iter().for_each(|table| write_array(&C, table, &mut lines));
        }
    }
    lines.join("\n") + "\n"
}

/// Syntax of a language for arrays.
struct Syntax {
    comment: &'static str,
    /// Brackets around an array.
    brackets: [&'static str; 2],
    entry: fn(u64) -> String,
    /// Writes the declaration up to the first bracket. Takes the array's name and the lengths of its dimensions,
    /// outermost first.
    declaration: fn(&str, &[usize]) -> String,
}

const RUST: Syntax = Syntax {
    comment: "///",
    brackets: ["[", "]"],
    entry: |entry| {
        let [a, b, c, d] = [48, 32, 16, 0].map(|shift| entry >> shift & 0xffff);
        format!("0x{a:04x}_{b:04x}_{c:04x}_{d:04x}")
    },
    declaration: |name, lengths| {
        let kind = lengths.iter().rev().fold("u64".into(), |kind, length| format!("[{kind}; {length}]"));
        format!("pub static {name}: {kind} = ")
    },
};

const C: Syntax = Syntax {
    comment: "//",
    brackets: ["{", "}"],
    entry: |entry| format!("UINT64_C(0x{entry:016x})"),
    declaration: |name, lengths| {
        let lengths: String = lengths.iter().map(|length| format!("[{length}]")).collect();
        format!("static const uint64_t {name}{lengths} = ")
    },
};

fn write_array(syntax: &Syntax, (name, about, entries): &ExportTable, lines: &mut Vec<String>) {
    let Syntax { comment, brackets: [open, close], entry, declaration } = syntax;
    lines.extend([String::new(), format!("{comment} {about}")]);
    let entry = |number: &u64| entry(*number);
    if entries.len() == 768 {
        lines.push(format!("{}{open}", declaration(name, &[12, 64])));
        for row in entries.chunks(64) {
            lines.push(format!("    {open}"));
            write_numbers(row, 8, entry, lines);
            lines.push(format!("    {close},"));
        }
    } else {
        lines.push(format!("{}{open}", declaration(name, &[entries.len()])));
        write_numbers(entries, 4, entry, lines);
    }
    lines.push(format!("{close};"));
}

fn write_numbers(entries: &[u64], indent: usize, entry: impl Fn(&u64) -> String, lines: &mut Vec<String>) {
    for four in entries.chunks(4) {
        let four: Vec<String> = four.iter().map(&entry).collect();
        lines.push(format!("{:indent$}{},", "", four.join(", ")));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use perft_gate_zobrist::{Import, Scheme};

    fn list(name: &str) -> (Layout, TableEntries) {
        let scheme = Scheme::parse(name, false).unwrap();
        (Layout::from_axes(&scheme.axes.unwrap()).unwrap(), TableEntries::from_scheme(&scheme, 3).unwrap())
    }

    #[test]
    fn a_file_is_read_back_as_the_entries_it_was_made_of() {
        for (name, expected) in [
            ("cpw781", Layout::Cpw781),
            ("cpw793", Layout::Cpw793),
            ("bch", Layout::Cpw781),
            ("rotate", Layout::Cpw793),
            ("castling=c4,side=s1w", Layout::Polyglot),
            ("polyglot", Layout::Polyglot),
            ("rustic851", Layout::Rustic851),
            ("ep=e65,side=s2", Layout::Rustic851),
        ] {
            let (layout, entries) = list(name);
            assert_eq!(layout, expected, "{name}");
            for format in [Format::Hex, Format::Rust, Format::C] {
                let import = Import::parse(&text(format, layout, &entries, &["a remark: 7".into()])).unwrap();
                assert_eq!(import.layout, layout, "{name} {format:?}");
                let again = TableEntries::from_scheme(&Scheme::imported(import), 0).unwrap();
                assert_eq!(again.entries, entries.entries, "{name} {format:?}");
            }
        }
    }

    #[test]
    fn schemes_without_a_layout_have_none() {
        for name in ["castling=c5", "width=32", "combine=add", "ep=e17"] {
            assert_eq!(Layout::from_axes(&Scheme::parse(name, false).unwrap().axes.unwrap()), None, "{name}");
        }
    }
}
