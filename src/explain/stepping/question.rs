//! Why is a path infeasible? Somebody is asked for interpolants, and what is said is judged.
//!
//! Interpolants of an infeasible path (Ermis et al., Definition 3) are state formulas at its inner positions. Whoever answers
//! may give one of them or all. Between two that are given, and before the first and behind the last, lies a *part* of the path,
//! and each part has to be infeasible by itself: from the formula at its beginning, its steps lead only to where the formula at
//! its end holds; behind the last one, no way leads on to the error. So a single formula is an interpolant if the path before it
//! implies it, and if it excludes the path behind it.
//!
//! What is not given is found by interpolation of the parts, so that it fits.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use ult_core::formula::{Op, Term, Var, Version};
use ult_core::graph::evidence::{Run, State};
use ult_core::reason::Reason;
use ult_core::stats::Statistics;
use ult_engine::path::{Decision, Path};
use ult_interpolate::Strategy;
use ult_smt::Answer;

use super::reading::{self, Unreadable};
use super::{Relay, SoFar};
use crate::search::renderer::TEXT;

/// For the question whether a part of a path can be taken.
const PART: Duration = Duration::from_secs(10);

/// For the question whether one formula implies another.
const IMPLIED: Duration = Duration::from_secs(3);

/// A question about an infeasible path.
pub struct Question<'g, 'p, 't> {
    relay: &'g Relay,
    path: &'g Path<'p, 't>,
    own: Result<Vec<Term>, Reason>,
    accepted: Option<Vec<Term>>,
}

/// An inner position of a path, where an interpolant is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    /// The abstract state.
    pub state: String,
    /// Where its location is in the source.
    pub lines: Vec<u32>,
    /// The variables that an interpolant may name.
    pub vocabulary: Vec<String>,
}

/// What there is to say about proposed interpolants. Positions are counted from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Judgement {
    /// A text cannot be read.
    Unreadable {
        /// Which one.
        position: usize,
        /// What is wrong.
        message: String,
        /// The column, if it is in one place.
        column: Option<usize>,
    },
    /// A formula names variables that do not belong to both sides.
    Stray {
        /// Which one.
        position: usize,
        /// The variables.
        names: Vec<String>,
        /// Those that it may name.
        vocabulary: Vec<String>,
    },
    /// A part of the path is not excluded.
    Fails {
        /// The position where the part begins; 0 is the beginning of the path.
        from: usize,
        /// The position where it ends; one more than there are inner ones is the error.
        to: usize,
        /// In words.
        text: String,
        /// A way along the part that shows it.
        moments: Vec<Moment>,
    },
    /// The solver does not know.
    Open {
        /// Why.
        reason: String,
    },
    /// They are interpolants.
    Accepted {
        /// All of them, with those that were filled in.
        formulas: Vec<String>,
        /// Each beside the engine's own.
        compared: Vec<Comparison>,
    },
}

/// A state on the way along a part of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moment {
    /// The abstract state.
    pub state: String,
    /// The lines of the step that leads there.
    pub lines: Vec<u32>,
    /// Values of variables.
    pub values: Vec<(String, String)>,
}

/// A formula beside the engine's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// They mean the same.
    Same,
    /// It says more.
    Stronger,
    /// It says less.
    Weaker,
    /// It says something else.
    Different,
    /// The solver does not know, or the engine has none.
    Unknown,
}

impl<'g, 'p, 't> Question<'g, 'p, 't> {
    pub(super) fn new(
        relay: &'g Relay,
        path: &'g Path<'p, 't>,
        own: Result<Vec<Term>, Reason>,
    ) -> Question<'g, 'p, 't> {
        Question {
            relay,
            path,
            own,
            accepted: None,
        }
    }

    /// The inner positions of the path.
    pub fn positions(&self) -> Vec<Position> {
        let so_far = self.relay.so_far();
        let inner = 1..self.path.edges().len();
        let position = |at: usize| Position {
            state: state(&so_far, at),
            lines: so_far.places.get(at).cloned().unwrap_or_default(),
            vocabulary: self.vocabulary(at),
        };
        inner.map(position).collect()
    }

    /// The engine's interpolants.
    ///
    /// # Errors
    /// Why it has none.
    pub fn own(&self) -> Result<Vec<String>, String> {
        let own = self.own.as_ref().map_err(ToString::to_string)?;
        Ok(own.iter().map(|&formula| self.print(formula)).collect())
    }

    /// Judges interpolants, given as texts: one for each position, or nothing where they are to be found. What is accepted is
    /// what the search goes on with.
    pub fn judge(&mut self, texts: &[Option<&str>]) -> Judgement {
        let terms = self.path.session().terms();
        let name = |var: &Var| self.name(var);
        let mut given = Vec::new();
        // All variables of the program can be read; which ones belong there is another question.
        for (i, text) in texts.iter().enumerate().take(self.inner()) {
            let Some(text) = text else { continue };
            let position = i + 1;
            match reading::formula(terms, &self.relay.unit.graph, &name, text) {
                Ok(formula) => given.push((position, formula)),
                Err(Unreadable { message, column }) => {
                    return Judgement::Unreadable {
                        position,
                        message,
                        column,
                    };
                }
            }
        }
        for &(position, formula) in &given {
            let allowed = self.path.vocabulary(position);
            let free = terms.free_vars(&[formula]).into_iter();
            let stray: Vec<Term> = free.filter(|var| !allowed.contains(var)).collect();
            if !stray.is_empty() {
                let vars = stray.iter().filter_map(|&var| terms.as_var(var));
                return Judgement::Stray {
                    position,
                    names: vars.map(name).collect(),
                    vocabulary: self.vocabulary(position),
                };
            }
        }
        match self.filled(&given) {
            Ok(all) => {
                let judgement = Judgement::Accepted {
                    formulas: all.iter().map(|&formula| self.print(formula)).collect(),
                    compared: self.compared(&all),
                };
                self.accepted = Some(all);
                judgement
            }
            Err(judgement) => *judgement,
        }
    }

    /// The search goes on with the engine's own after all.
    pub fn take_back(&mut self) {
        self.accepted = None;
    }

    /// What the search goes on with.
    pub(super) fn finish(self) -> Result<Vec<Term>, Reason> {
        self.accepted.map_or(self.own, Ok)
    }

    /// How many inner positions there are.
    fn inner(&self) -> usize {
        self.path.edges().len().saturating_sub(1)
    }

    /// One formula for each inner position: those given, and between them what fits.
    fn filled(&self, given: &[(usize, Term)]) -> Result<Vec<Term>, Box<Judgement>> {
        let terms = self.path.session().terms();
        let (edges, labels) = (self.path.edges(), self.path.labels());
        let end = edges.len();
        let mut all = Vec::new();
        let (mut from, mut first) = (0, terms.tt());
        let ends = given
            .iter()
            .copied()
            .map(|(at, formula)| (at, Some(formula)));
        for (to, last) in ends.chain([(end, None)]) {
            // The labels of the ends belong to the parts that begin there.
            let mut known = labels[from..=to].to_vec();
            known[0] = terms.and2(known[0], first);
            if let Some(formula) = last {
                known[to - from] = terms.not(formula);
            }
            let (session, graph) = (self.path.session(), self.path.graph());
            let part = Path::new(session, graph, &edges[from..to], &known);
            let fails = |run: &Run| Box::new(self.fails(from, to, first, last, run));
            let open = |reason: String| Box::new(Judgement::Open { reason });
            if to - from > 1 {
                let strategy = Strategy::default();
                match part.decide(PART, &strategy, &mut Statistics::default()) {
                    Decision::Run(run) => return Err(fails(&run)),
                    Decision::Interpolants(between) => all.extend(between),
                    Decision::Open(reason) => return Err(open(reason.to_string())),
                }
            } else {
                match part.follow(Some(PART)) {
                    Ok(Some(run)) => return Err(fails(&run)),
                    Ok(None) => {}
                    Err(failure) => return Err(open(failure.to_string())),
                }
            }
            all.extend(last);
            (from, first) = (to, last.unwrap_or(first));
        }
        Ok(all)
    }

    /// What a way along a part of the path says about the formulas at its ends.
    fn fails(
        &self,
        from: usize,
        to: usize,
        first: Term,
        last: Option<Term>,
        run: &Run,
    ) -> Judgement {
        let so_far = self.relay.so_far();
        let (begin, end) = (state(&so_far, from), state(&so_far, to));
        let text = match (from, last) {
            (0, Some(last)) => format!(
                "the path up to {end} does not imply {}: this way leads there, and it does not hold",
                self.print(last)
            ),
            (_, Some(last)) => format!(
                "from {begin}, where {} holds, the steps may lead to {end} without {}: this way does",
                self.print(first),
                self.print(last)
            ),
            (_, None) => format!(
                "at {begin}, {} is too weak: it holds at the beginning of this way, which leads to {end} all the same",
                self.print(first)
            ),
        };
        let names = self.mentioned(from, to, first, last);
        let mut moments = Vec::new();
        for at in from..=to {
            let values = match at.checked_sub(from + 1) {
                None => &run.start,
                Some(step) => run.steps[step].values(),
            };
            let lines = match at.checked_sub(from + 1) {
                None => so_far.places.get(at).cloned().unwrap_or_default(),
                Some(step) => {
                    let spans = so_far.spans.get(run.steps[step].edge.index());
                    self.relay.lines(spans.into_iter().flatten())
                }
            };
            moments.push(Moment {
                state: state(&so_far, at),
                lines,
                values: self.values(values, &names),
            });
        }
        Judgement::Fails {
            from,
            to,
            text,
            moments,
        }
    }

    /// The variables that a part of the path and the formulas at its ends mention.
    fn mentioned(
        &self,
        from: usize,
        to: usize,
        first: Term,
        last: Option<Term>,
    ) -> BTreeSet<Arc<str>> {
        let terms = self.path.session().terms();
        let mut formulas = vec![first];
        formulas.extend(last);
        formulas.extend(&self.path.labels()[from..=to]);
        let mut names = BTreeSet::new();
        for &edge in &self.path.edges()[from..to] {
            let transition = &self.path.graph().graph[edge].transition;
            formulas.push(transition.formula);
        }
        for version in [Version::Current, Version::Next] {
            names.extend(terms.names_of(&formulas, version).into_keys());
        }
        names
    }

    /// Values as the program calls them.
    fn values(&self, values: &State, names: &BTreeSet<Arc<str>>) -> Vec<(String, String)> {
        let shown = values.iter().filter(|(name, _)| names.contains(*name));
        let told = shown.map(|(name, value)| {
            let var = Var {
                name: name.clone(),
                version: Version::Current,
            };
            (self.name(&var), value.to_string())
        });
        told.collect()
    }

    /// Each formula beside the engine's own.
    fn compared(&self, all: &[Term]) -> Vec<Comparison> {
        let Ok(own) = &self.own else {
            return vec![Comparison::Unknown; all.len()];
        };
        let pairs = all.iter().zip(own);
        pairs
            .map(|(&one, &other)| self.compare(one, other))
            .collect()
    }

    fn compare(&self, one: Term, other: Term) -> Comparison {
        match (self.implies(one, other), self.implies(other, one)) {
            (Some(true), Some(true)) => Comparison::Same,
            (Some(true), Some(false)) => Comparison::Stronger,
            (Some(false), Some(true)) => Comparison::Weaker,
            (Some(false), Some(false)) => Comparison::Different,
            _ => Comparison::Unknown,
        }
    }

    fn implies(&self, one: Term, other: Term) -> Option<bool> {
        let session = self.path.session();
        let terms = session.terms();
        let question = terms.and2(one, terms.not(other));
        if *terms.op(question) == Op::Bool(false) {
            return Some(true);
        }
        let mut solver = session.brief_solver();
        solver.assert(question).ok()?;
        match solver.check(&[], Some(IMPLIED)) {
            Answer::Unsat => Some(true),
            Answer::Sat => Some(false),
            Answer::Unknown(_) => None,
        }
    }

    fn vocabulary(&self, position: usize) -> Vec<String> {
        let terms = self.path.session().terms();
        let vars = self.path.vocabulary(position);
        let vars = vars.iter().filter_map(|&var| terms.as_var(var));
        let names: BTreeSet<String> = vars.map(|var| self.name(var)).collect();
        names.into_iter().collect()
    }

    fn name(&self, var: &Var) -> String {
        let terms = self.path.session().terms();
        self.relay.renderer(terms).name(var)
    }

    fn print(&self, formula: Term) -> String {
        let terms = self.path.session().terms();
        let pretty = crate::pretty::pretty(terms, formula, None);
        self.relay.renderer(terms).print(pretty, TEXT)
    }
}

/// The name of the abstract state at a position of the path.
fn state(so_far: &SoFar, position: usize) -> String {
    let name = so_far.path.get(position).cloned();
    name.unwrap_or_else(|| format!("position {position}"))
}
