//! `ult infer`: the loop invariants that a proof needs, as text.

use serde_json::json;

use super::args::c::CArgs;
use super::args::{InferArgs, InferFormatArg};
use super::document::{self, Document, Made};
use super::exit::Exit;
use super::input::Input;
use ult_core::control::Control;
use ult_driver::infer::{Inferred, Outcome, infer};
use ult_driver::{Language, Settings};

/// Runs the command.
pub(crate) fn run(args: &InferArgs) -> Exit {
    let document = Document {
        files: std::slice::from_ref(&args.file),
        language: Some(Language::Boogie),
        c: &CArgs::default(),
        libraries: &[],
        timeout: args.timeout,
        output: args.output.as_deref(),
    };
    let (line, format) = (args.line, args.format);
    document::run(&document, move |input, control| {
        inferred(input, line, format, control)
    })
}

fn inferred(input: &Input, line: Option<u32>, format: InferFormatArg, control: &Control) -> Made {
    if let Some(report) = input.rejection() {
        return Made::Rejected(Box::new(report));
    }
    let made = match infer(&input.source, line, &Settings::default(), control) {
        Ok(made) => made,
        Err(mistake) => return Made::Refused(mistake.to_string()),
    };
    let name = &input.source.name;
    let (exit, words) = match &made.outcome {
        Outcome::Proved => (Exit::Safe, None),
        Outcome::Nothing => (Exit::Nothing, Some("there is nothing to prove")),
        Outcome::Violated(_) => (
            Exit::Unsafe,
            Some("an assertion is violated; `ult check --calls contract` says by which run"),
        ),
        Outcome::Open => (
            Exit::Unknown,
            Some("no invariants were found with which all is proved"),
        ),
        Outcome::Rejected(report) => return Made::Rejected(report.clone()),
    };
    let words = words.map_or(String::new(), |words| format!("ult: {name}: {words}\n"));
    let text = match format {
        InferFormatArg::Text => made.text,
        InferFormatArg::Json => as_json(&made),
    };
    Made::Told(text, words, exit)
}

fn as_json(made: &Inferred) -> String {
    let outcome = match made.outcome {
        Outcome::Proved => "proved",
        Outcome::Nothing => "nothing",
        Outcome::Violated(_) => "violated",
        Outcome::Open => "open",
        Outcome::Rejected(_) => "rejected",
    };
    let added = made.added.iter();
    let added = added.map(|added| json!({ "line": added.line, "clause": added.clause }));
    let document = json!({
        "version": 1,
        "outcome": outcome,
        "added": added.collect::<Vec<_>>(),
        "text": made.text,
    });
    format!("{document:#}\n")
}
