//! Counts by several processes. Here each process is a thread, and loopback sockets connect them.

use crate::common::fens::{KIWIPETE, POSITION_3};
use crate::common::free_address;
use perft_gate_chess::{EnPassantPolicy, Fen};
use perft_gate_cluster::{Hello, Hosts, Link, connect};
use perft_gate_simd::Level;
use perft_gate_unique::exchange::{Exchange, Sent};
use perft_gate_unique::{By, Ply, Unique, UniqueError, UniqueOptions, unique};
use perft_gate_walk::Control;
use perft_gate_zobrist::preset;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

const WAIT: Duration = Duration::from_secs(120);

fn options(by: By<'static>, memory: usize) -> UniqueOptions<'static> {
    let policy = match by {
        By::Position => EnPassantPolicy::Legal,
        By::Key { scheme, .. } => scheme.policy(),
    };
    UniqueOptions { by, ..UniqueOptions::new(policy, Level::detect(), memory) }
}

/// Calls `work` in each process, and ends the exchange.
pub fn each<T: Send>(processes: usize, work: impl Fn(&Link) -> T + Sync) -> Vec<T> {
    let lines: Vec<_> = (0..processes).map(|_| free_address()).collect();
    let hosts = Hosts::parse(&lines.join("\n")).unwrap();
    let process = |index: usize| {
        let hello = Hello { process: index, run: Default::default() };
        let sockets = connect(&hosts, &hello, WAIT, &AtomicBool::new(false)).unwrap();
        // Abort, because otherwise the other threads would wait forever for a thread that has ended.
        let lost = |process, what: &str| {
            eprintln!("process {process}: {what}");
            std::process::abort();
        };
        let link = Link::start(sockets, index, Arc::new(lost), Arc::new(|| false)).unwrap();
        let result = catch_unwind(AssertUnwindSafe(|| work(&link))).unwrap_or_else(|_| std::process::abort());
        link.close();
        result
    };
    thread::scope(|scope| {
        let process = &process;
        let all: Vec<_> = (0..processes).map(|index| scope.spawn(move || process(index))).collect();
        all.into_iter().map(|thread| thread.join().unwrap()).collect()
    })
}

fn counted(
    link: &dyn Exchange,
    threads: usize,
    fen: &str,
    depth: u32,
    options: &UniqueOptions<'_>,
    control: &Control,
) -> Result<Unique, UniqueError> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let (board, options) = (Fen::parse(fen).unwrap(), UniqueOptions { exchange: Some(link), ..*options });
    pool.install(|| unique(&board, depth, &options, control, &mut |_| {}))
}

fn alone(fen: &str, depth: u32, options: &UniqueOptions<'_>) -> Vec<Ply> {
    unique(&Fen::parse(fen).unwrap(), depth, options, &Control::default(), &mut |_| {}).unwrap().plies
}

/// Returns the parts of a result that must be equal for any number of processes.
fn content(plies: &[Ply]) -> Vec<impl PartialEq + std::fmt::Debug + use<>> {
    plies.iter().map(|ply| (ply.ply, ply.positions, ply.made)).collect()
}

#[test]
fn processes_count_what_one_counts() {
    let key = By::Key { scheme: preset("polyglot").unwrap(), seed: 0 };
    for (processes, threads, fen, depth, by, memory) in [
        (2, 1, Fen::START, 5, By::Position, 1 << 28),
        (3, 2, KIWIPETE, 4, By::Position, 1 << 28),
        (4, 1, KIWIPETE, 4, By::Position, 6 << 20),
        (2, 2, KIWIPETE, 4, key, 6 << 20),
        (5, 1, POSITION_3, 5, key, 1 << 28),
        // A position without a legal move.
        (3, 1, "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", 3, By::Position, 1 << 28),
    ] {
        let options = options(by, memory);
        let expected = alone(fen, depth, &UniqueOptions { memory: 1 << 28, ..options });
        let all = each(processes, |link| {
            // The process with the least memory determines the number of passes for all processes.
            let options = UniqueOptions { memory: memory + link.index() * memory / 2, ..options };
            counted(link, threads, fen, depth, &options, &Control::default()).unwrap().plies
        });
        for plies in &all {
            assert_eq!(content(plies), content(&expected), "{processes} processes, {fen}");
        }
        let passes = all[0].last().unwrap().passes;
        assert_eq!(passes > 2, memory < 1 << 28, "{passes} passes");
        assert!(all.iter().all(|plies| plies.last().unwrap().passes == passes));
    }
}

#[test]
fn every_child_is_sent_to_its_owner_or_kept() {
    let options = options(By::Position, 1 << 28);
    let sent = each(4, |link| {
        counted(link, 1, Fen::START, 4, &options, &Control::default()).unwrap();
        link.all_sent()
    });
    let made: u64 = alone(Fen::START, 4, &options).iter().map(|ply| ply.made).sum();
    let children: u64 = sent.iter().map(|sent| sent.children).sum();
    let share = children as f64 / made as f64;
    assert!((0.74..0.76).contains(&share), "{share}");
    let bytes: u64 = sent.iter().map(|sent| sent.bytes).sum();
    assert!((25.0..26.0).contains(&(bytes as f64 / children as f64)), "{bytes} bytes");
}

type Sends<'s> = &'s (dyn Fn(&Link, usize, &mut Vec<u8>) -> bool + Sync);

/// A link whose batches are sent by the function `send`.
struct Other<'l> {
    link: &'l Link,
    send: Sends<'l>,
}

impl std::fmt::Debug for Other<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.link.fmt(f)
    }
}

impl Exchange for Other<'_> {
    fn index(&self) -> usize {
        self.link.index()
    }
    fn processes(&self) -> usize {
        self.link.processes()
    }
    fn send(&self, to: usize, batch: &mut Vec<u8>) -> bool {
        (self.send)(self.link, to, batch)
    }
    fn take(&self, with: &mut dyn FnMut(&[u8])) -> bool {
        self.link.take(with)
    }
    fn wait(&self) {
        self.link.wait();
    }
    fn close_pass(&self) {
        self.link.close_pass();
    }
    fn is_over(&self) -> bool {
        self.link.is_over()
    }
    fn abandon_pass(&self) {
        self.link.abandon_pass();
    }
    fn is_abandoned(&self) -> bool {
        self.link.is_abandoned()
    }
    fn begin_pass(&self) {
        self.link.begin_pass();
    }
    fn agree(&self, mine: &[u128]) -> Vec<Vec<u128>> {
        self.link.agree(mine)
    }
    fn sent(&self, sent: Sent) {
        self.link.sent(sent);
    }
}

#[test]
fn a_batch_that_is_lost_doubled_or_spoilt_ends_the_count_in_every_process() {
    let lost: Sends<'_> = &|_, _, _| true;
    let twice: Sends<'_> = &|link, to, batch| {
        let mut again = batch.clone();
        link.send(to, batch) && link.send(to, &mut again)
    };
    let another_count: Sends<'_> = &|link, to, batch| {
        *batch.last_mut().unwrap() ^= 2;
        link.send(to, batch)
    };
    for (fault, is_of_the_network) in [(lost, true), (twice, true), (another_count, false)] {
        let batches = AtomicUsize::new(0);
        let send: Sends<'_> = &|link, to, batch| {
            let is_planted = link.index() == 1 && batches.fetch_add(1, Ordering::SeqCst) == 20;
            if is_planted { fault(link, to, batch) } else { link.send(to, batch) }
        };
        let results = each(3, |link| {
            let other = Other { link, send };
            counted(&other, 1, Fen::KIWIPETE, 4, &options(By::Position, 1 << 28), &Control::default()).map(|_| ())
        });
        assert!(batches.into_inner() > 20);
        for result in results {
            match result {
                Err(UniqueError::Exchange { .. }) if is_of_the_network => {}
                Err(UniqueError::Disagreement { .. }) if !is_of_the_network => {}
                _ => panic!("{result:?}"),
            }
        }
    }
}

/// Process 1 stops when it sends its first batch of ply 5, however many batches came before. A batch that the link had
/// no room for is offered again, so the number of batches depends on the machine's load.
#[test]
fn a_stop_of_one_process_stops_all() {
    let board = Fen::parse(Fen::KIWIPETE).unwrap();
    let results = each(3, |link| {
        let (control, is_in_ply_4) = (Control::default(), AtomicBool::new(false));
        let send: Sends<'_> = &|link, to, batch| {
            if link.index() == 1 && is_in_ply_4.load(Ordering::SeqCst) {
                control.stop.store(true, Ordering::SeqCst);
            }
            link.send(to, batch)
        };
        let options = options(By::Position, 1 << 30);
        let mut complete = |ply: &Ply| is_in_ply_4.store(ply.ply == 3, Ordering::SeqCst);
        let options = UniqueOptions { exchange: Some(&Other { link, send }), ..options };
        // Each process has its own pool, because workers of one pool would wait for each other.
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        pool.install(|| unique(&board, 4, &options, &control, &mut complete)).unwrap()
    });
    for result in results {
        assert!(result.interrupted);
        assert_eq!(result.plies.len(), 4);
    }
}
