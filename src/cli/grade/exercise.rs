//! What a teacher writes about an exercise: `exercise.toml`.

use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use ult_driver::Language;

use super::change::Change;

/// The name of the file in the folder of an exercise.
pub const FILE: &str = "exercise.toml";

/// An exercise: what students get, what they may change, and what is checked besides.
#[derive(Debug)]
pub struct Exercise {
    /// The folder with `exercise.toml`.
    pub folder: PathBuf,
    /// What it is called.
    pub title: String,
    /// What is to be done, in a sentence.
    pub task: String,
    /// From 1 (easy) to 3.
    pub difficulty: u8,
    /// How long it takes.
    pub minutes: u32,
    /// What a submission that passes is worth.
    pub points: u32,
    /// The file that students get.
    pub given: PathBuf,
    /// A submission that passes.
    pub solution: PathBuf,
    /// The language of all of its files.
    pub language: Language,
    /// Options of `ult check`.
    pub options: Vec<String>,
    /// What `ult check` has to say.
    pub verdict: Expected,
    /// What students may change.
    pub change: Vec<Change>,
    /// Whether every assertion has to be reached by some run.
    pub reach: bool,
    /// What is told to those who ask for it, one after the other.
    pub hints: Vec<String>,
    /// What else has to hold.
    pub hidden: Vec<Hidden>,
    /// Submissions with typical mistakes.
    pub wrong: Vec<Wrong>,
    /// Submissions that try to get around the task.
    pub cheat: Vec<Cheat>,
}

/// A verdict that is expected.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Expected {
    /// Every obligation holds.
    #[default]
    Safe,
    /// Some obligation is violated.
    Unsafe,
}

/// A check that students do not see.
#[derive(Clone, Debug)]
pub struct Hidden {
    /// The text that is put together with the submission: see `hidden`.
    pub file: PathBuf,
    /// What has to come out.
    pub expect: Expected,
    /// The part of the submission that is to blame where it does not.
    pub about: Change,
    /// What a student is told then.
    pub says: String,
    /// Options of `ult check` instead of the exercise's.
    pub options: Option<Vec<String>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct HiddenForm {
    file: PathBuf,
    #[serde(default)]
    expect: Expected,
    about: String,
    says: String,
    options: Option<Vec<String>>,
}

/// A submission with a typical mistake.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Wrong {
    /// The submission.
    pub file: PathBuf,
    /// The line that the hint has to name, if it is about one.
    pub line: Option<u32>,
    /// Words that the hint has to contain.
    #[serde(default)]
    pub says: String,
}

/// A submission that tries to get around the task.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Cheat {
    /// The submission.
    pub file: PathBuf,
    /// The code of the reason for which it has to fail.
    pub reason: String,
    /// The line that has to be named, if one has to.
    pub line: Option<u32>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Form {
    title: String,
    task: String,
    difficulty: u8,
    minutes: u32,
    points: Option<u32>,
    given: PathBuf,
    solution: PathBuf,
    #[serde(default)]
    options: Vec<String>,
    #[serde(default)]
    verdict: Expected,
    change: Vec<String>,
    reach: Option<bool>,
    #[serde(default)]
    hints: Vec<String>,
    #[serde(default)]
    hidden: Vec<HiddenForm>,
    #[serde(default)]
    wrong: Vec<Wrong>,
    #[serde(default)]
    cheat: Vec<Cheat>,
}

/// What a submission is worth if the exercise does not say.
const POINTS: u32 = 10;

impl Exercise {
    /// Reads the exercise of a folder. All paths in it are relative to the folder.
    ///
    /// # Errors
    /// In words: what is missing or makes no sense.
    pub fn read(folder: &Path) -> Result<Exercise, String> {
        let path = folder.join(FILE);
        let wrong = |why: &dyn std::fmt::Display| format!("{}: {why}", path.display());
        let text = fs::read_to_string(&path).map_err(|error| wrong(&error))?;
        let form: Form = toml::from_str(&text).map_err(|error| wrong(&error))?;
        let given = folder.join(form.given);
        let language = given
            .extension()
            .and_then(|suffix| suffix.to_str())
            .and_then(Language::of_suffix);
        let language = match language {
            Some(known @ (Language::Boogie | Language::Graph | Language::Horn | Language::C)) => {
                known
            }
            _ => return Err(wrong(&"exercises are in Boogie, `.ult`, SMT-LIB or C")),
        };
        if form.change.is_empty() {
            return Err(wrong(&"`change` is empty: there is nothing to do"));
        }
        let change = form.change.iter().map(|text| Change::read(text));
        let change: Vec<Change> = change
            .collect::<Result<_, _>>()
            .map_err(|why| wrong(&why))?;
        if !(1..=3).contains(&form.difficulty) {
            return Err(wrong(&"`difficulty` is 1, 2 or 3"));
        }
        if form.hidden.is_empty() && form.verdict == Expected::Unsafe {
            // `1 div 0` is any number, also one that violates something.
            return Err(wrong(
                &"where students look for a violation, a hidden check has to say that it is one",
            ));
        }
        if form.hidden.is_empty() && change.iter().any(Change::is_open_ended) {
            // A body that does something else may still keep the assertions that are left in it.
            return Err(wrong(
                &"where students may change a body or edges, a hidden check has to say what it does",
            ));
        }
        let hidden = form.hidden.into_iter().map(|hidden| {
            Ok(Hidden {
                file: folder.join(hidden.file),
                expect: hidden.expect,
                about: Change::read(&hidden.about)?,
                says: hidden.says,
                options: hidden.options,
            })
        });
        let hidden: Result<Vec<Hidden>, String> = hidden.collect();
        Ok(Exercise {
            title: form.title,
            task: form.task,
            difficulty: form.difficulty,
            minutes: form.minutes,
            points: form.points.unwrap_or(POINTS),
            given,
            solution: folder.join(form.solution),
            language,
            options: form.options,
            verdict: form.verdict,
            change,
            reach: form.reach.unwrap_or(true),
            hints: form.hints,
            hidden: hidden.map_err(|why| wrong(&why))?,
            wrong: form.wrong,
            cheat: form.cheat,
            folder: folder.to_owned(),
        })
    }
}
