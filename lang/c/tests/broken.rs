//! Programs with a mistake: each is read as far as it goes, with few messages, of which one is near the mistake.

#![allow(clippy::unwrap_used, reason = "the corpus is there, or the test fails")]

use std::path::{Path, PathBuf};

use ult_c::parse::parse;

/// How many programs are made.
const PROGRAMS: usize = 1000;

/// Of this many programs that are not accepted, one may have no message near its mistake: a bracket that is missing is found
/// where another one is.
const FAR: usize = 10;

fn texts() -> Vec<String> {
    let mut folders = vec![PathBuf::from("../../tests/corpus/c")];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => folders.push(path),
                false => files.push(path),
            }
        }
    }
    files.sort();
    let read = |path: &PathBuf| std::fs::read_to_string(path).ok();
    let is_plain = |text: &String| !ult_c::source::has_directives(text) && text.is_ascii();
    let is_c = |path: &&PathBuf| path.extension() == Some(Path::new("c").as_os_str());
    files
        .iter()
        .filter(is_c)
        .filter_map(read)
        .filter(is_plain)
        .collect()
}

/// Where the words, numbers and other characters of a text are, but for comments.
fn tokens(text: &str) -> Vec<std::ops::Range<usize>> {
    let code = ult_c::source::clean(text).text;
    let bytes = code.as_bytes();
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let mut tokens = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let from = at;
        at = match is_word(bytes[at]) {
            true => {
                at + bytes[at..]
                    .iter()
                    .take_while(|byte| is_word(**byte))
                    .count()
            }
            false => ult_c::source::end_of_token(bytes, at),
        };
        if !bytes[from].is_ascii_whitespace() && at <= text.len() {
            tokens.push(from..at);
        }
    }
    tokens
}

/// The text without a token, with a token twice, or with two tokens in the other order; and where that is.
fn broken(
    text: &str,
    tokens: &[std::ops::Range<usize>],
    number: usize,
    how: usize,
) -> (String, usize) {
    let token = tokens[number].clone();
    let word = &text[token.clone()];
    let (start, end) = (&text[..token.start], &text[token.end..]);
    let made = match (how % 3, tokens.get(number + 1)) {
        (0, _) => format!("{start} {end}"),
        (1, _) | (_, None) => format!("{start}{word} {word}{end}"),
        (_, Some(next)) => {
            let (between, other) = (&text[token.end..next.start], &text[next.clone()]);
            format!("{start}{other}{between} {word}{}", &text[next.end..])
        }
    };
    (made, token.start)
}

#[test]
fn broken_programs_get_few_messages_near_their_mistake() {
    let texts = texts();
    assert!(texts.len() > 20, "{}", texts.len());
    let (mut refused, mut far) = (0, Vec::new());
    let mut made = 0;
    for round in 0.. {
        if made >= PROGRAMS {
            break;
        }
        for (file, text) in texts.iter().enumerate() {
            let tokens = tokens(text);
            // Primes, so that all parts of all texts are met.
            let number = (round * 7919 + file * 104_729) % tokens.len();
            let (broken, at) = broken(text, &tokens, number, round + file);
            made += 1;
            let diagnostics = parse(&broken).diagnostics;
            let errors: Vec<_> = diagnostics
                .iter()
                .filter(|found| found.is_error())
                .collect();
            assert!(errors.len() <= 20, "{broken}");
            for (span, _) in diagnostics.iter().flat_map(|found| &found.labels) {
                assert!(broken.get(span.range()).is_some(), "{span:?}\n{broken}");
            }
            if errors.is_empty() {
                continue;
            }
            refused += 1;
            let line = |at: usize| broken[..at].matches('\n').count();
            let near = |found: &&&ult_lang::diagnostic::Diagnostic| {
                line(found.span().start as usize).abs_diff(line(at)) <= 2
            };
            if !errors.iter().any(|found| near(&found)) {
                far.push(format!("{}: {}\n{broken}", line(at), errors[0].message));
            }
        }
    }
    // Not every change makes a mistake.
    assert!(refused > PROGRAMS / 2, "{refused}");
    assert!(
        far.len() * FAR <= refused,
        "{} of {refused}\n{}",
        far.len(),
        far.join("\n====\n")
    );
}
