//! Abstraction, covering and predicates by themselves.

use proptest::prelude::*;

use super::super::diagram::atoms;
use super::super::entail::Entailments;
use super::super::posts::{Feasibility, Posts};
use super::super::precision::{Place, Precision, predicates};
use super::super::state::{Abstract, States};
use super::*;
use crate::blocks::Blocks;
use ult_core::formula::{Sort, Term};
use ult_core::graph::{Edge, EdgeId, Location, LocationId, Transition};
use ult_smt::{Answer, Session};

/// A graph with one edge that lets through what satisfies a condition.
fn filter(t: &Terms, condition: Term) -> ProgramGraph {
    let mut graph = ProgramGraph::new("test");
    for name in ["x", "y"] {
        graph.variables.insert(name.into(), Sort::Int);
    }
    for name in ["p", "q"] {
        graph.variables.insert(name.into(), Sort::Bool);
    }
    let end = graph.graph.add_node(Location::named("end"));
    let edge = Edge::new(Transition::assume(condition), None);
    graph.graph.add_edge(graph.initial, end, edge);
    graph.check(t).expect("well formed");
    graph
}

/// The abstraction of a condition as a formula (`None` if it is contradictory), and the number of
/// questions.
fn abstracted(
    t: &Terms,
    condition: Term,
    predicates: &[Term],
    abstraction: Abstraction,
    form: StateForm,
) -> (Option<Term>, u64) {
    let graph = filter(t, condition);
    let session = Session::new(t, &[], &Control::unlimited());
    let mut posts = Posts::new(Blocks::new(&session, &graph), BTreeMap::new());
    let mut stats = Statistics::default();
    let found = posts
        .post(
            EdgeId::new(0),
            t.tt(),
            predicates,
            abstraction,
            Feasibility::Assumed,
            &mut stats,
        )
        .expect("not stopped");
    session.take_calls(&mut stats);
    let mut states = States::new(t, form);
    let formula = found.map(|found| states.abstraction(&found).formula());
    (formula, stats.solver_calls)
}

fn implies(t: &Terms, a: Term, b: Term) -> bool {
    let session = Session::new(t, &[], &Control::unlimited());
    let mut solver = session.solver();
    solver.assert(t.and2(a, t.not(b))).expect("understood");
    solver.check(&[], None) == Answer::Unsat
}

const FORMS: [StateForm; 2] = [StateForm::Bdd, StateForm::Formula];

#[test]
fn a_cartesian_abstraction_loses_disjunctions() {
    let t = Terms::new();
    let [p, q] = ["p", "q"].map(|name| t.current(name, Sort::Bool));
    let same = t.or2(t.and2(p, q), t.and2(t.not(p), t.not(q)));
    for form in FORMS {
        let (cartesian, _) = abstracted(&t, same, &[p, q], Abstraction::Cartesian, form);
        assert_eq!(cartesian, Some(t.tt()));
        for abstraction in [Abstraction::Boolean, Abstraction::CartesianThenBoolean] {
            let (boolean, _) = abstracted(&t, same, &[p, q], abstraction, form);
            let boolean = boolean.expect("feasible");
            assert!(implies(&t, boolean, t.eq(p, q)) && implies(&t, t.eq(p, q), boolean));
        }
    }
}

#[test]
fn an_empty_precision_asks_nothing() {
    let t = Terms::new();
    let [p, q] = ["p", "q"].map(|name| t.current(name, Sort::Bool));
    for &(abstraction, ..) in Abstraction::ALL {
        let found = abstracted(&t, t.and2(p, q), &[], abstraction, StateForm::Bdd);
        assert_eq!(found, (Some(t.tt()), 0));
    }
}

#[test]
fn negated_predicates_are_found_and_contradictions_too() {
    let t = Terms::new();
    let x = t.current("x", Sort::Int);
    let small = t.le(x, t.int(3));
    let large = t.ge(x, t.int(10));
    for &(abstraction, ..) in Abstraction::ALL {
        for form in FORMS {
            let (found, _) = abstracted(&t, large, &[small], abstraction, form);
            let found = found.expect("feasible");
            assert!(implies(&t, found, t.not(small)), "{}", t.display(found));
            let none = abstracted(&t, t.and2(small, large), &[small], abstraction, form);
            assert_eq!(none.0, None);
        }
    }
}

/// The example of the thesis, section 5.3.
#[test]
fn diagrams_do_not_see_what_atoms_mean() {
    let t = Terms::new();
    let x = t.current("x", Sort::Int);
    let state = |states: &mut States<'_>, formula: Term| {
        states.abstraction(&Abstract {
            literals: vec![formula],
            cubes: Vec::new(),
        })
    };
    let mut diagrams = States::new(&t, StateForm::Bdd);
    let one = state(&mut diagrams, t.eq(x, t.int(1)));
    let positive = state(&mut diagrams, t.ge(x, t.int(0)));
    assert_eq!(diagrams.implies(&one, &positive), Some(false));
    assert_eq!(diagrams.implies(&one, &one), Some(true));
    let session = Session::new(&t, &[], &Control::unlimited());
    let mut entailments = Entailments::new(&session);
    let at = LocationId::new(0);
    assert_eq!(
        entailments.implies(at, &[], one.formula(), positive.formula()),
        Ok(true)
    );
    assert_eq!(
        entailments.implies(at, &[], positive.formula(), one.formula()),
        Ok(false)
    );
}

#[test]
fn what_is_known_at_a_location_helps_covering_there_only() {
    let t = Terms::new();
    let x = t.current("x", Sort::Int);
    let (low, positive) = (t.ge(x, t.int(-1)), t.ge(x, t.int(0)));
    let (here, there) = (LocationId::new(0), LocationId::new(1));
    let known = [t.neq(x, t.int(-1))];
    let session = Session::new(&t, &[], &Control::unlimited());
    let mut entailments = Entailments::new(&session);
    assert_eq!(entailments.implies(here, &known, low, positive), Ok(true));
    assert_eq!(entailments.implies(there, &[], low, positive), Ok(false));
}

#[test]
fn predicates_are_the_whole_interpolant_or_its_atoms() {
    let t = Terms::new();
    let x = t.current("x", Sort::Int);
    let [low, high] = [t.ge(x, t.int(0)), t.le(x, t.int(9))];
    let both = t.and2(low, t.not(high));
    assert_eq!(predicates(&t, Predicates::Whole, both), [both]);
    let found = predicates(&t, Predicates::Atoms, both);
    let expected: Vec<Term> = atoms(&t, t.or2(low, high)).into_iter().collect();
    assert_eq!(found, expected);
    for which in [Predicates::Whole, Predicates::Atoms] {
        assert!(predicates(&t, which, t.tt()).is_empty());
        assert!(predicates(&t, which, t.ff()).is_empty());
    }
}

#[test]
fn a_predicate_is_used_as_far_as_its_scope_reaches() {
    let t = Terms::new();
    let mut graph = ProgramGraph::new("test");
    let mut location = |name: &str, procedure: &str| {
        graph.graph.add_node(Location {
            procedure: Some(procedure.into()),
            ..Location::named(name)
        })
    };
    let locations = [
        location("here", "main"),
        location("there", "main"),
        location("far", "callee"),
    ];
    let predicate = t.ge(t.current("x", Sort::Int), t.int(0));
    for (scope, expected) in [
        (Scope::Location, [true, false, false]),
        (Scope::Procedure, [true, true, false]),
        (Scope::Global, [true, true, true]),
    ] {
        let mut precision = Precision::default();
        precision.add(Place::of(scope, &graph, locations[0]), [predicate]);
        let used = locations.map(|l| precision.has(&Place::of(scope, &graph, l), predicate));
        assert_eq!(used, expected, "{scope:?}");
    }
}

/// A random condition over two integers and two truth values.
#[derive(Clone, Debug)]
enum Condition {
    P,
    Q,
    /// `x + a * y <= b`
    Below(i64, i64),
    Not(Box<Condition>),
    And(Box<Condition>, Box<Condition>),
    Or(Box<Condition>, Box<Condition>),
}

impl Condition {
    fn term(&self, t: &Terms) -> Term {
        match self {
            Condition::P => t.current("p", Sort::Bool),
            Condition::Q => t.current("q", Sort::Bool),
            Condition::Below(a, b) => {
                let [x, y] = ["x", "y"].map(|name| t.current(name, Sort::Int));
                let sum = t.add(&[x, t.mul(&[t.int(*a), y])]);
                t.le(sum, t.int(*b))
            }
            Condition::Not(a) => t.not(a.term(t)),
            Condition::And(a, b) => t.and2(a.term(t), b.term(t)),
            Condition::Or(a, b) => t.or2(a.term(t), b.term(t)),
        }
    }
}

fn condition() -> impl proptest::strategy::Strategy<Value = Condition> {
    let leaf = prop_oneof![
        Just(Condition::P),
        Just(Condition::Q),
        (-2i64..3, -3i64..4).prop_map(|(a, b)| Condition::Below(a, b)),
    ];
    leaf.prop_recursive(4, 16, 2, |inner| {
        prop_oneof![
            inner.clone().prop_map(|a| Condition::Not(Box::new(a))),
            (inner.clone(), inner.clone())
                .prop_map(|(a, b)| Condition::And(Box::new(a), Box::new(b))),
            (inner.clone(), inner).prop_map(|(a, b)| Condition::Or(Box::new(a), Box::new(b))),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn abstractions_are_implied_and_boolean_ones_are_stronger(
        condition in condition(),
        limits in prop::collection::vec((-2i64..3, -3i64..4), 0..3),
    ) {
        let t = Terms::new();
        let condition = condition.term(&t);
        let [p, q] = ["p", "q"].map(|name| t.current(name, Sort::Bool));
        let mut predicates = vec![p, q];
        predicates.extend(limits.iter().map(|&(a, b)| Condition::Below(a, b).term(&t)));
        predicates.retain(|&p| p != t.tt() && p != t.ff());
        for form in FORMS {
            let of = |abstraction| abstracted(&t, condition, &predicates, abstraction, form).0;
            let cartesian = of(Abstraction::Cartesian);
            let boolean = of(Abstraction::Boolean);
            let both = of(Abstraction::CartesianThenBoolean);
            match (cartesian, boolean, both) {
                (Some(cartesian), Some(boolean), Some(both)) => {
                    prop_assert!(implies(&t, condition, boolean));
                    prop_assert!(implies(&t, boolean, cartesian));
                    prop_assert!(implies(&t, boolean, both) && implies(&t, both, boolean));
                }
                (None, None, None) => prop_assert!(implies(&t, condition, t.ff())),
                other => prop_assert!(false, "{other:?}"),
            }
        }
    }
}
