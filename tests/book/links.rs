//! Links and includes of the book lead somewhere, and every page is in the table of contents.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Component, Path, PathBuf};

use crate::listings::{Page, root};

/// The targets of `[text](target)` outside of blocks.
pub fn links(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut inside = false;
    for line in text.lines() {
        if line.starts_with("```") {
            inside = !inside;
        }
        if inside {
            continue;
        }
        for (at, _) in line.match_indices("](") {
            let target = &line[at + 2..];
            let target = &target[..target.find(')').unwrap_or(target.len())];
            found.push(target.to_owned());
        }
    }
    found
}

/// What mdBook calls a heading in links: lower case, blanks as dashes, no other signs.
fn anchor(heading: &str) -> String {
    heading
        .trim()
        .chars()
        .filter_map(|c| match c {
            ' ' => Some('-'),
            c if c.is_alphanumeric() || c == '-' || c == '_' => Some(c.to_ascii_lowercase()),
            _ => None,
        })
        .collect()
}

fn anchors(text: &str) -> BTreeSet<String> {
    let mut inside = false;
    text.lines()
        .filter_map(|line| {
            if line.starts_with("```") {
                inside = !inside;
            }
            let heading = line.trim_start_matches('#');
            (!inside && heading.len() < line.len()).then(|| anchor(heading))
        })
        .collect()
}

/// A path without `.` and `..`.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => drop(plain.pop()),
            Component::CurDir => {}
            other => plain.push(other),
        }
    }
    plain
}

/// The links of a page that lead nowhere.
pub fn broken(page: &Page) -> Vec<String> {
    let folder = page.path.parent().expect("a folder");
    let mut wrong = Vec::new();
    for link in links(&page.text) {
        if link.starts_with("https://") {
            continue;
        }
        let (file, section) = link.split_once('#').unwrap_or((&link, ""));
        let target = match file {
            "" => page.path.clone(),
            _ => plain(&folder.join(file)),
        };
        if !target.is_file() || !target.starts_with(root().join("book/src")) {
            wrong.push(format!("{}: no page {link}", page.name()));
        } else if !section.is_empty()
            && !anchors(&fs::read_to_string(&target).expect("a text")).contains(section)
        {
            wrong.push(format!("{}: no section {link}", page.name()));
        }
    }
    wrong
}

/// The files that a page includes, with what mdBook takes of them.
pub fn includes(page: &Page) -> Result<Vec<(PathBuf, String)>, String> {
    let folder = page.path.parent().expect("a folder");
    let mut found = Vec::new();
    for (at, marker) in page.text.match_indices("{{#include ") {
        let rest = &page.text[at + marker.len()..];
        let (what, _) = rest.split_once("}}").ok_or("an include is not closed")?;
        let (file, part) = what.split_once(':').unwrap_or((what, ""));
        let path = plain(&folder.join(file));
        let text = fs::read_to_string(&path)
            .map_err(|error| format!("{}: {what}: {error}", page.name()))?;
        let there = match part.split(':').next().unwrap_or_default() {
            "" => true,
            first => match first.parse::<usize>() {
                Ok(line) => line <= text.lines().count(),
                Err(_) => {
                    let marked = |word| text.contains(&format!("{word}: {first}\n"));
                    marked("ANCHOR") && marked("ANCHOR_END")
                }
            },
        };
        if !there {
            return Err(format!(
                "{}: {what}: the file has no such part",
                page.name()
            ));
        }
        found.push((path, part.to_owned()));
    }
    Ok(found)
}

/// What is wrong between the table of contents and the pages.
pub fn contents(summary: &Page, pages: &[Page]) -> Vec<String> {
    let folder = summary.path.parent().expect("a folder");
    let listed: Vec<PathBuf> = links(&summary.text)
        .iter()
        .map(|link| plain(&folder.join(link)))
        .collect();
    let mut wrong = Vec::new();
    for page in pages.iter().filter(|page| page.path != summary.path) {
        match listed.iter().filter(|path| **path == page.path).count() {
            1 => {}
            number => wrong.push(format!("SUMMARY.md lists {} {number} times", page.name())),
        }
    }
    wrong
}

#[test]
fn headings_become_anchors() {
    assert_eq!(
        anchor(" What `SAFE` means, exactly"),
        "what-safe-means-exactly"
    );
    assert_eq!(
        links("a [b](c.md#d) e [f](g)\n```\n[x](y)\n```\n"),
        ["c.md#d", "g"]
    );
}
