//! Values that all processes agree on: the sums of a pass, and how the pass ended. A ply takes one or more passes.

use crate::error::UniqueError;
use crate::exchange::owner_of;
use crate::options::UniqueOptions;
use crate::set::Summary;
use crate::store::MoveSum;

/// How a pass ended in a process. The greatest value among the processes applies to all of them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum PassEnd {
    Done,
    /// A table was full.
    Full,
    Stopped,
}

const PASS_ENDS: [PassEnd; 3] = [PassEnd::Done, PassEnd::Full, PassEnd::Stopped];

impl UniqueOptions<'_> {
    pub(crate) fn owns(&self, slice: u32) -> bool {
        self.exchange.is_none_or(|link| owner_of(slice, link.processes()) == link.index())
    }

    pub(crate) fn processes(&self) -> usize {
        self.exchange.map_or(1, |link| link.processes())
    }

    fn agree<const N: usize>(&self, mine: [u128; N]) -> impl Iterator<Item = [u128; N]> {
        let all = self.exchange.map_or_else(|| vec![mine.to_vec()], |link| link.agree(&mine));
        // A process that sends the wrong number of words no longer follows the protocol. Its words count as zero, and
        // the sums reveal the fault.
        all.into_iter().map(|words| words.try_into().unwrap_or([0; N]))
    }

    /// Waits until all processes have reached this call. Returns the minimum and maximum of the numbers that they
    /// passed.
    pub(crate) fn range(&self, number: u64) -> [u64; 2] {
        let range = |[least, most]: [u64; 2], [number]: [u128; 1]| [least.min(number as u64), most.max(number as u64)];
        self.agree([number.into()]).fold([number; 2], range)
    }

    pub(crate) fn all_moves(&self, moves: MoveSum) -> MoveSum {
        let sum = |sum: MoveSum, [moves, weighted]: [u128; 2]| sum.and(MoveSum { moves: moves as u64, weighted });
        self.agree([moves.moves.into(), moves.weighted]).fold(MoveSum::default(), sum)
    }

    /// Returns the greatest [`PassEnd`] of all processes and the total number of children that they made.
    ///
    /// **Errors**: every process completed the pass, but the number of children received differs from the number sent.
    pub(crate) fn leave_pass(
        &self,
        ply: u32,
        outcome: PassEnd,
        [children, sent, received]: [u64; 3],
    ) -> Result<(PassEnd, u64), UniqueError> {
        let mine = [outcome as u128, children.into(), sent.into(), received.into()];
        let [outcome, children, sent, received] = self
            .agree(mine)
            .fold([0; 4], |sum, words| [sum[0].max(words[0]), sum[1] + words[1], sum[2] + words[2], sum[3] + words[3]]);
        let outcome = PASS_ENDS[(outcome as usize).min(PASS_ENDS.len() - 1)];
        if outcome == PassEnd::Done && sent != received {
            return Err(UniqueError::Exchange { ply, expected: sent as u64, found: received as u64 });
        }
        Ok((outcome, children as u64))
    }

    /// Returns the summary of all processes' positions; `None` if any process was stopped.
    pub(crate) fn all_found(&self, found: Summary, is_stopped: bool) -> Option<Summary> {
        let Summary { distinct, total, once, highest, with_highest } = found;
        let mine = [is_stopped.into(), distinct.into(), total, once.into(), highest, with_highest.into()];
        self.agree(mine).try_fold(Summary::default(), |sum, [stopped, distinct, total, once, highest, with_highest]| {
            let (distinct, once, with_highest) = (distinct as u64, once as u64, with_highest as u64);
            (stopped == 0).then(|| sum.and(Summary { distinct, total, once, highest, with_highest }))
        })
    }
}
