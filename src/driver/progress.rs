//! What a run knows so far, for those who follow it: by looking, or by being told.
//!
//! Whoever has time looks at [`Progress::latest`] and [`Progress::activity`] now and then. Whoever wants
//! to hear of each step gives a function to [`Progress::with_listener`], or takes the events from the
//! channel of [`Progress::subscribe`].
//!
//! ```
//! use std::sync::{Arc, Mutex};
//! use ult_core::control::Control;
//! use ult_driver::{Progress, Event, Language, Settings, Source, check};
//!
//! let heard = Arc::new(Mutex::new(Vec::new()));
//! let notes = heard.clone();
//! let progress = Progress::with_listener(move |event| {
//!     let note = match event {
//!         Event::Begins(activity) => format!("{}?", activity.unit),
//!         Event::Known { unit, .. } => format!("{} {}", unit.name, unit.conclusion()),
//!         Event::Changed { unit, .. } => format!("{} now {}", unit.name, unit.conclusion()),
//!         Event::Done(report) => format!("all {}", report.conclusion()),
//!         _ => return,
//!     };
//!     notes.lock().expect("no panic").push(note);
//! })?;
//! let text = "procedure p(x: int) { assert x + 1 > x; } procedure q(x: int) { assert x > 0; }";
//! let source = Source::new("pq.bpl", text);
//! let (settings, control) = (Settings::default(), Control::unlimited());
//! check(&source, Language::Boogie, &settings, &control, &progress)?;
//! progress.close();
//! assert_eq!(
//!     *heard.lock().expect("no panic"),
//!     ["p?", "p SAFE", "q?", "q UNSAFE", "all UNSAFE"],
//! );
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A listener has a thread of its own. So it may take its time, and if it panics, it hears no more:
//! the run goes on as if nobody had listened.
//!
//! **What has been told as SAFE or UNSAFE is never taken back**, neither to those who look nor to
//! those who are told, with one exception: if SAFE and UNSAFE are both found for one obligation,
//! there is a bug, and it becomes UNKNOWN. (What a compiled C program says about a violation is
//! asked by others, after the run.) An obligation of a procedure that is verified only for the sake
//! of its contract is no longer listed there once an entry is known to violate it.

use std::io;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Instant;

use super::result::{ObligationReport, Report, UnitReport};
use ult_check::lattice::VerdictKind;
use ult_core::stats::{Meter, Statistics};

/// A shared place where a run publishes what it knows: see the [module](self). Clones are
/// one place.
#[derive(Clone, Default)]
pub struct Progress {
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    report: Option<Report>,
    /// What the work on the file has cost since its beginning.
    meter: Option<(Meter, Instant)>,
    activity: Option<Activity>,
    followers: Vec<Sender<Event>>,
    listener: Option<JoinHandle<()>>,
}

/// What is being done.
#[derive(Clone, Debug)]
pub struct Activity {
    /// The unit.
    pub unit: Arc<str>,
    /// Its number, from 1 on.
    pub number: usize,
    /// How many units there are, as far as is known.
    pub units: usize,
    /// When it was begun.
    pub since: Instant,
}

/// A step of a run. Cheap to clone.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Event {
    /// Work on a unit begins, maybe not for the first time.
    Begins(Activity),
    /// The verdicts of a unit are known for the first time. Those that are
    /// [pending](ObligationReport::pending) may change.
    Known {
        /// The place of the unit in [`Report::units`].
        index: usize,
        /// The unit, with each obligation and its verdict.
        unit: Arc<UnitReport>,
    },
    /// The verdicts of a unit changed: something is decided, or not pending any more.
    Changed {
        /// The place of the unit in [`Report::units`].
        index: usize,
        /// The unit as it is now.
        unit: Arc<UnitReport>,
    },
    /// The file is done. Nothing more comes about it.
    Done(Arc<Report>),
}

impl Progress {
    /// With somebody who is told of each event, in order, on a thread that belongs to this
    /// place. See [`Progress::close`] for when all was told.
    ///
    /// # Errors
    /// If there is no memory for a thread.
    pub fn with_listener(
        listener: impl Fn(&Event) + Send + Sync + 'static,
    ) -> io::Result<Progress> {
        let progress = Progress::default();
        let events = progress.subscribe();
        let thread = thread::Builder::new()
            .name("listener".into())
            .spawn(move || events.iter().for_each(|event| listener(&event)))?;
        progress.state().listener = Some(thread);
        Ok(progress)
    }

    /// A channel with all events from now on. It is closed when the progress is, or when nobody has the
    /// progress any more.
    pub fn subscribe(&self) -> Receiver<Event> {
        let (send, receive) = channel();
        self.state().followers.push(send);
        receive
    }

    /// No more events are sent from this progress. Waits until the listener, if there is one, has heard
    /// those before.
    pub fn close(&self) {
        let listener = {
            let mut state = self.state();
            state.followers.clear();
            state.listener.take()
        };
        if let Some(listener) = listener
            && listener.thread().id() != thread::current().id()
        {
            // If it panicked, that is its own affair.
            let _ = listener.join();
        }
    }

    /// Publishes what is known about the file being worked on. What is not decided is UNKNOWN with
    /// the reason that holds if nothing more comes.
    pub fn publish(&self, report: Report) {
        let mut state = self.state();
        let before = state.report.take();
        let before = before.iter().flat_map(|report| &report.units);
        let before: Vec<_> = before.cloned().collect();
        for (index, unit) in report.units.iter().enumerate() {
            state.tell_unit(index, before.get(index), unit);
        }
        state.report = Some(report);
    }

    /// Publishes the last report on a file: nothing more comes.
    pub fn finish(&self, report: Report) {
        self.publish(report.clone());
        let mut state = self.state();
        // The report has it all.
        state.meter = None;
        if !state.followers.is_empty() {
            state.tell(&Event::Done(Arc::new(report)));
        }
    }

    /// Publishes what is known about some units of the file that was [published](Progress::publish)
    /// before: each with its place in [`Report::units`], new ones in order. The costs are those of
    /// the units given, however many there are.
    pub fn update(
        &self,
        units: &[(usize, Arc<UnitReport>)],
        statistics: &Statistics,
        seconds: f64,
    ) {
        let mut state = self.state();
        let Some(mut report) = state.report.take() else {
            return;
        };
        for (index, unit) in units {
            state.tell_unit(*index, report.units.get(*index), unit);
            match report.units.get_mut(*index) {
                Some(place) => *place = unit.clone(),
                None => report.units.push(unit.clone()),
            }
        }
        report.statistics.clone_from(statistics);
        report.seconds = seconds;
        state.report = Some(report);
    }

    /// What was published last. Its statistics have what was counted since, as far as that is
    /// known before the work on a unit ends.
    pub fn latest(&self) -> Option<Report> {
        let state = self.state();
        let mut report = state.report.clone()?;
        if let Some((meter, since)) = &state.meter {
            report.statistics.raise_to(&meter.reading());
            report.seconds = report.seconds.max(since.elapsed().as_secs_f64());
        }
        Some(report)
    }

    /// A new meter for the work on a file, which has begun at `since`.
    pub(super) fn metered(&self, since: Instant) -> Meter {
        let meter = Meter::default();
        self.state().meter = Some((meter.clone(), since));
        meter
    }

    /// Says what is being done now.
    pub fn begin(&self, activity: Activity) {
        let mut state = self.state();
        state.tell(&Event::Begins(activity.clone()));
        state.activity = Some(activity);
    }

    /// Says that nothing is being done.
    pub fn pause(&self) {
        self.state().activity = None;
    }

    /// What is being done.
    pub fn activity(&self) -> Option<Activity> {
        self.state().activity.clone()
    }

    /// What was counted so far of the work on the file.
    pub fn counted(&self) -> Option<Statistics> {
        let state = self.state();
        state.meter.as_ref().map(|(meter, _)| meter.reading())
    }

    /// The engines that are at work.
    pub fn at_work(&self) -> Vec<&'static str> {
        let state = self.state();
        let meter = state.meter.as_ref();
        meter.map(|(meter, _)| meter.at_work()).unwrap_or_default()
    }

    /// How many obligations there are as far as is known, and how many of them are not decided.
    pub fn obligations(&self) -> (usize, usize) {
        let state = self.state();
        let obligations = state.report.iter().flat_map(Report::obligations);
        obligations.fold((0, 0), |(all, open), obligation| {
            let is_open = obligation.verdict.reason().is_some();
            (all + 1, open + usize::from(is_open))
        })
    }

    /// Wipes the progress for the next file. Those who are told of events stay.
    pub fn clear(&self) {
        let mut state = self.state();
        state.report = None;
        state.meter = None;
        state.activity = None;
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Sends the event to everybody who still listens.
    fn tell(&mut self, event: &Event) {
        self.followers
            .retain(|follower| follower.send(event.clone()).is_ok());
    }

    fn tell_unit(
        &mut self,
        index: usize,
        before: Option<&Arc<UnitReport>>,
        unit: &Arc<UnitReport>,
    ) {
        if self.followers.is_empty() || unit.pending {
            return;
        }
        let unit = unit.clone();
        match before.filter(|before| !before.pending) {
            None => self.tell(&Event::Known { index, unit }),
            Some(before) if says_the_same(before, &unit) => {}
            Some(_) => self.tell(&Event::Changed { index, unit }),
        }
    }
}

/// Whether the verdicts are the same, with whatever evidence.
fn says_the_same(a: &Arc<UnitReport>, b: &Arc<UnitReport>) -> bool {
    let same = |(a, b): (&ObligationReport, &ObligationReport)| {
        a.pending == b.pending
            && (a.span, a.clause, &a.kind, &a.description)
                == (b.span, b.clause, &b.kind, &b.description)
            && match (a.verdict.kind(), b.verdict.kind()) {
                // As long as it is pending, the reason is only what would be told if nothing came.
                (VerdictKind::Open(_), VerdictKind::Open(_)) if a.pending => true,
                (a, b) => a == b,
            }
    };
    Arc::ptr_eq(a, b)
        || a.stopped == b.stopped
            && a.obligations.len() == b.obligations.len()
            && a.obligations.iter().zip(&b.obligations).all(same)
}
