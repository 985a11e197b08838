//! From the typed program to Boogie.
//!
//! | file | idea |
//! |---|---|
//! | [`body`] | a procedure body under construction |
//! | `address` | pointers as numbers, and numbers as pointers |
//! | `assumptions` | what is assumed of a program, in words |
//! | `bytes` | scalars that are kept as bytes |
//! | `claims` | what the analysis of pointers says, as assertions |
//! | [`overapprox`] | translations in which memory contains anything |
//! | `copies` | whole objects that are copied or become zero |
//! | `ends` | how functions end |
//! | `kept` | what the library remembers: equal answers to equal arguments, streams |
//! | `moves` | `memcpy`, `memmove` and `memset` of a constant number of bytes |
//! | [`number`] | integers |
//! | [`operations`] | quotients, shifts and operations on bits |
//! | [`float`] | floating-point numbers |
//! | [`math`], `transcendental` | the functions of math.h and fenv.h |
//! | `observed` | of which answers more matters than their sign |
//! | [`place`] | reading and writing objects |
//! | [`value`] | expressions |
//! | [`statement`] | statements |
//! | `errno` | errors of the library |
//! | [`elements`] | parts of objects as C names them |
//! | [`library`] | calls of functions known by their names |
//! | `safety` | memory safety |
//! | `unknown` | functions without a body |
//! | [`variadic`] | arguments for `...` |
//! | `definite_initialization` | reads of what was not written |
//! | [`start`] | the start of the program |

mod address;
mod arguments;
mod assumptions;
pub mod body;
mod bytes;
mod claims;
mod copies;
mod definite_initialization;
pub mod elements;
mod ends;
mod errno;
pub mod float;
mod kept;
pub mod library;
mod located;
mod locks;
pub mod math;
mod moves;
pub mod names;
pub mod number;
mod observed;
mod opaque_pointers;
pub mod operations;
pub mod overapprox;
mod padding;
mod passing;
pub mod place;
pub(crate) mod reach;
mod safety;
pub mod start;
pub mod statement;
mod transcendental;
mod unknown;
pub mod value;
pub mod variadic;

pub use assumptions::UNCHECKED;

use std::collections::{BTreeMap, BTreeSet};

use ult_lang::build::{BodyBuilder, Misfit, ProgramBuilder, Term, Variable};
use ult_lang::hir::{ProcedureId, Type as Sort};

use crate::alias::{Content, Memory, RegionId, Shape, Target, verify};
use crate::functions::{self, is_error_function};
use crate::ir::{FunctionId, Initial, Program, Storage, VarId};
use crate::options::{IntegerEncoding, Options, Overapprox};
use crate::translation::Translation;
use crate::types::{Layout, Type};
use crate::undefined::Undefined;
use body::{Body, parts};
use names::Names;

/// The global variable with the number of the next new object.
pub const NEXT_OBJECT: &str = "next~object";

/// The procedure where runs start.
pub const START: &str = "ULTIMATE.start";

/// What all bodies share.
pub struct Encoder<'p> {
    /// The program.
    pub program: &'p Program,
    /// How it is read.
    pub options: &'p Options,
    /// Whether the translation is an over-approximation, see [`overapprox`].
    pub overapprox: bool,
    /// Whether something is not covered.
    pub has_gaps: bool,
    /// Whether it is claimed somewhere that an access does not leave its array.
    pub has_claims: bool,
    /// Where objects are.
    pub memory: Memory<'p>,
    /// Whether integers are bit-vectors.
    pub bits: bool,
    /// Whether the program changes the rounding mode of floating-point numbers.
    pub rounding: bool,
    /// Whether pointers may be made of integers other than 0.
    pub numeric_pointers: bool,
    /// Whether pointers are made of integers that are no constants.
    pub makes_pointers: bool,
    /// Whether addresses of objects may become numbers.
    pub exposes: bool,
    /// Whether objects may become larger.
    pub grows: bool,
    /// Whether memory may be freed.
    pub frees: bool,
    /// Whether comparisons of pointers rely on [`address::APART`].
    pub apart: bool,
    /// Functions without a body that were called.
    pub unknown: Unknown,
    /// Known functions whose results point to what is not the program's.
    pub outside: BTreeSet<String>,
    /// Variables that are defined elsewhere and may contain pointers.
    pub outside_variables: BTreeSet<String>,
    /// The arguments of the program, where their bounds are known.
    arguments: Option<arguments::Arguments>,
    /// Pointer variables of which only the number matters.
    opaque_pointers: BTreeSet<VarId>,
    /// Whether a format that is no literal may be one that writes.
    pub made_formats: bool,
    /// Whether one of them was given a pointer that leads to the heap: it may keep that.
    pub gives_away: bool,
    /// Whether variables in memory may live again under the same number.
    pub reborn: bool,
    /// Whether volatile objects are used.
    pub volatile: bool,
    /// The names of variables that other files define.
    pub foreign: Vec<String>,
    /// The functions whose results are used.
    results: ends::Used,
    /// Whether something is allocated that is lost when `main` returns, unless it is freed.
    pub allocates_locally: bool,
    /// The functions `__ult_same_NAME` of which more matters than the sign, once somebody asked.
    observed: Option<BTreeSet<String>>,
    /// Which kinds of undefined behaviour were excluded, by [`body::Undefined`].
    pub assumed: BTreeSet<Undefined>,
    names: Names,
    pub(crate) objects: BTreeMap<VarId, u64>,
    /// The program that is built.
    out: ProgramBuilder,
    procedures: BTreeMap<FunctionId, ProcedureId>,
    nothing: Target,
}

/// Functions without a body that are called, and whether they return pointers.
pub type Unknown = BTreeMap<String, bool>;

/// The Boogie program of a C program.
///
/// # Errors
/// A mistake of the translator.
pub fn encode(program: &Program, options: &Options) -> Result<Translation, Misfit> {
    let reach = reach::Reach::of(program, &options.properties);
    let recursive = reach.recursive.clone();
    let mut memory = Memory::analyse(program, &reach.functions, recursive, options.members);
    let missed = verify::missed(program, &reach.functions, &memory);
    let overapprox =
        options.overapprox == Overapprox::Only && !options.properties.are_about_memory();
    let bits = match options.integers {
        IntegerEncoding::Bits => true,
        IntegerEncoding::Math => false,
        IntegerEncoding::Auto => {
            let needs = reach::needs_bits(program, &reach);
            memory.has_bytes_of_floats() || needs.floats || needs.operations && !overapprox
        }
    };
    let rounding = math::changes_rounding(reach.functions.iter().map(|&id| program.function(id)));
    let nothing = memory.nothing();
    let bytes_of_pointers = memory.has_bytes_of_pointers();
    if overapprox {
        memory.forget_contents();
    }
    let conversions = reach::conversions(program);
    let results = ends::used(reach.functions.iter().map(|&id| program.function(id)));
    let mut encoder = Encoder {
        program,
        options,
        overapprox,
        has_gaps: false,
        has_claims: false,
        names: Names::new(program, &memory),
        memory,
        bits,
        rounding,
        numeric_pointers: bytes_of_pointers || conversions.numeric,
        exposes: bytes_of_pointers || conversions.exposes,
        makes_pointers: conversions.makes_pointers,
        grows: functions::some_grow(reach.functions.iter().map(|&id| program.function(id))),
        frees: functions::some_free(reach.functions.iter().map(|&id| program.function(id))),
        apart: false,
        unknown: Unknown::new(),
        outside: BTreeSet::new(),
        outside_variables: BTreeSet::new(),
        arguments: None,
        opaque_pointers: opaque_pointers::opaque_pointers(program),
        made_formats: false,
        gives_away: false,
        reborn: false,
        volatile: program
            .volatile
            .iter()
            .any(|id| reach.functions.contains(id)),
        foreign: foreign(program, &reach),
        results,
        allocates_locally: false,
        observed: None,
        assumed: BTreeSet::new(),
        objects: BTreeMap::new(),
        out: ProgramBuilder::default(),
        procedures: BTreeMap::new(),
        nothing,
    };
    encoder.number_objects(&reach);
    encoder.arguments = encoder.known_arguments(&reach);
    encoder.declare_globals(&reach);
    if let Some(missed) = missed.first() {
        start::refuse(&mut encoder, missed);
        return encoder.translation();
    }
    let defined: Vec<FunctionId> = reach
        .functions
        .iter()
        .copied()
        .filter(|&id| {
            let function = program.function(id);
            function.body.is_some() && !library::is_special(function, &options.properties)
        })
        .collect();
    for &id in &defined {
        encoder.declare_procedure(id);
    }
    for &id in &defined {
        encoder.procedure(id);
    }
    start::start(&mut encoder, &reach);
    encoder.translation()
}

/// What the analysis of pointers misses in a program; nothing, unless it has a mistake.
pub fn missed(program: &Program, options: &Options) -> Vec<verify::Missed> {
    let reach = reach::Reach::of(program, &options.properties);
    let recursive = reach.recursive.clone();
    let memory = Memory::analyse(program, &reach.functions, recursive, options.members);
    verify::missed(program, &reach.functions, &memory)
}

/// The names of variables that are declared only. What the C library's streams are does not matter.
fn foreign(program: &Program, reach: &reach::Reach) -> Vec<String> {
    let variables = reach.variables.iter().map(|&id| program.variable(id));
    let declared = variables.filter(|variable| {
        matches!(
            variable.storage,
            Storage::Static {
                initial: Initial::Unknown,
                ..
            }
        )
    });
    let mut names: Vec<String> = declared
        .map(|variable| variable.name.clone())
        .filter(|name| !kept::is_standard(name))
        .collect();
    names.sort();
    names.dedup();
    names
}

impl<'p> Encoder<'p> {
    fn translation(self) -> Result<Translation, Misfit> {
        let assumptions = self.assumptions();
        let elements = elements::elements(self.program, &self.memory, &self.names);
        Ok(Translation {
            program: names::distinct(self.out.finish()?)?,
            diagnostics: Vec::new(),
            assumptions,
            unknown_functions: self.unknown.into_keys().collect(),
            elements,
            has_claims: self.has_claims,
            has_gaps: self.has_gaps && !self.options.properties.are_about_memory(),
        })
    }

    /// Sizes and alignments.
    pub fn layout(&self) -> Layout<'p> {
        Layout {
            model: self.program.model,
            records: &self.program.records,
        }
    }

    /// The members of a structure or union.
    pub fn fields(&self, id: crate::types::RecordId) -> &'p [crate::types::Field] {
        self.program
            .record(id)
            .fields
            .as_deref()
            .unwrap_or_default()
    }

    /// The Boogie type of integers of so many bits.
    pub fn int_sort(&self, bits: u32) -> Sort {
        match self.bits {
            true => Sort::BitVec(bits),
            false => Sort::Int,
        }
    }

    /// The Boogie type of offsets.
    pub fn word_sort(&self) -> Sort {
        self.int_sort(self.program.model.word())
    }

    /// The Boogie type of a region's map to values of a type: objects first, each with its own offsets, so that all of an
    /// object is one element.
    pub fn region_sort(&self, shape: Shape, sort: Sort) -> Sort {
        let by_offset = |sort| Sort::map(vec![self.word_sort()], sort);
        let by_object = |sort| Sort::map(vec![Sort::Int], sort);
        match shape {
            Shape::One => sort,
            Shape::ByOffset => by_offset(sort),
            Shape::ByObject => by_object(sort),
            Shape::Both => by_object(by_offset(sort)),
        }
    }

    /// A map (of maps, of this type) all of whose elements have one value; the value itself if the type is no map's.
    pub fn constant_map(&mut self, sort: &Sort, value: &Term) -> Term {
        let Sort::Map(map) = sort else {
            return value.clone();
        };
        let element = self.constant_map(&map.range, value);
        let name = format!("all~{}", sort_name(sort));
        self.solver_function(&name, ("builtin", "MapConst"), &[&element], sort)
    }

    /// The zero of a type that is no map's.
    pub fn zero(&self, sort: &Sort) -> Term {
        match sort {
            Sort::BitVec(width) => Term::bit_vector(&0.into(), *width),
            Sort::Float {
                significand,
                exponent,
            } => {
                let zero = num_rational::BigRational::from_integer(0.into());
                Term::float(&zero, *significand, *exponent)
                    .unwrap_or_else(|| Term::misfit("a format without zero"))
            }
            _ => Term::int(0),
        }
    }

    /// The application of a function that the solver knows: how it is named here, by which attribute, and how there.
    pub fn solver_function(
        &mut self,
        name: &str,
        builtin: (&str, &str),
        arguments: &[&Term],
        result: &Sort,
    ) -> Term {
        let params: Vec<Sort> = arguments.iter().map(|a| a.ty().clone()).collect();
        self.out.solver_function(name, builtin, &params, result);
        self.out.apply(name, arguments)
    }

    /// A global variable.
    pub fn global(&self, name: &str) -> Term {
        let known = self.out.find_global(name);
        known.unwrap_or_else(|| Term::misfit(format!("the variable `{name}` is not declared")))
    }

    /// Whether there is such a global variable.
    pub fn has_global(&self, name: &str) -> bool {
        self.out.find_global(name).is_some()
    }

    /// Declares a global variable that is needed.
    pub fn declare_global(&mut self, name: &str, sort: &Sort) -> Term {
        self.out.global(name, sort)
    }

    /// The procedure of a function.
    pub fn procedure_of(&self, id: FunctionId) -> Option<ProcedureId> {
        self.procedures.get(&id).copied()
    }

    /// A target that nothing else is known about.
    pub fn nothing(&self) -> Target {
        self.nothing
    }

    /// Whether objects on the heap have to be tracked.
    pub fn tracks_memory(&self) -> bool {
        let properties = &self.options.properties;
        properties.dereference || properties.free || properties.track || properties.cleanup
    }

    /// Whether a failing assertion is a violation: if that is asked for, or if calls of error
    /// functions are and there are none.
    pub fn checks_assertions(&self) -> bool {
        let properties = &self.options.properties;
        properties.assertions
            || properties.error_calls
                && !self
                    .program
                    .functions
                    .iter()
                    .any(|function| is_error_function(&function.name))
    }

    /// The Boogie name of a variable (or the start of the names of its parts).
    pub fn variable_name(&self, id: VarId) -> String {
        self.names.variable(id)
    }

    /// The Boogie name of a procedure.
    pub fn function_name(&self, id: FunctionId) -> String {
        self.names.function(id)
    }

    /// The Boogie name of a region (or the start of the names of its parts).
    pub fn region_name(&self, id: RegionId) -> String {
        self.names.region(id)
    }

    /// The number of the object of a variable in memory.
    /// `None` for one of which several may exist at a time: then a variable of the procedure has it.
    pub fn object(&self, id: VarId) -> Option<Term> {
        self.objects.get(&id).map(|&number| Term::int(number))
    }

    /// The number of a function as what a pointer points to.
    pub fn function_object(&self, id: FunctionId) -> Term {
        Term::int(-i64::from(id.0) - 1)
    }

    /// Whether it is a union that may contain pointers.
    pub fn is_mixed(&self, id: crate::types::RecordId) -> bool {
        fn has_pointer(enc: &Encoder<'_>, ty: &Type) -> bool {
            match ty {
                Type::Pointer(_) => true,
                Type::Array(element, _) => has_pointer(enc, element),
                Type::Record(id) => {
                    let mut fields = enc.fields(*id).iter();
                    fields.any(|field| has_pointer(enc, &field.ty))
                }
                _ => false,
            }
        }
        self.program.record(id).union && has_pointer(self, &Type::Record(id))
    }

    /// The Boogie variables of an object of some type: their names begin with `name`.
    pub fn leaves(&self, name: &str, ty: &Type, dimensions: usize, leaves: &mut Vec<Variable>) {
        match ty {
            Type::Void => {}
            Type::Record(id) if dimensions == 0 && self.is_mixed(*id) => {
                let maps = bytes::parts(self, true).into_iter();
                leaves.extend(maps.map(|(suffix, sort)| Variable {
                    name: format!("{name}{suffix}"),
                    ty: Sort::map(vec![self.word_sort()], sort),
                }));
            }
            Type::Record(id) => {
                for (number, field) in self.fields(*id).iter().enumerate() {
                    let member = located::member_name(&field.name, number);
                    self.leaves(&format!("{name}.{member}"), &field.ty, dimensions, leaves);
                }
            }
            Type::Array(element, _) => self.leaves(name, element, dimensions + 1, leaves),
            scalar => {
                for (suffix, sort) in parts(self, scalar) {
                    leaves.push(Variable {
                        name: format!("{name}{suffix}"),
                        ty: self.array_sort(dimensions, sort),
                    });
                }
            }
        }
    }

    /// The Boogie type of a plain array with so many indices; that of its elements without any.
    pub fn array_sort(&self, dimensions: usize, element: Sort) -> Sort {
        match dimensions {
            0 => element,
            n => Sort::map(vec![self.word_sort(); n], element),
        }
    }

    /// The parts of what is at one place of a region.
    pub fn region_parts(&self, id: RegionId) -> Vec<(&'static str, Sort)> {
        let region = &self.memory.regions()[id.0 as usize];
        match region.content {
            Content::Bytes { pointers } => bytes::parts(self, pointers),
            Content::Scalar { kind, ty, .. } => {
                let scalar = match kind {
                    crate::alias::Kind::Int => Type::Int(ty),
                    crate::alias::Kind::Pointer => Type::Void.pointer(),
                    crate::alias::Kind::Float(bits) => {
                        Type::Float(crate::types::FloatType::of_bits(bits))
                    }
                };
                parts(self, &scalar)
            }
        }
    }

    /// All regions.
    pub fn region_ids(&self) -> impl Iterator<Item = RegionId> + use<> {
        (0..).map(RegionId).take(self.memory.regions().len())
    }

    /// The regions with parts of the objects of a target.
    pub fn regions_of(&self, target: Target) -> Vec<RegionId> {
        let regions = self.memory.regions().iter().zip(0..);
        regions
            .filter(|(region, _)| self.memory.same_objects(region.target, target))
            .map(|(_, number)| RegionId(number))
            .collect()
    }

    /// The name of a function of the solver, declared or not.
    pub fn builtin_name(&self, operation: &str, bits: u32) -> String {
        format!("{operation}{bits}")
    }

    /// Numbers for the objects of variables that exist once at a time.
    fn number_objects(&mut self, reach: &reach::Reach) {
        let mut next = 1;
        for &id in &reach.variables {
            if self.memory.is_in_memory(id) && !self.memory.is_repeated(id) {
                self.objects.insert(id, next);
                next += 1;
            }
        }
    }

    /// Whether a variable is an object: not so where nothing mentions it, as the place of a result that went elsewhere.
    pub fn is_object(&self, id: VarId) -> bool {
        self.objects.contains_key(&id) || self.memory.is_repeated(id)
    }

    /// The locals of a function that live in memory.
    pub fn locals_in_memory(&self, owner: FunctionId) -> Vec<VarId> {
        let variables = self.program.variables.iter().zip(0..);
        variables
            .filter(|(variable, _)| {
                matches!(variable.storage,
                    crate::ir::Storage::Automatic { function, .. } if function == owner)
            })
            .map(|(_, number)| VarId(number))
            .filter(|&id| self.is_object(id))
            .collect()
    }

    /// Where the numbers of other objects begin.
    pub fn first_free_object(&self) -> u64 {
        self.objects.len() as u64 + 1
    }

    fn declare_globals(&mut self, reach: &reach::Reach) {
        let mut globals: BTreeMap<String, Sort> = BTreeMap::new();
        for &id in &reach.variables {
            let variable = self.program.variable(id);
            if matches!(variable.storage, crate::ir::Storage::Static { .. })
                && !self.memory.is_in_memory(id)
            {
                let mut leaves = Vec::new();
                self.leaves(&self.variable_name(id), &variable.ty, 0, &mut leaves);
                globals.extend(leaves.into_iter().map(|leaf| (leaf.name, leaf.ty)));
            }
        }
        for (region, number) in self.memory.regions().iter().zip(0..) {
            let id = RegionId(number);
            let sort = |sort| self.region_sort(region.shape, sort);
            if self.options.properties.uninitialised {
                globals.insert(
                    definite_initialization::beside(&self.region_name(id)),
                    sort(Sort::Bool),
                );
            }
            for (suffix, part) in self.region_parts(id) {
                let name = format!("{}{suffix}", self.region_name(id));
                globals.insert(name, sort(part));
            }
        }
        globals.insert(NEXT_OBJECT.into(), Sort::Int);
        if self.rounding {
            globals.insert(math::ROUNDING.into(), Sort::RoundingMode);
        }
        if self.tracks_memory() {
            globals.extend(safety::globals(&self.word_sort()));
        } else if self.frees {
            globals.extend([safety::freed()]);
        }
        if self.options.properties.locks.is_some() {
            globals.extend([locks::global(&self.word_sort())]);
        }
        if self.options.check_pointers {
            globals.extend([claims::global()]);
        }
        if self.exposes {
            globals.extend(address::globals(&self.word_sort()));
        }
        for (name, sort) in globals {
            self.declare_global(&name, &sort);
        }
        if self.bits {
            // Offsets are added everywhere.
            let word = self.program.model.word();
            let sort = self.word_sort();
            let params = [sort.clone(), sort.clone()];
            let builtin = ("bvbuiltin", "bvadd");
            let name = self.builtin_name("bvadd", word);
            self.out.solver_function(&name, builtin, &params, &sort);
        }
    }

    /// The parameters of a function's procedure: what goes in, and what comes out.
    fn signature(&self, id: FunctionId) -> (Vec<Variable>, Vec<Variable>) {
        let function = self.program.function(id);
        let (mut ins, mut outs) = (Vec::new(), Vec::new());
        for &param in &function.params {
            let ty = &self.program.variable(param).ty;
            let name = start::incoming(&self.variable_name(param));
            self.leaves(&name, ty, 0, &mut ins);
        }
        if function.ty.variadic {
            ins.push(Variable {
                name: variadic::OBJECT.to_owned(),
                ty: Sort::Int,
            });
        }
        self.leaves(statement::RESULT, &function.ty.result, 0, &mut outs);
        (ins, outs)
    }

    fn declare_procedure(&mut self, id: FunctionId) {
        let (ins, outs) = self.signature(id);
        let span = self.program.function(id).span;
        let name = self.function_name(id);
        let procedure = self.out.procedure(&name, &ins, &outs, Vec::new(), span);
        self.procedures.insert(id, procedure);
    }

    /// The body of a function's procedure.
    fn procedure(&mut self, id: FunctionId) {
        let program = self.program;
        let function = program.function(id);
        let (ins, outs) = self.signature(id);
        let out = BodyBuilder::new(ins.into_iter().chain(outs));
        let mut body = Body::new(self, Some(id), out);
        body.at(function.span);
        for &param in &function.params {
            body.receive_parameter(param);
        }
        body.require_parameters_apart(function);
        body.declare_locals();
        body.declare_allocas();
        let statements = function.body.as_deref().unwrap_or_default();
        body.statements(statements);
        body.end_lives();
        body.end_of_body(id, statements);
        let out = body.out;
        if let Some(procedure) = self.procedure_of(id) {
            self.out.define(procedure, out, function.span);
        }
    }
}

/// A Boogie type as a part of a name.
fn sort_name(sort: &Sort) -> String {
    match sort {
        Sort::Bool => "bool".to_owned(),
        Sort::Int => "int".to_owned(),
        Sort::BitVec(width) => format!("bv{width}"),
        Sort::Float {
            significand,
            exponent,
        } => format!("float{significand}e{exponent}"),
        Sort::Map(map) => {
            // A map of maps is another sort than one with two indices.
            let domain: Vec<String> = map.domain.iter().map(sort_name).collect();
            format!("{}~{}", domain.join("~and~"), sort_name(&map.range))
        }
        other => format!("{other:?}"),
    }
}
