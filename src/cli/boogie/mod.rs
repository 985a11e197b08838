//! `ult boogie`: in the place of the program `boogie`, for those who call that one.
//!
//! The command line and the output are Boogie's; what is verified, and how, is the modular reading of `ult check
//! --modular`. "Verified" rests on the same checker.

mod functions;
mod options;

use std::borrow::Cow;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use self::options::Options;
use super::args::BoogieArgs;
use super::args::c::CArgs;
use super::exit::Exit;
use super::input::{Input, Reader};
use super::output::complain;
use super::process::end_at_once;
use super::watch::{End, Limits, supervise};
use super::{limits, output, save};
use ult_core::control::Control;
use ult_core::formula::Terms;
use ult_core::reason::Reason;
use ult_driver::{
    Content, Existential, Language, Loaded, Progress, Report, Settings, Source, load,
};
use ult_engine::verify;
use ult_lang::conditional;
use ult_lang::hir::{self, Attribute, AttributeArgument};
use ult_lower::{Options as Reading, Selection, plan};
use ult_report::boogie::{self, Body, Counts};

/// Boogie ends so where it cannot do what it was asked. What it finds makes no difference.
const REFUSED: Exit = Exit::Unsafe;

/// What the worker sends.
enum Message {
    /// Some output.
    Text(String),
    /// The content of a file.
    File(String, String),
    /// A bug.
    Bug(Reason),
}

/// Runs the command.
pub(crate) fn run(args: &BoogieArgs) -> Exit {
    let options = Options::of(&args.words);
    for warning in &options.warnings {
        output::stderr(&format!("ult: warning: {warning}\n"));
    }
    for mistake in &options.mistakes {
        complain(mistake);
    }
    if !options.mistakes.is_empty() {
        return REFUSED;
    }
    if options.version {
        let text = format!(
            "Boogie program verifier as of ult {}\n",
            ult_report::version()
        );
        return output::stdout(&text).err().unwrap_or(Exit::Safe);
    }
    if options.files.is_empty() {
        output::stderr("*** Error: No input files were specified.\n");
        return REFUSED;
    }
    if let Some(library) = options.libraries.first() {
        complain(&format!("there is no library `{library}` of Boogie's here"));
        return REFUSED;
    }
    if let Err(exit) = crate::solver::require(None) {
        return exit;
    }
    match sources(&options) {
        Ok(sources) => verified(options, sources),
        Err(Exit::Usage) => REFUSED,
        Err(exit) => exit,
    }
}

/// The programs: all files together, or each for itself.
fn sources(options: &Options) -> Result<Vec<Source>, Exit> {
    let reader = Reader {
        language: Some(Language::Boogie),
        c: CArgs::default(),
        libraries: Vec::new(),
        limits: within(options),
    };
    let inputs = reader.read(options.files.clone())?;
    if let Some(report) = inputs.iter().find_map(Input::rejection) {
        output::messages(&report.diagnostics, &report.source);
        return Err(REFUSED);
    }
    let mut sources = inputs.into_iter().zip(0..).map(|(input, number)| {
        let number = if options.separately { 0 } else { number };
        let file = format!("FILE_{number}");
        let chosen = match conditional::chosen(&input.source.text, &|name| name == file) {
            Cow::Borrowed(_) => None,
            Cow::Owned(text) => Some(text),
        };
        match chosen {
            None => input.source,
            Some(text) => Source::new(input.source.name, text),
        }
    });
    if options.separately {
        return Ok(sources.collect());
    }
    let Some(first) = sources.next() else {
        return Ok(Vec::new());
    };
    let others: Vec<_> = sources.map(|other| (other.name, other.text)).collect();
    if others.is_empty() {
        return Ok(vec![first]);
    }
    let mut joined = Source::with_libraries(first.name, &first.text, &others);
    // They are as much the user's own as the first one.
    joined.library_from = None;
    Ok(vec![joined])
}

/// The limits of the whole run.
fn within(options: &Options) -> Limits {
    Limits {
        timeout: seconds(options.process_time_limit),
        for_stdout: true,
        ..Limits::default()
    }
}

/// A limit; 0 is none.
fn seconds(number: u64) -> Option<Duration> {
    Duration::try_from_secs_f64(number as f64)
        .ok()
        .filter(|time| !time.is_zero())
}

/// Verifies programs and prints what was found.
fn verified(options: Options, sources: Vec<Source>) -> Exit {
    let progress = Progress::default();
    let bodies: Arc<Mutex<Vec<Body>>> = Arc::default();
    let limits = within(&options);
    let mut exit = Exit::Safe;
    let silent = options.silent;
    let end = {
        let (seen, bodies, options) = (progress.clone(), bodies.clone(), options.clone());
        let exit = &mut exit;
        supervise(
            limits,
            &progress,
            false,
            move |control, send| {
                for source in sources {
                    let work = Work {
                        options: &options,
                        control,
                        progress: &seen,
                        bodies: &bodies,
                    };
                    if let Err(bug) = work.program(&source, send) {
                        send(Message::Bug(bug));
                    }
                }
            },
            |message| {
                let told = match message {
                    Message::Text(_) if silent => Ok(()),
                    Message::Text(text) => output::stdout(&text),
                    Message::File(path, text) => {
                        save::save(Path::new(&path), text).map_err(|_| REFUSED)
                    }
                    Message::Bug(bug) => {
                        complain(&bug.to_string());
                        Err(Exit::Internal)
                    }
                };
                if let Err(worse) = told {
                    *exit = exit.worst(worse);
                }
            },
        )
    };
    let reason = match end {
        Err(exit) => return exit,
        Ok(End::Finished) => return exit,
        Ok(End::Abandoned(stop)) => Reason::from(stop),
        Ok(End::Lost) => Reason::Internal("the working thread ended early".into()),
    };
    // The worker is stuck or gone: what it published.
    if let Some(mut report) = progress.latest() {
        report.close(&reason);
        let bodies = bodies.lock().unwrap_or_else(PoisonError::into_inner);
        let (text, _) = found(&report, &bodies, &options);
        if !silent {
            exit = exit.worst(output::stdout(&text).err().unwrap_or(Exit::Safe));
        }
    } else {
        complain(&format!("stopped: {reason}"));
    }
    end_at_once(match reason {
        Reason::Cancelled => Exit::Interrupted,
        Reason::Internal(_) => Exit::Internal,
        _ => exit,
    })
}

/// The work on a program.
struct Work<'w> {
    options: &'w Options,
    control: &'w Control,
    progress: &'w Progress,
    /// What is verified, for whoever cannot wait for it.
    bodies: &'w Mutex<Vec<Body>>,
}

impl Work<'_> {
    fn program(&self, source: &Source, send: &dyn Fn(Message)) -> Result<(), Reason> {
        let options = self.options;
        let settings = settings(options);
        let loaded = load(&Terms::new(), source, Language::Boogie, &settings)?;
        let told = boogie::rejection(
            &loaded.diagnostics,
            source,
            options.infer_modifies,
            options.base_names,
        );
        let (text, rejected) = told;
        if !text.is_empty() {
            send(Message::Text(text));
        }
        if rejected {
            return Ok(());
        }
        if let (Some(path), Content::Program(program)) = (&options.print, &loaded.content) {
            let text = ult_lang::print::typed(program);
            send(match path.as_str() {
                "-" => Message::Text(text),
                path => Message::File(path.to_owned(), text),
            });
        }
        if options.no_resolve {
            return Ok(());
        }
        let mistakes = match &loaded.content {
            Content::Program(program) => functions::mistakes(&program.background),
            Content::Graphs(_) | Content::Unit(..) => Vec::new(),
        };
        if !mistakes.is_empty() {
            let text = boogie::mistakes(&mistakes, source, options.base_names);
            send(Message::Text(text));
            return Ok(());
        }
        let bodies = match options.no_verify {
            true => Vec::new(),
            false => bodies(&loaded),
        };
        self.bodies
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone_from(&bodies);
        let report = match bodies.is_empty() {
            true => loaded.report(),
            false => ult_driver::check_loaded(loaded, &settings, self.control, self.progress)
                .map_err(|error| Reason::Internal(error.to_string()))?,
        };
        let (text, xml) = found(&report, &bodies, options);
        send(Message::Text(text));
        if let (Some(path), Some(xml)) = (&options.xml, xml) {
            send(Message::File(path.clone(), xml));
        }
        match report.reasons().find(|r| matches!(r, Reason::Internal(_))) {
            Some(bug) => Err(bug.clone()),
            None => Ok(()),
        }
    }
}

/// The output about a program that was verified, and the document that `/xml` asks for.
fn found(report: &Report, bodies: &[Body], options: &Options) -> (String, Option<String>) {
    let shown = boogie::Options {
        error_limit: options.error_limit,
        runs: options.error_trace > 0,
        base_names: options.base_names,
        trace: options.trace,
        time_limit: options.time_limit,
    };
    let checked = boogie::checked(report, bodies, &shown);
    let mut text = String::new();
    if options.print_assignment {
        text += &assignment(report);
    }
    text += &boogie::messages(&checked, &report.source, &shown);
    if !options.quiet {
        text += &Counts::of(&checked).trailer();
    }
    let xml = options.xml.is_some().then(|| {
        let words: Vec<String> = std::env::args().collect();
        boogie::document(&checked, &report.source, shown.base_names, &words.join(" "))
    });
    (text, xml)
}

/// The values that were found for constants.
fn assignment(report: &Report) -> String {
    let mut text = "Assignment computed by Houdini:\n".to_owned();
    for (name, value) in &report.basis.inferred {
        let value = if *value { "True" } else { "False" };
        text += &format!("{name} = {value}\n");
    }
    text
}

/// How programs are read and verified.
fn settings(options: &Options) -> Settings {
    Settings {
        reading: Reading {
            modular: true,
            unroll: options.loop_unroll,
            selection: Some(Selection {
                only: options.procedures.clone(),
                except: options.not_procedures.clone(),
            }),
            ..Reading::default()
        },
        verify: verify::Settings {
            check: ult_check::Options {
                no_warnings: true,
                ..ult_check::Options::default()
            },
            after_deduction: Some(limits::AFTER_DEDUCTION),
            ..verify::Settings::default()
        },
        existential: match options.contract_infer {
            true => Existential::Inferred,
            false => Existential::Arbitrary,
        },
        unit_limit: seconds(options.time_limit),
        ..Settings::default()
    }
}

/// The bodies that are verified, in the order of the source.
fn bodies(loaded: &Loaded) -> Vec<Body> {
    let Content::Program(program) = &loaded.content else {
        return Vec::new();
    };
    let entries = plan::entries(program, &loaded.reading).unwrap_or_default();
    let mut bodies: Vec<Body> = entries
        .iter()
        .filter_map(|id| program.procedures.get(id.index()))
        .flat_map(|procedure| {
            let implementations = procedure.implementations.iter();
            let implementations =
                implementations.filter_map(|id| program.implementations.get(id.index()));
            implementations.map(|implementation| body(procedure, implementation))
        })
        .collect();
    bodies.sort_by_key(|body| body.place.start);
    bodies
}

fn body(procedure: &hir::Procedure, implementation: &hir::Implementation) -> Body {
    let named = |name: &str| {
        let attributes = implementation
            .attributes
            .iter()
            .chain(&procedure.attributes);
        attributes
            .filter(|attribute| attribute.name == name)
            .find_map(text)
    };
    let procedure: Arc<str> = (&*procedure.name).into();
    Body {
        name: named("verboseName").map_or_else(|| procedure.clone(), Into::into),
        procedure,
        place: implementation.span,
        end: implementation.end,
        thanks: named("msg_if_verifies"),
    }
}

/// The text that an attribute has as its argument.
fn text(attribute: &Attribute) -> Option<String> {
    match attribute.args.first()? {
        AttributeArgument::String(text) => Some(text.clone()),
        AttributeArgument::Expr(_) | AttributeArgument::Opaque(_) => None,
    }
}
