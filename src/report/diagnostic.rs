//! Messages about the source text, in the terminal.

use std::collections::BTreeSet;

use miette::{
    GraphicalReportHandler, GraphicalTheme, LabeledSpan, MietteDiagnostic, MietteError,
    MietteSpanContents, Report, Severity as Level, SourceCode, SourceSpan, SpanContents,
};
use ult_lang::diagnostic::{Diagnostic, Severity};
use ult_lang::span::Span;

use super::style::{Tone, paint};
use ult_driver::Source;

/// A source line longer than this is shown in part only.
const LONGEST_LINE: usize = 300;

/// So many characters around the place are shown of a long line.
const AROUND: usize = 60;

/// The severity as a word.
pub fn severity(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    }
}

/// Messages about one source, each with the lines that it is about. Where there is a page about several,
/// the first one says so.
pub fn render<'d>(
    diagnostics: impl IntoIterator<Item = &'d Diagnostic>,
    source: &Source,
    color: bool,
) -> Vec<String> {
    let mut told = BTreeSet::new();
    let rendered = diagnostics.into_iter().map(|diagnostic| {
        let page = told.insert(diagnostic.id).then(|| page(diagnostic));
        let help: Vec<String> = diagnostic.help.iter().cloned().chain(page).collect();
        one(diagnostic, &help.join("\n"), source, color)
    });
    rendered.collect()
}

fn page(diagnostic: &Diagnostic) -> String {
    format!("`ult explain {}` says more", diagnostic.id)
}

/// A message with its help.
fn one(diagnostic: &Diagnostic, help: &str, source: &Source, color: bool) -> String {
    match in_file(diagnostic, source) {
        Some((file, diagnostic)) => drawn(&diagnostic, help, &file, color),
        None => drawn(diagnostic, help, source, color),
    }
}

/// A message about the user's file as it was before the preprocessor, if it is about one: that is the text that people know.
fn in_file(diagnostic: &Diagnostic, source: &Source) -> Option<(Source, Diagnostic)> {
    let mut moved = diagnostic.clone();
    let mut file: Option<Source> = None;
    for (span, _) in &mut moved.labels {
        let (whole, place) = source.in_file(*span)?;
        let file = file.get_or_insert(whole.clone());
        if file.name != whole.name {
            return None;
        }
        *span = place;
    }
    Some((file?, moved))
}

/// A message about a text, with the lines that it is about.
fn drawn(diagnostic: &Diagnostic, help: &str, source: &Source, color: bool) -> String {
    // Places in several files cannot be drawn into one text.
    let mut regions = diagnostic
        .labels
        .iter()
        .map(|(span, _)| source.marker(span.start).map(|marker| marker.offset));
    let first = regions.next();
    if regions.any(|region| Some(region) != first) {
        return plain(diagnostic, help, source, color);
    }
    let longest = diagnostic
        .labels
        .iter()
        .map(|(span, _)| lines_length(&source.text, span.range()))
        .max();
    match longest {
        Some(length) if length <= LONGEST_LINE => graphical(diagnostic, help, source, color),
        _ => plain(diagnostic, help, source, color),
    }
}

/// The length of the lines that a range touches, and of their neighbours.
fn lines_length(text: &str, range: std::ops::Range<usize>) -> usize {
    let start = range.start.min(text.len());
    let end = range.end.clamp(start, text.len());
    let bytes = text.as_bytes();
    let back = |from: usize| bytes[..from].iter().rposition(|&b| b == b'\n');
    let forth = |from: usize| {
        bytes[from..]
            .iter()
            .position(|&b| b == b'\n')
            .map(|i| from + i)
    };
    let first = back(start).map_or(0, |newline| back(newline).map_or(0, |i| i + 1));
    let last = forth(end).map_or(bytes.len(), |newline| {
        forth(newline + 1).unwrap_or(bytes.len())
    });
    text.get(first..last)
        .unwrap_or(text)
        .split('\n')
        .map(str::len)
        .max()
        .unwrap_or(0)
}

fn graphical(diagnostic: &Diagnostic, help: &str, source: &Source, color: bool) -> String {
    let mut drawn = MietteDiagnostic::new(diagnostic.message.clone()).with_severity(
        match diagnostic.severity {
            Severity::Error => Level::Error,
            Severity::Warning => Level::Warning,
        },
    );
    drawn.labels = Some(
        diagnostic
            .labels
            .iter()
            .enumerate()
            .map(|(i, (span, text))| {
                let range = span.range();
                let text = Some(text.clone()).filter(|text| !text.is_empty());
                if i == 0 {
                    LabeledSpan::new_primary_with_span(text, range)
                } else {
                    LabeledSpan::new_with_span(text, range)
                }
            })
            .collect(),
    );
    drawn.help = Some(help.to_owned()).filter(|help| !help.is_empty());
    let mut theme = if color {
        GraphicalTheme::unicode()
    } else {
        GraphicalTheme::none()
    };
    let head = format!("{}[{}]:", severity(diagnostic.severity), diagnostic.id);
    theme.characters.error.clone_from(&head);
    theme.characters.warning = head;
    let handler = GraphicalReportHandler::new_themed(theme)
        .with_width(100)
        .with_links(false)
        .with_context_lines(1);
    let report = Report::new(drawn).with_source_code(Located(source.clone()));
    let mut text = String::new();
    match handler.render_report(&mut text, report.as_ref()) {
        Ok(()) => {
            // The renderer leaves blanks at the ends of lines.
            let lines = text
                .lines()
                .map(str::trim_end)
                .skip_while(|line| line.is_empty());
            let mut text: String = lines.flat_map(|line| [line, "\n"]).collect();
            while text.ends_with("\n\n") {
                text.pop();
            }
            text
        }
        Err(_) => plain(diagnostic, help, source, color),
    }
}

/// A text whose lines are counted as its line markers say.
struct Located(Source);

impl SourceCode for Located {
    fn read_span<'a>(
        &'a self,
        span: &SourceSpan,
        before: usize,
        behind: usize,
    ) -> Result<Box<dyn SpanContents<'a> + 'a>, MietteError> {
        let source = &self.0;
        let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        let text: &'a str = &source.text;
        let mut contents = text.read_span(span, before, behind)?;
        // Lines around it that come from elsewhere, and markers, are not shown.
        let region = |contents: &dyn SpanContents<'_>| {
            let range = contents.span();
            let last = range.offset() + range.len().saturating_sub(1);
            [range.offset(), last].map(|at| source.marker(offset(at)).map(|marker| marker.offset))
        };
        let own = source
            .marker(offset(span.offset()))
            .map(|marker| marker.offset);
        let has_marker = |contents: &dyn SpanContents<'_>| {
            let lines = contents.data().split(|byte| *byte == b'\n');
            own.is_some()
                && lines
                    .into_iter()
                    .any(|line| line.trim_ascii_start().starts_with(b"#"))
        };
        if region(&*contents) != [own, own] || has_marker(&*contents) {
            contents = text.read_span(span, 0, 0)?;
        }
        let start = Span::new(
            offset(contents.span().offset()),
            offset(contents.span().offset()),
        );
        let line = (source.start(start).line as usize).saturating_sub(1);
        Ok(Box::new(MietteSpanContents::new_named(
            source.file(start).to_owned(),
            contents.data(),
            *contents.span(),
            line,
            contents.column(),
            contents.line_count(),
        )))
    }
}

/// Without graphics: for messages without a place, and for very long lines.
fn plain(diagnostic: &Diagnostic, help: &str, source: &Source, color: bool) -> String {
    let tone = match diagnostic.severity {
        Severity::Error => Tone::Bad,
        Severity::Warning => Tone::Unclear,
    };
    let head = format!("{}[{}]", severity(diagnostic.severity), diagnostic.id);
    let mut text = format!("{}: {}\n", paint(color, tone, &head), diagnostic.message);
    for (span, label) in &diagnostic.labels {
        let place = source.start(*span);
        let file = source.file(*span);
        text += &format!("  at {file}:{}:{}", place.line, place.column);
        if !label.is_empty() {
            text += &format!(": {label}");
        }
        text += "\n";
        text += &format!("     {}\n", around(&source.text, span.range()));
    }
    for line in help.lines() {
        text += &format!("  help: {line}\n");
    }
    text
}

/// The part of the line around a place.
fn around(text: &str, range: std::ops::Range<usize>) -> String {
    let start = range.start.min(text.len());
    let before: Vec<char> = text
        .get(..start)
        .unwrap_or_default()
        .chars()
        .rev()
        .take_while(|&c| c != '\n')
        .take(AROUND + 1)
        .collect();
    let after: Vec<char> = text
        .get(start..)
        .unwrap_or_default()
        .chars()
        .take_while(|&c| c != '\n')
        .take(AROUND + 1)
        .collect();
    let mut line = String::new();
    if before.len() > AROUND {
        line += "...";
    }
    line.extend(before.iter().take(AROUND).rev());
    line.extend(after.iter().take(AROUND));
    if after.len() > AROUND {
        line += "...";
    }
    line
}
