//! The arguments of a program that is run: who calls `main` with them (C11 5.1.2.2.1).
//!
//! The caller is a function of the typed program, like the one that [`crate::caller`] makes.

use ult_lang::span::Span;

use crate::ir::{
    Base, Callee, ConstantStep, Expr, ExprKind, Function, FunctionId, Initial, Origin, Place,
    Program, Step, Stmt, StmtKind, Storage, VarId, Variable,
};
use crate::types::{FunctionType, IntType, Length, Type};

/// The name of the caller.
const CALLER: &str = "arguments~";

/// Has `main` called with these strings, of which the first one is the program's name. Nothing happens if `main` has no
/// parameters, or others than a number, strings, and strings once more (the environment, which is empty).
pub(crate) fn add(program: &mut Program, arguments: &[Vec<u8>]) {
    let Some(main) = program.main else { return };
    let function = program.function(main);
    let string = Type::Int(IntType::CHAR).pointer();
    let strings = string.clone().pointer();
    let fits = match &function.ty.params[..] {
        [Type::Int(_)] => true,
        [Type::Int(_), given] => *given == strings,
        [Type::Int(_), given, environment] => *given == strings && *environment == strings,
        _ => false,
    };
    if function.name != "main" || !fits {
        return;
    }
    let (span, ty) = (function.span, function.ty.clone());
    let mut adder = Adder { program, span };
    let pointers = arguments
        .iter()
        .map(|text| {
            let bytes = text.iter().copied().chain([0]).collect();
            let ty = Type::Int(IntType::CHAR);
            let count = text.len() as u64 + 1;
            let id = adder.variable("argument~", ty.clone(), count, Initial::Bytes(bytes));
            adder.first(id, &ty)
        })
        .zip(0..)
        .map(|(pointer, index)| (vec![ConstantStep::Index(index)], pointer))
        .collect();
    let count = arguments.len() as u64;
    // Behind the last one is a null pointer.
    let given = adder.variable(
        "arguments~",
        string.clone(),
        count + 1,
        Initial::Values(pointers),
    );
    let none = Initial::Values(Vec::new());
    let environment = adder.variable("environment~", string.clone(), 1, none);
    let values = [
        Expr {
            kind: ExprKind::Int(i128::from(count)),
            ty: ty.params[0].clone(),
            span,
        },
        adder.first(given, &string),
        adder.first(environment, &string),
    ];
    let args = values.into_iter().take(ty.params.len()).collect();
    adder.call(main, args, &ty);
}

struct Adder<'p> {
    program: &'p mut Program,
    span: Span,
}

impl Adder<'_> {
    /// An array that lives for the whole run.
    fn variable(&mut self, name: &str, element: Type, count: u64, initial: Initial) -> VarId {
        let storage = Storage::Static {
            function: None,
            initial,
        };
        self.add(
            name,
            Type::Array(element.into(), Length::Known(count)),
            storage,
        )
    }

    fn add(&mut self, name: &str, ty: Type, storage: Storage) -> VarId {
        let id = VarId(u32::try_from(self.program.variables.len()).unwrap_or(u32::MAX));
        self.program.variables.push(Variable {
            name: name.to_owned(),
            ty,
            storage,
            span: self.span,
        });
        id
    }

    /// The address of the first element of an array.
    fn first(&self, id: VarId, element: &Type) -> Expr {
        let zero = Expr {
            kind: ExprKind::Int(0),
            ty: Type::Int(self.program.model.size_type()),
            span: self.span,
        };
        let place = Place {
            base: Base::Variable(id),
            path: vec![Step::Index(zero)],
            ty: element.clone(),
            span: self.span,
        };
        Expr {
            kind: ExprKind::Address(place),
            ty: element.clone().pointer(),
            span: self.span,
        }
    }

    /// Runs begin with a function that calls `main` and returns what that returns.
    fn call(&mut self, main: FunctionId, args: Vec<Expr>, ty: &FunctionType) {
        let me = FunctionId(u32::try_from(self.program.functions.len()).unwrap_or(u32::MAX));
        let span = self.span;
        let result = (ty.result != Type::Void).then(|| {
            let storage = Storage::Automatic {
                function: me,
                parameter: false,
                temporary: true,
            };
            Place {
                base: Base::Variable(self.add("status", ty.result.clone(), storage)),
                path: Vec::new(),
                ty: ty.result.clone(),
                span,
            }
        });
        let returned = result.clone().map(|place| Expr {
            ty: place.ty.clone(),
            kind: ExprKind::Read(place),
            span,
        });
        let kinds = [
            StmtKind::Call {
                callee: Callee::Function(main),
                args,
                result,
            },
            StmtKind::Return(returned),
        ];
        let body = kinds.map(|kind| Stmt { kind, span });
        self.program.functions.push(Function {
            name: CALLER.to_owned(),
            ty: FunctionType {
                params: Vec::new(),
                variadic: false,
                prototyped: true,
                result: ty.result.clone(),
            },
            params: Vec::new(),
            body: Some(body.into()),
            labels: Vec::new(),
            span,
            origin: Origin::Library,
            returns: true,
            lock: None,
            constructor: None,
            strings_are_read: false,
        });
        self.program.main = Some(me);
    }
}
