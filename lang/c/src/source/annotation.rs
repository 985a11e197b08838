//! ACSL assertions: `//@ assert e;` and `/*@ assert e; */` in front of a statement become a call, `__acsl__(e);`.
//!
//! Nothing moves: `//@assert` is as long as the call's begin, the final `;` becomes the closing parenthesis, and the
//! byte behind it the semicolon. Of ACSL's expressions, those are covered that C has as well and that mean the same
//! there, `\true`, `\false` and `==>`. The elaboration gives the call its meaning, and the parser reads `==>` in its argument.

use ult_lang::diagnostic::{Diagnostic, Id};

use super::{Cleaner, span};

/// The function that assertions in comments call. Only in its argument `==>` is an operator.
pub const ASSERTION: &str = "__acsl__";

/// Comparisons: in ACSL, `a < b < c` means `a < b && b < c`.
const COMPARISONS: [&str; 6] = ["<", "<=", ">", ">=", "==", "!="];

/// Operators that C and ACSL share and that do not compare; implication.
const OPERATORS: [&str; 17] = [
    "&&", "||", "->", "<<", ">>", "!", "+", "-", "*", "/", "%", "&", "|", "^", "~", ".", ":",
];

/// Operators of which others are a part. Longer ones first.
const NOT_COVERED: [&str; 7] = ["<-->", "<==>", "-->", "^^", "++", "--", "..."];

/// Whether the word is anywhere in an annotation.
pub(super) fn asserts(annotation: &[u8]) -> bool {
    annotation
        .split(|byte| !byte.is_ascii_alphanumeric())
        .any(|word| word == b"assert")
}

impl Cleaner<'_> {
    /// An annotation: the comment begins at `from`, its text ends at `end`, and itself at `to`. Everything is blanked
    /// already.
    pub(super) fn annotation(&mut self, from: usize, end: usize, to: usize) {
        let text = String::from_utf8_lossy(&self.text[from + 3..end]).into_owned();
        let words = text.trim_start_matches(|c: char| c.is_whitespace() || c == '@');
        let start = from + 3 + (text.len() - words.len());
        let is_clause = |name: &str| {
            words
                .strip_prefix(name)
                .is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_'))
        };
        if !is_clause("assert") {
            let first = words.split_whitespace().next().unwrap_or_default();
            // Assertions behind other clauses must not get lost.
            if asserts(words.as_bytes()) {
                self.not_covered(start, end, "an assertion among other clauses");
            } else {
                self.diagnostics.push(Diagnostic::warning(
                    Id::C_IGNORED_ANNOTATION,
                    format!("this annotation is ignored: `{first}`"),
                    span(from, to),
                    "only assertions count",
                ));
            }
            return;
        }
        let begin = start + "assert".len();
        let body = &words["assert".len()..];
        if !self.before_statement() {
            self.not_covered(
                start,
                end,
                "an assertion that does not stand in front of a statement",
            );
            return;
        }
        let Some(semicolon) = body.find(';') else {
            self.not_covered(start, end, "an assertion without a semicolon");
            return;
        };
        if !body[semicolon + 1..]
            .trim_matches(|c: char| c.is_whitespace() || c == '@')
            .is_empty()
        {
            self.not_covered(start, end, "more than one clause");
            return;
        }
        match rewritten(&body[..semicolon]) {
            Err((at, why)) => self.not_covered(begin + at, begin + semicolon, why),
            Ok(expression) => {
                let call = from..from + ASSERTION.len();
                self.out[call].copy_from_slice(ASSERTION.as_bytes());
                self.out[from + ASSERTION.len()] = b'(';
                // If the expression itself begins where the parenthesis is: `//@assert(e);`.
                self.out[begin..begin + semicolon].copy_from_slice(expression.as_bytes());
                self.out[begin + semicolon] = b')';
                self.out[begin + semicolon + 1] = b';';
                self.code.last = b';';
            }
        }
    }

    /// Whether a statement may begin here without being governed by an `if` or a loop. Where this is not so after all
    /// (an `else` or `while` may follow), the parser refuses what was made.
    fn before_statement(&self) -> bool {
        // `do` and `else` end in a letter, `if (...)` in a parenthesis.
        self.code.depth > 0
            && self.code.parens == 0
            && matches!(self.code.last, b'{' | b'}' | b';' | b':')
    }

    fn not_covered(&mut self, from: usize, to: usize, why: &str) {
        self.diagnostics.push(not_covered(from, to, why));
    }
}

/// The message about an annotation that is not covered.
pub(super) fn not_covered(from: usize, to: usize, why: &str) -> Diagnostic {
    let message = "this annotation is not covered";
    Diagnostic::error(Id::C_ANNOTATION, message, span(from, to), why).with_help(
        "assertions are read in the form `//@ assert e;` in front of a statement, where `e` is an expression of C",
    )
}

/// What is known about an open bracket, or about the whole.
#[derive(Clone, Copy, Default)]
struct Level {
    close: Option<u8>,
    /// Whether there was a comparison since the last logical operator.
    compared: bool,
    implies: bool,
    chooses: bool,
}

/// The expression of an annotation (ACSL) in C, with every byte where it was; or what is not covered, and where. It has nothing but operators, names, numbers, and brackets that match.
///
/// # Errors
/// What is not covered, and where.
pub fn rewritten(text: &str) -> Result<String, (usize, &'static str)> {
    let mut out = String::with_capacity(text.len());
    let mut levels = vec![Level::default()];
    let mut name_before = "";
    while let Some(next) = text[out.len()..].chars().next() {
        let at = out.len();
        let rest = &text[at..];
        let refuse = |why| Err((at, why));
        let Some(level) = levels.last_mut() else {
            return refuse("brackets that do not match");
        };
        let name = std::mem::take(&mut name_before);
        if next.is_ascii_whitespace() || next == '@' {
            out.push(if next == '@' { ' ' } else { next });
            name_before = name;
        } else if next.is_ascii_alphanumeric() || next == '_' {
            let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '.'));
            let word = &rest[..end.unwrap_or(rest.len())];
            out.push_str(word);
            name_before = word;
        } else if rest.starts_with("\\true") {
            out.push_str("(1)  ");
        } else if rest.starts_with("\\false") {
            out.push_str("(0)   ");
        } else if next == '(' || next == '[' {
            if next == '(' && !name.is_empty() && name != "sizeof" {
                return refuse("a logic function");
            }
            let close = if next == '(' { b')' } else { b']' };
            out.push(next);
            levels.push(Level {
                close: Some(close),
                ..Level::default()
            });
        } else if next == ')' || next == ']' {
            if level.close.map(char::from) != Some(next) {
                return refuse("brackets that do not match");
            }
            out.push(next);
            levels.pop();
        } else if let Some(_operator) = NOT_COVERED.iter().find(|op| rest.starts_with(**op)) {
            return refuse("an operator that is not covered");
        } else if rest.starts_with("==>") {
            level.compared = false;
            level.implies = true;
            out.push_str("==>");
        } else if next == '?' {
            level.compared = false;
            level.chooses = true;
            out.push('?');
        } else if let Some(operator) = OPERATORS
            .iter()
            .chain(&COMPARISONS)
            .filter(|operator| rest.starts_with(**operator))
            .max_by_key(|operator| operator.len())
        {
            if COMPARISONS.contains(operator) {
                if level.compared {
                    return refuse("comparisons in a chain");
                }
                level.compared = true;
            } else if matches!(*operator, "&&" | "||" | ":") {
                level.compared = false;
            }
            out.push_str(operator);
        } else {
            return refuse("something that is no expression of C, or has another meaning there");
        }
        if levels
            .last()
            .is_some_and(|level| level.implies && level.chooses)
        {
            return refuse("`==>` beside `?`");
        }
    }
    if levels.len() != 1 || text.trim().is_empty() {
        return Err((0, "not an expression"));
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use crate::source::clean;

    fn cleaned(text: &str) -> String {
        let source = clean(text);
        assert_eq!(source.diagnostics, [], "{text}");
        source.text
    }

    #[test]
    fn assertions_become_calls_in_place() {
        for (text, expected) in [
            ("{ //@ assert x >= 0;\n}", "{ __acsl__( x >= 0);}\n"),
            ("{ //@assert(x);", "{ __acsl__((x));"),
            (
                "{/*@assert x;*/}",
                "{__acsl__( x);/}\n".replace('/', " ").as_str(),
            ),
            (
                "{ L: /*@ assert \\false; @*/ ; }",
                "{ L: __acsl__( (0)   );    ; }\n",
            ),
            (
                "{ //@ assert (a == 1) ==> b || \\true;\n}",
                "{ __acsl__( (a == 1) ==> b || (1)  );}\n",
            ),
        ] {
            let expected = match expected.find("__acsl__") {
                // The call's begin is shorter than the comment's.
                Some(at) => {
                    let (before, call) = expected.split_at(at + "__acsl__(".len());
                    let gap = text.find("assert").unwrap() + 6 - before.len();
                    format!("{before}{}{call}", " ".repeat(gap))
                }
                None => expected.to_owned(),
            };
            assert_eq!(cleaned(text), expected, "{text}");
        }
    }

    #[test]
    fn what_is_not_covered_is_an_error() {
        for (text, why) in [
            ("{ //@ assert 0 <= x < 3;\n}", "comparisons in a chain"),
            (
                "{ //@ assert \\forall int i; a[i] == 0;\n}",
                "more than one clause",
            ),
            (
                "{ //@ assert \\valid(p);\n}",
                "something that is no expression of C, or has another meaning there",
            ),
            ("{ //@ assert f(x);\n}", "a logic function"),
            (
                "{ //@ assert x = 1;\n}",
                "something that is no expression of C, or has another meaning there",
            ),
            ("{ //@ assert x;assert y;\n}", "more than one clause"),
            ("{ //@ assert x\n}", "an assertion without a semicolon"),
            (
                "{ if (x) //@ assert y;\n}",
                "an assertion that does not stand in front of a statement",
            ),
            (
                "{ for (;; /*@ assert y; */) }",
                "an assertion that does not stand in front of a statement",
            ),
            (
                "{ //@ requires x; assert y;\n}",
                "an assertion among other clauses",
            ),
            (
                "{ //@ assert x <==> y;\n}",
                "an operator that is not covered",
            ),
        ] {
            let source = clean(text);
            let labels: Vec<_> = source
                .diagnostics
                .iter()
                .map(|diagnostic| (diagnostic.is_error(), diagnostic.labels[0].1.as_str()))
                .collect();
            assert_eq!(labels, [(true, why)], "{text}");
        }
        let source = clean("/*@ requires x > 0; */ int f(int x);");
        let ignored: Vec<_> = source
            .diagnostics
            .iter()
            .map(|d| (d.is_error(), d.message.as_str()))
            .collect();
        assert_eq!(ignored, [(false, "this annotation is ignored: `requires`")]);
    }
}
