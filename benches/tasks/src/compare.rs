//! Two tables side by side: which verdicts changed, and how the times relate.

use std::collections::HashMap;
use std::fmt::Write as _;

use crate::answer::Judgement;
use crate::table::{Row, Table, median};

/// Times below this are mostly the start of a process, and noise.
const FLOOR: f64 = 0.05;

/// How many of the largest changes in time are shown.
const SHOWN: usize = 10;

/// The comparison of two tables.
#[derive(Debug, Default)]
pub(crate) struct Comparison {
    /// In words.
    pub text: String,
    /// How many verdicts are wrong in the new table that were not in the old one.
    pub newly_wrong: usize,
}

/// Compares. Rows belong together if they agree in the file, and in the tool if a table has several.
pub(crate) fn compare(old: &Table, new: &Table) -> Comparison {
    let by_tool = old.tools().len() > 1 || new.tools().len() > 1;
    let key = |row: &Row| {
        let tool = if by_tool {
            row.tool.clone()
        } else {
            String::new()
        };
        (tool, row.file.clone())
    };
    let before: HashMap<_, &Row> = old.rows.iter().map(|row| (key(row), row)).collect();
    let mut comparison = Comparison::default();
    let text = &mut comparison.text;
    for name in ["date", "commit", "machine", "timeout"] {
        let value = |table: &Table| table.context.get(name).cloned().unwrap_or_default();
        let (was, is) = (value(old), value(new));
        if was != is {
            let _ = writeln!(text, "{name}: {was} -> {is}");
        }
    }
    let mut changes: Vec<(&str, String)> = Vec::new();
    let mut times: Vec<(f64, &Row, &Row)> = Vec::new();
    let mut added = 0;
    let mut common = 0;
    for row in &new.rows {
        let Some(&was) = before.get(&key(row)) else {
            added += 1;
            continue;
        };
        common += 1;
        if row.judgement == Judgement::Wrong && was.judgement != Judgement::Wrong {
            comparison.newly_wrong += 1;
        }
        if was.judgement == Judgement::Right && row.judgement == Judgement::Right {
            times.push((row.seconds.max(FLOOR) / was.seconds.max(FLOOR), was, row));
        }
        if (was.got, was.judgement, &was.reason) != (row.got, row.judgement, &row.reason) {
            let kind = match (was.judgement, row.judgement) {
                (_, Judgement::Wrong) => "now WRONG",
                (Judgement::Right, Judgement::Right) => continue,
                (_, Judgement::Right) => "gained",
                (Judgement::Right, _) => "lost",
                _ => "other",
            };
            let reason = |row: &Row| match row.reason.as_str() {
                "" => row.got.to_string(),
                reason => format!("{} ({reason})", row.got),
            };
            let line = format!(
                "{}: {} -> {}, expected {}",
                row.file,
                reason(was),
                reason(row),
                row.expected
            );
            changes.push((kind, line));
        }
    }
    let removed = old.rows.len() - common;
    let right = |table: &Table| {
        table
            .rows
            .iter()
            .filter(|r| r.judgement == Judgement::Right)
            .count()
    };
    let _ = writeln!(
        text,
        "{common} tasks in both tables ({removed} only in the old one, {added} only in the new one); right: {} -> {}",
        right(old),
        right(new),
    );
    for kind in ["now WRONG", "lost", "gained", "other"] {
        let lines: Vec<&String> = changes
            .iter()
            .filter(|c| c.0 == kind)
            .map(|c| &c.1)
            .collect();
        if !lines.is_empty() {
            let _ = writeln!(text, "\n{kind}: {}", lines.len());
            for line in lines {
                let _ = writeln!(text, "  {line}");
            }
        }
    }
    if changes.is_empty() {
        let _ = writeln!(text, "\nno verdict changed");
    }
    times.sort_by(|a, b| a.0.total_cmp(&b.0));
    if let Some((median, mean)) = middle(&times) {
        let sum = |pick: fn(&(f64, &Row, &Row)) -> f64| times.iter().map(pick).sum::<f64>();
        let _ = writeln!(
            text,
            "\ntime, new / old, on the {} tasks right in both (times below {FLOOR} s count as {FLOOR} s): median \
             {median:.2}, geometric mean {mean:.2}, total {:.1} s -> {:.1} s",
            times.len(),
            sum(|t| t.1.seconds),
            sum(|t| t.2.seconds),
        );
        let processor = [sum(|t| t.1.cpu_seconds), sum(|t| t.2.cpu_seconds)];
        let _ = writeln!(
            text,
            "processor time on the same tasks: {:.2} s -> {:.2} s, x{:.2}",
            processor[0],
            processor[1],
            processor[1] / processor[0].max(f64::MIN_POSITIVE),
        );
        let faster = times.iter().take_while(|t| t.0 < 0.8).take(SHOWN);
        let slower = times.iter().rev().take_while(|t| t.0 > 1.25).take(SHOWN);
        for (ratio, was, row) in slower.chain(faster) {
            let _ = writeln!(
                text,
                "  x{ratio:.2}  {:.2} s -> {:.2} s  {}",
                was.seconds, row.seconds, row.file
            );
        }
    }
    comparison
}

/// Median and geometric mean of sorted ratios.
fn middle(times: &[(f64, &Row, &Row)]) -> Option<(f64, f64)> {
    let ratios: Vec<f64> = times.iter().map(|time| time.0).collect();
    let median = median(&ratios)?;
    let logarithms: f64 = times.iter().map(|time| time.0.ln()).sum();
    Some((median, (logarithms / times.len() as f64).exp()))
}
