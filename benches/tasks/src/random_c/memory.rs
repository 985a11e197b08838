//! Random programs about memory: pointers travel from object to object in many ways, are written through, and what
//! they point to is looked at by its own name.

use rand::SeedableRng as _;
use rand_chacha::ChaCha8Rng;

use super::model::{Memory, Target, Value, zero};
use super::program::{Piece, Program};
use super::types::{Field, Int, Record, Type, Types};
use super::writer::{Access, Features, Variable, Writer};

/// So many results at most.
const MOST_RESULTS: usize = 6;

/// The program with this number.
pub fn program(seed: u64, is_32_bit: bool) -> Program {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    random.set_stream(1);
    let mut writer = Writer {
        random,
        pointer: if is_32_bit { 4 } else { 8 },
        types: Types::default(),
        memory: Memory::default(),
        globals: Vec::new(),
        locals: Vec::new(),
        top: Vec::new(),
        program: Program::default(),
        favourite: Int::Int,
        has: Features::default(),
        functions: Vec::new(),
        names: 0,
        allocated: Vec::new(),
    };
    writer.program.is_32_bit = is_32_bit;
    writer.program.names.insert("function".into());
    if writer.chance(40) {
        writer.favourite = writer
            .pick(&[
                Int::Char,
                Int::Short,
                Int::Long,
                Int::UnsignedChar,
                Int::Unsigned,
            ])
            .unwrap_or(Int::Int);
    }
    writer.choose();
    writer.types_and_globals();
    let mut body = Vec::new();
    let locals = match writer.has.only_one {
        true => 1,
        false => 1 + writer.below(2),
    };
    for _ in 0..locals {
        let of = writer.some_type();
        let piece = writer.declare(&of, false, true);
        body.push(piece);
    }
    // Small ones are decided sooner, and read sooner; a few larger ones mix more.
    let statements = match writer.below(10) {
        _ if writer.has.only_one => 1,
        0 => 5 + writer.below(6),
        1..=3 => 3 + writer.below(3),
        _ => 1 + writer.below(2),
    };
    for _ in 0..statements {
        let pieces = writer.statement(2);
        body.extend(pieces);
    }
    writer.look(&mut body);
    body.push(Piece::Claim);
    body.push(Piece::text("return 0;"));
    let mut pieces = writer.top;
    pieces.push(Piece::Block("int main(void) {".into(), body, "}".into()));
    writer.program.names.insert("main".into());
    Program {
        pieces,
        ..writer.program
    }
}

/// So many ways to copy there are.
const WAYS: usize = 30;

/// So many kinds of statements there are, where `travel` and `write` are several.
const STATEMENTS: usize = 37;

impl Writer {
    /// What this program has.
    fn choose(&mut self) {
        self.has = Features {
            numbers: self.chance(15),
            void: self.chance(30),
            functions: self.chance(30),
            unions: self.chance(25),
            bits: self.chance(25),
            heap: self.chance(40),
            only_one: self.chance(40),
            ways: Vec::new(),
            statements: Vec::new(),
        };
        for _ in 0..1 + self.below(5) {
            let way = self.below(WAYS);
            self.has.ways.push(way);
        }
        // Every program copies; some set and write more than they copy.
        let other = match self.chance(65) {
            true => 0,
            false => self.below(STATEMENTS),
        };
        self.has.statements.push(other);
        if self.has.only_one {
            return;
        }
        self.has.statements.extend([0, 10, 15]);
        for _ in 0..self.below(6) {
            let kind = self.below(STATEMENTS);
            self.has.statements.push(kind);
        }
    }

    fn types_and_globals(&mut self) {
        let favourite = Type::Int(self.favourite);
        let records = if self.chance(25) { 2 } else { 1 };
        for _ in 0..records {
            let number = self.types.records.len();
            let record = self.record(number);
            self.types.records.push(record);
            let text = self.types.define(number);
            self.top.push(Piece::Text(text));
        }
        for _ in 0..1 + self.below(2) {
            let piece = self.declare(&favourite, true, true);
            self.top.push(piece);
        }
        let functions = match self.has.functions {
            true => 1 + self.below(2),
            false => 0,
        };
        for _ in 0..functions {
            let name = self.global_name("f");
            let count = self.below(9);
            let body = match self.below(3) {
                0 => format!("return x + {count};"),
                1 => format!("return {count} - x;"),
                _ => match self.globals.first().cloned() {
                    Some(global) => format!("{} = {count}; return x;", global.name),
                    None => "return x;".to_owned(),
                },
            };
            self.top.push(Piece::text(format!(
                "static int {name}(int x) {{ {body} }}"
            )));
            self.functions.push(name);
        }
        if self.has.only_one && self.chance(70) {
            return;
        }
        let length = 2 + self.below(3);
        let piece = self.declare(&favourite.array(length), true, true);
        self.top.push(piece);
        for _ in 0..self.below(3) {
            let of = self.some_type();
            let with = self.chance(70);
            let piece = self.declare(&of, true, with);
            self.top.push(piece);
        }
    }

    fn record(&mut self, number: usize) -> Record {
        let is_union = self.has.unions && self.chance(50);
        let is_flexible = self.has.heap && !is_union && number > 0 && self.chance(12);
        let tag = self.global_name(if is_union { "u" } else { "s" });
        let favourite = Type::Int(self.favourite);
        let mut fields = Vec::new();
        let count = match self.has.only_one {
            true => 1 + self.below(3),
            false => 2 + self.below(4),
        };
        let has_pointer_at = self.below(count);
        for index in 0..count {
            let mut bits = None;
            let of = match self.below(20) {
                _ if index == has_pointer_at => favourite.clone().pointer(),
                0..=3 => Type::Int(self.pick(&Int::ALL).unwrap_or(Int::Int)),
                5..=7 => favourite.clone().pointer(),
                8 | 9 => Type::Record(number).pointer(),
                10 | 19 if self.has.void => Type::Void.pointer(),
                11 if self.has.numbers => Type::Address,
                11 | 12 if self.has.functions => Type::Function,
                13 => favourite.clone().array(2 + index % 2),
                14 => favourite.clone().pointer().array(2),
                15 if number > 0 && !self.types.is_flexible(&Type::Record(0)) => Type::Record(0),
                16 => Type::Int(Int::Char).array(3 + index),
                17 => favourite.clone().pointer().pointer(),
                4 | 18 if !is_union && self.has.bits => {
                    bits = Some(1 + u32::try_from(self.below(12)).unwrap_or(3));
                    match self.chance(50) {
                        true => Type::Int(Int::Int),
                        false => Type::Int(Int::Unsigned),
                    }
                }
                _ => favourite.clone(),
            };
            fields.push(Field {
                name: format!("m{index}"),
                of,
                bits,
            });
        }
        if is_flexible {
            let of = match self.chance(50) {
                true => favourite.pointer(),
                false => favourite,
            };
            fields.push(Field {
                name: "rest".into(),
                of: of.array(2),
                bits: None,
            });
        }
        Record {
            tag,
            is_union,
            is_flexible,
            fields,
        }
    }

    /// A statement, or several that belong together.
    fn statement(&mut self, depth: usize) -> Vec<Piece> {
        let kind = self.pick(&self.has.statements.clone()).unwrap_or(0);
        match kind {
            0..=9 => self.travel(),
            10..=14 => self.set_pointer(),
            15..=18 => self.write(),
            19 => {
                let of = self.some_type();
                vec![self.declare(&of, false, true)]
            }
            20 => self.clear(),
            21 | 22 if self.has.heap => self.allocate(),
            23 => self.release(),
            24 => self.loop_through_pointers(),
            25 | 26 if depth > 0 => self.outline(depth - 1),
            27 if depth > 0 => self.condition(depth - 1),
            28 if self.has.unions => self.activate(),
            27 | 28 if self.has.functions => self.call_pointer(),
            29 => self.container(),
            30 | 31 if self.has.heap => self.shape(),
            32 => self.compare(),
            33 | 34 => self.shift(),
            35 => self.fill(),
            36 => self.same_bytes(),
            _ => self.travel(),
        }
    }

    /// Writes an integer, rather through pointers.
    fn write(&mut self) -> Vec<Piece> {
        let Some(to) = self.access(|_, access| matches!(access.of, Type::Int(_))) else {
            return Vec::new();
        };
        let is_set = self.value(&to.place) == Value::Int;
        let is_bool = to.of == Type::Int(Int::Bool);
        let number = 1 + self.below(90);
        let text = match self.below(6) {
            0 | 1 if is_set && !is_bool => format!("{} += {number};", to.text),
            2 if is_set && !is_bool => format!("{}++;", to.postfix()),
            3 => match self.integer() {
                Some(from) => format!("{} = {} + {};", to.text, from.text, number % 9),
                None => format!("{} = {number};", to.text),
            },
            _ => format!("{} = {number};", to.text),
        };
        self.set(&to.place, Value::Int);
        vec![Piece::Text(text)]
    }

    fn set_pointer(&mut self) -> Vec<Piece> {
        let Some(to) = self.access(|_, access| {
            matches!(access.of, Type::Pointer(_) | Type::Address | Type::Function)
        }) else {
            return Vec::new();
        };
        let Some((text, target)) = self.pointer_value(&to.of) else {
            return Vec::new();
        };
        self.set(&to.place, Value::Pointer(target));
        vec![Piece::text(format!("{} = {text};", to.text))]
    }

    /// Zeros for a whole object or a part of one.
    fn clear(&mut self) -> Vec<Piece> {
        let Some(to) = self.access(|writer, access| {
            !access.is_bits
                && matches!(access.of, Type::Record(_) | Type::Array(..))
                && !writer.types.is_flexible(&access.of)
        }) else {
            return Vec::new();
        };
        let value = zero(&self.types, &to.of);
        self.set(&to.place, value);
        vec![Piece::text(format!(
            "memset({}, 0, sizeof {});",
            to.address(),
            to.postfix()
        ))]
    }

    /// Memory from `malloc` or `calloc`, written as a whole.
    fn allocate(&mut self) -> Vec<Piece> {
        let flexible: Vec<Type> = (0..self.types.records.len())
            .map(Type::Record)
            .filter(|of| self.types.is_flexible(of))
            .collect();
        let name = self.name("h");
        if let Some(of) = self.pick(&flexible)
            && self.chance(60)
        {
            let value = zero(&self.types, &of);
            let spelled = self.spell(&of);
            let room = format!("sizeof({spelled}) + 2 * sizeof(((struct none *)0)->rest[0])");
            let room = room.replace("struct none", &spelled);
            let text = match self.chance(50) {
                true => format!("{spelled} *{name} = calloc(1, {room});"),
                false => {
                    format!("{spelled} *{name} = malloc({room});\nmemset({name}, 0, {room});")
                }
            };
            let place = self.memory.create(of.clone(), value);
            self.allocated.push(place.object);
            let pointer = self
                .memory
                .create(of.pointer(), Value::Pointer(Target::Place(place)));
            self.locals.push(Variable {
                name,
                place: pointer,
            });
            return vec![Piece::Text(text)];
        }
        let of = self.some_type();
        if matches!(of, Type::Array(..)) {
            return Vec::new();
        }
        let spelled = self.spell(&of);
        let count = 1 + self.below(3);
        let declared = self.types.declare(&of, &format!("*{name}"));
        let (text, value) = match self.chance(40) {
            true => (
                format!("{declared} = calloc({count}, sizeof({spelled}));"),
                zero(&self.types, &of),
            ),
            false => {
                let size = match count {
                    1 => format!("sizeof *{name}"),
                    _ => format!("{count} * sizeof({spelled})"),
                };
                let (initialiser, value) = self.initialiser(&of, false);
                let initialiser = match of {
                    Type::Record(_) => format!("({spelled}){initialiser}"),
                    _ => initialiser,
                };
                let write = match count {
                    1 => format!("*{name} = {initialiser};"),
                    _ => format!("for (int i = 0; i < {count}; i++) {name}[i] = {initialiser};"),
                };
                (format!("{declared} = malloc({size});\n{write}"), value)
            }
        };
        let mut place = self
            .memory
            .create(of.clone().array(count), Value::All(vec![value; count]));
        self.allocated.push(place.object);
        place.path.push(0);
        let pointer = self
            .memory
            .create(of.pointer(), Value::Pointer(Target::Place(place)));
        self.locals.push(Variable {
            name,
            place: pointer,
        });
        vec![Piece::Text(text)]
    }

    /// Gives memory back, or moves it.
    fn release(&mut self) -> Vec<Piece> {
        let Some(object) = self.pick(&self.allocated.clone()) else {
            return Vec::new();
        };
        let is_start = |writer: &Writer, access: &Access| {
            matches!(access.of, Type::Pointer(_))
                && matches!(writer.value(&access.place), Value::Pointer(Target::Place(place))
                    if place.object == object && place.path.iter().all(|step| *step == 0)
                        && place.path.len() <= 1)
                && access.place.object != object
                && access
                    .through
                    .iter()
                    .all(|pointer| pointer.object != object)
        };
        let Some(pointer) = self.access(is_start) else {
            return Vec::new();
        };
        let Some(old) = self.memory.objects.get(object).cloned() else {
            return Vec::new();
        };
        self.memory.end(object);
        self.allocated.retain(|other| *other != object);
        let null = Value::Pointer(Target::Null);
        if let (Type::Array(element, length), Value::All(mut values)) = (&old.of, old.value)
            && self.chance(60)
            && matches!(&pointer.of, Type::Pointer(to) if **to == **element)
        {
            let more = 1 + self.below(2);
            let all = length + more;
            values.resize(all, Value::Unset);
            let mut place = self
                .memory
                .create((**element).clone().array(all), Value::All(values));
            self.allocated.push(place.object);
            place.path.push(0);
            self.set(&pointer.place, Value::Pointer(Target::Place(place)));
            return vec![Piece::text(format!(
                "{} = realloc({}, {all} * sizeof({}));",
                pointer.text,
                pointer.text,
                self.spell(element)
            ))];
        }
        self.set(&pointer.place, null);
        vec![Piece::text(format!(
            "free({});\n{} = 0;",
            pointer.text, pointer.text
        ))]
    }

    /// A loop that writes through all pointers of an array, or sets them all.
    fn loop_through_pointers(&mut self) -> Vec<Piece> {
        let favourite = Type::Int(self.favourite);
        let pointer = self.favourite_pointer();
        let Some(array) = self.access(
            |_, access| matches!(&access.of, Type::Array(element, _) if **element == pointer),
        ) else {
            return self.write();
        };
        let Type::Array(_, length) = array.of else {
            return Vec::new();
        };
        let is_all_set = matches!(self.value(&array.place), Value::All(values)
            if values.iter().all(|value| matches!(value, Value::Pointer(Target::Place(_)))
                && self.memory.is_complete(value)));
        let base = array.postfix();
        if is_all_set && self.chance(60) {
            let number = 1 + self.below(9);
            let Value::All(values) = self.value(&array.place) else {
                return Vec::new();
            };
            for value in values {
                if let Value::Pointer(Target::Place(place)) = value {
                    self.set(&place, Value::Int);
                }
            }
            return vec![Piece::text(match self.chance(50) {
                true => format!("for (int i = 0; i < {length}; i++) *{base}[i] = {number} + i;"),
                false => {
                    let declared = self.types.declare(&pointer, "*p");
                    format!("for ({declared} = {base}; p < {base} + {length}; p++) **p = {number};")
                }
            })];
        }
        let Some(row) = self.access(|_, access| {
            matches!(&access.of, Type::Array(element, count)
                if **element == favourite && *count >= length)
        }) else {
            return Vec::new();
        };
        for index in 0..length {
            let mut to = array.place.clone();
            to.path.push(index);
            let mut place = row.place.clone();
            place.path.push(index);
            self.set(&to, Value::Pointer(Target::Place(place)));
        }
        vec![Piece::text(format!(
            "for (int i = 0; i < {length}; i++) {base}[i] = &{}[i];",
            row.postfix()
        ))]
    }

    /// Statements in a function of their own, that gets at the objects by its parameters only.
    fn outline(&mut self, depth: usize) -> Vec<Piece> {
        let name = self.global_name("part");
        let mut parameters = Vec::new();
        let mut arguments = Vec::new();
        let mut inner = Vec::new();
        for _ in 0..1 + self.below(3) {
            let of = match self.chance(40) {
                true => self.favourite_pointer(),
                false => self.some_type().pointer(),
            };
            if matches!(&of, Type::Pointer(to) if matches!(**to, Type::Array(..))) {
                continue;
            }
            let Some((text, target)) = self.pointer_value(&of) else {
                continue;
            };
            let parameter = self.name("p");
            parameters.push(self.types.declare(&of, &parameter));
            arguments.push(text);
            let place = self.memory.create(of, Value::Pointer(target));
            inner.push(Variable {
                name: parameter,
                place,
            });
        }
        if inner.is_empty() {
            return Vec::new();
        }
        let outer = std::mem::replace(&mut self.locals, inner);
        let mut body = Vec::new();
        for _ in 0..1 + self.below(3) {
            body.extend(self.statement(depth));
        }
        let result = Type::pointer(Type::Int(self.favourite));
        let returned = match self.chance(60) {
            true => self.pointer_value(&result),
            false => None,
        };
        let locals = std::mem::replace(&mut self.locals, outer);
        for variable in &locals {
            self.memory.end(variable.place.object);
        }
        let call = format!("{name}({})", arguments.join(", "));
        let (head, call) = match returned {
            Some((text, target)) => {
                body.push(Piece::text(format!("return {text};")));
                let variable = self.name("v");
                let declared = self.types.declare(&result, &variable);
                let place = self.memory.create(result.clone(), Value::Pointer(target));
                self.locals.push(Variable {
                    name: variable,
                    place,
                });
                (
                    self.types.declare(&result, &name),
                    format!("{declared} = {call};"),
                )
            }
            None => (format!("void {name}"), format!("{call};")),
        };
        self.top.push(Piece::Block(
            format!("static {head}({}) {{", parameters.join(", ")),
            body,
            "}".into(),
        ));
        vec![Piece::Text(call)]
    }

    /// A condition whose outcome is known: the other branch is never taken.
    fn condition(&mut self, depth: usize) -> Vec<Piece> {
        let name = self.global_name("sel");
        let is_taken = self.chance(60);
        self.top.push(Piece::text(format!(
            "static int {name} = {};",
            u8::from(is_taken)
        )));
        let known = self.locals.len();
        let before = (self.memory.clone(), self.allocated.clone());
        let mut first = Vec::new();
        for _ in 0..1 + self.below(2) {
            first.extend(self.statement(depth));
        }
        self.leave(known);
        let after = (self.memory.clone(), self.allocated.clone());
        (self.memory, self.allocated) = before;
        let mut second = Vec::new();
        for _ in 0..1 + self.below(2) {
            second.extend(self.statement(depth));
        }
        self.leave(known);
        if is_taken {
            (self.memory, self.allocated) = after;
        }
        vec![
            Piece::Block(format!("if ({name}) {{"), first, "}".into()),
            Piece::Block(format!("if (!{name}) {{"), second, "}".into()),
        ]
    }

    /// The end of a block: the variables after the first so many are gone.
    fn leave(&mut self, known: usize) {
        for variable in self.locals.drain(known.min(self.locals.len())..) {
            self.memory.end(variable.place.object);
        }
    }

    /// A call through a pointer to a function.
    fn call_pointer(&mut self) -> Vec<Piece> {
        let Some(pointer) = self.access(|writer, access| {
            access.of == Type::Function
                && matches!(
                    writer.value(&access.place),
                    Value::Pointer(Target::Function(_))
                )
        }) else {
            return self.travel();
        };
        let Some(to) =
            self.access(|_, access| matches!(access.of, Type::Int(int) if int != Int::Bool))
        else {
            return Vec::new();
        };
        let number = self.below(50);
        let callee = match self.chance(20) {
            true => format!("(*{})", pointer.text),
            false => pointer.postfix(),
        };
        self.set(&to.place, Value::Int);
        vec![Piece::text(format!("{} = {callee}({number});", to.text))]
    }

    /// Another member of a union.
    fn activate(&mut self) -> Vec<Piece> {
        let Some(union) = self.access(|writer, access| {
            matches!(access.of, Type::Record(number)
                if writer.types.records.get(number).is_some_and(|record| record.is_union))
        }) else {
            return self.travel();
        };
        let Type::Record(number) = union.of else {
            return Vec::new();
        };
        let Some(record) = self.types.records.get(number).cloned() else {
            return Vec::new();
        };
        let member = self.below(record.fields.len());
        let Some(field) = record.fields.get(member) else {
            return Vec::new();
        };
        if matches!(field.of, Type::Array(..)) {
            return Vec::new();
        }
        let (mut text, value) = self.initialiser(&field.of, false);
        if matches!(field.of, Type::Record(_)) {
            text = format!("({}){text}", self.spell(&field.of));
        }
        self.set(&union.place, Value::Member(member, Box::new(value)));
        vec![Piece::text(format!(
            "{}.{} = {text};",
            union.postfix(),
            field.name
        ))]
    }

    /// From a member to its structure.
    fn container(&mut self) -> Vec<Piece> {
        let Some(member) = self.access(|writer, access| {
            let mut outer = access.place.clone();
            outer.path.pop().is_some()
                && !access.is_bits
                && !matches!(access.of, Type::Array(..))
                && matches!(
                    writer.memory.type_of(&writer.types, &outer),
                    Some(Type::Record(_))
                )
        }) else {
            return Vec::new();
        };
        let mut outer = member.place.clone();
        let Some(index) = outer.path.pop() else {
            return Vec::new();
        };
        let Some(Type::Record(number)) = self.memory.type_of(&self.types, &outer) else {
            return Vec::new();
        };
        let Some(field) = self
            .types
            .records
            .get(number)
            .and_then(|record| record.fields.get(index))
            .map(|field| field.name.clone())
        else {
            return Vec::new();
        };
        let of = Type::Record(number);
        let spelled = self.spell(&of);
        let name = self.name("c");
        let pointer = match self.chance(50) {
            true => format!("(char *){}", member.address()),
            false => format!("(char *)(void *){}", member.address()),
        };
        let place = self
            .memory
            .create(of.pointer(), Value::Pointer(Target::Place(outer)));
        self.locals.push(Variable {
            name: name.clone(),
            place,
        });
        vec![Piece::text(format!(
            "{spelled} *{name} = ({spelled} *)({pointer} - __builtin_offsetof({spelled}, {field}));"
        ))]
    }

    /// What a comparison says, in an integer.
    fn compare(&mut self) -> Vec<Piece> {
        let Some(to) = self.integer() else {
            return Vec::new();
        };
        let Some(text) = self.comparison() else {
            return Vec::new();
        };
        let operator = self.word(&["=", "+=", "^="]);
        vec![Piece::text(format!("{} {operator} {text};", to.text))]
    }

    /// A comparison of pointers or bytes.
    pub fn comparison(&mut self) -> Option<String> {
        let first = self.access(|writer, access| {
            matches!(access.of, Type::Pointer(_))
                && matches!(
                    writer.value(&access.place),
                    Value::Pointer(Target::Place(_))
                )
                && writer.is_complete(&access.place)
        })?;
        if self.chance(15) {
            return Some(format!("({} != 0)", first.text));
        }
        let (text, target) = self.pointer_value(&first.of)?;
        let Value::Pointer(Target::Place(one)) = self.value(&first.place) else {
            return None;
        };
        let is_same_array = matches!(&target, Target::Place(other)
            if other.object == one.object && other.path.len() == one.path.len()
                && other.path.split_last().map(|(_, rest)| rest) == one.path.split_last().map(|(_, rest)| rest)
                && !one.path.is_empty());
        let outer = one.path.split_last().map(|(_, rest)| super::model::Place {
            object: one.object,
            path: rest.to_vec(),
        });
        let is_array = outer.is_some_and(|outer| {
            matches!(
                self.memory.type_of(&self.types, &outer),
                Some(Type::Array(..))
            )
        });
        if is_same_array && is_array && first.of != Type::Void.pointer() && self.chance(60) {
            return Some(match self.chance(50) {
                true => format!("({} < {text})", first.text),
                false => format!("({} - ({text}))", first.text),
            });
        }
        Some(format!("({} == {text})", first.text))
    }

    /// The results: integers by their own names, integers through pointers, comparisons.
    fn look(&mut self, body: &mut Vec<Piece>) {
        let mut plain: Vec<Access> = self
            .accesses()
            .into_iter()
            .filter(|access| {
                matches!(access.of, Type::Int(_)) && self.value(&access.place) == Value::Int
            })
            .collect();
        let far: Vec<Access> = plain
            .iter()
            .filter(|access| !access.through.is_empty())
            .cloned()
            .collect();
        plain.retain(|access| access.through.is_empty());
        let mut values = Vec::new();
        let most = if self.has.only_one {
            2
        } else {
            MOST_RESULTS - 3
        };
        while !plain.is_empty() && values.len() < most {
            let index = self.below(plain.len());
            values.push(plain.swap_remove(index).text);
        }
        for _ in 0..MOST_RESULTS - 3 - usize::from(self.has.only_one) * 2 {
            if self.chance(30) {
                values.extend(self.comparison());
            } else if let Some(access) = self.pick(&far) {
                values.push(access.text);
            }
        }
        for (index, value) in values.into_iter().enumerate() {
            body.push(Piece::Result(format!("r{index}"), value));
        }
    }
}
