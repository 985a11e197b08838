//! Statements, and what is annotated to them.

use ult_lang::diagnostic::{Id, Reported};
use ult_lang::hir::{Type, VarRef};
use ult_lang::stack::ensure_stack;
use ult_smtlib::sexpr::{Expr, Node};

use crate::program::{Part, Property, PropertyKind, Statement, StatementKind, Variable};
use crate::reader::{Reader, all_of};
use crate::terms::{Scope, State};

/// Where a statement stands.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    pub procedure: usize,
    pub in_loop: bool,
}

/// What is annotated to a statement.
#[derive(Default)]
pub(crate) struct Annotations {
    pub tags: Vec<String>,
    pub properties: Vec<Property>,
}

impl Reader<'_> {
    /// A statement. What is wrong with a part does not hide what is wrong with the others.
    pub(crate) fn statement(&mut self, at: Expr, place: Place) -> Result<Statement, Reported> {
        ensure_stack(|| self.statement_here(at, place))
    }

    fn statement_here(&mut self, at: Expr, place: Place) -> Result<Statement, Reported> {
        let exprs = self.exprs;
        let Some([head, args @ ..]) = exprs.list(at) else {
            return Err(self.syntax("a statement is expected here", at));
        };
        let Some(name) = exprs.symbol(*head) else {
            return Err(self.syntax("a statement is expected here", at));
        };
        let mut scope = Scope::new(State::Now(place.procedure));
        let kind = match (name, args) {
            ("!", [inner, attributes @ ..]) if !attributes.is_empty() => {
                let statement = self.statement(*inner, place);
                let mut annotations = Annotations::default();
                let result = self.annotations(attributes, place.procedure, &mut annotations);
                let mut statement = statement?;
                result?;
                statement.tags.extend(annotations.tags);
                statement.properties.extend(annotations.properties);
                return Ok(statement);
            }
            ("assume", [condition]) => {
                StatementKind::Assume(self.term_of(*condition, &mut scope, &Type::Bool)?)
            }
            ("assign", pairs @ [_, ..]) => self.assign(pairs, place)?,
            ("sequence", parts) => StatementKind::Sequence(self.statements(parts, place)?),
            ("call", [callee, args, results]) => self.call(*callee, *args, *results, at, place)?,
            ("return", []) => StatementKind::Return,
            ("label", [label]) => StatementKind::Label(self.symbol(*label)?),
            ("goto", [label]) => StatementKind::Goto(self.symbol(*label)?),
            ("if", [condition, branches @ ..]) if matches!(branches.len(), 1 | 2) => {
                let condition = self.term_of(*condition, &mut scope, &Type::Bool);
                let mut branches = self.statements(branches, place)?.into_iter();
                let (Some(then), otherwise) = (branches.next(), branches.next()) else {
                    return Err(Reported);
                };
                StatementKind::If {
                    condition: condition?,
                    then: Box::new(then),
                    otherwise: otherwise.map(Box::new),
                }
            }
            ("while", [condition, body]) => {
                let condition = self.term_of(*condition, &mut scope, &Type::Bool);
                let inside = Place {
                    in_loop: true,
                    ..place
                };
                let body = Box::new(self.statement(*body, inside)?);
                StatementKind::While {
                    condition: condition?,
                    body,
                }
            }
            ("break" | "continue", []) if !place.in_loop => {
                let message = format!("`{name}` outside of a loop");
                return Err(self.error(Id::SVLIB_JUMP, message, at, "there is no loop around it"));
            }
            ("break", []) => StatementKind::Break,
            ("continue", []) => StatementKind::Continue,
            ("havoc", variables @ [_, ..]) => {
                StatementKind::Havoc(self.assignable_all(variables, place)?)
            }
            // The grammar puts the alternatives into a list, the text on the language does not.
            ("choice", [list]) if self.is_list_of_statements(*list) => {
                let parts = exprs.list(*list).unwrap_or_default();
                StatementKind::Choice(self.statements(parts, place)?)
            }
            ("choice", parts @ [_, ..]) => StatementKind::Choice(self.statements(parts, place)?),
            (
                "!" | "assume" | "assign" | "call" | "return" | "label" | "goto" | "if" | "while"
                | "break" | "continue" | "havoc" | "choice",
                _,
            ) => return Err(self.syntax(&format!("`{name}` in this form"), at)),
            _ => {
                let message = format!("there is no statement `{name}`");
                return Err(self.error(Id::SVLIB_SYNTAX, message, *head, "not a statement"));
            }
        };
        Ok(Statement {
            kind,
            tags: Vec::new(),
            properties: Vec::new(),
            span: self.span(at),
        })
    }

    fn is_list_of_statements(&self, at: Expr) -> bool {
        let first = self.exprs.list(at).and_then(|parts| parts.first());
        first.is_some_and(|&first| self.exprs.list(first).is_some())
    }

    fn statements(&mut self, parts: &[Expr], place: Place) -> Result<Vec<Statement>, Reported> {
        all_of(parts.iter().map(|&part| self.statement(part, place)))
    }

    fn assign(&mut self, pairs: &[Expr], place: Place) -> Result<StatementKind, Reported> {
        let exprs = self.exprs;
        let mut scope = Scope::new(State::Now(place.procedure));
        let (mut found, mut failed) = (Vec::new(), None);
        for &pair in pairs {
            let Some(&[variable, value]) = exprs.list(pair) else {
                failed = Some(self.syntax("a variable and a term are expected here", pair));
                continue;
            };
            let target = self.assignable(variable, place);
            let value = match &target {
                Ok((_, ty)) => self.term_of(value, &mut scope, ty),
                Err(_) => self.term(value, &mut scope),
            };
            match (target, value) {
                (Ok((target, _)), Ok(value)) => {
                    if found.iter().any(|(other, _)| *other == target) {
                        failed = Some(self.changed_twice(variable));
                    }
                    found.push((target, value));
                }
                (Err(reported), _) | (_, Err(reported)) => failed = Some(reported),
            }
        }
        failed.map_or(Ok(StatementKind::Assign(found)), Err)
    }

    fn changed_twice(&mut self, at: Expr) -> Reported {
        let message = "a variable is changed twice at once";
        self.error(Id::SVLIB_NOT_ASSIGNABLE, message, at, "again")
    }

    /// A variable that the procedure may change.
    fn assignable(&mut self, at: Expr, place: Place) -> Result<(VarRef, Type), Reported> {
        let name = self.symbol(at)?;
        let scope = Scope::new(State::Now(place.procedure));
        let Some((variable, ty)) = self.variable(&name, &scope) else {
            return Err(match self.names.symbol(&name) {
                Some(_) => {
                    let message = format!("`{name}` is no program variable and cannot change");
                    self.error(Id::SVLIB_NOT_ASSIGNABLE, message, at, "no variable")
                }
                None => self.unknown("program variable", &name, at),
            });
        };
        let part = match variable {
            VarRef::Local(id) => self.procedures.get(place.procedure).map(|p| p.part(id)),
            _ => None,
        };
        if part == Some(Part::In) {
            let message = format!("`{name}` is an input of the procedure and cannot change");
            return Err(self.error(Id::SVLIB_NOT_ASSIGNABLE, message, at, "an input"));
        }
        Ok((variable, ty))
    }

    fn assignable_all(&mut self, all: &[Expr], place: Place) -> Result<Vec<VarRef>, Reported> {
        let (mut found, mut failed) = (Vec::new(), None);
        for &one in all {
            match self.assignable(one, place) {
                Ok((variable, _)) if found.contains(&variable) => {
                    failed = Some(self.changed_twice(one));
                }
                Ok((variable, _)) => found.push(variable),
                Err(reported) => failed = Some(reported),
            }
        }
        failed.map_or(Ok(found), Err)
    }

    fn call(
        &mut self,
        callee: Expr,
        args: Expr,
        results: Expr,
        at: Expr,
        place: Place,
    ) -> Result<StatementKind, Reported> {
        let exprs = self.exprs;
        let name = self.symbol(callee)?;
        let (Some(args), Some(results)) = (exprs.list(args), exprs.list(results)) else {
            return Err(self.syntax("`call` takes a list of terms and a list of variables", at));
        };
        let scope = Scope::new(State::Now(place.procedure));
        let Some(index) = self.procedure(&name) else {
            return Err(self.unknown("procedure", &name, callee));
        };
        let args = self.arguments(index, args, at, scope);
        let outs: Vec<Variable> = match self.procedures.get(index) {
            Some(procedure) => procedure.outs.clone(),
            None => Vec::new(),
        };
        if outs.len() != results.len() {
            let message = format!("`{name}` has {} outputs, not {}", outs.len(), results.len());
            return Err(self.sorts(message, at, "other results"));
        }
        let variables = self.assignable_all(results, place)?;
        for (&result, out) in results.iter().zip(&outs) {
            let (_, ty) = self.assignable(result, place)?;
            if ty != out.ty {
                let (have, want) = (self.written(&out.ty), self.written(&ty));
                let message = format!("an output of sort {have} for a variable of sort {want}");
                return Err(self.sorts(message, result, "of another sort"));
            }
        }
        Ok(StatementKind::Call {
            callee: index,
            args: args?,
            results: variables,
        })
    }

    /// The arguments for a procedure.
    pub(crate) fn arguments(
        &mut self,
        procedure: usize,
        args: &[Expr],
        at: Expr,
        mut scope: Scope,
    ) -> Result<Vec<ult_lang::hir::Expr>, Reported> {
        let Some(callee) = self.procedures.get(procedure) else {
            return Err(Reported);
        };
        let (name, ins) = (callee.name.clone(), callee.ins.clone());
        if ins.len() != args.len() {
            let message = format!("`{name}` takes {} arguments, not {}", ins.len(), args.len());
            return Err(self.sorts(message, at, "other arguments"));
        }
        let pairs = args.iter().zip(&ins);
        all_of(pairs.map(|(&arg, variable)| self.term_of(arg, &mut scope, &variable.ty)))
    }

    /// `:tag t :check-true f ...`, said of a statement of a procedure.
    pub(crate) fn annotations(
        &mut self,
        mut rest: &[Expr],
        procedure: usize,
        found: &mut Annotations,
    ) -> Result<(), Reported> {
        let exprs = self.exprs;
        let mut failed = Ok(());
        while let [key, behind @ ..] = rest {
            let Node::Keyword(keyword) = exprs.node(*key) else {
                return Err(self.syntax("an attribute is expected here", *key));
            };
            let takes_value = !matches!(keyword.as_str(), "recurring" | "not-recurring");
            let value = match behind {
                [value, behind @ ..] if !matches!(exprs.node(*value), Node::Keyword(_)) => {
                    rest = behind;
                    Some(*value)
                }
                behind => {
                    rest = behind;
                    None
                }
            };
            if takes_value != value.is_some() {
                let what = match takes_value {
                    true => format!("`:{keyword}` takes a value"),
                    false => format!("`:{keyword}` takes no value"),
                };
                failed = Err(self.syntax(&what, *key));
                continue;
            }
            let kind = PropertyKind::ALL
                .into_iter()
                .find(|kind| kind.keyword() == keyword);
            let result = match (keyword.as_str(), kind, value) {
                ("tag", _, Some(tag)) => self.symbol(tag).map(|tag| found.tags.push(tag)),
                // Names for other purposes mean nothing here.
                ("named", _, Some(_)) => Ok(()),
                (_, Some(kind), value) => self
                    .property(kind, *key, value, procedure)
                    .map(|property| found.properties.push(property)),
                (_, None, _) => Err(self.not_supported(&format!("`:{keyword}`"), *key)),
            };
            failed = failed.and(result);
        }
        failed
    }

    fn property(
        &mut self,
        kind: PropertyKind,
        key: Expr,
        value: Option<Expr>,
        procedure: usize,
    ) -> Result<Property, Reported> {
        let mut span = self.span(key);
        if let Some(value) = value {
            span.end = self.span(value).end;
        }
        let mut scope = Scope::new(State::Relational(procedure));
        let condition = match (kind, value) {
            (PropertyKind::Decreases, Some(value)) => {
                self.term_of(value, &mut scope, &Type::Int)?;
                None
            }
            (PropertyKind::DecreasesLex, Some(value)) => {
                let Some(parts) = self.exprs.list(value).map(<[Expr]>::to_vec) else {
                    return Err(self.syntax("a list of terms is expected here", value));
                };
                for part in parts {
                    self.term_of(part, &mut scope, &Type::Int)?;
                }
                None
            }
            (_, Some(value)) => Some(self.term_of(value, &mut scope, &Type::Bool)?),
            (_, None) => None,
        };
        Ok(Property {
            kind,
            condition,
            value,
            span,
        })
    }
}
