//! Task definitions, property files, sets of tasks and benchmark definitions, made from a task list.
//!
//! ```text
//! OUT/tool.NAME.xml          a benchmark definition for each tool
//! OUT/PROPERTY.set           the tasks with a property
//! OUT/tasks/FILE.yml         a task: its file (where the list has it), properties with verdicts, language, data model
//! OUT/properties/NAME.prp    what must not happen, in the words of SV-COMP
//! ```

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use indexmap::{IndexMap, IndexSet};

use crate::answer::Expected;
use crate::tasks::{Selection, Task};
use crate::{Failure, machine};

/// What `tasks` is told.
#[derive(clap::Args)]
pub(crate) struct TasksArguments {
    /// Which tasks.
    #[command(flatten)]
    selection: Selection,
    /// For whom.
    #[arg(long, value_enum)]
    format: Format,
    /// The data model of C programs, where the list has no column for it.
    #[arg(long, default_value = "lp64", value_parser = ["ilp32", "lp64"])]
    data_model: String,
    /// A tool-info module of BenchExec, with the options that its tool gets; may be repeated.
    #[arg(long, value_name = "MODULE [OPTIONS]", default_value = "verifiers.ult")]
    tool: Vec<String>,
    /// The time limit of a run in seconds.
    #[arg(long, default_value_t = 60, value_name = "SECONDS")]
    timeout: u64,
    /// The memory limit of a run in megabytes.
    #[arg(long, default_value_t = 4000, value_name = "MB")]
    memory: u64,
    /// How many processor cores a run has.
    #[arg(long, default_value_t = 1)]
    cores: u32,
    /// The folder to write to.
    #[arg(long, value_name = "FOLDER")]
    out: PathBuf,
}

/// Whose format.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Format {
    /// BenchExec's.
    Benchexec,
}

/// The properties of task lists: their names there, the names of their files, and what must hold, in the words of SV-COMP.
const PROPERTIES: [(&str, &str, &[&str]); 11] = [
    ("", "assertions", &["G assert"]),
    ("acsl-assert", "assertions", &["G assert"]),
    ("assertions", "assertions", &["G assert"]),
    ("unreach-call", "unreach-call", &["G ! call(reach_error())"]),
    (
        "unreach-label",
        "unreach-label",
        &["G ! label(ERROR)", "G ! label(error)"],
    ),
    ("no-overflow", "no-overflow", &["G ! overflow"]),
    ("valid-deref", "valid-deref", &["G valid-deref"]),
    ("valid-free", "valid-free", &["G valid-free"]),
    ("valid-memtrack", "valid-memtrack", &["G valid-memtrack"]),
    (
        "valid-memcleanup",
        "valid-memcleanup",
        &["G valid-memcleanup"],
    ),
    (
        "valid-memsafety",
        "valid-memsafety",
        &["G valid-free", "G valid-deref", "G valid-memtrack"],
    ),
];

/// What Ultimate checks if nobody asks for anything.
const ULTIMATE: (&str, &str, &[&str]) = (
    "ultimate-default(memsafety/assert)",
    "ultimate-default",
    &["G assert", "G valid-deref", "G valid-free"],
);

/// Writes the files; tells what was written.
pub(crate) fn write(arguments: &TasksArguments) -> Result<String, Failure> {
    let Format::Benchexec = arguments.format;
    let list = arguments.selection.read()?;
    // BenchExec knows no tasks that are to be refused.
    let (rejected, list): (Vec<Task>, Vec<Task>) = list
        .into_iter()
        .partition(|task| task.expected == Expected::Reject);
    if list.is_empty() {
        return Err(Failure::NoTasks);
    }
    let out = &arguments.out;
    std::fs::create_dir_all(out).map_err(|error| Failure::Io(out.clone(), error))?;
    let mut properties: BTreeMap<&str, &[&str]> = BTreeMap::new();
    let mut definitions: IndexMap<PathBuf, Vec<(&str, &Task)>> = IndexMap::new();
    let mut sets: IndexMap<&str, IndexSet<PathBuf>> = IndexMap::new();
    for task in &list {
        let asked = task.columns.get("property").map_or("", |name| name.trim());
        let (_, name, formulas) = PROPERTIES
            .into_iter()
            .chain([ULTIMATE])
            .find(|(known, ..)| *known == asked)
            .ok_or_else(|| Failure::NoProperty(asked.to_owned(), task.name.clone()))?;
        properties.insert(name, formulas);
        let file = definition_of(&task.name);
        sets.entry(name).or_default().insert(file.clone());
        definitions.entry(file).or_default().push((name, task));
    }
    for (name, formulas) in properties {
        let lines = formulas.iter();
        let text: String = lines
            .map(|formula| format!("CHECK( init(main()), LTL({formula}) )\n"))
            .collect();
        store(&out.join("properties").join(format!("{name}.prp")), &text)?;
    }
    for (file, wanted) in &definitions {
        let path = out.join(file);
        store(
            &path,
            &definition(&path, out, wanted, &arguments.data_model)?,
        )?;
    }
    for (name, files) in &sets {
        let lines: String = files
            .iter()
            .map(|file| format!("{}\n", file.display()))
            .collect();
        store(&out.join(format!("{name}.set")), &lines)?;
    }
    let names: Vec<&str> = sets.keys().copied().collect();
    for tool in &arguments.tool {
        let (module, options) = tool.split_once(' ').unwrap_or((tool, ""));
        let options = shlex::split(options)
            .ok_or_else(|| Failure::Tool(tool.clone(), "unbalanced quotes".to_owned()))?;
        let name = module.rsplit('.').next().unwrap_or(module);
        store(
            &out.join(format!("{name}.xml")),
            &benchmark(module, &options, &names, arguments),
        )?;
    }
    let mut told = format!("{} tasks in {}", definitions.len(), out.display());
    if !rejected.is_empty() {
        let _ = write!(
            told,
            "; left out: {} that are to be rejected",
            rejected.len()
        );
    }
    Ok(told)
}

/// The file of a task's definition, below the folder of all.
fn definition_of(name: &str) -> PathBuf {
    let parts = name
        .split('/')
        .filter(|part| !matches!(*part, "" | "." | ".."));
    let file: PathBuf = ["tasks"].into_iter().chain(parts).collect();
    let mut file = file.into_os_string();
    file.push(".yml");
    file.into()
}

fn definition(
    path: &Path,
    out: &Path,
    wanted: &[(&str, &Task)],
    data_model: &str,
) -> Result<String, Failure> {
    let folder = path.parent().unwrap_or(out);
    let Some((_, task)) = wanted.first() else {
        return Ok(String::new());
    };
    let absolute = |path: &Path| {
        std::path::absolute(path).map_err(|error| Failure::Io(path.to_owned(), error))
    };
    // Links are not followed: the file keeps the name that the list gives it.
    let from = absolute(folder)?;
    let relative = |path: &Path| {
        let path = absolute(path)?;
        let found = pathdiff::diff_paths(&path, &from).unwrap_or(path);
        Ok(quoted(&found.to_string_lossy()))
    };
    let mut text = format!(
        "format_version: '2.0'\n\ninput_files: {}\n\nproperties:\n",
        relative(&task.path)?
    );
    for (name, task) in wanted {
        let file = out.join("properties").join(format!("{name}.prp"));
        let _ = writeln!(text, "  - property_file: {}", relative(&file)?);
        match task.expected {
            Expected::True => text += "    expected_verdict: true\n",
            Expected::False => text += "    expected_verdict: false\n",
            Expected::Reject | Expected::Open => {}
        }
    }
    if matches!(
        task.path.extension().and_then(|suffix| suffix.to_str()),
        Some("c" | "i")
    ) {
        let column = task
            .columns
            .get("data_model")
            .filter(|value| !value.is_empty());
        let model = column
            .map_or(data_model, String::as_str)
            .to_ascii_uppercase();
        let _ = write!(
            text,
            "\noptions:\n  language: C\n  data_model: {}\n",
            quoted(&model)
        );
    }
    Ok(text)
}

/// A text in YAML: JSON's strings are YAML's, too.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

fn benchmark(
    module: &str,
    options: &[String],
    sets: &[&str],
    arguments: &TasksArguments,
) -> String {
    let mut text = format!(
        "<?xml version=\"1.0\"?>\n\
         <!DOCTYPE benchmark PUBLIC \"+//IDN sosy-lab.org//DTD BenchExec benchmark 2.3//EN\" \
         \"https://www.sosy-lab.org/benchexec/benchmark-2.3.dtd\">\n\
         <!-- made by ult-bench tasks, {} -->\n\
         <benchmark tool=\"{}\" timelimit=\"{} s\" hardtimelimit=\"{} s\" memlimit=\"{} MB\" cpuCores=\"{}\">\n",
        machine::date(),
        escaped(module),
        arguments.timeout,
        arguments.timeout + 10,
        arguments.memory,
        arguments.cores,
    );
    for option in options {
        let _ = match option.split_once('=') {
            Some((name, value)) if name.starts_with('-') => writeln!(
                text,
                "  <option name=\"{}\">{}</option>",
                escaped(name),
                escaped(value)
            ),
            _ => writeln!(text, "  <option name=\"{}\"/>", escaped(option)),
        };
    }
    let name = module.rsplit('.').next().unwrap_or(module);
    let _ = writeln!(text, "  <rundefinition name=\"{}\"/>", escaped(name));
    for set in sets {
        let _ = writeln!(
            text,
            "  <tasks name=\"{set}\">\n    <includesfile>{set}.set</includesfile>\n    \
             <propertyfile>properties/{set}.prp</propertyfile>\n  </tasks>"
        );
    }
    if name == "ult" {
        text += "  <columns>\n    <column title=\"engine\">statistics.decided_by</column>\n    \
                 <column title=\"solver_calls\">statistics.solver_calls</column>\n  </columns>\n";
    }
    text += "</benchmark>\n";
    text
}

/// A text in an attribute or element of XML.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for c in text.chars() {
        match c {
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '"' => escaped += "&quot;",
            c => escaped.push(c),
        }
    }
    escaped
}

fn store(path: &Path, text: &str) -> Result<(), Failure> {
    let failed = |error| Failure::Io(path.to_owned(), error);
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(failed)?;
    }
    std::fs::write(path, text).map_err(failed)
}
