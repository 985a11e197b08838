//! All tools on all tasks.

use std::collections::HashMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use crate::Failure;
use crate::answer::{Answer, Judgement};
use crate::process::{self, Finished, Limits};
use crate::table::{LINE_HEAD, Row};
use crate::tasks::Task;
use crate::tool::{Reading, Tool};

/// How the tools are run.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    /// The time limit that the tool is told to keep.
    pub timeout: Duration,
    /// How much longer it may take before it is ended.
    pub grace: Duration,
    /// The memory limit in megabytes that the tool is told to keep. It is ended at a tenth more, and 100 MB.
    pub memory: u64,
    /// How many run at once.
    pub jobs: usize,
    /// Where to keep all outputs.
    pub keep: Option<PathBuf>,
}

/// Runs every tool on every task, but for those with a row in `known`, and prints the results as they come. They are
/// returned in the order of the tasks; after `stop` was set, those that are finished.
pub(crate) fn run(
    tools: &[Tool],
    tasks: &[Task],
    known: Vec<Row>,
    settings: &Settings,
    stop: &AtomicBool,
) -> Result<Vec<Row>, Failure> {
    let mut known: HashMap<(String, String), Row> = known
        .into_iter()
        .map(|row| ((row.file.clone(), row.tool.clone()), row))
        .collect();
    let mut work = Vec::new();
    let mut rows = Vec::new();
    for task in tasks {
        for tool in tools {
            let row = known.remove(&(task.name.clone(), tool.name.clone()));
            let is_known = row.is_some();
            rows.push(row);
            if is_known {
                continue;
            }
            work.push((
                task,
                tool,
                tool.command(task, settings.timeout, settings.memory)?,
            ));
        }
    }
    println!("{LINE_HEAD}");
    let next = AtomicUsize::new(0);
    let places: Vec<usize> = (0..rows.len()).filter(|&i| rows[i].is_none()).collect();
    let finished: Mutex<Vec<Option<Row>>> = Mutex::new(rows);
    let done = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..settings.jobs.clamp(1, work.len().max(1)) {
            scope.spawn(|| {
                while !stop.load(Ordering::Relaxed) {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some((task, tool, command)) = work.get(index) else {
                        break;
                    };
                    let row = one(task, tool, command, settings, stop);
                    if stop.load(Ordering::Relaxed) {
                        break;
                    }
                    let number = done.fetch_add(1, Ordering::Relaxed) + 1;
                    let mut out = std::io::stdout().lock();
                    let tool = if tools.len() > 1 {
                        format!("  [{}]", tool.name)
                    } else {
                        String::new()
                    };
                    // A closed standard output is no reason to lose the results.
                    let _ = writeln!(out, "{number:>3}/{:<3} {}{tool}", work.len(), row.line());
                    if let Ok(mut finished) = finished.lock() {
                        finished[places[index]] = Some(row);
                    }
                }
            });
        }
    });
    let rows = finished.into_inner().unwrap_or_default();
    Ok(rows.into_iter().flatten().collect())
}

fn one(
    task: &Task,
    tool: &Tool,
    command: &[String],
    settings: &Settings,
    stop: &AtomicBool,
) -> Row {
    let limits = Limits {
        time: settings.timeout + settings.grace,
        memory: settings
            .memory
            .saturating_add(settings.memory / 10 + 100)
            .saturating_mul(1_000_000),
    };
    let mut row = Row {
        file: task.name.clone(),
        tool: tool.name.clone(),
        expected: task.expected.to_string(),
        got: Answer::Crash,
        judgement: Judgement::Crashed,
        seconds: 0.0,
        cpu_seconds: 0.0,
        memory_mb: 0.0,
        splits: None,
        refinements: None,
        solver_calls: None,
        nodes: None,
        predicates: None,
        engine: String::new(),
        ways: String::new(),
        reason: String::new(),
        detail: String::new(),
    };
    match process::run(command, None, limits, stop) {
        Ok(finished) => {
            let Reading {
                answer,
                reason,
                detail,
                splits,
                refinements,
                solver_calls,
                nodes,
                predicates,
                engine,
                ways,
            } = tool.read(&finished);
            row.got = answer.unwrap_or(Answer::Crash);
            row.judgement = match task.is_modular() {
                true => Judgement::of_modular(task.expected, row.got, &reason),
                false => Judgement::of(task.expected, row.got),
            };
            row.seconds = thousandths(finished.wall);
            row.cpu_seconds = thousandths(finished.cpu);
            row.memory_mb = (finished.memory as f64 / 1e5).round() / 10.0;
            (row.splits, row.refinements, row.solver_calls) = (splits, refinements, solver_calls);
            (row.nodes, row.predicates, row.engine) = (nodes, predicates, engine);
            (row.ways, row.reason, row.detail) = (ways, reason, detail);
            if let Some(folder) = &settings.keep
                && let Err(error) = keep(folder, task, tool, command, &finished)
            {
                eprintln!("the output for {} was not kept: {error}", task.name);
            }
        }
        Err(error) => {
            row.reason = format!(
                "cannot run {}: {error}",
                command.first().map_or("", String::as_str)
            )
        }
    }
    row
}

fn thousandths(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e3).round() / 1e3
}

/// Stores what the tool printed, as `TOOL/FILE.out` and `.err`.
fn keep(
    folder: &Path,
    task: &Task,
    tool: &Tool,
    command: &[String],
    finished: &Finished,
) -> std::io::Result<()> {
    let plain = |text: &str| -> String {
        text.chars()
            .map(|c| {
                if c.is_alphanumeric() || "-_.+".contains(c) {
                    c
                } else {
                    '_'
                }
            })
            .collect()
    };
    let folder = folder.join(plain(&tool.name));
    std::fs::create_dir_all(&folder)?;
    let name = plain(&task.name);
    std::fs::write(folder.join(format!("{name}.out")), &finished.stdout)?;
    let errors = format!("$ {}\n{}", command.join(" "), finished.stderr);
    std::fs::write(folder.join(format!("{name}.err")), errors)
}
