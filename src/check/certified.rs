//! A prover that believes only proofs.
//!
//! Where a proof comes from ([`Proofs`]) does not matter. `ult_proof` checks each one against the question as it is written here.

use std::borrow::Cow;
use std::fmt;
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::limits;
use super::prover::{Prover, Reply, Tries};
use ult_core::control::Control;
use ult_core::formula::lines::Lines;
use ult_core::formula::{Term, Terms};
use ult_core::reason::Reason;
use ult_core::stats::Statistics;

/// A question whether formulas contradict each other.
pub struct Question<'q> {
    /// The store of the formulas.
    pub terms: &'q Terms,
    /// The formulas, none of them a conjunction.
    pub assertions: &'q [Term],
    /// The question as a text, in the form of `src/proof/FORMAT.md`.
    pub text: &'q str,
    /// The longest time for finding a proof.
    pub limit: Duration,
    /// What else stops it.
    pub control: &'q Control,
}

/// A source of proofs.
pub trait Proofs: Send + Sync {
    /// A proof of the question, in the form of `src/proof/FORMAT.md`. The terms of the question have their lines already.
    fn proof(&self, question: &Question<'_>, lines: &Lines<'_>) -> Option<Cow<'_, str>>;

    /// What became of a question: it was proved, with this proof, or it was not.
    fn judged(&self, question: &str, proof: Option<&str>);
}

impl fmt::Debug for dyn Proofs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Proofs")
    }
}

/// The prover that believes proofs alone.
pub(super) struct Certified<'t> {
    terms: &'t Terms,
    axioms: Rc<[Term]>,
    control: Control,
    proofs: Arc<dyn Proofs>,
    calls: Statistics,
}

impl<'t> Certified<'t> {
    pub(super) fn new(
        terms: &'t Terms,
        axioms: Rc<[Term]>,
        control: &Control,
        proofs: Arc<dyn Proofs>,
    ) -> Certified<'t> {
        Certified {
            terms,
            axioms,
            control: control.clone(),
            proofs,
            calls: Statistics::default(),
        }
    }

    fn is_proved(&self, formulas: &[Term], limit: Option<Duration>) -> Result<(), String> {
        let terms = self.terms;
        let all = self.axioms.iter().chain(formulas);
        let assertions: Vec<Term> = all.flat_map(|&formula| terms.conjuncts(formula)).collect();
        let mut lines = Lines::new(terms);
        let numbers: Vec<usize> = assertions.iter().map(|&a| lines.number(a)).collect();
        let mut text = lines.take();
        for number in numbers {
            text += &format!("assert {number}\n");
        }
        let question = Question {
            terms,
            assertions: &assertions,
            text: &text,
            limit: limit.map_or(limits::PROOF, |limit| limit.min(limits::PROOF)),
            control: &self.control,
        };
        let proof = self.proofs.proof(&question, &lines);
        let checked = match &proof {
            Some(proof) => ult_proof::check(&text, proof).map_err(|wrong| wrong.to_string()),
            None => Err("there is no proof".into()),
        };
        self.proofs
            .judged(&text, proof.as_deref().filter(|_| checked.is_ok()));
        checked
    }
}

impl Prover for Certified<'_> {
    fn name(&self) -> String {
        "proofs".into()
    }

    fn ask(&mut self, formulas: &[Term], limit: Option<Duration>, _: Tries) -> Reply {
        let start = Instant::now();
        let proved = self.is_proved(formulas, limit);
        self.calls.solver_call(start.elapsed());
        match proved {
            Ok(()) => Reply::Unsat,
            Err(why) => Reply::Unknown(Reason::NotProved(why)),
        }
    }

    fn take_calls(&mut self, stats: &mut Statistics) {
        stats.add(&std::mem::take(&mut self.calls));
    }
}
