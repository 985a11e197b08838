//! Random programs about memory: pointers travel from object to object in many ways, are written through, and what
//! they point to is looked at by its own name.

use rand::SeedableRng as _;
use rand_chacha::ChaCha8Rng;

use super::model::{Memory, Target, Value, zero};
use super::program::{Piece, Program};
use super::types::{Field, Integer, Record, Type, Types};
use super::writer::{Access, Features, Variable, Writer};

/// The program with this number.
pub(super) fn program(seed: u64, is_32_bit: bool) -> Program {
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
        favourite: Integer::Int,
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
                Integer::Char,
                Integer::Short,
                Integer::Long,
                Integer::UnsignedChar,
                Integer::Unsigned,
            ])
            .unwrap_or(Integer::Int);
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
        // Functions with variables of their own: what they get pointers to may have the same names.
        if self.chance(30) {
            self.has.statements.extend([19, 25, 25]);
        }
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
                0..=3 => Type::Int(self.pick(&Integer::ALL).unwrap_or(Integer::Int)),
                5..=7 => favourite.clone().pointer(),
                8 | 9 => Type::Record(number).pointer(),
                10 | 19 if self.has.void => Type::Void.pointer(),
                11 if self.has.numbers => Type::Address,
                11 | 12 if self.has.functions => Type::Function,
                13 => favourite.clone().array(2 + index % 2),
                14 => favourite.clone().pointer().array(2),
                15 if number > 0 && !self.types.is_flexible(&Type::Record(0)) => Type::Record(0),
                16 => Type::Int(Integer::Char).array(3 + index),
                17 => favourite.clone().pointer().pointer(),
                4 | 18 if !is_union && self.has.bits => {
                    bits = Some(1 + u32::try_from(self.below(12)).unwrap_or(3));
                    match self.chance(50) {
                        true => Type::Int(Integer::Int),
                        false => Type::Int(Integer::Unsigned),
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
    pub(super) fn statement(&mut self, depth: usize) -> Vec<Piece> {
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
        let is_set = self.value(&to.place) == Value::Integer;
        let is_bool = to.of == Type::Int(Integer::Bool);
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
        self.set(&to.place, Value::Integer);
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
                    self.set(&place, Value::Integer);
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
            self.access(|_, access| matches!(access.of, Type::Int(int) if int != Integer::Bool))
        else {
            return Vec::new();
        };
        let number = self.below(50);
        let callee = match self.chance(20) {
            true => format!("(*{})", pointer.text),
            false => pointer.postfix(),
        };
        self.set(&to.place, Value::Integer);
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
}
