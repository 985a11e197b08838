//! Type synonyms: expanded once, each after those it mentions.

use crate::ast;
use crate::ast::visit::{Role, Visit};
use crate::diagnostic::Id;
use crate::resolve::declare::Builder;
use crate::resolve::environment::{Environment, TypeName};
use crate::resolve::message::{Message, Place};
use crate::resolve::types::TypeScope;
use crate::stack::ensure_stack;

/// How far the expansion of a synonym is.
#[derive(Clone, Copy, PartialEq)]
enum State {
    New,
    Open,
    Done,
}

impl Builder<'_> {
    /// Expands the synonyms, each after those it mentions.
    pub(super) fn synonyms(&mut self) {
        // The parameters first, so that a use before the definition is counted right.
        for index in 0..self.written_synonyms.len() {
            let (item, ty) = self.written_synonyms[index];
            let mut scope = Vec::new();
            let params = self.type_params(&ty.params, item, &mut scope);
            self.env.synonyms[index].params = params;
        }
        let mut states = vec![State::New; self.written_synonyms.len()];
        for index in 0..self.written_synonyms.len() {
            self.expand(index, &mut states);
        }
    }

    fn expand(&mut self, index: usize, states: &mut [State]) {
        if states[index] != State::New {
            return;
        }
        states[index] = State::Open;
        let (item, written) = self.written_synonyms[index];
        let Some(body) = &written.synonym else { return };
        let mut mentioned = Mentioned {
            env: &self.env,
            synonyms: Vec::new(),
        };
        mentioned.visit_type(body);
        for next in mentioned.synonyms {
            match states[next] {
                State::New => ensure_stack(|| self.expand(next, states)),
                State::Open => {
                    states[index] = State::Done;
                    self.messages.push(
                        Message::error(
                            Id::CYCLIC_SYNONYM,
                            format!("the type synonym `{}` is defined by itself", written.name.name),
                            Place { item, span: written.name.span },
                            "part of a cycle of synonyms",
                        )
                        .with_help("a recursive type is a datatype: `datatype List { Nil(), Cons(head: int, tail: List) }`"),
                    );
                }
                State::Done => {}
            }
        }
        if states[index] == State::Open {
            let params = self.env.synonyms[index].params.clone();
            let mut scope: TypeScope = written
                .params
                .iter()
                .map(|param| param.name.clone())
                .zip(params)
                .collect();
            let body = self.resolve(body, item, &mut scope);
            self.env.synonyms[index].body = body;
            states[index] = State::Done;
        }
    }
}

/// Collects the synonyms that a type mentions.
struct Mentioned<'e> {
    env: &'e Environment,
    synonyms: Vec<usize>,
}

impl<'t> Visit<'t> for Mentioned<'_> {
    fn visit_ident(&mut self, ident: &'t ast::Ident, role: Role) {
        if role == Role::Type
            && let Some(TypeName::Synonym(index)) = self.env.types.get(&ident.name)
        {
            self.synonyms.push(*index);
        }
    }
}
