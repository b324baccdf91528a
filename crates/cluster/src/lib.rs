//! Processes on one or more machines that count together.
//!
//! [`connect()`] joins every process with every other one, and checks that all of them do the same run. The sockets then
//! go to the communication layer of [timely dataflow](https://github.com/TimelyDataflow/timely-dataflow), which queues and
//! moves the messages of the [`Link`]. Timely's connection code is not used: it retries forever, prints, and compares
//! nothing. Its dataflow graphs are not used either: a pass is one exchange, and it is over when each process has said so.
//!
//! **Data in flight** is bounded by credit: a process may send [`ROOM`] bytes to another, and more once the other has
//! added them to its set. **Failures** end the run: when a connection breaks, or a message is damaged, [`LossHandler`]
//! is called and does not return. If timely's headers are damaged, its threads panic. Nothing is authenticated or
//! encrypted: the network must be trusted.
#![forbid(unsafe_code)]

mod connect;
mod hello;
mod hosts;
mod link;
mod message;
mod wire;

pub use connect::{ConnectError, connect};
pub use hello::Hello;
pub use hosts::{Hosts, HostsError};
pub use link::{Link, ROOM, StopCheck};
pub use wire::LossHandler;
