//! What a board supplies: always, or never.

/// Supply of one thing by a board.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Supply {
    /// The board was not asked.
    #[default]
    Unknown,
    /// It supplies it.
    Supplied,
    /// It does not.
    NotSupplied,
}

impl Supply {
    /// Takes note of one case; returns what was expected if it differs from the cases before.
    pub(super) fn note(&mut self, found: Supply) -> Result<(), &'static str> {
        match *self {
            Supply::Unknown => *self = found,
            before if before == found => {}
            Supply::Supplied => return Err("a value, as in the positions before"),
            Supply::NotSupplied => return Err("none, as in the positions before"),
        }
        Ok(())
    }

    /// Returns the supply of two sets of cases together; `None` if they differ.
    pub(super) fn join(mut self, other: Supply) -> Option<Supply> {
        if other != Supply::Unknown {
            self.note(other).ok()?;
        }
        Some(self)
    }

    pub(super) fn of<T>(value: Option<T>) -> Supply {
        value.map_or(Supply::NotSupplied, |_| Supply::Supplied)
    }
}
