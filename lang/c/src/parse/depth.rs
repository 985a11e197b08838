//! How deep the parser may have to recurse.
//!
//! The parser recurses for everything that is nested and knows no limit, so a stack that is large enough has to be
//! there before it begins.

use super::chunks::end_of_token;

/// Deeper texts are refused.
pub(super) const LIMIT: usize = 10_000;

/// What one level costs at most, in bytes: an expression in parentheses passes through all levels of precedence.
const LEVEL: usize = 24 * 1024;

/// How many operators between two operands cost as much as one level: the parser reads them one after the other, but the
/// tree is as deep as they are many.
const OPERATORS: usize = 8;

/// Words behind which a statement begins that is a part of the one before.
const NESTING: [&str; 8] = [
    "if", "else", "for", "while", "do", "switch", "case", "default",
];

/// An upper bound for the depth of the syntax trees; the place where it goes beyond the limit, if it does.
pub(super) fn measure(code: &str) -> Result<usize, usize> {
    let bytes = code.as_bytes();
    // For each open bracket: whether it is a brace, and how many levels were open with it.
    let mut open: Vec<(bool, usize)> = Vec::new();
    let mut depth = 0_usize;
    let mut deepest = 0_usize;
    let mut operators = 0_usize;
    // Whether the last token ends an operand.
    let mut operand = false;
    // Whether it is the word of a statement, behind which parentheses are no cast.
    let mut control = false;
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let from = at;
        at = end_of_token(bytes, at);
        let base = |open: &[(bool, usize)]| match open.last() {
            None => Some(0),
            Some((true, base)) => Some(*base),
            Some((false, _)) => None,
        };
        if byte.is_ascii_whitespace() {
            continue;
        }
        let behind_word = std::mem::take(&mut control);
        let between = std::mem::replace(&mut operand, matches!(byte, b')' | b']' | b'"' | b'\''));
        match byte {
            b'+' | b'-' | b'*' | b'&' | b'/' | b'%' | b'|' | b'^' | b'<' | b'>' if between => {
                operators += 1;
                if operators.is_multiple_of(OPERATORS) {
                    depth += 1;
                }
            }
            b'0'..=b'9' => operand = true,
            b'(' | b'[' | b'{' => {
                depth += 1;
                let inside = depth - usize::from(behind_word && byte == b'(');
                open.push((byte == b'{', inside));
            }
            // What is behind a cast is nested in it.
            b')' | b']' => depth = open.pop().map_or(depth, |(_, inside)| inside),
            b'}' => {
                let inside = open.pop().map_or(depth, |(_, inside)| inside);
                depth = match base(&open) {
                    Some(base) if !follows_else(bytes, at) => base,
                    _ => inside,
                };
            }
            b';' | b',' => {
                if let Some(base) = base(&open)
                    && !follows_else(bytes, at)
                {
                    depth = base;
                }
            }
            b'?' | b'=' | b'!' | b'~' | b'-' | b'+' | b'*' | b'&' | b':' => depth += 1,
            _ if byte.is_ascii_alphabetic() || byte == b'_' => {
                while bytes
                    .get(at)
                    .is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
                {
                    at += 1;
                }
                if NESTING.contains(&&code[from..at]) {
                    depth += 1;
                    control = true;
                } else {
                    operand = true;
                }
            }
            _ => {}
        }
        deepest = deepest.max(depth);
        if depth > LIMIT {
            return Err(from);
        }
    }
    Ok(deepest)
}

/// Whether the next word is `else`.
fn follows_else(bytes: &[u8], at: usize) -> bool {
    let rest = bytes[at..].trim_ascii_start();
    rest.starts_with(b"else")
}

/// Does something on a stack for trees of this depth.
pub(super) fn with_stack<T>(depth: usize, work: impl FnOnce() -> T) -> T {
    let needed = (depth + 32) * LEVEL;
    stacker::maybe_grow(needed, needed + LEVEL, work)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_nested_counts_and_what_is_long_does_not() {
        let long = |item: &str| format!("int f() {{ {} }}", item.repeat(20_000));
        for flat in [
            "x = f(1, -2);",
            "{ x; }",
            "if (x) { y; }",
            "if (x) y;",
            "a[i] = (1);",
        ] {
            let depth = measure(&long(flat));
            assert!(depth.is_ok_and(|depth| depth < 10), "{flat}: {depth:?}");
        }
        let sum = format!("int x = {};", "a + ".repeat(20_000));
        assert!(measure(&sum).is_ok_and(|depth| depth > 2000));
        let chain = "if (x == 1) y = 2; else ".repeat(3000);
        assert!(measure(&format!("int f() {{ {chain} ; }}")).is_ok());
        let list = format!("int a[] = {{ {} }};", "-1, ".repeat(5000));
        assert!(measure(&list).is_ok_and(|depth| depth < 10));
        for deep in [
            "{",
            "(",
            "-",
            "if (x)",
            "x ? y :",
            "*",
            "case 1:",
            "x = ",
            "(int)",
            "if (x) y; else ",
        ] {
            assert!(measure(&long(deep)).is_err(), "{deep}");
            let depth = measure(&format!("int f() {{ {} }}", deep.repeat(900)));
            assert!(depth.is_ok_and(|depth| depth >= 900), "{deep}: {depth:?}");
        }
    }
}
