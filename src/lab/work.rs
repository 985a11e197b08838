//! The one piece of work at a time: a check, or a session in which somebody steps through a search.
//!
//! The engine works on a thread of its own, and waits there while somebody thinks ([`Observer`]); requests come from other
//! threads and meet it at a [`Desk`]. New work ends the old one.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use serde_json::{Value, json};

use ult_core::control::{Control, Stop};
use ult_core::guard::guarded;
use ult_driver::{Language, Progress, Report, Settings, Source, worker};
use ult_engine::EngineKind;
use ult_engine::invariants::Auxiliary;
use ult_engine::verify::Method;
use ult_explain::stepping::{Comparison, Judgement, Moment, ObservedStep, Observer, Question};
use ult_report::html::{self, Live};
use ult_report::{json as report_json, text};

use crate::abstraction::Abstraction;
use crate::limits;
use crate::quiz::{self, Quiz};

/// Whether the process uses more memory than it may.
pub type IsFull = Arc<dyn Fn() -> bool + Send + Sync>;

/// What is to be done.
#[derive(Clone, Debug)]
pub(crate) struct Task {
    /// The name of the program.
    pub(crate) name: String,
    /// Its language.
    pub(crate) language: Language,
    /// Its text.
    pub(crate) text: String,
    /// The engine that somebody steps through; `None` for a check.
    pub(crate) engine: Option<EngineKind>,
}

/// Where the engine's thread and those of requests meet.
pub(crate) struct Desk {
    state: Mutex<State>,
    changed: Condvar,
    control: Control,
}

/// What is on the desk.
#[derive(Default)]
struct State {
    /// Raised with every change.
    version: u64,
    /// The steps that were shown.
    shown: Vec<Value>,
    /// What the engine waits with.
    pending: Option<Pending>,
    /// What it is told to do.
    order: Option<Order>,
    /// What there is to say about the last answer.
    feedback: Option<Value>,
    asked: u32,
    right: u32,
    /// Nobody wants to be asked any more.
    is_hurried: bool,
    /// How many steps were not kept.
    left_out: usize,
    /// Since when the engine thinks.
    thinking: Option<Instant>,
    /// The report, when all is over.
    result: Option<Value>,
    page: Option<String>,
    seen: Abstraction,
    live: Live,
    /// The last error path, in words.
    last: Option<String>,
}

impl fmt::Debug for Desk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Desk").finish_non_exhaustive()
    }
}

/// What the engine waits with.
#[derive(Clone, Debug)]
struct Pending {
    quiz: Quiz,
    /// Where interpolants are asked for: the positions, and the engine's own.
    interpolants: Option<Asked>,
    /// Whether the question was answered.
    is_answered: bool,
}

/// Interpolants are asked for.
#[derive(Clone, Debug)]
struct Asked {
    positions: Value,
    own: Value,
    /// Whether it was said that the path is infeasible.
    is_open: bool,
    /// Whether somebody asked for the engine's own.
    is_revealed: bool,
    /// What was accepted last: the search goes on with it.
    accepted: Option<Vec<String>>,
}

/// What the engine is told.
#[derive(Debug)]
enum Order {
    /// Go on.
    GoOn,
    /// Go on with the engine's own interpolants, whatever was accepted.
    GoOnAlone,
    /// Judge these.
    Judge(Vec<Option<String>>),
}

/// Why an order is refused: the work is not there any more, or does not wait for it.
pub(crate) const NOTHING_WAITS: (u16, &str) = (409, "nothing waits for that");

impl Desk {
    /// Begins work.
    pub(crate) fn begin(task: Task, is_full: IsFull) -> std::io::Result<Arc<Desk>> {
        let desk = Arc::new(Desk {
            state: Mutex::default(),
            changed: Condvar::new(),
            control: Control::unlimited(),
        });
        desk.lock().thinking = Some(Instant::now());
        let at_work = desk.clone();
        worker::spawn("work", move || {
            let report = guarded(|| Ok(at_work.clone().work(&task)));
            let mut state = at_work.lock();
            state.pending = None;
            state.thinking = None;
            match report {
                Ok(report) => {
                    state.result = Some(result(&report));
                    state.page = Some(html::page(std::slice::from_ref(&report)));
                }
                Err(bug) => state.result = Some(json!({ "bug": bug.to_string() })),
            }
            at_work.announce(state);
        })?;
        let watched = desk.clone();
        worker::spawn("watch", move || watched.watch(&*is_full))?;
        Ok(desk)
    }

    /// Ends the work.
    pub(crate) fn cancel(&self) {
        self.control.stop(Stop::Cancelled);
        let mut state = self.lock();
        state.pending = None;
        if state.result.is_none() {
            state.thinking = Some(Instant::now());
        }
        self.announce(state);
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn announce(&self, mut state: MutexGuard<'_, State>) {
        state.version += 1;
        drop(state);
        self.changed.notify_all();
    }

    fn work(self: Arc<Self>, task: &Task) -> Report {
        let source = Source::new(&*task.name, &*task.text);
        let mut settings = Settings::default();
        settings.verify.common.record = true;
        let mut control = self.control.clone();
        match task.engine {
            Some(kind) => {
                settings.verify.method = Method::Engine(kind);
                settings.verify.common.auxiliary = Auxiliary::None;
                settings.observer = Some(self.clone());
            }
            None => control = control.within(Some(limits::CHECK)),
        }
        let progress = Progress::default();
        // There is no entry that the program could lack.
        let report = ult_driver::check(&source, task.language, &settings, &control, &progress);
        report.unwrap_or_else(|_| Report::new(source, task.language))
    }

    /// Ends a session whose engine thinks for too long, or that nobody goes on with; and work that takes too much memory.
    fn watch(&self, is_full: &dyn Fn() -> bool) {
        let mut state = self.lock();
        let mut since = (state.version, Instant::now());
        while state.result.is_none() {
            if since.0 != state.version {
                since = (state.version, Instant::now());
            }
            let slow = state
                .thinking
                .is_some_and(|since| since.elapsed() > limits::THINKING);
            if slow || since.1.elapsed() > limits::IDLE {
                drop(state);
                self.cancel();
                return;
            }
            // While somebody thinks, nothing grows.
            if state.thinking.is_some() && is_full() {
                drop(state);
                self.control.stop(Stop::Memory);
                return;
            }
            state = self
                .changed
                .wait_timeout(state, limits::LOOK)
                .unwrap_or_else(PoisonError::into_inner)
                .0;
        }
    }

    /// Puts a question on the desk, and waits for an order. `None` if there will be none.
    fn wait(&self, mut state: MutexGuard<'_, State>) -> Option<Order> {
        if self.control.check().is_err() {
            state.pending = None;
            return None;
        }
        state.thinking = None;
        self.announce(state);
        let mut state = self.lock();
        loop {
            if self.control.check().is_err() {
                return None;
            }
            if let Some(order) = state.order.take() {
                state.thinking = Some(Instant::now());
                return Some(order);
            }
            state = self
                .changed
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// The news since a version: waits for some.
    pub(crate) fn news(&self, from: usize, version: u64) -> Value {
        let state = self.lock();
        let is_old = |state: &mut State| state.version <= version && state.result.is_none();
        let waited = self.changed.wait_timeout_while(state, limits::POLL, is_old);
        let (state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        state.state_since(from)
    }

    /// How things stand.
    pub(crate) fn state_since(&self, from: usize) -> Value {
        self.lock().state_since(from)
    }

    /// Waits until the engine waits or has ended, and tells how things stand.
    fn settled(&self, from: usize) -> Value {
        let state = self.lock();
        let is_busy = |state: &mut State| {
            state.result.is_none()
                && (state.pending.is_none() || state.order.is_some() || state.thinking.is_some())
        };
        let waited = self
            .changed
            .wait_timeout_while(state, limits::POLL, is_busy);
        let (state, _) = waited.unwrap_or_else(PoisonError::into_inner);
        state.state_since(from)
    }

    /// Answers the question that waits, with the numbers of the choices. Then the step is shown.
    pub(crate) fn predict(
        &self,
        answer: &BTreeSet<usize>,
        from: usize,
    ) -> Result<Value, (u16, &'static str)> {
        let mut state = self.lock();
        let Some(pending) = state
            .pending
            .as_mut()
            .filter(|pending| !pending.is_answered)
        else {
            return Err(NOTHING_WAITS);
        };
        pending.is_answered = true;
        let (is_right, told) = pending.quiz.judged(answer);
        let stays = match &mut pending.interpolants {
            Some(asked) => {
                asked.is_open = true;
                true
            }
            None => false,
        };
        state.asked += 1;
        state.right += u32::from(is_right);
        state.feedback = Some(told);
        if !stays {
            state.give(Order::GoOn);
        }
        self.announce(state);
        Ok(self.settled(from))
    }

    /// Shows the step that waits, without a prediction; with `all`, all that follow; with `alone`, made by the engine's own
    /// interpolants in any case.
    pub(crate) fn next(
        &self,
        all: bool,
        alone: bool,
        from: usize,
    ) -> Result<Value, (u16, &'static str)> {
        let mut state = self.lock();
        state.is_hurried |= all;
        let Some(pending) = state.pending.as_mut() else {
            return Err(NOTHING_WAITS);
        };
        let is_first = !std::mem::replace(&mut pending.is_answered, true);
        match &mut pending.interpolants {
            Some(asked) if is_first && !all => asked.is_open = true,
            _ if alone => state.give(Order::GoOnAlone),
            _ => state.give(Order::GoOn),
        }
        state.feedback = None;
        self.announce(state);
        // To the end it may be far.
        Ok(if all {
            self.state_since(from)
        } else {
            self.settled(from)
        })
    }

    /// Proposes interpolants.
    pub(crate) fn propose(
        &self,
        texts: Vec<Option<String>>,
        from: usize,
    ) -> Result<Value, (u16, &'static str)> {
        let mut state = self.lock();
        let asked = state
            .pending
            .as_ref()
            .and_then(|pending| pending.interpolants.as_ref());
        if asked.is_none_or(|asked| !asked.is_open) || state.order.is_some() {
            return Err(NOTHING_WAITS);
        }
        state.give(Order::Judge(texts));
        self.announce(state);
        Ok(self.settled(from))
    }

    /// Tells the engine's own interpolants.
    pub(crate) fn reveal(&self, from: usize) -> Result<Value, (u16, &'static str)> {
        let mut state = self.lock();
        let asked = state
            .pending
            .as_mut()
            .and_then(|pending| pending.interpolants.as_mut())
            .filter(|asked| asked.is_open)
            .ok_or(NOTHING_WAITS)?;
        asked.is_revealed = true;
        state.feedback = None;
        self.announce(state);
        Ok(self.state_since(from))
    }

    /// Waits for the end, and tells the result.
    pub(crate) fn ended(&self) -> Value {
        let is_open = |state: &mut State| state.result.is_none();
        let waited = self.changed.wait_while(self.lock(), is_open);
        let state = waited.unwrap_or_else(PoisonError::into_inner);
        state.result.clone().unwrap_or_default()
    }

    /// Goes through a session without predictions, as far as `most` questions. Told are the questions with their answers, each
    /// with the steps that are shown before it, and at last the result.
    pub(crate) fn recorded(&self, most: usize) -> Vec<Value> {
        let mut moves = Vec::new();
        let mut from = 0;
        loop {
            if moves.len() >= most {
                self.cancel();
                self.ended();
            }
            let mut told = self.settled(from);
            if let Ok(all) = self.reveal(from) {
                told = all;
            }
            let question = {
                let state = self.lock();
                let solved = state.pending.as_ref().and_then(|pending| {
                    let asked = pending.interpolants.as_ref();
                    asked
                        .is_none_or(|asked| !asked.is_open)
                        .then(|| pending.quiz.solved())
                });
                solved.unwrap_or_else(|| told["question"].clone())
            };
            let steps = told["steps"].clone();
            from += steps.as_array().map_or(0, Vec::len);
            moves.push(json!({ "steps": steps, "question": question, "result": told["result"] }));
            if told["status"] == "done" || self.next(false, false, from).is_err() {
                return moves;
            }
        }
    }

    /// The page about the work, when it is over.
    pub(crate) fn page(&self) -> Option<String> {
        self.lock().page.clone()
    }
}

impl State {
    /// Tells the engine to work: it does so from now on.
    fn give(&mut self, order: Order) {
        self.order = Some(order);
        self.thinking = Some(Instant::now());
    }

    /// What the page is told; of the steps those that it has not got.
    fn state_since(&self, from: usize) -> Value {
        let question = self.pending.as_ref().map(|pending| {
            let interpolants = pending.interpolants.as_ref().filter(|asked| asked.is_open);
            match interpolants {
                Some(asked) => json!({
                    "kind": "interpolants",
                    "text": "The path is infeasible. Which formulas say why?",
                    "positions": asked.positions,
                    "accepted": asked.accepted,
                    // It is the solution: whoever wants it asks for it.
                    "own": asked.is_revealed.then_some(&asked.own),
                }),
                None => pending.quiz.shown(),
            }
        });
        json!({
            "version": self.version,
            "status": match (&self.result, self.thinking) {
                (Some(_), _) => "done",
                (None, Some(_)) => "thinking",
                (None, None) => "waiting",
            },
            "first": from.min(self.shown.len()),
            "steps": self.shown.get(from..).unwrap_or_default(),
            "left_out": self.left_out,
            "question": question,
            "feedback": self.feedback,
            "score": { "asked": self.asked, "right": self.right },
            "result": self.result,
        })
    }

    /// Shows a step.
    fn show(&mut self, unit: &str, told: &ObservedStep) {
        if told.step.action == "error path" {
            self.last = Some(
                self.seen
                    .walk(&quiz::edges(&told.step, ult_explain::search::Mark::Path)),
            );
        }
        self.pending = None;
        if self.is_hurried && self.shown.len() >= limits::SHOWN {
            self.live.pass(&told.step);
            self.seen.apply(&told.step);
            self.left_out += 1;
            return;
        }
        let mut value = self.live.step(&told.step);
        value["unit"] = unit.into();
        value["lines"] = json!(told.lines);
        self.seen.apply(&told.step);
        self.shown.push(value);
    }
}

impl Observer for Desk {
    fn step(&self, unit: &str, told: ObservedStep) {
        let mut state = self.lock();
        // At the beginning there is nothing to predict, and the interpolants were asked for before.
        let is_known = matches!(told.step.action, "interpolants")
            || told.step.action == "start" && state.shown.is_empty();
        if !is_known && !state.is_hurried {
            let quiz = Quiz::about(&state.seen, &told.step, state.last.as_deref());
            state.pending = Some(Pending {
                quiz,
                interpolants: None,
                is_answered: false,
            });
            if self.wait(state).is_none() {
                return;
            }
            state = self.lock();
        }
        state.show(unit, &told);
        self.announce(state);
    }

    fn explain(&self, question: &mut Question<'_, '_, '_>) {
        let mut state = self.lock();
        if state.is_hurried {
            return;
        }
        let positions = question.positions();
        let positions = positions.iter().map(|position| {
            json!({
                "state": position.state,
                "lines": position.lines,
                "vocabulary": position.vocabulary,
            })
        });
        let own = match question.own() {
            Ok(own) => json!(own),
            Err(why) => json!({ "none": why }),
        };
        state.pending = Some(Pending {
            quiz: Quiz::feasible(Some(false)),
            interpolants: Some(Asked {
                positions: positions.collect(),
                own,
                is_open: false,
                is_revealed: false,
                accepted: None,
            }),
            is_answered: false,
        });
        let mut is_first = true;
        loop {
            let texts = match self.wait(state) {
                Some(Order::Judge(texts)) => texts,
                Some(Order::GoOnAlone) => return question.take_back(),
                Some(Order::GoOn) | None => return,
            };
            let texts: Vec<Option<&str>> = texts.iter().map(Option::as_deref).collect();
            let judgement = question.judge(&texts);
            state = self.lock();
            let is_right = matches!(judgement, Judgement::Accepted { .. });
            // Who knows the solution predicts nothing.
            let asked = state.pending.as_ref();
            let asked = asked.and_then(|pending| pending.interpolants.as_ref());
            is_first &= asked.is_some_and(|asked| !asked.is_revealed);
            if std::mem::take(&mut is_first) {
                state.asked += 1;
                state.right += u32::from(is_right);
            }
            let asked = state.pending.as_mut();
            if let Judgement::Accepted { formulas, .. } = &judgement
                && let Some(asked) = asked.and_then(|pending| pending.interpolants.as_mut())
            {
                asked.accepted = Some(formulas.clone());
            }
            state.feedback = Some(judged(&judgement));
        }
    }
}

fn judged(judgement: &Judgement) -> Value {
    let mut value = match judgement {
        Judgement::Unreadable {
            position,
            message,
            column,
        } => {
            json!({ "outcome": "unreadable", "position": position, "text": message, "column": column })
        }
        Judgement::Stray {
            position,
            names,
            vocabulary,
        } => json!({
            "outcome": "stray",
            "position": position,
            "text": format!(
                "`{}` does not matter on both sides of this position: an interpolant may only name {}",
                names.join("`, `"),
                match vocabulary.is_empty() {
                    true => "no variable at all".to_owned(),
                    false => vocabulary.join(", "),
                },
            ),
        }),
        Judgement::Fails {
            from,
            to,
            text,
            moments,
        } => {
            let moments: Vec<Value> = moments.iter().map(moment).collect();
            json!({ "outcome": "fails", "from": from, "to": to, "text": text, "moments": moments })
        }
        Judgement::Open { reason } => json!({ "outcome": "open", "text": reason }),
        Judgement::Accepted { formulas, compared } => {
            let compared: Vec<&str> = compared.iter().map(|c| compared_word(*c)).collect();
            json!({
                "outcome": "accepted",
                "text": "These are interpolants: the search may go on with them",
                "formulas": formulas,
                "compared": compared,
            })
        }
    };
    value["kind"] = "interpolants".into();
    value["right"] = matches!(judgement, Judgement::Accepted { .. }).into();
    value
}

fn moment(moment: &Moment) -> Value {
    json!({ "state": moment.state, "lines": moment.lines, "values": moment.values })
}

fn compared_word(comparison: Comparison) -> &'static str {
    match comparison {
        Comparison::Same => "means the same as the engine's",
        Comparison::Stronger => "says more than the engine's",
        Comparison::Weaker => "says less than the engine's",
        Comparison::Different => "neither implies the engine's nor follows from it",
        Comparison::Unknown => "cannot be compared with the engine's",
    }
}

/// What the page is told of a report.
pub(crate) fn result(report: &Report) -> Value {
    json!({
        "verdict": report.conclusion().to_string(),
        "words": text::last_line(report, false),
        "text": text::report(report, &text::Options::default()),
        "report": report_json::report(report),
    })
}
