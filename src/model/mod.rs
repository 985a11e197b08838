//! Models: program graphs that are built with ordinary Rust expressions.
//!
//! A model has variables, locations and edges. An edge says when it can be taken and what it changes; what it does not
//! mention stays as it is. [`Model::check`] tells whether a run gets to an error location.
//!
//! ```
//! use ult::control::Control;
//! use ult::formula::Terms;
//! use ult::model::Model;
//! use ult::verify::Settings;
//!
//! let terms = Terms::new();
//! let mut model = Model::new(&terms, "counter");
//! let x = model.int("x");
//! let (start, counting) = (model.start(), model.location("counting"));
//! let negative = model.error("negative", "x is negative");
//! model.edge(start, counting).set(x, 0);
//! model.edge(counting, counting).when(x.below(100)).set(x, x + 1);
//! model.edge(counting, negative).when(x.below(0));
//!
//! let answer = model.check(&Settings::default(), &Control::unlimited())?;
//! assert!(answer.is_safe());
//! # Ok::<(), ult::model::Mistakes>(())
//! ```
//!
//! With the feature `macros`, `ult::graph!` has graphs in their own language inside of Rust: see [`Graphs`].
//!
//! This is a thin layer: the graph behind it is an ordinary [`ProgramGraph`], to be had by [`Model::graph`], and the
//! answer is the checker's. Other sorts than integers, truth values and arrays of integers, rigid symbols and axioms need
//! [`ult_core::graph`] and [`ult_core::formula`] directly.

mod answer;
pub mod expr;
mod text;

use std::fmt;
use std::sync::Arc;

use thiserror::Error;

pub use answer::{Answer, ErrorAnswer, Moment};
pub use expr::{Array, Bool, Expr, Int, IntoExpr};
pub use text::Graphs;

use expr::kind::{self, Kind};
use ult_check::Verdict;
use ult_core::control::Control;
use ult_core::formula::{Sort, Terms, Version};
use ult_core::graph::evidence::{Plans, Walk};
use ult_core::graph::{Edge, EdgeId, Location, LocationId, ProgramGraph, Transition};
use ult_core::reason::Reason;
use ult_core::stats::Statistics;
use ult_engine::verify::{Settings, verify_unit};

/// A program graph that is being built.
pub struct Model<'t> {
    terms: &'t Terms,
    graph: ProgramGraph,
    mistakes: Vec<String>,
}

/// What is wrong with a model: a name used twice, an assignment to something that is no variable, and the like.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub struct Mistakes(
    /// One sentence each, at least one.
    pub Vec<String>,
);

impl fmt::Display for Mistakes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join("; "))
    }
}

impl<'t> Model<'t> {
    /// A model with one location, `start`, where every run begins, with any values of the variables.
    pub fn new(terms: &'t Terms, name: &str) -> Model<'t> {
        Model {
            terms,
            graph: ProgramGraph::new(name),
            mistakes: Vec::new(),
        }
    }

    /// A new variable: an integer without limits.
    pub fn int(&mut self, name: &str) -> Int<'t> {
        self.variable::<kind::Int>(name)
    }

    /// A new variable: a truth value.
    pub fn bool(&mut self, name: &str) -> Bool<'t> {
        self.variable::<kind::Bool>(name)
    }

    /// A new variable: a map from integers to integers.
    pub fn array(&mut self, name: &str) -> Array<'t> {
        self.variable::<kind::Array>(name)
    }

    fn variable<K: Kind>(&mut self, name: &str) -> Expr<'t, K> {
        let sort: Sort = expr::sort::<K>();
        if self.graph.variables.insert(name.into(), sort).is_some() {
            self.mistake(format!("there are two variables `{name}`"));
        }
        expr::variable(self.terms, name)
    }

    /// Where every run begins.
    pub fn start(&self) -> LocationId {
        self.graph.initial
    }

    /// A new location.
    pub fn location(&mut self, name: &str) -> LocationId {
        self.add(Location::named(name))
    }

    /// A new error location, and what it means that a run gets there. No edge may leave it.
    pub fn error(&mut self, name: &str, meaning: &str) -> LocationId {
        self.add(Location {
            error: Some(meaning.into()),
            ..Location::named(name)
        })
    }

    fn add(&mut self, location: Location) -> LocationId {
        let mut weights = self.graph.graph.node_weights();
        if weights.any(|other| other.name == location.name) {
            self.mistake(format!("there are two locations `{}`", location.name));
        }
        self.graph.graph.add_node(location)
    }

    /// A new edge that can always be taken and changes nothing, to be restricted and extended by the methods of
    /// [`EdgeBuilder`].
    pub fn edge(&mut self, from: LocationId, to: LocationId) -> EdgeBuilder<'_, 't> {
        let nodes = self.graph.graph.node_count();
        let edge = if from.index() < nodes && to.index() < nodes {
            let transition = Transition::assume(self.terms.tt());
            let edge = Edge::new(transition, None);
            Some(self.graph.graph.add_edge(from, to, edge))
        } else {
            self.mistake("an edge between locations of another model".into());
            None
        };
        EdgeBuilder { model: self, edge }
    }

    fn mistake(&mut self, text: String) {
        if !self.mistakes.contains(&text) {
            self.mistakes.push(text);
        }
    }

    /// The graph as it is now.
    ///
    /// # Errors
    /// If it was not built properly.
    pub fn graph(&self) -> Result<&ProgramGraph, Mistakes> {
        if !self.mistakes.is_empty() {
            return Err(Mistakes(self.mistakes.clone()));
        }
        match self.graph.check(self.terms) {
            Ok(()) => Ok(&self.graph),
            Err(mistake) => Err(Mistakes(vec![mistake])),
        }
    }

    /// Whether runs get to the error locations. Ends when `control` says so; what is not decided by then is UNKNOWN.
    ///
    /// # Errors
    /// If the model was not built properly.
    pub fn check(&self, settings: &Settings, control: &Control) -> Result<Answer, Mistakes> {
        let graph = self.graph()?;
        let mut statistics = Statistics::default();
        let mut verdicts = verify_unit(self.terms, graph, settings, control, &mut statistics);
        let errors = graph
            .errors()
            .map(|location| {
                let verdict = verdicts.remove(&location);
                self.answer(location, verdict)
            })
            .collect();
        Ok(Answer { errors, statistics })
    }

    fn answer(&self, location: LocationId, verdict: Option<Verdict>) -> ErrorAnswer {
        let places = &self.graph.graph;
        let missing = || Verdict::Unknown(Reason::Internal("an error without a verdict".into()));
        let verdict = verdict.unwrap_or_else(missing);
        let mut answer = ErrorAnswer {
            location: places[location].name.clone(),
            meaning: places[location].error.clone().unwrap_or_default(),
            verdict: verdict.clone(),
            invariants: Default::default(),
            run: Vec::new(),
        };
        match verdict {
            Verdict::Safe(proof) => {
                for (&at, &formula) in proof.invariants() {
                    if formula == self.terms.tt() || places[at].error.is_some() {
                        continue;
                    }
                    let text = self.terms.display_at_most(formula, LONGEST);
                    answer.invariants.insert(places[at].name.clone(), text);
                }
            }
            Verdict::Unsafe(violation) => {
                let run = violation.run();
                let mut plans = Plans::new(self.terms, &self.graph);
                let mut walk = Walk::new(&mut plans, run);
                let mut tell = |at: LocationId, walk: &Walk<'_, '_>| {
                    answer.run.push(Moment {
                        location: places[at].name.clone(),
                        values: walk.state().into_iter().collect(),
                    });
                };
                tell(self.graph.initial, &walk);
                for (number, step) in run.steps.iter().enumerate() {
                    // It was confirmed.
                    if walk.step(step).is_err() {
                        break;
                    }
                    let is_told =
                        number < MOMENTS_AT_ENDS || run.steps.len() - number <= MOMENTS_AT_ENDS;
                    if let (true, Some((_, at))) = (is_told, places.edge_endpoints(step.edge)) {
                        tell(at, &walk);
                    }
                }
            }
            Verdict::Unknown(_) => {}
        }
        answer
    }
}

/// Of a longer run, so many moments at its beginning and at its end are told.
const MOMENTS_AT_ENDS: usize = 10_000;

/// Invariants are shown up to about this many characters.
const LONGEST: usize = 10_000;

/// An edge that is being built. Each method restricts or extends it and gives it back.
pub struct EdgeBuilder<'m, 't> {
    model: &'m mut Model<'t>,
    edge: Option<EdgeId>,
}

impl<'t> EdgeBuilder<'_, 't> {
    /// Can only be taken if the formula holds. The formula may speak about values behind the step
    /// ([`Expr::next`]); the variables whose next values it mentions may change. (A formula that says
    /// nothing, such as `x.next().is(x.next())`, mentions nothing: for that there is
    /// [`EdgeBuilder::arbitrary`].)
    pub fn when(self, formula: impl IntoExpr<'t, kind::Bool>) -> Self {
        let terms = self.model.terms;
        let formula = formula.into_term(terms);
        let changed = terms.names_of(&[formula], Version::Next);
        self.extended(|transition| {
            transition.formula = terms.and2(transition.formula, formula);
            transition.changed.extend(changed.into_keys());
        })
    }

    /// Gives a variable a new value. All values are those before the step, so several assignments are done at once.
    pub fn set<K: Kind>(mut self, variable: Expr<'t, K>, value: impl IntoExpr<'t, K>) -> Self {
        let terms = self.model.terms;
        let formula = terms.eq(variable.next().into_term(terms), value.into_term(terms));
        match self.name_of(variable) {
            Some(name) => self.extended(|transition| {
                transition.formula = terms.and2(transition.formula, formula);
                transition.changed.insert(name);
            }),
            None => self,
        }
    }

    /// Gives a variable any value that the rest of the edge allows.
    pub fn arbitrary<K: Kind>(mut self, variable: Expr<'t, K>) -> Self {
        match self.name_of(variable) {
            Some(name) => self.extended(|transition| {
                transition.changed.insert(name);
            }),
            None => self,
        }
    }

    /// The name of what is to be given a value, if it is a variable; else a mistake is noted.
    fn name_of<K: Kind>(&mut self, variable: Expr<'t, K>) -> Option<Arc<str>> {
        let terms = variable.terms;
        match terms.as_var(variable.term) {
            Some(var) if var.version == Version::Current => Some(var.name.clone()),
            _ => {
                let text = terms.display_at_most(variable.term, LONGEST);
                self.model.mistake(format!(
                    "`{text}` is no variable, so it cannot be given a value"
                ));
                None
            }
        }
    }

    fn extended(self, change: impl FnOnce(&mut Transition)) -> Self {
        let edge = self
            .edge
            .and_then(|edge| self.model.graph.graph.edge_weight_mut(edge));
        if let Some(edge) = edge {
            change(&mut edge.transition);
        }
        self
    }

    /// The edge; `None` if there is none, because its ends are no locations of the model.
    pub fn id(&self) -> Option<EdgeId> {
        self.edge
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checked(model: &Model<'_>) -> Answer {
        let answer = model.check(&Settings::default(), &Control::unlimited());
        answer.expect("the model is well-formed")
    }

    #[test]
    fn what_an_edge_does_not_mention_stays() {
        let terms = Terms::new();
        let mut model = Model::new(&terms, "m");
        let (x, y) = (model.int("x"), model.int("y"));
        let (start, a, b) = (model.start(), model.location("a"), model.location("b"));
        let (changed, moved) = (model.error("changed", ""), model.error("moved", "y moved"));
        model.edge(start, a).set(x, 1).set(y, 1);
        model.edge(a, b).set(x, y + 1).when(y.next().above(y));
        model.edge(b, changed).when(x.is_not(2));
        model.edge(b, moved).when(y.is(7));
        let answer = checked(&model);
        assert!(answer.is_unsafe() && !answer.is_safe());
        assert!(answer.error("changed").unwrap().verdict.is_safe());
        let moved = answer.error("moved").unwrap();
        assert_eq!(&*moved.meaning, "y moved");
        let places: Vec<&str> = moved.run.iter().map(|moment| &*moment.location).collect();
        assert_eq!(places, ["start", "a", "b", "moved"]);
        let last = moved.run.last().unwrap();
        assert_eq!(last.value("x"), Some(&ult_core::formula::Value::int(2)));
        assert_eq!(last.value("y"), Some(&ult_core::formula::Value::int(7)));
        assert_eq!(last.value("z"), None);
    }

    #[test]
    fn all_assignments_of_an_edge_happen_at_once() {
        let terms = Terms::new();
        let mut model = Model::new(&terms, "m");
        let (x, y, a) = (model.int("x"), model.int("y"), model.array("a"));
        let (start, run) = (model.start(), model.location("run"));
        let wrong = model.error("wrong", "");
        model
            .edge(start, run)
            .set(x, 1)
            .set(y, 2)
            .set(a, a.with(0, 3));
        model
            .edge(run, run)
            .set(x, y)
            .set(y, x)
            .set(a, a.with(0, a.at(0) * 2 - 3));
        model
            .edge(run, wrong)
            .when((x + y).is_not(3) | x.is(y) | (-a.at(0)).is_not(-3));
        let answer = checked(&model);
        assert!(answer.is_safe(), "{answer:?}");
        assert!(answer.errors[0].invariants.contains_key("run"));
        assert!(answer.reason().is_none());
    }

    #[test]
    fn expressions_of_another_store_are_taken_over() {
        let (terms, others) = (Terms::new(), Terms::new());
        let mut other = Model::new(&others, "other");
        other.int("unused");
        let (foreign, on) = (other.int("x"), other.bool("on"));
        let mut model = Model::new(&terms, "m");
        let (x, _) = (model.int("x"), model.bool("on"));
        let (start, wrong) = (model.start(), model.error("wrong", ""));
        let differ = x.is_not(foreign) | (!on.implies(on));
        model.edge(start, wrong).when(differ & true);
        assert!(checked(&model).is_safe());
    }

    #[test]
    fn mistakes_are_told_and_not_verified() {
        let terms = Terms::new();
        let mut model = Model::new(&terms, "m");
        let x = model.int("x");
        let _again = model.bool("x");
        let (start, error) = (model.start(), model.error("start", ""));
        model.edge(start, error).set(x + 1, 2).set(x.next(), 3);
        model.edge(start, LocationId::new(99)).when(false).set(x, 1);
        let told = model.check(&Settings::default(), &Control::unlimited());
        let told = told.expect_err("there are mistakes").to_string();
        for part in [
            "two variables `x`",
            "two locations `start`",
            "`x + 1` is no variable",
            "`x'` is no variable",
            "another model",
        ] {
            assert!(told.contains(part), "{part}: {told}");
        }
        let mut model = Model::new(&terms, "m");
        let (start, error) = (model.start(), model.error("error", ""));
        model.edge(error, start);
        let told = model.graph().expect_err("there is a mistake").to_string();
        assert!(told.contains("leaves an error location"), "{told}");
    }

    #[test]
    fn a_model_without_errors_is_safe_and_a_stopped_check_is_unknown() {
        let terms = Terms::new();
        let mut model = Model::new(&terms, "m");
        assert!(checked(&model).is_safe());
        let (start, wrong) = (model.start(), model.error("wrong", ""));
        model.edge(start, wrong);
        let control = Control::unlimited();
        control.stop(ult_core::control::Stop::Cancelled);
        let answer = model.check(&Settings::default(), &control).unwrap();
        assert_eq!(answer.reason(), Some(&Reason::Cancelled));
    }
}
