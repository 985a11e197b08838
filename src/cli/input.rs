//! Reading the files that a command names.

use std::io::Read as _;
use std::path::Path;

use ult_lang::diagnostic::{Diagnostic, Id, Severity};

use super::args::LanguageArg;
use super::c::CArgs;
use super::exit::Exit;
use super::preprocess;
use ult_driver::{Language, Report, Source};

/// The largest text: places are 32-bit numbers.
const LARGEST: usize = u32::MAX as usize - 1;

/// A file that was read.
pub(crate) struct Input {
    /// Its text.
    pub source: Source,
    /// The language it is in.
    pub language: Language,
    /// Whether the text is what the preprocessor made of the file.
    pub is_preprocessed: bool,
    /// Why it is no text, if so.
    pub rejected: Option<Diagnostic>,
}

/// Reads a file, or stdin if the path is `-`.
///
/// # Errors
/// [`Exit::Usage`], after a message, if it cannot be read.
pub(crate) fn read(path: &Path, language: Option<LanguageArg>, c: &CArgs) -> Result<Input, Exit> {
    let is_stdin = path.as_os_str() == "-";
    let name = if is_stdin {
        "<stdin>".to_owned()
    } else {
        path.display().to_string()
    };
    let bytes = if is_stdin {
        let mut bytes = Vec::new();
        std::io::stdin()
            .lock()
            .read_to_end(&mut bytes)
            .map(|_| bytes)
    } else {
        std::fs::read(path)
    };
    let bytes = bytes.map_err(|error| {
        super::complain(&format!("cannot read `{name}`: {error}"));
        Exit::Usage
    })?;
    let language = match language {
        Some(LanguageArg::Boogie) => Language::Boogie,
        Some(LanguageArg::Graph) => Language::Graph,
        Some(LanguageArg::Horn) => Language::Horn,
        Some(LanguageArg::C) => Language::C,
        None => match path.extension().and_then(|suffix| suffix.to_str()) {
            Some("ult") => Language::Graph,
            Some("smt2") => Language::Horn,
            Some("c" | "i") => Language::C,
            _ => Language::Boogie,
        },
    };
    if bytes.len() > LARGEST {
        super::complain(&format!("`{name}` is larger than 4 GB"));
        return Err(Exit::Usage);
    }
    let bytes = match language {
        Language::C => with_readable_comments(bytes),
        _ => bytes,
    };
    Ok(match String::from_utf8(bytes) {
        Ok(text) if language == Language::C => {
            let file = (!is_stdin).then_some(path);
            match preprocess::preprocessed(file, text, c)? {
                Ok((text, is_preprocessed)) => Input {
                    is_preprocessed,
                    source: Source::c(name, &text),
                    language,
                    rejected: None,
                },
                Err(failure) => Input {
                    source: Source::new(name, failure.text),
                    language,
                    is_preprocessed: false,
                    rejected: Some(failure.diagnostic),
                },
            }
        }
        Ok(text) => Input {
            source: Source::new(name, text),
            language,
            is_preprocessed: false,
            rejected: None,
        },
        Err(error) => {
            let offset = error.utf8_error().valid_up_to();
            let bytes = error.into_bytes();
            let byte = bytes.get(offset).copied().unwrap_or_default();
            // The same offset in the readable text, where a replacement character stands for it.
            let start = u32::try_from(offset).unwrap_or(u32::MAX);
            let end = start.saturating_add(3);
            Input {
                source: Source::new(name, String::from_utf8_lossy(&bytes).into_owned()),
                language,
                is_preprocessed: false,
                rejected: Some(Diagnostic {
                    id: Id::NOT_TEXT,
                    severity: Severity::Error,
                    message: format!("the file is not UTF-8 text: byte {offset} is {byte:#04x}"),
                    labels: vec![(
                        ult_lang::span::Span::new(start, end),
                        "no character begins with this byte".into(),
                    )],
                    help: None,
                }),
            }
        }
    })
}

/// The text of a C program in another encoding than UTF-8, if only its comments are concerned: there, question marks
/// stand for what cannot be read. Otherwise the text as it is.
pub(crate) fn with_readable_comments(bytes: Vec<u8>) -> Vec<u8> {
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
    let code = ult_c::source::clean(&ascii).text;
    let in_comments = bytes
        .iter()
        .zip(code.bytes())
        .all(|(byte, code)| byte.is_ascii() || code == b' ');
    if in_comments {
        ascii.into_bytes()
    } else {
        bytes
    }
}

impl Input {
    /// The report on a file that is no text.
    pub(crate) fn rejection(&self) -> Option<Report> {
        let notice = self.rejected.clone()?;
        let mut report = Report::new(self.source.clone(), self.language);
        report.diagnostics.push(notice);
        Some(report)
    }
}
