//! The page, served or as a folder.
//!
//! It is one file: the script that draws pictures is that of the report. Served, it asks the server. As a folder
//! (`ult lab --output`) it has recorded sessions of the examples, whose steps can be predicted; for what needs a solver it leads
//! to a server.

use serde_json::{Value, json};

use ult_driver::Language;
use ult_engine::EngineKind;
use ult_report::html::{PICTURE, STYLE, in_script};

use crate::work::{Desk, IsFull, Task};

const PAGE: &str = include_str!("page/lab.html");
const OWN_STYLE: &str = include_str!("page/lab.css");
const SCRIPT: &str = include_str!("page/lab.js");

/// The examples: name, language, text.
const EXAMPLES: [(&str, Language, &str); 4] = [
    (
        "Program P: a sum that stays",
        Language::Boogie,
        include_str!("programs/seed.bpl"),
    ),
    (
        "P with a mistake",
        Language::Boogie,
        include_str!("programs/seed-unsafe.bpl"),
    ),
    (
        "Two loops in a row: slicing needs your help",
        Language::Boogie,
        include_str!("programs/two-loops.bpl"),
    ),
    (
        "A graph that counts (.ult)",
        Language::Graph,
        include_str!("programs/count.ult"),
    ),
];

/// So many questions are recorded of an example: some have no end.
const MOST_MOVES: usize = 40;

fn task(language: Language, text: &str, engine: Option<EngineKind>) -> Task {
    let end = if language == Language::Boogie {
        "bpl"
    } else {
        "ult"
    };
    Task {
        name: format!("program.{end}"),
        language,
        text: text.to_owned(),
        engine,
    }
}

fn examples() -> Vec<Value> {
    let examples = EXAMPLES.iter().map(|(name, language, text)| {
        let language = if *language == Language::Boogie {
            "boogie"
        } else {
            "ult"
        };
        json!({ "name": name, "language": language, "text": text })
    });
    examples.collect()
}

/// The page as it is served, and the policy that keeps everything else out: the nonce is another one each time.
pub(crate) fn served(nonce: &str) -> (String, String) {
    let data = json!({
        "version": ult_report::version(),
        "server": true,
        "texts": [],
        "examples": examples(),
    });
    let policy = format!(
        "default-src 'none'; script-src 'nonce-{nonce}'; style-src 'unsafe-inline'; connect-src 'self'; \
         frame-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    );
    (page(&data, nonce), policy)
}

/// The files of a folder that needs no server: names and texts. The examples are checked and stepped through for it.
///
/// # Errors
/// If no thread can be started.
pub fn folder(is_full: &IsFull) -> std::io::Result<Vec<(String, String)>> {
    let mut files = Vec::new();
    let mut all = examples();
    for (i, (example, (_, language, text))) in all.iter_mut().zip(EXAMPLES).enumerate() {
        let check = Desk::begin(task(language, text, None), is_full.clone())?;
        example["check"] = check.ended();
        let steps = Desk::begin(
            task(language, text, Some(EngineKind::Slicing)),
            is_full.clone(),
        )?;
        example["moves"] = steps.recorded(MOST_MOVES).into();
        let report = format!("report-{}.html", i + 1);
        example["report"] = report.clone().into();
        files.extend(steps.page().map(|page| (report, page)));
    }
    let data = json!({
        "version": ult_report::version(),
        "server": false,
        "texts": [],
        "examples": all,
    });
    files.push(("index.html".into(), page(&data, "")));
    Ok(files)
}

/// The page with its data. What is put in comes last, so that nothing in it is taken for a place to put something in.
fn page(data: &Value, nonce: &str) -> String {
    let mut text = String::new();
    let mut rest = PAGE;
    for (place, what) in [
        ("{{style}}", [STYLE, OWN_STYLE].concat()),
        ("{{data}}", in_script(data)),
        ("{{nonce}}", nonce.to_owned()),
        ("{{script}}", [PICTURE, SCRIPT].concat()),
    ] {
        let (before, behind) = rest.split_once(place).unwrap_or((rest, ""));
        text += before;
        text += &what;
        rest = behind;
    }
    text + rest
}
