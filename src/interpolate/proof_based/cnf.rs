//! The clausal form of a step.
//!
//! Sub-formulas are named, and only the half of a definition is stated that the polarity of the
//! sub-formula needs (Plaisted, Greenbaum, "A structure-preserving clause form translation", JSC
//! 1986). So a literal that occurs in no clause may be false without the theory being asked.
//! Numbers that the arithmetic does not know (`div`, `mod`, if-then-else, floor) get their meaning
//! as clauses of the step in which they are first met.

use std::collections::HashSet;

use super::atoms::{Atom, Atoms, Literal, Relation};
use super::bits;
use super::clause::{Lit, Source, Var};
use super::number::Rational;
use ult_core::formula::lines::is_word;
use ult_core::formula::{Op, Sort, Term, Terms};
use ult_proof::bits::Bit;

/// Turns steps into clauses.
#[derive(Default)]
pub(super) struct ClausalForm {
    /// The halves of definitions that were stated: the defined literal is in it.
    stated: HashSet<Lit>,
    /// Atoms about bit-vectors whose tables were stated.
    blasted: HashSet<Var>,
    /// Dividends and divisors whose division was explained.
    divided: HashSet<(Term, Term)>,
}

/// The work on one step.
struct Step<'a, 't> {
    form: &'a mut ClausalForm,
    atoms: &'a mut Atoms<'t>,
    terms: &'t Terms,
    step: usize,
    clauses: Vec<(Source, Vec<Lit>)>,
    /// Atoms about bit-vectors.
    words: Vec<Var>,
    /// Definitions to be stated: the literal that was used, and its formula.
    open: Vec<(Lit, Term)>,
}

impl ClausalForm {
    /// The clauses of a step.
    pub(super) fn clauses(
        &mut self,
        atoms: &mut Atoms<'_>,
        step: usize,
        formula: Term,
    ) -> Vec<(Source, Vec<Lit>)> {
        let terms = atoms.terms;
        let mut work = Step::new(self, atoms, step);
        for conjunct in terms.conjuncts(formula) {
            let parts = terms.disjuncts(conjunct).into_iter();
            let literals: Vec<Literal> = parts.map(|part| work.literal(part)).collect();
            let before = work.clauses.len();
            work.clause_of(None, &literals);
            for (source, _) in &mut work.clauses[before..] {
                *source = Source::Formula;
            }
        }
        work.finish();
        work.clauses
    }

    /// Makes columns for numbers that a step can speak about; the clauses that say what they are.
    pub(super) fn numbers(
        &mut self,
        atoms: &mut Atoms<'_>,
        step: usize,
        numbers: &[Term],
    ) -> Vec<(Source, Vec<Lit>)> {
        let mut work = Step::new(self, atoms, step);
        for &number in numbers {
            match bits::width(work.terms, number) {
                None => _ = work.atoms.linear(number),
                Some(width) => work.all_bits(number, width),
            }
        }
        work.finish();
        work.clauses
    }
}

impl<'a, 't> Step<'a, 't> {
    fn new(form: &'a mut ClausalForm, atoms: &'a mut Atoms<'t>, step: usize) -> Step<'a, 't> {
        Step {
            form,
            terms: atoms.terms,
            atoms,
            step,
            clauses: Vec::new(),
            words: Vec::new(),
            open: Vec::new(),
        }
    }

    fn finish(&mut self) {
        loop {
            if let Some((lit, formula)) = self.open.pop() {
                self.define(lit, formula);
                continue;
            }
            if let Some(var) = self.words.pop() {
                self.blast(var);
                continue;
            }
            let fresh = self.atoms.take_fresh();
            if fresh.is_empty() {
                return;
            }
            for term in fresh {
                self.explain(term);
            }
        }
    }

    /// Adds a clause; `head` is the negation of what it defines. In it, a disequality is one of two strict comparisons: the negation of an
    /// equation occurs in no clause, so the theory need not know of it.
    fn clause(&mut self, head: Option<Lit>, lits: Vec<Lit>) {
        let mut clause = Vec::with_capacity(lits.len() + 1);
        for lit in lits {
            match self.atoms.atom(lit.var()) {
                Atom::Equal(column, value) if !lit.is_positive() => {
                    let (column, value) = (*column, value.clone());
                    let (below, above) = self.atoms.halves(column, &value);
                    clause.extend([below, above]);
                }
                _ => clause.push(lit),
            }
        }
        for &lit in &clause {
            self.atoms.occurs(lit, self.step);
            match self.atoms.atom(lit.var()) {
                Atom::Definition(_, formula) => self.open.push((lit, *formula)),
                Atom::Bit(_) | Atom::Same(..) if self.atoms.has_bits => self.words.push(lit.var()),
                _ => {}
            }
        }
        if let Some(head) = head {
            self.atoms.occurs(head, self.step);
            clause.push(head);
        }
        self.clauses.push((Source::Meaning, clause));
    }

    /// A clause of literals and truth values.
    fn clause_of(&mut self, head: Option<Lit>, literals: &[Literal]) {
        let mut lits = Vec::new();
        for literal in literals {
            match literal {
                Literal::Constant(true) => return,
                Literal::Constant(false) => {}
                Literal::Lit(lit) => lits.push(*lit),
            }
        }
        self.clause(head, lits);
    }

    fn literal(&mut self, formula: Term) -> Literal {
        let terms = self.terms;
        let mut formula = formula;
        let mut positive = true;
        while let Op::Not = terms.op(formula) {
            formula = terms.args(formula)[0];
            positive = !positive;
        }
        let args = terms.args(formula);
        let arithmetic = |t: Term| terms.sort(t).is_arithmetic();
        let literal = match (terms.op(formula), args) {
            (Op::Bool(value), _) => Literal::Constant(*value),
            (Op::Le, &[a, b]) => self.atoms.compare(Relation::AtMost, a, b),
            (Op::Lt, &[a, b]) => self.atoms.compare(Relation::Less, a, b),
            (Op::Eq, &[a, b]) if arithmetic(a) => self.atoms.compare(Relation::Equal, a, b),
            (Op::And | Op::Or, _) => self.definition(formula),
            (Op::Ite, _) => self.definition(formula),
            (Op::Eq, &[a, _]) if *terms.sort(a) == Sort::Bool => self.definition(formula),
            (Op::Distinct, _) => self.definition(formula),
            (Op::Eq, &[a, b]) => self.atoms.same(a, b),
            (Op::Bv(op), &[a, b]) if self.atoms.has_bits && is_word(terms, formula) => {
                let literal = bits::compare(self.atoms, *op, a, b);
                literal.unwrap_or_else(|| Literal::Lit(self.atoms.lit(Atom::Opaque(formula))))
            }
            _ => Literal::Lit(self.atoms.lit(Atom::Opaque(formula))),
        };
        if positive { literal } else { !literal }
    }

    /// States what all bits of a bit-vector are.
    fn all_bits(&mut self, term: Term, width: u32) {
        for i in 0..width {
            if let Literal::Lit(lit) = bits::literal(self.atoms, Bit::of(term, i)) {
                self.atoms.need(lit.var());
                self.words.push(lit.var());
            }
        }
    }

    /// States what an atom about bit-vectors means.
    fn blast(&mut self, var: Var) {
        if !self.form.blasted.insert(var) {
            return;
        }
        let atom = self.atoms.atom(var).clone();
        let Some((parts, fits)) = bits::table(self.atoms, &atom) else {
            return;
        };
        let mut literals = vec![Literal::Lit(Lit::new(var, true))];
        for part in parts {
            literals.push(part.unwrap_or_else(|formula| self.literal(formula)));
        }
        for clause in bits::implicates(&literals, fits) {
            self.clause(None, clause);
        }
    }

    fn definition(&mut self, formula: Term) -> Literal {
        Literal::Lit(self.atoms.lit(Atom::Definition(self.step, formula)))
    }

    /// States that `lit`, a definition or its negation, implies the formula or its negation.
    fn define(&mut self, lit: Lit, formula: Term) {
        if !self.form.stated.insert(lit) {
            return;
        }
        let terms = self.terms;
        let args = terms.args(formula);
        let head = Some(!lit);
        let positive = lit.is_positive();
        match terms.op(formula) {
            Op::And | Op::Or => {
                let all = matches!(terms.op(formula), Op::And) == positive;
                let parts = if matches!(terms.op(formula), Op::And) {
                    terms.conjuncts(formula)
                } else {
                    terms.disjuncts(formula)
                };
                let literals: Vec<Literal> = parts
                    .into_iter()
                    .map(|part| {
                        let literal = self.literal(part);
                        if positive { literal } else { !literal }
                    })
                    .collect();
                if all {
                    for literal in literals {
                        self.clause_of(head, &[literal]);
                    }
                } else {
                    self.clause_of(head, &literals);
                }
            }
            Op::Ite => {
                let condition = self.literal(args[0]);
                for (guard, branch) in [(!condition, args[1]), (condition, args[2])] {
                    let branch = self.literal(branch);
                    let branch = if positive { branch } else { !branch };
                    self.clause_of(head, &[guard, branch]);
                }
            }
            Op::Eq => {
                let (a, b) = (self.literal(args[0]), self.literal(args[1]));
                let b = if positive { b } else { !b };
                self.clause_of(head, &[!a, b]);
                self.clause_of(head, &[a, !b]);
            }
            Op::Distinct => {
                // Pairwise different, or some pair equal.
                let mut some = Vec::new();
                for (i, &a) in args.iter().enumerate() {
                    for &b in &args[i + 1..] {
                        let equal = self.literal(terms.eq(a, b));
                        if positive {
                            self.clause_of(head, &[!equal]);
                        } else {
                            some.push(equal);
                        }
                    }
                }
                if !positive {
                    self.clause_of(head, &some);
                }
            }
            other => unreachable!("{other:?} is never defined"),
        }
    }

    /// States what a number means that became a column.
    fn explain(&mut self, number: Term) {
        let terms = self.terms;
        let args = terms.args(number);
        match terms.op(number) {
            Op::Ite => {
                let condition = self.literal(args[0]);
                for (guard, branch) in [(!condition, args[1]), (condition, args[2])] {
                    let equal = self.atoms.compare(Relation::Equal, number, branch);
                    self.clause_of(None, &[guard, equal]);
                }
            }
            Op::Div | Op::Mod => {
                let (dividend, divisor) = (args[0], args[1]);
                let Some(value) = terms.as_number(divisor).map(Rational::from) else {
                    return;
                };
                if value.is_zero() || !self.form.divided.insert((dividend, divisor)) {
                    return;
                }
                // dividend == divisor * quotient + remainder, 0 <= remainder < |divisor|
                let remainder = terms.modulo(dividend, divisor);
                let quotient = terms.div(dividend, divisor);
                let sum = terms.add(&[terms.mul(&[divisor, quotient]), remainder]);
                let equation = self.atoms.compare(Relation::Equal, dividend, sum);
                self.clause_of(None, &[equation]);
                let zero = terms.int(0);
                let lower = self.atoms.compare(Relation::AtMost, zero, remainder);
                self.clause_of(None, &[lower]);
                let size = terms.int(value.to_big().to_integer().magnitude().clone());
                let upper = self.atoms.compare(Relation::Less, remainder, size);
                self.clause_of(None, &[upper]);
            }
            Op::Mul if self.atoms.has_bits && args.len() == 2 => {
                // The sign of a product by those of its factors.
                let zero = terms.sub(number, number);
                for relation in [Relation::AtMost, Relation::Less] {
                    for (x, y) in [(true, true), (true, false), (false, true), (false, false)] {
                        let mut positive = |sign: bool, term: Term| match sign {
                            true => self.atoms.compare(relation, zero, term),
                            false => self.atoms.compare(relation, term, zero),
                        };
                        let (a, b) = (positive(x, args[0]), positive(y, args[1]));
                        let product = positive(x == y, number);
                        self.clause_of(None, &[!a, !b, product]);
                    }
                }
            }
            Op::ToInt => {
                // number <= argument < number + 1
                let whole = terms.to_real(number);
                let lower = self.atoms.compare(Relation::AtMost, whole, args[0]);
                self.clause_of(None, &[lower]);
                let one = terms.real(num_rational::BigRational::from_integer(1.into()));
                let next = terms.add(&[whole, one]);
                let upper = self.atoms.compare(Relation::Less, args[0], next);
                self.clause_of(None, &[upper]);
            }
            _ => {}
        }
    }
}
