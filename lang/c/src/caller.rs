//! Programs without `main`, and parts of programs: somebody who calls their functions.
//!
//! The caller is a function of the typed program, like `main`. It calls the functions again and again, in any order, with
//! any arguments, from the initial values of the static variables on. So static variables have only those values that
//! somebody who includes the program can give them by calling it. If there are none, one call shows all there is.
//!
//! The arguments come from functions without a body: numbers are arbitrary, and pointers are as in
//! [`crate::encode`]'s treatment of memory that is not the program's.

use std::collections::{BTreeSet, HashMap};

use ult_lang::diagnostic::{Diagnostic, Id};
use ult_lang::span::Span;

use crate::encode::library::is_special;
use crate::ir::visit::{self, Visit};
use crate::ir::{
    Base, BlockId, Callee, CompareOp, Expr, ExprKind, Function, FunctionId, Initial, Origin, Place,
    Program, Stmt, StmtKind, Storage, VarId, Variable,
};
use crate::options::Options;
use crate::types::{FunctionType, Type};

/// The name of the caller.
const CALLER: &str = "caller~";

/// The names of functions that return anything begin like this, see [`crate::encode::library`].
pub(crate) const ANY: &str = "__ult_any_";

/// Adds a caller of the functions in [`Options::entries`]; if there are none and the program has no `main`, of all
/// functions that the program itself does not call.
///
/// # Errors
/// If a function in [`Options::entries`] is not defined.
pub fn add(program: &mut Program, options: &Options) -> Result<(), Diagnostic> {
    let defined = |name: &str| {
        let is = |function: &Function| function.name == name && function.body.is_some();
        program.functions.iter().position(is)
    };
    let entries = match &options.entries[..] {
        [] if program.main.is_some() => return Ok(()),
        [only] if only == "main" && program.main.is_some() => return Ok(()),
        [] => uncalled(program, options),
        names => names
            .iter()
            .map(|name| {
                defined(name).map(id).ok_or_else(|| {
                    let message = format!("there is no definition of a function `{name}`");
                    Diagnostic::error(Id::C_UNDECLARED, message, Span::default(), "in this file")
                })
            })
            .collect::<Result<_, _>>()?,
    };
    if entries.is_empty() {
        return Ok(());
    }
    program.called = entries
        .iter()
        .map(|&e| program.function(e).name.clone())
        .collect();
    let mut caller = Caller {
        me: id(program.functions.len()),
        program,
        any: HashMap::new(),
    };
    caller.define(&entries, options);
    Ok(())
}

fn id(number: usize) -> FunctionId {
    FunctionId(u32::try_from(number).unwrap_or(u32::MAX))
}

/// The functions of the program that none of its functions calls; if each is called by one, all.
fn uncalled(program: &Program, options: &Options) -> Vec<FunctionId> {
    let own: Vec<FunctionId> = (0..program.functions.len())
        .map(id)
        .filter(|&id| {
            let function = program.function(id);
            function.body.is_some()
                && function.origin == Origin::Program
                && function.constructor.is_none()
                && !is_special(function, &options.properties)
                && !function.name.starts_with("__VERIFIER_")
        })
        .collect();
    let mut calls = Calls::default();
    for function in &program.functions {
        calls.statements(function.body.as_deref().unwrap_or_default());
    }
    let free: Vec<FunctionId> = own
        .iter()
        .copied()
        .filter(|id| !calls.0.contains(id))
        .collect();
    if free.is_empty() { own } else { free }
}

/// The functions that are called by their names.
#[derive(Default)]
struct Calls(BTreeSet<FunctionId>);

impl Visit for Calls {
    fn statement(&mut self, node: &Stmt) {
        if let StmtKind::Call {
            callee: Callee::Function(id),
            ..
        } = &node.kind
        {
            self.0.insert(*id);
        }
        visit::statement(self, node);
    }
}

struct Caller<'p> {
    program: &'p mut Program,
    me: FunctionId,
    /// The functions that return anything, by the type.
    any: HashMap<Type, FunctionId>,
}

impl Caller<'_> {
    fn define(&mut self, entries: &[FunctionId], options: &Options) {
        let span = self.program.function(entries[0]).span;
        let caller = function(CALLER.to_owned(), Type::Void, span);
        self.program.functions.push(caller);
        self.program.main = Some(self.me);
        let choice = self.choice(entries, span);
        let kind = match self.remembers() {
            true => StmtKind::Loop(BlockId(0), choice),
            false => StmtKind::Block(BlockId(0), choice),
        };
        let mut body = vec![Stmt { kind, span }];
        // A pointer that the program gave out before may come back, and that is not modelled.
        let is_number = |ty: &Type| matches!(ty, Type::Int(_) | Type::Float(_) | Type::Bool);
        let takes_numbers = entries.iter().all(|&entry| {
            let params = &self.program.function(entry).params;
            let mut types = params.iter().map(|&param| &self.program.variable(param).ty);
            types.all(is_number)
        });
        if self.remembers() && !takes_numbers {
            let words =
                "pointers from outside into a program without the function main that has variables";
            body.push(Stmt {
                kind: StmtKind::Unsupported(words.to_owned()),
                span,
            });
        }
        if options.properties.track || options.properties.cleanup {
            let words = "memory at the end of a program without the function main".to_owned();
            body.push(Stmt {
                kind: StmtKind::Unsupported(words),
                span,
            });
        }
        self.program.functions[self.me.0 as usize].body = Some(body);
    }

    /// Whether one call can make a difference to another one.
    fn remembers(&self) -> bool {
        let variables = self.program.variables.iter().any(|variable| {
            matches!(
                &variable.storage,
                Storage::Static { initial, .. } if !matches!(initial, Initial::Bytes(_))
            )
        });
        variables
            || self
                .program
                .functions
                .iter()
                .any(|f| f.name == "fesetround")
    }

    /// One of the calls, or the end.
    fn choice(&mut self, entries: &[FunctionId], span: Span) -> Vec<Stmt> {
        let choice = self.variable("choice", Type::INT, span);
        let mut out = self.any(&choice, span);
        let mut otherwise = vec![Stmt {
            kind: StmtKind::Leave(BlockId(0)),
            span,
        }];
        for (number, &entry) in entries.iter().enumerate().rev() {
            let number = Expr {
                kind: ExprKind::Int(i128::try_from(number).unwrap_or(i128::MAX)),
                ty: Type::INT,
                span,
            };
            let condition = Expr {
                kind: ExprKind::Compare(
                    CompareOp::Equal,
                    Box::new(read(&choice)),
                    Box::new(number),
                ),
                ty: Type::INT,
                span,
            };
            let call = self.call(entry);
            otherwise = vec![Stmt {
                kind: StmtKind::If(condition, call, otherwise),
                span,
            }];
        }
        out.extend(otherwise);
        out
    }

    /// A call with any arguments.
    fn call(&mut self, entry: FunctionId) -> Vec<Stmt> {
        let function = self.program.function(entry);
        let (span, result) = (function.span, function.ty.result.clone());
        let params = function.params.clone();
        let mut out = Vec::new();
        let mut args = Vec::new();
        for param in params {
            let param = self.program.variable(param);
            let (name, ty, span) = (param.name.clone(), param.ty.clone(), param.span);
            let place = self.variable(&name, ty, span);
            out.extend(self.any(&place, span));
            args.push(read(&place));
        }
        let result = (result != Type::Void).then(|| self.variable("result", result, span));
        out.push(Stmt {
            kind: StmtKind::Call {
                callee: Callee::Function(entry),
                args,
                result,
            },
            span,
        });
        out
    }

    fn variable(&mut self, name: &str, ty: Type, span: Span) -> Place {
        let id = VarId(u32::try_from(self.program.variables.len()).unwrap_or(u32::MAX));
        self.program.variables.push(Variable {
            name: name.to_owned(),
            ty: ty.clone(),
            storage: Storage::Automatic {
                function: self.me,
                parameter: false,
                temporary: true,
            },
            span,
        });
        Place {
            base: Base::Variable(id),
            path: Vec::new(),
            ty,
            span,
        }
    }

    /// A variable gets any value.
    fn any(&mut self, place: &Place, span: Span) -> Vec<Stmt> {
        let Base::Variable(variable) = place.base else {
            return Vec::new();
        };
        let function = match self.any.get(&place.ty) {
            Some(&known) => known,
            None => {
                let new = id(self.program.functions.len());
                let name = format!("{ANY}argument_{}", self.any.len());
                let any = function(name, place.ty.clone(), span);
                self.program.functions.push(any);
                self.any.insert(place.ty.clone(), new);
                new
            }
        };
        vec![
            Stmt {
                kind: StmtKind::Declare(variable),
                span,
            },
            Stmt {
                kind: StmtKind::Call {
                    callee: Callee::Function(function),
                    args: Vec::new(),
                    result: Some(place.clone()),
                },
                span,
            },
        ]
    }
}

/// A function without parameters, and without a body so far.
fn function(name: String, result: Type, span: Span) -> Function {
    Function {
        name,
        ty: FunctionType {
            result,
            params: Vec::new(),
            variadic: false,
            prototyped: true,
        },
        params: Vec::new(),
        body: None,
        labels: Vec::new(),
        span,
        origin: Origin::Library,
        returns: true,
        lock: None,
        constructor: None,
        strings_are_read: false,
    }
}

fn read(place: &Place) -> Expr {
    Expr {
        kind: ExprKind::Read(place.clone()),
        ty: place.ty.clone(),
        span: place.span,
    }
}
