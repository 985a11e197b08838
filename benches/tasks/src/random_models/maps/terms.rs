//! Random terms of Boogie about maps, and what they mean.

use super::values::{MODES, Sort, Value, float, place, tuples};
use crate::random_models::chance::Chance;

/// A term with its type.
#[derive(Clone, Debug)]
pub(super) struct Term {
    pub sort: Sort,
    pub kind: Kind,
}

/// What a term is. Variables that are bound stand behind those around them.
#[derive(Clone, Debug)]
pub(super) enum Kind {
    Variable(usize),
    /// A truth value, a word, an integer, a rounding mode, or the pattern of a float.
    Literal(u64),
    Construct(usize, Vec<Term>),
    /// Whether a value was made by a constructor.
    Is(usize, Box<Term>),
    Not(Box<Term>),
    Both(&'static str, Box<Term>, Box<Term>),
    If(Box<Term>, Box<Term>, Box<Term>),
    Select(Box<Term>, Vec<Term>),
    Store(Box<Term>, Vec<Term>, Box<Term>),
    Lambda(Vec<Sort>, Box<Term>),
    /// `forall` or `exists`.
    Quantified(bool, Vec<Sort>, Box<Term>),
}

impl Term {
    /// A truth value made of two terms.
    pub(super) fn both(name: &'static str, a: Term, b: Term) -> Term {
        Term {
            sort: Sort::Bool,
            kind: Kind::Both(name, Box::new(a), Box::new(b)),
        }
    }

    /// `true` or `false`.
    pub(super) fn truth(is_true: bool) -> Term {
        Term {
            sort: Sort::Bool,
            kind: Kind::Literal(u64::from(is_true)),
        }
    }

    /// A variable.
    pub(super) fn variable(sort: Sort, index: usize) -> Term {
        Term {
            sort,
            kind: Kind::Variable(index),
        }
    }

    /// The term where so many variables have come before those from a place on.
    pub(super) fn shifted(&self, from: usize, by: usize) -> Term {
        let one = |term: &Term| Box::new(term.shifted(from, by));
        let all = |terms: &[Term]| terms.iter().map(|term| term.shifted(from, by)).collect();
        let kind = match &self.kind {
            Kind::Variable(index) if *index >= from => Kind::Variable(index + by),
            Kind::Variable(index) => Kind::Variable(*index),
            Kind::Literal(number) => Kind::Literal(*number),
            Kind::Construct(number, args) => Kind::Construct(*number, all(args)),
            Kind::Is(number, term) => Kind::Is(*number, one(term)),
            Kind::Not(term) => Kind::Not(one(term)),
            Kind::Both(name, a, b) => Kind::Both(name, one(a), one(b)),
            Kind::If(condition, a, b) => Kind::If(one(condition), one(a), one(b)),
            Kind::Select(map, at) => Kind::Select(one(map), all(at)),
            Kind::Store(map, at, value) => Kind::Store(one(map), all(at), one(value)),
            Kind::Lambda(sorts, body) => Kind::Lambda(sorts.clone(), one(body)),
            Kind::Quantified(is_all, sorts, body) => {
                Kind::Quantified(*is_all, sorts.clone(), one(body))
            }
        };
        Term {
            sort: self.sort.clone(),
            kind,
        }
    }

    /// The value, with these values of variables, where the uninterpreted type has so many elements.
    pub(super) fn value(&self, variables: &mut Vec<Value>, opaque: u64) -> Value {
        match &self.kind {
            Kind::Variable(index) => variables[*index].clone(),
            Kind::Literal(number) => match self.sort {
                Sort::Float => Value::Number(float(*number)),
                _ => Value::Number(*number),
            },
            Kind::Construct(number, args) => {
                let args = args.iter().map(|arg| arg.value(variables, opaque));
                Value::Data(*number, args.collect())
            }
            Kind::Is(number, term) => {
                let value = term.value(variables, opaque);
                Value::truth(matches!(value, Value::Data(of, _) if of == *number))
            }
            Kind::Not(term) => Value::truth(!term.value(variables, opaque).is_true()),
            Kind::Both(name, a, b) => {
                let (a, b) = (a.value(variables, opaque), b.value(variables, opaque));
                Value::truth(match *name {
                    "==" | "<==>" => a == b,
                    "!=" => a != b,
                    "&&" => a.is_true() && b.is_true(),
                    "||" => a.is_true() || b.is_true(),
                    _ => !a.is_true() || b.is_true(),
                })
            }
            Kind::If(condition, then, otherwise) => {
                match condition.value(variables, opaque).is_true() {
                    true => then.value(variables, opaque),
                    false => otherwise.value(variables, opaque),
                }
            }
            Kind::Select(map, at) => {
                let place = index(map, at, variables, opaque);
                match map.value(variables, opaque) {
                    Value::Map(mut values) => values.swap_remove(place),
                    value => value,
                }
            }
            Kind::Store(map, at, term) => {
                let place = index(map, at, variables, opaque);
                let value = term.value(variables, opaque);
                match map.value(variables, opaque) {
                    Value::Map(mut values) => {
                        values[place] = value;
                        Value::Map(values)
                    }
                    value => value,
                }
            }
            Kind::Lambda(sorts, body) => {
                let depth = variables.len();
                let mut values = Vec::new();
                for tuple in tuples(sorts, opaque) {
                    variables.extend(tuple);
                    values.push(body.value(variables, opaque));
                    variables.truncate(depth);
                }
                Value::Map(values)
            }
            Kind::Quantified(is_all, sorts, body) => {
                let depth = variables.len();
                for tuple in tuples(sorts, opaque) {
                    variables.extend(tuple);
                    let is_true = body.value(variables, opaque).is_true();
                    variables.truncate(depth);
                    if is_true != *is_all {
                        return Value::truth(!is_all);
                    }
                }
                Value::truth(*is_all)
            }
        }
    }

    /// As it is written, with the names of variables; those that are bound get names here.
    pub(super) fn text(&self, names: &mut Vec<String>) -> String {
        match &self.kind {
            Kind::Variable(index) => names[*index].clone(),
            Kind::Literal(number) => match self.sort {
                Sort::Bool => (*number == 1).to_string(),
                Sort::Bits(width) => format!("{number}bv{width}"),
                Sort::Mode => MODES[*number as usize % 5].into(),
                Sort::Float => format!("number({number}bv5)"),
                _ => number.to_string(),
            },
            Kind::Construct(number, args) => {
                let constructors = self.sort.constructors();
                let name = constructors.get(*number).map_or("", |(name, _)| *name);
                let text = format!("{name}({})", list(args, names));
                match (&self.sort, args.is_empty()) {
                    // What it is an option of is not to be seen.
                    (Sort::Option(_), true) => format!("({text}: {})", self.sort.text()),
                    _ => text,
                }
            }
            Kind::Is(number, term) => {
                let constructors = term.sort.constructors();
                let name = constructors.get(*number).map_or("", |(name, _)| *name);
                format!("({} is {name})", term.text(names))
            }
            Kind::Not(term) => format!("!{}", wrapped(term, names)),
            Kind::Both(name, a, b) => format!("({} {name} {})", a.text(names), b.text(names)),
            Kind::If(condition, then, otherwise) => format!(
                "(if {} then {} else {})",
                condition.text(names),
                then.text(names),
                otherwise.text(names)
            ),
            Kind::Select(map, at) => format!("{}[{}]", wrapped(map, names), list(at, names)),
            Kind::Store(map, at, term) => format!(
                "{}[{} := {}]",
                wrapped(map, names),
                list(at, names),
                term.text(names)
            ),
            Kind::Lambda(sorts, body) => bound("lambda", sorts, body, names),
            Kind::Quantified(true, sorts, body) => bound("forall", sorts, body, names),
            Kind::Quantified(false, sorts, body) => bound("exists", sorts, body, names),
        }
    }
}

fn index(map: &Term, at: &[Term], variables: &mut Vec<Value>, opaque: u64) -> usize {
    let at: Vec<Value> = at.iter().map(|at| at.value(variables, opaque)).collect();
    match &map.sort {
        Sort::Map(sorts, _) => place(sorts, &at, opaque) as usize,
        _ => 0,
    }
}

fn list(terms: &[Term], names: &mut Vec<String>) -> String {
    let terms: Vec<String> = terms.iter().map(|term| term.text(names)).collect();
    terms.join(", ")
}

/// In parentheses, unless it has some or needs none.
fn wrapped(term: &Term, names: &mut Vec<String>) -> String {
    let text = term.text(names);
    match term.kind {
        Kind::Not(_) => format!("({text})"),
        _ => text,
    }
}

fn bound(word: &str, sorts: &[Sort], body: &Term, names: &mut Vec<String>) -> String {
    let depth = names.len();
    let mut variables = Vec::new();
    for sort in sorts {
        let name = format!("y{}", names.len());
        variables.push(format!("{name}: {}", sort.text()));
        names.push(name);
    }
    let body = body.text(names);
    names.truncate(depth);
    format!("({word} {} :: {body})", variables.join(", "))
}

/// The term that names a value.
fn constant_for(sort: &Sort, value: &Value) -> Option<Term> {
    let kind = match value {
        Value::Number(number) => Kind::Literal(*number),
        Value::Data(number, values) => {
            let constructors = sort.constructors();
            let (_, fields) = constructors.get(*number)?;
            let args = fields
                .iter()
                .zip(values)
                .map(|((_, field), value)| constant_for(field, value));
            Kind::Construct(*number, args.collect::<Option<_>>()?)
        }
        Value::Map(_) => return None,
    };
    Some(Term {
        sort: sort.clone(),
        kind,
    })
}

/// So many tuples may be bound at once.
const MOST_BOUND: u64 = 36;

/// Makes random terms; the uninterpreted type is left out where the program has none.
pub(super) struct Terms<'a> {
    pub chance: &'a mut Chance,
    /// The types of the variables in reach.
    pub sorts: Vec<Sort>,
    /// Types to quantify over.
    pub indices: Vec<Sort>,
}

impl Terms<'_> {
    fn boxed(&mut self, sort: &Sort, depth: u32) -> Box<Term> {
        Box::new(self.term(sort, depth))
    }

    fn variable(&mut self, sort: &Sort) -> Option<Term> {
        let own: Vec<usize> = (0..self.sorts.len())
            .filter(|index| self.sorts[*index] == *sort)
            .collect();
        // What was bound last is what a body is about.
        let index = match own.last() {
            Some(last) if self.chance.percent(35) => *last,
            _ => self.chance.maybe(&own)?,
        };
        Some(Term::variable(sort.clone(), index))
    }

    /// A term of a type.
    pub(super) fn term(&mut self, sort: &Sort, depth: u32) -> Term {
        let here = |kind| Term {
            sort: sort.clone(),
            kind,
        };
        if depth == 0 || self.chance.percent(15) {
            return match self.variable(sort) {
                Some(variable) if self.chance.percent(70) => variable,
                _ => self.constant(sort),
            };
        }
        if self.chance.percent(10) {
            return here(Kind::If(
                self.boxed(&Sort::Bool, depth - 1),
                self.boxed(sort, depth - 1),
                self.boxed(sort, depth - 1),
            ));
        }
        let maps: Vec<Sort> = self
            .sorts
            .iter()
            .filter(|of| matches!(of, Sort::Map(_, element) if **element == *sort))
            .cloned()
            .collect();
        if self.chance.percent(35)
            && let Some(map) = self.chance.maybe(&maps)
            && let Sort::Map(indices, _) = &map
        {
            let map = self.boxed(&map, depth - 1);
            let at = self.terms(indices, depth - 1);
            return here(Kind::Select(map, at));
        }
        match sort {
            Sort::Bool => self.truth(depth),
            Sort::Map(indices, element) if self.chance.percent(60) => {
                let map = self.boxed(sort, depth - 1);
                let at = self.terms(indices, 1.min(depth - 1));
                here(Kind::Store(map, at, self.boxed(element, depth - 1)))
            }
            Sort::Map(indices, element) => self.lambda(indices, element, depth - 1),
            Sort::Data(_) | Sort::Option(_) => self.construct(sort, depth - 1),
            _ => match self.variable(sort) {
                Some(variable) if self.chance.percent(70) => variable,
                _ => self.constant(sort),
            },
        }
    }

    fn terms(&mut self, sorts: &[Sort], depth: u32) -> Vec<Term> {
        sorts.iter().map(|sort| self.term(sort, depth)).collect()
    }

    fn lambda(&mut self, indices: &[Sort], element: &Sort, depth: u32) -> Term {
        let before = self.sorts.len();
        self.sorts.extend(indices.iter().cloned());
        let body = self.boxed(element, depth);
        self.sorts.truncate(before);
        Term {
            sort: Sort::Map(indices.to_vec(), Box::new(element.clone())),
            kind: Kind::Lambda(indices.to_vec(), body),
        }
    }

    fn construct(&mut self, sort: &Sort, depth: u32) -> Term {
        let constructors = sort.constructors();
        let number = self.chance.below(constructors.len());
        let fields = constructors
            .get(number)
            .map(|(_, fields)| fields.clone())
            .unwrap_or_default();
        let args = fields
            .iter()
            .map(|(_, field)| self.term(field, depth))
            .collect();
        Term {
            sort: sort.clone(),
            kind: Kind::Construct(number, args),
        }
    }

    fn constant(&mut self, sort: &Sort) -> Term {
        let number = match sort {
            Sort::Bool => {
                if self.chance.percent(75)
                    && let Some(comparison) = self.comparison()
                {
                    return comparison;
                }
                self.chance.below(2)
            }
            Sort::Bits(width) => self.chance.below(1 << width),
            Sort::Mode => self.chance.below(5),
            Sort::Float => self.chance.below(32),
            Sort::Int => self.chance.below(3),
            Sort::Data(_) | Sort::Option(_) => return self.construct(sort, 0),
            Sort::Map(indices, element) => return self.lambda(indices, element, 0),
            // There is always a variable that is one of its constants.
            Sort::Opaque => {
                let first = self.sorts.iter().position(|of| *of == Sort::Opaque);
                return Term::variable(Sort::Opaque, first.unwrap_or_default());
            }
        };
        Term {
            sort: sort.clone(),
            kind: Kind::Literal(number as u64),
        }
    }

    /// That a variable, but for maps and truth values, has a value.
    fn comparison(&mut self) -> Option<Term> {
        let all: Vec<usize> = (0..self.sorts.len())
            .filter(|index| !matches!(self.sorts[*index], Sort::Map(..) | Sort::Bool))
            .collect();
        let index = match all.last() {
            Some(last) if self.chance.percent(40) => *last,
            _ => self.chance.maybe(&all)?,
        };
        let sort = self.sorts[index].clone();
        let constant = self.constant(&sort);
        let name = self.chance.pick(&["==", "==", "!="]);
        Some(Term::both(name, Term::variable(sort, index), constant))
    }

    /// A truth value that is about something.
    pub(super) fn truth(&mut self, depth: u32) -> Term {
        let depth = depth.max(1);
        let here = |kind| Term {
            sort: Sort::Bool,
            kind,
        };
        match self.chance.below(20) {
            0 | 1 => here(Kind::Not(self.boxed(&Sort::Bool, depth - 1))),
            2..6 => {
                let name = self.chance.pick(&["&&", "||", "==>", "<==>"]);
                let a = self.term(&Sort::Bool, depth - 1);
                Term::both(name, a, self.term(&Sort::Bool, depth - 1))
            }
            6..9 => {
                let index = self.chance.pick(&self.indices);
                let is_all = self.chance.percent(60);
                let before = self.sorts.len();
                self.sorts.push(index.clone());
                let body = self.boxed(&Sort::Bool, depth - 1);
                self.sorts.truncate(before);
                here(Kind::Quantified(is_all, vec![index], body))
            }
            9 => {
                let data: Vec<usize> = (0..self.sorts.len())
                    .filter(|index| !self.sorts[*index].constructors().is_empty())
                    .collect();
                match self.chance.maybe(&data) {
                    Some(index) => {
                        let sort = self.sorts[index].clone();
                        let number = self.chance.below(sort.constructors().len());
                        let term = Term::variable(sort, index);
                        here(Kind::Is(number, Box::new(term)))
                    }
                    None => self.equation(depth),
                }
            }
            _ => self.equation(depth),
        }
    }

    /// The terms that name all values of a type, if they are few and can be named.
    fn all_values(&self, sort: &Sort) -> Option<Vec<Term>> {
        if *sort == Sort::Opaque {
            // Variables come behind constants, so these are named at least.
            let all = (0..self.sorts.len())
                .filter(|index| self.sorts[*index] == Sort::Opaque)
                .map(|index| Term::variable(Sort::Opaque, index));
            return Some(all.take(3).collect());
        }
        if matches!(sort, Sort::Map(..) | Sort::Float | Sort::Int) {
            return None;
        }
        let values = sort.values(1);
        if values.len() > 6 {
            return None;
        }
        values
            .iter()
            .map(|value| constant_for(sort, value))
            .collect()
    }

    /// A map with stores to all indices, or all but one, beside a map that is the same everywhere.
    fn covered(&mut self) -> Option<Term> {
        let maps: Vec<Sort> = self
            .sorts
            .iter()
            .filter(|sort| matches!(sort, Sort::Map(indices, _) if indices.len() == 1))
            .cloned()
            .collect();
        let sort = self.chance.maybe(&maps)?;
        let Sort::Map(indices, element) = &sort else {
            return None;
        };
        let mut all = self.all_values(indices.first()?)?;
        self.chance.shuffle(&mut all);
        if self.chance.percent(30) {
            all.pop();
        }
        let before = self.sorts.len();
        let depth = self.chance.between(0, 1);
        let value = self.term(element, depth);
        let mut map = match self.variable(&sort) {
            Some(variable) if self.chance.percent(70) => variable,
            _ => self.term(&sort, 1),
        };
        for at in all {
            let stored = match self.chance.percent(85) {
                true => value.clone(),
                false => self.term(element, 1),
            };
            map = Term {
                sort: sort.clone(),
                kind: Kind::Store(Box::new(map), vec![at], Box::new(stored)),
            };
        }
        // What is bound around the value stands one place further in there.
        let body = Box::new(value.shifted(before, indices.len()));
        let right = Term {
            sort: sort.clone(),
            kind: Kind::Lambda(indices.clone(), body),
        };
        let name = self.chance.pick(&["==", "!="]);
        Some(Term::both(name, map, right))
    }

    /// Two terms that are equal, or are not; mostly maps.
    pub(super) fn equation(&mut self, depth: u32) -> Term {
        if depth > 1
            && self.chance.percent(25)
            && let Some(covered) = self.covered()
        {
            return covered;
        }
        let maps: Vec<Sort> = self
            .sorts
            .iter()
            .filter(|sort| matches!(sort, Sort::Map(..)))
            .cloned()
            .collect();
        let sort = match self.chance.maybe(&maps) {
            Some(sort) if self.chance.percent(65) => sort,
            _ => match self.chance.maybe(&self.sorts) {
                Some(sort) => sort,
                None => Sort::Bool,
            },
        };
        // Terms of truth values may be equations in turn.
        let depth = match sort {
            Sort::Bool => depth.saturating_sub(1),
            _ => depth,
        };
        let name = self.chance.pick(&["==", "==", "!="]);
        let left = match self.variable(&sort) {
            Some(variable) if self.chance.percent(40) => variable,
            _ => self.term(&sort, depth),
        };
        let mut right = self.term(&sort, depth);
        // The same variable twice says nothing.
        if let (Kind::Variable(one), Kind::Variable(other)) = (&left.kind, &right.kind)
            && one == other
        {
            right = self.term(&sort, depth);
        }
        Term::both(name, left, right)
    }

    /// Types over which a lambda or quantifier stays small.
    pub(super) fn is_small(sort: &Sort, opaque: u64) -> bool {
        sort.size(opaque).is_some_and(|size| size <= MOST_BOUND)
    }
}

#[cfg(test)]
mod tests {
    use super::super::values::Data;
    use super::*;

    fn literal(sort: Sort, number: u64) -> Term {
        Term {
            sort,
            kind: Kind::Literal(number),
        }
    }

    #[test]
    fn stores_into_lambdas() {
        // (lambda y: bv1 :: y == 0bv1)[0bv1 := false] is false everywhere.
        let bit = Sort::Bits(1);
        let sort = Sort::map(bit.clone(), Sort::Bool);
        let is_zero = Term::both(
            "==",
            Term::variable(bit.clone(), 0),
            literal(bit.clone(), 0),
        );
        let lambda = Term {
            sort: sort.clone(),
            kind: Kind::Lambda(vec![bit.clone()], Box::new(is_zero)),
        };
        assert_eq!(
            lambda.value(&mut Vec::new(), 1),
            Value::Map(vec![Value::Number(1), Value::Number(0)])
        );
        let stored = Term {
            sort,
            kind: Kind::Store(
                Box::new(lambda),
                vec![literal(bit, 0)],
                Box::new(Term::truth(false)),
            ),
        };
        assert_eq!(
            stored.text(&mut Vec::new()),
            "(lambda y0: bv1 :: (y0 == 0bv1))[0bv1 := false]"
        );
        assert_eq!(
            stored.value(&mut Vec::new(), 1),
            Value::Map(vec![Value::Number(0); 2])
        );
    }

    #[test]
    fn quantifiers_go_through_all_values() {
        // Some mode is RTZ, not every one is.
        let body = Term::both("==", Term::variable(Sort::Mode, 0), literal(Sort::Mode, 4));
        for (is_all, expected) in [(true, false), (false, true)] {
            let term = Term {
                sort: Sort::Bool,
                kind: Kind::Quantified(is_all, vec![Sort::Mode], Box::new(body.clone())),
            };
            assert_eq!(term.value(&mut Vec::new(), 1).is_true(), expected);
        }
    }

    #[test]
    fn bound_variables_move() {
        let bit = Sort::Bits(1);
        let body = Term::both(
            "==",
            Term::variable(bit.clone(), 0),
            Term::variable(bit.clone(), 1),
        );
        let term = Term {
            sort: Sort::map(bit.clone(), Sort::Bool),
            kind: Kind::Lambda(vec![bit], Box::new(body)),
        };
        let mut names = vec!["a".to_owned(), "b".to_owned()];
        assert_eq!(
            term.shifted(1, 1).text(&mut names),
            "(lambda y2: bv1 :: (a == y2))"
        );
    }

    #[test]
    fn options_say_what_they_are_of() {
        let sort = Sort::Option(Box::new(Sort::Data(Data::Color)));
        let none = Term {
            sort,
            kind: Kind::Construct(0, Vec::new()),
        };
        assert_eq!(none.text(&mut Vec::new()), "(None(): Option Color)");
    }
}
