//! Lines and columns of the user's file, and offsets in the text that is verified.

use ult_lang::span::Span;

use super::Location;
use ult_driver::Source;

/// Between the user's file and the text.
#[derive(Clone, Copy, Debug)]
pub struct Places<'a> {
    /// The text.
    pub source: &'a Source,
    /// Whether the text is what the preprocessor made of the file; else it is the file's.
    pub is_preprocessed: bool,
}

impl Places<'_> {
    /// The place of an offset; `None` if it is in another file.
    pub fn location(&self, offset: u32) -> Option<Location> {
        let here = Span::new(offset, offset);
        if ult_c::library::is_library_file(self.source.file(here)) {
            return None;
        }
        let place = match self.is_preprocessed {
            true => {
                if self.source.other_file(here).is_some() {
                    return None;
                }
                self.source.start(here)
            }
            false => self.source.physical(offset),
        };
        Some(Location {
            line: place.line,
            column: Some(place.column),
        })
    }

    /// Of several offsets, the one at the place; the nearest one on the line if the column is not exact, as behind a
    /// preprocessor.
    pub fn nearest(&self, wanted: Location, offsets: impl Iterator<Item = u32>) -> Option<u32> {
        offsets
            .filter_map(|offset| {
                let location = self.location(offset)?;
                let distance = match (location.column, wanted.column) {
                    (Some(column), Some(wanted)) => column.abs_diff(wanted),
                    (column, _) => column.unwrap_or(0),
                };
                let exact = self.is_preprocessed || wanted.column.is_none() || distance == 0;
                (location.line == wanted.line && exact).then_some((distance, offset))
            })
            .min()
            .map(|(_, offset)| offset)
    }
}
