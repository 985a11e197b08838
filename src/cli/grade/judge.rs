//! A submission, from its bytes to what is said about it.
//!
//! 1. It has to be a program (`unreadable`, `rejected`).
//! 2. It has to be the program that was handed out, up to what students may change: [`super::compare`].
//! 3. `ult check` has to say what is expected: [`super::hint`] says where it does not.
//! 4. Runs have to get to what is asserted: [`super::reach`].
//! 5. The hidden checks have to hold: [`super::hidden`].
//! 6. Steps of graphs and Horn clauses must not be idle ([`super::taken`]): last, since what a teacher says is said better.

use std::fs;
use std::io::Read as _;
use std::ops::Range;
use std::path::Path;
use std::time::Duration;

use ult_check::Verdict;
use ult_core::control::Control;
use ult_driver::{Conclusion, Language, Report};

use super::change::Change;
use super::checking::{Checking, Question};
use super::compare;
use super::exercise::{Exercise, Expected, Hidden};
use super::fault::{Fault, Objection};
use super::hidden;
use super::hint;
use super::reach::{self, Goal};
use super::shape::{Kind, Shape};
use super::taken;

/// No submission is larger, in bytes.
pub const LARGEST: u64 = 1 << 20;

/// What is said about a submission.
#[derive(Clone, Debug, PartialEq)]
pub enum Grade {
    /// It solves the exercise.
    Passed,
    /// It does not, and why: the first is the one to tell.
    Failed(Vec<Objection>),
    /// Nobody knows, and why.
    Undecided(String),
}

/// Grades submissions to one exercise.
#[derive(Debug)]
pub struct Judge<'e> {
    exercise: &'e Exercise,
    given: Shape,
    checking: Checking,
    hidden: Vec<(&'e Hidden, String, Checking)>,
    /// The time for one question to the verifier.
    limit: Duration,
}

/// How a step ends early.
enum End {
    Fails(Vec<Objection>),
    Open(String),
}

impl From<Objection> for End {
    fn from(objection: Objection) -> End {
        End::Fails(vec![objection])
    }
}

impl<'e> Judge<'e> {
    /// Reads what the exercise names.
    ///
    /// # Errors
    /// In words: what cannot be read or makes no sense.
    pub fn new(exercise: &'e Exercise, limit: Duration) -> Result<Judge<'e>, String> {
        let read = |path: &Path| {
            fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
        };
        let given = read(&exercise.given)?;
        let hidden = exercise.hidden.iter().map(|hidden| {
            let options = hidden.options.as_ref().unwrap_or(&exercise.options);
            Ok((hidden, read(&hidden.file)?, Checking::with(options)?))
        });
        Ok(Judge {
            exercise,
            given: compare::shape(&given, exercise.language),
            checking: Checking::with(&exercise.options)?,
            hidden: hidden.collect::<Result<_, String>>()?,
            limit,
        })
    }

    /// Grades a file.
    pub fn grade(&self, path: &Path, control: &Control) -> Grade {
        let graded = ult_core::guard::guarded(|| Ok(self.judged(path, control)));
        match graded {
            Ok(Ok(())) => Grade::Passed,
            Ok(Err(End::Fails(objections))) => Grade::Failed(objections),
            Ok(Err(End::Open(why))) => Grade::Undecided(why),
            Err(bug) => Grade::Undecided(bug.to_string()),
        }
    }

    fn judged(&self, path: &Path, control: &Control) -> Result<(), End> {
        let text = text(path)?;
        let made = compare::shape(&text, self.exercise.language);
        let directives = compare::directives(&self.given, &made);
        if !directives.is_empty() {
            return Err(End::Fails(directives));
        }
        let report = self.asked(&self.checking, path, &text, &[], true, control)?;
        self.readable(&report)?;
        let changed = compare::objections(&self.given, &made, &self.exercise.change);
        if !changed.is_empty() {
            return Err(End::Fails(changed));
        }
        self.verdict(&report, &made)?;
        if self.exercise.verdict == Expected::Safe && self.exercise.reach {
            self.reached(path, &made, control)?;
        }
        for (hidden, text, checking) in &self.hidden {
            self.hidden(path, &made, hidden, text, checking, control)?;
        }
        if self.exercise.verdict == Expected::Safe && self.exercise.reach {
            self.taken(path, &made, control)?;
        }
        Ok(())
    }

    fn asked(
        &self,
        checking: &Checking,
        path: &Path,
        text: &str,
        entries: &[String],
        as_asked: bool,
        control: &Control,
    ) -> Result<Report, End> {
        let question = Question {
            entries,
            as_asked,
            limit: self.limit,
            control,
        };
        let language = self.exercise.language;
        checking
            .check(path, text, language, &question)
            .map_err(End::Open)
    }

    /// Whether it is a program at all.
    fn readable(&self, report: &Report) -> Result<(), End> {
        let source = &report.source;
        let error = report.diagnostics.iter().find(|d| d.is_error());
        let Some(error) = error else { return Ok(()) };
        let line = error.place().map(|place| source.start(place).line);
        Err(Objection::new(Fault::Rejected, line, error.message.clone()).into())
    }

    /// Whether the verdict is the one that is expected.
    fn verdict(&self, report: &Report, made: &Shape) -> Result<(), End> {
        match (report.conclusion(), self.exercise.verdict) {
            // For C that is SAFE, since properties were asked for.
            (Conclusion::Safe, _) if report.is_trivial() => {
                Err(Objection::new(Fault::Nothing, None, "there is nothing to check").into())
            }
            (Conclusion::Safe, Expected::Safe) | (Conclusion::Unsafe, Expected::Unsafe) => Ok(()),
            (Conclusion::Nothing, _) => {
                Err(Objection::new(Fault::Nothing, None, "there is nothing to check").into())
            }
            (Conclusion::Safe, Expected::Unsafe) => Err(Objection::new(
                Fault::NotViolated,
                self.exercise
                    .change
                    .iter()
                    .find_map(|change| line_of(made, change)),
                "every assertion holds, and the exercise asks for an execution that violates one",
            )
            .into()),
            (conclusion, _) => match (hint::hint(report), self.exercise.verdict) {
                (Some(hint), Expected::Safe) => Err(Objection {
                    fault: Fault::Violated,
                    line: Some(hint.line),
                    words: hint.words,
                }
                .into()),
                _ => Err(End::Open(match (&conclusion, report.reason()) {
                    (_, Some(reason)) => reason.to_string(),
                    (other, None) => other.to_string(),
                })),
            },
        }
    }

    /// Whether runs get to what is asserted.
    fn reached(&self, path: &Path, made: &Shape, control: &Control) -> Result<(), End> {
        let language = self.exercise.language;
        let kept: Vec<Range<usize>> = (made.all(Kind::Assertion))
            .filter(|part| {
                let words = made.words(&part.range);
                let mut wanted = self.given.parts_of(Kind::Assertion, &part.owner);
                wanted.any(|given| self.given.words(&given.range) == words)
            })
            .map(|part| part.range.clone())
            .collect();
        let bodies = self.given.all(Kind::Body).map(|body| body.owner.clone());
        let entries: Vec<String> = bodies.collect();
        let has_contract = |owner: &&String| made.parts_of(Kind::Ensures, owner).next().is_some();
        let ends: Vec<String> = match language {
            Language::C if kept.is_empty() => vec!["main".to_owned()],
            Language::C => Vec::new(),
            _ => entries.iter().filter(has_contract).cloned().collect(),
        };
        let probed = reach::probed(made, language, &kept, &entries, &ends);
        let Some(probed) = probed else { return Ok(()) };
        let report = self.asked(&self.checking, path, &probed.text, &[], false, control)?;
        self.found(made, &probed, &report)
    }

    /// Whether runs take all steps of graphs, and clauses apply to something.
    fn taken(&self, path: &Path, made: &Shape, control: &Control) -> Result<(), End> {
        for asked in taken::questions(made, self.exercise.language) {
            let report = self.asked(&self.checking, path, &asked.text, &[], true, control)?;
            match report.conclusion() {
                Conclusion::Unsafe => {}
                Conclusion::Safe | Conclusion::Nothing => {
                    let line = Some(made.line(asked.about.start));
                    return Err(Objection::new(Fault::Unreachable, line, asked.words).into());
                }
                other => {
                    let why = (report.reason()).map_or(other.to_string(), ToString::to_string);
                    let told = made.excerpt(&asked.about);
                    return Err(End::Open(format!("whether `{told}` is used: {why}")));
                }
            }
        }
        Ok(())
    }

    /// Whether all goals of a probed text are reached.
    fn found(&self, made: &Shape, probed: &reach::Probed, report: &Report) -> Result<(), End> {
        if report.is_rejected() {
            let error = report.diagnostics.iter().find(|d| d.is_error());
            let error = error.map_or("", |error| &error.message);
            return Err(End::Open(format!(
                "whether runs get to the assertions: {error}"
            )));
        }
        // Places, since C is checked behind the preprocessor.
        let places = ult_driver::Source::new("", probed.text.as_str());
        for (goal, marks) in &probed.goals {
            let at = |offset: usize| places.place(u32::try_from(offset).unwrap_or(u32::MAX));
            let is_mark = |o: &&ult_driver::ObligationReport| {
                let place = report.source.start(o.span);
                marks
                    .iter()
                    .any(|mark| at(mark.start) <= place && place < at(mark.end))
            };
            let verdicts: Vec<&Verdict> = report
                .obligations()
                .filter(is_mark)
                .map(|o| &o.verdict)
                .collect();
            if verdicts.iter().any(|verdict| verdict.is_unsafe()) {
                continue;
            }
            let open = verdicts.iter().find_map(|verdict| verdict.reason());
            let open = open.or(report.stopped.as_ref());
            let open = open.or(report.units.iter().find_map(|unit| unit.stopped.as_ref()));
            if let Some(reason) = open {
                return Err(End::Open(format!(
                    "whether runs get to what is asserted: {reason}"
                )));
            }
            return Err(unreached(made, goal).into());
        }
        Ok(())
    }

    /// A check that students do not see.
    fn hidden(
        &self,
        path: &Path,
        made: &Shape,
        hidden: &Hidden,
        text: &str,
        checking: &Checking,
        control: &Control,
    ) -> Result<(), End> {
        let language = self.exercise.language;
        let composed = hidden::composed(made, text, language);
        let entries = &composed.entries;
        let report = self.asked(checking, path, &composed.text, entries, true, control)?;
        let line = line_of(made, &hidden.about);
        let fails = |report: &Report| {
            let mut objection = Objection::new(Fault::HiddenCheck, line, hidden.says.clone());
            if let Some(values) = hint::values_of(report) {
                objection
                    .words
                    .push(format!("A check that you do not see fails with {values}"));
            }
            End::from(objection)
        };
        match (report.conclusion(), hidden.expect) {
            (Conclusion::Safe, Expected::Safe) => {}
            (Conclusion::Unsafe, Expected::Unsafe) => return Ok(()),
            (Conclusion::Safe | Conclusion::Unsafe, _) => return Err(fails(&report)),
            (Conclusion::Rejected, _) => {
                let error = report.diagnostics.iter().find(|d| d.is_error());
                let error = error.map_or("", |error| &error.message);
                return Err(End::Open(format!("{}: {error}", hidden.file.display())));
            }
            _ if hidden.expect == Expected::Safe && hint::hint(&report).is_some() => {
                return Err(fails(&report));
            }
            (other, _) => {
                let why = report
                    .reason()
                    .map_or(other.to_string(), ToString::to_string);
                return Err(End::Open(format!("a hidden check: {why}")));
            }
        }
        // A call that never comes back would keep every promise.
        let whole = compare::shape(&composed.text, language);
        let own: Vec<Range<usize>> = (whole.all(Kind::Assertion))
            .filter(|part| part.range.start >= composed.from)
            .map(|part| part.range.clone())
            .collect();
        let probed = reach::probed(&whole, language, &own, &[], entries);
        let Some(probed) = probed else { return Ok(()) };
        let report = self.asked(checking, path, &probed.text, entries, false, control)?;
        match self.found(&whole, &probed, &report) {
            Err(End::Fails(_)) => {
                let mut objection = Objection::new(Fault::Unreachable, line, hidden.says.clone());
                let or = match language {
                    Language::C => ", or does what is not defined in C",
                    _ => "",
                };
                let why = format!("A call in a check that you do not see never comes back{or}");
                objection.words.push(why);
                Err(objection.into())
            }
            other => other,
        }
    }
}

/// The line of the part that a change is about. Bodies are told by their heads.
fn line_of(made: &Shape, change: &Change) -> Option<u32> {
    let heads = made
        .declarations
        .iter()
        .filter(|d| change.is_about(&d.name) && !d.name.is_empty());
    let mut parts = made
        .parts
        .iter()
        .filter(|part| change.opens(part) && part.kind != Kind::Body);
    let place = parts.next().map(|part| part.range.start);
    let place = place.or_else(|| heads.map(|d| d.head.start).next());
    place.map(|place| made.line(place))
}

fn unreached(made: &Shape, goal: &Goal) -> Objection {
    let head_of = |owner: &str| {
        let mut all = made.declarations.iter();
        let declaration = all.find(|d| d.name == owner);
        declaration.map(|d| made.line(d.head.start))
    };
    match goal {
        Goal::Entry(owner) => {
            let clause = made.parts_of(Kind::Requires, owner).next();
            let line = clause.map(|part| made.line(part.range.start));
            Objection::new(
                Fault::PreconditionUnsatisfiable,
                line.or_else(|| head_of(owner)),
                format!("no call of `{owner}` fulfils its precondition, so nothing is proved"),
            )
        }
        Goal::Assertion(range) => {
            let text = made.excerpt(range);
            Objection::new(
                Fault::Unreachable,
                Some(made.line(range.start)),
                format!("no execution reaches `{text}`, so it says nothing"),
            )
        }
        Goal::End(owner) => Objection::new(
            Fault::Unreachable,
            head_of(owner),
            format!("no execution reaches the end of `{owner}`, so its contract says nothing"),
        ),
    }
}

/// The text of a submission.
fn text(path: &Path) -> Result<String, End> {
    let unreadable = |why: String| End::from(Objection::new(Fault::Unreadable, None, why));
    // What is no file may never end.
    let is_file = fs::metadata(path).map(|data| data.is_file());
    match is_file {
        Ok(true) => {}
        Ok(false) => return Err(unreadable("the submission is no file".into())),
        Err(error) => return Err(unreadable(error.to_string())),
    }
    let mut bytes = Vec::new();
    let read = fs::File::open(path).and_then(|file| file.take(LARGEST + 1).read_to_end(&mut bytes));
    if let Err(error) = read {
        return Err(unreadable(error.to_string()));
    }
    if bytes.len() as u64 > LARGEST {
        return Err(unreadable("the submission is larger than 1 MB".into()));
    }
    String::from_utf8(bytes).map_err(|_| unreadable("the submission is not UTF-8 text".into()))
}
