use super::*;

/// Nothing, or an integer and a truth value.
fn maybe() -> Rc<Datatype> {
    Rc::new(Datatype {
        number: 0,
        constructors: vec![
            Vec::new(),
            vec![Field::Of(Sort::Int), Field::Of(Sort::Bool)],
        ],
    })
}

/// One of the former.
fn record() -> Rc<Datatype> {
    Rc::new(Datatype {
        number: 1,
        constructors: vec![vec![Field::Of(Sort::Data(maybe()))]],
    })
}

fn enumeration() -> Rc<Datatype> {
    Rc::new(Datatype {
        number: 2,
        constructors: vec![Vec::new(); 3],
    })
}

/// A list of integers.
fn integers() -> Rc<Datatype> {
    Rc::new(list(3, Sort::Int))
}

/// A truth value, or two trees.
fn tree() -> Rc<Datatype> {
    Rc::new(Datatype {
        number: 4,
        constructors: vec![
            vec![Field::Itself, Field::Itself],
            vec![Field::Of(Sort::Bool)],
        ],
    })
}

fn number(number: i64) -> Term {
    Term::number(Sort::Int, number)
}

#[test]
fn constructors_make_all_values() {
    assert_eq!(maybe().values(-1, 3).len(), 11);
    assert_eq!(record().values(-1, 3).len(), 11);
    assert_eq!(record().count(Some(5), DEPTH), Some(11));
    assert_eq!(record().size(), None);
    assert_eq!(enumeration().size(), Some(3));
    let array = Sort::array(Sort::Data(enumeration()), Sort::Bool);
    assert_eq!(array.values(0, 0).len(), 8);
    let array = Sort::array(Sort::Bool, Sort::Data(enumeration()));
    assert_eq!(array.values(0, 0).len(), 9);
    assert_eq!(array.size(), Some(9));
    assert_eq!(enumeration().some(), Value::Made(0, Vec::new()));
}

#[test]
fn fields_are_what_a_value_was_made_of() {
    let of = maybe();
    let made = make(&of, 1, vec![number(7), Term::number(Sort::Bool, 1)]);
    let nothing = make(&of, 0, Vec::new());
    assert_eq!(get(&of, 1, 0, made.clone()).value(&[]), Value::Number(7));
    assert!(get(&of, 1, 1, made.clone()).value(&[]).is_true());
    assert!(is(&of, 1, false, made.clone()).value(&[]).is_true());
    assert!(!is(&of, 0, true, made.clone()).value(&[]).is_true());
    assert!(is(&of, 0, true, nothing.clone()).value(&[]).is_true());
    // A field that is not there still has the right sort.
    assert_eq!(get(&of, 1, 0, nothing.clone()).value(&[]), Value::Number(0));
    let same = |a: &Term, b: &Term| {
        let same = Term::apply(Sort::Bool, "=", vec![a.clone(), b.clone()]);
        same.value(&[]).is_true()
    };
    assert!(same(&made, &made));
    assert!(!same(&made, &nothing));
}

#[test]
fn arrays_have_enumerations_for_indices() {
    let of = enumeration();
    let sort = Sort::array(Sort::Data(of.clone()), Sort::Bool);
    let element = Term::apply(
        Sort::Bool,
        "select",
        vec![Term::variable(sort, 0), make(&of, 2, Vec::new())],
    );
    let array = Value::Array([0, 0, 1].map(Value::Number).to_vec());
    assert!(element.value(&[array]).is_true());
    assert_eq!(element.text(&["a".into()]), "(select a c2_2)");
}

#[test]
fn terms_are_written_as_smtlib_has_them() {
    let of = maybe();
    let names = ["v".to_owned()];
    let v = || Term::variable(Sort::Data(maybe()), 0);
    let text = |term: Term| term.text(&names);
    assert_eq!(text(is(&of, 1, false, v())), "((_ is c0_1) v)");
    assert_eq!(text(is(&of, 1, true, v())), "(is-c0_1 v)");
    assert_eq!(text(get(&of, 1, 0, v())), "(s0_1_0 v)");
    assert_eq!(text(make(&of, 0, Vec::new())), "c0_0");
    assert_eq!(text(make(&record(), 0, vec![v()])), "(c1_0 v)");
}

#[test]
fn declarations_come_before_what_mentions_them() {
    for seed in 0..50 {
        let mut chance = Chance::new(seed, 0);
        let text = declarations(&mut chance, &[maybe(), record(), enumeration()]);
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines.len() >= 2);
        // The record is never in the command of what it is made of.
        assert!(lines[0].contains("(s0_1_0 Int) (s0_1_1 Bool))"));
        assert!(lines[1].contains("((c1_0 (s1_0_0 D0)))"));
    }
}

#[test]
fn bounds_hold_for_all_values_and_no_others() {
    for of in [maybe(), record(), integers(), tree()] {
        let sort = Sort::Data(of.clone());
        let bounds = Term::variable(sort.clone(), 0).bounds(-1, 3);
        let hold = |value: Value| {
            bounds
                .iter()
                .all(|one| one.value(std::slice::from_ref(&value)).is_true())
        };
        let inside = sort.values(-1, 3);
        for value in of_more(&of) {
            assert_eq!(hold(value.clone()), inside.contains(&value), "{value:?}");
        }
    }
}

#[test]
fn fields_of_other_constructors_do_not_count() {
    let of = maybe();
    let sorts = [Sort::Data(of.clone()), Sort::Int];
    let mut chance = Chance::new(1, 0);
    let mut count = 0;
    for _ in 0..500 {
        let term = term(&mut chance, &Sort::Bool, 3, &sorts);
        let text = term.text(&["v".into(), "i".into()]);
        if text.contains("s0_1_") {
            count += 1;
            assert!(
                text.contains("is c0_1") || text.contains("is-c0_1"),
                "{text}"
            );
        }
    }
    assert!(count > 50, "{count}");
}

/// Values that are deeper than the bounded ones, with more integers.
fn of_more(of: &Datatype) -> Vec<Value> {
    let mut all = of.deep_values(-2, 4, 2);
    if of.is_recursive() {
        all.extend(of.deep_values(0, 0, DEPTH + 1));
    }
    all
}

#[test]
fn values_of_recursive_data_types_have_a_bounded_depth() {
    // No integers, one, or two.
    assert_eq!(integers().values(-1, 3).len(), 1 + 5 + 25);
    assert_eq!(integers().count(Some(5), DEPTH), Some(31));
    assert_eq!(integers().size(), None);
    // 2 truth values, and pairs of trees that are less deep.
    assert_eq!(tree().values(0, 0).len(), 2 + (2 + 2 * 2) * (2 + 2 * 2));
    assert_eq!(tree().size(), None);
    let leaf = Value::Made(1, vec![Value::Number(0)]);
    assert_eq!(tree().some(), leaf);
    let (of, v) = (tree(), Term::variable(Sort::Data(tree()), 0));
    assert_eq!(get(&of, 0, 1, v).value(std::slice::from_ref(&leaf)), leaf);
}

#[test]
fn recursive_data_types_mention_themselves() {
    let text = declarations(&mut Chance::new(1, 0), &[integers()]);
    assert!(text.contains("(c3_1 (s3_1_0 Int) (s3_1_1 D3))"), "{text}");
    let v = Term::variable(Sort::Data(tree()), 0);
    let bounds = deep_bounds(&tree(), &v, (0, 0), 1);
    let text: Vec<String> = bounds.iter().map(|one| one.text(&["v".into()])).collect();
    assert_eq!(
        text,
        [
            "(=> ((_ is c4_0) v) (and (not ((_ is c4_0) (s4_0_0 v))) (not ((_ is c4_0) (s4_0_1 v)))))"
        ]
    );
}

#[test]
fn random_data_types_are_small() {
    for seed in 0..200 {
        for is_recursive in [false, true] {
            let all = datatypes(&mut Chance::new(seed, 0), is_recursive);
            assert_eq!(all.iter().any(|of| of.is_recursive()), is_recursive);
            for of in all {
                let most = if is_recursive {
                    MOST_DEEP_VALUES
                } else {
                    MOST_VALUES
                };
                let values = of.values(-1, 3).len() as u64;
                assert!((2..=most).contains(&values), "{of:?}");
                assert_eq!(of.count(Some(INTEGERS), DEPTH), Some(values));
            }
        }
    }
}
