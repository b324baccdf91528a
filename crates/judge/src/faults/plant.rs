//! Where a fault acts.

use super::fault::Fault;
use std::fmt;
use std::str::FromStr;

/// A fault, and the first ply at which it acts: at the nodes of that ply and below, and in the moves that lead to them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Plant {
    /// The fault.
    pub fault: Fault,
    /// First ply at which it acts; 0 = the root.
    pub from_ply: u32,
}

impl Plant {
    /// Returns a fault that acts everywhere.
    pub const fn everywhere(fault: Fault) -> Plant {
        Plant { fault, from_ply: 0 }
    }

    /// Returns the fault as it acts at a ply.
    #[inline(always)]
    pub(super) fn at(&self, ply: u32) -> Fault {
        if ply >= self.from_ply { self.fault } else { Fault::None }
    }
}

impl fmt::Display for Plant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.from_ply {
            0 => self.fault.fmt(f),
            ply => write!(f, "{}@{ply}", self.fault),
        }
    }
}

impl FromStr for Plant {
    type Err = String;

    /// Reads a fault's name, and the ply behind `@` if there is one.
    fn from_str(text: &str) -> Result<Plant, String> {
        let (name, ply) = text.split_once('@').unwrap_or((text, "0"));
        let fault = Fault::all().into_iter().find(|fault| fault.to_string() == name);
        let fault = fault.ok_or_else(|| format!("found '{name}', expected a fault of `perft list faults`"))?;
        let from_ply = ply.parse().map_err(|_| format!("found '{ply}' behind '@', expected a ply"))?;
        Ok(Plant { fault, from_ply })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_read_back_and_differ() {
        for fault in Fault::all() {
            let plant = Plant { fault, from_ply: 3 };
            assert_eq!(plant.to_string().parse(), Ok(plant));
        }
        assert!("side-not-flipped@x".parse::<Plant>().is_err() && "no-such-fault".parse::<Plant>().is_err());
    }
}
