//! `ult lsp`

use std::io::ErrorKind;
use std::path::Path;
use std::sync::Arc;

use ult_lang::diagnostic::{Diagnostic, Id, Severity};

use super::args::{CallsArg, LspArgs};
use super::c::CArgs;
use super::exit::Exit;
use super::{preprocess, watch};
use ult_driver::{Settings, Source};
use ult_engine::verify;
use ult_lower::{CallPolicy, Options as Reading};
use ult_lsp::{self as lsp, Setup};

/// Runs the command.
pub(crate) fn run(args: &LspArgs) -> Exit {
    if let Err(exit) = super::solver::require(None) {
        return exit;
    }
    if args.memory.is_some() && watch::resident_megabytes().is_none() {
        super::complain("--memory is not supported on this system");
        return Exit::Usage;
    }
    let (c, memory) = (args.c.clone(), args.memory);
    let setup = Setup {
        settings: Settings {
            certificate: false,
            reading: Reading {
                calls: match args.calls {
                    CallsArg::Auto => CallPolicy::Auto,
                    CallsArg::Inline => CallPolicy::Inline,
                    CallsArg::Contract => CallPolicy::Contract,
                },
                modular: args.modular,
                ..Reading::default()
            },
            c: args.c.options(),
            verify: verify::Settings {
                method: args.engine,
                ..verify::Settings::default()
            },
            // After an edit, only what depends on it is looked for again.
            kept: Some(args.keep.store_of_server()),
            ..Settings::default()
        },
        timeout: args.timeout,
        is_out_of_memory: Arc::new(move || {
            let used = memory.and_then(|_| watch::resident_megabytes());
            used > memory
        }),
        check_on_save: !args.no_check_on_save,
        confirm: super::c::confirmation(&args.c, args.confirm, args.cc.as_deref()),
        preprocess: Arc::new(move |path, text| preprocessed(path, text, &c)),
    };
    let kept = setup.settings.kept.clone();
    let result = lsp::run(setup);
    if let Some(kept) = kept {
        kept.prune();
    }
    match result {
        Ok(()) => Exit::Safe,
        Err(error) => {
            super::complain(&error.to_string());
            match error.kind() {
                // There is no thread for it.
                ErrorKind::WouldBlock => Exit::Internal,
                _ => Exit::Usage,
            }
        }
    }
}

/// A C text behind the preprocessor, which reads the file itself: texts with directives are as they were saved last.
fn preprocessed(path: &str, text: &str, c: &CArgs) -> Result<Source, Diagnostic> {
    let file = Path::new(path);
    let file = file.is_file().then_some(file);
    match preprocess::preprocessed(file, text.to_owned(), c) {
        Ok(Ok((made, false))) => Ok(Source::c(path, &made)),
        Ok(Ok((made, true))) => {
            let saved = file.and_then(|file| std::fs::read_to_string(file).ok());
            let own = saved.unwrap_or_else(|| text.to_owned());
            Ok(preprocess::with_files(Source::c(path, &made), own))
        }
        Ok(Err(failure)) => Err(failure.diagnostic),
        Err(_) => Err(Diagnostic {
            id: Id::C_PREPROCESSOR,
            severity: Severity::Error,
            message:
                "the headers of the C library cannot be written to the folder for temporary files"
                    .into(),
            labels: Vec::new(),
            help: None,
        }),
    }
}
