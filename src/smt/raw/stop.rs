//! What other threads may do to a context: stop what it computes.
//!
//! Handles for other threads have no pointers that they could use. They know the [`Switch`] of their context, and there
//! the pointers lie only as long as what they point to: the context takes its own away before it goes, a question that of its
//! solver when it ends. Both happen under the lock that a handle holds while it uses a pointer, so that
//! it does not matter how long a handle lives, or whether anybody drops it.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use z3_sys::*;

use super::Solver;
use super::call::death;

/// Where other threads find what they may stop. Clones are the same switch.
#[derive(Clone)]
pub(super) struct Switch(Arc<Mutex<Reach>>);

/// What can be reached at the moment.
struct Reach {
    /// Until the context goes.
    context: Option<Z3_context>,
    /// As long as it is asked. A context belongs to one thread, so it is one at a time.
    asked: Option<Z3_solver>,
}

// SAFETY: the pointers are private to this module. Threads other than the context's use them for rule 4's two calls only, and
// under the lock, without which nobody takes them away.
unsafe impl Send for Reach {}

/// Stops whatever its context computes, from any thread. After the end of the context it does nothing.
pub(crate) struct Interrupter(Switch);

/// Stops the question that its solver works on, from any thread, and nothing else: later
/// questions are not affected, nor is anything after the end of the solver.
pub(crate) struct Waker {
    switch: Switch,
    /// The address of the solver, to compare with.
    solver: usize,
}

/// While it lives, its solver can be reached.
pub(super) struct Asked<'s>(&'s Switch);

impl Switch {
    /// The switch of a context, to be closed before the context goes.
    pub(super) fn of(context: Z3_context) -> Switch {
        Switch(Arc::new(Mutex::new(Reach {
            context: Some(context),
            asked: None,
        })))
    }

    /// Nothing can be reached from now on. Waits for the calls that are under way.
    pub(super) fn close(&self) {
        let mut reach = self.reach();
        reach.context = None;
        reach.asked = None;
    }

    pub(super) fn interrupter(&self) -> Interrupter {
        Interrupter(self.clone())
    }

    pub(super) fn waker(&self, solver: &Solver) -> Waker {
        Waker {
            switch: self.clone(),
            solver: address(solver.raw),
        }
    }

    /// To be called before a solver of the context is asked.
    pub(super) fn ask<'s>(&'s self, solver: &'s Solver) -> Asked<'s> {
        self.reach().asked = Some(solver.raw);
        Asked(self)
    }

    fn reach(&self) -> MutexGuard<'_, Reach> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Asked<'_> {
    fn drop(&mut self) {
        self.0.reach().asked = None;
    }
}

fn address(solver: Z3_solver) -> usize {
    solver.as_ptr() as usize
}

impl Interrupter {
    /// Stops the computation under way, if there is one.
    pub(crate) fn interrupt(&self) {
        let reach = self.0.reach();
        if let Some(context) = reach.context
            && death(Some(context)).is_none()
        {
            // SAFETY: rule 4; the context takes its pointer away under this lock before it goes.
            unsafe { z3!(elsewhere Z3_interrupt(context)) }
        }
    }
}

impl Waker {
    /// Stops the question, if there is one.
    pub(crate) fn wake(&self) {
        let reach = self.switch.reach();
        if let (Some(context), Some(asked)) = (reach.context, reach.asked)
            && address(asked) == self.solver
            && death(Some(context)).is_none()
        {
            // SAFETY: rule 4; the question takes the pointer away under this lock when it ends, and borrows the
            // solver until then.
            unsafe { z3!(elsewhere Z3_solver_interrupt(context, asked)) }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::sync::mpsc;
    use std::thread;
    use std::time::Duration;

    use super::super::{Context, Error, Truth};
    use super::*;

    /// A solver that has been told something with many models.
    fn solver() -> (Context, Solver) {
        let context = Context::new().unwrap();
        let solver = context.simple_solver().unwrap();
        let script = "(declare-const x Int)(assert (< 5 x))";
        solver.assert_text(script).unwrap();
        (context, solver)
    }

    #[test]
    fn handles_may_outlive_what_they_stop() {
        let (context, solver) = solver();
        let (interrupter, waker) = (context.interrupter(), solver.waker());
        // Nothing is asked.
        waker.wake();
        assert_eq!(solver.check(&[]), Ok(Truth::Sat));
        drop(solver);
        waker.wake();
        let other = context.simple_solver().unwrap();
        assert_eq!(other.check(&[]), Ok(Truth::Sat));
        drop((context, other));
        assert!(interrupter.0.reach().context.is_none());
        // Elsewhere, too.
        let late = move || {
            waker.wake();
            interrupter.interrupt();
        };
        thread::spawn(late).join().unwrap();
    }

    #[test]
    fn only_the_solver_that_is_asked_can_be_reached() {
        let (context, solver) = solver();
        let other = context.simple_solver().unwrap();
        let switch = &context.owned.switch;
        assert!(switch.reach().asked.is_none());
        let asked = switch.ask(&solver);
        let reached = switch.reach().asked.map(address);
        assert_eq!(reached, Some(solver.waker().solver));
        assert_ne!(reached, Some(other.waker().solver));
        drop(asked);
        assert!(switch.reach().asked.is_none());
    }

    #[test]
    fn stopping_and_ending_at_the_same_time() {
        let (send, handles) = mpsc::channel::<(Interrupter, Waker)>();
        let done = AtomicBool::new(false);
        let is_done = &done;
        thread::scope(|scope| {
            scope.spawn(move || {
                let mut kept = Vec::new();
                while !is_done.load(Ordering::SeqCst) {
                    kept.extend(handles.try_iter());
                    let recent = kept.len().saturating_sub(4);
                    for (interrupter, waker) in &kept[recent..] {
                        interrupter.interrupt();
                        waker.wake();
                    }
                }
            });
            for _ in 0..100 {
                let context = Context::new().unwrap();
                let Ok(solver) = context.simple_solver() else {
                    continue;
                };
                send.send((context.interrupter(), solver.waker())).unwrap();
                for _ in 0..10 {
                    match solver.check(&[]) {
                        Ok(Truth::Sat | Truth::Unknown) | Err(Error::Interrupted) => {}
                        other => panic!("{other:?}"),
                    }
                }
            }
            done.store(true, Ordering::SeqCst);
        });
    }

    #[test]
    fn a_question_ends_when_its_solver_is_woken() {
        let (context, solver) = solver();
        // Pigeons and holes: too many to try.
        let mut script = String::new();
        let at = |pigeon, hole| format!("p{pigeon}h{hole}");
        for pigeon in 0..=12 {
            for hole in 0..12 {
                script += &format!("(declare-const {} Bool)", at(pigeon, hole));
            }
            let somewhere: Vec<String> = (0..12).map(|hole| at(pigeon, hole)).collect();
            script += &format!("(assert (or {}))", somewhere.join(" "));
            for (other, hole) in (0..pigeon).flat_map(|p| (0..12).map(move |hole| (p, hole))) {
                let (one, two) = (at(pigeon, hole), at(other, hole));
                script += &format!("(assert (not (and {one} {two})))");
            }
        }
        solver.assert_text(&script).unwrap();
        let waker = solver.waker();
        let done = AtomicBool::new(false);
        thread::scope(|scope| {
            scope.spawn(|| {
                while !done.load(Ordering::SeqCst) {
                    thread::sleep(Duration::from_millis(5));
                    waker.wake();
                }
            });
            assert_eq!(solver.check(&[]), Ok(Truth::Unknown));
            done.store(true, Ordering::SeqCst);
        });
        drop(context);
    }
}
