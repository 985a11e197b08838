//! Steps by algebra: that an equality between polynomials holds after a step because others held
//! before, as a linear combination.
//!
//! The formula of an edge is taken apart into cases. In each, what the step defines is substituted,
//! and the equality after it has to be a sum of multiples of equalities: those before the step, those
//! that the case assumes, and `x == k * (x div k) + x mod k`. (Müller-Olm, Seidl: "Computing polynomial
//! program invariants", IPL 2004.) All else is an unknown with a value of its own. It is computed
//! modulo a prime: what is found is a claim.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use num_bigint::BigInt;
use num_integer::Integer as _;
use num_traits::{ToPrimitive as _, Zero as _};

use super::ideal::{PRIME, inverse, times};
use ult_core::formula::{Op, Sort, Term, Terms, Version};

/// More cases of one edge than these are not looked at.
const MOST_CASES: usize = 200;

/// Larger products than these are not looked at.
const HIGHEST_DEGREE: usize = 6;

/// More multiples of equalities than these are not tried.
const MOST_MULTIPLES: usize = 3000;

/// A product of unknowns, sorted, as often as they occur; ordered by degree first.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Product {
    degree: usize,
    unknowns: Vec<Term>,
}

impl Product {
    fn times(&self, other: &Product) -> Product {
        let mut unknowns = [&self.unknowns[..], &other.unknowns].concat();
        unknowns.sort_unstable();
        let degree = unknowns.len();
        Product { degree, unknowns }
    }
}

/// A polynomial: factors modulo the prime, none of them zero.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Polynomial(BTreeMap<Product, u64>);

impl Polynomial {
    fn constant(value: &BigInt) -> Polynomial {
        let residue = value.mod_floor(&BigInt::from(PRIME)).to_u64().unwrap_or(0);
        let mut constant = Polynomial::default();
        constant.add(Product::default(), residue);
        constant
    }

    fn unknown(term: Term) -> Polynomial {
        let product = Product {
            degree: 1,
            unknowns: vec![term],
        };
        Polynomial(BTreeMap::from([(product, 1)]))
    }

    fn add(&mut self, product: Product, factor: u64) {
        let sum = (self.0.get(&product).copied().unwrap_or(0) + factor) % PRIME;
        match sum {
            0 => self.0.remove(&product),
            sum => self.0.insert(product, sum),
        };
    }

    /// Adds a multiple of another one.
    fn add_all(&mut self, other: &Polynomial, by: &Product, factor: u64) {
        for (product, own) in &other.0 {
            self.add(product.times(by), times(*own, factor));
        }
    }

    fn multiplied(&self, other: &Polynomial) -> Option<Polynomial> {
        let mut all = Polynomial::default();
        for (product, factor) in &self.0 {
            all.add_all(other, product, *factor);
        }
        (all.degree() <= HIGHEST_DEGREE).then_some(all)
    }

    fn degree(&self) -> usize {
        self.0.last_key_value().map_or(0, |(last, _)| last.degree)
    }

    fn unknowns(&self) -> impl Iterator<Item = Term> {
        self.0.keys().flat_map(|product| product.unknowns.clone())
    }
}

/// An integer term as a polynomial over what is no sum or product.
fn polynomial(terms: &Terms, term: Term) -> Option<Polynomial> {
    let mut done: HashMap<Term, Polynomial> = HashMap::new();
    for part in terms.post_order(&[term]) {
        let args = terms.args(part);
        let is_int = *terms.sort(part) == Sort::Int;
        let polynomial = match terms.op(part) {
            Op::Int(value) => Polynomial::constant(value),
            Op::Add if is_int => {
                let mut sum = Polynomial::default();
                for arg in args {
                    sum.add_all(done.get(arg)?, &Product::default(), 1);
                }
                sum
            }
            Op::Mul if is_int => {
                let mut product = Polynomial::constant(&BigInt::from(1));
                for arg in args {
                    product = product.multiplied(done.get(arg)?)?;
                }
                product
            }
            _ => Polynomial::unknown(part),
        };
        done.insert(part, polynomial);
    }
    done.remove(&term)
}

/// The difference of the sides of an equality of integers.
fn difference(terms: &Terms, equality: Term) -> Option<Polynomial> {
    match (terms.op(equality), terms.args(equality)) {
        (Op::Eq, &[left, right]) if *terms.sort(left) == Sort::Int => {
            polynomial(terms, terms.sub(left, right))
        }
        _ => None,
    }
}

/// One way in which an edge may be taken.
#[derive(Clone, Debug, Default)]
pub(super) struct Case {
    /// What holds then: of the state before, the state after, and the auxiliaries.
    pub literals: Vec<Term>,
    /// What is defined by the others: no value speaks of anything defined.
    definitions: Vec<(Term, Term)>,
}

/// The cases of an edge; `None` if there are too many.
pub(super) fn cases_of(terms: &Terms, formula: Term) -> Option<Vec<Case>> {
    let mut found = Vec::new();
    // What is left to be taken apart, and what was.
    let mut waiting: Vec<(Vec<Term>, Vec<Term>)> = vec![(vec![formula], Vec::new())];
    while let Some((mut open, mut literals)) = waiting.pop() {
        if found.len() + waiting.len() > MOST_CASES {
            return None;
        }
        let Some(next) = open.pop() else {
            let undecided = literals.iter().find_map(|&literal| choice(terms, literal));
            match undecided {
                None => found.push(defined(terms, literals)),
                Some((ite, condition)) => {
                    let args = terms.args(ite);
                    for (holds, branch) in [(condition, args[1]), (terms.not(condition), args[2])] {
                        if literals.contains(&terms.not(holds)) {
                            continue;
                        }
                        let map = HashMap::from([(ite, branch)]);
                        let mut open: Vec<Term> = (literals.iter())
                            .map(|&literal| terms.substitute(literal, &map))
                            .collect();
                        open.push(holds);
                        waiting.push((open, Vec::new()));
                    }
                }
            }
            continue;
        };
        let not = |term: Term| terms.not(term);
        let args = terms.args(next);
        match terms.op(next) {
            Op::Bool(true) => waiting.push((open, literals)),
            Op::Bool(false) => {}
            Op::And => {
                open.extend(args);
                waiting.push((open, literals));
            }
            Op::Or => {
                for &arg in args {
                    waiting.push(([&open[..], &[arg]].concat(), literals.clone()));
                }
            }
            Op::Not => match terms.op(args[0]) {
                Op::And => {
                    for &arg in terms.args(args[0]) {
                        waiting.push(([&open[..], &[not(arg)]].concat(), literals.clone()));
                    }
                }
                Op::Or => {
                    open.extend(terms.args(args[0]).iter().map(|&arg| not(arg)));
                    waiting.push((open, literals));
                }
                _ if literals.contains(&args[0]) => {}
                _ => {
                    literals.push(next);
                    waiting.push((open, literals));
                }
            },
            _ if literals.contains(&not(next)) => {}
            _ => {
                literals.push(next);
                waiting.push((open, literals));
            }
        }
    }
    Some(found)
}

/// A choice between two values in a literal, with its condition.
fn choice(terms: &Terms, literal: Term) -> Option<(Term, Term)> {
    let parts = terms.post_order(&[literal]).into_iter();
    let mut choices = parts.filter(|&part| *terms.op(part) == Op::Ite);
    choices.next().map(|ite| (ite, terms.args(ite)[0]))
}

/// A case with what its equations define: values after the step, and auxiliaries.
fn defined(terms: &Terms, literals: Vec<Term>) -> Case {
    let mut case = Case {
        literals,
        definitions: Vec::new(),
    };
    loop {
        let known = case.substitution();
        let definition = case.literals.iter().find_map(|&literal| {
            let literal = terms.substitute(literal, &known);
            let &[left, right] = terms.args(literal) else {
                return None;
            };
            let defines = |variable: Term, value: Term| {
                let is_open = terms
                    .as_var(variable)
                    .is_some_and(|var| matches!(var.version, Version::Next | Version::Aux(_)));
                is_open && !terms.free_vars(&[value]).contains(&variable)
            };
            match terms.op(literal) {
                Op::Eq if defines(left, right) => Some((left, right)),
                Op::Eq if defines(right, left) => Some((right, left)),
                _ => None,
            }
        });
        let Some((variable, value)) = definition else {
            return case;
        };
        let map = HashMap::from([(variable, value)]);
        for (_, known) in &mut case.definitions {
            *known = terms.substitute(*known, &map);
        }
        case.definitions.push((variable, value));
    }
}

impl Case {
    fn substitution(&self) -> HashMap<Term, Term> {
        self.definitions.iter().copied().collect()
    }

    /// Whether the equality `after` follows from those before the step, by algebra.
    pub(super) fn follows(&self, terms: &Terms, before: &[Term], after: Term) -> bool {
        let definitions = self.substitution();
        let after = terms.substitute(after, &definitions);
        let Some(goal) = difference(terms, after) else {
            return after == terms.tt();
        };
        let own = self.literals.iter();
        let own = own.map(|&literal| terms.substitute(literal, &definitions));
        let own: Vec<Term> = own.collect();
        let mut known: Vec<Polynomial> = (before.iter().chain(&own))
            .filter_map(|&equality| difference(terms, equality))
            .collect();
        let all = [&own[..], before, &[after]].concat();
        known.extend(divisions(terms, &all));
        known.retain(|polynomial| !polynomial.0.is_empty());
        is_combination(&known, goal)
    }
}

/// `x - k * (x div k) - x mod k` for all divisions by constants.
fn divisions(terms: &Terms, formulas: &[Term]) -> Vec<Polynomial> {
    let mut pairs: BTreeSet<(Term, Term)> = BTreeSet::new();
    for part in terms.post_order(formulas) {
        if let (Op::Div | Op::Mod, &[number, by]) = (terms.op(part), terms.args(part))
            && matches!(terms.op(by), Op::Int(value) if !value.is_zero())
        {
            pairs.insert((number, by));
        }
    }
    let equation = |(number, by): (Term, Term)| {
        let whole = terms.mul(&[by, terms.div(number, by)]);
        let sum = terms.add(&[whole, terms.modulo(number, by)]);
        polynomial(terms, terms.sub(number, sum))
    };
    pairs.into_iter().filter_map(equation).collect()
}

/// Whether a polynomial is a sum of multiples of others, of no higher degree than its own.
fn is_combination(known: &[Polynomial], mut goal: Polynomial) -> bool {
    let unknowns: BTreeSet<Term> = (known.iter().chain([&goal]))
        .flat_map(Polynomial::unknowns)
        .collect();
    // By their leading products, each with the factor one there.
    let mut rows: BTreeMap<Product, Polynomial> = BTreeMap::new();
    let degree = goal.degree();
    let mut multiples = 0;
    let mut by: Vec<Product> = vec![Product::default()];
    for _ in 0..=degree {
        for product in &by {
            for polynomial in known {
                if product.degree + polynomial.degree() > degree.max(polynomial.degree()) {
                    continue;
                }
                multiples += 1;
                if multiples > MOST_MULTIPLES {
                    return false;
                }
                let mut row = Polynomial::default();
                row.add_all(polynomial, product, 1);
                reduce(&rows, &mut row);
                if let Some((leading, factor)) = row.0.last_key_value() {
                    let (leading, inverse) = (leading.clone(), inverse(*factor));
                    row.0.values_mut().for_each(|f| *f = times(*f, inverse));
                    rows.insert(leading, row);
                }
            }
        }
        let longer = |product: &Product| {
            let last = product.unknowns.last().copied();
            let from = unknowns
                .iter()
                .filter(move |&&u| last.is_none_or(|last| last <= u));
            from.map(|&unknown| Product {
                degree: product.degree + 1,
                unknowns: [&product.unknowns[..], &[unknown]].concat(),
            })
            .collect::<Vec<Product>>()
        };
        by = by.iter().flat_map(longer).collect();
    }
    reduce(&rows, &mut goal);
    goal.0.is_empty()
}

/// Subtracts multiples of the rows until no leading product of one occurs.
fn reduce(rows: &BTreeMap<Product, Polynomial>, polynomial: &mut Polynomial) {
    let mut bound: Option<Product> = None;
    loop {
        let next = match &bound {
            None => polynomial.0.iter().next_back(),
            Some(bound) => polynomial.0.range(..bound.clone()).next_back(),
        };
        let Some((product, &factor)) = next else {
            return;
        };
        let product = product.clone();
        if let Some(row) = rows.get(&product) {
            polynomial.add_all(row, &Product::default(), PRIME - factor);
        }
        bound = Some(product);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether an equality follows in each case.
    fn follows(t: &Terms, step: Term, before: &[Term], after: Term) -> Option<bool> {
        let cases = cases_of(t, step)?;
        Some(cases.iter().all(|case| case.follows(t, before, after)))
    }

    #[test]
    fn a_product_is_kept_by_each_branch() {
        let t = &Terms::new();
        let now = |name: &str| t.current(name, Sort::Int);
        let next = |name: &str| t.next(name, Sort::Int);
        let (a, b, q, x) = (now("a"), now("b"), now("q"), now("x"));
        let two = t.int(2);
        // q + a * b == x, where b is halved if it is even, else one less.
        let sum = |a, b, q| t.eq(t.add(&[q, t.mul(&[a, b])]), x);
        let rest = t.modulo(b, two);
        let even = t.and([
            t.eq(rest, t.int(0)),
            t.eq(next("a"), t.mul(&[two, a])),
            t.eq(next("b"), t.div(b, two)),
            t.eq(next("q"), q),
        ]);
        let odd = |less: i64| {
            t.and([
                t.not(t.eq(rest, t.int(0))),
                t.eq(next("a"), a),
                t.eq(next("b"), t.sub(b, t.int(less))),
                t.eq(next("q"), t.add(&[q, a])),
            ])
        };
        let after = sum(next("a"), next("b"), next("q"));
        let step = t.or2(even, odd(1));
        assert_eq!(follows(t, step, &[sum(a, b, q)], after), Some(true));
        assert_eq!(follows(t, step, &[], after), Some(false));
        let wrong = t.or2(even, odd(3));
        assert_eq!(follows(t, wrong, &[sum(a, b, q)], after), Some(false));
    }

    #[test]
    fn choices_within_values_are_cases() {
        let t = &Terms::new();
        let x = t.current("x", Sort::Int);
        let next = t.next("x", Sort::Int);
        let wrapped = t.ite(t.lt(x, t.int(0)), t.mul(&[t.int(-1), x]), x);
        let step = t.eq(next, wrapped);
        let square = |x| t.mul(&[x, x]);
        let after = t.eq(square(next), square(x));
        assert_eq!(follows(t, step, &[], after), Some(true));
        assert_eq!(follows(t, step, &[], t.eq(next, x)), Some(false));
    }
}
