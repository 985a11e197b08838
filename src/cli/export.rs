//! `ult export`: a program in a form for other verifiers.

use super::args::{ExportArgs, ExportFormatArg};
use super::document::{self, Document, Made};
use super::exit::Exit;
use super::input::Input;
use ult_core::control::Control;
use ult_core::formula::Terms;
use ult_driver::{Settings, export, load};

/// What to write.
struct Wanted {
    settings: Settings,
    format: ExportFormatArg,
    obligation: Option<usize>,
    /// Whether AIGER is to be binary.
    is_binary: bool,
}

/// Runs the command.
pub(crate) fn run(args: &ExportArgs) -> Exit {
    let wanted = Wanted {
        settings: super::check::reading_settings(&args.read),
        format: args.format,
        obligation: args.obligation,
        is_binary: (args.output.as_deref())
            .is_some_and(|path| path.extension() == Some("aig".as_ref())),
    };
    let document = Document {
        files: std::slice::from_ref(&args.file),
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
    let terms = Terms::new();
    let loaded = match load(&terms, &input.source, input.language, &wanted.settings) {
        Ok(loaded) if loaded.is_rejected() => return Made::Rejected(Box::new(loaded.report())),
        Ok(loaded) => loaded,
        Err(bug) => return Made::Bug(bug),
    };
    let circuit =
        |format, loaded| export::circuit(&terms, loaded, format, wanted.obligation, control);
    if wanted.format == ExportFormatArg::Aiger && wanted.is_binary {
        return match export::binary_circuit(&terms, loaded, wanted.obligation, control) {
            Ok(bytes) => Made::Bytes(bytes),
            Err(why) => Made::Refused(format!("{}: {why}", input.source.name)),
        };
    }
    let text = match wanted.format {
        ExportFormatArg::Chc => {
            let reductions = &wanted.settings.verify.reduce;
            export::clauses(&terms, loaded, reductions, wanted.obligation, control)
        }
        ExportFormatArg::Aiger => circuit(export::Format::Aiger, loaded),
        ExportFormatArg::Btor2 => circuit(export::Format::Btor2, loaded),
        ExportFormatArg::Dimspec => circuit(export::Format::DimSpec, loaded),
        ExportFormatArg::SvLib => export::sv_lib(&terms, loaded, wanted.obligation),
        ExportFormatArg::Smv => circuit(export::Format::Smv, loaded),
    };
    match text {
        Ok(text) => Made::Text(text),
        Err(why) => Made::Refused(format!("{}: {why}", input.source.name)),
    }
}
