//! The texts that are open in the editor.

use std::path::{Path, PathBuf};

use lsp_types::{Range, Uri};
use ult_lang::db::{Database, SourceFile};
use ult_lang::diagnostic::{Diagnostic, Diagnostic as SourceDiagnostic};
use ult_lang::names::Index;
use ult_lang::span::Span;
use ult_lang::{Modifies, db};

use super::checks::Task;
use super::position::{Encoding, Text};
use super::verdicts::Verdicts;
use ult_driver::{Language, Source};

/// An open text.
pub struct Document {
    /// Its address.
    pub uri: Uri,
    /// What it is called in messages: its path.
    pub name: String,
    /// The language it is in.
    pub language: Language,
    /// What the editor calls that.
    pub language_id: String,
    /// The editor's number for the state of the text.
    pub version: i32,
    /// The text.
    pub text: Text,
    /// The text as an input of queries, for languages that have them.
    pub file: Option<SourceFile>,
    /// Whether there are libraries behind the text, which queries do not see.
    pub has_libraries: bool,
    /// Where queries do not see all that is checked: the messages that were read last, and the text that their places are in.
    pub reading: Option<(Source, Vec<SourceDiagnostic>)>,
    /// What the checks of this text found out.
    pub verdicts: Verdicts,
}

impl Document {
    /// A text that was opened.
    pub fn open(
        uri: Uri,
        language_id: &str,
        version: i32,
        text: String,
        encoding: Encoding,
    ) -> Document {
        let name = path(&uri).map_or_else(
            || uri.as_str().to_owned(),
            |path| path.display().to_string(),
        );
        let language = language(language_id, &name);
        Document {
            uri,
            name,
            language,
            language_id: language_id.to_owned(),
            version,
            text: Text::new(text, encoding),
            file: None,
            has_libraries: false,
            reading: None,
            verdicts: Verdicts::default(),
        }
    }

    /// An edit by the editor.
    pub fn edit(&mut self, range: Option<Range>, new: &str) {
        let text = std::mem::take(&mut self.text);
        self.text = text.edited(range, new);
    }

    /// Tells the queries about the text; `file` is an input that is free to be used for it.
    pub fn connect(&mut self, db: &mut Database, file: Option<SourceFile>) {
        if !self.has_queries() {
            return;
        }
        let text = self.text.as_str().to_owned();
        match self.file.or(file) {
            Some(file) => {
                file.edit(db, text);
                self.file = Some(file);
            }
            None => {
                let name = self.name.clone();
                self.file = Some(SourceFile::new(db, name, text, Modifies::Infer));
            }
        }
    }

    /// The name without its folders.
    pub fn short_name(&self) -> &str {
        let file = Path::new(&self.name).file_name();
        file.and_then(|name| name.to_str()).unwrap_or(&self.name)
    }

    /// A check of the text, or of one entry.
    pub fn task(&self, entry: Option<String>) -> Task {
        Task {
            name: self.name.clone(),
            text: self.text.as_str().to_owned(),
            language: self.language,
            entry,
        }
    }

    /// Whether the queries know the language.
    pub fn has_queries(&self) -> bool {
        matches!(self.language, Language::Boogie | Language::Graph)
    }

    /// Whether queries know all that is checked, so that they have the messages about it.
    pub fn is_queried(&self) -> bool {
        self.has_queries() && !self.has_libraries
    }

    /// The messages about the text, and the text that their places are in, if it is another one.
    pub fn messages<'d>(&'d self, db: &'d Database) -> (Option<&'d Source>, &'d [Diagnostic]) {
        match &self.reading {
            Some((source, found)) if !self.is_queried() => (Some(source), found),
            None if !self.is_queried() => (None, &[]),
            _ => (None, self.diagnostics(db)),
        }
    }

    /// The names in the text.
    pub fn index<'d>(&self, db: &'d Database) -> Option<Index<'d>> {
        let file = self.file?;
        match self.language {
            Language::Boogie => Some(db::boogie_names(db, file)),
            Language::Graph => Some(db::graph_text_names(db, file)),
            _ => None,
        }
    }

    /// A document with another text, in another database.
    pub fn copy(&self, db: &mut Database, text: String) -> Document {
        let mut copy = Document {
            uri: self.uri.clone(),
            name: self.name.clone(),
            language: self.language,
            language_id: self.language_id.clone(),
            version: self.version,
            text: Text::new(text, Encoding::Utf16),
            file: None,
            has_libraries: self.has_libraries,
            reading: None,
            verdicts: Verdicts::default(),
        };
        copy.connect(db, None);
        copy
    }

    /// The messages of the front end about the text alone.
    pub fn diagnostics<'d>(&self, db: &'d Database) -> &'d [Diagnostic] {
        match (self.language, self.file) {
            (Language::Boogie, Some(file)) => &db::boogie_program(db, file).diagnostics,
            (Language::Graph, Some(file)) => &db::graph_program(db, file).diagnostics,
            _ => &[],
        }
    }

    /// The range of a place in a source that was made of this text; `None` if it is in another file.
    pub fn range(&self, source: &Source, span: Span) -> Option<Range> {
        if source.library_from.is_some_and(|from| span.start >= from) {
            return None;
        }
        if !source.is_translated {
            return Some(self.text.range(span));
        }
        if source.other_file(span).is_some() {
            return None;
        }
        let start = source.start(span);
        let end = source.end(span);
        let end = end.unwrap_or_else(|| source.place(span.end));
        let place = |place: ult_driver::Place| {
            let line = place.line.saturating_sub(1);
            self.text
                .position_of_character(line, place.column.saturating_sub(1))
        };
        // Behind macros and markers the end may be anywhere.
        let start = place(start);
        let end = place(end);
        let end = if end < start {
            self.text.end_of_line(start.line)
        } else {
            end
        };
        Some(Range { start, end })
    }
}

/// The language of a text: as the editor says, or as its name ends.
fn language(id: &str, name: &str) -> Language {
    match id {
        "boogie" | "bpl" => return Language::Boogie,
        "ult" => return Language::Graph,
        "c" => return Language::C,
        _ => {}
    }
    let suffix = Path::new(name)
        .extension()
        .and_then(|suffix| suffix.to_str());
    suffix
        .and_then(Language::of_suffix)
        .unwrap_or(Language::Boogie)
}

/// The path of a `file:` address.
pub fn path(uri: &Uri) -> Option<PathBuf> {
    let rest = uri.as_str().strip_prefix("file://")?;
    // A host (`file://localhost/x`) ends at the first slash.
    let rest = &rest[rest.find('/')?..];
    let mut bytes = Vec::new();
    let mut left = rest.bytes();
    while let Some(byte) = left.next() {
        let decoded = match byte {
            b'%' => {
                let digits = [left.next()?, left.next()?];
                u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?
            }
            b'?' | b'#' => break,
            byte => byte,
        };
        bytes.push(decoded);
    }
    let text = String::from_utf8(bytes).ok()?;
    // `file:///C:/x`
    let is_drive = text.as_bytes().get(2) == Some(&b':') && cfg!(windows);
    Some(PathBuf::from(if is_drive { &text[1..] } else { &text }))
}

/// The `file:` address of a path.
pub fn address(path: &Path) -> Option<Uri> {
    let path = path.to_str()?;
    let path = match cfg!(windows) {
        true => format!("/{}", path.replace('\\', "/")),
        false => path.to_owned(),
    };
    let mut text = "file://".to_owned();
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'_' | b'.' | b'~' => {
                text.push(char::from(byte));
            }
            byte => text += &format!("%{byte:02X}"),
        }
    }
    text.parse().ok()
}

#[cfg(test)]
mod tests {
    use std::str::FromStr as _;

    use super::*;

    #[test]
    fn addresses_of_files_become_paths() {
        let path = |text: &str| path(&Uri::from_str(text).unwrap());
        assert_eq!(
            path("file:///a/b%20c%C3%A4.bpl").unwrap(),
            Path::new("/a/b cä.bpl")
        );
        assert_eq!(path("file://localhost/a.ult").unwrap(), Path::new("/a.ult"));
        assert_eq!(path("untitled:new"), None);
        let strange = Path::new("/a/b cä%?#.bpl");
        let address = address(strange).unwrap();
        assert_eq!(address.as_str(), "file:///a/b%20c%C3%A4%25%3F%23.bpl");
        assert_eq!(super::path(&address).unwrap(), strange);
    }

    #[test]
    fn languages_are_told_by_the_editor_or_the_name() {
        assert_eq!(language("boogie", "x.c"), Language::Boogie);
        assert_eq!(language("plaintext", "x.ult"), Language::Graph);
        assert_eq!(language("cpp", "x.i"), Language::C);
        assert_eq!(language("", "untitled:1"), Language::Boogie);
    }
}
