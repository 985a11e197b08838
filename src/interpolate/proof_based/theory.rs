//! The theory of a chain: linear arithmetic decided here, the rest by the solver.

use std::time::Instant;

use super::atoms::{Atom, Atoms, Linear};
use super::clause::{Lit, Source, Var};
use super::cnf::ClausalForm;
use super::consequences::Consequences;
use super::diophantine::{self, Equation};
use super::equality::{Equality, Link};
use super::instances::Instances;
use super::number::Rational;
use super::objection::{Bound, Lemma, TightEquation};
use super::search::{Completion, Conflict, Implied, Theory};
use super::simplex::{Certificate, Mark, Outcome, Side};
use super::values::Numbers;
use ult_core::formula::{Op, Sort, Term};
use ult_smt::{Answer, Session, Solver};

/// Branches on integers are limited: what needs more has another reason.
const MOST_BRANCHES: u32 = 200;

/// The same where the solver is not asked instead.
const MOST_BRANCHES_ALONE: u32 = 4000;

/// The budget of one elimination of integer equations.
const MOST_ELIMINATIONS: u64 = 100_000;

/// Pivots in one question of the simplex.
const MOST_PIVOTS: u64 = 20_000;

/// What was asserted before a decision.
struct Level {
    bounds: Mark,
    asserted: usize,
    equalities: usize,
    apart: usize,
}

/// The atoms with the bounds that are asserted now.
pub(super) struct ChainTheory<'s, 't> {
    /// The atoms.
    pub atoms: Atoms<'t>,
    /// The clauses that were made, for clauses that follow.
    pub form: ClausalForm,
    session: &'s Session<'t>,
    /// Literals that were assigned and that the theory has to know of.
    asserted: Vec<Lit>,
    /// Those of them that are equalities of values that are no numbers, in classes.
    equality: Equality,
    /// Those of them that are disequalities of such values.
    apart: Vec<Lit>,
    levels: Vec<Level>,
    /// Functions, maps and quantified formulas.
    pub instances: Instances,
    consequences: Consequences,
    branches: u32,
    oracle: Option<Solver<'s, 't>>,
    /// Whether the solver is not asked.
    is_alone: bool,
    deadline: Instant,
    /// How many lemmas came from the solver.
    pub asked: u32,
}

impl<'s, 't> ChainTheory<'s, 't> {
    /// For the chain with these steps. Nothing is asserted. Questions to the solver end at the
    /// deadline.
    pub(super) fn new(session: &'s Session<'t>, steps: &[Term], deadline: Instant) -> Self {
        ChainTheory::with(session, steps, deadline, false)
    }

    /// As [`ChainTheory::new`], but without the solver as an oracle, and bit-vectors are looked into.
    pub(super) fn alone(session: &'s Session<'t>, steps: &[Term], deadline: Instant) -> Self {
        ChainTheory::with(session, steps, deadline, true)
    }

    fn with(session: &'s Session<'t>, steps: &[Term], deadline: Instant, is_alone: bool) -> Self {
        let terms = session.terms();
        ChainTheory {
            atoms: Atoms::new(terms, steps, is_alone),
            form: ClausalForm::default(),
            session,
            asserted: Vec::new(),
            equality: Equality::default(),
            apart: Vec::new(),
            levels: Vec::new(),
            instances: Instances::new(terms, steps, is_alone),
            consequences: Consequences::default(),
            branches: 0,
            oracle: None,
            is_alone,
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
                terms: factors.to_vec(),
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
        let mut budget = MOST_ELIMINATIONS;
        let multipliers = diophantine::refute(&equations, &mut budget)?;
        debug_assert!(diophantine::holds(&equations, &multipliers));
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

    /// Which side of a form to try first, where the bounds that the current solution touches have no common integer solution: a sum of
    /// these bounds has integer factors and a value that is no integer. (Dillig, Dillig, Aiken, "Cuts from proofs: a complete and practical
    /// technique for solving linear inequalities over integers", CAV 2009.)
    fn cut(&mut self) -> Option<Lit> {
        let simplex = &self.atoms.simplex;
        let mut touched = Vec::new();
        for column in simplex.columns() {
            let (lower, upper) = simplex.bounds(column);
            let value = simplex.value(column);
            let mut bounds = [lower, upper].into_iter().flatten();
            let factors = simplex.combination(column);
            let is_whole = factors.iter().all(|(c, _)| simplex.is_integer(*c));
            if is_whole && bounds.any(|(bound, _)| bound == value) {
                touched.push(Equation {
                    terms: factors.to_vec(),
                    constant: value.real.clone(),
                });
            }
        }
        let mut budget = MOST_ELIMINATIONS;
        let multipliers = diophantine::refute(&touched, &mut budget)?;
        let mut sum = Linear::default();
        for (index, times) in multipliers {
            for (column, factor) in &touched[index].terms {
                *sum.factors.entry(*column).or_default() += &(factor * &times);
            }
            sum.constant += &(&touched[index].constant * &times);
        }
        self.atoms.branch(sum)
    }

    /// The clauses of a step.
    pub(super) fn clauses(&mut self, step: usize, formula: Term) -> Vec<(Source, Vec<Lit>)> {
        self.form.clauses(&mut self.atoms, step, formula)
    }

    /// Clauses about functions and maps that the asserted literals call for.
    fn instances(&mut self, which: Numbers) -> Option<Completion<Lemma>> {
        if Instant::now() >= self.deadline {
            return None;
        }
        let clauses = self.instances.clauses(
            which,
            &mut self.atoms,
            &mut self.form,
            &self.equality,
            &self.asserted,
        );
        (!clauses.is_empty()).then_some(Completion::Clauses(clauses))
    }

    /// The clause of a chain of equalities, with the literal that its ends are different unless
    /// they are so anyway.
    fn chain(links: Vec<Link>, apart: Option<Lit>) -> Conflict<Lemma> {
        let mut clause: Vec<Lit> = links.iter().map(|link| !link.lit).collect();
        clause.extend(apart.map(|lit| !lit));
        clause.sort_unstable();
        clause.dedup();
        Conflict {
            clause,
            lemma: Lemma::Chain(links, apart),
        }
    }

    /// Whether the arithmetic knows all there is to know about the literals asserted.
    fn is_complete(&self) -> bool {
        let terms = self.atoms.terms;
        let plain = |sort: &Sort| sort.is_arithmetic() || matches!(sort, Sort::Uninterpreted(_));
        // All that instances are made for until nothing is violated.
        let is_function = |term: Term| match terms.op(term) {
            Op::Apply(function) => function.params.iter().all(plain),
            _ => false,
        };
        let is_value = |term: Term| {
            plain(terms.sort(term)) && (matches!(terms.op(term), Op::Var(_)) || is_function(term))
        };
        !self.instances.incomplete
            && self.session.axioms().is_empty()
            && self.atoms.columns().all(|(term, _)| match terms.op(term) {
                Op::Var(_) | Op::Ite | Op::ToInt => true,
                Op::Div | Op::Mod => terms
                    .as_number(terms.args(term)[1])
                    .is_some_and(|divisor| divisor != num_traits::Zero::zero()),
                _ => is_function(term),
            })
            && (0..self.atoms.len()).all(|index| match self.atoms.atom(Var::new(index)) {
                Atom::Opaque(term) => matches!(terms.op(*term), Op::Var(_)) || is_function(*term),
                Atom::Same(a, b) => is_value(*a) && is_value(*b),
                _ => true,
            })
    }

    /// Asks the solver about the literals that are asserted.
    fn ask(&mut self) -> Completion<Lemma> {
        if self.is_alone {
            return Completion::Unknown("the solver is not asked".into());
        }
        let stated: Vec<(Lit, Term)> = self
            .asserted
            .iter()
            .filter(|lit| !matches!(self.atoms.atom(lit.var()), Atom::Definition(..)))
            .map(|&lit| (lit, self.atoms.term(lit)))
            .collect();
        let assumptions: Vec<Term> = stated.iter().map(|&(_, term)| term).collect();
        let session = self.session;
        let oracle = self.oracle.get_or_insert_with(|| session.brief_solver());
        let left = Some(self.deadline.saturating_duration_since(Instant::now()));
        match oracle.check(&assumptions, left) {
            Answer::Sat => Completion::Consistent,
            Answer::Unknown(failure) => Completion::Unknown(failure.to_string()),
            Answer::Unsat => {
                let core = oracle.core();
                let core = oracle.minimise_core(core, left);
                self.asked += 1;
                let clause: Vec<Lit> = stated
                    .into_iter()
                    .filter(|(_, term)| core.contains(term))
                    .map(|(lit, _)| !lit)
                    .collect();
                Completion::Conflict(Conflict {
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

    fn keeps_value(&self, var: Var) -> bool {
        matches!(self.atoms.atom(var), Atom::Bit(_))
    }

    fn push(&mut self) {
        self.levels.push(Level {
            bounds: self.atoms.simplex.mark(),
            asserted: self.asserted.len(),
            equalities: self.equality.mark(),
            apart: self.apart.len(),
        });
    }

    fn pop(&mut self, levels: usize) {
        let first = self.levels.len() - levels;
        if let Some(level) = self.levels.drain(first..).next() {
            self.atoms.simplex.undo_to(level.bounds);
            self.asserted.truncate(level.asserted);
            self.equality.undo_to(level.equalities);
            self.apart.truncate(level.apart);
        }
    }

    fn assign(&mut self, lit: Lit) -> Result<(), Conflict<Lemma>> {
        if !self.atoms.is_needed(lit) {
            return Ok(());
        }
        self.asserted.push(lit);
        if let &Atom::Same(a, b) = self.atoms.atom(lit.var()) {
            if !lit.is_positive() {
                self.apart.push(lit);
                return Ok(());
            }
            let merged = self.equality.merge(self.atoms.terms, a, b, lit);
            return merged.map_err(|links| Self::chain(links, None));
        }
        let Some((column, upper, lower)) = self.atoms.bounds(lit) else {
            return Ok(());
        };
        let reason = lit.index() as u32;
        self.consequences.touch(column);
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

    fn implied(&mut self, open: &dyn Fn(Lit) -> bool) -> Vec<Implied<Lemma>> {
        self.consequences.take(&self.atoms, open)
    }

    fn check(&mut self) -> Result<(), Conflict<Lemma>> {
        for &lit in &self.apart {
            if let &Atom::Same(a, b) = self.atoms.atom(lit.var())
                && let Some(links) = self.equality.path(a, b)
            {
                return Err(Self::chain(links, Some(lit)));
            }
        }
        let mut budget = MOST_PIVOTS;
        match self.atoms.simplex.check(&mut budget) {
            Outcome::Infeasible(certificate) => Err(self.farkas(certificate)),
            // Without an answer the search goes on; the last question is asked with more effort.
            Outcome::Feasible | Outcome::OutOfBudget => Ok(()),
        }
    }

    fn complete(&mut self) -> Completion<Lemma> {
        let mut budget = 10 * MOST_PIVOTS;
        match self.atoms.simplex.check(&mut budget) {
            Outcome::Infeasible(certificate) => {
                return Completion::Conflict(self.farkas(certificate));
            }
            Outcome::OutOfBudget => return Completion::Unknown("too many pivots".into()),
            Outcome::Feasible => {}
        }
        if let Some(clauses) = self.instances(Numbers::Entailed) {
            return clauses;
        }
        if let Some(column) = self.atoms.simplex.fractional() {
            if let Some(conflict) = self.diophantine() {
                return Completion::Conflict(conflict);
            }
            let most = match self.is_alone {
                true => MOST_BRANCHES_ALONE,
                false => MOST_BRANCHES,
            };
            if self.branches < most {
                self.branches += 1;
                if self.is_alone
                    && let Some(cut) = self.cut()
                {
                    self.atoms.need(cut.var());
                    return Completion::Decide(cut);
                }
                debug_assert_eq!(*self.atoms.terms.sort(self.atoms.base(column)), Sort::Int);
                let floor = self.atoms.simplex.value(column).floor();
                let lit = self.atoms.lit(Atom::Branch(column, floor));
                self.atoms.need(lit.var());
                return Completion::Decide(lit);
            }
            return self.ask();
        }
        if let Some(clauses) = self.instances(Numbers::Model) {
            return clauses;
        }
        if self.is_complete() {
            return Completion::Consistent;
        }
        self.ask()
    }
}
