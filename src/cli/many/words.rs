//! The words of a command line: those that the user gave, for the processes that do a part of the work.

use std::ffi::{OsStr, OsString};
use std::path::Path;

use clap::parser::ValueSource;
use clap::{ArgAction, ArgMatches, CommandFactory as _, FromArgMatches as _};

use crate::args::{CheckArgs, Cli, Command};

/// What is for the process that distributes the work, and not for the others. It tells them its own wishes.
const NOT_FOR_WORKERS: &[&str] = &[
    "files",
    "jobs",
    "shard",
    "records",
    "project",
    "no_project",
    "worker",
    "known",
    "timeout",
    "memory",
    "format",
    "color",
    "log_queries",
];

/// What changes how results look, and not what they are.
const LOOKS: &[&str] = &[
    "quiet",
    "stats",
    "show_invariants",
    "trace_refinement",
    "explain_portfolio",
    "witness",
    "certificate",
    "harness",
    "gdb",
    "html",
];

/// The options that somebody gave to `ult check`.
#[derive(Clone, Debug, Default)]
pub(crate) struct Words {
    /// For workers: `--engine=bmc`.
    pub words: Vec<OsString>,
    /// Those of them that verdicts may depend on.
    pub decisive: Vec<String>,
    /// The names of all options that were given, as in the source: `int_encoding`.
    given: Vec<String>,
}

impl Words {
    /// The options among the arguments of this process, which are those of `ult check` or a command with its options.
    pub(crate) fn of_this_process() -> Words {
        let matches = Cli::command().try_get_matches_from(Cli::words());
        let Ok(matches) = matches else {
            return Words::default();
        };
        match matches.subcommand() {
            Some((_, matches)) => Words::of(matches),
            None => Words::default(),
        }
    }

    fn of(matches: &ArgMatches) -> Words {
        let mut words = Words::default();
        let command = Cli::command();
        let Some(check) = command.find_subcommand("check") else {
            return words;
        };
        for argument in check.get_arguments() {
            let id = argument.get_id().as_str();
            // Other commands have a part of the options only.
            let known = matches.try_contains_id(id).unwrap_or(false);
            if !known || matches.value_source(id) != Some(ValueSource::CommandLine) {
                continue;
            }
            words.given.push(id.to_owned());
            let Some(long) = argument.get_long() else {
                continue;
            };
            if NOT_FOR_WORKERS.contains(&id) {
                continue;
            }
            let made: Vec<OsString> = match argument.get_action() {
                ArgAction::SetTrue => vec![format!("--{long}").into()],
                _ => {
                    let values = matches.get_raw(id).into_iter().flatten();
                    values.map(|value| assigned(long, value)).collect()
                }
            };
            if !LOOKS.contains(&id) {
                let decisive = made.iter().map(|word| word.to_string_lossy().into_owned());
                words.decisive.extend(decisive);
            }
            words.words.extend(made);
        }
        words
    }

    /// Whether an option was given, by its name on the command line: `int-encoding`.
    pub(crate) fn has(&self, option: &str) -> bool {
        let id = option.replace('-', "_");
        self.given.contains(&id)
    }
}

/// `--name=value`
pub(crate) fn assigned(name: &str, value: impl AsRef<OsStr>) -> OsString {
    let mut word = OsString::from(format!("--{name}="));
    word.push(value);
    word
}

/// What `ult check` makes of these options and a file.
///
/// # Errors
/// What is wrong with them.
pub(crate) fn parsed(words: &[OsString], file: &Path) -> Result<CheckArgs, clap::Error> {
    let start = ["ult", "check"].map(OsString::from);
    let end = [OsString::from("--"), file.into()];
    let line = start.into_iter().chain(words.iter().cloned()).chain(end);
    let matches = Cli::command().try_get_matches_from(line)?;
    match Cli::from_arg_matches(&matches)?.command {
        Command::Check(args) => Ok(*args),
        _ => Err(clap::Error::new(clap::error::ErrorKind::InvalidSubcommand)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &[&str]) -> Words {
        let matches = Cli::command().try_get_matches_from(line).unwrap();
        Words::of(matches.subcommand().unwrap().1)
    }

    #[test]
    fn what_was_given_is_given_again() {
        let line = "ult check -q --engine bmc --entry p --entry=q a.bpl --jobs 2 --modular --timeout 3 b.bpl";
        let line: Vec<&str> = line.split(' ').collect();
        let given = words(&line);
        let mut told: Vec<String> = given.decisive.clone();
        told.sort();
        assert_eq!(
            told,
            ["--engine=bmc", "--entry=p", "--entry=q", "--modular"]
        );
        assert_eq!(given.words.len(), 5, "{given:?}");
        assert!(given.has("timeout") && given.has("modular") && !given.has("int-encoding"));
        let again = parsed(&given.words, Path::new("-x.bpl")).unwrap();
        assert!(again.quiet && again.read.modular);
        assert_eq!(again.read.entry, ["p", "q"]);
        assert_eq!(again.files, [Path::new("-x.bpl")]);
    }

    #[test]
    fn all_that_is_named_here_is_an_option() {
        let command = Cli::command();
        let check = command.find_subcommand("check").unwrap();
        let ids: Vec<&str> = check.get_arguments().map(|a| a.get_id().as_str()).collect();
        for id in NOT_FOR_WORKERS.iter().chain(LOOKS) {
            assert!(ids.contains(id), "{id}");
        }
    }
}
