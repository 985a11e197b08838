//! The threads that engines work on: their stack, and which go first, where there are more than cores.
//!
//! A thread can go back behind others, never forward again, whoever runs it. Where the system does
//! not let us say so, all threads are alike. Threads that a thread starts go where it is then.

use std::sync::atomic::{AtomicI32, Ordering};
use std::time::Duration;

/// The stack of a thread that works on formulas: they may be deep, for us and for the solver. What is not used
/// costs nothing.
pub(crate) const STACK: usize = 64 << 20;

/// Who goes first. Each rank gets much less than the one before: about a fifteenth, and a fifth of that.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Rank {
    /// Where every thread begins.
    First,
    /// Behind those.
    Second,
    /// Behind all.
    Last,
}

impl Rank {
    /// How much nicer a thread is there than where it began.
    #[cfg(target_os = "linux")]
    fn nice(self) -> i32 {
        match self {
            Rank::First => 0,
            Rank::Second => 12,
            Rank::Last => 19,
        }
    }
}

/// In a second.
#[cfg(target_os = "linux")]
const NANOSECONDS: u64 = 1_000_000_000;

/// A thread, for those who watch it.
#[derive(Default)]
pub(crate) struct Thread {
    /// Its number for the system; 0 as long as it has none.
    id: AtomicI32,
    /// How nice it was in the beginning.
    begun: AtomicI32,
}

#[cfg(target_os = "linux")]
impl Thread {
    /// Called by the thread itself, before it works.
    pub(crate) fn begin(&self) {
        let begun = rustix::process::getpriority_process(None).unwrap_or_default();
        self.begun.store(begun, Ordering::Relaxed);
        let id = rustix::thread::gettid().as_raw_nonzero().get();
        self.id.store(id, Ordering::Release);
    }

    /// The processor time that it used so far, if that is known.
    pub(crate) fn used(&self) -> Option<Duration> {
        let id = self.id.load(Ordering::Acquire);
        let used = std::fs::read_to_string(format!("/proc/self/task/{id}/schedstat"));
        let nanoseconds: u64 = used.ok()?.split(' ').next()?.parse().ok()?;
        let below_a_second = u32::try_from(nanoseconds % NANOSECONDS).ok()?;
        Some(Duration::new(nanoseconds / NANOSECONDS, below_a_second))
    }

    /// Puts it there. Tells whether it could be told, which it cannot before it has begun.
    pub(crate) fn give_way(&self, rank: Rank) -> bool {
        let Some(id) = rustix::process::Pid::from_raw(self.id.load(Ordering::Acquire)) else {
            return false;
        };
        let nice = self.begun.load(Ordering::Relaxed) + rank.nice();
        // On Linux this is about the thread alone. It is no loss if the system does not let us.
        let _ = rustix::process::setpriority_process(Some(id), nice.min(19));
        true
    }
}

#[cfg(not(target_os = "linux"))]
impl Thread {
    pub(crate) fn begin(&self) {
        self.begun.store(0, Ordering::Relaxed);
        self.id.store(0, Ordering::Release);
    }

    pub(crate) fn used(&self) -> Option<Duration> {
        None
    }

    pub(crate) fn give_way(&self, _: Rank) -> bool {
        true
    }
}

/// Puts the thread at hand there, from where it is.
pub(crate) fn go(rank: Rank) {
    let thread = Thread::default();
    thread.begin();
    thread.give_way(rank);
}

#[cfg(test)]
mod tests {
    #[test]
    #[cfg(target_os = "linux")]
    fn work_is_counted_and_who_gives_way_is_nicer() {
        use super::*;
        use std::time::Instant;
        std::thread::spawn(|| {
            let thread = Thread::default();
            assert!(!thread.give_way(Rank::Last), "it has not begun");
            thread.begin();
            let (before, start) = (thread.used(), Instant::now());
            while start.elapsed() < Duration::from_millis(100) {
                std::hint::spin_loop();
            }
            assert!(thread.used() > before);
            let nice = || rustix::process::getpriority_process(None).unwrap();
            let begun = nice();
            assert!(thread.give_way(Rank::Second));
            assert_eq!(nice(), (begun + 12).min(19));
            assert!(thread.give_way(Rank::Last));
            assert_eq!(nice(), (begun + 19).min(19));
            go(Rank::Second);
            assert_eq!(nice(), (begun + 19).min(19));
        })
        .join()
        .unwrap();
    }
}
