//! `ult check`

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use super::args::c;
use super::args::{CheckArgs, FormatArg, ReadArgs};
use super::exit::Exit;
use super::input::{Input, Reader};
use super::library;
use super::limits;
use super::linked::{self, Together};
use super::many::table::{Row, table};
use super::many::{self, Plan};
use super::output::{self, complain};
use super::process::end_at_once;
use super::queries;
use super::save;
use super::watch::{self, End, Limits, supervise};
use ult_c::types::DataModel;
use ult_core::control::Control;
use ult_core::questions::Listener;
use ult_core::reason::Reason;
use ult_driver::{self as program, Conclusion, Language, Progress, Report, Settings};
use ult_driver::{certify, stability};
use ult_engine::Common;
use ult_engine::verify::{self, Method};
use ult_interpolate::Strategy;
use ult_lower::Options as Reading;
use ult_reduce::ReduceOptions;
use ult_report::record::Word;
use ult_report::{html, json, junit, sarif, text};
use ult_smt::smtlib::ExternalSolver;
use ult_witness::confirm;
use ult_witness::{self as witness, Metadata};

/// What the worker sends.
enum Message {
    /// A file is done.
    Report(Box<Report>),
    /// The command asks for something that the file does not have.
    Usage(String),
}

/// Runs the command.
pub(crate) fn run(args: &CheckArgs) -> Exit {
    if let Err(exit) = super::solver::require(args.timeout) {
        return exit;
    }
    match many::plan(args) {
        Ok(Plan::Here(files)) => here(args, files),
        Ok(Plan::Many(work)) => many::run(*work, args),
        Err(exit) => exit,
    }
}

/// Checks the files in this process, one after the other.
fn here(args: &CheckArgs, files: Vec<PathBuf>) -> Exit {
    let outputs = args.outputs().into_iter().filter_map(|(_, path)| path);
    let libraries = library::files(&args.read.library);
    let read = files.iter().map(PathBuf::as_path).chain(libraries);
    if let Err(exit) = save::refuse_conflicts(outputs, read) {
        return exit;
    }
    let start = Instant::now();
    let limits = Limits {
        timeout: Some(time(args, files.len())),
        memory: args.memory,
        for_stdout: true,
        ..Limits::default()
    };
    let reader = Reader::new(&args.read, limits.clone());
    let inputs = match reader.read(files.clone()) {
        Ok(inputs) => inputs,
        Err(exit) => return exit,
    };
    let inputs = linked_where_named(inputs, &files, args);
    if let [input] = &inputs[..]
        && let Some(line) = many::unchanged(args, &input.source)
    {
        return output::stdout(&line).err().unwrap_or(Exit::Safe);
    }
    let settings = match settings(args) {
        Ok(settings) => settings,
        Err(exit) => return exit,
    };
    let limits = Limits {
        questions: match &args.log_queries {
            Some(folder) => match queries::listener(folder) {
                Ok(listener) => listener,
                Err(exit) => return exit,
            },
            None => Listener::default(),
        },
        ..limits.since(start)
    };
    if args.certificate.is_some() && inputs.len() != 1 {
        complain("--certificate is for one file");
        return Exit::Usage;
    }
    let is_one_c_program = matches!(&inputs[..], [input] if input.language == Language::C);
    for (option, path) in [("harness", &args.harness), ("gdb", &args.gdb)] {
        if let Some(path) = path
            && !is_one_c_program
        {
            let path = path.display();
            complain(&format!("--{option} {path}: this is for one C program"));
            return Exit::Usage;
        }
    }
    let witness = match &args.witness {
        None => None,
        Some(path) => match wanted_witness(path, args, &inputs, &files) {
            Ok(witness) => Some(witness),
            Err(exit) => return exit,
        },
    };
    let progress = Progress::default();
    let mut printer = Printer::new(args, files != args.files || inputs.len() > 1);
    printer.witness = witness;
    let sources: Vec<_> = inputs
        .iter()
        .map(|input| (input.source.clone(), input.language))
        .collect();
    let kept = settings.kept.clone();
    let mut shown = 0;
    let confirmation = c::confirmation(&args.read.c, args.confirm, args.cc.as_deref());
    let unconfirmed = confirmation.clone();
    let besides = Besides {
        seeds: args.seeds,
        certificate: args.certificate.is_some(),
    };
    let end = {
        let progress = progress.clone();
        let seen = progress.clone();
        let printer = &mut printer;
        let shown = &mut shown;
        supervise(
            limits,
            &seen,
            !args.quiet,
            move |control, send| {
                work(
                    &inputs,
                    &settings,
                    &confirmation,
                    besides,
                    control,
                    &progress,
                    send,
                )
            },
            move |message| match message {
                Message::Report(report) => {
                    *shown += 1;
                    printer.add(&report);
                }
                Message::Usage(text) => {
                    *shown += 1;
                    complain(&text);
                    printer.worst(Exit::Usage);
                }
            },
        )
    };
    if let Some(kept) = kept {
        kept.prune();
    }
    let reason = match end {
        Err(exit) => return exit,
        Ok(End::Finished) => return printer.end(),
        Ok(End::Abandoned(stop)) => stop.into(),
        Ok(End::Lost) => Reason::Internal("the working thread ended early".into()),
    };
    // The worker is stuck or gone: what it published, and nothing about the rest.
    let mut partial = progress.latest();
    for (source, language) in &sources[shown.min(sources.len())..] {
        let mut report = match partial.take() {
            Some(report) => report,
            None => {
                let mut report = Report::new(source.clone(), *language);
                report.stopped = Some(reason.clone());
                report
            }
        };
        report.close(&reason);
        // Nobody waited for the compiled program.
        confirm::settle(&mut report, &unconfirmed);
        printer.add(&report);
    }
    end_at_once(printer.end())
}

/// What is said when the time limit struck that nobody asked for.
fn stopped_by_default(args: &CheckArgs, rows: &[Row]) -> Option<String> {
    let is_late = rows.iter().any(|row| row.told == "UNKNOWN(timeout)");
    (args.timeout.is_none() && !args.quiet && is_late).then(|| {
        format!(
            "ult: note: stopped by the time limit that holds without `--timeout`: {} s for each file\n",
            limits::DEFAULT_TIME.as_secs()
        )
    })
}

/// The time for all files.
fn time(args: &CheckArgs, files: usize) -> Duration {
    let files = u32::try_from(files.max(1)).unwrap_or(u32::MAX);
    args.timeout
        .unwrap_or_else(|| limits::DEFAULT_TIME.saturating_mul(files))
}

/// Links the C files that the command names, if they are one program; what was found in folders stays what it is.
fn linked_where_named(inputs: Vec<Input>, files: &[PathBuf], args: &CheckArgs) -> Vec<Input> {
    if args.separate || inputs.len() != files.len() {
        return inputs;
    }
    let (mut named, mut found) = (Vec::new(), Vec::new());
    for (input, file) in inputs.into_iter().zip(files) {
        match args.files.contains(file) {
            true => named.push(input),
            false => found.push(input),
        }
    }
    let mut inputs = match linked::together(&named) {
        Together::Single => named,
        Together::Program => linked::linked(named),
        Together::Programs(mains) => {
            if !args.quiet {
                output::stderr(&format!(
                    "ult: note: these C files are separate programs, since `main` is defined in {}\n",
                    mains.join(" and in ")
                ));
            }
            named
        }
    };
    inputs.append(&mut found);
    inputs
}

/// Writes what there is to write.
fn write(path: &Path, text: Option<String>) -> Result<(), Exit> {
    text.map_or(Ok(()), |text| save::save(path, text))
}

/// A witness that was asked for.
enum Wanted {
    /// For a C program, with what it is to say about the task.
    C(Box<Metadata>),
    /// For a circuit, or a program in SV-LIB.
    Certificate,
}

/// The certificate of a verdict; without one, a message says why.
fn certificate(report: &Report) -> Option<String> {
    match report.certificate.as_ref()? {
        Ok(text) => Some(text.clone()),
        Err(why) => {
            complain(&format!("there is no witness: {why}"));
            None
        }
    }
}

/// What the witness is to say about the task.
fn wanted_witness(
    path: &Path,
    args: &CheckArgs,
    inputs: &[Input],
    files: &[PathBuf],
) -> Result<(PathBuf, Wanted), Exit> {
    let ([input], [file]) = (inputs, files) else {
        complain("--witness is for one file");
        return Err(Exit::Usage);
    };
    if input.language.is_circuit() || input.language == Language::SvLib {
        return Ok((path.to_owned(), Wanted::Certificate));
    }
    if input.language != Language::C || file.as_os_str() == "-" {
        complain("--witness is for circuits, for programs in SV-LIB, and for C programs in files");
        return Err(Exit::Usage);
    }
    let content = std::fs::read(file).map_err(|error| {
        complain(&format!("cannot read `{}`: {error}", file.display()));
        Exit::Usage
    })?;
    // So that the same run writes the same file, if somebody wants that.
    let time = match std::env::var("SOURCE_DATE_EPOCH") {
        Ok(time) => time.parse().ok(),
        Err(_) => SystemTime::now()
            .duration_since(SystemTime::UNIX_EPOCH)
            .ok()
            .map(|time| time.as_secs()),
    };
    let c = &args.read.c;
    let metadata = Metadata {
        file: file.display().to_string(),
        content,
        specification: super::args::property::specification(&c.options().properties),
        data_model: match c.data_model {
            DataModel::Ilp32 => "ILP32",
            DataModel::Lp64 => "LP64",
        },
        time: time.unwrap_or(0),
        is_preprocessed: input.is_preprocessed,
    };
    Ok((path.to_owned(), Wanted::C(Box::new(metadata))))
}

/// What is wanted besides verdicts.
#[derive(Clone, Copy)]
struct Besides {
    /// How many times more, with other seeds.
    seeds: Option<u32>,
    certificate: bool,
}

/// What the worker does: one file after the other.
fn work(
    inputs: &[Input],
    settings: &Settings,
    confirmation: &confirm::Settings,
    besides: Besides,
    control: &Control,
    progress: &Progress,
    send: &dyn Fn(Message),
) {
    for (i, input) in inputs.iter().enumerate() {
        progress.clear();
        if let Some(report) = input.rejection() {
            send(Message::Report(Box::new(report)));
            continue;
        }
        let left = u32::try_from(inputs.len() - i).unwrap_or(u32::MAX);
        let share = control.remaining().map(|remaining| remaining / left);
        let control = control.within(share);
        let first = match besides.seeds {
            Some(seeds) => control.within(stability::share(&control, seeds + 1)),
            None => control.clone(),
        };
        let before = confirm::before(confirmation, input.language, &first);
        let result = program::check(&input.source, input.language, settings, &before, progress);
        send(match result {
            Ok(mut report) => {
                confirm::confirm(&mut report, confirmation, &first);
                if let Some(seeds) = besides.seeds {
                    stability::examine(&mut report, settings, &control, seeds);
                }
                if besides.certificate {
                    // Its only error is an entry that is not there, and the first check has found it.
                    let _ = certify::add_certificate(&mut report, settings, &control);
                }
                Message::Report(Box::new(report))
            }
            Err(error) => Message::Usage(format!("{}: {error}", input.source.name)),
        });
    }
}

/// Prints reports as they come, and remembers the exit code.
struct Printer<'a> {
    args: &'a CheckArgs,
    style: text::Options,
    several: bool,
    printed: bool,
    witness: Option<(PathBuf, Wanted)>,
    /// `None` as long as there is nothing to say.
    exit: Option<Exit>,
    objects: Vec<serde_json::Value>,
    /// What is written about all files together.
    reports: Vec<Report>,
    /// On each file.
    rows: Vec<Row>,
}

impl<'a> Printer<'a> {
    fn new(args: &'a CheckArgs, several: bool) -> Printer<'a> {
        Printer {
            args,
            style: text::Options {
                color: output::colored(args.color),
                invariants: args.show_invariants,
                portfolio: args.explain_portfolio,
                trace: args.trace_refinement,
                statistics: args.stats,
                brief: args.quiet,
                keeps_going: args.keep_going || args.seeds.is_some(),
            },
            several,
            printed: false,
            witness: None,
            exit: None,
            objects: Vec::new(),
            reports: Vec::new(),
            rows: Vec::new(),
        }
    }

    fn worst(&mut self, exit: Exit) {
        self.exit = Some(self.exit.map_or(exit, |known| known.worst(exit)));
    }

    /// Writes a file; that it cannot be written is what the exit code tells.
    fn written(&mut self, path: &Path, text: Option<String>) {
        if let Err(exit) = write(path, text) {
            self.worst(exit);
        }
    }

    fn add(&mut self, report: &Report) {
        if self.args.many.worker.is_none() {
            self.worst(Exit::of(report));
        }
        self.rows.push(row(report));
        if let Some((path, metadata)) = &self.witness {
            let text = match metadata {
                Wanted::C(metadata) => witness::write(report, metadata),
                Wanted::Certificate => certificate(report),
            };
            let path = path.clone();
            self.written(&path, text);
        }
        if let Some(path) = &self.args.certificate {
            self.written(path, certificate(report));
        }
        if let Some(path) = &self.args.harness {
            let harness = witness::harness(report, self.args.read.c.data_model);
            self.written(path, harness);
        }
        if let Some(path) = &self.args.gdb {
            self.written(path, witness::gdb(report));
        }
        if let Some(kind) = self.args.many.worker {
            let told =
                many::told_by_worker(report.clone(), self.args, kind, &self.style, self.more());
            let printed = match told {
                Ok((line, exit)) => {
                    self.worst(exit);
                    output::stdout(&line)
                }
                Err(why) => {
                    complain(&why);
                    Err(Exit::Internal)
                }
            };
            self.worst(printed.err().unwrap_or(Exit::Safe));
            if self.args.html.is_some() {
                self.reports.push(report.clone());
            }
            return;
        }
        let format = self.args.format;
        if self.args.html.is_some() || matches!(format, FormatArg::Sarif | FormatArg::Junit) {
            self.reports.push(report.clone());
        }
        match format {
            FormatArg::Sarif | FormatArg::Junit => {}
            FormatArg::Text => {
                let mut text = text::report(report, &self.style);
                if self.printed && !self.args.quiet {
                    text.insert(0, '\n');
                }
                self.printed = true;
                if let Err(exit) = output::stdout(&text) {
                    self.worst(exit);
                }
            }
            FormatArg::Json => {
                self.objects.push(json::with_more(report, self.more()));
            }
        }
    }

    /// What is told besides.
    fn more(&self) -> json::More {
        json::More {
            refinement: self.args.trace_refinement,
            portfolio: self.args.explain_portfolio,
        }
    }

    fn end(mut self) -> Exit {
        if let Some(path) = &self.args.html {
            let page = html::page(&self.reports);
            self.written(path, Some(page));
        }
        if let Some(note) = stopped_by_default(self.args, &self.rows) {
            output::stderr(&note);
        }
        if watch::interrupted() {
            self.worst(Exit::Interrupted);
        }
        if self.args.many.worker.is_some() {
            return self.exit.unwrap_or(Exit::Safe);
        }
        let text = match self.args.format {
            FormatArg::Text => Ok(self.summary()),
            FormatArg::Json => self.json(),
            FormatArg::Sarif => Ok(format!("{:#}\n", sarif::log(&self.reports))),
            FormatArg::Junit => junit::document(&self.reports).map_err(|error| {
                complain(&format!("cannot write JUnit XML: {error}"));
                Exit::Internal
            }),
        };
        if let Err(exit) = text.and_then(|text| output::stdout(&text)) {
            self.worst(exit);
        }
        self.exit.unwrap_or(Exit::Safe)
    }

    /// The table, if there were several files.
    fn summary(&self) -> String {
        match self.several && !self.args.quiet {
            true => table(&self.rows),
            false => String::new(),
        }
    }

    fn json(&mut self) -> Result<String, Exit> {
        let value = match self.objects.pop() {
            None if !self.several => return Ok(String::new()),
            Some(only) if !self.several => only,
            last => {
                self.objects.extend(last);
                serde_json::Value::Array(std::mem::take(&mut self.objects))
            }
        };
        Ok(format!("{value:#}\n"))
    }
}

/// What the table says about a report.
fn row(report: &Report) -> Row {
    let conclusion = report.conclusion();
    Row {
        name: report.source.name.to_string(),
        is_procedure: false,
        word: Word::from(&conclusion),
        told: match &conclusion {
            Conclusion::Conditional(reason) | Conclusion::Unknown(reason) => {
                format!("{conclusion}({})", reason.code())
            }
            told => told.to_string(),
        },
        expected: None,
        seconds: report.seconds,
    }
}

/// How programs are read, as the command line says.
pub(crate) fn reading(args: &ReadArgs) -> Reading {
    Reading {
        calls: args.calls,
        modular: args.modular,
        entries: args.entry.clone(),
        ..Reading::default()
    }
}

/// How texts are read and reduced, as the command line says, for commands that do not verify.
pub(crate) fn reading_settings(args: &ReadArgs) -> Settings {
    Settings {
        certificate: false,
        reading: reading(args),
        c: args.c.options(),
        verify: verify::Settings {
            reduce: reductions(args),
            ..verify::Settings::default()
        },
        ..Settings::default()
    }
}

/// Which reductions are done, as the command line says.
pub(crate) fn reductions(args: &ReadArgs) -> ReduceOptions {
    ReduceOptions {
        blocks: args.blocks,
        ..ReduceOptions::default()
    }
}

/// How files are read and verified, as the command line says. Solvers that it names are tried.
///
/// # Errors
/// [`Exit::Solver`], after a message, if one of them cannot be started; [`Exit::Usage`] if choices contradict each other.
pub(crate) fn settings(args: &CheckArgs) -> Result<Settings, Exit> {
    if !args.without.is_empty() && args.engine != Method::Portfolio {
        complain("--without is about the portfolio, and --engine names one engine");
        return Err(Exit::Usage);
    }
    let control = Control::unlimited().within(args.timeout);
    if let Some(command) = &args.check_with {
        // Better now than after the engine's work.
        if let Err(failure) = ExternalSolver::start(command, &control) {
            complain(&format!("--check-with {command}: {failure}"));
            return Err(Exit::Solver);
        }
    }
    if let Strategy::External(external) = &args.interpolation
        && let Err(failure) = external.start(&control)
    {
        complain(&format!(
            "-Z interpolation={}: {failure}",
            args.interpolation
        ));
        return Err(Exit::Solver);
    }
    Ok(Settings {
        reading: reading(&args.read),
        c: args.read.c.options(),
        verify: verify::Settings {
            reduce: reductions(&args.read),
            method: args.engine,
            without: args.without.clone(),
            common: Common {
                interpolation: args.interpolation.clone(),
                auxiliary: args.auxiliary,
                choices: args.with.clone(),
                circuit: args.circuit.clone(),
                record: args.trace_refinement || args.html.is_some(),
                observers: ult_engine::observers::Observers::default(),
            },
            check: ult_check::Options {
                second_solver: args.check_with.clone(),
                ..ult_check::Options::default()
            },
            ..verify::Settings::default()
        },
        certificate: args.witness.is_some(),
        minimize: args.show_invariants || args.html.is_some(),
        // Other seeds are to decide the same.
        patience: (!args.keep_going && args.seeds.is_none()).then_some(limits::AFTER_VIOLATION),
        tells_induction: true,
        kept: match args.certificate {
            Some(_) => Some(certify::store()),
            None => args.keep.store(),
        },
        ..Settings::default()
    })
}

#[cfg(test)]
mod tests {
    use std::ffi::OsString;
    use std::path::Path;

    use super::*;

    fn args(words: &[&str]) -> CheckArgs {
        let words: Vec<OsString> = words.iter().map(OsString::from).collect();
        many::words::parsed(&words, Path::new("p.bpl")).expect("words of the command line")
    }

    fn row(told: &str) -> Row {
        Row {
            name: "p.bpl".into(),
            is_procedure: false,
            word: Word::Unknown,
            told: told.into(),
            expected: None,
            seconds: 1.0,
        }
    }

    #[test]
    fn the_time_limit_that_nobody_asked_for_is_there_and_says_so_when_it_strikes() {
        assert_eq!(time(&args(&[]), 1), Duration::from_secs(600));
        assert_eq!(time(&args(&[]), 3), Duration::from_secs(1800));
        assert_eq!(time(&args(&["--timeout", "5"]), 3), Duration::from_secs(5));
        let late = [row("SAFE"), row("UNKNOWN(timeout)")];
        let note = stopped_by_default(&args(&[]), &late);
        assert_eq!(
            note.as_deref(),
            Some(
                "ult: note: stopped by the time limit that holds without `--timeout`: 600 s for each file\n"
            )
        );
        assert_eq!(
            stopped_by_default(&args(&[]), &[row("UNKNOWN(memory)")]),
            None
        );
        for words in [&["--timeout", "600"][..], &["--quiet"]] {
            assert_eq!(stopped_by_default(&args(words), &late), None, "{words:?}");
        }
    }
}
