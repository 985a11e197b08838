//! Names that mean something to the linker (gcc, "Asm Labels", attribute `weak`, `#pragma weak`, `#pragma
//! redefine_extname`): two names may be one object, and an object may have no address. Where such an object is used, that is
//! not covered.

use std::collections::BTreeMap;

use crate::ir::visit::{self, Visit};
use crate::ir::{
    Base, Callee, Expr, ExprKind, FunctionId, Initial, Place, Stmt, StmtKind, Storage, VarId,
};

use super::Elaborator;
use super::attributes::Attributes;
use super::renumber::Numbers;

/// A variable or function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Symbol {
    Variable(VarId),
    Function(FunctionId),
}

/// What declarations say about symbols.
#[derive(Default)]
pub(super) struct Symbols {
    /// Names for the assembler.
    labels: BTreeMap<Symbol, String>,
    weak: Vec<Symbol>,
}

impl Symbols {
    /// Gives symbols their new numbers.
    pub(super) fn renumber(&mut self, numbers: &Numbers) {
        let labels = std::mem::take(&mut self.labels).into_iter();
        self.labels = labels
            .map(|(symbol, label)| (numbers.symbol(symbol), label))
            .collect();
        for symbol in &mut self.weak {
            *symbol = numbers.symbol(*symbol);
        }
    }
}

/// What is not covered of symbols, in words.
#[derive(Default)]
struct Refused {
    /// All uses.
    all: BTreeMap<Symbol, String>,
    /// Uses of the address.
    addresses: BTreeMap<FunctionId, String>,
}

impl Elaborator {
    /// Notes what the attributes of a declaration say about its symbol.
    pub(super) fn symbol(&mut self, symbol: Symbol, attributes: &Attributes) {
        if let Some(label) = &attributes.label {
            self.symbols.labels.insert(symbol, label.clone());
        }
        if attributes.weak {
            self.symbols.weak.push(symbol);
        }
    }

    /// Puts [`StmtKind::Unsupported`] before the uses of symbols whose meaning the linker decides.
    pub(super) fn refuse(&mut self) {
        let mut refused = Refused::default();
        refused
            .all
            .extend(std::mem::take(&mut self.linkage.unclear));
        self.refuse_labels(&mut refused);
        for symbol in std::mem::take(&mut self.symbols.weak) {
            self.refuse_weak(symbol, &mut refused);
        }
        for (other_name, names) in std::mem::take(&mut self.linked) {
            for (number, name) in names.iter().enumerate() {
                for symbol in self.symbols_of(name) {
                    if other_name {
                        let words =
                            format!("the name {name}, which a pragma gives another meaning");
                        refused.all.insert(symbol, words);
                    } else if number == 0 {
                        self.refuse_weak(symbol, &mut refused);
                    }
                }
            }
        }
        if refused.all.is_empty() && refused.addresses.is_empty() {
            return;
        }
        self.refuse_initial(&mut refused);
        for function in &mut self.program.functions {
            if let Some(body) = function.body.take() {
                function.body = Some(refused.statements(body));
            }
        }
    }

    fn symbols_of(&self, name: &str) -> Vec<Symbol> {
        let variable = self.globals.get(name).map(|id| Symbol::Variable(*id));
        let function = self.functions.get(name).map(|id| Symbol::Function(*id));
        variable.into_iter().chain(function).collect()
    }

    fn is_defined(&self, symbol: Symbol) -> bool {
        match symbol {
            Symbol::Function(id) => self.program.function(id).body.is_some(),
            Symbol::Variable(id) => !matches!(
                self.program.variable(id).storage,
                Storage::Static {
                    initial: Initial::Unknown,
                    ..
                }
            ),
        }
    }

    fn name_of(&self, symbol: Symbol) -> &str {
        match symbol {
            Symbol::Function(id) => &self.program.function(id).name,
            Symbol::Variable(id) => &self.program.variable(id).name,
        }
    }

    /// Two declarations that the assembler gives one name are one object; a local variable with such a name is a register.
    fn refuse_labels(&self, refused: &mut Refused) {
        for (&symbol, label) in &self.symbols.labels {
            let name = self.name_of(symbol);
            if name == label {
                continue;
            }
            let words = format!("{name}, which is called {label} in assembler");
            let others = self.symbols_of(label).into_iter().chain(
                self.symbols
                    .labels
                    .iter()
                    .filter(|(other, known)| **other != symbol && *known == label)
                    .map(|(other, _)| *other),
            );
            for other in others {
                let functions = matches!(symbol, Symbol::Function(_));
                if functions && !self.is_defined(symbol) && !self.is_defined(other) {
                    continue;
                }
                refused.all.insert(symbol, words.clone());
                refused.all.insert(other, words.clone());
            }
            if let Symbol::Variable(id) = symbol
                && matches!(self.program.variable(id).storage, Storage::Automatic { .. })
            {
                refused.all.insert(symbol, words);
            }
        }
    }

    /// What is weak and not defined here may have no address.
    fn refuse_weak(&self, symbol: Symbol, refused: &mut Refused) {
        if self.is_defined(symbol) {
            return;
        }
        let words = format!("the weak symbol {}", self.name_of(symbol));
        match symbol {
            Symbol::Variable(_) => {
                refused.all.insert(symbol, words);
            }
            Symbol::Function(id) => {
                refused.addresses.insert(id, words);
            }
        }
    }

    /// Variables that contain such addresses from the start.
    fn refuse_initial(&self, refused: &mut Refused) {
        loop {
            let mut found = Vec::new();
            for (variable, number) in self.program.variables.iter().zip(0..) {
                let symbol = Symbol::Variable(VarId(number));
                if let Storage::Static {
                    initial: Initial::Values(values),
                    ..
                } = &variable.storage
                    && !refused.all.contains_key(&symbol)
                {
                    let words = values
                        .iter()
                        .find_map(|(_, value)| refused.find(|finder| finder.expr(value)));
                    found.extend(words.map(|words| (symbol, words)));
                }
            }
            if found.is_empty() {
                return;
            }
            refused.all.extend(found);
        }
    }
}

impl Refused {
    fn find(&self, look: impl FnOnce(&mut Finder<'_>)) -> Option<String> {
        let mut finder = Finder {
            refused: self,
            found: None,
        };
        look(&mut finder);
        finder.found
    }

    fn statements(&self, statements: Vec<Stmt>) -> Vec<Stmt> {
        let mut out = Vec::with_capacity(statements.len());
        for mut statement in statements {
            ult_lang::stack::ensure_stack(|| match &mut statement.kind {
                StmtKind::If(_, then, otherwise) => {
                    *then = self.statements(std::mem::take(then));
                    *otherwise = self.statements(std::mem::take(otherwise));
                }
                StmtKind::Loop(_, body) | StmtKind::Block(_, body) => {
                    *body = self.statements(std::mem::take(body));
                }
                _ => {}
            });
            if let Some(words) = self.find(|finder| finder.statement(&statement)) {
                out.push(Stmt {
                    kind: StmtKind::Unsupported(words),
                    span: statement.span,
                });
            }
            out.push(statement);
        }
        out
    }
}

/// Looks for a use.
struct Finder<'r> {
    refused: &'r Refused,
    found: Option<String>,
}

impl Finder<'_> {
    fn note(&mut self, symbol: Symbol) {
        if self.found.is_none() {
            self.found = self.refused.all.get(&symbol).cloned();
        }
    }
}

impl Visit for Finder<'_> {
    fn statement(&mut self, node: &Stmt) {
        match &node.kind {
            // The statements within are looked at by themselves.
            StmtKind::If(condition, ..) => return self.expr(condition),
            StmtKind::Loop(..) | StmtKind::Block(..) => return,
            StmtKind::Call {
                callee: Callee::Function(id),
                ..
            } => self.note(Symbol::Function(*id)),
            _ => {}
        }
        visit::statement(self, node);
    }

    fn place(&mut self, node: &Place) {
        if let Base::Variable(id) = node.base {
            self.note(Symbol::Variable(id));
        }
        visit::place(self, node);
    }

    fn expr(&mut self, node: &Expr) {
        if let ExprKind::Function(id) = node.kind {
            self.note(Symbol::Function(id));
            if self.found.is_none() {
                self.found = self.refused.addresses.get(&id).cloned();
            }
        }
        visit::expr(self, node);
    }
}
