//! What the machine benchmark times that no other crate has: compiled here, with full optimisation.

mod clock_speed;
mod queens;
mod task;

pub use clock_speed::gigahertz;
pub use queens::queens;
pub use task::{TASK_LEAVES, TaskTimes, no_times, time_tasks};
