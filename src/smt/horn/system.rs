//! Any set of Horn clauses.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::answer::{only_about, solution};
use super::derivation::{Fact, derivation};
use super::open::Opened;
use super::{FRAGILE, ask, tuned};
use crate::answer::{Answer, Failure};
use crate::encode::Maps;
use crate::log;
use crate::raw::{self, Ast, Truth};
use crate::session::Session;
use crate::smtlib::horn_text;
use ult_core::formula::{Sort, Term};

/// A predicate to be found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Predicate {
    /// For people, and for text. Need not be unique.
    pub name: Arc<str>,
    /// Distinct variables: what a solution speaks about.
    pub params: Vec<Term>,
}

/// A predicate applied to terms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Atom {
    /// The number of the predicate in [`Clauses::predicates`].
    pub predicate: usize,
    /// As many as the predicate has parameters, of their sorts.
    pub args: Vec<Term>,
}

/// For all values of the free variables: if the atoms of the body and the condition hold, so does
/// the head.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clause {
    /// The atoms.
    pub body: Vec<Atom>,
    /// A formula over any variables and rigid symbols.
    pub condition: Term,
    /// The conclusion; `None` is falsity.
    pub head: Option<Atom>,
}

impl Clause {
    /// The condition, and the arguments of all atoms.
    pub fn terms(&self) -> Vec<Term> {
        let atoms = self.body.iter().chain(&self.head);
        let args = atoms.flat_map(|atom| &atom.args).copied();
        [self.condition].into_iter().chain(args).collect()
    }
}

/// Constrained Horn clauses. Rigid symbols stand for the same values in all clauses.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Clauses {
    /// The predicates.
    pub predicates: Vec<Predicate>,
    /// The clauses.
    pub clauses: Vec<Clause>,
}

/// The answer to [`Clauses::solve`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Solved {
    /// For each predicate a formula over its parameters and rigid symbols, such that all clauses
    /// hold (in all models of the background facts); `None` where Spacer's definition could not
    /// be read, because it has quantifiers. A claim. See [`Clauses::complete`].
    Solution(Vec<Option<Term>>),
    /// Falsity follows. The numbers of the clauses that a derivation uses, from falsity back to
    /// the beginning (breadth first where clauses have several atoms); `None` if it could not be
    /// read. A claim, and where `abstracted`, not even that: parts of the clauses were left out.
    Derivable {
        /// The clauses.
        trace: Option<Vec<usize>>,
        /// The derivation itself, if some clause has several atoms and it could be read.
        facts: Option<Vec<Fact>>,
        /// Quantified parts were left out, which allows more.
        abstracted: bool,
    },
    /// No answer.
    GaveUp(Failure),
}

/// How Spacer is set up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tuning {
    /// Without the transformations that remove predicates, and with global guidance: all
    /// definitions and traces can be read.
    #[default]
    Plain,
    /// As [`Tuning::Plain`], without global guidance.
    Direct,
    /// Without global guidance; if clauses have several predicates in their bodies, after those
    /// that do not depend on themselves were replaced by their clauses: then some definitions and
    /// traces may be missing.
    Local,
    /// With global guidance, after predicates were replaced as for [`Tuning::Local`].
    Global,
}

/// Clauses without rigid symbols and binders.
struct Prepared<'a, 't> {
    open: Opened<'a, 't>,
    clauses: Vec<Clause>,
    /// For each predicate the variables for rigid symbols that it has to pass on.
    passed: Vec<Vec<Term>>,
}

impl Clauses {
    /// The clauses with the background facts as conditions, and with rigid symbols as arguments
    /// of the predicates that have to pass them on, functions as maps: what other solvers
    /// understand. Satisfiable exactly if these clauses are (in some model of the facts).
    ///
    /// [`Failure::Unsupported`] if there are quantifiers.
    pub fn without_symbols(&self, session: &Session<'_>) -> Result<Clauses, Failure> {
        let Prepared {
            open,
            mut clauses,
            passed,
        } = self.prepared(session)?;
        if open.abstracted {
            let what = "quantifiers or lambdas in Horn clauses";
            return Err(Failure::Unsupported(what.into()));
        }
        let mut predicates = self.predicates.clone();
        for (predicate, passed) in predicates.iter_mut().zip(&passed) {
            predicate.params.extend(passed);
        }
        for clause in &mut clauses {
            for atom in clause.body.iter_mut().chain(&mut clause.head) {
                atom.args.extend(&passed[atom.predicate]);
            }
        }
        Ok(Clauses {
            predicates,
            clauses,
        })
    }

    fn prepared<'a, 't>(&self, session: &'a Session<'t>) -> Result<Prepared<'a, 't>, Failure> {
        let terms = session.terms();
        let mut open = Opened::new(session);
        let mut clauses: Vec<Clause> = self
            .clauses
            .iter()
            .map(|clause| self.opened(&mut open, clause))
            .collect::<Result<_, _>>()?;
        let facts = open.relevant_axioms();
        for clause in &mut clauses {
            clause.condition = terms.and2(clause.condition, facts);
        }
        let passed = self.passed(session, &open, &clauses);
        Ok(Prepared {
            open,
            clauses,
            passed,
        })
    }

    /// Asks Spacer for a solution, for `limit` at most.
    ///
    /// Quantified sub-formulas and quantified background facts are left out (replaced by unknown
    /// values), which keeps a solution valid.
    pub fn solve(&self, session: &Session<'_>, tuning: Tuning, limit: Option<Duration>) -> Solved {
        let start = Instant::now();
        let solved = self
            .ask(session, tuning, limit)
            .unwrap_or_else(Solved::GaveUp);
        let answer = match &solved {
            Solved::Solution(_) => "sat".to_owned(),
            Solved::Derivable { .. } => "unsat".to_owned(),
            Solved::GaveUp(failure) => log::word(&Answer::Unknown(failure.clone())),
        };
        log::tell(session, start, &answer, Some("spacer"), || {
            horn_text(session, self)
        });
        solved
    }

    fn ask(
        &self,
        session: &Session<'_>,
        tuning: Tuning,
        limit: Option<Duration>,
    ) -> Result<Solved, Failure> {
        let terms = session.terms();
        let Prepared {
            open,
            clauses,
            passed,
        } = self.prepared(session)?;

        let context = session.context()?;
        let seed = session.control().seed();
        let linear = clauses.iter().all(|clause| clause.body.len() <= 1);
        let fixedpoint = match tuning {
            Tuning::Plain => {
                let without = if linear { &FRAGILE[..] } else { &FRAGILE[..1] };
                tuned(context, session.allowance(limit), without, false, seed)?
            }
            Tuning::Global => tuned(
                context,
                session.allowance(limit),
                &FRAGILE[..1],
                !linear,
                seed,
            )?,
            // When Z3's inliner is interrupted, it throws an exception that Z3 lets pass, and the
            // process ends: graphs can be large. Summaries are not found without it.
            Tuning::Local => super::local(context, session.allowance(limit), !linear, seed)?,
            Tuning::Direct => super::local(context, session.allowance(limit), false, seed)?,
        };
        let bool_sort = session.encode_sort(Maps::Curried, &Sort::Bool)?;
        let mut declarations = Vec::new();
        for (number, predicate) in self.predicates.iter().enumerate() {
            let sorts: Vec<raw::Sort> = predicate
                .params
                .iter()
                .chain(&passed[number])
                .map(|&t| session.encode_sort(Maps::Curried, terms.sort(t)))
                .collect::<Result<_, _>>()?;
            let decl = context.declare(&format!("p|{number}"), &sorts, &bool_sort)?;
            fixedpoint.register(&decl)?;
            declarations.push(decl);
        }
        let falsity = context.declare("p|false", &[], &bool_sort)?;
        fixedpoint.register(&falsity)?;
        let falsity = context.apply(&falsity, &[])?;

        let encode = |t: Term| session.encode_with(Maps::Curried, t);
        for (number, clause) in clauses.iter().enumerate() {
            session.control().check()?;
            let mut free = vec![clause.condition];
            let mut atom = |atom: &Atom| -> Result<Ast, Failure> {
                let args: Vec<Term> = atom
                    .args
                    .iter()
                    .chain(&passed[atom.predicate])
                    .copied()
                    .collect();
                free.extend(&args);
                let args: Vec<Ast> = args.into_iter().map(encode).collect::<Result<_, _>>()?;
                Ok(context.apply(&declarations[atom.predicate], &args)?)
            };
            let mut premises: Vec<Ast> = clause
                .body
                .iter()
                .map(&mut atom)
                .collect::<Result<_, _>>()?;
            let head = match &clause.head {
                Some(head) => atom(head)?,
                None => falsity.clone(),
            };
            premises.push(encode(clause.condition)?);
            let formula = context.implies(&context.and(&premises)?, &head)?;
            let bound: Vec<Ast> = terms
                .free_vars(&free)
                .into_iter()
                .map(encode)
                .collect::<Result<_, _>>()?;
            let formula = match &bound[..] {
                [] => formula,
                bound => context.quantify(true, bound, &[], &formula)?,
            };
            fixedpoint.named_rule(&formula, &format!("c{number}"))?;
        }
        let answer = ask(session, &fixedpoint, &falsity, session.allowance(limit))?;
        if answer == Truth::Sat {
            let trace = fixedpoint.trace().ok();
            let facts = (!linear)
                .then(|| derivation(session, self, &fixedpoint.answer().ok()?).ok())
                .flatten();
            return Ok(Solved::Derivable {
                trace: trace.and_then(|names| self.numbers(&names)),
                facts,
                abstracted: open.abstracted,
            });
        }
        let found = solution(&fixedpoint.answer()?)?;
        let read = |number: usize, predicate: &Predicate| -> Result<Term, Failure> {
            let definition = found.get(&declarations[number].id()).ok_or_else(|| {
                Failure::UnexpectedOutput("Spacer's answer lacks a predicate".into())
            })?;
            let params: Vec<Term> = predicate
                .params
                .iter()
                .chain(&passed[number])
                .copied()
                .collect();
            let formula = definition.read(session, &params)?;
            let formula = open.close(formula)?;
            only_about(terms, formula, &predicate.params)?;
            Ok(formula)
        };
        let predicates = self.predicates.iter().enumerate();
        Ok(Solved::Solution(
            predicates
                .map(|(number, predicate)| read(number, predicate).ok())
                .collect(),
        ))
    }

    /// The clause without rigid symbols and binders; fails where it is ill-formed.
    fn opened(&self, open: &mut Opened<'_, '_>, clause: &Clause) -> Result<Clause, Failure> {
        let atom = |atom: &Atom, open: &mut Opened<'_, '_>| {
            let arity = self.predicates.get(atom.predicate).map(|p| p.params.len());
            if arity != Some(atom.args.len()) {
                return Err(Failure::Unsupported("an ill-formed Horn clause".into()));
            }
            Ok(Atom {
                predicate: atom.predicate,
                args: atom.args.iter().map(|&arg| open.term(arg)).collect(),
            })
        };
        let body = clause.body.iter().map(|a| atom(a, open));
        let body = body.collect::<Result<_, _>>()?;
        let head = match &clause.head {
            Some(head) => Some(atom(head, open)?),
            None => None,
        };
        // Last, since it says what new variables in the atoms mean.
        let condition = open.formula(clause.condition);
        Ok(Clause {
            body,
            condition,
            head,
        })
    }

    /// The rigid symbols (as variables) that each predicate has to pass on: those that clauses on
    /// both of its sides speak about.
    fn passed(
        &self,
        session: &Session<'_>,
        open: &Opened<'_, '_>,
        clauses: &[Clause],
    ) -> Vec<Vec<Term>> {
        let terms = session.terms();
        let count = self.predicates.len();
        if open.symbols.is_empty() {
            return vec![Vec::new(); count];
        }
        let symbols: BTreeSet<Term> = open.symbols.values().copied().collect();
        let used: Vec<BTreeSet<Term>> = clauses
            .iter()
            .map(|clause| {
                let vars = terms.free_vars(&clause.terms());
                vars.into_iter().filter(|t| symbols.contains(t)).collect()
            })
            .collect();
        // What is spoken about in derivations of a predicate, and in derivations that use it.
        let mut below: Vec<BTreeSet<Term>> = vec![BTreeSet::new(); count];
        let mut above: Vec<BTreeSet<Term>> = vec![BTreeSet::new(); count];
        grow(|changed| {
            for (clause, used) in clauses.iter().zip(&used) {
                if let Some(head) = &clause.head {
                    let mut all = used.clone();
                    for atom in &clause.body {
                        all.extend(&below[atom.predicate]);
                    }
                    extend(&mut below[head.predicate], all, changed);
                }
            }
        });
        grow(|changed| {
            for (clause, used) in clauses.iter().zip(&used) {
                for (i, atom) in clause.body.iter().enumerate() {
                    let mut all = used.clone();
                    if let Some(head) = &clause.head {
                        all.extend(&above[head.predicate]);
                    }
                    for (j, other) in clause.body.iter().enumerate() {
                        if i != j {
                            all.extend(&below[other.predicate]);
                        }
                    }
                    extend(&mut above[atom.predicate], all, changed);
                }
            }
        });
        below
            .iter()
            .zip(&above)
            .map(|(below, above)| below.intersection(above).copied().collect())
            .collect()
    }

    /// The clauses behind the names of a trace.
    fn numbers(&self, names: &str) -> Option<Vec<usize>> {
        names
            .split(';')
            .filter(|name| !name.is_empty())
            // Spacer's own rule for the query has no name of ours.
            .filter_map(|name| name.strip_prefix('c'))
            .map(|number| {
                let number: usize = number.parse().ok()?;
                (number < self.clauses.len()).then_some(number)
            })
            .collect()
    }
}

fn grow(mut round: impl FnMut(&mut bool)) {
    let mut changed = true;
    while changed {
        changed = false;
        round(&mut changed);
    }
}

fn extend(set: &mut BTreeSet<Term>, more: BTreeSet<Term>, changed: &mut bool) {
    let before = set.len();
    set.extend(more);
    *changed |= set.len() != before;
}
