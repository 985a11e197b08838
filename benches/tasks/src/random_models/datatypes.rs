//! Random datatypes of SMT-LIB: what they are, how they are declared, and terms about their values.
//!
//! Values of recursive datatypes that are bound have a bounded depth, which each clause says, as it does of integers.
//!
//! A selector that is applied to what another constructor made has any value. Such values matter nowhere here: a tester stands
//! before each selector of a datatype with several constructors.

use std::rc::Rc;

use super::chance::Chance;
use super::extended;
use super::terms::{Sort, Term, TermKind, Value, term};

/// The most values that a datatype may have.
const MOST_VALUES: u64 = 24;

/// The most values of bounded depth that a recursive datatype may have.
const MOST_DEEP_VALUES: u64 = 40;

/// How deeply parts of the same datatype are nested in a value of bounded depth.
const DEPTH: u32 = 2;

/// How many random datatypes are tried until one is small.
const TRIES: u32 = 10;

/// The values of integers that count for the size of a datatype.
const INTEGERS: u64 = 5;

/// A datatype.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Datatype {
    /// It has no other name.
    pub number: usize,
    /// The fields of each constructor. At least one constructor has no field of the datatype itself.
    pub constructors: Vec<Vec<Field>>,
}

/// What a field of a constructor is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Field {
    Of(Sort),
    /// A value of the same datatype.
    Itself,
}

/// What is done with values of a datatype.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operator {
    /// Apply a constructor.
    Make(usize),
    /// Ask for a constructor, in one of the two ways to write it.
    Is(usize, bool),
    /// Select a field of a constructor.
    Get(usize, usize),
}

impl Datatype {
    /// The name.
    pub(super) fn name(&self) -> String {
        format!("D{}", self.number)
    }

    fn constructor(&self, constructor: usize) -> String {
        format!("c{}_{constructor}", self.number)
    }

    fn selector(&self, constructor: usize, field: usize) -> String {
        format!("s{}_{constructor}_{field}", self.number)
    }

    /// Whether it only has constructors without fields. Their numbers are the numbers of the values.
    fn is_enumeration(&self) -> bool {
        self.constructors.iter().all(Vec::is_empty)
    }

    /// Whether it has parts of the same datatype.
    fn is_recursive(&self) -> bool {
        self.constructors.iter().any(|fields| is_deep(fields))
    }

    /// The sorts of the fields of a constructor.
    fn fields(self: &Rc<Self>, constructor: usize) -> Vec<Sort> {
        self.constructors[constructor]
            .iter()
            .map(|field| match field {
                Field::Of(sort) => sort.clone(),
                Field::Itself => Sort::Data(self.clone()),
            })
            .collect()
    }

    /// The constructors that make values of a depth.
    fn within(&self, depth: u32) -> impl Iterator<Item = (usize, &Vec<Field>)> {
        self.constructors
            .iter()
            .enumerate()
            .filter(move |(_, fields)| depth > 0 || !is_deep(fields))
    }

    /// The number of values of a depth, given the number of integers; none for arrays of integers.
    fn count(&self, integers: Option<u64>, depth: u32) -> Option<u64> {
        let mut sum = 0_u64;
        for (_, fields) in self.within(depth) {
            let mut product = 1_u64;
            for field in fields {
                let count = match field {
                    Field::Itself => self.count(integers, depth - 1)?,
                    Field::Of(Sort::Int) => integers?,
                    Field::Of(Sort::Data(of)) => of.count(integers, DEPTH)?,
                    Field::Of(sort) => sort.size()?,
                };
                product = product.checked_mul(count)?;
            }
            sum = sum.checked_add(product)?;
        }
        Some(sum)
    }

    /// Whether it has more than one value of bounded depth, and at most `most`.
    fn is_small(&self, most: u64) -> bool {
        self.count(Some(INTEGERS), DEPTH)
            .is_some_and(|count| (2..=most).contains(&count))
    }

    /// The number of values; none if there are integers in them, or it is recursive.
    pub(super) fn size(&self) -> Option<u64> {
        let has_size = |field: &Field| match field {
            Field::Of(sort) => sort.size().is_some(),
            Field::Itself => false,
        };
        match self.constructors.iter().flatten().all(has_size) {
            true => self.count(None, 0),
            false => None,
        }
    }

    /// All values of bounded depth; of integers those between two bounds.
    pub(super) fn values(&self, low: i64, high: i64) -> Vec<Value> {
        self.deep_values(low, high, DEPTH)
    }

    fn deep_values(&self, low: i64, high: i64, depth: u32) -> Vec<Value> {
        let mut all = Vec::new();
        for (constructor, fields) in self.within(depth) {
            let mut made = vec![Vec::new()];
            for field in fields {
                let values = match field {
                    Field::Of(sort) => sort.values(low, high),
                    Field::Itself => self.deep_values(low, high, depth - 1),
                };
                made = extended(&made, &values);
            }
            let made = made.into_iter();
            all.extend(made.map(|fields| Value::Made(constructor, fields)));
        }
        all
    }

    /// Some value.
    pub(super) fn some(&self) -> Value {
        match self.within(0).next() {
            Some((constructor, fields)) => {
                let fields = fields.iter().map(|field| self.some_field(field));
                Value::Made(constructor, fields.collect())
            }
            None => Value::Made(0, Vec::new()),
        }
    }

    fn some_field(&self, field: &Field) -> Value {
        match field {
            Field::Of(sort) => sort.some(),
            Field::Itself => self.some(),
        }
    }

    /// Whether fields have the sort of a datatype in them.
    fn mentions(&self, other: &Datatype) -> bool {
        self.constructors.iter().flatten().any(|field| match field {
            Field::Of(Sort::Data(of)) => **of == *other,
            Field::Of(Sort::Array(index, element)) => [index, element]
                .iter()
                .any(|sort| matches!(&***sort, Sort::Data(of) if **of == *other)),
            _ => false,
        })
    }

    /// The constructors, as they are declared.
    fn body(&self, chance: &mut Chance) -> String {
        let mut all = Vec::new();
        for (constructor, fields) in self.constructors.iter().enumerate() {
            let name = self.constructor(constructor);
            if fields.is_empty() && chance.percent(50) {
                all.push(name);
                continue;
            }
            let mut text = format!("({name}");
            for (number, field) in fields.iter().enumerate() {
                let sort = match field {
                    Field::Of(sort) => sort.text(),
                    Field::Itself => self.name(),
                };
                text += &format!(" ({} {sort})", self.selector(constructor, number));
            }
            all.push(text + ")");
        }
        format!("({})", all.join(" "))
    }
}

fn is_deep(fields: &[Field]) -> bool {
    fields.contains(&Field::Itself)
}

impl Operator {
    /// As it is written.
    pub(super) fn text(self, of: &Datatype) -> String {
        match self {
            Operator::Make(constructor) => of.constructor(constructor),
            Operator::Is(constructor, true) => format!("is-{}", of.constructor(constructor)),
            Operator::Is(constructor, false) => format!("(_ is {})", of.constructor(constructor)),
            Operator::Get(constructor, field) => of.selector(constructor, field),
        }
    }

    /// What it gives for these arguments.
    pub(super) fn value(self, of: &Datatype, values: Vec<Value>) -> Value {
        match (self, &values[..]) {
            (Operator::Make(constructor), _) => Value::Made(constructor, values),
            (Operator::Is(constructor, _), [Value::Made(by, _)]) => {
                Value::Number(i64::from(*by == constructor))
            }
            (Operator::Get(constructor, field), [Value::Made(by, fields)])
                if *by == constructor =>
            {
                fields[field].clone()
            }
            (Operator::Get(constructor, field), _) => {
                of.some_field(&of.constructors[constructor][field])
            }
            _ => Value::Number(0),
        }
    }
}

/// A constructor applied to fields.
pub(super) fn make(of: &Rc<Datatype>, constructor: usize, fields: Vec<Term>) -> Term {
    Term {
        sort: Sort::Data(of.clone()),
        kind: TermKind::Data(Operator::Make(constructor), of.clone(), fields),
    }
}

/// Whether a constructor made a value.
pub(super) fn is(of: &Rc<Datatype>, constructor: usize, is_dashed: bool, value: Term) -> Term {
    let operator = Operator::Is(constructor, is_dashed);
    Term {
        sort: Sort::Bool,
        kind: TermKind::Data(operator, of.clone(), vec![value]),
    }
}

/// A field of a value.
pub(super) fn get(of: &Rc<Datatype>, constructor: usize, field: usize, value: Term) -> Term {
    let operator = Operator::Get(constructor, field);
    Term {
        sort: of.fields(constructor).swap_remove(field),
        kind: TermKind::Data(operator, of.clone(), vec![value]),
    }
}

/// What says that the depth of a value is bounded, and that the integers in it are between two bounds.
pub(super) fn bounds(of: &Rc<Datatype>, value: &Term, low: i64, high: i64) -> Vec<Term> {
    deep_bounds(of, value, (low, high), DEPTH)
}

fn deep_bounds(of: &Rc<Datatype>, value: &Term, limits: (i64, i64), depth: u32) -> Vec<Term> {
    let mut all = Vec::new();
    for (constructor, fields) in of.constructors.iter().enumerate() {
        let guard = is(of, constructor, false, value.clone());
        if depth == 0 && is_deep(fields) {
            all.push(Term::apply(Sort::Bool, "not", vec![guard]));
            continue;
        }
        let parts = fields.iter().enumerate().flat_map(|(number, field)| {
            let there = get(of, constructor, number, value.clone());
            match field {
                Field::Of(_) => there.bounds(limits.0, limits.1),
                Field::Itself => deep_bounds(of, &there, limits, depth - 1),
            }
        });
        let mut parts: Vec<Term> = parts.collect();
        if of.constructors.len() == 1 {
            return parts;
        }
        let then = match (parts.pop(), parts.is_empty()) {
            (None, _) => continue,
            (Some(one), true) => one,
            (Some(last), false) => {
                parts.push(last);
                Term::apply(Sort::Bool, "and", parts)
            }
        };
        all.push(Term::apply(Sort::Bool, "=>", vec![guard, then]));
    }
    all
}

/// The declarations, in an order in which each datatype only has earlier commands' datatypes in its fields.
pub(super) fn declarations(chance: &mut Chance, all: &[Rc<Datatype>]) -> String {
    let mut text = String::new();
    let mut rest = all;
    while let Some(first) = rest.first() {
        let mut count = 1;
        while let Some(next) = rest.get(count)
            && !rest[..count].iter().any(|before| next.mentions(before))
            && chance.percent(60)
        {
            count += 1;
        }
        let group = &rest[..count];
        rest = &rest[count..];
        if count == 1 && chance.percent(60) {
            let body = first.body(chance);
            text += &format!("(declare-datatype {} {body})\n", first.name());
            continue;
        }
        let names: Vec<String> = group
            .iter()
            .map(|of| format!("({} 0)", of.name()))
            .collect();
        let bodies: Vec<String> = group.iter().map(|of| of.body(chance)).collect();
        text += &format!(
            "(declare-datatypes ({}) ({}))\n",
            names.join(" "),
            bodies.join(" ")
        );
    }
    text
}

/// Random datatypes. Those with fields of other datatypes come after these. At least one is recursive, if that is wanted.
pub(super) fn datatypes(chance: &mut Chance, is_recursive: bool) -> Vec<Rc<Datatype>> {
    let mut all = Vec::new();
    let count = chance.pick(&[1, 1, 2, 2, 3]);
    for number in 0..count {
        let found = match is_recursive && (number == count - 1 || chance.percent(40)) {
            true => recursive(chance, number, &all),
            false => datatype(chance, number, &all),
        };
        all.push(Rc::new(found));
    }
    all
}

/// Several constructors, of which some have fields of the datatype itself.
fn recursive(chance: &mut Chance, number: usize, before: &[Rc<Datatype>]) -> Datatype {
    for _ in 0..TRIES {
        let constructors: Vec<Vec<Field>> = (0..chance.pick(&[2, 2, 2, 3]))
            .map(|_| {
                let is_deep = chance.percent(50);
                let field = |chance: &mut Chance| match is_deep && chance.percent(60) {
                    true => Field::Itself,
                    false => Field::Of(field_sort(chance, before)),
                };
                (0..chance.between(0, 2)).map(|_| field(chance)).collect()
            })
            .collect();
        let found = Datatype {
            number,
            constructors,
        };
        if found.is_recursive()
            && found.within(0).next().is_some()
            && found.is_small(MOST_DEEP_VALUES)
        {
            return found;
        }
    }
    list(number, Sort::Bool)
}

/// Nothing, or something before a list.
fn list(number: usize, sort: Sort) -> Datatype {
    Datatype {
        number,
        constructors: vec![Vec::new(), vec![Field::Of(sort), Field::Itself]],
    }
}

fn datatype(chance: &mut Chance, number: usize, before: &[Rc<Datatype>]) -> Datatype {
    for _ in 0..TRIES {
        let (constructors, fields) = match chance.below(10) {
            0..3 => (chance.between(2, 4), (0, 0)),
            3..5 => (1, (1, 3)),
            _ => (chance.between(2, 3), (0, 2)),
        };
        let constructors = (0..constructors)
            .map(|_| {
                (0..chance.between(fields.0, fields.1))
                    .map(|_| Field::Of(field_sort(chance, before)))
                    .collect()
            })
            .collect();
        let found = Datatype {
            number,
            constructors,
        };
        if found.is_small(MOST_VALUES) {
            return found;
        }
    }
    Datatype {
        number,
        constructors: vec![Vec::new(); 2],
    }
}

fn field_sort(chance: &mut Chance, before: &[Rc<Datatype>]) -> Sort {
    if chance.percent(35)
        && let Some(of) = chance.maybe(before)
    {
        return Sort::Data(of);
    }
    match chance.below(12) {
        0..4 => Sort::Bool,
        4 => Sort::Bits(1),
        5..7 => Sort::Bits(2),
        7..11 => Sort::Int,
        _ => Sort::array(Sort::Bool, Sort::Bool),
    }
}

/// A random sort of variables, often one of these datatypes, or an array with them.
pub(super) fn sort(chance: &mut Chance, all: &[Rc<Datatype>]) -> Sort {
    if all.is_empty() || chance.percent(35) {
        return super::terms::sort(chance, false);
    }
    let of = chance.pick(all);
    if of.is_enumeration() && chance.percent(6) {
        let element = chance.pick(&[Sort::Bool, Sort::Bits(1)]);
        return Sort::array(Sort::Data(of), element);
    }
    if !of.is_recursive() && chance.percent(12) {
        let index = chance.pick(&[Sort::Bool, Sort::Bits(1)]);
        return Sort::array(index, Sort::Data(of));
    }
    Sort::Data(of)
}

/// A constructor applied to random fields. Where terms end, they have no parts of the same datatype, apart from variables.
pub(super) fn made(chance: &mut Chance, of: &Rc<Datatype>, depth: u32, variables: &[Sort]) -> Term {
    let possible: Vec<usize> = of.within(depth).map(|(number, _)| number).collect();
    let constructor = chance.pick(&possible);
    let fields = of
        .fields(constructor)
        .iter()
        .map(|sort| term(chance, sort, depth.saturating_sub(1), variables))
        .collect();
    make(of, constructor, fields)
}

/// Whether a constructor made a random value.
pub(super) fn tested(
    chance: &mut Chance,
    of: &Rc<Datatype>,
    depth: u32,
    variables: &[Sort],
) -> Term {
    let value = term(chance, &Sort::Data(of.clone()), depth - 1, variables);
    let constructor = chance.below(of.constructors.len());
    is(of, constructor, chance.percent(40), value)
}

/// Sometimes a term in which fields of a value occur, if there are variables of datatypes. It only counts where the
/// constructor of these fields made the value.
pub(super) fn opened(
    chance: &mut Chance,
    sort: &Sort,
    depth: u32,
    variables: &[Sort],
) -> Option<Term> {
    let mut places = Vec::new();
    for (variable, of) in variables.iter().enumerate() {
        if let Sort::Data(of) = of {
            for (constructor, fields) in of.constructors.iter().enumerate() {
                if !fields.is_empty() {
                    places.push((variable, of, constructor));
                }
            }
        }
    }
    if places.is_empty() || !chance.percent(30) {
        return None;
    }
    let (variable, of, constructor) = chance.pick(&places);
    let value = term(chance, &variables[variable], depth - 1, variables);
    let there = inside(chance, sort, depth, variables, (of, constructor, &value));
    if of.constructors.len() == 1 {
        return Some(there);
    }
    let guard = is(of, constructor, chance.percent(30), value);
    Some(guarded(chance, guard, there, depth, variables))
}

/// A field of a value, or a term that may have several.
fn inside(
    chance: &mut Chance,
    sort: &Sort,
    depth: u32,
    variables: &[Sort],
    (of, constructor, value): (&Rc<Datatype>, usize, &Term),
) -> Term {
    let fields = of.fields(constructor);
    let fit: Vec<usize> = (0..fields.len())
        .filter(|field| fields[*field] == *sort)
        .collect();
    if let Some(field) = chance.maybe(&fit)
        && chance.percent(60)
    {
        return get(of, constructor, field, value.clone());
    }
    let all: Vec<Sort> = variables.iter().chain(&fields).cloned().collect();
    let mut places: Vec<Term> = variables
        .iter()
        .enumerate()
        .map(|(index, sort)| Term::variable(sort.clone(), index))
        .collect();
    places.extend((0..fields.len()).map(|field| get(of, constructor, field, value.clone())));
    term(chance, sort, depth - 1, &all).with(&places)
}

/// A term that only counts where a condition holds.
fn guarded(chance: &mut Chance, guard: Term, there: Term, depth: u32, variables: &[Sort]) -> Term {
    let sort = there.sort.clone();
    if sort == Sort::Bool && chance.percent(60) {
        let name = chance.pick(&["and", "and", "=>"]);
        return Term::apply(sort, name, vec![guard, there]);
    }
    let other = term(chance, &sort, depth - 1, variables);
    if chance.percent(20) {
        let not = Term::apply(Sort::Bool, "not", vec![guard]);
        return Term::apply(sort, "ite", vec![not, other, there]);
    }
    Term::apply(sort, "ite", vec![guard, there, other])
}

#[cfg(test)]
mod tests;
