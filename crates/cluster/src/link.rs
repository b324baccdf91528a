//! The connections of one process to all others, built on timely's communication layer. One thread moves the messages.
//! Workers put outgoing messages into one queue, and take incoming ones from another.

use crate::message::{Message, MessageKind};
use crate::wire::{LossHandler, Shared, Wire};
use perft_gate_unique::exchange::{Exchange, Sent};
use std::collections::VecDeque;
use std::fmt;
use std::io;
use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::{self, Thread};
use std::time::{Duration, Instant};
use timely_bytes::arc::Bytes;
use timely_communication::allocator::zero_copy::allocator::TcpBuilder;
use timely_communication::allocator::zero_copy::initialize::initialize_networking_from_sockets;
use timely_communication::allocator::{Allocator, ProcessBuilder};
use timely_communication::{Hooks, Pull, Push};

/// Maximum number of bytes in flight from one process to another.
pub const ROOM: usize = 4 << 20;
/// Once this many bytes from a peer are in our tables, a message tells the peer that it may send as many more.
const WORTH_A_MESSAGE: usize = ROOM / 8;
/// Maximum time between two checks for incoming messages.
const MOMENT: Duration = Duration::from_millis(20);
/// How long the other processes are given to answer after the user has stopped the count.
const PATIENCE: Duration = Duration::from_secs(5);
/// How long the other processes are given to finish. They may have large tables to free first.
const FAREWELL: Duration = Duration::from_secs(60);

/// The connections of one process to all others.
pub struct Link {
    index: usize,
    processes: usize,
    mail: Arc<Mail>,
    wires: Arc<Shared>,
    sent: Mutex<Sent>,
    stopped: StopCheck,
    /// The time when this process first noticed that the user had stopped the count.
    stopped_at: OnceLock<Instant>,
}

/// Returns true if the user has stopped the count.
pub type StopCheck = Arc<dyn Fn() -> bool + Send + Sync>;

impl fmt::Debug for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "process {} of {}", self.index, self.processes)
    }
}

/// Queues between the workers and the network thread.
#[derive(Default)]
struct Mail {
    /// Messages with their recipients.
    outgoing: Mutex<Vec<(usize, MessageKind, Vec<u8>)>>,
    incoming: Mutex<Incoming>,
    /// Notified when a message came in.
    news: Condvar,
    /// The thread that moves the messages.
    network: OnceLock<Thread>,
    /// Number of the current pass (an exchange of child positions between all processes), counted from 1.
    pass: AtomicU64,
    /// Number of the last pass that was abandoned.
    abandoned: AtomicU64,
}

/// Incoming batches, and the state of every process.
#[derive(Default)]
struct Incoming {
    batches: VecDeque<(usize, Bytes)>,
    peers: Vec<Peer>,
}

#[derive(Default)]
struct Peer {
    /// Number of bytes that may still be sent to this peer.
    room: usize,
    /// Number of bytes from this peer that are in our tables but not yet reported to the peer.
    added: usize,
    /// Number of passes in which this peer has sent all of its batches.
    closed: u64,
    /// Lists of numbers that this peer has sent for an agreement among all processes, and that are not used yet.
    words: VecDeque<Vec<u128>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Mail {
    fn send(&self, to: usize, kind: MessageKind, body: Vec<u8>) {
        lock(&self.outgoing).push((to, kind, body));
        self.network.get().inspect(|thread| thread.unpark());
    }

    /// Handles an incoming message, or returns `None` if it is invalid.
    fn route(&self, bytes: Bytes) -> Option<()> {
        let (from, kind, body) = Message::read(&bytes)?;
        let number = || body.try_into().map(u64::from_le_bytes).ok();
        let mut incoming = lock(&self.incoming);
        let peer = incoming.peers.get_mut(from)?;
        match kind {
            MessageKind::Room => peer.room += number()? as usize,
            MessageKind::Closed => peer.closed += 1,
            MessageKind::Abandoned => _ = self.abandoned.fetch_max(number()?, Ordering::SeqCst),
            MessageKind::Words => {
                let (words, _) = body.as_chunks::<16>();
                peer.words.push_back(words.iter().map(|word| u128::from_le_bytes(*word)).collect());
            }
            MessageKind::Batch => incoming.batches.push_back((from, bytes)),
        }
        self.news.notify_all();
        Some(())
    }
}

impl Link {
    /// Starts the exchange of messages. `sockets` has one entry per process, with `None` for this one. Calls `lost`,
    /// which must not return, when a connection breaks or when another process does not answer after `stopped` has
    /// returned true. The threads of the exchange run until the process ends.
    pub fn start(
        sockets: Vec<Option<TcpStream>>,
        index: usize,
        lost: LossHandler,
        stopped: StopCheck,
    ) -> io::Result<Link> {
        let processes = sockets.len();
        let is_gone = sockets.iter().map(|_| AtomicBool::default()).collect();
        let wires = Arc::new(Shared { lost: Arc::clone(&lost), is_closing: AtomicBool::default(), is_gone });
        let wired = |(process, socket): (usize, Option<TcpStream>)| {
            socket.map(|socket| Wire::new(socket, process, &wires)).transpose()
        };
        let streams = sockets.into_iter().enumerate().map(wired).collect::<io::Result<Vec<_>>>()?;
        let peers = streams.iter().map(|_| Peer { room: ROOM, ..Peer::default() }).collect();
        let incoming = Mutex::new(Incoming { batches: VecDeque::new(), peers });
        let mail = Arc::new(Mail { incoming, ..Mail::default() });
        let hooks = Hooks::default();
        let inner = ProcessBuilder::new_typed_vector(1, hooks.refill.clone(), None);
        let (builders, threads) = initialize_networking_from_sockets(inner, streams, index, 1, hooks)?;
        let shared = Arc::clone(&mail);
        let network = thread::Builder::new().name("network".into()).spawn(move || {
            // Dropping `threads` would wait for threads that never end.
            std::mem::forget(threads);
            if let Some(builder) = builders.into_iter().next() {
                run(builder, index, &shared, &lost);
            }
        })?;
        mail.network.get_or_init(|| network.thread().clone());
        Ok(Link { index, processes, mail, wires, sent: Mutex::default(), stopped, stopped_at: OnceLock::new() })
    }

    /// Returns how many child positions were sent in all completed passes, and how many bytes they took.
    pub fn all_sent(&self) -> Sent {
        *lock(&self.sent)
    }

    /// Returns the maximum number of bytes that messages take up in each of `processes` processes.
    pub fn memory(processes: usize) -> usize {
        // For each connection, this counts the messages in both directions and the buffers that timely reads into and
        // writes from.
        processes.saturating_sub(1) * (2 * ROOM + (4 << 20))
    }

    /// Ends the exchange once every other process has called `close`, has disconnected or is late. A process that has
    /// called `close` needs nothing more from this process, so this process may end.
    pub fn close(self) {
        self.wires.is_closing.store(true, Ordering::SeqCst);
        self.tell_all(MessageKind::Words, &[]);
        let start = Instant::now();
        let mut incoming = lock(&self.mail.incoming);
        let is_missing = |incoming: &Incoming, process: usize| {
            incoming.peers[process].words.is_empty() && !self.wires.is_gone[process].load(Ordering::SeqCst)
        };
        let is_late = || start.elapsed() > if (self.stopped)() { PATIENCE } else { FAREWELL };
        while self.others().any(|process| is_missing(&incoming, process)) && !is_late() {
            (incoming, _) = self.mail.news.wait_timeout(incoming, MOMENT).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Gives up if the user stopped the count some time ago and another process has still not answered.
    fn check_stop(&self, incoming: &Incoming) {
        if !(self.stopped)() || self.stopped_at.get_or_init(Instant::now).elapsed() < PATIENCE {
            return;
        }
        let pass = self.mail.pass.load(Ordering::SeqCst);
        let is_silent =
            |process: &usize| incoming.peers[*process].words.is_empty() && incoming.peers[*process].closed <= pass;
        if let Some(process) = self.others().find(is_silent) {
            (self.wires.lost)(process, "it does not answer");
        }
    }

    fn others(&self) -> impl Iterator<Item = usize> {
        let index = self.index;
        (0..self.processes).filter(move |&process| process != index)
    }

    fn tell_all(&self, kind: MessageKind, body: &[u8]) {
        self.others().for_each(|process| self.mail.send(process, kind, body.to_vec()));
    }
}

/// Sends and receives until the process ends.
fn run(builder: TcpBuilder, index: usize, mail: &Mail, lost: &LossHandler) -> ! {
    let mut allocator = Allocator::Tcp(builder.build());
    let (mut to, mut from) = allocator.allocate::<Message>(0);
    loop {
        allocator.receive();
        allocator.events().borrow_mut().clear();
        let mut is_idle = true;
        while let Some(message) = from.recv() {
            let Message::In(bytes) = message else { continue };
            is_idle = false;
            let from = Message::sender(&bytes);
            if mail.route(bytes).is_none() {
                lost(from, "it sent a damaged message");
            }
        }
        let messages = std::mem::take(&mut *lock(&mail.outgoing));
        is_idle &= messages.is_empty();
        for (process, kind, body) in messages {
            to[process].push(&mut Some(Message::Out { from: index as u32, kind, body }));
        }
        allocator.release();
        if is_idle {
            allocator.await_events(Some(MOMENT));
        }
    }
}

impl Exchange for Link {
    fn index(&self) -> usize {
        self.index
    }

    fn processes(&self) -> usize {
        self.processes
    }

    fn send(&self, to: usize, batch: &mut Vec<u8>) -> bool {
        {
            let mut incoming = lock(&self.mail.incoming);
            let room = &mut incoming.peers[to].room;
            if *room < batch.len() {
                return false;
            }
            *room -= batch.len();
        }
        let next = Vec::with_capacity(batch.capacity());
        self.mail.send(to, MessageKind::Batch, std::mem::replace(batch, next));
        true
    }

    fn take(&self, with: &mut dyn FnMut(&[u8])) -> bool {
        let Some((from, bytes)) = lock(&self.mail.incoming).batches.pop_front() else { return false };
        let batch = Message::body(&bytes);
        with(batch);
        let mut incoming = lock(&self.mail.incoming);
        let peer = &mut incoming.peers[from];
        peer.added += batch.len();
        if peer.added >= WORTH_A_MESSAGE {
            let added = std::mem::take(&mut peer.added);
            drop(incoming);
            self.mail.send(from, MessageKind::Room, (added as u64).to_le_bytes().to_vec());
        }
        true
    }

    fn wait(&self) {
        let incoming = lock(&self.mail.incoming);
        self.check_stop(&incoming);
        if incoming.batches.is_empty() {
            let _ = self.mail.news.wait_timeout(incoming, MOMENT);
        }
    }

    fn begin_pass(&self) {
        self.mail.pass.fetch_add(1, Ordering::SeqCst);
    }

    fn close_pass(&self) {
        self.tell_all(MessageKind::Closed, &[]);
    }

    fn is_over(&self) -> bool {
        let (incoming, pass) = (lock(&self.mail.incoming), self.mail.pass.load(Ordering::SeqCst));
        incoming.batches.is_empty() && self.others().all(|process| incoming.peers[process].closed >= pass)
    }

    fn abandon_pass(&self) {
        let pass = self.mail.pass.load(Ordering::SeqCst);
        if self.mail.abandoned.fetch_max(pass, Ordering::SeqCst) < pass {
            self.tell_all(MessageKind::Abandoned, &pass.to_le_bytes());
        }
    }

    fn is_abandoned(&self) -> bool {
        self.mail.abandoned.load(Ordering::SeqCst) >= self.mail.pass.load(Ordering::SeqCst)
    }

    fn agree(&self, mine: &[u128]) -> Vec<Vec<u128>> {
        let body: Vec<u8> = mine.iter().flat_map(|word| word.to_le_bytes()).collect();
        self.tell_all(MessageKind::Words, &body);
        let mut incoming = lock(&self.mail.incoming);
        while self.others().any(|process| incoming.peers[process].words.is_empty()) {
            self.check_stop(&incoming);
            (incoming, _) = self.mail.news.wait_timeout(incoming, MOMENT).unwrap_or_else(PoisonError::into_inner);
        }
        let words = incoming.peers.iter_mut().map(|peer| peer.words.pop_front());
        words.map(|words| words.unwrap_or_else(|| mine.to_vec())).collect()
    }

    fn sent(&self, sent: Sent) {
        let mut sum = lock(&self.sent);
        *sum = sum.and(sent);
    }
}
