//! Comments: what stands between tokens besides blanks.

use super::Spanned;
use crate::span::Span;

/// A comment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Comment {
    /// Its place; the line break behind `// ...` does not belong to it.
    pub span: Span,
    /// Whether it is `/* ... */`.
    pub is_block: bool,
}

/// The comments of a text, given its tokens.
pub fn comments(text: &str, tokens: &[Spanned]) -> Vec<Comment> {
    let mut comments = Vec::new();
    let mut start = 0;
    let ends = tokens.iter().map(|token| token.span);
    for span in ends.chain([Span::new(offset(text.len()), offset(text.len()))]) {
        between(text, start, span.start as usize, &mut comments);
        start = span.end as usize;
    }
    comments
}

fn between(text: &str, mut start: usize, end: usize, comments: &mut Vec<Comment>) {
    while let Some(rest) = text.get(start..end) {
        let Some(first) = rest.find('/') else { return };
        start += first;
        let rest = &rest[first..];
        let is_block = rest.starts_with("/*");
        let length = if is_block {
            block(rest)
        } else {
            rest.find(['\n', '\r']).unwrap_or(rest.len())
        };
        comments.push(Comment {
            span: Span::new(offset(start), offset(start + length)),
            is_block,
        });
        start += length.max(1);
    }
}

/// The length of the comment `/* ... */` at the beginning of a text; comments nest.
fn block(text: &str) -> usize {
    let bytes = text.as_bytes();
    let (mut depth, mut i) = (0usize, 0);
    while i + 1 < bytes.len() {
        match &bytes[i..i + 2] {
            b"/*" => depth += 1,
            b"*/" => depth = depth.saturating_sub(1),
            _ => {
                i += 1;
                continue;
            }
        }
        i += 2;
        if depth == 0 {
            return i;
        }
    }
    text.len()
}

fn offset(offset: usize) -> u32 {
    u32::try_from(offset).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::token::{Language, tokenize};

    #[test]
    fn comments_are_found_between_tokens() {
        let text = "// a /* b\nx /* c /* // d */ */ / \"// e\"// f";
        let (tokens, _) = tokenize(text, Language::Boogie);
        let found: Vec<_> = comments(text, &tokens)
            .iter()
            .map(|comment| (&text[comment.span.range()], comment.is_block))
            .collect();
        assert_eq!(
            found,
            [
                ("// a /* b", false),
                ("/* c /* // d */ */", true),
                ("// f", false)
            ]
        );
    }
}
