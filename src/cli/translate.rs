//! `ult translate`: a C program as the Boogie program that is verified.

use super::args::{LanguageArg, TranslateArgs};
use super::document::{self, Document, Made};
use super::exit::Exit;
use super::input::Input;
use super::output;
use crate::program::{Notice, Report};
use crate::reason::Reason;
use crate::report::diagnostic;
use ult_c::Refusal;

/// Runs the command.
pub fn run(args: &TranslateArgs) -> Exit {
    let options = args.c.options();
    let document = Document {
        file: &args.file,
        language: Some(LanguageArg::C),
        c: &args.c,
        libraries: &[],
        timeout: None,
        output: args.output.as_deref(),
    };
    document::run(&document, move |input, _| translated(input, &options))
}

fn translated(input: &Input, options: &ult_c::Options) -> Made {
    if let Some(report) = input.rejection() {
        return Made::Rejected(Box::new(report));
    }
    match ult_c::translate(&input.source.text, options) {
        Ok(translation) => {
            for warning in translation.diagnostics {
                let warning = Notice::from(warning);
                output::stderr(&diagnostic::render(&warning, &input.source, false));
            }
            Made::Text(ult_lang::print::typed(&translation.program))
        }
        Err(Refusal::Internal(mistake)) => Made::Bug(Reason::Internal(format!(
            "the translation from C is no Boogie program: {mistake}"
        ))),
        Err(Refusal::Rejected(diagnostics)) => {
            let mut report = Report::new(input.source.clone(), input.language);
            report.notices = diagnostics.into_iter().map(Notice::from).collect();
            Made::Rejected(Box::new(report))
        }
    }
}
