//! The connection of a process with all others, on timely's communication layer. One thread moves the messages; workers
//! leave theirs in a queue, and find those of others in another one.

use crate::message::{Kind, Message};
use crate::wire::{Lost, Shared, Traffic, Wire};
use perft_gate_unique::exchange::{Exchange, Sent};
use std::collections::VecDeque;
use std::fmt;
use std::io;
use std::net::TcpStream;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::{self, JoinHandle, Thread};
use std::time::Duration;
use timely_bytes::arc::Bytes;
use timely_communication::allocator::zero_copy::allocator::TcpBuilder;
use timely_communication::allocator::zero_copy::initialize::initialize_networking_from_sockets;
use timely_communication::allocator::{Allocator, ProcessBuilder};
use timely_communication::{Hooks, Pull, Push};

/// Number of bytes that may be on their way from one process to another.
pub const ROOM: usize = 4 << 20;
/// Number of bytes that were added, for which room is announced at once.
const WORTH_A_MESSAGE: usize = ROOM / 8;
/// Longest time without a look at what came in.
const MOMENT: Duration = Duration::from_millis(20);

/// The connection of a process with all others.
pub struct Link {
    index: usize,
    processes: usize,
    mail: Arc<Mail>,
    wires: Arc<Shared>,
    network: Option<JoinHandle<()>>,
    sent: Mutex<Sent>,
}

impl fmt::Debug for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "process {} of {}", self.index, self.processes)
    }
}

/// What workers and the network share.
struct Mail {
    outgoing: Mutex<Outgoing>,
    incoming: Mutex<Incoming>,
    /// Notified when something came in.
    news: Condvar,
    /// The thread that sends.
    network: OnceLock<Thread>,
    /// Number of the current pass, from 1.
    pass: AtomicU64,
    /// Number of the last pass that was abandoned.
    abandoned: AtomicU64,
}

/// What is to be sent.
#[derive(Default)]
struct Outgoing {
    /// Messages, and to whom.
    messages: Vec<(usize, Kind, Vec<u8>)>,
    /// True if there will be no more.
    is_complete: bool,
    /// Buffers of batches that are sent: new ones would be cleared by the system, page by page, which takes longer than all
    /// else.
    spare: Vec<Vec<u8>>,
}

/// What came in, by process.
struct Incoming {
    batches: VecDeque<(usize, Bytes)>,
    peers: Vec<Peer>,
}

#[derive(Default)]
struct Peer {
    /// Number of bytes that may be sent to it.
    room: usize,
    /// Number of bytes from it that were added, and not yet announced.
    added: usize,
    /// Number of passes in which it has sent all.
    closed: u64,
    /// What it says, for all to agree on.
    words: VecDeque<Vec<u128>>,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Mail {
    fn send(&self, to: usize, kind: Kind, body: Vec<u8>) {
        locked(&self.outgoing).messages.push((to, kind, body));
        self.network.get().inspect(|thread| thread.unpark());
    }

    /// Puts a message where it belongs; returns `None` if it makes no sense.
    fn route(&self, bytes: Bytes) -> Option<()> {
        let (from, kind, body) = Message::read(&bytes)?;
        let number = || body.try_into().map(u64::from_le_bytes).ok();
        let mut incoming = locked(&self.incoming);
        let peer = incoming.peers.get_mut(from)?;
        match kind {
            Kind::Room => peer.room += number()? as usize,
            Kind::Closed => peer.closed += 1,
            Kind::Abandoned => _ = self.abandoned.fetch_max(number()?, Ordering::SeqCst),
            Kind::Words => {
                let (words, _) = body.as_chunks::<16>();
                peer.words.push_back(words.iter().map(|word| u128::from_le_bytes(*word)).collect());
            }
            Kind::Batch => incoming.batches.push_back((from, bytes)),
        }
        self.news.notify_all();
        Some(())
    }
}

impl Link {
    /// Starts the exchange over the sockets of all processes, `None` in the place of this one. `lost` is called when a
    /// connection breaks, and must not return.
    pub fn start(sockets: Vec<Option<TcpStream>>, index: usize, lost: Lost) -> io::Result<Link> {
        let (wires, processes) = (Shared::new(Arc::clone(&lost)), sockets.len());
        let wired = |(process, socket): (usize, Option<TcpStream>)| {
            socket.map(|socket| Wire::new(socket, process, &wires)).transpose()
        };
        let streams = sockets.into_iter().enumerate().map(wired).collect::<io::Result<Vec<_>>>()?;
        let peers = streams.iter().map(|_| Peer { room: ROOM, ..Peer::default() }).collect();
        let mail = Arc::new(Mail {
            outgoing: Mutex::default(),
            incoming: Mutex::new(Incoming { batches: VecDeque::new(), peers }),
            news: Condvar::new(),
            network: OnceLock::new(),
            pass: AtomicU64::new(0),
            abandoned: AtomicU64::new(0),
        });
        let hooks = Hooks::default();
        let inner = ProcessBuilder::new_typed_vector(1, hooks.refill.clone(), None);
        let (builders, threads) = initialize_networking_from_sockets(inner, streams, index, 1, hooks)?;
        let shared = Arc::clone(&mail);
        let network = thread::Builder::new().name("network".into()).spawn(move || {
            for builder in builders {
                run(builder, index, &shared, &lost);
            }
            // Waits until all is sent, and all others have ended too.
            drop(threads);
        })?;
        mail.network.get_or_init(|| network.thread().clone());
        Ok(Link { index, processes, mail, wires, network: Some(network), sent: Mutex::default() })
    }

    /// Returns the number of bytes that crossed the network.
    pub fn traffic(&self) -> Traffic {
        self.wires.traffic()
    }

    /// Returns what was sent in all passes that were completed.
    pub fn all_sent(&self) -> Sent {
        *locked(&self.sent)
    }

    /// Returns the number of bytes that the messages of so many processes may take in one of them.
    pub fn memory(processes: usize) -> usize {
        // In both directions; and what timely reads and writes in one piece.
        processes.saturating_sub(1) * (2 * ROOM + (4 << 20))
    }

    /// Ends the exchange when all processes have come to this call.
    pub fn close(mut self) {
        // An end of a connection is expected only when all have heard that it is.
        self.agree(&[]);
        self.wires.is_closing.store(true, Ordering::SeqCst);
        self.agree(&[]);
        locked(&self.mail.outgoing).is_complete = true;
        if let Some(network) = self.network.take() {
            network.thread().unpark();
            let _ = network.join();
        }
    }

    fn others(&self) -> impl Iterator<Item = usize> {
        let index = self.index;
        (0..self.processes).filter(move |&process| process != index)
    }

    fn tell_all(&self, kind: Kind, body: &[u8]) {
        self.others().for_each(|process| self.mail.send(process, kind, body.to_vec()));
    }
}

/// Sends and receives until nothing more is to be sent.
fn run(builder: TcpBuilder, index: usize, mail: &Mail, lost: &Lost) {
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
        let (messages, is_complete) = {
            let mut outgoing = locked(&mail.outgoing);
            (std::mem::take(&mut outgoing.messages), outgoing.is_complete)
        };
        is_idle &= messages.is_empty();
        for (process, kind, body) in messages {
            let mut message = Some(Message::Out { from: index as u32, kind, body });
            to[process].push(&mut message);
            if let (Kind::Batch, Some(Message::Out { body, .. })) = (kind, message) {
                locked(&mail.outgoing).spare.push(body);
            }
        }
        allocator.release();
        if is_complete {
            break;
        }
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
            let mut incoming = locked(&self.mail.incoming);
            let room = &mut incoming.peers[to].room;
            if *room < batch.len() {
                return false;
            }
            *room -= batch.len();
        }
        let spare = locked(&self.mail.outgoing).spare.pop().unwrap_or_default();
        self.mail.send(to, Kind::Batch, std::mem::replace(batch, spare));
        true
    }

    fn take(&self, with: &mut dyn FnMut(&[u8])) -> bool {
        let Some((from, bytes)) = locked(&self.mail.incoming).batches.pop_front() else { return false };
        let batch = Message::body(&bytes);
        with(batch);
        let mut incoming = locked(&self.mail.incoming);
        let peer = &mut incoming.peers[from];
        peer.added += batch.len();
        if peer.added >= WORTH_A_MESSAGE {
            let added = std::mem::take(&mut peer.added);
            drop(incoming);
            self.mail.send(from, Kind::Room, (added as u64).to_le_bytes().to_vec());
        }
        true
    }

    fn wait(&self) {
        let incoming = locked(&self.mail.incoming);
        if incoming.batches.is_empty() {
            let _ = self.mail.news.wait_timeout(incoming, MOMENT);
        }
    }

    fn begin_pass(&self) {
        self.mail.pass.fetch_add(1, Ordering::SeqCst);
    }

    fn close_pass(&self) {
        self.tell_all(Kind::Closed, &[]);
    }

    fn is_over(&self) -> bool {
        let (incoming, pass) = (locked(&self.mail.incoming), self.mail.pass.load(Ordering::SeqCst));
        incoming.batches.is_empty() && self.others().all(|process| incoming.peers[process].closed >= pass)
    }

    fn abandon_pass(&self) {
        let pass = self.mail.pass.load(Ordering::SeqCst);
        if self.mail.abandoned.fetch_max(pass, Ordering::SeqCst) < pass {
            self.tell_all(Kind::Abandoned, &pass.to_le_bytes());
        }
    }

    fn is_abandoned(&self) -> bool {
        self.mail.abandoned.load(Ordering::SeqCst) >= self.mail.pass.load(Ordering::SeqCst)
    }

    fn agree(&self, mine: &[u128]) -> Vec<Vec<u128>> {
        let body: Vec<u8> = mine.iter().flat_map(|word| word.to_le_bytes()).collect();
        self.tell_all(Kind::Words, &body);
        let mut incoming = locked(&self.mail.incoming);
        while self.others().any(|process| incoming.peers[process].words.is_empty()) {
            incoming = self.mail.news.wait(incoming).unwrap_or_else(PoisonError::into_inner);
        }
        let words = incoming.peers.iter_mut().map(|peer| peer.words.pop_front());
        words.map(|words| words.unwrap_or_else(|| mine.to_vec())).collect()
    }

    fn sent(&self, sent: Sent) {
        let mut sum = locked(&self.sent);
        *sum = sum.and(sent);
    }
}
