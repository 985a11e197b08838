//! `ult validate`: whether a witness for a verdict on a program in C or SV-LIB is right.

use super::args::ValidateArgs;
use super::exit::Exit;
use super::input::Reader;
use super::output::{self, complain};
use super::process::end_at_once;
use super::watch::{End, Limits, supervise};
use ult_core::control::Control;
use ult_core::reason::Reason;
use ult_driver::{self as program, Conclusion, Language, Progress, Report, Settings, Source};
use ult_engine::Common;
use ult_engine::invariants::Auxiliary;
use ult_engine::verify;
use ult_interpolate::Strategy;
use ult_witness::place::Places;
use ult_witness::{self as witness, Claim};

/// What is known about a witness.
enum Outcome {
    /// It is right.
    Confirmed,
    /// It is wrong, and why.
    Refuted(String),
    /// Nobody knows, and why.
    Unknown(String),
}

/// Runs the command.
pub(crate) fn run(args: &ValidateArgs) -> Exit {
    if let Err(exit) = super::solver::require(args.timeout) {
        return exit;
    }
    let name = args.witness.display();
    let text = match std::fs::read_to_string(&args.witness) {
        Ok(text) => text,
        Err(error) => {
            complain(&format!("cannot read `{name}`: {error}"));
            return Exit::Usage;
        }
    };
    if is_sv_lib(args) {
        return sv_lib(args, &text);
    }
    let witness = match witness::read(&text) {
        Ok(witness) => witness,
        Err(why) => return rejected(&format!("{name}: {why}")),
    };
    let reader = Reader {
        language: Some(Language::C),
        c: args.read.c.clone(),
        libraries: Vec::new(),
        limits: limits(args),
    };
    let input = match reader.read_one(&args.file) {
        Ok(input) => input,
        Err(exit) => return exit,
    };
    if let Some(report) = input.rejection() {
        return show_rejection(&report);
    }
    match std::fs::read(&args.file) {
        Ok(content) if witness.is_about(&content) => {}
        Ok(_) => {
            let file = args.file.display();
            return rejected(&format!(
                "{name}: the witness is about another file than `{file}`: the hashes differ"
            ));
        }
        Err(error) => {
            complain(&format!("cannot read `{}`: {error}", args.file.display()));
            return Exit::Usage;
        }
    }
    let places = Places {
        source: &input.source,
        is_preprocessed: input.is_preprocessed,
    };
    let instrumented = match witness::instrument(places, &witness) {
        Ok(instrumented) => instrumented,
        Err(why) => return rejected(&format!("{name}: {why}")),
    };
    let markers = ult_c::source::clean(&instrumented.text).markers;
    let source = Source::preprocessed(input.source.name.clone(), &*instrumented.text, markers);
    verified(args, source, Language::C, &|report| {
        judge(report, &witness.claim, instrumented.target)
    })
}

/// Whether a file is a program in SV-LIB.
fn is_sv_lib(args: &ValidateArgs) -> bool {
    args.file
        .extension()
        .is_some_and(|suffix| suffix == "svlib")
}

/// A witness in SV-LIB: put into its program, it is a program.
fn sv_lib(args: &ValidateArgs, witness: &str) -> Exit {
    let reader = Reader {
        language: Some(Language::SvLib),
        c: args.read.c.clone(),
        libraries: Vec::new(),
        limits: limits(args),
    };
    let input = match reader.read_one(&args.file) {
        Ok(input) => input,
        Err(exit) => return exit,
    };
    if let Some(report) = input.rejection() {
        return show_rejection(&report);
    }
    let (text, claim) = match ult_svlib::witness::join(&input.source.text, witness) {
        Ok(joined) => joined,
        Err(why) => return rejected(&format!("{}: {why}", args.witness.display())),
    };
    let name = format!("{} with the witness", args.file.display());
    let source = Source::new(name, text);
    verified(args, source, Language::SvLib, &|report| {
        judge_sv_lib(report, claim)
    })
}

/// What the verdict on a program with its witness says about the witness.
fn judge_sv_lib(report: &Report, claim: ult_svlib::witness::Claim) -> Outcome {
    use ult_svlib::witness::Claim;
    let violated = report.obligations().find(|o| o.verdict.is_unsafe());
    match (claim, violated) {
        (Claim::Violated, Some(_)) => Outcome::Confirmed,
        (Claim::Correct, Some(obligation)) => {
            let place = report.source.start(obligation.span);
            let text = report.source.excerpt(obligation.span, 80);
            let (line, what) = (place.line, &obligation.description);
            Outcome::Refuted(format!("violated in line {line}: {what} ({text})"))
        }
        (Claim::Correct, None) => match report.conclusion() {
            Conclusion::Safe if !report.is_trivial() => Outcome::Confirmed,
            Conclusion::Safe => Outcome::Unknown("there is nothing to check".into()),
            Conclusion::Unknown(reason) => Outcome::Unknown(reason.to_string()),
            other => Outcome::Unknown(other.to_string()),
        },
        // That nobody looked at what the trace leaves out is no reason to doubt what is said about the trace.
        (Claim::Violated, None) => {
            let left_out = |reason: &Reason| matches!(reason, Reason::Unsupported(what, _) if what == ult_svlib::witness::LEFT_OUT);
            let asked = report.obligations();
            let mut asked = asked.filter(|o| *o.description != *ult_svlib::witness::LEFT_OUT);
            let open = asked.find_map(|obligation| obligation.verdict.reason());
            match open.or_else(|| report.reasons().find(|reason| !left_out(reason))) {
                Some(reason) => Outcome::Unknown(reason.to_string()),
                None => Outcome::Refuted("no execution follows the trace to the violation".into()),
            }
        }
    }
}

fn limits(args: &ValidateArgs) -> Limits {
    Limits {
        timeout: args.timeout,
        memory: args.memory,
        for_stdout: true,
        ..Limits::default()
    }
}

/// Verifies the program that the witness was written into, and tells what that says about the witness.
fn verified(
    args: &ValidateArgs,
    source: Source,
    language: Language,
    judge: &dyn Fn(&Report) -> Outcome,
) -> Exit {
    let name = args.witness.display();
    let settings = settings(args);
    let mut result = None;
    let progress = Progress::default();
    let seen = progress.clone();
    let end = supervise(
        limits(args),
        &seen,
        true,
        move |control: &Control, send| {
            send(program::check(
                &source, language, &settings, control, &progress,
            ));
        },
        |report| result = Some(report),
    );
    let is_abandoned = matches!(end, Ok(End::Abandoned(_)));
    let outcome = match (end, result) {
        (Err(exit), _) => return exit,
        (_, Some(Ok(report))) if report.is_rejected() => return show_rejection(&report),
        (_, Some(Ok(report))) => judge(&report),
        (_, Some(Err(error))) => {
            complain(&error.to_string());
            return Exit::Usage;
        }
        (Ok(End::Abandoned(stop)), None) => Outcome::Unknown(Reason::from(stop).to_string()),
        (Ok(End::Finished | End::Lost), None) => return Exit::Internal,
    };
    let (word, why, exit) = match outcome {
        Outcome::Confirmed => ("CONFIRMED", String::new(), Exit::Safe),
        Outcome::Refuted(why) => ("REFUTED", why, Exit::Unsafe),
        Outcome::Unknown(why) => ("UNKNOWN", why, Exit::Unknown),
    };
    let why = if why.is_empty() {
        why
    } else {
        format!(": {why}")
    };
    let exit = match output::stdout(&format!("ult: {word} {name}{why}\n")) {
        Ok(()) => exit,
        Err(exit) => exit,
    };
    if is_abandoned {
        end_at_once(exit);
    }
    exit
}

/// What the verdict on the instrumented program says about the witness.
fn judge(report: &Report, claim: &Claim, target: Option<ult_lang::span::Span>) -> Outcome {
    let describe = |obligation: &program::ObligationReport| {
        let place = report.source.start(obligation.span);
        let text = report.source.excerpt(obligation.span, 80);
        format!("line {}: {} ({text})", place.line, obligation.description)
    };
    let in_target = |obligation: &&program::ObligationReport| {
        target.is_some_and(|target| {
            target.start <= obligation.span.start && obligation.span.start < target.end
        })
    };
    let mut violated = report.obligations().filter(|o| o.verdict.is_unsafe());
    match claim {
        Claim::Correctness(_) => match (violated.next(), report.conclusion()) {
            (Some(obligation), _) => {
                Outcome::Refuted(format!("violated in {}", describe(obligation)))
            }
            (None, Conclusion::Safe) => Outcome::Confirmed,
            (None, Conclusion::Unknown(reason)) => Outcome::Unknown(reason.to_string()),
            (None, other) => Outcome::Unknown(other.to_string()),
        },
        Claim::Violation(_) => {
            if violated.any(|obligation| in_target(&obligation)) {
                return Outcome::Confirmed;
            }
            match report.reason() {
                Some(reason) => Outcome::Unknown(reason.to_string()),
                None => {
                    Outcome::Refuted("no execution follows it to a violation at its target".into())
                }
            }
        }
    }
}

fn settings(args: &ValidateArgs) -> Settings {
    Settings {
        certificate: false,
        reading: super::check::reading(&args.read),
        c: ult_c::Options {
            conditions: None,
            ..args.read.c.options()
        },
        verify: verify::Settings {
            reduce: super::check::reductions(&args.read),
            method: args.engine,
            common: Common {
                interpolation: Strategy::Auto,
                auxiliary: Auxiliary::Auto,
                choices: Vec::new(),
                circuit: Vec::new(),
                record: false,
                observers: ult_engine::observers::Observers::default(),
            },
            ..verify::Settings::default()
        },
        ..Settings::default()
    }
}

fn rejected(why: &str) -> Exit {
    complain(why);
    Exit::Rejected
}

fn show_rejection(report: &Report) -> Exit {
    output::rejected(&report.diagnostics, &report.source)
}
