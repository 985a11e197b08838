//! Limits and interruptions: the main thread watches over a worker thread.
//!
//! The worker is asked to stop through its [`Control`]. If it does not do so within a grace
//! period, the watcher ends the process without it; what the worker had published by then is not
//! lost.

use std::sync::Once;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use super::exit::Exit;
use super::limits;
use super::memory;
use super::output::{self, complain};
use super::process::end_at_once;
use ult_core::control::{Control, Stop};
use ult_core::questions::Listener;
use ult_core::stats::Statistics;
use ult_driver::Progress;
use ult_driver::worker;

/// What a run is not allowed to exceed, and who listens to it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Limits {
    /// Wall time.
    pub timeout: Option<Duration>,
    /// Megabytes of memory in use.
    pub memory: Option<u64>,
    /// Who listens to the questions that solvers are asked.
    pub questions: Listener,
    /// Whether the work is for whoever reads stdout. If nobody does, it ends.
    pub for_stdout: bool,
}

impl Limits {
    /// What is left of them after work that began at `start`.
    pub(crate) fn since(self, start: Instant) -> Limits {
        let left = |time: Duration| time.saturating_sub(start.elapsed());
        Limits {
            timeout: self.timeout.map(left),
            ..self
        }
    }
}

/// Work that was told to stop at the limit of memory may take so many megabytes more until it does. If it takes more, the process
/// ends without it.
const EXCESS: u64 = 50;

/// How often Ctrl-C was pressed, or the process was asked to end.
static INTERRUPTS: AtomicU32 = AtomicU32::new(0);

/// What the worker tells the watcher.
pub(crate) enum Event<T> {
    /// Something is ready to be shown.
    Ready(T),
    /// All is done.
    Done,
}

/// How supervised work ended.
pub(crate) enum End {
    /// The worker finished, on its own or because it was asked to.
    Finished,
    /// The worker did not stop in time and is still running.
    Abandoned(Stop),
    /// The worker ended without saying so.
    Lost,
}

/// Runs `work` on a thread of its own until it is done or a limit is reached. What it sends is
/// given to `show` on this thread.
///
/// # Errors
/// If no thread can be started, or no way to watch the limits.
pub(crate) fn supervise<T: Send + 'static>(
    bounds: Limits,
    progress: &Progress,
    show_progress: bool,
    work: impl FnOnce(&Control, &dyn Fn(T)) + Send + 'static,
    mut show: impl FnMut(T),
) -> Result<End, Exit> {
    if bounds.memory.is_some() && resident_megabytes().is_none() {
        complain("--memory is not supported on this system");
        return Err(Exit::Usage);
    }
    let start = Instant::now();
    let deadline = bounds.timeout.and_then(|time| start.checked_add(time));
    let control = Control::with_deadline(deadline).with_questions(bounds.questions);
    listen_to_interrupts();
    let (sender, events) = mpsc::channel::<Event<T>>();
    let worker = {
        let control = control.clone();
        move || {
            work(&control, &|result| {
                // If the watcher is gone, so is the process, in a moment.
                let _ = sender.send(Event::Ready(result));
            });
            let _ = sender.send(Event::Done);
        }
    };
    spawn(worker)?;

    let mut line = ProgressLine::new(show_progress);
    let mut stopped: Option<(Stop, Instant)> = None;
    // The memory in use then, or the limit.
    let mut most: u64 = 0;
    let end = loop {
        match events.recv_timeout(limits::TICK) {
            Ok(Event::Ready(result)) => {
                line.clear();
                show(result);
            }
            Ok(Event::Done) => break End::Finished,
            Err(RecvTimeoutError::Disconnected) => break End::Lost,
            Err(RecvTimeoutError::Timeout) => {}
        }
        if INTERRUPTS.load(Ordering::SeqCst) > 1 {
            line.clear();
            end_at_once(Exit::Interrupted);
        }
        // Where there is no limit, nobody needs to know.
        let memory = bounds
            .memory
            .zip(bounds.memory.and_then(|_| used_megabytes()));
        if let Some((stop, since)) = stopped {
            let over = memory.is_some_and(|(_, used)| used > most.saturating_add(EXCESS));
            if over || since.elapsed() > limits::GRACE {
                break End::Abandoned(if over { Stop::Memory } else { stop });
            }
        } else if let Some(stop) = reason_to_stop(deadline, memory, bounds.for_stdout) {
            control.stop(stop);
            stopped = Some((stop, Instant::now()));
            most = memory.map_or(0, |(limit, used)| used.max(limit));
        } else {
            // The share of one unit may be over; the others go on.
            control.wake_overdue();
            // Two thirds are in use.
            control.tell_memory(memory.is_some_and(|(limit, used)| used > limit / 3 * 2));
            if let Some(activity) = progress.activity() {
                line.show(start, &activity, progress);
            }
        }
    };
    line.clear();
    Ok(end)
}

/// How often the run was interrupted.
pub(crate) fn interrupts() -> u32 {
    INTERRUPTS.load(Ordering::SeqCst)
}

/// Whether the run was interrupted.
pub(crate) fn interrupted() -> bool {
    INTERRUPTS.load(Ordering::SeqCst) > 0
}

/// Why the run is to stop, if so: `memory` is the limit, and what is in use of it.
fn reason_to_stop(
    deadline: Option<Instant>,
    memory: Option<(u64, u64)>,
    for_stdout: bool,
) -> Option<Stop> {
    if interrupted() || for_stdout && output::is_unread() {
        return Some(Stop::Cancelled);
    }
    if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
        return Some(Stop::Timeout);
    }
    if memory::exhausted() {
        return Some(Stop::Memory);
    }
    memory
        .is_some_and(|(limit, used)| used > limit)
        .then_some(Stop::Memory)
}

/// Counts interrupts from now on. To be called before there are other threads.
///
/// Z3 replaces the handler of the process for SIGINT while it computes, and would swallow the
/// first Ctrl-C. So the signals are blocked, for this thread and all that it starts, and a thread
/// of its own waits for them; handlers then play no part. (A handler is set all the same: a
/// signal that the parent process had us ignore would never become pending.)
pub(crate) fn listen_to_interrupts() {
    static LISTENING: Once = Once::new();
    LISTENING.call_once(start_to_listen);
}

fn start_to_listen() {
    #[cfg(unix)]
    {
        use nix::sys::signal::{SigSet, Signal};
        let signals: SigSet = [Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP]
            .into_iter()
            .collect();
        if signals.thread_block().is_ok() {
            let wait = move || {
                while signals.wait().is_ok() {
                    note_interrupt();
                }
            };
            let waiting = thread::Builder::new().name("signals".into()).spawn(wait);
            if waiting.is_err() {
                // Better a handler that Z3 may replace than none.
                let _ = signals.thread_unblock();
            }
        }
    }
    // If it fails, another handler was set before.
    let _ = ctrlc::set_handler(note_interrupt);
}

fn note_interrupt() {
    if INTERRUPTS.fetch_add(1, Ordering::SeqCst) > 1 {
        // Not even the watcher reacts.
        end_at_once(Exit::Interrupted);
    }
}

fn spawn(work: impl FnOnce() + Send + 'static) -> Result<(), Exit> {
    worker::spawn("work", work).map_err(|error| {
        complain(&format!("cannot start a thread: {error}"));
        Exit::Internal
    })
}

/// The memory that the process and those that it started use, where the system tells.
pub(crate) fn used_megabytes() -> Option<u64> {
    let others = ult_smt::processes::resident_pages() * page_size();
    Some(resident_megabytes()? + (others >> 20))
}

/// The memory that the process uses, where the system tells.
pub(crate) fn resident_megabytes() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = text.split_whitespace().nth(1)?.parse().ok()?;
    Some((pages * page_size()) >> 20)
}

fn page_size() -> u64 {
    static SIZE: std::sync::OnceLock<u64> = std::sync::OnceLock::new();
    *SIZE.get_or_init(|| {
        // The kernel says the same memory in kB and in pages; the quotient, rounded to a power of
        // two, is the size of a page.
        let kilobytes = || -> Option<u64> {
            let status = std::fs::read_to_string("/proc/self/status").ok()?;
            let line = status.lines().find(|line| line.starts_with("VmSize:"))?;
            line.split_whitespace().nth(1)?.parse().ok()
        };
        let pages = || -> Option<u64> {
            let text = std::fs::read_to_string("/proc/self/statm").ok()?;
            text.split_whitespace().next()?.parse().ok()
        };
        match (kilobytes(), pages()) {
            (Some(kilobytes), Some(pages)) if pages > 0 => {
                let quotient = kilobytes * 1024 / pages;
                [4096u64, 8192, 16384, 32768, 65536]
                    .into_iter()
                    .min_by_key(|size| size.abs_diff(quotient))
                    .unwrap_or(4096)
            }
            _ => 4096,
        }
    })
}

/// A line on the terminal that says what is being done.
struct ProgressLine {
    on: bool,
    shown: Option<Instant>,
}

impl ProgressLine {
    fn new(wanted: bool) -> ProgressLine {
        ProgressLine {
            on: wanted && output::stderr_is_terminal(),
            shown: None,
        }
    }

    fn show(&mut self, start: Instant, activity: &ult_driver::Activity, progress: &Progress) {
        let due = self.shown.map_or(start, |shown| shown).elapsed() >= limits::PROGRESS;
        if !self.on || !due {
            return;
        }
        let unit: String = activity.unit.chars().take(40).collect();
        output::stderr(&format!(
            "\r\x1b[K{unit} ({} of {}): {:.1} s, {:.1} s in all{}",
            activity.number,
            activity.units,
            activity.since.elapsed().as_secs_f64(),
            start.elapsed().as_secs_f64(),
            doing(progress),
        ));
        self.shown = Some(Instant::now());
    }

    fn clear(&mut self) {
        if self.shown.take().is_some() {
            output::stderr("\r\x1b[K");
        }
    }
}

/// Who is at work, what is left, and how far it is, as far as that is counted before the work ends.
fn doing(progress: &Progress) -> String {
    match progress.counted() {
        Some(counted) => amount(&progress.at_work(), progress.obligations(), &counted),
        None => String::new(),
    }
}

/// The engines at work, how many obligations there are and how many of them are open, and what was counted.
fn amount(engines: &[&str], (all, open): (usize, usize), counted: &Statistics) -> String {
    let mut told = Vec::new();
    if !engines.is_empty() {
        told.push(engines.join(", "));
    }
    if open > 0 {
        told.push(format!("{open} of {all} obligations open"));
    }
    let parts = [
        (counted.runs, "runs executed"),
        (counted.depth, "steps unrolled"),
        (counted.refinements, "refinements"),
        (counted.solver_calls, "questions to the solver"),
    ];
    let parts = parts.into_iter().filter(|(count, _)| *count > 0);
    told.extend(parts.map(|(count, what)| format!("{count} {what}")));
    match told.is_empty() {
        true => String::new(),
        false => format!("; {}", told.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::{Statistics, amount};

    #[test]
    fn who_works_what_is_left_and_how_far_it_is() {
        let mut counted = Statistics::default();
        assert_eq!(amount(&[], (0, 0), &counted), "");
        assert_eq!(amount(&["run"], (2, 0), &counted), "; run");
        counted.depth = 12;
        counted.solver_calls = 340;
        assert_eq!(
            amount(&["slicing", "k-induction"], (5, 2), &counted),
            "; slicing, k-induction, 2 of 5 obligations open, 12 steps unrolled, 340 questions to the solver"
        );
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn the_memory_in_use_is_known() {
        let used = super::resident_megabytes().unwrap();
        assert!((1..100_000).contains(&used), "{used} MB");
        assert!(super::page_size().is_power_of_two());
    }
}
