//! Results beside numbers that others have published about the same programs.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::path::Path;

use crate::Failure;
use crate::answer::Judgement;
use crate::table::{Row, Table, escaped};

/// A Markdown table: the columns of `published` (a CSV file with a column `file`; lines with `#` say where the numbers are
/// from), and for each tool of the table its verdict and its processor seconds. Programs that are not in `published` stand
/// below the others.
///
/// # Errors
/// If `published` cannot be read, or has no column `file`.
pub(crate) fn beside(table: &Table, published: &Path) -> Result<String, Failure> {
    let csv = |error| Failure::Csv(published.to_owned(), error);
    let text = std::fs::read_to_string(published)
        .map_err(|error| Failure::Io(published.to_owned(), error))?;
    let mut reader = csv::ReaderBuilder::new()
        .comment(Some(b'#'))
        .from_reader(text.as_bytes());
    let headers = reader.headers().map_err(csv)?.clone();
    let file = headers
        .iter()
        .position(|name| name == "file")
        .ok_or_else(|| Failure::NoColumn("file".to_owned()))?;
    let records: Vec<csv::StringRecord> =
        reader.records().collect::<Result<_, _>>().map_err(csv)?;

    let tools = table.tools();
    let rows: HashMap<(&str, &str), &Row> = table
        .rows
        .iter()
        .map(|row| ((&*row.file, &*row.tool), row))
        .collect();
    let mut out = String::from("# Results beside published ones\n\n");
    for line in text.lines().map_while(|line| line.strip_prefix("# ")) {
        let _ = writeln!(out, "{line}");
    }
    out.push('\n');
    for (key, value) in &table.context {
        let _ = writeln!(out, "- {key}: {}", escaped(value));
    }
    out.push('\n');
    let others: Vec<usize> = (0..headers.len())
        .filter(|&column| column != file)
        .collect();
    let mut line = |cells: Vec<String>| {
        let _ = writeln!(out, "| {} |", cells.join(" | "));
    };
    let head = std::iter::once("file".to_owned())
        .chain(others.iter().map(|&column| escaped(&headers[column])))
        .chain(tools.iter().map(|tool| escaped(tool)));
    line(head.collect());
    line(vec!["---".to_owned(); 1 + others.len() + tools.len()]);
    let known: HashMap<&str, &csv::StringRecord> = records
        .iter()
        .map(|record| (&record[file], record))
        .collect();
    let names: indexmap::IndexSet<&str> = table.rows.iter().map(|row| &*row.file).collect();
    let (paired, alone): (Vec<&str>, Vec<&str>) =
        names.into_iter().partition(|name| known.contains_key(name));
    for name in paired.into_iter().chain(alone) {
        let theirs = others.iter().map(|&column| {
            let record = known.get(name);
            record.map_or_else(String::new, |record| escaped(&record[column]))
        });
        let ours = tools.iter().map(|tool| {
            let row = rows.get(&(name, tool.as_str()));
            row.map_or_else(String::new, |row| cell(row))
        });
        line(
            std::iter::once(escaped(name))
                .chain(theirs)
                .chain(ours)
                .collect(),
        );
    }
    Ok(out)
}

/// A verdict with its processor seconds; an answer that is no right verdict in words.
fn cell(row: &Row) -> String {
    match row.judgement {
        Judgement::Right | Judgement::Open => format!("{}: {:.2}", row.got, row.cpu_seconds),
        _ => format!("{}: {}", row.judgement, escaped(&row.reason)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_without_published_numbers_come_last() {
        let folder = tempfile::tempdir().unwrap();
        let (results, published) = (folder.path().join("r.csv"), folder.path().join("p.csv"));
        let head = "file,tool,expected,got,judgement,seconds,cpu_seconds,memory_mb,splits,refinements,solver_calls,nodes,\
                    predicates,engine,reason,detail";
        let rows = "new.c,ult,true,true,right,1,0.5,1,,,,,,,,\nold.c,ult,true,unknown,unknown,9,8,1,,,,,,,timeout,";
        std::fs::write(&results, format!("# date: today\n{head}\n{rows}\n")).unwrap();
        std::fs::write(&published, "# A paper.\nfile,BLAST\nold.c,3.5\n").unwrap();
        let table = Table::read(&results).unwrap();
        let text = beside(&table, &published).unwrap();
        let lines: Vec<&str> = text.lines().filter(|line| line.starts_with('|')).collect();
        assert_eq!(
            lines,
            [
                "| file | BLAST | ult |",
                "| --- | --- | --- |",
                "| old.c | 3.5 | unknown: timeout |",
                "| new.c |  | true: 0.50 |",
            ]
        );
        assert!(text.contains("A paper.") && text.contains("- date: today"));
        std::fs::write(&published, "name\nold.c\n").unwrap();
        assert!(beside(&table, &published).is_err());
    }
}
