//! The atoms of a chain: what the propositional variables stand for, and in which steps they
//! occur.

use std::cell::RefCell;
use std::collections::HashMap;

use indexmap::IndexMap;
use num_bigint::BigInt;

use super::clause::{Lit, Var};
use super::number::{Delta, Rational};
use super::proof::Span;
use super::simplex::{Column, Simplex};
use ult_core::formula::{Op, Sort, Term, Terms, Version};
use ult_proof::bits::Bit;

/// What a propositional variable stands for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Atom {
    /// A sub-formula of one step.
    Definition(usize, Term),
    /// A formula that the arithmetic does not look into.
    Opaque(Term),
    /// A truth value about bit-vectors.
    Bit(Bit<Term>),
    /// Two values are equal that are neither numbers nor truth values; the smaller term first.
    Same(Term, Term),
    /// `column <= bound`; its negation is the opposite strict bound.
    Bound(Column, Delta),
    /// `column == value`.
    Equal(Column, Rational),
    /// `column <= value` of integers, made up to decide on which side a solution lies. Not the
    /// same as [`Atom::Bound`], so that the theory knows of both of its values.
    Branch(Column, Rational),
}

impl Atom {
    /// The column that it compares with a number, if it does.
    pub(super) fn column(&self) -> Option<Column> {
        match self {
            Atom::Bound(column, _) | Atom::Equal(column, _) | Atom::Branch(column, _) => {
                Some(*column)
            }
            _ => None,
        }
    }
}

/// A literal, or a truth value where a comparison was decided at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Literal {
    /// The literal.
    Lit(Lit),
    /// The truth value.
    Constant(bool),
}

/// How two numbers are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Relation {
    /// `<=`
    AtMost,
    /// `<`
    Less,
    /// `==`
    Equal,
}

/// A linear combination of columns and a constant.
#[derive(Clone, Debug, Default)]
pub(super) struct Linear {
    /// Factors, none of them zero after [`Linear::tidy`].
    pub factors: IndexMap<Column, Rational>,
    /// The constant.
    pub constant: Rational,
}

/// Factors of columns, how their sum is compared, and with what.
type Compared<'a> = (&'a [(Column, Rational)], Relation, &'a Rational);

/// The atoms of one chain.
pub(super) struct Atoms<'t> {
    /// The store of the formulas.
    pub terms: &'t Terms,
    /// Whether bit-vectors are looked into.
    pub has_bits: bool,
    /// The numbers, as columns; bounds are asserted by the theory.
    pub simplex: Simplex,
    steps: usize,
    /// The steps in which each free variable occurs.
    variables: HashMap<Term, Span>,
    /// What was found out about scopes.
    scopes: RefCell<HashMap<Term, Option<Span>>>,
    atoms: Vec<Atom>,
    spans: Vec<Option<Span>>,
    needed: Vec<bool>,
    index: HashMap<Atom, Var>,
    columns: IndexMap<Term, Column>,
    bases: HashMap<Column, Term>,
    /// The equations that variables were made of first.
    equations: HashMap<Var, Term>,
    /// The variables whose atoms compare a column with a number.
    on: HashMap<Column, Vec<Var>>,
    /// Numbers that became columns and whose meaning was not yet stated.
    fresh: Vec<Term>,
}

impl<'t> Atoms<'t> {
    /// For the chain with these steps.
    pub(super) fn new(terms: &'t Terms, steps: &[Term], has_bits: bool) -> Atoms<'t> {
        let mut variables: HashMap<Term, Span> = HashMap::new();
        for (i, &step) in steps.iter().enumerate() {
            let here = Span::at(i);
            for var in terms.free_vars(&[step]) {
                variables
                    .entry(var)
                    .and_modify(|span| *span = span.join(here))
                    .or_insert(here);
            }
        }
        Atoms {
            terms,
            has_bits,
            simplex: Simplex::new(),
            steps: steps.len(),
            variables,
            scopes: RefCell::default(),
            atoms: Vec::new(),
            spans: Vec::new(),
            needed: Vec::new(),
            index: HashMap::new(),
            columns: IndexMap::new(),
            bases: HashMap::new(),
            equations: HashMap::new(),
            on: HashMap::new(),
            fresh: Vec::new(),
        }
    }

    /// How many propositional variables there are.
    pub(super) fn len(&self) -> usize {
        self.atoms.len()
    }

    /// What a variable stands for.
    pub(super) fn atom(&self, var: Var) -> &Atom {
        &self.atoms[var.index()]
    }

    /// The steps in which a term can be spoken about: those between the first and the last
    /// occurrence of all its variables. None if there is no such step.
    pub(super) fn scope(&self, term: Term) -> Option<Span> {
        if let Some(&scope) = self.scopes.borrow().get(&term) {
            return scope;
        }
        let everywhere = self.everywhere();
        let scope = self
            .terms
            .free_vars(&[term])
            .into_iter()
            .try_fold(everywhere, |span, var| {
                span.meet(self.variables.get(&var).copied().unwrap_or(everywhere))
            });
        self.scopes.borrow_mut().insert(term, scope);
        scope
    }

    /// The steps in which all of some terms can be spoken about.
    pub(super) fn common_scope(&self, terms: impl IntoIterator<Item = Term>) -> Option<Span> {
        terms
            .into_iter()
            .try_fold(self.everywhere(), |span, term| span.meet(self.scope(term)?))
    }

    /// All steps.
    fn everywhere(&self) -> Span {
        Span {
            first: 0,
            last: self.steps - 1,
        }
    }

    /// A new variable that only one step can speak about.
    pub(super) fn local(&mut self, step: usize, name: &str, sort: Sort) -> Term {
        let position = u32::try_from(step).expect("paths are shorter than 2^32");
        let version = Version::AuxAt(position, self.terms.fresh_number());
        let variable = self.terms.var(name, version, sort);
        let here = Span::at(step);
        self.variables.insert(variable, here);
        variable
    }

    /// The steps in which a variable occurs.
    pub(super) fn span(&self, var: Var) -> Span {
        // What was in no clause yet is a new atom over one column.
        self.spans[var.index()].unwrap_or_else(|| {
            let span = match self.atom(var) {
                Atom::Bound(column, _) | Atom::Equal(column, _) | Atom::Branch(column, _) => self
                    .simplex
                    .combination(*column)
                    .iter()
                    .try_fold(None, |span: Option<Span>, (base, _)| {
                        let scope = self.scope(self.bases[base])?;
                        Some(Some(match span {
                            None => scope,
                            Some(span) => span.meet(scope)?,
                        }))
                    })
                    .flatten(),
                Atom::Opaque(term) => self.scope(*term),
                Atom::Bit(bit) => self.common_scope([bit.a, bit.b]),
                Atom::Same(a, b) => self.common_scope([*a, *b]),
                Atom::Definition(step, _) => Some(Span::at(*step)),
            };
            span.unwrap_or(self.everywhere())
        })
    }

    /// Whether the theory has to know of a literal: no clause of a step needs it to be true else.
    pub(super) fn is_needed(&self, lit: Lit) -> bool {
        self.needed[lit.index()]
    }

    /// Notes that a literal occurs in a clause of a step.
    pub(super) fn occurs(&mut self, lit: Lit, step: usize) {
        self.needed[lit.index()] = true;
        let here = Span::at(step);
        let span = &mut self.spans[lit.var().index()];
        *span = Some(span.map_or(here, |span| span.join(here)));
    }

    /// Notes that the theory wants to know of both values of a variable.
    pub(super) fn need(&mut self, var: Var) {
        self.needed[Lit::new(var, true).index()] = true;
        self.needed[Lit::new(var, false).index()] = true;
    }

    /// The positive literal of an atom.
    pub(super) fn lit(&mut self, atom: Atom) -> Lit {
        if let Some(&var) = self.index.get(&atom) {
            return Lit::new(var, true);
        }
        let var = Var::new(self.atoms.len());
        if let Some(column) = atom.column() {
            self.on.entry(column).or_default().push(var);
        }
        self.index.insert(atom.clone(), var);
        self.atoms.push(atom);
        self.spans.push(None);
        self.needed.extend([false, false]);
        Lit::new(var, true)
    }

    /// The literal of an atom that there is.
    pub(super) fn known(&self, atom: &Atom) -> Option<Lit> {
        self.index.get(atom).map(|&var| Lit::new(var, true))
    }

    /// The variables whose atoms compare this column with a number.
    pub(super) fn on(&self, column: Column) -> &[Var] {
        self.on.get(&column).map_or(&[], |vars| vars)
    }

    /// `a == b` of values that are neither numbers nor truth values.
    pub(super) fn same(&mut self, a: Term, b: Term) -> Literal {
        match self.terms.op(self.terms.eq(a, b)) {
            Op::Bool(value) => Literal::Constant(*value),
            _ => Literal::Lit(self.lit(Atom::Same(a.min(b), a.max(b)))),
        }
    }

    /// The columns that stand for terms, with the terms.
    pub(super) fn columns(&self) -> impl Iterator<Item = (Term, Column)> {
        self.columns.iter().map(|(&term, &column)| (term, column))
    }

    /// The term that an original column stands for.
    pub(super) fn base(&self, column: Column) -> Term {
        self.bases[&column]
    }

    /// The numbers that became columns since the last call: their meaning is to be stated.
    pub(super) fn take_fresh(&mut self) -> Vec<Term> {
        std::mem::take(&mut self.fresh)
    }

    fn column(&mut self, term: Term) -> Column {
        if let Some(&column) = self.columns.get(&term) {
            return column;
        }
        let column = self.simplex.variable(*self.terms.sort(term) == Sort::Int);
        self.columns.insert(term, column);
        self.bases.insert(column, term);
        self.fresh.push(term);
        column
    }

    /// A number as a linear combination of columns that there are. None if it needs others.
    pub(super) fn known_linear(&self, number: Term) -> Option<Linear> {
        let mut sum = Linear::default();
        let factor = Rational::from(1);
        for (term, factor) in self.terms_of_sum(&mut sum.constant, &factor, number) {
            *sum.factors.entry(*self.columns.get(&term)?).or_default() += &factor;
        }
        Some(sum)
    }

    /// A number as a linear combination.
    pub(super) fn linear(&mut self, number: Term) -> Linear {
        let mut sum = Linear::default();
        self.add_multiple(&mut sum, &Rational::from(1), number);
        sum
    }

    fn add_multiple(&mut self, sum: &mut Linear, factor: &Rational, number: Term) {
        for (term, factor) in self.terms_of_sum(&mut sum.constant, factor, number) {
            let column = self.column(term);
            *sum.factors.entry(column).or_default() += &factor;
        }
    }

    /// What a sum consists of, but for its constant, which is added.
    fn terms_of_sum(
        &self,
        constant: &mut Rational,
        factor: &Rational,
        number: Term,
    ) -> Vec<(Term, Rational)> {
        let terms = self.terms;
        let mut found = Vec::new();
        let mut stack = vec![(number, factor.clone())];
        while let Some((term, factor)) = stack.pop() {
            if let Some(value) = terms.as_number(term) {
                *constant += &(&factor * &Rational::from(value));
                continue;
            }
            match (terms.op(term), terms.args(term)) {
                (Op::Add, args) => stack.extend(args.iter().rev().map(|&t| (t, factor.clone()))),
                (Op::ToReal, &[arg]) => stack.push((arg, factor)),
                (Op::Mul, &[left, right]) if terms.as_number(left).is_some() => {
                    let value = terms.as_number(left).expect("just seen");
                    stack.push((right, &factor * &Rational::from(value)));
                }
                _ => found.push((term, factor)),
            }
        }
        found
    }

    /// `left (<=, <, ==) right` as a literal.
    pub(super) fn compare(&mut self, relation: Relation, left: Term, right: Term) -> Literal {
        let mut sum = self.linear(left);
        self.add_multiple(&mut sum, &Rational::from(-1), right);
        let literal = self.compare_with_zero(relation, sum);
        if let (Relation::Equal, Literal::Lit(lit)) = (relation, literal) {
            let equation = self.terms.eq(left, right);
            self.equations.entry(lit.var()).or_insert(equation);
        }
        literal
    }

    /// `sum (<=, <, ==) 0` as a literal.
    pub(super) fn compare_with_zero(&mut self, relation: Relation, mut sum: Linear) -> Literal {
        sum.tidy();
        let zero = Rational::default();
        if sum.factors.is_empty() {
            return Literal::Constant(match relation {
                Relation::AtMost => sum.constant <= zero,
                Relation::Less => sum.constant < zero,
                Relation::Equal => sum.constant == zero,
            });
        }
        let (column, scale) = self.scaled(&sum);
        let flipped = scale < zero;
        let value = -(&sum.constant * &scale);
        let mut columns = sum.factors.keys();
        let integer = columns.all(|column| self.simplex.is_integer(*column));
        let below = |value: &Rational| Atom::Bound(column, just_below(value, integer));
        let up_to = |value: &Rational| {
            let value = if integer {
                value.floor()
            } else {
                value.clone()
            };
            Atom::Bound(column, Delta::from(value))
        };
        Literal::Lit(match (relation, flipped) {
            (Relation::Equal, _) if integer && !value.is_integer() => {
                return Literal::Constant(false);
            }
            (Relation::Equal, _) => self.lit(Atom::Equal(column, value)),
            (Relation::AtMost, false) => self.lit(up_to(&value)),
            (Relation::Less, false) => self.lit(below(&value)),
            (Relation::AtMost, true) => !self.lit(below(&value)),
            (Relation::Less, true) => !self.lit(up_to(&value)),
        })
    }

    /// The column of a sum with coprime integer factors, the first one positive, and what the sum was multiplied by: equal comparisons
    /// get one column.
    fn scaled(&mut self, sum: &Linear) -> (Column, Rational) {
        let scale = sum.scale();
        let factors = sum.factors.iter();
        let factors: Vec<(Column, Rational)> = factors
            .map(|(&column, factor)| (column, factor * &scale))
            .collect();
        (self.simplex.form(&factors), scale)
    }

    /// The upper and the lower bound that a literal puts on its column.
    pub(super) fn bounds(&self, lit: Lit) -> Option<(Column, Option<Delta>, Option<Delta>)> {
        match (self.atom(lit.var()), lit.is_positive()) {
            (Atom::Bound(column, bound), true) => Some((*column, Some(bound.clone()), None)),
            (Atom::Bound(column, bound), false) => {
                let above = if self.simplex.is_integer(*column) {
                    Delta::from(&bound.real + &Rational::from(1))
                } else if !bound.delta.is_zero() {
                    Delta::from(bound.real.clone())
                } else {
                    Delta::above(bound.real.clone())
                };
                Some((*column, None, Some(above)))
            }
            (Atom::Branch(column, value), true) => {
                Some((*column, Some(Delta::from(value.clone())), None))
            }
            (Atom::Branch(column, value), false) => {
                let above = Delta::from(value + &Rational::from(1));
                Some((*column, None, Some(above)))
            }
            (Atom::Equal(column, value), true) => {
                let value = Delta::from(value.clone());
                Some((*column, Some(value.clone()), Some(value)))
            }
            _ => None,
        }
    }

    /// Whether a sum of integers is at most its constant, rounded down. `None` if nothing is left of the sum.
    pub(super) fn branch(&mut self, mut sum: Linear) -> Option<Lit> {
        sum.tidy();
        if sum.factors.is_empty() {
            return None;
        }
        let (column, scale) = self.scaled(&sum);
        let value = (&sum.constant * &scale).floor();
        Some(self.lit(Atom::Branch(column, value)))
    }

    /// The two halves of a disequality: `column < value` and `column > value`.
    pub(super) fn halves(&mut self, column: Column, value: &Rational) -> (Lit, Lit) {
        let below = just_below(value, self.simplex.is_integer(column));
        let below = self.lit(Atom::Bound(column, below));
        let above = !self.lit(Atom::Bound(column, Delta::from(value.clone())));
        (below, above)
    }

    /// A literal as a formula in normal form; not for definitions, which no interpolant may mention.
    pub(super) fn term(&self, lit: Lit) -> Term {
        let positive = match self.compared(lit.var()) {
            Some((factors, relation, value)) => self.comparison(factors, relation, value),
            None => self.formula(lit.var()),
        };
        if lit.is_positive() {
            positive
        } else {
            self.terms.not(positive)
        }
    }

    /// What a variable stands for, about the same terms as the steps; an equation as it was met first.
    pub(super) fn formula(&self, var: Var) -> Term {
        if let Some(&equation) = self.equations.get(&var) {
            return equation;
        }
        if let Some((factors, relation, value)) = self.compared(var) {
            return self.plain_comparison(factors, relation, value);
        }
        match self.atom(var) {
            Atom::Definition(_, term) | Atom::Opaque(term) => *term,
            Atom::Same(a, b) => self.terms.eq(*a, *b),
            Atom::Bound(..) | Atom::Branch(..) | Atom::Equal(..) => {
                unreachable!("compares a column")
            }
            Atom::Bit(_) => unreachable!("not in a chain"),
        }
    }

    /// The factors of the column that a variable compares with a value, how, and the value.
    fn compared(&self, var: Var) -> Option<Compared<'_>> {
        let (column, relation, value) = match self.atom(var) {
            Atom::Bound(column, bound) if bound.delta.is_zero() => {
                (column, Relation::AtMost, &bound.real)
            }
            Atom::Bound(column, bound) => (column, Relation::Less, &bound.real),
            Atom::Branch(column, value) => (column, Relation::AtMost, value),
            Atom::Equal(column, value) => (column, Relation::Equal, value),
            Atom::Definition(..) | Atom::Opaque(_) | Atom::Bit(_) | Atom::Same(..) => return None,
        };
        Some((self.simplex.combination(*column), relation, value))
    }

    /// `sum of factor * column (<=, <, ==) value` as a formula in normal form.
    pub(super) fn comparison(
        &self,
        factors: &[(Column, Rational)],
        relation: Relation,
        value: &Rational,
    ) -> Term {
        let comparison = self.plain_comparison(factors, relation, value);
        self.terms.normalised(comparison)
    }

    fn plain_comparison(
        &self,
        factors: &[(Column, Rational)],
        relation: Relation,
        value: &Rational,
    ) -> Term {
        let terms = self.terms;
        let integer = factors
            .iter()
            .all(|(column, _)| *terms.sort(self.base(*column)) == Sort::Int);
        // Integers need integer factors.
        let mut scale = BigInt::from(1);
        for (_, factor) in factors {
            scale = num_integer::Integer::lcm(&scale, &factor.denom());
        }
        let scale = Rational::from(scale);
        let value = value * &scale;
        if integer && !value.is_integer() {
            match relation {
                Relation::Equal => return terms.ff(),
                _ => {
                    let floor = value.floor();
                    return self.comparison_of(factors, &scale, true, Relation::AtMost, &floor);
                }
            }
        }
        self.comparison_of(factors, &scale, integer, relation, &value)
    }

    fn comparison_of(
        &self,
        factors: &[(Column, Rational)],
        scale: &Rational,
        integer: bool,
        relation: Relation,
        value: &Rational,
    ) -> Term {
        let terms = self.terms;
        let sum = self.sum(factors, scale, integer);
        let value = self.number(value, integer);
        match relation {
            Relation::AtMost => terms.le(sum, value),
            Relation::Less => terms.lt(sum, value),
            Relation::Equal => terms.eq(sum, value),
        }
    }

    fn number(&self, value: &Rational, integer: bool) -> Term {
        let value = value.to_big();
        if integer {
            self.terms.int(value.to_integer())
        } else {
            self.terms.real(value)
        }
    }

    /// `scale * sum of factor * column`; if it is one of integers, the products are integers.
    fn sum(&self, factors: &[(Column, Rational)], scale: &Rational, integer: bool) -> Term {
        let terms = self.terms;
        let parts: Vec<Term> = factors
            .iter()
            .map(|(column, factor)| {
                let base = self.base(*column);
                let base = if !integer && *terms.sort(base) == Sort::Int {
                    terms.to_real(base)
                } else {
                    base
                };
                terms.mul(&[self.number(&(factor * scale), integer), base])
            })
            .collect();
        if parts.is_empty() {
            self.number(&Rational::default(), integer)
        } else {
            terms.add(&parts)
        }
    }

    /// A linear combination as a term of the sort. None if integers would need fractions.
    pub(super) fn number_of(&self, linear: &Linear, sort: &Sort) -> Option<Term> {
        let integer = *sort == Sort::Int;
        let factors: Vec<(Column, Rational)> = linear
            .factors
            .iter()
            .map(|(&c, f)| (c, f.clone()))
            .collect();
        let whole = |(column, factor): &(Column, Rational)| {
            factor.is_integer() && *self.terms.sort(self.base(*column)) == Sort::Int
        };
        if integer && !(linear.constant.is_integer() && factors.iter().all(whole)) {
            return None;
        }
        let sum = self.sum(&factors, &Rational::ONE, integer);
        Some(
            self.terms
                .add(&[sum, self.number(&linear.constant, integer)]),
        )
    }

    /// Whether the value of a column may be spoken about at a cut, as far as its own steps tell.
    pub(super) fn is_local_before(&self, column: Column, cut: usize) -> bool {
        self.scope(self.base(column))
            .is_none_or(|span| span.last <= cut)
    }
}

/// The bound that `column < value` is.
fn just_below(value: &Rational, integer: bool) -> Delta {
    if integer {
        Delta::from(&value.ceil() - &Rational::ONE)
    } else {
        Delta::below(value.clone())
    }
}

impl Linear {
    /// Removes zero factors, sorts by column.
    pub(super) fn tidy(&mut self) {
        self.factors.retain(|_, factor| !factor.is_zero());
        self.factors.sort_unstable_keys();
    }

    /// What makes the factors coprime integers and the first one positive.
    fn scale(&self) -> Rational {
        let scale = Rational::gcd_of(self.factors.values()).recip();
        match self.factors.values().next() {
            Some(first) if first.is_negative() => -scale,
            _ => scale,
        }
    }
}

impl std::ops::Not for Literal {
    type Output = Literal;

    fn not(self) -> Literal {
        match self {
            Literal::Lit(lit) => Literal::Lit(!lit),
            Literal::Constant(value) => Literal::Constant(!value),
        }
    }
}
