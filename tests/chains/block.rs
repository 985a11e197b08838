//! Large blocks, written as small programs.
//!
//! A block is a list of statements; [`Builder::transition`] turns it into one formula, as the
//! large-block encoding of a loop body does: where branches join, a changed variable gets an
//! auxiliary that each branch defines, so the formula is disjunctive and linear in the program.

use std::ops;
use std::sync::Arc;

use indexmap::IndexMap;
use ult_core::formula::{BvOp, Function, Sort, Term, Terms, Version};
use ult_core::graph::{ProgramGraph, Transition};

/// An expression over program variables.
#[derive(Clone, Copy)]
pub struct E<'t> {
    terms: &'t Terms,
    /// The term.
    pub term: Term,
}

/// What may stand beside an expression: another one, or a number of its sort.
pub trait Operand<'t> {
    /// The term, at the sort of `like`.
    fn like(self, like: E<'t>) -> Term;
}

impl<'t> Operand<'t> for E<'t> {
    fn like(self, _: E<'t>) -> Term {
        self.term
    }
}

impl<'t> Operand<'t> for i64 {
    fn like(self, like: E<'t>) -> Term {
        let terms = like.terms;
        match terms.sort(like.term) {
            Sort::Real => terms.to_real(terms.int(self)),
            // In two's complement.
            Sort::BitVec(width) => {
                let value = i128::from(self).rem_euclid(1i128 << (*width).min(64));
                terms.bitvec(value.unsigned_abs().into(), *width)
            }
            _ => terms.int(self),
        }
    }
}

impl<'t> E<'t> {
    fn over(self, term: Term) -> E<'t> {
        E { term, ..self }
    }

    fn is_bits(self) -> bool {
        matches!(self.terms.sort(self.term), Sort::BitVec(_))
    }

    fn bits(self, op: BvOp, right: impl Operand<'t>) -> E<'t> {
        self.over(self.terms.bv(op, &[self.term, right.like(self)]))
    }

    /// `self == right`
    pub fn is(self, right: impl Operand<'t>) -> E<'t> {
        self.over(self.terms.eq(self.term, right.like(self)))
    }

    /// `self != right`
    pub fn is_not(self, right: impl Operand<'t>) -> E<'t> {
        !self.is(right)
    }

    /// `self < right`; unsigned on bit-vectors, as are the following.
    pub fn lt(self, right: impl Operand<'t>) -> E<'t> {
        match self.is_bits() {
            true => self.bits(BvOp::Ult, right),
            false => self.over(self.terms.lt(self.term, right.like(self))),
        }
    }

    /// `self <= right`
    pub fn le(self, right: impl Operand<'t>) -> E<'t> {
        match self.is_bits() {
            true => self.bits(BvOp::Ule, right),
            false => self.over(self.terms.le(self.term, right.like(self))),
        }
    }

    /// `self > right`
    pub fn gt(self, right: impl Operand<'t>) -> E<'t> {
        !self.le(right)
    }

    /// `self >= right`
    pub fn ge(self, right: impl Operand<'t>) -> E<'t> {
        !self.lt(right)
    }

    /// `self < right` as signed bit-vectors.
    pub fn slt(self, right: impl Operand<'t>) -> E<'t> {
        self.bits(BvOp::Slt, right)
    }

    /// `self <= right` as signed bit-vectors.
    pub fn sle(self, right: impl Operand<'t>) -> E<'t> {
        self.bits(BvOp::Sle, right)
    }

    /// A bit-vector shifted to the left.
    pub fn up(self, by: impl Operand<'t>) -> E<'t> {
        self.bits(BvOp::Shl, by)
    }

    /// A bit-vector shifted to the right, zeros coming in.
    pub fn down(self, by: impl Operand<'t>) -> E<'t> {
        self.bits(BvOp::Lshr, by)
    }

    /// `self ==> right`
    pub fn implies(self, right: E<'t>) -> E<'t> {
        !self | right
    }

    /// `if self then yes else no`
    pub fn choose(self, yes: E<'t>, no: E<'t>) -> E<'t> {
        self.over(self.terms.ite(self.term, yes.term, no.term))
    }

    /// `self[index]`
    pub fn at(self, index: impl Operand<'t>) -> E<'t> {
        let index = self.index(index);
        self.over(self.terms.select(self.term, &[index]))
    }

    /// `self[index := value]`
    pub fn with(self, index: impl Operand<'t>, value: impl Operand<'t>) -> E<'t> {
        let value = value.like(self.at(0));
        let index = self.index(index);
        self.over(self.terms.store(self.term, &[index], value))
    }

    /// All maps here have integers as indices, so a number is one.
    fn index(self, index: impl Operand<'t>) -> Term {
        index.like(self.over(self.terms.int(0)))
    }
}

macro_rules! operators {
    ($($trait:ident $method:ident |$e:ident, $right:ident| $numbers:expr, $bits:ident;)*) => {$(
        impl<'t, R: Operand<'t>> ops::$trait<R> for E<'t> {
            type Output = E<'t>;
            fn $method(self, right: R) -> E<'t> {
                if self.is_bits() {
                    return self.bits(BvOp::$bits, right);
                }
                let ($e, $right) = (self, right.like(self));
                self.over($numbers)
            }
        }
    )*};
}

operators! {
    Add add |e, right| e.terms.add(&[e.term, right]), Add;
    Sub sub |e, right| e.terms.sub(e.term, right), Sub;
    Mul mul |e, right| e.terms.mul(&[e.term, right]), Mul;
    Div div |e, right| match e.terms.sort(e.term) {
        Sort::Real => e.terms.real_div(e.term, right),
        _ => e.terms.div(e.term, right),
    }, Udiv;
    Rem rem |e, right| e.terms.modulo(e.term, right), Urem;
    BitAnd bitand |e, right| e.terms.and2(e.term, right), And;
    BitOr bitor |e, right| e.terms.or2(e.term, right), Or;
    BitXor bitxor |e, right| e.terms.neq(e.term, right), Xor;
}

impl<'t> ops::Not for E<'t> {
    type Output = E<'t>;
    fn not(self) -> E<'t> {
        self.over(match self.is_bits() {
            true => self.terms.bv(BvOp::Not, &[self.term]),
            false => self.terms.not(self.term),
        })
    }
}

/// A statement.
#[derive(Clone)]
pub enum Stmt<'t> {
    /// Only states that satisfy it go on.
    Assume(E<'t>),
    /// The variable gets the value.
    Assign(E<'t>, E<'t>),
    /// The variable gets any value.
    Havoc(E<'t>),
    /// One of the lists is executed.
    Choice(Vec<Vec<Stmt<'t>>>),
}

/// `assume condition`
pub fn assume(condition: E<'_>) -> Stmt<'_> {
    Stmt::Assume(condition)
}

/// `variable := value`
pub fn set<'t>(variable: E<'t>, value: impl Operand<'t>) -> Stmt<'t> {
    Stmt::Assign(variable, variable.over(value.like(variable)))
}

/// `havoc variable`
pub fn havoc(variable: E<'_>) -> Stmt<'_> {
    Stmt::Havoc(variable)
}

/// `if (*) { first } else { second }`
pub fn either<'t>(first: Vec<Stmt<'t>>, second: Vec<Stmt<'t>>) -> Stmt<'t> {
    Stmt::Choice(vec![first, second])
}

/// `if (*) { body }`
pub fn maybe(body: Vec<Stmt<'_>>) -> Stmt<'_> {
    either(body, Vec::new())
}

/// `if (condition) { yes } else { no }`
pub fn when<'t>(condition: E<'t>, mut yes: Vec<Stmt<'t>>, mut no: Vec<Stmt<'t>>) -> Stmt<'t> {
    yes.insert(0, assume(condition));
    no.insert(0, assume(!condition));
    either(yes, no)
}

/// A program under construction: declarations, and the way from statements to formulas.
pub struct Builder<'t> {
    /// The store.
    pub terms: &'t Terms,
    /// Holds the variables and functions.
    pub graph: ProgramGraph,
}

/// The values of the changed variables, by their terms.
type Values = IndexMap<Term, Term>;

impl<'t> Builder<'t> {
    /// A program without variables.
    pub fn new(terms: &'t Terms, name: &str) -> Builder<'t> {
        let graph = ProgramGraph::new(name);
        Builder { terms, graph }
    }

    /// Declares a variable.
    pub fn variable(&mut self, name: &str, sort: Sort) -> E<'t> {
        self.graph.variables.insert(name.into(), sort.clone());
        self.wrap(self.terms.current(name, sort))
    }

    /// Declares several variables of one sort.
    pub fn variables<const N: usize>(&mut self, names: [&str; N], sort: Sort) -> [E<'t>; N] {
        names.map(|name| self.variable(name, sort.clone()))
    }

    /// Declares an uninterpreted function.
    pub fn function(&mut self, name: &str, params: &[Sort], result: Sort) -> Arc<Function> {
        let function = Arc::new(Function {
            name: name.into(),
            params: params.to_vec(),
            result,
        });
        self.graph.functions.push(function.clone());
        function
    }

    /// `function(args)`
    pub fn call(&self, function: &Arc<Function>, args: &[E<'t>]) -> E<'t> {
        let args: Vec<Term> = args.iter().map(|e| e.term).collect();
        self.wrap(self.terms.apply(function, &args))
    }

    /// An auxiliary: some value, the same wherever it occurs in one block.
    pub fn any(&self, name: &str, sort: Sort) -> E<'t> {
        self.wrap(self.terms.fresh_aux(name, sort))
    }

    /// An expression of a term.
    pub fn wrap(&self, term: Term) -> E<'t> {
        E {
            terms: self.terms,
            term,
        }
    }

    /// The conjunction.
    pub fn all(&self, parts: impl IntoIterator<Item = E<'t>>) -> E<'t> {
        self.wrap(self.terms.and(parts.into_iter().map(|e| e.term)))
    }

    /// The disjunction.
    pub fn some(&self, parts: impl IntoIterator<Item = E<'t>>) -> E<'t> {
        self.wrap(self.terms.or(parts.into_iter().map(|e| e.term)))
    }

    /// The statements as one transition.
    pub fn transition(&self, statements: &[Stmt<'t>]) -> Transition {
        let terms = self.terms;
        let (mut values, mut formulas) = (Values::new(), Vec::new());
        self.execute(statements, &mut values, &mut formulas);
        let mut renaming = std::collections::HashMap::new();
        let mut changed = std::collections::BTreeSet::new();
        for (name, sort) in &self.graph.variables {
            let variable = terms.current(name.clone(), sort.clone());
            let Some(&value) = values.get(&variable).filter(|value| **value != variable) else {
                continue;
            };
            let next = terms.next(name.clone(), sort.clone());
            changed.insert(name.clone());
            let auxiliary = terms
                .as_var(value)
                .is_some_and(|var| matches!(var.version, Version::Aux(_)));
            if auxiliary && !renaming.contains_key(&value) {
                renaming.insert(value, next);
            } else {
                formulas.push(terms.eq(next, value));
            }
        }
        let formula = terms.substitute(terms.and(formulas), &renaming);
        Transition { formula, changed }
    }

    fn execute(&self, statements: &[Stmt<'t>], values: &mut Values, formulas: &mut Vec<Term>) {
        let terms = self.terms;
        let now =
            |values: &Values, e: E<'t>| terms.rewrite(e.term, |term| values.get(&term).copied());
        for statement in statements {
            match statement {
                Stmt::Assume(condition) => formulas.push(now(values, *condition)),
                Stmt::Assign(variable, value) => {
                    let value = now(values, *value);
                    values.insert(variable.term, value);
                }
                Stmt::Havoc(variable) => {
                    values.insert(variable.term, self.auxiliary(variable.term));
                }
                Stmt::Choice(branches) => {
                    let mut ends: Vec<(Values, Vec<Term>)> = Vec::new();
                    for branch in branches {
                        let (mut values, mut formulas) = (values.clone(), Vec::new());
                        self.execute(branch, &mut values, &mut formulas);
                        ends.push((values, formulas));
                    }
                    for (name, sort) in &self.graph.variables {
                        let variable = terms.current(name.clone(), sort.clone());
                        let of = |values: &Values| *values.get(&variable).unwrap_or(&variable);
                        let first = ends.first().map_or(variable, |(values, _)| of(values));
                        if ends.iter().all(|(values, _)| of(values) == first) {
                            values.insert(variable, first);
                            continue;
                        }
                        let joined = self.auxiliary(variable);
                        for (values, formulas) in &mut ends {
                            formulas.push(terms.eq(joined, of(values)));
                        }
                        values.insert(variable, joined);
                    }
                    let branches = ends.into_iter().map(|(_, formulas)| terms.and(formulas));
                    formulas.push(terms.or(branches));
                }
            }
        }
    }

    /// A fresh auxiliary with the name and sort of a variable.
    fn auxiliary(&self, variable: Term) -> Term {
        let name = self
            .terms
            .as_var(variable)
            .map_or("aux".into(), |var| var.name.clone());
        self.terms
            .fresh_aux(name, self.terms.sort(variable).clone())
    }
}
