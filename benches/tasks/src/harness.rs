//! Are violations real? Every run that `ult` finds is compiled with its harness and executed.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::Failure;
use crate::answer::Answer;
use crate::context::context;
use crate::process::{self, End, Limits};
use crate::table::Table;
use crate::tasks::{self, Task};
use crate::tool::Tool;

/// What `harness` is told.
#[derive(clap::Args)]
pub(crate) struct HarnessArguments {
    /// The task list.
    tasks: PathBuf,
    /// A table of these tasks that `run` stored: what it has as false is looked at.
    results: PathBuf,
    /// Only tasks with this in the column `property`: others cannot be seen in a compiled program.
    #[arg(long, default_value = "unreach-call")]
    property: String,
    /// The C compiler.
    #[arg(long, default_value = "gcc -w -m32")]
    cc: String,
    /// Further arguments for `ult`, as they were for `run`.
    #[arg(long, default_value = "", allow_hyphen_values = true)]
    arguments: String,
    /// The time limit in seconds of each check.
    #[arg(long, default_value_t = 60, value_name = "SECONDS")]
    timeout: u64,
    /// The memory limit of each check in megabytes.
    #[arg(long, default_value_t = 4000, value_name = "MB")]
    memory: u64,
    /// Store the table under this name, as .md.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// What became of one violation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Fate {
    /// The compiled program gets to the violation.
    Reached,
    /// It ends otherwise.
    Missed,
    /// It does not end.
    Endless,
    /// The compiler refuses it.
    NotCompiled,
    /// This time there was no violation, or no harness for it.
    NoHarness,
}

impl Fate {
    fn words(self) -> &'static str {
        match self {
            Fate::Reached => "reached",
            Fate::Missed => "not reached",
            Fate::Endless => "does not end",
            Fate::NotCompiled => "not compiled",
            Fate::NoHarness => "no harness",
        }
    }
}

/// Looks at all violations; tells whether all are reached.
pub(crate) fn measure(
    arguments: &HarnessArguments,
    ult: &Path,
    stop: &AtomicBool,
) -> Result<bool, Failure> {
    let violated: Vec<String> = Table::read(&arguments.results)?
        .rows
        .into_iter()
        .filter(|row| row.got == Answer::False)
        .map(|row| row.file)
        .collect();
    let tasks = tasks::read(&arguments.tasks, &[], None)?;
    let wanted = |task: &&Task| {
        violated.contains(&task.name) && task.columns.get("property") == Some(&arguments.property)
    };
    let mut fates: BTreeMap<String, (Fate, String)> = BTreeMap::new();
    for task in tasks.iter().filter(wanted) {
        if stop.load(Ordering::Relaxed) {
            break;
        }
        let found = fate(task, arguments, ult, stop)?;
        println!("{:12} {} {}", found.0.words(), task.name, found.1);
        fates.insert(task.name.clone(), found);
    }
    if fates.is_empty() {
        return Err(Failure::NoTasks);
    }
    let text = summary(&fates);
    println!("\n{text}");
    if let Some(out) = &arguments.out {
        let file = out.with_extension("md");
        std::fs::write(&file, text).map_err(|error| Failure::Io(file, error))?;
    }
    Ok(fates.values().all(|(fate, _)| *fate == Fate::Reached))
}

/// Checks a task again, and compiles and runs it with the harness.
fn fate(
    task: &Task,
    arguments: &HarnessArguments,
    ult: &Path,
    stop: &AtomicBool,
) -> Result<(Fate, String), Failure> {
    let io = |error| Failure::Io(task.path.clone(), error);
    let folder = tempfile::tempdir().map_err(io)?;
    let [harness, binary] = ["harness.c", "program"].map(|name| {
        let path = folder.path().join(name);
        path.to_string_lossy().into_owned()
    });
    let variant = format!("harness=--harness {harness} {}", arguments.arguments);
    let tool = Tool::variant(&variant, ult)?;
    let time = Duration::from_secs(arguments.timeout);
    let limits = |time: Duration| Limits {
        time,
        memory: arguments.memory << 20,
    };
    let command = tool.command(task, time, arguments.memory)?;
    let grace = Duration::from_secs(10);
    process::run(&command, None, limits(time + grace), stop).map_err(io)?;
    if !Path::new(&harness).exists() {
        return Ok((Fate::NoHarness, String::new()));
    }
    let file = task.path.to_string_lossy().into_owned();
    let compiler = arguments.cc.split_whitespace().map(str::to_owned);
    let compiler = compiler.chain([
        file,
        harness,
        "-o".to_owned(),
        binary.clone(),
        "-lm".to_owned(),
    ]);
    let compiled =
        process::run(&compiler.collect::<Vec<_>>(), None, limits(time), stop).map_err(io)?;
    if compiled.end != End::Code(0) {
        let first = compiled.stderr.lines().find(|line| line.contains("error"));
        let first = first.or(compiled.stderr.lines().last());
        return Ok((Fate::NotCompiled, first.unwrap_or_default().to_owned()));
    }
    let ran = process::run(&[binary], None, limits(grace), stop).map_err(io)?;
    Ok(match ran.end {
        End::Signal(_) => (Fate::Reached, String::new()),
        End::Time | End::Memory | End::Stopped => (Fate::Endless, String::new()),
        End::Code(code) => (Fate::Missed, format!("it ends with {code}")),
    })
}

fn summary(fates: &BTreeMap<String, (Fate, String)>) -> String {
    let mut text = "# Violations, compiled and executed\n\n".to_owned();
    for (name, value) in context() {
        let _ = writeln!(text, "* {name}: {value}");
    }
    let mut counts: BTreeMap<Fate, usize> = BTreeMap::new();
    for (fate, _) in fates.values() {
        *counts.entry(*fate).or_default() += 1;
    }
    let _ = writeln!(text, "\n| violations | {} |\n|---|---:|", fates.len());
    for (fate, count) in counts {
        let _ = writeln!(text, "| {} | {count} |", fate.words());
    }
    text.push_str("\n| file | | |\n|---|---|---|\n");
    for (file, (fate, more)) in fates {
        let more = more.replace('|', "\\|");
        let _ = writeln!(text, "| {file} | {} | {more} |", fate.words());
    }
    text
}
