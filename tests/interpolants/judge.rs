//! The judgement of others about claimed interpolants: a solver that had no part in them, runs
//! with concrete values, and a look at the vocabulary. Nothing here uses chains or their cuts.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use ult_core::control::Control;
use ult_core::formula::{Op, Term, Terms, Value, Version};
use ult_smt::smtlib::ExternalSolver;
use ult_smt::{Answer, Session};

use crate::interpolants::random::{self, Path};
use crate::random::Random;

/// How long a question to another solver may take.
const LIMIT: Option<Duration> = Some(Duration::from_secs(2));

/// Solvers to ask, best first.
pub struct Judge {
    others: Vec<ExternalSolver>,
    /// What was found out.
    pub findings: Findings,
}

/// Counters: a check that never comes to anything checks nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Findings {
    /// Steps proved to be inductive.
    pub proved: u64,
    /// Those of them proved by a solver in another process.
    pub by_others: u64,
    /// Steps that no solver decided.
    pub undecided: u64,
    /// Runs through a step that satisfy the interpolant before it.
    pub runs: u64,
}

impl Findings {
    pub fn add(&mut self, other: Findings) {
        self.proved += other.proved;
        self.by_others += other.by_others;
        self.undecided += other.undecided;
        self.runs += other.runs;
    }
}

impl Judge {
    /// cvc5 if it is there, then Z3's own program if there is one, with the older of its
    /// arithmetic solvers.
    pub fn new() -> Judge {
        let commands = ["cvc5", "z3 -in smt.arith.solver=2 smt.random_seed=7"];
        let others = commands
            .iter()
            .filter_map(|command| ExternalSolver::start(command, &Control::unlimited()).ok());
        Judge {
            others: others.collect(),
            findings: Findings::default(),
        }
    }

    pub fn has_others(&self) -> bool {
        !self.others.is_empty()
    }

    /// Whether the state formulas are an inductive sequence for the path; else, what is wrong.
    pub fn check(
        &mut self,
        path: &Path<'_>,
        interpolants: &[Term],
        random: &mut Random,
    ) -> Result<(), String> {
        let terms = path.terms;
        let steps = path.steps.len();
        if interpolants.len() + 1 != steps {
            return Err(format!(
                "{} interpolants for {steps} steps",
                interpolants.len()
            ));
        }
        for (cut, &interpolant) in interpolants.iter().enumerate() {
            vocabulary(path, cut, interpolant).map_err(|why| format!("cut {cut}: {why}"))?;
        }
        let before = |step: usize| {
            step.checked_sub(1)
                .map_or(terms.tt(), |cut| interpolants[cut])
        };
        let after = |step: usize| interpolants.get(step).copied().unwrap_or(terms.ff());
        for step in 0..steps {
            let transition = path.transition(step);
            let question = [
                before(step),
                transition.formula,
                terms.not(transition.after(terms, after(step))),
            ];
            self.ask(terms, &question)
                .map_err(|why| format!("step {step}: {why}"))?;
        }
        // From the start, and from anywhere.
        for sample in 0..40 {
            let rigid = random::meaning(path, random);
            let first = if sample % 2 == 0 {
                0
            } else {
                random.below(steps)
            };
            let mut state = random::state(path, random);
            for step in first..steps {
                let holds = |formula: Term, state: &_| {
                    random::evaluate(terms, formula, state, &BTreeMap::new(), &rigid)
                };
                if holds(before(step), &state) != Some(Value::Bool(true)) {
                    break;
                }
                let Some(next) = random::execute(path, step, state.clone(), &rigid, random) else {
                    break;
                };
                self.findings.runs += 1;
                // What has no value is no witness.
                if holds(after(step), &next) == Some(Value::Bool(false)) {
                    return Err(format!("step {step} leads from {state:?} to {next:?}"));
                }
                state = next;
            }
        }
        Ok(())
    }

    /// Asks one after the other until somebody knows.
    fn ask(&mut self, terms: &Terms, question: &[Term]) -> Result<(), String> {
        for solver in &mut self.others {
            match solver.check_unsat(terms, question, LIMIT) {
                Answer::Unsat => {
                    self.findings.proved += 1;
                    self.findings.by_others += 1;
                    return Ok(());
                }
                Answer::Sat => return Err(format!("not inductive, says {}", solver.identity())),
                Answer::Unknown(_) => {}
            }
        }
        let session = Session::new(terms, &[], &Control::unlimited());
        match session.solver().check(question, LIMIT) {
            Answer::Unsat => self.findings.proved += 1,
            Answer::Sat => return Err("not inductive, says Z3".to_owned()),
            Answer::Unknown(_) => self.findings.undecided += 1,
        }
        Ok(())
    }
}

/// An interpolant speaks about program variables that occur on both sides of its cut, and about
/// functions of the program.
fn vocabulary(path: &Path<'_>, cut: usize, interpolant: Term) -> Result<(), String> {
    let terms = path.terms;
    let names = |steps: std::ops::Range<usize>| -> BTreeSet<Arc<str>> {
        steps
            .flat_map(|step| {
                let transition = path.transition(step);
                let vars = terms.free_vars(&[transition.formula]);
                let vars = vars
                    .into_iter()
                    .filter_map(|term| Some(terms.as_var(term)?.name.clone()));
                vars.chain(transition.changed.iter().cloned())
                    .collect::<Vec<_>>()
            })
            .collect()
    };
    let (before, behind) = (names(0..cut + 1), names(cut + 1..path.steps.len()));
    for term in terms.post_order(&[interpolant]) {
        let stray = match terms.op(term) {
            Op::Var(var) if var.version == Version::Current => {
                !before.contains(&var.name)
                    || !behind.contains(&var.name)
                    || path.graph.variables.get(&var.name) != Some(terms.sort(term))
            }
            Op::Var(var) => !matches!(var.version, Version::Bound(_)),
            Op::Apply(function) => !path.graph.functions.contains(function),
            _ => false,
        };
        if stray {
            return Err(format!(
                "`{}` does not belong into `{}`",
                terms.display(term),
                terms.display(interpolant)
            ));
        }
    }
    Ok(())
}
