//! From the text of a project file to a [`Project`].

use std::ffi::OsString;
use std::ops::Range;
use std::path::Path;

use clap::{ArgAction, CommandFactory as _};
use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use toml::Spanned;
use toml::de::{DeTable, DeValue};
use ult_interpolate::Strategy;
use ult_lang::diagnostic::{Diagnostic, Id};
use ult_lang::span::Span;

use super::{Project, Rule};
use crate::args::Cli;
use crate::exit::Exit;
use crate::many::printer::word;
use crate::many::words::parsed;
use crate::output::{self, complain};
use ult_driver::Source;

/// The options that a project file may have. No others: see the page on E0902.
const OPTIONS: &[&str] = &[
    "language",
    "entry",
    "library",
    "modular",
    "calls",
    "blocks",
    "data-model",
    "int-encoding",
    "property",
    "signed-overflow",
    "malloc-may-fail",
    "overapprox",
    "engine",
    "interpolation",
    "auxiliary",
    "with",
    "circuit",
    "timeout",
    "memory",
    "show-invariants",
    "explain-portfolio",
    "stats",
];

/// Options that name a program to be run.
const PROGRAMS: &[&str] = &["cc", "cpp", "check-with", "confirm"];

/// Reads a project file.
///
/// # Errors
/// [`Exit::Usage`], after messages.
pub(super) fn read(path: &Path) -> Result<Project, Exit> {
    let text = std::fs::read_to_string(path).map_err(|error| {
        complain(&format!("cannot read `{}`: {error}", path.display()));
        Exit::Usage
    })?;
    let mut reading = Reading::new(path);
    let project = reading.project(&text);
    if reading.messages.is_empty() {
        return project.ok_or(Exit::Internal);
    }
    reading.messages.sort_by_key(|message| message.span().start);
    let source = Source::new(path.display().to_string(), text);
    output::messages(&reading.messages, &source);
    complain(&format!("`{}` has errors", path.display()));
    Err(Exit::Usage)
}

/// The work on one file.
struct Reading<'p> {
    path: &'p Path,
    folder: &'p Path,
    messages: Vec<Diagnostic>,
}

type Value<'v> = Spanned<DeValue<'v>>;

impl<'p> Reading<'p> {
    fn new(path: &'p Path) -> Reading<'p> {
        let folder = match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        Reading {
            path,
            folder,
            messages: Vec::new(),
        }
    }

    fn project(&mut self, text: &str) -> Option<Project> {
        let table = match DeTable::parse(text) {
            Ok(table) => table,
            Err(error) => {
                let place = error.span().unwrap_or(0..0);
                self.say(Id::PROJECT_SYNTAX, error.message(), place, "");
                return None;
            }
        };
        let mut project = Project {
            path: self.path.to_owned(),
            folder: self.folder.to_owned(),
            canonical: self.folder.canonicalize().ok()?,
            files: None,
            exclude: GlobSet::empty(),
            rules: Vec::new(),
        };
        let mut all = Rule::default();
        let mut rules = Vec::new();
        for (key, value) in table.get_ref() {
            match &**key.get_ref() {
                "files" => project.files = self.patterns(value),
                "exclude" => project.exclude = self.patterns(value).unwrap_or_default(),
                "rule" => rules = self.rules(value),
                name => self.setting(&mut all, name, key.span(), value),
            }
        }
        project.rules.push(all);
        project.rules.append(&mut rules);
        Some(project)
    }

    fn rules(&mut self, value: &Value<'_>) -> Vec<Rule> {
        let DeValue::Array(tables) = value.get_ref() else {
            self.wrong(value, "rules are tables: `[[rule]]`");
            return Vec::new();
        };
        let mut rules = Vec::new();
        for table in tables.iter() {
            let DeValue::Table(settings) = table.get_ref() else {
                self.wrong(table, "rules are tables: `[[rule]]`");
                continue;
            };
            let mut rule = Rule::default();
            for (key, value) in settings {
                match &**key.get_ref() {
                    "files" => rule.files = self.patterns(value),
                    name => self.setting(&mut rule, name, key.span(), value),
                }
            }
            if !settings.iter().any(|(key, _)| &**key.get_ref() == "files") {
                self.wrong(table, "a rule says for which `files` it counts");
            }
            rules.push(rule);
        }
        rules
    }

    fn setting(&mut self, rule: &mut Rule, name: &str, place: Range<usize>, value: &Value<'_>) {
        if name == "expect" {
            let verdict = match value.get_ref() {
                DeValue::String(name) => word(name),
                _ => None,
            };
            match verdict {
                Some(verdict) => rule.expected = Some(verdict),
                None => self.wrong(value, "one of `safe`, `unsafe`, `unknown`, `reject`"),
            }
            return;
        }
        if PROGRAMS.contains(&name) {
            let words =
                format!("`{name}` decides which programs are run: only the command line may");
            self.say(Id::PROJECT_KEY, words, place, "");
            return;
        }
        if !OPTIONS.contains(&name) {
            let command = Cli::command();
            let check = command.find_subcommand("check");
            let is_option = check.is_some_and(|check| {
                let mut options = check.get_arguments();
                options.any(|option| option.get_long() == Some(name))
            });
            let words = match is_option {
                true => format!("`{name}` is an option of the command line only"),
                false => format!("`{name}` is nothing that a project file has"),
            };
            let help = format!(
                "there is: files, exclude, expect, rule, {}",
                OPTIONS.join(", ")
            );
            self.say(Id::PROJECT_KEY, words, place, &help);
            return;
        }
        let Some(words) = self.words(name, value) else {
            return;
        };
        let line: Vec<OsString> = words.iter().map(OsString::from).collect();
        match parsed(&line, Path::new("x.bpl")) {
            Err(error) => {
                let text = error.to_string();
                let text = text.lines().take_while(|line| !line.is_empty());
                let text: Vec<&str> = text.map(str::trim).collect();
                let text = text.join(" ");
                self.wrong(value, text.trim_start_matches("error: "));
            }
            Ok(args) if matches!(args.interpolation, Strategy::External(_)) => {
                self.wrong(
                    value,
                    "which programs are run, only the command line decides",
                );
            }
            Ok(args) => match name {
                "timeout" => rule.timeout = args.timeout,
                "memory" => rule.memory = args.memory,
                _ => {
                    rule.options.insert(name.to_owned(), words);
                }
            },
        }
    }

    /// The words that the command line has for it.
    fn words(&mut self, name: &str, value: &Value<'_>) -> Option<Vec<String>> {
        let command = Cli::command();
        let check = command.find_subcommand("check")?;
        let mut options = check.get_arguments();
        let option = options.find(|option| option.get_long() == Some(name))?;
        let is_switch = matches!(option.get_action(), ArgAction::SetTrue);
        let is_list = matches!(option.get_action(), ArgAction::Append);
        let values: Vec<&Value<'_>> = match value.get_ref() {
            DeValue::Boolean(on) if is_switch => {
                return Some(on.then(|| format!("--{name}")).into_iter().collect());
            }
            DeValue::Array(values) if is_list => values.iter().collect(),
            _ if is_switch => {
                self.wrong(value, "`true` or `false`");
                return None;
            }
            _ => vec![value],
        };
        let mut words = Vec::new();
        for value in values {
            let text = match value.get_ref() {
                DeValue::String(text) => text.to_string(),
                DeValue::Integer(number) => number.to_string(),
                DeValue::Float(number) => number.to_string(),
                _ => {
                    let more = if is_list { ", or a list of them" } else { "" };
                    self.wrong(value, &format!("a text or a number{more}"));
                    return None;
                }
            };
            // Files are named as seen from the project's folder.
            let is_file = matches!(
                (
                    name,
                    Path::new(&text).extension().and_then(|end| end.to_str())
                ),
                ("library", Some("bpl")) | ("property", Some("prp"))
            );
            let text = match is_file && self.folder != Path::new(".") {
                true => self.folder.join(text).display().to_string(),
                false => text,
            };
            words.push(format!("--{name}={text}"));
        }
        Some(words)
    }

    /// Patterns of files; a folder stands for all that is in it.
    fn patterns(&mut self, value: &Value<'_>) -> Option<GlobSet> {
        let values: Vec<&Value<'_>> = match value.get_ref() {
            DeValue::Array(values) => values.iter().collect(),
            _ => vec![value],
        };
        let mut set = GlobSetBuilder::new();
        for value in values {
            let DeValue::String(pattern) = value.get_ref() else {
                self.wrong(value, "a pattern of files, or a list of them");
                continue;
            };
            let plain = pattern.trim_start_matches("./").trim_end_matches('/');
            let both = match plain {
                "" | "." => vec!["**".to_owned()],
                plain => vec![plain.to_owned(), format!("{plain}/**")],
            };
            for pattern in both {
                match GlobBuilder::new(&pattern).literal_separator(true).build() {
                    Ok(glob) => {
                        set.add(glob);
                    }
                    Err(error) => {
                        self.wrong(value, &error.kind().to_string());
                        break;
                    }
                }
            }
        }
        match set.build() {
            Ok(set) => Some(set),
            Err(error) => {
                self.wrong(value, &error.to_string());
                None
            }
        }
    }

    fn wrong(&mut self, value: &Value<'_>, label: &str) {
        self.messages.push(Diagnostic::error(
            Id::PROJECT_VALUE,
            "a value that does not fit",
            span(value.span()),
            label,
        ));
    }

    fn say(&mut self, id: Id, message: impl Into<String>, place: Range<usize>, help: &str) {
        let message: String = message.into();
        // One line.
        let message = message.lines().collect::<Vec<&str>>().join(", ");
        let mut said = Diagnostic::error(id, message, span(place), "");
        said.help = (!help.is_empty()).then(|| help.to_owned());
        self.messages.push(said);
    }
}

fn span(range: Range<usize>) -> Span {
    let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    Span::new(offset(range.start), offset(range.end.max(range.start)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_that_is_named_here_is_an_option() {
        let command = Cli::command();
        let check = command.find_subcommand("check").unwrap();
        let names: Vec<&str> = check.get_arguments().filter_map(|a| a.get_long()).collect();
        for name in OPTIONS.iter().chain(PROGRAMS) {
            assert!(names.contains(name), "{name}");
        }
    }
}
