use super::block::{BLOCK, BYTES, BlockWriter, PositionBlock};
use super::files::Files;
use super::*;
use crate::entries::POSITION;
use crate::set::Summary;
use crate::store::Store;
use crate::{By, Forecast, Frontier, Ply, UniqueError, UniqueOptions};
use perft_gate_chess::{Board, EnPassantPolicy, Fen, Packed};
use perft_gate_simd::Level;
use perft_gate_walk::Control;
use perft_gate_zobrist::preset;
use std::fs::{self, File};
use std::io;
use std::path::PathBuf;

/// A memory limit low enough that the later plies need several passes.
const SCARCE: usize = 12 << 20;

fn options(memory: usize) -> UniqueOptions<'static> {
    UniqueOptions::new(EnPassantPolicy::Legal, Level::detect(), memory)
}

/// An observer that saves the count as text after each pass.
#[derive(Default)]
struct Log {
    saved: Vec<String>,
    /// Number of passes after which a disk failure is simulated.
    fails_after: Option<usize>,
}

impl CountObserver for Log {
    fn expects(&mut self, _: &[Forecast]) {}

    fn on_pass(&mut self, count: &DiskCount, _: Option<&Ply>) -> Result<(), UniqueError> {
        if self.fails_after == Some(self.saved.len()) {
            let error = io::ErrorKind::StorageFull.into();
            return Err(UniqueError::Disk(DiskError { path: "journal".into(), error }));
        }
        self.saved.push(serde_json::to_string(count).unwrap());
        Ok(())
    }
}

struct Trial {
    folder: tempfile::TempDir,
    board: Board,
    depth: u32,
    options: UniqueOptions<'static>,
}

impl Trial {
    fn new(fen: &str, depth: u32, options: UniqueOptions<'static>) -> Trial {
        Trial { folder: tempfile::tempdir().unwrap(), board: Fen::parse(fen).unwrap(), depth, options }
    }

    fn spill(&self) -> Spill {
        Spill { folder: self.folder.path().into(), disk: u64::MAX }
    }

    fn begun(&self) -> DiskCount {
        DiskCount::new(&self.board, &self.options, self.spill()).unwrap()
    }

    fn resumed(&self, saved: &str) -> Result<DiskCount, UniqueError> {
        let mut count: DiskCount = serde_json::from_str(saved).unwrap();
        count.resume(&self.options, self.spill())?;
        Ok(count)
    }

    fn run(&self, count: &mut DiskCount, log: &mut Log) -> Result<bool, UniqueError> {
        count.run(self.depth, &self.options, &Control::default(), log)
    }

    /// Returns the plies of the same count, made in memory.
    fn expected_plies(&self) -> Vec<Ply> {
        let options = UniqueOptions { memory: 1 << 30, ..self.options };
        crate::unique(&self.board, self.depth, &options, &Control::default(), &mut |_| {}).unwrap().plies
    }

    fn files(&self) -> Vec<PathBuf> {
        let mut files: Vec<_> = fs::read_dir(&self.folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        files.sort();
        files
    }
}

fn facts(plies: &[Ply]) -> Vec<(u32, Summary, Option<Summary>, u64)> {
    plies.iter().map(|ply| (ply.ply, ply.positions, ply.diagrams, ply.made)).collect()
}

#[test]
fn plies_on_disk_are_those_in_memory() {
    let keys = By::Key { scheme: preset("gf64").unwrap(), seed: 3 };
    for (fen, depth, options) in [
        (Fen::START, 5, options(SCARCE)),
        (Fen::START, 5, UniqueOptions { policy: EnPassantPolicy::Always, diagrams: true, ..options(2 * SCARCE) }),
        (Fen::KIWIPETE, 4, UniqueOptions { by: keys, ..options(SCARCE) }),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", 3, options(SCARCE)),
    ] {
        let (trial, mut log) = (Trial::new(fen, depth, options), Log::default());
        let mut count = trial.begun();
        assert!(trial.run(&mut count, &mut log).unwrap());
        assert_eq!(facts(count.plies()), facts(&trial.expected_plies()), "{fen}");
        let last = count.plies().last().unwrap();
        assert!(last.positions.distinct < 100_000 || last.passes > 2, "{last:?}");
        assert!(last.bytes <= options.memory, "{last:?}");
        assert_eq!(trial.files(), [] as [PathBuf; 0], "nothing is left of a count that is over");
        // Restoring a count that was already complete leaves nothing to do.
        let mut again = trial.resumed(log.saved.last().unwrap()).unwrap();
        assert_eq!((trial.run(&mut again, &mut log).unwrap(), facts(again.plies())), (true, facts(count.plies())));
    }
}

/// Simulates a crash after every pass.
#[test]
fn a_count_goes_on_from_every_pass() {
    let trial = Trial::new(Fen::KIWIPETE, 4, options(SCARCE));
    let expected = facts(&trial.expected_plies());
    let (mut count, mut saved, mut passes) = (trial.begun(), String::new(), 0);
    loop {
        let mut log = Log { fails_after: Some(1), ..Log::default() };
        let ended = trial.run(&mut count, &mut log);
        if let Some(last) = log.saved.pop() {
            (saved, passes) = (last, passes + 1);
        }
        if ended.is_ok_and(|is_complete| is_complete) {
            break;
        }
        // A leftover of a killed run, and a file that no count has written.
        fs::write(trial.folder.path().join("ply-4-99.positions"), "half a file").unwrap();
        fs::write(trial.folder.path().join("other"), "somebody else's").unwrap();
        count = trial.resumed(&saved).unwrap();
        assert!(!trial.folder.path().join("ply-4-99.positions").exists());
        assert!(trial.folder.path().join("other").exists());
    }
    assert!(passes > 8, "{passes}");
    assert_eq!(facts(count.plies()), expected);
}

/// Returns the text of a count saved partway through a ply that takes several passes.
fn in_the_middle(trial: &Trial) -> String {
    let mut log = Log { fails_after: Some(6), ..Log::default() };
    trial.run(&mut trial.begun(), &mut log).unwrap_err();
    log.saved.pop().unwrap()
}

/// Alters the saved text so that some slices are counted twice or not at all.
#[test]
fn what_does_not_fit_together_is_no_result() {
    let trial = Trial::new(Fen::KIWIPETE, 4, options(SCARCE));
    assert!(trial.run(&mut trial.resumed(&in_the_middle(&trial)).unwrap(), &mut Log::default()).unwrap());
    for change in [-1000, 1000] {
        let mut count: serde_json::Value = serde_json::from_str(&in_the_middle(&trial)).unwrap();
        let done = &mut count["count"]["open"]["done"];
        *done = (done.as_i64().unwrap() + change).into();
        let changed = count.to_string();
        let error = trial.run(&mut trial.resumed(&changed).unwrap(), &mut Log::default()).unwrap_err();
        assert!(matches!(error, UniqueError::Disagreement { ply: 4, .. }), "{error}");
    }
}

/// Changes the saved list of files: that of the ply in progress if `ply` is "open", or else of the ply before.
fn with_files(saved: &str, ply: &str, change: impl Fn(&mut Vec<serde_json::Value>)) -> String {
    let mut count: serde_json::Value = serde_json::from_str(saved).unwrap();
    let store = if ply == "open" { &mut count["count"]["open"]["next"] } else { &mut count["count"]["kept"] };
    change(store["files"].as_array_mut().unwrap());
    count.to_string()
}

/// A duplicate or missing file is detected when the count is restored. If all files are missing, this is detected only
/// later, when the count is run.
#[test]
fn a_file_twice_or_missing_is_named() {
    // Ply 3 is complete and ply 4 is in progress. In the second trial, ply 4 has files too.
    for (depth, open_has_files) in [(4, false), (5, true)] {
        let trial = Trial::new(Fen::KIWIPETE, depth, options(SCARCE));
        let saved = in_the_middle(&trial);
        let count: serde_json::Value = serde_json::from_str(&saved).unwrap();
        let positions = &count["count"]["plies"][3]["positions"];
        let [distinct, total] = ["distinct", "total"].map(|field| positions[field].as_u64().unwrap());
        assert_eq!(total, 97_862);
        let twice = |files: &mut Vec<serde_json::Value>| files.push(files[0].clone());
        let error = trial.resumed(&with_files(&saved, "kept", twice)).unwrap_err().to_string();
        let expected = format!(
            "found {} positions with {} leaves of ply 3, expected {distinct} positions with {total} leaves: the folder is damaged",
            2 * distinct,
            2 * total
        );
        assert!(error.ends_with(&expected), "{error}");
        if open_has_files {
            let error = trial.resumed(&with_files(&saved, "open", twice)).unwrap_err().to_string();
            assert!(
                error.contains(" leaves of ply 4, expected ") && error.ends_with("the folder is damaged"),
                "{error}"
            );
        }
        let saved = with_files(&in_the_middle(&trial), "kept", Vec::clear);
        let error = trial.run(&mut trial.resumed(&saved).unwrap(), &mut Log::default()).unwrap_err().to_string();
        let expected = format!(
            "found 0 positions with 0 leaves of ply 3, expected {distinct} positions with {total} leaves: the folder is damaged"
        );
        assert!(error.ends_with(&expected), "{error}");
    }
    // If files of a ply in progress are missing, this is detected once the ply is complete.
    let trial = Trial::new(Fen::KIWIPETE, 5, options(SCARCE));
    let saved = with_files(&in_the_middle(&trial), "open", Vec::clear);
    let error = trial.run(&mut trial.resumed(&saved).unwrap(), &mut Log::default()).unwrap_err().to_string();
    assert!(error.contains(" leaves of ply 4, expected ") && error.ends_with("the folder is damaged"), "{error}");
}

/// The contents of a file are compared with the set in memory from which it was written.
#[test]
fn a_file_must_hold_what_the_set_holds() {
    let trial = Trial::new(Fen::KIWIPETE, 1, options(SCARCE));
    let parts = || {
        let root = Packed::new(&trial.board, EnPassantPolicy::Legal);
        Frontier::set_of(root, &trial.options).unwrap().into_parts()
    };
    let set = Summary::new(&parts());
    let append = |found: Summary| {
        let mut files = Files::of_root(trial.spill());
        files.append(parts(), found, trial.options.level, &Control::default())
    };
    append(set).unwrap();
    for (found, expected) in [
        (Summary { distinct: 2, ..set }, "2 positions with 1 leaves"),
        (Summary { total: 7, ..set }, "1 positions with 7 leaves"),
    ] {
        let error = append(found).unwrap_err().to_string();
        let expected = format!("found 1 positions with 1 leaves of ply 0, expected {expected}: the folder is damaged");
        assert!(error.ends_with(&expected), "{error}");
    }
}

#[test]
fn damaged_files_are_named() {
    let trial = Trial::new(Fen::KIWIPETE, 4, options(SCARCE));
    let saved = in_the_middle(&trial);
    let files = trial.files();
    let error = |saved: &str| match trial.resumed(saved) {
        Err(error) => error.to_string(),
        Ok(mut count) => trial.run(&mut count, &mut Log::default()).unwrap_err().to_string(),
    };
    // Only the files of ply 3 are read. Ply 4 has no files, because its positions are only counted and not stored.
    let name = files[0].file_name().unwrap().to_str().unwrap();
    let whole = fs::read(&files[0]).unwrap();
    for (at, expected) in [
        (0, "found the checksum "),
        (5, "expected a block of positions"),
        (9, "found the checksum "),
        (40, "found the checksum "),
        (BLOCK + 100, "block 1: found the checksum "),
    ] {
        let mut damaged = whole.clone();
        damaged[at] ^= 4;
        fs::write(&files[0], damaged).unwrap();
        let error = error(&saved);
        assert!(error.contains(name) && error.contains(expected) && error.contains("damaged"), "{at}: {error}");
    }
    // Overwrites block 1 with a copy of block 0.
    let mut moved = whole;
    moved.copy_within(0..BLOCK, BLOCK);
    fs::write(&files[0], moved).unwrap();
    assert!(error(&saved).contains("found block 0 of file 0 of ply 3, expected what was written here"));
}

#[test]
fn a_disk_that_is_too_small_is_said_before_it_is_full() {
    let trial = Trial::new(Fen::START, 8, options(512 << 20));
    let spill = Spill { disk: 1 << 30, ..trial.spill() };
    let mut count = DiskCount::new(&trial.board, &trial.options, spill).unwrap();
    let error = trial.run(&mut count, &mut Log::default()).unwrap_err();
    let UniqueError::DiskSpace { ply: 7, found, expected } = error else { panic!("{error}") };
    // The disk must hold 96 million positions of 26 bytes each, plus the nine million positions of the previous ply.
    assert!(found == 1 << 30 && (2_400_000_000..3_200_000_000).contains(&expected), "{expected}");
    assert_eq!(count.plies().len(), 7, "before the first long ply begins");

    // The files of a ply and of the previous ply exist at the same time, so the disk must have room for both.
    let mut forecast = |depth: u32, disk: u64| {
        count.count.kept.spill.disk = disk;
        count.forecast(depth, &trial.options)
    };
    let plies = forecast(9, u64::MAX).unwrap();
    let [seventh, eighth] = [plies[0].disk, plies[1].disk];
    let sixth: u64 = trial.files().iter().map(|file| file.metadata().unwrap().len()).sum();
    assert!(seventh > 2e9 && eighth > 2e10 && sixth > 230_000_000, "{plies:?}, {sixth} bytes");
    for (depth, ply, needed) in [(8, 7, sixth as f64 + seventh), (9, 8, seventh + eighth)] {
        let needed = needed as u64;
        forecast(depth, needed).unwrap();
        match forecast(depth, needed - 1).unwrap_err() {
            UniqueError::DiskSpace { ply: found, expected, .. } => assert_eq!((found, expected), (ply, needed)),
            error => panic!("{error}"),
        }
    }
}

#[test]
fn blocks_hold_any_multiplicity() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("blocks");
    let entry = |number: u32| std::array::from_fn(|word| number.wrapping_mul(0x9e37_79b9) ^ word as u32);
    let counts = [1, 127, 128, 300, u128::from(u64::MAX), u128::MAX];
    let mut block = BlockWriter::new([7, 3]);
    for (number, &count) in (0..).zip(&counts) {
        block.push(&entry(number), count);
    }
    assert_eq!((block.len(), block.perft()), (6, u128::MAX));
    let mut file = File::create(&path).unwrap();
    block.write(&mut file, 1).unwrap();
    let mut read = PositionBlock::default();
    read.read(&path, [7, 3], 1).unwrap();
    for (number, (dense, count)) in read.positions().enumerate() {
        let written: crate::set::Entry<POSITION> = entry(number as u32);
        assert_eq!((&dense[..], count), (&written[..BYTES / 4], counts[number]));
    }
    assert_eq!(read.positions().count(), 6);
    assert!(read.read(&path, [7, 3], 0).is_err(), "a hole is no block");
    assert!(read.read(&path, [7, 4], 1).is_err() && read.read(&path, [6, 3], 1).is_err());

    // A full block takes up no more space than any other block.
    let mut pushed = 0;
    while block.has_room() {
        block.push(&entry(pushed), 1 << 20);
        pushed += 1;
    }
    assert!(BLOCK - 32 - pushed as usize * (BYTES + 3) < BYTES + 19);
    block.write(&mut file, 0).unwrap();
    assert_eq!(fs::metadata(&path).unwrap().len(), 2 * BLOCK as u64);
    read.read(&path, [7, 3], 0).unwrap();
    assert_eq!(read.positions().count(), pushed as usize);
}
