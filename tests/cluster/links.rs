//! The link between two processes: room for messages, the end of a connection, and saved counts if one process is
//! ahead.

use super::counts::each;
use perft_gate_chess::{EnPassantPolicy, Fen};
use perft_gate_cluster::{Link, ROOM};
use perft_gate_simd::Level;
use perft_gate_unique::exchange::Exchange;
use perft_gate_unique::spill::{CountObserver, DiskCount, DiskError, Spill};
use perft_gate_unique::{Forecast, Ply, UniqueError, UniqueOptions};
use perft_gate_walk::Control;
use std::io::{ErrorKind, Read};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

/// Time limit for events that should be immediate, long enough for a slow machine. A link that waits for another
/// process would take a minute.
const SOON: Duration = Duration::from_secs(40);

/// Calls `work` in each of two connected processes, and returns both results.
fn both<T: Send>(work: impl Fn(&Link) -> T + Sync + Send) -> [T; 2] {
    let mut results = each(2, |link| {
        // Each process has its own pool, because workers of one pool would wait for each other.
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        pool.install(|| work(link))
    })
    .into_iter();
    [(); 2].map(|()| results.next().unwrap())
}

/// Sends batches until there is no room, and returns their number. Stops at ten times the room if a link has no bound.
fn send_all(link: &Link, to: usize, bytes: usize) -> usize {
    (0..10 * ROOM / bytes).take_while(|_| link.send(to, &mut vec![7; bytes])).count()
}

/// A process may send exactly as many further bytes as the receiver has processed. So the number of bytes on the way is
/// bounded, and no sender is left without room.
#[test]
fn the_room_for_batches_is_given_back_once() {
    const BATCH: usize = 64 << 10;
    let rounds = [16, 40, 8, 64];
    let sent = both(|link| match link.index() {
        0 => {
            let mut sent = vec![send_all(link, 1, BATCH)];
            for _ in rounds {
                // After these two calls, everything that the other process has sent has arrived.
                link.agree(&[]);
                link.agree(&[]);
                sent.push(send_all(link, 1, BATCH));
            }
            link.agree(&[]);
            sent
        }
        _ => {
            for batches in rounds {
                link.agree(&[]);
                for _ in 0..batches {
                    assert!(link.take(&mut |batch| assert_eq!(batch.len(), BATCH)));
                }
                link.agree(&[]);
            }
            link.agree(&[]);
            let mut left = 0;
            while link.take(&mut |_| left += 1) {}
            vec![left]
        }
    });
    assert_eq!(sent[0], [&[ROOM / BATCH], &rounds[..]].concat());
    assert_eq!(sent[1], [ROOM / BATCH], "what was sent last is there");
}

/// Returns a link to a process that the test plays, the socket of that process, and the receiver of reports about lost
/// processes.
fn played() -> (Link, TcpStream, Receiver<(usize, String)>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let peer = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
    let (socket, _) = listener.accept().unwrap();
    let (told, hears) = channel();
    // Reports the lost process and then blocks only the calling thread.
    let lost = move |process: usize, what: &str| {
        let _ = told.send((process, what.to_string()));
        loop {
            thread::park();
        }
    };
    let link = Link::start(vec![None, Some(socket)], 0, Arc::new(lost), Arc::new(|| false)).unwrap();
    (link, peer, hears)
}

#[test]
fn a_connection_that_breaks_during_a_count_ends_it() {
    let (link, peer, hears) = played();
    drop(peer);
    let (process, what) = hears.recv_timeout(SOON).expect("the process is lost");
    assert_eq!((process, &*what), (1, "the connection was closed"));
    drop(link);
}

/// A process that is closing needs nothing more from the other processes. If another process then leaves, even without
/// a message, that is not a failure, and no process waits for it.
#[test]
fn a_connection_that_breaks_while_closing_spoils_nothing() {
    let (link, mut peer, hears) = played();
    let (closed, is_closed) = channel();
    thread::spawn(move || {
        link.close();
        let _ = closed.send(());
    });
    // The first bytes announce the close.
    assert!(peer.read(&mut [0; 16]).unwrap() > 0);
    drop(peer);
    is_closed.recv_timeout(SOON).expect("the end does not wait for a process that is gone");
    assert!(hears.try_recv().is_err(), "nobody is told that a process is lost");
}

/// An observer that keeps the last saved count. It fails at pass number `at`, either before or after saving that pass.
struct Crash {
    saved: String,
    passes: usize,
    at: usize,
    is_after: bool,
}

impl CountObserver for Crash {
    fn expects(&mut self, _: &[Forecast]) {}

    fn on_pass(&mut self, count: &DiskCount, _: Option<&Ply>) -> Result<(), UniqueError> {
        self.passes += 1;
        if self.passes < self.at || self.is_after {
            self.saved = serde_json::to_string(count).unwrap();
        }
        if self.passes < self.at {
            return Ok(());
        }
        Err(UniqueError::Disk(DiskError { path: "journal".into(), error: ErrorKind::StorageFull.into() }))
    }
}

/// Returns the options of a count with so little memory that the later plies take several passes.
fn options(link: &Link) -> UniqueOptions<'_> {
    UniqueOptions { exchange: Some(link), ..UniqueOptions::new(EnPassantPolicy::Legal, Level::detect(), 8 << 20) }
}

/// Two processes crash in the same pass, one after saving it and the other before. The process that saved the pass must
/// go back one pass.
#[test]
fn a_process_that_is_a_pass_ahead_goes_back() {
    const DEPTH: u32 = 4;
    let board = Fen::parse(Fen::KIWIPETE).unwrap();
    let (mut at_ply, mut in_ply) = (0, 0);
    for (at, ahead) in [2, 3, 5, 8].into_iter().flat_map(|at| [(at, 0), (at, 1)]) {
        let folders = [(); 2].map(|()| tempfile::tempdir().unwrap());
        let spill = |link: &Link| Spill { folder: folders[link.index()].path().into(), disk: u64::MAX };
        let saved = both(|link| {
            let options = options(link);
            let mut crash = Crash { saved: String::new(), passes: 0, at, is_after: link.index() == ahead };
            let mut count = DiskCount::new(&board, &options, spill(link)).unwrap();
            count.resume(&options, spill(link)).unwrap();
            let error = count.run(DEPTH, &options, &Control::default(), &mut crash).unwrap_err();
            assert!(matches!(error, UniqueError::Disk(_)), "{error}");
            crash.saved
        });
        let read = |text: &str| -> DiskCount { serde_json::from_str(text).unwrap() };
        let plies = |text: &str| read(text).plies().len();
        match plies(&saved[ahead]) - plies(&saved[1 - ahead]) {
            0 => in_ply += 1,
            _ => at_ply += 1,
        }
        let counts = both(|link| {
            let options = options(link);
            let mut count = read(&saved[link.index()]);
            count.resume(&options, spill(link)).unwrap();
            let resumed = count.plies().len();
            let mut watch = Crash { saved: String::new(), passes: 0, at: usize::MAX, is_after: false };
            assert!(count.run(DEPTH, &options, &Control::default(), &mut watch).unwrap());
            (resumed, watch.passes, count.plies().iter().map(|ply| ply.positions).collect::<Vec<_>>())
        });
        assert_eq!(counts[0], counts[1], "pass {at}");
        assert_eq!(counts[0].0, plies(&saved[1 - ahead]), "pass {at}");
        assert_eq!(counts[0].2.last().unwrap().total, 4_085_603);
    }
    assert!(at_ply > 1 && in_ply > 1, "{at_ply} crashes at the end of a ply, {in_ply} within one");
}

/// If one folder is two passes ahead of the other, the two folders are not from the same run.
#[test]
fn processes_two_passes_apart_are_refused() {
    let board = Fen::parse(Fen::KIWIPETE).unwrap();
    let folders = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let errors = both(|link| {
        let options = options(link);
        let spill = Spill { folder: folders[link.index()].path().into(), disk: u64::MAX };
        let mut crash = Crash { saved: String::new(), passes: 0, at: 4, is_after: true };
        let mut count = DiskCount::new(&board, &options, spill.clone()).unwrap();
        count.run(4, &options, &Control::default(), &mut crash).unwrap_err();
        let mut count: serde_json::Value = serde_json::from_str(&crash.saved).unwrap();
        count["passes"] = (4 - 2 * link.index()).into();
        let mut count: DiskCount = serde_json::from_value(count).unwrap();
        count.resume(&options, spill).unwrap_err()
    });
    assert!(errors.iter().all(|error| matches!(error, UniqueError::Apart)), "{errors:?}");
}
