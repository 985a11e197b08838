//! From the typed program to Boogie.
//!
//! | file | idea |
//! |---|---|
//! | [`text`] | Boogie text under construction |
//! | [`body`] | a procedure body under construction |
//! | `address` | pointers as numbers, and numbers as pointers |
//! | `bytes` | scalars that are kept as bytes |
//! | [`number`] | integers |
//! | [`float`] | floating numbers |
//! | [`math`] | the functions of math.h and fenv.h |
//! | [`place`] | reading and writing objects |
//! | [`value`] | expressions |
//! | [`statement`] | statements |
//! | `errno` | errors of the library |
//! | [`library`] | calls of functions known by their names |
//! | `safety` | memory safety |
//! | `unknown` | functions without a body |
//! | [`variadic`] | arguments for `...` |
//! | `written` | reads of what was not written |
//! | [`start`] | the start of the program |

mod address;
pub mod body;
mod bytes;
mod errno;
pub mod float;
pub mod library;
pub mod math;
pub mod names;
pub mod number;
mod passing;
pub mod place;
mod reach;
mod safety;
pub mod start;
pub mod statement;
pub mod text;
mod unknown;
pub mod value;
pub mod variadic;
mod written;

use std::collections::{BTreeMap, BTreeSet};

use crate::alias::{Content, Memory, RegionId, Shape, Target};
use crate::functions::{self, Meaning, is_error_function};
use crate::ir::{FunctionId, Program, VarId};
use crate::options::{IntegerEncoding, Options, SignedOverflow, Translation};
use crate::types::{Layout, Type};
use body::{Body, Undefined, parts};
use names::Names;
use text::{Text, Writer};

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
    /// Where objects are.
    pub memory: Memory<'p>,
    /// Whether integers are bit-vectors.
    pub bits: bool,
    /// Whether the program changes the rounding mode of floating numbers.
    pub rounding: bool,
    /// Whether pointers may be made of integers other than 0.
    pub numeric_pointers: bool,
    /// Whether pointers are made of integers that are no constants.
    pub makes_pointers: bool,
    /// Whether addresses of objects may become numbers.
    pub exposes: bool,
    /// Functions without a body that were called.
    pub unknown: Unknown,
    /// Known functions whose results point to what is not the program's.
    pub outside: BTreeSet<String>,
    /// Variables that are defined elsewhere and may contain pointers.
    pub outside_variables: BTreeSet<String>,
    /// Whether a format that is no literal may be one that writes.
    pub made_formats: bool,
    /// Whether one of them was given a pointer that leads to the heap: it may keep that.
    pub gives_away: bool,
    /// Whether something is freed.
    pub frees: bool,
    /// Whether something is allocated that is lost when `main` returns, unless it is freed.
    pub allocates_locally: bool,
    /// Which kinds of undefined behaviour were excluded, by [`Undefined`].
    pub assumed: BTreeSet<u8>,
    names: Names,
    objects: BTreeMap<VarId, u64>,
    helpers: BTreeMap<String, String>,
    globals: BTreeMap<String, String>,
    nothing: Target,
}

/// Functions without a body that are called, and whether they return pointers.
pub type Unknown = BTreeMap<String, bool>;

/// One Boogie variable of several that a C variable needs.
pub struct Leaf {
    /// Its name.
    pub name: String,
    /// Its Boogie type.
    pub sort: String,
}

/// The Boogie program of a C program.
pub fn encode(program: &Program, options: &Options) -> Translation {
    let reach = reach::Reach::of(program, &options.properties);
    let mut memory = Memory::analyse(program, &reach.functions, reach.recursive.clone());
    let bits = match options.integers {
        IntegerEncoding::Bits => true,
        IntegerEncoding::Math => false,
        IntegerEncoding::Auto => memory.has_bytes_of_floats() || reach::needs_bits(program, &reach),
    };
    let frees = reach
        .functions
        .iter()
        .filter_map(|&id| functions::of(program.function(id)))
        .any(|meaning| matches!(meaning, Meaning::Free | Meaning::Reallocate));
    let rounding = math::changes_rounding(reach.functions.iter().map(|&id| program.function(id)));
    let nothing = memory.nothing();
    let bytes_of_pointers = memory.has_bytes_of_pointers();
    let conversions = reach::conversions(program);
    let mut encoder = Encoder {
        program,
        options,
        names: Names::new(program, &memory),
        memory,
        bits,
        rounding,
        numeric_pointers: bytes_of_pointers || conversions.numeric,
        exposes: bytes_of_pointers || conversions.exposes,
        makes_pointers: conversions.makes_pointers,
        unknown: Unknown::new(),
        outside: BTreeSet::new(),
        outside_variables: BTreeSet::new(),
        made_formats: false,
        gives_away: false,
        frees,
        allocates_locally: false,
        assumed: BTreeSet::new(),
        objects: BTreeMap::new(),
        helpers: BTreeMap::new(),
        globals: BTreeMap::new(),
        nothing,
    };
    encoder.number_objects(&reach);
    encoder.declare_globals(&reach);
    let mut procedures: Vec<(FunctionId, Procedure)> = Vec::new();
    for &id in &reach.functions {
        let function = program.function(id);
        if function.body.is_some() && !library::is_special(function, &options.properties) {
            let procedure = encoder.procedure(id);
            procedures.push((id, procedure));
        }
    }
    let start = start::start(&mut encoder, &reach);
    let effects = effects(&procedures);
    let mut out = Writer::default();
    encoder.background(&mut out);
    for (id, procedure) in procedures {
        out.append(procedure.finished(effects.get(&id)));
    }
    let mut all = start.writes.clone();
    for callee in &start.calls {
        all.extend(effects.get(callee).into_iter().flatten().cloned());
    }
    out.append(start.finished(Some(&all)));
    let (boogie, places) = out.finish();
    Translation {
        boogie,
        places,
        diagnostics: Vec::new(),
        assumptions: encoder.assumptions(),
        unknown_functions: encoder.unknown.into_keys().collect(),
    }
}

/// A procedure that is done, but for its `modifies` clause.
pub struct Procedure {
    /// `procedure name(...) returns (...)`
    head: String,
    locals: Vec<(String, String)>,
    body: Writer,
    span: ult_lang::span::Span,
    writes: BTreeSet<String>,
    calls: BTreeSet<FunctionId>,
}

impl Procedure {
    fn finished(self, modifies: Option<&BTreeSet<String>>) -> Writer {
        let mut out = Writer::default();
        out.at(self.span);
        out.line("");
        out.line(&self.head);
        if let Some(modifies) = modifies.filter(|modifies| !modifies.is_empty()) {
            let names: Vec<&str> = modifies.iter().map(String::as_str).collect();
            out.line(format_args!("  modifies {};", names.join(", ")));
        }
        out.open("{");
        for (name, sort) in &self.locals {
            out.line(format_args!("var {name}: {sort};"));
        }
        out.append(self.body);
        out.at(self.span);
        out.close("}");
        out
    }
}

/// What each procedure changes, also by its calls.
fn effects(procedures: &[(FunctionId, Procedure)]) -> BTreeMap<FunctionId, BTreeSet<String>> {
    let mut effects: BTreeMap<FunctionId, BTreeSet<String>> = procedures
        .iter()
        .map(|(id, procedure)| (*id, procedure.writes.clone()))
        .collect();
    loop {
        let mut changed = false;
        for (id, procedure) in procedures {
            let mut all = effects[id].clone();
            for callee in &procedure.calls {
                all.extend(effects.get(callee).into_iter().flatten().cloned());
            }
            if all.len() > effects[id].len() {
                effects.insert(*id, all);
                changed = true;
            }
        }
        if !changed {
            return effects;
        }
    }
}

impl<'p> Encoder<'p> {
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
    pub fn int_sort(&self, bits: u32) -> String {
        match self.bits {
            true => format!("bv{bits}"),
            false => "int".into(),
        }
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

    /// Whether a Boogie variable is global.
    pub fn is_global(&self, name: &str) -> bool {
        self.globals.contains_key(name)
    }

    /// The number of the object of a variable in memory.
    pub fn object(&self, id: VarId) -> Text {
        match self.objects.get(&id) {
            Some(&number) => Text::int(number),
            None => Text::atom(format!("{}~object", self.variable_name(id))),
        }
    }

    /// The number of a function as what a pointer points to.
    pub fn function_object(&self, id: FunctionId) -> Text {
        Text::int(-i64::from(id.0) - 1)
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
    pub fn leaves(&self, name: &str, ty: &Type, dimensions: usize, leaves: &mut Vec<Leaf>) {
        match ty {
            Type::Void => {}
            Type::Record(id) if dimensions == 0 && self.is_mixed(*id) => {
                let word = self.int_sort(self.program.model.word());
                let maps = bytes::parts(self, true).into_iter();
                leaves.extend(maps.map(|(suffix, sort)| Leaf {
                    name: format!("{name}{suffix}"),
                    sort: format!("[{word}]{sort}"),
                }));
            }
            Type::Record(id) => {
                for (number, field) in self.fields(*id).iter().enumerate() {
                    let member = place::member_name(&field.name, number);
                    self.leaves(&format!("{name}.{member}"), &field.ty, dimensions, leaves);
                }
            }
            Type::Array(element, _) => self.leaves(name, element, dimensions + 1, leaves),
            scalar => {
                let word = self.int_sort(self.program.model.word());
                for (suffix, sort) in parts(self, scalar) {
                    let sort = match dimensions {
                        0 => sort,
                        n => format!("[{}]{sort}", vec![word.as_str(); n].join(", ")),
                    };
                    leaves.push(Leaf {
                        name: format!("{name}{suffix}"),
                        sort,
                    });
                }
            }
        }
    }

    /// The parts of what is at one place of a region.
    pub fn region_parts(&self, id: RegionId) -> Vec<(&'static str, String)> {
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

    /// Declares a function that the solver knows.
    pub fn declare_builtin(
        &mut self,
        attribute: &str,
        name: &str,
        builtin: &str,
        params: &[String],
        result: &str,
    ) {
        if self.helpers.contains_key(name) {
            return;
        }
        self.helpers.insert(
            name.to_owned(),
            format!(
                "function {{:{attribute} \"{builtin}\"}} {name}({}) returns ({result});",
                params.join(", ")
            ),
        );
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

    /// The locals of a function that live in memory.
    pub fn locals_in_memory(&self, owner: FunctionId) -> Vec<VarId> {
        let variables = self.program.variables.iter().zip(0..);
        variables
            .filter(|(variable, _)| {
                matches!(variable.storage,
                    crate::ir::Storage::Automatic { function, .. } if function == owner)
            })
            .map(|(_, number)| VarId(number))
            .filter(|&id| self.memory.is_in_memory(id))
            .collect()
    }

    /// Where the numbers of other objects begin.
    pub fn first_free_object(&self) -> u64 {
        self.objects.len() as u64 + 1
    }

    fn declare_globals(&mut self, reach: &reach::Reach) {
        for &id in &reach.variables {
            let variable = self.program.variable(id);
            if matches!(variable.storage, crate::ir::Storage::Static { .. })
                && !self.memory.is_in_memory(id)
            {
                let mut leaves = Vec::new();
                self.leaves(&self.variable_name(id), &variable.ty, 0, &mut leaves);
                for leaf in leaves {
                    self.globals.insert(leaf.name, leaf.sort);
                }
            }
        }
        let word = self.int_sort(self.program.model.word());
        let mut regions = Vec::new();
        for (region, number) in self.memory.regions().iter().zip(0..) {
            let id = RegionId(number);
            let indices = match region.shape {
                Shape::One => String::new(),
                Shape::ByOffset => format!("[{word}]"),
                Shape::ByObject => "[int]".to_owned(),
                Shape::Both => format!("[int, {word}]"),
            };
            if self.options.properties.uninitialised {
                let name = written::beside(&self.region_name(id));
                regions.push((name, format!("{indices}bool")));
            }
            for (suffix, sort) in self.region_parts(id) {
                let name = format!("{}{suffix}", self.region_name(id));
                regions.push((name, format!("{indices}{sort}")));
            }
        }
        self.globals.extend(regions);
        self.globals.insert(NEXT_OBJECT.into(), "int".into());
        if self.rounding {
            self.globals.insert(math::ROUNDING.into(), "rmode".into());
        }
        if self.tracks_memory() {
            self.globals.extend(safety::globals(&word));
        } else if self.frees {
            self.globals.extend([safety::freed()]);
        }
        if self.exposes {
            self.globals.extend(address::globals(&word));
        }
        let word = self.program.model.word();
        if self.bits {
            // Offsets are added everywhere.
            let sort = format!("bv{word}");
            self.declare_builtin(
                "bvbuiltin",
                &self.builtin_name("bvadd", word),
                "bvadd",
                &[sort.clone(), sort.clone()],
                &sort,
            );
        }
    }

    fn background(&self, out: &mut Writer) {
        for line in self.helpers.values() {
            out.line(line);
        }
        for (name, sort) in &self.globals {
            out.line(format_args!("var {name}: {sort};"));
        }
    }

    /// The procedure of a function.
    fn procedure(&mut self, id: FunctionId) -> Procedure {
        let program = self.program;
        let function = program.function(id);
        let mut ins = Vec::new();
        let mut locals = Vec::new();
        let mut body = Body::new(self, Some(id));
        body.at(function.span);
        for &param in &function.params {
            body.receive_parameter(param, &mut ins, &mut locals);
        }
        if function.ty.variadic {
            ins.push(Leaf {
                name: variadic::OBJECT.to_owned(),
                sort: "int".to_owned(),
            });
        }
        body.declare_locals(&mut locals);
        body.declare_allocas();
        body.statements(function.body.as_deref().unwrap_or_default());
        body.end_lives();
        let mut outs = Vec::new();
        body.enc
            .leaves(statement::RESULT, &function.ty.result, 0, &mut outs);
        let Body {
            out,
            temporaries,
            writes,
            calls,
            ..
        } = body;
        locals.extend(temporaries);
        let list = |leaves: &[Leaf]| {
            let parts: Vec<String> = leaves
                .iter()
                .map(|leaf| format!("{}: {}", leaf.name, leaf.sort))
                .collect();
            parts.join(", ")
        };
        let returns = match outs.is_empty() {
            true => String::new(),
            false => format!(" returns ({})", list(&outs)),
        };
        Procedure {
            head: format!(
                "procedure {}({}){returns};",
                self.function_name(id),
                list(&ins)
            )
            .trim_end_matches(';')
            .to_owned(),
            locals,
            body: out,
            span: function.span,
            writes,
            calls,
        }
    }

    fn assumptions(&self) -> Vec<String> {
        let mut all = Vec::new();
        let excluded = |what: Undefined| self.assumed.contains(&(what as u8));
        if excluded(Undefined::Overflow)
            && self.options.signed_overflow == SignedOverflow::Undefined
        {
            all.push("signed integers do not overflow".to_owned());
        }
        if excluded(Undefined::Division) {
            all.push("nothing is divided by zero".to_owned());
        }
        if excluded(Undefined::Shift) || excluded(Undefined::SignedShiftLeft) {
            all.push("nothing is shifted by a negative number, or by its width or more".to_owned());
        }
        if excluded(Undefined::Conversion) {
            all.push("floating numbers fit where they become integers".to_owned());
        }
        if self.memory.has_heap() && !self.options.malloc_may_fail {
            all.push("memory is never exhausted".to_owned());
        }
        if self.frees && !self.tracks_memory() {
            all.push("nothing is freed twice".to_owned());
        }
        if self.memory.has_heap() && self.options.properties.track {
            all.push("memory that is lost is looked for where the program ends only".to_owned());
        }
        if self.makes_pointers {
            all.push(address::OTHERS.to_owned());
        }
        if self.exposes {
            all.push(address::ASSUMPTION.to_owned());
        }
        if !self.memory.regions().is_empty() && !self.options.properties.dereference {
            all.push("pointers are used within their objects only".to_owned());
        }
        if !self.program.called.is_empty() {
            all.push(format!(
                "from outside, these functions are called, in any order and with any arguments: {}",
                self.program.called.join(", ")
            ));
            let from_outside =
                |function: &&crate::ir::Function| self.program.called.contains(&function.name);
            let mut called = self.program.functions.iter().filter(from_outside);
            let is_number = |ty: &Type| matches!(ty, Type::Int(_) | Type::Float(_) | Type::Bool);
            if called.any(|function| !function.ty.params.iter().all(is_number)) {
                all.push(format!(
                    "pointers that they are called with {}",
                    unknown::POINT_TO
                ));
            }
        }
        if self.made_formats {
            all.push("formats that the program makes have no %n".to_owned());
        }
        all.extend(unknown::assumptions(
            &self.unknown,
            &self.outside,
            &self.outside_variables,
        ));
        all
    }
}
