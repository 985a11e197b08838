//! Bit-vectors by way of the integers.
//!
//! The chain is translated to bounded integers ([`to_integers`]), another strategy interpolates
//! there, and its interpolants are translated back ([`to_bits`]). Arithmetic on counters has
//! short explanations over the integers where a bit-level one would go through every bit. (The
//! idea of lifting the theory of bit-vectors to integers in interpolation: Griggio, "Effective
//! word-level interpolation for software verification", 2011.)

mod classes;
mod context;
mod flags;
mod linear;
mod operators;
mod to_bits;
mod to_integers;

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::time::{Duration, Instant};

use super::{Chain, Cut, Interpolator, NoInterpolants};
use indexmap::IndexSet;
use to_bits::ToBits;
use to_integers::ToIntegers;
use ult_core::formula::{Term, Terms, Version};
use ult_smt::{Failure, Session};

/// Strategy `integers`: other strategies on the chain's translation to bounded integers.
///
/// The translation has at least the models of the chain, so what is refuted there is refuted. It
/// may be satisfiable where the chain is not, since bitwise operators on two variables and
/// products are only bounded; then there is no answer.
pub(crate) struct Integers {
    /// The strategies to try on the integers, in this order, each with its part of the limit.
    inner: Vec<(Box<dyn Interpolator>, u32)>,
}

impl Integers {
    /// The strategy that tries `inner` one after the other on the integers; the numbers are the
    /// shares of the limit.
    pub(crate) fn new(inner: Vec<(Box<dyn Interpolator>, u32)>) -> Integers {
        Integers { inner }
    }
}

impl Interpolator for Integers {
    fn name(&self) -> &'static str {
        "integers"
    }

    fn interpolate(
        &self,
        session: &Session<'_>,
        chain: &Chain,
        limit: Duration,
    ) -> Result<Vec<Term>, NoInterpolants> {
        let deadline = Instant::now() + limit;
        let terms = session.terms();
        let (way, translated) = translate(session, chain);
        let mut shares: u32 = self.inner.iter().map(|(_, share)| share).sum();
        let mut why = Vec::new();
        for (interpolator, share) in &self.inner {
            if let Err(stop) = session.control().check() {
                return Err(Failure::from(stop).into());
            }
            let left = deadline.saturating_duration_since(Instant::now());
            let part = left * *share / shares.max(1);
            shares = shares.saturating_sub(*share);
            let result = interpolator
                .interpolate(session, &translated, part)
                .and_then(|claim| back(terms, &way, &claim));
            match result {
                Ok(claim) => return Ok(claim),
                // What is feasible for integers need not be so for bit-vectors.
                Err(failure) => why.push(format!("{} on integers: {failure}", interpolator.name())),
            }
        }
        Err(NoInterpolants::Refused(why.join("; ")))
    }
}

/// Interpolants over the integers as interpolants over the bit-vectors.
fn back(terms: &Terms, way: &ToIntegers<'_>, claim: &[Term]) -> Result<Vec<Term>, NoInterpolants> {
    let mut to_bits = ToBits::new(way);
    claim
        .iter()
        .map(|&interpolant| {
            to_bits.formula(interpolant).map_err(|why| {
                NoInterpolants::Refused(format!("{why} in {}", terms.display(interpolant)))
            })
        })
        .collect()
}

/// The chain over the integers.
fn translate<'t>(session: &Session<'t>, chain: &Chain) -> (ToIntegers<'t>, Chain) {
    let terms = session.terms();
    let facts = relevant_facts(session, chain);
    let mut formulas = chain.steps.clone();
    formulas.extend(&facts);
    let mut way = ToIntegers::new(terms, &formulas);
    let facts = facts.into_iter().map(|fact| way.step(fact));
    let facts = terms.and(facts.collect::<Vec<Term>>());
    let steps: Vec<Term> = chain
        .steps
        .iter()
        .map(|&step| terms.and2(way.step(step), facts))
        .collect();
    let steps = separated(terms, chain, &mut way, steps);
    let cuts = cuts(terms, chain, &way, &steps);
    let chain = chain.translated(steps, cuts);
    (way, chain)
}

/// The background facts about bit-vectors that share rigid symbols, directly or through others,
/// with the chain. (The session states the others.)
fn relevant_facts(session: &Session<'_>, chain: &Chain) -> Vec<Term> {
    let terms = session.terms();
    let mut known = terms.functions(&chain.steps);
    let mut rest: Vec<(Term, IndexSet<_>)> = session
        .axioms()
        .iter()
        .filter(|&&axiom| !terms.has_binder(axiom))
        .map(|&axiom| (axiom, terms.functions(&[axiom])))
        .collect();
    let mut chosen = Vec::new();
    loop {
        let (near, far): (Vec<_>, Vec<_>) = rest
            .into_iter()
            .partition(|(_, used)| used.iter().any(|f| known.contains(f)));
        if near.is_empty() {
            return chosen;
        }
        for (axiom, used) in near {
            chosen.push(axiom);
            known.extend(used);
        }
        rest = far;
    }
}

/// Opaque variables of different steps that no interpolant between them may speak about made
/// different.
fn separated(
    terms: &Terms,
    chain: &Chain,
    way: &mut ToIntegers<'_>,
    mut steps: Vec<Term>,
) -> Vec<Term> {
    let live: Vec<HashSet<Term>> = chain
        .cuts
        .iter()
        .map(|cut| cut.live.iter().copied().collect())
        .collect();
    let mut allowed: HashMap<Term, Vec<Term>> = HashMap::new();
    // The step in which an opaque variable occurred last, and its name there.
    let mut last: BTreeMap<Term, (usize, Term)> = BTreeMap::new();
    for (i, step) in steps.iter_mut().enumerate() {
        let mut renamed = HashMap::new();
        for var in terms.free_vars(&[*step]) {
            let Some(leaf) = way.leaves.get(&var).filter(|leaf| leaf.opaque) else {
                continue;
            };
            let original = leaf.original;
            let over = allowed
                .entry(var)
                .or_insert_with(|| terms.free_vars(&[original]));
            let name = match last.get(&var) {
                Some(&(before, name))
                    if live[before..i]
                        .iter()
                        .all(|live| over.iter().all(|v| live.contains(v))) =>
                {
                    name
                }
                _ => {
                    let number = terms.fresh_number();
                    let position = u32::try_from(i).unwrap_or(u32::MAX);
                    let sort = terms.sort(var).clone();
                    terms.var("opaque", Version::AuxAt(position, number), sort)
                }
            };
            last.insert(var, (i, name));
            renamed.insert(var, name);
        }
        *step = terms.substitute(*step, &renamed);
        #[allow(
            clippy::iter_over_hash_type,
            reason = "each puts in one entry of its own"
        )]
        for (var, name) in renamed {
            let leaf = way.leaves.get(&var).cloned();
            leaf.map(|leaf| way.leaves.insert(name, leaf));
        }
    }
    steps
}

/// The cuts of the translated chain: translations of live instances, and opaque variables over
/// live instances, as far as they occur on both sides.
fn cuts(terms: &Terms, chain: &Chain, way: &ToIntegers<'_>, steps: &[Term]) -> Vec<Cut> {
    let occurring: Vec<Vec<Term>> = steps.iter().map(|&s| terms.free_vars(&[s])).collect();
    let mut span: BTreeMap<Term, (usize, usize)> = BTreeMap::new();
    for (i, vars) in occurring.iter().enumerate() {
        for &var in vars {
            span.entry(var).or_insert((i, i)).1 = i;
        }
    }
    let mut over: HashMap<Term, Vec<Term>> = HashMap::new();
    let mut cuts = Vec::new();
    for (i, cut) in chain.cuts.iter().enumerate() {
        let allowed: HashSet<Term> = cut.live.iter().copied().collect();
        let mut live = Vec::new();
        let mut state = HashMap::new();
        for (&var, &(first, last)) in &span {
            if first > i || last <= i {
                continue;
            }
            let original = way.leaves.get(&var).map_or(var, |leaf| leaf.original);
            let vars = over
                .entry(original)
                .or_insert_with(|| terms.free_vars(&[original]));
            if vars.iter().all(|v| allowed.contains(v)) {
                live.push(var);
                if let Some(name) = terms.as_var(var) {
                    let sort = terms.sort(var).clone();
                    state.insert(var, terms.current(name.name.clone(), sort));
                }
            }
        }
        cuts.push(Cut { live, state });
    }
    cuts
}
