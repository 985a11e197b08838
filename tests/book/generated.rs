//! The parts of the book that are made from the program: between `<!-- generated: NAME -->` and `<!-- /generated -->`.

use std::fmt::Write as _;
use std::fs;

use ult_report::explain::topics;

use crate::book::grammar;
use crate::listings::{Page, root};

const END: &str = "<!-- /generated -->";

/// The page with its generated parts as they should be.
pub fn renewed(page: &Page) -> String {
    let mut parts = Vec::new();
    for (at, marker) in page.text.match_indices("<!-- generated: ") {
        let rest = &page.text[at + marker.len()..];
        let (name, _) = rest.split_once(" -->").expect("the marker is closed");
        let start = at + marker.len() + name.len() + " -->".len();
        let end = start + page.text[start..].find(END).expect("the end is marked");
        parts.push((start..end, format!("\n{}\n", made(name).trim_end())));
    }
    page.with(&parts)
}

fn made(name: &str) -> String {
    match name.split_once(' ') {
        Some(("grammar", file)) => {
            let path = root().join("grammar").join(format!("{file}.lalrpop"));
            let text = fs::read_to_string(path).expect("the grammar can be read");
            format!("\n```ebnf\n{}```\n", grammar::listing(&text))
        }
        Some(("exercises", _)) => String::new(),
        Some(("messages", kind)) => pages(|id| is_message(id) && id.starts_with(kind)),
        None if name == "reasons" => pages(|id| !is_message(id)),
        _ => panic!("nothing is known that generates `{name}`"),
    }
}

fn is_message(id: &str) -> bool {
    id.starts_with(|c: char| c.is_ascii_uppercase())
}

/// The pages of `ult explain`, included from where they are written.
fn pages(wanted: impl Fn(&str) -> bool) -> String {
    let mut text = String::new();
    for topic in topics() {
        if !wanted(topic.id) {
            continue;
        }
        let file = ["lang/src/diagnostic/pages", "src/report/pages"]
            .iter()
            .map(|folder| format!("{folder}/{}.md", topic.id))
            .find(|file| root().join(file).is_file())
            .expect("the page is in one of the folders");
        // Some pages begin with the title as a heading.
        let lines = match topic.page.starts_with("# ") {
            true => ":3:",
            false => "",
        };
        let _ = writeln!(
            text,
            "\n## {}: {}\n\n{{{{#include ../../../{file}{lines}}}}}",
            topic.id, topic.title
        );
    }
    text
}
