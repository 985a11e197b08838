//! Terms and values in the names of the program that they are about.

use std::collections::{BTreeMap, HashMap};

use ult_core::formula::{Op, Sort, Term, Terms, Value, Version};
use ult_smtlib::print::{constructor, expression, selector, sort_names, symbol};

use crate::export::symbols::{quoted, respelled};

/// A formula about a state, in the names that the program gives to its variables; `None` if some variable has none, or if
/// SV-LIB has no words for the formula.
pub fn formula(
    terms: &Terms,
    formula: Term,
    name: &dyn Fn(&str) -> Option<String>,
) -> Option<String> {
    let mut names: HashMap<String, String> = HashMap::new();
    let mut sorts = BTreeMap::new();
    for term in terms.post_order(&[formula]) {
        sort_names(terms.sort(term), &mut sorts);
        match terms.op(term) {
            Op::Var(var) => match var.version {
                Version::Current => {
                    names.insert(symbol("c", &var.name), name(&var.name)?);
                }
                Version::Bound(_) => {}
                _ => return None,
            },
            Op::Apply(function) => {
                names.insert(symbol("f", &function.name), function.name.to_string());
            }
            _ => {}
        }
    }
    for (symbol, sort) in sorts {
        if let Sort::Datatype(datatype) = &sort {
            for (number, made) in (0..).zip(datatype.constructors()) {
                names.insert(constructor(datatype, number), made.name().to_string());
                for (field, (name, _)) in (0..).zip(made.fields()) {
                    names.insert(selector(datatype, number, field), name.to_string());
                }
            }
        }
        names.insert(symbol, sort.to_string());
    }
    let text = expression(terms, formula).ok()?;
    let spelled = respelled(&text, |symbol| {
        let whole = format!("|{symbol}|");
        // What is bound may be called as it is.
        names.get(&whole).map_or(whole, |name| quoted(name))
    });
    Some(spelled)
}

/// A value as a term; `None` if nothing stands for it. Numbers below zero are written as the grammar of SV-LIB has them.
pub fn value(value: &Value, sort: &Sort) -> Option<String> {
    Some(match (value, sort) {
        (Value::Bool(value), _) => value.to_string(),
        (Value::Int(value), _) => value.to_string(),
        (Value::Real(value), _) if value.is_integer() => format!("{}.0", value.numer()),
        (Value::Real(value), _) => {
            let (sign, size) = match value.numer().sign() {
                num_bigint::Sign::Minus => ("-", value.numer().magnitude()),
                _ => ("", value.numer().magnitude()),
            };
            format!("(/ {sign}{size}.0 {}.0)", value.denom())
        }
        (Value::BitVec(value, width), _) => {
            format!("#b{value:0>width$b}", width = *width as usize)
        }
        (Value::Map(map), Sort::Map(sort)) => {
            let [index_sort] = sort.domain.as_slice() else {
                return None;
            };
            let mut sorts = BTreeMap::new();
            sort_names(index_sort, &mut sorts);
            sort_names(&sort.range, &mut sorts);
            if !sorts.is_empty() {
                return None;
            }
            let whole = ult_smtlib::print::sort_text(&Sort::Map(sort.clone())).ok()?;
            let default = self::value(&map.default, &sort.range)?;
            let mut text = format!("((as const {whole}) {default})");
            for (index, element) in &map.entries {
                let [index] = index.as_slice() else {
                    return None;
                };
                let index = self::value(index, index_sort)?;
                let element = self::value(element, &sort.range)?;
                text = format!("(store {text} {index} {element})");
            }
            text
        }
        (Value::Construct(made), Sort::Datatype(datatype)) => {
            let constructor = datatype.constructor(made.constructor)?;
            let name = quoted(constructor.name());
            let fields = made.fields.iter().zip(constructor.sorts());
            let fields: Option<Vec<String>> = fields
                .map(|(field, sort)| self::value(field, &sort))
                .collect();
            match fields?.as_slice() {
                [] => name,
                fields => format!("({name} {})", fields.join(" ")),
            }
        }
        _ => return None,
    })
}
