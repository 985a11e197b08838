//! What is made of the book for the classroom: slides, and the cheat sheet on one sheet of paper. And that nothing which is
//! shown is cut off, in a real browser.

use std::fmt::Write as _;
use std::fs;

use serde_json::json;
use tempfile::TempDir;

use super::{pages, sheet, slides};
use crate::html::chromium::{self, Chromium};
use crate::listings::{Page, root};

/// So many columns fit into the book's column at its full width.
const COLUMNS: usize = 84;

/// Lessons, by the paths that the table of contents has for them.
fn lessons() -> Vec<Page> {
    let book = root().join("book/src");
    let summary = fs::read_to_string(book.join("SUMMARY.md")).unwrap();
    let names = slides::lessons(&summary);
    assert_eq!(names.len(), 17, "{names:?}");
    names
        .iter()
        .map(|name| Page::read(&book.join(name)))
        .collect()
}

fn deck(page: &Page) -> slides::Deck {
    slides::deck(&page.text, page.path.parent().unwrap()).unwrap()
}

#[test]
fn every_lesson_has_its_parts() {
    let mut wrong = Vec::new();
    for page in lessons() {
        let slug = page
            .path
            .file_stem()
            .unwrap()
            .to_string_lossy()
            .into_owned();
        let generated = format!("<!-- generated: exercises {slug} -->");
        let parts = [
            "You will learn",
            "## In short",
            "## Exercises",
            generated.as_str(),
            "## Questions",
            "## To read",
            "<!-- picture: ",
        ];
        for part in parts {
            if !page.text.contains(part) {
                wrong.push(format!("{}: no `{part}`", page.name()));
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// Each lesson asks two to four questions, which are numbered, and each has an answer.
#[test]
fn every_question_has_an_answer() {
    let answers = fs::read_to_string(root().join("book/src/course/answers.md")).unwrap();
    let mut wrong = Vec::new();
    for (lesson, page) in (1..).zip(lessons()) {
        let numbers = |text: &str| {
            let number = |letter: char| format!("**{lesson}{letter}.**");
            "abcdefgh"
                .chars()
                .filter(|c| text.contains(&number(*c)))
                .count()
        };
        let (asked, answered) = (numbers(&page.text), numbers(&answers));
        if !(2..=4).contains(&asked) || asked != answered {
            wrong.push(format!(
                "{}: {asked} questions, {answered} answers",
                page.name()
            ));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// What is cited in parentheses, "(Author, year)", is listed at the lesson's end.
#[test]
fn what_is_cited_is_listed() {
    let is_year = |word: &&str| {
        let century = word.starts_with("19") || word.starts_with("20");
        century && word.len() == 4 && word.chars().all(|c| c.is_ascii_digit())
    };
    let (mut wrong, mut number) = (Vec::new(), 0);
    for page in lessons() {
        let text = page.text.replace('\n', " ");
        let (lesson, list) = text.split_once("## To read").unwrap();
        let groups = lesson.split('(').skip(1);
        let groups = groups.filter_map(|rest| rest.split_once([')', '`']));
        for part in groups.flat_map(|(group, _)| group.split(';')) {
            let words: Vec<&str> = part.split(|c: char| !c.is_alphanumeric()).collect();
            let is_name = |w: &&str| w.len() > 2 && w.starts_with(char::is_uppercase);
            let years: Vec<&str> = words.iter().copied().filter(is_year).collect();
            number += years.len();
            let mut names = words.iter().copied().filter(is_name).peekable();
            let is_listed = names.peek().is_none() || names.any(|name| list.contains(name));
            let is_cited = is_listed && years.iter().all(|year| list.contains(year));
            if !(years.is_empty() || is_cited) {
                wrong.push(format!("{}: ({})", page.name(), part.trim()));
            }
        }
    }
    assert!(number > 30, "{number}");
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn every_lesson_has_slides() {
    for page in lessons() {
        let deck = deck(&page);
        let number = deck.slides.len();
        assert!((6..=30).contains(&number), "{}: {number}", deck.title);
        let text = slides::page(&deck);
        for word in ["http://", "https://", "src=\"/", "@import", "fetch("] {
            let own = text.replace("http://www.w3.org/2000/svg", "");
            assert!(!own.contains(word), "{}: {word}", deck.title);
        }
        // A table is shown as one, and not as the characters that it is written with.
        assert!(!text.contains("|--"), "{}", deck.title);
    }
}

#[test]
fn what_is_not_marked_is_on_no_slide() {
    let text = "# 1. A\n\nRead <this>.\n\n## B\n\n<!-- slide:\n* say `x < 1`\n* [more](b.md)\n\n| a | b |\n|---|---|\n| 1 | 2 |\n-->\n\nLong.\n\n\
                ```bpl,slide\nassert x < 1;\n```\n\n```bpl\nassert false;\n```\n\n## C\n\nNothing.\n";
    let deck = slides::deck(text, root()).unwrap();
    assert_eq!(deck.title, "1. A");
    let html = slides::page(&deck);
    let (body, _) = html.split_once("<script>").unwrap();
    let (_, body) = body.split_once("<body>").unwrap();
    insta::assert_snapshot!(format!("{text}\n----\n{body}"));
}

#[test]
fn what_does_not_fit_is_refused() {
    let wide = format!("# A\n\n```text,slide\n{}\n```\n", "x".repeat(4000));
    let high = format!("# A\n\n```text,slide\n{}```\n", "x\n".repeat(40));
    for text in [wide.as_str(), high.as_str(), "# A\n\nNothing is marked.\n"] {
        assert!(slides::deck(text, root()).is_err(), "{text}");
    }
}

#[test]
fn slides_show_all_that_is_on_them() {
    let Some(name) = chromium::installed() else {
        return;
    };
    let folder = TempDir::new().unwrap();
    let mut browser = Chromium::start(name);
    let mut wrong = Vec::new();
    for page in lessons() {
        let path = folder.path().join("slides.html");
        let deck = deck(&page);
        fs::write(&path, slides::page(&deck)).unwrap();
        browser.size(1280, 720, 1.0);
        browser.open(&path, "2");
        assert_eq!(browser.value("location.hash"), "#2");
        browser.press("ArrowRight", false);
        assert_eq!(browser.value("location.hash"), "#3");
        browser.press("ArrowLeft", false);
        browser.press("ArrowLeft", false);
        browser.press("ArrowLeft", false);
        assert_eq!(browser.value("location.hash"), "#1");
        let hidden = browser.value(
            "[...document.images].reduce((p, i) => p.then(() => i.decode()), Promise.resolve()).then(() => {
               document.body.classList.remove('one');
               const cut = [];
               for (const slide of document.querySelectorAll('section')) {
                 slide.style.transform = '';
                 const bottom = slide.querySelector('footer').getBoundingClientRect().top;
                 const right = slide.getBoundingClientRect().right - 20;
                 for (const part of slide.querySelectorAll('h1, h2, p, li, pre, img')) {
                   const box = part.getBoundingClientRect();
                   if (box.bottom > bottom + 1 || box.right > right || part.scrollWidth > part.clientWidth + 1 && part.tagName === 'PRE')
                     cut.push(`${slide.id}: ${part.tagName} ${part.textContent.slice(0, 40)}`);
                 }
               }
               return cut;
             })",
        );
        if hidden != json!([]) {
            wrong.push(format!("{}: {hidden}", page.name()));
        }
    }
    assert_eq!(browser.complaints, [""; 0]);
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn the_cheat_sheet_is_one_sheet() {
    let Some(name) = chromium::installed() else {
        return;
    };
    let text = fs::read_to_string(root().join("book/src/course/cheatsheet.md")).unwrap();
    let folder = TempDir::new().unwrap();
    let cut_off = |text: &str| {
        let path = folder.path().join("sheet.html");
        fs::write(&path, sheet::page(text)).unwrap();
        let mut browser = Chromium::start(name);
        browser.open(&path, "");
        browser.value("(() => { const m = document.querySelector('main'); return m.scrollWidth > m.clientWidth + 1 || m.scrollHeight > m.clientHeight + 1 })()")
    };
    assert_eq!(cut_off(&text), false);
    assert_eq!(cut_off(&text.repeat(2)), true);
}

/// Programs in the course fit into the book's column, so that they look as they were written.
#[test]
fn listings_fit_into_the_column() {
    let mut wrong = Vec::new();
    for page in lessons() {
        for block in page.blocks() {
            let text = page.text[block.content.clone()].trim_end();
            let text = slides::included(text, page.path.parent().unwrap()).unwrap();
            let is_program = ["bpl", "ult", "c", "smt2", "text"].contains(&block.language());
            let widest = text.lines().map(|line| line.chars().count()).max();
            if is_program && widest.is_some_and(|widest| widest > COLUMNS) {
                wrong.push(format!("{}:{}", page.name(), block.line));
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// All blocks of the book, in a column as wide as the book's, and as narrow as a telephone's, with what mdBook's own style sheet says
/// of blocks and what ours adds.
#[test]
fn no_line_of_a_block_is_cut_off() {
    let Some(name) = chromium::installed() else {
        return;
    };
    let own = fs::read_to_string(root().join("book/book.css")).unwrap();
    let named = fs::read_to_string(root().join("book/book.toml")).unwrap();
    assert!(named.contains("additional-css = [\"book.css\"]"));
    let mut blocks = String::new();
    for page in pages() {
        for block in page.blocks() {
            let text = page.text[block.content]
                .replace('&', "&amp;")
                .replace('<', "&lt;");
            let _ = writeln!(blocks, "<pre><code class=\"hljs\">{text}</code></pre>");
        }
    }
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("blocks.html");
    let mut browser = Chromium::start(name);
    for (css, is_cut) in [(own.as_str(), false), ("", true)] {
        let html = format!(
            "<!doctype html><meta charset=utf-8><style>main {{ max-width: 750px }} code {{ font: 14px monospace }}
             pre > code.hljs {{ display: block; overflow-x: auto; padding: 1rem }}\n{css}</style><main class=content>{blocks}</main>"
        );
        fs::write(&path, html).unwrap();
        for width in [1280, 360] {
            browser.size(width, 800, 1.0);
            browser.open(&path, "");
            let cut = "[...document.querySelectorAll('pre > code')].some((c) => c.scrollWidth > c.clientWidth + 1)";
            assert_eq!(browser.value(cut), is_cut, "{width} points");
        }
    }
}
