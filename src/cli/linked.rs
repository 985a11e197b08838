//! Several C files as one program: each is a translation unit of its own, as for a compiler and its linker.

use std::path::Path;
use std::sync::Arc;

use ult_c::outline::defines;
use ult_c::{library, source::unit};
use ult_driver::{Language, Source};
use ult_lang::diagnostic::{Diagnostic, Id};
use ult_lang::span::Span;

use super::input::Input;
use super::preprocess;

/// What files are together.
pub(crate) enum Together {
    /// Nothing: they are other languages, or a single file.
    Single,
    /// One program.
    Program,
    /// Several programs, since each of these files defines `main`.
    Programs(Vec<Arc<str>>),
}

/// What C files are together: files of which at most one defines `main` are one program.
pub(crate) fn together(inputs: &[Input]) -> Together {
    let files: Vec<&Input> = inputs
        .iter()
        .filter(|input| input.language == Language::C)
        .collect();
    let mains: Vec<Arc<str>> = files
        .iter()
        .filter(|input| defines(&input.source.text, "main"))
        .map(|input| input.source.name.clone())
        .collect();
    match (files.len(), mains.len()) {
        (0 | 1, _) => Together::Single,
        (_, 0 | 1) => Together::Program,
        _ => Together::Programs(mains),
    }
}

/// Whether files, as they are written, look like one program.
pub(crate) fn look_like_one(files: &[&Path]) -> bool {
    let text = |file: &&Path| {
        std::fs::read(file)
            .ok()
            .map(ult_c::source::encoding::readable)
    };
    let texts = files.iter().filter_map(text);
    let mains = texts.filter(|bytes| defines(&String::from_utf8_lossy(bytes), "main"));
    files.len() > 1 && mains.count() < 2
}

/// Makes one program of the C files, which stands where the first of them stood. If one of them cannot be read, there is no
/// program, and nothing is said about the others.
pub(crate) fn linked(inputs: Vec<Input>) -> Vec<Input> {
    let is_c = |input: &Input| input.language == Language::C;
    let has_failed = inputs
        .iter()
        .any(|input| is_c(input) && input.rejected.is_some());
    if has_failed {
        let is_told = |input: &Input| !is_c(input) || input.rejected.is_some();
        return inputs.into_iter().filter(is_told).collect();
    }
    let Some(at) = inputs.iter().position(is_c) else {
        return inputs;
    };
    let (files, mut others): (Vec<Input>, Vec<Input>) = inputs.into_iter().partition(is_c);
    let is_preprocessed = files.iter().any(|input| input.is_preprocessed);
    let texts = files.iter().map(|input| {
        let (own, _) = library::split(&input.source.text);
        (&*input.source.name, own)
    });
    let text = match unit::joined(texts) {
        Ok(text) => text,
        Err(number) => {
            others.extend(files.into_iter().nth(number).map(open_ended));
            return others;
        }
    };
    // Places in the other files are told as such.
    let named = files
        .iter()
        .find(|input| defines(&input.source.text, "main"))
        .or(files.first());
    if let Some(named) = named {
        let source = Source::c(named.source.name.clone(), &text);
        let source = match &named.own {
            Some(own) if is_preprocessed => preprocess::with_files(source, own.to_string()),
            _ => source,
        };
        let program = Input {
            source,
            language: Language::C,
            is_preprocessed,
            own: named.own.clone(),
            rejected: None,
        };
        others.insert(at.min(others.len()), program);
    }
    others
}

/// A file in which something begins that it does not end, as one that cannot be read.
fn open_ended(file: Input) -> Input {
    let told = ult_c::source::clean(&file.source.text).diagnostics;
    let known = told.into_iter().find(Diagnostic::is_error);
    let unknown = || {
        let place = Span::default();
        Diagnostic::error(
            Id::UNCLOSED_COMMENT,
            "the file does not end by itself",
            place,
            "here",
        )
    };
    Input {
        rejected: Some(known.unwrap_or_else(unknown)),
        ..file
    }
}
