//! The text before the preprocessor: which part of a file a part of the preprocessed text comes from.
//!
//! Preprocessors keep lines: what a line becomes stands in one line, and markers tell its number. They do not tell columns.
//! So lines that differ are compared token by token. What both have in common comes from there; everything else
//! comes from a macro: from the name, and the arguments, that the file has in its place. This is about what people
//! are told, not about what programs mean.

use std::ops::Range;
use std::sync::Arc;

use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::marker::Marker;

/// Longer lines are not compared: what they become comes from the whole line.
const MOST_TOKENS: usize = 5_000;

/// A call of a macro has no more lines.
const MOST_LINES: usize = 200;

/// Where preprocessed text comes from.
#[derive(Clone, Debug, Default)]
pub struct Before {
    files: Vec<File>,
    /// By ascending place in the preprocessed text.
    pieces: Vec<Piece>,
}

/// A file.
#[derive(Clone, Debug)]
struct File {
    name: Arc<str>,
    text: Arc<str>,
    /// Where its lines start.
    starts: Vec<usize>,
}

/// A part of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part<'a> {
    /// The file's name.
    pub file: &'a str,
    /// The part's text.
    pub text: &'a str,
    /// The file's whole text.
    pub whole: &'a Arc<str>,
    /// Where the part is in it.
    pub range: Range<usize>,
    /// The line and the column where it starts, counted from 1; columns count characters.
    pub start: (u32, u32),
    /// The line and the column behind it.
    pub end: (u32, u32),
}

/// A piece of preprocessed text.
#[derive(Clone, Debug)]
struct Piece {
    range: Range<usize>,
    file: usize,
    from: Range<usize>,
    /// Whether it is the same text, so that what is inside of it comes from inside.
    is_same: bool,
}

/// A line of preprocessed text.
struct Line<'a> {
    start: usize,
    text: &'a str,
    file: usize,
    /// Its number in the file, counted from 0.
    number: usize,
}

impl Before {
    /// Compares a preprocessed text with the files that it comes from, each with its name and text. `own` is the name of
    /// the file that markers without a name mean.
    pub fn new(
        text: &str,
        markers: &[Marker],
        own: &str,
        files: Vec<(Arc<str>, Arc<str>)>,
    ) -> Before {
        let files: Vec<File> = files
            .into_iter()
            .map(|(name, text)| File {
                starts: starts(&text),
                name,
                text,
            })
            .collect();
        let lines = lines(text, markers, own, &files);
        let mut pieces = Vec::new();
        for (at, line) in lines.iter().enumerate() {
            let text = line.text.trim_end();
            if text.is_empty() {
                continue;
            }
            let file = &files[line.file];
            let Some(original) = file.line(line.number) else {
                continue;
            };
            // Preprocessors write blanks for tabs.
            let text = text.trim_start();
            let written = &file.text[original.clone()];
            if written.trim() == text {
                let start = line.start + (line.text.len() - line.text.trim_start().len());
                let from = original.start + (written.len() - written.trim_start().len());
                pieces.push(Piece {
                    range: start..start + text.len(),
                    file: line.file,
                    from: from..from + text.len(),
                    is_same: true,
                });
                continue;
            }
            let parts = parts(file, line, &lines[at + 1..]);
            compared(line, &file.text, &parts, &mut pieces);
        }
        Before { files, pieces }
    }

    /// The text of a file.
    pub fn file(&self, name: &str) -> Option<&Arc<str>> {
        let file = self.files.iter().find(|known| *known.name == *name)?;
        Some(&file.text)
    }

    /// A line of a file, by its number from 1, without its end.
    pub fn line(&self, file: &str, number: u32) -> Option<&str> {
        let file = self.files.iter().find(|known| *known.name == *file)?;
        let line = file.line(number.checked_sub(1)? as usize)?;
        Some(file.text[line].trim_end_matches(['\n', '\r']))
    }

    /// Where a part of the preprocessed text comes from, if that is known.
    pub fn part(&self, range: Range<usize>) -> Option<Part<'_>> {
        let first = self
            .pieces
            .partition_point(|piece| piece.range.end <= range.start);
        let first = self.pieces.get(first)?;
        if range.start < first.range.start && range.end <= first.range.start {
            return None;
        }
        let behind = self
            .pieces
            .partition_point(|piece| piece.range.start < range.end.max(range.start + 1));
        let last = self.pieces.get(behind.checked_sub(1)?)?;
        let file = self.files.get(first.file)?;
        let start = match first.is_same {
            true => first.from.start + range.start.saturating_sub(first.range.start),
            false => first.from.start,
        };
        let mut end = start;
        if last.file == first.file && range.end > range.start {
            let inside = range.end.min(last.range.end) - last.range.start;
            let last_end = match last.is_same {
                true => last.from.start + inside,
                false => last.from.end,
            };
            let first_end = match first.is_same {
                true => start,
                false => first.from.end,
            };
            end = last_end.max(first_end);
        }
        let start = match last.is_same {
            false if last.file == first.file => start.min(last.from.start),
            _ => start,
        };
        let end = end.max(start);
        Some(Part {
            file: &file.name,
            text: file.text.get(start..end)?,
            whole: &file.text,
            range: start..end,
            start: file.place(start)?,
            end: file.place(end)?,
        })
    }
}

impl File {
    /// A line, by its number from 0, with its end.
    fn line(&self, number: usize) -> Option<Range<usize>> {
        let start = *self.starts.get(number)?;
        let end = self.starts.get(number + 1).copied();
        Some(start..end.unwrap_or(self.text.len()))
    }

    fn place(&self, offset: usize) -> Option<(u32, u32)> {
        let line = self.starts.partition_point(|&start| start <= offset);
        let start = *self.starts.get(line.checked_sub(1)?)?;
        let column = self.text.get(start..offset)?.chars().count() + 1;
        Some((u32::try_from(line).ok()?, u32::try_from(column).ok()?))
    }
}

/// Where the lines of a text start.
fn starts(text: &str) -> Vec<usize> {
    let behind = text.match_indices('\n').map(|(at, _)| at + 1);
    std::iter::once(0).chain(behind).collect()
}

/// The lines of the preprocessed text that come from one of the files; markers stand on none.
fn lines<'a>(text: &'a str, markers: &[Marker], own: &str, files: &[File]) -> Vec<Line<'a>> {
    let file_of = |name: &str| files.iter().position(|file| *file.name == *name);
    let mut markers = markers.iter().peekable();
    let mut file = file_of(own);
    let (mut number, mut start) = (0, 0);
    let mut lines = Vec::new();
    for line in text.split_inclusive('\n') {
        while let Some(marker) = markers.next_if(|marker| marker.offset as usize <= start) {
            number = (marker.line as usize).saturating_sub(1);
            file = file_of(marker.file.as_deref().unwrap_or(own));
        }
        let behind = start + line.len();
        let is_marker = markers
            .peek()
            .is_some_and(|marker| marker.offset as usize == behind);
        if let (Some(file), false) = (file, is_marker) {
            lines.push(Line {
                start,
                text: line,
                file,
                number,
            });
        }
        number += 1;
        start = behind;
    }
    lines
}

/// The lines of the file that became one line: the call of a macro may be longer, and lines may be spliced.
fn parts(file: &File, line: &Line<'_>, behind: &[Line<'_>]) -> Vec<Range<usize>> {
    let whole = &*file.text;
    let mut behind = behind.iter().peekable();
    let mut parts: Vec<Range<usize>> = Vec::new();
    let mut depth = 0;
    for number in line.number..line.number + MOST_LINES {
        let Some(part) = file.line(number) else {
            break;
        };
        if number > line.number {
            while behind.next_if(|next| next.number < number).is_some() {}
            let is_blank = behind
                .peek()
                .is_none_or(|next| next.number > number || next.text.trim().is_empty());
            if !is_blank {
                break;
            }
        }
        let text = &whole[part.clone()];
        if number > line.number && text.trim_start().starts_with('#') {
            continue;
        }
        for token in tokens(whole, part.clone()) {
            match &whole[token] {
                "(" => depth += 1,
                ")" => depth -= 1,
                _ => {}
            }
        }
        parts.push(part);
        let is_spliced = text.trim_end_matches(['\n', '\r']).ends_with('\\');
        if depth <= 0 && !is_spliced {
            break;
        }
    }
    parts
}

/// Which tokens of a line come from where.
fn compared(line: &Line<'_>, whole: &str, parts: &[Range<usize>], pieces: &mut Vec<Piece>) {
    let made: Vec<Range<usize>> = tokens(line.text, 0..line.text.len()).collect();
    let original: Vec<Range<usize>> = parts
        .iter()
        .flat_map(|part| tokens(whole, part.clone()))
        .collect();
    let (Some(first), Some(last)) = (original.first(), original.last()) else {
        return;
    };
    let all = first.start..last.end;
    let file = line.file;
    let piece = |token: &Range<usize>, from: Range<usize>, is_same| Piece {
        range: line.start + token.start..line.start + token.end,
        file,
        from,
        is_same,
    };
    if made.len().max(original.len()) > MOST_TOKENS {
        pieces.extend(made.iter().map(|token| piece(token, all.clone(), false)));
        return;
    }
    let old: Vec<&str> = original.iter().map(|t| &whole[t.clone()]).collect();
    let new: Vec<&str> = made.iter().map(|t| &line.text[t.clone()]).collect();
    // From tokens of the line to those of the file.
    let mut same: Vec<Option<usize>> = vec![None; new.len()];
    for operation in capture_diff_slices(Algorithm::Myers, &old, &new) {
        if let DiffOp::Equal {
            old_index,
            new_index,
            len,
        } = operation
        {
            for k in 0..len {
                same[new_index + k] = Some(old_index + k);
            }
        }
    }
    let calls = calls(&old, &same);
    let is_marked = |token: usize| {
        calls
            .iter()
            .any(|call| token == call.start || call.has_arguments && token == call.start + 1)
            || calls
                .iter()
                .any(|call| call.has_arguments && token + 1 == call.end)
    };
    for token in &mut same {
        if token.is_some_and(is_marked) {
            *token = None;
        }
    }
    let mut before = None;
    for (at, token) in made.iter().enumerate() {
        if let Some(known) = same[at] {
            before = Some(known);
            pieces.push(piece(token, original[known].clone(), true));
            continue;
        }
        let behind = same[at..].iter().find_map(|token| *token);
        let call = call_between(&calls, before, behind);
        let from = call.map_or(all.clone(), |call| {
            original[call.start].start..original[call.end - 1].end
        });
        pieces.push(piece(token, from, false));
    }
}

/// Tokens of a file that are a name which the preprocessor replaced, and its arguments.
#[derive(Debug)]
struct Call {
    start: usize,
    end: usize,
    has_arguments: bool,
}

fn calls(old: &[&str], same: &[Option<usize>]) -> Vec<Call> {
    let mut kept = vec![false; old.len()];
    for &token in same.iter().flatten() {
        kept[token] = true;
    }
    let is_name = |word: &str| word.starts_with(|c: char| c.is_alphabetic() || c == '_');
    let mut calls = Vec::new();
    for (start, word) in old.iter().enumerate() {
        if kept[start] || !is_name(word) {
            continue;
        }
        let mut end = start + 1;
        let mut depth = 0;
        if old.get(end) == Some(&"(") {
            for (at, word) in old.iter().enumerate().skip(end) {
                match *word {
                    "(" => depth += 1,
                    ")" => depth -= 1,
                    _ => {}
                }
                if depth == 0 {
                    end = at + 1;
                    break;
                }
            }
        }
        calls.push(Call {
            start,
            end,
            has_arguments: end > start + 1,
        });
    }
    calls
}

/// The call that made what stands between two tokens of the file.
fn call_between(calls: &[Call], before: Option<usize>, behind: Option<usize>) -> Option<&Call> {
    let (from, to) = (
        before.map_or(0, |token| token + 1),
        behind.unwrap_or(usize::MAX),
    );
    let inside = calls.iter().find(|call| (from..to).contains(&call.start));
    let around = || {
        let is_around = |call: &&Call| {
            [before, behind]
                .into_iter()
                .flatten()
                .any(|token| (call.start..call.end).contains(&token))
        };
        let around = calls.iter().filter(is_around);
        around.min_by_key(|call| call.end - call.start)
    };
    inside.or_else(around)
}

/// The tokens of a part of a text, without comments. A sign of several characters is several tokens.
fn tokens(text: &str, part: Range<usize>) -> impl Iterator<Item = Range<usize>> + '_ {
    let bytes = &text.as_bytes()[..part.end];
    let mut at = part.start;
    std::iter::from_fn(move || {
        loop {
            let byte = *bytes.get(at)?;
            let rest = &bytes[at..];
            if byte.is_ascii_whitespace() || byte == b'\\' {
                at += 1;
            } else if rest.starts_with(b"//") {
                at = bytes.len();
            } else if rest.starts_with(b"/*") {
                let close = rest[2..].windows(2).position(|pair| pair == b"*/");
                at = close.map_or(bytes.len(), |close| at + close + 4);
            } else {
                let start = at;
                at = end_of(bytes, at);
                return Some(start..at);
            }
        }
    })
}

fn end_of(bytes: &[u8], start: usize) -> usize {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80;
    let byte = bytes[start];
    if is_word(byte) {
        let length = bytes[start..].iter().take_while(|&&byte| is_word(byte));
        return start + length.count();
    }
    let mut at = start + 1;
    if byte == b'"' || byte == b'\'' {
        while let Some(&next) = bytes.get(at) {
            at += 1;
            if next == byte || next == b'\n' {
                break;
            }
            if next == b'\\' && at < bytes.len() {
                at += 1;
                while bytes.get(at).is_some_and(|byte| byte & 0xc0 == 0x80) {
                    at += 1;
                }
            }
        }
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the part of a line that `word` names comes from.
    fn from(file: &str, made: &str, word: &str) -> String {
        let text = format!("# 1 \"f.c\"\n{made}");
        let markers = crate::source::clean(&text).markers;
        let before = Before::new(&text, &markers, "f.c", vec![("f.c".into(), file.into())]);
        let at = text.find(word).unwrap();
        let part = before.part(at..at + word.len()).unwrap();
        part.text.to_owned()
    }

    #[test]
    fn what_a_macro_made_comes_from_its_call() {
        let file = "int f(void) { assert(twice(2) == 4); return N; }\n";
        let made = "int f(void) { ((twice(2) == 4) ? (void)0 : __assert_fail((const char *)0, 7)); return (1 + 2); }\n";
        let from = |word| from(file, made, word);
        assert_eq!(from("int f"), "int f");
        assert_eq!(from("twice(2)"), "twice(2)");
        assert_eq!(from("twice(2) == 4"), "twice(2) == 4");
        assert_eq!(
            from("__assert_fail((const char *)0, 7)"),
            "assert(twice(2) == 4)"
        );
        assert_eq!(from("(void)0"), "assert(twice(2) == 4)");
        assert_eq!(from("(1 + 2)"), "N");
        assert_eq!(from("return (1 + 2);"), "return N;");
        assert_eq!(from("}"), "}");
    }

    #[test]
    fn places_are_those_of_the_file() {
        let file = "int a;\nint ä = N + b;\n";
        let text = "# 1 \"f.c\"\nint a;\nint ä = (1 + 2) + b;\n";
        let markers = crate::source::clean(text).markers;
        let files = vec![("f.c".into(), file.into())];
        let before = Before::new(text, &markers, "f.c", files);
        let place = |word: &str| {
            let at = text.rfind(word).unwrap();
            let part = before.part(at..at + word.len()).unwrap();
            (part.file.to_owned(), part.start, part.end)
        };
        assert_eq!(place("b"), ("f.c".into(), (2, 13), (2, 14)));
        assert_eq!(place("2"), ("f.c".into(), (2, 9), (2, 10)));
        assert_eq!(place("a"), ("f.c".into(), (1, 5), (1, 6)));
        // What stands nowhere comes from nowhere.
        assert_eq!(before.part(0..3), None);
    }

    #[test]
    fn calls_inside_of_calls() {
        let file = "x = MAX(a, b) + 1; y = ABS(MAX(c, d));\n";
        let made =
            "x = ((a) > (b) ? (a) : (b)) + 1; y = ((((c) > (d) ? (c) : (d))) < 0 ? 1 : 2);\n";
        let from = |word| from(file, made, word);
        assert_eq!(from("> (b)"), "MAX(a, b)");
        assert_eq!(from("+ 1"), "+ 1");
        // It comes from the outer call, but the inner one's tokens stand right before it.
        assert_eq!(from("< 0 ? 1 : 2"), "MAX(c, d)");
        assert_eq!(from("y"), "y");
    }

    #[test]
    fn a_call_over_several_lines() {
        let file = "int a;\nCHECK(x ==\n  2,\n#define Z\n  \"no\"); int b;\nint c; N\n";
        let made = "int a;\nif (!(x == 2)) fail(\"no\"); int b;\n\n\n\nint c; 3\n";
        let from = |word| from(file, made, word);
        assert_eq!(from("fail"), "CHECK(x ==\n  2,\n#define Z\n  \"no\")");
        assert_eq!(from("int b"), "int b");
        assert_eq!(from("int c"), "int c");
        assert_eq!(from("3"), "N");
    }

    #[test]
    fn lines_that_are_the_same_are_taken_as_they_are() {
        let file = "int a; /* ä */ int b;\n";
        assert_eq!(from(file, file, "int b"), "int b");
    }
}
