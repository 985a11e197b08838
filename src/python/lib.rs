//! The verifier as a Python module: `ult._ult`, which `ult/__init__.py` makes pleasant to use.
//!
//! One function checks one text. The work is done on a thread of its own, without Python's lock. The calling thread wakes up
//! every [`TICK`] to hear of Ctrl-C, of a [`Cancellation`], and to pass on what is known. What comes back is the report as
//! JSON: the same as `ult check --format json` prints.
//!
//! The files in `ult` make plain data of that. The command `ult` of the wheel is `ult/__main__.py`, which becomes the
//! program that lies beside it in the wheel. C goes to that program, too.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Receiver;
use std::time::{Duration, Instant};

use crossbeam_channel::{RecvTimeoutError, unbounded};
use pyo3::exceptions::{PyOSError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;

use ult_core::control::{Control, Stop};
use ult_core::reason::Reason;
use ult_driver::{Event, Language, Progress, Report, Settings, Source, UnitReport, worker};
use ult_engine::verify::{self, Method};
use ult_lower::Options;
use ult_report::json;

/// How often Python is asked whether to go on.
const TICK: Duration = Duration::from_millis(20);

/// So long the work may take to stop. After that it is left alone, and what was known by then is told.
const PATIENCE: Duration = Duration::from_secs(10);

/// Ends checks from another thread.
#[pyclass(frozen, module = "ult")]
#[derive(Default)]
struct Cancellation {
    is_asked: AtomicBool,
}

#[pymethods]
impl Cancellation {
    #[new]
    fn new() -> Cancellation {
        Cancellation::default()
    }

    /// Asks all checks that were given this to end.
    fn cancel(&self) {
        self.is_asked.store(true, Ordering::Relaxed);
    }

    /// Whether somebody asked.
    #[getter]
    fn cancelled(&self) -> bool {
        self.is_asked.load(Ordering::Relaxed)
    }
}

/// What the caller wants to hear, as `(what, unit, verdict)`.
type Told = (&'static str, String, Option<String>);

/// Checks a text; the report as JSON. See `ult.check`.
#[pyfunction]
#[pyo3(signature = (text, language, name, entries, modular, engine, timeout, cancellation, progress))]
#[expect(
    clippy::too_many_arguments,
    reason = "Python's layer calls it, by position"
)]
fn check(
    py: Python<'_>,
    text: String,
    language: &str,
    name: &str,
    entries: Vec<String>,
    modular: bool,
    engine: &str,
    timeout: Option<f64>,
    cancellation: Option<Py<Cancellation>>,
    progress: Option<Py<PyAny>>,
) -> PyResult<String> {
    ult_smt::require_z3().map_err(PyOSError::new_err)?;
    let language = language_called(language)?;
    let settings = Settings {
        reading: Options {
            entries,
            modular,
            ..Options::default()
        },
        verify: verify::Settings {
            method: engine.parse::<Method>().map_err(PyValueError::new_err)?,
            ..verify::Settings::default()
        },
        ..Settings::default()
    };
    if let Some(seconds) = timeout
        && (seconds.is_nan() || seconds < 0.0)
    {
        let why = format!("timeout: {seconds} is no time");
        return Err(PyValueError::new_err(why));
    }
    // A time that no clock reaches is no limit.
    let limit = timeout.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    let deadline = limit.and_then(|limit| Instant::now().checked_add(limit));
    let control = Control::with_deadline(deadline);
    let source = Source::new(name, text);
    let published = Progress::default();
    let events = published.subscribe();
    let (send, result) = unbounded();
    let work = {
        let (source, control, published) = (source.clone(), control.clone(), published.clone());
        move || {
            let report = ult_driver::check(&source, language, &settings, &control, &published);
            // Whoever asked may have gone.
            let _ = send.send(report.map_err(|error| error.to_string()));
        }
    };
    worker::spawn("ult", work)?;

    let mut failure: Option<PyErr> = None;
    let mut asked: Option<Instant> = None;
    let report = loop {
        match py.detach(|| result.recv_timeout(TICK)) {
            Ok(Ok(report)) => break report,
            Ok(Err(why)) => return Err(PyValueError::new_err(why)),
            Err(RecvTimeoutError::Disconnected) => {
                let why = "a bug in ult: the work ended without a report";
                return Err(PyRuntimeError::new_err(why));
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
        if asked.is_some_and(|since| since.elapsed() > PATIENCE) {
            let report = published.latest();
            let mut report = report.unwrap_or_else(|| Report::new(source.clone(), language));
            report.stopped.get_or_insert(Reason::Cancelled);
            report.close(&Reason::Cancelled);
            break report;
        }
        let heard = py
            .check_signals()
            .and_then(|()| tell(py, &events, progress.as_ref()));
        let is_cancelled = || {
            let asked = cancellation.as_ref().map(|asked| asked.get().cancelled());
            asked.unwrap_or_default()
        };
        if failure.is_none() {
            failure = heard.err();
        }
        if asked.is_none() && (failure.is_some() || is_cancelled()) {
            control.stop(Stop::Cancelled);
            asked = Some(Instant::now());
        }
    };
    if failure.is_none() {
        failure = tell(py, &events, progress.as_ref()).err();
    }
    match failure {
        Some(failure) => Err(failure),
        None => Ok(json::report(&report).to_string()),
    }
}

/// Tells the caller what is new.
fn tell(py: Python<'_>, events: &Receiver<Event>, progress: Option<&Py<PyAny>>) -> PyResult<()> {
    while let Ok(event) = events.try_recv() {
        if let (Some(progress), Some(told)) = (progress, words(&event)) {
            progress.call1(py, told)?;
        }
    }
    Ok(())
}

fn words(event: &Event) -> Option<Told> {
    let verdict = |what, unit: &UnitReport| {
        let verdict = unit.conclusion().to_string();
        Some((what, unit.name.to_string(), Some(verdict)))
    };
    match event {
        Event::Begins(activity) => Some(("begins", activity.unit.to_string(), None)),
        Event::Known { unit, .. } => verdict("known", unit),
        Event::Changed { unit, .. } => verdict("changed", unit),
        _ => None,
    }
}

/// The language with a name; C has to be read and confirmed by other programs, which is the command's business.
fn language_called(name: &str) -> PyResult<Language> {
    Ok(match name {
        "boogie" => Language::Boogie,
        "graph" => Language::Graph,
        "horn" => Language::Horn,
        "aiger" => Language::Aiger,
        "btor2" => Language::Btor2,
        "dimspec" => Language::DimSpec,
        other => return Err(PyValueError::new_err(format!("no language `{other}`"))),
    })
}

/// The solver with its version.
#[pyfunction]
fn solver() -> String {
    ult_smt::solver_name()
}

/// The module.
#[pymodule]
fn _ult(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<Cancellation>()?;
    module.add_function(wrap_pyfunction!(check, module)?)?;
    module.add_function(wrap_pyfunction!(solver, module)?)
}
