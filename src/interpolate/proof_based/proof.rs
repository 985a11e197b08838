//! From one resolution proof to the interpolants of all cuts.
//!
//! For every cut, the steps before it are part A and those after it are part B. Each clause of the
//! proof gets a *partial interpolant* for each cut; that of the empty clause is an interpolant.
//! Since one proof and one way of labelling serve all cuts, the interpolants form an inductive
//! sequence. (D'Silva, Kroening, Purandare, Weissenbacher, "Interpolant strength", VMCAI 2010;
//! Gurfinkel, Rollini, Sharygina, "Interpolation properties and SAT-based model checking", ATVA
//! 2013.)

use super::absorb;
use super::clause::{ClauseId, Clauses, Lit, Origin, Var};
use ult_core::formula::{Term, Terms};

/// The interpolation system: how strong the interpolants of a proof are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum System {
    /// McMillan's ("Interpolation and SAT-based model checking", CAV 2003): the strongest.
    #[default]
    McMillan,
    /// Pudlák's (and Huang's and Krajíček's): symmetric, between the two others.
    Pudlak,
    /// The dual of McMillan's: the weakest.
    InverseMcMillan,
}

/// Where a literal belongs, seen from a cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Only before the cut.
    A,
    /// Only after it.
    B,
    /// On both sides.
    Both,
}

/// The steps in which something occurs, from the first to the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Span {
    /// The first step.
    pub first: usize,
    /// The last step.
    pub last: usize,
}

impl Span {
    /// One step alone.
    pub(super) fn at(step: usize) -> Span {
        Span {
            first: step,
            last: step,
        }
    }

    /// Where it lies, seen from the cut between steps `cut` and `cut + 1`.
    pub(super) fn side(self, cut: usize) -> Side {
        if self.last <= cut {
            Side::A
        } else if self.first > cut {
            Side::B
        } else {
            Side::Both
        }
    }

    /// Both, if there is a step in both.
    pub(super) fn meet(self, other: Span) -> Option<Span> {
        let (first, last) = (self.first.max(other.first), self.last.min(other.last));
        (first <= last).then_some(Span { first, last })
    }

    /// From the first step of either to the last step of either.
    pub(super) fn join(self, other: Span) -> Span {
        Span {
            first: self.first.min(other.first),
            last: self.last.max(other.last),
        }
    }
}

impl System {
    /// Where a literal of a theory lemma counts: shared literals go to one side.
    pub fn is_in_a(self, side: Side) -> bool {
        match side {
            Side::A => true,
            Side::B => false,
            Side::Both => self == System::InverseMcMillan,
        }
    }
}

/// What the walk over a proof asks about its leaves.
pub(super) trait Leaves<L> {
    /// Why there is no answer.
    type Error;
    /// The steps in which a variable occurs.
    fn span(&self, var: Var) -> Span;
    /// A literal as a formula. Only asked for literals on both sides of some cut.
    fn term(&self, lit: Lit) -> Term;
    /// For each cut an interpolant of the negated literals of a theory lemma, where those that
    /// [`System::is_in_a`] are part A and the others part B.
    fn lemma(&self, clause: &[Lit], lemma: &L) -> Result<Vec<Term>, Self::Error>;
}

/// The interpolants at `cuts` cuts of a proof of the empty clause `root`.
pub(super) fn interpolants<L, S: Leaves<L>>(
    terms: &Terms,
    clauses: &Clauses<L>,
    root: ClauseId,
    cuts: usize,
    system: System,
    leaves: &S,
) -> Result<Vec<Term>, S::Error> {
    let mut partial: Vec<Vec<Term>> = vec![Vec::new(); root.index() + 1];
    for id in clauses.proof(root) {
        let result = match clauses.origin(id) {
            Origin::Step(step, _) => (0..cuts)
                .map(|cut| input(terms, clauses.lits(id), *step, cut, system, leaves))
                .collect(),
            Origin::Lemma(lemma) => leaves.lemma(clauses.lits(id), lemma)?,
            Origin::Resolved(first, chain) => {
                let mut result = partial[first.index()].clone();
                for &(var, other) in chain {
                    // `var` is true by the other clause, so that one has it and ours its negation.
                    let positive = clauses.lits(other).contains(&Lit::new(var, true));
                    let span = leaves.span(var);
                    for (cut, ours) in result.iter_mut().enumerate() {
                        let theirs = partial[other.index()][cut];
                        *ours = match (span.side(cut), system) {
                            (Side::A, _) | (Side::Both, System::InverseMcMillan) => {
                                absorb::or(terms, *ours, theirs)
                            }
                            (Side::B, _) | (Side::Both, System::McMillan) => {
                                absorb::and(terms, *ours, theirs)
                            }
                            (Side::Both, System::Pudlak) if *ours == theirs => *ours,
                            (Side::Both, System::Pudlak) => {
                                let pivot = leaves.term(Lit::new(var, positive));
                                absorb::and(
                                    terms,
                                    absorb::or(terms, pivot, theirs),
                                    absorb::or(terms, terms.not(pivot), *ours),
                                )
                            }
                        };
                    }
                }
                result
            }
        };
        partial[id.index()] = result;
    }
    Ok(std::mem::take(&mut partial[root.index()]))
}

/// The partial interpolant of a clause of a step.
fn input<L, S: Leaves<L>>(
    terms: &Terms,
    lits: &[Lit],
    step: usize,
    cut: usize,
    system: System,
    leaves: &S,
) -> Term {
    let shared = || {
        lits.iter()
            .filter(|lit| leaves.span(lit.var()).side(cut) == Side::Both)
            .map(|&lit| leaves.term(lit))
    };
    match (step <= cut, system) {
        (true, System::McMillan) => terms.or(shared()),
        (true, _) => terms.ff(),
        (false, System::InverseMcMillan) => terms.and(shared().map(|lit| terms.not(lit))),
        (false, _) => terms.tt(),
    }
}
