//! From bit-vectors to bounded integers.
//!
//! Every bit-vector variable becomes an integer variable, with its bounds as facts about it. A
//! bit-vector term becomes an integer that is *congruent* to it modulo `2^width`; only where the
//! exact value matters (comparisons, divisions, wider contexts) is it brought into the range of
//! the width, by a case split over how often it may have wrapped. Known bounds decide most of
//! these splits.
//!
//! What has no linear meaning (products, bitwise operators on two variables) becomes an *opaque*
//! integer, about which some bounds are known. So the translation has at least the models of the
//! original, and what it refutes is refuted.

mod ranges;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use indexmap::IndexMap;
use num_bigint::{BigInt, BigUint};
use num_integer::Integer;
use num_traits::Zero;

use super::classes::{Classes, Signs};
use super::context::Context;
use super::flags::find_flags;
use super::linear::{Linear, Range, power};
use ult_core::formula::{Function, MapSort, Op, Sort, Term, Terms, Version};

/// More ways to wrap than this are written with `mod`.
const MOST_CASES: i64 = 4;

/// How often a conjunction is translated anew with the bounds learnt from it.
const MOST_ROUNDS: u32 = 5;

/// How deep disjunctions are translated branch by branch, each with the bounds of its own guards.
const BRANCH_DEPTH: u32 = 4;

/// The largest disjunction that is translated branch by branch, in nodes.
const BRANCH_SIZE: usize = 5_000;

/// The translation of the formulas of one chain.
pub(super) struct ToIntegers<'t> {
    pub(super) terms: &'t Terms,
    /// Which variables are read as signed numbers.
    pub(super) signs: Signs,
    /// What is no number but a collection of flags.
    pub(super) flags: Classes,
    /// From integer (and other new) variables to the bit-vector terms that they stand for.
    pub(super) leaves: IndexMap<Term, Leaf>,
    by_original: HashMap<Term, Term>,
    /// The bounds of integers that are no variables: elements of maps, values of functions.
    elements: HashMap<Term, Range>,
    functions: HashMap<Arc<Function>, Arc<Function>>,
    /// From new rigid symbols to the original ones.
    pub(super) function_back: HashMap<Arc<Function>, Arc<Function>>,
    /// The variables of the chain, whose names are taken.
    taken: HashSet<Term>,
    /// Opaque variables about which nothing was stated yet.
    pending: Vec<Term>,
}

/// What a new variable stands for.
#[derive(Clone, Debug)]
pub(super) struct Leaf {
    /// The term of the original chain.
    pub(super) original: Term,
    /// The values, for integers.
    pub(super) range: Range,
    /// What else is known.
    pub(super) facts: Vec<Term>,
    /// Whether it stands for something that was not understood, not for a variable.
    pub(super) opaque: bool,
}

/// A translated term.
#[derive(Clone, Debug)]
pub(super) enum Value {
    /// Of any sort but bit-vectors.
    Plain(Term),
    /// Congruent to the bit-vector.
    Bits(Linear),
    /// The bits one by one, the lowest first.
    Flags(Vec<Term>),
}

impl<'t> ToIntegers<'t> {
    /// A translation of the given formulas.
    pub(super) fn new(terms: &'t Terms, formulas: &[Term]) -> ToIntegers<'t> {
        ToIntegers {
            terms,
            signs: Signs::find(terms, formulas),
            flags: find_flags(terms, formulas),
            leaves: IndexMap::new(),
            by_original: HashMap::new(),
            elements: HashMap::new(),
            functions: HashMap::new(),
            function_back: HashMap::new(),
            taken: terms.free_vars(formulas).into_iter().collect(),
            pending: Vec::new(),
        }
    }

    /// A formula with the bounds and other facts about all that occurs in it.
    pub(super) fn step(&mut self, formula: Term) -> Term {
        let plain = self.formula(formula, &Context::default(), 0);
        // Facts hold everywhere, so nothing that is known at some place may be used.
        let mut anywhere = Context::default();
        while let Some(variable) = self.pending.pop() {
            let facts = self.describe(self.leaves[&variable].original, &mut anywhere);
            if let Some(leaf) = self.leaves.get_mut(&variable) {
                leaf.facts = facts;
            }
        }
        self.with_facts(plain)
    }

    /// The formula in a context of known bounds; conjuncts add to them.
    pub(super) fn formula(&mut self, formula: Term, outer: &Context, depth: u32) -> Term {
        let terms = self.terms;
        let conjuncts = terms.conjuncts(formula);
        let (branching, plain): (Vec<Term>, Vec<Term>) = conjuncts.into_iter().partition(|&part| {
            depth < BRANCH_DEPTH && *terms.op(part) == Op::Or && terms.size(part) <= BRANCH_SIZE
        });
        // Bounds are learnt from conjuncts in their final form only: a conjunct that were
        // simplified by what it says itself would be lost.
        let mut context = outer.without_memo();
        let mut open = plain;
        let mut translated = Vec::new();
        for round in 0..MOST_ROUNDS {
            let mut found = Vec::new();
            let mut rest = Vec::new();
            for part in open {
                let new = self.boolean(part, &mut context);
                if self.is_simple(new) || round + 1 == MOST_ROUNDS {
                    found.push(new);
                } else {
                    rest.push((part, new));
                }
            }
            let mut better = context.without_memo();
            let changed = self.learn(&mut better, &found);
            translated.extend(found);
            if !changed {
                translated.extend(rest.into_iter().map(|(_, new)| new));
                break;
            }
            open = rest.into_iter().map(|(part, _)| part).collect();
            context = better;
        }
        let inside = terms.and(translated.iter().copied());
        translated.extend(self.element_facts(inside));
        for part in branching {
            let branches: Vec<Term> = terms
                .disjuncts(part)
                .into_iter()
                .map(|branch| self.formula(branch, &context, depth + 1))
                .collect();
            translated.push(terms.or(branches));
        }
        terms.and(translated)
    }

    /// The bounds of map elements and function values in a formula. They are stated where the
    /// elements occur, since their indices may be what they seem only under the guards there.
    fn element_facts(&self, formula: Term) -> Vec<Term> {
        let order = self.terms.post_order(&[formula]);
        let elements = order
            .into_iter()
            .filter_map(|term| Some((term, self.elements.get(&term)?)));
        elements
            .flat_map(|(term, range)| self.bounds(term, range))
            .collect()
    }

    /// The formula, and the bounds and other facts about the variables in it.
    fn with_facts(&self, formula: Term) -> Term {
        let terms = self.terms;
        let mut facts = indexmap::IndexSet::new();
        let mut seen: HashSet<Term> = HashSet::new();
        let mut open = vec![formula];
        while let Some(next) = open.pop() {
            for term in terms.post_order(&[next]) {
                if !seen.insert(term) {
                    continue;
                }
                if let Some(leaf) = self.leaves.get(&term) {
                    facts.extend(self.bounds(term, &leaf.range));
                    for &fact in &leaf.facts {
                        facts.insert(fact);
                        facts.extend(self.element_facts(fact));
                        open.push(fact);
                    }
                }
            }
        }
        terms.and([formula].into_iter().chain(facts))
    }

    // --- ranges -------------------------------------------------------------------------------

    // --- exact values -------------------------------------------------------------------------

    /// The value of a bit-vector as a number of its width, unsigned or signed.
    pub(super) fn exact(
        &self,
        bits: &Linear,
        width: u32,
        signed: bool,
        context: &mut Context,
    ) -> Term {
        let terms = self.terms;
        let modulus = power(width);
        let lowest = if signed && width > 0 {
            -power(width - 1)
        } else {
            BigInt::zero()
        };
        let sum = bits.clone().centred(width);
        let range = self.linear_range(&sum, context);
        let plain = sum.term(terms);
        let cases = range.both().map(|(low, high)| {
            (
                (low - &lowest).div_floor(&modulus),
                (high - &lowest).div_floor(&modulus),
            )
        });
        let shifted = |by: &BigInt| terms.add(&[plain, terms.int(-(by * &modulus))]);
        match cases {
            Some((first, last)) if &last - &first < BigInt::from(MOST_CASES) => {
                let mut wraps = last.clone();
                let mut result = shifted(&last);
                while wraps > first {
                    // Below this there are fewer wraps.
                    let border = &wraps * &modulus + &lowest;
                    wraps -= 1;
                    let fewer = terms.lt(plain, terms.int(border));
                    result = terms.ite(fewer, shifted(&wraps), result);
                }
                if *terms.op(result) == Op::Ite {
                    // More than the form of the term tells.
                    context.note(result, Range::of_bits(width, signed));
                }
                result
            }
            _ => {
                let from_lowest = terms.add(&[plain, terms.int(-&lowest)]);
                let rest = terms.modulo(from_lowest, terms.int(modulus));
                terms.add(&[rest, terms.int(lowest)])
            }
        }
    }

    /// Whether two bit-vectors are equal.
    pub(super) fn equal(&self, a: &Linear, b: &Linear, width: u32, context: &mut Context) -> Term {
        let terms = self.terms;
        let modulus = power(width);
        let difference = a.minus(b).centred(width);
        let constant = difference.constant.clone();
        let range = self.linear_range(&difference, context);
        let plain = difference.without_constant().term(terms);
        if let Some((low, high)) = range.both() {
            let first = low.div_ceil(&modulus);
            let last = high.div_floor(&modulus);
            if &last - &first < BigInt::from(MOST_CASES) {
                let mut cases = Vec::new();
                let mut wraps = first;
                while wraps <= last {
                    cases.push(terms.eq(plain, terms.int(&wraps * &modulus - &constant)));
                    wraps += 1;
                }
                return terms.or(cases);
            }
        }
        terms.eq(
            terms.modulo(difference.term(terms), terms.int(modulus)),
            terms.int(0),
        )
    }

    // --- terms --------------------------------------------------------------------------------

    /// A formula, without looking at what its conjuncts say about each other.
    fn boolean(&mut self, formula: Term, context: &mut Context) -> Term {
        match self.value(formula, context) {
            Value::Plain(term) => term,
            Value::Bits(_) | Value::Flags(_) => self.terms.tt(),
        }
    }

    /// Any term.
    pub(super) fn value(&mut self, root: Term, context: &mut Context) -> Value {
        let terms = self.terms;
        let mut stack = vec![(root, false)];
        while let Some((term, ready)) = stack.pop() {
            if context.values.contains_key(&term) {
                continue;
            }
            let args = terms.args(term);
            if !ready && !args.is_empty() && !matches!(terms.op(term), Op::Bind(_)) {
                stack.push((term, true));
                stack.extend(args.iter().rev().map(|&t| (t, false)));
                continue;
            }
            let value = self.node(term, context);
            context.values.insert(term, value);
        }
        context.values[&root].clone()
    }

    fn node(&mut self, term: Term, context: &mut Context) -> Value {
        let terms = self.terms;
        let node = terms.node(term);
        let width = match node.sort {
            Sort::BitVec(width) => Some(width),
            _ => None,
        };
        match &node.op {
            Op::BitVec(value) => Value::Bits(Linear::constant(value.clone())),
            Op::Bool(_) | Op::Int(_) | Op::Real(_) => Value::Plain(term),
            Op::Var(var) => match self.sort(&node.sort) {
                None => Value::Plain(term),
                Some(_) if self.has_flags(term) => self.flag_variable(term),
                Some(sort) => self.leaf(term, &var.name, var.version, sort),
            },
            Op::Bind(_) => {
                let inside = terms.post_order(&[term]);
                if inside.iter().all(|&t| self.sort(terms.sort(t)).is_none()) {
                    Value::Plain(term)
                } else {
                    self.opaque(term)
                }
            }
            Op::Builtin(builtin) => {
                let name = &*builtin.name;
                match (name, &*node.args) {
                    ("bv2int" | "bv2nat" | "ubv_to_int", &[a]) => {
                        Value::Plain(self.exact_of(a, context))
                    }
                    ("sbv_to_int", &[a]) => {
                        let (bits, width) = self.bits_of(a, context);
                        Value::Plain(self.exact(&bits, width, true, context))
                    }
                    ("int2bv" | "nat2bv" | "int_to_bv", &[a]) => {
                        Value::Bits(Linear::of(terms, self.exact_of(a, context)))
                    }
                    _ if node
                        .args
                        .iter()
                        .chain([&term])
                        .all(|&t| self.sort(terms.sort(t)).is_none()) =>
                    {
                        self.same(term, context)
                    }
                    _ => self.opaque(term),
                }
            }
            Op::Apply(function) => {
                let args: Vec<Term> = node
                    .args
                    .iter()
                    .map(|&a| self.exact_of(a, context))
                    .collect();
                let function = self.function(function);
                let applied = terms.apply(&function, &args);
                self.element(applied, width)
            }
            Op::Select => {
                let args: Vec<Term> = node
                    .args
                    .iter()
                    .map(|&a| self.exact_of(a, context))
                    .collect();
                let selected = terms.select(args[0], &args[1..]);
                self.element(selected, width)
            }
            Op::ConstMap => {
                let element = self.exact_of(node.args[0], context);
                let sort = self.sort(&node.sort).unwrap_or_else(|| node.sort.clone());
                Value::Plain(terms.const_map(sort, element))
            }
            Op::Eq
            | Op::Ite
            | Op::Bv(_)
            | Op::Extract { .. }
            | Op::ZeroExtend(_)
            | Op::SignExtend(_)
                if let Some(value) = self.flag_operator(term, context) =>
            {
                value
            }
            Op::Ite => match width {
                None => self.same(term, context),
                Some(width) => {
                    let condition = self.exact_of(node.args[0], context);
                    let (a, _) = self.bits_of(node.args[1], context);
                    let (b, _) = self.bits_of(node.args[2], context);
                    Value::Bits(self.choice(condition, &a, &b, width, context))
                }
            },
            Op::Eq => match terms.sort(node.args[0]) {
                Sort::BitVec(width) => {
                    let (a, _) = self.bits_of(node.args[0], context);
                    let (b, _) = self.bits_of(node.args[1], context);
                    Value::Plain(self.equal(&a, &b, *width, context))
                }
                _ => self.same(term, context),
            },
            Op::Bv(_) | Op::Extract { .. } | Op::ZeroExtend(_) | Op::SignExtend(_) => {
                self.operator(term, context)
            }
            _ => self.same(term, context),
        }
    }

    /// If-then-else on bit-vectors. The branches need not be exact, but must not drift away.
    pub(super) fn choice(
        &mut self,
        condition: Term,
        a: &Linear,
        b: &Linear,
        width: u32,
        context: &mut Context,
    ) -> Linear {
        let terms = self.terms;
        let near = |this: &Self, bits: &Linear, context: &mut Context| {
            let sum = bits.clone().centred(width);
            let far = power(width + 2);
            match this.linear_range(&sum, context).both() {
                Some((low, high)) if -&far <= *low && *high <= far => sum.term(terms),
                _ => this.exact(bits, width, false, context),
            }
        };
        let a = near(self, a, context);
        let b = near(self, b, context);
        Linear::of(terms, terms.ite(condition, a, b))
    }

    /// The same operator on translated arguments.
    fn same(&mut self, term: Term, context: &mut Context) -> Value {
        let node = self.terms.node(term);
        let args: Vec<Term> = node
            .args
            .iter()
            .map(|&a| self.exact_of(a, context))
            .collect();
        if *args == *node.args {
            return Value::Plain(term);
        }
        Value::Plain(self.terms.rebuild(node, &args))
    }

    /// The translation of an argument, already made; for bit-vectors the unsigned number.
    pub(super) fn exact_of(&mut self, term: Term, context: &mut Context) -> Term {
        match self.value(term, context) {
            Value::Plain(term) => term,
            Value::Bits(bits) => {
                let width = self.width(term);
                self.exact(&bits, width, false, context)
            }
            Value::Flags(flags) => self.number_of(&flags).term(self.terms),
        }
    }

    /// The translation of a bit-vector argument, already made, and its width.
    pub(super) fn bits_of(&mut self, term: Term, context: &mut Context) -> (Linear, u32) {
        let width = self.width(term);
        match self.value(term, context) {
            Value::Bits(bits) => (bits, width),
            Value::Flags(flags) => (self.number_of(&flags), width),
            Value::Plain(term) => (Linear::of(self.terms, term), width),
        }
    }

    pub(super) fn width(&self, term: Term) -> u32 {
        match self.terms.sort(term) {
            Sort::BitVec(width) => *width,
            _ => 0,
        }
    }

    /// An element of a map or a value of a function; bounded, if it was a bit-vector.
    fn element(&mut self, term: Term, width: Option<u32>) -> Value {
        let Some(width) = width else {
            return Value::Plain(term);
        };
        if matches!(self.terms.op(term), Op::Select | Op::Apply(_)) {
            self.elements
                .entry(term)
                .or_insert_with(|| Range::of_bits(width, false));
        }
        Value::Bits(Linear::of(self.terms, term))
    }

    // --- symbols ------------------------------------------------------------------------------

    /// The sort with integers for bit-vectors; `None` if it stays as it is.
    pub(super) fn sort(&self, sort: &Sort) -> Option<Sort> {
        match sort {
            Sort::BitVec(_) => Some(Sort::Int),
            Sort::Map(map) => stacker::maybe_grow(64 * 1024, 1024 * 1024, || {
                let same = map.domain.iter().chain([&map.range]);
                if same.into_iter().all(|sort| self.sort(sort).is_none()) {
                    return None;
                }
                let new = |sort: &Sort| self.sort(sort).unwrap_or_else(|| sort.clone());
                Some(Sort::Map(Arc::new(MapSort {
                    domain: map.domain.iter().map(new).collect(),
                    range: new(&map.range),
                })))
            }),
            _ => None,
        }
    }

    fn function(&mut self, function: &Arc<Function>) -> Arc<Function> {
        if let Some(known) = self.functions.get(function) {
            return known.clone();
        }
        let new = |sort: &Sort| self.sort(sort).unwrap_or_else(|| sort.clone());
        let translated = Arc::new(Function {
            name: function.name.clone(),
            params: function.params.iter().map(new).collect(),
            result: new(&function.result),
        });
        self.functions.insert(function.clone(), translated.clone());
        self.function_back
            .insert(translated.clone(), function.clone());
        translated
    }

    /// Whether the bit-vector behind a new variable is read as a signed number.
    pub(super) fn reading(&self, leaf: Term) -> bool {
        let range = self.leaves.get(&leaf).map(|leaf| &leaf.range);
        let low = range.and_then(|range| range.low.as_ref());
        low.is_some_and(|low| *low < BigInt::zero())
    }

    /// Whether a sort may be the translation of one with bit-vectors.
    pub(super) fn is_new_sort(&self, sort: &Sort) -> bool {
        let mut open = vec![sort];
        while let Some(sort) = open.pop() {
            match sort {
                Sort::Int => return true,
                Sort::Map(map) => open.extend(map.domain.iter().chain([&map.range])),
                _ => {}
            }
        }
        false
    }

    /// The value of a variable or opaque term of the original chain.
    fn leaf(&mut self, original: Term, name: &str, version: Version, sort: Sort) -> Value {
        let leaf = self.new_leaf(original, name.to_string(), version, sort);
        match self.terms.sort(original) {
            Sort::BitVec(_) => Value::Bits(Linear::of(self.terms, leaf)),
            _ => Value::Plain(leaf),
        }
    }

    /// The variable that stands for a term of the original chain.
    pub(super) fn new_leaf(
        &mut self,
        original: Term,
        mut name: String,
        version: Version,
        sort: Sort,
    ) -> Term {
        if let Some(&leaf) = self.by_original.get(&original) {
            return leaf;
        }
        let terms = self.terms;
        let range = match (terms.sort(original), &sort) {
            (Sort::BitVec(width), Sort::Int) => {
                let variable = terms.as_var(original).is_some();
                Range::of_bits(*width, variable && self.signs.is_signed(original))
            }
            _ => Range::default(),
        };
        let mut leaf = terms.var(name.as_str(), version, sort.clone());
        while self.taken.contains(&leaf) || self.leaves.contains_key(&leaf) {
            name.push('\'');
            leaf = terms.var(name.as_str(), version, sort.clone());
        }
        let opaque = matches!(version, Version::Aux(_));
        self.by_original.insert(original, leaf);
        if opaque {
            self.pending.push(leaf);
        }
        self.leaves.insert(
            leaf,
            Leaf {
                original,
                range,
                facts: Vec::new(),
                opaque,
            },
        );
        leaf
    }

    /// A term about which nothing is known but its sort.
    pub(super) fn opaque(&mut self, original: Term) -> Value {
        let sort = self.terms.sort(original);
        let sort = self.sort(sort).unwrap_or_else(|| sort.clone());
        let version = Version::Aux(match self.by_original.contains_key(&original) {
            true => 0,
            false => self.terms.fresh_number(),
        });
        self.leaf(original, "opaque", version, sort)
    }

    /// An opaque bit-vector as a variable.
    pub(super) fn opaque_variable(&mut self, original: Term) -> Term {
        match self.opaque(original) {
            Value::Plain(term) => term,
            Value::Bits(bits) => bits.term(self.terms),
            Value::Flags(flags) => self.number_of(&flags).term(self.terms),
        }
    }

    // --- bounds from conjuncts ----------------------------------------------------------------
}

/// A natural number as an integer.
pub(super) fn natural(value: &BigUint) -> BigInt {
    BigInt::from(value.clone())
}
