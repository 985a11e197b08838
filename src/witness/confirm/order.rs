//! Where C leaves open what comes first (C11 6.5, 6.5.2.2): a compiler may choose another order than the run.

/// Words before a parenthesis that are no calls.
const NO_CALLS: &[&str] = &[
    "if",
    "while",
    "for",
    "switch",
    "return",
    "sizeof",
    "_Alignof",
    "__alignof__",
    "__typeof__",
    "typeof",
    "__attribute__",
    "case",
    "int",
    "char",
    "long",
    "short",
    "void",
    "unsigned",
    "signed",
];

/// Within a pair of brackets.
#[derive(Clone, Copy, Default)]
struct Level {
    /// Whether the brackets are those of a call.
    is_call: bool,
    /// Whether there is a call since the last sequence point.
    pending: bool,
    /// Whether there is a call anywhere.
    any: bool,
}

/// Whether an expression or statement contains two calls neither of which has to come first. It looks at words only, and
/// rather says yes.
pub(super) fn is_open(text: &str) -> bool {
    let bytes = text.as_bytes();
    let mut levels = vec![Level::default()];
    let mut word: Option<(usize, usize)> = None;
    let mut at = 0;
    while at < bytes.len() {
        let byte = bytes[at];
        match byte {
            b'"' | b'\'' => {
                at += 1;
                while at < bytes.len() && bytes[at] != byte {
                    at += 1 + usize::from(bytes[at] == b'\\');
                }
            }
            byte if byte.is_ascii_alphabetic() || byte == b'_' => {
                let start = at;
                while at < bytes.len() && (bytes[at].is_ascii_alphanumeric() || bytes[at] == b'_') {
                    at += 1;
                }
                word = Some((start, at));
                continue;
            }
            b'(' | b'[' => {
                // Also what a call returns or an expression in parentheses can be called.
                let is_call = byte == b'('
                    && word.is_some_and(|(start, end)| !NO_CALLS.contains(&&text[start..end]));
                levels.push(Level {
                    is_call,
                    ..Level::default()
                });
            }
            b')' | b']' if levels.len() > 1 => {
                let inner = levels.pop().unwrap_or_default();
                if let Some(outer) = levels.last_mut()
                    && (inner.is_call || inner.any)
                {
                    if outer.pending {
                        return true;
                    }
                    (outer.pending, outer.any) = (true, true);
                }
            }
            b';' | b'{' | b'}' | b'?' | b':' => {
                if let Some(level) = levels.last_mut() {
                    level.pending = false;
                }
            }
            b'&' | b'|' if bytes.get(at + 1) == Some(&byte) => {
                at += 1;
                if let Some(level) = levels.last_mut() {
                    level.pending = false;
                }
            }
            _ => {}
        }
        if !byte.is_ascii_whitespace() {
            word = None;
        }
        at += 1;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::is_open;

    #[test]
    fn two_calls_without_an_order_are_seen() {
        for text in [
            "f() + g()",
            "h(f(), g())",
            "a[f()] = g();",
            "(f() && g()) - h()",
            "x = f(1) - f(2);",
        ] {
            assert!(is_open(text), "{text}");
        }
        for text in [
            "f(g(h()))",
            "f() && g()",
            "f() ? g() : h()",
            "f(); g();",
            "if (f()) { g(); }",
            "return sizeof(int) + f();",
            "f(\") + g(\")",
            "x + y",
        ] {
            assert!(!is_open(text), "{text}");
        }
    }
}
