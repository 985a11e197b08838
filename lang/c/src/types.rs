//! C types, and how a data model lays them out in memory.

use std::sync::Arc;

use crate::ir::VarId;

/// How large the types are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum DataModel {
    /// `int`, `long` and pointers have 32 bits
    Ilp32,
    /// `int` has 32 bits, `long` and pointers have 64
    #[default]
    Lp64,
}

impl DataModel {
    /// The width of pointers and of `long`, in bits.
    pub fn word(self) -> u32 {
        match self {
            DataModel::Ilp32 => 32,
            DataModel::Lp64 => 64,
        }
    }

    /// `size_t`
    pub fn size_type(self) -> IntType {
        IntType {
            bits: self.word(),
            signed: false,
        }
    }

    /// `ptrdiff_t`
    pub fn difference_type(self) -> IntType {
        IntType {
            bits: self.word(),
            signed: true,
        }
    }
}

/// A C type without qualifiers. An enumeration is the integer type that represents it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// `void`
    Void,
    /// `_Bool`
    Bool,
    /// An integer type.
    Int(IntType),
    /// A floating type.
    Float(FloatType),
    /// A pointer to an object or a function.
    Pointer(Arc<Type>),
    /// An array.
    Array(Arc<Type>, Length),
    /// A structure or union.
    Record(RecordId),
    /// A function.
    Function(Arc<FunctionType>),
}

/// An integer type. Types of the same width and signedness are not told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct IntType {
    /// 8, 16, 32, 64 or 128.
    pub bits: u32,
    /// Whether there are negative values.
    pub signed: bool,
}

/// A floating type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FloatType {
    /// `float`: IEEE binary32.
    Single,
    /// `double`: IEEE binary64.
    Double,
    /// `long double`: x87 extended precision, 12 bytes for [`DataModel::Ilp32`], 16 for
    /// [`DataModel::Lp64`].
    Extended,
    /// `__float128`: IEEE binary128.
    Quad,
}

/// The number of elements of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Length {
    /// A constant.
    Known(u64),
    /// The value of a variable of type `size_t` that is written once, before the array is declared.
    Variable(VarId),
    /// Not given: a flexible array member, or `extern int a[];`.
    Unknown,
}

/// The type of a function.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FunctionType {
    /// What it returns.
    pub result: Type,
    /// The types of its parameters, after arrays and functions became pointers.
    pub params: Vec<Type>,
    /// Whether more arguments may follow.
    pub variadic: bool,
    /// Whether the parameters are known: not so for `int f();`.
    pub prototyped: bool,
}

/// Index of a structure or union in [`crate::ir::Program::records`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RecordId(pub u32);

/// A structure or union.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// Its tag, or a made-up name.
    pub name: String,
    /// Whether it is a union.
    pub union: bool,
    /// Its members; `None` as long as it is incomplete.
    pub fields: Option<Vec<Field>>,
    /// In bytes, with the padding at the end; 0 if incomplete.
    pub size: u64,
    /// In bytes.
    pub align: u64,
}

/// A member. Members of anonymous structures and unions are reached through a field without a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// The name; empty for anonymous structures and unions.
    pub name: String,
    /// The declared type.
    pub ty: Type,
    /// Where it starts, in bytes from the start of the record; for a bit-field, the storage unit of
    /// its declared type that contains its first bit.
    pub offset: u64,
    /// For a bit-field, where it lies in that storage unit. Bit-fields may reach into the next one
    /// only where the record is packed.
    pub bits: Option<Bits>,
}

impl Field {
    /// The first byte that it lies in, from the start of the record.
    pub fn first_byte(&self) -> u64 {
        let bits = self.bits.map_or(0, |bits| bits.first / 8);
        self.offset.saturating_add(u64::from(bits))
    }
}

impl Bits {
    /// How many bytes it has bits in.
    pub fn bytes(self) -> u64 {
        u64::from((self.first % 8 + self.width.max(1)).div_ceil(8))
    }
}

/// The bits of a bit-field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Bits {
    /// The number of its lowest bit in the storage unit.
    pub first: u32,
    /// How many.
    pub width: u32,
}

impl Type {
    /// Whether a pointer to this type that is made of one to the other is a look at an object's bytes (C11 6.3.2.3p7, 6.5p7).
    pub fn shows_bytes_of(&self, object: &Type) -> bool {
        let is_character = matches!(self, Type::Int(int) if int.bits == 8);
        is_character && !matches!(object, Type::Void | Type::Function(_))
    }

    /// `int`
    pub const INT: Type = Type::Int(IntType::INT);

    /// A pointer to this type.
    pub fn pointer(self) -> Type {
        Type::Pointer(Arc::new(self))
    }

    /// What a structure for `...` is copied into: its address is passed. An array of one element, so that it is told apart from
    /// what pointers to structures point to.
    pub(crate) fn passed(&self) -> Type {
        Type::Array(Arc::new(self.clone()), Length::Known(1))
    }

    /// The structure that is [`Type::passed`] so.
    pub(crate) fn passed_structure(&self) -> Option<RecordId> {
        match self {
            Type::Array(element, Length::Known(1)) => match **element {
                Type::Record(id) => Some(id),
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether values are numbers that `switch` accepts.
    pub fn is_integer(&self) -> bool {
        matches!(self, Type::Bool | Type::Int(_))
    }

    /// Whether arithmetic is defined for it.
    pub fn is_arithmetic(&self) -> bool {
        self.is_integer() || matches!(self, Type::Float(_))
    }

    /// Whether it is a pointer.
    pub fn is_pointer(&self) -> bool {
        matches!(self, Type::Pointer(_))
    }

    /// Whether it is arithmetic or a pointer.
    pub fn is_scalar(&self) -> bool {
        self.is_arithmetic() || matches!(self, Type::Pointer(_))
    }

    /// The integer type whose values it has, if it is one; `_Bool` counts as eight bits, unsigned.
    pub fn integer(&self) -> Option<IntType> {
        match self {
            Type::Bool => Some(IntType {
                bits: 8,
                signed: false,
            }),
            Type::Int(int) => Some(*int),
            _ => None,
        }
    }
}

impl FunctionType {
    /// Of a function that is called without a declaration: `int f()`.
    pub fn unknown() -> FunctionType {
        FunctionType {
            result: Type::INT,
            params: Vec::new(),
            variadic: false,
            prototyped: false,
        }
    }
}

impl IntType {
    /// `int`
    pub const INT: IntType = IntType {
        bits: 32,
        signed: true,
    };
    /// `unsigned int`
    pub const UNSIGNED: IntType = IntType {
        bits: 32,
        signed: false,
    };
    /// `char` (signed on x86)
    pub const CHAR: IntType = IntType {
        bits: 8,
        signed: true,
    };
    /// `unsigned char`
    pub const BYTE: IntType = IntType {
        bits: 8,
        signed: false,
    };
    /// Has all values of all others.
    pub const WIDEST: IntType = IntType {
        bits: 128,
        signed: true,
    };
}

impl IntType {
    /// What the integer promotions make of it (C11 6.3.1.1).
    pub fn promoted(self) -> IntType {
        if self.bits < 32 { IntType::INT } else { self }
    }

    /// What the usual arithmetic conversions make of two promoted types (C11 6.3.1.8).
    pub fn common(self, other: IntType) -> IntType {
        match self.bits.cmp(&other.bits) {
            std::cmp::Ordering::Less => other,
            std::cmp::Ordering::Greater => self,
            std::cmp::Ordering::Equal => IntType {
                bits: self.bits,
                signed: self.signed && other.signed,
            },
        }
    }

    /// The least value.
    pub fn min(self) -> i128 {
        if self.signed {
            i128::MIN >> (128 - self.bits)
        } else {
            0
        }
    }

    /// The greatest value; of the unsigned type of 128 bits, the greatest one that an [`i128`] holds.
    pub fn max(self) -> i128 {
        match (self.signed, self.bits) {
            (true, bits) => i128::MAX >> (128 - bits),
            (false, 128) => i128::MAX,
            (false, bits) => (1 << bits) - 1,
        }
    }

    /// Whether it has this value.
    pub fn contains(self, value: i128) -> bool {
        (self.min()..=self.max()).contains(&value)
    }

    /// The value of the type that equals this one modulo 2^bits.
    pub fn wrap(self, value: i128) -> i128 {
        if self.bits >= 128 {
            return value;
        }
        let unused = 128 - self.bits;
        if self.signed {
            (value << unused) >> unused
        } else {
            value & self.max()
        }
    }
}

impl FloatType {
    /// The size in bytes.
    pub fn size(self, model: DataModel) -> u64 {
        match (self, model) {
            (FloatType::Single, _) => 4,
            (FloatType::Double, _) => 8,
            (FloatType::Extended, DataModel::Ilp32) => 12,
            (FloatType::Extended, DataModel::Lp64) | (FloatType::Quad, _) => 16,
        }
    }

    /// The type whose format has so many bits.
    pub fn of_bits(bits: u32) -> FloatType {
        let all = [FloatType::Single, FloatType::Double, FloatType::Extended];
        all.into_iter()
            .find(|float| float.format().0 + float.format().1 == bits)
            .unwrap_or(FloatType::Quad)
    }

    /// Bits of the significand (with the hidden one) and of the exponent.
    pub fn format(self) -> (u32, u32) {
        match self {
            FloatType::Single => (24, 8),
            FloatType::Double => (53, 11),
            FloatType::Extended => (64, 15),
            FloatType::Quad => (113, 15),
        }
    }
}

/// Sizes and alignments of types.
#[derive(Clone, Copy, Debug)]
pub struct Layout<'a> {
    /// The data model.
    pub model: DataModel,
    /// The structures and unions.
    pub records: &'a [Record],
}

impl Layout<'_> {
    /// The size in bytes; `None` for functions, incomplete types and arrays whose length is not a
    /// constant. `void` counts as one byte, as gcc has it.
    pub fn size(&self, ty: &Type) -> Option<u64> {
        match ty {
            Type::Void | Type::Bool => Some(1),
            Type::Int(int) => Some(u64::from(int.bits / 8)),
            Type::Float(float) => Some(float.size(self.model)),
            Type::Pointer(_) => Some(u64::from(self.model.word() / 8)),
            Type::Array(element, Length::Known(length)) => self.size(element)?.checked_mul(*length),
            Type::Array(..) => None,
            Type::Record(id) => {
                let record = self.records.get(id.0 as usize)?;
                record.fields.as_ref().map(|_| record.size)
            }
            // gcc's extension.
            Type::Function(_) => Some(1),
        }
    }

    /// The alignment in bytes. On 32-bit x86 only structures see `long long` and `double` aligned
    /// by four: that is `in_record`.
    pub fn align(&self, ty: &Type, in_record: bool) -> u64 {
        let natural = |size: u64| match self.model {
            DataModel::Ilp32 if in_record => size.min(4),
            _ => size,
        };
        match ty {
            Type::Void | Type::Bool | Type::Function(_) => 1,
            Type::Int(int) => natural(u64::from(int.bits / 8)),
            Type::Float(FloatType::Extended) if self.model == DataModel::Ilp32 => 4,
            Type::Float(float) => natural(float.size(self.model)),
            Type::Pointer(_) => u64::from(self.model.word() / 8),
            Type::Array(element, _) => self.align(element, in_record),
            Type::Record(id) => self
                .records
                .get(id.0 as usize)
                .map_or(1, |record| record.align),
        }
    }
}
