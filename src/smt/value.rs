//! From Z3's values in a model to exact [`Value`]s.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::str::FromStr;
use std::sync::Arc;

use num_bigint::{BigInt, BigUint};
use num_rational::BigRational;
use z3_sys::DeclKind;

use super::answer::Failure;
use super::float::{float, rounding};
use super::raw::{self, Ast, Shape};
use ult_core::formula::{ConstructValue, Format, FunctionValue, MapSort, MapValue, Sort, Value};

/// Reads the values of one model. Elements of uninterpreted sorts are numbered in the order in
/// which they are met, the same element always alike.
pub(super) struct Reader {
    model: raw::Model,
    /// By sort. The expressions are kept so that identities are not reused.
    elements: RefCell<HashMap<Arc<str>, Elements>>,
}

/// Expression and number of each element of a sort, by the expression's identity.
type Elements = HashMap<u32, (Ast, u32)>;

/// A finite table read from a model.
struct Table {
    entries: BTreeMap<Vec<Value>, Value>,
    default: Value,
}

fn not_a_value(ast: &Ast) -> Failure {
    let mut text = ast.to_string();
    if text.chars().count() > 200 {
        text = text.chars().take(200).collect::<String>() + "...";
    }
    Failure::Unsupported(format!("the model value `{text}`"))
}

fn is(decl: &raw::Decl, kind: DeclKind) -> bool {
    decl.kind() == kind as u32
}

impl Reader {
    pub(super) fn new(model: raw::Model) -> Reader {
        Reader {
            model,
            elements: RefCell::default(),
        }
    }

    pub(super) fn model(&self) -> &raw::Model {
        &self.model
    }

    /// The value of an expression, completed where the model leaves it open.
    pub(super) fn evaluate(&self, ast: &Ast, sort: &Sort) -> Result<Value, Failure> {
        let value = self.model.eval(ast)?;
        self.read(&value, sort)
    }

    /// An expression that is a value, as one.
    fn read(&self, ast: &Ast, sort: &Sort) -> Result<Value, Failure> {
        let wrong = || not_a_value(ast);
        match sort {
            Sort::Bool => {
                let decl = ast.decl().map_err(|_| wrong())?;
                if is(&decl, DeclKind::True) {
                    Ok(Value::Bool(true))
                } else if is(&decl, DeclKind::False) {
                    Ok(Value::Bool(false))
                } else {
                    Err(wrong())
                }
            }
            Sort::Int => {
                let digits = ast.digits().ok_or_else(wrong)?;
                let value = BigInt::from_str(&digits).map_err(|_| wrong())?;
                Ok(Value::Int(value))
            }
            Sort::Real => {
                // Irrational algebraic numbers are no numerals and fail here.
                let digits = ast.digits().ok_or_else(wrong)?;
                let value = BigRational::from_str(&digits).map_err(|_| wrong())?;
                Ok(Value::Real(value))
            }
            Sort::BitVec(width) => {
                let digits = ast.digits().ok_or_else(wrong)?;
                let value = BigUint::from_str(&digits).map_err(|_| wrong())?;
                Ok(Value::BitVec(value, *width))
            }
            Sort::Uninterpreted(name) => {
                if ast.shape() != Shape::App || !ast.args()?.is_empty() {
                    return Err(wrong());
                }
                let mut elements = self.elements.borrow_mut();
                let elements = elements.entry(name.clone()).or_default();
                let next = elements.len() as u32;
                let (_, number) = elements
                    .entry(ast.id())
                    .or_insert_with(|| (ast.clone(), next));
                Ok(Value::Element(name.clone(), *number))
            }
            Sort::Map(map) => {
                // Maps nest as deeply as their sort.
                let table =
                    stacker::maybe_grow(64 * 1024, 1024 * 1024, || self.read_map(ast, map))?;
                Ok(Value::Map(Arc::new(
                    MapValue {
                        domain: map.domain.clone(),
                        default: table.default,
                        entries: table.entries.into_iter().collect(),
                    }
                    .normalised(),
                )))
            }
            Sort::Datatype(datatype) => {
                let (decl, args) = (ast.decl().map_err(|_| wrong())?, ast.args()?);
                let (sort, id) = (ast.sort()?, decl.id());
                for (number, constructor) in (0u32..).zip(datatype.constructors()) {
                    if sort.constructor(number)?.id() != id {
                        continue;
                    }
                    let sorts: Vec<Sort> = constructor.sorts().collect();
                    let fields = stacker::maybe_grow(64 * 1024, 1024 * 1024, || {
                        self.read_all(&args, &sorts)
                    })?;
                    return Ok(Value::Construct(Arc::new(ConstructValue {
                        constructor: number,
                        name: constructor.name().clone(),
                        fields,
                    })));
                }
                Err(wrong())
            }
            Sort::Float(exponent, significand) => {
                let format = Format::new(*exponent, *significand).ok_or_else(|| {
                    Failure::Unsupported(format!("values of sort {sort} in models"))
                })?;
                Ok(Value::Float(float(ast, format)?.ok_or_else(wrong)?))
            }
            Sort::Seq(_) | Sort::String | Sort::RegEx => Err(Failure::Unsupported(format!(
                "values of sort {sort} in models"
            ))),
            Sort::RoundingMode => {
                let kind = ast.decl().map_err(|_| wrong())?.kind();
                rounding(kind).map(Value::Rounding).ok_or_else(wrong)
            }
        }
    }

    fn read_all(&self, asts: &[Ast], sorts: &[Sort]) -> Result<Vec<Value>, Failure> {
        if asts.len() != sorts.len() {
            return Err(Failure::UnexpectedOutput(
                "an entry of a model with another number of arguments".into(),
            ));
        }
        asts.iter()
            .zip(sorts)
            .map(|(ast, sort)| self.read(ast, sort))
            .collect()
    }

    /// Stores over a constant array, a function's table, or a simple lambda.
    fn read_map(&self, ast: &Ast, sort: &MapSort) -> Result<Table, Failure> {
        let mut stores = Vec::new();
        let mut base = ast.clone();
        let mut table = loop {
            match base.shape() {
                Shape::App => {}
                Shape::Lambda => break self.read_lambda(&base, sort)?,
                _ => return Err(not_a_value(&base)),
            }
            let decl = base.decl()?;
            let args = base.args()?;
            if is(&decl, DeclKind::Store)
                && let [inner, indices @ .., value] = &args[..]
            {
                stores.push((
                    self.read_all(indices, &sort.domain)?,
                    self.read(value, &sort.range)?,
                ));
                base = inner.clone();
            } else if is(&decl, DeclKind::ConstArray) && args.len() == 1 {
                break Table {
                    entries: BTreeMap::new(),
                    default: self.read(&args[0], &sort.range)?,
                };
            } else if is(&decl, DeclKind::AsArray) {
                break self.read_function(&decl.as_array_function()?, &sort.domain, &sort.range)?;
            } else {
                return Err(not_a_value(&base));
            }
        };
        // The innermost store was made first.
        for (index, value) in stores.into_iter().rev() {
            table.entries.insert(index, value);
        }
        self.well_keyed(&table)?;
        Ok(table)
    }

    /// Indices that are maps may be equal although written differently; then the table would be
    /// ambiguous.
    fn well_keyed(&self, table: &Table) -> Result<(), Failure> {
        let has_maps = |key: &Vec<Value>| key.iter().any(|v| matches!(v, Value::Map(_)));
        if !table.entries.keys().any(has_maps) {
            return Ok(());
        }
        let keys: Vec<&Vec<Value>> = table.entries.keys().collect();
        for (i, left) in keys.iter().enumerate() {
            for right in &keys[i + 1..] {
                let differ = left
                    .iter()
                    .zip(*right)
                    .any(|(x, y)| x.same(y) == Some(false));
                if !differ {
                    return Err(Failure::Unsupported(
                        "a model with a map whose indices are maps".into(),
                    ));
                }
            }
        }
        Ok(())
    }

    /// The table of a function of the model.
    fn read_function(
        &self,
        decl: &raw::Decl,
        domain: &[Sort],
        range: &Sort,
    ) -> Result<Table, Failure> {
        let meaning = self.model.function(decl)?;
        let otherwise = match &meaning {
            Some(meaning) => meaning.otherwise()?,
            None => None,
        };
        let mut table = match otherwise {
            Some(body) => self.read_body(&body, domain, range)?,
            // The model leaves it open: any value will do.
            None => Table {
                entries: BTreeMap::new(),
                default: Value::any_of(range).ok_or_else(|| {
                    Failure::Unsupported(format!("values of sort {range} in models"))
                })?,
            },
        };
        let mut seen = std::collections::BTreeSet::new();
        for (args, value) in meaning.map_or(Ok(Vec::new()), |m| m.entries())? {
            let key = self.read_all(&args, domain)?;
            // Entries are tried in their order: the first one counts.
            if seen.insert(key.clone()) {
                table.entries.insert(key, self.read(&value, range)?);
            }
        }
        self.well_keyed(&table)?;
        Ok(table)
    }

    /// The meaning of a rigid symbol.
    pub(super) fn function(
        &self,
        decl: &raw::Decl,
        domain: &[Sort],
        range: &Sort,
    ) -> Result<FunctionValue, Failure> {
        let Table { entries, default } = self.read_function(decl, domain, range)?;
        let entries = entries.into_iter().filter(|(_, v)| *v != default).collect();
        Ok(FunctionValue { default, entries })
    }

    fn read_lambda(&self, lambda: &Ast, sort: &MapSort) -> Result<Table, Failure> {
        let (bound, body) = lambda.binder()?;
        if bound.len() != sort.domain.len() {
            return Err(not_a_value(lambda));
        }
        self.read_body(&body, &sort.domain, &sort.range)
    }

    /// A body over bound variables: a value, or a chain of if-then-else whose conditions fix all
    /// variables.
    fn read_body(&self, body: &Ast, domain: &[Sort], range: &Sort) -> Result<Table, Failure> {
        let mut branches = Vec::new();
        let mut rest = body.clone();
        loop {
            if rest.shape() == Shape::App {
                let decl = rest.decl()?;
                if is(&decl, DeclKind::Ite)
                    && let [condition, then, otherwise] = &rest.args()?[..]
                {
                    branches.push((self.read_key(condition, domain)?, self.read(then, range)?));
                    rest = otherwise.clone();
                    continue;
                }
            }
            break;
        }
        let mut table = Table {
            entries: BTreeMap::new(),
            // Fails if it still mentions the variables.
            default: self.read(&rest, range)?,
        };
        // The first branch counts.
        for (key, value) in branches.into_iter().rev() {
            table.entries.insert(key, value);
        }
        Ok(table)
    }

    /// A conjunction `x = value && y = value ...` over all bound variables, as an index.
    fn read_key(&self, condition: &Ast, domain: &[Sort]) -> Result<Vec<Value>, Failure> {
        let wrong = || not_a_value(condition);
        let mut key: Vec<Option<Value>> = vec![None; domain.len()];
        let mut conjuncts = vec![condition.clone()];
        while let Some(conjunct) = conjuncts.pop() {
            let decl = conjunct.decl().map_err(|_| wrong())?;
            let args = conjunct.args()?;
            if is(&decl, DeclKind::And) {
                conjuncts.extend(args);
                continue;
            }
            if !is(&decl, DeclKind::Eq) {
                return Err(wrong());
            }
            let [left, right] = &args[..] else {
                return Err(wrong());
            };
            let (index, value) = match (left.shape(), right.shape()) {
                (Shape::Bound(index), _) => (index, right),
                (_, Shape::Bound(index)) => (index, left),
                _ => return Err(wrong()),
            };
            // De Bruijn: the last variable has index 0.
            let place = domain
                .len()
                .checked_sub(1 + index as usize)
                .ok_or_else(wrong)?;
            let value = self.read(value, &domain[place])?;
            if key[place].replace(value).is_some() {
                return Err(wrong());
            }
        }
        key.into_iter().collect::<Option<_>>().ok_or_else(wrong)
    }
}
