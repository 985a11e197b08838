//! The visitors come everywhere, once, and both the same way.

#![allow(clippy::unwrap_used, reason = "a test")]

use std::path::{Path, PathBuf};

use ult_lang::ast;
use ult_lang::hir;
use ult_lang::parse::{parse_boogie, parse_graph};
use ult_lang::span::Span;
use ult_lang::{analyze_boogie, analyze_graph};

/// What the texts of the corpus do not have.
const ODD: &[&str] = &[
    "type T a; type S = T int; datatype D<a> { C(f: a), E() } const unique c: D int extends c;",
    "function f<a>(x: a, int) returns (r: int) uses { axiom true; } axiom {:a 1 + 2, \"s\"} (forall<b> x: b :: {:q} {x} true);",
    "procedure p(x: int where x > 0); free requires {:k} x > 1; modifies g; var g: [int]<t>[t]bool;",
    "procedure q() { l: async call p(1); par p(2) | p(3); atomic { m: yield; hide p; push; pop; } goto l, m; call forall p(*); }",
    "procedure r() { C(x, y) := z; a[1]->f[2] := {:w} 3; if (*) { } else if (b) { break; } while (*) invariant {:i} true; { break l; } }",
    "axiom |{ var z: int; A: assume z > 0; return z > 1; }| && (var x, y := 1, 2; x < y) && d->f is C && d->(f := 1) == e[3:1] ++ old(g);",
    "axiom (lambda x: int :: int(real(x) / 2.0))[1 := if b then 1 else -2] == m[1, 2] && (x: T int) == 0x1.8e0f24e8; procedure s() {",
];

fn texts(suffix: &str) -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut folders: Vec<PathBuf> = vec![root.join("tests"), root.join("../tests/corpus")];
    let mut texts = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|own| own == suffix)
                && let Ok(text) = std::fs::read_to_string(&path)
            {
                texts.push(text);
            }
        }
    }
    assert!(!texts.is_empty(), "no text *.{suffix}");
    texts
}

/// The places in what `{:?}` prints of a tree, which is made by the compiler and forgets nothing.
fn printed(tree: &impl std::fmt::Debug) -> Vec<(u32, u32)> {
    let text = format!("{tree:?}");
    let mut found = Vec::new();
    // A place is preceded by a blank or a bracket, other things with two dots are not in these texts.
    for word in text.split(|c: char| !c.is_ascii_digit() && c != '.') {
        if let Some((start, end)) = word.split_once("..")
            && let (Ok(start), Ok(end)) = (start.parse(), end.parse())
        {
            found.push((start, end));
        }
    }
    found.sort_unstable();
    found
}

/// Notes the places it comes to.
#[derive(Default)]
struct Places(Vec<(u32, u32)>);

impl Places {
    fn sorted(&self) -> Vec<(u32, u32)> {
        let mut places = self.0.clone();
        places.sort_unstable();
        places
    }
}

impl ast::visit::Visit<'_> for Places {
    fn visit_span(&mut self, span: &Span) {
        self.0.push((span.start, span.end));
    }
}

impl ast::visit::mutable::VisitMut for Places {
    fn visit_span(&mut self, span: &mut Span) {
        self.0.push((span.start, span.end));
    }
}

impl hir::visit::Visit<'_> for Places {
    fn visit_span(&mut self, span: &Span) {
        self.0.push((span.start, span.end));
    }
}

impl hir::visit::mutable::VisitMut for Places {
    fn visit_span(&mut self, span: &mut Span) {
        self.0.push((span.start, span.end));
    }
}

#[test]
fn all_places_of_a_syntax_tree_are_visited_once() {
    use ast::visit::{Visit, mutable::VisitMut};
    let odd = ODD.iter().map(|text| (*text).to_owned());
    for text in texts("bpl").into_iter().chain(odd) {
        let (mut tree, _) = parse_boogie(&text);
        let (mut read, mut changed) = (Places::default(), Places::default());
        Visit::visit_program(&mut read, &tree);
        VisitMut::visit_program(&mut changed, &mut tree);
        assert_eq!(read.0, changed.0, "{text}");
        assert_eq!(read.sorted(), printed(&tree), "{text}");
    }
    for text in texts("ult") {
        let (mut tree, _) = parse_graph(&text);
        let (mut read, mut changed) = (Places::default(), Places::default());
        Visit::visit_graph_file(&mut read, &tree);
        VisitMut::visit_graph_file(&mut changed, &mut tree);
        assert_eq!(read.0, changed.0, "{text}");
        assert_eq!(read.sorted(), printed(&tree), "{text}");
    }
}

#[test]
fn all_places_of_a_typed_program_are_visited_once() {
    use hir::visit::{Visit, mutable::VisitMut};
    let odd = ODD.iter().map(|text| (*text).to_owned());
    for text in texts("bpl").into_iter().chain(odd) {
        let (mut program, _) = analyze_boogie(&text);
        let (mut read, mut changed) = (Places::default(), Places::default());
        Visit::visit_program(&mut read, &program);
        VisitMut::visit_program(&mut changed, &mut program);
        assert_eq!(read.0, changed.0, "{text}");
        assert_eq!(read.sorted(), printed(&program), "{text}");
    }
    for text in texts("ult") {
        let (mut program, _) = analyze_graph(&text);
        let (mut read, mut changed) = (Places::default(), Places::default());
        Visit::visit_graph_program(&mut read, &program);
        VisitMut::visit_graph_program(&mut changed, &mut program);
        assert_eq!(read.0, changed.0, "{text}");
        assert_eq!(read.sorted(), printed(&program), "{text}");
    }
}

/// All but the last one, which ends too early, are read as what they are.
#[test]
fn the_odd_texts_are_in_the_language() {
    for text in &ODD[..ODD.len() - 1] {
        let (_, diagnostics) = parse_boogie(text);
        assert!(diagnostics.is_empty(), "{text}: {diagnostics:?}");
    }
}

/// Does something with little stack.
fn in_a_small_thread(f: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(256 * 1024);
    thread.spawn(f).unwrap().join().unwrap();
}

const DEEP: usize = 100_000;

#[test]
fn deep_trees_are_visited_with_little_stack() {
    use ast::visit::{Visit, mutable::VisitMut};
    in_a_small_thread(|| {
        let place = Span::new(1, 2);
        let mut ty = ast::Type::new(ast::TypeKind::Bool, place);
        let mut expr = ast::Expr::new(ast::ExprKind::Error, place);
        let mut stmts = Vec::new();
        for _ in 0..DEEP {
            ty = ast::Type::new(
                ast::TypeKind::Map {
                    params: Vec::new(),
                    domain: Vec::new(),
                    range: Box::new(ty),
                },
                place,
            );
            expr = ast::Expr::new(ast::ExprKind::Old(Box::new(expr)), place);
            let block = ast::Block { stmts, span: place };
            stmts = vec![ast::Stmt {
                kind: ast::StmtKind::Unsupported(ast::Unsupported::Atomic(block)),
                attributes: Vec::new(),
                span: place,
            }];
        }
        let mut places = Places::default();
        Visit::visit_type(&mut places, &ty);
        VisitMut::visit_type(&mut places, &mut ty);
        Visit::visit_expr(&mut places, &expr);
        VisitMut::visit_expr(&mut places, &mut expr);
        Visit::visit_stmt(&mut places, &stmts[0]);
        VisitMut::visit_stmt(&mut places, &mut stmts[0]);
        assert_eq!(places.0.len(), 2 * (4 * DEEP + 2));
        assert!(ast::visit::labels(&stmts).is_empty());
    });
}

#[test]
fn deep_programs_are_visited_with_little_stack() {
    use hir::visit::{Visit, mutable::VisitMut};
    in_a_small_thread(|| {
        let place = Span::new(1, 2);
        let mut expr = hir::Expr::error(place);
        let mut body = Vec::new();
        for _ in 0..DEEP {
            let old = hir::ExprKind::Old(Box::new(expr));
            expr = hir::Expr::new(old, hir::Type::Bool, place);
            let nested = hir::StmtKind::While {
                id: hir::BlockId(0),
                condition: None,
                invariants: Vec::new(),
                body,
            };
            body = vec![hir::Stmt::new(nested, place)];
        }
        let mut places = Places::default();
        Visit::visit_expr(&mut places, &expr);
        VisitMut::visit_expr(&mut places, &mut expr);
        Visit::visit_stmt(&mut places, &body[0]);
        VisitMut::visit_stmt(&mut places, &mut body[0]);
        assert_eq!(places.0.len(), 2 * (2 * DEEP + 1));
        let (mut exprs, mut stmts) = (0, 0);
        expr.visit(&mut |_| exprs += 1);
        hir::visit::statements(&body, &mut |_| stmts += 1);
        assert_eq!((exprs, stmts), (DEEP + 1, DEEP));
    });
}
