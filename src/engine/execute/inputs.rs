//! Values for what a program leaves open.

use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::ToPrimitive as _;
use ult_core::formula::{ConstructValue, Float, Format, Mode, Op, Sort, Terms, Value};
use ult_core::graph::ProgramGraph;

use super::value::{Map, Val};

/// A generator of pseudo-random numbers and values (splitmix64).
#[derive(Clone, Debug)]
pub(super) struct Random {
    state: u64,
    interesting: Rc<[i64]>,
    /// Whether values are the simplest ones instead.
    is_plain: bool,
}

/// More constants of a program than these are not tried.
const MOST_CONSTANTS: usize = 200;

/// Numbers to try: those near zero, and the constants of the program with their neighbours.
pub(super) fn interesting(terms: &Terms, graph: &ProgramGraph) -> Rc<[i64]> {
    let formulas: Vec<_> = graph
        .graph
        .edge_weights()
        .map(|edge| edge.transition.formula)
        .chain(graph.axioms.iter().copied())
        .collect();
    let mut constants = BTreeSet::new();
    for term in terms.post_order(&formulas) {
        let constant = match terms.op(term) {
            Op::Int(value) => value.to_i64(),
            Op::Real(value) => value.to_integer().to_i64(),
            Op::BitVec(value) => value.to_i64(),
            _ => None,
        };
        constants.extend(
            constant
                .into_iter()
                .take(MOST_CONSTANTS - constants.len().min(MOST_CONSTANTS)),
        );
    }
    let mut all: BTreeSet<i64> = (-2..=4).collect();
    for constant in constants {
        let around = [
            constant.checked_sub(1),
            Some(constant),
            constant.checked_add(1),
        ];
        all.extend(around.into_iter().flatten());
    }
    all.into_iter().collect()
}

impl Random {
    /// A generator whose numbers depend on the seed alone.
    pub(super) fn new(seed: u64, interesting: Rc<[i64]>, is_plain: bool) -> Random {
        Random {
            state: seed.wrapping_mul(0x2545_f491_4f6c_dd1d),
            interesting,
            is_plain,
        }
    }

    /// The next number.
    pub(super) fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Whether values are the simplest ones.
    pub(super) fn is_plain(&self) -> bool {
        self.is_plain
    }

    /// From now on, values are not the simplest ones.
    pub(super) fn choose_freely(&mut self) {
        self.is_plain = false;
    }

    /// A number below `n`, which is not zero.
    pub(super) fn below(&mut self, n: usize) -> usize {
        usize::try_from(self.next() % (n as u64).max(1)).unwrap_or(0)
    }

    /// Another generator.
    fn fork(&mut self) -> Random {
        Random {
            state: self.next(),
            ..self.clone()
        }
    }

    /// A value of a sort; `None` if there is none that could be written down.
    pub(super) fn value(&mut self, sort: &Sort) -> Option<Val> {
        if self.is_plain {
            return Val::of(&Value::any_of(sort)?, sort);
        }
        Some(match sort {
            Sort::Bool => Val::Bool(self.next() & 1 == 1),
            Sort::Int => Val::int(self.number()),
            Sort::BitVec(width) if *width <= 64 => {
                let bits = self.bits();
                Val::Bits(bits & mask(*width))
            }
            Sort::Map(map) => {
                if map.domain.iter().any(Sort::has_maps) {
                    return Val::of(&Value::any_of(sort)?, sort);
                }
                Val::Map(Rc::new(Map::open(map.clone(), self.fork())))
            }
            _ => Val::Other(Rc::new(self.other(sort)?)),
        })
    }

    /// As [`Random::value`], but not always the simplest one.
    pub(super) fn any(&mut self, sort: &Sort) -> Option<Val> {
        let is_plain = std::mem::replace(&mut self.is_plain, false);
        let value = self.value(sort);
        self.is_plain = is_plain;
        value
    }

    /// A value between two limits, if there are any.
    pub(super) fn between(&mut self, low: Option<&BigInt>, high: Option<&BigInt>) -> BigInt {
        let near = |random: &mut Random| BigInt::from(random.below(5));
        match (low, high) {
            (Some(low), Some(high)) if low <= high => {
                if self.is_plain {
                    let zero = BigInt::default();
                    return zero.clamp(low.clone(), high.clone());
                }
                let width: BigInt = high - low + 1;
                match self.below(4) {
                    0 => (low + near(self)).min(high.clone()),
                    1 => (high - near(self)).max(low.clone()),
                    2 => {
                        let number = self.number();
                        number.clamp(low.clone(), high.clone())
                    }
                    _ => low + BigInt::from(self.next()) % width,
                }
            }
            (Some(low), _) => match (self.is_plain, self.below(2)) {
                (true, _) => low.clone().max(BigInt::default()),
                (_, 0) => low + near(self),
                _ => self.number().max(low.clone()),
            },
            (None, Some(high)) => match (self.is_plain, self.below(2)) {
                (true, _) => high.clone().min(BigInt::default()),
                (_, 0) => high - near(self),
                _ => self.number().min(high.clone()),
            },
            (None, None) if self.is_plain => BigInt::default(),
            (None, None) => self.number(),
        }
    }

    fn number(&mut self) -> BigInt {
        match self.below(8) {
            0..3 => {
                let at = self.below(self.interesting.len());
                self.interesting.get(at).copied().unwrap_or(0).into()
            }
            3 => {
                let at = self.below(self.interesting.len());
                let low = self.interesting.get(at).copied().unwrap_or(0);
                let high = self.interesting.get(at + 1).copied().unwrap_or(low);
                BigInt::from(low) + BigInt::from(self.next()) % (BigInt::from(high) - low + 1)
            }
            4 => i64::try_from(self.below(20)).unwrap_or(0).into(),
            5 => self.power().into(),
            6 => (self.next() & 0xffff).into(),
            _ => i32::from_ne_bytes((self.next() as u32).to_ne_bytes()).into(),
        }
    }

    /// A power of two or a neighbour of one, of either sign.
    fn power(&mut self) -> i64 {
        let power = 1i64 << self.below(33);
        let number = power + [-1, 0, 1][self.below(3)];
        if self.next() & 1 == 1 {
            -number
        } else {
            number
        }
    }

    fn bits(&mut self) -> u64 {
        let small = self.number().to_i64().unwrap_or(0);
        match self.below(4) {
            0 => self.next(),
            _ => u64::from_ne_bytes(small.to_ne_bytes()),
        }
    }

    fn other(&mut self, sort: &Sort) -> Option<Value> {
        Some(match sort {
            Sort::Real => {
                let denominator = [1, 1, 2, 10][self.below(4)];
                Value::Real(BigRational::new(self.number(), denominator.into()))
            }
            Sort::Float(exponent, significand) => {
                let format = Format::new(*exponent, *significand)?;
                let number = BigRational::new(self.number(), [1, 1, 2, 10][self.below(4)].into());
                Value::Float(Float::from_rational(&number, Mode::NearestEven, format))
            }
            Sort::BitVec(width) => {
                let value = BigInt::from(self.bits()).to_biguint()?;
                Value::BitVec(value % (num_bigint::BigUint::from(1u32) << *width), *width)
            }
            Sort::Uninterpreted(name) => {
                Value::Element(name.clone(), u32::try_from(self.below(4)).unwrap_or(0))
            }
            Sort::Datatype(datatype) => {
                let number = u32::try_from(self.below(datatype.constructors().len())).ok()?;
                let constructor = datatype.constructor(number)?;
                // What contains itself ends somewhere.
                let is_recursive = datatype.is_recursive();
                let fields: Option<Vec<Value>> = constructor
                    .sorts()
                    .map(
                        |sort| match sort.has_maps() || is_recursive && self.below(2) == 0 {
                            true => Value::any_of(&sort),
                            false => self.value(&sort)?.to_value(&sort),
                        },
                    )
                    .collect();
                Value::Construct(Arc::new(ConstructValue {
                    constructor: number,
                    name: constructor.name().clone(),
                    fields: fields?,
                }))
            }
            _ => Value::any_of(sort)?,
        })
    }
}

/// All bits of a width of at most 64.
pub(super) fn mask(width: u32) -> u64 {
    match width {
        0 => 0,
        width => u64::MAX >> (64 - width.min(64)),
    }
}
