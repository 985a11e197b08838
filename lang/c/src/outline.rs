//! Where the statements of a program are: for those who point into C texts, or write into them.

use ult_lang::span::Span;

pub use crate::parse::defines;
use crate::parse::{parse, written};
use crate::syntax::visit::{self, Visit};
use crate::syntax::{
    BlockItem, Declarator, DeclaratorKind, Expression, FunctionDefinition, Node, Statement as Tree,
};

/// The places of a program's parts.
#[derive(Clone, Debug, Default)]
pub struct Outline {
    /// Function definitions: name and place.
    pub functions: Vec<(String, Span)>,
    /// Loops, outer ones first.
    pub loops: Vec<Loop>,
    /// Statements, and declarations in blocks.
    pub statements: Vec<Statement>,
    /// Calls; the last byte is the closing parenthesis.
    pub calls: Vec<Span>,
    /// `if` statements: the whole, and the condition.
    pub branches: Vec<(Span, Span)>,
    /// The names that functions declare, each with the block that it is known in.
    pub scopes: Vec<(String, Span)>,
}

/// A loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Loop {
    /// Which kind.
    pub kind: LoopKind,
    /// The whole; it begins with its keyword.
    pub span: Span,
    /// The condition, if there is one.
    pub condition: Option<Span>,
    /// The body.
    pub body: Span,
}

/// The kinds of loops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum LoopKind {
    While,
    Do,
    For,
}

/// A statement, or a declaration in a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Statement {
    /// The whole.
    pub span: Span,
    /// Whether it is an item of a block: then others may stand before it.
    pub in_block: bool,
}

/// The places of the parts of a program.
pub fn outline(text: &str) -> Outline {
    let parsed = parse(text);
    let mut walker = Walker::default();
    parsed.with_stack(|| {
        for unit in &parsed.units {
            visit::unit(&mut walker, unit);
        }
    });
    walker.outline
}

impl Outline {
    /// The function that contains an offset.
    pub fn function(&self, offset: u32) -> Option<&str> {
        self.functions
            .iter()
            .find(|(_, span)| contains(*span, offset))
            .map(|(name, _)| name.as_str())
    }

    /// Whether a variable that the function around an offset mentions may be named there: it is
    /// declared in a block around the offset, or in no block of the function.
    pub fn is_in_scope(&self, name: &str, offset: u32) -> bool {
        let Some((_, function)) = self.functions.iter().find(|f| contains(f.1, offset)) else {
            return false;
        };
        let mut own = self
            .scopes
            .iter()
            .filter(|(known, scope)| known == name && contains(*function, scope.start))
            .peekable();
        own.peek().is_none() || own.any(|(_, scope)| contains(*scope, offset))
    }

    /// The innermost loop that contains an offset outside of its body.
    pub fn loop_at(&self, offset: u32) -> Option<&Loop> {
        self.loops
            .iter()
            .filter(|known| contains(known.span, offset) && !contains(known.body, offset))
            .min_by_key(|known| known.span.end - known.span.start)
    }

    /// The innermost statement that contains an offset.
    pub fn statement(&self, offset: u32) -> Option<Statement> {
        self.statements
            .iter()
            .filter(|statement| contains(statement.span, offset))
            .min_by_key(|statement| statement.span.end - statement.span.start)
            .copied()
    }
}

fn contains(span: Span, offset: u32) -> bool {
    (span.start..span.end).contains(&offset)
}

#[derive(Default)]
struct Walker {
    outline: Outline,
    /// The blocks around, outer ones first.
    blocks: Vec<Span>,
}

impl Walker {
    fn add(&mut self, kind: LoopKind, span: Span, condition: Option<Span>, body: Span) {
        self.outline.loops.push(Loop {
            kind,
            span,
            condition,
            body,
        });
    }

    fn add_statement(&mut self, span: Span, in_block: bool) {
        self.outline.statements.push(Statement { span, in_block });
    }

    /// A statement that is noted already.
    fn inner(&mut self, node: &Node<Tree>) {
        let span = node.span;
        match &node.node {
            Tree::While(it) => {
                let condition = Some(it.node.expression.span);
                self.add(LoopKind::While, span, condition, it.node.statement.span);
            }
            Tree::DoWhile(it) => {
                let condition = Some(it.node.expression.span);
                self.add(LoopKind::Do, span, condition, it.node.statement.span);
            }
            Tree::For(it) => {
                let condition = it.node.condition.as_ref().map(|condition| condition.span);
                self.add(LoopKind::For, span, condition, it.node.statement.span);
            }
            Tree::If(it) => self.outline.branches.push((span, it.node.condition.span)),
            _ => {}
        }
        let is_block = matches!(node.node, Tree::Compound(_) | Tree::For(_));
        if is_block {
            self.blocks.push(span);
        }
        visit::statement(self, node);
        if is_block {
            self.blocks.pop();
        }
    }
}

impl Visit for Walker {
    fn function(&mut self, node: &Node<FunctionDefinition>) {
        let mut declarator = &node.node.declarator.node;
        while let DeclaratorKind::Declarator(inner) = &declarator.kind.node {
            declarator = &inner.node;
        }
        if let DeclaratorKind::Identifier(name) = &declarator.kind.node {
            let name = written(&name.node.name).into_owned();
            self.outline.functions.push((name, node.span));
        }
        self.blocks.push(node.span);
        visit::function(self, node);
        self.blocks.pop();
    }

    fn declarator(&mut self, node: &Node<Declarator>) {
        if let (DeclaratorKind::Identifier(name), Some(&block)) =
            (&node.node.kind.node, self.blocks.last())
        {
            let name = written(&name.node.name).into_owned();
            self.outline.scopes.push((name, block));
        }
        visit::declarator(self, node);
    }

    fn block_item(&mut self, node: &Node<BlockItem>) {
        self.add_statement(node.span, true);
        match &node.node {
            BlockItem::Statement(statement) => self.inner(statement),
            _ => visit::block_item(self, node),
        }
    }

    fn statement(&mut self, node: &Node<Tree>) {
        self.add_statement(node.span, false);
        self.inner(node);
    }

    fn expression(&mut self, node: &Node<Expression>) {
        if let Expression::Call(_) = &node.node {
            self.outline.calls.push(node.span);
        }
        visit::expression(self, node);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_found() {
        let text = "int f(int x) { for (;;) if (x) g(x); else { L: while (x--) { } } do h() ; while (x > 1); }";
        let outline = outline(text);
        let at = |span: Span| &text[span.range()];
        assert_eq!(outline.functions.len(), 1);
        let loops: Vec<_> = outline
            .loops
            .iter()
            .map(|l| (l.kind, l.condition.map(at), at(l.body)))
            .collect();
        assert_eq!(
            loops,
            [
                (
                    LoopKind::For,
                    None,
                    "if (x) g(x); else { L: while (x--) { } }"
                ),
                (LoopKind::While, Some("x--"), "{ }"),
                (LoopKind::Do, Some("x > 1"), "h() ;"),
            ]
        );
        let calls: Vec<_> = outline.calls.iter().map(|&call| at(call)).collect();
        assert_eq!(calls, ["g(x)", "h()"]);
        let offset = |part: &str| u32::try_from(text.find(part).unwrap()).unwrap();
        let statement = outline.statement(offset("h()")).unwrap();
        assert_eq!((at(statement.span), statement.in_block), ("h() ;", false));
        let known = outline.loop_at(offset("x--")).unwrap();
        assert_eq!(at(known.span), "while (x--) { }");
        assert_eq!(outline.function(offset("x--")), Some("f"));
    }

    #[test]
    fn places_are_those_of_the_text_as_it_is_written() {
        let text = "int f(int x) { static void *t[] = { &&a, &&b }; int m[2] = {}; if (x) goto *t[g(x)]; \
                    a: while (x ?: h()) { x--; } b: return 0; }";
        let outline = outline(text);
        let at = |span: Span| &text[span.range()];
        let calls: Vec<_> = outline.calls.iter().map(|&call| at(call)).collect();
        assert_eq!(calls, ["g(x)", "h()"]);
        let known = outline.loops[0];
        assert_eq!(at(known.body), "{ x--; }");
        assert_eq!(known.condition.map(at), Some("x ?: h()"));
        let offset = |part: &str| u32::try_from(text.find(part).unwrap()).unwrap();
        let jump = outline.statement(offset("goto")).unwrap();
        assert_eq!(at(jump.span), "goto *t[g(x)];");
        let (whole, condition) = outline.branches[0];
        let if_statement = at(whole).trim_end();
        assert_eq!(
            (if_statement, at(condition)),
            ("if (x) goto *t[g(x)];", "x")
        );
    }

    #[test]
    fn names_are_known_in_their_blocks() {
        let text =
            "int g; int f(int x) { for (int i = 0; i < x; i++) { int y = i; } while (x) x--; }";
        let outline = outline(text);
        let offset = |part: &str| u32::try_from(text.find(part).unwrap()).unwrap();
        let known = |name: &str| {
            ["for", "int y", "while"].map(|part| outline.is_in_scope(name, offset(part)))
        };
        assert_eq!(known("g"), [true, true, true]);
        assert_eq!(known("x"), [true, true, true]);
        assert_eq!(known("i"), [true, true, false]);
        assert_eq!(known("y"), [false, true, false]);
    }
}
