//! Places in the source text.

use std::fmt;
use std::sync::Arc;

/// A half-open range of byte offsets `start..end` in one source text.
///
/// Offsets always lie on character boundaries. Texts longer than 4 GiB are refused before lexing, so `u32` suffices.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Span {
    /// Offset of the first byte.
    pub start: u32,
    /// Offset just behind the last byte.
    pub end: u32,
}

impl Span {
    /// The range `start..end`.
    pub fn new(start: u32, end: u32) -> Span {
        Span { start, end }
    }

    /// The smallest range that contains both.
    pub fn join(self, other: Span) -> Span {
        Span {
            start: self.start.min(other.start),
            end: self.end.max(other.end),
        }
    }

    /// The empty range just behind this one, where something is missing.
    pub fn after(self) -> Span {
        Span {
            start: self.end,
            end: self.end,
        }
    }

    /// As a range for slicing the source text.
    pub fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}

impl From<std::ops::Range<usize>> for Span {
    fn from(range: std::ops::Range<usize>) -> Span {
        let number = |offset: usize| u32::try_from(offset).unwrap_or(u32::MAX);
        Span::new(number(range.start), number(range.end))
    }
}

/// The offsets of the first characters of the lines of a text. A line ends with LF, CR LF, or CR, for editors
/// (Language Server Protocol 3.17, "Text Documents") as for Boogie's scanner.
pub fn line_starts(text: &str) -> impl Iterator<Item = usize> + '_ {
    let bytes = text.as_bytes();
    let ends = bytes.iter().enumerate().filter(|&(offset, byte)| {
        *byte == b'\n' || *byte == b'\r' && bytes.get(offset + 1) != Some(&b'\n')
    });
    std::iter::once(0).chain(ends.map(|(offset, _)| offset + 1))
}

/// `3..7`; the round-trip tests erase exactly this form when they compare trees without their places.
impl fmt::Debug for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}..{}", self.start, self.end)
    }
}

/// From here on up to the next marker, the text comes from somewhere else: from a header, or from a library.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Marker {
    /// Where the first line begins that comes from there.
    pub offset: u32,
    /// The number of that line.
    pub line: u32,
    /// The name of the file; without one, it is the text's own file.
    pub file: Option<Arc<str>>,
}
