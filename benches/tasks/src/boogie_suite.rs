//! Boogie's own test suite: `ult boogie` in the place of Boogie, and where its answers differ.
//!
//! | file | idea |
//! |---|---|
//! | `lit` | what a file asks for |
//! | `output` | what an output says |
//! | `judge` | an output beside the expected one |

mod judge;
mod lit;
mod output;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use crate::process::{self, Limits};
use crate::{Failure, machine};
use judge::Class;
use lit::{Case, Source};
use output::Output;

/// What `boogie-suite` is told.
#[derive(clap::Args)]
pub(crate) struct SuiteArguments {
    /// The folder `Test` of Boogie's sources, or one inside of it.
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
}

/// Runs the suite. Tells whether nothing is wrong: no miss that nobody has looked at, no false alarm, no crash.
pub(crate) fn run(
    arguments: &SuiteArguments,
    ult: &Path,
    stop: &AtomicBool,
) -> Result<bool, Failure> {
    let known = known(arguments.known.as_deref())?;
    let mut files = Vec::new();
    programs(&arguments.folder, &mut files)?;
    let mut tasks = Vec::new();
    let mut left_out: BTreeMap<String, String> = BTreeMap::new();
    for path in files {
        let name = path.strip_prefix(&arguments.folder).unwrap_or(&path);
        let name = name.to_string_lossy().into_owned();
        let only = &arguments.only;
        if !only.is_empty() && !only.iter().any(|part| name.contains(part.as_str())) {
            continue;
        }
        match lit::cases(&path, &read(&path)?) {
            Ok(cases) => tasks.push(Task { name, path, cases }),
            Err(why) => {
                left_out.insert(name, why);
            }
        }
    }
    if tasks.is_empty() {
        return Err(Failure::NoTasks);
    }
    let next = AtomicUsize::new(0);
    let rows: Mutex<Vec<Result<Row, (String, String)>>> = Mutex::default();
    let failure: Mutex<Option<Failure>> = Mutex::default();
    std::thread::scope(|scope| {
        for _ in 0..arguments.jobs.clamp(1, tasks.len()) {
            scope.spawn(|| {
                while !stop.load(Ordering::Relaxed) {
                    let Some(task) = tasks.get(next.fetch_add(1, Ordering::Relaxed)) else {
                        break;
                    };
                    let row = match one(task, arguments, ult, &known, stop) {
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
                            "{:>4}/{} {:<12}{:>7.2} s  {} {}",
                            rows.len() + 1,
                            tasks.len(),
                            row.class,
                            row.seconds,
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
    let text = summary(&compared, &left_out);
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

/// Runs all cases of a file; its class is that of the worst. The inner error says why it cannot be compared.
fn one(
    task: &Task,
    arguments: &SuiteArguments,
    ult: &Path,
    known: &BTreeSet<(String, u64)>,
    stop: &AtomicBool,
) -> Result<Result<Row, (String, String)>, Failure> {
    let mut row: Option<Row> = None;
    for (number, case) in task.cases.iter().enumerate() {
        let expected = match &case.expectation {
            Source::Output(path) => Some(Output::of(&read(path)?)),
            Source::Checks(path) => Output::of_checks(path, &read(path)?),
        };
        let Some(expected) = expected else {
            return Ok(Err((task.name.clone(), "checks of other lines".into())));
        };
        let is_quiet = |word: &String| word.contains("quiet") || word.contains("silent");
        let quiet = case.words.iter().any(is_quiet);
        let expected = expected.settled(quiet);
        if expected.failed {
            return Ok(Err((task.name.clone(), "Boogie itself fails".into())));
        }
        let command = command(case, &task.path, arguments, ult);
        let limits = Limits {
            time: Duration::from_secs(arguments.file_timeout.saturating_add(10)),
            memory: arguments.memory << 20,
        };
        let finished = process::run(&command, task.path.parent(), limits, stop)
            .map_err(|error| Failure::Io(ult.to_owned(), error))?;
        if let Some(folder) = &arguments.keep {
            let name = format!("{}.{number}", task.name.replace('/', "-"));
            let path = folder.join(name);
            std::fs::write(&path, format!("{}{}", finished.stdout, finished.stderr))
                .map_err(|error| Failure::Io(path, error))?;
        }
        let got = Output::of(&finished.stdout).settled(quiet);
        let is_known = |_: &str, line: u64| known.contains(&(task.name.clone(), line));
        let (class, words) = judge::judge(&expected, &got, finished.end, &is_known);
        let words = match (class, finished.stderr.lines().next()) {
            (Class::Crash, Some(first)) => format!("{words}: {first}"),
            (Class::Rejected, _) => {
                let first = finished.stdout.lines().find(|line| line.contains("rror: "));
                first.unwrap_or_default().to_owned()
            }
            _ => words,
        };
        let before = row.take();
        let seconds = before.as_ref().map_or(0.0, |row| row.seconds) + finished.wall.as_secs_f64();
        row = Some(match before {
            Some(before) if before.class >= class => Row { seconds, ..before },
            _ => Row {
                name: task.name.clone(),
                class,
                words,
                seconds,
            },
        });
    }
    row.map_or_else(
        || Ok(Err((task.name.clone(), "nothing is expected".into()))),
        |row| Ok(Ok(row)),
    )
}

/// The command of a case, with what the suite's own configuration adds.
fn command(case: &Case, path: &Path, arguments: &SuiteArguments, ult: &Path) -> Vec<String> {
    let folder = path.parent().unwrap_or(Path::new(""));
    let mut command = vec![
        ult.display().to_string(),
        "boogie".to_owned(),
        "/useBaseNameForFileName".to_owned(),
        format!("/processTimeLimit:{}", arguments.file_timeout),
        format!("/timeLimit:{}", arguments.timeout),
    ];
    for word in &case.words {
        let is_option = word.starts_with(['-', '/']);
        // Limits of the suite are for Boogie on its machines.
        if is_option && word.to_lowercase().contains("timelimit") {
            continue;
        }
        command.push(match word.as_str() {
            "%s" => path.display().to_string(),
            word if !is_option => folder.join(word).display().to_string(),
            word => word.to_owned(),
        });
    }
    command
}

/// The folder of a file of the suite.
fn folder_of(name: &str) -> &str {
    name.split_once('/').map_or(".", |(folder, _)| folder)
}

fn summary(rows: &[Row], left_out: &BTreeMap<String, String>) -> String {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let mut text = "# Boogie's own suite\n\n".to_owned();
    for (name, value) in [
        ("date", machine::date()),
        ("commit", machine::commit()),
        ("machine", machine::machine()),
        ("arguments", words.join(" ")),
    ] {
        let _ = writeln!(text, "* {name}: {value}");
    }
    let head: Vec<String> = Class::ALL.iter().map(ToString::to_string).collect();
    let _ = writeln!(
        text,
        "\n| folder | files | {} | left out |",
        head.join(" | ")
    );
    let _ = writeln!(text, "|---|---:|{}---:|", "---:|".repeat(head.len()));
    let names = rows.iter().map(|row| &*row.name);
    let names = names.chain(left_out.keys().map(String::as_str));
    let folders: BTreeSet<&str> = names.map(folder_of).collect();
    let count = |folder: Option<&str>, class: Class| {
        let is_in = |row: &&Row| folder.is_none_or(|folder| folder_of(&row.name) == folder);
        rows.iter()
            .filter(is_in)
            .filter(|row| row.class == class)
            .count()
    };
    let mut line = |title: &str, folder: Option<&str>| {
        let counts = Class::ALL.map(|class| count(folder, class));
        let others = left_out
            .keys()
            .filter(|name| folder.is_none_or(|f| folder_of(name) == f));
        let others = others.count();
        let all = counts.iter().sum::<usize>() + others;
        let cells = counts.map(|n| if n == 0 { String::new() } else { n.to_string() });
        let _ = writeln!(
            text,
            "| {title} | {all} | {} | {others} |",
            cells.join(" | ")
        );
    };
    for folder in folders {
        line(folder, Some(folder));
    }
    line("**all**", None);
    let mut seconds: Vec<f64> = rows.iter().map(|row| row.seconds).collect();
    seconds.sort_by(f64::total_cmp);
    if let Some(median) = seconds.get(seconds.len() / 2) {
        let all: f64 = seconds.iter().sum();
        let _ = writeln!(text, "\n{all:.0} s together, {median:.2} s in the median.");
    }
    text.push_str("\n| left out because of | files |\n|---|---:|\n");
    let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
    for why in left_out.values() {
        *reasons.entry(why).or_default() += 1;
    }
    for (why, count) in reasons {
        let _ = writeln!(text, "| {why} | {count} |");
    }
    text.push_str("\n| file | class | seconds | |\n|---|---|---:|---|\n");
    let different = |row: &&Row| row.class != Class::Agrees || !row.words.is_empty();
    for row in rows.iter().filter(different) {
        let words = row.words.replace('|', "\\|");
        let _ = writeln!(
            text,
            "| {} | {} | {:.2} | {words} |",
            row.name, row.class, row.seconds
        );
    }
    text
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
        .write_record(["file", "class", "seconds", "words"])
        .map_err(csv)?;
    for row in rows {
        let (class, seconds) = (row.class.to_string(), format!("{:.2}", row.seconds));
        writer
            .write_record([&row.name, &class, &seconds, &row.words])
            .map_err(csv)?;
    }
    for (name, why) in left_out {
        writer
            .write_record([name, "left out", "", why])
            .map_err(csv)?;
    }
    writer
        .flush()
        .map_err(|error| Failure::Io(file.clone(), error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_counts_folders_and_reasons() {
        let row = |name: &str, class| Row {
            name: name.into(),
            class,
            words: "because".into(),
            seconds: 1.0,
        };
        let rows = [
            row("a/x.bpl", Class::Agrees),
            row("a/y.bpl", Class::Crash),
            row("b/z.bpl", Class::Agrees),
        ];
        let left_out = [("a/w.bpl".to_owned(), "CIVL".to_owned())].into();
        let text = summary(&rows, &left_out);
        for line in [
            "| a | 3 | 1 |  |  |  |  |  |  | 1 | 1 |",
            "| b | 1 | 1 |  |  |  |  |  |  |  | 0 |",
            "| **all** | 4 | 2 |  |  |  |  |  |  | 1 | 1 |",
            "| CIVL | 1 |",
            "| a/y.bpl | crash | 1.00 | because |",
            "3 s together, 1.00 s in the median.",
        ] {
            assert!(text.contains(line), "{line}\n{text}");
        }
    }
}
