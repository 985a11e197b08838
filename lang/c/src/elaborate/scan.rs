//! Calls of `scanf`, `fscanf` and `sscanf` (C11 7.21.6.2) whose format is a literal.
//!
//! They become statements: the library says how many of the arguments are assigned to, in order. Each gets an arbitrary value
//! that its conversion can give, or characters. Other calls stay what they are, and are not covered.

use ult_lang::span::Span;
use ult_lang::stack::ensure_stack;

use super::Elaborator;
use super::formats::{self, Conversion};
use crate::ir::{
    Base, Callee, CompareOp, Expr, ExprKind, FunctionId, Place, Stmt, StmtKind, Storage, VarId,
    Variable,
};
use crate::library::{SCAN, SCAN_TEXT};
use crate::types::{FunctionType, IntType, Type};

/// Where a conversion puts what it reads.
enum Store {
    /// A number of the type that the pointer points to, between these if its digits do not suffice for others.
    Number(Option<(i128, i128)>),
    /// At most so many characters of these ranges, and a zero behind.
    Text(Option<u32>, Vec<(u8, u8)>),
    /// One character.
    Character,
}

/// How many ranges of characters the library's function takes.
const RANGES: usize = 4;

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
            .map(|(one, target)| self.scanned(one, target, from_string))
            .collect::<Option<Vec<Store>>>()?;
        let beginning = formats::beginning(format);
        let stream = args
            .first()
            .filter(|_| before == 1 && !from_string)
            .cloned();
        let number = |value: usize| i128::try_from(value).unwrap_or(i128::MAX);
        let mut out = Vec::new();
        // What is read is evaluated before anything is written.
        let targets: Vec<Expr> = targets
            .iter()
            .map(|target| self.held(target, index, span, &mut out))
            .collect();
        if from_string {
            for name in [
                "__ult_may_fail",
                "__ult_approximated",
                "__ult_reads_strings",
            ] {
                let call = self.call_of(name, Vec::new(), Vec::new(), Type::Void, None, span);
                out.push(call);
            }
        }
        let count = self.local("count", Type::INT, index, span, &mut out);
        if from_string {
            out.push(self.any(&count, span));
            let bounds = between(&count, -1, number(targets.len()), span);
            out.push(self.assume(bounds, span));
        } else {
            let first = conversions.first();
            let kind = first.map_or('c', |one| one.letter);
            // A string stops only at white space, which is skipped before, and `%c` takes everything.
            let none =
                beginning.0 || first.is_none_or(|one| one.star) || !matches!(kind, 'c' | 's');
            let skips = beginning.1 || !beginning.0 && !matches!(kind, 'c' | '[' | 'n');
            let call = self.scan_count(stream, targets.len(), (none, skips), &count, span);
            out.push(call);
        }
        for (position, (store, target)) in stores.iter().zip(&targets).enumerate() {
            let position = int(number(position), span);
            let assigned = compare(CompareOp::Less, position, read(&count), span);
            let statements = self.assign_scanned(store, target, span);
            out.push(Stmt {
                kind: StmtKind::If(assigned, statements, Vec::new()),
                span,
            });
        }
        if let Some(result) = result {
            let kind = StmtKind::Assign(result.clone(), read(&count));
            out.push(Stmt { kind, span });
        }
        Some(out)
    }

    /// How many conversions of so many assign, which may be none or not.
    fn scan_count(
        &mut self,
        stream: Option<Expr>,
        most: usize,
        (none, skips): (bool, bool),
        count: &Place,
        span: Span,
    ) -> Stmt {
        let name = if stream.is_some() { SCAN.1 } else { SCAN.0 };
        let ty = Type::Void.pointer();
        let stream = match stream {
            Some(stream) => ExprKind::Convert(Box::new(stream)),
            None => ExprKind::Int(0),
        };
        let stream = Expr {
            kind: stream,
            ty: ty.clone(),
            span,
        };
        let most = i128::try_from(most).unwrap_or(i128::MAX);
        let mut args = vec![stream];
        args.extend([most, none.into(), skips.into()].map(|value| int(value, span)));
        let params = vec![ty, Type::INT, Type::INT, Type::INT];
        self.call_of(name, args, params, Type::INT, Some(count.clone()), span)
    }

    fn assume(&mut self, condition: Expr, span: Span) -> Stmt {
        self.call_of(
            "__ult_assume",
            vec![condition],
            vec![Type::INT],
            Type::Void,
            None,
            span,
        )
    }

    /// What a conversion stores, if the argument fits.
    fn scanned(&self, one: &Conversion, target: &Expr, from_string: bool) -> Option<Store> {
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
                let Type::Int(int) = ty else { return None };
                let digits = one.width.and_then(|width| numbers(one.letter, width, int));
                (size == Some(wanted)).then_some(Store::Number(digits))
            }
            ('f' | 'F' | 'e' | 'E' | 'g' | 'G' | 'a' | 'A', length) => {
                let wanted = match length {
                    "" => 'f',
                    "l" => 'd',
                    "L" => 'D',
                    _ => return None,
                };
                (ty == self.signature_type(wanted)).then_some(Store::Number(None))
            }
            ('c', "") if one.width.is_none_or(|width| width == 1) => {
                character.then_some(Store::Character)
            }
            ('s' | '[', "") => {
                // A zero ends a string, but may come from a file.
                let is_text = |byte: u8| byte != 0 || !from_string;
                let is_space = |byte: u8| matches!(byte, b' ' | b'\t'..=b'\r');
                let in_set = |byte: u8| {
                    one.set
                        .iter()
                        .any(|(low, high)| (*low..=*high).contains(&byte))
                };
                let accepted = formats::ranges(|byte| {
                    is_text(byte)
                        && if one.letter == 's' {
                            !is_space(byte)
                        } else {
                            in_set(byte)
                        }
                });
                (character && accepted.len() <= RANGES).then_some(Store::Text(one.width, accepted))
            }
            _ => None,
        }
    }

    fn assign_scanned(&mut self, store: &Store, target: &Expr, span: Span) -> Vec<Stmt> {
        match store {
            Store::Number(_) | Store::Character => {
                let (pointer, ty) = target.typed_pointer();
                let place = Place {
                    base: Base::Deref(Box::new(pointer.clone())),
                    path: Vec::new(),
                    ty,
                    span,
                };
                let mut out = vec![self.any(&place, span)];
                if let Store::Number(Some((low, high))) = store {
                    let bounds = between(&place, *low, *high, span);
                    out.push(self.assume(bounds, span));
                }
                out
            }
            Store::Text(most, ranges) => {
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
                let none = (1, 0);
                let all = ranges.iter().copied().chain(std::iter::repeat(none));
                let mut args = vec![pointer, most];
                for (low, high) in all.take(RANGES) {
                    args.extend([low, high].map(|byte| int(byte.into(), span)));
                }
                let mut params = vec![text, size];
                params.resize(args.len(), Type::INT);
                vec![self.call_of(SCAN_TEXT, args, params, Type::Void, None, span)]
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

/// Whether the value of a place is between two numbers.
fn between(place: &Place, low: i128, high: i128, span: Span) -> Expr {
    let constant = |value| Expr {
        ty: place.ty.clone(),
        ..int(value, span)
    };
    let above = compare(CompareOp::LessEqual, constant(low), read(place), span);
    let below = compare(CompareOp::LessEqual, read(place), constant(high), span);
    Expr {
        kind: ExprKind::And(Box::new(above), Box::new(below)),
        ty: Type::INT,
        span,
    }
}

/// The numbers that so many characters can say, a sign among them; nothing if these are all of the type, or if a negative one
/// becomes a large one.
fn numbers(letter: char, width: u32, int: IntType) -> Option<(i128, i128)> {
    let base: i128 = match letter {
        'd' | 'u' => 10,
        'o' => 8,
        // Decimal numbers have more digits, hexadecimal ones of as many characters are larger.
        'i' | 'x' | 'X' => 16,
        _ => return None,
    };
    let largest = |digits: u32| base.checked_pow(digits).map(|power| power - 1);
    let (low, high) = (-largest(width.checked_sub(1)?)?, largest(width)?);
    let (least, most) = (int.min(), int.max());
    let low = if int.signed { low.max(least) } else { 0 };
    // A sign before a number without one makes it large.
    let fits = int.signed || width < 2;
    (fits && (low > least || high < most)).then_some((low, high.min(most)))
}
