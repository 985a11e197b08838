//! Tools: how a verifier is called, and how its answer is read.
//!
//! A tool is described by a small TOML file, so that peers can be measured without a change here:
//!
//! ```toml
//! name = "boogie"
//! command = "boogie /timeLimit:{timeout} {flags} {file}"
//! format = "patterns"
//!
//! [[rule]]
//! answer = "true"              # true, false, reject or unknown
//! output = 'finished with \d+ verified, 0 errors'
//! exit = 0                     # or [0, 2]; may be left out, as may `output`
//!
//! [[when]]
//! column = "semantics"
//! equals = "modular"
//! add = "--modular"
//! ```
//!
//! `{file}`, `{timeout}` (seconds), `{memory}` (megabytes) and `{ult}` are replaced in the command, and so is the name
//! of any column of the task list. `format = "ult"` reads the JSON of `ult check --format json`. With
//! `format = "patterns"` the first rule decides whose exit code and pattern fit (standard output and standard error
//! together); the pattern's first group, if it has one, is the reason.

mod json;

use std::path::{Path, PathBuf};
use std::time::Duration;

use regex::Regex;
use serde::Deserialize;

use crate::Failure;
use crate::answer::Answer;
use crate::process::{End, Finished};
use crate::tasks::Task;

/// The description of `ult` itself.
const ULT: &str = include_str!("../tools/ult.toml");

/// A verifier.
#[derive(Clone, Debug)]
pub(crate) struct Tool {
    /// The name in the tables.
    pub name: String,
    command: Vec<String>,
    /// Further arguments, without placeholders.
    arguments: Vec<String>,
    when: Vec<When>,
    format: Format,
    ult: PathBuf,
}

/// How answers are read.
#[derive(Clone, Debug)]
enum Format {
    Ult,
    Patterns(Vec<Rule>),
}

#[derive(Clone, Debug)]
struct Rule {
    answer: Answer,
    exit: Vec<i32>,
    output: Option<Regex>,
}

/// Arguments that some rows need.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct When {
    column: String,
    equals: String,
    add: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Description {
    name: String,
    command: String,
    format: String,
    #[serde(default)]
    rule: Vec<RuleDescription>,
    #[serde(default)]
    when: Vec<When>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RuleDescription {
    answer: Answer,
    exit: Option<Exit>,
    output: Option<String>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Exit {
    One(i32),
    Some(Vec<i32>),
}

/// What a run of a tool said.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Reading {
    /// The answer.
    pub answer: Option<Answer>,
    /// The reason for having none, in one or two words.
    pub reason: String,
    /// The reason in full.
    pub detail: String,
    /// Splits of nodes.
    pub splits: Option<u64>,
    /// Refinements.
    pub refinements: Option<u64>,
    /// Questions to the solver.
    pub solver_calls: Option<u64>,
    /// The largest number of nodes of the abstraction.
    pub nodes: Option<u64>,
    /// Predicates found.
    pub predicates: Option<u64>,
    /// The engines whose claims were accepted.
    pub engine: String,
    /// How many questions each way of asking answered first, of how many: `session 97/100, fresh 3/3`.
    pub ways: String,
}

impl Reading {
    fn of(answer: Answer, reason: impl Into<String>, detail: impl Into<String>) -> Reading {
        Reading {
            answer: Some(answer),
            reason: reason.into(),
            detail: detail.into(),
            ..Reading::default()
        }
    }
}

impl Tool {
    /// The tool that an argument names: a TOML file, or a command that answers like `ult`. Without an argument it is
    /// `ult`.
    pub(crate) fn from_argument(argument: Option<&str>, ult: &Path) -> Result<Tool, Failure> {
        let described = |origin: &str, text: &str| {
            let wrong = |error: String| Failure::Tool(origin.to_owned(), error);
            let description = toml::from_str(text).map_err(|error| wrong(error.to_string()))?;
            Tool::new(description, ult).map_err(wrong)
        };
        match argument {
            None => described("ult.toml", ULT),
            Some(file) if file.ends_with(".toml") => {
                let text = std::fs::read_to_string(file)
                    .map_err(|error| Failure::Tool(file.to_owned(), error.to_string()))?;
                described(file, &text)
            }
            Some(command) => {
                let description = Description {
                    name: command.to_owned(),
                    command: match command.contains("{file}") {
                        true => command.to_owned(),
                        false => format!("{command} {{file}}"),
                    },
                    format: "ult".to_owned(),
                    rule: Vec::new(),
                    when: Vec::new(),
                };
                Tool::new(description, ult)
                    .map_err(|error| Failure::Tool(command.to_owned(), error))
            }
        }
    }

    /// `ult` with an interpolation strategy, named after it.
    pub(crate) fn with_interpolation(strategy: &str, ult: &Path) -> Result<Tool, Failure> {
        let arguments = vec!["--interpolation".to_owned(), strategy.to_owned()];
        Tool::with_arguments(strategy, arguments, ult)
    }

    /// `ult` with a folder for evidence.
    pub(crate) fn keeping(folder: &Path, ult: &Path) -> Result<Tool, Failure> {
        let folder = folder.to_string_lossy().into_owned();
        Tool::with_arguments("ult", vec!["--cache".to_owned(), folder], ult)
    }

    /// `ult` with further arguments, writing a certificate.
    pub(crate) fn certifying(
        certificate: &Path,
        arguments: &str,
        ult: &Path,
    ) -> Result<Tool, Failure> {
        let wrong = |error: String| Failure::Tool(arguments.to_owned(), error);
        let mut all = words(arguments).map_err(wrong)?;
        all.push("--certificate".to_owned());
        all.push(certificate.to_string_lossy().into_owned());
        Tool::with_arguments("ult", all, ult)
    }

    /// `ult` with the arguments of a variant, written as `NAME=ARGUMENTS`.
    pub(crate) fn variant(text: &str, ult: &Path) -> Result<Tool, Failure> {
        let wrong = |error: String| Failure::Tool(text.to_owned(), error);
        let (name, arguments) = text
            .split_once('=')
            .ok_or_else(|| wrong("a variant is written as NAME=ARGUMENTS".to_owned()))?;
        Tool::with_arguments(name, words(arguments).map_err(wrong)?, ult)
    }

    /// `ult`, writing the circuit of a task instead of checking it.
    pub(crate) fn exporter(ult: &Path) -> Result<Tool, Failure> {
        let mut tool = Tool::from_argument(None, ult)?;
        let command = "{ult} export {file} --format aiger --int-encoding bits";
        tool.command = words(command).map_err(|error| Failure::Tool(command.to_owned(), error))?;
        Ok(tool)
    }

    fn with_arguments(name: &str, arguments: Vec<String>, ult: &Path) -> Result<Tool, Failure> {
        let mut tool = Tool::from_argument(None, ult)?;
        tool.name = name.to_owned();
        // As they are, whatever characters they have: they are no templates.
        tool.arguments = arguments;
        Ok(tool)
    }

    fn new(description: Description, ult: &Path) -> Result<Tool, String> {
        let command = words(&description.command)?;
        if command.is_empty() {
            return Err("the command is empty".to_owned());
        }
        let format = match description.format.as_str() {
            "ult" if description.rule.is_empty() => Format::Ult,
            "ult" => return Err("rules are for format = \"patterns\"".to_owned()),
            "patterns" => {
                let rules = description.rule.into_iter().map(Rule::new);
                Format::Patterns(rules.collect::<Result<_, _>>()?)
            }
            other => {
                return Err(format!(
                    "unknown format `{other}`; there are ult and patterns"
                ));
            }
        };
        Ok(Tool {
            name: description.name,
            command,
            arguments: Vec::new(),
            when: description.when,
            format,
            ult: ult.to_owned(),
        })
    }

    /// The program and arguments for a task.
    pub(crate) fn command(
        &self,
        task: &Task,
        time: Duration,
        megabytes: u64,
    ) -> Result<Vec<String>, Failure> {
        let wrong = |error: String| Failure::Tool(self.name.clone(), error);
        let mut parts = self.command.clone();
        for when in &self.when {
            if task.columns.get(&when.column) == Some(&when.equals) {
                parts.extend(words(&when.add).map_err(wrong)?);
            }
        }
        let replace = |name: &str| -> Option<String> {
            Some(match name {
                "file" => task.path.to_string_lossy().into_owned(),
                "ult" => self.ult.to_string_lossy().into_owned(),
                "timeout" => time.as_secs().to_string(),
                "memory" => megabytes.to_string(),
                column => task.columns.get(column)?.clone(),
            })
        };
        let mut command = Vec::new();
        for part in parts {
            // A column alone may hold several arguments, or none.
            let column = part
                .strip_prefix('{')
                .and_then(|rest| rest.strip_suffix('}'));
            match column.and_then(|name| task.columns.get(name).filter(|_| name != "file")) {
                Some(value) => command.extend(words(value).map_err(wrong)?),
                None => command.push(fill(&part, &replace).map_err(wrong)?),
            }
        }
        command.extend(self.arguments.iter().cloned());
        Ok(command)
    }

    /// What the run said.
    pub(crate) fn read(&self, run: &Finished) -> Reading {
        let code = match run.end {
            End::Time => return Reading::of(Answer::Killed, "killed: time", ""),
            End::Memory => return Reading::of(Answer::Killed, "killed: memory", ""),
            End::Stopped => return Reading::of(Answer::Killed, "stopped", ""),
            End::Signal(signal) => {
                let reason = format!("signal {signal}");
                return Reading::of(Answer::Crash, reason, last_line(&run.stderr));
            }
            End::Code(code) => code,
        };
        match &self.format {
            Format::Ult => json::read(run, code),
            Format::Patterns(rules) => {
                let output = format!("{}\n{}", run.stdout, run.stderr);
                rules
                    .iter()
                    .find_map(|rule| rule.read(code, &output))
                    .unwrap_or_else(|| {
                        let reason = format!("exit code {code}, no rule fits");
                        Reading::of(Answer::Crash, reason, last_line(&output))
                    })
            }
        }
    }
}

impl Rule {
    fn new(description: RuleDescription) -> Result<Rule, String> {
        if matches!(description.answer, Answer::Crash | Answer::Killed) {
            return Err(format!("no rule can answer `{}`", description.answer));
        }
        if description.exit.is_none() && description.output.is_none() {
            return Err("a rule needs `exit` or `output`".to_owned());
        }
        let output = description.output.map(|pattern| Regex::new(&pattern));
        Ok(Rule {
            answer: description.answer,
            exit: match description.exit {
                None => Vec::new(),
                Some(Exit::One(code)) => vec![code],
                Some(Exit::Some(codes)) => codes,
            },
            output: output.transpose().map_err(|error| error.to_string())?,
        })
    }

    fn read(&self, code: i32, output: &str) -> Option<Reading> {
        if !self.exit.is_empty() && !self.exit.contains(&code) {
            return None;
        }
        let mut reason = String::new();
        if let Some(pattern) = &self.output {
            let found = pattern.captures(output)?;
            if let Some(group) = found.get(1) {
                reason = group.as_str().trim().to_owned();
            }
        }
        Some(Reading::of(self.answer, reason, ""))
    }
}

/// Splits a command as a shell would.
fn words(text: &str) -> Result<Vec<String>, String> {
    shlex::split(text).ok_or_else(|| format!("unbalanced quotes in `{text}`"))
}

/// Replaces `{name}` in a text.
fn fill(text: &str, replace: &impl Fn(&str) -> Option<String>) -> Result<String, String> {
    let mut filled = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        let Some((name, after)) = after.split_once('}') else {
            break;
        };
        filled += before;
        filled += &replace(name).ok_or_else(|| format!("nothing is known as `{{{name}}}`"))?;
        rest = after;
    }
    Ok(filled + rest)
}

/// The last line that says something.
fn last_line(text: &str) -> &str {
    text.lines()
        .rev()
        .find(|line| !line.trim().is_empty())
        .unwrap_or("")
        .trim()
}
