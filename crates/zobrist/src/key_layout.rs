//! The orders of the keys in files. In source text, the sizes, names and nesting of the tables reveal whether their
//! order differs from the layout's.
//!
//! Tables are read one after another. A table that spans two parts of the layout, such as 8 keys where 4 castling keys
//! are expected, would give wrong keys.

use crate::axes::{Axes, Castling, ClockKeys, Combine, EnPassantKeys, Side, Width};
use crate::generate::{POLYGLOT_ROWS, RUSTIC_ROWS, USUAL_ROWS};
use crate::key_text::{FoundTable, ImportError};
use perft_gate_chess::{Color, EnPassantPolicy, Piece, Role};

perft_gate_chess::named! {
    /// The order of the keys in a file.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum Layout {
        /// 12 × 64 piece keys, White P N B R Q K, then Black's; castling K Q k q; e.p. files; Black to move.
        Cpw781 = "cpw781",
        /// The order of `cpw781`, with 16 castling keys.
        Cpw793 = "cpw793",
        /// Rustic's order: White K Q R B N P, then Black's; 16 castling keys; two sides; 65 e.p. squares.
        Rustic851 = "rustic851",
        /// The order of the Polyglot specification: black pawn, white pawn, …; castling; e.p. files; White to move.
        Polyglot = "polyglot",
        /// Stockfish 15.1's order: 12 × 64 as in `cpw793`; e.p. files; 16 castling keys; side; `noPawns` (a number that
        /// the position's key does not use).
        Stockfish15 = "stockfish-15.1",
    }
}

impl Layout {
    /// Returns the layout of a file that can hold the keys of these axes. The en-passant policy is ignored: a file
    /// without an `axes:` comment is read back with the layout's policy.
    pub fn from_axes(axes: &Axes) -> Option<Layout> {
        let castling = if axes.castling == Castling::C4x16 { Castling::C4 } else { axes.castling };
        let holds = |layout: &Layout| {
            let held = layout.axes();
            (castling, axes.en_passant, axes.side) == (held.castling, held.en_passant, held.side)
        };
        if (axes.combine, axes.width, axes.clock) != (Combine::Xor, Width::W64, ClockKeys::None) {
            return None;
        }
        // Stockfish's layout also has a number (`noPawns`) that is not a key of any axis.
        Layout::ALL.into_iter().filter(|&layout| layout != Layout::Stockfish15).find(holds)
    }

    /// Returns the number of keys in a file with this layout.
    pub fn number_of_keys(self) -> usize {
        PIECE_KEYS + parts(self).iter().map(|(_, keys)| keys).sum::<usize>()
    }

    /// Returns the axes of the scheme to which keys in this layout belong.
    pub const fn axes(self) -> Axes {
        let cpw = Axes::CPW793;
        match self {
            Layout::Cpw781 => Axes { castling: Castling::C4, ..cpw },
            Layout::Cpw793 => cpw,
            Layout::Rustic851 => {
                Axes { en_passant: EnPassantKeys::E65, policy: EnPassantPolicy::Always, side: Side::S2, ..cpw }
            }
            Layout::Polyglot => {
                Axes { castling: Castling::C4, policy: EnPassantPolicy::Pseudo, side: Side::S1w, ..cpw }
            }
            // Stockfish 15.1 keeps the e.p. square even if the capturing pawn is pinned.
            Layout::Stockfish15 => Axes { policy: EnPassantPolicy::Pseudo, ..cpw },
        }
    }

    /// Returns the function that numbers the pieces in the order of their keys.
    pub(super) const fn rows(self) -> fn(Piece) -> usize {
        match self {
            Layout::Cpw781 | Layout::Cpw793 | Layout::Stockfish15 => USUAL_ROWS,
            Layout::Rustic851 => RUSTIC_ROWS,
            Layout::Polyglot => POLYGLOT_ROWS,
        }
    }

    /// Returns the pieces in the order of their keys.
    pub fn pieces(self) -> Vec<Piece> {
        let mut pieces = Vec::from_iter(Piece::all());
        pieces.sort_by_key(|&piece| self.rows()(piece));
        pieces
    }
}

const PIECE_KEYS: usize = 768;
/// Returns the parts of a layout that follow the piece keys, with the number of keys in each.
const fn parts(layout: Layout) -> &'static [(&'static str, usize)] {
    match layout {
        Layout::Cpw781 | Layout::Polyglot => &[("castling", 4), ("e.p.", 8), ("side", 1)],
        Layout::Cpw793 => &[("castling", 16), ("e.p.", 8), ("side", 1)],
        Layout::Rustic851 => &[("castling", 16), ("side", 2), ("e.p.", 65)],
        Layout::Stockfish15 => &[("e.p.", 8), ("castling", 16), ("side", 1), ("no pawns", 1)],
    }
}

/// Checks that tables, and the groups of keys within the first table, fit the order of a layout.
///
/// **Errors**: a table or a group does not fit.
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
            false => find_misnamed(layout, table, start),
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
            let order = names(&layout.pieces());
            let message = format!(
                "found groups of {keys} keys in {name}, expected the 64 squares of a piece together, pieces in the order {order}"
            );
            Err(ImportError { line: *line, message })
        }
        _ => Ok(()),
    }
}

/// Describes the order of a layout's tables.
fn order(layout: Layout) -> String {
    let parts: Vec<String> = parts(layout).iter().map(|(name, keys)| format!("{keys} {name}")).collect();
    format!("the order of {}: {PIECE_KEYS} pieces, {}", layout.name(), parts.join(", "))
}

/// Returns a list of the pieces' names, such as `wp, wn`.
fn names(pieces: &[Piece]) -> String {
    let name =
        |piece: &Piece| format!("{}{}", if piece.color == Color::White { 'w' } else { 'b' }, piece.role.letter());
    Vec::from_iter(pieces.iter().map(name)).join(", ")
}

/// Describes the pieces that the layout expects from key `start` on, if the table's name contradicts them.
fn find_misnamed(layout: Layout, table: &FoundTable, start: usize) -> Option<String> {
    let (color, role) = named(&table.name);
    let (first, last) = (start / 64, (start + table.numbers - 1) / 64);
    let pieces = layout.pieces();
    let rows = pieces.get(first..=last)?;
    let fits = |row: &Piece| color.is_none_or(|color| row.color == color) && role.is_none_or(|role| row.role == role);
    let is_right = if table.numbers > 64 { rows.iter().all(fits) } else { fits(&rows[0]) };
    // A name with a role but no colour is checked only if the table belongs to a single piece.
    let is_named = color.is_some() || role.is_some() && table.numbers <= 64;
    (is_named && !is_right).then(|| format!("those of {}, as in {}", names(rows), layout.name()))
}

/// Returns the colour and the role in a table's name, such as `white_king`, `BLACK` or `wp`.
fn named(name: &str) -> (Option<Color>, Option<Role>) {
    let name = name.to_lowercase();
    if let Some(piece) = Piece::all().find(|&piece| names(&[piece]) == name) {
        return (Some(piece.color), Some(piece.role));
    }
    let color = match (name.contains("white"), name.contains("black")) {
        (true, false) => Some(Color::White),
        (false, true) => Some(Color::Black),
        _ => None,
    };
    let mut roles = Role::ALL.into_iter().filter(|role| name.contains(role.name()));
    (color, roles.next().filter(|_| roles.next().is_none()))
}

#[cfg(test)]
mod tests {
    use crate::import::Import;

    /// Returns C source text for tables, each given by its name and number of keys. The keys of the first table are
    /// nested in groups of the sizes in `groups`, innermost first.
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

    /// Reads the names and sizes of tables, such as `p 768, ep 8`.
    fn tables(text: &str) -> Vec<(&str, usize)> {
        let tables = text.split(", ").map(|table| table.split_once(' ').expect("a table"));
        tables.map(|(name, keys)| (name, keys.parse().expect("a number"))).collect()
    }

    fn one_by_one(names: [&str; 12]) -> String {
        names.map(|name| format!("{name} 64")).join(", ") + ", castle 4, ep 8, side 1"
    }

    #[test]
    fn tables_in_the_order_of_their_layout_are_taken() {
        let usual = one_by_one(["wp", "wn", "wb", "wr", "wq", "wk", "bp", "bn", "bb", "br", "bq", "bk"]);
        let polyglot = one_by_one(["bp", "wp", "bn", "wn", "bb", "wb", "br", "wr", "bq", "wq", "bk", "wk"]);
        for (layout, text, groups) in [
            ("cpw781", "all 781", &[][..]),
            ("cpw781", "pieces 768, castle 4, ep 8, blackToMove 1", &[64, 384]),
            ("cpw781", "white 384, black 384, others 13", &[8, 64]),
            ("polyglot", "pieces 768, castle 4, ep 8, white 1", &[64, 128]),
            ("rustic851", "pieces 768, castle 16, side 2, ep 65", &[64, 384]),
            ("stockfish-15.1", "psq 768, ep 8, castle 16, side 1, noPawns 1", &[64]),
            ("cpw781", &usual, &[]),
            ("polyglot", &polyglot, &[]),
        ] {
            let import = Import::parse(&source(layout, &tables(text), groups));
            assert!(import.unwrap_or_else(|error| panic!("{text}: {error}")).summary().is_some(), "{text}");
        }
    }

    #[test]
    fn tables_in_another_order_are_refused() {
        let black_first = one_by_one(["bp", "bn", "bb", "br", "bq", "bk", "wp", "wn", "wb", "wr", "wq", "wk"]);
        let king_first = one_by_one(["white_king", "a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k"]);
        let side_first = "side 1, castle 4, ep 8, pieces 768";
        let king = "found the 64 keys of white_king from key 1 on, expected those of wp";
        let those = "found the 64 keys of bp from key 1 on, expected those of wp, as in cpw781";
        let order = "expected the order of cpw781: 768 pieces, 4 castling, 8 e.p., 1 side";
        for (layout, text, groups, line, expected) in [
            ("cpw781", side_first, &[][..], 5, "found the 768 keys of pieces from key 14 on, "),
            ("cpw781", side_first, &[], 5, order),
            ("cpw781", "p 768, ep 8, castle 4, side 1", &[], 3, "found the 8 keys of ep from key 769 on"),
            ("cpw781", "p 768, side 1, castle 4, ep 8", &[], 4, "found the 4 keys of castle from key 770"),
            ("cpw793", "p 768, ep 8, castle 16, side 1", &[], 4, "found the 16 keys of castle from key 777"),
            ("rustic851", "p 768, castle 16, ep 65, side 2", &[], 4, "expected the order of rustic851"),
            ("cpw781", "p 768, rest 13", &[12], 2, "found groups of 12 keys in p, expected the 64 squares of a piece"),
            ("cpw781", "p 768, rest 13", &[64, 128], 2, "found groups of 128 keys in p"),
            ("polyglot", "p 768, rest 13", &[64, 384], 2, "pieces in the order bp, wp, bn"),
            ("cpw781", &black_first, &[], 2, those),
            ("cpw781", &king_first, &[], 2, king),
            ("cpw781", "black 384, white 384, rest 13", &[], 2, "found the 384 keys of black from key 1 on"),
        ] {
            let error = Import::parse(&source(layout, &tables(text), groups)).expect_err(expected);
            assert!(error.line == line && error.message.contains(expected), "{text}: {error}");
        }
    }

    #[test]
    fn indices_that_do_not_rise_are_refused() {
        let parse =
            |text: &str| Import::parse(&format!("// layout: cpw781\n{text}")).map_err(|error| error.to_string());
        let halves = |first: &str, second: &str| {
            let half = |key: usize| (key..key + 384).map(|key| format!("{key}, ")).collect::<String>();
            let (one, other, rest) = (half(1), half(400), "9, ".repeat(13));
            parse(&format!(
                "U64 p[2][384] = {{[{first}] = {{{one}}}, [{second}] = {{{other}}}}};\nU64 r[] = {{{rest}}};"
            ))
        };
        for (first, second) in [("0", "1"), ("WHITE", "BLACK"), ("Color_White", "Color_Black")] {
            halves(first, second).unwrap_or_else(|error| panic!("{first}: {error}"));
        }
        assert_eq!(halves("1", "0").unwrap_err(), "line 2: found index 0 after 1, expected the keys in order");
        let error = halves("BLACK", "WHITE").unwrap_err();
        assert!(error.contains("found the 384 keys of BLACK from key 1 on, expected those of wp, wn, wb"), "{error}");
        let statements = |name: &str, indices: &mut dyn Iterator<Item = usize>| {
            indices.map(|index| format!("{name}[{index}] = {:#x};\n", 77 + index)).collect::<String>()
        };
        parse(&format!("U64 k[781];\n{}", statements("k", &mut (0..781)))).unwrap();
        parse(&(statements("p", &mut (0..768)) + &statements("rest", &mut (0..13)))).unwrap();
        let error = parse(&format!("U64 k[781];\n{}", statements("k", &mut (0..781).rev()))).unwrap_err();
        assert_eq!(error, "line 4: found index 779 after 780, expected the keys in order");
        let keys = (0..781).map(|key| format!("{}: {:#x}, ", if key == 5 { 4 } else { key }, 77 + key));
        let error = parse(&format!("k = {{{}}}\n", keys.collect::<String>())).unwrap_err();
        assert_eq!(error, "line 2: found index 4 after 4, expected the keys in order");
    }
}
