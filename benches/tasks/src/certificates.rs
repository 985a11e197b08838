//! What of SAFE needs no solver: every task with a certificate, which is checked then.
//!
//! Times are processor time. A task counts as certified if `ult certify` says SAFE, too.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::Failure;
use crate::answer::{Answer, Judgement};
use crate::context::context;
use crate::process::{self, End, Finished, Limits};
use crate::tasks::{Selection, Task};
use crate::tool::Tool;

/// Measure what of SAFE needs no solver.
#[derive(clap::Args)]
pub(crate) struct CertificatesArguments {
    /// Which tasks.
    #[command(flatten)]
    selection: Selection,
    /// The time limit in seconds, for each of both runs.
    #[arg(long, default_value_t = 60, value_name = "SECONDS")]
    timeout: u64,
    /// The memory limit in megabytes.
    #[arg(long, default_value_t = 4000, value_name = "MB")]
    memory: u64,
    /// Only every n-th task, in the order of the list.
    #[arg(long, default_value_t = 1, value_name = "NUMBER")]
    every: usize,
    /// Further arguments for `ult`, in one word.
    #[arg(long, value_name = "ARGUMENTS", allow_hyphen_values = true)]
    with: Option<String>,
    /// Store the table under this name, as .md.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// A program that is SAFE.
struct Row {
    name: String,
    /// With a proof, and all.
    questions: [u64; 2],
    is_certified: bool,
    /// To verify it and make the certificate, and to check that.
    cpu: [f64; 2],
    bytes: u64,
}

/// Runs the tasks and prints the table. The result says whether no verdict was wrong.
pub(crate) fn measure(
    arguments: &CertificatesArguments,
    ult: &Path,
    stop: &AtomicBool,
) -> Result<bool, Failure> {
    let tasks = arguments.selection.read()?;
    if tasks.is_empty() {
        return Err(Failure::NoTasks);
    }
    let folder = tempfile::tempdir().map_err(|error| Failure::Io("a folder".into(), error))?;
    let certificate = folder.path().join("certificate");
    let tool = Tool::certifying(&certificate, arguments.with.as_deref().unwrap_or(""), ult)?;
    let (mut rows, mut is_right) = (Vec::new(), true);
    for task in tasks.iter().step_by(arguments.every.max(1)) {
        if stop.load(Ordering::Relaxed) {
            break;
        }
        let _ = std::fs::remove_file(&certificate);
        let timeout = Duration::from_secs(arguments.timeout);
        let command = tool.command(task, timeout, arguments.memory)?;
        let made = run(&command, task, arguments, stop)?;
        let answer = tool.read(&made).answer.unwrap_or(Answer::Crash);
        is_right &= Judgement::of(task.expected, answer) != Judgement::Wrong;
        if answer != Answer::True {
            println!("{} {}", answer, task.name);
            continue;
        }
        let checked = run(&certifying(&command, &certificate), task, arguments, stop)?;
        let report: serde_json::Value = serde_json::from_str(&made.stdout).unwrap_or_default();
        let count = |name: &str| report["certified"][name].as_u64().unwrap_or_default();
        let row = Row {
            name: task.name.clone(),
            questions: [count("proved"), count("asked")],
            is_certified: checked.end == End::Code(0),
            cpu: [made.cpu.as_secs_f64(), checked.cpu.as_secs_f64()],
            bytes: std::fs::metadata(&certificate).map_or(0, |file| file.len()),
        };
        println!("{}", row.line());
        rows.push(row);
    }
    println!("\n{}", summary(&rows));
    if let Some(out) = &arguments.out {
        let path = out.with_extension("md");
        std::fs::write(&path, table(&rows)).map_err(|error| Failure::Io(path, error))?;
    }
    Ok(is_right)
}

fn run(
    command: &[String],
    task: &Task,
    arguments: &CertificatesArguments,
    stop: &AtomicBool,
) -> Result<Finished, Failure> {
    let limits = Limits {
        time: Duration::from_secs(arguments.timeout + 10),
        memory: arguments.memory << 20,
    };
    process::run(command, None, limits, stop).map_err(|error| Failure::Io(task.path.clone(), error))
}

/// The command that checks what the other one has made. The program is read with the same options.
fn certifying(command: &[String], certificate: &Path) -> Vec<String> {
    let certificate = certificate.display().to_string();
    let mut certify = vec![command[0].clone(), "certify".into(), certificate.clone()];
    let about_report = ["--format", "json", "--stats", "--certificate", &certificate];
    let rest = command[2..].iter();
    certify.extend(
        rest.filter(|word| !about_report.contains(&&***word))
            .cloned(),
    );
    certify
}

impl Row {
    fn line(&self) -> String {
        let [proved, asked] = self.questions;
        format!(
            "| {} | {} | {proved} of {asked} | {:.3} | {:.3} | {} |",
            self.name,
            if self.is_certified { "yes" } else { "no" },
            self.cpu[0],
            self.cpu[1],
            self.bytes
        )
    }
}

fn summary(rows: &[Row]) -> String {
    let certified = rows.iter().filter(|row| row.is_certified).count();
    let sum = |at: usize| rows.iter().map(|row| row.cpu[at]).sum::<f64>();
    let mut bytes: Vec<u64> = rows.iter().map(|row| row.bytes).collect();
    bytes.sort_unstable();
    format!(
        "{} tasks are SAFE, and {certified} of them are certified ({:.1} %). Processor time to verify them and to make the \
         certificates: {:.2} s, to check these: {:.2} s. The median of the sizes is {} bytes.",
        rows.len(),
        100.0 * certified as f64 / rows.len().max(1) as f64,
        sum(0),
        sum(1),
        bytes.get(bytes.len() / 2).copied().unwrap_or_default(),
    )
}

fn table(rows: &[Row]) -> String {
    let mut text = String::from("# What of SAFE needs no solver\n\n");
    for (name, value) in context() {
        let _ = writeln!(text, "* {name}: {value}");
    }
    let _ = writeln!(text, "\n{}\n", summary(rows));
    text += "| task | certified | questions with a proof | made, s | checked, s | bytes |\n";
    text += "|---|---|---:|---:|---:|---:|\n";
    for row in rows {
        let _ = writeln!(text, "{}", row.line());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn certificates_are_checked_with_the_options_that_say_how_the_program_is_read() {
        let words = "ult check a.c --format json --stats --timeout 9 --property no-overflow --certificate c";
        let command: Vec<String> = words.split(' ').map(str::to_owned).collect();
        let certify = certifying(&command, Path::new("c")).join(" ");
        assert_eq!(
            certify,
            "ult certify c a.c --timeout 9 --property no-overflow"
        );
    }
}
