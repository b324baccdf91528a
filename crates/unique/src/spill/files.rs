//! The files of a ply. Workers write blocks of a fixed size, each at its own place. Later the blocks of all files are
//! read one by one, by any worker. Once read or written, a block is dropped from the cache: the tables need the memory.

use super::block::{self, BLOCK, BlockWriter, PositionBlock};
use crate::entries::{POSITION, Positions};
use crate::error::{DiskError, UniqueError};
use crate::forecast::bytes_on_disk;
use crate::options::UniqueOptions;
use crate::set::{Shard, Summary};
use crate::store::{MoveSum, Store, sum_moves};
use perft_gate_simd::Level;
use perft_gate_walk::Control;
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

/// The location of a count's frontiers.
#[derive(Clone, Default, Debug)]
pub struct Spill {
    /// Folder of the files.
    pub folder: PathBuf,
    /// Maximum total size of the files in bytes.
    pub disk: u64,
}

/// A file that holds a part of a ply's positions.
#[derive(Clone, Serialize, Deserialize, Debug)]
pub(super) struct PlyFile {
    ply: u32,
    /// Number of the file within its ply.
    number: u32,
    blocks: u64,
    positions: u64,
    /// Sum of the positions' multiplicities.
    perft: u128,
    /// Number of legal moves of the positions, both plain and weighted by multiplicity.
    moves: MoveSum,
}

impl PlyFile {
    pub(super) fn name(&self) -> String {
        format!("ply-{}-{}.positions", self.ply, self.number)
    }

    /// Returns this file's description with the numbers of `other` added.
    fn and(&self, other: &PlyFile) -> PlyFile {
        PlyFile {
            blocks: self.blocks + other.blocks,
            positions: self.positions + other.positions,
            perft: self.perft.saturating_add(other.perft),
            moves: self.moves.and(other.moves),
            ..*self
        }
    }

    /// Returns the numbers of positions and leaves in this file.
    fn summary(&self) -> Summary {
        Summary { distinct: self.positions, total: self.perft, ..Summary::default() }
    }

    pub(super) fn bytes(&self) -> u64 {
        self.blocks * BLOCK as u64
    }
}

/// The positions of a ply, stored in files.
#[derive(Clone, Serialize, Deserialize, Debug)]
pub(super) struct Files {
    #[serde(skip)]
    pub(super) spill: Spill,
    ply: u32,
    /// Total size in bytes of the files of the previous ply.
    beside: u64,
    pub(super) files: Vec<PlyFile>,
}

impl Files {
    /// Returns the list of files for the root, which is empty until the root position is appended.
    pub(super) fn of_root(spill: Spill) -> Files {
        Files { spill, ply: 0, beside: 0, files: Vec::new() }
    }

    pub(super) fn bytes(&self) -> u64 {
        self.files.iter().map(PlyFile::bytes).sum()
    }

    /// Returns the summary of the files of all processes.
    fn all(&self, options: &UniqueOptions<'_>) -> Summary {
        let own = self.files.iter().fold(Summary::default(), |sum, file| sum.and(file.summary()));
        options.all_found(own, false).unwrap_or_default()
    }

    /// Like [`Files::check_all`], but accepts a ply without any files, because a ply that is only counted has none.
    pub(super) fn check_held(&self, expected: Summary, options: &UniqueOptions<'_>) -> Result<(), UniqueError> {
        let found = self.all(options);
        if found.distinct == 0 { Ok(()) } else { self.check(found, expected) }
    }

    /// Returns an error if the files of all processes together do not match the expected summary.
    pub(super) fn check_all(&self, expected: Summary, options: &UniqueOptions<'_>) -> Result<(), UniqueError> {
        self.check(self.all(options), expected)
    }

    fn check(&self, found: Summary, expected: Summary) -> Result<(), UniqueError> {
        if (found.distinct, found.total) == (expected.distinct, expected.total) {
            return Ok(());
        }
        let text = |summary: Summary| format!("{} positions with {} leaves", summary.distinct, summary.total);
        let (found, expected) = (text(found), text(expected));
        let what = format!("found {found} of ply {}, expected {expected}: the folder", self.ply);
        Err(DiskError::damaged_file(&self.spill.folder, what))
    }

    /// Removes the files, which is done once the next ply is complete.
    pub(super) fn remove(self) {
        for file in &self.files {
            // A file that cannot be removed now is removed when the folder is next opened.
            let _ = fs::remove_file(self.spill.folder.join(file.name()));
        }
    }
}

impl Store for Files {
    const IN_MEMORY: bool = false;
    type Buffer = PositionBlock;

    fn empty(&self) -> Self {
        Files { spill: self.spill.clone(), ply: self.ply + 1, beside: self.bytes(), files: Vec::new() }
    }

    fn append(
        &mut self,
        parts: Vec<Shard<POSITION>>,
        found: Summary,
        level: Level,
        control: &Control,
    ) -> Result<(), UniqueError> {
        let expected = self.beside + self.bytes() + bytes_on_disk(found.distinct as f64, found.total as f64) as u64;
        if expected > self.spill.disk {
            return Err(UniqueError::DiskSpace { ply: self.ply, found: self.spill.disk, expected });
        }
        let number = self.files.len() as u32;
        let empty = PlyFile { ply: self.ply, number, blocks: 0, positions: 0, perft: 0, moves: MoveSum::default() };
        let path = self.spill.folder.join(empty.name());
        let written = write(&parts, &path, &empty, level, control);
        if !matches!(written, Ok(Some(_))) {
            let _ = fs::remove_file(&path);
        }
        if let Some(file) = written.map_err(|error| UniqueError::Disk(DiskError { path, error }))? {
            let held = file.summary();
            self.files.push(file);
            // The file must match the summary, which was computed from the set in memory.
            self.check(held, found)?;
        }
        Ok(())
    }

    fn memory(&self) -> usize {
        0
    }

    fn moves(&self, _: Level) -> MoveSum {
        self.files.iter().fold(MoveSum::default(), |sum, file| sum.and(file.moves))
    }

    fn pieces(&self) -> usize {
        self.files.iter().map(|file| file.blocks as usize).sum()
    }

    fn piece<'b>(&'b self, number: usize, buffer: &'b mut PositionBlock) -> Result<Positions<'b>, UniqueError> {
        let mut number = number as u64;
        for file in &self.files {
            if number < file.blocks {
                let path = self.spill.folder.join(file.name());
                let read = buffer.read(&path, [file.ply, file.number], number);
                read.map_err(DiskError::in_file(&path))?;
                return Ok(buffer.positions());
            }
            number -= file.blocks;
        }
        panic!("a number below that of the blocks");
    }
}

/// Writes the positions of a set to a new file, with all workers, and syncs it. Returns `None` if the run was stopped.
fn write(
    parts: &[Shard<POSITION>],
    path: &Path,
    empty: &PlyFile,
    level: Level,
    control: &Control,
) -> io::Result<Option<PlyFile>> {
    let file = File::create(path)?;
    let (blocks, next) = (AtomicU64::new(0), AtomicUsize::new(0));
    let is_over = || control.is_stopped();
    let worker = |_: rayon::BroadcastContext<'_>| -> io::Result<PlyFile> {
        let (mut block, mut sum) = (BlockWriter::new([empty.ply, empty.number]), empty.clone());
        // Each worker has a separate handle, because a handle has only one current position in the file.
        let mut file = File::options().write(true).open(path)?;
        let mut flush = |block: &mut BlockWriter| -> io::Result<()> {
            if block.len() == 0 || is_over() {
                return Ok(());
            }
            let moves = sum_moves(level, block.positions());
            sum = sum.and(&PlyFile { blocks: 1, positions: block.len() as u64, perft: block.perft(), moves, ..*empty });
            let place = blocks.fetch_add(1, Ordering::Relaxed);
            block.write(&mut file, place)
        };
        while let Some(part) = parts.get(next.fetch_add(1, Ordering::Relaxed)) {
            for (entry, count) in part.entries(0..part.slots()) {
                if !block.has_room() {
                    flush(&mut block)?;
                }
                block.push(entry, count);
            }
        }
        flush(&mut block)?;
        Ok(sum)
    };
    let workers: Vec<_> = rayon::broadcast(worker).into_iter().collect::<io::Result<_>>()?;
    if is_over() {
        return Ok(None);
    }
    file.sync_all()?;
    block::forget(&file, 0, 0);
    #[cfg(unix)]
    File::open(path.parent().expect("a file in a folder"))?.sync_all()?;
    Ok(Some(workers.iter().fold(empty.clone(), |sum, worker| sum.and(worker))))
}

/// Removes files left by a run that was killed: files named like those of a ply, but not `listed`. Checks that the
/// listed files exist and have the right size.
pub(super) fn clean(folder: &Path, listed: &[&PlyFile]) -> Result<(), UniqueError> {
    let names: Vec<String> = listed.iter().map(|file| file.name()).collect();
    for entry in fs::read_dir(folder).map_err(DiskError::in_file(folder))? {
        let entry = entry.map_err(DiskError::in_file(folder))?;
        let name = entry.file_name();
        let is_ours = name.to_str().is_some_and(|name| name.starts_with("ply-") && name.ends_with(".positions"));
        if is_ours && !names.iter().any(|listed| name == listed.as_str()) {
            fs::remove_file(entry.path()).map_err(DiskError::in_file(&entry.path()))?;
        }
    }
    for file in listed {
        let path = folder.join(file.name());
        let found = path.metadata().map_err(DiskError::in_file(&path))?.len();
        if found != file.bytes() {
            let what = format!("found {found} bytes, expected {}: the file", file.bytes());
            return Err(DiskError::damaged_file(&path, what));
        }
    }
    Ok(())
}
