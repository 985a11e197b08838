//! From an application to one with equal arguments, over terms that the steps between can speak
//! about.

use super::clause::Lit;
use super::instances::{Instance, Round};
use super::number::Delta;
use super::proof::Span;
use super::simplex::{Certificate, Outcome, Side};
use super::values::{Numbers, Value};
use ult_core::formula::Term;

/// The reason of a bound that no literal states.
const SUPPOSED: u32 = u32::MAX;

/// Pivots for one intermediate number.
const MOST_PIVOTS: u64 = 2000;

/// What is applied.
#[derive(Clone, Copy)]
pub(super) enum Head {
    /// A map, which is the first argument, to an index.
    Select,
    /// Whatever is applied in this term.
    Like(Term),
}

impl Round<'_, '_> {
    /// Instances from the application to `args` to the one to `targets`, which have the same
    /// values. None if an intermediate term is missing.
    pub(super) fn connect(
        &mut self,
        head: Head,
        args: &[Term],
        targets: &[Term],
        found: &mut Vec<Instance>,
    ) -> Option<()> {
        let goal = self.atoms.common_scope(targets.iter().copied())?;
        let args = self.advance(head, args, targets, goal, found)?;
        let scope = self.scope(&args)?.meet(goal)?;
        found.push(self.congruence(head, &args, targets, scope));
        Some(())
    }

    /// Replaces arguments by equal ones until some step of `goal` can speak about them all, in the
    /// direction of the targets.
    pub(super) fn advance(
        &mut self,
        head: Head,
        args: &[Term],
        targets: &[Term],
        goal: Span,
        found: &mut Vec<Instance>,
    ) -> Option<Vec<Term>> {
        let mut args = args.to_vec();
        loop {
            let scope = self.scope(&args)?;
            if scope.meet(goal).is_some() {
                return Some(args);
            }
            // The cut over which to go, and the step where the present arguments are known.
            let (cut, step) = if scope.last < goal.first {
                (scope.last, scope.last)
            } else {
                (scope.first - 1, scope.first)
            };
            let mut next = Vec::with_capacity(args.len());
            for (&arg, &target) in args.iter().zip(targets) {
                next.push(self.between(arg, target, cut)?);
            }
            found.push(self.congruence(head, &args, &next, Span::at(step)));
            args = next;
        }
    }

    fn scope(&self, args: &[Term]) -> Option<Span> {
        self.atoms.common_scope(args.iter().copied())
    }

    fn congruence(&self, head: Head, args: &[Term], others: &[Term], scope: Span) -> Instance {
        let terms = self.atoms.terms;
        let guards = args.iter().zip(others);
        let guards = guards.map(|(&a, &b)| terms.neq(a, b)).collect();
        let build = |args: &[Term]| match head {
            Head::Select => terms.select(args[0], &args[1..]),
            Head::Like(term) => terms.rebuild(terms.node(term), args),
        };
        let (left, right) = (build(args), build(others));
        Instance {
            guards,
            left,
            right,
            scope,
            near: [left, right],
        }
    }

    /// Whether both sides of a cut can speak about a term.
    fn is_shared(&self, term: Term, cut: usize) -> bool {
        self.atoms
            .scope(term)
            .is_some_and(|scope| scope.first <= cut && cut < scope.last)
    }

    /// A term that both sides of a cut can speak about and that equals two terms of equal value.
    fn between(&mut self, a: Term, b: Term, cut: usize) -> Option<Term> {
        if let Some(shared) = [a, b].into_iter().find(|&t| self.is_shared(t, cut)) {
            return Some(shared);
        }
        if !self.atoms.terms.sort(a).is_arithmetic() {
            let path = self.equality.path(a, b)?;
            let mut ends = path.iter().map(|link| link.to);
            return ends.find(|&t| self.is_shared(t, cut));
        }
        match self.which {
            Numbers::Entailed => self.known(a, cut).or_else(|| self.separated(a, b, cut)),
            Numbers::Model => self.separated(a, b, cut).or_else(|| self.known(a, cut)),
        }
    }

    /// A number that occurs and has the same value.
    fn known(&self, number: Term, cut: usize) -> Option<Term> {
        let terms = self.atoms.terms;
        let sort = terms.sort(number);
        let value = self.value(number);
        if let Value::Unknown(_) = value {
            return None;
        }
        let columns = self.atoms.columns().map(|(term, _)| term);
        let args = self.active.iter().flat_map(|&term| terms.args(term));
        columns
            .chain(args.copied())
            .find(|&t| terms.sort(t) == sort && self.is_shared(t, cut) && self.value(t) == value)
    }

    /// If `a == b` follows from the bounds that hold now, an interpolant of that: a linear term
    /// over what is shared which equals both. It is the sum of those bounds of the one side that
    /// contradict `a < b` together with bounds of the other side.
    fn separated(&mut self, a: Term, b: Term, cut: usize) -> Option<Term> {
        let before = |t: Term| self.atoms.scope(t).is_some_and(|scope| scope.first <= cut);
        let (a, b) = if before(a) { (a, b) } else { (b, a) };
        let left = self.atoms.known_linear(a)?;
        let mut difference = left.clone();
        let right = self.atoms.known_linear(b)?;
        for (&column, factor) in &right.factors {
            *difference.factors.entry(column).or_default() -= factor;
        }
        difference.tidy();
        if difference.factors.is_empty() {
            return None;
        }
        let factors: Vec<_> = difference.factors.into_iter().collect();
        let column = self.atoms.simplex.form(&factors);
        let limit = Delta::below(&right.constant - &left.constant);
        let certificate = self.suppose(column, limit)?;
        let supposed = certificate.parts.iter().find(|p| p.reason == SUPPOSED)?;
        let scale = supposed.factor.recip();
        let mut sum = left;
        for part in &certificate.parts {
            if part.reason == SUPPOSED {
                continue;
            }
            let var = Lit::from_index(part.reason as usize).var();
            if self.atoms.span(var).last > cut {
                continue;
            }
            let factor = match part.side {
                Side::Upper => &part.factor * &scale,
                Side::Lower => -(&part.factor * &scale),
            };
            for (base, coefficient) in self.atoms.simplex.combination(part.column) {
                *sum.factors.entry(*base).or_default() += &(coefficient * &factor);
            }
            sum.constant -= &(&part.bound.real * &factor);
        }
        sum.tidy();
        let term = self.atoms.number_of(&sum, self.atoms.terms.sort(a))?;
        self.is_shared(term, cut).then_some(term)
    }

    /// Why `column <= limit` contradicts the bounds that hold now.
    fn suppose(&mut self, column: super::simplex::Column, limit: Delta) -> Option<Certificate> {
        let simplex = &mut self.atoms.simplex;
        let mark = simplex.mark();
        let mut budget = MOST_PIVOTS;
        let certificate = match simplex.assert_bound(column, Side::Upper, limit, SUPPOSED) {
            Err(certificate) => Some(certificate),
            Ok(()) => match simplex.check(&mut budget) {
                Outcome::Infeasible(certificate) => Some(certificate),
                Outcome::Feasible | Outcome::OutOfBudget => None,
            },
        };
        simplex.undo_to(mark);
        certificate
    }
}
