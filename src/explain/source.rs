//! Places in a text as people count them.

use std::sync::Arc;

use ult_lang::span::{Marker, Span, line_starts};

/// A text with its name, and where its lines begin.
#[derive(Clone, Debug)]
pub struct Source {
    /// What it is called in messages; usually a path.
    pub name: Arc<str>,
    /// The text.
    pub text: Arc<str>,
    /// Offsets of the first characters of the lines.
    lines: Arc<[u32]>,
    ascii: bool,
    /// For preprocessed text: where its parts come from.
    markers: Arc<[Marker]>,
    /// The files before the preprocessor, if they are known.
    #[cfg(feature = "c")]
    before: Option<Arc<ult_c::source::before::Before>>,
    /// For C: what lies in variables of the translation that are maps by offsets.
    #[cfg(feature = "c")]
    pub elements: Arc<std::collections::BTreeMap<String, ult_c::encode::elements::Elements>>,
    /// Whether what is verified is a translation of the text, with steps and variables of its own.
    pub is_translated: bool,
    /// Where the text of libraries begins, if there is any behind the text itself.
    pub library_from: Option<u32>,
}

/// A line and a column, both counted from 1; columns count characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The line.
    pub line: u32,
    /// The column.
    pub column: u32,
}

impl Source {
    /// A function or variable as the user calls it: those of C that have one name, and copies of functions, are told apart by
    /// numbers.
    pub fn users_name(&self, name: &str) -> String {
        match self.is_translated {
            true => crate::names::users_name(name),
            false => name.to_owned(),
        }
    }

    /// A text and its name.
    pub fn new(name: impl Into<Arc<str>>, text: impl Into<Arc<str>>) -> Source {
        let text = text.into();
        let lines = line_starts(&text).map(as_offset).collect();
        Source::with_lines(name.into(), text, lines)
    }

    /// A text whose lines begin there.
    fn with_lines(name: Arc<str>, text: Arc<str>, lines: Arc<[u32]>) -> Source {
        Source {
            name,
            ascii: text.is_ascii(),
            text,
            lines,
            markers: Arc::new([]),
            #[cfg(feature = "c")]
            before: None,
            #[cfg(feature = "c")]
            elements: Arc::default(),
            is_translated: false,
            library_from: None,
        }
    }

    /// A text with libraries behind it: their names and texts. Places in them are told as such.
    pub fn with_libraries(
        name: impl Into<Arc<str>>,
        text: &str,
        libraries: &[(Arc<str>, Arc<str>)],
    ) -> Source {
        let mut whole = text.to_owned();
        let mut markers = Vec::new();
        for (file, library) in libraries {
            if !whole.ends_with('\n') {
                whole.push('\n');
            }
            markers.push(Marker {
                offset: u32::try_from(whole.len()).unwrap_or(u32::MAX),
                line: 1,
                file: Some(file.clone()),
            });
            whole.push_str(library);
        }
        Source {
            library_from: markers.first().map(|marker| marker.offset),
            markers: markers.into(),
            ..Source::new(name, whole)
        }
    }

    /// C text with line markers: the places in it are those that the markers tell.
    pub fn preprocessed(
        name: impl Into<Arc<str>>,
        text: impl Into<Arc<str>>,
        markers: impl Into<Arc<[Marker]>>,
    ) -> Source {
        let text = text.into();
        // For compilers of C, a lone carriage return is no line end.
        let ends = text.match_indices('\n').map(|(end, _)| as_offset(end + 1));
        let lines = std::iter::once(0).chain(ends).collect();
        Source {
            markers: markers.into(),
            is_translated: true,
            ..Source::with_lines(name.into(), text, lines)
        }
    }

    /// C text, with what it needs of the library behind it. Line markers count.
    #[cfg(feature = "c")]
    pub fn c(name: impl Into<Arc<str>>, text: &str) -> Source {
        Source::completed_c(name, &ult_c::library::completed(text))
    }

    /// C text that has behind it what it needs of the library. Line markers count.
    #[cfg(feature = "c")]
    pub fn completed_c(name: impl Into<Arc<str>>, text: &str) -> Source {
        let markers = ult_c::source::clean(text).markers;
        Source::preprocessed(name, text, markers)
    }

    /// Preprocessed text with the files that it was made of, each with its name and text: places are those in the files, as they
    /// were before macros were replaced.
    #[cfg(feature = "c")]
    pub fn with_files(self, files: Vec<(Arc<str>, Arc<str>)>) -> Source {
        use ult_c::source::before::Before;
        let before = Before::new(&self.text, &self.markers, &self.name, files);
        Source {
            before: Some(Arc::new(before)),
            ..self
        }
    }

    /// What stands in the user's file in place of a part of the text, if that is known: its place, the place behind it, and
    /// the text.
    #[cfg(feature = "c")]
    fn before(&self, range: std::ops::Range<usize>) -> Option<(Place, Place, &str)> {
        let part = self.before.as_ref()?.part(range)?;
        let place = |(line, column)| Place { line, column };
        Some((place(part.start), place(part.end), part.text))
    }

    #[cfg(not(feature = "c"))]
    fn before(&self, _: std::ops::Range<usize>) -> Option<(Place, Place, &str)> {
        None
    }

    /// The user's file that a span comes from, as it was before the preprocessor, and the span in it; `None` if that is not known,
    /// or if there was none.
    #[cfg(feature = "c")]
    pub fn in_file(&self, span: Span) -> Option<(Source, Span)> {
        let part = self.before.as_ref()?.part(span.range())?;
        let file = Source::preprocessed(part.file, part.whole.clone(), []);
        Some((
            file,
            Span::new(as_offset(part.range.start), as_offset(part.range.end)),
        ))
    }

    /// Without C there is no preprocessor.
    #[cfg(not(feature = "c"))]
    pub fn in_file(&self, _: Span) -> Option<(Source, Span)> {
        None
    }

    /// The text of a file before the preprocessor, if it is known.
    #[cfg(feature = "c")]
    pub fn text_of_file(&self, name: &str) -> Option<&Arc<str>> {
        self.before.as_ref()?.file(name)
    }

    /// The line that a place is in, as it was before the preprocessor, if that is known.
    #[cfg(feature = "c")]
    pub fn line_in_file(&self, span: Span) -> Option<&str> {
        self.before
            .as_ref()?
            .line(self.file(span), self.start(span).line)
    }

    /// Without C there is no preprocessor.
    #[cfg(not(feature = "c"))]
    pub fn line_in_file(&self, _: Span) -> Option<&str> {
        None
    }

    /// Whether a place is in the text of the C library.
    #[cfg(feature = "c")]
    pub fn is_in_c_library(&self, span: Span) -> bool {
        self.is_translated && ult_c::library::is_library_file(self.file(span))
    }

    /// Without C there is none.
    #[cfg(not(feature = "c"))]
    pub fn is_in_c_library(&self, _: Span) -> bool {
        false
    }

    /// An element of a map of the translation as C names it: the part of an object at an offset in bytes.
    #[cfg(feature = "c")]
    pub(crate) fn element(&self, map: &str, index: u64) -> Option<String> {
        // A pointer has two maps.
        let suffixes = ["", ".base", ".offset"];
        suffixes.into_iter().find_map(|suffix| {
            let elements = self.elements.get(map.strip_suffix(suffix)?)?;
            Some(format!(
                "{}{}{suffix}",
                elements.variable,
                elements.part(index)?
            ))
        })
    }

    /// Without C there is none.
    #[cfg(not(feature = "c"))]
    pub(crate) fn element(&self, _: &str, _: u64) -> Option<String> {
        None
    }

    /// The number that a byte in a map of the translation belongs to: as C names it, and where its bytes are.
    #[cfg(feature = "c")]
    pub(crate) fn number(
        &self,
        map: &str,
        index: u64,
    ) -> Option<(String, ult_c::encode::elements::Number)> {
        let elements = self.elements.get(map)?;
        let number = elements.number(index)?;
        Some((format!("{}{}", elements.variable, number.path), number))
    }

    /// All line markers, in order.
    pub fn markers(&self) -> &[Marker] {
        &self.markers
    }

    /// The marker that tells where the text at an offset comes from.
    pub fn marker(&self, offset: u32) -> Option<&Marker> {
        let behind = self
            .markers
            .partition_point(|marker| marker.offset <= offset);
        self.markers.get(behind.checked_sub(1)?)
    }

    /// The name of the file that the text at a span's start comes from.
    pub fn file(&self, span: Span) -> &str {
        let marker = self.marker(span.start);
        marker
            .and_then(|marker| marker.file.as_deref())
            .unwrap_or(&self.name)
    }

    /// The name of the file that the text at a span's start comes from, if it is not the source's own.
    pub fn other_file(&self, span: Span) -> Option<&str> {
        Some(self.file(span)).filter(|file| *file != &*self.name)
    }

    /// The place of a byte offset; an offset behind the end counts as the end.
    pub fn place(&self, offset: u32) -> Place {
        if let Some((start, ..)) = self.before(offset as usize..offset as usize) {
            return start;
        }
        let Place { line, column } = self.physical(offset);
        Place {
            line: match self.marker(offset) {
                // Markers stand on lines of their own.
                Some(marker) => {
                    let first = self.lines.partition_point(|&start| start <= marker.offset);
                    let first = u32::try_from(first).unwrap_or(u32::MAX);
                    marker.line.saturating_add(line.saturating_sub(first))
                }
                None => line,
            },
            column,
        }
    }

    /// The place of a byte offset in this text, whatever line markers say.
    pub fn physical(&self, offset: u32) -> Place {
        let offset = offset.min(u32::try_from(self.text.len()).unwrap_or(u32::MAX));
        let line = self.lines.partition_point(|&start| start <= offset).max(1);
        let start = self.lines[line - 1];
        let column = if self.ascii {
            offset - start
        } else {
            let before = self.text.get(start as usize..offset as usize);
            before.map_or(0, |text| {
                u32::try_from(text.chars().count()).unwrap_or(u32::MAX)
            })
        };
        Place {
            line: u32::try_from(line).unwrap_or(u32::MAX),
            column: column + 1,
        }
    }

    /// The place where a span starts.
    pub fn start(&self, span: Span) -> Place {
        match self.before(span.range()) {
            Some((start, ..)) => start,
            None => self.place(span.start),
        }
    }

    /// The place behind a span, if it is in the same file.
    pub fn end(&self, span: Span) -> Option<Place> {
        if let Some((start, end, _)) = self.before(span.range()) {
            return (end > start).then_some(end);
        }
        let behind = Span::new(span.end, span.end);
        let (start, end) = (self.start(span), self.start(behind));
        let is_behind = (end.line, end.column) > (start.line, start.column);
        (is_behind && self.file(behind) == self.file(span)).then_some(end)
    }

    /// The text of a span in one line: blanks and comments shrink to one blank, and at most `limit`
    /// characters are shown.
    pub fn excerpt(&self, span: Span, limit: usize) -> String {
        let text = match self.before(span.range()) {
            Some((_, _, text)) => text,
            None => self.text.get(span.range()).unwrap_or_default(),
        };
        let (mut line, mut length) = (String::new(), 0);
        let mut rest = text;
        while !rest.is_empty() && length <= limit {
            let trimmed = rest.trim_start();
            let (blank, after) = if trimmed.len() < rest.len() {
                (true, trimmed)
            } else if !self.markers.is_empty()
                && rest.starts_with('#')
                && text[..text.len() - rest.len()]
                    .trim_end_matches([' ', '\t'])
                    .ends_with('\n')
            {
                (true, rest.split_once('\n').map_or("", |(_, after)| after))
            } else if let Some(comment) = rest.strip_prefix("//") {
                (
                    true,
                    comment
                        .split_once(['\n', '\r'])
                        .map_or("", |(_, after)| after),
                )
            } else if let Some(comment) = rest.strip_prefix("/*") {
                (
                    true,
                    comment.split_once("*/").map_or("", |(_, after)| after),
                )
            } else {
                let first = rest.chars().next().map_or(1, char::len_utf8);
                line.push_str(&rest[..first]);
                length += 1;
                (false, &rest[first..])
            };
            if blank && !line.is_empty() && !line.ends_with(' ') {
                line.push(' ');
                length += 1;
            }
            rest = after;
        }
        let line = line.trim_end();
        if line.chars().count() > limit || !rest.is_empty() {
            let cut: String = line.chars().take(limit.saturating_sub(3)).collect();
            return format!("{cut}...");
        }
        line.to_owned()
    }
}

fn as_offset(offset: usize) -> u32 {
    u32::try_from(offset).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_as_in_editors() {
        let source = Source::new("f", "a\rb\r\nc\r\rd");
        let line = |word: char| {
            let offset = source.text.find(word).unwrap();
            source.place(as_offset(offset)).line
        };
        assert_eq!(['a', 'b', 'c', 'd'].map(line), [1, 2, 3, 5]);
    }

    #[test]
    fn places_count_lines_and_characters() {
        let source = Source::new("f", "ab\nä€x\n\nz");
        let at = |offset| (source.place(offset).line, source.place(offset).column);
        assert_eq!(at(0), (1, 1));
        assert_eq!(at(2), (1, 3));
        assert_eq!(at(3), (2, 1));
        assert_eq!(at(5), (2, 2));
        assert_eq!(at(8), (2, 3));
        assert_eq!(at(10), (3, 1));
        assert_eq!(at(11), (4, 1));
        assert_eq!(at(999), (4, 2));
        assert_eq!(Source::new("f", "").place(0), Place { line: 1, column: 1 });
    }

    #[cfg(feature = "c")]
    #[test]
    fn markers_tell_where_the_text_comes_from() {
        let text = "a\n# 7 \"f.h\" 1\nb\nc\n# 2 \"f\" 2\nd";
        let markers = ult_c::source::clean(text).markers;
        let source = Source::preprocessed("f", text, markers);
        let at = |word: &str| {
            let start = u32::try_from(text.find(word).unwrap()).unwrap();
            let span = Span::new(start, start + 1);
            (
                source.file(span),
                source.start(span).line,
                source.other_file(span),
            )
        };
        assert_eq!(at("a"), ("f", 1, None));
        assert_eq!(at("b"), ("f.h", 7, Some("f.h")));
        assert_eq!(at("c"), ("f.h", 8, Some("f.h")));
        assert_eq!(at("d"), ("f", 2, None));
        let all = Span::new(0, u32::try_from(text.len()).unwrap());
        assert_eq!(source.excerpt(all, 80), "a b c d");
    }

    #[test]
    fn places_in_libraries_are_told_as_such() {
        let libraries =
            [("l", "b\nc"), ("m", "d\n")].map(|(name, text)| (name.into(), text.into()));
        let source = Source::with_libraries("f", "a\n#x", &libraries);
        let at = |word: &str| {
            let start = u32::try_from(source.text.find(word).unwrap()).unwrap();
            let span = Span::new(start, start + 1);
            (source.file(span).to_owned(), source.start(span).line)
        };
        assert_eq!(&*source.text, "a\n#x\nb\nc\nd\n");
        assert_eq!(at("a"), ("f".into(), 1));
        assert_eq!(at("x"), ("f".into(), 2));
        assert_eq!(at("b"), ("l".into(), 1));
        assert_eq!(at("c"), ("l".into(), 2));
        assert_eq!(at("d"), ("m".into(), 1));
        assert_eq!(source.library_from, Some(5));
        assert_eq!(Source::with_libraries("f", "a", &[]).library_from, None);
    }

    #[test]
    fn an_excerpt_is_one_short_line() {
        let source = Source::new("f", "x  :=\n  y /* sum */ + // more\n  z;");
        let all = Span::new(0, u32::try_from(source.text.len()).unwrap());
        assert_eq!(source.excerpt(all, 80), "x := y + z;");
        assert_eq!(source.excerpt(all, 8), "x := ...");
    }
}
