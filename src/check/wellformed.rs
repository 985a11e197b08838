//! Formulas and graphs are what they should be.
//!
//! The constructors of terms do not check sorts. A solver that gets an ill-sorted formula may
//! say anything, so the checker looks at every node of every formula before it asks.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;

use ult_core::formula::{
    BinderKind, BvOp, Function, MapValue, Node, Op, Sort, Term, Terms, Value, Version,
};
use ult_core::graph::ProgramGraph;

/// Examines the formulas of one program graph. Shared sub-terms are examined once.
pub(super) struct Examiner<'a> {
    terms: &'a Terms,
    graph: &'a ProgramGraph,
    functions: HashSet<Arc<Function>>,
    /// The examined terms, each with the bound variables that occur free in it.
    open: HashMap<Term, Rc<BTreeSet<Term>>>,
    closed: Rc<BTreeSet<Term>>,
}

impl<'a> Examiner<'a> {
    /// For formulas over the variables and rigid symbols of `graph`.
    pub(super) fn new(terms: &'a Terms, graph: &'a ProgramGraph) -> Examiner<'a> {
        Examiner {
            terms,
            graph,
            functions: graph.functions.iter().cloned().collect(),
            open: HashMap::new(),
            closed: Rc::default(),
        }
    }

    /// A formula over one state: boolean, with unprimed program variables of the declared sorts.
    pub(super) fn state_formula(&mut self, formula: Term) -> Result<(), String> {
        self.formula(formula, |version| version == Version::Current)
    }

    /// The graph as a whole: what [`ProgramGraph::check`] promises, and every formula closed and
    /// well-sorted.
    pub(super) fn graph(&mut self) -> Result<(), String> {
        let graph = self.graph;
        graph.check(self.terms)?;
        if graph.graph.node_weight(graph.initial).is_none() {
            return Err("the initial location does not exist".into());
        }
        let mut names = HashSet::new();
        for function in &graph.functions {
            if !names.insert(&function.name) {
                return Err(format!("`{}` is declared twice", function.name));
            }
        }
        for (number, &axiom) in graph.axioms.iter().enumerate() {
            self.formula(axiom, |_| false)
                .map_err(|e| format!("axiom {number}: {e}"))?;
        }
        for edge in graph.graph.edge_indices() {
            let transition = &graph.graph[edge].transition;
            self.formula(transition.formula, |version| match version {
                Version::Current | Version::Next | Version::Aux(_) => true,
                Version::At(_) | Version::AuxAt(..) | Version::Bound(_) => false,
            })
            .map_err(|e| format!("edge {}: {e}", edge.index()))?;
        }
        Ok(())
    }

    /// A boolean, closed, well-sorted formula whose free variables have allowed versions.
    fn formula(&mut self, root: Term, allowed: impl Fn(Version) -> bool) -> Result<(), String> {
        if *self.terms.sort(root) != Sort::Bool {
            return Err(format!("a formula of sort {}", self.terms.sort(root)));
        }
        self.examine(root)?;
        if let Some(&stray) = self.open[&root].first() {
            return Err(format!(
                "the bound variable {} outside its quantifier",
                self.terms.display(stray)
            ));
        }
        for term in self.terms.free_vars(&[root]) {
            let Some(var) = self.terms.as_var(term) else {
                continue;
            };
            if !allowed(var.version) {
                return Err(format!(
                    "the variable {} does not belong here",
                    self.terms.display(term)
                ));
            }
            if matches!(var.version, Version::Current | Version::Next) {
                match self.graph.variables.get(&var.name) {
                    None => return Err(format!("the unknown variable `{}`", var.name)),
                    Some(sort) if sort != self.terms.sort(term) => {
                        return Err(format!(
                            "`{}` of sort {}, declared with sort {sort}",
                            var.name,
                            self.terms.sort(term)
                        ));
                    }
                    Some(_) => {}
                }
            }
        }
        Ok(())
    }

    /// Sorts and scopes of all sub-terms.
    fn examine(&mut self, root: Term) -> Result<(), String> {
        let terms = self.terms;
        let mut stack = vec![(root, false)];
        while let Some((term, ready)) = stack.pop() {
            if self.open.contains_key(&term) {
                continue;
            }
            let node = terms.node(term);
            if !ready {
                stack.push((term, true));
                stack.extend(node.args.iter().map(|&t| (t, false)));
                continue;
            }
            if !self.well_sorted(node) {
                return Err(format!("the ill-sorted term {}", brief(terms, term)));
            }
            let open = self.open_in(term, node)?;
            self.open.insert(term, open);
        }
        Ok(())
    }

    /// The bound variables that occur free in a node whose arguments were examined.
    fn open_in(&self, term: Term, node: &Node) -> Result<Rc<BTreeSet<Term>>, String> {
        if let Op::Var(var) = &node.op {
            return Ok(match var.version {
                Version::Bound(_) => Rc::new(BTreeSet::from([term])),
                _ => self.closed.clone(),
            });
        }
        let mut union = self.closed.clone();
        for arg in &node.args {
            let open = &self.open[arg];
            if union.is_empty() {
                union = open.clone();
            } else if !Rc::ptr_eq(&union, open) && !open.is_subset(&union) {
                union = Rc::new(union.union(open).copied().collect());
            }
        }
        if let Op::Bind(binder) = &node.op {
            let vars: BTreeSet<Term> = binder.vars.iter().copied().collect();
            if vars.len() != binder.vars.len() {
                return Err("a quantifier that binds a variable twice".into());
            }
            if !union.is_empty() {
                union = Rc::new(union.difference(&vars).copied().collect());
            }
        }
        Ok(union)
    }

    fn well_sorted(&self, node: &Node) -> bool {
        let sorts: Vec<&Sort> = node.args.iter().map(|&t| self.terms.sort(t)).collect();
        let all = |expected: &Sort| sorts.iter().all(|sort| *sort == expected);
        match (&node.op, &sorts[..], &node.sort) {
            (Op::Bool(_), [], Sort::Bool)
            | (Op::Int(_), [], Sort::Int)
            | (Op::Real(_), [], Sort::Real)
            | (Op::Var(_), [], _) => true,
            (Op::BitVec(value), [], Sort::BitVec(width)) => value.bits() <= u64::from(*width),
            (Op::Apply(function), args, result) => {
                function.result == *result
                    && function.params.iter().eq(args.iter().copied())
                    && self.functions.contains(function)
            }
            // What SMT-LIB asks of the arguments is the solver's to check.
            (Op::Builtin(builtin), _, result) => builtin.result == *result,
            (Op::Not, [_], Sort::Bool) => all(&Sort::Bool),
            (Op::And | Op::Or, [_, ..], Sort::Bool) => all(&Sort::Bool),
            (Op::Ite, [condition, a, b], result) => {
                **condition == Sort::Bool && *a == result && *b == result
            }
            (Op::Eq, [a, b], Sort::Bool) => a == b,
            (Op::Distinct, [first, ..], Sort::Bool) => all(first),
            (Op::Add | Op::Mul, [_, ..], Sort::Int | Sort::Real) => all(&node.sort),
            (Op::Div | Op::Mod, [Sort::Int, Sort::Int], Sort::Int)
            | (Op::RealDiv, [Sort::Real, Sort::Real], Sort::Real)
            | (Op::ToReal, [Sort::Int], Sort::Real)
            | (Op::ToInt, [Sort::Real], Sort::Int) => true,
            (Op::Le | Op::Lt, [a, b], Sort::Bool) => a == b && a.is_arithmetic(),
            (Op::Bv(op), args, result) => bit_vectors(*op, args, result),
            (Op::Extract { high, low }, [Sort::BitVec(width)], Sort::BitVec(result)) => {
                low < high && high <= width && *result == high - low
            }
            (
                Op::ZeroExtend(by) | Op::SignExtend(by),
                [Sort::BitVec(width)],
                Sort::BitVec(result),
            ) => width.checked_add(*by) == Some(*result),
            (Op::Select, [Sort::Map(map), indices @ ..], result) => {
                map.range == *result && map.domain.iter().eq(indices.iter().copied())
            }
            (Op::Store, [Sort::Map(map), indices @ .., value], result) => {
                sorts[0] == result
                    && **value == map.range
                    && map.domain.iter().eq(indices.iter().copied())
            }
            (Op::ConstMap, [value], Sort::Map(map)) => **value == map.range,
            (Op::Construct(constructor), fields, Sort::Datatype(datatype)) => {
                let declared = datatype.constructors.get(*constructor as usize);
                declared.is_some_and(|constructor| {
                    let sorts = constructor.fields.iter().map(|(_, sort)| sort);
                    sorts.eq(fields.iter().copied())
                })
            }
            (Op::Field { constructor, field }, [Sort::Datatype(datatype)], result) => {
                datatype.field(*constructor, *field) == Some(result)
            }
            (Op::Is(constructor), [Sort::Datatype(datatype)], Sort::Bool) => {
                (*constructor as usize) < datatype.constructors.len()
            }
            (Op::Bind(binder), [body, patterns @ ..], result) => {
                let bound = |&var: &Term| {
                    self.terms
                        .as_var(var)
                        .is_some_and(|v| matches!(v.version, Version::Bound(_)))
                };
                let fits = match (binder.kind, result) {
                    (BinderKind::Forall | BinderKind::Exists, Sort::Bool) => **body == Sort::Bool,
                    (BinderKind::Lambda, Sort::Map(map)) => {
                        **body == map.range
                            && map
                                .domain
                                .iter()
                                .eq(binder.vars.iter().map(|&v| self.terms.sort(v)))
                    }
                    _ => false,
                };
                fits && !binder.vars.is_empty()
                    && binder.vars.iter().all(bound)
                    && binder.patterns.iter().sum::<usize>() == patterns.len()
            }
            _ => false,
        }
    }
}

fn bit_vectors(op: BvOp, args: &[&Sort], result: &Sort) -> bool {
    match (op, args) {
        (BvOp::Not | BvOp::Neg, [Sort::BitVec(_)]) => args[0] == result,
        (BvOp::Concat, [Sort::BitVec(a), Sort::BitVec(b)]) => {
            a.checked_add(*b).map(Sort::BitVec).as_ref() == Some(result)
        }
        (BvOp::Ult | BvOp::Ule | BvOp::Slt | BvOp::Sle, [Sort::BitVec(a), Sort::BitVec(b)]) => {
            a == b && *result == Sort::Bool
        }
        (BvOp::Not | BvOp::Neg | BvOp::Concat, _) => false,
        (BvOp::Ult | BvOp::Ule | BvOp::Slt | BvOp::Sle, _) => false,
        (_, [Sort::BitVec(a), Sort::BitVec(b)]) => a == b && args[0] == result,
        _ => false,
    }
}

/// A term for a message: long ones are not written out.
pub(super) fn brief(terms: &Terms, term: Term) -> String {
    const LIMIT: usize = 200;
    let mut steps = 0;
    let mut stack = vec![term];
    while let Some(term) = stack.pop() {
        steps += 1;
        if steps > LIMIT {
            return "(a large formula)".into();
        }
        stack.extend(terms.args(term));
    }
    terms.display(term)
}

/// Whether a value belongs to a sort, to the bottom.
pub(super) fn has_sort(value: &Value, sort: &Sort) -> bool {
    match (value, sort) {
        (Value::Bool(_), Sort::Bool)
        | (Value::Int(_), Sort::Int)
        | (Value::Real(_), Sort::Real)
        | (Value::Rounding(_), Sort::RoundingMode) => true,
        (Value::Float(value), Sort::Float(exponent, significand)) => {
            let format = value.format();
            format.exponent() == *exponent && format.significand() == *significand
        }
        (Value::BitVec(bits, width), Sort::BitVec(expected)) => {
            width == expected && bits.bits() <= u64::from(*width)
        }
        (Value::Element(name, _), Sort::Uninterpreted(expected)) => name == expected,
        (Value::Map(map), Sort::Map(expected)) => {
            let MapValue {
                domain,
                default,
                entries,
            } = &**map;
            // Two different tables may be the same map, so a table indexed by maps may list one
            // index twice: refused.
            let plain = entries.is_empty() || !domain.iter().any(Sort::has_maps);
            *domain == expected.domain
                && plain
                && has_sort(default, &expected.range)
                && entries.iter().all(|(index, value)| {
                    have_sorts(index, domain) && has_sort(value, &expected.range)
                })
        }
        (Value::Construct(value), Sort::Datatype(datatype)) => {
            let declared = datatype.constructors.get(value.constructor as usize);
            declared.is_some_and(|constructor| {
                constructor.name == value.name
                    && constructor.fields.len() == value.fields.len()
                    && value
                        .fields
                        .iter()
                        .zip(&constructor.fields)
                        .all(|(field, (_, sort))| has_sort(field, sort))
            })
        }
        _ => false,
    }
}

/// Whether values belong to the sorts, one by one.
pub(super) fn have_sorts(values: &[Value], sorts: &[Sort]) -> bool {
    values.len() == sorts.len() && values.iter().zip(sorts).all(|(v, s)| has_sort(v, s))
}
