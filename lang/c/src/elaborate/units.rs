//! Several translation units as one program (C11 5.1.1.1, 6.2.2, 6.9).
//!
//! Each unit is elaborated with a file scope of its own, into the same program. Then what is declared with external
//! linkage in several of them becomes one thing: structures first (see [`super::compatible_types`]), then variables and functions
//! by their names. What C leaves undefined here, since no compiler sees it, is an error: declarations whose types are not
//! compatible, and more than one definition.

use std::collections::{BTreeMap, HashMap, HashSet};

use ult_lang::diagnostic::{Diagnostic, Id};
use ult_lang::span::Span;

use crate::ir::{FunctionId, Initial, Storage, VarId};
use crate::types::{FloatType, FunctionType, Length, RecordId, Type};

use super::Elaborator;
use super::compatible_types;
use super::declarations::composite;
use super::refused::Symbol;
use super::renumber::Numbers;
use super::scope::{Binding, Scope};
use super::specifiers::{Class, Specifiers};

/// What is known of the linkage of names.
#[derive(Default)]
pub(super) struct Linkage {
    /// What the units declare that were read.
    units: Vec<Names>,
    /// Variables and functions with internal linkage.
    internal: HashSet<Symbol>,
    /// Functions that are declared `inline`.
    inline: HashSet<FunctionId>,
    /// Functions with a declaration without `inline`, or with `extern`: a definition of them is one for all units.
    plain: HashSet<FunctionId>,
    /// Variables that are `const`.
    constant: HashSet<VarId>,
    /// What it is not clear of which of several things a name means, in words.
    pub(super) unclear: Vec<(Symbol, String)>,
}

/// What a unit declares in its file scope.
struct Names {
    variables: HashMap<String, VarId>,
    functions: HashMap<String, FunctionId>,
}

/// What all units declare under one name.
#[derive(Default)]
struct Declared {
    variables: Vec<VarId>,
    functions: Vec<FunctionId>,
}

impl Elaborator {
    /// Notes what a declaration at file scope, or in a block, says about the linkage of a function.
    pub(super) fn links_function(&mut self, id: FunctionId, specifiers: &Specifiers) {
        if specifiers.class == Class::Static {
            self.linkage.internal.insert(Symbol::Function(id));
        } else if specifiers.inline && specifiers.class != Class::Extern {
            self.linkage.inline.insert(id);
        } else if self.at_file_scope() {
            self.linkage.plain.insert(id);
        }
    }

    /// Notes what a declaration says about the linkage of a variable, and whether that is constant.
    pub(super) fn links_variable(&mut self, id: VarId, specifiers: &Specifiers, constant: bool) {
        if specifiers.class == Class::Static {
            self.linkage.internal.insert(Symbol::Variable(id));
        }
        if constant {
            self.linkage.constant.insert(id);
        }
    }

    /// A unit ends, and the next one knows nothing of it.
    pub(super) fn end_of_unit(&mut self) {
        self.complete_arrays();
        self.linkage.units.push(Names {
            variables: std::mem::take(&mut self.globals),
            functions: std::mem::take(&mut self.functions),
        });
        self.scopes = vec![Scope::default()];
    }

    /// Makes one program of the units, if there are several.
    pub(super) fn join_units(&mut self) {
        let units = std::mem::take(&mut self.linkage.units);
        if units.is_empty() {
            return;
        }
        let records = Numbers {
            records: compatible_types::representatives(&self.program.records),
            ..Numbers::default()
        };
        self.renumber(&records);
        // By name, so that messages come in an order.
        let mut names: BTreeMap<String, Declared> = BTreeMap::new();
        for unit in units {
            for (name, id) in unit.variables.into_iter().collect::<BTreeMap<_, _>>() {
                if !self.linkage.internal.contains(&Symbol::Variable(id)) {
                    names.entry(name).or_default().variables.push(id);
                }
            }
            for (name, id) in unit.functions.into_iter().collect::<BTreeMap<_, _>>() {
                if !self.linkage.internal.contains(&Symbol::Function(id)) {
                    names.entry(name).or_default().functions.push(id);
                }
            }
        }
        let mut numbers = Numbers {
            records: Vec::new(),
            variables: (0..)
                .map(VarId)
                .take(self.program.variables.len())
                .collect(),
            functions: (0..)
                .map(FunctionId)
                .take(self.program.functions.len())
                .collect(),
            ..Numbers::default()
        };
        for (name, declared) in names {
            if let (Some(&variable), Some(&function)) =
                (declared.variables.first(), declared.functions.first())
            {
                let places = [
                    (self.program.function(function).span, "a function here"),
                    (self.program.variable(variable).span, "a variable here"),
                ];
                let message =
                    format!("`{name}` is a variable in one file and a function in another");
                self.conflict(Id::C_TYPES, message, places);
            }
            if let Some(id) = self.join_variables(&name, &declared.variables, &mut numbers) {
                self.globals.insert(name.clone(), id);
                self.bind_global(&name, Binding::Variable(id));
            }
            if let Some(id) = self.join_functions(&name, &declared.functions, &mut numbers) {
                self.functions.insert(name.clone(), id);
                self.bind_global(&name, Binding::Function(id));
            }
        }
        self.renumber(&numbers);
    }

    /// A message about two places.
    fn conflict<L: Into<String>>(&mut self, id: Id, message: String, places: [(Span, L); 2]) {
        let [(first, label), (second, other)] = places;
        self.diagnostics
            .push(Diagnostic::error(id, message, first, label).with_label(second, other));
    }

    /// Makes one variable of those that units declare under a name.
    fn join_variables(
        &mut self,
        name: &str,
        declared: &[VarId],
        numbers: &mut Numbers,
    ) -> Option<VarId> {
        let defined = |this: &Elaborator, id: VarId| {
            !matches!(
                this.program.variable(id).storage,
                Storage::Static {
                    initial: Initial::Unknown,
                    ..
                }
            )
        };
        let definitions: Vec<VarId> = declared
            .iter()
            .copied()
            .filter(|&id| defined(self, id))
            .collect();
        if let [first, second, ..] = definitions[..] {
            let places = [
                (self.program.variable(second).span, "one definition"),
                (self.program.variable(first).span, "another one"),
            ];
            let message = format!("the variable `{name}` is defined in two files");
            let told = Diagnostic::error(Id::C_BAD_DECLARATION, message, places[0].0, places[0].1);
            let told = told
                .with_label(places[1].0, places[1].1)
                .with_help("write `extern` in all files but one, or `static` if each has its own");
            self.diagnostics.push(told);
        }
        let chosen = definitions.first().or(declared.first()).copied()?;
        for &other in declared.iter().filter(|&&other| other != chosen) {
            let known = self.program.variable(chosen).ty.clone();
            let ty = self.program.variable(other).ty.clone();
            let joined = self.joined(&known, &ty);
            let places =
                |this: &Elaborator| [other, chosen].map(|id| this.program.variable(id).span);
            match joined {
                Some(joined) => self.program.variables[chosen.0 as usize].ty = joined,
                None => {
                    let labels = [self.show(&ty), self.show(&known)];
                    self.other_type(name, places(self), &labels);
                }
            }
            let qualifiers = |this: &Elaborator, id: VarId| {
                (
                    this.linkage.constant.contains(&id),
                    this.volatile.contains(&id),
                )
            };
            let (mine, theirs) = (qualifiers(self, other), qualifiers(self, chosen));
            if mine != theirs {
                let words = |(constant, volatile): (bool, bool)| match (constant, volatile) {
                    (true, true) => "`const volatile` here",
                    (true, false) => "`const` here",
                    (false, true) => "`volatile` here",
                    (false, false) => "neither `const` nor `volatile` here",
                };
                let [here, there] = places(self);
                let message = format!("`{name}` has other qualifiers in another file");
                let places = [(here, words(mine)), (there, words(theirs))];
                self.conflict(Id::C_TYPES, message, places);
            }
            numbers.variables[other.0 as usize] = chosen;
        }
        Some(chosen)
    }

    fn other_type(&mut self, name: &str, [here, there]: [Span; 2], [mine, theirs]: &[String; 2]) {
        let message = format!("`{name}` has another type in another file");
        let labels = match mine == theirs {
            false => [format!("`{mine}` here"), format!("`{theirs}` here")],
            true => [
                format!("`{mine}` here"),
                "of the same name here, with other members".to_owned(),
            ],
        };
        let [mine, theirs] = labels;
        self.conflict(Id::C_TYPES, message, [(here, mine), (there, theirs)]);
    }

    /// Makes one function of those that units declare under a name.
    fn join_functions(
        &mut self,
        name: &str,
        declared: &[FunctionId],
        numbers: &mut Numbers,
    ) -> Option<FunctionId> {
        let (mut definitions, mut inline, mut others) = (Vec::new(), Vec::new(), Vec::new());
        for &id in declared {
            let is_plain = self.linkage.plain.contains(&id);
            let for_inlining = self.inline_definitions.contains(&id)
                || (self.linkage.inline.contains(&id) && !is_plain);
            match (self.program.function(id).body.is_some(), for_inlining) {
                (true, false) => definitions.push(id),
                (true, true) => inline.push(id),
                (false, _) => others.push(id),
            }
        }
        if let [first, second, ..] = definitions[..] {
            let places = [
                (self.program.function(second).span, "one definition"),
                (self.program.function(first).span, "another one"),
            ];
            let message = format!("the function `{name}` is defined in two files");
            self.conflict(Id::C_BAD_DECLARATION, message, places);
        }
        if !definitions.is_empty() {
            for &id in &inline {
                // C11 6.7.4, paragraph 7: which one is called is not said.
                let words = format!("which definition of the inline function {name} is called");
                self.linkage.unclear.push((Symbol::Function(id), words));
            }
        }
        let is_implicit = |this: &Elaborator, id| this.implicit_functions.contains(&id);
        let known = others.iter().copied();
        let explicit = known.clone().find(|&id| !is_implicit(self, id));
        let prototyped = known
            .clone()
            .find(|&id| !is_implicit(self, id) && self.program.function(id).ty.prototyped);
        let chosen = (definitions.first().copied())
            .or(prototyped)
            .or(explicit)
            .or(known.clone().next())
            .or(inline.first().copied())?;
        for other in definitions.into_iter().chain(others) {
            if other == chosen {
                continue;
            }
            let mine = self.program.function(other);
            let theirs = self.program.function(chosen);
            let yields = is_implicit(self, other) && theirs.body.is_none();
            let fits = self.same_function(
                (&mine.ty, mine.body.is_some()),
                (&theirs.ty, theirs.body.is_some()),
            );
            let (returns, lock, constructor) = (mine.returns, mine.lock, mine.constructor);
            let learnt = mine.ty.prototyped
                && !theirs.ty.prototyped
                && mine.ty.params.len() == theirs.ty.params.len();
            if !fits && !yields {
                let places = [mine.span, theirs.span];
                let shown =
                    [&mine.ty, &theirs.ty].map(|ty| self.show(&Type::Function(ty.clone().into())));
                self.other_type(name, places, &shown);
            }
            let joined = &mut self.program.functions[chosen.0 as usize];
            joined.returns &= returns;
            joined.lock = joined.lock.or(lock);
            joined.constructor = joined.constructor.or(constructor);
            joined.ty.prototyped |= learnt;
            if !is_implicit(self, other) {
                self.implicit_functions.remove(&chosen);
            }
            numbers.functions[other.0 as usize] = chosen;
        }
        Some(chosen)
    }

    /// Whether types of one function in two units are compatible (C11 6.7.6.3, paragraph 15), each with whether it is that
    /// of a definition.
    fn same_function(&self, one: (&FunctionType, bool), other: (&FunctionType, bool)) -> bool {
        let ((a, _), (b, _)) = (one, other);
        let params = match (a.prototyped, b.prototyped) {
            (true, true) => {
                a.variadic == b.variadic
                    && a.params.len() == b.params.len()
                    && a.params.iter().zip(&b.params).all(|(a, b)| self.same(a, b))
            }
            (true, false) => self.fits_unprototyped(a, other),
            (false, true) => self.fits_unprototyped(b, one),
            (false, false) => true,
        };
        params && self.same(&a.result, &b.result)
    }

    /// Whether a prototype fits a function without one: arguments are promoted for that.
    fn fits_unprototyped(
        &self,
        prototype: &FunctionType,
        (other, is_defined): (&FunctionType, bool),
    ) -> bool {
        let promoted = |ty: &Type| match ty {
            Type::Bool => Type::INT,
            Type::Int(int) => Type::Int(int.promoted()),
            Type::Float(FloatType::Single) => Type::Float(FloatType::Double),
            other => other.clone(),
        };
        let params = &prototype.params;
        !prototype.variadic
            && match is_defined {
                true => {
                    params.len() == other.params.len()
                        && (params.iter().zip(&other.params))
                            .all(|(a, b)| self.same(a, &promoted(b)))
                }
                false => params.iter().all(|param| *param == promoted(param)),
            }
    }

    /// Whether types of two units are compatible.
    fn same(&self, a: &Type, b: &Type) -> bool {
        ult_lang::stack::ensure_stack(|| match (a, b) {
            (Type::Pointer(a), Type::Pointer(b)) => self.same(a, b),
            (Type::Array(a, length), Type::Array(b, other)) => {
                let is_open = |length: &Length| !matches!(length, Length::Known(_));
                (length == other || is_open(length) || is_open(other)) && self.same(a, b)
            }
            (Type::Function(a), Type::Function(b)) => self.same_function((a, false), (b, false)),
            (Type::Record(a), Type::Record(b)) => a == b || self.is_incomplete(*a, *b),
            (a, b) => a == b,
        })
    }

    /// Whether the members of one of two records are not known, so that it may be the other one.
    fn is_incomplete(&self, a: RecordId, b: RecordId) -> bool {
        let (a, b) = (self.program.record(a), self.program.record(b));
        (a.fields.is_none() || b.fields.is_none()) && a.union == b.union && a.name == b.name
    }

    /// The type of a variable that has these types in two units.
    fn joined(&self, a: &Type, b: &Type) -> Option<Type> {
        match self.same(a, b) {
            true => Some(composite(a, b).unwrap_or_else(|| a.clone())),
            false => None,
        }
    }
}
