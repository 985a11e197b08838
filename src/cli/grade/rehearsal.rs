//! Whether an exercise is as its author says: the solution passes, what students get does not, and the mistakes and tricks that
//! are kept with it fail for the reasons that are written there.

use std::path::Path;

use ult_core::control::Control;

use super::exercise::Exercise;
use super::fault::Objection;
use super::judge::{Grade, Judge};

/// What is not as the author says, in words.
pub fn complaints(exercise: &Exercise, judge: &Judge<'_>, control: &Control) -> Vec<String> {
    let mut found = Vec::new();
    let mut expect = |path: &Path, fits: &dyn Fn(&Grade) -> bool| {
        let grade = judge.grade(path, control);
        if !fits(&grade) {
            found.push(format!("{}: {}", path.display(), describe(&grade)));
        }
    };
    expect(&exercise.solution, &|grade| *grade == Grade::Passed);
    expect(&exercise.given, &|grade| matches!(grade, Grade::Failed(_)));
    for wrong in &exercise.wrong {
        expect(&exercise.folder.join(&wrong.file), &|grade| match grade {
            Grade::Failed(objections) => objections.first().is_some_and(|first| {
                first.line == wrong.line && first.words.join(". ").contains(&wrong.says)
            }),
            _ => false,
        });
    }
    for cheat in &exercise.cheat {
        expect(&exercise.folder.join(&cheat.file), &|grade| match grade {
            Grade::Failed(objections) => objections.first().is_some_and(|first| {
                let is_there = cheat.line.is_none() || first.line == cheat.line;
                first.fault.code() == cheat.reason && is_there
            }),
            _ => false,
        });
    }
    found
}

fn describe(grade: &Grade) -> String {
    match grade {
        Grade::Passed => "passes".to_owned(),
        Grade::Undecided(why) => format!("is not decided: {why}"),
        Grade::Failed(objections) => objections.first().map_or(String::new(), |first| {
            let Objection { fault, line, words } = first;
            let line = line.map_or(String::new(), |line| format!(" at line {line}"));
            format!("fails ({}){line}: {}", fault.code(), words.join(". "))
        }),
    }
}
