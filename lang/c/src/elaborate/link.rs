//! Calls of functions that the program does not define are led to those of the library.
//!
//! Every call gets a copy of its own, so that the library mixes neither objects nor types of different calls; the copy
//! is elaborated with [`ELEMENT`] as the type of the objects that the call is about. A function whose address is taken
//! is defined once.

use std::collections::HashMap;

use ult_lang::stack::ensure_stack;

use crate::ir::visit::Visit;
use crate::ir::{Callee, Expr, ExprKind, Function, FunctionId, Stmt, StmtKind, Storage};
use crate::library::{
    self, AT_END, ELEMENT, MEMSET, PRINT, PRINT_WIDE, SEEDED, WITH_EFFECTS, plain,
};
use crate::syntax as c;
use crate::types::{IntType, Length, Type};

use super::Elaborator;
use super::builtins::is_object_size;
use super::declarations::compatible;
use super::formats::{self, Conversion, Format, NARROW, WIDE};
use super::needed::{Definitions, Finder, Needed};
use super::order::Pairs;
use super::scope::Binding;

/// More copies are not made: then calls share one.
const COPIES: usize = 200;

impl Elaborator {
    /// Leads calls to the library. Mistakes that the library makes with the program's declarations are not told: then the
    /// function stays without a body.
    pub(super) fn link(&mut self, library: &c::TranslationUnit) {
        let known = self.diagnostics.len();
        let mut definitions = Definitions::new();
        for declaration in &library.0 {
            match &declaration.node {
                c::ExternalDeclaration::FunctionDefinition(definition) => {
                    if let Some(name) = declared_name(&definition.node.declarator.node) {
                        definitions.insert(name, &definition.node);
                    }
                }
                _ => self.external_declaration(declaration),
            }
        }
        if !definitions.is_empty() {
            for definition in &library.0 {
                if let c::ExternalDeclaration::FunctionDefinition(definition) = &definition.node {
                    self.declare_for_library(&definition.node);
                }
            }
            self.lead(&definitions);
        }
        self.diagnostics.truncate(known);
    }

    /// What the program does not declare, the library calls by its own types.
    fn declare_for_library(&mut self, definition: &c::FunctionDefinition) {
        let Some(name) = declared_name(&definition.declarator.node) else {
            return;
        };
        if self.lookup(name).is_some() || self.functions.contains_key(name) {
            return;
        }
        let specifiers = self.declaration_specifiers(&definition.specifiers);
        let declared = self.declarator(specifiers.ty, &definition.declarator.node);
        if let Type::Function(ty) = &declared.ty {
            let place = definition.declarator.span;
            self.declare_function(name, (**ty).clone(), place);
        }
    }

    fn lead(&mut self, definitions: &Definitions<'_>) {
        let mut shared = HashMap::new();
        let mut copies = 0;
        let mut marked = HashMap::new();
        if definitions.contains_key(AT_END) {
            self.program.at_end = self.copy_of(AT_END, None, definitions);
        }
        let variables = self.needed_by_variables(definitions);
        self.define_addressed(&variables, definitions);
        let mut index = 0;
        // Copies are functions, too.
        while index < self.program.functions.len() {
            self.expand_scans(index);
            self.read_strings(index, &mut marked);
            let addressed = self.needed_by_body(index, definitions);
            self.define_addressed(&addressed, definitions);
            // Some of what is called has a definition now.
            let needed = self.needed_by_body(index, definitions);
            let mut targets = Vec::new();
            for Needed { function, call } in needed {
                let Some((element, name)) = call else {
                    continue;
                };
                let own = self.own_definition(&name);
                let id = if let Some(own) = own.filter(|own| own.0 as usize != index) {
                    Some(own)
                } else if copies < COPIES {
                    copies += 1;
                    self.copy_of(&name, Some(&element), definitions)
                } else {
                    let key = (name.clone(), element.clone());
                    match shared.get(&key) {
                        Some(id) => *id,
                        None => {
                            let id = self.copy_of(&name, Some(&element), definitions);
                            shared.insert(key, id);
                            id
                        }
                    }
                };
                if let Some(id) = id {
                    self.pairs.lead(function, id);
                }
                targets.push(id);
            }
            if !targets.is_empty()
                && let Some(mut body) = self.program.functions[index].body.take()
            {
                // The calls come in the same order.
                let mut targets = targets.into_iter();
                self.redirect(&mut body, definitions, index, &mut targets);
                self.program.functions[index].body = Some(body);
            }
            index += 1;
        }
    }

    /// The program's own function behind a built-in name.
    fn own_definition(&self, name: &str) -> Option<FunctionId> {
        let id = *self.functions.get(name)?;
        // A definition for inlining only is about calls of the function itself, not of the built-in one.
        let defined = self.program.function(id).body.is_some();
        (defined && !self.inline_definitions.contains(&id)).then_some(id)
    }

    fn needed_by_body(&self, index: usize, definitions: &Definitions<'_>) -> Vec<Needed> {
        let mut finder = Finder {
            elaborator: self,
            definitions,
            needed: Vec::new(),
        };
        let body = self.program.functions[index].body.as_deref();
        finder.statements(body.unwrap_or_default());
        finder.needed
    }

    fn needed_by_variables(&self, definitions: &Definitions<'_>) -> Vec<Needed> {
        let mut finder = Finder {
            elaborator: self,
            definitions,
            needed: Vec::new(),
        };
        for variable in &self.program.variables {
            for value in variable.initial_values() {
                finder.expr(value);
            }
        }
        finder.needed
    }

    /// Functions whose address is taken get their definition.
    fn define_addressed(&mut self, needed: &[Needed], definitions: &Definitions<'_>) {
        for needed in needed.iter().filter(|needed| needed.call.is_none()) {
            let function = self.program.function(needed.function);
            if function.body.is_some() {
                continue;
            }
            let name = function.name.clone();
            if let Some(copy) = self.copy_of(plain(&name), None, definitions) {
                // The copy's body becomes that of the function.
                let copy = copy.0 as usize;
                let made = &mut self.program.functions[copy];
                let body = made.body.take();
                let params = std::mem::take(&mut made.params);
                let labels = std::mem::take(&mut made.labels);
                let (ty, span) = (made.ty.clone(), made.span);
                for variable in &mut self.program.variables {
                    if let Storage::Automatic { function, .. } = &mut variable.storage
                        && function.0 as usize == copy
                    {
                        *function = needed.function;
                    }
                }
                let function = &mut self.program.functions[needed.function.0 as usize];
                function.body = body;
                function.params = params;
                function.labels = labels;
                function.ty = ty;
                function.span = span;
            }
        }
    }

    /// A function like the library's one of this name, if that fits what the program declares.
    fn copy_of(
        &mut self,
        name: &str,
        element: Option<&Type>,
        definitions: &Definitions<'_>,
    ) -> Option<FunctionId> {
        let definition = *definitions.get(name)?;
        let bytes = Type::Int(IntType::BYTE);
        let element = element.unwrap_or(&bytes).clone();
        self.bind(ELEMENT, Binding::Typedef(element, None));
        let known = self.functions.remove(name);
        let binding = self.lookup(name).cloned();
        let mistakes = self.diagnostics.len();
        Pairs::in_copy(self, name, |this| this.function_definition(definition));
        let wrong = self.diagnostics[mistakes..].iter().any(|d| d.is_error());
        self.diagnostics.truncate(mistakes);
        let copy = self.functions.remove(name);
        if let Some(known) = known {
            self.functions.insert(name.to_owned(), known);
        }
        if let Some(binding) = binding {
            self.bind(name, binding);
        }
        let id = copy?;
        let fits = known.is_none_or(|known| {
            compatible(
                &self.program.function(known).ty,
                &self.program.function(id).ty,
            )
        });
        if wrong || !fits {
            self.program.functions[id.0 as usize].body = None;
            return None;
        }
        Some(id)
    }

    fn redirect(
        &self,
        body: &mut Vec<Stmt>,
        definitions: &Definitions<'_>,
        index: usize,
        targets: &mut impl Iterator<Item = Option<FunctionId>>,
    ) {
        ensure_stack(|| {
            for mut stmt in std::mem::take(body) {
                match &mut stmt.kind {
                    StmtKind::If(_, then, otherwise) => {
                        self.redirect(then, definitions, index, targets);
                        self.redirect(otherwise, definitions, index, targets);
                    }
                    StmtKind::Loop(_, body) | StmtKind::Block(_, body) => {
                        self.redirect(body, definitions, index, targets);
                    }
                    StmtKind::Call {
                        callee: Callee::Function(id),
                        args,
                        ..
                    } if id.0 as usize != index
                        && self.library_call(*id, args, definitions).is_some() =>
                    {
                        if let Some(Some(target)) = targets.next() {
                            let dropped = self.hand_over(*id, args, target);
                            *id = target;
                            body.extend(self.computed(dropped));
                        }
                    }
                    _ => {}
                }
                body.push(stmt);
            }
        });
    }

    /// Makes the arguments of a call those for the library's function, and gives those that this one does not have.
    fn hand_over(
        &self,
        function: FunctionId,
        args: &mut Vec<Expr>,
        target: FunctionId,
    ) -> Vec<Expr> {
        let called = self.program.function(function);
        let name = &called.name;
        if let Some(print) = self.printed(called, args) {
            return args.splice(.., print.args).skip(print.kept).collect();
        }
        if library::is_checking(name) {
            let kept = self.program.function(target).ty.params.len();
            let mut sizes = args.split_off(kept.min(args.len()));
            sizes.retain(|size| !is_object_size(size));
            return sizes;
        }
        Vec::new()
    }

    /// If a call is one of the library: what its objects are, and which function it is.
    pub(super) fn library_call(
        &self,
        id: FunctionId,
        args: &[Expr],
        definitions: &Definitions<'_>,
    ) -> Option<(Type, String)> {
        let function = self.program.function(id);
        if function.body.is_some() {
            return None;
        }
        let name = match function.name.as_str() {
            exact if definitions.contains_key(exact) => exact,
            other => plain(other),
        };
        if let Some(print) = self.printed(function, args)
            && definitions.contains_key(print.name)
        {
            return Some((print.element, print.name.to_owned()));
        }
        if !definitions.contains_key(name) {
            return None;
        }
        let checking = library::is_checking(&function.name);
        let (element, name) = match (name, args) {
            ("memcpy" | "memmove" | "mempcpy", [to, from, size, ..]) => {
                let (_, ty) = to.typed_pointer();
                let same = from.typed_pointer().1 == ty;
                let whole = same && self.is_whole(&ty, size);
                if (whole || is_small(size)) && !checking && name != "mempcpy" {
                    return None;
                }
                let element = if same { self.element_type(&ty) } else { None };
                let part = self.is_part(element.as_ref(), size);
                (element.filter(|_| !part), name)
            }
            ("memset", [to, value, size, ..]) => {
                let (_, ty) = to.typed_pointer();
                let zero = is_zero(value);
                if (zero && self.is_whole(&ty, size) || is_small(size)) && !checking {
                    return None;
                }
                let element = self.element_type(&ty);
                if self.is_part(element.as_ref(), size) || self.has_union(&ty) {
                    return None;
                }
                match element {
                    Some(Type::Int(IntType { bits: 8, .. })) => (None, name),
                    Some(element) if zero => (Some(element), MEMSET.0),
                    Some(Type::Int(int)) if int.bits <= 64 => (Some(Type::Int(int)), MEMSET.1),
                    _ if self.has_pointers(&ty) => return None,
                    _ => (None, name),
                }
            }
            ("__VERIFIER_nondet_memory", [object, size]) => {
                let (_, ty) = object.typed_pointer();
                // Arbitrary bytes are no pointers.
                if self.has_pointers(&ty) {
                    return None;
                }
                match self.element_type(&ty) {
                    Some(element @ Type::Int(int))
                        if int.bits <= 64 && !self.is_part(Some(&element), size) =>
                    {
                        (Some(element), library::NONDET_INTEGERS)
                    }
                    _ => (None, name),
                }
            }
            ("qsort", [base, ..]) | ("bsearch", [_, base, ..]) => {
                let (_, ty) = base.typed_pointer();
                let known = self.layout().size(&ty).is_some() && ty != Type::Void;
                let name = match (
                    name,
                    args.last().is_some_and(|last| self.only_compares(last)),
                ) {
                    (_, true) => name,
                    ("qsort", false) => WITH_EFFECTS.0,
                    (_, false) => WITH_EFFECTS.1,
                };
                (known.then_some(ty), name)
            }
            ("rand", _) if definitions.contains_key(SEEDED.0) => (None, SEEDED.0),
            ("random", _) if definitions.contains_key(SEEDED.1) => (None, SEEDED.1),
            _ => (None, name),
        };
        let bytes = Type::Int(IntType::BYTE);
        Some((element.unwrap_or(bytes), name.to_owned()))
    }

    /// A call that prints into a string with a known format, which writes nothing else.
    fn printed(&self, function: &Function, args: &[Expr]) -> Option<Print> {
        let name = &*function.name;
        let wide = name.ends_with("wprintf");
        let (sized, kept) = match (plain(name), args) {
            ("sprintf" | "vsprintf", _) => (false, 1),
            ("snprintf" | "vsnprintf", _) => (true, 2),
            // Microsoft's form has no size.
            ("swprintf" | "vswprintf", [_, second, ..]) if second.ty.is_pointer() => (false, 1),
            ("swprintf" | "vswprintf", _) => (true, 2),
            _ => return None,
        };
        let (text, given) = (args.first()?, args.get(kept)?);
        let (element, format) = match &text.ty {
            Type::Pointer(element) if wide => {
                let element = element.integer()?;
                (element, Format::at(&self.program, given, element.bits)?)
            }
            _ if wide => return None,
            _ => (IntType::CHAR, Format::at(&self.program, given, NARROW)?),
        };
        let (_, conversions) = formats::conversions(&format.text)?;
        if conversions.iter().any(|one| one.letter == 'n') {
            return None;
        }
        let number = |value: i128, ty: Type| Expr {
            kind: ExprKind::Int(value),
            ty,
            span: given.span,
        };
        let longest = i128::from(formats::longest(&format.text).unwrap_or(i32::MAX));
        let size = match sized {
            true => args[1].clone(),
            false => number(longest + 1, Type::Int(self.program.model.size_type())),
        };
        // Which literal is read as which characters is not looked at.
        let is_wide = |one: &Conversion| one.character_of_text() == Some(WIDE);
        let are_narrow = !conversions.iter().any(is_wide);
        let is_literal = |arg: &Expr| are_narrow && formats::literal(&self.program, arg).is_some();
        let fine = |arg: &Expr| arg.ty.is_arithmetic() || is_literal(arg);
        let strings =
            !function.strings_are_read && (!format.ends || !args[kept + 1..].iter().all(fine));
        Some(Print {
            name: if wide { PRINT_WIDE } else { PRINT },
            element: Type::Int(element),
            args: vec![
                text.clone(),
                size,
                number(longest, Type::INT),
                number(strings.into(), Type::INT),
            ],
            kept,
        })
    }

    /// Whether a constant number of bytes are not whole elements.
    fn is_part(&self, element: Option<&Type>, size: &Expr) -> bool {
        let one = element.and_then(|element| self.layout().size(element));
        match (&size.kind, one) {
            (ExprKind::Int(size), Some(one)) => one > 0 && size % i128::from(one) != 0,
            _ => false,
        }
    }

    /// Whether a constant number of bytes are whole objects: calls with that need no loop.
    fn is_whole(&self, ty: &Type, size: &Expr) -> bool {
        let (ExprKind::Int(size), Some(one)) = (&size.kind, self.layout().size(ty)) else {
            return false;
        };
        let one = i128::from(one);
        *ty != Type::Void && one > 0 && size % one == 0 && size / one <= WHOLE
    }

    fn has_pointers(&self, ty: &Type) -> bool {
        match ty {
            Type::Pointer(_) => true,
            Type::Array(element, _) => self.has_pointers(element),
            Type::Record(id) => {
                let fields = self.program.record(*id).fields.iter().flatten();
                fields
                    .map(|field| &field.ty)
                    .any(|ty| self.has_pointers(ty))
            }
            _ => false,
        }
    }

    /// Whether there is a union in it: `{0}` is not all of one.
    fn has_union(&self, ty: &Type) -> bool {
        match ty {
            Type::Array(element, _) => self.has_union(element),
            Type::Record(id) => {
                let record = self.program.record(*id);
                let mut fields = record.fields.iter().flatten();
                record.union || fields.any(|field| self.has_union(&field.ty))
            }
            _ => false,
        }
    }

    /// The type of the elements of an object.
    fn element_type(&self, ty: &Type) -> Option<Type> {
        match ty {
            Type::Array(element, Length::Known(_)) => self.element_type(element),
            Type::Record(id) => {
                let fields = self.program.record(*id).fields.as_ref()?;
                let flexible = fields
                    .last()
                    .is_some_and(|field| matches!(field.ty, Type::Array(_, Length::Unknown)));
                (!flexible).then(|| ty.clone())
            }
            scalar if scalar.is_scalar() => Some(scalar.clone()),
            _ => None,
        }
    }
}

/// What a call comes to that prints into a string.
struct Print {
    /// The library's function.
    name: &'static str,
    /// The type of the characters.
    element: Type,
    /// Its arguments.
    args: Vec<Expr>,
    /// How many arguments of the call are among them.
    kept: usize,
}

/// How many objects are copied without a loop.
const WHOLE: i128 = 1024;

/// Whether so few bytes are copied or set that it needs no loop.
fn is_small(size: &Expr) -> bool {
    match &size.kind {
        ExprKind::Int(size) => (0..=WHOLE).contains(size),
        ExprKind::Convert(operand) => is_small(operand),
        _ => false,
    }
}

/// Whether it is the constant 0.
fn is_zero(value: &Expr) -> bool {
    match &value.kind {
        ExprKind::Int(0) => true,
        ExprKind::Convert(inner) => matches!(inner.kind, ExprKind::Int(0)),
        _ => false,
    }
}

fn declared_name(declarator: &c::Declarator) -> Option<&str> {
    match &declarator.kind.node {
        c::DeclaratorKind::Identifier(name) => Some(&name.node.name),
        c::DeclaratorKind::Declarator(inner) => declared_name(&inner.node),
        c::DeclaratorKind::Abstract => None,
    }
}
