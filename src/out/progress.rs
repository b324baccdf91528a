//! Progress on a terminal.

use indicatif::{ProgressBar, ProgressStyle};
use perft_gate_walk::walk::Control;
use std::io::IsTerminal;
use std::time::Duration;

/// Runs `work` on the tasks of a control, with a progress bar.
pub fn watched<T: Send>(control: &Control, name: &str, work: impl FnOnce() -> T + Send) -> T {
    let progress = || {
        let progress = control.progress();
        (progress.done, progress.total)
    };
    with_bar((name, "tasks"), progress, work)
}

/// Runs `work` with a progress bar on stderr, if that is a terminal; `progress` returns the number of units done, and the
/// total.
pub fn with_bar<T: Send>(
    (name, unit): (&str, &str),
    progress: impl Fn() -> (u64, u64) + Sync,
    work: impl FnOnce() -> T + Send,
) -> T {
    if !std::io::stderr().is_terminal() {
        return work();
    }
    let bar = ProgressBar::new(0);
    let style = ProgressStyle::with_template(&format!("{{msg}} {{wide_bar}} {{pos}}/{{len}} {unit}, ETA {{eta}}"));
    bar.set_style(style.expect("a valid template"));
    bar.set_message(name.to_string());
    super::console::show(Some(bar.clone()));
    let done = std::sync::atomic::AtomicBool::new(false);
    let result = std::thread::scope(|scope| {
        let watcher = scope.spawn(|| {
            while !done.load(std::sync::atomic::Ordering::Relaxed) {
                let (done, total) = progress();
                bar.set_length(total);
                bar.set_position(done);
                std::thread::park_timeout(Duration::from_millis(200));
            }
        });
        let result = work();
        done.store(true, std::sync::atomic::Ordering::Relaxed);
        watcher.thread().unpark();
        result
    });
    super::console::show(None);
    bar.finish_and_clear();
    result
}
