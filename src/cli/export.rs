//! `ult export`: a program in a form for other verifiers.

use super::args::{ExportArgs, ExportFormatArg};
use super::exit::{Exit, end_at_once};
use super::input::{self, Input};
use super::output;
use super::watch::{End, Limits, watched};
use crate::control::Control;
use crate::formula::Terms;
use crate::lower::Options as Reading;
use crate::lower::graph::lower_graphs;
use crate::program::{Board, Language, Notice, Report, export};
use crate::reason::Reason;
use crate::reduce::ReduceOptions;
use crate::report::diagnostic;
use crate::verify::guarded;

/// What the worker sends.
enum Message {
    /// The export is written.
    Text(String),
    /// The input was rejected.
    Rejected(Box<Report>),
    /// There is no export of this program.
    Refused(String),
    /// A bug.
    Internal(String),
}

/// What to write.
struct Wanted {
    reading: Reading,
    reductions: ReduceOptions,
    format: ExportFormatArg,
    obligation: Option<usize>,
}

/// Runs the command.
pub fn run(args: &ExportArgs) -> Exit {
    if let Err(why) = crate::solver::require_z3() {
        super::complain(&why);
        return Exit::Solver;
    }
    let input = match input::read(&args.file, args.read.language) {
        Ok(input) => input,
        Err(exit) => return exit,
    };
    let limits = Limits {
        timeout: args.timeout,
        memory: None,
    };
    let wanted = Wanted {
        reading: super::check::reading(&args.read),
        reductions: super::check::reductions(&args.read),
        format: args.format,
        obligation: args.obligation,
    };
    let mut exit = None;
    let end = watched(
        limits,
        &Board::default(),
        false,
        move |control, send| {
            let message = guarded(|| Ok(exported(&input, &wanted, control)));
            send(message.unwrap_or_else(|reason| Message::Internal(reason.to_string())));
        },
        |message| {
            exit = Some(match message {
                Message::Text(text) => write(args, &text),
                Message::Rejected(report) => {
                    for notice in &report.notices {
                        output::stderr(&diagnostic::render(notice, &report.source, false));
                    }
                    Exit::Rejected
                }
                Message::Refused(text) => {
                    super::complain(&text);
                    Exit::Usage
                }
                Message::Internal(text) => {
                    super::complain(&text);
                    Exit::Internal
                }
            });
        },
    );
    match (end, exit) {
        (Err(exit), _) | (Ok(End::Finished), Some(exit)) => exit,
        (Ok(End::Finished | End::Lost), None) | (Ok(End::Lost), Some(_)) => Exit::Internal,
        (Ok(End::Abandoned(stop)), _) => {
            super::complain(&format!("stopped: {}", Reason::from(stop)));
            end_at_once(match Reason::from(stop) {
                Reason::Cancelled => Exit::Interrupted,
                _ => Exit::Unknown,
            })
        }
    }
}

fn write(args: &ExportArgs, text: &str) -> Exit {
    let written = match &args.output {
        None => output::stdout(text),
        Some(path) => std::fs::write(path, text).map_err(|error| {
            super::complain(&format!("cannot write `{}`: {error}", path.display()));
            Exit::Usage
        }),
    };
    match written {
        Ok(()) => Exit::Safe,
        Err(exit) => exit,
    }
}

fn exported(input: &Input, wanted: &Wanted, control: &Control) -> Message {
    if let Some(report) = input.rejection() {
        return Message::Rejected(Box::new(report));
    }
    let ExportFormatArg::Chc = wanted.format;
    let terms = Terms::new();
    let text = &input.source.text;
    let mut report = Report::new(input.source.clone());
    let graphs = |units| {
        let (reductions, obligation) = (&wanted.reductions, wanted.obligation);
        export::graphs(
            &terms,
            units,
            &input.source,
            reductions,
            obligation,
            control,
        )
    };
    let result = match input.language {
        Language::Boogie => {
            let (program, diagnostics) = ult_lang::analyze_boogie(text);
            report.notices = diagnostics.into_iter().map(Notice::from).collect();
            if report.is_rejected() {
                return Message::Rejected(Box::new(report));
            }
            export::boogie(
                &program,
                &input.source,
                &wanted.reading,
                &wanted.reductions,
                wanted.obligation,
                control,
            )
        }
        Language::Graph => {
            let (program, diagnostics) = ult_lang::analyze_graph(text);
            report.notices = diagnostics.into_iter().map(Notice::from).collect();
            if report.is_rejected() {
                return Message::Rejected(Box::new(report));
            }
            graphs(lower_graphs(&terms, &program))
        }
        Language::Horn => {
            let (unit, notices) = crate::chc::lower(&terms, text);
            report.notices = notices;
            if report.is_rejected() {
                return Message::Rejected(Box::new(report));
            }
            graphs(vec![unit])
        }
    };
    match result {
        Ok(text) => Message::Text(text),
        Err(why) => Message::Refused(format!("{}: {why}", input.source.name)),
    }
}
