//! The types of generated programs: how they are written and aligned.

use std::fmt::Write as _;
use std::rc::Rc;

/// An integer type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Integer {
    /// `_Bool`
    Bool,
    /// `char`
    Char,
    /// `signed char`
    SignedChar,
    /// `unsigned char`
    UnsignedChar,
    /// `short`
    Short,
    /// `unsigned short`
    UnsignedShort,
    /// `int`
    Int,
    /// `unsigned`
    Unsigned,
    /// `long`
    Long,
    /// `unsigned long`
    UnsignedLong,
    /// `long long`
    LongLong,
    /// `unsigned long long`
    UnsignedLongLong,
}

impl Integer {
    /// All of them.
    pub(super) const ALL: [Integer; 12] = [
        Integer::Bool,
        Integer::Char,
        Integer::SignedChar,
        Integer::UnsignedChar,
        Integer::Short,
        Integer::UnsignedShort,
        Integer::Int,
        Integer::Unsigned,
        Integer::Long,
        Integer::UnsignedLong,
        Integer::LongLong,
        Integer::UnsignedLongLong,
    ];

    /// Its name in C.
    pub(super) fn name(self) -> &'static str {
        match self {
            Integer::Bool => "_Bool",
            Integer::Char => "char",
            Integer::SignedChar => "signed char",
            Integer::UnsignedChar => "unsigned char",
            Integer::Short => "short",
            Integer::UnsignedShort => "unsigned short",
            Integer::Int => "int",
            Integer::Unsigned => "unsigned",
            Integer::Long => "long",
            Integer::UnsignedLong => "unsigned long",
            Integer::LongLong => "long long",
            Integer::UnsignedLongLong => "unsigned long long",
        }
    }

    /// Its size in bytes where pointers have so many.
    pub(super) fn size(self, pointer: u64) -> u64 {
        match self {
            Integer::Bool | Integer::Char | Integer::SignedChar | Integer::UnsignedChar => 1,
            Integer::Short | Integer::UnsignedShort => 2,
            Integer::Int | Integer::Unsigned => 4,
            Integer::Long | Integer::UnsignedLong => pointer,
            Integer::LongLong | Integer::UnsignedLongLong => 8,
        }
    }

    /// Whether it has negative values.
    pub(super) fn is_signed(self) -> bool {
        matches!(
            self,
            Integer::Char
                | Integer::SignedChar
                | Integer::Short
                | Integer::Int
                | Integer::Long
                | Integer::LongLong
        )
    }

    /// Its smallest and largest value.
    pub(super) fn range(self, pointer: u64) -> (i128, i128) {
        let bits = 8 * self.size(pointer);
        match self {
            Integer::Bool => (0, 1),
            _ if self.is_signed() => (-(1 << (bits - 1)), (1 << (bits - 1)) - 1),
            _ => (0, (1 << bits) - 1),
        }
    }
}

/// A type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Type {
    /// An integer.
    Int(Integer),
    /// `void`, only behind a pointer.
    Void,
    /// A pointer to an object.
    Pointer(Rc<Type>),
    /// An address as a number, `uintptr_t`.
    Address,
    /// A pointer to a function, by the name `function` of its type.
    Function,
    /// A structure or union, by its number.
    Record(usize),
    /// An array.
    Array(Rc<Type>, usize),
}

impl Type {
    /// The type of pointers to it.
    pub(super) fn pointer(self) -> Type {
        Type::Pointer(Rc::new(self))
    }

    /// An array of so many of it.
    pub(super) fn array(self, length: usize) -> Type {
        Type::Array(Rc::new(self), length)
    }
}

/// A member.
#[derive(Clone, Debug)]
pub(super) struct Field {
    /// Its name.
    pub name: String,
    /// Its type.
    pub of: Type,
    /// The width, for bit-fields.
    pub bits: Option<u32>,
}

/// A structure or union.
#[derive(Clone, Debug)]
pub(super) struct Record {
    /// Its tag.
    pub tag: String,
    /// A union.
    pub is_union: bool,
    /// The last member is an array whose length is not said; objects lie in allocated memory only.
    pub is_flexible: bool,
    /// Its members.
    pub fields: Vec<Field>,
}

/// All structures and unions of a program.
#[derive(Clone, Debug, Default)]
pub(super) struct Types {
    /// By number.
    pub records: Vec<Record>,
}

impl Types {
    /// A type as it stands in casts and `sizeof`; no array.
    pub(super) fn spell(&self, of: &Type) -> String {
        self.declare(of, "").trim_end().to_owned()
    }

    /// A declaration of a name, without an end.
    pub(super) fn declare(&self, of: &Type, name: &str) -> String {
        match of {
            Type::Int(int) => format!("{} {name}", int.name()),
            Type::Void => format!("void {name}"),
            Type::Pointer(to) => self.declare(to, &format!("*{name}")),
            Type::Address => format!("uintptr_t {name}"),
            Type::Function => format!("function {name}"),
            Type::Record(number) => {
                let record = self.records.get(*number);
                let word = match record.is_some_and(|record| record.is_union) {
                    true => "union",
                    false => "struct",
                };
                format!("{word} {} {name}", record.map_or("", |record| &record.tag))
            }
            Type::Array(element, length) => self.declare(element, &format!("{name}[{length}]")),
        }
    }

    /// The definition of a structure or union.
    pub(super) fn define(&self, number: usize) -> String {
        let Some(record) = self.records.get(number) else {
            return String::new();
        };
        let mut text = format!("{}{{", self.declare(&Type::Record(number), ""));
        for (index, field) in record.fields.iter().enumerate() {
            let mut member = match &field.of {
                Type::Array(element, _)
                    if record.is_flexible && index + 1 == record.fields.len() =>
                {
                    self.declare(element, &format!("{}[]", field.name))
                }
                of => self.declare(of, &field.name),
            };
            if let Some(bits) = field.bits {
                let _ = write!(member, " : {bits}");
            }
            let _ = write!(text, " {member};");
        }
        text + " };"
    }

    /// The alignment in bytes where pointers have so many.
    pub(super) fn alignment(&self, of: &Type, pointer: u64) -> u64 {
        match of {
            Type::Int(int) => int.size(pointer),
            Type::Void => 1,
            Type::Pointer(_) | Type::Address | Type::Function => pointer,
            Type::Record(number) => self
                .records
                .get(*number)
                .into_iter()
                .flat_map(|record| &record.fields)
                .map(|field| self.alignment(&field.of, pointer))
                .max()
                .unwrap_or(1),
            Type::Array(element, _) => self.alignment(element, pointer),
        }
    }

    /// Whether pointers or addresses lie in it.
    pub(super) fn has_pointers(&self, of: &Type) -> bool {
        match of {
            Type::Int(_) | Type::Void => false,
            Type::Pointer(_) | Type::Address | Type::Function => true,
            Type::Record(number) => self.records.get(*number).is_some_and(|record| {
                record
                    .fields
                    .iter()
                    .any(|field| self.has_pointers(&field.of))
            }),
            Type::Array(element, _) => self.has_pointers(element),
        }
    }

    /// Whether it is a structure with a flexible array.
    pub(super) fn is_flexible(&self, of: &Type) -> bool {
        matches!(of, Type::Record(number)
            if self.records.get(*number).is_some_and(|record| record.is_flexible))
    }
}
