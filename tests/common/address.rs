//! Addresses for processes that meet on this machine.

use std::net::TcpListener;
use std::sync::atomic::{AtomicU32, Ordering};

/// Returns an address of this machine that is free. Its port is none that the system gives to other connections meanwhile,
/// and none that another test of this process gets.
pub fn free_address() -> String {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    const FIRST: u32 = 10_000;
    const PORTS: u32 = 20_000;
    let base = std::process::id().wrapping_mul(0x9e37_79b1) >> 16;
    loop {
        let port = FIRST + (base + NEXT.fetch_add(1, Ordering::Relaxed)) % PORTS;
        let address = format!("127.0.0.1:{port}");
        if TcpListener::bind(&address).is_ok() {
            return address;
        }
    }
}
