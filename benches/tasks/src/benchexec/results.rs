//! Result files of BenchExec (`*.results.*.xml`, compressed or not) as tables.

use std::io::Read as _;
use std::path::Path;

use roxmltree::{Document, Node, ParsingOptions};

use crate::Failure;
use crate::answer::{Answer, Expected, Judgement};
use crate::table::{Row, Table};

/// Whether a file is one of BenchExec's, by its name.
pub(crate) fn is_results(file: &Path) -> bool {
    let name = file.to_string_lossy();
    name.ends_with(".xml") || name.ends_with(".xml.bz2")
}

/// Reads a result file.
pub(crate) fn read(file: &Path) -> Result<Table, Failure> {
    let io = |error| Failure::Io(file.to_owned(), error);
    let bytes = std::fs::read(file).map_err(io)?;
    let mut text = String::new();
    let is_compressed = file.extension().is_some_and(|suffix| suffix == "bz2");
    match is_compressed {
        true => bzip2::read::BzDecoder::new(&bytes[..]).read_to_string(&mut text),
        false => (&bytes[..]).read_to_string(&mut text),
    }
    .map_err(io)?;
    parse(&text).map_err(|why| Failure::Results(file.to_owned(), why))
}

fn parse(text: &str) -> Result<Table, String> {
    let options = ParsingOptions {
        allow_dtd: true,
        ..ParsingOptions::default()
    };
    let document = Document::parse_with_options(text, options).map_err(|e| e.to_string())?;
    let root = document.root_element();
    if !root.has_tag_name("result") {
        return Err("this is no result of BenchExec".to_owned());
    }
    let attribute = |name: &str| root.attribute(name).unwrap_or_default().to_owned();
    let name = tool(root);
    let mut table = Table::default();
    let system = |tag: &str, name: &str| {
        let node = root.descendants().find(|node| node.has_tag_name(tag));
        node.and_then(|node| node.attribute(name))
            .unwrap_or_default()
    };
    let gigabytes = quantity(system("ram", "size"), "B").unwrap_or_default() / 1e9;
    let megabytes =
        quantity(root.attribute("memlimit").unwrap_or_default(), "B").map(|bytes| bytes / 1e6);
    let machine = format!(
        "{}, {} threads, {gigabytes:.1} GB",
        system("cpu", "model"),
        system("cpu", "cores")
    );
    for (key, value) in [
        ("date", attribute("starttime")),
        ("measured by", attribute("generator")),
        ("version", format!("{name} {}", attribute("version"))),
        ("machine", machine),
        ("timeout", attribute("timelimit").replace('s', " s")),
        (
            "memory",
            megabytes.map_or(String::new(), |limit| format!("{limit:.0} MB")),
        ),
        ("cores of a run", attribute("cpuCores")),
        (
            "options",
            format!("{name} {}", attribute("options")).trim().to_owned(),
        ),
    ] {
        if !value.trim().is_empty() {
            table.context.insert(key.to_owned(), value);
        }
    }
    let runs = root.children().filter(|node| node.has_tag_name("run"));
    table.rows = runs.map(|run| row(run, &name)).collect::<Result<_, _>>()?;
    if root.attribute("endtime").is_none() {
        table
            .context
            .insert("interrupted".to_owned(), "yes".to_owned());
    }
    Ok(table)
}

/// The run definition, without the set of tasks that BenchExec adds to its name.
fn tool(root: Node) -> String {
    let name = root
        .attribute("name")
        .or(root.attribute("tool"))
        .unwrap_or("?");
    let block = root.attribute("block").map(|block| format!(".{block}"));
    let name = block
        .and_then(|block| name.strip_suffix(&block))
        .unwrap_or(name);
    name.to_owned()
}

fn row(run: Node, tool: &str) -> Result<Row, String> {
    let name = run.attribute("name").ok_or("a run without a name")?;
    let value = |title: &str| {
        let mut columns = run.children().filter(|node| node.has_tag_name("column"));
        columns
            .find(|node| node.attribute("title") == Some(title))?
            .attribute("value")
    };
    let figure = |title: &str, unit: &str| match value(title) {
        None => Ok(0.0),
        Some(text) => quantity(text, unit).ok_or_else(|| format!("{name}: {title} is {text}")),
    };
    let status = value("status").unwrap_or_default();
    let expected = run.attribute("expectedVerdict").unwrap_or("open");
    let expected = Expected::from_column(expected.split('(').next().unwrap_or(expected));
    let (got, reason) = answer(status, value("terminationreason"));
    let number = |title: &str| value(title).and_then(|text| text.parse().ok());
    Ok(Row {
        file: task(name).to_owned(),
        tool: tool.to_owned(),
        expected: expected.to_string(),
        got,
        judgement: Judgement::of(expected, got),
        seconds: figure("walltime", "s")?,
        cpu_seconds: figure("cputime", "s")?,
        memory_mb: (figure("memory", "B")? / 1e5).round() / 10.0,
        splits: None,
        refinements: None,
        solver_calls: number("solver_calls"),
        nodes: None,
        predicates: None,
        engine: value("engine").unwrap_or_default().to_owned(),
        ways: String::new(),
        reason,
        detail: String::new(),
    })
}

/// What BenchExec's status says, and why there is no answer.
fn answer(status: &str, ended: Option<&str>) -> (Answer, String) {
    match (status, ended) {
        ("true", _) => (Answer::True, String::new()),
        ("false", _) => (Answer::False, String::new()),
        (status, _) if status.starts_with("false(") => (Answer::False, String::new()),
        ("ERROR (rejected)", _) => (Answer::Reject, String::new()),
        (_, Some("cputime" | "cputime-soft" | "walltime")) => {
            (Answer::Killed, "killed: time".to_owned())
        }
        (_, Some("memory")) => (Answer::Killed, "killed: memory".to_owned()),
        ("TIMEOUT", None) => (Answer::Unknown, "timeout".to_owned()),
        ("OUT OF MEMORY", None) => (Answer::Unknown, "memory".to_owned()),
        ("unknown", _) => (Answer::Unknown, "unknown".to_owned()),
        (status, _) => (Answer::Crash, status.to_owned()),
    }
}

/// The file that a task stands for in the list that its definition was made from.
fn task(name: &str) -> &str {
    let mut rest = name;
    while let Some(after) = rest.strip_prefix("../") {
        rest = after;
    }
    let rest = match rest.split_once("tasks/") {
        Some((before, after)) if before.is_empty() || before.ends_with('/') => after,
        _ => rest,
    };
    rest.strip_suffix(".yml").unwrap_or(rest)
}

/// A number with its unit.
fn quantity(text: &str, unit: &str) -> Option<f64> {
    text.trim()
        .strip_suffix(unit)?
        .parse()
        .ok()
        .filter(|number: &f64| number.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statuses_are_answers() {
        for (status, ended, expected) in [
            ("true", None, (Answer::True, "")),
            ("false(unreach-call)", None, (Answer::False, "")),
            ("falsehood", None, (Answer::Crash, "falsehood")),
            ("TIMEOUT", None, (Answer::Unknown, "timeout")),
            ("TIMEOUT", Some("cputime"), (Answer::Killed, "killed: time")),
            (
                "OUT OF MEMORY",
                Some("memory"),
                (Answer::Killed, "killed: memory"),
            ),
            ("ERROR (rejected)", None, (Answer::Reject, "")),
            (
                "SEGMENTATION FAULT",
                None,
                (Answer::Crash, "SEGMENTATION FAULT"),
            ),
        ] {
            let (got, reason) = answer(status, ended);
            assert_eq!((got, &*reason), expected, "{status}");
        }
    }

    #[test]
    fn tasks_have_the_names_of_the_list() {
        for (name, expected) in [
            ("../tasks/a/b.c.yml", "a/b.c"),
            ("tasks/b.c.yml", "b.c"),
            ("../../out/tasks/b.bpl.yml", "b.bpl"),
            ("../c/multitasks/b.yml", "c/multitasks/b"),
        ] {
            assert_eq!(task(name), expected);
        }
    }

    #[test]
    fn what_is_no_result_is_refused() {
        for text in [
            "",
            "<benchmark/>",
            "<result><run/></result>",
            "<result><run name='a'><column title='cputime' value='1'/></run></result>",
        ] {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}
