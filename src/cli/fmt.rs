//! `ult fmt`

use std::io::Read as _;
use std::path::{Path, PathBuf};

use ult_lang::format::format;
use ult_lang::token::Language;

use super::args::{FmtArgs, FmtLanguageArg};
use super::exit::Exit;
use super::output::{self, complain};
use super::save;
use ult_driver::Source;

/// Runs the command. Every file is looked at, whatever happens to the others.
pub(crate) fn run(args: &FmtArgs) -> Exit {
    let stdin = [PathBuf::from("-")];
    let files = match args.files.is_empty() {
        true => &stdin[..],
        false => &args.files,
    };
    let mut worst = Exit::Safe;
    for file in files {
        worst = worst.worst(one(file, args));
        if worst == Exit::BrokenPipe {
            break;
        }
    }
    worst
}

/// Whether files that end so are in a language without a formatter.
fn has_no_layout(suffix: &str) -> bool {
    use ult_driver::Language;
    let language = Language::of_suffix(suffix);
    suffix == "h" || !matches!(language, None | Some(Language::Boogie | Language::Graph))
}

fn one(path: &Path, args: &FmtArgs) -> Exit {
    let is_stdin = path.as_os_str() == "-";
    let name = match is_stdin {
        true => "<stdin>".to_owned(),
        false => path.display().to_string(),
    };
    let suffix = path.extension().and_then(|suffix| suffix.to_str());
    let language = match (args.language, suffix) {
        (Some(FmtLanguageArg::Boogie), _) => Language::Boogie,
        (Some(FmtLanguageArg::Graph), _) | (None, Some("ult")) => Language::Graph,
        (None, Some(suffix)) if has_no_layout(suffix) => {
            complain(&format!(
                "{name}: only Boogie programs and program graphs have a layout"
            ));
            return Exit::Usage;
        }
        (None, _) => Language::Boogie,
    };
    let mut text = String::new();
    let read = match is_stdin {
        true => std::io::stdin().lock().read_to_string(&mut text).map(drop),
        false => std::fs::read_to_string(path).map(|read| text = read),
    };
    if let Err(error) = read {
        complain(&format!("cannot read `{name}`: {error}"));
        return Exit::Usage;
    }
    let formatted = match format(&text, language) {
        Ok(formatted) => formatted,
        Err(errors) => {
            let source = Source::new(name, text);
            return output::rejected(&errors, &source);
        }
    };
    let written = match (args.check, is_stdin) {
        (true, _) if formatted == text => Ok(()),
        // The code that says "not as it should be", here of the layout.
        (true, _) => output::stdout(&format!("{name}\n")).and(Err(Exit::Unsafe)),
        (false, true) => output::stdout(&formatted),
        (false, false) if formatted == text => Ok(()),
        (false, false) => save::save(path, formatted),
    };
    written.err().unwrap_or(Exit::Safe)
}
