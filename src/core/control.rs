//! Limits and cancellation of one run.

use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};
use std::time::{Duration, Instant};

use crate::questions::Listener;
use crate::stats::Meter;

/// Why a run was stopped from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stop {
    /// The time limit was reached.
    Timeout,
    /// The memory limit was reached.
    Memory,
    /// The user or the embedding program asked for it.
    Cancelled,
}

/// A shared handle on a run: who works asks it regularly whether to go on; who watches stops it.
///
/// Clones share one state; each may have a deadline of its own.
#[derive(Clone, Default)]
pub struct Control {
    shared: Arc<Shared>,
    deadline: Option<Instant>,
    questions: Listener,
    meter: Meter,
    seed: u32,
}

#[derive(Default)]
struct Shared {
    stopped: AtomicU8,
    /// Whether who works is to wait.
    held: AtomicBool,
    /// Whether memory is short.
    short: AtomicBool,
    /// When the run has to end, whatever the deadlines of its handles are.
    hastened: OnceLock<Instant>,
    interrupts: Mutex<Vec<Interrupt>>,
    /// Parts of the run that can be stopped by themselves.
    branches: Mutex<Vec<Weak<Shared>>>,
    /// What this is a branch of, kept also so that a stop finds its way down.
    trunk: Option<Arc<Shared>>,
}

/// Somebody who is to be woken up.
struct Interrupt {
    id: u64,
    /// Of the handle that was asked.
    deadline: Option<Instant>,
    call: Box<dyn Fn() + Send>,
}

/// While it lives, who works on the run waits.
pub struct Held(Arc<Shared>);

/// How often who waits looks whether it is over.
const NAP: Duration = Duration::from_millis(2);

/// While it lives, stopping the run calls the registered function.
pub struct InterruptGuard {
    control: Control,
    id: u64,
}

impl Control {
    /// A run without limits.
    pub fn unlimited() -> Control {
        Control::default()
    }

    /// A run that has to end at `deadline`.
    pub fn with_deadline(deadline: Option<Instant>) -> Control {
        Control {
            deadline,
            ..Control::default()
        }
    }

    /// The same handle with somebody who listens to the questions that solvers are asked.
    #[must_use]
    pub fn with_questions(mut self, listener: Listener) -> Control {
        self.questions = listener;
        self
    }

    /// Who listens to the questions that solvers are asked.
    pub fn questions(&self) -> &Listener {
        &self.questions
    }

    /// The same handle with somebody who counts what the run costs.
    #[must_use]
    pub fn with_meter(mut self, meter: Meter) -> Control {
        self.meter = meter;
        self
    }

    /// Who counts what the run costs.
    pub fn meter(&self) -> &Meter {
        &self.meter
    }

    /// The same handle with another seed for what solvers leave to chance.
    #[must_use]
    pub fn with_seed(mut self, seed: u32) -> Control {
        self.seed = seed;
        self
    }

    /// The seed for what solvers leave to chance: 0 unless somebody said otherwise.
    pub fn seed(&self) -> u32 {
        self.seed
    }

    /// A handle on the same run for a part of the work that has to end at `deadline`, or when the
    /// run ends, whatever comes first.
    pub fn until(&self, deadline: Instant) -> Control {
        Control {
            shared: self.shared.clone(),
            deadline: Some(self.deadline.map_or(deadline, |own| own.min(deadline))),
            questions: self.questions.clone(),
            meter: self.meter.clone(),
            seed: self.seed,
        }
    }

    /// A handle on the same run for a part of the work that may take `share`, if that is given.
    pub fn within(&self, share: Option<Duration>) -> Control {
        share.map_or_else(|| self.clone(), |share| self.until(Instant::now() + share))
    }

    /// A handle on the same run that keeps the last tenth of the time left (five seconds at most)
    /// for work that comes after.
    pub fn with_reserve(&self) -> Control {
        match self.remaining() {
            Some(left) => {
                let reserve = (left / 10).min(Duration::from_secs(5));
                self.until(Instant::now() + (left - reserve))
            }
            None => self.clone(),
        }
    }

    /// Whether to go on. Cheap enough for inner loops. As long as the run is held, it waits: so nobody may ask who has something
    /// locked that others need.
    pub fn check(&self) -> Result<(), Stop> {
        while self.shared.is_held() && self.may_go_on().is_ok() {
            std::thread::sleep(NAP);
        }
        self.may_go_on()
    }

    fn may_go_on(&self) -> Result<(), Stop> {
        match self.shared.stopped.load(Ordering::Relaxed) {
            1 => return Err(Stop::Timeout),
            2 => return Err(Stop::Memory),
            3 => return Err(Stop::Cancelled),
            _ => {}
        }
        match self.deadline() {
            Some(deadline) if Instant::now() >= deadline => Err(Stop::Timeout),
            _ => Ok(()),
        }
    }

    /// A handle on a part of the run that can be stopped by itself: stopping the run stops the
    /// part as well, but not the other way round.
    pub fn branch(&self) -> Control {
        let branch = Control {
            shared: Arc::new(Shared {
                trunk: Some(self.shared.clone()),
                ..Shared::default()
            }),
            deadline: self.deadline,
            questions: self.questions.clone(),
            meter: self.meter.clone(),
            seed: self.seed,
        };
        let mut branches = unpoisoned(&self.shared.branches);
        branches.retain(|branch| branch.strong_count() > 0);
        branches.push(Arc::downgrade(&branch.shared));
        drop(branches);
        // Only now: a stop before the branch was known would go unnoticed else.
        branch
            .shared
            .stop(self.shared.stopped.load(Ordering::SeqCst));
        if let Some(&deadline) = self.shared.hastened.get() {
            branch.shared.hasten(deadline);
        }
        branch
    }

    /// Makes who works on this run or a part of it wait, until what is returned is dropped or the run is stopped. Nothing else
    /// may hold it at the same time.
    pub fn hold(&self) -> Held {
        self.shared.held.store(true, Ordering::SeqCst);
        Held(self.shared.clone())
    }

    /// Says whether memory is short: the run is not stopped yet, but will be if nobody gives some back.
    pub fn tell_memory(&self, is_short: bool) {
        self.shared.short.store(is_short, Ordering::Relaxed);
    }

    /// Whether memory is short for the run that this is a part of.
    pub fn is_memory_short(&self) -> bool {
        self.shared.is_memory_short()
    }

    /// Stops the run. The first reason stays.
    pub fn stop(&self, reason: Stop) {
        self.shared.stop(match reason {
            Stop::Timeout => 1,
            Stop::Memory => 2,
            Stop::Cancelled => 3,
        });
    }

    /// Lets the run and its parts go on for `patience` at most. The first call counts.
    pub fn hasten(&self, patience: Duration) {
        self.shared.hasten(Instant::now() + patience);
    }

    /// Wakes up whoever works on a part of the run whose own deadline has passed; the run goes on.
    /// For who watches: not everything that can be woken up has a clock.
    pub fn wake_overdue(&self) {
        self.shared.wake_overdue(Instant::now());
    }

    /// The time left; `None` without a limit.
    pub fn remaining(&self) -> Option<Duration> {
        self.deadline()
            .map(|deadline| deadline.saturating_duration_since(Instant::now()))
    }

    /// The moment at which the run has to end.
    pub fn deadline(&self) -> Option<Instant> {
        let limits = [self.deadline, self.shared.hastened.get().copied()];
        limits.into_iter().flatten().min()
    }

    /// Has `interrupt` called when the run is stopped while the guard lives, and when the deadline
    /// of this handle has passed and somebody watches. It may be called more than once, and from
    /// another thread.
    pub fn on_stop(&self, interrupt: impl Fn() + Send + 'static) -> InterruptGuard {
        let mut interrupts = self.interrupts();
        let id = interrupts.last().map_or(0, |last| last.id + 1);
        interrupts.push(Interrupt {
            id,
            deadline: self.deadline,
            call: Box::new(interrupt),
        });
        InterruptGuard {
            control: self.clone(),
            id,
        }
    }

    fn interrupts(&self) -> MutexGuard<'_, Vec<Interrupt>> {
        unpoisoned(&self.shared.interrupts)
    }
}

impl Shared {
    /// Stops the run and its branches; 0 is no reason.
    fn stop(&self, code: u8) {
        if code == 0 {
            return;
        }
        let _ = self
            .stopped
            .compare_exchange(0, code, Ordering::SeqCst, Ordering::SeqCst);
        for interrupt in unpoisoned(&self.interrupts).iter() {
            (interrupt.call)();
        }
        for branch in self.branches() {
            branch.stop(code);
        }
    }

    /// Whether who works on it is to wait. A part asks those that it is a part of.
    fn is_held(&self) -> bool {
        self.held.load(Ordering::Relaxed)
            || self.trunk.as_ref().is_some_and(|trunk| trunk.is_held())
    }

    fn is_memory_short(&self) -> bool {
        self.short.load(Ordering::Relaxed)
            || self
                .trunk
                .as_ref()
                .is_some_and(|trunk| trunk.is_memory_short())
    }

    fn hasten(&self, deadline: Instant) {
        let _ = self.hastened.set(deadline);
        for branch in self.branches() {
            branch.hasten(deadline);
        }
    }

    fn wake_overdue(&self, now: Instant) {
        let is_over = self.hastened.get().is_some_and(|&deadline| deadline <= now);
        for interrupt in unpoisoned(&self.interrupts).iter() {
            if is_over || interrupt.deadline.is_some_and(|deadline| deadline <= now) {
                (interrupt.call)();
            }
        }
        for branch in self.branches() {
            branch.wake_overdue(now);
        }
    }

    fn branches(&self) -> Vec<Arc<Shared>> {
        let branches = unpoisoned(&self.branches);
        branches.iter().filter_map(Weak::upgrade).collect()
    }
}

fn unpoisoned<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Drop for Held {
    fn drop(&mut self) {
        self.0.held.store(false, Ordering::SeqCst);
    }
}

impl Drop for InterruptGuard {
    fn drop(&mut self) {
        let id = self.id;
        self.control.interrupts().retain(|other| other.id != id);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;

    #[test]
    fn only_overdue_parts_of_a_run_are_woken_up() {
        let run = Control::unlimited();
        let watched = |control: &Control| {
            let woken = Arc::new(AtomicBool::new(false));
            let flag = woken.clone();
            let guard = control.on_stop(move || flag.store(true, Ordering::SeqCst));
            (woken, guard)
        };
        let (whole, _whole) = watched(&run);
        let (early, _early) = watched(&run.within(Some(Duration::from_secs(3600))));
        let (late, late_guard) = watched(&run.within(Some(Duration::ZERO)));
        run.wake_overdue();
        assert!(late.swap(false, Ordering::SeqCst));
        assert!(!early.load(Ordering::SeqCst) && !whole.load(Ordering::SeqCst));
        assert_eq!(run.check(), Ok(()));
        drop(late_guard);
        run.wake_overdue();
        run.stop(Stop::Memory);
        assert!(!late.load(Ordering::SeqCst));
        assert!(early.load(Ordering::SeqCst) && whole.load(Ordering::SeqCst));
        assert_eq!(run.check(), Err(Stop::Memory));
    }

    #[test]
    fn a_part_that_is_hastened_ends_before_its_deadline() {
        let run = Control::unlimited();
        let part = run.branch().within(Some(Duration::from_secs(3600)));
        let inner = part.branch();
        let woken = Arc::new(AtomicBool::new(false));
        let flag = woken.clone();
        let _guard = inner.on_stop(move || flag.store(true, Ordering::SeqCst));
        part.hasten(Duration::ZERO);
        // The first call counts.
        part.hasten(Duration::from_secs(3600));
        for over in [&part, &inner, &part.branch()] {
            assert_eq!(over.check(), Err(Stop::Timeout));
            assert_eq!(over.remaining(), Some(Duration::ZERO));
        }
        assert_eq!((run.check(), run.remaining()), (Ok(()), None));
        run.wake_overdue();
        assert!(woken.load(Ordering::SeqCst));
    }

    #[test]
    fn who_works_waits_while_the_run_is_held() {
        let run = Control::unlimited();
        let (team, counted) = (run.branch(), Arc::new(AtomicU8::new(0)));
        let worker = {
            let (part, counted) = (team.branch(), counted.clone());
            std::thread::spawn(move || {
                while part.check().is_ok() {
                    counted.fetch_add(1, Ordering::SeqCst);
                    std::thread::sleep(NAP);
                }
            })
        };
        let seen = |from: u8| {
            let start = Instant::now();
            while counted.load(Ordering::SeqCst) == from && start.elapsed().as_secs() < 60 {
                std::thread::sleep(NAP);
            }
            counted.load(Ordering::SeqCst)
        };
        assert!(seen(0) > 0);
        let held = team.hold();
        // Who holds it does not wait.
        assert_eq!(run.check(), Ok(()));
        assert_eq!(
            team.branch().within(Some(Duration::ZERO)).check(),
            Err(Stop::Timeout)
        );
        std::thread::sleep(Duration::from_millis(50));
        let before = counted.load(Ordering::SeqCst);
        std::thread::sleep(Duration::from_millis(50));
        assert_eq!(counted.load(Ordering::SeqCst), before);
        drop(held);
        assert_ne!(seen(before), before);
        let _held = team.hold();
        run.stop(Stop::Cancelled);
        worker.join().unwrap();
    }

    #[test]
    fn parts_of_a_run_hear_that_memory_is_short() {
        let run = Control::unlimited();
        let part = run.branch().branch().within(Some(NAP));
        run.tell_memory(true);
        assert!(part.is_memory_short());
        run.tell_memory(false);
        assert!(!part.is_memory_short());
    }

    #[test]
    fn a_branch_stops_alone_or_with_the_run() {
        let run = Control::unlimited();
        let (one, other) = (run.branch(), run.branch().branch());
        one.stop(Stop::Cancelled);
        assert_eq!(one.check(), Err(Stop::Cancelled));
        assert_eq!((run.check(), other.check()), (Ok(()), Ok(())));
        let woken = Arc::new(AtomicBool::new(false));
        let flag = woken.clone();
        let _guard = other.on_stop(move || flag.store(true, Ordering::SeqCst));
        run.stop(Stop::Timeout);
        assert!(woken.load(Ordering::SeqCst));
        assert_eq!(other.check(), Err(Stop::Timeout));
        assert_eq!(one.check(), Err(Stop::Cancelled));
        assert_eq!(run.branch().check(), Err(Stop::Timeout));
    }
}
