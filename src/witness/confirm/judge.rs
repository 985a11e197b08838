//! What it means that a compiled program reached a violation, or did not.

use super::compile::{Fill, Sanitizers};
use super::feed::Event;
use super::found::Found;
use super::process::End;
use super::settings::{EXECUTION, Settings};
use super::text::Marked;
use super::{order, outside};
use crate::{Inputs, Role};
use ult_driver::{Confirmation, ObligationReport, Outcome, Report};

/// What is known about a violation and the program that was compiled for it.
pub(super) struct Trial<'a> {
    /// The report.
    pub report: &'a Report,
    /// The violation.
    pub violated: &'a ObligationReport,
    /// The inputs of the run.
    pub inputs: &'a Inputs,
    /// How it is done.
    pub settings: &'a Settings,
    /// The text that was compiled.
    pub marked: &'a Marked,
    /// The names that the program takes from outside.
    pub symbols: Vec<String>,
    /// What happened, each time that it was run.
    pub observed: Vec<Observed>,
}

/// What happened when it was run.
pub(super) struct Observed {
    /// What was in variables that nobody has set.
    pub fill: Option<Fill>,
    /// What looked for undefined behaviour.
    pub sanitizers: Sanitizers,
    /// How the program ended.
    pub ended: End,
    /// What it told.
    pub events: Vec<Event>,
    /// What the sanitizers said.
    pub found: Vec<Found>,
}

impl Observed {
    fn says(&self, event: Event) -> bool {
        self.events.contains(&event)
    }

    fn inputs(&self) -> usize {
        self.events
            .iter()
            .filter(|event| **event == Event::Input)
            .count()
    }
}

impl Trial<'_> {
    /// Whether the violation is memory that was not freed, which is looked for at the end.
    pub(super) fn wants_leaks(&self) -> bool {
        !self.marked.has_mark && self.violated.description.starts_with("memory is ")
    }

    /// Whether it should be run again, with something else in what nobody has set.
    pub(super) fn is_worth_another(&self) -> bool {
        !self
            .observed
            .iter()
            .any(|observed| self.reached(observed).is_some() || observed.ended == End::Time)
    }

    /// The violation, if it was reached: in words beyond that.
    fn reached(&self, observed: &Observed) -> Option<String> {
        if self.marked.has_mark {
            return observed.says(Event::Reached).then(String::new);
        }
        let found = observed.found.iter().find(|found| match found.is_leak {
            true => {
                self.wants_leaks() && found.calls.iter().any(|call| self.own_line(call).is_some())
            }
            false => !self.wants_leaks() && self.is_here(found),
        })?;
        Some(format!(" ({})", found.what))
    }

    /// The line of a call, if it is in one of the program's files.
    fn own_line<'c>(&self, (file, line): &'c (String, u32)) -> Option<(&'c str, u32)> {
        let source = &self.report.source;
        let mut names = source
            .markers()
            .iter()
            .filter_map(|marker| marker.file.as_deref());
        let is_same = |name: &str| {
            let name = name.trim_start_matches("./");
            let behind = file.strip_suffix(name);
            behind.is_some_and(|before| before.is_empty() || before.ends_with('/'))
        };
        (is_same(&source.name) || names.any(is_same)).then_some((file.as_str(), *line))
    }

    /// Whether something undefined happened where the run ends.
    fn is_here(&self, found: &Found) -> bool {
        let source = &self.report.source;
        let Some((_, line)) = found.calls.iter().find_map(|call| self.own_line(call)) else {
            return false;
        };
        let is_own = |span| !source.file(span).starts_with(ult_c::library::FOLDER);
        let place = match is_own(self.violated.span) {
            true => Some(self.violated.span),
            // The library's own text was not compiled: its call is the last that the run does in the program.
            false => {
                let mut steps = self.violated.run.iter().rev();
                steps.find(|step| is_own(step.span)).map(|step| step.span)
            }
        };
        place.is_some_and(|span| {
            let first = source.start(span).line;
            let text = source.text.get(span.range()).unwrap_or_default();
            let lines = text.trim_end().matches('\n').count();
            (first..=first.saturating_add(u32::try_from(lines).unwrap_or(0))).contains(&line)
        })
    }

    /// The result.
    pub(super) fn judge(&self) -> Confirmation {
        if let Some((observed, words)) = self
            .observed
            .iter()
            .find_map(|observed| Some((observed, self.reached(observed)?)))
        {
            let mut words = format!("the compiled program reaches the violation{words}");
            if let (true, Some(found)) = (self.marked.has_mark, observed.found.first()) {
                words += &format!("; on its way: {}", self.describe(found));
            }
            return Confirmation {
                outcome: Outcome::Confirmed,
                words,
                reasons: Vec::new(),
            };
        }
        let Some(last) = self.observed.last() else {
            return Confirmation {
                outcome: Outcome::Untried,
                words: "the compiled program was not run".into(),
                reasons: Vec::new(),
            };
        };
        let words = format!(
            "the compiled program does not reach the violation: {}",
            self.end(last)
        );
        let reasons = self.reasons();
        if !reasons.is_empty() {
            return Confirmation {
                outcome: Outcome::Missed,
                words,
                reasons,
            };
        }
        let outcome = Outcome::Contradicted;
        let words = words
            + ", although it got the inputs of the counterexample in their order and nothing undefined was seen";
        let reasons = vec![
            "the translation of the program is wrong".to_owned(),
            "C leaves open in which order parts of an expression are evaluated, and the compiler has taken another one \
             than the run"
                .to_owned(),
        ];
        Confirmation {
            outcome,
            words,
            reasons,
        }
    }

    /// What something undefined was, and where.
    fn describe(&self, found: &Found) -> String {
        match found.calls.iter().find_map(|call| self.own_line(call)) {
            Some((_, line)) => format!("{} in line {line}", found.what),
            None => found.what.clone(),
        }
    }

    /// How the program ended instead.
    fn end(&self, observed: &Observed) -> String {
        let found = observed.found.iter().find(|found| !found.is_leak);
        if observed.says(Event::Assumption) {
            return "an assumption does not hold".into();
        }
        if observed.says(Event::Failure) {
            return "another assertion fails before".into();
        }
        match (observed.ended, found) {
            (End::Time, _) => format!("it still runs after {} seconds", EXECUTION.as_secs()),
            (_, Some(found)) => self.describe(found),
            (End::Code(code), None) => format!("it ends with exit code {code}"),
            (End::Signal(signal), None) => format!("it ends by signal {signal}"),
        }
    }

    /// Why the program may have done something else than the run. Without any, it should not have.
    fn reasons(&self) -> Vec<String> {
        let mut reasons = Vec::new();
        let mut say = |text: String| {
            if !reasons.contains(&text) {
                reasons.push(text);
            }
        };
        for observed in &self.observed {
            for found in observed.found.iter().filter(|found| !found.is_leak) {
                say(format!("undefined in C: {}", self.describe(found)));
            }
            match observed.ended {
                End::Time => say("it may get there later".into()),
                End::Signal(_) if observed.found.is_empty() => {
                    say("it was ended by a signal".into());
                }
                End::Signal(_) | End::Code(_) => {}
            }
            if observed.says(Event::Failure) {
                say("another assertion fails before".into());
            }
            if observed.says(Event::Other) {
                say("it asks for its inputs in another order".into());
            } else if observed.says(Event::More) {
                say("it asks for more inputs than the counterexample has".into());
            } else if observed.inputs() < self.inputs.order.len() {
                say(format!(
                    "it asks for {} of the {} inputs of the counterexample only",
                    observed.inputs(),
                    self.inputs.order.len()
                ));
            }
        }
        self.open(&mut say);
        if !self.marked.has_mark {
            say("sanitizers do not see everything that is undefined".into());
        }
        let all = |sanitizers| self.observed.iter().all(|o| o.sanitizers == sanitizers);
        if !all(Sanitizers::All) {
            say("the compiler has no sanitizers here that would tell what is undefined".into());
        }
        if !self.observed.iter().any(|o| o.fill == Some(Fill::Zero)) {
            say("it may depend on what was never set".into());
        }
        reasons
    }

    /// What the run leaves open, or takes from where a harness cannot put it.
    fn open(&self, say: &mut impl FnMut(String)) {
        let source = &self.report.source;
        let run = &self.violated.run;
        if self.inputs.has_arguments {
            say(
                "`main` has parameters, and gets other arguments than in the counterexample".into(),
            );
        }
        if !self.inputs.reserved.is_empty() {
            say(format!(
                "the program defines {}, which the compiler may take for the C library's",
                self.inputs.reserved.join(", ")
            ));
        }
        if self.settings.malloc_may_fail {
            say("allocations do not fail here".into());
        }
        let telling = outside::telling(&self.symbols);
        if !telling.is_empty() {
            say(format!(
                "what {} returns cannot be chosen",
                telling.join(", ")
            ));
        }
        for name in self
            .inputs
            .functions
            .iter()
            .filter(|fed| fed.role == Role::NotCovered)
        {
            say(format!("what `{}` returns cannot be given", name.name));
        }
        // An arbitrary value matters only where it is read.
        let calls: Vec<_> = run.iter().filter_map(|step| step.input.as_ref()).collect();
        let callee = |span: ult_lang::span::Span| {
            let text = source.text.get(span.range()).unwrap_or_default();
            text.split('(').next().unwrap_or_default().trim().to_owned()
        };
        for (name, made) in run.iter().flat_map(|step| &step.unset) {
            match calls.iter().find(|(call, _)| call == made) {
                Some((call, value)) => {
                    let callee = callee(*call);
                    let is_fed = self.inputs.functions.iter().any(|fed| fed.name == callee);
                    if callee.starts_with("__ult_") {
                        say("the C library may do it in another way".into());
                    } else if !is_fed || self.inputs.missing.contains(&callee) {
                        say(format!("that `{callee}` returns {value} cannot be chosen"));
                    }
                }
                None if name.contains('~') => {
                    let text = source.excerpt(*made, 60);
                    say(format!("what `{text}` gives is open in the counterexample"));
                }
                None => say(format!("`{name}` is read although it was never set")),
            }
        }
        let text = |step: &ult_driver::RunStep| source.text.get(step.span.range());
        if run.iter().filter_map(text).any(order::is_open) {
            say("C leaves open which of several calls in an expression comes first".into());
        }
    }
}
