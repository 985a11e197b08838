//! The theory of a chain: linear arithmetic decided here, the rest by the solver.

use std::time::Instant;

use super::atoms::{Atom, Atoms};
use super::clause::{Lit, Var};
use super::diophantine::{self, Equation};
use super::number::{Delta, Rational};
use super::search::{Conflict, Theory, Verdict};
use super::simplex::{Certificate, Column, Mark, Outcome, Side};
use crate::formula::{Sort, Term};
use crate::solver::{Answer, Session, Solver};

/// Why a clause holds in the theory: its negated literals are inconsistent.
#[derive(Clone, Debug)]
pub enum Lemma {
    /// A positive combination of bounds is `0 <= negative`, or `0 < 0`.
    Farkas(Vec<Bound>),
    /// A combination of equations over integers has integer factors and a constant that is none.
    Diophantine(Vec<TightEquation>),
    /// The solver says so.
    Oracle,
}

/// A bound in a Farkas lemma.
#[derive(Clone, Debug)]
pub struct Bound {
    /// The literal that states the bound.
    pub lit: Lit,
    /// The column that is bounded.
    pub column: Column,
    /// From above or from below.
    pub side: Side,
    /// The bound.
    pub bound: Delta,
    /// What it is multiplied with; positive.
    pub factor: Rational,
}

/// An equation `column == value` between integers in a Diophantine lemma.
#[derive(Clone, Debug)]
pub struct TightEquation {
    /// The literal that bounds the column from above.
    pub upper: Lit,
    /// The literal that bounds it from below.
    pub lower: Lit,
    /// The column.
    pub column: Column,
    /// Its value.
    pub value: Rational,
    /// What the equation is multiplied with.
    pub factor: Rational,
}

/// Branches on integers are limited: what needs more has another reason.
const MOST_BRANCHES: u32 = 200;

/// Pivots in one question of the simplex.
const MOST_PIVOTS: u64 = 20_000;

/// The atoms with the bounds that are asserted now.
pub struct ChainTheory<'s, 't> {
    /// The atoms.
    pub atoms: Atoms<'t>,
    session: &'s Session<'t>,
    /// Literals that were assigned and that the theory has to know of.
    asserted: Vec<Lit>,
    levels: Vec<(Mark, usize)>,
    branches: u32,
    oracle: Option<Solver<'s, 't>>,
    deadline: Instant,
    /// How many lemmas came from the solver.
    pub asked: u32,
}

impl<'s, 't> ChainTheory<'s, 't> {
    /// Nothing is asserted. Questions to the solver end at the deadline.
    pub fn new(session: &'s Session<'t>, atoms: Atoms<'t>, deadline: Instant) -> Self {
        ChainTheory {
            atoms,
            session,
            asserted: Vec::new(),
            levels: Vec::new(),
            branches: 0,
            oracle: None,
            deadline,
            asked: 0,
        }
    }

    /// The clause of a Farkas certificate.
    fn farkas(&self, certificate: Certificate) -> Conflict<Lemma> {
        debug_assert!(certificate.holds(&self.atoms.simplex));
        let mut bounds = Vec::with_capacity(certificate.parts.len());
        let mut clause = Vec::with_capacity(certificate.parts.len());
        for part in certificate.parts {
            let lit = Lit::from_index(part.reason as usize);
            clause.push(!lit);
            bounds.push(Bound {
                lit,
                column: part.column,
                side: part.side,
                bound: part.bound,
                factor: part.factor,
            });
        }
        clause.sort_unstable();
        clause.dedup();
        Conflict {
            clause,
            lemma: Lemma::Farkas(bounds),
        }
    }

    /// A contradiction of the equations between integers that hold now.
    fn diophantine(&self) -> Option<Conflict<Lemma>> {
        let simplex = &self.atoms.simplex;
        let mut tight = Vec::new();
        let mut equations = Vec::new();
        for column in simplex.columns() {
            let (Some((lower, below)), Some((upper, above))) = simplex.bounds(column) else {
                continue;
            };
            let factors = simplex.combination(column);
            if lower != upper || !factors.iter().all(|(c, _)| simplex.is_integer(*c)) {
                continue;
            }
            equations.push(Equation {
                coefficients: factors.to_vec(),
                constant: upper.real.clone(),
            });
            tight.push(TightEquation {
                upper: Lit::from_index(above as usize),
                lower: Lit::from_index(below as usize),
                column,
                value: upper.real.clone(),
                factor: Rational::default(),
            });
        }
        let multipliers = diophantine::refute(&equations)?;
        let mut clause = Vec::new();
        let mut parts = Vec::new();
        for (index, factor) in multipliers {
            let mut part = tight[index].clone();
            part.factor = factor;
            clause.extend([!part.upper, !part.lower]);
            parts.push(part);
        }
        clause.sort_unstable();
        clause.dedup();
        Some(Conflict {
            clause,
            lemma: Lemma::Diophantine(parts),
        })
    }

    /// Whether the arithmetic knows all there is to know about the literals asserted.
    fn is_complete(&self) -> bool {
        let terms = self.atoms.terms;
        self.session.axioms().is_empty()
            && self.atoms.columns().all(|(term, _)| {
                use crate::formula::Op;
                match terms.op(term) {
                    Op::Var(_) | Op::Ite | Op::ToInt => true,
                    Op::Div | Op::Mod => terms
                        .as_number(terms.args(term)[1])
                        .is_some_and(|divisor| divisor != num_traits::Zero::zero()),
                    Op::Apply(function) => function.params.is_empty(),
                    _ => false,
                }
            })
            && (0..self.atoms.len()).all(|index| match self.atoms.atom(Var::new(index)) {
                Atom::Opaque(term) => match terms.op(*term) {
                    crate::formula::Op::Var(_) => true,
                    crate::formula::Op::Apply(function) => function.params.is_empty(),
                    _ => false,
                },
                _ => true,
            })
    }

    /// Asks the solver about the literals that are asserted.
    fn ask(&mut self) -> Verdict<Lemma> {
        let assumptions: Vec<Term> = self
            .asserted
            .iter()
            .filter(|lit| !matches!(self.atoms.atom(lit.var()), Atom::Definition(..)))
            .map(|&lit| self.atoms.term(lit))
            .collect();
        let session = self.session;
        let oracle = self.oracle.get_or_insert_with(|| session.brief_solver());
        let left = Some(self.deadline.saturating_duration_since(Instant::now()));
        match oracle.check(&assumptions, left) {
            Answer::Sat => Verdict::Consistent,
            Answer::Unknown(failure) => Verdict::Unknown(failure.to_string()),
            Answer::Unsat => {
                let core = oracle.core();
                let core = oracle.minimise_core(core, left);
                self.asked += 1;
                let clause: Vec<Lit> = self
                    .asserted
                    .iter()
                    .filter(|lit| {
                        !matches!(self.atoms.atom(lit.var()), Atom::Definition(..))
                            && core.contains(&self.atoms.term(**lit))
                    })
                    .map(|&lit| !lit)
                    .collect();
                Verdict::Conflict(Conflict {
                    clause,
                    lemma: Lemma::Oracle,
                })
            }
        }
    }
}

impl Theory for ChainTheory<'_, '_> {
    type Lemma = Lemma;

    fn variables(&self) -> usize {
        self.atoms.len()
    }

    /// The value that the theory does not need to know of, if there is one.
    fn preferred(&self, var: Var) -> bool {
        !self.atoms.is_needed(Lit::new(var, true))
    }

    fn push(&mut self) {
        self.levels
            .push((self.atoms.simplex.mark(), self.asserted.len()));
    }

    fn pop(&mut self, levels: usize) {
        let (mark, asserted) = self.levels[self.levels.len() - levels];
        self.levels.truncate(self.levels.len() - levels);
        self.atoms.simplex.undo_to(mark);
        self.asserted.truncate(asserted);
    }

    fn assign(&mut self, lit: Lit) -> Result<(), Conflict<Lemma>> {
        if !self.atoms.is_needed(lit) {
            return Ok(());
        }
        self.asserted.push(lit);
        let Some((column, upper, lower)) = self.atoms.bounds(lit) else {
            return Ok(());
        };
        let reason = lit.index() as u32;
        for (side, bound) in [(Side::Upper, upper), (Side::Lower, lower)] {
            if let Some(bound) = bound {
                self.atoms
                    .simplex
                    .assert_bound(column, side, bound, reason)
                    .map_err(|certificate| self.farkas(certificate))?;
            }
        }
        Ok(())
    }

    fn check(&mut self) -> Result<(), Conflict<Lemma>> {
        let mut budget = MOST_PIVOTS;
        match self.atoms.simplex.check(&mut budget) {
            Outcome::Infeasible(certificate) => Err(self.farkas(certificate)),
            // Without an answer the search goes on; the last question is asked with more effort.
            Outcome::Feasible | Outcome::OutOfBudget => Ok(()),
        }
    }

    fn complete(&mut self) -> Verdict<Lemma> {
        let mut budget = 10 * MOST_PIVOTS;
        match self.atoms.simplex.check(&mut budget) {
            Outcome::Infeasible(certificate) => {
                return Verdict::Conflict(self.farkas(certificate));
            }
            Outcome::OutOfBudget => return Verdict::Unknown("too many pivots".into()),
            Outcome::Feasible => {}
        }
        if let Some(column) = self.atoms.simplex.fractional() {
            if let Some(conflict) = self.diophantine() {
                return Verdict::Conflict(conflict);
            }
            if self.branches < MOST_BRANCHES {
                self.branches += 1;
                debug_assert_eq!(*self.atoms.terms.sort(self.atoms.base(column)), Sort::Int);
                let floor = self.atoms.simplex.value(column).real.floor();
                let lit = self.atoms.lit(Atom::Branch(column, floor));
                self.atoms.need(lit.var());
                return Verdict::Decide(lit);
            }
            return self.ask();
        }
        if self.is_complete() {
            return Verdict::Consistent;
        }
        self.ask()
    }
}
