//! Formulas and graphs are what they should be.
//!
//! The constructors of terms do not check sorts. A solver that gets an ill-sorted formula may
//! say anything, so the checker looks at every node of every formula before it asks.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;

use ult_core::formula::{Function, MapValue, Node, Op, Sort, Term, Terms, Value, Version};
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
            for premise in &graph.graph[edge].premises {
                for &term in premise.state.values() {
                    self.closed(term)
                        .map_err(|e| format!("a premise of edge {}: {e}", edge.index()))?;
                }
            }
        }
        Ok(())
    }

    /// A boolean, closed, well-sorted formula whose free variables have allowed versions.
    fn formula(&mut self, root: Term, allowed: impl Fn(Version) -> bool) -> Result<(), String> {
        if *self.terms.sort(root) != Sort::Bool {
            return Err(format!("a formula of sort {}", self.terms.sort(root)));
        }
        self.closed(root)?;
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

    /// A well-sorted term in which no bound variable occurs free.
    fn closed(&mut self, root: Term) -> Result<(), String> {
        self.examine(root)?;
        match self.open[&root].first() {
            None => Ok(()),
            Some(&stray) => Err(format!(
                "the bound variable {} outside its quantifier",
                self.terms.display(stray)
            )),
        }
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
        let is_known = match &node.op {
            Op::Apply(function) => self.functions.contains(function),
            _ => true,
        };
        is_known && self.terms.is_well_sorted(node)
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
            let declared = datatype.constructor(value.constructor);
            declared.is_some_and(|constructor| {
                let mut fields = value.fields.iter().zip(constructor.sorts());
                *constructor.name() == value.name
                    && constructor.sorts().len() == value.fields.len()
                    && fields.all(|(field, sort)| has_sort(field, &sort))
            })
        }
        _ => false,
    }
}

/// Whether values belong to the sorts, one by one.
pub(super) fn have_sorts(values: &[Value], sorts: &[Sort]) -> bool {
    values.len() == sorts.len() && values.iter().zip(sorts).all(|(v, s)| has_sort(v, s))
}
