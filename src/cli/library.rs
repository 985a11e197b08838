//! Libraries in Boogie: those that come with `ult`, and the user's own.

use std::path::Path;
use std::sync::Arc;

use super::exit::Exit;
use super::input::Input;
use super::output::complain;
use ult_driver::{Language, Source};

/// Names and texts of what comes with `ult`.
pub(crate) const LIBRARIES: &[(&str, &str)] = &[
    ("array", include_str!("stdlib/array.bpl")),
    ("math", include_str!("stdlib/math.bpl")),
    ("sequence", include_str!("stdlib/sequence.bpl")),
];

/// The name and the text of a library.
pub(crate) type Library = (Arc<str>, Arc<str>);

/// The files among wanted libraries.
pub(crate) fn files(wanted: &[String]) -> impl Iterator<Item = &Path> {
    let paths = wanted.iter().map(Path::new);
    paths.filter(|path| is_file_name(path))
}

/// Whether a library is not one that comes with `ult`.
fn is_file_name(path: &Path) -> bool {
    path.extension().is_some_and(|suffix| suffix == "bpl")
}

/// The input with libraries behind it, if there are any. Each is added once.
///
/// # Errors
/// [`Exit::Usage`], after a message, if there is no such library, or the input is no Boogie program.
pub(crate) fn added(input: Input, wanted: &[String]) -> Result<Input, Exit> {
    if wanted.is_empty() || input.rejected.is_some() {
        return Ok(input);
    }
    if input.language != Language::Boogie {
        complain(&format!(
            "`{}` is no Boogie program: --library is for those",
            input.source.name
        ));
        return Err(Exit::Usage);
    }
    let texts = texts(wanted).map_err(|why| {
        complain(&why);
        Exit::Usage
    })?;
    let length: usize = texts.iter().map(|(_, text)| text.len() + 1).sum();
    if u32::try_from(input.source.text.len() + length).is_err() {
        complain("the program and its libraries are larger than 4 GB");
        return Err(Exit::Usage);
    }
    let source = Source::with_libraries(input.source.name.clone(), &input.source.text, &texts);
    Ok(Input { source, ..input })
}

/// The names and the texts of libraries, each once.
///
/// # Errors
/// In words, if there is no such library.
pub(crate) fn texts(wanted: &[String]) -> Result<Vec<Library>, String> {
    let mut texts = Vec::new();
    for name in wanted {
        let library = text(name)?;
        if !texts.contains(&library) {
            texts.push(library);
        }
    }
    Ok(texts)
}

/// The name and the text of a library.
fn text(name: &str) -> Result<Library, String> {
    if let Some((_, text)) = LIBRARIES.iter().find(|(own, _)| *own == name) {
        return Ok((format!("stdlib/{name}.bpl").into(), (*text).into()));
    }
    if !is_file_name(Path::new(name)) {
        let names: Vec<&str> = LIBRARIES.iter().map(|(name, _)| *name).collect();
        return Err(format!(
            "there is no library `{name}`; there is: {}; or name a file that ends in `.bpl`",
            names.join(", ")
        ));
    }
    match std::fs::read_to_string(name) {
        Ok(text) => Ok((name.into(), text.into())),
        Err(error) => Err(format!("cannot read `{name}`: {error}")),
    }
}
