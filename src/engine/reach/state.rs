//! Abstract states: formulas, or binary decision diagrams over atoms.

use biodivine_lib_bdd::{Bdd, op_function};

use super::diagram::Diagrams;
use super::settings::StateForm;
use ult_core::formula::{Term, Terms};
use ult_interpolate::simplify::tidied;

/// A disjunction is not written as a diagram with more nodes than this.
const MOST_NODES: usize = 50_000;

/// The state of a node.
#[derive(Clone, Debug)]
pub(super) struct State {
    /// As a state formula.
    formula: Term,
    /// As a diagram, if that is the form of states.
    diagram: Option<Bdd>,
}

impl State {
    /// The state formula.
    pub(super) fn formula(&self) -> Term {
        self.formula
    }
}

/// The result of an abstraction: the literals that hold, and what holds of the other predicates.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Abstract {
    /// Predicates and negated predicates that hold.
    pub literals: Vec<Term>,
    /// The other predicates, for each model found; empty if nothing is known about them.
    pub cubes: Vec<Vec<Term>>,
}

/// What can be done with states.
pub(super) struct States<'t> {
    terms: &'t Terms,
    form: StateForm,
    /// Made when the first one is needed.
    diagrams: Option<Diagrams>,
}

impl<'t> States<'t> {
    /// States of a form.
    pub(super) fn new(terms: &'t Terms, form: StateForm) -> States<'t> {
        States {
            terms,
            form,
            diagrams: None,
        }
    }

    /// The form of the states.
    pub(super) fn form(&self) -> StateForm {
        self.form
    }

    fn diagrams(&mut self) -> &mut Diagrams {
        self.diagrams.get_or_insert_with(Diagrams::new)
    }

    /// The state that says nothing.
    pub(super) fn top(&mut self) -> State {
        State {
            formula: self.terms.tt(),
            diagram: match self.form {
                StateForm::Bdd => Some(self.diagrams().top()),
                StateForm::Formula => None,
            },
        }
    }

    /// The state that says what an abstraction found. What is beyond the number of atoms that
    /// diagrams have is left out.
    pub(super) fn abstraction(&mut self, found: &Abstract) -> State {
        let terms = self.terms;
        if self.form == StateForm::Formula && found.cubes.is_empty() {
            return State {
                formula: terms.and(found.literals.iter().copied()),
                diagram: None,
            };
        }
        let diagrams = self.diagrams();
        let mut whole = diagrams.top();
        for &literal in &found.literals {
            if let Some(diagram) = diagrams.of(terms, literal) {
                whole = whole.and(&diagram);
            }
        }
        let cubes: Option<Vec<Bdd>> = found
            .cubes
            .iter()
            .map(|cube| {
                let mut diagram = diagrams.top();
                for &literal in cube {
                    diagram = diagram.and(&diagrams.of(terms, literal)?);
                }
                Some(diagram)
            })
            .collect();
        if let Some(any) = cubes.and_then(joined) {
            whole = whole.and(&any);
        }
        let formula = diagrams.formula(terms, &whole);
        State {
            formula,
            diagram: (self.form == StateForm::Bdd).then_some(whole),
        }
    }

    /// The state with another formula conjoined. The state itself, if diagrams have no atoms left
    /// for it.
    pub(super) fn meet(&mut self, state: &State, formula: Term) -> State {
        let terms = self.terms;
        let Some(before) = &state.diagram else {
            return State {
                formula: tidied(terms, terms.and2(state.formula, formula)),
                diagram: None,
            };
        };
        let diagrams = self.diagrams();
        let Some(other) = diagrams.of(terms, formula) else {
            return state.clone();
        };
        let diagram = before.and(&other);
        State {
            formula: diagrams.formula(terms, &diagram),
            diagram: Some(diagram),
        }
    }

    /// Whether `state` implies `other`, by diagrams; `None` if states are formulas.
    pub(super) fn implies(&self, state: &State, other: &State) -> Option<bool> {
        let (a, b) = (state.diagram.as_ref()?, other.diagram.as_ref()?);
        Some(a.and_not(b).is_false())
    }

    /// A formula for the disjunction of states.
    pub(super) fn join(&mut self, states: &[&State]) -> Term {
        let terms = self.terms;
        let diagrams: Option<Vec<Bdd>> = states.iter().map(|s| s.diagram.clone()).collect();
        match diagrams.and_then(joined) {
            Some(diagram) => {
                let terms = self.terms;
                self.diagrams().formula(terms, &diagram)
            }
            None => terms.or(states.iter().map(|s| s.formula)),
        }
    }
}

/// The disjunction, pair by pair, so that intermediate diagrams stay small. `None` of none, and if
/// it grows beyond measure.
fn joined(mut diagrams: Vec<Bdd>) -> Option<Bdd> {
    while diagrams.len() > 1 {
        diagrams = diagrams
            .chunks(2)
            .map(|pair| match pair {
                [a, b] => Bdd::binary_op_with_limit(MOST_NODES, a, b, op_function::or),
                _ => pair.first().cloned(),
            })
            .collect::<Option<_>>()?;
    }
    diagrams.pop()
}
