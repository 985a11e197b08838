//! Solvers that interpolate, over SMT-LIB text.
//!
//! The standard has no command for interpolants; each solver has its own. What was read up on:
//! the proposal by J. Christ and J. Hoenicke, "Interpolation in SMTLIB 2.0" (2012), which
//! SMTInterpol follows and OpenSMT for the part used here; MathSAT's interpolation groups; the
//! command `get-interpolant` of cvc5.
//!
//! Whatever a solver answers is a claim. Here it is only made sure that it is made of declared
//! symbols and well-sorted.

use std::time::{Duration, Instant};

use super::process::Process;
use super::{check_sat, info, too_slow, unexpected, words};
use crate::Failure;
use crate::answer::{classify, tighter};
use crate::limits;
use smtlib_lowlevel::ast::CheckSatResponse;
use ult_core::control::Control;
use ult_core::formula::{Op, Sort, Term, Terms};
use ult_smtlib::print::{self, Script};
use ult_smtlib::read::Reader;
use ult_smtlib::sexpr::{Exprs, Node};

#[cfg(test)]
mod tests;

/// An answer may be nested as deep as this: deeper ones explain nothing.
const DEEPEST: usize = 10_000;

/// How a solver wants to be asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Style {
    /// `(get-interpolants F0 F1 ...)` over named assertions: all cuts at once.
    Sequence,
    /// `(get-interpolant (g0 g1 ...))` over groups of assertions: one cut after the other, from
    /// one proof.
    Groups,
    /// `(get-interpolant I conjecture)`: one cut after the other, each from the interpolant
    /// before.
    Conjecture,
}

/// What is known about the language of a solver.
#[derive(Debug)]
struct Dialect {
    /// The name of the preset; none for the dialect of solvers that are not known.
    preset: Option<&'static str>,
    command: &'static [&'static str],
    /// What it calls itself; none if it does not answer that question.
    calls_itself: Option<&'static str>,
    style: Style,
    /// Whether it wants to be told the logic.
    logic: bool,
    /// Whether one process serves for several chains, after `(reset)`.
    reset: bool,
}

const DIALECTS: &[Dialect] = &[
    Dialect {
        preset: Some("smtinterpol"),
        command: &["smtinterpol", "-q"],
        calls_itself: Some("SMTInterpol"),
        style: Style::Sequence,
        logic: true,
        // A virtual machine takes half a second to start.
        reset: true,
    },
    Dialect {
        preset: Some("opensmt"),
        command: &["opensmt", "--pipe"],
        // It has no value for `:name`.
        calls_itself: None,
        style: Style::Sequence,
        logic: true,
        reset: false,
    },
    Dialect {
        preset: Some("mathsat"),
        command: &["mathsat"],
        calls_itself: Some("MathSAT5"),
        style: Style::Groups,
        // Without one it has all theories.
        logic: false,
        reset: false,
    },
    Dialect {
        preset: Some("cvc5"),
        // Not incremental: 1.0.3 was seen to return wrong interpolants after `(push)`.
        command: &["cvc5", "--lang=smt2", "--quiet"],
        calls_itself: Some("cvc5"),
        style: Style::Conjecture,
        logic: true,
        reset: false,
    },
];

/// The most common dialect, in the most careful way.
const UNKNOWN: Dialect = Dialect {
    preset: None,
    command: &[],
    calls_itself: None,
    style: Style::Sequence,
    logic: true,
    reset: false,
};

/// The result for an interpolation problem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Interpolation {
    /// One formula between each two neighbours.
    Interpolants(Vec<Term>),
    /// The steps can hold together.
    Feasible,
}

/// A solver that interpolates, in a process of its own.
pub struct InterpolatingSolver {
    command: Vec<String>,
    dialect: &'static Dialect,
    /// A process that waits, if there is one, and whether it was used before.
    waiting: Option<(Process, bool)>,
    questions: u64,
}

impl InterpolatingSolver {
    /// Starts a solver: a preset (`smtinterpol`, `opensmt`, `mathsat`, `cvc5`), or a command line
    /// with its arguments, where quotes keep spaces. It has to speak SMT-LIB 2.6 on its standard
    /// streams. Which dialect it interpolates in is known from the preset, or by what the solver
    /// calls itself; others are asked in that of SMTInterpol and OpenSMT.
    ///
    /// [`Failure::Missing`] if it cannot be started or is not the one that the preset means.
    pub fn start(command: &str, control: &Control) -> Result<InterpolatingSolver, Failure> {
        let words = words(command);
        let preset = match &words[..] {
            [name] => DIALECTS.iter().find(|d| d.preset == Some(name.as_str())),
            _ => None,
        };
        let command = match preset {
            Some(preset) => preset.command.iter().map(|word| word.to_string()).collect(),
            None => words,
        };
        let deadline = deadline(control, limits::STARTING);
        let (process, name) = launch(&command, deadline, control).map_err(too_slow)?;
        let dialect = match (preset, &name) {
            (Some(preset), _) if preset.calls_itself == name.as_deref() => preset,
            // One that does not say its name may learn to.
            (Some(preset), Some(name)) if preset.calls_itself.is_none() => {
                let other = DIALECTS.iter().any(|d| d.calls_itself == Some(name));
                if other {
                    return Err(wrong_solver(preset, Some(name)));
                }
                preset
            }
            (Some(preset), name) => return Err(wrong_solver(preset, name.as_deref())),
            (None, Some(name)) => DIALECTS
                .iter()
                .find(|dialect| dialect.calls_itself == Some(name))
                .unwrap_or(&UNKNOWN),
            (None, None) => &UNKNOWN,
        };
        Ok(InterpolatingSolver {
            command,
            dialect,
            waiting: Some((process, false)),
            questions: 0,
        })
    }

    /// Interpolants for `steps`: an inductive sequence, by the solver's claim, each over the
    /// symbols that occur on both sides. Background facts have to be among the steps.
    pub fn interpolants(
        &mut self,
        terms: &Terms,
        steps: &[Term],
        limit: Duration,
        control: &Control,
    ) -> Result<Interpolation, Failure> {
        control.check()?;
        // A step that says nothing new has the same interpolant on both sides. Solvers that find
        // the formula behind a name by its content would be confused by two equal ones.
        let mut kept = indexmap::IndexSet::new();
        let mut before = Vec::new();
        for &step in steps {
            if step != terms.tt() {
                kept.insert(step);
            }
            before.push(kept.len());
        }
        before.pop();
        let kept: Vec<Term> = kept.into_iter().collect();
        let deadline = deadline(control, limit);
        let Some(between) = self.ask(terms, &kept, deadline, control)? else {
            return Ok(Interpolation::Feasible);
        };
        let at = |count: usize| match count {
            0 => terms.tt(),
            // The steps so far are all there are.
            _ if count == kept.len() => terms.ff(),
            _ => between[count - 1],
        };
        Ok(Interpolation::Interpolants(
            before.into_iter().map(at).collect(),
        ))
    }

    /// Exactly one formula between each two of different steps; none if they can hold together.
    fn ask(
        &mut self,
        terms: &Terms,
        steps: &[Term],
        deadline: Option<Instant>,
        control: &Control,
    ) -> Result<Option<Vec<Term>>, Failure> {
        let script = print::parts(terms, steps)?;
        let logic = self.dialect.logic.then(|| logic(terms, steps));
        let mut talk = self.begin(logic, deadline, control)?;
        talk.say(&script.preamble);
        for (i, formula) in script.formulas.iter().enumerate() {
            talk.say(&match self.dialect.style {
                Style::Sequence => format!("(assert (! {formula} :named {}))\n", part(i)),
                Style::Groups => {
                    format!("(assert (! {formula} :interpolation-group {}))\n", part(i))
                }
                Style::Conjecture => format!("(assert {formula})\n"),
            });
        }
        talk.say("(check-sat)\n");
        talk.send();
        // What is no answer shall not be waited behind.
        let answer = check_sat(&talk.hear()?)?;
        talk.hear_marker()?;
        match answer {
            CheckSatResponse::Unsat => {}
            CheckSatResponse::Sat => {
                self.end(talk);
                return Ok(None);
            }
            CheckSatResponse::Unknown => {
                talk.say("(get-info :reason-unknown)\n");
                let reason = talk.hear_all(1)?;
                return Err(classify(&info(&reason[0])?));
            }
        }
        if steps.len() < 2 {
            self.end(talk);
            return Ok(Some(Vec::new()));
        }
        let cuts = steps.len() - 1;
        let found = match self.dialect.style {
            Style::Sequence => {
                let all: Vec<String> = (0..steps.len()).map(part).collect();
                talk.say(&format!("(get-interpolants {})\n", all.join(" ")));
                let found = sequence(terms, &script, &talk.hear_all(1)?[0])?;
                self.end(talk);
                found
            }
            Style::Groups => {
                for cut in 1..=cuts {
                    let groups: Vec<String> = (0..cut).map(part).collect();
                    talk.say(&format!("(get-interpolant ({}))\n", groups.join(" ")));
                }
                let found = talk
                    .hear_all(cuts)?
                    .iter()
                    .map(|answer| one(terms, &script, answer))
                    .collect::<Result<_, Failure>>()?;
                self.end(talk);
                found
            }
            Style::Conjecture => {
                self.end(talk);
                self.one_by_one(terms, steps, deadline, control)?
            }
        };
        if found.len() != cuts {
            return Err(Failure::UnexpectedOutput(format!(
                "{} interpolants instead of {cuts}",
                found.len()
            )));
        }
        Ok(Some(found))
    }

    /// Cut by cut: what follows from the interpolant before and the step, and contradicts the
    /// rest. So the sequence is inductive.
    fn one_by_one(
        &mut self,
        terms: &Terms,
        steps: &[Term],
        deadline: Option<Instant>,
        control: &Control,
    ) -> Result<Vec<Term>, Failure> {
        let mut found: Vec<Term> = Vec::new();
        for cut in 1..steps.len() {
            let before = found.last().copied().unwrap_or(terms.tt());
            let rest = terms.and(steps[cut..].iter().copied());
            let question = [before, steps[cut - 1], terms.not(rest)];
            let script = print::parts(terms, &question)?;
            let logic = self.dialect.logic.then(|| logic(terms, steps));
            let mut talk = self.begin(logic, deadline, control)?;
            talk.say(&script.preamble);
            for formula in &script.formulas[..2] {
                talk.say(&format!("(assert {formula})\n"));
            }
            talk.say(&format!("(get-interpolant I {})\n", script.formulas[2]));
            let answers = talk.hear_all(1)?;
            found.push(defined(terms, &script, &answers[0])?);
            self.end(talk);
        }
        Ok(found)
    }

    /// Takes a process that is ready for declarations.
    fn begin<'c>(
        &mut self,
        logic: Option<&str>,
        deadline: Option<Instant>,
        control: &'c Control,
    ) -> Result<Talk<'c>, Failure> {
        self.questions += 1;
        let (process, used) = match self.waiting.take() {
            Some(waiting) => waiting,
            None => {
                let starting = Instant::now() + limits::STARTING;
                let deadline = Some(deadline.map_or(starting, |d| d.min(starting)));
                (launch(&self.command, deadline, control)?.0, false)
            }
        };
        let mut talk = Talk {
            process,
            deadline,
            control,
            questions: self.questions,
            text: String::new(),
            markers: 0,
            marker: String::new(),
        };
        if used {
            talk.say("(reset)\n(set-option :print-success false)\n");
            talk.hear_success()?;
        }
        talk.say("(set-option :produce-interpolants true)\n");
        if let Some(logic) = logic {
            talk.say(&format!("(set-logic {logic})\n"));
        }
        Ok(talk)
    }

    /// Keeps the process for the next chain, if it can be brought back to its beginning.
    fn end(&mut self, talk: Talk<'_>) {
        self.waiting = self.dialect.reset.then_some((talk.process, true));
    }
}

fn wrong_solver(preset: &Dialect, name: Option<&str>) -> Failure {
    Failure::Missing(format!(
        "{} is needed, found `{}`",
        preset.calls_itself.or(preset.preset).unwrap_or_default(),
        name.unwrap_or("a solver without a name")
    ))
}

fn deadline(control: &Control, limit: Duration) -> Option<Instant> {
    tighter(Some(limit), control.remaining())
        .and_then(|allowance| Instant::now().checked_add(allowance))
}

/// Starts a process and asks for its name, which not every solver tells.
fn launch(
    command: &[String],
    deadline: Option<Instant>,
    control: &Control,
) -> Result<(Process, Option<String>), Failure> {
    let mut process = Process::start(command)?;
    process.send("(set-option :print-success false)\n(get-info :name)\n".into());
    let name = process.response(deadline, control)?;
    if name.starts_with("(error ") {
        return Ok((process, None));
    }
    Ok((process, Some(info(&name)?)))
}

/// The name of a step.
fn part(step: usize) -> String {
    format!("IP_{step}")
}

/// A conversation about one problem. After a failure it is dropped, and the process with it:
/// nobody knows what state the solver is in.
struct Talk<'c> {
    process: Process,
    deadline: Option<Instant>,
    control: &'c Control,
    questions: u64,
    /// What is not sent yet.
    text: String,
    markers: u64,
    /// The last one sent.
    marker: String,
}

impl Talk<'_> {
    fn say(&mut self, text: &str) {
        self.text += text;
    }

    /// Sends what was said, followed by a marker that the solver has to repeat.
    fn send(&mut self) {
        self.markers += 1;
        self.marker = format!("ult-{}-{}", self.questions, self.markers);
        self.text += &format!("(echo \"{}\")\n", self.marker);
        self.process.send(std::mem::take(&mut self.text));
    }

    fn hear(&mut self) -> Result<String, Failure> {
        self.process
            .response_of_depth(self.deadline, self.control, DEEPEST)
    }

    /// The echo of the marker shows that there are no more answers.
    fn hear_marker(&mut self) -> Result<(), Failure> {
        let echo = self.hear()?;
        if echo.trim_matches('"') != self.marker {
            return Err(unexpected(&echo));
        }
        Ok(())
    }

    /// So many answers and nothing else.
    fn hear_all(&mut self, count: usize) -> Result<Vec<String>, Failure> {
        self.send();
        let mut answers = Vec::new();
        for _ in 0..count {
            let answer = self.hear()?;
            if answer.trim_matches('"') == self.marker {
                return Err(Failure::UnexpectedOutput("no answer".into()));
            }
            answers.push(answer);
        }
        self.hear_marker()?;
        Ok(answers)
    }

    /// No answer, or that it was a success: after `(reset)` the first commands may be confirmed.
    fn hear_success(&mut self) -> Result<(), Failure> {
        self.send();
        let mut answer = self.hear()?;
        for _ in 0..2 {
            if answer == "success" {
                answer = self.hear()?;
            }
        }
        if answer.trim_matches('"') != self.marker {
            return Err(unexpected(&answer));
        }
        Ok(())
    }
}

/// The interpolants in `(I1 I2 ...)`.
fn sequence(terms: &Terms, script: &Script, answer: &str) -> Result<Vec<Term>, Failure> {
    let (exprs, expr) = Exprs::read(answer).ok_or_else(|| unexpected(answer))?;
    let parts = exprs.list(expr).ok_or_else(|| unexpected(answer))?;
    if parts.first().and_then(|&p| exprs.symbol(p)) == Some("error") {
        return Err(refused(answer));
    }
    let mut reader = Reader::new(terms, &script.names, &exprs);
    let formulas = parts.iter().map(|&part| Ok(reader.formula(part)?));
    formulas.collect()
}

/// An answer that is an interpolant.
fn one(terms: &Terms, script: &Script, answer: &str) -> Result<Term, Failure> {
    let (exprs, expr) = Exprs::read(answer).ok_or_else(|| unexpected(answer))?;
    let head = exprs.list(expr).and_then(|parts| parts.first());
    if head.and_then(|&head| exprs.symbol(head)) == Some("error") {
        return Err(refused(answer));
    }
    Ok(Reader::new(terms, &script.names, &exprs).formula(expr)?)
}

/// The interpolant in `(define-fun I () Bool interpolant)`.
fn defined(terms: &Terms, script: &Script, answer: &str) -> Result<Term, Failure> {
    let (exprs, expr) = Exprs::read(answer).ok_or_else(|| unexpected(answer))?;
    let parts = match exprs.node(expr) {
        Node::List(parts) => parts,
        Node::Symbol(word) if matches!(word.as_str(), "fail" | "none" | "unknown") => {
            return Err(Failure::Incomplete("no interpolant was found".into()));
        }
        _ => return Err(unexpected(answer)),
    };
    let names: Vec<Option<&str>> = parts.iter().map(|&part| exprs.symbol(part)).collect();
    match (&names[..], &parts[..]) {
        ([Some("define-fun"), Some("I"), None, Some("Bool"), _], &[_, _, params, _, body])
            if exprs.list(params) == Some(&[]) =>
        {
            Ok(Reader::new(terms, &script.names, &exprs).formula(body)?)
        }
        ([Some("error"), ..], _) => Err(refused(answer)),
        _ => Err(unexpected(answer)),
    }
}

/// The solver understood the question and did not answer it.
fn refused(answer: &str) -> Failure {
    Failure::Incomplete(answer.chars().take(300).collect())
}

/// The name of a logic that has everything in the formulas; among those that all solvers know if
/// possible.
fn logic(terms: &Terms, formulas: &[Term]) -> &'static str {
    let (mut maps, mut functions, mut ints, mut reals) = (false, false, false, false);
    let number = |term: &Term| terms.as_number(*term).is_some();
    for term in terms.post_order(formulas) {
        match terms.sort(term) {
            Sort::Bool => {}
            Sort::Int => ints = true,
            Sort::Real => reals = true,
            Sort::Map(_) => maps = true,
            Sort::Uninterpreted(_) => functions = true,
            Sort::BitVec(_)
            | Sort::Float(..)
            | Sort::RoundingMode
            | Sort::Seq(_)
            | Sort::String
            | Sort::RegEx
            | Sort::Datatype(_) => {
                return "ALL";
            }
        }
        match terms.op(term) {
            Op::Bind(_) | Op::Builtin(_) => return "ALL",
            Op::Apply(function) => functions |= !function.params.is_empty(),
            Op::Mul if terms.args(term).iter().filter(|t| !number(t)).count() > 1 => {
                return "ALL";
            }
            Op::Div | Op::Mod | Op::RealDiv if !terms.args(term).iter().skip(1).all(number) => {
                return "ALL";
            }
            _ => {}
        }
    }
    match (maps, functions, ints, reals) {
        (_, _, true, true) => "QF_AUFLIRA",
        (true, _, _, false) => "QF_AUFLIA",
        (true, _, false, true) => "QF_AUFLRA",
        (false, true, true, false) => "QF_UFLIA",
        (false, true, false, true) => "QF_UFLRA",
        (false, false, true, false) => "QF_LIA",
        (false, false, false, true) => "QF_LRA",
        (false, _, false, false) => "QF_UF",
    }
}
