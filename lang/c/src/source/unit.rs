//! Several translation units (C11 5.1.1.1) in one text: each begins with a pragma.
//!
//! So everybody who reads a C program reads one text with one kind of places, whether it is one file or several.

use std::ops::Range;
use std::sync::Arc;

use ult_lang::diagnostic::{Diagnostic, Id};

/// The words of the pragma.
pub(super) const PRAGMA: [&str; 3] = ["pragma", "ult", "unit"];

/// The text of a program that consists of several preprocessed files, each with its name and text.
///
/// # Errors
/// The number of a file in which a comment begins that it does not end: what follows would be a part of that.
pub fn joined<'a>(files: impl IntoIterator<Item = (&'a str, &'a str)>) -> Result<String, usize> {
    let mut all = String::new();
    let mut count = 0;
    for (number, (name, text)) in files.into_iter().enumerate() {
        let alone = super::clean(text);
        let is_open = |told: &Diagnostic| told.id == Id::UNCLOSED_COMMENT;
        if alone.diagnostics.iter().any(is_open) {
            return Err(number);
        }
        // It may have several units already.
        count += alone.units.len() + 1;
        let name = name.replace('\\', "\\\\").replace('"', "\\\"");
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let pragma = PRAGMA.join(" ");
        // The last line may end with a splice, which takes the first line end.
        all += &format!("#{pragma}\n# 1 \"{name}\"\n{text}\n\n");
        if split(&all).len() != count {
            return Err(number);
        }
    }
    Ok(all)
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
        let text = text.unwrap();
        let parts: Vec<&str> = split(&text).into_iter().map(|range| &text[range]).collect();
        let [first, second] = parts[..] else {
            panic!("{parts:?}");
        };
        assert!(first.contains("int x;") && first.contains("*/"), "{first}");
        assert!(second.starts_with("# 1 \"c.c\"\nint y;"), "{second}");
        let markers = super::super::clean(&text).markers;
        let names: Vec<_> = markers.iter().filter_map(|m| m.file.as_deref()).collect();
        assert_eq!(names, ["a \"b\".c", "c.c"]);
        assert_eq!(split("int x;"), vec![0..6; 1]);
        assert_eq!(
            files(&text).iter().map(|file| &**file).collect::<Vec<_>>(),
            names
        );
        assert!(files("int x;").is_empty());
    }

    #[test]
    fn no_file_reaches_into_the_next_one() {
        assert_eq!(
            joined([("a.c", "int x; /*"), ("b.c", "/* */ int y;")]),
            Err(0)
        );
        assert_eq!(joined([("a.c", ""), ("b.c", "int y; /* \n")]), Err(1));
        for last in [
            "int x; // \\",
            "int x; // \\\n",
            "int x",
            "int f(void) {",
            "char *s = \"",
        ] {
            let text = joined([("a.c", last), ("b.c", "int y;")]).unwrap();
            let pieces = split(&text);
            assert_eq!(pieces.len(), 2, "{last}");
            assert!(text[pieces[1].clone()].starts_with("# 1 \"b.c\""), "{last}");
        }
    }
}
