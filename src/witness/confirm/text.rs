//! The text of the program, with a mark where the violation is.
//!
//! What is compiled is what the user wrote: a file that went through the preprocessor goes through it again for the compiler,
//! with the system's headers and the compiler's macros (see `own`), so that a mistake in ours is not confirmed by itself. Other
//! texts are compiled as they were verified, without the parts of the C library that `ult` adds to them.

use ult_c::library::FOLDER;

use ult_driver::{ObligationReport, Source};

/// The function that is called where the violation is.
pub(super) const MARK: &str = "__ult_reached";

/// A program to be compiled.
pub(super) struct Marked {
    /// The texts of its translation units.
    pub units: Vec<String>,
    /// Whether the violation has a mark; otherwise it is something undefined, and sanitizers have to see it.
    pub has_mark: bool,
    /// What the mark belongs to.
    pub mark: Mark,
}

/// What a violation is in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    /// Something undefined.
    None,
    /// An assertion in a comment, and the statement that checks it.
    Assertion(String),
    /// A label.
    Label(String),
    /// A call of a function.
    Call(String),
}

/// The program of a report, with a mark if the violation is one that has none by itself.
pub(super) fn marked(source: &Source, violated: &ObligationReport) -> Result<Marked, String> {
    let own = own_text(source);
    let (start, end) = (violated.span.start as usize, violated.span.end as usize);
    let Some(at) = own.get(start..end) else {
        // In the text of the library, which is not compiled.
        return Ok(Marked {
            units: with_head(source, own, "", ""),
            has_mark: false,
            mark: Mark::None,
        });
    };
    let written = at.trim_end();
    let behind = own.get(start..).unwrap_or_default();
    let length = match written.get(..3) {
        // The place ends with the assertion; the comment goes on.
        Some("//@") => behind.find('\n').unwrap_or(behind.len()),
        Some("/*@") => behind.find("*/").map_or(written.len(), |at| at + 2),
        _ => written.len(),
    };
    let end = start + length;
    let written = behind.get(..length).unwrap_or_default();
    let mut mark = Mark::None;
    let replaced = if let Some(comment) = annotation(written) {
        let condition = condition(comment)?;
        // Lines must stay where they are.
        let lines = |text: &str| text.matches('\n').count();
        let missing = lines(written).saturating_sub(lines(&condition));
        let check = format!("if (!({condition})) {MARK}();{}", "\n".repeat(missing));
        mark = Mark::Assertion(check.clone());
        Some(check)
    } else if violated.description.starts_with("label ") && is_name(written) {
        return match own[end..].find(':') {
            // One statement, whatever stands around it.
            Some(colon) => Ok(Marked {
                units: with_head(
                    source,
                    &own[..end + colon + 1],
                    &format!(" if ({MARK}(), 0) {{}} else "),
                    &own[end + colon + 1..],
                ),
                has_mark: true,
                mark: Mark::Label(written.to_owned()),
            }),
            None => Err("the label is not found".into()),
        };
    } else if is_own_failure(&violated.description) && written.ends_with(')') {
        let name = written.split('(').next().unwrap_or_default().trim();
        mark = Mark::Call(name.to_owned());
        Some(format!("({MARK}(), {written})"))
    } else {
        None
    };
    Ok(match replaced {
        Some(replaced) => Marked {
            units: with_head(source, &own[..start], &replaced, &own[end..]),
            has_mark: true,
            mark,
        },
        None => Marked {
            units: with_head(source, own, "", ""),
            has_mark: false,
            mark: Mark::None,
        },
    })
}

/// Whether a violation is a call that the program itself has for it.
fn is_own_failure(description: &str) -> bool {
    description == "assertion violated" || description.ends_with(" called")
}

/// The text without what was added.
pub(super) fn own_text(source: &Source) -> &str {
    let added = source
        .markers()
        .iter()
        .find(|marker| {
            let file = marker.file.as_deref();
            file.is_some_and(|file| file.starts_with(FOLDER))
        })
        .map_or(source.text.len(), |marker| marker.offset as usize);
    let text = source.text.get(..added).unwrap_or(&source.text);
    match added < source.text.len() {
        // The offset is that of the line behind the marker.
        true => text
            .trim_end_matches('\n')
            .rfind('\n')
            .map_or("", |at| &text[..at + 1]),
        false => text,
    }
}

/// The translation units of a text with a mark in it, each as a file of its own.
fn with_head(source: &Source, before: &str, mark: &str, behind: &str) -> Vec<String> {
    let name = source.name.replace(['\\', '"', '\n'], "_");
    let text = format!("{before}{mark}{behind}\n");
    let units = ult_c::source::unit::split(&text).into_iter();
    units
        .map(|unit| {
            let unit = &text[unit];
            // `ult`'s own header has a plain variable; every system has something else under this name.
            let errno = match unit.contains("extern int errno;") {
                true => "#define errno (*__errno_location())\n",
                false => "",
            };
            format!("{errno}extern void {MARK}(void);\n# 1 \"{name}\"\n{unit}")
        })
        .collect()
}

fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// The inside of an assertion in a comment.
fn annotation(text: &str) -> Option<&str> {
    let inside = match (text.strip_prefix("//@"), text.strip_prefix("/*@")) {
        (Some(inside), _) => inside,
        (None, Some(inside)) => inside.strip_suffix("*/").unwrap_or(inside),
        (None, None) => return None,
    };
    let inside = inside.trim_matches(|c: char| c.is_whitespace() || c == '@');
    Some(
        inside
            .strip_prefix("assert")?
            .split(';')
            .next()
            .unwrap_or_default(),
    )
}

/// An expression of ACSL in C.
fn condition(text: &str) -> Result<String, String> {
    let text = text.replace("\\true", "1").replace("\\false", "0");
    let mut depth = 0;
    let mut parts = vec![String::new()];
    let mut rest = text.as_str();
    while let Some(c) = rest.chars().next() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            _ => {}
        }
        if let Some(behind) = rest.strip_prefix("==>") {
            if depth != 0 {
                return Err("the assertion contains `==>` in parentheses".into());
            }
            parts.push(String::new());
            rest = behind;
            continue;
        }
        if let Some(part) = parts.last_mut() {
            part.push(c);
        }
        rest = &rest[c.len_utf8()..];
    }
    let last = parts.pop().unwrap_or_default();
    Ok(parts
        .into_iter()
        .rev()
        .fold(last, |right, left| format!("(!({left}) || ({right}))")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn assertions_in_comments_become_conditions() {
        let read = |text: &str| condition(annotation(text).unwrap());
        assert_eq!(read("//@ assert x == 1;").unwrap(), " x == 1");
        assert_eq!(
            read("/*@ assert x == 6 ==> y ==> \\false; */").unwrap(),
            "(!( x == 6 ) || ((!( y ) || ( 0))))"
        );
        assert!(read("//@ assert (x ==> y);").is_err());
        assert_eq!(annotation("assert(x)"), None);
    }

    #[test]
    fn the_added_library_is_left_out() {
        let text = "#include_free\nint f(const char *s) { return strcmp(s, \"a\"); }\n";
        let text = text.trim_start_matches("#include_free\n");
        let source = Source::c("f.c", text);
        assert!(source.text.len() > text.len());
        assert_eq!(own_text(&source).trim_end(), text.trim_end());
        let plain = Source::c("f.c", "int x;\n");
        assert_eq!(own_text(&plain), "int x;\n");
    }
}
