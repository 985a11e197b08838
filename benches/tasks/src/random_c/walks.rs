//! Random programs whose pointers leave the member, row or element they began in, and reach its neighbors in the same
//! object. To the standard most of that is undefined; memory is flat within an object all the same, for compilers that do not
//! optimize and for `ult` where it is asked about assertions alone.
//!
//! The types have members within members, arrays of rows, and attributes where people forget them. Some programs also
//! have sizes with side effects.

mod sizes;

use std::collections::BTreeSet;

use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

use super::program::{Piece, Program};
use super::types::Integer;

/// So many results at most, beside what is read on the way.
const MOST_RESULTS: usize = 5;

/// The types that elements have.
const ELEMENTS: [Integer; 8] = [
    Integer::Char,
    Integer::UnsignedChar,
    Integer::Short,
    Integer::UnsignedShort,
    Integer::Int,
    Integer::Unsigned,
    Integer::Long,
    Integer::LongLong,
];

/// The program with this number.
pub(super) fn program(seed: u64, is_32_bit: bool) -> Program {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    random.set_stream(3);
    let mut writer = Writer {
        random,
        pointer: if is_32_bit { 4 } else { 8 },
        records: Vec::new(),
        top: Vec::new(),
        body: Vec::new(),
        names: BTreeSet::from(["main".to_owned()]),
        objects: Vec::new(),
        written: Vec::new(),
        results: 0,
    };
    writer.types();
    writer.objects();
    for _ in 0..1 + writer.below(4) {
        writer.step();
    }
    if writer.chance(20) {
        writer.sizes();
    }
    writer.look();
    let Writer {
        mut top,
        mut body,
        names,
        ..
    } = writer;
    body.push(Piece::Claim);
    body.push(Piece::text("return 0;"));
    top.push(Piece::Block("int main(void) {".into(), body, "}".into()));
    Program {
        pieces: top,
        names,
        is_32_bit,
        ..Program::default()
    }
}

/// The type of a member.
#[derive(Clone, Debug)]
enum Shape {
    Int(Integer),
    Array(Box<Shape>, usize),
    /// By its number.
    Record(usize),
}

/// A structure or union.
#[derive(Clone, Debug)]
struct Record {
    tag: String,
    is_union: bool,
    /// It stands where it is used, and nowhere else.
    is_nested: bool,
    is_packed: bool,
    aligned: Option<u64>,
    fields: Vec<(String, Shape)>,
}

/// An object.
#[derive(Clone, Debug)]
struct Object {
    /// What comes before the name of a member.
    prefix: String,
    size: u64,
    scalars: Vec<Scalar>,
    bases: Vec<Base>,
}

/// A member or element that is a number.
#[derive(Clone, Debug)]
struct Scalar {
    path: String,
    offset: u64,
    of: Integer,
}

/// What a pointer can begin in: an array, or one number.
#[derive(Clone, Debug)]
struct Base {
    /// An expression for the pointer to its first element.
    pointer: String,
    offset: u64,
    of: Integer,
    length: u64,
    /// How often the array follows itself, as the rows of a larger one.
    is_row: bool,
    /// It may stand before `[`.
    is_array: bool,
}

struct Writer {
    random: ChaCha8Rng,
    pointer: u64,
    records: Vec<Record>,
    top: Vec<Piece>,
    body: Vec<Piece>,
    names: BTreeSet<String>,
    objects: Vec<Object>,
    /// Objects with the bytes that were written in them.
    written: Vec<(usize, u64, u64)>,
    results: usize,
}

impl Writer {
    fn below(&mut self, end: usize) -> usize {
        self.random.random_range(0..end.max(1))
    }

    fn chance(&mut self, percent: u32) -> bool {
        self.random.random_ratio(percent.min(100), 100)
    }

    fn pick<T: Clone>(&mut self, of: &[T]) -> Option<T> {
        let index = self.below(of.len());
        of.get(index).cloned()
    }

    fn element(&mut self) -> Integer {
        self.pick(&ELEMENTS).unwrap_or(Integer::Int)
    }

    /// A small number that every type has.
    fn number(&mut self) -> usize {
        1 + self.below(99)
    }

    fn result(&mut self, expression: String) {
        let name = format!("r{}", self.results);
        self.results += 1;
        self.body.push(Piece::Result(name, expression));
    }

    fn size(&self, of: &Shape) -> u64 {
        match of {
            Shape::Int(int) => int.size(self.pointer),
            Shape::Array(element, length) => self.size(element) * *length as u64,
            Shape::Record(number) => match self.records.get(*number) {
                Some(record) => {
                    let end = |(offset, shape)| offset + self.size(shape);
                    let fields = record.fields.iter().map(|(_, shape)| shape);
                    let end = self.offsets(record).into_iter().zip(fields).map(end).max();
                    end.unwrap_or(0).next_multiple_of(self.alignment(of))
                }
                None => 0,
            },
        }
    }

    fn alignment(&self, of: &Shape) -> u64 {
        match of {
            // On 32 bits, in structures too.
            Shape::Int(int) => int.size(self.pointer).min(self.pointer),
            Shape::Array(element, _) => self.alignment(element),
            Shape::Record(number) => match self.records.get(*number) {
                Some(record) => {
                    let fields = record.fields.iter();
                    let own = match record.is_packed {
                        true => 1,
                        false => fields.map(|(_, of)| self.alignment(of)).max().unwrap_or(1),
                    };
                    own.max(record.aligned.unwrap_or(1))
                }
                None => 1,
            },
        }
    }

    /// Where the members of a structure begin.
    fn offsets(&self, record: &Record) -> Vec<u64> {
        let mut end = 0_u64;
        let mut offsets = Vec::new();
        for (_, of) in &record.fields {
            let alignment = match record.is_packed {
                true => 1,
                false => self.alignment(of),
            };
            let offset = match record.is_union {
                true => 0,
                false => end.next_multiple_of(alignment),
            };
            end = offset + self.size(of);
            offsets.push(offset);
        }
        offsets
    }

    /// One or two structures, the second one with the first one in it.
    fn types(&mut self) {
        let count = 1 + self.below(2);
        let is_uniform = self.chance(50);
        let element = self.element();
        for number in 0..count {
            let is_last = number + 1 == count;
            let mut fields = Vec::new();
            let length = 2 + self.below(3);
            let holds = self.below(length);
            for index in 0..length {
                let int = match is_uniform {
                    true => element,
                    false => self.element(),
                };
                let mut of = match self.below(10) {
                    0..=3 => Shape::Int(int),
                    4 => Shape::Array(Box::new(Shape::Int(Integer::Char)), 2 + self.below(7)),
                    5 | 6 => {
                        let row = Shape::Array(Box::new(Shape::Int(int)), 1 + self.below(3));
                        Shape::Array(Box::new(row), 2)
                    }
                    _ => Shape::Array(Box::new(Shape::Int(int)), 1 + self.below(4)),
                };
                if number == 1 && index == holds {
                    of = match self.chance(50) {
                        true => Shape::Record(0),
                        false => Shape::Array(Box::new(Shape::Record(0)), 2),
                    };
                }
                fields.push((format!("m{number}{index}"), of));
            }
            let has_attribute = self.chance(25);
            let is_packed = has_attribute && self.chance(60);
            let aligned = match has_attribute && (!is_packed || self.chance(30)) {
                true => self.pick(&[2, 4, 8, 16]),
                false => None,
            };
            let record = Record {
                tag: format!("s{number}"),
                is_union: !is_last && self.chance(15),
                is_nested: !is_last && self.chance(50),
                is_packed,
                aligned,
                fields,
            };
            self.records.push(record);
        }
        for number in 0..count {
            let Some(record) = self.records.get(number) else {
                continue;
            };
            self.names.insert(record.tag.clone());
            if !record.is_nested {
                let text = self.definition(number) + ";";
                self.top.push(Piece::Text(text));
            }
        }
    }

    /// The definition of a structure without `;`.
    fn definition(&self, number: usize) -> String {
        let Some(record) = self.records.get(number) else {
            return String::new();
        };
        let word = if record.is_union { "union" } else { "struct" };
        let members: String = (record.fields.iter())
            .map(|(name, of)| format!(" {};", self.declare(of, name)))
            .collect();
        let mut attributes = Vec::new();
        if record.is_packed {
            attributes.push("packed".to_owned());
        }
        attributes.extend(record.aligned.map(|to| format!("aligned({to})")));
        let attributes = match attributes.is_empty() {
            true => String::new(),
            false => format!(" __attribute__(({}))", attributes.join(", ")),
        };
        format!("{word} {} {{{members} }}{attributes}", record.tag)
    }

    fn declare(&self, of: &Shape, name: &str) -> String {
        match of {
            Shape::Int(int) => format!("{} {name}", int.name()),
            Shape::Array(element, length) => self.declare(element, &format!("{name}[{length}]")),
            Shape::Record(number) => match self.records.get(*number) {
                Some(record) if record.is_nested => {
                    format!("{} {name}", self.definition(*number))
                }
                Some(record) if record.is_union => format!("union {} {name}", record.tag),
                Some(record) => format!("struct {} {name}", record.tag),
                None => String::new(),
            },
        }
    }

    /// One or two objects of the largest type: global, local, or allocated. All bytes are zero, those between members too.
    fn objects(&mut self) {
        let shape = Shape::Record(self.records.len() - 1);
        let size = self.size(&shape);
        for number in 0..1 + self.below(2) {
            let name = format!("o{number}");
            let prefix = match self.below(3) {
                0 => {
                    let text = format!("static {};", self.declare(&shape, &name));
                    self.top.push(Piece::Text(text));
                    self.names.insert(name.clone());
                    format!("{name}.")
                }
                1 => {
                    let text = format!("{};", self.declare(&shape, &name));
                    let zero = format!("memset(&{name}, 0, sizeof {name});");
                    self.body.push(Piece::Text(format!("{text} {zero}")));
                    format!("{name}.")
                }
                _ => {
                    let text = self.declare(&shape, &format!("*{name}"));
                    let text = format!("{text} = calloc(1, sizeof *{name});");
                    self.body
                        .push(Piece::Text(format!("{text} if (!{name}) return 0;")));
                    format!("{name}->")
                }
            };
            let mut object = Object {
                prefix: prefix.clone(),
                size,
                scalars: Vec::new(),
                bases: Vec::new(),
            };
            self.parts(&shape, &prefix, 0, false, &mut object);
            self.objects.push(object);
        }
        // What is there before something is written over it.
        for _ in 0..self.below(4) {
            if let Some((_, scalar)) = self.scalar() {
                let value = self.number();
                let text = format!("{} = {value};", scalar.path);
                self.body.push(Piece::Text(text));
            }
        }
    }

    /// All numbers and arrays of an object.
    fn parts(&self, of: &Shape, path: &str, offset: u64, is_row: bool, object: &mut Object) {
        match of {
            Shape::Int(int) => {
                object.scalars.push(Scalar {
                    path: path.to_owned(),
                    offset,
                    of: *int,
                });
                if !path.ends_with(']') {
                    object.bases.push(Base {
                        pointer: format!("&{path}"),
                        offset,
                        of: *int,
                        length: 1,
                        is_row: false,
                        is_array: false,
                    });
                }
            }
            Shape::Array(element, length) => {
                if let Shape::Int(int) = **element {
                    object.bases.push(Base {
                        pointer: path.to_owned(),
                        offset,
                        of: int,
                        length: *length as u64,
                        is_row,
                        is_array: true,
                    });
                }
                let size = self.size(element);
                for index in 0..*length as u64 {
                    let path = format!("{path}[{index}]");
                    self.parts(element, &path, offset + index * size, true, object);
                }
            }
            Shape::Record(number) => {
                let Some(record) = self.records.get(*number) else {
                    return;
                };
                let path = match path.ends_with('.') || path.ends_with("->") {
                    true => path.to_owned(),
                    false => format!("{path}."),
                };
                for (at, (name, of)) in self.offsets(record).into_iter().zip(&record.fields) {
                    self.parts(of, &format!("{path}{name}"), offset + at, false, object);
                }
            }
        }
    }

    fn scalar(&mut self) -> Option<(usize, Scalar)> {
        let number = self.below(self.objects.len());
        let scalars = self.objects.get(number)?.scalars.clone();
        Some((number, self.pick(&scalars)?))
    }

    /// A base, the number of its object, and the elements from it that lie in the object.
    fn base(&mut self) -> Option<(usize, Base, std::ops::Range<i64>)> {
        let number = self.below(self.objects.len());
        let object = self.objects.get(number)?.clone();
        let base = self.pick(&object.bases)?;
        let size = base.of.size(self.pointer);
        let before = i64::try_from(base.offset / size).ok()?;
        let after = i64::try_from((object.size - base.offset) / size).ok()?;
        Some((number, base, -before..after))
    }

    /// An index that lies in the object, and most often not in the array.
    fn index(&mut self, base: &Base, range: &std::ops::Range<i64>) -> i64 {
        let length = i64::try_from(base.length).unwrap_or(1);
        let outside: Vec<i64> = (range.clone())
            .filter(|index| !(0..length).contains(index))
            .collect();
        match self.chance(85) {
            true => self.pick(&outside),
            false => None,
        }
        .unwrap_or_else(|| i64::try_from(self.below(base.length as usize)).unwrap_or(0))
    }

    /// A function of this name and type, once.
    fn function(&mut self, name: &str, of: Integer, text: &str) -> String {
        let name = format!("{name}_{}", of.name().replace(' ', "_"));
        if self.names.insert(name.clone()) {
            let text = text.replace("NAME", &name).replace("TYPE", of.name());
            self.top.push(Piece::Text(text));
        }
        name
    }

    fn variable(&mut self) -> String {
        let name = format!("v{}", self.names.len());
        self.names.insert(name.clone());
        name
    }

    fn wrote(&mut self, object: usize, base: &Base, first: i64, last: i64) {
        let size = base.of.size(self.pointer);
        let at = |index: i64| base.offset.wrapping_add_signed(index * size as i64);
        self.written.push((object, at(first), at(last) + size));
    }

    /// Something is written, or read, from where a pointer came to.
    fn step(&mut self) {
        let Some((object, base, range)) = self.base() else {
            return;
        };
        let index = self.index(&base, &range);
        let value = self.number();
        let Base { pointer, of, .. } = base.clone();
        let element = of.name();
        let name = self.variable();
        let text = match self.below(16) {
            0 if base.is_array => format!("{pointer}[{index}] = {value};"),
            0 | 1 => format!("{element} *{name} = {pointer}; {name}[{index}] = {value};"),
            2 => {
                let from = self.below(base.length as usize);
                let rest = index - i64::try_from(from).unwrap_or(0);
                format!(
                    "{element} *{name} = {pointer} + {from}; {name} += {rest}; *{name} = {value};"
                )
            }
            3 | 4 => {
                let put = "static void NAME(TYPE *p, int k, TYPE v) { p[k] = v; }";
                let put = self.function("put", of, put);
                format!("{put}({pointer}, {index}, {value});")
            }
            5 | 6 => {
                // From the first element to this one.
                let count = index.max(0) + 1;
                self.wrote(object, &base, 0, count - 1);
                let fill = "static void NAME(TYPE *p, int n, TYPE v) { for (int i = 0; i < n; i++) p[i] = v + i % 7; }";
                match self.chance(50) {
                    true => {
                        let fill = self.function("fill", of, fill);
                        format!("{fill}({pointer}, {count}, {value});")
                    }
                    false => format!(
                        "{element} *{name} = {pointer}; for (int i = 0; i < {count}; i++) *{name}++ = i + {value};"
                    ),
                }
            }
            7 => {
                let Some(bytes) = self.bytes(object, &base) else {
                    return;
                };
                self.written
                    .push((object, base.offset, base.offset + bytes));
                format!("memset({pointer}, {value}, {bytes});")
            }
            8 => {
                let Some(bytes) = self.bytes(object, &base) else {
                    return;
                };
                let count = (bytes as usize).min(12);
                let letters: String = (0..count.saturating_sub(1))
                    .map(|at| char::from(b'A' + u8::try_from(at % 26).unwrap_or(0)))
                    .collect();
                self.written
                    .push((object, base.offset, base.offset + count as u64));
                match self.chance(60) {
                    true => format!("strcpy((char *)({pointer}), \"{letters}\");"),
                    false => format!("memcpy({pointer}, \"{letters}\", {count});"),
                }
            }
            9 => {
                // From one object to another one.
                let Some((other, source, _)) = self.base() else {
                    return;
                };
                let Some(most) = self.bytes(object, &base) else {
                    return;
                };
                let Some(there) = self.bytes(other, &source) else {
                    return;
                };
                let bytes = most.min(there);
                self.written
                    .push((object, base.offset, base.offset + bytes));
                format!("memmove({pointer}, {}, {bytes});", source.pointer)
            }
            10 => {
                // With another type.
                let other = self.element();
                let size = other.size(self.pointer);
                let end = self.objects.get(object).map_or(0, |object| object.size);
                let Some(slots) = end.checked_sub(size).map(|room| room + 1) else {
                    return;
                };
                let mut at = self.below(slots as usize) as u64;
                if self.chance(80) {
                    at -= at % size;
                }
                self.written.push((object, at, at + size));
                let distance = at as i64 - base.offset as i64;
                format!(
                    "*({} *)((char *)({pointer}) + {distance}) = {value};",
                    other.name()
                )
            }
            11 if base.is_row => {
                let length = base.length;
                format!(
                    "{element} (*{name})[{length}] = ({element} (*)[{length}])({pointer}); {name}[0][{index}] = {value};"
                )
            }
            11 | 12 => {
                let get = "static TYPE NAME(TYPE *p, int k) { return p[k]; }";
                let get = self.function("get", of, get);
                self.result(format!("{get}({pointer}, {index})"));
                return;
            }
            13 if of == Integer::Char => {
                self.result(format!("(long long)strlen({pointer})"));
                return;
            }
            13 => {
                let end = self.objects.get(object).map_or(1, |object| object.size);
                let distance = self.below(end as usize) as i64 - base.offset as i64;
                self.result(format!("((unsigned char *)({pointer}))[{distance}]"));
                return;
            }
            14 => {
                self.result(format!("*({pointer} + {index})"));
                return;
            }
            _ => {
                // How far a pointer gets, and whether it is where the other one is.
                let Some((_, scalar)) = self.scalar() else {
                    return;
                };
                let there = format!("(char *)&{}", scalar.path);
                self.result(format!("{there} == (char *)({pointer} + {index})"));
                return;
            }
        };
        self.wrote(object, &base, index, index);
        self.body.push(Piece::Text(text));
    }

    /// A number of bytes from the beginning of an array that lie in its object.
    fn bytes(&mut self, object: usize, base: &Base) -> Option<u64> {
        let room = self.objects.get(object)?.size - base.offset;
        Some(1 + self.below(usize::try_from(room).ok()?) as u64)
    }

    /// Sizes, and what is in the members, those that were written over first.
    fn look(&mut self) {
        if self.chance(30) {
            let object = self.objects.first().map(|object| object.prefix.clone());
            let object = object.unwrap_or_default();
            let whole = match object.strip_suffix("->") {
                Some(pointer) => format!("*{pointer}"),
                None => object.trim_end_matches('.').to_owned(),
            };
            self.result(format!("(long long)sizeof({whole})"));
            let tag = self.records.last().map(|record| record.tag.clone());
            let tag = tag.unwrap_or_default();
            self.result(format!("(long long)__alignof__(struct {tag})"));
        }
        let mut seen = Vec::new();
        for (number, from, to) in self.written.clone() {
            let scalars = self.objects.get(number).map(|object| &object.scalars);
            seen.extend(scalars.into_iter().flatten().filter_map(|scalar| {
                let end = scalar.offset + scalar.of.size(self.pointer);
                (scalar.offset < to && from < end).then(|| scalar.path.clone())
            }));
        }
        for _ in 0..2 {
            seen.extend(self.scalar().map(|(_, scalar)| scalar.path));
        }
        seen.sort();
        seen.dedup();
        for _ in 0..MOST_RESULTS.min(seen.len()) {
            let index = self.below(seen.len());
            let path = seen.swap_remove(index);
            self.result(path);
        }
    }
}
