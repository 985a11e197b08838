//! Expressions on a state.

use std::hash::{Hash as _, Hasher as _};
use std::rc::Rc;

use num_bigint::BigInt;
use num_traits::ToPrimitive as _;
use rustc_hash::{FxHashMap, FxHasher};
use ult_lang::stack::ensure_stack;

use crate::choice::Chooser;
use crate::code::{Binary, Bound, Code, Expr, Quantifier, Row, Variable, Write};
use crate::map::{Base, Closure, Key, Map};
use crate::ops;
use crate::trouble::{Result, Trouble};
use crate::value::{Data, Value};

/// Bound variables get at most so many values.
const MOST_VALUES: usize = 1_000_000;

/// Function calls may be nested so deeply.
const MOST_CALLS: usize = 100_000;

/// The values of all variables, and what is needed to evaluate expressions.
pub(crate) struct State<'c> {
    /// The program.
    pub code: &'c Code,
    /// Globals and constants.
    pub globals: Vec<Value>,
    /// The locals of all activations.
    pub stack: Vec<Value>,
    /// Where those of the one at hand begin.
    pub base: usize,
    /// Chooses what is left open.
    pub chooser: Chooser<'c>,
    /// What functions without a definition return.
    returned: FxHashMap<(u32, Vec<Value>), Value>,
    calls: usize,
}

impl<'c> State<'c> {
    /// A state without activations.
    pub(crate) fn new(code: &'c Code, chooser: Chooser<'c>) -> Self {
        State {
            code,
            globals: vec![Value::Bool(false); code.globals.len()],
            stack: Vec::new(),
            base: 0,
            chooser,
            returned: FxHashMap::default(),
            calls: 0,
        }
    }

    /// Where the value of a variable is.
    pub(crate) fn place(&mut self, variable: Variable) -> &mut Value {
        match variable {
            Variable::Global(number) => &mut self.globals[number as usize],
            Variable::Local(number) => &mut self.stack[self.base + number as usize],
        }
    }

    /// The value of a variable.
    pub(crate) fn get(&self, variable: Variable) -> &Value {
        match variable {
            Variable::Global(number) => &self.globals[number as usize],
            Variable::Local(number) => &self.stack[self.base + number as usize],
        }
    }

    /// The value of a formula.
    ///
    /// # Errors
    /// If it has no value here.
    pub(crate) fn truth(&mut self, e: &Expr) -> Result<bool> {
        match self.eval(e)? {
            Value::Bool(value) => Ok(value),
            _ => Err(Trouble::operands()),
        }
    }

    /// The value of an expression.
    ///
    /// # Errors
    /// If it has no value here.
    pub(crate) fn eval(&mut self, e: &Expr) -> Result<Value> {
        Ok(match e {
            Expr::Value(value) => value.clone(),
            Expr::Variable(variable) => self.get(*variable).clone(),
            Expr::Not(a) => Value::Bool(!self.truth(a)?),
            Expr::And(all) => {
                for part in all {
                    if !self.truth(part)? {
                        return Ok(Value::Bool(false));
                    }
                }
                Value::Bool(true)
            }
            Expr::Or(all) => {
                for part in all {
                    if self.truth(part)? {
                        return Ok(Value::Bool(true));
                    }
                }
                Value::Bool(false)
            }
            Expr::If(parts) => {
                let [condition, then, otherwise] = &**parts;
                let part = if self.truth(condition)? {
                    then
                } else {
                    otherwise
                };
                self.eval(part)?
            }
            Expr::Unary(op, a) => {
                let a = self.eval(a)?;
                ops::unary(*op, &a).ok_or_else(Trouble::operands)?
            }
            Expr::Binary(op, sides) => {
                let [a, b] = &**sides;
                let (a, b) = (self.eval(a)?, self.eval(b)?);
                match op {
                    Binary::Eq => Value::Bool(self.equal(&a, &b)?),
                    Binary::Neq => Value::Bool(!self.equal(&a, &b)?),
                    _ => ops::binary(*op, &a, &b).ok_or_else(Trouble::operands)?,
                }
            }
            Expr::Float(op, args) => {
                let args = self.all(args)?;
                crate::float::apply(*op, &args)
                    .ok_or_else(|| Trouble::new("an operator on floats with these operands"))?
            }
            Expr::Select(map, indices) => {
                let key = self.key(indices)?;
                if let Expr::Variable(variable) = &**map
                    && let Value::Map(map) = self.get(*variable)
                    && let Some(value) = map.entries.get(&key)
                {
                    return Ok(value.clone());
                }
                let map = self.eval(map)?;
                self.select(&map, &key)?
            }
            Expr::Store(map, indices, value) => {
                let (key, value) = (self.key(indices)?, self.eval(value)?);
                let mut map = self.eval(map)?;
                let Value::Map(inner) = &mut map else {
                    return Err(Trouble::operands());
                };
                Rc::make_mut(inner).entries.insert(key, value);
                map
            }
            Expr::ConstantMap(value) => {
                let value = self.eval(value)?;
                Map::constant(value)
            }
            Expr::Call(function, args) => {
                let args = self.all(args)?;
                self.call(*function, args)?
            }
            Expr::Lambda(lambda) => {
                let captured = lambda
                    .captures
                    .iter()
                    .map(|(variable, _)| self.get(*variable).clone())
                    .collect();
                Map::over(Base::Lambda(Rc::new(Closure {
                    lambda: lambda.clone(),
                    captured,
                })))
            }
            Expr::Quantifier(quantifier) => Value::Bool(self.quantifier(quantifier)?),
            Expr::Let(bindings, body) => {
                for (local, value) in bindings {
                    let value = self.eval(value)?;
                    *self.place(Variable::Local(*local)) = value;
                }
                self.eval(body)?
            }
            Expr::Construct(constructor, args) => Value::Data(Rc::new(Data {
                constructor: *constructor,
                fields: self.all(args)?,
            })),
            Expr::Field(positions, value) => {
                let Value::Data(data) = self.eval(value)? else {
                    return Err(Trouble::operands());
                };
                field(positions, &data)
                    .and_then(|at| data.fields.get(at).cloned())
                    .ok_or_else(no_field)?
            }
            Expr::FieldUpdate(positions, parts) => {
                let [value, new] = &**parts;
                let (value, new) = (self.eval(value)?, self.eval(new)?);
                let Value::Data(mut data) = value else {
                    return Err(Trouble::operands());
                };
                let at = field(positions, &data).ok_or_else(no_field)?;
                if let Some(place) = Rc::make_mut(&mut data).fields.get_mut(at) {
                    *place = new;
                }
                Value::Data(data)
            }
            Expr::Is(constructor, value) => match self.eval(value)? {
                Value::Data(data) => Value::Bool(data.constructor == *constructor),
                _ => return Err(Trouble::operands()),
            },
            Expr::Deep(inner) => ensure_stack(|| self.eval(inner))?,
            Expr::Unsupported(what) => return Err(Trouble::new(what.clone())),
        })
    }

    fn all(&mut self, exprs: &[Expr]) -> Result<Vec<Value>> {
        exprs.iter().map(|e| self.eval(e)).collect()
    }

    /// Indices of a map.
    ///
    /// # Errors
    /// If they have no values, or are maps themselves.
    pub(crate) fn key(&mut self, indices: &[Expr]) -> Result<Key> {
        let key = match indices {
            [a] => Key::One(self.eval(a)?),
            [a, b] => {
                let a = self.eval(a)?;
                Key::Two(a, self.eval(b)?)
            }
            _ => Key::Many(self.all(indices)?.into_boxed_slice()),
        };
        let has_map = match &key {
            Key::One(a) => a.has_map(),
            Key::Two(a, b) => a.has_map() || b.has_map(),
            Key::Many(all) => all.iter().any(Value::has_map),
        };
        if has_map {
            return Err(Trouble::new("a map as an index of a map"));
        }
        Ok(key)
    }

    /// An element of a map.
    ///
    /// # Errors
    /// If the expression for it has no value.
    pub(crate) fn select(&mut self, map: &Value, key: &Key) -> Result<Value> {
        let Value::Map(map) = map else {
            return Err(Trouble::operands());
        };
        if let Some(value) = map.entries.get(key) {
            return Ok(value.clone());
        }
        match &map.base {
            Base::Constant(value) => Ok(value.clone()),
            Base::Chosen(number, ty) => {
                let mut hasher = FxHasher::default();
                number.hash(&mut hasher);
                key.hash(&mut hasher);
                self.chooser.determined(ty, hasher.finish())
            }
            Base::Lambda(closure) => {
                let closure = closure.clone();
                ensure_stack(|| self.element(&closure, key))
            }
        }
    }

    fn element(&mut self, closure: &Closure, key: &Key) -> Result<Value> {
        let lambda = &closure.lambda;
        self.within(lambda.locals, |state| {
            for (number, index) in key.values().into_iter().take(lambda.indices).enumerate() {
                state.stack[state.base + number] = index.clone();
            }
            for ((_, local), value) in lambda.captures.iter().zip(&closure.captured) {
                state.stack[state.base + *local as usize] = value.clone();
            }
            state.eval(&lambda.body)
        })
    }

    /// Does something on locals of its own.
    fn within<T>(&mut self, locals: usize, work: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.calls >= MOST_CALLS {
            return Err(Trouble::new("functions nested this deeply"));
        }
        let before = self.base;
        self.base = self.stack.len();
        self.stack.resize(self.base + locals, Value::Bool(false));
        self.calls += 1;
        let result = work(self);
        self.calls -= 1;
        self.stack.truncate(self.base);
        self.base = before;
        result
    }

    fn call(&mut self, number: u32, args: Vec<Value>) -> Result<Value> {
        let Some(function) = self.code.functions.get(number as usize) else {
            return Err(Trouble::new("a function that is not declared"));
        };
        if let Some(body) = &function.body {
            return ensure_stack(|| {
                self.within(function.locals, |state| {
                    for (place, arg) in state.stack[state.base..].iter_mut().zip(args) {
                        *place = arg;
                    }
                    state.eval(body)
                })
            });
        }
        if args.iter().any(Value::has_map) {
            return Err(Trouble::new(format!(
                "the function `{}`, which has no definition, on a map",
                function.name
            )));
        }
        let key = (number, args);
        if let Some(value) = self.returned.get(&key) {
            return Ok(value.clone());
        }
        let value = self.chooser.any(&function.result)?;
        self.returned.insert(key, value.clone());
        Ok(value)
    }

    /// Whether functions without a definition were used.
    pub(crate) fn has_chosen_functions(&self) -> bool {
        !self.returned.is_empty()
    }

    /// Whether two values are equal; maps are if all elements are.
    ///
    /// # Errors
    /// If that cannot be told.
    pub(crate) fn equal(&mut self, a: &Value, b: &Value) -> Result<bool> {
        match (a, b) {
            (Value::Map(left), Value::Map(right)) => {
                if Rc::ptr_eq(left, right) {
                    return Ok(true);
                }
                for key in left.entries.keys().chain(right.entries.keys()) {
                    let (one, other) = (self.select(a, key)?, self.select(b, key)?);
                    if !self.equal(&one, &other)? {
                        return Ok(false);
                    }
                }
                let unknown = || Trouble::new("the comparison of these maps");
                match (&left.base, &right.base) {
                    (Base::Constant(one), Base::Constant(other)) => {
                        let (one, other) = (one.clone(), other.clone());
                        // If they differ, an element that was not written tells them apart, if there is one.
                        match self.equal(&one, &other)? {
                            true => Ok(true),
                            false => Err(unknown()),
                        }
                    }
                    (Base::Chosen(one, _), Base::Chosen(other, _)) if one == other => Ok(true),
                    (Base::Lambda(one), Base::Lambda(other)) if Rc::ptr_eq(one, other) => Ok(true),
                    _ => Err(unknown()),
                }
            }
            (Value::Data(left), Value::Data(right)) => {
                if left.constructor != right.constructor {
                    return Ok(false);
                }
                for (a, b) in left.fields.iter().zip(&right.fields) {
                    if !self.equal(a, b)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            _ => Ok(a == b),
        }
    }

    fn quantifier(&mut self, quantifier: &Quantifier) -> Result<bool> {
        if let Some(row) = &quantifier.row
            && let Some(value) = self.row(row)?
        {
            return Ok(value);
        }
        let found = self.search(&quantifier.bound, quantifier)?;
        Ok(found != quantifier.forall)
    }

    /// Whether values of the bound variables make the body true (`exists`), or false (`forall`).
    fn search(&mut self, bound: &[Bound], quantifier: &Quantifier) -> Result<bool> {
        let Some((first, rest)) = bound.split_first() else {
            return Ok(self.truth(&quantifier.body)? != quantifier.forall);
        };
        let place = Variable::Local(first.local);
        if let Some(all) = &first.all {
            for value in all {
                *self.place(place) = value.clone();
                if self.search(rest, quantifier)? {
                    return Ok(true);
                }
            }
            return Ok(false);
        }
        let low = self.limit(&first.low, true)?;
        let high = self.limit(&first.high, false)?;
        let (Some(low), Some(high)) = (low, high) else {
            return Err(Trouble::new(
                "a quantified formula whose variables have no limits",
            ));
        };
        let count = (&high - &low).to_usize();
        if high > low && count.is_none_or(|count| count > MOST_VALUES) {
            return Err(Trouble::new(
                "a quantified formula whose variables have too many values",
            ));
        }
        let mut value = low;
        while value < high {
            *self.place(place) = Value::int(value.clone());
            if self.search(rest, quantifier)? {
                return Ok(true);
            }
            value += 1;
        }
        Ok(false)
    }

    /// The tightest of several limits.
    fn limit(&mut self, limits: &[Expr], greatest: bool) -> Result<Option<BigInt>> {
        let mut best: Option<BigInt> = None;
        for limit in limits {
            let limit = self.eval(limit)?.as_big().ok_or_else(Trouble::operands)?;
            best = Some(match best {
                None => limit,
                Some(best) if greatest => best.max(limit),
                Some(best) => best.min(limit),
            });
        }
        Ok(best)
    }

    /// Whether all elements in a row of a map have a value; `None` if it cannot be told in this way.
    fn row(&mut self, row: &Row) -> Result<Option<bool>> {
        let map = self.eval(&row.map)?;
        let value = self.eval(&row.value)?;
        let mut fixed = Vec::new();
        for index in &row.indices {
            fixed.push(match index {
                Some(index) => Some(self.eval(index)?),
                None => None,
            });
        }
        let Value::Map(map) = &map else {
            return Err(Trouble::operands());
        };
        // Some other element counts more than one that cannot be compared: the order is that of a hash table.
        let mut trouble = None;
        #[allow(
            clippy::iter_over_hash_type,
            reason = "the answer is the same in any order"
        )]
        for (key, element) in &map.entries {
            let in_row = key
                .values()
                .into_iter()
                .zip(&fixed)
                .all(|(index, fixed)| fixed.as_ref().is_none_or(|fixed| fixed == index));
            if in_row {
                match self.equal(element, &value) {
                    Ok(true) => {}
                    Ok(false) => return Ok(Some(false)),
                    Err(why) => trouble = Some(why),
                }
            }
        }
        if let Some(trouble) = trouble {
            return Err(trouble);
        }
        match &map.base {
            Base::Constant(element) => Ok(self.equal(element, &value)?.then_some(true)),
            _ => Ok(None),
        }
    }

    /// Carries out an assignment.
    ///
    /// # Errors
    /// If the value or an index has no value.
    pub(crate) fn write(&mut self, write: &Write) -> Result<()> {
        let value = self.eval(&write.value)?;
        if write.path.is_empty() {
            *self.place(write.variable) = value;
            return Ok(());
        }
        let keys = self.keys(write)?;
        self.store(write.variable, &keys, value)
    }

    /// Carries out assignments at once.
    ///
    /// # Errors
    /// If a value or an index has no value.
    pub(crate) fn writes(&mut self, writes: &[Write]) -> Result<()> {
        let mut ready = Vec::with_capacity(writes.len());
        for write in writes {
            let value = self.eval(&write.value)?;
            ready.push((self.keys(write)?, value));
        }
        for (write, (keys, value)) in writes.iter().zip(ready) {
            if keys.is_empty() {
                *self.place(write.variable) = value;
            } else {
                self.store(write.variable, &keys, value)?;
            }
        }
        Ok(())
    }

    fn keys(&mut self, write: &Write) -> Result<Vec<Key>> {
        write.path.iter().map(|indices| self.key(indices)).collect()
    }

    /// Writes an element of a map, of a map that is its element, and so on.
    fn store(&mut self, variable: Variable, keys: &[Key], value: Value) -> Result<()> {
        let Some((last, outer)) = keys.split_last() else {
            return Ok(());
        };
        // Elements on the way that were not written yet come from the base.
        let mut missing = Vec::new();
        if !outer.is_empty() {
            let mut map = self.get(variable).clone();
            for key in outer {
                let inner = self.select(&map, key)?;
                missing.push(match &map {
                    Value::Map(map) if map.entries.contains_key(key) => None,
                    _ => Some(inner.clone()),
                });
                map = inner;
            }
        }
        let mut place = self.place(variable);
        for (key, missing) in outer.iter().zip(missing) {
            let Value::Map(map) = place else {
                return Err(Trouble::operands());
            };
            let map = Rc::make_mut(map);
            if let Some(inner) = missing {
                map.entries.insert(key.clone(), inner);
            }
            let Some(inner) = map.entries.get_mut(key) else {
                return Err(Trouble::operands());
            };
            place = inner;
        }
        let Value::Map(map) = place else {
            return Err(Trouble::operands());
        };
        Rc::make_mut(map).entries.insert(last.clone(), value);
        Ok(())
    }
}

fn field(positions: &[(usize, usize)], data: &Data) -> Option<usize> {
    positions
        .iter()
        .find(|(constructor, _)| *constructor == data.constructor)
        .map(|(_, at)| *at)
}

/// Any value, but always the same: that is not worth the effort.
fn no_field() -> Trouble {
    Trouble::new("a field that the value does not have")
}
