//! Calls of `scanf`, `fscanf` and `sscanf` (C11 7.21.6.2) whose format is a literal.
//!
//! They become statements: an arbitrary number of the arguments is assigned to, in order. Each gets an arbitrary value
//! of its type, or characters. Other calls stay what they are, and are not covered.

use ult_lang::span::Span;
use ult_lang::stack::ensure_stack;

use super::Elaborator;
use super::formats::{self, Conversion};
use crate::ir::{
    Base, Callee, CompareOp, Expr, ExprKind, FunctionId, Place, Stmt, StmtKind, Storage, VarId,
    Variable,
};
use crate::library::SCAN_TEXT;
use crate::types::{FunctionType, Type};

/// Where a conversion puts what it reads.
enum Store {
    /// A number of the type that the pointer points to.
    Number,
    /// At most so many characters and, except for `%c`, a zero behind.
    Text(Option<u32>),
    /// One character.
    Character,
}

impl Elaborator {
    /// Rewrites the calls in a function.
    pub(super) fn expand_scans(&mut self, index: usize) {
        if !self.functions.contains_key(SCAN_TEXT) {
            return;
        }
        if let Some(mut body) = self.program.functions[index].body.take() {
            self.scans(&mut body, index);
            self.program.functions[index].body = Some(body);
        }
    }

    fn scans(&mut self, statements: &mut Vec<Stmt>, index: usize) {
        ensure_stack(|| {
            let mut number = 0;
            while number < statements.len() {
                let span = statements[number].span;
                let replacement = match &mut statements[number].kind {
                    StmtKind::If(_, then, otherwise) => {
                        self.scans(then, index);
                        self.scans(otherwise, index);
                        None
                    }
                    StmtKind::Loop(_, body) | StmtKind::Block(_, body) => {
                        self.scans(body, index);
                        None
                    }
                    StmtKind::Call {
                        callee: Callee::Function(id),
                        args,
                        result,
                    } => self.scan(*id, args, result.as_ref(), index, span),
                    _ => None,
                };
                match replacement {
                    Some(more) => {
                        let count = more.len();
                        statements.splice(number..=number, more);
                        number += count;
                    }
                    None => number += 1,
                }
            }
        });
    }

    /// The statements for a call.
    fn scan(
        &mut self,
        id: FunctionId,
        args: &[Expr],
        result: Option<&Place>,
        index: usize,
        span: Span,
    ) -> Option<Vec<Stmt>> {
        let function = self.program.function(id);
        if function.body.is_some() {
            return None;
        }
        let (before, from_string) = match function.name.as_str() {
            "scanf" => (0, false),
            "fscanf" => (1, false),
            "sscanf" => (1, true),
            _ => return None,
        };
        let format = formats::literal(&self.program, args.get(before)?)?;
        let (_, conversions) = formats::conversions(format)?;
        let targets = args.get(before + 1..)?;
        let stored: Vec<&Conversion> = conversions.iter().filter(|one| !one.star).collect();
        if stored.len() != targets.len() {
            return None;
        }
        let stores = stored
            .iter()
            .zip(targets)
            .map(|(one, target)| self.scanned(one, target))
            .collect::<Option<Vec<Store>>>()?;
        let mut out = Vec::new();
        // What is read is evaluated before anything is written.
        let targets: Vec<Expr> = targets
            .iter()
            .map(|target| self.held(target, index, span, &mut out))
            .collect();
        for name in ["__ult_may_fail"]
            .into_iter()
            .chain(from_string.then_some("__ult_approximated"))
            .chain(from_string.then_some("__ult_reads_strings"))
        {
            let call = self.call_of(name, Vec::new(), Vec::new(), Type::Void, None, span);
            out.push(call);
        }
        let count = self.local("count", Type::INT, index, span, &mut out);
        out.push(self.any(&count, span));
        let number = |value: usize| int(i128::try_from(value).unwrap_or(i128::MAX), span);
        let low = compare(CompareOp::LessEqual, int(-1, span), read(&count), span);
        let high = compare(
            CompareOp::LessEqual,
            read(&count),
            number(targets.len()),
            span,
        );
        let bounds = Expr {
            kind: ExprKind::And(Box::new(low), Box::new(high)),
            ty: Type::INT,
            span,
        };
        let call = self.call_of(
            "__ult_assume",
            vec![bounds],
            vec![Type::INT],
            Type::Void,
            None,
            span,
        );
        out.push(call);
        for (position, (store, target)) in stores.iter().zip(&targets).enumerate() {
            let assigned = compare(CompareOp::Less, number(position), read(&count), span);
            let statement = self.assign_scanned(store, target, span);
            out.push(Stmt {
                kind: StmtKind::If(assigned, vec![statement], Vec::new()),
                span,
            });
        }
        if let Some(result) = result {
            let kind = StmtKind::Assign(result.clone(), read(&count));
            out.push(Stmt { kind, span });
        }
        Some(out)
    }

    /// What a conversion stores, if the argument fits.
    fn scanned(&self, one: &Conversion, target: &Expr) -> Option<Store> {
        let (_, ty) = target.typed_pointer();
        let size = self.layout().size(&ty);
        let word = u64::from(self.program.model.word() / 8);
        let character = ty.integer().is_some() && size == Some(1) && ty != Type::Bool;
        match (one.letter, one.length.as_str()) {
            ('d' | 'i' | 'u' | 'o' | 'x' | 'X', length) => {
                let wanted = match length {
                    "hh" => 1,
                    "h" => 2,
                    "" => 4,
                    "l" | "z" | "t" => word,
                    "ll" | "j" => 8,
                    _ => return None,
                };
                (matches!(ty, Type::Int(_)) && size == Some(wanted)).then_some(Store::Number)
            }
            ('f' | 'F' | 'e' | 'E' | 'g' | 'G' | 'a' | 'A', length) => {
                let wanted = match length {
                    "" => 'f',
                    "l" => 'd',
                    "L" => 'D',
                    _ => return None,
                };
                (ty == self.signature_type(wanted)).then_some(Store::Number)
            }
            ('c', "") if one.width.is_none_or(|width| width == 1) => {
                character.then_some(Store::Character)
            }
            ('s' | '[', "") => character.then_some(Store::Text(one.width)),
            _ => None,
        }
    }

    fn assign_scanned(&mut self, store: &Store, target: &Expr, span: Span) -> Stmt {
        match store {
            Store::Number | Store::Character => {
                let (pointer, ty) = target.typed_pointer();
                let place = Place {
                    base: Base::Deref(Box::new(pointer.clone())),
                    path: Vec::new(),
                    ty,
                    span,
                };
                self.any(&place, span)
            }
            Store::Text(most) => {
                let most = most.map_or(i128::from(i32::MAX), i128::from);
                let size = Type::Int(self.program.model.size_type());
                let most = Expr {
                    ty: size.clone(),
                    ..int(most, span)
                };
                let text = self.signature_type('s');
                let pointer = match target.ty == text {
                    true => target.clone(),
                    false => Expr {
                        kind: ExprKind::Convert(Box::new(target.clone())),
                        ty: text.clone(),
                        span,
                    },
                };
                self.call_of(
                    SCAN_TEXT,
                    vec![pointer, most],
                    vec![text, size],
                    Type::Void,
                    None,
                    span,
                )
            }
        }
    }

    /// A place gets any value of its type.
    fn any(&mut self, place: &Place, span: Span) -> Stmt {
        let name = match &place.ty {
            Type::Int(int) => format!(
                "__ult_any_{}{}",
                if int.signed { 'i' } else { 'u' },
                int.bits
            ),
            Type::Float(float) => format!("__ult_any_f{}", float.size(self.program.model)),
            _ => "__ult_any_other".to_owned(),
        };
        let (ty, place) = (place.ty.clone(), place.clone());
        self.call_of(&name, Vec::new(), Vec::new(), ty, Some(place), span)
    }

    fn call_of(
        &mut self,
        name: &str,
        args: Vec<Expr>,
        params: Vec<Type>,
        result_type: Type,
        result: Option<Place>,
        span: Span,
    ) -> Stmt {
        let id = match self.functions.get(name) {
            Some(&known) => known,
            None => {
                let ty = FunctionType {
                    result: result_type,
                    params,
                    variadic: false,
                    prototyped: true,
                };
                self.declare_function(name, ty, span)
            }
        };
        Stmt {
            kind: StmtKind::Call {
                callee: Callee::Function(id),
                args,
                result,
            },
            span,
        }
    }

    /// The value that a pointer has now.
    fn held(&mut self, pointer: &Expr, index: usize, span: Span, out: &mut Vec<Stmt>) -> Expr {
        if let ExprKind::Address(place) = &pointer.typed_pointer().0.kind
            && matches!(place.base, Base::Variable(_))
            && place.path.is_empty()
        {
            return pointer.clone();
        }
        let (pointer, ty) = pointer.typed_pointer();
        let place = self.local("target", ty.pointer(), index, span, out);
        let pointer = match pointer.ty == place.ty {
            true => pointer.clone(),
            false => Expr {
                kind: ExprKind::Convert(Box::new(pointer.clone())),
                ty: place.ty.clone(),
                span,
            },
        };
        let value = read(&place);
        out.push(Stmt {
            kind: StmtKind::Assign(place, pointer),
            span,
        });
        value
    }

    /// A new local variable of a function.
    fn local(
        &mut self,
        name: &str,
        ty: Type,
        index: usize,
        span: Span,
        out: &mut Vec<Stmt>,
    ) -> Place {
        let id = VarId(u32::try_from(self.program.variables.len()).unwrap_or(u32::MAX));
        self.program.variables.push(Variable {
            name: name.to_owned(),
            ty: ty.clone(),
            storage: Storage::Automatic {
                function: FunctionId(u32::try_from(index).unwrap_or(u32::MAX)),
                parameter: false,
                temporary: true,
            },
            span,
        });
        out.push(Stmt {
            kind: StmtKind::Declare(id),
            span,
        });
        Place {
            base: Base::Variable(id),
            path: Vec::new(),
            ty,
            span,
        }
    }
}

fn int(value: i128, span: Span) -> Expr {
    Expr {
        kind: ExprKind::Int(value),
        ty: Type::INT,
        span,
    }
}

fn read(place: &Place) -> Expr {
    Expr {
        kind: ExprKind::Read(place.clone()),
        ty: place.ty.clone(),
        span: place.span,
    }
}

fn compare(op: CompareOp, left: Expr, right: Expr, span: Span) -> Expr {
    Expr {
        kind: ExprKind::Compare(op, Box::new(left), Box::new(right)),
        ty: Type::INT,
        span,
    }
}
