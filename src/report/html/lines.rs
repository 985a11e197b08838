//! The source text of a page: its lines as people count them, and places as lines.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use ult_lang::span::Span;

use ult_driver::Source;

/// A place over more lines than this is shown by its first one: a whole loop, a whole body.
const MOST_LINES: u32 = 4;

/// Longer texts are cut.
const LONGEST: usize = 20_000;

/// Lines of a source by their number in the text, whatever line markers say. Those that something
/// refers to are remembered, since lines of headers and libraries are shown only then.
pub(super) struct Lines<'a> {
    source: &'a Source,
    used: BTreeSet<u32>,
}

impl<'a> Lines<'a> {
    /// The lines of a source.
    pub(super) fn new(source: &'a Source) -> Lines<'a> {
        let used = BTreeSet::new();
        Lines { source, used }
    }

    /// The line where a place begins.
    pub(super) fn first(&mut self, span: Span) -> u32 {
        let line = self.source.physical(span.start).line;
        self.used.insert(line);
        line
    }

    /// All lines of some places.
    pub(super) fn of(&mut self, spans: &[Span]) -> Vec<u32> {
        let mut lines = BTreeSet::new();
        for span in spans {
            let first = self.source.physical(span.start).line;
            let last = match span.end > span.start {
                true => self.source.physical(span.end - 1).line,
                false => first,
            };
            match last - first {
                0..MOST_LINES => lines.extend(first..=last),
                _ => lines.extend([first]),
            }
        }
        self.used.extend(&lines);
        lines.into_iter().collect()
    }

    /// The lines to be shown: number in the text, number as people count, text, and the file if it
    /// is another one.
    pub(super) fn finish(self) -> Value {
        let mut shown = Vec::new();
        let mut before = None;
        let mut offset = 0;
        for (line, number) in self.source.text.split_inclusive('\n').zip(1u32..) {
            let at = Span::new(offset, offset);
            offset += u32::try_from(line.len()).unwrap_or(u32::MAX);
            let text = line.trim_end_matches(['\n', '\r']);
            let other = self.source.other_file(at);
            if shown.len() >= LONGEST || is_marker(text, self.source.is_translated) {
                continue;
            }
            if other.is_none() || self.used.contains(&number) {
                let place = self.source.place(at.start).line;
                // A line of the file may have become several lines, and is shown once.
                let here = Some((other, place));
                let original = self.source.line_in_file(at);
                let text = original.filter(|_| here != before).unwrap_or(text);
                before = here;
                shown.push(match other {
                    None => json!([number, place, text]),
                    Some(file) => json!([number, place, text, file]),
                });
            }
        }
        Value::Array(shown)
    }
}

/// `# 7 "file.h"`, which the preprocessor wrote, or where another file of a linked program begins.
fn is_marker(line: &str, is_translated: bool) -> bool {
    if is_translated && line == "#pragma ult unit" {
        return true;
    }
    let rest = line.strip_prefix("# ").or(line.strip_prefix("#line "));
    is_translated && rest.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
}
