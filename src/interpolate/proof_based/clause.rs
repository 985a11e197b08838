//! Literals, clauses, and how clauses were derived.

use std::ops::Not;

use ult_core::formula::Term;

/// A propositional variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Var(u32);

impl Var {
    /// The variable with a number.
    pub(super) fn new(index: usize) -> Var {
        Var(u32::try_from(index).expect("fewer than 2^31 variables"))
    }

    /// Its number.
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// A variable or its negation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Lit(u32);

impl Lit {
    /// The literal that is true when `var` has this value.
    pub(super) fn new(var: Var, positive: bool) -> Lit {
        Lit(2 * var.0 + u32::from(!positive))
    }

    /// The literal with a number.
    pub(super) fn from_index(index: usize) -> Lit {
        Lit(u32::try_from(index).expect("fewer than 2^32 literals"))
    }

    /// Its number: even for variables, odd for negations.
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }

    /// Its variable.
    pub(super) fn var(self) -> Var {
        Var(self.0 / 2)
    }

    /// Whether it is the variable itself.
    pub(super) fn is_positive(self) -> bool {
        self.0.is_multiple_of(2)
    }
}

impl Not for Lit {
    type Output = Lit;

    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

/// The number of a clause. Clauses are derived from clauses with smaller numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct ClauseId(u32);

impl ClauseId {
    /// The number.
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// Why a step has a clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    /// The formula of the step says so.
    Formula,
    /// A valid formula says so, that the step can speak about.
    Valid(Term),
    /// It is what an operator means that is in the clause.
    Meaning,
}

/// Where a clause comes from. `L` justifies the clauses of the theory.
#[derive(Clone, Debug)]
pub(super) enum Origin<L> {
    /// It is a clause of this step of the chain.
    Step(usize, Source),
    /// It holds in the theory.
    Lemma(L),
    /// Resolve the first clause with each of the others in turn, on the variable given.
    Resolved(ClauseId, Vec<(Var, ClauseId)>),
}

/// All clauses of a search: its input, and a resolution proof of the rest.
#[derive(Debug)]
pub(super) struct Clauses<L> {
    lits: Vec<Vec<Lit>>,
    origins: Vec<Origin<L>>,
}

impl<L> Default for Clauses<L> {
    fn default() -> Clauses<L> {
        Clauses {
            lits: Vec::new(),
            origins: Vec::new(),
        }
    }
}

impl<L> Clauses<L> {
    /// Adds a clause.
    pub(super) fn add(&mut self, lits: Vec<Lit>, origin: Origin<L>) -> ClauseId {
        let id = ClauseId(u32::try_from(self.lits.len()).expect("fewer than 2^32 clauses"));
        self.lits.push(lits);
        self.origins.push(origin);
        id
    }

    /// Adds the result of a resolution; without steps it is the first clause itself.
    pub(super) fn resolved(
        &mut self,
        lits: Vec<Lit>,
        first: ClauseId,
        chain: Vec<(Var, ClauseId)>,
    ) -> ClauseId {
        if chain.is_empty() {
            return first;
        }
        self.add(lits, Origin::Resolved(first, chain))
    }

    /// The literals of a clause.
    pub(super) fn lits(&self, id: ClauseId) -> &[Lit] {
        &self.lits[id.index()]
    }

    /// The literals, to be put in another order.
    pub(super) fn lits_mut(&mut self, id: ClauseId) -> &mut [Lit] {
        &mut self.lits[id.index()]
    }

    /// Puts the literals in another order.
    pub(super) fn reorder(&mut self, id: ClauseId, lits: Vec<Lit>) {
        debug_assert_eq!(lits.len(), self.lits(id).len());
        self.lits[id.index()] = lits;
    }

    /// How the clause was derived.
    pub(super) fn origin(&self, id: ClauseId) -> &Origin<L> {
        &self.origins[id.index()]
    }

    /// The lemmas of the theory from clause number `from` on, which is moved to the end.
    pub(super) fn lemmas_since(&self, from: &mut usize) -> impl Iterator<Item = (&[Lit], &L)> {
        let start = std::mem::replace(from, self.lits.len());
        (start..self.lits.len()).filter_map(|index| match &self.origins[index] {
            Origin::Lemma(lemma) => Some((&*self.lits[index], lemma)),
            Origin::Step(..) | Origin::Resolved(..) => None,
        })
    }

    /// The clauses that the derivation of `root` uses, each after those that it was derived from.
    pub(super) fn proof(&self, root: ClauseId) -> Vec<ClauseId> {
        let mut used = vec![false; root.index() + 1];
        used[root.index()] = true;
        for index in (0..=root.index()).rev() {
            if let (true, Origin::Resolved(first, chain)) = (used[index], &self.origins[index]) {
                used[first.index()] = true;
                for (_, other) in chain {
                    used[other.index()] = true;
                }
            }
        }
        (0..=root.0)
            .map(ClauseId)
            .filter(|id| used[id.index()])
            .collect()
    }
}
