//! What conditions behind a choice say about the values to choose.
//!
//! From an edge that leaves values open, the only way on is followed as long as there is just one
//! (ways that lead to no error do not count), and what is assumed there is written down in terms of
//! the state right after the choice.

use std::collections::{BTreeSet, HashMap};

use num_rational::BigRational;
use num_traits::{One as _, Signed as _};
use petgraph::visit::EdgeRef as _;
use ult_core::formula::{Relation, Sort, Term, Terms, Version};
use ult_core::graph::{EdgeId, LocationId, ProgramGraph};

use super::expr::{Code, Expr};
use super::plan::Slots;

/// So many edges are looked at.
const FAR: usize = 60;

/// A condition larger than this is not looked at.
const LARGEST: usize = 500;

/// What is wanted of chosen values.
#[derive(Debug, Default)]
pub(super) struct Wanted {
    /// What the expressions refer to.
    pub code: Code,
    /// Conditions over the state after the choice.
    pub conditions: Vec<Expr>,
    /// The chosen slots that the conditions are about.
    pub slots: Vec<usize>,
    /// What single values are compared with.
    pub hints: Vec<Hint>,
    /// The values of the hints.
    pub values: Vec<Expr>,
}

/// A limit of a chosen integer, or its value.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hint {
    /// The slot of the chosen value: of the variable in the state after the choice.
    pub slot: usize,
    /// How it compares.
    pub relation: Relation,
    /// With which of the values.
    pub value: usize,
}

/// Looks ahead from a location behind a choice of the variables with these slots.
pub(super) fn ahead(
    terms: &Terms,
    graph: &ProgramGraph,
    slots: &Slots,
    useful: &[bool],
    from: LocationId,
    chosen: &[usize],
) -> Option<Wanted> {
    let conditions = conditions(terms, graph, slots, useful, from, chosen);
    wanted(terms, slots, &conditions, chosen)
}

/// The conditions about chosen values on the way from a location.
fn conditions(
    terms: &Terms,
    graph: &ProgramGraph,
    slots: &Slots,
    useful: &[bool],
    from: LocationId,
    chosen: &[usize],
) -> Vec<Term> {
    // Values of variables in terms of the state at the beginning. What is chosen on the way is an
    // auxiliary of nobody.
    let mut values: HashMap<Term, Term> = HashMap::new();
    let mut found = Vec::new();
    let mut at = from;
    let mut seen = BTreeSet::new();
    let mut size = 0;
    for _ in 0..FAR {
        if !seen.insert(at) {
            break;
        }
        let mut ways = graph.graph.edges(at).filter(|edge| {
            useful[edge.target().index()]
                && graph.graph[edge.target()].error.is_none()
                && edge.weight().transition.formula != terms.ff()
        });
        let (Some(edge), None) = (ways.next(), ways.next()) else {
            break;
        };
        let asserts =
            (graph.graph.edges(at)).any(|edge| graph.graph[edge.target()].error.is_some());
        let transition = &edge.weight().transition;
        let (definitions, rest) = transition.definitions(terms);
        let mut news = Vec::new();
        for name in &transition.changed {
            let Some(sort) = graph.variables.get(name) else {
                continue;
            };
            let variable = terms.current(name.clone(), sort.clone());
            let value = match definitions.iter().find(|d| d.variable == *name) {
                Some(definition) => terms.substitute(definition.value, &values),
                None => terms.var(
                    name.clone(),
                    Version::Aux(terms.fresh_number()),
                    sort.clone(),
                ),
            };
            size += terms.size(value).min(LARGEST);
            news.push((variable, value));
        }
        if !asserts {
            for conjunct in rest {
                let condition = terms.substitute(conjunct, &values);
                size += terms.size(condition).min(LARGEST);
                let vars = terms.free_vars(&[condition]);
                let slot = |var: &Term| {
                    let var = terms.as_var(*var)?;
                    (var.version == Version::Current)
                        .then(|| slots.slot(var))
                        .flatten()
                };
                let all: Option<Vec<usize>> = vars.iter().map(slot).collect();
                let is_about = all.is_some_and(|all| all.iter().any(|slot| chosen.contains(slot)));
                if is_about && !terms.has_binder(condition) {
                    found.extend(terms.conjuncts(condition));
                }
            }
        }
        if size > 20 * LARGEST {
            break;
        }
        values.extend(news);
        at = edge.target();
    }
    found.retain(|&condition| terms.size(condition) <= LARGEST);
    found
}

/// Conditions as code, with what they say about single values.
pub(super) fn wanted(
    terms: &Terms,
    slots: &Slots,
    conditions: &[Term],
    chosen: &[usize],
) -> Option<Wanted> {
    let mut roots = conditions.to_vec();
    let mut hints = Vec::new();
    for &condition in conditions {
        for (slot, relation, value) in hints_of(terms, slots, condition, chosen) {
            hints.push(Hint {
                slot,
                relation,
                value: roots.len() - conditions.len(),
            });
            roots.push(value);
        }
    }
    let mentioned = terms.free_vars(conditions).into_iter();
    let mentioned = mentioned.filter_map(|var| slots.slot(terms.as_var(var)?));
    let mentioned: BTreeSet<usize> = mentioned.filter(|slot| chosen.contains(slot)).collect();
    let (code, mut exprs) = slots.compile(terms, &roots)?;
    let values = exprs.split_off(conditions.len());
    Some(Wanted {
        code,
        conditions: exprs,
        slots: mentioned.into_iter().collect(),
        hints,
        values,
    })
}

/// What a comparison of integers says about each chosen value that it mentions with the coefficient
/// 1 or -1.
fn hints_of(
    terms: &Terms,
    slots: &Slots,
    condition: Term,
    chosen: &[usize],
) -> Vec<(usize, Relation, Term)> {
    let mut found = Vec::new();
    let Some(bound) = terms.as_bound(condition) else {
        return found;
    };
    if *terms.sort(bound.form) != Sort::Int {
        return found;
    }
    let (parts, _) = terms.linear(bound.form);
    for (base, factor) in &parts {
        let slot = terms.as_var(*base).and_then(|var| slots.slot(var));
        let Some(slot) = slot.filter(|slot| chosen.contains(slot)) else {
            continue;
        };
        if factor.abs() != BigRational::one() {
            continue;
        }
        // factor * base + others REL value
        let Some(limit) = terms.number(bound.value.clone(), &Sort::Int) else {
            continue;
        };
        let others = terms.sub(
            limit,
            terms.sub(
                bound.form,
                match factor.is_negative() {
                    true => terms.mul(&[terms.int(-1), *base]),
                    false => *base,
                },
            ),
        );
        let (relation, value) = match factor.is_negative() {
            false => (bound.relation, others),
            true => (
                match bound.relation {
                    Relation::AtMost => Relation::AtLeast,
                    Relation::Below => Relation::Above,
                    Relation::AtLeast => Relation::AtMost,
                    Relation::Above => Relation::Below,
                    same => same,
                },
                terms.mul(&[terms.int(-1), others]),
            ),
        };
        // The limit must not depend on the value itself.
        if !terms.free_vars(&[value]).contains(base) {
            found.push((slot, relation, value));
        }
    }
    found
}

/// The edges that leave a location, without those that cannot be taken or lead nowhere.
pub(super) fn ways(
    terms: &Terms,
    graph: &ProgramGraph,
    useful: &[bool],
    location: LocationId,
) -> Vec<EdgeId> {
    let mut ways: Vec<EdgeId> = (graph.graph.edges(location))
        .filter(|edge| {
            useful[edge.target().index()] && edge.weight().transition.formula != terms.ff()
        })
        .map(|edge| edge.id())
        .collect();
    // In the order in which they were made.
    ways.sort_unstable();
    ways
}
