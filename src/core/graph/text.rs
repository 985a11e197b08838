//! Program graphs as texts of the program-graph language (`.ult`).
//!
//! The text is self-contained and reads back as the same graphs: the same locations and edges in
//! the same order, and the same formulas up to the names of auxiliaries and bound variables. It is
//! about as long as the formulas have nodes: what a formula shares is written once, as a `let`.
//!
//! The language has no premises: those of edges stand in comments.
//!
//! Names that the language cannot write plainly stand in backticks. Operators without notation
//! (on bit-vectors, and the solver's own) are declared as functions with the attribute
//! `{:bvbuiltin "..."}` or `{:builtin "..."}`.

mod names;
#[cfg(test)]
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::sync::Arc;

use indexmap::IndexMap;
use petgraph::visit::EdgeRef as _;

use super::{Edge, Origin, ProgramGraph};
use crate::formula::print::{Printer, Spelling, operator_name, plain_name};
use crate::formula::{BvOp, DatatypeSort, Function, Op, Sharing, Sort, Term, Terms, Var, Version};
use names::{Names, quoted, quoted_primed, sort_text, string_literal};

/// A formula longer than this is written over several lines.
const LINE: usize = 96;

/// What to write besides the graphs.
#[derive(Clone, Copy, Default)]
pub struct Options<'a> {
    /// Says where an edge comes from; the text is added as a comment.
    pub comment: Option<&'a dyn Fn(Origin) -> Option<String>>,
}

/// The graphs in the program-graph language.
///
/// They share one header with all their rigid symbols and axioms, so they must come from one
/// program: every graph that is read back has the axioms of all.
pub fn print(terms: &Terms, graphs: &[&ProgramGraph], options: Options<'_>) -> String {
    let header = Header::collect(terms, graphs);
    let mut text = String::new();
    header.write(&mut text);
    for graph in graphs {
        if !text.is_empty() {
            text.push('\n');
        }
        GraphText {
            header: &header,
            graph,
            options,
        }
        .write(&mut text);
    }
    text
}

/// An operator that is declared as a function: itself, and the sorts of its arguments and result.
type OperatorKey = (Op, Vec<Sort>, Sort);

/// Everything that is declared before the graphs.
struct Header<'a> {
    terms: &'a Terms,
    /// Uninterpreted sorts, in order of their first use.
    sorts: IndexMap<Arc<str>, ()>,
    datatypes: IndexMap<Arc<str>, DatatypeSort>,
    /// Rigid symbols and their spelling.
    functions: IndexMap<Arc<Function>, String>,
    /// Operators and their spelling.
    operators: IndexMap<OperatorKey, String>,
    axioms: Vec<Term>,
    /// The names that are taken everywhere.
    names: Names,
    /// What the names of a constant map's indices begin with, and no other name.
    index_prefix: String,
}

impl<'a> Header<'a> {
    fn collect(terms: &'a Terms, graphs: &[&ProgramGraph]) -> Header<'a> {
        let mut header = Header {
            terms,
            sorts: IndexMap::new(),
            datatypes: IndexMap::new(),
            functions: IndexMap::new(),
            operators: IndexMap::new(),
            axioms: Vec::new(),
            names: Names::default(),
            index_prefix: "_i".to_owned(),
        };
        let mut roots = Vec::new();
        let mut axioms = indexmap::IndexSet::new();
        let mut variables = Names::default();
        for graph in graphs {
            for function in &graph.functions {
                header.functions.insert(function.clone(), String::new());
            }
            for (name, sort) in &graph.variables {
                header.add_sort(sort);
                variables.take(name);
            }
            axioms.extend(graph.axioms.iter().copied());
            roots.extend(graph.graph.edge_weights().map(|e| e.transition.formula));
        }
        roots.extend(axioms.iter().copied());
        header.axioms = axioms.into_iter().collect();
        for term in terms.post_order(&roots) {
            let node = terms.node(term);
            header.add_sort(&node.sort);
            match &node.op {
                Op::Apply(function) => {
                    header.functions.entry(function.clone()).or_default();
                }
                _ if is_declared(terms, term) => {
                    header
                        .operators
                        .insert(operator_key(terms, term), String::new());
                }
                _ => {}
            }
        }
        let functions: Vec<Arc<Function>> = header.functions.keys().cloned().collect();
        for function in &functions {
            function
                .params
                .iter()
                .for_each(|sort| header.add_sort(sort));
            header.add_sort(&function.result);
        }
        // A name means one thing in a graph: a symbol gives way to a variable.
        for (function, spelling) in &mut header.functions {
            let name = variables.fresh_beside(&header.names, &function.name);
            header.names.take(&name);
            *spelling = quoted(&name);
        }
        for (key, spelling) in &mut header.operators {
            let name = variables.fresh_beside(&header.names, &operator_spelling(key));
            header.names.take(&name);
            *spelling = quoted(&name);
        }
        while variables.any_begins_with(&header.index_prefix)
            || header.names.any_begins_with(&header.index_prefix)
        {
            header.index_prefix.insert(0, '_');
        }
        header
    }

    fn add_sort(&mut self, sort: &Sort) {
        for part in sort.parts() {
            match part {
                Sort::Uninterpreted(name) => {
                    self.sorts.insert(name, ());
                }
                Sort::Datatype(datatype) => {
                    self.datatypes.insert(datatype.name().clone(), datatype);
                }
                _ => {}
            }
        }
    }

    fn write(&self, text: &mut String) {
        for name in self.sorts.keys() {
            // Boogie knows these two, although they are no keywords.
            if !matches!(&**name, "string" | "regex") {
                let _ = writeln!(text, "type {};", quoted(name));
            }
        }
        for datatype in self.datatypes.values() {
            let constructors: Vec<String> = datatype
                .constructors()
                .map(|constructor| {
                    let field = |(name, sort): (&Arc<str>, Sort)| {
                        format!("{}: {}", quoted(name), sort_text(&sort))
                    };
                    let fields: Vec<String> = constructor.fields().map(field).collect();
                    format!("{}({})", quoted(constructor.name()), fields.join(", "))
                })
                .collect();
            let name = quoted(datatype.name());
            let _ = writeln!(text, "datatype {name} {{ {} }}", constructors.join(", "));
        }
        for (function, name) in &self.functions {
            let result = sort_text(&function.result);
            if function.params.is_empty() {
                let _ = writeln!(text, "const {name}: {result};");
            } else {
                let params = sort_list(&function.params);
                let _ = writeln!(text, "function {name}({params}) returns ({result});");
            }
        }
        for ((op, params, result), name) in &self.operators {
            let params = sort_list(params);
            let result = sort_text(result);
            let attribute = operator_attribute(op);
            let _ = writeln!(
                text,
                "function {attribute} {name}({params}) returns ({result});"
            );
        }
        for &axiom in &self.axioms {
            let mut scope = Scope::new(self, None);
            let sharing = self.terms.sharing(&[axiom]);
            scope.name_bound(&[axiom]);
            let closed = scope.name_lets(&sharing.closed);
            let printer = scope.printer(&sharing, Some((axiom, closed)));
            let _ = writeln!(text, "axiom {};", printer.print(axiom));
        }
    }
}

/// Whether the operator of a term is declared as a function.
fn is_declared(terms: &Terms, term: Term) -> bool {
    match (terms.op(term), terms.args(term)) {
        (Op::Bv(op), _) => *op != BvOp::Concat,
        (Op::ZeroExtend(_) | Op::SignExtend(_) | Op::Builtin(_) | Op::Distinct, _) => true,
        _ => false,
    }
}

fn operator_key(terms: &Terms, term: Term) -> OperatorKey {
    let node = terms.node(term);
    let params = node.args.iter().map(|&t| terms.sort(t).clone()).collect();
    (node.op.clone(), params, node.sort.clone())
}

/// The name to be tried first for an operator.
fn operator_spelling((op, params, result): &OperatorKey) -> String {
    let name = operator_name(op);
    match (op, params.first(), result) {
        (Op::Bv(_), Some(Sort::BitVec(width)), _) => format!("{name}{width}"),
        (Op::ZeroExtend(_), Some(Sort::BitVec(from)), Sort::BitVec(to)) => {
            format!("zero_extend_{from}_{to}")
        }
        (Op::SignExtend(_), Some(Sort::BitVec(from)), Sort::BitVec(to)) => {
            format!("sign_extend_{from}_{to}")
        }
        _ => name,
    }
}

/// The attribute that says which operator a function stands for.
fn operator_attribute(op: &Op) -> String {
    match op {
        Op::Bv(_) => format!("{{:bvbuiltin \"{}\"}}", operator_name(op)),
        Op::ZeroExtend(by) => format!("{{:bvbuiltin \"zero_extend {by}\"}}"),
        Op::SignExtend(by) => format!("{{:bvbuiltin \"sign_extend {by}\"}}"),
        Op::Builtin(builtin) if builtin.indices.is_empty() => {
            format!("{{:builtin {}}}", string_literal(&builtin.name))
        }
        Op::Builtin(builtin) => {
            let indices: String = builtin.indices.iter().map(|i| format!(" {i}")).collect();
            let name = format!("(_ {}{indices})", builtin.name);
            format!("{{:builtin {}}}", string_literal(&name))
        }
        _ => format!("{{:builtin \"{}\"}}", operator_name(op)),
    }
}

fn sort_list(sorts: &[Sort]) -> String {
    let list: Vec<String> = sorts.iter().map(sort_text).collect();
    list.join(", ")
}

/// The names of one edge or axiom.
struct Scope<'a> {
    header: &'a Header<'a>,
    /// The names of the graph's variables.
    variables: Option<&'a Names>,
    taken: Names,
    spelled: BTreeMap<Var, String>,
}

/// Spells names so that they are read back as the same names.
struct Exact<'a> {
    header: &'a Header<'a>,
    spelled: &'a BTreeMap<Var, String>,
}

impl Spelling for Exact<'_> {
    fn variable(&self, var: &Var) -> String {
        match (self.spelled.get(var), var.version) {
            (Some(name), _) => quoted(name),
            (None, Version::Current) => quoted(&var.name),
            (None, Version::Next) => quoted_primed(&var.name),
            // These occur in no program graph.
            (None, _) => quoted(&plain_name(var)),
        }
    }

    fn function(&self, function: &Function) -> String {
        match self.header.functions.get(function) {
            Some(name) => name.clone(),
            None => quoted(&function.name),
        }
    }

    fn sort(&self, sort: &Sort) -> String {
        sort_text(sort)
    }

    fn operator(&self, term: Term) -> Option<String> {
        let key = operator_key(self.header.terms, term);
        self.header.operators.get(&key).cloned()
    }

    fn index(&self, position: usize) -> String {
        format!("{}{position}", self.header.index_prefix)
    }

    fn exact(&self) -> bool {
        true
    }
}

impl<'a> Scope<'a> {
    fn new(header: &'a Header<'a>, variables: Option<&'a Names>) -> Scope<'a> {
        Scope {
            header,
            variables,
            taken: Names::default(),
            spelled: BTreeMap::new(),
        }
    }

    fn fresh(&mut self, wanted: &str) -> String {
        let mut others = vec![&self.header.names];
        others.extend(self.variables);
        let wanted = match wanted.starts_with(&self.header.index_prefix) {
            true => wanted.trim_start_matches('_'),
            false => wanted,
        };
        let name = self.taken.fresh_beside_all(&others, wanted);
        self.taken.take(&name);
        name
    }

    /// Names the auxiliaries that occur in the formula; the result is in the order in which they
    /// were created.
    fn name_auxiliaries(&mut self, formula: Term) -> Vec<(String, &'a Sort)> {
        let terms = self.header.terms;
        let mut named = Vec::new();
        for term in terms.free_vars(&[formula]) {
            if let Some(var) = terms.as_var(term)
                && matches!(var.version, Version::Aux(_))
            {
                let name = self.fresh(&var.name);
                self.spelled.insert(var.clone(), name.clone());
                named.push((name, terms.sort(term)));
            }
        }
        named
    }

    /// Names the bound variables in the roots.
    fn name_bound(&mut self, roots: &[Term]) {
        let terms = self.header.terms;
        let mut bound = BTreeSet::new();
        for term in terms.post_order(roots) {
            if let Op::Bind(binder) = terms.op(term) {
                bound.extend(binder.vars.iter().copied());
            }
        }
        for term in bound {
            if let Some(var) = terms.as_var(term) {
                let name = self.fresh(&var.name);
                self.spelled.insert(var.clone(), name);
            }
        }
    }

    fn name_lets(&mut self, shared: &[Term]) -> Vec<(Term, String)> {
        let name = |(i, &term): (usize, &Term)| (term, quoted(&self.fresh(&format!("d{}", i + 1))));
        shared.iter().enumerate().map(name).collect()
    }

    /// A printer that defines what is shared within binders, and `outermost` around a whole.
    fn printer<'s>(
        &'s mut self,
        sharing: &Sharing,
        outermost: Option<(Term, Vec<(Term, String)>)>,
    ) -> Printer<'s> {
        let mut definitions: IndexMap<Term, Vec<(Term, String)>> = IndexMap::new();
        if let Some((root, closed)) = outermost
            && !closed.is_empty()
        {
            definitions.insert(root, closed);
        }
        let mut number = definitions.values().map(Vec::len).sum::<usize>();
        for (&binder, shared) in &sharing.inside {
            for &term in shared {
                number += 1;
                let name = quoted(&self.fresh(&format!("e{number}")));
                definitions.entry(binder).or_default().push((term, name));
            }
        }
        let exact = Exact {
            header: self.header,
            spelled: &self.spelled,
        };
        let mut printer = Printer::with_spelling(self.header.terms, exact);
        for (place, list) in definitions {
            printer.define_in(place, list);
        }
        printer
    }
}

/// One graph.
struct GraphText<'a> {
    header: &'a Header<'a>,
    graph: &'a ProgramGraph,
    options: Options<'a>,
}

impl GraphText<'_> {
    fn write(&self, text: &mut String) {
        let _ = writeln!(text, "graph {} {{", quoted(&self.graph.name));
        self.variables(text);
        let locations = self.locations(text);
        let mut variables = Names::default();
        for name in self.graph.variables.keys() {
            variables.take(name);
        }
        let mut edges = String::new();
        for edge in self.graph.graph.edge_references() {
            let from = &locations[edge.source().index()];
            let to = &locations[edge.target().index()];
            for premise in &edge.weight().premises {
                let premise = self.graph.premise_text(self.header.terms, premise);
                let _ = writeln!(
                    edges,
                    "  // Left out, since this language has no premises: {premise}"
                );
            }
            let start = edges.len();
            self.edge(&mut edges, &variables, from, to, edge.weight());
            self.comment(&mut edges, start, edge.weight().origin);
        }
        if !edges.is_empty() {
            text.push('\n');
        }
        *text += &edges;
        *text += "}\n";
    }

    /// `var x, y: int;`, neighbours of one sort together.
    fn variables(&self, text: &mut String) {
        let mut line = String::new();
        let mut of: Option<&Sort> = None;
        for (name, sort) in &self.graph.variables {
            let name = quoted(name);
            if of == Some(sort) && line.len() + name.len() < LINE {
                let _ = write!(line, ", {name}");
                continue;
            }
            if let Some(sort) = of {
                let _ = writeln!(text, "  var {line}: {};", sort_text(sort));
            }
            line = name;
            of = Some(sort);
        }
        if let Some(sort) = of {
            let _ = writeln!(text, "  var {line}: {};", sort_text(sort));
        }
    }

    /// The declarations of the locations, which fix their order; the spelling of each.
    fn locations(&self, text: &mut String) -> Vec<String> {
        let mut taken = Names::default();
        let mut spelled = Vec::new();
        for id in self.graph.graph.node_indices() {
            let location = &self.graph.graph[id];
            let name = taken.fresh(&location.name);
            taken.take(&name);
            let name = quoted(&name);
            let attribute = if location.loop_head {
                "{:loop_head} "
            } else {
                ""
            };
            if id == self.graph.initial {
                let _ = writeln!(text, "  init {attribute}{name};");
            }
            if let Some(error) = &location.error {
                let attribute = if id == self.graph.initial {
                    ""
                } else {
                    attribute
                };
                let description = string_literal(error);
                let _ = writeln!(text, "  error {attribute}{name} {description};");
            } else if id != self.graph.initial {
                let _ = writeln!(text, "  location {attribute}{name};");
            }
            spelled.push(name);
        }
        spelled
    }

    fn edge(&self, text: &mut String, variables: &Names, from: &str, to: &str, edge: &Edge) {
        let terms = self.header.terms;
        let formula = edge.transition.formula;
        let sharing = terms.sharing(&[formula]);
        let mut scope = Scope::new(self.header, Some(variables));
        let locals = scope.name_auxiliaries(formula);
        scope.name_bound(&[formula]);
        let lets = scope.name_lets(&sharing.closed);
        let mut printer = scope.printer(&sharing, None);
        for (term, name) in &lets {
            printer.name_term(*term, name.clone());
        }

        let primed = terms.names_of(&[formula], Version::Next);
        let havoc: Vec<String> = edge
            .transition
            .changed
            .iter()
            .filter(|name| !primed.contains_key(*name))
            .map(|name| quoted(name))
            .collect();

        let _ = write!(text, "  {from} -> {to}");
        let trivial = formula == terms.tt();
        let simple = locals.is_empty() && lets.is_empty() && havoc.is_empty();
        let whole = printer.print(formula);
        if simple && whole.len() <= LINE {
            let _ = writeln!(text, ": {whole};");
            return;
        }
        if trivial && locals.is_empty() && lets.is_empty() && havoc.len() <= 8 {
            let _ = writeln!(text, " {{ havoc {}; }}", havoc.join(", "));
            return;
        }
        *text += " {\n";
        for (name, sort) in locals {
            let _ = writeln!(text, "    local {}: {};", quoted(&name), sort_text(sort));
        }
        for names in havoc.chunks(8) {
            let _ = writeln!(text, "    havoc {};", names.join(", "));
        }
        for (term, name) in &lets {
            let _ = writeln!(text, "    let {name} := {};", printer.print(*term));
        }
        if !trivial {
            match terms.op(formula) {
                Op::And if whole.len() > LINE => {
                    for (i, &conjunct) in terms.args(formula).iter().enumerate() {
                        let sign = if i == 0 { "" } else { "&& " };
                        let _ = writeln!(text, "    {sign}{}", printer.print_conjunct(conjunct));
                    }
                }
                _ => {
                    let _ = writeln!(text, "    {whole}");
                }
            }
        }
        *text += "  }\n";
    }

    /// Adds where the edge comes from, behind its first line.
    fn comment(&self, text: &mut String, start: usize, origin: Option<Origin>) {
        if let (Some(comment), Some(origin)) = (self.options.comment, origin)
            && let Some(comment) = comment(origin)
        {
            let comment: String = comment
                .chars()
                .map(|c| if c.is_control() { ' ' } else { c })
                .collect();
            let end = text[start..].find('\n').map_or(text.len(), |at| start + at);
            text.insert_str(end, &format!(" // {comment}"));
        }
    }
}
