//! The arguments of `main` (C11 5.1.2.2.1): an array of strings, with a null pointer after the last one.
//!
//! The array and its first strings are objects that are not the program's, with bounds that are known. Their numbers come
//! after those of the standard streams. Where pointers from elsewhere might be mistaken for them, or the program looks at
//! them in another way than as characters one by one, nothing is known of their bounds, as of other objects from outside.

use super::Encoder;
use super::body::{Body, Pointer, Value};
use super::definite_initialization::Copied;
use super::kept::is_standard;
use super::located::Located;
use super::number::Number;
use super::reach::Reach;
use crate::alias::{Class, Content, Kind, Object, Target};
use crate::functions::{self, Meaning};
use crate::ir::{CompareOp, Function, Initial, Storage, VarId};
use crate::types::{IntType, Type};
use ult_lang::build::Term;

/// Of how many arguments of the program it is said that they are strings.
const ARGUMENTS: u64 = 4;

/// How many objects the arguments are.
pub(super) const OBJECTS: u64 = 1 + ARGUMENTS;

/// The arguments of a program where their bounds are known.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arguments {
    /// Where the pointers to the strings are.
    vector: Target,
    /// Where the strings are.
    text: Target,
    /// The number of the array, which is above those of the strings.
    array: i64,
}

impl Arguments {
    /// The number of a string.
    fn string(&self, index: u64) -> i64 {
        self.array - 1 - index as i64
    }

    /// Whether the number of an object is one of theirs.
    pub(super) fn contain(&self, base: &Term) -> Term {
        let last = Term::int(self.string(ARGUMENTS - 1));
        let array = Term::int(self.array);
        last.at_most(base).and(&base.at_most(&array))
    }
}

impl Encoder<'_> {
    /// The arguments, if their bounds are known.
    pub(super) fn known_arguments(&mut self, reach: &Reach) -> Option<Arguments> {
        let program = self.program;
        let [count, strings] = program.function(reach.main?).params[..] else {
            return None;
        };
        let ty = crate::alias::pointed(&program.variable(strings).ty);
        let is_character =
            matches!(&ty, Type::Pointer(to) if to.integer().is_some_and(|int| int.bits == 8));
        let is_number = program.variable(count).ty.integer().is_some();
        if !self.tracks_memory() || !is_number || !is_character || self.has_other_pointers(reach) {
            return None;
        }
        let object = self.memory.object(strings);
        let vector = self.memory.pointee(object);
        let text = self.memory.pointee(vector);
        let word = u64::from(program.model.word() / 8);
        let known = self.is_array_of(vector, word, true) && self.is_array_of(text, 1, false);
        known.then(|| Arguments {
            vector,
            text,
            array: self.number_behind_streams(),
        })
    }

    /// Whether pointers may come from elsewhere, and it is not known what they point to.
    fn has_other_pointers(&self, reach: &Reach) -> bool {
        let program = self.program;
        let is_given = |id: &VarId| {
            let variable = program.variable(*id);
            let Storage::Static { initial, .. } = &variable.storage else {
                return false;
            };
            matches!(initial, Initial::Unknown) && !is_standard(&variable.name)
        };
        let is_open = |function: &Function| match functions::of(function) {
            Some(Meaning::Arbitrary) => function.name != functions::ANY_STRING,
            None => function.body.is_none(),
            _ => false,
        };
        let mut functions = reach.functions.iter().map(|&id| program.function(id));
        reach.variables.iter().any(is_given)
            || functions.any(|function| is_open(function) && self.has_pointers(&function.ty.result))
    }

    /// Whether a target stands for all elements of such a size in objects that are not the program's, each by itself. For
    /// characters that does not matter if the program never looks at them.
    fn is_array_of(&self, target: Target, size: u64, pointers: bool) -> bool {
        let Some(region) = self.memory.region(target) else {
            return !pointers;
        };
        let fits = match self.memory.regions()[region.0 as usize].content {
            Content::Scalar { kind, bits, .. } => {
                bits == 8 * size && (kind == Kind::Pointer) == pointers
            }
            Content::Bytes { .. } => !pointers,
        };
        let alone = self.regions_of(target).len() == 1;
        let is_each = |class: &Class| match class {
            // What lies at several places, each by itself, is not one string.
            Class::One(only) => only % size == 0 && (pointers || alone),
            Class::Every { first, stride } => first % size == 0 && *stride == size,
        };
        let classes = self.memory.classes(target, Object::External);
        fits && !classes.is_empty() && classes.iter().all(is_each)
    }
}

impl Body<'_, '_> {
    /// What the parameters of `main` get. `terms` are their values. Of what the program does not look at, there is nothing to
    /// say: it would have the same place as what it does look at.
    pub(super) fn begin_arguments(&mut self, params: &[VarId], terms: &[Term]) {
        let ([count, strings, ..], [number, base, offset, ..]) = (params, terms) else {
            return;
        };
        let program = self.enc.program;
        let Some(ty) = program.variable(*count).ty.integer() else {
            return;
        };
        let string = crate::alias::pointed(&program.variable(*strings).ty);
        if !string.is_pointer() {
            return;
        }
        let target = self.enc.memory.object(*strings);
        let target = self.enc.memory.pointee(target);
        // Nobody looks at them.
        if self.enc.memory.region(target).is_none() {
            return;
        }
        let at = Located::Memory {
            target,
            pointer: Pointer {
                base: base.clone(),
                offset: offset.clone(),
            },
        };
        let size = u64::from(program.model.word() / 8);
        let number = Number::new(number.clone(), ty);
        let end = at.element(self, &number, size);
        self.begin_array(&number, &end, size);
        let (last, seen) = (self.read(&end, &string, None), self.is_looked_at(&end));
        if let Value::Pointer(last) = last {
            let null = self.is_null(&last);
            self.assume(&seen.implies(&null));
        }
        for index in 0..ARGUMENTS {
            let known = self.begin_string(index);
            let position = self.constant(&index.into(), ty);
            let exists = self.compare_numbers(CompareOp::Less, &position, &number);
            let one = at.element(self, &position, size);
            let (pointer, seen) = (self.read(&one, &string, None), self.is_looked_at(&one));
            let Value::Pointer(pointer) = pointer else {
                continue;
            };
            let is_string = match known {
                Some(object) => {
                    let start = pointer.offset.equals(&self.offset(0));
                    pointer.base.equals(&object).and(&start)
                }
                None => self.is_null(&pointer).not(),
            };
            self.assume(&seen.and(&exists).implies(&is_string));
        }
        let few = self.constant(&ARGUMENTS.into(), ty);
        let more = self.compare_numbers(CompareOp::Greater, &number, &few);
        self.approximated(&more, "many arguments of the program", |_| {});
    }

    /// The array begins, which has one element more than there are arguments. It fits into memory.
    fn begin_array(&mut self, number: &Number, end: &Located, size: u64) {
        let (Some(arguments), Located::Memory { pointer, .. }) = (self.enc.arguments, end) else {
            return;
        };
        let most = (1u64 << (self.enc.program.model.word() - 2)) / size;
        let wide = IntType::WIDEST;
        let (most, count) = (
            self.constant(&most.into(), wide),
            self.converted(number, wide),
        );
        let fits = self.compare_numbers(CompareOp::Less, &count, &most);
        let object = Term::int(arguments.array);
        let is_array = pointer.base.equals(&object);
        self.assume(&fits.and(&is_array));
        let one = self.index(1);
        if let Located::Memory { pointer, .. } = end.element(self, &one, size) {
            self.begin(&object, &pointer.offset);
        }
        self.set_object_written(arguments.vector, &object, &Copied::All(true));
    }

    /// One of the strings begins: any characters, the last of which is zero.
    fn begin_string(&mut self, index: u64) -> Option<Term> {
        let arguments = self.enc.arguments?;
        let object = Term::int(arguments.string(index));
        let ty = self.word_type();
        let length = self.temporary(self.enc.word_sort());
        self.out.havoc(&length);
        let length = Number::new(length, ty);
        let zero = self.constant(&0.into(), ty);
        let most = self.constant(&(1u64 << (ty.bits - 2)).into(), ty);
        let low = self.compare_numbers(CompareOp::LessEqual, &zero, &length);
        let high = self.compare_numbers(CompareOp::Less, &length, &most);
        self.assume(&low.and(&high));
        let start = Located::Memory {
            target: arguments.text,
            pointer: Pointer {
                base: object.clone(),
                offset: self.offset(0),
            },
        };
        let one = self.index(1);
        let last = start.element(self, &length, 1);
        if let Located::Memory { pointer, .. } = last.element(self, &one, 1) {
            self.begin(&object, &pointer.offset);
        }
        self.set_object_written(arguments.text, &object, &Copied::All(true));
        if self.enc.memory.region(arguments.text).is_some()
            && let Value::Number(character) = self.read(&last, &Type::Int(IntType::BYTE), None)
        {
            let zero = self.constant(&0.into(), character.ty);
            let is_zero = self.compare_numbers(CompareOp::Equal, &character, &zero);
            let seen = self.is_looked_at(&last);
            self.assume(&seen.implies(&is_zero));
        }
        Some(object)
    }

    /// Whether a place in an object that is not the program's is one that its target stands for.
    fn is_looked_at(&mut self, at: &Located) -> Term {
        let Located::Memory { target, pointer } = at else {
            return Term::truth(false);
        };
        let mut seen = Term::truth(false);
        for class in self.enc.memory.classes(*target, Object::External) {
            seen = seen.or(&self.is_in_class(class, &pointer.offset));
        }
        seen
    }
}
