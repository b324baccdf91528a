//! Connects every process with every other one. Each process calls those that come before it in the list, and listens
//! at its own address for calls from those that come after it.

use crate::hello::Hello;
use crate::hosts::Hosts;
use std::fmt;
use std::io::{self, ErrorKind, Read};
use std::net::{TcpListener, TcpStream, ToSocketAddrs};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// Error while connecting the processes.
#[derive(thiserror::Error, Debug)]
pub enum ConnectError {
    /// Another process runs a different count or was started twice, or this process cannot listen at its address.
    #[error("{0}")]
    Refused(String),
    /// Another process did not answer in time, or ended while this process connected to it.
    #[error("{0}")]
    Lost(String),
    /// The user stopped the run.
    #[error("interrupted")]
    Stopped,
}

/// Pause between two attempts.
const PAUSE: Duration = Duration::from_millis(50);
/// How long a caller may take to identify itself. No other caller is answered in the meantime.
const HELLO: Duration = Duration::from_secs(1);

/// One process's attempt to connect to all the others.
struct Meeting<'h> {
    hosts: &'h Hosts,
    hello: &'h Hello,
    start: Instant,
    wait: Duration,
    stop: &'h AtomicBool,
}

/// Connects this process to all others. Returns one socket per process, in order, with `None` for this process.
///
/// **Errors**: see [`ConnectError`]. An error is returned soon after `wait` has passed or `stop` is set.
pub fn connect(
    hosts: &Hosts,
    hello: &Hello,
    wait: Duration,
    stop: &AtomicBool,
) -> Result<Vec<Option<TcpStream>>, ConnectError> {
    let round = Meeting { hosts, hello, start: Instant::now(), wait, stop };
    let (index, last) = (hello.process, hosts.addresses().len() - 1);
    // Listens before it calls others, so that processes later in the list can call at once and wait in the queue.
    let listener = if index < last { Some(round.listen()?) } else { None };
    let mut sockets: Vec<Option<TcpStream>> = hosts.addresses().iter().map(|_| None).collect();
    for (process, socket) in sockets[..index].iter_mut().enumerate() {
        *socket = Some(round.call(process)?);
    }
    if let Some(listener) = listener {
        while let Some(missing) = (index + 1..=last).find(|&process| sockets[process].is_none()) {
            let (process, socket) = round.answer(&listener, missing)?;
            if sockets.get(process).is_none_or(Option::is_some) || process <= index {
                let expected = format!("a process from {} to {last} that has not connected yet", index + 1);
                return Err(round.differs(process.min(last), ["process".into(), process.to_string(), expected]));
            }
            sockets[process] = Some(socket);
        }
    }
    Ok(sockets)
}

/// Reads from a connection until a deadline.
struct DeadlineReader<'s> {
    stream: &'s TcpStream,
    end: Instant,
    stop: &'s AtomicBool,
}

impl Read for DeadlineReader<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let left = self.end.saturating_duration_since(Instant::now());
            if left.is_zero() || self.stop.load(Ordering::Relaxed) {
                return Err(ErrorKind::TimedOut.into());
            }
            self.stream.set_read_timeout(Some(left.min(PAUSE)))?;
            match self.stream.read(buffer) {
                Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {}
                read => return read,
            }
        }
    }
}

impl Meeting<'_> {
    fn name(&self, process: usize) -> String {
        format!("process {process} ({})", self.hosts.addresses()[process])
    }

    fn left(&self) -> Duration {
        self.wait.saturating_sub(self.start.elapsed())
    }

    fn differs(&self, process: usize, [field, found, expected]: [String; 3]) -> ConnectError {
        let process = self.name(process);
        ConnectError::Refused(format!("{process}, {field}: found {found}, expected {expected} as in this process"))
    }

    fn missing(&self, process: usize, found: impl fmt::Display) -> ConnectError {
        ConnectError::Lost(format!("{} is not there after {:?}: {found}", self.name(process), self.wait))
    }

    fn listen(&self) -> Result<TcpListener, ConnectError> {
        let address = &self.hosts.addresses()[self.hello.process];
        // No socket option is needed, because the standard library makes an address reusable immediately after a run.
        let listener = TcpListener::bind(address.as_str());
        let listener = listener.and_then(|listener| listener.set_nonblocking(true).map(|()| listener));
        listener.map_err(|error| ConnectError::Refused(format!("cannot listen on {address}: {error}")))
    }

    /// Reads the hello of the other side within a time limit.
    fn hear(&self, stream: &TcpStream, time: Duration) -> io::Result<Hello> {
        stream.set_nonblocking(false)?;
        let end = Instant::now() + time;
        Hello::read(&mut DeadlineReader { stream, end, stop: self.stop })
    }

    /// Sends this process's hello to the other side.
    fn tell(&self, stream: &TcpStream) -> io::Result<()> {
        stream.set_nonblocking(false)?;
        stream.set_write_timeout(Some(HELLO))?;
        self.hello.write(&mut &*stream)
    }

    fn check_stop(&self) -> Result<(), ConnectError> {
        if self.stop.load(Ordering::Relaxed) { Err(ConnectError::Stopped) } else { Ok(()) }
    }

    /// Calls a process until it answers.
    fn call(&self, process: usize) -> Result<TcpStream, ConnectError> {
        let address = &self.hosts.addresses()[process];
        loop {
            self.check_stop()?;
            let found = match self.connect_to(address) {
                Ok(stream) => {
                    let greeted = self.tell(&stream).and_then(|()| self.hear(&stream, self.left().max(HELLO)));
                    self.check_stop()?;
                    let other = greeted.map_err(|error| match error.kind() {
                        ErrorKind::InvalidData => self.missing(process, error),
                        ErrorKind::WouldBlock | ErrorKind::TimedOut => self.missing(process, "it does not answer"),
                        _ => ConnectError::Lost(format!("{} ended while it connected: {error}", self.name(process))),
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

    fn connect_to(&self, address: &str) -> io::Result<TcpStream> {
        let mut result = Err(ErrorKind::AddrNotAvailable.into());
        for address in address.to_socket_addrs()? {
            result = TcpStream::connect_timeout(&address, self.left().clamp(PAUSE, HELLO));
            if result.is_ok() {
                break;
            }
        }
        result
    }

    /// Waits until another process of the run calls, and returns its number and socket. Other callers get no answer.
    fn answer(&self, listener: &TcpListener, missing: usize) -> Result<(usize, TcpStream), ConnectError> {
        loop {
            self.check_stop()?;
            match listener.accept() {
                // Drops a caller that says nothing or is not a process of this program.
                Ok((stream, _)) => {
                    let greeted = self.hear(&stream, HELLO).and_then(|other| self.tell(&stream).map(|()| other));
                    if let Ok(other) = greeted {
                        let process = other.process.min(self.hosts.addresses().len() - 1);
                        let difference =
                            self.hello.difference(&other).map(|difference| self.differs(process, difference));
                        return difference.map_or(Ok((other.process, stream)), Err);
                    }
                }
                Err(_) if self.left().is_zero() => return Err(self.missing(missing, "it has not connected")),
                Err(_) => thread::sleep(PAUSE),
            }
        }
    }
}
