//! Maps over small sorts.

use super::*;

fn program(constants: usize, sorts: Vec<Sort>, body: Vec<Statement>) -> Program {
    Program {
        constants,
        are_unique: false,
        by_axiom: true,
        sorts,
        body,
    }
}

fn everywhere(sort: &Sort, number: u64) -> Term {
    let Sort::Map(indices, element) = sort else {
        unreachable!()
    };
    let body = Term {
        sort: (**element).clone(),
        kind: Kind::Literal(number),
    };
    Term {
        sort: sort.clone(),
        kind: Kind::Lambda(indices.clone(), Box::new(body)),
    }
}

/// Zero everywhere, then this many modes are stored: whether it is never one everywhere.
fn modes(stored: u64) -> bool {
    let sort = Sort::map(Sort::Mode, Sort::Int);
    let mut body = vec![Statement::Define(0, everywhere(&sort, 0), true)];
    for number in 0..stored {
        let literal = |sort, number| Term {
            sort,
            kind: Kind::Literal(number),
        };
        body.push(Statement::Element(
            0,
            vec![literal(Sort::Mode, number)],
            literal(Sort::Int, 1),
        ));
    }
    let claim = Term::both("!=", Term::variable(sort.clone(), 0), everywhere(&sort, 1));
    let program = program(0, vec![sort], body);
    let ends = program.ends().unwrap();
    ends.iter()
        .all(|(opaque, states)| states.iter().all(|state| holds(&claim, state, *opaque)))
}

#[test]
fn there_are_five_rounding_modes() {
    assert!(modes(4));
    assert!(!modes(5));
}

#[test]
fn constants_name_all_elements() {
    let of = |constants, are_unique| {
        let mut program = program(constants, vec![Sort::Opaque; constants], Vec::new());
        program.are_unique = are_unique;
        let mut sizes: Vec<u64> = program.worlds().iter().map(|world| world.opaque).collect();
        sizes.sort_unstable();
        sizes
    };
    assert_eq!(of(1, false), [1]);
    assert_eq!(of(2, false), [1, 2]);
    assert_eq!(of(3, false), [1, 2, 2, 2, 3]);
    assert_eq!(of(3, true), [3]);
}

#[test]
fn loops_go_on_until_nothing_is_new() {
    // Elements of a map become true, any number of them: all 4 maps from false everywhere.
    let sort = Sort::map(Sort::Bool, Sort::Bool);
    let body = vec![
        Statement::Assign(0, everywhere(&sort, 0)),
        Statement::While(
            None,
            vec![
                Statement::Havoc(1),
                Statement::Element(0, vec![Term::variable(Sort::Bool, 1)], Term::truth(true)),
            ],
        ),
    ];
    let program = program(0, vec![sort, Sort::Bool], body);
    let ends = program.ends().unwrap();
    let maps: BTreeSet<&Value> = ends
        .iter()
        .flat_map(|(_, states)| states.iter().map(|state| &state[0]))
        .collect();
    assert_eq!(maps.len(), 4);
}
