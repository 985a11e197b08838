//! Annotations on their way through the preprocessor.
//!
//! For the preprocessor a comment is a space (C11 5.1.1.2, phase 3), and so it must be for macros: `assert /* why */ (x)` is
//! a call of the macro. Only annotations have to come back. Where no macro can see them, a name stands for each meanwhile;
//! an assertion anywhere else is refused.

use std::ops::Range;

use ult_lang::diagnostic::Diagnostic;

use super::annotation::not_covered;
use super::end_of_token;

/// How the names begin that stand for annotations.
const NAME: &str = "__ult_annotation_";

/// A text with names for its annotations.
#[derive(Clone, Debug, Default)]
pub struct Kept {
    /// The text. Its lines are those of the original.
    pub text: String,
    /// The annotations, and where they stood.
    annotations: Vec<(String, Range<usize>)>,
}

/// Puts names in the place of annotations.
///
/// # Errors
/// An assertion that a macro could see, or lose.
pub fn hidden(text: &str) -> Result<Kept, Box<Diagnostic>> {
    let mut kept = Kept::default();
    let mut at = 0;
    for annotation in super::clean(text).annotations {
        let range = annotation.range;
        let refused = annotation.in_macro || text.contains(NAME);
        if refused && annotation.asserts {
            let why = "a macro may change or lose it";
            return Err(Box::new(not_covered(range.start, range.end, why)));
        }
        let (Some(before), Some(comment), false) =
            (text.get(at..range.start), text.get(range.clone()), refused)
        else {
            continue;
        };
        kept.text += before;
        // Nothing moves where nothing has to.
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        if kept.text.ends_with(is_word) {
            kept.text.push(' ');
        }
        kept.text += &format!("{NAME}{}__", kept.annotations.len());
        if text[range.end..].starts_with(is_word) && !comment.contains('\n') {
            kept.text.push(' ');
        }
        kept.text.extend(comment.matches('\n'));
        at = range.end;
        kept.annotations.push((comment.to_owned(), range));
    }
    kept.text += text.get(at..).unwrap_or_default();
    Ok(kept)
}

/// Whether an assertion in a comment is in a text.
pub fn asserts(text: &str) -> bool {
    let annotations = super::clean(text).annotations;
    annotations.iter().any(|annotation| annotation.asserts)
}

impl Kept {
    /// Whether there are no annotations.
    pub fn is_empty(&self) -> bool {
        self.annotations.is_empty()
    }

    /// What the preprocessor made of the text, with the annotations.
    ///
    /// # Errors
    /// An annotation that a macro has changed or multiplied.
    pub fn restored(&self, made: String) -> Result<String, Box<Diagnostic>> {
        if self.is_empty() {
            return Ok(made);
        }
        let mut found = vec![0; self.annotations.len()];
        let mut out = String::with_capacity(made.len());
        let (mut at, mut copied) = (0, 0);
        while at < made.len() {
            let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80;
            let rest = &made.as_bytes()[at..];
            let end = match rest.iter().position(|byte| !is_word(*byte)) {
                Some(0) => end_of_token(made.as_bytes(), at).max(at + 1),
                Some(length) => at + length,
                None => made.len(),
            };
            let token = made.get(at..end).unwrap_or_default();
            at = end;
            let Some(first) = token.find(NAME) else {
                continue;
            };
            let number = token[first + NAME.len()..].split('_').next();
            let number = number.and_then(|digits| digits.parse::<usize>().ok());
            let known = number.and_then(|n| Some((self.annotations.get(n)?, found.get_mut(n)?)));
            let Some(((comment, range), count)) = known else {
                continue;
            };
            *count += 1;
            if *count > 1 || Some(token) != number.map(|n| format!("{NAME}{n}__")).as_deref() {
                let why = "a macro has changed or multiplied it";
                return Err(Box::new(not_covered(range.start, range.end, why)));
            }
            out += made.get(copied..end - token.len()).unwrap_or_default();
            out += comment;
            if comment.starts_with("//") && !made[end..].trim_start_matches(' ').starts_with('\n') {
                out.push('\n');
            }
            // The lines that the comment takes were left free.
            for _ in comment.matches('\n') {
                let Some(behind) = made[at..].trim_start_matches(' ').strip_prefix('\n') else {
                    break;
                };
                if behind.starts_with('#') {
                    break;
                }
                at = made.len() - behind.len();
            }
            copied = at;
        }
        out += made.get(copied..).unwrap_or_default();
        Ok(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn annotations_come_back() {
        for text in [
            "{ //@ assert x;\n y; }",
            "{ /*@ assert x\n && y; */ z; }\n",
            "/*@ requires x; */\nint f(int x);",
        ] {
            let kept = hidden(text).unwrap();
            assert!(!kept.text.contains('@'), "{}", kept.text);
            assert_eq!(kept.text.matches('\n').count(), text.matches('\n').count());
            let restored = kept.restored(kept.text.clone()).unwrap();
            let words = |text: &str| text.split_whitespace().collect::<String>();
            assert_eq!(words(&restored), words(text));
            assert_eq!(restored.matches('\n').count(), text.matches('\n').count());
        }
    }

    #[test]
    fn what_macros_could_see_is_refused() {
        for text in [
            "#define M(x) /*@ assert x; */ x++",
            "M(x; //@ assert x;\n )",
            "assert //@ assert x;\n (y);",
        ] {
            assert!(hidden(text).is_err(), "{text}");
        }
        let kept = hidden("{ //@ assert x;\n }").unwrap();
        let name = kept.text.trim_matches(['{', '}', ' ', '\n']).to_owned();
        assert!(kept.restored(format!("{name} {name}")).is_err());
        assert!(kept.restored(format!("\"{name}\"")).is_err());
        assert_eq!(kept.restored("x".into()).unwrap(), "x");
        assert!(
            hidden("f(1, /*@ loop invariant x; */ 2);")
                .unwrap()
                .is_empty()
        );
    }
}
