//! The socket of a connection. It reports when the connection breaks.

use std::io::{self, ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use timely_communication::allocator::zero_copy::stream::Stream;

/// Called when the connection with a process breaks, with the process's number and the cause. The handler must not
/// return, because the count cannot continue.
pub type LossHandler = Arc<dyn Fn(usize, &str) + Send + Sync>;

/// State of all connections of a process.
pub(crate) struct Shared {
    pub(crate) lost: LossHandler,
    /// True once this process needs nothing more from the others. From then on, a closed connection is not a failure.
    pub(crate) is_closing: AtomicBool,
    /// True for each process whose connection has ended.
    pub(crate) is_gone: Vec<AtomicBool>,
}

/// The connection with one process.
pub(crate) struct Wire {
    stream: TcpStream,
    /// Number of the process at the other end.
    process: usize,
    shared: Arc<Shared>,
}

/// Time after which a silent machine counts as lost.
const SILENCE: Duration = Duration::from_secs(10);

impl Wire {
    pub(crate) fn new(stream: TcpStream, process: usize, shared: &Arc<Shared>) -> io::Result<Wire> {
        stream.set_read_timeout(None)?;
        stream.set_write_timeout(None)?;
        stream.set_nodelay(true)?;
        let socket = socket2::SockRef::from(&stream);
        let probes = socket2::TcpKeepalive::new().with_time(SILENCE / 2).with_interval(SILENCE / 10);
        #[cfg(not(windows))]
        let probes = probes.with_retries(5);
        socket.set_tcp_keepalive(&probes)?;
        #[cfg(target_os = "linux")]
        socket.set_tcp_user_timeout(Some(SILENCE))?;
        Ok(Wire { stream, process, shared: Arc::clone(shared) })
    }

    /// Checks the result of a read or write. If the operation failed or the connection has ended, reports this and then
    /// sleeps until the process exits, because the `timely` crate would panic if it saw the error.
    fn check(&self, moved: io::Result<usize>) -> io::Result<usize> {
        let what = match &moved {
            Ok(0) => "the connection was closed".into(),
            Err(error) if error.kind() == ErrorKind::TimedOut => "it does not answer".into(),
            Err(error) => error.to_string(),
            Ok(_) => return moved,
        };
        self.shared.is_gone[self.process].store(true, Ordering::SeqCst);
        if !self.shared.is_closing.load(Ordering::SeqCst) {
            (self.shared.lost)(self.process, &what);
        }
        loop {
            std::thread::park();
        }
    }
}

/// Runs an operation, and repeats it as long as a signal interrupts it.
fn retry(mut of: impl FnMut() -> io::Result<usize>) -> io::Result<usize> {
    loop {
        match of() {
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            result => return result,
        }
    }
}

impl Read for Wire {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = retry(|| self.stream.read(buffer));
        self.check(read)
    }
}

impl Write for Wire {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = retry(|| self.stream.write(bytes));
        self.check(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}

impl Stream for Wire {
    fn try_clone(&self) -> io::Result<Wire> {
        let stream = self.stream.try_clone()?;
        Ok(Wire { stream, process: self.process, shared: Arc::clone(&self.shared) })
    }

    fn set_nonblocking(&self, nonblocking: bool) -> io::Result<()> {
        self.stream.set_nonblocking(nonblocking)
    }

    fn shutdown(&self, how: Shutdown) -> io::Result<()> {
        self.stream.shutdown(how)
    }
}
