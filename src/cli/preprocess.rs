//! C files with directives go through the system's preprocessor, with headers of the C library that come with `ult`: the
//! result is the same everywhere.
//!
//! The preprocessor writes line markers, so places stay those of the user's files; and it keeps comments, since there may
//! be assertions in them.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::{ErrorKind, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::Arc;

use tempfile::TempDir;
use ult_c::types::DataModel;
use ult_driver::Source;
use ult_lang::diagnostic::{Diagnostic, Id, Severity};
use ult_lang::span::Span;
use ult_smt::processes::Group;

use super::c::CArgs;
use super::exit::Exit;

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
];

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
        super::complain(&format!(
            "cannot write the headers of the C library: {error}"
        ));
        Exit::Usage
    })?;
    let command = words(args);
    let result = run(&command, path, &text, args.model(), &folder);
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

fn run(
    command: &[String],
    path: Option<&Path>,
    text: &str,
    model: DataModel,
    folder: &TempDir,
) -> Result<String, Diagnostic> {
    let Some((program, first)) = command.split_first() else {
        return Err(diagnostic("`--cpp` is empty", None, None));
    };
    let mut arguments: Vec<OsString> = first.iter().map(OsString::from).collect();
    for argument in [
        "-x",
        "c",
        "-std=gnu11",
        "-C",
        "-w",
        "-undef",
        "-nostdinc",
        // Not `-isystem`: for macros of system headers, gcc cuts lines into pieces with markers.
        "-I",
    ] {
        arguments.push(argument.into());
    }
    arguments.push(folder.path().join(HEADERS_FOLDER).into());
    for (name, value) in macros(model) {
        arguments.push(format!("-D{name}={value}").into());
    }
    let changed = ult_c::source::with_directives_first(text);
    let input = changed.as_deref().unwrap_or(text);
    match path {
        // What begins with `-` is no file for a compiler.
        Some(path)
            if changed.is_some() || path.as_os_str().as_encoded_bytes().starts_with(b"-") =>
        {
            let file = stand_in(path, input, folder).map_err(|error| {
                let message = format!("the folder for temporary files cannot be written: {error}");
                diagnostic(&message, None, None)
            })?;
            arguments.push("-iquote".into());
            let parent = path
                .parent()
                .filter(|parent| !parent.as_os_str().is_empty());
            arguments.push(parent.unwrap_or(Path::new(".")).into());
            arguments.push(file.into());
        }
        Some(path) => arguments.push(path.into()),
        None => arguments.push("-".into()),
    }
    let output = start(program, &arguments, path.is_none().then_some(input)).map_err(|error| {
        let message = match error.kind() {
            ErrorKind::NotFound => format!("there is no preprocessor: `{program}` is not found"),
            _ => format!("the preprocessor `{program}` does not start: {error}"),
        };
        diagnostic(
            &message,
            first_directive(text),
            Some("the file has directives; install a C compiler, name one with `--cpp \"gcc -E\"`, or give a preprocessed file (.i)"),
        )
    })?;
    if !output.status.success() {
        return Err(failed(&output, path, text));
    }
    String::from_utf8(ult_c::source::encoding::readable(output.stdout))
        .map_err(|_| diagnostic("what the preprocessor wrote is not UTF-8 text", None, None))
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

/// What a compiler for x86 under Linux predefines, as far as programs may depend on it. The preprocessor's own
/// definitions are switched off (`-undef`).
fn macros(model: DataModel) -> Vec<(&'static str, &'static str)> {
    let mut macros = vec![
        ("__GNUC__", "9"),
        ("__GNUC_MINOR__", "0"),
        ("__GNUC_PATCHLEVEL__", "0"),
        ("__GNUC_STDC_INLINE__", "1"),
        ("__linux__", "1"),
        ("__linux", "1"),
        ("linux", "1"),
        ("__gnu_linux__", "1"),
        ("__unix__", "1"),
        ("__unix", "1"),
        ("unix", "1"),
        ("__ELF__", "1"),
        ("__CHAR_BIT__", "8"),
        ("__BYTE_ORDER__", "1234"),
        ("__ORDER_LITTLE_ENDIAN__", "1234"),
        ("__ORDER_BIG_ENDIAN__", "4321"),
        ("__SCHAR_MAX__", "0x7f"),
        ("__SHRT_MAX__", "0x7fff"),
        ("__INT_MAX__", "0x7fffffff"),
        ("__LONG_LONG_MAX__", "0x7fffffffffffffffLL"),
        ("__SIZEOF_SHORT__", "2"),
        ("__SIZEOF_INT__", "4"),
        ("__SIZEOF_LONG_LONG__", "8"),
        ("__SIZEOF_FLOAT__", "4"),
        ("__SIZEOF_DOUBLE__", "8"),
        ("__SIZEOF_WCHAR_T__", "4"),
        ("__WCHAR_TYPE__", "int"),
        ("__STDC_IEC_559__", "1"),
    ];
    macros.extend(match model {
        DataModel::Lp64 => [
            ("__x86_64__", "1"),
            ("__x86_64", "1"),
            ("__amd64__", "1"),
            ("_LP64", "1"),
            ("__LP64__", "1"),
            ("__LONG_MAX__", "0x7fffffffffffffffL"),
            ("__SIZE_TYPE__", "unsigned long"),
            ("__PTRDIFF_TYPE__", "long"),
            ("__SIZEOF_LONG__", "8"),
            ("__SIZEOF_POINTER__", "8"),
            ("__SIZEOF_SIZE_T__", "8"),
            ("__SIZEOF_PTRDIFF_T__", "8"),
            ("__SIZEOF_INT128__", "16"),
            ("__SIZEOF_LONG_DOUBLE__", "16"),
        ]
        .as_slice(),
        DataModel::Ilp32 => &[
            ("__i386__", "1"),
            ("__i386", "1"),
            ("_ILP32", "1"),
            ("__ILP32__", "1"),
            ("__LONG_MAX__", "0x7fffffffL"),
            ("__SIZE_TYPE__", "unsigned int"),
            ("__PTRDIFF_TYPE__", "int"),
            ("__SIZEOF_LONG__", "4"),
            ("__SIZEOF_POINTER__", "4"),
            ("__SIZEOF_SIZE_T__", "4"),
            ("__SIZEOF_PTRDIFF_T__", "4"),
            ("__SIZEOF_LONG_DOUBLE__", "12"),
        ],
    });
    macros
}
