//! Tables, as CSV for programs and as Markdown for people.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use indexmap::{IndexMap, IndexSet};

use crate::chains::Group;
use crate::measure::{Cell, NOT_TRIED, OUT_OF_TIME, median};

/// All results.
#[derive(Default)]
pub struct Report {
    /// Date, commit, machine and the like.
    pub context: IndexMap<String, String>,
    /// The results: by family, then strategy, then length.
    pub cells: Vec<Cell>,
}

/// A cell in a few characters.
pub fn short(cell: &Cell) -> String {
    match (cell.ms, cell.failure.as_str()) {
        (Some(ms), _) => {
            let again = cell.again_ms.map_or("-".to_owned(), number);
            let size = cell.size.unwrap_or_default();
            let invariant = if cell.invariant { " I" } else { "" };
            let cover = if cell.cover { " C" } else { "" };
            format!("{} / {again} / {size}{invariant}{cover}", number(ms))
        }
        (None, failure @ (OUT_OF_TIME | NOT_TRIED)) => failure.to_owned(),
        (None, _) => "failed".to_owned(),
    }
}

fn number(ms: f64) -> String {
    match ms {
        ms if ms < 10.0 => format!("{ms:.1}"),
        ms => format!("{ms:.0}"),
    }
}

/// The results of one strategy on some chains.
struct Counts {
    tried: usize,
    solved: usize,
    median: Option<f64>,
    again: Option<f64>,
    longest: Option<f64>,
    size: Option<f64>,
    invariants: usize,
    covers: usize,
}

impl Counts {
    fn of<'c>(cells: impl Iterator<Item = &'c Cell>) -> Counts {
        let cells: Vec<&Cell> = cells.collect();
        let times = || cells.iter().filter_map(|cell| cell.ms);
        Counts {
            tried: cells.len(),
            solved: cells.iter().filter(|cell| cell.solved).count(),
            median: median(times().collect()),
            again: median(cells.iter().filter_map(|cell| cell.again_ms).collect()),
            longest: times().max_by(f64::total_cmp),
            size: median(
                cells
                    .iter()
                    .filter_map(|cell| Some(cell.size? as f64))
                    .collect(),
            ),
            invariants: cells.iter().filter(|cell| cell.invariant).count(),
            covers: cells.iter().filter(|cell| cell.cover).count(),
        }
    }
}

impl Report {
    fn strategies(&self) -> IndexSet<&str> {
        self.cells.iter().map(|cell| &*cell.strategy).collect()
    }

    fn of<'s>(&'s self, strategy: &'s str) -> impl Iterator<Item = &'s Cell> {
        self.cells.iter().filter(move |c| c.strategy == strategy)
    }

    /// The groups that were measured, by name.
    fn groups(&self) -> Vec<String> {
        Group::ALL
            .iter()
            .map(Group::to_string)
            .filter(|group| self.cells.iter().any(|cell| cell.group == *group))
            .collect()
    }

    /// Counts per strategy and group, ratios, and the targets, as Markdown.
    pub fn summary(&self) -> String {
        let mut text = String::from(
            "| strategy | chains | solved | median ms | again ms | longest ms | size | invariant | cover |\n\
             |---|---|--:|--:|--:|--:|--:|--:|--:|\n",
        );
        let shown = |value: Option<f64>| value.map_or("-".to_owned(), number);
        for strategy in self.strategies() {
            for group in self.groups() {
                let counts = Counts::of(self.of(strategy).filter(|cell| cell.group == group));
                let _ = writeln!(
                    text,
                    "| {strategy} | {group} | {}/{} | {} | {} | {} | {} | {} | {} |",
                    counts.solved,
                    counts.tried,
                    shown(counts.median),
                    shown(counts.again),
                    shown(counts.longest),
                    shown(counts.size),
                    counts.invariants,
                    counts.covers,
                );
            }
        }
        text += &self.ratios();
        text += &self.targets();
        text
    }

    /// How the median times of `horn` and the others compare, on the integer chains that both
    /// solve.
    fn ratios(&self) -> String {
        let integers = |strategy| -> IndexMap<(&str, usize), f64> {
            self.of(strategy)
                .filter(|cell| cell.group == Group::Integers.to_string())
                .filter_map(|cell| Some(((&*cell.family, cell.unrollings), cell.ms?)))
                .collect()
        };
        let horn = integers("horn");
        let mut text = String::new();
        for strategy in self.strategies() {
            let other = integers(strategy);
            let both: Vec<_> = horn
                .iter()
                .filter_map(|(chain, &ms)| Some((ms, *other.get(chain)?)))
                .collect();
            if strategy == "horn" || both.is_empty() {
                continue;
            }
            let of_horn = median(both.iter().map(|pair| pair.0).collect());
            let of_other = median(both.iter().map(|pair| pair.1).collect());
            if let (Some(of_horn), Some(of_other)) = (of_horn, of_other) {
                let _ = writeln!(
                    text,
                    "- horn / {strategy} on the {} integer chains that both solve: {} ms / {} ms = {:.2}",
                    both.len(),
                    number(of_horn),
                    number(of_other),
                    of_horn / of_other.max(0.01),
                );
            }
        }
        match text.is_empty() {
            true => text,
            false => format!("\nMedian times compared:\n\n{text}"),
        }
    }

    /// What `auto` should reach.
    fn targets(&self) -> String {
        let auto: Vec<&Cell> = self.of("auto").collect();
        if auto.is_empty() {
            return String::new();
        }
        let bits = &Group::BitVectors.to_string();
        let some = |bit_vectors: bool| {
            Counts::of(
                auto.iter()
                    .copied()
                    .filter(move |cell| (cell.group == *bits) == bit_vectors),
            )
        };
        let mut text = String::from("\nWhat `auto` should reach:\n\n");
        let mut line = |reached: bool, what: String| {
            let word = if reached { "reached" } else { "MISSED" };
            let _ = writeln!(text, "- {word}: {what}");
        };
        let counts = some(false);
        line(
            counts.solved == counts.tried,
            format!(
                "all chains but bit-vectors solved: {}/{}",
                counts.solved, counts.tried
            ),
        );
        if let Some(ms) = counts.median {
            line(
                ms < 30.0,
                format!("their median time below 30 ms: {} ms", number(ms)),
            );
        }
        let counts = some(true);
        line(
            2 * counts.solved >= counts.tried,
            format!(
                "half of the bit-vector chains solved: {}/{}",
                counts.solved, counts.tried
            ),
        );
        let seed: Vec<usize> = auto
            .iter()
            .filter(|cell| cell.family == "seed" && cell.invariant)
            .map(|cell| cell.unrollings)
            .collect();
        line(
            seed.iter().any(|&unrollings| unrollings <= 3),
            format!("the invariant of `seed` at 3 unrollings or fewer: found at {seed:?}"),
        );
        text
    }

    fn markdown(&self) -> String {
        let mut text = String::from("# Interpolation of unrolled loops\n\n");
        for (key, value) in &self.context {
            let _ = writeln!(text, "- {key}: {value}");
        }
        let _ = writeln!(text, "\n## Summary\n\n{}", self.summary());
        text += "## All chains\n\n\
            Milliseconds in a fresh session / again in the same one / different nodes in all interpolants; I: one of \
            them is a safe inductive invariant of the loop; C: one of them implies the union of the earlier ones.\n";
        let strategies = self.strategies();
        for group in self.groups() {
            let _ = write!(text, "\n### {group}\n\n| family | unrollings |");
            for strategy in &strategies {
                let _ = write!(text, " {strategy} |");
            }
            let _ = writeln!(text, "\n|---|--:|{}", "---|".repeat(strategies.len()));
            let mut rows: IndexMap<(&str, usize), IndexMap<&str, String>> = IndexMap::new();
            for cell in self.cells.iter().filter(|cell| cell.group == group) {
                let row = rows.entry((&cell.family, cell.unrollings)).or_default();
                row.insert(&cell.strategy, short(cell));
            }
            for ((family, unrollings), row) in rows {
                let _ = write!(text, "| {family} | {unrollings} |");
                for strategy in &strategies {
                    let _ = write!(text, " {} |", row.get(strategy).map_or("", String::as_str));
                }
                text.push('\n');
            }
        }
        text
    }

    fn csv(&self) -> Result<String, String> {
        let mut text = String::new();
        for (key, value) in &self.context {
            let _ = writeln!(text, "# {key}: {value}");
        }
        let mut writer = csv::Writer::from_writer(Vec::new());
        for cell in &self.cells {
            writer.serialize(cell).map_err(|e| e.to_string())?;
        }
        let bytes = writer.into_inner().map_err(|e| e.to_string())?;
        Ok(text + &String::from_utf8_lossy(&bytes))
    }

    /// Writes the tables beside `out`, as `.csv` and as `.md`.
    pub fn write(&self, out: &Path) -> Result<[PathBuf; 2], String> {
        let files = [out.with_extension("csv"), out.with_extension("md")];
        for (file, text) in files.iter().zip([self.csv()?, self.markdown()]) {
            std::fs::write(file, text).map_err(|e| format!("{}: {e}", file.display()))?;
        }
        Ok(files)
    }
}
