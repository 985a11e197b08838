//! What can be predicted about the step that an engine is about to make.
//!
//! The engine has decided already when the question is asked; the answer is the step. So no prediction is judged by a rule that
//! could differ from what the engine does.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use ult_explain::search::{Element, Mark, Step};

use crate::abstraction::Abstraction;

/// So many ways are offered.
const MOST_PATHS: usize = 4;

/// So many edges or states are offered.
const MOST: usize = 16;

/// A question.
#[derive(Clone, Debug)]
pub(crate) struct Quiz {
    /// What kind of question, for the page.
    pub(crate) kind: &'static str,
    text: String,
    /// The answers that are offered, each with the elements of the picture that it is about.
    choices: Vec<(String, Vec<String>)>,
    /// Whether several may be right.
    several: bool,
    right: BTreeSet<usize>,
    /// The rule behind it.
    why: &'static str,
}

impl Quiz {
    /// What the page is told, without the answer.
    pub(crate) fn shown(&self) -> Value {
        let choices = self.choices.iter();
        let choices: Vec<Value> = choices
            .map(|(text, marks)| json!({ "text": text, "marks": marks }))
            .collect();
        json!({ "kind": self.kind, "text": self.text, "choices": choices, "several": self.several })
    }

    /// With the answer, for a page that has no server.
    pub(crate) fn solved(&self) -> Value {
        let mut value = self.shown();
        value["right"] = json!(self.right);
        value["why"] = self.why.into();
        value
    }

    /// What there is to say about an answer.
    pub(crate) fn judged(&self, answer: &BTreeSet<usize>) -> (bool, Value) {
        let is_right = *answer == self.right;
        let words = self.right.iter().map(|&i| self.choices[i].0.as_str());
        let words: Vec<&str> = words.collect();
        let told =
            json!({ "kind": self.kind, "right": is_right, "answer": words, "why": self.why });
        (is_right, told)
    }

    /// Whether a path is feasible.
    pub(crate) fn feasible(is_feasible: Option<bool>) -> Quiz {
        let choices = [
            "Feasible: its formula has a model, which is a trace to the error",
            "Infeasible: no execution takes it",
            "Nobody finds out in time",
        ];
        let right = match is_feasible {
            Some(true) => 0,
            Some(false) => 1,
            None => 2,
        };
        Quiz {
            kind: "feasible",
            text: "Is this path feasible?".into(),
            choices: choices.map(|text| (text.into(), Vec::new())).into(),
            several: false,
            right: BTreeSet::from([right]),
            why: "The path formula, the conjunction of its steps, goes to the solver: a model is a trace.",
        }
    }

    /// About the step that comes next. `last` is the error path before, in words.
    pub(crate) fn about(seen: &Abstraction, step: &Step, last: Option<&str>) -> Quiz {
        match step.action {
            "error path" | "finished" => path(seen, step, last),
            "run" => Quiz::feasible(Some(true)),
            "given up" => Quiz::feasible(None),
            "slice" => slice(seen, step),
            "split" => one_state(
                seen,
                step,
                Mark::Changed,
                "split",
                "Which abstract state is split now?".into(),
                "A state on the path is split by its interpolant, into where it holds and where not. One whose interpolant is \
                 true or false, or known there already, stays whole.",
            ),
            "expand" => one_state(
                seen,
                step,
                Mark::Path,
                "expand",
                "Which abstract state gets its successors now?".into(),
                "The engine takes the next one that is neither expanded nor covered.",
            ),
            "cover" => {
                let covered = first(step, Mark::Covered).map(|state| seen.name(state).to_owned());
                one_state(
                    seen,
                    step,
                    Mark::Covers,
                    "cover",
                    format!(
                        "{} is covered now: by which state?",
                        covered.as_deref().unwrap_or("A state")
                    ),
                    "A state is covered by an older one at the same location, if what it says implies what that one says: \
                     what follows was looked at there.",
                )
            }
            _ => action(step),
        }
    }
}

/// Which path, if any?
fn path(seen: &Abstraction, step: &Step, last: Option<&str>) -> Quiz {
    let marked = edges(step, Mark::Path);
    let mut paths = seen.error_paths(MOST_PATHS);
    if step.action == "error path" && !paths.contains(&marked) {
        paths.truncate(MOST_PATHS - 1);
        paths.push(marked.clone());
    }
    let mut choices: Vec<(String, Vec<String>, bool)> = Vec::new();
    for path in &paths {
        let marks = path.iter().map(|edge| format!("e{edge}")).collect();
        choices.push((seen.walk(path), marks, *path == marked));
    }
    if let Some(last) = last.filter(|last| choices.iter().all(|(text, ..)| text != last)) {
        choices.push((format!("{last}, as before"), Vec::new(), false));
    }
    // The shortest one is not always the first.
    choices.sort();
    let is_over = step.action == "finished";
    choices.push(("None: no error path is left".into(), Vec::new(), is_over));
    let right = choices.iter().enumerate();
    let right = right.filter(|(_, (.., right))| *right).map(|(i, _)| i);
    Quiz {
        kind: "path",
        text: "Which error path does the engine look at next?".into(),
        right: right.collect(),
        choices: choices
            .into_iter()
            .map(|(text, marks, _)| (text, marks))
            .collect(),
        several: false,
        why: "Slicing takes a shortest path in the abstraction, of several equally long ones the one through older states. IMPACT \
              and predicate abstraction take the first one that their tree comes to.",
    }
}

/// Which edges go?
fn slice(seen: &Abstraction, step: &Step) -> Quiz {
    let gone: BTreeSet<u32> = edges(step, Mark::Gone).into_iter().collect();
    let mut offered: BTreeSet<u32> = gone.clone();
    let touched = seen.touched(&gone);
    let near = |edge: &&u32| {
        let (from, to, _) = &seen.edges[*edge];
        touched.contains(from) || touched.contains(to)
    };
    offered.extend(
        seen.edges
            .keys()
            .filter(near)
            .take(MOST.saturating_sub(gone.len())),
    );
    let rest = MOST.saturating_sub(offered.len());
    let far: Vec<u32> = seen
        .edges
        .keys()
        .copied()
        .filter(|edge| !offered.contains(edge))
        .take(rest)
        .collect();
    offered.extend(far);
    let by_interpolants = step.text.contains("interpolants");
    let right = offered.iter().enumerate();
    let right = right
        .filter(|(_, edge)| gone.contains(edge))
        .map(|(i, _)| i);
    Quiz {
        kind: "slice",
        text: match by_interpolants {
            true => "Which edges do the interpolants exclude?".into(),
            false => "The next path has an edge along which no step leads. Which edge goes?".into(),
        },
        right: right.collect(),
        choices: offered
            .iter()
            .map(|&edge| (seen.arrow(edge), vec![format!("e{edge}")]))
            .collect(),
        several: true,
        why: match by_interpolants {
            true => {
                "From where an interpolant holds, the path's step leads only to where the next one holds: the edges to the other \
                 halves go."
            }
            false => {
                "Before a path is looked at, each of its edges is asked for by itself: is there a step from a state where the one \
                 formula holds to one where the other does?"
            }
        },
    }
}

/// Which state is it about?
fn one_state(
    seen: &Abstraction,
    step: &Step,
    mark: Mark,
    kind: &'static str,
    text: String,
    why: &'static str,
) -> Quiz {
    let Some(state) = first(step, mark) else {
        return action(step);
    };
    let mut offered: BTreeSet<u32> = seen.states.keys().rev().take(MOST).copied().collect();
    offered.insert(state);
    let right = offered.iter().position(|&other| other == state);
    Quiz {
        kind,
        text,
        right: right.into_iter().collect(),
        choices: offered
            .iter()
            .map(|&state| (seen.name(state).to_owned(), vec![format!("n{state}")]))
            .collect(),
        several: false,
        why,
    }
}

/// The steps that are offered where nothing more is asked.
const ACTIONS: [(&str, &str); 9] = [
    ("expand", "a state gets its successors"),
    ("cover", "a state is covered by an older one"),
    (
        "force_cover",
        "it tries to have a state covered, by strengthening it",
    ),
    ("strengthen", "a state says more"),
    ("predicates", "predicates are found"),
    ("remove", "a state goes"),
    ("uncover", "a covering does not hold any more"),
    ("start", "the abstraction is made anew"),
    ("stopped", "the search ends"),
];

/// What happens?
fn action(step: &Step) -> Quiz {
    let mut choices: Vec<(String, Vec<String>)> = ACTIONS
        .iter()
        .map(|(_, words)| ((*words).to_owned(), Vec::new()))
        .collect();
    let known = ACTIONS.iter().position(|(name, _)| *name == step.action);
    let right = known.unwrap_or_else(|| {
        choices.push((step.action.to_owned(), Vec::new()));
        choices.len() - 1
    });
    Quiz {
        kind: "action",
        text: "What happens next?".into(),
        choices,
        several: false,
        right: BTreeSet::from([right]),
        why: "The words are those of the papers; the book explains them with the engine.",
    }
}

/// The edges of a step with a mark.
pub(crate) fn edges(step: &Step, mark: Mark) -> Vec<u32> {
    let marked = step.marks.iter().filter(|(known, _)| *known == mark);
    let edges = marked.filter_map(|(_, element)| match element {
        Element::Edge(number) => Some(*number),
        Element::State(_) => None,
    });
    edges.collect()
}

/// The first state of a step with a mark.
fn first(step: &Step, mark: Mark) -> Option<u32> {
    let mut marked = step.marks.iter().filter(|(known, _)| *known == mark);
    marked.find_map(|(_, element)| match element {
        Element::State(number) => Some(*number),
        Element::Edge(_) => None,
    })
}
