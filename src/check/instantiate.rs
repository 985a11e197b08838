//! Values as terms, and formulas closed by the values of a run.
//!
//! What the evaluator has no rule for (quantifiers, lambdas, floating point) is shown with the
//! solver: every free symbol of the formula is replaced by its value in the run, and the negation
//! of what remains must be unsatisfiable.
//!
//! Uninterpreted sorts. A run claims a structure, and the truth of a quantified formula depends
//! on which elements there are. The structure meant is the smallest one: the universe of a sort
//! is the set of its elements that occur anywhere in the run, or one element if none does. The
//! elements become constants, pairwise distinct, and `forall x :: x == e1 || ... || x == en` is
//! assumed of them. One universe serves all formulas of the run. Formulas without quantifiers,
//! which are evaluated, do not depend on further elements: where the evaluator would need to know
//! them (maps with different defaults), it gives no value. Since a sort may be any set that is
//! not empty, the structure is an allowed one. Symbols without a value in the run are left free,
//! so that the formula must hold for all their meanings, hence for one.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use super::region::Copies;
use ult_core::formula::{BinderKind, Function, Op, Sort, Term, Terms, Value, Var, Version};
use ult_core::graph::evidence::{RigidMeaning, Run};

/// The structure of one run, as terms.
pub(super) struct Structure<'a> {
    terms: &'a Terms,
    rigid: &'a RigidMeaning,
    copies: Copies<'a>,
    universes: BTreeMap<Arc<str>, BTreeMap<u32, Term>>,
}

impl<'a> Structure<'a> {
    /// The structure of a run whose values have the right sorts.
    pub(super) fn of_run(terms: &'a Terms, run: &'a Run) -> Structure<'a> {
        let mut structure = Structure {
            terms,
            rigid: &run.rigid,
            copies: Copies::new(terms),
            universes: BTreeMap::new(),
        };
        // Values that are computed on the way have no elements but those of others.
        let said = run.steps.iter().flat_map(|step| step.values());
        for (_, value) in run.start.iter().chain(said) {
            structure.add_elements(value);
        }
        for value in run.steps.iter().flat_map(|step| step.aux().values()) {
            structure.add_elements(value);
        }
        for table in run.rigid.functions.values() {
            structure.add_elements(&table.default);
            for (arguments, value) in &table.entries {
                structure.add_elements(value);
                arguments.iter().for_each(|a| structure.add_elements(a));
            }
        }
        structure
    }

    fn add_elements(&mut self, value: &Value) {
        match value {
            Value::Element(sort, number) => {
                self.element(sort, *number);
            }
            Value::Map(map) => {
                self.add_elements(&map.default);
                for (index, value) in &map.entries {
                    self.add_elements(value);
                    index.iter().for_each(|i| self.add_elements(i));
                }
            }
            Value::Construct(value) => value.fields.iter().for_each(|v| self.add_elements(v)),
            Value::Bool(_)
            | Value::Int(_)
            | Value::Real(_)
            | Value::BitVec(..)
            | Value::Float(_)
            | Value::Rounding(_)
            | Value::Open => {}
        }
    }

    fn element(&mut self, sort: &Arc<str>, number: u32) -> Term {
        let universe = self.universes.entry(sort.clone()).or_default();
        *universe.entry(number).or_insert_with(|| {
            self.copies.fresh(
                &format!("{sort}!{number}"),
                &Sort::Uninterpreted(sort.clone()),
            )
        })
    }

    /// A value of the given sort as a term; `None` if it does not belong to it.
    fn value(&mut self, value: &Value, sort: &Sort) -> Option<Term> {
        let terms = self.terms;
        Some(match (value, sort) {
            (Value::Bool(value), Sort::Bool) => terms.bool(*value),
            (Value::Int(value), Sort::Int) => terms.int(value.clone()),
            (Value::Real(value), Sort::Real) => terms.real(value.clone()),
            (Value::BitVec(value, width), Sort::BitVec(_)) => terms.bitvec(value.clone(), *width),
            (Value::Float(value), Sort::Float(..)) => terms.float(value),
            (Value::Rounding(mode), Sort::RoundingMode) => terms.rounding(*mode),
            (Value::Element(name, number), Sort::Uninterpreted(_)) => self.element(name, *number),
            (Value::Map(map), Sort::Map(map_sort)) => {
                let default = self.value(&map.default, &map_sort.range)?;
                let mut term = terms.const_map(sort.clone(), default);
                for (index, value) in &map.entries {
                    let index = self.values(index, &map_sort.domain)?;
                    let value = self.value(value, &map_sort.range)?;
                    term = terms.store(term, &index, value);
                }
                term
            }
            (Value::Construct(value), Sort::Datatype(datatype)) => {
                let sorts: Vec<Sort> = datatype.constructor(value.constructor)?.sorts().collect();
                let fields = self.values(&value.fields, &sorts)?;
                if fields.len() != sorts.len() {
                    return None;
                }
                terms.construct(sort, value.constructor, &fields)
            }
            _ => return None,
        })
    }

    fn values(&mut self, values: &[Value], sorts: &[Sort]) -> Option<Vec<Term>> {
        values
            .iter()
            .zip(sorts)
            .map(|(value, sort)| self.value(value, sort))
            .collect()
    }

    /// A rigid symbol at arguments, by its table; itself if it has none.
    fn apply(&mut self, function: &Arc<Function>, args: &[Term]) -> Option<Term> {
        let terms = self.terms;
        let rigid = self.rigid;
        let Some(table) = rigid.functions.get(&function.name) else {
            return Some(terms.apply(function, args));
        };
        let mut result = self.value(&table.default, &function.result)?;
        for (key, value) in table.entries.iter().rev() {
            let key = self.values(key, &function.params)?;
            let value = self.value(value, &function.result)?;
            let matches = terms.and(args.iter().zip(key).map(|(&a, k)| terms.eq(a, k)));
            result = terms.ite(matches, value, result);
        }
        Some(result)
    }

    /// The formulas whose conjunction is unsatisfiable exactly if `formula` holds in the
    /// structure for the given values of variables: its negation, and the facts about the
    /// elements. `None` if a value does not belong to its sort.
    pub(super) fn refutation_of(
        &mut self,
        formula: Term,
        value_of: impl Fn(&Var) -> Option<Value>,
    ) -> Option<Vec<Term>> {
        let terms = self.terms;
        let order = terms.post_order(&[formula]);
        let mut done: HashMap<Term, Term> = HashMap::with_capacity(order.len());
        for term in order {
            let node = terms.node(term);
            let args: Vec<Term> = node.args.iter().map(|arg| done[arg]).collect();
            let closed = match &node.op {
                Op::Var(var) if matches!(var.version, Version::Bound(_)) => term,
                Op::Var(var) => match value_of(var) {
                    Some(value) => self.value(&value, &node.sort)?,
                    None => term,
                },
                Op::Apply(function) => self.apply(function, &args)?,
                // Patterns would mention symbols that are gone.
                Op::Bind(binder) => terms.bind(binder.kind, &binder.vars, args[0], &[]),
                _ => terms.rebuild(node, &args),
            };
            done.insert(term, closed);
        }
        let mut formulas = vec![terms.not(done[&formula])];
        formulas.extend(self.facts(formulas[0]));
        Some(formulas)
    }

    /// Which elements there are, for every uninterpreted sort that matters to the formula.
    fn facts(&mut self, formula: Term) -> Vec<Term> {
        let terms = self.terms;
        let mut sorts = BTreeSet::new();
        for term in terms.post_order(&[formula]) {
            uninterpreted(terms.sort(term), &mut sorts);
            if let Op::Bind(binder) = terms.op(term) {
                for &var in &binder.vars {
                    uninterpreted(terms.sort(var), &mut sorts);
                }
            }
        }
        let mut facts = Vec::new();
        for name in sorts {
            if !self.universes.contains_key(&name) {
                self.element(&name, 0);
            }
            let elements: Vec<Term> = self.universes[&name].values().copied().collect();
            let any = terms.fresh_bound("x", Sort::Uninterpreted(name.clone()));
            let listed = terms.or(elements.iter().map(|&e| terms.eq(any, e)));
            facts.push(terms.distinct(&elements));
            facts.push(terms.bind(BinderKind::Forall, &[any], listed, &[]));
        }
        facts
    }
}

fn uninterpreted(sort: &Sort, found: &mut BTreeSet<Arc<str>>) {
    found.extend(sort.parts().filter_map(|part| match part {
        Sort::Uninterpreted(name) => Some(name),
        _ => None,
    }));
}
