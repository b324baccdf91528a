//! A search as the wrong engine pretends to make it: it goes on until it is stopped, and takes offence at everything else.

use crate::engine::say;
use crate::faults::Dialect;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

/// A search that goes on.
#[derive(Default)]
pub struct Search {
    stop: Arc<AtomicBool>,
    over: Arc<AtomicBool>,
}

impl Search {
    /// Begins to search, unless the dialect ends that at once.
    pub fn begin(dialect: Dialect) -> Option<Search> {
        if matches!(dialect, Dialect::SearchesAtOnce | Dialect::PerftVerb | Dialect::DivideVerb) {
            say!("info depth 1 seldepth 1 score cp 20 nodes 20 time 0 pv e2e4\ninfo nodes 20 time 0\nbestmove e2e4");
            return None;
        }
        let search = Search::default();
        let (stop, over) = (Arc::clone(&search.stop), Arc::clone(&search.over));
        thread::spawn(move || {
            for depth in 1.. {
                if dialect != Dialect::SearchesSilently {
                    say!("info depth {depth}\ninfo depth {depth} score cp 20 nodes {} pv e2e4", 20 * depth);
                    say!("info depth {depth} seldepth {depth} time 0 nodes {} nps 0", 20 * depth);
                }
                thread::sleep(Duration::from_millis(20));
                if stop.load(Ordering::Relaxed) && dialect != Dialect::SearchesForEver {
                    over.store(true, Ordering::Relaxed);
                    return say!("bestmove e2e4 ponder e7e5");
                }
            }
        });
        Some(search)
    }

    /// Hears a command. Any that a search does not allow ends the program.
    pub fn hears(&self, command: &str) {
        match command {
            "stop" => self.stop.store(true, Ordering::Relaxed),
            "isready" | "quit" => {}
            _ if self.over.load(Ordering::Relaxed) => {}
            command => {
                eprintln!("'{command}' during a search");
                std::process::exit(43);
            }
        }
    }
}
