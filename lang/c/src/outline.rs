//! Where the statements of a program are: for those who point into C texts, or write into them.

use lang_c::ast as c;
use lang_c::span::Span as Place;
use lang_c::visit::{self, Visit};
use ult_lang::span::Span;

use crate::parse::{SourceMap, chunks, end_of_token, parse, written};

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

/// Whether a text defines a function of this name, as far as its brackets tell; it need not be preprocessed.
pub fn defines(text: &str, name: &str) -> bool {
    let code = crate::source::clean(text).text;
    let is_letter = |letter: char| letter.is_alphanumeric() || letter == '_';
    chunks(&code).into_iter().any(|chunk| {
        let chunk = &code[chunk];
        let mut at = 0;
        // Braces in strings do not count.
        while at < chunk.len() && chunk.as_bytes()[at] != b'{' {
            at = end_of_token(chunk.as_bytes(), at);
        }
        let Some(head) = chunk.get(..at).filter(|_| at < chunk.len()) else {
            return false;
        };
        head.match_indices(name).any(|(at, _)| {
            let (before, behind) = (&head[..at], &head[at + name.len()..]);
            !before.ends_with(is_letter) && behind.trim_start().starts_with('(')
        })
    })
}

/// The places of the parts of a program.
pub fn outline(text: &str) -> Outline {
    let parsed = parse(text);
    let mut walker = Walker::default();
    parsed.with_stack(|| {
        for unit in &parsed.units {
            walker.visit_translation_unit(unit);
        }
    });
    let mut outline = walker.outline;
    outline.map_back(&parsed.source_map);
    for call in &mut outline.calls {
        // The parser counts blanks behind them as theirs.
        let written = text.get(call.range()).unwrap_or_default().trim_end();
        call.end = call.start + u32::try_from(written.len()).unwrap_or(0);
    }
    outline
}

impl Outline {
    /// From places in what was parsed to places in the text. What is not written there has none.
    fn map_back(&mut self, source_map: &SourceMap) {
        if source_map.is_empty() {
            return;
        }
        let is_written = |span: Span| source_map.is_written(span);
        self.statements
            .retain(|statement| is_written(statement.span));
        self.calls.retain(|&call| is_written(call));
        self.branches.retain(|&(whole, _)| is_written(whole));
        let back = |span: &mut Span| *span = source_map.back(*span);
        let named = self.functions.iter_mut().chain(&mut self.scopes);
        named.for_each(|(_, span)| back(span));
        for known in &mut self.loops {
            let parts = [&mut known.span, &mut known.body];
            parts.into_iter().chain(&mut known.condition).for_each(back);
        }
        for statement in &mut self.statements {
            back(&mut statement.span);
        }
        self.calls.iter_mut().for_each(back);
        for (whole, condition) in &mut self.branches {
            back(whole);
            back(condition);
        }
    }

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

fn place(span: Place) -> Span {
    let offset = |at| u32::try_from(at).unwrap_or(u32::MAX);
    Span::new(offset(span.start), offset(span.end))
}

#[derive(Default)]
struct Walker {
    outline: Outline,
    /// The blocks around, outer ones first.
    blocks: Vec<Span>,
}

impl Walker {
    fn add(&mut self, kind: LoopKind, whole: Place, condition: Option<Place>, body: Place) {
        self.outline.loops.push(Loop {
            kind,
            span: place(whole),
            condition: condition.map(place),
            body: place(body),
        });
    }
}

impl<'ast> Visit<'ast> for Walker {
    fn visit_function_definition(
        &mut self,
        function: &'ast c::FunctionDefinition,
        span: &'ast Place,
    ) {
        let mut declarator = &function.declarator.node;
        while let c::DeclaratorKind::Declarator(inner) = &declarator.kind.node {
            declarator = &inner.node;
        }
        if let c::DeclaratorKind::Identifier(name) = &declarator.kind.node {
            self.outline
                .functions
                .push((written(&name.node.name).into_owned(), place(*span)));
        }
        self.blocks.push(place(*span));
        visit::visit_function_definition(self, function, span);
        self.blocks.pop();
    }

    fn visit_declarator(&mut self, declarator: &'ast c::Declarator, span: &'ast Place) {
        if let (c::DeclaratorKind::Identifier(name), Some(&block)) =
            (&declarator.kind.node, self.blocks.last())
        {
            let name = written(&name.node.name).into_owned();
            self.outline.scopes.push((name, block));
        }
        visit::visit_declarator(self, declarator, span);
    }

    fn visit_block_item(&mut self, item: &'ast c::BlockItem, span: &'ast Place) {
        self.outline.statements.push(Statement {
            span: place(*span),
            in_block: true,
        });
        match item {
            // It is entered already.
            c::BlockItem::Statement(statement) => self.inner(&statement.node, &statement.span),
            _ => visit::visit_block_item(self, item, span),
        }
    }

    fn visit_statement(&mut self, statement: &'ast c::Statement, span: &'ast Place) {
        self.outline.statements.push(Statement {
            span: place(*span),
            in_block: false,
        });
        self.inner(statement, span);
    }

    fn visit_call_expression(&mut self, call: &'ast c::CallExpression, span: &'ast Place) {
        self.outline.calls.push(place(*span));
        visit::visit_call_expression(self, call, span);
    }
}

impl Walker {
    fn inner<'ast>(&mut self, statement: &'ast c::Statement, span: &'ast Place) {
        match statement {
            c::Statement::While(node) => {
                let condition = Some(node.node.expression.span);
                self.add(LoopKind::While, *span, condition, node.node.statement.span);
            }
            c::Statement::DoWhile(node) => {
                let condition = Some(node.node.expression.span);
                self.add(LoopKind::Do, *span, condition, node.node.statement.span);
            }
            c::Statement::For(node) => {
                let condition = node.node.condition.as_ref().map(|condition| condition.span);
                self.add(LoopKind::For, *span, condition, node.node.statement.span);
            }
            c::Statement::If(node) => {
                let condition = node.node.condition.span;
                self.outline.branches.push((place(*span), place(condition)));
            }
            _ => {}
        }
        let is_block = matches!(statement, c::Statement::Compound(_) | c::Statement::For(_));
        if is_block {
            self.blocks.push(place(*span));
        }
        visit::visit_statement(self, statement, span);
        if is_block {
            self.blocks.pop();
        }
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
    fn definitions_are_found_in_texts_as_they_are_written() {
        for (text, expected) in [
            ("#include <stdio.h>\nint main(void) { size_t x; }", true),
            ("main(a) int a; { }", true),
            ("int\nmain ( )\n{ }", true),
            ("int main(void);", false),
            ("int domain(void) { return main(); }", false),
            ("/* int main(void) { } */ char *s = \"main() {\";", false),
            ("struct s { int (*main)(void); };", false),
        ] {
            assert_eq!(defines(text, "main"), expected, "{text}");
        }
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
