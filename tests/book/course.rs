//! The exercises of the course are complete. Whether they can be solved, and not be got around, is for `tests/grade.rs` to find out.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use ult_cli::grade::exercise::Exercise;

use crate::grade;
use crate::listings::{Page, root};

/// How many exercises the course has.
const EXERCISES: usize = 60;

/// How many lessons.
const LESSONS: usize = 17;

/// The exercises of a lesson, in the order of its table: the easy ones first.
fn of_lesson(lesson: &str) -> Vec<(String, Exercise)> {
    let folders = grade::folders().into_iter();
    let own = folders.filter(|folder| {
        folder
            .parent()
            .is_some_and(|parent| parent.ends_with(lesson))
    });
    let mut exercises: Vec<(String, Exercise)> = own
        .map(|folder| (name(&folder), Exercise::read(&folder).expect("an exercise")))
        .collect();
    exercises.sort_by_key(|(name, exercise)| (exercise.difficulty, exercise.minutes, name.clone()));
    exercises
}

fn name(path: &Path) -> String {
    path.file_name()
        .expect("a name")
        .to_string_lossy()
        .into_owned()
}

/// The table of a lesson's exercises.
pub fn table(lesson: &str) -> String {
    let mut text =
        String::from("\n| exercise | what to do | difficulty | minutes |\n|---|---|---|---|\n");
    let exercises = of_lesson(lesson);
    assert!(!exercises.is_empty(), "no lesson is called `{lesson}`");
    for (_, exercise) in exercises {
        let file = name(&exercise.given);
        let (task, minutes) = (&exercise.task, exercise.minutes);
        let difficulty = "★".repeat(exercise.difficulty.into());
        let _ = writeln!(
            text,
            "| `examples/course/{lesson}/{file}` | {task} | {difficulty} | {minutes} |"
        );
    }
    text
}

/// What is wrong with the exercises, given all pages of the book.
pub fn complaints(pages: &[Page]) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut lessons: BTreeMap<String, usize> = BTreeMap::new();
    let (mut given, mut solutions) = (BTreeSet::new(), BTreeSet::new());
    for folder in grade::folders() {
        let lesson = name(folder.parent().expect("a lesson"));
        let exercise = Exercise::read(&folder).expect("an exercise");
        let file = format!("{}/{}", lesson, name(&exercise.given));
        for (path, what) in [
            (&exercise.given, "course"),
            (&exercise.solution, "solutions"),
        ] {
            let wanted = root()
                .join("examples")
                .join(what)
                .join(&file)
                .canonicalize();
            if path.canonicalize().ok() != wanted.ok() || !path.is_file() {
                wrong.push(format!("{}: not in examples/{what}/{file}", path.display()));
            }
        }
        let stem = exercise
            .given
            .file_stem()
            .expect("a name")
            .to_string_lossy()
            .into_owned();
        if stem != name(&folder) {
            wrong.push(format!("{file} has another name than its folder"));
        }
        given.insert(file.clone());
        solutions.insert(file);
        *lessons.entry(lesson).or_default() += 1;
    }
    for (folder, known) in [
        ("examples/course", &given),
        ("examples/solutions", &solutions),
    ] {
        for file in files(&root().join(folder)) {
            if !known.contains(&file) {
                wrong.push(format!("{folder}/{file} belongs to no exercise"));
            }
        }
    }
    if given.len() != EXERCISES || lessons.len() != LESSONS {
        wrong.push(format!(
            "{} exercises in {} lessons",
            given.len(),
            lessons.len()
        ));
    }
    for (lesson, count) in &lessons {
        if !(3..=4).contains(count) {
            wrong.push(format!("{count} exercises in the lesson `{lesson}`"));
        }
        let marker = format!("<!-- generated: exercises {lesson} -->");
        let tables = pages
            .iter()
            .filter(|page| page.text.contains(&marker))
            .count();
        if tables != 1 {
            wrong.push(format!("the table of `{lesson}` is on {tables} pages"));
        }
    }
    wrong
}

/// The files of the lessons' folders, each with the name of its folder.
fn files(folder: &Path) -> Vec<String> {
    let entries = |folder: &Path| {
        fs::read_dir(folder)
            .expect("a folder")
            .map(|entry| entry.expect("an entry").path())
    };
    let lessons = entries(folder).filter(|path| path.is_dir());
    let inside = lessons.flat_map(|lesson| {
        let of = name(&lesson);
        entries(&lesson)
            .map(move |file| format!("{of}/{}", name(&file)))
            .collect::<Vec<_>>()
    });
    inside.collect()
}
