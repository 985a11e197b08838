//! A refutation as a text that somebody else can check: the certificate of a question.
//!
//! The form is that of `src/proof/FORMAT.md`. Nothing here has to be right for a verdict to be: who reads the text believes none of it.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::time::{Duration, Instant};

use indexmap::IndexMap;

use super::atoms::{Atom, Atoms};
use super::bits;
use super::clause::{ClauseId, Clauses, Lit, Origin, Source};
use super::objection::Lemma;
use super::quantified::Derivation;
use super::search::{End, Search};
use super::simplex::{Column, Side};
use super::theory::ChainTheory;
use ult_core::formula::lines::Lines;
use ult_core::formula::{BinderKind, Op, Term};
use ult_smt::Session;

/// Looks for a proof that the assertions contradict each other. `lines` has their terms already. Returns `None` if no proof is found.
///
/// It looks into linear arithmetic, bit-vectors, functions, maps and quantified formulas. The solver is never asked.
pub fn refutation(
    session: &Session<'_>,
    lines: &mut Lines<'_>,
    assertions: &[Term],
    limit: Duration,
) -> Option<String> {
    if assertions.is_empty() {
        return None;
    }
    let deadline = Instant::now() + limit;
    let control = session.control().until(deadline);
    let mut search = Search::new(ChainTheory::alone(session, assertions, deadline));
    search.restarts = true;
    for (step, &assertion) in assertions.iter().enumerate() {
        for (source, clause) in search.theory.clauses(step, assertion) {
            search.add(step, source, clause);
        }
    }
    match search.run(u64::MAX / 2, &control) {
        End::Refuted(empty) => Writer::new(&search.theory, &search.clauses, lines).proof(empty),
        End::Satisfiable | End::Paused | End::Timeout | End::Unknown(_) => None,
    }
}

/// A proof in the making.
struct Writer<'a, 't, 'l> {
    atoms: &'a Atoms<'t>,
    /// Why some valid formulas are valid.
    derivations: &'a IndexMap<Term, Derivation>,
    clauses: &'a Clauses<Lemma>,
    lines: &'a mut Lines<'l>,
    text: String,
    /// The numbers of clauses in the text.
    numbers: HashMap<ClauseId, usize>,
    /// Those of steps about terms for variables, by their words.
    special: HashMap<String, usize>,
    /// Those of assertions, and of valid formulas.
    stated: HashMap<Stated, usize>,
    next: usize,
}

/// What clauses come from.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Stated {
    Assertion(usize),
    Valid(Term),
}

impl<'a, 't, 'l> Writer<'a, 't, 'l> {
    fn new(
        theory: &'a ChainTheory<'_, 't>,
        clauses: &'a Clauses<Lemma>,
        lines: &'a mut Lines<'l>,
    ) -> Writer<'a, 't, 'l> {
        Writer {
            atoms: &theory.atoms,
            derivations: &theory.instances.derivations,
            clauses,
            lines,
            text: String::new(),
            numbers: HashMap::new(),
            special: HashMap::new(),
            stated: HashMap::new(),
            next: 0,
        }
    }

    /// The steps up to the empty clause.
    fn proof(mut self, empty: ClauseId) -> Option<String> {
        // Witnesses come after what they are for.
        for derivation in self.derivations.values() {
            match derivation {
                Derivation::Witness(whole, _) | Derivation::Maps(whole, _) => {
                    self.lines.number(*whole);
                }
                Derivation::Instance(..) | Derivation::Polynomial => {}
            }
        }
        for id in self.clauses.proof(empty) {
            let clause = self.clause(id);
            let number = match self.clauses.origin(id) {
                Origin::Step(step, source) => {
                    let stated = match source {
                        Source::Formula => Some(Stated::Assertion(*step)),
                        Source::Valid(formula) => Some(Stated::Valid(*formula)),
                        Source::Meaning => None,
                    };
                    let stated = stated.map(|stated| format!(" {}", self.stated(stated)));
                    self.step(&format!("prop{clause} :{}", stated.unwrap_or_default()))
                }
                Origin::Lemma(lemma) => {
                    let step = self.lemma(&clause, lemma)?;
                    self.step(&step)
                }
                Origin::Resolved(first, chain) => {
                    let others = chain.iter().rev().map(|(_, other)| other);
                    let mut step = format!("rup{clause} :");
                    for other in others.chain([first]) {
                        let _ = write!(step, " {}", self.numbers[other]);
                    }
                    self.step(&step)
                }
            };
            self.numbers.insert(id, number);
        }
        Some(self.text)
    }

    /// Adds a step; the number of its clause. The lines of terms that are new come before it.
    fn step(&mut self, words: &str) -> usize {
        self.text += &self.lines.take();
        self.text += words;
        self.text.push('\n');
        self.next += 1;
        self.next - 1
    }

    /// The clause of one literal that something is stated by.
    fn stated(&mut self, stated: Stated) -> usize {
        if let Some(&number) = self.stated.get(&stated) {
            return number;
        }
        let number = match stated {
            Stated::Assertion(number) => self.step(&format!("assert {number}")),
            Stated::Valid(formula) => self.valid(formula),
        };
        self.stated.insert(stated, number);
        number
    }

    /// The clause of a valid formula.
    fn valid(&mut self, formula: Term) -> usize {
        let goal = self.lines.number(formula);
        let Some(derivation) = self.derivations.get(&formula) else {
            return self.step(&format!("equal +{goal}"));
        };
        let terms = self.atoms.terms;
        let (step, first, second, values) = match derivation {
            Derivation::Polynomial => return self.step(&format!("poly {goal}")),
            Derivation::Instance(whole, values) => ("inst", *whole, None, values),
            Derivation::Witness(whole, values) => ("skolem", *whole, None, values),
            Derivation::Maps(equal, values) => {
                let maps = terms.args(*equal).iter();
                let elements: Vec<usize> =
                    maps.map(|&map| self.lines.element(map, values)).collect();
                (
                    "ext",
                    *equal,
                    Some(self.lines.formula("=", &elements)),
                    values,
                )
            }
        };
        let mut implies = false;
        let first_number = self.lines.number(first);
        let second = second.unwrap_or_else(|| match terms.op(first) {
            Op::Bind(binder) => {
                implies = (binder.kind == BinderKind::Forall) == (step == "inst");
                let map = binder.vars.iter().copied().zip(values.iter().copied());
                self.lines.replaced(terms.args(first)[0], &map.collect())
            }
            _ => unreachable!("not quantified"),
        });
        let (yes, no) = if implies { ('+', '-') } else { ('-', '+') };
        let mut words = format!("{step} {first_number} {second} :");
        for &value in values {
            let _ = write!(words, " {}", self.lines.number(value));
        }
        let special = match self.special.get(&words) {
            Some(&number) => number,
            None => self.step(&words),
        };
        self.special.insert(words, special);
        let from_first = self.step(&format!("prop {yes}{first_number} +{goal} :"));
        let from_second = self.step(&format!("equal {no}{second} +{goal}"));
        self.step(&format!(
            "rup +{goal} : {from_first} {special} {from_second}"
        ))
    }

    fn clause(&mut self, id: ClauseId) -> String {
        let mut words = String::new();
        for &lit in self.clauses.lits(id) {
            words.push(' ');
            words += &self.literal(lit);
        }
        words
    }

    fn literal(&mut self, lit: Lit) -> String {
        let sign = if lit.is_positive() { '+' } else { '-' };
        let number = match self.atoms.atom(lit.var()) {
            Atom::Bit(bit) => bits::line(self.lines, bit),
            _ => self.lines.number(self.atoms.formula(lit.var())),
        };
        format!("{sign}{number}")
    }

    /// The step of a lemma of the theory.
    fn lemma(&mut self, clause: &str, lemma: &Lemma) -> Option<String> {
        match lemma {
            Lemma::Farkas(bounds) => {
                let mut step = format!("farkas{clause} :");
                for bound in bounds {
                    let literal = self.literal(bound.lit);
                    let mut times = bound.factor.to_big();
                    if self.is_equation(bound.lit) {
                        // The reader has it in its own direction, for whatever side.
                        if (bound.side == Side::Lower) != self.is_flipped(bound.column) {
                            times = -times;
                        }
                    }
                    let _ = write!(step, " {literal} {}/{}", times.numer(), times.denom());
                }
                Some(step)
            }
            Lemma::Diophantine(parts) => {
                let mut step = format!("dioph{clause} :");
                for part in parts {
                    let (mut above, mut below) = (part.upper, part.lower);
                    let mut times = part.factor.to_big();
                    if self.is_flipped(part.column) {
                        (above, below) = (below, above);
                        times = -times;
                    }
                    let (above, below) = (self.literal(above), self.literal(below));
                    let _ = write!(step, " {above} {below} {}/{}", times.numer(), times.denom());
                }
                Some(step)
            }
            Lemma::Chain(..) => Some(format!("equal{clause}")),
            Lemma::Oracle => None,
        }
    }

    fn is_equation(&self, lit: Lit) -> bool {
        matches!(self.atoms.atom(lit.var()), Atom::Equal(..))
    }

    /// Whether the reader, to whom the term with the lowest number comes first, has all factors of a column the other way round.
    fn is_flipped(&mut self, column: Column) -> bool {
        let factors = self.atoms.simplex.combination(column).to_vec();
        let numbered = factors.into_iter().map(|(base, factor)| {
            let term = self.atoms.base(base);
            (self.lines.number(term), factor)
        });
        let first = numbered.min_by_key(|(number, _)| *number);
        first.is_some_and(|(_, factor)| factor.is_negative())
    }
}
