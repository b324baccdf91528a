//! The order of the tables in source text: their sizes, names and nesting show when it is not the one of the layout.
//!
//! Tables are taken one after another. A table that lies across two parts of the layout, such as 8 keys where the 4 of
//! castling are due, would give wrong keys.

use super::import_error::ImportError;
use super::key_layout::Layout;
use super::key_text::FoundTable;

const PIECE_KEYS: usize = 768;
/// Pieces from White's pawns on, or from black pawns on in Polyglot's order: `w` or `b`, and the letter of the piece.
const USUAL: [&str; 12] = ["wp", "wn", "wb", "wr", "wq", "wk", "bp", "bn", "bb", "br", "bq", "bk"];
const RUSTIC: [&str; 12] = ["wk", "wq", "wr", "wb", "wn", "wp", "bk", "bq", "br", "bb", "bn", "bp"];
const POLYGLOT: [&str; 12] = ["bp", "wp", "bn", "wn", "bb", "wb", "br", "wr", "bq", "wq", "bk", "wk"];
const ROLES: [(&str, char); 6] =
    [("pawn", 'p'), ("knight", 'n'), ("bishop", 'b'), ("rook", 'r'), ("queen", 'q'), ("king", 'k')];

/// Returns the parts of a layout after the pieces, with their numbers of keys.
const fn parts(layout: Layout) -> &'static [(&'static str, usize)] {
    match layout {
        Layout::Cpw781 | Layout::Polyglot => &[("castling", 4), ("e.p.", 8), ("side", 1)],
        Layout::Cpw793 => &[("castling", 16), ("e.p.", 8), ("side", 1)],
        Layout::Rustic851 => &[("castling", 16), ("side", 2), ("e.p.", 65)],
        Layout::Stockfish15 => &[("e.p.", 8), ("castling", 16), ("side", 1), ("no pawns", 1)],
    }
}

/// Checks that tables, and the groups of keys within the first one, can be in the order of a layout.
///
/// **Errors**: a table that cannot stand where it does.
pub(super) fn check_order(layout: Layout, tables: &[FoundTable], groups: &[usize]) -> Result<(), ImportError> {
    let mut ends = vec![0, PIECE_KEYS];
    ends.extend(parts(layout).iter().scan(PIECE_KEYS, |end, (_, keys)| {
        *end += keys;
        Some(*end)
    }));
    let mut start = 0;
    for table in tables {
        let end = start + table.numbers;
        let lies_across = ends.iter().any(|at| start < *at && *at < end);
        let is_whole = ends.contains(&start) && ends.contains(&end);
        let expected = match lies_across && !is_whole {
            true => Some(order(layout)),
            false => misnamed(layout, table, start),
        };
        if let Some(expected) = expected {
            let (line, first) = (table.line, start + 1);
            let message =
                format!("found the {} keys of {} from key {first} on, expected {expected}", table.numbers, table.name);
            return Err(ImportError { line, message });
        }
        start = end;
    }
    let colors = if layout == Layout::Polyglot { 128 } else { 384 };
    let is_usual = |keys: &usize| [1, 8, 64, colors].contains(keys) || *keys >= PIECE_KEYS;
    match (groups.iter().find(|keys| !is_usual(keys)), tables.first()) {
        (Some(keys), Some(FoundTable { line, name, .. })) => {
            let order = pieces(layout).join(", ");
            let message = format!(
                "found groups of {keys} keys in {name}, expected the 64 squares of a piece together, pieces in the order {order}"
            );
            Err(ImportError { line: *line, message })
        }
        _ => Ok(()),
    }
}

/// Says in which order a layout has its tables.
fn order(layout: Layout) -> String {
    let parts: Vec<String> = parts(layout).iter().map(|(name, keys)| format!("{keys} {name}")).collect();
    format!("the order of {}: {PIECE_KEYS} pieces, {}", layout.name(), parts.join(", "))
}

const fn pieces(layout: Layout) -> [&'static str; 12] {
    match layout {
        Layout::Cpw781 | Layout::Cpw793 | Layout::Stockfish15 => USUAL,
        Layout::Rustic851 => RUSTIC,
        Layout::Polyglot => POLYGLOT,
    }
}

/// Returns what is expected of a table whose name says that its pieces are other ones.
fn misnamed(layout: Layout, table: &FoundTable, start: usize) -> Option<String> {
    let (color, role) = named(&table.name);
    let (first, last) = (start / 64, (start + table.numbers - 1) / 64);
    let rows = pieces(layout).get(first..=last)?.to_vec();
    let fits =
        |row: &&str| color.is_none_or(|color| row.starts_with(color)) && role.is_none_or(|role| row.ends_with(role));
    let is_right = if table.numbers > 64 { rows.iter().all(fits) } else { fits(&rows[0]) };
    // Several pieces of both colours in one table are named after neither.
    let is_named = color.is_some() || role.is_some() && table.numbers <= 64;
    (is_named && !is_right).then(|| format!("those of {} there, as {} has them", rows.join(", "), layout.name()))
}

/// Returns the colour and the piece in a name: `white_king`, `BLACK`, `wp`.
fn named(name: &str) -> (Option<char>, Option<char>) {
    let name = name.to_lowercase();
    if USUAL.contains(&&*name) {
        return (name.chars().next(), name.chars().last());
    }
    let color = match (name.contains("white"), name.contains("black")) {
        (true, false) => Some('w'),
        (false, true) => Some('b'),
        _ => None,
    };
    let mut roles = ROLES.iter().filter(|(role, _)| name.contains(role));
    let role = roles.next().map(|(_, letter)| *letter).filter(|_| roles.next().is_none());
    (color, role)
}

#[cfg(test)]
mod tests {
    use crate::import::Import;

    /// Writes tables of C: a name, and its keys in groups of these sizes, from the inside.
    fn source(layout: &str, tables: &[(&str, usize)], groups: &[usize]) -> String {
        let mut key = 0_u64;
        let mut text = format!("// layout: {layout}\n");
        for (number, (name, keys)) in tables.iter().enumerate() {
            let mut items: Vec<String> = Vec::new();
            for _ in 0..*keys {
                key += 0x1234_5678_9abc;
                items.push(format!("{key:#x}"));
            }
            let mut held = 1;
            for size in groups.iter().filter(|size| number == 0 && *size < keys) {
                items = items.chunks(size / held).map(|items| format!("{{{}}}", items.join(","))).collect();
                held = *size;
            }
            text += &format!("const U64 {name}[{keys}] = {{{}}};\n", items.join(", "));
        }
        text
    }

    fn one_by_one(names: [&str; 12]) -> Vec<(&str, usize)> {
        let pieces = names.into_iter().map(|name| (name, 64));
        pieces.chain([("castle", 4), ("ep", 8), ("side", 1)]).collect()
    }

    #[test]
    fn tables_in_the_order_of_their_layout_are_taken() {
        for (layout, tables, groups) in [
            ("cpw781", vec![("all", 781)], &[][..]),
            ("cpw781", vec![("pieces", 768), ("castle", 4), ("ep", 8), ("blackToMove", 1)], &[64, 384]),
            ("cpw781", vec![("white", 384), ("black", 384), ("others", 13)], &[8, 64]),
            ("polyglot", vec![("pieces", 768), ("castle", 4), ("ep", 8), ("white", 1)], &[64, 128]),
            ("rustic851", vec![("pieces", 768), ("castle", 16), ("side", 2), ("ep", 65)], &[64, 384]),
            ("stockfish-15.1", vec![("psq", 768), ("ep", 8), ("castle", 16), ("side", 1), ("noPawns", 1)], &[64]),
            ("cpw781", one_by_one(["wp", "wn", "wb", "wr", "wq", "wk", "bp", "bn", "bb", "br", "bq", "bk"]), &[]),
            ("polyglot", one_by_one(["bp", "wp", "bn", "wn", "bb", "wb", "br", "wr", "bq", "wq", "bk", "wk"]), &[]),
        ] {
            let text = source(layout, &tables, groups);
            let import = Import::parse(&text).unwrap_or_else(|error| panic!("{tables:?}: {error}"));
            assert!(import.summary().is_some(), "{tables:?}");
        }
    }

    #[test]
    fn tables_in_another_order_are_refused() {
        let black_first = one_by_one(["bp", "bn", "bb", "br", "bq", "bk", "wp", "wn", "wb", "wr", "wq", "wk"]);
        let king_first = one_by_one(["white_king", "a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k"]);
        for (layout, tables, groups, line, expected) in [
            (
                "cpw781",
                vec![("side", 1), ("castle", 4), ("ep", 8), ("pieces", 768)],
                &[][..],
                5,
                "found the 768 keys of pieces from key 14 on, expected the order of cpw781: 768 pieces, 4 castling, 8 e.p., 1 side",
            ),
            (
                "cpw781",
                vec![("p", 768), ("ep", 8), ("castle", 4), ("side", 1)],
                &[],
                3,
                "found the 8 keys of ep from key 769 on",
            ),
            (
                "cpw781",
                vec![("p", 768), ("side", 1), ("castle", 4), ("ep", 8)],
                &[],
                4,
                "found the 4 keys of castle from key 770",
            ),
            (
                "cpw793",
                vec![("p", 768), ("ep", 8), ("castle", 16), ("side", 1)],
                &[],
                4,
                "found the 16 keys of castle from key 777",
            ),
            (
                "rustic851",
                vec![("p", 768), ("castle", 16), ("ep", 65), ("side", 2)],
                &[],
                4,
                "expected the order of rustic851",
            ),
            (
                "cpw781",
                vec![("p", 768), ("rest", 13)],
                &[12],
                2,
                "found groups of 12 keys in p, expected the 64 squares of a piece",
            ),
            ("cpw781", vec![("p", 768), ("rest", 13)], &[64, 128], 2, "found groups of 128 keys in p"),
            ("polyglot", vec![("p", 768), ("rest", 13)], &[64, 384], 2, "pieces in the order bp, wp, bn"),
            (
                "cpw781",
                black_first,
                &[],
                2,
                "found the 64 keys of bp from key 1 on, expected those of wp there, as cpw781 has them",
            ),
            ("cpw781", king_first, &[], 2, "found the 64 keys of white_king from key 1 on, expected those of wp there"),
            (
                "cpw781",
                vec![("black", 384), ("white", 384), ("rest", 13)],
                &[],
                2,
                "found the 384 keys of black from key 1 on",
            ),
        ] {
            let error = Import::parse(&source(layout, &tables, groups)).expect_err(expected);
            assert!(error.line == line && error.message.contains(expected), "{tables:?}: {error}");
        }
    }

    #[test]
    fn indices_that_do_not_rise_are_refused() {
        let rest = "U64 rest[13] = {9,9,9,9,9,9,9,9,9,9,9,9,9};\n";
        let half = |key: usize| (key..key + 384).map(|key| format!("{key}, ")).collect::<String>();
        let halves = |first: &str, second: &str| {
            format!(
                "// layout: cpw781\nU64 p[2][384] = {{ [{first}] = {{{}}}, [{second}] = {{{}}} }};\n{rest}",
                half(1),
                half(400)
            )
        };
        for (first, second) in [("0", "1"), ("WHITE", "BLACK"), ("Color_White", "Color_Black")] {
            Import::parse(&halves(first, second)).unwrap_or_else(|error| panic!("{first}: {error}"));
        }
        let error = Import::parse(&halves("1", "0")).unwrap_err().to_string();
        assert_eq!(error, "line 2: found index 0 after 1, expected the keys in order");
        let error = Import::parse(&halves("BLACK", "WHITE")).unwrap_err().to_string();
        assert!(error.contains("found the 384 keys of BLACK from key 1 on, expected those of wp, wn, wb"), "{error}");
        let statements = |indices: &mut dyn Iterator<Item = usize>| {
            let lines: Vec<String> = indices.map(|index| format!("k[{index}] = {:#x};\n", 77 + index)).collect();
            format!("// layout: cpw781\nU64 k[781];\n{}", lines.concat())
        };
        Import::parse(&statements(&mut (0..781))).unwrap();
        let two: String = (0..768).map(|index| format!("p[{index}] = {:#x};\n", 77 + index)).collect();
        let two = two + &(0..13).map(|index| format!("rest[{index}] = {:#x};\n", 7 + index)).collect::<String>();
        Import::parse(&format!("// layout: cpw781\n{two}")).unwrap();
        let error = Import::parse(&statements(&mut (0..781).rev())).unwrap_err().to_string();
        assert_eq!(error, "line 4: found index 779 after 780, expected the keys in order");
        let keys: String =
            (0..781).map(|key| format!("{}: {:#x}, ", if key == 5 { 4 } else { key }, 77 + key)).collect();
        let error = Import::parse(&format!("// layout: cpw781\nk = {{{keys}}}\n")).unwrap_err().to_string();
        assert_eq!(error, "line 2: found index 4 after 4, expected the keys in order");
    }
}
