//! Values that a program leaves open.

use std::collections::VecDeque;
use std::rc::Rc;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One as _, ToPrimitive as _};
use ult_lang::hir::{Datatype, RoundingMode, Type};

use crate::float::Format;
use crate::map::{Base, Map};
use crate::ops::{WIDEST, mask};
use crate::trouble::{Result, Trouble};
use crate::value::{Data, Value};

/// Where values come from that a program leaves open.
#[derive(Clone, Debug, Default)]
pub struct Choices {
    /// Values of inputs, in order, before all others.
    pub inputs: Vec<BigInt>,
    /// Random values from this seed on; without it, zeroes where they are allowed.
    pub seed: Option<u64>,
}

/// Chooses values.
#[derive(Debug)]
pub(crate) struct Chooser<'p> {
    inputs: VecDeque<BigInt>,
    random: Option<Random>,
    datatypes: &'p [Datatype],
}

/// A sequence of numbers that look random (SplitMix64).
#[derive(Clone, Debug)]
pub(crate) struct Random(u64);

impl Random {
    /// The sequence from a seed on.
    pub(crate) fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// The next number.
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below `limit`, which is not 0.
    pub(crate) fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }

    fn bits(&mut self) -> u128 {
        u128::from(self.next()) << 64 | u128::from(self.next())
    }

    /// An integer; small ones are more likely.
    fn int(&mut self) -> i128 {
        let (range, low) = match self.below(8) {
            0..=3 => (21, -10),
            4..=5 => (2001, -1000),
            6 => (1 << 32, -(1 << 31)),
            _ => return i128::from(self.next().cast_signed() >> self.below(64)),
        };
        i128::from(self.below(range)) + low
    }
}

/// Nesting of types that is followed.
const DEPTH: usize = 20;

impl<'p> Chooser<'p> {
    /// Choices for a program with these datatypes.
    pub(crate) fn new(choices: &Choices, datatypes: &'p [Datatype]) -> Self {
        Chooser {
            inputs: choices.inputs.iter().cloned().collect(),
            random: choices.seed.map(Random::new),
            datatypes,
        }
    }

    /// Whether values are random.
    pub(crate) fn is_random(&self) -> bool {
        self.random.is_some()
    }

    /// A source of random numbers, also where values are not random.
    pub(crate) fn dice(&mut self, fallback: u64) -> Random {
        match &mut self.random {
            Some(random) => Random(random.next()),
            None => Random(fallback),
        }
    }

    /// The next input as a value of a type; `None` if there is none, or the type is none of numbers or truth values.
    pub(crate) fn input(&mut self, ty: &Type) -> Option<Value> {
        if !matches!(
            ty,
            Type::Int | Type::Bool | Type::BitVec(..=WIDEST) | Type::Real
        ) {
            return None;
        }
        let number = self.inputs.pop_front()?;
        Some(match ty {
            Type::Bool => Value::Bool(number != BigInt::ZERO),
            Type::BitVec(width) => {
                let modulus = BigInt::one() << *width;
                let rest = ((number % &modulus) + &modulus) % &modulus;
                Value::Bits(rest.to_u128().unwrap_or_default())
            }
            Type::Real => Value::Real(Rc::new(BigRational::from_integer(number))),
            _ => Value::int(number),
        })
    }

    /// The next input as a choice between so many ways.
    pub(crate) fn input_way(&mut self, ways: usize) -> Option<usize> {
        let number = self.inputs.pop_front()?;
        Some(number.to_usize().unwrap_or(0).min(ways - 1))
    }

    /// One of so many ways.
    pub(crate) fn way(&mut self, ways: usize) -> usize {
        match &mut self.random {
            Some(random) => usize::try_from(random.below(ways as u64)).unwrap_or(0),
            None => 0,
        }
    }

    /// Any value of a type.
    ///
    /// # Errors
    /// If the type's values are not covered.
    pub(crate) fn any(&mut self, ty: &Rc<Type>) -> Result<Value> {
        let datatypes = self.datatypes;
        any(ty, self.random.as_mut(), datatypes, DEPTH)
    }

    /// Any value of a type, the same for the same number.
    ///
    /// # Errors
    /// If the type's values are not covered.
    pub(crate) fn determined(&self, ty: &Rc<Type>, number: u64) -> Result<Value> {
        let mut random = Random(number);
        any(ty, Some(&mut random), self.datatypes, DEPTH)
    }
}

/// Any value of a type: random, or zero.
fn any(
    ty: &Rc<Type>,
    mut random: Option<&mut Random>,
    datatypes: &[Datatype],
    depth: usize,
) -> Result<Value> {
    let limit = || Trouble::new("values of a type that is nested this deeply");
    let depth = depth.checked_sub(1).ok_or_else(limit)?;
    Ok(match &**ty {
        Type::Bool => Value::Bool(random.is_some_and(|random| random.below(2) == 1)),
        Type::Int => Value::Int(random.map_or(0, Random::int)),
        Type::Real => {
            let (top, bottom) = match random {
                Some(random) => (random.int(), i128::from(random.below(4)) + 1),
                None => (0, 1),
            };
            Value::Real(Rc::new(BigRational::new(top.into(), bottom.into())))
        }
        Type::BitVec(width @ ..=WIDEST) => Value::Bits(match random {
            Some(random) => {
                let bits = match random.below(2) {
                    0 => random.int().cast_unsigned(),
                    _ => random.bits(),
                };
                mask(bits, *width)
            }
            None => 0,
        }),
        Type::BitVec(_) => return Err(Trouble::new("bit-vectors of more than 128 bits")),
        Type::Float { .. } => {
            let Some(format) = Format::of(ty) else {
                return Err(Trouble::new(
                    "floats that are neither of single nor of double precision",
                ));
            };
            let bits = random.map_or(0, Random::bits);
            let width = if format == Format::Single { 32 } else { 64 };
            crate::float::literal(mask(bits, width), format)
        }
        Type::String => Value::Text("".into()),
        Type::RoundingMode => Value::Rounding(RoundingMode::NearestTiesToEven),
        Type::Regex => return Err(Trouble::new("values of type `regex`")),
        Type::Constructor(..) => Value::Element(random.map_or(0, |random| random.below(4))),
        Type::Map(map) if map.type_params.is_empty() => {
            let range = Rc::new(map.range.clone());
            match random {
                Some(random) => Map::over(Base::Chosen(random.next(), range)),
                None => Map::constant(any(&range, None, datatypes, depth)?),
            }
        }
        Type::Map(_) => return Err(Trouble::new("a polymorphic map")),
        Type::Datatype(id, args) => {
            let Some(datatype) = datatypes.get(id.index()) else {
                return Err(Trouble::new("a datatype that is not declared"));
            };
            if !args.is_empty() {
                return Err(Trouble::new("values of a polymorphic datatype"));
            }
            // Those that do not lead back to the datatype come first.
            let mut order: Vec<usize> = (0..datatype.constructors.len()).collect();
            if let Some(random) = random.as_deref_mut()
                && !order.is_empty()
            {
                let by = usize::try_from(random.below(order.len() as u64)).unwrap_or(0);
                order.rotate_left(by);
            }
            order.sort_by_key(|constructor| {
                datatype.constructors[*constructor].fields.iter().any(|field| {
                    matches!(&datatype.fields[*field].ty, Type::Datatype(inner, _) if inner == id)
                })
            });
            let Some(&constructor) = order.first() else {
                return Err(Trouble::new("values of a datatype without constructors"));
            };
            let mut fields = Vec::new();
            for field in &datatype.constructors[constructor].fields {
                let ty = Rc::new(datatype.fields[*field].ty.clone());
                fields.push(any(&ty, random.as_deref_mut(), datatypes, depth)?);
            }
            Value::Data(Rc::new(Data {
                constructor,
                fields,
            }))
        }
        Type::Var(_) | Type::Error => return Err(Trouble::new("values of any type")),
    })
}
