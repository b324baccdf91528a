//! Lets processes on one or more machines count together.
//!
//! [`connect()`] connects every process to every other one, and checks that they all run the same count. The sockets
//! are then handed to the communication layer of [timely dataflow](https://github.com/TimelyDataflow/timely-dataflow),
//! which queues and transfers the messages of the [`Link`]. Timely's connection code is not used, because it retries
//! forever, prints, and checks nothing. Its dataflow graphs are not used either, because a pass is a single exchange of
//! positions, which is over when every process has sent its last batch.
//!
//! **Data in flight** is bounded by credit: a process may send [`ROOM`] bytes to another process, and may send more
//! once that process has added them to its tables. **Failures** end the run: when a connection breaks, or a message is
//! damaged, [`LossHandler`] is called and does not return. If timely's headers are damaged, its threads panic. Nothing
//! is authenticated or encrypted: the network must be trusted.
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
