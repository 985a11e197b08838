//! `ult translate`: a C program as the Boogie program that is verified.

use super::args::TranslateArgs;
use super::document::{self, Document, Made};
use super::exit::Exit;
use super::input::Input;
use super::output;
use ult_core::formula::Terms;
use ult_driver::{Content, Language, Settings, load};

/// Runs the command.
pub(crate) fn run(args: &TranslateArgs) -> Exit {
    let options = args.c.options();
    let document = Document {
        files: &args.files,
        language: Some(Language::C),
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
    let settings = Settings {
        c: options.clone(),
        ..Settings::default()
    };
    let loaded = match load(&Terms::new(), &input.source, input.language, &settings) {
        Ok(loaded) if loaded.is_rejected() => return Made::Rejected(Box::new(loaded.report())),
        Ok(loaded) => loaded,
        Err(bug) => return Made::Bug(bug),
    };
    output::messages(&loaded.diagnostics, &loaded.source);
    match loaded.content {
        Content::Program(program) => Made::Text(ult_lang::print::typed(&program)),
        Content::Graphs(_) | Content::Unit(_) => {
            Made::Refused(format!("{}: only C is translated", loaded.source.name))
        }
    }
}
