//! Interpolants of theory lemmas, for all cuts at once.

use std::collections::BTreeMap;
use std::time::Instant;

use super::atoms::{Atom, Atoms, Relation};
use super::clause::{Lit, Var};
use super::equality::Link;
use super::number::{Delta, Rational};
use super::objection::{Bound, Lemma, TightEquation};
use super::proof::{Leaves, Span, System};
use super::simplex::{Column, Side};
use crate::cubes::Cubes;
use crate::limits;
use crate::{Chain, Interpolator, NoInterpolants};
use ult_core::formula::Term;
use ult_smt::Session;

/// How the bounds of part A are added up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Farkas {
    /// All into one comparison (McMillan, "An interpolating theorem prover", TCS 2005).
    #[default]
    Plain,
    /// Into one comparison for each group that shares no variable of part A alone: stronger, and
    /// with fewer variables in each. (The decomposition of Blicha, Hyvärinen, Kofroň, Sharygina,
    /// "Decomposing Farkas interpolants", TACAS 2019, by connected components: finer
    /// decompositions need not be inductive from cut to cut.)
    Decomposed,
}

/// What interpolants of lemmas are made with.
pub(super) struct Lemmas<'a, 's, 't> {
    /// The atoms that the literals stand for.
    pub atoms: &'a Atoms<'t>,
    /// For lemmas that the solver gave.
    pub session: &'s Session<'t>,
    /// The chain that the atoms are from.
    pub chain: &'a Chain,
    /// Where shared literals count.
    pub system: System,
    /// How bounds are added up.
    pub farkas: Farkas,
    /// When to give up.
    pub deadline: Instant,
}

impl Leaves<Lemma> for Lemmas<'_, '_, '_> {
    type Error = NoInterpolants;

    fn span(&self, var: Var) -> Span {
        self.atoms.span(var)
    }

    fn term(&self, lit: Lit) -> Term {
        self.atoms.term(lit)
    }

    fn lemma(&self, clause: &[Lit], lemma: &Lemma) -> Result<Vec<Term>, NoInterpolants> {
        let cuts = 0..self.chain.cuts.len();
        Ok(match lemma {
            Lemma::Farkas(bounds) => cuts.map(|cut| self.sums(bounds, cut)).collect(),
            Lemma::Diophantine(parts) => cuts.map(|cut| self.remainders(parts, cut)).collect(),
            Lemma::Chain(links, apart) => {
                cuts.map(|cut| self.segments(links, *apart, cut)).collect()
            }
            Lemma::Oracle => return self.projected(clause),
        })
    }
}

impl Lemmas<'_, '_, '_> {
    fn in_a(&self, lit: Lit, cut: usize) -> bool {
        self.system.is_in_a(self.atoms.span(lit.var()).side(cut))
    }

    /// The sum of the bounds of part A, or the sums of its groups.
    fn sums(&self, bounds: &[Bound], cut: usize) -> Term {
        let terms = self.atoms.terms;
        let part: Vec<&Bound> = bounds.iter().filter(|b| self.in_a(b.lit, cut)).collect();
        let groups = match self.farkas {
            Farkas::Plain => vec![part],
            Farkas::Decomposed => self.groups(&part, cut),
        };
        terms.and(groups.iter().map(|group| self.sum(group)))
    }

    /// The sum of some bounds. If all of them come from equations, it is an equation.
    fn sum(&self, bounds: &[&Bound]) -> Term {
        let mut sum = Sum::default();
        let mut limit = Delta::ZERO;
        let mut equation = true;
        for bound in bounds {
            let factor = match bound.side {
                Side::Upper => bound.factor.clone(),
                Side::Lower => -&bound.factor,
            };
            sum.add(self.atoms.simplex.combination(bound.column), &factor);
            limit.add_scaled(&factor, &bound.bound);
            equation &= matches!(self.atoms.atom(bound.lit.var()), Atom::Equal(..));
        }
        let relation = match equation {
            true => Relation::Equal,
            false if limit.delta.is_zero() => Relation::AtMost,
            false => Relation::Less,
        };
        self.atoms.comparison(&sum.factors(), relation, &limit.real)
    }

    /// Bounds that share a variable which is of no use after the cut belong together.
    fn groups<'b>(&self, bounds: &[&'b Bound], cut: usize) -> Vec<Vec<&'b Bound>> {
        let mut groups: Vec<(Vec<Column>, Vec<&Bound>)> = Vec::new();
        for &bound in bounds {
            let mut local: Vec<Column> = self
                .atoms
                .simplex
                .combination(bound.column)
                .iter()
                .map(|(column, _)| *column)
                .filter(|&column| self.atoms.is_local_before(column, cut))
                .collect();
            let mut members = vec![bound];
            let (touching, rest): (Vec<_>, Vec<_>) = groups
                .into_iter()
                .partition(|(columns, _)| columns.iter().any(|c| local.contains(c)));
            groups = rest;
            for (columns, others) in touching {
                local.extend(columns);
                members.extend(others);
            }
            groups.push((local, members));
        }
        groups.into_iter().map(|(_, members)| members).collect()
    }

    /// What the equations of part A say modulo integers.
    ///
    /// The whole combination has integer factors only, so part A of it has integer factors for
    /// the variables of part A alone: their share is some integer, and the rest of the sum, over
    /// shared variables, is the constant minus that integer. (Jain, Clarke, Grumberg, "Efficient
    /// Craig interpolation for linear Diophantine (dis)equations", CAV 2008.) Shared variables
    /// with integer factors drop out in the same way.
    fn remainders(&self, parts: &[TightEquation], cut: usize) -> Term {
        let terms = self.atoms.terms;
        let mut sum = Sum::default();
        let mut constant = Rational::default();
        let mut conjuncts = Vec::new();
        for part in parts {
            let factors = self.atoms.simplex.combination(part.column);
            match (self.in_a(part.upper, cut), self.in_a(part.lower, cut)) {
                (true, true) => {
                    sum.add(factors, &part.factor);
                    constant += &(&part.value * &part.factor);
                }
                (false, false) => {}
                // Half an equation: the other half makes it whole in part B.
                (true, false) => {
                    conjuncts.push(
                        self.atoms
                            .comparison(factors, Relation::AtMost, &part.value),
                    );
                }
                (false, true) => {
                    let negated: Vec<(Column, Rational)> =
                        factors.iter().map(|(c, f)| (*c, -f)).collect();
                    let relation = Relation::AtMost;
                    conjuncts.push(self.atoms.comparison(&negated, relation, &-&part.value));
                }
            }
        }
        let factors: Vec<(Column, Rational)> = sum
            .factors()
            .into_iter()
            .map(|(column, factor)| (column, &factor - &factor.floor()))
            .filter(|(_, factor)| !factor.is_zero())
            .collect();
        let constant = &constant - &constant.floor();
        conjuncts.push(self.congruence(&factors, &constant));
        terms.and(conjuncts)
    }

    /// `sum - constant` is an integer.
    fn congruence(&self, factors: &[(Column, Rational)], constant: &Rational) -> Term {
        let terms = self.atoms.terms;
        let mut modulus = Rational::from(constant.denom());
        for (_, factor) in factors {
            modulus = modulus.lcm(&Rational::from(factor.denom()));
        }
        let number = |value: Rational| terms.int(value.to_big().to_integer());
        let mut summands: Vec<Term> = factors
            .iter()
            .map(|(column, factor)| {
                terms.mul(&[number(factor * &modulus), self.atoms.base(*column)])
            })
            .collect();
        summands.push(number(-(constant * &modulus)));
        if modulus.is_one() {
            return terms.tt();
        }
        // With one variable, `x mod m == c` reads better than `(x - c) mod m == 0`.
        if let [variable, _] = summands[..]
            && terms.as_number(variable).is_none()
        {
            let rest = number(constant * &modulus);
            return terms.eq(terms.modulo(variable, number(modulus)), rest);
        }
        let sum = terms.add(&summands);
        terms.eq(terms.modulo(sum, number(modulus)), terms.int(0))
    }

    /// What the equalities of part A contribute to a chain between different terms: each longest
    /// piece of part A says that its ends are equal. If part A has the disequality, it says that
    /// the pieces of part B do not all hold. The ends of a piece are shared, since a literal of
    /// the other part mentions them too. (Fuchs, Goel, Grundy, Krstić, Tinelli, "Ground
    /// interpolation for the theory of equality", TACAS 2009.)
    fn segments(&self, links: &[Link], apart: Option<Lit>, cut: usize) -> Term {
        let terms = self.atoms.terms;
        let disequality_in_a = apart.is_some_and(|lit| self.in_a(lit, cut));
        let mut pieces: Vec<(Term, Term)> = Vec::new();
        let mut open = false;
        for link in links {
            let wanted = self.in_a(link.lit, cut) != disequality_in_a;
            match pieces.last_mut() {
                Some((_, end)) if wanted && open => *end = link.to,
                _ if wanted => pieces.push((link.from, link.to)),
                _ => {}
            }
            open = wanted;
        }
        let all = terms.and(pieces.into_iter().map(|(from, to)| terms.eq(from, to)));
        if disequality_in_a {
            terms.not(all)
        } else {
            all
        }
    }

    /// Interpolants of a lemma of the solver: its negated literals are a chain of their own, of
    /// conjunctions, for which model-based projection is quick.
    fn projected(&self, clause: &[Lit]) -> Result<Vec<Term>, NoInterpolants> {
        let terms = self.atoms.terms;
        let mut steps = vec![Vec::new(); self.chain.steps.len()];
        for &lit in clause {
            let span = self.atoms.span(lit.var());
            let step = match self.system {
                System::InverseMcMillan => span.first,
                System::McMillan | System::Pudlak => span.last,
            };
            steps[step].push(self.atoms.term(!lit));
        }
        let steps = steps.into_iter().map(|lits| terms.and(lits)).collect();
        let left = self.deadline.saturating_duration_since(Instant::now());
        let limit = left.min(limits::LEMMA);
        Cubes.interpolate(self.session, &self.chain.with_steps(terms, steps), limit)
    }
}

/// A linear combination of original columns.
#[derive(Default)]
struct Sum(BTreeMap<Column, Rational>);

impl Sum {
    fn add(&mut self, factors: &[(Column, Rational)], times: &Rational) {
        for (column, factor) in factors {
            *self.0.entry(*column).or_default() += &(factor * times);
        }
    }

    fn factors(self) -> Vec<(Column, Rational)> {
        self.0.into_iter().filter(|(_, f)| !f.is_zero()).collect()
    }
}
