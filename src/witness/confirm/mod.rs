//! Violations of C programs, compiled and run: does the program that a compiler makes of the text, given the inputs of the
//! run, reach the violation, too?
//!
//! This is no second way to a verdict, only a doubt: what was verified is a translation, and if the compiled program goes
//! another way than the run although nothing explains it, the translation may be wrong ([`Outcome::Contradicted`]). Then
//! there is no verdict, whatever the user asked for; "never a wrong verdict" goes before an answer. If something may
//! explain it (an input that cannot be fed, a variable that nobody has set, undefined behaviour), the verdict stays, and
//! the report says what happened and why that may be.
//!
//! To run a program that somebody wrote is dangerous, and whoever verifies one may have got it from somewhere. So without
//! being told more, only those programs are run that take nothing from outside but functions without effects on the world
//! (`outside`), without network where the system lets, in a folder of their own, with limits on time, memory and files.
//! This is no cage for a program that was made to break out by jumping into its own data.
//!
//! | file | idea |
//! |---|---|
//! | `text` | the program with a mark at the violation |
//! | `own` | the user's files, as the compiler reads them |
//! | `feed` | the second file: inputs, and what the program tells about itself |
//! | `order` | where C leaves an order open |
//! | `compile` | the compiler, with sanitizers if it has them |
//! | `outside` | what the compiled program takes from outside |
//! | `process` | a process with limits |
//! | `found` | what sanitizers say |
//! | `judge` | what all of it together means |
//! | `settings` | how it is done |

mod compile;
mod feed;
mod found;
mod judge;
mod order;
mod outside;
mod own;
mod process;
mod settings;
mod text;

pub use self::settings::{Mode, Settings};

use std::sync::Arc;
use std::time::{Duration, Instant};

use self::judge::{Observed, Trial};
use self::settings::NO_TIME;
use crate as witness;
use ult_c::undefined::Undefined;
use ult_check::Verdict;
use ult_core::control::Control;
use ult_core::guard::guarded;
use ult_core::reason::Reason;
use ult_driver::{Confirmation, Language, ObligationReport, Outcome, Report};

/// The time for all violations of one program. Many are tried as long as it lasts.
const ALTOGETHER: Duration = Duration::from_secs(60);

/// So much of the time is kept for violations, if it is no more than a tenth of it: most programs are compiled and run in less.
const KEPT: Duration = Duration::from_secs(2);

/// A handle for what comes before [`confirm`], so that there is time for a violation where something else stays open until
/// the time is over.
pub fn before(settings: &Settings, language: Language, control: &Control) -> Control {
    let is_wanted = settings.mode != Mode::Never && language == Language::C;
    let remaining = control.remaining().filter(|_| is_wanted);
    control.within(remaining.map(|remaining| remaining - KEPT.min(remaining / 10)))
}

/// Compiles and runs the program for each violation of a report, and notes what happens. Takes no longer than `control`
/// allows.
pub fn confirm(report: &mut Report, settings: &Settings, control: &Control) {
    if settings.mode == Mode::Never || report.language != Language::C {
        return;
    }
    let deadline = Instant::now() + ALTOGETHER;
    let limited = control.until(deadline);
    let mut tried = Vec::new();
    for (u, unit) in report.units.iter().enumerate() {
        for (o, obligation) in unit.obligations.iter().enumerate() {
            if obligation.verdict.is_unsafe() {
                tried.push((u, o, attempt(report, obligation, settings, &limited)));
            }
        }
    }
    for (u, o, confirmation) in tried {
        let unit = report.units.get_mut(u).map(Arc::make_mut);
        if let Some(obligation) = unit.and_then(|unit| unit.obligations.get_mut(o)) {
            obligation.confirmation = Some(confirmation);
        }
    }
    settle(report, settings);
}

/// Takes back the verdicts that do not count: those that the compiled program contradicts, and with [`Mode::Always`] all
/// that it does not confirm. Of a violation that nobody came to try, it says that.
pub fn settle(report: &mut Report, settings: &Settings) {
    if settings.mode == Mode::Never || report.language != Language::C {
        return;
    }
    for unit in &mut report.units {
        let is_settled = |obligation: &ObligationReport| {
            !obligation.verdict.is_unsafe()
                || (obligation.confirmation.as_ref())
                    .is_some_and(|told| doubt(told, settings.mode).is_none())
        };
        if unit.obligations.iter().all(is_settled) {
            continue;
        }
        for obligation in &mut Arc::make_mut(unit).obligations {
            if !obligation.verdict.is_unsafe() {
                continue;
            }
            let told = obligation
                .confirmation
                .get_or_insert_with(|| untried(NO_TIME));
            if let Some(reason) = doubt(told, settings.mode) {
                obligation.verdict = Verdict::Unknown(reason);
            }
        }
    }
}

/// Why a violation does not count, if it does not.
fn doubt(told: &Confirmation, mode: Mode) -> Option<Reason> {
    match told.outcome {
        Outcome::Confirmed => None,
        Outcome::Contradicted => Some(Reason::Translation(told.words.clone())),
        Outcome::Missed | Outcome::Untried => {
            (mode == Mode::Always).then(|| Reason::NotConfirmed(told.words.clone()))
        }
    }
}

/// One violation.
fn attempt(
    report: &Report,
    violated: &ObligationReport,
    settings: &Settings,
    control: &Control,
) -> Confirmation {
    let tried = guarded(|| Ok(trial(report, violated, settings, control)));
    // A bug here is no reason to lose what was found.
    let tried = tried.unwrap_or_else(|reason| Err(reason.to_string()));
    tried.unwrap_or_else(|why| untried(&why))
}

fn untried(why: &str) -> Confirmation {
    Confirmation {
        outcome: Outcome::Untried,
        words: why.to_owned(),
        reasons: Vec::new(),
    }
}

/// Compiles and runs. An error says in words why that was not possible.
fn trial(
    report: &Report,
    violated: &ObligationReport,
    settings: &Settings,
    control: &Control,
) -> Result<Confirmation, String> {
    let inputs = witness::inputs(report, violated, settings.model);
    if !inputs.has_main {
        return Err("the program has no function `main`".into());
    }
    if *violated.description == *Undefined::Read.violation() {
        return Err("its sanitizers do not see what was not written".into());
    }
    if violated
        .description
        .starts_with(Undefined::Format.violation())
    {
        return Err("its sanitizers do not see what a format takes".into());
    }
    let mut marked = text::marked(&report.source, violated)?;
    let folder = compile::Folder::new()?;
    let compiler = compile::Compiler {
        words: &settings.compiler,
        headers: &settings.headers,
        model: settings.model,
        wraps: settings.wraps,
        control,
    };
    own::replace(&mut marked, &report.source, violated.span, |file, text| {
        compiler.preprocessed(&folder, file, text)
    })?;
    if settings.mode == Mode::Auto
        && let Some(what) = marked.units.iter().find_map(|unit| outside::hidden(unit))
    {
        return Err(format!(
            "the program contains {what}, which may do something outside of it; {DARE}"
        ));
    }
    let feed = feed::file(&inputs, &folder.events(), settings.model);
    let mut build = compiler.build(&folder, &marked.units, &feed)?;
    if settings.mode == Mode::Auto {
        let symbols = compiler.symbols(&folder)?;
        let foreign = outside::foreign(&symbols, &inputs);
        if !foreign.is_empty() {
            let names: Vec<String> = foreign.iter().map(|name| format!("`{name}`")).collect();
            return Err(format!(
                "the program calls {}, which may do something outside of it; {DARE}",
                names.join(", ")
            ));
        }
    }
    let mut trial = Trial {
        report,
        violated,
        inputs: &inputs,
        settings,
        marked: &marked,
        symbols: compiler.symbols(&folder).unwrap_or_default(),
        observed: Vec::new(),
    };
    loop {
        let ended = folder.run(&build, settings, trial.wants_leaks(), control)?;
        // A program that was stopped early has not shown anything.
        if matches!(ended.how, process::End::Time) && control.check().is_err() {
            return match trial.observed.is_empty() {
                true => Err(NO_TIME.into()),
                false => Ok(trial.judge()),
            };
        }
        trial.observed.push(Observed {
            fill: build.fill,
            sanitizers: build.sanitizers,
            ended: ended.how,
            events: folder.take_events(),
            found: found::read(&ended.stderr),
        });
        // What nobody sets has another value the second time.
        if build.fill != Some(compile::Fill::Pattern) || !trial.is_worth_another() {
            return Ok(trial.judge());
        }
        build = compiler.build_with(&folder, marked.units.len(), &build, compile::Fill::Zero)?;
    }
}

/// What can be done if a program is not run.
const DARE: &str = "`--confirm always` runs it";
