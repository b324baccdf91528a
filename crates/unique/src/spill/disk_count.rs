//! A count whose positions are in files. It is saved after each pass and can be resumed.

use super::files::{Files, PlyFile, Spill, clean};
use crate::count::UniqueCount;
use crate::error::UniqueError;
use crate::forecast::{self, Forecast};
use crate::frontier::Frontier;
use crate::options::{By, UniqueOptions};
use crate::passes::Step;
use crate::plan;
use crate::ply::Ply;
use crate::set::{SLICES, Summary};
use crate::store::Store;
use perft_gate_chess::{Board, Packed};
use perft_gate_walk::Control;
use serde::{Deserialize, Serialize};

/// A count whose frontiers are on disk. It can be saved after each pass, and resumed from there.
#[derive(Serialize, Deserialize, Debug)]
pub struct DiskCount {
    pub(super) count: UniqueCount<Files>,
    /// Number of completed passes.
    passes: u64,
    /// The count before the last pass, kept because other processes may not have saved that pass.
    before: Option<UniqueCount<Files>>,
}

impl DiskCount {
    /// Begins a count.
    ///
    /// **Errors**: see [`UniqueError`].
    pub fn new(board: &Board, options: &UniqueOptions<'_>, spill: Spill) -> Result<DiskCount, UniqueError> {
        options.check()?;
        clean(&spill.folder, &[])?;
        let mut root = Files::of_root(spill);
        let parts = Frontier::set_of(Packed::new(board, options.policy), options)?.into_parts();
        let found = Summary::new(&parts);
        root.append(parts, found, options.level, &Control::default())?;
        Ok(DiskCount { count: UniqueCount::new(options, root), passes: 0, before: None })
    }

    /// Goes back to the newest pass that all processes have saved.
    fn meet(&mut self, options: &UniqueOptions<'_>) -> Result<(), UniqueError> {
        let [first, last] = options.range(self.passes);
        if last - first > 1 {
            return Err(UniqueError::Apart);
        }
        if first < self.passes {
            let before = self.before.take();
            self.count = before.ok_or(UniqueError::Apart)?;
            self.passes = first;
        }
        // Processes whose progress differs after the same number of passes belong to different runs.
        let done = self.count.open.as_ref().map_or(0, |open| open.done);
        let [first, last] = options.range(u64::from(done) | (self.count.plies.len() as u64) << 32);
        if first != last {
            return Err(UniqueError::Apart);
        }
        Ok(())
    }

    /// Prepares a count. A restored count goes back to the last pass that all processes have saved. Its files are
    /// checked, and other files of a killed run are removed. A new count only makes sure that all processes start at
    /// the same pass.
    ///
    /// **Errors**: a file is missing or has another size, or the processes belong to different runs.
    pub fn resume(&mut self, options: &UniqueOptions<'_>, spill: Spill) -> Result<(), UniqueError> {
        self.meet(options)?;
        self.count.kept.spill = spill.clone();
        if let Some(open) = &mut self.count.open {
            open.next.spill = spill.clone();
        }
        let UniqueCount { plies, kept, open } = &self.count;
        let open = open.as_ref().map(|open| (&open.next, open.row.positions));
        let last = plies.last().map_or(Summary::default(), |ply| ply.positions);
        let stores = [Some((kept, last)), open];
        let listed: Vec<&PlyFile> = stores.iter().flatten().flat_map(|(store, _)| &store.files).collect();
        clean(&spill.folder, &listed)?;
        stores.into_iter().flatten().try_for_each(|(store, expected)| store.check_held(expected, options))
    }

    /// Returns the completed plies, starting with ply 0, the root.
    pub fn plies(&self) -> &[Ply] {
        &self.count.plies
    }

    /// Returns the ply in progress, if some of its passes are complete.
    pub fn open(&self) -> Option<&Ply> {
        self.count.open.as_ref().map(|open| &open.row)
    }

    /// Runs passes until ply `depth` is complete. Returns false if the run was stopped before that.
    ///
    /// **Errors**: see [`UniqueError`]. The state that the observer last saved is still valid.
    pub fn run(
        &mut self,
        depth: u32,
        options: &UniqueOptions<'_>,
        control: &Control,
        watch: &mut dyn CountObserver,
    ) -> Result<bool, UniqueError> {
        let mut is_first = true;
        while self.count.plies.len() <= depth as usize {
            if is_first || self.count.open.is_none() {
                let last = self.count.plies.last().map_or(Summary::default(), |ply| ply.positions);
                self.count.kept.check_all(last, options)?;
                watch.expects(&self.forecast(depth, options)?);
                is_first = false;
            }
            let before = options.exchange.map(|_| self.count.clone());
            let finished = match self.count.pass(depth, options, control)? {
                Step::Stopped => return Ok(false),
                Step::More => None,
                Step::Complete(finished) => Some(finished),
            };
            (self.passes, self.before) = (self.passes + 1, before);
            watch.on_pass(self, finished.as_ref().and(self.count.plies.last()))?;
            // Waits until all processes have saved this pass. Only then may any of them remove the files of the ply
            // before.
            options.range(0);
            if let Some(finished) = finished {
                finished.remove();
            }
        }
        Ok(true)
    }

    /// Returns the total size of all files in bytes.
    pub fn bytes(&self) -> u64 {
        self.count.kept.bytes() + self.count.open.as_ref().map_or(0, |open| open.next.bytes())
    }

    /// Returns the fraction of the current ply that is already counted, from 0 to 1.
    pub fn share_done(&self) -> f64 {
        let done = self.count.open.as_ref().map_or(0, |open| open.done);
        f64::from(done) / f64::from(SLICES)
    }

    /// Returns forecasts of the plies that are not complete.
    ///
    /// **Errors**: the positions of a ply are not expected to fit on the disk.
    pub(super) fn forecast(&self, depth: u32, options: &UniqueOptions<'_>) -> Result<Vec<Forecast>, UniqueError> {
        let UniqueCount { plies, kept, .. } = &self.count;
        let moves = options.all_moves(kept.moves(options.level)).moves;
        let passes = |numbers, is_last| plan::expected_passes::<Files>(numbers, is_last, options);
        let mut forecast = forecast::forecast(plies, moves, depth, matches!(options.by, By::Key { .. }), passes);
        let mut before = kept.bytes() as f64;
        for ply in &forecast {
            // A ply's files are removed when the next ply is complete.
            let disk = ply.disk / options.processes() as f64;
            let (expected, found) = ((before + disk) as u64, kept.spill.disk);
            if expected > found {
                return Err(UniqueError::DiskSpace { ply: ply.ply, found, expected });
            }
            before = disk;
        }
        if let Some(first) = forecast.first_mut() {
            // A ply that is already partly counted takes only the remaining share of its time.
            first.time = first.time.mul_f64(1.0 - self.share_done());
        }
        Ok(forecast)
    }
}

/// An observer that watches a count and saves it.
pub trait CountObserver {
    /// Receives the forecast of the incomplete plies when a ply begins, and when a run resumes.
    fn expects(&mut self, forecast: &[Forecast]);

    /// Saves the count after a pass. `ply` is the ply that the pass completed, if any.
    ///
    /// **Errors**: the count cannot be saved.
    fn on_pass(&mut self, count: &DiskCount, ply: Option<&Ply>) -> Result<(), UniqueError>;
}
