//! What is said about submissions, in the forms that people and course systems read.

use serde_json::{Value, json};
use ult_report::junit::{Case, Outcome, Problem, Suite, document_of};

use super::class::Graded;
use super::exercise::Exercise;
use super::judge::Grade;

/// The version of the JSON document. It changes if a member goes or means something else.
const VERSION: u32 = 1;

/// For people. Of the exercise's own hints, as many as they ask for.
pub(super) fn text(exercise: &Exercise, all: &[Graded], hints: usize) -> String {
    let mut text = String::new();
    for graded in all {
        let path = graded.path.display();
        match &graded.grade {
            Grade::Passed => text += &format!("{path}: passed, {} points\n", exercise.points),
            Grade::Undecided(why) => {
                text += &format!("{path}: not decided: {why}\n");
                text += "  No points are taken away: somebody has to look at it, or to give it more time.\n";
            }
            Grade::Failed(_) => {
                let code = graded.objection().map_or("", |first| first.fault.code());
                text += &format!("{path}: failed ({code})\n");
                for sentence in sentences(graded) {
                    text += &format!("  {sentence}\n");
                }
                for (number, hint) in (1..).zip(exercise.hints.iter().take(hints)) {
                    text += &format!("  Hint {number}: {hint}\n");
                }
            }
        }
    }
    if all.len() > 1 {
        let count = |is: fn(&Grade) -> bool| all.iter().filter(|g| is(&g.grade)).count();
        text += &format!(
            "ult: {}: {} passed, {} failed, {} not decided\n",
            exercise.title,
            count(|grade| *grade == Grade::Passed),
            count(|grade| matches!(grade, Grade::Failed(_))),
            count(|grade| matches!(grade, Grade::Undecided(_))),
        );
    }
    text
}

/// What is said about a submission that fails, sentence by sentence; the first one says where.
fn sentences(graded: &Graded) -> Vec<String> {
    let Some(first) = graded.objection() else {
        return Vec::new();
    };
    let mut sentences = first.words.clone();
    if let (Some(line), Some(start)) = (first.line, sentences.first_mut()) {
        *start = format!("Line {line}: {start}");
    }
    sentences
}

fn words(graded: &Graded) -> String {
    match &graded.grade {
        Grade::Passed => "passed".to_owned(),
        Grade::Undecided(why) => format!("not decided: {why}"),
        Grade::Failed(_) => sentences(graded).join(". "),
    }
}

fn code(graded: &Graded) -> &'static str {
    match graded.grade {
        Grade::Passed => "passed",
        Grade::Failed(_) => "failed",
        Grade::Undecided(_) => "undecided",
    }
}

/// For machines.
pub(super) fn as_json(exercise: &Exercise, all: &[Graded], hints: usize) -> String {
    let submissions: Vec<Value> = all
        .iter()
        .map(|graded| {
            let objections: Vec<Value> = match &graded.grade {
                Grade::Failed(objections) => objections
                    .iter()
                    .map(|o| json!({ "reason": o.fault.code(), "line": o.line, "words": o.words }))
                    .collect(),
                _ => Vec::new(),
            };
            let why = match &graded.grade {
                Grade::Undecided(why) => Some(why),
                _ => None,
            };
            let shown = match objections.is_empty() {
                true => 0,
                false => hints.min(exercise.hints.len()),
            };
            json!({
                "file": graded.path.display().to_string(),
                "student": graded.student,
                "result": code(graded),
                "points": graded.points(exercise),
                "objections": objections,
                "undecided": why,
                "hints": exercise.hints[..shown],
                "seconds": graded.time.as_secs_f64(),
            })
        })
        .collect();
    let document = json!({
        "version": VERSION,
        "exercise": exercise.title,
        "points": exercise.points,
        "submissions": submissions,
    });
    format!("{document:#}\n")
}

/// For systems that read tests: GitHub Classroom, GitLab, Jenkins.
pub(super) fn junit(exercise: &Exercise, all: &[Graded]) -> Result<String, String> {
    let case = |graded: &Graded| {
        let fault = graded.objection().map_or("", |first| first.fault.code());
        Case {
            name: graded.student.clone(),
            class: exercise.title.clone(),
            seconds: Some(graded.time.as_secs_f64()),
            outcome: match &graded.grade {
                Grade::Passed => Outcome::Success,
                Grade::Failed(_) => Outcome::Failure(Problem::new(fault, words(graded))),
                Grade::Undecided(_) => Outcome::Error(Problem::new("undecided", words(graded))),
            },
        }
    };
    let suite = Suite {
        name: exercise.title.clone(),
        seconds: None,
        cases: all.iter().map(case).collect(),
    };
    document_of(&[suite]).map_err(|error| error.to_string())
}

/// For Gradescope: `results.json`. It is about one submission; where there are several, each is a test.
pub(super) fn gradescope(exercise: &Exercise, all: &[Graded]) -> String {
    let tests: Vec<Value> = all
        .iter()
        .map(|graded| {
            let mut test = json!({
                "name": exercise.title,
                "max_score": exercise.points,
                "output": words(graded),
                "visibility": "visible",
            });
            // Without a score, somebody has to give one.
            if let Some(points) = graded.points(exercise) {
                test["score"] = points.into();
                let status = if points > 0 { "passed" } else { "failed" };
                test["status"] = status.into();
            }
            test
        })
        .collect();
    format!("{:#}\n", json!({ "tests": tests }))
}

/// For gradebooks: points and a comment for each student. What is not decided has no points.
pub(super) fn csv(exercise: &Exercise, all: &[Graded]) -> Result<String, String> {
    let told = |error: csv::Error| error.to_string();
    let mut writer = csv::Writer::from_writer(Vec::new());
    let title = exercise.title.as_str();
    writer
        .write_record(["student", title, "result", "feedback"])
        .map_err(told)?;
    for graded in all {
        let points = graded
            .points(exercise)
            .map_or(String::new(), |points| points.to_string());
        let record = [
            cell(&graded.student),
            points,
            code(graded).to_owned(),
            cell(&words(graded)),
        ];
        writer.write_record(&record).map_err(told)?;
    }
    let bytes = writer.into_inner().map_err(|error| error.to_string())?;
    String::from_utf8(bytes).map_err(|error| error.to_string())
}

/// A text that no spreadsheet takes for a formula: students choose the names of their files.
fn cell(text: &str) -> String {
    match text.starts_with(['=', '+', '-', '@', '\t', '\r']) {
        true => format!("'{text}"),
        false => text.to_owned(),
    }
}
