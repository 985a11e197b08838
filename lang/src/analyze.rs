//! Everything in one go, for those who have one text and no edits.

use std::collections::HashMap;

use crate::ast::Decl;
use crate::diagnostic::Diagnostic;
use crate::hir::{GraphProgram, Program};
use crate::parse::{parse_boogie, parse_graph};
use crate::resolve::declare;
use crate::resolve::environment::Environment;
use crate::shake::shake;
use crate::token::{Language, tokenize};
use crate::typing::assemble::assemble;
use crate::typing::graph::{assemble_graphs, check_graph};
use crate::typing::{Checked, Modifies, check_declaration};

/// Parses a Boogie text and checks its names and types.
///
/// There is always a program. If the diagnostics contain an error, it lacks what was wrong, and no verdict may be drawn
/// from it. The diagnostics are in the order of their places.
///
/// `modifies` clauses are completed where they lack something, with a warning: [`Modifies::Infer`].
pub fn analyze_boogie(text: &str) -> (Program, Vec<Diagnostic>) {
    analyze_boogie_with(text, Modifies::Infer)
}

/// As [`analyze_boogie`], with a choice of how to treat `modifies` clauses.
pub fn analyze_boogie_with(text: &str, modifies: Modifies) -> (Program, Vec<Diagnostic>) {
    let (tree, syntax) = parse_boogie(text);
    analyzed(text, &tree, &syntax, modifies)
}

fn analyzed(
    text: &str,
    tree: &crate::ast::Program,
    syntax: &[Diagnostic],
    modifies: Modifies,
) -> (Program, Vec<Diagnostic>) {
    let (env, declared) = declare(&tree.decls);
    let checked = check_declarations(&env, &tree.decls);
    // The places in the tree are absolute already, so every declaration starts at 0.
    let (program, diagnostics) = assemble(
        &env,
        &declared,
        &checked.iter().collect::<Vec<_>>(),
        &[],
        modifies,
    );
    (program, merge(text, Language::Boogie, syntax, diagnostics))
}

/// As [`analyze_boogie`], for the same program with its declarations in another order and its symbols under other names;
/// which, depends on the seed. Places are those of the text, and what is said of them is the same.
pub fn analyze_boogie_permuted(text: &str, seed: u64) -> (Program, Vec<Diagnostic>) {
    let (mut tree, syntax) = parse_boogie(text);
    shake(&mut tree, seed);
    analyzed(text, &tree, &syntax, Modifies::Infer)
}

/// Parses a text of the program-graph language and checks its names and types; otherwise as [`analyze_boogie`].
pub fn analyze_graph(text: &str) -> (GraphProgram, Vec<Diagnostic>) {
    let (tree, syntax) = parse_graph(text);
    let (env, declared) = declare(&tree.decls);
    let checked = check_declarations(&env, &tree.decls);
    let first = u32::try_from(tree.decls.len()).unwrap_or(u32::MAX);
    let graphs: Vec<_> = tree
        .graphs
        .iter()
        .zip(first..)
        .map(|(graph, item)| check_graph(&env, item, graph))
        .collect();
    let (program, diagnostics) = assemble_graphs(
        &env,
        &declared,
        &checked.iter().collect::<Vec<_>>(),
        &graphs.iter().collect::<Vec<_>>(),
        &[],
    );
    (program, merge(text, Language::Graph, &syntax, diagnostics))
}

/// Checks the declarations one by one, each under its number in the text.
fn check_declarations(env: &Environment, decls: &[Decl]) -> Vec<Checked> {
    decls
        .iter()
        .zip(0..)
        .map(|(decl, item)| check_declaration(env, item, decl))
        .collect()
}

/// All diagnostics of a text. Where something could not be read, names that seem unknown may well have been declared
/// there. So they are reported only if they stand nowhere in the text but where they are unknown.
pub(crate) fn merge(
    text: &str,
    language: Language,
    syntax: &[Diagnostic],
    mut semantic: Vec<Diagnostic>,
) -> Vec<Diagnostic> {
    if syntax.iter().any(Diagnostic::is_error) {
        let name = |diagnostic: &Diagnostic| text.get(diagnostic.span().range());
        // Of each unknown name, how often it stands elsewhere.
        let mut elsewhere: HashMap<&str, isize> = HashMap::new();
        for diagnostic in semantic.iter().filter(|one| one.id.is_unknown_name()) {
            if let Some(name) = name(diagnostic) {
                *elsewhere.entry(name).or_default() -= 1;
            }
        }
        if !elsewhere.is_empty() {
            for token in tokenize(text, language).0 {
                let word = text.get(token.span.range()).unwrap_or_default();
                if let Some(count) = elsewhere.get_mut(word) {
                    *count += 1;
                }
            }
        }
        let is_nowhere_else = |diagnostic: &Diagnostic| {
            diagnostic.id.is_unknown_name()
                && name(diagnostic).is_some_and(|name| elsewhere.get(name) == Some(&0))
        };
        semantic.retain(|diagnostic| {
            !diagnostic.id.may_follow_from_syntax_error() || is_nowhere_else(diagnostic)
        });
    }
    let mut all = syntax.to_vec();
    all.append(&mut semantic);
    all.sort_by_key(|diagnostic| (diagnostic.span().start, diagnostic.span().end));
    all
}
