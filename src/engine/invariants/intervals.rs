//! Intervals, with widening: bounds of variables, and of linear forms given as templates.
//!
//! The abstract domain of Cousot and Cousot (1976), and for templates that of Sankaranarayanan,
//! Sipma, Manna: "Scalable Analysis of Linear Systems Using Mathematical Programming" (VMCAI
//! 2005). A bound that was exceeded a few times jumps to the next number that the program
//! mentions, and beyond the last one away. [`narrowed`] takes back what was lost.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Zero};

use super::candidates::houdini;
use super::fixpoint::{Domain, described, inner_edges};
use super::{Lemmas, time_for_question};
use crate::blocks::Blocks;
use crate::budget::Budget;
use ult_core::formula::{BvOp, Op, Sort, Term, Terms, Value};
use ult_core::graph::ProgramGraph;
use ult_smt::Answer;

/// A bound is exceeded so often before it jumps.
const PATIENCE: u32 = 3;

/// More numbers of the program than this are no goals for jumps.
const MOST_NUMBERS: usize = 48;

/// So many questions find the best bound of a term over one edge.
const MOST_QUESTIONS: usize = 80;

/// A value as a number: truth values and bit-vectors, too.
pub fn number(value: &Value) -> Option<BigRational> {
    Some(BigRational::from_integer(match value {
        Value::Bool(value) => BigInt::from(*value),
        Value::Int(value) => value.clone(),
        Value::BitVec(value, _) => BigInt::from(value.clone()),
        Value::Real(value) => return Some(value.clone()),
        Value::Float(_)
        | Value::Rounding(_)
        | Value::Element(..)
        | Value::Map(_)
        | Value::Construct(_)
        | Value::Open => return None,
    }))
}

/// A number as a term of a sort, if it is a value of it.
pub fn constant(terms: &Terms, value: &BigRational, sort: &Sort) -> Option<Term> {
    match sort {
        Sort::Bool => Some(terms.bool(!value.is_zero())),
        Sort::Int | Sort::Real => terms.number(value.clone(), sort),
        Sort::BitVec(width) => {
            let bits = value.is_integer().then(|| value.to_integer().to_biguint());
            let bits = bits.flatten().filter(|b| b.bits() <= u64::from(*width));
            bits.map(|bits| terms.bitvec(bits, *width))
        }
        _ => None,
    }
}

/// Whether a sort has numbers for values; see [`number`].
pub fn is_scalar(sort: &Sort) -> bool {
    matches!(sort, Sort::Bool | Sort::Int | Sort::Real | Sort::BitVec(_))
}

/// The numbers that the formulas of a graph mention and their neighbours, in order.
pub fn numbers(terms: &Terms, graph: &ProgramGraph) -> Vec<BigRational> {
    let edges = graph.graph.edge_weights();
    let formulas: Vec<Term> = edges.map(|edge| edge.transition.formula).collect();
    let mut found: BTreeSet<BigRational> = BTreeSet::new();
    let one = BigRational::one();
    let mut mention = |number: BigRational| {
        if found.len() < MOST_NUMBERS {
            found.extend([&number - &one, &number + &one, number]);
        }
    };
    mention(BigRational::zero());
    for term in terms.post_order(&formulas) {
        match terms.op(term) {
            Op::Int(_) | Op::Real(_) => terms.as_number(term).into_iter().for_each(&mut mention),
            Op::BitVec(value) => mention(BigRational::from_integer(value.clone().into())),
            _ => {}
        }
    }
    found.into_iter().collect()
}

/// The values between two bounds.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Range {
    low: Option<BigRational>,
    high: Option<BigRational>,
    /// How often each bound was exceeded.
    exceeded: [u32; 2],
}

/// A range for each watched term.
#[derive(Clone, Debug)]
pub struct Ranges {
    watched: Rc<[(Term, Sort)]>,
    numbers: Rc<[BigRational]>,
    /// `None` before the first point.
    ranges: Option<Vec<Range>>,
}

impl Ranges {
    /// No point yet. The watched terms have scalar sorts.
    pub fn new(terms: &Terms, watched: &[Term], numbers: &[BigRational]) -> Ranges {
        Ranges {
            watched: watched
                .iter()
                .map(|&term| (term, terms.sort(term).clone()))
                .collect(),
            numbers: numbers.into(),
            ranges: None,
        }
    }
}

/// `bound <= term`; nothing if that holds anyway.
fn at_least(terms: &Terms, term: Term, sort: &Sort, bound: &BigRational) -> Option<Term> {
    let value = constant(terms, bound, sort)?;
    match sort {
        Sort::Bool => (!bound.is_zero()).then_some(term),
        Sort::Int | Sort::Real => Some(terms.le(value, term)),
        Sort::BitVec(_) => (!bound.is_zero()).then(|| terms.bv(BvOp::Ule, &[value, term])),
        _ => None,
    }
}

/// `term <= bound`; nothing if that holds anyway.
fn at_most(terms: &Terms, term: Term, sort: &Sort, bound: &BigRational) -> Option<Term> {
    let value = constant(terms, bound, sort)?;
    match sort {
        Sort::Bool => bound.is_zero().then(|| terms.not(term)),
        Sort::Int | Sort::Real => Some(terms.le(term, value)),
        Sort::BitVec(width) => {
            let most = (BigInt::one() << *width) - 1;
            let says_something = *bound < BigRational::from_integer(most);
            says_something.then(|| terms.bv(BvOp::Ule, &[term, value]))
        }
        _ => None,
    }
}

impl Range {
    fn formulas(&self, terms: &Terms, term: Term, sort: &Sort) -> Vec<Term> {
        if let (Some(low), Some(high)) = (&self.low, &self.high)
            && low == high
            && *sort != Sort::Bool
            && let Some(value) = constant(terms, low, sort)
        {
            return vec![terms.eq(term, value)];
        }
        let low = self.low.as_ref();
        let high = self.high.as_ref();
        low.and_then(|bound| at_least(terms, term, sort, bound))
            .into_iter()
            .chain(high.and_then(|bound| at_most(terms, term, sort, bound)))
            .collect()
    }

    fn add(&mut self, value: &BigRational, numbers: &[BigRational]) {
        if self.low.as_ref().is_some_and(|low| value < low) {
            self.exceeded[0] += 1;
            self.low = match self.exceeded[0] > PATIENCE {
                true => numbers.iter().rev().find(|n| *n <= value).cloned(),
                false => Some(value.clone()),
            };
        }
        if self.high.as_ref().is_some_and(|high| value > high) {
            self.exceeded[1] += 1;
            self.high = match self.exceeded[1] > PATIENCE {
                true => numbers.iter().find(|n| *n >= value).cloned(),
                false => Some(value.clone()),
            };
        }
    }
}

impl Domain for Ranges {
    fn watched_terms(&self) -> Vec<Term> {
        self.watched.iter().map(|&(term, _)| term).collect()
    }

    fn is_empty(&self) -> bool {
        self.ranges.is_none()
    }

    fn formulas(&self, terms: &Terms) -> Vec<Term> {
        let ranges = self.ranges.iter().flatten();
        self.watched
            .iter()
            .zip(ranges)
            .flat_map(|((term, sort), range)| range.formulas(terms, *term, sort))
            .collect()
    }

    fn add(&mut self, point: &[Value]) -> Option<()> {
        let point: Vec<BigRational> = point.iter().map(number).collect::<Option<_>>()?;
        match &mut self.ranges {
            None => {
                let alone = point.into_iter().map(|value| Range {
                    low: Some(value.clone()),
                    high: Some(value),
                    exceeded: [0; 2],
                });
                self.ranges = Some(alone.collect());
            }
            Some(ranges) => {
                for (range, value) in ranges.iter_mut().zip(&point) {
                    range.add(value, &self.numbers);
                }
            }
        }
        Some(())
    }
}

/// The invariants that these elements stand for, and for each integer term that lost a bound to
/// widening the best bound over the edges, as far as it is inductive.
pub fn narrowed(
    blocks: &mut Blocks<'_, '_>,
    known: &Lemmas,
    elements: &BTreeMap<ult_core::graph::LocationId, Ranges>,
    budget: Budget,
) -> Lemmas {
    let terms = blocks.session.terms();
    let graph = blocks.graph;
    let described = described(terms, elements);
    let mut all = known.clone();
    for (location, formulas) in &described {
        all.entry(*location).or_default().extend(formulas);
    }
    let edges = inner_edges(graph);
    let mut wider = Lemmas::new();
    for (&location, element) in elements {
        let ranges = element.ranges.iter().flatten();
        for ((term, sort), range) in element.watched.iter().zip(ranges) {
            if *sort != Sort::Int {
                continue;
            }
            for (side, bound) in [&range.low, &range.high].into_iter().enumerate() {
                if range.exceeded[side] <= PATIENCE && bound.is_some() {
                    continue;
                }
                let sign = if side == 0 { -1 } else { 1 };
                let mut best: Option<BigInt> = None;
                let mut is_bounded = true;
                for &(edge, source, target) in &edges {
                    if target != location {
                        continue;
                    }
                    if elements.get(&source).is_some_and(Domain::is_empty) {
                        continue;
                    }
                    let assumptions = all.get(&source).cloned().unwrap_or_default();
                    let after = blocks.after(edge, *term);
                    let form = terms.mul(&[terms.int(sign), after]);
                    match greatest(blocks, edge, &assumptions, form, best.take(), budget) {
                        Some(found) => best = found,
                        None => {
                            is_bounded = false;
                            break;
                        }
                    }
                }
                if let (true, Some(best)) = (is_bounded, best) {
                    let bound = BigRational::from_integer(best * sign);
                    let formula = match side {
                        0 => at_least(terms, *term, sort, &bound),
                        _ => at_most(terms, *term, sort, &bound),
                    };
                    wider.entry(location).or_default().extend(formula);
                }
            }
        }
    }
    if wider.is_empty() {
        return described;
    }
    let mut claimed = described.clone();
    for (location, formulas) in wider {
        claimed.entry(location).or_default().extend(formulas);
    }
    houdini(blocks, known, claimed, budget).unwrap_or(described)
}

/// The greatest value of an integer term after a step, or `least` if that is greater: `None` if
/// there is none, or none was found; `Some(None)` if the step is impossible.
fn greatest(
    blocks: &mut Blocks<'_, '_>,
    edge: ult_core::graph::EdgeId,
    assumptions: &[Term],
    form: Term,
    mut best: Option<BigInt>,
    budget: Budget,
) -> Option<Option<BigInt>> {
    let terms = blocks.session.terms();
    let solver = blocks.solver(edge)?;
    let mut step = BigInt::one();
    let mut growing = true;
    for _ in 0..MOST_QUESTIONS {
        let left = time_for_question(budget)?;
        let mut question = assumptions.to_vec();
        if let Some(best) = &best {
            question.push(terms.le(terms.int(best + &step), form));
        }
        match solver.check(&question, Some(left)) {
            Answer::Sat => {
                let Ok(Value::Int(value)) = solver.model().ok()?.value(form) else {
                    return None;
                };
                if best.replace(value).is_some() && growing {
                    step *= 4;
                }
            }
            Answer::Unsat if best.is_none() => return Some(None),
            Answer::Unsat if step.is_one() => return Some(best),
            Answer::Unsat => {
                growing = false;
                step = std::cmp::max(step / 2u32, BigInt::one());
            }
            Answer::Unknown(_) => return None,
        }
    }
    None
}
