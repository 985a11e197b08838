//! Reading the files that a command names.

use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ult_lang::diagnostic::{Diagnostic, Id, Severity};

use super::args::ReadArgs;
use super::args::c::CArgs;
use super::exit::Exit;
use super::library;
use super::linked::{self, Together};
use super::output::{self, complain};
use super::preprocess;
use super::process::end_at_once;
use super::watch::{End, Limits, supervise};
use ult_core::control::Control;
use ult_core::reason::Reason;
use ult_driver::{Language, Progress, Report, Source};

/// The largest text: places are 32-bit numbers.
const LARGEST: usize = u32::MAX as usize - 1;

/// So many bytes are read between two questions whether to go on.
const PIECE: u64 = 1 << 20;

/// A file that was read.
pub(crate) struct Input {
    /// Its text.
    pub source: Source,
    /// The language it is in.
    pub language: Language,
    /// Whether the text is what the preprocessor made of the file.
    pub is_preprocessed: bool,
    /// The text of a C file before the preprocessor.
    pub own: Option<Arc<str>>,
    /// Why it is no text, if so.
    pub rejected: Option<Diagnostic>,
}

/// How files are read. It may take for ever: what is named may be a pipe to which nobody writes, or a
/// device without an end. So reading has the limits of the command.
pub(crate) struct Reader {
    /// The language that they are said to be in.
    pub language: Option<Language>,
    /// How C is read.
    pub c: CArgs,
    /// The libraries that the programs use.
    pub libraries: Vec<String>,
    /// What reading must not exceed.
    pub limits: Limits,
}

impl Reader {
    /// As the command line says.
    pub(crate) fn new(args: &ReadArgs, limits: Limits) -> Reader {
        Reader {
            language: args.language,
            c: args.c.clone(),
            libraries: args.library.clone(),
            limits,
        }
    }

    /// Reads a file, or stdin if the path is `-`.
    ///
    /// # Errors
    /// As [`Reader::read`].
    pub(crate) fn read_one(self, file: &Path) -> Result<Input, Exit> {
        let mut inputs = self.read(vec![file.to_owned()])?;
        inputs.pop().ok_or(Exit::Internal)
    }

    /// Reads the files of one program: C files are linked.
    ///
    /// # Errors
    /// As [`Reader::read`], and [`Exit::Usage`] if they are several programs.
    pub(crate) fn read_program(self, files: &[PathBuf]) -> Result<Input, Exit> {
        let inputs = self.read(files.to_vec())?;
        let mut inputs = match linked::together(&inputs) {
            Together::Single => inputs,
            Together::Program => linked::linked(inputs),
            Together::Programs(mains) => {
                complain(&format!(
                    "these are several programs: `main` is defined in {}",
                    mains.join(" and in ")
                ));
                return Err(Exit::Usage);
            }
        };
        if inputs.len() > 1 {
            complain("only C programs consist of several files");
            return Err(Exit::Usage);
        }
        inputs.pop().ok_or(Exit::Usage)
    }

    /// Reads files.
    ///
    /// # Errors
    /// After a message: [`Exit::Usage`] if a file cannot be read, and what ended it otherwise.
    pub(crate) fn read(self, files: Vec<PathBuf>) -> Result<Vec<Input>, Exit> {
        let limits = self.limits.clone();
        let mut inputs = Vec::with_capacity(files.len());
        let mut failed = None;
        let end = supervise(
            limits,
            &Progress::default(),
            false,
            move |control, send| {
                for path in &files {
                    // Files may have to be preprocessed, which takes time.
                    if self.limits.for_stdout && output::is_unread() {
                        send(Err(Exit::BrokenPipe));
                        break;
                    }
                    if let Err(stop) = control.check() {
                        send(Err(stopped(stop.into())));
                        break;
                    }
                    let input = one(path, self.language, &self.c, control)
                        .and_then(|input| library::added(input, &self.libraries));
                    let is_read = input.is_ok();
                    send(input);
                    if !is_read {
                        break;
                    }
                }
            },
            |input| match input {
                Ok(input) => inputs.push(input),
                Err(exit) => failed = Some(exit),
            },
        )?;
        match (end, failed) {
            (_, Some(exit)) => Err(exit),
            (End::Abandoned(stop), None) => end_at_once(stopped(stop.into())),
            (End::Lost, None) => Err(Exit::Internal),
            (End::Finished, None) => Ok(inputs),
        }
    }
}

/// Says why nothing more is read.
fn stopped(why: Reason) -> Exit {
    if why == Reason::Cancelled && output::was_unread() {
        return Exit::BrokenPipe;
    }
    complain(&format!("stopped while reading: {why}"));
    match why {
        Reason::Cancelled => Exit::Interrupted,
        _ => Exit::Unknown,
    }
}

/// Reads a file, or stdin if the path is `-`.
///
/// # Errors
/// [`Exit::Usage`], after a message, if it cannot be read.
fn one(
    path: &Path,
    language: Option<Language>,
    c: &CArgs,
    control: &Control,
) -> Result<Input, Exit> {
    let is_stdin = path.as_os_str() == "-";
    let name = if is_stdin {
        "<stdin>".to_owned()
    } else {
        path.display().to_string()
    };
    let bytes = match is_stdin {
        true => whole(io::stdin().lock(), control),
        false => std::fs::File::open(path).and_then(|file| whole(file, control)),
    };
    let bytes = bytes.map_err(|error| match control.check() {
        Err(stop) => stopped(stop.into()),
        Ok(()) => {
            complain(&format!("cannot read `{name}`: {error}"));
            Exit::Usage
        }
    })?;
    let of_name = || {
        let suffix = path.extension().and_then(|suffix| suffix.to_str());
        suffix.and_then(Language::of_suffix)
    };
    let language = language.or_else(of_name).unwrap_or(Language::Boogie);
    if bytes.len() > LARGEST {
        complain(&format!("`{name}` is larger than 4 GB"));
        return Err(Exit::Usage);
    }
    let bytes = match language {
        Language::C => ult_c::source::encoding::readable(bytes),
        Language::Aiger => match in_letters(bytes, &name) {
            Ok(bytes) => bytes,
            Err(broken) => return Ok(*broken),
        },
        Language::Boogie | Language::Graph => comments_in_utf8(bytes),
        _ => bytes,
    };
    Ok(match String::from_utf8(bytes) {
        Ok(text) if language == Language::C => {
            let file = (!is_stdin).then_some(path);
            match preprocess::preprocessed(file, text.clone(), c)? {
                Ok((made, is_preprocessed)) => Input {
                    is_preprocessed,
                    own: Some(text.as_str().into()),
                    source: match is_preprocessed {
                        true => preprocess::with_files(Source::c(name, &made), text),
                        false => Source::c(name, &made),
                    },
                    language,
                    rejected: None,
                },
                Err(failure) => Input {
                    source: Source::new(name, failure.text),
                    language,
                    is_preprocessed: false,
                    own: None,
                    rejected: Some(failure.diagnostic),
                },
            }
        }
        Ok(text) => Input {
            source: Source::new(name, text),
            language,
            is_preprocessed: false,
            own: None,
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
                own: None,
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

/// The text of a file in AIGER, also if that is in the binary form.
///
/// # Errors
/// The file with a message, if it is broken.
fn in_letters(bytes: Vec<u8>, name: &str) -> Result<Vec<u8>, Box<Input>> {
    let broken = match ult_circuits::in_letters(&bytes) {
        None => return Ok(bytes),
        Some(Ok(text)) => return Ok(text.into_bytes()),
        Some(Err(broken)) => broken,
    };
    // One character for each byte, so that places are the same.
    let shown = bytes.iter().map(|&byte| match byte {
        b'\n' | b' '..=b'~' => char::from(byte),
        _ => '.',
    });
    let offset = |offset: usize| u32::try_from(offset).unwrap_or(u32::MAX);
    // Behind the end there is nothing to point at.
    let start = broken.offset.min(bytes.len() - 1);
    let span = ult_lang::span::Span::new(offset(start), offset(start + 1));
    Err(Box::new(Input {
        source: Source::new(name, shown.collect::<String>()),
        language: Language::Aiger,
        is_preprocessed: false,
        own: None,
        rejected: Some(Diagnostic {
            id: Id::CIRCUIT_SYNTAX,
            severity: Severity::Error,
            message: broken.message,
            labels: vec![(span, format!("byte {} of the file", broken.offset))],
            help: None,
        }),
    }))
}

/// The bytes of a program, with question marks in the place of those in comments that are no UTF-8: people write there in all
/// encodings, and nothing depends on it. Offsets stay what they are.
fn comments_in_utf8(mut bytes: Vec<u8>) -> Vec<u8> {
    let mut from = 0;
    while let Err(error) = std::str::from_utf8(&bytes[from..]) {
        let at = from + error.valid_up_to();
        if !is_in_comment(&bytes[..at]) {
            break;
        }
        bytes[at] = b'?';
        from = at;
    }
    bytes
}

/// Whether a text ends within a comment.
fn is_in_comment(text: &[u8]) -> bool {
    let mut at = 0;
    while at < text.len() {
        let behind = |end: &[u8], from: usize| {
            let found = text[from..].windows(end.len()).position(|part| part == end);
            found.map(|found| from + found + end.len())
        };
        let end = match (text[at], text.get(at + 1)) {
            (b'/', Some(b'/')) => {
                let found = text[at..]
                    .iter()
                    .position(|byte| matches!(byte, b'\n' | b'\r'));
                match found {
                    Some(length) => Some(at + length),
                    None => return true,
                }
            }
            (b'/', Some(b'*')) => match behind(b"*/", at + 2) {
                Some(end) => Some(end),
                None => return true,
            },
            (b'"', _) => behind(b"\"", at + 1),
            _ => Some(at + 1),
        };
        match end {
            Some(end) => at = end,
            None => return false,
        }
    }
    false
}

/// All there is, but hardly more than what is accepted.
fn whole(mut input: impl io::Read, control: &Control) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    while bytes.len() <= LARGEST {
        control
            .check()
            .map_err(|stop| io::Error::other(Reason::from(stop).to_string()))?;
        if input.by_ref().take(PIECE).read_to_end(&mut bytes)? == 0 {
            break;
        }
    }
    Ok(bytes)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_bytes_matter_only_outside_of_comments() {
        let read = |text: &[u8]| String::from_utf8(comments_in_utf8(text.to_vec())).ok();
        for (text, expected) in [
            (&b"// gr\xfc\xdfe\nx"[..], Some("// gr??e\nx")),
            (b"/* \xe4 */ x // \xe4", Some("/* ? */ x // ?")),
            (b"\xc3\xa4 // \xe4", Some("\u{e4} // ?")),
            (b"x\xe4 // a", None),
            (b"/* */ \xe4 /* */", None),
            (b"\"// \xe4\"", None),
            (b"// a\n\xe4", None),
            (b"// a\r\xe4", None),
        ] {
            assert_eq!(read(text).as_deref(), expected, "{text:?}");
        }
    }
}
