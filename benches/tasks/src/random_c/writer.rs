//! The state of a memory program that is being written: its types, the objects there are, what is in scope, and the
//! expressions that say how to get at them.

use std::rc::Rc;

use rand::Rng;
use rand_chacha::ChaCha8Rng;

use super::model::{Memory, Place, Target, Value, zero};
use super::program::{Piece, Program};
use super::types::{Integer, Type, Types};

/// So many ways to get at something are looked at.
const MOST_ACCESSES: usize = 400;

/// An expression that stands for a place, or for a value.
#[derive(Clone, Debug)]
pub(super) struct Access {
    /// The expression.
    pub text: String,
    /// It has to be in parentheses before `.`, `->` and `[`.
    pub is_unary: bool,
    /// Its type.
    pub of: Type,
    /// The place it stands for.
    pub place: Place,
    /// A bit-field: it has no address.
    pub is_bits: bool,
    /// The pointers that it goes through.
    pub through: Vec<Place>,
}

impl Access {
    /// The expression as an operand of a postfix operator.
    pub(super) fn postfix(&self) -> String {
        match self.is_unary {
            true => format!("({})", self.text),
            false => self.text.clone(),
        }
    }

    /// The address.
    pub(super) fn address(&self) -> String {
        match &self.of {
            Type::Array(..) => self.text.clone(),
            _ => match self.text.strip_prefix('*') {
                Some(pointer) if self.is_unary => pointer.to_owned(),
                _ => format!("&{}", self.text),
            },
        }
    }
}

/// A name in scope.
#[derive(Clone, Debug)]
pub(super) struct Variable {
    /// The name.
    pub name: String,
    /// Its object.
    pub place: Place,
}

/// What a program has.
#[derive(Clone, Debug, Default)]
pub(super) struct Features {
    /// Addresses as numbers.
    pub numbers: bool,
    /// Pointers to `void`.
    pub void: bool,
    /// Pointers to functions.
    pub functions: bool,
    /// Unions.
    pub unions: bool,
    /// Bit-fields.
    pub bits: bool,
    /// Allocated memory.
    pub heap: bool,
    /// One copy of one object, and little else.
    pub only_one: bool,
    /// The ways on which objects are copied.
    pub ways: Vec<usize>,
    /// The kinds of statements.
    pub statements: Vec<usize>,
}

/// A program that is being written.
pub(super) struct Writer {
    /// What is random in it.
    pub random: ChaCha8Rng,
    /// The size of a pointer.
    pub pointer: u64,
    /// Its types.
    pub types: Types,
    /// Its objects.
    pub memory: Memory,
    /// The variables at file scope.
    pub globals: Vec<Variable>,
    /// The variables of the function that is being written.
    pub locals: Vec<Variable>,
    /// What is at file scope.
    pub top: Vec<Piece>,
    /// Names at file scope.
    pub program: Program,
    /// The type that most pointers point to.
    pub favourite: Integer,
    /// What this program has, and others do not: few features at once are decided sooner, and go together in more ways
    /// than all of them.
    pub has: Features,
    /// Functions with the type `function`, whose names are values.
    pub functions: Vec<String>,
    /// So many names were made up.
    pub names: usize,
    /// Objects in allocated memory that can be freed or get another size.
    pub allocated: Vec<usize>,
}

impl Writer {
    /// A random number below another one.
    pub(super) fn below(&mut self, end: usize) -> usize {
        self.random.random_range(0..end.max(1))
    }

    /// True so many times in a hundred.
    pub(super) fn chance(&mut self, percent: u32) -> bool {
        self.random.random_ratio(percent.min(100), 100)
    }

    /// One of several.
    pub(super) fn pick<T: Clone>(&mut self, of: &[T]) -> Option<T> {
        let index = self.below(of.len());
        of.get(index).cloned()
    }

    /// One of several texts.
    pub(super) fn word(&mut self, of: &[&'static str]) -> &'static str {
        self.pick(of).unwrap_or_default()
    }

    /// A new name.
    pub(super) fn name(&mut self, prefix: &str) -> String {
        self.names += 1;
        format!("{prefix}{}", self.names)
    }

    /// A new name at file scope.
    pub(super) fn global_name(&mut self, prefix: &str) -> String {
        let name = self.name(prefix);
        self.program.names.insert(name.clone());
        name
    }

    /// A type as it stands in casts and `sizeof`.
    pub(super) fn spell(&self, of: &Type) -> String {
        self.types.spell(of)
    }

    /// What is in a place.
    pub(super) fn value(&self, place: &Place) -> Value {
        self.memory.get(place).unwrap_or(Value::Unset)
    }

    /// Writes to a place.
    pub(super) fn set(&mut self, place: &Place, value: Value) {
        self.memory.set(&self.types, place, value);
    }

    /// Everything that can be named now.
    pub(super) fn accesses(&self) -> Vec<Access> {
        let mut found = Vec::new();
        for variable in self.globals.iter().chain(&self.locals) {
            if !self.memory.is_alive(&variable.place) {
                continue;
            }
            let Some(of) = self.memory.type_of(&self.types, &variable.place) else {
                continue;
            };
            let access = Access {
                text: variable.name.clone(),
                is_unary: false,
                of,
                place: variable.place.clone(),
                is_bits: false,
                through: Vec::new(),
            };
            self.expand(access, 5, &mut found);
        }
        found
    }

    fn expand(&self, access: Access, depth: usize, found: &mut Vec<Access>) {
        if found.len() >= MOST_ACCESSES {
            return;
        }
        found.push(access.clone());
        if depth == 0 {
            return;
        }
        let value = self.value(&access.place);
        let below = |place: &Place, step: usize| {
            let mut place = place.clone();
            place.path.push(step);
            place
        };
        match &access.of {
            Type::Record(number) => {
                let Some(record) = self.types.records.get(*number) else {
                    return;
                };
                for (index, field) in record.fields.iter().enumerate() {
                    if record.is_union
                        && !matches!(value, Value::Member(member, _) if member == index)
                    {
                        continue;
                    }
                    let text = match access.text.strip_prefix('*') {
                        Some(pointer) if access.is_unary && !pointer.starts_with(['*', '(']) => {
                            format!("{pointer}->{}", field.name)
                        }
                        _ => format!("{}.{}", access.postfix(), field.name),
                    };
                    let part = Access {
                        text,
                        is_unary: false,
                        of: field.of.clone(),
                        place: below(&access.place, index),
                        is_bits: field.bits.is_some(),
                        through: access.through.clone(),
                    };
                    self.expand(part, depth - 1, found);
                }
            }
            Type::Array(element, length) => {
                for index in 0..*length {
                    let part = Access {
                        text: format!("{}[{index}]", access.postfix()),
                        is_unary: false,
                        of: (**element).clone(),
                        place: below(&access.place, index),
                        is_bits: false,
                        through: access.through.clone(),
                    };
                    self.expand(part, depth - 1, found);
                }
            }
            Type::Pointer(_) | Type::Address => {
                if let Value::Pointer(Target::Place(target)) = value {
                    self.follow(&access, &target, depth, found);
                }
            }
            Type::Int(_) | Type::Void | Type::Function => {}
        }
    }

    /// What a pointer points to, and the elements around it.
    fn follow(&self, access: &Access, target: &Place, depth: usize, found: &mut Vec<Access>) {
        if !self.memory.is_alive(target) {
            return;
        }
        let Some(of) = self.memory.type_of(&self.types, target) else {
            return;
        };
        if matches!(of, Type::Array(..)) {
            return;
        }
        let pointer = match &access.of {
            Type::Pointer(to) if **to != Type::Void => access.text.clone(),
            _ => format!(
                "({}){}",
                self.spell(&of.clone().pointer()),
                match access.is_unary {
                    true => access.postfix(),
                    false => access.text.clone(),
                }
            ),
        };
        let is_cast = pointer != access.text;
        let mut through = access.through.clone();
        through.push(access.place.clone());
        let direct = Access {
            text: format!("*{pointer}"),
            is_unary: true,
            of: of.clone(),
            place: target.clone(),
            is_bits: false,
            through: through.clone(),
        };
        self.expand(direct, depth - 1, found);
        let Some((last, rest)) = target.path.split_last() else {
            return;
        };
        let outer = Place {
            object: target.object,
            path: rest.to_vec(),
        };
        let Some(Type::Array(_, length)) = self.memory.type_of(&self.types, &outer) else {
            return;
        };
        let base = match is_cast || access.is_unary {
            true => format!("({pointer})"),
            false => pointer,
        };
        for index in 0..length {
            if index == *last {
                continue;
            }
            let offset = index.cast_signed() - last.cast_signed();
            let mut place = outer.clone();
            place.path.push(index);
            let near = Access {
                text: format!("{base}[{offset}]"),
                is_unary: false,
                of: of.clone(),
                place,
                is_bits: false,
                through: through.clone(),
            };
            self.expand(near, depth - 1, found);
        }
    }

    /// One of the accesses that fit, rather one that goes through pointers.
    pub(super) fn access(&mut self, fits: impl Fn(&Writer, &Access) -> bool) -> Option<Access> {
        let all: Vec<Access> = self
            .accesses()
            .into_iter()
            .filter(|access| fits(self, access))
            .collect();
        let far: Vec<Access> = all
            .iter()
            .filter(|access| !access.through.is_empty())
            .cloned()
            .collect();
        if !far.is_empty() && self.chance(60) {
            return self.pick(&far);
        }
        self.pick(&all)
    }

    /// An integer that was written.
    pub(super) fn integer(&mut self) -> Option<Access> {
        self.access(|writer, access| {
            matches!(access.of, Type::Int(_)) && writer.value(&access.place) == Value::Integer
        })
    }

    /// An expression for a pointer, or address, of a type, and what it points to.
    pub(super) fn pointer_value(&mut self, of: &Type) -> Option<(String, Target)> {
        if *of == Type::Function {
            let other = self.access(|writer, access| {
                access.of == Type::Function && writer.is_complete(&access.place)
            });
            if let Some(other) = other
                && self.chance(50)
                && let Value::Pointer(target) = self.value(&other.place)
            {
                return Some((other.text, target));
            }
            let index = self.below(self.functions.len());
            let name = self.functions.get(index)?.clone();
            let sign = if self.chance(20) { "&" } else { "" };
            return Some((format!("{sign}{name}"), Target::Function(index)));
        }
        if self.chance(3) {
            return Some(("0".into(), Target::Null));
        }
        let to = match of {
            Type::Pointer(to) => (**to).clone(),
            _ => Type::Void,
        };
        let is_number = *of == Type::Address;
        let is_any = to == Type::Void;
        // What has a pointer of the type already.
        let wanted = of.clone();
        let same = self.access(|writer, access| {
            access.of == wanted
                && matches!(
                    writer.value(&access.place),
                    Value::Pointer(Target::Place(_))
                )
                && writer.is_complete(&access.place)
        });
        let wanted = to.clone();
        let place = self.access(|writer, access| {
            !access.is_bits
                && match &access.of {
                    Type::Array(..) | Type::Function => false,
                    of if is_any => !writer.types.is_flexible(of),
                    of => *of == wanted,
                }
        });
        let any = self.access(|writer, access| {
            let Value::Pointer(Target::Place(target)) = writer.value(&access.place) else {
                return false;
            };
            writer.memory.is_alive(&target)
                && matches!(access.of, Type::Pointer(_) | Type::Address)
                && (is_any
                    || writer.memory.type_of(&writer.types, &target).as_ref() == Some(&wanted))
        });
        let cast = |writer: &Writer, text: String| match is_number {
            true => format!("(uintptr_t){text}"),
            false => format!("({}){text}", writer.spell(of)),
        };
        match self.below(10) {
            0..=3 => {
                let same = same?;
                let Value::Pointer(Target::Place(target)) = self.value(&same.place) else {
                    return None;
                };
                // Somewhere else in the same array.
                if !is_number
                    && !is_any
                    && self.chance(30)
                    && let Some((moved, offset)) = self.moved(&target)
                {
                    let sign = if offset < 0 { "-" } else { "+" };
                    return Some((
                        format!("{} {sign} {}", same.text, offset.unsigned_abs()),
                        Target::Place(moved),
                    ));
                }
                Some((same.text, Target::Place(target)))
            }
            4 | 5 => {
                let any = any?;
                let Value::Pointer(target) = self.value(&any.place) else {
                    return None;
                };
                let text = match any.of == *of {
                    true => any.text,
                    false => cast(self, any.text),
                };
                Some((text, target))
            }
            _ => {
                let place = place?;
                let address = place.address();
                let text = match is_number {
                    true => format!("(uintptr_t){address}"),
                    false => address,
                };
                Some((text, Target::Place(place.place)))
            }
        }
    }

    /// Another element of the array that a place is in.
    fn moved(&mut self, place: &Place) -> Option<(Place, isize)> {
        let (last, rest) = place.path.split_last()?;
        let outer = Place {
            object: place.object,
            path: rest.to_vec(),
        };
        let Type::Array(_, length) = self.memory.type_of(&self.types, &outer)? else {
            return None;
        };
        let index = self.below(length);
        let mut moved = outer;
        moved.path.push(index);
        Some((moved, index.cast_signed() - last.cast_signed()))
    }

    /// Whether what is in a place can be copied.
    pub(super) fn is_complete(&self, place: &Place) -> bool {
        self.memory.is_complete(&self.value(place))
    }

    /// An initialiser or element of one, and what it makes.
    pub(super) fn initialiser(&mut self, of: &Type, is_constant: bool) -> (String, Value) {
        match of {
            Type::Int(Integer::Bool) => (self.below(2).to_string(), Value::Integer),
            Type::Int(_) => (self.below(100).to_string(), Value::Integer),
            Type::Void => ("0".into(), Value::Unset),
            Type::Function => {
                let index = self.below(self.functions.len());
                match self.functions.get(index) {
                    Some(name) => (name.clone(), Value::Pointer(Target::Function(index))),
                    None => ("0".into(), Value::Pointer(Target::Null)),
                }
            }
            Type::Pointer(_) | Type::Address => {
                let value = match is_constant {
                    true => self.constant_pointer(of),
                    false => (0..3).find_map(|_| self.pointer_value(of)),
                };
                match value {
                    Some((text, target)) => (text, Value::Pointer(target)),
                    None => ("0".into(), Value::Pointer(Target::Null)),
                }
            }
            Type::Array(element, length) => {
                let Value::All(mut values) = zero(&self.types, of) else {
                    return ("{ 0 }".into(), Value::Unset);
                };
                if **element == Type::Int(Integer::Char) && *length >= 4 && self.chance(50) {
                    return (self.word(&["\"abc\"", "\"xy\""]).into(), Value::All(values));
                }
                let given = match self.chance(70) {
                    true => *length,
                    false => 1 + self.below(*length),
                };
                let is_designated = self.chance(15);
                let mut parts = Vec::new();
                for (index, value) in values.iter_mut().enumerate().take(given) {
                    let (text, made) = self.initialiser(element, is_constant);
                    parts.push(match is_designated {
                        true => format!("[{index}] = {text}"),
                        false => text,
                    });
                    *value = made;
                }
                (format!("{{ {} }}", parts.join(", ")), Value::All(values))
            }
            Type::Record(number) => self.record_initialiser(*number, is_constant),
        }
    }

    fn record_initialiser(&mut self, number: usize, is_constant: bool) -> (String, Value) {
        let Some(record) = self.types.records.get(number).cloned() else {
            return ("{ 0 }".into(), Value::Unset);
        };
        if record.is_union {
            let member = self.below(record.fields.len());
            let Some(field) = record.fields.get(member) else {
                return ("{ 0 }".into(), Value::Unset);
            };
            let (text, value) = self.initialiser(&field.of, is_constant);
            return (
                format!("{{ .{} = {text} }}", field.name),
                Value::Member(member, Box::new(value)),
            );
        }
        let is_designated = self.chance(25);
        let mut parts = Vec::new();
        let mut values = Vec::new();
        for field in &record.fields {
            if is_designated && self.chance(25) {
                values.push(zero(&self.types, &field.of));
                continue;
            }
            let (mut text, value) = self.initialiser(&field.of, is_constant);
            if let Some(bits) = field.bits {
                text = self.below(1 << bits.min(4)).to_string();
            }
            parts.push(match is_designated {
                true => format!(".{} = {text}", field.name),
                false => text,
            });
            values.push(value);
        }
        if is_designated && self.chance(50) {
            parts.reverse();
        }
        match parts.is_empty() {
            true => ("{ 0 }".into(), zero(&self.types, &Type::Record(number))),
            false => (format!("{{ {} }}", parts.join(", ")), Value::All(values)),
        }
    }

    /// A pointer that an object with static life can begin with.
    fn constant_pointer(&mut self, of: &Type) -> Option<(String, Target)> {
        let Type::Pointer(to) = of else {
            return None;
        };
        let to = (**to).clone();
        let places: Vec<Access> = self
            .accesses()
            .into_iter()
            .filter(|access| {
                access.through.is_empty()
                    && !access.is_bits
                    && (access.of == to || to == Type::Void)
                    && !matches!(access.of, Type::Array(..))
                    && self
                        .globals
                        .iter()
                        .any(|global| global.place.object == access.place.object)
            })
            .collect();
        let place = self.pick(&places)?;
        Some((place.address(), Target::Place(place.place)))
    }

    /// Declares a variable, with an initialiser or without.
    pub(super) fn declare(&mut self, of: &Type, is_global: bool, with: bool) -> Piece {
        let name = match is_global {
            true => self.global_name("g"),
            false => self.name("v"),
        };
        let mut text = self.types.declare(of, &name);
        let is_static = !is_global && self.chance(8);
        let value = match with {
            true => {
                let (initialiser, value) = self.initialiser(of, is_global || is_static);
                text = format!("{text} = {initialiser}");
                value
            }
            false if is_global || is_static => zero(&self.types, of),
            false => Value::Unset,
        };
        let place = self.memory.create(of.clone(), value);
        let variable = Variable { name, place };
        match is_global {
            true => self.globals.push(variable),
            false => self.locals.push(variable),
        }
        let word = match (is_static, is_global) {
            (true, _) => "static ",
            (_, true) => self.word(&["", "static "]),
            _ => "",
        };
        Piece::Text(format!("{word}{text};"))
    }

    /// A type that pointers can lie in.
    pub(super) fn some_type(&mut self) -> Type {
        let records: Vec<Type> = (0..self.types.records.len())
            .map(Type::Record)
            .filter(|of| !self.types.is_flexible(of))
            .collect();
        let favourite = Type::Int(self.favourite);
        match self.below(20) {
            0..=7 => self.pick(&records).unwrap_or(favourite),
            8..=10 => favourite.pointer(),
            11 => {
                let length = 2 + self.below(3);
                favourite.pointer().array(length)
            }
            12 => {
                let length = 2 + self.below(2);
                self.pick(&records).unwrap_or(favourite).array(length)
            }
            13 => favourite.pointer().pointer(),
            14 => self.pick(&records).unwrap_or(favourite).pointer(),
            15 if self.has.void => Type::Void.pointer(),
            16 if self.has.numbers => Type::Address,
            17 if self.has.functions => Type::Function,
            15..=18 => {
                let length = 2 + self.below(3);
                favourite.array(length)
            }
            _ => favourite,
        }
    }

    /// An array of pointers of the favourite type.
    pub(super) fn favourite_pointer(&self) -> Type {
        Type::Pointer(Rc::new(Type::Int(self.favourite)))
    }
}
