//! Traces as text: for each step its line, what it does, and what it changes.

use std::fmt::Write as _;

use super::style::{Tone, paint};
use ult_driver::{RunStep, Source};

/// A run longer than this is shown without its middle.
const LONGEST_RUN: usize = 60;

/// So much of a long run is shown at its beginning; the rest at its end.
const BEGINNING: usize = 20;

/// Statements are padded to this width, so that the values stand below each other.
const WIDEST: usize = 44;

/// Steps within more calls are not indented further.
const DEEPEST: usize = 12;

/// A run: for each step its line, what it does, and what it changes.
pub fn run(steps: &[RunStep], source: &Source, color: bool) -> String {
    let is_shown = |step: &&RunStep| !step.minor;
    let shown = steps.iter().filter(is_shown).count();
    // Of a long run, so many steps between its beginning and its end are not written.
    let middle = BEGINNING..BEGINNING + shown.saturating_sub(LONGEST_RUN);
    let digits = (steps.iter().filter(is_shown))
        .map(|step| source.start(step.span).line.to_string().len())
        .max()
        .unwrap_or(1);
    let mut text = String::new();
    let (mut inside, mut file) = (0, None);
    // How many steps behind the one written last are not written.
    let mut skipped = 0_u64;
    let mut next = 0;
    for step in steps {
        skipped = step.left_out.saturating_add(skipped);
        if step.minor {
            continue;
        }
        let number = next;
        next += 1;
        if middle.contains(&number) {
            skipped = skipped.saturating_add(1);
            inside = step.depth;
            continue;
        }
        if skipped > 0 {
            let _ = writeln!(text, "    {:digits$}  ... {skipped} more steps ...", "");
            skipped = 0;
        }
        let from = source.other_file(step.span);
        if step.depth > inside || from != file && number > 0 {
            let indent = "  ".repeat(step.depth.min(DEEPEST));
            let of = from.map_or(String::new(), |file| format!(" of {file}"));
            let _ = writeln!(
                text,
                "    {:digits$} {indent}in {}{of}:",
                "", step.procedure
            );
        }
        file = from;
        inside = step.depth;
        text += &line(step, source, digits, number == 0, color);
    }
    text
}

/// What a step of a run did: the way it went, and the new values.
pub fn outcome(step: &RunStep) -> String {
    let changes = step
        .changes
        .iter()
        .map(|(name, value)| format!("{name} = {value}"));
    let parts: Vec<String> = step.remark.iter().cloned().chain(changes).collect();
    parts.join(", ")
}

fn line(step: &RunStep, source: &Source, digits: usize, is_start: bool, color: bool) -> String {
    let right = outcome(step);
    let (number, left) = if is_start {
        if right.is_empty() {
            return String::new();
        }
        (String::new(), "initially")
    } else {
        let line = source.start(step.span).line;
        (format!("{line}:"), step.statement.as_str())
    };
    let indent = "  ".repeat(step.depth.min(DEEPEST));
    let start = format!("    {number:>width$} {indent}", width = digits + 1);
    if right.is_empty() {
        return format!("{start}{left}\n");
    }
    let right = match step.violation {
        true => paint(color, Tone::Bad, &right),
        false => right,
    };
    let width = WIDEST.saturating_sub(indent.len());
    format!("{start}{left:width$}  {right}\n")
}
