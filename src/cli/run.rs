//! `ult run`: a program on concrete values, before anybody tries to prove something about it.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Instant;

use num_bigint::BigInt;
use ult_interpret::{Choices, End, Limits, Obligation, Outcome, Program, Returned};
use ult_lang::hir;
use ult_lang::span::Span;

use super::args::RunArgs;
use super::exit::Exit;
use super::input::{Input, Reader};
use super::output::{self, complain};
use super::process::end_at_once;
use super::watch::{self, supervise};
use ult_core::control::Control;
use ult_core::formula::Terms;
use ult_core::guard::guarded;
use ult_core::reason::Reason;
use ult_driver::{Content, Language, Progress, Report, Settings, Source, load};
use ult_lower::plan::ULTIMATE_START;

/// So many of the innermost calls are told where a run ends, and so many of the outermost ones. Recursion without an end has
/// millions.
const FIRST_CALLS: usize = 20;
const LAST_CALLS: usize = 5;

/// What became of the file.
enum Told {
    /// The program was run; whether it has axioms.
    Ran(Box<Outcome>, bool),
    /// The file has errors.
    Rejected(Box<Report>),
    /// The command does not fit the file.
    Refused(String),
}

/// Runs the command.
pub(crate) fn run(args: &RunArgs) -> Exit {
    let (files, arguments) = match (&args.files[..], &args.arguments[..]) {
        // It begins with a dash.
        ([], [file, rest @ ..]) => (vec![PathBuf::from(file)], rest),
        (files, rest) => (files.to_vec(), rest),
    };
    let choices = match choices(args) {
        Ok(choices) => choices,
        Err(why) => {
            complain(&why);
            return Exit::Usage;
        }
    };
    let start = Instant::now();
    let limits = watch::Limits {
        timeout: args.timeout,
        memory: args.memory,
        for_stdout: true,
        ..watch::Limits::default()
    };
    let reader = Reader {
        language: args.language,
        c: args.c.clone(),
        libraries: args.library.clone(),
        limits: limits.clone(),
    };
    let input = match reader.read_program(&files) {
        Ok(input) => input,
        Err(exit) => return exit,
    };
    let source = input.source.clone();
    let is_c = input.language == Language::C;
    if !is_c && !arguments.is_empty() {
        complain("arguments after `--` are for C programs; `--inputs` gives values to others");
        return Exit::Usage;
    }
    let wanted = Wanted {
        entry: args.entry.clone(),
        options: ult_c::Options {
            check_pointers: true,
            arguments: Some(strings(arguments, &source)),
            ..args.c.options()
        },
        choices,
        limits: Limits {
            steps: (args.steps > 0).then_some(args.steps),
            show: args.show.clone(),
            results_of: is_c.then(|| "main".to_owned()),
        },
    };
    let mut exit = None;
    let end = supervise(
        limits.since(start),
        &Progress::default(),
        false,
        move |control, send| send(guarded(|| execute(&input, &wanted, control))),
        |told| {
            exit = Some(match told {
                Ok(Told::Ran(outcome, axioms)) => tell(&outcome, axioms, &source, args, is_c),
                Ok(Told::Rejected(report)) => output::rejected(&report.diagnostics, &report.source),
                Ok(Told::Refused(text)) => {
                    complain(&text);
                    Exit::Usage
                }
                Err(bug) => {
                    complain(&bug.to_string());
                    Exit::Internal
                }
            });
        },
    );
    match (end, exit) {
        (Err(exit), _) | (Ok(watch::End::Finished), Some(exit)) => exit,
        (Ok(watch::End::Finished | watch::End::Lost), None) | (Ok(watch::End::Lost), Some(_)) => {
            Exit::Internal
        }
        (Ok(watch::End::Abandoned(stop)), _) => {
            complain(&format!("stopped: {}", Reason::from(stop)));
            end_at_once(match Reason::from(stop) {
                Reason::Cancelled => Exit::Interrupted,
                _ => Exit::Unknown,
            })
        }
    }
}

/// The strings that `main` gets: the program's name, which is that of its file without the ending, and those of the
/// command line.
fn strings(arguments: &[OsString], source: &Source) -> Vec<Vec<u8>> {
    let name = Path::new(&*source.name).with_extension("");
    std::iter::once(name.as_os_str())
        .chain(arguments.iter().map(|argument| &**argument))
        .map(|argument| argument.as_encoded_bytes().to_vec())
        .collect()
}

/// What the command asks for.
struct Wanted {
    entry: Option<String>,
    options: ult_c::Options,
    choices: Choices,
    limits: Limits,
}

/// The values of inputs.
fn choices(args: &RunArgs) -> Result<Choices, String> {
    let mut inputs = Vec::new();
    for text in &args.inputs {
        let list = match text.strip_prefix('@') {
            Some(path) => std::fs::read_to_string(Path::new(path))
                .map_err(|error| format!("cannot read `{path}`: {error}"))?,
            None => text.clone(),
        };
        for word in list.split([',', ' ', '\t', '\r', '\n']) {
            match word {
                "" => {}
                "true" => inputs.push(BigInt::from(1)),
                "false" => inputs.push(BigInt::from(0)),
                word => inputs.push(
                    word.parse()
                        .map_err(|_| format!("--inputs: `{word}` is no integer"))?,
                ),
            }
        }
    }
    Ok(Choices {
        inputs,
        seed: args.seed,
    })
}

fn execute(input: &Input, wanted: &Wanted, control: &Control) -> Result<Told, Reason> {
    if let Some(report) = input.rejection() {
        return Ok(Told::Rejected(Box::new(report)));
    }
    let settings = Settings {
        c: wanted.options.clone(),
        ..Settings::default()
    };
    let loaded = load(&Terms::new(), &input.source, input.language, &settings)?;
    if loaded.is_rejected() {
        return Ok(Told::Rejected(Box::new(loaded.report())));
    }
    let go_on = || control.check().is_ok();
    let axioms = match &loaded.content {
        Content::Program(program) => !program.background.axioms.is_empty(),
        Content::Graphs(program) => !program.background.axioms.is_empty(),
        Content::Unit(_) => false,
    };
    let run = |program: &Program<'_>| {
        let outcome = ult_interpret::run(program, &wanted.choices, &wanted.limits, &go_on);
        Told::Ran(Box::new(outcome), axioms)
    };
    Ok(match &loaded.content {
        Content::Unit(_) => {
            let language = input.language;
            Told::Refused(format!("{language}: this is no program that could be run"))
        }
        Content::Graphs(program) => {
            let names = program.graphs.iter().map(|graph| graph.name.as_str());
            match chosen(names, wanted.entry.as_deref(), "graph") {
                Ok(index) => run(&Program::graph(program, &program.graphs[index])),
                Err(why) => Told::Refused(why),
            }
        }
        Content::Program(program) => {
            let library = loaded.source.library_from;
            let text = &loaded.source.text;
            let unknown = &loaded.basis.unknown_functions;
            let is_input = |span: Span| {
                input.language != Language::C
                    || is_c_input(text.get(span.range()).unwrap_or_default(), unknown)
            };
            match procedure(program, wanted.entry.as_deref(), library) {
                Ok(entry) => run(&Program::new(program, entry, &is_input)),
                Err(why) => Told::Refused(why),
            }
        }
    })
}

/// Whether a value chosen at a place of a C program is an input: what a function without a body returns.
fn is_c_input(text: &str, unknown: &[String]) -> bool {
    text.contains("__VERIFIER_nondet_")
        || unknown.iter().any(|name| {
            text.split(|letter: char| !letter.is_alphanumeric() && letter != '_')
                .any(|word| word == name)
        })
}

/// Where to start: without a wish, before the text of libraries.
fn procedure(
    program: &hir::Program,
    wanted: Option<&str>,
    library: Option<u32>,
) -> Result<hir::ProcedureId, String> {
    let own = |index: &usize| {
        wanted.is_some() || library.is_none_or(|from| program.procedures[*index].span.start < from)
    };
    let has_body: Vec<usize> = (0..program.procedures.len())
        .filter(|index| !program.procedures[*index].implementations.is_empty())
        .filter(own)
        .collect();
    let name = |index: &usize| program.procedures[*index].name.as_str();
    if wanted.is_none()
        && let Some(index) = has_body.iter().find(|index| name(index) == ULTIMATE_START)
    {
        return Ok(hir::ProcedureId::new(*index));
    }
    let names = has_body.iter().map(name);
    let index = chosen(names, wanted, "procedure with a body")?;
    Ok(hir::ProcedureId::new(has_body[index]))
}

/// The wanted one; without a wish the only one, or the one called `main`.
fn chosen<'n>(
    names: impl Iterator<Item = &'n str>,
    wanted: Option<&str>,
    what: &str,
) -> Result<usize, String> {
    let names: Vec<&str> = names.collect();
    let list = || names.join(", ");
    match (wanted, names.len()) {
        (_, 0) => Err(format!("there is no {what}")),
        (Some(wanted), _) => names
            .iter()
            .position(|name| *name == wanted)
            .ok_or_else(|| format!("there is no {what} `{wanted}`; there is: {}", list())),
        (None, 1) => Ok(0),
        (None, _) => names
            .iter()
            .position(|name| matches!(*name, "main" | "Main"))
            .ok_or_else(|| format!("where to start? Choose with --entry one of: {}", list())),
    }
}

/// Prints what became of a run.
fn tell(outcome: &Outcome, axioms: bool, source: &Source, args: &RunArgs, is_c: bool) -> Exit {
    let mut text = String::new();
    let place = |span: Span| {
        let place = source.start(span);
        format!("{}:{}:{}", source.file(span), place.line, place.column)
    };
    for name in &args.show {
        let found: Vec<_> = outcome
            .shown
            .iter()
            .filter(|shown| {
                let rest = shown.name.strip_prefix(name.as_str());
                rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
            })
            .collect();
        if found.is_empty() {
            complain(&format!(
                "--show {name}: there is no such variable at the end"
            ));
        }
        for shown in found {
            text += &format!("{} = {}\n", shown.name, shown.value);
        }
    }
    for span in &outcome.skipped_axioms {
        text += &format!("note: the axiom at {} was not checked\n", place(*span));
    }
    if outcome.has_chosen_functions {
        text += "note: functions without a definition returned chosen values; axioms may exclude them\n";
    }
    let here = outcome.stack.first().map(|activation| activation.span);
    let at = here.map_or_else(|| source.name.to_string(), place);
    let statement = here
        .and_then(|span| source.text.get(span.range()))
        .unwrap_or_default()
        .lines()
        .next()
        .unwrap_or_default()
        .trim();
    let (line, exit) = match &outcome.end {
        End::Finished => {
            let results = results(&outcome.results, is_c);
            (format!("finished{results}"), Exit::Safe)
        }
        End::Violated {
            obligation,
            message,
        } => {
            let what = match obligation {
                Obligation::Assert => "assertion violated",
                Obligation::Invariant => "invariant violated",
                Obligation::Requires => "precondition violated",
                Obligation::Ensures => "postcondition violated",
                Obligation::Location => "error location reached",
            };
            let message = message.as_ref().map_or_else(
                || format!(": `{statement}`"),
                |message| format!(": {message}"),
            );
            let line = format!("{what} at {at}{message}");
            // Values that the axioms exclude make no run of the program.
            match outcome.has_chosen_functions && axioms || !outcome.skipped_axioms.is_empty() {
                true => (
                    format!(
                        "{line}; whether the axioms allow this execution is not known, so it proves nothing"
                    ),
                    Exit::Unknown,
                ),
                false => (line, Exit::Unsafe),
            }
        }
        End::Blocked if is_c && ends(statement) => (
            format!("the program ended at {at}: `{statement}`"),
            Exit::Safe,
        ),
        End::Blocked => (
            format!(
                "blocked at {at}: what is assumed there does not hold: `{statement}`; try other --inputs, or another --seed"
            ),
            Exit::Unknown,
        ),
        End::Unsupported(what) => (format!("not supported: {what} at {at}"), Exit::Unknown),
        End::Steps => (
            format!("stopped at {at}: the limit on statements (--steps) was reached"),
            Exit::Unknown,
        ),
        End::Stopped if watch::interrupted() => (format!("interrupted at {at}"), Exit::Interrupted),
        End::Stopped => (
            format!("stopped at {at}: out of time or memory"),
            Exit::Unknown,
        ),
    };
    if !matches!(outcome.end, End::Finished) {
        let calls: Vec<_> = outcome
            .stack
            .iter()
            .zip(outcome.stack.iter().skip(1))
            .filter(|(_, outer)| !outer.procedure.is_empty() && outer.procedure != ULTIMATE_START)
            .collect();
        let left_out = FIRST_CALLS..calls.len().saturating_sub(LAST_CALLS);
        for (number, (inner, outer)) in calls.iter().enumerate() {
            if left_out.contains(&number) {
                if number == left_out.start {
                    text += &format!("... {} more calls ...\n", left_out.len());
                }
                continue;
            }
            text += &format!(
                "`{}` was called at {} by `{}`\n",
                source.users_name(&inner.procedure),
                place(outer.span),
                source.users_name(&outer.procedure)
            );
        }
    }
    text += &format!("{line}\n{} statements\n", outcome.steps);
    match output::stdout(&text) {
        Ok(()) => exit,
        Err(exit) => exit,
    }
}

/// Whether a call ends the program (C11 7.22.4).
fn ends(statement: &str) -> bool {
    ["exit", "abort", "_exit", "_Exit", "quick_exit"]
        .iter()
        .any(|name| {
            statement
                .strip_prefix(name)
                .is_some_and(|rest| rest.trim_start().starts_with('('))
        })
}

/// What the entry returned; for C, the exit status.
fn results(values: &[Returned], is_c: bool) -> String {
    match values {
        [] => String::new(),
        [only] if is_c => match &only.number {
            Some(status) => {
                let status = ((status % 256) + 256) % BigInt::from(256);
                format!(", exit status {status}")
            }
            None => String::new(),
        },
        values => {
            let values: Vec<&str> = values.iter().map(|value| &*value.text).collect();
            format!(", result {}", values.join(", "))
        }
    }
}
