//! Sessions in which somebody steps through a refinement, as texts.

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::{Lab, P};

/// A session and what was said in it.
struct Session<'l> {
    lab: &'l Lab,
    shown: usize,
    now: Value,
    text: String,
}

impl<'l> Session<'l> {
    fn begin(lab: &'l Lab, language: &str, engine: &str, program: &str) -> Session<'l> {
        let task = json!({ "language": language, "text": program, "engine": engine });
        let mut session = Session {
            lab,
            shown: 0,
            now: Value::Null,
            text: format!("{program}\n"),
        };
        let told = lab.ask("begin", task, 0);
        session.take(told);
        session
    }

    fn take(&mut self, told: Value) {
        for step in told["steps"].as_array().unwrap() {
            let (texts, step, lines) = (&step["texts"], &step["step"], &step["lines"]);
            let text = |number: &Value| {
                let number = number.as_u64().unwrap();
                texts[number as usize].as_str().unwrap().to_owned()
            };
            let action = step["action"].as_str().unwrap();
            let _ = writeln!(self.text, "== {action}: {} {lines}", text(&step["text"]));
            for row in step["rows"].as_array().unwrap() {
                let _ = writeln!(self.text, "     {}: {}", text(&row[0]), text(&row[1]));
            }
        }
        self.shown += told["steps"].as_array().unwrap().len();
        let feedback = &told["feedback"];
        if !feedback.is_null() {
            let told = feedback["answer"].as_array();
            let answer = told
                .map(|answer| format!(" {answer:?}"))
                .unwrap_or_default();
            let _ = writeln!(
                self.text,
                "   {}{answer}",
                if feedback["right"] == true {
                    "right"
                } else {
                    "wrong"
                }
            );
            if let Some(words) = feedback["text"].as_str() {
                let _ = writeln!(self.text, "   {}: {words}", feedback["outcome"]);
            }
            for moment in feedback["moments"].as_array().into_iter().flatten() {
                let _ = writeln!(
                    self.text,
                    "     {} {}: {}",
                    moment["state"], moment["lines"], moment["values"]
                );
            }
            if !feedback["formulas"].is_null() {
                let _ = writeln!(
                    self.text,
                    "     {} {}",
                    feedback["formulas"], feedback["compared"]
                );
            }
        }
        if told["question"] != self.now["question"] {
            let question = &told["question"];
            if !question.is_null() {
                let _ = writeln!(self.text, "-- {}", question["text"].as_str().unwrap());
            }
            for choice in question["choices"].as_array().into_iter().flatten() {
                let _ = writeln!(self.text, "   * {}", choice["text"].as_str().unwrap());
            }
            for position in question["positions"].as_array().into_iter().flatten() {
                let _ = writeln!(self.text, "   at {position}");
            }
        }
        if !told["result"].is_null() {
            let _ = writeln!(
                self.text,
                "== {} {}",
                told["result"]["verdict"], told["score"]
            );
        }
        self.now = told;
    }

    fn say(&mut self, words: &str) {
        let _ = writeln!(self.text, "> {words}");
    }

    /// Predicts by the beginnings of choices.
    fn predict(&mut self, beginnings: &[&str]) -> bool {
        self.say(&format!("{beginnings:?}"));
        let choices = self.now["question"]["choices"].as_array().unwrap();
        let numbers: Vec<usize> = choices
            .iter()
            .enumerate()
            .filter(|(_, choice)| {
                let text = choice["text"].as_str().unwrap();
                beginnings
                    .iter()
                    .any(|beginning| text.starts_with(beginning))
            })
            .map(|(number, _)| number)
            .collect();
        assert_eq!(
            numbers.len(),
            beginnings.len(),
            "{beginnings:?}: {choices:?}"
        );
        let told = self
            .lab
            .ask("predict", json!({ "choices": numbers }), self.shown);
        self.take(told);
        self.now["feedback"]["right"] == true
    }

    fn propose(&mut self, formulas: &[&str]) -> Value {
        self.say(&format!("{formulas:?}"));
        let told = self
            .lab
            .ask("propose", json!({ "formulas": formulas }), self.shown);
        self.take(told);
        self.now["feedback"].clone()
    }

    fn next(&mut self) {
        self.say("next");
        let told = self.lab.ask("next", json!({}), self.shown);
        self.take(told);
    }

    fn finish(&mut self) {
        self.say("to the end");
        let told = self.lab.ask("next", json!({ "all": true }), self.shown);
        self.take(told);
    }

    fn kind(&self) -> &str {
        self.now["question"]["kind"].as_str().unwrap_or_default()
    }

    /// Goes on to the next question for interpolants.
    fn until_interpolants(&mut self) {
        while self.kind() != "interpolants" {
            assert_eq!(self.now["status"], "waiting", "{}", self.text);
            self.next();
        }
    }
}

#[test]
fn each_step_of_the_proof_of_p_can_be_predicted() {
    let lab = Lab::start();
    let mut session = Session::begin(&lab, "boogie", "slicing", P);
    assert!(session.predict(&["start → loop1 → error1"]));
    assert!(!session.predict(&["Feasible"]));
    assert_eq!(session.propose(&["n == x + y + z"])["right"], true);
    session.next();
    assert!(session.predict(&["loop1"]));
    assert!(session.predict(&["start → loop1_2", "loop1 → error1"]));
    assert!(session.predict(&["loop1 → loop1_2"]));
    assert!(session.predict(&["None"]));
    assert_eq!(session.now["result"]["verdict"], "SAFE");
    assert_eq!(session.now["score"], json!({ "asked": 7, "right": 6 }));
    insta::assert_snapshot!("lab_predicted", session.text);
    // The page about it is the report's.
    let (status, page) = lab.get("report?1");
    assert_eq!(status, 200);
    assert!(page.contains("Refinement, step by step") && page.contains("n == x + y + z"));
}

#[test]
fn interpolants_are_judged_and_the_search_goes_on_with_them() {
    let lab = Lab::start();
    let mut session = Session::begin(&lab, "boogie", "slicing", P);
    session.until_interpolants();
    // It does not follow from the path before; it does not exclude the path behind.
    for wrong in ["n == x + 1", "n == x + y", "true", "false"] {
        assert_eq!(session.propose(&[wrong])["outcome"], "fails", "{wrong}");
    }
    for unreadable in [
        "n == x + w",
        "n ==",
        "n + x",
        "(n == x",
        "n == x) || (true",
        "n == x; }",
        "n' == x",
        "n == x /* and",
        "n == x // and",
    ] {
        let outcome = &session.propose(&[unreadable])["outcome"];
        let is_expression = unreadable.contains("||") || unreadable.contains("//");
        match is_expression {
            // What it says is weighed, whatever it looks like.
            true => assert_ne!(outcome, "accepted", "{unreadable}"),
            false => assert_eq!(outcome, "unreadable", "{unreadable}"),
        }
    }
    // Too strong to be inductive: it is an interpolant of this path, but another one follows.
    let told = session.propose(&["n == x && y == 0 && z == 0"]);
    assert_eq!(told["outcome"], "accepted");
    assert_eq!(told["compared"], json!(["says more than the engine's"]));
    session.next();
    let split = "loop1 is split by n == x && y == 0 && z == 0";
    assert!(!session.text.contains(split));
    session.next();
    assert!(session.text.contains(split), "{}", session.text);
    session.until_interpolants();
    assert_eq!(
        session.now["question"]["positions"]
            .as_array()
            .unwrap()
            .len(),
        2
    );
    // One of two: the other one is found so that it fits.
    let told = session.propose(&["", "n == x + y + z"]);
    assert_eq!(told["outcome"], "accepted");
    session.finish();
    assert_eq!(session.now["result"]["verdict"], "SAFE");
    insta::assert_snapshot!("lab_overridden", session.text);
}

#[test]
fn what_was_accepted_can_be_taken_back() {
    let lab = Lab::start();
    let mut session = Session::begin(&lab, "boogie", "slicing", P);
    session.until_interpolants();
    let told = session.propose(&["n == x && y == 0 && z == 0"]);
    assert_eq!(told["outcome"], "accepted");
    let told = lab.ask("next", json!({ "alone": true }), session.shown);
    session.take(told);
    session.finish();
    let split = "loop1 is split by n == x + y + z";
    assert!(session.text.contains(split), "{}", session.text);
}

/// Alone, slicing abstraction finds ever new interpolants here.
#[test]
fn an_interpolant_of_ones_own_ends_what_has_no_end() {
    let lab = Lab::start();
    let program = include_str!("../../src/lab/programs/two-loops.bpl");
    let mut session = Session::begin(&lab, "boogie", "slicing", program);
    session.until_interpolants();
    let sum = "x + y == n && y >= 0";
    assert_eq!(session.propose(&[sum])["outcome"], "accepted");
    while session.now["status"] == "waiting" {
        let positions = session.now["question"]["positions"].as_array();
        if let Some(count) = positions.map(Vec::len) {
            // Where it holds already, it holds; where it does not, that is what remains.
            let _ = session.propose(&vec![sum; count]);
        }
        session.next();
    }
    assert_eq!(session.now["result"]["verdict"], "SAFE", "{}", session.text);
    insta::assert_snapshot!("lab_helped", session.text);
}

/// `w` is read before the loop and never again: at the loop it does not matter.
const VOCABULARY: &str = "procedure main(w: int)
  requires w > 0;
{
  var i, s: int;
  i := 0;
  s := 2 * w;
  while (i < 10) {
    i := i + 1;
    if (*) { s := s + i; }
  }
  assert s > 0;
}
";

#[test]
fn what_does_not_matter_on_both_sides_may_not_be_named() {
    let lab = Lab::start();
    let mut session = Session::begin(&lab, "boogie", "slicing", VOCABULARY);
    session.until_interpolants();
    assert_eq!(
        session.propose(&["s == 2 * w && w > 0"])["outcome"],
        "stray"
    );
    assert_eq!(
        session.propose(&["s >= 2 && i >= 0"])["outcome"],
        "accepted"
    );
    session.finish();
    assert_eq!(session.now["result"]["verdict"], "SAFE");
    insta::assert_snapshot!("lab_vocabulary", session.text);
}

#[test]
fn a_feasible_path_is_a_run_and_the_checker_replays_it() {
    let lab = Lab::start();
    let program = include_str!("../../examples/seed-unsafe.bpl");
    let mut session = Session::begin(&lab, "boogie", "slicing", program);
    session.next();
    assert!(session.predict(&["Feasible"]));
    session.finish();
    assert_eq!(session.now["result"]["verdict"], "UNSAFE");
    insta::assert_snapshot!("lab_run", session.text);
}

#[test]
fn other_engines_are_stepped_through_in_the_same_way() {
    let lab = Lab::start();
    for engine in ["impact", "predicate"] {
        let mut session = Session::begin(&lab, "boogie", engine, P);
        let mut asked = 0;
        while session.now["status"] == "waiting" {
            if session.kind() == "interpolants" {
                let outcome = session.propose(&["n == x + y"]);
                assert_eq!(outcome["right"], false);
                asked += 1;
            }
            session.next();
        }
        assert!(asked > 0, "{}", session.text);
        assert_eq!(session.now["result"]["verdict"], "SAFE");
        insta::assert_snapshot!(format!("lab_{engine}"), session.text);
    }
}

#[test]
fn what_has_no_end_can_be_stopped() {
    let lab = Lab::start();
    let program = include_str!("../../src/lab/programs/two-loops.bpl");
    let session = Session::begin(&lab, "boogie", "slicing", program);
    let (status, told) = lab.post("next", &json!({ "all": true, "from": session.shown }));
    assert_eq!((status, &told["status"]), (200, &json!("thinking")));
    std::thread::sleep(std::time::Duration::from_millis(500));
    let told = lab.ask("cancel", json!({}), 0);
    let verdict = told["result"]["verdict"].as_str().unwrap();
    assert!(verdict.starts_with("UNKNOWN"), "{verdict}");
    let steps = told["steps"].as_array().unwrap().len();
    assert!((2..=600).contains(&steps), "{steps}");
}

/// Nothing that is wrong with a program, or with what is asked, keeps the laboratory from the next one.
#[test]
fn other_work_ends_what_waits() {
    let lab = Lab::start();
    let first = Session::begin(&lab, "boogie", "slicing", P);
    assert_eq!(first.now["status"], "waiting");
    let wrong = json!({ "language": "boogie", "text": "procedure p() { assert x; }" });
    let told = lab.ask("begin", wrong.clone(), 0);
    assert_eq!(told["result"]["verdict"], "REJECTED");
    let (status, _) = lab.post("predict", &json!({ "choices": [0] }));
    assert_eq!(status, 409);
    let (_, read) = lab.post("read", &wrong);
    assert_eq!(read["diagnostics"][0]["line"], 1, "{read}");
    let told = lab.ask("begin", json!({ "language": "boogie", "text": P }), 0);
    assert_eq!(told["result"]["verdict"], "SAFE");
    let session = Session::begin(&lab, "boogie", "slicing", P);
    assert_eq!(session.now["status"], "waiting");
    let told = lab.ask("cancel", json!({}), 0);
    assert!(
        told["result"]["verdict"]
            .as_str()
            .unwrap()
            .starts_with("UNKNOWN"),
        "{told}"
    );
}

/// The engine's interpolants are told when somebody asks for them, and not before; who knows them predicts nothing.
#[test]
fn the_solution_is_told_when_it_is_asked_for() {
    let lab = Lab::start();
    let task = json!({ "language": "boogie", "text": P, "engine": "slicing" });
    let mut told = lab.ask("begin", task, 0);
    assert_eq!(lab.post("reveal", &json!({ "from": 0 })).0, 409);
    while told["question"]["kind"] != "interpolants" {
        assert!(told["question"].get("own").is_none(), "{told}");
        let shown = told["steps"].as_array().unwrap().len();
        told = lab.ask("next", json!({}), shown);
    }
    assert_eq!(told["question"]["own"], Value::Null);
    let score = told["score"].clone();
    let told = lab.ask("reveal", json!({}), 0);
    let own = told["question"]["own"].clone();
    assert!(own.as_array().is_some_and(|own| !own.is_empty()), "{told}");
    let told = lab.ask("propose", json!({ "formulas": own }), 0);
    assert_eq!(told["feedback"]["outcome"], "accepted", "{told}");
    assert_eq!(told["score"], score);
}
