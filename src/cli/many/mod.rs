//! `ult check` on many files: several at a time, on several machines, with the options of a project.
//!
//! | file | idea |
//! |---|---|
//! | `words` | the user's options, for other processes |
//! | `task` | what is to be done |
//! | `pool` | processes that each check one task |
//! | `printer` | records as one report |
//! | `table` | the table behind many files |
//! | `store` | files with records |
//! | `live` | again whenever files change |
//! | `merge` | files with records as one report |

pub(crate) mod live;
pub(crate) mod merge;
mod pool;
pub(crate) mod printer;
mod store;
pub(crate) mod table;
pub(crate) mod task;
pub(crate) mod words;

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use self::pool::{Finished, Outcome, Pool, Waiting};
use self::printer::{Printer, Style};
use self::store::{Header, Store};
use self::task::Task;
use self::words::Words;
use crate::args::CheckArgs;
use crate::args::{Shard, WorkerArg};
use crate::exit::Exit;
use crate::input::Reader;
use crate::linked;
use crate::output::{self, complain};
use crate::project::Projects;
use crate::{check, folder, watch};
use ult_core::formula::Terms;
use ult_core::guard::guarded;
use ult_core::reason::Reason;
use ult_driver::{Content, Language, Report, Source, load};
use ult_lower::plan::entries;
use ult_report::record::{self, Record, Word};
use ult_report::{json, text};

/// How the files of a command are checked.
pub(crate) enum Plan {
    /// By this process, one after the other.
    Here(Vec<PathBuf>),
    /// By others.
    Many(Box<Work>),
}

/// What others are to do.
pub(crate) struct Work {
    tasks: Vec<Task>,
    own: Words,
    several: bool,
}

/// Which files there are, and who checks them.
///
/// # Errors
/// After a message: [`Exit::Usage`] if there are none, or something about them is wrong.
pub(crate) fn plan(args: &CheckArgs) -> Result<Plan, Exit> {
    let many = &args.many;
    if many.worker.is_some() {
        return Ok(Plan::Here(args.files.clone()));
    }
    let mut work = work(args)?;
    let is_asked_for = many.jobs.is_some() || many.shard.is_some() || many.records.is_some();
    if !is_asked_for && work.tasks.iter().all(Task::is_plain) {
        let files = work.tasks.into_iter().map(|task| task.file);
        return Ok(Plan::Here(files.collect()));
    }
    if work.tasks.iter().any(|task| task.file.as_os_str() == "-") {
        complain(
            "`-` is checked alone: without --jobs, --shard, --records, and files of a project",
        );
        return Err(Exit::Usage);
    }
    let c_files: Vec<&Path> = (args.files.iter().map(PathBuf::as_path))
        .filter(|file| {
            let suffix = file.extension().and_then(|suffix| suffix.to_str());
            suffix.and_then(Language::of_suffix) == Some(Language::C)
        })
        .collect();
    if !args.separate && linked::look_like_one(&c_files) {
        complain(
            "the C files are one program, since at most one of them defines `main`; --jobs, --shard, --records and the files of a project are for separate programs: `--separate` checks each by itself",
        );
        return Err(Exit::Usage);
    }
    // Each once.
    let mut seen = BTreeSet::new();
    work.tasks.retain(|task| seen.insert(task.file.clone()));
    Ok(Plan::Many(Box::new(work)))
}

/// Which files there are, with what projects say about them.
///
/// # Errors
/// As [`plan`].
fn work(args: &CheckArgs) -> Result<Work, Exit> {
    let many = &args.many;
    let mut projects = Projects::new(many.project.as_deref(), many.no_project)?;
    let own = Words::of_this_process();
    let (files, several) = match args.files.is_empty() {
        false => {
            let mut files = folder::programs(&args.files)?;
            let several = files != args.files || files.len() > 1;
            // What was named is checked; what was found may be left out.
            let mut found = Vec::new();
            for file in files.drain(..) {
                let project = projects.of_file(&file)?;
                let is_out = project.is_some_and(|project| project.excludes(&file));
                if args.files.contains(&file) || !is_out {
                    found.push(file);
                }
            }
            (found, several)
        }
        true => match projects.of_folder(Path::new("."))? {
            Some(project) => (project.programs()?, true),
            None => {
                complain(
                    "name files or folders to check; without them there has to be a project file `ult.toml` here or above (`ult init` makes one)",
                );
                return Err(Exit::Usage);
            }
        },
    };
    let mut tasks = Vec::new();
    for file in files {
        tasks.push(match projects.of_file(&file)? {
            Some(project) => project.task(file, &own),
            None => Task::plain(file),
        });
    }
    Ok(Work {
        tasks,
        own,
        several,
    })
}

/// Has others check the files, and tells what they say.
pub(crate) fn run(work: Work, args: &CheckArgs) -> Exit {
    let Work {
        mut tasks,
        own,
        several,
    } = work;
    if args.many.shard.is_some()
        && let [task] = &tasks[..]
        && let Some(procedures) = procedures(task, &own)
    {
        tasks = procedures;
    }
    let mut outputs = args.outputs().into_iter();
    if tasks.len() > 1
        && let Some((name, _)) = outputs.find(|(_, path)| path.is_some())
    {
        complain(&format!(
            "--{name} is for one file, where files are checked by several processes"
        ));
        return Exit::Usage;
    }
    let shard = args.many.shard.unwrap_or(Shard::WHOLE);
    let mut store = None;
    let mut known: BTreeMap<usize, Record> = BTreeMap::new();
    if let Some(path) = &args.many.records {
        let mut options = own.decisive.clone();
        options.extend(
            args.timeout
                .map(|time| format!("--timeout={}", time.as_secs_f64())),
        );
        options.extend(args.memory.map(|memory| format!("--memory={memory}")));
        let named = tasks.iter().map(Task::named).collect();
        match Store::open(path, &Header::new(shard, options, named)) {
            Ok((opened, records)) => {
                known = records;
                store = Some(opened);
            }
            Err(why) => {
                complain(&why);
                return Exit::Usage;
            }
        }
    }
    // What was not decided because the run ended is not known.
    known.retain(|_, record| !matches!(record.reason.as_deref(), Some("cancelled" | "internal")));
    let mine: Vec<usize> = (0..tasks.len()).filter(|index| shard.has(*index)).collect();
    let mut waiting: Waiting = (mine.iter())
        .map(|index| {
            (
                *index,
                known.get(index).map(|record| record.content.clone()),
            )
        })
        .collect();
    let color = output::colored(args.color) && store.is_none();
    let jobs = args.many.jobs.map_or(1, usize::from);
    let pool = Pool {
        jobs: jobs.min(mine.len().max(1)),
        words: for_workers(&own, color),
        timeout: args.timeout,
        memory: args.memory,
        questions: args.log_queries.clone(),
        progress: !args.quiet,
    };
    let mut printer = Printer::new(Style {
        format: args.format,
        quiet: args.quiet,
        several: several || tasks.len() > 1,
    });
    let place = |index: usize| mine.binary_search(&index).unwrap_or(usize::MAX);
    let mut failed = None;
    let stop = pool.run(&tasks, &mut waiting, &mut |finished: Finished| {
        let index = finished.index;
        let Some(task) = tasks.get(index) else { return };
        if let Some(exit) = finished.exit {
            printer.worst(exit);
        }
        let mut is_new = true;
        let mut told = match finished.outcome {
            Outcome::Record(record) => Some(*record),
            Outcome::Unchanged => {
                is_new = false;
                known.remove(&index)
            }
            Outcome::Nothing => None,
            Outcome::Lost(reason) => Some(unchecked(task, args.quiet, reason)),
        };
        if let Some(record) = told.as_mut()
            && is_new
        {
            task.complete(record);
            if let Some(store) = store.as_mut()
                && let Err(why) = store.write(record)
                && failed.is_none()
            {
                failed = Some(why);
            }
        }
        printer.add(place(index), told, task.heading(), finished.said);
    });
    // What nobody began.
    let reason = stop.map_or(Reason::Cancelled, Reason::from);
    for (index, _) in waiting {
        if let Some(task) = tasks.get(index) {
            let mut record = unchecked(task, args.quiet, reason.clone());
            task.complete(&mut record);
            printer.add(place(index), Some(record), task.heading(), String::new());
        }
    }
    if let Some(why) = failed {
        complain(&why);
        printer.worst(Exit::Usage);
    }
    if watch::interrupted() {
        printer.worst(Exit::Interrupted);
    }
    let unexpected: Vec<String> = (printer.records().iter())
        .filter(|record| record.is_unexpected())
        .map(|record| {
            let expected = record.expected.map(|word| word.to_string());
            format!(
                "{}: expected {}, but the verdict is {}",
                record.name(),
                expected.unwrap_or_default(),
                record.verdict_text()
            )
        })
        .collect();
    let exit = printer.end();
    for line in unexpected {
        complain(&line);
    }
    exit
}

/// The words that all workers get.
fn for_workers(own: &Words, color: bool) -> Vec<OsString> {
    let color = match color {
        true => "--color=always",
        false => "--color=never",
    };
    let words = own.words.iter().cloned();
    words.chain([color.into()]).collect()
}

/// The record of a task about which nothing is known.
pub(crate) fn unchecked(task: &Task, brief: bool, reason: Reason) -> Record {
    let suffix = task.file.extension().and_then(|suffix| suffix.to_str());
    let language = suffix.and_then(Language::of_suffix);
    let language = language.unwrap_or(Language::Boogie);
    let name = task.file.display().to_string();
    let mut report = Report::new(Source::new(name, ""), language);
    report.stopped = Some(reason);
    let style = text::Options {
        brief,
        ..text::Options::default()
    };
    let entry = task.entry.as_deref();
    Record::new(&report, entry, &style, json::More::default())
}

/// The procedures of a Boogie program that are verified on their own, each as a task; `None` if the file is none, or is to be
/// looked at as a whole.
fn procedures(task: &Task, own: &Words) -> Option<Vec<Task>> {
    let mut line = task.words();
    line.extend(own.words.iter().cloned());
    let args = words::parsed(&line, &task.file).ok()?;
    let suffix = task.file.extension().and_then(|suffix| suffix.to_str());
    let is_boogie = match args.read.language {
        Some(language) => language == Language::Boogie,
        None => {
            suffix
                .and_then(Language::of_suffix)
                .unwrap_or(Language::Boogie)
                == Language::Boogie
        }
    };
    if !is_boogie || !args.read.entry.is_empty() || !task.file.is_file() {
        return None;
    }
    let reader = Reader::new(&args.read, watch::Limits::default());
    let input = reader.read_one(&task.file).ok()?;
    if input.rejected.is_some() {
        return None;
    }
    let settings = check::reading_settings(&args.read);
    let named = guarded(|| {
        let loaded = load(&Terms::new(), &input.source, input.language, &settings)?;
        if loaded.is_rejected() {
            return Ok(Vec::new());
        }
        let Content::Program(program) = &loaded.content else {
            return Ok(Vec::new());
        };
        let entries = entries(program, &loaded.reading).unwrap_or_default();
        let names = entries
            .iter()
            .filter_map(|id| program.procedures.get(id.index()));
        Ok(names.map(|procedure| procedure.name.clone()).collect())
    });
    let named = named.ok().filter(|names| names.len() > 1)?;
    let tasks = named.into_iter().map(|name| Task {
        entry: Some(name),
        // That one of them is violated is nothing that one of them can be asked for.
        expected: task.expected.filter(|expected| *expected == Word::Safe),
        ..task.clone()
    });
    Some(tasks.collect())
}

/// What a worker prints about its task.
pub(crate) fn told_by_worker(
    mut report: Report,
    args: &CheckArgs,
    kind: WorkerArg,
    style: &text::Options,
    more: json::More,
) -> Result<(String, Exit), String> {
    let entry = match kind {
        WorkerArg::File => None,
        WorkerArg::Procedure => args.read.entry.last().map(String::as_str),
    };
    if entry.is_some() {
        // What others rely on is the task of others. Here it was checked because the verdict on this procedure counts on it,
        // and that verdict says so if it does not hold.
        let own =
            |unit: &ult_driver::UnitReport| unit.role != Some(ult_lower::unit::Role::Dependency);
        report.units.retain(|unit| own(unit));
        // Nothing fails open.
        if report.units.is_empty() && report.stopped.is_none() {
            report.stopped = Some(Reason::Internal("the procedure was not looked at".into()));
        }
    }
    let record = Record::new(&report, entry, style, more);
    let exit = Exit::of_record(&record);
    Ok((record.line().map_err(|error| error.to_string())?, exit))
}

/// What a worker prints if the text is known.
pub(crate) fn unchanged(args: &CheckArgs, source: &Source) -> Option<String> {
    let known = args.many.known.as_ref()?;
    (record::digest(&source.text) == *known).then(|| record::sealed(pool::UNCHANGED))
}
