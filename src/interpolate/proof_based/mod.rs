//! The proof-based interpolator: an own resolution proof over certified theory lemmas.
//!
//! The steps become clauses whose literals know in which steps they occur ([`cnf`], [`atoms`]). A
//! small core searches for a refutation ([`search`]); conjunctions of bounds are decided by an
//! exact simplex, whose conflicts come with Farkas multipliers ([`simplex`]), equations over
//! integers by elimination ([`diophantine`]), equalities of other sorts by classes ([`equality`]);
//! functions and maps give valid clauses when the assignment violates them ([`instances`]), and
//! what all this does not refute is asked of the solver as an oracle ([`theory`]). Each lemma has
//! an interpolant for every cut ([`lemma`]), and one walk over the resolution proof combines them
//! to an inductive sequence ([`proof`]).
//!
//! The same search refutes a question alone, for a certificate ([`refutation`](mod@refutation)). There, bit-vectors are gates ([`bits`]), products of
//! sums are sums of products ([`products`]), and quantified formulas have instances ([`quantified`]); none of that has interpolants.
//!
//! A chain of conjunctions is refuted by propagation alone: one linear program gives the whole
//! sequence.

mod absorb;
mod affine;
mod atoms;
mod bits;
mod bridge;
mod cartesian;
mod clause;
mod cnf;
mod consequences;
mod diophantine;
mod equality;
mod instances;
mod lemma;
mod maps;
mod number;
mod objection;
mod order;
mod products;
mod proof;
mod quantified;
mod refutation;
mod search;
mod simplex;
mod theory;
mod values;

#[cfg(test)]
mod tests;

use std::time::{Duration, Instant};

use self::cartesian::Predicates;
pub use self::lemma::Farkas;
use self::lemma::Lemmas;
use self::objection::Lemma;
use self::proof::Leaves;
pub use self::proof::System;
pub use self::refutation::refutation;
use self::search::{End, Search};
use self::theory::ChainTheory;
use super::{Chain, Interpolator, NoInterpolants};
use ult_core::formula::Term;
use ult_smt::{Failure, Session};

/// Strategy `proof`, with its choices of strength.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ProofBased {
    /// The interpolation system of the resolution proof.
    pub system: System,
    /// How bounds are added up.
    pub farkas: Farkas,
}

impl Interpolator for ProofBased {
    fn name(&self) -> &'static str {
        match (self.system, self.farkas) {
            (System::McMillan, Farkas::Plain) => "proof",
            (System::McMillan, Farkas::Decomposed) => "proof:decomposed",
            (System::Pudlak, Farkas::Plain) => "proof:pudlak",
            (System::Pudlak, Farkas::Decomposed) => "proof:pudlak:decomposed",
            (System::InverseMcMillan, Farkas::Plain) => "proof:inverse",
            (System::InverseMcMillan, Farkas::Decomposed) => "proof:inverse:decomposed",
        }
    }

    fn wants_relevant_chain(&self) -> bool {
        false
    }

    fn interpolate(
        &self,
        session: &Session<'_>,
        chain: &Chain,
        limit: Duration,
    ) -> Result<Vec<Term>, NoInterpolants> {
        self.counted(session, chain, limit, &mut 0)
    }
}

impl ProofBased {
    /// Interpolants; `asked` becomes the number of lemmas that only the solver knew.
    fn counted(
        &self,
        session: &Session<'_>,
        chain: &Chain,
        limit: Duration,
        asked: &mut u32,
    ) -> Result<Vec<Term>, NoInterpolants> {
        let terms = session.terms();
        let deadline = Instant::now() + limit;
        let control = session.control().until(deadline);
        let mut steps = chain.steps.clone();
        if let Some(first) = steps.first_mut() {
            // Facts about rigid symbols may be spoken about everywhere.
            let facts = session.axioms().iter().copied();
            *first = terms.and(facts.filter(|&f| !terms.has_binder(f)).chain([*first]));
        }
        let mut search = Search::new(ChainTheory::new(session, &steps, deadline));
        for (i, &step) in steps.iter().enumerate() {
            for (source, clause) in search.theory.clauses(i, step) {
                search.add(i, source, clause);
            }
        }
        let mut predicates = Predicates::default();
        let mut looked_at = 0;
        for conflicts in pauses() {
            let end = search.run(conflicts, &control);
            *asked = search.theory.asked;
            match end {
                End::Refuted(empty) => {
                    let leaves = self.leaves(&search, session, chain, deadline);
                    let cuts = chain.cuts.len();
                    let clauses = &search.clauses;
                    let system = self.system;
                    return proof::interpolants(terms, clauses, empty, cuts, system, &leaves);
                }
                End::Paused => {
                    session.control().check().map_err(Failure::from)?;
                    let leaves = self.leaves(&search, session, chain, deadline);
                    for (clause, lemma) in search.clauses.lemmas_since(&mut looked_at) {
                        if !matches!(lemma, Lemma::Oracle) {
                            predicates.add(session, chain, &leaves.lemma(clause, lemma)?);
                        }
                    }
                    if predicates.are_new()
                        && let Some(sequence) = predicates.sequence(session, chain, deadline)?
                    {
                        return Ok(sequence);
                    }
                }
                End::Satisfiable => return Err(NoInterpolants::Feasible),
                End::Timeout => return Err(Failure::Timeout.into()),
                End::Unknown(why) => return Err(Failure::Incomplete(why).into()),
            }
        }
        Err(Failure::Incomplete("too many conflicts".into()).into())
    }

    fn leaves<'a, 's, 't>(
        &self,
        search: &'a Search<ChainTheory<'s, 't>>,
        session: &'s Session<'t>,
        chain: &'a Chain,
        deadline: Instant,
    ) -> Lemmas<'a, 's, 't> {
        Lemmas {
            atoms: &search.theory.atoms,
            session,
            chain,
            system: self.system,
            farkas: self.farkas,
            deadline,
        }
    }
}

/// After how many further conflicts the lemmas are looked at.
fn pauses() -> impl Iterator<Item = u64> {
    [8, 16, 40, 80]
        .into_iter()
        .chain(std::iter::repeat_n(160, 100))
}
