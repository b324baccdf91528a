//! Format of the perft commands that an engine accepts and of its answers.

use crate::request::Request;
use perft_gate_listing::{KeptClocks, KeyBase, Listing, TotalForm};

/// Sign that ends a perft answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Ending {
    /// A total whose form is at least as reliable as this one.
    Total(TotalForm),
    /// Silence.
    Quiet,
    /// The exit of the program.
    Exit,
}

/// Format of the perft commands that an engine accepts and of its answers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Dialect {
    pub(super) request: Request,
    pub(super) ending: Ending,
    pub(super) listing: Listing,
    pub(super) has_total: bool,
    pub(super) key_base: KeyBase,
    /// The clocks that the engine reproduces unchanged in its FENs, if FENs can be compared.
    pub(super) fen: Option<KeptClocks>,
}

impl Dialect {
    pub(super) fn initial(request: Request) -> Dialect {
        let (listing, key_base) = (Listing::Moves, KeyBase::Hexadecimal);
        Dialect { request, ending: Ending::Quiet, listing, has_total: true, key_base, fen: None }
    }
}
