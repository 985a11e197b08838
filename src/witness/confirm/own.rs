//! The user's own files, as the compiler reads them.
//!
//! A violation was found in a text that our headers and macros are part of. The compiler gets the user's file with its own ones;
//! the mark goes to the same call, in the same line, of what its preprocessor makes of that. An assertion in a comment becomes a
//! statement in the file itself.

use ult_c::source::{clean, has_directives, unit};
use ult_driver::Source;
use ult_lang::span::Span;

use super::text::{MARK, Mark, Marked, own_text};

/// Puts the user's files in the place of the units that were made of them by a preprocessor, which `preprocess` does again.
///
/// # Errors
/// In words, if the compiler does not accept a file, or the place of the violation is not found in it.
pub(super) fn replace(
    marked: &mut Marked,
    source: &Source,
    violated: Span,
    preprocess: impl Fn(&str, &str) -> Result<String, String>,
) -> Result<(), String> {
    let whole = own_text(source);
    // Lines as the preprocessor tells them, for both texts alike.
    let source_lines = Source::preprocessed(source.name.clone(), whole, source.markers());
    // In the text of the library, it has no mark.
    let is_inside = (violated.start as usize) < whole.len();
    let line = if is_inside {
        source_lines.start(violated).line
    } else {
        0
    };
    let units = unit::split(whole);
    let is_single = units.len() == 1;
    for (range, compiled) in units.into_iter().zip(&mut marked.units) {
        let marker = source
            .markers()
            .iter()
            .find(|marker| range.contains(&(marker.offset as usize)) && marker.file.is_some());
        let name = match marker.and_then(|marker| marker.file.as_deref()) {
            Some(name) if !is_single => name,
            _ => &*source.name,
        };
        let own = source
            .text_of_file(name)
            .filter(|text| !name.ends_with(".i") && has_directives(text));
        let Some(own) = own else {
            continue;
        };
        let is_here = range.contains(&(violated.start as usize));
        let text = match &marked.mark {
            Mark::Assertion(check) if is_here => {
                let made = preprocess(name, &with_check(own, line, check)?)?;
                if !made.contains(MARK) {
                    return Err("the compiler leaves out the place of the violation".into());
                }
                made
            }
            Mark::Call(word) | Mark::Label(word) if is_here => {
                let made = preprocess(name, own)?;
                let file = source.file(violated);
                let inside = &whole[range.clone()];
                let places = places(
                    &source_lines,
                    inside,
                    range.start,
                    &marked.mark,
                    word,
                    file,
                    line,
                );
                let index = places.iter().position(|at| *at == violated.start as usize);
                let other =
                    Source::preprocessed(source.name.clone(), made.as_str(), clean(&made).markers);
                let found = self::places(&other, &made, 0, &marked.mark, word, file, line);
                let at = index
                    .and_then(|index| found.get(index))
                    .filter(|_| found.len() == places.len());
                let Some(&at) = at else {
                    return Err(
                        "the place of the violation is not found in what the compiler reads".into(),
                    );
                };
                inserted(&made, at, &marked.mark)?
            }
            _ => preprocess(name, own)?,
        };
        let name = name.replace(['\\', '"', '\n'], "_");
        *compiled = format!("extern void {MARK}(void);\n# 1 \"{name}\"\n{text}\n");
    }
    Ok(())
}

/// The file with a statement in the place of the assertion in a comment that begins on a line.
fn with_check(own: &str, line: u32, check: &str) -> Result<String, String> {
    let annotations = clean(own).annotations.into_iter().filter(|annotation| {
        let before = own.get(..annotation.range.start).unwrap_or_default();
        annotation.asserts && before.matches('\n').count() + 1 == line as usize
    });
    let mut ranges = annotations.map(|annotation| annotation.range);
    match (ranges.next(), ranges.next()) {
        (Some(range), None) => Ok(format!(
            "{}{check}{}",
            &own[..range.start],
            &own[range.end..]
        )),
        _ => Err("the assertion is not alone on its line".into()),
    }
}

/// Where a function is called on a line of a file, or a label stands, in a preprocessed text.
fn places(
    source: &Source,
    text: &str,
    offset: usize,
    mark: &Mark,
    word: &str,
    file: &str,
    line: u32,
) -> Vec<usize> {
    let wanted = match mark {
        Mark::Label(_) => ':',
        _ => '(',
    };
    let is_letter = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let file = file.trim_start_matches("./");
    let found = text.match_indices(word).filter(|(at, _)| {
        let (before, behind) = (&text[..*at], &text[at + word.len()..]);
        !before.ends_with(is_letter) && behind.trim_start().starts_with(wanted)
    });
    let places = found.map(|(at, _)| at + offset).filter(|at| {
        let start = u32::try_from(*at).unwrap_or(u32::MAX);
        let span = Span::new(start, start.saturating_add(1));
        source.start(span).line == line && source.file(span).trim_start_matches("./") == file
    });
    places.collect()
}

/// The text with the mark at a call or label.
fn inserted(text: &str, at: usize, mark: &Mark) -> Result<String, String> {
    let behind = &text[at..];
    let broken = || "the end of the call is not found in what the compiler reads".to_owned();
    if let Mark::Label(_) = mark {
        let colon = at + behind.find(':').ok_or_else(broken)? + 1;
        let jump = format!(" if ({MARK}(), 0) {{}} else ");
        return Ok(format!("{}{jump}{}", &text[..colon], &text[colon..]));
    }
    let bytes = behind.as_bytes();
    let (mut end, mut depth) = (0, 0);
    while let Some(&byte) = bytes.get(end) {
        end = ult_c::source::end_of_token(bytes, end);
        match byte {
            b'(' => depth += 1,
            b')' if depth == 1 => {
                let (call, rest) = behind.split_at(end);
                return Ok(format!("{}({MARK}(), {call}){rest}", &text[..at]));
            }
            b')' => depth -= 1,
            _ => {}
        }
    }
    Err(broken())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_go_to_calls_and_labels() {
        let call = Mark::Call("f".into());
        let marked = inserted("x = f(\")\", (1)) + 2;", 4, &call);
        assert_eq!(
            marked.unwrap(),
            format!("x = ({MARK}(), f(\")\", (1))) + 2;")
        );
        let label = Mark::Label("L".into());
        assert!(
            inserted("L : x;", 0, &label)
                .unwrap()
                .starts_with("L : if (")
        );
        assert!(inserted("f(", 0, &call).is_err());
    }

    #[test]
    fn an_assertion_in_a_comment_becomes_a_statement() {
        let own = "{\n  x; //@ assert x;\n}";
        assert_eq!(with_check(own, 2, "if (y);").unwrap(), "{\n  x; if (y);\n}");
        assert!(with_check(own, 1, "").is_err());
    }
}
