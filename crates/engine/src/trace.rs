//! A record of the whole dialogue with an engine. Each line of the dialogue becomes one line of the record: the time in
//! seconds, the PID, a sign that shows the kind of line, and the text.
//!
//! The signs are `$` for the command that starts a process, `>` for a line sent, `<` for a line received, and `!` for a
//! line on its stderr. The record has a maximum size, so an engine that floods its output cannot fill the disk.

use std::fmt;
use std::io::{Error, Write};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

/// Maximum size of a record in bytes.
const MAX_TRACE_BYTES: usize = 256 << 20;

/// One process's handle to the record of a dialogue. All clones write to the same record.
#[derive(Clone)]
pub struct Trace {
    writer: Arc<Mutex<TraceWriter>>,
    process: usize,
}

struct TraceWriter {
    out: Box<dyn Write + Send>,
    start: Instant,
    processes: usize,
    /// Number of bytes that may still be written.
    remaining: usize,
    error: Option<Error>,
}

impl Trace {
    /// Begins a record.
    pub fn new(out: impl Write + Send + 'static) -> Trace {
        let (start, processes, remaining, error) = (Instant::now(), 0, MAX_TRACE_BYTES, None);
        let writer = TraceWriter { out: Box::new(out), start, processes, remaining, error };
        Trace { writer: Arc::new(Mutex::new(writer)), process: 0 }
    }

    /// Returns the first write error, if there was one.
    pub fn error(&self) -> Option<Error> {
        self.writer.lock().unwrap_or_else(PoisonError::into_inner).error.take()
    }

    /// Records the start of a process, and returns that process's handle to the record.
    pub(super) fn begin(&self, command: &str) -> Trace {
        let mut writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        writer.processes += 1;
        let process = writer.processes;
        writer.write(process, '$', command);
        Trace { writer: Arc::clone(&self.writer), process }
    }

    pub(super) fn line(&self, sign: char, text: &str) {
        self.writer.lock().unwrap_or_else(PoisonError::into_inner).write(self.process, sign, text);
    }
}

impl TraceWriter {
    fn write(&mut self, process: usize, sign: char, text: &str) {
        if self.remaining == 0 || self.error.is_some() {
            return;
        }
        let mut line = format!("{:10.3} {process} {sign} {text}\n", self.start.elapsed().as_secs_f64());
        match self.remaining.checked_sub(line.len()) {
            Some(remaining) => self.remaining = remaining,
            None => (self.remaining, line) = (0, format!("the trace ends here, after {} MiB\n", MAX_TRACE_BYTES >> 20)),
        }
        self.error = self.out.write_all(line.as_bytes()).and_then(|()| self.out.flush()).err();
    }
}

impl fmt::Debug for Trace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Trace")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    /// Counts the bytes written to it.
    struct Sink(Arc<AtomicUsize>);

    impl Write for Sink {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.fetch_add(bytes.len(), Ordering::Relaxed);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_flood_fills_no_disk() {
        let written = Arc::new(AtomicUsize::new(0));
        let trace = Trace::new(Sink(Arc::clone(&written)));
        let line = "x".repeat(1 << 16);
        for _ in 0..=MAX_TRACE_BYTES / line.len() {
            trace.line('<', &line);
        }
        let bytes = written.load(Ordering::Relaxed);
        assert!((MAX_TRACE_BYTES - 2 * line.len()..MAX_TRACE_BYTES + 100).contains(&bytes), "{bytes}");
        assert!(trace.error().is_none());
    }
}
