//! `ult lsp`

use std::io::ErrorKind;
use std::path::Path;
use std::sync::Arc;

use ult_lang::diagnostic::{Diagnostic, Id, Severity};

use super::args::LspArgs;
use super::args::c::CArgs;
use super::exit::Exit;
use super::many::words::{Words, parsed};
use super::output::complain;
use super::project::Projects;
use super::{check, library, preprocess, watch};
use ult_driver::{Settings, Source};
use ult_engine::verify;
use ult_lower::Options as Reading;
use ult_lsp::{self as lsp, Setup};
use ult_witness::confirm;

/// Runs the command.
pub(crate) fn run(args: &LspArgs) -> Exit {
    if let Err(exit) = super::solver::require(None) {
        return exit;
    }
    if args.memory.is_some() && watch::resident_megabytes().is_none() {
        complain("--memory is not supported on this system");
        return Exit::Usage;
    }
    let libraries = match library::texts(&args.library) {
        Ok(libraries) => libraries,
        Err(why) => {
            complain(&why);
            return Exit::Usage;
        }
    };
    let (c, memory) = (args.c.clone(), args.memory);
    let setup = Setup {
        settings: Settings {
            certificate: false,
            tells_induction: true,
            reading: Reading {
                calls: args.calls,
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
            minimize: true,
            ..Settings::default()
        },
        timeout: args.timeout,
        is_out_of_memory: Arc::new(move || {
            let used = memory.and_then(|_| watch::resident_megabytes());
            used > memory
        }),
        check_on_save: !args.no_check_on_save,
        check_on_open: !args.no_check_on_open,
        confirm: super::args::c::confirmation(&args.c, args.confirm, args.cc.as_deref()),
        preprocess: Arc::new(move |path, text| preprocessed(path, text, &c)),
        libraries,
        project: {
            let (confirm, cc) = (args.confirm, args.cc.clone());
            let own = Words::of_this_process();
            Arc::new(move |path, setup| of_project(path, setup, &own, confirm, cc.as_deref()))
        },
    };
    let kept = setup.settings.kept.clone();
    let result = lsp::run(setup);
    if let Some(kept) = kept {
        kept.prune();
    }
    match result {
        Ok(()) => Exit::Safe,
        Err(error) => {
            complain(&error.to_string());
            match error.kind() {
                // There is no thread for it.
                ErrorKind::WouldBlock => Exit::Internal,
                _ => Exit::Usage,
            }
        }
    }
}

/// How a file is read and checked, as its project says, unless the command line of the server says something else.
fn of_project(
    path: &str,
    setup: &Setup,
    own: &Words,
    confirm: confirm::Mode,
    cc: Option<&str>,
) -> Result<Setup, String> {
    let file = Path::new(path);
    let found = Projects::new(None, false).and_then(|mut projects| projects.of_file(file));
    let wrong = || format!("the project file of `{path}` has errors");
    let Some(project) = found.map_err(|_| wrong())? else {
        return Ok(setup.clone());
    };
    let task = project.task(file.to_owned(), own);
    if task.is_plain() {
        return Ok(setup.clone());
    }
    let mut words = task.words();
    words.extend(own.words.iter().cloned());
    let args = parsed(&words, file).map_err(|error| error.to_string())?;
    let (c, memory) = (args.read.c.clone(), task.memory);
    let is_out_of_memory = setup.is_out_of_memory.clone();
    Ok(Setup {
        settings: Settings {
            patience: None,
            ..check::settings(&args).map_err(|_| wrong())?
        },
        timeout: task.timeout.unwrap_or(setup.timeout),
        is_out_of_memory: Arc::new(move || match memory {
            Some(_) => watch::resident_megabytes() > memory,
            None => is_out_of_memory(),
        }),
        confirm: super::args::c::confirmation(&args.read.c, confirm, cc),
        preprocess: Arc::new(move |path, text| preprocessed(path, text, &c)),
        libraries: library::texts(&args.read.library)?,
        ..setup.clone()
    })
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
