//! C files with directives go through the system's preprocessor, with headers of the C library that come with `ult`: the
//! result is the same everywhere.
//!
//! The preprocessor writes line markers, so places stay those of the user's files. Comments are white space for it;
//! annotations get through under names (see [`ult_c::source::kept`]). Predefined macros are those of the compiler that it belongs
//! to, if that makes programs for x86 and Linux, and otherwise those of gcc 12 from a table.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::io::{ErrorKind, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::Arc;

use tempfile::TempDir;
use ult_c::source::kept::{self, Kept};
use ult_c::types::DataModel;
use ult_driver::Source;
use ult_lang::diagnostic::{Diagnostic, Id, Severity};
use ult_lang::span::Span;
use ult_smt::processes::Group;

use super::args::c::CArgs;
use super::exit::Exit;
use super::output::complain;

/// The headers with these names, with their texts.
macro_rules! headers {
    ($($name:literal),* $(,)?) => {
        [$(($name, include_str!(concat!("stdlib/include/", $name)))),*]
    };
}

/// The headers, by name.
const HEADERS: &[(&str, &str)] = &headers![
    "assert.h",
    "ctype.h",
    "errno.h",
    "float.h",
    "inttypes.h",
    "limits.h",
    "malloc.h",
    "math.h",
    "pthread.h",
    "setjmp.h",
    "stdarg.h",
    "stdbool.h",
    "stddef.h",
    "stdint.h",
    "stdio.h",
    "stdlib.h",
    "stdnoreturn.h",
    "string.h",
    "strings.h",
    "time.h",
    "unistd.h",
    "fenv.h",
    "signal.h",
    "stdatomic.h",
    "alloca.h",
    "memory.h",
    "sys/types.h",
    "stdalign.h",
    "iso646.h",
    "features.h",
    "wchar.h",
    "locale.h",
    "fcntl.h",
    "getopt.h",
    "dirent.h",
    "wctype.h",
    "uchar.h",
    "poll.h",
    "err.h",
    "libgen.h",
    "sys/time.h",
    "sys/stat.h",
    "sys/wait.h",
    "sys/mman.h",
    "sys/resource.h",
];

/// The macros that gcc predefines, written by `gcc -dM -E -std=gnu11 -fsigned-char -x c /dev/null` with the options of
/// [`machine`], without those about position-independent code.
const PREDEFINED: [(DataModel, &str); 2] = [
    (DataModel::Lp64, include_str!("stdlib/predefined/lp64.h")),
    (DataModel::Ilp32, include_str!("stdlib/predefined/ilp32.h")),
];

/// What stops the preprocessor of a compiler for another machine.
const OTHER_MACHINE: &str = "ult: a compiler for another machine";

/// The file with predefined macros.
const MACROS_FILE: &str = "predefined.h";

/// Where the headers are.
const HEADERS_FOLDER: &str = "headers";

/// Where a file is that stands for the user's file. There is no other one, so that none is included from there.
const STAND_IN: &str = "source";

/// A file that could not be preprocessed.
pub(crate) struct Failure {
    /// Its text, as it is.
    pub text: String,
    /// Why.
    pub diagnostic: Diagnostic,
}

/// The text of a file behind the preprocessor, if it has to go through it, and whether it did. Without a path, it came from stdin.
///
/// # Errors
/// [`Exit`], after a message, if this machine's temporary folder cannot be written. Inside, what is wrong with the file or
/// the preprocessor.
pub(crate) fn preprocessed(
    path: Option<&Path>,
    text: String,
    args: &CArgs,
) -> Result<Result<(String, bool), Failure>, Exit> {
    let is_preprocessed =
        path.is_some_and(|path| path.extension().is_some_and(|suffix| suffix == "i"));
    if is_preprocessed || !ult_c::source::has_directives(&text) {
        return Ok(Ok((text, false)));
    }
    let folder = headers_folder().map_err(|error| {
        complain(&format!(
            "cannot write the headers of the C library: {error}"
        ));
        Exit::Usage
    })?;
    let command = words(args);
    if let Some(diagnostic) = unknown_header(&text) {
        return Ok(Err(Failure { text, diagnostic }));
    }
    let result = kept::hidden(&text)
        .map_err(|refused| *refused)
        .and_then(|kept| run(&command, path, &text, &kept, args.data_model, &folder));
    Ok(match result {
        Ok(text) => Ok((text, true)),
        Err(diagnostic) => Err(Failure { text, diagnostic }),
    })
}

/// No larger file is read to tell places in it.
const LARGEST_TOLD: u64 = 16 << 20;

/// A preprocessed text whose places are those of the files that it was made of: of the user's file, and of the headers that
/// its line markers name.
pub(crate) fn with_files(source: Source, own: String) -> Source {
    let mut files: BTreeMap<Arc<str>, Arc<str>> = BTreeMap::new();
    for marker in source.markers() {
        let Some(name) = &marker.file else { continue };
        if **name == *source.name || files.contains_key(name) {
            continue;
        }
        let path = Path::new(&**name);
        let is_small = path
            .metadata()
            .is_ok_and(|data| data.is_file() && data.len() <= LARGEST_TOLD);
        // Without its text, places in it are those behind the preprocessor.
        if let (true, Ok(bytes)) = (is_small, std::fs::read(path))
            && let Ok(text) = String::from_utf8(ult_c::source::encoding::readable(bytes))
        {
            files.insert(name.clone(), text.into());
        }
    }
    files.insert(source.name.clone(), own.into());
    source.with_files(files.into_iter().collect())
}

/// The command and its first arguments.
fn words(args: &CArgs) -> Vec<String> {
    let split = |text: &str| {
        text.split_whitespace()
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let mut words = match (&args.cpp, std::env::var("CC")) {
        (Some(command), _) => return split(command),
        (None, Ok(command)) => split(&command),
        (None, Err(_)) => Vec::new(),
    };
    if words.is_empty() {
        words.push("cc".into());
    }
    words.push("-E".into());
    words
}

/// A folder with the headers, as long as it is kept.
fn headers_folder() -> std::io::Result<TempDir> {
    let folder = tempfile::Builder::new().prefix("ult-include-").tempdir()?;
    std::fs::create_dir(folder.path().join(STAND_IN))?;
    for (name, text) in HEADERS {
        let path = folder.path().join(HEADERS_FOLDER).join(name);
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent)?;
        }
        std::fs::write(path, text)?;
    }
    Ok(folder)
}

/// The options with which a compiler makes programs for a data model.
fn machine(model: DataModel) -> &'static [&'static str] {
    match model {
        DataModel::Lp64 => &["-m64"],
        // The old unit for floating-point numbers has more digits than types say.
        DataModel::Ilp32 => &["-m32", "-msse2", "-mfpmath=sse"],
    }
}

fn run(
    command: &[String],
    path: Option<&Path>,
    text: &str,
    kept: &Kept,
    model: DataModel,
    folder: &TempDir,
) -> Result<String, Diagnostic> {
    let Some((program, first)) = command.split_first() else {
        return Err(diagnostic("`--cpp` is empty", None, None));
    };
    let cannot_write = |error: std::io::Error| {
        let message = format!("the folder for temporary files cannot be written: {error}");
        diagnostic(&message, None, None)
    };
    let input = if kept.is_empty() { text } else { &kept.text };
    let file: Option<Vec<OsString>> = match path {
        // What begins with `-` is no file for a compiler.
        Some(path) if !kept.is_empty() || path.as_os_str().as_encoded_bytes().starts_with(b"-") => {
            let file = stand_in(path, input, folder).map_err(cannot_write)?;
            let parent = path
                .parent()
                .filter(|parent| !parent.as_os_str().is_empty());
            let parent = parent.unwrap_or(Path::new("."));
            Some(vec!["-iquote".into(), parent.into(), file.into()])
        }
        Some(path) => Some(vec![path.into()]),
        None => None,
    };
    let with_macros = |own: bool| {
        let macros = folder.path().join(MACROS_FILE);
        std::fs::write(&macros, predefined(model, own)).map_err(cannot_write)?;
        let mut arguments: Vec<OsString> = first.iter().map(OsString::from).collect();
        arguments.extend(["-x", "c", "-std=gnu11", "-fsigned-char"].map(OsString::from));
        match own {
            true => arguments.extend(machine(model).iter().map(OsString::from)),
            false => arguments.push("-undef".into()),
        }
        // Not `-isystem`: for macros of system headers, gcc cuts lines into pieces with markers.
        arguments.extend(["-Wundef", "-nostdinc", "-I"].map(OsString::from));
        arguments.push(folder.path().join(HEADERS_FOLDER).into());
        arguments.extend(["-imacros".into(), macros.into()]);
        arguments.extend(file.clone().unwrap_or_else(|| vec!["-".into()]));
        start(program, &arguments, path.is_none().then_some(input)).map_err(|error| {
            let message = match error.kind() {
                ErrorKind::NotFound => {
                    format!("there is no preprocessor: `{program}` is not found")
                }
                _ => format!("the preprocessor `{program}` does not start: {error}"),
            };
            diagnostic(
                &message,
                first_directive(text),
                Some("the file has directives; install a C compiler, name one with `--cpp \"gcc -E\"`, or give a preprocessed file (.i)"),
            )
        })
    };
    let mut output = with_macros(true)?;
    if !output.status.success() && is_for_another_machine(&output) {
        output = with_macros(false)?;
    }
    if !output.status.success() {
        return Err(failed(&output, path, text));
    }
    let warnings = undefined(&String::from_utf8_lossy(&output.stderr));
    let made = String::from_utf8(ult_c::source::encoding::readable(output.stdout))
        .map_err(|_| diagnostic("what the preprocessor wrote is not UTF-8 text", None, None))?;
    let mut made = kept.restored(made).map_err(|refused| *refused)?;
    if let Some(file) = asserting_header(&made, path, folder) {
        let message =
            format!("an assertion in a comment of an included file is not covered: `{file}`");
        let help = "write it as a call of `assert`, or in the file itself";
        return Err(Diagnostic {
            id: Id::C_ANNOTATION,
            ..diagnostic(&message, first_directive(text), Some(help))
        });
    }
    if !warnings.is_empty() && !made.ends_with('\n') {
        made.push('\n');
    }
    Ok(made + &warnings)
}

/// The question whether there is a header that does not come with `ult`: the system may have it.
fn unknown_header(text: &str) -> Option<Diagnostic> {
    const QUESTION: &str = "__has_include";
    text.match_indices(QUESTION).find_map(|(at, _)| {
        let behind = &text[at + QUESTION.len()..];
        let name = behind
            .trim_start_matches("_next")
            .trim_start()
            .strip_prefix('(')?;
        let name = name
            .trim_start()
            .strip_prefix('<')?
            .split(['>', '\n'])
            .next()?;
        let is_known = HEADERS.iter().any(|(known, _)| *known == name);
        let message = format!(
            "whether there is a header `<{name}>` is not known: it does not come with `ult`"
        );
        let number = text[..at].matches('\n').count() + 1;
        (!is_known).then(|| diagnostic(&message, line_span(text, number), None))
    })
}

/// The text with macros that the preprocessor reads first: it stops if its own ones are of no use, or defines all of them.
fn predefined(model: DataModel, own: bool) -> String {
    let table = PREDEFINED.iter().find(|(known, _)| *known == model);
    let table = table.map_or("", |(_, table)| table);
    if !own {
        return table.to_owned();
    }
    let (machine, long, extended) = match model {
        DataModel::Lp64 => ("__x86_64__", 8, 16),
        DataModel::Ilp32 => ("__i386__", 4, 12),
    };
    let mut text = format!(
        "#if !defined {machine} || !defined __linux__ || defined __CHAR_UNSIGNED__ \\\n  \
         || __SIZEOF_LONG__ != {long} || __SIZEOF_POINTER__ != {long} \\\n  \
         || __SIZEOF_LONG_DOUBLE__ != {extended} || __SIZEOF_WCHAR_T__ != 4\n\
         #error {OTHER_MACHINE}\n#endif\n"
    );
    // The C library of the system defines these in a header that compilers read first.
    for line in table.lines().filter(|line| {
        line.starts_with("#define __STDC_I") || line.starts_with("#define __STDC_UTF")
    }) {
        if let Some(name) = line.split_whitespace().nth(1) {
            text += &format!("#ifndef {name}\n{line}\n#endif\n");
        }
    }
    text
}

/// Whether the preprocessor failed since it is one for another machine, or knows no options for this one.
fn is_for_another_machine(output: &Output) -> bool {
    let words = String::from_utf8_lossy(&output.stderr);
    let option = |line: &str| {
        line.contains("option")
            && ["'-m", "‘-m", "`-m", "-fsigned-char", "-msse2"]
                .iter()
                .any(|name| line.contains(name))
    };
    words
        .lines()
        .any(|line| line.contains(OTHER_MACHINE) || option(line))
}

/// The names in conditions that are not defined and look as if they should be, as lines for the end of the text.
fn undefined(complaints: &str) -> String {
    let mut lines = String::new();
    for complaint in complaints.lines().filter(|line| line.contains("-Wundef")) {
        // `f.c:3:5: warning: "NAME" is not defined, evaluates to 0 [-Wundef]`
        let parts = complaint
            .split_once(" warning: ")
            .and_then(|(place, what)| {
                let mut place = place.trim_end_matches(':').rsplitn(3, ':');
                let (_, line, file) = (place.next()?, place.next()?, place.next()?);
                let name = what.get(1..)?.split(['"', '\'']).next()?;
                Some((file, line.parse().ok()?, name))
            });
        if let Some((file, line, name)) = parts
            && is_reserved(name)
        {
            let told = ult_c::source::marker::undefined(name, file, line);
            if !lines.contains(&told) {
                lines += &told;
            }
        }
    }
    lines
}

/// Whether a name is one for compilers and the C library (C11 7.1.3).
fn is_reserved(name: &str) -> bool {
    let bytes = name.as_bytes();
    let defines = |text: &str| {
        text.lines().any(|line| {
            let rest = line.strip_prefix("#define ").map(|rest| rest.trim_start());
            rest.and_then(|rest| rest.strip_prefix(name))
                .is_some_and(|rest| rest.is_empty() || rest.starts_with([' ', '(']))
        })
    };
    matches!(bytes, [b'_', b'_' | b'A'..=b'Z', ..]) || HEADERS.iter().any(|(_, text)| defines(text))
}

/// A file that the text includes, and that has an assertion in a comment. It would be lost.
fn asserting_header(made: &str, own: Option<&Path>, folder: &TempDir) -> Option<Arc<str>> {
    let markers = ult_c::source::clean(made).markers;
    let names: BTreeSet<Arc<str>> = markers
        .into_iter()
        .filter_map(|marker| marker.file)
        .collect();
    names.into_iter().find(|name| {
        let path = Path::new(&**name);
        let is_other = own != Some(path) && !path.starts_with(folder.path());
        let is_small = || {
            path.metadata()
                .is_ok_and(|data| data.is_file() && data.len() <= LARGEST_TOLD)
        };
        is_other
            && is_small()
            && std::fs::read(path).is_ok_and(|bytes| {
                let bytes = ult_c::source::encoding::readable(bytes);
                kept::asserts(&String::from_utf8_lossy(&bytes))
            })
    })
}

/// Writes a file that stands for the one at a path, and that says so.
fn stand_in(path: &Path, text: &str, folder: &TempDir) -> std::io::Result<PathBuf> {
    let file = folder.path().join(STAND_IN).join("main.c");
    let name = path
        .display()
        .to_string()
        .replace('\\', "\\\\")
        .replace('"', "\\\"");
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    std::fs::write(&file, format!("# 1 \"{name}\"\n{text}"))?;
    Ok(file)
}

fn start(program: &str, arguments: &[OsString], input: Option<&str>) -> std::io::Result<Output> {
    let mut command = Command::new(program);
    command
        .args(arguments)
        .env("LC_ALL", "C")
        .stdin(if input.is_some() {
            Stdio::piped()
        } else {
            Stdio::null()
        })
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    // It ends with this process, and those that it starts do.
    let mut group = Group::start(&mut command)?;
    let child = group.child();
    let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    let mut complaints = Vec::new();
    let said = std::thread::scope(|scope| {
        let thread = std::thread::Builder::new;
        if let (Some(mut stdin), Some(text)) = (stdin, input) {
            // If it does not want all of it, it has its reasons, and tells them.
            thread().spawn_scoped(scope, move || drop(stdin.write_all(text.as_bytes())))?;
        }
        if let Some(mut stderr) = stderr {
            let complaints = &mut complaints;
            thread().spawn_scoped(scope, move || drop(stderr.read_to_end(complaints)))?;
        }
        let mut said = Vec::new();
        if let Some(mut stdout) = stdout {
            stdout.read_to_end(&mut said)?;
        }
        Ok(said)
    });
    match said {
        Ok(stdout) => Ok(Output {
            status: group.wait()?,
            stdout,
            stderr: complaints,
        }),
        // What it makes of nothing is not what was asked for.
        Err(error) => {
            group.end();
            Err(error)
        }
    }
}

/// What the preprocessor says about its failure: its first error.
fn failed(output: &Output, path: Option<&Path>, text: &str) -> Diagnostic {
    let words = String::from_utf8_lossy(&output.stderr);
    let name = path.map_or("<stdin>".to_owned(), |path| path.display().to_string());
    let errors = words.lines().filter(|line| line.contains("error:"));
    let Some(error) = errors
        .clone()
        .find(|line| line.starts_with(&name))
        .or(errors.clone().next())
    else {
        let message = match output.status.code() {
            Some(code) => format!("the preprocessor failed with exit code {code}"),
            None => "the preprocessor was killed".to_owned(),
        };
        return diagnostic(&message, None, words.lines().next());
    };
    let (place, what) = error.split_once("error:").unwrap_or(("", error));
    let what = what.trim();
    let help = what.contains("No such file").then(|| {
        let names: Vec<&str> = HEADERS.iter().map(|(name, _)| *name).collect();
        format!(
            "headers come with `ult`, not from the system; there are {}. Others are found with `--cpp \"cc -E -I FOLDER\"`",
            names.join(", ")
        )
    });
    // `f.c:3:10: fatal `
    let numbers = place
        .strip_prefix(&name)
        .and_then(|rest| rest.strip_prefix(':'));
    let line = numbers.and_then(|numbers| numbers.split(':').next()?.parse::<usize>().ok());
    let span = line.and_then(|line| line_span(text, line));
    let message = match span {
        Some(_) => format!("the preprocessor failed: {what}"),
        None => format!("the preprocessor failed: {}", error.trim()),
    };
    diagnostic(&message, span, help.as_deref())
}

/// The line with this number, without the blanks around it.
fn line_span(text: &str, number: usize) -> Option<Span> {
    let line = text.split_inclusive('\n').nth(number.checked_sub(1)?)?;
    let start = line.as_ptr() as usize - text.as_ptr() as usize;
    let start = start + line.len() - line.trim_start().len();
    let offset = |at| u32::try_from(at).unwrap_or(u32::MAX);
    Some(Span::new(offset(start), offset(start + line.trim().len())))
}

fn first_directive(text: &str) -> Option<Span> {
    let diagnostics = ult_c::source::clean(text).diagnostics;
    let mut directives = diagnostics.iter().filter(|d| d.id == Id::C_PREPROCESSOR);
    directives.next().map(|directive| directive.span())
}

fn diagnostic(message: &str, place: Option<Span>, help: Option<&str>) -> Diagnostic {
    Diagnostic {
        id: Id::C_PREPROCESSOR,
        severity: Severity::Error,
        message: message.to_owned(),
        labels: place
            .map(|place| (place, String::new()))
            .into_iter()
            .collect(),
        help: help.map(str::to_owned),
    }
}

#[cfg(test)]
mod tests;
