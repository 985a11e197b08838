//! Other solvers, driven over SMT-LIB text.
//!
//! The second opinion for the checker: questions are asked from scratch, answers are read with
//! the parser of `smtlib-lowlevel`. Its process backend is not used, since it waits for ever for
//! a solver that died; see [`process`] for ours.
//!
//! Fails closed: whatever is not exactly one answer to the question is a [`Failure`], and the
//! process that gave it is not asked again.

mod chc;
mod interpolating;
mod process;

#[cfg(test)]
pub(crate) mod tests;

use std::time::{Duration, Instant};

pub use self::chc::horn_text;
pub use self::interpolating::{InterpolatingSolver, Interpolation};

use smtlib_lowlevel::Storage;
use smtlib_lowlevel::ast::{CheckSatResponse, GetInfoResponse, InfoResponse, ReasonUnknown};

use self::process::Process;
use ult_smtlib::print;

use super::answer::{Answer, Failure, classify, tighter};
use crate::limits;
use ult_core::control::Control;
use ult_core::formula::{Term, Terms};

/// What is known about a solver by name.
struct Preset {
    name: &'static str,
    command: &'static [&'static str],
    /// What it calls itself, and the oldest version that is known to work.
    calls_itself: &'static str,
    oldest: u32,
}

const PRESETS: &[Preset] = &[
    Preset {
        name: "cvc5",
        command: &["cvc5", "--lang=smt2", "--incremental", "--quiet"],
        calls_itself: "cvc5",
        oldest: 1,
    },
    Preset {
        name: "z3",
        command: &["z3", "-smt2", "-in"],
        calls_itself: "Z3",
        oldest: 4,
    },
];

/// A solver in a process of its own.
pub struct ExternalSolver {
    command: Vec<String>,
    preset: Option<&'static Preset>,
    control: Control,
    /// None after a failure; the next question starts a new one.
    process: Option<Process>,
    identity: String,
    questions: u64,
}

impl ExternalSolver {
    /// Starts a solver: a preset (`cvc5`, `z3`), or a command line with its arguments, where
    /// quotes keep spaces. The solver has to speak SMT-LIB 2.6 on its standard streams.
    ///
    /// [`Failure::Missing`] if it cannot be started or is not of a version known to work.
    pub fn start(command: &str, control: &Control) -> Result<ExternalSolver, Failure> {
        let words = words(command);
        let preset = match &words[..] {
            [name] => PRESETS.iter().find(|preset| preset.name == name),
            _ => None,
        };
        let command = match preset {
            Some(preset) => preset.command.iter().map(|word| word.to_string()).collect(),
            None => words,
        };
        let mut solver = ExternalSolver {
            command,
            preset,
            control: control.clone(),
            process: None,
            identity: String::new(),
            questions: 0,
        };
        let process = solver.launch(limits::STARTING);
        solver.process = Some(process.map_err(too_slow)?);
        Ok(solver)
    }

    /// Name and version, as the solver states them.
    pub fn identity(&self) -> &str {
        &self.identity
    }

    fn launch(&mut self, limit: Duration) -> Result<Process, Failure> {
        let deadline = self.deadline(Some(limit));
        let mut process = Process::start(&self.command)?;
        process.send(
            "(set-option :print-success false)\n(get-info :name)\n(get-info :version)\n".into(),
        );
        let name = process.response(deadline, &self.control)?;
        let name = info(&name)?;
        let version = process.response(deadline, &self.control)?;
        let version = info(&version)?;
        if let Some(preset) = self.preset {
            let major = version
                .split(|c: char| !c.is_ascii_digit())
                .next()
                .and_then(|digits| digits.parse::<u32>().ok());
            if name != preset.calls_itself || major.is_none_or(|major| major < preset.oldest) {
                return Err(Failure::Missing(format!(
                    "{} of version {} or newer is needed, found `{name} {version}`",
                    preset.calls_itself, preset.oldest
                )));
            }
        }
        self.identity = format!("{name} {version}");
        process.send("(set-logic ALL)\n".into());
        Ok(process)
    }

    fn deadline(&self, limit: Option<Duration>) -> Option<Instant> {
        tighter(limit, self.control.remaining())
            .and_then(|allowance| Instant::now().checked_add(allowance))
    }

    /// Whether the formulas can hold together. Background facts have to be among them.
    pub fn check_unsat(
        &mut self,
        terms: &Terms,
        formulas: &[Term],
        limit: Option<Duration>,
    ) -> Answer {
        // Taken out: after a failure nobody knows what state the solver is in.
        match self.ask(terms, formulas, limit) {
            Ok((process, answer)) => {
                self.process = Some(process);
                answer
            }
            Err(failure) => Answer::Unknown(failure),
        }
    }

    fn ask(
        &mut self,
        terms: &Terms,
        formulas: &[Term],
        limit: Option<Duration>,
    ) -> Result<(Process, Answer), Failure> {
        self.control.check()?;
        let script = print::script(terms, formulas)?;
        let deadline = self.deadline(limit);
        let mut process = match self.process.take() {
            Some(process) => process,
            None => {
                self.launch(limit.map_or(limits::STARTING, |limit| limit.min(limits::STARTING)))?
            }
        };
        self.questions += 1;
        let begin = format!("ult-begin-{}", self.questions);
        let marker = format!("ult-{}", self.questions);
        process.send(format!(
            "(push 1)\n{script}(echo \"{begin}\")\n(check-sat)\n(echo \"{marker}\")\n"
        ));
        // What was said before is no answer to this question.
        let echo = process.response(deadline, &self.control)?;
        if echo.trim_matches('"') != begin {
            return Err(unexpected(&echo));
        }
        let response = process.response(deadline, &self.control)?;
        let answer = check_sat(&response)?;
        // The echo shows that nothing else was said before, and that the solver is still there.
        let echo = process.prompt_response(deadline, &self.control)?;
        if echo.trim_matches('"') != marker {
            return Err(unexpected(&echo));
        }
        let answer = match answer {
            CheckSatResponse::Sat => Answer::Sat,
            CheckSatResponse::Unsat => Answer::Unsat,
            CheckSatResponse::Unknown => {
                process.send("(get-info :reason-unknown)\n".into());
                let reason = process.prompt_response(deadline, &self.control)?;
                Answer::Unknown(classify(&info(&reason)?))
            }
        };
        process.send("(pop 1)\n".into());
        Ok((process, answer))
    }
}

/// A solver that did not say who it is.
fn too_slow(failure: Failure) -> Failure {
    match failure {
        Failure::Timeout => Failure::Missing(format!(
            "it did not say its name and version within {} seconds",
            limits::STARTING.as_secs()
        )),
        other => other,
    }
}

fn unexpected(response: &str) -> Failure {
    Failure::UnexpectedOutput(response.chars().take(300).collect())
}

fn check_sat(response: &str) -> Result<CheckSatResponse, Failure> {
    // A word and nothing else; the parser would be content with a beginning.
    if !matches!(response, "sat" | "unsat" | "unknown") {
        return Err(unexpected(response));
    }
    CheckSatResponse::parse(&Storage::new(), response).map_err(|_| unexpected(response))
}

/// The text in the response to `get-info`.
fn info(response: &str) -> Result<String, Failure> {
    let storage = Storage::new();
    let parsed = GetInfoResponse::parse(&storage, response).map_err(|_| unexpected(response))?;
    let unquoted = |text: &str| text.trim_matches('"').to_string();
    match parsed.0 {
        [InfoResponse::Name(text) | InfoResponse::Version(text)] => Ok(unquoted(text)),
        [InfoResponse::ReasonUnknown(reason)] => Ok(match reason {
            ReasonUnknown::Incomplete => "incomplete".into(),
            ReasonUnknown::Memout => "memout".into(),
            ReasonUnknown::SExpr(expression) => unquoted(&expression.to_string()),
        }),
        _ => Err(unexpected(response)),
    }
}

/// The words of a command line; single or double quotes keep spaces.
fn words(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for c in command.chars() {
        match quote {
            Some(q) if c == q => quote = None,
            Some(_) => word.get_or_insert_default().push(c),
            None if c == '\'' || c == '"' => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            None if c.is_whitespace() => words.extend(word.take()),
            None => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}
