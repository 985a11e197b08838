//! `-Z KEY=VALUE`: choices for those who study the engines. `-Z help` lists them.
//!
//! Each is an option that the help of its command leaves out: `-Z blocks=none` is `--blocks=none`.

use std::ffi::OsString;

use clap::Command;
use clap::error::ErrorKind;

/// The heading that marks these options.
pub(super) const EXPERT: &str = "Experts";

/// What the help of commands says about them.
pub(super) const HINT: &str = "For experts: -Z KEY=VALUE; `-Z help` lists the keys";

/// The words of a command line, the program's name first, with the options that `-Z` stands for.
///
/// # Errors
/// For a key that the command does not have; and the list of keys, for `-Z help`.
pub(super) fn expanded(
    cli: &Command,
    words: impl IntoIterator<Item = OsString>,
) -> Result<Vec<OsString>, clap::Error> {
    let mut words = words.into_iter();
    let mut all: Vec<OsString> = Vec::new();
    while let Some(word) = words.next() {
        if word == "--" {
            all.push(word);
            break;
        }
        let choice = match word.to_str().and_then(|word| word.strip_prefix("-Z")) {
            None => {
                all.push(word);
                continue;
            }
            Some("") => words.next().unwrap_or_else(|| "help".into()),
            Some(choice) => choice.into(),
        };
        let name = all
            .get(1)
            .and_then(|name| name.to_str())
            .unwrap_or_default();
        all.push(option(cli, name, &choice)?);
    }
    all.extend(words);
    Ok(all)
}

/// The option that a choice stands for, for a command with this name.
fn option(cli: &Command, command: &str, choice: &OsString) -> Result<OsString, clap::Error> {
    let error = |kind, text: String| Err(clap::Error::raw(kind, text));
    let Some(command) = cli.find_subcommand(command) else {
        return error(
            ErrorKind::UnknownArgument,
            "-Z comes after a command\n".into(),
        );
    };
    let keys = command.get_arguments();
    let mut keys = keys.filter(|key| key.get_help_heading() == Some(EXPERT));
    let key = choice.to_string_lossy();
    let key = key.split('=').next().unwrap_or_default();
    if key == "help" {
        let line = |key: &clap::Arg| {
            let value = key
                .get_value_names()
                .filter(|_| key.get_action().takes_values());
            let value = value
                .and_then(<[_]>::first)
                .map_or(String::new(), |name| format!("={name}"));
            let help = key.get_help().map(ToString::to_string).unwrap_or_default();
            format!(
                "  {:<32} {help}\n",
                format!("{}{value}", key.get_long().unwrap_or_default())
            )
        };
        let lines: String = keys.map(line).collect();
        let text = match lines.is_empty() {
            true => format!("`ult {}` has no choices for experts\n", command.get_name()),
            false => format!(
                "Choices for experts, as -Z KEY=VALUE. `ult engines` lists the values.\n\n{lines}"
            ),
        };
        return Err(help(text));
    }
    if !keys.any(|other| other.get_long() == Some(key)) {
        let name = command.get_name();
        let text = format!("there is no `-Z {key}`; `ult {name} -Z help` lists what there is\n");
        return error(ErrorKind::UnknownArgument, text);
    }
    let mut option = OsString::from("--");
    option.push(choice);
    Ok(option)
}

/// What is printed where help is asked for.
fn help(text: String) -> clap::Error {
    let command = Command::new("ult").override_help(text);
    match command.try_get_matches_from(["ult", "--help"]) {
        Err(error) => error,
        Ok(_) => clap::Error::new(ErrorKind::DisplayHelp),
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    use super::*;
    use crate::args::Cli;

    fn line(words: &[&str]) -> Result<Vec<String>, String> {
        let words = words.iter().map(OsString::from);
        let all = expanded(&Cli::command(), words).map_err(|error| error.to_string())?;
        Ok(all
            .into_iter()
            .map(|word| word.into_string().unwrap())
            .collect())
    }

    #[test]
    fn choices_are_options() {
        let made = line(&[
            "ult",
            "check",
            "-Z",
            "blocks=none",
            "-Ztrace-refinement",
            "a.bpl",
        ]);
        let expected = [
            "ult",
            "check",
            "--blocks=none",
            "--trace-refinement",
            "a.bpl",
        ];
        assert_eq!(made.unwrap(), expected);
        let made = line(&["ult", "run", "a.c", "--", "-Z", "blocks=none"]).unwrap();
        assert_eq!(made.len(), 6);
    }

    #[test]
    fn what_is_no_choice_is_refused() {
        for words in [
            &["ult", "check", "-Z", "timeout=3"][..],
            &["ult", "fmt", "-Z", "blocks=none"],
            &["ult", "-Z", "blocks=none"],
        ] {
            assert!(line(words).is_err(), "{words:?}");
        }
        let told = line(&["ult", "check", "-Z", "help"]).unwrap_err();
        assert!(told.contains("interpolation=STRATEGY"), "{told}");
    }
}
