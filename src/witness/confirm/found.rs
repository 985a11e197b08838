//! What the sanitizers of gcc and clang say.

/// Something undefined that happened, or memory that was lost.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Found {
    /// In the sanitizer's words.
    pub what: String,
    /// Whether it is memory that was not freed.
    pub is_leak: bool,
    /// The calls that it happened in, inner ones first: file and line.
    pub calls: Vec<(String, u32)>,
}

/// What is not undefined, but no run of the program as it is verified: memory never ends there.
const EXHAUSTED: [(&str, &str); 3] = [
    ("hard rss limit", "the memory is exhausted"),
    ("Sanitizer failed to allocate", "an allocation fails"),
    ("exceeds maximum supported size", "an allocation fails"),
];

/// Whether a line may be one of a sanitizer.
pub(super) fn is_wanted(line: &[u8]) -> bool {
    let has = |what: &[u8]| line.windows(what.len()).any(|part| part == what);
    line.trim_ascii().is_empty()
        || line.starts_with(b"    #")
        || has(b"runtime error: ")
        || has(b"Sanitizer")
        || has(b" leak of ")
}

/// Reads what was kept of the standard error.
pub(super) fn read(text: &str) -> Vec<Found> {
    let mut all: Vec<Found> = Vec::new();
    // Whether the lines that follow are about the last one.
    let mut open = false;
    for line in text.lines() {
        if let Some(frame) = line.strip_prefix("    #") {
            if let (true, Some(found)) = (open, all.last_mut())
                && let Some(place) = frame.split_whitespace().last().and_then(file_and_line)
            {
                found.calls.push(place);
            }
        } else if let Some((place, what)) = line.split_once(" runtime error: ") {
            all.push(Found {
                what: what.trim().to_owned(),
                is_leak: false,
                // Its calls follow only if they can be told.
                calls: place
                    .trim_end_matches(':')
                    .rsplit_once(':')
                    .and_then(|(place, _)| file_and_line(place))
                    .into_iter()
                    .collect(),
            });
            open = true;
        } else if let Some((_, what)) = line.split_once("ERROR: AddressSanitizer: ") {
            let what = what.split(" on ").next().unwrap_or(what);
            let what = what
                .split(" (")
                .next()
                .unwrap_or(what)
                .trim_end_matches(':');
            all.push(Found {
                what: what.to_owned(),
                is_leak: false,
                calls: Vec::new(),
            });
            open = true;
        } else if let Some(what) = EXHAUSTED
            .iter()
            .find_map(|(words, what)| line.contains(words).then_some(*what))
        {
            all.push(Found {
                what: what.to_owned(),
                is_leak: false,
                calls: Vec::new(),
            });
            open = false;
        } else if line.contains(" leak of ") {
            all.push(Found {
                what: line
                    .split(" allocated")
                    .next()
                    .unwrap_or(line)
                    .to_lowercase(),
                is_leak: true,
                calls: Vec::new(),
            });
            open = true;
        } else if line.trim().is_empty() {
            // The places where the memory was taken or freed come next.
            open = false;
        }
    }
    all
}

/// `/a/f.c:12`, or with a column.
fn file_and_line(place: &str) -> Option<(String, u32)> {
    let (file, last) = place.rsplit_once(':')?;
    let last: u32 = last.parse().ok()?;
    match file
        .rsplit_once(':')
        .map(|(file, line)| (file, line.parse()))
    {
        Some((file, Ok(line))) => Some((file.to_owned(), line)),
        _ => Some((file.to_owned(), last)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_are_read() {
        let text = "f.c:6:89: runtime error: signed integer overflow: 1 + 2 cannot be represented
    #0 0x55 in g /a/f.c:6
    #1 0x7f in main /a/f.c:9:3

==7==ERROR: AddressSanitizer: heap-use-after-free on address 0x60 at pc 0x55 bp 0x7f
    #0 0x55 in main /a/f.c:7

    #0 0x7f in free ../x.cpp:1
    #1 0x55 in main /a/f.c:5

==7==ERROR: LeakSanitizer: detected memory leaks

Direct leak of 4 byte(s) in 1 object(s) allocated from:
    #0 0x7f in malloc ../x.cpp:69
    #1 0x55 in main /a/v.c:3
";
        let found = read(text);
        let place = |file: &str, line| (file.to_owned(), line);
        assert_eq!(found.len(), 3, "{found:?}");
        assert_eq!(
            found[0].calls,
            [place("f.c", 6), place("/a/f.c", 6), place("/a/f.c", 9)]
        );
        assert_eq!(found[1].what, "heap-use-after-free");
        assert_eq!(found[1].calls, [place("/a/f.c", 7)]);
        assert!(found[2].is_leak);
        assert_eq!(found[2].calls[1], place("/a/v.c", 3));
        assert!(
            text.lines()
                .filter(|line| !line.starts_with("==7==ERR"))
                .all(|line| is_wanted(line.as_bytes()))
        );
        assert!(!is_wanted(b"hello\n"));
    }
}
