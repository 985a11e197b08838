//! Time for a piece of work, whatever else the machine does.
//!
//! What an engine tries must not depend on how busy the machine is. So the time of the thread that works counts, and
//! not that on the wall. Where others work for it meanwhile, or the system does not say what a thread has used, a
//! multiple of the time on the wall is the end. Where the solver's steps count in a session, they are the time.

use std::time::{Duration, Instant};

use ult_smt::Session;

/// How much longer than planned it may take on the wall: a thread gets this part of a processor, if it has to share it. Tests
/// look at what is found, on any machine.
const SHARE: u32 = if cfg!(test) { 100 } else { 4 };

/// What is left of the time for a piece of work on one thread.
#[derive(Clone, Copy)]
pub struct Budget<'s> {
    limit: Duration,
    clock: Clock<'s>,
}

/// What measures it.
#[derive(Clone, Copy)]
enum Clock<'s> {
    /// A thread.
    Thread {
        begun: Instant,
        /// What the thread had used then, where that is known.
        used: Option<Duration>,
    },
    /// A session whose steps count: what it had worked then.
    Steps {
        session: &'s Session<'s>,
        before: Duration,
    },
}

impl<'s> Budget<'s> {
    /// This much from now on, for the thread that asks.
    pub fn new(limit: Duration) -> Budget<'s> {
        let clock = Clock::Thread {
            begun: Instant::now(),
            used: used(),
        };
        Budget { limit, clock }
    }

    /// This much from now on, for questions in a session.
    pub fn of(session: &'s Session<'s>, limit: Duration) -> Budget<'s> {
        session.work().map_or_else(
            || Budget::new(limit),
            |before| Budget {
                limit,
                clock: Clock::Steps { session, before },
            },
        )
    }

    /// What is left of it, but no more than this.
    #[must_use]
    pub fn at_most(self, limit: Duration) -> Budget<'s> {
        let limit = self.left().unwrap_or_default().min(limit);
        match self.clock {
            Clock::Thread { .. } => Budget::new(limit),
            Clock::Steps { session, .. } => Budget::of(session, limit),
        }
    }

    /// What is left; `None` if nothing is.
    pub fn left(self) -> Option<Duration> {
        let spent = match self.clock {
            Clock::Thread {
                begun,
                used: before,
            } => {
                let wall = begun.elapsed();
                match (before, used()) {
                    (Some(before), Some(now)) => now.saturating_sub(before).max(wall / SHARE),
                    _ => wall,
                }
            }
            Clock::Steps { session, before } => {
                session.work().unwrap_or_default().saturating_sub(before)
            }
        };
        self.limit.checked_sub(spent).filter(|left| !left.is_zero())
    }
}

/// In a second.
#[cfg(target_os = "linux")]
const NANOSECONDS: u64 = 1_000_000_000;

/// The processor time of this thread.
#[cfg(target_os = "linux")]
fn used() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds: u64 = text.split(' ').next()?.parse().ok()?;
    let below_a_second = u32::try_from(nanoseconds % NANOSECONDS).ok()?;
    Some(Duration::new(nanoseconds / NANOSECONDS, below_a_second))
}

#[cfg(not(target_os = "linux"))]
fn used() -> Option<Duration> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_os = "linux")]
    fn who_waits_spends_little_and_who_works_spends_it() {
        let budget = Budget::new(Duration::from_millis(200));
        std::thread::sleep(Duration::from_millis(240));
        assert!(budget.left().is_some(), "waiting");
        while budget.left().is_some() {
            std::hint::spin_loop();
        }
        let limit = Duration::from_millis(2);
        let budget = Budget::new(limit);
        std::thread::sleep(limit * (SHARE + 10));
        assert!(budget.left().is_none(), "there is an end on the wall, too");
        assert!(Budget::new(Duration::ZERO).left().is_none());
    }
}
