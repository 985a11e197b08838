//! Tables as pictures and sums, by the rules of P. Wendler, "Towards Practical Predicate Analysis" (2017), section 15.7.
//!
//! Three significant digits and SI units; right and wrong answers counted apart for proofs and alarms; times summed only over
//! what was decided rightly, since those of the rest are the time limit's; processor time, since wall time depends
//! on what else the machine does.

mod digits;
mod folders;
mod plots;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use indexmap::IndexMap;

use crate::Failure;
use crate::answer::{Answer, Judgement};
use crate::table::{Row, Table, escaped};
use digits::significant;

/// Writes `report.md`, `quantile.svg`, and `scatter-A-B.svg` for each two tools. Returns the files.
pub(crate) fn write(table: &Table, out: &Path) -> Result<Vec<PathBuf>, Failure> {
    if table.rows.is_empty() {
        return Err(Failure::NoTasks);
    }
    std::fs::create_dir_all(out).map_err(|error| Failure::Io(out.to_owned(), error))?;
    let tools = table.tools();
    let drawn = |file: &Path, drawn: Result<(), Box<dyn std::error::Error>>| {
        drawn.map_err(|error| Failure::Picture(file.to_owned(), error.to_string()))
    };
    let quantile = out.join("quantile.svg");
    drawn(&quantile, plots::quantile(table, &tools, &quantile))?;
    let mut files = vec![quantile];
    let mut pairs = Vec::new();
    for (number, first) in tools.iter().enumerate() {
        for second in &tools[number + 1..] {
            let file = out.join(format!("scatter-{}-{}.svg", plain(first), plain(second)));
            let pair = Pair::of(table, first, second);
            drawn(&file, plots::scatter(&pair, &file))?;
            pairs.push((pair, file.clone()));
            files.push(file);
        }
    }
    let report = out.join("report.md");
    let text = text(table, &tools, &pairs);
    std::fs::write(&report, text).map_err(|error| Failure::Io(report.clone(), error))?;
    files.push(report);
    Ok(files)
}

/// A name as a part of a file's name.
fn plain(name: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "._+".contains(c);
    name.chars()
        .map(|c| if is_plain(c) { c } else { '_' })
        .collect()
}

/// Two tools on the tasks that both were run on.
struct Pair<'a> {
    names: [&'a str; 2],
    tasks: Vec<[&'a Row; 2]>,
}

impl<'a> Pair<'a> {
    fn of(table: &'a Table, first: &'a str, second: &'a str) -> Pair<'a> {
        let rows = |tool: &str| -> IndexMap<&'a str, &'a Row> {
            let rows = table.rows.iter().filter(|row| row.tool == tool);
            rows.map(|row| (&*row.file, row)).collect()
        };
        let others = rows(second);
        let tasks = rows(first).into_iter();
        let tasks = tasks
            .filter_map(|(file, row)| Some([row, *others.get(file)?]))
            .collect();
        Pair {
            names: [first, second],
            tasks,
        }
    }

    /// The tasks that both decide rightly.
    fn both(&self) -> impl Iterator<Item = &[&'a Row; 2]> {
        self.tasks
            .iter()
            .filter(|rows| rows.iter().all(|row| row.judgement == Judgement::Right))
    }
}

fn text(table: &Table, tools: &[String], pairs: &[(Pair, PathBuf)]) -> String {
    let mut text = String::from("# Report\n\n");
    for (key, value) in &table.context {
        let _ = writeln!(text, "- {key}: {}", escaped(value));
    }
    text += "\nTimes are processor times. A mean is one over right answers of its kind.\n\n\
             | tool | tasks | right proofs | right alarms | wrong proofs | wrong alarms | other right | no answer | crashed | \
             s for the right ones | mean of a proof, s | mean of an alarm, s | most memory of a right one, MB |\n\
             |---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n";
    for tool in tools {
        let rows: Vec<&Row> = table.rows.iter().filter(|row| row.tool == *tool).collect();
        let count = |wanted: &dyn Fn(&Row) -> bool| rows.iter().filter(|row| wanted(row)).count();
        let of = |judgement: Judgement, answer: Answer| {
            count(&|row| row.judgement == judgement && row.got == answer)
        };
        let right: Vec<&Row> = rows
            .iter()
            .copied()
            .filter(|row| row.judgement == Judgement::Right)
            .collect();
        let total: f64 = right.iter().map(|row| row.cpu_seconds).sum();
        let mean = |answer: Answer| {
            let times: Vec<f64> = right
                .iter()
                .filter(|row| row.got == answer)
                .map(|row| row.cpu_seconds)
                .collect();
            match times.len() {
                0 => "-".to_owned(),
                n => significant(times.iter().sum::<f64>() / n as f64),
            }
        };
        let memory = right.iter().map(|row| row.memory_mb).fold(0.0, f64::max);
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} |",
            escaped(tool),
            rows.len(),
            of(Judgement::Right, Answer::True),
            of(Judgement::Right, Answer::False),
            of(Judgement::Wrong, Answer::True),
            of(Judgement::Wrong, Answer::False),
            of(Judgement::Right, Answer::Reject),
            count(&|row| matches!(row.judgement, Judgement::Unknown)),
            count(&|row| row.judgement == Judgement::Crashed),
            significant(total),
            mean(Answer::True),
            mean(Answer::False),
            significant(memory),
        );
    }
    text += "\nTasks that are decided rightly within so much processor time each; further right and lower is better. Up to one second the \
             axis is linear, above it is logarithmic.\n\n![Quantiles](quantile.svg)\n";
    for (pair, file) in pairs {
        let [first, second] = pair.names.map(escaped);
        let both = pair.both().count();
        let sum = |side: usize| significant(pair.both().map(|rows| rows[side].cpu_seconds).sum());
        let only = |side: usize| {
            let right = |row: &Row| row.judgement == Judgement::Right;
            pair.tasks
                .iter()
                .filter(|rows| right(rows[side]) && !right(rows[1 - side]))
                .count()
        };
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let _ = writeln!(
            text,
            "\n## {first} and {second}\n\n{both} tasks are right with both, in {} s with {first} and in {} s with {second}; {} are right \
             with {first} alone, {} with {second} alone (they are on the picture's edge).\n\n![{first} and {second}]({name})",
            sum(0),
            sum(1),
            only(0),
            only(1),
        );
        text += &folders::text(pair);
    }
    text
}
