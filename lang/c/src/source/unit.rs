//! Several translation units (C11 5.1.1.1) in one text: each begins with a pragma.
//!
//! So everybody who reads a C program reads one text with one kind of places, whether it is one file or several.

use std::ops::Range;
use std::sync::Arc;

/// The words of the pragma.
pub(super) const PRAGMA: [&str; 3] = ["pragma", "ult", "unit"];

/// The text of a program that consists of several preprocessed files, each with its name and text.
pub fn joined<'a>(files: impl IntoIterator<Item = (&'a str, &'a str)>) -> String {
    let mut all = String::new();
    for (name, text) in files {
        let name = name.replace('\\', "\\\\").replace('"', "\\\"");
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        all += &format!("#{}\n# 1 \"{name}\"\n{text}", PRAGMA.join(" "));
        if !all.ends_with('\n') {
            all.push('\n');
        }
    }
    all
}

/// Where the units of a text are; a text without the pragma is one.
pub fn split(text: &str) -> Vec<Range<usize>> {
    pieces(&super::clean(text).units, text.len())
}

/// The files that the units of a text come from, if it has several.
pub fn files(text: &str) -> Vec<Arc<str>> {
    let source = super::clean(text);
    if source.units.len() < 2 {
        return Vec::new();
    }
    let markers = source.markers.iter();
    let first = |start: &usize| {
        let mut behind = markers
            .clone()
            .filter(|marker| marker.offset as usize >= *start);
        behind.find_map(|marker| marker.file.clone())
    };
    source.units.iter().filter_map(first).collect()
}

/// The pieces that begin at these offsets. What stands before the first pragma belongs to the first unit, so that
/// nothing is lost.
pub(crate) fn pieces(starts: &[usize], end: usize) -> Vec<Range<usize>> {
    let others = starts.iter().skip(1).copied();
    let starts = std::iter::once(0).chain(others.clone());
    starts
        .zip(others.chain([end]))
        .map(|(start, end)| start..end)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_joined_and_told_apart() {
        let text = joined([
            ("a \"b\".c", "int x; /*\n#pragma ult unit\n*/"),
            ("c.c", "int y;\n"),
        ]);
        let parts: Vec<&str> = split(&text).into_iter().map(|range| &text[range]).collect();
        let [first, second] = parts[..] else {
            panic!("{parts:?}");
        };
        assert!(first.contains("int x;") && first.contains("*/"), "{first}");
        assert!(second.starts_with("# 1 \"c.c\"\nint y;"), "{second}");
        let markers = super::super::clean(&text).markers;
        let names: Vec<_> = markers.iter().filter_map(|m| m.file.as_deref()).collect();
        assert_eq!(names, ["a \"b\".c", "c.c"]);
        assert_eq!(split("int x;"), [0..6]);
        assert_eq!(
            files(&text).iter().map(|file| &**file).collect::<Vec<_>>(),
            names
        );
        assert!(files("int x;").is_empty());
    }
}
