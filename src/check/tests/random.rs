//! Random small graphs over a finite domain: the checker against plain enumeration.

use std::collections::{BTreeMap, BTreeSet};

use num_bigint::BigUint;
use proptest::prelude::*;

use super::segments::{bounded, inductive};
use super::*;
use crate::{Checker, Claims, Verdict};
use ult_core::formula::{BvOp, eval};
use ult_core::graph::evidence::{Argument, RigidMeaning, Valuation};

const LOCATIONS: usize = 5;
const WIDTH: u32 = 2;

/// A condition over `p: bool` and `v: bv2`.
#[derive(Clone, Debug)]
enum Condition {
    True,
    P(bool),
    VIs(u32),
    VBelow(u32),
    Not(Box<Condition>),
    And(Box<Condition>, Box<Condition>),
    Or(Box<Condition>, Box<Condition>),
}

/// What an edge does.
#[derive(Clone, Debug)]
enum Action {
    Assume(Condition),
    SetP(Condition),
    SetV(u32),
    AddV(u32),
    Havoc(bool, bool),
    /// Two actions in one, by an auxiliary: `v' == v + k` for some `k` below the bound.
    Some(u32),
    /// `p' == c` and `v' == v + 1` or nothing changes, as one formula.
    Either(Condition),
}

fn condition() -> impl Strategy<Value = Condition> {
    let leaf = prop_oneof![
        1 => Just(Condition::True),
        3 => any::<bool>().prop_map(Condition::P),
        3 => (0..4u32).prop_map(Condition::VIs),
        3 => (1..4u32).prop_map(Condition::VBelow),
    ];
    leaf.prop_recursive(2, 6, 2, |inner| {
        prop_oneof![
            inner.clone().prop_map(|c| Condition::Not(Box::new(c))),
            (inner.clone(), inner.clone())
                .prop_map(|(a, b)| Condition::And(Box::new(a), Box::new(b))),
            (inner.clone(), inner).prop_map(|(a, b)| Condition::Or(Box::new(a), Box::new(b))),
        ]
    })
}

fn action() -> impl Strategy<Value = Action> {
    prop_oneof![
        3 => condition().prop_map(Action::Assume),
        1 => condition().prop_map(Action::SetP),
        2 => (0..4u32).prop_map(Action::SetV),
        1 => (1..4u32).prop_map(Action::AddV),
        1 => (any::<bool>(), any::<bool>()).prop_map(|(p, v)| Action::Havoc(p, v)),
        1 => (1..4u32).prop_map(Action::Some),
        1 => condition().prop_map(Action::Either),
    ]
}

/// Edges between locations `0 ..= LOCATIONS`; location 0 is the initial one, the last two are
/// error locations.
fn edges() -> impl Strategy<Value = Vec<(usize, Action, usize)>> {
    prop::collection::vec((0..LOCATIONS - 1, action(), 0..=LOCATIONS), 2..10)
}

impl Scene {
    fn bits(&self, value: u32) -> Term {
        self.terms.bitvec(BigUint::from(value), WIDTH)
    }

    fn condition(&self, condition: &Condition) -> Term {
        let t = &self.terms;
        match condition {
            Condition::True => t.tt(),
            Condition::P(true) => self.v("p"),
            Condition::P(false) => t.not(self.v("p")),
            Condition::VIs(value) => t.eq(self.v("v"), self.bits(*value)),
            Condition::VBelow(value) => t.bv(BvOp::Ult, &[self.v("v"), self.bits(*value)]),
            Condition::Not(c) => t.not(self.condition(c)),
            Condition::And(a, b) => t.and2(self.condition(a), self.condition(b)),
            Condition::Or(a, b) => t.or2(self.condition(a), self.condition(b)),
        }
    }

    fn transition(&self, action: &Action) -> Transition {
        let t = &self.terms;
        let (p, v) = (Arc::<str>::from("p"), Arc::<str>::from("v"));
        let add = |term| t.bv(BvOp::Add, &[self.v("v"), term]);
        match action {
            Action::Assume(c) => Transition::assume(self.condition(c)),
            Action::SetP(c) => Transition::assign(t, &p, self.condition(c)),
            Action::SetV(value) => Transition::assign(t, &v, self.bits(*value)),
            Action::AddV(value) => Transition::assign(t, &v, add(self.bits(*value))),
            Action::Havoc(with_p, with_v) => {
                let names = [(with_p, p), (with_v, v)];
                Transition::havoc(
                    t,
                    names.into_iter().filter(|(with, _)| **with).map(|(_, x)| x),
                )
            }
            Action::Some(bound) => {
                let aux = t.fresh_aux("k", Sort::BitVec(WIDTH));
                let below = t.bv(BvOp::Ult, &[aux, self.bits(*bound)]);
                Transition {
                    formula: t.and2(below, t.eq(self.next("v"), add(aux))),
                    changed: BTreeSet::from([v]),
                }
            }
            Action::Either(c) => {
                let does = t.and2(
                    t.eq(self.next("p"), self.condition(c)),
                    t.eq(self.next("v"), add(self.bits(1))),
                );
                let nothing = t.and2(
                    t.eq(self.next("p"), self.v("p")),
                    t.eq(self.next("v"), self.v("v")),
                );
                Transition {
                    formula: t.or2(does, nothing),
                    changed: BTreeSet::from([p, v]),
                }
            }
        }
    }
}

fn scene(edges: &[(usize, Action, usize)]) -> Scene {
    let mut s = Scene::new(&[("p", Sort::Bool), ("v", Sort::BitVec(WIDTH))]);
    for i in 1..=LOCATIONS {
        s.at(&location_name(i));
    }
    for (from, action, to) in edges {
        let transition = s.transition(action);
        s.edge(&location_name(*from), transition, &location_name(*to));
    }
    s
}

fn location_name(i: usize) -> String {
    match i {
        0 => "start".into(),
        i if i + 1 >= LOCATIONS => format!("err{i}"),
        i => format!("l{i}"),
    }
}

/// All states, and which ones each edge connects, by enumeration.
struct Enumerated {
    states: Vec<State>,
    /// For every edge and state, the states after.
    after: BTreeMap<EdgeId, Vec<Vec<usize>>>,
}

fn holds(s: &Scene, formula: Term, before: &State, after: Option<&State>) -> bool {
    let aux: Vec<u32> = s
        .terms
        .free_vars(&[formula])
        .into_iter()
        .filter_map(|t| match s.terms.as_var(t)?.version {
            Version::Aux(number) => Some(number),
            _ => None,
        })
        .collect();
    // At most one auxiliary, of the sort bv2.
    (0..4u32).any(|k| {
        let aux = aux
            .iter()
            .map(|&n| (n, Value::BitVec(k.into(), WIDTH)))
            .collect();
        let valuation = Valuation {
            before,
            after,
            aux: Some(&aux),
            rigid: &RigidMeaning::default(),
        };
        eval(&s.terms, formula, &valuation) == Ok(Value::Bool(true))
    })
}

fn enumerate(s: &Scene) -> Enumerated {
    let states: Vec<State> = (0..8u32)
        .map(|i| {
            state(&[
                ("p", Value::Bool(i % 2 == 1)),
                ("v", Value::BitVec((i / 2).into(), WIDTH)),
            ])
        })
        .collect();
    let after = s
        .graph
        .graph
        .edge_indices()
        .map(|edge| {
            let transition = &s.graph.graph[edge].transition;
            let connected = |before: &State, after: &State| {
                s.graph
                    .variables
                    .keys()
                    .all(|x| transition.changed.contains(x) || before[x] == after[x])
                    && holds(s, transition.formula, before, Some(after))
            };
            let table = states
                .iter()
                .map(|before| {
                    (0..states.len())
                        .filter(|&i| connected(before, &states[i]))
                        .collect()
                })
                .collect();
            (edge, table)
        })
        .collect();
    Enumerated { states, after }
}

type Reached = BTreeSet<(LocationId, usize)>;

/// What runs reach from the given places without going on from those where `stop` says so.
fn explore(
    s: &Scene,
    e: &Enumerated,
    from: &Reached,
    stop: impl Fn(LocationId) -> bool,
) -> Reached {
    let mut reached = Reached::new();
    let mut work: Vec<(LocationId, usize)> = from.iter().copied().collect();
    while let Some((location, state)) = work.pop() {
        for edge in s.graph.graph.edges(location) {
            use petgraph::visit::EdgeRef as _;
            for &next in &e.after[&edge.id()][state] {
                if reached.insert((edge.target(), next)) && !stop(edge.target()) {
                    work.push((edge.target(), next));
                }
            }
        }
    }
    reached
}

fn initial(s: &Scene, e: &Enumerated) -> Reached {
    (0..e.states.len()).map(|i| (s.graph.initial, i)).collect()
}

/// All reachable pairs of location and state.
fn reachable(s: &Scene, e: &Enumerated) -> Reached {
    let from = initial(s, e);
    let mut all = explore(s, e, &from, |_| false);
    all.extend(from);
    all
}

/// The formula that is true in exactly these states.
fn exactly(s: &Scene, e: &Enumerated, states: impl Iterator<Item = usize>) -> Term {
    let t = &s.terms;
    t.or(states
        .map(|i| {
            let Value::Bool(p) = e.states[i]["p"] else {
                unreachable!("p is boolean")
            };
            let Value::BitVec(v, _) = &e.states[i]["v"] else {
                unreachable!("v is a bit-vector")
            };
            let p = if p { s.v("p") } else { t.not(s.v("p")) };
            t.and2(p, t.eq(s.v("v"), t.bitvec(v.clone(), WIDTH)))
        })
        .collect::<Vec<_>>())
}

/// The exact reachable states as invariants at the given locations.
fn exact(s: &Scene, e: &Enumerated, at: impl Iterator<Item = LocationId>) -> Invariants {
    let all = reachable(s, e);
    let errors = |l: &LocationId| s.graph.graph[*l].error.is_some();
    Invariants {
        at: at
            .map(|l| {
                let here = all.iter().filter(|(k, _)| *k == l).map(|(_, i)| *i);
                (l, exactly(s, e, here))
            })
            .collect(),
        exempt: all.iter().map(|(l, _)| *l).filter(errors).collect(),
        ..Invariants::default()
    }
}

/// Whether the claim is right, by enumeration of every region. `None` if a cycle is not cut.
fn is_inductive(s: &Scene, e: &Enumerated, claim: &Invariants) -> Option<bool> {
    let error = |l: LocationId| s.graph.graph[l].error.is_some();
    let cut = |l: LocationId| l == s.graph.initial || error(l) || claim.at.contains_key(&l);
    // A path along inner locations back to itself.
    let inner = s.graph.graph.node_indices().filter(|&l| !cut(l));
    for start in inner.filter(|&l| connected(s, claim, l)) {
        let mut seen = BTreeSet::new();
        let mut work = vec![start];
        while let Some(l) = work.pop() {
            for edge in s.graph.graph.edges(l) {
                use petgraph::visit::EdgeRef as _;
                let next = edge.target();
                if edge.weight().transition.formula == s.terms.ff() {
                    continue;
                }
                if next == start {
                    return None;
                }
                if !cut(next) && seen.insert(next) {
                    work.push(next);
                }
            }
        }
    }
    let satisfied = |l: LocationId, i: usize| {
        claim
            .at
            .get(&l)
            .is_none_or(|&f| holds(s, f, &e.states[i], None))
    };
    if !initial(s, e).iter().all(|&(l, i)| satisfied(l, i)) {
        return Some(false);
    }
    let from: Reached = s
        .graph
        .graph
        .node_indices()
        .filter(|&l| cut(l) && connected(s, claim, l))
        .flat_map(|l| (0..e.states.len()).map(move |i| (l, i)))
        .filter(|&(l, i)| satisfied(l, i))
        .collect();
    Some(
        explore(s, e, &from, cut)
            .iter()
            .all(|&(l, i)| satisfied(l, i) && (!error(l) || claim.exempt.contains(&l))),
    )
}

/// Whether the argument is right, by enumeration of segments.
fn holds_by_segments(
    s: &Scene,
    e: &Enumerated,
    claim: &Invariants,
    error: LocationId,
    argument: Argument,
) -> bool {
    let is_error = |l: LocationId| s.graph.graph[l].error.is_some();
    let cut = |l: LocationId| l == s.graph.initial || is_error(l) || claim.at.contains_key(&l);
    let satisfied = |&(l, i): &(LocationId, usize)| {
        cut(l)
            && claim
                .at
                .get(&l)
                .is_none_or(|&f| holds(s, f, &e.states[i], None))
    };
    let segment = |from: &Reached| -> Reached {
        let reached = explore(s, e, from, cut);
        reached.into_iter().filter(satisfied).collect()
    };
    let here = |set: &Reached| set.iter().any(|(l, _)| *l == error);
    let mut layers = vec![initial(s, e)];
    let (Argument::Inductive(k) | Argument::Bounded(k)) = argument else {
        unreachable!("the others are not about segments");
    };
    for _ in 0..k.get() {
        layers.push(segment(&layers[layers.len() - 1]));
    }
    let before: &[Reached] = match argument {
        Argument::Inductive(_) => &layers[..k.get() as usize],
        _ => &layers,
    };
    if before.iter().any(here) {
        return false;
    }
    match argument {
        Argument::Inductive(k) => {
            let mut last: Reached = s
                .graph
                .graph
                .node_indices()
                .filter(|&l| connected(s, claim, l))
                .flat_map(|l| (0..e.states.len()).map(move |i| (l, i)))
                .filter(satisfied)
                .collect();
            for _ in 0..k.get() {
                last = segment(&last);
            }
            !here(&last)
        }
        _ => layers[layers.len() - 1]
            .iter()
            .all(|&(l, _)| !leads(s, claim, l, error)),
    }
}

/// Whether a location can be reached along edges at all, not through what is claimed dead.
fn connected(s: &Scene, claim: &Invariants, goal: LocationId) -> bool {
    leads(s, claim, s.graph.initial, goal)
}

fn leads(s: &Scene, claim: &Invariants, from: LocationId, goal: LocationId) -> bool {
    let mut seen = BTreeSet::from([from]);
    let mut work = vec![from];
    while let Some(l) = work.pop() {
        if claim.at.get(&l) == Some(&s.terms.ff()) {
            continue;
        }
        for edge in s.graph.graph.edges(l) {
            use petgraph::visit::EdgeRef as _;
            let possible = edge.weight().transition.formula != s.terms.ff();
            if possible && seen.insert(edge.target()) {
                work.push(edge.target());
            }
        }
    }
    seen.contains(&goal)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    /// Whatever is confirmed is true of every reachable state.
    #[test]
    fn confirmed_invariants_hold(
        edges in edges(),
        candidates in prop::collection::btree_map(0..=LOCATIONS, condition(), 1..5),
        exempt in any::<[bool; 2]>(),
    ) {
        let s = scene(&edges);
        let e = enumerate(&s);
        let mut claim = Invariants::default();
        for (i, c) in &candidates {
            claim.at.insert(LocationId::new(*i), s.condition(c));
        }
        for (i, exempt) in exempt.into_iter().enumerate() {
            if exempt {
                claim.exempt.insert(LocationId::new(LOCATIONS - i));
            }
        }
        let confirmed = s.confirm(&claim);
        if let Ok(proof) = &confirmed {
            for (l, i) in reachable(&s, &e) {
                if let Some(&formula) = proof.invariants().get(&l) {
                    prop_assert!(holds(&s, formula, &e.states[i], None));
                }
                prop_assert!(!proof.excluded().contains(&l));
            }
        }
        // Nothing true is refused, either: `is_inductive` is more demanding only about parts of
        // the graph that no run can get to.
        match is_inductive(&s, &e, &claim) {
            Some(true) => prop_assert!(confirmed.is_ok(), "{confirmed:?}"),
            Some(false) => prop_assert!(confirmed.is_err(), "{confirmed:?}"),
            None => assert_proof_rejected(confirmed, "has no invariant"),
        }
    }

    /// What several segments in a row exclude is not reached; and they are believed exactly where
    /// enumeration finds no such segments.
    #[test]
    fn segments_in_a_row_agree_with_enumeration(
        edges in edges(),
        cut in any::<[bool; LOCATIONS]>(),
        weaker in any::<[bool; LOCATIONS]>(),
        k in 1..5u32,
        is_bounded in any::<bool>(),
    ) {
        let s = scene(&edges);
        let e = enumerate(&s);
        let locations = (1..LOCATIONS - 1).filter(|&i| cut[i]).map(LocationId::new);
        let mut claim = exact(&s, &e, locations);
        claim.exempt.clear();
        for (l, formula) in &mut claim.at {
            if weaker[l.index()] {
                *formula = s.terms.tt();
            }
        }
        let argument = if is_bounded { bounded(k) } else { inductive(k) };
        claim.arguments = s.graph.errors().map(|error| (error, argument)).collect();
        let mut without = claim.clone();
        without.exempt = s.graph.errors().collect();
        let mut checker =
            Checker::new(&s.terms, &s.graph, &Control::unlimited(), &Options::default());
        let claims = Claims { invariants: Some(claim.clone()), ..Claims::default() };
        let verdicts = checker.decide(&claims, &mut Statistics::default());
        let formulas_are_fine = s.confirm(&without).is_ok();
        let all = reachable(&s, &e);
        for (error, verdict) in verdicts {
            if verdict.is_safe() {
                prop_assert!(!all.iter().any(|(l, _)| *l == error));
            }
            let expected = formulas_are_fine && holds_by_segments(&s, &e, &claim, error, argument);
            prop_assert_eq!(verdict.is_safe(), expected, "{:?}", verdict);
        }
    }

    /// What following all runs excludes is not reached; and where nothing is left open, it excludes all that is not.
    #[test]
    fn what_is_explored_agrees_with_enumeration(
        edges in edges(),
        begins in any::<bool>(),
        cut in any::<[bool; LOCATIONS]>(),
    ) {
        let mut s = scene(&edges);
        if begins {
            // Another start, where both variables are set.
            s.edge("first", s.transition(&Action::SetP(Condition::True)), "second");
            s.edge("second", s.transition(&Action::SetV(0)), "start");
            s.graph.initial = s.find("first").unwrap();
        }
        let e = enumerate(&s);
        let locations = (0..LOCATIONS - 1).filter(|&i| cut[i]).map(LocationId::new);
        let explored = |error| (error, Argument::Explored);
        let claim = Invariants {
            at: locations.map(|location| (location, s.terms.tt())).collect(),
            arguments: s.graph.errors().map(explored).collect(),
            ..Invariants::default()
        };
        let is_cut = s.confirm(&Invariants {
            exempt: s.graph.errors().collect(),
            ..claim.clone()
        }).is_ok();
        let mut checker =
            Checker::new(&s.terms, &s.graph, &Control::unlimited(), &Options::default());
        let claims = Claims { invariants: Some(claim), ..Claims::default() };
        let verdicts = checker.decide(&claims, &mut Statistics::default());
        let all = reachable(&s, &e);
        let is_open = |(_, action, _): &(usize, Action, usize)| {
            matches!(action, Action::Havoc(..) | Action::Some(_) | Action::Either(_))
        };
        let is_determined = begins && !edges.iter().any(is_open);
        for (error, verdict) in verdicts {
            let is_reached = all.iter().any(|(l, _)| *l == error);
            prop_assert!(!(verdict.is_safe() && is_reached));
            if is_cut && is_determined && !is_reached {
                prop_assert!(verdict.is_safe(), "{:?}", verdict);
            }
        }
    }

    /// The exact reachable states are confirmed, and no smaller set is.
    #[test]
    fn exact_invariants_are_confirmed_and_smaller_ones_are_not(
        edges in edges(),
        victim in any::<prop::sample::Index>(),
    ) {
        let s = scene(&edges);
        let e = enumerate(&s);
        let everywhere = exact(&s, &e, s.graph.graph.node_indices());
        let confirmed = s.confirm(&everywhere);
        prop_assert!(confirmed.is_ok(), "{confirmed:?}");
        let all: Vec<(LocationId, usize)> = reachable(&s, &e).into_iter().collect();
        let (l, i) = *victim.get(&all);
        let mut smaller = everywhere;
        let without = all.iter().filter(|&&(k, j)| k == l && j != i).map(|&(_, j)| j);
        smaller.at.insert(l, exactly(&s, &e, without));
        let refused = s.confirm(&smaller);
        prop_assert!(refused.is_err(), "{l:?} {i}: {refused:?}");
    }

    /// Verdicts agree with enumeration: runs found by search and the exact invariants decide all.
    #[test]
    fn verdicts_agree_with_enumeration(edges in edges()) {
        let s = scene(&edges);
        let e = enumerate(&s);
        let mut claims = Claims {
            invariants: Some(exact(&s, &e, s.graph.graph.node_indices())),
            ..Claims::default()
        };
        let all = reachable(&s, &e);
        for error in s.graph.errors() {
            if let Some(run) = shortest(&s, &e, error) {
                claims.runs.insert(error, run);
            }
        }
        let mut checker =
            Checker::new(&s.terms, &s.graph, &Control::unlimited(), &Options::default());
        let verdicts = checker.decide(&claims, &mut Statistics::default());
        for (error, verdict) in verdicts {
            let reached = all.iter().any(|(l, _)| *l == error);
            match verdict {
                Verdict::Safe(_) => prop_assert!(!reached),
                Verdict::Unsafe(_) => prop_assert!(reached),
                Verdict::Unknown(reason) => prop_assert!(false, "{reason}"),
            }
        }
    }
}

/// A shortest run to an error location.
fn shortest(s: &Scene, e: &Enumerated, error: LocationId) -> Option<Run> {
    use petgraph::visit::EdgeRef as _;
    type Place = (LocationId, usize);
    let mut came: BTreeMap<Place, Option<(Place, EdgeId)>> =
        initial(s, e).into_iter().map(|p| (p, None)).collect();
    let mut work: std::collections::VecDeque<Place> = came.keys().copied().collect();
    while let Some(place) = work.pop_front() {
        if place.0 == error {
            let mut steps = Vec::new();
            let mut here = place;
            while let Some(Some((before, edge))) = came.get(&here) {
                let mut taken = step(*edge, e.states[here.1].clone());
                *taken.aux_mut() = auxiliary(s, *edge, &e.states[before.1], &e.states[here.1]);
                steps.push(taken);
                here = *before;
            }
            steps.reverse();
            return Some(run(e.states[here.1].clone(), steps));
        }
        for edge in s.graph.graph.edges(place.0) {
            for &next in &e.after[&edge.id()][place.1] {
                let there = (edge.target(), next);
                if let std::collections::btree_map::Entry::Vacant(entry) = came.entry(there) {
                    entry.insert(Some((place, edge.id())));
                    work.push_back(there);
                }
            }
        }
    }
    None
}

/// Values of the auxiliaries that make the edge's formula true.
fn auxiliary(s: &Scene, edge: EdgeId, before: &State, after: &State) -> BTreeMap<u32, Value> {
    let formula = s.graph.graph[edge].transition.formula;
    for var in s.terms.free_vars(&[formula]) {
        let Some(Version::Aux(number)) = s.terms.as_var(var).map(|v| v.version) else {
            continue;
        };
        for k in 0..4u32 {
            let value = s.bits(k);
            let map = std::collections::HashMap::from([(var, value)]);
            if holds(s, s.terms.substitute(formula, &map), before, Some(after)) {
                return BTreeMap::from([(number, Value::BitVec(k.into(), WIDTH))]);
            }
        }
    }
    BTreeMap::new()
}
