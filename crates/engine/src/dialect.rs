//! Form of an engine's perft commands and answers.

use crate::answer::Listing;
use crate::display::KeyBase;
use crate::keys::KeptClocks;
use crate::perft_output::TotalForm;
use crate::request::Request;

/// Sign that ends a perft answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Ending {
    /// The total, in a form at least as reliable as this one.
    Total(TotalForm),
    /// Silence.
    Quiet,
    /// The end of the program.
    Exit,
}

/// Form of an engine's perft commands and answers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Dialect {
    /// Question for perft.
    pub(super) request: Request,
    /// Sign that ends its answer.
    pub(super) ending: Ending,
    /// Contents of its answer.
    pub(super) listing: Listing,
    /// True if it printed a total.
    pub(super) has_total: bool,
    /// Base of the keys that it prints.
    pub(super) key_base: KeyBase,
    /// Clocks of the FEN that it prints, if it prints one that can be compared.
    pub(super) fen: Option<KeptClocks>,
}

impl Dialect {
    /// Returns the dialect of an engine that has not answered this question yet.
    pub(super) fn untried(request: Request) -> Dialect {
        let (listing, key_base) = (Listing::Subtotals, KeyBase::Hexadecimal);
        Dialect { request, ending: Ending::Quiet, listing, has_total: true, key_base, fen: None }
    }
}
