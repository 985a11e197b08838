//! Places as editors count them: lines from 0, and columns in the units that client and server agreed on.

use lsp_types::{Position, PositionEncodingKind, Range};
use ult_lang::span::{Span, line_starts};

/// The unit of columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// Bytes.
    Utf8,
    /// Units of UTF-16, which every client understands.
    Utf16,
}

impl Encoding {
    /// The best one that the client offers.
    pub fn negotiated(offered: Option<&[PositionEncodingKind]>) -> Encoding {
        match offered {
            Some(kinds) if kinds.contains(&PositionEncodingKind::UTF8) => Encoding::Utf8,
            _ => Encoding::Utf16,
        }
    }

    /// Its name in the protocol.
    pub fn kind(self) -> PositionEncodingKind {
        match self {
            Encoding::Utf8 => PositionEncodingKind::UTF8,
            Encoding::Utf16 => PositionEncodingKind::UTF16,
        }
    }

    /// How many units a text has.
    pub fn length(self, text: &str) -> u32 {
        let units = match self {
            Encoding::Utf8 => text.len(),
            Encoding::Utf16 => text.chars().map(char::len_utf16).sum(),
        };
        u32::try_from(units).unwrap_or(u32::MAX)
    }

    /// The byte offset of a column in a line; a column inside of a character counts as its start, one behind the end
    /// as the end.
    fn offset(self, line: &str, column: u32) -> usize {
        let mut units = 0;
        for (offset, c) in line.char_indices() {
            units += match self {
                Encoding::Utf8 => c.len_utf8(),
                Encoding::Utf16 => c.len_utf16(),
            };
            if units > column as usize {
                return offset;
            }
        }
        line.len()
    }
}

/// A text, and where its lines begin.
#[derive(Clone, Debug)]
pub struct Text {
    text: String,
    /// Offsets of the first characters of the lines.
    lines: Vec<usize>,
    encoding: Encoding,
}

/// The empty text.
impl Default for Text {
    fn default() -> Text {
        Text::new(String::new(), Encoding::Utf16)
    }
}

impl Text {
    /// The text with its lines.
    pub fn new(text: String, encoding: Encoding) -> Text {
        let lines = line_starts(&text).collect();
        Text {
            text,
            lines,
            encoding,
        }
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// A line without its end.
    pub fn line(&self, number: u32) -> &str {
        let number = number as usize;
        let Some(&start) = self.lines.get(number) else {
            return "";
        };
        let next = self.lines.get(number + 1);
        let line = &self.text[start..next.copied().unwrap_or(self.text.len())];
        line.trim_end_matches(['\r', '\n'])
    }

    /// How many lines there are; the one behind the last line break counts.
    pub fn line_count(&self) -> u32 {
        u32::try_from(self.lines.len()).unwrap_or(u32::MAX)
    }

    /// The byte offset of a position; one outside of the text counts as the nearest inside.
    pub fn offset(&self, position: Position) -> u32 {
        let offset = match self.lines.get(position.line as usize) {
            None => self.text.len(),
            Some(start) => {
                let line = self.line(position.line);
                start + self.encoding.offset(line, position.character)
            }
        };
        u32::try_from(offset).unwrap_or(u32::MAX)
    }

    /// The position of a byte offset.
    pub fn position(&self, offset: u32) -> Position {
        let mut offset = (offset as usize).min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        let line = self.lines.partition_point(|&start| start <= offset) - 1;
        let before = &self.text[self.lines[line]..offset];
        Position {
            line: u32::try_from(line).unwrap_or(u32::MAX),
            character: self.encoding.length(before),
        }
    }

    /// The range of a span.
    pub fn range(&self, span: Span) -> Range {
        Range {
            start: self.position(span.start),
            end: self.position(span.end),
        }
    }

    /// The position of the character with this number, counted from 0, in a line; places from elsewhere may lie behind
    /// its end, which counts as the end.
    pub fn position_of_character(&self, line: u32, number: u32) -> Position {
        let text = self.line(line);
        let before = text
            .char_indices()
            .nth(number as usize)
            .map_or(text, |(offset, _)| &text[..offset]);
        Position {
            line,
            character: self.encoding.length(before),
        }
    }

    /// The position behind the last character of a line.
    pub fn end_of_line(&self, line: u32) -> Position {
        Position {
            line,
            character: self.encoding.length(self.line(line)),
        }
    }

    /// Everything, from the first character to the end.
    pub fn whole(&self) -> Range {
        Range {
            start: Position::new(0, 0),
            end: self.position(u32::MAX),
        }
    }

    /// The text after an edit. Without a range, the new text replaces everything.
    #[must_use]
    pub fn edited(mut self, range: Option<Range>, new: &str) -> Text {
        let Some(range) = range else {
            return Text::new(new.to_owned(), self.encoding);
        };
        let start = self.offset(range.start) as usize;
        let end = (self.offset(range.end) as usize).max(start);
        self.text.replace_range(start..end, new);
        Text::new(self.text, self.encoding)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_and_offsets_are_inverse() {
        let text = "ab\nä€𝄞x\r\n\nz\ry";
        for encoding in [Encoding::Utf8, Encoding::Utf16] {
            let text = Text::new(text.into(), encoding);
            for (offset, c) in text.as_str().char_indices() {
                if c == '\r' || c == '\n' {
                    continue;
                }
                let offset = u32::try_from(offset).unwrap();
                assert_eq!(text.offset(text.position(offset)), offset, "{c}");
            }
            assert_eq!(text.line(1), "ä€𝄞x");
        }
        let utf16 = Text::new(text.into(), Encoding::Utf16);
        let x = u32::try_from(text.find('x').unwrap()).unwrap();
        assert_eq!(utf16.position(x), Position::new(1, 4));
        // Inside of a pair of surrogates, behind the line, behind the text.
        assert_eq!(utf16.offset(Position::new(1, 3)), x - 4);
        assert_eq!(utf16.offset(Position::new(0, 99)), 2);
        assert_eq!(utf16.offset(Position::new(99, 0)) as usize, text.len());
        assert_eq!(utf16.position_of_character(1, 3), Position::new(1, 4));
        assert_eq!(utf16.position_of_character(1, 99), Position::new(1, 5));
    }

    #[test]
    fn edits_are_made_where_the_editor_says() {
        let text = Text::new("one\ntwo\nthree".into(), Encoding::Utf16);
        let range = |a, b, c, d| Some(Range::new(Position::new(a, b), Position::new(c, d)));
        let text = text.edited(range(1, 1, 2, 2), "-");
        assert_eq!(text.as_str(), "one\nt-ree");
        assert_eq!(text.line_count(), 2);
        // A range that ends before it starts, and one outside of the text.
        let text = text.edited(range(1, 2, 0, 0), "+");
        assert_eq!(text.as_str(), "one\nt-+ree");
        let text = text.edited(range(7, 0, 9, 0), "!");
        assert_eq!(text.as_str(), "one\nt-+ree!");
        assert_eq!(text.edited(None, "new").as_str(), "new");
    }
}
