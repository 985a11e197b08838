//! Which parts of logic formulas use, for choosing among Z3's solvers.

use std::collections::HashMap;

use ult_core::formula::{Op, Sort, Term, Terms};

/// A set of features of formulas.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Features(u8);

impl Features {
    const BITS: Features = Features(1);
    /// Anything beyond truth values, bit-vectors and floating point.
    const OTHER: Features = Features(2);
    const NONLINEAR: Features = Features(4);
    const BINDER: Features = Features(8);
    const FLOATS: Features = Features(16);

    pub(super) fn with(self, other: Features) -> Features {
        Features(self.0 | other.0)
    }

    fn has(self, other: Features) -> bool {
        self.0 & other.0 == other.0
    }

    /// How Z3 is set up for formulas with these features. Where they are asked `by_triggers`, quantifiers are instantiated by
    /// these alone.
    pub(super) fn profile(self, by_triggers: bool) -> Profile {
        if by_triggers && self.has(Features::BINDER) {
            Profile::Triggers
        } else if self.has(Features::BINDER) || self.has(Features::NONLINEAR) {
            Profile::General
        } else if self.has(Features::FLOATS) && !self.has(Features::OTHER) {
            Profile::Floats
        } else if self.has(Features::BITS) && !self.has(Features::OTHER) {
            Profile::Bits
        } else {
            Profile::Linear
        }
    }
}

/// How Z3 is set up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Profile {
    /// Z3's SAT solver after bit-blasting: for bit-vectors and truth values only.
    Bits,
    /// The same, for floating point as well: see [`super::lower`].
    Floats,
    /// The incremental core with the older simplex (`arith.solver=2`) and without relevancy: a
    /// quarter to a third faster on feasibility questions of linear large blocks, the more
    /// assumptions have names the better.
    Linear,
    /// The incremental core as Z3 sets it up: quantifier instantiation needs relevancy, and
    /// products need the newer arithmetic.
    General,
    /// The incremental core, with quantified formulas instantiated by their triggers alone: see
    /// [`Session::by_triggers`](super::Session::by_triggers).
    Triggers,
}

impl Profile {
    pub(super) const ALL: [Profile; 5] = [
        Profile::Bits,
        Profile::Floats,
        Profile::Linear,
        Profile::General,
        Profile::Triggers,
    ];
}

/// The features of a formula.
pub(super) fn features_of(terms: &Terms, known: &mut FeatureCache, formula: Term) -> Features {
    let mut stack = vec![(formula, false)];
    while let Some((term, ready)) = stack.pop() {
        if known.contains_key(&term) {
            continue;
        }
        let args = terms.args(term);
        if ready {
            let own = own_features(terms, term);
            let features = args.iter().fold(own, |all, arg| all.with(known[arg]));
            known.insert(term, features);
        } else {
            stack.push((term, true));
            stack.extend(args.iter().map(|&arg| (arg, false)));
        }
    }
    known[&formula]
}

fn own_features(terms: &Terms, term: Term) -> Features {
    let node = terms.node(term);
    let sort = match node.sort {
        Sort::Bool => Features::default(),
        Sort::BitVec(_) => Features::BITS,
        Sort::Float(..) | Sort::RoundingMode => Features::FLOATS,
        // Z3's theory of datatypes is made for the way it is set up by itself.
        Sort::Datatype(_) => Features::OTHER.with(Features::NONLINEAR),
        // So is that of sequences, which works with the arithmetic that it chooses.
        Sort::Seq(_) | Sort::String | Sort::RegEx => Features::OTHER.with(Features::NONLINEAR),
        _ => Features::OTHER,
    };
    let constant = |t: &Term| terms.as_number(*t).is_some();
    let op = match &node.op {
        Op::Bind(_) => Features::BINDER,
        Op::Apply(function) if !function.params.is_empty() => Features::OTHER,
        Op::Select => Features::OTHER,
        Op::Mul if node.args.iter().filter(|t| !constant(t)).count() > 1 => Features::NONLINEAR,
        Op::Div | Op::Mod | Op::RealDiv if !node.args.last().is_some_and(constant) => {
            Features::NONLINEAR
        }
        _ => Features::default(),
    };
    sort.with(op)
}

/// Computed once per term.
pub(super) type FeatureCache = HashMap<Term, Features>;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Session;
    use ult_core::control::Control;

    #[test]
    fn profiles() {
        let t = Terms::new();
        let session = Session::new(&t, &[], &Control::unlimited());
        let profile = |formula| session.profile(session.features(formula));
        let [x, y] = ["x", "y"].map(|n| t.current(n, Sort::Int));
        let v = t.current("v", Sort::BitVec(8));
        let b = t.current("b", Sort::Bool);
        let bits = t.eq(v, t.bitvec(3u32.into(), 8));
        assert_eq!(profile(b), Profile::Linear);
        assert_eq!(profile(t.and2(b, bits)), Profile::Bits);
        assert_eq!(profile(t.and2(t.lt(x, y), bits)), Profile::Linear);
        let half = t.current("h", Sort::Float(5, 11));
        let zero = t.eq(half, t.next("h", Sort::Float(5, 11)));
        assert_eq!(profile(t.and2(bits, zero)), Profile::Floats);
        assert_eq!(profile(t.and2(t.lt(x, y), zero)), Profile::Linear);
        let m = t.current("m", Sort::map(vec![Sort::BitVec(8)], Sort::Bool));
        assert_eq!(profile(t.select(m, &[v])), Profile::Linear);
        assert_eq!(profile(t.lt(t.mul(&[x, t.int(3)]), y)), Profile::Linear);
        assert_eq!(profile(t.lt(t.mul(&[x, y]), y)), Profile::General);
        assert_eq!(profile(t.lt(t.modulo(x, t.int(2)), y)), Profile::Linear);
        assert_eq!(profile(t.lt(t.modulo(x, y), y)), Profile::General);
        let i = t.fresh_bound("i", Sort::BitVec(8));
        let all = t.bind(ult_core::formula::BinderKind::Forall, &[i], t.eq(i, v), &[]);
        assert_eq!(profile(t.and2(bits, all)), Profile::General);
        let triggers = Session::new(&t, &[], &Control::unlimited()).by_triggers(crate::Split::Goal);
        let profile = |formula| triggers.profile(triggers.features(formula));
        assert_eq!(profile(t.and2(bits, all)), Profile::Triggers);
        assert_eq!(profile(t.lt(t.mul(&[x, y]), y)), Profile::General);
        assert_eq!(profile(bits), Profile::Bits);
    }
}
