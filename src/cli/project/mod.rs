//! Projects: a file `ult.toml` says which files there are, with which options they are checked, and what is expected.
//!
//! | file | idea |
//! |---|---|
//! | `read` | from the text to a [`Project`], with messages about what is wrong in it |
//! | `find` | which file it is |
//! | `init` | a new one |

mod find;
pub(crate) mod init;
mod read;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use globset::GlobSet;

pub(crate) use find::Projects;

use crate::exit::Exit;
use crate::folder;
use crate::many::task::Task;
use crate::many::words::Words;
use crate::output::complain;
use ult_report::record::Word;

/// The name of project files.
pub(crate) const NAME: &str = "ult.toml";

/// What a project file says.
#[derive(Debug)]
pub(crate) struct Project {
    /// The file, as people name it.
    pub path: PathBuf,
    /// Its folder, as people name it.
    folder: PathBuf,
    /// Its folder, without links.
    canonical: PathBuf,
    /// Which files belong to it; all programs in the folder, if nothing is said.
    files: Option<GlobSet>,
    /// Which do not.
    exclude: GlobSet,
    /// What counts for files; later rules win over earlier ones.
    rules: Vec<Rule>,
}

/// What counts for some files.
#[derive(Debug, Default)]
struct Rule {
    /// The files; all, if nothing is said.
    files: Option<GlobSet>,
    /// The words for each option: none, if it is switched off.
    options: BTreeMap<String, Vec<String>>,
    timeout: Option<Duration>,
    memory: Option<u64>,
    expected: Option<Word>,
}

impl Project {
    /// The files of the project.
    ///
    /// # Errors
    /// As [`folder::programs`]; also if there is none.
    pub(crate) fn programs(&self) -> Result<Vec<PathBuf>, Exit> {
        let all = folder::programs(std::slice::from_ref(&self.folder))?;
        let mut files = self.without_excluded(all);
        files.retain(|file| match (&self.files, self.inside(file)) {
            (Some(files), Some(inside)) => files.is_match(inside),
            (None, _) => true,
            (Some(_), None) => false,
        });
        if files.is_empty() {
            complain(&format!("`{}` has no files", self.path.display()));
            return Err(Exit::Usage);
        }
        // `./a.bpl` is `a.bpl`.
        let plain = files.into_iter().map(|file| match file.strip_prefix(".") {
            Ok(rest) => rest.to_owned(),
            Err(_) => file,
        });
        Ok(plain.collect())
    }

    /// Whether a file that was found in a folder is one that the project leaves out.
    pub(crate) fn excludes(&self, file: &Path) -> bool {
        self.inside(file)
            .is_some_and(|inside| self.exclude.is_match(inside))
    }

    fn without_excluded(&self, mut files: Vec<PathBuf>) -> Vec<PathBuf> {
        files.retain(|file| !self.excludes(file));
        files
    }

    /// The path of a file as seen from the project's folder.
    fn inside(&self, file: &Path) -> Option<PathBuf> {
        let folder = match file.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        let folder = folder.canonicalize().ok()?;
        let folder = folder.strip_prefix(&self.canonical).ok()?.to_owned();
        Some(folder.join(file.file_name()?))
    }

    /// The task to check a file, with what the project says about it unless the command line says something else.
    pub(crate) fn task(&self, file: PathBuf, own: &Words) -> Task {
        let mut task = Task::plain(file);
        let Some(inside) = self.inside(&task.file) else {
            return task;
        };
        let mut options: BTreeMap<&str, &[String]> = BTreeMap::new();
        for rule in &self.rules {
            if rule
                .files
                .as_ref()
                .is_some_and(|files| !files.is_match(&inside))
            {
                continue;
            }
            let words = rule.options.iter();
            options.extend(words.map(|(name, words)| (&**name, &**words)));
            task.timeout = rule.timeout.or(task.timeout);
            task.memory = rule.memory.or(task.memory);
            task.expected = rule.expected.or(task.expected);
        }
        options.retain(|name, _| !own.has(name));
        task.project = options.into_values().flatten().cloned().collect();
        if own.has("timeout") {
            task.timeout = None;
        }
        if own.has("memory") {
            task.memory = None;
        }
        task.project_file = (!task.is_plain()).then(|| self.path.clone());
        task
    }
}
