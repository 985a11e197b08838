//! What was written is read as the same.

use std::collections::BTreeMap;
use std::sync::Arc;

use proptest::prelude::*;

use super::*;
use crate::formulas;
use crate::scope::Scope;
use ult_core::control::Control;
use ult_core::formula::{
    ConstructValue, Entries, Float, Format, FunctionValue, MapValue, Mode, Value,
};
use ult_core::graph::EdgeId;
use ult_core::graph::evidence::{Argument, RigidMeaning, Run, State, Step};

/// In a store where other terms were made before.
fn elsewhere(text: &str) -> (Example, Evidence) {
    let other = example();
    for number in 0..10 {
        other.terms.fresh_aux("other", Sort::Int);
        other.terms.int(1000 - number);
    }
    let read = Evidence::read(&other.terms, &other.graph, text, &Control::unlimited());
    let read = read.unwrap_or_else(|damage| panic!("{damage}\n{text}"));
    (other, read)
}

#[test]
fn a_proof_with_every_operator_survives() {
    let example = example();
    let evidence = example.evidence();
    let text = evidence
        .write(&example.terms, &example.graph)
        .expect("a text");
    let (other, read) = elsewhere(&text);
    let [before, after] = [&evidence.proofs[0], &read.proofs[0]];
    assert_eq!(before.exempt, after.exempt);
    assert_eq!(before.arguments, after.arguments);
    let shown = |terms: &Terms, invariants: &Invariants| -> BTreeMap<LocationId, String> {
        let at = invariants.at.iter();
        at.map(|(&l, &formula)| (l, terms.display(formula)))
            .collect()
    };
    assert_eq!(shown(&example.terms, before), shown(&other.terms, after));
    // And it is a fixed point.
    assert_eq!(
        read.write(&other.terms, &other.graph).as_deref(),
        Some(&*text)
    );
    // In its own store it is the same term, but for the names of what is bound.
    let again = Evidence::read(&example.terms, &example.graph, &text, &Control::unlimited());
    let again = again.expect("the same").proofs.remove(0).at[&example.head];
    let conjuncts = |formula| example.terms.conjuncts(formula);
    let same = conjuncts(again)
        .iter()
        .zip(conjuncts(example.formula()))
        .filter(|(a, b)| *a == b)
        .count();
    assert!(same >= 8, "{same}");
}

fn values() -> Vec<Value> {
    let format = Format::new(8, 24).expect("single");
    let int = |value: i64| Value::int(value);
    let mut entries = Entries::default();
    entries.insert_mut(vec![int(-3), Value::Bool(true)], int(4));
    vec![
        int(i64::MIN),
        Value::Real(num_rational::BigRational::new((-7).into(), 9.into())),
        Value::BitVec(0xffu32.into(), 32),
        Value::Float(Float::nan(format)),
        Value::Float(Float::infinity(format, true)),
        Value::Map(Arc::new(MapValue {
            domain: vec![Sort::Int, Sort::Bool],
            default: int(1),
            entries,
        })),
        Value::Element("T".into(), 5),
        Value::Construct(Arc::new(ConstructValue {
            constructor: 1,
            name: "both %".into(),
            fields: vec![int(1), Value::Bool(false)],
        })),
        Value::Rounding(Mode::TowardZero),
    ]
}

#[test]
fn a_run_with_every_kind_of_value_survives() {
    let example = example();
    let names = ["n", "r", "b", "d", "d", "m", "u", "p", "n"];
    let start: State = names.map(Arc::from).into_iter().zip(values()).collect();
    let aux = example
        .terms
        .free_vars(&[example.graph.graph[EdgeId::new(1)].transition.formula])
        .into_iter()
        .find_map(|term| match example.terms.as_var(term)?.version {
            Version::Aux(number) => Some(number),
            _ => None,
        })
        .expect("an auxiliary");
    let run = Run::new(
        start,
        vec![
            Step::determined(EdgeId::new(0)),
            Step::determined(EdgeId::new(1)),
            Step::new(
                EdgeId::new(1),
                [(aux, Value::int(2)), (aux + 100, Value::int(3))].into(),
                [(Arc::from("n"), Value::int(9))].into_iter().collect(),
            ),
            Step::determined(EdgeId::new(2)),
        ],
        RigidMeaning {
            functions: [(
                function().name.clone(),
                FunctionValue {
                    default: Value::int(0),
                    entries: [(vec![Value::int(3)], Value::int(-4))].into(),
                },
            )]
            .into(),
        },
    );
    let evidence = Evidence {
        proofs: Vec::new(),
        runs: BTreeMap::from([(example.error, run.clone())]),
    };
    let text = evidence
        .write(&example.terms, &example.graph)
        .expect("a text");
    let (other, read) = elsewhere(&text);
    let after = &read.runs[&other.error];
    for (name, value) in &run.start {
        assert_eq!(after.start.get(name), Some(value), "{name}");
    }
    let edges = |run: &Run| run.steps.iter().map(|step| step.edge).collect::<Vec<_>>();
    assert_eq!(edges(after), edges(&run));
    assert_eq!(after.steps[2].value("n"), Some(&Value::int(9)));
    assert_eq!(after.rigid.functions, run.rigid.functions);
    // The auxiliary has another number there, and one that the edge does not have is left out.
    assert_eq!(
        after.steps[2].aux().values().collect::<Vec<_>>(),
        [&Value::int(2)]
    );
    assert_eq!(
        read.write(&other.terms, &other.graph).as_deref(),
        Some(&*text)
    );
}

#[test]
fn variables_come_and_go_beside_a_run() {
    let mut example = example();
    let run = Run::new(
        [
            (Arc::from("gone"), Value::int(1)),
            (Arc::from("n"), Value::int(7)),
        ]
        .into_iter()
        .collect(),
        vec![Step::determined(EdgeId::new(0))],
        RigidMeaning::default(),
    );
    let evidence = Evidence {
        proofs: Vec::new(),
        runs: BTreeMap::from([(example.error, run)]),
    };
    let text = evidence
        .write(&example.terms, &example.graph)
        .expect("a text");
    example.graph.variables.insert("new".into(), Sort::Bool);
    let read = Evidence::read(&example.terms, &example.graph, &text, &Control::unlimited());
    let start = &read.expect("a run").runs[&example.error].start;
    assert_eq!(start["n"], Value::int(7));
    assert_eq!(start["new"], Value::Bool(false));
    assert!(!start.contains_key("gone"));
}

#[test]
fn a_run_under_other_axioms_is_left_out() {
    let mut example = example();
    let run = Run::new(
        State::default(),
        vec![Step::determined(EdgeId::new(0))],
        RigidMeaning::default(),
    );
    let mut evidence = example.evidence();
    evidence.runs.insert(example.error, run);
    let text = evidence
        .write(&example.terms, &example.graph)
        .expect("a text");
    example.graph.axioms.push(example.terms.ff());
    let read = Evidence::read(&example.terms, &example.graph, &text, &Control::unlimited());
    let read = read.expect("it is fine");
    assert_eq!((read.proofs.len(), read.runs.len()), (1, 0));
}

#[test]
fn shared_terms_are_written_once() {
    let example = example();
    let t = &example.terms;
    let mut term = example.variable("n");
    for number in 0..2000 {
        // A tree of these has 2^2000 leaves.
        term = t.ite(
            t.lt(term, t.int(number)),
            term,
            t.add(&[t.mul(&[term, term]), t.int(1)]),
        );
    }
    let text = formulas::write(t, &[t.lt(term, t.int(0))]).expect("a text");
    assert!(text.lines().count() < 20_000);
    let scope = Scope::of_graph(t, &example.graph);
    let read = formulas::read(t, &scope, &text, &Control::unlimited()).expect("a formula");
    assert_eq!(read, [t.lt(term, t.int(0))]);
}

#[test]
fn what_the_text_does_not_have_is_not_written() {
    let example = example();
    let t = &example.terms;
    for stray in [t.next("n", Sort::Int), t.fresh_aux("a", Sort::Int)] {
        assert_eq!(formulas::write(t, &[t.lt(stray, t.int(0))]), None);
    }
}

/// A term of sort int from a list of choices.
fn grown(example: &Example, choices: &[(u8, i64)]) -> Term {
    let t = &example.terms;
    let mut made = vec![example.variable("n")];
    for &(choice, number) in choices {
        let pick = |offset: usize| {
            let index = usize::try_from(number.unsigned_abs())
                .unwrap_or(0)
                .wrapping_add(offset);
            made[index % made.len()]
        };
        let (a, b) = (pick(0), pick(7));
        let term = match choice % 9 {
            0 => t.int(number),
            1 => t.add(&[a, b, t.int(number)]),
            2 => t.mul(&[a, t.int(number % 100)]),
            3 => t.ite(t.lt(a, b), b, t.neg(a)),
            4 => t.div(a, t.int(number.max(2))),
            5 => t.apply(&function(), &[a]),
            6 => t.select(example.variable("m"), &[a, t.le(a, b)]),
            7 => t.ite(t.or2(t.eq(a, b), t.not(t.le(b, a))), a, t.int(number)),
            _ => t.sub(a, b),
        };
        made.push(term);
    }
    made[made.len() - 1]
}

proptest! {
    #[test]
    fn random_terms_survive(choices in prop::collection::vec((any::<u8>(), -1000i64..1000), 1..60)) {
        let one = example();
        let term = grown(&one, &choices);
        let formula = one.terms.lt(term, one.terms.int(0));
        let text = formulas::write(&one.terms, &[formula]).expect("a text");
        let other = example();
        for (_, number) in &choices {
            other.terms.int(number + 3);
        }
        let scope = Scope::of_graph(&other.terms, &other.graph);
        let read = formulas::read(&other.terms, &scope, &text, &Control::unlimited()).expect("a formula");
        let expected = other.terms.lt(grown(&other, &choices), other.terms.int(0));
        prop_assert_eq!(other.terms.display(read[0]), other.terms.display(expected));
    }
}

#[test]
fn argument_kinds_are_told_apart() {
    let example = example();
    let mut evidence = example.evidence();
    let two = std::num::NonZeroU32::MIN.saturating_add(1);
    for argument in [Argument::Bounded(two), Argument::Explored] {
        evidence.proofs[0].arguments = [(example.error, argument)].into();
        let text = evidence
            .write(&example.terms, &example.graph)
            .expect("a text");
        let read = elsewhere(&text).1;
        assert_eq!(read.proofs[0].arguments[&example.error], argument);
    }
}
