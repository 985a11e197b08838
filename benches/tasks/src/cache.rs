//! What kept evidence saves: every task twice, each run a process of its own, the second one with what the first one kept.
//!
//! Times are processor time. They contain what every run costs: starting, reading the program, and the solver library; a
//! third run, of a program without anything to prove, says how much that is. Then all of them together, as one command
//! for many files checks them, twice again.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::answer::{Answer, Expected, Judgement};
use crate::process::{self, Limits};
use crate::tasks::{Selection, Task};
use crate::tool::Tool;
use crate::{Failure, machine};

/// Measure what `ult check --cache` saves.
#[derive(clap::Args)]
pub(crate) struct CacheArguments {
    /// Which tasks.
    #[command(flatten)]
    selection: Selection,
    /// Sum up this many tasks: of those that are decided, those whose first run took longest. Without it all.
    #[arg(long, value_name = "NUMBER")]
    count: Option<usize>,
    /// The time limit in seconds.
    #[arg(long, default_value_t = 60, value_name = "SECONDS")]
    timeout: u64,
    /// The memory limit in megabytes.
    #[arg(long, default_value_t = 4000, value_name = "MB")]
    memory: u64,
    /// Store the table under this name, as .md.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// A program, and both runs of it.
struct Row {
    name: String,
    path: PathBuf,
    expected: Expected,
    answers: [Answer; 2],
    cpu: [f64; 2],
    reused: u64,
    found: u64,
}

/// One run.
struct Run {
    answer: Answer,
    cpu: f64,
    reused: u64,
    found: u64,
}

/// Runs the tasks and prints the table. The result says whether no verdict was wrong, and none another one than before.
pub(crate) fn measure(
    arguments: &CacheArguments,
    ult: &Path,
    stop: &AtomicBool,
) -> Result<bool, Failure> {
    let tasks = arguments.selection.read()?;
    if tasks.is_empty() {
        return Err(Failure::NoTasks);
    }
    let folder = tempfile::tempdir().map_err(|error| Failure::Io("a folder".into(), error))?;
    let kept = folder.path().join("kept");
    let tool = Tool::keeping(&kept, ult)?;
    let empty = Task {
        name: "nothing".into(),
        path: folder.path().join("nothing.bpl"),
        expected: Expected::True,
        columns: tasks[0].columns.clone(),
    };
    std::fs::write(&empty.path, "procedure nothing() { }\n")
        .map_err(|error| Failure::Io(empty.path.clone(), error))?;
    run(&tool, &empty, arguments, stop)?;
    let start = run(&tool, &empty, arguments, stop)?.cpu;
    let mut rows = Vec::new();
    for task in &tasks {
        let first = run(&tool, task, arguments, stop)?;
        let second = run(&tool, task, arguments, stop)?;
        if stop.load(Ordering::Relaxed) {
            break;
        }
        let row = Row {
            name: task.name.clone(),
            path: task.path.clone(),
            expected: task.expected,
            answers: [first.answer, second.answer],
            cpu: [first.cpu, second.cpu],
            reused: second.reused,
            found: second.found,
        };
        println!("{}", row.line());
        rows.push(row);
    }
    rows.sort_by(|a, b| b.cpu[0].total_cmp(&a.cpu[0]));
    if let Some(count) = arguments.count {
        rows.retain(|row| row.answers[0] != Answer::Unknown);
        rows.truncate(count);
    }
    let together = together(&rows, arguments, ult, folder.path(), stop)?;
    let text = table(&rows, start, &kept, arguments, &together);
    println!("\n{}\n{together}", summary(&rows, start));
    if let Some(out) = &arguments.out {
        let path = out.with_extension("md");
        std::fs::write(&path, text).map_err(|error| Failure::Io(path, error))?;
    }
    Ok(rows.iter().all(Row::is_right))
}

/// All programs in one run of `ult check`, twice: what that took, in a sentence.
fn together(
    rows: &[Row],
    arguments: &CacheArguments,
    ult: &Path,
    folder: &Path,
    stop: &AtomicBool,
) -> Result<String, Failure> {
    let timeout = arguments.timeout * rows.len() as u64;
    let limits = Limits {
        time: Duration::from_secs(timeout + 10),
        memory: arguments.memory << 20,
    };
    let kept = folder.join("together").display().to_string();
    let (timeout, memory) = (timeout.to_string(), arguments.memory.to_string());
    let mut command = vec![ult.display().to_string(), "check".into()];
    command.extend(rows.iter().map(|row| row.path.display().to_string()));
    let options = ["--cache", &kept, "--timeout", &timeout, "--memory", &memory];
    command.extend(options.map(str::to_owned));
    let mut cpu = [0.0; 2];
    let mut last = [String::new(), String::new()];
    for (cpu, last) in cpu.iter_mut().zip(&mut last) {
        let finished = process::run(&command, None, limits, stop)
            .map_err(|error| Failure::Io(ult.to_owned(), error))?;
        *cpu = finished.cpu.as_secs_f64();
        *last = (finished.stdout.lines().last())
            .unwrap_or_default()
            .to_owned();
    }
    let [first, second] = cpu;
    let same = match last[0] == last[1] {
        true => last[0].clone(),
        false => format!("first {}, then {}", last[0], last[1]),
    };
    Ok(format!(
        "In one run of `ult check`: first {first:.2} s, second {second:.2} s ({:.1} %); {same}",
        100.0 * second / first
    ))
}

fn run(
    tool: &Tool,
    task: &Task,
    arguments: &CacheArguments,
    stop: &AtomicBool,
) -> Result<Run, Failure> {
    let limits = Limits {
        time: Duration::from_secs(arguments.timeout + 10),
        memory: arguments.memory << 20,
    };
    let timeout = Duration::from_secs(arguments.timeout);
    let command = tool.command(task, timeout, arguments.memory)?;
    let finished = process::run(&command, None, limits, stop)
        .map_err(|error| Failure::Io(task.path.clone(), error))?;
    let answer = tool.read(&finished).answer.unwrap_or(Answer::Crash);
    let report: serde_json::Value = serde_json::from_str(&finished.stdout).unwrap_or_default();
    let count = |name: &str| {
        let units = report["units"].as_array().into_iter().flatten();
        units
            .filter_map(|unit| unit["evidence"][name].as_u64())
            .sum()
    };
    Ok(Run {
        answer,
        cpu: finished.cpu.as_secs_f64(),
        reused: count("reused"),
        found: count("found"),
    })
}

impl Row {
    fn line(&self) -> String {
        format!(
            "| {} | {} | {} | {} | {:.3} | {:.3} | {} | {} |",
            self.name,
            self.expected,
            self.answers[0],
            self.answers[1],
            self.cpu[0],
            self.cpu[1],
            self.reused,
            self.found
        )
    }

    fn is_right(&self) -> bool {
        let judged = self
            .answers
            .map(|answer| Judgement::of(self.expected, answer));
        // What was decided stays so.
        judged
            .iter()
            .all(|&judgement| judgement != Judgement::Wrong)
            && (self.answers[0] == self.answers[1] || self.answers[0] == Answer::Unknown)
    }
}

fn summary(rows: &[Row], start: f64) -> String {
    let sum = |i: usize| rows.iter().map(|row| row.cpu[i]).sum::<f64>();
    let (first, second) = (sum(0), sum(1));
    let decided = rows
        .iter()
        .filter(|row| row.answers[0] != Answer::Unknown)
        .count();
    let changed = rows
        .iter()
        .filter(|row| row.answers[0] != row.answers[1])
        .count();
    let reused: u64 = rows.iter().map(|row| row.reused).sum();
    let found: u64 = rows.iter().map(|row| row.found).sum();
    format!(
        "{} programs, {decided} decided: first run {first:.2} s, second run {second:.2} s ({:.1} %), of that {:.2} s for \
         starting {} times ({start:.3} s each); {reused} error locations decided by kept evidence, {found} by new one; \
         {changed} verdicts changed",
        rows.len(),
        100.0 * second / first,
        start * rows.len() as f64,
        rows.len(),
    )
}

fn table(
    rows: &[Row],
    start: f64,
    kept: &Path,
    arguments: &CacheArguments,
    together: &str,
) -> String {
    let mut text = String::from("# Second runs with what first runs kept\n\n");
    let _ = writeln!(text, "* date: {}", machine::date());
    let _ = writeln!(text, "* commit: {}", machine::commit());
    let _ = writeln!(text, "* machine: {}", machine::machine());
    let _ = writeln!(
        text,
        "* limits: {} s, {} MB; times are processor time in seconds",
        arguments.timeout, arguments.memory
    );
    if let Some(count) = arguments.count {
        let _ = writeln!(
            text,
            "* of the tasks that are decided, the {count} whose first run took longest"
        );
    }
    let _ = writeln!(text, "* the cache has {} KB", size(kept) / 1024);
    let _ = writeln!(text, "\n{}.\n\n{together}.\n", summary(rows, start));
    text += "| task | expected | first | second | first s | second s | reused | found |\n";
    text += "|---|---|---|---|---:|---:|---:|---:|\n";
    for row in rows {
        let _ = writeln!(text, "{}", row.line());
    }
    text
}

/// The bytes of all files below a folder.
fn size(folder: &Path) -> u64 {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries
        .map(|entry| match entry.metadata() {
            Ok(found) if found.is_dir() => size(&entry.path()),
            Ok(found) => found.len(),
            Err(_) => 0,
        })
        .sum()
}
