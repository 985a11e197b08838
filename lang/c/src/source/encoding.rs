//! C texts that are no UTF-8, such as those in Latin-1.
//!
//! Compilers take the bytes of comments for nothing, and those of strings as they are. So here question marks stand for them in
//! comments, and escape sequences in strings and character constants.

use std::ops::Range;

use super::end_of_token;

/// The text of a C program in another encoding than UTF-8, if only comments, strings and character constants have bytes that
/// are no ASCII. Otherwise the bytes as they are.
pub fn readable(bytes: Vec<u8>) -> Vec<u8> {
    if std::str::from_utf8(&bytes).is_ok() {
        return bytes;
    }
    let ascii: String = bytes
        .iter()
        .map(|byte| {
            if byte.is_ascii() {
                char::from(*byte)
            } else {
                '?'
            }
        })
        .collect();
    // Comments are blanks there.
    let code = super::clean(&ascii).text.into_bytes();
    let Some(quoted) = quoted(&code, &bytes) else {
        return bytes;
    };
    let mut quoted = quoted.into_iter().peekable();
    let mut out = Vec::with_capacity(bytes.len());
    for (at, (&byte, &code)) in bytes.iter().zip(&code).enumerate() {
        while quoted.next_if(|token| token.end <= at).is_some() {}
        if byte.is_ascii() {
            out.push(byte);
        } else if code == b' ' {
            out.push(b'?');
        } else if quoted.peek().is_some_and(|token| token.contains(&at)) && !escaped(&bytes, at) {
            out.extend(format!("\\{byte:03o}").into_bytes());
        } else {
            return bytes;
        }
    }
    out
}

/// The strings and character constants of code that was made of these bytes. None if some of these are in strings of wide
/// characters, where they would have to be known.
fn quoted(code: &[u8], bytes: &[u8]) -> Option<Vec<Range<usize>>> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(&byte) = code.get(at) {
        let end = end_of_token(code, at).min(bytes.len());
        if matches!(byte, b'"' | b'\'') {
            if is_wide(&code[..at]) && !bytes[at..end].is_ascii() {
                return None;
            }
            found.push(at..end);
        }
        at = end.max(at + 1);
    }
    Some(found)
}

/// Whether a string behind this code is one of wide characters.
fn is_wide(before: &[u8]) -> bool {
    let is_word = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'_';
    let length = before.iter().rev().take_while(is_word).count();
    matches!(&before[before.len() - length..], b"L" | b"u" | b"U")
}

/// Whether a backslash belongs to the byte.
fn escaped(bytes: &[u8], at: usize) -> bool {
    let before = bytes[..at].iter().rev();
    before.take_while(|byte| **byte == b'\\').count() % 2 == 1
}

#[cfg(test)]
mod tests {
    use super::readable;

    #[test]
    fn what_is_no_utf_8_is_readable_in_comments_and_strings() {
        for (bytes, expected) in [
            (&b"x /* f\xfcr */;"[..], "x /* f?r */;"),
            (b"s = \"f\xfcr\"; // \xfc", "s = \"f\\374r\"; // ?"),
            (b"c = '\xfc', d = '\"';", "c = '\\374', d = '\"';"),
            (
                b"s = \"\\\\\xfc\" u8\"\xfc\";",
                "s = \"\\\\\\374\" u8\"\\374\";",
            ),
            // What is UTF-8 stays what it is.
            ("/* \u{e4} */ \u{e4}".as_bytes(), "/* \u{e4} */ \u{e4}"),
        ] {
            let text = String::from_utf8(readable(bytes.to_vec()));
            assert_eq!(text.as_deref(), Ok(expected));
        }
        for bytes in [&b"int f\xfcr;"[..], b"s = L\"f\xfcr\";", b"s = \"\\\xfc\";"] {
            assert_eq!(readable(bytes.to_vec()), bytes);
        }
    }
}
