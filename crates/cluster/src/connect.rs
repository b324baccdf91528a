//! Connecting every process with every other one: each listens at its address for those after it, and calls those before it.

use crate::hello::Hello;
use crate::hosts::Hosts;
use std::fmt;
use std::io::{self, ErrorKind};
use std::net::{SocketAddr, TcpListener, TcpStream, ToSocketAddrs};
use std::thread;
use std::time::{Duration, Instant};

/// Why the processes are not connected.
#[derive(Debug)]
pub enum ConnectError {
    /// Another process does something else, or is started twice.
    Differs {
        /// Number and address of the other process.
        process: String,
        /// The field that differs.
        field: String,
        /// What it says there.
        found: String,
        /// What this process says.
        expected: String,
    },
    /// This process cannot listen at its address.
    Listen {
        /// The address.
        address: String,
        /// The error of the system.
        error: io::Error,
    },
    /// Another process is not there.
    Missing {
        /// Number and address of the other process.
        process: String,
        /// What was seen of it.
        found: String,
        /// How long it was waited for.
        wait: Duration,
    },
    /// Another process ended while they connected.
    Ended {
        /// Number and address of the other process.
        process: String,
        /// The error of the system.
        error: io::Error,
    },
}

impl fmt::Display for ConnectError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ConnectError::Differs { process, field, found, expected } => {
                write!(f, "{process}, {field}: found {found}, expected {expected} as in this process")
            }
            ConnectError::Listen { address, error } => write!(f, "cannot listen at {address}: {error}"),
            ConnectError::Missing { process, found, wait } => {
                write!(f, "{process} is not there after {} s: {found}", wait.as_secs())
            }
            ConnectError::Ended { process, error } => write!(f, "{process} ended while it connected: {error}"),
        }
    }
}

impl std::error::Error for ConnectError {}

/// Pause between two attempts.
const PAUSE: Duration = Duration::from_millis(50);

/// What the processes must agree on, and how long they wait for each other.
struct Round<'h> {
    hosts: &'h Hosts,
    hello: &'h Hello,
    start: Instant,
    wait: Duration,
}

/// Connects this process with all others; returns their sockets in order, `None` in the place of its own.
///
/// **Errors**: see [`ConnectError`]; not later than `wait`.
pub fn connect(hosts: &Hosts, hello: &Hello, wait: Duration) -> Result<Vec<Option<TcpStream>>, ConnectError> {
    let round = Round { hosts, hello, start: Instant::now(), wait };
    let (index, last) = (hello.process, hosts.addresses().len() - 1);
    // Before it calls others: those after it may call at once, and wait in the queue.
    let listener = if index < last { Some(round.listen()?) } else { None };
    let mut sockets: Vec<Option<TcpStream>> = hosts.addresses().iter().map(|_| None).collect();
    for (process, socket) in sockets[..index].iter_mut().enumerate() {
        *socket = Some(round.call(process)?);
    }
    if let Some(listener) = listener {
        while let Some(missing) = (index + 1..=last).find(|&process| sockets[process].is_none()) {
            let (process, socket) = round.answer(&listener, missing)?;
            if sockets.get(process).is_none_or(Option::is_some) || process <= index {
                let expected = format!("a process from {} to {last} that has not come yet", index + 1);
                return Err(round.differs(process.min(last), ["process".into(), process.to_string(), expected]));
            }
            sockets[process] = Some(socket);
        }
    }
    Ok(sockets)
}

impl Round<'_> {
    fn name(&self, process: usize) -> String {
        format!("process {process} ({})", self.hosts.addresses()[process])
    }

    fn left(&self) -> Duration {
        self.wait.saturating_sub(self.start.elapsed())
    }

    fn differs(&self, process: usize, [field, found, expected]: [String; 3]) -> ConnectError {
        ConnectError::Differs { process: self.name(process), field, found, expected }
    }

    fn missing(&self, process: usize, found: impl fmt::Display) -> ConnectError {
        ConnectError::Missing { process: self.name(process), found: found.to_string(), wait: self.wait }
    }

    fn listen(&self) -> Result<TcpListener, ConnectError> {
        let address = &self.hosts.addresses()[self.hello.process];
        // The standard library lets an address be taken again at once after a run.
        let listener = TcpListener::bind(address.as_str()).and_then(|listener| {
            listener.set_nonblocking(true)?;
            Ok(listener)
        });
        listener.map_err(|error| ConnectError::Listen { address: address.clone(), error })
    }

    /// Tells the other side who this is, and reads who that is.
    fn greet(&self, stream: &TcpStream) -> io::Result<Hello> {
        stream.set_nonblocking(false)?;
        let left = self.left().max(PAUSE);
        stream.set_read_timeout(Some(left))?;
        stream.set_write_timeout(Some(left))?;
        self.hello.write(&mut &*stream)?;
        Hello::read(&mut &*stream)
    }

    /// Calls a process until it answers.
    fn call(&self, process: usize) -> Result<TcpStream, ConnectError> {
        let address = &self.hosts.addresses()[process];
        loop {
            let found = match self.called(address) {
                Ok(stream) => {
                    let other = self.greet(&stream).map_err(|error| match error.kind() {
                        ErrorKind::InvalidData => self.missing(process, error),
                        ErrorKind::WouldBlock | ErrorKind::TimedOut => self.missing(process, "it does not answer"),
                        _ => ConnectError::Ended { process: self.name(process), error },
                    })?;
                    let index = ["process".into(), other.process.to_string(), process.to_string()];
                    let index = (other.process != process).then_some(index);
                    return match self.hello.difference(&other).or(index) {
                        None => Ok(stream),
                        Some(difference) => Err(self.differs(process, difference)),
                    };
                }
                Err(error) => error.to_string(),
            };
            if self.left().is_zero() {
                return Err(self.missing(process, found));
            }
            thread::sleep(PAUSE);
        }
    }

    fn called(&self, address: &str) -> io::Result<TcpStream> {
        let resolved: Vec<SocketAddr> = address.to_socket_addrs()?.collect();
        let mut result = Err(ErrorKind::AddrNotAvailable.into());
        for address in resolved {
            result = TcpStream::connect_timeout(&address, self.left().max(PAUSE));
            if result.is_ok() {
                break;
            }
        }
        result
    }

    /// Waits for a process to call. Others that call are not answered.
    fn answer(&self, listener: &TcpListener, missing: usize) -> Result<(usize, TcpStream), ConnectError> {
        loop {
            match listener.accept() {
                // Whoever is no process of this program, or goes away, is nobody.
                Ok((stream, _)) => {
                    if let Ok(other) = self.greet(&stream) {
                        let process = other.process.min(self.hosts.addresses().len() - 1);
                        let difference =
                            self.hello.difference(&other).map(|difference| self.differs(process, difference));
                        return difference.map_or(Ok((other.process, stream)), Err);
                    }
                }
                Err(_) if self.left().is_zero() => return Err(self.missing(missing, "it has not called")),
                Err(_) => thread::sleep(PAUSE),
            }
        }
    }
}
