//! Programs as SV-LIB says them, with every name and sort resolved.

use ult_lang::hir::{self, LocalId, Type, VarRef};
use ult_lang::span::Span;
use ult_lang::stack::ensure_stack;
use ult_smtlib::sexpr;

/// A variable of a procedure.
#[derive(Clone, Debug)]
pub(crate) struct Variable {
    pub name: String,
    pub ty: Type,
    pub span: Span,
}

/// Where a value is remembered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Moment {
    /// At the start of the procedure: `(old x)`.
    Entry,
    /// At the last statement with this tag: `(at x tag)`.
    Tag(String),
}

/// A local variable that remembers the value that another one had.
#[derive(Clone, Debug)]
pub(crate) struct Snapshot {
    pub variable: VarRef,
    pub moment: Moment,
    pub ty: Type,
    pub name: String,
}

/// A procedure. Its variables are numbered: ins, outs, locals, snapshots.
#[derive(Clone, Debug)]
pub(crate) struct Procedure {
    pub name: String,
    /// The place of the name.
    pub span: Span,
    pub ins: Vec<Variable>,
    pub outs: Vec<Variable>,
    pub locals: Vec<Variable>,
    pub snapshots: Vec<Snapshot>,
    /// `None` as long as only the signature is known, or if the body is wrong.
    pub body: Option<Statement>,
    /// So many global variables are declared before it: those that its body can mention.
    pub globals: usize,
    /// Where the definition ends.
    pub end: Span,
}

/// The part that a variable of a procedure plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    In,
    Out,
    Local,
    Snapshot,
}

impl Procedure {
    /// The variables that have names in the text, in the order of their numbers.
    pub(crate) fn variables(&self) -> impl Iterator<Item = &Variable> {
        self.ins.iter().chain(&self.outs).chain(&self.locals)
    }

    /// The variable of this name.
    pub(crate) fn find(&self, name: &str) -> Option<(LocalId, &Variable)> {
        let mut all = self.variables().enumerate();
        let (index, variable) = all.find(|(_, variable)| variable.name == name)?;
        Some((LocalId::new(index), variable))
    }

    /// What a variable is.
    pub(crate) fn part(&self, id: LocalId) -> Part {
        let (ins, outs, locals) = (self.ins.len(), self.outs.len(), self.locals.len());
        match id.index() {
            index if index < ins => Part::In,
            index if index < ins + outs => Part::Out,
            index if index < ins + outs + locals => Part::Local,
            _ => Part::Snapshot,
        }
    }

    /// Whether a tag means the start of the procedure: its outermost statement has it, and no other.
    pub(crate) fn is_start(&self, tag: &String) -> bool {
        let mut tagged = 0;
        let body = self.body.as_ref();
        if let Some(body) = body {
            body.visit(&mut |statement| tagged += usize::from(statement.tags.contains(tag)));
        }
        let is_head = |body: &Statement| {
            matches!(
                body.kind,
                StatementKind::While { .. } | StatementKind::Label(_)
            )
        };
        tagged == 1 && body.is_some_and(|body| body.tags.contains(tag) && !is_head(body))
    }

    /// The variable that remembers a value; a new one, if there is none yet.
    pub(crate) fn remember(
        &mut self,
        variable: VarRef,
        moment: &Moment,
        name: &str,
        ty: &Type,
    ) -> LocalId {
        let first = self.ins.len() + self.outs.len() + self.locals.len();
        let known = self.snapshots.iter();
        let mut known = known.map(|snapshot| (snapshot.variable, &snapshot.moment));
        let index = known.position(|have| have == (variable, moment));
        let index = index.unwrap_or_else(|| {
            let when = match moment {
                Moment::Entry => "old",
                Moment::Tag(tag) => tag,
            };
            self.snapshots.push(Snapshot {
                variable,
                moment: moment.clone(),
                ty: ty.clone(),
                name: format!("{name}@{when}"),
            });
            self.snapshots.len() - 1
        });
        LocalId::new(first + index)
    }

    /// The contract of the procedure: what its outermost statement requires and ensures.
    pub(crate) fn contract(&self) -> impl Iterator<Item = &Property> {
        let properties = self.body.iter().flat_map(|body| &body.properties);
        properties.filter(|property| property.kind.is_contract())
    }

    /// Whether it has a contract, so that calls are known by that alone.
    pub(crate) fn has_contract(&self) -> bool {
        self.contract().next().is_some()
    }
}

/// A statement with what is annotated to it.
#[derive(Clone, Debug)]
pub(crate) struct Statement {
    pub kind: StatementKind,
    pub tags: Vec<String>,
    pub properties: Vec<Property>,
    pub span: Span,
}

/// The kinds of statements.
#[derive(Clone, Debug)]
pub(crate) enum StatementKind {
    Assume(hir::Expr),
    Assign(Vec<(VarRef, hir::Expr)>),
    Sequence(Vec<Statement>),
    Call {
        /// Index into the procedures.
        callee: usize,
        args: Vec<hir::Expr>,
        results: Vec<VarRef>,
    },
    Return,
    Label(String),
    Goto(String),
    If {
        condition: hir::Expr,
        then: Box<Statement>,
        otherwise: Option<Box<Statement>>,
    },
    While {
        condition: hir::Expr,
        body: Box<Statement>,
    },
    Break,
    Continue,
    Havoc(Vec<VarRef>),
    Choice(Vec<Statement>),
}

/// Something that is specified about a statement.
#[derive(Clone, Debug)]
pub(crate) struct Property {
    pub kind: PropertyKind,
    /// The formula, where it has one that is understood.
    pub condition: Option<hir::Expr>,
    /// As it is written.
    pub value: Option<sexpr::Expr>,
    /// The keyword and what follows it.
    pub span: Span,
}

/// The kinds of properties.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PropertyKind {
    CheckTrue,
    Requires,
    Ensures,
    Invariant,
    Decreases,
    DecreasesLex,
    Recurring,
    NotRecurring,
}

impl PropertyKind {
    /// All of them.
    pub(crate) const ALL: [PropertyKind; 8] = [
        PropertyKind::CheckTrue,
        PropertyKind::Requires,
        PropertyKind::Ensures,
        PropertyKind::Invariant,
        PropertyKind::Decreases,
        PropertyKind::DecreasesLex,
        PropertyKind::Recurring,
        PropertyKind::NotRecurring,
    ];

    /// The keyword without its colon.
    pub(crate) fn keyword(self) -> &'static str {
        match self {
            PropertyKind::CheckTrue => "check-true",
            PropertyKind::Requires => "requires",
            PropertyKind::Ensures => "ensures",
            PropertyKind::Invariant => "invariant",
            PropertyKind::Decreases => "decreases",
            PropertyKind::DecreasesLex => "decreases-lex",
            PropertyKind::Recurring => "recurring",
            PropertyKind::NotRecurring => "not-recurring",
        }
    }

    /// Whether it is one half of a contract.
    pub(crate) fn is_contract(self) -> bool {
        matches!(self, PropertyKind::Requires | PropertyKind::Ensures)
    }

    /// What it is called where it cannot be verified; `None` for safety properties.
    pub(crate) fn liveness(self) -> Option<&'static str> {
        Some(match self {
            PropertyKind::Decreases => "the liveness property `:decreases`",
            PropertyKind::DecreasesLex => "the liveness property `:decreases-lex`",
            PropertyKind::Recurring => "the liveness property `:recurring`",
            PropertyKind::NotRecurring => "the liveness property `:not-recurring`",
            PropertyKind::CheckTrue
            | PropertyKind::Requires
            | PropertyKind::Ensures
            | PropertyKind::Invariant => return None,
        })
    }
}

impl Statement {
    /// The statements directly inside.
    pub(crate) fn parts(&self) -> Vec<&Statement> {
        match &self.kind {
            StatementKind::Sequence(parts) | StatementKind::Choice(parts) => parts.iter().collect(),
            StatementKind::If {
                then, otherwise, ..
            } => std::iter::once(&**then)
                .chain(otherwise.as_deref())
                .collect(),
            StatementKind::While { body, .. } => vec![body],
            _ => Vec::new(),
        }
    }

    /// The statements directly inside, to be changed.
    pub(crate) fn parts_mut(&mut self) -> Vec<&mut Statement> {
        match &mut self.kind {
            StatementKind::Sequence(parts) | StatementKind::Choice(parts) => {
                parts.iter_mut().collect()
            }
            StatementKind::If {
                then, otherwise, ..
            } => std::iter::once(&mut **then)
                .chain(otherwise.as_deref_mut())
                .collect(),
            StatementKind::While { body, .. } => vec![body],
            _ => Vec::new(),
        }
    }

    /// Calls `f` with this statement and all inside, outermost first, without recursion.
    pub(crate) fn visit<'s>(&'s self, f: &mut dyn FnMut(&'s Statement)) {
        let mut open = vec![self];
        while let Some(statement) = open.pop() {
            f(statement);
            open.extend(statement.parts().into_iter().rev());
        }
    }
}

/// A `verify-call`.
#[derive(Clone, Debug)]
pub(crate) struct VerifyCall {
    /// Index into the procedures.
    pub procedure: usize,
    pub args: Vec<hir::Expr>,
    pub span: Span,
}

impl Drop for Statement {
    fn drop(&mut self) {
        // Statements may be nested very deeply.
        let is_leaf = self.parts().is_empty();
        if !is_leaf {
            let kind = std::mem::replace(&mut self.kind, StatementKind::Return);
            ensure_stack(|| drop(kind));
        }
    }
}
