//! `ult grade`: submissions to an exercise.
//!
//! | file | idea |
//! |---|---|
//! | [`exercise`] | what a teacher writes |
//! | `change` | what students may change |
//! | `shape` | a program as it is compared |
//! | `boogie`, `c`, `clauses` | the shapes of programs in the languages |
//! | `compare` | whether a submission is the program that was handed out |
//! | `checking` | one question to the verifier |
//! | `reach` | whether runs get to what is asserted |
//! | `taken` | whether runs take the steps of a graph, and clauses apply |
//! | `hidden` | checks that students do not see |
//! | `hint` | what a counterexample says to a student |
//! | [`fault`] | why a submission fails |
//! | [`judge`] | all of it: from a file to what is said about it |
//! | [`class`] | many submissions |
//! | [`rehearsal`] | whether an exercise is as its author says |
//! | `output` | text, JSON, JUnit XML, Gradescope's JSON, CSV |

mod boogie;
mod c;
mod change;
mod checking;
pub mod class;
mod clauses;
mod compare;
pub mod exercise;
pub mod fault;
mod hidden;
mod hint;
pub mod judge;
mod output;
mod reach;
pub mod rehearsal;
mod shape;
mod taken;

use std::path::PathBuf;
use std::time::Duration;

use ult_driver::Progress;

use self::class::Graded;
use self::exercise::Exercise;
use self::fault::Fault;
use self::judge::{Grade, Judge};
use crate::args::{GradeArgs, GradeFormatArg};
use crate::exit::Exit;
use crate::output::complain;
use crate::process::end_at_once;
use crate::watch::{self, End, Limits, supervise};
use crate::{save, solver};

/// Runs the command.
pub(crate) fn run(args: &GradeArgs) -> Exit {
    match solver::require(args.timeout).and_then(|()| results(args)) {
        Ok(exit) | Err(exit) => exit,
    }
}

fn results(args: &GradeArgs) -> Result<Exit, Exit> {
    let usage = |why: String| {
        complain(&why);
        Exit::Usage
    };
    let exercise = Exercise::read(&args.exercise).map_err(usage)?;
    // What is wrong with it is told before any work.
    Judge::new(&exercise, args.limit).map_err(usage)?;
    if args.submissions.is_empty() {
        return rehearsed(args, exercise);
    }
    let files = class::files(&args.submissions).map_err(|error| usage(error.to_string()))?;
    if files.is_empty() {
        return Err(usage("there are no submissions".into()));
    }
    save::refuse_conflicts(args.output.as_deref(), files.iter().map(PathBuf::as_path))?;
    let limit = args.limit;
    let (exercise, mut all) = (std::sync::Arc::new(exercise), Vec::new());
    let work = exercise.clone();
    let paths = files.clone();
    let end = supervise(
        limits(args),
        &Progress::default(),
        false,
        move |control, send| {
            let Ok(judge) = Judge::new(&work, limit) else {
                return;
            };
            for path in &paths {
                if control.check().is_err() {
                    break;
                }
                send(class::graded(&judge, path, control));
            }
        },
        |graded: Graded| all.push(graded),
    )?;
    // Whoever was not looked at in time must not be forgotten.
    for path in &files[all.len()..] {
        all.push(Graded {
            path: path.clone(),
            student: path
                .file_stem()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned(),
            grade: Grade::Undecided("the time was over before".into()),
            time: Duration::ZERO,
        });
    }
    let internal = |why: String| {
        complain(&why);
        Exit::Internal
    };
    let text = match args.format {
        GradeFormatArg::Text => output::text(&exercise, &all, args.hint),
        GradeFormatArg::Json => output::as_json(&exercise, &all, args.hint),
        GradeFormatArg::Junit => output::junit(&exercise, &all).map_err(internal)?,
        GradeFormatArg::Gradescope => output::gradescope(&exercise, &all),
        GradeFormatArg::Csv => output::csv(&exercise, &all).map_err(internal)?,
    };
    write(args, &text)?;
    let exit = all.iter().map(exit_of).fold(Exit::Safe, Exit::worst);
    finished(end, exit)
}

/// Tries the exercise itself.
fn rehearsed(args: &GradeArgs, exercise: Exercise) -> Result<Exit, Exit> {
    let (limit, title) = (args.limit, exercise.title.clone());
    let mut found = None;
    let end = supervise(
        limits(args),
        &Progress::default(),
        false,
        move |control, send| {
            if let Ok(judge) = Judge::new(&exercise, limit) {
                send(rehearsal::complaints(&exercise, &judge, control));
            }
        },
        |complaints: Vec<String>| found = Some(complaints),
    )?;
    let (text, exit) = match found {
        Some(found) if found.is_empty() => (format!("{title}: as the exercise says\n"), Exit::Safe),
        Some(found) => (
            format!(
                "{title}: not as the exercise says\n  {}\n",
                found.join("\n  ")
            ),
            Exit::Unsafe,
        ),
        None => (format!("{title}: not decided in time\n"), Exit::Unknown),
    };
    write(args, &text)?;
    finished(end, exit)
}

fn limits(args: &GradeArgs) -> Limits {
    Limits {
        timeout: args.timeout,
        for_stdout: args.output.is_none(),
        ..Limits::default()
    }
}

fn write(args: &GradeArgs, text: &str) -> Result<(), Exit> {
    match &args.output {
        None => crate::output::stdout(text),
        Some(path) => save::save(path, text),
    }
}

fn finished(end: End, exit: Exit) -> Result<Exit, Exit> {
    let exit = match watch::interrupted() {
        true => exit.worst(Exit::Interrupted),
        false => exit,
    };
    match end {
        End::Finished => Ok(exit),
        End::Lost => Err(Exit::Internal),
        End::Abandoned(_) => end_at_once(exit.worst(Exit::Unknown)),
    }
}

/// As for `ult check`: what is violated, what is no program, what is open.
fn exit_of(graded: &Graded) -> Exit {
    match &graded.grade {
        Grade::Passed => Exit::Safe,
        Grade::Undecided(_) => Exit::Unknown,
        Grade::Failed(_) => match graded.objection().map(|first| first.fault) {
            Some(Fault::Rejected | Fault::Unreadable) => Exit::Rejected,
            _ => Exit::Unsafe,
        },
    }
}
