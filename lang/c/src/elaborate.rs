//! From syntax trees to the typed program: names are resolved, types computed, conversions and side effects written out.
//!
//! Expressions are elaborated into an [`Operand`] (an object, a value or a function); their side effects are appended to
//! the statements of the moment ([`Elaborator::out`]) in the order in which C evaluates them. Where C leaves the order
//! open and it does not matter, it is from left to right: if the right operand has side effects, the value of the left one
//! is saved in a temporary variable before.
//!
//! Built-in functions of gcc become calls of functions of that name. The `__builtin_va_…` ones get a pointer to the
//! `va_list` as their first argument, and `__builtin_va_arg` has a result of whatever type is asked for.
//!
//! | module | idea |
//! |---|---|
//! | `scope` | names and what they stand for |
//! | `specifiers`, `declarators`, `attributes` | from declarations to types |
//! | `records`, `layout`, `enums` | structures, unions and enumerations |
//! | `declarations`, `definitions` | variables and functions |
//! | `initialisers`, `initialiser_lists`, `initialiser_values` | from initialisers to assignments or static contents |
//! | `statements`, `switch` | control flow |
//! | `lifetimes` | when variables live |
//! | `expressions`, `operators`, `pointers`, `assignments`, `calls`, `builtins`, `overflow`, `atomics`, `selection` | expressions |
//! | `discard` | values that are dropped |
//! | `constant_propagation` | sizes that variables hold, where they are constant |
//! | `convert`, `fold` | conversions and constant expressions |
//! | `literals`, `rounding` | from the text of literals to values |
//! | `refused` | names that mean something to the linker |
//! | `order`, `effects`, `assigned_twice` | where the order of operands matters |
//! | `units` | several translation units as one program |
//! | `compatible_types` | structures that are the same in several units |
//! | `renumber` | other numbers for what is the same |
//! | `link`, `needed`, `formats`, `scan`, `strings_read`, `comparisons` | calls of the library's functions |
//! | `reconcile` | calls that were read before the function's definition |

mod assigned_twice;
mod assignments;
mod atomics;
mod attributes;
mod builtins;
mod calls;
mod comparisons;
mod compatible_types;
mod constant_propagation;
mod convert;
mod declarations;
mod declarators;
mod definitions;
mod discard;
mod effects;
mod enums;
mod expressions;
mod fold;
mod format_arguments;
pub(crate) mod formats;
mod initialiser_lists;
mod initialiser_values;
mod initialisers;
mod label_values;
mod layout;
mod lifetimes;
mod link;
mod literals;
mod needed;
mod operators;
mod order;
mod overflow;
mod pointers;
mod reconcile;
mod records;
mod refused;
mod renumber;
mod rounding;
mod scan;
mod scope;
mod selection;
mod specifiers;
mod statements;
mod strings_read;
mod switch;
mod units;

use std::collections::{HashMap, HashSet};

use ult_lang::diagnostic::{Diagnostic, Id};
use ult_lang::span::Span;

use crate::ir::{
    Base, Expr, ExprKind, Function, FunctionId, Initial, Origin, Place, Program, Step, Stmt,
    StmtKind, Storage, VarId, Variable,
};
use crate::options::Evaluation;
use crate::parse::Parsed;
use crate::source::Packs;
use crate::types::{DataModel, Layout, RecordId, Type};
use definitions::FunctionContext;
use scope::Scope;

/// The typed program of what was parsed, and what is wrong with it, with places in the text that was parsed. If there is
/// an error among the diagnostics, the program is not to be used.
pub fn elaborate(parsed: &Parsed, model: DataModel) -> (Program, Vec<Diagnostic>) {
    elaborate_in(Evaluation::AnyOrder, false, parsed, model)
}

/// The same, with the order in which operands are evaluated, and whether strings that the library reads are looked at.
pub(crate) fn elaborate_in(
    evaluation: Evaluation,
    checks_strings: bool,
    parsed: &Parsed,
    model: DataModel,
) -> (Program, Vec<Diagnostic>) {
    let mut elaborator = linked(parsed, model, checks_strings, order::Pairs::default());
    let conflicts = elaborator.pairs.conflicts(&elaborator.program);
    if !conflicts.is_empty() {
        let counts = elaborator.pairs.counts();
        elaborator = linked(
            parsed,
            model,
            checks_strings,
            order::Pairs::knowing(conflicts, evaluation),
        );
        if !elaborator.pairs.are_among(&counts) {
            elaborator.refuse_orders();
        }
    }
    elaborator.refuse();
    let Elaborator {
        mut program,
        diagnostics,
        ..
    } = elaborator;
    for function in &mut program.functions {
        let markers = &parsed.markers;
        let behind = markers.partition_point(|marker| marker.offset <= function.span.start);
        let marker = behind.checked_sub(1).and_then(|last| markers.get(last));
        let file = marker.and_then(|marker| marker.file.as_deref());
        function.origin = file.map_or(Origin::Program, origin_of);
    }
    let is_main = |function: &Function| function.name == "main" && function.body.is_some();
    let main = program.functions.iter().position(is_main);
    program.main = main.map(|number| FunctionId(number as u32));
    (program, diagnostics)
}

/// All units and what they need of the library, as one program; of pairs of operands, it is known which conflict.
fn linked(
    parsed: &Parsed,
    model: DataModel,
    checks_strings: bool,
    pairs: order::Pairs,
) -> Elaborator {
    let mut elaborator = Elaborator::new(model);
    elaborator.checks_strings = checks_strings;
    elaborator.pairs = pairs;
    elaborator.packs = parsed.packs.clone();
    elaborator.linked = parsed.linked.clone();
    for unit in &parsed.units {
        for declaration in &unit.0 {
            elaborator.external_declaration(declaration);
        }
        if parsed.units.len() > 1 {
            elaborator.end_of_unit();
        }
    }
    elaborator.join_units();
    elaborator.use_settled_values();
    elaborator.check_formats();
    elaborator.link(&parsed.library);
    elaborator.finish();
    elaborator
}

/// Whose file it is, by its name.
fn origin_of(file: &str) -> Origin {
    let folders = ["/usr/include/", "/usr/lib/", "/usr/local/include/"];
    let is_of_system = folders.iter().any(|folder| file.starts_with(folder));
    if is_of_system || crate::library::is_header(file) {
        Origin::System
    } else if crate::library::is_library_file(file) {
        Origin::Library
    } else {
        Origin::Program
    }
}

/// What an expression stands for before arrays and functions decay and objects are read.
enum Operand {
    /// An object.
    Place(Place),
    /// A value; never a whole array.
    Value(Expr),
    /// A function.
    Function(FunctionId, Span),
}

struct Elaborator {
    program: Program,
    diagnostics: Vec<Diagnostic>,
    /// From the file's scope to the innermost one.
    scopes: Vec<Scope>,
    /// Variables with linkage by their names, and other file-scope variables.
    globals: HashMap<String, VarId>,
    /// Functions by their names.
    functions: HashMap<String, FunctionId>,
    /// The declared types of variables whose flexible array member has elements.
    without_elements: HashMap<RecordId, RecordId>,
    /// Functions that nothing declares: called without a declaration, or known to gcc.
    implicit_functions: HashSet<FunctionId>,
    /// Functions with a definition for inlining only.
    inline_definitions: HashSet<FunctionId>,
    /// Values of variables that are `const` and initialised with a constant.
    constants: HashMap<VarId, Expr>,
    /// The function whose body is read.
    function: Option<FunctionContext>,
    /// The statements of the moment.
    out: Vec<Stmt>,
    /// How many prototypes enclose: there, lengths of arrays that are not constant stay unknown.
    prototypes: u32,
    /// How many operands enclose that are not evaluated.
    unevaluated: u32,
    /// How many names were made up.
    names: u32,
    /// Whether variables that are constants count as their values: in initialisers of static variables.
    constants_are_values: bool,
    /// The type `__builtin_va_list`, once it was needed.
    va_list: Option<Type>,
    /// What declarations tell the linker.
    symbols: refused::Symbols,
    /// What pragmas tell the linker, see [`Parsed::linked`].
    linked: Vec<(bool, Vec<String>)>,
    /// Variables with a volatile part, or pointers to such.
    volatile: HashSet<VarId>,
    /// The same for structures and unions.
    volatile_records: HashSet<RecordId>,
    /// Operands without an order.
    pairs: order::Pairs,
    /// What is known of linkage and definitions, for programs of several units.
    linkage: units::Linkage,
    /// From offsets in the trees to offsets in the text.
    /// The greatest alignment of members, by offsets in the text.
    /// Whether strings that functions of the library read are looked at.
    checks_strings: bool,
    packs: Packs,
}

impl Elaborator {
    fn new(model: DataModel) -> Elaborator {
        Elaborator {
            program: Program {
                model,
                ..Program::default()
            },
            diagnostics: Vec::new(),
            scopes: vec![Scope::default()],
            globals: HashMap::new(),
            functions: HashMap::new(),
            without_elements: HashMap::new(),
            implicit_functions: HashSet::new(),
            inline_definitions: HashSet::new(),
            constants: HashMap::new(),
            function: None,
            out: Vec::new(),
            prototypes: 0,
            unevaluated: 0,
            names: 0,
            constants_are_values: false,
            va_list: None,
            symbols: refused::Symbols::default(),
            linked: Vec::new(),
            volatile: HashSet::new(),
            volatile_records: HashSet::new(),
            pairs: order::Pairs::default(),
            linkage: units::Linkage::default(),
            checks_strings: false,
            packs: Packs::default(),
        }
    }

    fn layout(&self) -> Layout<'_> {
        Layout {
            model: self.program.model,
            records: &self.program.records,
        }
    }

    fn error(&mut self, id: Id, message: impl Into<String>, span: Span, label: impl Into<String>) {
        self.diagnostics
            .push(Diagnostic::error(id, message, span, label));
    }

    fn warning(
        &mut self,
        id: Id,
        message: impl Into<String>,
        span: Span,
        label: impl Into<String>,
    ) {
        self.diagnostics
            .push(Diagnostic::warning(id, message, span, label));
    }

    fn emit(&mut self, kind: StmtKind, span: Span) {
        self.out.push(Stmt { kind, span });
    }

    /// Runs `f` with an empty list of statements and gives what it appended.
    fn collect<R>(&mut self, f: impl FnOnce(&mut Elaborator) -> R) -> (Vec<Stmt>, R) {
        let before = std::mem::take(&mut self.out);
        let result = f(self);
        let collected = std::mem::replace(&mut self.out, before);
        (collected, result)
    }

    fn new_variable(&mut self, name: String, ty: Type, storage: Storage, span: Span) -> VarId {
        let id = VarId(self.program.variables.len() as u32);
        self.program.variables.push(Variable {
            name,
            ty,
            storage,
            span,
        });
        id
    }

    /// A variable made up for a value between two side effects.
    fn temporary(&mut self, ty: Type, span: Span) -> Place {
        self.names += 1;
        let name = format!("t{}", self.names);
        let storage = match &self.function {
            Some(context) => Storage::Automatic {
                function: context.id,
                parameter: false,
                temporary: true,
            },
            // Only for operands that are not evaluated, as of `sizeof`.
            None => Storage::Static {
                function: None,
                initial: Initial::Unknown,
            },
        };
        let id = self.new_variable(name, ty, storage, span);
        self.variable_place(id, span)
    }

    fn variable_place(&self, id: VarId, span: Span) -> Place {
        Place {
            base: Base::Variable(id),
            path: Vec::new(),
            ty: self.program.variable(id).ty.clone(),
            span,
        }
    }

    /// Saves a value in a temporary variable, and gives its value.
    fn save(&mut self, value: Expr) -> Expr {
        let at = self.out.len();
        self.save_at(value, at)
    }

    /// Saves a value in a temporary variable before the statement with the index `at`.
    fn save_at(&mut self, value: Expr, at: usize) -> Expr {
        // A temporary has no width that the promotions could see.
        let bit_field =
            matches!(&value.kind, ExprKind::Read(place) if self.program.bit_field(place).is_some());
        let value = if self.is_wide_bit_field(&value) {
            let words = "the value of a bit-field that is wider than `int`, before a side effect";
            unsupported(words, value.ty, value.span)
        } else if bit_field {
            self.promote(value)
        } else {
            value
        };
        let span = value.span;
        let place = self.temporary(value.ty.clone(), span);
        self.out.insert(
            at,
            Stmt {
                kind: StmtKind::Assign(place.clone(), value),
                span,
            },
        );
        read(place)
    }

    /// Makes sure that the statements from `mark` on do not change the value: saves it before them if they could.
    fn keep(&mut self, value: Expr, mark: usize) -> Expr {
        if self.changes_nothing(mark) || self.is_stable(&value) {
            return value;
        }
        self.save_at(value, mark)
    }

    /// Makes sure that the statements from `mark` on do not change which object it is.
    fn keep_place(&mut self, mut place: Place, mark: usize) -> Place {
        if self.changes_nothing(mark) {
            return place;
        }
        if let Base::Deref(pointer) = place.base {
            place.base = Base::Deref(Box::new(self.keep(*pointer, mark)));
        }
        place.path = place
            .path
            .into_iter()
            .map(|step| match step {
                Step::Index(index) => Step::Index(self.keep(index, mark)),
                field @ Step::Field(..) => field,
            })
            .collect();
        place
    }

    /// Whether the statements from `mark` on write nothing but temporaries.
    fn changes_nothing(&self, mark: usize) -> bool {
        self.out[mark..].iter().all(|stmt| match &stmt.kind {
            StmtKind::Assign(place, _) => {
                matches!(place.base, Base::Variable(id) if self.is_temporary(id))
            }
            StmtKind::Evaluate(_) | StmtKind::End(_) => true,
            _ => false,
        })
    }

    fn is_temporary(&self, id: VarId) -> bool {
        matches!(
            self.program.variable(id).storage,
            Storage::Automatic {
                temporary: true,
                ..
            }
        )
    }

    /// Whether no statement changes the value: it reads nothing but temporaries.
    fn is_stable(&self, value: &Expr) -> bool {
        ult_lang::stack::ensure_stack(|| match &value.kind {
            ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::Function(_)
            | ExprKind::Unsupported(_) => true,
            ExprKind::Read(place) => {
                matches!(place.base, Base::Variable(id) if self.is_temporary(id))
                    && self.is_stable_place(place)
            }
            ExprKind::Address(place) => self.is_stable_place(place),
            ExprKind::Unary(_, operand) | ExprKind::Not(operand) | ExprKind::Convert(operand) => {
                self.is_stable(operand)
            }
            ExprKind::Binary(_, left, right)
            | ExprKind::Compare(_, left, right)
            | ExprKind::And(left, right)
            | ExprKind::Or(left, right)
            | ExprKind::Difference(left, right) => self.is_stable(left) && self.is_stable(right),
            ExprKind::Conditional(condition, then, otherwise) => {
                self.is_stable(condition) && self.is_stable(then) && self.is_stable(otherwise)
            }
            ExprKind::Offset { pointer, index, .. } => {
                self.is_stable(pointer) && self.is_stable(index)
            }
        })
    }

    /// Whether no statement changes which object it is.
    fn is_stable_place(&self, place: &Place) -> bool {
        let base = match &place.base {
            Base::Variable(_) => true,
            Base::Deref(pointer) => self.is_stable(pointer),
        };
        base && place.path.iter().all(|step| match step {
            Step::Field(..) => true,
            Step::Index(index) => self.is_stable(index),
        })
    }
}

/// The value of an object.
fn read(place: Place) -> Expr {
    Expr {
        ty: place.ty.clone(),
        span: place.span,
        kind: ExprKind::Read(place),
    }
}

/// An integer constant.
fn int(value: i128, ty: Type, span: Span) -> Expr {
    Expr {
        kind: ExprKind::Int(value),
        ty,
        span,
    }
}

/// What has no value.
fn void(span: Span) -> Expr {
    int(0, Type::Void, span)
}

/// Something that is not covered.
fn unsupported(words: impl Into<String>, ty: Type, span: Span) -> Expr {
    Expr {
        kind: ExprKind::Unsupported(words.into()),
        ty,
        span,
    }
}
