//! Functions and maps, by valid clauses that are added when the current assignment violates them.
//!
//! A congruence `s == t ==> f(s) == f(t)`, or what a map holds after a store, is a valid clause.
//! If some step can speak about all its terms, the clause may be counted to that step, and the
//! resolution proof needs nothing else for interpolants. If not, the clause is *mixed*, and several
//! clauses over intermediate terms do the same ([`super::bridge`]). So new terms are only made
//! that belong to some step. (For equality and functions: Fuchs, Goel, Grundy, Krstić, Tinelli,
//! "Ground interpolation for the theory of equality", TACAS 2009; intermediate terms instead of
//! mixed ones: Bruttomesso, Ghilardi, Ranise, "Quantifier-free interpolation in combinations of
//! equality interpolating theories", TOCL 2014.)

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use indexmap::{IndexMap, IndexSet};

use super::atoms::{Atom, Atoms};
use super::bits;
use super::bridge::Head;
use super::clause::{Lit, Source};
use super::cnf::ClausalForm;
use super::equality::Equality;
use super::proof::Span;
use super::quantified::Derivation;
use super::values::{Numbers, Value, Values};
use ult_core::formula::lines::is_word;
use ult_core::formula::{Op, Sort, Term, Terms};

/// More instances than this are no explanation.
const MOST_INSTANCES: usize = 4000;

/// By the model alone, so many violations are looked at in one round: most of them are accidents.
const MOST_BY_MODEL: usize = 8;

/// What is known about the applications of a chain, from round to round.
#[derive(Default)]
pub(super) struct Instances {
    /// Whether operators on bit-vectors mean what they do anyway.
    has_bits: bool,
    /// The steps in which each term of the chain occurs.
    homes: HashMap<Term, Span>,
    /// The applications in a term.
    parts: HashMap<Term, Rc<[Term]>>,
    /// Applications whose arguments are columns, if-then-else terms that were explained, and
    /// disequalities of maps that have a witness.
    pub(super) met: HashSet<Term>,
    /// The instances.
    made: HashSet<Term>,
    /// Why those are valid that say more than what an operator means.
    pub(super) derivations: IndexMap<Term, Derivation>,
    /// Quantified formulas, and the terms that their variables were tried with; how many that are.
    pub(super) tried: HashSet<(Term, Vec<Term>)>,
    pub(super) quantified: usize,
    /// Whether a violation was met that no instance resolves.
    pub incomplete: bool,
}

/// A valid clause: one of the guards holds, or both sides are equal.
pub(super) struct Instance {
    /// The guards.
    pub guards: Vec<Term>,
    /// A side of the equation.
    pub left: Term,
    /// The other.
    pub right: Term,
    /// The steps that can speak about it.
    pub scope: Span,
    /// Near whose occurrences it belongs.
    pub near: [Term; 2],
}

/// One look at the current assignment.
pub(super) struct Round<'a, 't> {
    pub(super) instances: &'a mut Instances,
    pub(super) atoms: &'a mut Atoms<'t>,
    pub(super) form: &'a mut ClausalForm,
    pub(super) equality: &'a Equality,
    pub(super) which: Numbers,
    pub(super) values: Values,
    /// The applications that the assignment depends on.
    pub(super) active: Vec<Term>,
    clauses: Vec<(usize, Source, Vec<Lit>)>,
}

impl Instances {
    /// For the chain with these steps.
    pub(super) fn new(terms: &Terms, steps: &[Term], has_bits: bool) -> Instances {
        let mut instances = Instances {
            has_bits,
            ..Instances::default()
        };
        let mut any = false;
        for step in steps {
            any |= !instances.parts(terms, step).is_empty();
        }
        // What is linear arithmetic needs no instances.
        if any {
            for (i, &step) in steps.iter().enumerate() {
                let here = Span::at(i);
                for term in terms.post_order(&[step]) {
                    let home = instances.homes.entry(term).or_insert(here);
                    *home = home.join(here);
                }
            }
        }
        instances
    }

    /// The clauses that the asserted literals violate or that say more about them; none if there
    /// are none.
    pub(super) fn clauses(
        &mut self,
        which: Numbers,
        atoms: &mut Atoms<'_>,
        form: &mut ClausalForm,
        equality: &Equality,
        asserted: &[Lit],
    ) -> Vec<(usize, Source, Vec<Lit>)> {
        let active = active(self, atoms, asserted);
        let has_quantifier = |lit: &Lit| match atoms.atom(lit.var()) {
            Atom::Opaque(term) => matches!(atoms.terms.op(*term), Op::Bind(_)),
            _ => false,
        };
        if active.is_empty() && !(self.has_bits && asserted.iter().any(has_quantifier)) {
            return Vec::new();
        }
        if self.made.len() > MOST_INSTANCES {
            self.incomplete = true;
            return Vec::new();
        }
        let mut round = Round {
            values: Values::new(which, atoms, asserted),
            instances: self,
            atoms,
            form,
            equality,
            which,
            active,
            clauses: Vec::new(),
        };
        if round.explain() {
            // There may be new columns.
            round.values = Values::new(which, round.atoms, asserted);
        }
        if round.clauses.is_empty() {
            round.maps();
            round.congruences(|op| !matches!(op, Op::Select | Op::Store));
        }
        if round.clauses.is_empty() {
            round.congruences(|op| matches!(op, Op::Store));
        }
        if round.clauses.is_empty() && which == Numbers::Model {
            round.witnesses(asserted);
        }
        if round.clauses.is_empty() && which == Numbers::Model && round.instances.has_bits {
            round.quantifiers(asserted);
        }
        round.clauses
    }

    /// The applications in a term, outside of binders.
    fn parts(&mut self, terms: &Terms, root: &Term) -> Rc<[Term]> {
        if let Some(parts) = self.parts.get(root) {
            return parts.clone();
        }
        let mut parts = Vec::new();
        let mut seen = HashSet::new();
        let mut stack = vec![*root];
        while let Some(term) = stack.pop() {
            if matches!(terms.op(term), Op::Bind(_)) || !seen.insert(term) {
                continue;
            }
            stack.extend(terms.args(term));
            let is_circuit = self.has_bits
                && is_word(terms, term)
                && !matches!(terms.op(term), Op::Select | Op::Apply(_) | Op::Builtin(_));
            if is_part(terms, term) && !is_circuit {
                parts.push(term);
            }
        }
        parts.sort_unstable();
        let parts: Rc<[Term]> = parts.into();
        self.parts.insert(*root, parts.clone());
        parts
    }
}

/// Whether the meaning of a term is a matter of instances.
fn is_part(terms: &Terms, term: Term) -> bool {
    let opaque = |sort: &Sort| !sort.is_arithmetic() && *sort != Sort::Bool;
    is_application(terms, term)
        || matches!(terms.op(term), Op::Ite | Op::ConstMap if opaque(terms.sort(term)))
}

/// Whether equal arguments have to give equal results by an instance.
pub(super) fn is_application(terms: &Terms, term: Term) -> bool {
    let args = terms.args(term);
    match terms.op(term) {
        Op::Select | Op::Store | Op::RealDiv | Op::Bv(_) => true,
        Op::Extract { .. } | Op::ZeroExtend(_) | Op::SignExtend(_) => true,
        Op::Apply(_) | Op::Builtin(_) => !args.is_empty(),
        // The arithmetic knows these if one argument is constant.
        Op::Mul => {
            args.iter()
                .filter(|&&t| terms.as_number(t).is_none())
                .count()
                > 1
        }
        Op::Div | Op::Mod => terms
            .as_number(args[1])
            .is_none_or(|divisor| num_traits::Zero::is_zero(&divisor)),
        _ => false,
    }
}

impl Round<'_, '_> {
    /// Makes columns of the arguments of applications that are new, and says what an if-then-else
    /// is. Returns whether something was new.
    fn explain(&mut self) -> bool {
        let terms = self.atoms.terms;
        let mut new = false;
        for term in self.active.clone() {
            if !self.instances.met.insert(term) {
                continue;
            }
            new = true;
            let Some(scope) = self.atoms.scope(term) else {
                continue;
            };
            let step = self.step(scope, [term, term]);
            let args = terms.args(term);
            if let Op::Ite = terms.op(term) {
                for (guard, branch) in [(terms.not(args[0]), args[1]), (args[0], args[2])] {
                    let equal = terms.eq(term, branch);
                    self.define(step, terms.or2(guard, equal));
                }
                continue;
            }
            if self.instances.has_bits && matches!(terms.op(term), Op::Mul) {
                self.product(step, term);
            }
            let numbers: Vec<Term> = args
                .iter()
                .copied()
                .chain([term])
                .filter(|&t| {
                    let is_word = self.atoms.has_bits && bits::width(terms, t).is_some();
                    is_word || terms.sort(t).is_arithmetic()
                })
                .collect();
            let clauses = self.form.numbers(self.atoms, step, &numbers);
            let clauses = clauses.into_iter();
            self.clauses
                .extend(clauses.map(|(source, clause)| (step, source, clause)));
        }
        new
    }

    /// Applications with equal arguments have equal results.
    fn congruences(&mut self, wanted: impl Fn(&Op) -> bool) {
        let terms = self.atoms.terms;
        let mut groups: IndexMap<(Op, Sort, Vec<Value>), Vec<Term>> = IndexMap::new();
        for &term in &self.active {
            if is_application(terms, term) && wanted(terms.op(term)) {
                let args = terms.args(term).iter().map(|&t| self.value(t)).collect();
                let key = (terms.op(term).clone(), terms.sort(term).clone(), args);
                groups.entry(key).or_default().push(term);
            }
        }
        for group in groups.into_values() {
            let values: Vec<Value> = group.iter().map(|&t| self.value(t)).collect();
            for (i, &term) in group.iter().enumerate() {
                let other = (0..i)
                    .filter(|&j| values[j].differs(&values[i]))
                    .min_by_key(|&j| self.distance(group[j], term));
                let Some(other) = other else { continue };
                let (args, others) = (terms.args(term), terms.args(group[other]));
                let mut found = Vec::new();
                let done = self.connect(Head::Like(term), args, others, &mut found);
                self.commit(found, done.is_some());
                if self.is_full() {
                    return;
                }
            }
        }
    }

    /// How many steps lie between the occurrences of two terms.
    fn distance(&self, a: Term, b: Term) -> usize {
        match (self.home(a), self.home(b)) {
            (Some(a), Some(b)) => {
                (b.first.saturating_sub(a.last)).max(a.first.saturating_sub(b.last))
            }
            _ => 0,
        }
    }

    /// The steps in which a term occurs.
    pub(super) fn home(&self, term: Term) -> Option<Span> {
        self.instances.homes.get(&term).copied()
    }

    /// The value of a term.
    pub(super) fn value(&self, term: Term) -> Value {
        self.values.of(self.atoms, self.equality, term)
    }

    /// Whether enough was found for one round.
    pub(super) fn is_full(&self) -> bool {
        self.which == Numbers::Model && self.clauses.len() >= MOST_BY_MODEL
    }

    /// Adds instances that belong together, or notes that they could not be found.
    pub(super) fn commit(&mut self, found: Vec<Instance>, complete: bool) {
        if !complete {
            self.instances.incomplete |= self.which == Numbers::Model;
            return;
        }
        let terms = self.atoms.terms;
        for Instance {
            guards,
            left,
            right,
            scope,
            near,
        } in found
        {
            let step = self.step(scope, near);
            if *terms.sort(left) == Sort::Bool {
                for (a, b) in [(terms.not(left), right), (left, terms.not(right))] {
                    self.add(step, terms.or(guards.iter().copied().chain([a, b])));
                }
            } else {
                let equal = terms.eq(left, right);
                self.add(step, terms.or(guards.iter().copied().chain([equal])));
            }
        }
    }

    /// Adds a valid formula to a step that can speak about it, unless it was added before.
    pub(super) fn add(&mut self, step: usize, formula: Term) {
        self.add_once(step, Source::Valid(formula), formula);
    }

    /// As [`Round::add`], of what a term means.
    fn define(&mut self, step: usize, formula: Term) {
        self.add_once(step, Source::Meaning, formula);
    }

    fn add_once(&mut self, step: usize, source: Source, formula: Term) {
        let trivial = matches!(self.atoms.terms.op(formula), Op::Bool(true));
        if !trivial && self.instances.made.insert(formula) {
            let clauses = self.form.clauses(self.atoms, step, formula);
            for (own, clause) in clauses {
                let source = if own == Source::Formula { source } else { own };
                self.clauses.push((step, source, clause));
            }
        }
    }

    /// The step of a scope that is nearest to where two terms occur.
    pub(super) fn step(&self, scope: Span, near: [Term; 2]) -> usize {
        let homes = self.homes(&near);
        let away = |step: usize| -> usize {
            let one =
                |home: &Span| home.first.saturating_sub(step) + step.saturating_sub(home.last);
            homes.iter().map(one).sum()
        };
        let ends = homes.iter().flat_map(|home| [home.first, home.last]);
        ends.map(|step| step.clamp(scope.first, scope.last))
            .min_by_key(|&step| (away(step), step))
            .unwrap_or(scope.first)
    }

    /// Where terms occur, or their arguments if they are new. What has no variables is at home
    /// everywhere.
    fn homes(&self, near: &[Term]) -> Vec<Span> {
        let terms = self.atoms.terms;
        let mut homes = Vec::new();
        let mut seen = HashSet::new();
        let mut stack = near.to_vec();
        while let Some(term) = stack.pop() {
            if !seen.insert(term) || terms.as_number(term).is_some() {
                continue;
            }
            match self.home(term) {
                Some(_) if terms.args(term).is_empty() && terms.as_var(term).is_none() => {}
                Some(home) => homes.push(home),
                None => stack.extend(terms.args(term)),
            }
        }
        homes
    }
}

/// The applications in the literals that are asserted.
fn active(instances: &mut Instances, atoms: &Atoms<'_>, asserted: &[Lit]) -> Vec<Term> {
    let mut roots = IndexSet::new();
    for lit in asserted {
        match atoms.atom(lit.var()) {
            Atom::Opaque(term) => {
                roots.insert(*term);
            }
            Atom::Same(a, b) => roots.extend([*a, *b]),
            Atom::Bit(bit) => roots.extend([bit.a, bit.b]),
            Atom::Bound(column, _) | Atom::Equal(column, _) | Atom::Branch(column, _) => {
                let bases = atoms.simplex.combination(*column);
                roots.extend(bases.iter().map(|(base, _)| atoms.base(*base)));
            }
            Atom::Definition(..) => {}
        }
    }
    let mut active = IndexSet::new();
    for root in &roots {
        active.extend(instances.parts(atoms.terms, root).iter().copied());
    }
    active.sort_unstable();
    active.into_iter().collect()
}
