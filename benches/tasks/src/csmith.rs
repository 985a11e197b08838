//! Random C programs (csmith): what the C compiler makes of them, and what the interpreter of the translated program.
//!
//! Each program prints a checksum of all its global variables. The compiled program and the interpreted translation must
//! agree on it; where they do not, the translation is wrong, and with it any verdict.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use ult_interpret::{Choices, End as RunEnd, Limits as RunLimits, Program};
use ult_lang::hir::ProcedureId;

use super::Failure;
use super::context::context;
use super::process::{End, Limits, run};

/// Which programs, and with what.
#[derive(clap::Args)]
pub(crate) struct CsmithArguments {
    /// How many programs.
    #[arg(long, default_value_t = 100)]
    count: u64,
    /// The seed of the first program; the others have the following ones.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Options of csmith.
    #[arg(long, default_value = "--no-argc", allow_hyphen_values = true)]
    options: String,
    /// How integers are expressed: auto, math or bits.
    #[arg(long, default_value = "auto")]
    int_encoding: String,
    /// The generator.
    #[arg(long, default_value = "csmith")]
    csmith: String,
    /// The folder of its headers.
    #[arg(long, default_value = "/usr/include/csmith")]
    include: PathBuf,
    /// The C compiler.
    #[arg(long, default_value = "gcc")]
    cc: String,
    /// How many programs are looked at at once.
    #[arg(long, default_value_t = 1)]
    jobs: usize,
    /// Programs that run longer than so many seconds when compiled are skipped.
    #[arg(long, default_value_t = 3)]
    slow: u64,
    /// The interpreter gets so many seconds.
    #[arg(long, default_value_t = 60)]
    timeout: u64,
    /// Store the table under this name, as .csv and .md.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Keep programs whose checksums differ in this folder.
    #[arg(long, value_name = "FOLDER")]
    keep: Option<PathBuf>,
}

/// What became of a program.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Result {
    /// The checksums are equal.
    Equal,
    /// They differ.
    Different(String),
    /// The translation or the interpreter does not cover something.
    Unsupported(String),
    /// The program does not end soon, cannot be generated or compiled.
    Skipped(String),
    /// Something went wrong.
    Failed(String),
}

impl Result {
    fn parts(&self) -> (&'static str, &str) {
        match self {
            Result::Equal => ("equal", ""),
            Result::Different(what) => ("different", what),
            Result::Unsupported(what) => ("unsupported", what),
            Result::Skipped(what) => ("skipped", what),
            Result::Failed(what) => ("failed", what),
        }
    }
}

/// Runs the comparison; tells whether all checksums are equal.
pub(crate) fn compare(
    arguments: &CsmithArguments,
    stop: &AtomicBool,
) -> std::result::Result<bool, Failure> {
    let next = AtomicU64::new(arguments.seed);
    let end = arguments.seed.saturating_add(arguments.count);
    let results: Mutex<BTreeMap<u64, Result>> = Mutex::default();
    std::thread::scope(|scope| {
        for _ in 0..arguments.jobs.max(1) {
            scope.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= end || stop.load(Ordering::Relaxed) {
                        break;
                    }
                    let result = one(arguments, seed, stop).unwrap_or_else(Result::Failed);
                    if stop.load(Ordering::Relaxed) {
                        break;
                    }
                    if result != Result::Equal {
                        let (word, what) = result.parts();
                        println!("{seed}: {word} {what}");
                    }
                    if let Ok(mut results) = results.lock() {
                        results.insert(seed, result);
                    }
                }
            });
        }
    });
    let results = results.into_inner().unwrap_or_default();
    let text = summary(&results);
    println!("{text}");
    if let Some(out) = &arguments.out {
        store(out, &results, &text)?;
    }
    Ok(!results
        .values()
        .any(|result| matches!(result, Result::Different(_) | Result::Failed(_))))
}

fn one(
    arguments: &CsmithArguments,
    seed: u64,
    stop: &AtomicBool,
) -> std::result::Result<Result, String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let file = |name: &str| folder.path().join(name).display().to_string();
    let call = |command: Vec<String>, seconds: u64| {
        let limits = Limits {
            time: Duration::from_secs(seconds),
            memory: 4 << 30,
        };
        run(&command, Some(folder.path()), limits, stop)
            .map_err(|error| format!("{}: {error}", command.first().map_or("", String::as_str)))
    };
    let words = |text: &str| {
        text.split_whitespace()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };

    let mut generate = vec![arguments.csmith.clone(), "--seed".into(), seed.to_string()];
    generate.extend(words(&arguments.options));
    generate.extend(["-o".into(), file("program.c")]);
    if call(generate, 30)?.end != End::Code(0) {
        return Ok(Result::Skipped("not generated".into()));
    }
    let compiler = |options: &[&str], out: &str| {
        let mut command = vec![arguments.cc.clone(), "-w".into(), "-I".into()];
        command.push(arguments.include.display().to_string());
        command.extend(options.iter().map(|option| (*option).to_owned()));
        command.extend([file("program.c"), "-o".into(), file(out)]);
        command
    };
    if call(compiler(&["-E"], "program.i"), 60)?.end != End::Code(0)
        || call(compiler(&["-O0"], "program"), 120)?.end != End::Code(0)
    {
        return Ok(Result::Skipped("not compiled".into()));
    }
    let compiled = call(vec![file("program")], arguments.slow)?;
    match compiled.end {
        End::Code(0) => {}
        End::Time => return Ok(Result::Skipped("does not end soon".into())),
        other => return Ok(Result::Skipped(format!("compiled, it ends with {other:?}"))),
    }
    let Some(expected) = checksum(&compiled.stdout) else {
        return Ok(Result::Skipped("no checksum".into()));
    };

    // Also the interpreter is a process of its own: what it needs is limited.
    let this = std::env::current_exe().map_err(|error| error.to_string())?;
    let command = vec![
        this.display().to_string(),
        "interpret".into(),
        file("program.i"),
        arguments.int_encoding.clone(),
        arguments.timeout.to_string(),
    ];
    let interpreted = call(command, arguments.timeout + 60)?;
    let result = match (interpreted.end, checksum(&interpreted.stdout)) {
        (End::Code(0), Some(found)) if found == expected => Result::Equal,
        (End::Code(0), Some(found)) => {
            Result::Different(format!("{found:X}, compiled {expected:X}"))
        }
        (End::Code(4), _) => Result::Unsupported(interpreted.stdout.trim().to_owned()),
        (End::Time, _) | (End::Code(5), _) => {
            Result::Skipped("interpreted, it takes too long".into())
        }
        (End::Memory, _) => Result::Skipped("interpreted, it takes too much memory".into()),
        (End::Stopped, _) => return Err("stopped".into()),
        (end, _) => Result::Failed(format!(
            "the interpreter ended with {end:?}: {} {}",
            interpreted.stdout.trim(),
            interpreted.stderr.lines().last().unwrap_or_default()
        )),
    };
    if let (Result::Different(_) | Result::Failed(_), Some(keep)) = (&result, &arguments.keep) {
        std::fs::create_dir_all(keep)
            .and_then(|()| {
                let kept = keep.join(format!("{seed}.i"));
                std::fs::copy(folder.path().join("program.i"), kept)
            })
            .map_err(|error| format!("{}: {error}", keep.display()))?;
    }
    Ok(result)
}

/// `checksum = 1A2B3C4D`
fn checksum(text: &str) -> Option<u32> {
    let (_, rest) = text.split_once("checksum = ")?;
    u32::from_str_radix(rest.split_whitespace().next()?, 16).ok()
}

fn summary(results: &BTreeMap<u64, Result>) -> String {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let mut whats: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for result in results.values() {
        let (word, what) = result.parts();
        *counts.entry(word).or_default() += 1;
        if matches!(result, Result::Unsupported(_) | Result::Skipped(_)) {
            *whats.entry((word, what)).or_default() += 1;
        }
    }
    let mut text = format!(
        "| result | programs |\n|---|---:|\n| all | {} |\n",
        results.len()
    );
    for word in ["equal", "different", "failed", "unsupported", "skipped"] {
        let count = counts.get(word).copied().unwrap_or(0);
        let _ = writeln!(text, "| {word} | {count} |");
        for ((of, what), count) in &whats {
            if *of == word {
                let _ = writeln!(text, "| {word}: {what} | {count} |");
            }
        }
    }
    text
}

fn store(
    out: &Path,
    results: &BTreeMap<u64, Result>,
    summary: &str,
) -> std::result::Result<(), Failure> {
    let mut csv = String::new();
    let mut markdown = String::from("# Random C programs, compiled and interpreted\n\n");
    for (name, value) in context() {
        let _ = writeln!(csv, "# {name}: {value}");
        let _ = writeln!(markdown, "* {name}: {value}");
    }
    let _ = writeln!(markdown, "\n{summary}");
    csv += "seed,result,what\n";
    for (seed, result) in results {
        let (word, what) = result.parts();
        let _ = writeln!(
            csv,
            "{seed},{word},\"{}\"",
            what.replace('"', "'").replace('\n', " ")
        );
    }
    for (extension, text) in [("csv", csv), ("md", markdown)] {
        let file = out.with_extension(extension);
        std::fs::write(&file, text).map_err(|error| Failure::Io(file, error))?;
    }
    Ok(())
}

/// Interprets a preprocessed program; prints its checksum or what is not covered, and tells the exit code.
pub(crate) fn interpret(file: &Path, int_encoding: &str, seconds: u64) -> u8 {
    let file = file.to_owned();
    let integers = match int_encoding {
        "math" => ult_c::IntegerEncoding::Math,
        "bits" => ult_c::IntegerEncoding::Bits,
        _ => ult_c::IntegerEncoding::Auto,
    };
    // Expressions nest as deeply as csmith likes.
    let thread = std::thread::Builder::new()
        .stack_size(256 << 20)
        .spawn(move || checksum_of(&file, integers, Duration::from_secs(seconds)));
    let result = thread.map(std::thread::JoinHandle::join);
    match result {
        Ok(Ok(Ok(checksum))) => {
            println!("checksum = {checksum:X}");
            0
        }
        Ok(Ok(Err((code, what)))) => {
            println!("{what}");
            code
        }
        Ok(Err(_)) | Err(_) => 101,
    }
}

fn checksum_of(
    file: &Path,
    integers: ult_c::IntegerEncoding,
    time: Duration,
) -> std::result::Result<u32, (u8, String)> {
    let bug = |what: String| (1, what);
    let text = std::fs::read_to_string(file).map_err(|error| bug(error.to_string()))?;
    let options = ult_c::Options {
        integers,
        // The generator sees to it that no operand changes what another one uses.
        evaluation: ult_c::Evaluation::LeftToRight,
        ..ult_c::Options::default()
    };
    let translation = ult_c::translate(&text, &options).map_err(|refusal| match refusal {
        ult_c::Refusal::Rejected(diagnostics) => {
            let first = diagnostics.iter().find(|problem| problem.is_error());
            let message = first.map_or("no message", |problem| &*problem.message);
            (4, format!("rejected: {message}"))
        }
        ult_c::Refusal::Internal(mistake) => bug(format!("no Boogie program: {mistake}")),
    })?;
    let program = translation.program;
    let mut procedures = program.procedures.iter();
    let Some(start) = procedures.position(|procedure| procedure.name == "ULTIMATE.start") else {
        return Err(bug("no start".into()));
    };
    // Inputs would be a mistake: these programs have none.
    let compiled = Program::new(&program, ProcedureId::new(start), &|_| false);
    let limits = RunLimits {
        steps: None,
        show: vec!["crc32_context".into()],
        results_of: Some("main".into()),
    };
    let end = Instant::now() + time;
    let go_on = || Instant::now() < end;
    let outcome = ult_interpret::run(&compiled, &Choices::default(), &limits, &go_on);
    match outcome.end {
        RunEnd::Finished => {}
        RunEnd::Unsupported(what) => return Err((4, what)),
        RunEnd::Stopped | RunEnd::Steps => return Err((5, "too long".into())),
        RunEnd::Blocked | RunEnd::Violated { .. } => {
            let place = outcome.stack.first().map(|activation| activation.span);
            let place = place.and_then(|span| text.get(span.range()));
            return Err(bug(format!(
                "{:?}: {}",
                outcome.end,
                place.unwrap_or_default()
            )));
        }
    }
    let context = outcome
        .shown
        .first()
        .and_then(|shown| shown.value.split("bv").next()?.parse::<u32>().ok())
        .ok_or_else(|| bug("no checksum".into()))?;
    Ok(!context)
}
