//! The pictures of the book are what `ult` draws.
//!
//! Behind `<!-- picture: FILE: COMMAND -->` a page shows the picture FILE, which is what COMMAND prints. The command runs
//! where those of the page's sessions do, so it may be about a listing of the page. `INSTA_UPDATE=always` draws anew.

use std::collections::BTreeSet;
use std::fs;

use crate::listings::{Page, Shell, root};

/// The folder of all pictures, from the book's folder of texts on.
const FOLDER: &str = "course/pictures";

struct Picture<'a> {
    file: &'a str,
    command: &'a str,
    /// The line behind the marker, that should show it.
    shown: &'a str,
}

fn pictures(page: &Page) -> Vec<Picture<'_>> {
    let mut found = Vec::new();
    let mut lines = page.text.lines();
    while let Some(line) = lines.next() {
        let marker = line
            .strip_prefix("<!-- picture: ")
            .and_then(|rest| rest.strip_suffix(" -->"));
        if let Some((file, command)) = marker.and_then(|marker| marker.split_once(": ")) {
            let shown = lines.next().unwrap_or_default();
            found.push(Picture {
                file,
                command,
                shown,
            });
        }
    }
    found
}

/// What is wrong with the pictures of a page, whose listings are written already.
pub fn complaints(page: &Page, shell: &Shell) -> Vec<String> {
    let mut wrong = Vec::new();
    let folder = page.path.parent().expect("a folder");
    for picture in pictures(page) {
        let mut complain = |what: &str| {
            wrong.push(format!("{}: {}: {what}", page.name(), picture.file));
        };
        let description = picture
            .shown
            .strip_prefix("![")
            .and_then(|rest| rest.strip_suffix(&format!("]({})", picture.file)));
        if description.is_none_or(|text| text.len() < 10) {
            complain("the next line should show it, with words for those who do not see it");
        }
        let drawn = shell.run(picture.command);
        if !drawn.starts_with("<svg ") {
            complain(&format!("no picture:\n{drawn}"));
        } else if shell.run(picture.command) != drawn {
            complain("another picture each time");
        } else {
            let path = folder.join(picture.file);
            let text = fs::read_to_string(&path).unwrap_or_default();
            wrong.extend(Page { path, text }.settle(&drawn));
        }
    }
    wrong
}

/// What is wrong between the pages and the folder of pictures.
pub fn strays(pages: &[Page]) -> Vec<String> {
    let folder = root().join("book/src").join(FOLDER);
    let mut wrong = Vec::new();
    let mut shown = BTreeSet::new();
    for page in pages {
        let of = page.path.parent().expect("a folder");
        for picture in pictures(page) {
            let path = of.join(picture.file);
            if path.parent() != Some(&folder) || !shown.insert(path) {
                wrong.push(format!(
                    "{}: {} has another picture's name, or lies elsewhere",
                    page.name(),
                    picture.file
                ));
            }
        }
    }
    for entry in fs::read_dir(&folder).expect("there are pictures") {
        let path = entry.expect("an entry").path();
        if !shown.contains(&path) {
            wrong.push(format!("{} is on no page", path.display()));
        }
    }
    wrong
}
