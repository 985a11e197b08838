//! gcc's built-in functions: those that are operators, and the types of those that are called.

use ult_lang::span::Span;

use crate::ir::{Base, Callee, Expr, ExprKind, FunctionId, Place, Step};
use crate::syntax::{self as c, Node};
use crate::types::{DataModel, FloatType, FunctionType, IntType, Length, Type};

use super::calls::is_constant;
use super::layout::{self, Member};
use super::{Elaborator, Operand, int, read, void};

/// The types of library functions that gcc knows without a declaration, as result and parameters: `v` void, `c` char,
/// `i` int, `u` unsigned, `l` long, `m` unsigned long, `x` long long, `q` unsigned long long, `z` size_t, `h` unsigned
/// short, `f` float, `d` double, `D` long double, `p` a pointer to void, `s` a pointer to char, `.` any more. With the
/// prefix `__builtin_` they all exist, without it those of the library.
const SIGNATURES: &[(&str, &str)] = &[
    ("abort", "v"),
    ("abs", "ii"),
    ("alloca", "pz"),
    ("assume_aligned", "ppz."),
    ("bswap16", "hh"),
    ("bswap32", "uu"),
    ("bswap64", "qq"),
    ("calloc", "pzz"),
    ("ceil", "dd"),
    ("ceilf", "ff"),
    ("clz", "iu"),
    ("clzl", "im"),
    ("clzll", "iq"),
    ("copysign", "ddd"),
    ("copysignf", "fff"),
    ("copysignl", "DDD"),
    ("cos", "dd"),
    ("ctz", "iu"),
    ("ctzl", "im"),
    ("ctzll", "iq"),
    ("exit", "vi"),
    ("exp", "dd"),
    ("extract_return_addr", "pp"),
    ("fabs", "dd"),
    ("fabsf", "ff"),
    ("fabsl", "DD"),
    ("ffs", "ii"),
    ("ffsl", "il"),
    ("ffsll", "ix"),
    ("floor", "dd"),
    ("floorf", "ff"),
    ("fmax", "ddd"),
    ("fmaxf", "fff"),
    ("fmaxl", "DDD"),
    ("fmin", "ddd"),
    ("fminf", "fff"),
    ("fminl", "DDD"),
    ("fmod", "ddd"),
    ("fprintf", "ips."),
    ("frame_address", "pu"),
    ("free", "vp"),
    ("huge_val", "d"),
    ("huge_valf", "f"),
    ("huge_vall", "D"),
    ("inf", "d"),
    ("inff", "f"),
    ("infl", "D"),
    ("isalpha", "ii"),
    ("isdigit", "ii"),
    ("isspace", "ii"),
    ("labs", "ll"),
    ("llabs", "xx"),
    ("log", "dd"),
    ("malloc", "pz"),
    ("memchr", "ppiz"),
    ("memcmp", "ippz"),
    ("memcpy", "pppz"),
    ("memmove", "pppz"),
    ("mempcpy", "pppz"),
    ("memset", "ppiz"),
    ("nan", "ds"),
    ("nanf", "fs"),
    ("nanl", "Ds"),
    ("object_size", "zpi"),
    ("parity", "iu"),
    ("parityl", "im"),
    ("parityll", "iq"),
    ("clrsb", "ii"),
    ("clrsbll", "ix"),
    ("stpcpy", "sss"),
    ("strnlen", "zsz"),
    ("strcasecmp", "iss"),
    ("strncasecmp", "issz"),
    ("bcmp", "ippz"),
    ("bzero", "vpz"),
    ("__mempcpy_chk", "pppzz"),
    ("__stpcpy_chk", "sssz"),
    ("__strncat_chk", "ssszz"),
    ("popcount", "iu"),
    ("popcountl", "im"),
    ("popcountll", "iq"),
    ("nearbyint", "dd"),
    ("pow", "ddd"),
    ("powf", "fff"),
    ("prefetch", "vp."),
    ("printf", "is."),
    ("putchar", "ii"),
    ("puts", "is"),
    ("realloc", "ppz"),
    ("return_address", "pu"),
    ("rint", "dd"),
    ("rintf", "ff"),
    ("round", "dd"),
    ("roundf", "ff"),
    ("scanf", "is."),
    ("sin", "dd"),
    ("snprintf", "iszs."),
    ("sprintf", "iss."),
    ("sqrt", "dd"),
    ("sqrtf", "ff"),
    ("sscanf", "iss."),
    ("strcat", "sss"),
    ("strchr", "ssi"),
    ("strcmp", "iss"),
    ("strcpy", "sss"),
    ("strcspn", "zss"),
    ("strdup", "ss"),
    ("strlen", "zs"),
    ("strncat", "sssz"),
    ("strncmp", "issz"),
    ("strncpy", "sssz"),
    ("strndup", "ssz"),
    ("strpbrk", "sss"),
    ("strrchr", "ssi"),
    ("strspn", "zss"),
    ("strstr", "sss"),
    ("tolower", "ii"),
    ("toupper", "ii"),
    ("trap", "v"),
    ("tan", "dd"),
    ("trunc", "dd"),
    ("truncf", "ff"),
    ("unreachable", "v"),
    ("__memcpy_chk", "pppzz"),
    ("__memmove_chk", "pppzz"),
    ("__memset_chk", "ppizz"),
    ("__strcat_chk", "sssz"),
    ("__strcpy_chk", "sssz"),
    ("__strncpy_chk", "ssszz"),
    ("isfinite", "i."),
    ("isgreater", "i."),
    ("isgreaterequal", "i."),
    ("isinf", "i."),
    ("isinf_sign", "i."),
    ("isinff", "if"),
    ("isinfl", "iD"),
    ("isnanf", "if"),
    ("isnanl", "iD"),
    ("isless", "i."),
    ("islessequal", "i."),
    ("islessgreater", "i."),
    ("isnan", "i."),
    ("isnormal", "i."),
    ("isunordered", "i."),
    ("fpclassify", "i."),
    ("signbit", "i."),
    ("signbitf", "if"),
    ("signbitl", "iD"),
];

/// What only the compiler knows.
const OBJECT_SIZE: &str = "the size of an object as the compiler knows it";

/// Whether the value is what the compiler knows of an object's size: asking for it computes nothing.
pub(super) fn is_object_size(value: &Expr) -> bool {
    match &value.kind {
        ExprKind::Unsupported(words) => words == OBJECT_SIZE,
        ExprKind::Convert(inner) => is_object_size(inner),
        _ => false,
    }
}

/// Functions that exist only with the prefix.
const ONLY_PREFIXED: &[&str] = &[
    "assume_aligned",
    "bswap16",
    "bswap32",
    "bswap64",
    "extract_return_addr",
    "frame_address",
    "huge_val",
    "huge_valf",
    "huge_vall",
    "inf",
    "inff",
    "infl",
    "object_size",
    "prefetch",
    "return_address",
    "trap",
    "unreachable",
];

impl Elaborator {
    /// The function that gcc knows by this name without a declaration.
    pub(super) fn builtin_function(&mut self, name: &str, place: Span) -> Option<FunctionId> {
        let (bare, prefixed) = match name.strip_prefix("__builtin_") {
            Some(bare) => (bare, true),
            None => (name, false),
        };
        let (_, signature) = SIGNATURES.iter().find(|(known, _)| *known == bare)?;
        let operator = signature.ends_with("i.") || signature.starts_with('b');
        if !prefixed
            && (operator
                || bare.starts_with("__")
                || bare.starts_with("clz")
                || bare.starts_with("clrsb")
                || bare.starts_with("ctz")
                || bare.starts_with("parity")
                || bare.starts_with("popcount")
                || ONLY_PREFIXED.contains(&bare))
        {
            return None;
        }
        let variadic = signature.ends_with('.');
        let mut types = signature
            .chars()
            .filter(|letter| *letter != '.')
            .map(|letter| self.signature_type(letter))
            .collect::<Vec<_>>()
            .into_iter();
        let result = types.next().unwrap_or(Type::Void);
        let params: Vec<Type> = types.collect();
        let ty = FunctionType {
            result,
            // Without a first parameter, arguments of every type are welcome.
            prototyped: !(variadic && params.is_empty()),
            variadic,
            params,
        };
        let id = self.declare_function(name, ty, place);
        self.implicit_functions.insert(id);
        Some(id)
    }

    /// The type of a function of verification tasks that gives anything, by its name (`__VERIFIER_nondet_uchar`), where the
    /// program does not declare it. For a name that says no type, the meaning is not known (`crate::functions`).
    pub(super) fn nondet_function(&self, name: &str) -> Option<FunctionType> {
        let sized = |bits, signed| Type::Int(IntType { bits, signed });
        let letter = |letter| self.signature_type(letter);
        let (result, params) = match name.strip_prefix("__VERIFIER_nondet_")? {
            "bool" => (Type::Bool, Vec::new()),
            "char" => (letter('c'), Vec::new()),
            "uchar" | "u8" => (sized(8, false), Vec::new()),
            "short" => (sized(16, true), Vec::new()),
            "ushort" | "u16" => (letter('h'), Vec::new()),
            "int" => (letter('i'), Vec::new()),
            "uint" | "unsigned" | "u32" => (letter('u'), Vec::new()),
            "long" => (letter('l'), Vec::new()),
            "ulong" => (letter('m'), Vec::new()),
            "longlong" => (letter('x'), Vec::new()),
            "ulonglong" | "u64" => (letter('q'), Vec::new()),
            "size_t" => (letter('z'), Vec::new()),
            "float" => (letter('f'), Vec::new()),
            "double" => (letter('d'), Vec::new()),
            "pointer" => (letter('p'), Vec::new()),
            "memory" => (Type::Void, vec![letter('p'), letter('z')]),
            // A parameter keeps it from being taken for a function that gives any `int`.
            _ => (Type::INT, vec![Type::INT]),
        };
        Some(FunctionType {
            result,
            prototyped: !matches!(&params[..], [Type::Int(_)]),
            variadic: false,
            params,
        })
    }

    pub(super) fn signature_type(&self, letter: char) -> Type {
        let model = self.program.model;
        let sized = |bits, signed| Type::Int(IntType { bits, signed });
        match letter {
            'b' => Type::Bool,
            'c' => Type::Int(IntType::CHAR),
            'h' => sized(16, false),
            'i' => Type::INT,
            'u' => Type::Int(IntType::UNSIGNED),
            'l' => sized(model.word(), true),
            'm' => sized(model.word(), false),
            'x' => sized(64, true),
            'q' => sized(64, false),
            'z' => Type::Int(model.size_type()),
            'f' => Type::Float(FloatType::Single),
            'd' => Type::Float(FloatType::Double),
            'D' => Type::Float(FloatType::Extended),
            'p' => Type::Void.pointer(),
            's' => Type::Int(IntType::CHAR).pointer(),
            // The same letters in upper case are pointers to them.
            'I' | 'U' | 'L' | 'M' | 'X' | 'Q' => {
                self.signature_type(letter.to_ascii_lowercase()).pointer()
            }
            _ => Type::Void,
        }
    }

    /// `__builtin_va_list`: an array of one structure for 64 bits, a pointer for 32.
    pub(super) fn va_list_type(&mut self) -> Type {
        if let Some(ty) = &self.va_list {
            return ty.clone();
        }
        let ty = match self.program.model {
            DataModel::Ilp32 => Type::Int(IntType::CHAR).pointer(),
            DataModel::Lp64 => {
                let member = |name: &str, ty: Type| Member {
                    name: name.to_owned(),
                    ty,
                    type_align: None,
                    align: None,
                    packed: false,
                    width: None,
                    unnamed: false,
                };
                let members = vec![
                    member("gp_offset", Type::Int(IntType::UNSIGNED)),
                    member("fp_offset", Type::Int(IntType::UNSIGNED)),
                    member("overflow_arg_area", Type::Void.pointer()),
                    member("reg_save_area", Type::Void.pointer()),
                ];
                let placed = layout::place(members, false, false, None, None, self.layout());
                let id = self.new_record(Some("__va_list_tag"), false);
                if let Some(placed) = placed {
                    let record = &mut self.program.records[id.0 as usize];
                    record.fields = Some(placed.fields);
                    record.size = placed.size;
                    record.align = placed.align;
                }
                Type::Array(Type::Record(id).into(), Length::Known(1))
            }
        };
        self.va_list = Some(ty.clone());
        ty
    }

    /// A built-in function that is an operator, or one whose type depends on its arguments.
    pub(super) fn builtin_call(
        &mut self,
        name: &str,
        arguments: &[Node<c::Expression>],
        used: bool,
        place: Span,
    ) -> Option<Operand> {
        match (name, arguments) {
            ("__builtin_expect" | "__builtin_expect_with_probability", [value, rest @ ..]) => {
                let long = self.signature_type('l');
                let value = self.value(value);
                let mark = self.out.len();
                for argument in rest {
                    self.effect(argument);
                }
                let value = self.keep(value, mark);
                Some(Operand::Value(self.assign_convert(
                    value,
                    &long,
                    "this argument",
                )))
            }
            ("__builtin_constant_p", [value]) => {
                let (value, acts) = self.unevaluated(|this| {
                    let value = this.value(value);
                    (value, !this.out.is_empty())
                });
                let constant = !acts && (is_constant(&value) || self.is_literal(&value));
                Some(Operand::Value(int(i128::from(constant), Type::INT, place)))
            }
            // Where only a checking variant of a function asks for it, it does not matter.
            ("__builtin_object_size" | "__builtin_dynamic_object_size", [_, _]) => {
                let ty = self.signature_type('z');
                Some(Operand::Value(super::unsupported(OBJECT_SIZE, ty, place)))
            }
            ("__builtin_choose_expr", [condition, then, otherwise]) => {
                let chosen = self.constant_expression(condition)? != 0;
                Some(self.operand(if chosen { then } else { otherwise }, used))
            }
            ("__builtin_va_start" | "__builtin_va_end" | "__builtin_c23_va_start", [list, ..]) => {
                let list = self.va_list_pointer(list);
                Some(self.builtin_statement(name, vec![list], Type::Void, used, place))
            }
            ("__builtin_va_copy", [to, from]) => {
                let to = self.va_list_pointer(to);
                let mark = self.out.len();
                let from = self.va_list_pointer(from);
                let to = self.keep(to, mark);
                Some(self.builtin_statement(name, vec![to, from], Type::Void, used, place))
            }
            _ => self.overflow_call(name, arguments, place),
        }
    }

    /// Whether a value is the address of a string literal.
    fn is_literal(&self, value: &Expr) -> bool {
        let ExprKind::Address(place) = &value.typed_pointer().0.kind else {
            return false;
        };
        let first = |step: &Step| matches!(step, Step::Index(index) if matches!(index.kind, ExprKind::Int(0)));
        place.path.iter().all(first)
            && matches!(place.base, Base::Variable(id) if self.program.literals.contains(&id)
                && self.program.variable(id).is_static())
    }

    /// The pointer to a `va_list`: as an array it decays, as a parameter it is one already.
    fn va_list_pointer(&mut self, list: &Node<c::Expression>) -> Expr {
        match (self.operand(list, true), self.program.model) {
            (Operand::Place(object), DataModel::Ilp32) => self.address(object),
            (operand, _) => self.decay(operand),
        }
    }

    fn builtin_statement(
        &mut self,
        name: &str,
        args: Vec<Expr>,
        result: Type,
        used: bool,
        place: Span,
    ) -> Operand {
        let ty = FunctionType {
            result: Type::Void,
            params: Vec::new(),
            variadic: true,
            prototyped: false,
        };
        let id = self.declare_function(name, ty, place);
        self.emit_call(Callee::Function(id), args, result, used, place)
    }

    /// `va_arg` (C11 7.16.1.1)
    pub(super) fn va_arg(&mut self, arg: &c::VaArgExpression, place: Span) -> Operand {
        let list = self.va_list_pointer(&arg.va_list);
        let ty = self.type_name(&arg.type_name.node);
        if !ty.is_scalar() && !matches!(ty, Type::Record(_)) {
            self.mismatch(
                &void(arg.type_name.span),
                "`va_arg` needs a type of values".to_owned(),
            );
        }
        // Even if nothing uses it, the argument is taken from the list.
        let name = "__builtin_va_arg";
        if !matches!(ty, Type::Record(_)) {
            return self.builtin_statement(name, vec![list], ty, true, place);
        }
        let passed = ty.passed().pointer();
        match self.builtin_statement(name, vec![list], passed, true, place) {
            Operand::Value(pointer) => Operand::Value(read(Place {
                base: Base::Deref(Box::new(pointer)),
                path: vec![Step::Index(int(0, Type::INT, place))],
                ty,
                span: place,
            })),
            other => other,
        }
    }

    /// Whether a value is the null pointer constant (C11 6.3.2.3).
    pub(super) fn is_null(value: &Expr) -> bool {
        match (&value.kind, &value.ty) {
            (ExprKind::Int(0), Type::Pointer(target)) => **target == Type::Void,
            (ExprKind::Int(0), ty) => ty.is_integer(),
            _ => false,
        }
    }
}
