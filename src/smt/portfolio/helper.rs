//! A question on a thread of its own.
//!
//! The thread takes a whole context with it ([`Apart`]), so nothing is shared. Nobody waits for it
//! without an end: if Z3 does not hear that it is to stop, the thread is left alone with its
//! context, which it frees when it comes to an end.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::answer::{Failure, classify};
use crate::limits;
use crate::raw::{Apart, Interrupter, Truth, survive};
use crate::threads::try_thread;

/// Z3 walks deep formulas by recursion. What is not used costs nothing.
const STACK: usize = 64 << 20;

/// How many threads of this kind there are in the process.
static HELPERS: AtomicUsize = AtomicUsize::new(0);

/// One of the helpers, counted while it works.
struct Counted;

impl Counted {
    fn new() -> Counted {
        HELPERS.fetch_add(1, Ordering::SeqCst);
        Counted
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        HELPERS.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Whether there is a core for a helper beside the thread that asks. Other threads of the caller
/// are not known here; the system shares the cores among them.
pub(super) fn has_core() -> bool {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    HELPERS.load(Ordering::SeqCst) + 1 < cores
}

/// Whether there are so many helpers that did not stop when they were told to that no more are
/// started.
pub(super) fn is_crowded() -> bool {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    HELPERS.load(Ordering::SeqCst) >= 4 * cores
}

/// What rings.
type Ring = Box<dyn Fn() + Send>;

/// Wakes up whoever waits for the helper or works beside it, if that is anybody.
#[derive(Clone, Default)]
pub(super) struct Bell(Arc<Mutex<Option<Ring>>>);

/// While it lives, the bell rings at somebody's.
pub(super) struct Listening(Bell);

impl Bell {
    fn lock(&self) -> MutexGuard<'_, Option<Ring>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Has `ring` called, perhaps more than once, when there is an answer. Dropping the result
    /// waits until no call is under way.
    pub(super) fn listen(&self, ring: impl Fn() + Send + 'static) -> Listening {
        *self.lock() = Some(Box::new(ring));
        Listening(self.clone())
    }

    /// Calls whoever listens; false if nobody does.
    fn ring(&self) -> bool {
        let listener = self.lock();
        listener.as_ref().map(|ring| ring()).is_some()
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        *self.0.lock() = None;
    }
}

/// What a helper found out.
pub(super) struct Finding {
    /// The context with the answer, for its model.
    pub(super) apart: Apart,
    pub(super) answer: Result<Truth, Failure>,
    /// How long it took.
    pub(super) time: Duration,
}

/// A thread that works on one question.
pub(super) struct Helper {
    findings: Receiver<Finding>,
    /// None as soon as there is nothing to interrupt.
    interrupter: Arc<Mutex<Option<Interrupter>>>,
    bell: Bell,
    start: Instant,
}

impl Helper {
    /// Starts to work on the question.
    ///
    /// # Errors
    /// If there is no thread for it.
    pub(super) fn start(apart: Apart) -> Result<Helper, Failure> {
        let start = Instant::now();
        let bell = Bell::default();
        let interrupter = Arc::new(Mutex::new(Some(apart.interrupter())));
        let (sender, findings) = channel();
        let counted = Counted::new();
        let work = Work {
            apart,
            interrupter: interrupter.clone(),
            bell: bell.clone(),
            sender,
            start,
            counted,
        };
        thread::Builder::new()
            .name("fresh solver".into())
            .stack_size(STACK)
            .spawn(move || work.run())
            .map_err(|error| Failure::Incomplete(format!("no thread for a question: {error}")))?;
        Ok(Helper {
            findings,
            interrupter,
            bell,
            start,
        })
    }

    /// When it began.
    pub(super) fn start_time(&self) -> Instant {
        self.start
    }

    /// Rings when there is an answer (and not when there is none).
    pub(super) fn bell(&self) -> Bell {
        self.bell.clone()
    }

    /// What it found out, if it comes to an end within the time.
    pub(super) fn wait(&self, time: Duration) -> Progress {
        match self.findings.recv_timeout(time) {
            Ok(finding) => Progress::Ended(finding),
            Err(RecvTimeoutError::Timeout) => Progress::Working,
            // It cannot say more: a panic there is no answer.
            Err(RecvTimeoutError::Disconnected) => Progress::Lost,
        }
    }
}

/// Ends the work, and waits a little until it has ended.
impl Drop for Helper {
    fn drop(&mut self) {
        let start = Instant::now();
        while start.elapsed() < limits::OBEY {
            if let Some(interrupter) = &*unpoisoned(&self.interrupter) {
                interrupter.interrupt();
            }
            match self.wait(limits::AGAIN) {
                Progress::Working => {}
                Progress::Ended(_) | Progress::Lost => return,
            }
        }
    }
}

/// How a helper is getting on.
pub(super) enum Progress {
    Working,
    Ended(Finding),
    Lost,
}

/// What the thread has.
struct Work {
    apart: Apart,
    interrupter: Arc<Mutex<Option<Interrupter>>>,
    bell: Bell,
    sender: Sender<Finding>,
    start: Instant,
    counted: Counted,
}

/// Takes the interrupter away before the context is dropped, whatever happens.
struct Interruptible<'i>(&'i Mutex<Option<Interrupter>>);

impl Drop for Interruptible<'_> {
    fn drop(&mut self) {
        *unpoisoned(self.0) = None;
    }
}

impl Work {
    fn run(self) {
        let Work {
            apart,
            interrupter,
            bell,
            sender,
            start,
            counted,
        } = self;
        let answer = {
            let _interruptible = Interruptible(&interrupter);
            try_thread().and_then(|()| {
                survive(|| match apart.check()? {
                    Truth::Unknown => Err(classify(&apart.reason_unknown())),
                    answer => Ok(answer),
                })
            })
        };
        let has_answer = answer.is_ok();
        let finding = Finding {
            apart,
            answer,
            time: start.elapsed(),
        };
        // If nobody is there any more, the context is dropped here.
        let heard = sender.send(finding);
        drop(counted);
        if heard.is_ok() && has_answer {
            // Who works beside may not have begun to listen to interruptions when it is rung.
            while bell.ring() {
                thread::sleep(limits::AGAIN);
            }
        }
    }
}

fn unpoisoned<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
