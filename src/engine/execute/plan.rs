//! What to do for a step along an edge: conditions, assignments and choices in an order in which
//! each knows what it needs.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use ult_core::formula::{Op, Sort, Term, Terms, Var, Version};
use ult_core::graph::{EdgeId, ProgramGraph};

use super::expr::{Code, Expr, compile};
use super::lookahead::{self, Wanted};

/// The numbers of the variables, auxiliaries and rigid symbols of a graph.
pub(super) struct Slots {
    variables: HashMap<Arc<str>, usize>,
    /// Of the auxiliaries.
    aux: HashMap<u32, usize>,
    functions: HashMap<Arc<str>, usize>,
    sorts: Vec<Sort>,
    count: usize,
}

impl Slots {
    /// Numbers everything: variables before the step, after it, auxiliaries.
    pub(super) fn of(terms: &Terms, graph: &ProgramGraph) -> Slots {
        let count = graph.variables.len();
        let mut sorts: Vec<Sort> = graph.variables.values().cloned().collect();
        sorts.extend_from_within(..);
        let formulas: Vec<Term> = (graph.graph.edge_weights())
            .map(|edge| edge.transition.formula)
            .collect();
        let mut aux = HashMap::new();
        for term in terms.free_vars(&formulas) {
            if let Some(Version::Aux(number)) = terms.as_var(term).map(|var| var.version) {
                aux.entry(number).or_insert_with(|| {
                    sorts.push(terms.sort(term).clone());
                    sorts.len() - 1
                });
            }
        }
        Slots {
            variables: (graph.variables.keys().cloned()).zip(0..).collect(),
            aux,
            functions: (graph.functions.iter().map(|f| f.name.clone()))
                .zip(0..)
                .collect(),
            sorts,
            count,
        }
    }

    /// How many variables there are.
    pub(super) fn variables(&self) -> usize {
        self.count
    }

    /// How many slots there are.
    pub(super) fn len(&self) -> usize {
        self.sorts.len()
    }

    /// The sort of the values in a slot.
    pub(super) fn sort(&self, slot: usize) -> &Sort {
        &self.sorts[slot]
    }

    /// The slot of a variable.
    pub(super) fn slot(&self, var: &Var) -> Option<usize> {
        match var.version {
            Version::Current => self.variables.get(&var.name).copied(),
            Version::Next => Some(self.count + *self.variables.get(&var.name)?),
            Version::Aux(number) => self.aux.get(&number).copied(),
            Version::At(_) | Version::AuxAt(..) | Version::Bound(_) => None,
        }
    }

    /// The number of the auxiliary in a slot.
    pub(super) fn aux_in(&self, slot: usize) -> Option<u32> {
        let mut all = self.aux.iter();
        all.find(|(_, own)| **own == slot)
            .map(|(&number, _)| number)
    }

    /// The number of a rigid symbol.
    pub(super) fn function(&self, name: &str) -> Option<usize> {
        self.functions.get(name).copied()
    }

    /// Compiles terms over these slots.
    pub(super) fn compile(&self, terms: &Terms, roots: &[Term]) -> Option<(Code, Vec<Expr>)> {
        compile(
            terms,
            roots,
            |var| self.slot(var),
            |name| self.function(name),
        )
    }
}

/// One thing to do.
#[derive(Debug)]
pub(super) enum Action {
    /// Go on only if this holds. What cannot be evaluated is taken to hold: the checker will know.
    Guard(usize),
    /// Puts the value of an expression, by number, into a slot.
    Set(usize, usize),
    /// Chooses a value for a slot.
    Choose(usize),
    /// Changes an element of a map in place, by number in [`Plan::puts`].
    Put(usize),
}

/// A change of one element of a map that nobody else looks at: without copying the map.
#[derive(Debug)]
pub(super) struct Put {
    /// The slot of the map before the step, which is that of the map after it.
    pub slot: usize,
    /// The way to the element: at each level, the numbers of the expressions of the index.
    pub path: Vec<Vec<usize>>,
    /// The number of the expression of the new element.
    pub value: usize,
}

/// How to take an edge.
#[derive(Debug)]
pub(super) struct Plan {
    /// What expressions refer to.
    pub code: Code,
    /// The expressions of the actions.
    pub exprs: Vec<Expr>,
    /// The actions.
    pub actions: Vec<Action>,
    /// Changes in place.
    pub puts: Vec<Put>,
    /// How many conditions on the state before come first.
    pub guards: usize,
    /// The slots that are chosen.
    pub chosen: Vec<usize>,
    /// The variables that may change, without those that change in place.
    pub changed: Vec<usize>,
    /// The slots whose values a run has to say.
    pub said: Vec<usize>,
    /// What the edge itself wants of the chosen values.
    pub inside: Wanted,
    /// What is wanted of them behind it, said about the state there.
    pub behind: Wanted,
}

impl Plan {
    /// Plans an edge; `None` if its formula is nested too deeply.
    pub(super) fn of(
        terms: &Terms,
        graph: &ProgramGraph,
        slots: &Slots,
        useful: &[bool],
        edge: EdgeId,
    ) -> Option<Plan> {
        let transition = &graph.graph[edge].transition;
        let count = slots.variables();
        let mut changed: Vec<usize> = (transition.changed.iter())
            .filter_map(|name| slots.variables.get(name).copied())
            .collect();
        changed.sort_unstable();
        let mut open: BTreeSet<usize> = changed.iter().map(|variable| count + variable).collect();
        let mut rest: Vec<(Term, BTreeSet<usize>)> = Vec::new();
        for conjunct in terms.conjuncts(transition.formula) {
            let vars = terms.free_vars(&[conjunct]).into_iter();
            let unknown: BTreeSet<usize> = vars
                .filter_map(|var| slots.slot(terms.as_var(var)?))
                .filter(|&slot| slot >= count)
                .collect();
            open.extend(&unknown);
            rest.push((conjunct, unknown));
        }
        let mut roots = Vec::new();
        let mut actions = Vec::new();
        let mut chosen = Vec::new();
        let mut inside = Vec::new();
        loop {
            let known = |slot: &usize| !open.contains(slot);
            if let Some(at) = rest.iter().position(|(_, slots)| slots.iter().all(known)) {
                let (conjunct, unknown) = rest.remove(at);
                if unknown.iter().any(|slot| chosen.contains(slot)) {
                    inside.push(conjunct);
                }
                actions.push(Action::Guard(roots.len()));
                roots.push(conjunct);
                continue;
            }
            let equation = rest.iter().enumerate().find_map(|(at, (conjunct, _))| {
                let (slot, value) = solved(terms, slots, *conjunct, &open)?;
                Some((at, slot, value))
            });
            if let Some((at, slot, value)) = equation {
                rest.remove(at);
                open.remove(&slot);
                actions.push(Action::Set(slot, roots.len()));
                roots.push(value);
                continue;
            }
            // What others are computed of comes first.
            let computed: BTreeSet<usize> = (rest.iter())
                .flat_map(|(conjunct, _)| sides(terms, *conjunct))
                .filter_map(|(variable, _)| slots.slot(terms.as_var(variable)?))
                .collect();
            let first = open.iter().find(|slot| !computed.contains(slot));
            let Some(slot) = first.or(open.first()).copied() else {
                break;
            };
            open.remove(&slot);
            chosen.push(slot);
            actions.push(Action::Choose(slot));
        }
        let (definitions, _) = transition.definitions(terms);
        let defined: BTreeSet<usize> = definitions
            .iter()
            .filter_map(|d| slots.variables.get(&d.variable).map(|v| count + v))
            .collect();
        let said = actions.iter().filter_map(|action| match action {
            Action::Set(slot, _) | Action::Choose(slot) => Some(*slot),
            Action::Guard(_) | Action::Put(_) => None,
        });
        let said: Vec<usize> = said.filter(|slot| !defined.contains(slot)).collect();
        let puts = match chosen.is_empty() {
            true => puts(terms, slots, &mut actions, &mut roots),
            // They may have to be taken back.
            false => Vec::new(),
        };
        changed.retain(|variable| puts.iter().all(|put| put.slot != *variable));
        let (code, exprs) = slots.compile(terms, &roots)?;
        let is_guard = |action: &&Action| matches!(action, Action::Guard(_));
        let variables: Vec<usize> = (chosen.iter())
            .filter_map(|slot| slot.checked_sub(count).filter(|&variable| variable < count))
            .collect();
        let (inside, behind) = match chosen.is_empty() {
            true => Default::default(),
            false => {
                let (_, target) = graph.graph.edge_endpoints(edge)?;
                (
                    lookahead::wanted(terms, slots, &inside, &chosen)?,
                    lookahead::ahead(terms, graph, slots, useful, target, &variables)?,
                )
            }
        };
        Some(Plan {
            guards: actions.iter().take_while(is_guard).count(),
            code,
            exprs,
            actions,
            puts,
            chosen,
            changed,
            said,
            inside,
            behind,
        })
    }
}

/// Turns settings of maps into changes in place where nobody else looks at the map before or after
/// the step; they come last. Their expressions are added to the roots.
fn puts(
    terms: &Terms,
    slots: &Slots,
    actions: &mut Vec<Action>,
    roots: &mut Vec<Term>,
) -> Vec<Put> {
    let count = slots.variables();
    let stores = |action: &Action| match *action {
        Action::Set(slot, root) => {
            let slot = slot
                .checked_sub(count)
                .filter(|&variable| variable < count)?;
            let (map, path, value) = element(terms, roots[root])?;
            let is_own = slots.slot(terms.as_var(map)?) == Some(slot);
            is_own.then_some((slot, root, path, value))
        }
        _ => None,
    };
    let found: Vec<_> = actions.iter().map(stores).collect();
    let stored: Vec<usize> = found.iter().flatten().map(|found| found.1).collect();
    let reads = |root: usize, slot: usize| {
        let vars = terms.free_vars(&[roots[root]]).into_iter();
        let mut slots = vars.filter_map(|var| slots.slot(terms.as_var(var)?));
        slots.any(|other| other == slot)
    };
    let is_free = |slot: usize, own: usize| {
        let mut others = (0..roots.len()).filter(|&root| root != own);
        others.all(|root| {
            let is_stored = stored.contains(&root);
            !(reads(root, count + slot) || is_stored && reads(root, slot))
        })
    };
    let free: Vec<_> = (found.into_iter())
        .map(|found| found.filter(|(slot, root, ..)| is_free(*slot, *root)))
        .collect();
    let mut puts: Vec<Put> = Vec::new();
    let mut number = |term: Term| {
        roots.push(term);
        roots.len() - 1
    };
    let mut rest = Vec::new();
    for (action, found) in std::mem::take(actions).into_iter().zip(free) {
        match found {
            None => rest.push(action),
            Some((slot, _, path, value)) => puts.push(Put {
                slot,
                path: (path.iter())
                    .map(|index| index.iter().map(|&term| number(term)).collect())
                    .collect(),
                value: number(value),
            }),
        }
    }
    rest.extend((0..puts.len()).map(Action::Put));
    *actions = rest;
    puts
}

/// A map with one element changed, perhaps deep inside: the map, the way to the element, and what it
/// is now.
fn element(terms: &Terms, stored: Term) -> Option<(Term, Vec<Vec<Term>>, Term)> {
    let (&map, rest) = match terms.op(stored) {
        Op::Store => terms.args(stored).split_first()?,
        _ => return None,
    };
    let (&value, index) = rest.split_last()?;
    let is_plain = |map: Term| match terms.sort(map) {
        Sort::Map(sort) => !sort.domain.iter().any(Sort::has_maps),
        _ => false,
    };
    if !is_plain(map) {
        return None;
    }
    let inner = element(terms, value).filter(|(inner, ..)| {
        *terms.op(*inner) == Op::Select
            && (terms.args(*inner).split_first())
                .is_some_and(|(&outer, at)| outer == map && at == index)
    });
    let index = index.to_vec();
    Some(match inner {
        Some((_, mut path, value)) => {
            path.insert(0, index);
            (map, path, value)
        }
        None => (map, vec![index], value),
    })
}

/// An equation that gives one open slot a value in terms of known ones.
fn solved(
    terms: &Terms,
    slots: &Slots,
    conjunct: Term,
    open: &BTreeSet<usize>,
) -> Option<(usize, Term)> {
    sides(terms, conjunct)
        .into_iter()
        .find_map(|(variable, value)| {
            let slot = slots.slot(terms.as_var(variable)?)?;
            let mut others = terms.free_vars(&[value]).into_iter();
            let is_known = others.all(|var| {
                let slot = terms.as_var(var).and_then(|var| slots.slot(var));
                slot.is_none_or(|slot| !open.contains(&slot))
            });
            (open.contains(&slot) && is_known && !terms.has_binder(value)).then_some((slot, value))
        })
}

/// A conjunct as an equation between a variable and something else.
fn sides(terms: &Terms, conjunct: Term) -> Vec<(Term, Term)> {
    let is_var = |term: &Term| terms.as_var(*term).is_some();
    let all = match (terms.op(conjunct), terms.args(conjunct)) {
        (Op::Var(_), _) => vec![(conjunct, terms.tt())],
        (Op::Not, [inner]) => vec![(*inner, terms.ff())],
        (Op::Eq, [left, right]) => vec![(*left, *right), (*right, *left)],
        _ => Vec::new(),
    };
    all.into_iter().filter(|(left, _)| is_var(left)).collect()
}
