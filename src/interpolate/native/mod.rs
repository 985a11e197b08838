//! The native interpolator: an own resolution proof over certified theory lemmas.
//!
//! The steps become clauses whose literals know in which steps they occur ([`cnf`], [`atoms`]). A
//! small core searches for a refutation ([`search`]); conjunctions of bounds are decided by an
//! exact simplex, whose conflicts come with Farkas multipliers ([`simplex`]), equations over
//! integers by elimination ([`diophantine`]), and what these do not refute by the solver as an
//! oracle ([`theory`]). Each lemma has an interpolant for every cut ([`lemma`]), and one walk over
//! the resolution proof combines them to an inductive sequence ([`proof`]).
//!
//! A chain of conjunctions is refuted by propagation alone: one linear program gives the whole
//! sequence.

mod atoms;
mod clause;
mod cnf;
mod diophantine;
mod lemma;
mod number;
mod proof;
mod search;
mod simplex;
mod theory;

use std::time::{Duration, Instant};

use self::atoms::Atoms;
use self::cnf::ClausalForm;
pub use self::lemma::Farkas;
use self::lemma::Lemmas;
pub use self::proof::System;
use self::search::{End, Search};
use self::theory::ChainTheory;
use super::{Chain, Interpolator, NoInterpolants};
use crate::formula::Term;
use crate::solver::{Failure, Session};

/// Strategy `native`, with its choices of strength.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Native {
    /// The interpolation system of the resolution proof.
    pub system: System,
    /// How bounds are added up.
    pub farkas: Farkas,
}

impl Interpolator for Native {
    fn name(&self) -> &'static str {
        match (self.system, self.farkas) {
            (System::McMillan, Farkas::Plain) => "native",
            (System::McMillan, Farkas::Decomposed) => "native:decomposed",
            (System::Pudlak, Farkas::Plain) => "native:pudlak",
            (System::Pudlak, Farkas::Decomposed) => "native:pudlak:decomposed",
            (System::InverseMcMillan, Farkas::Plain) => "native:inverse",
            (System::InverseMcMillan, Farkas::Decomposed) => "native:inverse:decomposed",
        }
    }

    fn interpolate(
        &self,
        session: &Session<'_>,
        chain: &Chain,
        limit: Duration,
    ) -> Result<Vec<Term>, NoInterpolants> {
        let terms = session.terms();
        let deadline = Instant::now() + limit;
        let mut steps = chain.steps.clone();
        if let Some(first) = steps.first_mut() {
            // Facts about rigid symbols may be spoken about everywhere.
            let facts = session.axioms().iter().copied();
            *first = terms.and(facts.filter(|&f| !terms.has_binder(f)).chain([*first]));
        }
        let atoms = Atoms::new(terms, &steps);
        let mut search = Search::new(ChainTheory::new(session, atoms, deadline));
        let mut form = ClausalForm::default();
        for (i, &step) in steps.iter().enumerate() {
            for clause in form.clauses(&mut search.theory.atoms, i, step) {
                search.add(i, clause);
            }
        }
        loop {
            match search.run(100, deadline) {
                End::Refuted(empty) => {
                    let leaves = Lemmas {
                        atoms: &search.theory.atoms,
                        session,
                        chain,
                        system: self.system,
                        farkas: self.farkas,
                        deadline,
                    };
                    let cuts = chain.cuts.len();
                    return proof::interpolants(
                        terms,
                        &search.clauses,
                        empty,
                        cuts,
                        self.system,
                        &leaves,
                    );
                }
                End::Paused => session.control().check().map_err(Failure::from)?,
                End::Satisfiable => return Err(NoInterpolants::Feasible),
                End::Timeout => return Err(Failure::Timeout.into()),
                End::Unknown(why) => return Err(Failure::Incomplete(why).into()),
            }
        }
    }
}
