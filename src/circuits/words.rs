//! Lines and words with their places.

use ult_lang::diagnostic::{Id, Messages, Reported};
use ult_lang::span::Span;

/// A piece of the text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Word<'t> {
    /// What it says.
    pub text: &'t str,
    /// Where it is.
    pub span: Span,
}

/// The lines of a text, without their ends.
pub(super) fn lines(text: &str) -> impl Iterator<Item = Word<'_>> {
    let mut offset = 0;
    text.split_inclusive('\n').map(move |line| {
        let content = line.trim_end_matches(['\n', '\r']);
        let found = Word::at(content, offset);
        offset += line.len();
        found
    })
}

impl<'t> Word<'t> {
    /// A piece at an offset. Texts are shorter than 4 GiB.
    pub(crate) fn at(text: &'t str, offset: usize) -> Word<'t> {
        let number = |offset: usize| u32::try_from(offset).unwrap_or(u32::MAX);
        Word {
            text,
            span: Span::new(number(offset), number(offset + text.len())),
        }
    }

    /// The words of a line.
    pub(crate) fn words(self) -> impl Iterator<Item = Word<'t>> {
        let start = self.span.start as usize;
        self.text
            .split([' ', '\t', '\r'])
            .filter(|word| !word.is_empty())
            .map(move |word| {
                // Both are in one text.
                let offset = word.as_ptr() as usize - self.text.as_ptr() as usize;
                Word::at(word, start + offset)
            })
    }

    /// A number of decimal digits that is at most `most`.
    pub(crate) fn number(self, most: u64, messages: &mut Messages) -> Result<u64, Reported> {
        let is_number = !self.text.is_empty() && self.text.bytes().all(|b| b.is_ascii_digit());
        if !is_number {
            let message = format!("a number is needed in place of `{}`", shown(self.text));
            let label = "this is no number of decimal digits";
            return Err(messages.error(Id::CIRCUIT_SYNTAX, message, self.span, label));
        }
        match self.text.parse::<u64>() {
            Ok(number) if number <= most => Ok(number),
            _ => {
                let message = format!("the number `{}` is too large", shown(self.text));
                let label = format!("at most {most} is possible here");
                Err(messages.error(Id::CIRCUIT_SYNTAX, message, self.span, label))
            }
        }
    }
}

/// A text that is not too long to be shown in a message.
pub(super) fn shown(text: &str) -> String {
    const LONGEST: usize = 40;
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}
