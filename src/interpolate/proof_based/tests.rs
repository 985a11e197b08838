//! The proof-based interpolator on small chains.

mod functions;
mod maps;
mod refutations;

use proptest::prelude::*;

use super::*;
use crate::samples::chain;
use ult_core::control::Control;
use ult_core::formula::{Sort, Terms, Version};
use ult_smt::{Answer, Failure};

const LIMIT: Duration = Duration::from_secs(20);

/// For random chains, of which some are hard.
const QUICK: Duration = Duration::from_secs(2);

const ALL: [ProofBased; 6] = {
    let mut all = [ProofBased {
        system: System::McMillan,
        farkas: Farkas::Plain,
    }; 6];
    all[1].system = System::Pudlak;
    all[2].system = System::InverseMcMillan;
    all[3].farkas = Farkas::Decomposed;
    all[4].system = System::Pudlak;
    all[4].farkas = Farkas::Decomposed;
    all[5].system = System::InverseMcMillan;
    all[5].farkas = Farkas::Decomposed;
    all
};

/// Asserts that the claim is an inductive sequence of interpolants over live variables.
fn assert_interpolants(session: &Session<'_>, chain: &Chain, claim: &[Term]) {
    let t = session.terms();
    assert_eq!(claim.len(), chain.cuts.len());
    for (cut, &interpolant) in chain.cuts.iter().zip(claim) {
        for var in t.free_vars(&[interpolant]) {
            assert!(cut.state.contains_key(&var), "{}", t.display(interpolant));
        }
    }
    let mut before = t.tt();
    for (i, &step) in chain.steps.iter().enumerate() {
        let after = claim.get(i).copied().unwrap_or(t.ff());
        let answer = session
            .solver()
            .check(&[before, step, t.not(after)], Some(LIMIT));
        assert_eq!(
            answer,
            Answer::Unsat,
            "step {i}: {} to {}",
            t.display(before),
            t.display(after)
        );
        before = after;
    }
}

/// The interpolants as state formulas, checked; the solver must not be asked for lemmas.
fn alone(proof_based: ProofBased, t: &Terms, transitions: &[Term]) -> Vec<String> {
    let session = Session::new(t, &[], &Control::unlimited());
    let chain = chain(t, transitions);
    let mut asked = 0;
    let claim = proof_based
        .counted(&session, &chain, LIMIT, &mut asked)
        .unwrap_or_else(|why| panic!("{proof_based:?}: {why}"));
    assert_eq!(asked, 0, "{proof_based:?}");
    assert_interpolants(&session, &chain, &claim);
    chain
        .to_states(t, &claim)
        .into_iter()
        .map(|state| t.display(state).to_string())
        .collect()
}

/// The interpolants as state formulas, checked.
fn states(proof_based: ProofBased, t: &Terms, transitions: &[Term]) -> Vec<String> {
    let session = Session::new(t, &[], &Control::unlimited());
    let chain = chain(t, transitions);
    let claim = proof_based
        .interpolate(&session, &chain, LIMIT)
        .unwrap_or_else(|why| panic!("{proof_based:?}: {why}"));
    assert_interpolants(&session, &chain, &claim);
    chain
        .to_states(t, &claim)
        .into_iter()
        .map(|state| t.display(state).to_string())
        .collect()
}

fn now(t: &Terms, name: &str) -> Term {
    t.current(name, Sort::Int)
}

fn then(t: &Terms, name: &str) -> Term {
    t.next(name, Sort::Int)
}

fn plus(t: &Terms, a: Term, by: i64) -> Term {
    t.add(&[a, t.int(by)])
}

#[test]
fn equations_stay_equations() {
    let t = Terms::new();
    let (x, y) = (now(&t, "x"), now(&t, "y"));
    let both = t.and2(
        t.eq(then(&t, "x"), plus(&t, x, 1)),
        t.eq(then(&t, "y"), plus(&t, y, 1)),
    );
    let path = [t.eq(x, y), both, both, t.lt(x, y)];
    for proof_based in ALL {
        assert_eq!(
            states(proof_based, &t, &path),
            ["x == y", "x == y", "x == y"]
        );
    }
}

#[test]
fn a_parity_is_a_remainder() {
    let t = Terms::new();
    let x = now(&t, "x");
    let half = |number| t.var("half", Version::Aux(number), Sort::Int);
    let even = t.eq(x, t.mul(&[t.int(2), half(0)]));
    let odd = t.eq(x, plus(&t, t.mul(&[t.int(2), half(1)]), 1));
    let two_more = t.eq(then(&t, "x"), plus(&t, x, 2));
    for proof_based in ALL {
        assert_eq!(
            states(proof_based, &t, &[even, two_more, odd]),
            ["x mod 2 == 0", "x mod 2 == 0"]
        );
    }
}

/// An integer may be strictly below a bound without being a smaller integer, until it is split on.
#[test]
fn integers_below_reals_are_split_on() {
    let t = Terms::new();
    let (x, y) = (now(&t, "x"), now(&t, "y"));
    let (r, s) = (t.current("r", Sort::Real), t.current("s", Sort::Real));
    let three = t.to_real(t.int(3));
    let below = |a, b| t.and2(t.lt(t.to_real(a), b), t.le(b, three));
    let mut path = [
        t.and2(below(x, r), below(y, s)),
        t.ge(t.add(&[x, y]), t.int(5)),
    ];
    for _ in 0..2 {
        for proof_based in ALL {
            assert_eq!(states(proof_based, &t, &path).len(), 1);
        }
        path.reverse();
    }
}

#[test]
fn remainders_by_a_constant_are_understood() {
    let t = Terms::new();
    let x = now(&t, "x");
    let five = t.int(5);
    let path = [
        t.le(t.modulo(x, five), t.int(2)),
        t.eq(then(&t, "x"), plus(&t, x, 10)),
        t.ge(t.modulo(x, five), t.int(3)),
    ];
    for proof_based in ALL {
        states(proof_based, &t, &path);
    }
}

#[test]
fn independent_bounds_are_kept_apart() {
    let t = Terms::new();
    let (x, y) = (now(&t, "x"), now(&t, "y"));
    let aux = |number| t.var("a", Version::Aux(number), Sort::Int);
    let first = t.and([
        t.le(then(&t, "x"), aux(0)),
        t.le(aux(0), t.int(3)),
        t.le(then(&t, "y"), aux(1)),
        t.le(aux(1), t.int(4)),
    ]);
    let last = t.gt(t.add(&[x, y]), t.int(7));
    let plain = ProofBased::default();
    assert_eq!(states(plain, &t, &[first, last]), ["x + y <= 7"]);
    let decomposed = ProofBased {
        farkas: Farkas::Decomposed,
        ..plain
    };
    assert_eq!(states(decomposed, &t, &[first, last]), ["x <= 3 && y <= 4"]);
}

#[test]
fn strict_bounds_of_reals_stay_strict() {
    let t = Terms::new();
    let real = |n: i64| t.real(num_rational::BigRational::from_integer(n.into()));
    let x = t.current("x", Sort::Real);
    let x1 = t.next("x", Sort::Real);
    let path = [
        t.gt(x, real(0)),
        t.eq(t.add(&[x1, x1]), x),
        t.le(x, real(0)),
    ];
    for proof_based in ALL {
        assert_eq!(states(proof_based, &t, &path), ["0.0 < x", "0.0 < x"]);
    }
}

#[test]
fn a_feasible_chain_has_no_interpolants() {
    let t = Terms::new();
    let session = Session::new(&t, &[], &Control::unlimited());
    let x = now(&t, "x");
    let chain = chain(&t, &[t.le(x, t.int(3)), t.ge(x, t.int(3))]);
    let result = ProofBased::default().interpolate(&session, &chain, LIMIT);
    assert!(
        matches!(result, Err(NoInterpolants::Feasible)),
        "{result:?}"
    );
}

#[test]
fn the_limit_ends_the_search() {
    let t = Terms::new();
    let session = Session::new(&t, &[], &Control::unlimited());
    let x = now(&t, "x");
    let moved = t.or((0..6).map(|i| t.eq(then(&t, "x"), plus(&t, x, i))));
    let mut path = vec![t.eq(x, t.int(0))];
    path.extend([moved; 30]);
    path.push(t.lt(x, t.int(0)));
    let chain = chain(&t, &path);
    let result = ProofBased::default().interpolate(&session, &chain, Duration::ZERO);
    assert!(
        matches!(result, Err(NoInterpolants::Failed(Failure::Timeout))),
        "{result:?}"
    );
}

/// A formula over boolean variables before and after a step.
fn boolean(t: &Terms, shape: &[(u8, bool, u8, bool)]) -> Term {
    let names = ["p", "q", "r"];
    let literal = |which: u8, positive: bool| {
        let name = names[usize::from(which) % 3];
        let var = if which < 3 {
            t.current(name, Sort::Bool)
        } else {
            t.next(name, Sort::Bool)
        };
        if positive { var } else { t.not(var) }
    };
    t.and(
        shape
            .iter()
            .map(|&(a, pa, b, pb)| t.or2(literal(a, pa), literal(b, pb))),
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// D'Silva and others, "Interpolant strength", theorem 2: of one proof, McMillan's
    /// interpolants imply Pudlák's, and these imply those of the dual of McMillan's system.
    #[test]
    fn the_systems_are_ordered_by_strength(
        shapes in proptest::collection::vec(
            proptest::collection::vec((0..6u8, any::<bool>(), 0..6u8, any::<bool>()), 3..9), 2..5)
    ) {
        let t = Terms::new();
        let session = Session::new(&t, &[], &Control::unlimited());
        let transitions: Vec<Term> = shapes.iter().map(|s| boolean(&t, s)).collect();
        let chain = chain(&t, &transitions);
        let all: Result<Vec<Vec<Term>>, NoInterpolants> = ALL[..3]
            .iter()
            .map(|proof_based| proof_based.interpolate(&session, &chain, LIMIT))
            .collect();
        let satisfiable = session.solver().check(&chain.steps, Some(LIMIT)) == Answer::Sat;
        match all {
            Ok(all) => {
                prop_assert!(!satisfiable);
                for claim in &all {
                    assert_interpolants(&session, &chain, claim);
                }
                for cut in 0..chain.cuts.len() {
                    for pair in all.windows(2) {
                        let weaker = t.not(pair[1][cut]);
                        let answer = session.solver().check(&[pair[0][cut], weaker], Some(LIMIT));
                        prop_assert_eq!(answer, Answer::Unsat);
                    }
                }
            }
            Err(NoInterpolants::Feasible) => prop_assert!(satisfiable),
            Err(why) => panic!("{why}"),
        }
    }
}
