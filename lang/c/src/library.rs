//! The part of the C library that is written in C (folder `stdlib`).
//!
//! [`completed`] appends to a program what it may need of it: the functions that are mentioned in bodies and
//! initialisers, and what those need. Line markers say where the pieces come from. Which calls are led there is
//! decided with the types at hand (`elaborate::link`); a program's own functions go first.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use crate::parse::declarations;
use crate::source;
use crate::source::words;

/// What the names of the library's files begin with. No file of a program has such a name.
pub const FOLDER: &str = "<stdlib>/";

/// What is in the names of the headers that come with `ult`, which are in a folder of the moment.
const HEADERS: &str = "/ult-include-";

/// The files, by name. What others need stands before them.
pub const FILES: &[(&str, &str)] = &[
    ("ult.c", include_str!("../stdlib/ult.c")),
    ("ctype.c", include_str!("../stdlib/ctype.c")),
    ("builtin.c", include_str!("../stdlib/builtin.c")),
    ("string.c", include_str!("../stdlib/string.c")),
    ("wchar.c", include_str!("../stdlib/wchar.c")),
    ("stdlib.c", include_str!("../stdlib/stdlib.c")),
    ("stdio.c", include_str!("../stdlib/stdio.c")),
    ("errno.c", include_str!("../stdlib/errno.c")),
    ("time.c", include_str!("../stdlib/time.c")),
    ("verifier.c", include_str!("../stdlib/verifier.c")),
];

/// The type of the elements that a call is about, in functions that are for elements of every type.
pub const ELEMENT: &str = "__ult_element";

/// What runs when `main` returns (C11 5.1.2.2.3).
pub const AT_END: &str = "__ult_run_handlers";

/// What `memset` is where the value is zero, and where the elements are integers.
pub const MEMSET: (&str, &str) = ("__ult_memset_zero", "__ult_memset_integer");

/// What `__VERIFIER_nondet_memory` is where the elements are integers.
pub const NONDET_INTEGERS: &str = "__ult_nondet_integers";

/// What the functions that print into strings are, where the format is known.
pub const PRINT: &str = "__ult_print";

/// The same for wide characters.
pub const PRINT_WIDE: &str = "__ult_print_wide";

/// What reads a string up to its end.
pub const READ_STRING: &str = "__ult_read_string";

/// The same for wide characters.
pub const READ_WIDE_STRING: &str = "__ult_read_wide_string";

/// What conversions of `scanf` are that store characters.
pub const SCAN_TEXT: &str = "__ult_scan_text";

/// What `scanf` and `fscanf` are but for what they store.
pub const SCAN: (&str, &str) = ("__ult_scan", "__ult_scan_stream");

/// What `rand` and `random` are in programs that give seeds.
pub const SEEDED: (&str, &str) = ("__ult_seeded_rand", "__ult_seeded_random");

/// What `qsort` and `bsearch` are where the comparison does more than compare.
pub const WITH_EFFECTS: (&str, &str) = ("__ult_qsort_any", "__ult_bsearch_any");

/// The variable for errors (C11 7.5).
const ERRNO: &str = "errno";

/// What comes along with a function although its text does not mention it.
const COMPANIONS: &[(&str, &[&str])] = &[
    ("memset", &[MEMSET.0, MEMSET.1]),
    ("__VERIFIER_nondet_memory", &[NONDET_INTEGERS]),
    ("sprintf", &[PRINT]),
    ("snprintf", &[PRINT]),
    ("vsprintf", &[PRINT]),
    ("vsnprintf", &[PRINT]),
    ("swprintf", &[PRINT_WIDE]),
    ("vswprintf", &[PRINT_WIDE]),
    ("scanf", &[SCAN_TEXT, SCAN.0]),
    ("fscanf", &[SCAN_TEXT, SCAN.1]),
    ("sscanf", &[SCAN_TEXT]),
    ("srand", &[SEEDED.0]),
    ("srandom", &[SEEDED.1]),
    ("qsort", &[WITH_EFFECTS.0]),
    ("bsearch", &[WITH_EFFECTS.1]),
    // Only programs that register something need an `exit` that calls it.
    ("atexit", &["exit", AT_END]),
];

/// Which arguments of a function are read as strings up to their ends.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Strings {
    /// These.
    At(&'static [usize]),
    /// Those that a format, which is this argument, converts as strings.
    Format(usize),
}

/// Functions without a body that read strings.
const READ_STRINGS: &[(&str, Strings)] = &[
    ("access", Strings::At(&[0])),
    ("chdir", Strings::At(&[0])),
    ("chmod", Strings::At(&[0])),
    ("dprintf", Strings::Format(1)),
    ("fdopen", Strings::At(&[1])),
    ("fopen", Strings::At(&[0, 1])),
    ("fprintf", Strings::Format(1)),
    ("fputs", Strings::At(&[0])),
    ("fwprintf", Strings::Format(1)),
    ("getenv", Strings::At(&[0])),
    ("mkdir", Strings::At(&[0])),
    ("opendir", Strings::At(&[0])),
    ("popen", Strings::At(&[0, 1])),
    ("printf", Strings::Format(0)),
    ("puts", Strings::At(&[0])),
    ("remove", Strings::At(&[0])),
    ("rename", Strings::At(&[0, 1])),
    ("rmdir", Strings::At(&[0])),
    ("snprintf", Strings::Format(2)),
    ("sprintf", Strings::Format(1)),
    ("swprintf", Strings::Format(2)),
    ("unlink", Strings::At(&[0])),
    ("wprintf", Strings::Format(0)),
];

/// The strings that a function reads, if it is one of these.
pub(crate) fn strings(name: &str) -> Option<Strings> {
    let bare = plain(name);
    let known = READ_STRINGS.iter().find(|(known, _)| *known == bare);
    known.map(|(_, strings)| *strings)
}

/// Functions whose checking variant has one more argument behind the others.
const CHECKED: &[&str] = &[
    "memcpy", "memmove", "mempcpy", "memset", "read", "stpcpy", "strcat", "strcpy", "strncat",
    "strncpy",
];

/// Pieces that come only as companions.
const COMPANIONS_ONLY: &[&str] = &["exit"];

/// The name of a function behind gcc's prefix, and without what only tells sizes to its checking variants.
pub fn plain(name: &str) -> &str {
    let bare = crate::functions::plain(name);
    bare.strip_prefix("__")
        .and_then(|inner| inner.strip_suffix("_chk"))
        .filter(|inner| CHECKED.contains(inner))
        .unwrap_or(bare)
}

/// Whether it is a checking variant: its last argument is a size that only the check needs.
pub fn is_checking(name: &str) -> bool {
    name.ends_with("_chk")
}

/// A declaration or definition of the library.
struct Piece {
    file: &'static str,
    line: usize,
    text: &'static str,
    /// The names that it mentions.
    needs: BTreeSet<&'static str>,
}

/// The pieces in order, and which one defines a name.
struct Pieces {
    all: Vec<Piece>,
    by_name: BTreeMap<&'static str, usize>,
}

fn pieces() -> &'static Pieces {
    static PIECES: OnceLock<Pieces> = OnceLock::new();
    PIECES.get_or_init(|| {
        let mut all = Vec::new();
        let mut by_name = BTreeMap::new();
        for &(file, text) in FILES {
            let code = source::clean(text).text;
            for chunk in declarations(&code) {
                let chunk = chunk.start..chunk.end.min(text.len());
                if chunk.is_empty() {
                    continue;
                }
                // The cleaned text has the same offsets, and only comments are missing in it.
                let names: Vec<&str> = words(&code[chunk.clone()])
                    .map(|place| &text[chunk.start + place.start..chunk.start + place.end])
                    .collect();
                if let Some(name) = defined(&code[chunk.clone()])
                    && let Some(name) = names.iter().find(|known| **known == name)
                {
                    by_name.insert(*name, all.len());
                }
                all.push(Piece {
                    file,
                    line: text[..chunk.start].matches('\n').count() + 1,
                    text: &text[chunk],
                    needs: names.into_iter().collect(),
                });
            }
        }
        Pieces { all, by_name }
    })
}

/// The name that a declaration of the library defines: of a function, what stands before its parameters; else the last
/// reserved name, or `errno`.
fn defined(code: &str) -> Option<&str> {
    let mut names = words(code).map(|place| (place.end, &code[place]));
    let Some((head, _)) = code.split_once(" {").filter(|_| code.ends_with('}')) else {
        return names
            .filter(|(_, name)| name.starts_with("__ult_") || *name == ERRNO)
            .last()
            .map(|(_, name)| name);
    };
    let mut depth = 0;
    let open = head.bytes().rposition(|byte| {
        match byte {
            b')' => depth += 1,
            b'(' => depth -= 1,
            _ => {}
        }
        byte == b'(' && depth == 0
    })?;
    names.find(|(end, _)| *end == open).map(|(_, name)| name)
}

/// The text with what it may need of the library behind it; a text that has it already as it is.
pub fn completed(text: &str) -> Cow<'_, str> {
    if !split(text).1.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut needed = BTreeSet::new();
    let code = source::clean(text).text;
    for chunk in declarations(&code) {
        let chunk = &code[chunk];
        // What is only declared needs nothing.
        if let Some((_, value)) = chunk.split_once(['{', '=']) {
            for place in words(value) {
                need(&value[place], &mut needed);
            }
        }
    }
    if needed.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut all = text.to_owned();
    if !text.ends_with('\n') {
        all.push('\n');
    }
    for index in needed {
        let Piece {
            file, line, text, ..
        } = &pieces().all[index];
        all += &format!("# {line} \"{FOLDER}{file}\"\n{text}\n");
    }
    Cow::Owned(all)
}

/// Adds the piece behind a name, and what that needs.
fn need(name: &str, needed: &mut BTreeSet<usize>) {
    let pieces = pieces();
    let mut work = vec![name];
    if COMPANIONS_ONLY.contains(&name) {
        return;
    }
    while let Some(name) = work.pop() {
        let bare = plain(name);
        let companions = COMPANIONS.iter().filter(|(known, _)| *known == bare);
        work.extend(companions.flat_map(|(_, more)| *more));
        match strings(name) {
            None => {}
            Some(Strings::At(_)) => work.push(READ_STRING),
            Some(Strings::Format(_)) => work.extend([READ_STRING, READ_WIDE_STRING]),
        }
        let index = pieces.by_name.get(name).or(pieces.by_name.get(bare));
        let Some(&index) = index else { continue };
        if needed.insert(index) {
            work.extend(&pieces.all[index].needs);
        }
    }
}

/// The program's own text and, behind it, what [`completed`] appended.
pub fn split(text: &str) -> (&str, &str) {
    let start = text
        .match_indices(FOLDER)
        .map(|(at, _)| text[..at].rfind('\n').map_or(0, |end| end + 1))
        .find(|&start| text[start..].starts_with("# "));
    text.split_at(start.unwrap_or(text.len()))
}

/// The functions of the library that a program can call.
pub fn functions() -> impl Iterator<Item = &'static str> {
    let names = pieces().by_name.keys().copied();
    names.filter(|name| !name.starts_with("__ult_") && *name != ERRNO)
}

/// Whether a file is one of the library's, or one of its headers.
pub fn is_library_file(file: &str) -> bool {
    file.starts_with(FOLDER) || is_header(file)
}

/// Whether a file is a header that comes with `ult`.
pub fn is_header(file: &str) -> bool {
    file.contains(HEADERS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::functions::UNSUPPORTED;

    fn appended(text: &str) -> Vec<String> {
        let all = completed(text);
        let (own, library) = split(&all);
        assert_eq!(own.trim_end(), text.trim_end());
        let markers = library.lines().filter(|line| line.starts_with("# "));
        markers.map(str::to_owned).collect()
    }

    #[test]
    fn what_is_mentioned_in_bodies_is_appended() {
        assert_eq!(appended("int strlen(char *); int main(void) { }"), [""; 0]);
        assert_eq!(appended("int main(void) { return exit(0); }"), [""; 0]);
        for text in [
            "int main(void) { return toupper(1); }",
            "int (*f)(int) = toupper;",
            "int main(void) { return __builtin_toupper(1); }",
        ] {
            let found = appended(text);
            assert_eq!(found.len(), 1, "{found:?}");
            assert!(found[0].ends_with("<stdlib>/ctype.c\""), "{found:?}");
            let all = completed(text);
            assert_eq!(completed(&all), all);
        }
        let found = appended("int main(void) { __builtin___memset_chk(0, 0, 0, 0); }");
        assert!(found.len() > 3, "{found:?}");
        assert!(found.iter().any(|line| line.contains("string.c")));
    }

    #[test]
    fn every_piece_has_its_name_and_what_it_needs() {
        let pieces = pieces();
        for (index, piece) in pieces.all.iter().enumerate() {
            let name = defined(source::clean(piece.text).text.trim_end()).map(str::to_owned);
            let name = name.unwrap_or_else(|| panic!("{}", piece.text));
            assert_eq!(pieces.by_name.get(&*name), Some(&index), "{name}");
            for needed in &piece.needs {
                let made_here =
                    needed.starts_with("__ult_") && ![ELEMENT, UNSUPPORTED].contains(needed);
                if made_here {
                    assert!(pieces.by_name.contains_key(needed), "{name}: {needed}");
                }
            }
        }
        for name in ["strlen", "qsort", "div", "memcpy", "__builtin_clz", AT_END] {
            assert!(pieces.by_name.contains_key(name), "{name}");
        }
    }

    #[test]
    fn lines_are_those_of_the_files() {
        let all = completed("int main(void) { return isspace(1); }");
        let (_, library) = split(&all);
        let lines: Vec<&str> = library.lines().collect();
        let starts = lines.windows(2).filter(|pair| pair[0].starts_with("# "));
        for pair in starts {
            let (marker, first) = (pair[0], pair[1]);
            let (line, file) = marker[2..].split_once(' ').unwrap();
            let file = file.trim_matches('"').strip_prefix(FOLDER).unwrap();
            let (_, text) = FILES.iter().find(|(name, _)| *name == file).unwrap();
            let line: usize = line.parse().unwrap();
            assert_eq!(text.lines().nth(line - 1), Some(first));
        }
    }
}
