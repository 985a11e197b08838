//! Random Horn clauses in SMT-LIB over sorts with few values: linear ones, and such with several predicates among the premises,
//! whose derivations are trees.
//!
//! The truth is the least fixed point: what clauses derive is derived, and they are satisfiable, which is SAFE, if no query is.
//! Integers that are bound are between two bounds, and values of recursive datatypes are not deep, which each clause says.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::rc::Rc;

use super::Model;
use super::chance::Chance;
use super::datatypes::{Datatype, declarations, sort};
use super::extended;
use super::terms::{Sort, Term, Value, term};

/// So many values of the variables of a clause are looked at.
const MOST_VALUES: usize = 600;

/// So many facts are derived.
const MOST_FACTS: usize = 500;

/// The bounds of integers.
const LOW: i64 = -1;
const HIGH: i64 = 3;

/// A predicate and its arguments.
type Atom = (usize, Vec<Term>);

#[derive(Clone, Debug)]
struct Clause {
    variables: Vec<Sort>,
    body: Vec<Atom>,
    constraint: Term,
    /// None for a query.
    head: Option<Atom>,
}

#[derive(Clone, Debug)]
struct Clauses {
    datatypes: Vec<Rc<Datatype>>,
    /// The sorts of the arguments of each predicate.
    predicates: Vec<Vec<Sort>>,
    clauses: Vec<Clause>,
}

impl Clause {
    /// All values of the variables; nothing if there are too many.
    fn values(&self) -> Option<Vec<Vec<Value>>> {
        let mut all = vec![Vec::new()];
        for sort in &self.variables {
            let values = sort.values(LOW, HIGH);
            if all.len() * values.len() > MOST_VALUES {
                return None;
            }
            all = extended(&all, &values);
        }
        Some(all)
    }
}

fn instance((predicate, args): &Atom, values: &[Value]) -> (usize, Vec<Value>) {
    (
        *predicate,
        args.iter().map(|arg| arg.value(values)).collect(),
    )
}

impl Clauses {
    /// Whether no query is derived, and how often all clauses were looked at until nothing was new; nothing if there is too
    /// much to look at.
    fn solve(&self) -> Option<(bool, usize)> {
        // Values that satisfy the constraint, for each clause.
        let mut open = Vec::new();
        for clause in &self.clauses {
            let mut values = clause.values()?;
            values.retain(|values| clause.constraint.value(values).is_true());
            open.push(values);
        }
        let mut known: BTreeSet<(usize, Vec<Value>)> = BTreeSet::new();
        for round in 0.. {
            let mut new = BTreeSet::new();
            for (clause, values) in self.clauses.iter().zip(&open) {
                for values in values {
                    let mut body = clause.body.iter();
                    let holds = body.all(|atom| known.contains(&instance(atom, values)));
                    match &clause.head {
                        _ if !holds => {}
                        None => return Some((false, round)),
                        Some(head) => {
                            let derived = instance(head, values);
                            if !known.contains(&derived) {
                                new.insert(derived);
                            }
                        }
                    }
                }
            }
            if new.is_empty() {
                return Some((true, round));
            }
            known.extend(new);
            if known.len() > MOST_FACTS {
                return None;
            }
        }
        None
    }

    fn text(&self, chance: &mut Chance) -> String {
        let mut text = String::from("(set-logic HORN)\n");
        text += &declarations(chance, &self.datatypes);
        for (index, sorts) in self.predicates.iter().enumerate() {
            let sorts: Vec<String> = sorts.iter().map(Sort::text).collect();
            let _ = writeln!(text, "(declare-fun p{index} ({}) Bool)", sorts.join(" "));
        }
        for clause in &self.clauses {
            let clause = clause.text(chance);
            let _ = writeln!(text, "(assert {clause})");
        }
        text + "(check-sat)\n"
    }
}

impl Clause {
    fn text(&self, chance: &mut Chance) -> String {
        let names: Vec<String> = (0..self.variables.len())
            .map(|index| format!("v{index}"))
            .collect();
        let atom = |(predicate, args): &Atom| {
            if args.is_empty() {
                return format!("p{predicate}");
            }
            let args: Vec<String> = args.iter().map(|arg| arg.text(&names)).collect();
            format!("(p{predicate} {})", args.join(" "))
        };
        let mut parts: Vec<String> = self.body.iter().map(atom).collect();
        for (index, sort) in self.variables.iter().enumerate() {
            let bounds = Term::variable(sort.clone(), index).bounds(LOW, HIGH);
            parts.extend(bounds.iter().map(|bound| bound.text(&names)));
        }
        let is_last = parts.len();
        parts.push(self.constraint.text(&names));
        let body = |parts: &[String]| match parts {
            [] => "true".to_owned(),
            [one] => one.clone(),
            _ => format!("(and {})", parts.join(" ")),
        };
        let clause = match &self.head {
            Some(head) => match chance.below(4) {
                0 => format!("(or (not {}) {})", body(&parts), atom(head)),
                1 => format!(
                    "(=> {} (=> {} {}))",
                    body(&parts[is_last..]),
                    body(&parts[..is_last]),
                    atom(head)
                ),
                _ => format!("(=> {} {})", body(&parts), atom(head)),
            },
            None => match chance.below(4) {
                0 => format!("(not {})", body(&parts)),
                1 => format!(
                    "(=> {} (not {}))",
                    body(&parts[..is_last]),
                    body(&parts[is_last..])
                ),
                _ => format!("(=> {} false)", body(&parts)),
            },
        };
        if self.variables.is_empty() {
            return clause;
        }
        let bound: Vec<String> = names
            .iter()
            .zip(&self.variables)
            .map(|(name, sort)| format!("({name} {})", sort.text()))
            .collect();
        format!("(forall ({}) {clause})", bound.join(" "))
    }
}

struct Generator<'a> {
    chance: &'a mut Chance,
    datatypes: Vec<Rc<Datatype>>,
    predicates: Vec<Vec<Sort>>,
    /// How many predicates a clause may have among its premises besides the first one.
    others: usize,
}

impl Generator<'_> {
    /// Arguments in the conclusion. Integers stay within bounds that other clauses ask for, mostly.
    fn head(&mut self, predicate: usize, variables: &[Sort]) -> Atom {
        let args = self.predicates[predicate]
            .clone()
            .iter()
            .map(|sort| {
                let depth = self.chance.between(0, 2);
                term(self.chance, sort, depth, variables)
            })
            .collect();
        (predicate, args)
    }

    /// A premise whose arguments are variables of their own, mostly.
    fn premise(&mut self, predicate: usize, variables: &mut Vec<Sort>) -> Atom {
        let mut args = Vec::new();
        for sort in self.predicates[predicate].clone() {
            if self.chance.percent(12) {
                args.push(term(self.chance, &sort, 0, variables));
                continue;
            }
            variables.push(sort.clone());
            args.push(Term::variable(sort, variables.len() - 1));
        }
        (predicate, args)
    }

    fn constraint(&mut self, variables: &[Sort], percent: u32) -> Term {
        match self.chance.percent(percent) {
            true => {
                let depth = self.chance.between(1, 3);
                term(self.chance, &Sort::Bool, depth, variables)
            }
            false => Term::number(Sort::Bool, 1),
        }
    }

    fn clause(&mut self, from: Option<usize>, to: Option<usize>) -> Clause {
        let mut variables = Vec::new();
        let mut body = Vec::new();
        if let Some(predicate) = from {
            body.push(self.premise(predicate, &mut variables));
            for _ in 0..self.others {
                if self.chance.percent(40) {
                    let predicate = self.chance.below(self.predicates.len());
                    body.push(self.premise(predicate, &mut variables));
                }
            }
            self.chance.shuffle(&mut body);
        }
        if self.chance.percent(30) || body.is_empty() && self.chance.percent(60) {
            variables.push(sort(self.chance, &self.datatypes));
        }
        let constraint = self.constraint(&variables, if to.is_none() { 90 } else { 60 });
        let head = to.map(|predicate| self.head(predicate, &variables));
        Clause {
            variables,
            body,
            constraint,
            head,
        }
    }

    fn clauses(mut self) -> Clauses {
        let count = self.predicates.len();
        let mut clauses = vec![self.clause(None, Some(0))];
        for to in 1..count {
            let from = self.chance.below(to);
            clauses.push(self.clause(Some(from), Some(to)));
        }
        for _ in 0..self.chance.between(1, 4) {
            let from = match self.chance.percent(8) {
                true => None,
                false => Some(self.chance.below(count)),
            };
            let to = self.chance.below(count);
            clauses.push(self.clause(from, Some(to)));
        }
        for _ in 0..self.chance.pick(&[0, 1, 1, 1, 1, 1, 1, 2, 2, 3]) {
            let from = match self.chance.percent(3) {
                true => None,
                false => Some(self.chance.below(count)),
            };
            clauses.push(self.clause(from, None));
        }
        if self.chance.percent(30) {
            self.chance.shuffle(&mut clauses);
        }
        Clauses {
            datatypes: self.datatypes,
            predicates: self.predicates,
            clauses,
        }
    }
}

/// Random clauses, with variables of these datatypes. A clause has up to `others` predicates among its premises besides the
/// first one.
pub(super) fn model(
    chance: &mut Chance,
    others: usize,
    datatypes: Vec<Rc<Datatype>>,
) -> Option<Model> {
    let predicates = (0..chance.between(1, 3))
        .map(|_| {
            (0..chance.pick(&[0, 1, 1, 2, 2, 3]))
                .map(|_| sort(chance, &datatypes))
                .collect()
        })
        .collect();
    let generator = Generator {
        chance,
        datatypes,
        predicates,
        others,
    };
    let clauses = generator.clauses();
    let (is_safe, rounds) = clauses.solve()?;
    let has_query = clauses.clauses.iter().any(|clause| clause.head.is_none());
    Some(Model {
        text: clauses.text(chance),
        is_safe,
        is_dull: rounds < 2 || !has_query,
    })
}

#[cfg(test)]
mod tests {
    use super::super::datatypes::{Field, get, is, make};
    use super::*;

    fn variable(index: usize) -> Term {
        Term::variable(Sort::Bits(2), index)
    }

    fn word(number: i64) -> Term {
        Term::number(Sort::Bits(2), number)
    }

    /// From 0 on, in steps of so much; 3 must not come.
    fn count(step: i64) -> Clauses {
        let yes = Term::number(Sort::Bool, 1);
        let sum = Term::apply(Sort::Bits(2), "bvadd", vec![variable(0), word(step)]);
        Clauses {
            datatypes: Vec::new(),
            predicates: vec![vec![Sort::Bits(2)]],
            clauses: vec![
                Clause {
                    variables: Vec::new(),
                    body: Vec::new(),
                    constraint: yes.clone(),
                    head: Some((0, vec![word(0)])),
                },
                Clause {
                    variables: vec![Sort::Bits(2)],
                    body: vec![(0, vec![variable(0)])],
                    constraint: yes,
                    head: Some((0, vec![sum])),
                },
                Clause {
                    variables: vec![Sort::Bits(2)],
                    body: vec![(0, vec![variable(0)])],
                    constraint: Term::apply(Sort::Bool, "=", vec![variable(0), word(3)]),
                    head: None,
                },
            ],
        }
    }

    #[test]
    fn what_is_derived_is_known() {
        assert_eq!(count(2).solve(), Some((true, 2)));
        assert_eq!(count(1).solve(), Some((false, 4)));
    }

    #[test]
    fn all_premises_are_needed() {
        let mut clauses = count(1);
        let all = clauses.clone();
        clauses.clauses[1].body.push((0, vec![word(2)]));
        assert_eq!(clauses.solve().map(|(is_safe, _)| is_safe), Some(true));
        clauses = all;
        clauses.clauses[1].body.push((0, vec![word(0)]));
        assert_eq!(clauses.solve(), Some((false, 4)));
    }

    #[test]
    fn without_a_fact_nothing_is_derived() {
        let mut clauses = count(1);
        clauses.clauses.remove(0);
        assert_eq!(clauses.solve(), Some((true, 0)));
        // And without a query nothing is wrong.
        let mut clauses = count(1);
        clauses.clauses.pop();
        assert_eq!(clauses.solve().map(|(is_safe, _)| is_safe), Some(true));
    }

    #[test]
    fn integers_that_are_bound_have_bounds() {
        let clause = Clause {
            variables: vec![Sort::Int],
            body: Vec::new(),
            constraint: Term::apply(
                Sort::Bool,
                ">",
                vec![Term::variable(Sort::Int, 0), Term::number(Sort::Int, HIGH)],
            ),
            head: None,
        };
        let mut chance = Chance::new(1, 1);
        assert!(clause.text(&mut chance).contains("(<= (- 1) v0 3)"));
        let clauses = Clauses {
            datatypes: Vec::new(),
            predicates: Vec::new(),
            clauses: vec![clause],
        };
        assert_eq!(clauses.solve(), Some((true, 0)));
    }

    /// A counter that may stop: from `go 0` to `go 3` in steps of so much, and from there to `stop`, which must not come.
    fn stops(step: i64) -> Clauses {
        let of = Rc::new(Datatype {
            number: 0,
            constructors: vec![Vec::new(), vec![Field::Of(Sort::Int)]],
        });
        let sort = Sort::Data(of.clone());
        let value = Term::variable(sort.clone(), 0);
        let int = |number| Term::number(Sort::Int, number);
        let go = |term| make(&of, 1, vec![term]);
        let field = get(&of, 1, 0, value.clone());
        let sum = Term::apply(Sort::Int, "+", vec![field, int(step)]);
        let equals = |term| Term::apply(Sort::Bool, "=", vec![value.clone(), term]);
        let clause = |constraint, head| Clause {
            variables: vec![sort.clone()],
            body: vec![(0, vec![value.clone()])],
            constraint,
            head,
        };
        Clauses {
            predicates: vec![vec![sort.clone()]],
            clauses: vec![
                Clause {
                    variables: Vec::new(),
                    body: Vec::new(),
                    constraint: Term::number(Sort::Bool, 1),
                    head: Some((0, vec![go(int(0))])),
                },
                clause(is(&of, 1, false, value.clone()), Some((0, vec![go(sum)]))),
                clause(
                    equals(go(int(HIGH))),
                    Some((0, vec![make(&of, 0, Vec::new())])),
                ),
                clause(is(&of, 0, true, value.clone()), None),
            ],
            datatypes: vec![of.clone()],
        }
    }

    #[test]
    fn values_of_data_types_are_derived() {
        assert_eq!(stops(1).solve(), Some((false, 5)));
        assert_eq!(stops(2).solve(), Some((true, 3)));
    }

    #[test]
    fn data_types_are_declared_first() {
        let text = stops(1).text(&mut Chance::new(1, 1));
        let declared = text.find("(declare-datatype").unwrap();
        assert!(declared < text.find("(declare-fun p0 (D0) Bool)").unwrap());
        assert!(text.contains("(forall ((v0 D0))"));
        assert!(text.contains("(=> ((_ is c0_1) v0) (<= (- 1) (s0_1_0 v0) 3))"));
    }

    /// Lists of `true`: the empty one, longer ones, and no `false` in front.
    #[test]
    fn longer_lists_are_derived_from_short_ones() {
        let of = Rc::new(Datatype {
            number: 0,
            constructors: vec![Vec::new(), vec![Field::Of(Sort::Bool), Field::Itself]],
        });
        let sort = Sort::Data(of.clone());
        let value = Term::variable(sort.clone(), 0);
        let yes = || Term::number(Sort::Bool, 1);
        let longer = |list| make(&of, 1, vec![yes(), list]);
        let front = |list: &Term| {
            let not = Term::apply(Sort::Bool, "not", vec![get(&of, 1, 0, list.clone())]);
            let there = is(&of, 1, false, list.clone());
            Term::apply(Sort::Bool, "and", vec![there, not])
        };
        let clause = |constraint, head| Clause {
            variables: vec![sort.clone()],
            body: vec![(0, vec![value.clone()])],
            constraint,
            head,
        };
        let mut clauses = Clauses {
            predicates: vec![vec![sort.clone()]],
            clauses: vec![
                Clause {
                    variables: Vec::new(),
                    body: Vec::new(),
                    constraint: yes(),
                    head: Some((0, vec![make(&of, 0, Vec::new())])),
                },
                clause(yes(), Some((0, vec![longer(value.clone())]))),
                clause(front(&value), None),
            ],
            datatypes: vec![of.clone()],
        };
        // Lists with one, two, and three elements; the last are too deep to be premises.
        assert_eq!(clauses.solve(), Some((true, 4)));
        let three = longer(longer(longer(make(&of, 0, Vec::new()))));
        clauses.clauses[2].constraint = Term::apply(Sort::Bool, "=", vec![value.clone(), three]);
        assert_eq!(clauses.solve(), Some((true, 4)));
        let two = longer(longer(make(&of, 0, Vec::new())));
        clauses.clauses[2].constraint = Term::apply(Sort::Bool, "=", vec![value.clone(), two]);
        assert_eq!(clauses.solve(), Some((false, 3)));
    }
}
