//! `ult watch`: what has changed is checked again.
//!
//! The files are looked at several times a second, instead of asking the system to tell about changes: that works on all
//! file systems, needs no watch for each folder, of which systems allow so many only, and costs milliseconds for thousands
//! of files. A file is checked when it has looked the same twice, since editors write in several steps.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::SystemTime;

use super::pool::{Finished, Outcome, Pool, Waiting};
use super::printer::{Printer, Style};
use super::table::{Row, count};
use super::task::{Named, Task};
use super::{Work, for_workers, unchecked, work};
use crate::args::FormatArg;
use crate::args::WatchArgs;
use crate::exit::Exit;
use crate::output::{self, complain};
use crate::project::NAME;
use crate::{limits, watch};

/// How a file looks from outside; `None` if it is not there.
type Look = Option<(SystemTime, u64)>;

/// What is known about a task.
struct LastCheck {
    /// What the project says about it.
    named: Named,
    /// How its file and the other files that are parts of it looked.
    looks: BTreeMap<PathBuf, Look>,
    /// The line of the table.
    row: Option<Row>,
}

/// Runs the command, until somebody interrupts it.
pub(crate) fn run(args: &WatchArgs) -> Exit {
    let args = &args.check;
    if let Err(why) = ult_smt::require_z3() {
        complain(&why);
        return Exit::Solver;
    }
    let others = [
        ("shard", args.many.shard.is_some()),
        ("records", args.many.records.is_some()),
        ("format", args.format != FormatArg::Text),
    ];
    let outputs = args.outputs().map(|(name, path)| (name, path.is_some()));
    if let Some((name, _)) = others.iter().chain(&outputs).find(|(_, wanted)| *wanted) {
        complain(&format!("--{name} is for `ult check`"));
        return Exit::Usage;
    }
    if args.files.iter().any(|file| file.as_os_str() == "-") {
        complain("`-` does not change");
        return Exit::Usage;
    }
    watch::listen_to_interrupts();
    let mut known: BTreeMap<PathBuf, LastCheck> = BTreeMap::new();
    let mut last: BTreeMap<PathBuf, Look> = BTreeMap::new();
    let mut printed = false;
    loop {
        let around = surroundings(args.files.iter().map(PathBuf::as_path));
        let work = match work(args) {
            Ok(work) => work,
            Err(exit) if known.is_empty() => return exit,
            // The message was told; the next one comes after the next change.
            Err(_) => {
                while surroundings(args.files.iter().map(PathBuf::as_path)) == around {
                    if is_over() {
                        return Exit::Safe;
                    }
                }
                continue;
            }
        };
        known.retain(|file, _| work.tasks.iter().any(|task| task.file == *file));
        let looks = looks(&work.tasks, &known);
        let is_due = |task: &Task| match known.get(&task.file) {
            None => true,
            Some(known) => known.named != task.named() || differs(&known.looks, &looks),
        };
        let is_still = |task: &Task| {
            let look = looks.get(&task.file);
            known.is_empty() || look.is_some() && last.get(&task.file) == look
        };
        let due: Vec<usize> = (work.tasks.iter().enumerate())
            .filter(|(_, task)| is_due(task) && is_still(task))
            .map(|(index, _)| index)
            .collect();
        last.clone_from(&looks);
        if !due.is_empty() {
            if std::mem::replace(&mut printed, !args.quiet) && output::stdout("\n").is_err() {
                return Exit::BrokenPipe;
            }
            let exit = round(&work, &due, &looks, &mut known, args);
            if matches!(exit, Exit::BrokenPipe | Exit::Solver) {
                return exit;
            }
        }
        if is_over() {
            return Exit::Safe;
        }
    }
}

/// Waits for a moment. Whether somebody wants an end.
fn is_over() -> bool {
    let is_over = watch::interrupted() || output::is_unread();
    if !is_over {
        thread::sleep(limits::LOOK);
    }
    is_over
}

/// Checks some tasks, and tells about all.
fn round(
    work: &Work,
    due: &[usize],
    looks: &BTreeMap<PathBuf, Look>,
    known: &mut BTreeMap<PathBuf, LastCheck>,
    args: &crate::args::CheckArgs,
) -> Exit {
    let jobs = args.many.jobs.map_or(1, usize::from);
    let pool = Pool {
        jobs: jobs.min(due.len()),
        words: for_workers(&work.own, output::colored(args.color)),
        timeout: args.timeout,
        memory: args.memory,
        questions: args.log_queries.clone(),
        progress: !args.quiet,
    };
    let mut printer = Printer::new(Style {
        format: FormatArg::Text,
        quiet: args.quiet,
        several: false,
    });
    let mut waiting: Waiting = due.iter().map(|index| (*index, None)).collect();
    pool.run(&work.tasks, &mut waiting, &mut |finished: Finished| {
        let Some(task) = work.tasks.get(finished.index) else {
            return;
        };
        let record = match finished.outcome {
            Outcome::Record(record) => Some(*record),
            Outcome::Unchanged | Outcome::Nothing => None,
            Outcome::Lost(reason) => Some(unchecked(task, args.quiet, reason)),
        };
        let record = record.map(|mut record| {
            task.complete(&mut record);
            record
        });
        let mut seen =
            BTreeMap::from([(task.file.clone(), looks.get(&task.file).copied().flatten())]);
        for other in record.iter().flat_map(|record| &record.others) {
            let other = PathBuf::from(other);
            let now = look(&other);
            // Parts that come with the program are no files.
            if now.is_some() {
                seen.insert(other, now);
            }
        }
        known.insert(
            task.file.clone(),
            LastCheck {
                named: task.named(),
                looks: seen,
                row: record.as_ref().map(Row::of),
            },
        );
        let place = due.binary_search(&finished.index).unwrap_or(usize::MAX);
        printer.add(place, record, task.heading(), finished.said);
    });
    let exit = printer.end();
    let rows: Vec<&Row> = known
        .values()
        .filter_map(|known| known.row.as_ref())
        .collect();
    if !watch::interrupted() {
        output::stderr(&format!("ult: note: {}; Ctrl-C ends\n", count(&rows)));
    }
    exit
}

/// How all files look that are parts of tasks.
fn looks(tasks: &[Task], known: &BTreeMap<PathBuf, LastCheck>) -> BTreeMap<PathBuf, Look> {
    let own = tasks.iter().map(|task| &task.file);
    let others = known.values().flat_map(|known| known.looks.keys());
    let mut looks = BTreeMap::new();
    for file in own.chain(others) {
        if !looks.contains_key(file) {
            looks.insert(file.clone(), look(file));
        }
    }
    looks
}

fn look(file: &Path) -> Look {
    let found = std::fs::metadata(file).ok()?;
    Some((found.modified().ok()?, found.len()))
}

fn differs(old: &BTreeMap<PathBuf, Look>, new: &BTreeMap<PathBuf, Look>) -> bool {
    old.iter()
        .any(|(file, look)| new.get(file).is_some_and(|new| new != look))
}

/// How the project files look that may count, and what was named on the command line.
fn surroundings<'p>(named: impl Iterator<Item = &'p Path>) -> Vec<(PathBuf, Look)> {
    let mut around = Vec::new();
    for path in named.chain([Path::new(".")]) {
        around.push((path.to_owned(), look(path)));
        let folder = path.canonicalize().unwrap_or_default();
        for above in folder.ancestors() {
            let file = above.join(NAME);
            let look = look(&file);
            around.push((file, look));
        }
    }
    around
}
