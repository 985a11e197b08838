//! The sorts of terms.

use std::collections::HashSet;
use std::fmt;
use std::sync::Arc;

use num_bigint::BigUint;
use num_traits::ToPrimitive as _;

/// The sort of a term.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Sort {
    /// Truth values.
    Bool,
    /// Mathematical integers.
    Int,
    /// Mathematical reals.
    Real,
    /// Bit-vectors of the given width in bits. A width of 0 is allowed by Boogie, not by solvers.
    BitVec(u32),
    /// IEEE floating point with the given exponent and significand widths (hidden bit included).
    Float(u32, u32),
    /// The rounding modes of IEEE floating point.
    RoundingMode,
    /// Total maps, extensional.
    Map(Arc<MapSort>),
    /// Finite sequences of elements of a sort, as in SMT-LIB's theory of sequences. Solvers know them; there are no
    /// values of them here, so nothing about them is evaluated.
    Seq(Arc<Sort>),
    /// SMT-LIB's strings; as [`Sort::Seq`] without values.
    String,
    /// Regular languages of strings; as [`Sort::Seq`] without values.
    RegEx,
    /// Values made by constructors; see [`DatatypeSort`].
    Datatype(DatatypeSort),
    /// An uninterpreted sort. The name is the whole name, type arguments included.
    Uninterpreted(Arc<str>),
}

/// Argument and result sorts of a map.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct MapSort {
    /// One sort per index; never empty.
    pub domain: Vec<Sort>,
    /// The sort of the elements.
    pub range: Sort,
}

/// A datatype: each value is made by exactly one of the constructors, from exactly one list of fields. Datatypes that are declared
/// together are a family, and may contain values of each other and of themselves; each has values of finite size.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DatatypeSort {
    family: Arc<Vec<DatatypeDeclaration>>,
    member: u32,
}

/// One of the datatypes of a family.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DatatypeDeclaration {
    /// The name, unique among the sorts of one program, type arguments included.
    pub name: Arc<str>,
    /// At least one.
    pub constructors: Vec<ConstructorSort>,
}

/// A constructor of a datatype.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ConstructorSort {
    /// The name, unique within the datatype.
    pub name: Arc<str>,
    /// Names and sorts of the fields, in order.
    pub fields: Vec<(Arc<str>, FieldSort)>,
}

/// The sort of a field, as it is declared.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FieldSort {
    /// A sort that was there before.
    Sort(Sort),
    /// A datatype of the family, by number.
    Member(u32),
}

impl From<Sort> for FieldSort {
    fn from(sort: Sort) -> FieldSort {
        FieldSort::Sort(sort)
    }
}

/// A constructor of a datatype, with the sorts of its fields.
#[derive(Clone, Copy, Debug)]
pub struct Constructor<'a> {
    datatype: &'a DatatypeSort,
    declared: &'a ConstructorSort,
}

impl<'a> Constructor<'a> {
    /// The name.
    pub fn name(self) -> &'a Arc<str> {
        &self.declared.name
    }

    /// Names and sorts of the fields.
    pub fn fields(self) -> impl ExactSizeIterator<Item = (&'a Arc<str>, Sort)> {
        let fields = self.declared.fields.iter();
        fields.map(move |(name, sort)| (name, self.datatype.sort(sort)))
    }

    /// The sorts of the fields.
    pub fn sorts(self) -> impl ExactSizeIterator<Item = Sort> {
        self.fields().map(|(_, sort)| sort)
    }
}

impl DatatypeSort {
    /// The datatypes that are declared together. `None` if a field's number is that of no member, or if a member has no values of
    /// finite size.
    pub fn family(declared: Vec<DatatypeDeclaration>) -> Option<Vec<DatatypeSort>> {
        let family = Arc::new(declared);
        let is_member = |sort: &FieldSort| match sort {
            FieldSort::Sort(_) => true,
            FieldSort::Member(number) => (*number as usize) < family.len(),
        };
        let constructors = family.iter().flat_map(|member| &member.constructors);
        let mut fields = constructors.flat_map(|constructor| &constructor.fields);
        let members: Vec<DatatypeSort> = (0..)
            .zip(family.iter())
            .map(|(member, _)| DatatypeSort {
                family: family.clone(),
                member,
            })
            .collect();
        let fits = fields.all(|(_, sort)| is_member(sort))
            && members.iter().all(|member| member.lowest().is_some());
        fits.then_some(members)
    }

    fn declared(&self) -> &DatatypeDeclaration {
        &self.family[self.member as usize]
    }

    /// All datatypes that are declared with it, and its number among them.
    pub fn members(&self) -> (&[DatatypeDeclaration], u32) {
        (&self.family, self.member)
    }

    /// The sorts of all datatypes that are declared with it, in their order.
    pub fn family_sorts(&self) -> impl Iterator<Item = Sort> {
        (0..)
            .zip(self.family.iter())
            .map(|(member, _)| self.sort(&FieldSort::Member(member)))
    }

    /// The name, unique among the sorts of one program, type arguments included.
    pub fn name(&self) -> &Arc<str> {
        &self.declared().name
    }

    /// The constructors; at least one.
    pub fn constructors(&self) -> impl ExactSizeIterator<Item = Constructor<'_>> {
        let constructors = self.declared().constructors.iter();
        constructors.map(|declared| Constructor {
            datatype: self,
            declared,
        })
    }

    /// The constructor with this number.
    pub fn constructor(&self, number: u32) -> Option<Constructor<'_>> {
        self.constructors().nth(number as usize)
    }

    /// The sort of a field; `None` if there is none with these numbers.
    pub fn field(&self, constructor: u32, field: u32) -> Option<Sort> {
        self.constructor(constructor)?.sorts().nth(field as usize)
    }

    fn sort(&self, declared: &FieldSort) -> Sort {
        match declared {
            FieldSort::Sort(sort) => sort.clone(),
            FieldSort::Member(member) => Sort::Datatype(DatatypeSort {
                family: self.family.clone(),
                member: *member,
            }),
        }
    }

    /// Whether its values may contain others of it.
    pub fn is_recursive(&self) -> bool {
        let mut seen = vec![false; self.family.len()];
        let mut open = vec![self.member];
        while let Some(member) = open.pop() {
            let constructors = self.family[member as usize].constructors.iter();
            for (_, sort) in constructors.flat_map(|constructor| &constructor.fields) {
                match sort {
                    FieldSort::Member(inner) if *inner == self.member => return true,
                    FieldSort::Member(inner) if !seen[*inner as usize] => {
                        seen[*inner as usize] = true;
                        open.push(*inner);
                    }
                    FieldSort::Member(_) | FieldSort::Sort(_) => {}
                }
            }
        }
        false
    }

    /// The first constructor that makes a value of the least height. The values of its fields are lower.
    pub fn lowest(&self) -> Option<u32> {
        let mut heights: Vec<Option<usize>> = vec![None; self.family.len()];
        let height = |heights: &[Option<usize>], constructor: &ConstructorSort| {
            let mut members = constructor
                .fields
                .iter()
                .filter_map(|(_, sort)| match sort {
                    FieldSort::Member(member) => Some(heights[*member as usize]),
                    FieldSort::Sort(_) => None,
                });
            members.try_fold(0, |height, inner| Some(height.max(inner? + 1)))
        };
        // In each round, those are found that are one higher.
        for _ in 0..self.family.len() {
            let before = heights.clone();
            for (member, known) in self.family.iter().zip(&mut heights) {
                let found = member.constructors.iter();
                let found = found
                    .filter_map(|constructor| height(&before, constructor))
                    .min();
                *known = known.or(found);
            }
        }
        let constructors = self.declared().constructors.iter();
        let all = (0..).zip(constructors.map(|constructor| height(&heights, constructor)));
        let all = all.filter_map(|(number, height)| Some((height?, number)));
        all.min().map(|(_, number)| number)
    }
}

impl Sort {
    /// A datatype that is declared alone, and does not contain itself.
    pub fn datatype(name: impl Into<Arc<str>>, constructors: Vec<ConstructorSort>) -> Sort {
        let name = name.into();
        let declared = DatatypeDeclaration { name, constructors };
        Sort::Datatype(DatatypeSort {
            family: Arc::new(vec![declared]),
            member: 0,
        })
    }

    /// The sort and all sorts that it is made of, each before its parts. A datatype is opened once.
    pub fn parts(&self) -> impl Iterator<Item = Sort> {
        let mut waiting = vec![self.clone()];
        let mut opened: HashSet<Arc<str>> = HashSet::new();
        std::iter::from_fn(move || {
            let sort = waiting.pop()?;
            match &sort {
                Sort::Map(map) => {
                    waiting.push(map.range.clone());
                    waiting.extend(map.domain.iter().rev().cloned());
                }
                Sort::Seq(element) => waiting.push(Sort::clone(element)),
                Sort::Datatype(datatype) if opened.insert(datatype.name().clone()) => {
                    waiting.extend(datatype.constructors().flat_map(Constructor::sorts));
                }
                Sort::Datatype(_)
                | Sort::Bool
                | Sort::Int
                | Sort::Real
                | Sort::BitVec(_)
                | Sort::Float(..)
                | Sort::RoundingMode
                | Sort::String
                | Sort::RegEx
                | Sort::Uninterpreted(_) => {}
            }
            Some(sort)
        })
    }

    /// Whether it has no parts: most sorts are asked about often.
    fn is_simple(&self) -> bool {
        !matches!(self, Sort::Map(_) | Sort::Seq(_) | Sort::Datatype(_))
    }

    /// Whether values of the sort are maps or contain some: one such value can be written in
    /// several ways.
    pub fn has_maps(&self) -> bool {
        !self.is_simple() && self.parts().any(|part| matches!(part, Sort::Map(_)))
    }

    /// Whether values of the sort are or contain maps whose indices are or contain maps: one index
    /// can then be written in several ways.
    pub fn is_indexed_by_maps(&self) -> bool {
        let is_indexed = |part: Sort| match part {
            Sort::Map(map) => map.domain.iter().any(Sort::has_maps),
            _ => false,
        };
        !self.is_simple() && self.parts().any(is_indexed)
    }

    /// Whether floating-point numbers, or their rounding modes, are among its values or parts of them.
    pub fn has_floats(&self) -> bool {
        self.parts()
            .any(|part| matches!(part, Sort::Float(..) | Sort::RoundingMode))
    }

    /// Whether sequences, strings or regular languages are among its values or parts of them.
    pub fn has_sequences(&self) -> bool {
        self.parts()
            .any(|part| matches!(part, Sort::Seq(_) | Sort::String | Sort::RegEx))
    }

    /// The sort of maps from `domain` to `range`.
    pub fn map(domain: Vec<Sort>, range: Sort) -> Sort {
        Sort::Map(Arc::new(MapSort { domain, range }))
    }

    /// The number of values, where it is finite and known. A number of maps is known up to [`MOST_BITS`].
    pub fn cardinality(&self) -> Option<BigUint> {
        match self {
            Sort::Bool => Some(BigUint::from(2u32)),
            Sort::BitVec(width) => Some(BigUint::from(1u32) << *width),
            // Of the patterns of bits with the largest exponent, two are infinite, and all others are one value.
            Sort::Float(exponent, significand) => {
                let exponents = (BigUint::from(1u32) << *exponent) - 1u32;
                Some((exponents << *significand) + 3u32)
            }
            Sort::Map(map) => {
                let range = map.range.cardinality()?;
                // Whatever the indices are.
                if range == BigUint::from(1u32) {
                    return Some(range);
                }
                let sizes = map.domain.iter().map(Sort::cardinality);
                power(range, &sizes.product::<Option<BigUint>>()?)
            }
            Sort::RoundingMode => Some(BigUint::from(5u32)),
            // The values get larger and larger.
            Sort::Datatype(datatype) if datatype.is_recursive() => None,
            Sort::Datatype(datatype) => {
                let size = |constructor: Constructor<'_>| {
                    let sizes = constructor.sorts().map(|sort| sort.cardinality());
                    sizes.product::<Option<BigUint>>()
                };
                datatype.constructors().map(size).sum()
            }
            Sort::Int
            | Sort::Real
            | Sort::Seq(_)
            | Sort::String
            | Sort::RegEx
            | Sort::Uninterpreted(_) => None,
        }
    }

    /// Whether the arithmetic operators apply.
    pub fn is_arithmetic(&self) -> bool {
        matches!(self, Sort::Int | Sort::Real)
    }
}

/// Nobody writes down as many maps as there are with more bits than this.
const MOST_BITS: u64 = 1 << 10;

/// A power, if it has few bits.
fn power(base: BigUint, exponent: &BigUint) -> Option<BigUint> {
    let bits = exponent.to_u64()?.checked_mul(base.bits())?;
    let exponent = exponent.to_u32()?;
    (bits <= MOST_BITS).then(|| base.pow(exponent))
}

impl fmt::Display for Sort {
    /// Boogie's notation.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Sort::Bool => f.write_str("bool"),
            Sort::Int => f.write_str("int"),
            Sort::Real => f.write_str("real"),
            Sort::BitVec(width) => write!(f, "bv{width}"),
            Sort::Float(exponent, significand) => write!(f, "float{significand}e{exponent}"),
            Sort::RoundingMode => f.write_str("rmode"),
            Sort::Map(map) => {
                f.write_str("[")?;
                for (i, sort) in map.domain.iter().enumerate() {
                    if i > 0 {
                        f.write_str(", ")?;
                    }
                    write!(f, "{sort}")?;
                }
                write!(f, "]{}", map.range)
            }
            Sort::Seq(element) => match **element {
                Sort::Seq(_) => write!(f, "Seq ({element})"),
                _ => write!(f, "Seq {element}"),
            },
            Sort::String => f.write_str("string"),
            Sort::RegEx => f.write_str("regex"),
            Sort::Datatype(datatype) => f.write_str(datatype.name()),
            Sort::Uninterpreted(name) => f.write_str(name),
        }
    }
}
