//! Boogie's own test suite: `ult boogie` in the place of Boogie, and where its answers differ. Programs that do not say what
//! is expected are compared with what another Boogie says of them.
//!
//! | file | idea |
//! |---|---|
//! | `lit` | what a file asks for |
//! | `output` | what an output says |
//! | `judge` | an output beside the expected one |
//! | `summary` | all files as a table |

mod judge;
mod lit;
mod output;
mod summary;

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use crate::Failure;
use crate::process::{self, End, Finished, Limits};
use judge::Class;
use lit::{Case, Source};
use output::Output;

/// What `boogie-suite` is told.
#[derive(clap::Args)]
pub(crate) struct SuiteArguments {
    /// The folder `Test` of Boogie's sources, one inside of it, or with `--beside` any folder with Boogie programs.
    folder: PathBuf,
    /// Run only files whose path contains this; may be repeated.
    #[arg(long, value_name = "SUBSTRING")]
    only: Vec<String>,
    /// The time limit in seconds for each procedure.
    #[arg(long, default_value_t = 10, value_name = "SECONDS")]
    timeout: u64,
    /// The time limit in seconds for each file.
    #[arg(long, default_value_t = 60, value_name = "SECONDS")]
    file_timeout: u64,
    /// The memory limit for each file in megabytes.
    #[arg(long, default_value_t = 4000, value_name = "MB")]
    memory: u64,
    /// How many files run at once.
    #[arg(long, default_value_t = 1)]
    jobs: usize,
    /// A CSV file with the columns `file`, `line` and `why`: errors that Boogie reports although what is asserted holds.
    #[arg(long, value_name = "FILE")]
    known: Option<PathBuf>,
    /// Run another Boogie on each file, too: for its time, and, where no file has a `RUN:` line, for what is expected.
    #[arg(long, value_name = "CMD")]
    beside: Option<String>,
    /// Store the table under this name, as .csv and .md.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Keep the outputs in this folder.
    #[arg(long, value_name = "FOLDER")]
    keep: Option<PathBuf>,
}

/// A file of the suite that can be compared.
struct Task {
    /// Its path below the folder.
    name: String,
    path: PathBuf,
    cases: Vec<Case>,
}

/// What became of it.
struct Row {
    name: String,
    class: Class,
    words: String,
    seconds: f64,
    /// The seconds that the other Boogie took, if it decided all.
    other: Option<f64>,
}

/// Why a file cannot be compared.
type LeftOut = (String, String);

/// What is the same for all files.
struct Suite<'a> {
    arguments: &'a SuiteArguments,
    ult: Vec<String>,
    /// Another Boogie.
    other: Option<Vec<String>>,
    known: BTreeSet<(String, u64)>,
    stop: &'a AtomicBool,
}

/// Runs the suite. Tells whether nothing is wrong: no miss that nobody has looked at, no false alarm, no crash.
pub(crate) fn run(
    arguments: &SuiteArguments,
    ult: &Path,
    stop: &AtomicBool,
) -> Result<bool, Failure> {
    let split = |command: &String| {
        let words = shlex::split(command).filter(|words| !words.is_empty());
        words.ok_or_else(|| Failure::Tool(command.clone(), "is no command".into()))
    };
    let suite = Suite {
        arguments,
        ult: vec![
            ult.display().to_string(),
            "boogie".to_owned(),
            format!("/processTimeLimit:{}", arguments.file_timeout),
        ],
        other: arguments.beside.as_ref().map(split).transpose()?,
        known: known(arguments.known.as_deref())?,
        stop,
    };
    let mut files = Vec::new();
    programs(&arguments.folder, &mut files)?;
    let mut texts = Vec::new();
    for path in files {
        let name = path.strip_prefix(&arguments.folder).unwrap_or(&path);
        let name = name.to_string_lossy().into_owned();
        let only = &arguments.only;
        if only.is_empty() || only.iter().any(|part| name.contains(part.as_str())) {
            texts.push((name, lit::cases(&path, &read(&path)?), path));
        }
    }
    // Where others have them, a file without a `RUN:` line is a part of another test.
    let says_none = |cases: &Result<_, String>| matches!(cases, Err(why) if why == lit::NO_RUN);
    let is_plain = suite.other.is_some() && texts.iter().all(|(_, cases, _)| says_none(cases));
    let mut tasks = Vec::new();
    let mut left_out: BTreeMap<String, String> = BTreeMap::new();
    for (name, cases, path) in texts {
        match cases {
            Ok(cases) => tasks.push(Task { name, path, cases }),
            Err(_) if is_plain => tasks.push(Task {
                name,
                path,
                cases: vec![Case::plain()],
            }),
            Err(why) => {
                left_out.insert(name, why);
            }
        }
    }
    if tasks.is_empty() {
        return Err(Failure::NoTasks);
    }
    let next = AtomicUsize::new(0);
    let rows: Mutex<Vec<Result<Row, LeftOut>>> = Mutex::default();
    let failure: Mutex<Option<Failure>> = Mutex::default();
    std::thread::scope(|scope| {
        for _ in 0..arguments.jobs.clamp(1, tasks.len()) {
            scope.spawn(|| {
                while !stop.load(Ordering::Relaxed) {
                    let Some(task) = tasks.get(next.fetch_add(1, Ordering::Relaxed)) else {
                        break;
                    };
                    let row = match suite.file(task) {
                        Ok(row) => row,
                        Err(error) => {
                            if let Ok(mut failure) = failure.lock() {
                                *failure = Some(error);
                            }
                            break;
                        }
                    };
                    let Ok(mut rows) = rows.lock() else {
                        break;
                    };
                    if let Ok(row) = &row {
                        // A closed standard output is no reason to lose the results.
                        let _ = writeln!(
                            std::io::stdout().lock(),
                            "{:>4}/{} {:<12}{:>7.2} s{}  {} {}",
                            rows.len() + 1,
                            tasks.len(),
                            row.class,
                            row.seconds,
                            row.other
                                .map_or(String::new(), |other| format!(" beside {other:.2} s")),
                            row.name,
                            row.words
                        );
                    }
                    rows.push(row);
                }
            });
        }
    });
    if let Some(failure) = failure.into_inner().ok().flatten() {
        return Err(failure);
    }
    let mut compared = Vec::new();
    for row in rows.into_inner().unwrap_or_default() {
        match row {
            Ok(row) => compared.push(row),
            Err((name, why)) => {
                left_out.insert(name, why);
            }
        }
    }
    compared.sort_by(|a, b| a.name.cmp(&b.name));
    let text = summary::text(&compared, &left_out, arguments.beside.as_deref());
    println!("\n{text}");
    if let Some(out) = &arguments.out {
        store(out, &text, &compared, &left_out)?;
    }
    let is_wrong =
        |row: &Row| matches!(row.class, Class::Misses | Class::FalseAlarm | Class::Crash);
    Ok(!compared.iter().any(is_wrong))
}

/// All programs below a folder, in the order of their paths.
fn programs(folder: &Path, found: &mut Vec<PathBuf>) -> Result<(), Failure> {
    let io = |error| Failure::Io(folder.to_owned(), error);
    let mut entries = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(io)? {
        entries.push(entry.map_err(io)?.path());
    }
    entries.sort();
    for path in entries {
        if path.is_dir() {
            programs(&path, found)?;
        } else if path.extension().is_some_and(|suffix| suffix == "bpl") {
            found.push(path);
        }
    }
    Ok(())
}

/// A file's text. What is no text is replaced.
fn read(path: &Path) -> Result<String, Failure> {
    let bytes = std::fs::read(path).map_err(|error| Failure::Io(path.to_owned(), error))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// The lines on which what Boogie cannot prove holds.
fn known(list: Option<&Path>) -> Result<BTreeSet<(String, u64)>, Failure> {
    let Some(list) = list else {
        return Ok(BTreeSet::new());
    };
    let csv = |error| Failure::Csv(list.to_owned(), error);
    let mut reader = csv::Reader::from_path(list).map_err(csv)?;
    let headers = reader.headers().map_err(csv)?.clone();
    let column = |name: &str| {
        let place = headers.iter().position(|header| header == name);
        place.ok_or_else(|| Failure::NoColumn(name.to_owned()))
    };
    let (file, line, _) = (column("file")?, column("line")?, column("why")?);
    let mut known = BTreeSet::new();
    for record in reader.records() {
        let record = record.map_err(csv)?;
        known.insert((record[file].to_owned(), record[line].parse().unwrap_or(0)));
    }
    Ok(known)
}

impl Suite<'_> {
    /// Runs all cases of a file; its class is that of the worst. The inner error says why it cannot be compared.
    fn file(&self, task: &Task) -> Result<Result<Row, LeftOut>, Failure> {
        let left_out = |why: &str| Ok(Err((task.name.clone(), why.to_owned())));
        let mut row: Option<Row> = None;
        for (number, case) in task.cases.iter().enumerate() {
            let is_quiet = |word: &String| word.contains("quiet") || word.contains("silent");
            let quiet = case.words.iter().any(is_quiet);
            let (expected, other) = match &case.expectation {
                Source::Output(path) => (Some(Output::of(&read(path)?)), None),
                Source::Checks(path) => (Output::of_checks(path, &read(path)?), None),
                Source::Other => {
                    let finished = self.other(case, task)?;
                    match &finished {
                        Some(finished) if matches!(finished.end, End::Code(_)) => {}
                        _ => return left_out("the other Boogie does not end"),
                    }
                    let output = finished.as_ref().map(|of| Output::of(&of.stdout));
                    (output, finished)
                }
            };
            let Some(expected) = expected else {
                return left_out("checks of other lines");
            };
            let expected = expected.settled(quiet);
            let says_nothing = case.expectation == Source::Other && !expected.says_something();
            if expected.failed || says_nothing {
                return left_out("Boogie itself fails");
            }
            let finished = self.run(&self.ult, case, task)?;
            let other = match other {
                Some(other) => Some(other),
                None => self.other(case, task)?,
            };
            if let Some(folder) = &self.arguments.keep {
                let name = format!("{}.{number}", task.name.replace('/', "-"));
                let path = folder.join(name);
                std::fs::write(&path, format!("{}{}", finished.stdout, finished.stderr))
                    .map_err(|error| Failure::Io(path, error))?;
            }
            let got = Output::of(&finished.stdout).settled(quiet);
            let is_known = |_: &str, line: u64| self.known.contains(&(task.name.clone(), line));
            let (class, words) = judge::judge(&expected, &got, finished.end, &is_known);
            let words = match (class, finished.stderr.lines().next()) {
                (Class::Crash, Some(first)) => format!("{words}: {first}"),
                (Class::Rejected, _) => {
                    let first = finished.stdout.lines().find(|line| line.contains("rror: "));
                    first.unwrap_or_default().to_owned()
                }
                _ => words,
            };
            let seconds = finished.wall.as_secs_f64();
            let other = other.and_then(|other| decided_in(&other));
            row = Some(match row.take() {
                None => Row {
                    name: task.name.clone(),
                    class,
                    words,
                    seconds,
                    other,
                },
                Some(before) => {
                    let seconds = before.seconds + seconds;
                    let other = before.other.zip(other).map(|(a, b)| a + b);
                    let (class, words) = match before.class >= class {
                        true => (before.class, before.words),
                        false => (class, words),
                    };
                    Row {
                        name: before.name,
                        class,
                        words,
                        seconds,
                        other,
                    }
                }
            });
        }
        row.map_or_else(|| left_out("nothing is expected"), |row| Ok(Ok(row)))
    }

    /// A case with the other Boogie, if there is one.
    fn other(&self, case: &Case, task: &Task) -> Result<Option<Finished>, Failure> {
        let other = self.other.as_ref();
        other
            .map(|command| self.run(command, case, task))
            .transpose()
    }

    /// A case with a Boogie, with what the suite's own configuration adds.
    fn run(&self, boogie: &[String], case: &Case, task: &Task) -> Result<Finished, Failure> {
        let folder = task.path.parent().unwrap_or(Path::new(""));
        let mut command = boogie.to_vec();
        command.push("/useBaseNameForFileName".to_owned());
        command.push(format!("/timeLimit:{}", self.arguments.timeout));
        for word in &case.words {
            let is_option = word.starts_with(['-', '/']);
            // Limits of the suite are for Boogie on its machines.
            if is_option && word.to_lowercase().contains("timelimit") {
                continue;
            }
            command.push(match word.as_str() {
                "%s" => task.path.display().to_string(),
                word if !is_option => folder.join(word).display().to_string(),
                word => word.to_owned(),
            });
        }
        let limits = Limits {
            time: Duration::from_secs(self.arguments.file_timeout.saturating_add(10)),
            memory: self.arguments.memory << 20,
        };
        process::run(&command, task.path.parent(), limits, self.stop)
            .map_err(|error| Failure::Io(boogie[0].clone().into(), error))
    }
}

/// The seconds after which everything was decided, if it was.
fn decided_in(finished: &Finished) -> Option<f64> {
    let output = Output::of(&finished.stdout);
    let is_decided = finished.end == End::Code(0) && output.counts.is_some() && !output.open;
    is_decided.then_some(finished.wall.as_secs_f64())
}

fn store(
    out: &Path,
    text: &str,
    rows: &[Row],
    left_out: &BTreeMap<String, String>,
) -> Result<(), Failure> {
    let file = out.with_extension("md");
    std::fs::write(&file, text).map_err(|error| Failure::Io(file, error))?;
    let file = out.with_extension("csv");
    let csv = |error| Failure::Csv(file.clone(), error);
    let mut writer = csv::Writer::from_path(&file).map_err(csv)?;
    writer
        .write_record(["file", "class", "seconds", "beside", "words"])
        .map_err(csv)?;
    for row in rows {
        let (class, seconds) = (row.class.to_string(), format!("{:.2}", row.seconds));
        let other = row
            .other
            .map_or(String::new(), |other| format!("{other:.2}"));
        writer
            .write_record([&row.name, &class, &seconds, &other, &row.words])
            .map_err(csv)?;
    }
    for (name, why) in left_out {
        writer
            .write_record([name, "left out", "", "", why])
            .map_err(csv)?;
    }
    writer
        .flush()
        .map_err(|error| Failure::Io(file.clone(), error))
}
