//! How large translated C programs are: the text that `ult translate` prints, its variables and maps, and whether it has
//! quantifiers or lambdas.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::process::{self, End, Limits};
use crate::{Failure, machine, tasks};

/// How many of the largest programs are shown.
const SHOWN: usize = 10;

/// Measure how large translated C programs are.
#[derive(clap::Args)]
pub(crate) struct SizesArguments {
    /// The task list.
    tasks: PathBuf,
    /// Further arguments for `ult translate`.
    #[arg(long, default_value = "", allow_hyphen_values = true)]
    arguments: String,
    /// An older table of this command, to be shown beside the new one.
    #[arg(long, value_name = "FILE")]
    before: Option<PathBuf>,
    /// The time limit in seconds of each translation.
    #[arg(long, default_value_t = 60, value_name = "SECONDS")]
    timeout: u64,
    /// The memory limit of each translation in megabytes.
    #[arg(long, default_value_t = 4000, value_name = "MB")]
    memory: u64,
    /// Store the table under this name, as .csv and .md.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// The size of one translated program.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Size {
    file: String,
    bytes: usize,
    lines: usize,
    procedures: usize,
    /// Global variables.
    variables: usize,
    /// Those among them that are maps.
    maps: usize,
    /// Quantifiers and lambdas.
    quantifiers: usize,
}

/// Translates all tasks; tells whether all could be translated, and none has quantifiers.
pub(crate) fn measure(
    arguments: &SizesArguments,
    ult: &Path,
    stop: &AtomicBool,
) -> Result<bool, Failure> {
    let before = match &arguments.before {
        Some(file) => read(file)?,
        None => Vec::new(),
    };
    let mut sizes = Vec::new();
    let mut refused = Vec::new();
    for task in tasks::read(&arguments.tasks, &[], None)? {
        if stop.load(Ordering::Relaxed) {
            break;
        }
        let mut command = vec![ult.display().to_string(), "translate".to_owned()];
        command.extend(arguments.arguments.split_whitespace().map(str::to_owned));
        command.push(task.path.display().to_string());
        let limits = Limits {
            time: Duration::from_secs(arguments.timeout),
            memory: arguments.memory << 20,
        };
        let finished = process::run(&command, None, limits, stop)
            .map_err(|error| Failure::Io(ult.to_owned(), error))?;
        if finished.end == End::Code(0) {
            sizes.push(size(task.name, &finished.stdout));
        } else {
            refused.push(task.name);
        }
    }
    if sizes.is_empty() {
        return Err(Failure::NoTasks);
    }
    let text = summary(&sizes, &refused, &before);
    println!("{text}");
    if let Some(out) = &arguments.out {
        let file = out.with_extension("md");
        let (date, commit) = (machine::date(), machine::commit());
        let head = format!("# Sizes of translated programs\n\n{date}, commit {commit}\n\n");
        std::fs::write(&file, head + &text).map_err(|error| Failure::Io(file, error))?;
        write(&out.with_extension("csv"), &sizes)?;
    }
    Ok(refused.is_empty() && sizes.iter().all(|size| size.quantifiers == 0))
}

/// What is counted in a text of `ult translate`.
fn size(file: String, text: &str) -> Size {
    let begins = |word: &'static str| text.lines().filter(move |line| line.starts_with(word));
    let is_map = |line: &&str| {
        line.split_once(": ")
            .is_some_and(|(_, ty)| ty.starts_with('['))
    };
    let words = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_' && c != '~');
    let quantifiers = words.filter(|word| ["forall", "exists", "lambda"].contains(word));
    Size {
        file,
        bytes: text.len(),
        lines: text.lines().count(),
        procedures: begins("procedure ").count(),
        variables: begins("var ").count(),
        maps: begins("var ").filter(is_map).count(),
        quantifiers: quantifiers.count(),
    }
}

fn summary(sizes: &[Size], refused: &[String], before: &[Size]) -> String {
    type Column = (&'static str, fn(&Size) -> usize);
    const COLUMNS: [Column; 6] = [
        ("bytes", |size| size.bytes),
        ("lines", |size| size.lines),
        ("procedures", |size| size.procedures),
        ("global variables", |size| size.variables),
        ("maps", |size| size.maps),
        ("quantifiers", |size| size.quantifiers),
    ];
    let known = |size: &&Size| sizes.iter().any(|now| now.file == size.file);
    let common: Vec<&Size> = before.iter().filter(known).collect();
    let mut text = String::from("| of all programs | sum | median | largest |");
    text += if common.is_empty() {
        "\n|---|---:|---:|---:|\n"
    } else {
        " sum before |\n|---|---:|---:|---:|---:|\n"
    };
    for (name, column) in COLUMNS {
        let mut values: Vec<usize> = sizes.iter().map(column).collect();
        values.sort_unstable();
        let sum: usize = values.iter().sum();
        let (median, largest) = (values[values.len() / 2], values[values.len() - 1]);
        let _ = write!(text, "| {name} | {sum} | {median} | {largest} |");
        if !common.is_empty() {
            let sum: usize = common.iter().map(|size| column(size)).sum();
            let _ = write!(text, " {sum} |");
        }
        text.push('\n');
    }
    let _ = writeln!(
        text,
        "\n{} programs, {} not translated.",
        sizes.len(),
        refused.len()
    );
    for file in refused {
        let _ = writeln!(text, "* {file}");
    }
    if !common.is_empty() {
        let _ = writeln!(text, "{} programs were measured before.", common.len());
    }
    let mut largest: Vec<&Size> = sizes.iter().collect();
    largest.sort_by_key(|size| std::cmp::Reverse(size.bytes));
    text += "\n| the largest | bytes | global variables | maps |\n|---|---:|---:|---:|\n";
    for size in largest.into_iter().take(SHOWN) {
        let Size {
            file,
            bytes,
            variables,
            maps,
            ..
        } = size;
        let _ = writeln!(text, "| {file} | {bytes} | {variables} | {maps} |");
    }
    text
}

fn write(file: &Path, sizes: &[Size]) -> Result<(), Failure> {
    let failed = |error: csv::Error| Failure::Csv(file.to_owned(), error);
    let mut writer = csv::Writer::from_path(file).map_err(failed)?;
    for size in sizes {
        writer.serialize(size).map_err(failed)?;
    }
    let flushed = writer.flush();
    flushed.map_err(|error| Failure::Io(file.to_owned(), error))
}

fn read(file: &Path) -> Result<Vec<Size>, Failure> {
    let failed = |error: csv::Error| Failure::Csv(file.to_owned(), error);
    let mut reader = csv::Reader::from_path(file).map_err(failed)?;
    reader
        .deserialize()
        .collect::<Result<_, _>>()
        .map_err(failed)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "function f(int) returns ([int]int);

var memory: [int][int]int;
var lambda~x: int;

procedure main() returns (result~: int)
{
  var local: [int]int;
  assert (forall i: int :: local[i] == 0);
}
";

    #[test]
    fn globals_maps_and_quantifiers_are_counted() {
        let found = size("a.c".to_owned(), TEXT);
        let expected = Size {
            file: "a.c".to_owned(),
            bytes: TEXT.len(),
            lines: 10,
            procedures: 1,
            variables: 2,
            maps: 1,
            quantifiers: 1,
        };
        assert_eq!(found, expected);
    }

    #[test]
    fn only_programs_of_both_tables_are_compared() {
        let (a, b) = (size("a.c".to_owned(), TEXT), size("b.c".to_owned(), TEXT));
        let text = summary(
            std::slice::from_ref(&a),
            &["c.c".to_owned()],
            &[a.clone(), b],
        );
        assert!(text.contains("| lines | 10 | 10 | 10 | 10 |"), "{text}");
        assert!(text.contains("1 programs, 1 not translated."), "{text}");
    }
}
