//! `ult export`: a program in a form for other verifiers.

use super::args::{ExportArgs, ExportFormatArg};
use super::document::{self, Document, Made};
use super::exit::Exit;
use super::input::Input;
use crate::control::Control;
use crate::formula::Terms;
use crate::lower::Options as Reading;
use crate::lower::graph::lower_graphs;
use crate::program::{Language, Notice, Report, export, typed};
use crate::reduce::ReduceOptions;

/// What to write.
struct Wanted {
    reading: Reading,
    c: ult_c::Options,
    reductions: ReduceOptions,
    format: ExportFormatArg,
    obligation: Option<usize>,
}

/// Runs the command.
pub fn run(args: &ExportArgs) -> Exit {
    let wanted = Wanted {
        reading: super::check::reading(&args.read),
        c: args.read.c.options(),
        reductions: super::check::reductions(&args.read),
        format: args.format,
        obligation: args.obligation,
    };
    let document = Document {
        file: &args.file,
        language: args.read.language,
        c: &args.read.c,
        libraries: &args.read.library,
        timeout: args.timeout,
        output: args.output.as_deref(),
    };
    document::run(&document, move |input, control| {
        exported(input, &wanted, control)
    })
}

fn exported(input: &Input, wanted: &Wanted, control: &Control) -> Made {
    if let Some(report) = input.rejection() {
        return Made::Rejected(Box::new(report));
    }
    let ExportFormatArg::Chc = wanted.format;
    let terms = Terms::new();
    let text = &input.source.text;
    let mut report = Report::new(input.source.clone(), input.language);
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
        Language::Boogie | Language::C => {
            let (mut reading, mut c) = (wanted.reading.clone(), wanted.c.clone());
            typed::lead_entries(input.language, &mut reading, &mut c);
            let typed = match typed::program(text, input.language, &c) {
                Ok(typed) => typed,
                Err(bug) => return Made::Bug(bug),
            };
            report.notices = typed.diagnostics.into_iter().map(Notice::from).collect();
            if report.is_rejected() {
                return Made::Rejected(Box::new(report));
            }
            let reading = Reading {
                library_from: input.source.library_from,
                ..wanted.reading.clone()
            };
            export::boogie(
                &typed.program,
                &input.source,
                &reading,
                &wanted.reductions,
                wanted.obligation,
                control,
            )
        }
        Language::Graph => {
            let (program, diagnostics) = ult_lang::analyze_graph(text);
            report.notices = diagnostics.into_iter().map(Notice::from).collect();
            if report.is_rejected() {
                return Made::Rejected(Box::new(report));
            }
            graphs(lower_graphs(&terms, &program))
        }
        Language::Horn => {
            let (unit, notices) = crate::chc::lower(&terms, text);
            report.notices = notices;
            if report.is_rejected() {
                return Made::Rejected(Box::new(report));
            }
            graphs(vec![unit])
        }
    };
    match result {
        Ok(text) => Made::Text(text),
        Err(why) => Made::Refused(format!("{}: {why}", input.source.name)),
    }
}
