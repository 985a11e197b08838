//! The clock behind the limits of single questions.
//!
//! Z3 has one of its own: a thread that is woken up for every question with a limit, and waited
//! for after it. On a busy machine that takes longer than most questions. Here one thread serves
//! all questions of the process, and it sleeps through those that end in time: nobody wakes it
//! unless an alarm is due before it wakes up anyway.

use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::answer::{Failure, no_thread};
use crate::limits;

/// Rings while it lives, from its time on.
pub(super) struct Alarm {
    key: Key,
}

/// When, and which one of those at the same time.
type Key = (Instant, u64);

struct Clock {
    alarms: Mutex<Alarms>,
    /// There is an alarm that is due before the thread wakes up by itself.
    sooner: Condvar,
}

struct Alarms {
    pending: BTreeMap<Key, Box<dyn Fn() + Send>>,
    next: u64,
    /// When the thread wakes up by itself.
    wakes: Option<Instant>,
    /// Whether there is a thread.
    running: bool,
}

static CLOCK: Clock = Clock {
    alarms: Mutex::new(Alarms {
        pending: BTreeMap::new(),
        next: 0,
        wakes: None,
        running: false,
    }),
    sooner: Condvar::new(),
};

impl Alarm {
    /// Has `ring` called from another thread when the time has come. Dropping the alarm waits
    /// until no call is under way. `ring` must be short, and set no alarm.
    ///
    /// # Errors
    /// If there is no thread for it.
    pub(super) fn after(
        time: Duration,
        ring: impl Fn() + Send + 'static,
    ) -> Result<Option<Alarm>, Failure> {
        let Some(due) = Instant::now().checked_add(time) else {
            return Ok(None);
        };
        let mut alarms = CLOCK.lock();
        if !alarms.running {
            thread::Builder::new()
                .name("alarms".into())
                .spawn(|| CLOCK.run())
                .map_err(no_thread)?;
            alarms.running = true;
        }
        let key = (due, alarms.next);
        alarms.next += 1;
        alarms.pending.insert(key, Box::new(ring));
        let wake = alarms.wakes.is_none_or(|wakes| due < wakes);
        drop(alarms);
        if wake {
            CLOCK.sooner.notify_one();
        }
        Ok(Some(Alarm { key }))
    }
}

impl Drop for Alarm {
    fn drop(&mut self) {
        CLOCK.lock().pending.remove(&self.key);
    }
}

impl Clock {
    fn lock(&self) -> MutexGuard<'_, Alarms> {
        self.alarms.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What the thread does.
    fn run(&self) {
        let mut alarms = self.lock();
        loop {
            let now = Instant::now();
            let mut wakes = None;
            for (&(due, _), ring) in &alarms.pending {
                if due > now {
                    wakes = Some(wakes.map_or(due, |wakes: Instant| wakes.min(due)));
                    break;
                }
                ring();
                wakes = Some(now + limits::AGAIN);
            }
            alarms.wakes = wakes;
            alarms = match wakes {
                None => self
                    .sooner
                    .wait(alarms)
                    .unwrap_or_else(PoisonError::into_inner),
                Some(wakes) => {
                    self.sooner
                        .wait_timeout(alarms, wakes.saturating_duration_since(now))
                        .unwrap_or_else(PoisonError::into_inner)
                        .0
                }
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    fn counter() -> (Arc<AtomicU32>, impl Fn() + Send + 'static) {
        let count = Arc::new(AtomicU32::new(0));
        let ring = {
            let count = count.clone();
            move || {
                count.fetch_add(1, Ordering::SeqCst);
            }
        };
        (count, ring)
    }

    fn wait_until(what: impl Fn() -> bool) {
        let start = Instant::now();
        while !what() {
            assert!(start.elapsed() < Duration::from_secs(20));
            thread::sleep(Duration::from_millis(1));
        }
    }

    #[test]
    fn alarms_ring_in_time_and_until_they_are_dropped() {
        let (far, ring) = counter();
        let _far = Alarm::after(Duration::from_secs(3600), ring).unwrap();
        let (near, ring) = counter();
        let start = Instant::now();
        let alarm = Alarm::after(Duration::from_millis(30), ring).unwrap();
        let (never, ring) = counter();
        drop(Alarm::after(Duration::from_millis(10), ring).unwrap());
        wait_until(|| near.load(Ordering::SeqCst) > 0);
        assert!(start.elapsed() >= Duration::from_millis(30));
        wait_until(|| near.load(Ordering::SeqCst) > 2);
        drop(alarm);
        let rung = near.load(Ordering::SeqCst);
        thread::sleep(4 * limits::AGAIN);
        assert_eq!(near.load(Ordering::SeqCst), rung);
        assert_eq!(never.load(Ordering::SeqCst), 0);
        assert_eq!(far.load(Ordering::SeqCst), 0);
    }

    #[test]
    fn a_time_beyond_all_clocks_needs_no_alarm() {
        assert!(Alarm::after(Duration::MAX, || ()).unwrap().is_none());
    }
}
