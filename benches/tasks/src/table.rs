//! Tables of results, as CSV for programs and as Markdown for people.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use indexmap::IndexMap;
use serde::{Deserialize, Serialize};

use crate::answer::{Answer, Judgement};
use crate::{Failure, benchexec};

/// The result of one run of one tool on one task.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Row {
    /// The file, as the task list names it.
    pub file: String,
    /// The tool.
    pub tool: String,
    /// The expected verdict.
    pub expected: String,
    /// The answer.
    pub got: Answer,
    /// Whether it is right.
    pub judgement: Judgement,
    /// Wall-clock seconds.
    pub seconds: f64,
    /// Processor seconds.
    pub cpu_seconds: f64,
    /// Peak resident memory in megabytes.
    pub memory_mb: f64,
    /// Splits of nodes.
    pub splits: Option<u64>,
    /// Refinements.
    pub refinements: Option<u64>,
    /// Questions to the solver.
    pub solver_calls: Option<u64>,
    /// The largest number of nodes of the abstraction.
    #[serde(default)]
    pub nodes: Option<u64>,
    /// Predicates found.
    #[serde(default)]
    pub predicates: Option<u64>,
    /// The engines whose claims were accepted.
    #[serde(default)]
    pub engine: String,
    /// How many questions each way of asking answered first, of how many.
    #[serde(default)]
    pub ways: String,
    /// Why there is no answer, in a few words.
    pub reason: String,
    /// Why there is no answer, in full.
    pub detail: String,
}

/// What the results hold for: date, commit, machine and the like.
pub(crate) type Context = IndexMap<String, String>;

/// A table of results.
#[derive(Clone, Debug, Default)]
pub(crate) struct Table {
    /// Under which circumstances.
    pub context: Context,
    /// The results, in the order of the task list.
    pub rows: Vec<Row>,
}

/// Processor seconds, below which the system's own counting is too coarse for ratios.
const SHORTEST: f64 = 0.01;

/// The median of sorted ratios: of an even number, the geometric mean of the two in the middle.
pub(crate) fn median(ratios: &[f64]) -> Option<f64> {
    let half = ratios.len() / 2;
    match ratios.len() % 2 {
        1 => ratios.get(half).copied(),
        _ => Some((ratios.get(half.checked_sub(1)?)? * ratios.get(half)?).sqrt()),
    }
}

impl Table {
    /// Writes the table beside `out`, as `.csv` and as `.md`.
    pub(crate) fn write(&self, out: &Path) -> Result<[PathBuf; 2], Failure> {
        let files = [out.with_extension("csv"), out.with_extension("md")];
        let texts = [self.csv()?, self.markdown()];
        for (file, text) in files.iter().zip(texts) {
            if let Some(folder) = file.parent() {
                std::fs::create_dir_all(folder).map_err(|e| Failure::Io(folder.to_owned(), e))?;
            }
            // At once or not at all: an interrupted runner leaves no half table.
            let folder = match file.parent() {
                Some(folder) if folder != Path::new("") => folder,
                _ => Path::new("."),
            };
            let io = |error: std::io::Error| Failure::Io(file.clone(), error);
            let mut temporary = tempfile::NamedTempFile::new_in(folder).map_err(io)?;
            temporary.write_all(text.as_bytes()).map_err(io)?;
            temporary.persist(file).map_err(|error| io(error.error))?;
        }
        Ok(files)
    }

    fn csv(&self) -> Result<String, Failure> {
        let mut text = String::new();
        for (key, value) in &self.context {
            let _ = writeln!(text, "# {key}: {}", value.replace(['\n', '\r'], " "));
        }
        let mut writer = csv::Writer::from_writer(Vec::new());
        for row in &self.rows {
            writer
                .serialize(row)
                .map_err(|error| Failure::Csv(PathBuf::new(), error))?;
        }
        let bytes = writer
            .into_inner()
            .map_err(|error| Failure::Io(PathBuf::new(), error.into_error()))?;
        text += &String::from_utf8_lossy(&bytes);
        Ok(text)
    }

    /// Reads tables as one. What they hold for is told of each where they differ.
    pub(crate) fn read_all(files: &[PathBuf]) -> Result<Table, Failure> {
        let mut all = Table::default();
        for file in files {
            let Table { context, rows } = Table::read(file)?;
            for (key, value) in context {
                let told = all.context.entry(key).or_default();
                if !told.split("; ").any(|known| known == value) {
                    *told = format!("{told}; {value}")
                        .trim_start_matches("; ")
                        .to_owned();
                }
            }
            // BenchExec writes the runs of each set of tasks, and all once more.
            for row in rows {
                if !all.rows.contains(&row) {
                    all.rows.push(row);
                }
            }
        }
        Ok(all)
    }

    /// Reads a table that [`Table::write`] wrote, or BenchExec's results.
    pub(crate) fn read(file: &Path) -> Result<Table, Failure> {
        if benchexec::results::is_results(file) {
            return benchexec::results::read(file);
        }
        let text =
            std::fs::read_to_string(file).map_err(|error| Failure::Io(file.to_owned(), error))?;
        let context = text
            .lines()
            .map_while(|line| line.strip_prefix("# "))
            .filter_map(|line| line.split_once(": "))
            .map(|(key, value)| (key.to_owned(), value.to_owned()))
            .collect();
        let rows = csv::ReaderBuilder::new()
            .comment(Some(b'#'))
            .from_reader(text.as_bytes())
            .deserialize()
            .collect::<Result<_, _>>()
            .map_err(|error| Failure::Csv(file.to_owned(), error))?;
        Ok(Table { context, rows })
    }

    /// Takes over when and where an interrupted run began, and returns its rows.
    pub(crate) fn resume(&mut self, file: &Path) -> Result<Vec<Row>, Failure> {
        let mut begun = Table::read(file)?;
        for name in ["timeout", "memory", "jobs"] {
            let value = |table: &Table| table.context.get(name).cloned().unwrap_or_default();
            let (was, is) = (value(&begun), value(self));
            if was != is {
                return Err(Failure::Otherwise(file.to_owned(), name, was, is));
            }
        }
        begun.context.shift_remove("interrupted");
        let now = self.context.get("date").cloned().unwrap_or_default();
        let resumed = begun.context.entry("resumed".to_owned()).or_default();
        *resumed = format!("{resumed} {now}").trim_start().to_owned();
        self.context = begun.context;
        Ok(begun.rows)
    }

    fn markdown(&self) -> String {
        let mut text = String::from("# Results\n\n");
        for (key, value) in &self.context {
            let _ = writeln!(text, "- {key}: {}", escaped(value));
        }
        text.push('\n');
        if self.tools().len() > 1 {
            let _ = writeln!(text, "## Side by side\n\n{}", self.side_by_side());
            let _ = writeln!(text, "## Ratios\n\n{}", self.ratios());
        }
        for tool in self.tools() {
            let summary = self.summary(&tool);
            let _ = writeln!(text, "## {}\n\n{}", escaped(&tool), summary.text());
            if !summary.engines.is_empty() {
                let _ = writeln!(text, "{}", summary.who_answers());
            }
            if !summary.ways.is_empty() {
                let _ = writeln!(text, "{}", summary.which_way());
            }
            let _ = writeln!(
                text,
                "| file | expected | got | | s | cpu s | MB | splits | refinements | solver calls | nodes | predicates | engine | reason |\n\
                 |---|---|---|---|--:|--:|--:|--:|--:|--:|--:|--:|---|---|"
            );
            for row in self.rows.iter().filter(|row| row.tool == tool) {
                let _ = writeln!(
                    text,
                    "| {} | {} | {} | {} | {:.2} | {:.2} | {:.0} | {} | {} | {} | {} | {} | {} | {} |",
                    escaped(&row.file),
                    row.expected,
                    row.got,
                    row.judgement,
                    row.seconds,
                    row.cpu_seconds,
                    row.memory_mb,
                    count(row.splits),
                    count(row.refinements),
                    count(row.solver_calls),
                    count(row.nodes),
                    count(row.predicates),
                    escaped(&row.engine),
                    escaped(&row.explanation()),
                );
            }
            text.push('\n');
        }
        text
    }

    /// One Markdown table with a column per tool: how many tasks each has right, in how much time, and what it says about
    /// each task on which they differ. Then, which tools have tasks right that the first one has not.
    pub(crate) fn side_by_side(&self) -> String {
        let tools = self.tools();
        let mut tasks: IndexMap<&str, IndexMap<&str, &Row>> = IndexMap::new();
        for row in &self.rows {
            tasks.entry(&row.file).or_default().insert(&row.tool, row);
        }
        let mut text = String::new();
        let mut line = |head: &str, cells: Vec<String>| {
            let _ = writeln!(text, "| {} | {} |", escaped(head), cells.join(" | "));
        };
        line("task", tools.iter().map(|tool| escaped(tool)).collect());
        line("---", vec!["---".to_owned(); tools.len()]);
        let summaries: Vec<Summary> = tools.iter().map(|tool| self.summary(tool)).collect();
        let each = |cell: &dyn Fn(&Summary) -> String| summaries.iter().map(cell).collect();
        line("right", each(&|s| format!("{} of {}", s.right, s.tasks)));
        line("wrong", each(&|s| s.wrong.len().to_string()));
        line("answers true", each(&|s| s.answers[0].to_string()));
        line("answers false", each(&|s| s.answers[1].to_string()));
        line("seconds in all", each(&|s| format!("{:.1}", s.seconds)));
        line(
            "seconds for the right ones",
            each(&|s| format!("{:.1}", s.seconds_right)),
        );
        // What all have right, or answer in the same way, all can do.
        let alike = |rows: &IndexMap<&str, &Row>| {
            let mut answers = rows.values().map(|row| row.got);
            let first = answers.next();
            let agree = first.is_some_and(|first| {
                matches!(first, Answer::True | Answer::False) && answers.all(|got| got == first)
            });
            let right = rows.values().all(|row| row.judgement == Judgement::Right);
            rows.len() == tools.len()
                && (right || agree && rows.values().all(|row| row.judgement == Judgement::Open))
        };
        let all = tasks.values().filter(|rows| alike(rows)).count();
        for (file, rows) in tasks.iter().filter(|(_, rows)| !alike(rows)) {
            let cell = |tool: &String| match rows.get(tool.as_str()) {
                Some(row) if row.judgement == Judgement::Right => format!("{:.2}", row.seconds),
                Some(row) if row.judgement == Judgement::Open => {
                    format!("{}: {:.2}", row.got, row.seconds)
                }
                Some(row) if row.reason.is_empty() => row.judgement.to_string(),
                Some(row) => format!("{}: {}", row.judgement, escaped(&row.reason)),
                None => String::new(),
            };
            line(file, tools.iter().map(cell).collect());
        }
        let _ = writeln!(
            text,
            "\n{all} tasks are right (or, if nobody knows, answered alike) in every column and not shown."
        );
        for file in self.contradictions() {
            let _ = writeln!(
                text,
                "\nColumns contradict each other on {}.",
                escaped(&file)
            );
        }
        if let Some(first) = tools.first() {
            let right = |rows: &IndexMap<&str, &Row>, tool: &str| {
                rows.get(tool)
                    .is_some_and(|row| row.judgement == Judgement::Right)
            };
            for tool in &tools[1..] {
                let only: Vec<String> = tasks
                    .iter()
                    .filter(|(_, rows)| right(rows, tool) && !right(rows, first))
                    .map(|(file, _)| escaped(file))
                    .collect();
                if !only.is_empty() {
                    let _ = writeln!(
                        text,
                        "\nRight with {}, not with {}: {}",
                        escaped(tool),
                        escaped(first),
                        only.join(", ")
                    );
                }
            }
        }
        text
    }

    /// One Markdown table with a row and a column per tool: the median of the ratios of their processor times, on the tasks that
    /// both have right; nothing if there are none.
    pub(crate) fn ratios(&self) -> String {
        let tools = self.tools();
        let mut times: IndexMap<&str, IndexMap<&str, f64>> = IndexMap::new();
        for row in &self.rows {
            if row.judgement == Judgement::Right {
                let time = row.cpu_seconds.max(SHORTEST);
                times.entry(&row.file).or_default().insert(&row.tool, time);
            }
        }
        let mut text = format!(
            "Processor time of the row's tool by that of the column's: the median over the tasks that both have right, and their number. Less than {SHORTEST} s counts as {SHORTEST} s.\n\n"
        );
        let mut line = |head: &str, cells: Vec<String>| {
            let _ = writeln!(text, "| {} | {} |", escaped(head), cells.join(" | "));
        };
        line("", tools.iter().map(|tool| escaped(tool)).collect());
        line("---", vec!["---:".to_owned(); tools.len()]);
        for own in &tools {
            let cell = |other: &String| {
                let both = times.values().filter_map(|times| {
                    Some(times.get(own.as_str())? / times.get(other.as_str())?)
                });
                let mut ratios: Vec<f64> = both.collect();
                ratios.sort_by(f64::total_cmp);
                match median(&ratios) {
                    Some(ratio) if own != other => format!("{ratio:.2} ({})", ratios.len()),
                    _ => String::new(),
                }
            };
            line(own, tools.iter().map(cell).collect());
        }
        text
    }

    /// The tasks on which one tool says true and another one false.
    pub(crate) fn contradictions(&self) -> Vec<String> {
        let mut answers: IndexMap<&str, [bool; 2]> = IndexMap::new();
        for row in &self.rows {
            let said = answers.entry(&row.file).or_default();
            said[0] |= row.got == Answer::True;
            said[1] |= row.got == Answer::False;
        }
        let both = answers.into_iter().filter(|(_, said)| *said == [true; 2]);
        both.map(|(file, _)| file.to_owned()).collect()
    }

    /// The tools in the table, in order.
    pub(crate) fn tools(&self) -> Vec<String> {
        let tools: indexmap::IndexSet<&String> = self.rows.iter().map(|row| &row.tool).collect();
        tools.into_iter().cloned().collect()
    }

    /// The counts for one tool.
    pub(crate) fn summary(&self, tool: &str) -> Summary {
        let mut summary = Summary::default();
        for row in self.rows.iter().filter(|row| row.tool == tool) {
            summary.tasks += 1;
            summary.seconds += row.seconds;
            summary.cpu_seconds += row.cpu_seconds;
            for (way, won, tried) in row.each_way() {
                let way = summary.ways.entry(way.to_owned()).or_default();
                way.won += won;
                way.tried += tried;
                way.tasks += usize::from(won > 0);
            }
            match row.got {
                Answer::True => summary.answers[0] += 1,
                Answer::False => summary.answers[1] += 1,
                _ => {}
            }
            match row.judgement {
                Judgement::Right => {
                    summary.right += 1;
                    summary.seconds_right += row.seconds;
                    let engines: Vec<&str> = row.engine.split_whitespace().collect();
                    for &engine in &engines {
                        let decided = summary.engines.entry(engine.to_owned()).or_default();
                        match (&engines[..], &row.got) {
                            ([_], Answer::True) => decided.proved += 1,
                            ([_], _) => decided.violated += 1,
                            _ => decided.shared += 1,
                        }
                        decided.slowest = decided.slowest.max(row.seconds);
                    }
                }
                Judgement::Wrong => summary.wrong.push(row.file.clone()),
                Judgement::Crashed => summary.crashed.push(row.file.clone()),
                Judgement::Open => summary.open += 1,
                Judgement::Unknown => {
                    let reason = match row.reason.as_str() {
                        "" => "no reason",
                        reason => reason,
                    };
                    *summary.unknown.entry(reason.to_owned()).or_default() += 1;
                }
            }
        }
        summary
            .unknown
            .sort_by(|a, m, b, n| n.cmp(m).then(a.cmp(b)));
        summary
            .engines
            .sort_by(|a, m, b, n| n.alone().cmp(&m.alone()).then(a.cmp(b)));
        summary
    }
}

impl Row {
    fn explanation(&self) -> String {
        match (self.reason.is_empty(), self.detail.is_empty()) {
            (false, false) => format!("{}: {}", self.reason, self.detail),
            _ => format!("{}{}", self.reason, self.detail),
        }
    }

    /// The ways of asking with the questions that each answered first, and those that were asked that way.
    fn each_way(&self) -> impl Iterator<Item = (&str, u64, u64)> {
        self.ways.split(", ").filter_map(|way| {
            let (name, counts) = way.rsplit_once(' ')?;
            let (won, tried) = counts.split_once('/')?;
            Some((name, won.parse().ok()?, tried.parse().ok()?))
        })
    }

    /// The row as a line of the live table.
    pub(crate) fn line(&self) -> String {
        let mut line = format!(
            "{:7} {:6} {:7} {:>7.2}s {:>6.0}MB {:>6} {:>7}  {}",
            self.judgement.to_string(),
            self.expected,
            self.got.to_string(),
            self.seconds,
            self.memory_mb,
            count(self.splits),
            count(self.solver_calls),
            self.file,
        );
        let explanation = self.explanation();
        if !explanation.is_empty() {
            let shown: String = explanation
                .chars()
                .map(|c| if c.is_control() { ' ' } else { c })
                .take(80)
                .collect();
            let _ = write!(line, "  ({shown})");
        }
        line
    }
}

/// The head of the live table.
pub(crate) const LINE_HEAD: &str =
    "        result  expect got          time   memory splits   calls  file";

/// The counts of a table.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Summary {
    /// All tasks.
    pub tasks: usize,
    /// How often the answer was true, and how often false.
    pub answers: [usize; 2],
    /// Tasks with the right verdict.
    pub right: usize,
    /// Files with a wrong verdict.
    pub wrong: Vec<String>,
    /// Tasks without a verdict, by reason, most frequent first.
    pub unknown: IndexMap<String, usize>,
    /// What each engine of the tool decided rightly, if the tool tells; most first.
    pub engines: IndexMap<String, Decided>,
    /// What the ways of asking answered, if the tool tells.
    pub ways: IndexMap<String, Way>,
    /// Files on which the tool crashed.
    pub crashed: Vec<String>,
    /// Tasks with a verdict that nobody can judge.
    pub open: usize,
    /// Wall-clock seconds of all tasks.
    pub seconds: f64,
    /// Wall-clock seconds of the right ones.
    pub seconds_right: f64,
    /// Processor seconds of all tasks.
    pub cpu_seconds: f64,
}

/// What was answered in one way of asking.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Way {
    /// Questions that it answered first.
    won: u64,
    /// Questions that were asked in this way.
    tried: u64,
    /// Tasks in which it was first with some question.
    tasks: usize,
}

/// What one engine decided rightly.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Decided {
    /// Tasks that it proved alone.
    proved: usize,
    /// Tasks that it found violated alone.
    violated: usize,
    /// Tasks of which it decided a part, and others the rest.
    shared: usize,
    /// The seconds of the slowest of all these.
    slowest: f64,
}

impl Decided {
    fn alone(&self) -> usize {
        self.proved + self.violated
    }
}

impl Summary {
    /// Which engines decided what, as a table.
    fn who_answers(&self) -> String {
        let mut text = String::from(
            "| who answers | proved alone | violated alone | with others | slowest, s |\n|---|--:|--:|--:|--:|\n",
        );
        for (engine, decided) in &self.engines {
            let _ = writeln!(
                text,
                "| {} | {} | {} | {} | {:.1} |",
                escaped(engine),
                decided.proved,
                decided.violated,
                decided.shared,
                decided.slowest
            );
        }
        text
    }

    /// Which ways of asking answered how much, as a table.
    fn which_way(&self) -> String {
        let mut text = String::from(
            "| way of asking | questions | answered first | tasks with such a question |\n|---|--:|--:|--:|\n",
        );
        for (name, way) in &self.ways {
            let Way { won, tried, tasks } = way;
            let _ = writeln!(text, "| {} | {tried} | {won} | {tasks} |", escaped(name));
        }
        text
    }

    /// In words.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        let percent = 100.0 * self.right as f64 / self.tasks.max(1) as f64;
        let unknown: usize = self.unknown.values().sum();
        let _ = writeln!(
            text,
            "{} tasks: {} right ({percent:.1} %), {} wrong, {unknown} unknown, {} crashed{}; {:.1} s in all, {:.1} s for \
             the right ones, {:.1} s of processor time",
            self.tasks,
            self.right,
            self.wrong.len(),
            self.crashed.len(),
            if self.open > 0 {
                format!(", {} open", self.open)
            } else {
                String::new()
            },
            self.seconds,
            self.seconds_right,
            self.cpu_seconds,
        );
        if !self.unknown.is_empty() {
            text.push('\n');
        }
        for (reason, count) in &self.unknown {
            let _ = writeln!(text, "- unknown, {reason}: {count}");
        }
        for (what, files) in [("WRONG", &self.wrong), ("CRASHED", &self.crashed)] {
            for file in files {
                let _ = writeln!(text, "- {what}: {file}");
            }
        }
        text
    }
}

fn count(number: Option<u64>) -> String {
    number.map_or_else(String::new, |number| number.to_string())
}

/// A text in a cell of a Markdown table.
pub(crate) fn escaped(text: &str) -> String {
    let mut cell = String::new();
    for c in text.chars() {
        match c {
            '|' | '\\' | '*' | '_' | '`' | '<' | '[' => cell.extend(['\\', c]),
            c if c.is_control() => cell.push(' '),
            c => cell.push(c),
        }
    }
    cell
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(file: &str, tool: &str, judgement: Judgement, cpu_seconds: f64) -> Row {
        Row {
            file: file.to_owned(),
            tool: tool.to_owned(),
            expected: "true".to_owned(),
            got: Answer::True,
            judgement,
            seconds: cpu_seconds,
            cpu_seconds,
            memory_mb: 1.0,
            splits: None,
            refinements: None,
            solver_calls: None,
            nodes: None,
            predicates: None,
            engine: String::new(),
            ways: String::new(),
            reason: String::new(),
            detail: String::new(),
        }
    }

    #[test]
    fn ways_of_asking_are_summed_up() {
        let asked = |file: &str, ways: &str| Row {
            ways: ways.to_owned(),
            ..row(file, "one", Judgement::Unknown, 1.0)
        };
        let table = Table {
            context: Context::default(),
            rows: vec![
                asked("a", "session 90/100, fresh 5/10"),
                asked("b", "session 10/10"),
                asked("c", "session 0/1, fresh 1/1"),
                asked("d", ""),
            ],
        };
        let text = table.summary("one").which_way();
        for line in ["| session | 111 | 100 | 2 |", "| fresh | 11 | 6 | 2 |"] {
            assert!(text.contains(line), "{line}\n{text}");
        }
    }

    #[test]
    fn ratios_are_of_what_both_have_right() {
        let right = Judgement::Right;
        let table = Table {
            context: Context::default(),
            rows: vec![
                row("a", "one", right, 2.0),
                row("a", "other", right, 1.0),
                row("b", "one", right, 0.001),
                row("b", "other", right, 0.02),
                row("c", "one", right, 3.0),
                row("c", "other", right, 1.0),
                row("d", "one", Judgement::Unknown, 100.0),
                row("d", "other", right, 1.0),
                row("d", "nobody", Judgement::Wrong, 1.0),
            ],
        };
        let text = table.ratios();
        for line in [
            "|  | one | other | nobody |",
            "| one |  | 2.00 (3) |  |",
            "| other | 0.50 (3) |  |  |",
            "| nobody |  |  |  |",
        ] {
            assert!(text.contains(line), "{line}\n{text}");
        }
        assert_eq!(median(&[]), None);
        assert_eq!(median(&[1.0, 4.0]), Some(2.0));
    }
}
