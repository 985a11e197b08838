//! Random data types of SMT-LIB: what they are, how they are declared, and terms about their values.
//!
//! A selector that is applied to what another constructor made has any value. Such values matter nowhere here: a tester stands
//! before each selector of a data type with several constructors.

use std::rc::Rc;

use super::chance::Chance;
use super::extended;
use super::terms::{Sort, Term, TermKind, Value, term};

/// A data type has at most so many values.
const MOST_VALUES: u64 = 24;

/// So often a small data type is looked for.
const TRIES: u32 = 10;

/// The values of integers that count for the size of a data type.
const INTEGERS: u64 = 5;

/// A data type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Datatype {
    /// It has no other name.
    pub number: usize,
    /// The sorts of the fields of each constructor.
    pub constructors: Vec<Vec<Sort>>,
}

/// What is done with values of a data type.
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

    /// The number of values, if there are so many integers; none for arrays of those.
    fn count(&self, integers: Option<u64>) -> Option<u64> {
        let mut sum = 0_u64;
        for fields in &self.constructors {
            let mut product = 1_u64;
            for sort in fields {
                let count = match sort {
                    Sort::Int => integers?,
                    Sort::Data(of) => of.count(integers)?,
                    _ => sort.size()?,
                };
                product = product.checked_mul(count)?;
            }
            sum = sum.checked_add(product)?;
        }
        Some(sum)
    }

    /// The number of values; none if there are integers in them.
    pub(super) fn size(&self) -> Option<u64> {
        self.count(None)
    }

    /// All values; of integers those between two bounds.
    pub(super) fn values(&self, low: i64, high: i64) -> Vec<Value> {
        let mut all = Vec::new();
        for (constructor, fields) in self.constructors.iter().enumerate() {
            let mut made = vec![Vec::new()];
            for sort in fields {
                made = extended(&made, &sort.values(low, high));
            }
            all.extend(
                made.into_iter()
                    .map(|fields| Value::Made(constructor, fields)),
            );
        }
        all
    }

    /// Some value.
    pub(super) fn some(&self) -> Value {
        let fields = self.constructors[0].iter().map(Sort::some);
        Value::Made(0, fields.collect())
    }

    /// Whether fields have the sort of a data type in them.
    fn mentions(&self, other: &Datatype) -> bool {
        self.constructors.iter().flatten().any(|sort| match sort {
            Sort::Data(of) => **of == *other,
            Sort::Array(index, element) => [index, element]
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
            for (field, sort) in fields.iter().enumerate() {
                text += &format!(" ({} {})", self.selector(constructor, field), sort.text());
            }
            all.push(text + ")");
        }
        format!("({})", all.join(" "))
    }
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
            (Operator::Get(constructor, field), _) => of.constructors[constructor][field].some(),
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
        sort: of.constructors[constructor][field].clone(),
        kind: TermKind::Data(operator, of.clone(), vec![value]),
    }
}

/// What says that the integers in a value are between two bounds.
pub(super) fn bounds(of: &Rc<Datatype>, value: &Term, low: i64, high: i64) -> Vec<Term> {
    let mut all = Vec::new();
    for (constructor, fields) in of.constructors.iter().enumerate() {
        let mut parts: Vec<Term> = (0..fields.len())
            .flat_map(|field| get(of, constructor, field, value.clone()).bounds(low, high))
            .collect();
        if of.constructors.len() == 1 {
            return parts;
        }
        let guard = is(of, constructor, false, value.clone());
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

/// The declarations, in an order in which each data type only has earlier commands' data types in its fields.
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

/// Random data types. Those with fields of other data types come after these.
pub(super) fn datatypes(chance: &mut Chance) -> Vec<Rc<Datatype>> {
    let mut all = Vec::new();
    for number in 0..chance.pick(&[1, 1, 2, 2, 3]) {
        all.push(Rc::new(datatype(chance, number, &all)));
    }
    all
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
                    .map(|_| field_sort(chance, before))
                    .collect()
            })
            .collect();
        let found = Datatype {
            number,
            constructors,
        };
        if found
            .count(Some(INTEGERS))
            .is_some_and(|count| (2..=MOST_VALUES).contains(&count))
        {
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

/// A random sort of variables, often one of these data types, or an array with them.
pub(super) fn sort(chance: &mut Chance, all: &[Rc<Datatype>]) -> Sort {
    if all.is_empty() || chance.percent(35) {
        return super::terms::sort(chance, false);
    }
    let of = chance.pick(all);
    if of.is_enumeration() && chance.percent(6) {
        let element = chance.pick(&[Sort::Bool, Sort::Bits(1)]);
        return Sort::array(Sort::Data(of), element);
    }
    if chance.percent(12) {
        let index = chance.pick(&[Sort::Bool, Sort::Bits(1)]);
        return Sort::array(index, Sort::Data(of));
    }
    Sort::Data(of)
}

/// A constructor applied to random fields.
pub(super) fn made(chance: &mut Chance, of: &Rc<Datatype>, depth: u32, variables: &[Sort]) -> Term {
    let constructor = chance.below(of.constructors.len());
    let fields = of.constructors[constructor]
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

/// Sometimes a term in which fields of a value occur, if there are variables of data types. It only counts where the
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
    let fields = &of.constructors[constructor];
    let fit: Vec<usize> = (0..fields.len())
        .filter(|field| fields[*field] == *sort)
        .collect();
    if let Some(field) = chance.maybe(&fit)
        && chance.percent(60)
    {
        return get(of, constructor, field, value.clone());
    }
    let all: Vec<Sort> = variables.iter().chain(fields).cloned().collect();
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
mod tests {
    use super::*;

    /// Nothing, or an integer and a truth value.
    fn maybe() -> Rc<Datatype> {
        Rc::new(Datatype {
            number: 0,
            constructors: vec![Vec::new(), vec![Sort::Int, Sort::Bool]],
        })
    }

    /// One of the former.
    fn record() -> Rc<Datatype> {
        Rc::new(Datatype {
            number: 1,
            constructors: vec![vec![Sort::Data(maybe())]],
        })
    }

    fn enumeration() -> Rc<Datatype> {
        Rc::new(Datatype {
            number: 2,
            constructors: vec![Vec::new(); 3],
        })
    }

    fn number(number: i64) -> Term {
        Term::number(Sort::Int, number)
    }

    #[test]
    fn constructors_make_all_values() {
        assert_eq!(maybe().values(-1, 3).len(), 11);
        assert_eq!(record().values(-1, 3).len(), 11);
        assert_eq!(record().count(Some(5)), Some(11));
        assert_eq!(record().size(), None);
        assert_eq!(enumeration().size(), Some(3));
        let array = Sort::array(Sort::Data(enumeration()), Sort::Bool);
        assert_eq!(array.values(0, 0).len(), 8);
        let array = Sort::array(Sort::Bool, Sort::Data(enumeration()));
        assert_eq!(array.values(0, 0).len(), 9);
        assert_eq!(array.size(), Some(9));
        assert_eq!(enumeration().some(), Value::Made(0, Vec::new()));
    }

    #[test]
    fn fields_are_what_a_value_was_made_of() {
        let of = maybe();
        let made = make(&of, 1, vec![number(7), Term::number(Sort::Bool, 1)]);
        let nothing = make(&of, 0, Vec::new());
        assert_eq!(get(&of, 1, 0, made.clone()).value(&[]), Value::Number(7));
        assert!(get(&of, 1, 1, made.clone()).value(&[]).is_true());
        assert!(is(&of, 1, false, made.clone()).value(&[]).is_true());
        assert!(!is(&of, 0, true, made.clone()).value(&[]).is_true());
        assert!(is(&of, 0, true, nothing.clone()).value(&[]).is_true());
        // A field that is not there still has the right sort.
        assert_eq!(get(&of, 1, 0, nothing.clone()).value(&[]), Value::Number(0));
        let same = |a: &Term, b: &Term| {
            let same = Term::apply(Sort::Bool, "=", vec![a.clone(), b.clone()]);
            same.value(&[]).is_true()
        };
        assert!(same(&made, &made));
        assert!(!same(&made, &nothing));
    }

    #[test]
    fn arrays_have_enumerations_for_indices() {
        let of = enumeration();
        let sort = Sort::array(Sort::Data(of.clone()), Sort::Bool);
        let element = Term::apply(
            Sort::Bool,
            "select",
            vec![Term::variable(sort, 0), make(&of, 2, Vec::new())],
        );
        let array = Value::Array([0, 0, 1].map(Value::Number).to_vec());
        assert!(element.value(&[array]).is_true());
        assert_eq!(element.text(&["a".into()]), "(select a c2_2)");
    }

    #[test]
    fn terms_are_written_as_smtlib_has_them() {
        let of = maybe();
        let names = ["v".to_owned()];
        let v = || Term::variable(Sort::Data(maybe()), 0);
        let text = |term: Term| term.text(&names);
        assert_eq!(text(is(&of, 1, false, v())), "((_ is c0_1) v)");
        assert_eq!(text(is(&of, 1, true, v())), "(is-c0_1 v)");
        assert_eq!(text(get(&of, 1, 0, v())), "(s0_1_0 v)");
        assert_eq!(text(make(&of, 0, Vec::new())), "c0_0");
        assert_eq!(text(make(&record(), 0, vec![v()])), "(c1_0 v)");
    }

    #[test]
    fn declarations_come_before_what_mentions_them() {
        for seed in 0..50 {
            let mut chance = Chance::new(seed, 0);
            let text = declarations(&mut chance, &[maybe(), record(), enumeration()]);
            let lines: Vec<&str> = text.lines().collect();
            assert!(lines.len() >= 2);
            // The record is never in the command of what it is made of.
            assert!(lines[0].contains("(s0_1_0 Int) (s0_1_1 Bool))"));
            assert!(lines[1].contains("((c1_0 (s1_0_0 D0)))"));
        }
    }

    #[test]
    fn bounds_hold_for_all_values_and_no_others() {
        for of in [maybe(), record()] {
            let sort = Sort::Data(of);
            let bounds = Term::variable(sort.clone(), 0).bounds(-1, 3);
            let hold = |value: Value| {
                bounds
                    .iter()
                    .all(|one| one.value(std::slice::from_ref(&value)).is_true())
            };
            let inside = sort.values(-1, 3);
            for value in sort.values(-2, 4) {
                assert_eq!(hold(value.clone()), inside.contains(&value), "{value:?}");
            }
        }
    }

    #[test]
    fn fields_of_other_constructors_do_not_count() {
        let of = maybe();
        let sorts = [Sort::Data(of.clone()), Sort::Int];
        let mut chance = Chance::new(1, 0);
        let mut count = 0;
        for _ in 0..500 {
            let term = term(&mut chance, &Sort::Bool, 3, &sorts);
            let text = term.text(&["v".into(), "i".into()]);
            if text.contains("s0_1_") {
                count += 1;
                assert!(
                    text.contains("is c0_1") || text.contains("is-c0_1"),
                    "{text}"
                );
            }
        }
        assert!(count > 50, "{count}");
    }
}
